//! mnemo under the real client: what was typed and what the (scripted) model said stands in the
//! record, turn for turn and byte for byte, in order, once; and repair brings the same turns back.
//!
//! Everything runs on the newest tested version; a shorter part on the older ones. Where the
//! client is missing the scenarios are left out, saying so; `MNEMO_REAL_CLIENT=required` makes
//! that a failure. `tests/client/fetch.sh` fetches the client.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests: a panic is how a test fails"
)]

use mnemo_tests::api::{Gate, Kind, Request};
use mnemo_tests::bins::{target, workspace};
use mnemo_tests::client::{World, result_of, scenario, scenario_in, scenario_with, session_of};
use mnemo_tests::day::Turn;
use mnemo_tests::env::days_in;
use mnemo_tests::tree::{Node, Tree};
use mnemo_tests::{Reply, Role, TestEnv, assistant, user, wait};
use serde_json::json;
use std::fs::File;
use std::time::{Duration, SystemTime};

const NEWEST: &str = "2.1.332";
const MIDDLE: &str = "2.1.197";
const OLDEST: &str = "2.1.59";

/// What the record must survive, once it holds `turns`: repair finds nothing to do, rebuilds a
/// deleted record to the same turns, does not depend on its index, and is stable.
#[track_caller]
fn rebuilds(w: &World, turns: &[Turn]) {
    let record = w.env.project().join("conversations");
    let entries = || {
        let tree = Tree::of(&record).without(&[".mnemo-index.json", ".mnemo.lock"]);
        assert!(
            tree.0.keys().any(|n| n.ends_with("-claude.md")),
            "no day file: {tree:?}"
        );
        tree
    };
    repair(w);
    assert_eq!(
        w.env.turns(),
        turns,
        "after a repair of a whole record\n{}",
        w.report()
    );
    std::fs::remove_dir_all(&record).unwrap();
    repair(w);
    assert_eq!(
        w.env.turns(),
        turns,
        "rebuilt from the transcripts\n{}",
        w.report()
    );
    let before = entries();
    let _ = std::fs::remove_file(record.join(".mnemo-index.json"));
    repair(w);
    assert_eq!(entries(), before, "after a repair without the index");
    repair(w);
    assert_eq!(entries(), before, "after one more repair");
    assert_eq!(w.env.errors(), [""; 0], "the error log");
}

fn repair(w: &World) {
    w.env.mnemo(&["reconcile", "--all"]).ok();
}

/// Holds back a shell command until [`release`]; gives up after a minute.
fn held(name: &str) -> String {
    format!(
        "i=0; while [ ! -e ../{name} ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done; echo {name}"
    )
}

fn release(w: &World, name: &str) {
    File::create(w.env.base().join(name)).unwrap();
}

/// What was said before the first answer.
fn prompt_of(request: &Request) -> String {
    let messages = request.body["messages"].as_array().unwrap();
    let before = messages.iter().take_while(|m| m["role"] != "assistant");
    before.map(|m| m["content"].to_string()).collect()
}

// ---------------------------------------------------------------- plain turns

fn plain_turn(version: &str) {
    scenario(version, |w| {
        w.install();
        w.api.say([Reply::default()
            .and_thinking("hm")
            .and_text("The parser is in src/parse.rs.\n\n#tags: parser, rust")]);
        let done = w.print("Where is the parser?").run().ok();
        let reply = "The parser is in src/parse.rs.\n\n#tags: parser, rust";
        assert_eq!(result_of(&done), reply);
        let turns = [user("Where is the parser?"), assistant(reply)];
        w.expect(&turns);

        let session = session_of(&done);
        let tree = w.env.tree();
        assert_eq!(tree.mode("conversations"), 0o700);
        for day in w.env.days() {
            assert_eq!(
                tree.mode(&format!("conversations/{}-claude.md", day.date)),
                0o600
            );
            assert!(
                day.front.contains(&"project: proj".to_owned()),
                "{:?}",
                day.front
            );
            for entry in &day.entries {
                assert_eq!(entry.attr("s"), Some(&session[..8]));
                assert_eq!(
                    entry.attr("id"),
                    day.entries[0].attr("id"),
                    "one turn, one id"
                );
            }
        }
        assert_eq!(
            w.env.git(&["status", "--porcelain"]).out(),
            "",
            "git status stays as it was"
        );
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 1);
        assert!(sent[0].text().contains("Where is the parser?"));
        assert!(
            !sent[0].text().to_lowercase().contains("hook success")
                && !sent[0].text().contains("hook additional context"),
            "hooks say nothing to the model"
        );
        rebuilds(w, &turns);
    });
}

#[test]
fn a_plain_turn() {
    plain_turn(NEWEST);
}

#[test]
fn a_plain_turn_2_1_197() {
    plain_turn(MIDDLE);
}

#[test]
fn a_plain_turn_2_1_59() {
    plain_turn(OLDEST);
}

fn texts_between_tools(version: &str) {
    scenario(version, |w| {
        w.install();
        let notes = w.env.project().join("notes.txt");
        w.api.say([
            Reply::text("  I look first. ").and_bash("echo hello-from-bash"),
            Reply::text("Now one that fails.").and_bash("echo oops >&2; exit 3"),
            Reply::tool("Write", json!({ "file_path": notes, "content": "alpha\n" })),
            Reply::tool("Read", json!({ "file_path": notes })),
            Reply::text("\nAll done: notes.txt is there.\n"),
        ]);
        let done = w.print("Run some tools").run().ok();
        assert_eq!(result_of(&done).trim(), "All done: notes.txt is there.");
        let turns = [
            user("Run some tools"),
            assistant("I look first.\n\nNow one that fails.\n\nAll done: notes.txt is there."),
        ];
        if version != NEWEST {
            // Older clients write their file up to a tenth of a second behind the hook, which
            // does not wait: repair completes the entry.
            wait::holds(Duration::from_secs(30), || w.env.turns().len() == 2);
            repair(w);
        }
        w.expect(&turns);
        let calls = w.env.calls();
        let calls: Vec<(&str, &str)> = calls
            .iter()
            .map(|c| (c.tool.as_str(), c.detail.as_str()))
            .collect();
        assert_eq!(
            calls,
            [
                ("Bash", "echo hello-from-bash"),
                ("Bash", "echo oops >&2; exit 3 — failed"),
                ("Write", "notes.txt"),
            ]
        );
        let tree = w.env.tree();
        let failures =
            String::from_utf8_lossy(tree.file("memory/gotchas/observations.jsonl")).into_owned();
        assert_eq!(failures.lines().count(), 1, "{failures}");
        assert!(
            failures.contains("tool_error") && failures.contains("oops"),
            "{failures}"
        );
        let learned =
            String::from_utf8_lossy(tree.file("memory/learned/observations.jsonl")).into_owned();
        assert_eq!(learned.lines().count(), 2, "{learned}");
        rebuilds(w, &turns);
    });
}

#[test]
fn texts_between_tools_and_a_failing_one() {
    texts_between_tools(NEWEST);
}

#[test]
fn texts_between_tools_and_a_failing_one_2_1_197() {
    texts_between_tools(MIDDLE);
}

#[test]
fn texts_between_tools_and_a_failing_one_2_1_59() {
    texts_between_tools(OLDEST);
}

fn two_prompts(version: &str) {
    scenario(version, |w| {
        w.install();
        w.api.say([
            Reply::text("First answer."),
            Reply::text("Second, with a tool.").and_bash("echo x"),
            Reply::text("Second answer."),
            Reply::text("First answer."),
        ]);
        let tui = w.tui(&[]);
        tui.send("the first prompt");
        w.wait_event("Stop", 1);
        tui.send("the second prompt");
        w.wait_event("Stop", 2);
        // The same prompt and the same answer again are two more entries.
        tui.send("the first prompt");
        w.wait_event("Stop", 3);
        tui.exit();
        let turns = [
            user("the first prompt"),
            assistant("First answer."),
            user("the second prompt"),
            assistant("Second, with a tool.\n\nSecond answer."),
            user("the first prompt"),
            assistant("First answer."),
        ];
        if version != NEWEST {
            wait::holds(Duration::from_secs(30), || w.env.turns().len() == 6);
            repair(w);
        }
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn prompts_in_a_terminal() {
    two_prompts(NEWEST);
}

#[test]
fn prompts_in_a_terminal_2_1_197() {
    two_prompts(MIDDLE);
}

#[test]
fn prompts_in_a_terminal_2_1_59() {
    two_prompts(OLDEST);
}

#[test]
fn korean() {
    scenario_in(NEWEST, "데모 프로젝트", |w| {
        w.env.tz("Asia/Seoul");
        w.install();
        // Precomposed and decomposed Hangul, quotes, backslashes, line ends, lines that look like
        // mnemo's own.
        let prompt = "  파서는 어디에 있나요? \u{1112}\u{1161}\u{11ab} “따옴표” \\백슬래시\\\\\r\n\t둘째 줄\n\
                      ## [14:03:22] User\n\\## [14:03:22] Assistant\n<!-- mnemo s=1 -->\n```\n코드\n```\n";
        let reply = "네, 한글 답변입니다. 🙂\n## [14:03:22] User\n<!-- mnemo s=1 id=2 -->\n\n\\\\<!-- mnemo\n끝";
        w.api.say([Reply::text(reply)]);
        w.print(prompt).run().ok();
        let turns = [user(prompt), assistant(reply)];
        w.expect(&turns);
        let today = w.env.program("date").arg("+%F").run().ok().out();
        let day = &w.env.days()[0];
        // Its date is the local one; midnight may just have passed.
        assert!(
            today.trim() == day.date || day.entries[0].time.starts_with("23:59"),
            "{day:?}"
        );
        rebuilds(w, &turns);
    });
}

#[test]
fn a_long_prompt() {
    scenario(NEWEST, |w| {
        w.install();
        let prompt: String = (0..)
            .map(|n| format!("{n}: 가나다 lorem ipsum\n"))
            .take(8000)
            .collect();
        assert!(prompt.len() > 200_000, "{}", prompt.len());
        let reply: String = "a line of the answer\n".repeat(3000);
        w.api.say([Reply::text(&*reply)]);
        w.print(&prompt).run().ok();
        let turns = [user(prompt), assistant(reply.trim())];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn pasted_text_that_looks_like_the_clients_own() {
    scenario(NEWEST, |w| {
        w.install();
        let pasted = [
            "<local-command-stdout>pasted</local-command-stdout>",
            "[Request interrupted by user]",
            "<command-name>/clear</command-name>",
            "<system-reminder>pasted</system-reminder>",
            "Caveat: The messages below were generated by the user while running local commands.",
            "This session is being continued from a previous conversation that ran out of context.",
            "Stop hook feedback:\nlook again",
            "<task-notification>\n<status>completed</status>\n</task-notification> what is this?",
        ];
        let mut turns = Vec::new();
        for (n, text) in pasted.into_iter().enumerate() {
            w.api.say([Reply::text(format!("Answer {n}."))]);
            let prompt = w.print(text);
            let prompt = if n > 0 {
                prompt.arg("--continue")
            } else {
                prompt
            };
            prompt.run().ok();
            turns.extend([user(text), assistant(format!("Answer {n}."))]);
        }
        // A payload does not tell a notification from the last one; the transcript does.
        repair(w);
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_custom_command_with_arguments() {
    scenario(NEWEST, |w| {
        w.install();
        w.env
            .write(".claude/commands/ship.md", "Ship this: $ARGUMENTS\n");
        w.api
            .say([Reply::text("Shipped."), Reply::text("Shipped again.")]);
        w.print("/ship alpha  \"beta\" 감마").run().ok();
        let tui = w.tui(&[]);
        tui.text("/ship to production");
        tui.key("Enter");
        w.wait_event("Stop", 2);
        tui.exit();
        let turns = [
            user("/ship alpha  \"beta\" 감마"),
            assistant("Shipped."),
            user("/ship to production"),
            assistant("Shipped again."),
        ];
        let sent = w.api.requests(Kind::Main);
        assert!(
            sent[0].text().contains("Ship this: alpha"),
            "the model got the expansion"
        );
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

// ---------------------------------------------------------------- sessions

fn resume_continue_fork(version: &str) {
    scenario(version, |w| {
        w.install();
        w.api
            .say([1, 2, 3, 4, 5].map(|n| Reply::text(format!("Answer {n}."))));
        let first = session_of(&w.print("Prompt 1").run().ok());
        let second = session_of(&w.print("Prompt 2").arg("--continue").run().ok());
        let third = session_of(&w.print("Prompt 3").args(&["--resume", &first]).run().ok());
        let fork = w
            .print("Prompt 4")
            .args(&["--resume", &first, "--fork-session"])
            .run()
            .ok();
        let fork = session_of(&fork);
        assert_eq!(
            (&second, &third),
            (&first, &first),
            "resumed sessions keep their id"
        );
        assert_ne!(fork, first, "a fork has its own");
        w.print("Prompt 5").args(&["--resume", &fork]).run().ok();
        let turns: Vec<Turn> = (1..=5)
            .flat_map(|n| {
                [
                    user(format!("Prompt {n}")),
                    assistant(format!("Answer {n}.")),
                ]
            })
            .collect();
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn resume_continue_and_fork() {
    resume_continue_fork(NEWEST);
}

#[test]
fn resume_continue_and_fork_2_1_197() {
    resume_continue_fork(MIDDLE);
}

#[test]
fn resume_continue_and_fork_2_1_59() {
    resume_continue_fork(OLDEST);
}

#[test]
fn a_compaction_by_hand() {
    scenario(NEWEST, |w| {
        w.install();
        w.api.say([
            Reply::text("Looking.").and_bash("echo one"),
            Reply::text("Looked."),
            Reply::text("After it."),
        ]);
        let session = session_of(&w.print("Before the compaction").run().ok());
        w.print("/compact keep the file names")
            .args(&["--resume", &session])
            .run()
            .ok();
        w.print("After the compaction")
            .args(&["--resume", &session])
            .run()
            .ok();
        assert_eq!(w.api.requests(Kind::Compact).len(), 1);
        let turns = [
            user("Before the compaction"),
            assistant("Looking.\n\nLooked."),
            user("After the compaction"),
            assistant("After it."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_compaction_by_itself() {
    scenario(NEWEST, |w| {
        w.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
        w.install();
        w.api.say([
            Reply::text("Filling.").and_bash("seq 1 2000").used(40_000),
            Reply::text("The context is full.").used(99_000),
            Reply::text("After it."),
        ]);
        let model = ["--model", "claude-sonnet-4-5"];
        w.print("Fill the context").args(&model).run().ok();
        w.print("After the compaction")
            .args(&model)
            .arg("--continue")
            .run()
            .ok();
        assert_eq!(w.api.requests(Kind::Compact).len(), 1, "it was compacted");
        let turns = [
            user("Fill the context"),
            assistant("Filling.\n\nThe context is full."),
            user("After the compaction"),
            assistant("After it."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn two_clients_at_once() {
    scenario(NEWEST, |w| {
        w.install();
        for name in ["left", "right"] {
            let both =
                "while [ ! -e ../left.there ] || [ ! -e ../right.there ]; do sleep 0.05; done";
            let meet = format!(": > ../{name}.there; {both}; echo {name}");
            w.api.say_to(
                &format!("I am {name}"),
                [
                    Reply::text(format!("{name} meets.")).and_bash(&meet),
                    Reply::text(format!("{name} has met.")),
                ],
            );
        }
        let runs = ["left", "right"].map(|name| w.print(&format!("I am {name}")).start());
        let sessions = runs.map(|run| session_of(&run.wait().ok()));
        let turns = |name: &str| {
            [
                user(format!("I am {name}")),
                assistant(format!("{name} meets.\n\n{name} has met.")),
            ]
        };
        let by_session = || {
            let entries: Vec<_> = w.env.days().into_iter().flat_map(|d| d.entries).collect();
            sessions.clone().map(|session| {
                let own = entries
                    .iter()
                    .filter(|e| e.attr("s") == Some(&session[..8]));
                own.map(|e| e.turn.clone()).collect::<Vec<_>>()
            })
        };
        assert!(
            wait::holds(Duration::from_secs(30), || w.env.turns().len() == 4),
            "{:#?}",
            w.env.turns()
        );
        assert_eq!(by_session(), ["left", "right"].map(|n| turns(n).to_vec()));
        assert!(
            w.env.turns()[..2].iter().all(|t| t.role == Role::User),
            "they ran at once"
        );
        repair(w);
        assert_eq!(w.env.turns().len(), 4, "{:#?}", w.env.turns());
        std::fs::remove_dir_all(w.env.project().join("conversations")).unwrap();
        repair(w);
        assert_eq!(by_session(), ["left", "right"].map(|n| turns(n).to_vec()));
    });
}

#[test]
fn one_session_in_two_windows() {
    scenario(NEWEST, |w| {
        w.install();
        w.api.say([Reply::text("Begun.")]);
        let session = session_of(&w.print("Begin").run().ok());
        for name in ["left", "right"] {
            let both =
                "while [ ! -e ../left.there ] || [ ! -e ../right.there ]; do sleep 0.05; done";
            let meet = format!(": > ../{name}.there; {both}; echo {name}");
            let said = [
                Reply::text(format!("{name} meets.")).and_bash(&meet),
                Reply::text(format!("{name} has met.")),
            ];
            w.api.say_to(&format!("I am {name}"), said);
        }
        // Neither writes its prompt before both have read the record: the later one would take up
        // the other's turn.
        let base = w.env.base();
        let (script, typed) = (base.join("record.sh"), base.join("typed-"));
        let typed = typed.display();
        let barrier = format!(
            "if grep -q '\"UserPromptSubmit\"' \"$f.json\"; then : > '{typed}'$$\n\
             while [ $(ls '{typed}'* | wc -l) -lt 2 ]; do sleep 0.05; done; fi\n"
        );
        let record = std::fs::read_to_string(&script).unwrap();
        w.env.write(&script, record + &barrier);
        let resume = |name: &str| {
            let prompt = w.print(&format!("I am {name}"));
            prompt.args(&["--resume", &session]).start()
        };
        for run in ["left", "right"].map(resume) {
            run.wait().ok();
        }
        let mut turns = vec![user("Begin"), assistant("Begun.")];
        for name in ["left", "right"] {
            turns.push(user(format!("I am {name}")));
            turns.push(assistant(format!("{name} meets.\n\n{name} has met.")));
        }
        turns.sort();
        let sorted = || {
            let mut turns = w.env.turns();
            turns.sort();
            turns
        };
        wait::holds(Duration::from_secs(30), || sorted().len() == 6);
        repair(w);
        assert_eq!(sorted(), turns, "{}", w.report());
        std::fs::remove_dir_all(w.env.project().join("conversations")).unwrap();
        repair(w);
        assert_eq!(sorted(), turns, "rebuilt");
    });
}

/// Starts a turn, lets it say something and run a tool, and kills the client while the next
/// answer comes.
fn killed(w: &World) {
    w.install_earlier(Duration::from_secs(3600));
    w.api.say([
        Reply::text("I begin.").and_bash("echo begun"),
        Reply::text("This answer never comes to its end.").hangs(),
    ]);
    let run = w.print("A long job").start();
    w.api.wait_count(2);
    w.expect(&[user("A long job")]);
    // What the client has not written down when it dies is lost with it.
    let projects = w.env.home().join(".claude/projects");
    let written = || {
        let files = Tree::of(&projects).0;
        files.values().any(|node| {
            matches!(node, Node::File(_, bytes)
                if String::from_utf8_lossy(bytes).contains("\"I begin.\""))
        })
    };
    assert!(wait::holds(Duration::from_secs(60), written), "not written");
    run.kill();
    // Across sessions entries stand by the second: what comes next shall be in a later one.
    std::thread::sleep(Duration::from_millis(1100));
}

#[test]
fn a_killed_client_taken_up_again_at_once() {
    scenario(NEWEST, |w| {
        killed(w);
        w.api.say([Reply::text("On with it.")]);
        w.print("Go on").arg("--continue").run().ok();
        let turns = [
            user("A long job"),
            assistant("I begin."),
            user("Go on"),
            assistant("On with it."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_killed_client_and_a_fresh_start() {
    scenario(NEWEST, |w| {
        killed(w);
        w.api
            .say([Reply::text("New answer."), Reply::text("Newer answer.")]);
        w.print("A new talk").run().ok();
        // The killed turn might still be running in another window.
        w.expect(&[
            user("A long job"),
            user("A new talk"),
            assistant("New answer."),
        ]);
        let said = w.env.mnemo(&["reconcile", "--all"]).ok().out();
        assert!(said.contains("1 turn still running, left alone"), "{said}");
        // Later nobody writes there any more.
        let killed = w.transcripts().into_iter().find(|t| {
            let text = std::fs::read_to_string(t).unwrap();
            text.contains("A long job")
        });
        let past = SystemTime::now() - Duration::from_secs(11 * 60);
        File::options()
            .append(true)
            .open(killed.unwrap())
            .unwrap()
            .set_modified(past)
            .unwrap();
        w.print("A newer talk").run().ok();
        let turns = [
            user("A long job"),
            assistant("I begin."),
            user("A new talk"),
            assistant("New answer."),
            user("A newer talk"),
            assistant("Newer answer."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_killed_client_called_finished_by_hand() {
    scenario(NEWEST, |w| {
        killed(w);
        w.env.mnemo(&["reconcile", "--finished"]).ok();
        w.expect(&[user("A long job"), assistant("I begin.")]);
    });
}

fn api_error(version: &str) {
    scenario(version, |w| {
        w.install();
        w.api.when(|request| {
            let again = request.text().contains("Ask again");
            (!again).then(|| Reply::error(400, "invalid_request_error", "a scripted refusal"))
        });
        w.api.say([Reply::text("It works again.")]);
        let failed = w.print("Ask in vain").run();
        assert!(failed.out().contains("scripted refusal"), "{failed:?}");
        w.print("Ask again").arg("--continue").run().ok();
        let turns = [
            user("Ask in vain"),
            user("Ask again"),
            assistant("It works again."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn an_api_error() {
    api_error(NEWEST);
}

#[test]
fn an_api_error_2_1_59() {
    // There it raises an ordinary Stop, the error being the last message.
    api_error(OLDEST);
}

// ---------------------------------------------------------------- in the middle of a turn

fn queued(version: &str) {
    scenario(version, |w| {
        w.install();
        w.api.say([
            Reply::text("Working.").and_bash(&held("go")),
            Reply::text("Still working.").and_bash("echo more"),
            Reply::text("Both done."),
        ]);
        let tui = w.tui(&[]);
        tui.send("start the work");
        w.api.wait_count(1);
        tui.wait_for("Working.");
        tui.send("and also mind 한글");
        // Queued: it has left the input line for the queue.
        assert!(
            wait::holds(Duration::from_secs(60), || w.transcripts().iter().any(
                |t| {
                    std::fs::read_to_string(t)
                        .unwrap()
                        .contains("and also mind")
                }
            )),
            "not queued:\n{}",
            tui.screen()
        );
        release(w, "go");
        w.wait_event("Stop", 1);
        tui.exit();
        let sent = w.api.requests(Kind::Main);
        assert!(
            sent[1].text().contains("and also mind 한글"),
            "absorbed between the tools"
        );
        let turns = [
            user("start the work"),
            user("and also mind 한글"),
            assistant("Working.\n\nStill working.\n\nBoth done."),
        ];
        if version != NEWEST {
            wait::holds(Duration::from_secs(30), || w.env.turns().len() == 3);
            repair(w);
        }
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_prompt_queued_while_tools_run() {
    queued(NEWEST);
}

#[test]
fn a_prompt_queued_while_tools_run_2_1_197() {
    queued(MIDDLE);
}

#[test]
fn a_prompt_queued_while_tools_run_2_1_59() {
    queued(OLDEST);
}

#[test]
fn a_prompt_queued_while_an_answer_streams() {
    scenario(NEWEST, |w| {
        w.install();
        let gate = Gate::new();
        w.api.say(
            [
                Reply::text("The first answer."),
                Reply::text("The second answer."),
            ]
            .map(|r| r.after(&gate)),
        );
        let tui = w.tui(&[]);
        tui.send("first question");
        w.api.wait_count(1);
        tui.send("second question");
        w.wait_event("UserPromptSubmit", 2);
        gate.open();
        w.wait_event("Stop", 2);
        tui.exit();
        // Both were typed before the first answer came.
        let turns = [
            user("first question"),
            user("second question"),
            assistant("The first answer."),
            assistant("The second answer."),
        ];
        w.expect(&turns);
        repair(w);
        w.expect(&turns);
        // The transcript does not say when the second was typed: once each, in either order.
        std::fs::remove_dir_all(w.env.project().join("conversations")).unwrap();
        repair(w);
        let mut rebuilt = w.env.turns();
        rebuilt.sort();
        let mut once = turns.to_vec();
        once.sort();
        assert_eq!(rebuilt, once);
    });
}

#[test]
fn an_answer_in_own_words() {
    scenario(NEWEST, |w| {
        w.install();
        let question = |q: &str| {
            json!({ "questions": [{
                "question": q, "header": "Colour", "multiSelect": false,
                "options": [
                    { "label": "Red", "description": "warm" },
                    { "label": "Blue", "description": "cold" },
                ],
            }]})
        };
        w.api.say([
            Reply::text("One question.")
                .and_tool("AskUserQuestion", question("Which colour do you want?")),
            Reply::text("And another.").and_tool("AskUserQuestion", question("And for the roof?")),
            Reply::text("Painted."),
        ]);
        let tui = w.tui(&[]);
        tui.send("paint it");
        // An option's label is not the person's own words.
        tui.wait_for("Which colour do you want?");
        tui.key_until("Enter", "And for the roof?");
        tui.key_until("Down", "❯ 2. Blue");
        tui.key_until("Down", "❯ 3.");
        tui.text("초록 green, please");
        tui.key("Enter");
        w.wait_event("Stop", 1);
        tui.exit();
        let turns = [
            user("paint it"),
            user("> And for the roof?\n\n초록 green, please"),
            assistant("One question.\n\nAnd another.\n\nPainted."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn an_answer_cut_short() {
    scenario(NEWEST, |w| {
        w.install();
        w.api.say([
            Reply::text("Working.").and_bash("echo one"),
            Reply::text("This answer is cut. ".repeat(40)).slowly(20, Duration::from_millis(200)),
            Reply::text("The next answer."),
        ]);
        let tui = w.tui(&[]);
        tui.send("a prompt");
        tui.wait_for("This answer is cut. This answer is cut.");
        tui.key("Escape");
        tui.wait_for("Interrupted");
        tui.key("C-u");
        tui.send("the next prompt");
        w.wait_event("Stop", 1);
        tui.exit();
        repair(w);
        let turns = w.env.turns();
        let roles: Vec<Role> = turns.iter().map(|t| t.role).collect();
        assert_eq!(
            roles,
            [Role::User, Role::Assistant, Role::User, Role::Assistant],
            "{turns:#?}"
        );
        assert_eq!(turns[0].body, "a prompt");
        assert!(
            turns[1]
                .body
                .starts_with("Working.\n\nThis answer is cut. This answer"),
            "{turns:#?}"
        );
        assert_eq!(
            turns[2..],
            [user("the next prompt"), assistant("The next answer.")]
        );
        rebuilds(w, &turns);
    });
}

fn subagent(w: &World, input: serde_json::Value) {
    w.install();
    w.api.when(|request| {
        let inside = prompt_of(request).contains("SUBTASK");
        let messages = request.body["messages"].as_array();
        let asked = messages.is_some_and(|m| m.iter().any(|m| m["role"] == "assistant"));
        match (inside, asked) {
            (false, _) => None,
            (true, false) => Some(Reply::text("Said inside.").and_bash("echo in-subagent")),
            (true, true) => Some(Reply::text("Report: nothing unusual.")),
        }
    });
    w.api
        .say([Reply::text("I send somebody.").and_tool("Agent", input)]);
}

#[test]
fn a_subagent_in_the_foreground() {
    // There it is the default.
    scenario(MIDDLE, |w| {
        let input = json!({ "description": "Look around", "prompt": "SUBTASK look around", "subagent_type": "general-purpose" });
        subagent(w, input);
        w.api.say([Reply::text("They are back.")]);
        w.print("Send somebody").run().ok();
        let turns = [
            user("Send somebody"),
            assistant("I send somebody.\n\nThey are back."),
        ];
        wait::holds(Duration::from_secs(30), || w.env.turns().len() == 2);
        repair(w);
        w.expect(&turns);
        agent_calls(w);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_subagent_in_the_background() {
    scenario(NEWEST, |w| {
        let input = json!({
            "description": "Look around", "prompt": "SUBTASK look around", "subagent_type": "general-purpose",
            "run_in_background": true,
        });
        subagent(w, input);
        w.api.say([
            Reply::text("They are on their way."),
            Reply::text("They are back."),
        ]);
        w.print("Send somebody").run().ok();
        let turns = [
            user("Send somebody"),
            assistant("I send somebody.\n\nThey are on their way."),
            assistant("They are back."),
        ];
        w.expect(&turns);
        let entries: Vec<_> = w.env.days().into_iter().flat_map(|d| d.entries).collect();
        assert_eq!(entries[0].attr("id"), entries[1].attr("id"));
        assert_ne!(
            entries[1].attr("id"),
            entries[2].attr("id"),
            "the answer to a notification is its own turn"
        );
        agent_calls(w);
        rebuilds(w, &turns);
    });
}

fn agent_calls(w: &World) {
    let calls = w.env.calls();
    let mut calls: Vec<(&str, &str)> = calls
        .iter()
        .map(|c| (c.tool.as_str(), c.detail.as_str()))
        .collect();
    calls.sort_unstable();
    assert_eq!(
        calls,
        [
            ("Agent", "general-purpose: Look around"),
            ("Bash", "echo in-subagent (agent: general-purpose)")
        ]
    );
}

#[test]
fn words_with_a_refusal() {
    scenario(NEWEST, |w| {
        w.install();
        w.api.say([
            Reply::text("I make a file.").and_bash("touch made"),
            Reply::text("Then I leave it."),
        ]);
        let tui = w.tui(&[]);
        tui.send("make something");
        tui.wait_for("Do you want to proceed?");
        tui.key_until("Down", "❯ 2. No");
        tui.key_until("Tab", "tell Claude");
        tui.text("rather 하지 마, not now");
        tui.key("Enter");
        w.wait_event("Stop", 1);
        tui.exit();
        assert!(!w.env.project().join("made").exists());
        let turns = [
            user("make something"),
            user("rather 하지 마, not now"),
            assistant("I make a file.\n\nThen I leave it."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_turn_that_a_hook_continues() {
    scenario(NEWEST, |w| {
        w.install();
        let script = "cat >/dev/null; [ -e ../sent-back ] || { : > ../sent-back; \
                      echo '{\"decision\": \"block\", \"reason\": \"look once more\"}'; }\n";
        let script = w.env.write(w.env.base().join("back.sh"), script);
        let hook = json!({ "type": "command", "command": format!("sh {}", script.display()) });
        let settings = json!({ "hooks": { "Stop": [{ "hooks": [hook] }] } });
        w.env.write(".git/info/exclude", ".claude\n");
        w.env
            .write(".claude/settings.local.json", settings.to_string());
        w.api.say([
            Reply::text("Looking.").and_bash("echo one"),
            Reply::text("Looked."),
            Reply::text("Once more.").and_bash("echo two"),
            Reply::text("It is as I said."),
        ]);
        w.print("look at it").run().ok();
        let turns = [
            user("look at it"),
            assistant("Looking.\n\nLooked."),
            assistant("Once more.\n\nIt is as I said."),
        ];
        w.expect(&turns);
        let entries: Vec<_> = w.env.days().into_iter().flat_map(|d| d.entries).collect();
        assert_eq!(entries[1].attr("id"), entries[2].attr("id"), "one turn");
        rebuilds(w, &turns);
    });
}

#[test]
fn the_clients_own_commands_are_no_prompts() {
    scenario(NEWEST, |w| {
        w.install();
        w.api.say([
            Reply::text("First answer."),
            Reply::text("About the output."),
            Reply::text("Second answer."),
        ]);
        let tui = w.tui(&[]);
        tui.send("before");
        w.wait_event("Stop", 1);
        tui.send("/nosuchcommand at all");
        tui.wait_for("Unknown");
        // The output of a shell command that the person runs is answered, and is no prompt.
        tui.send("!echo from-the-shell");
        w.wait_event("Stop", 2);
        tui.send("/clear");
        w.wait_event("SessionStart", 2);
        tui.send("after");
        w.wait_event("Stop", 3);
        tui.exit();
        let turns = [
            user("before"),
            assistant("First answer."),
            assistant("About the output."),
            user("after"),
            assistant("Second answer."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

// ---------------------------------------------------------------- places

#[test]
fn a_worktree_writes_to_the_main_one() {
    scenario(NEWEST, |w| {
        w.install();
        let tree = w.env.base().join("feature");
        w.env.git(&[
            "worktree",
            "add",
            "-q",
            "-b",
            "feature/x",
            tree.to_str().unwrap(),
        ]);
        w.api
            .say([Reply::text("In main."), Reply::text("In the worktree.")]);
        w.print("in main").run().ok();
        w.print("in the worktree").cwd(&tree).run().ok();
        let turns = [
            user("in main"),
            assistant("In main."),
            user("in the worktree"),
            assistant("In the worktree."),
        ];
        w.expect(&turns);
        assert_eq!(days_in(&tree), []);
        for dir in [w.env.project(), &tree] {
            let status = w
                .env
                .program("git")
                .args(&["status", "--porcelain"])
                .cwd(dir)
                .run()
                .ok();
            assert_eq!(status.out(), "", "{}", dir.display());
        }
        rebuilds(w, &turns);
    });
}

#[test]
fn a_sub_directory_writes_to_the_root() {
    scenario(NEWEST, |w| {
        w.install();
        let sub = w.env.project().join("crates/core");
        std::fs::create_dir_all(&sub).unwrap();
        w.api.say([
            Reply::text("Moving.").and_bash("cd .. && pwd"),
            Reply::text("From below."),
        ]);
        w.print("below").cwd(&sub).run().ok();
        let turns = [user("below"), assistant("Moving.\n\nFrom below.")];
        w.expect(&turns);
        assert_eq!(Tree::of(&w.env.project().join("crates")).names(), ["core"]);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_configuration_folder_elsewhere() {
    let elsewhere = |env: &mut TestEnv| {
        let dir = env.base().join("config of mine");
        env.config_dir(&dir);
        env.umask(0);
    };
    scenario_with(NEWEST, "proj", elsewhere, |w| {
        w.install();
        w.api.say([Reply::text("From there.")]);
        w.print("from where?").run().ok();
        let turns = [user("from where?"), assistant("From there.")];
        w.expect(&turns);
        let tree = w.env.tree();
        for name in tree.names() {
            let mode = tree.mode(name);
            assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}");
        }
        assert!(!w.env.home().join(".claude").exists());
        rebuilds(w, &turns);
    });
}

#[test]
fn outside_a_project_nothing_is_written() {
    scenario(NEWEST, |w| {
        w.install();
        let plain = w.env.base().join("plain");
        std::fs::create_dir_all(&plain).unwrap();
        w.api.say([Reply::text("Here.")]);
        w.print("anybody there?").cwd(&plain).run().ok();
        w.wait_event("SessionEnd", 1);
        assert_eq!(Tree::of(&plain).names(), [""; 0]);
        assert_eq!(w.env.tree().names(), [""; 0]);
        assert_eq!(w.env.errors(), [""; 0]);
    });
}

/// `search` is how this version looks through files.
fn own_search(version: &str, search: Reply) {
    scenario(version, |w| {
        w.install();
        w.api.say([Reply::text("The zanzibar cache it is.")]);
        let yesterday = SystemTime::now() - Duration::from_secs(24 * 3600);
        let yesterday = yesterday.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let yesterday = yesterday.as_secs().to_string();
        w.print("Which cache?")
            .env("MNEMO_NOW", yesterday)
            .run()
            .ok();
        assert_eq!(w.env.days().len(), 1, "{}", w.report());
        let file = format!("conversations/{}-claude.md", w.env.days()[0].date);
        w.api.say([search, Reply::text("Found.")]);
        w.print("What did we say yesterday?").run().ok();
        let sent = w.api.requests(Kind::Main);
        let result = sent.last().unwrap().last();
        let found = result.contains(&file) && result.contains("The zanzibar cache it is.");
        assert!(found, "{result}");
        assert_eq!(w.env.git(&["status", "--porcelain"]).out(), "");
        assert_eq!(w.env.days().len(), 2);
    });
}

#[test]
fn the_assistants_own_search_finds_the_record() {
    // `grep` there is the client's own, which heeds a .gitignore.
    own_search(NEWEST, Reply::bash("grep -rn zanzibar"));
}

#[test]
fn the_assistants_own_search_finds_the_record_2_1_197() {
    own_search(MIDDLE, Reply::bash("grep -rn zanzibar"));
}

#[test]
fn the_assistants_own_search_finds_the_record_2_1_59() {
    // Its Grep heeds git's exclude file too, unless the folder is named.
    let input = json!({ "pattern": "zanzibar", "output_mode": "content", "path": "conversations" });
    own_search(OLDEST, Reply::tool("Grep", input));
}

// ---------------------------------------------------------------- the checkpoint

/// What the checkpoint asks for: words that its prompt has in English.
const DIMENSIONS: &str = "7 dimensions";

#[test]
fn a_checkpoint_that_falls_due_comes_once() {
    scenario(NEWEST, |w| {
        w.env
            .set("MNEMO_STOPS", "2")
            .set("MNEMO_MINUTES", "0")
            .set("MNEMO_LANGUAGE", "en");
        w.install();
        w.api.say([
            Reply::text("First answer."),
            Reply::text("Second answer."),
            Reply::text("[Memory checkpoint] Nothing to keep."),
            Reply::text("Third answer."),
        ]);
        let tui = w.tui(&[]);
        tui.send("first");
        w.wait_event("Stop", 1);
        tui.send("second");
        w.wait_event("Stop", 3);
        tui.send("third");
        w.wait_event("Stop", 4);
        tui.exit();
        let stops = w.payloads("Stop");
        let active: Vec<bool> = stops
            .iter()
            .map(|s| s["stop_hook_active"] == true)
            .collect();
        assert_eq!(active, [false, false, true, false]);
        let sent = w.api.requests(Kind::Main);
        let asked: Vec<bool> = sent.iter().map(|r| r.text().contains(DIMENSIONS)).collect();
        assert_eq!(asked[..3], [false, false, true], "{}", sent[2].last());
        assert_eq!(sent.len(), 4, "one turn more, no loop");
        assert!(!sent[3].last().contains(DIMENSIONS), "not asked twice");
        let turns = [
            user("first"),
            assistant("First answer."),
            user("second"),
            assistant("Second answer."),
            assistant("[Memory checkpoint] Nothing to keep."),
            user("third"),
            assistant("Third answer."),
        ];
        w.expect(&turns);
        let entries: Vec<_> = w.env.days().into_iter().flat_map(|d| d.entries).collect();
        assert_eq!(entries[3].attr("id"), entries[4].attr("id"), "one turn");
        rebuilds(w, &turns);
    });
}

#[test]
fn a_checkpoint_on_an_old_client_comes_with_the_next_prompt() {
    scenario(OLDEST, |w| {
        w.env
            .set("MNEMO_STOPS", "1")
            .set("MNEMO_MINUTES", "0")
            .set("MNEMO_LANGUAGE", "en");
        w.install();
        w.api
            .say([Reply::text("First answer."), Reply::text("Second answer.")]);
        let tui = w.tui(&[]);
        tui.send("first");
        w.wait_event("Stop", 1);
        assert!(!tui.shows("hook error"), "{}", tui.screen());
        tui.send("second");
        w.wait_event("Stop", 2);
        assert!(!tui.shows("hook error"), "{}", tui.screen());
        tui.exit();
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 2, "no turn more");
        assert!(sent[1].text().contains(DIMENSIONS), "{}", sent[1].last());
        let turns = [
            user("first"),
            assistant("First answer."),
            user("second"),
            assistant("Second answer."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
    });
}

#[test]
fn a_checkpoint_leaves_print_mode_alone() {
    scenario(NEWEST, |w| {
        w.env
            .set("MNEMO_STOPS", "1")
            .set("MNEMO_MINUTES", "0")
            .set("MNEMO_LANGUAGE", "en");
        w.install();
        w.api
            .say([Reply::text("First answer."), Reply::text("Second answer.")]);
        for (prompt, reply) in [("first", "First answer."), ("second", "Second answer.")] {
            let done = w.print(prompt).run().ok();
            assert_eq!(result_of(&done), reply);
        }
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 2);
        assert!(sent.iter().all(|r| !r.text().contains(DIMENSIONS)));
    });
}

// ---------------------------------------------------------------- on, off, away

#[test]
fn off_means_off() {
    scenario(NEWEST, |w| {
        w.install();
        let before = w.env.tree();
        w.api.say([
            Reply::text("A quiet answer."),
            Reply::text("A loud answer."),
        ]);
        let quiet = w
            .print("a quiet question")
            .env("MNEMO_DISABLE", "1")
            .run()
            .ok();
        assert_eq!(w.env.tree(), before);
        w.print("a loud question").run().ok();
        let turns = [user("a loud question"), assistant("A loud answer.")];
        w.expect(&turns);
        rebuilds(w, &turns);
        w.env.tree().nowhere("quiet");
        Tree::of(&w.env.state()).nowhere("quiet");
        // Taken up again with mnemo on, the rest of that session is recorded.
        w.api.say([Reply::text("An open answer.")]);
        let session = session_of(&quiet);
        w.print("an open question")
            .args(&["--resume", &session])
            .run()
            .ok();
        let turns = [
            user("a loud question"),
            assistant("A loud answer."),
            user("an open question"),
            assistant("An open answer."),
        ];
        w.expect(&turns);
        rebuilds(w, &turns);
        w.env.tree().nowhere("quiet");
    });
}

#[test]
fn private_and_secret_text_reaches_no_file() {
    scenario(NEWEST, |w| {
        w.install();
        let token = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        w.api.say([
            Reply::text(format!("I use {token}."))
                .and_bash(&format!("echo hidden; : {token}; exit 1")),
            Reply::text("Noted <private>my inner words</private>."),
        ]);
        w.print("keep <private>my secret wish</private> to yourself")
            .run()
            .ok();
        let shown = [
            user("keep [PRIVATE] to yourself"),
            assistant("I use [REDACTED:github].\n\nNoted [PRIVATE]."),
        ];
        wait::holds(Duration::from_secs(30), || w.env.turns().len() == 2);
        let turns = w.env.turns();
        assert_eq!(turns[0], shown[0]);
        assert!(turns[1].body.starts_with("I use [REDACTED:"), "{turns:?}");
        assert!(turns[1].body.ends_with("\n\nNoted [PRIVATE]."), "{turns:?}");
        rebuilds(w, &turns);
        for tree in [w.env.tree(), Tree::of(&w.env.state())] {
            tree.nowhere(&token);
            tree.nowhere("secret wish");
            tree.nowhere("inner words");
        }
    });
}

fn install_and_uninstall(version: &str) {
    scenario(version, |w| {
        w.install();
        let wired = w.settings_now();
        assert_ne!(wired, w.settings_before());
        w.install();
        assert_eq!(w.settings_now(), wired, "a second install changes nothing");
        w.api.say([Reply::text("Wired."), Reply::text("Unwired.")]);
        w.print("before").run().ok();
        let turns = [user("before"), assistant("Wired.")];
        w.expect(&turns);
        let others = w.payloads("Stop").len();
        assert_eq!(others, 1, "somebody else's hooks still run");
        w.env.mnemo(&["uninstall"]).ok();
        let now = w.settings_now();
        assert_eq!(
            String::from_utf8_lossy(&now),
            String::from_utf8_lossy(w.settings_before())
        );
        w.print("after").run().ok();
        w.wait_event("Stop", 2);
        w.expect(&turns);
    });
}

#[test]
fn install_and_uninstall_give_the_settings_back() {
    install_and_uninstall(NEWEST);
}

#[test]
fn install_and_uninstall_give_the_settings_back_2_1_59() {
    install_and_uninstall(OLDEST);
}

#[test]
fn the_installer_of_the_repository() {
    scenario(NEWEST, |w| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
        let mut path = std::path::Path::new(&cargo)
            .parent()
            .unwrap()
            .as_os_str()
            .to_owned();
        path.push(":");
        path.push(w.env.var("PATH").unwrap());
        let home = std::env::home_dir().unwrap();
        let of_home = |name: &str, folder: &str| {
            std::env::var_os(name).map_or_else(|| home.join(folder), std::path::PathBuf::from)
        };
        let installer = |args: &[&str]| {
            let cmd = w
                .env
                .program(workspace().join("install.sh"))
                .args(args)
                .env("PATH", &path);
            let cmd = cmd
                .env("CARGO_HOME", of_home("CARGO_HOME", ".cargo"))
                .env("RUSTUP_HOME", of_home("RUSTUP_HOME", ".rustup"))
                .env("CARGO_TARGET_DIR", target())
                .env("CARGO_NET_OFFLINE", "true");
            cmd.limit(Duration::from_secs(900)).run().ok()
        };
        installer(&[]);
        assert_ne!(w.settings_now(), w.settings_before());
        w.api.say([Reply::text("Installed."), Reply::text("Gone.")]);
        w.print("installed?").run().ok();
        let turns = [user("installed?"), assistant("Installed.")];
        w.expect(&turns);
        installer(&["--uninstall"]);
        let now = w.settings_now();
        assert_eq!(
            String::from_utf8_lossy(&now),
            String::from_utf8_lossy(w.settings_before())
        );
        w.print("gone?").run().ok();
        w.wait_event("Stop", 2);
        w.expect(&turns);
    });
}
