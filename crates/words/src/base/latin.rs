//! Light stems of English and German words, by one set of rules: a text mixes both, and a word
//! rarely says which it is.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// English words whose end looks like a German or English ending, sorted.
const WHOLE: &[&str] = &[
    "across",
    "alles",
    "always",
    "analysis",
    "anything",
    "aws",
    "axis",
    "basis",
    "bereits",
    "between",
    "bonus",
    "bring",
    "broken",
    "bus",
    "chicken",
    "children",
    "css",
    "daten",
    "dieses",
    "dns",
    "during",
    "eleven",
    "embed",
    "even",
    "everything",
    "exceed",
    "feed",
    "focus",
    "garden",
    "gas",
    "gegen",
    "given",
    "golden",
    "happen",
    "has",
    "hidden",
    "his",
    "https",
    "hundred",
    "indeed",
    "is",
    "its",
    "jedes",
    "js",
    "king",
    "kitchen",
    "listen",
    "neben",
    "need",
    "news",
    "nichts",
    "nothing",
    "often",
    "open",
    "plus",
    "proceed",
    "redis",
    "ring",
    "screen",
    "seed",
    "series",
    "seven",
    "sms",
    "something",
    "species",
    "speed",
    "spring",
    "status",
    "string",
    "then",
    "thing",
    "this",
    "tls",
    "token",
    "us",
    "virus",
    "was",
    "wegen",
    "when",
    "women",
    "written",
    "yes",
];

/// Plurals of Latin and Greek form, and their stems.
const LEARNED: &[(&str, &str)] = &[
    ("appendices", "appendix"),
    ("criteria", "criterion"),
    ("indices", "index"),
    ("indizes", "index"),
    ("matrices", "matrix"),
    ("matrizen", "matrix"),
    ("phenomena", "phenomenon"),
    ("schemata", "schema"),
    ("vertices", "vertex"),
];

/// The stem of a folded word: diacritics, plurals, tenses and cases off.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 4
        || WHOLE.binary_search(&word).is_ok()
        || !word.bytes().all(|b| b >= 0x80 || b.is_ascii_lowercase())
    {
        return plain(word);
    }
    if let Some((_, stem)) = LEARNED.iter().find(|(plural, _)| *plural == word) {
        return Cow::Borrowed(stem);
    }
    let mut stem = plain(word).into_owned();
    inflection(&mut stem);
    Cow::Owned(stem)
}

/// The coarser stem: suffixes that make another kind of word off as well.
pub(crate) fn root_of_stem(stem: String) -> String {
    const SUFFIXES: &[&str] = &[
        "isierung", "ization", "isation", "ierung", "ication", "ation", "ition", "ment", "ness",
        "ility", "ity", "able", "abl", "ible", "ibl", "ance", "anc", "ence", "enc", "ung", "heit",
        "keit", "lich", "isch", "ieren", "ier", "iert", "sion", "tion", "ion", "ive", "iv", "ally",
        "ly", "al", "ful", "less", "iz", "is", "er", "or", "at", "bar", "sam",
    ];
    let mut root = stem;
    if !root.bytes().all(|b| b.is_ascii_lowercase()) {
        return root;
    }
    for _ in 0..2 {
        // `langsam` is not `lang`.
        if ["gemeinsam", "langsam", "seltsam"].contains(&root.as_str()) {
            break;
        }
        let Some(suffix) = SUFFIXES
            .iter()
            .filter(|suffix| root.ends_with(**suffix) && root.len() >= suffix.len() + 4)
            .max_by_key(|suffix| suffix.len())
        else {
            break;
        };
        root.truncate(root.len() - suffix.len());
    }
    undouble(&mut root);
    if root.ends_with('y') && root.len() > 3 {
        root.pop();
        root.push('i');
    }
    root
}

/// What the words of one family begin with: `manage` and `manag`, `decide` and `decision`, `fail` and
/// `failure`, `protect` and `protection` share it.
pub(crate) fn family(root: &str) -> &str {
    if !root.bytes().all(|b| b.is_ascii_lowercase()) {
        return root;
    }
    let root = ["ure", "ur"]
        .iter()
        .find_map(|end| root.strip_suffix(end).filter(|rest| rest.len() >= 4))
        .unwrap_or(root);
    let root = root
        .strip_suffix('e')
        .filter(|rest| rest.len() >= 4)
        .unwrap_or(root);
    root.strip_suffix('t')
        .filter(|rest| rest.len() >= 5)
        .unwrap_or(root)
}

/// Base letters instead of those with diacritics; letters that have none stand for what they are
/// written for where they are missing (`ø` as `o`, `ł` as `l`).
pub fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'à'..='å' => out.push('a'),
            'æ' => out.push_str("ae"),
            'ç' => out.push('c'),
            'è'..='ë' => out.push('e'),
            'ì'..='ï' | 'ı' => out.push('i'),
            'ñ' => out.push('n'),
            'ò'..='ö' | 'ø' => out.push('o'),
            'œ' => out.push_str("oe"),
            'ù'..='ü' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ð' | 'đ' => out.push('d'),
            'ħ' => out.push('h'),
            'ł' => out.push('l'),
            'ſ' => out.push('s'),
            'ŧ' => out.push('t'),
            'þ' => out.push_str("th"),
            '\u{300}'..='\u{36f}' => {}
            '\u{100}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                out.extend(std::iter::once(c).nfd().filter(|c| !is_mark(*c)));
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Prefixes that stand apart from a German verb, and before the `ge` and `zu` of its forms.
const APART: &[&str] = &[
    "ab", "an", "auf", "aus", "bei", "durch", "ein", "fest", "fort", "frei", "her", "hin", "los",
    "mit", "nach", "nieder", "um", "unter", "vor", "weg", "weiter", "wieder", "zu", "zurück",
    "zusammen", "über",
];

/// What a word may be a form of that its stem does not tell: the infinitives of German `liefert`,
/// `kostete`, `gespielt`, `ausgewählt` and `abzuholen`, the singular of `Ergebnisse`, the man of
/// `Schülerinnen`, the positives of `schnellste` and `largest`; the likelier first. Most of them are no words.
pub(crate) fn dictionary_forms(word: &str) -> Vec<String> {
    let mut out = Vec::new();
    if !word.chars().all(char::is_lowercase) {
        return out;
    }
    let base =
        |text: &str| text.len() >= 3 && text.bytes().any(|b| b"aeiouy".contains(&b) || b >= 0x80);
    for before in [""].iter().chain(APART) {
        let Some(rest) = word.strip_prefix(before) else {
            continue;
        };
        if !before.is_empty()
            && let Some(verb) = rest.strip_prefix("zu").filter(|verb| verb.ends_with('n'))
            && base(verb)
        {
            out.push(format!("{before}{verb}"));
        }
        if let Some(form) = rest.strip_prefix("ge") {
            if let Some(verb) = form.strip_suffix('t').filter(|verb| base(verb)) {
                let verb = verb
                    .strip_suffix('e')
                    .filter(|_| hard(verb))
                    .unwrap_or(verb);
                out.extend(infinitive(before, verb));
            } else if form.ends_with("en") && base(form) {
                out.push(format!("{before}{form}"));
            }
        }
    }
    // `arbeitet`, `öffnete`: an `e` stands where the ending could not be said.
    for ending in [
        "etest", "eten", "ete", "est", "et", "test", "ten", "te", "st", "t",
    ] {
        let Some(verb) = word.strip_suffix(ending).filter(|verb| base(verb)) else {
            continue;
        };
        if ending.starts_with('e') == hard(&format!("{verb}e")) {
            out.extend(infinitive("", verb));
            if let Some(verb) = with_e(verb).filter(|_| matches!(ending, "t" | "st")) {
                out.push(format!("{verb}en"));
            }
        }
    }
    if let Some(rest) = ["nisse", "nissen"]
        .iter()
        .find_map(|end| word.strip_suffix(end))
    {
        out.push(format!("{rest}nis"));
    }
    out.extend(
        ["innen", "in"]
            .iter()
            .filter_map(|end| word.strip_suffix(end))
            .filter(|rest| rest.len() >= 4)
            .map(str::to_owned),
    );
    for ending in ["esten", "este", "est", "sten", "ste"] {
        if let Some(positive) = word.strip_suffix(ending).filter(|rest| base(rest)) {
            out.extend([positive.to_owned(), format!("{positive}e")]);
        }
    }
    out
}

/// The German verbs that a form and a particle behind it may be (`fällt … aus`: `ausfallen`, spelled
/// with the form's umlaut). Most of them are no words.
pub fn separable(word: &str, particle: &str) -> Vec<String> {
    if !APART.contains(&particle) {
        return Vec::new();
    }
    let itself = std::iter::once(word.to_owned());
    itself
        .chain(dictionary_forms(word))
        .filter(|verb| verb.ends_with('n'))
        .map(|verb| format!("{particle}{verb}"))
        .collect()
}

/// What stands before the endings of a German verb (`spiel`), from its infinitive; `None` for what
/// cannot be one, or is too short to tell.
pub fn verb_base(infinitive: &str) -> Option<&str> {
    let base = infinitive.strip_suffix("en").or_else(|| {
        infinitive
            .strip_suffix('n')
            .filter(|base| base.ends_with("er") || base.ends_with("el"))
    })?;
    (base.len() >= 4).then_some(base)
}

/// Whether a word is a finite form of the German verb with this base (`spielte`).
pub fn is_of_verb(word: &str, base: &str) -> bool {
    const ENDINGS: &[&str] = &["t", "te", "ten", "et", "ete", "eten"];
    word.strip_prefix(base)
        .is_some_and(|ending| ENDINGS.contains(&ending))
}

/// What the German infinitive of a verb's stem may be: `spielen`, `liefern`.
fn infinitive(before: &str, stem: &str) -> impl Iterator<Item = String> {
    let short = stem.ends_with("er") || stem.ends_with("el");
    let forms = [Some("en"), short.then_some("n")].into_iter().flatten();
    forms.map(move |ending| format!("{before}{stem}{ending}"))
}

/// Whether a German verb's stem, with an `e` after it, needs that before a `t`.
fn hard(stem: &str) -> bool {
    let mut letters = stem.strip_suffix('e').unwrap_or_default().chars().rev();
    match [letters.next(), letters.next(), letters.next()] {
        [Some('t' | 'd'), ..] => true,
        [Some('n' | 'm'), Some('h'), before] => before == Some('c'),
        [Some('n' | 'm'), Some(before), _] => !"aeiouäöülrnm".contains(before),
        _ => false,
    }
}

/// `sprich`, `sieh`: the infinitive has an `e`.
fn with_e(stem: &str) -> Option<String> {
    let at = stem.rfind('i')?;
    let rest = stem[at + 1..].strip_prefix('e').unwrap_or(&stem[at + 1..]);
    let alone = !rest.bytes().any(|b| b"aeiouy".contains(&b));
    alone.then(|| format!("{}e{rest}", &stem[..at]))
}

fn inflection(word: &mut String) {
    let vowel = |text: &str| text.bytes().any(|b| b"aeiouy".contains(&b));
    if word.ends_with("ies") && word.len() > 4 {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if ["sses", "shes", "ches", "xes", "zes"]
        .iter()
        .any(|end| word.ends_with(end))
    {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
    {
        word.pop();
    }
    for (end, stay) in [("ingly", 4), ("edly", 4), ("ing", 3), ("ied", 3), ("ed", 3)] {
        if let Some(rest) = word.strip_suffix(end)
            && rest.len() >= stay
            && vowel(rest)
        {
            let length = rest.len();
            word.truncate(length);
            if end == "ied" {
                word.push('y');
            }
            undouble(word);
            break;
        }
    }
    for (end, stay) in [
        ("ungen", 4),
        ("innen", 4),
        ("ern", 4),
        ("eln", 3),
        ("nen", 4),
        ("en", 4),
        ("es", 4),
        ("e", 3),
    ] {
        if let Some(rest) = word.strip_suffix(end)
            && rest.len() >= stay
            && vowel(rest)
        {
            let length = match end {
                "ungen" | "nen" => word.len() - 2,
                "ern" | "eln" => word.len() - 1,
                "innen" => word.len() - 3,
                _ => rest.len(),
            };
            word.truncate(length);
            break;
        }
    }
}

/// `stopp` is `stop`; `ss`, `ll` and `zz` belong to the word (`pass`, `install`).
fn undouble(word: &mut String) {
    let bytes = word.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && b"bdgmnprt".contains(b)
        && bytes.len() > 3
    {
        word.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::WHOLE;

    #[test]
    fn the_table_is_sorted() {
        assert!(WHOLE.is_sorted());
    }
}
