//! Words that say nothing about what a text is about.

use crate::quick::QuickSet;
use std::sync::OnceLock;

/// English and German, as they stand and as stems.
const LATIN: &str = " a an the and or but if of in on at to for from by with without about into over under after before \
 is are was were be been being am do does did done doing has have had having can could will would shall should may might must \
 i you he she it we they me him her us them my your his its our their this that these those there here what which who whom \
 when where why how not no nor so than then too very just also only own same such both each few more most other some any all \
 up down out off again once as until while because during between let get got gets make made one ones us im ive dont doesnt didnt isnt \
 wasnt cant wont please know say said want thing things something anything way really still yet ago \
 der die das den dem des ein eine einer eines einem einen und oder aber wenn von im in am an auf zu zum zur fur mit ohne bei nach \
 vor uber unter aus bis durch um ist sind war waren sein bin bist wird werden wurde wurden worden hat haben hatte hatten kann konnen \
 konnte soll sollen sollte muss mussen musste darf ich du er sie es wir ihr mich dich sich uns euch mein dein unser dieser diese \
 dieses jener was welche welcher welches wer wen wem wann wo warum wie nicht kein keine keinen nichts so als auch nur noch schon mal \
 immer wieder da hier dort dann denn doch weil dass ob mehr sehr man jemand alle alles wahrend beim seit sowie etwa sogar gibt haben wegen ihm ihn ihnen vom beim s per pro ";

/// Korean and Chinese.
const OTHERS: &str = " 여러 번 이 그 저 것 거 게 수 등 및 또 또는 그리고 그런데 하지만 그래서 때 때문 때문에 위해 위한 대한 대해 관련 어떤 어떻게 무엇 무슨 뭐 뭐가 뭐를 \
 왜 언제 어디 누가 누구 우리 내가 나는 너는 저는 제가 좀 더 잘 안 못 다 다시 있는 있다 있던 있었 있었던 있어 있나 없는 없다 없이 같은 같이 하는 했던 하고 해서 \
 하다 한 할 함 된 되는 되다 되면 된다 하면 이런 저런 그런 이렇게 그렇게 정도 경우 동안 후 전 중 뒤 에 에서 으로 로 을 를 은 는 의 와 과 도 만 가 했지 했더라 했는지 \
 했었지 알려줘 보여줘 찾아줘 나서 싶어 주세요 줘 뭘 뭐라고 무얼 뭐였지 뭐였더라 뭐더라 무엇을 무엇이 무엇으로 하기로 했나 했었나 됐지 됐나 \
 했어 했어요 했나요 했니 했지요 했죠 했는가 했는가요 했던가 했던가요 했을까 했을까요 했는지요 했습니까 했더라고요 했었나요 했었죠 했대 했대요 \
 하나요 하죠 하지요 할까 할까요 하는지 하는지요 하는가 하는가요 합니까 됐어 됐어요 됐나요 됐니 됐죠 됐지요 됐더라 됐는지 됐을까 됐을까요 됐습니까 \
 되나요 되죠 되지요 될까 될까요 되는지 됩니까 있나요 있죠 있지 있지요 있니 있을까 있을까요 있는지 있는지요 있었지 있었나 있었나요 있었죠 있습니까 \
 없나 없나요 없죠 없을까 없을까요 뭐지 뭐죠 뭐지요 뭐예요 뭔가요 뭔지 뭐였죠 뭐였지요 뭐였나요 뭐였나 뭘로 뭐로 무엇인가요 무엇인지 무엇이죠 무엇이지 무엇이었지 무엇이었나요 \
 알려주세요 알려주실래요 보여주세요 찾아주세요 싶어요 싶은데요 的 了 在 是 我 我们 你 他 和 与 也 都 就 不 没有 什么 怎么 如何 为什么 哪个 这个 那个 一个 ";

/// Whether a folded word or stem is one.
pub fn is_stopword(word: &str) -> bool {
    static LATIN_WORDS: OnceLock<QuickSet<&str>> = OnceLock::new();
    static OTHER_WORDS: OnceLock<QuickSet<&str>> = OnceLock::new();
    let latin = word.starts_with(|c: char| c.is_ascii()) || word.starts_with(['ü', 'ö', 'ä']);
    let table = if latin {
        LATIN_WORDS.get_or_init(|| LATIN.split_whitespace().collect())
    } else {
        OTHER_WORDS.get_or_init(|| OTHERS.split_whitespace().collect())
    };
    table.contains(crate::plain(word).as_ref())
}

/// Words that join others, point at something or stand for it, beside the stopwords: a query's only,
/// since some of them are worth a look in a text.
const JOINING: &str = " although though whether however therefore anybody anyone somebody someone nobody everybody everyone everything hardly almost \
 quite rather another every either neither nor else itself himself myself ourselves themselves yourself upon among amongst whose thus hence \
 instead somehow somewhere anyway lets theres thats whats were youre theyre weve ive id ill wouldnt couldnt shouldnt hasnt havent \
 machen macht mache machte machten gemacht tun tut getan lassen lasst liess geht ging kommt kam gegen wegen trotz zwischen obwohl damit dabei dazu davon \
 worauf wofur woran womit wozu wodurch wovon daran darauf daraus dafur dadurch daruber darum deshalb deswegen trotzdem jedoch jede jeder jedes jeden jedem viele vielen etwas irgendwie irgendwo \
 eigentlich bisschen gar zwar eben halt bzw usw unsere unserem unseren unserer unseres eure deren dessen denen welchem welchen einige einiger mehrere \
 jetzt damals eher kaum selber selbst andere anderen anderer anderes jemanden jemandem niemand irgendein irgendeine sobald solange falls \
 하던 되던 있던 나는 모든 어느 아무 누군가 아무도 아무것도 매우 너무 아주 정말 진짜 이미 벌써 그냥 혹시 별로 만큼 대로 처럼 마다 것을 것이 것은 건 걸 듯 하게 하지 해야 되게 \
 없게 없던 못하는 못한 못해 않는 않은 않게 않고 않던 않아 말고 위해서 대해서 때마다 때까지 뒤에 전에 후에 동안에 사이에 중에 ";

/// Whether a folded word only joins others or stands for them.
pub fn only_joins(word: &str) -> bool {
    static TABLE: OnceLock<QuickSet<&str>> = OnceLock::new();
    TABLE
        .get_or_init(|| JOINING.split_whitespace().collect())
        .contains(crate::plain(word).as_ref())
}

/// Words of questions about a record, and of any trouble: they say how is asked, and next to
/// nothing about what.
const ASKING: &str = " decide decided decision decisions discuss discussed talked agreed happened problem problems issue issues trouble use used using \
 entschieden entscheiden entscheidung besprochen vereinbart problem probleme passiert benutzen benutzt verwenden verwendet nutzen 결정 결정한 결정했 결정했지 정했지 정한 정했 논의 논의한 얘기 이야기 얘기한 말한 \
 문제 문제가 일 사건 쓰지 쓰는 썼지 썼나 쓰나 사용한 사용하는 사용했지 决定 讨论 问题 说过 使用 ";

/// Whether a folded word or stem is one that a question holds in any case (`decide`, `problem`).
pub fn only_asks(word: &str) -> bool {
    static TABLE: OnceLock<QuickSet<&str>> = OnceLock::new();
    TABLE
        .get_or_init(|| ASKING.split_whitespace().collect())
        .contains(crate::plain(word).as_ref())
}
