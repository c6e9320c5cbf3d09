//! A statement as clauses: what each is about, and whether it denies it.
//!
//! `Use pnpm, never npm` are two clauses, the second denied; so are `prefer rebase over merge`,
//! `리뷰 없이 배포` and `用类而不是函数`. What comes first and what comes later is kept as well.

use super::forms::Forms;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use words::meaning::{Kind, Reader, Word};
use words::{Concept, Language, Lexicon, Script};

/// Words that deny, of which the lexicon knows the others.
const DENYING: [&str; 6] = ["not", "never", "forbidden", "avoid", "without", "no"];

/// Forms that deny and are no words by themselves.
const MARKS: [&str; 11] = [
    "n't", "n’t", "cannot", "지 마", "지마", "지 말", "지말", "勿", "严禁", "不", "别",
];

/// Words that hold such a form and deny nothing.
const NO_MARKS: [&str; 16] = [
    "不同", "不断", "不仅", "不但", "不过", "不少", "不久", "特别", "分别", "类别", "级别", "区别",
    "差别", "性别", "识别", "个别",
];

/// Words that only say how firmly, how much or that something is done: of which the lexicon knows
/// the others.
const LIGHT: [&str; 18] = [
    "always",
    "must",
    "should",
    "every",
    "all",
    "only",
    "use",
    "do",
    "may",
    "please",
    "any",
    "really",
    "both",
    "generally",
    "before",
    "after",
    "afterwards",
    "first",
];

/// The same of words that the lexicon does not know, folded.
const LIGHT_WORDS: [&str; 16] = [
    "jed",
    "jede",
    "jedem",
    "jeden",
    "一律",
    "统一",
    "均",
    "都",
    "须",
    "要",
    "stets",
    "grundsatzlich",
    "반드시",
    "꼭",
    "모두",
    "가급적",
];

/// The same of words without blanks around.
const FIRMLY: [&str; 2] = ["一律", "务必"];

/// What ends a clause.
const ENDS: [char; 14] = [
    ',', ';', ':', '(', ')', '—', '–', '.', '!', '?', '，', '。', '；', '、',
];

/// What a word between two clauses makes of the one before it or behind it.
#[derive(Clone, Copy)]
enum Joint {
    /// The next is denied (`instead of`).
    NextDenied,
    /// The one before is denied (`대신`).
    LastDenied,
    /// The next is denied, and where the one before is denied as well neither is: `never deploy
    /// without tests`.
    NextWithout,
    /// The same of the one before (`테스트 없이 배포하지 않는다`).
    LastWithout,
    /// Only another clause begins; it may deny.
    Apart,
    /// The next word comes later (`before`).
    NextLater,
    /// All of the next clause comes later (`then`).
    ClauseLater,
    /// The word before comes later (`전에`).
    LastLater,
    /// The next word comes earlier (`after`).
    NextEarlier,
    /// The word before comes earlier (`후에`).
    LastEarlier,
}

/// Words between clauses, as they stand in a text in lower case.
const JOINTS: [(&str, Joint); 60] = [
    (" rather than ", Joint::NextDenied),
    (" instead of ", Joint::NextDenied),
    ("instead of ", Joint::NextDenied),
    (" statt ", Joint::NextDenied),
    (" anstatt ", Joint::NextDenied),
    (" anstelle ", Joint::NextDenied),
    ("而不是", Joint::NextDenied),
    (" 대신 ", Joint::LastDenied),
    (" 대신에 ", Joint::LastDenied),
    ("보다 ", Joint::LastDenied),
    ("보다는 ", Joint::LastDenied),
    ("지 말고", Joint::LastDenied),
    (" 말고 ", Joint::LastDenied),
    (" 아니라 ", Joint::LastDenied),
    (" 없이", Joint::LastWithout),
    ("지 않고", Joint::LastWithout),
    (" without ", Joint::NextWithout),
    (" ohne ", Joint::NextWithout),
    (" but ", Joint::Apart),
    (" and never ", Joint::Apart),
    (" and not ", Joint::Apart),
    (" and do not ", Joint::Apart),
    (" or never ", Joint::Apart),
    (" aber ", Joint::Apart),
    (" sondern ", Joint::Apart),
    (" und nie ", Joint::Apart),
    (" und nicht ", Joint::Apart),
    (" und kein", Joint::Apart),
    ("但", Joint::Apart),
    (" before ", Joint::NextLater),
    ("before ", Joint::NextLater),
    (" until ", Joint::NextLater),
    (" bevor ", Joint::NextLater),
    ("bevor ", Joint::NextLater),
    (" vor ", Joint::NextLater),
    ("vor ", Joint::NextLater),
    (" then ", Joint::ClauseLater),
    (" dann ", Joint::ClauseLater),
    ("그다음", Joint::ClauseLater),
    ("然后", Joint::ClauseLater),
    ("，再", Joint::ClauseLater),
    (",再", Joint::ClauseLater),
    (" 전에", Joint::LastLater),
    (" 전 ", Joint::LastLater),
    ("之前", Joint::LastLater),
    ("以前", Joint::LastLater),
    (" after ", Joint::NextEarlier),
    ("after ", Joint::NextEarlier),
    (" nach ", Joint::NextEarlier),
    ("nach ", Joint::NextEarlier),
    (" nachdem ", Joint::NextEarlier),
    (" 후에", Joint::LastEarlier),
    (" 후 ", Joint::LastEarlier),
    (" 뒤에", Joint::LastEarlier),
    (" 다음에", Joint::LastEarlier),
    ("之后", Joint::LastEarlier),
    ("以后", Joint::LastEarlier),
    ("优先于", Joint::NextDenied),
    (" statt", Joint::NextDenied),
    (OVER, Joint::NextDenied),
];

/// Sets one thing before another beside some words only.
const OVER: &str = " over ";

/// Those words.
const PREFERRING: [&str; 4] = ["prefer", "favor", "favour", "choose"];

/// When something is done, beside what else is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Untold,
    Earlier,
    Later,
}

/// A word that tells something.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) word: Word,
    /// Which clause it stands in.
    pub(super) clause: usize,
    pub(super) when: When,
}

/// A statement, read.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// In the order in which they stand.
    pub(super) terms: Vec<Term>,
    /// Of each clause: whether it denies.
    pub(super) denied: Vec<bool>,
    /// What it is written in, where that shows.
    language: Option<Language>,
}

impl Said {
    /// Whether two are in different languages.
    pub(super) fn is_translated(&self, other: &Self) -> bool {
        match (self.language, other.language) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        }
    }

    /// Whether a term is denied.
    pub(super) fn denies(&self, term: &Term) -> bool {
        self.denied.get(term.clause).copied().unwrap_or(false)
    }

    /// How many words a clause has.
    pub(super) fn words_of(&self, clause: usize) -> usize {
        self.terms
            .iter()
            .filter(|term| term.clause == clause)
            .count()
    }
}

/// Reads statements.
#[derive(Debug)]
pub(super) struct Clauses {
    reader: Reader,
    denying: BTreeSet<Concept>,
    light: BTreeSet<Concept>,
    /// The heading that was read last, and whether it denies.
    heading: (Box<str>, bool),
}

impl Clauses {
    pub(super) fn new(lexicon: Lexicon) -> Self {
        Self::with(Reader::new(lexicon))
    }

    /// With a reader that knows words already.
    pub(super) fn with(reader: Reader) -> Self {
        let lexicon = reader.lexicon();
        let of = |words: &[&str]| {
            words
                .iter()
                .flat_map(|word| lexicon.concepts_of(word))
                .collect()
        };
        let (denying, light) = (of(&DENYING), of(&LIGHT));
        Self {
            reader,
            denying,
            light,
            heading: ("".into(), false),
        }
    }

    pub(super) fn lexicon(&self) -> &Lexicon {
        self.reader.lexicon()
    }

    /// What a line says. What stands under a heading that denies (`Don'ts`) is denied.
    pub(super) fn under(&mut self, heading: &str, text: &str) -> Said {
        let mut said = self.read(text);
        if heading != text && self.heading_denies(heading) {
            for denied in &mut said.denied {
                *denied = !*denied;
            }
        }
        said
    }

    fn heading_denies(&mut self, heading: &str) -> bool {
        if *self.heading.0 != *heading {
            let denies = self.read(heading).denied.contains(&true);
            self.heading = (heading.into(), denies);
        }
        self.heading.1
    }

    /// What a statement says.
    pub(super) fn read(&mut self, text: &str) -> Said {
        // Words that only say how firmly, which the words around would be cut wrongly by.
        let text = &*FIRMLY.iter().fold(Cow::Borrowed(text), |text, word| {
            if text.contains(word) {
                text.replace(word, &" ".repeat(word.len())).into()
            } else {
                text
            }
        });
        let cuts = cuts(text);
        let mut said = Said {
            terms: Vec::new(),
            denied: vec![false; cuts.len() + 1],
            language: words::language(text),
        };
        // Clause by clause: a phrase does not go beyond one.
        let mut starts = mark(text);
        for clause in 0..=cuts.len() {
            let end = cuts.get(clause).map_or(text.len(), |cut| cut.from);
            let part = text.get(starts..end).unwrap_or_default();
            for mut word in self.reader.read(part) {
                word.range = word.range.start + starts..word.range.end + starts;
                self.take(word, clause, text, &mut said);
            }
            starts = cuts.get(clause).map_or(end, |cut| cut.starts.max(starts));
        }
        let mut from = 0;
        for (clause, denied) in said.denied.iter_mut().enumerate() {
            let end = cuts.get(clause).map_or(text.len(), |cut| cut.from);
            let part = text.get(from..end).unwrap_or_default();
            *denied |= marks(part);
            from = cuts.get(clause).map_or(end, |cut| cut.starts);
        }
        for (place, cut) in cuts.iter().enumerate() {
            let (last, next) = (place, place + 1);
            match cut.joint {
                None | Some(Joint::Apart) => {}
                Some(Joint::NextDenied) => said.denied[next] = true,
                Some(Joint::LastDenied) => said.denied[last] = true,
                Some(Joint::NextWithout) => {
                    said.denied[next] = !said.denied[last];
                    said.denied[last] = false;
                }
                Some(Joint::LastWithout) => {
                    said.denied[last] = !said.denied[next];
                    said.denied[next] = false;
                }
                Some(Joint::NextLater) => set(said.terms.iter_mut(), next, When::Later, 1),
                Some(Joint::ClauseLater) => set(said.terms.iter_mut(), next, When::Later, 9),
                Some(Joint::NextEarlier) => set(said.terms.iter_mut(), next, When::Earlier, 1),
                Some(Joint::LastLater) => set(said.terms.iter_mut().rev(), last, When::Later, 1),
                Some(Joint::LastEarlier) => {
                    set(said.terms.iter_mut().rev(), last, When::Earlier, 1);
                }
            }
        }
        said
    }

    /// Takes a word for what it is to its clause.
    fn take(&self, word: Word, clause: usize, text: &str, said: &mut Said) {
        let spelled = text.get(word.range.clone()).unwrap_or_default();
        let first = spelled.chars().next().unwrap_or(' ');
        let before = text.get(..word.range.start).unwrap_or_default();
        // Forms that deny are looked for by themselves.
        let mark = words::script(first) == Script::Han && spelled.contains(['不', '别', '勿']);
        // `rem으로만`
        let particle = words::script(first) == Script::Hangul
            && spelled.chars().count() <= 3
            && before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '`');
        if self.denies(&word, spelled) {
            said.denied[clause] = true;
        } else if word.kind != Kind::Function && !self.is_light(&word) && !mark && !particle {
            said.terms.push(Term {
                word,
                clause,
                when: When::Untold,
            });
        }
    }

    fn denies(&self, word: &Word, spelled: &str) -> bool {
        // `세 줄 안으로`: inside.
        let inside = spelled.starts_with('안') && spelled != "안" && !spelled.starts_with("안 ");
        // An answer that is spoken of.
        let answer = spelled.starts_with("아니오") || spelled.starts_with("아니요");
        !inside
            && !answer
            && word
                .concepts
                .iter()
                .any(|concept| self.denying.contains(concept))
    }

    fn is_light(&self, word: &Word) -> bool {
        LIGHT_WORDS.contains(&words::plain(&word.stem).as_ref())
            || word
                .concepts
                .iter()
                .any(|concept| self.light.contains(concept))
    }
}

/// How many bytes the mark of an item takes.
fn mark(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..).unwrap_or_default();
    let numbered = (1..=3).contains(&digits) && rest.starts_with([')', '.']);
    if numbered && rest.get(1..).is_some_and(|rest| rest.starts_with(' ')) {
        digits + 1
    } else {
        0
    }
}

fn set<'a>(terms: impl Iterator<Item = &'a mut Term>, clause: usize, when: When, most: usize) {
    for term in terms.filter(|term| term.clause == clause).take(most) {
        term.when = when;
    }
}

fn marks(part: &str) -> bool {
    static FORMS: LazyLock<Forms> = LazyLock::new(|| Forms::of(MARKS));
    let found = |part: &str| FORMS.stand_in(part);
    if !found(part) {
        return false;
    }
    let plain = NO_MARKS
        .iter()
        .fold(part.to_owned(), |part, word| part.replace(word, ""));
    found(&plain)
}

/// Where a clause begins, and what joins it to the one before.
struct Cut {
    /// Where the word that joins them begins.
    from: usize,
    starts: usize,
    joint: Option<Joint>,
}

fn cuts(text: &str) -> Vec<Cut> {
    static FORMS: LazyLock<Forms> = LazyLock::new(|| Forms::of(JOINTS.map(|(word, _)| word)));
    let lower = text.to_lowercase();
    // Few letters change their length.
    let lower = if lower.len() == text.len() {
        lower.as_str()
    } else {
        text
    };
    let mut cuts: Vec<Cut> = lower
        .char_indices()
        .filter(|(at, c)| {
            // `DD.MM.YYYY`, `7:30` and `1,5` are one.
            let next = lower.get(at + 1..).and_then(|rest| rest.chars().next());
            ENDS.contains(c) && !(matches!(c, '.' | ',' | ':') && next.is_some_and(joined))
        })
        .map(|(at, c)| Cut {
            from: at,
            starts: at + c.len_utf8(),
            joint: None,
        })
        .collect();
    let prefers = || PREFERRING.iter().any(|word| lower.contains(word));
    for (form, at) in FORMS.places(lower) {
        let (word, joint) = JOINTS[form];
        // A word that stands at the beginning, not the end of another.
        if !word.starts_with(' ') && word.is_ascii() && lower[..at].ends_with(char::is_alphanumeric)
        {
            continue;
        }
        if word == OVER && !prefers() {
            continue;
        }
        // Of `without` and the like the word itself belongs to what follows.
        let inside = word.ends_with(' ') || word == " und kein";
        let starts = match joint {
            Joint::Apart if inside => at + 1,
            _ => at + word.trim_end().len(),
        };
        // `묻지 않고`: the ending belongs to the verb before.
        let ending = if word.starts_with('지') {
            "지".len()
        } else {
            0
        };
        cuts.push(Cut {
            from: (at + ending).min(starts),
            starts,
            joint: Some(joint),
        });
    }
    cuts.sort_by_key(|cut| (cut.starts, cut.joint.is_none()));
    // `, then`: a clause without words between two.
    let mut out: Vec<Cut> = Vec::new();
    for cut in cuts {
        match out.last_mut() {
            Some(last) if last.starts == cut.starts => {
                last.joint = last.joint.or(cut.joint);
                last.from = last.from.min(cut.from);
            }
            Some(last)
                if last.joint.is_none()
                    && text.get(last.starts..cut.starts).is_some_and(joins_only) =>
            {
                *last = cut;
            }
            _ => out.push(cut),
        }
    }
    out
}

/// A letter or digit of a word that a mark stands in.
fn joined(next: char) -> bool {
    next.is_ascii_alphanumeric()
}

/// Whether there is nothing between two cuts but the word that joins.
fn joins_only(between: &str) -> bool {
    let between = between.trim().to_lowercase();
    JOINTS.iter().any(|(word, joint)| {
        word.trim() == between
            && !matches!(
                joint,
                Joint::LastDenied | Joint::LastWithout | Joint::LastLater | Joint::LastEarlier
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clauses with their words, those that deny with a `-`.
    fn of(text: &str) -> Vec<String> {
        let said = Clauses::new(Lexicon::builtin()).read(text);
        (0..said.denied.len())
            .map(|clause| {
                let words: Vec<&str> = said
                    .terms
                    .iter()
                    .filter(|term| term.clause == clause)
                    .filter_map(|term| text.get(term.word.range.clone()))
                    .collect();
                let sign = if said.denied[clause] { "-" } else { "" };
                format!("{sign}{}", words.join(" "))
            })
            .filter(|clause| !clause.trim_matches('-').is_empty())
            .collect()
    }

    #[test]
    fn clauses_say_what_they_deny() {
        for (text, clauses) in [
            ("Use pnpm, never npm.", vec!["pnpm", "-npm"]),
            ("Prefer rebase over merge.", vec!["Prefer rebase", "-merge"]),
            ("Use pnpm instead of npm", vec!["pnpm", "-npm"]),
            ("npm은 쓰지 않는다", vec!["-npm"]),
            ("npm 대신 pnpm을 쓴다", vec!["-npm", "pnpm"]),
            ("不要写英文摘要", vec!["-写 英文 摘要"]),
            ("Deploy without tests", vec!["Deploy", "-tests"]),
            ("Never deploy without tests", vec!["deploy", "tests"]),
            ("테스트 없이 배포하지 않는다", vec!["테스트", "배포"]),
            ("요약은 세 줄 안으로", vec!["요약 세 줄"]),
        ] {
            let found = of(text);
            let shown: Vec<&str> = found.iter().map(String::as_str).collect();
            assert_eq!(
                shown.iter().map(|c| c.starts_with('-')).collect::<Vec<_>>(),
                clauses
                    .iter()
                    .map(|c| c.starts_with('-'))
                    .collect::<Vec<_>>(),
                "{text}: {found:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC| before | without | 대신 |，再|then ){0,40}") {
            let said = Clauses::new(Lexicon::builtin()).read(&text);
            for term in &said.terms {
                proptest::prop_assert!(term.clause < said.denied.len());
            }
        }
    }
}
