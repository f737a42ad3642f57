"""What a script does: break, prepare, simulate, save, draw."""

import gc
import os
import pickle
import subprocess
import sys
import threading

import numpy
import pytest

import rubble
import rubble.batch


@pytest.fixture(scope="module")
def vase():
    return rubble.Mesh.make("vase")


@pytest.fixture(scope="module")
def asset(vase):
    return vase.prepare()


def tetrahedron():
    return rubble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def world_with_floor(**settings):
    world = rubble.World(**settings)
    world.add(rubble.Collider("box", half_size=(5, 0.5, 5)), kind="static", position=(0, -0.5, 0))
    return world


# --- meshes --------------------------------------------------------------------------------------

def test_a_mesh_of_arrays_has_its_volume_and_arrays():
    mesh = tetrahedron()
    assert mesh.volume == pytest.approx(1 / 6)
    assert mesh.vertices.shape == (4, 3) and mesh.triangles.shape == (4, 3) and len(mesh) == 4
    assert mesh.check()["is_closed"]
    assert "4 vertices" in repr(mesh)
    with pytest.raises(ValueError):
        mesh.vertices[0, 0] = 1.0  # the library's memory


def test_arrays_keep_their_mesh_alive():
    vertices = rubble.Mesh.make("box").vertices
    assert numpy.abs(vertices).max() > 0


def test_polygons_of_different_sizes_and_attributes():
    prism = rubble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]],
                        [[0, 2, 1], [3, 4, 5], [0, 1, 4, 3], [1, 2, 5, 4], [2, 0, 3, 5]],
                        uvs=numpy.zeros((18, 2)), face_materials=[0, 0, 1, 1, 2])
    assert prism.volume == pytest.approx(0.5)
    assert [len(face) for face in prism.faces] == [3, 3, 4, 4, 4]
    assert prism.face_materials.tolist() == [0, 0, 1, 1, 2] and len(prism.materials) == 3


def test_files_round_trip(tmp_path, vase):
    for ending in ("obj", "ply", "glb"):
        path = tmp_path / f"vase.{ending}"
        vase.save(path)
        assert rubble.Mesh.load(path).volume == pytest.approx(vase.volume, rel=1e-4)
    half = rubble.Mesh.load(tmp_path / "vase.obj", scale=0.5)
    assert half.volume == pytest.approx(vase.volume / 8)


def test_an_open_mesh_is_refused_with_a_sentence_and_can_be_repaired():
    box = rubble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2]])
    with pytest.raises(rubble.BadMesh) as error:
        box.fracture()
    assert len(str(error.value)) > 20
    assert box.repair().volume == pytest.approx(1 / 6)


def test_pieces_add_up(vase):
    pieces = vase.fracture(cells=40, seed=3)
    assert len(pieces) > 20
    assert pieces.volumes.sum() == pytest.approx(vase.volume, rel=1e-9)
    assert sum(piece.volume for piece in pieces) == pytest.approx(vase.volume, rel=1e-6)
    assert pieces[-1].check()["is_closed"] and len(pieces[2:5]) == 3
    assert pieces.centres.shape == (len(pieces), 3)
    with pytest.raises(IndexError):
        pieces[len(pieces)]
    again = vase.fracture(cells=40, seed=3, workers=rubble.Workers(2))
    assert (again.volumes == pieces.volumes).all()


def test_pieces_outlive_what_they_were_made_of():
    pieces = rubble.Mesh.make("box").fracture(cells=8)
    assert pieces.volumes.sum() == pytest.approx(1.0)
    code = "import rubble; mesh = rubble.Mesh.make('vase'); pieces = mesh.fracture(cells=5)"
    subprocess.run([sys.executable, "-c", code], check=True)  # whatever order Python ends in


def test_patterns_by_kind_and_by_sites():
    assert len(rubble.Pattern("impact", cell_count=30)) == 30
    pattern = rubble.Pattern(sites=numpy.random.default_rng(1).uniform(-0.5, 0.5, (20, 3)))
    assert len(pattern) == 20
    assert pickle.loads(pickle.dumps(pattern)).key == pattern.key
    with pytest.raises(ValueError, match="voronoi"):
        rubble.Pattern("shards")


# --- assets --------------------------------------------------------------------------------------

def test_assets_pickle_and_save(tmp_path, asset):
    copy = pickle.loads(pickle.dumps(asset))
    assert copy.report == asset.report and copy.nodes.shape == asset.nodes.shape
    asset.save(tmp_path / "vase.rbl")
    assert rubble.Asset.load(tmp_path / "vase.rbl").report == asset.report
    with pytest.raises(rubble.BadFile):
        rubble.Asset.from_bytes(bytes(asset)[:-1])


def test_a_preparation_reports_progress_and_can_be_cancelled(vase, asset):
    calls = []
    whole = vase.prepare(progress=lambda: calls.append(1))
    assert bytes(whole) == bytes(asset) and len(calls) > 1
    with pytest.raises(rubble.Cancelled):
        vase.prepare(progress=lambda: False)


# --- worlds --------------------------------------------------------------------------------------

def test_a_ball_falls_and_rests():
    world = world_with_floor()
    ball = world.add(rubble.Collider("sphere", radius=0.5), position=(0, 2, 0), user=7)
    world.step(count=20)
    moves = world.moves()
    assert moves["user"].tolist() == [7] and moves["pose"].shape == (1, 7)
    assert moves["pose"][0, :3] == pytest.approx(ball.position)
    hits = []
    for _ in range(200):
        world.step()
        hits += world.hits.tolist()
    assert len(hits) > 0
    assert ball.position[1] == pytest.approx(0.5, abs=0.01) and not ball.is_awake
    assert len(world) == 2 and ball in world and set(world) == set(world.bodies)
    hit = world.cast_ray((0, 5, 0), (0, -10, 0))
    assert hit.body == ball and hit.point[1] == pytest.approx(1.0, abs=0.01)
    ball.push((0, 100000, 0))
    world.step()
    assert ball.velocity[1] > 1
    ball.remove()
    assert not ball.exists and "gone" in repr(ball)
    with pytest.raises(rubble.StaleId):
        ball.velocity = (0, 0, 0)


def test_moves_stay_as_they_are_while_they_are_kept():
    world = rubble.World()
    for i in range(20):
        world.add(rubble.Collider("sphere"), position=(3 * i, 0, 0))
    kept = []
    for _ in range(5):
        world.step()
        moves = world.moves()
        kept.append((moves["pose"], moves["pose"].copy()))
        del moves
    assert all((view == copy).all() for view, copy in kept) and (kept[0][1] != kept[4][1]).any()
    kept.clear()
    world.step()
    address = world.moves().ctypes.data
    world.step()
    assert world.moves().ctypes.data == address  # memory that nobody looks at is used again


def test_a_mesh_is_a_body_by_its_field():
    world = world_with_floor()
    plate = world.add(rubble.Mesh.make("plate"), position=(0, 0.2, 0))
    world.step(count=120)
    assert plate.position[1] == pytest.approx(0.0, abs=0.001) and not plate.is_awake


def test_a_vase_breaks_by_its_material(vase, asset):
    pattern = rubble.Pattern("impact", size=(0.5, 0.5, 0.5))
    clay = rubble.Material("clay", density=2000, levels=[(1.0, pattern, 0.3)], min_size=0.01)
    world = world_with_floor()
    body = world.add(asset, position=(0, 2, 0), material=clay)
    assert body.mass == pytest.approx(2000 * vase.volume, rel=1e-3)
    fractures = []
    for _ in range(120):
        world.step()
        fractures += world.fractures
    assert len(fractures) > 0 and len(fractures[0].new_bodies) > 3 and fractures[0].energy > 1
    assert all(isinstance(body, rubble.Body) for body in fractures[0].new_bodies)
    assert len(world) > 5 and clay.name == "clay"
    fragment = next(body for body in world if body.meshes)
    assert sum(mesh.volume for mesh in fragment.meshes) > 0
    copy = rubble.World.from_bytes(bytes(world), assets=[asset], patterns=[pattern])
    assert copy.hash == world.hash


def test_breaks_say_what_came_of_them():
    box = rubble.Mesh.make("box")
    stone = rubble.Material("stone", levels=[(50.0, rubble.Pattern("voronoi", cell_count=200), 0.4)], dust_size=0.08,
                            debris={"kind": rubble.api.RBL_DEBRIS_CHIPS, "dust_density": 5.0})
    world = rubble.World(budget=0, keeps_exposed_triangles=True)
    asset = box.prepare(node_count=4, anchors={"lowest": 0.01})
    world.add(asset, position=(0, 1, 0), material=stone, user=7)
    world.damage((0, 1.5, 0), 500.0, radius=0.2)
    world.step()
    event = world.fractures[0]
    assert event.material == "stone" and event.user == 7 and event.survives and len(event.parts) > 0
    assert len(event.chips) > 0 and all(isinstance(chip, rubble.Body) for chip in event.chips)
    assert len(event.dust) > 0 and event.dust.shape[1] == 8 and (event.dust[:, 6:] > 0).all() and event.lost_mass != 0
    assert len(event.emitters) > 0 and event.emitters["area"].sum() == pytest.approx(event.exposed_area, rel=0.5)
    triangles = world.exposed_triangles(0)
    assert len(triangles) > 10 and triangles["corners"].shape[1:] in ((9,), (3, 3))
    with pytest.raises(rubble.BadArgument):
        world.exposed_triangles(len(world.fractures))
    with pytest.raises(ValueError, match="there is no damage 'cube'; there are ray"):
        world.damage((0, 0, 0), 1.0, shape="cube")
    assert world.bodies[0].state.kind == rubble.api.RBL_BODY_STATIC  # it is anchored


def test_a_body_is_cut_in_two_along_a_plane():
    world = rubble.World(budget=0, gravity=(0, 0, 0))
    asset = rubble.Mesh.make("box").prepare()
    body = world.add(asset, position=(0, 1, 0), material=rubble.Material.preset("stone", strength=1e6))
    mass = body.mass
    body.cut((0.2, 1, 0), (3, 0, 0))
    world.step()
    (event,) = world.fractures
    assert event.cause == rubble.api.RBL_FRACTURE_CUT and len(event.new_bodies) == 2 and not body.exists
    assert sorted(one.mass / mass for one in event.new_bodies) == pytest.approx([0.3, 0.7], abs=1e-3)
    with pytest.raises(rubble.BadArgument):
        event.new_bodies[0].cut((0, 1, 0), (0, 0, 0))
    iron = world.add(asset, position=(5, 1, 0))
    with pytest.raises(rubble.Unsupported):
        iron.cut((5, 1, 0), (1, 0, 0))


def test_a_weaker_preset_wears_by_weaker_hits():
    asset, breaks = rubble.Mesh.make("box").prepare(), []
    for settings in ({}, {"wear_energy": 0.0}):
        world = rubble.World(budget=0, gravity=(0, 0, 0))
        body = world.add(asset, material=rubble.Material.preset("stone", strength=0.02, **settings))
        for _ in range(3):  # 20 J break it
            body.damage((0, 0.5, 0), 15.0)
            world.step()
            breaks.append(len(world.fractures) * (1 if settings else 100))
    assert 100 <= sum(breaks) and sum(breaks) % 100 == 0


def test_presets_are_materials(asset):
    assert list(rubble.PRESETS)[:3] == ["concrete", "brick", "stone"] and len(rubble.PRESETS) == 10
    tough = rubble.Material.preset("ceramic", name="tough", density=2000, strength=1e6)
    world = world_with_floor()
    mass = {}
    for x, material in enumerate((rubble.Material.preset("ceramic"), tough)):
        mass[material.name] = world.add(asset, position=(3 * x, 3, 0), material=material).mass
    assert mass["ceramic"] / mass["tough"] == pytest.approx(2350 / 2000)
    fractures = []
    for _ in range(120):
        world.step()
        fractures += world.fractures
    assert len(fractures) > 0 and all(f.point[0] < 1.5 for f in fractures)
    copy = rubble.World.from_bytes(bytes(world), assets=[asset], materials=[rubble.Material.preset("ceramic"), tough])
    assert copy.hash == world.hash


def test_snapshots_go_on_with_the_same_bits(asset):
    world = world_with_floor(workers=rubble.Workers(2))
    world.add(asset, position=(0, 1, 0))
    world.step(count=30)
    copy = rubble.World.from_bytes(bytes(world), assets=[asset])
    for w in (world, copy):
        w.step(count=30)
    assert world.hash == copy.hash


def test_worlds_pickle_with_what_they_are_made_of(asset):
    pattern = rubble.Pattern("impact", size=(0.5, 0.5, 0.5))
    clay = rubble.Material("clay", density=2000, levels=[(1.0, pattern, 0.3)], min_size=0.01)
    world = world_with_floor()
    world.add(asset, position=(0, 1.2, 0), material=clay)
    world.add(asset, position=(2, 1.2, 0), material=rubble.Material.preset("ceramic", strength=0.5, friction=0.3))
    world.step(count=20)
    copy = pickle.loads(pickle.dumps(world))
    again = pickle.loads(pickle.dumps(copy))  # one that was loaded pickles as well
    assert copy.hash == again.hash == world.hash
    for w in (world, copy, again):
        w.step(count=60)
    assert copy.hash == again.hash == world.hash and len(world) > 6  # what broke, broke in the same way
    assert pickle.loads(pickle.dumps(clay)).name == "clay"


def test_steps_report_progress_and_can_be_cancelled():
    world, other, calls = world_with_floor(), world_with_floor(), []
    world.add(rubble.Collider("sphere"), position=(0, 3, 0))
    other.add(rubble.Collider("sphere"), position=(0, 3, 0))
    with pytest.raises(rubble.Cancelled):
        world.step(count=10, progress=lambda: calls.append(1) or len(calls) < 4)
    other.step(count=4)
    assert len(calls) == 4 and world.hash == other.hash


def test_recordings_replay(asset):
    world = world_with_floor()
    with world.record() as recording:
        world.add(asset, position=(0, 1, 0))
        world.step(count=40)
    steps = list(pickle.loads(pickle.dumps(recording)).replay())
    assert steps[-1] == (40, world.hash)


def test_a_recording_that_nobody_keeps_is_no_crash(asset):
    world = world_with_floor()
    world.record()
    with pytest.raises(rubble.Error):
        world.record()  # one at a time
    gc.collect()
    world.add(asset, position=(0, 1, 0))
    world.step(count=5)
    world.close()
    other = world_with_floor()
    recording = other.record()
    other.step(count=5)
    other.close()
    recording.end()
    assert [step for step, _ in recording.replay()] == [1, 2, 3, 4, 5]


def test_joints_hold():
    world = rubble.World()
    post = world.add(rubble.Collider("box"), kind="static")
    ball = world.add(rubble.Collider("sphere", radius=0.1), position=(1, 0, 0))
    world.join("ball", post, ball, frame=(0, 0, 0))
    world.step(count=100)
    assert numpy.linalg.norm(ball.position) == pytest.approx(1.0, abs=0.01)


def test_worlds_step_in_threads_at_once():
    worlds = [world_with_floor() for _ in range(4)]
    for world in worlds:
        for i in range(10):
            world.add(rubble.Collider("box"), position=(0, 1 + 1.1 * i, 0))
    threads = [threading.Thread(target=world.step, kwargs={"count": 60}) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({world.hash for world in worlds}) == 1


def test_assets_are_prepared_in_levels():
    mesh = rubble.Mesh.make("box", size=(2, 1, 0.2))
    chunks = rubble.Pattern("voronoi", size=(2, 1, 0.2), cell_count=5)
    bricks = rubble.Pattern("bricks", size=(4, 2, 1), brick_size=(0.4, 0.25, 0.2))
    whole = rubble.Asset(mesh)
    some = rubble.Asset(mesh, levels=[(chunks, 0.1)])
    more = rubble.Asset(mesh, levels=[(chunks, 0.1), (bricks, 0.5, (0, -0.5, 0)), (60, 0.9)])
    assert whole.report["part_count"] == 1 and some.report["part_count"] == 5 and more.report["part_count"] > 20
    assert more.report["visual_volume"] == pytest.approx(0.4)
    stone = rubble.Material.preset("stone")
    assert rubble.Asset(mesh, materials=[stone]).report["key"] != whole.report["key"]
    with pytest.raises(TypeError, match="a pattern or a number"):
        rubble.Asset(mesh, levels=[0.1])


# --- surfaces and films --------------------------------------------------------------------------

def test_surfaces_find_what_collides():
    surface = rubble.Surface()
    flat = surface.add([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 2]])
    other = surface.add([[0.2, -0.5, 0.2], [0.3, 0.5, 0.2], [0.2, 0.5, 0.3]], [[0, 1, 2]])
    assert surface.collide().tolist() == [[0, 1]]
    surface.exclude(surface.collide())
    assert surface.collide().shape == (0, 2)
    surface.exclude([[1, 0]], False)
    assert surface.collide().tolist() == [[0, 1]]
    surface.move(other, [[0.2, 1.5, 0.2], [0.3, 2.5, 0.2], [0.2, 2.5, 0.3]])
    assert surface.collide().shape == (0, 2)
    surface.move(other, [[0.2, -1.5, 0.2], [0.3, 0.5, 0.2], [0.2, 0.5, 0.3]])
    hits = surface.sweep()
    assert len(hits) > 0 and 0 <= hits["time"].min() <= 1
    assert len(surface.sweep()) == len(hits)  # the same step
    assert surface.max_step() == hits["time"].min() and surface.max_step(until=0.001) == numpy.float32(0.001)
    first = surface.first_hits(1)
    assert len(first) == 1 and first["time"][0] == hits["time"].min()
    near = surface.near(1.0)
    assert near.size > 0 and near["distance"].max() <= 1.0
    with pytest.raises(ValueError, match="one row per vertex"):
        surface.move(flat, [[0, 0, 0]])


def test_films_are_written_and_drawn(tmp_path, vase):
    film = rubble.Film()
    shown = film.add_mesh(vase)
    film.begin_frame(0.0)
    thing = film.add_object(shown)
    film.begin_frame(1.0)
    film.move(thing, (0, 1, 0))
    film.save(tmp_path / "film.glb")
    assert (tmp_path / "film.glb").stat().st_size > 1000
    pixels = film.picture(time=0.5, width=160, height=100)
    assert pixels.shape == (100, 160, 3) and pixels.std() > 1
    film.save_picture(tmp_path / "film.png", time=0.5, width=160, height=100)
    assert (tmp_path / "film.png").read_bytes()[:4] == b"\x89PNG"
    assert vase.volume > 0  # the film has a copy


# --- wrong calls ---------------------------------------------------------------------------------

def test_closed_objects_raise(vase):
    mesh = tetrahedron()
    mesh.close()
    mesh.close()
    with pytest.raises(rubble.Closed):
        mesh.volume
    assert "closed" in repr(mesh)
    with rubble.World() as world:
        body = world.add(rubble.Collider("box"))
    with pytest.raises(rubble.Closed):
        body.position
    with pytest.raises(rubble.Closed):
        world.step()


@pytest.mark.parametrize("call, kind, words", [
    (lambda: rubble.World(gravty=(0, 0, 0)), TypeError, "did you mean 'gravity'"),
    (lambda: rubble.World(gravity="down"), TypeError, "3 numbers"),
    (lambda: rubble.World(gravity=(0, 0)), ValueError, "3 numbers"),
    (lambda: rubble.World(gravity=(0, float("nan"), 0)), rubble.BadArgument, "gravity"),
    (lambda: rubble.World(substep_count=10**12), ValueError, "out of range"),
    (lambda: rubble.World(can_sleep="yes"), TypeError, "neither True nor False"),
    (lambda: rubble.Collider("sphere", radius=-1), rubble.BadArgument, "radius"),
    (lambda: rubble.Collider("ball"), ValueError, "sphere"),
    (lambda: rubble.Mesh.load("/no/such.obj"), rubble.IoFailed, "such.obj"),
    (lambda: rubble.Mesh([[0, 0]], []), ValueError, "rows of 3"),
    (lambda: rubble.Mesh([["a", "b", "c"]], []), TypeError, "numbers"),
    (lambda: rubble.Mesh([[0, 0, 0]], [[0, 1, 2]]), rubble.BadArgument, ""),
    (lambda: rubble.Mesh([[0, 0, 0]], [[0.5, 1.5, 2.5]]), TypeError, "whole numbers"),
    (lambda: rubble.Material(density=-1), rubble.BadArgument, "density"),
    (lambda: rubble.Material(levels=[1]), TypeError, "energy, pattern and radius"),
    (lambda: rubble.Material(frictoin=1), TypeError, "material_def has no field"),
    (lambda: rubble.Material.preset("clay"), ValueError, "tempered_glass"),
    (lambda: rubble.Material.preset("ice", strength=-1), rubble.BadArgument, "energy"),
    (lambda: rubble.Mesh.make("dodo"), ValueError, "vase"),
    (lambda: rubble.World().add("box"), TypeError, "Collider"),
    (lambda: rubble.World().add(tetrahedron(), kind="solid"), ValueError, "dynamic"),
    (lambda: rubble.Surface().add([[0, 0, 0]], [[0, 0, 0]]), rubble.BadArgument, ""),
    (lambda: rubble.World.from_bytes(b"nothing"), rubble.BadFile, ""),
    (lambda: list(rubble.Recording(data=b"nothing").replay()), rubble.BadFile, ""),
])
def test_wrong_calls_raise_with_a_sentence(call, kind, words):
    with pytest.raises(kind) as error:
        call()
    assert words in str(error.value) and len(str(error.value)) > 8


def test_random_calls_never_crash(asset):
    """Anything may be passed anywhere: an exception, or it works."""
    random = numpy.random.default_rng(5)
    mesh = tetrahedron()
    closed = tetrahedron()
    closed.close()
    gone = [rubble.World(), rubble.Pattern(cell_count=5), rubble.Collider("sphere"), rubble.Material(), rubble.Workers(1)]
    for thing in gone:
        thing.close()
    old = rubble.World()
    body = old.add(rubble.Collider("box"))
    body.remove()
    values = gone + [body, rubble.Material("clay"), None, True, -1, 0, 1, 2**40, -2**70, 0.5, float("nan"), float("inf"), "", "voronoi", "box", b"x", (), [], {},
              (1, 2, 3), (0, float("nan"), 0), [[0, 0, 0]], [[0, 1, 2]], numpy.zeros((3, 3)), numpy.zeros(0), object(), mesh,
              closed, asset, rubble.Collider("sphere"), rubble.Pattern(cell_count=5), rubble.World(), rubble.Workers(1)]
    targets = [rubble.Mesh, rubble.Mesh.make, rubble.Pattern, rubble.Collider, rubble.World, rubble.Surface, rubble.Film,
               rubble.Pieces, rubble.Asset.from_bytes, rubble.Pattern.from_bytes, rubble.World.from_bytes, rubble.Material, mesh.fracture,
               mesh.repair, body.push, body.damage, body.remove, lambda *a: setattr(body, "pose", a), lambda *a: setattr(body, "velocity", a),
               rubble.Recording, rubble.Workers, gone[0].add, gone[0].step, rubble.Material.preset, rubble.batch.jobs_of, rubble.batch.sweep]
    raised = worked = 0
    for _ in range(30000 if os.environ.get("RBL_SOAK") else 3000):
        world, surface, film = values[-2], rubble.Surface(), rubble.Film()
        target = random.choice(targets + [world.add, world.step, world.cast_ray, world.explode, world.join, surface.add,
                                          surface.move, surface.remove, film.add_mesh, film.add_object, film.begin_frame,
                                          film.move], shuffle=False)
        arguments = [values[random.integers(len(values))] for _ in range(random.integers(4))]
        if target == world.step:
            arguments = arguments[:1]  # a count of 2^40 steps is right, and long
        try:
            target(*arguments)
            worked += 1
        except (Exception,):
            raised += 1
    assert raised > 500 and worked > 50
