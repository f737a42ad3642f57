// SPDX-License-Identifier: MIT
//
// Winding numbers by rays along a coordinate axis. Columns are rectangles in the plane of the other
// two coordinates; a triangle is in all those that the box around it touches.

#include "geometry/winding_number.h"

#include "base/vec.h"
#include "geometry/predicates.h"

enum { MAX_ITEMS = 8 }; // per triangle, in the mean

// Rotate the axes so that the ray runs along x.
static rbl_vec3d rotate_axes(rbl_vec3d p, int axis)
{
	return axis == 0 ? p : axis == 1 ? (rbl_vec3d){ p.y, p.z, p.x } : (rbl_vec3d){ p.z, p.x, p.y };
}

// Whether p is to the left of a-b in the y-z plane, points on the line decided by the direction of
// the edge, so that exactly one of two triangles that share it has the point.
static bool is_left(rbl_vec3d a, rbl_vec3d b, rbl_vec3d p)
{
	int side = rbl_orient2d(a.y, a.z, b.y, b.z, p.y, p.z);
	if (side != 0)
		return side > 0;
	return b.z != a.z ? b.z < a.z : b.y > a.y;
}

// The side of the triangle's plane that a point on it moves to.
static int moved_side(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	int y = rbl_orient2d(a.z, a.x, b.z, b.x, c.z, c.x),
		z = rbl_orient2d(a.x, a.y, b.x, b.y, c.x, c.y);
	return y != 0 ? y : z != 0 ? z : rbl_orient2d(a.y, a.z, b.y, b.z, c.y, c.z);
}

int rbl_ray_crossing(rbl_vec3d p, int axis, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, bool *is_on)
{
	p = rotate_axes(p, axis), a = rotate_axes(a, axis), b = rotate_axes(b, axis),
	c = rotate_axes(c, axis);
	if (p.x > rbl_maxd(a.x, rbl_maxd(b.x, c.x)))
		return 0;
	bool left = is_left(a, b, p);
	if (is_left(b, c, p) != left || is_left(c, a, p) != left)
		return 0;
	int side = rbl_orient3d(a, b, c, p);
	if (side == 0) {
		*is_on = true;
		side = moved_side(a, b, c);
	}
	// Seen along x the triangle turns left or right: p is before it if it is on that side.
	return side == (left ? -1 : 1) ? -side : 0;
}

// --- columns -------------------------------------------------------------------------------

// The two other coordinates.
static double across(const rbl_ray_columns *c, rbl_vec3d p, int k)
{
	return rbl_axis_d(p, (c->axis + 1 + k) % 3);
}

// Never falls when the coordinate grows, so that a triangle is in the columns of all its points.
static int column_of(const rbl_ray_columns *c, double at, int k)
{
	double i = (at - c->low[k]) * c->scale[k];
	return i > 0.0 ? (i < c->size[k] - 1.0 ? (int)i : c->size[k] - 1) : 0;
}

typedef struct range {
	int lower[2], upper[2];
} range;

static range range_of(const rbl_ray_columns *c, int triangle)
{
	const int *v = c->triangles + 3 * (size_t)triangle;
	range r;
	for (int k = 0; k < 2; ++k) {
		double x = across(c, c->positions[v[0]], k), y = across(c, c->positions[v[1]], k);
		double z = across(c, c->positions[v[2]], k);
		r.lower[k] = column_of(c, rbl_mind(x, rbl_mind(y, z)), k);
		r.upper[k] = column_of(c, rbl_maxd(x, rbl_maxd(y, z)), k);
	}
	return r;
}

static int64_t count_items(const rbl_ray_columns *c)
{
	int64_t sum = 0;
	for (int t = 0; t < c->triangle_count; ++t) {
		range r = range_of(c, t);
		sum += (int64_t)(r.upper[0] - r.lower[0] + 1) * (r.upper[1] - r.lower[1] + 1);
	}
	return sum;
}

// As many columns as triangles, fewer where triangles lie in many of them.
static void set_size(rbl_ray_columns *c)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int i = 0; i < 3 * c->triangle_count; ++i)
		box = rbl_box_add_point_d(box, c->positions[c->triangles[i]]);
	double wide[2];
	for (int k = 0; k < 2; ++k) {
		c->low[k] = across(c, box.lower, k);
		wide[k] = across(c, box.upper, k) - c->low[k];
	}
	double share = wide[0] > 0.0 && wide[1] > 0.0 ? sqrt(wide[0] / wide[1]) : 1.0;
	for (double side = sqrt((double)c->triangle_count);; side *= 0.5) {
		for (int k = 0; k < 2; ++k) {
			double size = rbl_clampd(k == 0 ? side * share : side / share, 1.0, 4096.0);
			c->size[k] = (int)size;
			double scale = wide[k] > 0.0 ? c->size[k] / wide[k] : 0.0;
			c->scale[k] = isfinite(scale) ? scale : 0.0;
		}
		if (side <= 1.0 || count_items(c) <= (int64_t)MAX_ITEMS * c->triangle_count)
			return;
	}
}

bool rbl_ray_columns_create(rbl_ray_columns *columns, const rbl_allocator *allocator,
                            const rbl_vec3d *positions, const int *triangles, int triangle_count,
                            int axis)
{
	rbl_ray_columns *c = columns;
	*c = (rbl_ray_columns){ .allocator = *allocator,
		                    .positions = positions,
		                    .triangles = triangles,
		                    .triangle_count = triangle_count,
		                    .axis = axis };
	set_size(c);
	int count = c->size[0] * c->size[1];
	c->item_count = (int)count_items(c);
	c->starts = RBL_NEW_ZERO(allocator, int, (size_t)count + 2);
	c->items = RBL_NEW(allocator, int, (size_t)c->item_count + 1);
	if (!c->starts || !c->items) {
		rbl_ray_columns_destroy(c);
		return false;
	}
	// Counted two places up, so that filling leaves the starts in place.
	for (int pass = 0; pass < 2; ++pass) {
		for (int t = 0; t < triangle_count; ++t) {
			range r = range_of(c, t);
			for (int y = r.lower[1]; y <= r.upper[1]; ++y) {
				for (int x = r.lower[0]; x <= r.upper[0]; ++x) {
					int column = y * c->size[0] + x;
					if (pass == 0)
						c->starts[column + 2]++;
					else
						c->items[c->starts[column + 1]++] = t;
				}
			}
		}
		for (int i = 0; i < count && pass == 0; ++i)
			c->starts[i + 2] += c->starts[i + 1];
	}
	return true;
}

void rbl_ray_columns_destroy(rbl_ray_columns *columns)
{
	RBL_FREE(&columns->allocator, columns->starts,
	         (size_t)columns->size[0] * (size_t)columns->size[1] + 2);
	RBL_FREE(&columns->allocator, columns->items, (size_t)columns->item_count + 1);
	*columns = (rbl_ray_columns){ 0 };
}

int rbl_ray_columns_at(const rbl_ray_columns *columns, rbl_vec3d p, const int **first)
{
	int x = column_of(columns, across(columns, p, 0), 0);
	int y = column_of(columns, across(columns, p, 1), 1), column = y * columns->size[0] + x;
	*first = columns->items + columns->starts[column];
	return columns->starts[column + 1] - columns->starts[column];
}
