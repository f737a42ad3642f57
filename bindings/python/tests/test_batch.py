"""Data sets of fractures: complete, the same bytes whatever happens, nothing made twice."""

import json
import os
import random
import subprocess
import sys
import threading
import time

import numpy
import pytest
from odd_jobs import Odd

import rubble
from rubble import batch
from rubble.batch import __main__ as command
from rubble.batch.worker import Worker

SOAK = bool(os.environ.get("RBL_SOAK"))


@pytest.fixture(scope="module")
def meshes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meshes")
    paths = []
    for shape in ("box", "torus"):
        paths.append(folder / f"{shape}.obj")
        rubble.Mesh.make(shape).save(paths[-1])
    return paths


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("pattern", ["voronoi", "bricks"])
def test_a_file_holds_pieces_that_add_up(meshes, tmp_path, pattern):
    job = batch.jobs_of(meshes[1:], [3], pattern, cells=30)[0]
    digest = batch.make(job, job.key(), tmp_path)
    assert digest == batch.make(job, job.key(), tmp_path)
    data = numpy.load(next(tmp_path.rglob("*.npz")))
    mesh = rubble.Mesh.load(meshes[1])
    assert data["volumes"].sum() == pytest.approx(mesh.volume, rel=1e-6) and len(data["volumes"]) > 15
    starts, triangles = data["vertex_starts"], data["triangle_starts"]
    total = 0.0
    for i in range(len(starts) - 1):
        piece = rubble.Mesh(data["vertices"][starts[i]:starts[i + 1]], data["triangles"][triangles[i]:triangles[i + 1]])
        assert piece.check()["is_closed"]
        assert piece.volume == pytest.approx(data["volumes"][i], rel=1e-6)
        total += piece.volume
    assert total == pytest.approx(mesh.volume, rel=1e-6)
    assert len(data["adjacency"]) > 10 and (data["adjacency"][:, 0] < data["adjacency"][:, 1]).all()
    assert (data["areas"] > 0).all() and data["contacts"].shape == (len(data["areas"]), 3)
    assert numpy.linalg.norm(data["poses"][:, 3:], axis=1) == pytest.approx(numpy.ones(len(data["poses"])))


def areas_of(data):
    """Area of each triangle, and the piece it belongs to."""
    piece = numpy.repeat(numpy.arange(len(data["volumes"])), numpy.diff(data["triangle_starts"]))
    corners = data["vertices"][data["triangles"] + data["vertex_starts"][piece][:, None]]
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return 0.5 * numpy.linalg.norm(normals, axis=1), piece


def test_contact_surfaces_are_the_same_from_both_sides(meshes, tmp_path):
    jobs = batch.jobs_of(meshes, range(5), cells=60)
    batch.run(jobs, tmp_path, workers=2)
    compared = 0
    for _key, data in batch.Dataset(tmp_path):
        areas, piece = areas_of(data)
        count = len(data["volumes"])
        shared = numpy.zeros((count, count))
        is_inner = data["sides"] >= 0
        numpy.add.at(shared, (piece[is_inner], data["sides"][is_inner]), areas[is_inner])
        assert shared == pytest.approx(shared.T, abs=1e-6)
        known = {tuple(pair) for pair in data["adjacency"].tolist()}
        assert {(a, b) for a, b in numpy.argwhere(numpy.triu(shared) > 1e-6).tolist()} <= known
        compared += (shared > 0).sum()
        # What is not shared is the outside.
        mesh = rubble.Mesh.load(meshes[0] if len(data["vertices"]) < 2000 else meshes[1])
        corners = mesh.vertices[mesh.triangles]
        outside = 0.5 * numpy.linalg.norm(numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
        assert is_inner.sum() > 100 and areas[~is_inner].sum() == pytest.approx(outside, rel=1e-3)
    assert compared > 1000


def test_keys_follow_content_and_not_names(meshes, tmp_path):
    copy = tmp_path / "other.obj"
    copy.write_bytes(meshes[0].read_bytes())
    same, other = (batch.Job(str(path), "voronoi", 50, 1, False) for path in (meshes[0], copy))
    assert same.key() == other.key() != same._replace(seed=2).key()
    assert batch.fracture(same) == batch.fracture(other)
    copy.write_bytes(meshes[1].read_bytes())
    assert same.key() != other.key()


def test_killed_workers_lose_nothing(meshes, tmp_path, monkeypatch):
    jobs = batch.jobs_of(meshes, range(30), cells=200)
    batch.run(jobs, tmp_path / "calm", workers=2)
    killed, is_over, processes = [], threading.Event(), []
    start = Worker._start
    monkeypatch.setattr(Worker, "_start", lambda self: (start(self), processes.append(self.process)))

    def kill():
        choose = random.Random(7)
        while not is_over.wait(0.15):
            living = [process for process in processes if process.poll() is None]
            if living and len(killed) < 6:
                killed.append(choose.choice(living))
                killed[-1].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    progress = batch.run(jobs, tmp_path / "storm", workers=2, tries=100)
    is_over.set()
    killer.join()
    assert len(killed) > 1 and len(progress.made) == len(jobs) and progress.failed == {}
    assert contents(tmp_path / "calm") == contents(tmp_path / "storm")
    assert batch.verify(tmp_path / "storm") == []


@pytest.mark.parametrize("where", ["processes", "dask"])
def test_what_dies_or_hangs_is_tried_again_and_poison_is_put_aside(meshes, tmp_path, where):
    marks = tmp_path / "marks"
    marks.mkdir()
    names = ["dies once", "dies", "crashes once", "hangs once", "hangs", "eats once", "eats", "fails", "prints"]
    jobs = [Odd(name, str(marks)) for name in names] + batch.jobs_of(meshes[:1], range(3), cells=10)
    if where == "processes":
        progress = batch.run(jobs, tmp_path / "out", workers=2, timeout=2.0, tries=2)
    else:
        distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is missing: not tried on a cluster")
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with distributed.Client(cluster) as client:
                progress = batch.run_on_dask(client, jobs, tmp_path / "out", timeout=2.0, tries=2)
    failed = {progress.jobs[key].what: reason for key, reason in progress.failed.items()}
    assert sorted(failed) == ["dies", "eats", "fails", "hangs"]
    assert "its worker died (status -9), 2 times" in failed["dies"]
    assert "2 seconds, 2 times" in failed["hangs"]
    assert "MemoryError" in failed["eats"] and "2 times" in failed["eats"]
    assert failed["fails"] == "ValueError: this can never be"  # once: it would come again
    assert len(progress.made) == len(jobs) - 4 and batch.verify(tmp_path / "out") == []
    assert {json.loads(path.read_text())["job"]["what"] for path in (tmp_path / "out" / "failed").glob("*.json")} == set(failed)


def test_memory_has_a_limit(meshes, tmp_path):
    if sys.platform != "linux":
        pytest.skip("limits of memory are Linux's")
    jobs = batch.jobs_of(meshes[:1], [1], cells=20) + batch.jobs_of(meshes[:1], [1], cells=50000)
    progress = batch.run(jobs, tmp_path, memory=150_000_000, tries=2)
    assert len(progress.made) == 1
    reason, = progress.failed.values()
    assert "OutOfMemory" in reason and "2 times" in reason


def test_hopeless_jobs_are_put_aside_with_their_reason(meshes, tmp_path):
    broken, absent = tmp_path / "open.obj", tmp_path / "absent.obj"
    broken.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    progress = batch.run(batch.jobs_of([meshes[0], broken, absent], [1], cells=10), tmp_path / "out")
    assert len(progress.made) == 1 and len(progress.failed) == 2
    assert any("BadMesh" in reason for reason in progress.failed.values())
    assert len(list((tmp_path / "out" / "failed").glob("*.json"))) == 2
    rubble.Mesh.make("box").save(broken)
    rubble.Mesh.make("box").save(absent)
    progress = batch.run(batch.jobs_of([meshes[0], broken, absent], [1], cells=10), tmp_path / "out")
    assert progress.failed == {} and batch.verify(tmp_path / "out") == []


def test_a_job_that_takes_too_long_is_put_aside(meshes, tmp_path):
    progress = batch.run(batch.jobs_of(meshes[1:], [1], cells=20000), tmp_path, timeout=0.05, tries=2)
    assert list(progress.made) == [] and "0.05 seconds, 2 times" in list(progress.failed.values())[0]


def test_a_run_goes_on_where_it_was_and_mends_what_is_damaged(meshes, tmp_path):
    jobs = batch.jobs_of(meshes, range(3), cells=10)
    batch.run(jobs[:3], tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")}
    time.sleep(0.01)
    progress = batch.run(jobs, tmp_path)
    assert len(before) == 3 and len(progress.made) == 6
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in before.items())
    good = contents(tmp_path)
    victim = next(iter(before))
    data = bytearray(victim.read_bytes())
    data[100] ^= 1
    victim.write_bytes(data)
    (tmp_path / "pieces" / "aa").mkdir(exist_ok=True)
    stray = tmp_path / "pieces" / "aa" / "stray.npz"
    stray.write_bytes(b"")
    assert len(batch.verify(tmp_path)) == 2
    stray.unlink()
    batch.run(jobs, tmp_path)
    assert contents(tmp_path) == good


def test_half_a_file_without_a_list_is_made_again(meshes, tmp_path):
    jobs = batch.jobs_of(meshes[:1], range(2), cells=10)
    batch.run(jobs, tmp_path)
    good = contents(tmp_path)
    (tmp_path / "manifest.json").unlink()
    path = next(tmp_path.rglob("*.npz"))
    path.write_bytes(path.read_bytes()[:1000])
    batch.run(jobs, tmp_path)
    assert contents(tmp_path) == good


def test_a_run_can_be_stopped_by_its_report(meshes, tmp_path):
    jobs = batch.jobs_of(meshes, range(10), cells=10)
    with pytest.raises(rubble.Cancelled):
        batch.run(jobs, tmp_path, workers=2, report=lambda progress: len(progress.made) < 5)
    assert 5 <= len(list(tmp_path.rglob("*.npz"))) < 20
    assert len(batch.run(jobs, tmp_path).made) == 20 and batch.verify(tmp_path) == []


def test_a_script_needs_no_guard(meshes, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from rubble import batch\n"
                      f"progress = batch.run(batch.jobs_of([{str(meshes[0])!r}], range(2), cells=5), {str(tmp_path / 'out')!r}, workers=2)\n"
                      "print(len(progress.made))\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


def test_the_command_line(meshes, tmp_path, capsys):
    arguments = [str(meshes[0]), "--output", str(tmp_path), "--seeds", "0:2", "--cells", "8"]
    assert command.main(arguments) == 0 and "2 made, 0 failed" in capsys.readouterr().out
    assert command.main(["--output", str(tmp_path), "--verify"]) == 0
    with pytest.raises(SystemExit):
        command.main([str(meshes[0]), "--output", str(tmp_path), "--seeds", "many"])


class DaskWorkers:
    """Workers of a dask cluster as processes of their own, one of which is killed now and then and started again."""

    def __init__(self, address, count):
        self.address, self.killed, self.is_over = address, 0, threading.Event()
        self.processes = [self.start() for _ in range(count)]

    def start(self):
        return subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny",
                                 "--no-dashboard"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def kill(self):
        choose, seconds = random.Random(11), 1.0
        while not self.is_over.wait(seconds):
            seconds = choose.uniform(3.0, 8.0)  # it takes two to start one
            victim = choose.randrange(len(self.processes))
            self.processes[victim].kill()
            self.processes[victim].wait()
            self.processes[victim] = self.start()
            self.killed += 1

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def test_dask_workers_are_killed_at_random(meshes, tmp_path):
    """Two workers of which one is killed every few seconds: the data set is complete and the same bytes."""
    distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is missing: not tried on a cluster")
    count = int(os.environ.get("RBL_SOAK_COUNT", 10000)) if SOAK else 400
    jobs = batch.jobs_of(meshes[1:], range(count), cells=20)
    batch.run(jobs, tmp_path / "here", workers=2)

    def say(progress):
        if len(progress.made) % 1000 == 0:
            print(f"{time.strftime('%X')} {len(progress.made)} made, {workers.killed} workers killed", flush=True)

    with distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            workers = DaskWorkers(cluster.scheduler_address, 2)
            client.wait_for_workers(2, timeout=60)
            killer = threading.Thread(target=workers.kill)
            killer.start()
            try:
                began = time.monotonic()
                progress = batch.run_on_dask(client, jobs, tmp_path / "there", report=say)
                seconds = time.monotonic() - began
            finally:
                workers.is_over.set()
                killer.join()
                workers.end()
    print(f"{count} fractures in {seconds:.0f} s, {workers.killed} workers killed")
    assert workers.killed > 0 and progress.failed == {} and len(progress.made) == count
    assert contents(tmp_path / "here") == contents(tmp_path / "there")
    assert batch.verify(tmp_path / "there") == []
