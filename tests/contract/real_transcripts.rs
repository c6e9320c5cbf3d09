//! What is an entry, in transcripts that clients wrote.

use crate::common::{HOUR, MIDNIGHT, fixture, repair, repaired, touch};
use mnemo_tests::{TestEnv, Turn, assistant, user};

#[test]
fn real_records_of_three_versions_give_their_conversations() {
    let slow = "This answer takes a long time to stream because the mock is slow";
    let parser = "Plain final answer: the parser is in src/parse.rs.";
    let turns = repaired("old-compact.jsonl");
    assert_eq!(
        turns,
        [
            user("SCRIPT:tools first some work"),
            assistant("Running a command.\n\nAll tools ran; notes.txt now has gamma."),
            user("SCRIPT:plain after compaction"),
            assistant(parser),
        ]
    );
    let users = |name: &str| -> Vec<String> {
        let said = repaired(name).into_iter();
        said.filter(|t| *t == user(t.body.as_str()))
            .map(|t| t.body)
            .collect()
    };
    assert_eq!(
        users("old-slash-commands.jsonl"),
        [
            "/x alpha beta",
            "/greet Alice",
            "SCRIPT:skilltool use the skill",
            "SCRIPT:plain look at @data.txt please"
        ]
    );
    for name in ["old-queued.jsonl", "mid-queued.jsonl"] {
        assert_eq!(
            repaired(name),
            [
                user("SCRIPT:slowtools go"),
                user("also remember MARK-QUEUED please"),
                assistant("Slow tools finished.")
            ],
            "{name}"
        );
    }
    let nine: Vec<Turn> = (1..=9).map(|n| assistant(format!("Answer {n}."))).collect();
    assert_eq!(repaired("mid-stop-block-cap.jsonl")[1..], nine);
    assert_eq!(
        repaired("mid-interrupt.jsonl")[..2],
        [
            user("SCRIPT:slow one"),
            assistant(format!("Starting slow work.\n\n{slow}"))
        ]
    );
    assert_eq!(
        repaired("mid-background-agent.jsonl"),
        [
            user("SCRIPT:bgagent go"),
            assistant("Agent started in background."),
            assistant("Agent finished, noted.")
        ]
    );
    assert_eq!(
        repaired("new-bang-and-hash-1.jsonl"),
        [
            assistant("Default mock answer."),
            user("SCRIPT:plain after bang"),
            assistant(parser),
            user("#remember that MARK-HASH tabs are used"),
            assistant("(mock: end of script plain, turn 1)")
        ]
    );
    assert_eq!(
        users("new-ask-user-question-1.jsonl"),
        [
            "SCRIPT:askq go",
            "SCRIPT:askq again",
            "> Which colour do you want?\n\nMARK-OWN green please"
        ]
    );
    assert_eq!(
        users("new-stream-json-merged-image-1.jsonl")[1],
        "SCRIPT:korean second with an image\n[image]\nSCRIPT:plain third\nsecond text block"
    );
}

#[test]
fn a_fork_gives_the_common_part_once() {
    let mut env = TestEnv::new();
    env.now("2026-12-02T00:00:00Z");
    for name in ["new-fork-1.jsonl", "new-fork-2.jsonl"] {
        let (text, path) = fixture(&env, name);
        env.write(&path, text);
        repair(&env);
    }
    let firsts = env
        .turns()
        .iter()
        .filter(|t| **t == user("SCRIPT:plain first"))
        .count();
    assert_eq!((firsts, env.turns().len()), (1, 6));
}

#[test]
fn a_record_read_line_by_line_gives_the_same_as_at_once() {
    for name in [
        "mid-interrupt.jsonl",
        "old-queued.jsonl",
        "new-queued-while-streaming-1.jsonl",
    ] {
        let mut env = TestEnv::new();
        env.now("2026-12-02T00:00:00Z");
        let (text, path) = fixture(&env, name);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for end in 1..=lines.len() {
            env.write(&path, lines[..end].concat());
            touch(&path, MIDNIGHT + 6 * HOUR);
            env.mnemo(&["reconcile", "--all"]).ok();
        }
        assert_eq!(env.turns(), repaired(name), "{name}");
    }
}
