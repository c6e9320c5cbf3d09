//! What became of one mention.

use super::ground::Ground;
use super::mention::{Mention, Shape};
use super::{Anchor, Kind, Status, cues, path, symbol};

/// Most places that are named for something that moved.
pub(super) const MOST_CANDIDATES: usize = 3;

pub(super) fn judge(ground: &Ground, mention: &Mention) -> Anchor {
    let (kind, status) = match mention.shape {
        Shape::Path => path::judge(ground, mention),
        Shape::Symbol => symbol::judge(ground, mention),
    };
    let kind = match status {
        Status::NotAPath(_) => Kind::NotAPath,
        _ => kind,
    };
    Anchor {
        line: mention.line,
        text: mention.text.to_owned(),
        kind,
        said_absent: status.is_broken() && cues::says_absent(clause(mention)),
        status,
    }
}

/// The sentence around a mention.
fn clause<'a>(mention: &Mention<'a>) -> &'a str {
    let line = mention.whole;
    let ends = ["。", "！", "？", ". ", "! ", "? ", "; ", "；"];
    let before = line.get(..mention.at).unwrap_or_default();
    let start = ends
        .iter()
        .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
        .max()
        .unwrap_or(0);
    let behind = mention.at + mention.text.len();
    let rest = line.get(behind..).unwrap_or_default();
    let end = ends
        .iter()
        .filter_map(|end| rest.find(end))
        .min()
        .map_or(line.len(), |at| behind + at);
    line.get(start..end).unwrap_or(line)
}
