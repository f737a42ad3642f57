"""Jobs that break a mesh."""

from __future__ import annotations

import collections
import ctypes
import functools
import hashlib
import json
import math
import os
import pathlib

import numpy

from .. import _api as api
from .._arrays import view
from .._library import Handle, c, check, create
from .._types import Any, Dict, List, Optional, Path, Sequence
from ..fracture import Pattern
from ..mesh import Mesh
from .dataset import VERSION, arrays_as_bytes, version_of_library



class Job(collections.namedtuple("Job", "mesh pattern cells seed repair")):
    """A fracture to make: the path of a mesh, the kind of pattern, the number of cells, the seed, and whether the
    mesh is repaired first. Its file (numpy's .npz) holds

        vertices, vertex_starts       positions of all pieces, and where each piece begins
        triangles, triangle_starts    vertex numbers within the piece, and where each piece begins
        sides                         contact surfaces: by triangle the piece on the other side, -1 on the outside
        volumes, centres              of each piece
        adjacency, areas, contacts    pairs of pieces that share a crack, its area and centre
        poses                         a random pose of each piece about its centre, to be undone by who puts it together
        job                           what it was made of, as JSON
    """

    __slots__ = ()

    def key(self) -> str:
        """A hash of everything that the result depends on: the mesh's bytes, not its name."""
        settings = [VERSION, *version_of_library(), digest_of(self.mesh), self.pattern, self.cells, self.seed, self.repair]
        return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:32]

    def describe(self) -> Dict[str, Any]:
        """What it is made of, as JSON can say it."""
        return {**self._asdict(), "mesh": pathlib.Path(self.mesh).name}

    def make(self, _folder: Optional[Path] = None) -> bytes:
        """Make it: the bytes of its file."""
        return fracture(self)


def jobs_of(meshes: Sequence[Path], seeds: Any, pattern: str = "voronoi", cells: int = 50, repair: bool = False) -> List[Job]:
    """Every mesh with every seed, in order."""
    return [Job(str(mesh), pattern, cells, int(seed), repair) for mesh in meshes for seed in seeds]


@functools.lru_cache(maxsize=4096)
def _digest(path, _stamp, _size):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def digest_of(path):
    """The hash of a file's bytes; a file that has not changed is read once."""
    status = os.stat(path)
    return _digest(str(path), status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=4)
def _loaded(path, repair, _digest):
    """A mesh, kept for the next seeds."""
    mesh = Mesh.load(path)
    return mesh.repair() if repair else mesh


def random_poses(count, seed, extent):
    """Positions within `extent` and rotations without a preferred direction. Uniform numbers and square roots
    alone: the same bits on every machine."""
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    positions = (2.0 * random.random((count, 3)) - 1.0) * extent
    rotations = numpy.empty((0, 4))
    while len(rotations) < count:
        q = 2.0 * random.random((4 * count + 16, 4)) - 1.0
        square = q[:, 0] * q[:, 0] + q[:, 1] * q[:, 1] + q[:, 2] * q[:, 2] + q[:, 3] * q[:, 3]
        keep = (square > 0.01) & (square <= 1.0)
        rotations = numpy.concatenate((rotations, q[keep] / numpy.sqrt(square[keep])[:, None]))
    return numpy.hstack((positions, rotations[:count]))


class _Compound(Handle):
    _destroy = "rbl_destroy_compound"


INT = ctypes.sizeof(ctypes.c_int)
BOND_SIZE = ctypes.sizeof(api.rbl_compound_bond)
BOND = numpy.dtype({"names": ["other", "area", "centre"], "formats": [numpy.int32, numpy.float64, (numpy.float64, 3)],
                    "offsets": [getattr(api.rbl_compound_bond, name).offset for name in ("other", "area", "centre")],
                    "itemsize": BOND_SIZE})


def _starts(counts):
    return numpy.concatenate(([0], numpy.cumsum(counts, dtype=numpy.int64)))


class _Collected:
    """Arrays of all parts of a compound, one after the other. Calls are per part, everything else is done at once."""

    def __init__(self, compound):
        parts = [c.rbl_compound_get_part(compound, part) for part in range(c.rbl_compound_get_info(compound).part_end)]
        made = [None if part.mesh else create("rbl_convex_create_mesh", api.rbl_mesh, part.convex, None) for part in parts]
        try:
            self._take_meshes([part.mesh or mesh for part, mesh in zip(parts, made)])
        finally:
            for mesh in made:
                c.rbl_destroy_mesh(mesh)
        self._take_bonds(compound, len(parts))

    def _take_meshes(self, meshes):
        data = [c.rbl_mesh_get_data(mesh) for mesh in meshes]
        self.triangle_starts = _starts([c.rbl_mesh_triangle_count(mesh) for mesh in meshes])
        self.vertex_starts = _starts([d.vertex_count for d in data])
        count = int(self.triangle_starts[-1])
        corners, faces = numpy.empty((count, 3), numpy.int32), numpy.empty(count, numpy.int32)
        corner_memory, face_memory = corners.ctypes.data, faces.ctypes.data
        for mesh, start in zip(meshes, self.triangle_starts.tolist()):
            check(c.rbl_mesh_triangulate(mesh, ctypes.byref(ctypes.c_int.from_address(corner_memory + 3 * INT * start)),
                                         ctypes.byref(ctypes.c_int.from_address(face_memory + INT * start))))
        masses = [c.rbl_mesh_get_mass(mesh) for mesh in meshes]
        self.volumes = numpy.array([mass.volume for mass in masses])
        self.centres = numpy.array([(mass.centre.x, mass.centre.y, mass.centre.z) for mass in masses]).reshape(-1, 3)
        sizes = numpy.diff(self.triangle_starts)
        self.part_of = numpy.repeat(numpy.arange(len(meshes)), sizes)
        self.vertices = numpy.concatenate([view(d.positions, d.vertex_count) for d in data])
        corners += numpy.repeat(_starts([d.corner_count for d in data])[:-1], sizes).astype(numpy.int32)[:, None]
        self.triangles = numpy.concatenate([view(d.corner_vertices, d.corner_count) for d in data])[corners]
        # Cut faces have the last material: the compound was told to add it there. Faces are numbered through.
        inner = numpy.concatenate([view(d.face_materials, d.face_count) == d.material_count - 1 if d.face_materials
                                   else numpy.ones(d.face_count, bool) for d in data])
        faces += numpy.repeat(_starts([d.face_count for d in data])[:-1], sizes).astype(numpy.int32)
        self.inner_faces = numpy.where(inner[faces], faces, -1)

    def _take_bonds(self, compound, part_count):
        capacity, counts = 32 * part_count + 64, []
        while True:
            memory, used = numpy.empty(capacity * BOND_SIZE, numpy.uint8), 0
            address = memory.ctypes.data
            counts.clear()
            for part in range(part_count):
                room = api.rbl_compound_bond.from_address(address + used * BOND_SIZE)
                counts.append(c.rbl_compound_get_bonds(compound, part, ctypes.byref(room), capacity - used))
                used += counts[-1]
                if used >= capacity:
                    break
            if used < capacity:
                break
            capacity *= 4
        bonds = memory[:used * BOND_SIZE].view(BOND)
        part = numpy.repeat(numpy.arange(part_count, dtype=numpy.int32), counts)
        order = numpy.lexsort((bonds["other"], part))
        self.bond_starts = _starts(counts)
        self.bond_pairs = numpy.stack((part, bonds["other"]), axis=1)[order]
        self.bond_areas, self.bond_centres = bonds["area"][order], bonds["centre"][order]

    def find_contacts(self, extent):
        """Which cut face touches which piece: `sides` by triangle, -1 on the outside; and from that and the bonds
        `pairs` of pieces, with `areas` and `contacts`, the centres of what they share."""
        self.sides = numpy.full(len(self.triangles), -1, numpy.int32)
        self.pairs, self.areas, self.contacts = self.bond_pairs, self.bond_areas, self.bond_centres
        once = self.pairs[:, 0] < self.pairs[:, 1]  # a bond is seen from both of its parts
        chosen = numpy.flatnonzero(self.inner_faces >= 0)
        if len(chosen):
            _, first, face = numpy.unique(self.inner_faces[chosen], return_index=True, return_inverse=True)
            part = self.part_of[chosen[first]]
            normals, middles, areas = self._planes(chosen, face, len(first))
            other = _mirrored(part, normals, middles, 1e-7 * extent)
            left = numpy.flatnonzero(other < 0)
            other[left] = self._by_bonds(part[left], normals[left], middles[left], extent)
            self.sides[chosen] = other[face]
            # Bonds are between convexes, which may miss where pieces touch: those come from the faces.
            touching = numpy.stack((part, other), axis=1)
            code = len(self.volumes)
            new = (other > part) & ~numpy.isin(touching @ (code, 1), self.bond_pairs @ (code, 1))
            self.pairs = numpy.concatenate((self.pairs[once], touching[new].astype(numpy.int32)))
            self.areas = numpy.concatenate((self.areas[once], areas[new]))
            self.contacts = numpy.concatenate((self.contacts[once], middles[new]))
            order = numpy.lexsort((self.pairs[:, 1], self.pairs[:, 0]))
            self.pairs, self.areas, self.contacts = self.pairs[order], self.areas[order], self.contacts[order]
        return self

    def _by_bonds(self, part, normals, middles, extent):
        """Of the bonds of each face's part the one whose centre lies in its plane, and of several the nearest."""
        other = numpy.full(len(part), -1, numpy.int32)
        counts = numpy.diff(self.bond_starts)[part]
        rows = numpy.flatnonzero(counts > 0)
        if len(rows) == 0:
            return other
        # All pairs of a face and a bond of its part, face by face.
        counts = counts[rows]
        starts = _starts(counts)
        of = numpy.repeat(numpy.arange(len(rows)), counts)
        bond = numpy.arange(starts[-1]) - starts[of] + self.bond_starts[part[rows[of]]]
        away = middles[rows[of]] - self.bond_centres[bond]
        distance = numpy.abs((away * normals[rows[of]]).sum(axis=1))
        least = numpy.minimum.reduceat(distance, starts[:-1])
        is_near = distance <= numpy.minimum(least + 1e-9 * extent, 1e-5 * extent)[of]
        cost = numpy.where(is_near, (away * away).sum(axis=1), numpy.inf)
        best = numpy.flatnonzero(is_near & (cost == numpy.minimum.reduceat(cost, starts[:-1])[of]))[::-1]
        other[rows[of[best]]] = self.bond_pairs[bond[best], 1]
        return other

    def _planes(self, chosen, face, face_count):
        """Normals, middles and areas of faces from their triangles. Slivers have no normal to speak of; faces have."""
        offsets = self.vertex_starts[self.part_of[chosen]]
        a, b, d = (self.vertices[self.triangles[chosen, k] + offsets] for k in range(3))
        e, f = b - a, d - a
        normal = numpy.stack((e[:, 1] * f[:, 2] - e[:, 2] * f[:, 1], e[:, 2] * f[:, 0] - e[:, 0] * f[:, 2],
                              e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]), axis=1)
        weight = numpy.sqrt((normal * normal).sum(axis=1)) + 1e-300
        normals, middles = (numpy.stack([numpy.bincount(face, values[:, k], face_count) for k in range(3)], axis=1)
                            for values in (normal, (a + b + d) * (weight / 3.0)[:, None]))
        middles /= numpy.bincount(face, weight, face_count)[:, None]
        sizes = numpy.sqrt((normals * normals).sum(axis=1))
        return normals / (sizes + 1e-300)[:, None], middles, 0.5 * sizes


def _mirrored(part, normals, middles, reach):
    """A wall between two cells is the same face on both sides: by face the part that has its mirror image, or -1."""
    other = numpy.full(len(part), -1, numpy.int32)
    order = numpy.argsort(middles[:, 0], kind="stable")
    for step in (1, 2):  # neighbours in that order; two walls whose middles share an x are between them at most
        a, b = order[:-step], order[step:]
        is_same = (numpy.abs(middles[a] - middles[b]).max(axis=1) <= reach) & ((normals[a] * normals[b]).sum(axis=1) < -0.999)
        is_same &= part[a] != part[b]
        other[a[is_same]], other[b[is_same]] = part[b[is_same]], part[a[is_same]]
    return other


def fracture(job: Any) -> bytes:
    """Make a job: the bytes of its file."""
    digest = digest_of(job.mesh)
    mesh = _loaded(str(job.mesh), job.repair, digest)
    lower, upper = mesh.bounds
    size = upper - lower
    pattern = Pattern(job.pattern, size=numpy.maximum(size, 1e-6), cell_count=job.cells, seed=job.seed)
    definition = c.rbl_default_compound_def()
    definition.mesh, definition.pattern = mesh.pointer, pattern.pointer
    definition.position = api.rbl_vec3d(*(0.5 * (lower + upper)))
    definition.inner.material = c.rbl_mesh_get_data(mesh.pointer).material_count
    compound = _Compound(create("rbl_create_compound", api.rbl_compound, definition))
    collected = _Collected(compound.pointer)
    if len(collected.volumes) == 0:
        raise ValueError("no piece is left")
    extent = math.sqrt(float(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]))
    collected.find_contacts(extent)
    return arrays_as_bytes(
        vertices=collected.vertices, triangles=collected.triangles, vertex_starts=collected.vertex_starts,
        triangle_starts=collected.triangle_starts, sides=collected.sides, volumes=collected.volumes,
        centres=collected.centres, adjacency=collected.pairs, areas=collected.areas, contacts=collected.contacts,
        poses=random_poses(len(collected.volumes), job.seed, extent), job={**job._asdict(), "mesh": digest})
