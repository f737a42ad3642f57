// SPDX-License-Identifier: MIT
// The adaptive sphere tree: points of a body in farthest-point order, with radii that let a query
// stop.
#pragma once

#include "field/point_order.h"

#include <rubble/mesh.h>

/// Points of a body by rank, each once. The children of a point are points of later levels that are
/// nearer to it than to any other of the levels before theirs. They are sorted by rank, and a
/// radius is kept for each of them: how far from the parent its descendants reach, and those of the
/// children after it. A query that comes to the parent with some distance from a surface goes
/// through its children as long as the radius is larger than that, and no further: every sphere of
/// every level of Glondu et al. is there, no point is twice.
typedef struct rbl_sphere_tree {
	rbl_allocator allocator;
	int count;
	int exact_count;       // ranks in farthest-point order: see rbl_order_points()
	rbl_vec3 *positions;   // by rank
	uint32_t *ids;         // by rank
	int32_t *child_starts; // by rank, one more at the end: where its children begin
	int32_t *children;     // ranks, count - 1 of them
	float *radii;          // of each of `children`
	rbl_box bounds;
} rbl_sphere_tree;

typedef struct rbl_sphere_tree_def {
	/// Read during the call only. Coordinates at most RBL_MAX_FIELD_COORDINATE.
	const rbl_vec3 *positions;

	/// Names of the points, below RBL_FIELD_POINT_ID_END and different from each other, or NULL:
	/// their indices.
	const uint32_t *ids;

	/// 1 to RBL_MAX_FIELD_POINTS.
	int count;

	/// How many are in farthest-point order, the others after them; 0:
	/// rbl_sphere_tree_default_order().
	int ordered_count;
} rbl_sphere_tree_def;

/// @return how many points of a tree are ordered exactly unless told: a sixteenth of them, and 64
/// at least. The others hang below these. Ordering all would take four times as long and make
/// queries no faster.
int rbl_sphere_tree_default_order(int count);

/// Build a tree.
/// @param arena      for the work; nothing of it is needed afterwards
/// @param allocator  of the tree, NULL for the process's default: one allocation
/// @param tree       receives the tree, the caller's to destroy; all zero on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the point), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: as rbl_order_points().
rbl_result rbl_sphere_tree_build(const rbl_sphere_tree_def *def, rbl_arena *arena,
                                 const rbl_allocator *allocator, rbl_sphere_tree *tree);

/// Put a tree together whose order is known.
/// @param order        the index of the point of each rank
/// @param parents      the rank of each rank's parent, lower than its own; -1 for rank 0
/// @param exact_count  as in rbl_order_points(). Queries by level want parents in earlier levels
/// @return RBL_OK, RBL_OUT_OF_MEMORY (logged; the tree is all zero)
rbl_result rbl_sphere_tree_assemble(const rbl_sphere_tree_def *def, const int *order,
                                    const int *parents, int exact_count, rbl_arena *arena,
                                    const rbl_allocator *allocator, rbl_sphere_tree *tree);

/// Have memory for a tree of `count` points, all of it to be filled. @return false when it ran out
bool rbl_sphere_tree_reserve(rbl_sphere_tree *tree, const rbl_allocator *allocator, int count);

/// Free the points; the tree is all zero afterwards.
void rbl_sphere_tree_destroy(rbl_sphere_tree *tree);

/// @return the bytes of a tree.
size_t rbl_sphere_tree_memory(const rbl_sphere_tree *tree);

/// Points of a mesh: vertices, and samples along sharp edges, which flat and coarse bodies touch
/// with.
typedef struct rbl_point_samples {
	rbl_allocator allocator;
	rbl_vec3 *positions;
	uint32_t *ids;
	int count;
} rbl_point_samples;

typedef struct rbl_point_samples_def {
	/// Read during the call only.
	const rbl_mesh_data *mesh;

	/// Subtracted from all positions: the body's origin in the mesh.
	rbl_vec3d origin;

	/// Edges whose faces differ by more are sharp, in radians, 0 to pi; so are borders, and edges
	/// of more than two faces. Cracks meet the surface, and each other, in such edges.
	float crease_angle;

	/// The most that two samples of an edge are apart, in metres, > 0; INFINITY: vertices only.
	float spacing;
} rbl_point_samples_def;

/// Sample a mesh. Vertices that a face uses come first, with their index for an id; then samples of
/// edges, edges in the order of rbl_adjacency, with ids from vertex_count on. The same mesh gives
/// the same ids.
/// @param samples  receives the points, the caller's to destroy; all zero on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_BAD_MESH (no face, or
///         coordinates beyond RBL_MAX_FIELD_COORDINATE), RBL_LIMIT_REACHED (too many samples),
///         RBL_OUT_OF_MEMORY Threads: any. Cost: O(n).
rbl_result rbl_sample_points(const rbl_point_samples_def *def, const rbl_allocator *allocator,
                             rbl_point_samples *samples);

/// Free the points; all zero afterwards.
void rbl_point_samples_destroy(rbl_point_samples *samples);
