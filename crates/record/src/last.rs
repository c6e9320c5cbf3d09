//! The last thing of each kind that a record holds.

use crate::day::layout::TAIL_LIMIT;
use crate::{CONVERSATIONS, DAY_END, Record, Result, day, tools};
use chrono::{NaiveDateTime, NaiveTime};
use claude_hook::Role;

/// Days looked back for the last entry of a kind.
const DAYS: usize = 60;
/// Bytes of a file's end that are looked at first.
const TAIL: u64 = 4 * TAIL_LIMIT;
/// Largest day file that is read whole when its end holds no entry of a kind.
const WHOLE: u64 = 64 << 20;

/// When the last entry of each kind was written, in local time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Last {
    /// The person's.
    pub user: Option<NaiveDateTime>,
    /// The assistant's.
    pub assistant: Option<NaiveDateTime>,
    /// A line of the tool log.
    pub tool: Option<NaiveDateTime>,
}

impl Record {
    /// The last entry of each kind, looking back over the newest 60 files.
    pub fn last_entries(&self) -> Result<Last> {
        let mut last = Last::default();
        for date in self.dates_of(DAY_END)?.into_iter().rev().take(DAYS) {
            let path = self.day_path(date)?;
            for limit in [TAIL, WHOLE] {
                let Some((offset, bytes)) = safe_file::tail(&path, limit)? else {
                    break;
                };
                for located in day::parse_from(&bytes, offset).iter().rev() {
                    let place = match located.entry.role {
                        Role::User => &mut last.user,
                        Role::Assistant => &mut last.assistant,
                    };
                    place.get_or_insert(date.and_time(located.entry.time));
                }
                if offset == 0 || (last.user.is_some() && last.assistant.is_some()) {
                    break;
                }
            }
            if last.user.is_some() && last.assistant.is_some() {
                break;
            }
        }
        for date in self.dates_of(tools::LOG_END)?.into_iter().rev().take(DAYS) {
            let path = self.resolve(&format!("{CONVERSATIONS}/{date}{}", tools::LOG_END))?;
            let Some((_, bytes)) = safe_file::tail(&path, TAIL)? else {
                continue;
            };
            let time = bytes.split(|byte| *byte == b'\n').rev().find_map(time_of);
            if let Some(time) = time {
                last.tool = Some(date.and_time(time));
                break;
            }
        }
        Ok(last)
    }
}

/// The time of a tool log line.
fn time_of(line: &[u8]) -> Option<NaiveTime> {
    let rest = line.strip_prefix(b"- `[")?;
    let time = std::str::from_utf8(rest.get(..8)?).ok()?;
    NaiveTime::parse_from_str(time, "%H:%M:%S").ok()
}
