//! Words around a mention that tell what it is, in Korean, English, German and Chinese. They are
//! words of everyday speech about software, not of any project.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};
use std::sync::OnceLock;

/// Words that are looked for together, in one pass over a line.
struct Cues {
    words: &'static [&'static str],
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Cues {
    const fn of(words: &'static [&'static str]) -> Self {
        Self {
            words,
            automaton: OnceLock::new(),
        }
    }

    /// Whether one of them stands in `text`, whatever its case. A word of ASCII letters only where no
    /// such letter stands before it; behind it may: endings.
    fn stand_in(&self, text: &str) -> bool {
        self.places(text).next().is_some()
    }

    /// Where they stand.
    fn places<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let automaton = self.automaton.get_or_init(|| {
            // The automaton knows ASCII letters in both cases.
            let words = self.words.iter().copied().flat_map(in_both_cases);
            // It can be made of any few words. Lines are short: what is made in no time is faster
            // than what reads faster.
            AhoCorasickBuilder::new()
                .kind(Some(AhoCorasickKind::ContiguousNFA))
                .ascii_case_insensitive(true)
                .build(words)
                .ok()
        });
        let bytes = text.as_bytes();
        let hits = automaton
            .as_ref()
            .map(|automaton| automaton.find_overlapping_iter(bytes));
        hits.into_iter().flatten().filter_map(|hit| {
            let word = bytes.get(hit.range()).unwrap_or_default();
            let is_word = word.is_ascii() && word.first().is_some_and(u8::is_ascii_alphabetic);
            let before = hit.start().checked_sub(1).and_then(|at| bytes.get(at));
            let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            (!(is_word && before.is_some_and(goes_on))).then_some(hit.start())
        })
    }

    /// The lines of a text in which one of them stands.
    fn lines<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut lines = Vec::new();
        let mut done = 0;
        for at in self.places(text) {
            if at < done {
                continue;
            }
            let start = text.get(..at).and_then(|before| before.rfind('\n'));
            let start = start.map_or(0, |end| end + 1);
            let rest = text.get(start..).unwrap_or_default();
            let line = rest.split('\n').next().unwrap_or(rest);
            done = start + line.len();
            lines.push(line.strip_suffix('\r').unwrap_or(line));
        }
        lines
    }
}

/// A word as it stands and with each letter that is not of ASCII in capitals.
fn in_both_cases(word: &str) -> impl Iterator<Item = String> {
    let capitals: String = word
        .chars()
        .map(|c| {
            let mut upper = c.to_uppercase();
            match (upper.next(), upper.next()) {
                (Some(upper), None) if !c.is_ascii() => upper,
                _ => c,
            }
        })
        .collect();
    let other = (capitals != word).then_some(capitals);
    std::iter::once(word.to_owned()).chain(other)
}

/// The line says that something got another name or place.
pub(crate) fn tells_of_a_move(line: &str) -> bool {
    OF_A_MOVE.stand_in(line)
}

/// The lines of a text that say so.
pub(super) fn lines_that_tell_of_a_move(text: &str) -> Vec<&str> {
    OF_A_MOVE.lines(text)
}

static OF_A_MOVE: Cues = Cues::of(&[
    "rename",
    "moved",
    "move ",
    "moves ",
    "relocat",
    "formerly",
    "previously",
    "is now",
    "now lives",
    "now in ",
    "used to be",
    "superseded by",
    "umbenannt",
    "umbenennung",
    "verschoben",
    "umgezogen",
    "verlegt",
    "ehemals",
    "früher",
    "heißt jetzt",
    "heisst jetzt",
    "liegt jetzt",
    "ausgelagert",
    "바꿈",
    "바꾸",
    "바꿨",
    "바뀌",
    "바뀜",
    "변경",
    "옮",
    "이동",
    "개명",
    "이름을",
    "이전:",
    "重命名",
    "改名",
    "更名",
    "移动",
    "移到",
    "移至",
    "迁移",
    "迁到",
    "改为",
    "改成",
    "搬到",
    "原名",
    "挪到",
]);

/// In a log of changes an arrow says the same.
pub(super) fn points(line: &str) -> bool {
    static CUES: Cues = Cues::of(&["->", "→", "=>", "⇒"]);
    CUES.stand_in(line)
}

/// The clause says that what it names was removed.
pub(super) fn says_absent(clause: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "removed",
        "deleted",
        "dropped",
        "no longer",
        "is gone",
        "are gone",
        "was gone",
        "doesn't exist",
        "does not exist",
        "don't look for",
        "do not look for",
        "got rid of",
        "retired",
        "discontinued",
        "thrown out",
        "does not exist anymore",
        "never existed",
        "there is no `",
        "there's no `",
        "there is no file ",
        "there is no folder ",
        "not there yet",
        "does not yet exist",
        "gelöscht",
        "entfernt",
        "abgeschafft",
        "gibt es nicht",
        "gibt es noch nicht",
        "noch kein",
        "gibt kein",
        "existiert nicht mehr",
        "nicht mehr vorhanden",
        "ist weg",
        "sind weg",
        "wegfallen",
        "weggefallen",
        "entfallen",
        "nicht suchen",
        "rausgeworfen",
        "지웠",
        "지운",
        "지워",
        "지움",
        "삭제",
        "제거",
        "없앴",
        "없앤",
        "없어졌",
        "없어진",
        "사라졌",
        "사라진",
        "폐기",
        "찾지 말",
        "더 이상 없",
        "아직 없",
        "이제 없",
        "删除",
        "删掉",
        "已删",
        "移除",
        "去掉",
        "不再",
        "不存在",
        "已废弃",
        "废弃",
        "没有了",
        "还没有",
        "尚无",
        "尚不存在",
        "下线",
    ]);
    CUES.stand_in(clause)
}

/// The clause says that something shall not or will once be made: it need not be there.
pub(super) fn forbids_or_plans(clause: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "do not create",
        "don't create",
        "don\u{2019}t create",
        "never create",
        "not create",
        "do not add a file",
        "never add a file",
        "will create",
        "will put",
        "will add",
        "will be created",
        "will live in",
        "going to create",
        "plan to create",
        "to be created",
        "nicht anlegen",
        "keine datei",
        "nie anlegen",
        "werden wir",
        "wird angelegt",
        "soll angelegt",
        "anzulegen",
        "만들지 말",
        "만들지 마",
        "만들지 않",
        "추가하지 말",
        "추가하지 마",
        "만들 예정",
        "만들 계획",
        "추가할 예정",
        "추가할 계획",
        "넣을 예정",
        "不要创建",
        "不要新建",
        "不要建",
        "别建",
        "禁止创建",
        "禁止新建",
        "将创建",
        "将新建",
        "计划创建",
        "打算新建",
        "以后会放",
    ]);
    CUES.stand_in(clause) || makes(clause) && is_not_now(clause)
}

/// The clause speaks of making something.
fn makes(clause: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "create",
        "add ",
        "make ",
        "introduce",
        "anlegen",
        "angelegt",
        "anzulegen",
        "legen wir",
        "wir legen",
        "erstellen",
        "erstellt",
        "einführen",
        "hinzufügen",
        "만들",
        "추가",
        "생성",
        "新建",
        "创建",
        "建立",
        "添加",
        "新增",
        "加一个",
    ]);
    CUES.stand_in(clause)
}

/// The clause speaks of a time to come, or forbids.
fn is_not_now(clause: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "never",
        "do not",
        "don't",
        "must not",
        "next quarter",
        "next year",
        "next month",
        "soon",
        "in future",
        "niemals",
        "nie ",
        "nicht ",
        "keine ",
        "kein ",
        "nächsten quartal",
        "nächstes quartal",
        "nächsten monat",
        "nächsten jahr",
        "nächstes jahr",
        "nächste woche",
        "demnächst",
        "künftig",
        "später",
        "다음 분기",
        "다음 달",
        "내년",
        "나중에",
        "앞으로",
        "예정",
        "계획",
        "지 마",
        "지 말",
        "지 않",
        "금지",
        "下个季度",
        "下季度",
        "下个月",
        "明年",
        "以后",
        "将来",
        "打算",
        "计划",
        "准备",
        "不要",
        "禁止",
        "不得",
        "不许",
        "别新",
        "勿",
    ]);
    CUES.stand_in(clause)
}

/// The clause places what it names in somebody else's repository.
pub(super) fn speaks_of_others(clause: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "their repo",
        "their github",
        "the supplier's repo",
        "the vendor's repo",
        "upstream repo",
        "another repo",
        "other repo",
        "deren repo",
        "ihrem repo",
        "fremden repo",
        "anderen repo",
        "그쪽 저장소",
        "다른 저장소",
        "업체 저장소",
        "他们的仓库",
        "对方仓库",
        "对方的仓库",
        "别的仓库",
        "另一个仓库",
        "vendor's repositor",
        "supplier's repositor",
        "customer's repositor",
        "client's repo",
        "not in ours",
        "not in our repo",
        "repo des ",
        "repo der ",
        "repository des ",
        "repository der ",
        "repo vom ",
        "nicht bei uns",
        "nicht in unserem",
        "업체의 저장소",
        "고객사 저장소",
        "협력사 저장소",
        "우리 저장소에는 없",
        "우리 저장소가 아니",
        "厂商的仓库",
        "厂商仓库",
        "供应商的仓库",
        "供应商仓库",
        "客户的仓库",
        "不在我们",
    ]);
    CUES.stand_in(clause)
}

/// The line speaks of branches.
pub(super) fn speaks_of_branches(line: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "branch",
        "브랜치",
        "갈래",
        "zweig",
        "分支",
        "checkout",
        "git switch",
        "rebase",
        "merge request",
        "pull request",
        "cherry-pick",
        "worktree",
        "upstream",
        "force-push",
    ]);
    CUES.stand_in(line)
}

/// What stands before the mention says that an example follows.
pub(super) fn announces_an_example(before: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "예:",
        "예)",
        "예를 들",
        "예시",
        "가령",
        "e.g.",
        "eg.",
        "for example",
        "for instance",
        "such as",
        "like ",
        "example:",
        "z. b.",
        "z.b.",
        "beispiel",
        "etwa ",
        "例如",
        "比如",
        "示例",
        "例:",
        "例：",
        "譬如",
    ]);
    CUES.stand_in(before)
}

/// The line says that a symbol is somebody else's.
pub(super) fn speaks_of_libraries(line: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "standard library",
        "stdlib",
        "builtin function",
        "built-in function",
        "third-party",
        "third party",
        "the library's",
        "표준 라이브러리",
        "라이브러리의",
        "라이브러리 함수",
        "내장 함수",
        "외부 라이브러리",
        "standardbibliothek",
        "der bibliothek",
        "eingebaute funktion",
        "标准库",
        "第三方",
        "内置函数",
        "库函数",
        "外部库",
    ]);
    CUES.stand_in(line)
}

/// The line speaks of packages, images or other people's repositories.
pub(super) fn speaks_of_packages(line: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "github",
        "gitlab",
        "docker",
        "npm ",
        "crate",
        "repository",
        "repo ",
        "repos ",
        "image",
        "package",
        "github action",
        "저장소",
        "레포",
        "이미지",
        "패키지",
        "paket",
        "container-bild",
        "仓库",
        "镜像",
        "软件包",
    ]);
    CUES.stand_in(line)
}

/// The line speaks of code: of what the project itself wrote.
pub(super) fn speaks_of_code(line: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "constant",
        "function",
        "method",
        "class ",
        "module",
        "variable",
        "field",
        "struct",
        "code:",
        "code in",
        "in code",
        "our code",
        "implement",
        "상수",
        "함수",
        "메서드",
        "클래스",
        "모듈",
        "변수",
        "코드",
        "구현",
        "konstante",
        "funktion",
        "methode",
        "klasse",
        "modul",
        "im code",
        "feld",
        "常量",
        "函数",
        "方法",
        "类",
        "模块",
        "变量",
        "代码",
        "实现",
    ]);
    CUES.stand_in(line)
}

/// The line speaks of what is made, sent or packed elsewhere.
pub(super) fn speaks_of_products(line: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "export",
        "output",
        "generate",
        "archive",
        "download",
        "upload",
        "attachment",
        "tarball",
        "artifact",
        "artefact",
        "zip",
        "tar ",
        "produces",
        "writes a",
        "dump",
        "report",
        "내보내",
        "내려받",
        "다운로드",
        "업로드",
        "첨부",
        "출력",
        "생성",
        "압축",
        "산출물",
        "보고서",
        "ausgabe",
        "erzeugt",
        "herunter",
        "hochlad",
        "anhang",
        "archiv",
        "bericht",
        "导出",
        "输出",
        "生成",
        "下载",
        "上传",
        "附件",
        "压缩",
        "报告",
    ]);
    CUES.stand_in(line)
}

/// The line speaks of folders or files of a project.
pub(super) fn speaks_of_places(line: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "directory",
        "folder",
        "file",
        "path",
        "located",
        "lives in",
        "under ",
        "source",
        "script",
        "code",
        "폴더",
        "디렉터리",
        "디렉토리",
        "파일",
        "경로",
        "위치",
        "아래",
        "스크립트",
        "코드",
        "ordner",
        "verzeichnis",
        "datei",
        "pfad",
        "liegt in",
        "liegt unter",
        "quelle",
        "skript",
        "目录",
        "文件",
        "路径",
        "位于",
        "脚本",
        "代码",
        "源码",
    ]);
    CUES.stand_in(line)
}

/// The line speaks of a request to a server.
pub(super) fn speaks_of_requests(before: &str) -> bool {
    let last = before
        .trim_end_matches(|c: char| c.is_whitespace() || c == '`')
        .rsplit(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    matches!(
        last,
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"
    )
}

/// The line speaks of addresses and interfaces.
pub(super) fn speaks_of_addresses(line: &str) -> bool {
    static CUES: Cues = Cues::of(&[
        "endpoint",
        "엔드포인트",
        "endpunkt",
        "端点",
        "接口",
        "url",
        "route",
        "http",
        "api",
        "주소",
        "경로(path)",
        "webhook",
        "웹훅",
        "请求",
        "요청",
        "redirect",
        "anfrage",
    ]);
    CUES.stand_in(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_where_words_begin() {
        static CUES: Cues = Cues::of(&["removed", "rename", "früher", "->"]);
        for text in [
            "Was removed today",
            "renamed",
            "FRÜHER",
            "a->b",
            "가removed",
        ] {
            assert!(CUES.stand_in(text), "{text}");
        }
        assert!(!CUES.stand_in("unremoved, pre_rename, frueher"));
        assert_eq!(
            CUES.lines("a->b->c\r\nunremoved\n\nFrüher renamed\n->"),
            ["a->b->c", "Früher renamed", "->"]
        );
        assert!(speaks_of_requests("- GET "));
        assert!(!speaks_of_requests("- target "));
    }
}
