//! Whether proven lines prove what they are to prove.

use super::{Shown, names};
use crate::cues::{self, Cue, Cues};
use crate::evidence::Evidence;
use crate::judge::{self, Held, Judgements, Rules};
use crate::prose::Statement;
use crate::relations::{self, RelationKind, Told, over, things};
use crate::scan::Scan;
use crate::verdict::{Confidence, Verdict};
use crate::view::{self, View};
use memory::Kind;
use std::cell::OnceCell;

/// An item's proven evidence.
pub(super) struct Asked<'a, 's> {
    pub(super) scan: &'s Scan,
    /// The entry.
    pub(super) at: usize,
    pub(super) proven: &'a [Shown],
    /// The entry that stays.
    pub(super) target: Option<&'a str>,
    /// What is taken over into that one.
    pub(super) append: Option<&'a str>,
    pub(super) judged: &'a OnceCell<Judgements>,
    pub(super) rules: &'a OnceCell<Rules<'s>>,
}

/// Words that a line must have in common with an entry to be about it.
const ABOUT: usize = 2;

impl Asked<'_, '_> {
    /// Why the lines do not prove a verdict, if they do not.
    pub(super) fn wrong(&self, verdict: Verdict) -> Option<&'static str> {
        let view = self.view();
        match verdict {
            Verdict::Promoted if view.kind != Some(Kind::Feedback) => {
                Some("only feedback is taken over by a rule")
            }
            Verdict::Promoted if !self.some(|shown| names::binds(self.scan, &shown.path)) => {
                Some("no line of a CLAUDE.md, a rule or a skill is quoted that took it over")
            }
            Verdict::Promoted
                if !self.some(|shown| {
                    names::binds(self.scan, &shown.path) && self.is_about(shown, ABOUT)
                }) && !self.proposed(verdict) =>
            {
                Some("the rule that is quoted says nothing of it")
            }
            Verdict::Promoted if self.forbidden() => Some("the rule that is quoted forbids it"),
            Verdict::Promoted => match self.held() {
                Held::Turned => Some("the rule that is quoted forbids it"),
                Held::Another if !self.is_proposed(verdict, true) => {
                    Some("the rule that is quoted says something else")
                }
                Held::NoRule => Some("what is quoted is no rule now"),
                Held::Said | Held::Another => None,
            },
            Verdict::Completed
                if !self.some(|shown| self.ends(shown)) && !self.proposed(verdict) =>
            {
                Some("no line is quoted that says that its project is over")
            }
            Verdict::Resolved
                if !self.some(|shown| self.resolves(shown)) && !self.proposed(verdict) =>
            {
                Some(
                    "no line is quoted that says what followed: that it is over, a later entry, a day that is past",
                )
            }
            Verdict::Duplicate if !self.some(|shown| self.is_target(shown)) => {
                Some("no line of the entry that stays is quoted")
            }
            Verdict::Duplicate => self.unsaid(),
            Verdict::Outdated
                if view.kind == Some(Kind::User)
                    && !self.some(|shown| shown.path != view.path && self.is_about(shown, 1)) =>
            {
                Some(
                    "an entry of type user is edited only on a line outside it that says otherwise of the same",
                )
            }
            _ => None,
        }
    }

    fn view(&self) -> &View {
        &self.scan.entries[self.at]
    }

    fn some(&self, fits: impl Fn(&Shown) -> bool) -> bool {
        self.proven.iter().any(fits)
    }

    /// The lines on which the program itself proposes a verdict; `surely`: not only as one that may be.
    fn judged_on(&self, verdict: Verdict, surely: bool) -> impl Iterator<Item = &Evidence> {
        let judged = self.judged.get_or_init(|| judge::judge(self.scan));
        let candidates = judged.all[self.at].candidates.iter();
        candidates
            .filter(move |candidate| {
                let sure = candidate.confidence != Confidence::Low || !surely;
                candidate.verdict == verdict && !candidate.guess && sure
            })
            .flat_map(|candidate| &candidate.evidence)
    }

    /// The program itself proposes it on one of these lines.
    fn proposed(&self, verdict: Verdict) -> bool {
        self.is_proposed(verdict, false)
    }

    fn is_proposed(&self, verdict: Verdict, surely: bool) -> bool {
        // Of a rule a part is enough.
        let same = |quote: &str, whole: &str| {
            quote == whole || verdict == Verdict::Promoted && whole.contains(quote)
        };
        self.judged_on(verdict, surely).any(|evidence| {
            self.some(|shown| shown.path == evidence.path && same(&shown.quote, &evidence.quote))
        })
    }

    /// The program itself sees one of these lines forbid what the entry demands.
    fn forbidden(&self) -> bool {
        self.judged_on(Verdict::Outdated, false)
            .filter(|evidence| names::binds(self.scan, &evidence.path))
            .any(|evidence| {
                self.some(|shown| {
                    shown.path == evidence.path && evidence.quote.contains(&shown.quote)
                })
            })
    }

    /// How the entry stands to the rules that are quoted.
    fn held(&self) -> Held {
        let known = |shown: &Shown| {
            let mut docs = self.scan.docs.iter();
            docs.any(|doc| doc.source.path == shown.path && doc.source.kind.binds())
        };
        // Rules that lie elsewhere were not read.
        let binding = self
            .proven
            .iter()
            .filter(|shown| names::binds(self.scan, &shown.path));
        if !binding.clone().all(known) {
            return Held::Said;
        }
        let rules = self.rules.get_or_init(|| Rules::of(self.scan));
        rules.held(self.view(), |doc, statement| {
            self.some(|shown| {
                let said = doc.text(statement);
                shown.path == doc.source.path
                    && (said.contains(&shown.quote)
                        || shown.quote.contains(said)
                            && doc.lines[statement.line - 1].contains(&shown.quote))
            })
        })
    }

    /// Why the entry that stays does not say what this one says, if it does not.
    fn unsaid(&self) -> Option<&'static str> {
        let view = self.view();
        let file = names::tidy(self.scan, self.target?);
        let place = self
            .scan
            .entries
            .iter()
            .position(|view| view.file == file)?;
        let keeper = &self.scan.entries[place];
        let contains = self.scan.relations().of(self.at).any(|relation| {
            relation.kind == RelationKind::Containment
                && relation.a == place
                && relation.b == self.at
        });
        if contains {
            return None;
        }
        match relations::told(&self.scan.corpus, view, keeper) {
            Told::Said => None,
            Told::Otherwise => Some("the entry that stays says something else"),
            // What is taken over is named beside what is not.
            Told::Less if self.append.is_some() => None,
            Told::Less => Some(
                "the entry that stays does not say what it says; what is missing there can be given with append",
            ),
        }
    }

    /// A line of the entry that stays.
    fn is_target(&self, shown: &Shown) -> bool {
        let of = |file: &str| self.scan.entries.iter().find(|view| view.file == file);
        match self
            .target
            .and_then(|target| of(&names::tidy(self.scan, target)))
        {
            Some(target) => shown.path == target.path,
            None => shown.path != self.view().path && shown.path.starts_with("memory/"),
        }
    }

    /// It is a line of the entry, of one that belongs to it, or has its words or numbers.
    fn is_about(&self, shown: &Shown, common: usize) -> bool {
        let view = self.view();
        if shown.path == view.path {
            return true;
        }
        let corpus = &self.scan.corpus;
        let words = corpus.known(&shown.quote);
        let held = words
            .iter()
            .filter(|word| corpus.holds(&view.whole, **word) > 0.0);
        let numbers = view::line_numbers(&shown.quote);
        held.count() >= common
            || numbers
                .iter()
                .any(|number| view.numbers.iter().any(|(own, _)| own == number))
            || self.follower(shown)
            || self.is_status(shown)
    }

    /// A line of an entry that follows this one.
    fn follower(&self, shown: &Shown) -> bool {
        self.scan.relations().of(self.at).any(|relation| {
            relation.b == self.at
                && relation.kind == RelationKind::Succession
                && self.scan.entries[relation.a].path == shown.path
        })
    }

    /// The STATUS.md of a project that the entry names, or bears the name of.
    fn is_status(&self, shown: &Shown) -> bool {
        let view = self.view();
        let Some(folder) = shown
            .path
            .strip_suffix("/STATUS.md")
            .and_then(|path| path.rsplit('/').next())
        else {
            return false;
        };
        let folder = folder.to_lowercase();
        let mut parts = folder
            .split(['-', '_', '.', ' '])
            .filter(|part| !part.is_empty());
        parts.any(|part| view.subject.iter().any(|word| word == part))
            || view
                .statements
                .iter()
                .any(|statement| statement.folded.contains(&folder))
    }

    /// It says that the entry's project is over.
    fn ends(&self, shown: &Shown) -> bool {
        let text = shown.quote.to_lowercase();
        let said = Cues::of(&text);
        let over = if said.has(Cue::Closed) {
            judge::status::closed(&text)
        } else {
            said.has(Cue::Ended)
        };
        over && !said.has(Cue::Running)
            && !said.has(Cue::NotYet)
            && if shown.path.ends_with("STATUS.md") {
                self.is_status(shown)
            } else {
                self.is_about(shown, ABOUT)
            }
    }

    /// It says what followed.
    fn resolves(&self, shown: &Shown) -> bool {
        let text = shown.quote.to_lowercase();
        let said = Cues::of(&text);
        let today = self.scan.now.date_naive();
        // A question, a plan, another thing of the sort ends nothing.
        let whole = self.line_of(shown).unwrap_or_default().to_lowercase();
        if cues::is_open(&text) || whole.ends_with(['?', '？']) || self.of_another_thing(shown) {
            return false;
        }
        let over = [Cue::Ended, Cue::Back, Cue::Replaces, Cue::Closed]
            .iter()
            .any(|cue| said.has(*cue))
            && !said.has(Cue::NotYet);
        let past = || view::days(&text).iter().any(|day| *day <= today);
        let expired = said.has(Cue::Expires) && view::days(&text).iter().any(|day| *day < today);
        if (over || expired || self.follower(shown)) && self.is_about(shown, 1) {
            return true;
        }
        // What came on a day that is past, as another entry tells it.
        let still = [
            Cue::NotYet,
            Cue::Plans,
            Cue::Ahead,
            Cue::Trouble,
            Cue::Until,
        ];
        shown.path != self.view().path
            && self.entry_of(shown).is_some()
            && past()
            && !still.iter().any(|cue| said.has(*cue))
            && self.is_about(shown, ABOUT)
    }

    /// The entry that a line stands in.
    fn entry_of(&self, shown: &Shown) -> Option<&View> {
        let mut entries = self.scan.entries.iter();
        entries.find(|view| view.path == shown.path)
    }

    /// The whole line that is quoted.
    fn line_of(&self, shown: &Shown) -> Option<&str> {
        let docs = self
            .scan
            .docs
            .iter()
            .find(|doc| doc.source.path == shown.path);
        let lines = match self.entry_of(shown) {
            Some(view) => &view.lines,
            None => &docs?.lines,
        };
        let line = lines.iter().find(|line| line.contains(&shown.quote))?;
        Some(line.trim())
    }

    /// It stands in an entry of another thing of the same sort.
    fn of_another_thing(&self, shown: &Shown) -> bool {
        let view = self.view();
        let Some(other) = self.entry_of(shown).filter(|other| other.path != view.path) else {
            return false;
        };
        let stands = |said: &Statement| other.text(said).contains(&shown.quote);
        let Some(at) = other.statements.iter().position(stands) else {
            return false;
        };
        let trouble = view.statements.iter().position(over::says_trouble);
        let Some(own) = trouble.or(view.claim()) else {
            return false;
        };
        things::are_two(&self.scan.corpus, (view, own), (other, at))
    }
}
