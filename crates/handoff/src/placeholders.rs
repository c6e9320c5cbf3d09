//! What a scaffold leaves to be filled in.

/// How a placeholder of the scaffold begins.
const LEAD: &str = "[TODO";

/// Whether a cell or a bullet's value is nothing but a placeholder: `[TODO: …]`, or one bracketed
/// note of several words as the older scaffold left them (`[describe changes]`, `[TASK_TITLE - …]`).
pub(crate) fn is_placeholder(cell: &str) -> bool {
    let cell = cell.trim().trim_matches('*').trim();
    if starts(cell) && cell.ends_with(']') {
        return true;
    }
    let Some(inner) = cell
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    else {
        return false;
    };
    let inner = inner.trim();
    let one = !inner.contains(['[', ']']);
    one && (inner.contains('_') || inner.split_whitespace().count() > 1)
        && inner.chars().any(char::is_alphabetic)
        && !inner.starts_with(['x', 'X', '^'])
}

/// Whether a text begins with `[TODO`, case aside.
pub(crate) fn starts(text: &str) -> bool {
    text.get(..LEAD.len())
        .is_some_and(|lead| lead.eq_ignore_ascii_case(LEAD))
}
