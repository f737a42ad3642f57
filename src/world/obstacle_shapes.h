// SPDX-License-Identifier: MIT
// Parts of bodies as triangles.
#pragma once

#include "world/world.h"

#include <rubble/obstacles.h>

/// Triangles of a part: positions in the frame of what has them. All zero is empty.
typedef struct rbl_obstacle_mesh {
	RBL_ARRAY(rbl_vec3) positions;
	RBL_ARRAY(int) triangles; // three vertices each
} rbl_obstacle_mesh;

/// Replace the triangles by those of a part of a compound, in its coordinates.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_obstacle_from_part(const rbl_allocator *allocator, const rbl_compound_part *part,
                                  rbl_obstacle_shape shape, rbl_obstacle_mesh *mesh);

/// The same by those of a collider that is no compound, in its frame.
rbl_result rbl_obstacle_from_collider(const rbl_allocator *allocator, const rbl_collider *collider,
                                      float plane_reach, rbl_obstacle_mesh *mesh);

void rbl_obstacle_free_mesh(const rbl_allocator *allocator, rbl_obstacle_mesh *mesh);
