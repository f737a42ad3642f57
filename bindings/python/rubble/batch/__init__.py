"""Many fractures and many simulations: data sets, on one machine or on many.

A job is a pure function: a fracture of a mesh, a pattern, a seed and settings, or a simulation of a scene file with
some of its values changed. What it makes depends on these and on nothing else, and so does its key. Each job is one
file in `FOLDER/pieces/`, written whole and once, or not at all. A run that was stopped goes on where it was; workers
that die, run out of memory or take too long are replaced and their jobs tried again; jobs that cannot succeed are put
aside with the reason in `FOLDER/failed/`. The result is the same bytes whatever happened on the way.

    jobs = batch.jobs_of(["vase.obj", "bowl.obj"], seeds=range(1000), cells=50)
    jobs += batch.sweep("wall.json", {"projectiles.0.velocity": [[0, 0, 20], [0, 0, 40]], "gravity.1": [-9.81, -1.6]})
    batch.run(jobs, "dataset", workers=2)
    assert batch.verify("dataset") == []

or

    python3 -m rubble.batch meshes/*.obj --seeds 0:1000 --cells 50 --output dataset --workers 2
    python3 -m rubble.batch wall.json --set projectiles.0.velocity='[0,0,20],[0,0,40]' --output dataset

`batch.Job` says what is in the file of a fracture, `batch.Simulation` what is in that of a simulation.
`FOLDER/manifest.json` lists all files with their hashes and what they were made of.
"""

from .cluster import run_on_dask
from .dataset import Dataset, verify
from .fractures import Job, fracture, jobs_of
from .local import make, run
from .progress import Progress
from .simulations import Simulation, simulate, sweep

__all__ = ["Dataset", "Job", "Progress", "Simulation", "fracture", "jobs_of", "make", "run", "run_on_dask", "simulate",
           "sweep", "verify"]
