// SPDX-License-Identifier: MIT
// Chips: small debris that a world makes by itself on the faces that a break exposes, as
// rbl_debris_rule says. They are bodies that last some seconds.
//
// All chips are instances of a few shapes, in sizes a factor of the square root of two apart: a
// renderer needs one mesh for each shape, and a scale.
#pragma once

#include <rubble/base.h>
#include <rubble/body.h>
#include <rubble/material.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// Shapes of convex chips; spheres are all alike.
#define RBL_CHIP_VARIANTS 4

/// The group of all chips (rbl_filter): they do not touch each other.
#define RBL_CHIP_GROUP (-0x3fffffff)

/// A chip. What it is made of, its pose and its user value, which is that of what broke, are those
/// of its body.
typedef struct rbl_chip {
	rbl_body_id body;

	/// Its shape: RBL_DEBRIS_SPHERES or RBL_DEBRIS_CHIPS, and which of these, 0 to
	/// RBL_CHIP_VARIANTS - 1.
	rbl_debris_kind kind;
	int variant;

	/// Of a sphere of its volume, in metres.
	float radius;

	/// Until it goes, in seconds.
	float time_left;
} rbl_chip;

/// Write all chips of a world, the oldest first. Fracture events have those of a break.
/// @param chips  receives up to `capacity` of them; NULL for none
/// @return how many there are. Threads: world. Cost: O(n).
RBL_API int rbl_world_get_chips(const rbl_world *world, rbl_chip *chips, int capacity);

/// Make the mesh of a chip around its centre of mass, as chips of this kind collide.
/// @param kind       not RBL_DEBRIS_NONE
/// @param variant    0 to RBL_CHIP_VARIANTS - 1; of spheres it does not matter
/// @param radius     of a sphere of its volume, in metres, 1e-3 to 1e3
/// @param allocator  memory of the mesh, NULL for the process's default
/// @param mesh       receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY. Threads: any.
RBL_API rbl_result rbl_create_chip_mesh(rbl_debris_kind kind, int variant, double radius,
                                        const rbl_allocator *allocator, rbl_mesh **mesh);
