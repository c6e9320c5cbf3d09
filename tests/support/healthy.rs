//! A project in which everything is as it should be.

use crate::{TestEnv, bin};
use serde_json::json;

impl TestEnv {
    /// Wires the hooks, lets them record a turn, and gives the project a source file with its
    /// history and a memory that holds true.
    pub fn be_healthy(&mut self) {
        self.now("2026-11-28T00:00:00Z");
        self.mnemo(&["install"]).ok();
        // As install.sh has it.
        let programs = bin("mnemo").parent().expect("a folder").to_owned();
        self.set(
            "PATH",
            format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display()),
        );
        self.now("2026-11-30T14:03:22Z");
        self.write("src/store.rs", "fn open_store() {}\n");
        if self.project().join(".git").exists() {
            self.git(&["add", "src"]).ok();
            let message = "feat: a store\n\nIt keeps what is read.";
            self.git(&["commit", "-q", "-m", message]).ok();
        }
        let mut session = self.session();
        session.says("p1", "make the store faster");
        self.hook(
            "prompt-save",
            &session.prompt("p1", "make the store faster"),
        )
        .ok();
        let edit = json!({"file_path": self.project().join("src/store.rs")});
        let answer = json!({"filePath": "x", "structuredPatch": []});
        self.hook("tool-log", &session.tool("p1", "Edit", &edit, &answer))
            .ok();
        session.answers("done", Some("end_turn"));
        session.stopped();
        self.hook("response-save", &session.stop("p1", "done")).ok();
        self.hook("stop-trigger", &session.stop("p1", "done")).ok();
        self.write(
            "memory/tools.md",
            "# Tools\n\n### Store\n- date: 2026-11-01\n\n`open_store` in `src/store.rs` and/or nothing.\n",
        );
    }

    /// A git repository in which everything is as it should be.
    pub fn healthy() -> Self {
        let mut env = Self::new();
        env.be_healthy();
        env
    }
}
