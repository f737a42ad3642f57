"""Patterns, pieces, assets: how things break."""

from __future__ import annotations

import collections.abc
import ctypes
import os

import numpy

from . import _api as api
from ._arrays import given, pointer_to, view
from ._library import Cancelled, Handle, c, check, create, fill, load, numbers, save
from ._types import Any, Array, Dict, List, Optional, Path, Report, Rows, Sequence, Tuple
from .mesh import Mesh

PATTERNS = {name.lower(): value for name, value in api.rbl_pattern_kind.__members__.items() if name != "KIND_COUNT"}

PRESETS = {name.lower(): value for name, value in api.rbl_preset.__members__.items() if name != "COUNT"}


class Workers(Handle):
    """Threads that worlds, fractures and preparations share. Results do not depend on their number."""

    _destroy = "rbl_destroy_jobs"

    def __init__(self, count: int) -> None:
        definition = c.rbl_default_jobs_def()
        definition.worker_count = count
        super().__init__(create("rbl_create_jobs", api.rbl_jobs, definition))

    def __len__(self) -> int:
        return c.rbl_jobs_worker_count(self.pointer)

    def __repr__(self) -> str:
        return "<Workers, closed>" if self.is_closed else f"<Workers: {len(self)}>"


def jobs_of(workers):
    """The pointer of Workers, or None."""
    if workers is None:
        return None
    if not isinstance(workers, Workers):
        raise TypeError(f"workers: Workers are needed, not {workers!r:.80}")
    return workers.pointer


class Pattern(Handle):
    """How a thing breaks: cells around the impact. The kinds are rubble.PATTERNS.

    >>> Pattern("impact", size=(1, 1, 1), cell_count=100, seed=7)

    Settings are fields of rbl_pattern_def; `sites` and `colors` are arrays.
    """

    _destroy = "rbl_destroy_pattern"

    def __init__(self, kind: str = "voronoi", sites: Optional[Rows] = None, colors: Optional[Sequence[int]] = None,
                 workers: Optional[Workers] = None, **settings: Any) -> None:
        if not isinstance(kind, str) or kind not in PATTERNS:
            raise ValueError(f"there is no pattern '{kind}'; there are {', '.join(PATTERNS)}")
        keep = []
        definition = fill(c.rbl_default_pattern_def(), settings, keep)
        definition.kind = PATTERNS["sites" if sites is not None else kind]
        if sites is not None:
            sites = given(sites, api.rbl_vec3d, "sites")
            definition.sites = pointer_to(sites, api.rbl_vec3d)
            definition.given_count = len(sites)
        if colors is not None:
            colors = given(colors, ctypes.c_int, "colors")
            if sites is None or len(colors) != len(sites):
                raise ValueError("colors: one number per site is needed")
            definition.colors = pointer_to(colors, ctypes.c_int)
        definition.jobs = jobs_of(workers)
        super().__init__(create("rbl_create_pattern", api.rbl_pattern, definition))

    @classmethod
    def from_bytes(cls, data: bytes) -> Pattern:
        """A pattern from what `bytes(pattern)` gave."""
        pattern = cls.__new__(cls)
        Handle.__init__(pattern, load("rbl_pattern_load", api.rbl_pattern, data))
        return pattern

    def __bytes__(self) -> bytes:
        return save("rbl_pattern_save", self.pointer)

    @property
    def key(self) -> int:
        """A hash: patterns with equal keys are equal."""
        return c.rbl_pattern_key(self.pointer)

    def __len__(self) -> int:
        return c.rbl_pattern_cell_count(self.pointer)

    def __repr__(self) -> str:
        return "<Pattern, closed>" if self.is_closed else f"<Pattern: {len(self)} cells>"

    def __reduce__(self):
        return Pattern.from_bytes, (bytes(self),)


def _fill_material(definition, settings, keep):
    """Set fields of a material definition, of its values and of its damage rule."""
    parts = {"values": {}, "damage": {}, "": {}}
    for key, value in settings.items():
        part = next((p for p in ("values", "damage") if key in dict(getattr(definition, p)._fields_)), "")
        parts[part][key] = value
    fill(definition.values, parts["values"], keep)
    fill(definition.damage, parts["damage"], keep)
    fill(definition, parts[""], keep)


class Material(Handle):
    """What things are made of: how they rub and bounce, what they weigh, and how they break.

    >>> glass = Material("glass", density=2500, friction=0.4, levels=[(5.0, Pattern("web"), 0.3)])

    Levels are the least energy of a hit in joule, the pattern it breaks by, and the radius in metres. All
    other settings are fields of rbl_material_def, of its values, or of its damage rule. Material.preset("glass")
    has the numbers of a material that is known by name.
    """

    _destroy = "rbl_destroy_material"

    def __init__(self, name: Optional[str] = None, levels: Sequence[Tuple[float, Pattern, float]] = (), **settings: Any) -> None:
        keep = []
        definition = c.rbl_default_material_def()
        _fill_material(definition, settings, keep)
        levels = list(levels)
        array = (api.rbl_damage_level * max(1, len(levels)))()
        for slot, level in zip(array, levels):
            try:
                energy, pattern, radius = level
            except (TypeError, ValueError):
                raise TypeError(f"levels: energy, pattern and radius are needed, not {level!r:.80}") from None
            fill(slot, {"energy": energy, "pattern": pattern, "radius": radius}, keep)
        definition.damage.levels = array
        definition.damage.level_count = len(levels)
        if name is not None:
            definition.name = name.encode()
        super().__init__(create("rbl_create_material", api.rbl_material, definition))
        self._made, self.patterns = (None, name, tuple(levels), settings), [level[1] for level in levels]

    @classmethod
    def preset(cls, preset: str, name: Optional[str] = None, strength: float = 1.0, **settings: Any) -> Material:
        """A material of rubble.PRESETS, which breaks by patterns of its own.

        >>> bridge = Material.preset("stone", name="bridge", friction=0.5, strength=3)

        Settings change fields as those of Material do; `strength` multiplies the energies that break it, and
        those of weaker hits that wear it, bend it or open its bonds.
        """
        if not isinstance(preset, str) or preset not in PRESETS:
            raise ValueError(f"there is no preset '{preset}'; there are {', '.join(PRESETS)}")
        keep = []
        definition = c.rbl_default_preset_def(PRESETS[preset])
        for energy in ("wear_energy", "bend_energy", "bond_energy"):
            setattr(definition.material.damage, energy, strength * getattr(definition.material.damage, energy))
        _fill_material(definition.material, settings, keep)
        for level in definition.levels[:definition.level_count]:
            level.energy *= strength
        if name is not None:
            definition.material.name = name.encode()
        material = cls.__new__(cls)
        Handle.__init__(material, create("rbl_create_preset_material", api.rbl_material, definition))
        material._made, material.patterns = (preset, name, strength, settings), []
        return material

    @property
    def name(self) -> str:
        """Its name, or an empty text."""
        return c.rbl_material_name(self.pointer).decode()

    def __repr__(self) -> str:
        return "<Material, closed>" if self.is_closed else f"<Material: {self.name or 'without a name'}>"

    def __reduce__(self):
        return _make_material, self._made


def _make_material(preset, name, more, settings):
    """A material once more, from what it was made of."""
    if preset is None:
        return Material(name, more, **settings)
    return Material.preset(preset, name, more, **settings)


class Pieces(Handle, collections.abc.Sequence):
    """What came of breaking a mesh: a sequence of closed meshes whose volumes add up."""

    _destroy = "rbl_destroy_pieces"

    def __init__(self, mesh: Mesh, pattern: Pattern, workers: Optional[Workers] = None, **settings: Any) -> None:
        self._pointer, self._solid, self._keep = None, None, [mesh, pattern, workers]
        keep = list(self._keep)
        pieces = fill(c.rbl_default_pieces_def(), settings, keep)
        definition = c.rbl_default_solid_def()
        definition.mesh = mesh.pointer
        self._solid = create("rbl_create_solid", api.rbl_solid, definition)
        pieces.solid, pieces.pattern, pieces.jobs = self._solid, pattern.pointer, jobs_of(workers)
        super().__init__(create("rbl_create_pieces", api.rbl_pieces, pieces), keep)

    def close(self) -> None:
        """Let go of it now. Closing twice is fine."""
        mesh_and_pattern = self._keep  # they outlive the solid
        super().close()
        solid, self._solid = self._solid, None
        if solid:
            c.rbl_destroy_solid(solid)
        del mesh_and_pattern

    def __len__(self) -> int:
        return c.rbl_pieces_count(self.pointer)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = range(len(self))[index]  # negative ones, and the exception
        return Mesh._of(create("rbl_piece_create_mesh", api.rbl_mesh, self.pointer, index, None))

    def info(self, index: int) -> Dict[str, Any]:
        """A piece in numbers: cell, shell, volume, centre and more."""
        info = c.rbl_piece_get_info(self.pointer, range(len(self))[index])
        return {name: numbers(getattr(info, name)) if name == "centre" else getattr(info, name)
                for name, _ in info._fields_}

    @property
    def volumes(self) -> Array:
        """Volume of each piece."""
        return numpy.array([c.rbl_piece_get_info(self.pointer, i).volume for i in range(len(self))])

    @property
    def centres(self) -> Array:
        """Centre of mass of each piece, n x 3."""
        return numpy.array([numbers(c.rbl_piece_get_info(self.pointer, i).centre)
                            for i in range(len(self))]).reshape(-1, 3)

    @property
    def report(self) -> Dict[str, Any]:
        """Volumes before and after, and what was unusual."""
        report = c.rbl_pieces_get_report(self.pointer)
        return {name: getattr(report, name) for name, _ in report._fields_}

    def __repr__(self) -> str:
        return "<Pieces, closed>" if self.is_closed else f"<Pieces: {len(self)}>"


def _cluster_levels(levels, keep):
    levels = list(levels)
    array = (api.rbl_cluster_level * max(1, len(levels)))()
    for slot, level in zip(array, levels):
        try:
            of, strength, *position = level
        except (TypeError, ValueError):
            raise TypeError(f"levels: a pattern or a number and a strength are needed, not {level!r:.80}") from None
        fields = {"strength": strength, "pattern" if isinstance(of, Pattern) else "cluster_count": of}
        if position:
            fields["position"], = position
        fill(slot, fields, keep)
    return array, len(levels)


class Asset(Handle):
    """A mesh prepared once, so that bodies of it break at run time. Pickles as its bytes.

    Settings are fields of rbl_prepare_def, and `nodes`, an array of points for the decomposition. `levels`
    break it before anything hits it, from large pieces to small ones: each is a Pattern that cuts, or a number of
    clusters, and the strength of bonds in between, and may have the position of the pattern. `materials` are those of
    the mesh's slots, None for as the body. `progress` is called now and then; when it returns False, the work ends
    with Cancelled.

    >>> wall = Asset(mesh, levels=[(Pattern("voronoi", cell_count=6), 0.1), (Pattern("bricks"), 0.5)])
    """

    _destroy = "rbl_destroy_asset"

    def __init__(self, mesh: Mesh, nodes: Optional[Rows] = None, levels: Sequence[Tuple[float, Pattern, float]] = (),
                 materials: Sequence[Material] = (), workers: Optional[Workers] = None, progress: Report = None,
                 **settings: Any) -> None:
        keep = []
        definition = fill(c.rbl_default_prepare_def(), settings, keep)
        definition.jobs = jobs_of(workers)
        definition.levels, definition.level_count = _cluster_levels(levels, keep)
        materials = list(materials)
        table = (type(definition.materials)._type_ * max(1, len(materials)))()
        for i, material in enumerate(materials):
            if material is not None:
                table[i] = material.pointer
        definition.materials, definition.material_count = table, len(materials)
        if nodes is not None:
            nodes = given(nodes, api.rbl_vec3d, "nodes")
            definition.nodes = pointer_to(nodes, api.rbl_vec3d)
            definition.node_count = len(nodes)
        if progress is None:
            super().__init__(create("rbl_prepare", api.rbl_asset, mesh.pointer, definition))
            return
        task = create("rbl_begin_prepare", api.rbl_task, mesh.pointer, definition)
        try:
            is_ready = ctypes.c_bool()
            while not is_ready.value:
                check(c.rbl_task_work(task, 2000, ctypes.byref(is_ready)))
                if progress() is False:
                    raise Cancelled("the preparation was cancelled")
            pointer = create("rbl_finish_prepare", api.rbl_asset, task)
            task = None
        finally:
            c.rbl_destroy_task(task)
        super().__init__(pointer)

    @classmethod
    def from_bytes(cls, data: bytes) -> Asset:
        """An asset from what `bytes(asset)` gave."""
        asset = cls.__new__(cls)
        Handle.__init__(asset, load("rbl_asset_load", api.rbl_asset, data))
        return asset

    @classmethod
    def load(cls, path: Path) -> Asset:
        """Read what `save()` or `rubble prepare` wrote."""
        with open(path, "rb") as file:
            return cls.from_bytes(file.read())

    def save(self, path: Path) -> None:
        """Write it as a file, whole or not at all."""
        name = os.fspath(path)
        with open(name + ".part", "wb") as file:
            file.write(bytes(self))
        os.replace(name + ".part", name)

    def __bytes__(self) -> bytes:
        return save("rbl_asset_save", self.pointer)

    @property
    def report(self) -> Dict[str, Any]:
        """An asset in numbers: parts, bonds, volumes and more."""
        report = c.rbl_asset_get_report(self.pointer)
        return {name: getattr(report, name) for name, _ in report._fields_}

    @property
    def nodes(self) -> Array:
        """Nodes of the decomposition, n x 3."""
        count = ctypes.c_int()
        return view(c.rbl_asset_get_nodes(self.pointer, ctypes.byref(count)), count.value, self)

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Asset, closed>"
        report = self.report
        return f"<Asset: {report['part_count']} parts, {report['bond_count']} bonds>"

    def __reduce__(self):
        return Asset.from_bytes, (bytes(self),)
