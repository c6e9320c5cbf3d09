//! MEMORY.md and the memory files, made once, in the user's language.

use crate::{MEMORY, MEMORY_INDEX, Record, Result, line};
use chrono::NaiveDate;
use mnemo_home::Language;
use std::fmt::Write as _;
use std::path::Path;

/// The memory files, in the order of the index.
const FILES: [&str; 5] = ["architecture", "patterns", "tools", "gotchas", "learned"];

impl Record {
    /// Whether MEMORY.md or `memory/` is missing: two `stat` calls.
    pub fn lacks_scaffold(&self) -> bool {
        let root = self.root().path();
        let missing = |name| std::fs::symlink_metadata(root.join(name)).is_err();
        missing(MEMORY_INDEX) || missing(MEMORY)
    }

    /// MEMORY.md and `memory/*.md` where absent, in the user's language. Does nothing while both
    /// MEMORY.md and `memory/` are there. What was made is named in git's `info/exclude`.
    pub fn scaffold(&self, language: Language, today: NaiveDate) -> Result<()> {
        if !self.lacks_scaffold() {
            return Ok(());
        }
        self.make_scaffold(language, today).map(|_| ())
    }

    /// As [`Record::scaffold`], each file that is absent, whatever else is there. Gives what was
    /// made, relative to the root.
    pub fn make_scaffold(&self, language: Language, today: NaiveDate) -> Result<Vec<String>> {
        let is_new = std::fs::symlink_metadata(self.root().path().join(MEMORY)).is_err();
        let mut made = Vec::new();
        let done = self.write_scaffold(language, today, &mut made);
        let mut names: Vec<&str> = Vec::new();
        if is_new && self.root().path().join(MEMORY).is_dir() {
            names.push("memory/");
        }
        names.extend(
            made.iter()
                .map(String::as_str)
                .filter(|name| !is_new || *name == MEMORY_INDEX),
        );
        if !names.is_empty() {
            self.exclude(&names);
        }
        done.map(|()| made)
    }

    fn write_scaffold(
        &self,
        language: Language,
        today: NaiveDate,
        made: &mut Vec<String>,
    ) -> Result<()> {
        let mut failed = self
            .resolve(MEMORY)
            .and_then(|folder| Ok(safe_file::create_private_dir(&folder)?));
        for (relative, text) in self.scaffold_files(language, today) {
            let new = self
                .resolve(&relative)
                .and_then(|path| Ok(safe_file::create_whole(&path, text.as_bytes())?));
            match new {
                Ok(true) => made.push(relative),
                Ok(false) => {}
                // What else can be made is made.
                Err(error) => failed = failed.and(Err(error)),
            }
        }
        failed
    }

    /// The files that the scaffold consists of here and that are absent, relative to the root, with
    /// their text. A category that has become a folder of Markdown files needs no file.
    pub fn scaffold_files(&self, language: Language, today: NaiveDate) -> Vec<(String, String)> {
        let words = words(language);
        let root = self.root().path();
        // A link into nothing is refused when the file is made.
        let absent = |name: &str| !root.join(name).exists();
        let is_folder = FILES.map(|file| holds_markdown(&root.join(MEMORY).join(file)));
        let mut files = Vec::new();
        for ((file, (title, subtitle)), is_folder) in FILES.iter().zip(words.files).zip(is_folder) {
            let relative = format!("{MEMORY}/{file}.md");
            if !is_folder && absent(&relative) {
                let text = format!("# {title} - {subtitle}\n\n> {}\n\n---\n", words.linked);
                files.push((relative, text));
            }
        }
        if absent(MEMORY_INDEX) {
            let name = root.file_name().unwrap_or_default();
            let name = line::name(&name.to_string_lossy(), 200);
            let text = index(&words, &name, today, is_folder);
            files.push((MEMORY_INDEX.to_owned(), text));
        }
        files
    }
}

fn holds_markdown(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.path().extension().is_some_and(|end| end == "md"))
    })
}

fn index(words: &Words, project: &str, today: NaiveDate, is_folder: [bool; FILES.len()]) -> String {
    let [goal, status, running] = words.goal;
    let [keyword, detail] = words.keyword;
    let [name, created, updated] = words.meta;
    let cell = project.replace('|', "\\|");
    let mut text = format!(
        "# MEMORY.md - {}\n\n## {}\n\n| {goal} | {status} |\n|---|---|\n| {} | {running} |\n\n---\n\n\
         ## {}\n\n| {keyword} | {detail} |\n|---|---|\n| {cell} | [#meta](#meta) |\n\n---\n\n",
        words.title,
        words.goals,
        words.work.replace("{}", &cell),
        words.keywords,
    );
    for (file, is_folder) in FILES.iter().zip(is_folder) {
        let leaf = if is_folder { "/index.md" } else { ".md" };
        // The letter that the codes of its items begin with.
        let letter = file.get(..1).unwrap_or_default();
        let _ = write!(
            text,
            "## {file}/\n- [memory/{file}{leaf}](memory/{file}{leaf}) (`{letter}:`)\n"
        );
    }
    let _ = write!(
        text,
        "\n---\n\n## meta/\n- **{name}**: {project}\n- **{created}**: {today}\n- **{updated}**: {today}\n"
    );
    text
}

/// The words of one language.
struct Words {
    title: &'static str,
    goals: &'static str,
    goal: [&'static str; 3],
    /// `{}` is the project's name.
    work: &'static str,
    keywords: &'static str,
    keyword: [&'static str; 2],
    meta: [&'static str; 3],
    /// Title and subtitle of each memory file.
    files: [(&'static str, &'static str); 5],
    linked: &'static str,
}

fn words(language: Language) -> Words {
    match language {
        Language::Ko => Words {
            title: "프로젝트 장기기억",
            goals: "프로젝트 목표",
            goal: ["목표", "상태", "진행 중"],
            work: "{} 핵심 작업 추적",
            keywords: "키워드 인덱스",
            keyword: ["키워드", "상세 파일"],
            meta: ["프로젝트", "생성일", "마지막 업데이트"],
            files: [
                ("Architecture", "설계와 구조"),
                ("Patterns", "패턴과 관례"),
                ("Tools", "도구와 설정"),
                ("Gotchas", "함정과 주의사항"),
                ("Learned", "배운 점"),
            ],
            linked: "MEMORY.md 키워드 인덱스에서 이 파일로 연결됩니다.",
        },
        Language::En => Words {
            title: "long-term memory of the project",
            goals: "Project goals",
            goal: ["Goal", "Status", "in progress"],
            work: "Track the core work on {}",
            keywords: "Keyword index",
            keyword: ["Keyword", "Details"],
            meta: ["Project", "Created", "Last updated"],
            files: [
                ("Architecture", "design and structure"),
                ("Patterns", "patterns and conventions"),
                ("Tools", "tools and settings"),
                ("Gotchas", "pitfalls and warnings"),
                ("Learned", "what was learned"),
            ],
            linked: "The keyword index of MEMORY.md links to this file.",
        },
        Language::De => Words {
            title: "Langzeitgedächtnis des Projekts",
            goals: "Projektziele",
            goal: ["Ziel", "Stand", "in Arbeit"],
            work: "Kernaufgaben von {} verfolgen",
            keywords: "Stichwortverzeichnis",
            keyword: ["Stichwort", "Details"],
            meta: ["Projekt", "Angelegt", "Zuletzt aktualisiert"],
            files: [
                ("Architecture", "Entwurf und Aufbau"),
                ("Patterns", "Muster und Konventionen"),
                ("Tools", "Werkzeuge und Einstellungen"),
                ("Gotchas", "Fallstricke und Warnungen"),
                ("Learned", "Gelerntes"),
            ],
            linked: "Das Stichwortverzeichnis in MEMORY.md verweist auf diese Datei.",
        },
        Language::Zh => Words {
            title: "项目长期记忆",
            goals: "项目目标",
            goal: ["目标", "状态", "进行中"],
            work: "跟踪 {} 的核心工作",
            keywords: "关键词索引",
            keyword: ["关键词", "详细文件"],
            meta: ["项目", "创建日期", "最后更新"],
            files: [
                ("Architecture", "设计与结构"),
                ("Patterns", "模式与约定"),
                ("Tools", "工具与设置"),
                ("Gotchas", "陷阱与注意事项"),
                ("Learned", "所学"),
            ],
            linked: "MEMORY.md 的关键词索引链接到本文件。",
        },
    }
}
