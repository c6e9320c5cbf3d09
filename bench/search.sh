#!/bin/bash
# Search against ripgrep over the same files, warm, in the same run: ratios of the best of RUNS.
#
#   bench/search.sh [--size MB] [--runs N] [--keep FOLDER] MNEMO
#
# Bars: over 1 GB a rare literal at most 3 times, queries at most 10 times what `rg -c` takes, within
# 256 MB of memory; over 10 MB at most 2 times.
set -euo pipefail
size=1024 runs=5 keep=
while [ $# -gt 1 ]; do
  case $1 in
    --size) size=$2; shift 2 ;;
    --runs) runs=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    *) echo "usage: bench/search.sh [--size MB] [--runs N] [--keep FOLDER] MNEMO" >&2; exit 2 ;;
  esac
done
mnemo=$(realpath "${1:?usage: bench/search.sh MNEMO}")
place=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$place"' EXIT
here=$(dirname "$(realpath "$0")")

# Day files of a made-up project: entries drawn from the labelled set, so that its queries hit.
make() { # folder, megabytes
  [ -d "$1/conversations" ] && return
  mkdir -p "$1/conversations"; touch "$1/.mnemo-root"
  python3 - "$1" "$2" "$here/../crates/recall/tests/data/shop/project/conversations" <<'PY'
import datetime, glob, os, random, re, sys
root, megabytes, source = sys.argv[1], int(sys.argv[2]), sys.argv[3]
dice = random.Random(7)
pairs = []
for path in sorted(glob.glob(source + '/*.md')):
    parts = re.split(r'(?m)^## \[[\d:]+\] (User|Assistant)\n', open(path, encoding='utf-8').read())[1:]
    turns = list(zip(parts[::2], parts[1::2]))
    for (a, question), (b, answer) in zip(turns, turns[1:]):
        if (a, b) == ('User', 'Assistant'):
            pairs.append((question.strip(), answer.strip()))
vocabulary = [word for pair in pairs for text in pair for word in text.split()]
day = datetime.date(2023, 1, 1)
days = 1000 if megabytes > 100 else 20
for index in range(days):
    lines = [f'---\ndate: {day}\nproject: bench\nkeywords: []\nsummary: ""\n---\n\n# {day}\n']
    size, turn = 0, 0
    while size < megabytes * 1048576 // days:
        question, answer = dice.choice(pairs)
        # Most turns speak of something else.
        if dice.random() < 0.97:
            question = ' '.join(dice.choice(vocabulary) for _ in range(12))
            answer = '\n'.join(' '.join(dice.choice(vocabulary) for _ in range(14)) for _ in range(12))
        if dice.random() < 0.02 and turn % 400 == 7 and index % 13 == 0:
            answer += '\nzq_rare_literal_881'
        mark = f'<!-- mnemo s=1f0c2d3e id={index:04x}{turn:06x} -->'
        clock = f'{8 + turn // 3600 % 14:02}:{turn // 60 % 60:02}:{turn % 60:02}'
        text = f'\n## [{clock}] User\n{mark}\n\n{question}\n\n## [{clock}] Assistant\n{mark}\n\n{answer}\n'
        lines.append(text); size += len(text.encode()); turn += 1
    if index == 3:
        lines.append(f'\n## [23:00:00] User\n{mark}\n\nzq_rare_literal_881\n')
    open(f'{root}/conversations/{day}-claude.md', 'w', encoding='utf-8').write(''.join(lines))
    day += datetime.timedelta(days=1)
PY
}

best() { # command ...: the best of the runs, in microseconds
  local least=
  for _ in $(seq "$runs"); do
    local start end
    start=${EPOCHREALTIME/[.,]/}; "$@" >/dev/null 2>&1 || true; end=${EPOCHREALTIME/[.,]/}
    [ -z "$least" ] || [ $((end - start)) -lt "$least" ] || continue
    least=$((end - start))
  done
  echo "$least"
}

failed=0
row() { # name, bar in per cent, folder, rg pattern, mnemo arguments ...
  local name=$1 bar=$2 folder=$3 pattern=$4; shift 4
  local rg ours ratio
  rg=$(best rg -c -F -i "$pattern" "$folder/conversations")
  ours=$(cd "$folder" && best "$mnemo" search --store record "$@")
  ratio=$((ours * 100 / rg))
  printf '| %s | %d.%02d ms | %d.%02d ms | %d.%02d | %d.%02d |\n' "$name" $((rg / 1000)) $((rg % 1000 / 10)) \
    $((ours / 1000)) $((ours % 1000 / 10)) $((ratio / 100)) $((ratio % 100)) $((bar / 100)) $((bar % 100))
  [ "$ratio" -le "$bar" ] || failed=1
}

export HOME=$place/home; mkdir -p "$HOME"
make "$place/large" "$size"; make "$place/small" 10
cat "$place"/large/conversations/* "$place"/small/conversations/* >/dev/null
echo "| case | rg -c | mnemo search | ratio | bar |"; echo "|---|---|---|---|---|"
row "$size MB, rare literal" 300 "$place/large" zq_rare_literal_881 --exact zq_rare_literal_881
row "10 MB, rare literal" 200 "$place/small" zq_rare_literal_881 --exact zq_rare_literal_881
python3 - "$here/../crates/recall/tests/data/shop/queries.json" <<'PY' >"$place/queries"
import json, sys
kinds = {}
for query in json.load(open(sys.argv[1], encoding='utf-8')):
    kinds.setdefault(query['kind'], query['query'])
print('\n'.join(kinds.values()))
PY
while IFS= read -r query; do
  row "$size MB, ${query//|/ }" 1000 "$place/large" "$query" "$query"
  row "10 MB, ${query//|/ }" 200 "$place/small" "$query" "$query"
done <"$place/queries"
memory=$(cd "$place/large" && python3 - "$mnemo" "$place/queries" <<'PY'
import resource, subprocess, sys
for query in open(sys.argv[2], encoding='utf-8'):
    subprocess.run([sys.argv[1], 'search', '--store', 'record', query.strip()], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PY
)
echo; echo "Memory at most: $memory MB (bar 256)."
[ "$memory" -le 256 ] || failed=1
exit $failed
