//! Made-up text: the same for the same seed.

use std::fmt::Write as _;

/// A small random number generator (xorshift64*).
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.roll() >> 33).unwrap_or_default() % end.max(1)
    }

    /// Half to one and a half times `size`.
    pub(crate) fn about(&mut self, size: usize) -> usize {
        size / 2 + self.below(size + 1)
    }

    pub(crate) fn uuid(&mut self) -> String {
        let (a, b) = (self.roll(), self.roll());
        format!(
            "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
            a >> 32,
            (a >> 16) & 0xffff,
            a & 0xfff,
            b >> 52,
            b & 0xffff_ffff_ffff
        )
    }
}

const WORDS: &str = "the a to of and in that it is for on with as be this are not from by or an \
    file line test value error build server request cache index parser token window branch commit \
    change check write read open close start stop first last next empty small large when where why \
    because before after while should could must never always only also then else return function \
    struct module crate number string buffer thread lock queue event hook session prompt reply \
    memory record folder path state time day hour order place name type list table entry answer \
    question config deploy release version package update remove insert replace search result \
    함수를 파일을 서버가 오류가 설정을 다시 확인해 주세요 배포는 테스트를 für über prüfen größer";

/// Kinds of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Sentences, with a block of code now and then.
    Talk,
    /// Source code, as tools print it: many quotes and line ends.
    Code,
}

/// About `size` bytes, as the inside of a JSON string.
pub(crate) fn text(dice: &mut Dice, size: usize, style: Style) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let word = |dice: &mut Dice| words.get(dice.below(words.len())).copied().unwrap_or("x");
    let mut out = String::with_capacity(size + 80);
    // What a prompt and a reply begin with makes each of them another one.
    let _ = write!(out, "{:x} ", dice.roll() >> 24);
    while out.len() < size {
        match (style, dice.below(40)) {
            (Style::Talk, 0) => {
                out.push_str("\\n\\n```rust\\n");
                for _ in 0..3 + dice.below(6) {
                    code(dice, word, &mut out);
                }
                out.push_str("```\\n\\n");
            }
            (Style::Talk, 1..12) => {
                for _ in 0..4 + dice.below(12) {
                    out.push_str(word(dice));
                    out.push(' ');
                }
                out.push_str(if dice.below(4) == 0 {
                    "`x`.\\n\\n"
                } else {
                    "too. "
                });
            }
            (Style::Talk, _) => {
                out.push_str(word(dice));
                out.push(' ');
            }
            (Style::Code, _) => code(dice, word, &mut out),
        }
    }
    out
}

fn code(dice: &mut Dice, word: impl Fn(&mut Dice) -> &'static str, out: &mut String) {
    let indent = 4 * dice.below(5);
    out.push_str(&" ".repeat(indent));
    let _ = match dice.below(3) {
        0 => write!(out, "let {} = {}();", word(dice), word(dice)),
        1 => write!(out, "assert_eq!({}, \\\"{}\\\");", word(dice), word(dice)),
        _ => write!(out, "if {}.{} {{ return; }}", word(dice), word(dice)),
    };
    out.push_str("\\n");
}
