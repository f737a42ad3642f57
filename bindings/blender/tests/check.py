# SPDX-License-Identifier: MIT
"""Run by Blender: the add-on from its .zip breaks, simulates, bakes and renders, and what comes out is right."""

import os
import sys

import bpy
import numpy

work, pictures = sys.argv[sys.argv.index("--") + 1:][:2]
checks = 0


def check(holds, text):
    global checks
    checks += 1
    if not holds:
        raise AssertionError(text)


def add_box(name, size, place, role="NONE"):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    item = bpy.context.object
    item.name = name
    item.scale = size
    item.rubble.role = role
    bpy.context.view_layer.update()
    return item


def select(*items):
    bpy.ops.object.select_all(action="DESELECT")
    for item in items:
        item.select_set(True)
    bpy.context.view_layer.objects.active = items[0]


def volume_of(data):
    """Of a closed mesh."""
    data.calc_loop_triangles()
    corners = numpy.array([[data.vertices[v].co[:] for v in t.vertices] for t in data.loop_triangles])
    return float(numpy.einsum("ij,ij->i", corners[:, 0], numpy.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


def is_closed(data):
    edges = {}
    for polygon in data.polygons:
        for key in polygon.edge_keys:
            edges[key] = edges.get(key, 0) + 1
    return all(count == 2 for count in edges.values())


def material(name, color):
    made = bpy.data.materials.new(name)
    made.diffuse_color = (*color, 1.0)
    return made


def check_fracture():
    box = add_box("stone", (2.0, 1.0, 1.0), (0.0, 0.0, 3.0))
    box.rotation_euler = (0.3, 0.2, 0.1)
    bpy.context.view_layer.update()
    box.data.materials.append(material("outside", (0.5, 0.5, 0.5)))
    settings = bpy.context.scene.rubble
    settings.cells, settings.seed, settings.inner_material = 40, 3, material("inside", (0.8, 0.2, 0.1))
    select(box)
    check(bpy.ops.rubble.fracture() == {"FINISHED"}, "the operator failed")
    pieces = list(bpy.data.collections["stone pieces"].objects)
    check(len(pieces) > 20, f"{len(pieces)} pieces")
    total = sum(volume_of(p.data) for p in pieces)
    check(abs(total - 2.0) < 1e-3, f"the pieces have {total} cubic metres")
    check(all(is_closed(p.data) for p in pieces), "a piece is open")
    check(all([m.name for m in p.data.materials][-1:] == ["inside"] for p in pieces), "inner faces have another material")
    check(any(0 in {f.material_index for f in p.data.polygons} for p in pieces), "no face is of the outside")
    # Pieces lie where the object was: all their corners are in its box.
    inverse = box.matrix_world.inverted()
    reach = max(abs(x) for p in pieces for v in p.data.vertices for x in inverse @ (p.matrix_basis @ v.co))
    check(abs(reach - 0.5) < 1e-4, f"pieces reach {reach} of the box's 0.5")
    check(box.hide_render, "the original is not hidden")
    # The same settings give the same pieces, others do not.
    volumes = [[volume_of(p.data) for p in pieces]]
    for seed in (3, 4):
        settings.seed = seed
        box.hide_set(False)
        select(box)
        bpy.ops.rubble.fracture()
        volumes.append([volume_of(p.data) for p in bpy.data.collections["stone pieces"].objects])
    check(volumes[0] == volumes[1] != volumes[2], "seeds do not tell what comes out")


def check_undo():
    box = add_box("brick", (1.0, 1.0, 1.0), (0.0, 0.0, 6.0))
    select(box)
    bpy.ops.ed.undo_push(message="a brick")
    check(bpy.ops.rubble.fracture("EXEC_DEFAULT", True) == {"FINISHED"}, "the operator failed")
    check("brick pieces" in bpy.data.collections and bpy.data.objects["brick"].hide_render, "no pieces")
    bpy.ops.ed.undo()
    check("brick pieces" not in bpy.data.collections and not bpy.data.objects["brick"].hide_render, "undo leaves pieces")


def check_nodes():
    box = add_box("beam", (4.0, 0.4, 0.4), (0.0, 5.0, 1.0))
    bpy.context.scene.rubble.node_count = 6
    select(box)
    check(bpy.ops.rubble.place_nodes() == {"FINISHED"}, "no nodes")
    nodes = [c for c in box.children if c.get("rubble_node")]
    check(len(nodes) == 6, f"{len(nodes)} nodes")
    inverse = box.matrix_world.inverted()
    places = [tuple(round(x, 3) for x in inverse @ n.matrix_world.translation) for n in nodes]
    check(all(abs(x) < 0.5 and abs(y) < 1.0 and abs(z) < 1.0 for x, y, z in places), f"a node is far off: {places}")
    select(box)
    bpy.ops.rubble.show_parts()
    parts = len(bpy.data.collections["beam parts"].objects)
    bpy.data.objects.remove(nodes[0], do_unlink=True)
    select(box)
    bpy.ops.rubble.show_parts()
    check(len(bpy.data.collections["beam parts"].objects) == parts - 1 == 5, "parts do not follow the nodes")


def build_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="rubble_addon")
    add_box("ground", (80.0, 80.0, 0.5), (0.0, 0.0, -0.25), "STATIC").data.materials.append(material("ground", (0.35, 0.36, 0.38)))
    wall = add_box("wall", (3.0, 0.3, 2.0), (0.0, 0.0, 1.0), "BREAKS")
    wall.data.materials.append(material("plaster", (0.75, 0.7, 0.6)))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=7)
    bpy.ops.object.mode_set(mode="OBJECT")
    group = wall.vertex_groups.new(name="foot")
    group.add([v.index for v in wall.data.vertices if v.co.z < -0.3], 1.0, "REPLACE")
    wall.rubble.anchors, wall.rubble.preset = "foot", "brick"
    bpy.ops.mesh.primitive_ico_sphere_add(radius=0.35, location=(0.1, -4.0, 1.4), subdivisions=2)
    ball = bpy.context.object
    ball.name = "ball"
    ball.rubble.role, ball.rubble.velocity, ball.rubble.first_frame = "PROJECTILE", (0.0, 14.0, 2.0), 5
    ball.rubble.density = 2400.0
    ball.data.materials.append(material("ball", (0.1, 0.1, 0.12)))
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.rubble.frame_start, scene.rubble.frame_end = 1, 40
    scene.rubble.inner_material = material("break", (0.65, 0.25, 0.15))
    scene.rubble.film = os.path.join(work, "film.html")
    return wall, ball


def check_simulation():
    wall, ball = build_scene()
    check(bpy.ops.rubble.simulate("EXEC_DEFAULT") == {"FINISHED"}, "the simulation failed")
    baked = list(bpy.data.collections["Rubble bake"].objects)
    check(len(baked) > 15, f"{len(baked)} objects were baked")
    check(wall.hide_render and ball.hide_render, "originals are shown beside the bake")
    scene = bpy.context.scene
    counts, heights = [], []
    for frame in (1, 4, 6, 40):
        scene.frame_set(frame)
        seen = [b for b in baked if not b.hide_render]
        counts.append(len(seen))
        heights.append(max((b.matrix_world.translation.z for b in seen if b.name.startswith("ball")), default=None))
    check(counts[0] == 2 and counts[1] == 2 and counts[2] == 3 and counts[3] > 12, f"objects seen: {counts}")
    scene.frame_set(40)
    moving = [b for b in baked if b.animation_data.action.fcurves.find("location")]
    check(len(moving) > 10, f"{len(moving)} objects move")
    seen = [b for b in baked if not b.hide_render and b.name.startswith("wall")]
    lowest = min((b.matrix_world @ v.co).z for b in seen for v in b.data.vertices)
    check(lowest > -0.05, f"pieces are {lowest} below the ground")
    # What is anchored stands: something of the wall never moves, and reaches the ground.
    still = [b for b in seen if not b.animation_data.action.fcurves.find("location")]
    check(any(min((b.matrix_world @ v.co).z for v in b.data.vertices) < 0.05 for b in still), "nothing of the anchored foot stands")
    total = sum(volume_of(b.data) for b in seen)
    check(1.2 < total < 1.81, f"{total} of 1.8 cubic metres are left")
    check(os.path.getsize(os.path.join(work, "film.html")) > 50000, "no film was written")
    return len(baked)


class Window:
    """A context whose window is not there: timers and progress do nothing, all else is Blender's."""

    def __init__(self):
        self.window_manager, self.workspace, self.window, self.shown = self, self, None, []

    def __getattr__(self, name):
        return getattr(bpy.context, name)

    def event_timer_add(self, _seconds, window):
        return window

    def modal_handler_add(self, _operator):
        return True

    def progress_update(self, value):
        self.shown.append(value)

    def event_timer_remove(self, _timer):
        self.shown.append("removed")

    progress_begin = progress_end = status_text_set = lambda self, *_: None


def check_progress(count):
    """The button: frames by a timer, progress, and Escape, after which nothing is baked."""
    from rubble_addon.simulate import RUBBLE_OT_simulate as operator

    class Event:
        type = "TIMER"

    class Pressed(Event):
        type = "ESC"

    class Button:
        invoke, modal, _begin, _end = operator.invoke, operator.modal, operator._begin, operator._end
        report = print

    bpy.ops.rubble.clear_bake()
    context, button = Window(), Button()
    check(button.invoke(context, None) == {"RUNNING_MODAL"}, "the button does not begin")
    check(button.modal(context, Event) == {"RUNNING_MODAL"} and context.shown[0] > 1, "a timer does not move it on")
    check(button.modal(context, Pressed) == {"CANCELLED"} and context.shown[-1] == "removed", "Escape does not stop it")
    check("Rubble bake" not in bpy.data.collections and not bpy.data.objects["wall"].hide_render, "something was baked")
    context, button, result = Window(), Button(), {"RUNNING_MODAL"}
    button.invoke(context, None)
    while result == {"RUNNING_MODAL"}:
        result = button.modal(context, Event)
    frames = context.shown[:-1]
    check(result == {"FINISHED"} and frames == sorted(frames) and frames[-1] == 40 and len(frames) > 2, f"progress: {frames}")
    check(len(bpy.data.collections["Rubble bake"].objects) == count, "the button bakes something else")


def check_saved(count):
    """Settings and the bake are in the .blend; the same settings give the same bake."""
    path = os.path.join(work, "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    wall, ball = bpy.data.objects["wall"], bpy.data.objects["ball"]
    check(wall.rubble.anchors == "foot" and wall.rubble.preset == "brick" and wall.rubble.role == "BREAKS", "settings are lost")
    check(abs(ball.rubble.velocity[1] - 14.0) < 1e-6 and bpy.context.scene.rubble.frame_end == 40, "settings are lost")
    check(len(bpy.data.collections["Rubble bake"].objects) == count, "the bake is lost")
    check(bpy.ops.rubble.clear_bake() == {"FINISHED"} and not wall.hide_render, "the bake cannot be cleared")
    bpy.context.scene.rubble.film = os.path.join(work, "film.glb")
    check(bpy.ops.rubble.simulate("EXEC_DEFAULT") == {"FINISHED"}, "the second simulation failed")
    check(len(bpy.data.collections["Rubble bake"].objects) == count, "the second bake differs")
    with open(os.path.join(work, "film.glb"), "rb") as file:
        check(file.read(4) == b"glTF", "the film is no .glb")


def check_render():
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location, camera.rotation_euler = (4.6, -6.2, 2.7), (1.3, 0.0, 0.63)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.world = bpy.data.worlds.new("sky")
    scene.world.color = (0.42, 0.5, 0.6)
    scene.display.shading.color_type = "MATERIAL"
    scene.display.shading.show_shadows = scene.display.shading.show_cavity = True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 640, 400, 100
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGB"
    scene.render.image_settings.compression, scene.render.dither_intensity = 100, 0.0
    pixels = []
    for frame in (1, 20):
        scene.frame_set(frame)
        scene.render.filepath = os.path.join(pictures, f"blender-{frame}.png")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        values = numpy.empty(len(image.pixels), numpy.float32)
        image.pixels.foreach_get(values)
        pixels.append(values.reshape(400, 640, 4)[:, :, :3])
    check(all(p.std() > 0.05 for p in pixels), "nothing is drawn")
    changed = (abs(pixels[0] - pixels[1]).max(axis=2) > 0.05).mean()
    check(changed > 0.02, f"{changed:.3f} of the picture change")
    inner = pixels[1][:, :, 0] - pixels[1][:, :, 2]
    check(inner.max() > 0.2, "no inner face is to be seen")


def check_mistakes():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="rubble_addon")
    for name in ("fracture", "place_nodes", "show_parts"):
        check(not getattr(bpy.ops.rubble, name).poll(), f"{name} runs without an object")
    failed = 0
    try:
        bpy.ops.rubble.simulate("EXEC_DEFAULT")
    except RuntimeError as error:
        failed = "no object has a role" in str(error)
    check(failed, "an empty simulation is no error")
    data = bpy.data.meshes.new("nothing")
    item = bpy.data.objects.new("nothing", data)
    bpy.context.scene.collection.objects.link(item)
    select(item)
    try:
        bpy.ops.rubble.fracture()
        failed = False
    except RuntimeError as error:
        failed = "has no faces" in str(error)
    check(failed, "a mesh without faces is no error")


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_install(filepath=os.path.join(work, "rubble_addon.zip"))
bpy.ops.preferences.addon_enable(module="rubble_addon")
check("rubble_addon" in bpy.context.preferences.addons, "the add-on is not enabled")
check_fracture()
check_undo()
print("check: fracture")
check_nodes()
print("check: nodes")
count = check_simulation()
print(f"check: simulation, {count} objects")
check_saved(count)
print("check: saved")
check_progress(count)
print("check: progress")
check_render()
print("check: render")
check_mistakes()
bpy.ops.preferences.addon_disable(module="rubble_addon")
check(not hasattr(bpy.types.Scene, "rubble"), "the add-on leaves something behind")
print(f"check: all well, {checks} checks")
