"""How time and bytes grow with size: exponents of rows of the cases grow-NAME-1x, -4x, -16x."""

import math
import re

import plots
from rows import TIMES, number

CASE = re.compile(r"^(.*)-(1|4|16)x$")


def exponent(points):
    """The slope of log y over log x by least squares."""
    n = len(points)
    u, v = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mu, mv = sum(u) / n, sum(v) / n
    return sum((a - mu) * (b - mv) for a, b in zip(u, v)) / sum((a - mu) ** 2 for a in u)


def families(rows):
    """{(suite, name, variant, metric): [(size, value)]} where all three sizes are known"""
    found = {}
    for key, row in rows.items():
        suite, case, variant, metric = key.split("/")
        match = CASE.match(case)
        if match and row[0] is not None and row[0] > 0.0 and "@" not in metric:
            found.setdefault((suite, match[1], variant, metric), []).append((int(match[2]), row[0], row[1]))
    return {k: sorted(v) for k, v in found.items() if len(v) == 3}


def table(rows, folder):
    """@return lines of the section, and {file: text} of its plot"""
    found = families(rows)
    times = {k: v for k, v in found.items() if k[3] in ("time", "ms", "ms_mean", "mean_ms") and v[0][2] in TIMES}
    if not times:
        return ["No run of the cases `grow-...` is kept here."], {}
    lines = ["The same work at 1, 4 and 16 times its size, on one worker; the exponents are fitted, 1 is linear. `worst` is the",
             "largest of the worst repetition over the median.", "",
             "| suite | case | variant | time at 1x | 16x | exponent of time | exponent of bytes | worst |",
             "|---|---|---|---|---|---|---|---|"]
    series = []
    for (suite, name, variant, metric), points in sorted(times.items()):
        sizes = [(x, y) for x, y, _ in points]
        stem = (suite, name, variant)
        bytes_ = next((found[stem + (m,)] for m in ("bytes", "memory_bytes") if stem + (m,) in found), None)
        worst = max((w[1] / m[1] for w, m in zip(found.get(stem + (metric + "_worst",), []),
                                                 found.get(stem + (metric + "_median",), []))), default=None)
        lines.append("| %s | %s | %s | %s %s | %s %s | %s | %s | %s |" % (
            suite, name, variant, number(points[0][1]), points[0][2], number(points[2][1]), points[2][2],
            number(exponent(sizes), 2), number(exponent([(x, y) for x, y, _ in bytes_]), 2) if bytes_ else "",
            number(worst, 2) if worst else ""))
        series.append(("%s %s" % (suite, name.replace("grow-", "")), [(x, y / sizes[0][1]) for x, y in sizes]))
    text = plots.draw("Time over size, as multiples of the smallest", series, "size", "time", log_x=True, log_y=True)
    return lines + ["", "![Time over size](%s/growth.svg)" % folder], {"growth.svg": text}
