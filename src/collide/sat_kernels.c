// SPDX-License-Identifier: MIT
//
// The separating axis test (SAT): the search for the axis along which two polyhedra are farthest
// apart, or overlap least; and the support functions.
//
// The candidates are the faces of the Minkowski difference: the faces of A, those of B, and pairs
// of edges whose arcs on the Gauss map cross. An edge is an arc between the normals of its two
// faces; with a, b of an edge of A, and c, d of an edge of B, both directions p = a x b and q = c x
// d, the arc of A crosses the mirrored arc of B exactly when
//
//     (c.p)(d.p) < 0,   (a.q)(b.q) < 0,   (c.p)(b.q) < 0
//
// and then the axis is b (a.q) - a (b.q), with the sign of a.q: a combination of a and b, so it
// points out of A in spite of rounding, also when the edges are nearly parallel, where p x q is
// noise. No support is needed: crossing arcs mean that both edges are extreme along the axis.
//
// Of 900 pairs of edges of two hulls of twelve points about 24 cross. The signs of a.q and b.q are
// needed for whole faces of A, so they are computed once per face and kept as bits.
//
// Most edges need not be tested, because they are on the far side. Let c be any point of B, and f a
// point of an edge of A. Along an axis n on the arc of that edge, B begins no farther out than c:
//
//     separation <= n.(c - f) = (x a.(c - f) + y b.(c - f)) / |x a + y b|,   x, y >= 0
//
// and a.(c - f) is the distance of c from the plane of a. Where c is behind both planes, this is
// not above the lesser of the two depths. So when c is deeper behind both than the best face says,
// no axis of the edge can be better than that face. The same holds for edges of B and a point of A.
// About a third of the edges of either is left.

#include "collide/collide_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

enum {
	VERTICES = RBL_POLYHEDRON_MAX_VERTICES,
	PLANES = RBL_POLYHEDRON_MAX_PLANES,
	EDGES = RBL_POLYHEDRON_MAX_EDGES,
	BLOCKS = EDGES / 8,
};

// B in A's frame.
typedef struct transformed {
	_Alignas(32) float vertices[3 * VERTICES];
	_Alignas(32) float planes[4 * PLANES];
	_Alignas(32) float edges[3 * EDGES];
	_Alignas(32) float normals[6 * EDGES]; // left and right of each edge
	uint8_t signs[PLANES][BLOCKS];         // of the normals of A along the edges of B

	// Edges to test; `edges`, `normals` and `signs` are of those of B, padded with the first.
	uint16_t near_a[EDGES], near_b[EDGES];
	int count_a, count_b;
} transformed;

static inline rbl_f8x3 load_rows(const float *rows, int stride, int at)
{
	return (rbl_f8x3){ rbl_f8_load(rows + at), rbl_f8_load(rows + stride + at),
		               rbl_f8_load(rows + 2 * stride + at) };
}

static inline void store_rows(float *rows, int stride, int at, rbl_f8x3 p)
{
	rbl_f8_store(rows + at, p.x);
	rbl_f8_store(rows + stride + at, p.y);
	rbl_f8_store(rows + 2 * stride + at, p.z);
}

static inline rbl_f8x3 rotate(const rbl_collide_frame *frame, rbl_f8x3 p)
{
	rbl_f8x3 x = rbl_f8x3_scale(p.x, rbl_f8x3_splat(frame->rotation.x));
	rbl_f8x3 y = rbl_f8x3_scale(p.y, rbl_f8x3_splat(frame->rotation.y));
	rbl_f8x3 z = rbl_f8x3_scale(p.z, rbl_f8x3_splat(frame->rotation.z));
	return rbl_f8x3_add(rbl_f8x3_add(x, y), z);
}

float RBL_KERNEL(rbl_polyhedron_find_support)(const float *rows, int stride, rbl_vec3 direction,
                                              int *index)
{
	rbl_f8x3 axis = rbl_f8x3_splat(direction);
	rbl_f8 largest = rbl_f8x3_dot(load_rows(rows, stride, 0), axis);
	rbl_i8 where = rbl_i8_zero();
	for (int i = 8; i < stride; i += 8) {
		rbl_f8 along = rbl_f8x3_dot(load_rows(rows, stride, i), axis);
		rbl_i8 better = rbl_f8_gt(along, largest);
		largest = rbl_f8_select(better, along, largest);
		where = rbl_i8_select(better, rbl_i8_splat(i), where);
	}
	float best = rbl_f8_max_lane(largest);
	where = rbl_i8_add(where, rbl_i8_iota());
	*index = rbl_i8_min_lane(
		rbl_i8_select(rbl_f8_eq(largest, rbl_f8_splat(best)), where, rbl_i8_splat(INT32_MAX)));
	return best;
}

float RBL_KERNEL(rbl_polyhedron_max_along)(const float *rows, int stride, rbl_vec3 direction)
{
	rbl_f8x3 axis = rbl_f8x3_splat(direction);
	rbl_f8 largest = rbl_f8x3_dot(load_rows(rows, stride, 0), axis);
	for (int i = 8; i < stride; i += 8)
		largest = rbl_f8_max(largest, rbl_f8x3_dot(load_rows(rows, stride, i), axis));
	return rbl_f8_max_lane(largest);
}

void RBL_KERNEL(rbl_polyhedron_box)(const float *rows, int stride, const rbl_mat3 *rotation_rows,
                                    rbl_vec3 *lower, rbl_vec3 *upper)
{
	const rbl_vec3 axes[3] = { rotation_rows->x, rotation_rows->y, rotation_rows->z };
	float smallest[3], largest[3];
	for (int k = 0; k < 3; ++k) {
		rbl_f8x3 axis = rbl_f8x3_splat(axes[k]);
		rbl_f8 low = rbl_f8x3_dot(load_rows(rows, stride, 0), axis), high = low;
		for (int i = 8; i < stride; i += 8) {
			rbl_f8 along = rbl_f8x3_dot(load_rows(rows, stride, i), axis);
			low = rbl_f8_min(low, along);
			high = rbl_f8_max(high, along);
		}
		smallest[k] = rbl_f8_min_lane(low);
		largest[k] = rbl_f8_max_lane(high);
	}
	*lower = (rbl_vec3){ smallest[0], smallest[1], smallest[2] };
	*upper = (rbl_vec3){ largest[0], largest[1], largest[2] };
}

// The least coordinate of vertices along eight normals.
static inline rbl_f8 min_along(rbl_f8x3 normal, const float *vertices, int stride, int count)
{
	rbl_f8 smallest = rbl_f8_splat(FLT_MAX);
	for (int v = 0; v < count; ++v) {
		rbl_f8x3 p = { rbl_f8_splat(vertices[v]), rbl_f8_splat(vertices[stride + v]),
			           rbl_f8_splat(vertices[2 * stride + v]) };
		smallest = rbl_f8_min(smallest, rbl_f8x3_dot(normal, p));
	}
	return smallest;
}

// The face whose plane the vertices are farthest in front of, the first of equals.
static float best_face(const float *planes, int plane_stride, int face_count, const float *vertices,
                       int vertex_stride, int vertex_count, int *face)
{
	float best = -FLT_MAX;
	*face = 0;
	for (int f = 0; f < face_count; f += 8) {
		rbl_f8x3 normal = load_rows(planes, plane_stride, f);
		rbl_f8 smallest = min_along(normal, vertices, vertex_stride, vertex_count);
		rbl_f8 apart = rbl_f8_sub(smallest, rbl_f8_load(planes + 3 * plane_stride + f));
		// Padding and planes without a polygon are no candidates.
		rbl_i8 is_face = rbl_i8_lt(rbl_i8_iota(), rbl_i8_splat(face_count - f));
		apart = rbl_f8_select(is_face, apart, rbl_f8_splat(-FLT_MAX));
		float largest = rbl_f8_max_lane(apart);
		if (largest > best) {
			best = largest;
			*face =
				f + rbl_lowest_one((unsigned)rbl_i8_bits(rbl_f8_eq(apart, rbl_f8_splat(largest))));
		}
	}
	return best;
}

float RBL_KERNEL(rbl_polyhedron_width)(const rbl_polyhedron *p)
{
	rbl_f8 width = rbl_f8_splat(FLT_MAX);
	for (int f = 0; f < p->face_count; f += 8) {
		rbl_f8x3 normal = load_rows(p->planes, p->plane_stride, f);
		rbl_f8 smallest = min_along(normal, p->vertices, p->vertex_stride, p->vertex_count);
		rbl_f8 across = rbl_f8_sub(rbl_f8_load(p->planes + 3 * p->plane_stride + f), smallest);
		rbl_i8 is_face = rbl_i8_lt(rbl_i8_iota(), rbl_i8_splat(p->face_count - f));
		width = rbl_f8_min(width, rbl_f8_select(is_face, across, rbl_f8_splat(FLT_MAX)));
	}
	return rbl_f8_min_lane(width);
}

static void transform_vertices(transformed *m, const rbl_polyhedron *b,
                               const rbl_collide_frame *frame)
{
	rbl_f8x3 shift = rbl_f8x3_splat(frame->translation);
	for (int i = 0; i < b->vertex_stride; i += 8)
		store_rows(m->vertices, VERTICES, i,
		           rbl_f8x3_add(rotate(frame, load_rows(b->vertices, b->vertex_stride, i)), shift));
}

static void transform_planes(transformed *m, const rbl_polyhedron *b,
                             const rbl_collide_frame *frame)
{
	rbl_f8x3 shift = rbl_f8x3_splat(frame->translation);
	for (int i = 0; i < b->plane_stride; i += 8) {
		rbl_f8x3 normal = rotate(frame, load_rows(b->planes, b->plane_stride, i));
		rbl_f8 offset = rbl_f8_load(b->planes + 3 * b->plane_stride + i);
		store_rows(m->planes, PLANES, i, normal);
		rbl_f8_store(m->planes + 3 * PLANES + i, rbl_f8_add(offset, rbl_f8x3_dot(normal, shift)));
	}
}

// A point of a polyhedron. Padding is the first vertex again, so the mean of all is inside.
static rbl_vec3 mean_point(const float *rows, int row_stride, int count)
{
	rbl_f8x3 sum = load_rows(rows, row_stride, 0);
	for (int i = 8; i < count; i += 8)
		sum = rbl_f8x3_add(sum, load_rows(rows, row_stride, i));
	float scale = 1.0f / (float)count;
	return (rbl_vec3){ scale * rbl_f8_sum(sum.x), scale * rbl_f8_sum(sum.y),
		               scale * rbl_f8_sum(sum.z) };
}

// List the edges with a plane that has `point` no deeper behind it than `depth` < 0. @return how
// many
static int list_near_edges(const rbl_polyhedron *p, const float *planes, int plane_stride,
                           rbl_vec3 point, float depth, uint16_t *edges)
{
	uint8_t near[PLANES];
	for (int i = 0; i < p->plane_count; i += 8) {
		rbl_f8 along = rbl_f8x3_dot(load_rows(planes, plane_stride, i), rbl_f8x3_splat(point));
		rbl_f8 height = rbl_f8_sub(along, rbl_f8_load(planes + 3 * plane_stride + i));
		unsigned bits = (unsigned)rbl_i8_bits(rbl_f8_ge(height, rbl_f8_splat(depth)));
		for (int k = 0; k < 8; ++k)
			near[i + k] = (uint8_t)(bits >> k & 1);
	}
	int n = 0;
	for (int e = 0; e < p->edge_count; ++e) {
		rbl_polyhedron_edge edge = p->edge_list[e];
		edges[n] = (uint16_t)e;
		n += near[edge.left] | near[edge.right];
	}
	return n;
}

static int list_all_edges(const rbl_polyhedron *p, uint16_t *edges)
{
	for (int e = 0; e < p->edge_count; ++e)
		edges[e] = (uint16_t)e;
	return p->edge_count;
}

// List the edges that may have an axis better than a face of separation `best`.
static void choose_edges(transformed *m, const rbl_polyhedron *a, const rbl_polyhedron *b,
                         float best)
{
	// The rule above does not hold for planes without a polygon, of segments and triangles.
	if (a->plane_count > a->face_count || b->plane_count > b->face_count || best == -FLT_MAX) {
		m->count_a = list_all_edges(a, m->near_a);
		m->count_b = list_all_edges(b, m->near_b);
	} else {
		float depth =
			(best < 0.0f ? best : 0.0f) - 1e-5f * (a->bounding_radius + b->bounding_radius);
		rbl_vec3 in_a = mean_point(a->vertices, a->vertex_stride, a->vertex_stride);
		rbl_vec3 in_b = mean_point(m->vertices, VERTICES, b->vertex_stride);
		m->count_a = list_near_edges(a, a->planes, a->plane_stride, in_b, depth, m->near_a);
		m->count_b = list_near_edges(b, m->planes, PLANES, in_a, depth, m->near_b);
	}
	for (int i = m->count_b; i % 8 != 0; ++i)
		m->near_b[i] = m->near_b[0];
}

// Directions of B's edges, the normals beside them, and the signs of A's normals along them.
static void transform_edges(transformed *m, const rbl_polyhedron *a, const rbl_polyhedron *b,
                            const rbl_collide_frame *frame)
{
	int count = (m->count_b + 7) & ~7;
	for (int e = 0; e < count; ++e) {
		rbl_polyhedron_edge edge = b->edge_list[m->near_b[e]];
		const float *head = b->vertices + edge.head, *tail = b->vertices + edge.tail;
		for (int row = 0; row < 3; ++row) {
			int at = row * b->vertex_stride;
			m->edges[row * EDGES + e] = head[at] - tail[at];
			m->normals[row * EDGES + e] = m->planes[row * PLANES + edge.left];
			m->normals[(3 + row) * EDGES + e] = m->planes[row * PLANES + edge.right];
		}
	}
	// Rotated after the difference: the translation costs no digits.
	for (int i = 0; i < count; i += 8)
		store_rows(m->edges, EDGES, i, rotate(frame, load_rows(m->edges, EDGES, i)));
	for (int p = 0; p < a->plane_count; ++p) {
		rbl_f8x3 normal = rbl_f8x3_splat(rbl_polyhedron_normal(a, p));
		for (int i = 0; i < count; i += 8) {
			rbl_f8 along = rbl_f8x3_dot(normal, load_rows(m->edges, EDGES, i));
			m->signs[p][i / 8] = (uint8_t)rbl_i8_bits(rbl_f8_lt(along, rbl_f8_zero()));
		}
	}
}

static inline rbl_vec3 row_point(const float *rows, int stride, int i)
{
	return (rbl_vec3){ rows[i], rows[stride + i], rows[2 * stride + i] };
}

// The best pair of edges so far. Separations are compared as signed squares, without roots.
typedef struct edge_search {
	const rbl_polyhedron *a, *b;
	const transformed *m;
	float best; // sign(s) s^2 for the separation s
	int edge_a, edge_b;
	rbl_vec3 normal; // not of unit length
} edge_search;

// @param at  index of the edge of B among those to test
static inline void try_pair(edge_search *search, int ea, int at)
{
	const rbl_polyhedron *a = search->a;
	const transformed *m = search->m;
	rbl_polyhedron_edge edge = a->edge_list[ea];
	rbl_vec3 left = rbl_polyhedron_normal(a, edge.left);
	rbl_vec3 right = rbl_polyhedron_normal(a, edge.right);
	rbl_vec3 q = row_point(m->edges, EDGES, at);
	float aq = rbl_dot(left, q), bq = rbl_dot(right, q);
	rbl_vec3 axis = rbl_sub(rbl_scale(aq, right), rbl_scale(bq, left));
	axis = aq < 0.0f ? rbl_neg(axis) : axis;
	float length_squared = rbl_length_squared(axis);
	if (!(length_squared > 1e-12f * rbl_length_squared(q)))
		return;
	int eb = m->near_b[at];
	rbl_vec3 from = rbl_polyhedron_vertex(a, edge.tail);
	rbl_vec3 to = row_point(m->vertices, VERTICES, search->b->edge_list[eb].tail);
	float along = rbl_dot(axis, rbl_sub(to, from));
	float apart = along * fabsf(along) / length_squared;
	if (apart > search->best) {
		search->best = apart;
		search->edge_a = ea, search->edge_b = eb;
		search->normal = axis;
	}
}

static void search_edges(edge_search *search)
{
	const rbl_polyhedron *a = search->a;
	const transformed *m = search->m;
	for (int k = 0; k < m->count_a; ++k) {
		int ea = m->near_a[k];
		rbl_polyhedron_edge edge = a->edge_list[ea];
		const uint8_t *left = m->signs[edge.left], *right = m->signs[edge.right];
		rbl_f8x3 p = rbl_f8x3_splat(rbl_polyhedron_direction(a, ea));
		for (int i = 0; i < m->count_b; i += 8) {
			rbl_f8 cp = rbl_f8x3_dot(load_rows(m->normals, EDGES, i), p);
			rbl_f8 dp = rbl_f8x3_dot(load_rows(m->normals + 3 * EDGES, EDGES, i), p);
			unsigned c = (unsigned)rbl_i8_bits(rbl_f8_as_mask(cp));
			unsigned d = (unsigned)rbl_i8_bits(rbl_f8_as_mask(dp));
			unsigned crossing = (c ^ d) & (left[i / 8] ^ right[i / 8]) & (c ^ right[i / 8]);
			for (; crossing; crossing &= crossing - 1)
				try_pair(search, ea, i + rbl_lowest_one(crossing));
		}
	}
}

void RBL_KERNEL(rbl_sat_search)(const rbl_polyhedron *a, const rbl_polyhedron *b,
                                const rbl_collide_frame *b_to_a, float enough, rbl_sat_axes *axes)
{
	transformed m;
	*axes = (rbl_sat_axes){ -FLT_MAX, -FLT_MAX, -FLT_MAX, 0, 0, 0, 0, { 0.0f, 0.0f, 0.0f } };
	transform_vertices(&m, b, b_to_a);
	axes->face_a_separation = best_face(a->planes, a->plane_stride, a->face_count, m.vertices,
	                                    VERTICES, b->vertex_count, &axes->face_a);
	if (axes->face_a_separation > enough)
		return;
	transform_planes(&m, b, b_to_a);
	axes->face_b_separation = best_face(m.planes, PLANES, b->face_count, a->vertices,
	                                    a->vertex_stride, a->vertex_count, &axes->face_b);
	if (axes->face_b_separation > enough)
		return;
	choose_edges(&m, a, b,
	             axes->face_a_separation > axes->face_b_separation ? axes->face_a_separation
	                                                               : axes->face_b_separation);
	transform_edges(&m, a, b, b_to_a);
	edge_search search = { a, b, &m, -FLT_MAX, 0, 0, { 0.0f, 0.0f, 0.0f } };
	search_edges(&search);
	if (search.best == -FLT_MAX)
		return;
	axes->edge_separation = search.best < 0.0f ? -sqrtf(-search.best) : sqrtf(search.best);
	axes->edge_a = search.edge_a, axes->edge_b = search.edge_b;
	axes->edge_normal = rbl_normalize(search.normal);
}
