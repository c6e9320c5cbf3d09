//! What a name, a description, a file name and a body may hold.

use super::{Refusal, Warning};
use crate::edit::{self, Edit};
use crate::entry::Kind;
use crate::index;
use mnemo_home::text::steers;
use redact::Policy;
use unicode_normalization::UnicodeNormalization;

/// Longest description, characters: every start loads it.
const DESCRIPTION: usize = 200;
/// Longest name, characters.
const NAME: usize = 120;
/// Longest slug of a file name, bytes.
const SLUG: usize = 80;
/// Longest file name, bytes: what every file system takes.
const FILE: usize = 200;

/// What is let through on request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allow {
    /// What looks like a secret.
    pub sensitive: bool,
    /// What is covered already.
    pub force: bool,
}

/// A description that keeps its line in MEMORY.md whole.
pub fn description(text: &str) -> Result<String, Refusal> {
    let unfit = |why: &str| Refusal::Unfit {
        what: "description",
        why: why.to_owned(),
    };
    let text = one_line("description", text, DESCRIPTION)?;
    if text.contains("](") || text.contains("[[") {
        return Err(unfit(
            "holds a link, which MEMORY.md would take for the entry's; say it in words",
        ));
    }
    if text.contains("<!--") || text.contains("-->") {
        return Err(unfit(
            "holds a comment mark, which would hide text of MEMORY.md; leave it out",
        ));
    }
    if text.matches('`').count() % 2 == 1 {
        return Err(unfit(
            "holds a backtick without its partner, which would swallow what follows; close it",
        ));
    }
    if ends_like_suffix(&text) {
        return Err(unfit(
            "ends like a token count (~280tk), which is added by itself; leave it out",
        ));
    }
    if text.starts_with(['-', '–', '—', ':']) {
        return Err(unfit(
            "begins with a dash or colon, which is set before it by itself; leave it out",
        ));
    }
    Ok(text)
}

fn ends_like_suffix(text: &str) -> bool {
    let Some(number) = text
        .trim_end_matches(['`', ' '])
        .strip_suffix("tk")
        .map(|rest| rest.trim_end_matches(' '))
    else {
        return false;
    };
    let before = number.trim_end_matches(|c: char| c.is_ascii_digit());
    before.len() < number.len() && before.ends_with('~')
}

/// A name for the frontmatter.
pub(super) fn name(text: &str) -> Result<String, Refusal> {
    one_line("name", text, NAME)
}

/// A heading's words.
pub(super) fn section(text: &str) -> Result<String, Refusal> {
    let text = one_line("section", text, NAME)?;
    let words = text.trim_start_matches('#').trim();
    if words.is_empty() || words.contains(['[', '<', '`']) {
        return Err(Refusal::Unfit {
            what: "section",
            why: "needs plain words".to_owned(),
        });
    }
    Ok(words.to_owned())
}

/// Trimmed, not empty, one line without what steers a terminal, not too long.
fn one_line(what: &'static str, text: &str, longest: usize) -> Result<String, Refusal> {
    let text = text.trim();
    let unfit = |why: String| Refusal::Unfit { what, why };
    if text.is_empty() {
        return Err(unfit("is empty".to_owned()));
    }
    if text.contains(['\n', '\r']) {
        return Err(unfit(
            "has more than one line; one line, the rest belongs into the body".to_owned(),
        ));
    }
    if text.contains(steers) || text.contains(['\t', '\u{2028}', '\u{2029}', '\u{feff}']) {
        return Err(unfit("holds control characters; take them out".to_owned()));
    }
    let length = text.chars().count();
    if length > longest {
        return Err(unfit(format!(
            "has {length} characters; at most {longest}, the rest belongs into the body"
        )));
    }
    Ok(text.to_owned())
}

/// The name of an entry's file: never a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(String);

impl FileName {
    /// As a person gives it; `.md` is added when it is missing.
    pub fn named(text: &str) -> Result<Self, Refusal> {
        let unfit = |why: &str| Refusal::Unfit {
            what: "file name",
            why: why.to_owned(),
        };
        let text = one_line("file name", text, FILE)?;
        let is_md = text.len() > 3
            && text.is_char_boundary(text.len() - 3)
            && text[text.len() - 3..].eq_ignore_ascii_case(".md");
        let text: String = if is_md {
            text[..text.len() - 3].to_owned()
        } else {
            text
        }
        .nfc()
        .collect();
        if text.contains([
            '/', '\\', ':', '*', '?', '"', '<', '>', '|', '(', ')', '[', ']', '`', '#', '%',
        ]) {
            return Err(unfit(
                "must be a plain name: no path, none of : * ? \" < > | ( ) [ ] ` # %",
            ));
        }
        if text.starts_with(['.', '_', '-']) || text.ends_with(['.', ' ']) {
            return Err(unfit(
                "begins or ends with a mark that hides files or sets them apart",
            ));
        }
        if text.eq_ignore_ascii_case(crate::entry::stem(index::FILE)) {
            return Err(unfit("is that of the index"));
        }
        if text.len() + 3 > FILE {
            return Err(unfit("is too long"));
        }
        Ok(Self(format!("{text}.md")))
    }

    /// `type_short-slug.md`, from the entry's type and name.
    pub fn of(kind: Kind, name: &str) -> Result<Self, Refusal> {
        let slug = slug(name);
        let own = slug
            .strip_prefix(kind.name())
            .map_or(slug.as_str(), |rest| rest.trim_start_matches('-'));
        if own.is_empty() {
            return Err(Refusal::Unfit {
                what: "name",
                why: "gives no file name (it has no letters or digits); name the file with --file"
                    .to_owned(),
            });
        }
        Ok(Self(format!("{}_{own}.md", kind.name())))
    }

    /// With its `.md`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Letters and digits, lower case, `-` between; German letters as two, Hangul and Han as they are.
pub(super) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.nfc().flat_map(char::to_lowercase) {
        match c {
            'ä' => slug.push_str("ae"),
            'ö' => slug.push_str("oe"),
            'ü' => slug.push_str("ue"),
            'ß' => slug.push_str("ss"),
            c if c.is_alphanumeric() => slug.push(c),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    if slug.len() > SLUG {
        let mut end = SLUG;
        while !slug.is_char_boundary(end) {
            end -= 1;
        }
        // At a word's end, if that leaves enough.
        let cut = slug[..end].rfind('-').filter(|at| *at > SLUG / 2);
        slug.truncate(cut.unwrap_or(end));
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Refuses private blocks, and secrets unless they are allowed; gives those that are.
pub(super) fn sensitive(
    texts: &[(&'static str, &str)],
    allow: Allow,
) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for (what, text) in texts {
        if redact::clean(text, Policy { secrets: false }).as_str() != *text {
            return Err(Refusal::Private(what));
        }
        for (line, kind) in crate::audit::secrets(text) {
            if !allow.sensitive {
                return Err(Refusal::Sensitive {
                    what,
                    line,
                    kind: kind.to_owned(),
                });
            }
            // A description alone is the body as well.
            let warning = Warning::Sensitive {
                kind: kind.to_owned(),
            };
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    Ok(warnings)
}

/// The same of a file as it will stand once edits are made: harmless pieces can make a secret together,
/// and what is hidden must not come into the open.
pub(super) fn whole(
    before: &str,
    edits: &[Edit],
    allow: Allow,
    warnings: &mut Vec<Warning>,
) -> Result<(), Refusal> {
    let after = edit::apply(before, edits.to_vec())?;
    let hides = |text: &str| !redact::private_blocks(text).is_empty();
    if hides(&after) && !hides(before) {
        return Err(Refusal::Private("entry"));
    }
    if edit::reveals(before, edits) {
        return Err(Refusal::Reveals);
    }
    if let Some((line, kind)) = crate::audit::secret_made(before, &after) {
        let kind = kind.to_owned();
        if !allow.sensitive {
            let what = "entry";
            return Err(Refusal::Sensitive { what, line, kind });
        }
        let warning = Warning::Sensitive { kind };
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    Ok(())
}

/// A body's text in the line ends of its file, one at the end, no byte order mark.
pub(super) fn body(text: &str, newline: &str) -> Result<String, Refusal> {
    let text = text.strip_prefix(crate::lines::BOM).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Refusal::NoBody);
    }
    // Blank lines around it are the file's own matter.
    let from = text
        .char_indices()
        .take_while(|(_, c)| c.is_whitespace())
        .filter(|(_, c)| *c == '\n')
        .last()
        .map_or(0, |(at, _)| at + 1);
    let mut out = text[from..].trim_end().replace("\r\n", "\n");
    out.push('\n');
    if newline == "\n" {
        Ok(out)
    } else {
        Ok(out.replace('\n', newline))
    }
}

/// As [`body`]; frontmatter of its own would be read as text.
pub(super) fn new_body(text: &str, newline: &str) -> Result<String, Refusal> {
    let body = body(text, newline)?;
    if crate::Frontmatter::parse(&body).is_closed() {
        return Err(Refusal::Unfit {
            what: "body",
            why: "begins with frontmatter of its own; leave it out, the entry has its own"
                .to_owned(),
        });
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(kind: Kind, name: &str) -> String {
        FileName::of(kind, name).unwrap().0
    }

    #[test]
    fn file_names_come_from_type_and_name() {
        for (kind, name, expected) in [
            (
                Kind::Feedback,
                "Short answers first!",
                "feedback_short-answers-first.md",
            ),
            (
                Kind::Feedback,
                "feedback_short-slug",
                "feedback_short-slug.md",
            ),
            (
                Kind::Decision,
                "decision-queue-sqlite",
                "decision_queue-sqlite.md",
            ),
            (Kind::User, "오프라인 보관 7일", "user_오프라인-보관-7일.md"),
            (
                Kind::Project,
                "Größe der Übergabe",
                "project_groesse-der-uebergabe.md",
            ),
            (
                Kind::Reference,
                "../../etc/passwd",
                "reference_etc-passwd.md",
            ),
            (Kind::Reference, "结算 截止", "reference_结算-截止.md"),
        ] {
            assert_eq!(file(kind, name), expected);
        }
        assert!(FileName::of(Kind::User, "!!!").is_err());
        assert!(FileName::of(Kind::User, "user").is_err());
        let long = file(Kind::User, &"wort ".repeat(80));
        assert!(long.len() < 100 && long.ends_with("wort.md"), "{long}");
    }

    #[test]
    fn a_file_name_is_never_a_path() {
        assert_eq!(FileName::named("notes").unwrap().as_str(), "notes.md");
        assert_eq!(FileName::named(" a b.MD").unwrap().as_str(), "a b.md");
        for bad in [
            "",
            ".md",
            "../x",
            "a/b",
            "a\\b",
            "/x",
            "c:x",
            ".hidden",
            "_archive",
            "MEMORY.md",
            "memory",
            "x\ny",
            "x\u{202e}",
            "-rf",
            "a](b",
        ] {
            assert!(FileName::named(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_description_keeps_its_line_whole() {
        assert_eq!(
            description("  `cargo test` before a push ").unwrap(),
            "`cargo test` before a push"
        );
        assert!(description("takes about 280tk").is_ok());
        let long = "x".repeat(201);
        for bad in [
            "",
            " ",
            "a\nb",
            "a\rb",
            "see [x](y.md)",
            "see [[x]]",
            "a `b",
            "a <!-- b",
            "costs ~280tk",
            "costs `~280tk`",
            "costs `~280tk` ",
            "a\u{1b}[31mb",
            "a\u{202e}b",
            "— a",
            long.as_str(),
        ] {
            assert!(description(bad).is_err(), "{bad:?}");
        }
        assert!(description(&"가".repeat(200)).is_ok());
    }

    #[test]
    fn bodies_take_the_line_ends_of_their_file() {
        assert_eq!(
            body("\u{feff}\n\n  a\r\nb\n\n\n", "\n").unwrap(),
            "  a\nb\n"
        );
        assert_eq!(body("a\r\nb\n", "\r\n").unwrap(), "a\r\nb\r\n");
        assert!(matches!(body(" \n\t", "\n"), Err(Refusal::NoBody)));
    }
}
