//! Sorts the lexicon's words by stem, so that looking one up at run time needs no loading.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script stops the build where something is wrong, and talks to cargo"
)]

#[path = "src/base/mod.rs"]
mod base;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src/base");
    let mut files: Vec<_> = std::fs::read_dir("data")
        .expect("data/ is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    files.sort();

    let mut concepts = String::new();
    let mut stems: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut starts = vec![0];
    let mut id = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a readable text");
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            for member in line
                .split(',')
                .map(str::trim)
                .filter(|member| !member.is_empty())
            {
                let key = base::fold::fold(member.trim_start_matches('~'))
                    .split_whitespace()
                    .map(|word| base::stem(word).into_owned())
                    .collect::<Vec<_>>()
                    .join(" ");
                let ids = stems.entry(key).or_default();
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
                writeln!(concepts, "{}", base::fold::fold(member)).unwrap();
            }
            starts.push(concepts.len());
            id += 1;
        }
    }

    let mut sorted = String::new();
    for (stem, ids) in &stems {
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        writeln!(sorted, "{stem}\t{}", ids.join(",")).unwrap();
    }
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let out = Path::new(&out);
    std::fs::write(out.join("concepts.txt"), concepts).unwrap();
    std::fs::write(out.join("stems.txt"), sorted).unwrap();
    std::fs::write(out.join("starts.rs"), format!("&{starts:?}")).unwrap();
}
