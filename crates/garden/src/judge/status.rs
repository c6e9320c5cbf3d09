//! STATUS.md: whether a project is over.

use crate::corpus::{Bag, Corpus};
use crate::cues::{self, Cue};
use crate::evidence::Evidence;
use crate::prose::Part;
use crate::scan::{Doc, Scan};
use crate::sources::SourceKind;
use crate::view::{self, View};
use chrono::Datelike;
use memory::Kind;

/// What a STATUS.md says.
#[derive(Debug)]
pub(crate) struct Status {
    /// The words of its folder's name.
    slug: Vec<String>,
    /// The folder's name.
    name: String,
    /// The line that says how it stands.
    pub(crate) line: Evidence,
    /// It is over.
    pub(crate) closed: bool,
    /// The file, as it is named to people.
    path: String,
    /// Its words.
    bag: Bag,
}

/// Letters of a name that is no everyday word, if it stands alone.
const LONG: usize = 6;
/// Words beside its name that a status and an entry of the same project have in common.
const COMMON: usize = 3;

/// How surely a status is an entry's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Covers {
    /// By a word of its name alone: it may be of another matter of that name.
    Perhaps,
    /// By its name, or by what the entry says.
    Surely,
}

/// Labels of the line that says how a project stands.
const LABELS: &[&str] = &[
    "status", "state", "zustand", "stand", "상태", "현황", "状态", "狀態", "phase", "stage",
];

pub(crate) fn read(scan: &Scan) -> Vec<Status> {
    scan.docs
        .iter()
        .filter(|doc| doc.source.kind == SourceKind::Status)
        .filter_map(|doc| of(doc, &scan.corpus))
        .collect()
}

/// The status that covers each project best, and how surely.
pub(crate) fn of_entries<'a>(
    statuses: &'a [Status],
    scan: &Scan,
) -> Vec<Option<(&'a Status, Covers)>> {
    scan.entries
        .iter()
        .map(|view| {
            let of_view = statuses.iter().filter(|_| view.kind == Some(Kind::Project));
            of_view
                .filter_map(|status| Some((status, status.covers(view, &scan.corpus)?)))
                .max_by_key(|(status, surely)| (status.named(view), *surely, status.slug.len()))
        })
        .collect()
}

/// Whether a line is a label and how something stands: `Some(true)` where that is over.
pub(crate) fn labelled(line: &str) -> Option<bool> {
    if !line.contains([':', '：']) {
        return None;
    }
    let folded = line
        .trim_start_matches(['-', '*', '#', '>', ' '])
        .to_lowercase()
        .replace("**", "");
    let (label, value) = folded.split_once([':', '：'])?;
    if !LABELS.contains(&label.trim()) {
        return None;
    }
    let over = closed(value);
    (over || cues::says(value, Cue::Running)).then_some(over)
}

fn of(doc: &Doc, corpus: &Corpus) -> Option<Status> {
    let project = doc.source.path.rsplit('/').nth(1)?;
    let labelled = doc.lines.iter().enumerate().find_map(|(at, line)| {
        let folded = line
            .trim_start_matches(['-', '*', '#', '>', ' '])
            .to_lowercase();
        let plain = folded.replace("**", "");
        let (label, value) = plain.split_once([':', '：'])?;
        LABELS.contains(&label.trim()).then(|| (at, closed(value)))
    });
    let reopened = doc.lines.iter().any(|line| {
        let folded = line.to_lowercase();
        REOPENED.iter().any(|word| folded.contains(word))
    });
    let (at, is_closed) = labelled.or_else(|| {
        doc.lines.iter().enumerate().find_map(|(at, line)| {
            let folded = line.to_lowercase();
            (closed(&folded) && !folded.trim_start().starts_with('#')).then_some((at, true))
        })
    })?;
    Some(Status {
        slug: words(project),
        name: project.to_lowercase(),
        line: Evidence::of(&doc.source.path, at + 1, &doc.lines[at]),
        closed: is_closed && !reopened,
        path: doc.source.path.to_lowercase(),
        bag: corpus.union(&doc.bags),
    })
}

/// Whether the words of a status mean the end: they begin with it, and nothing takes it back.
pub(crate) fn closed(value: &str) -> bool {
    let Some(at) = cues::find(value, Cue::Closed) else {
        return false;
    };
    // What follows in another sentence is of something else.
    let sentence = value[at..]
        .find([';', '；', '。'])
        .or_else(|| value[at..].find(". "))
        .map_or(value.len(), |end| at + end);
    let (before, behind) = value[..sentence].split_at(at);
    !cues::says(&value[..sentence], Cue::Running)
        && !BEFORE.iter().any(|word| before.contains(word))
        // The prefix that denies.
        && !before.ends_with('미')
        && !BEHIND.iter().any(|word| behind.contains(word))
        && !is_part(&value[..sentence])
        && names_its_end(behind)
        && !goes_on(behind)
}

/// Whether what follows the word without a stop narrows it (`completed except for …`, `completed for
/// shop 1`): only a day, or what else is so, does not.
fn goes_on(behind: &str) -> bool {
    const WHEN: [&str; 10] = [
        "on", "at", "since", "as", "by", "am", "seit", "zum", "per", "ab",
    ];
    const AND: [&str; 4] = ["and", "und", "&", "+"];
    let rest = behind.trim_start_matches(char::is_alphabetic);
    let Some(next) = rest.strip_prefix(' ') else {
        return false;
    };
    let mut words = next.split_whitespace();
    let Some(first) = words
        .next()
        .filter(|first| first.starts_with(char::is_alphabetic))
    else {
        return false;
    };
    // A word of another script says when, or nothing that could be told so.
    if !first.is_ascii() && !first.starts_with(|c: char| c < '\u{300}') {
        return false;
    }
    let month = |text: &str| (1..=12).any(|month| view::names_month(text, month));
    let day = words
        .next()
        .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()) || month(next));
    let tells_when = WHEN.contains(&first) || month(first);
    let in_a_month = matches!(first, "in" | "im") && day;
    !(tells_when || in_a_month || AND.contains(&first))
}

/// Words in front of an end that say that it is to come, or is none.
const BEFORE: &[&str] = &[
    "to be ",
    "should ",
    "will ",
    "expected",
    "if ",
    "once ",
    "when ",
    "until ",
    "soll",
    "wird ",
    "wollen",
    "sobald",
    "falls ",
    "wenn ",
    "voraussichtlich",
    "would be ",
    "could be ",
    "was to ",
    "were to ",
    "wäre",
    "würde",
    "sollte",
    "phase ",
    "stage ",
    "etappe",
    "빼고",
    "제외",
    "단계",
    "原定",
    "除",
    "阶段",
    "목표",
    "예상",
    "没有",
    "未",
    "不",
    "预计",
    "预期",
    "计划",
    "如果",
    "目标",
];
/// Words behind it that do so.
const BEHIND: &[&str] = &[
    "?",
    "？",
    "지 않",
    "지 못",
    "안 됨",
    "안됨",
    "안 됐",
    "안 되",
    "안 했",
    "조건",
    "미정",
    "아니",
    "되면",
    "하면",
    "reopened",
    "wieder aufgenommen",
    "wieder geöffnet",
    "재개",
    "werden soll",
    "werden muss",
    "度",
    "吗",
    "否",
    "重新",
    // What else is so takes it back.
    ", but ",
    ", except",
    ", aber",
    ", außer",
    ", bis auf",
    ", wenn",
    ", falls",
    ", if ",
    "missing",
    "fehlt",
    "begins",
    "beginnt",
    "시작",
    "연기",
    "연장",
    "시운전",
    "开始",
    "调试",
    "延期",
    "但",
];
/// Words of a line that takes a whole file's end back.
const REOPENED: &[&str] = &[
    "reopened",
    "re-opened",
    "wieder geöffnet",
    "wieder aufgenommen",
    "재개",
    "다시 시작",
    "重新打开",
    "重新启动",
];
/// What a line answers that asks whether it is over.
const YES: &[&str] = &["yes", "ja", "true", "예", "네", "是", "✓", "✅"];

/// Whether a number in it says that only a part is done: `80 %`, `3 of 7`, `2/3`.
fn is_part(text: &str) -> bool {
    let number = |text: &str| -> Option<u64> {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    text.char_indices().any(|(at, c)| {
        let starts = c.is_ascii_digit() && !text[..at].ends_with(|c: char| c.is_ascii_digit());
        if !starts || text[..at].ends_with(['/', '-', '.']) {
            return false;
        }
        let Some(first) = number(&text[at..]) else {
            return false;
        };
        let rest = text[at..].trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.trim_start();
        if rest.starts_with(['%', '％']) {
            return first < 100;
        }
        let of = ["of ", "von ", "out of ", "/"];
        let second = of.iter().find_map(|word| rest.strip_prefix(word));
        let Some(second) = second.map(str::trim_start) else {
            return false;
        };
        let behind = second.trim_start_matches(|c: char| c.is_ascii_digit());
        // A day is no share.
        !behind.starts_with('/') && number(second).is_some_and(|second| first < second)
    })
}

/// Whether what stands behind the word is no label's value, or one that agrees: `completed: yes`.
fn names_its_end(behind: &str) -> bool {
    let Some(at) = behind.find([':', '：']) else {
        return true;
    };
    let (label, value) = behind.split_at(at);
    if label.contains([',', '.', '(', '，', '。']) || label.chars().any(|c| c.is_ascii_digit()) {
        return true;
    }
    let value = value.trim_start_matches([':', '：']).trim();
    YES.iter().any(|word| value.starts_with(word)) || !view::days(value).is_empty()
}

fn words(name: &str) -> Vec<String> {
    name.split(['-', '_', '.', ' '])
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect()
}

impl Status {
    /// Whether an entry names this very file.
    fn named(&self, view: &View) -> bool {
        let lines = view.statements.iter();
        lines
            .into_iter()
            .any(|statement| statement.folded.contains(&self.path))
    }

    /// Whether an entry was written before the day that the status says it ended on, and names the
    /// month of that day as its own end or that of a part.
    fn ended_as_told(&self, view: &View) -> bool {
        let days = view::days(&self.line.quote.to_lowercase());
        let Some(end) = days.into_iter().max().filter(|_| self.closed) else {
            return false;
        };
        let before = view.written.is_some_and(|written| written <= end);
        let months = || {
            let mut said = view.statements.iter();
            said.any(|said| view::names_month(&said.folded, end.month()))
        };
        before && months()
    }

    /// Whether an entry is about this project: it names the file, the words of the folder's name
    /// stand in the entry's file name, or its description calls the folder by its name.
    fn covers(&self, view: &View, corpus: &Corpus) -> Option<Covers> {
        if self.slug.is_empty() {
            return None;
        }
        if self.named(view) {
            return Some(Covers::Surely);
        }
        let called = view
            .statements
            .iter()
            .any(|statement| statement.part == Part::Head && statement.folded.contains(&self.name));
        let in_name = self.slug.iter().all(|word| view.subject.contains(word));
        // One word of several may be that of another matter.
        if self.slug.len() > 1 && (in_name || called) || in_name && view.subject.len() == 1 {
            Some(Covers::Surely)
        } else {
            // Of one word only, what else they speak of tells.
            let common = || {
                let telling = |word: &&u32| {
                    !corpus.is_number(**word) && corpus.holds(&view.whole, **word) > 0.0
                };
                self.bag.words.iter().filter(telling).count()
            };
            let sure = |name: &String| name.chars().count() >= LONG && common() > COMMON;
            in_name.then(|| match self.slug.as_slice() {
                [name] if sure(name) => Covers::Surely,
                // Its name begins with it, and it tells of the time that the status says it ended.
                [name] if view.subject.first() == Some(name) && self.ended_as_told(view) => {
                    Covers::Surely
                }
                _ => Covers::Perhaps,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_closed_when_nothing_takes_it_back() {
        for value in [
            "completed",
            " 종료 (2026-10-02)",
            "abgeschlossen",
            "已完成",
            "done, can be archived",
            "completed. the next stage is planned elsewhere",
            "completed: 2026-10-02",
            "completed: yes",
            "이미 종료 (2026-10-02 기준)",
            "abgeschlossen am 3/4/2026: alle filialen sind umgestellt",
            "종료, 남은 일 없음",
            "completed on 2026-10-02",
            "completed in october 2026",
            "completed and archived",
            "abgeschlossen im oktober 2026",
            "abgeschlossen seit september",
            "완료 (2026-10-02)",
            "已完成（2026-10-02）",
            "100 % done",
            "7 of 7 branches done",
        ] {
            assert!(closed(value), "{value}");
        }
        for value in [
            "not completed",
            "in progress",
            "진행",
            "nicht abgeschlossen",
            "未完成",
            "almost done",
            "종료 예정",
            "completed (calibration), rest running",
            "abgeschlossen (teil 1), teil 2 in arbeit",
            "läuft",
            "아직 종료되지 않음 (2/3 분관)",
            "종료 안 됨",
            "미종료",
            "완료되지 않았음",
            "종료 조건 미정",
            "종료 기준: 3개 분관 설치",
            "아카이브 가능 여부: 아니오",
            "to be completed by march",
            "80% completed",
            "completed? ask mina",
            "completed: no",
            "completed: 3 of 7 branches",
            "completed steps:",
            "soll im märz abgeschlossen werden",
            "abgeschlossen: nein",
            "没有结束",
            "预计三月完成",
            "完成度 60%",
            "已完成：否",
            "completed except for the gas inspection",
            "completed, but shop 3 is missing",
            "completed pending sign-off",
            "completed in theory",
            "would be completed if the bank agreed",
            "completed for shop 1",
            "abgeschlossen bis auf laden 3",
            "wäre abgeschlossen, wenn die bank zustimmt",
            "vertrag abgeschlossen, arbeit beginnt",
            "3호점만 빼고 완료",
            "1단계 완료",
            "계약 완료, 공사 시작",
            "除三号店外已完成",
            "安装已完成，调试中",
            "原定五月结束，已延期",
            "合同已完成，开始施工",
            "第一阶段已完成",
        ] {
            assert!(!closed(value), "{value}");
        }
    }
}
