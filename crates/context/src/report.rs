//! What is loaded and what is worth knowing about it.

use crate::version::{Found, Version};
use memory::loaded::Cut;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What a file is to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The administrator's `CLAUDE.md`.
    Managed,
    /// `claudeMd` of the administrator's settings.
    ManagedSetting,
    /// A rule of the administrator.
    ManagedRule,
    /// The user's `CLAUDE.md`.
    User,
    /// A rule of the user.
    UserRule,
    /// `CLAUDE.md` or `.claude/CLAUDE.md` of a directory above the start.
    Parent,
    /// `CLAUDE.md` of the start directory.
    Project,
    /// Its `.claude/CLAUDE.md`.
    ProjectDotClaude,
    /// A rule in `.claude/rules`, of the start directory or one above.
    ProjectRule,
    /// `CLAUDE.local.md`, of the start directory or one above.
    Local,
    /// `AGENTS.md`, read where no `CLAUDE.md` is (newer clients).
    Agents,
    /// What another file imports.
    Import,
    /// The auto memory's `MEMORY.md`.
    Memory,
}

impl Kind {
    /// As reports name it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::ManagedSetting => "managed-setting",
            Self::ManagedRule => "managed-rule",
            Self::User => "user",
            Self::UserRule => "user-rule",
            Self::Parent => "parent",
            Self::Project => "project",
            Self::ProjectDotClaude => "project-dot-claude",
            Self::ProjectRule => "project-rule",
            Self::Local => "local",
            Self::Agents => "agents",
            Self::Import => "import",
            Self::Memory => "memory",
        }
    }

    pub(crate) fn is_claude_md(self) -> bool {
        matches!(
            self,
            Self::Parent | Self::Project | Self::ProjectDotClaude | Self::Local
        )
    }
}

/// Which file imports, and how many imports lie between this file and one that is loaded of
/// itself: 1 to 4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The importing file.
    pub by: PathBuf,
    /// The number of imports in a row.
    pub hop: u8,
}

/// A file that is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// Where it is; for a setting's text the client's own name for that place.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// Bytes on disk.
    pub bytes: u64,
    /// Lines on disk.
    pub lines: usize,
    /// What the model gets of it.
    pub text: String,
    /// Who imports it.
    pub import: Option<Import>,
    /// How it was cut.
    pub cut: Option<Cut>,
}

impl Loaded {
    pub(crate) fn new(
        path: &Path,
        kind: Kind,
        bytes: u64,
        lines: usize,
        text: String,
        import: Option<Import>,
    ) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            bytes,
            lines,
            text,
            import,
            cut: None,
        }
    }

    pub(crate) fn of_setting(text: &str) -> Self {
        let loaded = memory::loaded::trim(text).to_owned();
        Self::new(
            Path::new("<managed-settings>"),
            Kind::ManagedSetting,
            text.len() as u64,
            text.lines().count(),
            loaded,
            None,
        )
    }

    /// Estimated tokens of what is loaded: `floor(bytes / 3.2)`.
    pub fn tokens(&self) -> u64 {
        memory::tokens(self.text.len() as u64)
    }

    fn json(&self) -> Value {
        json!({
            "path": self.path,
            "kind": self.kind.word(),
            "imported_by": self.import.as_ref().map(|import| &import.by),
            "hop": self.import.as_ref().map(|import| import.hop),
            "bytes": self.bytes,
            "lines": self.lines,
            "loaded_bytes": self.text.len(),
            "loaded_lines": self.cut.as_ref().map_or_else(|| self.text.lines().count(), |cut| cut.loaded_lines),
            "tokens": self.tokens(),
            "truncated": self.cut.is_some(),
            "text": self.text,
        })
    }
}

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// More than 200 lines are loaded of a file.
    Long,
    /// All together is over the budget.
    OverBudget,
    /// `MEMORY.md` is cut.
    MemoryCut,
    /// An imported file is not there.
    ImportMissing,
    /// An imported file lies outside the start directory, and nobody approved that.
    ImportOutside,
    /// An import is one hop too deep.
    ImportTooDeep,
    /// Punctuation behind an import makes it another name.
    ImportPunctuation,
    /// A linked rule leads outside the start directory, and nobody approved that.
    RuleOutside,
    /// The client does not load a file so large.
    TooLarge,
    /// A file cannot be read.
    Unreadable,
    /// There were more files than is believable.
    Stopped,
    /// `claudeMdExcludes` leaves a file out.
    Excluded,
    /// Auto memory is off.
    MemoryOff,
    /// All instructions are off.
    InstructionsOff,
    /// A project's settings name an auto-memory folder, which is not trusted there.
    MemoryPlaceUntrusted,
}

impl WarningKind {
    /// As reports name it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Long => "over-200-lines",
            Self::OverBudget => "over-budget",
            Self::MemoryCut => "memory-cut",
            Self::ImportMissing => "import-missing",
            Self::ImportOutside => "import-outside",
            Self::ImportTooDeep => "import-too-deep",
            Self::ImportPunctuation => "import-punctuation",
            Self::RuleOutside => "rule-outside",
            Self::TooLarge => "too-large",
            Self::Unreadable => "unreadable",
            Self::Stopped => "stopped",
            Self::Excluded => "excluded",
            Self::MemoryOff => "auto-memory-off",
            Self::InstructionsOff => "instructions-off",
            Self::MemoryPlaceUntrusted => "auto-memory-directory-untrusted",
        }
    }

    /// Whether somebody should do something about it. The others only explain: they are as
    /// somebody set them.
    pub fn needs_action(self) -> bool {
        !matches!(
            self,
            Self::Excluded | Self::MemoryOff | Self::InstructionsOff | Self::MemoryPlaceUntrusted
        )
    }
}

/// Something worth knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What about.
    pub kind: WarningKind,
    /// The file concerned.
    pub file: Option<PathBuf>,
    /// Who imports that file.
    pub by: Option<PathBuf>,
    /// The import as written, a size, a number of lines, the setting's name.
    pub detail: String,
}

impl Warning {
    /// A sentence, without the file's name.
    pub fn text(&self) -> String {
        let detail = &self.detail;
        match self.kind {
            WarningKind::Long => {
                format!(
                    "{detail} lines are loaded; keep it under 200, the rest in rules or topic files"
                )
            }
            WarningKind::OverBudget => format!(
                "about {detail} tokens are loaded at each start, over the budget of {}",
                memory::budget::LIMIT
            ),
            WarningKind::MemoryCut => format!("only the beginning is loaded: {detail}"),
            WarningKind::ImportMissing => format!("imports @{detail}, which is not there"),
            WarningKind::ImportOutside => format!(
                "imports @{detail} from outside this directory, which nobody approved in Claude Code"
            ),
            WarningKind::ImportTooDeep => {
                format!("imports @{detail}, but imports are followed four deep only")
            }
            WarningKind::ImportPunctuation => {
                format!("@{detail} is not imported: put a blank behind the file's name")
            }
            WarningKind::RuleOutside => {
                "a link that leads outside this directory: not loaded".to_owned()
            }
            WarningKind::TooLarge => format!("{detail} bytes: too large to be loaded"),
            WarningKind::Unreadable => format!("cannot be read: {detail}"),
            WarningKind::Stopped => "too many files; what follows was not looked at".to_owned(),
            WarningKind::Excluded => "left out by claudeMdExcludes".to_owned(),
            WarningKind::MemoryOff => {
                format!("auto memory is off ({detail}): MEMORY.md is not loaded")
            }
            WarningKind::InstructionsOff => format!("nothing is loaded: {detail} is set"),
            WarningKind::MemoryPlaceUntrusted => {
                "names an autoMemoryDirectory; only the user's own settings are trusted for that"
                    .to_owned()
            }
        }
    }

    fn json(&self) -> Value {
        json!({
            "kind": self.kind.word(),
            "file": self.file,
            "imported_by": self.by,
            "detail": self.detail,
            "text": self.text(),
            "needs_action": self.kind.needs_action(),
        })
    }
}

/// What the client loads at its next start.
#[derive(Debug, Clone)]
pub struct Context {
    /// Where it is started, links resolved.
    pub start: PathBuf,
    /// By which version's rules.
    pub version: Version,
    /// The files, in the client's order.
    pub files: Vec<Loaded>,
    /// What is worth knowing, in the order of the files.
    pub warnings: Vec<Warning>,
}

impl Context {
    /// Bytes that are loaded.
    pub fn loaded_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.text.len() as u64).sum()
    }

    /// Estimated tokens: the sum of the files' own.
    pub fn tokens(&self) -> u64 {
        self.files.iter().map(Loaded::tokens).sum()
    }

    /// Whether somebody should do something.
    pub fn needs_action(&self) -> bool {
        self.warnings
            .iter()
            .any(|warning| warning.kind.needs_action())
    }

    /// As a report for programs.
    pub fn json(&self, found: &Found) -> Value {
        let source = match found {
            Found::OnPath(place) | Found::Transcript(place) => Some(place),
            Found::Named | Found::Unknown => None,
        };
        json!({
            "directory": self.start,
            "client": { "version": self.version.to_string(), "found": found.word(), "source": source },
            "files": self.files.iter().map(Loaded::json).collect::<Vec<_>>(),
            "total": {
                "files": self.files.len(),
                "bytes": self.files.iter().map(|file| file.bytes).sum::<u64>(),
                "loaded_bytes": self.loaded_bytes(),
                "tokens": self.tokens(),
                "budget": memory::budget::LIMIT,
            },
            "warnings": self.warnings.iter().map(Warning::json).collect::<Vec<_>>(),
        })
    }
}
