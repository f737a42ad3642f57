// SPDX-License-Identifier: MIT
//
// Finding adjacent convexes of a compound.
//
// Two convexes are adjacent when a face of one and a face of the other are coplanar, face each
// other and overlap (Mueller et al. 2013, section 3.1, property c). The paper sorts all faces by
// the |d| of their planes and compares those with equal values. That is quadratic where many faces
// share a |d| (walls of equal bricks, anything around a sphere), and the tolerance on d is hard to
// choose: a normal that is off by e moves d by e times the distance from the origin, which for a
// small brick in a large wall is more than the brick's own rounding. Here faces are sorted by
// their dominant axis. Each axis has a tree of boxes for the faces that point down it, and several
// trees, so that the work can be divided, for those that point up, which are queried against it. A
// pair that overlaps in space is adjacent
//
//   - if the plane ids are equal, whatever the numbers are;
//   - not if they are two different ids of the pattern that a break cut with, or of convexes known
//     to touch by ids alone;
//   - otherwise if the corners of the overlap are near both planes, measured at the face itself.
//
// Boxes work at any scale (quantized_boxes.h), and grow by the tolerance across their face only:
// cells at the boundary of a small pattern are as long as the body and a millionth as wide.
//
// The overlap is a convex polygon in the first face's plane. A face near the border between two
// axes is in the trees of both, and the pair counts in the first that both are in.

#include "fracture/convex_adjacency.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fracture/fracture.h"
#include "fracture/quantized_boxes.h"
#include "tree/tree.h"

#include <limits.h>

enum { PAIR_BLOCK = 64, QUERIED_AT_ONCE = 512, MAX_CORNERS = 2 * RBL_MAX_CONVEX_FACES };

// Unit normals within 1e-3 of opposite: one plane, as far as directions go.
#define OPPOSITE (-1.0 + 5e-7)

typedef struct face_record {
	int convex, face;
	int axes; // bits: the directions it is in
	double area;
} face_record;

typedef struct face_pair {
	int first, second; // records
	rbl_adjacent_pair pair;
	bool touches;
} face_pair;

typedef enum adjacency_stage {
	MEASURE,
	ADD_FACES,
	QUERY,
	TEST,
	COLLECT,
	ADJACENCY_DONE,
} adjacency_stage;

struct rbl_adjacency_search {
	const rbl_allocator *allocator;
	rbl_adjacency_query search;
	adjacency_stage stage;
	int next;       // convex, direction or pair of the stage
	rbl_map groups; // how many convexes each group has
	rbl_convex_data *views;
	double *sizes; // per convex: diagonal of its box
	RBL_ARRAY(face_record) records;
	RBL_ARRAY(rbl_boxd) exact; // boxes per record, until the next are there
	RBL_ARRAY(rbl_box) boxes;  // for trees
	double extent;             // diagonal of everything
	double rounding;           // of coordinates
	int64_t tested_count;      // pairs that the trees found
	RBL_ARRAY(face_pair) pairs;
	bool out_of_memory;

	// Of the direction that is looked at; sides NULL: none.
	int axis;
	rbl_tree_pool pool;
	rbl_tree downs;
	uint32_t *sides; // records that look up
	int side_count, next_side;
};

typedef rbl_adjacency_search finder;

static rbl_vec3d face_normal(const rbl_convex_data *convex, int f)
{
	int begin = convex->face_starts[f];
	return rbl_polygon_normal(convex->vertices, convex->corner_vertices + begin,
	                          convex->face_starts[f + 1] - begin);
}

double rbl_convex_face_area(const rbl_convex_data *convex, int f)
{
	return 0.5 * rbl_length_d(face_normal(convex, f));
}

static rbl_boxd convex_box(const rbl_convex_data *d)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int v = 0; v < d->vertex_count; ++v)
		box = rbl_box_add_point_d(box, d->vertices[v]);
	return box;
}

// Directions: a component within a hundredth of the largest counts as well.
static int axes_of(rbl_vec3d n)
{
	double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
	double max = rbl_maxd(x, rbl_maxd(y, z)) - 0.01;
	return (x >= max) | (y >= max) << 1 | (z >= max) << 2;
}

static bool is_of_pattern(const finder *f, uint64_t id)
{
	return id >= f->search.pattern_begin && id < f->search.pattern_end;
}

// Whether a face of a convex touches none but those of its plane id.
static bool is_known(const finder *f, int convex, uint64_t id)
{
	if (!f->search.loose || id == RBL_NO_PLANE_ID)
		return false;
	int flag = is_of_pattern(f, id) ? RBL_LOOSE_PATTERN : RBL_LOOSE_OTHERS;
	return !(f->search.loose[convex] & flag);
}

static bool add_faces(finder *f, int c)
{
	const rbl_convex_data *d = &f->views[c];
	double tolerance = f->search.tolerance * f->sizes[c];
	const int *ends = f->search.face_ends;
	int count = ends ? rbl_mini(ends[c], d->face_count) : d->face_count;
	for (int k = 0; k < count; ++k) {
		face_record record = { c, k, axes_of(d->planes[k].normal), rbl_convex_face_area(d, k) };
		if (!(record.area > 0.0))
			continue;
		rbl_boxd box = rbl_box_empty_d();
		for (int i = d->face_starts[k]; i < d->face_starts[k + 1]; ++i)
			box = rbl_box_add_point_d(box, d->vertices[d->corner_vertices[i]]);
		box = rbl_box_grow_d(box, f->rounding);
		if (!is_known(f, c, d->plane_ids[k])) {
			rbl_vec3d n = d->planes[k].normal;
			rbl_vec3d across = { tolerance * fabs(n.x), tolerance * fabs(n.y),
				                 tolerance * fabs(n.z) };
			box = (rbl_boxd){ rbl_sub_d(box.lower, across), rbl_add_d(box.upper, across) };
		}
		if (!rbl_array_push(f->allocator, &f->records, record) ||
		    !rbl_array_push(f->allocator, &f->exact, box))
			return false;
	}
	return true;
}

static bool count_groups(finder *f)
{
	const rbl_adjacency_query *s = &f->search;
	for (int c = 0; c < s->count && s->groups; ++c) {
		uint32_t *count = rbl_map_add(f->allocator, &f->groups, (uint32_t)s->groups[c], 0);
		if (!count)
			return false;
		++*count;
	}
	return true;
}

// Faces of convexes that are not alone in their group.
static bool add_some_faces(finder *f, int *budget)
{
	const rbl_adjacency_query *s = &f->search;
	for (; f->next<s->count && * budget> 0; ++f->next) {
		*budget -= 1;
		if (s->groups && rbl_map_get(&f->groups, (uint32_t)s->groups[f->next]) < 2)
			continue;
		*budget -= f->views[f->next].face_count;
		if (!add_faces(f, f->next))
			return false;
	}
	return true;
}

// Boxes for the trees.
static bool make_boxes(finder *f)
{
	int n = f->records.count;
	if (!rbl_array_resize(f->allocator, &f->boxes, n) ||
	    !rbl_quantize_boxes(f->allocator, f->exact.data, n, f->boxes.data))
		return false;
	rbl_array_free(f->allocator, &f->exact);
	return true;
}

static bool is_wanted(const finder *f, int a, int b)
{
	const rbl_adjacency_query *s = &f->search;
	if (a == b || (a >= s->fixed_from && b >= s->fixed_from))
		return false;
	return !s->groups || s->groups[a] == s->groups[b];
}

static bool add_pairs(void *context, const rbl_tree_pair *pairs, int count)
{
	finder *f = context;
	f->tested_count += count;
	for (int i = 0; i < count; ++i) {
		int first = (int)f->sides[f->next_side + (int)pairs[i].a], second = (int)pairs[i].b;
		const face_record *a = &f->records.data[first], *b = &f->records.data[second];
		int common = a->axes & b->axes;
		if (!is_wanted(f, a->convex, b->convex) || (common & -common) != 1 << f->axis)
			continue;
		const rbl_convex_data *of_a = &f->views[a->convex], *of_b = &f->views[b->convex];
		if (rbl_dot_d(of_a->planes[a->face].normal, of_b->planes[b->face].normal) > OPPOSITE)
			continue;
		uint64_t id_a = of_a->plane_ids[a->face], id_b = of_b->plane_ids[b->face];
		if (id_a != id_b && ((is_of_pattern(f, id_a) && is_of_pattern(f, id_b)) ||
		                     (is_known(f, a->convex, id_a) && is_known(f, b->convex, id_b))))
			continue;
		face_pair pair = { .first = first, .second = second };
		if (a->convex > b->convex)
			pair.first = second, pair.second = first;
		if (f->search.should_collide &&
		    !f->search.should_collide(f->search.user, f->records.data[pair.first].convex,
		                              f->records.data[pair.second].convex))
			continue;
		if (!rbl_array_push(f->allocator, &f->pairs, pair)) {
			f->out_of_memory = true;
			return false;
		}
	}
	return true;
}

// The faces that look up a direction, or down it: their numbers.
static int list_side(const finder *f, int axis, bool is_down, uint32_t *ids)
{
	int count = 0;
	for (int i = 0; i < f->records.count; ++i) {
		const face_record *r = &f->records.data[i];
		double along = rbl_axis_d(f->views[r->convex].planes[r->face].normal, axis);
		if ((r->axes >> axis & 1) && (along < 0.0) == is_down)
			ids[count++] = (uint32_t)i;
	}
	return count;
}

// A tree of some faces. Its leaves are their places in the list, or with `is_whole` their numbers.
static rbl_result build_tree(const finder *f, rbl_tree *tree, const uint32_t *ids, int count,
                             bool is_whole)
{
	rbl_box *boxes = RBL_NEW(f->allocator, rbl_box, count + 1);
	if (!boxes)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		boxes[i] = f->boxes.data[ids[i]];
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MORTON, .boxes = boxes };
	input.ids = is_whole ? ids : NULL;
	input.count = count;
	input.jobs = f->search.jobs;
	rbl_result result = count > 0 ? rbl_tree_build(tree, &input) : RBL_OK;
	RBL_FREE(f->allocator, boxes, count + 1);
	return result;
}

static void end_axis(finder *f)
{
	if (!f->sides)
		return;
	rbl_tree_pool_destroy(&f->pool);
	RBL_FREE(f->allocator, f->sides, f->records.count + 1);
	f->sides = NULL;
}

// One direction: a tree of the faces that look down it.
static rbl_result begin_axis(finder *f)
{
	f->sides = RBL_NEW(f->allocator, uint32_t, f->records.count + 1);
	if (!f->sides)
		return RBL_OUT_OF_MEMORY;
	rbl_tree_pool_init(&f->pool, f->allocator, 0);
	f->downs = rbl_tree_make(&f->pool);
	int count = list_side(f, f->axis, true, f->sides);
	rbl_result result = build_tree(f, &f->downs, f->sides, count, true);
	f->side_count = list_side(f, f->axis, false, f->sides);
	f->next_side = 0;
	return result;
}

// Some of those that look up it, against the tree.
static rbl_result query_some(finder *f, int count)
{
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, f->allocator, 0);
	rbl_tree tree = rbl_tree_make(&pool);
	rbl_result result = build_tree(f, &tree, f->sides + f->next_side, count, false);
	if (result == RBL_OK)
		rbl_tree_query_pair(&tree, &f->downs, add_pairs, f);
	rbl_tree_pool_destroy(&pool);
	f->next_side += count;
	return f->out_of_memory ? RBL_OUT_OF_MEMORY : result;
}

static rbl_result query_axis(finder *f, int *budget)
{
	if (!f->sides) {
		f->axis = f->next;
		*budget -= 1 + f->records.count / 2;
		return begin_axis(f);
	}
	int count = rbl_mini(QUERIED_AT_ONCE, f->side_count - f->next_side);
	*budget -= 1 + 2 * count;
	rbl_result result = query_some(f, count);
	if (f->next_side == f->side_count) {
		end_axis(f);
		f->next++;
	}
	return result;
}

// --- the overlap of two faces -------------------------------------------------------------------

typedef struct point2 {
	double x, y;
} point2;

typedef struct face_frame {
	rbl_vec3d origin, u, v;
} face_frame;

static int project(point2 *out, const face_frame *frame, const rbl_convex_data *d, int face)
{
	int n = 0;
	for (int i = d->face_starts[face]; i < d->face_starts[face + 1]; ++i) {
		rbl_vec3d p = rbl_sub_d(d->vertices[d->corner_vertices[i]], frame->origin);
		out[n++] = (point2){ rbl_dot_d(p, frame->u), rbl_dot_d(p, frame->v) };
	}
	return n;
}

// Keep what is left of the line from a to b; at most one point more.
static int clip2(point2 *out, const point2 *in, int count, point2 a, point2 b)
{
	int n = 0;
	double ex = b.x - a.x, ey = b.y - a.y;
	for (int prev = count - 1, i = 0; i < count; prev = i++) {
		double before = ex * (in[prev].y - a.y) - ey * (in[prev].x - a.x);
		double here = ex * (in[i].y - a.y) - ey * (in[i].x - a.x);
		if ((before < 0.0) != (here < 0.0)) {
			double t = before / (before - here);
			out[n++] = (point2){ in[prev].x + t * (in[i].x - in[prev].x),
				                 in[prev].y + t * (in[i].y - in[prev].y) };
		}
		if (!(here < 0.0))
			out[n++] = in[i];
	}
	return n;
}

static double area2(const point2 *p, int count, point2 *centre)
{
	double sum = 0.0, cx = 0.0, cy = 0.0;
	for (int i = 1; i + 1 < count; ++i) {
		double ax = p[i].x - p[0].x, ay = p[i].y - p[0].y;
		double bx = p[i + 1].x - p[0].x, by = p[i + 1].y - p[0].y;
		double cross = ax * by - ay * bx;
		sum += cross;
		cx += cross * (ax + bx);
		cy += cross * (ay + by);
	}
	if (sum > 0.0)
		*centre = (point2){ p[0].x + cx / (3.0 * sum), p[0].y + cy / (3.0 * sum) };
	return 0.5 * sum;
}

// The corners of the overlap, which lie in the first plane, are near the second as well.
static bool is_flat(const face_frame *frame, const point2 *p, int count, rbl_vec3d normal,
                    rbl_vec3d on_plane, double tolerance)
{
	double start = rbl_dot_d(normal, rbl_sub_d(frame->origin, on_plane));
	double along_u = rbl_dot_d(normal, frame->u), along_v = rbl_dot_d(normal, frame->v);
	for (int i = 0; i < count; ++i) {
		if (!(fabs(start + along_u * p[i].x + along_v * p[i].y) <= tolerance))
			return false;
	}
	return true;
}

typedef point2 overlap_corners[2 * MAX_CORNERS];

// The overlap of two faces that look at each other, in the plane of the first.
// @return the number of its corners
static int overlap_of(const rbl_convex_data *a, int face_a, const rbl_convex_data *b, int face_b,
                      face_frame *frame, overlap_corners corners)
{
	rbl_vec3d normal = a->planes[face_a].normal;
	frame->origin = a->vertices[a->corner_vertices[a->face_starts[face_a]]];
	frame->u = rbl_normalize_d(rbl_perpendicular_d(normal));
	frame->v = rbl_cross_d(normal, frame->u);

	point2 edges[MAX_CORNERS];
	overlap_corners buffers[2];
	int edge_count = project(edges, frame, a, face_a);
	int count = project(buffers[0], frame, b, face_b);
	for (int i = 0; i < count / 2; ++i) { // seen from the other side: turn it round
		point2 swap = buffers[0][i];
		buffers[0][i] = buffers[0][count - 1 - i];
		buffers[0][count - 1 - i] = swap;
	}
	double size = 0.0;
	for (int i = 0; i < edge_count; ++i)
		size = rbl_maxd(size, rbl_maxd(fabs(edges[i].x), fabs(edges[i].y)));
	int now = 0;
	for (int i = 0; i < edge_count && count > 0; ++i) {
		point2 end = edges[i + 1 < edge_count ? i + 1 : 0];
		// Corners that are one but for rounding have an edge in any direction: it may cut all away.
		if (fabs(end.x - edges[i].x) + fabs(end.y - edges[i].y) <= 1e-12 * size)
			continue;
		count = clip2(buffers[!now], buffers[now], count, edges[i], end);
		now = !now;
	}
	memcpy(corners, buffers[now], (size_t)count * sizeof *corners);
	return count;
}

int rbl_face_overlap(const rbl_convex_data *a, int face_a, const rbl_convex_data *b, int face_b,
                     rbl_vec3d *corners)
{
	face_frame frame;
	overlap_corners p;
	int count = overlap_of(a, face_a, b, face_b, &frame, p);
	for (int i = 0; i < count; ++i) {
		corners[i] = rbl_add_scaled_d(frame.origin, p[i].x, frame.u);
		corners[i] = rbl_add_scaled_d(corners[i], p[i].y, frame.v);
	}
	return count;
}

rbl_mat3d rbl_face_overlap_moments(const rbl_convex_data *a, int face_a, const rbl_convex_data *b,
                                   int face_b)
{
	face_frame frame;
	overlap_corners p;
	int count = overlap_of(a, face_a, b, face_b, &frame, p);
	point2 centre = { 0.0, 0.0 };
	double xx = 0.0, xy = 0.0, yy = 0.0;
	if (count > 2)
		area2(p, count, &centre);
	for (int i = 0; i < count; ++i) { // triangles from the centre
		point2 q = p[i], r = p[i + 1 < count ? i + 1 : 0];
		q.x -= centre.x, q.y -= centre.y, r.x -= centre.x, r.y -= centre.y;
		double twelfth = (q.x * r.y - q.y * r.x) / 12.0;
		xx += twelfth * (q.x * q.x + q.x * r.x + r.x * r.x);
		yy += twelfth * (q.y * q.y + q.y * r.y + r.y * r.y);
		xy += twelfth * (q.x * q.y + r.x * r.y + 0.5 * (q.x * r.y + r.x * q.y));
	}
	rbl_vec3d along_u = rbl_add_d(rbl_scale_d(xx, frame.u), rbl_scale_d(xy, frame.v));
	rbl_vec3d along_v = rbl_add_d(rbl_scale_d(xy, frame.u), rbl_scale_d(yy, frame.v));
	rbl_vec3d columns[3];
	for (int k = 0; k < 3; ++k)
		columns[k] = rbl_add_d(rbl_scale_d(rbl_axis_d(frame.u, k), along_u),
		                       rbl_scale_d(rbl_axis_d(frame.v, k), along_v));
	return (rbl_mat3d){ columns[0], columns[1], columns[2] };
}

static void test_pair(const finder *f, face_pair *pair)
{
	const face_record *ra = &f->records.data[pair->first], *rb = &f->records.data[pair->second];
	const rbl_convex_data *a = &f->views[ra->convex], *b = &f->views[rb->convex];
	face_frame frame;
	overlap_corners corners;
	int count = overlap_of(a, ra->face, b, rb->face, &frame, corners);
	point2 centre = { 0.0, 0.0 };
	double area = count > 2 ? area2(corners, count, &centre) : 0.0;
	if (!(area > f->search.tolerance * rbl_mind(ra->area, rb->area)))
		return;
	uint64_t id_a = a->plane_ids[ra->face], id_b = b->plane_ids[rb->face];
	if (id_a != id_b || id_a == RBL_NO_PLANE_ID) {
		double size = rbl_mind(f->sizes[ra->convex], f->sizes[rb->convex]);
		rbl_vec3d on_plane = b->vertices[b->corner_vertices[b->face_starts[rb->face]]];
		double tolerance = f->search.tolerance * size + 1e-14 * f->extent;
		if (!is_flat(&frame, corners, count, b->planes[rb->face].normal, on_plane, tolerance))
			return;
	}
	pair->touches = true;
	rbl_vec3d place = rbl_add_scaled_d(frame.origin, centre.x, frame.u);
	place = rbl_add_scaled_d(place, centre.y, frame.v);
	pair->pair = (rbl_adjacent_pair){ ra->convex, rb->convex, ra->face, rb->face,
		                              area,       place,      false,    false };
}

static void test_block(void *context, int begin, int end, int worker)
{
	finder *f = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		test_pair(f, &f->pairs.data[f->next + i]);
}

// In order, and of several adjacencies of one pair the largest.
static rbl_result collect(finder *f, rbl_adjacent_pairs *contacts)
{
	int n = 0;
	rbl_sort_item64 *items = RBL_NEW(f->allocator, rbl_sort_item64, 2 * (size_t)f->pairs.count + 1);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < f->pairs.count; ++i) {
		const face_pair *pair = &f->pairs.data[i];
		if (pair->touches)
			items[n++] = (rbl_sort_item64){ (uint64_t)pair->pair.a << 32 | (uint32_t)pair->pair.b,
				                            (uint32_t)i, 0 };
	}
	rbl_sort64(items, items + f->pairs.count, n);
	bool fits = rbl_array_reserve(f->allocator, &contacts->items, n);
	for (int i = 0; i < n && fits; ++i) {
		const rbl_adjacent_pair *pair = &f->pairs.data[items[i].value].pair;
		rbl_adjacent_pair *last = &contacts->items.data[contacts->items.count - 1];
		if (contacts->items.count > 0 && last->a == pair->a && last->b == pair->b) {
			if (pair->area > last->area)
				*last = *pair;
			continue;
		}
		contacts->items.data[contacts->items.count++] = *pair;
	}
	RBL_FREE(f->allocator, items, 2 * (size_t)f->pairs.count + 1);
	return fits ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// Sizes, the extent of everything, and capacity for all faces.
static rbl_result measure(finder *f)
{
	const rbl_adjacency_query *s = &f->search;
	f->views = RBL_NEW(f->allocator, rbl_convex_data, s->count);
	f->sizes = RBL_NEW(f->allocator, double, s->count);
	if (!f->views || !f->sizes)
		return RBL_OUT_OF_MEMORY;
	rbl_boxd bounds = rbl_box_empty_d();
	int64_t faces = 0;
	for (int c = 0; c < s->count; ++c) {
		f->views[c] = rbl_convex_get_data(s->convexes[c]);
		rbl_boxd box = convex_box(&f->views[c]);
		f->sizes[c] = rbl_length_d(rbl_box_size_d(box));
		bounds = rbl_box_join_d(bounds, box);
		faces += f->views[c].face_count;
	}
	if (faces > INT_MAX / 8)
		return rbl_fail(RBL_LIMIT_REACHED, "%lld faces are too many", (long long)faces);
	f->extent = rbl_length_d(rbl_box_size_d(bounds));
	double far = rbl_maxd(rbl_length_d(bounds.lower), rbl_length_d(bounds.upper));
	f->rounding = 1e-14 * f->extent + 4e-15 * far;
	if (!rbl_array_reserve(f->allocator, &f->records, (int)faces) ||
	    !rbl_array_reserve(f->allocator, &f->exact, (int)faces))
		return RBL_OUT_OF_MEMORY;
	return count_groups(f) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

static void enter_adjacency_stage(finder *f, adjacency_stage next_stage)
{
	f->stage = next_stage;
	f->next = 0;
}

// One step.
static rbl_result advance_adjacency(finder *f, int *budget, rbl_adjacent_pairs *contacts)
{
	rbl_result result = RBL_OK;
	switch (f->stage) {
	case MEASURE:
		*budget -= 1 + f->search.count;
		enter_adjacency_stage(f, ADD_FACES);
		return measure(f);
	case ADD_FACES:
		result = add_some_faces(f, budget) ? RBL_OK : RBL_OUT_OF_MEMORY;
		if (result != RBL_OK || f->next < f->search.count)
			return result;
		enter_adjacency_stage(f, QUERY);
		return make_boxes(f) ? RBL_OK : RBL_OUT_OF_MEMORY;
	case QUERY:
		result = query_axis(f, budget);
		if (f->next == 3)
			enter_adjacency_stage(f, TEST);
		return result;
	case TEST: {
		int n = rbl_mini(*budget, f->pairs.count - f->next);
		*budget -= n;
		rbl_parallel_for(f->search.jobs, n, PAIR_BLOCK, test_block, f);
		f->next += n;
		if (f->next == f->pairs.count)
			enter_adjacency_stage(f, COLLECT);
		return RBL_OK;
	}
	case COLLECT:
		*budget -= f->pairs.count / 8; // most are passed over
		enter_adjacency_stage(f, ADJACENCY_DONE);
		contacts->tested_count = (int)(f->tested_count < INT_MAX ? f->tested_count : INT_MAX);
		return collect(f, contacts);
	case ADJACENCY_DONE:
		break;
	}
	return result;
}

rbl_adjacency_search *rbl_adjacency_search_begin(const rbl_allocator *allocator,
                                                 const rbl_adjacency_query *search)
{
	finder *f = RBL_NEW_ZERO(allocator, finder, 1);
	if (!f)
		return NULL;
	f->allocator = allocator;
	f->search = *search;
	f->stage = search->count < 2 ? ADJACENCY_DONE : MEASURE;
	return f;
}

rbl_result rbl_adjacency_search_work(rbl_adjacency_search *f, int *budget,
                                     rbl_adjacent_pairs *contacts, bool *is_done)
{
	rbl_result result = RBL_OK;
	while (result == RBL_OK && *budget > 0 && f->stage != ADJACENCY_DONE)
		result = advance_adjacency(f, budget, contacts);
	*is_done = result == RBL_OK && f->stage == ADJACENCY_DONE;
	return result;
}

void rbl_adjacency_search_end(rbl_adjacency_search *f)
{
	if (!f)
		return;
	const rbl_allocator *a = f->allocator;
	end_axis(f);
	rbl_map_free(a, &f->groups);
	RBL_FREE(a, f->views, f->search.count);
	RBL_FREE(a, f->sizes, f->search.count);
	rbl_array_free(a, &f->records);
	rbl_array_free(a, &f->exact);
	rbl_array_free(a, &f->boxes);
	rbl_array_free(a, &f->pairs);
	RBL_FREE(a, f, 1);
}

rbl_result rbl_find_adjacent_pairs(const rbl_allocator *allocator,
                                   const rbl_adjacency_query *search, rbl_adjacent_pairs *contacts)
{
	finder *f = rbl_adjacency_search_begin(allocator, search);
	rbl_result result = f ? RBL_OK : RBL_OUT_OF_MEMORY;
	bool is_done = false;
	while (result == RBL_OK && !is_done)
		result = rbl_adjacency_search_work(f, &(int){ INT_MAX }, contacts, &is_done);
	rbl_adjacency_search_end(f);
	if (result != RBL_OK)
		rbl_array_free(allocator, &contacts->items);
	return result;
}
