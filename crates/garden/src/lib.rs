//! Relations, verdicts and plans for a memory, proven and applied.

pub mod act;
pub mod approval;
pub mod check;
mod claims;
mod corpus;
mod cues;
pub mod evidence;
pub mod fingerprint;
pub mod finish;
pub mod grouping;
mod judge;
mod lacks;
pub mod plan;
pub mod proof;
mod prose;
mod quantity;
pub mod relations;
pub mod report;
pub mod runs;
mod scan;
pub mod sources;
mod spots;
pub mod verdict;
pub mod view;

pub use claims::{Claim, ClaimKind, claims};
pub use evidence::Evidence;
pub use judge::{Group, Judgements, judge};
pub use relations::{Relation, RelationKind, Relations};
pub use scan::{Archived, Doc, Outline, Scan};
pub use sources::{Missing, Places, Source, SourceKind, Sources};
pub use verdict::{Candidate, Confidence, Judgement, Verdict};
pub use view::View;

use words::quick;
