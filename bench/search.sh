#!/bin/bash
# Search against ripgrep over the same files, warm, in the same run: ratios of processor time.
#
#   bench/search.sh [--size MB]... [--runs N] [--every N] [--keep FOLDER] MNEMO
#
# Measures each size (10 and 1024 MB unless told) with a rare literal and with the labelled queries
# (every N-th), against `rg -c` of the rare literal. Bars: a rare literal at most 3 times, queries at
# most 10 times, over 10 MB both at most 2 times; within 256 MB of memory. Ends with 1 if one is missed.
set -euo pipefail
usage="usage: bench/search.sh [--size MB]... [--runs N] [--every N] [--keep FOLDER] MNEMO"
sizes=() runs=5 every=1 keep=
while [ $# -gt 1 ]; do
  case $1 in
    --size) sizes+=("$2") ;;
    --runs) runs=$2 ;;
    --every) every=$2 ;;
    --keep) keep=$2 ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift 2
done
[ ${#sizes[@]} -gt 0 ] || sizes=(10 1024)
mnemo=$(realpath "${1:?$usage}")
here=$(dirname "$(realpath "$0")")
place=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$place"' EXIT
mkdir -p "$place/home"
labelled=$here/../crates/recall/tests/data/shop
for size in "${sizes[@]}"; do
  [ -d "$place/$size" ] || python3 "$here/archive.py" "$place/$size" "$size" "$labelled/project/conversations"
done
env -u CLAUDE_CONFIG_DIR HOME="$place/home" PYTHONPATH="$here" python3 - \
  "$mnemo" "$place" "$labelled/queries.json" "$runs" "$every" "${sizes[@]}" <<'PY'
import json, resource, statistics, sys
import ratio
mnemo, place, labelled, runs, every, *sizes = sys.argv[1:]
runs, every = int(runs), int(every)
# Those that name no days: a limit of days leaves most files out.
queries = [q['query'] for q in json.load(open(labelled, encoding='utf-8')) if 'since' not in q][::every]
rare = 'zq_rare_literal_881'
failed = False
print(f'{ratio.load()}; {len(queries)} queries, least of {runs} runs.\n')
print('| size | case | processor time, times `rg -c` | wall time, times | bar | |')
print('|---|---|---|---|---|---|')
for size in sizes:
    folder = f'{place}/{size}'
    rg = ['rg', '-c', '-F', rare, 'conversations']
    search = [mnemo, 'search', '--store', 'record']
    ratio.once(rg, folder)

    def row(case, cpu, wall, bar):
        global failed
        failed |= cpu > bar
        print(f'| {size} MB | {case} | {cpu:.2f} | {wall:.2f} | {bar} | {"over" if cpu > bar else ""} |', flush=True)

    cpu, wall, *_ = ratio.pair(rg, search + ['--exact', rare], folder, runs)
    row('rare literal', cpu, wall, 2 if int(size) <= 10 else 3)
    found = sorted((ratio.pair(rg, search + ['--', query], folder, runs)[:2], query) for query in queries)
    bar = 2 if int(size) <= 10 else 10
    (cpu, wall), _ = found[len(found) // 2]
    row('labelled queries, median', cpu, statistics.median(wall for (_, wall), _ in found), bar)
    (cpu, wall), query = found[-1]
    row(f'labelled queries, slowest: {query.replace("|", " ")}', cpu, wall, bar)
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(f'\nMemory at most: {memory} MB (bar 256).')
sys.exit(failed or memory > 256)
PY
