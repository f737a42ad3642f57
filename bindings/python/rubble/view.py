"""Films of worlds, and web pages and notebooks that play them.

    with world.film() as film:
        world.step(count=240)
    film.view("vase.html")  # in a notebook, `film` or `world.view()` as the last line shows it
"""

from __future__ import annotations

import ctypes
import html
import json
import os
import tempfile
import webbrowser

import numpy

from . import _api as api
from ._arrays import empty, pointer_to
from ._library import c, check, create, fill
from ._types import TYPE_CHECKING, Any, Path
from .film import Film
from .mesh import Mesh

if TYPE_CHECKING:
    from .world import World

_COLORS = ((0.62, 0.36, 0.24), (0.30, 0.42, 0.56), (0.52, 0.50, 0.30), (0.42, 0.30, 0.48), (0.28, 0.48, 0.40))
_STILL = (0.46, 0.45, 0.43)


class View:
    """A web page that plays a film: shows itself in notebooks."""

    def __init__(self, page: str, height: int = 520, thinned: str = "") -> None:
        self.html, self.height, self.thinned = page, height, thinned

    def save(self, path: Path) -> None:
        """Write it as one .html file, which needs no server and no network."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
        return path

    def open(self) -> None:
        """Open it in the browser, from a temporary file. Returns the file's name."""
        handle, path = tempfile.mkstemp(suffix=".html", prefix="rubble-")
        os.close(handle)
        webbrowser.open("file://" + self.save(path))
        return path

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html, quote=True)}" title="Rubble" loading="lazy" '
                f'style="width: 100%; height: {int(self.height)}px; border: 0"></iframe>')

    def __repr__(self) -> str:
        return f"<View: {len(self.html) / 1e6:.1f} MB{', ' + self.thinned if self.thinned else ''}>"


def view_of(film, path=None, title=None, report=None, height=520, **settings):
    """A View of a film, also written to a file if there is a path. `report` is what the page says below, as
    docs/reports.md describes; settings are fields of rbl_viewer_def."""
    keep = []
    texts = {"title": title, "report": None if report is None else json.dumps(report)}
    settings.update((name, text.encode()) for name, text in texts.items() if text is not None)
    definition = fill(c.rbl_default_viewer_def(), settings, keep)
    page, info = api.rbl_file_bytes(), api.rbl_viewer_info()
    check(c.rbl_write_viewer_memory(film.pointer, definition, ctypes.byref(page), ctypes.byref(info)))
    try:
        view = View(ctypes.string_at(page.data, page.size).decode(), height, info.thinned.decode())
    finally:
        c.rbl_free_bytes(ctypes.byref(page))
    if path is not None:
        view.save(path)
    return view


# --- shapes as meshes ----------------------------------------------------------------------------


def box_mesh(lower, upper):
    """A box between two corners."""
    low, high = numpy.asarray(lower, float), numpy.asarray(upper, float)
    corners = [[(high if i >> k & 1 else low)[k] for k in range(3)] for i in range(8)]
    return Mesh(corners, [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])


def _revolve(a, b, profile, sides=24):
    """A solid of revolution about the line from a to b; the profile has distances along it and radii."""
    a, axis = numpy.asarray(a, float), numpy.asarray(b, float) - numpy.asarray(a, float)
    axis = axis / numpy.linalg.norm(axis)
    u = numpy.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.7 else (0.0, 1.0, 0.0))
    u /= numpy.linalg.norm(u)
    v = numpy.cross(axis, u)
    angles = numpy.arange(sides) * (2.0 * numpy.pi / sides)
    circle = numpy.outer(numpy.cos(angles), u) + numpy.outer(numpy.sin(angles), v)
    points, rings, faces = [], [], []
    for along, radius in profile:
        first = sum(len(p) for p in points)
        ring = circle * radius if radius > 0.0 else numpy.zeros((1, 3))
        points.append(a + along * axis + ring)
        rings.append([first + (i if radius > 0.0 else 0) for i in range(sides)])
    for low, high in zip(rings, rings[1:]):
        for i in range(sides):
            k = (i + 1) % sides
            face = [low[i], low[k], high[k], high[i]]
            faces.append([p for j, p in enumerate(face) if p != face[j - 1]])
    for ring, turn in ((rings[0], -1), (rings[-1], 1)):
        if len(set(ring)) > 1:
            faces.append(ring[::turn])
    return Mesh(numpy.concatenate(points), faces)


def _settings_mesh(kind, given):
    """The mesh of a collider that was made with these settings, None where they do not tell."""
    a, b = given.get("a", (0, 0, 0)), given.get("b", (0, 1, 0))
    a, b, radius = numpy.asarray(a, float), numpy.asarray(b, float), float(given.get("radius", 0.5))
    length = float(numpy.linalg.norm(b - a))
    turns = numpy.linspace(-0.5 * numpy.pi, 0.0, 7)
    bowl = [(radius * numpy.sin(t), max(0.0, radius * numpy.cos(t)) if i else 0.0) for i, t in enumerate(turns)]
    if kind == "box":
        half = numpy.asarray(given.get("half_size", (0.5, 0.5, 0.5)), float)
        return box_mesh(a - half, a + half)
    if kind == "sphere":
        ball = Mesh.make("icosphere", radius=radius)
        return Mesh(numpy.asarray(ball.vertices) + a, numpy.asarray(ball.triangles))
    if kind == "capsule":
        return _revolve(a, b, bowl + [(length - along, r) for along, r in reversed(bowl)])
    if kind == "cylinder":
        return _revolve(a, b, [(0.0, radius), (length, radius)])
    if kind == "cone":
        return _revolve(a, b, [(0.0, radius), (length, 0.0)])
    if kind == "plane":
        return _revolve(a - b / numpy.linalg.norm(b) * 0.01, a + b, [(0.0, 15.0), (0.01, 15.0)], 48)
    if kind == "mesh" and isinstance(given.get("mesh"), Mesh) and "origin" not in given:
        return given["mesh"].copy()
    return None


def collider_meshes(collider):
    """Meshes that show a Collider: exact for all but convexes, compounds and height fields, which are shown
    as the box around them."""
    mesh = _settings_mesh(collider.kind, collider.settings)
    if mesh is None:
        bounds = c.rbl_collider_bounds(collider.pointer, api.rbl_transform(api.rbl_vec3(0, 0, 0), api.rbl_quat(0, 0, 0, 1)))
        mesh = box_mesh(_three(bounds.lower), _three(bounds.upper))
    return [mesh]


def _three(v):
    return v.x, v.y, v.z


def _painted(mesh, color):
    """A new mesh with a material, unless it has some: a pointer, whose owner is the caller."""
    definition = c.rbl_default_mesh_def()
    definition.data = c.rbl_mesh_get_data(mesh)
    material = api.rbl_mesh_material()
    if definition.data.material_count == 0:
        material.name = b"plain"
        material.base_color = api.rbl_vec4(*color, 1.0)
        material.roughness = 0.9
        definition.data.material_count = 1
        definition.data.materials = ctypes.pointer(material)
    return create("rbl_create_mesh", api.rbl_mesh, definition)


# --- a world as a film ---------------------------------------------------------------------------


class WorldFilm(Film):
    """A film that follows a world: each step is a frame, until `end()` or the end of a `with`. Bodies of assets
    are shown by their parts' meshes, others by their colliders."""

    def __init__(self, world: World, every: int = 1, **settings: Any) -> None:
        super().__init__(**settings)
        self._world, self._every, self._steps, self._time = world, max(1, int(every)), 0, 0.0
        self._shown = {}  # by index and generation of a body: its film object
        self._roots, self._meshes = {}, {}
        self._new_bodies()
        world._films.append(self)

    def end(self) -> None:
        """Follow no longer."""
        world, self._world = self._world, None
        if world is not None and self in world._films:
            world._films.remove(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def _ids(self):
        count = len(self._world)
        ids = empty(api.rbl_body_id, count)
        count = min(count, c.rbl_world_get_bodies(self._world.pointer, pointer_to(ids, api.rbl_body_id), count))
        return ids[:count].reshape(-1, 2)

    def _add_mesh(self, pointer, color):
        number = ctypes.c_int()
        check(c.rbl_film_add_mesh(self.pointer, _painted(pointer, color), ctypes.byref(number)))
        return number.value

    def _show(self, key):
        """Add the film object of a body."""
        world, id = self._world.pointer, api.rbl_body_id(*key)
        state = c.rbl_body_get_state(world, id)
        color = _STILL if state.kind == api.RBL_BODY_STATIC else _COLORS[self._roots.setdefault(key, key[0]) % len(_COLORS)]
        compound = c.rbl_body_get_compound(world, id)
        numbers = []
        if compound:
            for i in range(c.rbl_compound_get_info(compound).part_end):
                part = c.rbl_compound_get_part(compound, i)
                if part.mesh:
                    numbers.append(self._add_mesh(part.mesh, color))
                elif part.convex:
                    mesh = Mesh._of(create("rbl_convex_create_mesh", api.rbl_mesh, part.convex, None))
                    numbers.append(self._add_mesh(mesh.pointer, color))
        else:
            shape = self._world._shapes.get(key)
            known = (id_of(shape), color)
            if shape is not None and known in self._meshes:
                numbers = self._meshes[known]
            else:
                meshes = collider_meshes(shape) if hasattr(shape, "kind") else [shape] if shape is not None else self._part_boxes(id, state.pose)
                numbers = [self._add_mesh(mesh.pointer, color) for mesh in meshes]
                if shape is not None:
                    self._meshes[known] = numbers
        number, part = ctypes.c_int(), ctypes.c_int()
        check(c.rbl_film_add_object(self.pointer, numbers[0] if len(numbers) == 1 else -1, state.pose, ctypes.byref(number)))
        still = api.rbl_transform(api.rbl_vec3(0, 0, 0), api.rbl_quat(0, 0, 0, 1))
        for mesh in numbers if len(numbers) > 1 else ():
            check(c.rbl_film_add_part(self.pointer, number.value, mesh, still, ctypes.byref(part)))
        self._shown[key] = number.value

    def _part_boxes(self, id, pose):
        """Boxes around the parts of a body whose shape nobody told, in its own coordinates."""
        count = c.rbl_body_get_parts(self._world.pointer, id, None, 0)
        parts = (api.rbl_body_part * max(1, count))()
        c.rbl_body_get_parts(self._world.pointer, id, parts, count)
        boxes = []
        turn = numpy.array([pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w])
        place = numpy.array(_three(pose.position))
        for i in range(count):
            kind = c.rbl_collider_kind_of(parts[i].collider)
            if kind in (api.RBL_COLLIDER_PLANE, api.RBL_COLLIDER_HEIGHT_FIELD):
                continue
            still = api.rbl_transform(api.rbl_vec3(0, 0, 0), api.rbl_quat(0, 0, 0, 1))
            own, part = c.rbl_collider_bounds(parts[i].collider, still), parts[i].pose
            box = box_mesh(_three(own.lower), _three(own.upper))
            q = numpy.array([part.rotation.x, part.rotation.y, part.rotation.z, part.rotation.w])
            points = _turn(q, numpy.asarray(box.vertices)) + numpy.array(_three(part.position))
            points = _turn(turn * (-1, -1, -1, 1), points - place)
            boxes.append(Mesh(points, [face.tolist() for face in box.faces]))
        return boxes or [box_mesh((-1e-3,) * 3, (1e-3,) * 3)]

    def _new_bodies(self):
        for row in self._ids():
            key = (int(row[0]), int(row[1]))
            if key not in self._shown:
                self._show(key)

    def _take(self, dt):
        """A step was made: a frame, if it is time for one, or something broke."""
        world = self._world
        self._steps += 1
        self._time += dt
        fractures = world.fractures
        if self._steps % self._every and not fractures:
            return
        self.begin_frame(self._time)
        moves = world.moves()
        for body, pose in zip(moves["body"].tolist(), moves["pose"]):
            number = self._shown.get(tuple(body))
            if number is not None:
                self.move(number, pose)
        there = {(int(row[0]), int(row[1])) for row in self._ids()}
        for event in fractures:
            parent = (event.parent.id.index, event.parent.id.generation)
            for body in event.new_bodies:
                self._roots[body.id.index, body.id.generation] = self._roots.get(parent, parent[0])
            if parent in self._shown:
                self.remove(self._shown.pop(parent))
        for key in [key for key in self._shown if key not in there]:
            self.remove(self._shown.pop(key))
        self._new_bodies()


def id_of(thing):
    """What tells a shape from others as long as it lives."""
    return id(thing)


def _turn(q, points):
    u, w = q[:3], q[3]
    t = 2.0 * numpy.cross(u, points)
    return points + w * t + numpy.cross(u, t)
