"""What processes cost against each other, for bench/search.sh and bench/overlap.sh.

Pairs are run in turn, so that whatever slows the machine down meets both; what counts is the least
processor time (user and system) of the runs, all threads together. Wall time is told beside it.
"""
import os, resource, subprocess, time


def once(command, folder):
    """Processor time and wall time of one run, in milliseconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f'{command[0]} ended with {done.returncode}: {" ".join(command)}')
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1e3, wall * 1e3


def pair(measure, ours, folder, runs):
    """The ratio of processor time, that of wall time, and both processor times in milliseconds."""
    best = [(float('inf'),) * 2] * 2
    for turn in range(runs):
        order = [(0, measure), (1, ours)]
        for index, command in order if turn % 2 else reversed(order):
            best[index] = tuple(map(min, best[index], once(command, folder)))
    (theirs, their_wall), (own, own_wall) = best
    return own / theirs, own_wall / their_wall, theirs, own


def load():
    return f'{time.strftime("%Y-%m-%d")}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores'
