//! Whether rules say what an entry says: all of it, a part, or the opposite.
//!
//! What an entry asks for is told from why it asks, from what happened, and from examples: those
//! need no rule.

use super::Proposal;
use super::agree::{Agreement, Met, compare, meets, worth};
use super::clause::{Clauses, Said, Term};
use super::forms::Forms;
use super::lines::{Lines, Meeting};
use super::nearest::{self, Counts, Nearest};
use super::score::sentences;
use crate::capture::is_form_label;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use words::Lexicon;
use words::meaning::{Kind, Word};

/// Words in common from which on a rule may say it in other words.
const LOOSELY: f64 = 3.0;

/// The same between languages, where fewer words meet for the same meaning.
const TRANSLATED: f64 = 2.5;

/// Words of a short demand.
const SHORT: usize = 3;

/// Words that a demand of its own has.
const OWN: usize = 2;

/// What begins a line that tells why, where or by what example.
const REASONS: [&str; 64] = [
    "where",
    "when",
    "scope",
    "wo",
    "wann",
    "geltungsbereich",
    "어디",
    "어디서",
    "언제",
    "범위",
    "范围",
    "场合",
    "why",
    "reason",
    "because",
    "since",
    "how to apply",
    "apply",
    "applies",
    "example",
    "examples",
    "e.g.",
    "exception",
    "exceptions",
    "context",
    "background",
    "source",
    "note",
    "good",
    "bad",
    "warum",
    "grund",
    "weil",
    "da ",
    "denn",
    "begründung",
    "anwenden",
    "anwendung",
    "beispiel",
    "gutes beispiel",
    "ausnahme",
    "ausnahmen",
    "hintergrund",
    "gilt",
    "이유",
    "원인",
    "배경",
    "적용",
    "예",
    "예시",
    "예외",
    "좋은 예",
    "나쁜 예",
    "왜냐",
    "原因",
    "理由",
    "因为",
    "应用",
    "例",
    "背景",
    "适用",
    "适用于",
    "为什么",
    "왜",
];

/// What tells that something happened, or is allowed: in lower case, with the blanks around.
const TOLD: [&str; 91] = [
    " was ",
    " were ",
    " had ",
    " got ",
    " did ",
    " told ",
    " happened ",
    " may ",
    " can ",
    " is fine",
    " are fine",
    " is ok",
    " were fine",
    " war ",
    " wurde ",
    " wurden ",
    " hatte ",
    " hatten ",
    " hat ",
    " haben ",
    " gab ",
    " blieb ",
    " blieben ",
    " darf ",
    " dürfen ",
    " kann ",
    "있음",
    "괜찮",
    "해도 된다",
    "可以",
    "过了",
    "了。",
    "了，",
    " sent ",
    " broke ",
    " took ",
    " came ",
    " went ",
    " lost ",
    " complained",
    " last time",
    " ich habe ",
    " letztes mal",
    "지난번",
    "면 된다",
    "上次",
    "那次",
    "有一次",
    "出现了",
    "发生了",
    " said ",
    " wrote ",
    " found ",
    " thought ",
    " noticed ",
    " walked ",
    " arrived ",
    " waited ",
    " missed ",
    " forgot ",
    " stood ",
    " turned out",
    " stand ",
    " standen ",
    " lag ",
    " lagen ",
    " kam ",
    " kamen ",
    " ging ",
    " gingen ",
    " fehlte ",
    " fehlten ",
    " stimmte ",
    " passierte ",
    " fiel ",
    " fielen ",
    " rief ",
    " riefen ",
    " bekam ",
    " schrieb ",
    " fand ",
    " fanden ",
    " verlor ",
    " brauchte ",
    " wartete ",
    " musste ",
    " mussten ",
    " konnte ",
    " konnten ",
    " ließ ",
    " ließen ",
];

/// What tells that somebody asked for it: what follows is a demand, though it is told as past.
const ASKED: [&str; 34] = [
    " told me to ",
    " told us to ",
    " told me never ",
    " told me not ",
    " asked me to ",
    " asked us to ",
    " asked to ",
    " asked that ",
    " asked for ",
    " asked not ",
    " said to ",
    " said never ",
    " said always ",
    " wants ",
    " wanted ",
    " insisted ",
    " prefers ",
    " hat gebeten",
    " bat darum",
    " möchte",
    " wollte, dass",
    " will, dass",
    " soll ",
    " sollen ",
    " sollte ",
    "라고 했",
    "라고 말",
    "라고 하",
    "달라고",
    "자고 했",
    "원한",
    "要求",
    "让我",
    "希望",
];

/// One statement of what is to be saved.
#[derive(Debug)]
pub(super) struct Spoken {
    text: String,
    pub(super) said: Said,
    /// It asks for something, so that it needs a rule.
    pub(super) demands: bool,
    /// It is the description, and tells of nothing that happened.
    pub(super) describes: bool,
    /// It is the name: no statement by itself.
    pub(super) names: bool,
}

/// An entry, read for being held against [`Rules`].
#[derive(Debug)]
pub struct Claims(Vec<Spoken>);

/// What rules make of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// The rule at this place says it.
    Whole(usize),
    /// The rule at this place says a part of it.
    Part {
        /// Which rule.
        rule: usize,
        /// What no rule says.
        left: String,
    },
    /// The rule at this place says the opposite.
    Opposed(usize),
    /// None says it.
    Not,
}

/// Rules, read for being compared with entries.
#[derive(Debug)]
pub struct Rules {
    clauses: Clauses,
    lines: Lines,
    counts: Counts,
}

impl Rules {
    /// Reads lines or sentences, each with the heading that it stands under.
    pub fn new<'a>(lexicon: Lexicon, lines: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self::with(Clauses::new(lexicon), lines)
    }

    /// The same, with what reads clauses.
    pub(super) fn with<'a>(
        mut clauses: Clauses,
        lines: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let lines: Vec<Said> = lines
            .into_iter()
            .map(|(heading, text)| clauses.under(heading, &standing(text)))
            .collect();
        Self {
            counts: Counts::of(&lines),
            clauses,
            lines: Lines::of(lines),
        }
    }

    /// What reads clauses, to read on.
    pub(super) fn into_clauses(self) -> Clauses {
        self.clauses
    }

    /// Reads an entry for being held against them.
    pub fn read(&mut self, entry: &Proposal) -> Claims {
        Claims(spoken(&mut self.clauses, entry))
    }

    /// What those of them that count for this entry make of it.
    pub fn judge(&mut self, entry: &Claims, counts: impl Fn(usize) -> bool) -> Taken {
        let Claims(spoken) = entry;
        let held = spoken
            .iter()
            .map(|one| {
                let met = self.lines.met(&one.said);
                met.into_iter()
                    .filter(|meeting| counts(meeting.line))
                    .map(|meeting| Held {
                        agreement: compare(
                            &self.clauses,
                            &one.said,
                            self.lines.said(meeting.line),
                            &meeting.words,
                        ),
                        meeting,
                    })
                    .collect()
            })
            .collect::<Vec<_>>();
        judge(spoken, &held, &self.lines)
    }

    /// Whether one of those that count says something else in the words of an entry (another number,
    /// another thing), and none says it.
    pub fn says_another(&mut self, entry: &Claims, counts: impl Fn(usize) -> bool) -> bool {
        let Claims(spoken) = entry;
        let asks = spoken.iter().any(|one| one.demands);
        let mut another = false;
        // What a description leaves out, the body says.
        for one in spoken
            .iter()
            .filter(|one| !one.names && one.demands == asks)
        {
            for meeting in self.lines.met(&one.said) {
                if !counts(meeting.line) {
                    continue;
                }
                let line = self.lines.said(meeting.line);
                // A limit is told with a denial or without: `at most 3`, `never more than 3`.
                let mut words = meeting.words.iter();
                let limit = words.any(|met| one.said.terms[met.ours].word.kind == Kind::Number);
                match compare(&self.clauses, &one.said, line, &meeting.words) {
                    Agreement::Same => return false,
                    Agreement::Other => another = true,
                    Agreement::Opposite(_) => another |= !limit,
                    // Of many words one in common that one of them denies is met by chance.
                    Agreement::Beside => {
                        let common = distinct(&meeting, |met| met.ours);
                        another |= !limit && (common > 1 || one.said.terms.len() <= SHORT);
                    }
                    // Two words of a few, and another in the place of one.
                    Agreement::Near(_) => {
                        let ours = one.said.terms.len() - distinct(&meeting, |met| met.ours);
                        let theirs = line.terms.len() - distinct(&meeting, |met| met.theirs);
                        another |= (ours, theirs) == (1, 1) && !one.said.is_translated(line);
                    }
                    Agreement::Part => {}
                }
            }
        }
        another
    }

    /// The one of them that is most like an entry, whatever the words, if one has a word of it.
    pub fn nearest(&mut self, entry: &Claims, counts: impl Fn(usize) -> bool) -> Option<Nearest> {
        let Claims(spoken) = entry;
        let met: BTreeSet<usize> = spoken
            .iter()
            .flat_map(|one| self.lines.met(&one.said))
            .map(|meeting| meeting.line)
            .collect();
        let among: Vec<usize> = met.into_iter().filter(|line| counts(*line)).collect();
        nearest::find(&self.clauses, &self.counts, spoken, &mut self.lines, &among)
    }
}

/// How many words of one side meet some of the other.
fn distinct(meeting: &Meeting, side: impl Fn(&Met) -> usize) -> usize {
    let all: BTreeSet<usize> = meeting.words.iter().map(side).collect();
    all.len()
}

/// How a statement stands to a line that has a word in common with it.
struct Held {
    meeting: Meeting,
    agreement: Agreement,
}

/// `held` is what each statement that is spoken has in common with lines, in their order.
fn judge(spoken: &[Spoken], held: &[Vec<Held>], lines: &Lines) -> Taken {
    let stated = || spoken.iter().zip(held).filter(|(one, _)| !one.names);
    let first = |fits: &dyn Fn(Agreement) -> bool| {
        stated()
            .flat_map(|(_, held)| held)
            .find(|held| fits(held.agreement))
            .map(|held| held.meeting.line)
    };
    let same = first(&|agreement| agreement == Agreement::Same);
    let part = first(&|agreement| agreement == Agreement::Part);

    // A statement that a line turns round, and no line says.
    let unsaid = |held: &[Held]| held.iter().all(|one| one.agreement != Agreement::Same);
    let opposed = stated()
        .filter(|(one, held)| one.demands && unsaid(held))
        .flat_map(|(_, held)| held)
        .find(|held| matches!(held.agreement, Agreement::Opposite(_)));
    if let Some(held) = opposed {
        return Taken::Opposed(held.meeting.line);
    }

    let Some(rule) = same.or(part) else {
        return loosely(spoken, held, lines).map_or(Taken::Not, Taken::Whole);
    };
    let supporting: BTreeSet<usize> = stated()
        .flat_map(|(_, held)| held)
        .filter(|held| matches!(held.agreement, Agreement::Same | Agreement::Part))
        .map(|held| held.meeting.line)
        .collect();
    let supporting: Vec<&Said> = supporting
        .into_iter()
        .map(|line| lines.said(line))
        .collect();
    // What a description says beside the rule in a clause of its own is no word of the rule.
    let described: Vec<&Word> = stated()
        .filter(|(_, held)| !unsaid(held))
        .flat_map(|(one, _)| {
            let said = |term: &Term| {
                let mut all = supporting.iter().flat_map(|line| &line.terms);
                all.any(|known| meets(&term.word, &known.word))
            };
            let terms = &one.said.terms;
            let clauses: Vec<usize> = terms.iter().filter(|t| said(t)).map(|t| t.clause).collect();
            let within = terms.iter().filter(move |t| clauses.contains(&t.clause));
            within.map(|term| &term.word)
        })
        .collect();
    for (one, held) in stated().filter(|(one, held)| one.demands && unsaid(held)) {
        let other = held
            .iter()
            .any(|held| held.agreement == Agreement::Other && held.meeting.line == rule);
        if other && same.is_none() {
            return Taken::Not;
        }
        let rules = supporting.iter().flat_map(|said| &said.terms);
        let known = rules
            .map(|term| &term.word)
            .chain(described.iter().copied());
        let common = one
            .said
            .terms
            .iter()
            .filter(|term| {
                let mut known = known.clone();
                known.any(|word| meets(&term.word, word))
            })
            .count();
        // Statements of one subject name it each: one word in common is no likeness.
        let words = one.said.terms.len();
        let own = words >= OWN && (common == 0 || common == 1 && words > 3);
        let partly = held.iter().any(|held| held.agreement == Agreement::Part);
        if other || own || partly {
            return Taken::Part {
                rule,
                left: one.text.clone(),
            };
        }
    }
    if same.is_none() {
        return Taken::Not;
    }
    Taken::Whole(rule)
}

/// The line that has most words in common with all that is said, if they are enough, and no
/// statement says something else in the same words.
fn loosely(spoken: &[Spoken], held: &[Vec<Held>], lines: &Lines) -> Option<usize> {
    // The words of each line that a statement says, denied there if they are here.
    let mut common: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut another = BTreeSet::new();
    for (one, held) in spoken.iter().zip(held) {
        for held in held {
            let place = held.meeting.line;
            if one.demands && matches!(held.agreement, Agreement::Other | Agreement::Opposite(_)) {
                another.insert(place);
            }
            let line = lines.said(place);
            let agreeing = held.meeting.words.iter().filter(|met| {
                one.said.denies(&one.said.terms[met.ours]) == line.denies(&line.terms[met.theirs])
            });
            common
                .entry(place)
                .or_default()
                .extend(agreeing.map(|met| met.theirs));
        }
    }
    let mut best: Option<(f64, usize)> = None;
    for (place, mut words) in common {
        if another.contains(&place) {
            continue;
        }
        words.sort_unstable();
        words.dedup();
        let line = lines.said(place);
        // A number and what it counts are one thing.
        let worth = |word: &Word| match word.kind {
            Kind::Number => 0.5,
            _ => worth(word),
        };
        let common: f64 = words.iter().map(|at| worth(&line.terms[*at].word)).sum();
        let translated = spoken.iter().any(|one| one.said.is_translated(line));
        let enough = if translated { TRANSLATED } else { LOOSELY };
        if common >= enough && best.is_none_or(|(most, _)| common > most) {
            best = Some((common, place));
        }
    }
    best.map(|(_, place)| place)
}

/// The name, the description, and the sentences of the body, with what they are for.
fn spoken(clauses: &mut Clauses, entry: &Proposal) -> Vec<Spoken> {
    let mut out: Vec<Spoken> = Vec::new();
    let mut add = |text: &str, demands: bool, describes: bool, names: bool| {
        let text = standing(text.trim());
        let text = without_example(&text);
        let said = clauses.read(text);
        if !said.terms.is_empty() {
            out.push(Spoken {
                text: text.trim().to_owned(),
                said,
                demands,
                describes,
                names,
            });
        }
    };
    add(&entry.title, false, false, true);
    let mut fenced = false;
    // Below a line that tells why.
    let mut reasons = false;
    let mut body = Vec::new();
    for line in entry.body.lines() {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~ ") {
            fenced = !fenced;
        }
        if bare.is_empty() || fenced || bare.starts_with('#') || is_form_label(bare) {
            reasons &= !bare.is_empty();
            continue;
        }
        let item = item(bare);
        let text = item.unwrap_or(bare).trim_start_matches(['*', '_']);
        if tells_why(text) {
            reasons = true;
            body.push((text, false));
            continue;
        }
        reasons &= item.is_some() || line.starts_with([' ', '\t']);
        for sentence in sentences(text) {
            body.push((
                sentence,
                !reasons && !is_told(sentence) && !blames(sentence.trim_start()),
            ));
        }
    }
    // What a body says in full, its description may only name.
    let described = !is_told(&entry.description);
    add(
        &entry.description,
        described && body.is_empty(),
        described,
        false,
    );
    for (text, demands) in body {
        add(text, demands, false, false);
    }
    out
}

/// The words of an item of a list.
fn item(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = (1..=3).contains(&digits).then(|| {
        line.get(digits..)
            .and_then(|rest| rest.strip_prefix(['.', ')']))
    });
    line.strip_prefix(['-', '*', '+'])
        .or(numbered.flatten())
        .and_then(|rest| rest.strip_prefix(' '))
        .map(str::trim_start)
}

/// What begins a sentence that tells of a blame: who blamed stands before a colon.
const BLAMES: [&str; 14] = [
    "complaint",
    "criticism",
    "incident",
    "what happened",
    "beschwerde",
    "rüffel",
    "kritik",
    "vorfall",
    "anlass",
    "지적",
    "항의",
    "계기",
    "投诉",
    "起因",
];

/// `Complaint of the foreman: …`
fn blames(text: &str) -> bool {
    // Most sentences begin with none of their letters.
    let begins = |c: char| "ciwbrkva지항계투起投".contains(c.to_ascii_lowercase());
    if !text.starts_with(begins) {
        return false;
    }
    let Some((label, _)) = text.split_once([':', '：']) else {
        return false;
    };
    let label = label.to_lowercase();
    BLAMES.iter().any(|blame| label.starts_with(blame)) && label.split_whitespace().count() < 6
}

fn tells_why(text: &str) -> bool {
    if blames(text) {
        return true;
    }
    let lower = text.to_lowercase();
    REASONS.iter().any(|reason| {
        lower.strip_prefix(reason).is_some_and(|rest| {
            let rest = rest.trim_start_matches(['*', '_', ' ']);
            rest.starts_with([':', '：'])
                || matches!(
                    *reason,
                    "because" | "since" | "weil" | "da " | "denn" | "왜냐" | "因为"
                )
        })
    })
}

fn is_told(sentence: &str) -> bool {
    static FORMS: LazyLock<Forms> = LazyLock::new(|| Forms::of(TOLD));
    static ASKS: LazyLock<Forms> = LazyLock::new(|| Forms::of(ASKED));
    let spaced = format!(" {} ", sentence.to_lowercase());
    let told = FORMS.stand_in(&spaced) || tells_of_oneself(&spaced) || is_past_korean(&spaced);
    told && !ASKS.stand_in(&spaced)
}

/// Whether a sentence ends with a Korean verb of the past: a syllable with a double `ㅆ` below, other
/// than that of `있` and `겠`.
fn is_past_korean(sentence: &str) -> bool {
    let last = sentence
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .rsplit(' ')
        .next();
    // `ㅆ` is the twentieth of the 27 that may stand below.
    let double = |c: char| ('가'..='힣').contains(&c) && (c as u32 - 0xac00) % 28 == 20;
    last.is_some_and(|word| word.chars().any(|c| double(c) && !matches!(c, '있' | '겠')))
}

/// `I printed`, `we then removed`.
fn tells_of_oneself(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.windows(3).any(|three| {
        matches!(three[0], "i" | "we") && three[1..].iter().any(|word| word.ends_with("ed"))
    })
}

/// A text without what is struck out (`~~so~~`).
pub(super) fn standing(text: &str) -> Cow<'_, str> {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("~~") {
        let Some((_, behind)) = after.split_once("~~") else {
            break;
        };
        out.push_str(before);
        rest = behind;
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What begins an example behind a comma, in small letters.
const EXAMPLES: [&str; 14] = [
    " e.g.",
    " for example",
    " for instance",
    " such as",
    " i.e.",
    " z. b.",
    " z.b.",
    " zum beispiel",
    " etwa ",
    " also ",
    " 예를 들어",
    " 예컨대",
    "比如",
    "例如",
];
/// Letters of the longest of them.
const LONGEST: usize = 13;

/// A sentence up to the example that it goes on with.
fn without_example(text: &str) -> &str {
    let begins = |behind: &str| {
        let letters = behind.chars().take(LONGEST).flat_map(char::to_lowercase);
        let folded: String = letters.collect();
        EXAMPLES.iter().any(|example| folded.starts_with(example))
    };
    text.match_indices([',', '，'])
        .find(|(at, comma)| begins(&text[at + comma.len()..]))
        .map_or(text, |(at, _)| &text[..at])
}

/// What skills are about: the client loads a skill by its name and description alone.
#[derive(Debug)]
pub struct Topics {
    clauses: Clauses,
    topics: Vec<Said>,
}

/// Words of how skills are described.
const DESCRIBING: [&str; 14] = [
    "user", "ask", "run", "write", "work", "help", "need", "want", "show", "make", "time", "how",
    "skill", "check",
];

impl Topics {
    /// Of the texts of skills.
    pub fn of<'a>(skills: impl IntoIterator<Item = &'a str>) -> Self {
        let lexicon = Lexicon::builtin();
        let describing: Vec<_> = DESCRIBING
            .iter()
            .flat_map(|word| lexicon.concepts_of(word))
            .collect();
        let mut clauses = Clauses::new(lexicon);
        let topics = skills
            .into_iter()
            .map(|skill| {
                let front = crate::Frontmatter::parse(skill);
                let told = [front.get("name"), front.get("description")];
                let told = told.map(Option::unwrap_or_default).join(". ");
                let mut topic = clauses.read(&told.replace('-', " "));
                topic.terms.retain(|term| {
                    let concepts = &term.word.concepts;
                    !concepts.iter().any(|one| describing.contains(one))
                });
                topic
            })
            .collect();
        Self { clauses, topics }
    }

    /// Of each, in order, whether it has a word in common with an entry.
    pub fn shared_with(&mut self, entry: &Proposal) -> Vec<bool> {
        if self.topics.is_empty() {
            return Vec::new();
        }
        let text = [&*entry.title, &*entry.description, &*entry.body].join(". ");
        let said = self.clauses.read(&text.replace(['-', '_'], " "));
        let shares = |topic: &Said| {
            topic
                .terms
                .iter()
                .any(|term| said.terms.iter().any(|ours| meets(&term.word, &ours.word)))
        };
        self.topics.iter().map(shares).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_struck_out_is_not_said() {
        assert_eq!(standing("~~Run tests~~ (dropped)"), " (dropped)");
        assert_eq!(standing("a ~~b"), "a ~~b");
        assert_eq!(standing("a ~~b~~ c ~~d~~"), "a  c ");
    }

    #[test]
    fn demands_are_told_from_reasons_and_stories() {
        let entry = Proposal {
            title: "x".to_owned(),
            description: "Tables in reports".to_owned(),
            body: "Reports have a table.\n\n**Why:** a list was hard to read.\n이유: 표가 없었다.\n\
                   The last report had none.\nHow to apply:\n1. Open the template.\n\nSign the last page.\n"
                .to_owned(),
        };
        let mut clauses = Clauses::new(Lexicon::builtin());
        let demands: Vec<String> = spoken(&mut clauses, &entry)
            .into_iter()
            .filter(|one| one.demands)
            .map(|one| one.text)
            .collect();
        assert_eq!(demands, ["Reports have a table.", "Sign the last page."]);
    }

    #[test]
    fn a_skill_of_another_topic_is_not_asked() {
        let skill = "---\nname: pizza\ndescription: how to bake pizza dough\n---\nRun the tests.\n";
        let entry = |text: &str| Proposal {
            title: "t".to_owned(),
            description: text.to_owned(),
            body: String::new(),
        };
        let mut topics = Topics::of([skill]);
        let other = entry("Run the test suite before each commit.");
        assert_eq!(topics.shared_with(&other), [false]);
        let same = entry("Bake the pizza at 300 degrees.");
        assert_eq!(topics.shared_with(&same), [true]);
    }

    proptest::proptest! {
        #[test]
        fn any_entry_is_judged(
            description in "\\PC{0,20}",
            body in "(\\PC|\n|~~|- |이유: ){0,60}",
            rule in "(\\PC|~~){0,40}",
        ) {
            let entry = Proposal { title: String::new(), description, body };
            let mut rules = Rules::new(Lexicon::builtin(), [("", rule.as_str())]);
            let entry = rules.read(&entry);
            let _ = (rules.judge(&entry, |_| true), rules.nearest(&entry, |_| true));
        }
    }
}
