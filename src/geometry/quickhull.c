// SPDX-License-Identifier: MIT
//
// The convex hull of points as a triangulated surface.
//
// Quickhull (Barber, Dobkin, Huhdanpaa 1996) on triangles, with exact signs instead of thick
// facets. Each triangle keeps the points strictly above it, each point in one list. Take the
// farthest point of a list, find all triangles strictly below it, replace them by triangles from
// the point to the horizon of the hole, and assign their points to the new triangles.
//
//   - "Above" is strict and exact. Triangles in one plane are then visible together or not at all,
//     the visible part is one disc with one horizon, and no new triangle is without area: a point
//     on the line of a horizon edge lies in the plane of the triangle that was removed there.
//   - A point above a removed triangle that is outside the new hull is above a new triangle: if it
//     sees old ones, it sees both sides of a horizon edge, and so the new plane between them. Hence
//     points are assigned to new triangles only, and a point that none takes is inside.
//   - Order decides nothing but speed and the triangulation of flat faces; it is fixed by the
//     order of the points.

#include "geometry/hull.h"

#include "geometry/predicates.h"

#include "base/vec.h"

typedef struct horizon_edge {
	int from, to;
	int outside; // the triangle that stays
} horizon_edge;

typedef struct pending {
	int slot, serial;
} pending;

typedef struct quickhull {
	const rbl_allocator *allocator;
	const rbl_vec3d *points;
	rbl_vec3d extent; // size of the box around all points
	rbl_hull_triangles *triangles;
	int free_slot, serial, insertion;
	int *next;      // by point: the next in its list
	int *by_corner; // by point: the new triangle whose horizon edge starts there
	RBL_ARRAY(int) visible;
	RBL_ARRAY(horizon_edge) horizon;
	RBL_ARRAY(pending) queue;
} quickhull;

// --- the first tetrahedron ----------------------------------------------------------------------

/// The points farthest apart along the longest side of the box. @return whether they differ
static bool find_ends(const rbl_vec3d *points, int count, int corners[2])
{
	int low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
	for (int i = 1; i < count; ++i) {
		for (int k = 0; k < 3; ++k) {
			double x = rbl_axis_d(points[i], k);
			low[k] = x < rbl_axis_d(points[low[k]], k) ? i : low[k];
			high[k] = x > rbl_axis_d(points[high[k]], k) ? i : high[k];
		}
	}
	double best = 0.0;
	for (int k = 0; k < 3; ++k) {
		double size = rbl_axis_d(points[high[k]], k) - rbl_axis_d(points[low[k]], k);
		if (size > best)
			best = size, corners[0] = low[k], corners[1] = high[k];
	}
	return best > 0.0;
}

/// Rounding picks the best; when it picks one that does not do, any exact one will.
static bool find_off_line(const rbl_vec3d *points, int count, int corners[3])
{
	rbl_vec3d a = points[corners[0]], b = points[corners[1]], d = rbl_sub_d(b, a);
	double best = -1.0;
	for (int i = 0; i < count; ++i) {
		double size = rbl_length_squared_d(rbl_cross_d(d, rbl_sub_d(points[i], a)));
		if (size > best)
			best = size, corners[2] = i;
	}
	if (!rbl_are_collinear(a, b, points[corners[2]]))
		return true;
	for (corners[2] = 0; corners[2] < count; ++corners[2])
		if (!rbl_are_collinear(a, b, points[corners[2]]))
			return true;
	return false;
}

static bool find_off_plane(const rbl_vec3d *points, int count, int corners[4])
{
	rbl_vec3d a = points[corners[0]], b = points[corners[1]], c = points[corners[2]];
	rbl_vec3d normal = rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a));
	double best = -1.0;
	for (int i = 0; i < count; ++i) {
		double size = fabs(rbl_dot_d(normal, rbl_sub_d(points[i], a)));
		if (size > best)
			best = size, corners[3] = i;
	}
	if (rbl_orient3d(a, b, c, points[corners[3]]))
		return true;
	for (corners[3] = 0; corners[3] < count; ++corners[3])
		if (rbl_orient3d(a, b, c, points[corners[3]]))
			return true;
	return false;
}

int rbl_find_simplex(const rbl_vec3d *points, int point_count, int corners[4])
{
	corners[0] = 0;
	if (!find_ends(points, point_count, corners))
		return 0;
	if (!find_off_line(points, point_count, corners))
		return 1;
	return find_off_plane(points, point_count, corners) ? 3 : 2;
}

// --- triangles ----------------------------------------------------------------------------------

static inline double rounded_side(const rbl_hull_triangle *t, rbl_vec3d p)
{
	return t->normal.x * (p.x - t->base.x) + t->normal.y * (p.y - t->base.y) +
	       t->normal.z * (p.z - t->base.z);
}

/// Whether a point is strictly above, exactly.
static inline bool is_above(const quickhull *q, const rbl_hull_triangle *t, int point, double *side)
{
	*side = rounded_side(t, q->points[point]);
	if (*side > t->bound)
		return true;
	if (*side < -t->bound)
		return false;
	return rbl_orient3d_exact(q->points[t->vertices[0]], q->points[t->vertices[1]],
	                          q->points[t->vertices[2]], q->points[point]) > 0;
}

/// @return the slot, -1 when memory ran out
static int add_hull_triangle(quickhull *q, int a, int b, int c)
{
	int slot = q->free_slot;
	if (slot >= 0) {
		q->free_slot = q->triangles->slots.data[slot].first_point;
	} else {
		slot = q->triangles->slots.count;
		if (!rbl_array_resize(q->allocator, &q->triangles->slots, slot + 1))
			return -1;
	}
	rbl_hull_triangle *t = &q->triangles->slots.data[slot];
	rbl_vec3d u = rbl_sub_d(q->points[b], q->points[a]), v = rbl_sub_d(q->points[c], q->points[a]);
	double x0 = u.y * v.z, x1 = u.z * v.y, y0 = u.z * v.x, y1 = u.x * v.z, z0 = u.x * v.y,
		   z1 = u.y * v.x;
	t->normal = (rbl_vec3d){ x0 - x1, y0 - y1, z0 - z1 };
	t->base = q->points[a];
	t->bound = RBL_ORIENT3D_ERROR *
	           (q->extent.x * (fabs(x0) + fabs(x1)) + q->extent.y * (fabs(y0) + fabs(y1)) +
	            q->extent.z * (fabs(z0) + fabs(z1)));
	t->farthest_side = -DBL_MAX;
	t->vertices[0] = a, t->vertices[1] = b, t->vertices[2] = c;
	t->first_point = t->farthest_point = -1;
	t->mark = 0;
	t->serial = q->serial++;
	q->triangles->used_count++;
	return slot;
}

static void free_triangle(quickhull *q, int slot)
{
	rbl_hull_triangle *t = &q->triangles->slots.data[slot];
	t->mark = RBL_HULL_FREE;
	t->first_point = q->free_slot;
	q->free_slot = slot;
	q->triangles->used_count--;
}

/// Give a point to the first of some triangles that it is above.
static inline void assign_point(quickhull *q, const int *slots, int slot_count, int point)
{
	for (int i = 0; i < slot_count; ++i) {
		rbl_hull_triangle *t = &q->triangles->slots.data[slots[i]];
		double side;
		if (!is_above(q, t, point, &side))
			continue;
		q->next[point] = t->first_point;
		t->first_point = point;
		if (side > t->farthest_side)
			t->farthest_side = side, t->farthest_point = point;
		return;
	}
}

static bool enqueue(quickhull *q, int slot)
{
	rbl_hull_triangle *t = &q->triangles->slots.data[slot];
	pending item = { slot, t->serial };
	return t->first_point < 0 || rbl_array_push(q->allocator, &q->queue, item);
}

static rbl_result begin_hull(quickhull *q, int point_count)
{
	int c[4];
	int dimension = rbl_find_simplex(q->points, point_count, c);
	if (dimension < 3)
		return RBL_BAD_MESH;
	if (rbl_orient3d(q->points[c[0]], q->points[c[1]], q->points[c[2]], q->points[c[3]]) > 0) {
		int swap = c[1];
		c[1] = c[2], c[2] = swap;
	}
	// Now c[3] is below c[0] c[1] c[2].
	const int corners[4][3] = {
		{ c[0], c[1], c[2] }, { c[1], c[0], c[3] }, { c[2], c[1], c[3] }, { c[0], c[2], c[3] }
	};
	const int neighbors[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
	const int all[4] = { 0, 1, 2, 3 };
	for (int i = 0; i < 4; ++i) {
		if (add_hull_triangle(q, corners[i][0], corners[i][1], corners[i][2]) < 0)
			return RBL_OUT_OF_MEMORY;
		memcpy(q->triangles->slots.data[i].neighbors, neighbors[i], sizeof neighbors[i]);
	}
	for (int i = 0; i < point_count; ++i)
		assign_point(q, all, 4, i);
	for (int i = 0; i < 4; ++i)
		if (!enqueue(q, i))
			return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// --- growing ------------------------------------------------------------------------------------

/// Collect what the point sees, from one triangle that it does see, and the horizon around it.
static bool find_seen(quickhull *q, int slot, int point)
{
	rbl_hull_triangle *slots = q->triangles->slots.data;
	int mark = ++q->insertion;
	q->visible.count = q->horizon.count = 0;
	slots[slot].mark = mark;
	if (!rbl_array_push(q->allocator, &q->visible, slot))
		return false;
	for (int i = 0; i < q->visible.count; ++i) {
		const rbl_hull_triangle *t = &slots[q->visible.data[i]];
		for (int k = 0; k < 3; ++k) {
			int other = t->neighbors[k];
			double side;
			if (slots[other].mark == mark)
				continue;
			if (is_above(q, &slots[other], point, &side)) {
				slots[other].mark = mark;
				if (!rbl_array_push(q->allocator, &q->visible, other))
					return false;
				continue;
			}
			horizon_edge edge = { t->vertices[k], t->vertices[(k + 1) % 3], other };
			if (!rbl_array_push(q->allocator, &q->horizon, edge))
				return false;
		}
	}
	return true;
}

/// Remove the visible triangles and link their points into one list. @return its head
static int take_away_seen(quickhull *q)
{
	int head = -1;
	for (int i = 0; i < q->visible.count; ++i) {
		rbl_hull_triangle *t = &q->triangles->slots.data[q->visible.data[i]];
		for (int p = t->first_point; p >= 0;) {
			int next = q->next[p];
			q->next[p] = head;
			head = p;
			p = next;
		}
		free_triangle(q, q->visible.data[i]);
	}
	return head;
}

/// Close the hole by triangles from its horizon to the point; their slots replace q->visible.
static bool close_hole(quickhull *q, int point)
{
	q->visible.count = 0;
	for (int i = 0; i < q->horizon.count; ++i) {
		horizon_edge edge = q->horizon.data[i];
		int slot = add_hull_triangle(q, edge.from, edge.to, point);
		if (slot < 0 || !rbl_array_push(q->allocator, &q->visible, slot))
			return false;
		rbl_hull_triangle *slots = q->triangles->slots.data;
		slots[slot].neighbors[0] = edge.outside;
		q->by_corner[edge.from] = slot;
		rbl_hull_triangle *outside = &slots[edge.outside];
		for (int k = 0; k < 3; ++k)
			if (outside->vertices[k] == edge.to)
				outside->neighbors[k] = slot;
	}
	rbl_hull_triangle *slots = q->triangles->slots.data;
	for (int i = 0; i < q->horizon.count; ++i) {
		int slot = q->visible.data[i], after = q->by_corner[q->horizon.data[i].to];
		slots[slot].neighbors[1] = after;
		slots[after].neighbors[2] = slot;
	}
	return true;
}

static rbl_result add_points(quickhull *q)
{
	for (int i = 0; i < q->queue.count; ++i) {
		pending item = q->queue.data[i];
		rbl_hull_triangle *t = &q->triangles->slots.data[item.slot];
		if (t->mark == RBL_HULL_FREE || t->serial != item.serial)
			continue;
		int point = t->farthest_point;
		if (!find_seen(q, item.slot, point))
			return RBL_OUT_OF_MEMORY;
		int head = take_away_seen(q);
		if (!close_hole(q, point))
			return RBL_OUT_OF_MEMORY;
		for (int p = head; p >= 0;) {
			int next = q->next[p];
			if (p != point)
				assign_point(q, q->visible.data, q->visible.count, p);
			p = next;
		}
		for (int k = 0; k < q->visible.count; ++k)
			if (!enqueue(q, q->visible.data[k]))
				return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

rbl_result rbl_quickhull(const rbl_allocator *allocator, const rbl_vec3d *points, int point_count,
                         rbl_hull_triangles *triangles)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int i = 0; i < point_count; ++i)
		box = rbl_box_add_point_d(box, points[i]);
	quickhull q = { .allocator = allocator,
		            .points = points,
		            .extent = rbl_box_size_d(box),
		            .triangles = triangles,
		            .free_slot = -1,
		            .next = RBL_NEW(allocator, int, point_count),
		            .by_corner = RBL_NEW(allocator, int, point_count) };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (q.next && q.by_corner)
		result = begin_hull(&q, point_count);
	if (result == RBL_OK)
		result = add_points(&q);
	rbl_array_free(allocator, &q.queue);
	rbl_array_free(allocator, &q.horizon);
	rbl_array_free(allocator, &q.visible);
	RBL_FREE(allocator, q.by_corner, point_count);
	RBL_FREE(allocator, q.next, point_count);
	return result;
}
