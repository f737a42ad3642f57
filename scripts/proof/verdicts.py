"""Ahead, even within a tenth, or behind: ours beside the best peer of the same case, row by row."""

from rows import TIMES, is_peer, is_stopped, number

EVEN = 1.1

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


def judge(ours, other):
    if other <= 0.0 or ours is None or other is None:
        return None
    ratio = ours / other
    return "ahead" if ratio * EVEN < 1.0 else "behind" if ratio > EVEN else "even"


def of_run(rows):
    """@param rows  {key: (value, unit, ...)}
    @return {(suite, case, metric): (verdict, our variant, our value, peer, its value, unit)}"""
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
        verdict = judge(variants[ours[0]][0], peers[best][0])
        if verdict and variants[ours[0]][1] == peers[best][1]:
            found[suite, case, metric] = (verdict, ours[0], variants[ours[0]][0], best, peers[best][0], peers[best][1])
    return found


def table(rows):
    """The lines of a table of all verdicts."""
    found = of_run(rows)
    if not found:
        return ["No run with peers is kept here: `make bench PEERS=1` installs those of Debian and measures beside them."]
    lines = ["| suite | case | metric | ours | best of the others | verdict |", "|---|---|---|---|---|---|"]
    for (suite, case, metric), (verdict, own, value, peer, other, unit) in found.items():
        lines.append("| %s | %s | `%s` | %s %s %s | %s %s %s | %s |" % (
            suite, case, metric, own, number(value), unit, peer, number(other), unit, verdict))
    counts = [sum(v[0] == word for v in found.values()) for word in ("ahead", "even", "behind")]
    return ["%d rows: ahead in %d, even within a tenth in %d, behind in %d." % (len(found), *counts), ""] + lines


def compare(a, b):
    """@return problems: rows of two runs whose verdicts differ, and how many were compared"""
    one, two = of_run(a), of_run(b)
    both = sorted(one.keys() & two.keys())
    lines = ["%s: %s (%.3g of %s), then %s (%.3g of %s)" % (
        "/".join(k), one[k][0], one[k][2] / one[k][4], one[k][3], two[k][0], two[k][2] / two[k][4], two[k][3])
        for k in both if one[k][0] != two[k][0]]
    return lines, len(both)
