//! The languages mnemo speaks.

/// The languages mnemo speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Korean.
    Ko,
    /// English.
    En,
    /// German.
    De,
    /// Chinese.
    Zh,
}

impl Language {
    /// The code as the configuration has it: `ko`, `en`, `de`, `zh`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Ko => "ko",
            Self::En => "en",
            Self::De => "de",
            Self::Zh => "zh",
        }
    }

    /// The inverse of [`Language::code`], in upper case too.
    pub fn of_code(code: &str) -> Option<Self> {
        [Self::Ko, Self::En, Self::De, Self::Zh]
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(code))
    }
}
