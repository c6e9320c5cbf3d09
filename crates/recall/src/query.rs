//! What a query asks for: words with what may stand for them, phrases, tags, days.

use crate::judge::Form;
use crate::{dates, decision};
use chrono::NaiveDate;
use words::{Kind, Lexicon, Member, Sense};

/// Weight of a synonym against the word itself.
const CLOSE: f32 = 0.62;
/// Weight of a word that is only near.
const NEAR: f32 = 0.38;
/// How much a synonym loses where the word has several meanings.
const AMBIGUOUS: f32 = 0.35;
/// What counts less is not looked for.
const LEAST_WEIGHT: f32 = 0.12;
/// Weight of a word that says how is asked, and next to nothing about what.
pub(crate) const ASKS: f32 = 0.3;
/// Weight of a word that only asks for a decision.
const DECIDES: f32 = 0.1;
/// Most words of a query that count.
pub(crate) const MOST_GROUPS: usize = 48;
/// Most words that may stand for one.
const MOST_SYNONYMS: usize = 32;

/// One word of the query.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    /// As typed, folded.
    pub(crate) word: String,
    /// With a particle that stands apart from it: what is meant by both (`rolled out`).
    pub(crate) with: Option<String>,
    /// As typed.
    pub(crate) typed: String,
    /// As typed, with the signs that belong to it (`C++`).
    pub(crate) shown: String,
    /// Whether the lexicon holds it: an ordinary word, not a name.
    pub(crate) known: bool,
    /// The lexicon holds its parts only.
    pub(crate) compound: bool,
    /// What it means: a thing, or what is done and how.
    pub(crate) sense: Sense,
    /// It looks like a name: if it occurs nowhere, what is asked for is probably not there.
    pub(crate) name: bool,
    /// How much it counts; words that were typed as parts of one thing share it.
    pub(crate) weight: f32,
}

impl Group {
    /// Whether signs belong to it, so that it is not the word of its letters.
    fn is_signed(&self) -> bool {
        self.shown != self.typed
    }
}

/// A word to look for in texts, and which words of the query it stands for.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) groups: Vec<u8>,
    pub(crate) weight: f32,
    pub(crate) form: Form,
    /// The query's own word (not a synonym).
    pub(crate) own: bool,
    /// Slips are forgiven.
    pub(crate) fuzzy: bool,
    /// Of a compound: which of its parts it stands for, from 1. The parts of one are added up.
    pub(crate) piece: u8,
}

/// Most parts of a compound that are told apart.
pub(crate) const PIECES: usize = 4;

/// A query, taken apart.
#[derive(Debug, Clone, Default)]
pub(crate) struct Query {
    pub(crate) groups: Vec<Group>,
    pub(crate) targets: Vec<Target>,
    /// In quotation marks: must occur, white space and case aside. Folded.
    pub(crate) phrases: Vec<String>,
    /// Names that signs belong to (`c#`, `c++`, `.net`), folded.
    pub(crate) signed: Vec<String>,
    /// `#tag`, folded, without the sign.
    pub(crate) tags: Vec<String>,
    /// The expression that was taken for a time, and its days.
    pub(crate) time: Option<(String, dates::Span)>,
    /// What is left without time, folded, one space between words: for exact hits.
    pub(crate) literal: String,
    /// Whether a decision is asked for, beside what it is about.
    pub(crate) decision: bool,
    /// Whether a word is German: capitals make no names then.
    german: bool,
    /// Whether the first word that counts is the first of all.
    opens: bool,
}

impl Target {
    /// Whether the same words of a text stand for both, and as well.
    pub(crate) fn finds_as(&self, other: &Self) -> bool {
        self.own == other.own && self.fuzzy == other.fuzzy && self.form == other.form
    }
}

impl Query {
    /// Takes a query apart. `exact`: the words as typed and nothing for them.
    pub(crate) fn parse(text: &str, today: NaiveDate, lexicon: &Lexicon, exact: bool) -> Self {
        let mut query = Self::default();
        let mut rest = text.to_owned();
        // What is quoted is no date.
        query.take_phrases(&mut rest);
        if !exact && let Some(found) = dates::find(&rest, today) {
            let named = rest
                .get(found.range.clone())
                .unwrap_or_default()
                .trim()
                .to_owned();
            rest.replace_range(found.range, " ");
            query.time = Some((named, found.span));
        }
        query.take_tags(&mut rest);
        query.literal = collapse(&words::fold(&rest));
        if exact {
            for word in rest.split_whitespace() {
                query.add_literal(word);
            }
            for phrase in query.phrases.clone() {
                query.add_literal(&phrase);
            }
            return query;
        }
        query.signed = rest.split_whitespace().filter_map(signed).collect();
        let rest = crate::chinese::cut(&rest);
        let tags = query.tags.join(" ");
        let phrases = query.phrases.join(" ");
        for part in [rest.as_str(), &phrases, &tags] {
            query.add_words(part, lexicon);
        }
        if query.groups.is_empty() {
            // Nothing but stopwords: they are what is asked for.
            for token in words::tokens(&rest) {
                if token.kind != Kind::Symbol && token.kind != Kind::Part {
                    query.add_group(token.text, &token.folded());
                }
            }
        }
        query.decision |= decision::asked_in(&query.literal);
        query.leave_deciding();
        query.show_signs(&rest);
        query.add_synonyms(lexicon);
        query
    }

    /// Whether nothing is asked for but what was done at all: the days are all that it says.
    pub(crate) fn is_days_only(&self) -> bool {
        let bare = self.phrases.is_empty() && self.tags.is_empty();
        bare && crate::lately::asks_nothing(&self.literal)
    }

    /// Words that only ask for a decision count next to nothing beside what it is about: whether a
    /// text holds one is seen by what it says.
    fn leave_deciding(&mut self) {
        let decides = |group: &Group| {
            decision::asked_by(&group.word)
                || decision::asked_by(&words::stem(&group.word))
                || decision::chosen(&group.word)
        };
        // `쓰기로 했지`: what was done need not be said by the same verb.
        if self.decision {
            let meant = |group: &&mut Group| group.word.ends_with("기로");
            for group in self.groups.iter_mut().filter(meant) {
                group.weight = group.weight.min(ASKS);
            }
        }
        let about = |group: &Group| !decides(group) && group.weight >= 0.4;
        if self.decision && self.groups.iter().any(about) {
            for group in self.groups.iter_mut().filter(|group| decides(group)) {
                group.weight = DECIDES;
            }
        }
    }

    /// Names that signs belong to are shown with them.
    fn show_signs(&mut self, text: &str) {
        for word in text.split_whitespace() {
            let Some(name) = signed(word) else { continue };
            let letters = name.trim_matches(['.', '#', '+']);
            let group = self.groups.iter_mut().find(|group| group.word == letters);
            if let Some(group) = group {
                bare(word).clone_into(&mut group.shown);
            }
        }
    }

    /// A name stands nowhere with its signs (folded): what has its letters only is something else.
    pub(crate) fn leave_unsigned(&mut self, name: &str) {
        let mine = |group: &Group| group.is_signed() && *words::fold(&group.shown) == *name;
        let Some(at) = self.groups.iter().position(mine) else {
            return;
        };
        if let Some(target) = self.targets.get_mut(at) {
            target.form = Form::default();
        }
    }

    /// Words as they were typed. Pairs of Chinese characters are put together to what they were cut
    /// from, as far as none of the others covers it.
    pub(crate) fn as_typed(&self, groups: &[usize]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut at = 0;
        while let Some(group) = self.groups.get(at) {
            let Some(mut last) = crate::chinese::pair(&group.typed).map(|(_, last)| last) else {
                if groups.contains(&at) {
                    out.push(group.shown.clone());
                }
                at += 1;
                continue;
            };
            // The run, and what of it occurs.
            let found = !groups.contains(&at);
            let mut letters: Vec<(char, bool)> = group.typed.chars().map(|c| (c, found)).collect();
            at += 1;
            while let Some((first, second)) = self
                .groups
                .get(at)
                .and_then(|group| crate::chinese::pair(&group.typed))
                && first == last
            {
                let found = !groups.contains(&at);
                if let Some((_, covered)) = letters.last_mut() {
                    *covered |= found;
                }
                letters.push((second, found));
                last = second;
                at += 1;
            }
            for part in letters.split(|(_, covered)| *covered) {
                if part.len() > 1 {
                    out.push(part.iter().map(|(c, _)| c).collect());
                }
            }
        }
        out
    }

    fn take_phrases(&mut self, rest: &mut String) {
        for (open, close) in [('"', '"'), ('“', '”'), ('„', '“'), ('「', '」')] {
            while let Some(start) = rest.find(open) {
                let after = start + open.len_utf8();
                let Some(length) = rest.get(after..).and_then(|tail| tail.find(close)) else {
                    break;
                };
                let phrase = collapse(&words::fold(
                    rest.get(after..after + length).unwrap_or_default(),
                ));
                rest.replace_range(start..after + length + close.len_utf8(), " ");
                if !phrase.is_empty() {
                    self.phrases.push(phrase);
                }
            }
        }
    }

    fn take_tags(&mut self, rest: &mut String) {
        let mut kept = String::with_capacity(rest.len());
        for word in rest.split_inclusive(char::is_whitespace) {
            match word.trim().strip_prefix('#') {
                Some(tag) if tag.chars().next().is_some_and(char::is_alphabetic) => {
                    self.tags.push(words::fold(tag).into_owned());
                    kept.push(' ');
                }
                _ => kept.push_str(word),
            }
        }
        *rest = kept;
    }

    /// Everything that stands between two spaces, as one.
    fn add_literal(&mut self, word: &str) {
        let Ok(group) = u8::try_from(self.groups.len()) else {
            return;
        };
        if word.is_empty() || self.groups.len() >= MOST_GROUPS {
            return;
        }
        let folded = words::fold(word).into_owned();
        self.groups.push(Group {
            word: folded,
            with: None,
            typed: word.to_owned(),
            shown: word.to_owned(),
            known: false,
            compound: false,
            name: false,
            sense: Sense::Thing,
            weight: 1.0,
        });
        self.targets.push(Target {
            groups: vec![group],
            weight: 1.0,
            form: Form::literal(word),
            own: true,
            fuzzy: false,
            piece: 0,
        });
    }

    fn add_words(&mut self, text: &str, lexicon: &Lexicon) {
        // Tokens since the last word that is looked for.
        let mut since = 0;
        self.german |= text.split(|c: char| !c.is_alphanumeric()).any(is_german);
        for token in words::tokens(text) {
            if matches!(token.kind, Kind::Symbol | Kind::Part) {
                continue;
            }
            let folded = token.folded();
            since += 1;
            let after = text.get(token.range.end..).unwrap_or_default();
            if self.takes_particle(&folded, since, after, lexicon) {
                continue;
            }
            // A line between two scripts (`명세서_최종`) is no word.
            let joins = words::is_stopword(&folded) || words::only_joins(&folded);
            if joins || !folded.chars().any(char::is_alphanumeric) {
                continue;
            }
            // A particle behind a Latin word (`Redis를`), or a syllable that ends one.
            if token.kind == Kind::Hangul && is_particle(&folded, text, token.range.start) {
                continue;
            }
            let stem = words::stem(&folded);
            if words::is_stopword(&stem) {
                continue;
            }
            if self.groups.is_empty() {
                let before = text.get(..token.range.start).unwrap_or_default();
                self.opens = !before.contains(char::is_alphanumeric);
            }
            self.add_group(token.text, &folded);
            since = 0;
        }
    }

    /// Whether a word belongs to a verb before it, which means something else with it: `rolled out`,
    /// `shut it down`; in German at the end of the sentence (`fällt die Pumpe aus`).
    fn takes_particle(
        &mut self,
        particle: &str,
        since: usize,
        after: &str,
        lexicon: &Lexicon,
    ) -> bool {
        const CLOSE: usize = 2;
        let known = |verb: &String| !lexicon.concepts_of(verb).is_empty();
        let ends = after.trim_start().chars().next();
        let found = if ["up", "down", "out", "off", "on", "in", "over"].contains(&particle)
            && since <= CLOSE
            && let Some(last) = self.groups.last()
        {
            let verb = format!("{} {particle}", last.word);
            known(&verb).then_some((self.groups.len() - 1, verb))
        } else if ends.is_none_or(|c| c.is_ascii_punctuation()) {
            let verbs = |(at, group): (usize, &Group)| {
                let mut verbs = words::separable(&group.word, particle).into_iter();
                Some((at, verbs.find(known)?))
            };
            self.groups.iter().enumerate().find_map(verbs)
        } else {
            None
        };
        let Some((at, verb)) = found else {
            return false;
        };
        if let Some(group) = self.groups.get_mut(at) {
            group.with = Some(verb);
        }
        true
    }

    fn add_group(&mut self, typed: &str, folded: &str) {
        let form = if folded.len() > words::LONGEST {
            Form::literal(typed)
        } else {
            Form::of(typed, folded)
        };
        if self.groups.len() >= MOST_GROUPS
            || self
                .targets
                .iter()
                .any(|target| target.form.same_word(&form))
        {
            return;
        }
        let Ok(group) = u8::try_from(self.groups.len()) else {
            return;
        };
        let decides = decision::asked_by(folded) || decision::asked_by(&form.stem);
        self.decision |= decides;
        let weight = match folded.chars().count() {
            _ if decides || words::only_asks(folded) || words::only_asks(&form.stem) => ASKS,
            1 => 0.4,
            2 if folded.is_ascii() => 0.7,
            _ => 1.0,
        };
        self.groups.push(Group {
            word: folded.to_owned(),
            with: None,
            typed: typed.to_owned(),
            shown: typed.to_owned(),
            known: false,
            compound: false,
            name: false,
            sense: Sense::Thing,
            weight,
        });
        self.targets.push(Target {
            groups: vec![group],
            weight: 1.0,
            form,
            own: true,
            fuzzy: false,
            piece: 0,
        });
    }

    /// Whether a capital at a word's beginning makes it a name: in a sentence of small letters that
    /// is not German, behind its first word or where the second has one too (`Apple Wallet`).
    fn capital_names(&self, at: usize) -> bool {
        let capital = |at: usize| {
            self.groups
                .get(at)
                .is_some_and(|group| group.typed.starts_with(char::is_uppercase))
        };
        !self.german
            && (capital(1)
                || at > 0
                || !self.opens
                || self.groups.iter().any(|group| !group.typed.is_ascii()))
            && self
                .groups
                .iter()
                .any(|group| !group.typed.starts_with(char::is_uppercase))
    }

    /// What the lexicon knows for each word, and for two or three in a row.
    fn add_synonyms(&mut self, lexicon: &Lexicon) {
        let count = self.groups.len();
        for at in 0..count {
            let spelt = self
                .groups
                .get(at)
                .and_then(|group| umlaut(&group.word).or_else(|| two_letters(&group.word)));
            if let Some(word) = spelt {
                self.add_spelling(&word, at, 0.95);
            }
            // What `.NET` means is not what `net` does.
            let word = self.groups.get(at).map(|group| {
                if group.is_signed() {
                    words::fold(&group.shown).into_owned()
                } else {
                    group.with.as_ref().unwrap_or(&group.word).clone()
                }
            });
            let Some(word) = word else { continue };
            let mut known = self.synonyms_of(lexicon, &word, &[at], 1.0, 0);
            let pieces = self
                .targets
                .get(at)
                .map(|target| target.form.parts.clone())
                .unwrap_or_default();
            if !known && !pieces.is_empty() {
                for piece in &pieces {
                    known |= self.synonyms_of(lexicon, piece, &[at], 0.5, 0);
                }
            }
            if !known && let Some(mut parts) = compound(&word, lexicon) {
                // `Zollprobleme` are about the customs.
                if !parts.iter().all(|part| words::only_asks(part)) {
                    parts.retain(|part| !words::only_asks(part));
                }
                let share = 0.8 / as_f32(parts.len());
                for (part, piece) in parts.iter().zip(1..) {
                    self.synonyms_of(lexicon, part, &[at], share, piece);
                }
                if let Some(group) = self.groups.get_mut(at) {
                    group.compound = true;
                }
                known = true;
            }
            // `보증서` is what a `보증` is written on.
            if !known && let Some(head) = derived_noun(&word, lexicon) {
                known = self.synonyms_of(lexicon, &head, &[at], 0.8, 0);
            }
            let capital = self.capital_names(at);
            if let Some(group) = self.groups.get_mut(at) {
                group.known = known;
                group.sense = sense_of(&group.typed, &group.word, lexicon, self.german);
                group.name = group.is_signed()
                    || group.sense == Sense::Name
                    || is_name(&group.typed, &group.word, known, lexicon, capital);
            }
        }
        for length in [2, 3] {
            for at in 0..count.saturating_sub(length - 1) {
                let Some(row) = self.groups.get(at..at + length) else {
                    continue;
                };
                let words: Vec<&str> = row.iter().map(|group| group.word.as_str()).collect();
                let places: Vec<usize> = (at..at + length).collect();
                let mut joined = [" ", "-", ""].map(|joint| words.join(joint)).to_vec();
                joined.extend(crate::chinese::run_of(&words));
                for phrase in joined {
                    if self.synonyms_of(lexicon, &phrase, &places, 1.1, 0) {
                        break;
                    }
                }
            }
        }
    }

    fn synonyms_of(
        &mut self,
        lexicon: &Lexicon,
        word: &str,
        groups: &[usize],
        factor: f32,
        piece: u8,
    ) -> bool {
        let concepts = lexicon.concepts_of(word);
        let mut room = MOST_SYNONYMS;
        let key = |text: &str| {
            text.split_whitespace()
                .map(|w| words::stem(w).into_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let own = key(word);
        let all: Vec<Vec<Member<'_>>> = concepts
            .iter()
            .map(|concept| lexicon.members(*concept))
            .collect();
        for members in &all {
            let self_close = members
                .iter()
                .find(|member| key(member.text) == own)
                .is_none_or(|member| member.close);
            for member in members {
                if room == 0 {
                    break;
                }
                room -= 1;
                // A word of many meanings rarely means all of them; what several of them share is
                // meant the more.
                let shared = all
                    .iter()
                    .filter(|others| others.iter().any(|other| other.text == member.text))
                    .count();
                let factor = factor * (as_f32(shared) / as_f32(all.len())).powf(AMBIGUOUS);
                let weight = factor
                    * if member.close && self_close {
                        CLOSE
                    } else {
                        NEAR
                    };
                self.add_piece(member.text, groups, weight, piece);
            }
        }
        !concepts.is_empty()
    }

    /// Takes a word of the query as a slip for another.
    pub(crate) fn correct(&mut self, lexicon: &Lexicon, group: usize, word: &str) {
        self.add_spelling(word, group, 0.9);
        if self.synonyms_of(lexicon, word, &[group], 0.9, 0)
            && let Some(group) = self.groups.get_mut(group)
        {
            group.known = true;
        }
    }

    /// Adds another spelling of a word of the query: as good as its own.
    fn add_spelling(&mut self, word: &str, group: usize, weight: f32) {
        let Ok(group) = u8::try_from(group) else {
            return;
        };
        let known = self
            .targets
            .iter()
            .any(|target| target.own && target.form.folded == word && target.groups == [group]);
        if !known {
            self.targets.push(Target {
                groups: vec![group],
                weight,
                form: Form::of(word, word),
                own: true,
                fuzzy: false,
                piece: 0,
            });
        }
    }

    /// Adds a word that may stand for words of the query.
    pub(crate) fn add_other(&mut self, text: &str, groups: &[usize], weight: f32) {
        self.add_piece(text, groups, weight, 0);
    }

    /// Adds a word that may stand for a part of a word of the query.
    fn add_piece(&mut self, text: &str, groups: &[usize], weight: f32, piece: u8) {
        let form = Form::of(text, text);
        // One syllable (`개`: dog, piece) stands for too much to be another word's synonym, and so
        // does one Chinese character, which is a part of other words (`库` of `仓库`).
        if form.is_empty() || weight < LEAST_WEIGHT || form.is_one_syllable() || is_one_han(text) {
            return;
        }
        let groups: Vec<u8> = groups
            .iter()
            .filter_map(|group| u8::try_from(*group).ok())
            .collect();
        for target in &mut self.targets {
            if target.form.same_word(&form) && (target.own || target.piece == piece) {
                let new: Vec<u8> = groups
                    .iter()
                    .copied()
                    .filter(|group| !target.groups.contains(group))
                    .collect();
                if new.is_empty() || target.own {
                    if !target.own {
                        target.weight = target.weight.max(weight);
                    }
                    if new.is_empty() || target.groups.iter().any(|group| groups.contains(group)) {
                        return;
                    }
                    continue;
                }
                if (target.weight - weight).abs() < 0.2 {
                    target.groups.extend(new);
                    return;
                }
            }
        }
        self.targets.push(Target {
            groups,
            weight,
            form,
            own: false,
            fuzzy: false,
            piece,
        });
    }
}

/// A German word with umlauts where they were typed as two letters (`Waermepumpe`).
fn umlaut(word: &str) -> Option<String> {
    if word.len() < 5 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return None;
    }
    let bytes = word.as_bytes();
    let vowel = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|b| b"aeiouq".contains(b))
    };
    let mut out = String::with_capacity(word.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let umlaut = match byte {
            b'a' => Some('ä'),
            b'o' => Some('ö'),
            b'u' => Some('ü'),
            _ => None,
        };
        let two = bytes.get(at + 1) == Some(&b'e')
            && !vowel(at.checked_sub(1))
            && !vowel(Some(at + 2))
            && at + 2 < bytes.len();
        if let Some(umlaut) = umlaut.filter(|_| two) {
            out.push(umlaut);
            at += 2;
        } else {
            out.push(char::from(*byte));
            at += 1;
        }
    }
    (!out.is_ascii()).then_some(out)
}

/// A word with umlauts as it is where there are none: `Waermepumpe`.
fn two_letters(word: &str) -> Option<String> {
    if !word.contains(['ä', 'ö', 'ü']) {
        return None;
    }
    let spelt = word.chars().fold(String::new(), |mut out, c| {
        match c {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            _ => out.push(c),
        }
        out
    });
    spelt.is_ascii().then_some(spelt)
}

/// What kind of meaning a word has: by the lexicon, the one that says least; of other words by their
/// looks. In German a thing is written with a capital.
fn sense_of(typed: &str, folded: &str, lexicon: &Lexicon, german: bool) -> Sense {
    let known = lexicon
        .concepts_of(folded)
        .iter()
        .map(|concept| lexicon.sense(*concept))
        .min();
    let script = typed.chars().next().map(words::script);
    match (script, known) {
        (Some(words::Script::Latin), known) if german => {
            let thing = typed.contains(|c: char| c.is_uppercase() || c.is_ascii_digit());
            match known {
                Some(sense @ (Sense::Doing | Sense::Name)) => sense,
                _ if thing => Sense::Thing,
                _ => Sense::Doing,
            }
        }
        (Some(words::Script::Hangul), Some(_)) if lexicon.is_verb_form(folded) => Sense::Doing,
        (_, Some(sense)) => sense,
        (Some(script), None) if is_inflected(folded, script) && !ends_as_done(folded, lexicon) => {
            Sense::Doing
        }
        _ => Sense::Thing,
    }
}

/// Whether a word that the lexicon does not hold ends as verbs and adjectives do.
fn is_inflected(folded: &str, script: words::Script) -> bool {
    const ENGLISH: [&str; 9] = [
        "ed", "ing", "ly", "ful", "less", "able", "ible", "ous", "ive",
    ];
    const KOREAN: [&str; 22] = [
        "기", "고", "지", "던", "게", "면", "는", "한", "된", "줄", "할", "될", "어", "아", "해",
        "히", "해서", "어서", "아서", "여서", "려서", "져서",
    ];
    let ends = |ends: &[&str]| {
        ends.iter()
            .any(|end| folded.len() >= end.len() + 3 && folded.ends_with(end))
    };
    match script {
        words::Script::Latin => ends(&ENGLISH),
        words::Script::Hangul => ends(&KOREAN),
        _ => false,
    }
}

/// Whether a Korean word only ends as `…하다` does in use: what stands before is no known word (`병충해`,
/// not `추가해`).
fn ends_as_done(folded: &str, lexicon: &Lexicon) -> bool {
    folded
        .strip_suffix('해')
        .is_some_and(|head| head.chars().count() >= 2 && !lexicon.knows(head))
}

/// The known noun that a syllable behind it makes another thing of (`보증서`, `충전기`).
fn derived_noun(folded: &str, lexicon: &Lexicon) -> Option<String> {
    const MADE: [char; 7] = ['서', '증', '표', '료', '비', '품', '기'];
    let stem = words::stem(folded);
    [folded, stem.as_ref()].into_iter().find_map(|word| {
        let head = word.strip_suffix(MADE)?;
        (head.chars().count() >= 2 && lexicon.knows(head)).then(|| head.to_owned())
    })
}

/// Whether `서` may be a verb's ending here: behind a vowel that verbs end with (`열려서`, not `보증서`).
fn joins_verbs(folded: &str) -> bool {
    let Some(last) = folded
        .strip_suffix('서')
        .and_then(|head| head.chars().next_back())
    else {
        return false;
    };
    let jamo = words::jamo(last.encode_utf8(&mut [0; 4]));
    last == '면'
        || jamo
            .ends_with(|c| "\u{1161}\u{1162}\u{1165}\u{1167}\u{116a}\u{116b}\u{116f}".contains(c))
}

/// Whether a text is one Chinese character.
fn is_one_han(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|c| words::script(c) == words::Script::Han)
        && letters.next().is_none()
}

/// Signs around a word that are no part of it.
const ENCLOSES: &str = "\"'`()[]{}<>,;:!?…。，？！";

/// A word without what encloses it, and what Korean and Chinese write together with it (`C++로`).
fn bare(word: &str) -> &str {
    let around = |c: char| {
        ENCLOSES.contains(c)
            || matches!(words::script(c), words::Script::Hangul | words::Script::Han)
    };
    word.trim_matches(around)
}

/// A name that signs belong to: `C#`, `C++`, `.NET`. Folded.
fn signed(word: &str) -> Option<String> {
    let word = bare(word);
    let name = word.trim_start_matches('.');
    let letters = name.trim_end_matches(['#', '+']);
    let dotted = name.len() + 1 == word.len();
    let sharp = letters.len() < name.len() && name.len() <= letters.len() + 2;
    let plain = !letters.is_empty()
        && letters.len() <= 12
        && letters.bytes().all(|b| b.is_ascii_alphabetic());
    (plain && (name.len() == word.len() || dotted) && (sharp || dotted && letters.len() <= 5))
        .then(|| words::fold(word).into_owned())
}

/// Whether a query seems to be German, where every noun has a capital.
/// Words of German sentences that are no English ones.
const GERMAN: &str = " der das den dem des ein eine einen einem einer eines und oder nicht mit von vom für im beim zum zur aus auf nach über unter bei durch ohne um wie wer wo warum wann wieso welche welcher welches wir uns ihr sich ist sind waren hat haben hatte wird werden wurde kann können soll muss beim pro zu als auch noch nur schon kein keine ";

/// Whether a word is German by its look.
fn is_german(word: &str) -> bool {
    word.contains(['ä', 'ö', 'ü', 'ß', 'Ä', 'Ö', 'Ü'])
        || GERMAN.contains(&format!(" {word} "))
        || word.chars().count() > 4
            && word.starts_with(char::is_uppercase)
            && ["ung", "ungen", "heit", "keit", "schaft"]
                .iter()
                .any(|end| word.ends_with(end))
}

/// Whether a word looks like a name: capitals where prose has none; where the lexicon does not hold
/// it, digits, and in Korean a noun without a known beginning.
fn is_name(typed: &str, folded: &str, known: bool, lexicon: &Lexicon, capital_names: bool) -> bool {
    let Some(first) = typed.chars().next() else {
        return false;
    };
    match words::script(first) {
        words::Script::Latin => {
            let inner = typed.chars().skip(1).any(char::is_uppercase);
            let digits = typed.chars().any(|c| c.is_ascii_digit());
            inner || first.is_uppercase() && capital_names || !known && digits
        }
        words::Script::Hangul => {
            let stem = if ends_as_done(folded, lexicon) {
                std::borrow::Cow::Borrowed(folded)
            } else {
                words::stem(folded)
            };
            let letters: Vec<char> = stem.chars().collect();
            let verb = joins_verbs(folded)
                || [
                    "기", "고", "지", "던", "게", "면", "는", "은", "한", "된", "줄", "할", "될",
                ]
                .iter()
                .any(|end| folded.ends_with(end));
            // `필드명`, `입사자`: a word and a syllable that makes another noun of it.
            let derived = letters
                .split_last()
                .is_some_and(|(_, head)| lexicon.knows(&head.iter().collect::<String>()));
            let suffix = [
                "자", "명", "별", "용", "식", "형", "률", "율", "량", "비", "료", "권", "증", "성",
                "화", "적", "장", "실",
            ]
            .iter()
            .any(|end| stem.ends_with(end));
            letters.len() >= 3 && !verb && !derived && !suffix && !known
        }
        _ => false,
    }
}

/// The parts of a German compound, as the lexicon knows them.
fn compound(word: &str, lexicon: &Lexicon) -> Option<Vec<String>> {
    if !word
        .chars()
        .next()
        .is_some_and(|c| words::script(c) == words::Script::Latin)
    {
        return None;
    }
    let known = |part: &str| lexicon.knows(part) || lexicon.knows(&words::stem(part));
    let parts = words::compound::split(word, &known)?;
    Some(
        parts
            .into_iter()
            .filter_map(|part| word.get(part).map(str::to_owned))
            .collect(),
    )
}

/// A run of Hangul right behind a Latin word or a digit that is a particle.
fn is_particle(word: &str, text: &str, start: usize) -> bool {
    let glued = text
        .get(..start)
        .and_then(|before| before.chars().next_back())
        .is_some_and(|c| words::script(c) == words::Script::Latin);
    // As if a noun stood before it.
    glued && words::stem(&format!("가나{word}")).chars().count() == 2
}

/// One space for any white space.
pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[allow(clippy::cast_precision_loss, reason = "counts of words")]
pub(crate) fn as_f32(count: usize) -> f32 {
    count as f32
}
