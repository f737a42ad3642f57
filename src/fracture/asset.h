// SPDX-License-Identifier: MIT
// A prepared asset, and the steps that assemble one from parts.
#pragma once

#include "base/references.h"
#include "fracture/compound.h"
#include "fracture/ghosts.h"
#include "fracture/convex_decomposition.h"

#include <rubble/asset.h>

/// Where a part of the compound comes from.
typedef struct rbl_asset_origin {
	int shell, node; // the node within the shell
	uint64_t key;    // as in rbl_decomposition_part
	double visual_volume;
} rbl_asset_origin;

struct rbl_asset {
	rbl_allocator allocator;
	rbl_references references;
	rbl_asset_report report;
	rbl_compound *compound;    // parts without gaps, part i is part i
	rbl_asset_origin *origins; // per part
	RBL_ARRAY(rbl_vec3d) nodes;
	rbl_ghost_convexes ghosts;
	rbl_distance_field *field; // NULL: none
	rbl_solid **solids;        // per part: its mesh made ready for cutting, or NULL
	rbl_once has_solids;       // until then nobody reads them
	int clipped_count;         // triangles that preparing clipped, once for each cell they meet
};

/// Parts of all shells on their way into an asset.
typedef struct rbl_asset_parts {
	rbl_decomposition_parts parts;
	RBL_ARRAY(int) shells;    // per part
	RBL_ARRAY(int) materials; // per part, in the table
	RBL_ARRAY(int) colors;    // per part and level; none: no level has a pattern
	const rbl_material *const *table;
	int table_count; // 0: parts have none, and there is no table
} rbl_asset_parts;

void rbl_asset_parts_free(const rbl_allocator *allocator, rbl_asset_parts *parts);

/// An asset that is being assembled from parts. All zero at first.
typedef struct rbl_asset_assembly {
	int step;
	const rbl_convex **convexes; // per part
	double *volumes;
	int count;
	rbl_adjacency_search *search; // of bonds
	rbl_adjacent_pairs adjacent;  // that it found
	rbl_overlap_list pairs;       // that may overlap
	int next_pair;
	rbl_adjacent_pairs overlaps;
	rbl_ghost_search *ghosts; // of ghosts
} rbl_asset_assembly;

/// Do some of it. The parts' convexes and meshes are taken over. `asset` has nodes and the report's
/// other fields already. The result does not depend on budgets.
/// @param budget  in cuts of a convex by a cell, > 0; less what was done
/// @return RBL_OK, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
rbl_result rbl_asset_assemble(rbl_asset *asset, rbl_asset_assembly *finish, rbl_asset_parts *parts,
                              uint64_t plane_end, rbl_jobs *jobs, int *budget, bool *is_done);

/// Forget what is left of it.
void rbl_asset_assembly_free(const rbl_asset *asset, rbl_asset_assembly *finish);

/// An empty asset. @return NULL when memory ran out
rbl_asset *rbl_asset_new(const rbl_allocator *allocator);

/// Find common parts and sums once the compound is there. Bonds without faces are overlaps.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_asset_find_ghosts(rbl_asset *asset);
