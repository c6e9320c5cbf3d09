//! `claudeMdExcludes`: files that the client leaves out.

use globset::{GlobBuilder, GlobMatcher};
use std::path::Path;

/// Patterns for absolute paths. `!pattern` leaves out what does not fit, as in the client.
#[derive(Debug, Default)]
pub(crate) struct Excludes(Vec<(GlobMatcher, bool)>);

/// Longest pattern that is looked at, bytes.
const LONGEST: usize = 4096;

impl Excludes {
    /// Patterns that are none are left out.
    pub(crate) fn new(patterns: &[String]) -> Self {
        let parsed = patterns
            .iter()
            .filter(|pattern| pattern.len() <= LONGEST)
            .filter_map(|pattern| {
                let (plain, fits) = match pattern.strip_prefix('!') {
                    Some(rest) => (rest, false),
                    None => (pattern.as_str(), true),
                };
                let glob = GlobBuilder::new(plain).literal_separator(true).build();
                Some((glob.ok()?.compile_matcher(), fits))
            });
        Self(parsed.collect())
    }

    pub(crate) fn matches(&self, path: &Path) -> bool {
        self.0
            .iter()
            .any(|(glob, fits)| glob.is_match(path) == *fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // What 2.1.332 left out of /b/proj.
    #[test]
    fn patterns_are_those_of_the_client() {
        let out = |pattern: &str, path: &str| {
            Excludes::new(&[pattern.to_owned()]).matches(Path::new(path))
        };
        assert!(out("**/CLAUDE.md", "/b/proj/CLAUDE.md"));
        assert!(out("**/CLAUDE.md", "/b/proj/.claude/CLAUDE.md"));
        assert!(!out("**/CLAUDE.md", "/b/proj/CLAUDE.local.md"));
        assert!(out("/b/CLAUDE.md", "/b/CLAUDE.md"));
        assert!(!out("/b/CLAUDE.md", "/b/proj/CLAUDE.md"));
        for relative in [
            "CLAUDE.md",
            "proj/CLAUDE.md",
            "./CLAUDE.md",
            "../CLAUDE.md",
            "~/CLAUDE.md",
            "**/claude.md",
            "/b/proj",
            "/b/proj/",
        ] {
            assert!(!out(relative, "/b/proj/CLAUDE.md"), "{relative}");
        }
        assert!(out("**/rules/**", "/b/proj/.claude/rules/r.md"));
        assert!(out("/b/proj/**", "/b/proj/.claude/rules/r.md"));
        assert!(out("**/.claude/**", "/b/proj/.claude/rules/r.md"));
        assert!(out("/b/proj/*.md", "/b/proj/CLAUDE.md"));
        assert!(!out("/b/proj/*.md", "/b/proj/.claude/CLAUDE.md"));
        assert!(out("**/CLAUDE*.md", "/b/proj/CLAUDE.local.md"));
        assert!(out("/b/{proj,x}/CLAUDE.md", "/b/proj/CLAUDE.md"));
        assert!(out("!**/x", "/b/proj/CLAUDE.md"));
        assert!(!out("[", "/b/proj/CLAUDE.md"));
    }
}
