//! Sorts the lexicon's words by stem, so that looking one up at run time needs no loading.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script stops the build where something is wrong, and talks to cargo"
)]

#[path = "src/base/mod.rs"]
mod base;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Tables of words that say how, when and how many.
const HOW: [&str; 2] = ["status.txt", "time.txt"];

fn main() {
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src/base");
    let mut files: Vec<_> = std::fs::read_dir("data")
        .expect("data/ is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    files.sort();

    let texts: Vec<String> = files
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("a readable text"))
        .collect();
    let lines: Vec<Line<'_>> = files
        .iter()
        .zip(&texts)
        .flat_map(|(file, text)| {
            let how = HOW.iter().any(|name| file.ends_with(name));
            text.lines().filter_map(Line::parse).map(move |line| Line {
                how: how || line.how,
                ..line
            })
        })
        .collect();

    let mut concepts = String::new();
    let mut senses = String::new();
    let mut stems: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut starts = vec![0];
    for (id, line) in lines.iter().enumerate() {
        let mut add = |key: String| {
            let ids = stems.entry(key).or_default();
            if ids.last() != Some(&id) {
                ids.push(id);
            }
        };
        for member in line.columns.iter().flatten() {
            let member = base::fold::fold(member).into_owned();
            let word = member.trim_start_matches('~').replace('_', " ");
            add(base::key(&word));
            // Korean spaces are loose: what is written apart is written together as well.
            if word.contains(' ') && word.starts_with(|c: char| ('가'..='힣').contains(&c)) {
                add(base::key(&word.replace(' ', "")));
            }
            base::verbs::stems(&word).into_iter().for_each(&mut add);
            // By its root, for words that are derived from the same one.
            if let Some(root) = base::derived(&word, &base::root(&word)) {
                add(root);
            }
            writeln!(concepts, "{}", member.replace('_', " ")).unwrap();
        }
        starts.push(concepts.len());
        senses.push(line.sense());
    }

    // The opposites of each line, by a head of another, else by another word of it; both ways.
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, line) in lines.iter().enumerate() {
        for word in line.columns.iter().flatten() {
            named.entry(word).or_insert(id);
        }
    }
    named.extend(lines.iter().enumerate().map(|(id, line)| (line.head(), id)));
    let mut opposites: Vec<(usize, usize)> = Vec::new();
    for (id, line) in lines.iter().enumerate() {
        for opposite in &line.opposites {
            let Some(other) = named.get(opposite) else {
                panic!("{} has an unknown opposite: {opposite}", line.head());
            };
            opposites.extend([(id, *other), (*other, id)]);
        }
    }
    opposites.sort_unstable();
    opposites.dedup();

    let mut sorted = String::new();
    for (stem, ids) in &stems {
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        writeln!(sorted, "{stem}\t{}", ids.join(",")).unwrap();
    }
    // Each line by its stem, and the first line of each word that several words begin with.
    let mut by_stem: Vec<(&str, usize)> = Vec::new();
    let mut by_first: BTreeMap<&str, usize> = BTreeMap::new();
    let mut start = 0;
    for line in sorted.lines() {
        let stem = line.split('\t').next().unwrap();
        by_stem.push((stem, start));
        if let Some((first, _)) = stem.split_once(' ') {
            by_first.entry(first).or_insert(start);
        }
        start += line.len() + 1;
    }
    let by_stem = slots(by_stem.iter().copied());
    let by_first = slots(by_first.iter().map(|(first, start)| (*first, *start)));
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let out = Path::new(&out);
    std::fs::write(out.join("concepts.txt"), concepts).unwrap();
    std::fs::write(out.join("senses.txt"), senses).unwrap();
    std::fs::write(out.join("stems.txt"), sorted).unwrap();
    std::fs::write(out.join("stems.slots"), by_stem).unwrap();
    std::fs::write(out.join("phrases.slots"), by_first).unwrap();
    std::fs::write(out.join("opposites.rs"), format!("&{opposites:?}")).unwrap();
    std::fs::write(out.join("starts.rs"), format!("&{starts:?}")).unwrap();
}

/// The slots for words and the places of their lines, as little-endian bytes: twice as many as words,
/// a power of two.
fn slots<'a>(words: impl ExactSizeIterator<Item = (&'a str, usize)>) -> Vec<u8> {
    use base::slots::{PLACE, hash, mark};
    let count = (words.len() * 2).next_power_of_two();
    let mut slots = vec![0_u32; count];
    for (word, start) in words {
        // Zero is for an empty slot.
        let place = u32::try_from(start + 1).unwrap();
        assert!(place < 1 << PLACE, "the table has grown too long");
        let mut at = hash(word) as usize & (count - 1);
        while slots[at] != 0 {
            at = (at + 1) & (count - 1);
        }
        slots[at] = (mark(hash(word)) << PLACE) | place;
    }
    slots.iter().flat_map(|slot| slot.to_le_bytes()).collect()
}

/// One line: a concept.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line<'a> {
    /// Its words by language; one column where the line does not tell languages apart.
    columns: Vec<Vec<&'a str>>,
    /// Heads of the lines that mean the opposite.
    opposites: Vec<&'a str>,
    /// It says how, when or how many.
    how: bool,
}

impl<'a> Line<'a> {
    /// Reads a line; `None` for an empty one.
    fn parse(line: &'a str) -> Option<Self> {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            return None;
        }
        if !line.contains('|') {
            let words = line.split(',').map(str::trim);
            return Some(Self {
                columns: vec![words.filter(|word| !word.is_empty()).collect()],
                ..Self::default()
            });
        }
        let (words, opposites) = line.split_once(" ! ").unwrap_or((line, ""));
        Some(Self {
            columns: words
                .split('|')
                .map(|column| column.split_whitespace().collect())
                .collect(),
            opposites: opposites.split_whitespace().collect(),
            how: false,
        })
    }

    /// `N` for a name, which German writes alike and Chinese not in its own way; `T` for a thing, `D`
    /// for what is done or how something is, `M` for both: German writes things with a capital, and
    /// Korean verbs end in `다`.
    fn sense(&self) -> char {
        let german = self.columns.get(2).map(Vec::as_slice).unwrap_or_default();
        let korean = self.columns.get(1).map(Vec::as_slice).unwrap_or_default();
        let things = german
            .iter()
            .filter(|word| word.trim_start_matches('~').starts_with(char::is_uppercase))
            .count();
        let verbs = korean.iter().any(|word| word.ends_with('다'));
        let english = self.columns.first().map(Vec::as_slice).unwrap_or_default();
        let chinese = self.columns.get(3).map(Vec::as_slice).unwrap_or_default();
        let same = |word: &&str| english.iter().any(|other| other.eq_ignore_ascii_case(word));
        match (things, german.len() - things) {
            _ if self.how => 'D',
            _ if self.columns.len() > 1
                && chinese.is_empty()
                && !verbs
                && german.iter().all(same) =>
            {
                'N'
            }
            (0, 0) if verbs => 'D',
            (_, 0) => 'T',
            (0, _) => 'D',
            _ => 'M',
        }
    }

    /// The first word, which names the concept within the table.
    fn head(&self) -> &'a str {
        self.columns
            .iter()
            .flatten()
            .next()
            .copied()
            .unwrap_or_default()
    }
}
