// SPDX-License-Identifier: MIT
//
// Which part of its box a piece is in.
//
// Several pieces of one cell have the same planes, so a point inside one of them looks as if it
// were inside the others. Where their boxes overlap, a lattice of cubes over the piece's box tells
// them apart: a cube belongs to the piece when the piece's surface passes through it, or else when
// its centre is inside the piece. A point in any other cube is outside, and at least as far away as
// the nearest cube of the piece in the maximum norm. Cubes that other pieces pass through as well
// are ambiguous: there the bound is raised.

#include "field/fragment_field.h"

#include "base/axis.h"

// How far trilinear interpolation may exceed a distance in the maximum norm, in cubes: the largest
// mean of max |v - p| over the corners v, weighted as the interpolation does, is 0.611.
static const float excess = 0.62f;

// --- triangles and cubes ------------------------------------------------------------------------

// Whether the projections of a triangle and a cube of half width 1/2 around the origin are apart.
static bool are_apart(rbl_vec3d axis, const rbl_vec3d t[3])
{
	double reach = 0.5 * (fabs(axis.x) + fabs(axis.y) + fabs(axis.z));
	double a = rbl_dot_d(axis, t[0]), b = rbl_dot_d(axis, t[1]), c = rbl_dot_d(axis, t[2]);
	return rbl_mind(a, rbl_mind(b, c)) > reach || rbl_maxd(a, rbl_maxd(b, c)) < -reach;
}

// By the separating axes of both; touching counts.
static bool meets_cube(const rbl_vec3d triangle[3], const int cube[3])
{
	static const rbl_vec3d axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	rbl_vec3d t[3], edges[3];
	for (int k = 0; k < 3; ++k)
		t[k] = rbl_sub_d(triangle[k], (rbl_vec3d){ cube[0], cube[1], cube[2] });
	for (int k = 0; k < 3; ++k)
		edges[k] = rbl_sub_d(t[(k + 1) % 3], t[k]);
	if (are_apart(rbl_cross_d(edges[0], edges[1]), t))
		return false;
	for (int k = 0; k < 9; ++k)
		if (are_apart(rbl_cross_d(axes[k % 3], edges[k / 3]), t))
			return false;
	return true;
}

static int cube_along(double at, int size)
{
	return at < 0.0 ? 0 : at > (double)(size - 1) ? size - 1 : (int)at;
}

static int cube_index(const int size[3], int x, int y, int z)
{
	return (z * size[1] + y) * size[0] + x;
}

// Mark the cubes that a surface passes through. @param corners  centres of cubes are whole numbers
static void mark_surface(const rbl_field_occupancy *o, const rbl_vec3d *corners, int triangle_count,
                         uint8_t mark)
{
	const int *size = o->size;
	for (int i = 0; i < triangle_count; ++i) {
		const rbl_vec3d *t = corners + 3 * (size_t)i;
		rbl_vec3d low = rbl_min_d(t[0], rbl_min_d(t[1], t[2]));
		rbl_vec3d high = rbl_max_d(t[0], rbl_max_d(t[1], t[2]));
		int first[3], last[3], at[3];
		bool is_outside = false;
		for (int k = 0; k < 3; ++k) {
			is_outside |= rbl_axis_d(high, k) < -0.5 || rbl_axis_d(low, k) > size[k] - 0.5;
			first[k] = cube_along(ceil(rbl_axis_d(low, k) - 0.5), size[k]);
			last[k] = cube_along(floor(rbl_axis_d(high, k) + 0.5), size[k]);
		}
		for (at[2] = first[2]; at[2] <= last[2] && !is_outside; ++at[2])
			for (at[1] = first[1]; at[1] <= last[1]; ++at[1])
				for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
					uint8_t *state = &o->states[cube_index(size, at[0], at[1], at[2])];
					if (!(*state & mark) && meets_cube(t, at))
						*state |= mark;
				}
	}
}

// --- distances ----------------------------------------------------------------------------------

// The distance of each corner of the lattice from the marked cubes, by two passes over neighbours.
static void spread_distances(const int size[3], const uint8_t *states, uint8_t *distances)
{
	int ends[3] = { size[0] + 1, size[1] + 1, size[2] + 1 }, count = ends[0] * ends[1] * ends[2];
	memset(distances, 0xff, (size_t)count);
	for (int i = 0; i < size[0] * size[1] * size[2]; ++i)
		for (int k = 0; k < 8 && (states[i] & RBL_CUBE_OWN); ++k)
			distances[cube_index(ends, i % size[0] + (k & 1), i / size[0] % size[1] + (k >> 1 & 1),
			                     i / size[0] / size[1] + (k >> 2))] = 0;
	for (int pass = 0; pass < 2; ++pass)
		for (int n = 0; n < count; ++n) {
			int i = pass == 0 ? n : count - 1 - n, sign = pass == 0 ? 1 : -1;
			int x = i % ends[0], y = i / ends[0] % ends[1], z = i / ends[0] / ends[1];
			int least = distances[i];
			for (int k = 0; k < 13; ++k) { // the half of its neighbours that came before
				int at[3] = { x + sign * (k % 3 - 1), y + sign * (k / 3 % 3 - 1),
					          z + sign * (k / 9 - 1) };
				if (at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < ends[0] && at[1] < ends[1] &&
				    at[2] < ends[2])
					least = rbl_mini(least, distances[cube_index(ends, at[0], at[1], at[2])] + 1);
			}
			distances[i] = (uint8_t)rbl_mini(least, 255);
		}
}

// --- the occupancy ------------------------------------------------------------------------------

// Cubes over the box and a little more, as fine as the cells of the original where that is not too
// many.
static void lay_cubes(rbl_field_occupancy *o, rbl_box box, float cell)
{
	rbl_vec3 size = rbl_box_size(box);
	for (o->cell = cell;; o->cell *= 2.0f) {
		double count = 1.0;
		for (int k = 0; k < 3; ++k)
			count *= ceil((double)(rbl_axis(size, k) / o->cell)) + 1.0;
		if (count <= RBL_MAX_CUBES)
			break;
	}
	o->inverse_cell = 1.0f / o->cell;
	rbl_vec3 half;
	for (int k = 0; k < 3; ++k) {
		o->size[k] = (int)ceilf(rbl_axis(size, k) / o->cell) + 1;
		rbl_set_axis(&half, k, 0.5f * (float)o->size[k] * o->cell);
	}
	o->origin = rbl_sub(rbl_box_centre(box), half);
}

// Corners in cubes, whose centres are whole numbers.
static rbl_vec3d *list_corners(const rbl_field_occupancy *o, const rbl_allocator *allocator,
                               rbl_triangle_list list)
{
	rbl_vec3d *corners = RBL_NEW(allocator, rbl_vec3d, 3 * (size_t)list.triangle_count);
	double inverse = 1.0 / (double)o->cell;
	for (int i = 0; corners && i < 3 * list.triangle_count; ++i) {
		rbl_vec3d p = rbl_sub_d(rbl_to_d(list.corners[i]), rbl_to_d(o->origin));
		corners[i] = rbl_sub_d(rbl_scale_d(inverse, p), (rbl_vec3d){ 0.5, 0.5, 0.5 });
	}
	return corners;
}

// Cubes whose centre is inside of a closed surface.
static rbl_result mark_inside(const rbl_field_occupancy *o, const rbl_allocator *allocator,
                              const rbl_vec3d *corners, int triangle_count)
{
	int slots[3];
	for (int k = 0; k < 3; ++k)
		slots[k] = (o->size[k] - 1) / RBL_BRICK_CELLS + 1;
	rbl_crossing_rows rows;
	rbl_result result = rbl_crossing_rows_init(&rows, allocator, slots, corners, triangle_count);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < rbl_field_occupancy_cubes(o); ++i) {
		bool is_inside;
		rbl_crossing_rows_inside(&rows, i % o->size[0], i / o->size[0] % o->size[1],
		                         i / o->size[0] / o->size[1], 1, 1, &is_inside);
		o->states[i] |= is_inside ? RBL_CUBE_OWN : 0;
	}
	rbl_crossing_rows_destroy(&rows);
	return RBL_OK;
}

rbl_result rbl_field_occupancy_init(rbl_field_occupancy *occupancy, const rbl_allocator *allocator,
                                    rbl_box box, float cell, rbl_triangle_list surface,
                                    rbl_triangle_list others)
{
	rbl_field_occupancy o = { .cell = cell };
	lay_cubes(&o, box, cell);
	o.distances = RBL_NEW(allocator, uint8_t, rbl_field_occupancy_corners(&o));
	o.states = RBL_NEW_ZERO(allocator, uint8_t, rbl_field_occupancy_cubes(&o));
	rbl_vec3d *own = list_corners(&o, allocator, surface);
	rbl_vec3d *other = others.triangle_count > 0 ? list_corners(&o, allocator, others) : NULL;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (o.distances && o.states && own && (other || others.triangle_count == 0)) {
		mark_surface(&o, own, surface.triangle_count, RBL_CUBE_OWN);
		if (other)
			mark_surface(&o, other, others.triangle_count, RBL_CUBE_SHARED);
		result = mark_inside(&o, allocator, own, surface.triangle_count);
	}
	if (result == RBL_OK)
		spread_distances(o.size, o.states, o.distances);
	RBL_FREE(allocator, own, 3 * (size_t)surface.triangle_count);
	RBL_FREE(allocator, other, 3 * (size_t)others.triangle_count);
	if (result != RBL_OK) {
		rbl_field_occupancy_destroy(&o, allocator);
		return result;
	}
	*occupancy = o;
	return RBL_OK;
}

void rbl_field_occupancy_destroy(rbl_field_occupancy *occupancy, const rbl_allocator *allocator)
{
	RBL_FREE(allocator, occupancy->distances, rbl_field_occupancy_corners(occupancy));
	RBL_FREE(allocator, occupancy->states, rbl_field_occupancy_cubes(occupancy));
	*occupancy = (rbl_field_occupancy){ 0 };
}

void rbl_field_occupancy_correct(const rbl_field_occupancy *occupancy, rbl_vec3 p, float *distance,
                                 float *bound, rbl_vec3 *gradient)
{
	rbl_vec3 at = rbl_scale(occupancy->inverse_cell, rbl_sub(p, occupancy->origin));
	const float coordinates[3] = { at.x, at.y, at.z };
	int cube[3];
	float t[3];
	for (int k = 0; k < 3; ++k) {
		if (!(coordinates[k] >= 0.0f && coordinates[k] < (float)occupancy->size[k]))
			return; // outside of the box, which says so
		cube[k] = (int)coordinates[k];
		t[k] = coordinates[k] - (float)cube[k];
	}
	int ends[3] = { occupancy->size[0] + 1, occupancy->size[1] + 1, occupancy->size[2] + 1 };
	float value = 0.0f, slope[3] = { 0.0f, 0.0f, 0.0f };
	int state = occupancy->states[cube_index(occupancy->size, cube[0], cube[1], cube[2])];
	if (state & RBL_CUBE_OWN) {
		if (*distance < 0.0f && (state & RBL_CUBE_SHARED))
			*bound = rbl_maxf(*bound, 1.7321f * occupancy->cell - *distance);
		return;
	}
	for (int k = 0; k < 8; ++k) {
		int corner[3] = { k & 1, k >> 1 & 1, k >> 2 };
		float d = (float)occupancy->distances[cube_index(ends, cube[0] + corner[0],
		                                                 cube[1] + corner[1], cube[2] + corner[2])];
		float weights[3];
		for (int axis = 0; axis < 3; ++axis)
			weights[axis] = corner[axis] ? t[axis] : 1.0f - t[axis];
		value += weights[0] * weights[1] * weights[2] * d;
		for (int axis = 0; axis < 3; ++axis)
			slope[axis] +=
				(corner[axis] ? d : -d) * weights[(axis + 1) % 3] * weights[(axis + 2) % 3];
	}
	float least = rbl_maxf((value - excess) * occupancy->cell, 0.0f);
	if (least >= *distance) {
		*distance = least;
		*gradient = rbl_normalize((rbl_vec3){ slope[0], slope[1], slope[2] });
	}
}
