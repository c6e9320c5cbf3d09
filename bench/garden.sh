#!/bin/sh
# `mnemo garden scan`, `relations` and `plan` against `mnemo check` on the same memory in turns within
# one run, on memories of 250, 1,000 and 4,000 entries of three kinds:
#
#   dense      every entry shares the words of a small vocabulary with every other one
#   ordinary   words as rare as words are, subjects of about eight entries, four languages, a project
#   copies     sixty entries again and again under other names
#
#   bench/garden.sh [RUNS]      (default 7)
#
# Ratios are medians of processor time (user and system), which a busy machine changes least; the
# second ratio is that of the clock. Ends with 1 if on 1,000 entries the three together take more than
# 20 times `mnemo check`, or if they grow faster than n log n from 250 to 4,000 entries (with a margin
# of a third for noise). `MNEMO` names a finished executable.
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
import math, os, random, statistics, sys, time

place, runs, mnemo = os.environ["PLACE"], int(os.environ["RUNS"]), os.environ["MNEMO"]
types = ["user", "feedback", "project", "reference", "decision"]
environment = {"HOME": place, "PATH": "/usr/bin:/bin", "LANG": "C", "MNEMO_NOW": "2026-11-30T12:00:00"}
looks = ["scan", "relations", "plan"]
sentences = [
    ["the deploy of {s} failed on {d} and was fixed in PR #{n}", "we use {w} instead of {v} for {s}",
     "{s} is blocked until the vendor answers about {w}", "always run the {w} tests before pushing {s}",
     "see `src/{s}/{w}.rs` for the {v} handler", "the token for {w} expires on {d}",
     "decided to keep {w} in {s} because of {v}", "never touch {v} by hand, call `{w}_{s}()`"],
    ["die Umstellung von {s} auf {w} ist seit {d} abgeschlossen", "vor jedem Commit {w} und {v} prüfen",
     "{s} läuft mit {n} Sekunden Wartezeit", "der Fehler in `src/{s}/{w}.py` ist behoben, siehe #{n}"],
    ["{s} 배포는 {d}에 끝났고 {w} 는 아직 대기 중이다", "{w} 대신 {v} 를 쓴다", "커밋 전에 항상 {w} 테스트를 돌린다"],
    ["{s} 的部署已于 {d} 完成", "不要手动修改 {w} 表，使用 {v}", "{s} 的限制是 {n} 次每分钟"],
]

def words(pick, count):
    letters = "abcdefghijklmnoprstuvwz"
    return ["".join(pick.choice(letters) for _ in range(pick.randint(4, 9))) for _ in range(count)]

def dense(pick, count):
    common, subjects = words(pick, 400), [words(pick, 8) for _ in range(max(1, count // 10))]
    for i in range(count):
        subject = subjects[i % len(subjects)]
        said = lambda: " ".join(pick.choices(common, k=6) + pick.choices(subject, k=3))
        yield f"{types[i % 5]}_{subject[0]}_{i:04}", types[i % 5], said(), [said() + "." for _ in range(4 + i % 20)]

def ordinary(pick, count):
    size = int(600 + 120 * math.sqrt(count))
    known, weights = words(pick, size), [1 / (rank + 3) for rank in range(size)]
    subjects = [words(pick, 5) for _ in range(max(1, count // 8))]
    any_word = lambda k=1: pick.choices(known, weights, k=k)
    for i in range(count):
        subject, language = pick.choice(subjects), pick.choices(sentences, [5, 2, 2, 1])[0]
        def said():
            day = f"2026-{pick.randint(1, 12):02}-{pick.randint(1, 28):02}"
            text = pick.choice(language).format(s=pick.choice(subject), w=pick.choice(subject + any_word(4)),
                                                v=any_word()[0], n=pick.randint(2, 4000), d=day)
            return " ".join([text, *any_word(pick.randint(0, 8))])
        kind = pick.choice(types)
        body = [pick.choice(["", "", "- "]) + said() + "." for _ in range(pick.choice([2, 3, 3, 4, 5, 6, 8, 12, 25]))]
        yield f"{kind}_{subject[0]}_{pick.choice(known)}_{i:04}", kind, said(), body

def copies(pick, count):
    few = list(ordinary(pick, 60))
    for i in range(count):
        name, *rest = few[i % len(few)]
        yield f"{name}_{i // len(few)}", *rest

def make(kind, count):
    pick, root = random.Random(count), os.path.join(place, f"{kind.__name__}-{count}")
    memory, project = os.path.join(root, "memory"), os.path.join(root, "project")
    os.makedirs(os.path.join(project, ".git"))
    os.makedirs(os.path.join(project, "src"))
    os.mkdir(memory)
    index, rules, before = ["# Index\n"], [], None
    for i, (name, type, said, body) in enumerate(kind(pick, count)):
        text = f"---\nname: {name}\ndescription: {said}\ntype: {type}\n---\n\n" + "\n".join(body) + "\n"
        if before and i % 4 == 3:
            text += f"\nSee [[{before}]].\n"
        before = name
        with open(os.path.join(memory, name + ".md"), "w") as file:
            file.write(text)
        if i % 6 == 0:
            index.append(f"- [{name}]({name}.md) — {said}\n")
        if len(rules) < 40:
            rules.append(f"- {body[0]}\n")
    for file, lines in [(os.path.join(memory, "MEMORY.md"), index), (os.path.join(project, "CLAUDE.md"), rules)]:
        with open(file, "w") as file:
            file.writelines(lines)
    return ["--store", memory, "--project-root", project]

nowhere = os.open(os.devnull, os.O_WRONLY)

def run(store, *command):
    """Milliseconds of processor time, and by the clock."""
    start = time.perf_counter()
    child = os.posix_spawn(mnemo, [mnemo, *command, *store], environment,
                           file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1), (os.POSIX_SPAWN_DUP2, nowhere, 2)])
    _, status, used = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), (command, status)
    return (used.ru_utime + used.ru_stime) * 1000, (time.perf_counter() - start) * 1000

failed = False
for kind in (dense, ordinary, copies):
    stores = {count: make(kind, count) for count in (250, 1000, 4000)}
    times = {count: [] for count in stores}
    for _ in range(runs):
        for count, store in stores.items():
            times[count].append([run(store, "check"), *(run(store, "garden", look) for look in looks)])
    base = None
    for count, all in times.items():
        ratios = [statistics.median(one[1 + at][0] / one[0][0] for one in all) for at in range(3)]
        whole, clock = (statistics.median(sum(t[of] for t in one[1:]) / one[0][of] for one in all) for of in (0, 1))
        garden = min(sum(t[0] for t in one[1:]) for one in all)
        base = base or garden / (count * math.log2(count))
        grown = garden / (count * math.log2(count)) / base
        each = ", ".join(f"{look} {ratio:.1f}" for look, ratio in zip(looks, ratios))
        print(f"{kind.__name__:9}{count:5} entries: check {min(one[0][0] for one in all):6.1f} ms; times check: "
              f"{each}; together {whole:.1f} (clock {clock:.1f}); {grown:.2f} of n log n", flush=True)
        failed |= count == 1000 and whole > 20 or count == 4000 and grown > 4 / 3
sys.exit(failed)
PYTHON
