//! Secrets that are known by their structure: key blocks, JWTs, URLs with a password, bot tokens,
//! signatures, credentials in headers and on the command line of curl.

use super::anchors::DISCORD;
use super::chars::{ALNUM, BASE64, DOT, PERCENT, TILDE, WORD, before, is, plausible, run};
use super::values;
use super::{Found, Pass, Place};
use memchr::memmem;

/// What begins at `at`; `None` = nothing that this module knows.
pub(super) fn at(pass: &mut Pass<'_>, at: usize) -> Option<Place> {
    let bytes = pass.bytes;
    let rest = bytes.get(at..)?;
    let found = match rest.first()? {
        b'[' => return skip_mark(rest).map(|n| Place::Skip(at + n)),
        b';' => return skip_data_url(bytes, at).map(Place::Skip),
        b'-' => key_block(pass, at),
        b'P' | b'p' => putty(bytes, at).or_else(|| super::documents::connection(bytes, at)),
        b'm' | b't' => super::documents::connection(bytes, at),
        b'e' => jwt(bytes, at, pass.floor),
        b':' => url_password(bytes, at, pass.floor)
            .or_else(|| telegram(bytes, at, pass.floor))
            .or_else(|| super::headers::oracle(bytes, at))
            .or_else(|| super::headers::pgpass(bytes, at, pass.floor)),
        b'M' | b'N' | b'O' => discord(bytes, at, pass.floor),
        b'i' | b'I' => super::documents::identified(bytes, at),
        b'u' | b'U' => super::headers::signature(bytes, at, pass.floor),
        b's' | b'S' => shared_signature(bytes, at, pass.floor),
        b'b' | b'B' => bearer(bytes, at, pass.floor),
        _ => None,
    };
    found.map(Place::Secret)
}

/// `[REDACTED:kind]` of an earlier pass.
fn skip_mark(rest: &[u8]) -> Option<usize> {
    let kind = rest.strip_prefix(b"[REDACTED:")?;
    let end = run(kind, 0, WORD, 40);
    (kind.get(end) == Some(&b']')).then_some(b"[REDACTED:".len() + end + 1)
}

/// `data:image/png;base64,…`: chance hits in images are no secrets.
fn skip_data_url(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    if !rest.starts_with(b";base64,") {
        return None;
    }
    let head = bytes.get(at.saturating_sub(100)..at)?;
    let media = head.get(memmem::rfind(head, b"data:")? + 5..)?;
    if media
        .iter()
        .any(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'('))
    {
        return None;
    }
    Some(run(bytes, at + 8, WORD | BASE64, usize::MAX))
}

/// `-----BEGIN … PRIVATE KEY-----` to its END line. Without that line, to the end of the text, if
/// what follows looks like a key and not like prose or code about keys.
fn key_block(pass: &mut Pass<'_>, at: usize) -> Option<Found> {
    let bytes = pass.bytes;
    let rest = bytes.get(at..)?;
    if !(rest.starts_with(b"-BEGIN ") || rest.starts_with(b"- BEGIN ")) {
        return None;
    }
    let line = rest.get(7..rest.len().min(90))?;
    let label = line.get(..memmem::find(line, b"----")?)?;
    if !is_key_label(label) {
        return None;
    }
    let mut start = at;
    while start > pass.floor && bytes.get(start - 1) == Some(&b'-') {
        start -= 1;
    }
    let mut after = at + 7 + label.len();
    while bytes.get(after) == Some(&b'-') {
        after += 1;
    }
    let end = match key_end(pass, after) {
        Some(end) => end,
        None if looks_like_key(bytes.get(after..)?) => bytes.len(),
        None => return None,
    };
    Some(Found {
        start,
        end,
        kind: "private-key",
    })
}

/// The end of the next `-----END … PRIVATE KEY…-----` at or behind `from`. Each stretch of the text
/// is searched once.
fn key_end(pass: &mut Pass<'_>, from: usize) -> Option<usize> {
    if let Some((asked, answer)) = pass.key_end
        && asked <= from
        && answer.is_none_or(|end| end > from)
    {
        return answer;
    }
    let bytes = pass.bytes;
    let mut at = from;
    let answer = loop {
        let Some(found) = memmem::find(bytes.get(at..).unwrap_or_default(), b"END ") else {
            break None;
        };
        let dashed = bytes
            .get(from..at + found)
            .is_some_and(|head| head.ends_with(b"---") || head.ends_with(b"--- "));
        at += found + 4;
        if !dashed {
            continue;
        }
        let line = bytes.get(at..bytes.len().min(at + 90)).unwrap_or_default();
        let Some(length) = memmem::find(line, b"----") else {
            continue;
        };
        let label = line.get(..length).unwrap_or_default();
        if is_key_label(label) {
            let mut end = at + length;
            while bytes.get(end) == Some(&b'-') {
                end += 1;
            }
            break Some(end);
        }
    };
    pass.key_end = Some((from, answer));
    answer
}

/// The labels of all that is a key, also those of `OpenVPN` and SSH2.
fn is_key_label(label: &[u8]) -> bool {
    ["PRIVATE KEY", "Static key"]
        .iter()
        .any(|word| memmem::find(label, word.as_bytes()).is_some())
        && !label.contains(&b'\n')
}

/// Whether the first line behind a BEGIN line is key material or one of its headers.
fn looks_like_key(rest: &[u8]) -> bool {
    let mut at = 0;
    loop {
        match (rest.get(at), rest.get(at + 1)) {
            (Some(b'\\'), Some(b'n' | b'r' | b't')) => at += 2,
            (Some(b' ' | b'\t' | b'\r' | b'\n' | b'\\' | b'>' | b'#' | b'+' | b'|'), _) => at += 1,
            (Some(b'"' | b'\''), _) if at > 0 => at += 1,
            _ => break,
        }
    }
    let end = run(rest, at, WORD | BASE64, 100);
    if at == 0 || end < at + 4 {
        return false;
    }
    match rest.get(end) {
        // `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG`
        Some(b':') => rest.get(end + 1) == Some(&b' '),
        Some(b'\\' | b'\r' | b'\n' | b'"' | b'\'') | None => true,
        Some(_) => end >= at + 40,
    }
}

/// The private lines of a `PuTTY` key file.
fn putty(bytes: &[u8], at: usize) -> Option<Found> {
    let rest = bytes.get(at..)?;
    let name = b"Private-Lines:";
    if !rest.get(..name.len())?.eq_ignore_ascii_case(name) {
        return None;
    }
    let mut start = at + name.len();
    while bytes
        .get(start)
        .is_some_and(|b| matches!(b, b' ' | b'0'..=b'9'))
    {
        start += 1;
    }
    // Lines of base64; what comes after them is not.
    let mut end = start;
    loop {
        let mut line = end;
        loop {
            match (bytes.get(line), bytes.get(line + 1)) {
                (Some(b'\\'), Some(b'n' | b'r')) => line += 2,
                (Some(b'\r' | b'\n' | b' ' | b'\t'), _) => line += 1,
                _ => break,
            }
        }
        let stop = run(bytes, line, ALNUM | BASE64, usize::MAX);
        if stop < line + 4 || matches!(bytes.get(stop), Some(b':' | b'-')) {
            break;
        }
        end = stop;
    }
    (end > start).then_some(Found {
        start,
        end,
        kind: "private-key",
    })
}

/// A JWT: two parts of base64url that begin as JSON does, and a signature; or five parts, encrypted.
fn jwt(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    if !bytes.get(at..)?.starts_with(b"eyJ") || !before(bytes, at, floor) {
        return None;
    }
    let header = run(bytes, at, WORD, usize::MAX);
    if header < at + 12 || bytes.get(header) != Some(&b'.') {
        return None;
    }
    let mut parts = [0_usize; 5];
    let mut end = header;
    let mut count = 1;
    while count < parts.len() && bytes.get(end) == Some(&b'.') {
        let next = run(bytes, end + 1, WORD, usize::MAX);
        parts[count] = next - end - 1;
        if next == end + 1 && count != 1 {
            break;
        }
        end = next;
        count += 1;
    }
    let signed = parts[1] >= 6 && bytes.get(header + 1..)?.starts_with(b"eyJ");
    let encrypted = count == 5 && parts[4] >= 10;
    if signed {
        // Three parts at most; the signature may be missing or cut.
        let mut end = header + 1 + parts[1];
        if parts[2] > 0 {
            end += 1 + parts[2];
        }
        return Some(Found {
            start: at,
            end,
            kind: "jwt",
        });
    }
    encrypted.then_some(Found {
        start: at,
        end,
        kind: "jwt",
    })
}

/// The password in `scheme://user:password@host`.
fn url_password(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    const LONGEST: usize = 512;
    if !bytes.get(at..)?.starts_with(b"://") || at <= floor {
        return None;
    }
    if !bytes.get(at - 1).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let from = at + 3;
    let rest = bytes.get(from..bytes.len().min(from + LONGEST))?;
    let stop = rest
        .iter()
        .position(|b| b.is_ascii_whitespace() || b"\"'`<>\\".contains(b))
        .unwrap_or(rest.len());
    let rest = rest.get(..stop)?;
    let host_end = rest
        .iter()
        .position(|b| matches!(b, b'/' | b'?' | b'#'))
        .unwrap_or(rest.len());
    let authority = rest.get(..host_end)?;
    let Some(colon) = authority.iter().position(|b| *b == b':') else {
        let sign = authority.iter().position(|b| *b == b'@')?;
        let user = authority.get(..sign)?;
        return super::headers::lone_user(user).then_some(Found {
            start: from,
            end: from + sign,
            kind: "url-token",
        });
    };
    let sign = if let Some(sign) = authority.iter().rposition(|b| *b == b'@') {
        sign
    } else {
        // A password with a `/`, `?` or `#` that should have been encoded; but not a port.
        let port = authority.get(colon + 1..)?;
        if port.iter().all(u8::is_ascii_digit) || authority.contains(&b'[') {
            return None;
        }
        let sign = rest.iter().position(|b| *b == b'@')?;
        if memmem::find(rest.get(..sign)?, b"://").is_some() {
            return None;
        }
        sign
    };
    if authority.starts_with(b"[REDACTED:url-token]") {
        return None;
    }
    let behind = rest.get(colon + 1..sign)?;
    if (behind.is_empty() || behind == b"x-oauth-basic")
        && super::headers::lone_user(rest.get(..colon)?)
    {
        return Some(Found {
            start: from,
            end: from + colon,
            kind: "url-token",
        });
    }
    if sign <= colon + 1 {
        return None;
    }
    let password = rest.get(colon + 1..sign)?;
    if values::is_reference(password) || values::is_mask(password) {
        return None;
    }
    Some(Found {
        start: from + colon + 1,
        end: from + sign,
        kind: "url-password",
    })
}

/// `123456789:AA…`, 35 characters behind the colon.
fn telegram(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    if !bytes.get(at..)?.starts_with(b":AA") {
        return None;
    }
    let mut start = at;
    while start > floor && at - start < 13 && bytes.get(start - 1).is_some_and(u8::is_ascii_digit) {
        start -= 1;
    }
    let end = run(bytes, at + 1, WORD, 60);
    let long = (33..=45).contains(&(end - at - 1));
    (long && (6..=12).contains(&(at - start)) && plausible(bytes.get(at + 1..end)?)).then_some(
        Found {
            start,
            end,
            kind: "telegram-token",
        },
    )
}

/// A Discord bot token: the base64 of the bot's number, six characters, the signature.
fn discord(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    let head = bytes.get(at..at + 4)?;
    if head.iter().zip(DISCORD).any(|(b, set)| !set.contains(b)) || !before(bytes, at, floor) {
        return None;
    }
    let first = run(bytes, at, WORD, 40);
    let second = run(bytes, first + 1, WORD, 10);
    let third = run(bytes, second + 1, WORD, 60);
    let fits = (22..=30).contains(&(first - at))
        && bytes.get(first) == Some(&b'.')
        && (5..=7).contains(&(second - first - 1))
        && bytes.get(second) == Some(&b'.')
        && (25..=45).contains(&(third - second - 1));
    fits.then_some(Found {
        start: at,
        end: third,
        kind: "discord-token",
    })
}

/// The signature of an Azure shared access URL.
fn shared_signature(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    if !bytes.get(at..)?.starts_with(b"sig=") || !before(bytes, at, floor) {
        return None;
    }
    let start = at + 4;
    let end = run(bytes, start, WORD | BASE64 | PERCENT, 200);
    (end >= start + 30 && plausible(bytes.get(start..end)?)).then_some(Found {
        start,
        end,
        kind: "azure-sas",
    })
}

/// The credential behind `Bearer`, where no header name tells that it is one.
fn bearer(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    let word = bytes.get(at..at + 6)?;
    if !word.eq_ignore_ascii_case(b"bearer") || !before(bytes, at, floor) {
        return None;
    }
    let mut start = at + 6;
    while bytes.get(start) == Some(&b' ') && start < at + 10 {
        start += 1;
    }
    if start == at + 6 {
        return None;
    }
    let end = run(bytes, start, WORD | BASE64 | DOT | TILDE, 64);
    let head = trim_end_dots(bytes.get(start..end)?);
    let letters = head.iter().any(u8::is_ascii_alphabetic);
    let digits = head.iter().any(u8::is_ascii_digit);
    let long_word = head.len() >= 20 && head.iter().all(|b| is(*b, ALNUM));
    if !(letters && digits && head.len() >= 8 || long_word) || values::is_mask(head) {
        return None;
    }
    let end = run(bytes, start, WORD | BASE64 | DOT | TILDE, usize::MAX);
    let token = trim_end_dots(bytes.get(start..end)?);
    Some(Found {
        start,
        end: start + token.len(),
        kind: "authorization",
    })
}

fn trim_end_dots(token: &[u8]) -> &[u8] {
    let kept = token.iter().rposition(|b| *b != b'.').map_or(0, |i| i + 1);
    token.get(..kept).unwrap_or_default()
}
