//! Where a missing entry goes.

use crate::said::Said;
use chrono::NaiveTime;
use claude_hook::Role;
use record::day::Digest;
use std::collections::{HashMap, HashSet};

/// For each missing utterance of one day (`missing`, in conversation order within a source): the
/// number of the entry it goes before. `entry_of` tells where an utterance of the pool stands in
/// this day, `pool` is in conversation order within a source.
///
/// Within a session the order of the conversation counts, across sessions the heading's second.
pub(crate) fn place(
    digest: &Digest,
    pool: &[Said],
    entry_of: impl Fn(usize) -> Option<usize>,
    missing: &[usize],
) -> Vec<(usize, usize)> {
    let times: Vec<NaiveTime> = digest.entries.iter().map(|entry| entry.time).collect();
    let sorted = times.is_sorted();
    let mut placed: Vec<(usize, usize)> = Vec::with_capacity(missing.len());
    // Upper bounds: the entry of the next matched utterance of the same source.
    let mut above: HashMap<usize, usize> = HashMap::new();
    let mut next: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    let mut open = missing.iter().rev().peekable();
    for number in (0..pool.len()).rev() {
        let source = pool[number].source;
        if let Some(entry) = entry_of(number) {
            next.entry(source).or_default().push((number, entry));
        }
        if open.next_if(|&&one| one == number).is_some()
            && let Some(&(_, entry)) = next.get(&source).and_then(|next| {
                let mut next = next.iter().rev();
                next.find(|(later, entry)| {
                    !waited_since_before(&pool[*later], times[*entry], &pool[number])
                })
            })
        {
            above.insert(number, entry);
        }
    }
    let taken: HashSet<usize> = (0..pool.len()).filter_map(&entry_of).collect();
    // Lower bounds: behind what was said before it.
    let mut behind: HashMap<usize, usize> = HashMap::new();
    let mut open = missing.iter().peekable();
    for (number, said) in pool.iter().enumerate() {
        if let Some(entry) = entry_of(number) {
            let behind = behind.entry(said.source).or_default();
            *behind = (entry + 1).max(*behind);
        }
        if open.next_if(|&&one| one == number).is_none() {
            continue;
        }
        let low = behind.get(&said.source).copied().unwrap_or(0);
        let high = above
            .get(&number)
            .copied()
            .unwrap_or(times.len())
            .max(low)
            .min(times.len());
        let own = said.when.time();
        let low = low.min(high);
        let before = low
            + if sorted {
                times[low..high].partition_point(|time| second(*time) <= second(own))
            } else {
                times[low..high]
                    .iter()
                    .position(|time| second(*time) > second(own))
                    .unwrap_or(high - low)
            };
        let before = before_later_prompts(digest, &taken, said, low, before);
        behind.insert(said.source, before);
        placed.push((before, number));
    }
    order_within_gaps(&mut placed, pool);
    placed
}

/// Whether a prompt was typed, and its entry written at `entry`, before `said` was, though its turn
/// came later: it waited while `said`'s turn ran.
fn waited_since_before(prompt: &Said, entry: NaiveTime, said: &Said) -> bool {
    let own = second(said.when.time());
    prompt.role == Role::User
        && prompt.when >= said.when
        && prompt.when.date() == said.when.date()
        && second(entry) < own
}

/// A prompt of the session's own that no transcript holds yet, in the very second of a reply, is the
/// next one: the hook saved it before its line was written. In the second of a turn's own prompt it
/// is one that was typed into that turn, if it carries the turn's id.
fn before_later_prompts(
    digest: &Digest,
    taken: &HashSet<usize>,
    said: &Said,
    low: usize,
    mut before: usize,
) -> usize {
    while before > low
        && (said.role == Role::User || !taken.contains(&(before - 1)))
        && let Some(entry) = digest.entries.get(before - 1)
        && entry.role == Role::User
        && second(entry.time) == second(said.when.time())
        && entry.marker.is_some_and(|marker| {
            // Old clients' turns have no ids; the turn's own prompt is read with it, and taken.
            marker.session == Some(said.session)
                && match said.role {
                    Role::Assistant => marker.turn != said.turn || said.turn.is_none(),
                    Role::User => marker.turn == said.turn && said.turn.is_some(),
                }
        })
    {
        before -= 1;
    }
    before
}

/// Orders what goes to one place by time, each source's own order kept.
fn order_within_gaps(placed: &mut [(usize, usize)], pool: &[Said]) {
    // The latest moment of a source so far: what follows in it cannot stand before.
    let mut latest: HashMap<(usize, usize), chrono::NaiveDateTime> = HashMap::new();
    let mut keys = HashMap::new();
    for &(before, number) in placed.iter() {
        let said = &pool[number];
        let latest = latest.entry((before, said.source)).or_insert(said.when);
        *latest = (*latest).max(said.when);
        keys.insert(number, *latest);
    }
    placed.sort_by_key(|&(before, number)| (before, keys.get(&number).copied()));
}

fn second(time: NaiveTime) -> u32 {
    chrono::Timelike::num_seconds_from_midnight(&time)
}
