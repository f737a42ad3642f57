# SPDX-License-Identifier: MIT
"""Operators that break meshes: into pieces, and into convex parts around nodes."""

import bpy
import numpy

from .convert import Missing, arrays_of, fresh_collection, library, read_object, rotate, to_blender, to_rubble, write_mesh


def selected_meshes(context):
    return [item for item in context.selected_objects if item.type == "MESH"]


def make_pattern(settings, size):
    """The pattern of the scene's settings for a box of that size."""
    return library().Pattern(settings.pattern, size=numpy.maximum(size, 1e-6), cell_count=settings.cells, seed=settings.seed)


def node_points(item):
    """Nodes that were placed by hand, in the library's coordinates of the mesh that read_object() gives; or None."""
    _, _, scale = item.matrix_world.decompose()
    inverse = item.matrix_world.inverted()
    points = [numpy.array(inverse @ child.matrix_world.translation) * numpy.array(scale)
              for child in item.children if child.type == "EMPTY" and child.get("rubble_node")]
    return to_rubble(points) if points else None


class _MeshOperator:
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and bool(selected_meshes(context))

    def execute(self, context):
        done = 0
        for item in selected_meshes(context):
            try:
                self.work(context, item)
                done += 1
            except Missing as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
            except (ValueError, RuntimeError, library().Error) as error:
                self.report({"ERROR" if len(selected_meshes(context)) == 1 else "WARNING"}, f"{item.name}: {error}")
        return {"FINISHED"} if done else {"CANCELLED"}


class RUBBLE_OT_fracture(_MeshOperator, bpy.types.Operator):
    bl_idname = "rubble.fracture"
    bl_label = "Fracture"
    bl_description = "Break the selected objects into pieces"

    def work(self, context, item):
        settings = context.scene.rubble
        mesh, pose, slot_count = read_object(context, item)
        lower, upper = mesh.bounds
        look = {"material": slot_count, "uv_scale": 1.0, "color": (1, 1, 1, 1), "roughness": settings.roughness}
        pieces = mesh.fracture(make_pattern(settings, upper - lower), inner=look)
        into = fresh_collection(context, f"{item.name} pieces")
        for i, centre in enumerate(pieces.centres):
            piece = pieces[i]
            data = write_mesh(f"{item.name} piece {i + 1}", arrays_of(piece.pointer), centre, item, slot_count, settings.inner_material)
            made = bpy.data.objects.new(data.name, data)
            made.rotation_mode = "QUATERNION"
            made.location = to_blender(rotate(pose[3:], centre[None]) + pose[:3])[0]
            made.rotation_quaternion = item.matrix_world.to_quaternion()
            made.rubble.role, made.rubble.preset = item.rubble.role, item.rubble.preset
            into.objects.link(made)
        if settings.hides_original:
            item.hide_set(True)
            item.hide_render = True
        self.report({"INFO"}, f"{item.name}: {len(pieces)} pieces")


class RUBBLE_OT_place_nodes(_MeshOperator, bpy.types.Operator):
    bl_idname = "rubble.place_nodes"
    bl_label = "Place nodes"
    bl_description = "Place nodes of the convex decomposition as empties, to be moved, copied and deleted by hand"

    def work(self, context, item):
        mesh, pose, _ = read_object(context, item)
        for child in list(item.children):
            if child.get("rubble_node"):
                bpy.data.objects.remove(child, do_unlink=True)
        nodes = mesh.prepare(node_count=context.scene.rubble.node_count).nodes
        lower, upper = mesh.bounds
        for i, place in enumerate(to_blender(rotate(pose[3:], nodes) + pose[:3])):
            empty = bpy.data.objects.new(f"{item.name} node {i + 1}", None)
            empty.empty_display_type, empty.empty_display_size = "SPHERE", 0.03 * float(numpy.linalg.norm(upper - lower))
            empty["rubble_node"] = True
            empty.parent = item
            empty.matrix_parent_inverse = item.matrix_world.inverted()
            empty.location = place
            for collection in item.users_collection[:1] or [context.scene.collection]:
                collection.objects.link(empty)
        context.view_layer.update()
        self.report({"INFO"}, f"{item.name}: {len(nodes)} nodes")


class RUBBLE_OT_show_parts(_MeshOperator, bpy.types.Operator):
    bl_idname = "rubble.show_parts"
    bl_label = "Show parts"
    bl_description = "Show the convex parts around the nodes of the selected objects"

    def work(self, context, item):
        rubble = library()
        mesh, pose, _ = read_object(context, item)
        asset = mesh.prepare(nodes=node_points(item)) if node_points(item) is not None else mesh.prepare(node_count=context.scene.rubble.node_count)
        compound = rubble.c.rbl_asset_get_compound(asset.pointer)
        into = fresh_collection(context, f"{item.name} parts")
        count = 0
        for i in range(rubble.c.rbl_compound_get_info(compound).part_end):
            part = rubble.c.rbl_compound_get_part(compound, i)
            if not part.convex:
                continue
            shape = rubble.Mesh._of(rubble._library.create("rbl_convex_create_mesh", rubble.api.rbl_mesh, part.convex, None))
            centre = numpy.mean(shape.vertices, axis=0)
            data = write_mesh(f"{item.name} part {i + 1}", arrays_of(shape.pointer), centre, None, 0, None)
            made = bpy.data.objects.new(data.name, data)
            made.display_type, made.hide_render, made.color = "WIRE", True, ((i * 0.37) % 1.0, (i * 0.61) % 1.0, (i * 0.23) % 1.0, 1.0)
            made.rotation_mode = "QUATERNION"
            made.location = to_blender(rotate(pose[3:], centre[None]) + pose[:3])[0]
            made.rotation_quaternion = item.matrix_world.to_quaternion()
            into.objects.link(made)
            count += 1
        self.report({"INFO"}, f"{item.name}: {count} parts")


_classes = (RUBBLE_OT_fracture, RUBBLE_OT_place_nodes, RUBBLE_OT_show_parts)


def register():
    for cls in _classes:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(_classes):
        bpy.utils.unregister_class(cls)
