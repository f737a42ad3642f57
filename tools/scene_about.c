// SPDX-License-Identifier: MIT
//
// What every key of scene files means. Editors show it from scenes/schema.json, people read it in
// docs/scenes.md; both are printed from here, with types and defaults from the tables of the reader.

#include "scene_about.h"

#include <stdbool.h>
#include <string.h>

typedef struct about {
	const char *kind; // NULL: any that has no row of its own
	const char *key;  // NULL: the kind itself
	const char *text;
} about;

static const about texts[] = {
	{ "scene", NULL, "a scene: what there is, what it is made of, and what happens" },
	{ "scene", "$schema", "where the schema of scenes is; for editors" },
	{ "scene", "version", "of the format; required" },
	{ "scene", "description", "a text for people" },
	{ "scene", "seed", "of everything random" },
	{ "scene", "gravity", "metres per second squared" },
	{ "scene", "time_step", "length of a step in seconds" },
	{ "scene", "step_count", "number of steps" },
	{ "scene", "substep_count", "solver sub-steps per step" },
	{ "scene", "length_scale", "size of usual bodies in metres: tolerances follow from it" },
	{ "scene", "frame_time",
	  "seconds between frames of the animation, of every step unless given; every break gets a "
	  "frame "
	  "of its own" },
	{ "scene", "can_sleep", "whether resting bodies sleep" },
	{ "scene", "freeze_time",
	  "seconds that debris sleeps before it is frozen: nothing wakes it any more; 0: never" },
	{ "scene", "bake_time",
	  "seconds that debris sleeps before it is baked into static geometry; 0: never" },
	{ "scene", "budget",
	  "work on breaks in a step, as `budget` of a world; 0: no limit, all breaks end in "
	  "the "
	  "step of the hit" },
	{ "scene", "debris_limit",
	  "the most debris bodies; beyond it the smallest and oldest that sleep are removed; 0: no "
	  "limit" },
	{ "scene", "chip_limit", "the most chips at once" },
	{ "scene", "materials", "materials by name" },
	{ "scene", "models", "models by name" },
	{ "scene", "instances", "bodies that are there from the beginning" },
	{ "scene", "projectiles", "bodies that are thrown in" },
	{ "scene", "joints", "what holds bodies together" },
	{ "scene", "include",
	  "files with materials and models, relative to this one; they may include others. Files of "
	  "their models are relative to them" },
	{ "scene", "triggers", "what happens at a time, or when something else does" },
	{ "scene", "cameras", "cameras by name" },
	{ "scene", "cloths", "sheets of cloth, which bodies push and tear" },
	{ "scene", "wind", "velocity of the air around cloths, metres per second" },

	{ "material", NULL, "a material: how it weighs, rubs, looks and breaks" },
	{ "material", "preset",
	  "where all defaults come from. Other keys change it: `break_energy` all its levels in "
	  "proportion, and with them the energies of weaker hits; `break_radius` their radii and "
	  "patterns, `cell_count` their cells, `bond_strength` what bonds hold" },
	{ "material", "density", "kilograms per cubic metre" },
	{ "material", "friction", "coefficient of friction" },
	{ "material", "restitution", "how much speed is left after a bounce" },
	{ "material", "rolling_resistance",
	  "of balls, capsules, cylinders and cones: torque per normal force, as a share of the "
	  "radius" },
	{ "material", "spinning_resistance", "the same about the normal of a contact" },
	{ "material", "surface_velocity",
	  "how its surface runs over the body, as a conveyor belt does, in metres per second and the "
	  "body's axes" },
	{ "material", "user", "a number for programs that read recordings" },
	{ "material", "color",
	  "linear red, green, blue. Meshes with materials of their own keep them, and break into what "
	  "most of their surface is: glass into glass" },
	{ "material", "opacity", "1 is opaque" },
	{ "material", "metallic", "how it is drawn: 1 is metal" },
	{ "material", "surface_roughness", "how it is drawn: 0 is a mirror, 1 is dull" },
	{ "material", "break_energy",
	  "energy of a hit that breaks it, in joules; 0: nothing does. A hit of ten times that energy "
	  "makes three times as many fragments" },
	{ "material", "break_radius", "how far a hit of that energy reaches, in metres" },
	{ "material", "levels",
	  "in place of these two, up to four levels by rising energy. What a level does not say is as "
	  "the material says" },
	{ "material", "radius_limit", "the largest radius of a break in metres; 0: no limit" },
	{ "material", "pattern", "how it breaks" },
	{ "material", "cell_count", "cells of the pattern; not of `bricks`, which have a size" },
	{ NULL, "focus", "of `impact`: how crowded cells are at the hit, 0 to 1" },
	{ NULL, "ring_count", "of `web`; by its cells unless given" },
	{ NULL, "spoke_count", "of `web`; by its cells unless given" },
	{ "material", "jitter", "of `web`: how irregular it is, 0 to 1" },
	{ NULL, "brick_size", "of `bricks`: their size with joints, in metres" },
	{ NULL, "bond", "of `bricks`: how courses are laid" },
	{ NULL, "stretch", "of `splinters`: length over width" },
	{ "material", "placement",
	  "how the pattern is turned: at random, along the `frame`, about the normal of the hit, or by "
	  "kind: bricks and splinters along the frame, webs about the normal, all others at random" },
	{ "material", "frame",
	  "axes of grain or courses in the body: an axis and an angle, x, y, z, degrees" },
	{ "material", "frame_origin", "a point where corners of bricks may lie" },
	{ "material", "pattern_scale", "stretches the pattern along its axes" },
	{ "material", "pattern_shape", "or by a matrix, row by row" },
	{ "material", "inner_material",
	  "the slot of the mesh that cut faces have; -1: the one called `inner`, or a new one" },
	{ "material", "inner_color",
	  "linear color of cut faces, as outside unless given; presets have one. Given, it also "
	  "replaces "
	  "the look that cut faces of a mesh with materials have" },
	{ "material", "inner_texture",
	  "a PNG or JPEG file that films have on cut faces, relative to the scene" },
	{ "material", "uv_scale",
	  "of cut faces: metres per unit of texture. With this or one of the next three keys films "
	  "have "
	  "texture coordinates, also without an `inner_texture`" },
	{ "material", "uv_offset", "of cut faces: added to texture coordinates" },
	{ "material", "uv_seed", "of cut faces: what turns the texture on each plane; 0: nothing" },
	{ "material", "atlas",
	  "of cut faces: a rectangle u, v, u, v of an atlas; all 0: the whole texture" },
	{ "material", "roughness", "how rough cut faces are, in metres" },
	{ "material", "rough_step", "in steps of how many metres; 0: by the roughness" },
	{ "material", "fit", "how closely convexes fit fragments: by a box, or by 14 or 26 planes" },
	{ "material", "welds", "whether cells beyond the radius are joined to one part again" },
	{ "material", "cut_limit", "the most cuts of a break" },
	{ "material", "min_size",
	  "bodies smaller than this do not break: the cube root of a volume, in metres" },
	{ "material", "dust_size",
	  "fragments smaller than this turn to dust; 0.3 of `min_size` unless given" },
	{ "material", "bond_strength",
	  "what bonds between parts hold in tension, in pascals; bonds that carry more under weight "
	  "and "
	  "load fail; 0: none does" },
	{ "material", "bond_shear", "in shear; twice `bond_strength` unless given" },
	{ "material", "bond_compression", "in compression; ten times `bond_strength` unless given" },
	{ "material", "bend_energy",
	  "energy of a hit that bends a body of several parts, in joules, below `break_energy`; 0: "
	  "none "
	  "does" },
	{ "material", "bend_depth", "depth of the dent at twice that energy, in metres" },
	{ "material", "bend_radius",
	  "how far around the dent goes; twice the `break_radius` unless given" },
	{ "material", "wear_energy",
	  "energy of a weak hit that leaves damage behind, in joules, below `break_energy`; damage "
	  "adds "
	  "up until it breaks; 0: none does" },
	{ "material", "wear_radius", "how far around a weak hit is felt, in metres" },
	{ "material", "wear_exponent", "a weak hit adds (energy / `break_energy`) to this power" },
	{ "material", "bond_energy",
	  "energy of a hit that opens the bonds beside it, in joules; weaker ones wear them down; 0: "
	  "none does" },
	{ "material", "debris", "what falls off the faces that a break exposes" },
	{ "material", "chip_density", "how many per square metre of exposed faces" },
	{ "material", "chip_min_radius", "in metres" },
	{ "material", "chip_max_radius", "in metres" },
	{ "material", "chip_speed", "how fast they leave the face, in metres per second" },
	{ "material", "chip_lifetime", "how long they last, in seconds" },
	{ "material", "chips_per_break", "the most of one break" },
	{ "material", "dust_density", "puffs of dust in the film per square metre of exposed faces" },
	{ "material", "dust_radius", "of puffs, in metres" },
	{ "material", "dust_lifetime", "of puffs, in seconds" },

	{ "level", NULL, "how a material breaks from an energy on" },
	{ "level", "energy", "energy of a hit that it begins with, in joules; required" },
	{ "level", "radius", "how far such a hit reaches, in metres" },
	{ "level", "pattern", "how it breaks" },
	{ "level", "size", "of the pattern, in metres; four radii unless given" },
	{ "level", "cell_count", "cells of the pattern; not of `bricks`" },
	{ "level", "jitter", "of `web`: how irregular it is, 0 to 1" },
	{ "level", "seed", "of the pattern; by that of the scene unless given" },

	{ "boxes", NULL, "boxes of one size; each is a part, bonded to others where faces touch" },
	{ "boxes", "size", "in metres; required" },
	{ "boxes", "position", "of the centre of the first" },
	{ "boxes", "count", "how many along x, y and z" },
	{ "boxes", "spacing", "how far apart; their size unless given" },
	{ "boxes", "material", "as the instance says unless given" },

	{ "cluster", NULL, "a level of clusters: parts that stay together longer" },
	{ "cluster", "count", "number of clusters; required without a pattern" },
	{ "cluster", "pattern", "or cells that cut the model: each color of them is a cluster" },
	{ "cluster", "size", "of the pattern, in metres; that of the model unless given" },
	{ "cluster", "cell_count", "cells of the pattern; not of `bricks`" },
	{ "cluster", "focus", "of `impact`: how crowded cells are at its origin, 0 to 1" },
	{ "cluster", "jitter", "of `web`: how irregular it is, 0 to 1" },
	{ "cluster", "seed", "of the pattern" },
	{ "cluster", "position",
	  "of the pattern's origin in the model; its middle unless given, of bricks the middle of its "
	  "bottom" },
	{ "cluster", "rotation", "of the pattern: an axis and an angle, x, y, z, degrees" },
	{ "cluster", "strength", "of bonds in between, over `bond_energy` and `bond_strength`" },

	{ "model", NULL, "a model: exactly one of its first keys says what it is" },
	{ "model", "box", "its size" },
	{ "model", "sphere",
	  "its radius. It is round and rolls, unless it is of a material that breaks: then it has "
	  "the sides of the picture" },
	{ "model", "stone", "its size: the hull of random points in an ellipsoid" },
	{ "model", "cylinder", "its radius. It is round and rolls, as a `sphere` does" },
	{ "model", "cone", "its radius. It is round and rolls, as a `sphere` does" },
	{ "model", "plane",
	  "its normal. All behind it is solid, without end; the picture shows 100 m of it. It is "
	  "static" },
	{ "model", "shape", "a shape of `rubble make`" },
	{ "model", "file",
	  "a mesh file, relative to the scene, in its folder or below; or an asset of `rubble prepare` "
	  "(`.rbl`), taken as it was prepared" },
	{ "model", "boxes", "boxes that are bonded where their faces touch" },
	{ "model", "length", "of a cylinder or cone" },
	{ "model", "axis", "of a cylinder, or of a cone towards its tip" },
	{ "model", "rounding", "of a box or stone: radius of edges and corners, within its size" },
	{ "model", "point_count", "of a stone" },
	{ "model", "detail", "of a shape; 0: as it is usual" },
	{ "model", "seed", "of a shape or stone" },
	{ "model", "scale", "of a file" },
	{ "model", "up_axis", "the axis that points up in the file" },
	{ "model", "tolerance",
	  "how concave the parts may be that a mesh is decomposed into when it moves or breaks" },
	{ "model", "split", "every closed shell of the mesh is a body of its own" },
	{ "model", "repair", "close the mesh of the file first, as `--repair` does for all files" },
	{ "model", "node_count", "number of parts of each shell; 0: by the tolerance" },
	{ "model", "clusters", "levels from large clusters of parts to small ones" },
	{ "model", "strength_channel", "channel of vertex colours that paints strength" },
	{ "model", "strength_at_zero", "strength where that channel is 0" },
	{ "model", "strength_at_one", "strength where that channel is 1" },
	{ "model", "nodes", "every node of the file with a mesh is a body of its own, named after it" },
	{ "model", "node_pattern",
	  "chooses nodes whose name, or that of a node above them, fits: `Wall*`; several models may "
	  "take their nodes from one file" },
	{ "model", "materials",
	  "what slots of the mesh are made of: materials by the name of a slot, `null` is what the "
	  "instance says" },
	{ "model", "match_names",
	  "slots of a file that no key names are made of the material or preset of their own name" },

	{ "instance", NULL, "a body, or a grid of them" },
	{ "instance", "model", "its shape, by name; required" },
	{ "instance", "material", "what it is made of: a material or preset by name; required" },
	{ "instance", "kind", "`kinematic` bodies move as they are told, `static` ones not at all" },
	{ "instance", "position", "in metres" },
	{ "instance", "rotation", "an axis and an angle: x, y, z, degrees; not a quaternion" },
	{ NULL, "angular_velocity", "radians per second, about x, y and z" },
	{ "instance", "velocity", "metres per second" },
	{ "instance", "count", "a grid: how many along x, y and z" },
	{ "instance", "spacing", "how far apart bodies of the grid are" },
	{ "instance", "layer_offset", "moves every other layer along y, as in masonry" },
	{ "instance", "jitter",
	  "moves each body by a random vector, up to this along each axis, in metres" },
	{ "instance", "random_rotation", "a random rotation for each body" },
	{ "instance", "hidden", "not in the animation, such as a ground larger than the picture" },
	{ "instance", "anchored",
	  "its lowest parts are fixed to the world; it is static until it breaks free, and comes down "
	  "where its bonds fail" },
	{ "instance", "contacts",
	  "how contacts are found: by convex parts; by a distance field, within half a millimetre for "
	  "plates, bowls and rings; or automatically: a field where convex parts would be coarse. For "
	  "models of a shape or file" },
	{ "instance", "gravity_scale", "how much of gravity it feels" },
	{ "instance", "linear_damping", "slows it down, per second" },
	{ "instance", "angular_damping", "slows its rotation down, per second" },
	{ "instance", "lock_translation",
	  "axes of the world along which it does not move: `[0, 0, 1]` locks z" },
	{ "instance", "lock_rotation", "axes of the world about which it does not turn" },
	{ "instance", "bullet", "stopped by dynamic bodies too, however fast it is" },
	{ "instance", "sensor", "notices what is in it and touches nothing" },
	{ "instance", "name", "for joints, triggers and the film" },
	{ "instance", "anchor_box",
	  "the lower corner and the upper one, in the model's coordinates: parts with their centre in "
	  "it "
	  "are anchored, instead of the lowest" },
	{ "instance", "anchor_nodes",
	  "of a glTF file: parts of nodes whose name, or that of a node above them, fits (`Pier*`) are "
	  "anchored, instead of the lowest; also with an `anchor_box`" },
	{ "instance", "motion",
	  "of a kinematic body: poses relative to where it is placed; linear in between" },
	{ "instance", "motion_start", "when its motion begins, in seconds; -1: a trigger starts it" },
	{ "instance", "motion_loop", "whether its motion begins again at its end" },

	{ "projectile", NULL, "a body that is thrown in, or several that follow each other" },
	{ "projectile", "model", "its shape, by name; required" },
	{ "projectile", "material", "what it is made of: a material or preset by name; required" },
	{ "projectile", "time", "when, in seconds" },
	{ "projectile", "interval", "seconds from one to the next" },
	{ "projectile", "count", "how many" },
	{ "projectile", "position", "from where" },
	{ "projectile", "velocity", "metres per second" },
	{ "projectile", "spread", "each is moved by a random vector, up to this along each axis" },

	{ "joint", NULL, "what holds two bodies of instances together" },
	{ "joint", "kind", "see `rubble/joint.h`" },
	{ "joint", "instance_a", "one of the instances, by name or counted from 0" },
	{ "joint", "instance_b", "the other" },
	{ "joint", "body_a", "which body of it, counted along x, then z, then y" },
	{ "joint", "body_b", "which body of the other" },
	{ "joint", "position",
	  "of its frame in the world. The points of a distance joint are the bodies' own origins" },
	{ "joint", "rotation",
	  "of its frame, an axis and degrees: a hinge turns about its z axis, a prismatic joint slides "
	  "along it" },
	{ "joint", "lower",
	  "limit: degrees of a hinge or of the twist of a ball joint, metres of the others; none "
	  "unless "
	  "given" },
	{ "joint", "upper", "the other limit" },
	{ "joint", "cone_angle",
	  "degrees that the z axes of a ball joint may differ by; any unless given" },
	{ "joint", "motor_speed", "radians or metres per second" },
	{ "joint", "motor_force",
	  "the most for it in newton; 0: no motor; of a `motor` joint: as much as it takes" },
	{ "joint", "motor_torque", "the most in newton metres, alike" },
	{ "joint", "spring_hertz", "a spring's frequency; 0: none" },
	{ "joint", "spring_damping", "its damping ratio" },
	{ "joint", "spring_target", "where it pulls to" },
	{ "joint", "break_force", "newton that break it; 0: nothing does" },
	{ "joint", "break_torque", "newton metres that break it; 0: nothing does" },
	{ "joint", "collides", "whether its bodies touch each other" },
	{ "joint", "count", "a row of joints: each joins the next bodies of both instances" },
	{ "joint", "spacing", "how far on each of the row is" },

	{ "pose_key", NULL, "where a kinematic body is at a time" },
	{ "pose_key", "time", "in seconds, after that of the key before" },
	{ "pose_key", "position", "relative to where the instance is" },
	{ "pose_key", "rotation", "an axis and an angle: x, y, z, degrees" },

	{ "cloth", NULL, "a sheet of cloth: a rectangle that bends, rubs and tears" },
	{ "cloth", "name", "a name, for the film" },
	{ "cloth", "size", "along x and z of its own axes, in metres" },
	{ "cloth", "columns", "cells along x" },
	{ "cloth", "rows", "cells along z" },
	{ "cloth", "position", "of its middle" },
	{ "cloth", "rotation", "axis and degrees; without one it lies flat" },
	{ "cloth", "pins", "what holds it" },
	{ "cloth", "thickness", "how far from bodies and from itself it stays; at most a cell" },
	{ "cloth", "density", "kilograms per square metre" },
	{ "cloth", "stiffness", "newtons that an edge pulls with when it is twice as long" },
	{ "cloth", "bending", "the same across two triangles: against folds" },
	{ "cloth", "friction", "against bodies and itself" },
	{ "cloth", "tear_strain",
	  "it tears where it is longer than at rest by this share; 0: nowhere" },
	{ "cloth", "color", "linear red, green, blue" },

	{ "pin", NULL, "what holds a cloth along a line: the world, or bodies of an instance" },
	{ "pin", "from", "where the line begins, as shares of the size, 0 to 1" },
	{ "pin", "to", "where it ends; where it begins unless given" },
	{ "pin", "count", "how many places of the line are held; 0: all" },
	{ "pin", "instance",
	  "whose bodies hold it, each place the nearest one; the world unless given" },
	{ "pin", "releases", "let go when the piece that holds it comes off the rest of its body" },

	{ "trigger", NULL, "something that is done, once or several times" },
	{ "trigger", "on",
	  "what it waits for: a time, or that something happens to an `instance`: it is entered (a "
	  "sensor), breaks or is hit" },
	{ "trigger", "time", "the time that it waits for, in seconds" },
	{ "trigger", "delay", "seconds from then on" },
	{ "trigger", "instance", "the instance that it waits for, by name or number" },
	{ "trigger", "action",
	  "required. `explode`, at `position` within `radius`, with `impulse` and `energy`; `damage`, "
	  "a "
	  "blow at `position` along `direction`, or without a target to all in a `shape`; `push`, adds "
	  "`velocity`; `start`, its motion; `remove`; `throw`, a `model` of a `material` from "
	  "`position` "
	  "with `velocity`; `grab`, the first dynamic body on a ray from `position` along "
	  "`translation`, "
	  "by the point it hits; `drag`, that point to `position`, by a spring; `release`; `cut`, "
	  "cloths with a blade that turns around `position`, from `translation` to `sweep`; `slice`, "
	  "bodies that can break and that such a blade meets, all through along its plane" },
	{ "trigger", "target",
	  "the instance that it is done to, by name or number: of `push`, `start` and `remove`, and of "
	  "`damage` if given" },
	{ "trigger", "model", "what is thrown, by name" },
	{ "trigger", "material", "what that is made of" },
	{ "trigger", "position", "where, in metres" },
	{ "trigger", "velocity", "of `push` and `throw`, in metres per second" },
	{ "trigger", "direction", "of a blow" },
	{ "trigger", "radius", "of `explode` and `damage`, in metres" },
	{ "trigger", "energy",
	  "in joules: of `damage`; of `explode` for each part, 0 unless given: it only pushes" },
	{ "trigger", "impulse",
	  "of `explode` in newton seconds per square metre; of `damage` without a target in newton "
	  "seconds, 0 unless given" },
	{ "trigger", "shape",
	  "of damage without a target: what it reaches, from `position` along `translation`" },
	{ "trigger", "translation", "of a `shape` or a ray, or the blade at the beginning, in metres" },
	{ "trigger", "sweep",
	  "of `cut` and `slice`: the blade at the end; what the triangle passes through is cut" },
	{ "trigger", "falloff",
	  "metres beyond the radius over which energy and impulse fall to none; of `explode` the "
	  "radius "
	  "unless given, else 0" },
	{ "trigger", "occluded", "whether what stands between protects" },
	{ "trigger", "count", "how often it is done" },
	{ "trigger", "interval", "seconds in between" },

	{ "camera_key", NULL, "where a camera is at a time" },
	{ "camera_key", "time", "in seconds, after that of the key before" },
	{ NULL, "target", "what it looks at" },
	{ "camera_key", "position", "in metres" },

	{ "camera", NULL, "a camera, for `rubble run --camera NAME --pictures T`" },
	{ "camera", "position", "in metres" },
	{ "camera", "field_of_view", "vertical, in degrees" },
	{ "camera", "motion", "where it is and what it looks at over time" },
};

enum { TEXT_COUNT = sizeof texts / sizeof texts[0] };

// Whether texts are the same, or both are not there.
static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

// Rows that were asked for.
static bool is_used[TEXT_COUNT];

const char *about_key(const char *kind, const char *key)
{
	for (int pass = 0; pass < 2; ++pass) // of the kind itself, then of any
		for (int i = 0; i < TEXT_COUNT; ++i)
			if (is_same(texts[i].kind, pass ? NULL : kind) && is_same(texts[i].key, key)) {
				is_used[i] = true;
				return texts[i].text;
			}
	return "";
}

const char *unused_about(void)
{
	for (int i = 0; i < TEXT_COUNT; ++i)
		if (!is_used[i])
			return texts[i].key ? texts[i].key : texts[i].kind;
	return NULL;
}
