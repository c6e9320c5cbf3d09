//! Many processes at once, and processes that are killed. The test executable plays the writers:
//! started again with a variable set, one of its tests does the writing.

use crate::common::{date, entry, noon, open, project};
use claude_hook::Role;
use record::day;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const WHERE: &str = "RECORD_TEST_WRITER";

fn writer(root: &Path, name: &str, entries: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["crowd::plays_a_writer", "--exact", "--nocapture"])
        .env(WHERE, format!("{name}\n{entries}\n{}", root.display()))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// One writer with another umask, waited for.
pub(crate) fn writer_under(root: &Path, umask: &str) {
    let status = Command::new("sh")
        .args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["crowd::plays_a_writer", "--exact"])
        .env(WHERE, format!("umask\n2\n{}", root.display()))
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn plays_a_writer() {
    let Ok(job) = std::env::var(WHERE) else {
        return;
    };
    let mut job = job.splitn(3, '\n');
    let name = job.next().unwrap();
    let entries: usize = job.next().unwrap().parse().unwrap();
    let record = open(Path::new(job.next().unwrap()));
    for number in 0..entries {
        let body = format!("{name}.{number}\n{}\n", "filler ".repeat(number * 7 % 900));
        loop {
            match record.conversations() {
                Ok(mut conversations) => {
                    conversations
                        .append(noon(), &[entry(Role::User, name, &body)])
                        .unwrap();
                    break;
                }
                Err(record::Error::File(safe_file::Error::Busy { .. })) => {}
                Err(error) => panic!("{error}"),
            }
        }
        let call = crate::tools::call("Bash", r#"{"command":"ls"}"#);
        record.log_tool(noon(), &call).unwrap();
    }
}

#[test]
fn sixty_four_writers_lose_and_tear_nothing() {
    const WRITERS: usize = 64;
    const ENTRIES: usize = 100;
    let (_dir, record) = project();
    let root = record.root().path();
    let children: Vec<Child> = (0..WRITERS)
        .map(|number| writer(root, &format!("w{number}"), ENTRIES))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let bytes = std::fs::read(record.day_path(date()).unwrap()).unwrap();
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    for located in day::parse(&bytes) {
        let marker = located.entry.marker.unwrap();
        let name = marker.turn.unwrap();
        let number = next.entry(name.clone()).or_default();
        let filler = "filler ".repeat(*number * 7 % 900);
        assert_eq!(located.entry.body, format!("{name}.{number}\n{filler}\n"));
        *number += 1;
    }
    assert_eq!(next.len(), WRITERS);
    assert!(next.values().all(|count| *count == ENTRIES));
    assert_eq!(bytes.windows(5).filter(|w| w == b"date:").count(), 1);
    let log = root.join(format!("conversations/{}-toollog.md", date()));
    let log = std::fs::read_to_string(log).unwrap();
    let lines = log
        .lines()
        .filter(|line| *line == "- `[12:00:00]` **Bash** ls");
    assert_eq!(lines.count(), WRITERS * ENTRIES);
    assert_eq!(log.lines().count(), WRITERS * ENTRIES + 7);
    let seen = root.join("memory/learned/observations.jsonl");
    let seen = std::fs::read_to_string(seen).unwrap();
    assert_eq!(seen.lines().count(), WRITERS * ENTRIES);
    let exclude = std::fs::read_to_string(root.join(".git/info/exclude")).unwrap();
    assert_eq!(exclude.matches("/conversations/\n").count(), 1, "{exclude}");
}

/// A kill can end a write at the border of a page: the next writer closes that entry off.
#[test]
fn a_killed_writer_costs_at_most_the_end_of_its_last_entry() {
    let (_dir, record) = project();
    for round in 0..10 {
        let mut child = writer(record.root().path(), &format!("k{round}"), 100_000);
        std::thread::sleep(std::time::Duration::from_millis(30 + round * 5));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut conversations = record.conversations().unwrap();
        let last = [entry(Role::Assistant, "after", &format!("after {round}"))];
        conversations.append(noon(), &last).unwrap();
    }
    let bytes = std::fs::read(record.day_path(date()).unwrap()).unwrap();
    let parsed = day::parse(&bytes);
    let after = |l: &&day::Located| l.entry.role == Role::Assistant;
    assert_eq!(parsed.iter().filter(after).count(), 10);
    let mut torn = 0;
    for located in parsed.iter().filter(|l| l.entry.role == Role::User) {
        let body = &located.entry.body;
        let number = body.split(['.', '\n']).nth(1).and_then(|n| n.parse().ok());
        let whole = number.map(|number: usize| "filler ".repeat(number * 7 % 900));
        let is_whole = whole.is_some_and(|whole| body.ends_with(&format!("\n{whole}\n")));
        torn += usize::from(!is_whole);
    }
    assert!(torn <= 10, "{torn} of {} entries are torn", parsed.len());
}
