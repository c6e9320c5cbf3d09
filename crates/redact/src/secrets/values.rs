//! Which values are secrets, and which only stand for one.

use super::chars::plausible;
use super::names::Sense;

/// Words that stand where a value could stand. Lower case.
const PLAIN_WORDS: &[&str] = &[
    "and",
    "or",
    "to",
    "for",
    "with",
    "in",
    "as",
    "from",
    "on",
    "by",
    "option",
    "flag",
    "und",
    "oder",
    "abstract",
    "active",
    "admin-password",
    "any",
    "api-key",
    "api_key",
    "apikey",
    "array",
    "async",
    "auth",
    "authentication",
    "authorization",
    "await",
    "base64",
    "basic",
    "bearer",
    "blank",
    "bool",
    "boolean",
    "buffer",
    "bytes",
    "bytestring",
    "changed",
    "changeit",
    "changeme",
    "char",
    "checked",
    "class",
    "const",
    "correct",
    "credentials",
    "default",
    "disabled",
    "dummy",
    "email",
    "empty",
    "enabled",
    "encrypted",
    "env",
    "error",
    "example",
    "expired",
    "export",
    "fail",
    "failed",
    "false",
    "field",
    "file",
    "fixme",
    "float",
    "focus",
    "function",
    "generated",
    "hash",
    "hashed",
    "header",
    "hidden",
    "hover",
    "id",
    "ignored",
    "import",
    "incorrect",
    "input",
    "int",
    "integer",
    "invalid",
    "is",
    "key",
    "keychain",
    "keyring",
    "let",
    "list",
    "long",
    "masked",
    "method",
    "missing",
    "my-password",
    "my-secret",
    "my-token",
    "my_password",
    "my_secret",
    "my_token",
    "n/a",
    "name",
    "new",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "number",
    "object",
    "off",
    "ok",
    "on",
    "optional",
    "param",
    "pass",
    "passed",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "placeholder",
    "plain",
    "plaintext",
    "private",
    "private_key",
    "prompt",
    "protected",
    "public",
    "pwd",
    "query",
    "readonly",
    "redacted",
    "ref",
    "removed",
    "required",
    "reset",
    "return",
    "sample",
    "secret",
    "secrets",
    "see",
    "self",
    "set",
    "static",
    "str",
    "string",
    "struct",
    "tbd",
    "test",
    "text",
    "the",
    "this",
    "todo",
    "token",
    "true",
    "type",
    "undefined",
    "unknown",
    "unset",
    "user",
    "user-password",
    "username",
    "valid",
    "value",
    "varchar",
    "vault",
    "void",
    "weak",
    "wrong",
    "yes",
    "kennwort",
    "erforderlich",
    "siehe",
    "leer",
    "keine",
    "keins",
    "kein",
    "unbekannt",
    "geheim",
    "versteckt",
    "stack",
    "symbol",
    "usize",
    "u8",
    "u32",
    "u64",
];

/// Beginnings of texts that a person is meant to replace.
const FILL_IN: &[&str] = &[
    "your",
    "<your",
    "%3c",
    "%24",
    "%7b",
    "enter",
    "insert",
    "replace",
    "put-",
    "put_",
    "add-your",
    "add_your",
    "paste",
    "change-me",
    "change_me",
    "change-this",
    "change_this",
    "placeholder",
    "dummy-",
    "dummy_",
    "example-",
    "example_",
    "todo",
    "tbd",
    "fixme",
    "redacted",
    "some-",
    "some_",
];

/// Beginnings of expressions and addresses of a secret that is kept elsewhere.
const ELSEWHERE: &[&str] = &[
    "process.env",
    "os.environ",
    "os.getenv",
    "env.",
    "env:",
    "env(",
    "$env:",
    "getenv",
    "import.meta",
    "deno.env",
    "std::env",
    "env!",
    "vault:",
    "op://",
    "secret://",
    "secrets.",
    "ref:",
    "ref+",
    "arn:aws",
    "ssm:",
    "file:",
    "enc[",
    "enc(",
    "!vault",
    "!ref",
    "!sub",
    "!secret",
    "!getatt",
    "gcp-secret",
    "keyring:",
    "config.",
    "settings.",
    "args.",
    "self.",
    "this.",
    "props.",
    "req.",
    "request.",
    "data.",
    "var.",
    "local.",
    "module.",
    "http://",
    "https://",
    "[redacted",
    "[private]",
];

fn starts(value: &[u8], word: &str) -> bool {
    value
        .get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}

/// A reference to a value that stands elsewhere: a variable, a template, an expression, `<…>`.
pub(super) fn is_reference(value: &[u8]) -> bool {
    let bracketed = match (value.first(), value.get(1), value.last()) {
        (Some(b'<'), _, Some(b'>'))
        | (Some(b'{'), _, Some(b'}'))
        | (Some(b'['), _, Some(b']'))
        | (Some(b'{'), Some(b'{' | b'%'), _)
        | (Some(b'<'), Some(b'%' | b'?'), _) => true,
        // `$NAME`, `${NAME}`, `$(command)`, `$2y$…` is a hash.
        (Some(b'$'), Some(next), _) => {
            matches!(next, b'{' | b'(' | b'[' | b'_' | b'$') || is_name_rest(value)
        }
        (Some(b'%'), Some(next), last) => {
            value.len() == 2 && next.is_ascii_alphabetic() || last == Some(&b'%') || *next == b'('
        }
        (Some(b':'), Some(next), _) => next.is_ascii_alphabetic() && is_name_rest(value),
        _ => false,
    };
    bracketed || ELSEWHERE.iter().any(|word| starts(value, word))
}

/// Whether all but the first character is an identifier.
fn is_name_rest(value: &[u8]) -> bool {
    value
        .get(1..)
        .is_some_and(|rest| is_identifier(rest.strip_suffix(b".").unwrap_or(rest)))
}

/// `xxxx`, `****`, `...`, and values that were masked or shortened already.
pub(super) fn is_mask(value: &[u8]) -> bool {
    let Some(first) = value.first() else {
        return true;
    };
    let filler = |b: &u8| matches!(*b, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?');
    if value.iter().all(filler) && (value.len() >= 3 || *first == b'*') {
        return true;
    }
    let holds = |what: &str| memchr::memmem::find(value, what.as_bytes()).is_some();
    holds("***")
        || holds("•")
        || holds("●")
        || value.ends_with(b"...")
        || value.ends_with("…".as_bytes())
        || starts(value, "xxxx")
        || starts(value, "[REDACTED")
        || starts(value, "[PRIVATE]")
}

/// Whether the value only stands for one.
pub(super) fn stands_for_one(value: &[u8]) -> bool {
    is_placeholder(value)
}

fn is_placeholder(value: &[u8]) -> bool {
    if is_mask(value) || is_reference(value) {
        return true;
    }
    if FILL_IN.iter().any(|word| starts(value, word)) {
        return true;
    }
    let lower_ends = |word: &str| {
        value.len() >= word.len()
            && value
                .get(value.len() - word.len()..)
                .is_some_and(|tail| tail.eq_ignore_ascii_case(word.as_bytes()))
    };
    is_plain_word(value) || lower_ends("-here") || lower_ends("_here") || lower_ends("goes here")
}

fn is_plain_word(value: &[u8]) -> bool {
    value.len() <= 16
        && PLAIN_WORDS
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

fn is_identifier(value: &[u8]) -> bool {
    value
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && value
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// `a.b`, `a.b.c`: a field of something.
fn is_field(value: &[u8]) -> bool {
    value.contains(&b'.')
        && value.split(|b| *b == b'.').all(is_identifier)
        && value
            .rsplit(|b| *b == b'.')
            .next()
            .is_some_and(|last| !last.iter().any(u8::is_ascii_digit))
}

/// Small words with separators between them.
fn is_wordy(value: &[u8]) -> bool {
    value
        .iter()
        .all(|b| b.is_ascii_lowercase() || b"-_./: ".contains(b))
        && value.iter().any(|b| b"-_./: ".contains(b))
}

fn is_path(value: &[u8]) -> bool {
    if starts(value, "./") || starts(value, "../") || starts(value, "~/") {
        return true;
    }
    let windows = value.get(1..3) == Some(b":\\");
    windows
        || value.first() == Some(&b'/')
            && value.get(1..).is_some_and(|rest| {
                rest.iter()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_./{}:*".contains(b))
                    && (!rest.iter().any(u8::is_ascii_uppercase) || starts(value, "/Users/"))
            })
}

/// Holds a word that names a secret, as variables do.
fn names_a_secret(value: &[u8]) -> bool {
    ["pass", "secret", "token", "key", "pwd", "cred", "hash"]
        .iter()
        .any(|word| {
            value
                .windows(word.len())
                .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
        })
}

/// How many characters of which sort.
struct Mix {
    digits: usize,
    letters: usize,
    upper: bool,
    lower: bool,
    signs: usize,
    wide: bool,
}

fn mix(value: &[u8]) -> Mix {
    let mut mix = Mix {
        digits: 0,
        letters: 0,
        upper: false,
        lower: false,
        signs: 0,
        wide: false,
    };
    for byte in value {
        match byte {
            b'0'..=b'9' => mix.digits += 1,
            b'a'..=b'z' => {
                mix.lower = true;
                mix.letters += 1;
            }
            b'A'..=b'Z' => {
                mix.upper = true;
                mix.letters += 1;
            }
            b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'~' | b'?' => {
                mix.signs += 1;
            }
            128.. => mix.wide = true,
            _ => {}
        }
    }
    mix
}

/// Whether a value between quotes is a secret.
pub(super) fn quoted(value: &[u8], sense: Sense) -> bool {
    if value.is_empty() || is_placeholder(value) || is_path(value) {
        return false;
    }
    let mix = mix(value);
    let blank = value.iter().any(u8::is_ascii_whitespace);
    if mix.wide && (mix.digits + mix.letters == 0 || blank) {
        // A label or a message.
        return false;
    }
    match sense {
        Sense::Password if blank => {
            // A passphrase; not a label ("Enter your password") and not a message.
            !mix.upper
                && !names_a_secret(value)
                && mix.letters + mix.digits > 0
                && !value.ends_with(b".")
                && !value.ends_with(b":")
        }
        Sense::Password => !(is_field(value) && names_a_secret(value)),
        Sense::Token | Sense::Loose | Sense::Weak | Sense::Authorization if blank => false,
        Sense::Loose => strong(value, &mix, 6) && !is_field(value),
        Sense::Token => {
            if is_wordy(value) || is_field(value) {
                return false;
            }
            if mix.letters == 0 {
                return mix.digits >= 6;
            }
            (mix.digits > 0 && value.len() >= 6) || value.len() >= 12
        }
        Sense::Weak | Sense::Authorization => random(value, &mix),
    }
}

fn random(value: &[u8], mix: &Mix) -> bool {
    value.len() >= 12 && mix.digits > 0 && mix.letters > 0 && plausible(value) && !is_field(value)
}

/// Where a value without quotes stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// Certainly a literal: an environment line, a flag, a query, a connection string.
    Literal,
    /// Alone behind its name on a line: a configuration file, or code.
    OwnLine {
        /// `;` or `,` follows, as in code.
        finished: bool,
    },
    /// In the middle of something: prose or code.
    Inside,
}

/// Whether a literal in a call or a list is a secret: no name, no field, no plain word.
pub(super) fn literal(value: &[u8]) -> bool {
    !value.iter().any(u8::is_ascii_whitespace)
        && !names_a_secret(value)
        && bare(value, Sense::Loose, Setting::Inside)
}

/// Whether a value without quotes is a secret.
pub(super) fn bare(value: &[u8], sense: Sense, setting: Setting) -> bool {
    if value.is_empty() || is_placeholder(value) || is_path(value) {
        return false;
    }
    let mix = mix(value);
    if mix.letters + mix.digits == 0 {
        return false;
    }
    let code = value.contains(&b'(')
        || value.windows(2).any(|pair| pair == b"::" || pair == b"->")
        || matches!(
            value.first(),
            Some(b'&' | b'*' | b'[' | b'{' | b'<' | b'|' | b'@')
        );
    if code && setting != Setting::Literal {
        return false;
    }
    if value.contains(&b'(')
        && value.first().is_some_and(u8::is_ascii_alphabetic)
        && value.ends_with(b")")
    {
        return false;
    }
    let named_number = mix.wide && mix.digits >= 3 && ends_in_number(value);
    match setting {
        Setting::Literal => match sense {
            Sense::Password => true,
            Sense::Loose => strong(value, &mix, 6),
            Sense::Token => {
                if mix.letters == 0 {
                    mix.digits >= 6
                } else {
                    value.len() >= 6 && !is_field_reference(value)
                }
            }
            Sense::Weak | Sense::Authorization => random(value, &mix),
        },
        Setting::OwnLine { finished } => {
            if is_field(value) {
                return false;
            }
            if mix.letters == 0 {
                return match sense {
                    Sense::Password => mix.digits >= 4 || named_number,
                    Sense::Token => mix.digits >= 8,
                    _ => false,
                };
            }
            let identifier = is_identifier(value) && mix.digits == 0;
            let humps = value.windows(2).any(
                |pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()),
            );
            match sense {
                _ if identifier && is_tangled(value) => true,
                Sense::Password => {
                    !(identifier
                        && (finished || humps || value.contains(&b'_') || names_a_secret(value)))
                }
                Sense::Loose => strong(value, &mix, 6),
                Sense::Token => strong(value, &mix, 6) && !(identifier && humps),
                Sense::Weak | Sense::Authorization => random(value, &mix),
            }
        }
        Setting::Inside => {
            if is_field(value) {
                return false;
            }
            match sense {
                Sense::Password => strong(value, &mix, 6) || named_number,
                Sense::Loose => strong(value, &mix, 6),
                Sense::Token => strong(value, &mix, 8),
                Sense::Weak | Sense::Authorization => random(value, &mix),
            }
        }
    }
}

/// `내비번1234`: a word with a number behind it; not a date or a count (`2026년에`, `8자리`).
fn ends_in_number(value: &[u8]) -> bool {
    value.last().is_some_and(u8::is_ascii_digit) && !value.first().is_some_and(u8::is_ascii_digit)
}

/// `response.token`
fn is_field_reference(value: &[u8]) -> bool {
    is_field(value) && names_a_secret(value)
}

/// Letters and digits, or letters and signs, and not a measure (`42px`).
fn strong(value: &[u8], mix: &Mix, least: usize) -> bool {
    if value.len() < least || mix.letters == 0 {
        return false;
    }
    let measure =
        value.first().is_some_and(u8::is_ascii_digit) && mix.letters <= 2 && value.len() < 8;
    (mix.digits > 0 && !measure) || (mix.signs > 0 && !value.starts_with(b"@")) || is_tangled(value)
}

/// `kJhGfDsaQwErTyUi`: letters in a case that no name has. The humps of a name are words; here they
/// are one or two letters long, or have no vowel for five letters.
fn is_tangled(value: &[u8]) -> bool {
    let inner = value.get(1..).unwrap_or_default();
    if value.len() < 8
        || !value.iter().all(u8::is_ascii_alphabetic)
        || !inner.iter().any(u8::is_ascii_uppercase)
        || !value.iter().any(u8::is_ascii_lowercase)
    {
        return false;
    }
    let humps = || value.chunk_by(|a, b| !(a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let short = humps().filter(|hump| hump.len() <= 2).count();
    let mute = humps().any(|hump| {
        let vowel = |b: &u8| b"aeiouyAEIOUY".contains(b);
        // An acronym has none either.
        hump.split(vowel)
            .any(|run| run.iter().filter(|b| b.is_ascii_lowercase()).count() >= 5)
    });
    mute || (short >= 2 && short * 4 >= humps().count())
}
