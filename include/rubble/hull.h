// SPDX-License-Identifier: MIT
// Convex hulls: exact ones of any point set, outer ones with few planes, and cheap bounds of fixed
// directions.
#pragma once

#include <rubble/base.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// The convex hull of a point set: corners, polygon faces and their planes. It never changes after
/// creation, so threads may share one.
typedef struct rbl_hull rbl_hull;

/// The most points a hull may be made of.
#define RBL_MAX_HULL_POINTS 0x0fffffff

/// How to make a hull. Start from rbl_default_hull_def().
typedef struct rbl_hull_def {
	/// Number of points, 4 to RBL_MAX_HULL_POINTS, at least four of them not in one plane.
	int point_count;

	/// The points, all finite, magnitudes zero or within 1e-90 to 1e90. Equal points are fine.
	const rbl_vec3d *points;

	/// Memory of the hull and, during the call, of the work.
	rbl_allocator allocator;

	/// Filled by rbl_default_hull_def(). Leave it alone.
	uint32_t cookie;
} rbl_hull_def;

/// A look into a hull. The arrays live as long as the hull.
typedef struct rbl_hull_data {
	/// Number of corners of the hull. A point inside a face or an edge is no corner.
	int vertex_count;

	/// The corners, in the order of the points they are.
	const rbl_vec3d *positions;

	/// The index of each corner among the points; of equal points any one.
	const int *point_indices;

	/// Number of faces. Points exactly in one plane share one face.
	int face_count;

	/// Number of face corners: the sum of all face sizes.
	int corner_count;

	/// Face f has the corners face_starts[f] to face_starts[f + 1] - 1, counter-clockwise from
	/// outside.
	const int *face_starts;

	/// The vertex of each corner.
	const int *corner_vertices;

	/// A plane per face, unit normal outwards. It is rounded: points of the hull lie behind it or
	/// above by no more than a few units in the last place of the coordinates.
	const rbl_planed *planes;
} rbl_hull_data;

/// @return a definition without points. Threads: any.
RBL_API rbl_hull_def rbl_default_hull_def(void);

/// Make the exact convex hull: every decision is that of real arithmetic, so the hull is convex and
/// holds all points without a tolerance. The same points give the same hull on every platform.
/// @param def   read during the call only
/// @param hull  receives the hull, the caller's to destroy; NULL on failure
/// @return RBL_OK; RBL_BAD_ARGUMENT (the log names the field or point); RBL_BAD_MESH when the
///         points are all at one place, on a line, or in a plane (the log says which);
///         RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n log n) for points in general, O(n^2) for the worst.
RBL_API rbl_result rbl_create_hull(const rbl_hull_def *def, rbl_hull **hull);

/// Destroy a hull. NULL is fine.
RBL_API void rbl_destroy_hull(rbl_hull *hull);

/// @return the arrays of a hull. Threads: any.
RBL_API rbl_hull_data rbl_hull_get_data(const rbl_hull *hull);

/// Make a mesh of a hull: one polygon per face, no attributes.
/// @param allocator  memory of the mesh, NULL for the process's default
/// @param mesh       receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_hull_create_mesh(const rbl_hull *hull, const rbl_allocator *allocator,
                                        rbl_mesh **mesh);

/// A hull of few planes around points, made by growing an inner hull of few points and pushing the
/// planes of its faces out. It never changes after creation, so threads may share one.
typedef struct rbl_outer_hull rbl_outer_hull;

/// How to make an outer hull. Start from rbl_default_outer_hull_def().
typedef struct rbl_outer_hull_def {
	/// Number of points, 4 to RBL_MAX_HULL_POINTS, at least four of them not in one plane.
	int point_count;

	/// The points, all finite, magnitudes zero or within 1e-90 to 1e90. Equal points are fine.
	const rbl_vec3d *points;

	/// Number of points to choose for the inner hull, at least 4: each adds as much volume as
	/// possible. More give a tighter hull of more planes, at last the exact one. Default 20.
	int vertex_count;

	/// Also use the planes of faces that later points removed. About twice the planes; in return
	/// a larger vertex_count never gives a larger hull. Default false.
	bool keeps_directions;

	/// The most planes, 6 or more: of all planes, those are used that cut away the most, one after
	/// the other. 0: no limit. Default 0.
	int plane_limit;

	/// Memory of the hull and, during the call, of the work.
	rbl_allocator allocator;

	/// Filled by rbl_default_outer_hull_def(). Leave it alone.
	uint32_t cookie;
} rbl_outer_hull_def;

/// A look into an outer hull. The arrays live as long as the hull.
typedef struct rbl_outer_hull_data {
	/// Number of points that were chosen. Fewer than asked for when no other lies outside.
	int chosen_count;

	/// The chosen points, in the order of choice.
	const int *chosen;

	/// Number of planes, each with a face of its own.
	int plane_count;

	/// The planes, unit normals outward. Every point is exactly behind or on every plane.
	const rbl_planed *planes;

	/// Corners of the hull: exactly three planes each. Where more planes meet in a point, several
	/// corners share its place.
	int vertex_count;
	const rbl_vec3d *vertices;

	/// Face f has the corners face_starts[f] to face_starts[f + 1] - 1, counter-clockwise from
	/// outside; the vertex of each.
	const int *face_starts;
	const int *corner_vertices;

	/// Volume of the hull.
	double volume;
} rbl_outer_hull_data;

/// @return a definition without points. Threads: any.
RBL_API rbl_outer_hull_def rbl_default_outer_hull_def(void);

/// Make an outer hull (Mueller et al. 2013, Algorithm 1): the box around the points, cut by the
/// planes. The same points give the same hull on every platform.
/// @param hull  receives the hull, the caller's to destroy; NULL on failure
/// @return RBL_OK; RBL_BAD_ARGUMENT (the log names the field or point); RBL_BAD_MESH when the
///         points are all at one place, on a line, or in a plane; RBL_OUT_OF_MEMORY
/// Threads: any. Cost: about 0.1 ns per point and chosen point; O(k^2) for k planes.
RBL_API rbl_result rbl_create_outer_hull(const rbl_outer_hull_def *def, rbl_outer_hull **hull);

/// Destroy an outer hull. NULL is fine.
RBL_API void rbl_destroy_outer_hull(rbl_outer_hull *hull);

/// @return the arrays of an outer hull; all zero for NULL. Threads: any.
RBL_API rbl_outer_hull_data rbl_outer_hull_get_data(const rbl_outer_hull *hull);

/// @return the dimension of the space that points span, exactly: 0 for points at one place, 1 for a
/// line, 2 for a plane, 3 otherwise; -1 for none, NULL, or points that are not finite.
/// Threads: any. Cost: O(n).
RBL_API int rbl_points_dimension(const rbl_vec3d *points, int point_count);

/// Bound points by planes of fixed directions: 6 (a box), 14 (and the corners of a cube), 18 (and
/// its edges instead) or 26 (both). Every point is exactly behind or on every plane.
/// @param planes  receives `plane_count` planes, unit normals outwards, in opposite pairs
/// @return RBL_OK, RBL_BAD_ARGUMENT (no points, not finite, or another number of planes)
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_fit_kdop(const rbl_vec3d *points, int point_count, int plane_count,
                                rbl_planed *planes);
