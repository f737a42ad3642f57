"""Rows of benchmarks: where they are kept, and what was measured on what.

A row is (suite, case, variant, metric) -> value and unit; its key is the four with slashes between. Runs are the
folders below bench/results/. Where one of them is of one run of all suites that left out no case, the newest such is all
there is; until then all count, and before them bench/results/baseline.json. A metric NAME@X is a point of a curve: the value of NAME at X.
"""

import collections
import glob
import json
import os

Row = collections.namedtuple("Row", "value unit label is_quick")
Run = collections.namedtuple("Run", "label folder about is_quick suites rows left_out")

# Variants of other libraries; a name may go on behind a dash. What is not here is ours, or a baseline of ours.
PEERS = ("box3d", "bullet", "cgal", "embree", "fcl", "jolt", "ode", "qhull", "voro++")
SUITES = ("base", "broadphase", "collide", "field", "fracture", "geometry", "io", "solver", "surface", "tree", "world")
TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def is_peer(variant):
    return any(variant == p or variant.startswith(p + "-") for p in PEERS)


def read_rows(path):
    """@return {key: (value, unit)} of a file that `rubble bench --json` wrote"""
    return {"/".join((r["suite"], r["case"], r["variant"], r["metric"])): (r["value"], r["unit"])
            for r in json.load(open(path))}


def read_run(folder, label):
    about = json.load(open(os.path.join(folder, "run.json")))
    rows, left_out = {}, []
    for suite, facts in about["suites"].items():
        rows.update(read_rows(os.path.join(folder, suite + ".json")))
        left_out += facts.get("left_out", [])
    return Run(label, folder, about, about["quick"], sorted(about["suites"]), rows, left_out)


def is_whole(about):
    """@return whether all suites were measured by one run of `make bench`, and no case for want of a model left out"""
    suites = about["suites"]
    return (sorted(suites) == sorted(SUITES) and not any(s.get("left_out") for s in suites.values()) and
            len({s.get("run", name) for name, s in suites.items()}) == 1)


def when(run):
    return max(s.get("run", s["date"]) for s in run.about["suites"].values())


def minutes(run):
    """How long the suites took, as text, where the run says so."""
    seconds = {name: s["seconds"] for name, s in run.about["suites"].items() if "seconds" in s}
    if len(seconds) != len(run.about["suites"]):
        return ""
    each = ", ".join("%s %d s" % (name, s) for name, s in sorted(seconds.items(), key=lambda x: -x[1]))
    return "%.0f minutes: %s" % (sum(seconds.values()) / 60.0, each)


def describe(run):
    if not run.about:
        return "a two-core machine at 2.8 GHz, all suites but `field` of an earlier version, without peers" \
            " (`bench/results/baseline.json`)"
    suites = run.about["suites"].values()
    peers = sorted({p for s in suites for p in s["peers"]})
    text = "%s, %d cores, %s, %s%s; commit %s; peers: %s; suites: %s" % (
        run.about["processor"], run.about["cores"], run.about["compiler"], ", ".join(sorted({s["date"] for s in suites})),
        ", a quick run" if run.is_quick else "", " and ".join(sorted({s["commit"] for s in suites})),
        ", ".join(peers) or "none", ", ".join(run.suites))
    return text + ("; " + run.about["note"] if "note" in run.about else "")


def read_parts(root, quick, whole):
    """Runs of some suites: quick ones first, the baseline, then whole ones, each with a letter."""
    runs = [read_run(f, "") for f in quick]
    base = os.path.join(root, "baseline.json")
    if os.path.exists(base):
        rows = read_rows(base)
        runs.append(Run("", base, None, False, sorted({k.split("/")[0] for k in rows}), rows, []))
    runs += [read_run(f, "") for f in whole]
    return [run._replace(label=chr(ord("A") + i)) for i, run in enumerate(reversed(runs))][::-1]


def read_all(root="bench/results", only=None):
    """The newest run of all suites; where there is none, all runs in the order in which they count. A quick run
    has smaller scenes under the same names, so it never hides a whole one.
    @param only  a folder: its run alone
    @return the list of runs, and {key: Row} of the last to have each"""
    if only:
        runs = [read_run(only, "A")]
    else:
        folders = sorted(os.path.dirname(f) for f in glob.glob(os.path.join(root, "*", "run.json")))
        about = {f: json.load(open(os.path.join(f, "run.json"))) for f in folders}
        quick = [f for f in folders if about[f]["quick"]]
        whole = [f for f in folders if f not in quick]
        complete = sorted((read_run(f, "") for f in whole if is_whole(about[f])), key=lambda run: (when(run), run.folder))
        runs = complete[-1:] if complete else read_parts(root, quick, whole)
    rows = {}
    for run in runs:
        for key, (value, unit) in run.rows.items():
            rows[key] = Row(value, unit, run.label, run.is_quick)
    return runs, rows


def curve(rows, stem):
    """@return [(x, value)] of the metric `stem`@x in the order of x"""
    points = [(float(k[len(stem) + 1:]), r) for k, r in rows.items() if k.startswith(stem + "@")]
    return sorted((x, r.value if isinstance(r, Row) else r[0]) for x, r in points)


def number(value, digits=3):
    """As text: digits that count, thousands apart."""
    if value is None:
        return "-"
    if value == 0.0:
        return "0"
    rounded = float("%.*g" % (digits, value))
    if abs(rounded) >= 1000.0:
        return format(int(round(value)) if abs(value) < 10.0 ** digits else int(rounded), ",")
    text = "%.*g" % (digits, value)
    if "e" in text and abs(rounded) < 1e-4:
        return text
    if "e" in text:
        return format(rounded, "g")
    whole = len(text.lstrip("-").split(".")[0].lstrip("0"))
    return "%.*f" % (max(0, digits - whole), rounded) if abs(rounded) >= 1.0 else text


def short(value, digits):
    """As number(), and whole numbers below a thousand in full."""
    return number(value, max(digits, len(str(int(abs(value))))) if 10.0 <= abs(value) < 1000.0 else digits)


def is_stopped(rows, key):
    """A peer that made a part of its steps saw other work than the rest: it has no mean."""
    stem = key.rsplit("/", 1)[0]
    steps, whole = rows.get(stem + "/steps"), rows.get(stem + "/steps_of_stream")
    return bool(steps and whole and steps[0] is not None and whole[0] is not None and steps[0] < whole[0])
