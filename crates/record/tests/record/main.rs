//! The record through its public interface.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod common;
mod crowd;
mod days;
mod index;
mod roots;
mod safety;
mod scaffold;
mod tools;
