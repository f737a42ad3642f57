# SPDX-License-Identifier: MIT
"""Between Blender and the library: axes, meshes, poses. Blender's z is up; the library's y."""

import importlib
import os
import sys

import bpy
import numpy


class Missing(RuntimeError):
    """The Python package or its library is not there."""


def library():
    """The package `rubble`: beside this add-on, where its preferences say, or where Python finds it."""
    if "rubble" in sys.modules:
        return sys.modules["rubble"]
    here = os.path.dirname(os.path.abspath(__file__))
    addon = bpy.context.preferences.addons.get(__package__)
    told = [bpy.path.abspath(addon.preferences.package)] if addon and addon.preferences.package else []
    for folder in [os.path.join(here, "python"), *told]:
        if os.path.isdir(os.path.join(folder, "rubble")) and folder not in sys.path:
            sys.path.insert(0, folder)
    try:
        return importlib.import_module("rubble")
    except (ImportError, OSError) as error:
        raise Missing(f"the Python package rubble cannot be loaded: {error}") from error


def to_rubble(points):
    """Points or directions, n x 3, with y up."""
    points = numpy.asarray(points, float).reshape(-1, 3)
    return numpy.stack((points[:, 0], points[:, 2], -points[:, 1]), axis=1)


def to_blender(points):
    """Points or directions, n x 3, with z up."""
    points = numpy.asarray(points, float).reshape(-1, 3)
    return numpy.stack((points[:, 0], -points[:, 2], points[:, 1]), axis=1)


def rotation_to_rubble(q):
    """A Blender quaternion (w, x, y, z) as x, y, z, w."""
    return (q[1], q[3], -q[2], q[0])


def rotations_to_blender(q):
    """Quaternions x, y, z, w, n x 4, as w, x, y, z."""
    q = numpy.asarray(q, float).reshape(-1, 4)
    return numpy.stack((q[:, 3], q[:, 0], -q[:, 2], q[:, 1]), axis=1)


def rotate(q, points):
    """Points turned by a quaternion x, y, z, w of the library."""
    u = numpy.asarray(q[:3], float)
    t = 2.0 * numpy.cross(u, points)
    return points + q[3] * t + numpy.cross(u, t)


def read_object(context, item, anchor_group=""):
    """An object as it is drawn, modifiers included: a closed Mesh of the library in the object's coordinates with its
    scale applied, its pose (seven numbers), and how many material slots it has. Weights of `anchor_group` become the
    red of its colours."""
    rubble = library()
    evaluated = item.evaluated_get(context.evaluated_depsgraph_get())
    data = evaluated.to_mesh()
    try:
        location, rotation, scale = item.matrix_world.decompose()
        points = numpy.empty(3 * len(data.vertices))
        data.vertices.foreach_get("co", points)
        points = points.reshape(-1, 3) * numpy.array(scale)
        corners = numpy.empty(len(data.loops), numpy.int32)
        data.loops.foreach_get("vertex_index", corners)
        sizes = numpy.empty(len(data.polygons), numpy.int32)
        data.polygons.foreach_get("loop_total", sizes)
        slots = numpy.empty(len(data.polygons), numpy.int32)
        data.polygons.foreach_get("material_index", slots)
        uvs = None
        if data.uv_layers.active:
            uvs = numpy.empty(2 * len(data.loops), numpy.float32)
            data.uv_layers.active.data.foreach_get("uv", uvs)
            uvs = uvs.reshape(-1, 2)
        colors = None
        group = item.vertex_groups.get(anchor_group) if anchor_group else None
        if group is not None:
            weights = numpy.zeros(len(data.vertices), numpy.float32)
            for i, vertex in enumerate(data.vertices):
                weights[i] = max((g.weight for g in vertex.groups if g.group == group.index), default=0.0)
            colors = numpy.ones((len(corners), 4), numpy.float32)
            colors[:, :3] = 0.0
            colors[:, 0] = weights[corners]
    finally:
        evaluated.to_mesh_clear()
    if len(sizes) == 0:
        raise ValueError(f"{item.name} has no faces")
    ends = numpy.cumsum(sizes)
    faces = [corners[end - size:end] for size, end in zip(sizes.tolist(), ends.tolist())]
    if numpy.prod(scale) < 0.0:
        raise ValueError(f"{item.name} is mirrored: apply its scale")
    slot_count = max(1, len(item.material_slots), int(slots.max()) + 1)
    slots = numpy.minimum(slots, slot_count - 1)
    mesh = rubble.Mesh(to_rubble(points), [f.tolist() for f in faces], uvs=uvs, colors=colors, face_materials=slots)
    report = mesh.check()
    if not report["is_closed"]:
        mesh = mesh.repair()
    pose = numpy.concatenate((to_rubble([location])[0], rotation_to_rubble(rotation)))
    return mesh, pose, int(slots.max()) + 1


def arrays_of(pointer):
    """A mesh of the library as arrays: vertices, corners, face starts, face materials, texture coordinates or None."""
    rubble = library()
    from rubble._arrays import view
    data = rubble.c.rbl_mesh_get_data(pointer)
    slots = view(data.face_materials, data.face_count) if data.face_materials else numpy.zeros(data.face_count, numpy.int32)
    uvs = numpy.array(view(data.corner_uv0, data.corner_count)) if data.corner_uv0 else None
    return (numpy.array(view(data.positions, data.vertex_count)).reshape(-1, 3), numpy.array(view(data.corner_vertices, data.corner_count)),
            numpy.array(view(data.face_starts, data.face_count + 1)), numpy.array(slots), uvs)


def join_arrays(parts):
    """Several of arrays_of() as one."""
    if len(parts) == 1:
        return parts[0]
    vertices, corners, starts, slots, uvs, first, corner = [], [], [numpy.zeros(1, numpy.int32)], [], [], 0, 0
    has_uvs = all(p[4] is not None for p in parts)
    for p in parts:
        vertices.append(p[0])
        corners.append(p[1] + first)
        starts.append(p[2][1:] + corner)
        slots.append(p[3])
        if has_uvs:
            uvs.append(p[4])
        first, corner = first + len(p[0]), corner + len(p[1])
    return (numpy.concatenate(vertices), numpy.concatenate(corners), numpy.concatenate(starts), numpy.concatenate(slots),
            numpy.concatenate(uvs) if has_uvs else None)


def write_mesh(name, arrays, centre, source, inner_slot, inner_material):
    """A Blender mesh of arrays of the library, around `centre`, with the materials of an object; faces of the slot
    `inner_slot` and beyond were cut."""
    vertices, corners, starts, slots, uvs = arrays
    data = bpy.data.meshes.new(name)
    points = to_blender(vertices - centre)
    data.vertices.add(len(points))
    data.vertices.foreach_set("co", points.astype(numpy.float32).reshape(-1))
    data.loops.add(len(corners))
    data.loops.foreach_set("vertex_index", corners.astype(numpy.int32))
    data.polygons.add(len(starts) - 1)
    data.polygons.foreach_set("loop_start", starts[:-1].astype(numpy.int32))
    data.polygons.foreach_set("loop_total", numpy.diff(starts).astype(numpy.int32))
    data.polygons.foreach_set("material_index", numpy.minimum(slots, inner_slot).astype(numpy.int32))
    own = [slot.material for slot in source.material_slots][:inner_slot] if source else []
    for material in own + [None] * (inner_slot - len(own)):
        data.materials.append(material)
    if (slots >= inner_slot).any():
        data.materials.append(inner_material or (own[0] if own else None))
    if uvs is not None:
        data.uv_layers.new().data.foreach_set("uv", uvs.astype(numpy.float32).reshape(-1))
    data.update(calc_edges=True)
    data.validate()
    return data


def fresh_collection(context, name):
    """An empty collection of that name in the scene; what an earlier one of it held is removed."""
    old = bpy.data.collections.get(name)
    if old is not None:
        for item in list(old.objects):
            data = item.data
            bpy.data.objects.remove(item, do_unlink=True)
            if isinstance(data, bpy.types.Mesh) and data.users == 0:
                bpy.data.meshes.remove(data)
        if old.name not in [c.name for c in context.scene.collection.children_recursive]:
            context.scene.collection.children.link(old)
        return old
    made = bpy.data.collections.new(name)
    context.scene.collection.children.link(made)
    return made
