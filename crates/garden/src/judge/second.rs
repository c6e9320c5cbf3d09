//! What an entry would be if it is not what it is taken for: the verdict to ask for next.

use super::{Bench, over};
use crate::evidence::Evidence;
use crate::verdict::{Candidate, Confidence, Verdict};
use chrono::Days;
use memory::Kind;

/// Days after which a project that is not said to go on may be history.
const RECENT: u64 = 60;

impl Bench<'_> {
    /// The verdict to ask for after one that nothing speaks against, by what kind the entry is.
    pub(super) fn second(&self, at: usize, first: Verdict) -> Candidate {
        let view = self.view(at);
        let own: Vec<Evidence> = view.first().into_iter().collect();
        let guess = |verdict, evidence, note: &str| Candidate {
            guess: true,
            ..self.candidate(verdict, Confidence::Low, evidence, note, None)
        };
        if first != Verdict::Active {
            return guess(Verdict::Active, own, "or it is still valid");
        }
        match view.kind {
            Some(Kind::Project) => {
                let trouble = view.statements.iter().find(|said| over::says_trouble(said));
                if let Some(trouble) = trouble {
                    let evidence = vec![view.evidence(trouble)];
                    return guess(
                        Verdict::Resolved,
                        evidence,
                        "nothing tells what became of it",
                    );
                }
                let recent = view
                    .written
                    .is_some_and(|day| day + Days::new(RECENT) >= self.today);
                if let Some(status) = self.status(at) {
                    let evidence = vec![status.line.clone()];
                    return guess(Verdict::Completed, evidence, "unless its project is over");
                }
                let verdict = if recent {
                    Verdict::Completed
                } else {
                    Verdict::Stale
                };
                guess(verdict, own, "no STATUS.md tells how it stands")
            }
            Some(Kind::Reference | Kind::Decision) => {
                guess(Verdict::Outdated, own, "nothing at hand bears it out")
            }
            Some(Kind::User | Kind::Feedback) | None => {
                guess(Verdict::Stale, own, "nothing at hand bears it out")
            }
        }
    }
}
