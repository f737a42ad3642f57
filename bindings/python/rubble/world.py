"""Worlds of rigid bodies that break."""

from __future__ import annotations

import ctypes
import sys
from collections import namedtuple

import numpy

from . import _api as api
from ._arrays import empty, pointer_to, view
from ._library import Cancelled, Error, Handle, c, check, convert, create, fill, floats, last_error, numbers, save
from ._types import TYPE_CHECKING, Any, Array, Iterator, List, Optional, Path, Report, Sequence, Tuple, Vector
from .fracture import Asset, Material, Pattern, jobs_of
from .mesh import Mesh

if TYPE_CHECKING:
    from .fracture import Workers
    from .view import View, WorldFilm

COLLIDERS = {name.lower(): value for name, value in api.rbl_collider_kind.__members__.items() if name != "KIND_COUNT"}
DAMAGES = {name.lower(): value for name, value in api.rbl_damage_shape.__members__.items() if name != "SHAPE_COUNT"}
JOINTS = {name.lower(): value for name, value in api.rbl_joint_kind.__members__.items() if name != "KIND_COUNT"}
KINDS = {name.lower(): value for name, value in api.rbl_body_kind.__members__.items() if name != "KIND_COUNT"}


def _kind(names, name, what):
    if not isinstance(name, str) or name not in names:
        raise ValueError(f"there is no {what} '{name}'; there are {', '.join(names)}")
    return names[name]


class Collider(Handle):
    """A shape that bodies share: `Collider("box", half_size=(1, 1, 1))`, `Collider("sphere", radius=0.5)`.

    The kinds are rubble.COLLIDERS, settings are fields of rbl_collider_def. A mesh is passed as `mesh`.
    """

    _destroy = "rbl_destroy_collider"

    def __init__(self, kind: str, **settings: Any) -> None:
        keep = []
        definition = fill(c.rbl_default_collider_def(_kind(COLLIDERS, kind, "collider")), settings, keep)
        super().__init__(create("rbl_create_collider", api.rbl_collider, definition))
        self.kind = kind
        self.settings = dict(settings)

    def __repr__(self) -> str:
        return f"<Collider: {self.kind}>"


class Body:
    """A body of a world, by its id. It may be gone: `exists` tells; changing it raises StaleId then."""

    __slots__ = ("world", "id")

    def __init__(self, world: World, id: api.rbl_body_id) -> None:
        self.world, self.id = world, id

    def _get(self, name):
        return getattr(c, f"rbl_body_{name}")(self.world.pointer, self.id)

    def _set(self, name, *values):
        check(getattr(c, f"rbl_body_set_{name}")(self.world.pointer, self.id, *values))

    @property
    def exists(self) -> bool:
        """Whether it is still there."""
        return self._get("exists")

    @property
    def state(self) -> api.rbl_body_state:
        """All of it at once: kind, pose, velocities, flags, as an rbl_body_state."""
        return self._get("get_state")

    @property
    def position(self) -> Array:
        """Of the shape's origin."""
        return numpy.array(numbers(self._get("pose").position), numpy.float32)

    @property
    def rotation(self) -> Array:
        """Quaternion x, y, z, w."""
        return numpy.array(numbers(self._get("pose").rotation), numpy.float32)

    @property
    def pose(self) -> Array:
        """Position and quaternion, seven numbers. Set it with seven, or three for a position alone."""
        return numpy.concatenate((self.position, self.rotation))

    @pose.setter
    def pose(self, value: Any) -> None:
        self._set("pose", floats(api.rbl_transform, value, "pose"))

    @property
    def velocity(self) -> Array:
        """Of the centre of mass, in metres per second."""
        return numpy.array(numbers(self._get("velocity")), numpy.float32)

    @velocity.setter
    def velocity(self, value: Any) -> None:
        self._set("velocity", floats(api.rbl_vec3, value, "velocity"), self._get("angular_velocity"))

    @property
    def angular_velocity(self) -> Array:
        """In radians per second."""
        return numpy.array(numbers(self._get("angular_velocity")), numpy.float32)

    @angular_velocity.setter
    def angular_velocity(self, value: Any) -> None:
        self._set("velocity", self._get("velocity"), floats(api.rbl_vec3, value, "angular_velocity"))

    @property
    def mass(self) -> float:
        """In kilograms; 0 for what is not dynamic."""
        return self._get("get_mass").mass

    @property
    def bounds(self) -> Array:
        """Lower and upper corner of the box around it."""
        return numpy.array(numbers(self._get("bounds")), numpy.float32)

    @property
    def is_awake(self) -> bool:
        """Whether it moves or may move."""
        return self._get("is_awake")

    @is_awake.setter
    def is_awake(self, value: Any) -> None:
        self._set("awake", bool(value))

    @property
    def user(self) -> int:
        """The number that you gave it."""
        return self._get("user")

    @user.setter
    def user(self, value: Any) -> None:
        self._set("user", value)

    def push(self, impulse: Vector, point: Optional[Vector] = None) -> None:
        """Change its momentum at once, in newton seconds, at a point of the world or its centre."""
        where = self.state.centre if point is None else floats(api.rbl_vec3, point, "point")
        check(c.rbl_body_add_impulse(self.world.pointer, self.id, floats(api.rbl_vec3, impulse, "impulse"), where))

    def damage(self, point: Vector, energy: float, direction: Vector = (0, -1, 0), radius: float = float("inf")) -> None:
        """Hit it with an energy in joule; the next step reports what came of it."""
        check(c.rbl_body_damage(self.world.pointer, self.id, floats(api.rbl_vec3, point, "point"),
                                floats(api.rbl_vec3, direction, "direction"), radius, energy))

    def cut(self, point: Vector, normal: Vector) -> None:
        """Cut it in two along a plane of the world, whatever it withstands; the next step does it."""
        check(c.rbl_body_cut(self.world.pointer, self.id, floats(api.rbl_vec3, point, "point"),
                             floats(api.rbl_vec3, normal, "normal")))

    @property
    def meshes(self) -> List[Mesh]:
        """Meshes of its parts in its own coordinates; none for bodies without a compound."""
        compound = c.rbl_body_get_compound(self.world.pointer, self.id)
        meshes = []
        for i in range(c.rbl_compound_get_info(compound).part_end if compound else 0):
            if c.rbl_compound_get_part(compound, i).convex:
                meshes.append(Mesh._of(create("rbl_compound_create_part_mesh", api.rbl_mesh, compound, i, None, None, None)))
        return meshes

    def remove(self) -> None:
        """Destroy it."""
        check(c.rbl_destroy_body(self.world.pointer, self.id))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self.world is other.world and \
            (self.id.index, self.id.generation) == (other.id.index, other.id.generation)

    def __hash__(self) -> int:
        return hash((self.id.index, self.id.generation))

    def __repr__(self) -> str:
        return f"<Body {self.id.index}.{self.id.generation}{'' if self.exists else ', gone'}>"


Fracture = namedtuple("Fracture", "parent survives cause other new_bodies point normal energy radius user material parts dust "
                                  "chips emitters impulse lost_mass exposed_area")
Fracture.__doc__ = """A body broke: parent, new_bodies and chips are Body, point and normal where it was hit, material the name
of what it was made of there, parts the numbers of its parts that are gone. dust has a row for each piece that is gone:
position, velocity, volume and radius; emitters are records as rbl_dust_emitter. All else is as in rbl_fracture_event."""
Hit = namedtuple("Hit", "body part point normal fraction distance")
Hit.__doc__ = "What a ray met."


class World(Handle):
    """Bodies, time, and what happens.

    >>> world = World(gravity=(0, -9.81, 0))
    >>> floor = world.add(Collider("box", half_size=(5, 0.5, 5)), kind="static", position=(0, -0.5, 0))
    >>> vase = world.add(asset, position=(0, 2, 0))
    >>> for _ in range(120):
    ...     world.step()
    ...     for event in world.fractures:
    ...         print(event.energy, len(event.new_bodies))

    Settings are fields of rbl_world_def.
    """

    _destroy = "rbl_destroy_world"

    def __init__(self, workers: Optional[Workers] = None, **settings: Any) -> None:
        keep = [workers]
        definition = fill(c.rbl_default_world_def(), settings, keep)
        definition.jobs = jobs_of(workers)
        super().__init__(create("rbl_create_world", api.rbl_world, definition), keep)
        self._begin()

    def _begin(self, assets=(), patterns=(), materials=()):
        self._films, self._shapes, self._moves = [], {}, None
        self._assets, self._patterns, self._materials = list(assets), list(patterns), list(materials)

    # --- what is in it ---------------------------------------------------------------------------

    def add(self, shape: Any, kind: str = "dynamic", position: Vector = (0, 0, 0), rotation: Vector = (0, 0, 0, 1),
            material: Optional[Material] = None, **settings: Any) -> Body:
        """Add a body of a Collider, an Asset, or a closed Mesh (which collides by its distance field), made
        of a Material. Settings are fields of rbl_body_def. Returns a Body."""
        keep = []
        if material is not None:
            settings["shared_material"] = material
        definition = c.rbl_default_body_def()
        definition.kind = _kind(KINDS, kind, "kind of body")
        definition.pose = floats(api.rbl_transform, (position, rotation), "position and rotation")
        for cls, field in ((Collider, "collider"), (Asset, "asset"), (Mesh, "mesh")):
            if isinstance(shape, cls):
                setattr(definition, field, shape.pointer)
                break
        else:
            raise TypeError(f"shape: a Collider, Asset or Mesh is needed, not {shape!r}")
        if isinstance(shape, Mesh):
            definition.contact_method = api.RBL_CONTACTS_FIELD
        fill(definition, settings, keep)
        id = c.rbl_create_body(self.pointer, definition)
        if id.generation == 0:
            raise Error(last_error())
        if not isinstance(shape, Asset):
            self._shapes[id.index, id.generation] = shape  # for films
        for thing, known in ((shape, self._assets), (material, self._materials)):  # for pickling
            if isinstance(thing, (Asset, Material)) and not any(thing is other for other in known):
                known.append(thing)
        return Body(self, id)

    def join(self, kind: str, a: Body, b: Body, frame: Vector = (0, 0, 0), **settings: Any) -> api.rbl_joint_id:
        """Join two bodies at a frame of the world: a position, or a position and a quaternion. The kinds
        are rubble.JOINTS, settings are fields of rbl_joint_def. Returns the id of the joint."""
        keep = []
        definition = c.rbl_default_joint_def(_kind(JOINTS, kind, "joint"))
        definition.body_a, definition.body_b = a.id, b.id
        check(c.rbl_joint_def_place(self.pointer, definition, floats(api.rbl_transform, frame, "frame")))
        id = c.rbl_create_joint(self.pointer, fill(definition, settings, keep))
        if id.generation == 0:
            raise Error(last_error())
        return id

    def __len__(self) -> int:
        return c.rbl_world_body_count(self.pointer)

    @property
    def bodies(self) -> List[Body]:
        """All bodies."""
        count = len(self)
        ids = (api.rbl_body_id * max(1, count))()
        count = min(count, c.rbl_world_get_bodies(self.pointer, ids, count))
        return [Body(self, api.rbl_body_id(ids[i].index, ids[i].generation)) for i in range(count)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.bodies)

    def __contains__(self, body: Any) -> bool:
        return isinstance(body, Body) and body.world is self and body.exists

    # --- time ------------------------------------------------------------------------------------

    def step(self, dt: float = 1.0 / 60.0, count: int = 1, progress: Report = None) -> None:
        """Move time on by `count` steps. Other Python threads run meanwhile. `progress` is called after each step;
        when it returns False, the call ends with Cancelled, and the world is where it is."""
        for _ in range(count):
            check(c.rbl_world_step(self.pointer, dt))
            for film in self._films:
                film._take(dt)
            if progress is not None and progress() is False:
                raise Cancelled("the steps were cancelled")

    @property
    def hash(self) -> int:
        """A hash of the state: equal runs have equal hashes on every platform."""
        return c.rbl_world_hash(self.pointer)

    @property
    def gravity(self) -> Array:
        """In metres per second squared."""
        return numpy.array(numbers(c.rbl_world_gravity(self.pointer)), numpy.float32)

    @gravity.setter
    def gravity(self, value: Any) -> None:
        check(c.rbl_world_set_gravity(self.pointer, floats(api.rbl_vec3, value, "gravity")))

    def moves(self) -> Array:
        """Bodies that the last step moved: an array of records with body (index and generation), pose
        (position, quaternion) and user. It is yours for as long as you keep it."""
        buffer, self._moves = self._moves, None
        if buffer is None or sys.getrefcount(buffer) > 2:  # somebody looks at the last one still
            buffer = empty(api.rbl_move_event, 0 if buffer is None else len(buffer))
        count = c.rbl_world_get_moves(self.pointer, pointer_to(buffer, api.rbl_move_event), len(buffer))
        if count > len(buffer):
            buffer = empty(api.rbl_move_event, max(count, len(self)))
            c.rbl_world_get_moves(self.pointer, pointer_to(buffer, api.rbl_move_event), count)
        self._moves = buffer  # memory for the next time
        return buffer[:count]

    # --- what happened ---------------------------------------------------------------------------

    def _events(self, field, count):
        events = c.rbl_world_get_events(self.pointer)
        return view(getattr(events, field), getattr(events, count)).copy()

    @property
    def hits(self) -> Array:
        """Blows of the last step: an array of records as rbl_hit_event."""
        return self._events("hits", "hit_count")

    @property
    def begins(self) -> Array:
        """Parts that began to touch: an array of records as rbl_contact_event."""
        return self._events("begins", "begin_count")

    @property
    def ends(self) -> Array:
        """Parts that ceased to touch."""
        return self._events("ends", "end_count")

    @property
    def fractures(self) -> List[Fracture]:
        """What broke in the last step: a list of Fracture."""
        events = c.rbl_world_get_events(self.pointer)
        found = []
        for i in range(events.fracture_count):
            e = events.fractures[i]

            def body(id):
                return Body(self, api.rbl_body_id(id.index, id.generation)) if id.generation else None

            found.append(Fracture(body(e.parent), e.survives, api.rbl_fracture_cause(e.cause), body(e.other),
                                  [body(e.new_bodies[k]) for k in range(e.new_count)],
                                  numpy.array(numbers(e.point)), numpy.array(numbers(e.normal)), e.energy, e.radius, e.user,
                                  c.rbl_material_name(e.made_of).decode(), view(e.parts, e.part_count).copy(),
                                  view(e.dust, e.dust_count).copy(), [body(e.chips[k].body) for k in range(e.chip_count)],
                                  view(e.emitters, e.emitter_count).copy(), e.impulse, e.lost_mass, e.exposed_area))
        return found

    def exposed_triangles(self, fracture: int) -> Array:
        """The triangles of the faces that one of `fractures`, by its place there, has exposed: an array of records, as
        rbl_fracture_triangle. The world needs keeps_exposed_triangles=True."""
        count = ctypes.c_int()
        check(c.rbl_world_get_exposed_triangles(self.pointer, fracture, None, 0, ctypes.byref(count)))
        found = empty(api.rbl_fracture_triangle, count.value)
        check(c.rbl_world_get_exposed_triangles(self.pointer, fracture, pointer_to(found, api.rbl_fracture_triangle),
                                                count.value, ctypes.byref(count)))
        return found

    # --- questions -------------------------------------------------------------------------------

    def cast_ray(self, start: Vector, translation: Vector) -> Optional[Hit]:
        """The first thing that a ray hits, as a Hit, or None."""
        hit = api.rbl_world_hit()
        if not c.rbl_world_cast_ray(self.pointer, floats(api.rbl_vec3, start, "start"),
                                    floats(api.rbl_vec3, translation, "translation"), None, hit):
            return None
        return Hit(Body(self, api.rbl_body_id(hit.body.index, hit.body.generation)), hit.part,
                   numpy.array(numbers(hit.point)), numpy.array(numbers(hit.normal)), hit.fraction, hit.distance)

    def damage(self, position: Vector, energy: float, shape: str = "sphere", **settings: Any) -> None:
        """Let energy act on whatever is in a shape, one of rubble.DAMAGES: rays, capsules and cones have a `translation`.
        Settings are fields of rbl_damage_def."""
        keep = []
        definition = fill(c.rbl_default_damage_def(), settings, keep)
        definition.shape = _kind(DAMAGES, shape, "damage")
        definition.position = floats(api.rbl_vec3, position, "position")
        definition.energy = convert(ctypes.c_float, energy, "energy", keep)
        check(c.rbl_world_damage(self.pointer, definition))

    def explode(self, position: Vector, **settings: Any) -> None:
        """Push everything away from a point, and break it where there is an `energy`. Settings are fields of
        rbl_explosion."""
        keep = []
        explosion = fill(c.rbl_default_explosion(), settings, keep)
        explosion.position = floats(api.rbl_vec3, position, "position")
        check(c.rbl_world_explode(self.pointer, explosion))

    # --- saving ----------------------------------------------------------------------------------

    def __bytes__(self) -> bytes:
        return save("rbl_world_save", self.pointer)

    @classmethod
    def from_bytes(cls, data: bytes, assets: Sequence[Asset] = (), patterns: Sequence[Pattern] = (),
                   workers: Optional[Workers] = None, materials: Sequence[Material] = ()) -> World:
        """The world that `bytes(world)` wrote: it goes on with the same bits. Assets, patterns and materials that
        it names are found in those given."""
        world = cls.__new__(cls)
        definition = c.rbl_default_world_def()
        definition.jobs = jobs_of(workers)
        sources, keep = _sources(assets, patterns, materials)
        pointer = ctypes.POINTER(api.rbl_world)()
        data = bytes(data)
        check(c.rbl_world_load(data, len(data), definition, sources, ctypes.byref(pointer)))
        Handle.__init__(world, pointer, [workers])
        world._begin(*keep[:3])
        return world

    def __reduce__(self):
        """A snapshot, with the assets and materials that bodies were made of."""
        patterns = self._patterns + [pattern for material in self._materials for pattern in material.patterns]
        return World.from_bytes, (bytes(self), self._assets, patterns, None, self._materials)

    def film(self, every: int = 1, **settings: Any) -> WorldFilm:
        """A film that follows this world: `with world.film() as film: world.step(count=240)`. Every so many
        steps are a frame; settings are fields of rbl_film_def."""
        from .view import WorldFilm
        return WorldFilm(self, every, **settings)

    def view(self, path: Optional[Path] = None, title: Optional[str] = None, **settings: Any) -> View:
        """A web page of this world as a View, which notebooks show; also written to `path`, as one .html file. It
        plays the film that follows this world, or else shows it as it is now."""
        if self._films:
            return self._films[-1].view(path, title, **settings)
        with self.film() as film:
            return film.view(path, title, **settings)

    def record(self) -> Recording:
        """Record all calls: `with world.record() as recording: ...`, see Recording."""
        return Recording(self)

    def __repr__(self) -> str:
        return "<World, closed>" if self.is_closed else f"<World: {len(self)} bodies>"


def _sources(assets, patterns, materials):
    sources = c.rbl_default_sources()
    keep = [list(assets), list(patterns), list(materials)]
    for field, items, kind, cls in (("asset", keep[0], api.rbl_asset, Asset), ("pattern", keep[1], api.rbl_pattern, Pattern),
                                    ("material", keep[2], api.rbl_material, Material)):
        for item in items:
            if not isinstance(item, cls):
                raise TypeError(f"{field}s: {item!r} is not a {cls.__name__}")
        array = (ctypes.POINTER(kind) * max(1, len(items)))(*(item.pointer for item in items))
        keep.append(array)
        setattr(sources, field + "s", array)
        setattr(sources, field + "_count", len(items))
    return sources, keep


class Recording:
    """The calls of a world as bytes: made by World.record(), played by replay()."""

    def __init__(self, world: Optional[World] = None, data: bytes = b"") -> None:
        if not isinstance(data, (bytes, bytearray, memoryview)) or not isinstance(world, (World, type(None))):
            raise TypeError("a World or bytes are needed")
        self._chunks = [bytes(data)]
        self._world = None
        if world is not None:
            self._write = api.rbl_write_function(self._take)
            definition = c.rbl_default_recording_def()
            definition.write = self._write
            check(c.rbl_world_begin_recording(world.pointer, definition))
            self._world = world
            world._keep.append(self)  # which is written to for as long as the world lives

    def _take(self, _user, data, size):
        try:
            self._chunks.append(ctypes.string_at(data, size))
        except MemoryError:
            return False
        return True

    def end(self) -> None:
        """End the recording."""
        world, self._world = self._world, None
        if world is not None and not world.is_closed:
            check(c.rbl_world_end_recording(world.pointer))
            world._keep = [thing for thing in world._keep if thing is not self]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def __bytes__(self) -> bytes:
        self._chunks = [b"".join(self._chunks)]
        return self._chunks[0]

    def replay(self, assets: Sequence[Asset] = (), patterns: Sequence[Pattern] = (), workers: Optional[Workers] = None,
               materials: Sequence[Material] = ()) -> Iterator[Tuple[int, int]]:
        """Play it: yields the step and its hash, and raises Error when a hash is not what it was."""
        for _world, report in self._worlds(assets, patterns, workers, materials):
            if report is None:
                continue
            if report.differs:
                raise Error(f"step {report.step}: the hash is {report.hash:016x}, and was {report.recorded_hash:016x}")
            yield report.step, report.hash

    def film(self, assets: Sequence[Asset] = (), patterns: Sequence[Pattern] = (), workers: Optional[Workers] = None,
             materials: Sequence[Material] = (), every: int = 1, dt: float = 1.0 / 60.0, **settings: Any) -> WorldFilm:
        """Play it into a Film, to be looked at by view(), picture() and png(). Steps are taken to be of `dt`
        seconds; bodies that have no asset are shown by the boxes around their parts."""
        from .view import WorldFilm
        film = None
        for world, _report in self._worlds(assets, patterns, workers, materials):
            if film is None:
                film = WorldFilm(world, every, **settings)
            else:
                film._take(dt)
        if film is None:
            raise Error("the recording has no steps")
        film.end()
        return film

    def _worlds(self, assets, patterns, workers, materials):
        """Play it: yields the world before the first step, and with a report after each; it lives until the end."""
        data = bytes(self)
        definition = c.rbl_default_world_def()
        definition.jobs = jobs_of(workers)
        sources, keep = _sources(assets, patterns, materials)
        replay = create("rbl_create_replay", api.rbl_replay, data, len(data), definition, sources)
        world = World.__new__(World)
        Handle.__init__(world, c.rbl_replay_get_world(replay))
        world._begin()
        try:
            report = api.rbl_replay_report()
            yield world, None
            while True:
                check(c.rbl_replay_step(replay, report))
                if report.is_over:
                    return
                yield world, report
        finally:
            world._pointer = None  # the replay's
            c.rbl_destroy_replay(replay)
            del keep

    def __reduce__(self):
        return Recording, (None, bytes(self))
