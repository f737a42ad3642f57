"""Data sets of simulations: every combination of values, by the rules of fractures."""

import json
import subprocess

import numpy
import pytest

import rubble
from rubble import batch
from rubble.batch import __main__ as command
from rubble.batch import simulations

SCENE = {
    "version": 2, "step_count": 40, "gravity": [0, -9.81, 0],
    "materials": {"clay": {"break_energy": 1, "density": 2000}},
    "models": {"stone": {"stone": [0.5, 0.4, 0.4]}, "floor": {"box": [20, 0.2, 20]}},
    "instances": [{"model": "floor", "material": "stone", "kind": "static", "position": [0, -0.1, 0]},
                  {"model": "stone", "material": "clay", "position": [0, 1, 0], "velocity": [0, -5, 0], "count": [2, 1, 1],
                   "spacing": [0.6, 0.6, 0.6], "jitter": 0.05}],
}


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "drop.json"
    path.write_text(json.dumps(SCENE))
    return path


@pytest.fixture(scope="module", autouse=True)
def program():
    try:
        return simulations.program()
    except FileNotFoundError as error:
        pytest.skip(str(error))


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_sweep_is_every_combination(scene, tmp_path):
    jobs = batch.sweep(scene, {"instances.1.velocity": [[0, -5, 0], [0, 0, 0]], "materials.clay.density": numpy.array([1500.0, 2500.0])},
                       seeds=range(3), steps=30)
    assert len(jobs) == 12 and len({job.key() for job in jobs}) == 12
    assert jobs[0].document()["instances"][1]["velocity"] == [0, -5, 0] and jobs[0].document()["seed"] == 0
    assert jobs[-1].document()["materials"]["clay"]["density"] == 2500.0 and jobs[-1].document()["step_count"] == 30
    assert json.loads(scene.read_text()) == SCENE
    assert len(batch.sweep(scene)) == 1
    copy = tmp_path / "copy.json"
    copy.write_text(json.dumps(SCENE, indent=3))
    assert batch.sweep(copy)[0].key() == batch.sweep(scene)[0].key()


def test_a_file_has_what_happened(scene, tmp_path, program):
    jobs = batch.sweep(scene, {"instances.1.velocity": [[0, -5, 0], [0, 5, 0]]}, film=True)
    progress = batch.run(jobs, tmp_path / "out", workers=2)
    assert progress.failed == {} and batch.verify(tmp_path / "out") == []
    data = dict(batch.Dataset(tmp_path / "out"))
    fast, slow = (data[job.key()] for job in jobs)
    done = subprocess.run([program, "run", str(scene), "-o", str(tmp_path / "film.glb"), "--json", "-", "--quiet"],
                          capture_output=True, check=True)
    said = json.loads(done.stdout)
    assert fast["job"]["result"]["state"] == said["state"] and fast["job"]["document"] == SCENE
    assert fast["film"].tobytes() == (tmp_path / "film.glb").read_bytes()
    assert len(fast["breaks"]) == said["fractures"] > 0 and len(slow["breaks"]) == 0
    assert fast["break_starts"][-1] == len(fast["fragments"]) > 3 and (fast["breaks"]["energy"] > 1).all()
    assert len(fast["hits"]) == len(fast["hit_steps"]) > 0
    assert (fast["pose_steps"] == 1).sum() == 3 and fast["pose_steps"].max() == 40
    # The stone that was thrown upwards is where a throw puts it.
    rows = (slow["pose_bodies"] == slow["pose_bodies"][1]).all(axis=1) & (slow["pose_steps"] == 30)
    assert slow["poses"][rows, 1] == pytest.approx(1.0 + 5 * 0.5 - 0.5 * 9.81 * 0.25, abs=0.06)
    # Fragments have poses after they came off.
    lives = [fast["pose_steps"][(fast["pose_bodies"] == child).all(axis=1)] for child in fast["fragments"]]
    assert max(len(steps) for steps in lives) > 5 and min(steps[0] for steps in lives if len(steps)) == fast["break_steps"][0]


def test_poses_every_so_many_steps(scene, tmp_path):
    whole, some = (numpy.load(batch.dataset.path_of(tmp_path, job.key())) for job in
                   [batch.sweep(scene, every=every)[0] for every in (1, 8)] if batch.make(job, job.key(), tmp_path))
    assert set(some["pose_steps"].tolist()) == {8, 16, 24, 32, 40}
    last = {tuple(body): pose for body, pose in zip(whole["pose_bodies"].tolist(), whole["poses"].tolist())}
    assert {tuple(body): pose for body, pose in zip(some["pose_bodies"].tolist(), some["poses"].tolist())} == last


def test_the_bytes_are_the_same_and_go_on_where_they_were(scene, tmp_path):
    jobs = batch.sweep(scene, {"gravity": [[0, -9.81, 0], [0, -1.6, 0]]}, seeds=range(2), steps=20, every=2)
    batch.run(jobs[:2], tmp_path / "a")
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "a").rglob("*.npz")}
    batch.run(jobs, tmp_path / "a", workers=2)
    batch.run(jobs, tmp_path / "b")
    assert len(stamps) == 2 and all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len([name for name in contents(tmp_path / "a") if name.endswith(".npz")]) == 4


def test_keys_follow_the_files_that_a_scene_names(tmp_path):
    (tmp_path / "models").mkdir()
    rubble.Mesh.make("box").save(tmp_path / "models" / "thing.obj")
    (tmp_path / "more.json").write_text(json.dumps({"version": 2, "models": {"thing": {"mesh": "models/thing.obj"}}}))
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps({**SCENE, "include": ["more.json"]}))
    job, = batch.sweep(scene)
    assert [path.name for path in simulations.files_of(job.document(), tmp_path)] == ["more.json", "thing.obj", "thing.mtl"]
    before = job.key()
    rubble.Mesh.make("torus").save(tmp_path / "models" / "thing.obj")
    assert job.key() != before


def test_what_the_program_refuses_is_put_aside_with_its_sentence(scene, tmp_path):
    jobs = batch.sweep(scene, {"materials.clay.density": [2000, -1], "materials.clay.frictoin": [0.5]}, steps=5)
    jobs += batch.sweep(scene, {"materials.clay.density": [2000, -1]}, steps=5)
    progress = batch.run(jobs, tmp_path / "out")
    assert len(progress.made) == 1 and len(progress.failed) == 3
    reasons = " ".join(progress.failed.values())
    assert "did you mean 'friction'" in reasons and "materials.clay.density" in reasons
    assert not (tmp_path / "out" / "tmp").exists()


@pytest.mark.parametrize("changes, words", [
    ({"instances.7.velocity": [[0, 0, 0]]}, "from 0 to 1"), ({"instances.first.velocity": [1]}, "from 0 to 1"),
    ({"materials.glass.density": [1]}, "it has clay"), ({"version.a": [1]}, "neither a list nor an object"),
    ({"seed": []}, "no value"), ({"gravity": [[0, float("nan"), 0]]}, "JSON cannot say"),
])
def test_places_that_are_not_there_are_refused(scene, changes, words):
    with pytest.raises(ValueError, match=words):
        batch.sweep(scene, changes)


def test_a_simulation_that_takes_too_long_is_ended_with_its_program(scene, tmp_path):
    job, = batch.sweep(scene, steps=1000000)
    progress = batch.run([job], tmp_path / "out", timeout=1.0, tries=1)
    assert "1 seconds" in list(progress.failed.values())[0]
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) not in running


def test_the_command_line(scene, tmp_path, capsys):
    arguments = [str(scene), "--output", str(tmp_path / "out"), "--set", "gravity=[0,-1,0],[0,-2,0]", "--seeds", "0:2", "--steps", "5"]
    assert command.main(arguments) == 0 and "4 made, 0 failed" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        command.main([str(scene), "--output", str(tmp_path / "out"), "--set", "gravty.x=1"])
