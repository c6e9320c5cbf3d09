//! What a reading that goes on later has to know of what it does not read again.

use claude_hook::{PromptId, SessionId};
use std::path::PathBuf;

/// What remains of a turn that was handed out.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Past {
    pub(crate) id: u32,
    /// Offset of its last line.
    pub(crate) until: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prompt: Option<PromptId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cwd: Option<PathBuf>,
}

/// What a [`crate::Position`] takes along.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Context {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) start_cwd: Option<PathBuf>,
    /// Offset of the first attachment: clients that write them need no queue lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attachment: Option<u64>,
    /// Time of the last record that had one, milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<i64>,
    /// Names of the last records, and the turn of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) records: Vec<(u64, Option<u32>)>,
    /// The turns that these are of, and those that end behind the position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) turns: Vec<Past>,
    /// Texts of the last turns, to tell repeated ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) texts: Vec<(u64, u64)>,
}
