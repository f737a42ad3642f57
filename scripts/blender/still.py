# SPDX-License-Identifier: MIT
"""Render a still of a .glb in Blender, without a display:

    blender --background --factory-startup --python scripts/blender/still.py -- FILE.glb OUT.png|OUT.jpg SECONDS

The camera looks at all that is there at that time, from the front and above.
"""
import sys

import bpy
import numpy
from mathutils import Vector

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Debian's importer is older than its numpy

FPS = 60


def bounds():
    lower, upper = Vector((1e9,) * 3), Vector((-1e9,) * 3)
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH" or min(map(abs, thing.matrix_world.to_scale())) < 1e-6:
            continue
        corners = [thing.matrix_world @ Vector(c) for c in thing.bound_box]
        if max((a - corners[0]).length for a in corners) > 40.0:
            continue  # the ground
        for c in corners:
            lower = Vector(map(min, lower, c))
            upper = Vector(map(max, upper, c))
    return lower, upper


def add(name, data):
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def main(path, out, seconds):
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.render.fps = FPS
    bpy.ops.import_scene.gltf(filepath=path)
    frame = seconds * FPS
    scene.frame_set(int(frame), subframe=frame - int(frame))
    lower, upper = bounds()
    size = (upper - lower).length
    middle = (lower + upper) / 2 - Vector((0.0, 0.0, 0.08 * size))
    camera = add("camera", bpy.data.cameras.new("camera"))
    direction = Vector((0.55, -0.8, 0.3)).normalized()
    camera.location = middle + direction * size * 1.55
    camera.rotation_euler = direction.to_track_quat("Z", "Y").to_euler()
    scene.camera = camera
    sun = add("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle = 2.5, 0.02
    sun.rotation_euler = (0.8, 0.2, 0.6)
    scene.world = scene.world or bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.5, 0.6, 0.75, 1.0)
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", 48
    scene.cycles.max_bounces, scene.cycles.use_denoising = 3, False
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 640, 400, 100
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    if out.endswith(".jpg"):
        scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 85
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)


path, out, seconds = sys.argv[sys.argv.index("--") + 1:]
main(path, out, float(seconds))
