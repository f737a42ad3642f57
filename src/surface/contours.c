// SPDX-License-Identifier: MIT
//
// Contours: pairs of triangles that intersect, joined into curves.
//
// Two triangles in general position have a segment in common, each end of which is a crossing: an
// edge of one passes through the other. The triangle on the other side of that edge has the same
// crossing with the same face, so segments are joined by names of edges and faces, and nothing is
// compared but numbers. Two triangles that share a vertex may have a segment that begins there.
//
// Positions are never in general position, so vertices count as moved by next to nothing
// (rbl_orient3d_perturbed(), by their ids). Then two triangles have no crossing or two; with a
// shared vertex, none or one. What has none only touches. What is apart stays apart, so all
// crossings are among pairs that intersect, or that share a vertex and meet there.
//
// The idea of contours with what they cut off is from Baraff, Witkin and Kass 2003, "Untangling
// cloth", who join segments along edges as well; they leave degenerate cases open.

#include "surface/contours.h"
#include "surface/query.h"

#include "base/log.h"
#include "geometry/geometry.h"

// --- crossings ----------------------------------------------------------------------------------

static int perturbed_orientation(const rbl_surface *surface, int a, int b, int c, int d)
{
	const int vertices[4] = { a, b, c, d };
	rbl_vec3d points[4];
	for (int i = 0; i < 4; ++i)
		points[i] = rbl_surface_exact(surface, vertices[i], 1);
	return rbl_orient3d_perturbed(points, vertices);
}

int rbl_surface_perturbed_side(const rbl_surface *surface, int triangle, int vertex)
{
	const int *v = surface->triangles + 3 * (size_t)triangle;
	return perturbed_orientation(surface, v[0], v[1], v[2], vertex);
}

// An end of a segment: the name of the edge that passes through a face; or -1 and a shared vertex.
typedef struct segment_end {
	int edge, triangle;
} segment_end;

// The edges of one triangle that pass through another. @return how many, at most two
static int find_ends(const rbl_surface *surface, int through, int face, int shared,
                     segment_end ends[2])
{
	const int *p = surface->triangles + 3 * (size_t)through;
	const int *q = surface->triangles + 3 * (size_t)face;
	int sides[3], count = 0;
	for (int i = 0; i < 3; ++i)
		sides[i] = p[i] == shared ? 0 : rbl_surface_perturbed_side(surface, face, p[i]);
	for (int i = 0; i < 3; ++i) {
		int from = p[i], to = p[(i + 1) % 3];
		if (sides[i] * sides[(i + 1) % 3] >= 0)
			continue;
		int turn = perturbed_orientation(surface, from, to, q[0], q[1]);
		if (perturbed_orientation(surface, from, to, q[1], q[2]) == turn &&
		    perturbed_orientation(surface, from, to, q[2], q[0]) == turn && count < 2)
			ends[count++] = (segment_end){ rbl_surface_edge_name(surface, 3 * through + i), face };
	}
	return count;
}

// @return false: the two only touch
static bool find_segment(const rbl_surface *surface, rbl_surface_pair pair, segment_end ends[2])
{
	const int *a = surface->triangles + 3 * (size_t)pair.a;
	const int *b = surface->triangles + 3 * (size_t)pair.b;
	int shared = -1, shared_count = 0;
	for (int i = 0; i < 9; ++i)
		if (a[i / 3] == b[i % 3])
			shared = a[i / 3], shared_count++;
	if (shared_count > 1)
		return false;
	segment_end found[4];
	int count = find_ends(surface, pair.a, pair.b, shared, found);
	count += find_ends(surface, pair.b, pair.a, shared, found + count);
	if (count == 0)
		return false;
	RBL_ASSERT(count == 2 - shared_count);
	ends[0] = found[0];
	ends[1] = shared_count ? (segment_end){ -1, shared } : found[1];
	return true;
}

// How far along an edge it passes through a face, where both lie in one plane but for rounding.
static double nearest_share(const rbl_vec3d edge[2], const rbl_vec3d face[3])
{
	rbl_closest closest;
	double best = INFINITY, share = 0.0;
	for (int i = 0; i < 5; ++i) {
		bool is_face = i < 2;
		rbl_vec3d points[4] = { edge[is_face ? i : 0], is_face ? face[0] : edge[1],
			                    is_face ? face[1] : face[i - 2],
			                    is_face ? face[2] : face[(i - 1) % 3] };
		rbl_ccd_closest(is_face ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE, points, &closest);
		if (closest.distance < best)
			best = closest.distance, share = is_face ? (double)i : closest.weights[1];
	}
	return share;
}

static rbl_surface_crossing crossing_of(const rbl_surface *surface, segment_end end)
{
	rbl_surface_crossing crossing = { .edge = end.edge, .triangle = end.triangle };
	if (end.edge < 0) {
		crossing.position = rbl_surface_exact(surface, end.triangle, 1);
		return crossing;
	}
	const int *t = surface->triangles, *f = t + 3 * (size_t)end.triangle;
	rbl_vec3d edge[2] = { rbl_surface_exact(surface, t[end.edge], 1),
		                  rbl_surface_exact(surface, t[rbl_surface_next(end.edge)], 1) };
	rbl_vec3d face[3];
	for (int k = 0; k < 3; ++k)
		face[k] = rbl_surface_exact(surface, f[k], 1);
	rbl_vec3d normal = rbl_cross_d(rbl_sub_d(face[1], face[0]), rbl_sub_d(face[2], face[0]));
	double from = rbl_dot_d(normal, rbl_sub_d(edge[0], face[0]));
	double to = rbl_dot_d(normal, rbl_sub_d(edge[1], face[0]));
	bool is_clear = (from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0);
	double share = is_clear ? from / (from - to) : nearest_share(edge, face);
	crossing.along = (float)share;
	crossing.position = rbl_add_scaled_d(edge[0], share, rbl_sub_d(edge[1], edge[0]));
	return crossing;
}

// --- curves -------------------------------------------------------------------------------------

// Segments with their pairs and ends. End e of segment s is 2 s + e.
typedef struct contour_work {
	rbl_surface *surface;
	RBL_ARRAY(rbl_surface_pair) pairs;
	RBL_ARRAY(segment_end) ends;
	RBL_ARRAY(int) partners; // the end of another segment, or -1
	RBL_ARRAY(bool) is_taken;
	bool is_out_of_memory;
} contour_work;

static bool add_segment(contour_work *w, rbl_surface_pair pair, const segment_end ends[2])
{
	const rbl_allocator *allocator = &w->surface->allocator;
	return rbl_array_push(allocator, &w->pairs, pair) &&
	       rbl_array_push(allocator, &w->ends, ends[0]) &&
	       rbl_array_push(allocator, &w->ends, ends[1]);
}

static rbl_result find_segments(contour_work *w)
{
	rbl_surface *surface = w->surface;
	for (int i = 0; i < surface->pairs.count; ++i) {
		rbl_surface_pair pair = surface->pairs.data[i];
		segment_end ends[2];
		if (find_segment(surface, pair, ends)
		        ? !add_segment(w, pair, ends)
		        : !rbl_array_push(&surface->allocator, &surface->contours.touching, pair))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

// Ends of one name belong together.
static rbl_result join_segments(contour_work *w)
{
	int all = w->ends.count, count = 0;
	rbl_arena_reset(&w->surface->scratch);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&w->surface->scratch, rbl_sort_item64, 2 * (size_t)all);
	if (!items || !rbl_array_resize(&w->surface->allocator, &w->partners, all))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < all; ++i) {
		const segment_end *end = &w->ends.data[i];
		w->partners.data[i] = -1;
		if (end->edge >= 0)
			items[count++] =
				(rbl_sort_item64){ .key = (uint64_t)end->edge << 32 | (uint64_t)end->triangle,
				                   .value = (uint32_t)i };
	}
	rbl_sort64(items, items + all, count);
	for (int i = 0; i + 1 < count; ++i)
		if (items[i].key == items[i + 1].key) {
			int a = (int)items[i].value, b = (int)items[i + 1].value;
			w->partners.data[a] = b, w->partners.data[b] = a;
		}
	return RBL_OK;
}

// Two triangles that share a vertex and have nothing else in common are no pair; moved by next to
// nothing they may have a segment all the same, next to where the vertex is. A contour that leads
// there goes on. @param has_added  receives whether there are any
static rbl_result add_missing(contour_work *w, bool *has_added)
{
	const rbl_surface *surface = w->surface;
	int count = 0, all = w->ends.count;
	rbl_arena_reset(&w->surface->scratch);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&w->surface->scratch, rbl_sort_item64, 2 * (size_t)all);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < all; ++i) {
		segment_end end = w->ends.data[i];
		if (w->partners.data[i] >= 0 || end.edge < 0 || surface->twins[end.edge] < 0)
			continue;
		rbl_surface_pair pair = w->pairs.data[i / 2];
		int own = pair.a == end.triangle ? pair.b : pair.a;
		int across = end.edge / 3 == own ? surface->twins[end.edge] / 3 : end.edge / 3;
		int low = rbl_mini(across, end.triangle), high = rbl_maxi(across, end.triangle);
		items[count++] = (rbl_sort_item64){ .key = (uint64_t)low << 32 | (uint64_t)high };
	}
	rbl_sort64(items, items + all, count);
	*has_added = false;
	for (int i = 0; i < count; ++i) {
		rbl_surface_pair pair = { (int)(items[i].key >> 32), (int)(uint32_t)items[i].key };
		segment_end ends[2];
		if ((i > 0 && items[i].key == items[i - 1].key) || !find_segment(surface, pair, ends) ||
		    ends[1].edge >= 0) // shares nothing: a filter left it out
			continue;
		if (!rbl_surface_wants_triangles(surface, pair.a, pair.b) ||
		    !rbl_surface_allows(surface, RBL_HIT_TRIANGLES, pair.a, pair.b))
			continue;
		if (!add_segment(w, pair, ends))
			return RBL_OUT_OF_MEMORY;
		*has_added = true;
	}
	return RBL_OK;
}

static int slot_of_triangle_of(const rbl_surface *surface, int triangle)
{
	return surface->cluster_data[surface->clusters[triangle]].body;
}

// The segment with which a curve begins, and the end that leads into it.
static int first_end(const contour_work *w, int segment)
{
	int end = 2 * segment;
	while (w->partners.data[end] >= 0) {
		int partner = w->partners.data[end];
		if (partner / 2 == segment)
			return 2 * segment;
		end = partner ^ 1;
	}
	return end;
}

static void push_crossing(contour_work *w, rbl_surface_contour *contour, int end)
{
	rbl_surface *surface = w->surface;
	if (!rbl_array_push(&surface->allocator, &surface->contours.crossings,
	                    crossing_of(surface, w->ends.data[end])))
		w->is_out_of_memory = true;
	contour->crossing_count++;
}

// @param end  that leads into the first segment
static void follow(contour_work *w, int end)
{
	rbl_surface *surface = w->surface;
	rbl_surface_contour_lists *lists = &surface->contours;
	int first = end / 2;
	rbl_surface_pair pair = w->pairs.data[first];
	int slots[2] = { slot_of_triangle_of(surface, pair.a), slot_of_triangle_of(surface, pair.b) };
	if (slots[1] < slots[0])
		pair = (rbl_surface_pair){ pair.b, pair.a };
	rbl_surface_contour contour = { .begin = lists->pairs.count,
		                            .crossing_begin = lists->crossings.count };
	for (int side = 0; side < 2; ++side) {
		int slot = slot_of_triangle_of(surface, side ? pair.b : pair.a);
		rbl_id id = rbl_id_pool_at(&surface->ids, slot);
		contour.bodies[side] = (rbl_surface_body_id){ id.index, id.generation };
	}
	for (;;) {
		push_crossing(w, &contour, end);
		w->is_taken.data[end / 2] = true;
		contour.count++;
		if (!rbl_array_push(&surface->allocator, &lists->pairs, pair))
			w->is_out_of_memory = true;
		int leaving = end ^ 1, next = w->partners.data[leaving];
		if (next < 0) {
			push_crossing(w, &contour, leaving);
			break;
		}
		if (next / 2 == first) {
			contour.is_closed = true;
			break;
		}
		// The face stays; the other triangle gives way to the one across the edge.
		int face = w->ends.data[leaving].triangle;
		rbl_surface_pair ahead = w->pairs.data[next / 2];
		int other = ahead.a == face ? ahead.b : ahead.a;
		pair =
			face == pair.a ? (rbl_surface_pair){ face, other } : (rbl_surface_pair){ other, face };
		end = next;
	}
	if (!rbl_array_push(&surface->allocator, &lists->contours, contour))
		w->is_out_of_memory = true;
}

static rbl_result make_contours(contour_work *w)
{
	rbl_result result = find_segments(w);
	if (result == RBL_OK)
		result = join_segments(w);
	for (bool has_added = true; result == RBL_OK && has_added;) {
		result = add_missing(w, &has_added);
		if (result == RBL_OK && has_added)
			result = join_segments(w);
	}
	if (result == RBL_OK && !rbl_array_resize(&w->surface->allocator, &w->is_taken, w->pairs.count))
		result = RBL_OUT_OF_MEMORY;
	for (int i = 0; i < w->pairs.count && result == RBL_OK; ++i)
		w->is_taken.data[i] = false;
	for (int i = 0; i < w->pairs.count && result == RBL_OK; ++i)
		if (!w->is_taken.data[i])
			follow(w, first_end(w, i));
	return w->is_out_of_memory ? RBL_OUT_OF_MEMORY : result;
}

rbl_result rbl_surface_find_contours(rbl_surface *surface)
{
	rbl_surface_contour_lists *lists = &surface->contours;
	contour_work w = { .surface = surface };
	lists->contours.count = lists->pairs.count = lists->crossings.count = 0;
	lists->touching.count = lists->vertices.count = lists->triangles.count = 0;
	rbl_result result = make_contours(&w);
	rbl_array_free(&surface->allocator, &w.pairs);
	rbl_array_free(&surface->allocator, &w.ends);
	rbl_array_free(&surface->allocator, &w.partners);
	rbl_array_free(&surface->allocator, &w.is_taken);
	return result;
}

rbl_result rbl_surface_get_contours(rbl_surface *surface, rbl_surface_contours *list)
{
	if (list)
		*list = (rbl_surface_contours){ NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 };
	if (!surface || !list)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or list is NULL");
	if (!surface->is_ready || surface->listed != RBL_LISTS_PAIRS)
		return rbl_fail(RBL_BAD_ARGUMENT, "rbl_surface_collide() must come first");
	rbl_result result = rbl_surface_find_contours(surface);
	if (result == RBL_OK)
		result = rbl_surface_find_insides(surface);
	if (result != RBL_OK)
		return result;
	const rbl_surface_contour_lists *lists = &surface->contours;
	*list = (rbl_surface_contours){
		.contours = lists->contours.data,
		.count = lists->contours.count,
		.triangle_pairs = lists->pairs.data,
		.crossings = lists->crossings.data,
		.vertices = lists->vertices.data,
		.triangles = lists->triangles.data,
		.touching = lists->touching.data,
		.touching_count = lists->touching.count,
	};
	return RBL_OK;
}
