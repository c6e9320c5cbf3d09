//! The prompt, held against the rules it has to say.

use checkpoint::prompt;
use mnemo_home::Language;
use std::path::Path;

const MEMORY: &str = "/home/user/.claude/projects/-home-user-shop-api/memory";

const ALL: [(Language, &str); 4] = [
    (Language::Ko, include_str!("golden/ko.txt")),
    (Language::En, include_str!("golden/en.txt")),
    (Language::De, include_str!("golden/de.txt")),
    (Language::Zh, include_str!("golden/zh.txt")),
];

fn said(language: Language) -> String {
    prompt(language, ".claude/rules", Some(Path::new(MEMORY)))
}

#[test]
fn golden() {
    for (language, golden) in ALL {
        assert_eq!(said(language), golden, "{language:?}");
    }
}

#[test]
fn says_every_rule() {
    for (language, _) in ALL {
        let text = said(language);
        let has = |what: &str| assert!(text.contains(what), "{language:?} lacks {what:?}");
        // Each dimension on its own line, with where it goes.
        for (sign, target) in [
            ("① ", "→ project"),
            ("② ", "→ CLAUDE.md"),
            ("③ ", "`.claude/rules`"),
            ("④ ", "→ decision"),
            ("⑤ ", "→ project"),
            ("⑥ ", "→ feedback"),
            ("⑦ ", "→ reference"),
        ] {
            let lines: Vec<&str> = text
                .lines()
                .filter(|l| l.starts_with(sign) && l.contains('→'))
                .collect();
            assert_eq!(lines.len(), 1, "{language:?} {sign}");
            assert!(lines[0].contains(target), "{language:?} {sign}");
        }
        has("0–1");
        has("`mnemo memory add`");
        has("\"skip\"");
        has("`feedback-memory-hygiene.md`");
        has(&format!("`{MEMORY}/MEMORY.md`"));
        has("1. [decision] ④ …\n2. [feedback] ⑥ …\n3. [reference] ⑦ …\n");
        // The never-saved list has six points, saving four conditions.
        assert_eq!(
            text.lines().filter(|l| l.starts_with("- ")).count(),
            10,
            "{language:?}"
        );
        assert!(text.chars().count() < 4000, "{language:?}");
        assert!(!text.contains(['{', '}', '\r', '\t']), "{language:?}");
        assert!(!text.ends_with('\n'));
    }
}

#[test]
fn the_fixed_form_is_fixed() {
    for (language, first, last) in [
        (
            Language::Ko,
            "[정리 확인] 이번 대화에서 3/7 차원 적중 (④⑥⑦), 정리 제안:",
            "무엇을 저장할까요? 번호를 입력하세요 (예: 1,2), 또는 \"skip\"으로 건너뜁니다.",
        ),
        (
            Language::De,
            "[Speicher-Checkpoint] Dieses Gespräch hat 3/7 Dimensionen getroffen (④⑥⑦), Vorschlag zum Festhalten:",
            "Welche speichern? Antworte mit Nummern (z. B. 1,2) oder \"skip\" zum Überspringen.",
        ),
        (
            Language::En,
            "[Memory checkpoint] This conversation hit 3/7 dimensions (④⑥⑦); suggested to keep:",
            "Which ones to save? Answer with numbers (e.g. 1,2), or \"skip\".",
        ),
        (
            Language::Zh,
            "[整理确认] 本次对话命中 3/7 维度（④⑥⑦），建议整理：",
            "要保存哪些？请输入编号（例如 1,2），或输入 \"skip\" 跳过。",
        ),
    ] {
        let block = format!(
            "\n{first}\n1. [decision] ④ …\n2. [feedback] ⑥ …\n3. [reference] ⑦ …\n{last}\n"
        );
        assert!(said(language).contains(&block), "{language:?}");
    }
}

#[test]
fn the_never_saved_list_is_whole() {
    for (language, words) in [
        (
            Language::En,
            [
                "code patterns, architecture, file paths",
                "git history",
                "debug solutions",
                "CLAUDE.md or a rules folder",
                "task state",
                "snapshots",
            ],
        ),
        (
            Language::De,
            [
                "Code-Muster, Architektur, Dateipfade",
                "Git-Verlauf",
                "Debugging-Lösungen",
                "CLAUDE.md oder ein Regelordner",
                "Stand einer Aufgabe",
                "Momentaufnahmen",
            ],
        ),
        (
            Language::Ko,
            [
                "코드 패턴, 아키텍처, 파일 경로",
                "git 이력",
                "디버깅 해결책",
                "CLAUDE.md나 규칙 폴더",
                "작업 상태",
                "스냅샷",
            ],
        ),
        (
            Language::Zh,
            [
                "代码模式、架构、文件路径",
                "git 历史",
                "调试方案",
                "CLAUDE.md 或规则目录",
                "任务状态",
                "快照",
            ],
        ),
    ] {
        let text = said(language);
        for word in words {
            assert!(
                text.lines()
                    .any(|l| l.starts_with("- ") && l.contains(word)),
                "{language:?} lacks {word:?}"
            );
        }
    }
}

#[test]
fn paths_are_named_safely() {
    for (language, _) in ALL {
        let text = prompt(language, "docs/{memory}/`rules`\n# x", None);
        assert!(text.contains("`docs/{memory}/rules# x`"), "{text}");
        assert!(text.contains("`MEMORY.md`"));
        let long = "x".repeat(100_000);
        let text = prompt(language, &long, Some(Path::new(&long)));
        assert!(text.chars().count() < 4000);
        assert!(text.contains("`.claude/rules`"));
        let text = prompt(language, "", Some(Path::new("/홈/메모리 🦀/memory")));
        assert!(text.contains("`/홈/메모리 🦀/memory/MEMORY.md`"));
    }
}
