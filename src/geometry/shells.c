// SPDX-License-Identifier: MIT
//
// Shells: volumes, and what lies inside of what.
//
// A volume is a sum of signed tetrahedra from a point of the shell, so that digits are not lost far
// from the origin. It is good down to rounding, and its sign means nothing below: a shell that is
// so thin is asked exactly whether its vertices lie in one plane.

#include "geometry/shells.h"

#include "base/vec.h"
#include "geometry/winding_number.h"

#include <rubble/hull.h>

// Below this share of the cube over its diagonal a shell may be flat.
static const double thin_share = 1e-12;

typedef struct rbl_shell_query {
	rbl_ray_columns columns;
	int *windings;          // per shell
	unsigned char *is_seen; // it is in the list of those that a ray meets
} query;

static rbl_vec3d corner(const rbl_shells *s, int triangle, int k)
{
	return s->positions[s->triangles[3 * (size_t)triangle + (size_t)k]];
}

static void measure_shell(rbl_shells *s, rbl_shell *shell, int end)
{
	rbl_vec3d o = corner(s, s->list[shell->first], 0);
	shell->bounds = rbl_box_empty_d();
	for (int i = shell->first; i < end; ++i) {
		int t = s->list[i];
		rbl_vec3d a = rbl_sub_d(corner(s, t, 0), o), b = rbl_sub_d(corner(s, t, 1), o);
		rbl_vec3d c = rbl_sub_d(corner(s, t, 2), o);
		shell->volume += rbl_dot_d(a, rbl_cross_d(b, c)) / 6.0;
		for (int k = 0; k < 3; ++k)
			shell->bounds = rbl_box_add_point_d(shell->bounds, corner(s, t, k));
	}
}

// Whether all vertices of a thin shell lie in one plane. @return false when memory ran out, too
static bool shell_is_flat(const rbl_shells *s, const rbl_shell *shell, int end, bool *out_of_memory)
{
	double size = rbl_length_d(rbl_box_size_d(shell->bounds));
	if (!(fabs(shell->volume) <= thin_share * size * size * size))
		return false;
	size_t count = 3 * (size_t)(end - shell->first);
	rbl_vec3d *points = RBL_NEW(&s->allocator, rbl_vec3d, count);
	*out_of_memory |= !points;
	for (size_t i = 0; points && i < count; ++i)
		points[i] = corner(s, s->list[(size_t)shell->first + i / 3], (int)(i % 3));
	bool flat = points && rbl_points_dimension(points, (int)count) < 3;
	RBL_FREE(&s->allocator, points, count);
	return flat;
}

rbl_result rbl_shells_create(rbl_shells *shells, const rbl_allocator *allocator,
                             const rbl_vec3d *positions, const int *triangles, int triangle_count,
                             const int *shell_of, int count)
{
	rbl_shells *s = shells;
	*s = (rbl_shells){ .allocator = *allocator,
		               .positions = positions,
		               .triangles = triangles,
		               .shell_of = shell_of,
		               .triangle_count = triangle_count,
		               .count = count };
	s->items = RBL_NEW_ZERO(allocator, rbl_shell, (size_t)count + 2);
	s->list = RBL_NEW(allocator, int, (size_t)triangle_count + 1);
	bool out_of_memory = !s->items || !s->list;
	if (!out_of_memory) {
		// Counted two places up, so that filling leaves the starts in place.
		for (int t = 0; t < triangle_count; ++t)
			s->items[shell_of[t] + 2].first++;
		for (int i = 0; i < count; ++i)
			s->items[i + 2].first += s->items[i + 1].first;
		for (int t = 0; t < triangle_count; ++t)
			s->list[s->items[shell_of[t] + 1].first++] = t;
		for (int i = 0; i < count; ++i) {
			measure_shell(s, &s->items[i], s->items[i + 1].first);
			if (shell_is_flat(s, &s->items[i], s->items[i + 1].first, &out_of_memory))
				s->items[i].volume = 0.0;
		}
	}
	if (out_of_memory)
		rbl_shells_destroy(s);
	return out_of_memory ? RBL_OUT_OF_MEMORY : RBL_OK;
}

// --- around --------------------------------------------------------------------------------

static void destroy_query(const rbl_shells *s, query *q)
{
	if (!q)
		return;
	rbl_ray_columns_destroy(&q->columns);
	RBL_FREE(&s->allocator, q->windings, s->count);
	RBL_FREE(&s->allocator, q->is_seen, s->count);
	RBL_FREE(&s->allocator, q, 1);
}

static query *create_query(const rbl_shells *s)
{
	const rbl_allocator *a = &s->allocator;
	query *q = RBL_NEW_ZERO(a, query, 1);
	if (!q)
		return NULL;
	q->windings = RBL_NEW_ZERO(a, int, s->count);
	q->is_seen = RBL_NEW_ZERO(a, unsigned char, s->count);
	if (q->windings && q->is_seen &&
	    rbl_ray_columns_create(&q->columns, a, s->positions, s->triangles, s->triangle_count, 0))
		return q;
	destroy_query(s, q);
	return NULL;
}

// Whether a shell may be around another: it is larger.
static bool may_hold(const rbl_shells *s, int other, int shell)
{
	const rbl_shell *large = &s->items[other], *small = &s->items[shell];
	return fabs(large->volume) > fabs(small->volume) &&
	       rbl_box_contains_d(large->bounds, small->bounds);
}

// The shells around a point of `shell`. @return how many; *is_on tells whether one of them, or one
// that might be, passes through the point
static int wind(const rbl_shells *s, query *q, int shell, rbl_vec3d p, int *around, bool *is_on)
{
	const int *near;
	int seen = 0, count = rbl_ray_columns_at(&q->columns, p, &near), kept = 0;
	*is_on = false;
	for (int i = 0; i < count; ++i) {
		int other = s->shell_of[near[i]];
		if (!may_hold(s, other, shell))
			continue;
		int crossing = rbl_ray_columns_crossing(&q->columns, near[i], p, is_on);
		if (crossing == 0)
			continue;
		if (!q->is_seen[other])
			q->is_seen[other] = 1, around[seen++] = other;
		q->windings[other] += crossing;
	}
	for (int i = 0; i < seen; ++i) {
		int other = around[i];
		if (q->windings[other] != 0)
			around[kept++] = other;
		q->windings[other] = 0, q->is_seen[other] = 0;
	}
	return kept;
}

static rbl_vec3d middle(const rbl_shells *s, int triangle)
{
	rbl_vec3d sum = rbl_add_d(corner(s, triangle, 0), corner(s, triangle, 1));
	return rbl_scale_d(1.0 / 3.0, rbl_add_d(sum, corner(s, triangle, 2)));
}

// A point well inside of a shell: on the way from near the middle of its largest triangle to the
// wall across, along the axis that the triangle looks along most. Odd shares keep it off the planes
// of other shells, which have corners at halves and thirds. @return false when no wall is met
static bool find_deep_point(const rbl_shells *s, int shell, rbl_vec3d *point)
{
	int first = s->items[shell].first, end = s->items[shell + 1].first, largest = first;
	rbl_vec3d normal = { 0.0, 0.0, 0.0 };
	for (int i = first; i < end; ++i) {
		rbl_vec3d o = corner(s, s->list[i], 0), a = rbl_sub_d(corner(s, s->list[i], 1), o);
		rbl_vec3d n = rbl_cross_d(a, rbl_sub_d(corner(s, s->list[i], 2), o));
		if (rbl_dot_d(n, n) > rbl_dot_d(normal, normal))
			normal = n, largest = i;
	}
	rbl_vec3d m = rbl_scale_d(0.3041, corner(s, s->list[largest], 0));
	m = rbl_add_scaled_d(m, 0.3289, corner(s, s->list[largest], 1));
	m = rbl_add_scaled_d(m, 0.367, corner(s, s->list[largest], 2));
	int axis = rbl_largest_axis_d((rbl_vec3d){ fabs(normal.x), fabs(normal.y), fabs(normal.z) });
	int u = (axis + 1) % 3, v = (axis + 2) % 3;
	double sign = (rbl_axis_d(normal, axis) < 0.0) == (s->items[shell].volume > 0.0) ? 1.0 : -1.0;
	double nearest = DBL_MAX, x = rbl_axis_d(m, u), y = rbl_axis_d(m, v);
	for (int i = first; i < end; ++i) {
		double w[3], sum = 0.0, height = 0.0;
		for (int k = 0; k < 3; ++k) {
			rbl_vec3d p = corner(s, s->list[i], (k + 1) % 3),
					  q = corner(s, s->list[i], (k + 2) % 3);
			w[k] = (rbl_axis_d(p, u) - x) * (rbl_axis_d(q, v) - y) -
			       (rbl_axis_d(p, v) - y) * (rbl_axis_d(q, u) - x);
			sum += w[k];
			height += w[k] * rbl_axis_d(corner(s, s->list[i], k), axis);
		}
		bool is_met = (w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0) ||
		              (w[0] <= 0.0 && w[1] <= 0.0 && w[2] <= 0.0);
		double distance = sign * (height / sum - rbl_axis_d(m, axis));
		if (i != largest && is_met && sum != 0.0 && distance > 0.0)
			nearest = rbl_mind(nearest, distance);
	}
	double move = 0.4142 * sign * nearest;
	rbl_vec3d step = { axis == 0 ? move : 0.0, axis == 1 ? move : 0.0, axis == 2 ? move : 0.0 };
	*point = rbl_add_d(m, step);
	return nearest < DBL_MAX;
}

// The k-th point to ask about: vertices first.
static rbl_vec3d sample(const rbl_shells *s, int shell, int k)
{
	int first = s->items[shell].first, count = s->items[shell + 1].first - first;
	return k < 3 * count ? corner(s, s->list[first + k / 3], k % 3)
	                     : middle(s, s->list[first + k - 3 * count]);
}

static void sort_numbers(int *numbers, int count)
{
	for (int i = 1; i < count; ++i) {
		int number = numbers[i], k = i;
		for (; k > 0 && numbers[k - 1] > number; --k)
			numbers[k] = numbers[k - 1];
		numbers[k] = number;
	}
}

rbl_result rbl_shells_find_around(rbl_shells *shells, int shell, int *around, int *count)
{
	rbl_shells *s = shells;
	*count = 0;
	if (!s->query)
		s->query = create_query(s);
	if (!s->query)
		return RBL_OUT_OF_MEMORY;
	int samples = 4 * (s->items[shell + 1].first - s->items[shell].first);
	bool is_on = true;
	rbl_vec3d deep;
	if (find_deep_point(s, shell, &deep))
		*count = wind(s, s->query, shell, deep, around, &is_on);
	for (int k = 0; k < samples && is_on; ++k)
		*count = wind(s, s->query, shell, sample(s, shell, k), around, &is_on);
	if (is_on)
		*count = 0;
	sort_numbers(around, *count);
	return RBL_OK;
}

void rbl_shells_destroy(rbl_shells *shells)
{
	destroy_query(shells, shells->query);
	RBL_FREE(&shells->allocator, shells->items, (size_t)shells->count + 2);
	RBL_FREE(&shells->allocator, shells->list, (size_t)shells->triangle_count + 1);
	*shells = (rbl_shells){ 0 };
}
