// SPDX-License-Identifier: MIT
//
// The winding number in front of each region of an arrangement. Between regions that meet at an
// edge of the surface, two of them and no more, it does not change; between two that a segment
// separates it changes by how often the triangle across counts. So a connected set of regions
// needs one number, found by a ray from the middle of its largest face along the axis that the face
// looks along most. No ray has to distinguish sheets that nearly touch.

#include "geometry/arrangement.h"

#include "base/union_find.h"
#include "base/vec.h"
#include "geometry/winding_number.h"

// Join two sets: the number of `left` is that of `right` plus `change`. @return false when that
// contradicts what is known
static bool join(int *parents, int *fronts, int left, int right, int change)
{
	int p = rbl_union_find_weighted_root(parents, fronts, left);
	int q = rbl_union_find_weighted_root(parents, fronts, right);
	int shift = fronts[right] + change - fronts[left]; // of p against q
	if (p == q)
		return shift == 0;
	if (p < q)
		parents[q] = p, fronts[q] = -shift;
	else
		parents[p] = q, fronts[p] = shift;
	return true;
}

static rbl_result join_regions(rbl_arrangement *a, int *parents)
{
	int count = a->borders.count;
	if (!rbl_array_extend(&a->allocator, &a->borders, count))
		return RBL_OUT_OF_MEMORY;
	rbl_sort_item64 *items = a->borders.data;
	rbl_sort64(items, items + count, count);
	for (int r = 0; r < a->region_count; ++r)
		parents[r] = r, a->fronts[r] = 0;
	bool is_consistent = true;
	for (int begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && items[end].key == items[begin].key;)
			++end;
		if (end - begin == 2)
			is_consistent &=
				join(parents, a->fronts, (int)items[begin].value, (int)items[begin + 1].value, 0);
	}
	for (int i = 0; i < a->links.count; ++i) {
		const rbl_arrangement_link *link = &a->links.data[i];
		is_consistent &= join(parents, a->fronts, link->left, link->right, link->change);
	}
	return is_consistent ? RBL_OK : RBL_BAD_MESH;
}

static double face_area(const rbl_arrangement *a, const rbl_arrangement_face *face)
{
	rbl_vec3d p[3];
	for (int k = 0; k < 3; ++k)
		p[k] = rbl_arrangement_moved(a, face->nodes[k]);
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
	return rbl_dot_d(n, n);
}

// The winding number in front of a face, by a ray that runs into what lies before or behind it.
static int wind_face(const rbl_arrangement *a, const rbl_ray_columns *columns,
                     const rbl_arrangement_face *face, bool is_ahead)
{
	rbl_vec3d p = { 0.0, 0.0, 0.0 };
	for (int k = 0; k < 3; ++k)
		p = rbl_add_scaled_d(p, 1.0 / 3.0, rbl_arrangement_moved(a, face->nodes[k]));
	const int *near;
	int count = rbl_ray_columns_at(columns, p, &near), sum = 0;
	bool is_on = false;
	for (int i = 0; i < count; ++i) {
		if (near[i] != face->triangle)
			sum += a->counts[near[i]] * rbl_ray_columns_crossing(columns, near[i], p, &is_on);
	}
	return is_ahead ? sum : sum - a->counts[face->triangle];
}

// The numbers of all roots, by their sets' largest faces.
static rbl_result wind_roots(rbl_arrangement *a, int *parents, const int *largest)
{
	rbl_ray_columns columns[3] = { 0 };
	rbl_result result = RBL_OK;
	for (int r = 0; r < a->region_count && result == RBL_OK; ++r) {
		if (parents[r] != r)
			continue;
		if (largest[r] < 0) { // no region of the set has a face
			result = RBL_BAD_MESH;
			break;
		}
		const rbl_arrangement_face *face = &a->faces.data[largest[r]];
		const int *v = a->triangles + 3 * (size_t)face->triangle;
		rbl_vec3d o = a->positions[v[0]];
		rbl_vec3d n =
			rbl_cross_d(rbl_sub_d(a->positions[v[1]], o), rbl_sub_d(a->positions[v[2]], o));
		int axis = rbl_largest_axis_d((rbl_vec3d){ fabs(n.x), fabs(n.y), fabs(n.z) });
		if (!columns[axis].items &&
		    !rbl_ray_columns_create(&columns[axis], &a->allocator, a->positions, a->triangles,
		                            a->live_count, axis)) {
			result = RBL_OUT_OF_MEMORY;
			break;
		}
		int front = wind_face(a, &columns[axis], face, rbl_axis_d(n, axis) > 0.0);
		a->fronts[r] = front - (face->region == r ? 0 : a->fronts[face->region]);
	}
	for (int axis = 0; axis < 3; ++axis)
		rbl_ray_columns_destroy(&columns[axis]);
	return result;
}

rbl_result rbl_arrangement_wind(rbl_arrangement *arrangement)
{
	rbl_arrangement *a = arrangement;
	const rbl_allocator *allocator = &a->allocator;
	size_t capacity = (size_t)a->region_count + 1;
	int *parents = RBL_NEW(allocator, int, capacity), *largest = RBL_NEW(allocator, int, capacity);
	double *sizes = RBL_NEW_ZERO(allocator, double, capacity);
	a->fronts = RBL_NEW(allocator, int, capacity);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (parents && largest && sizes && a->fronts)
		result = join_regions(a, parents);
	if (result == RBL_OK) {
		for (int r = 0; r < a->region_count; ++r)
			largest[r] = -1;
		for (int f = 0; f < a->faces.count; ++f) {
			int root = rbl_union_find_weighted_root(parents, a->fronts, a->faces.data[f].region);
			double size = face_area(a, &a->faces.data[f]);
			if (largest[root] < 0 || size > sizes[root])
				largest[root] = f, sizes[root] = size;
		}
		for (int r = 0; r < a->region_count; ++r) // regions without faces, too
			rbl_union_find_weighted_root(parents, a->fronts, r);
		result = wind_roots(a, parents, largest);
		for (int r = 0; r < a->region_count && result == RBL_OK; ++r) {
			if (parents[r] != r)
				a->fronts[r] += a->fronts[parents[r]];
		}
	}
	RBL_FREE(allocator, parents, capacity);
	RBL_FREE(allocator, largest, capacity);
	RBL_FREE(allocator, sizes, capacity);
	return result;
}
