// SPDX-License-Identifier: MIT
// Splitting a sphere tree by tags, as Glondu et al. 2014 do in section 6: what rebuilding is
// compared with.
#pragma once

#include "field/sphere_tree.h"

/// A fragment's points, best first, with radii from their parents.
typedef struct split_tree {
	rbl_vec3 *positions;
	int *parents;
	float *radii;
	int count, capacity;
} split_tree;

/// Split a tree.
/// @param tags       the fragment of each point, by its id in the tree
/// @param added      points that each fragment has besides: on cracks
/// @param trees      `fragment_count` of them; room is kept from call to call
/// @param scratch    a number per point of the tree
/// @return false when memory ran out
bool split_by_tags(const rbl_sphere_tree *tree, const int *tags, int fragment_count,
                   const rbl_vec3 *const *added, const int *added_counts, split_tree *trees,
                   int *scratch);

void split_tree_free(split_tree *tree);
