# SPDX-License-Identifier: MIT
"""Breaking, simulated: objects become bodies, steps become frames."""

import math
import time

import bpy
import numpy

from .bake import Shown, hide_originals, write_keyframes
from .convert import Missing, arrays_of, join_arrays, library, read_object, to_rubble
from .fracture import node_points


class Simulation:
    """A world of the scene's objects, stepped frame by frame."""

    def __init__(self, context):
        rubble = library()
        scene, settings = context.scene, context.scene.rubble
        self.start, self.end = settings.frame_start, settings.frame_end
        if self.end <= self.start:
            raise ValueError("the simulation must end after it starts")
        fps = scene.render.fps / scene.render.fps_base
        self.steps_per_frame = max(1, math.ceil(settings.step_rate / fps - 1e-6))
        self.dt = 1.0 / fps / self.steps_per_frame
        self.frame = self.start
        gravity = to_rubble([scene.gravity])[0] if scene.use_gravity else (0.0, 0.0, 0.0)
        self.world = rubble.World(gravity=gravity, budget=0)  # a break is whole in the step of its hit
        self.film = self.world.film() if settings.film else None
        self.film_path = bpy.path.abspath(settings.film) if settings.film else ""
        self.break_count = 0
        self.shown, self.current = [], {}  # all, and by body what is seen now
        self.sources, self.slot_counts, self.waiting, self.items = {}, {}, [], []
        self.presets, self.numbers = {}, {}
        for item in scene.objects:
            if item.type == "MESH" and item.rubble.role != "NONE" and not item.hide_render:
                self._prepare(context, item)
        if not self.items:
            raise ValueError("no object has a role: set one in the panel Rubble > Object")
        self._enter()

    def _material(self, preset, strength):
        key = preset, round(strength, 6)
        if key not in self.presets:
            self.presets[key] = library().Material.preset(preset, strength=strength)
        return self.presets[key]

    def _prepare(self, context, item):
        """Read an object; its body is made in its first frame."""
        rubble = library()
        own = item.rubble
        mesh, pose, slot_count = read_object(context, item, own.anchors)
        velocity = to_rubble([own.velocity])[0]
        made = {"position": pose[:3], "rotation": pose[3:]}
        if own.role == "STATIC":
            shape = rubble.Collider("mesh", mesh=mesh)
            made["kind"] = "static"
        else:
            keep, settings = [], {}
            breaks = own.role == "BREAKS"
            look = {"material": slot_count, "uv_scale": 1.0, "color": (1, 1, 1, 1)}
            if breaks:
                slots = [slot.material.rubble if slot.material else None for slot in item.material_slots][:slot_count]
                chosen = [self._material(s.preset, own.strength) if s and s.has_preset else None for s in slots]
                if any(chosen):
                    pointers = (rubble._library.ctypes.POINTER(rubble.api.rbl_material) * len(chosen))()
                    for i, material in enumerate(chosen):
                        if material is not None:
                            pointers[i] = material.pointer
                    settings["materials"], settings["material_count"] = pointers, len(chosen)
                    keep += chosen
                made["material"] = self._material(own.preset, own.strength)
            else:
                made["material"] = rubble.Material(item.name, density=own.density)
            nodes = node_points(item)
            has_anchors = breaks and own.anchors in item.vertex_groups
            if nodes is None and has_anchors:  # a wall is one part by itself, and would be anchored as a whole
                settings["node_count"] = context.scene.rubble.node_count
            shape = mesh.prepare(nodes=nodes, inner=look, **settings)
            if has_anchors:
                shape = self._anchored(item, mesh, shape, nodes=nodes, inner=look, **settings)
                made["kind"] = "static"
            made["velocity"] = velocity
            made["is_bullet"] = own.role == "PROJECTILE"
            del keep
        self.items.append(item)
        self.slot_counts[item.name] = slot_count
        self.waiting.append((own.first_frame if own.first_frame > self.start else self.start, item, shape, mesh, made))

    def _anchored(self, item, mesh, asset, **settings):
        """The same asset with parts anchored that have a corner whose weight, the red of its colour, is above a half."""
        rubble = library()
        from rubble._arrays import view
        compound = rubble.c.rbl_asset_get_compound(asset.pointer)
        boxes = []
        for i in range(rubble.c.rbl_compound_get_info(compound).part_end):
            part = rubble.c.rbl_compound_get_part(compound, i)
            data = rubble.c.rbl_mesh_get_data(part.mesh) if part.mesh else None
            # Faces that are cut have a colour of their own: white.
            if data and data.corner_colors and (view(data.corner_colors, data.corner_count)[:, :2] @ (1.0, -1.0) > 0.5).any():
                centre = rubble.c.rbl_convex_get_mass(part.convex).centre
                reach = 1e-9 + 1e-6 * numpy.abs((centre.x, centre.y, centre.z)).max()
                low, high = (rubble.api.rbl_vec3d(centre.x + d, centre.y + d, centre.z + d) for d in (-reach, reach))
                boxes.append(rubble.api.rbl_boxd(low, high))
        if not boxes:
            raise ValueError(f"{item.name}: no part has a weight above a half in the vertex group {item.rubble.anchors}")
        anchors = rubble.c.rbl_default_anchor_def()
        anchors.boxes = (rubble.api.rbl_boxd * len(boxes))(*boxes)
        anchors.box_count = len(boxes)
        return mesh.prepare(previous=asset, anchors=rubble._library.ctypes.pointer(anchors), **settings)

    def _enter(self):
        """Bodies whose first frame this is."""
        for entry in [e for e in self.waiting if e[0] <= self.frame]:
            self.waiting.remove(entry)
            _frame, item, shape, mesh, made = entry
            body = self.world.add(shape, **made)
            key = body.id.index, body.id.generation
            self.sources[key] = item
            self._show(key, arrays_of(mesh.pointer) if item.rubble.role == "STATIC" else None)

    def _show(self, key, arrays=None):
        """See a body from this frame on; what was seen of it ends."""
        rubble = library()
        if key in self.current:
            self.current[key].last = self.frame
        id = rubble.api.rbl_body_id(*key)
        item = self.sources[key]
        if arrays is None:
            compound = rubble.c.rbl_body_get_compound(self.world.pointer, id)
            parts = []
            for i in range(rubble.c.rbl_compound_get_info(compound).part_end):
                part = rubble.c.rbl_compound_get_part(compound, i)
                if part.mesh:
                    parts.append(arrays_of(part.mesh))
                elif part.convex:
                    shape = rubble.Mesh._of(rubble._library.create(
                        "rbl_compound_create_part_mesh", rubble.api.rbl_mesh, compound, i, None, None, None))
                    inner = arrays_of(shape.pointer)
                    parts.append(inner[:3] + (numpy.full(len(inner[3]), self.slot_counts[item.name], numpy.int32), inner[4]))
            arrays = join_arrays(parts)
        number = self.numbers[item.name] = self.numbers.get(item.name, 0) + 1
        centre = 0.5 * (arrays[0].min(axis=0) + arrays[0].max(axis=0))
        one = Shown(f"{item.name} {number:04d}", item, arrays, centre, self.slot_counts[item.name], self.frame)
        state = rubble.c.rbl_body_get_state(self.world.pointer, id).pose
        one.take(self.frame, (state.position.x, state.position.y, state.position.z,
                              state.rotation.x, state.rotation.y, state.rotation.z, state.rotation.w))
        self.current[key] = one
        self.shown.append(one)

    def step_frame(self):
        """Simulate one frame. Returns whether there are more."""
        moved, changed = {}, set()
        for _ in range(self.steps_per_frame):
            self.world.step(self.dt)
            moves = self.world.moves()
            for body, pose in zip(moves["body"].tolist(), moves["pose"]):
                moved[tuple(body)] = pose.copy()
            for event in self.world.fractures:
                self.break_count += 1
                parent = event.parent.id.index, event.parent.id.generation
                if parent not in self.sources:
                    continue
                changed.add(parent)
                for body in event.new_bodies:
                    key = body.id.index, body.id.generation
                    self.sources[key] = self.sources[parent]
                    changed.add(key)
        self.frame += 1
        for key, pose in moved.items():
            if key in self.current and key not in changed:
                self.current[key].take(self.frame, pose)
        there = {(body.id.index, body.id.generation) for body in self.world.bodies}
        for key in list(self.current):
            if key not in there:
                self.current.pop(key).last = self.frame
        for key in sorted(changed & there):
            self._show(key)
        self._enter()
        return self.frame < self.end

    def finish(self, context):
        """Bake what was simulated. Returns a sentence."""
        count = write_keyframes(context, self.shown, self.start, self.frame, context.scene.rubble.inner_material)
        hide_originals(self.items)
        said = f"{self.break_count} breaks, {count} objects, state {self.world.hash:016x}"
        if self.film is not None:
            self.film.end()
            if self.film_path.endswith((".html", ".htm")):
                self.film.view(self.film_path, title=bpy.path.basename(bpy.data.filepath) or "Rubble")
            else:
                self.film.save(self.film_path)
            said += f"; film {self.film_path}"
        return said


class RUBBLE_OT_simulate(bpy.types.Operator):
    bl_idname = "rubble.simulate"
    bl_label = "Simulate and bake"
    bl_description = "Simulate all objects that have a role, and bake them to keyframes. Escape stops and keeps nothing"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT"

    def _begin(self, context):
        bpy.ops.rubble.clear_bake.poll() and bpy.ops.rubble.clear_bake()
        try:
            return Simulation(context)
        except (Missing, ValueError, RuntimeError) as error:
            self.report({"ERROR"}, str(error))
        except Exception as error:  # the library's sentence
            if "rubble" not in type(error).__module__:
                raise
            self.report({"ERROR"}, str(error))
        return None

    def execute(self, context):
        """From scripts and without a window: to the end at once."""
        simulation = self._begin(context)
        if simulation is None:
            return {"CANCELLED"}
        while simulation.step_frame():
            pass
        self.report({"INFO"}, simulation.finish(context))
        return {"FINISHED"}

    def invoke(self, context, _event):
        self.simulation = self._begin(context)
        if self.simulation is None:
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(self.simulation.start, self.simulation.end)
        self.timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._end(context)
            self.report({"WARNING"}, f"stopped at frame {self.simulation.frame}; nothing was baked")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        began, goes_on = time.monotonic(), True
        while goes_on and time.monotonic() - began < 0.05:
            goes_on = self.simulation.step_frame()
        context.window_manager.progress_update(self.simulation.frame)
        context.workspace.status_text_set(f"Rubble: frame {self.simulation.frame} of {self.simulation.end}; Escape stops")
        if goes_on:
            return {"RUNNING_MODAL"}
        self._end(context)
        self.report({"INFO"}, self.simulation.finish(context))
        return {"FINISHED"}

    def _end(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


def register():
    bpy.utils.register_class(RUBBLE_OT_simulate)


def unregister():
    bpy.utils.unregister_class(RUBBLE_OT_simulate)
