//! Claude Code's transcripts.

use crate::scratch::Scratch;
use claude_hook::{PromptId, Role};
use std::path::Path;
use transcript::{Position, Report, Turn, client_version, last_stop, read, start_cwd};

fn all(path: &Path, from: &Position) -> (Vec<Turn>, Report) {
    let mut turns = Vec::new();
    let report = read(path, from, &mut |turn| turns.push(turn), &mut || true).unwrap();
    (turns, report)
}

/// Reading ends, says the same twice, and goes on from where it was; the tail can always be asked.
pub(crate) fn transcript(bytes: &[u8]) {
    let scratch = Scratch::new();
    let path = scratch.write("5f8d1a34-64d4-4c5a-9f43-0b6a4b0f3f10.jsonl", bytes);
    let (turns, report) = all(&path, &Position::default());
    assert!(report.complete);
    assert!(report.position.offset <= bytes.len() as u64);
    assert!(report.unreadable.len() as u64 <= report.unreadable_count);
    for said in turns.iter().flat_map(|turn| &turn.said) {
        assert!(!said.text.trim().is_empty(), "{said:?}");
        if said.role == Role::Assistant {
            assert_eq!(said.blocks.join("\n\n"), said.text);
        }
    }
    assert_eq!(
        all(&path, &Position::default()),
        (turns.clone(), report.clone())
    );

    // The position as the index keeps it; what it gives was given before.
    let kept = serde_json::to_string(&report.position).unwrap();
    let position: Position = serde_json::from_str(&kept).unwrap();
    assert_eq!(position, report.position);
    let (again, _) = all(&path, &position);
    for said in again.iter().flat_map(|turn| &turn.said) {
        let known = |turn: &Turn| turn.said.iter().any(|s| s.text == said.text);
        assert!(turns.iter().any(known), "{said:?} is new");
    }

    let mut said = turns.iter().flat_map(|turn| &turn.said);
    let prompt: Option<PromptId> = said.find_map(|said| said.turn.clone());
    for prompt in [None, prompt.as_ref()] {
        for limit in [0, 100, 32 << 20] {
            let stop = last_stop(&path, prompt, limit).unwrap().unwrap();
            for said in &stop.said {
                assert!(!said.text.trim().is_empty());
            }
        }
    }
    let _ = (client_version(&path), start_cwd(&path));
}
