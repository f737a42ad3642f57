// SPDX-License-Identifier: MIT
// A tree over the triangles of a mesh follows a crack: leaf id = triangle number.
#pragma once

#include "tree/tree.h"

#include <rubble/cutter.h>

/// Working memory of a tree that follows cracks. All zero is a good start.
typedef struct rbl_cut_tree {
	RBL_ARRAY(int) queue;
	RBL_ARRAY(unsigned char) waits; // by triangle: still to be inserted
} rbl_cut_tree;

void rbl_cut_tree_free(rbl_cut_tree *work, const rbl_allocator *allocator);

/// The box of a triangle, rounded outwards.
rbl_box rbl_cut_triangle_box(const rbl_cutter_mesh *mesh, int triangle);

/// Memory for a step, so that what follows cannot fail. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_cut_tree_reserve(rbl_cut_tree *work, rbl_tree *tree, const rbl_cutter_mesh *mesh,
                                const rbl_cut_step *step);

/// Put the remaining part of each cut triangle in its place. After rbl_cut_tree_reserve().
void rbl_cut_tree_replace(rbl_tree *tree, const rbl_cutter_mesh *mesh, const rbl_cut_step *step);

/// Insert all other new triangles, each beside a neighbour that is in the tree already: a flood
/// from the cut triangles. After rbl_cut_tree_replace().
void rbl_cut_tree_insert(rbl_cut_tree *work, rbl_tree *tree, const rbl_cutter_mesh *mesh,
                         const rbl_cut_step *step);

/// The whole step: reserve, replace, insert, update with permutations.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (the tree is as it was)
/// Cost: O(k log n) for k new triangles.
rbl_result rbl_cut_tree_step(rbl_cut_tree *work, rbl_tree *tree, const rbl_cutter_mesh *mesh,
                             const rbl_cut_step *step);

/// The same for triangles whose neighbours are not known: each goes where it fits.
rbl_result rbl_cut_tree_step_soup(rbl_tree *tree, const rbl_cutter_mesh *mesh,
                                  const rbl_cut_step *step);

/// Whether two triangles are twin faces of a crack: they touch by construction.
static inline bool rbl_cut_are_twins(const rbl_cutter_mesh *mesh, uint32_t a, uint32_t b)
{
	return mesh->crack_ids[a] >= 0 && mesh->crack_ids[a] == mesh->crack_ids[b];
}
