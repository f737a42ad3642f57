// SPDX-License-Identifier: MIT
//
// The sheet that a crack front leaves behind, as a height over a plane.
//
// u runs along the line from the first to the last point of the front, w is the way the front
// moves, at right angles to it, and n = u x w. A front and a path that rise strictly in u and w
// make the sheet a function of both, whatever they do along n: flat cuts and curved ones. A point
// of the mesh is above or below; zero counts as above, so nothing ever lies on the sheet.

#include "cutting/cutter.h"

#include "base/log.h"
#include "base/vec.h"

// The value of a polyline at x; beyond its ends the end values.
static double polyline_at(const double *x, const double *y, int count, double at)
{
	if (!(at > x[0]))
		return y[0];
	if (!(at < x[count - 1]))
		return y[count - 1];
	int low = 0, high = count - 1;
	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (x[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	double share = (at - x[low]) / (x[high] - x[low]);
	return y[low] + share * (y[high] - y[low]);
}

static bool are_finite(const rbl_vec3d *points, int count)
{
	for (int i = 0; i < count; ++i)
		if (!rbl_is_finite_d(points[i]))
			return false;
	return true;
}

static bool rises(const double *values, int count)
{
	for (int i = 1; i < count; ++i)
		if (!(values[i] > values[i - 1]))
			return false;
	return true;
}

static rbl_result make_frame(rbl_crack_surface *sheet, const rbl_crack *crack)
{
	rbl_vec3d along = rbl_sub_d(crack->front[crack->front_count - 1], crack->front[0]);
	rbl_vec3d advance = rbl_sub_d(crack->path[crack->path_count - 1], crack->path[0]);
	sheet->origin = crack->front[0];
	sheet->u = rbl_normalize_d(along);
	sheet->w = rbl_normalize_d(rbl_add_scaled_d(advance, -rbl_dot_d(advance, sheet->u), sheet->u));
	sheet->n = rbl_cross_d(sheet->u, sheet->w);
	if (!(rbl_length_squared_d(sheet->u) > 0.5) || !(rbl_length_squared_d(sheet->w) > 0.5))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "the crack's front has no length, or its path does not leave the front");
	return RBL_OK;
}

static rbl_result fill(rbl_crack_surface *sheet, const rbl_crack *crack)
{
	for (int i = 0; i < sheet->front_count; ++i) {
		rbl_vec3d d = rbl_sub_d(crack->front[i], sheet->origin);
		sheet->front_u[i] = rbl_dot_d(d, sheet->u);
		sheet->front_w[i] = rbl_dot_d(d, sheet->w);
		sheet->front_n[i] = rbl_dot_d(d, sheet->n);
	}
	double length = 0.0;
	for (int i = 0; i < sheet->path_count; ++i) {
		rbl_vec3d d = rbl_sub_d(crack->path[i], crack->path[0]);
		sheet->path_w[i] = rbl_dot_d(d, sheet->w);
		sheet->path_n[i] = rbl_dot_d(d, sheet->n);
		if (i > 0) {
			double w = sheet->path_w[i] - sheet->path_w[i - 1];
			double n = sheet->path_n[i] - sheet->path_n[i - 1];
			length += sqrt(w * w + n * n);
		}
		sheet->path_t[i] = length;
	}
	for (int i = 0; i < sheet->path_count; ++i)
		sheet->path_t[i] /= length;
	if (!rises(sheet->front_u, sheet->front_count))
		return rbl_fail(RBL_BAD_ARGUMENT, "the crack's front turns back along itself");
	if (!rises(sheet->path_w, sheet->path_count) || !rises(sheet->path_t, sheet->path_count))
		return rbl_fail(RBL_BAD_ARGUMENT, "the crack's path turns back");
	return RBL_OK;
}

rbl_result rbl_crack_surface_init(rbl_crack_surface *sheet, const rbl_allocator *allocator,
                                  const rbl_crack *crack)
{
	*sheet = (rbl_crack_surface){ 0 };
	if (!crack || !crack->front || !crack->path || crack->front_count < 2 || crack->path_count < 2)
		return rbl_fail(RBL_BAD_ARGUMENT, "a crack needs two points of front and path at least");
	if (!are_finite(crack->front, crack->front_count) ||
	    !are_finite(crack->path, crack->path_count))
		return rbl_fail(RBL_BAD_ARGUMENT, "a point of the crack is not finite");
	rbl_result result = make_frame(sheet, crack);
	if (result != RBL_OK)
		return result;
	sheet->front_count = crack->front_count;
	sheet->path_count = crack->path_count;
	sheet->front_u = RBL_NEW(allocator, double, 3 * (size_t)crack->front_count);
	sheet->path_w = RBL_NEW(allocator, double, 3 * (size_t)crack->path_count);
	if (!sheet->front_u || !sheet->path_w) {
		rbl_crack_surface_destroy(sheet, allocator);
		return RBL_OUT_OF_MEMORY;
	}
	sheet->front_w = sheet->front_u + crack->front_count;
	sheet->front_n = sheet->front_w + crack->front_count;
	sheet->path_n = sheet->path_w + crack->path_count;
	sheet->path_t = sheet->path_n + crack->path_count;
	result = fill(sheet, crack);
	if (result != RBL_OK)
		rbl_crack_surface_destroy(sheet, allocator);
	return result;
}

void rbl_crack_surface_destroy(rbl_crack_surface *sheet, const rbl_allocator *allocator)
{
	RBL_FREE(allocator, sheet->path_w, 3 * (size_t)sheet->path_count);
	RBL_FREE(allocator, sheet->front_u, 3 * (size_t)sheet->front_count);
	*sheet = (rbl_crack_surface){ 0 };
}

rbl_crack_surface_point rbl_crack_surface_at(const rbl_crack_surface *sheet, rbl_vec3d position)
{
	rbl_vec3d d = rbl_sub_d(position, sheet->origin);
	rbl_crack_surface_point point = { .u = rbl_dot_d(d, sheet->u), .w = rbl_dot_d(d, sheet->w) };
	double moved =
		point.w - polyline_at(sheet->front_u, sheet->front_w, sheet->front_count, point.u);
	point.side = rbl_dot_d(d, sheet->n) -
	             polyline_at(sheet->front_u, sheet->front_n, sheet->front_count, point.u) -
	             polyline_at(sheet->path_w, sheet->path_n, sheet->path_count, moved);
	int last = sheet->path_count - 1;
	if (moved < 0.0)
		point.progress = -DBL_MAX;
	else if (point.u < sheet->front_u[0] || point.u > sheet->front_u[sheet->front_count - 1] ||
	         moved > sheet->path_w[last])
		point.progress = DBL_MAX;
	else
		point.progress = polyline_at(sheet->path_w, sheet->path_t, sheet->path_count, moved);
	return point;
}

double rbl_crack_surface_front_w(const rbl_crack_surface *sheet, double u, double t)
{
	return polyline_at(sheet->front_u, sheet->front_w, sheet->front_count, u) +
	       polyline_at(sheet->path_t, sheet->path_w, sheet->path_count, t);
}

rbl_vec3d rbl_crack_surface_position(const rbl_crack_surface *sheet, double u, double w)
{
	double moved = w - polyline_at(sheet->front_u, sheet->front_w, sheet->front_count, u);
	double height = polyline_at(sheet->front_u, sheet->front_n, sheet->front_count, u) +
	                polyline_at(sheet->path_w, sheet->path_n, sheet->path_count, moved);
	rbl_vec3d p = rbl_add_scaled_d(sheet->origin, u, sheet->u);
	return rbl_add_scaled_d(rbl_add_scaled_d(p, w, sheet->w), height, sheet->n);
}
