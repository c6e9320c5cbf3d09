//! Work on many small things with the cores there are.

use std::num::NonZero;
use std::thread;

/// More threads than this wait for the file system, not for a core.
const MOST: usize = 4;

/// `work` on each item, results in the items' order. Fewer items than `many` are done at once.
pub fn map<T: Sync, R: Send>(items: &[T], many: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_with_room(items, many, 0, work)
}

/// The same where all of it needs about so many bytes that are kept.
pub fn map_with_room<T: Sync, R: Send>(
    items: &[T],
    many: usize,
    bytes: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(MOST);
    if items.len() < many || threads < 2 {
        return items.iter().map(work).collect();
    }
    let (own, others) = items.split_at(items.len() / threads);
    let share = others.len().div_ceil(threads - 1).max(1);
    let work = &work;
    thread::scope(|scope| {
        let helpers: Vec<_> = others
            .chunks(share)
            .map(|part| {
                let helper = thread::Builder::new().spawn_scoped(scope, move || {
                    make_room(bytes / threads);
                    part.iter().map(work).collect::<Vec<R>>()
                });
                (part, helper)
            })
            .collect();
        let mut done: Vec<R> = own.iter().map(work).collect();
        for (part, helper) in helpers {
            match helper {
                Ok(helper) => match helper.join() {
                    Ok(results) => done.extend(results),
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                // No thread to be had: it is done here.
                Err(_) => done.extend(part.iter().map(work)),
            }
        }
        done
    })
}

/// Asks for memory at once and gives it back: the heap of a helper keeps its room, but grows by a page
/// at a time, each a call to the system that all threads wait for.
fn make_room(bytes: usize) {
    // Larger blocks are not taken from the heap.
    const BLOCK: usize = 120 << 10;
    const MOST: usize = 32 << 20;
    let blocks = bytes.min(MOST) / BLOCK;
    let room: Vec<Vec<u8>> = (0..blocks).map(|_| Vec::with_capacity(BLOCK)).collect();
    std::hint::black_box(room);
}

/// Does two things side by side, if a thread can be had.
pub fn both<A: Send, B>(first: impl Fn() -> A + Sync, second: impl FnOnce() -> B) -> (A, B) {
    let first = &first;
    thread::scope(|scope| {
        let helper = thread::Builder::new().spawn_scoped(scope, first);
        let second = second();
        let first = match helper {
            Ok(helper) => helper
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => first(),
        };
        (first, second)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_stand_in_the_order_of_the_items() {
        for count in [0, 1, 2, 3, 7, 100, 1001] {
            let items: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
            assert_eq!(super::map(&items, 2, |item| item * 2), doubled, "{count}");
        }
    }

    #[test]
    fn both_are_done() {
        let one = String::from("one");
        assert_eq!(super::both(|| one.len(), || "two"), (3, "two"));
    }
}
