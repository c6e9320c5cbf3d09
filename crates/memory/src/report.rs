//! The audit in words.
