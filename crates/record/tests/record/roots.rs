//! Which directory is the root. The repositories are made by hand: what git would write.

use mnemo_home::Env;
use record::root::{NoRoot, Root, Why};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

struct Place {
    _dir: tempfile::TempDir,
    top: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(dir.path()).unwrap();
        Self { _dir: dir, top }
    }
    fn dir(&self, name: &str) -> PathBuf {
        let path = self.top.join(name);
        fs::create_dir_all(&path).unwrap();
        path
    }
    fn file(&self, name: &str, text: &str) {
        let path = self.top.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fn repository(&self, git_dir: &str) {
        self.file(&format!("{git_dir}/HEAD"), "ref: refs/heads/main\n");
        self.file(&format!("{git_dir}/config"), "[core]\n\tbare = false\n");
        self.dir(&format!("{git_dir}/objects"));
        self.dir(&format!("{git_dir}/refs"));
    }
    /// A linked worktree at `tree` of the repository with the common directory `common`.
    fn worktree(&self, common: &str, tree: &str, name: &str) {
        let admin = format!("{common}/worktrees/{name}");
        let path = |p: &str| self.top.join(p).display().to_string();
        self.file(&format!("{admin}/commondir"), "../..\n");
        self.file(
            &format!("{admin}/gitdir"),
            &format!("{}/.git\n", path(tree)),
        );
        self.file(
            &format!("{tree}/.git"),
            &format!("gitdir: {}\n", path(&admin)),
        );
    }
    fn env(&self) -> Env {
        let home = self.dir("home").display().to_string();
        let temp = self.dir("temp").display().to_string();
        Env::from_pairs([("HOME", home.as_str()), ("TMPDIR", temp.as_str())])
    }
    fn find(&self, start: &str) -> Result<Root, NoRoot> {
        Root::find(&self.top.join(start), &self.env())
    }
    fn is(&self, start: &str, root: &str, why: &Why) {
        let found = self.find(start).unwrap();
        assert_eq!(found.path(), self.top.join(root), "root of {start}");
        assert_eq!(found.why(), why, "why of {start}");
    }
    fn turn(&self, start: &str, cwd: &str) -> Result<PathBuf, NoRoot> {
        let (start, cwd) = (self.top.join(start), self.top.join(cwd));
        Root::of_turn(&start, Some(&cwd), &self.env()).map(|root| root.path().to_owned())
    }
}

#[test]
fn the_nearest_marked_directory_wins() {
    let place = Place::new();
    place.repository("p/.git");
    place.dir("p/src/deep");
    place.file("p/nested/.mnemo-root", "");
    place.dir("p/nested/x");
    place.dir("free/x");
    place.is("p", "p", &Why::Git);
    place.is("p/src/deep", "p", &Why::Git);
    place.is("p/nested/x", "p/nested", &Why::Marker);
    assert_eq!(place.find("free/x"), Err(NoRoot::NoMarker));
    assert!(matches!(place.find("gone"), Err(NoRoot::Missing(_))));
    let relative = Root::find(Path::new("."), &place.env());
    assert!(matches!(relative, Err(NoRoot::Missing(_))));
    symlink(place.top.join("p/src"), place.top.join("link")).unwrap();
    place.is("link/deep", "p", &Why::Git);
}

#[test]
fn home_and_temp_are_roots_only_when_marked() {
    let place = Place::new();
    for folder in ["home", "temp"] {
        place.repository(&format!("{folder}/.git"));
        place.dir(&format!("{folder}/sub"));
        let own = NoRoot::HomeOrTemp(place.top.join(folder));
        assert_eq!(place.find(folder), Err(own.clone()));
        assert_eq!(
            place.find(&format!("{folder}/sub")),
            Err(own),
            "no walk further up"
        );
        place.repository(&format!("{folder}/project/.git"));
        place.is(
            &format!("{folder}/project"),
            &format!("{folder}/project"),
            &Why::Git,
        );
        place.file(&format!("{folder}/.mnemo-root"), "");
        place.is(&format!("{folder}/sub"), folder, &Why::Git);
    }
    symlink(place.top.join("real"), place.top.join("alias")).unwrap();
    place.repository("real/.git");
    let alias = place.top.join("alias").display().to_string();
    let env = Env::from_pairs([("HOME", alias.as_str())]);
    let found = Root::find(&place.top.join("real"), &env);
    assert!(
        matches!(found, Err(NoRoot::HomeOrTemp(_))),
        "a home behind a link"
    );
}

#[test]
fn a_linked_worktree_leads_to_the_main_one() {
    let place = Place::new();
    place.repository("main/.git");
    place.worktree("main/.git", "wt", "wt");
    place.dir("wt/src");
    place.is("wt/src", "main", &Why::MainOfWorktree(place.top.join("wt")));
    // Relative ones, as git 2.48 and newer can write them.
    place.worktree("main/.git", "rel", "rel");
    place.file("rel/.git", "gitdir: ../main/.git/worktrees/rel\n");
    place.file("main/.git/worktrees/rel/gitdir", "../../../../rel/.git\n");
    place.is("rel", "main", &Why::MainOfWorktree(place.top.join("rel")));
    let root = place.find("main").unwrap();
    assert_eq!(root.git_dir(), Some(place.top.join("main/.git")));
    assert_eq!(
        root.worktrees(),
        [place.top.join("rel"), place.top.join("wt")]
    );
    fs::remove_dir_all(place.top.join("wt")).unwrap();
    assert_eq!(root.worktrees().len(), 2, "transcripts outlive a worktree");
    // The marker file is under version control, so each worktree has it.
    place.file("rel/.mnemo-root", "");
    place.is("rel", "main", &Why::MainOfWorktree(place.top.join("rel")));
}

#[test]
fn a_worktree_of_a_bare_repository_is_its_own_root() {
    let place = Place::new();
    place.repository("p/.bare");
    place.file("p/.bare/config", "[core]\n\tbare = true\n");
    place.file("p/.git", "gitdir: ./.bare\n");
    place.worktree("p/.bare", "p/feature", "feature");
    place.is("p/feature", "p/feature", &Why::WorktreeOfBare);
    assert_eq!(
        place.find("p/feature").unwrap().git_dir(),
        Some(place.top.join("p/.bare"))
    );
    place.is("p", "p", &Why::GitFile);
    // A bare repository that is called .git; and the setting in the second file.
    for (name, file) in [("b", "config"), ("c", "config.worktree")] {
        place.repository(&format!("{name}/.git"));
        place.file(&format!("{name}/.git/{file}"), "[Core]\n bare\n");
        place.worktree(&format!("{name}/.git"), &format!("{name}-wt"), "x");
        place.is(
            &format!("{name}-wt"),
            &format!("{name}-wt"),
            &Why::WorktreeOfBare,
        );
    }
}

#[test]
fn a_submodule_is_its_own_root() {
    let place = Place::new();
    place.repository("super/.git");
    place.repository("super/.git/modules/sub");
    place.file(
        "super/.git/modules/sub/config",
        "[core]\n\tworktree = \"../../../sub\" ; back\n",
    );
    place.file("super/sub/.git", "gitdir: ../.git/modules/sub\n");
    place.is("super/sub", "super/sub", &Why::GitFile);
    let git_dir = place.top.join("super/.git/modules/sub");
    assert_eq!(place.find("super/sub").unwrap().git_dir(), Some(git_dir));
    place.worktree("super/.git/modules/sub", "sub-wt", "sub-wt");
    place.is(
        "sub-wt",
        "super/sub",
        &Why::MainOfWorktree(place.top.join("sub-wt")),
    );
}

/// Nothing that only the `.git` file's side says is believed: such a directory is its own root.
#[test]
fn a_git_file_never_leads_to_another_project() {
    let place = Place::new();
    place.repository("victim/.git");
    let victim = place.top.join("victim/.git").display().to_string();
    let evil = place.top.join("evil").display().to_string();
    place.dir("evil");
    let gits = [
        format!("gitdir: {victim}\n"),
        format!("gitdir: {evil}/fake\n"),
        "gitdir: /dev/null\n".to_owned(),
        "gitdir: \n".to_owned(),
        "gitdir: a\0b\n".to_owned(),
        "gitdir: .\n".to_owned(),
        "gitdir: .git\n".to_owned(),
        "rubbish".to_owned(),
        String::new(),
        "x".repeat(1 << 20),
    ];
    // A made-up administrative folder that points to the victim.
    place.file("evil/fake/commondir", &format!("{victim}\n"));
    place.file("evil/fake/gitdir", &format!("{evil}/.git\n"));
    place.file("evil/fake/HEAD", "x");
    for git in gits {
        place.file("evil/.git", &git);
        place.is("evil", "evil", &Why::GitFile);
        let git_dir = place.find("evil").unwrap().git_dir();
        assert!(git_dir.is_none(), "{git:?} gave {git_dir:?}");
    }
    // A worktree that was copied: the repository names another place.
    place.worktree("victim/.git", "wt", "wt");
    fs::copy(place.top.join("wt/.git"), place.top.join("evil/.git")).unwrap();
    place.is("evil", "evil", &Why::GitFile);
    // A real one of another repository, a link as `.git` file.
    fs::remove_file(place.top.join("evil/.git")).unwrap();
    symlink(place.top.join("wt/.git"), place.top.join("evil/.git")).unwrap();
    place.is("evil", "evil", &Why::GitFile);
    fs::remove_file(place.top.join("evil/.git")).unwrap();
    symlink(place.top.join("victim/.git"), place.top.join("evil/.git")).unwrap();
    place.is("evil", "evil", &Why::Git);
    assert_eq!(place.find("evil").unwrap().git_dir(), None);
}

#[test]
fn special_files_are_no_markers_and_never_block() {
    let place = Place::new();
    place.repository("p/.git");
    place.dir("p/sub");
    let fifo = place.top.join("p/sub/.git");
    let made = std::process::Command::new("mkfifo")
        .arg(&fifo)
        .status()
        .unwrap();
    assert!(made.success());
    place.is("p/sub", "p", &Why::Git);
    fs::remove_file(&fifo).unwrap();
    symlink("/nowhere", &fifo).unwrap();
    place.is("p/sub", "p", &Why::Git);
    // A FIFO where git has a file.
    place.worktree("p/.git", "wt", "wt");
    let commondir = place.top.join("p/.git/worktrees/wt/commondir");
    fs::remove_file(&commondir).unwrap();
    std::process::Command::new("mkfifo")
        .arg(&commondir)
        .status()
        .unwrap();
    place.is("wt", "wt", &Why::GitFile);
}

#[test]
fn a_turn_belongs_to_the_start_directory_unless_its_prompt_lay_outside() {
    let place = Place::new();
    place.repository("a/.git");
    place.repository("a/nested/.git");
    place.dir("a/src");
    place.repository("b/.git");
    place.worktree("a/.git", "a-wt", "wt");
    place.repository("a-wt/nested/.git");
    place.dir("free/inner");
    place.repository("free/inner/repo/.git");
    let is = |start: &str, cwd: &str, root: &str| {
        let found = place.turn(start, cwd);
        assert_eq!(found, Ok(place.top.join(root)), "{start} and {cwd}");
    };
    is("a", "a", "a");
    is("a/src", "a/nested", "a");
    is("a/src", "a", "a");
    is("a", "b", "b");
    is("a", "a-wt", "a");
    is("a-wt", "a-wt/nested", "a");
    is("a", "a-wt/nested", "a");
    is("a-wt", "a/src", "a");
    // No longer there: outside of everything, inside the root, inside another root.
    is("a", "gone/wt", "a");
    is("a", "a/gone", "a");
    is("a", "b/gone", "b");
    is("a/gone-start", "a/src", "a");
    assert_eq!(place.turn("a", "free"), Err(NoRoot::NoMarker));
    assert_eq!(place.turn("free", "free/inner/repo"), Err(NoRoot::NoMarker));
    is("free/inner", "b", "b");
    assert!(matches!(
        place.turn("gone", "gone"),
        Err(NoRoot::Missing(_))
    ));
    // A name that merely begins with the root's.
    place.repository("a-b/.git");
    is("a", "a-b", "a-b");
    // Prompts without a directory.
    let start = place.top.join("a");
    let env = place.env();
    assert_eq!(Root::of_turn(&start, None, &env).unwrap().path(), start);
    let relative = Root::of_turn(&start, Some(Path::new("b")), &env).unwrap();
    assert_eq!(relative.path(), start);
}

#[test]
fn a_named_directory_needs_no_marker() {
    let place = Place::new();
    place.repository("p/.git");
    place.dir("p/src");
    place.dir("free");
    let named = |name: &str| Root::of_dir(&place.top.join(name), &place.env()).unwrap();
    assert_eq!(named("p/src").path(), place.top.join("p"));
    assert_eq!(named("free").path(), place.top.join("free"));
    assert_eq!(named("free").why(), &Why::Named);
}

#[test]
fn marked_only_keeps_to_marked_roots() {
    let place = Place::new();
    place.repository("p/.git");
    let config = mnemo_home::Config {
        marked_only: true,
        ..Default::default()
    };
    let path = place.top.join("p");
    assert_eq!(
        place.find("p").unwrap().allowed(&config),
        Err(NoRoot::NotMarked(path.clone()))
    );
    place.file("p/.mnemo-root", "");
    assert_eq!(
        place.find("p").unwrap().allowed(&config).unwrap().path(),
        path
    );
}

/// The same as git itself writes it.
#[test]
fn repositories_that_git_made() {
    let place = Place::new();
    let git = |folder: &str, args: &[&str]| {
        let status = std::process::Command::new("git")
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "-c",
                "protocol.file.allow=always",
            ])
            .args(args)
            .current_dir(place.dir(folder))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "git {args:?}");
    };
    git("main", &["init", "-q"]);
    git("main", &["commit", "-q", "--allow-empty", "-m", "x"]);
    git("main", &["worktree", "add", "-q", "../wt"]);
    place.is("wt", "main", &Why::MainOfWorktree(place.top.join("wt")));
    git("main", &["submodule", "add", "-q", "../main", "sub"]);
    place.is("main/sub", "main/sub", &Why::GitFile);
    assert_eq!(
        place.find("main/sub").unwrap().git_dir(),
        Some(place.top.join("main/.git/modules/sub"))
    );
    git("main/sub", &["worktree", "add", "-q", "../../sub-wt"]);
    place.is(
        "sub-wt",
        "main/sub",
        &Why::MainOfWorktree(place.top.join("sub-wt")),
    );
    git(".", &["clone", "-q", "--bare", "main", "bare.git"]);
    git("bare.git", &["worktree", "add", "-q", "../bare-wt"]);
    place.is("bare-wt", "bare-wt", &Why::WorktreeOfBare);
    git(
        "apart",
        &["init", "-q", "--separate-git-dir", "../apart.git"],
    );
    place.is("apart", "apart", &Why::GitFile);
    assert_eq!(
        place.find("apart").unwrap().git_dir(),
        Some(place.top.join("apart.git"))
    );
    let main = place.find("main").unwrap();
    assert_eq!(main.worktrees(), [place.top.join("wt")]);
}
