//! The client's settings file, edited and read.

use crate::scratch::Scratch;
use claude_home::{ClaudeHome, Settings, language};
use serde_json::Value;
use std::fs;
use wiring::{Options, PROGRAMS, inspect, install, uninstall};

/// Any file is refused and left alone, or gets our entries; a second time changes nothing, and
/// taking them out gives back what was there.
pub(crate) fn settings(bytes: &[u8]) {
    let scratch = Scratch::new();
    let env = scratch.env();
    let home = ClaudeHome::of(&env).unwrap();
    let path = scratch.write(".claude/settings.json", bytes);
    let read = Settings::load(&home, Some(&scratch.root()));
    drop(home.auto_memory(&scratch.root(), &read, &env));
    let _ = language(&mnemo_home::Config::default(), &read, &env);

    let programs = scratch.home().join("bin");
    for program in PROGRAMS {
        let file = scratch.write(
            &format!("bin/{program}{}", std::env::consts::EXE_SUFFIX),
            b"",
        );
        runnable(&file);
    }
    let mut options = Options {
        programs,
        ..Options::default()
    };
    options.record_only = bytes.len() % 2 == 1;
    options.replace_original = bytes.len() % 3 == 1;
    drop(inspect(&env));
    if install(&options, &env).is_err() {
        assert_eq!(fs::read(&path).unwrap(), bytes);
        return;
    }
    let installed = fs::read(&path).unwrap();
    let after = json(&installed);
    assert!(after.get("hooks").is_some());
    install(&options, &env).unwrap();
    assert_eq!(fs::read(&path).unwrap(), installed);
    inspect(&env).unwrap();

    // Not changed: the bytes from before.
    uninstall(&options, &env).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);

    // Changed by someone else: exactly our own entries go. (The original's come back in groups of
    // their own.)
    if !options.replace_original {
        install(&options, &env).unwrap();
        let mut touched = installed;
        touched.push(b'\n');
        fs::write(&path, &touched).unwrap();
        uninstall(&options, &env).unwrap();
        let parsed = |bytes: &[u8]| {
            if blank(bytes) {
                Value::Object(serde_json::Map::default())
            } else {
                json(bytes)
            }
        };
        assert_eq!(parsed(&fs::read(&path).unwrap()), parsed(bytes));
    }
}

fn blank(bytes: &[u8]) -> bool {
    without_mark(bytes).trim_ascii().is_empty()
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// What the client accepts and `serde_json` does not is left out of the comparison: numbers beyond
/// a double, and lone surrogates.
fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(without_mark(bytes)).unwrap_or_else(|error| {
        let why = error.to_string();
        let known = [
            "number out of range",
            "surrogate",
            "unexpected end of hex escape",
            "recursion limit",
        ];
        assert!(known.iter().any(|known| why.contains(known)), "{why}");
        serde_json::json!({"hooks": {}})
    })
}

#[cfg(unix)]
fn runnable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn runnable(_: &std::path::Path) {}
