//! Korean particles and endings: `배포를`, `배포했던` and `배포하는` share the stem `배포`.

use std::sync::LazyLock;

/// Particles of two and more syllables, and the endings of `하다`, `되다`, `시키다` verbs, which
/// follow a noun. One stays: the longest that leaves enough is taken off.
const LONG: &[&str] = &[
    "에서부터",
    "으로부터",
    "으로서는",
    "으로써",
    "으로서",
    "으로는",
    "으로도",
    "으로만",
    "에서는",
    "에서도",
    "에서만",
    "에게서",
    "에게는",
    "한테서",
    "까지는",
    "까지도",
    "부터는",
    "이라도",
    "이라는",
    "이라고",
    "이라서",
    "이라면",
    "입니다만",
    "이었던",
    "이었다",
    "이었습니다",
    "입니다",
    "입니까",
    "인가요",
    "이에요",
    "예요",
    "인데",
    "인지",
    "이란",
    "이나",
    "이랑",
    "에서",
    "에게",
    "에는",
    "에도",
    "에만",
    "께서",
    "한테",
    "으로",
    "로는",
    "로도",
    "로만",
    "로서",
    "로써",
    "로부터",
    "부터",
    "까지",
    "보다",
    "처럼",
    "마다",
    "조차",
    "마저",
    "밖에",
    "라도",
    "라는",
    "라고",
    "라서",
    "라면",
    "하고",
    "와는",
    "과는",
    "와의",
    "과의",
    "에의",
    "만의",
    "만을",
    "만이",
    "만은",
    "들을",
    "들이",
    "들은",
    "들의",
    "들에",
    "들도",
    "들로",
    "들과",
    "하였습니다",
    "했습니다만",
    "했습니다",
    "합니다만",
    "합니다",
    "합니까",
    "했었던",
    "했었다",
    "했더니",
    "했던",
    "했다가",
    "했다",
    "했어요",
    "했나요",
    "했나",
    "했니",
    "했지",
    "했지요",
    "했죠",
    "했는가",
    "했는가요",
    "했는지요",
    "했던가",
    "했던가요",
    "했던지",
    "했을까",
    "했을까요",
    "했을지",
    "했대",
    "했대요",
    "했더라",
    "했더라고",
    "했더라고요",
    "했네요",
    "했는데요",
    "했군요",
    "했거든요",
    "했잖아",
    "했잖아요",
    "했어",
    "했고",
    "했는데",
    "했는지",
    "했지만",
    "했으며",
    "했을",
    "하는데",
    "하는지",
    "하는",
    "하다가",
    "하다",
    "하며",
    "하면서",
    "하면",
    "하려고",
    "하려면",
    "하려",
    "하지만",
    "하지",
    "하지요",
    "하죠",
    "하나요",
    "하는가",
    "하는가요",
    "하는지요",
    "하는데요",
    "하던가",
    "하던가요",
    "하던데",
    "하네요",
    "하려나",
    "하려나요",
    "하래",
    "하래요",
    "하시나요",
    "하셨나요",
    "하셨어요",
    "할까",
    "할까요",
    "할지요",
    "할래",
    "할래요",
    "할게요",
    "한가요",
    "한데요",
    "한대",
    "한대요",
    "한지요",
    "합디까",
    "했습니까",
    "하겠습니까",
    "하겠죠",
    "하잖아",
    "하잖아요",
    "하게",
    "하기가",
    "하기를",
    "하기에",
    "하기로",
    "하기",
    "하자",
    "하던",
    "하여",
    "하네",
    "하니",
    "하세요",
    "하십시오",
    "할지",
    "할게",
    "할",
    "함",
    "함을",
    "함은",
    "해서",
    "해야",
    "해요",
    "해도",
    "해주세요",
    "해줘",
    "해라",
    "해",
    "한다면",
    "한다고",
    "한다는",
    "한다",
    "한지",
    "한데",
    "한",
    "했",
    "되었습니다",
    "되었던",
    "되었다",
    "됐습니다",
    "됐던",
    "됐다",
    "됐어요",
    "됐어",
    "됐는데",
    "됐는지",
    "되는데",
    "되는지",
    "되는",
    "되면서",
    "되면",
    "되지",
    "되지요",
    "되죠",
    "되나요",
    "되나",
    "되는가",
    "되는가요",
    "되는지요",
    "되는데요",
    "되던가요",
    "되네요",
    "되려나",
    "되려나요",
    "될까",
    "될까요",
    "될지",
    "될지요",
    "된대",
    "된대요",
    "된지",
    "됩니까",
    "됐나",
    "됐나요",
    "됐니",
    "됐지",
    "됐지요",
    "됐죠",
    "됐는가",
    "됐는가요",
    "됐는지요",
    "됐던가",
    "됐던가요",
    "됐을까",
    "됐을까요",
    "됐대",
    "됐대요",
    "됐더라",
    "됐네요",
    "됐군요",
    "됐습니까",
    "되었나",
    "되었나요",
    "되었는가",
    "되었는지",
    "되었을까",
    "되었을까요",
    "되었지",
    "되었지요",
    "되었죠",
    "되었습니까",
    "되게",
    "되도록",
    "되기",
    "되고",
    "되어",
    "되던",
    "되다",
    "됩니다",
    "된다",
    "된",
    "될",
    "됨",
    "돼서",
    "돼요",
    "돼야",
    "돼",
    "시켰습니다",
    "시켰다",
    "시켰던",
    "시키는",
    "시키고",
    "시키면",
    "시키기",
    "시킨",
    "시킬",
    "시켜",
    "시킵니다",
    "당했다",
    "당한",
    "스럽게",
    "스러운",
    "적으로",
    "적인",
];

/// One-syllable particles. They are taken off only where two syllables stay.
const SHORT: &[&str] = &[
    "은", "는", "이", "가", "을", "를", "의", "에", "와", "과", "로", "도", "만", "나", "랑", "들",
];

/// Endings of other verbs and of adjectives. One syllable may stay.
const VERB: &[&str] = &[
    "었습니다",
    "았습니다",
    "였습니다",
    "겠습니다",
    "습니다",
    "었던",
    "았던",
    "었다가",
    "았다가",
    "었다",
    "았다",
    "였다",
    "었어요",
    "았어요",
    "었는데",
    "았는데",
    "었는지",
    "았는지",
    "었지만",
    "았지만",
    "는데",
    "는지",
    "는다",
    "은데",
    "은지",
    "으면",
    "으니",
    "으려고",
    "으려면",
    "면서",
    "려고",
    "려면",
    "거나",
    "더니",
    "던데",
    "던",
    "지만",
    "지가",
    "지도",
    "지는",
    "지를",
    "기가",
    "기를",
    "기에",
    "기로",
    "기는",
    "기도",
    "네요",
    "어요",
    "아요",
    "어서",
    "아서",
    "어야",
    "아야",
    "어도",
    "아도",
    "어진",
    "아진",
    "어지는",
    "아지는",
    "어졌",
    "아졌",
    "니까",
    "니다",
    // Questions, and what is told or wondered at; polite and not.
    "나요",
    "는가",
    "는가요",
    "은가",
    "은가요",
    "던가",
    "던가요",
    "던지",
    "을까",
    "을까요",
    "는지요",
    "은지요",
    "을지",
    "을지요",
    "지요",
    "죠",
    "는데요",
    "은데요",
    "던데요",
    "거든요",
    "잖아",
    "잖아요",
    "대요",
    "래요",
    "으래요",
    "을래요",
    "더라",
    "더라고",
    "더라고요",
    "더라구요",
    "다면서요",
    "다고요",
    "냐고요",
    "느냐",
    "느냐고",
    "려나",
    "려나요",
    "으려나요",
    "군요",
    "는군요",
    "습니까",
    "었습니까",
    "았습니까",
    "였습니까",
    "겠습니까",
    "었나요",
    "았나요",
    "였나요",
    "었나",
    "았나",
    "였나",
    "었는가",
    "았는가",
    "였는가",
    "였는지",
    "였는데",
    "였던",
    "었던가요",
    "았던가요",
    "였던가요",
    "었을까요",
    "았을까요",
    "였을까요",
    "었을까",
    "았을까",
    "였을까",
    "었지요",
    "았지요",
    "였지요",
    "었죠",
    "았죠",
    "였죠",
    "었지",
    "았지",
    "였지",
    "었대요",
    "았대요",
    "였대요",
    "었더라",
    "았더라",
    "였더라",
    "었네요",
    "았네요",
    "였네요",
    "였어요",
    "더군요",
];

/// Nouns that end like a particle.
const NOUNS: &[&str] = &[
    "시도",
    "속도",
    "온도",
    "정도",
    "지도",
    "용도",
    "의도",
    "제도",
    "각도",
    "밀도",
    "빈도",
    "순도",
    "한도",
    "강도",
    "농도",
    "난이도",
    "신뢰도",
    "완성도",
    "정확도",
    "만족도",
    "중요도",
    "복잡도",
    "해상도",
    "결과",
    "효과",
    "통과",
    "초과",
    "성과",
    "사과",
    "경과",
    "부과",
    "경로",
    "도로",
    "세로",
    "가로",
    "바로",
    "서로",
    "새로",
    "별로",
    "평가",
    "추가",
    "국가",
    "증가",
    "휴가",
    "참가",
    "허가",
    "인가",
    "원가",
    "단가",
    "정가",
    "물가",
    "시가",
    "저가",
    "전문가",
    "작가",
    "회의",
    "주의",
    "정의",
    "동의",
    "합의",
    "문의",
    "논의",
    "강의",
    "협의",
    "유의",
    "차이",
    "추이",
    "높이",
    "길이",
    "넓이",
    "깊이",
    "아이",
    "사이",
    "나이",
    "놀이",
    "종이",
    "어린이",
    "고양이",
    "레이",
    "페이",
    "플레이",
    "디스플레이",
    "아이디어",
    "하나",
    "누나",
    "언니",
    "거나",
    "만나",
    "비로소",
    "제로",
    "유로",
    "마이크로",
    "매크로",
    "히어로",
    "프로",
    "메모리",
    "드라이",
    "와이파이",
    "파이",
    "바이",
    "사이",
    "라인",
    "디자인",
    "도메인",
    "메인",
    "체인",
    "로그인",
    "플러그인",
    "온라인",
    "오프라인",
    "확인",
    "승인",
    "원인",
    "할인",
    "개인",
    "본인",
    "주인",
    "방해",
    "이해",
    "오해",
    "피해",
    "손해",
    "제한",
    "권한",
    "기한",
    "무한",
    "북한",
    "남한",
    "역할",
    "분할",
    "관할",
    "포함",
    "결함",
    "함",
    "보관함",
    "수신함",
    "우편함",
    "쓰레기",
    "크기",
    "읽기",
    "쓰기",
    "보기",
    "찾기",
    "쿠폰은행",
    "은행",
    "마을",
    "가을",
    "노을",
    "비디오",
    "라디오",
    "스튜디오",
];

/// The stem of a folded word of Hangul. Never empty for a word that is not.
pub(crate) fn stem(word: &str) -> &str {
    let mut stem = word;
    // Two rounds: an ending, then what stood before it (`배포들에서는`).
    for _ in 0..2 {
        let next = once(stem);
        if next.len() == stem.len() {
            break;
        }
        stem = next;
    }
    stem
}

fn once(word: &str) -> &str {
    let Some(last) = word.chars().next_back() else {
        return word;
    };
    let endings = ENDINGS
        .get(bucket(last))
        .map(Vec::as_slice)
        .unwrap_or_default();
    if endings.is_empty() {
        return word;
    }
    let count = word.chars().count();
    if count < 2 {
        return word;
    }
    // The longest ending of each kind that leaves enough.
    let mut noun_or_verb: Option<usize> = None;
    let mut clear_verb: Option<usize> = None;
    let mut clear_noun: Option<usize> = None;
    let mut short: Option<usize> = None;
    for ending in endings {
        if !word.ends_with(ending.text) {
            continue;
        }
        let length = ending.text.len();
        let leaves = |stay: usize| count >= ending.syllables + stay;
        match ending.of {
            // `삭제한` is no `제한`: one syllable before a noun that ends as the forms of `하다` do
            // makes another word.
            Of::Noun
                if count == ending.syllables + 1 && matches!(last, '한' | '할' | '함' | '해') =>
                {}
            Of::Noun => return word,
            Of::Long | Of::Verb => {
                if leaves(2) {
                    noun_or_verb = noun_or_verb.max(Some(length));
                }
                if leaves(1) && length >= 6 {
                    let clear = if ending.of == Of::Verb {
                        &mut clear_verb
                    } else {
                        &mut clear_noun
                    };
                    *clear = (*clear).max(Some(length));
                }
            }
            Of::Short => {
                if leaves(2) {
                    short = short.max(Some(length));
                }
            }
        }
    }
    // What stays of a verb may be one syllable only where the ending says clearly that it is one.
    let cut = noun_or_verb
        .or(clear_verb)
        .or(clear_noun)
        .or(short)
        // `값을`: these two follow a noun and nothing else. `작죠`: nor is this another word's end.
        .or_else(|| (count == 2 && matches!(last, '을' | '를' | '죠')).then_some(last.len_utf8()))
        .or_else(|| (count >= 3 && ends_the_past(word, last)).then_some(last.len_utf8()));
    match cut {
        Some(cut) => word.get(..word.len() - cut).unwrap_or(word),
        None => word,
    }
}

/// Whether a word's last syllable is an ending behind the past: `고쳤지`, `열렸어`.
fn ends_the_past(word: &str, last: char) -> bool {
    const DOUBLE_S: u32 = 20;
    let before = word.chars().rev().nth(1).map(u32::from);
    let past = before
        .is_some_and(|code| (0xac00..=0xd7a3).contains(&code) && (code - 0xac00) % 28 == DOUBLE_S);
    past && "지어니나네대던고다냐죠음을는".contains(last)
}

/// What an ending belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Noun,
    Long,
    Verb,
    Short,
}

#[derive(Debug, Clone, Copy)]
struct Ending {
    text: &'static str,
    syllables: usize,
    of: Of,
}

/// Buckets of [`ENDINGS`].
const BUCKETS: usize = 512;

/// All endings by their last syllable: most words end with none of them.
static ENDINGS: LazyLock<Vec<Vec<Ending>>> = LazyLock::new(|| {
    let mut all = vec![Vec::new(); BUCKETS];
    for (of, texts) in [
        (Of::Noun, NOUNS),
        (Of::Long, LONG),
        (Of::Verb, VERB),
        (Of::Short, SHORT),
    ] {
        for text in texts {
            let ending = Ending {
                text,
                syllables: text.chars().count(),
                of,
            };
            // A noun of one syllable would be every word's end.
            if of == Of::Noun && ending.syllables < 2 {
                continue;
            }
            if let Some(bucket) = text
                .chars()
                .next_back()
                .and_then(|c| all.get_mut(bucket(c)))
            {
                bucket.push(ending);
            }
        }
    }
    all
});

/// Where the endings with this last syllable are.
fn bucket(last: char) -> usize {
    u32::from(last) as usize * 37 % BUCKETS
}

/// The letters (conjoining jamo) of a text, for distances: a syllable is up to three of them.
pub fn letters(text: &str, out: &mut Vec<char>) {
    for c in text.chars() {
        let code = u32::from(c);
        if (0xac00..=0xd7a3).contains(&code) {
            let index = code - 0xac00;
            let part = |base: u32, n: u32| char::from_u32(base + n).unwrap_or(c);
            out.push(part(0x1100, index / 588));
            out.push(part(0x1161, index % 588 / 28));
            if index % 28 != 0 {
                out.push(final_as_initial(index % 28));
            }
        } else {
            out.push(c);
        }
    }
}

/// A final consonant as the initial of the same sound: `훜` and `훅` differ in one letter, and a
/// consonant that moved to the next syllable stays the same letter.
fn final_as_initial(index: u32) -> char {
    const INITIAL: [u32; 28] = [
        0, 0, 1, 100, 2, 101, 102, 3, 5, 103, 104, 105, 106, 107, 108, 109, 6, 7, 110, 9, 10, 11,
        12, 14, 15, 16, 17, 18,
    ];
    let initial = usize::try_from(index)
        .ok()
        .and_then(|index| INITIAL.get(index))
        .copied()
        .unwrap_or(0);
    char::from_u32(0x1100 + initial).unwrap_or('\u{1100}')
}
