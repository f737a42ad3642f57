"""Deforming surfaces: which triangles collide."""

import ctypes

from . import _api as api
from ._arrays import given, pointer_to, view
from ._library import Handle, c, check, create, fill
from .fracture import jobs_of


class Surface(Handle):
    """Bodies of triangles that move, and all pairs of triangles that collide: none is ever missed.

    >>> surface = Surface()
    >>> cloth = surface.add(vertices, triangles)
    >>> surface.move(cloth, vertices + velocity / 60)
    >>> surface.collide()      # pairs of triangles, now
    >>> surface.sweep()        # hits within the step

    Settings are fields of rbl_surface_def.
    """

    _destroy = "rbl_destroy_surface"

    def __init__(self, workers=None, **settings):
        keep = [workers]
        definition = fill(c.rbl_default_surface_def(), settings, keep)
        definition.jobs = jobs_of(workers)
        super().__init__(create("rbl_create_surface", api.rbl_surface, definition), keep)

    def add(self, vertices, triangles):
        """Add a body. Returns its id."""
        definition = c.rbl_default_surface_body_def()
        vertices = given(vertices, api.rbl_vec3, "vertices")
        triangles = given(triangles, ctypes.c_int, "triangles", 3)
        definition.vertex_count, definition.triangle_count = len(vertices), len(triangles)
        definition.positions = pointer_to(vertices, api.rbl_vec3)
        definition.triangles = pointer_to(triangles, ctypes.c_int)
        body = api.rbl_surface_body_id()
        check(c.rbl_surface_add(self.pointer, definition, body))
        return body

    def remove(self, body):
        """Remove a body."""
        check(c.rbl_surface_remove(self.pointer, body))

    def move(self, body, end, start=None):
        """Move a body's vertices for the next query; without a start they come from where they were."""
        data = c.rbl_surface_body_get_data(self.pointer, body)
        arrays = []
        for name, values in (("start", start), ("end", end)):
            if values is not None:
                values = given(values, api.rbl_vec3, name)
                if data.vertex_count and len(values) != data.vertex_count:
                    raise ValueError(f"{name}: one row per vertex is needed, {data.vertex_count} in all")
            arrays.append(values)
        check(c.rbl_surface_move(self.pointer, body, *(None if a is None else pointer_to(a, api.rbl_vec3)
                                                       for a in arrays)))

    def collide(self):
        """Pairs of triangles that intersect at the end of the step, n x 2 ids, ascending: a copy."""
        check(c.rbl_surface_update(self.pointer, api.RBL_SURFACE_DISCRETE))
        pairs = api.rbl_surface_pairs()
        check(c.rbl_surface_collide(self.pointer, pairs))
        return view(pairs.pairs, pairs.count).copy().reshape(-1, 2)

    def sweep(self):
        """Vertices that meet faces, and edges that meet edges, within the step: an array of records
        with kind, a, b, time, is_at_start, u, v, normal; a copy."""
        check(c.rbl_surface_update(self.pointer, api.RBL_SURFACE_CONTINUOUS))
        hits = api.rbl_surface_hits()
        check(c.rbl_surface_sweep(self.pointer, hits))
        return view(hits.hits, hits.count).copy()

    @property
    def stats(self):
        """Numbers about the surface and the last query."""
        stats = c.rbl_surface_get_stats(self.pointer)
        return {name: getattr(stats, name) for name, _ in stats._fields_}

    def __repr__(self):
        if self.is_closed:
            return "<Surface, closed>"
        stats = self.stats
        return f"<Surface: {stats['body_count']} bodies, {stats['triangle_count']} triangles>"
