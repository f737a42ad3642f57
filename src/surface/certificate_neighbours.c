// SPDX-License-Identifier: MIT
//
// Two triangles that share a vertex or an edge: whether they stay apart elsewhere although each
// vertex moves by up to a margin. For vertices whose fan does not tell, since it is sharp, or not
// one.
//
// At a shared vertex, a plane through it with one triangle on each side, both corners of each
// further from it than 2 s: so much may a corner move against the vertex. At a shared edge, a
// direction along which the other corners lie on different sides of the edge, as in
// surface/cull_fan.c.

#include "surface/cull.h"

enum { WEDGE_ROUNDS = 8 }; // in search of a plane

static const double twice = 2.000001; // with space for rounding

static rbl_vec3d displacement(const rbl_surface *surface, int from, int to)
{
	return rbl_sub_d(rbl_to_d(surface->positions[1][to]), rbl_to_d(surface->positions[1][from]));
}

// Arrows that must lie in front of a plane through their origin, by more than a distance: look for
// it by turning the plane towards the arrow that is nearest to it.
static bool have_a_front(const rbl_vec3d arrows[4], double distance)
{
	rbl_vec3d units[4], normal = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < 4; ++i) {
		distance = rbl_maxd(distance, 1e-12 * rbl_length_d(arrows[i])); // beyond rounding
		units[i] = rbl_normalize_d(arrows[i]);
		normal = rbl_add_d(normal, units[i]);
	}
	for (int round = 0; round < WEDGE_ROUNDS; ++round) {
		normal = rbl_normalize_d(normal);
		int nearest = 0;
		double smallest = DBL_MAX;
		for (int i = 0; i < 4; ++i) {
			double side = rbl_dot_d(arrows[i], normal);
			if (side < smallest)
				smallest = side, nearest = i;
		}
		if (smallest > distance)
			return true;
		normal = rbl_add_scaled_d(normal, 0.5, units[nearest]);
	}
	return false;
}

static bool wedges_part(const rbl_surface *surface, const int *a, const int *b, int i, int k,
                        double margin)
{
	rbl_vec3d arrows[4] = { displacement(surface, a[i], a[(i + 1) % 3]),
		                    displacement(surface, a[i], a[(i + 2) % 3]),
		                    displacement(surface, b[(k + 1) % 3], b[k]),
		                    displacement(surface, b[(k + 2) % 3], b[k]) };
	return have_a_front(arrows, twice * margin);
}

// How far a corner lies to the left of an edge, as an area beyond what may change.
static double left_of(rbl_vec3d edge, rbl_vec3d to, rbl_vec3d direction, double side, double margin)
{
	double length = rbl_length_d(edge), extent = rbl_length_d(to);
	double bound = twice * margin * (length + extent + 2.0 * margin) + 1e-12 * length * extent;
	return side * rbl_dot_d(direction, rbl_cross_d(edge, to)) - bound;
}

static bool hinge_is_open(const rbl_surface *surface, int from, int to, int a, int b, double margin)
{
	rbl_vec3d edge = displacement(surface, from, to);
	rbl_vec3d to_a = displacement(surface, from, a), to_b = displacement(surface, from, b);
	rbl_vec3d direction = rbl_normalize_d(rbl_sub_d(rbl_normalize_d(rbl_cross_d(edge, to_a)),
	                                                rbl_normalize_d(rbl_cross_d(edge, to_b))));
	return left_of(edge, to_a, direction, 1.0, margin) > 0.0 &&
	       left_of(edge, to_b, direction, -1.0, margin) > 0.0;
}

bool rbl_surface_neighbours_are_robust(const rbl_surface *surface, const int *a, const int *b,
                                       double margin)
{
	int shared[3][2], count = 0;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3 && count < 3; ++k)
			if (a[i] == b[k])
				shared[count][0] = i, shared[count++][1] = k;
	if (count == 1)
		return wedges_part(surface, a, b, shared[0][0], shared[0][1], margin);
	if (count != 2)
		return false;
	int a_third = 3 - shared[0][0] - shared[1][0], b_third = 3 - shared[0][1] - shared[1][1];
	return hinge_is_open(surface, a[shared[0][0]], a[shared[1][0]], a[a_third], b[b_third], margin);
}
