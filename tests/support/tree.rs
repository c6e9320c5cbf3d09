//! What lies in a folder.

use std::collections::BTreeMap;
use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// What one name stands for.
#[derive(Clone, PartialEq, Eq)]
pub enum Node {
    /// A folder, with its mode's last nine bits.
    Dir(u32),
    /// A file: mode and bytes.
    File(u32, Vec<u8>),
    /// A symbolic link and where it points.
    Link(PathBuf),
    /// A socket, a FIFO, a device.
    Other,
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dir(mode) => write!(f, "dir {mode:o}"),
            Self::File(mode, bytes) => {
                let text = String::from_utf8_lossy(bytes);
                let head: String = text.chars().take(200).collect();
                write!(f, "file {mode:o} {} bytes {head:?}", bytes.len())
            }
            Self::Link(to) => write!(f, "link to {}", to.display()),
            Self::Other => f.write_str("other"),
        }
    }
}

/// Everything below a folder, by its path relative to it. Compare two of them with `assert_eq!`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree(pub BTreeMap<String, Node>);

impl Tree {
    /// Reads a folder; one that is not there is empty.
    pub fn of(root: &Path) -> Self {
        let mut nodes = BTreeMap::new();
        walk(root, root, &mut nodes);
        Self(nodes)
    }

    /// Relative paths of all names, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// Without what lies at or below these relative paths.
    #[must_use]
    pub fn without(mut self, paths: &[&str]) -> Self {
        self.0.retain(|name, _| {
            !paths
                .iter()
                .any(|p| name == p || name.strip_prefix(p).is_some_and(|r| r.starts_with('/')))
        });
        self
    }

    /// The bytes of a file.
    pub fn file(&self, name: &str) -> &[u8] {
        match self.0.get(name) {
            Some(Node::File(_, bytes)) => bytes,
            other => panic!(
                "{name}: expected a file, found {other:?} among {:?}",
                self.names()
            ),
        }
    }

    /// The mode of a file or folder.
    pub fn mode(&self, name: &str) -> u32 {
        match self.0.get(name) {
            Some(Node::File(mode, _) | Node::Dir(mode)) => *mode,
            other => panic!("{name}: no mode ({other:?}) among {:?}", self.names()),
        }
    }

    /// Fails if a text stands anywhere in a file, a name or a link below the folder.
    pub fn nowhere(&self, text: &str) {
        for (name, node) in &self.0 {
            assert!(!name.contains(text), "{text:?} is part of the name {name}");
            if let Node::File(_, bytes) = node {
                let found = bytes.windows(text.len()).any(|w| w == text.as_bytes());
                assert!(!found, "{text:?} stands in {name}");
            }
        }
    }
}

fn walk(root: &Path, dir: &Path, nodes: &mut BTreeMap<String, Node>) {
    let Ok(list) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in list.flatten() {
        let path = entry.path();
        // A file may go away while we look: a lock, a temporary file.
        let Ok(meta) = path.symlink_metadata() else {
            continue;
        };
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let mode = meta.permissions().mode() & 0o777;
        let kind = meta.file_type();
        let node = if kind.is_dir() {
            walk(root, &path, nodes);
            Node::Dir(mode)
        } else if kind.is_file() {
            Node::File(mode, std::fs::read(&path).unwrap_or_default())
        } else if kind.is_symlink() {
            Node::Link(std::fs::read_link(&path).unwrap_or_default())
        } else {
            Node::Other
        };
        nodes.insert(name, node);
    }
}
