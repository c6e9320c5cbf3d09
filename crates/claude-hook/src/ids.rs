//! Who speaks, and the client's ids.

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The person.
    User,
    /// The assistant.
    Assistant,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);
        impl $name {
            /// `None` for an empty text.
            pub fn new(text: impl Into<String>) -> Option<Self> {
                let text = text.into();
                (!text.is_empty()).then_some(Self(text))
            }
            /// As the client wrote it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
}
id!(
    /// Id of a session: the transcript's file stem.
    SessionId
);
id!(
    /// The client's id of one prompt and of what it led to.
    PromptId
);
id!(
    /// `uuid` of a transcript record.
    RecordId
);
