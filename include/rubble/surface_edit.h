// SPDX-License-Identifier: MIT
// Edits of surfaces: triangles out, triangles and vertices in, at a cost of what they touch.
#pragma once

#include <rubble/surface.h>

/// What changes in a body. Start from rbl_default_surface_edit_def().
typedef struct rbl_surface_edit_def {
	/// Number of pieces afterwards, 1 or more, each with a triangle or more. Triangles that are not
	/// named below belong to the first. Default 1.
	int piece_count;

	/// Number of triangles of the body that go, or leave the first piece.
	int changed_count;

	/// Their ids, all different. May be NULL when there are none.
	const int *changed;

	/// The piece of each, -1: it goes. NULL: all go.
	const int *changed_labels;

	/// Number of corners that get another vertex: so an edge is torn.
	int corner_count;

	/// Corner k of triangle t is 3 t + k; all different, of triangles that stay.
	const int *corners;

	/// What each becomes: the id of a vertex of the body, or -1 - i for new vertex i.
	const int *corner_vertices;

	/// Number of new vertices, each used by some triangle.
	int vertex_count;

	/// Where they are at the end of the step, finite; or NULL: where their parents say.
	const rbl_vec3 *positions;

	/// Three vertices of the body for each, -1 for none, or NULL: without, a new vertex rests where
	/// it is. They give its motion in this step, and its place in a rest shape.
	const int *parents;

	/// Three finite shares for each, of its parents; needed with parents.
	const double *weights;

	/// What you call them, or NULL: what a parent with a share of 1 is called, -1 for others.
	const int *vertex_user_ids;

	/// Number of new triangles.
	int triangle_count;

	/// Three different vertices for each: ids of vertices of the body, or -1 - i for new vertex i.
	const int *triangles;

	/// The piece of each. NULL: all are in the first.
	const int *triangle_labels;

	/// What you call them, or NULL: -1 each.
	const int *triangle_user_ids;

	/// Filled by rbl_default_surface_edit_def(). Leave it alone.
	uint32_t cookie;
} rbl_surface_edit_def;

/// @return a definition of one piece without changes. Threads: any.
RBL_API rbl_surface_edit_def rbl_default_surface_edit_def(void);

/// Edit a body. What is not named keeps its id. Edges are joined again around all that changes. A
/// vertex that several pieces use stays with the first of them, the others get copies, as in
/// rbl_surface_split(); one that no triangle uses any more is gone. In the views of the body the
/// last takes the place of one that goes, and new ones come at the end in their order.
/// @param def     read during the call only
/// @param pieces  receives piece_count ids, the first that of the body; may be NULL for one piece.
///                Unchanged on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY
/// Cost: O(k log n) for k changes and the triangles around them; the first edit of a body, and one
/// at a vertex with several fans of a body that moved, read all of it once.
RBL_API rbl_result rbl_surface_edit(rbl_surface *surface, rbl_surface_body_id body,
                                    const rbl_surface_edit_def *def, rbl_surface_body_id *pieces);
