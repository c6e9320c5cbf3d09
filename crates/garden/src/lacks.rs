//! What an entry says that another one, into which it would be merged, does not.

use crate::corpus::Corpus;
use crate::prose::Part;
use crate::quantity::Unit;
use crate::view::View;

/// One statement that would be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lacking {
    /// Its place in the entry.
    pub(crate) statement: usize,
    /// Hardly any of it is said there, or another number.
    pub(crate) hardly: bool,
}

/// Less of a statement's words than this in the other entry, and it is not said there.
const SAID: f32 = 0.5;
/// So many words that the other does not know say something of their own.
const NEW: usize = 3;

/// The statements of `part` that `whole` does not say, headings and the description left out.
pub(crate) fn of(corpus: &Corpus, part: &View, whole: &View) -> Vec<Lacking> {
    let there: Vec<_> = whole
        .statements
        .iter()
        .flat_map(|statement| whole.quantities(statement))
        .collect();
    part.all()
        .enumerate()
        .filter(|(_, (statement, bag))| {
            matches!(statement.part, Part::Text | Part::Item | Part::Row) && !bag.is_empty()
        })
        .filter_map(|(at, (statement, bag))| {
            let mut numbers = part.quantities(statement).iter();
            let number = numbers.any(|mine| {
                mine.unit != Unit::Date
                    && !there
                        .iter()
                        .any(|other| (other.value - mine.value).abs() < 1e-9)
            });
            let words = bag.words.iter();
            let new = words.filter(|word| corpus.holds(&whole.whole, **word) <= 0.0);
            let hardly = number || corpus.coverage(bag, &whole.whole) < SAID;
            (hardly || new.count() >= NEW).then_some(Lacking {
                statement: at,
                hardly,
            })
        })
        .collect()
}
