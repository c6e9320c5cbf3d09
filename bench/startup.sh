#!/bin/sh
# What a hook costs against an empty program and against a shell script that does the least such a
# hook must do (bench/shell, needs jq), and that it does not grow with what lies around it. Whole
# processes on the release build, in turn, medians. Needs hyperfine as a second opinion.
#
#   bench/startup.sh [--write] [--static] [--quick] [--runs N] [--only TEXT]
#
# --write   puts what is printed into BENCHMARKS.md, in place of what was measured before
# --static  the hooks linked statically, as far as the C library allows, against the same empty
#           program as ever
# --quick   fewer runs, and 64 MB instead of 1 GB; the full run needs 3 GB for temporary files
set -eu
cd "$(dirname "$0")/.."

if ! command -v hyperfine >/dev/null; then
    echo "bench: hyperfine is needed: install the package hyperfine (Debian, Homebrew) or run 'cargo install hyperfine'" >&2
    exit 2
fi

if [ "${1-}" = --write ]; then
    shift
    measured=$(mktemp)
    status=0
    "$0" "$@" >"$measured" || status=$?
    cat "$measured"
    [ "$status" -le 1 ] || exit "$status"
    awk -v measured="$measured" '
        /^<!-- measured: end -->$/ { inside = 0 }
        !inside { print }
        /^<!-- measured: begin -->$/ {
            inside = 1
            print ""
            while ((getline line <measured) > 0) print line
            print ""
        }' BENCHMARKS.md >"$measured.md"
    cat "$measured.md" >BENCHMARKS.md
    rm -f "$measured" "$measured.md"
    exit "$status"
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

shell=
if command -v jq >/dev/null; then
    shell="--shell bench/shell"
else
    echo "bench: jq is not here, so the shell scripts are left out" >&2
fi

cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo unknown)
echo "$(uname -sm), $cores cores, $(rustc --version | cut -d' ' -f1,2). Median of a whole process"
echo "(middle half of the runs)."
echo
status=0
# shellcheck disable=SC2086 # an option with its value, or none
"$target/release/mnemo-bench-pairs" "$folder" --empty "$empty" $shell "$@" || status=$?
[ "$status" -le 1 ] || exit "$status"

echo
echo "### Second opinion: hyperfine, one event outside of any project"
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
HOME=$home hyperfine --shell=none --warmup 20 --runs 200 $input --style none -n "empty program" -n prompt-save \
    --export-markdown "$home/table" "$empty" "$folder/prompt-save" >/dev/null 2>&1 ||
    echo "hyperfine failed" >"$home/table"
cat "$home/table"

exit "$status"
