//! What entries claim that can be held against something.

use crate::cues::Cue;
use crate::scan::Outline;
use crate::view::{self, View};
use chrono::NaiveDate;
use hygiene::anchors::{Anchor, Kind, Status};
use memory::parallel;
use serde::Serialize;

/// One claim of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Line, from 1.
    pub line: usize,
    /// What kind of claim.
    pub kind: ClaimKind,
    /// As it stands there.
    pub text: String,
    /// What became of it, where that is known: `exists`, `moved`, `gone`, `past`, `ahead`, or the
    /// state that the words tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// Kinds of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimKind {
    /// A file or folder.
    Path,
    /// A name in the sources.
    Symbol,
    /// A day.
    Date,
    /// An issue or pull request.
    Number,
    /// How something stands.
    State,
}

impl Claim {
    /// Names a path or a symbol that is no longer there.
    pub fn broken(&self) -> bool {
        self.names() && matches!(self.status.as_deref(), Some("moved" | "gone"))
    }

    /// Names a path or a symbol.
    pub fn names(&self) -> bool {
        matches!(self.kind, ClaimKind::Path | ClaimKind::Symbol)
    }
}

/// Words of state, as claims name them.
const STATES: &[(Cue, &str)] = &[
    (Cue::Trouble, "trouble"),
    (Cue::Ended, "over"),
    (Cue::Replaces, "replaced"),
    (Cue::Expires, "expires"),
    (Cue::ForNow, "for now"),
];

/// Fewer entries are read at once.
const MANY: usize = 32;

/// The claims of every entry, in the store's order.
pub fn claims(scan: &Outline) -> Vec<Vec<Claim>> {
    let anchors = crate::judge::anchors(scan);
    let today = scan.now.date_naive();
    let all: Vec<_> = scan.entries.iter().zip(&anchors).collect();
    parallel::map(&all, MANY, |(view, anchors)| of(view, anchors, today))
}

fn of(view: &View, anchors: &[Anchor], today: NaiveDate) -> Vec<Claim> {
    let mut out: Vec<Claim> = anchors.iter().filter_map(of_anchor).collect();
    for (number, line) in &view.numbers {
        // A ticket key's number carries its name in the upper bits.
        if *number < 1 << 24 {
            out.push(Claim {
                line: *line,
                kind: ClaimKind::Number,
                text: format!("#{number}"),
                status: None,
            });
        }
    }
    for statement in &view.statements {
        for day in view::days(&statement.folded) {
            let status = if day < today { "past" } else { "ahead" };
            out.push(Claim {
                line: statement.line,
                kind: ClaimKind::Date,
                text: day.to_string(),
                status: Some(status.to_owned()),
            });
        }
        for (cue, name) in STATES {
            let meant =
                *cue == Cue::Ended && (statement.says(Cue::Plans) || statement.says(Cue::NotYet));
            if statement.says(*cue) && !meant {
                out.push(Claim {
                    line: statement.line,
                    kind: ClaimKind::State,
                    text: view.evidence(statement).quote,
                    status: Some((*name).to_owned()),
                });
            }
        }
    }
    for (number, line) in (1..).zip(&view.lines) {
        if let Some(closed) = crate::judge::labelled_status(line) {
            out.push(Claim {
                line: number,
                kind: ClaimKind::State,
                text: crate::Evidence::of(&view.path, number, line).quote,
                status: Some(if closed { "over" } else { "under way" }.to_owned()),
            });
        }
    }
    out.sort_by(|x, y| (x.line, x.kind, &x.text).cmp(&(y.line, y.kind, &y.text)));
    out.dedup();
    out
}

fn of_anchor(anchor: &Anchor) -> Option<Claim> {
    let kind = match anchor.kind {
        Kind::Path => ClaimKind::Path,
        Kind::Symbol => ClaimKind::Symbol,
        Kind::NotAPath => return None,
    };
    if matches!(anchor.status, Status::NotAPath(_)) {
        return None;
    }
    let status = if anchor.status.is_broken() && anchor.said_absent {
        "said to be gone"
    } else {
        anchor.status.name()
    };
    Some(Claim {
        line: anchor.line,
        kind,
        text: anchor.text.clone(),
        status: Some(status.to_owned()),
    })
}
