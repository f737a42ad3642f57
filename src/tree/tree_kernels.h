// SPDX-License-Identifier: MIT
// The inner loops of the room, one form per SIMD back end.
#pragma once

#include "tree/build.h"

#include "base/kernel.h"
#include "base/sort.h"

/// Where the boxes of leaves come from: an array by leaf id, or triangles.
typedef struct rbl_tree_leaf_source {
	const rbl_box *boxes;
	const rbl_vec3 *positions;
	const int *triangles;
} rbl_tree_leaf_source;

/// Bits of a Morton key by axis and byte of the cell number, or by half a byte where few leaves are
/// not worth large tables.
typedef struct rbl_morton_frame {
	float lower[4], scale[4]; // doubled centres to cell numbers
	uint32_t spread[3][2][256];
	uint32_t small_spread[3][4][16];
} rbl_morton_frame;

/// The box around doubled centres of `count` boxes.
RBL_DECLARE_KERNEL(rbl_box, rbl_morton_bounds, (const rbl_box *boxes, int count));

/// Keys of boxes [begin, end), value = position.
RBL_DECLARE_KERNEL(void, rbl_morton_keys,
                   (const rbl_morton_frame *frame, const rbl_box *boxes, int begin, int end,
                    rbl_sort_item *items));

/// The same by the small tables.
RBL_DECLARE_KERNEL(void, rbl_morton_few_keys,
                   (const rbl_morton_frame *frame, const rbl_box *boxes, int count,
                    rbl_sort_item *items));

/// Build the nodes over sorted items [begin, end), whose first node has the number `base`.
RBL_DECLARE_KERNEL(void, rbl_morton_emit,
                   (const rbl_build_context *builder, const rbl_sort_item *items, int begin,
                    int end, int base));

/// Fragments of boxes [begin, end).
RBL_DECLARE_KERNEL(void, rbl_sah_fragments,
                   (const rbl_box *boxes, int begin, int end, rbl_build_fragment *fragments));

/// Order fragments so that a split by the surface-area heuristic lies at the returned place,
/// 1 to count - 1.
RBL_DECLARE_KERNEL(int, rbl_sah_split, (rbl_build_fragment * fragments, int count));

/// Fit boxes and heights of nodes [begin, end), children before parents, with leaf boxes set.
RBL_DECLARE_KERNEL(void, rbl_tree_fit_run, (rbl_tree_node * nodes, uint32_t begin, uint32_t end));

/// The same for listed nodes.
RBL_DECLARE_KERNEL(void, rbl_tree_fit_list,
                   (rbl_tree_node * nodes, const uint32_t *list, int count));

/// The same as a run, with leaf boxes from `source`; heights stay. When `is_block`, nodes with a
/// child before `begin`, or with a dirty child, become dirty instead.
RBL_DECLARE_KERNEL(void, rbl_tree_refit_run,
                   (rbl_tree_node * nodes, uint32_t begin, uint32_t end,
                    const rbl_tree_leaf_source *source, bool is_block));

/// Boxes of triangles [begin, end).
RBL_DECLARE_KERNEL(void, rbl_tree_box_run,
                   (rbl_box * boxes, const rbl_vec3 *positions, const int *triangles, int begin,
                    int end));

RBL_DECLARE_KERNEL(bool, rbl_tree_box_query,
                   (const rbl_tree *tree, const rbl_box *box, rbl_tree_visitor *visitor,
                    void *context));
RBL_DECLARE_KERNEL(bool, rbl_tree_self_query,
                   (const rbl_tree *tree, rbl_tree_pair_visitor *visitor, void *context));
RBL_DECLARE_KERNEL(bool, rbl_tree_pair_query,
                   (const rbl_tree *a, const rbl_tree *b, rbl_tree_pair_visitor *visitor,
                    void *context));
