#!/bin/sh
# How many instructions each hook takes in its standard case, against the committed figures: a
# growth that a busy machine's clock would hide shows here. Whole processes under valgrind, the
# dynamic linker and the C library included, on the release build. Linux only.
#
#   bench/instructions.sh [--write]
#
# Ends with 1 when a hook takes over 10 % more than bench/instructions.txt says, with 2 when it
# cannot count. --write takes the counts of this run for the new figures.
#
# Counts of another compiler or C library differ: rust-toolchain.toml names the compiler, the
# figures' first lines the machine they were counted on.
set -eu
cd "$(dirname "$0")/.."
figures=bench/instructions.txt

case ${1-} in
'' | --write) ;;
*)
    echo "usage: bench/instructions.sh [--write]" >&2
    exit 2
    ;;
esac
if ! command -v valgrind >/dev/null; then
    echo "bench: valgrind is needed to count instructions: install the package valgrind" >&2
    exit 2
fi

target=${CARGO_TARGET_DIR:-target}
cargo build --release --locked --quiet -p mnemo-bench-empty -p mnemo-bench-pairs -p prompt-save \
    -p tool-log -p response-save -p session-reconcile -p stop-trigger

# Always the same folder: some work depends on the length of paths.
counted=$(TMPDIR=/tmp "$target/release/mnemo-bench-pairs" "$target/release" --instructions) || {
    echo "bench: the hooks could not be counted" >&2
    exit 2
}

if [ "${1-}" = --write ]; then
    {
        echo "# Instructions of each hook in its standard case; written by bench/instructions.sh --write"
        echo "# $(rustc --version | cut -d' ' -f1,2), $(ldd --version 2>&1 | sed -n '1s/.* /C library /p'), $(uname -sm)"
        echo "$counted"
    } >"$figures"
    cat "$figures"
    exit 0
fi

echo "$counted" | awk -v figures="$figures" '
    BEGIN {
        while ((getline line <figures) > 0) {
            if (line !~ /^#/ && split(line, word, " ") == 2) known[word[1]] = word[2]
        }
        printf "%-18s %12s %12s %8s\n", "hook", "committed", "now", "change"
    }
    {
        seen[$1] = 1
        if (!($1 in known)) {
            printf "%-18s %12s %12d          no committed figure\n", $1, "-", $2
            bad = 1
            next
        }
        change = ($2 - known[$1]) / known[$1] * 100
        over = change > 10
        printf "%-18s %12d %12d %+7.1f%%%s\n", $1, known[$1], $2, change, over ? "  OVER 10 %" : ""
        if (over) bad = 1
        if (change < -10) less = 1
    }
    END {
        for (hook in known) if (!(hook in seen)) {
            printf "%-18s was not counted\n", hook
            bad = 1
        }
        if (less) print "Less than committed by over 10 %: take the new figures with --write."
        if (bad) print "A growth that is worth it: commit new figures with --write, and say why."
        exit bad
    }'
