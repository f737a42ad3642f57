# SPDX-License-Identifier: MIT
"""The sidebar of the 3D view."""

import bpy


class _Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Rubble"

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self.fill(layout, context)


class RUBBLE_PT_fracture(_Panel, bpy.types.Panel):
    bl_label = "Fracture"

    def fill(self, layout, context):
        settings = context.scene.rubble
        for name in ("pattern", "cells", "seed", "roughness", "inner_material", "hides_original"):
            layout.prop(settings, name)
        layout.operator("rubble.fracture")


class RUBBLE_PT_nodes(_Panel, bpy.types.Panel):
    bl_label = "Convex parts"
    bl_options = {"DEFAULT_CLOSED"}

    def fill(self, layout, context):
        layout.prop(context.scene.rubble, "node_count")
        layout.operator("rubble.place_nodes")
        layout.operator("rubble.show_parts")


class RUBBLE_PT_object(_Panel, bpy.types.Panel):
    bl_label = "Object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def fill(self, layout, context):
        item = context.object
        own = item.rubble
        layout.prop(own, "role")
        if own.role == "BREAKS":
            layout.prop(own, "preset")
            layout.prop(own, "strength")
            layout.prop_search(own, "anchors", item, "vertex_groups")
            for slot in item.material_slots:
                if slot.material:
                    row = layout.row(heading=slot.material.name)
                    row.prop(slot.material.rubble, "has_preset", text="")
                    part = row.row()
                    part.active = slot.material.rubble.has_preset
                    part.prop(slot.material.rubble, "preset", text="")
        if own.role == "PROJECTILE":
            layout.prop(own, "density")
        if own.role in ("BREAKS", "PROJECTILE"):
            layout.prop(own, "velocity")
            layout.prop(own, "first_frame")


class RUBBLE_PT_simulation(_Panel, bpy.types.Panel):
    bl_label = "Simulation"

    def fill(self, layout, context):
        settings = context.scene.rubble
        column = layout.column(align=True)
        column.prop(settings, "frame_start")
        column.prop(settings, "frame_end")
        layout.prop(settings, "step_rate")
        layout.prop(settings, "film")
        layout.operator("rubble.simulate")
        layout.operator("rubble.clear_bake")


_classes = (RUBBLE_PT_fracture, RUBBLE_PT_nodes, RUBBLE_PT_object, RUBBLE_PT_simulation)


def register():
    for cls in _classes:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(_classes):
        bpy.utils.unregister_class(cls)
