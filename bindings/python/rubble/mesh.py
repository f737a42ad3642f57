"""Polygon meshes."""

from __future__ import annotations

import ctypes
import os

import numpy

from . import _api as api
from ._arrays import empty, given, pointer_to, view
from ._library import Handle, c, check, create, fill, numbers
from ._types import TYPE_CHECKING, Any, Array, Dict, List, Optional, Path, Rows, Sequence, Vector

if TYPE_CHECKING:
    from .fracture import Asset, Pattern, Pieces, Workers

SHAPES = tuple(sorted(name[len("rbl_create_"):-len("_mesh")] for name in api.FUNCTIONS
                      if name.startswith("rbl_create_") and name.endswith("_mesh")
                      and "rbl_default_" + name[len("rbl_create_"):-len("_mesh")] + "_def" in api.FUNCTIONS))


class Mesh(Handle):
    """A polygon mesh that never changes: positions shared by faces, attributes per corner.

    >>> mesh = Mesh.load("vase.obj")
    >>> mesh.volume, len(mesh.fracture(cells=50))
    """

    _destroy = "rbl_destroy_mesh"

    def __init__(self, vertices: Rows, faces: Any, normals: Optional[Rows] = None, uvs: Optional[Rows] = None,
                 colors: Any = None, face_materials: Optional[Sequence[int]] = None) -> None:
        """Make a mesh of positions (n x 3) and faces: an array (m x k) of vertex numbers, or a list of
        lists where faces differ in size. Normals, texture coordinates and colours are per corner."""
        definition = c.rbl_default_mesh_def()
        data = definition.data
        keep = []

        def attach(field, values, kind, name):
            array = given(values, kind, name)
            keep.append(array)
            setattr(data, field, pointer_to(array, kind))
            return len(array)

        data.vertex_count = attach("positions", vertices, api.rbl_vec3d, "vertices")
        if isinstance(faces, numpy.ndarray):
            if faces.ndim != 2:
                raise ValueError(f"faces: rows of vertex numbers are needed, not an array of shape {faces.shape}")
            sizes = numpy.full(len(faces), faces.shape[1] if len(faces) else 0)
            corners = faces.reshape(-1)
        else:
            faces = [list(face) for face in faces]
            sizes = numpy.array([len(face) for face in faces], int)
            corners = numpy.array([v for face in faces for v in face], dtype=None if faces else int)
        starts = numpy.concatenate(([0], numpy.cumsum(sizes)))
        data.face_count = len(faces)
        data.corner_count = attach("corner_vertices", corners, ctypes.c_int, "faces")
        attach("face_starts", starts, ctypes.c_int, "faces")
        for field, values, kind in (("corner_normals", normals, api.rbl_vec3), ("corner_uv0", uvs, api.rbl_vec2),
                                    ("corner_colors", colors, api.rbl_vec4)):
            if values is not None and attach(field, values, kind, field[7:]) != data.corner_count:
                raise ValueError(f"{field[7:]}: one row per corner is needed, {data.corner_count} in all")
        if face_materials is not None:
            if attach("face_materials", face_materials, ctypes.c_int, "face_materials") != data.face_count:
                raise ValueError(f"face_materials: one number per face is needed, {data.face_count} in all")
            data.material_count = int(max(face_materials, default=-1)) + 1
            materials = (api.rbl_mesh_material * max(1, data.material_count))()
            for i, material in enumerate(materials):
                material.name = f"material {i}".encode()
                material.base_color = api.rbl_vec4(0.8, 0.8, 0.8, 1.0)
                material.roughness = 1.0
            keep.append(materials)
            data.materials = materials
        super().__init__(create("rbl_create_mesh", api.rbl_mesh, definition))

    @classmethod
    def _of(cls, pointer):
        mesh = cls.__new__(cls)
        Handle.__init__(mesh, pointer)
        return mesh

    @classmethod
    def load(cls, path: Path, **settings: Any) -> Mesh:
        """Read a file: OBJ, PLY, STL, OFF, MEDIT or glTF. Settings are fields of rbl_read_def, such as
        `scale=0.01` or `up=2` for files whose z axis points up."""
        keep = []
        definition = fill(c.rbl_default_read_def(), settings, keep)
        return cls._of(create("rbl_read_mesh", api.rbl_mesh, os.fsencode(path), definition))

    @classmethod
    def make(cls, shape: str, **settings: Any) -> Mesh:
        """Make a procedural shape, one of rubble.SHAPES; settings are fields of its definition."""
        if not isinstance(shape, str) or shape not in SHAPES:
            raise ValueError(f"there is no shape '{shape}'; there are {', '.join(SHAPES)}")
        keep = []
        definition = fill(getattr(c, f"rbl_default_{shape}_def")(), settings, keep)
        return cls._of(create(f"rbl_create_{shape}_mesh", api.rbl_mesh, definition))

    def save(self, path: Path, **settings: Any) -> None:
        """Write a file; the format follows from its name. Settings are fields of rbl_write_def."""
        keep = []
        check(c.rbl_write_mesh(os.fsencode(path), self.pointer, fill(c.rbl_default_write_def(), settings, keep)))

    # --- looking ---------------------------------------------------------------------------------

    @property
    def _data(self):
        return c.rbl_mesh_get_data(self.pointer)

    @property
    def vertices(self) -> Array:
        """Positions, n x 3 doubles: the mesh's own memory."""
        data = self._data
        return view(data.positions, data.vertex_count, self)

    @property
    def face_starts(self) -> Array:
        """Face f has the corners face_starts[f] to face_starts[f + 1] - 1."""
        data = self._data
        return view(data.face_starts, data.face_count + 1, self)

    @property
    def corners(self) -> Array:
        """The vertex of each corner."""
        data = self._data
        return view(data.corner_vertices, data.corner_count, self)

    @property
    def normals(self) -> Optional[Array]:
        """Normals per corner, or None."""
        data = self._data
        return view(data.corner_normals, data.corner_count, self) if data.corner_normals else None

    @property
    def uvs(self) -> Optional[Array]:
        """Texture coordinates per corner, or None."""
        data = self._data
        return view(data.corner_uv0, data.corner_count, self) if data.corner_uv0 else None

    @property
    def colors(self) -> Optional[Array]:
        """Linear colours per corner, or None."""
        data = self._data
        return view(data.corner_colors, data.corner_count, self) if data.corner_colors else None

    @property
    def face_materials(self) -> Array:
        """The material of each face."""
        data = self._data
        if not data.face_materials:
            return numpy.zeros(data.face_count, numpy.int32)
        return view(data.face_materials, data.face_count, self)

    @property
    def materials(self) -> List[str]:
        """Names of the materials."""
        data = self._data
        return [data.materials[i].name.decode() for i in range(data.material_count)]

    @property
    def faces(self) -> List[Array]:
        """Vertex numbers of each face, a list of arrays."""
        starts, corners = self.face_starts, self.corners
        return [corners[starts[f]:starts[f + 1]] for f in range(len(starts) - 1)]

    @property
    def triangles(self) -> Array:
        """Vertex numbers of triangles, m x 3: faces are split exactly."""
        count = c.rbl_mesh_triangle_count(self.pointer)
        triangles = empty(ctypes.c_int, 3 * count)
        check(c.rbl_mesh_triangulate(self.pointer, pointer_to(triangles, ctypes.c_int), None))
        return self.corners[triangles].reshape(count, 3)

    @property
    def bounds(self) -> Array:
        """Lower and upper corner of the box around it."""
        return numpy.array(numbers(c.rbl_mesh_bounds(self.pointer)))

    @property
    def volume(self) -> float:
        """Of what it encloses, in cubic metres."""
        return c.rbl_mesh_get_mass(self.pointer).volume

    @property
    def centre(self) -> Array:
        """Centre of mass of what it encloses."""
        return numpy.array(numbers(c.rbl_mesh_get_mass(self.pointer).centre))

    def check(self) -> Dict[str, Any]:
        """What it is: a dictionary with is_closed, is_manifold, genus, components and more."""
        report = api.rbl_mesh_report()
        check(c.rbl_mesh_check(self.pointer, report))
        return {name: getattr(report, name) for name, _ in report._fields_}

    def repair(self, **settings: Any) -> Mesh:
        """A mesh that is closed and can be broken. Settings are fields of rbl_mesh_repair_def."""
        keep = []
        definition = fill(c.rbl_default_mesh_repair_def(), settings, keep)
        pointer = ctypes.POINTER(api.rbl_mesh)()
        check(c.rbl_mesh_repair(self.pointer, definition, ctypes.byref(pointer), None))
        return Mesh._of(pointer)

    def copy(self) -> Mesh:
        """The same mesh again, with all attributes and materials."""
        labels = empty(ctypes.c_int, self._data.face_count)
        copy = ctypes.POINTER(api.rbl_mesh)()
        check(c.rbl_mesh_split(self.pointer, pointer_to(labels, ctypes.c_int), 1, ctypes.byref(copy)))
        return Mesh._of(copy)

    def split(self) -> List[Mesh]:
        """Meshes of its connected components."""
        data = self._data
        labels = empty(ctypes.c_int, data.face_count)
        count = ctypes.c_int()
        check(c.rbl_mesh_get_components(self.pointer, api.RBL_CONNECTED_BY_VERTEX, pointer_to(labels, ctypes.c_int),
                                        ctypes.byref(count)))
        meshes = (ctypes.POINTER(api.rbl_mesh) * max(1, count.value))()
        check(c.rbl_mesh_split(self.pointer, pointer_to(labels, ctypes.c_int), count.value, meshes))
        return [Mesh._of(meshes[i]) for i in range(count.value)]

    def fracture(self, pattern: Optional[Pattern] = None, cells: int = 50, seed: int = 1, position: Optional[Vector] = None,
                 workers: Optional[Workers] = None, **settings: Any) -> Pieces:
        """Break it: a Pieces, which is a sequence of meshes that add up to this one. Without a pattern
        it has `cells` Voronoi cells over the mesh. Other settings are fields of rbl_pieces_def."""
        from .fracture import Pattern, Pieces
        lower, upper = self.bounds
        if position is None:
            position = 0.5 * (lower + upper)
        if pattern is None:
            pattern = Pattern("voronoi", size=numpy.maximum(upper - lower, 1e-6), cell_count=cells, seed=seed)
        return Pieces(self, pattern, position=position, workers=workers, **settings)

    def prepare(self, **settings: Any) -> Asset:
        """Prepare it for a world, see Asset."""
        from .fracture import Asset
        return Asset(self, **settings)

    def __len__(self) -> int:
        return self._data.face_count

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Mesh, closed>"
        data = self._data
        return f"<Mesh: {data.vertex_count} vertices, {data.face_count} faces>"

    def __reduce__(self):
        materials = self.face_materials if self._data.face_materials else None
        faces = [face.tolist() for face in self.faces]
        copies = [None if a is None else numpy.array(a) for a in (self.normals, self.uvs, self.colors, materials)]
        return Mesh, (numpy.array(self.vertices), faces, *copies)
