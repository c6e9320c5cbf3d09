//! Which programs are wired to which events, and how they are written down.

use std::path::Path;

/// The five hook programs.
pub const PROGRAMS: [&str; 5] = [
    "prompt-save",
    "tool-log",
    "response-save",
    "session-reconcile",
    "stop-trigger",
];

/// Event and programs. All are known to Claude Code since 2.1.59: one unknown event would make
/// that version ignore the whole file.
pub(crate) const EVENTS: [(&str, &[&str]); 6] = [
    ("UserPromptSubmit", &["prompt-save"]),
    ("PostToolUse", &["tool-log"]),
    ("PostToolUseFailure", &["tool-log"]),
    ("Stop", &["response-save", "stop-trigger"]),
    ("SessionStart", &["session-reconcile"]),
    ("PreCompact", &["session-reconcile"]),
];

/// The first client that runs `command` with `args` directly, without a shell (changelog).
const EXEC_FORM: Version = Version(2, 1, 139);

/// Names under which clients also match a tool (2.1.59 and 2.1.332, read from their sources).
const OTHER_NAMES: [(&str, &[&str]); 3] = [
    ("Agent", &["Task"]),
    ("TaskOutput", &["AgentOutputTool", "BashOutputTool"]),
    ("TaskStop", &["KillShell", "KillBash"]),
];

/// A client's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u32, pub(crate) u32, pub(crate) u32);

impl Version {
    /// From what `claude --version` prints: `2.1.332 (Claude Code)`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let word = text.split_whitespace().next()?;
        let mut parts = word.trim_start_matches('v').splitn(3, '.');
        let mut number = || -> Option<u32> {
            let part = parts.next()?;
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            part.get(..digits)?.parse().ok()
        };
        Some(Self(number()?, number()?, number()?))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The `matcher` of the tool hooks: every tool but the skipped ones, so that for those the hook is
/// not even started. `None` when nothing is skipped. (A negative lookahead works in Claude Code
/// 2.1.59, 2.1.197 and 2.1.332.)
pub fn matcher(tools_skip: &[String]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for skipped in tools_skip.iter().map(|name| name.trim()) {
        let others = OTHER_NAMES
            .iter()
            .find(|(name, _)| *name == skipped)
            .map_or(&[][..], |(_, others)| *others);
        for name in std::iter::once(skipped).chain(others.iter().copied()) {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        return None;
    }
    let names: Vec<String> = names.into_iter().map(escaped).collect();
    Some(format!("^(?!(?:{})$).*", names.join("|")))
}

/// A name as a regular expression that matches just it.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(
            c,
            '\\' | '^'
                | '$'
                | '.'
                | '|'
                | '?'
                | '*'
                | '+'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '/'
        ) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// One hook entry: `{"type": "command", "command": …}`, with `"args": []` in exec form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) program: &'static str,
    pub(crate) command: String,
    pub(crate) exec: bool,
    /// The same text works with and without `args`.
    pub(crate) plain: bool,
}

/// One group of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) event: &'static str,
    pub(crate) matcher: Option<String>,
    pub(crate) entries: Vec<Entry>,
}

/// What is to be wired for programs in `folder`; `None` when the path is not UTF-8.
pub(crate) fn wanted(
    folder: &Path,
    client: Option<Version>,
    tools_skip: &[String],
) -> Option<Vec<Group>> {
    EVENTS
        .iter()
        .map(|(event, programs)| {
            let entries: Option<Vec<Entry>> = programs
                .iter()
                .map(|program| entry(folder, program, client))
                .collect();
            Some(Group {
                event,
                matcher: matcher(tools_skip).filter(|_| event.starts_with("PostToolUse")),
                entries: entries?,
            })
        })
        .collect()
}

fn entry(folder: &Path, program: &'static str, client: Option<Version>) -> Option<Entry> {
    let path = program_path(folder, program);
    let path = path.to_str()?;
    let plain = plain(path);
    let exec = plain || client.is_some_and(|version| version >= EXEC_FORM);
    Some(Entry {
        program,
        command: if exec {
            path.to_owned()
        } else {
            shell_quoted(path)
        },
        exec,
        plain,
    })
}

/// Every command text that could stand for a program in `folder`.
pub(crate) fn command_texts(folder: &Path) -> Vec<String> {
    PROGRAMS
        .iter()
        .filter_map(|program| Some(program_path(folder, program).to_str()?.to_owned()))
        .flat_map(|path| [shell_quoted(&path), path])
        .collect()
}

/// Where a program lies.
pub(crate) fn program_path(folder: &Path, program: &str) -> std::path::PathBuf {
    folder.join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
}

/// No character that a shell would interpret.
pub(crate) fn plain(path: &str) -> bool {
    path.chars().all(|c| {
        c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '+' | ':' | ',' | '@' | '%')
    })
}

fn shell_quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', r"'\''"))
}

/// The one word of a shell command, unquoted; `None` when it is more than a plain word.
pub(crate) fn shell_word(command: &str) -> Option<String> {
    let mut word = String::new();
    let mut chars = command.trim().chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => loop {
                match chars.next()? {
                    '\'' => break,
                    c => word.push(c),
                }
            },
            '"' => loop {
                match chars.next()? {
                    '"' => break,
                    '\\' => word.push(chars.next()?),
                    '$' | '`' => return None,
                    c => word.push(c),
                }
            },
            '\\' => word.push(chars.next()?),
            c if c.is_whitespace() || "$`;&|<>(){}*?[]#~!".contains(c) => return None,
            c => word.push(c),
        }
    }
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn skip(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn the_matcher_names_what_is_skipped() {
        assert_eq!(matcher(&[]), None);
        assert_eq!(matcher(&skip(&["", " "])), None);
        assert_eq!(
            matcher(&skip(&["Read", "Glob", "Read"])).as_deref(),
            Some("^(?!(?:Read|Glob)$).*")
        );
        assert_eq!(
            matcher(&skip(&["mcp__a.b__c*"])).as_deref(),
            Some(r"^(?!(?:mcp__a\.b__c\*)$).*")
        );
        assert_eq!(
            matcher(&skip(&["TaskStop"])).as_deref(),
            Some("^(?!(?:TaskStop|KillShell|KillBash)$).*")
        );
    }

    #[test]
    fn versions_are_read_from_what_the_client_prints() {
        assert_eq!(
            Version::parse("2.1.332 (Claude Code)\n"),
            Some(Version(2, 1, 332))
        );
        assert_eq!(Version::parse("2.1.59-beta.1"), Some(Version(2, 1, 59)));
        assert!(Version(2, 1, 139) > Version(2, 1, 59));
        for text in ["", "Claude", "2.1", "error: 2.1.3"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_form_fits_every_client() {
        let of = |folder: &str, client| {
            let entry = entry(Path::new(folder), "tool-log", client).unwrap();
            (entry.command, entry.exec)
        };
        let old = Some(Version(2, 1, 59));
        let new = Some(Version(2, 1, 139));
        for client in [None, old, new] {
            assert_eq!(
                of("/opt/m/bin", client),
                ("/opt/m/bin/tool-log".to_owned(), true)
            );
            assert_eq!(of("/홈/bin", client), ("/홈/bin/tool-log".to_owned(), true));
        }
        for folder in [
            "/a b",
            "/a$b",
            "/a'b",
            "/a&b",
            "/a\"b",
            "/~a",
            "/a\nb",
            "/a(b)",
            "/a\u{a0}b",
        ] {
            let path = format!("{folder}/tool-log");
            assert_eq!(of(folder, new), (path.clone(), true));
            let quoted = (format!("'{}'", path.replace('\'', r"'\''")), false);
            assert_eq!(of(folder, None), quoted);
            assert_eq!(of(folder, old), quoted);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_real_shell_reads_the_quoted_command() {
        for path in [
            "/pa th/it's/x",
            "/$HOME/`id`/x",
            "/a\"b\\c/x",
            "/한글 폴더/x",
            "/a\nb",
        ] {
            let script = format!("printf %s {}", shell_quoted(path));
            let out = std::process::Command::new("/bin/sh")
                .arg("-c")
                .arg(script)
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(out.stdout).unwrap(), path);
        }
    }

    #[test]
    fn shell_words_are_unquoted() {
        assert_eq!(shell_word("/a/b").as_deref(), Some("/a/b"));
        assert_eq!(shell_word("\"/a b/c\"").as_deref(), Some("/a b/c"));
        assert_eq!(shell_word(r"/a\ b").as_deref(), Some("/a b"));
        for command in ["/a/b --x", "a; b", "\"$HOME/x\"", "'open", "~/x"] {
            assert_eq!(shell_word(command), None, "{command}");
        }
    }

    proptest! {
        #[test]
        fn quoting_survives(path in any::<String>()) {
            let path = format!("/{path}/x");
            let word = shell_word(&shell_quoted(&path));
            prop_assert_eq!(word, Some(path));
        }
    }
}
