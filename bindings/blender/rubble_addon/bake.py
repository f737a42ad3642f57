# SPDX-License-Identifier: MIT
"""What a simulation did, as Blender objects with keyframes."""

import bpy
import numpy

from .convert import fresh_collection, rotations_to_blender, to_blender, write_mesh

COLLECTION = "Rubble bake"


class Shown:
    """Something that is seen from a frame on until another: a mesh, and its poses by frame."""

    def __init__(self, name, source, arrays, centre, slot_count, first):
        self.name, self.source, self.arrays, self.centre, self.slot_count = name, source, arrays, centre, slot_count
        self.first, self.last = first, None
        self.frames, self.poses = [], []

    def take(self, frame, pose):
        """Its pose in a frame; a pose that is as the last two says nothing new."""
        pose = numpy.array(pose, float)
        if len(self.poses) > 1 and (self.poses[-1] == pose).all() and (self.poses[-2] == pose).all():
            self.frames[-1] = frame
            return
        if self.frames and self.frames[-1] == frame:
            self.frames.pop()
            self.poses.pop()
        self.frames.append(frame)
        self.poses.append(pose)


def _add_curve(action, path, index, frames, values, interpolation):
    curve = action.fcurves.new(path, index=index)
    curve.keyframe_points.add(len(frames))
    points = numpy.stack((numpy.asarray(frames, numpy.float32), numpy.asarray(values, numpy.float32)), axis=1)
    curve.keyframe_points.foreach_set("co", points.reshape(-1))
    for key in curve.keyframe_points:
        key.interpolation = interpolation
    curve.update()


def _turn_points(q, point):
    """A point turned by each of some quaternions x, y, z, w."""
    u, w = q[:, :3], q[:, 3:]
    t = 2.0 * numpy.cross(u, point)
    return point + w * t + numpy.cross(u, t)


def write_keyframes(context, shown, start, end, inner_material):
    """Objects of all that was shown, in a collection of their own. Returns how many there are."""
    into = fresh_collection(context, COLLECTION)
    count = 0
    for one in shown:
        if one.last is not None and one.last <= one.first:
            continue
        poses = numpy.array(one.poses)
        data = write_mesh(one.name, one.arrays, one.centre, one.source, one.slot_count, inner_material)
        made = bpy.data.objects.new(one.name, data)
        made.rotation_mode = "QUATERNION"
        into.objects.link(made)
        places = to_blender(poses[:, :3] + _turn_points(poses[:, 3:], one.centre))
        turns = rotations_to_blender(poses[:, 3:])
        for i in range(1, len(turns)):  # the shorter way
            if numpy.dot(turns[i], turns[i - 1]) < 0.0:
                turns[i] = -turns[i]
        made.location, made.rotation_quaternion = places[0], turns[0]
        action = bpy.data.actions.new(one.name)
        made.animation_data_create().action = action
        if len(poses) > 1:
            for k in range(3):
                _add_curve(action, "location", k, one.frames, places[:, k], "LINEAR")
            for k in range(4):
                _add_curve(action, "rotation_quaternion", k, one.frames, turns[:, k], "LINEAR")
        hidden = ([(start, 1.0)] if one.first > start else []) + [(one.first, 0.0)] + ([(one.last, 1.0)] if one.last is not None else [])
        if len(hidden) > 1:
            for path in ("hide_viewport", "hide_render"):
                _add_curve(action, path, 0, [f for f, _ in hidden], [v for _, v in hidden], "CONSTANT")
        count += 1
    context.scene.frame_start, context.scene.frame_end = min(context.scene.frame_start, start), max(end, start + 1)
    return count


def hide_originals(items):
    for item in items:
        if not item.hide_render:
            item["rubble_hidden"] = True
        item.hide_set(True)
        item.hide_render = True


class RUBBLE_OT_clear_bake(bpy.types.Operator):
    bl_idname = "rubble.clear_bake"
    bl_label = "Clear bake"
    bl_description = "Remove the objects of the last bake and show the originals again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, _context):
        return COLLECTION in bpy.data.collections

    def execute(self, context):
        bpy.data.collections.remove(fresh_collection(context, COLLECTION))
        for item in context.scene.objects:
            if item.get("rubble_hidden"):
                del item["rubble_hidden"]
                item.hide_set(False)
                item.hide_render = False
        return {"FINISHED"}


def register():
    bpy.utils.register_class(RUBBLE_OT_clear_bake)


def unregister():
    bpy.utils.unregister_class(RUBBLE_OT_clear_bake)
