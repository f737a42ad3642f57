"""Rubble: break things in real time, and know what touches what while they break.

    import rubble
    mesh = rubble.Mesh.load("vase.obj")
    for piece in mesh.fracture(cells=50):
        print(piece.volume)

Classes have the settings of the C library by their names there; every C function is in `rubble.c`, and the
types and constants are in `rubble.api`.
"""

from . import _api as api
from ._library import (BadArgument, BadFile, BadMesh, Cancelled, Closed, Error, IoFailed, LimitReached, OutOfMemory,
                       StaleId, Unsupported, c, last_error)
from .film import Film
from .fracture import PATTERNS, PRESETS, Asset, Material, Pattern, Pieces, Workers
from .mesh import SHAPES, Mesh
from .surface import Surface
from .view import View, WorldFilm
from .world import COLLIDERS, DAMAGES, JOINTS, KINDS, Body, Collider, Fracture, Hit, Recording, World

__version__ = f"{api.RBL_VERSION_MAJOR}.{api.RBL_VERSION_MINOR}.{api.RBL_VERSION_PATCH}"
__all__ = ["Asset", "BadArgument", "BadFile", "BadMesh", "Body", "COLLIDERS", "Cancelled", "Closed", "Collider", "DAMAGES", "Error",
           "Film", "Fracture", "Hit", "IoFailed", "JOINTS", "KINDS", "LimitReached", "Material", "Mesh", "OutOfMemory", "PATTERNS", "PRESETS",
           "Pattern", "Pieces", "Recording", "SHAPES", "StaleId", "Surface", "Unsupported", "View", "Workers", "World", "WorldFilm", "api", "c",
           "last_error"]
