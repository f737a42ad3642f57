// SPDX-License-Identifier: MIT
// Approximate convex decomposition of a closed surface (Mueller et al. 2013, section 4).
#pragma once

#include "base/memory.h"
#include "fracture/pieces.h"
#include "geometry/geometry.h"

/// A point inside and the volume it stands for.
typedef struct rbl_inner_sample {
	rbl_vec3d position;
	double volume;
} rbl_inner_sample;

typedef struct rbl_samples {
	RBL_ARRAY(rbl_inner_sample) inner;
	RBL_ARRAY(rbl_vec3d) outer; // on the surface
} rbl_samples;

/// About inner_count points inside and outer_count on the surface, in the solid's coordinates
/// (about its origin). A thin shell may have fewer inside; then there is one for each triangle.
/// @param samples  zero; to be freed with rbl_samples_free()
/// @return false when memory ran out
bool rbl_samples_make(const rbl_allocator *allocator, const rbl_solid *solid, int inner_count,
                      int outer_count, rbl_samples *samples);

void rbl_samples_free(const rbl_allocator *allocator, rbl_samples *samples);

/// Nodes, and what the samples say about them.
typedef struct rbl_nodes {
	RBL_ARRAY(rbl_vec3d) positions;
	double ratio; // estimated: summed volume of the hulls over that of the solid
} rbl_nodes;

/// Nodes on their way to their places.
typedef struct rbl_node_optimizer rbl_node_optimizer;

/// Begin to place nodes: from one on, always another where the hull is emptiest, until the
/// estimated ratio is at most `ratio` or there are `most`; then move them where that makes the
/// hulls smaller.
/// @param nodes  zero, or an earlier result to continue from; to be freed with rbl_array_free()
/// @return NULL when memory ran out
rbl_node_optimizer *rbl_node_optimizer_begin(const rbl_allocator *allocator,
                                             const rbl_samples *samples, double ratio, int min,
                                             int max, uint64_t seed, rbl_nodes *nodes);

/// Do some of the work. @param budget  what was done is taken from it
/// @return false when memory ran out
bool rbl_node_optimizer_work(rbl_node_optimizer *optimizer, int *budget, bool *is_done);

/// Free a optimizer, through or not; the nodes stay. NULL is fine.
void rbl_node_optimizer_end(rbl_node_optimizer *optimizer);

/// A piece and the convex around it.
typedef struct rbl_decomposition_part {
	rbl_convex *convex;
	rbl_mesh *mesh; // NULL: the convex is the piece
	int node;
	uint64_t key;         // of the cell: its node and the neighbours'
	double volume;        // of the convex
	double visual_volume; // of the piece
	bool is_kept;         // of an earlier decomposition
} rbl_decomposition_part;

typedef struct rbl_decomposition_parts {
	RBL_ARRAY(rbl_decomposition_part) items;
} rbl_decomposition_parts;

/// How to divide a solid.
typedef struct rbl_decomposition_settings {
	const rbl_allocator *allocator;
	rbl_jobs *jobs;
	int hull_vertices;
	rbl_inner_look inner;
	bool is_among_others; // the nodes are those of many solids
	uint64_t plane_base;  // first plane id; plane_end receives the end of those used
	uint64_t plane_end;
	const rbl_decomposition_part
		*earlier; // parts of the same solid: those of equal cells are copied
	int earlier_count;
	int clipped_count; // receives how many triangles were clipped, once for each cell they meet
} rbl_decomposition_settings;

/// A solid that is being divided.
typedef struct rbl_decomposition rbl_decomposition;

/// Begin to divide a solid by the Voronoi cells of nodes (in the mesh's coordinates).
/// @param settings  live as long as the division
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
rbl_result rbl_decomposition_begin(const rbl_solid *solid, const rbl_vec3d *nodes, int node_count,
                                   rbl_decomposition_settings *settings,
                                   rbl_decomposition **decomposition);

/// Do some of the work. @param budget  in cuts of a convex by a cell; what was done is taken from
/// it
/// @param parts  appended to, in the order of cells
/// @return RBL_OK, RBL_BAD_MESH (as rbl_pieces_check()), RBL_OUT_OF_MEMORY (it can only be ended)
rbl_result rbl_decomposition_work(rbl_decomposition *decomposition, int *budget,
                                  rbl_decomposition_parts *parts, bool *is_done);

/// Free a division, through or not. NULL is fine.
void rbl_decomposition_end(rbl_decomposition *decomposition);

void rbl_decomposition_parts_free(const rbl_allocator *allocator, rbl_decomposition_parts *parts);
