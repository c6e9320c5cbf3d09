#!/bin/sh
# What a first repair of a project's transcripts costs against one pass of grep over them, and how
# much memory it takes. Release build, in turn, warm files, medians. Linux only.
#
#   bench/repair.sh [--quick] [--size MB] [--runs N] [--mix TEXT]
#
# --quick   200 MB instead of 1 GB; the full run needs 2 GB for temporary files
# --mix     only the mixes whose name holds TEXT ("5 % text", "60 % text")
set -eu
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
cargo build --release --quiet -p mnemo -p mnemo-bench-transcripts
exec "$target/release/mnemo-bench-transcripts" "$target/release/mnemo" "$@"
