//! Words that tell the state of a thing, in four languages: the one table of them.
//!
//! General vocabulary only. A pattern in Latin script begins at the beginning of a word and may
//! end inside one (`block` finds `blocked`), unless it ends with `$`; one with a blank spans
//! words; ` … ` allows up to six words between its halves (`löst … ab`). A pattern in Korean or
//! Chinese is found anywhere.

mod finder;

pub(crate) use finder::Finder;
use finder::Pattern;
use std::sync::LazyLock;

/// What a status word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cue {
    /// A trouble is over, a piece of work is done.
    Ended,
    /// One thing took another's place.
    Replaces,
    /// It goes on from something earlier.
    Follows,
    /// Something is in the way, broken, or waited for.
    Trouble,
    /// Something ends by itself on a day.
    Expires,
    /// True for a while, no end said.
    ForNow,
    /// A status: the whole project is over.
    Closed,
    /// A status: it goes on.
    Running,
    /// Points to another place for more.
    Pointer,
    /// Planned, or still to come.
    Ahead,
    /// Not yet.
    NotYet,
    /// One thing comes after another in time.
    After,
    /// May turn something down: [`rejected`] tells.
    Rejects,
    /// It is as it was before a trouble. Says so only beside a trouble.
    Back,
    /// It is meant to be done.
    Plans,
    /// Until when something lasts.
    Until,
    /// What was so is so no longer, or is so from now on. Says so only of something known.
    Past,
}

impl Cue {
    const ALL: [Self; 17] = [
        Self::Ended,
        Self::Replaces,
        Self::Follows,
        Self::Trouble,
        Self::Expires,
        Self::ForNow,
        Self::Closed,
        Self::Running,
        Self::Pointer,
        Self::Ahead,
        Self::NotYet,
        Self::After,
        Self::Rejects,
        Self::Back,
        Self::Plans,
        Self::Until,
        Self::Past,
    ];
}

/// What stands behind the one that was chosen (`X instead of Y`) or behind a label of what was
/// discarded; the last ones behind what was turned down (`Y 대신 X`).
const REJECTED: &[&str] = &[
    "instead of$",
    "rather than$",
    "in place of$",
    "discarded:",
    "rejected:",
    "dropped:",
    "ruled out:",
    "statt$",
    "anstelle von$",
    "anstatt$",
    "und nicht$",
    "verworfen:",
    "abgelehnt:",
    "버린 안:",
    "버린 생각:",
    "기각:",
    "탈락:",
    "제외:",
    "而不是",
    "而非",
    "放弃:",
    "放弃：",
    "否决:",
    "否决：",
    "대신",
    "말고",
    "아니라",
    "아닌",
];
/// How many of them stand behind.
const BEHIND: usize = 4;

/// The part of a text that it says was not chosen. `folded`: the text in small letters.
pub(crate) fn rejected(text: &str, folded: &str) -> Option<std::ops::Range<usize>> {
    static FINDER: LazyLock<Finder<bool>> = LazyLock::new(|| {
        let behind = |at: usize| at >= REJECTED.len() - BEHIND;
        let all = REJECTED.iter().enumerate();
        Finder::new(all.map(move |(at, pattern)| (behind(at), *pattern)))
    });
    // Folding that changes lengths would shift every place.
    if folded.len() != text.len() {
        return None;
    }
    let (mut first, mut behind) = (None::<(usize, usize)>, None::<usize>);
    FINDER.each(folded, |is_behind, pattern, range| {
        if is_behind {
            behind = behind.or(Some(range.start));
        } else if stands(folded, pattern, range.start, range.end) {
            let found = (range.start, range.len());
            first = Some(first.map_or(found, |first| first.min(found)));
        }
    });
    if let Some((at, length)) = first {
        let start = at + length;
        let end = text[start..]
            .find([',', ';', '.', '。', '，', '('])
            .map_or(text.len(), |end| start + end);
        return (start < end).then_some(start..end);
    }
    let at = behind?;
    let start = text[..at]
        .rfind([',', ';', '.', ':', '('])
        .map_or(0, |start| start + 1);
    // A subject with its particle stands before what is turned down.
    let start = text[start..at]
        .match_indices(['은', '는'])
        .map(|(place, mark)| start + place + mark.len())
        .find(|place| text[*place..].starts_with(' '))
        .unwrap_or(start);
    (start < at).then_some(start..at)
}

/// What stands before something that is no longer so.
const NO_LONGER: [&str; 17] = [
    "replaces",
    "replacing",
    "replaced",
    "supersedes",
    "no longer",
    "instead of",
    "not any more",
    "ersetzt",
    "ersetzen",
    "löst",
    "nicht mehr",
    "anstelle von",
    "取代",
    "替代",
    "代替",
    "不再用",
    "不再使用",
];

/// The part of a text that it says is no longer so or was not chosen: what [`rejected`] finds up to
/// the next word that binds, and what stands behind a word of replacing or of `no longer`. `folded`:
/// the text in small letters.
pub(crate) fn turned_down(text: &str, folded: &str) -> Option<std::ops::Range<usize>> {
    const BINDS: [&str; 14] = [
        " for ",
        " in ",
        " on ",
        " at ",
        " because ",
        " since ",
        " by ",
        " für ",
        " in ",
        " bei ",
        " weil ",
        " seit ",
        " wegen ",
        " ab",
    ];
    if folded.len() != text.len() || !may_turn_down(folded) {
        return None;
    }
    let range = rejected(text, folded).or_else(|| {
        let (at, pattern) = NO_LONGER
            .iter()
            .filter_map(|pattern| Some((position(folded, pattern)?, *pattern)))
            .min()?;
        let start = at + pattern.len();
        let end = text[start..]
            .find([',', ';', '.', '。', '，', '('])
            .map_or(text.len(), |end| start + end);
        (start < end).then_some(start..end)
    })?;
    // A preposition at once belongs to it (`not any more with`).
    let part = &folded[range.clone()];
    let end = BINDS
        .iter()
        .filter_map(|bind| part.find(bind).filter(|at| *at > 2))
        .min()
        .map_or(range.end, |at| range.start + at);
    Some(range.start..end)
}

/// Whether a folded text has what [`turned_down`] looks for: most have nothing of it.
fn may_turn_down(folded: &str) -> bool {
    static FINDER: LazyLock<Finder<()>> = LazyLock::new(|| {
        let all = REJECTED.iter().chain(&NO_LONGER);
        Finder::new(all.map(|pattern| ((), *pattern)))
    });
    FINDER.finds(folded)
}

/// Whether a text says it. The text must be folded to lower case.
pub(crate) fn says(folded: &str, cue: Cue) -> bool {
    Cues::of(folded).has(cue)
}

/// Where in a folded text it says so first.
pub(crate) fn find(folded: &str, cue: Cue) -> Option<usize> {
    let mut first = None;
    FINDER.each(folded, |found, pattern, range| {
        if found == cue && first.is_none() && stands(folded, pattern, range.start, range.end) {
            first = Some(range.start);
        }
    });
    first
}

/// All that a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cues(u32);

impl Cues {
    /// What a folded text says.
    pub(crate) fn of(folded: &str) -> Self {
        let mut all = Self::default();
        FINDER.each(folded, |cue, pattern, range| {
            if !all.has(cue) && stands(folded, pattern, range.start, range.end) {
                all.0 |= 1 << cue as u32;
            }
        });
        all
    }

    /// Whether it says this.
    pub(crate) fn has(self, cue: Cue) -> bool {
        self.0 & (1 << cue as u32) != 0
    }
}

/// All patterns of [`table`].
static FINDER: LazyLock<Finder<Cue>> = LazyLock::new(|| {
    let all = Cue::ALL.into_iter();
    Finder::new(all.flat_map(|cue| table(cue).iter().map(move |pattern| (cue, *pattern))))
});

/// Whether a pattern that begins at a place really stands there.
fn stands(text: &str, pattern: Pattern, start: usize, end: usize) -> bool {
    if pattern.first.starts_with(is_latin)
        && text[..start].chars().next_back().is_some_and(is_latin)
    {
        return false;
    }
    if pattern.whole && text[end..].chars().next().is_some_and(is_latin) {
        return false;
    }
    pattern.second.is_none_or(|second| {
        let rest = &text[end..];
        let reach = rest
            .match_indices(' ')
            .nth(GAP)
            .map_or(rest.len(), |(end, _)| end);
        position(&rest[..reach], second).is_some()
    })
}

fn position(text: &str, pattern: &str) -> Option<usize> {
    if let Some((first, second)) = pattern.split_once(" … ") {
        let start = position(text, first)?;
        let rest = &text[start + first.trim_end_matches('$').len()..];
        let reach = rest
            .match_indices(' ')
            .nth(GAP)
            .map_or(rest.len(), |(end, _)| end);
        return position(&rest[..reach], second).map(|_| start);
    }
    let (pattern, whole) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    if !pattern.starts_with(is_latin) {
        return text.find(pattern);
    }
    text.match_indices(pattern).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + pattern.len()..].chars().next();
        !(before.is_some_and(is_latin) || whole && after.is_some_and(is_latin))
    })
}

/// Words that may stand between the halves of a split pattern.
const GAP: usize = 7;

fn is_latin(c: char) -> bool {
    (c as u32) < 0x250 && c.is_alphanumeric()
}

#[allow(clippy::too_many_lines, reason = "a table of words")]
const fn table(cue: Cue) -> &'static [&'static str] {
    match cue {
        Cue::Rejects => REJECTED,
        Cue::Ended => &[
            "resolved",
            "fixed",
            "fixes",
            "solved",
            "closed",
            "lifted",
            "ended",
            "finished",
            "completed",
            "merged",
            "unblocked",
            "cleared",
            "is over$",
            "are over$",
            "went away",
            "is gone$",
            "no longer block",
            "shipped",
            "landed",
            "went live",
            "is live$",
            "are live$",
            "rolled out",
            "renewed",
            "granted",
            "arrived",
            "done$",
            "settled",
            "gone since",
            "works again",
            "came back",
            "recovered",
            "wrapped up",
            "healed",
            "erledigt",
            "behoben",
            "gelöst",
            "abgeschlossen",
            "beendet",
            "fertig",
            "aufgehoben",
            "freigegeben",
            "vorbei",
            "zusammengeführt",
            "gemergt",
            "gemerged",
            "verlängert",
            "erneuert",
            "beseitigt",
            "hinfällig",
            "weggefallen",
            "entfällt",
            "ausgeräumt",
            "läuft wieder",
            "funktioniert wieder",
            "vom tisch",
            "ausgerollt",
            "ausgeliefert",
            "eingetroffen",
            "geschlossen",
            "repariert",
            "bereinigt",
            "해결",
            "해소",
            "끝났",
            "끝냈",
            "끝남",
            "완료",
            "종료",
            "마감하",
            "마감했",
            "풀렸",
            "풀림",
            "풀었",
            "머지됐",
            "머지되",
            "머지했",
            "병합됐",
            "병합되",
            "닫혔",
            "닫았",
            "갱신됐",
            "갱신했",
            "연장했",
            "연장해",
            "연장하",
            "연장됐",
            "고쳐졌",
            "고쳤",
            "고침",
            "수정됐",
            "수정했",
            "복구",
            "처리 결과",
            "처리됐",
            "처리했",
            "마쳤",
            "정상화",
            "발급됐",
            "승인됐",
            "해제",
            "已解决",
            "解决了",
            "得到解决",
            "已修复",
            "修复了",
            "已完成",
            "完成了",
            "已结束",
            "结束了",
            "已关闭",
            "已合并",
            "合并了",
            "已解除",
            "解除了",
            "已恢复",
            "恢复正常",
            "已续",
            "续期",
            "已更新",
            "已上线",
            "搞定",
            "不再阻塞",
            "已批准",
            "已通过",
            "告一段落",
            "消失",
            "disappeared",
            "verschwunden",
            "verschwindet",
            "사라졌",
            "已到货",
        ],
        Cue::Replaces => &[
            "replaces",
            "replaced",
            "replacing",
            "supersede",
            "no longer valid",
            "no longer applies",
            "no longer true",
            "no longer holds",
            "obsolete",
            "takes the place",
            "took the place",
            "takes over from",
            "overrides",
            "overruled",
            "switched from",
            "moved away from",
            "swapped",
            "retired",
            "revises",
            "reverses",
            "undoes",
            "in place of$",
            "ersetzt",
            "ersetzen",
            "löst … ab$",
            "löste … ab$",
            "abgelöst",
            "ablös",
            "tritt an die stelle",
            "gilt nicht mehr",
            "gelten nicht mehr",
            "überholt",
            "außer kraft",
            "verworfen",
            "umgestellt",
            "widerruf",
            "revidiert",
            "statt des bisherigen",
            "anstelle",
            "대체",
            "바꾼다",
            "바꿨",
            "바꿈",
            "바뀌었",
            "바뀐다",
            "대신한다",
            "대신하",
            "폐기",
            "더 이상",
            "무효",
            "갈음",
            "교체",
            "뒤집",
            "철회",
            "고정을 풀",
            "取代",
            "替代",
            "代替",
            "替换",
            "不再适用",
            "不再有效",
            "作废",
            "废弃",
            "废止",
            "换成",
            "改用",
            "改为",
            "推翻",
            "撤销",
        ],
        Cue::Follows => &[
            "follow-up",
            "follow up",
            "follows",
            "continues",
            "continuation",
            "continuing",
            "next step",
            "next phase",
            "next stage",
            "second phase",
            "second stage",
            "builds on",
            "building on",
            "picks up",
            "successor",
            "sequel",
            "carries on",
            "carried on",
            "final report",
            "final run",
            "final result",
            "last run",
            "last step",
            "outcome",
            "result of$",
            "results of$",
            "came out of",
            "grew out of",
            "leads on",
            "starts after",
            "starts once",
            "begins after",
            "begins once",
            "closing report",
            "wrap-up",
            "folgt auf",
            "fortsetzung",
            "setzt … fort$",
            "baut auf",
            "aufbauend",
            "schließt an",
            "schließt … an$",
            "knüpft an",
            "knüpft … an$",
            "im anschluss",
            "nächster schritt",
            "nächste stufe",
            "nächste phase",
            "zweite stufe",
            "zweite phase",
            "nach abschluss",
            "nachfolge",
            "ergebnis",
            "abschlussbericht",
            "weiterführung",
            "führt … weiter$",
            "hervorgegangen",
            "beginnt nach",
            "startet nach",
            "beginnt, sobald",
            "letzter lauf",
            "이어",
            "다음 단계",
            "후속",
            "뒤를 잇",
            "처리 결과",
            "최종",
            "마지막 실행",
            "마무리",
            "뒤에 시작",
            "후에 시작",
            "다음에 시작",
            "바탕으로",
            "결과를 반영",
            "결과 보고",
            "계속",
            "后续",
            "接着",
            "延续",
            "继续",
            "下一步",
            "下一阶段",
            "承接",
            "收尾",
            "在此基础上",
            "之后开始",
            "后开始",
            "最终",
            "总结报告",
            "的结果",
        ],
        Cue::Trouble => &[
            "block",
            "stuck",
            "waiting for",
            "waits for",
            "waiting on",
            "awaiting",
            "pending",
            "broken",
            "breaks",
            "fails",
            "failing",
            "failure",
            "bug$",
            "bugs$",
            "error",
            "outage",
            "unknown cause",
            "cause unknown",
            "cause is unknown",
            "unresolved",
            "unexplained",
            "crash",
            "leak",
            "flaky",
            "hang$",
            "hangs",
            "regression",
            "on hold",
            "held up",
            "cannot proceed",
            "stalled",
            "by hand until",
            "drops out",
            "goes missing",
            "times out",
            "off by",
            "mismatch",
            "investigat",
            "no answer yet",
            "do not know",
            "don't know",
            "nobody knows",
            "workaround",
            "corrupt",
            "blockier",
            "out of order",
            "out of service",
            "refused",
            "rejected$",
            "does not work",
            "doesn't work",
            "stays closed",
            "defekt",
            "funktioniert nicht",
            "geht nicht",
            "abgelehnt$",
            "ausgefallen",
            "fällt … aus$",
            "liegt lahm",
            "hängt",
            "wartet auf",
            "warten auf",
            "wartend",
            "ausstehend",
            "steht … aus$",
            "kaputt",
            "fehler",
            "schlägt … fehl",
            "schlagen … fehl",
            "störung",
            "ausfall",
            "ausfälle",
            "ungeklärt",
            "unklar",
            "gesperrt",
            "stockt",
            "stocken",
            "notlösung",
            "absturz",
            "stürzt",
            "fehlt noch",
            "weicht … ab$",
            "weichen … ab$",
            "doppelt gebucht",
            "ursache",
            "weiß niemand",
            "wissen … nicht$",
            "behelf",
            "bricht ab",
            "brechen ab",
            "verzögert",
            "liegt auf eis",
            "klemmt",
            "막혀",
            "막힘",
            "막힌",
            "막힙",
            "대기",
            "기다리",
            "기다림",
            "장애",
            "오류",
            "버그",
            "어긋",
            "실패",
            "원인을 찾",
            "찾는 중",
            "모른다",
            "임시 조치",
            "원인 불명",
            "원인은 아직",
            "원인 미상",
            "우회",
            "멈춤",
            "멈춰",
            "중단",
            "깨진다",
            "깨짐",
            "누락",
            "지연",
            "보류",
            "먹통",
            "안 된다",
            "죽는다",
            "고장",
            "할 수 없다",
            "불가능",
            "멈췄",
            "거절",
            "거부",
            "차단",
            "阻塞",
            "卡住",
            "卡在",
            "等待",
            "受阻",
            "故障",
            "错误",
            "失败",
            "原因不明",
            "还在找",
            "还在查",
            "排查",
            "不知道",
            "临时办法",
            "原因未明",
            "待审批",
            "崩溃",
            "绕过",
            "中断",
            "搁置",
            "异常",
            "泄漏",
            "不一致",
            "偶发",
            "丢失",
            "尚未批准",
            "报错",
            "坏了",
            "损坏",
            "停运",
            "停用",
            "停机",
            "断了",
            "被拒",
            "不能用",
            "无法",
        ],
        Cue::Expires => &[
            "expire",
            "expiry",
            "expiration",
            "runs out",
            "lapses",
            "valid until",
            "valid through",
            "läuft … ab$",
            "laufen … ab$",
            "läuft … aus$",
            "ablauf",
            "abläuft",
            "abgelaufen",
            "gültig bis",
            "verfällt",
            "verfallen",
            "endet am",
            "kündigung",
            "만료",
            "유효 기간",
            "까지 유효",
            "기한이 끝",
            "만기",
            "到期",
            "过期",
            "有效期",
            "失效",
        ],
        Cue::ForNow => &[
            "for now",
            "for the time being",
            "temporarily",
            "until further notice",
            "at the moment",
            "these days",
            "for a while",
            "these weeks",
            "lately",
            "currently only",
            "for the moment",
            "vorerst",
            "in letzter zeit",
            "bis auf weiteres",
            "vorübergehend",
            "zurzeit",
            "zur zeit",
            "derzeit",
            "fürs erste",
            "im moment",
            "einstweilen",
            "momentan",
            "당분간",
            "임시로",
            "일시적",
            "잠정",
            "요즘",
            "요새",
            "한동안",
            "지금은 일단",
            "暂时",
            "暂且",
            "临时",
            "眼下",
            "这段时间",
            "目前只",
            "近期",
            "最近",
            "现阶段",
        ],
        Cue::Closed => &[
            "completed",
            "complete$",
            "done$",
            "closed",
            "finished",
            "archived",
            "ended",
            "can be archived",
            "ready to archive",
            "shut down",
            "concluded",
            "abgeschlossen",
            "beendet",
            "erledigt",
            "fertig",
            "archivier",
            "kann ins archiv",
            "geschlossen",
            "eingestellt",
            "종료",
            "완료",
            "끝남",
            "끝났",
            "아카이브 가능",
            "마감",
            "종결",
            "已完成",
            "完成",
            "已结束",
            "结束",
            "可归档",
            "已归档",
            "已关闭",
            "终止",
            "收尾完毕",
        ],
        Cue::Running => &[
            "in progress",
            "active",
            "running",
            "ongoing",
            "started",
            "open$",
            "paused",
            "on hold",
            "planned",
            "planning",
            "design",
            "draft",
            "not ",
            "almost",
            "nearly",
            "partly",
            "partially",
            "waiting",
            "blocked",
            "in review",
            "half",
            "under way",
            "underway",
            "remaining",
            "the rest",
            "rest running",
            "läuft",
            "laufend",
            "in arbeit",
            "aktiv",
            "offen",
            "geplant",
            "planung",
            "pausiert",
            "nicht ",
            "noch nicht",
            "fast ",
            "teilweise",
            "in prüfung",
            "begonnen",
            "wartet",
            "진행",
            "예정",
            "보류",
            "계획",
            "설계",
            "미완",
            "대기",
            "일부",
            "거의",
            "준비",
            "검토",
            "进行中",
            "正在",
            "计划",
            "未完成",
            "未结束",
            "尚未",
            "暂停",
            "部分",
            "即将",
            "设计",
            "待",
        ],
        Cue::Pointer => &[
            "see$",
            "see also",
            "details in",
            "details:",
            "more in",
            "described in",
            "kept in",
            "noted in",
            "listed in",
            "related:",
            "related to",
            "compare",
            "cf.",
            "siehe",
            "s. auch",
            "vgl.",
            "mehr in",
            "mehr dazu",
            "näheres",
            "details in",
            "steht in",
            "beschrieben in",
            "verwandt:",
            "dazu:",
            "참고",
            "참조",
            "관련:",
            "자세한",
            "에 적힌",
            "에 있고",
            "에 있다",
            "에 남겨",
            "에 적어 둔",
            "参见",
            "参考",
            "详见",
            "见[[",
            "见 [[",
            "相关:",
            "相关：",
            "细节在",
            "记在",
        ],
        Cue::NotYet => &[
            "not yet",
            "not … yet$",
            "stays closed",
            "remains closed",
            "bleibt geschlossen",
            "bleiben geschlossen",
            "not been",
            "still not",
            "isn't",
            "hasn't",
            "unresolved",
            "until it is$",
            "once it is$",
            "noch nicht",
            "noch kein",
            "noch … nicht$",
            "bis er$",
            "bis sie$",
            "ungelöst",
            "아직",
            "풀릴 때까지",
            "될 때까지",
            "전까지",
            "尚未",
            "还没",
            "仍未",
            "未解决",
            "之前不",
        ],
        Cue::After => &[
            "after$",
            "once$",
            "since$",
            "following$",
            "nach$",
            "nachdem",
            "sobald",
            "seit$",
            "anschließend",
            "뒤에",
            "후에",
            "다음에",
            "이후",
            "끝나면",
            "되면",
            "之后",
            "以后",
            "后",
            "完成后",
        ],
        Cue::Back => &[
            "again$",
            "back$",
            "resumed",
            "restored",
            "repaired",
            "goes on$",
            "replaced the",
            "delivered",
            "wieder$",
            "weiter$",
            "geliefert",
            "ausgetauscht",
            "getauscht",
            "instand",
            "다시",
            "재개",
            "수리",
            "교체",
            "고쳐",
            "정상",
            "恢复",
            "重新",
            "修好",
            "修复",
            "已更换",
            "更换了",
            "更换完",
            "检修完",
            "换好",
            "正常",
        ],
        Cue::Plans => &[
            "will$",
            "plan to$",
            "plans to$",
            "planning to$",
            "going to$",
            "want to$",
            "intend to$",
            "is to be$",
            "are to be$",
            "must be$",
            "should be$",
            "soll … werden$",
            "sollen … werden$",
            "wollen",
            "planen",
            "plant$",
            "geplant",
            "vorhaben",
            "wird … werden$",
            "werden wir$",
            "muss … sein$",
            "müssen … sein$",
            "예정",
            "계획이",
            "할 것이다",
            "하려고",
            "해야",
            "로 한다고",
            "将",
            "打算",
            "计划",
            "准备",
            "必须",
        ],
        Cue::Until => &[
            "until$",
            "till$",
            "unless$",
            "once$",
            "bis$",
            "solange",
            "까지",
            "전까지",
            "直到",
            "之前",
            "等",
        ],
        Cue::Past => &[
            "no longer",
            "not any more",
            "any more$",
            "anymore$",
            "is gone$",
            "are gone$",
            "gone again",
            "was cancelled",
            "is cancelled",
            "are cancelled",
            "been cancelled",
            "discontinued",
            "abolished",
            "given up$",
            "dropped",
            "stopped",
            "went back to",
            "go back to",
            "goes back to",
            "back to$",
            "from now on",
            "only … now$",
            "now only",
            "has moved",
            "have moved",
            "moved to",
            "changed to",
            "no more$",
            "until now$",
            "so far$",
            "formerly",
            "is over$",
            "are over$",
            "ends$",
            "end.",
            "end;",
            "end,",
            "ended",
            "nicht mehr",
            "kein … mehr$",
            "keine … mehr$",
            "keinen … mehr$",
            "nur noch$",
            "ab sofort",
            "künftig",
            "stattdessen",
            "gekündigt",
            "abgeschafft",
            "eingestellt",
            "entfällt",
            "entfallen",
            "weggefallen",
            "fällt weg",
            "fallen weg",
            "bislang",
            "bisher",
            "neuerdings",
            "von nun an",
            "zurück zu",
            "umgezogen",
            "verlegt",
            "gestrichen",
            "wurde abgesagt",
            "ist abgesagt",
            "sind abgesagt",
            "ausgemustert",
            "hinfällig",
            "이제",
            "더는",
            "더 이상",
            "부터는",
            "없앴",
            "없어졌",
            "없앤",
            "취소했",
            "취소됐",
            "취소되",
            "취소한다",
            "그만두",
            "그만둔",
            "변경",
            "옮겼",
            "옮긴",
            "바뀌",
            "바꿨",
            "바뀐",
            "예전",
            "앞으로는",
            "지금부터는",
            "폐지",
            "무시해도",
            "안 해도",
            "필요 없",
            "不再",
            "不用再",
            "不用了",
            "不必再",
            "停用",
            "停掉",
            "取消",
            "改到",
            "改放",
            "改成",
            "改在",
            "改由",
            "改用",
            "改为",
            "换到",
            "换成",
            "换上",
            "今后",
            "从此",
            "如今",
            "起改",
            "撤掉",
            "转到",
            "搬到",
            "迁到",
            "卖掉",
            "可以不管",
        ],
        Cue::Ahead => &[
            "will be",
            "to be ",
            "planned",
            "next step",
            "next:",
            "plan:",
            "upcoming",
            "later",
            "wird … werden",
            "geplant",
            "nächster schritt:",
            "folgt noch",
            "demnächst",
            "später",
            "예정",
            "다음 단계:",
            "계획은",
            "계획:",
            "나중에",
            "将",
            "计划",
            "下一步:",
            "下一步：",
            "以后",
            "稍后",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_at_their_beginning() {
        assert!(says("the upload is blocked by review", Cue::Trouble));
        assert!(!says("sunblock", Cue::Trouble));
        assert!(says("is over", Cue::Ended));
        assert!(!says("is overdue", Cue::Ended));
        assert!(says("postgres löst mysql ab", Cue::Replaces));
        assert!(!says("löst das problem abends", Cue::Replaces));
        assert!(says("카드 승인이 막혀 있다", Cue::Trouble));
        assert!(says("问题已解决", Cue::Ended));
        assert_eq!(find("a fixed b", Cue::Ended), Some(2));
    }

    #[test]
    fn what_was_not_chosen_is_found() {
        let of = |text: &'static str| {
            rejected(text, &text.to_lowercase()).map(|range| text[range].trim())
        };
        assert_eq!(
            of("Queue by urgency instead of arrival, since May"),
            Some("arrival")
        );
        assert_eq!(of("Cloud statt eigener Server"), Some("eigener Server"));
        assert_eq!(of("영수증은 글자가 아니라 비트맵으로"), Some("글자가"));
        assert_eq!(of("Postgres anstelle von MySQL, seit Mai"), Some("MySQL"));
        assert_eq!(of("npm 대신 pnpm"), Some("npm"));
        assert_eq!(of("用甲而不是乙"), Some("乙"));
        assert_eq!(of("nothing"), None);
    }

    #[test]
    fn every_pattern_is_folded() {
        for cue in Cue::ALL {
            for pattern in table(cue) {
                assert_eq!(&pattern.to_lowercase(), pattern);
                assert!(
                    says(&pattern.replace('$', "").replace(" … ", " x "), cue),
                    "{pattern}"
                );
            }
        }
    }
}
