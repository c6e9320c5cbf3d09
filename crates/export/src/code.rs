//! A small highlighter: comments, strings, numbers, words of the language. It need not be right
//! about every language; it must be quick, lose nothing and mark nothing but what it saw.

use crate::message::escape_into;

/// Code longer than this, in bytes, is not coloured.
const LIMIT: usize = 64 * 1024;

/// How a family of languages is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// `//` and `/* */`
    Slash,
    /// `#`
    Hash,
    /// `--` and `/* */`
    Dash,
    /// Tags.
    Markup,
    /// Lines that begin with `+` or `-`.
    Diff,
    /// Not known.
    Other,
}

fn family(language: &str) -> Family {
    match language.to_ascii_lowercase().as_str() {
        "rust" | "rs" | "c" | "h" | "cpp" | "c++" | "cc" | "cs" | "csharp" | "java" | "kotlin"
        | "kt" | "swift" | "go" | "golang" | "js" | "javascript" | "jsx" | "mjs" | "ts"
        | "typescript" | "tsx" | "php" | "dart" | "scala" | "zig" | "css" | "scss" | "less"
        | "json" | "jsonc" | "json5" | "proto" | "groovy" | "glsl" | "objc" => Family::Slash,
        "py" | "python" | "rb" | "ruby" | "sh" | "bash" | "zsh" | "shell" | "console" | "fish"
        | "yaml" | "yml" | "toml" | "ini" | "conf" | "dockerfile" | "docker" | "make"
        | "makefile" | "perl" | "pl" | "r" | "elixir" | "ex" | "nix" | "powershell" | "ps1"
        | "tf" | "hcl" | "graphql" | "env" | "cmake" | "julia" => Family::Hash,
        "sql" | "mysql" | "postgres" | "postgresql" | "sqlite" | "plsql" | "lua" | "haskell"
        | "hs" | "ada" | "elm" => Family::Dash,
        "html" | "xml" | "svg" | "vue" | "svelte" | "xhtml" | "plist" => Family::Markup,
        "diff" | "patch" => Family::Diff,
        _ => Family::Other,
    }
}

/// Words that steer, of all languages: where they do not belong, they hardly occur.
const WORDS: &[&str] = &[
    "abstract",
    "alias",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "begin",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "crate",
    "def",
    "default",
    "defer",
    "del",
    "delete",
    "do",
    "done",
    "elif",
    "else",
    "end",
    "enum",
    "esac",
    "except",
    "export",
    "extends",
    "extern",
    "fi",
    "final",
    "finally",
    "fn",
    "for",
    "foreach",
    "from",
    "func",
    "function",
    "global",
    "go",
    "if",
    "impl",
    "import",
    "in",
    "include",
    "interface",
    "is",
    "lambda",
    "let",
    "local",
    "loop",
    "match",
    "mod",
    "module",
    "move",
    "mut",
    "namespace",
    "new",
    "not",
    "or",
    "override",
    "package",
    "pass",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "ref",
    "require",
    "return",
    "select",
    "self",
    "static",
    "struct",
    "super",
    "switch",
    "then",
    "this",
    "throw",
    "trait",
    "try",
    "type",
    "typeof",
    "unless",
    "until",
    "use",
    "using",
    "val",
    "var",
    "void",
    "when",
    "where",
    "while",
    "with",
    "yield",
];
/// Values that are words.
const VALUES: &[&str] = &[
    "true",
    "false",
    "null",
    "nil",
    "none",
    "undefined",
    "True",
    "False",
    "None",
    "NULL",
];
/// Words of databases, whose case does not count.
const SQL: &[&str] = &[
    "add",
    "alter",
    "and",
    "as",
    "asc",
    "between",
    "by",
    "cascade",
    "check",
    "column",
    "constraint",
    "create",
    "default",
    "delete",
    "desc",
    "distinct",
    "drop",
    "exists",
    "foreign",
    "from",
    "full",
    "group",
    "having",
    "in",
    "index",
    "inner",
    "insert",
    "into",
    "is",
    "join",
    "key",
    "left",
    "like",
    "limit",
    "not",
    "null",
    "on",
    "or",
    "order",
    "outer",
    "primary",
    "references",
    "right",
    "select",
    "set",
    "table",
    "union",
    "unique",
    "update",
    "values",
    "view",
    "where",
    "with",
];

/// The code as HTML.
pub(crate) fn highlight(language: &str, code: &str) -> String {
    let mut out = String::with_capacity(code.len() * 3 / 2);
    let family = family(language);
    if code.len() > LIMIT || family == Family::Other {
        escape_into(&mut out, code);
    } else if family == Family::Diff {
        diff(code, &mut out);
    } else {
        Scan {
            family,
            out: &mut out,
        }
        .run(code);
    }
    out
}

fn diff(code: &str, out: &mut String) {
    for line in code.split_inclusive('\n') {
        let class = match line.as_bytes().first() {
            Some(b'+') => "i",
            Some(b'-') => "d",
            Some(b'@') => "k",
            _ => "",
        };
        span(out, class, line);
    }
}

fn span(out: &mut String, class: &str, text: &str) {
    if class.is_empty() || text.is_empty() {
        escape_into(out, text);
        return;
    }
    out.push_str("<span class=\"");
    out.push_str(class);
    out.push_str("\">");
    escape_into(out, text);
    out.push_str("</span>");
}

struct Scan<'o> {
    family: Family,
    out: &'o mut String,
}

impl Scan<'_> {
    fn run(&mut self, code: &str) {
        let mut rest = code;
        let mut before = '\n';
        while let Some(c) = rest.chars().next() {
            let (class, length) = self.token(rest, c, before);
            let length = length.clamp(c.len_utf8(), rest.len());
            let (token, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
            span(self.out, class, token);
            before = token.chars().next_back().unwrap_or(' ');
            rest = behind;
        }
    }

    /// Class and length in bytes of what stands at the beginning of `rest`.
    fn token(&self, rest: &str, c: char, before: char) -> (&'static str, usize) {
        let to_line_end = || rest.find('\n').unwrap_or(rest.len());
        let through = |end: &str, from: usize| {
            rest.get(from..)
                .and_then(|inner| inner.find(end))
                .map_or(rest.len(), |at| from + at + end.len())
        };
        let block = matches!(self.family, Family::Slash | Family::Dash) && rest.starts_with("/*");
        if block {
            return ("c", through("*/", 2));
        }
        match self.family {
            Family::Slash if rest.starts_with("//") && before != ':' => {
                return ("c", to_line_end());
            }
            // `$#` and `a#b` are no comments.
            Family::Hash
                if c == '#' && !before.is_alphanumeric() && !matches!(before, '$' | '{') =>
            {
                return ("c", to_line_end());
            }
            Family::Dash if rest.starts_with("--") => return ("c", to_line_end()),
            Family::Markup if rest.starts_with("<!--") => return ("c", through("-->", 4)),
            Family::Markup if c == '<' => {
                let name = rest
                    .char_indices()
                    .skip(1)
                    .find(|(_, c)| {
                        !c.is_alphanumeric() && !matches!(c, '/' | '!' | '?' | '-' | ':' | '_')
                    })
                    .map_or(rest.len(), |(at, _)| at);
                return ("k", name);
            }
            Family::Markup if matches!(c, '"' | '\'') && before == '=' => {
                return ("s", string(rest, c, false));
            }
            Family::Markup => return ("", c.len_utf8()),
            _ => {}
        }
        if c == '"' || c == '`' {
            return ("s", string(rest, c, c == '`'));
        }
        if c == '\'' {
            // A lifetime, or an apostrophe in a word, is no string.
            let length = string(rest, c, false);
            let closed = length > 1 && rest.get(..length).is_some_and(|s| s.ends_with('\''));
            if !before.is_alphanumeric() && closed {
                return ("s", length);
            }
            return ("", 1);
        }
        if c.is_ascii_digit() && !is_word(before) {
            let length = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_')
                .unwrap_or(rest.len());
            return ("n", length);
        }
        if is_word(c) {
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let word = rest.get(..length).unwrap_or_default();
            return (self.word(word, before), length);
        }
        ("", c.len_utf8())
    }

    fn word(&self, word: &str, before: char) -> &'static str {
        if before == '.' || before == '-' {
            return "";
        }
        if self.family == Family::Dash && SQL.contains(&word.to_ascii_lowercase().as_str()) {
            return "k";
        }
        if VALUES.contains(&word) {
            "n"
        } else if WORDS.binary_search(&word).is_ok() {
            "k"
        } else {
            ""
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length of a string literal; one that is not closed on its line ends there, unless it may go on.
fn string(rest: &str, quote: char, lines: bool) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + 1;
        } else if c == '\n' && !lines {
            return at;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_is_marked() {
        assert_eq!(
            highlight("rust", "let x = \"a\\\"b\"; // y\n'a 1"),
            "<span class=\"k\">let</span> x = <span class=\"s\">&quot;a\\&quot;b&quot;</span>; \
             <span class=\"c\">// y</span>\n&#39;a <span class=\"n\">1</span>"
        );
        assert_eq!(
            highlight("sh", "echo $# # all"),
            "echo $# <span class=\"c\"># all</span>"
        );
        assert_eq!(
            highlight("diff", "+a\n-b\n c"),
            "<span class=\"i\">+a\n</span><span class=\"d\">-b\n</span> c"
        );
        assert_eq!(highlight("", "let <b>"), "let &lt;b&gt;");
        assert!(highlight("sql", "SELECT 1").starts_with("<span class=\"k\">SELECT"));
    }

    #[test]
    fn words_are_sorted() {
        assert!(WORDS.is_sorted());
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_lost(code in "(?s)([\"'`#/\\-*<>!=\\\\a1 \n한]|.){0,120}", language in 0usize..6) {
            let language = ["rust", "sh", "sql", "html", "diff", ""][language];
            let html = highlight(language, &code);
            let mut text = String::new();
            let mut rest = html.as_str();
            while let Some((before, tag)) = rest.split_once('<') {
                text.push_str(before);
                rest = tag.split_once('>').map_or("", |(_, behind)| behind);
            }
            text.push_str(rest);
            let mut escaped = String::new();
            escape_into(&mut escaped, &code);
            proptest::prop_assert_eq!(text, escaped);
        }
    }
}
