// SPDX-License-Identifier: MIT
// Inside an asset.
//
//   prepare.c        from a mesh to parts of all its shells, in steps
//   prepare_shell.c  one shell: nodes, pieces, convexes
//   asset.c          from parts to an asset, and what it tells
//   asset_file.c     an asset as bytes, and back
#pragma once

#include "fracture/compound.h"
#include "fracture/ghosts.h"
#include "fracture/vacd.h"

#include <rubble/asset.h>

/// Where a part of the compound comes from.
typedef struct rbl_asset_origin {
	int shell, node; // the node within the shell
	uint64_t key;    // as in rbl_vacd_part
	double visual_volume;
} rbl_asset_origin;

struct rbl_asset {
	rbl_allocator allocator;
	rbl_asset_report report;
	rbl_compound *compound;    // members without gaps, part i is member i
	rbl_asset_origin *origins; // per part
	RBL_ARRAY(rbl_vec3d) nodes;
	rbl_commons commons;
	int clipped_count; // triangles that preparing clipped, once for each cell they meet
};

/// Parts of all shells on their way into an asset.
typedef struct rbl_asset_parts {
	rbl_vacd_parts parts;
	RBL_ARRAY(int) shells; // per part
} rbl_asset_parts;

/// Make an asset of parts, step by step from 0 to RBL_ASSET_STEPS - 1: members and tree, bonds,
/// overlaps, ghosts and sums. The parts' convexes and meshes are taken over. `asset` has nodes and the
/// report's other fields already. @return RBL_OK, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
rbl_result rbl_asset_finish(rbl_asset *asset, int step, rbl_asset_parts *parts, uint64_t plane_end,
                            rbl_jobs *jobs);

enum { RBL_ASSET_STEPS = 4 };

/// An empty asset. @return NULL when memory ran out
rbl_asset *rbl_asset_new(const rbl_allocator *allocator);

/// Find common parts and sums once the compound is there. Bonds without faces are overlaps.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_asset_find_ghosts(rbl_asset *asset);

/// Copy a compound without gaps. @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_compound_copy(const rbl_compound *compound, const rbl_allocator *allocator,
                             rbl_compound **copy);
