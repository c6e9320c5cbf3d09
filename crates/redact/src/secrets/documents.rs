//! Secrets whose name stands somewhere else than right before them: in a table's head or first
//! cell, on the line above, in the `name` of a pair; the statements of SQL; the data of a
//! Kubernetes secret.

use super::assigned::{blanks, line_before, quoted};
use super::names::{Name, Sense};
use super::values::{self, Setting};
use super::{Found, Pass};
use memchr::{memchr, memmem};

/// Longest stretch that is read from a name on.
const LONGEST: usize = 16 * 1024;

/// The end of the line at `at`, without its line break; of a longer one the first [`LONGEST`] bytes.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let limit = bytes.len().min(at.saturating_add(LONGEST));
    let rest = bytes.get(at..limit).unwrap_or_default();
    memchr(b'\n', rest).map_or(limit.max(at), |i| at + i)
}

/// The beginning of the line that holds `at`, at most 1024 bytes before.
fn line_start(bytes: &[u8], at: usize, floor: usize) -> usize {
    let from = at.saturating_sub(1024).max(floor);
    let near = bytes.get(from..at).unwrap_or_default();
    memchr::memrchr(b'\n', near).map_or(from, |i| from + i + 1)
}

fn indent(line: &[u8]) -> usize {
    line.iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}

/// A cell behind the name, or a column below it. The cells of a column are noted.
pub(super) fn table(pass: &mut Pass<'_>, start: usize, end: usize, name: Name) -> Option<Found> {
    let bytes = pass.bytes;
    let mut at = end;
    while at < end + 4 && matches!(bytes.get(at), Some(b'`' | b'*' | b'"' | b'\'')) {
        at += 1;
    }
    at = blanks(bytes, at);
    let first = start == 0 || bytes.get(start - 1) == Some(&b'\n');
    match bytes.get(at) {
        Some(b'|') => {}
        // The last column of a head without a frame.
        Some(b'\r' | b'\n') if !first => {
            let head = bytes.get(line_start(bytes, start, pass.floor)..start)?;
            memchr(b'|', head)?;
        }
        _ => return None,
    }
    let begin = line_start(bytes, start, 0);
    let head = bytes.get(begin..start)?;
    let column = memchr::memchr_iter(b'|', head).count();
    let rule = line_end(bytes, at) + 1;
    let below = bytes.get(rule..line_end(bytes, rule)).unwrap_or_default();
    if is_rule(below) {
        cells(pass, line_end(bytes, rule) + 1, column, name);
        return None;
    }
    if bytes.get(at) != Some(&b'|') || column > 1 && !head.trim_ascii().ends_with(b"|") {
        return None;
    }
    let (from, to) = cell(bytes, at + 1);
    let value = bytes.get(from..to)?;
    // The value of a row is no description: it looks like a secret.
    (!value.iter().any(u8::is_ascii_whitespace) && values::bare(value, name.sense, Setting::Inside))
        .then_some(Found {
            start: from,
            end: to,
            kind: name.kind,
        })
}

/// `|---|:--|`, `-----+-----`
fn is_rule(line: &[u8]) -> bool {
    memchr::memchr_iter(b'-', line).nth(2).is_some()
        && line.iter().any(|b| matches!(b, b'|' | b'+'))
        && line.iter().all(|b| b"|+-: \t\r=".contains(b))
}

/// The content of the cell that begins at `from`, without blanks and marks around it.
fn cell(bytes: &[u8], from: usize) -> (usize, usize) {
    let line = bytes.get(from..line_end(bytes, from)).unwrap_or_default();
    let length = memchr(b'|', line).unwrap_or(line.len());
    let raw = line.get(..length).unwrap_or_default();
    let mark = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'`' | b'*');
    let lead = raw.iter().take_while(|b| mark(b)).count();
    let trail = raw.iter().rev().take_while(|b| mark(b)).count();
    (
        from + lead,
        (from + length).saturating_sub(trail).max(from + lead),
    )
}

/// Notes the cells of a column in the rows from `at` on.
fn cells(pass: &mut Pass<'_>, mut at: usize, column: usize, name: Name) {
    let bytes = pass.bytes;
    let limit = bytes.len().min(at.saturating_add(LONGEST));
    while at < limit {
        let end = line_end(bytes, at);
        let row = bytes.get(at..end).unwrap_or_default();
        if memchr(b'|', row).is_none() || is_rule(row) {
            return;
        }
        let begin = match column.checked_sub(1) {
            None => Some(at),
            Some(n) => memchr::memchr_iter(b'|', row).nth(n).map(|i| at + i + 1),
        };
        if let Some(begin) = begin {
            let (from, to) = cell(bytes, begin);
            let value = bytes.get(from..to).unwrap_or_default();
            // A table of parameters describes them; a table of accounts holds them.
            if value.iter().all(|b| !b.is_ascii_whitespace())
                && values::bare(value, name.sense, Setting::Inside)
            {
                pass.note(Found {
                    start: from,
                    end: to,
                    kind: name.kind,
                });
            }
        }
        at = end + 1;
    }
}

/// `name: DB_PASSWORD` and its `value:`, on the same line or the next; in YAML, JSON and XML.
pub(super) fn pair(pass: &Pass<'_>, start: usize, end: usize, name: Name) -> Option<Found> {
    let bytes = pass.bytes;
    let head = line_before(bytes, start, pass.floor);
    let head = trim_marks(head);
    let named = ["name", "key", "id", "variable", "field", "property"]
        .iter()
        .any(|word| {
            head.len() >= word.len()
                && head
                    .get(head.len() - word.len()..)
                    .is_some_and(|tail| tail.eq_ignore_ascii_case(word.as_bytes()))
        });
    if !named || head.len() == line_before(bytes, start, pass.floor).len() {
        return None;
    }
    let mut at = end;
    while at < end + 64
        && bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_whitespace() || b"\\\"',>".contains(b))
    {
        at += 1;
    }
    let word = bytes.get(at..at + 5)?;
    if at == end || !word.eq_ignore_ascii_case(b"value") {
        return None;
    }
    at += 5;
    let behind = at;
    let mut signs = 0;
    while at < behind + 12 {
        match bytes.get(at) {
            Some(b':' | b'=' | b'>') if signs == 0 => signs = 1,
            Some(b' ' | b'\t') => {}
            Some(b'\\' | b'"' | b'\'') if signs == 0 => {}
            _ => break,
        }
        at += 1;
    }
    if signs == 0 {
        return None;
    }
    if let Some((from, to)) = quoted(bytes, at) {
        return values::quoted(bytes.get(from..to)?, name.sense).then_some(Found {
            start: from,
            end: to,
            kind: name.kind,
        });
    }
    let line = bytes.get(at..line_end(bytes, at))?;
    let length = line
        .iter()
        .position(|b| b.is_ascii_whitespace() || b"\"'<,}".contains(b))
        .unwrap_or(line.len());
    let setting = Setting::OwnLine { finished: false };
    values::bare(line.get(..length)?, name.sense, setting).then_some(Found {
        start: at,
        end: at + length,
        kind: name.kind,
    })
}

fn trim_marks(head: &[u8]) -> &[u8] {
    let trail = head
        .iter()
        .rev()
        .take_while(|b| b" \t\\\"':=".contains(b))
        .count();
    head.get(..head.len() - trail).unwrap_or_default()
}

/// The value on the lines below `name:`: a block (`|`, `>`), or one line further in.
pub(super) fn below(pass: &Pass<'_>, start: usize, at: usize, name: Name) -> Option<Found> {
    let bytes = pass.bytes;
    if !matches!(bytes.get(at), Some(b'\n' | b'\r' | b'|' | b'>')) {
        return None;
    }
    let end = line_end(bytes, at);
    let sign = bytes.get(at..end)?.trim_ascii();
    let block = match sign {
        [] => false,
        [b'|' | b'>', rest @ ..] if rest.len() <= 2 => {
            rest.iter().all(|b| matches!(b, b'+' | b'-' | b'1'..=b'9'))
        }
        _ => return None,
    } && !sign.is_empty();
    let begin = line_start(bytes, start, 0);
    let head = bytes.get(begin..start)?;
    let begins = head.iter().all(|b| b" \t-\"'".contains(b));
    let depth = head
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'-'))
        .count();
    let limit = bytes.len().min(end + LONGEST);
    let (mut first, mut last) = (None, end);
    let mut count = 0;
    let mut line = end + 1;
    while line < limit {
        let stop = line_end(bytes, line);
        let text = bytes.get(line..stop)?;
        let content = text.trim_ascii();
        if !content.is_empty() {
            if indent(text) <= depth {
                break;
            }
            // A key block is told by its own first line.
            if block && first.is_none() && !is_block(content, name.sense) {
                return None;
            }
            first = first.or(Some(line + indent(text)));
            last = line + text.trim_ascii_end().len();
            count += 1;
        } else if !block {
            break;
        }
        line = stop + 1;
        if !block && count > 1 {
            return None;
        }
    }
    let from = first?;
    let text = bytes.get(from..last)?;
    if block {
        return Some(Found {
            start: from,
            end: last,
            kind: name.kind,
        });
    }
    if let Some((from, to)) = quoted(bytes, from) {
        return (to < last && values::quoted(bytes.get(from..to)?, name.sense)).then_some(Found {
            start: from,
            end: to,
            kind: name.kind,
        });
    }
    let plain = !text.iter().any(|b| b.is_ascii_whitespace() || *b == b'`')
        && !text.ends_with(b":")
        && values::bare(
            text,
            name.sense,
            if begins {
                Setting::OwnLine { finished: false }
            } else {
                Setting::Inside
            },
        );
    plain.then_some(Found {
        start: from,
        end: last,
        kind: name.kind,
    })
}

/// Whether a block that begins with this line holds a secret.
fn is_block(line: &[u8], sense: Sense) -> bool {
    let word = line
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    !line.starts_with(b"-----")
        && (values::quoted(line, sense) || values::bare(word, sense, Setting::Inside))
}

/// `"""X"""`, `'''X'''`, over lines as well.
pub(super) fn triple(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mark = bytes.get(at..at + 3)?;
    if mark != b"\"\"\"" && mark != b"'''" {
        return None;
    }
    let inner = bytes.get(at + 3..bytes.len().min(at + 3 + LONGEST))?;
    let inner = inner.get(..memmem::find(inner, mark)?)?;
    let lead = inner.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let length = inner.trim_ascii().len();
    (length > 0).then_some((at + 3 + lead, at + 3 + lead + length))
}

/// Whether a name between two blanks belongs to a statement: `WITH PASSWORD 'x'`.
pub(super) fn in_statement(bytes: &[u8], start: usize, floor: usize) -> bool {
    const BEFORE: [&str; 12] = [
        "with",
        "encrypted",
        "unencrypted",
        "set",
        "login",
        "nologin",
        "superuser",
        "createdb",
        "createrole",
        "inherit",
        "by",
        "using",
    ];
    let line = line_before(bytes, start, floor).trim_ascii_end();
    let last = line
        .rsplit(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    let has = |word: &str| {
        line.windows(word.len())
            .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
    };
    BEFORE
        .iter()
        .any(|word| last.eq_ignore_ascii_case(word.as_bytes()))
        || (has("create ") || has("alter ")) && (has("user ") || has("role "))
}

/// The password behind `IDENTIFIED [WITH plugin] BY`, whose first word begins at `at`.
pub(super) fn identified(bytes: &[u8], at: usize) -> Option<Found> {
    let rest = bytes.get(at..bytes.len().min(at + 160))?;
    if !rest.get(..11)?.eq_ignore_ascii_case(b"identified ") {
        return None;
    }
    let stop = memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest.get(..stop)?;
    let by = line
        .windows(4)
        .position(|window| window.eq_ignore_ascii_case(b" by "))?;
    let mut from = blanks(bytes, at + by + 4);
    for word in ["password ", "values "] {
        if bytes
            .get(from..from + word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
        {
            from = blanks(bytes, from + word.len());
        }
    }
    // What prose identifies something by stands in backticks.
    let marked = bytes.get(from) == Some(&b'`');
    let (from, to) = quoted(bytes, from).filter(|_| !marked).or_else(|| {
        // Oracle's needs no quotes.
        let rest = bytes.get(from..bytes.len().min(from + 200))?;
        let length = rest
            .iter()
            .position(|b| b.is_ascii_whitespace() || b";,\"'`()\\".contains(b))
            .unwrap_or(rest.len());
        let value = rest.get(..length)?;
        values::bare(value, Sense::Password, Setting::Inside).then_some((from, from + length))
    })?;
    let value = bytes.get(from..to)?;
    values::quoted(value, Sense::Password).then_some(Found {
        start: from,
        end: to,
        kind: "password",
    })
}

/// What a `kind: Secret` holds: the values of the `data:` whose word ends at `at` with `ata:`.
pub(super) fn kube(pass: &mut Pass<'_>, at: usize) {
    /// How far from its data the kind of a document may stand.
    const NEAR: usize = 8 * 1024;
    let bytes = pass.bytes;
    let end = line_end(bytes, at);
    if bytes.get(at..at + 4) != Some(b"ata:")
        || !bytes
            .get(at + 4..end)
            .is_some_and(|rest| rest.trim_ascii().is_empty())
    {
        return;
    }
    let begin = line_start(bytes, at, 0);
    let word = bytes.get(begin..at).unwrap_or_default();
    let depth = indent(word);
    if !matches!(word.get(depth..), Some(b"d" | b"stringD")) {
        return;
    }
    if !near_kind(pass, begin, NEAR) {
        return;
    }
    let limit = bytes.len().min(end + LONGEST);
    let mut line = end + 1;
    while line < limit {
        let stop = line_end(bytes, line);
        let text = bytes.get(line..stop).unwrap_or_default();
        if indent(text) <= depth && !text.trim_ascii().is_empty() {
            break;
        }
        if let Some(colon) = memchr(b':', text) {
            let value = text.get(colon + 1..).unwrap_or_default();
            let lead = value.iter().take_while(|b| b.is_ascii_whitespace()).count();
            let from = line + colon + 1 + lead;
            let (from, to) =
                quoted(bytes, from).unwrap_or((from, line + text.trim_ascii_end().len()));
            let value = bytes.get(from..to).unwrap_or_default();
            if value.len() >= 4
                && value.is_ascii()
                && !values::stands_for_one(value)
                && !value.iter().any(|b| matches!(b, b'|' | b'>'))
            {
                pass.note(Found {
                    start: from,
                    end: to,
                    kind: "secret",
                });
            }
        }
        line = stop + 1;
    }
}

/// Whether `kind: Secret` stands within `near` bytes of `at`, in the same document. Each stretch of
/// the text is searched once.
fn near_kind(pass: &mut Pass<'_>, at: usize, near: usize) -> bool {
    const KIND: &[u8] = b"kind: Secret";
    let bytes = pass.bytes;
    let (mut previous, mut next) = pass
        .kinds
        .unwrap_or_else(|| (None, memmem::find(bytes, KIND)));
    while next.is_some_and(|found| found < at) {
        previous = next;
        let from = next.map_or(0, |found| found + 1);
        next = memmem::find(bytes.get(from..).unwrap_or_default(), KIND).map(|i| from + i);
    }
    pass.kinds = Some((previous, next));
    let whole = |found: usize| {
        matches!(
            bytes.get(found + KIND.len()),
            None | Some(b'\n' | b'\r' | b' ')
        ) && (found == 0 || matches!(bytes.get(found - 1), Some(b'\n' | b' ')))
    };
    let together = |from: usize, to: usize| {
        bytes
            .get(from..to)
            .is_some_and(|between| memmem::find(between, b"\n---").is_none())
    };
    previous.is_some_and(|found| at - found <= near && whole(found) && together(found, at))
        || next.is_some_and(|found| found - at <= near && whole(found) && together(at, found))
}

/// The password among the arguments of `new PDO(dsn, user, x)`, `mysqli_connect(host, user, x, …)` and
/// `getConnection(url, user, x)`; `at` is in the function's name.
pub(super) fn connection(bytes: &[u8], at: usize) -> Option<Found> {
    let rest = bytes.get(at..bytes.len().min(at + 512))?;
    let names = ["PDO(", "mysqli(", "mysqli_connect(", "tConnection("];
    let name = names
        .iter()
        .find(|name| rest.starts_with(name.as_bytes()))?;
    let mut next = at + name.len();
    for number in 1..=3 {
        next = blanks(bytes, next);
        let argument = quoted(bytes, next);
        if number == 3 {
            let (from, to) = argument?;
            return values::quoted(bytes.get(from..to)?, Sense::Password).then_some(Found {
                start: from,
                end: to,
                kind: "password",
            });
        }
        let from = argument.map_or(next, |(_, to)| to + 1);
        let stop = bytes
            .get(from..bytes.len().min(from + 200))?
            .iter()
            .position(|b| matches!(b, b',' | b')' | b'\n' | b';'))?;
        if bytes.get(from + stop) != Some(&b',') {
            return None;
        }
        next = from + stop + 1;
    }
    None
}
