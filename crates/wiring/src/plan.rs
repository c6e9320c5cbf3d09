//! What the settings file will hold: a function of its bytes.

use crate::entries::{self, Found};
use crate::hooks::{EVENTS, Group};
use crate::json::{self, Fault, Node, Value};
use crate::splice::{self, New, Style};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

const BOM: &str = "\u{feff}";
const AUTO_MEMORY: &str = "autoMemoryEnabled";

/// Why a file is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    NotUtf8,
    Json(Fault),
    /// This key holds something else than it should.
    Shape(String, &'static str),
    /// This key stands there more than once.
    Twice(String),
}

/// What is wanted.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) groups: Vec<Group>,
    /// The exact commands that are ours, of earlier installations too.
    pub(crate) own: BTreeSet<String>,
    pub(crate) replace_original: bool,
    pub(crate) auto_memory_off: bool,
}

/// A changed text and what is needed to take the change back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) bytes: Vec<u8>,
    pub(crate) undo: Undo,
}

/// What install added besides its entries, and what it took out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Undo {
    /// The key `hooks` was not there.
    pub(crate) made_hooks: bool,
    /// These events were not there.
    pub(crate) made_events: Vec<String>,
    /// Groups of the original mnemo: event and JSON text.
    pub(crate) removed: Vec<(String, String)>,
    /// Auto memory was turned off.
    pub(crate) auto_memory: Option<AutoMemory>,
}

/// `autoMemoryEnabled` before install set it to false.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AutoMemory {
    /// Its JSON text; `None` when the key was not there.
    pub(crate) before: Option<String>,
}

impl Undo {
    /// This one after an earlier one.
    pub(crate) fn after(mut self, earlier: &Self) -> Self {
        self.made_hooks |= earlier.made_hooks;
        let mut events = earlier.made_events.clone();
        events.extend(self.made_events);
        events.dedup();
        self.made_events = events;
        let mut removed = earlier.removed.clone();
        removed.extend(self.removed);
        self.removed = removed;
        self.auto_memory = earlier.auto_memory.clone().or(self.auto_memory);
        self
    }
}

/// The file with our entries in it. `None`: there is no file.
pub(crate) fn plan(bytes: Option<&[u8]>, wanted: &Wanted) -> Result<Edit, Refusal> {
    let (bom, text) = opened(bytes.unwrap_or_default())?;
    let mut undo = Undo::default();
    let mut text = match text.trim_matches(BLANKS) {
        // The client takes an empty file for an empty object.
        "" => "{}\n".to_owned(),
        _ => text.to_owned(),
    };
    check(&json::parse(&text).map_err(Refusal::Json)?)?;

    if wanted.replace_original {
        while let Some((event, group, without)) = without_original(&text)? {
            undo.removed.push((event, group));
            text = without;
        }
    }
    let fitting: Vec<bool> = {
        let root = json::parse(&text).map_err(Refusal::Json)?;
        let found = entries::all(&root);
        let fits = |group| fits(&found, group, &wanted.own);
        wanted.groups.iter().map(fits).collect()
    };
    let keep: BTreeSet<&str> = wanted
        .groups
        .iter()
        .zip(&fitting)
        .filter_map(|(group, fits)| fits.then_some(group.event))
        .collect();
    text = without_own(text, &wanted.own, &keep)?;
    for (group, fits) in wanted.groups.iter().zip(fitting) {
        if !fits {
            text = with_group(&text, group, &mut undo)?;
        }
    }
    if wanted.auto_memory_off {
        text = without_auto_memory(text, &mut undo)?;
    }
    Ok(Edit {
        bytes: closed(bom, &text),
        undo,
    })
}

/// The file without our entries, and with what install took out.
pub(crate) fn unplan(
    bytes: &[u8],
    own: &BTreeSet<String>,
    undo: &Undo,
) -> Result<Vec<u8>, Refusal> {
    let (bom, text) = opened(bytes)?;
    if text.trim_matches(BLANKS).is_empty() {
        return Ok(bytes.to_vec());
    }
    check(&json::parse(text).map_err(Refusal::Json)?)?;
    let mut text = without_own(text.to_owned(), own, &BTreeSet::new())?;
    for (index, (event, group)) in undo.removed.iter().enumerate() {
        let earlier = undo.removed.iter().take(index);
        let equal = earlier.filter(|(e, g)| e == event && g == group).count();
        text = with_raw_group(&text, event, group, equal)?;
    }
    if let Some(memory) = &undo.auto_memory {
        text = with_auto_memory(text, memory)?;
    }
    for event in &undo.made_events {
        text = without_empty(text, Some(event))?;
    }
    if undo.made_hooks {
        text = without_empty(text, None)?;
    }
    Ok(closed(bom, &text))
}

/// The root of a settings text; `None` when it is empty.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<Node>, Refusal> {
    let (_, text) = opened(bytes)?;
    if text.trim_matches(BLANKS).is_empty() {
        return Ok(None);
    }
    let root = json::parse(text).map_err(Refusal::Json)?;
    check(&root)?;
    Ok(Some(root))
}

const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

fn opened(bytes: &[u8]) -> Result<(bool, &str), Refusal> {
    let text = std::str::from_utf8(bytes).map_err(|_| Refusal::NotUtf8)?;
    Ok(match text.strip_prefix(BOM) {
        Some(rest) => (true, rest),
        None => (false, text),
    })
}

fn closed(bom: bool, text: &str) -> Vec<u8> {
    format!("{}{text}", if bom { BOM } else { "" }).into_bytes()
}

/// Refuses what cannot be added to, or would be ambiguous.
fn check(root: &Node) -> Result<(), Refusal> {
    let shape = |key: &str, expected| Err(Refusal::Shape(key.to_owned(), expected));
    if root.members().is_none() {
        return shape("", "an object");
    }
    for key in ["hooks", AUTO_MEMORY] {
        if root.count(key) > 1 {
            return Err(Refusal::Twice(key.to_owned()));
        }
    }
    let Some(hooks) = root.get("hooks") else {
        return Ok(());
    };
    if hooks.members().is_none() {
        return shape("hooks", "an object");
    }
    for (event, _) in EVENTS {
        if hooks.count(event) > 1 {
            return Err(Refusal::Twice(format!("hooks.{event}")));
        }
        if hooks
            .get(event)
            .is_some_and(|value| value.items().is_none())
        {
            return shape(&format!("hooks.{event}"), "an array");
        }
    }
    Ok(())
}

/// Whether the group's entries stand under its event, each once, in the right form, and no other
/// of ours.
fn fits(found: &[Found<'_>], group: &Group, own: &BTreeSet<String>) -> bool {
    let ours: Vec<&Found<'_>> = found
        .iter()
        .filter(|f| f.event == group.event && f.is_one_of(own))
        .collect();
    let right = |entry: &crate::hooks::Entry| {
        ours.iter()
            .filter(|f| f.command == entry.command)
            .filter(|f| entry.plain || f.args.is_some() == entry.exec)
            .filter(|f| same_matcher(f, group.matcher.as_deref()))
            .count()
            == 1
    };
    ours.len() == group.entries.len() && group.entries.iter().all(right)
}

pub(crate) fn same_matcher(found: &Found<'_>, wanted: Option<&str>) -> bool {
    match wanted {
        Some(_) => found.matcher == wanted,
        None => found.matches_all(),
    }
}

/// Takes out every entry of ours but those of the events in `keep`.
fn without_own(
    mut text: String,
    own: &BTreeSet<String>,
    keep: &BTreeSet<&str>,
) -> Result<String, Refusal> {
    loop {
        let root = json::parse(&text).map_err(Refusal::Json)?;
        let found = entries::all(&root)
            .into_iter()
            .find(|f| f.is_one_of(own) && !keep.contains(f.event));
        match found.and_then(|found| entries::remove(&text, &root, &found)) {
            Some(without) => text = without,
            None => return Ok(text),
        }
    }
}

fn without_original(text: &str) -> Result<Option<(String, String, String)>, Refusal> {
    let root = json::parse(text).map_err(Refusal::Json)?;
    let found = entries::all(&root).into_iter().find(Found::is_original);
    Ok(found.and_then(|found| {
        let group = entries::group_text(text, &root, &found)?;
        let without = entries::remove(text, &root, &found)?;
        Some((found.event.to_owned(), group, without))
    }))
}

fn with_group(text: &str, group: &Group, undo: &mut Undo) -> Result<String, Refusal> {
    let root = json::parse(text).map_err(Refusal::Json)?;
    undo.made_hooks |= root.get("hooks").is_none();
    if root
        .get("hooks")
        .is_none_or(|hooks| hooks.get(group.event).is_none())
    {
        undo.made_events.push(group.event.to_owned());
    }
    Ok(put(text, &root, group.event, written(group)))
}

/// Brings a group back, unless more than `equal` of its kind stand there already.
fn with_raw_group(text: &str, event: &str, group: &str, equal: usize) -> Result<String, Refusal> {
    let root = json::parse(text).map_err(Refusal::Json)?;
    if let Some(there) = root.get("hooks").and_then(|hooks| hooks.get(event)) {
        let Some(items) = there.items() else {
            return Ok(text.to_owned());
        };
        let same = |node: &&Node| text.get(node.span.clone()) == Some(group);
        if items.iter().filter(same).count() > equal {
            return Ok(text.to_owned());
        }
    }
    Ok(put(text, &root, event, New::Raw(group.to_owned())))
}

/// `value` at the end of the event's array, which is made if it is not there.
fn put(text: &str, root: &Node, event: &str, value: New) -> String {
    let style = Style::of(text, root);
    let Some(hooks) = root.get("hooks") else {
        let events = New::Object(vec![(event.to_owned(), New::Array(vec![value]))]);
        return splice::append(text, &style, root, Some("hooks"), &events);
    };
    match hooks.get(event) {
        None => splice::append(text, &style, hooks, Some(event), &New::Array(vec![value])),
        Some(array) => splice::append(text, &style, array, None, &value),
    }
}

fn written(group: &Group) -> New {
    let entries = group.entries.iter().map(|entry| {
        let mut members = vec![
            ("type".to_owned(), New::string("command")),
            ("command".to_owned(), New::string(&entry.command)),
        ];
        if entry.exec {
            members.push(("args".to_owned(), New::Array(Vec::new())));
        }
        New::Object(members)
    });
    let mut members = Vec::new();
    if let Some(matcher) = &group.matcher {
        members.push(("matcher".to_owned(), New::string(matcher)));
    }
    members.push(("hooks".to_owned(), New::Array(entries.collect())));
    New::Object(members)
}

fn without_auto_memory(text: String, undo: &mut Undo) -> Result<String, Refusal> {
    let root = json::parse(&text).map_err(Refusal::Json)?;
    let off = New::Raw("false".to_owned());
    match root.get(AUTO_MEMORY) {
        Some(node) if node.value == Value::Bool(false) => Ok(text),
        Some(node) => {
            let before = text.get(node.span.clone()).map(str::to_owned);
            undo.auto_memory = Some(AutoMemory { before });
            Ok(splice::replace(&text, node.span.clone(), "false"))
        }
        None => {
            undo.auto_memory = Some(AutoMemory::default());
            let style = Style::of(&text, &root);
            Ok(splice::append(
                &text,
                &style,
                &root,
                Some(AUTO_MEMORY),
                &off,
            ))
        }
    }
}

fn with_auto_memory(text: String, memory: &AutoMemory) -> Result<String, Refusal> {
    let root = json::parse(&text).map_err(Refusal::Json)?;
    let Some(node) = root
        .get(AUTO_MEMORY)
        .filter(|n| n.value == Value::Bool(false))
    else {
        return Ok(text);
    };
    Ok(match &memory.before {
        Some(before) => splice::replace(&text, node.span.clone(), before),
        None => match position(&root, AUTO_MEMORY) {
            Some(index) => splice::remove(&text, &root, index),
            None => text,
        },
    })
}

/// Takes out an event (or, with `None`, the key `hooks`) that is empty.
fn without_empty(text: String, event: Option<&String>) -> Result<String, Refusal> {
    let root = json::parse(&text).map_err(Refusal::Json)?;
    let hooks = root.get("hooks");
    let (container, key) = match (event, hooks) {
        (Some(event), Some(hooks)) => (hooks, event.as_str()),
        (None, Some(_)) => (&root, "hooks"),
        (_, None) => return Ok(text),
    };
    let empty = container.get(key).is_some_and(|node| match &node.value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    });
    Ok(match position(container, key).filter(|_| empty) {
        Some(index) => splice::remove(&text, container, index),
        None => text,
    })
}

fn position(object: &Node, key: &str) -> Option<usize> {
    object.members()?.iter().rposition(|m| m.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hooks;
    use proptest::prelude::*;
    use serde_json::{Value as Json, json};
    use std::path::Path;

    fn wanted() -> Wanted {
        let folder = Path::new("/opt/mnemo/bin");
        let skip = ["Read".to_owned()];
        Wanted {
            groups: hooks::wanted(folder, None, &skip).unwrap(),
            own: hooks::command_texts(folder).into_iter().collect(),
            replace_original: true,
            auto_memory_off: true,
        }
    }

    /// Foreign hooks, some of the original mnemo, in groups of one or more.
    fn foreign_hooks() -> impl Strategy<Value = Json> {
        let command = prop_oneof![
            Just("mine"),
            Just("/opt/prompt-save-tools/x"),
            Just("bash \"/h/save-response.sh\""),
            Just("a && b"),
        ];
        let hook = command.prop_map(|c| json!({"type": "command", "command": c}));
        let group = (prop::collection::vec(hook, 1..3), any::<bool>()).prop_map(|(hooks, m)| {
            if m {
                json!({"matcher": ".*", "hooks": hooks})
            } else {
                json!({"hooks": hooks})
            }
        });
        let event = prop_oneof![Just("Stop"), Just("PostToolUse"), Just("Notification")];
        let groups = prop::collection::vec(group, 1..3);
        prop::collection::btree_map(event, groups, 1..3).prop_map(|m| json!(m))
    }

    fn settings() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(json!(true)),
            Just(json!(1.5)),
            any::<String>().prop_map(Json::from),
        ];
        let value = leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..3).prop_map(Json::from),
                prop::collection::hash_map("[a-z가]{1,4}", inner, 1..3).prop_map(|m| json!(m)),
            ]
        });
        let others = prop::collection::btree_map("[a-f]{1,3}", value, 1..4);
        (
            others,
            prop::option::of(foreign_hooks()),
            prop::option::of(any::<bool>()),
        )
            .prop_map(|(others, hooks, memory)| {
                let mut settings = json!(others);
                if let Some(hooks) = hooks {
                    settings["hooks"] = hooks;
                }
                if let Some(memory) = memory {
                    settings["autoMemoryEnabled"] = memory.into();
                }
                settings
            })
    }

    fn laid_out(value: &Json, layout: u8) -> String {
        let pretty = serde_json::to_string_pretty(value).unwrap();
        match layout % 4 {
            0 => value.to_string(),
            1 => pretty,
            2 => format!("{BOM}{}\r\n", pretty.replace('\n', "\r\n")),
            _ => format!("{}\n", pretty.replace("\n  ", "\n\t")),
        }
    }

    /// Groups of each event, as a set: what comes back stands at the end.
    fn sorted(mut value: Json) -> Json {
        for event in value["hooks"].as_object_mut().into_iter().flatten() {
            let mut flat: Vec<Json> = Vec::new();
            for group in event.1.as_array().unwrap() {
                for hook in group["hooks"].as_array().unwrap() {
                    flat.push(json!([group.get("matcher"), hook]));
                }
            }
            flat.sort_by_key(Json::to_string);
            *event.1 = flat.into();
        }
        value
    }

    proptest! {
        #[test]
        fn any_settings_survive(value in settings(), layout in any::<u8>()) {
            let before = laid_out(&value, layout);
            let mut plain = wanted();
            plain.replace_original = false;
            let edit = plan(Some(before.as_bytes()), &plain).unwrap();
            let again = plan(Some(&edit.bytes), &plain).unwrap();
            prop_assert_eq!(&again.bytes, &edit.bytes);
            prop_assert_eq!(&again.undo, &Undo::default());
            let back = unplan(&edit.bytes, &plain.own, &edit.undo).unwrap();
            prop_assert_eq!(String::from_utf8(back).unwrap(), before.clone());

            // With the original's hooks out, the same hooks come back.
            let edit = plan(Some(before.as_bytes()), &wanted()).unwrap();
            let text = String::from_utf8(edit.bytes.clone()).unwrap();
            prop_assert!(!text.contains("save-response.sh"));
            let back = unplan(&edit.bytes, &plain.own, &edit.undo).unwrap();
            let back = String::from_utf8(back).unwrap();
            let back: Json = serde_json::from_str(back.trim_start_matches(BOM)).unwrap();
            prop_assert_eq!(sorted(back), sorted(value));
        }

        #[test]
        fn any_bytes_are_safe(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = plan(Some(&bytes), &wanted());
            let _ = unplan(&bytes, &wanted().own, &Undo::default());
        }

        #[test]
        fn any_shape_is_safe(text in r#"\{("hooks":\{"Stop":\[[\[\]{}",:a-c]{0,12}\]\}|[\[\]{}",:a-c]{0,20})\}"#) {
            if let Ok(edit) = plan(Some(text.as_bytes()), &wanted()) {
                prop_assert!(read(&edit.bytes).unwrap().is_some());
            }
        }
    }
}
