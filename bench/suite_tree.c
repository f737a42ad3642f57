// SPDX-License-Identifier: MIT
//
// The room `tree` and the cutter: what the paper measured (Otaduy et al. 2007), with every rebuild
// in the same run, and builds, refits and inserts beside the peers that are installed.

#include "tree_cases.h"
#include "tree_shapes.h"

#include "cutting/cutting.h"

#include <stdio.h>
#include <stdlib.h>

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
