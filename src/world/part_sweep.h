// SPDX-License-Identifier: MIT
// Continuous collision: one part of a body that moved, swept against one other part.
#pragma once

#include "world/world.h"

// A part of a body that moved in this step.
typedef struct rbl_moved_part {
	int32_t part;
	int32_t index; // of its body among the moved
} rbl_moved_part;

typedef enum rbl_stop_kind { NOT_STOPPED, STOPPED, STOPPED_AT_ONCE } rbl_stop_kind;

// Where a body ends.
typedef struct rbl_body_stop {
	rbl_stop_kind kind;
	int32_t blocker; // the body that stops it, or RBL_NONE: something static
	rbl_transform pose;
} rbl_body_stop;

typedef struct rbl_continuous_work {
	rbl_world *world;
	const rbl_transform *old_poses; // of the moved
	const uint8_t *marks;
	const int32_t *indices; // bodies to sweep, among the moved
	rbl_body_stop *stops;   // receives where they end

	// Moved parts that may block, and their boxes in this step: those that block all bodies, then
	// those that block bullets only.
	rbl_moved_part *movers;
	rbl_box *boxes;
	int starts[3];     // of these two, and the end
	rbl_tree trees[2]; // of boxes; empty: there are few
	bool has_movers;   // false: there was no memory for them
	// Of bodies that are not static and may not have moved: the largest inner radius, infinite when
	// one is kinematic.
	float max_inner_radius;
} rbl_continuous_work;

typedef struct rbl_part_sweep {
	const rbl_continuous_work *work;
	int body, part;
	const rbl_collider *collider;
	rbl_child_polyhedron child; // the part, and its pose in the body
	rbl_transform from, to;     // of the body
	rbl_transform pose;         // of the part, at the start of a straight sweep
	rbl_vec3 translation;
	float arc; // no point moves farther by rotation
	bool rotates;
	float inner_radius;
	const rbl_path *path; // of the body; NULL: the broad phase is asked
	int worker;           // that sweeps it
} rbl_part_sweep;

/// A sweep of a part along the motion of its body.
rbl_part_sweep rbl_world_make_sweep(const rbl_continuous_work *work, int body, int part,
                                    const rbl_transform *from, int worker);

/// @return the fraction of its motion after which a part must stop at another one; 1: it need not
float rbl_world_part_limit(const rbl_part_sweep *sweep, int part);

/// The rotation that takes a body from one to the other without turning it about the axis that it
/// is round about: where it is is the same, and the way there the shortest.
rbl_quat rbl_world_untwisted(const rbl_world *world, int body, rbl_quat from, rbl_quat to);
