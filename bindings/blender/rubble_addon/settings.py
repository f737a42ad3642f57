# SPDX-License-Identifier: MIT
"""What users set: saved in the .blend on scenes, objects and materials."""

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty,
                       StringProperty)

PATTERNS = [("voronoi", "Voronoi", "Cells of even size"), ("impact", "Impact", "Small cells at the middle, larger ones outwards"),
            ("web", "Web", "Rays and rings, as glass breaks"), ("splinters", "Splinters", "Long cells, as wood breaks"),
            ("bricks", "Bricks", "Courses of bricks")]
PRESETS = [(name, name.replace("_", " ").capitalize(), "") for name in
           ("concrete", "brick", "stone", "glass", "tempered_glass", "wood", "plaster", "ceramic", "ice", "metal_sheet")]
ROLES = [("NONE", "None", "Not in the simulation"), ("BREAKS", "Breaks", "Moves and breaks, or stands until it breaks where it has anchors"),
         ("STATIC", "Static", "Stays where it is: ground and walls"), ("PROJECTILE", "Projectile", "Moves and does not break")]


class RubbleSceneSettings(bpy.types.PropertyGroup):
    pattern: EnumProperty(name="Pattern", items=PATTERNS, default="voronoi")
    cells: IntProperty(name="Cells", default=50, min=1, max=100000, description="Cells of the pattern; pieces are those that meet the object")
    seed: IntProperty(name="Seed", default=1, min=0, description="Another seed, another pattern")
    roughness: FloatProperty(name="Roughness", default=0.0, min=0.0, unit="LENGTH", description="How far cut faces stand out")
    inner_material: PointerProperty(name="Inner material", type=bpy.types.Material, description="Of faces that are cut; none: as outside")
    hides_original: BoolProperty(name="Hide original", default=True)
    node_count: IntProperty(name="Nodes", default=8, min=1, max=512, description="Of the decomposition into convex parts")
    frame_start: IntProperty(name="Start", default=1)
    frame_end: IntProperty(name="End", default=120)
    step_rate: IntProperty(name="Steps per second", default=60, min=10, max=1000, description="At least; a frame has a whole number of steps")
    film: StringProperty(name="Film", subtype="FILE_PATH", description="Also write the simulation as .glb, or as a web page .html")


class RubbleObjectSettings(bpy.types.PropertyGroup):
    role: EnumProperty(name="Role", items=ROLES, default="NONE")
    preset: EnumProperty(name="Material", items=PRESETS, default="stone", description="Of slots whose material has none of its own")
    strength: FloatProperty(name="Strength", default=1.0, min=1e-3, soft_max=10.0, description="Times the energies that break it")
    anchors: StringProperty(name="Anchors", description="Vertex group: parts with a weight above a half do not move")
    velocity: FloatVectorProperty(name="Velocity", subtype="VELOCITY", description="At its first frame")
    density: FloatProperty(name="Density", default=7800.0, min=1.0, max=1e5, description="Of a projectile, in kilograms per cubic metre: 7800 is steel")
    first_frame: IntProperty(name="Appears at", default=0, description="Frame; 0: from the start")


class RubbleMaterialSettings(bpy.types.PropertyGroup):
    has_preset: BoolProperty(name="Breaks in its own way", default=False)
    preset: EnumProperty(name="Material", items=PRESETS, default="glass")


class RubblePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    package: StringProperty(name="Python package", subtype="DIR_PATH", description="Folder that has the package rubble, if it is not in this add-on")

    def draw(self, _context):
        self.layout.prop(self, "package")


_classes = (RubbleSceneSettings, RubbleObjectSettings, RubbleMaterialSettings, RubblePreferences)


def register():
    for cls in _classes:
        bpy.utils.register_class(cls)
    bpy.types.Scene.rubble = PointerProperty(type=RubbleSceneSettings)
    bpy.types.Object.rubble = PointerProperty(type=RubbleObjectSettings)
    bpy.types.Material.rubble = PointerProperty(type=RubbleMaterialSettings)


def unregister():
    del bpy.types.Scene.rubble, bpy.types.Object.rubble, bpy.types.Material.rubble
    for cls in reversed(_classes):
        bpy.utils.unregister_class(cls)
