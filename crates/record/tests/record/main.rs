//! The record through its public interface.
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
