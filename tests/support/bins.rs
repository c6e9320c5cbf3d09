//! The executables under test.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The five hooks and the companion.
pub const PROGRAMS: [&str; 6] = [
    "prompt-save",
    "response-save",
    "tool-log",
    "session-reconcile",
    "stop-trigger",
    "mnemo",
];

/// The path of a built executable.
///
/// The first call of a test run builds the workspace's executables with the profile and into the
/// target folder of the running test; a lock file lets several test programs ask at once.
/// `MNEMO_BIN_DIR` names a folder of finished executables instead.
pub fn bin(name: &str) -> PathBuf {
    let path = dir().join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "no executable at {}", path.display());
    path
}

/// The folder that holds the executables; builds them on the first call.
pub fn dir() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| match std::env::var_os("MNEMO_BIN_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => build(),
    })
}

/// The workspace's root.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ lies in the workspace")
}

/// The target folder of the running test.
pub fn target() -> PathBuf {
    layout().target
}

struct Layout {
    /// Where the executables come out.
    bins: PathBuf,
    /// The target folder.
    target: PathBuf,
    /// `--target`, when the test was built with one.
    triple: Option<String>,
    profile: String,
}

/// `<target>[/<triple>]/<profile>/deps/<test>`, read backwards.
fn layout() -> Layout {
    let exe = std::env::current_exe().expect("path of the running test");
    let mut bins = exe.parent().expect("folder of the running test");
    if bins.ends_with("deps") {
        bins = bins.parent().expect("profile folder");
    }
    let name = |p: &Path| p.file_name().unwrap().to_string_lossy().into_owned();
    let profile = match name(bins).as_str() {
        "debug" => "dev".to_owned(),
        other => other.to_owned(),
    };
    let above = bins.parent().expect("target folder");
    // Cargo marks the target folder and each triple's folder; the outermost is the target folder.
    let outer = above.parent().expect("folder above the target folder");
    let (target, triple) = if outer.join("CACHEDIR.TAG").is_file() {
        (outer, Some(name(above)))
    } else {
        (above, None)
    };
    Layout {
        bins: bins.to_owned(),
        target: target.to_owned(),
        triple,
        profile,
    }
}

fn build() -> PathBuf {
    let at = layout();
    let lock = File::create(at.target.join(".mnemo-tests.lock")).expect("lock file");
    lock.lock().expect("lock of the build");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut cmd = Command::new(cargo);
    cmd.args([
        "build",
        "--quiet",
        "--workspace",
        "--bins",
        "--profile",
        &at.profile,
    ])
    .arg("--target-dir")
    .arg(&at.target)
    .current_dir(workspace());
    if let Some(triple) = &at.triple {
        cmd.args(["--target", triple]);
    }
    let out = cmd.output().expect("cargo runs");
    assert!(
        out.status.success(),
        "the executables do not build:\n{}",
        String::from_utf8_lossy(&out.stderr)
    );
    at.bins
}
