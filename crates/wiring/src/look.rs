//! The hook entries of a settings file with the lines they stand in, for those who explain.

use crate::entries::{self, Found};
use crate::json::Node;
use crate::{hooks, inspect, plan};
use std::path::Path;

/// Larger files count as absent, bytes.
const LARGEST: u64 = 4 << 20;

/// A hook entry and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The event.
    pub event: String,
    /// The hook program of ours that it runs.
    pub program: Option<&'static str>,
    /// The command with its arguments.
    pub command: String,
    /// Whether it runs a script of the original mnemo.
    pub original: bool,
    /// `args` stands there and the command has a character that a shell interprets: clients older
    /// than 2.1.139 break it.
    pub needs_exec: bool,
    /// Line, from 1.
    pub line: usize,
}

/// A settings file as far as hooks are concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looked {
    /// Every entry.
    pub entries: Vec<Placed>,
    /// The events it names, and their lines.
    pub events: Vec<(String, usize)>,
    /// It enables a plugin called mnemo.
    pub plugin: bool,
}

/// Reads a settings file, the user's or a project's; nothing where it is absent or not valid JSON.
pub fn look(file: &Path) -> Looked {
    let bytes = safe_file::read(file, LARGEST).ok().flatten();
    let bytes = bytes.unwrap_or_default();
    let Ok(Some(root)) = plan::read(&bytes) else {
        return Looked::default();
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let line = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    let members = root.get("hooks").and_then(Node::members);
    Looked {
        entries: entries::all(&root)
            .iter()
            .map(|found| Placed {
                event: found.event.to_owned(),
                program: found.program(),
                command: found.whole_command(),
                original: found.is_original(),
                needs_exec: found.args.is_some() && !hooks::plain(found.command),
                line: line(start_of(&root, found).unwrap_or(0)),
            })
            .collect(),
        events: members
            .unwrap_or_default()
            .iter()
            .map(|member| (member.key.clone(), line(member.start)))
            .collect(),
        plugin: inspect::plugin_enabled(&root),
    }
}

/// Where the command of an entry begins.
fn start_of(root: &Node, found: &Found<'_>) -> Option<usize> {
    let group = root
        .get("hooks")?
        .get(found.event)?
        .items()?
        .get(found.group)?;
    let entry = match found.entry {
        Some(entry) => group.get("hooks")?.items()?.get(entry)?,
        None => group,
    };
    Some(entry.get("command").unwrap_or(entry).span.start)
}

/// Every program of ours at every event, as install wires them.
pub fn wanted() -> impl Iterator<Item = (&'static str, &'static str)> {
    hooks::EVENTS
        .iter()
        .flat_map(|(event, programs)| programs.iter().map(|program| (*event, *program)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_know_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        let text = "\u{feff}{\n \"hooks\": {\n  \"Stop\": [\n   {\"hooks\": [\n    {\"type\": \"command\",\n     \"command\": \"/a b/stop-trigger\", \"args\": []}]}],\n  \"New\": []}}";
        std::fs::write(&file, text).unwrap();
        let looked = look(&file);
        let [entry] = looked.entries.as_slice() else {
            panic!("{looked:?}");
        };
        assert_eq!((entry.program, entry.line), (Some("stop-trigger"), 6));
        assert!(entry.needs_exec && !entry.original);
        let lines = [("Stop".to_owned(), 3), ("New".to_owned(), 7)];
        assert_eq!(looked.events, lines);
        assert_eq!(look(&folder.path().join("none")), Looked::default());
        std::fs::write(&file, "{,}").unwrap();
        assert_eq!(look(&file), Looked::default());
    }
}
