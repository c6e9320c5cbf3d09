#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mnemo_fuzz_targets::run("search", bytes));
