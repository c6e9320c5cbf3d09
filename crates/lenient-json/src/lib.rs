//! Reads JSON that a real client wrote on a bad day: byte order marks, bytes that are not UTF-8,
//! lone surrogates, raw control characters, NUL blocks, glued and torn objects.
//!
//! Two ways in. [`parse`] gives a typed value and repairs only when strict parsing failed.
//! [`members`] walks one object's members as raw slices at memory speed and parses nothing: look
//! at the keys, then decode the few values that count with [`string`], [`is_true`] and friends.
//! [`recover`] finds the whole objects in a damaged line.
//!
//! Nothing here recurses, so nesting of any depth costs no stack.

mod members;
mod recover;
mod repair;
mod scan;
mod strings;

pub use members::{Members, members};
pub use recover::recover;
pub use repair::{parse, text};
pub use scan::{Damage, first_object};
pub use strings::{borrowed_string, is_null, is_true, string};
