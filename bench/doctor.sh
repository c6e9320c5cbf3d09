#!/bin/bash
# `mnemo doctor` and `mnemo doctor --deep` against `rg -c '^## \['` over the same project's day files
# and transcripts, warm, in the same run: ratios of processor time.
#
#   bench/doctor.sh [--size MB] [--memories N] [--runs N] [--keep FOLDER] FOLDER_OF_EXECUTABLES
#
# The project has so many MB of conversations (1024 unless told), half of them day files of years and
# half transcripts of the last 30 days whose turns are in the record too; 2,000 memory files in both
# memories, which name files, symbols and places that are there, moved and gone; a history in git.
# Bar: `doctor` at most 3 times; `--deep`, which compares every turn, has none. Ends with 1 if it is
# missed.
set -euo pipefail
usage="usage: bench/doctor.sh [--size MB] [--memories N] [--runs N] [--keep FOLDER] FOLDER_OF_EXECUTABLES"
size=1024 memories=2000 runs=5 keep=
while [ $# -gt 1 ]; do
  case $1 in
    --size) size=$2 ;;
    --memories) memories=$2 ;;
    --runs) runs=$2 ;;
    --keep) keep=$2 ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift 2
done
programs=$(realpath "${1:?$usage}")
mnemo=$programs/mnemo
writer=$programs/mnemo-bench-transcripts
here=$(dirname "$(realpath "$0")")
labelled=$here/../crates/recall/tests/data/shop
place=${keep:-$(mktemp -d)}
[ -n "$keep" ] || trap 'rm -rf "$place"' EXIT
place=$(realpath "$place")
project=$place/project
export HOME=$place/home MNEMO_NOW=2026-11-29T12:00:00
unset CLAUDE_CONFIG_DIR XDG_CONFIG_HOME XDG_STATE_HOME
if [ ! -d "$project" ]; then
  mkdir -p "$HOME"
  python3 "$here/archive.py" "$project" $((size / 2)) "$labelled/project/conversations"
  rm "$project/.mnemo-root"
  slug=$(printf %s "$project" | sed 's/[^A-Za-z0-9]/-/g')
  "$writer" --write "$HOME/.claude/projects/$slug" --cwd "$project" --size $((size / 2)) >/dev/null
  python3 - "$project" "$HOME/.claude/projects/$slug/memory" "$labelled/project/conversations" "$memories" <<'PY'
import glob, os, random, subprocess, sys
project, auto, source, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
dice = random.Random(7)
lines = [line.strip() for path in sorted(glob.glob(source + '/*.md')) for line in open(path, encoding='utf-8')]
lines = [line for line in lines if len(line) > 20 and not line.startswith(('#', '<!--', '```', '---', '- ['))]
git = lambda *args: subprocess.run(['git', '-C', project, '-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', *args],
                                   check=True, stdout=subprocess.DEVNULL)
git('init', '-q')
open(f'{project}/.git/info/exclude', 'a').write('/conversations/\n/memory/\n/MEMORY.md\n')
words = 'store queue batch ledger invoice order cart token cache index parse render route retry shard'.split()
files, symbols = [], []
for number in range(500):
    folder = f'src/{dice.choice(words)}/{dice.choice(words)}'
    path = f'{folder}/{dice.choice(words)}_{number:03}.rs'
    names = [f'{dice.choice(words)}_{dice.choice(words)}_{number}_{at}' for at in range(12)]
    os.makedirs(f'{project}/{folder}', exist_ok=True)
    with open(f'{project}/{path}', 'w') as file:
        for name in names:
            file.write(f'pub fn {name}() {{\n' + ''.join(f'    let {dice.choice(words)} = {dice.choice(words)}();\n' for _ in range(8)) + '}\n\n')
    files.append(path)
    symbols += names
git('add', 'src')
git('commit', '-q', '-m', 'feat: everything')
for path in files[:40]:
    os.makedirs(f'{project}/lib', exist_ok=True)
    git('mv', path, 'lib/' + os.path.basename(path))
git('commit', '-q', '-m', 'refactor: a library')
git('rm', '-q', *files[40:60])
git('commit', '-q', '-m', 'chore: drop what nobody used')
os.makedirs(auto, mode=0o700)
os.makedirs(f'{project}/memory/notes')
for folder, link in ((auto, ''), (f'{project}/memory/notes', 'memory/notes/')):
    index = ['# Memory', '']
    for number in range(count // 2):
        kind = ('user', 'feedback', 'project', 'reference', 'decision')[number % 5]
        name = f'{kind}_subject_{number:04}'
        said = [f'{dice.choice(lines)} See `{dice.choice(files)}` and `{dice.choice(symbols)}`.' for _ in range(3)]
        said += dice.sample(lines, 5 + number % 12)
        dice.shuffle(said)
        text = f'---\nname: {name}\ndescription: subject {number}\ntype: {kind}\n---\n\n' + '\n'.join(said) + '\n'
        if number % 4 == 3:
            text += f'\nSee [[{before}]].\n'
        before = name
        open(f'{folder}/{name}.md', 'w', encoding='utf-8').write(text)
        if number % 6 == 0:
            index.append(f'- [{name}]({link}{name}.md)')
    open(f'{folder if not link else project}/MEMORY.md', 'w', encoding='utf-8').write('\n'.join(index) + '\n')
PY
  (cd "$project" && "$mnemo" install >/dev/null && "$mnemo" reconcile --all --finished >/dev/null)
fi
PYTHONPATH=$here python3 - "$mnemo" "$project" "$HOME/.claude/projects" "$runs" <<'PY'
import glob, os, sys
import ratio
mnemo, project, transcripts, runs = *sys.argv[1:4], int(sys.argv[4])
day_files, spoken = glob.glob(project + '/conversations/*.md'), glob.glob(transcripts + '/*/*.jsonl')
size = lambda files: sum(map(os.path.getsize, files)) >> 20
memories = len(glob.glob(project + '/memory/**/*.md', recursive=True)) + len(glob.glob(transcripts + '/*/memory/*.md'))
rg = ['rg', '-c', r'^## \[', *day_files, *spoken]
ratio.once(rg, project)
print(f'{ratio.load()}; {size(day_files)} MB in {len(day_files)} day files, {size(spoken)} MB in {len(spoken)} transcripts, '
      f'{memories} memory files, least of {runs} runs.\n')
print('| case | processor time, times `rg -c` | wall time, times | bar | |')
print('|---|---|---|---|---|')
failed = False
for case, bar in (([], 3), (['--deep'], None)):
    cpu, wall, theirs, ours = ratio.pair(rg, [mnemo, 'doctor', *case], project, runs)
    over = bar is not None and cpu > bar
    failed |= over
    print(f'| `{" ".join(["doctor", *case])}` ({ours:.0f} ms, rg {theirs:.0f} ms) | {cpu:.2f} | {wall:.2f} | {bar or ""} | {"over" if over else ""} |', flush=True)
sys.exit(failed)
PY
