//! What a person typed, out of what the client stored.

use crate::record::{elements, member};
use lenient_json::{borrowed_string, members, string};

/// The text as it was typed: strings as they are; blocks joined by a line feed, as the client
/// joins them for its hooks; an image is `[image]`, whether the client left a placeholder in the
/// text for it or only a block.
pub(crate) fn typed(content: &[u8]) -> String {
    if let Some(text) = string(content) {
        return text;
    }
    let mut parts: Vec<Option<String>> = Vec::new();
    let mut images = 0;
    for block in elements(content) {
        match member(block, b"type") {
            b"\"text\"" => parts.extend(string(member(block, b"text")).map(Some)),
            b"\"image\"" => {
                images += 1;
                parts.push(None);
            }
            _ => {}
        }
    }
    if images > 0 {
        let mut named = 0;
        for text in parts.iter_mut().flatten() {
            named += name_images(text, images - named);
        }
        // The blocks of those that the text names.
        parts.retain(|part| {
            let drop = part.is_none() && named > 0;
            named -= usize::from(drop);
            !drop
        });
    }
    let parts: Vec<String> = parts
        .into_iter()
        .map(|part| part.unwrap_or_else(|| "[image]".to_owned()))
        .collect();
    parts.join("\n")
}

/// Turns at most `most` placeholders `[Image #N]` into `[image]`; says how many.
fn name_images(text: &mut String, most: usize) -> usize {
    const LEAD: &str = "[Image #";
    let mut found = 0;
    let mut from = 0;
    while found < most {
        let Some(start) = text.get(from..).and_then(|rest| rest.find(LEAD)) else {
            break;
        };
        let start = from + start;
        let digits = text.get(start + LEAD.len()..).map_or(0, |rest| {
            rest.bytes().take_while(u8::is_ascii_digit).count()
        });
        let end = start + LEAD.len() + digits;
        if digits > 0 && text.get(end..).is_some_and(|rest| rest.starts_with(']')) {
            text.replace_range(start..=end, "[image]");
            found += 1;
        }
        from = start + 1;
    }
    found
}

/// The first text of a content, a string or the first text block.
fn first(content: &[u8]) -> &[u8] {
    if content.first() == Some(&b'"') {
        return content;
    }
    elements(content)
        .find(|block| member(block, b"type") == b"\"text\"")
        .map_or(b"", |block| member(block, b"text"))
}

/// Whether the content's first text begins so. `lead` has no character that JSON escapes.
pub(crate) fn begins(content: &[u8], lead: &str) -> bool {
    first(content)
        .get(1..)
        .is_some_and(|text| text.starts_with(lead.as_bytes()))
}

/// The exact form in which clients without a mark for it wrote a task notification.
pub(crate) fn is_notification(content: &[u8]) -> bool {
    borrowed_string(content).is_some_and(|text| {
        text.starts_with("<task-notification>\n<task-id>") && text.contains("</task-notification>")
    })
}

/// A slash command as it was typed: `/name args`.
pub(crate) fn command(content: &[u8]) -> Option<String> {
    let text = borrowed_string(first(content))?;
    let name = between(&text, "<command-name>", "</command-name>")?;
    let args = between(&text, "<command-args>", "</command-args>").unwrap_or_default();
    let slash = if name.starts_with('/') { "" } else { "/" };
    let gap = if args.is_empty() { "" } else { " " };
    Some(format!("{slash}{name}{gap}{args}"))
}

/// What stands between the first opening and the last closing tag: the text itself may name them.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    let (inner, _) = if open == "<command-args>" {
        rest.rsplit_once(close)?
    } else {
        rest.split_once(close)?
    };
    Some(inner)
}

/// What the person said when refusing a tool: behind the client's own fixed sentences, the same in
/// 2.1.59, 2.1.197 and 2.1.332.
pub(crate) fn refusal(content: &[u8]) -> Option<String> {
    const LEAD: &str = "The user doesn't want to proceed with this tool use.";
    const SAID: &str = "To tell you how to proceed, the user said:\n";
    // Added by the client when its auto memory is on.
    const NOTE: &str = "\n\nNote: The user's next message may contain a correction or preference.";
    if !begins(content, LEAD) {
        return None;
    }
    let text = typed(content);
    let (_, said) = text.split_once(SAID)?;
    let said = match said.rfind(NOTE) {
        Some(note) if said.ends_with("for future sessions.") => said.get(..note)?,
        _ => said,
    };
    (!said.trim().is_empty()).then(|| said.to_owned())
}

/// The answers to questions that are the person's own words and no option's label, each under its
/// question; `None` if there are none. `input`: of the tool call that asked.
pub(crate) fn answers(result: &[u8], input: Option<&[u8]>) -> Option<String> {
    let mut questions = member(result, b"questions");
    if questions.is_empty() {
        questions = member(input.unwrap_or_default(), b"questions");
    }
    let answers = member(result, b"answers");
    if questions.first() != Some(&b'[') || answers.first() != Some(&b'{') {
        return None;
    }
    let mut said = Vec::new();
    for (question, answer) in members(answers) {
        let (Some(question), Some(answer)) = (key(question), string(answer)) else {
            continue;
        };
        if answer.trim().is_empty() || is_choice(&answer, &labels(questions, &question)) {
            continue;
        }
        let mut entry = String::new();
        for line in question.split('\n') {
            entry.push_str("> ");
            entry.push_str(line);
            entry.push('\n');
        }
        entry.push('\n');
        entry.push_str(&answer);
        said.push(entry);
    }
    (!said.is_empty()).then(|| said.join("\n\n"))
}

fn key(raw: &[u8]) -> Option<String> {
    let mut quoted = Vec::with_capacity(raw.len() + 2);
    quoted.push(b'"');
    quoted.extend_from_slice(raw);
    quoted.push(b'"');
    string(&quoted)
}

fn labels(questions: &[u8], question: &str) -> Vec<String> {
    elements(questions)
        .filter(|one| string(member(one, b"question")).is_some_and(|text| text == question))
        .flat_map(|one| elements(member(one, b"options")))
        .filter_map(|option| string(member(option, b"label")))
        .collect()
}

/// One label, or several joined by a comma (a question with more than one choice).
fn is_choice(answer: &str, labels: &[String]) -> bool {
    // From each place that labels lead to, on. Labels may hold commas, so more than one may fit.
    let mut reached = vec![answer.trim()];
    let mut seen = Vec::new();
    while let Some(rest) = reached.pop() {
        if seen.contains(&rest.len()) {
            continue;
        }
        seen.push(rest.len());
        for label in labels {
            match rest.strip_prefix(label.trim()) {
                Some("") => return true,
                Some(more) => reached.extend(more.strip_prefix(',').map(str::trim_start)),
                None => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_rebuilt_as_typed() {
        for (stored, typed) in [
            (
                "<command-message>x</command-message>\\n<command-name>/x</command-name>\\n<command-args>a b  c</command-args>",
                "/x a b  c",
            ),
            (
                "<command-name>/p:x</command-name>\\n<command-args></command-args>",
                "/p:x",
            ),
            ("<command-name>x</command-name>", "/x"),
            (
                "<command-name>/x</command-name><command-args>say </command-args> twice</command-args>",
                "/x say </command-args> twice",
            ),
        ] {
            let raw = format!("\"{stored}\"");
            assert_eq!(command(raw.as_bytes()).as_deref(), Some(typed));
        }
    }

    #[test]
    fn images_are_named_once() {
        let image = r#"{"type":"image","source":{"data":"AAAA"}}"#;
        for (content, expected) in [
            (
                format!(r#"[{{"type":"text","text":"see"}},{image}]"#),
                "see\n[image]",
            ),
            (
                format!(
                    r#"[{{"type":"text","text":"see [Image #1] and [Image #2]"}},{image},{image}]"#
                ),
                "see [image] and [image]",
            ),
            (
                format!(r#"[{{"type":"text","text":"see [Image #1]"}},{image},{image}]"#),
                "see [image]\n[image]",
            ),
            (
                r#"[{"type":"text","text":"no [Image #1] here"},{"type":"text","text":"b"}]"#
                    .to_owned(),
                "no [Image #1] here\nb",
            ),
            (format!("[{image}]"), "[image]"),
            (
                r#""[Image #1] is only text""#.to_owned(),
                "[Image #1] is only text",
            ),
        ] {
            assert_eq!(typed(content.as_bytes()), expected);
        }
    }

    #[test]
    fn refusals_keep_the_persons_words_only() {
        let lead = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). ";
        let note = "\\n\\nNote: The user's next message may contain a correction or preference. Pay close attention — save that to memory for future sessions.";
        let said = format!(
            "\"{lead}To tell you how to proceed, the user said:\\nuse tabs\\n\\nNote: mine"
        );
        assert_eq!(
            refusal(format!("{said}\"").as_bytes()).as_deref(),
            Some("use tabs\n\nNote: mine")
        );
        assert_eq!(
            refusal(format!("{said}{note}\"").as_bytes()).as_deref(),
            Some("use tabs\n\nNote: mine")
        );
        let bare = format!(
            "\"{lead}STOP what you are doing and wait for the user to tell you how to proceed.\""
        );
        assert_eq!(refusal(bare.as_bytes()), None);
        assert_eq!(
            refusal(b"\"Exit code 1\\nTo tell you how to proceed, the user said:\\nx\""),
            None
        );
    }

    #[test]
    fn only_own_words_are_answers() {
        let result = |answers: &str| {
            format!(
                r#"{{"questions":[{{"question":"Colour?","options":[{{"label":"Red"}},{{"label":"Blue, dark"}}]}},{{"question":"Two\nlines?","options":[]}}],"answers":{answers}}}"#
            )
        };
        for (given, expected) in [
            (r#"{"Colour?":"Red"}"#, None),
            (r#"{"Colour?":"Blue, dark"}"#, None),
            (r#"{"Colour?":"Red, Blue, dark"}"#, None),
            (r#"{"Colour?":"Reddish"}"#, Some("> Colour?\n\nReddish")),
            (
                r#"{"Colour?":"Red, or so"}"#,
                Some("> Colour?\n\nRed, or so"),
            ),
            (r#"{"Colour?":" "}"#, None),
            (
                r#"{"Two\nlines?":"yes","Colour?":"mine"}"#,
                Some("> Two\n> lines?\n\nyes\n\n> Colour?\n\nmine"),
            ),
        ] {
            assert_eq!(answers(result(given).as_bytes(), None).as_deref(), expected);
        }
        assert_eq!(answers(br#"{"answers":{"a":"b"}}"#, None), None);
        assert_eq!(
            answers(
                br#"{"answers":{"a":"b"}}"#,
                Some(br#"{"questions":[{"question":"a","options":[{"label":"c"}]}]}"#)
            )
            .as_deref(),
            Some("> a\n\nb")
        );
    }
}
