#!/bin/sh
# What a hook costs against an empty program, and that it does not grow with what lies around it.
# Whole processes on the release build, in turn, medians. Needs hyperfine as a second opinion.
#
#   bench/startup.sh [--static] [--quick] [--runs N] [--only TEXT]
#
# --static  the hooks linked statically, as far as the C library allows, against the same empty
#           program as ever
# --quick   fewer runs, and 64 MB instead of 1 GB; the full run needs 2 GB for temporary files
set -eu
cd "$(dirname "$0")/.."

if ! command -v hyperfine >/dev/null; then
    echo "bench: hyperfine is needed: install the package hyperfine (Debian, Homebrew) or run 'cargo install hyperfine'" >&2
    exit 2
fi

build() {
    cargo build --release --quiet "$@"
}
hooks='-p prompt-save -p tool-log -p response-save -p session-reconcile -p stop-trigger'

target=${CARGO_TARGET_DIR:-target}
build -p mnemo-bench-empty -p mnemo-bench-pairs
folder=$target/release
if [ "${1-}" = --static ]; then
    shift
    host=$(rustc -vV | sed -n 's/^host: //p')
    # Only with a target named do these flags leave the procedural macros alone.
    # shellcheck disable=SC2086 # a list of options
    RUSTFLAGS='-C target-feature=+crt-static' build --target "$host" $hooks
    folder=$target/$host/release
else
    # shellcheck disable=SC2086 # a list of options
    build $hooks
fi
empty=$target/release/mnemo-bench-empty

status=0
"$target/release/mnemo-bench-pairs" "$folder" --empty "$empty" "$@" || status=$?

echo
echo "Second opinion: hyperfine, one event outside of any project"
echo
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
printf '{"session_id":"bench","hook_event_name":"UserPromptSubmit","prompt":"hello","cwd":"/"}\n' >"$home/payload"
# Older versions of hyperfine know no input: then the hook finds its standard input empty.
input=
if hyperfine --help | grep -q -e '--input'; then
    input="--input $home/payload"
fi
# shellcheck disable=SC2086 # one option, or none
HOME=$home hyperfine --shell=none --warmup 20 --runs 200 $input --style none \
    --export-markdown "$home/table" "$empty" "$folder/prompt-save" >/dev/null 2>&1 ||
    echo "hyperfine failed" >"$home/table"
cat "$home/table"

exit "$status"
