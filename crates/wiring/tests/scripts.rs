//! `install.sh` and `hooks/run`, with stand-ins for cargo and the programs.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ALL: [&str; 6] = [
    "mnemo",
    "prompt-save",
    "tool-log",
    "response-save",
    "session-reconcile",
    "stop-trigger",
];

const ALL_SKILLS: [&str; 4] = ["memory-check", "memory-engine", "memory-garden", "mnemo"];

/// A home, a checkout and a cargo in a folder whose name is hard on scripts.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for folder in ["home", "checkout/hooks", "tools", "tmp"] {
            fs::create_dir_all(place.path(folder)).unwrap();
        }
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let skills = ALL_SKILLS.map(|name| format!("skills/{name}/SKILL.md"));
        let files = ["install.sh", "Cargo.toml", "hooks/run"].map(str::to_owned);
        for file in files.iter().chain(&skills) {
            let copy = place.path("checkout").join(file);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(repository.join(file), copy).unwrap();
        }
        place.tool("rustc", "echo 'rustc 1.99.0 (abc 2026-01-01)'");
        // Leaves programs that take their input and do nothing; mnemo notes its arguments.
        place.tool(
            "cargo",
            r#"printf '%s\n' "$*" > "$HOME/cargo-args"
mkdir -p "$CARGO_TARGET_DIR/release"
for name in mnemo prompt-save tool-log response-save session-reconcile stop-trigger; do
	cat > "$CARGO_TARGET_DIR/release/$name" <<'END'
#!/bin/sh
case ${0##*/} in mnemo) [ "$1" = --version ] || printf '%s\n' "$*" >> "$HOME/mnemo-args"; [ ! -e "$HOME/refuse" ] || exit 4 ;; esac
case ${1-} in --version) echo "${0##*/} 0.1.0" ;; esac
case ${1-} in --version | status | install | uninstall) ;; *) cat >/dev/null ;; esac
case "$*" in *--json*) printf '{\n  "findings": []\n}\n' ;; esac
END
	chmod 755 "$CARGO_TARGET_DIR/release/$name"
done"#,
        );
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        let folder = fs::canonicalize(self.0.path()).unwrap();
        folder.join("a b'c \"d\" $HOME 한글").join(name)
    }

    fn tool(&self, name: &str, script: &str) {
        program(&self.path("tools").join(name), script);
    }

    fn command(&self, script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command
            .arg(self.path("checkout").join(script))
            .env_clear()
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.path("tmp"))
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.path("tools").display()),
            );
        command
    }

    fn install(&self, args: &[&str]) -> Output {
        self.command("install.sh").args(args).output().unwrap()
    }

    fn bin(&self) -> PathBuf {
        self.path("home/.local/share/mnemo/bin")
    }

    fn mnemo_args(&self) -> String {
        fs::read_to_string(self.path("home/mnemo-args")).unwrap_or_default()
    }

    /// `hooks/run` with this input: what it printed. It must end with 0 and say nothing on stderr.
    fn run(&self, args: &[&str], input: &str, env: &[(&str, &Path)]) -> String {
        let mut child = self
            .command("hooks/run")
            .args(args)
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A write error would be the broken pipe that the client must never see.
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        assert_eq!(text(&out.stderr), "");
        text(&out.stdout)
    }
}

fn program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn install_builds_puts_in_place_links_wires_and_fails_loudly_when_nothing_is_recorded() {
    let place = Place::new();
    let out = place.install(&["--record-only"]);
    // The stand-ins write no day file, so the proof must fail.
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert!(text(&out.stderr).contains("the proof failed: there is no day file"));
    for name in ALL {
        assert!(place.bin().join(name).is_file(), "{name}");
    }
    assert_eq!(fs::read_dir(place.bin()).unwrap().count(), ALL.len());
    assert_eq!(
        fs::read_link(place.path("home/.local/bin/mnemo")).unwrap(),
        place.bin().join("mnemo")
    );
    assert_eq!(place.mnemo_args(), "install --record-only\n");
    let cargo = fs::read_to_string(place.path("home/cargo-args")).unwrap();
    assert!(cargo.starts_with("build --release --locked"), "{cargo}");
    assert!(
        ALL.iter()
            .all(|name| cargo.contains(&format!("--bin {name}"))),
        "{cargo}"
    );
    assert!(place.path("checkout/target/release/mnemo").exists());
    assert_eq!(
        fs::read_dir(place.path("tmp")).unwrap().count(),
        0,
        "the proof left something"
    );
}

#[test]
fn the_last_words_of_an_installation_are_the_next_step_and_the_path() {
    let place = Place::new();
    // Programs that leave what the proof looks for.
    place.tool(
        "cargo",
        r#"mkdir -p "$CARGO_TARGET_DIR/release"
for name in mnemo prompt-save tool-log response-save session-reconcile stop-trigger; do
	cat > "$CARGO_TARGET_DIR/release/$name" <<'END'
#!/bin/sh
[ -n "${CLAUDE_PROJECT_DIR-}" ] || exit 0
cat >/dev/null
folder=$CLAUDE_PROJECT_DIR/conversations
mkdir -p "$folder"
printf '%s\n' '## [1:2:3] User' 'Where is the parser? 한글도 됩니까? [PRIVATE]' \
	'## [1:2:3] Assistant' 'In src/parse.rs. 네, 됩니다.' >"$folder/day-claude.md"
printf '%s\n' '**Bash** ls src' >"$folder/day-toollog.md"
END
	chmod 755 "$CARGO_TARGET_DIR/release/$name"
done"#,
    );
    let last = |out: &Output| {
        assert!(out.status.success(), "{out:?}");
        let text = text(&out.stdout);
        let at = text.find("Next: ").unwrap();
        text[at..].to_owned()
    };
    let out = last(&place.install(&[]));
    assert!(out.starts_with("Next: open Claude Code"), "{out}");
    assert!(
        out.ends_with("  export PATH=\"$HOME/.local/bin:$PATH\"\n"),
        "{out}"
    );
    let mut command = place.command("install.sh");
    let path = format!(
        "{}:{}:/usr/bin:/bin",
        place.path("home/.local/bin").display(),
        place.path("tools").display()
    );
    let out = last(
        &command
            .arg("--no-settings")
            .env("PATH", path)
            .output()
            .unwrap(),
    );
    assert!(out.starts_with("Next: `mnemo install --dry-run`"), "{out}");
    assert!(!out.contains("PATH"), "{out}");
}

#[test]
fn a_read_only_checkout_builds_elsewhere() {
    let place = Place::new();
    let target = place.path("elsewhere");
    let mut command = place.command("install.sh");
    command
        .arg("--no-settings")
        .env("CARGO_TARGET_DIR", &target);
    command.output().unwrap();
    assert!(target.join("release/mnemo").exists());
    assert!(!place.path("checkout/target").exists());
    assert!(place.bin().join("mnemo").exists());
    assert_eq!(place.mnemo_args(), "");
}

#[test]
fn uninstall_takes_out_what_install_made_and_nothing_else() {
    let place = Place::new();
    let prefix = place.path("pre fix");
    place.install(&["--prefix", prefix.to_str().unwrap()]);
    assert!(prefix.join("bin/mnemo").exists());
    fs::write(prefix.join("bin/other"), "").unwrap();
    fs::create_dir_all(place.path("home/.local/state/mnemo")).unwrap();
    // Found by its link, without Rust.
    fs::remove_file(place.path("tools/cargo")).unwrap();
    let out = place.install(&["--uninstall"]);
    assert!(out.status.success(), "{out:?}");
    assert!(place.mnemo_args().ends_with("uninstall\n"));
    let left: Vec<_> = fs::read_dir(prefix.join("bin"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left, ["other"]);
    assert!(fs::symlink_metadata(place.path("home/.local/bin/mnemo")).is_err());
    assert!(place.path("home/.local/state/mnemo").exists());
}

#[test]
fn a_refusal_leaves_the_programs_and_is_passed_on() {
    let place = Place::new();
    place.install(&["--no-settings"]);
    fs::write(place.path("home/refuse"), "").unwrap();
    for args in [&["--uninstall"][..], &[]] {
        let out = place.install(args);
        assert_eq!(out.status.code(), Some(4), "{out:?}");
        assert!(place.bin().join("mnemo").exists());
    }
}

/// The settings as `mnemo install` leaves them, with the path of one hook as `path` spells it.
fn wire(place: &Place, path: &str) -> PathBuf {
    let file = place.path("home/.claude/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let line = format!("{{\n  \"command\": {}\n}}\n", serde_json::json!(path));
    fs::write(&file, line).unwrap();
    file
}

#[test]
fn programs_that_the_settings_still_run_are_not_taken_away() {
    let place = Place::new();
    place.install(&["--no-settings"]);
    let plain = format!("{}/tool-log", place.bin().display());
    let quoted = format!("'{}'", plain.replace('\'', "'\\''"));
    for path in [plain, quoted] {
        let file = wire(&place, &path);
        let out = place.install(&["--uninstall", "--no-settings"]);
        assert_eq!(out.status.code(), Some(4), "{out:?}");
        assert!(
            text(&out.stderr).contains(file.to_str().unwrap()),
            "{out:?}"
        );
        assert!(place.bin().join("tool-log").exists());
        assert_eq!(place.mnemo_args(), "");
    }
    wire(&place, "/elsewhere/tool-log");
    let out = place.install(&["--uninstall", "--no-settings"]);
    assert!(out.status.success(), "{out:?}");
    assert!(!place.bin().exists());
}

#[test]
fn lost_programs_are_told_and_can_still_be_uninstalled() {
    let place = Place::new();
    place.install(&[]);
    let skill = place.path("home/.claude/skills/mnemo/SKILL.md");
    fs::create_dir_all(skill.parent().unwrap()).unwrap();
    fs::copy(place.path("checkout/skills/mnemo/SKILL.md"), &skill).unwrap();
    wire(&place, &format!("{}/tool-log", place.bin().display()));
    fs::remove_dir_all(place.bin().parent().unwrap()).unwrap();

    let out = place.install(&["--check"]);
    assert_eq!(out.status.code(), Some(1));
    let said = text(&out.stdout);
    for line in [
        "broken   ".to_owned() + place.path("home/.local/bin/mnemo").to_str().unwrap(),
        "broken   ".to_owned() + place.path("home/.claude/settings.json").to_str().unwrap(),
        "ok       ".to_owned() + skill.parent().unwrap().to_str().unwrap(),
        "Next: ./install.sh".to_owned(),
    ] {
        assert!(said.contains(&line), "{line}\n{said}");
    }

    // Without any program of mnemo's: what to delete by hand.
    let built = place.path("checkout/target");
    let aside = place.path("checkout/aside");
    fs::rename(&built, &aside).unwrap();
    let out = place.install(&["--uninstall"]);
    assert_eq!(out.status.code(), Some(4), "{out:?}");
    let said = text(&out.stderr);
    assert!(said.contains("  2:  \"command\": "), "{said}");
    assert!(
        said.contains(skill.parent().unwrap().to_str().unwrap()),
        "{said}"
    );
    assert!(fs::symlink_metadata(place.path("home/.local/bin/mnemo")).is_ok());

    // The clone's own build takes the hooks out.
    fs::rename(&aside, &built).unwrap();
    let out = place.install(&["--uninstall"]);
    assert!(out.status.success(), "{out:?}");
    assert!(place.mnemo_args().ends_with("uninstall\n"));
    assert!(fs::symlink_metadata(place.path("home/.local/bin/mnemo")).is_err());
}

#[test]
fn a_dry_run_of_uninstall_removes_nothing_and_two_actions_are_refused() {
    let place = Place::new();
    place.install(&[]);
    for args in [["--dry-run", "--uninstall"], ["--uninstall", "--dry-run"]] {
        let out = place.install(&args);
        assert!(out.status.success(), "{out:?}");
        let said = text(&out.stdout);
        assert!(said.contains("Would remove from") && said.ends_with("Nothing was written.\n"));
        assert!(place.mnemo_args().ends_with("uninstall --dry-run\n"));
        assert!(ALL.iter().all(|name| place.bin().join(name).exists()));
        assert!(place.path("home/.local/bin/mnemo").exists());
    }
    let before = place.mnemo_args();
    for args in [
        &["--uninstall", "--check"][..],
        &["--check", "--uninstall", "--dry-run"],
        &["--check", "--dry-run"],
        &["--uninstall", "--no-skills"],
        &["--record-only", "--uninstall"],
        &["--check", "--replace-original"],
    ] {
        let out = place.install(args);
        assert_eq!(out.status.code(), Some(2), "{args:?} {out:?}");
        assert_eq!(text(&out.stderr).lines().count(), 1);
    }
    assert_eq!(place.mnemo_args(), before);
    assert!(place.bin().join("mnemo").exists());
}

#[test]
fn uninstall_leaves_an_empty_home_empty_and_says_what_stays() {
    let place = Place::new();
    place.install(&["--no-settings"]);
    let state = place.path("home/.local/state/mnemo");
    fs::create_dir_all(&state).unwrap();
    // Here and there before: not install's to take away.
    let prefix = place.path("home/opt");
    fs::create_dir_all(&prefix).unwrap();
    place.install(&["--no-settings", "--prefix", prefix.to_str().unwrap()]);
    place.install(&["--uninstall", "--prefix", prefix.to_str().unwrap()]);
    assert_eq!(fs::read_dir(&prefix).unwrap().count(), 0);

    place.install(&["--no-settings"]);
    let out = place.install(&["--uninstall"]);
    assert!(out.status.success(), "{out:?}");
    let said = text(&out.stdout);
    assert!(said.contains("Programs removed from"), "{said}");
    assert!(
        said.contains(&format!("Left: {}", state.display())),
        "{said}"
    );
    let left: Vec<_> = fs::read_dir(place.path("home/.local"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left, ["state"]);
    let said = text(&place.install(&["--uninstall"]).stdout);
    assert!(said.contains("There was nothing to remove"), "{said}");
    assert!(!said.contains("Programs removed"), "{said}");
}

#[test]
fn what_somebody_else_put_at_the_links_place_stays() {
    for foreign_link in [false, true] {
        let place = Place::new();
        let link = place.path("home/.local/bin/mnemo");
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        if foreign_link {
            symlink("/opt/other/tool", &link).unwrap();
        } else {
            fs::write(&link, "mine").unwrap();
        }
        let out = place.install(&[]);
        assert!(text(&out.stdout).contains("Left alone"), "{out:?}");
        place.install(&["--uninstall"]);
        assert!(fs::symlink_metadata(&link).is_ok());
        assert!(!place.bin().exists());
    }
}

#[test]
fn dry_run_and_check_change_nothing() {
    let place = Place::new();
    let out = place.install(&["--dry-run"]);
    assert!(out.status.success() && text(&out.stdout).contains("Nothing was written."));
    let out = place.install(&["--check"]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(text(&out.stdout).matches("missing  ").count(), 7, "{out:?}");
    assert!(text(&out.stdout).contains("Next: ./install.sh"));
    assert_eq!(fs::read_dir(place.path("home")).unwrap().count(), 0);

    place.install(&[]);
    let out = place.install(&["--check"]);
    assert!(out.status.success(), "{out:?}");
    assert!(text(&out.stdout).contains("ok       tool-log 0.1.0"));
    place.install(&["--dry-run", "--replace-original"]);
    assert!(
        place
            .mnemo_args()
            .ends_with("install --dry-run --replace-original\n")
    );
    fs::remove_file(place.bin().join("tool-log")).unwrap();
    assert_eq!(place.install(&["--check"]).status.code(), Some(1));
}

#[test]
fn without_a_fitting_rust_two_lines_say_what_to_do() {
    let place = Place::new();
    for version in ["1.88.9", "0.99.0", "1.9.0"] {
        place.tool("rustc", &format!("echo 'rustc {version} (x)'"));
        let out = place.install(&[]);
        assert_eq!(out.status.code(), Some(3), "{version}");
        assert_eq!(text(&out.stderr).lines().count(), 2, "{out:?}");
        assert!(text(&out.stderr).contains(version));
    }
    for version in ["1.89.0", "1.100.0", "2.0.0", "1.95.0-nightly"] {
        place.tool("rustc", &format!("echo 'rustc {version} (x)'"));
        assert_ne!(place.install(&[]).status.code(), Some(3), "{version}");
    }
    fs::remove_file(place.path("tools/rustc")).unwrap();
    let mut command = place.command("install.sh");
    let only = place.path("only");
    fs::create_dir(&only).unwrap();
    for tool in ["dirname", "sed", "head", "readlink", "cat", "sh"] {
        let real = ["/usr/bin", "/bin"].map(|d| Path::new(d).join(tool));
        symlink(real.iter().find(|p| p.exists()).unwrap(), only.join(tool)).unwrap();
    }
    let out = command.env("PATH", &only).output().unwrap();
    assert_eq!(out.status.code(), Some(3), "{out:?}");
    assert_eq!(text(&out.stderr).lines().count(), 2, "{out:?}");
}

#[test]
fn a_pinned_toolchain_that_is_not_installed_is_not_downloaded() {
    let place = Place::new();
    let pin = "[toolchain]\nchannel = \"1.95.0\"\n";
    fs::write(place.path("checkout/rust-toolchain.toml"), pin).unwrap();
    let note = r#"printf '%s' "${RUSTUP_TOOLCHAIN-}" > "$HOME/toolchain"; exit 1"#;
    place.tool("cargo", note);
    let used = |installed: &str, chosen: Option<&str>| {
        let script = format!(
            "case $1 in toolchain) echo {installed} ;; show) echo 'stable-x (default)' ;; esac"
        );
        place.tool("rustup", &script);
        let mut command = place.command("install.sh");
        command.envs(chosen.map(|chosen| ("RUSTUP_TOOLCHAIN", chosen)));
        assert_eq!(command.output().unwrap().status.code(), Some(3));
        fs::read_to_string(place.path("home/toolchain")).unwrap()
    };
    assert_eq!(used("stable-x", None), "stable-x");
    assert_eq!(used("1.95.0-x", None), "");
    assert_eq!(used("stable-x", Some("beta")), "beta");
}

#[test]
fn a_wrong_option_is_code_2() {
    let place = Place::new();
    let out = place.install(&["--frobnicate"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("--help"), "{out:?}");
    assert_eq!(place.install(&["--prefix"]).status.code(), Some(2));
    assert!(place.install(&["--help"]).status.success());
}

#[test]
fn the_plugin_runs_the_installed_program() {
    let place = Place::new();
    let payload = format!("{{\"prompt\":\"{}\"}}", "x".repeat(300_000));
    program(&place.bin().join("prompt-save"), "echo installed; wc -c");
    let said = place.run(&["prompt-save"], &payload, &[]);
    assert!(
        said.starts_with("installed") && said.contains(&payload.len().to_string()),
        "{said}"
    );

    let other = place.path("other");
    program(&other.join("prompt-save"), "cat >/dev/null; echo override");
    assert_eq!(
        place.run(&["prompt-save"], &payload, &[("MNEMO_BIN", &other)]),
        "override\n"
    );
    let xdg = place.path("xdg");
    program(
        &xdg.join("mnemo/bin/prompt-save"),
        "cat >/dev/null; echo xdg",
    );
    assert_eq!(
        place.run(&["prompt-save"], &payload, &[("XDG_DATA_HOME", &xdg)]),
        "xdg\n"
    );
    let relative = Path::new("relative");
    let said = place.run(&["prompt-save"], &payload, &[("XDG_DATA_HOME", relative)]);
    assert!(said.starts_with("installed"));
}

#[test]
fn the_plugin_finds_the_program_beside_the_companion_on_the_path() {
    let place = Place::new();
    let folder = place.path("pre fix/bin");
    program(&folder.join("tool-log"), "cat >/dev/null; echo beside");
    program(&folder.join("mnemo"), "exit 9");
    symlink(folder.join("mnemo"), place.path("tools/mnemo")).unwrap();
    assert_eq!(place.run(&["tool-log"], "{}", &[]), "beside\n");
    fs::remove_file(place.path("tools/mnemo")).unwrap();
    let path = PathBuf::from(format!("{}:/usr/bin:/bin", folder.display()));
    assert_eq!(
        place.run(&["tool-log"], "{}", &[("PATH", &path)]),
        "beside\n"
    );
}

#[test]
fn without_programs_the_plugin_is_silent_but_for_one_line_at_the_start() {
    let place = Place::new();
    let large = format!("{{\"prompt\":\"{}\"}}", "x".repeat(300_000));
    for name in &ALL[1..] {
        assert_eq!(place.run(&[name], &large, &[]), "");
    }
    let start = r#"{"session_id":"1","hook_event_name":"SessionStart","source":"startup"}"#;
    let said = place.run(&["session-reconcile"], start, &[]);
    assert_eq!(said.lines().count(), 1);
    assert!(said.contains("install.sh"), "{said}");
    assert!(
        said.contains(place.path("checkout").to_str().unwrap()),
        "{said}"
    );
    for quiet in [
        r#"{"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":"\"hook_event_name\":\"SessionStart\""}"#,
        r#"{"hook_event_name":"SessionStart","source":"compact"}"#,
        r#"{"hook_event_name":"SessionStart","source":"resume"}"#,
        "",
    ] {
        assert_eq!(place.run(&["session-reconcile"], quiet, &[]), "");
    }
    let off = Path::new("1");
    assert_eq!(
        place.run(&["session-reconcile"], start, &[("MNEMO_DISABLE", off)]),
        ""
    );
    assert_eq!(place.run(&["prompt-save"], start, &[]), "");
}

#[test]
fn the_plugin_runs_nothing_but_the_five() {
    let place = Place::new();
    program(&place.bin().join("mnemo"), "echo no");
    program(&place.path("home/.local/share/mnemo/evil"), "echo no");
    for name in ["mnemo", "../evil", "", "prompt-save/../../evil", "x"] {
        assert_eq!(place.run(&[name], "{}", &[]), "", "{name}");
    }
    assert_eq!(place.run(&[], "{}", &[]), "");
    // A folder or a file that may not be run is no program.
    fs::create_dir_all(place.bin().join("tool-log")).unwrap();
    fs::write(place.bin().join("prompt-save"), "").unwrap();
    for name in ["tool-log", "prompt-save"] {
        assert_eq!(place.run(&[name], "{}", &[]), "", "{name}");
    }
}
