//! What Claude Code loads into a session when it starts.
//!
//! ```text
//! managed CLAUDE.md, its setting and rules     the administrator's
//! <config>/CLAUDE.md, <config>/rules/**        the user's
//! for each directory from the top down to the start:
//!   CLAUDE.md, .claude/CLAUDE.md, .claude/rules/**, CLAUDE.local.md
//! <auto memory>/MEMORY.md
//! ```
//!
//! Each file is followed by what it imports. All of this was measured in the requests of Claude
//! Code 2.1.59, 2.1.197 and 2.1.332; `tests/context.rs` compares it with them again.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files"))]

mod excludes;
mod imports;
mod narrow;
mod report;
mod version;
mod walk;

pub use memory::loaded::{Cut, LINES};
pub use report::{Context, Import, Kind, Loaded, Warning, WarningKind};
pub use version::{Found, NotAVersion, Version, find as find_version};

use claude_home::{ClaudeHome, Instructions, Off, Settings};
use mnemo_home::Env;
use record::root::{WorkTree, work_tree};
use std::path::Path;
use version::Rules;
use walk::{Place, Walk};

/// What a client of this version, started in `start` with this environment, loads. Reads files
/// only; a directory that does not exist has nothing.
pub fn load(
    start: &Path,
    home: Option<&ClaudeHome>,
    settings: &Settings,
    version: Version,
    env: &Env,
) -> Context {
    let instructions = home.map_or_else(Instructions::default, |home| {
        Instructions::load(home, start)
    });
    load_with(start, home, settings, &instructions, version, env)
}

/// As [`load`], with what the settings say of instructions already read.
pub fn load_with(
    start: &Path,
    home: Option<&ClaudeHome>,
    settings: &Settings,
    instructions: &Instructions,
    version: Version,
    env: &Env,
) -> Context {
    let start = std::fs::canonicalize(start).unwrap_or_else(|_| start.to_owned());
    let mut context = Context {
        start,
        version,
        files: Vec::new(),
        warnings: Vec::new(),
    };
    if let Some(name) = all_off(env) {
        context.warn(WarningKind::InstructionsOff, None, name.to_owned());
        return context;
    }
    let tree = work_tree(&context.start);
    let place = Place {
        rules: Rules::of(version),
        start: &context.start,
        home,
        tree: tree.as_ref(),
        instructions,
    };
    let walk = Walk::all(&place);
    let (files, warnings) = (walk.files, walk.warnings);
    context.files = files;
    context.warnings = warnings;
    let long: Vec<_> = context
        .files
        .iter()
        .map(|file| (file.path.clone(), file.text.lines().count()))
        .filter(|(_, lines)| *lines > LINES)
        .collect();
    for (path, lines) in long {
        context.warn(WarningKind::Long, Some(&path), lines.to_string());
    }
    if let Some(home) = home {
        context.memory(home, tree.as_ref(), settings, env);
    }
    let tokens = context.tokens();
    if tokens > memory::budget::LIMIT {
        context.warn(WarningKind::OverBudget, None, tokens.to_string());
    }
    context
}

/// The variable that turns all instructions off, the auto memory included.
fn all_off(env: &Env) -> Option<&'static str> {
    ["CLAUDE_CODE_DISABLE_CLAUDE_MDS", "CLAUDE_CODE_SIMPLE"]
        .into_iter()
        .find(|name| {
            let word = env.get(name).map(|value| value.trim().to_ascii_lowercase());
            matches!(word.as_deref(), Some("1" | "true" | "yes" | "on"))
        })
}

impl Context {
    fn warn(&mut self, kind: WarningKind, file: Option<&Path>, detail: String) {
        self.warnings.push(Warning {
            kind,
            file: file.map(Path::to_owned),
            by: None,
            detail,
        });
    }

    /// The auto memory's index.
    fn memory(
        &mut self,
        home: &ClaudeHome,
        tree: Option<&WorkTree>,
        settings: &Settings,
        env: &Env,
    ) {
        let rules = Rules::of(self.version);
        if let Some(off) = claude_home::off_by(settings, env) {
            let by = match off {
                Off::Environment => "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
                Off::Setting => "autoMemoryEnabled: false",
            };
            self.warn(WarningKind::MemoryOff, None, by.to_owned());
            return;
        }
        if rules.memory_moves
            && let Some(file) = &settings.untrusted_memory_directory
        {
            self.warn(WarningKind::MemoryPlaceUntrusted, Some(file), String::new());
        }
        let root = match tree {
            Some(tree) if rules.memory_is_shared => &tree.main,
            Some(tree) => &tree.top,
            None => &self.start,
        };
        let folder = if rules.memory_moves {
            home.auto_memory_place(root, settings)
        } else {
            home.auto_memory_place(root, &Settings::default())
        };
        let path = folder.join("MEMORY.md");
        let (found, warning) = walk::read(&path, &rules);
        if let Some((kind, detail)) = warning {
            self.warn(kind, Some(&path), detail);
        }
        let Some((bytes, text)) = found else {
            return;
        };
        let memory = memory::loaded::Memory::of(&text, &rules.reading);
        if memory.text.is_empty() {
            return;
        }
        let (part, cut) = (memory.text, memory.cut);
        let lines = text.lines().count();
        if let Some(cut) = &cut {
            let detail = format!(
                "{} of {} lines, {} characters (limits: {LINES} lines{})",
                cut.loaded_lines,
                cut.lines,
                cut.units,
                rules
                    .reading
                    .memory_units
                    .map_or_else(String::new, |most| format!(", {most} characters")),
            );
            self.warn(WarningKind::MemoryCut, Some(&path), detail);
        }
        let mut loaded = Loaded::new(&path, Kind::Memory, bytes, lines, part, None);
        loaded.cut = cut;
        self.files.push(loaded);
    }
}
