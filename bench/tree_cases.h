// SPDX-License-Identifier: MIT
// The parts of the suite `tree`, one file each.
#pragma once

#include "bench.h"

#include "tree/tree.h"

#include <rubble/cutter.h>

/// Table 1 and Figure 7 of Otaduy et al. 2007: 11 steps of a cut; and the same number of changed
/// leaves in ever larger meshes.
void tree_run_cuts(bench *b);

/// Figures 5 and 8: an apple is peeled.
void tree_run_peel(bench *b);

/// Figures 6 and 8: a pumpkin breaks into pieces.
void tree_run_pieces(bench *b);

/// Builds, refits and inserts, beside peers.
void tree_run_builds(bench *b);

/// A cutter for a shape.
struct tree_shape;
rbl_cutter *tree_make_cutter(const struct tree_shape *shape);

/// The boxes of all triangles, into memory for them.
void tree_mesh_boxes(const rbl_cutter_mesh *mesh, rbl_box *boxes);

/// Names of the builders in variants: "rebuild-median" and so on.
extern const char *const tree_builder_names[RBL_TREE_BUILDER_COUNT];

/// Copy a tree, the only one of its pool, into an empty pool, as the paper does for each piece.
/// @return false when memory ran out
bool tree_copy(const rbl_tree *tree, rbl_tree_pool *pool, rbl_tree *copy);

/// Keep the smaller one.
void tree_keep_least(double *least, double value);
