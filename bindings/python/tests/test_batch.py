"""Data sets: complete, the same bytes whatever happens, nothing made twice."""

import os
import random
import signal
import threading
import time

import numpy
import pytest

import rubble
from rubble import batch


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


def test_a_file_holds_pieces_that_add_up(meshes, tmp_path):
    job = batch.jobs_of(meshes[1:], [3], cells=30)[0]
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
        total += piece.volume
    assert total == pytest.approx(mesh.volume, rel=1e-6)
    assert len(data["adjacency"]) > 10 and (data["adjacency"][:, 0] < data["adjacency"][:, 1]).all()
    assert (data["areas"] > 0).all() and data["contacts"].shape == (len(data["areas"]), 3)
    assert numpy.linalg.norm(data["poses"][:, 3:], axis=1) == pytest.approx(numpy.ones(len(data["poses"])))


def test_keys_follow_content_and_not_names(meshes, tmp_path):
    copy = tmp_path / "other.obj"
    copy.write_bytes(meshes[0].read_bytes())
    same, other = (batch.Job(str(path), "voronoi", 50, 1, False) for path in (meshes[0], copy))
    assert same.key() == other.key() != same._replace(seed=2).key()


def test_killed_workers_lose_nothing(meshes, tmp_path):
    jobs = batch.jobs_of(meshes, range(30), cells=200)
    batch.run(jobs, tmp_path / "calm", workers=2)
    killed, is_over = [], threading.Event()

    def kill():
        choose = random.Random(7)
        while not is_over.wait(0.1):
            children = batch.multiprocessing.active_children()
            if children and len(killed) < 5:
                victim = choose.choice(children)
                killed.append(victim.pid)
                try:
                    os.kill(victim.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    killer = threading.Thread(target=kill)
    killer.start()
    progress = batch.run(jobs, tmp_path / "storm", workers=2, tries=100)
    is_over.set()
    killer.join()
    assert len(killed) > 0 and len(progress.made) == len(jobs) and progress.failed == {}
    assert contents(tmp_path / "calm") == contents(tmp_path / "storm")
    assert batch.verify(tmp_path / "storm") == []


def test_hopeless_jobs_are_put_aside_with_their_reason(meshes, tmp_path):
    broken, absent = tmp_path / "open.obj", tmp_path / "absent.obj"
    broken.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    progress = batch.run(batch.jobs_of([meshes[0], broken, absent], [1], cells=10), tmp_path / "out")
    assert len(progress.made) == 1 and len(progress.failed) == 2
    assert any("BadMesh" in reason for reason in progress.failed.values())
    assert len(list((tmp_path / "out" / "failed").glob("*.json"))) == 2


def test_a_job_that_takes_too_long_is_put_aside(meshes, tmp_path):
    progress = batch.run(batch.jobs_of(meshes[1:], [1], cells=20000), tmp_path, timeout=0.05, tries=2)
    assert list(progress.made) == [] and "0.05 seconds, 2 times" in list(progress.failed.values())[0]


def test_a_run_goes_on_where_it_was(meshes, tmp_path):
    jobs = batch.jobs_of(meshes, range(3), cells=10)
    batch.run(jobs[:3], tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")}
    time.sleep(0.01)
    progress = batch.run(jobs, tmp_path)
    assert len(before) == 3 and len(progress.made) == 6
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in before.items())
    victim = next(iter(before))
    data = bytearray(victim.read_bytes())
    data[100] ^= 1
    victim.write_bytes(data)
    (tmp_path / "pieces" / "aa").mkdir(exist_ok=True)
    (tmp_path / "pieces" / "aa" / "stray.npz").write_bytes(b"")
    assert len(batch.verify(tmp_path)) == 2


def test_the_command_line(meshes, tmp_path, capsys):
    arguments = [str(meshes[0]), "--output", str(tmp_path), "--seeds", "0:2", "--cells", "8"]
    assert batch.main(arguments) == 0 and "2 made, 0 failed" in capsys.readouterr().out
    assert batch.main(["--output", str(tmp_path), "--verify"]) == 0
    with pytest.raises(SystemExit):
        batch.main([str(meshes[0]), "--output", str(tmp_path), "--seeds", "many"])


def test_dask_makes_the_same_bytes(meshes, tmp_path):
    distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is missing: not tried on a cluster")
    jobs = batch.jobs_of(meshes, range(4), cells=15)
    batch.run(jobs, tmp_path / "here")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            progress = batch.run_on_dask(client, jobs, tmp_path / "there")
    assert len(progress.made) == len(jobs)
    assert contents(tmp_path / "here") == contents(tmp_path / "there")
