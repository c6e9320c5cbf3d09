//! What tests of search ask, and how.

use recall::dates::Span;
use recall::{Answer, Places, Request, search};

/// Asks on a day (`YYYY-MM-DD`), with nothing else said.
pub(crate) fn ask(places: &Places, query: &str, exact: bool, today: &str) -> Answer {
    search(
        places,
        &Request {
            query: query.to_owned(),
            span: Span::default(),
            role: None,
            layer: None,
            tags: Vec::new(),
            limit: 10,
            exact,
            today: today.parse().unwrap(),
            synonyms: None,
        },
    )
}
