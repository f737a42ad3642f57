// SPDX-License-Identifier: MIT
//
// The loops over all vertices of a polyhedron that is clipped. Most planes miss, so most of the
// time of a Voronoi cell is spent here. Each point is worked on by itself, and the largest of some
// numbers does not depend on their order, so every back end gives the same bits.

#include "geometry/geometry_kernels.h"

#include "base/simd.h"

void RBL_KERNEL(rbl_clipper_sides)(const double *x, const double *y, const double *z, int count,
                                   rbl_planed plane, double *sides, double extremes[2])
{
	rbl_d4 a = rbl_d4_splat(plane.normal.x), b = rbl_d4_splat(plane.normal.y);
	rbl_d4 c = rbl_d4_splat(plane.normal.z), d = rbl_d4_splat(plane.offset);
	rbl_d4 smallest = rbl_d4_splat(DBL_MAX), largest = rbl_d4_splat(-DBL_MAX);
	int i = 0;
	for (; i + 4 <= count; i += 4) {
		rbl_d4 side = rbl_d4_add(rbl_d4_mul(rbl_d4_load(x + i), a), //
		                         rbl_d4_mul(rbl_d4_load(y + i), b));
		side = rbl_d4_sub(rbl_d4_add(side, rbl_d4_mul(rbl_d4_load(z + i), c)), d);
		rbl_d4_store(sides + i, side);
		smallest = rbl_d4_min(smallest, side);
		largest = rbl_d4_max(largest, side);
	}
	extremes[0] = rbl_d4_min_lane(smallest), extremes[1] = rbl_d4_max_lane(largest);
	for (; i < count; ++i) {
		double side =
			x[i] * plane.normal.x + y[i] * plane.normal.y + z[i] * plane.normal.z - plane.offset;
		sides[i] = side;
		extremes[0] = side < extremes[0] ? side : extremes[0];
		extremes[1] = side > extremes[1] ? side : extremes[1];
	}
}

static void span(const double *values, int count, double *lower, double *upper)
{
	rbl_d4 smallest = rbl_d4_splat(DBL_MAX), largest = rbl_d4_splat(-DBL_MAX);
	int i = 0;
	for (; i + 4 <= count; i += 4) {
		rbl_d4 value = rbl_d4_load(values + i);
		smallest = rbl_d4_min(smallest, value);
		largest = rbl_d4_max(largest, value);
	}
	*lower = rbl_d4_min_lane(smallest), *upper = rbl_d4_max_lane(largest);
	for (; i < count; ++i) {
		*lower = values[i] < *lower ? values[i] : *lower;
		*upper = values[i] > *upper ? values[i] : *upper;
	}
}

double RBL_KERNEL(rbl_clipper_extent)(const double *x, const double *y, const double *z, int count,
                                      rbl_boxd *box)
{
	span(x, count, &box->lower.x, &box->upper.x);
	span(y, count, &box->lower.y, &box->upper.y);
	span(z, count, &box->lower.z, &box->upper.z);
	rbl_d4 largest = rbl_d4_zero();
	int i = 0;
	for (; i + 4 <= count; i += 4) {
		rbl_d4 px = rbl_d4_load(x + i), py = rbl_d4_load(y + i), pz = rbl_d4_load(z + i);
		rbl_d4 square = rbl_d4_add(rbl_d4_mul(px, px), rbl_d4_mul(py, py));
		largest = rbl_d4_max(largest, rbl_d4_add(square, rbl_d4_mul(pz, pz)));
	}
	double farthest = rbl_d4_max_lane(largest);
	for (; i < count; ++i) {
		double square = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
		farthest = square > farthest ? square : farthest;
	}
	return farthest;
}
