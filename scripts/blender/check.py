# SPDX-License-Identifier: MIT
"""Import .glb files into Blender and compare what it has with what the file says.

    blender --background --factory-startup --python scripts/blender/check.py -- FILE.glb...

For each file: nodes by name, materials, images and their sizes, cameras, times of keys, where ten objects
are at ten times, and that objects are born and vanish by their scale. Prints a line per file; the exit
status is 1 when something differs. The file is read here by hand, not by Blender's reader.
"""

import collections
import json
import os
import struct
import sys

import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Debian's importer is older than its numpy

import bpy
from mathutils import Matrix, Quaternion, Vector

FPS = 60
COMPONENTS = {5120: ("b", 1), 5121: ("B", 1), 5122: ("h", 2), 5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Glb:
    """A .glb file: its JSON, and accessors as lists of tuples."""

    def __init__(self, path):
        data = open(path, "rb").read()
        magic, _, _, size, _ = struct.unpack_from("<4sIIII", data)
        assert magic == b"glTF", path
        self.json = json.loads(data[20 : 20 + size])
        self.binary = data[28 + size :]

    def image_size(self, image):
        """Width and height of a PNG."""
        start = self.json["bufferViews"][image["bufferView"]].get("byteOffset", 0)
        return struct.unpack_from(">II", self.binary, start + 16)

    def accessor(self, index):
        about = self.json["accessors"][index]
        view = self.json["bufferViews"][about["bufferView"]]
        code, size = COMPONENTS[about["componentType"]]
        width = WIDTHS[about["type"]]
        stride = view.get("byteStride", width * size)
        start = view.get("byteOffset", 0) + about.get("byteOffset", 0)
        rows = []
        for i in range(about["count"]):
            row = struct.unpack_from("<%d%s" % (width, code), self.binary, start + i * stride)
            if about.get("normalized"):
                limit = {"b": 127.0, "B": 255.0, "h": 32767.0, "H": 65535.0}[code]
                row = tuple(max(x / limit, -1.0) for x in row)
            rows.append(row)
        return rows


def sample(times, values, steps, time):
    """The value of a track at a time, as glTF says: linear, or held."""
    if time <= times[0]:
        return Vector(values[0])
    for i in range(1, len(times)):
        if time < times[i]:
            if steps:
                return Vector(values[i - 1])
            share = (time - times[i - 1]) / (times[i] - times[i - 1])
            return Vector(values[i - 1]).lerp(Vector(values[i]), share)
    return Vector(values[-1])


class Tracks:
    """The animation of a file by node and path."""

    def __init__(self, glb):
        self.tracks = {}
        self.end = 0.0
        for animation in glb.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                times = [row[0] for row in glb.accessor(sampler["input"])]
                values = glb.accessor(sampler["output"])
                key = (channel["target"]["node"], channel["target"]["path"])
                self.tracks[key] = (times, values, sampler.get("interpolation") == "STEP")
                self.end = max(self.end, times[-1])

    def value(self, node, path, time, fallback):
        track = self.tracks.get((node, path))
        return sample(*track, time) if track else Vector(fallback)


def local_matrix(glb, tracks, index, time):
    node = glb.json["nodes"][index]
    if "matrix" in node:
        m = node["matrix"]
        return Matrix([m[0::4], m[1::4], m[2::4], m[3::4]])
    place = tracks.value(index, "translation", time, node.get("translation", (0, 0, 0)))
    x, y, z, w = tracks.value(index, "rotation", time, node.get("rotation", (0, 0, 0, 1)))
    scale = tracks.value(index, "scale", time, node.get("scale", (1, 1, 1)))
    rotation = Quaternion((w, x, y, z)).normalized().to_matrix().to_4x4()
    return Matrix.Translation(place) @ rotation @ Matrix.Diagonal(scale).to_4x4()


def world_matrix(glb, tracks, parents, index, time):
    matrix = local_matrix(glb, tracks, index, time)
    while parents[index] >= 0:
        index = parents[index]
        matrix = local_matrix(glb, tracks, index, time) @ matrix
    return matrix


TO_BLENDER = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))  # y up to z up


class Check:
    def __init__(self, path):
        self.path = path
        self.mistakes = []
        self.glb = Glb(path)
        self.tracks = Tracks(self.glb)

    def expect(self, holds, text):
        if not holds:
            self.mistakes.append(text)

    def load(self):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = FPS
        bpy.ops.import_scene.gltf(filepath=os.path.abspath(self.path))

    def objects(self):
        """The objects that stand for nodes, by node. Each name that one node alone has must be there."""
        names = [n.get("name") for n in self.glb.json.get("nodes", [])]
        times = collections.Counter(names)
        if "KHR_mesh_quantization" not in self.glb.json.get("extensionsUsed", []):  # whose meshes may need nodes
            self.expect(times[None] == 0, "%d nodes have no name" % times[None])
        found = {}
        for i, name in enumerate(names):
            if name is None or times[name] > 1:
                continue
            if name[:63] in bpy.data.objects:
                found[i] = bpy.data.objects[name[:63]]
            else:
                self.expect(False, "no object is called %s" % name)
        return found

    def check_counts(self):
        nodes = self.glb.json.get("nodes", [])
        self.expect(len(bpy.data.objects) == len(nodes), "%d objects for %d nodes" % (len(bpy.data.objects), len(nodes)))
        used = {p["material"] for m in self.glb.json.get("meshes", []) for p in m["primitives"] if "material" in p}
        names = {self.glb.json["materials"][i]["name"][:63] for i in used}
        self.expect(names <= {m.name for m in bpy.data.materials}, "materials %s of %s" % (sorted(m.name for m in bpy.data.materials), sorted(names)))
        sizes = sorted(self.glb.image_size(i) for i in self.glb.json.get("images", []))
        loaded = sorted(tuple(i.size) for i in bpy.data.images if i.name not in ("Render Result", "Viewer Node"))
        self.expect(sizes == loaded, "images of %s, not of %s" % (loaded, sizes))
        cameras = [n for n in nodes if "camera" in n]
        self.expect(len([o for o in bpy.data.objects if o.type == "CAMERA"]) == len(cameras), "%d cameras for %d" % (len(bpy.data.cameras), len(cameras)))
        textured = sum(1 for i in used if "baseColorTexture" in self.glb.json["materials"][i].get("pbrMetallicRoughness", {}))
        with_image = sum(1 for m in bpy.data.materials if m.use_nodes and any(n.type == "TEX_IMAGE" for n in m.node_tree.nodes))
        self.expect(with_image >= textured, "%d materials have textures, of %d" % (with_image, textured))

    def check_motion(self, found):
        moving = [i for i in sorted(found) if (i, "translation") in self.tracks.tracks]
        chosen = moving[:: max(1, len(moving) // 10)][:10]
        compared = 0
        parents = [-1] * len(self.glb.json["nodes"])
        for i, node in enumerate(self.glb.json["nodes"]):
            for child in node.get("children", []):
                parents[child] = i
        for k in range(10):
            time = self.tracks.end * k / 9
            frame = time * FPS
            bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
            for i in chosen:
                expected = (TO_BLENDER @ world_matrix(self.glb, self.tracks, parents, i, time)).to_translation()
                place = found[i].matrix_world.to_translation()
                self.expect((expected - place).length < 2e-3 * (1 + expected.length), "node %d at %.3f s is at %s, not %s" % (i, time, place, expected))
                compared += 1
        return len(chosen), compared

    def check_keys(self, found):
        """Blender has a key for every key of the file, at its time. @return how many are on whole frames"""
        whole = total = 0
        for i in list(found)[:50]:
            track = self.tracks.tracks.get((i, "translation"))
            action = found[i].animation_data and found[i].animation_data.action
            if not track or not action:
                self.expect(not track, "node %d has lost its animation" % i)
                continue
            curve = action.fcurves.find("location", index=0)
            times = [p.co[0] / FPS for p in curve.keyframe_points]
            self.expect(len(times) == len(track[0]) and all(abs(a - b) < 1e-4 for a, b in zip(times, track[0])), "node %d has keys at %s" % (i, times[:5]))
            whole += sum(1 for p in curve.keyframe_points if abs(p.co[0] - round(p.co[0])) < 1e-2)
            total += len(times)
        return 100 * whole // total if total else 100

    def check_births(self, found):
        births = 0
        for i in found:
            track = self.tracks.tracks.get((i, "scale"))
            if not track or track[1][0][0] > 0.0 or len(track[0]) < 2 or births >= 20:
                continue
            for time, scale in ((track[0][1] - 0.25 / FPS, track[1][0][0]), (track[0][1] + 0.25 / FPS, track[1][1][0])):
                frame = time * FPS
                bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
                self.expect(abs(found[i].scale[0] - scale) < 1e-3, "node %d has scale %g at %.4f s" % (i, found[i].scale[0], time))
            births += 1
        return births

    def run(self):
        self.load()
        self.check_counts()
        found = self.objects()
        named = sum(1 for n in self.glb.json.get("nodes", []) if "name" in n)
        chosen, compared = self.check_motion(found) if self.tracks.tracks else (0, 0)
        whole = self.check_keys(found)
        births = self.check_births(found)
        if self.tracks.tracks and named:
            self.expect(compared > 0, "nothing that moves was found by its name")
        print(
            "%s: %d objects, %d named, %d materials, %d images, %d %% of keys at %d fps, %d objects at 10 times, %d births: %s"
            % (os.path.basename(self.path), len(bpy.data.objects), len(found), len(bpy.data.materials), len(self.glb.json.get("images", [])), whole, FPS, chosen, births, "ok" if not self.mistakes else "; ".join(self.mistakes[:5]))
        )
        return not self.mistakes


def main():
    files = sys.argv[sys.argv.index("--") + 1 :]
    if not files:
        print("check.py: no files")
        sys.exit(2)
    results = [Check(path).run() for path in files]
    sys.exit(0 if all(results) else 1)


main()
