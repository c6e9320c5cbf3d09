//! Chinese queries: what in a run of characters asks, and what is asked for.

use words::Script;

/// Words that ask, point or join; they are no part of what is looked for. Longer ones first.
const FUNCTION: [&str; 68] = [
    "可不可以",
    "什么时候",
    "为什么",
    "怎么样",
    "怎么办",
    "是不是",
    "有没有",
    "能不能",
    "要不要",
    "该不该",
    "哪一个",
    "怎么",
    "怎样",
    "如何",
    "为何",
    "什么",
    "哪里",
    "哪儿",
    "哪个",
    "哪些",
    "哪种",
    "哪次",
    "多少",
    "多久",
    "多远",
    "多长",
    "多大",
    "多高",
    "多快",
    "几点",
    "几次",
    "这么",
    "那么",
    "是否",
    "我们",
    "你们",
    "他们",
    "咱们",
    "大家",
    "那个",
    "这个",
    "那些",
    "这些",
    "那次",
    "这次",
    "上次",
    "或者",
    "以及",
    "还是",
    "关于",
    "对于",
    "因为",
    "所以",
    "当时",
    "之前",
    "以前",
    "之后",
    "以后",
    "一下",
    "一些",
    "请问",
    "应该",
    "可以",
    "已经",
    "曾经",
    "最后",
    "是",
    "的",
];
/// The same of single characters, where they do not begin or end one of these words.
const SINGLE: [(char, &str, &str); 7] = [
    ('了', "为除", "解"),
    ('我', "自", ""),
    ('你', "", ""),
    ('在', "存现正内潜", "线于"),
    ('被', "", "动"),
    ('把', "", "握手"),
    ('谁', "", ""),
];
/// At the end of a question.
const LAST: [char; 6] = ['呢', '吗', '吧', '啊', '呀', '嘛'];
/// Characters that say nothing where they are left alone.
const LIGHT: &str =
    "要做用会能有没让给对从到就都也还又再很说讲想去来和与及或等里时个次哪几该该怎吗呢了过着";
/// The same right behind a word that asks, where a verb follows.
const HELPING: [char; 6] = ['要', '会', '能', '该', '想', '就'];

/// The two characters of a pair that a run was cut into.
pub(crate) fn pair(text: &str) -> Option<(char, char)> {
    let mut letters = text.chars();
    let (first, second) = (letters.next()?, letters.next()?);
    let han = |c| words::script(c) == Script::Han;
    (letters.next().is_none() && han(first) && han(second)).then_some((first, second))
}

/// The run that pairs were cut from (`优惠` `惠券` is `优惠券`).
pub(crate) fn run_of(pairs: &[&str]) -> Option<String> {
    let mut run = String::new();
    for text in pairs {
        let (first, second) = pair(text)?;
        match run.chars().next_back() {
            None => run.push(first),
            Some(last) if last == first => {}
            Some(_) => return None,
        }
        run.push(second);
    }
    Some(run)
}

/// A query with spaces for what only asks. As it is, where nothing else is left.
pub(crate) fn cut(query: &str) -> String {
    let mut out = String::with_capacity(query.len());
    let mut run = String::new();
    for c in query.chars().chain(['\n']) {
        if words::script(c) == Script::Han {
            run.push(c);
            continue;
        }
        out.push_str(&cut_run(&run));
        run.clear();
        out.push(c);
    }
    out.pop();
    if out.chars().any(char::is_alphanumeric) {
        out
    } else {
        query.to_owned()
    }
}

/// Whether the Chinese of a question only asks what was done at all (`我们做了什么`).
pub(crate) fn asks_nothing(query: &str) -> bool {
    const DONE: [&str; 16] = [
        "进展", "进行", "发生", "讨论", "完成", "工作", "事情", "对话", "内容", "总结", "聊", "谈",
        "干", "弄", "事", "件",
    ];
    query
        .split(|c| words::script(c) != Script::Han)
        .map(cut_run)
        .all(|run| {
            let mut rest = run.as_str();
            while let Some(c) = rest.chars().next() {
                let done = DONE.iter().find(|done| rest.starts_with(**done));
                let length = match done {
                    Some(done) => done.len(),
                    None if c == ' ' || LIGHT.contains(c) || c == '些' => c.len_utf8(),
                    None => return false,
                };
                rest = rest.get(length..).unwrap_or_default();
            }
            true
        })
}

fn cut_run(run: &str) -> String {
    let mut out = String::with_capacity(run.len());
    let mut at = 0;
    // Whether a word that asks stands right before.
    let mut asked = false;
    while let Some(rest) = run.get(at..).filter(|rest| !rest.is_empty()) {
        let before = run.get(..at).and_then(|before| before.chars().next_back());
        let word = FUNCTION
            .iter()
            .find(|word| rest.starts_with(**word) && !within(word, before, rest));
        let Some(c) = rest.chars().next() else { break };
        let next = rest.chars().nth(1);
        let single = SINGLE.iter().any(|(single, not_behind, not_before)| {
            *single == c
                && !before.is_some_and(|c| not_behind.contains(c))
                && !next.is_some_and(|c| not_before.contains(c))
        });
        let cut = match word {
            Some(word) => word.len(),
            None if single
                || asked && HELPING.contains(&c) && next != Some('求')
                || LAST.contains(&c) && next.is_none() =>
            {
                c.len_utf8()
            }
            None => 0,
        };
        asked = cut > 0;
        if cut > 0 {
            out.push(' ');
            at += cut;
        } else {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out.split(' ')
        .filter(|part| {
            let mut letters = part.chars();
            let alone = letters.next().filter(|_| letters.next().is_none());
            !alone.is_some_and(|c| LIGHT.contains(c))
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a word of one character is a part of another (`目的`, `的确`).
fn within(word: &str, before: Option<char>, rest: &str) -> bool {
    let next = || rest.chars().nth(1);
    word == "的" && (before == Some('目') || matches!(next(), Some('确' | '士')))
}

/// Which pairs only join two others (`据库` `库备` `备份`): they need not occur.
pub(crate) fn seams<'a>(typed: impl Iterator<Item = &'a str>, found: &[bool]) -> Vec<bool> {
    let pairs: Vec<Option<(char, char)>> = typed.map(pair).collect();
    let occurs = |at: usize| found.get(at).copied().unwrap_or(false);
    (0..pairs.len())
        .map(|at| {
            let here = pairs.get(at).copied().flatten();
            let before = at
                .checked_sub(1)
                .and_then(|at| pairs.get(at).copied().flatten().filter(|_| occurs(at)));
            let after = pairs
                .get(at + 1)
                .copied()
                .flatten()
                .filter(|_| occurs(at + 1));
            match (before, here, after) {
                (Some((_, a)), Some((b, c)), Some((d, _))) => !occurs(at) && a == b && c == d,
                _ => false,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_is_cut_off() {
        for (query, left) in [
            ("数据库备份怎么做", "数据库备份"),
            ("我们为什么要选鸿蒙系统呢", "选鸿蒙系统"),
            ("部署的失败原因", "部署 失败原因"),
            ("目的", "目的"),
            ("什么", "什么"),
            ("怎么用 Redis", " Redis"),
            ("backup only", "backup only"),
        ] {
            assert_eq!(cut(query).trim(), left.trim(), "{query}");
        }
    }

    #[test]
    fn pairs_are_put_together_again() {
        assert_eq!(run_of(&["优惠", "惠券"]).as_deref(), Some("优惠券"));
        assert_eq!(run_of(&["优惠", "部署"]), None);
        assert_eq!(run_of(&["x", "部署"]), None);
    }

    #[test]
    fn pairs_that_only_join_others_are_seams() {
        let pairs = ["数据", "据库", "库备", "备份", "x"];
        assert_eq!(
            seams(pairs.into_iter(), &[true, true, false, true, false]),
            [false, false, true, false, false]
        );
        assert_eq!(
            seams(pairs.into_iter(), &[true, true, false, false, false]),
            [false; 5]
        );
    }
}
