"""Many fractures: data sets of broken things, on one machine or on many.

A job is a mesh, a pattern, a seed and settings; what it makes depends on these and on nothing else, and so does its
key. Each job is one file in `FOLDER/pieces/`, written whole or not at all. A run that was stopped goes on where it
was, workers that die or take too long are replaced and their jobs tried again, and jobs that cannot succeed are put
aside with the reason in `FOLDER/failed/`. The result is the same bytes whatever happened on the way.

    python3 -m rubble.batch meshes/*.obj --seeds 0:100 --cells 50 --output dataset --workers 2

A file (numpy's .npz) holds

    vertices, vertex_starts       positions of all pieces, and where each piece begins
    triangles, triangle_starts    vertex numbers within the piece, and where each piece begins
    volumes, centres              of each piece
    adjacency, areas, contacts    pairs of pieces that share a crack, its area and centre
    poses                         a random pose of each piece about its centre, to be undone by who puts it together
    job                           what it was made of, as JSON
"""

import argparse
import collections
import hashlib
import io
import json
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import sys
import tempfile
import time

import numpy

from . import _api as api
from ._library import BadArgument, BadFile, BadMesh, Handle, IoFailed, LimitReached, c, create
from .fracture import Pattern
from .mesh import Mesh

VERSION = 1  # of the files; part of every key
HOPELESS = (BadArgument, BadFile, BadMesh, IoFailed, LimitReached, TypeError, ValueError, FileNotFoundError)


class Job(collections.namedtuple("Job", "mesh pattern cells seed repair")):
    """A fracture to make: the path of a mesh, the kind of pattern, the number of cells, the seed, and whether
    the mesh is repaired first."""

    __slots__ = ()

    def key(self):
        """A hash of everything that the result depends on: the mesh's bytes, not its name."""
        digest = hashlib.sha256(pathlib.Path(self.mesh).read_bytes()).hexdigest()
        settings = [VERSION, api.RBL_VERSION_MAJOR, api.RBL_VERSION_MINOR, api.RBL_VERSION_PATCH, digest, self.pattern,
                    self.cells, self.seed, self.repair]
        return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:32]


def jobs_of(meshes, seeds, pattern="voronoi", cells=50, repair=False):
    """Every mesh with every seed, in order."""
    return [Job(str(mesh), pattern, cells, int(seed), repair) for mesh in meshes for seed in seeds]


# --- one job -------------------------------------------------------------------------------------

class _Compound(Handle):
    _destroy = "rbl_destroy_compound"


def _random_poses(count, seed):
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    quaternions = random.standard_normal((count, 4))
    quaternions /= numpy.linalg.norm(quaternions, axis=1, keepdims=True)
    return numpy.hstack((random.uniform(-1.0, 1.0, (count, 3)), quaternions))


def fracture(job):
    """Make a job: the bytes of its file."""
    mesh = Mesh.load(job.mesh)
    if job.repair:
        mesh = mesh.repair()
    lower, upper = mesh.bounds
    pattern = Pattern(job.pattern, size=numpy.maximum(upper - lower, 1e-6), cell_count=job.cells, seed=job.seed)
    definition = c.rbl_default_compound_def()
    definition.mesh, definition.pattern = mesh.pointer, pattern.pointer
    definition.position = api.rbl_vec3d(*(0.5 * (lower + upper)))
    compound = _Compound(create("rbl_create_compound", api.rbl_compound, definition))
    vertices, triangles, volumes, centres, pairs, areas, contacts = [], [], [], [], [], [], []
    for part in range(c.rbl_compound_get_info(compound.pointer).part_end):
        shape = c.rbl_compound_get_part(compound.pointer, part)
        if shape.mesh:
            borrowed = Mesh._of(shape.mesh)
            piece = borrowed.copy()
            borrowed._pointer = None  # it is the compound's
        else:
            piece = Mesh._of(create("rbl_convex_create_mesh", api.rbl_mesh, shape.convex, None))
        vertices.append(numpy.array(piece.vertices))
        triangles.append(piece.triangles.astype(numpy.int32))
        volumes.append(piece.volume)
        centres.append(piece.centre)
        count = c.rbl_compound_get_bonds(compound.pointer, part, None, 0)
        bonds = (api.rbl_compound_bond * max(1, count))()
        c.rbl_compound_get_bonds(compound.pointer, part, bonds, count)
        for bond in sorted(bonds[:count], key=lambda b: b.other):
            if part < bond.other:
                pairs.append((part, bond.other))
                areas.append(bond.area)
                contacts.append((bond.centre.x, bond.centre.y, bond.centre.z))
    extent = float(numpy.linalg.norm(upper - lower))
    poses = _random_poses(len(volumes), job.seed)
    poses[:, :3] *= extent
    file = io.BytesIO()
    numpy.savez(file, vertices=numpy.concatenate(vertices), triangles=numpy.concatenate(triangles),
                vertex_starts=numpy.cumsum([0] + [len(v) for v in vertices]),
                triangle_starts=numpy.cumsum([0] + [len(t) for t in triangles]), volumes=numpy.array(volumes),
                centres=numpy.array(centres), adjacency=numpy.array(pairs, numpy.int32).reshape(-1, 2),
                areas=numpy.array(areas), contacts=numpy.array(contacts).reshape(-1, 3), poses=poses,
                job=numpy.frombuffer(json.dumps({**job._asdict(), "mesh": pathlib.Path(job.mesh).name}).encode(), numpy.uint8))
    return file.getvalue()


def _path(folder, key):
    return pathlib.Path(folder) / "pieces" / key[:2] / f"{key}.npz"


def _write(path, data):
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def make(job, key, folder):
    """Make a job into a folder, unless it is there. Returns the hash of its file."""
    path = _path(folder, key)
    if not path.exists():
        _write(path, fracture(job))
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- many jobs -----------------------------------------------------------------------------------

class Progress:
    """What became of the jobs: `made`, by key the hash of each file, and `failed`, by key the reason."""

    def __init__(self, folder, jobs, tries):
        self.folder, self.tries = pathlib.Path(folder), tries
        self.made, self.failed, self.attempts = {}, {}, collections.Counter()
        self.queue, self.jobs = collections.deque(), {}
        for job in jobs:
            try:
                key = job.key()
            except OSError as error:
                key = hashlib.sha256(repr(job).encode()).hexdigest()[:32]
                self.jobs[key] = job
                self.set_aside(key, str(error))
                continue
            if key not in self.jobs:
                self.jobs[key] = job
                self.queue.append(key)

    def set_aside(self, key, reason):
        self.failed[key] = reason
        text = json.dumps({"job": self.jobs[key]._asdict(), "reason": reason}, indent=1)
        _write(self.folder / "failed" / f"{key}.json", text.encode())

    def retry(self, key, reason):
        """Try a job again that its worker did not survive, unless it has had its tries."""
        self.attempts[key] += 1
        if self.attempts[key] < self.tries:
            self.queue.append(key)
        else:
            self.set_aside(key, f"{reason}, {self.tries} times")

    def finish(self):
        """Write the list of all files, by which `verify()` judges; remove what killed workers left half written."""
        for part in self.folder.glob("*/*/.*.part"):
            part.unlink(missing_ok=True)
        for key in self.made:  # what succeeded now may have been put aside by an earlier run
            (self.folder / "failed" / f"{key}.json").unlink(missing_ok=True)
        manifest = {"version": VERSION, "files": dict(sorted(self.made.items())), "failed": dict(sorted(self.failed.items()))}
        _write(self.folder / "manifest.json", json.dumps(manifest, indent=1).encode())
        return self


def _work(connection, folder):
    """A worker process: makes what it is sent until nothing comes."""
    while True:
        try:
            job, key = connection.recv()
        except EOFError:
            return
        try:
            connection.send((key, make(job, key, folder), None))
        except HOPELESS as error:
            connection.send((key, None, f"{type(error).__name__}: {error}"))


class _Worker:
    def __init__(self, context, folder):
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, folder), daemon=True)
        self.process.start()
        theirs.close()
        self.key, self.deadline = None, None

    def give(self, job, key, timeout):
        self.key, self.deadline = key, time.monotonic() + timeout
        self.connection.send((job, key))

    def stop(self):
        self.connection.close()
        self.process.kill()
        self.process.join()


def run(jobs, folder, workers=1, timeout=600.0, tries=3, report=None):
    """Make jobs by processes of this machine. Returns a Progress.

    timeout: seconds that one job may take. report: called with the Progress after each job.
    """
    progress = Progress(folder, jobs, tries)
    context = multiprocessing.get_context("spawn")
    team = [_Worker(context, str(folder)) for _ in range(workers)]
    try:
        while progress.queue or any(worker.key for worker in team):
            for i, worker in enumerate(team):
                if worker.key is None and progress.queue:
                    key = progress.queue.popleft()
                    try:
                        worker.give(progress.jobs[key], key, timeout)
                    except OSError:  # it died while it had nothing to do
                        worker.stop()
                        team[i] = _Worker(context, str(folder))
                        progress.queue.appendleft(key)
            multiprocessing.connection.wait([worker.connection for worker in team if worker.key], 0.2)
            for i, worker in enumerate(team):
                if worker.key is None:
                    continue
                reason = None
                try:
                    if worker.connection.poll():
                        key, digest, error = worker.connection.recv()
                        worker.key = None
                        if error is None:
                            progress.made[key] = digest
                        else:
                            progress.set_aside(key, error)
                        if report:
                            report(progress)
                    elif time.monotonic() > worker.deadline:
                        reason = f"it took more than {timeout:g} seconds"
                    elif not worker.process.is_alive():
                        reason = "its worker died"
                except (EOFError, OSError):
                    reason = "its worker died"
                if reason:
                    progress.retry(worker.key, reason)
                    worker.stop()
                    team[i] = _Worker(context, str(folder))
    finally:
        for worker in team:
            worker.stop()
    return progress.finish()


def run_on_dask(client, jobs, folder, tries=3, report=None):
    """Make jobs by the workers of a dask.distributed Client; the folder and the meshes are seen by all of them."""
    from dask.distributed import as_completed
    progress = Progress(folder, jobs, tries)

    def submit(key):
        return client.submit(make, progress.jobs[key], key, str(folder), key=f"{key}-{progress.attempts[key]}", retries=0)

    names = {}
    running = as_completed()
    while progress.queue:
        key = progress.queue.popleft()
        future = submit(key)
        names[future.key] = key
        running.add(future)
    for future in running:
        key = names.pop(future.key)
        if future.status == "finished":
            progress.made[key] = future.result()
        else:
            error = future.exception()
            if isinstance(error, HOPELESS):
                progress.set_aside(key, f"{type(error).__name__}: {error}")
            else:
                progress.retry(key, f"{type(error).__name__}")
        while progress.queue:
            again = progress.queue.popleft()
            future = submit(again)
            names[future.key] = again
            running.add(future)
        if report:
            report(progress)
    return progress.finish()


def verify(folder):
    """Compare all files with the list: returns what is wrong, an empty list when nothing is."""
    folder = pathlib.Path(folder)
    try:
        manifest = json.loads((folder / "manifest.json").read_text())
    except (OSError, ValueError) as error:
        return [f"manifest.json: {error}"]
    wrong = []
    for key, digest in manifest["files"].items():
        path = _path(folder, key)
        if not path.exists():
            wrong.append(f"{path.name}: missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            wrong.append(f"{path.name}: not the bytes that were written")
    known = set(manifest["files"])
    wrong += [f"{path.name}: not in the list" for path in sorted(folder.glob("pieces/*/*.npz")) if path.stem not in known]
    return wrong


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python3 -m rubble.batch", description="Break many meshes many times.")
    parser.add_argument("meshes", nargs="*", help="mesh files")
    parser.add_argument("--output", required=True, help="folder of the data set")
    parser.add_argument("--seeds", default="0:1", help="FIRST:END, default 0:1")
    parser.add_argument("--cells", type=int, default=50)
    parser.add_argument("--pattern", default="voronoi")
    parser.add_argument("--repair", action="store_true", help="close meshes first")
    parser.add_argument("--workers", type=int, default=1, help="processes, default 1")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one job, default 600")
    parser.add_argument("--scheduler", help="address of a dask.distributed scheduler, instead of processes here")
    parser.add_argument("--verify", action="store_true", help="compare the files with the list and make nothing")
    options = parser.parse_args(arguments)
    if options.verify:
        wrong = verify(options.output)
        print("\n".join(wrong) or "all files are as they were written")
        return 1 if wrong else 0
    try:
        first, end = (int(number) for number in options.seeds.split(":"))
    except ValueError:
        parser.error(f"--seeds: FIRST:END is needed, not '{options.seeds}'")
    if not options.meshes or end <= first:
        parser.error("there is nothing to do: no meshes, or no seeds")
    jobs = jobs_of(options.meshes, range(first, end), options.pattern, options.cells, options.repair)

    def report(progress):
        if sys.stderr.isatty():
            print(f"\r{len(progress.made)} made, {len(progress.failed)} failed of {len(progress.jobs)}", end="", file=sys.stderr)

    if options.scheduler:
        from dask.distributed import Client
        with Client(options.scheduler) as client:
            progress = run_on_dask(client, jobs, options.output, report=report)
    else:
        progress = run(jobs, options.output, options.workers, options.timeout, report=report)
    print(f"{len(progress.made)} made, {len(progress.failed)} failed")
    for key, reason in sorted(progress.failed.items()):
        print(f"{progress.jobs[key].mesh}, seed {progress.jobs[key].seed}: {reason}")
    return 1 if progress.failed else 0


if __name__ == "__main__":
    sys.exit(main())
