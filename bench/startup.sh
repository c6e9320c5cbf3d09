#!/bin/sh
# What a hook costs against an empty program, and that it does not grow with what lies around it.
# Whole processes on the release build, in turn, medians. Needs hyperfine as a second opinion.
#
#   bench/startup.sh [--quick]     (--quick: fewer runs, and 64 MB instead of 1 GB; the full run
#                                   needs 2 GB in the folder for temporary files)
set -eu
cd "$(dirname "$0")/.."

if ! command -v hyperfine >/dev/null; then
    echo "bench: hyperfine is needed: install the package hyperfine (Debian, Homebrew) or run 'cargo install hyperfine'" >&2
    exit 2
fi

cargo build --release --quiet \
    -p mnemo-bench-empty -p mnemo-bench-pairs \
    -p prompt-save -p tool-log -p response-save -p session-reconcile -p stop-trigger
folder=${CARGO_TARGET_DIR:-target}/release

status=0
"$folder/mnemo-bench-pairs" "$folder" "$@" || status=$?

echo
echo "Second opinion: hyperfine, one event outside of any project"
echo
payload=$(mktemp)
trap 'rm -f "$payload"' EXIT
printf '{"session_id":"bench","hook_event_name":"UserPromptSubmit","prompt":"hello","cwd":"/"}\n' >"$payload"
hyperfine --shell=none --warmup 20 --runs 200 --input "$payload" --style none --export-markdown - \
    "$folder/mnemo-bench-empty" "$folder/prompt-save" 2>/dev/null

exit "$status"
