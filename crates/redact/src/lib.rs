//! Takes private blocks and secrets out of text before it is stored.

/// Text from which everything private was taken. The only text that `record` accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clean(String);

impl Clean {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// Text that never held user content (fixed words, names of tools).
    pub fn fixed(text: &str) -> Self {
        Self(text.to_owned())
    }
    /// Gives the text away.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// What is taken out. `<private>` always is.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Secrets of known shape too.
    pub secrets: bool,
}

/// Filters one whole entry. Text without `<private` and without anything secret-like comes back
/// unchanged, byte for byte. Idempotent.
pub fn clean(text: &str, policy: Policy) -> Clean {
    let _ = (text, policy);
    unimplemented!()
}
