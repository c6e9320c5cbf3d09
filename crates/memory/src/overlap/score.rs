//! The comparison itself.

use super::agree::{Agreement, compare, met};
use super::clause::{Clauses, Said};
use super::taken::{Rules, Taken, Topics, standing};
use super::{Candidate, Document, Evidence, Kind, Known, Opposite, Proposal, REFUSED, Verdict};
use crate::capture::is_form_label;
use crate::frontmatter;
use crate::lines;
use std::collections::HashSet;
use std::rc::Rc;
use words::meaning::{self, Reader, Word};
use words::quick::QuickMap;
use words::{Language, Lexicon};

/// How many candidates are named.
const NAMED: usize = 5;

/// The place that what says the opposite has among them at least.
const NAMED_FIRST: usize = 2;

/// Lines of a document in which the opposite is looked for.
const READ: usize = 60;

/// How many documents are looked at line by line.
const CLOSE: usize = 24;

/// How much the words of the body count beside those of title and description.
const BODY: f64 = 0.7;

/// How much the words of a heading or a file's name count beside those of the text.
const CONTEXT: f64 = 0.5;

// The weights of what `likely` measures: a logistic regression on labelled proposals of two
// unlike domains in three languages, rounded. Each set alone gives nearly the same.
const COVERED: f64 = 7.5;
const LINE: f64 = 6.0;
const ABOUT: f64 = 5.0;
/// Between languages fewer words meet, for the same meaning.
const TRANSLATED: f64 = 1.35;
const NOTHING: f64 = 5.7;

/// A name of code is seldom met by chance.
const NAME: f64 = 1.3;

/// A word that neither the lexicon nor any document knows may be another word for a known thing.
const UNSEEN: f64 = 0.6;

/// A word that says little by itself.
const FUNCTION: f64 = 0.3;

/// A distinct word of all texts.
type WordId = usize;

/// The most that a rule comes to that is only like a proposal.
const UNSAID: f64 = REFUSED - 0.01;

/// A unit that says much of the proposal.
struct Close<'a> {
    /// How much, from 0 to 1.
    covered: f64,
    unit: &'a Unit<'a>,
    /// The most that its score may be.
    most: f64,
}

/// One statement: a line of a document, or a sentence of the proposal.
struct Segment<'a> {
    line: usize,
    text: &'a str,
    words: Vec<WordId>,
}

/// The language that most of these is in.
fn language(segments: &[Segment<'_>]) -> Option<Language> {
    let texts: Vec<&str> = segments.iter().map(|s| s.text).collect();
    words::language(&texts.join(" "))
}

/// What is compared as one: an entry, or one line of a rule file.
struct Unit<'a> {
    document: usize,
    segments: Vec<Segment<'a>>,
    /// Words that tell what it is about without saying it: a heading, the file's name.
    context: Vec<WordId>,
    /// The heading that the line of a rule stands under.
    heading: &'a str,
}

/// The distinct words of all texts.
#[derive(Default)]
struct Vocabulary {
    words: Vec<Word>,
    ids: QuickMap<(Rc<str>, meaning::Kind), WordId>,
}

impl Vocabulary {
    fn ids(&mut self, reader: &mut Reader, text: &str) -> Vec<WordId> {
        reader
            .read(text)
            .into_iter()
            .map(|word| {
                let next = self.words.len();
                let key = (Rc::clone(&word.stem), word.kind);
                *self.ids.entry(key).or_insert_with(|| {
                    self.words.push(word);
                    next
                })
            })
            .collect()
    }
}

/// How near two words are, from 0 to 1.
pub(super) fn nearness(a: &Word, b: &Word) -> f64 {
    use meaning::Kind::{Function, Name, Number, Unknown};
    if a.stem == b.stem {
        return 1.0;
    }
    match (a.kind, b.kind) {
        (Number | Name, _) | (_, Number | Name) => 0.0,
        (Unknown, Unknown) => {
            let near = alike(&a.stem, &b.stem);
            if near >= ALIKE { near } else { 0.0 }
        }
        _ => {
            let shared = a
                .concepts
                .iter()
                .filter(|concept| b.concepts.contains(concept))
                .count();
            if shared == 0 {
                return 0.0;
            }
            let all = a.concepts.len() + b.concepts.len() - shared;
            // Words of many meanings may have met in the wrong one.
            let sure = (real(shared) / real(all)).powf(0.25);
            if a.kind == Function || b.kind == Function {
                0.6 * sure
            } else {
                0.9 * sure
            }
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of words are small")]
pub(super) fn real(count: usize) -> f64 {
    count as f64
}

/// How likely it is that a document says a proposal: from how much of the proposal it says, how well
/// one line fits one statement, and how much of its subject the proposal speaks of.
pub(super) fn likelihood(covered: f64, line: f64, about: f64, translated: bool) -> f64 {
    let language = if translated { TRANSLATED } else { 0.0 };
    let z = COVERED * covered + LINE * line + ABOUT * about + language - NOTHING;
    1.0 / (1.0 + (-z).exp())
}

/// How much a word tells that stands in `count` of `total` units. The twenty stand for all the
/// texts that a small memory does not hold.
pub(super) fn rarity(total: f64, count: f64) -> f64 {
    ((total + 20.0) / (count + 1.0)).ln().max(0.2)
}

/// From here on two words that the lexicon does not know are spelled alike.
pub(super) const ALIKE: f64 = 0.5;

/// The neighbouring letters of a word.
pub(super) fn pairs(word: &str) -> impl Iterator<Item = (char, char)> {
    word.chars().zip(word.chars().skip(1))
}

/// The share of pairs of letters that two words have in common.
fn alike(a: &str, b: &str) -> f64 {
    let pairs = |word: &str| {
        let mut all = Vec::with_capacity(word.len());
        all.extend(pairs(word));
        all
    };
    let (a, mut b) = (pairs(a), pairs(b));
    let all = a.len() + b.len();
    if all == 0 {
        return 0.0;
    }
    let mut shared = 0;
    for pair in &a {
        if let Some(at) = b.iter().position(|other| other == pair) {
            b.swap_remove(at);
            shared += 1;
        }
    }
    2.0 * real(shared) / real(all)
}

/// Compares a proposal with what is known.
pub fn verdict(proposal: &Proposal, known: &Known) -> Verdict {
    let documents = &known.documents;
    let mut lexicon = Lexicon::builtin();
    for list in &known.synonyms {
        lexicon.add(list.iter().map(String::as_str));
    }
    let mut reader = Reader::new(lexicon);
    let mut vocabulary = Vocabulary::default();
    let ours = statements(proposal, &mut reader, &mut vocabulary);
    let own = vocabulary.words.len();
    let says = ![&proposal.description, &proposal.body]
        .iter()
        .all(|text| text.trim().is_empty());
    let mut units = Vec::new();
    for (place, document) in documents.iter().enumerate() {
        split(
            place,
            document,
            says,
            &mut reader,
            &mut vocabulary,
            &mut units,
        );
    }
    let all = Comparison::new(&vocabulary, own, &units);
    let off_topic = off_topic(proposal, documents);
    let mut close = all.close(&ours, &units);
    close.retain(|(_, unit)| !off_topic.contains(&unit.document));
    let (says, clauses) = taken_by_rules(proposal, &close, documents, Clauses::with(reader));
    let opposite = opposite(&ours, &close, documents, clauses).filter(|found| {
        // Another rule says it, and more: exceptions to one are no opposite.
        found.kind == Kind::Entry || says.is_none()
    });
    let close = close
        .into_iter()
        .enumerate()
        .map(|(place, (covered, unit))| Close {
            covered,
            unit,
            // A rule's likeness is not enough: it must say the same.
            most: match documents.get(unit.document).map(|document| document.kind) {
                Some(Kind::Entry) | None => 1.0,
                Some(_) if says == Some(place) => 1.0,
                Some(_) => UNSAID,
            },
        })
        .collect();
    let mut candidates = all.candidates(&ours, close, documents);
    if let Some(opposite) = &opposite
        && let Some(at) = candidates.iter().position(|one| one.path == opposite.path)
        && at > NAMED_FIRST
    {
        let moved = candidates.remove(at);
        candidates.insert(NAMED_FIRST, moved);
    }
    candidates.truncate(NAMED);
    Verdict {
        candidates,
        opposite,
    }
}

/// The skills that are about something else: nobody loads them for what is proposed.
fn off_topic(proposal: &Proposal, documents: &[Document]) -> HashSet<usize> {
    let skills: Vec<(usize, &str)> = documents
        .iter()
        .enumerate()
        .filter(|(_, document)| document.kind == Kind::Skill)
        .map(|(place, document)| (place, document.text.as_str()))
        .collect();
    let shared = Topics::of(skills.iter().map(|(_, text)| *text)).shared_with(proposal);
    skills
        .iter()
        .zip(shared)
        .filter(|(_, shared)| !shared)
        .map(|((place, _), _)| *place)
        .collect()
}

/// The place among the close ones of the rule that says all that is proposed; and what reads clauses,
/// to read on.
fn taken_by_rules(
    proposal: &Proposal,
    close: &[(f64, &Unit<'_>)],
    documents: &[Document],
    clauses: Clauses,
) -> (Option<usize>, Clauses) {
    let lines = close.iter().map(|(_, unit)| {
        let text = unit.segments.first().map_or("", |line| line.text);
        (unit.heading, text)
    });
    let is_rule = |place: usize| {
        close
            .get(place)
            .and_then(|(_, unit)| documents.get(unit.document))
            .is_some_and(|document| document.kind != Kind::Entry)
    };
    let mut rules = Rules::with(clauses, lines);
    let entry = rules.read(proposal);
    let says = match rules.judge(&entry, is_rule) {
        Taken::Whole(place) => Some(place),
        Taken::Part { .. } | Taken::Opposed(_) | Taken::Not => None,
    };
    (says, rules.into_clauses())
}

/// The statement that most surely says the opposite of one of the proposal's, where the same document
/// does not say the same as well.
fn opposite(
    ours: &[Segment<'_>],
    close: &[(f64, &Unit<'_>)],
    documents: &[Document],
    mut clauses: Clauses,
) -> Option<Opposite> {
    let mut heading = "";
    let mut read: Vec<(&Segment<'_>, Said)> = Vec::new();
    for segment in ours {
        if segment.text.starts_with('#') {
            heading = segment.text;
        }
        read.push((segment, clauses.under(heading, &standing(segment.text))));
    }
    let mut found: Option<(f64, Opposite)> = None;
    for (_, unit) in close {
        let Some(document) = documents.get(unit.document) else {
            continue;
        };
        let mut best: Option<(f64, bool, &Segment<'_>, &Segment<'_>)> = None;
        let mut heading = unit.heading;
        for theirs in unit.segments.iter().take(READ) {
            if theirs.text.starts_with('#') {
                heading = theirs.text;
            }
            let said = clauses.under(heading, &standing(theirs.text));
            for (mine, own) in &read {
                let (strength, excludes) = match compare(&clauses, own, &said, &met(own, &said)) {
                    Agreement::Same => (1.0, false),
                    Agreement::Opposite(strength) => (strength, true),
                    _ => continue,
                };
                // Where one line says the same, another that seems not to says more.
                let better = best.as_ref().is_none_or(|(known, excluded, ..)| {
                    strength > *known || strength >= *known && *excluded && !excludes
                });
                if better {
                    best = Some((strength, excludes, theirs, mine));
                }
            }
        }
        if let Some((strength, _, theirs, mine)) = best.filter(|(_, excludes, ..)| *excludes)
            && found.as_ref().is_none_or(|(known, _)| strength > *known)
        {
            found = Some((
                strength,
                Opposite {
                    path: document.path.clone(),
                    kind: document.kind,
                    evidence: Evidence {
                        line: theirs.line,
                        quote: theirs.text.to_owned(),
                        ours: mine.text.to_owned(),
                        score: strength,
                    },
                },
            ));
        }
    }
    found.map(|(_, opposite)| opposite)
}

/// The proposal's statements: title, description, the lines and sentences of its body.
fn statements<'a>(
    proposal: &'a Proposal,
    reader: &mut Reader,
    vocabulary: &mut Vocabulary,
) -> Vec<Segment<'a>> {
    // A name says what it is about; what is said of it tells.
    let named = !proposal.description.trim().is_empty() && is_name(&proposal.title);
    let title = if named { "" } else { &proposal.title };
    let head = [title, &proposal.description];
    let body = proposal.body.lines().flat_map(sentences);
    let mut out = Vec::new();
    for text in head.into_iter().chain(body) {
        // The parts of a form are everybody's words.
        if is_form_label(text) {
            continue;
        }
        let words = vocabulary.ids(reader, &standing(text));
        if !words.is_empty() {
            out.push(Segment {
                line: 0,
                text: text.trim(),
                words,
            });
        }
    }
    out
}

/// Whether a title is a name for a file (`short-answers`).
fn is_name(title: &str) -> bool {
    !title.trim().contains(char::is_whitespace)
}

/// A line's sentences.
pub(super) fn sentences(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let ends = match c {
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            '。' | '；' => true,
            _ => false,
        };
        // `z. B.` and `1.` end no sentence.
        let whole = || {
            let word = line.get(start..at).unwrap_or_default();
            let last = word.rsplit(char::is_whitespace).next();
            last.is_some_and(|last| last.chars().nth(2).is_some())
        };
        if ends && whole() {
            out.extend(line.get(start..end));
            start = end;
        }
    }
    out.extend(line.get(start..));
    out.retain(|sentence| !sentence.trim().is_empty());
    out
}

/// What a document is compared by. A name counts only where the proposal itself `says` no more.
fn split<'a>(
    place: usize,
    document: &'a Document,
    says: bool,
    reader: &mut Reader,
    vocabulary: &mut Vocabulary,
    units: &mut Vec<Unit<'a>>,
) {
    let mut head = Vec::new();
    let mut context = Vec::new();
    let mut title = "";
    let mut segments = Vec::new();
    let body = frontmatter::body_line(&document.text);
    for line in lines::lines(&document.text) {
        let text = line.text.trim();
        if line.number < body {
            let said = text
                .split_once(':')
                .filter(|(key, _)| matches!(*key, "name" | "description"))
                .map(|(_, value)| value);
            if let Some(value) = said {
                let words = vocabulary.ids(reader, value);
                head.push(Segment {
                    line: line.number,
                    text,
                    words,
                });
            }
            continue;
        }
        if text.is_empty() || text.starts_with("```") || text.starts_with("<!--") {
            continue;
        }
        let words = vocabulary.ids(reader, &standing(text));
        if words.is_empty() {
            continue;
        }
        let heading = text.starts_with('#');
        if document.kind == Kind::Entry {
            segments.push(Segment {
                line: line.number,
                text,
                words,
            });
        } else if heading {
            context = words;
            title = text;
        } else {
            let context = context
                .iter()
                .copied()
                .chain(head.iter().flat_map(|head| head.words.clone()))
                .collect();
            units.push(Unit {
                document: place,
                heading: title,
                segments: vec![Segment {
                    line: line.number,
                    text,
                    words,
                }],
                context,
            });
        }
    }
    if document.kind == Kind::Entry {
        let name = document
            .path
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .trim_end_matches(".md");
        let context = vocabulary.ids(reader, &name.replace(['-', '_'], " "));
        if says && head.len() > 1 {
            head.retain(|line| {
                let name = line.text.strip_prefix("name:").map(str::trim);
                !name.is_some_and(is_name)
            });
        }
        head.append(&mut segments);
        if !head.is_empty() {
            units.push(Unit {
                document: place,
                segments: head,
                context,
                heading: "",
            });
        }
    }
}

struct Comparison {
    /// For each word of any text: the proposal's words that it is near to.
    near: Vec<Vec<(WordId, f64)>>,
    /// How much each word tells.
    weights: Vec<f64>,
    /// Weight that no word says: a few words prove little.
    doubt: f64,
    /// How many words the proposal has: the first ones.
    own: usize,
}

impl Comparison {
    fn new(vocabulary: &Vocabulary, own: usize, units: &[Unit<'_>]) -> Self {
        let words = &vocabulary.words;
        let mut near: Vec<Vec<(WordId, f64)>> = vec![Vec::new(); words.len()];
        let ours = words.get(..own).unwrap_or_default();
        // The proposal's words by what they could meet in.
        let mut by_stem: QuickMap<&str, Vec<WordId>> = QuickMap::default();
        let mut by_concept: QuickMap<words::Concept, Vec<WordId>> = QuickMap::default();
        let mut unknown: Vec<WordId> = Vec::new();
        for (id, word) in ours.iter().enumerate() {
            by_stem.entry(&word.stem).or_default().push(id);
            for concept in word.concepts.iter() {
                by_concept.entry(*concept).or_default().push(id);
            }
            if word.kind == meaning::Kind::Unknown {
                unknown.push(id);
            }
        }
        for (id, word) in words.iter().enumerate() {
            let mut met: Vec<WordId> = by_stem.get(&*word.stem).cloned().unwrap_or_default();
            for concept in word.concepts.iter() {
                met.extend(by_concept.get(concept).into_iter().flatten());
            }
            if word.kind == meaning::Kind::Unknown {
                met.extend(&unknown);
            }
            met.sort_unstable();
            met.dedup();
            near[id] = met
                .into_iter()
                .filter_map(|ours_id| {
                    let score = nearness(word, ours.get(ours_id)?);
                    (score > 0.0).then_some((ours_id, score))
                })
                .collect();
        }

        // In how many units a word, or one near to it, stands.
        let mut counts = vec![0.0f64; words.len()];
        let mut last = vec![usize::MAX; words.len()];
        for (place, unit) in units.iter().enumerate() {
            let all = unit
                .segments
                .iter()
                .flat_map(|segment| &segment.words)
                .chain(&unit.context);
            for &id in all {
                if last[id] != place {
                    last[id] = place;
                    counts[id] += 1.0;
                }
                for &(ours_id, score) in &near[id] {
                    if score >= 0.6 && ours_id != id && last[ours_id] != place {
                        last[ours_id] = place;
                        counts[ours_id] += 1.0;
                    }
                }
            }
        }
        let total = real(units.len());
        let weights = words
            .iter()
            .zip(&counts)
            .map(|(word, count)| {
                let kind = match word.kind {
                    meaning::Kind::Unknown if *count < 1.0 => UNSEEN,
                    meaning::Kind::Name => NAME,
                    meaning::Kind::Function => FUNCTION,
                    _ => 1.0,
                };
                rarity(total, *count) * kind
            })
            .collect();
        let doubt = rarity(total, 1.0);
        Self {
            near,
            weights,
            doubt,
            own,
        }
    }

    /// How much of `ours` the words `theirs` say, weighted.
    fn coverage(&self, ours: &[(WordId, f64)], theirs: &[(WordId, f64)]) -> f64 {
        let mut best = vec![0.0_f64; self.own];
        for &(id, strength) in theirs {
            for &(ours_id, score) in self.near.get(id).into_iter().flatten() {
                if let Some(slot) = best.get_mut(ours_id) {
                    *slot = slot.max(score * strength);
                }
            }
        }
        let (mut said, mut all) = (0.0, 0.0);
        for &(id, field) in ours {
            let weight = self.weights.get(id).copied().unwrap_or_default() * field;
            all += weight;
            said += weight * best.get(id).copied().unwrap_or_default();
        }
        if all > 0.0 {
            said / (all + self.doubt)
        } else {
            0.0
        }
    }

    /// How much of the words `theirs` stands in `ours`.
    fn reverse(&self, ours: &[WordId], theirs: &[WordId]) -> f64 {
        let (mut said, mut all) = (0.0, 0.0);
        for &id in theirs {
            let weight = self.weights.get(id).copied().unwrap_or_default();
            let best = self
                .near
                .get(id)
                .into_iter()
                .flatten()
                .filter(|(ours_id, _)| ours.contains(ours_id))
                .map(|(_, score)| *score)
                .fold(0.0, f64::max);
            all += weight;
            said += weight * best;
        }
        if all > 0.0 {
            said / (all + self.doubt)
        } else {
            0.0
        }
    }

    /// All distinct words of the proposal; the body counts less than what names it.
    fn whole(ours: &[Segment<'_>]) -> Vec<(WordId, f64)> {
        let mut whole: Vec<(WordId, f64)> = Vec::new();
        let mut known = HashSet::new();
        for (place, segment) in ours.iter().enumerate() {
            let field = if place < 2 { 1.0 } else { BODY };
            for &id in &segment.words {
                if known.insert(id) {
                    whole.push((id, field));
                }
            }
        }
        whole
    }

    /// The units that say most of the proposal, the best first, and how much.
    fn close<'a>(&self, ours: &[Segment<'_>], units: &'a [Unit<'a>]) -> Vec<(f64, &'a Unit<'a>)> {
        let whole = Self::whole(ours);
        let mut scored: Vec<(f64, &Unit<'_>)> = units
            .iter()
            .map(|unit| {
                let said = unit.segments.iter().flat_map(|segment| &segment.words);
                let theirs: Vec<(WordId, f64)> = said
                    .map(|id| (*id, 1.0))
                    .chain(unit.context.iter().map(|id| (*id, CONTEXT)))
                    .collect();
                (self.coverage(&whole, &theirs), unit)
            })
            .filter(|(covered, _)| *covered > 0.0)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate(CLOSE);
        scored
    }

    fn candidates(
        &self,
        ours: &[Segment<'_>],
        close: Vec<Close<'_>>,
        documents: &[Document],
    ) -> Vec<Candidate> {
        let whole = Self::whole(ours);
        let own_language = language(ours);
        let mut candidates: Vec<Candidate> = close
            .into_iter()
            .filter_map(|close| {
                let unit = close.unit;
                let document = documents.get(unit.document)?;
                let mut evidence = self.pairs(ours, unit);
                evidence.truncate(2);
                if evidence.is_empty() {
                    return None;
                }
                let translated = match (own_language, language(&unit.segments)) {
                    (Some(ours), Some(theirs)) => ours != theirs,
                    _ => false,
                };
                Some(Candidate {
                    path: document.path.clone(),
                    kind: document.kind,
                    score: self
                        .likely(close.covered, &whole, unit, translated)
                        .min(close.most),
                    evidence,
                })
            })
            .collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        candidates
    }

    /// How likely it is that the unit says what the proposal says, by three measures that each
    /// can be fooled alone: how much of the proposal stands there at all; how well the proposal and
    /// one line cover each other; how much of what the unit is about (its name and description, or
    /// the line of a rule) stands in the proposal.
    fn likely(
        &self,
        covered: f64,
        whole: &[(WordId, f64)],
        unit: &Unit<'_>,
        translated: bool,
    ) -> f64 {
        let ids: Vec<WordId> = whole.iter().map(|(id, _)| *id).collect();
        let line = unit
            .segments
            .iter()
            .map(|segment| {
                let theirs: Vec<(WordId, f64)> =
                    segment.words.iter().map(|id| (*id, 1.0)).collect();
                let there = self.coverage(whole, &theirs);
                (there * self.reverse(&ids, &segment.words)).sqrt()
            })
            .fold(0.0, f64::max);
        let head: Vec<WordId> = unit
            .segments
            .iter()
            .take(2)
            .flat_map(|segment| segment.words.iter().copied())
            .collect();
        let about = self.reverse(&ids, &head);
        likelihood(covered, line, about, translated)
    }

    /// The document's lines, each with the statement of the proposal that fits it best.
    fn pairs(&self, ours: &[Segment<'_>], unit: &Unit<'_>) -> Vec<Evidence> {
        let mut out: Vec<Evidence> = unit
            .segments
            .iter()
            .filter_map(|theirs| {
                ours.iter()
                    .map(|segment| {
                        let mine: Vec<(WordId, f64)> =
                            segment.words.iter().map(|id| (*id, 1.0)).collect();
                        let his: Vec<(WordId, f64)> =
                            theirs.words.iter().map(|id| (*id, 1.0)).collect();
                        let forward = self.coverage(&mine, &his);
                        let back = self.reverse(&segment.words, &theirs.words);
                        ((forward * back).sqrt(), segment)
                    })
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .map(|(score, segment)| Evidence {
                        line: theirs.line,
                        quote: theirs.text.to_owned(),
                        ours: segment.text.to_owned(),
                        score,
                    })
            })
            .collect();
        out.sort_by(|a, b| b.score.total_cmp(&a.score));
        out.retain(|evidence| evidence.score > 0.0);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(path: &str, title: &str, description: &str, body: &str) -> Document {
        Document {
            path: path.to_owned(),
            kind: Kind::Entry,
            text: format!("---\nname: {title}\ndescription: {description}\n---\n\n{body}\n"),
        }
    }

    fn proposal(title: &str, description: &str, body: &str) -> Proposal {
        Proposal {
            title: title.to_owned(),
            description: description.to_owned(),
            body: body.to_owned(),
        }
    }

    fn garden_centre() -> Vec<Document> {
        vec![
            entry(
                "reference_watering.md",
                "Gießzeiten",
                "Gewächshaus 2 wird um 5 Uhr gegossen",
                "Die Ventile öffnen um 5 Uhr für 12 Minuten, sonst verbrennen die Blätter.",
            ),
            entry(
                "feedback_units.md",
                "단위",
                "온도는 섭씨로 적는다",
                "화씨로 적은 보고서를 되돌려 받았다.",
            ),
            Document {
                path: "CLAUDE.md".to_owned(),
                kind: Kind::Rule,
                text: "# Rules\n\n- Ask before changing a valve schedule.\n- Tests run offline.\n"
                    .to_owned(),
            },
        ]
    }

    #[test]
    fn the_same_in_another_language_is_found_with_its_line() {
        let said = proposal(
            "Watering hours",
            "The second greenhouse is watered at 5 o'clock",
            "The valves open for twelve minutes at 5.",
        );
        let verdict = verdict(&said, &Known::from(garden_centre()));
        let found = verdict.covered_by().unwrap();
        assert_eq!(found.path, "reference_watering.md");
        assert!(
            found
                .evidence
                .iter()
                .any(|evidence| evidence.line == 3 || evidence.line == 6)
        );
    }

    #[test]
    fn what_is_said_decides_and_not_the_name() {
        let known = || {
            Known::from(vec![entry(
                "feedback_short-answers.md",
                "short-answers",
                "Conclusion first, reasons after",
                "Conclusion first, reasons after.",
            )])
        };
        for (name, description) in [
            ("conclusion", "put the conclusion first"),
            ("answers", "put the conclusion first"),
            ("schluss", "Ergebnis zuerst, dann die Gründe"),
            ("결론", "결론부터 말하기"),
        ] {
            let found = verdict(&proposal(name, description, description), &known());
            let found = found.covered_by().unwrap_or_else(|| panic!("{name}"));
            assert_eq!(found.evidence[0].line, 3, "{name}");
        }
        for (name, description) in [
            ("short-answers", "Deploy on Fridays only"),
            ("short_answers", "금요일에는 배포하지 않는다"),
        ] {
            let found = verdict(&proposal(name, description, ""), &known());
            assert!(found.covered_by().is_none(), "{name}");
        }
        // A name is all that is known, where nothing else is said.
        let bare = verdict(&proposal("short-answers", "", ""), &known());
        assert!(!bare.candidates.is_empty());
    }

    #[test]
    fn a_rule_is_found_by_its_line() {
        let said = proposal(
            "밸브 일정",
            "밸브 일정을 바꾸기 전에 먼저 묻는다",
            "묻지 않고 밸브 일정을 변경하지 않는다.",
        );
        let verdict = verdict(&said, &Known::from(garden_centre()));
        let found = verdict.covered_by().unwrap();
        assert_eq!(
            (found.path.as_str(), found.evidence[0].line),
            ("CLAUDE.md", 3)
        );
    }

    #[test]
    fn something_else_on_the_same_subject_is_let_through() {
        let new = proposal(
            "Schließung des Gewächshauses",
            "Gewächshaus 2 ist im Januar geschlossen",
            "Im Januar werden dort die Scheiben erneuert.",
        );
        assert!(
            verdict(&new, &Known::from(garden_centre()))
                .covered_by()
                .is_none()
        );
        assert!(verdict(&new, &Known::default()).candidates.is_empty());
        assert!(
            verdict(&Proposal::default(), &Known::from(garden_centre()))
                .covered_by()
                .is_none()
        );
    }

    /// Whether a document of this line is told to say the opposite of a proposal.
    fn opposed(theirs: &str, ours: &str) -> bool {
        let document = entry("feedback_x.md", "x", theirs, "-");
        let verdict = verdict(&proposal("y", ours, ours), &Known::from(vec![document]));
        verdict.opposite.is_some()
    }

    #[test]
    fn what_says_the_opposite_is_told() {
        for (theirs, ours) in [
            ("use tabs in Makefiles", "never use tabs in Makefiles"),
            ("Deploys may run on Friday", "Don't run deploys on Friday"),
            ("Always enable the linter", "Always disable the linter"),
            (
                "커밋 메시지는 한국어로 쓴다",
                "커밋 메시지는 한국어로 쓰지 않는다",
            ),
            ("테스트에서 네트워크 사용", "테스트에서 네트워크 사용 금지"),
            (
                "Antworten mit Beispielen beginnen",
                "Antworten nie mit Beispielen beginnen",
            ),
            (
                "Im Bericht Tabellen verwenden",
                "Im Bericht keine Tabellen verwenden",
            ),
            ("报告里使用表格", "报告里不要使用表格"),
        ] {
            assert!(opposed(theirs, ours), "{theirs} / {ours}");
            assert!(opposed(ours, theirs), "{ours} / {theirs}");
            assert!(!opposed(theirs, theirs), "{theirs}");
            assert!(!opposed(ours, ours), "{ours}");
        }
    }

    #[test]
    fn what_only_holds_a_denial_says_no_opposite() {
        for (theirs, ours) in [
            ("use tabs in Makefiles, not spaces", "use tabs in Makefiles"),
            (
                "Keep offline orders for 7 days",
                "Do not keep offline orders for 30 days",
            ),
            ("Tests run offline", "Tests never run on Windows"),
            ("The invoice export is slow", "Do not use the mail export"),
            (
                "테스트는 오프라인으로 돌린다",
                "테스트를 금요일에 돌리지 않는다",
            ),
            (
                "Berichte am Montag schicken",
                "Rechnungen nie am Freitag schicken",
            ),
        ] {
            assert!(!opposed(theirs, ours), "{theirs} / {ours}");
            assert!(!opposed(ours, theirs), "{ours} / {theirs}");
        }
    }

    #[test]
    fn a_heading_that_denies_denies_what_stands_below_it() {
        let rule = Document {
            path: "CLAUDE.md".to_owned(),
            kind: Kind::Rule,
            text: "# Never\n\n- push to the main branch\n\n# Always\n\n- sign the commits\n"
                .to_owned(),
        };
        let found = |text: &str| {
            let known = Known::from(vec![rule.clone()]);
            verdict(&proposal("x", text, text), &known)
                .opposite
                .map(|opposite| opposite.evidence.line)
        };
        assert_eq!(found("Never push to the main branch"), None);
        assert_eq!(found("Push to the main branch"), Some(3));
        assert_eq!(found("Sign the commits"), None);
        assert_eq!(found("Do not sign the commits"), Some(7));
    }

    #[test]
    fn a_users_words_mean_the_same() {
        let document = entry(
            "project_blau.md",
            "Blauwal",
            "Blauwal zieht am Montag um",
            "Der Umzug von Blauwal ist am Montag.",
        );
        let said = proposal(
            "Lagerdienst",
            "Der Lagerdienst zieht am Montag um",
            "Umzug am Montag.",
        );
        let mut known = Known::from(vec![document]);
        let without = verdict(&said, &known).candidates[0].score;
        known.synonyms = vec![vec!["Blauwal".to_owned(), "Lagerdienst".to_owned()]];
        let with = verdict(&said, &known);
        assert!(with.candidates[0].score > without);
        assert!(with.covered_by().is_some());
    }

    proptest! {
        #[test]
        fn any_text_is_compared(
            title in "\\PC{0,20}",
            body in "(\\PC|\n){0,80}",
            text in "(---\n)?(name: \\PC{0,9}\n)?(---\n)?([가-힣a-zäöü0-9 .·一-龥#-]|\n){0,120}",
        ) {
            let document = Document { path: "a.md".to_owned(), kind: Kind::Entry, text: text.clone() };
            let rule = Document { path: "b.md".to_owned(), kind: Kind::Rule, text };
            let found = verdict(&proposal(&title, &title, &body), &Known::from(vec![document, rule]));
            for candidate in found.candidates {
                prop_assert!((0.0..=1.0).contains(&candidate.score));
                prop_assert!(!candidate.evidence.is_empty());
            }
        }
    }
}
