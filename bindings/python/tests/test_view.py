"""Films of worlds, web pages and pictures."""

import base64
import html
import json
import re

import numpy
import pytest

import rubble


def broken_world():
    mesh = rubble.Mesh.make("vase")
    clay = rubble.Material("clay", density=2000, levels=[(1.0, rubble.Pattern("impact", size=(0.5, 0.5, 0.5)), 0.3)])
    asset = mesh.prepare()
    world = rubble.World()
    world.add(rubble.Collider("box", half_size=(3, 0.5, 3)), kind="static", position=(0, -0.5, 0))
    world.add(rubble.Collider("capsule", radius=0.1, b=(0, 0.4, 0)), position=(1, 0.5, 0))
    world.add(asset, position=(0, 2, 0), material=clay)
    return world, asset


def scene_of(page):
    """The glTF of a page."""
    data = base64.b64decode(re.search(r'id="film-data">([^<]*)<', page).group(1))
    assert data[:4] == b"glTF"
    size = int.from_bytes(data[12:16], "little")
    return json.loads(data[20:20 + size])


def test_chips_are_filmed():
    stone = rubble.Material.preset("concrete", strength=0.1)
    world = rubble.World(budget=0)
    body = world.add(rubble.Mesh.make("box").prepare(), material=stone)
    with world.film() as film:
        body.damage((0, 0.5, 0), 5000)
        world.step()
        assert len(world.fractures[0].chips) > 5
        world.step(count=3)
    assert str(film).startswith(f"<Film: {len(world) + 1} objects")


def test_a_film_follows_a_world(tmp_path):
    world, _ = broken_world()
    with world.film() as film:
        world.step(count=90)
        bodies = len(world)
        page = world.view().html
    assert bodies > 10
    world.step()  # no longer followed
    assert film.duration == pytest.approx(1.5, abs=1e-3)
    scene = scene_of(page)
    assert len([n for n in scene["nodes"] if "mesh" in n]) >= bodies
    assert scene["animations"]
    view = film.view(tmp_path / "vase.html", title="A <vase>", report={"subtitle": "</script>"})
    text = (tmp_path / "vase.html").read_text()
    assert text == view.html and "A &lt;vase&gt;" in text and "</script>\"" not in text
    assert scene_of(text)["nodes"] == scene["nodes"]


def test_a_world_shows_itself_as_it_is():
    world, _ = broken_world()
    view = world.view()
    assert len(scene_of(view.html)["scenes"][0]["nodes"]) == 3
    assert not world._films
    shown = view._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and html.unescape(re.search(r'srcdoc="([^"]*)"', shown).group(1)) == view.html
    assert "MB" in repr(view)


def test_pictures_are_arrays_and_png():
    world, _ = broken_world()
    with world.film() as film:
        world.step(count=60)
    first, last = (film.picture(time, width=96, height=60) for time in (0.0, 1.0))
    assert first.shape == (60, 96, 3) and first.dtype == numpy.uint8
    assert (first != last).any() and first.std() > 5
    png = film.png(0.5, width=64, height=48)
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(png[16:20], "big") == 64


def test_recordings_become_films():
    world, asset = broken_world()
    with world.record() as recording:
        world.step(count=80)
    film = recording.film(assets=[asset])
    assert film.duration == pytest.approx(80 / 60, abs=1e-3)
    assert len([n for n in scene_of(film.view().html)["nodes"] if "mesh" in n]) >= len(world)


def test_each_collider_has_a_mesh():
    from rubble.view import collider_meshes
    for kind, settings, volume in (("box", {"half_size": (1, 2, 3)}, 48.0), ("sphere", {"radius": 1.0}, 4.19),
                                   ("capsule", {"radius": 0.5}, 1.31), ("cylinder", {"radius": 1.0, "b": (0, 0, 2)}, 6.28),
                                   ("cone", {"radius": 1.0, "a": (1, 0, 0), "b": (4, 0, 0)}, 3.14)):
        mesh, = collider_meshes(rubble.Collider(kind, **settings))
        assert mesh.check()["is_closed"] and mesh.volume == pytest.approx(volume, rel=0.05), kind


def test_wrong_settings_raise():
    world, _ = broken_world()
    with pytest.raises(TypeError):
        world.view(siez_limit=1)
    with pytest.raises(ValueError):
        world.view(size_limit=10)


def test_an_empty_world_can_be_followed():
    world = rubble.World()
    assert world.view().html
    with world.film() as film:
        world.step()
        world.add(rubble.Collider("sphere"))
        world.step(count=3)
    assert len(scene_of(film.view().html)["nodes"]) == 1
