//! Names in a plan: which file of the store they mean, and which are never touched.

use crate::plan::Gate;
use crate::scan::Scan;
use memory::capture::FileName;
use memory::{StoreKind, index, store};

/// A name as the store has it: `/` everywhere, no `./`, no `memory/` where entries lie in the root.
pub(super) fn tidy(scan: &Scan, name: &str) -> String {
    let name = name.trim().replace('\\', "/");
    let name = name.strip_prefix("./").unwrap_or(&name);
    match (scan.store.kind(), name.strip_prefix("memory/")) {
        (StoreKind::Auto, Some(rest)) => rest.to_owned(),
        _ => name.to_owned(),
    }
}

/// Why a name is no entry's, whatever exists.
pub(super) fn refused(scan: &Scan, file: &str) -> Option<&'static str> {
    let parts: Vec<&str> = file.split('/').collect();
    let outside = file.is_empty()
        || file.starts_with('/')
        || parts.iter().any(|part| matches!(*part, ".." | "." | ""))
        || file.as_bytes().get(1) == Some(&b':')
        || (scan.store.kind() == StoreKind::Record && parts.first() != Some(&"memory"));
    if parts.contains(&store::ARCHIVE) {
        Some("the archive is never changed")
    } else if outside {
        Some("it leads out of the memory's folder")
    } else if file == index::FILE || file.ends_with("/MEMORY.md") {
        Some("the index is not an entry")
    } else if file.chars().any(char::is_control) {
        Some("it holds control characters")
    } else if parts.iter().any(|part| part.starts_with('.')) || !file.as_bytes().ends_with(b".md") {
        Some("it is not an entry of the memory")
    } else {
        None
    }
}

/// Whether the assistant works by what stands in a file.
pub(super) fn binds(scan: &Scan, path: &str) -> bool {
    scan.docs
        .iter()
        .any(|doc| doc.source.path == path && doc.source.kind.binds())
        || path.ends_with("CLAUDE.md")
        || path.ends_with("/SKILL.md")
        || path.split('/').any(|part| part == "rules")
}

/// A new entry's file, from the store's root.
pub(super) fn in_folder(scan: &Scan, file: &str) -> String {
    match scan.store.kind() {
        StoreKind::Auto => file.to_owned(),
        StoreKind::Record => format!("memory/{file}"),
    }
}

/// Why a new entry cannot be made as it is written.
pub(super) fn gate(gate: &Gate) -> Result<(), String> {
    if let Some(why) = super::edits::never_written("file name", &gate.file) {
        return Err(why);
    }
    let file = FileName::named(&gate.file).map_err(|error| error.to_string())?;
    if file.as_str() != gate.file {
        return Err(format!(
            "the file name {} is not one that is written (try {})",
            gate.file,
            file.as_str()
        ));
    }
    memory::capture::description(&gate.description).map_err(|error| error.to_string())?;
    for (what, text) in [
        ("name", Some(gate.name.as_str())),
        ("description", Some(gate.description.as_str())),
        ("summary", gate.summary.as_deref()),
    ] {
        if let Some(why) = text.and_then(|text| super::edits::never_written(what, text)) {
            return Err(why);
        }
    }
    if gate.name.trim().is_empty() || gate.name.contains(['\n', '\r']) {
        return Err("the name must be one line".to_owned());
    }
    Ok(())
}
