//! A `TZ` that names a file which cannot be read to its end.

use crate::Env;
use std::ffi::OsStr;

/// Starts this program anew without `TZ` when that names a FIFO, a device or a folder instead of a
/// time zone: reading it would keep the program from ever ending, or take what stands in the
/// standard input. Call it before anything is read. Comes back when there is nothing to do, and
/// costs a `stat` only where `TZ` is a path.
#[cfg(unix)]
pub fn leave_unreadable_zone(env: &Env) {
    use std::os::unix::process::CommandExt as _;

    let Some(zone) = env.get_os("TZ") else { return };
    if !is_unreadable(zone) {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // No child: this process goes on as the same program. An error leaves all as it was.
        let _ = std::process::Command::new(program)
            .args(std::env::args_os().skip(1))
            .env_remove("TZ")
            .exec();
    }
}

/// As on Unix, where files name time zones.
#[cfg(not(unix))]
pub fn leave_unreadable_zone(_env: &Env) {}

/// `:/path`, `/path`, or a name that leads out of the folder of the zones.
#[cfg(any(unix, test))]
fn is_unreadable(zone: &OsStr) -> bool {
    let bytes = zone.as_encoded_bytes();
    let name = bytes.strip_prefix(b":").unwrap_or(bytes);
    if name.windows(2).any(|pair| pair == b"..") {
        return true;
    }
    let Some(path) = std::str::from_utf8(name)
        .ok()
        .filter(|name| name.starts_with('/'))
    else {
        return false;
    };
    std::fs::metadata(path).is_ok_and(|meta| !meta.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn names_of_zones_and_files_are_read_and_nothing_else() {
        for readable in [
            "Asia/Seoul",
            ":Asia/Seoul",
            "UTC0",
            "CET-1CEST",
            "/no/such/file",
        ] {
            assert!(!is_unreadable(OsStr::new(readable)), "{readable}");
        }
        for not in [
            "/dev/zero",
            ":/dev/stdin",
            "/tmp",
            "../../dev/zero",
            ":../x",
        ] {
            assert!(is_unreadable(OsStr::new(not)), "{not}");
        }
    }
}
