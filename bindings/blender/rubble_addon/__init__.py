# SPDX-License-Identifier: MIT
"""Rubble in Blender: break meshes, simulate how they break, bake it to keyframes or a film."""

bl_info = {
    "name": "Rubble",
    "description": "Break things: fracture meshes, simulate breaking, bake it",
    "author": "The Rubble project",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Rubble",
    "category": "Physics",
}

from . import bake, fracture, panels, settings, simulate  # noqa: E402

_modules = (settings, fracture, bake, simulate, panels)


def register():
    for module in _modules:
        module.register()


def unregister():
    for module in reversed(_modules):
        module.unregister()
