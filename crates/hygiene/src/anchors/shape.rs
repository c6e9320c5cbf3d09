//! What a path or a name can be by its shape alone.

/// Endings of files that projects keep. Sorted. Endings that are also common member names (`key`,
/// `out`, `map`) are left out: `user.key` is no file.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "adoc", "astro", "avsc", "bash", "bat", "bazel", "bib", "bzl", "c", "cc", "cfg", "cjs", "clj",
    "cljs", "cmake", "conf", "cpp", "cs", "csproj", "css", "csv", "cts", "cu", "cxx", "dart",
    "db", "docx", "ejs", "env", "erl", "ex", "exs", "fish", "fs", "gif", "go", "gql", "gradle",
    "graphql", "groovy", "h", "hbs", "hcl", "hpp", "hs", "htm", "html", "ico", "ini", "ipynb",
    "jar", "java", "jl", "jpeg", "jpg", "js", "json", "json5", "jsonc", "jsonl", "jsx", "kt",
    "kts", "ld", "lock", "log", "lua", "md", "mdc", "mdx", "mjs", "ml", "mm", "mod", "mts", "nim",
    "nix", "odt", "parquet", "pdf", "php", "plist", "png", "prisma", "properties", "proto", "ps1",
    "psm1", "py", "pyi", "pyx", "rb", "rs", "rst", "sass", "scala", "scm", "scss", "service",
    "sh", "sln", "sol", "sql", "sqlite", "sqlite3", "storyboard", "sv", "svelte", "svg", "swift",
    "tex", "tf", "tfvars", "timer", "toml", "ts", "tsv", "tsx", "txt", "vb", "vhd", "vue", "wasm",
    "webp", "xlsx", "xml", "yaml", "yml", "zig", "zsh",
];

/// Endings of what is data, a picture or a document, not written as source. Sorted.
#[rustfmt::skip]
const DATA: &[&str] = &[
    "csv", "db", "docx", "gif", "html", "htm", "ico", "jar", "jpeg", "jpg", "json", "jsonl",
    "log", "odt", "parquet", "pdf", "plist", "png", "properties", "sqlite", "sqlite3", "svg",
    "tsv", "txt", "wasm", "webp", "xlsx", "xml", "env", "lock", "ini", "conf", "cfg",
];

/// Endings of files whose words are looked at for symbols. Documents are not: a symbol that is only
/// written about is not there. Sorted.
#[rustfmt::skip]
const SOURCES: &[&str] = &[
    "astro", "avsc", "bash", "bat", "bazel", "bzl", "c", "cc", "cfg", "cjs", "clj", "cljs",
    "cmake", "conf", "cpp", "cs", "csproj", "css", "cts", "cu", "cxx", "dart", "ejs", "env",
    "erl", "ex", "exs", "fish", "fs", "go", "gql", "gradle", "graphql", "groovy", "h", "hbs",
    "hcl", "hpp", "hs", "html", "ini", "ipynb", "java", "jl", "js", "json", "json5", "jsonc",
    "jsx", "kt", "kts", "ld", "lua", "mjs", "ml", "mm", "mod", "mts", "nim", "nix", "php",
    "plist", "prisma", "properties", "proto", "ps1", "psm1", "py", "pyi", "pyx", "rb", "rs",
    "sass", "scala", "scm", "scss", "service", "sh", "sol", "sql", "storyboard", "sv", "svelte",
    "swift", "tf", "tfvars", "timer", "toml", "ts", "tsx", "vb", "vhd", "vue", "xml", "yaml",
    "yml", "zig", "zsh",
];

/// Files without an ending that are sources.
#[rustfmt::skip]
const SOURCE_NAMES: &[&str] = &[
    "Dockerfile", "Makefile", "Justfile", "justfile", "Rakefile", "Gemfile", "Jenkinsfile",
    "Procfile", "BUILD", "WORKSPACE", "Vagrantfile",
];

/// Whether `ending` is one that files have.
pub(super) fn is_ending(ending: &str) -> bool {
    ENDINGS.binary_search(&ending).is_ok()
}

/// The known ending of a path's last part.
pub(super) fn known_ending(path: &str) -> Option<&str> {
    let name = last_part(path);
    let (_, ending) = name.rsplit_once('.')?;
    is_ending(ending).then_some(ending)
}

/// Whether the ending is one of data and documents.
pub(super) fn is_data(ending: &str) -> bool {
    DATA.contains(&ending)
}

/// Endings of languages that programs are written in; those of styles and pages are not among them.
fn is_program(ending: &str) -> bool {
    SOURCES.binary_search(&ending).is_ok()
        && !is_settings(ending)
        && !matches!(
            ending,
            "css"
                | "scss"
                | "sass"
                | "html"
                | "sql"
                | "proto"
                | "prisma"
                | "graphql"
                | "gql"
                | "avsc"
                | "service"
                | "timer"
                | "mod"
                | "xml"
                | "ejs"
                | "hbs"
                | "csproj"
                | "storyboard"
                | "tf"
                | "tfvars"
                | "env"
                | "ld"
        )
}

fn is_settings(ending: &str) -> bool {
    matches!(
        ending,
        "json"
            | "json5"
            | "jsonc"
            | "toml"
            | "yaml"
            | "yml"
            | "ini"
            | "cfg"
            | "conf"
            | "properties"
            | "plist"
    )
}

/// Whether a file could be written anew with the other ending: a program in another language,
/// settings in another form.
pub(super) fn is_alike(a: &str, b: &str) -> bool {
    (is_program(a) && is_program(b)) || (is_settings(a) && is_settings(b))
}

/// Whether a file's words count as symbols.
pub(super) fn is_source(path: &str) -> bool {
    let name = last_part(path);
    if is_lock_file(name) {
        return false;
    }
    match name.rsplit_once('.') {
        Some((_, ending)) => SOURCES.binary_search(&ending).is_ok(),
        None => SOURCE_NAMES.contains(&name),
    }
}

/// What package managers write: full of other people's names.
fn is_lock_file(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.ends_with("-lock") || known_ending(name) == Some("lock") || stem == "npm-shrinkwrap"
}

/// The part behind the last slash of either kind.
pub(super) fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A mention without its place in the file, and the last line that it names: `:12`, `:12:4`, `:12-20`,
/// `#L12`, `#L12-L20`.
pub(super) fn without_line(text: &str) -> (&str, Option<usize>) {
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse::<usize>().ok()).flatten()
    };
    if let Some((path, place)) = text.rsplit_once('#')
        && let Some(first) = place.strip_prefix('L')
        && !path.is_empty()
    {
        let line = match first.split_once('-') {
            Some((first, last)) => {
                number(first).and(number(last.strip_prefix('L').unwrap_or(last)))
            }
            None => number(first),
        };
        return line.map_or((text, None), |line| (path, Some(line)));
    }
    let Some((path, place)) = text.rsplit_once(':').filter(|(path, _)| !path.is_empty()) else {
        return (text, None);
    };
    if let Some((first, last)) = place.split_once('-') {
        let line = number(first).and(number(last));
        return line.map_or((text, None), |line| (path, Some(line)));
    }
    let Some(line) = number(place) else {
        return (text, None);
    };
    // `:line:column`
    match path.rsplit_once(':') {
        Some((whole, before)) if !whole.is_empty() && number(before).is_some() => {
            (whole, number(before))
        }
        _ => (path, Some(line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        for table in [ENDINGS, SOURCES] {
            assert!(table.is_sorted(), "{table:?}");
        }
        assert!(SOURCES.iter().all(|ending| is_ending(ending)));
    }

    #[test]
    fn lines_are_taken_off() {
        assert_eq!(without_line("a/b.rs:12"), ("a/b.rs", Some(12)));
        assert_eq!(without_line("C:\\x"), ("C:\\x", None));
        assert_eq!(without_line(":3"), (":3", None));
        for (text, line) in [
            ("a/b.rs:1-3", 3),
            ("a/b.rs:1:4", 1),
            ("a/b.rs#L7", 7),
            ("a/b.rs#L7-L9", 9),
            ("a/b.rs#L7-9", 9),
        ] {
            assert_eq!(without_line(text), ("a/b.rs", Some(line)), "{text}");
        }
        for text in ["a/b.rs#Lines", "a/b.rs#L", "a/b.rs:x-3", "a/b.rs:"] {
            assert_eq!(without_line(text), (text, None));
        }
    }
}
