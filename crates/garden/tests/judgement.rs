//! Judgement on small memories of many domains in four languages, each with what a careful reader
//! would say of it.
//!
//! A case begins with `# NAME`; then come, each on a line:
//! `a KIND[/NAME][@DAY][+KEY=VALUE] | DESCRIPTION | BODY` an entry (KIND is its type, DAY its last change),
//! `file PATH = TEXT` a file of the project, and what is expected: `rel KIND / a>b KIND / none` one of
//! these relations; `not KIND …` none of these; `a VERDICT …` one of these is proposed (`~`: not
//! High); `keep a b` none of these is to be taken away; `one VERDICT` exactly one entry is this.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::format_push_string,
    clippy::print_stdout,
    reason = "a test makes its own files and tells what it found"
)]

use garden::{Confidence, Places, RelationKind, Scan, Verdict};
use memory::{Store, StoreKind};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

#[derive(Default)]
struct Case {
    name: String,
    entries: Vec<Made>,
    files: Vec<(String, String)>,
    wanted: Vec<String>,
}

struct Made {
    letter: String,
    file: String,
    text: String,
    day: chrono::NaiveDate,
}

fn cases(text: &str) -> Vec<Case> {
    let mut out: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(name) = line.strip_prefix("# ") {
            out.push(Case {
                name: name.to_owned(),
                ..Case::default()
            });
            continue;
        }
        let case = out.last_mut().unwrap();
        if let Some((path, text)) = line
            .strip_prefix("file ")
            .and_then(|rest| rest.split_once(" = "))
        {
            case.files
                .push((path.to_owned(), text.replace("\\n", "\n")));
        } else if line.matches(" | ").count() >= 2 {
            case.entries.push(entry(line));
        } else {
            case.wanted.push(line.trim().to_owned());
        }
    }
    out
}

fn entry(line: &str) -> Made {
    let (letter, rest) = line.split_once(' ').unwrap();
    let mut parts = rest.splitn(3, " | ");
    let (head, description, body) = (
        parts.next().unwrap().trim(),
        parts.next().unwrap(),
        parts.next().unwrap().replace("\\n", "\n"),
    );
    let (head, more) = head.split_once('+').unwrap_or((head, ""));
    let (head, day) = head.split_once('@').unwrap_or((head, "2026-11-20"));
    let (kind, name) = head.split_once('/').unwrap_or((head, letter));
    let more = more.replace('=', ": ");
    Made {
        letter: letter.to_owned(),
        file: format!("{kind}-{name}.md"),
        text: format!(
            "---\nname: {kind}-{name}\ndescription: {description}\ntype: {kind}\n{more}\n---\n\n{body}\n"
        ),
        day: day.parse().unwrap(),
    }
}

/// What mnemo says of a case.
struct Said {
    /// Kind and direction, by letters.
    relations: Vec<String>,
    verdicts: BTreeMap<String, (Verdict, Confidence)>,
    /// What may be right instead.
    seconds: BTreeMap<String, Verdict>,
    told: String,
}

fn judged(case: &Case) -> Said {
    let place = tempfile::tempdir().unwrap();
    let (project, folder) = (place.path().join("p"), place.path().join("m"));
    fs::create_dir_all(&project).unwrap();
    fs::create_dir_all(&folder).unwrap();
    for (path, text) in &case.files {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    for made in &case.entries {
        let path = folder.join(&made.file);
        fs::write(&path, &made.text).unwrap();
        let noon = made
            .day
            .and_hms_opt(12, 0, 0)
            .unwrap()
            .and_utc()
            .timestamp();
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(noon.unsigned_abs()))
            .unwrap();
    }
    let places = Places {
        project: Some(project),
        ..Places::default()
    };
    let now = chrono::DateTime::parse_from_rfc3339("2026-11-30T12:00:00Z").unwrap();
    let scan = Scan::of(
        Store::open(StoreKind::Auto, &folder).unwrap(),
        &places,
        now.into(),
    );
    let letter = |at: usize| {
        let file = &scan.entries[at].file;
        let made = case.entries.iter().find(|made| made.file == *file).unwrap();
        made.letter.clone()
    };
    let relations = scan.relations().all.iter().map(|relation| {
        if relation.kind == RelationKind::Contradiction {
            relation.kind.name().to_owned()
        } else {
            let (a, b) = (letter(relation.a), letter(relation.b));
            format!("{a}>{b} {}", relation.kind)
        }
    });
    let relations: Vec<String> = relations.collect();
    let mut told = format!("{relations:?}");
    let (mut verdicts, mut seconds) = (BTreeMap::new(), BTreeMap::new());
    for (at, judgement) in garden::judge(&scan).all.iter().enumerate() {
        let first = &judgement.candidates[0];
        told += &format!(
            "\n        {} {} {:?} ({})",
            letter(at),
            first.verdict.name(),
            first.confidence,
            first.note
        );
        verdicts.insert(letter(at), (first.verdict, first.confidence));
        seconds.extend(
            judgement
                .candidates
                .get(1)
                .map(|second| (letter(at), second.verdict)),
        );
    }
    Said {
        relations,
        verdicts,
        seconds,
        told,
    }
}

impl Said {
    fn is(&self, who: &str, wanted: &str) -> bool {
        let (verdict, confidence) = self.verdicts[who];
        let name = wanted.trim_end_matches('~');
        verdict == Verdict::of(name).unwrap()
            && (!wanted.ends_with('~') || confidence != Confidence::High)
    }

    fn holds(&self, wanted: &str) -> bool {
        let (first, rest) = wanted.split_once(' ').unwrap();
        let mut words = rest.split_whitespace();
        match first {
            "rel" => rest.split(" / ").any(|wanted| match wanted.trim() {
                "none" => self.relations.is_empty(),
                one => self.relations == [one],
            }),
            "not" => words.all(|kind| self.relations.iter().all(|r| !r.ends_with(kind))),
            "keep" => words.all(|who| !self.verdicts[who].0.removes()),
            "one" => {
                let there = self.verdicts.keys().filter(|who| self.is(who, rest));
                there.count() == 1
            }
            who => words.any(|wanted| self.is(who, wanted)),
        }
    }

    /// Something is to be taken away that should stay.
    fn loses(&self, case: &Case) -> bool {
        self.verdicts.iter().any(|(who, (verdict, _))| {
            let name = verdict.name();
            let allowed = case.wanted.iter().any(|line| {
                let mut words = line.split_whitespace();
                let first = words.next().unwrap();
                (first == who || first == "one")
                    && words.any(|word| word.trim_end_matches('~') == name)
            });
            verdict.removes() && !allowed
        })
    }
}

/// How many cases are right, how many lose something.
fn run(name: &str, text: &str) -> (usize, usize, usize) {
    let all = cases(text);
    let (mut right, mut lost) = (0, 0);
    for case in &all {
        let said = judged(case);
        let missed: Vec<&String> = case.wanted.iter().filter(|w| !said.holds(w)).collect();
        let loses = said.loses(case);
        right += usize::from(missed.is_empty());
        lost += usize::from(loses);
        if !missed.is_empty() || loses {
            let mark = if loses { " LOSES" } else { "" };
            println!("  {}{mark}: wanted {missed:?}, {}", case.name, said.told);
        }
    }
    println!("{name}: {right} of {} right, {lost} lose", all.len());
    (right, all.len(), lost)
}

/// What is said of the entries of tables that nothing was made for, as shares of a hundred: of
/// those that are sure, of all, and with the second proposal; and how many cases lose something.
fn shares(name: &str, texts: &[&str]) -> [usize; 4] {
    let (mut sure, mut sure_right, mut all, mut right, mut two, mut lost) = (0, 0, 0, 0, 0, 0);
    for case in texts.iter().flat_map(|text| cases(text)) {
        let said = judged(&case);
        let loses = said.loses(&case);
        lost += usize::from(loses);
        for wanted in &case.wanted {
            let mut words = wanted.split_whitespace();
            let Some((who, (_, confidence))) = words
                .next()
                .and_then(|who| said.verdicts.get_key_value(who))
            else {
                continue;
            };
            let good = said.holds(wanted);
            let second = said.seconds.get(who);
            let either = good
                || words.any(|word| Verdict::of(word.trim_end_matches('~')).as_ref() == second);
            all += 1;
            right += usize::from(good);
            two += usize::from(either);
            if *confidence == Confidence::High {
                sure += 1;
                sure_right += usize::from(good);
            }
            if !good || loses {
                let mark = if loses { " LOSES" } else { "" };
                let second = if either { ", the second" } else { "" };
                println!(
                    "  {}{mark}: wanted {wanted}{second}, {}",
                    case.name, said.told
                );
            }
        }
    }
    println!("{name}: sure {sure_right}/{sure}, all {right}/{all}, two {two}/{all}, {lost} lose");
    [
        sure_right * 100 / sure.max(1),
        right * 100 / all,
        two * 100 / all,
        lost,
    ]
}

/// Cases of a file: none loses anything, and no more than so many are wrong.
fn hold(name: &str, text: &str, wrong: usize) {
    let (right, all, lost) = run(name, text);
    assert_eq!(
        lost, 0,
        "{name}: something is to be taken away that should stay"
    );
    assert!(right + wrong >= all, "{name}: {right} of {all}");
}

#[test]
fn cases_of_a_reader_are_judged_as_by_one() {
    hold("reader", include_str!("cases/reader.txt"), 7);
}

#[test]
fn cases_of_many_domains_are_judged_as_by_a_reader() {
    hold("domains", include_str!("cases/domains.txt"), 4);
}

#[test]
fn more_cases_are_judged_as_by_a_reader() {
    hold("more", include_str!("cases/more.txt"), 4);
}

#[test]
fn cases_of_trades_are_judged_as_by_a_reader() {
    hold("trades", include_str!("cases/trades.txt"), 3);
}

#[test]
fn cases_of_crafts_are_judged_as_by_a_reader() {
    hold("crafts", include_str!("cases/crafts.txt"), 6);
}

#[test]
fn cases_of_guilds_are_judged_as_by_a_reader() {
    hold("guilds", include_str!("cases/guilds.txt"), 6);
}

#[test]
fn two_things_of_one_sort_are_two_and_what_is_asked_is_not_so() {
    hold("two things", include_str!("cases/two-things.txt"), 1);
}

#[test]
fn what_nothing_was_made_for_is_judged_as_by_a_reader() {
    let tables = [
        (include_str!("cases/fresh-a.txt"), 75, 90),
        (include_str!("cases/fresh-b.txt"), 60, 90),
    ];
    for (table, least, least_of_two) in tables {
        let [sure, all, two, lost] = shares("fresh", &[table]);
        assert_eq!(lost, 0, "something is to be taken away that should stay");
        assert!(
            sure >= 95 && all >= least && two >= least_of_two,
            "{sure} {all} {two}"
        );
    }
}
