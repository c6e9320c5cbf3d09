//! The words of the report in four languages. Korean and German labels and actions are those that
//! users know; `--json` always has the English labels.

use crate::audit::{EntryProblem, Issue, Passed};
use crate::budget::Level;
use crate::entry::Unread;
use mnemo_home::Language::{self, De, En, Ko, Zh};

/// One text in each language.
pub(crate) struct Words {
    pub(crate) ko: &'static str,
    pub(crate) de: &'static str,
    pub(crate) en: &'static str,
    pub(crate) zh: &'static str,
}

impl Words {
    pub(crate) fn of(&self, language: Language) -> &'static str {
        match language {
            Ko => self.ko,
            De => self.de,
            En => self.en,
            Zh => self.zh,
        }
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $ko:literal, $de:literal, $en:literal, $zh:literal) => {
        $(#[$doc])*
        pub(crate) const $name: Words = Words { ko: $ko, de: $de, en: $en, zh: $zh };
    };
}

words!(MEMORY, "메모리", "Speicher", "Memory", "记忆");
words!(BUDGET, "예산", "Budget", "Budget", "预算");
words!(ESTIMATE, "추정치", "geschätzt", "estimated", "估算");
words!(TYPES, "유형별", "Nach Typ", "By type", "按类型");
words!(
    CATEGORIES,
    "분류별",
    "Nach Kategorie",
    "By category",
    "按类别"
);
words!(
    NO_CATEGORY,
    "(분류 없음)",
    "(ohne Kategorie)",
    "(no category)",
    "（无类别）"
);
words!(
    NO_TYPE,
    "(유형 없음)",
    "(ohne Typ)",
    "(no type)",
    "（无类型）"
);
words!(
    LARGEST,
    "가장 큰 파일",
    "Größte Dateien",
    "Largest files",
    "最大的文件"
);
words!(PROBLEMS, "문제", "Probleme", "Problems", "问题");
words!(
    NO_PROBLEMS,
    "문제 없음",
    "Keine Probleme",
    "No problems",
    "没有问题"
);
words!(ENTRIES, "개 항목", "Einträge", "entries", "个条目");
words!(LINES, "줄", "Zeilen", "lines", "行");
words!(LINE, "줄", "Zeile", "line", "行");
words!(DAYS, "일", "Tage", "days", "天");
words!(BYTES, "바이트", "Bytes", "bytes", "字节");
words!(CHARACTERS, "문자", "Zeichen", "characters", "字符");
words!(
    MORE,
    "개 더 (--all로 모두 표시)",
    "weitere (--all zeigt alle)",
    "more (--all shows them)",
    "项未显示（--all 显示全部）"
);
words!(ARCHIVED, "보관됨", "archiviert", "archived", "已归档");
words!(SAYS, "표기", "angegeben", "says", "标注");
words!(REAL, "실제", "tatsächlich", "really", "实际");
words!(
    CUT_FROM,
    "이 줄부터 로드되지 않음",
    "ab hier nicht geladen: Zeile",
    "not loaded from line",
    "从此行起不加载"
);
words!(
    FALLS_OFF,
    "로드되지 않는 항목",
    "nicht geladene Einträge",
    "entries that fall off",
    "不会被加载的条目"
);

/// The English label, as `--json` has it.
pub(crate) fn code(issue: &Issue) -> &'static str {
    match issue {
        Issue::Budget(Level::Over) => "OVER BUDGET",
        Issue::Budget(_) => "BUDGET WARNING",
        Issue::IndexOver(_) => "INDEX TOO LONG",
        Issue::NoIndex => "NO INDEX",
        Issue::Unread { .. } => "UNREADABLE",
        Issue::Sensitive { .. } => "SENSITIVE TEXT",
        Issue::Stale { .. } => "STALE",
        Issue::Orphan(_) => "ORPHAN",
        Issue::BrokenLink { .. } => "BROKEN LINK",
        Issue::IndexedTwice { .. } => "INDEXED TWICE",
        Issue::WrongSuffix { .. } => "WRONG SUFFIX",
        Issue::MissingSuffix { .. } => "MISSING SUFFIX",
        Issue::WrongBudgetComment { .. } => "BUDGET COMMENT",
        Issue::EmptySection { .. } => "EMPTY SECTION",
        Issue::TypeUnlikeName { .. } => "TYPE UNLIKE NAME",
        Issue::DuplicateName { .. } => "DUPLICATE NAME",
        Issue::DuplicateCode { .. } => "DUPLICATE CODE",
        Issue::Entry { problem, .. } => match problem {
            EntryProblem::Bom | EntryProblem::CrLf => "BYTES",
            EntryProblem::NotUtf8 => "UNREADABLE",
            EntryProblem::EmptyBody => "EMPTY ENTRY",
            EntryProblem::LongBody { .. } => "LONG ENTRY",
            _ => "FRONTMATTER",
        },
        Issue::ManyEntries { .. } => "MANY ENTRIES",
        Issue::NoEntries(_) => "NO ENTRIES",
    }
}

/// The label a person sees.
pub(crate) fn label(code: &'static str, language: Language) -> &'static str {
    match (language, code) {
        (De, "STALE") => "VERALTET",
        (De, "ORPHAN") => "WAISE",
        (De, "BROKEN LINK") => "DEFEKTER LINK",
        (De, "NO ENTRIES") => "KEINE EINTRÄGE",
        (De, "BUDGET WARNING") => "BUDGETWARNUNG",
        (De, "OVER BUDGET") => "ÜBER BUDGET",
        (De, "INDEX TOO LONG") => "INDEX ZU LANG",
        (De, "NO INDEX") => "KEIN INDEX",
        (De, "UNREADABLE") => "NICHT LESBAR",
        (De, "SENSITIVE TEXT") => "VERTRAULICHER TEXT",
        (De, "INDEXED TWICE") => "DOPPELT IM INDEX",
        (De, "WRONG SUFFIX") => "FALSCHE TOKENZAHL",
        (De, "MISSING SUFFIX") => "TOKENZAHL FEHLT",
        (De, "BUDGET COMMENT") => "BUDGETKOMMENTAR",
        (De, "EMPTY SECTION") => "LEERER ABSCHNITT",
        (De, "TYPE UNLIKE NAME") => "TYP PASST NICHT ZUM NAMEN",
        (De, "DUPLICATE CODE") => "DOPPELTER CODE",
        (Zh, "DUPLICATE CODE") => "代码重复",
        (De, "DUPLICATE NAME") => "DOPPELTER NAME",
        (De, "BYTES") => "BYTES",
        (De, "EMPTY ENTRY") => "LEERER EINTRAG",
        (De, "LONG ENTRY") => "LANGER EINTRAG",
        (De, "MANY ENTRIES") => "VIELE EINTRÄGE",
        (Zh, "STALE") => "可能过时",
        (Zh, "ORPHAN") => "未入索引",
        (Zh, "BROKEN LINK") => "失效链接",
        (Zh, "NO ENTRIES") => "无条目",
        (Zh, "BUDGET WARNING") => "预算警告",
        (Zh, "OVER BUDGET") => "超出预算",
        (Zh, "INDEX TOO LONG") => "索引过长",
        (Zh, "NO INDEX") => "没有索引",
        (Zh, "UNREADABLE") => "无法读取",
        (Zh, "SENSITIVE TEXT") => "敏感内容",
        (Zh, "INDEXED TWICE") => "重复入索引",
        (Zh, "WRONG SUFFIX") => "标注有误",
        (Zh, "MISSING SUFFIX") => "缺少标注",
        (Zh, "BUDGET COMMENT") => "预算注释",
        (Zh, "EMPTY SECTION") => "空章节",
        (Zh, "TYPE UNLIKE NAME") => "类型与文件名不符",
        (Zh, "DUPLICATE NAME") => "名称重复",
        (Zh, "BYTES") => "字节",
        (Zh, "EMPTY ENTRY") => "空条目",
        (Zh, "LONG ENTRY") => "条目过长",
        (Zh, "MANY ENTRIES") => "条目过多",
        (_, code) => code,
    }
}

/// What to do about it; `file` is the entry's name, `largest` the largest files.
#[allow(clippy::too_many_lines, reason = "a table of words")]
pub(crate) fn action(code: &str, file: &str, largest: &str, language: Language) -> String {
    let words = match code {
        "STALE" => Words {
            ko: "검토 또는 보관: {file} — 여전히 관련 있습니까?",
            de: "Prüfen oder archivieren: {file} — noch relevant?",
            en: "Review or archive: {file} — still relevant?",
            zh: "检查或归档：{file} — 是否仍然相关？",
        },
        "ORPHAN" => Words {
            ko: "MEMORY.md 인덱스에 추가하거나, 쓸모없으면 삭제",
            de: "Zum MEMORY.md-Index hinzufügen oder löschen, falls veraltet",
            en: "Add to the MEMORY.md index, or delete if obsolete",
            zh: "加入 MEMORY.md 索引；若已无用则删除",
        },
        "BROKEN LINK" => Words {
            ko: "MEMORY.md에서 제거하거나, 파일을 다시 생성",
            de: "Aus MEMORY.md entfernen oder Datei neu erstellen",
            en: "Remove from MEMORY.md, or create the file again",
            zh: "从 MEMORY.md 中移除，或重新创建该文件",
        },
        "BROKEN LINK IN ENTRY" => Words {
            ko: "항목에서 링크를 고치거나 제거",
            de: "Link im Eintrag richtigstellen oder entfernen",
            en: "Correct or remove the link in the entry",
            zh: "修正或移除条目中的链接",
        },
        "NO ENTRIES" => Words {
            ko: "참고: 모든 유형에 항목이 필요한 것은 아닙니다",
            de: "Zur Information: nicht jeder Typ braucht einen Eintrag",
            en: "For information: not every type needs an entry",
            zh: "仅供参考：并非每种类型都需要条目",
        },
        "BUDGET WARNING" | "OVER BUDGET" => Words {
            ko: "가장 큰 파일: {largest} — 압축 또는 분할 고려",
            de: "Größte Dateien: {largest} — Komprimieren oder Aufteilen in Betracht ziehen",
            en: "Largest files: {largest} — consider condensing or splitting",
            zh: "最大的文件：{largest} — 考虑精简或拆分",
        },
        "INDEX TOO LONG" => Words {
            ko: "MEMORY.md의 줄을 줄이거나 묶기: 넘는 부분은 로드되지 않습니다",
            de: "MEMORY.md kürzen oder Einträge zusammenfassen: was darüber liegt, wird nicht geladen",
            en: "Shorten MEMORY.md or combine entries: what is beyond the limit is not loaded",
            zh: "精简 MEMORY.md 或合并条目：超出部分不会被加载",
        },
        "NO INDEX" => Words {
            ko: "MEMORY.md를 만들고 항목마다 한 줄씩 연결",
            de: "MEMORY.md anlegen und jeden Eintrag mit einer Zeile verlinken",
            en: "Create MEMORY.md with one line for each entry",
            zh: "创建 MEMORY.md，每个条目一行",
        },
        "UNREADABLE" => Words {
            ko: "파일의 권한, 크기, 인코딩(UTF-8)을 확인",
            de: "Rechte, Größe und Kodierung (UTF-8) der Datei prüfen",
            en: "Check the file's permissions, size and encoding (UTF-8)",
            zh: "检查文件的权限、大小和编码（UTF-8）",
        },
        "SENSITIVE TEXT" => Words {
            ko: "비밀 값을 지우고 교체(폐기)하기",
            de: "Geheimnis entfernen und erneuern (widerrufen)",
            en: "Take the secret out and replace (revoke) it",
            zh: "删除该密钥并更换（吊销）",
        },
        "INDEXED TWICE" => Words {
            ko: "MEMORY.md에 한 줄만 남기기",
            de: "Nur eine Zeile in MEMORY.md behalten",
            en: "Keep one line in MEMORY.md",
            zh: "在 MEMORY.md 中只保留一行",
        },
        "WRONG SUFFIX" | "MISSING SUFFIX" | "BUDGET COMMENT" => Words {
            ko: "`mnemo check --update-budget`로 고치기",
            de: "Mit `mnemo check --update-budget` richtigstellen",
            en: "`mnemo check --update-budget` corrects it",
            zh: "用 `mnemo check --update-budget` 修正",
        },
        "EMPTY SECTION" => Words {
            ko: "제목을 지우거나 항목을 추가",
            de: "Überschrift entfernen oder Einträge ergänzen",
            en: "Remove the heading, or put entries under it",
            zh: "删除该标题，或在其下添加条目",
        },
        "TYPE UNLIKE NAME" => Words {
            ko: "파일 이름이나 frontmatter의 type 중 하나를 맞추기",
            de: "Dateiname oder `type` anpassen",
            en: "Make the file's name or its `type` fit the other",
            zh: "使文件名与 `type` 一致",
        },
        "DUPLICATE CODE" => Words {
            ko: "한 항목의 코드를 바꾸고 MEMORY.md도 맞춤",
            de: "Einem Eintrag einen anderen Code geben, auch in MEMORY.md",
            en: "Give one of them another code, in MEMORY.md too",
            zh: "为其中一个更换代码，并同步 MEMORY.md",
        },
        "DUPLICATE NAME" => Words {
            ko: "같은 내용이면 합치고, 아니면 `name`을 다르게 하기",
            de: "Zusammenführen, falls gleich, sonst verschiedene `name` vergeben",
            en: "Merge them if they say the same, else give each its own `name`",
            zh: "内容相同则合并，否则使用不同的 `name`",
        },
        "BYTES" => Words {
            ko: "참고: 그대로 두어도 됩니다",
            de: "Zur Information: kann so bleiben",
            en: "For information: it may stay as it is",
            zh: "仅供参考：可保持原样",
        },
        "EMPTY ENTRY" => Words {
            ko: "내용을 쓰거나 삭제",
            de: "Inhalt ergänzen oder löschen",
            en: "Write its content, or delete it",
            zh: "补充内容，或删除",
        },
        "LONG ENTRY" => Words {
            ko: "압축 또는 분할 고려",
            de: "Komprimieren oder Aufteilen in Betracht ziehen",
            en: "Consider condensing or splitting",
            zh: "考虑精简或拆分",
        },
        "MANY ENTRIES" => Words {
            ko: "합치거나 보관할 항목을 찾기",
            de: "Einträge zusammenfassen oder archivieren",
            en: "Combine or archive entries",
            zh: "合并或归档条目",
        },
        _ => Words {
            ko: "파일 첫머리의 `---` 두 줄 사이를 고치기: name, description, type",
            de: "Kopf zwischen den beiden `---` richtigstellen: name, description, type",
            en: "Correct the lines between the two `---`: name, description, type",
            zh: "修正两行 `---` 之间的内容：name、description、type",
        },
    };
    words
        .of(language)
        .replace("{file}", file)
        .replace("{largest}", largest)
}

/// A code for scripts, and words for people.
pub(crate) fn problem(problem: &EntryProblem, language: Language) -> String {
    let words = match problem {
        EntryProblem::Bom => Words {
            ko: "BOM으로 시작",
            de: "beginnt mit BOM",
            en: "begins with a byte order mark",
            zh: "以 BOM 开头",
        },
        EntryProblem::CrLf => Words {
            ko: "줄 끝이 CRLF",
            de: "Zeilenenden CRLF",
            en: "lines end with CRLF",
            zh: "行尾为 CRLF",
        },
        EntryProblem::NoFrontmatter => Words {
            ko: "frontmatter 없음",
            de: "kein Frontmatter",
            en: "no frontmatter",
            zh: "没有 frontmatter",
        },
        EntryProblem::Unclosed => Words {
            ko: "frontmatter가 닫히지 않음",
            de: "Frontmatter ohne schließendes `---`",
            en: "frontmatter is not closed",
            zh: "frontmatter 未结束",
        },
        EntryProblem::InvalidYaml(_) => Words {
            ko: "올바르지 않은 YAML",
            de: "ungültiges YAML",
            en: "invalid YAML",
            zh: "YAML 无效",
        },
        EntryProblem::MissingName => Words {
            ko: "`name` 없음",
            de: "`name` fehlt",
            en: "no `name`",
            zh: "缺少 `name`",
        },
        EntryProblem::MissingDescription => Words {
            ko: "`description` 없음",
            de: "`description` fehlt",
            en: "no `description`",
            zh: "缺少 `description`",
        },
        EntryProblem::MissingType => Words {
            ko: "`type` 없음",
            de: "`type` fehlt",
            en: "no `type`",
            zh: "缺少 `type`",
        },
        EntryProblem::UnknownType(_) => Words {
            ko: "알 수 없는 유형",
            de: "unbekannter Typ",
            en: "unknown type",
            zh: "未知类型",
        },
        EntryProblem::EmptyBody => Words {
            ko: "본문 없음",
            de: "ohne Inhalt",
            en: "no content",
            zh: "没有正文",
        },
        EntryProblem::LongBody { .. } => Words {
            ko: "본문 줄 수",
            de: "Zeilen",
            en: "lines",
            zh: "正文行数",
        },
        EntryProblem::NotUtf8 => Words {
            ko: "UTF-8이 아님",
            de: "kein UTF-8",
            en: "not UTF-8",
            zh: "不是 UTF-8",
        },
    };
    let words = words.of(language);
    match problem {
        EntryProblem::InvalidYaml(why) | EntryProblem::UnknownType(why) => {
            format!("{words}: {why}")
        }
        EntryProblem::LongBody { lines, passed } => match passed {
            Passed::Note => format!("{lines} {} (> 60)", LINES.of(language)),
            Passed::Force => format!("{lines} {} (> 100)", LINES.of(language)),
        },
        _ => words.to_owned(),
    }
}

/// The problem's name in `--json`.
pub(crate) fn problem_code(problem: &EntryProblem) -> &'static str {
    match problem {
        EntryProblem::Bom => "bom",
        EntryProblem::CrLf => "crlf",
        EntryProblem::NoFrontmatter => "no_frontmatter",
        EntryProblem::Unclosed => "unclosed_frontmatter",
        EntryProblem::InvalidYaml(_) => "invalid_yaml",
        EntryProblem::MissingName => "missing_name",
        EntryProblem::MissingDescription => "missing_description",
        EntryProblem::MissingType => "missing_type",
        EntryProblem::UnknownType(_) => "unknown_type",
        EntryProblem::EmptyBody => "empty_body",
        EntryProblem::LongBody {
            passed: Passed::Note,
            ..
        } => "body_over_60_lines",
        EntryProblem::LongBody {
            passed: Passed::Force,
            ..
        } => "body_over_100_lines",
        EntryProblem::NotUtf8 => "not_utf8",
    }
}

/// Why something was not read.
pub(crate) fn unread(why: &Unread, language: Language) -> String {
    let words = match why {
        Unread::TooLarge => Words {
            ko: "너무 커서 읽지 않음 (8 MB 초과)",
            de: "zu groß zum Lesen (über 8 MB)",
            en: "too large to be read (over 8 MB)",
            zh: "过大，未读取（超过 8 MB）",
        },
        Unread::LinkOutside => Words {
            ko: "폴더 밖으로 나가는 링크라서 따라가지 않음",
            de: "Verknüpfung führt aus dem Ordner heraus, nicht verfolgt",
            en: "a link out of the folder, not followed",
            zh: "链接指向文件夹之外，未跟随",
        },
        Unread::NotAFile => Words {
            ko: "일반 파일이 아님",
            de: "keine gewöhnliche Datei",
            en: "not a regular file",
            zh: "不是普通文件",
        },
        Unread::Failed(words) => return words.clone(),
    };
    words.of(language).to_owned()
}
