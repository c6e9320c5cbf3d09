//! The range as one page that needs nothing else.
//!
//! Messages are made into safe HTML here and stand in the page as JSON, in chunks that a browser
//! takes apart only when a day is opened or searched: a page of many thousand entries opens at once.
//! The page's policy allows its own style and script, by their hashes, and nothing else: no other
//! script, no request, no image, no form.

use crate::days::{Day, Days};
use crate::message::{self, escape};
use crate::{Result, Told};
use mnemo_home::Language;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Write;

const STYLE: &str = include_str!("../page/style.css");
const SCRIPT: &str = include_str!("../page/page.js");
/// Entries and bytes after which a chunk ends.
const CHUNK_ENTRIES: usize = 64;
const CHUNK_BYTES: usize = 96 * 1024;

pub(crate) fn write(days: &mut Days<'_>, language: Language, out: &mut dyn Write) -> Result<Told> {
    let mut told = Told::default();
    let words = words(language);
    let project = days.project();
    head(out, language, &project, &words)?;
    let mut index = Vec::new();
    let mut next = 0;
    while let Some(day) = days.next() {
        told.days += 1;
        told.entries += day.entries.len();
        let chunks = write_day(&day, &mut next, out)?;
        index.push(json!([day.date.to_string(), chunks]));
    }
    data(out, "days", &Value::from(index))?;
    data(out, "words", &words)?;
    write!(out, "<script>{SCRIPT}</script>\n</body>\n</html>\n")?;
    Ok(told)
}

/// Writes a day's chunks; `next` is the number of the next one. Answers first number and the entries
/// of each.
fn write_day(day: &Day, next: &mut usize, out: &mut dyn Write) -> std::io::Result<Value> {
    let first = *next;
    let mut counts: Vec<usize> = Vec::new();
    let mut chunk: Vec<Value> = Vec::new();
    let mut bytes = 0;
    for (number, entry) in day.entries.iter().enumerate() {
        let html = message::html(&entry.text, entry.role);
        bytes += html.len();
        chunk.push(json!([
            entry.time.format("%H:%M:%S").to_string(),
            usize::from(entry.role == claude_hook::Role::Assistant),
            html,
        ]));
        let last = number + 1 == day.entries.len();
        if last || chunk.len() >= CHUNK_ENTRIES || bytes >= CHUNK_BYTES {
            counts.push(chunk.len());
            data(
                out,
                &format!("c{next}"),
                &Value::from(std::mem::take(&mut chunk)),
            )?;
            *next += 1;
            bytes = 0;
        }
    }
    Ok(json!([first, counts]))
}

/// A block of data. `<` cannot stand in it, so nothing in it ends it or opens a comment.
fn data(out: &mut dyn Write, id: &str, value: &Value) -> std::io::Result<()> {
    let text = serde_json::to_string(value)?.replace('<', "\\u003c");
    writeln!(
        out,
        "<script type=\"application/json\" id=\"{id}\">{text}</script>"
    )
}

fn head(
    out: &mut dyn Write,
    language: Language,
    project: &str,
    words: &Value,
) -> std::io::Result<()> {
    let word = |key: &str| escape(words.get(key).and_then(Value::as_str).unwrap_or_default());
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"generator\" content=\"mnemo\">\n\
         <title>{project}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">{skip}</a>\n\
         <header id=\"top\">\n\
         <button id=\"menu\" type=\"button\" aria-expanded=\"false\" aria-controls=\"nav\">{days}</button>\n\
         <h1>{project}</h1>\n\
         <div id=\"find\" role=\"search\"><input id=\"q\" type=\"search\" placeholder=\"{search}\" aria-label=\"{search}\" autocomplete=\"off\" spellcheck=\"false\">\n\
         <select id=\"who\" aria-label=\"{who}\"><option value=\"\">{all}</option><option value=\"0\">{user}</option><option value=\"1\">{assistant}</option></select></div>\n\
         <button id=\"theme\" type=\"button\" aria-label=\"{theme}\" title=\"{theme}\"><span aria-hidden=\"true\">◐</span></button>\n\
         </header>\n\
         <div id=\"page\">\n<nav id=\"nav\" aria-label=\"{days}\"></nav>\n\
         <main id=\"main\" tabindex=\"-1\"><noscript><p>{noscript}</p></noscript></main>\n</div>\n",
        lang = language.code(),
        style = hash(STYLE),
        script = hash(SCRIPT),
        project = escape(project),
        skip = word("skip"),
        days = word("days"),
        search = word("search"),
        who = word("who"),
        all = word("all"),
        user = word("user"),
        assistant = word("assistant"),
        theme = word("theme"),
        noscript = word("noscript"),
    )
}

/// The hash of a style or script, as a page's policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            if place > chunk.len() {
                out.push('=');
            } else {
                let digit = (bits >> (18 - 6 * place)) & 63;
                let digit = usize::try_from(digit).unwrap_or_default();
                out.push(char::from(DIGITS.get(digit).copied().unwrap_or(b'=')));
            }
        }
    }
    out
}

/// The page's own words.
fn words(language: Language) -> Value {
    match language {
        Language::Ko => json!({
            "skip": "본문으로", "days": "날짜", "search": "검색", "who": "말한 사람", "all": "모두",
            "user": "사용자", "assistant": "어시스턴트", "theme": "밝게 / 어둡게",
            "noscript": "이 페이지를 보려면 스크립트가 필요합니다. `mnemo export --format md`는 스크립트 없이 읽을 수 있습니다.",
            "entries": "개", "earlier": "앞의 대화 더 보기", "prev": "이전 날", "next": "다음 날",
            "none": "기록이 없습니다", "hits": "검색 결과", "nohits": "결과가 없습니다", "more": "더 보기",
            "link": "이 항목의 링크", "searching": "검색 중",
        }),
        Language::De => json!({
            "skip": "Zum Inhalt", "days": "Tage", "search": "Suchen", "who": "Wer", "all": "Alle",
            "user": "Nutzer", "assistant": "Assistent", "theme": "Hell / dunkel",
            "noscript": "Diese Seite braucht Skripte. `mnemo export --format md` liest sich ohne.",
            "entries": "Einträge", "earlier": "Frühere Einträge", "prev": "Tag davor", "next": "Tag danach",
            "none": "Keine Einträge", "hits": "Treffer", "nohits": "Keine Treffer", "more": "Mehr",
            "link": "Link zu diesem Eintrag", "searching": "sucht",
        }),
        Language::Zh => json!({
            "skip": "跳到正文", "days": "日期", "search": "搜索", "who": "发言者", "all": "全部",
            "user": "用户", "assistant": "助手", "theme": "浅色 / 深色",
            "noscript": "本页需要脚本。`mnemo export --format md` 无需脚本即可阅读。",
            "entries": "条", "earlier": "更早的内容", "prev": "前一天", "next": "后一天",
            "none": "没有记录", "hits": "条结果", "nohits": "没有结果", "more": "更多",
            "link": "此条的链接", "searching": "搜索中",
        }),
        Language::En => json!({
            "skip": "Skip to content", "days": "Days", "search": "Search", "who": "Who", "all": "Everyone",
            "user": "User", "assistant": "Assistant", "theme": "Light / dark",
            "noscript": "This page needs scripts. `mnemo export --format md` can be read without.",
            "entries": "entries", "earlier": "Earlier entries", "prev": "Day before", "next": "Day after",
            "none": "No entries", "hits": "hits", "nohits": "No hits", "more": "More",
            "link": "Link to this entry", "searching": "searching",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_others_write_it() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn data_cannot_end_its_block() {
        let mut out = Vec::new();
        data(&mut out, "x", &json!(["</script><!--<script>"])).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches('<').count(), 2, "{text}");
    }

    #[test]
    fn style_and_script_do_not_end_themselves() {
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
    }
}
