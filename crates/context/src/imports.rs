//! What a file imports: `@path` in its running text.

use crate::version::Rules;
use memory::loaded::{is_comment, trim, without_spans};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// An `@path` as it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The path as written, blanks unescaped, the part behind `#` left out.
    pub(crate) written: String,
}

impl Mention {
    /// Where it leads from a file's folder; `None` when `~` leads nowhere.
    pub(crate) fn target(&self, folder: &Path, user_home: Option<&Path>) -> Option<PathBuf> {
        let path = match self.written.strip_prefix("~/") {
            Some(rest) => user_home?.join(rest),
            None => folder.join(&self.written),
        };
        Some(lexically(&path))
    }

    /// Whether the client would load such a file, by the name's ending.
    pub(crate) fn loadable(&self) -> bool {
        ending(&self.written).is_none_or(|ending| {
            let ending = ending.to_ascii_lowercase();
            ENDINGS
                .split_ascii_whitespace()
                .any(|known| known == ending)
        })
    }

    /// Whether a person meant a file by it, not a name or a handle.
    pub(crate) fn means_a_file(&self) -> bool {
        let led = ["./", "../", "~/", "/"]
            .iter()
            .any(|lead| self.written.starts_with(lead));
        led || (ending(&self.written).is_some() && self.loadable())
    }

    /// The path without the punctuation that ends a sentence, if there is any.
    pub(crate) fn without_punctuation(&self) -> Option<Self> {
        let plain = self
            .written
            .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'', ']', '|']);
        (plain.len() < self.written.len() && !plain.is_empty()).then(|| Self {
            written: plain.to_owned(),
        })
    }
}

/// What stands behind the last dot of a name, a leading dot not counting.
fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty()).then_some(ending)
}

/// Endings that the client imports, as tried with 2.1.59 and 2.1.332; a name without one is
/// imported too.
const ENDINGS: &str = "md txt text json yaml yml toml xml csv html htm css scss sass less js ts \
    tsx jsx mjs cjs mts cts py rb go rs java kt kts scala c h cpp hpp cc cs swift sh bash zsh fish \
    ps1 bat cmd sql graphql gql proto env ini cfg conf config properties vue svelte astro ejs hbs \
    pug jade php pl pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for \
    cmake make makefile gradle sbt rst adoc asciidoc org tex latex lock log diff patch rake cxx \
    hxx erb";

/// The path without `.` and `..`, by its text alone.
pub(crate) fn lexically(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// The mentions of a text without its frontmatter, in order, each once. Not those in code, links'
/// targets, HTML blocks and comments.
pub(crate) fn mentions(body: &str, rules: &Rules) -> Vec<Mention> {
    let mut found = Vec::new();
    if !body.contains('@') {
        return found;
    }
    let mut run = Run::default();
    let mut html: Option<Range<usize>> = None;
    let mut silent = 0_usize;
    for (event, range) in Parser::new(body).into_offset_iter() {
        match event {
            Event::Text(_) if silent == 0 && html.is_none() => run.text(body, range, &mut found),
            Event::SoftBreak => run.line_end(range.end),
            Event::Start(Tag::CodeBlock(_) | Tag::Image { .. }) => {
                run.end(&mut found);
                silent += 1;
            }
            Event::End(TagEnd::CodeBlock | TagEnd::Image) => {
                run.end(&mut found);
                silent = silent.saturating_sub(1);
            }
            Event::Start(Tag::HtmlBlock) => {
                run.end(&mut found);
                html = Some(range);
            }
            Event::End(TagEnd::HtmlBlock) => {
                let block = html.take().and_then(|block| body.get(block));
                if let Some(block) = block.filter(|block| rules.reading.tidies && is_comment(block))
                {
                    scan(&without_spans(block), &mut found);
                }
            }
            _ => run.end(&mut found),
        }
    }
    run.end(&mut found);
    let mut seen = std::collections::HashSet::new();
    found.retain(|mention| seen.insert(mention.written.clone()));
    found
}

/// Text without markup between, as it stands in the source. An escaped sign ends it, as in the
/// client's parser.
#[derive(Default)]
struct Run {
    text: String,
    end: usize,
}

impl Run {
    fn text(&mut self, body: &str, range: Range<usize>, found: &mut Vec<Mention>) {
        let escaped = range.start > 0
            && body.as_bytes().get(range.start - 1) == Some(&b'\\')
            && range.start != self.end;
        let mut source = body.get(range.clone()).unwrap_or_default();
        if escaped {
            self.end(found);
            // The sign behind the backslash belongs to the escape.
            source = source
                .char_indices()
                .nth(1)
                .and_then(|(at, _)| source.get(at..))
                .unwrap_or_default();
        } else if range.start != self.end {
            self.end(found);
        }
        self.text.push_str(source);
        self.end = range.end;
    }

    fn line_end(&mut self, at: usize) {
        self.text.push('\n');
        self.end = at;
    }

    fn end(&mut self, found: &mut Vec<Mention>) {
        scan(&std::mem::take(&mut self.text), found);
    }
}

/// `@` at the start or behind white space, then up to the next blank that no backslash escapes.
fn scan(text: &str, found: &mut Vec<Mention>) {
    let mut before = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        if c == '@' && is_blank(before) {
            let (written, left) = path(rest);
            found.extend(mention(&written));
            rest = left;
            before = 'x';
        } else {
            before = c;
        }
    }
}

fn is_blank(c: char) -> bool {
    trim(c.encode_utf8(&mut [0; 4])).is_empty()
}

fn path(text: &str) -> (String, &str) {
    let mut written = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if is_blank(c) {
            break;
        }
        if c == '\\' {
            let Some(after) = rest.strip_prefix("\\ ") else {
                break;
            };
            written.push(' ');
            rest = after;
        } else {
            written.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    (written, rest)
}

fn mention(written: &str) -> Option<Mention> {
    let path = written.split('#').next().unwrap_or_default();
    let led =
        path.starts_with("./") || path.starts_with("~/") || (path.starts_with('/') && path != "/");
    let plain =
        path.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    (led || plain).then(|| Mention {
        written: path.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;
    use proptest::prelude::*;

    fn newest() -> Rules {
        Rules::of(Version::NEWEST_MEASURED)
    }

    fn oldest() -> Rules {
        Rules::of(Version::new(2, 1, 59))
    }

    fn of(body: &str, rules: &Rules) -> Vec<String> {
        mentions(body, rules)
            .into_iter()
            .filter(Mention::loadable)
            .map(|mention| mention.written)
            .collect()
    }

    // Each line was tried in a file of its own with Claude Code 2.1.59, 2.1.197 and 2.1.332.
    #[test]
    fn imports_in_running_text_count() {
        for (text, imported) in [
            ("@f1.md", "f1.md"),
            ("text @f2.md more", "f2.md"),
            ("- @f4.md", "f4.md"),
            ("> @f6.md", "f6.md"),
            ("# head @f7.md", "f7.md"),
            ("**@f8.md**", "f8.md"),
            ("[@f10.md](y)", "f10.md"),
            ("@f19.md#anchor", "f19.md"),
            ("\t@f25.md\n".trim_start(), "f25.md"),
            ("@f26.md\\", "f26.md"),
            ("@./f28.md", "./f28.md"),
            ("@../proj/f29.md", "../proj/f29.md"),
            ("@/abs/f30.md", "/abs/f30.md"),
            ("_@f31.md_", "f31.md"),
            ("*see @f32.md*", "f32.md"),
            ("~~ @f33.md ~~", "f33.md"),
            ("`code` @f38.md `code`", "f38.md"),
            ("<span>@f40.md</span>", "f40.md"),
            ("text <b>@f7.md</b> z", "f7.md"),
            ("- [ ] @f3.md", "f3.md"),
            ("Term @f11.md\n===", "f11.md"),
            (
                "<details><summary>x</summary>\n\n@f15.md\n\n</details>",
                "f15.md",
            ),
            ("\\* @f20.md", "f20.md"),
            ("\\!@f21.md", "f21.md"),
            ("a <br>@f24.md", "f24.md"),
            ("**bold**@f25.md", "f25.md"),
            ("`c`@f28.md", "f28.md"),
            ("x ![i](x)@f29.md", "f29.md"),
            ("[l](x)@f30.md", "f30.md"),
            ("@f33.md<br>", "f33.md"),
            ("@f34.md*x*", "f34.md"),
            ("@f36.md`x`", "f36.md"),
            ("@f37.md[x](y)", "f37.md"),
            ("@f40.md\\*", "f40.md"),
            ("@a\\ b.md", "a b.md"),
            ("@aé.md", "aé.md"),
            ("@_u.md @-d.md @9.md", "_u.md -d.md 9.md"),
            (
                "@.hidden.md @100%.md @t(1).md @u+v.md",
                ".hidden.md 100%.md t(1).md u+v.md",
            ),
            ("@g.MD @Makefile @.env", "g.MD Makefile .env"),
        ] {
            let all = |rules| of(text, &rules).join(" ");
            assert_eq!(all(newest()), imported, "{text:?}");
            assert_eq!(all(oldest()), imported, "{text:?}");
        }
    }

    #[test]
    fn imports_elsewhere_do_not_count() {
        for text in [
            "[x](@f9.md)",
            "    @f13.md",
            "~~~\n@f14.md\n~~~",
            "``a @f15.md b``",
            "- a `see @f1.md` b",
            "<div>\n@f16.md\n</div>",
            "<!-- @f17.md -->",
            "a <!-- @f18.md --> b",
            "(@f3.md)",
            "\"@f22.md\"",
            "@\"f23.md\"",
            "x@f24.md",
            "@@f27.md",
            "\\@f39.md",
            "https://x.y/@f44.md",
            "![i]( @f45.md )",
            "[ref]: @f10.md",
            "@한글.md",
            "@g.png @g.exe @x.",
            "@$x.md @{a}.md @=e.md @~ @/ @~t.md",
            "~~x~~@f27.md",
        ] {
            assert_eq!(of(text, &newest()), [""; 0], "{text:?}");
            assert_eq!(of(text, &oldest()), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn punctuation_belongs_to_the_name() {
        let found = mentions("see @docs/a.md, or @b.md.", &newest());
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|mention| !mention.loadable()));
        let plain = found[0].without_punctuation().unwrap();
        assert_eq!(plain.written, "docs/a.md");
        assert!(plain.loadable());
    }

    #[test]
    fn what_stands_beside_a_comment_counts_in_new_clients() {
        for text in [
            "<!-- x --> @f4.md",
            "<!-- @f5.md\n--> tail @f4.md",
            "1) a\n   <!-- li --> @f4.md",
        ] {
            assert_eq!(of(text, &newest()), ["f4.md"], "{text:?}");
            assert_eq!(of(text, &oldest()), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn handles_are_no_missing_files() {
        let means = |text: &str| mentions(text, &newest())[0].means_a_file();
        assert!(means("@docs/a.md") && means("@./x") && means("@~/y"));
        assert!(!means("@anna") && !means("@anthropic-ai/claude-code") && !means("@2x"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(@|\\\\|`|<!--|-->|\n| |a|\\.md|#|[*]|\\PC){0,60}") {
            for rules in [newest(), oldest()] {
                for mention in mentions(&text, &rules) {
                    let _ = mention.target(Path::new("/a"), None);
                    let _ = (mention.loadable(), mention.means_a_file(), mention.without_punctuation());
                }
            }
        }
    }
}
