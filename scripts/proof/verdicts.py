"""Ahead, even within a tenth, or behind: ours beside the best peer of the same case, row by row.

A ratio that is near one of the two bounds is measured again, whole case by whole case, so that ours and the peers take
turns; the verdict is that of the median. All ratios of a run are kept in its verdicts.json. A machine that has a verdict
keeps it until a median has left its band by more than ratios have been seen to differ: two runs agree, and a change of
speed still shows.
"""

import json
import math
import os
import statistics
import subprocess
import tempfile
import time

from rows import TIMES, is_peer, is_stopped, number, read_rows

EVEN = 1.1

# A median may be this share outside of the band of the verdict that the machine has, or as much as was seen.
LEAST_SPREAD = 0.05
MOST_SPREAD = 0.25

# What is this near to a bound is measured again, that many times in all; a case may take so many seconds for it, and all.
NEAR = 1.4
ROUNDS = 5
CASE_SECONDS = 20.0
ALL_SECONDS = 90.0

# Which variant is ours where several are, the first that the case has; else the case's first of our own.
OURS = {
    "broadphase": ("bsp",),
    "collide": ("rubble-cold", "rubble"),
    "fracture": ("rubble",),
    "surface": ("from-scratch", "exact"),
    "tree": ("rubble-morton", "rubble"),
    "world": ("rubble-1",),
}
# Metrics that a verdict is given for, beside all times that a peer has a row of: less is better in all of them.
JUDGED = ("overlap_mean_mm", "bytes_per_body", "memory_bytes")
# What says more of the machine than of the code, and parts of a whole.
NOISE = ("median", "p99", "worst", "max", "landing", "late", "next", "steady", "update", "pairs", "wall", "build_ms")

BANDS = {"ahead": (0.0, 1.0 / EVEN), "even": (1.0 / EVEN, EVEN), "behind": (EVEN, math.inf)}


def judge(ratio):
    return next(word for word, (low, high) in BANDS.items() if ratio <= high and (word != "ahead" or ratio < high))


def spread_of(ratios):
    """By which share ratios of one run lie around their median, within limits; of many, but for the least and the most"""
    inner = sorted(ratios)[1:-1] if len(ratios) >= ROUNDS else ratios
    seen = (max(inner) - min(inner)) / (2.0 * statistics.median(ratios))
    return min(max(seen, LEAST_SPREAD), MOST_SPREAD)


def settle(ratios, before=None):
    """@param before  {"verdict", "spread"} that the machine has of this row, or None
    @return {"ratios", "spread", "verdict"}"""
    median, spread = statistics.median(ratios), spread_of(ratios)
    verdict = judge(median)
    if before and before["verdict"] in BANDS and before["verdict"] != verdict:
        low, high = BANDS[before["verdict"]]
        room = 1.0 + max(spread, before["spread"])
        if low / room <= median <= high * room:
            verdict = before["verdict"]
    return {"ratios": ratios, "spread": spread, "verdict": verdict}


def pairs_of(rows):
    """@param rows  {key: (value, unit, ...)}
    @return {"suite/case/metric": (our variant, our value, peer, its value, unit)}"""
    def is_judged(metric, unit):
        return metric in JUDGED or (unit in TIMES and "@" not in metric and not any(w in metric for w in NOISE))

    cases = {}
    for key, row in rows.items():
        suite, case, variant, metric = key.split("/")
        if is_judged(metric, row[1]):
            cases.setdefault((suite, case, metric), {})[variant] = row
    found = {}
    for (suite, case, metric), variants in sorted(cases.items()):
        stem = "/".join((suite, case))
        peers = {v: r for v, r in variants.items() if is_peer(v) and r[0] is not None and
                 not is_stopped(rows, "/".join((stem, v, metric)))}
        ours = [v for v in OURS.get(suite, ()) if v in variants] or [v for v in variants if not is_peer(v)]
        if not peers or not ours or variants[ours[0]][0] is None:
            continue
        best = min(peers, key=lambda v: (peers[v][0], v))
        if variants[ours[0]][1] == peers[best][1] and min(variants[ours[0]][0], peers[best][0]) > 0.0:
            found["/".join((suite, case, metric))] = (ours[0], variants[ours[0]][0], best, peers[best][0],
                                                      peers[best][1])
    return found


def ratios_of(rows):
    return {name: [pair[1] / pair[3]] for name, pair in pairs_of(rows).items()}


def read(folder):
    """@return {"suite/case/metric": {"ratios", "spread", "verdict"}} that a run kept, or {}"""
    path = os.path.join(folder or "", "verdicts.json")
    return json.load(open(path)) if folder and os.path.exists(path) else {}


def of_run(rows, kept=None):
    """@param kept  what read() gave; rows without one there are judged by themselves
    @return the same for all rows that have a verdict"""
    ratios = ratios_of(rows)
    return {name: kept[name] if kept and name in kept else settle(ratios[name]) for name in ratios}


def is_near(ratio):
    return any(bound / NEAR < ratio < bound * NEAR for bound in (1.0 / EVEN, EVEN))


def measure_again(program, rows):
    """Repeat the cases with a ratio near a bound. @return {"suite/case/metric": ratios}, and how many rounds were made"""
    ratios = ratios_of(rows)
    near = sorted({name.rsplit("/", 1)[0] for name in ratios if is_near(ratios[name][0])})
    begin, rounds = time.monotonic(), 0
    for name in near:
        suite, case = name.split("/")
        case_begin = time.monotonic()
        for _ in range(ROUNDS - 1):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "rows.json")
                subprocess.run([program, "bench", suite, "--case", "=" + case, "--json", path], check=True,
                               stdout=subprocess.DEVNULL)
                for row, found in ratios_of(read_rows(path)).items():
                    if row in ratios:
                        ratios[row] += found
            rounds += 1
            if time.monotonic() - case_begin > CASE_SECONDS or time.monotonic() - begin > ALL_SECONDS:
                break
        if time.monotonic() - begin > ALL_SECONDS:
            break
    return ratios, len(near), rounds


def keep(folder, program, rows, suites):
    """Judge the rows of suites that were just measured, after those that the machine had; write verdicts.json."""
    before = read(folder)
    ratios, near, rounds = measure_again(program, {k: r for k, r in rows.items() if k.split("/")[0] in suites})
    found = {name: settle(values, before.get(name)) for name, values in ratios.items()}
    kept = {name: old for name, old in before.items() if name.split("/")[0] not in suites}
    kept.update(found)
    with open(os.path.join(folder, "verdicts.json"), "w", encoding="utf-8") as file:
        json.dump(dict(sorted(kept.items())), file, indent=1)
        file.write("\n")
    return len(found), near, rounds


def table(rows, kept=None):
    """The lines of a table of all verdicts."""
    found, pairs = of_run(rows, kept), pairs_of(rows)
    if not found:
        return ["No run with peers is kept here: `make bench PEERS=1` installs those of Debian and measures beside them."]
    lines = ["| suite | case | metric | ours | best of the others | ratio | verdict |", "|---|---|---|---|---|---|---|"]
    for name, verdict in found.items():
        suite, case, metric = name.split("/")
        own, value, peer, other, unit = pairs[name]
        ratio = number(statistics.median(verdict["ratios"]))
        if len(verdict["ratios"]) > 1:
            ratio += ", of %d" % len(verdict["ratios"])
        lines.append("| %s | %s | `%s` | %s %s %s | %s %s %s | %s | %s |" % (
            suite, case, metric, own, number(value), unit, peer, number(other), unit, ratio, verdict["verdict"]))
    counts = [sum(v["verdict"] == word for v in found.values()) for word in BANDS]
    return ["%d rows: ahead in %d, even within a tenth in %d, behind in %d." % (len(found), *counts), ""] + lines


def compare(a, b):
    """@param a, b  what of_run() gave for two runs
    @return lines about rows whose verdicts differ, lines about those that lie at a bound, and how many were compared"""
    both = sorted(a.keys() & b.keys())
    differ, at_bound = [], []
    for name in both:
        one = a[name]
        two = settle(b[name]["ratios"], one)
        ratios = [statistics.median(v["ratios"]) for v in (one, two)]
        if two["verdict"] != one["verdict"]:
            differ.append("%s: %s (%.3g of the best peer), then %s (%.3g)" % (
                name, one["verdict"], ratios[0], two["verdict"], ratios[1]))
        elif judge(ratios[0]) != judge(ratios[1]):
            at_bound.append("%s: %s both times, at its bound (%.3g, then %.3g; %.0f %% apart at most)" % (
                name, one["verdict"], *ratios, 100.0 * max(one["spread"], two["spread"])))
    return differ, at_bound, len(both)
