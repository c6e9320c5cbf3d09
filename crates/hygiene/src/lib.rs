//! Finds what rots in a memory, and mends what is mechanical.
//!
//! - [`anchors`]: every path and symbol that a memory names: there, moved, gone, or no path at all.

pub mod anchors;
