// SPDX-License-Identifier: MIT
// Splitting a sphere tree by tags, as Glondu et al. 2014 do in section 6: what rebuilding is
// compared with.
#pragma once

#include "field/sphere_tree.h"

/// A fragment: vertices of the whole, then points that the crack has added.
typedef struct split_fragment {
	const rbl_vec3 *positions;
	int vertex_count, count;
	int *order, *parents; // as rbl_sphere_tree_assemble() wants them; room for `count`
	int filled;
} split_fragment;

/// Split a tree.
/// @param tags     the fragment of each point, by its id in the tree
/// @param locals   its index there
/// @param scratch  two numbers per point of the tree
void split_by_tags(const rbl_sphere_tree *tree, const int *tags, const int *locals,
                   split_fragment *fragments, int fragment_count, int *scratch);
