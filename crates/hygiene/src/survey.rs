//! The anchors of whole memories and of named files.

use crate::anchors::{Anchor, Ground, Places, Status};
use crate::{Result, history};
use handoff::History;
use memory::{Store, StoreKind};
use mnemo_home::Env;
use serde::Serialize;
use std::borrow::Borrow;
use std::path::{Path, PathBuf};

/// Largest file that is examined when it is named, in bytes.
const LARGEST: u64 = 8 << 20;

/// A text whose anchors are looked at.
#[derive(Debug, Clone)]
pub struct Text {
    /// As reports name it.
    pub file: String,
    /// What it says.
    pub text: String,
}

/// The anchors of one text.
#[derive(Debug, Clone)]
pub struct Examined {
    /// As reports name it.
    pub file: String,
    /// Its anchors, in order.
    pub anchors: Vec<Anchor>,
}

/// How many mentions came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// There.
    pub exists: usize,
    /// Found elsewhere, and the text does not know it.
    pub moved: usize,
    /// Nowhere, and the text does not know it.
    pub gone: usize,
    /// Moved or gone, as the text itself says.
    pub said_absent: usize,
    /// No paths and no symbols of this project.
    pub not_a_path: usize,
}

impl Counts {
    /// Over all texts.
    pub fn of(examined: &[Examined]) -> Self {
        let mut counts = Self::default();
        for anchor in examined.iter().flat_map(|text| &text.anchors) {
            let count = match &anchor.status {
                Status::Exists(_) => &mut counts.exists,
                Status::NotAPath(_) => &mut counts.not_a_path,
                _ if anchor.said_absent => &mut counts.said_absent,
                Status::Moved(_) => &mut counts.moved,
                Status::Gone => &mut counts.gone,
            };
            *count += 1;
        }
        counts
    }

    /// Moved and gone.
    pub fn broken(&self) -> usize {
        self.moved + self.gone
    }
}

/// The texts of a memory, as they may be quoted: its index and its entries, archive left out. Files are named from the
/// store's folder on.
pub fn texts_of(store: &Store) -> Vec<Text> {
    let lead = match store.kind() {
        StoreKind::Record => String::new(),
        StoreKind::Auto => format!("{}/", store.root().display()),
    };
    let index = store.index().map(|index| Text {
        file: format!("{lead}{}", memory::index::FILE),
        text: redact::by_line(index.text()).into_owned(),
    });
    let entries = store.entries().iter().map(|entry| Text {
        file: format!("{lead}{}", entry.file()),
        text: redact::by_line(entry.text()).into_owned(),
    });
    index.into_iter().chain(entries).collect()
}

/// A named file.
pub fn text_of_file(path: &Path) -> Result<Text> {
    let bytes =
        safe_file::read(path, LARGEST)?.ok_or_else(|| crate::Error::Missing(path.to_owned()))?;
    Ok(Text {
        file: path.display().to_string(),
        text: redact::by_line(&String::from_utf8_lossy(&bytes)).into_owned(),
    })
}

/// Holds texts against the project at `root`. `memories` are the folders of memories outside it,
/// `history` finds the repository around it, if there is one; it is called only where something is
/// not there.
pub fn examine<H: Borrow<History>>(
    root: &Path,
    memories: Vec<PathBuf>,
    texts: &[Text],
    env: &Env,
    history: impl FnOnce() -> Option<H>,
) -> Vec<Examined> {
    let places = Places {
        root: root.to_owned(),
        memory: memories,
        claude: claude_home::ClaudeHome::of(env).map(|home| home.dir().to_owned()),
        home: env.home(),
    };
    let mut ground = Ground::of_project(places);
    let contents: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
    let judged = ground.judge_asking(&contents, |ground, missing| {
        let Some(history) = history() else {
            return false;
        };
        let known = history::of(root, history.borrow(), ground.tree(), missing);
        let any = !(known.renames.is_empty() && known.removed.is_empty());
        ground.add_history(known.renames, known.removed);
        any
    });
    texts
        .iter()
        .zip(judged)
        .map(|(text, anchors)| Examined {
            file: text.file.clone(),
            anchors,
        })
        .collect()
}
