//! Memory entries, their index, budget and audit.
pub mod overlap;
