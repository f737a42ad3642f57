// SPDX-License-Identifier: MIT
// Cylinders and cones, exactly: solids of revolution, the hull of two discs across an axis.
#pragma once

#include "collide/polyhedron.h"

/// Corners of the polygons that are inscribed in the discs.
enum { RBL_REVOLUTION_SIDES = 16, RBL_REVOLUTION_FACET_CAPACITY = RBL_REVOLUTION_SIDES + 1 };

/// Bytes of the arrays of a solid of revolution's polyhedron; the solid itself is the last.
size_t rbl_revolution_size(const float radii[2]);

/// Make the polyhedron of a solid of revolution.
/// @param radii   of the discs around a and b, which differ; one may be 0
/// @param memory  rbl_revolution_size() bytes, aligned to 16
/// @return false when it has no volume in single precision
bool rbl_polyhedron_from_revolution(rbl_polyhedron *p, rbl_vec3 a, rbl_vec3 b, const float radii[2],
                                    void *memory);

/// The support point along a direction of any length.
rbl_vec3d rbl_revolution_support(const rbl_revolution *r, rbl_vec3d direction);

/// A point of a rim, after a part of a whole turn.
rbl_vec3d rbl_revolution_rim(const rbl_revolution *r, int end, double turn);

/// The distance of a point, negative inside, and its gradient.
double rbl_revolution_distance(const rbl_revolution *r, rbl_vec3d point, rbl_vec3d *gradient);

/// How it touches along a normal: a point of the axis and the radius of the ball around it that
/// touches at the same place. As the solid spins about its axis, that ball stays where it is.
/// @return 0 when the normal is along the axis, and what touches is a flat end
double rbl_revolution_rolling_radius(const rbl_revolution *r, rbl_vec3d point, rbl_vec3d normal);

/// What of a convex shape faces a direction: a polygon, a segment or a point.
typedef struct rbl_facet {
	rbl_vec3 points[RBL_MAX_CONVEX_VERTICES]; // counter-clockwise from outside
	uint8_t lines[RBL_MAX_CONVEX_VERTICES];   // names the line that leaves each point
	int count;
	int index;       // names the feature
	rbl_vec3 normal; // of a polygon or the side of a solid of revolution, else the direction
	float cosine;    // between the two
} rbl_facet;

/// The feature of a polyhedron that faces a direction, in its frame.
void rbl_polyhedron_facet(const rbl_polyhedron *p, rbl_vec3 direction, rbl_facet *facet);
