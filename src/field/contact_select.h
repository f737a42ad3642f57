// SPDX-License-Identifier: MIT
// From points that touch to contacts: which few to choose, and which go together.
#pragma once

#include "field/contact_query.h"

#include "base/vec.h"

/// A point that touches, or will, in the frame of B.
typedef struct rbl_touching_point {
	rbl_vec3 position; // of the point
	rbl_vec3 normal;   // from A to B
	float separation;
	float gap; // what is left of it after the step
	uint32_t id;
	int32_t rank;             // in its tree
	int32_t child_a, child_b; // of a collider
} rbl_touching_point;

/// Choose points by depth and spread, those of the last step first.
/// @param found   `count` of them, one or more
/// @param chosen  receives their indices, best first
/// @return how many, -1 when memory ran out
int rbl_choose_points(const rbl_touching_point *found, int count,
                      const rbl_field_contact_settings *settings,
                      const rbl_field_contact_memory *memory, rbl_arena *arena,
                      int chosen[RBL_MAX_FIELD_CONTACTS]);

/// Make manifolds: one for each direction of those that were chosen, each of the points found that
/// spread widest.
/// @param chosen    indices of `chosen_count` points, NULL: all of `found`
/// @param slop      depths that differ by less are alike
/// @param touching  as in rbl_field_contact_settings
/// @return false when memory ran out
bool rbl_make_manifolds(const rbl_touching_point *found, int count, const int *chosen,
                        int chosen_count, rbl_transform pose_b, float slop, float touching,
                        rbl_arena *arena, rbl_field_contact_list *contacts);

/// A point as others see it.
rbl_field_contact rbl_place_contact(const rbl_touching_point *point, rbl_transform pose_b);

/// Depths that differ by less than this share of rbl_field_contact_settings.deep are alike.
#define RBL_SLOP_OF_DEEP 0.2f

/// @return whether numbers are finite, and so small that products of two are far from overflow
static inline bool rbl_is_usable(rbl_vec3 v)
{
	return fabsf(v.x) <= 1e9f && fabsf(v.y) <= 1e9f && fabsf(v.z) <= 1e9f;
}

/// @return whether a pose is a finite rigid motion
static inline bool rbl_is_usable_pose(rbl_transform pose)
{
	rbl_quat q = pose.rotation;
	return rbl_is_usable(pose.position) &&
	       fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f) < 0.01f;
}
