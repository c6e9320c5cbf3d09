//! Hook events of Claude Code in, decisions out; the run loop that never breaks a session.
//!
//! A hook executable is one call of [`run`] with the function that decides. What the client sends
//! is read into an [`Event`], which holds facts only; what the function says comes back as an
//! [`Outcome`]. Payload shapes were measured on Claude Code 2.1.59, 2.1.197 and 2.1.332.

mod answer;
mod door;
mod event;
mod ids;
mod images;
mod input;

pub use answer::{Answer, Outcome};
pub use door::run;
pub use event::{Common, Event};
pub use ids::{PromptId, RecordId, Role, SessionId};
pub use images::images_as_text;
