#!/bin/sh
# `mnemo garden` against `mnemo check` on a memory of 1,000 entries, in turns within one run; and how
# scan, relations and plan grow from 250 to 4,000 entries.
#
#   bench/garden.sh [RUNS]      (default 7)
#
# Ends with 1 if the three together take more than 20 times `mnemo check`, or grow faster than
# n log n (with a margin of a third for noise). `MNEMO` names a finished executable.
set -eu
cd "$(dirname "$0")/.."
runs=${1:-7}
if [ -z "${MNEMO-}" ]; then
    cargo build --release --quiet -p mnemo
    MNEMO=${CARGO_TARGET_DIR:-target}/release/mnemo
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
MNEMO=$(realpath "$MNEMO") PLACE=$place RUNS=$runs python3 - <<'PYTHON'
import math, os, random, statistics, subprocess, sys, time

place, runs, mnemo = os.environ["PLACE"], int(os.environ["RUNS"]), os.environ["MNEMO"]
kinds = ["user", "feedback", "project", "reference", "decision"]
environment = {"HOME": place, "PATH": "/usr/bin:/bin", "LANG": "C", "MNEMO_NOW": "2026-11-30T12:00:00"}

def make(count):
    """Every store speaks of as many subjects as it has entries by tens, as real ones do."""
    pick = random.Random(count)
    letters = "abcdefghijklmnoprstuvwz"
    word = lambda: "".join(pick.choice(letters) for _ in range(pick.randint(4, 9)))
    common = [word() for _ in range(400)]
    subjects = [[word() for _ in range(8)] for _ in range(max(1, count // 10))]
    root = os.path.join(place, str(count))
    memory = os.path.join(root, "memory")
    os.makedirs(os.path.join(root, "project", ".git"))
    os.mkdir(memory)
    with open(os.path.join(root, "project", "CLAUDE.md"), "w") as file:
        file.write("".join(f"- {' '.join(pick.choices(common, k=9))}\n" for _ in range(40)))
    index = ["# Index\n"]
    for i in range(count):
        kind, subject = kinds[i % 5], subjects[i % len(subjects)]
        name = f"{kind}_{subject[0]}_{i:04}"
        said = lambda: " ".join(pick.choices(common, k=6) + pick.choices(subject, k=3))
        body = "\n".join(f"{said().capitalize()}." for _ in range(4 + i % 20))
        text = (f"---\nname: {name}\ndescription: {said()}\ntype: {kind}\n---\n\n{body}\n")
        if i % 4 == 3:
            text += f"\nSee [[{before}]].\n"
        before = name
        with open(os.path.join(memory, name + ".md"), "w") as file:
            file.write(text)
        if i % 6 == 0:
            index.append(f"- [{name}]({name}.md) — {said()}\n")
    with open(os.path.join(memory, "MEMORY.md"), "w") as file:
        file.write("".join(index))
    return ["--store", memory, "--project-root", os.path.join(root, "project")]

def run(store, *command):
    start = time.perf_counter()
    subprocess.run([mnemo, *command, *store], env=environment, cwd=place,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - start) * 1000

def garden(store):
    return sum(run(store, "garden", what) for what in ("scan", "relations", "plan"))

failed = False
store = make(1000)
run(store, "check"), garden(store)
pairs = [(garden(store), run(store, "check")) for _ in range(runs)]
ours, check = (statistics.median(pair[at] for pair in pairs) for at in (0, 1))
ratio = statistics.median(a / b for a, b in pairs)
print(f"1000 entries: scan + relations + plan {ours:.0f} ms, check {check:.1f} ms, ratio {ratio:.1f}")
failed |= ratio > 20
sizes = [250, 500, 1000, 2000, 4000]
stores = {size: make(size) if size != 1000 else store for size in sizes}
times = {size: [] for size in sizes}
for _ in range(max(3, runs // 2)):
    for size in sizes:
        times[size].append(garden(stores[size]))
best = {size: min(times[size]) for size in sizes}
base = best[250] / (250 * math.log2(250))
for size in sizes:
    grown = best[size] / (size * math.log2(size)) / base
    print(f"{size:5} entries: {best[size]:7.1f} ms, {grown:.2f} of n log n")
failed |= best[4000] / (4000 * math.log2(4000)) / base > 4 / 3
sys.exit(failed)
PYTHON
