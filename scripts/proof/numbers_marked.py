"""Numbers in README.md and docs/ that come from rows.

    8.9 ms<!-- row world/pile-4000/rubble-1/ms_mean -->        the row's value: two digits that count, whole below 1,000
    18.7 ms<!-- row surface/bunny-70k/from-scratch/dcd_ms 3 --> the same with three
    6.3 ms<!-- row fracture/arena/rubble/mean_ms * 0.001 s -->  times a factor, in another unit
    37<!-- row fracture/arena/rubble/pieces / 200 -->           divided, without a unit of its own
    <!-- others world/pile-4000/ms_mean ode bullet -->ODE 68 ms, Bullet 152 ms<!-- end -->

The unit is written behind the number as the row has it. A peer without a row, or one that was stopped, is left out;
where none is left the place is empty. In README's section of costs every number must be marked so, or be the size of
a scene: <!-- size -->. Elsewhere in README no number may have a unit of time, length or memory without a mark.
"""

import re

from rows import is_peer, is_stopped, short

ROW = re.compile(r"(?P<text>-?[\d,]*\.?\d+(?:e[-+]?\d+)?(?: ?(?:[a-zµ/]+|%|B|kB|MB))?)?<!-- row (?P<key>\S+)"
                 r"(?: (?P<op>[*/]) (?P<by>[\d.e+-]+)(?: (?P<unit>[a-zA-Z%/]+))?)?(?: (?P<digits>\d))? -->")
OTHERS = re.compile(r"<!-- others (?P<stem>\S+) (?P<peers>[^>]*?)(?: (?P<digits>\d))? -->(?P<text>.*?)<!-- end -->")
NAMES = {"ode": "ODE", "bullet": "Bullet", "cgal": "CGAL", "embree": "Embree", "fcl": "FCL", "voro++": "Voro++",
         "qhull": "Qhull", "box3d": "Box3D", "jolt": "Jolt"}
UNITS = r"(?:ns|us|ms|s|mm|cm|kB|MB|MiB|%)"


def name_of(variant):
    for peer, name in NAMES.items():
        if variant == peer or variant.startswith(peer + "-"):
            return name + variant[len(peer):].replace("-", " ")
    return variant


def filled(text, rows, where):
    """@return the text with its marked numbers as the rows give them, and what is wrong with the marks"""
    problems = []

    def of_row(match):
        row = rows.get(match["key"])
        if row is None or row.value is None:
            problems.append("%s: no row %s" % (where, match["key"]))
            return match[0]
        value, unit = row.value, row.unit
        if match["op"]:
            value = value * float(match["by"]) if match["op"] == "*" else value / float(match["by"])
            unit = match["unit"] or ""
        mark = match[0][match[0].index("<!--"):]
        return short(value, int(match["digits"] or 2)) + (" " + unit if unit else "") + mark

    def of_others(match):
        suite, case, metric = match["stem"].split("/")
        found = []
        for peer in match["peers"].split():
            key = "/".join((suite, case, peer, metric))
            if not is_peer(peer):
                problems.append("%s: %s is no peer" % (where, peer))
            row = rows.get(key)
            if row and row.value is not None and not is_stopped(rows, key):
                found.append("%s %s %s" % (name_of(peer), short(row.value, int(match["digits"] or 2)), row.unit))
        mark = match[0][:match[0].index("-->") + 3]
        return mark + ", ".join(found) + "<!-- end -->"

    text = ROW.sub(of_row, text)
    text = OTHERS.sub(of_others, text)
    return text, problems


def unmarked(text, where):
    """@return numbers of README that no mark explains"""
    problems = []
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    prose = re.sub(r"^(    |\t).*$", "", prose, flags=re.M)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)
    prose = OTHERS.sub("", ROW.sub("", prose))
    costs = re.search(r"^## What it costs$.*?(?=^## )", prose, flags=re.S | re.M)
    if costs:
        body = re.sub(r"[\d,.]+\d<!-- size -->", "", costs[0])
        problems += ["%s: %s has no row" % (where, n) for n in re.findall(r"(?<![\w.])\d[\d,.]*", body)]
        prose = prose.replace(costs[0], "")
    problems += ["%s: %s has no row" % (where, n) for n in re.findall(r"(?<![\w.])\d[\d,.]*\s" + UNITS + r"\b", prose)]
    return problems
