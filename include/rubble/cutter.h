// SPDX-License-Identifier: MIT
// Cutting a closed triangle mesh step by step: a crack front is swept through it along a path.
//
// After every step the mesh is closed. Where the crack has been, it has two faces, twins that lie
// on each other; at the front, inside the material, the twins meet. When the crack has passed
// through, the mesh is in two. Volume does not change.
#pragma once

#include <rubble/base.h>
#include <rubble/types.h>

/// A triangle mesh that is being cut.
typedef struct rbl_cutter rbl_cutter;

/// How to make a cutter. Start from rbl_default_cutter_def().
typedef struct rbl_cutter_def {
	/// Number of vertices, and where they are in metres, all finite. Copied during the call.
	int vertex_count;
	const rbl_vec3d *positions;

	/// Number of triangles, and three vertices each, counter-clockwise from outside. They must
	/// form a closed, oriented manifold. Copied during the call.
	int triangle_count;
	const int *triangles;

	/// Edge length of crack faces along the front, in metres; 0: the mean edge of the mesh.
	/// Default 0.
	double front_spacing;

	/// Memory of the cutter.
	rbl_allocator allocator;

	/// Filled by rbl_default_cutter_def(). Leave it alone.
	uint32_t cookie;
} rbl_cutter_def;

/// @return a definition without a mesh. Threads: any.
RBL_API rbl_cutter_def rbl_default_cutter_def(void);

/// Make a cutter.
/// @param cutter  receives the cutter, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_BAD_MESH (not closed, oriented
///         and manifold), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_create_cutter(const rbl_cutter_def *def, rbl_cutter **cutter);

/// Destroy a cutter. NULL is fine.
RBL_API void rbl_destroy_cutter(rbl_cutter *cutter);

/// A crack: the sheet that a front leaves behind. Both polylines are read during the call only.
typedef struct rbl_crack {
	/// The front at the start, two points or more, advancing from its first to its last point
	/// (never back along the line between these two). Its ends should lie outside the material.
	const rbl_vec3d *front;
	int front_count;

	/// How the front moves: the point path[0] + x goes to path[i] + x. Two points or more,
	/// advancing at right angles to the front. Movement along the front slides it within
	/// itself and does not count.
	const rbl_vec3d *path;
	int path_count;
} rbl_crack;

/// Begin a crack; one that was not led to its end stays as it is.
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log says why), RBL_OUT_OF_MEMORY; nothing changes then
/// Threads: one call on a cutter at a time. Cost: O(n).
RBL_API rbl_result rbl_cutter_begin(rbl_cutter *cutter, const rbl_crack *crack);

/// What one step did to the mesh. The arrays live until the next call on the cutter.
typedef struct rbl_cut_step {
	/// Triangles from before the step that were cut: each keeps its number for one of its parts.
	const int *changed;
	int changed_count;

	/// The other parts of cut triangles: new numbers. `sources` has for each the changed triangle
	/// that it is a part of.
	const int *parts, *sources;
	int part_count;

	/// New crack faces: new numbers, twins one after the other.
	const int *faces;
	int face_count;

	/// No front is left inside the material: the crack has passed.
	bool is_through;
} rbl_cut_step;

/// Lead the front on.
/// @param progress  along the path, 0 at its start and 1 at its end, by length; not less than
///                  before
/// @param step      receives what changed
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY; nothing changes then
/// Threads: one call on a cutter at a time. Cost: O(k log k) in what the step cuts.
RBL_API rbl_result rbl_cutter_advance(rbl_cutter *cutter, double progress, rbl_cut_step *step);

/// The mesh as it is. The arrays live until the next call on the cutter.
typedef struct rbl_cutter_mesh {
	int vertex_count;
	const rbl_vec3d *positions;

	int triangle_count;
	const int *triangles;

	/// Which half-edge lies across: half-edge 3 t + k runs from corner k of triangle t to the next.
	const int *twins;

	/// For crack faces a number that both twins share, -1 for the others. What touches by
	/// construction can be skipped while a crack is young.
	const int *crack_ids;
} rbl_cutter_mesh;

/// @return the mesh. Threads: any number while nothing changes the cutter.
RBL_API rbl_cutter_mesh rbl_cutter_get_mesh(const rbl_cutter *cutter);

/// Label the connected parts of the mesh.
/// @param labels  receives a number from 0 per triangle, in the order of first triangles
/// @param count   receives the number of parts
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any number while nothing changes the cutter. Cost: O(n).
RBL_API rbl_result rbl_cutter_get_components(const rbl_cutter *cutter, int *labels, int *count);
