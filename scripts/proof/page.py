"""docs/results.md: every figure and table of the papers, verdicts beside the peers, growth, and plots."""

import itertools
import json
import os
import re

import growth
import plots
import verdicts
from rows import curve, describe, is_peer, is_stopped, minutes, number

WANTED = ("step_ms", "step_max_ms", "update_ms", "query_ms", "query_max_ms", "contacts", "fragments", "time")


def anchors(path):
    if not os.path.exists(path):
        return set()
    heads = re.findall(r"^#+ (.*)$", open(path).read(), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in heads}


class Page:
    """@param is_part  rows of one run alone, which may lack some: said, not an error"""

    def __init__(self, runs, rows, is_part=False):
        self.runs, self.rows, self.is_part = runs, rows, is_part
        self.problems, self.plots = [], {}
        split = ((k, k.split("/")) for k in sorted(rows))
        self.pairs = verdicts.pairs_of(rows)
        self.peer_keys = [(k, (p[0], p[1], p[3])) for k, p in split if is_peer(p[2])]

    def missing(self, text):
        if not self.is_part:
            self.problems.append(text)
        return "not in this run"

    def show(self, key, where):
        if key not in self.rows:
            return self.missing("%s: no row %s" % (where, key))
        row = self.rows[key]
        metric = key.rsplit("/", 1)[1]
        if is_stopped(self.rows, key) and metric.startswith(("ms", "update", "pairs")):
            stem = key.rsplit("/", 1)[0]
            return "stopped after %s of %s steps" % (number(self.rows[stem + "/steps"].value),
                                                     number(self.rows[stem + "/steps_of_stream"].value))
        is_count = row.value is not None and not row.unit and row.value == int(row.value) and abs(row.value) < 1000.0
        return "`%s` %s%s%s" % (metric, int(row.value) if is_count else number(row.value), " " + row.unit if row.unit else "",
                                " (%s)" % row.label if row.label else "")

    def show_all(self, keys, where):
        """Rows that follow each other, of one case and variant together."""
        return ["%s: %s" % (" ".join(stem), ", ".join(self.show(k, where) for k in group))
                for stem, group in itertools.groupby(keys, lambda k: k.split("/")[1:3])]

    def peers_of(self, keys):
        """The peers' rows of the same cases and metrics as ours."""
        wanted = {(k.split("/")[0], k.split("/")[1], k.split("/")[3]) for k in keys}
        return [k for k, of in self.peer_keys if of in wanted and k not in keys]

    def of_case(self, case, where):
        found = [k for k in self.rows if k.startswith("field/%s/" % case) and k.rsplit("/", 1)[1] in WANTED and
                 k.split("/")[2] not in ("paper", "must", "aim")]
        if not found:
            self.missing("%s: no rows of the case field %s" % (where, case))
        return found[:8]

    def plot(self, spec, where):
        """Draw the curves of a spec, which may be one that only whole runs have. @return the file's name, None where no row has them"""
        series = []
        for stem in spec["curves"]:
            suite, case, variant, metric = stem.split("/")
            names = sorted({k.split("/")[2] for k in self.rows
                            if k.startswith("%s/%s/" % (suite, case)) and k.split("/")[3].startswith(metric + "@")})
            for name in [n for n in names if variant in ("*", n)]:
                found = curve(self.rows, "/".join((suite, case, name, metric)))
                text = name if len(spec["curves"]) == 1 else "%s %s" % (name, metric)
                series.append((text if len(set(s.split("/")[1] for s in spec["curves"])) == 1 else case + " " + name, found))
        if not series and spec.get("whole") and len(self.runs) > 1:
            return None
        if not series:
            self.missing("%s: no row has a curve %s" % (where, " or ".join(spec["curves"])))
            return None
        series.sort(key=lambda s: is_peer(s[0].split(" ")[0]))
        self.plots[spec["name"] + ".svg"] = plots.draw(spec["title"], series, spec["x"], spec["y"],
                                                        log_x=spec.get("log_x", False),
                                                        log_y=spec.get("log_y", False))
        return spec["name"] + ".svg"

    @staticmethod
    def judged(ratio):
        return ", behind" if verdicts.judge(ratio) == "behind" else ""

    def against_paper(self, item, where):
        """Ours beside what the paper printed, on its machine: the ratio says how far. Less is better."""
        notes = []
        for key, value in item.get("against", {}).items():
            if key in self.rows and self.rows[key].value:
                ratio = self.rows[key].value / value
                name = "%s %s `%s`: " % tuple(key.split("/")[1:]) if len(item["against"]) > 1 else ""
                notes.append("%s%s of the paper's %s%s" % (name, number(ratio, 2), format(value, ","), self.judged(ratio)))
            elif key not in self.rows and not self.is_of_whole(item, key):
                self.missing("%s: no row %s" % (where, key))
        return notes

    def beside(self, item, where):
        """Ours beside other rows of ours, such as methods that the paper compares with. Less is better."""
        notes = []
        for key, other in item.get("beside", {}).items():
            for absent in (k for k in (key, other) if k not in self.rows and not self.is_of_whole(item, k)):
                self.missing("%s: no row %s" % (where, absent))
            if all(k in self.rows and self.rows[k].value and not is_stopped(self.rows, k) for k in (key, other)):
                ratio = self.rows[key].value / self.rows[other].value
                case, variant, metric = other.split("/")[1:]
                notes.append("%s %s: `%s` is %s of %s's%s" % (case, key.split("/")[2], metric, number(ratio, 2), variant,
                                                              self.judged(ratio)))
        return notes

    def behind_peers(self, keys):
        """Where another library needs less of what a row has."""
        notes = []
        for key in keys:
            suite, case, variant, metric = key.split("/")
            pair = self.pairs.get("/".join((suite, case, metric)))
            if pair and pair[0] == variant and verdicts.judge(pair[1] / pair[3]) == "behind":
                notes.append("%s: `%s` is %s of %s's, behind" % (case, metric, number(pair[1] / pair[3], 2), pair[2]))
        return notes

    def is_of_whole(self, item, key):
        """Whether a row is one that only whole runs have, and what is shown is of parts: then it may be missing."""
        return len(self.runs) > 1 and key in item.get("whole", [])

    def item(self, paper, item, images):
        where = "paper %s, %s" % (paper["short"], item["id"])
        keys = item.get("rows", []) + (self.of_case(item["case"], where) if "case" in item else [])
        keys += [k for k in item.get("whole", []) if k in self.rows or not self.is_of_whole(item, k)]
        ours = self.show_all(keys, where)
        others = self.show_all(self.peers_of(keys)[:8], where)
        notes = self.against_paper(item, where) + self.beside(item, where) + self.behind_peers(keys)
        if item["kind"] in ("row", "field") and not keys and not self.is_part:
            self.problems.append("%s has no row" % where)
        for image in [item[k] for k in ("image",) if k in item] + item.get("images", []):
            if not os.path.exists(image):
                self.problems.append("%s: no picture %s" % (where, image))
            ours.append("[picture](%s)" % os.path.relpath(image, images["from"]))
        if item["kind"] == "picture" and not item.get("image"):
            self.problems.append("%s: names no picture" % where)
        if item["kind"] == "method":
            path, _, anchor = item["section"].partition("#")
            if anchor not in anchors(path):
                self.problems.append("%s: no section %s" % (where, item["section"]))
            ours.append("explained in [%s](%s)" % (anchor.replace("-", " "), os.path.relpath(path, images["from"]) +
                                                   "#" + anchor))
        for spec in item.get("plots", []):
            name = self.plot(spec, where)
            if name:
                ours.append("[curves](%s/%s)" % (images["plots"], name))
        command = item.get("command") or ("rubble bench field --case %s" % item["case"] if "case" in item else "")
        notes += ["`%s`" % command] * bool(command) + [item[k] for k in ("remark",) if k in item]
        return "| %s | %s | %s | %s | %s | %s |" % (item["id"], item["shows"], item.get("paper", ""), "; ".join(ours),
                                                   "; ".join(others), "; ".join(notes))

    def write(self, papers, images):
        """@param images  {"from": the page's folder, "plots": where plots are, from there}
        @return the page's text and how many figures and tables it has"""
        body, count = [], 0
        for paper in papers:
            body += ["", "## %s: %s" % (paper["short"], paper["paper"]), "",
                     "The paper's machine: %s." % paper["machine"], "",
                     "| | what it shows | the paper | Rubble | peers | how, and remarks |", "|---|---|---|---|---|---|"]
            ids = [item["id"] for item in paper["items"]]
            wanted = ["Figure %d" % (i + 1) for i in range(paper["figures"])] + \
                     ["Table %d" % (i + 1) for i in range(paper["tables"])]
            if ids != wanted:
                self.problems.append("paper %s: the list has %s, wanted %s" % (paper["short"], ids, wanted))
            body += [self.item(paper, item, images) for item in paper["items"]]
            count += len(paper["items"])
        body += ["", "## Beside other libraries", "",
                 "Less is better in all rows; a peer that was stopped is not among them. Ratios near a bound are medians of several,",
                 "ours and the peers in turn. `scripts/results --compare A B` says where two runs give different verdicts.", ""]
        body += verdicts.table(self.rows, verdicts.read(self.runs[0].folder) if len(self.runs) == 1 else None)
        lines, drawn = growth.table(self.rows, images["plots"])
        self.plots.update(drawn)
        body += ["", "## Growth", ""] + lines
        left_out = sorted({text for run in self.runs for text in run.left_out})
        body += ["", "## Left out", ""] + (["- " + text for text in left_out] or ["Nothing: all models were there."])
        body += ["", "## Fair by construction", "",
                 "- Surfaces from scratch and warm are different rows (`from-scratch`, `exact`).",
                 "- A peer that was stopped has no mean: the table says how many steps it made.",
                 "- A model that is not there is not replaced by another: its cases are left out, and the run says so above.",
                 "- Settings that differ from an engine's defaults are rows `setting_...` of its variant.",
                 "- Quick runs have smaller scenes: a row of one never hides a row of a whole run.",
                 "- A figure without a row, picture or section, and a number in README that is not its row's, fails",
                 "  `make check`.", ""]
        head = ["# Results", "", "<!-- Written by scripts/results from bench/results/ and bench/papers.json. -->", "",
                "Every figure and table of the five papers Rubble starts from: what the paper had on its machine, what Rubble",
                "gives, what peers give in the same run, and where it is behind. `make bench` measures and writes this page;"]
        if len(self.runs) == 1:
            head += ["`make bench QUICK=1` takes minutes. All numbers are of one run:", "",
                     "- %s" % describe(self.runs[0])] + ["- %s" % t for t in (minutes(self.runs[0]),) if t]
        else:
            head += ["`make bench QUICK=1` takes minutes. A letter behind a number names its run:", ""]
            head += ["- %s: %s" % (run.label, describe(run)) for run in sorted(self.runs, key=lambda r: r.label)]
        return "\n".join(head + body), count




def read_papers():
    return json.load(open("bench/papers.json"))


