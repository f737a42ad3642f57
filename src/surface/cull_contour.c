// SPDX-License-Identifier: MIT
//
// Contours: whether a set of triangles can touch itself, never wrong when the answer is no.
//
// Take consistently oriented triangles that all face a direction V, and look along V. The number of
// triangles that cover a point of the projection is the winding number of the projection's boundary
// there: of the directed edges that are left after opposite half-edges cancel. So nothing is
// covered twice, and nothing touches, when the loops of the boundary are simple and apart, with
// exactly one counter-clockwise loop; or with several, each wound round by none of the others.
// Whether the set is connected, or its vertices have one fan, does not matter.
//
// Two loops may touch at a vertex of the mesh when the wedges of the surface there are apart.
//
// Signs are certified: coordinates are relative to a corner of the node's box, in double precision,
// and a cross product counts only beyond 2e-14 R^2, R the sum of the box's sides. Over a step, V is
// fixed, the cross products are quadratics in time, and all three coefficients must agree. In a
// search the step ends at the worker's `until`, by an interpolation in double precision.
//
// A contour is robust when all of this holds although each vertex moves by up to a margin s. A
// point of the projection then moves by s, an arrow between two by 2 s, and the area that two
// arrows span by 2 s (|a| + |b| + 2 s) at most, so areas must be beyond that; edges that share no
// vertex lie on two sides of a line along one of them, by more than 2 s. How loops are turned, and
// which lies in which, is asked without a margin: loops that stay simple and apart do not turn
// over, nor get into each other. Over a step the coefficients must be beyond the bounds that the
// longest arrows give.
//
// Nothing is kept from frame to frame: the boundary is collected when it is needed
// (surface/cull_boundary.c), so a fracture costs no upkeep. A quick test comes first: one loop that
// is star-shaped round its middle is simple.

#include "surface/cull.h"
#include "surface/surface_kernels.h"

enum {
	MAX_CONTOUR = 1 << 14, // edges of a boundary that is tested
	MAX_OUTER_LOOPS = 32,  // counter-clockwise ones, each held against all loops
	MAX_TRIES = 8,         // points of a loop that are asked how often others wind round it
	CONTOUR_AHEAD = 4,     // clusters between prefetching one, for its triangles, and reading them
};

typedef struct contour {
	const rbl_surface *surface;
	rbl_surface_worker *worker;
	const rbl_surface_contour_point *points;
	const int *vertices; // ids
	int count, times;
	bool has_lines; // not loops
	double error, margin;
	rbl_surface_contour_view view;
} contour;

static bool project(contour *c)
{
	rbl_surface_worker *worker = c->worker;
	if (!rbl_array_resize(&c->surface->allocator, &worker->points, worker->edges.count))
		return false;
	c->count = worker->edges.count;
	c->vertices = worker->edges.data;
	c->points = worker->points.data;
	for (int time = 0; time < c->times; ++time)
		RBL_PICK(rbl_surface_contour_project)
	(&c->view, c->surface->positions[c->times == 1 ? 1 : time], c->vertices, c->count, time,
	 worker->points.data);
	double until = (double)worker->until;
	for (int i = 0; until < 1.0 && c->times == 2 && i < c->count; ++i) {
		rbl_surface_contour_point *p = &worker->points.data[i];
		p->x[1] = p->x[0] + until * (p->x[1] - p->x[0]);
		p->y[1] = p->y[0] + until * (p->y[1] - p->y[0]);
	}
	return true;
}

// --- signs --------------------------------------------------------------------------------------

typedef struct arrow {
	double x[2], y[2];
} arrow;

static arrow between(const rbl_surface_contour_point *a, const rbl_surface_contour_point *b,
                     int times)
{
	arrow d;
	for (int time = 0; time < times; ++time) {
		d.x[time] = b->x[time] - a->x[time];
		d.y[time] = b->y[time] - a->y[time];
	}
	return d;
}

// The sign that all coefficients have, 0 when they differ or are not certain.
static int common_sign(const double *values, int count, double error)
{
	bool up = true, down = true;
	for (int i = 0; i < count; ++i) {
		up &= values[i] > error;
		down &= values[i] < -error;
	}
	return up ? 1 : down ? -1 : 0;
}

// The longest that an arrow gets, and more.
static double size_of(const arrow *a, int times)
{
	double start = fabs(a->x[0]) + fabs(a->y[0]);
	return times == 1 ? start : rbl_maxd(start, fabs(a->x[1]) + fabs(a->y[1]));
}

// What the area of two arrows must be beyond, to be certain and to stay so.
static double margin(const contour *c, const arrow *a, const arrow *b)
{
	if (c->margin == 0.0)
		return c->error;
	double lengths = size_of(a, c->times) + size_of(b, c->times);
	return c->error + 2.0 * c->margin * (lengths + 2.0 * c->margin);
}

// The coefficients of the area that two arrows span. @return how many
static int cross_values(const contour *c, arrow a, arrow b, double *values)
{
	values[0] = a.x[0] * b.y[0] - a.y[0] * b.x[0];
	if (c->times == 1)
		return 1;
	values[1] = 0.5 * (a.x[0] * b.y[1] - a.y[0] * b.x[1] + a.x[1] * b.y[0] - a.y[1] * b.x[0]);
	values[2] = a.x[1] * b.y[1] - a.y[1] * b.x[1];
	return 3;
}

static int cross_sign(const contour *c, arrow a, arrow b)
{
	double values[3];
	return common_sign(values, cross_values(c, a, b, values), margin(c, &a, &b));
}

static int dot_sign(const contour *c, arrow a, arrow b)
{
	double values[3] = { a.x[0] * b.x[0] + a.y[0] * b.y[0] };
	if (c->times == 1)
		return common_sign(values, 1, margin(c, &a, &b));
	values[1] = 0.5 * (a.x[0] * b.x[1] + a.y[0] * b.y[1] + a.x[1] * b.x[0] + a.y[1] * b.y[0]);
	values[2] = a.x[1] * b.x[1] + a.y[1] * b.y[1];
	return common_sign(values, 3, margin(c, &a, &b));
}

// Whether two points lie on one side of the line through an edge, all the time; or beyond what they
// may move from where the line is now.
static bool on_one_side(const contour *c, const rbl_surface_contour_point *a,
                        const rbl_surface_contour_point *b, const rbl_surface_contour_point *p,
                        const rbl_surface_contour_point *q)
{
	arrow edge = between(a, b, c->times), to_p = between(a, p, c->times),
		  to_q = between(a, q, c->times);
	double beyond = c->error + 2.0 * c->margin * size_of(&edge, c->times), sides[6];
	int count = cross_values(c, edge, to_p, sides);
	count += cross_values(c, edge, to_q, sides + count);
	return common_sign(sides, count, beyond) != 0;
}

// --- loops --------------------------------------------------------------------------------------

// Loops as ranges of points.
static int loop_begin(const contour *c, int loop)
{
	return loop == 0 ? 0 : c->worker->loop_ends.data[loop - 1];
}

static int loop_end(const contour *c, int loop)
{
	return c->worker->loop_ends.data[loop];
}

static bool loop_is_star(const contour *c)
{
	rbl_surface_contour_point middle = { { 0.0, 0.0 }, { 0.0, 0.0 } };
	for (int i = 0; i < c->count; ++i)
		for (int time = 0; time < c->times; ++time) {
			middle.x[time] += c->points[i].x[time];
			middle.y[time] += c->points[i].y[time];
		}
	for (int time = 0; time < c->times; ++time) {
		middle.x[time] /= c->count;
		middle.y[time] /= c->count;
	}
	int rises = 0;
	arrow last = between(&middle, &c->points[c->count - 1], c->times);
	for (int i = 0; i < c->count; ++i) {
		arrow next = between(&middle, &c->points[i], c->times);
		if (cross_sign(c, last, next) <= 0)
			return false;
		rises += last.y[0] < 0.0 && next.y[0] >= 0.0;
		last = next;
	}
	return rises == 1;
}

// Twice the area of a loop at the start, and its sign: simple loops do not turn over in a step.
static int loop_sign(const contour *c, int begin, int end)
{
	double sum = 0.0;
	const rbl_surface_contour_point *first = &c->points[begin];
	arrow a = between(first, &c->points[begin + 1], 1);
	for (int i = begin + 2; i < end; ++i) {
		arrow b = between(first, &c->points[i], 1);
		sum += a.x[0] * b.y[0] - a.y[0] * b.x[0];
		a = b;
	}
	return common_sign(&sum, 1, c->error * (end - begin));
}

// How often a loop winds round a point at the start; INT_MAX when it is not certain.
static int winding(const contour *c, int begin, int end, const rbl_surface_contour_point *p)
{
	int crossings = 0;
	for (int prev = end - 1, i = begin; i < end; prev = i++) {
		const rbl_surface_contour_point *a = &c->points[prev], *b = &c->points[i];
		bool low = a->y[0] <= p->y[0], high = b->y[0] <= p->y[0];
		if (low == high)
			continue;
		arrow edge = between(a, b, 1), to = between(a, p, 1);
		double cross = edge.x[0] * to.y[0] - edge.y[0] * to.x[0];
		if (fabs(cross) <= c->error)
			return INT32_MAX;
		crossings += low && cross > 0.0 ? 1 : !low && cross < 0.0 ? -1 : 0;
	}
	return crossings;
}

// Whether loops other than one wind round it, or may do so. Loops touch at vertices at most, so the
// middle of an edge lies beside all others: they were found to be apart from the edge by signs
// beyond 2e-14 R^2, hence by more than 1e-14 R at its middle, which is rounded by less than
// 1e-15 R. (A vertex does not tell where others pass it.)
static bool is_wound_round(const contour *c, int own)
{
	int begin = loop_begin(c, own), size = loop_end(c, own) - begin;
	int tries = size < MAX_TRIES ? size : MAX_TRIES;
	for (int i = 0; i < tries; ++i) {
		int edge = (int)((int64_t)i * size / tries);
		const rbl_surface_contour_point *from = &c->points[begin + edge];
		const rbl_surface_contour_point *to = &c->points[begin + (edge + 1 < size ? edge + 1 : 0)];
		const rbl_surface_contour_point middle = { .x = { 0.5 * (from->x[0] + to->x[0]) },
			                                       .y = { 0.5 * (from->y[0] + to->y[0]) } };
		int crossings = 0, last = 0;
		for (int loop = 0; loop < c->worker->loop_ends.count && last != INT32_MAX; ++loop) {
			if (loop == own)
				continue;
			last = winding(c, loop_begin(c, loop), loop_end(c, loop), &middle);
			crossings += last == INT32_MAX ? 0 : last;
		}
		if (last != INT32_MAX)
			return crossings != 0;
	}
	return true;
}

// Exactly one counter-clockwise loop, or several that nothing winds round.
static bool loops_cover_once(const contour *c)
{
	int outer[MAX_OUTER_LOOPS], outer_count = 0, loops = c->worker->loop_ends.count;
	for (int loop = 0; loop < loops; ++loop) {
		int sign = loop_sign(c, loop_begin(c, loop), loop_end(c, loop));
		if (sign == 0 || (sign > 0 && outer_count == MAX_OUTER_LOOPS))
			return false;
		if (sign > 0)
			outer[outer_count++] = loop;
	}
	for (int i = 0; outer_count > 1 && i < outer_count; ++i)
		if (is_wound_round(c, outer[i]))
			return false;
	return outer_count >= 1;
}

// --- pairs of edges -----------------------------------------------------------------------------

// Edge i runs from point i to the next of its loop.

// Whether a direction is certainly outside the sector from a counter-clockwise to b: to the right
// of a, and b to the right of it, whatever the sector; or one of these, when the sector is less
// than half a turn. Boundaries run straight on more often than not, so its width may well be
// uncertain.
static bool is_outside(const contour *c, arrow d, arrow a, arrow b)
{
	bool is_right = cross_sign(c, a, d) < 0, is_left = cross_sign(c, d, b) < 0;
	return (is_right && is_left) || ((is_right || is_left) && cross_sign(c, a, b) > 0);
}

// Where the boundary passes a vertex: in from `before`, out to `after`; the surface lies from the
// way out counter-clockwise to the way in.
typedef struct passage {
	arrow out, in;
} passage;

static passage passage_at(const contour *c, const int *befores, const int *afters, int point)
{
	const rbl_surface_contour_point *p = &c->points[point];
	return (passage){ between(p, &c->points[afters[point]], c->times),
		              between(p, &c->points[befores[point]], c->times) };
}

static bool wedges_are_apart(const contour *c, const int *befores, const int *afters, int p, int q)
{
	passage a = passage_at(c, befores, afters, p), b = passage_at(c, befores, afters, q);
	return is_outside(c, b.out, a.out, a.in) && is_outside(c, b.in, a.out, a.in) &&
	       is_outside(c, a.out, b.out, b.in);
}

// Two edges that leave one point: whether they share nothing else.
static bool part_at(const contour *c, int point, int a, int b)
{
	arrow to_a = between(&c->points[point], &c->points[a], c->times);
	arrow to_b = between(&c->points[point], &c->points[b], c->times);
	return cross_sign(c, to_a, to_b) != 0 || dot_sign(c, to_a, to_b) < 0;
}

// Two edges that do not follow each other.
static bool edges_are_apart(const contour *c, const int *befores, const int *afters, int i, int k)
{
	int i2 = afters[i], k2 = afters[k];
	const int *v = c->vertices;
	if (v[i] == v[k] || v[i] == v[k2] || v[i2] == v[k] || v[i2] == v[k2]) {
		if (c->has_lines)
			return true;
		// A vertex that the boundary passes twice: the wedges there must be apart, then so are the
		// edges, which lie on the boundaries of the wedges.
		int p = v[i] == v[k] || v[i] == v[k2] ? i : i2;
		int q = v[p] == v[k] ? k : k2;
		int p_far = p == i ? i2 : i, q_far = q == k ? k2 : k;
		if (v[p_far] == v[q_far])
			return false; // the same edge twice
		return wedges_are_apart(c, befores, afters, p, q);
	}
	const rbl_surface_contour_point *points = c->points;
	return on_one_side(c, &points[i], &points[i2], &points[k], &points[k2]) ||
	       on_one_side(c, &points[k], &points[k2], &points[i], &points[i2]);
}

// Whether each edge parts from the one after it.
static bool loops_continue(const contour *c, const int *befores, const int *afters)
{
	for (int i = 0; i < c->count; ++i)
		if (!part_at(c, i, befores[i], afters[i]))
			return false;
	return true;
}

static void link_points(const contour *c, int *befores, int *afters)
{
	for (int i = 0; c->has_lines && i < c->count; ++i)
		befores[i] = afters[i] = i ^ 1;
	for (int loop = 0; loop < c->worker->loop_ends.count; ++loop) {
		int begin = loop_begin(c, loop), end = loop_end(c, loop);
		for (int prev = end - 1, i = begin; i < end; prev = i++) {
			befores[i] = prev;
			afters[prev] = i;
		}
	}
}

// All edges that may touch must be apart.
static bool edges_are_simple(contour *c)
{
	rbl_surface_worker *worker = c->worker;
	const rbl_allocator *allocator = &c->surface->allocator;
	int count = c->has_lines ? c->count / 2 : c->count,
		blocks = rbl_surface_contour_block_count(count);
	if (!rbl_array_resize(allocator, &worker->links, 2 * c->count) ||
	    !rbl_array_resize(allocator, &worker->spans,
	                      blocks + rbl_surface_contour_block_count(blocks)) ||
	    !rbl_array_resize(allocator, &worker->near, 8 * count))
		return false;
	int *befores = worker->links.data, *afters = befores + c->count;
	link_points(c, befores, afters);
	if (!c->has_lines && !loops_continue(c, befores, afters))
		return false;
	// Space for errors near zero.
	const rbl_surface_contour_edges edges = { .points = c->points,
		                                      .ends = c->has_lines ? NULL : worker->loop_ends.data,
		                                      .count = count,
		                                      .times = c->times,
		                                      .margin = c->margin + sqrt(c->error) * 1e-6 };
	RBL_PICK(rbl_surface_contour_bound_edges)(&edges, worker->spans.data);
	int scale = c->has_lines ? 2 : 1; // from edges to their first points
	for (int block = 0; block < blocks; ++block) {
		const rbl_surface_contour_pair *pairs = worker->near.data;
		int found = RBL_PICK(rbl_surface_contour_overlaps)(worker->spans.data, count, block,
		                                                   worker->near.data);
		for (int i = 0; i < found; ++i) {
			int a = scale * pairs[i].a, b = scale * pairs[i].b;
			if (afters[a] != b && afters[b] != a && !edges_are_apart(c, befores, afters, a, b))
				return false;
		}
	}
	return true;
}

// Test the boundary of what was collected. @return false when it is not clear, or memory ran out
static bool contour_is_simple(contour *c, rbl_box box, rbl_vec3 direction, bool real_only)
{
	rbl_surface_worker *worker = c->worker;
	int border = worker->boundary_edges.count;
	if (border == 0)
		return real_only; // a closed surface cannot face one way
	if (border > MAX_CONTOUR || !(real_only ? rbl_surface_boundary_lines(c->surface, worker)
	                                        : rbl_surface_boundary_loops(c->surface, worker)))
		return false;
	c->has_lines = real_only;
	rbl_vec3d size = rbl_sub_d(rbl_to_d(box.upper), rbl_to_d(box.lower));
	double extent = size.x + size.y + size.z;
	if (!(extent < 1e60))
		return false;
	c->error = 2e-14 * extent * extent;
	rbl_vec3d v = rbl_normalize_d(rbl_to_d(direction)), right = rbl_perpendicular_d(v);
	c->view = (rbl_surface_contour_view){ rbl_to_d(box.lower), right, rbl_cross_d(v, right) };
	if (!project(c))
		return false;
	if (!real_only && worker->loop_ends.count == 1 && loop_is_star(c))
		return true;
	return edges_are_simple(c) && (real_only || loops_cover_once(c));
}

bool rbl_surface_contour_is_simple(const rbl_surface *surface, rbl_surface_worker *worker,
                                   uint32_t reference, rbl_box box, rbl_vec3 direction,
                                   bool real_only)
{
	worker->counts.contour_tests++;
	if (!rbl_surface_find_boundary(surface, worker, reference, real_only))
		return false;
	contour c = { .surface = surface, .worker = worker };
	c.times = surface->motion == RBL_SURFACE_CONTINUOUS ? 2 : 1;
	return contour_is_simple(&c, box, direction, real_only);
}

bool rbl_surface_contour_is_robust(const rbl_surface *surface, rbl_surface_worker *worker,
                                   uint32_t reference, rbl_box box, rbl_vec3 direction,
                                   double margin, bool is_swept)
{
	worker->counts.contour_tests += is_swept;
	if (!rbl_surface_find_boundary(surface, worker, reference, false))
		return false;
	contour c = {
		.surface = surface, .worker = worker, .times = 1 + is_swept, .margin = 1.000001 * margin
	};
	if (!contour_is_simple(&c, box, direction, false))
		return false;
	rbl_vec3 unit = rbl_to_f(rbl_normalize_d(rbl_to_d(direction)));
	const int *clusters = worker->clusters.data;
	for (int i = 0, count = worker->clusters.count; i < count; ++i) {
		if (i + 2 * CONTOUR_AHEAD < count)
			rbl_prefetch(surface->cluster_data[clusters[i + 2 * CONTOUR_AHEAD]].triangles);
		const rbl_surface_cluster *next =
			&surface->cluster_data[clusters[i + CONTOUR_AHEAD < count ? i + CONTOUR_AHEAD : i]];
		for (int lane = 0; lane < next->count; ++lane)
			rbl_prefetch(&surface->triangles[3 * next->triangles[lane]]);
		const rbl_surface_cluster *cluster = &surface->cluster_data[clusters[i]];
		bool faces =
			is_swept ? RBL_PICK(rbl_surface_cluster_faces_always)(
						   cluster, surface->positions[0], surface->positions[1],
						   surface->triangles, unit, (float)margin)
					 : RBL_PICK(rbl_surface_cluster_faces)(cluster, surface->positions[1],
		                                                   surface->triangles, unit, (float)margin);
		if (!faces)
			return false;
	}
	return true;
}
