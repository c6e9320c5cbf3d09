//! Does nothing: the measure of what starting a program costs.

fn main() {}
