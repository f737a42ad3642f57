// SPDX-License-Identifier: MIT
// Materials: what things are made of. How a surface rubs and bounces, what its body weighs, how it
// breaks, and what the break looks like. A body has values of its own, or shares a material with
// others; parts of compounds and assets, children of compound colliders and triangles of meshes may
// have their own.
#pragma once

#include <rubble/base.h>
#include <rubble/damage.h>
#include <rubble/fracture.h>
#include <rubble/types.h>

/// What a surface is made of. Where two touch, friction is the geometric mean of both, restitution
/// and resistances are the larger, and surface velocities are subtracted.
typedef struct rbl_material_values {
	/// Coulomb's coefficient, 0 to 1e6. Default 0.6.
	float friction;

	/// Share of the approach speed that is given back, 0 to 1. Default 0.
	float restitution;

	/// Kilograms per cubic metre, 1e-3 to 1e9. Default 1000. That of triangles is not used.
	float density;

	/// What slows down a sphere, capsule, cylinder or cone that rolls, and one that spins on the
	/// spot: the torque per normal force, as a share of its radius, 0 to 1e6. A ball of speed v
	/// rolls 0.7 v^2 / (g rolling_resistance) metres far; without resistance it rolls on.
	/// Default 0.
	float rolling_resistance, spinning_resistance;

	/// How the surface runs over its body, in the body's axes and in metres per second, each at
	/// most 1000: friction gives what lies on a conveyor belt this velocity. Default 0.
	rbl_vec3 surface_velocity;

	/// Whatever the caller wants back, from contacts and events. Default 0.
	uint64_t user;
} rbl_material_values;

/// What the bonds between parts hold, in pascal, each >= 0; 0: they never fail that way. A bond
/// between two materials holds the lesser of each, where neither is 0, times its own strength
/// (rbl_compound_bond).
typedef struct rbl_bond_strengths {
	double tension, shear, compression;
} rbl_bond_strengths;

/// How a world turns the pattern of a break.
typedef enum rbl_pattern_placement {
	/// As suits the kind of pattern: bricks, splinters, sites and cells along the frame, webs about
	/// the hit, all others at random.
	RBL_PLACEMENT_BY_KIND = 0,

	/// At random, by the seed of the hit.
	RBL_PLACEMENT_RANDOM,

	/// Along rbl_material_def.frame, the axes of grain or courses.
	RBL_PLACEMENT_FRAME,

	/// Its z axis along the normal of the hit, as webs and craters lie, turned about that at
	/// random.
	RBL_PLACEMENT_NORMAL,

	RBL_PLACEMENT_COUNT
} rbl_pattern_placement;

/// What debris is made as.
typedef enum rbl_debris_kind {
	RBL_DEBRIS_NONE = 0,
	RBL_DEBRIS_SPHERES,
	RBL_DEBRIS_CHIPS, // small convexes
	RBL_DEBRIS_KIND_COUNT
} rbl_debris_kind;

/// What falls off the faces that a break exposes.
typedef struct rbl_debris_rule {
	/// Bodies that a world makes by itself: see rubble/chip.h. Default RBL_DEBRIS_NONE.
	rbl_debris_kind kind;

	/// Bodies per square metre of exposed faces, >= 0. Default 10.
	double density;

	/// Radii of bodies in metres, 1e-3 <= min_radius <= max_radius <= 1e3; the number of those
	/// larger than r goes with 1 / r^2. Default 0.005 and 0.025.
	double min_radius, max_radius;

	/// The most bodies of one break, >= 0, and the seconds that they last, > 0. Default 32 and 5.
	int limit;
	float lifetime;

	/// How fast they leave the face, in metres per second, 0 to 1000; all together have no more
	/// energy than the break has cost. Default 1.
	float speed;

	/// Points of dust per square metre that are reported, >= 0. Default 0.
	double dust_density;
} rbl_debris_rule;

/// A material that bodies, parts, children of colliders and triangles share. How it breaks never
/// changes; when its values change, all that is made of it follows.
typedef struct rbl_material rbl_material;

/// The longest name of a material, with its final zero.
#define RBL_MAX_MATERIAL_NAME 64

/// How to make a material. Start from rbl_default_material_def().
typedef struct rbl_material_def {
	/// Of the surface, and the density.
	rbl_material_values values;

	/// How hits break it, bend it and wear it down. The material copies the levels and keeps their
	/// patterns when you destroy them. Default a rule without levels: hits do not break it.
	rbl_damage_rule damage;

	/// What its bonds hold under load: bonds of a body that stands on something fail under its own
	/// weight and what lies on it. Default 0: they do not.
	rbl_bond_strengths strengths;

	/// How its pattern is turned. Default RBL_PLACEMENT_BY_KIND.
	rbl_pattern_placement placement;

	/// The axes of its grain or courses, in the coordinates of the body's shape: a unit rotation
	/// from the pattern's. Default the identity.
	rbl_quatd frame;

	/// A point of the courses, in the same coordinates: where the origin of a pattern of bricks may
	/// lie. All hits on a body have their joints in one lattice through it. Default 0, 0, 0.
	rbl_vec3d frame_origin;

	/// Shapes the pattern around its origin, before it is turned along a frame or normal and after
	/// it is turned at random: any matrix with an inverse.
	/// Default the identity.
	rbl_mat3d shape;

	/// How cut faces look.
	rbl_inner_look inner;

	/// How convexes fit around the meshes of its fragments. Default RBL_FIT_26.
	rbl_fit fit;

	/// As rbl_break_def.welds and cut_limit. Default true and RBL_CUT_LIMIT.
	bool welds;
	int cut_limit;

	/// What falls off.
	rbl_debris_rule debris;

	/// At most RBL_MAX_MATERIAL_NAME - 1 bytes, read during the call only; NULL: none. Default
	/// NULL.
	const char *name;

	/// Memory of the material.
	rbl_allocator allocator;

	/// Filled by rbl_default_material_def(). Leave it alone.
	uint32_t cookie;
} rbl_material_def;

/// @return friction 0.6 and density 1000, all else 0. Threads: any.
RBL_API rbl_material_values rbl_default_material_values(void);

/// @return a definition that works as it is: of something that does not break. Threads: any.
RBL_API rbl_material_def rbl_default_material_def(void);

/// Make a material.
/// @param material  receives the material, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY. Threads: any.
RBL_API rbl_result rbl_create_material(const rbl_material_def *def, rbl_material **material);

/// Let go of a material. Bodies, compounds, assets and colliders that have it keep it until they
/// are gone, too. NULL is fine. Threads: any.
RBL_API void rbl_destroy_material(rbl_material *material);

/// @return all of it, with the values of now: levels, patterns and name live as long as the
/// material. The default definition for NULL. Threads: any.
RBL_API rbl_material_def rbl_material_get_def(const rbl_material *material);

/// @return its values; zeros for NULL. Threads: any.
RBL_API rbl_material_values rbl_material_get_values(const rbl_material *material);

/// Change a material. Each world that uses it follows when its next step begins: contacts and
/// masses change, and bodies that have it wake.
/// @return RBL_OK, RBL_BAD_ARGUMENT (nothing has changed)
/// Threads: any, but not while a world that uses it is in a step, callbacks of the step included.
RBL_API rbl_result rbl_material_set_values(rbl_material *material,
                                           const rbl_material_values *values);

/// @return its name, "" for none; it lives as long as the material. Threads: any.
RBL_API const char *rbl_material_name(const rbl_material *material);
