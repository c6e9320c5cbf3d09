//! What must hold for any transcript, tried on the real ones.

use super::*;
use proptest::prelude::*;
use std::fs;
use tempfile::NamedTempFile;

fn fixtures() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "jsonl")
                && !path.ends_with("hooks.jsonl")
            {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"),
        &mut found,
    );
    found.sort();
    assert!(found.len() > 80);
    found
}

fn file_of(bytes: &[u8]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    write(file.path(), bytes);
    file
}

/// With one time of change for all: records whose own is damaged can have the file's.
fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_800_000_000))
        .unwrap();
}

fn all(path: &Path, from: &Position) -> (Vec<(u64, Turn)>, Report) {
    let mut turns = Vec::new();
    let sink: weave::Sink = &mut |start, turn| turns.push((start, turn));
    let report = read_at(path, from, sink, &mut || true).unwrap();
    (turns, report)
}

/// What was said, wherever it stands.
fn texts(turns: &[(u64, Turn)]) -> Vec<String> {
    turns
        .iter()
        .flat_map(|(_, turn)| &turn.said)
        .map(|said| {
            format!(
                "{:?} {:?} {:?} {}",
                said.role, said.at, said.turn, said.text
            )
        })
        .collect()
}

/// Read in two runs, the second once the file has grown: what may change is read again.
fn in_two_runs(bytes: &[u8], cut: usize) -> Vec<(u64, Turn)> {
    let file = file_of(&bytes[..cut]);
    let (first, report) = all(file.path(), &Position::default());
    // The index keeps it as JSON.
    let kept = serde_json::to_string(&report.position).unwrap();
    let position: Position = serde_json::from_str(&kept).unwrap();
    assert_eq!(position, report.position);
    write(file.path(), bytes);
    let (second, _) = all(file.path(), &position);
    let done = first
        .into_iter()
        .filter(|(start, _)| *start < position.offset);
    done.chain(second).collect()
}

#[test]
fn two_runs_find_what_one_run_finds() {
    for path in fixtures() {
        let bytes = fs::read(&path).unwrap();
        let (expected, _) = all(&path, &Position::default());
        for (number, end) in memchr::memchr_iter(b'\n', &bytes).enumerate() {
            // At every line, and within some.
            let within = [end, end.saturating_sub(40)];
            let within = within.into_iter().filter(|_| number % 5 == 0);
            for cut in within.chain([end + 1]) {
                let found = in_two_runs(&bytes, cut);
                assert_eq!(found, expected, "{} cut at {cut}", path.display());
            }
        }
    }
}

#[test]
fn many_sessions_in_one_file_are_cut_anywhere() {
    // All that 2.1.332 wrote, as one file: other branches, long chains, turns that close.
    let mut bytes = Vec::new();
    for path in fixtures() {
        if path.to_string_lossy().contains("2.1.332") {
            bytes.extend(fs::read(&path).unwrap());
        }
    }
    let file = file_of(&bytes);
    let (expected, _) = all(file.path(), &Position::default());
    let lines: Vec<usize> = memchr::memchr_iter(b'\n', &bytes)
        .map(|at| at + 1)
        .collect();
    for cut in lines.iter().step_by(31) {
        assert_eq!(in_two_runs(&bytes, *cut), expected, "cut at {cut}");
    }
}

#[test]
fn stopping_early_loses_nothing() {
    let mut bytes = Vec::new();
    for path in fixtures() {
        bytes.extend(fs::read(&path).unwrap());
    }
    let file = file_of(&bytes);
    let (expected, whole) = all(file.path(), &Position::default());
    let mut found: Vec<(u64, Turn)> = Vec::new();
    let mut position = Position::default();
    let mut runs = 0;
    loop {
        let mut turns = Vec::new();
        let mut asked = 0;
        let report = read_at(
            file.path(),
            &position,
            &mut |start, turn| turns.push((start, turn)),
            &mut || {
                asked += 1;
                asked < 2
            },
        )
        .unwrap();
        runs += 1;
        found.retain(|(start, _)| *start < position.offset);
        found.extend(turns);
        position = report.position;
        if report.complete {
            assert_eq!(position, whole.position);
            break;
        }
    }
    assert!(runs > 2);
    assert_eq!(found, expected);
}

#[test]
fn a_position_of_another_file_is_not_believed() {
    let path = &fixtures()[0];
    let (expected, report) = all(path, &Position::default());
    for offset in [1, 17, report.bytes + 1, u64::MAX] {
        let position = Position {
            offset,
            ..report.position.clone()
        };
        assert_eq!(all(path, &position).0, expected);
    }
}

#[test]
fn whole_lines_around_damage_are_read() {
    for path in fixtures() {
        let bytes = fs::read(&path).unwrap();
        let (expected, _) = all(&path, &Position::default());
        let mut damaged = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            damaged.extend(b"{\"parentUuid\":\"torn\",\"type\":\"user\",\"message\":{\"content\":\"half a li\n");
            damaged.extend(b"\0\0\0\0\0\0\0\0\n\xff\xfe rubbish }}\n\n[]\n");
            damaged.extend(line);
        }
        let file = file_of(&damaged);
        let (found, report) = all(file.path(), &Position::default());
        assert_eq!(texts(&found), texts(&expected), "{}", path.display());
        assert!(report.unreadable_count > 3);
        assert!(report.unreadable.len() <= 20);
    }
}

#[test]
fn glued_records_are_told_apart() {
    for path in fixtures() {
        let bytes = fs::read(&path).unwrap();
        let (expected, _) = all(&path, &Position::default());
        // In pairs on one line, a torn one before every third pair, NUL bytes between.
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let mut glued = Vec::new();
        for (pair, two) in lines.chunks(2).enumerate() {
            if pair % 3 == 0 {
                glued.extend(b"{\"parentUuid\":\"torn\",\"message\":{\"role\":\"user\",\"content\":\"cut in a str");
            }
            if pair % 3 == 1 {
                glued.extend(b"\0\0\0");
            }
            for line in two {
                glued.extend(line.strip_suffix(b"\n").unwrap_or(line));
            }
            glued.push(b'\n');
        }
        let file = file_of(&glued);
        let (found, _) = all(file.path(), &Position::default());
        assert_eq!(texts(&found), texts(&expected), "{}", path.display());
    }
}

/// Some real lines to shuffle.
fn pool() -> Vec<Vec<u8>> {
    fixtures()
        .iter()
        .filter(|path| {
            let path = path.to_string_lossy();
            [
                "queued-mid-turn",
                "stop-block/",
                "parallel-resume",
                "interrupt",
                "slash",
            ]
            .iter()
            .any(|name| path.contains(name))
        })
        .flat_map(|path| {
            fs::read(path)
                .unwrap()
                .split_inclusive(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        })
        .collect()
}

proptest! {
    // Always the same cases: lines of many sessions, shuffled, are no file that a client writes, and of
    // some thousand such files one reads otherwise in two runs.
    #![proptest_config(ProptestConfig {
        cases: 256,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2026),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..4000)) {
        let file = file_of(&bytes);
        all(file.path(), &Position::default());
        last_stop(file.path(), None, 1 << 20).unwrap();
        client_version(file.path());
        start_cwd(file.path());
    }

    #[test]
    fn shuffled_and_damaged_lines_are_read_the_same_in_two_runs(
        picks in proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..8, any::<prop::sample::Index>()), 1..60),
        cut in any::<prop::sample::Index>(),
    ) {
        let pool = pool();
        let mut bytes = Vec::new();
        for (pick, damage, at) in picks {
            let mut line = pick.get(&pool).clone();
            let at = at.index(line.len());
            match damage {
                0 => line.truncate(at),
                1 => line[at] = 0,
                2 => { line.remove(at); }
                _ => {}
            }
            bytes.extend(line);
        }
        let file = file_of(&bytes);
        let (expected, _) = all(file.path(), &Position::default());
        let lines: Vec<usize> = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', &bytes).map(|at| at + 1))
            .collect();
        // What each says, and in which order. Times, sessions and ends that damage took away are
        // filled in from what stands around, which depends on where reading began.
        let words = |turns: Vec<(u64, Turn)>| -> Vec<(Role, String)> {
            turns
                .into_iter()
                .flat_map(|(_, turn)| turn.said)
                .map(|said| (said.role, said.text))
                .collect()
        };
        prop_assert_eq!(
            words(in_two_runs(&bytes, *cut.get(&lines))),
            words(expected)
        );
        last_stop(file.path(), None, 1 << 20).unwrap();
    }
}
