"""python3 -m rubble.batch"""

import argparse
import json
import sys

from .cluster import run_on_dask
from .dataset import verify
from .fractures import jobs_of
from .local import run
from .simulations import sweep


def _parser():
    parser = argparse.ArgumentParser(prog="python3 -m rubble.batch",
                                     description="Break many meshes many times, or simulate many variants of scenes.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="mesh files, or scene files (.json)")
    parser.add_argument("--output", required=True, help="folder of the data set")
    parser.add_argument("--seeds", help="FIRST:END, default 0:1 for meshes, and the seeds of the scenes for scenes")
    parser.add_argument("--cells", type=int, default=50, help="of the pattern, default 50")
    parser.add_argument("--pattern", default="voronoi", help="default voronoi")
    parser.add_argument("--repair", action="store_true", help="close meshes first")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE,...", dest="changes",
                        help="values that a key of the scenes takes, as JSON: instances.0.velocity=[0,0,9],[0,0,18]")
    parser.add_argument("--steps", type=int, help="steps of simulations, default those of the scene")
    parser.add_argument("--every", type=int, default=1, help="steps between poses of simulations, default 1; 0: no poses")
    parser.add_argument("--film", action="store_true", help="keep the films of simulations (.glb)")
    parser.add_argument("--workers", type=int, default=1, help="processes, default 1")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one job, default 600")
    parser.add_argument("--memory", type=float, help="megabytes for one worker, default no limit")
    parser.add_argument("--tries", type=int, default=3, help="for jobs whose workers die or take too long, default 3")
    parser.add_argument("--scheduler", help="address of a dask.distributed scheduler, instead of processes here")
    parser.add_argument("--verify", action="store_true", help="compare the files with the list and make nothing")
    return parser


def _jobs(parser, options):
    seeds = None
    if options.seeds is not None:
        try:
            first, end = (int(number) for number in options.seeds.split(":"))
        except ValueError:
            parser.error(f"--seeds: FIRST:END is needed, not '{options.seeds}'")
        seeds = range(first, end)
    changes = {}
    for change in options.changes:
        key, _, values = change.partition("=")
        try:
            changes[key] = json.loads(f"[{values}]")
        except ValueError:
            parser.error(f"--set: KEY=VALUE,VALUE with values as JSON is needed, not '{change}'")
    scenes = [name for name in options.files if name.endswith(".json")]
    meshes = [name for name in options.files if name not in scenes]
    if changes and not scenes:
        parser.error("--set changes scenes, and there is none")
    jobs = jobs_of(meshes, range(1) if seeds is None else seeds, options.pattern, options.cells, options.repair)
    for scene in scenes:
        try:
            jobs += sweep(scene, changes, seeds, steps=options.steps, every=options.every, film=options.film)
        except (OSError, ValueError) as error:
            parser.error(str(error))
    if not jobs:
        parser.error("there is nothing to do: no files, or no seeds")
    return jobs


def main(arguments=None):
    """The command; returns its status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.verify:
        wrong = verify(options.output)
        print("\n".join(wrong) or "all files are as they were written")
        return 1 if wrong else 0
    jobs = _jobs(parser, options)

    def report(progress):
        if sys.stderr.isatty():
            print(f"\r{len(progress.made)} made, {len(progress.failed)} failed of {len(progress.jobs)}", end="", file=sys.stderr)

    settings = {"timeout": options.timeout, "tries": options.tries, "report": report,
                "memory": int(options.memory * 1e6) if options.memory else None}
    if options.scheduler:
        from dask.distributed import Client
        with Client(options.scheduler) as client:
            progress = run_on_dask(client, jobs, options.output, **settings)
    else:
        progress = run(jobs, options.output, options.workers, **settings)
    print(f"{len(progress.made)} made, {len(progress.failed)} failed")
    for key, reason in sorted(progress.failed.items()):
        print(f"{json.dumps(progress.jobs[key].describe())}: {reason}")
    return 1 if progress.failed else 0


if __name__ == "__main__":
    sys.exit(main())
