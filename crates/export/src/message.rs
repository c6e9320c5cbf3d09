//! One message as HTML that cannot do anything: no raw HTML, no image, no address but the web's and
//! mail's. What the page's policy forbids anyway is not even written.

use crate::code;
use claude_hook::Role;
use pulldown_cmark::{
    Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd,
};
use std::fmt::Write as _;

/// A message longer than this, in bytes, is shown as it stands.
const MARKDOWN_LIMIT: usize = 512 * 1024;

/// The HTML of a message. What a person typed is shown as typed, its code blocks as code; what the
/// assistant said is read as Markdown.
pub(crate) fn html(text: &str, role: Role) -> String {
    let (text, tags) = split_tags(text);
    let mut out = match role {
        _ if text.len() > MARKDOWN_LIMIT => plain(text),
        Role::User => typed(text),
        Role::Assistant => markdown(text),
    };
    if !tags.is_empty() {
        out.push_str("<p class=\"tags\">");
        for tag in tags {
            let _ = write!(out, "<button type=\"button\">#{}</button> ", escape(tag));
        }
        out.push_str("</p>");
    }
    out
}

/// Cuts off a last line of tags.
fn split_tags(text: &str) -> (&str, Vec<&str>) {
    let trimmed = text.trim_end();
    let at = trimmed.rfind('\n').map_or(0, |at| at + 1);
    let last = trimmed
        .get(at..)
        .unwrap_or_default()
        .trim()
        .trim_matches('`');
    let Some(tags) = last.strip_prefix("#tags:") else {
        return (text, Vec::new());
    };
    let tags: Vec<&str> = tags
        .split(',')
        .map(|tag| tag.trim().trim_matches('`').trim_start_matches('#'))
        .filter(|tag| !tag.is_empty())
        .collect();
    if tags.is_empty() {
        return (text, Vec::new());
    }
    (trimmed.get(..at).unwrap_or_default(), tags)
}

fn plain(text: &str) -> String {
    format!("<p class=\"typed\">{}</p>", escape(text))
}

/// Text as typed, with fenced code as code.
fn typed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut prose = String::new();
    let mut lines = text.split_inclusive('\n');
    let flush = |prose: &mut String, out: &mut String| {
        let text = prose.trim_matches('\n');
        if !text.trim().is_empty() {
            let _ = write!(out, "<p class=\"typed\">{}</p>", escape(text));
        }
        prose.clear();
    };
    while let Some(line) = lines.next() {
        let opening = line.trim();
        let ticks = opening.bytes().take_while(|byte| *byte == b'`').count();
        let language = opening.get(ticks..).unwrap_or_default();
        if ticks < 3 || language.contains('`') {
            prose.push_str(line);
            continue;
        }
        flush(&mut prose, &mut out);
        let mut block = String::new();
        for line in lines.by_ref() {
            let closing = line.trim();
            if closing.len() >= ticks && closing.bytes().all(|byte| byte == b'`') {
                break;
            }
            block.push_str(line);
        }
        out.push_str(&code_block(language, &block));
    }
    flush(&mut prose, &mut out);
    out
}

fn markdown(text: &str) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let parser = Parser::new_ext(text, options);
    let mut out = String::with_capacity(text.len() * 3 / 2);
    let safe = Safe {
        events: parser,
        code: None,
        links: Vec::new(),
    };
    pulldown_cmark::html::push_html(&mut out, safe);
    out
}

/// Events from which everything active was taken.
struct Safe<'a, I> {
    events: I,
    /// Language and text of the code block being read.
    code: Option<(CowStr<'a>, String)>,
    /// What ends each open link or image.
    links: Vec<&'static str>,
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for Safe<'a, I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            let event = self.events.next()?;
            if let Some((_, text)) = &mut self.code {
                match event {
                    Event::Text(more) => text.push_str(&more),
                    Event::End(TagEnd::CodeBlock) => {
                        let (language, text) = self.code.take()?;
                        return Some(Event::Html(code_block(&language, &text).into()));
                    }
                    _ => {}
                }
                continue;
            }
            return Some(match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(language) => language,
                        CodeBlockKind::Indented => "".into(),
                    };
                    self.code = Some((language, String::new()));
                    continue;
                }
                // Markup in a message is text about markup.
                Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
                Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
                Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
                Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
                    level: lower(level),
                    id: None,
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }),
                Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level))),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    if is_safe(&dest_url) {
                        self.links.push("</a>");
                        let url = escape(&dest_url);
                        let open = format!(
                            "<a href=\"{url}\" title=\"{url}\" target=\"_blank\" rel=\"noopener noreferrer\">"
                        );
                        Event::InlineHtml(open.into())
                    } else {
                        // The words stay, the address is told.
                        self.links.push("</span>");
                        let open = format!("<span class=\"dead\" title=\"{}\">", escape(&dest_url));
                        Event::InlineHtml(open.into())
                    }
                }
                Event::Start(Tag::Image { dest_url, .. }) => {
                    self.links.push("</span>");
                    let open = format!("<span class=\"image\" title=\"{}\">", escape(&dest_url));
                    Event::InlineHtml(open.into())
                }
                Event::End(TagEnd::Link | TagEnd::Image) => {
                    Event::InlineHtml(self.links.pop().unwrap_or_default().into())
                }
                // Alignment is written as an inline style, which the page's policy forbids.
                Event::Start(Tag::Table(columns)) => {
                    Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
                }
                // A line break in a reply is a blank, as in any Markdown.
                other => other,
            });
        }
    }
}

/// The page's own headings go down to the third level.
fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H4,
        HeadingLevel::H2 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

/// Addresses that a click may open.
fn is_safe(url: &str) -> bool {
    let url = url.trim_start().to_ascii_lowercase();
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}

fn code_block(language: &str, text: &str) -> String {
    let name = language
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | ':'))
        .next()
        .unwrap_or_default();
    let mut out = String::from("<figure>");
    if !name.is_empty() {
        let _ = write!(out, "<figcaption>{}</figcaption>", escape(name));
    }
    let _ = writeln!(
        out,
        "<pre tabindex=\"0\"><code>{}</code></pre></figure>",
        code::highlight(name, text.trim_end_matches('\n'))
    );
    out
}

/// Text as HTML. What no page shows is a replacement character.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    escape_into(&mut out, text);
    out
}

pub(crate) fn escape_into(out: &mut String, text: &str) {
    // A CR that ends a line stays.
    mnemo_home::text::escaped_html_into(out, text, |c| {
        c.is_control() && !matches!(c, '\n' | '\t' | '\r')
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        html(text, Role::Assistant)
    }

    #[test]
    fn markup_in_a_message_is_text() {
        for text in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "<div onclick=\"x()\">y</div>",
            "<!-- x --><svg onload=alert(1)>",
            "<a href=\"javascript:alert(1)\">x</a>",
        ] {
            for role in [Role::User, Role::Assistant] {
                let html = html(text, role);
                let lower = html.to_lowercase();
                for tag in ["<script", "<img", "<div", "<svg", "<a ", "<!--"] {
                    assert!(!lower.contains(tag), "{text}: {html}");
                }
            }
        }
    }

    #[test]
    fn only_the_web_and_mail_are_linked() {
        let html = said(
            "[a](https://example.com/x?y=1&z=\"2) [b](javascript:alert(1)) [c](data:text/html,x) [d](JaVaScript:x) <vbscript:x>",
        );
        assert_eq!(html.matches("<a href=").count(), 1, "{html}");
        assert!(
            html.contains("<a href=\"https://example.com/x?y=1&amp;z=&quot;2\""),
            "{html}"
        );
        assert!(!html.to_lowercase().contains("href=\"javascript"), "{html}");
    }

    #[test]
    fn an_image_is_its_words() {
        let html = said("![a cat](https://example.com/cat.png)");
        assert!(!html.contains("<img"), "{html}");
        assert!(
            html.contains("class=\"image\"") && html.contains("a cat"),
            "{html}"
        );
    }

    #[test]
    fn what_is_typed_is_shown_as_typed() {
        let html = html(
            "# not a heading\n*a*  b\n```sh\nls <x>\n```\nend",
            Role::User,
        );
        assert!(html.contains("# not a heading\n*a*  b"), "{html}");
        assert!(html.contains("<figcaption>sh</figcaption>"), "{html}");
        assert!(
            html.contains("&lt;x&gt;") && html.ends_with("<p class=\"typed\">end</p>"),
            "{html}"
        );
    }

    #[test]
    fn tags_at_the_end_are_buttons() {
        for end in ["#tags: deploy, 배포", "`#tags: deploy, 배포`"] {
            let html = said(&format!("Done.\n\n{end}\n"));
            assert!(
                html.contains("<button type=\"button\">#배포</button>"),
                "{html}"
            );
            assert!(!html.contains("#tags"), "{html}");
        }
        assert!(said("#tags: in\nthe middle").contains("#tags"));
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_a_tag_of_its_own(text in "(?s)([<>/\"'=!`\\[\\]()#a:\\-\n &;|*_]|script|img|onerror|javascript:|https://x|.){0,80}") {
            let allowed = [
                "p", "strong", "em", "del", "code", "pre", "figure", "figcaption", "a", "span", "h4", "h5",
                "h6", "ul", "ol", "li", "blockquote", "hr", "br", "table", "thead", "tbody", "tr", "th",
                "td", "input", "button",
            ];
            for role in [Role::User, Role::Assistant] {
                let html = html(&text, role);
                for tag in html.split('<').skip(1) {
                    let name: String = tag
                        .trim_start_matches('/')
                        .chars()
                        .take_while(char::is_ascii_alphanumeric)
                        .collect();
                    proptest::prop_assert!(allowed.contains(&name.as_str()), "<{} in {}", name, html);
                }
                proptest::prop_assert!(!html.contains("href=\"javascript"));
            }
        }
    }
}
