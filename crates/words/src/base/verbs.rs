//! Korean verbs and adjectives: `자르다` is `잘라`, `자른`, `자르지`; `지우다` is `지워`, `지운다`.
//!
//! A dictionary form gives its stems, spelled in conjoining jamo; a word of a text is one of them
//! and an ending.

use std::collections::HashSet;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// The conjoining jamo of a text.
pub(crate) fn jamo(text: &str) -> String {
    text.nfd().collect()
}

/// The stems of a dictionary form (`…다`), as [`jamo`]. Empty for what is none.
pub(crate) fn stems(dictionary_form: &str) -> Vec<String> {
    let Some(stem) = dictionary_form.strip_suffix('다') else {
        return Vec::new();
    };
    let letters: Vec<char> = stem.nfd().collect();
    let Some((&last, head)) = letters.split_last() else {
        return Vec::new();
    };
    let head: String = head.iter().collect();
    let with = |tail: &str| format!("{head}{tail}");
    let mut out = vec![letters.iter().collect::<String>()];
    match last {
        // Vowels that melt with the `아`/`어` that follows.
        '\u{1169}' => out.push(with("\u{116a}")),
        '\u{116e}' => out.push(with("\u{116f}")),
        '\u{1175}' => out.push(with("\u{1167}")),
        '\u{116c}' => out.push(with("\u{116b}")),
        '\u{1161}' if head.ends_with('\u{1112}') => out.push(with("\u{1162}")),
        '\u{1173}' => {
            out.push(with("\u{1165}"));
            out.push(with("\u{1161}"));
            if let Some(before) = head.strip_suffix('\u{1105}') {
                out.push(format!("{before}\u{11af}라").nfd().collect());
                out.push(format!("{before}\u{11af}러").nfd().collect());
            }
        }
        // Finals that change or fall before a vowel.
        '\u{11b8}' => {
            for tail in ["우", "워", "와"] {
                out.push(format!("{head}{tail}").nfd().collect());
            }
        }
        '\u{11ae}' => out.push(with("\u{11af}")),
        '\u{11ba}' | '\u{11af}' | '\u{11c2}' => out.push(head),
        _ => {}
    }
    out
}

/// Whether what stands after a stem is an ending.
pub(crate) fn is_ending(rest: &str) -> bool {
    let tables = &*TABLES;
    let ends = |rest: &str| rest.is_empty() || tables.endings.contains(rest);
    let mut rest = rest;
    for before in &tables.before {
        if ends(rest) {
            return true;
        }
        rest = before
            .iter()
            .filter_map(|prefix| rest.strip_prefix(prefix.as_str()))
            .min_by_key(|rest| rest.len())
            .unwrap_or(rest);
    }
    ends(rest)
}

struct Tables {
    before: [Vec<String>; 4],
    endings: HashSet<String>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let all = |table: &str| table.split_whitespace().map(spelled).collect::<Vec<_>>();
    Tables {
        before: [all(HELPERS), all(HONORIFICS), all(TENSES), all(TENSES)],
        endings: all(ENDINGS).into_iter().collect(),
    }
});

/// The jamo of an ending; a consonant at its head is a final.
fn spelled(ending: &str) -> String {
    ending
        .nfd()
        .map(|c| match c {
            'ㄴ' => '\u{11ab}',
            'ㄹ' => '\u{11af}',
            'ㅁ' => '\u{11b7}',
            'ㅂ' => '\u{11b8}',
            'ㅆ' => '\u{11bb}',
            _ => c,
        })
        .collect()
}

/// What stands before an ending: auxiliaries, honour, tense. A single consonant is the final of the
/// syllable before.
const HELPERS: &str = "어지 어져 아지 아져 지 져 어주 어줘 아주 아줘 주 줘 어두 아두 어놓 아놓 놓";

const HONORIFICS: &str = "시 으시 셨 으셨 셔 으셔";

const TENSES: &str = "ㅆ 았 었 였 겠";

const ENDINGS: &str = "다 고 지 게 는 은 ㄴ ㄹ 을 ㅁ 음 기 네 니 면 으면 며 으며 면서 으면서 \
    려고 으려고 려면 으려면 려 으려 려는 으려는 도록 자 거나 던 더라 더니 지만 \
    지도 지는 지를 지가 질 고서 고는 고도 어 아 여 어서 아서 어도 아도 어야 \
    아야 어요 아요 어라 아라 서 도 야 요 라 ㄴ다 는다 ㄴ다고 는다고 다고 다는 \
    ㄴ다는 는다는 ㄴ다면 는다면 다면 라고 으라고 라는 ㅂ니다 습니다 ㅂ니까 습니까 \
    는데 은데 ㄴ데 는지 은지 ㄴ지 ㄹ지 을지 ㄹ까 을까 ㄹ게 을게 ㄹ수록 을수록 \
    니까 으니까 으니 자마자 느라 든지 든 거든 잖아 기가 기를 기에 기로 기는 기도 \
    기만 기까지 기전 ㅁ을 ㅁ은 ㅁ이 음을 음은 음이 세요 으세요 십시오 으십시오 \
    게끔 다가 다가는 고자 ㄹ때 을때 ㄹ것 을것 는것 는가 ㄴ가 나 냐 자고 데 \
    는지도 \
    나요 는가요 은가 은가요 ㄴ가요 던가 던가요 던지 던지요 ㄹ까요 을까요 는지요 은지요 ㄴ지요 ㄹ지요 을지요 \
    지요 죠 네요 는데요 은데요 ㄴ데요 던데요 데요 거든요 잖아요 고요 구요 ㄹ게요 을게요 ㄹ걸 을걸 ㄹ걸요 을걸요 \
    ㄹ래 을래 ㄹ래요 을래요 ㄹ려나 려나 으려나 ㄹ려나요 려나요 으려나요 느냐 으냐 더냐 \
    대 대요 ㄴ대 ㄴ대요 는대 는대요 래 래요 으래 으래요 재요 냬요 다며 ㄴ다며 는다며 다면서 ㄴ다면서 는다면서 \
    다면서요 ㄴ다면서요 는다면서요 다고요 ㄴ다고요 는다고요 냐고 느냐고 으냐고 냐고요 느냐고요 으냐고요 자고요 라고요 으라고요 \
    더라고 더라고요 더라구요 더군 더군요 군 군요 는군 는군요 구나 는구나 니까요 으니까요 려고요 으려고요 답니다 ㄴ답니다 \
    는답니다 답니까 ㄴ답니까 는답니까 ㅂ디까 습디까";

/// Particles that follow a noun, the longest first.
pub(crate) const PARTICLES: &str = "에서는 으로는 까지는 부터는 에서 으로 까지 부터 에는 에도 마다 보다 처럼 만으로 만은 만을 \
    이나 이면 이다 인데 이고 들은 들이 들을 들의 은 는 이 가 을 를 의 에 와 과 로 도 만 나 들 인 면 고 다";

#[cfg(test)]
mod tests {
    use super::*;

    fn is_form(verb: &str, word: &str) -> bool {
        let word = jamo(word);
        stems(verb)
            .iter()
            .any(|stem| word.strip_prefix(stem.as_str()).is_some_and(is_ending))
    }

    #[test]
    fn verbs_are_known_by_their_forms() {
        for (verb, forms) in [
            (
                "지우다",
                "지운다 지워 지우지 지워진 지웠던 지울 지우고 지움 지워서 지웁니다",
            ),
            (
                "지우다",
                "지우나요 지웠나요 지우는가요 지운가요 지웠던가요 지울까요 지웠을까요 지우는지요 지웠는지요 지우지요 \
                 지웠죠 지운대요 지웠대요 지우래요 지울래요 지웠더라고요 지웠더라 지웠느냐 지우려나 지우셨나요 지우셨어요 \
                 지우시나요 지우겠지요 지웠습니까 지웁니까 지웠군요 지웠네요 지웠는데요 지웠다면서요 지웠답니다",
            ),
            (
                "열리다",
                "열렸나요 열렸던가요 열렸을까요 열리나요 열리죠 열린대요",
            ),
            ("크다", "큰가요 컸나요 클까요 크죠"),
            ("좋다", "좋은가요 좋을까요 좋은지요 좋나요"),
            ("자르다", "잘라 자른다 자르면 잘랐다"),
            ("묻다", "물어 묻는다 물었더니 묻지"),
            ("만들다", "만든 만드는 만들어 만듭니다"),
            ("쓰다", "쓴다 써서 씁니다 썼다"),
            ("가깝다", "가까운 가까워 가깝지"),
            ("짓다", "지어 짓는"),
            ("보다", "봐 봤다 볼 보신다"),
            ("크다", "커서 큰"),
        ] {
            for form in forms.split(' ') {
                assert!(is_form(verb, form), "{verb}: {form}");
            }
        }
        for (verb, other) in [
            ("지우다", "지우개"),
            ("자르다", "자료"),
            ("보다", "보통"),
            ("피다", "필요"),
        ] {
            assert!(!is_form(verb, other), "{verb}: {other}");
        }
    }
}
