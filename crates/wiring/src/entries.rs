//! The hook entries of a settings file: finding them, telling whose they are, taking them out.

use crate::json::Node;
use crate::splice;
use std::collections::BTreeSet;

/// The scripts of the original mnemo, without their endings.
const ORIGINAL: [&str; 5] = [
    "save-conversation",
    "save-response",
    "save-tool-use",
    "reconcile-conversations",
    "consolidation-trigger",
];

/// One hook entry and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Found<'a> {
    pub(crate) event: &'a str,
    pub(crate) group: usize,
    /// `None`: the group itself is the entry (an outdated form).
    pub(crate) entry: Option<usize>,
    /// `None`: no matcher; the text otherwise.
    pub(crate) matcher: Option<&'a str>,
    pub(crate) command: &'a str,
    /// `None`: the key is not there.
    pub(crate) args: Option<Vec<&'a str>>,
}

impl Found<'_> {
    /// Whether this is exactly one of `commands`, without arguments.
    pub(crate) fn is_one_of(&self, commands: &BTreeSet<String>) -> bool {
        self.entry.is_some()
            && self.args.as_ref().is_none_or(Vec::is_empty)
            && commands.contains(self.command)
    }

    /// Whether it runs a script of the original mnemo.
    pub(crate) fn is_original(&self) -> bool {
        std::iter::once(self.command)
            .chain(self.args.iter().flatten().copied())
            .any(names_original)
    }

    /// The command with its arguments, for people.
    pub(crate) fn whole_command(&self) -> String {
        let mut text = self.command.to_owned();
        for arg in self.args.iter().flatten() {
            text.push(' ');
            text.push_str(arg);
        }
        text
    }

    /// The path of the program it runs, when it is one without arguments.
    pub(crate) fn path(&self) -> Option<String> {
        match &self.args {
            Some(args) if !args.is_empty() => None,
            Some(_) => Some(self.command.to_owned()),
            None => crate::hooks::shell_word(self.command),
        }
    }

    /// The hook program of ours that it runs, wherever it lies.
    pub(crate) fn program(&self) -> Option<&'static str> {
        let path = self.path()?;
        let file = path.rsplit(['/', '\\']).next()?;
        let name = file.strip_suffix(".exe").unwrap_or(file);
        crate::hooks::PROGRAMS.into_iter().find(|p| *p == name)
    }

    /// Whether the matcher lets every call through.
    pub(crate) fn matches_all(&self) -> bool {
        matches!(self.matcher, None | Some("" | "*"))
    }
}

/// A script's file name stands in the command as a path component of its own.
fn names_original(command: &str) -> bool {
    ORIGINAL.iter().any(|name| {
        [".sh", ".ps1"].iter().any(|ending| {
            let file = format!("{name}{ending}");
            command.match_indices(&file).any(|(at, _)| {
                let before = command.get(..at).unwrap_or("").chars().next_back();
                let after = command.get(at + file.len()..).unwrap_or("").chars().next();
                let edge =
                    |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '&' | '|' | ')');
                before.is_none_or(|c| edge(c) || matches!(c, '/' | '\\' | '(' | '='))
                    && after.is_none_or(edge)
            })
        })
    })
}

/// All entries, in the order of the file. Of equal keys only the last counts, as in the client.
pub(crate) fn all(root: &Node) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let Some(hooks) = root.get("hooks") else {
        return found;
    };
    for member in hooks.members().unwrap_or_default() {
        let event = member.key.as_str();
        if hooks
            .member(event)
            .is_none_or(|last| last.start != member.start)
        {
            continue;
        }
        for (index, group) in member.value.items().unwrap_or_default().iter().enumerate() {
            found.extend(of_group(event, index, group));
        }
    }
    found
}

fn of_group<'a>(event: &'a str, group: usize, node: &'a Node) -> Vec<Found<'a>> {
    let matcher = node.get("matcher").and_then(Node::text);
    let found = |entry, command, args| Found {
        event,
        group,
        entry,
        matcher,
        command,
        args,
    };
    let bare = node
        .get("command")
        .and_then(Node::text)
        .or_else(|| node.text());
    let bare = bare.map(|command| found(None, command, None));
    let items = node.get("hooks").and_then(Node::items).unwrap_or_default();
    let entries = items.iter().enumerate().filter_map(|(index, item)| {
        if let Some(command) = item.text() {
            return Some(found(Some(index), command, None));
        }
        if item
            .get("type")
            .and_then(Node::text)
            .is_some_and(|t| t != "command")
        {
            return None;
        }
        let command = item.get("command")?.text()?;
        let args = item.get("args").map(|args| {
            let args = args.items().unwrap_or_default();
            args.iter().filter_map(Node::text).collect()
        });
        Some(found(Some(index), command, args))
    });
    bare.into_iter().chain(entries).collect()
}

/// The text without the entry; its group goes too when nothing else is in it.
pub(crate) fn remove(text: &str, root: &Node, found: &Found<'_>) -> Option<String> {
    let event = root.get("hooks")?.get(found.event)?;
    match inner(event, found) {
        Some((hooks, index)) => Some(splice::remove(text, hooks, index)),
        None => Some(splice::remove(text, event, found.group)),
    }
}

/// The array that holds the entry, when the group must stay.
fn inner<'a>(event: &'a Node, found: &Found<'_>) -> Option<(&'a Node, usize)> {
    let group = event.items()?.get(found.group)?;
    let hooks = group.get("hooks")?;
    let only_it = hooks.items()?.len() == 1
        && group
            .members()?
            .iter()
            .all(|m| m.key == "hooks" || m.key == "matcher");
    (!only_it).then_some((hooks, found.entry?))
}

/// The JSON of a group that brings the entry back.
pub(crate) fn group_text(text: &str, root: &Node, found: &Found<'_>) -> Option<String> {
    let event = root.get("hooks")?.get(found.event)?;
    let group = event.items()?.get(found.group)?;
    let Some((hooks, index)) = inner(event, found) else {
        return Some(text.get(group.span.clone())?.to_owned());
    };
    let entry = text.get(hooks.items()?.get(index)?.span.clone())?;
    let matcher = match group.get("matcher") {
        Some(matcher) => format!("\"matcher\": {}, ", text.get(matcher.span.clone())?),
        None => String::new(),
    };
    Some(format!("{{{matcher}\"hooks\": [{entry}]}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn the_originals_scripts_are_known_by_their_file_name_only() {
        for command in [
            "bash hooks/save-conversation.sh \"$PROMPT\"",
            "bash \"/home/dev/.claude/hooks/save-response.sh\"",
            "powershell -ExecutionPolicy Bypass -File \"C:\\Users\\d\\.claude\\hooks\\save-tool-use.ps1\"",
            "/x/reconcile-conversations.sh",
            "consolidation-trigger.sh;true",
        ] {
            assert!(names_original(command), "{command}");
        }
        for command in [
            "/x/my-save-response.sh",
            "/x/save-response.sh.bak",
            "/x/save-response.sh/run",
            "/x/save-responses.sh",
            "/x/save-response",
            "/opt/save-conversation-tools/run",
        ] {
            assert!(!names_original(command), "{command}");
        }
    }

    #[test]
    fn outdated_and_foreign_forms_are_walked_past_or_found() {
        let text = r#"{"hooks":{"Stop":[7,"a.sh",{"command":"b"},{"hooks":["c",{"type":"prompt","command":"d"},{"type":"command","command":"e","args":[]},{"command":5}]},{"hooks":{}}],"X":{}}}"#;
        let root = parse(text).unwrap();
        let commands: Vec<&str> = all(&root).iter().map(|f| f.command).collect();
        assert_eq!(commands, ["a.sh", "b", "c", "e"]);
    }

    #[test]
    fn a_group_goes_with_its_last_entry_unless_it_holds_more() {
        let own = BTreeSet::from(["x".to_owned()]);
        for (before, after) in [
            (r#"[{"hooks":[{"command":"x"}]}]"#, "[]"),
            (r#"[{"matcher":"","hooks":[{"command":"x"}]},1]"#, "[1]"),
            (
                r#"[{"hooks":[{"command":"x"},{"command":"y"}]}]"#,
                r#"[{"hooks":[{"command":"y"}]}]"#,
            ),
            (
                r#"[{"note":1,"hooks":[{"command":"x"}]}]"#,
                r#"[{"note":1,"hooks":[]}]"#,
            ),
        ] {
            let text = format!(r#"{{"hooks":{{"Stop":{before}}}}}"#);
            let root = parse(&text).unwrap();
            let found = all(&root).into_iter().find(|f| f.is_one_of(&own)).unwrap();
            let expected = format!(r#"{{"hooks":{{"Stop":{after}}}}}"#);
            assert_eq!(remove(&text, &root, &found).unwrap(), expected);
        }
    }
}
