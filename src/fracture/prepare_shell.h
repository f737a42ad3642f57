// SPDX-License-Identifier: MIT
// Preparing one shell: nodes, pieces and convexes, in slices.
#pragma once

#include "fracture/asset.h"

/// A decomposition of a shell.
typedef struct rbl_shell_fit {
	RBL_ARRAY(rbl_vec3d) nodes; // in the mesh's coordinates
	rbl_decomposition_parts parts;
	double ratio; // volume of convexes over that of the shell
} rbl_shell_fit;

typedef enum rbl_shell_stage {
	RBL_SHELL_SOLID = 0,
	RBL_SHELL_SAMPLE,
	RBL_SHELL_PLACE,
	RBL_SHELL_DIVIDE,
	RBL_SHELL_DONE,
} rbl_shell_stage;

/// A shell on its way.
typedef struct rbl_shell_work {
	const rbl_prepare_def *def;
	const rbl_allocator *allocator;
	const rbl_mesh *mesh;
	rbl_decomposition_settings settings;
	rbl_shell_stage stage;
	rbl_result result;
	rbl_prepare_stop stop;

	rbl_shell_fit fit;  // in the end the result
	rbl_shell_fit best; // of the rounds so far
	rbl_solid *solid;
	rbl_samples samples;
	rbl_nodes nodes; // as the samples see them
	rbl_node_optimizer *optimizer;
	rbl_decomposition *decomposition;

	// The search for a number of nodes.
	int round, idle; // rounds done, and how many of the last did not help
	int min;         // nodes in the next round
	double estimate; // the ratio by samples to aim for
} rbl_shell_work;

/// Do some of the work: `result` and `stage` tell what came of it.
/// @param budget  in cuts of a convex by a cell; what was done is taken from it
void rbl_shell_advance(rbl_shell_work *work, int *budget);

/// The place of a part's material in the table, whose last entry is of all slots beyond it.
/// @param mesh    of the part, or NULL
/// @param parent  the material where the mesh has nothing of the shell's surface; -1: that of most
///                of the shell
int rbl_part_material(const rbl_shell_work *work, const rbl_mesh *mesh, int parent);

/// Free what a shell holds.
void rbl_shell_free(rbl_shell_work *work);
