// SPDX-License-Identifier: MIT
// Cuts of surfaces: a knife that goes through them, tears along edges, curves
// to cut along.
//
// A plan says what a cut changes, as a definition for rbl_surface_edit(): which
// triangles go, which parts take their place, which corners leave their vertex;
// new vertices have parents and weights, by which velocities, texture
// coordinates and anything else can be interpolated. Surfaces may be open,
// thin, not manifold, or touch themselves. Triangles are divided and taken
// apart along the cut; nothing else moves, and no other edge opens.
// docs/cutting.md shows how.
#pragma once

#include <rubble/surface_edit.h>

/// A knife in one step. Start from rbl_default_surface_knife().
typedef struct rbl_surface_knife {
	/// Points of the blade, 2 or more, from one end to the other.
	int point_count;

	/// Where they are when the step begins and when it ends, in metres, finite.
	/// The blade may bend and turn, but not turn back along itself. What it
	/// sweeps over is cut, from its first to its last place; where it moves along
	/// itself alone, nothing is.
	const rbl_vec3d *starts, *ends;

	/// The surface moves, too, from the start to the end of its step: the knife
	/// cuts what passes it. Otherwise the surface stays where it is at the end.
	/// Default false.
	bool follows_motion;

	/// In metres: a cut that passes a vertex within this distance goes through
	/// it, and a cut does not go on by less. 0: a fiftieth of the mean edge.
	/// Default 0.
	double tolerance;

	/// Filled by rbl_default_surface_knife(). Leave it alone.
	uint32_t cookie;
} rbl_surface_knife;

/// @return a knife without a blade. Threads: any.
RBL_API rbl_surface_knife rbl_default_surface_knife(void);

/// Plan what a knife cuts in a step. A cut ends where the blade does at the end
/// of the step, inside a triangle mostly; a knife that goes on from there in
/// the next step goes on with the cut. A cut that begins inside a triangle
/// begins at its side.
/// @param knife  read during the call only
/// @param edit   receives the changes, none where nothing is cut; its arrays
/// live until the next
///               plan of the surface. vertex_user_ids are yours to add, parts
///               have the user id of their triangle
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID,
/// RBL_OUT_OF_MEMORY; nothing
///         changes in any case
/// Cost: O(k log n) for k triangles near the sweep where the body was updated
/// after it moved, O(n) where it was not.
RBL_API rbl_result rbl_surface_plan_cut(rbl_surface *surface, rbl_surface_body_id body,
                                        const rbl_surface_knife *knife, rbl_surface_edit_def *edit);

/// Plan a tear along edges.
/// @param path   vertices of the body, 2 or more, each joined to the next by an
/// edge. Where the path
///               begins or ends inside the surface the two sides stay together
/// @param edit   receives the changes, as from rbl_surface_plan_cut()
/// @return as rbl_surface_plan_cut()
/// Cost: O(k log n) for k triangles around the path.
RBL_API rbl_result rbl_surface_plan_tear(rbl_surface *surface, rbl_surface_body_id body,
                                         const int *path, int count, rbl_surface_edit_def *edit);

/// A curve to cut along. Start from rbl_default_surface_curve().
typedef struct rbl_surface_curve {
	/// Points on the surface or near it, 2 or more, in metres, finite.
	int point_count;
	const rbl_vec3d *points;

	/// The way the blade points at each, through the surface: its normals, say.
	/// Of any length but 0.
	const rbl_vec3d *directions;

	/// How far the blade reaches to both sides of the points, above 0. Default
	/// 0.01.
	double depth;

	/// The last point is joined to the first. Default false.
	bool is_closed;

	/// As in rbl_surface_knife. Default 0.
	double tolerance;

	/// Filled by rbl_default_surface_curve(). Leave it alone.
	uint32_t cookie;
} rbl_surface_curve;

/// @return a curve without points. Threads: any.
RBL_API rbl_surface_curve rbl_default_surface_curve(void);

/// What a cut along a curve made. The arrays live until the next plan or cut of
/// the surface.
typedef struct rbl_surface_cut {
	/// New vertices of the body, and three vertices that the body had before for
	/// each, -1 for none, with their shares.
	int vertex_count;
	const int *vertices;
	const int *parents;
	const double *weights;
} rbl_surface_cut;

/// Cut a body along a curve, where it is at the end of its step: a knife is led
/// from point to point. The strip between two curves is cut out by a closed one
/// that goes there and back. The body stays one;
/// rbl_surface_body_get_components() tells the parts, and rbl_surface_split()
/// parts them.
/// @param curve  read during the call only
/// @param cut    receives what is new; all zero on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID,
/// RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY. Where memory ran out the body is cut as far as it
///         went, and `cut` has what was made
/// Cost: that of a plan and an edit for each point.
RBL_API rbl_result rbl_surface_cut_along(rbl_surface *surface, rbl_surface_body_id body,
                                         const rbl_surface_curve *curve, rbl_surface_cut *cut);
