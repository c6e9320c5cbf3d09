//! Memory entries, their index, budget and audit.
