#!/bin/bash
# `mnemo memory overlap` against `wc -c` over the same files, in the same run: ratios of processor
# time, over 1,000 entries.
#
#   bench/overlap.sh [--runs N] [--entries N] MNEMO
#
# Bar: at most 10 times. Ends with 1 if it is missed.
set -euo pipefail
usage="usage: bench/overlap.sh [--runs N] [--entries N] MNEMO"
runs=9 entries=1000
while [ $# -gt 1 ]; do
  case $1 in
    --runs) runs=$2 ;;
    --entries) entries=$2 ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift 2
done
mnemo=$(realpath "${1:?$usage}")
here=$(dirname "$(realpath "$0")")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/home"
env -u CLAUDE_CONFIG_DIR HOME="$place/home" PYTHONPATH="$here" python3 - \
  "$mnemo" "$place/memory" "$here/../crates/recall/tests/data/shop/project/conversations" "$runs" "$entries" <<'PY'
import glob, os, random, sys
import ratio
mnemo, folder, source, runs, count = sys.argv[1:]
runs, count, dice = int(runs), int(count), random.Random(7)
lines = [line.strip() for path in sorted(glob.glob(source + '/*.md')) for line in open(path, encoding='utf-8')]
lines = [line for line in lines if len(line) > 20 and not line.startswith(('#', '<!--', '```', '---'))]
os.makedirs(folder)
index = ['# Memory', '']
for number in range(count):
    name = f'reference_subject_{number:04}'
    said = dice.sample(lines, 6)
    head = said[0].replace('"', "'").replace(':', ' ').replace('#', ' ')[:100].strip("`'-*> ")
    text = f'---\nname: {name}\ndescription: "{head}"\ntype: reference\n---\n\n' + '\n'.join(said[1:]) + '\n'
    open(f'{folder}/{name}.md', 'w', encoding='utf-8').write(text)
    index.append(f'- [{name}]({name}.md)')
open(f'{folder}/MEMORY.md', 'w', encoding='utf-8').write('\n'.join(index) + '\n')
files = sorted(os.listdir(folder))
ours = [mnemo, 'memory', 'overlap', '--store', folder, '--title', 'Refunds are partial',
        '--description', 'Refunds of single items go back to the card within three days']
cpu, wall, theirs, own = ratio.pair(['wc', '-c', *files], ours, folder, runs)
print(f'{ratio.load()}; {count} entries, least of {runs} runs.\n')
print('| processor time, times `wc -c` | wall time, times | bar |\n|---|---|---|')
print(f'| {cpu:.2f} | {wall:.2f} | 10 |')
sys.exit(cpu > 10)
PY
