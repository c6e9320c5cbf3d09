//! The environment and the clock as a value.
#![allow(
    clippy::disallowed_methods,
    reason = "the one place that reads variables and the clock"
)]

use chrono::{DateTime, Duration, Local, LocalResult, NaiveDateTime, TimeZone, Utc};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The environment as a value. The one place that reads process variables.
///
/// It never holds, copies or shows more than what was asked for by name: the client's environment
/// carries its API key. The value of a variable is that of the first time it was asked for.
#[derive(Default)]
pub struct Env {
    source: Source,
}

enum Source {
    /// Read from the process when first asked for, then kept.
    Process(Slot),
    Given(BTreeMap<String, OsString>),
}

impl Default for Source {
    fn default() -> Self {
        Self::Given(BTreeMap::new())
    }
}

/// A list that only grows, so that answers can be borrowed from it.
type Slot = OnceLock<Box<Seen>>;

struct Seen {
    name: String,
    value: Option<OsString>,
    next: Slot,
}

impl Env {
    /// The variables of this process.
    pub fn of_process() -> Self {
        Self {
            source: Source::Process(Slot::new()),
        }
    }

    /// For tests.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self {
            source: Source::Given(
                pairs
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value.into()))
                    .collect(),
            ),
        }
    }

    /// A variable that is set, not empty, and valid UTF-8.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_os(name)?.to_str()
    }

    /// A variable that is set and not empty, whatever its bytes.
    pub fn get_os(&self, name: &str) -> Option<&OsStr> {
        let value = match &self.source {
            Source::Given(vars) => vars.get(name).map(OsString::as_os_str),
            Source::Process(first) => read(first, name),
        };
        value.filter(|value| !value.is_empty())
    }

    /// A variable that holds an absolute path.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.get_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    }

    /// `MNEMO_DISABLE` holds a non-empty value other than `0`.
    pub fn disabled(&self) -> bool {
        self.get_os("MNEMO_DISABLE")
            .is_some_and(|value| value != "0")
    }

    /// The user's home directory (`HOME`, on Windows `USERPROFILE`); `None` when unset or relative.
    pub fn home(&self) -> Option<PathBuf> {
        self.path("HOME").or_else(|| {
            if cfg!(windows) {
                self.path("USERPROFILE")
            } else {
                None
            }
        })
    }

    /// Now: `MNEMO_NOW` (RFC 3339, a local `YYYY-MM-DDTHH:MM:SS`, or seconds since 1970), else the
    /// system's clock, in local time. An unreadable `MNEMO_NOW` counts as unset.
    pub fn now(&self) -> DateTime<Local> {
        self.get("MNEMO_NOW")
            .and_then(|text| instant(text.trim()))
            .unwrap_or_else(Local::now)
    }
}

/// Asks the process once for each name.
fn read<'a>(first: &'a Slot, name: &str) -> Option<&'a OsStr> {
    let mut slot = first;
    loop {
        let seen = slot.get_or_init(|| {
            Box::new(Seen {
                name: name.to_owned(),
                value: std::env::var_os(name),
                next: Slot::new(),
            })
        });
        if seen.name == name {
            return seen.value.as_deref();
        }
        slot = &seen.next;
    }
}

impl Clone for Env {
    fn clone(&self) -> Self {
        match &self.source {
            Source::Process(_) => Self::of_process(),
            Source::Given(vars) => Self {
                source: Source::Given(vars.clone()),
            },
        }
    }
}

impl fmt::Debug for Env {
    /// Names at most, never values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Process(_) => f.write_str("Env(process)"),
            Source::Given(vars) => f.debug_tuple("Env").field(&vars.keys()).finish(),
        }
    }
}

/// A point in time as people and tests write it, within the years 1 to 9999.
fn instant(text: &str) -> Option<DateTime<Local>> {
    let utc = DateTime::parse_from_rfc3339(text)
        .map(|time| time.to_utc())
        .ok()
        .or_else(|| local(text))
        .or_else(|| epoch_seconds(text))?;
    // A day of slack at both ends: no time zone leads out of the years that a date can be
    // written with.
    let first = DateTime::<Utc>::from_timestamp(-62_135_510_400, 0)?;
    let last = DateTime::<Utc>::from_timestamp(253_402_214_400, 0)?;
    (first..last)
        .contains(&utc)
        .then(|| utc.with_timezone(&Local))
}

fn local(text: &str) -> Option<DateTime<Utc>> {
    let naive = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f")
        .or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f"))
        .ok()?;
    // Twice a year a clock shows a time twice or skips it: the first of two counts, and a skipped
    // time is counted on from the last hour that there was.
    (0..=24).find_map(|hours| {
        let back = Duration::hours(hours);
        match Local.from_local_datetime(&naive.checked_sub_signed(back)?) {
            LocalResult::Single(time) | LocalResult::Ambiguous(time, _) => {
                time.to_utc().checked_add_signed(back)
            }
            LocalResult::None => None,
        }
    })
}

fn epoch_seconds(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(seconds) = text.parse::<i64>() {
        return DateTime::from_timestamp(seconds, 0);
    }
    // Digits only: `inf` and `nan` are numbers to the parser.
    if !text
        .bytes()
        .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b))
    {
        return None;
    }
    let seconds = std::time::Duration::try_from_secs_f64(text.parse::<f64>().ok()?).ok()?;
    DateTime::from_timestamp(
        i64::try_from(seconds.as_secs()).ok()?,
        seconds.subsec_nanos(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(text: &str) -> DateTime<Local> {
        Env::from_pairs([("MNEMO_NOW", text)]).now()
    }

    #[test]
    fn the_clock_can_be_set_in_all_documented_forms() {
        let expected = DateTime::parse_from_rfc3339("2026-11-30T14:03:22+09:00").unwrap();
        for text in [
            "2026-11-30T14:03:22+09:00",
            "2026-11-30T05:03:22Z",
            " 2026-11-30T05:03:22Z\n",
            "1796015002",
            "1796015002.0",
        ] {
            assert_eq!(now(text), expected, "{text}");
        }
        assert_eq!(now("1796015002.25").timestamp_subsec_millis(), 250);
        assert_eq!(now("-1").timestamp(), -1);
        for text in ["2026-11-30T14:03:22", "2026-11-30 14:03:22"] {
            assert_eq!(
                now(text).naive_local().to_string(),
                "2026-11-30 14:03:22",
                "{text}"
            );
        }
    }

    #[test]
    fn an_unreadable_clock_falls_back_to_the_system() {
        for text in [
            "soon",
            "",
            "nan",
            "inf",
            "1e300",
            "99999999999999",
            "9223372036854775807",
            "-9223372036854775808",
            "2026-13-01T00:00:00Z",
            "9999-12-31T23:59:59-12:00",
            "+262142-12-31T23:59:59",
            "0000-01-01T00:00:00+14:00",
        ] {
            let before = Local::now();
            let told = now(text);
            assert!(told >= before && told <= Local::now(), "{text}: {told}");
        }
    }

    #[test]
    fn what_is_shown_of_an_environment_holds_no_value() {
        let env = Env::from_pairs([("ANTHROPIC_API_KEY", "a-very-secret-value")]);
        assert!(!format!("{env:?}").contains("secret"));
        assert_eq!(format!("{:?}", Env::of_process()), "Env(process)");
    }

    #[test]
    fn the_process_is_asked_for_what_is_wanted_only() {
        let env = Env::of_process();
        // Cargo sets these for its tests.
        assert_eq!(env.get("CARGO_PKG_NAME"), Some("mnemo-home"));
        assert_eq!(env.get("NO_SUCH_VARIABLE_HERE"), None);
        assert_eq!(env.get("CARGO_PKG_NAME"), Some("mnemo-home"));
        assert_eq!(env.clone().get("CARGO_PKG_NAME"), Some("mnemo-home"));
        let Source::Process(first) = &env.source else {
            panic!("not of the process");
        };
        assert!(
            first
                .get()
                .unwrap()
                .next
                .get()
                .unwrap()
                .next
                .get()
                .is_none()
        );
    }

    #[test]
    fn off_means_any_value_but_zero() {
        let off = |value| Env::from_pairs([("MNEMO_DISABLE", value)]).disabled();
        assert!(off("1") && off("true") && off("00") && off("false"));
        assert!(!off("0") && !off("") && !Env::default().disabled());
    }

    #[test]
    fn a_relative_home_is_none() {
        let home = |value| Env::from_pairs([("HOME", value)]).home();
        assert_eq!(home("somewhere/else"), None);
        assert_eq!(home(""), None);
        assert_eq!(Env::default().home(), None);
        #[cfg(unix)]
        assert_eq!(home("/home/u"), Some(PathBuf::from("/home/u")));
    }
}
