//! The configuration, from files as people (and repositories) write them.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests, their helpers included"
)]

use mnemo_home::{Config, DEFAULT_TOOLS_SKIP, Deliver, Env, Language};
use std::path::{Path, PathBuf};

struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir_all(home.path("home/.config/mnemo")).unwrap();
        std::fs::create_dir_all(home.path("project")).unwrap();
        home
    }
    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }
    fn user(self, text: &str) -> Self {
        std::fs::write(self.path("home/.config/mnemo/config.yaml"), text).unwrap();
        self
    }
    fn project(self, text: &str) -> Self {
        std::fs::write(self.path("project/.mnemo.yaml"), text).unwrap();
        self
    }
    fn load_with(&self, pairs: &[(&str, &str)]) -> (Config, Vec<String>) {
        let home = self.path("home");
        let env = Env::from_pairs(
            pairs
                .iter()
                .copied()
                .chain([("HOME", home.to_str().unwrap())]),
        );
        Config::load(&env, Some(&self.path("project")))
    }
    fn load(&self) -> (Config, Vec<String>) {
        self.load_with(&[])
    }
    /// For files that are in order.
    fn config(&self) -> Config {
        let (config, problems) = self.load();
        assert_eq!(problems, Vec::<String>::new());
        config
    }
}

fn strictest() -> Config {
    Config {
        marked_only: true,
        redact_secrets: true,
        ..Config::default()
    }
}

#[test]
fn without_files_the_defaults_hold() {
    let config = Home::new().config();
    assert_eq!(config, Config::default());
    assert_eq!(config.language, None);
    assert!(!config.marked_only && config.scaffold && config.redact_secrets);
    assert_eq!(
        (config.checkpoint_stops, config.checkpoint_minutes),
        (20, 30)
    );
    assert_eq!(config.deliver, Deliver::Stop);
    assert_eq!(config.rules_dir, ".claude/rules");
    assert_eq!(config.tools_skip, DEFAULT_TOOLS_SKIP);
    assert_eq!(Config::load(&Env::default(), None), (config, vec![]));
}

#[test]
fn empty_files_change_nothing() {
    for text in [
        "",
        "\n",
        "# nothing yet\n",
        "---\n",
        "checkpoint:\ncapture:\nredact:\n",
    ] {
        assert_eq!(
            Home::new().user(text).project(text).config(),
            Config::default()
        );
    }
}

#[test]
fn the_users_file_sets_everything() {
    let config = Home::new()
        .user(concat!(
            "language: ko\ncapture: marked\nscaffold: false\nredact:\n  secrets: false\n",
            "checkpoint:\n  stops: 5\n  minutes: 0\n  deliver: next-prompt\n  rules_dir: docs/rules\n",
            "rules_dirs: [a, 'b c']\ntools:\n  skip:\n    - Read\n    - mcp__x\n",
        ))
        .config();
    assert_eq!(
        config,
        Config {
            language: Some(Language::Ko),
            marked_only: true,
            scaffold: false,
            redact_secrets: false,
            checkpoint_stops: 5,
            checkpoint_minutes: 0,
            deliver: Deliver::NextPrompt,
            rules_dir: "docs/rules".into(),
            rules_dirs: vec!["a".into(), "b c".into()],
            tools_skip: vec!["Read".into(), "mcp__x".into()],
            narrowed_by_project: vec![],
        }
    );
}

#[test]
fn keys_with_dots_mean_the_same() {
    let config = Home::new()
        .user("redact.secrets: false\ncheckpoint.deliver: off\ntools.skip: Bash\n")
        .config();
    assert!(!config.redact_secrets);
    assert_eq!(config.deliver, Deliver::Off);
    assert_eq!(config.tools_skip, ["Bash"]);
}

#[test]
fn a_project_may_do_less() {
    let config = Home::new()
        .user("redact: {secrets: false}\nlanguage: ko\ntools: {skip: [Read]}\n")
        .project(concat!(
            "language: de\ncapture: marked\nscaffold: false\nredact: {secrets: true}\n",
            "checkpoint: {stops: 40, minutes: 60, deliver: off}\ntools: {skip: [Bash, Read, Bash]}\n",
        ))
        .config();
    assert_eq!(
        config,
        Config {
            language: Some(Language::De),
            marked_only: true,
            scaffold: false,
            redact_secrets: true,
            checkpoint_stops: 40,
            checkpoint_minutes: 60,
            deliver: Deliver::Off,
            tools_skip: vec!["Read".into(), "Bash".into()],
            narrowed_by_project: [
                "language: de",
                "capture: marked",
                "scaffold: false",
                "redact.secrets: true",
                "checkpoint.stops: 40",
                "checkpoint.minutes: 60",
                "checkpoint.deliver: off",
                "tools.skip: Bash",
            ]
            .map(str::to_owned)
            .to_vec(),
            ..Config::default()
        }
    );
}

#[test]
fn a_project_may_never_do_more() {
    let user = "capture: marked\nscaffold: false\ncheckpoint: {deliver: next-prompt}\n";
    for line in [
        "capture: all",
        "scaffold: true",
        "redact: {secrets: false}",
        "checkpoint: {stops: 1}",
        "checkpoint: {minutes: 29}",
        "checkpoint: {deliver: stop}",
        "checkpoint: {rules_dir: /etc}",
        "rules_dirs: [/etc]",
    ] {
        let before = Home::new().user(user).config();
        let (config, problems) = Home::new().user(user).project(line).load();
        assert_eq!(config, before, "{line}");
        assert_eq!(problems.len(), 1, "{line}: {problems:?}");
        assert!(problems[0].contains(".mnemo.yaml: `"), "{problems:?}");
    }
}

#[test]
fn saying_what_holds_already_is_no_change_and_no_problem() {
    let config = Home::new()
        .project("capture: all\nscaffold: true\nredact: {secrets: true}\ncheckpoint: {stops: 20, minutes: 30, deliver: stop}\ntools: {skip: [Read]}\nlanguage: auto\n")
        .config();
    assert_eq!(config, Config::default());
}

#[test]
fn a_value_of_the_wrong_type_costs_its_key_only() {
    for (text, key) in [
        ("checkpoint: {stops: many}", "checkpoint.stops"),
        ("checkpoint: {stops: -1}", "checkpoint.stops"),
        ("checkpoint: {stops: 1.5}", "checkpoint.stops"),
        ("checkpoint: {stops: 99999999999}", "checkpoint.stops"),
        ("checkpoint: {minutes: [1]}", "checkpoint.minutes"),
        ("checkpoint: {deliver: later}", "checkpoint.deliver"),
        ("checkpoint: {rules_dir: ''}", "checkpoint.rules_dir"),
        ("language: klingon", "language"),
        ("language: {a: b}", "language"),
        ("tools: {skip: [Read, 1]}", "tools.skip"),
        ("tools: {skip: [\"a\\eb\"]}", "tools.skip"),
        ("rules_dirs: {a: b}", "rules_dirs"),
        ("checkpoint: 5", "checkpoint"),
        ("colour: blue", "colour"),
        ("checkpoint: {colour: blue}", "checkpoint.colour"),
    ] {
        let (config, problems) = Home::new()
            .user(&format!("capture: marked\n{text}\n"))
            .load();
        let expected = Config {
            marked_only: true,
            ..Config::default()
        };
        assert_eq!(config, expected, "{text}");
        assert_eq!(problems.len(), 1, "{text}: {problems:?}");
        assert!(
            problems[0].contains(&format!("config.yaml: `{key}`")),
            "{problems:?}"
        );
        // In a project's file too.
        let (config, problems) = Home::new().project(text).load();
        assert_eq!(config, Config::default(), "{text}");
        assert_eq!(problems.len(), 1);
    }
}

#[test]
fn a_wrong_privacy_value_is_the_strictest() {
    for (text, expected) in [
        ("redact: {secrets: 'no'}", Config::default()),
        ("redact: false", Config::default()),
        (
            "capture: none",
            Config {
                marked_only: true,
                ..Config::default()
            },
        ),
        (
            "capture: [all]",
            Config {
                marked_only: true,
                ..Config::default()
            },
        ),
        (
            "scaffold: maybe",
            Config {
                scaffold: false,
                ..Config::default()
            },
        ),
    ] {
        let (config, problems) = Home::new().user(text).load();
        assert_eq!(config, expected, "{text}");
        assert_eq!(problems.len(), 1, "{problems:?}");
        let (mut config, _) = Home::new().project(text).load();
        config.narrowed_by_project.clear();
        assert_eq!(config, expected, "{text}");
    }
    let (config, _) = Home::new()
        .user("redact: {secrets: false}")
        .project("redact: {secrets: 7}")
        .load();
    assert!(config.redact_secrets);
    assert_eq!(config.narrowed_by_project, ["redact.secrets: true"]);
}

#[test]
fn an_invalid_file_means_defaults_and_the_strictest_privacy() {
    let long = format!("language: ko # {}", "x".repeat(1 << 20));
    for (text, marked) in [
        ("a: [", false),
        ("- a", false),
        ("just text", false),
        ("a: 1\na: 2", false),
        ("language: ko\n---\nlanguage: de", false),
        ("capture: marked\nredact: [", true),
        (&long, true),
    ] {
        let wanted = Config {
            marked_only: marked,
            ..Config::default()
        };
        let (config, problems) = Home::new().user(text).load();
        assert_eq!(config, wanted, "{text:.20}");
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("config.yaml: "), "{problems:?}");

        let (mut config, problems) = Home::new()
            .user("redact: {secrets: false}")
            .project(text)
            .load();
        let narrowed = std::mem::take(&mut config.narrowed_by_project);
        assert!(narrowed.contains(&"redact.secrets: true".to_owned()));
        assert_eq!(narrowed.contains(&"capture: marked".to_owned()), marked);
        assert_eq!(config, wanted, "{text:.20}");
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}

#[test]
fn a_projects_file_is_limited_to_64_kb() {
    let text = format!("language: ko # {}", "x".repeat(64 << 10));
    let (config, problems) = Home::new().project(&text).load();
    assert_eq!(config.language, None);
    assert_eq!(problems.len(), 1);
    assert_eq!(
        Home::new().user(&text).config().language,
        Some(Language::Ko)
    );
}

#[test]
fn the_environment_wins() {
    let home = Home::new()
        .user("language: ko\ncheckpoint: {stops: 7}")
        .project("language: de\ncheckpoint: {stops: 50}");
    let (config, problems) = home.load_with(&[
        ("MNEMO_LANGUAGE", "zh"),
        ("MNEMO_STOPS", "3"),
        ("MNEMO_MINUTES", "0"),
    ]);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(config.language, Some(Language::Zh));
    assert_eq!((config.checkpoint_stops, config.checkpoint_minutes), (3, 0));
    let (config, _) = home.load_with(&[("MNEMO_LANGUAGE", "auto")]);
    assert_eq!(config.language, None);

    let (config, problems) = home.load_with(&[
        ("MNEMO_LANGUAGE", "xx"),
        ("MNEMO_STOPS", "-3"),
        ("MNEMO_MINUTES", "soon"),
    ]);
    assert_eq!(config.language, Some(Language::De));
    assert_eq!(
        (config.checkpoint_stops, config.checkpoint_minutes),
        (50, 30)
    );
    assert_eq!(problems.len(), 3);
}

#[test]
fn problems_hold_no_control_codes_and_no_values() {
    let (_, problems) = Home::new()
        .user("\"a\\eb\\nc\": a-private-value\nlanguage: another-private-value\n")
        .load();
    assert_eq!(problems.len(), 2);
    for problem in problems {
        assert!(!problem.chars().any(char::is_control), "{problem:?}");
        assert!(!problem.contains("private"), "{problem}");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::symlink;

    type Obstacle = (&'static str, fn(&Home, &Path));

    fn mkfifo(path: &Path) {
        assert!(
            std::process::Command::new("mkfifo")
                .arg(path)
                .status()
                .unwrap()
                .success()
        );
    }

    #[test]
    fn what_is_no_file_inside_the_project_is_ignored() {
        let make: [Obstacle; 5] = [
            ("link outside", |home, path| {
                std::fs::write(home.path("outside.yaml"), "language: ko").unwrap();
                symlink(home.path("outside.yaml"), path).unwrap();
            }),
            ("fifo", |_, path| mkfifo(path)),
            ("folder", |_, path| std::fs::create_dir(path).unwrap()),
            ("loop", |_, path| symlink(".mnemo.yaml", path).unwrap()),
            ("device", |_, path| symlink("/dev/zero", path).unwrap()),
        ];
        for (what, make) in make {
            let home = Home::new();
            make(&home, &home.path("project/.mnemo.yaml"));
            let (config, problems) = home.load();
            assert_eq!(config, Config::default(), "{what}");
            assert_eq!(problems.len(), 1, "{what}: {problems:?}");
            assert!(problems[0].contains(".mnemo.yaml: ignored"), "{problems:?}");
        }
    }

    #[test]
    fn links_inside_the_project_and_to_dotfiles_are_followed() {
        let home = Home::new();
        std::fs::create_dir(home.path("project/etc")).unwrap();
        std::fs::write(home.path("project/etc/m.yaml"), "language: ko").unwrap();
        symlink("etc/m.yaml", home.path("project/.mnemo.yaml")).unwrap();
        std::fs::write(home.path("dotfiles.yaml"), "capture: marked").unwrap();
        symlink(
            home.path("dotfiles.yaml"),
            home.path("home/.config/mnemo/config.yaml"),
        )
        .unwrap();
        let config = home.config();
        assert_eq!(config.language, Some(Language::Ko));
        assert!(config.marked_only);
    }

    #[test]
    fn a_users_file_that_cannot_be_read_is_strict_and_never_blocks() {
        let home = Home::new();
        mkfifo(&home.path("home/.config/mnemo/config.yaml"));
        let (config, problems) = home.load();
        assert_eq!(config, strictest());
        assert_eq!(problems.len(), 1);
    }
}
