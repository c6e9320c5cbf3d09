//! The report as one page that needs nothing else: no script, no picture, no network.

use super::{action_of, detail, groups, percent, shares};
use crate::audit::Audit;
use crate::budget::LIMIT;
use crate::store::Store;
use crate::wording as w;
use mnemo_home::Language;
use mnemo_home::text::{escaped_html, escaped_html_with_code};
use std::fmt::Write as _;

/// What says in a page's head that `mnemo check` made it.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"mnemo check\">";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2129;--paper:#fff;--dim:#5a6270;--line:#d9dde3;--bar:#2f6fde}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--paper:#16181d;--dim:#a2a9b4;--line:#343941;--bar:#6ea0ff}}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:52rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin-bottom:.2rem}
code,td{overflow-wrap:anywhere}code{font-size:.9em}
table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:.3rem .5rem .3rem 0;vertical-align:top}
td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.dim{color:var(--dim)}.bar{height:.6rem;background:var(--line);border-radius:.3rem;overflow:hidden}
.bar>div{height:100%;background:var(--bar)}ul{margin:.2rem 0 .2rem 1.2rem;padding:0}li{overflow-wrap:anywhere}";

/// The page. `made` is when, as the reader is to see it.
pub fn html(store: &Store, audit: &Audit, language: Language, made: &str) -> String {
    let mut out = String::new();
    let title = format!("{} · mnemo", w::MEMORY.of(language));
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n{GENERATOR}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n",
        language.code(),
        escaped_html(&title)
    );
    let _ = writeln!(
        out,
        "<h1>{}</h1>\n<p class=\"dim\"><code>{}</code> · {}</p>",
        w::MEMORY.of(language),
        escaped_html(&store.root().display().to_string()),
        escaped_html(made)
    );
    let width = (audit.budget.permille() / 10).min(100);
    let _ = writeln!(
        out,
        "<h2>{}</h2>\n<p>~{}tk / {LIMIT}tk ({}) <span class=\"dim\">{}</span></p>\n\
         <div class=\"bar\"><div style=\"width:{width}%\"></div></div>",
        w::BUDGET.of(language),
        audit.budget.tokens,
        percent(audit.budget.permille()),
        w::ESTIMATE.of(language)
    );
    if let Some(index) = store.index() {
        let _ = writeln!(
            out,
            "<p class=\"dim\">MEMORY.md: ~{}tk, {} {}, {} {}</p>",
            index.tokens(),
            index.line_count(),
            w::LINES.of(language),
            index.size(),
            w::BYTES.of(language)
        );
    }
    let (title, rows) = shares(store, audit, language);
    let _ = writeln!(out, "<h2>{title}</h2>\n<table>");
    for (name, count, tokens) in rows {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">~{}tk</td></tr>",
            escaped_html(name),
            count,
            tokens
        );
    }
    let _ = writeln!(
        out,
        "</table>\n<h2>{}</h2>\n<table>",
        w::LARGEST.of(language)
    );
    for id in &audit.largest {
        let entry = store.entry(*id);
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code></td><td class=\"n\">~{}tk</td></tr>",
            escaped_html(entry.file()),
            entry.tokens()
        );
    }
    let _ = writeln!(out, "</table>");
    problems(&mut out, store, audit, language);
    out.push_str("</body>\n</html>\n");
    out
}

fn problems(out: &mut String, store: &Store, audit: &Audit, language: Language) {
    let findings = audit.findings().count();
    let heading = if findings == 0 {
        w::NO_PROBLEMS.of(language).to_owned()
    } else {
        format!("{} ({findings})", w::PROBLEMS.of(language))
    };
    let _ = writeln!(out, "<h2>{heading}</h2>");
    for group in groups(audit, language) {
        let _ = writeln!(
            out,
            "<h3>{} ({})</h3>\n<ul>",
            group.label,
            group.issues.len()
        );
        let mut issues = group.issues.into_iter().peekable();
        while let Some(issue) = issues.next() {
            let action = action_of(issue, store, audit, language);
            let _ = write!(
                out,
                "<li>{}",
                escaped_html_with_code(&detail(issue, store, language))
            );
            // What helps several in a row is said once, behind them.
            let goes_on = issues
                .peek()
                .is_some_and(|next| action_of(next, store, audit, language) == action);
            if !goes_on {
                let _ = write!(
                    out,
                    "<br><span class=\"dim\">→ {}</span>",
                    escaped_html_with_code(&action)
                );
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ul>\n");
    }
}
