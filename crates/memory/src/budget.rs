//! What a memory costs.

use crate::index::BudgetComment;

/// Tokens that all entries together may take.
pub const LIMIT: u64 = 40_000;

/// From here on there is a warning: 80 % of [`LIMIT`].
pub const WARNING: u64 = LIMIT / 5 * 4;

/// The estimated tokens of a text: `floor(bytes / 3.2)`.
pub fn tokens(bytes: u64) -> u64 {
    // 3.2 is not a number that binary fractions hold.
    u64::try_from(u128::from(bytes) * 10 / 32).unwrap_or(u64::MAX)
}

/// The sum over a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// The sum of the entries' floors.
    pub tokens: u64,
    /// Those of the index, which are not part of `tokens`.
    pub index_tokens: u64,
    /// Bytes of all entries.
    pub bytes: u64,
}

/// How a sum stands to the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Below 80 %.
    Within,
    /// From 80 % to 100 %.
    Warning,
    /// Above 100 %.
    Over,
}

impl Budget {
    /// Tenths of a percent of the limit, rounded.
    pub fn permille(&self) -> u64 {
        permille(self.tokens)
    }

    /// As [`Budget::permille`], the index included.
    pub fn permille_with_index(&self) -> u64 {
        permille(self.tokens + self.index_tokens)
    }

    /// Whole percent, rounded half up, as the budget comment has it.
    pub fn percent(&self) -> u64 {
        (self.tokens * 100 + LIMIT / 2) / LIMIT
    }

    /// Whether a budget comment says this. Either way of rounding its percentage is right.
    pub fn is_said_by(&self, comment: &BudgetComment) -> bool {
        let percent = [self.percent(), self.tokens * 100 / LIMIT];
        comment.tokens == self.tokens
            && comment.limit == Some(LIMIT)
            && comment.percent.is_some_and(|said| percent.contains(&said))
    }

    /// How it stands.
    pub fn level(&self) -> Level {
        match self.tokens {
            tokens if tokens > LIMIT => Level::Over,
            tokens if tokens >= WARNING => Level::Warning,
            _ => Level::Within,
        }
    }
}

fn permille(tokens: u64) -> u64 {
    (tokens * 1000 + LIMIT / 2) / LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_floor_of_bytes_over_three_point_two() {
        for (bytes, expected) in [(0, 0), (3, 0), (4, 1), (31, 9), (32, 10), (1638, 511)] {
            assert_eq!(tokens(bytes), expected, "{bytes}");
        }
        assert_eq!(tokens(u64::MAX), 5_764_607_523_034_234_879);
    }

    #[test]
    fn the_levels_begin_where_the_documents_say() {
        let of = |tokens| {
            Budget {
                tokens,
                ..Budget::default()
            }
            .level()
        };
        assert_eq!(of(31_999), Level::Within);
        assert_eq!(of(32_000), Level::Warning);
        assert_eq!(of(40_000), Level::Warning);
        assert_eq!(of(40_001), Level::Over);
    }

    #[test]
    fn percentages_are_rounded() {
        let budget = Budget {
            tokens: 12_832,
            index_tokens: 2_587,
            bytes: 0,
        };
        assert_eq!(budget.permille(), 321);
        assert_eq!(budget.permille_with_index(), 385);
        assert_eq!(budget.percent(), 32);
    }
}
