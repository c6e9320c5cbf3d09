//! The report as one page that needs nothing else: no script, no network.

use super::{HTML_MARK, by_verdict, graph};
use crate::judge::Judgements;
use crate::plan;
use crate::scan::Scan;
use mnemo_home::text::{escaped_html, escaped_html_with_code};
use std::fmt::Write as _;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2129;--paper:#fff;--dim:#5a6270;--line:#d9dde3;--red:#c4314b;--blue:#2f6fde;--green:#2e7d4f}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--paper:#16181d;--dim:#a2a9b4;--line:#343941;--red:#f0788c;--blue:#7aa8ff;--green:#6cc791}}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem}li,td,code{overflow-wrap:anywhere}
.dim{color:var(--dim)}.warn{border-left:.3rem solid var(--red);padding-left:.7rem}
svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--ink)}
.node{fill:var(--paper);stroke:var(--ink)}.contradiction{stroke:var(--red)}.succession{stroke:var(--blue)}
.containment{stroke:var(--green)}.reference{stroke:var(--dim);stroke-dasharray:4 3}.edge{fill:none;stroke-width:1.5}";

/// The page.
pub fn html(scan: &Scan, judged: &Judgements) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         {HTML_MARK}\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n\
         <h1>Memory garden</h1>\n<p class=\"dim\"><code>{}</code> · {} · {} entries</p>\n",
        escaped_html(&scan.store.root().display().to_string()),
        scan.now.format("%Y-%m-%d %H:%M"),
        scan.entries.len()
    );
    for warning in plan::warnings(scan) {
        let _ = writeln!(
            out,
            "<p class=\"warn\">{}</p>",
            escaped_html_with_code(&warning)
        );
    }
    let sensitive = plan::sensitive(scan);
    if !sensitive.is_empty() {
        out.push_str("<h2>Sensitive text</h2>\n<ul>\n");
        for place in sensitive {
            let _ = writeln!(out, "<li>{}</li>", escaped_html(&place));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("<h2>Verdicts</h2>\n");
    for (verdict, of) in by_verdict(judged) {
        let _ = writeln!(
            out,
            "<details{}><summary>{} ({})</summary>\n<ul>",
            if verdict == crate::Verdict::Active {
                ""
            } else {
                " open"
            },
            verdict.name(),
            of.len()
        );
        for at in of {
            let judgement = &judged.all[at];
            let first = judgement.proposed();
            let _ = write!(
                out,
                "<li><strong>{}</strong> ({:?}) {}",
                escaped_html(&judgement.entry),
                first.confidence,
                escaped_html_with_code(&first.note)
            );
            for evidence in first.evidence.iter().take(super::QUOTES) {
                let _ = write!(
                    out,
                    "<br><span class=\"dim\"><code>{}:{}</code> “{}”</span>",
                    escaped_html(&evidence.path),
                    evidence.line,
                    escaped_html(&evidence.quote)
                );
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ul></details>\n");
    }
    if !scan.relations().all.is_empty() {
        out.push_str("<h2>Relations</h2>\n");
        out.push_str(&graph::svg(scan));
        out.push_str("<ul>\n");
        for relation in &scan.relations().all {
            let _ = writeln!(
                out,
                "<li>{} <span class=\"dim\">{}</span> {}</li>",
                escaped_html(&scan.entries[relation.a].file),
                relation.kind,
                escaped_html(&scan.entries[relation.b].file)
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}
