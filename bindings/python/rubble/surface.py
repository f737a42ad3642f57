"""Deforming surfaces: which triangles collide."""

from __future__ import annotations

import ctypes

from . import _api as api
from ._arrays import given, pointer_to, view
from ._library import Handle, c, check, create, fill
from ._types import TYPE_CHECKING, Any, Array, Dict, Optional, Rows
from .fracture import jobs_of

if TYPE_CHECKING:
    from .fracture import Workers


class Surface(Handle):
    """Bodies of triangles that move, and all pairs of triangles that collide: none is ever missed.

    >>> surface = Surface()
    >>> cloth = surface.add(vertices, triangles)
    >>> surface.move(cloth, vertices + velocity / 60)
    >>> surface.collide()      # pairs of triangles, now
    >>> surface.sweep()        # hits within the step
    >>> surface.max_step()     # how much of it is free of impacts
    >>> surface.near(0.005)    # what is within 5 mm, with distances and directions

    Settings are fields of rbl_surface_def.
    """

    _destroy = "rbl_destroy_surface"

    def __init__(self, workers: Optional[Workers] = None, **settings: Any) -> None:
        keep = [workers]
        definition = fill(c.rbl_default_surface_def(), settings, keep)
        definition.jobs = jobs_of(workers)
        super().__init__(create("rbl_create_surface", api.rbl_surface, definition), keep)
        self._motion = None  # of the last update, None since the last change

    def add(self, vertices: Rows, triangles: Any, rest_vertices: Optional[Rows] = None, **settings: Any) -> int:
        """Add a body. Returns its id. Settings are fields of rbl_surface_body_def: thickness,
        keeps_rest_shape."""
        keep = []
        definition = fill(c.rbl_default_surface_body_def(), settings, keep)
        vertices = given(vertices, api.rbl_vec3, "vertices")
        triangles = given(triangles, ctypes.c_int, "triangles", 3)
        definition.vertex_count, definition.triangle_count = len(vertices), len(triangles)
        definition.positions = pointer_to(vertices, api.rbl_vec3)
        definition.triangles = pointer_to(triangles, ctypes.c_int)
        if rest_vertices is not None:
            rest = given(rest_vertices, api.rbl_vec3, "rest_vertices")
            if len(rest) != len(vertices):
                raise ValueError("rest_vertices: one row per vertex is needed")
            definition.rest_positions = pointer_to(rest, api.rbl_vec3)
        body = api.rbl_surface_body_id()
        self._motion = None
        check(c.rbl_surface_add(self.pointer, definition, body))
        return body

    def remove(self, body: int) -> None:
        """Remove a body."""
        self._motion = None
        check(c.rbl_surface_remove(self.pointer, body))

    def _update(self, motion):
        """Several questions about one step belong to one update: without a move in between, another
        lets everything rest."""
        if self._motion != motion:
            self._motion = None
            check(c.rbl_surface_update(self.pointer, motion))
            self._motion = motion

    def move(self, body: int, end: Rows, start: Optional[Rows] = None) -> None:
        """Move a body's vertices for the next query; without a start they come from where they were."""
        data = c.rbl_surface_body_get_data(self.pointer, body)
        arrays = []
        for name, values in (("start", start), ("end", end)):
            if values is not None:
                values = given(values, api.rbl_vec3, name)
                if data.vertex_count and len(values) != data.vertex_count:
                    raise ValueError(f"{name}: one row per vertex is needed, {data.vertex_count} in all")
            arrays.append(values)
        self._motion = None
        check(c.rbl_surface_move(self.pointer, body, *(None if a is None else pointer_to(a, api.rbl_vec3)
                                                       for a in arrays)))

    def exclude(self, pairs: Any, is_excluded: bool = True) -> None:
        """Pairs of triangles, n x 2 ids as from collide(), are not listed any more, or again."""
        pairs = given(pairs, api.rbl_surface_pair, "pairs")
        self._motion = None
        check(c.rbl_surface_exclude_triangles(self.pointer, pointer_to(pairs, api.rbl_surface_pair), len(pairs), is_excluded))

    def collide(self) -> Array:
        """Pairs of triangles that intersect at the end of the step, n x 2 ids, ascending: a copy."""
        self._update(api.RBL_SURFACE_DISCRETE)
        pairs = api.rbl_surface_pairs()
        check(c.rbl_surface_collide(self.pointer, pairs))
        return view(pairs.pairs, pairs.count).copy().reshape(-1, 2)

    def sweep(self) -> Array:
        """Vertices that meet faces, and edges that meet edges, within the step: an array of records
        with kind, a, b, time, is_at_start, u, v, normal; a copy."""
        self._update(api.RBL_SURFACE_CONTINUOUS)
        hits = api.rbl_surface_hits()
        check(c.rbl_surface_sweep(self.pointer, hits))
        return view(hits.hits, hits.count).copy()

    def max_step(self, until: float = 1.0) -> float:
        """How much of the step can be taken before the first impact: a number up to `until`."""
        self._update(api.RBL_SURFACE_CONTINUOUS)
        share = ctypes.c_float()
        check(c.rbl_surface_max_step(self.pointer, until, share))
        return share.value

    def first_hits(self, count: int, until: float = 1.0) -> Array:
        """The first so many impacts of the step, by time: records as from sweep(); a copy."""
        self._update(api.RBL_SURFACE_CONTINUOUS)
        hits = api.rbl_surface_hits()
        check(c.rbl_surface_first_hits(self.pointer, until, count, hits))
        return view(hits.hits, hits.count).copy()

    def near(self, distance: float) -> Array:
        """Vertices near faces, and edges near edges, at the end of the step: an array of records with
        kind, a, b, nearest, is_repeated, side, distance, u, v, points, direction; a copy."""
        self._update(api.RBL_SURFACE_DISCRETE)
        pairs = api.rbl_surface_near_pairs()
        check(c.rbl_surface_proximity(self.pointer, distance, pairs))
        return view(pairs.pairs, pairs.count).copy()

    @property
    def stats(self) -> Dict[str, Any]:
        """Numbers about the surface and the last query."""
        stats = c.rbl_surface_get_stats(self.pointer)
        return {name: getattr(stats, name) for name, _ in stats._fields_}

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Surface, closed>"
        stats = self.stats
        return f"<Surface: {stats['body_count']} bodies, {stats['triangle_count']} triangles>"
