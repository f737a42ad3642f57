// SPDX-License-Identifier: MIT
// Materials: what surfaces are made of. A body has values of its own, or shares a material with
// others; children of compound colliders and triangles of meshes may have their own.
#pragma once

#include <rubble/base.h>
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

/// A material that bodies, children of colliders and triangles share. When its values change, all
/// of them follow.
typedef struct rbl_material rbl_material;

/// The longest name of a material, with its final zero.
#define RBL_MAX_MATERIAL_NAME 64

/// How to make a material. Start from rbl_default_material_def().
typedef struct rbl_material_def {
	rbl_material_values values;

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

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_material_def rbl_default_material_def(void);

/// Make a material.
/// @param material  receives the material, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY. Threads: any.
RBL_API rbl_result rbl_create_material(const rbl_material_def *def, rbl_material **material);

/// Let go of a material. Bodies and colliders that have it keep it until they are gone, too. NULL
/// is fine. Threads: any.
RBL_API void rbl_destroy_material(rbl_material *material);

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
