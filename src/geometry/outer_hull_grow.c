// SPDX-License-Identifier: MIT
//
// The growing hull of Mueller et al. 2013, Algorithm 1: points are taken in the order of the volume
// that each adds, and the planes of the faces are pushed out to hold all points.
//
// What each point would add is kept and only changed by faces that come and go, as the paper says.
// Points above no face leave for good, since the hull only grows: after a few steps most are gone.
//
//   - Gains are rounded, but the decision which faces a chosen point sees is exact, so the hull
//     stays closed and convex on any input.
//   - A point counts as above a face only by more than rounding. Such a point can be left outside
//     of the inner hull; the planes that come out of here are pushed to hold every point, exactly,
//     whatever the inner hull looks like.
//   - Points are kept in blocks of 64 that are near each other, each with a box. A sum of rounded
//     products never decreases with the coordinates, so a block is passed over only when no point
//     in it matters: below a face that comes or goes, or short of where a plane is already. That
//     leaves a fifth of the work.

#include "geometry/hull.h"

#include "geometry/geometry_kernels.h"
#include "geometry/predicates.h"

#include "base/sort.h"
#include "base/vec.h"

enum { BOX_POINTS = 64 };

typedef struct face {
	int vertices[3];
	rbl_planed plane; // about the middle and in units of 1 / scale; as long as twice the area
	bool is_seen;     // by the point that is being added
} face;

typedef struct edge {
	int from, to;
} edge;

// Points that are still outside of the hull, of those that were in a box.
typedef struct block {
	rbl_boxd box; // about the middle, in units of 1 / scale
	int count;
	int best;    // the place of the largest gain, -1 none
	double gain; // there
} block;

typedef struct grower {
	const rbl_allocator *allocator;
	const rbl_vec3d *points;
	int point_count;
	rbl_vec3d middle, largest; // of the box around all; the largest magnitude of each coordinate
	double scale;              // a power of two: the points are about within one unit of the middle

	double *numbers; // the arrays of candidates and of x, y, z
	int *indices;
	rbl_hull_candidates candidates; // by blocks: some of the places of each are taken
	double *x, *y, *z;              // all points as they are
	rbl_boxd *boxes;                // of blocks, as they are
	block *blocks;
	int box_count;

	rbl_vec3d inside;      // the middle of the first tetrahedron
	RBL_ARRAY(face) faces; // all there ever were
	RBL_ARRAY(int) alive;
	RBL_ARRAY(edge) edges; // of the faces that are removed
	RBL_ARRAY(rbl_planed) changes;
	RBL_ARRAY(rbl_planed) touching; // those that matter to a block
} grower;

// --- set-up -------------------------------------------------------------------------------------

// Interleave ten bits.
static uint32_t spread(uint32_t v)
{
	v = (v | v << 16) & 0x030000ffu;
	v = (v | v << 8) & 0x0300f00fu;
	v = (v | v << 4) & 0x030c30c3u;
	return (v | v << 2) & 0x09249249u;
}

static uint32_t grid(double x)
{
	return (uint32_t)rbl_clampd((x + 1.0) * 512.0, 0.0, 1023.0);
}

// The order of the points in space, so that the boxes of blocks are small. @return false when
// memory ran out
static bool put_in_order(grower *g)
{
	int n = g->point_count;
	for (int i = 0; i < n; ++i)
		g->candidates.index[i] = i;
	if (n < 4 * BOX_POINTS)
		return true;
	rbl_sort_item *items = RBL_NEW(g->allocator, rbl_sort_item, 2 * (size_t)n);
	if (!items)
		return false;
	for (int i = 0; i < n; ++i) {
		rbl_vec3d p = rbl_scale_d(g->scale, rbl_sub_d(g->points[i], g->middle));
		uint32_t key = spread(grid(p.x)) | spread(grid(p.y)) << 1 | spread(grid(p.z)) << 2;
		items[i] = (rbl_sort_item){ key, (uint32_t)i };
	}
	rbl_sort(items, items + n, n);
	for (int i = 0; i < n; ++i)
		g->candidates.index[i] = (int)items[i].value;
	RBL_FREE(g->allocator, items, 2 * (size_t)n);
	return true;
}

static bool fill_blocks(grower *g)
{
	rbl_boxd bounds = rbl_box_empty_d();
	for (int i = 0; i < g->point_count; ++i)
		bounds = rbl_box_add_point_d(bounds, g->points[i]);
	rbl_vec3d size = rbl_box_size_d(bounds);
	g->middle = rbl_box_centre_d(bounds);
	g->largest = rbl_max_d(bounds.upper, rbl_neg_d(bounds.lower));
	int exponent = 0;
	frexp(rbl_maxd(size.x, rbl_maxd(size.y, size.z)), &exponent);
	g->scale = ldexp(1.0, 1 - exponent);
	if (!put_in_order(g))
		return false;
	for (int first = 0; first < g->point_count; first += BOX_POINTS) {
		block *own = &g->blocks[g->box_count];
		rbl_boxd *box = &g->boxes[g->box_count++];
		*own = (block){ rbl_box_empty_d(), rbl_mini(BOX_POINTS, g->point_count - first), -1, 0.0 };
		*box = rbl_box_empty_d();
		for (int i = first; i < first + own->count; ++i) {
			rbl_vec3d p = g->points[g->candidates.index[i]];
			rbl_vec3d q = rbl_scale_d(g->scale, rbl_sub_d(p, g->middle));
			g->x[i] = p.x, g->y[i] = p.y, g->z[i] = p.z;
			g->candidates.x[i] = q.x, g->candidates.y[i] = q.y, g->candidates.z[i] = q.z;
			own->box = rbl_box_add_point_d(own->box, q);
			*box = rbl_box_add_point_d(*box, p);
		}
	}
	return true;
}

static size_t number_count(const grower *g)
{
	return 8 * ((size_t)g->point_count + 8);
}

static bool set_up(grower *g)
{
	size_t capacity = (size_t)g->point_count + 8;
	g->numbers = RBL_NEW(g->allocator, double, number_count(g));
	g->indices = RBL_NEW(g->allocator, int, capacity);
	g->boxes = RBL_NEW(g->allocator, rbl_boxd, g->point_count / BOX_POINTS + 1);
	g->blocks = RBL_NEW(g->allocator, block, g->point_count / BOX_POINTS + 1);
	if (!g->numbers || !g->indices || !g->boxes || !g->blocks)
		return false;
	double *const arrays = g->numbers;
	g->candidates = (rbl_hull_candidates){ arrays,
		                                   arrays + capacity,
		                                   arrays + 2 * capacity,
		                                   arrays + 3 * capacity,
		                                   arrays + 4 * capacity,
		                                   g->indices,
		                                   0 };
	memset(g->candidates.gain, 0, capacity * sizeof(double));
	memset(g->candidates.seen, 0, capacity * sizeof(double));
	for (int k = 0; k < 3; ++k) // lanes beyond the end are computed, too
		memset(arrays + (size_t)k * capacity + g->point_count, 0, 8 * sizeof(double));
	memset(g->indices + g->point_count, 0, 8 * sizeof(int));
	g->x = arrays + 5 * capacity;
	g->y = arrays + 6 * capacity;
	g->z = arrays + 7 * capacity;
	return fill_blocks(g);
}

static void tear_down(grower *g)
{
	RBL_FREE(g->allocator, g->numbers, number_count(g));
	RBL_FREE(g->allocator, g->indices, (size_t)g->point_count + 8);
	RBL_FREE(g->allocator, g->boxes, g->point_count / BOX_POINTS + 1);
	RBL_FREE(g->allocator, g->blocks, g->point_count / BOX_POINTS + 1);
	rbl_array_free(g->allocator, &g->faces);
	rbl_array_free(g->allocator, &g->alive);
	rbl_array_free(g->allocator, &g->edges);
	rbl_array_free(g->allocator, &g->changes);
	rbl_array_free(g->allocator, &g->touching);
}

// --- the first tetrahedron ----------------------------------------------------------------------

static rbl_vec3d local(const grower *g, int point)
{
	return rbl_scale_d(g->scale, rbl_sub_d(g->points[point], g->middle));
}

// What find_first() looks for in step k.
static double first_value(int k, rbl_vec3d p, rbl_vec3d a, rbl_vec3d b, rbl_vec3d normal)
{
	rbl_vec3d q = rbl_sub_d(p, a);
	return k == 0   ? p.x + 4.0
	       : k == 1 ? rbl_length_squared_d(q)
	       : k == 2 ? rbl_length_squared_d(rbl_cross_d(b, q))
	                : fabs(rbl_dot_d(normal, q));
}

// The most it may be in a box: all four are convex, so at a corner. With some space for rounding.
static double max_in_box(int k, const rbl_boxd *box, rbl_vec3d a, rbl_vec3d b, rbl_vec3d normal)
{
	double largest = 0.0;
	for (int i = 0; i < 8; ++i) {
		rbl_vec3d corner = { i & 1 ? box->upper.x : box->lower.x,
			                 i & 2 ? box->upper.y : box->lower.y,
			                 i & 4 ? box->upper.z : box->lower.z };
		largest = rbl_maxd(largest, first_value(k, corner, a, b, normal));
	}
	return largest * (1.0 + 1e-12) + 1e-14;
}

// The farthest point along x, the farthest from it, and then the largest triangle and tetrahedron.
// @return false for flat points
static bool find_first(grower *g, int corners[4])
{
	const rbl_hull_candidates *c = &g->candidates;
	rbl_vec3d a = { 0.0, 0.0, 0.0 }, b = a, normal = a;
	for (int k = 0; k < 4; ++k) {
		double largest = -1.0;
		corners[k] = 0;
		for (int n = 0; n < g->box_count; ++n) {
			if (max_in_box(k, &g->blocks[n].box, a, b, normal) < largest)
				continue;
			int first = n * BOX_POINTS;
			for (int i = first; i < first + g->blocks[n].count; ++i) {
				rbl_vec3d p = { c->x[i], c->y[i], c->z[i] };
				double value = first_value(k, p, a, b, normal);
				if (value > largest || (value == largest && c->index[i] < corners[k]))
					largest = value, corners[k] = c->index[i];
			}
		}
		rbl_vec3d chosen = local(g, corners[k]);
		if (k == 0)
			a = chosen;
		else if (k == 1)
			b = rbl_sub_d(chosen, a);
		else
			normal = rbl_cross_d(b, rbl_sub_d(chosen, a));
	}
	int side = rbl_orient3d(g->points[corners[0]], g->points[corners[1]], g->points[corners[2]],
	                        g->points[corners[3]]);
	if (side == 0) { // nearly flat: exact tests must find them
		if (rbl_find_simplex(g->points, g->point_count, corners) < 3)
			return false;
		side = rbl_orient3d(g->points[corners[0]], g->points[corners[1]], g->points[corners[2]],
		                    g->points[corners[3]]);
	}
	if (side > 0) {
		int swap = corners[1];
		corners[1] = corners[2], corners[2] = swap;
	}
	return true;
}

// --- growing ------------------------------------------------------------------------------------

static bool add_hull_face(grower *g, int a, int b, int c)
{
	rbl_vec3d p = local(g, a);
	rbl_vec3d normal = rbl_cross_d(rbl_sub_d(local(g, b), p), rbl_sub_d(local(g, c), p));
	double extent = rbl_maxd(fabs(normal.x), rbl_maxd(fabs(normal.y), fabs(normal.z)));
	if (extent < 1e-12) { // a needle: rounding may have turned it anywhere
		rbl_vec3d precise = rbl_precise_normal(g->points[a], g->points[b], g->points[c]);
		normal = rbl_scale_d(g->scale, rbl_scale_d(g->scale, precise));
	}
	double size = fabs(normal.x) + fabs(normal.y) + fabs(normal.z);
	face made = { { a, b, c }, { normal, rbl_dot_d(normal, p) + 0x1p-48 * size }, false };
	return rbl_array_push(g->allocator, &g->alive, g->faces.count) &&
	       rbl_array_push(g->allocator, &g->faces, made) &&
	       rbl_array_push(g->allocator, &g->changes, made.plane);
}

// Forget a point: it moves into the hull, where nothing sees it.
static void retire_point(grower *g, int place)
{
	g->candidates.x[place] = g->inside.x, g->candidates.y[place] = g->inside.y,
	g->candidates.z[place] = g->inside.z;
	g->candidates.gain[place] = g->candidates.seen[place] = 0.0;
}

static bool has_edge(const grower *g, edge wanted)
{
	for (int i = 0; i < g->edges.count; ++i)
		if (g->edges.data[i].from == wanted.from && g->edges.data[i].to == wanted.to)
			return true;
	return false;
}

// Take out the faces that a point sees. Their planes follow in `changes` after those of new ones.
// @return whether there are any; false with *out_of_memory also when memory ran out
static bool remove_seen(grower *g, int point, bool *out_of_memory)
{
	int kept = 0;
	g->edges.count = 0;
	for (int i = 0; i < g->alive.count; ++i) {
		face *f = &g->faces.data[g->alive.data[i]];
		const int *v = f->vertices;
		f->is_seen =
			rbl_orient3d(g->points[v[0]], g->points[v[1]], g->points[v[2]], g->points[point]) > 0;
		if (!f->is_seen) {
			g->alive.data[kept++] = g->alive.data[i];
			continue;
		}
		for (int k = 0; k < 3; ++k) {
			if (!rbl_array_push(g->allocator, &g->edges, ((edge){ v[k], v[(k + 1) % 3] }))) {
				*out_of_memory = true;
				return false;
			}
		}
	}
	bool found = kept < g->alive.count;
	g->alive.count = kept;
	return found;
}

// Add a point to the hull. @return RBL_OK, RBL_BAD_ARGUMENT when it lies inside, RBL_OUT_OF_MEMORY
static rbl_result add_point(grower *g, int point, int *added, int *removed)
{
	bool out_of_memory = false;
	g->changes.count = 0;
	int before = g->faces.count;
	if (!remove_seen(g, point, &out_of_memory))
		return out_of_memory ? RBL_OUT_OF_MEMORY : RBL_BAD_ARGUMENT;
	for (int i = 0; i < g->edges.count; ++i) {
		edge e = g->edges.data[i];
		if (!has_edge(g, (edge){ e.to, e.from }) && !add_hull_face(g, e.from, e.to, point))
			return RBL_OUT_OF_MEMORY;
	}
	*added = g->changes.count;
	for (int i = 0; i < before; ++i) {
		if (!g->faces.data[i].is_seen)
			continue;
		g->faces.data[i].is_seen = false;
		if (!rbl_array_push(g->allocator, &g->changes, g->faces.data[i].plane))
			return RBL_OUT_OF_MEMORY;
	}
	*removed = g->changes.count - *added;
	return RBL_OK;
}

// How far a plane's front reaches over a box: no point in it is above by more.
static double height_over(const rbl_boxd *b, rbl_planed plane)
{
	rbl_vec3d n = plane.normal;
	double x = n.x * (n.x > 0.0 ? b->upper.x : b->lower.x);
	double y = n.y * (n.y > 0.0 ? b->upper.y : b->lower.y);
	double z = n.z * (n.z > 0.0 ? b->upper.z : b->lower.z);
	return x + y + z - plane.offset;
}

// Bring the gains up to date: `added` new faces, then `removed` old ones. The block that has
// `retired` is looked at in any case. @return the place of the largest gain, -1 none
static int update(grower *g, int added, int removed, int retired)
{
	int best = -1;
	double largest = -DBL_MAX;
	for (int b = 0; b < g->box_count; ++b) {
		block *own = &g->blocks[b];
		int first = b * BOX_POINTS, new_count = 0;
		g->touching.count = 0;
		for (int i = 0; i < added + removed && own->count > 0; ++i) {
			if (height_over(&own->box, g->changes.data[i]) > 0.0) {
				g->touching.data[g->touching.count++] = g->changes.data[i];
				new_count += i < added;
			}
		}
		// A block that no face of the first tetrahedron touches has no points outside of it.
		bool is_new = own->best < 0;
		if (own->count > 0 && (g->touching.count > 0 || is_new || retired / BOX_POINTS == b)) {
			rbl_hull_candidates c = { g->candidates.x + first,
				                      g->candidates.y + first,
				                      g->candidates.z + first,
				                      g->candidates.gain + first,
				                      g->candidates.seen + first,
				                      g->candidates.index + first,
				                      own->count };
			int at = RBL_PICK(rbl_hull_update)(&c, g->touching.data, new_count,
			                                   g->touching.count - new_count);
			own->count = c.count;
			own->best = at < 0 ? -1 : first + at;
			own->gain = at < 0 ? 0.0 : g->candidates.gain[own->best];
		}
		if (own->count == 0)
			continue;
		bool is_first =
			own->gain == largest && g->candidates.index[own->best] < g->candidates.index[best];
		if (own->gain > largest || is_first)
			largest = own->gain, best = own->best;
	}
	return best;
}

static rbl_result start(grower *g, rbl_hull_fit *fit, int *best)
{
	int c[4];
	if (!find_first(g, c))
		return RBL_BAD_MESH;
	const int corners[4][3] = {
		{ c[0], c[1], c[2] }, { c[1], c[0], c[3] }, { c[2], c[1], c[3] }, { c[0], c[2], c[3] }
	};
	for (int k = 0; k < 4; ++k) {
		if (!add_hull_face(g, corners[k][0], corners[k][1], corners[k][2]) ||
		    !rbl_array_push(g->allocator, &fit->chosen, c[k]))
			return RBL_OUT_OF_MEMORY;
		g->inside = rbl_add_scaled_d(g->inside, 0.25, local(g, c[k]));
	}
	if (!rbl_array_reserve(g->allocator, &g->touching, 4))
		return RBL_OUT_OF_MEMORY;
	*best = update(g, 4, 0, -BOX_POINTS);
	return RBL_OK;
}

static rbl_result grow_hull(grower *g, int vertex_count, rbl_hull_fit *fit)
{
	int best = -1;
	rbl_result result = start(g, fit, &best);
	while (result == RBL_OK && fit->chosen.count < vertex_count && best >= 0) {
		int added = 0, removed = 0, point = g->candidates.index[best];
		result = add_point(g, point, &added, &removed);
		if (result == RBL_OUT_OF_MEMORY)
			break;
		if (result == RBL_OK && !rbl_array_push(g->allocator, &fit->chosen, point))
			result = RBL_OUT_OF_MEMORY;
		if (result == RBL_BAD_ARGUMENT) // outside by rounding only
			result = RBL_OK;
		retire_point(g, best);
		if (!rbl_array_reserve(g->allocator, &g->touching, added + removed))
			return RBL_OUT_OF_MEMORY;
		best = update(g, added, removed, best);
	}
	return result;
}

// --- planes -------------------------------------------------------------------------------------

static rbl_planed push_out(const grower *g, const face *f)
{
	rbl_vec3d n = f->plane.normal;
	double size = rbl_maxd(fabs(n.x), rbl_maxd(fabs(n.y), fabs(n.z)));
	n = size > 0.0 ? rbl_normalize_d((rbl_vec3d){ n.x / size, n.y / size, n.z / size })
	               : (rbl_vec3d){ 1.0, 0.0, 0.0 };
	double best = -DBL_MAX;
	for (int k = 0; k < 3; ++k)
		best = rbl_maxd(best, rbl_dot_d(n, g->points[f->vertices[k]]));
	for (int i = 0; i < g->box_count; ++i) {
		const rbl_boxd *b = &g->boxes[i];
		double x = n.x * (n.x > 0.0 ? b->upper.x : b->lower.x);
		double y = n.y * (n.y > 0.0 ? b->upper.y : b->lower.y);
		double z = n.z * (n.z > 0.0 ? b->upper.z : b->lower.z);
		if (!(x + y + z > best))
			continue;
		int first = i * BOX_POINTS, count = rbl_mini(BOX_POINTS, g->point_count - first);
		best = RBL_PICK(rbl_hull_support)(g->x + first, g->y + first, g->z + first, count, n, best);
	}
	// The largest sum of magnitudes that any point may have bounds what rounding does.
	double extent = fabs(n.x) * g->largest.x + fabs(n.y) * g->largest.y + fabs(n.z) * g->largest.z;
	return (rbl_planed){ n, best + 8.0 * 0x1p-53 * extent };
}

rbl_result rbl_hull_fit_planes(const rbl_allocator *allocator, const rbl_vec3d *points,
                               int point_count, int vertex_count, bool keeps_directions,
                               rbl_hull_fit *fit)
{
	grower g = { .allocator = allocator, .points = points, .point_count = point_count };
	rbl_result result = set_up(&g) ? grow_hull(&g, vertex_count, fit) : RBL_OUT_OF_MEMORY;
	int count = keeps_directions ? g.faces.count : g.alive.count;
	if (result == RBL_OK && !rbl_array_reserve(allocator, &fit->planes, count))
		result = RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		int f = keeps_directions ? i : g.alive.data[i];
		fit->planes.data[fit->planes.count++] = push_out(&g, &g.faces.data[f]);
	}
	tear_down(&g);
	return result;
}

void rbl_hull_fit_free(const rbl_allocator *allocator, rbl_hull_fit *fit)
{
	rbl_array_free(allocator, &fit->chosen);
	rbl_array_free(allocator, &fit->planes);
}
