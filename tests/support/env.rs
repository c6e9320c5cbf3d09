//! A temporary home and project, and programs run in it.

use crate::day::{self, Call, Day, Turn};
use crate::tree::Tree;
use crate::{Session, bin};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A temporary folder with a home and a project (a git repository), and the environment that
/// programs run in: nothing of the test's own, only what [`TestEnv::var`] shows.
///
/// The folder goes away with the value, unless the test fails or `MNEMO_KEEP` is set.
pub struct TestEnv {
    dir: Option<tempfile::TempDir>,
    base: PathBuf,
    project: PathBuf,
    vars: BTreeMap<String, OsString>,
    umask: Option<u32>,
}

impl Default for TestEnv {
    fn default() -> Self {
        Self::new()
    }
}

impl TestEnv {
    /// With a project `proj` that is a git repository.
    pub fn new() -> Self {
        Self::named("proj")
    }

    /// As [`TestEnv::new`], the project's folder called so.
    pub fn named(project: &str) -> Self {
        let env = Self::bare(project);
        env.git(&["init", "-q"]);
        env.git(&["commit", "-q", "--allow-empty", "-m", "start"]);
        env
    }

    /// The project is a plain folder.
    pub fn bare(project: &str) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("mnemo-")
            .tempdir()
            .expect("temporary folder");
        // Paths as the client gives them: links resolved.
        let base = dir.path().canonicalize().expect("temporary folder");
        let project = base.join(project);
        let home = base.join("home");
        for folder in [&home, &project, &base.join("tmp")] {
            std::fs::create_dir_all(folder).expect("folders");
        }
        let git =
            "[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n";
        std::fs::write(home.join(".gitconfig"), git).expect("git configuration");
        let vars = [
            ("HOME", home.as_os_str()),
            ("PATH", OsStr::new("/usr/local/bin:/usr/bin:/bin")),
            ("LANG", OsStr::new("C.UTF-8")),
            ("TZ", OsStr::new("UTC")),
            ("USER", OsStr::new("dev")),
            ("LOGNAME", OsStr::new("dev")),
            ("SHELL", OsStr::new("/bin/sh")),
            ("TMPDIR", base.join("tmp").as_os_str()),
        ]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into();
        Self {
            dir: Some(dir),
            base,
            project,
            vars,
            umask: None,
        }
    }

    /// Sets a variable for everything run from now on.
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) -> &mut Self {
        self.vars.insert(name.to_owned(), value.as_ref().to_owned());
        self
    }

    /// Takes a variable away.
    pub fn unset(&mut self, name: &str) -> &mut Self {
        self.vars.remove(name);
        self
    }

    /// Time zone, e.g. `Asia/Seoul`.
    pub fn tz(&mut self, zone: &str) -> &mut Self {
        self.set("TZ", zone)
    }

    /// What mnemo takes for now, e.g. `2026-11-30T14:03:22`.
    pub fn now(&mut self, time: &str) -> &mut Self {
        self.set("MNEMO_NOW", time)
    }

    /// Programs start with this umask.
    pub fn umask(&mut self, mask: u32) -> &mut Self {
        self.umask = Some(mask);
        self
    }

    /// Moves the client's configuration out of the home (`CLAUDE_CONFIG_DIR`).
    pub fn config_dir(&mut self, path: &Path) -> &mut Self {
        std::fs::create_dir_all(path).expect("configuration folder");
        self.set("CLAUDE_CONFIG_DIR", path)
    }

    /// A variable of the environment.
    pub fn var(&self, name: &str) -> Option<&OsStr> {
        self.vars.get(name).map(OsString::as_os_str)
    }

    /// The whole environment.
    pub fn vars(&self) -> &BTreeMap<String, OsString> {
        &self.vars
    }

    /// The temporary folder.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// `<base>/home`
    pub fn home(&self) -> PathBuf {
        self.base.join("home")
    }

    /// The project's folder.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The client's configuration folder.
    pub fn claude(&self) -> PathBuf {
        match self.var("CLAUDE_CONFIG_DIR") {
            Some(dir) => dir.into(),
            None => self.home().join(".claude"),
        }
    }

    /// mnemo's state folder.
    pub fn state(&self) -> PathBuf {
        match self.var("XDG_STATE_HOME") {
            Some(dir) => Path::new(dir).join("mnemo"),
            None => self.home().join(".local/state/mnemo"),
        }
    }

    /// mnemo's configuration file.
    pub fn config_file(&self) -> PathBuf {
        match self.var("XDG_CONFIG_HOME") {
            Some(dir) => Path::new(dir).join("mnemo/config.yaml"),
            None => self.home().join(".config/mnemo/config.yaml"),
        }
    }

    /// Writes mnemo's configuration file.
    pub fn configure(&self, yaml: &str) {
        self.write(self.config_file(), yaml);
    }

    /// Writes a file and the folders above it; a relative path is taken from the project.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.project.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(&path, bytes).expect("file");
        path
    }

    /// Lines of mnemo's error log.
    pub fn errors(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.state().join("errors.log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// A session of the client in this project, with a fixed id.
    pub fn session(&self) -> Session {
        Session::new(self, "1f0c2d3e-0000-4000-8000-000000000001")
    }

    /// Runs git in the project.
    pub fn git(&self, args: &[&str]) -> Done {
        self.program("git").args(args).run().ok()
    }

    /// One of mnemo's executables, to be run in the project.
    pub fn cmd(&self, name: &str) -> Cmd {
        self.program(bin(name))
    }

    /// Any program, to be run in the project with this environment.
    pub fn program(&self, program: impl AsRef<OsStr>) -> Cmd {
        Cmd {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            cwd: self.project.clone(),
            vars: self.vars.clone(),
            stdin: Vec::new(),
            open: false,
            umask: self.umask,
            limit: Duration::from_secs(60),
        }
    }

    /// Runs a hook with a payload, as the client does: in the payload's `cwd`, with
    /// `CLAUDE_PROJECT_DIR` set to the project.
    pub fn hook(&self, name: &str, payload: &Value) -> Done {
        let mut cmd = self.cmd(name).env("CLAUDE_PROJECT_DIR", &self.project);
        if let Some(cwd) = payload["cwd"].as_str().filter(|d| Path::new(d).is_dir()) {
            cmd = cmd.cwd(cwd);
        }
        cmd.stdin(format!("{payload}\n")).run()
    }

    /// `mnemo` with arguments.
    pub fn mnemo(&self, args: &[&str]) -> Done {
        self.cmd("mnemo").args(args).run()
    }

    /// Everything in the project but `.git`.
    pub fn tree(&self) -> Tree {
        Tree::of(&self.project).without(&[".git"])
    }

    /// The project's day files, by date; fails on one that is not well formed.
    pub fn days(&self) -> Vec<Day> {
        days_in(&self.project)
    }

    /// What the project's day files hold: who said what, in order.
    pub fn turns(&self) -> Vec<Turn> {
        self.days().iter().flat_map(Day::turns).collect()
    }

    /// The lines of the project's tool logs, by date.
    pub fn calls(&self) -> Vec<Call> {
        let folder = self.project.join("conversations");
        let mut calls = Vec::new();
        for name in names(&folder, "-toollog.md") {
            let bytes = std::fs::read(folder.join(&name)).expect("tool log");
            calls.extend(day::parse_tools(&bytes).unwrap_or_else(|e| panic!("{name}: {e}")));
        }
        calls
    }
}

impl Drop for TestEnv {
    fn drop(&mut self) {
        if let Some(dir) = self.dir.take()
            && (std::thread::panicking() || std::env::var_os("MNEMO_KEEP").is_some())
        {
            eprintln!("kept: {}", dir.keep().display());
        }
    }
}

/// The day files of any root, by date; fails on one that is not well formed.
pub fn days_in(root: &Path) -> Vec<Day> {
    let folder = root.join("conversations");
    let read = |name: String| {
        let bytes = std::fs::read(folder.join(&name)).expect("day file");
        let day = day::parse(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(
            name,
            format!("{}-claude.md", day.date),
            "a day file's name and date"
        );
        day
    };
    names(&folder, "-claude.md").into_iter().map(read).collect()
}

/// Names in a folder that end so, sorted.
fn names(folder: &Path, end: &str) -> Vec<String> {
    let list = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = list
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|n| n.ends_with(end))
        .collect();
    names.sort();
    names
}

/// A program about to be run.
#[derive(Clone)]
pub struct Cmd {
    program: OsString,
    args: Vec<OsString>,
    cwd: PathBuf,
    vars: BTreeMap<String, OsString>,
    stdin: Vec<u8>,
    open: bool,
    umask: Option<u32>,
    limit: Duration,
}

impl Cmd {
    /// One more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// More arguments.
    #[must_use]
    pub fn args(mut self, args: &[impl AsRef<OsStr>]) -> Self {
        self.args.extend(args.iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// The same program as the last arguments of another.
    #[must_use]
    pub fn under(mut self, program: impl AsRef<OsStr>, args: &[impl AsRef<OsStr>]) -> Self {
        let inner = std::mem::replace(&mut self.program, program.as_ref().to_owned());
        let before = args.iter().map(|a| a.as_ref().to_owned()).chain([inner]);
        self.args.splice(0..0, before);
        self
    }

    /// Runs in this folder.
    #[must_use]
    pub fn cwd(mut self, dir: impl AsRef<Path>) -> Self {
        self.cwd = dir.as_ref().into();
        self
    }

    /// One variable more or otherwise.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.vars.insert(name.to_owned(), value.as_ref().to_owned());
        self
    }

    /// One variable less.
    #[must_use]
    pub fn env_remove(mut self, name: &str) -> Self {
        self.vars.remove(name);
        self
    }

    /// Bytes for standard input, which is closed after them.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Standard input stays open after its bytes until the program ends.
    #[must_use]
    pub fn keep_stdin_open(mut self) -> Self {
        self.open = true;
        self
    }

    /// Starts with this umask.
    #[must_use]
    pub fn umask(mut self, mask: u32) -> Self {
        self.umask = Some(mask);
        self
    }

    /// Killed, and the test failed, after this time (60 s).
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// As a [`Command`], standard streams not yet set.
    pub fn command(&self) -> Command {
        let mut cmd = match self.umask {
            Some(mask) => {
                let mut sh = Command::new("/bin/sh");
                sh.args(["-c", &format!("umask {mask:03o}; exec \"$0\" \"$@\"")])
                    .arg(&self.program);
                sh
            }
            None => Command::new(&self.program),
        };
        cmd.args(&self.args)
            .env_clear()
            .envs(&self.vars)
            .current_dir(&self.cwd);
        cmd
    }

    fn spawn(&self) -> Child {
        let mut command = self.command();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for _ in 0..50 {
            match command.spawn() {
                // A program that a test has just copied, while another thread forks: that child
                // still holds the file open for writing.
                Err(e) if e.kind() == ErrorKind::ExecutableFileBusy => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(e) => panic!("{}: {e}", self.program.display()),
                Ok(child) => return child,
            }
        }
        panic!("{}: busy for a second", self.program.display())
    }

    /// Starts the program; it is fed and read in the background.
    pub fn start(&self) -> Running {
        let started = Instant::now();
        let mut child = self.spawn();
        let mut pipe = child.stdin.take().expect("a pipe");
        let bytes = self.stdin.clone();
        let fed = std::thread::spawn(move || {
            // The program may end before it has read all; whether it did is told to the caller.
            let whole = pipe.write_all(&bytes).is_ok();
            (whole, pipe)
        });
        // Joining gives the pipe back, which keeps it open.
        let (fed, held) = if self.open {
            (None, Some(fed))
        } else {
            let feeder = std::thread::spawn(move || fed.join().expect("feeding").0);
            (Some(feeder), None)
        };
        Running {
            name: format!("{} {:?}", self.program.display(), self.args),
            out: drain(child.stdout.take().expect("a pipe")),
            err: drain(child.stderr.take().expect("a pipe")),
            child,
            fed,
            held,
            started,
            limit: self.limit,
        }
    }

    /// Runs the program to its end.
    pub fn run(&self) -> Done {
        self.start().wait()
    }
}

fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

type Feeder<T> = std::thread::JoinHandle<T>;

/// A program that runs.
pub struct Running {
    name: String,
    child: Child,
    out: Feeder<Vec<u8>>,
    err: Feeder<Vec<u8>>,
    fed: Option<Feeder<bool>>,
    held: Option<Feeder<(bool, std::process::ChildStdin)>>,
    started: Instant,
    limit: Duration,
}

impl Running {
    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended.
    pub fn ended(&mut self) -> bool {
        self.child.try_wait().expect("state of the child").is_some()
    }

    /// Kills it (SIGKILL) and gives what it wrote.
    pub fn kill(mut self) -> Done {
        let _ = self.child.kill();
        self.wait()
    }

    /// Waits for its end; fails the test when the time limit passes.
    pub fn wait(mut self) -> Done {
        let end = self.started + self.limit;
        let mut late = false;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("state of the child") {
                break status;
            }
            if Instant::now() >= end {
                late = true;
                let _ = self.child.kill();
                break self.child.wait().expect("state of the child");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let elapsed = self.started.elapsed();
        // Kept open until here.
        let held = self.held.map(|h| h.join().expect("feeding").0);
        let fed = self.fed.map(|f| f.join().expect("feeding"));
        let done = Done {
            name: self.name,
            status,
            stdout: self.out.join().expect("reading"),
            stderr: self.err.join().expect("reading"),
            read_all: held.or(fed).unwrap_or(true),
            elapsed,
        };
        assert!(!late, "killed after {:?}: {done:?}", self.limit);
        done
    }
}

/// A program that has ended.
#[derive(Clone)]
pub struct Done {
    name: String,
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote on standard output.
    pub stdout: Vec<u8>,
    /// What it wrote on standard error.
    pub stderr: Vec<u8>,
    /// Whether all of standard input could be handed over.
    pub read_all: bool,
    /// From start to end.
    pub elapsed: Duration,
}

impl std::fmt::Debug for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}: {} in {:?}", self.name, self.status, self.elapsed)?;
        writeln!(f, "--- standard output\n{}", tail(&self.stdout))?;
        write!(f, "--- standard error\n{}", tail(&self.stderr))
    }
}

/// The last 4,000 bytes as text.
fn tail(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(4000)..]).into_owned()
}

impl Done {
    /// Standard output as text.
    pub fn out(&self) -> String {
        String::from_utf8(self.stdout.clone()).expect("UTF-8 on standard output")
    }

    /// Standard error as text.
    pub fn err(&self) -> String {
        String::from_utf8(self.stderr.clone()).expect("UTF-8 on standard error")
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("not JSON ({e}): {self:?}"))
    }

    /// Fails unless it ended with this code.
    #[track_caller]
    #[allow(
        clippy::return_self_not_must_use,
        reason = "most callers want the check only"
    )]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "exit code of {self:?}");
        self
    }

    /// Fails unless it ended well.
    #[track_caller]
    #[allow(
        clippy::return_self_not_must_use,
        reason = "most callers want the check only"
    )]
    pub fn ok(self) -> Self {
        assert!(self.status.success(), "failed: {self:?}");
        self
    }

    /// Fails unless it ended well and wrote nothing, as a hook should.
    #[track_caller]
    #[allow(
        clippy::return_self_not_must_use,
        reason = "most callers want the check only"
    )]
    pub fn silent(self) -> Self {
        let quiet = self.stdout.is_empty() && self.stderr.is_empty();
        assert!(self.status.success() && quiet, "not silent: {self:?}");
        self
    }
}
