//! Claude Code's transcripts as something to be searched.

use crate::dates::Span;
use crate::places::{Layer, Places, Source};
use crate::scan::Said;
use chrono::{DateTime, Local, Utc};
use claude_hook::Role;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Reads the turns of a project's transcripts. `first` is the index of the first source.
pub(crate) fn read(
    places: &Places,
    span: Span,
    first: usize,
    unreadable: &mut Vec<String>,
) -> (Vec<Source>, Vec<Said>) {
    let mut sources = Vec::new();
    let mut turns = Vec::new();
    for path in files(&places.transcripts) {
        let index = first + sources.len();
        let before = turns.len();
        let read = transcript::read(
            &path,
            &transcript::Position::default(),
            &mut |turn| {
                if belongs(&turn, places.record.as_deref()) {
                    turns.extend(said(turn, index, span));
                }
            },
            &mut || true,
        );
        if let Err(error) = read {
            unreadable.push(error.to_string());
        }
        if turns.len() > before {
            sources.push(Source {
                label: path.to_string_lossy().into_owned(),
                path,
                layer: Layer::Transcripts,
                date: None,
            });
        }
    }
    (sources, turns)
}

/// All turns of the transcript that a path names, if it is one of those searched.
pub(crate) fn of_file(places: &Places, path: &Path) -> Option<(Source, Vec<Said>)> {
    let wanted = std::fs::canonicalize(path).ok()?;
    let path = files(&places.transcripts)
        .into_iter()
        .find(|file| std::fs::canonicalize(file).is_ok_and(|file| file == wanted))?;
    let mut turns = Vec::new();
    transcript::read(
        &path,
        &transcript::Position::default(),
        &mut |turn| {
            if belongs(&turn, places.record.as_deref()) {
                turns.extend(said(turn, 0, Span::default()));
            }
        },
        &mut || true,
    )
    .ok()?;
    let source = Source {
        label: path.to_string_lossy().into_owned(),
        path,
        layer: Layer::Transcripts,
        date: None,
    };
    Some((source, turns))
}

fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|listing| listing.flatten().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ext| ext == "jsonl") && path.is_file())
        .collect();
    out.sort();
    out
}

/// Folders are candidates only: the directory that a turn names decides.
fn belongs(turn: &transcript::Turn, root: Option<&Path>) -> bool {
    match (root, &turn.cwd) {
        (Some(root), Some(cwd)) => cwd.starts_with(root),
        _ => true,
    }
}

fn said(turn: transcript::Turn, source: usize, span: Span) -> Option<Said> {
    let mut said = Said {
        source,
        ..Said::default()
    };
    for utterance in turn.said {
        let at = local(utterance.at);
        if !span.holds(at.date_naive()) {
            continue;
        }
        said.day.get_or_insert(at.date_naive());
        said.id = said
            .id
            .take()
            .or_else(|| utterance.turn.as_ref().map(|id| id.as_str().to_owned()));
        let [asked, answered] = &mut said.records;
        let (part, record) = match utterance.role {
            Role::User => (&mut said.question, asked),
            Role::Assistant => (&mut said.answer, answered),
        };
        if record.is_none() {
            *record = utterance.records.first().map(|id| id.as_str().to_owned());
        }
        // Transcripts hold what the record never does; found and shown is what it would hold.
        let clean = redact::clean_owned(utterance.text, redact::Policy { secrets: true });
        match part {
            Some((_, text)) => {
                text.push_str("\n\n");
                text.push_str(clean.as_str());
            }
            None => *part = Some((at.time(), clean.into_string())),
        }
    }
    (said.question.is_some() || said.answer.is_some()).then_some(said)
}

fn local(at: DateTime<Utc>) -> DateTime<Local> {
    at.with_timezone(&Local)
}

/// The lines on which the records of a transcript stand, by their ids.
pub(crate) fn lines(bytes: &[u8]) -> HashMap<&[u8], usize> {
    const KEY: &[u8] = b"\"uuid\"";
    let mut lines = HashMap::new();
    for (index, record) in bytes.split(|b| *b == b'\n').enumerate() {
        // In what a record quotes, the quotation marks are escaped.
        for at in memchr::memmem::find_iter(record, KEY) {
            let rest = record.get(at + KEY.len()..).unwrap_or_default();
            let value = rest
                .trim_ascii_start()
                .strip_prefix(b":")
                .and_then(|value| value.trim_ascii_start().strip_prefix(b"\""));
            if let Some(id) = value.and_then(|value| value.split(|b| *b == b'"').next()) {
                lines.entry(id).or_insert(index + 1);
            }
        }
    }
    lines
}

/// The line of the first record that names an id.
pub(crate) fn line_of(source: &Source, id: Option<&str>) -> usize {
    let Some(id) = id else { return 1 };
    let Ok(Some(mut file)) = safe_file::open_regular(&source.path) else {
        return 1;
    };
    let finder = memchr::memmem::Finder::new(id);
    let mut buffer = vec![0; 1 << 20];
    let (mut lines, mut kept) = (1, 0);
    while let Ok(read) = file.read(buffer.get_mut(kept..).unwrap_or_default()) {
        if read == 0 {
            break;
        }
        let bytes = buffer.get(..kept + read).unwrap_or_default();
        if let Some(at) = finder.find(bytes) {
            return lines + memchr::memchr_iter(b'\n', bytes.get(..at).unwrap_or_default()).count();
        }
        let cut = bytes.len().saturating_sub(id.len());
        lines += memchr::memchr_iter(b'\n', bytes.get(..cut).unwrap_or_default()).count();
        let end = bytes.len();
        buffer.copy_within(cut..end, 0);
        kept = end - cut;
    }
    1
}
