// SPDX-License-Identifier: MIT
// The kernels of the room: support functions and the search for separating axes (sat_kernels.c).
#pragma once

#include "collide/polyhedron.h"

#include "base/kernel.h"

/// The pose of a polyhedron B in the frame of another, A: p goes to rotation * p + translation.
typedef struct rbl_collide_frame {
	rbl_mat3 rotation;
	rbl_vec3 translation;
} rbl_collide_frame;

/// The best axis of each kind, in A's frame. The separation along a face normal is the least signed
/// distance of the other polyhedron's vertices from its plane; -FLT_MAX where the kind has no axis.
typedef struct rbl_sat_axes {
	float face_a_separation, face_b_separation, edge_separation;
	int face_a, face_b, edge_a, edge_b;
	rbl_vec3 edge_normal; // unit, out of A
} rbl_sat_axes;

/// Find the greatest separation of each kind: all faces of A, all faces of B, all pairs of edges
/// that form a face of the Minkowski difference. Ends early, with the remaining kinds unset
/// (-FLT_MAX), when one is greater than `enough`.
RBL_DECLARE_KERNEL(void, rbl_sat_search,
                   (const rbl_polyhedron *a, const rbl_polyhedron *b,
                    const rbl_collide_frame *b_to_a, float enough, rbl_sat_axes *axes));

/// The farthest of `stride` points (three rows, a multiple of eight) along a direction, the first
/// of equals. @return its coordinate along the direction
RBL_DECLARE_KERNEL(float, rbl_polyhedron_find_support,
                   (const float *rows, int stride, rbl_vec3 direction, int *index));

/// The greatest coordinate along a direction.
RBL_DECLARE_KERNEL(float, rbl_polyhedron_max_along,
                   (const float *rows, int stride, rbl_vec3 direction));

/// The least width across a face, of a polyhedron with faces.
RBL_DECLARE_KERNEL(float, rbl_polyhedron_width, (const rbl_polyhedron *p));

/// The least and greatest coordinates after a rotation given by rows.
RBL_DECLARE_KERNEL(void, rbl_polyhedron_box,
                   (const float *rows, int stride, const rbl_mat3 *rotation_rows, rbl_vec3 *lower,
                    rbl_vec3 *upper));
