// SPDX-License-Identifier: MIT
//
// The room `tree` and the cutter: what the paper measured (Otaduy et al. 2007), with every rebuild
// in the same run, and builds, refits and inserts beside the peers that are installed.

#include "tree_cases.h"
#include "tree_shapes.h"

#include "cutting/cutting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tree_builder_names[RBL_TREE_BUILDER_COUNT] = { "morton", "median", "midpoint",
	                                                             "grid", "sah" };

rbl_cutter *tree_make_cutter(const struct tree_shape *shape)
{
	rbl_cutter_def def = rbl_default_cutter_def();
	def.vertex_count = shape->vertex_count;
	def.positions = shape->positions;
	def.triangle_count = shape->triangle_count;
	def.triangles = shape->triangles;
	rbl_cutter *cutter;
	if (rbl_create_cutter(&def, &cutter) != RBL_OK) {
		fprintf(stderr, "tree: the mesh cannot be cut\n");
		exit(1);
	}
	return cutter;
}

void tree_mesh_boxes(const rbl_cutter_mesh *mesh, rbl_box *boxes)
{
	for (int i = 0; i < mesh->triangle_count; ++i)
		boxes[i] = rbl_cut_triangle_box(mesh, i);
}

bool tree_copy(const rbl_tree *tree, rbl_tree_pool *pool, rbl_tree *copy)
{
	const rbl_tree_pool *from = tree->pool;
	if (rbl_tree_pool_reserve(pool, from->node_end, from->leaf_capacity) != RBL_OK)
		return false;
	size_t nodes = (size_t)from->node_end, leaves = (size_t)from->leaf_capacity;
	memcpy(pool->nodes, from->nodes, nodes * sizeof *pool->nodes);
	if (pool->counts && from->counts)
		memcpy(pool->counts, from->counts, nodes * sizeof *pool->counts);
	if (pool->metrics && from->metrics)
		memcpy(pool->metrics, from->metrics, nodes * sizeof *pool->metrics);
	memcpy(pool->leaf_parents, from->leaf_parents, leaves * sizeof *pool->leaf_parents);
	pool->node_end = from->node_end;
	pool->free_count = from->free_count;
	pool->first_free = from->first_free;
	*copy = *tree;
	copy->pool = pool;
	return true;
}

void tree_keep_least(double *least, double value)
{
	if (value < *least)
		*least = value;
}

static void run(bench *b)
{
	tree_run_cuts(b);
	tree_run_peel(b);
	tree_run_pieces(b);
	tree_run_builds(b);
}

const bench_suite bench_suite_tree = { "tree", "the hierarchy: cuts, pieces, builds, refits", run };
