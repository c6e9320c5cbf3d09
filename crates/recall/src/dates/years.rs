//! What is named within a year that a word names: `작년 12월`, `December last year`, `im Dezember letzten
//! Jahres`, `去年12月`.

use super::Span;
use super::lexicon::{Unit, strip_particle};
use super::reader::{Reader, Step};
use chrono::{Datelike, NaiveDate};

/// What may stand between a year and what is named within it.
const BETWEEN: &[&str] = &[
    "of", "des", "dem", "im", "in", "am", "on", "the", "around", ",", "의", "에", "的",
];

impl<'a> Reader<'a> {
    /// Days, months and thirds of them within a year that is named by a word, before or behind it.
    pub(super) fn within_year(&self) -> Step {
        self.year_before().or_else(|| self.year_behind())
    }

    /// What a calendar names, with or without its year.
    pub(super) fn dated(&self) -> Step {
        self.within_year().or_else(|| self.named())
    }

    fn of_year(&self, year: i32) -> Reader<'a> {
        Reader {
            words: self.words,
            at: self.at,
            today: self.today,
            year: Some(year),
        }
    }

    fn at(&self, at: usize) -> Reader<'a> {
        Reader {
            words: self.words,
            at,
            today: self.today,
            year: self.year,
        }
    }

    /// `작년 12월 초`, `last year in December`, `letztes Jahr im Dezember`, `去年的12月`.
    fn year_before(&self) -> Step {
        let (end, year) = self.year_word()?;
        let mut rest = self.at(end);
        if rest.is(0, &["'", "’"]) && rest.is(1, &["s"]) {
            rest = rest.at(rest.at + 2);
        }
        let joined = rest.is(0, BETWEEN);
        while rest.is(0, BETWEEN) {
            rest = rest.at(rest.at + 1);
        }
        // `this year may become …`
        if !joined && rest.is(0, &["may", "march", "mar"]) {
            return None;
        }
        rest.of_year(year).in_calendar()
    }

    /// `early December last year`, `12. Dezember des letzten Jahres`, `October of 2025`.
    fn year_behind(&self) -> Step {
        let (end, _) = self.of_year(self.today.year()).in_calendar()?;
        let mut rest = self.at(end);
        let joined = rest.is(0, &["of", "in", "im", "des", ","]);
        while rest.is(0, BETWEEN) {
            rest = rest.at(rest.at + 1);
        }
        let (behind, year) = rest.year_word().or_else(|| {
            let year = rest.year_at(0).filter(|_| joined)?;
            Some((rest.at + 1, year))
        })?;
        let (_, span) = self.of_year(year).in_calendar()?;
        Some((behind, span))
    }

    /// A year by a word (`작년`, `letzten Jahres`), or by its number where it is called a year. One that is
    /// still to come too: what lies in it is no limit. Gives the index behind it.
    fn year_word(&self) -> Option<(usize, i32)> {
        let today = self.today.year();
        if let Some((end, Unit::Year, back)) = self.unit_back() {
            return Some((end, today - i32::try_from(back).ok()?));
        }
        let to_come = match strip_particle(self.word(0)) {
            "내년" | "明年" | "来年" => Some((1, 1)),
            "내후년" | "后年" => Some((1, 2)),
            "next" | "coming" | "nachstes" | "nachsten" | "nächstes" | "nächsten" | "kommendes"
            | "kommenden" | "다음"
                if matches!(
                    strip_particle(self.word(1)),
                    "year" | "jahr" | "jahres" | "해"
                ) =>
            {
                Some((2, 1))
            }
            _ => None,
        };
        if let Some((words, ahead)) = to_come {
            return Some((self.at + words, today + ahead));
        }
        let called = self.is(0, &["year", "jahr", "jahre", "jahres"]);
        if called && let Some(year) = self.year_at(1) {
            return Some((self.at + 2, year));
        }
        let year = self.year_at(0).filter(|_| !self.follows_glued())?;
        let called = matches!(strip_particle(self.word(1)), "년" | "년도" | "年");
        (called && self.glued(0)).then_some((self.at + 2, year))
    }

    /// Whether the year is said, and not only the last one that fits.
    fn says_year(&self) -> bool {
        self.of_year(1999).dated() == self.of_year(1998).dated()
    }

    /// The first day of what this reader names and the last of what another does, where a year that
    /// only one of them says is meant for both: `작년 10월부터 12월까지`, `Oktober bis Dezember letzten
    /// Jahres`.
    pub(super) fn one_year(
        &self,
        first: Span,
        other: &Reader<'_>,
        last: Span,
    ) -> Option<(NaiveDate, NaiveDate)> {
        let (since, until) = (first.since?, last.until?);
        let of =
            |reader: &Reader<'_>, year: i32| reader.of_year(year).dated().map(|(_, span)| span);
        match (self.says_year(), other.says_year()) {
            (false, true) => {
                let year = until.year();
                let within = |year| of(self, year)?.since.filter(|since| *since <= until);
                Some((within(year).or_else(|| within(year - 1))?, until))
            }
            (said, false) if said || since > until => {
                let year = since.year();
                let within = |year| of(other, year)?.until.filter(|until| since <= *until);
                Some((since, within(year).or_else(|| within(year + 1))?))
            }
            _ => Some((since, until)),
        }
    }
}
