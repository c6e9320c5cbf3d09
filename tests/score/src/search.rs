//! Search: ranking against labelled queries, and silence where there is no answer.
//!
//! `queries.json` is a list of `{id, query, kind, relevant: [{path, line_of_heading, grade}], now}`;
//! 3 answers the query, 2 helps, 1 is related. Plain BM25 over the same entries is computed beside.

use crate::{Score, Set};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Results that count.
const TOP: usize = 10;

/// Path and line of an entry.
type Place = (String, u64);

#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    count: f64,
    mrr: f64,
    ndcg: f64,
    recall: f64,
}

impl Sums {
    #[allow(clippy::cast_precision_loss, reason = "ranks up to ten")]
    fn add(&mut self, grades: &HashMap<Place, i32>, places: &[Place]) {
        let gains: Vec<i32> = places
            .iter()
            .take(TOP)
            .map(|place| grades.get(place).copied().unwrap_or(0))
            .collect();
        let dcg = |gains: &[i32]| -> f64 {
            gains
                .iter()
                .enumerate()
                .map(|(at, gain)| (2_f64.powi(*gain) - 1.0) / (at as f64 + 2.0).log2())
                .sum()
        };
        let mut ideal: Vec<i32> = grades.values().copied().collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let all = ideal.iter().filter(|grade| **grade >= 2).count().min(TOP);
        ideal.truncate(TOP);
        let good = gains.iter().filter(|gain| **gain >= 2).count();
        self.count += 1.0;
        self.mrr += gains
            .iter()
            .position(|gain| *gain >= 2)
            .map_or(0.0, |at| 1.0 / (at as f64 + 1.0));
        self.ndcg += dcg(&gains) / dcg(&ideal);
        self.recall += good as f64 / all.max(1) as f64;
    }

    fn mean(self) -> [f64; 3] {
        [self.mrr, self.ndcg, self.recall].map(|sum| sum / self.count)
    }
}

/// MRR of 0.80, nDCG of 0.62 and recall of 0.78 among the first ten, no kind more than one query
/// below BM25, and at most one query without an answer that gets one.
pub fn score(set: &Set, mnemo: &Path) -> Score {
    let mut score = Score::default();
    // What is searched lies where the client would find it.
    std::fs::write(set.project().join(".mnemo-root"), "").unwrap();
    let text = std::fs::read_to_string(set.path("queries.json")).unwrap();
    let queries: Value = serde_json::from_str(&text).unwrap();
    let plain = Bm25::new(&set.project());
    let mut all = Sums::default();
    let mut kinds: BTreeMap<String, (Sums, Sums)> = BTreeMap::new();
    let mut false_hits = 0;
    for query in queries.as_array().unwrap() {
        let words = query["query"].as_str().unwrap();
        let grades: HashMap<Place, i32> = query["relevant"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| {
                (
                    place(entry, "line_of_heading"),
                    i32::try_from(entry["grade"].as_i64().unwrap()).unwrap(),
                )
            })
            .collect();
        let now = query["now"]
            .as_str()
            .and_then(|now| now.get(..10))
            .unwrap_or("2026-10-14");
        let now = format!("{now}T12:00:00");
        let answer = set.ask_at(
            mnemo,
            &now,
            &["search", "--store", "record", "--limit", "10", "--", words],
        );
        let ours: Vec<Place> = answer["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| place(hit, "line"))
            .collect();
        if grades.is_empty() {
            if !ours.is_empty() {
                false_hits += 1;
                score.say(format!("a result for \"{words}\", which has no answer"));
            }
            continue;
        }
        all.add(&grades, &ours);
        let (kind, beside) = kinds
            .entry(query["kind"].as_str().unwrap().to_owned())
            .or_default();
        kind.add(&grades, &ours);
        beside.add(&grades, &plain.search(words));
    }
    for (kind, (ours, plain)) in &kinds {
        let ([mrr, ndcg, recall], [below, ..]) = (ours.mean(), plain.mean());
        score.say(format!("{kind:18}{:4}  MRR {mrr:.3}  nDCG {ndcg:.3}  recall {recall:.3}  (BM25: MRR {below:.3})", ours.count));
        if mrr < below - 1.0 / ours.count - 1e-9 {
            score.miss(format!("{kind}: more than one query below BM25"));
        }
    }
    let means = all.mean();
    let [mrr, ndcg, recall] = means;
    score.say(format!(
        "{:18}{:4}  MRR {mrr:.3}  nDCG {ndcg:.3}  recall {recall:.3}",
        "all", all.count
    ));
    for ((name, bar), mean) in [("MRR", 0.80), ("nDCG", 0.62), ("recall", 0.78)]
        .into_iter()
        .zip(means)
    {
        if mean < bar {
            score.miss(format!("{name} {mean:.3}, bar {bar}"));
        }
    }
    if false_hits > 1 {
        score.miss(format!(
            "{false_hits} queries without an answer have a result"
        ));
    }
    score
}

fn place(value: &Value, line: &str) -> Place {
    let path = value["path"].as_str().unwrap();
    (
        path.trim_start_matches("project/").to_owned(),
        value[line].as_u64().unwrap(),
    )
}

/// Plain BM25 (k1 1.2, b 0.75): Hangul as pairs of syllables, anything else as lower-case words.
struct Bm25 {
    entries: Vec<(Place, HashMap<String, f64>, f64)>,
    holds: HashMap<String, f64>,
    length: f64,
}

impl Bm25 {
    fn new(project: &Path) -> Self {
        let mut entries = Vec::new();
        for path in files(&project.join("conversations")) {
            for (line, text) in split(&std::fs::read_to_string(&path).unwrap()) {
                entries.push(((label(project, &path), line), text));
            }
        }
        for folder in ["architecture", "gotchas", "learned"] {
            for path in files(&project.join("memory").join(folder)) {
                if !path.ends_with("index.md") {
                    entries.push((
                        (label(project, &path), 1),
                        std::fs::read_to_string(&path).unwrap(),
                    ));
                }
            }
        }
        let entries: Vec<_> = entries
            .into_iter()
            .map(|(place, text)| {
                let mut counts: HashMap<String, f64> = HashMap::new();
                for term in terms(&text) {
                    *counts.entry(term).or_default() += 1.0;
                }
                let length = counts.values().sum();
                (place, counts, length)
            })
            .collect();
        let mut holds: HashMap<String, f64> = HashMap::new();
        for (_, counts, _) in &entries {
            for term in counts.keys() {
                *holds.entry(term.clone()).or_default() += 1.0;
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "some hundred entries")]
        let length = entries.iter().map(|(.., length)| length).sum::<f64>() / entries.len() as f64;
        Self {
            entries,
            holds,
            length,
        }
    }

    fn search(&self, query: &str) -> Vec<Place> {
        #[allow(clippy::cast_precision_loss, reason = "some hundred entries")]
        let count = self.entries.len() as f64;
        let mut scored: Vec<(f64, usize)> = self
            .entries
            .iter()
            .enumerate()
            .map(|(index, (_, counts, length))| {
                let value = terms(query)
                    .iter()
                    .filter_map(|term| {
                        let often = counts.get(term)?;
                        let holds = self.holds.get(term)?;
                        let rarity = (1.0 + (count - holds + 0.5) / (holds + 0.5)).ln();
                        Some(
                            rarity * often * 2.2
                                / (often + 1.2 * (0.25 + 0.75 * length / self.length)),
                        )
                    })
                    .sum::<f64>();
                (value, index)
            })
            .filter(|(value, _)| *value > 0.0)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored
            .into_iter()
            .take(TOP)
            .map(|(_, index)| self.entries[index].0.clone())
            .collect()
    }
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut out: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "md"))
        .collect();
    out.sort();
    out
}

fn label(project: &Path, path: &Path) -> String {
    path.strip_prefix(project)
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned()
}

/// Entries with the line of their heading; a heading inside a code fence is none.
fn split(text: &str) -> Vec<(u64, String)> {
    let mut out: Vec<(u64, String)> = Vec::new();
    let mut fence: Option<String> = None;
    for (line, number) in text.split('\n').zip(1..) {
        let sign: String = line
            .chars()
            .take_while(|c| matches!(c, '`' | '~'))
            .collect();
        let heading =
            line.starts_with("## [") && (line.ends_with("] User") || line.ends_with("] Assistant"));
        if fence.is_none() && heading {
            out.push((number, String::new()));
            continue;
        }
        if sign.len() >= 3 {
            match &fence {
                None => fence = Some(sign),
                Some(open) if sign.starts_with(open.as_str()) && line.trim() == sign => {
                    fence = None;
                }
                Some(_) => {}
            }
        }
        if let Some((_, body)) = out.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    out
}

fn terms(text: &str) -> Vec<String> {
    let hangul = |c: char| ('가'..='힣').contains(&c);
    let lower = text.to_lowercase();
    let mut out = Vec::new();
    let mut run = String::new();
    let mut flush = |run: &mut String| {
        let letters: Vec<char> = run.chars().collect();
        if run.starts_with(hangul) && letters.len() > 1 {
            out.extend(letters.windows(2).map(|pair| pair.iter().collect()));
        } else if !run.is_empty() {
            out.push(run.clone());
        }
        run.clear();
    };
    for c in lower.chars() {
        if !(c.is_alphanumeric() || c == '_') {
            flush(&mut run);
            continue;
        }
        if run
            .chars()
            .next_back()
            .is_some_and(|last| hangul(last) != hangul(c))
        {
            flush(&mut run);
        }
        run.push(c);
    }
    flush(&mut run);
    out
}
