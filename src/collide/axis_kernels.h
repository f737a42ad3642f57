// SPDX-License-Identifier: MIT
// The inner loops of the room: supports and the search for separating axes, eight at a time.
#pragma once

#include "collide/polyhedron.h"

#include "base/kernel.h"

/// Where a polyhedron B stands in the frame of another, A: p goes to turn * p + shift.
typedef struct rbl_frame {
	rbl_mat3 turn;
	rbl_vec3 shift;
} rbl_frame;

/// The best axis of each kind, in A's frame. The separation along a face's normal is the least
/// signed distance of the other polyhedron's vertices from its plane; -FLT_MAX where the kind has no
/// axis.
typedef struct rbl_axes {
	float face_a_separation, face_b_separation, edge_separation;
	int face_a, face_b, edge_a, edge_b;
	rbl_vec3 edge_normal; // unit, out of A
} rbl_axes;

/// Find the greatest separation of each kind: all faces of A, all faces of B, all pairs of edges
/// that form a face of the Minkowski difference. The search ends early, with the kinds that are left
/// unset (-FLT_MAX), when one is greater than `enough`.
RBL_DECLARE_KERNEL(void, rbl_axis_search,
                   (const rbl_polyhedron *a, const rbl_polyhedron *b, const rbl_frame *b_to_a,
                    float enough, rbl_axes *axes));

/// The farthest of `stride` points (three rows, a multiple of eight) along a direction, the first of
/// equals. @return how far it is
RBL_DECLARE_KERNEL(float, rbl_polyhedron_farthest,
                   (const float *rows, int stride, rbl_vec3 direction, int *index));

/// The greatest coordinate along a direction.
RBL_DECLARE_KERNEL(float, rbl_polyhedron_reach_along,
                   (const float *rows, int stride, rbl_vec3 direction));

/// The least width across a face: of a polyhedron that has some.
RBL_DECLARE_KERNEL(float, rbl_polyhedron_width, (const rbl_polyhedron *p));

/// The least and greatest coordinates after a rotation given by rows.
RBL_DECLARE_KERNEL(void, rbl_polyhedron_box,
                   (const float *rows, int stride, const rbl_mat3 *turn_rows, rbl_vec3 *lower,
                    rbl_vec3 *upper));
