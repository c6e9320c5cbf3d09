//! Transcripts that Claude Code 2.1.59, 2.1.197 and 2.1.332 really wrote, against what was said
//! in them (golden files, read by eye) and against what the hooks were sent in the same runs.
//! `UPDATE_EXPECTED=1` writes the golden files anew.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail the test, as the tests do"
)]

use claude_hook::Role;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use transcript::{Position, Turn, last_stop, read};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

/// All scenarios: one folder each.
fn scenarios() -> Vec<PathBuf> {
    below(&fixtures())
        .iter()
        .flat_map(|version| below(version))
        .collect()
}

fn transcripts(scenario: &Path) -> Vec<PathBuf> {
    below(scenario)
        .into_iter()
        .filter(|file| {
            file.extension().is_some_and(|ext| ext == "jsonl") && !file.ends_with("hooks.jsonl")
        })
        .collect()
}

fn turns(file: &Path) -> Vec<Turn> {
    let mut turns = Vec::new();
    let report = read(
        file,
        &Position::default(),
        &mut |turn| turns.push(turn),
        &mut || true,
    )
    .unwrap();
    assert_eq!(report.unreadable, [], "{}", file.display());
    assert!(report.complete);
    turns
}

fn shown(turns: &[Turn]) -> String {
    let mut out = String::new();
    for turn in turns {
        let state = if turn.finished { "finished" } else { "open" };
        let cwd = turn.cwd.as_deref().unwrap_or(Path::new("-"));
        writeln!(out, "turn {state} {}", cwd.display()).unwrap();
        for one in &turn.said {
            let id = one.turn.as_ref().map_or("-", |id| &id.as_str()[..8]);
            writeln!(
                out,
                "  {:?} {} id={id} session={} records={} messages={}",
                one.role,
                one.at.format("%H:%M:%S%.3f"),
                &one.session.as_str()[..8],
                one.records.len(),
                one.messages.len(),
            )
            .unwrap();
            for line in one.text.split('\n') {
                writeln!(out, "    |{line}").unwrap();
            }
        }
    }
    out
}

#[test]
fn what_was_said_is_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    for scenario in scenarios() {
        for file in transcripts(&scenario) {
            let found = shown(&turns(&file));
            let golden = file.with_extension("expected");
            if update {
                fs::write(&golden, &found).unwrap();
            }
            let expected = fs::read_to_string(&golden).unwrap();
            assert_eq!(found, expected, "{}", file.display());
        }
    }
}

fn payloads(scenario: &Path) -> Vec<serde_json::Value> {
    fs::read_to_string(scenario.join("hooks.jsonl"))
        .unwrap_or_default()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Whether the hooks saw prompts that the transcript does not hold: another hook rejected them, or
/// the rewritten file begins behind them.
fn may_lack(scenario: &Path, text: &str) -> bool {
    scenario.ends_with("prompt-blocked")
        || (scenario.ends_with("compact-rewritten-file") && !text.contains("after the compaction"))
}

#[test]
fn every_prompt_and_reply_of_the_hooks_is_in_the_turns() {
    let mut checked = 0;
    for scenario in scenarios() {
        let all: Vec<Turn> = transcripts(&scenario)
            .iter()
            .flat_map(|file| turns(file))
            .collect();
        let said: Vec<_> = all.iter().flat_map(|turn| &turn.said).collect();
        for payload in payloads(&scenario) {
            let session = payload["session_id"].as_str().unwrap();
            let id = payload["prompt_id"].as_str();
            if let Some(prompt) = payload["prompt"].as_str() {
                let notification = prompt.starts_with("<task-notification>");
                // A payload leaves the images of a prompt out.
                let found = said.iter().any(|one| {
                    one.role == Role::User
                        && one.session.as_str() == session
                        && one.text.replace("[image]\n", "") == prompt
                });
                let expected = !notification && !may_lack(&scenario, prompt);
                assert_eq!(found, expected, "{prompt:?} of {}", scenario.display());
            } else if let Some(reply) = payload["last_assistant_message"].as_str() {
                let found = said.iter().any(|one| {
                    one.role == Role::Assistant
                        && one.session.as_str() == session
                        && (one.turn.as_ref().map(claude_hook::PromptId::as_str) == id
                            || scenario.ends_with("compact-rewritten-file"))
                        && one.blocks.last().is_some_and(|last| last == reply)
                });
                // 2.1.59 stops with the text of an API error.
                let error = reply.starts_with("API Error") || reply.starts_with("Invalid API key");
                let gone = scenario.ends_with("compact-rewritten-file") && reply == "Huge done.";
                let expected = !error && !gone;
                assert_eq!(found, expected, "{reply:?} of {}", scenario.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn at_each_stop_the_tail_shows_the_reply() {
    let mut checked = 0;
    for scenario in scenarios() {
        for file in transcripts(&scenario) {
            let bytes = fs::read(&file).unwrap();
            let turns = turns(&file);
            let stopped = turns.iter().filter(|turn| turn.finished);
            for said in stopped.flat_map(|turn| &turn.said) {
                if said.role == Role::User {
                    continue;
                }
                // The file when the hook runs: up to the reply's last line.
                let last = format!("\"uuid\":\"{}\"", said.records.last().unwrap().as_str());
                let mut end = 0;
                for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                    end += line.len();
                    if String::from_utf8_lossy(line).contains(&last) {
                        break;
                    }
                }
                let cut = tempfile::NamedTempFile::new().unwrap();
                fs::write(cut.path(), &bytes[..end]).unwrap();
                let stop = last_stop(cut.path(), said.turn.as_ref(), 32 << 20)
                    .unwrap()
                    .unwrap();
                // What 2.1.197 made up to keep a cut answer is told by what follows it.
                // And where the prompt's line comes after the reply's, the turn has no name yet.
                let early = scenario.ends_with("stop-async-rewake-tui");
                let Some(shown) = stop.said.last().filter(|one| one.blocks == said.blocks) else {
                    let cut_off = ["interrupt", "killed", "sigint", "notification"]
                        .iter()
                        .any(|name| scenario.ends_with(name));
                    assert!(cut_off, "{}: {:?}", file.display(), said.text);
                    continue;
                };
                assert_eq!(shown.session, said.session);
                assert!(stop.turn == said.turn || early && stop.turn.is_none());
                checked += 1;
            }
        }
    }
    assert!(checked > 120, "{checked}");
}

#[test]
fn an_old_clients_queue_is_seen_at_the_stop() {
    let file = fixtures().join("2.1.59/queued-mid-turn/session-1.jsonl");
    let text = fs::read_to_string(file).unwrap();
    let upto = text.find("\"subtype\":\"stop_hook_summary\"").unwrap();
    let upto = text[..upto].rfind('\n').unwrap();
    let cut = tempfile::NamedTempFile::new().unwrap();
    fs::write(cut.path(), &text[..=upto]).unwrap();
    let stop = last_stop(cut.path(), None, 32 << 20).unwrap().unwrap();
    let said: Vec<_> = stop.said.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(
        said,
        ["also remember MARK-QUEUED please", "Slow tools finished."]
    );
}

#[test]
fn the_tail_shows_what_the_whole_file_shows() {
    for scenario in scenarios() {
        for file in transcripts(&scenario) {
            let all = turns(&file);
            let stop = last_stop(&file, None, 32 << 20).unwrap().unwrap();
            let tail: Vec<_> = stop.said.iter().map(|one| &one.text).collect();
            // Behind a stop mark nothing is left to say; else it is the end of the last turn.
            let last = all.iter().flat_map(|turn| &turn.said).map(|one| &one.text);
            let last: Vec<_> = last.collect();
            assert!(
                last.ends_with(&tail) || scenario.ends_with("parallel-resume"),
                "{}: {tail:?}",
                file.display()
            );
        }
    }
}
