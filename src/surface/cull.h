// SPDX-License-Identifier: MIT
// Self-collision culling: parts of a body that cannot touch themselves.
#pragma once

#include "surface/surface.h"

// --- boundary edges of a set of clusters --------------------------------------------------------

/// Find the clusters below a reference, as `clusters` of a worker, and the half-edges of their
/// boundary, as `boundaries`, in the order of clusters and lanes.
/// @param real_only  those at boundaries of the body alone
/// @return false when memory ran out
bool rbl_surface_find_boundary(const rbl_surface *surface, rbl_surface_worker *worker,
                               uint32_t reference, bool real_only);

/// Put the boundary that was found in order: vertices of its loops go to `edges`, the end of each
/// loop to `loop_ends`. @return false when memory ran out
bool rbl_surface_boundary_loops(const rbl_surface *surface, rbl_surface_worker *worker);

/// Real boundaries alone do not close: each edge is a line of its own, two vertices in `edges`.
/// @return false when memory ran out
bool rbl_surface_boundary_lines(const rbl_surface *surface, rbl_surface_worker *worker);

// --- contour test -------------------------------------------------------------------------------

/// Whether the boundary of what lies below a reference, seen along `direction`, is made of simple
/// loops that are apart and cover nothing twice. All normals must face the direction. A failed
/// allocation counts as no.
/// @param box        around all of it, over the step
/// @param real_only  test boundaries of the body alone, which certifies nothing
bool rbl_surface_contour_is_simple(const rbl_surface *surface, rbl_surface_worker *worker,
                                   uint32_t reference, rbl_box box, rbl_vec3 direction,
                                   bool real_only);

/// Whether it is, and all triangles face the direction, and this stays so although each vertex
/// moves by up to `margin`, above 0.
/// @param is_swept  at all times of the step; otherwise at its end
bool rbl_surface_contour_is_robust(const rbl_surface *surface, rbl_surface_worker *worker,
                                   uint32_t reference, rbl_box box, rbl_vec3 direction,
                                   double margin, bool is_swept);

// --- dual cone (Heo et al. 2010) ----------------------------------------------------------------

/// A cone: all vectors within `angle` of the axis. Empty below zero, everything from pi on.
typedef struct rbl_surface_cone {
	rbl_vec3 axis;
	float angle;
} rbl_surface_cone;

/// The cones of a node or cluster.
typedef struct rbl_surface_dual_cone {
	rbl_surface_cone normals, binormals;
} rbl_surface_dual_cone;

/// By node and by cluster.
typedef struct rbl_surface_cone_data {
	rbl_surface_dual_cone *nodes, *clusters;
	unsigned char *node_joins, *cluster_joins; // whether connected
	int node_capacity, cluster_capacity;
} rbl_surface_cone_data;

/// Whether the cones of a node let it be culled, as far as cones go: normals within less than a
/// right angle of an axis, and, for the dual cone, connected and with that axis outside the cone of
/// binormals.
/// @param direction  receives the axis of the normals
bool rbl_surface_cone_passes(const rbl_surface *surface, uint32_t reference, rbl_vec3 *direction);

// --- star-shaped bodies -------------------------------------------------------------------------

/// Find out which bodies that changed are star-shaped, at one instant or over the step: they do not
/// touch themselves.
/// @return false when memory ran out
bool rbl_surface_find_stars(rbl_surface *surface, rbl_worker_group *workers);

/// Whether a body has no boundary.
bool rbl_surface_body_is_closed(const rbl_surface *surface, rbl_surface_body *body);

/// The point that a body is tested from.
rbl_vec3 rbl_surface_star_centre(const rbl_vec3 *positions, const rbl_surface_body *body);

/// Whether a body is star-shaped at the end of the step, and stays so although each vertex moves by
/// up to `margin`, but for some triangles: the worker's list `candidates` has all that may touch
/// another.
/// @return false when it is not, or memory ran out; then the worker says so
bool rbl_surface_is_near_star(const rbl_surface *surface, rbl_surface_worker *worker,
                              rbl_surface_body *body, double margin);

// --- nodes, fans, neighbours --------------------------------------------------------------------

/// Whether nothing below a node (or a cluster, tagged as a leaf) can touch itself, by the grade of
/// culling in use. A failed allocation counts as no.
bool rbl_surface_is_culled(const rbl_surface *surface, rbl_surface_worker *worker,
                           uint32_t reference);

/// Whether nothing below a node or cluster touches itself at the end of the step, nor would if each
/// vertex moved by up to `margin`. Bounds of normals must be up to date. A failed allocation counts
/// as no.
bool rbl_surface_is_robust(const rbl_surface *surface, rbl_surface_worker *worker,
                           uint32_t reference, double margin);

/// Whether the fan of a vertex is free of self-collision, so that no two triangles at it touch
/// elsewhere, or come nearer than the worker's gap. One gap per vertex and query.
bool rbl_surface_fan_is_free(const rbl_surface *surface, rbl_surface_worker *worker, int vertex);

/// Whether it is at the end of the step, and stays so although each vertex moves by up to `margin`.
/// One margin per vertex and query.
bool rbl_surface_fan_is_robust(const rbl_surface *surface, rbl_surface_worker *worker, int vertex,
                               double margin);

/// Whether two triangles that share a vertex or an edge touch nowhere else, at the end of the step,
/// and do not although each vertex moves by up to `margin`.
/// @param a, b  their vertices
bool rbl_surface_neighbours_are_robust(const rbl_surface *surface, const int *a, const int *b,
                                       double margin);
