#!/bin/sh
# `mnemo check` on a memory of 1,000 entries against `wc -c` on the same files, in turns within one
# run: whole processes, wall time and processor time.
#
#   bench/check.sh [RUNS]      (default 40)
#
# Ends with 1 if the median ratio of wall times is above 3. `MNEMO` names a finished executable.
set -eu
cd "$(dirname "$0")/.."
runs=${1:-40}
if [ -z "${MNEMO-}" ]; then
    cargo build --release --quiet -p mnemo
    MNEMO=${CARGO_TARGET_DIR:-target}/release/mnemo
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
MNEMO=$(realpath "$MNEMO") PLACE=$place RUNS=$runs python3 - <<'PYTHON'
import os, resource, statistics, subprocess, sys, time

place, runs = os.environ["PLACE"], int(os.environ["RUNS"])
memory = os.path.join(place, "memory")
os.mkdir(memory)
kinds = ["user", "feedback", "project", "reference", "decision"]
words = ["deploy goes out on Thursday", "배포는 목요일에 나간다", "Ausrollen immer donnerstags",
         "the limit of the queue is 500", "see `src/queue.rs` and `retry()`", "발표 자료는 아직 없다"]
index = ["# Index\n"]
for i in range(1000):
    kind = kinds[i % 5]
    name = f"{kind}_note_{i:04}"
    body = "\n".join(f"{words[(i + j) % 6]} ({i}, {j})" for j in range(4 + i % 30))
    text = (f"---\nname: {name}\ndescription: about {words[i % 6]}\ntype: {kind}\n---\n\n{body}\n"
            f"\nSee [[{kinds[(i + 1) % 5]}_note_{(i + 1) % 1000:04}]].\n")
    with open(os.path.join(memory, name + ".md"), "w", encoding="utf-8") as file:
        file.write(text)
    if i % 6 == 0:
        index.append(f"- [{name}]({name}.md) — {words[i % 6]} `~{len(text.encode()) * 10 // 32}tk`\n")
with open(os.path.join(memory, "MEMORY.md"), "w", encoding="utf-8") as file:
    file.write("".join(index))
files = sorted(os.path.join(memory, name) for name in os.listdir(memory))
environment = {"HOME": place, "PATH": "/usr/bin:/bin", "LANG": "C"}
check = [os.environ["MNEMO"], "check", "--store", memory]
count = ["wc", "-c", *files]

def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, env=environment, cwd=place, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1000, cpu * 1000

for command in (check, count):
    run(command), run(command)
pairs = [(run(check), run(count)) for _ in range(runs)]
for place, name in ((0, "wall"), (1, "processor")):
    ours = statistics.median(a[place] for a, _ in pairs)
    theirs = statistics.median(b[place] for _, b in pairs)
    ratio = statistics.median(a[place] / b[place] for a, b in pairs if b[place])
    print(f"{name:9} mnemo check {ours:6.1f} ms   wc -c {theirs:6.1f} ms   ratio {ratio:.2f}")
    if place == 0:
        over = ratio > 3
sys.exit(over)
PYTHON
