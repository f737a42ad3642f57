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
// Of 900 pairs of edges of two hulls of twelve points about 24 cross. An edge of A is tested with
// eight of B at a time.
//
// Most edges need not be tested, because they are on the far side. Let c be any point of B, and f a
// point of an edge of A. Along an axis n on the arc of that edge, B begins no farther out than c:
//
//     separation <= n.(c - f) = (x a.(c - f) + y b.(c - f)) / |x a + y b|,   x, y >= 0
//
// and a.(c - f) is the distance of c from the plane of a. Where c is behind both planes, this is
// not above the lesser of the two depths. So when c is deeper behind both than the best face says,
// no axis of the edge can be better than that face. The same holds for edges of B and a point of A.
//
// Two points of each are tried: the mean of the vertices, and one where the best face says that the
// two meet. The first leaves a third of the edges of either; both leave the edges around a place.
//
// Faces are alike: the separation along the normal of a face of A is at most the distance of c from
// its plane. Four or five are left to be compared with all vertices. For shapes of less than some
// fifty faces it is as fast to compare all, eight at a time.

#include "collide/collide_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

enum {
	VERTICES = RBL_POLYHEDRON_MAX_VERTICES,
	PLANES = RBL_POLYHEDRON_MAX_PLANES,
	EDGES = RBL_POLYHEDRON_MAX_EDGES,
	MANY = 1400, // faces times vertices, from where few faces are compared with all vertices
};

// B in A's frame.
typedef struct transformed {
	_Alignas(32) float vertices[3 * VERTICES];
	_Alignas(32) float planes[4 * PLANES];
	_Alignas(32) float edges[3 * EDGES];
	_Alignas(32) float tails[3 * EDGES];
	_Alignas(32) float normals[6 * EDGES];                   // left and right of each edge
	rbl_vec3 vertex_points[VERTICES + 1], own[VERTICES + 1]; // vertices there, and in B's frame
	rbl_vec3 plane_normals[PLANES + 1];

	// Edges to test; `edges`, `tails` and `normals` are of those of B, padded with the first.
	uint16_t near_a[EDGES], near_b[EDGES];
	int count_a, count_b;
} transformed;

static inline rbl_f8x3 load_rows(const float *rows, int stride, int at)
{
	return (rbl_f8x3){ rbl_f8_load(rows + at), rbl_f8_load(rows + stride + at),
		               rbl_f8_load(rows + 2 * stride + at) };
}

static inline rbl_vec3 row_point(const float *rows, int stride, int i)
{
	return (rbl_vec3){ rows[i], rows[stride + i], rows[2 * stride + i] };
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

// The vertex that is lowest along a direction.
static rbl_vec3 lowest_vertex(const float *rows, int row_stride, int count, rbl_vec3 direction)
{
	rbl_f8x3 axis = rbl_f8x3_splat(direction);
	rbl_f8x3 lowest = load_rows(rows, row_stride, 0);
	rbl_f8 least = rbl_f8x3_dot(lowest, axis);
	for (int i = 8; i < count; i += 8) {
		rbl_f8x3 p = load_rows(rows, row_stride, i);
		rbl_f8 along = rbl_f8x3_dot(p, axis);
		rbl_i8 better = rbl_f8_lt(along, least);
		least = rbl_f8_select(better, along, least);
		lowest.x = rbl_f8_select(better, p.x, lowest.x);
		lowest.y = rbl_f8_select(better, p.y, lowest.y);
		lowest.z = rbl_f8_select(better, p.z, lowest.z);
	}
	float x[8], y[8], z[8];
	rbl_f8_store(x, lowest.x), rbl_f8_store(y, lowest.y), rbl_f8_store(z, lowest.z);
	int lane = rbl_lowest_one(
		(unsigned)rbl_i8_bits(rbl_f8_eq(least, rbl_f8_splat(rbl_f8_min_lane(least)))));
	return (rbl_vec3){ x[lane], y[lane], z[lane] };
}

// Vertices of one polyhedron, and what is known of them, in the frame of the other's planes.
typedef struct facing {
	const float *planes;
	int plane_stride, face_count;
	const float *vertices; // padded with the first
	int vertex_stride, vertex_count, padded_count;
	float slack; // more than roundings
} facing;

// The separation along the normal of one face.
static inline float face_separation(const facing *s, int face)
{
	const float *plane = s->planes + face;
	rbl_f8x3 normal = { rbl_f8_splat(plane[0]), rbl_f8_splat(plane[s->plane_stride]),
		                rbl_f8_splat(plane[2 * s->plane_stride]) };
	rbl_f8 smallest = rbl_f8x3_dot(normal, load_rows(s->vertices, s->vertex_stride, 0));
	for (int i = 8; i < s->padded_count; i += 8)
		smallest =
			rbl_f8_min(smallest, rbl_f8x3_dot(normal, load_rows(s->vertices, s->vertex_stride, i)));
	return rbl_f8_min_lane(smallest) - plane[3 * s->plane_stride];
}

// How far a point is in front of eight planes.
static inline rbl_f8 heights_of(const float *planes, int stride, int at, rbl_f8x3 point)
{
	return rbl_f8_sub(rbl_f8x3_dot(load_rows(planes, stride, at), point),
	                  rbl_f8_load(planes + 3 * stride + at));
}

// The same as best_face_of_few(), of many faces. Only those are compared with all vertices that
// have two points not too far behind: the one inside, and the nearest to the first face.
static float best_face_of_many(const facing *s, int *face)
{
	_Alignas(32) float heights[PLANES];
	rbl_f8 highest = rbl_f8_splat(-FLT_MAX);
	rbl_i8 where = rbl_i8_zero();
	rbl_f8x3 inside = rbl_f8x3_splat(mean_point(s->vertices, s->vertex_stride, s->padded_count));
	for (int f = 0; f < s->face_count; f += 8) {
		rbl_i8 is_face = rbl_i8_lt(rbl_i8_iota(), rbl_i8_splat(s->face_count - f));
		rbl_f8 height = rbl_f8_select(is_face, heights_of(s->planes, s->plane_stride, f, inside),
		                              rbl_f8_splat(-FLT_MAX));
		rbl_f8_store(heights + f, height);
		rbl_i8 better = rbl_f8_gt(height, highest);
		highest = rbl_f8_select(better, height, highest);
		where = rbl_i8_select(better, rbl_i8_add(rbl_i8_iota(), rbl_i8_splat(f)), where);
	}
	rbl_i8 is_highest = rbl_f8_eq(highest, rbl_f8_splat(rbl_f8_max_lane(highest)));
	int first = rbl_i8_min_lane(rbl_i8_select(is_highest, where, rbl_i8_splat(INT32_MAX)));
	const float *plane = s->planes + first;
	rbl_vec3 normal = { plane[0], plane[s->plane_stride], plane[2 * s->plane_stride] };
	rbl_vec3 nearest = lowest_vertex(s->vertices, s->vertex_stride, s->padded_count, normal);
	float best = rbl_dot(normal, nearest) - plane[3 * s->plane_stride];
	*face = first;
	rbl_f8x3 near = rbl_f8x3_splat(nearest);
	for (int f = 0; f < s->face_count; f += 8) {
		rbl_f8 least = rbl_f8_splat(best - s->slack);
		rbl_f8 height =
			rbl_f8_min(rbl_f8_load(heights + f), heights_of(s->planes, s->plane_stride, f, near));
		unsigned bits = (unsigned)rbl_i8_bits(rbl_f8_ge(height, least));
		for (; bits; bits &= bits - 1) {
			int k = f + rbl_lowest_one(bits);
			if (k == first)
				continue;
			float apart = face_separation(s, k);
			if (apart > best || (apart == best && k < *face))
				best = apart, *face = k;
		}
	}
	return best;
}

// The face whose plane the vertices are farthest in front of, the first of equals.
static float best_face_of_few(const facing *s, int *face)
{
	float best = -FLT_MAX;
	*face = 0;
	for (int f = 0; f < s->face_count; f += 8) {
		rbl_f8x3 normal = load_rows(s->planes, s->plane_stride, f);
		rbl_f8 smallest = min_along(normal, s->vertices, s->vertex_stride, s->vertex_count);
		rbl_f8 apart = rbl_f8_sub(smallest, rbl_f8_load(s->planes + 3 * s->plane_stride + f));
		// Padding and planes without a polygon are no candidates.
		rbl_i8 is_face = rbl_i8_lt(rbl_i8_iota(), rbl_i8_splat(s->face_count - f));
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

static float best_face(const facing *s, int *face)
{
	bool is_large = s->face_count * s->vertex_count > MANY;
	return is_large ? best_face_of_many(s, face) : best_face_of_few(s, face);
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

// List the edges that have, for each of two points, a plane that has it no deeper behind than
// `depth` < 0. @return how many
static int list_near_edges(const rbl_polyhedron *p, const float *planes, int plane_stride,
                           const rbl_vec3 points[2], float depth, uint16_t *edges)
{
	_Alignas(32) int32_t near[PLANES]; // bit k: of point k
	rbl_f8x3 first = rbl_f8x3_splat(points[0]), second = rbl_f8x3_splat(points[1]);
	rbl_f8 least = rbl_f8_splat(depth);
	for (int i = 0; i < p->plane_count; i += 8) {
		rbl_f8x3 normal = load_rows(planes, plane_stride, i);
		rbl_f8 offset = rbl_f8_load(planes + 3 * plane_stride + i);
		rbl_i8 a = rbl_f8_ge(rbl_f8_sub(rbl_f8x3_dot(normal, first), offset), least);
		rbl_i8 b = rbl_f8_ge(rbl_f8_sub(rbl_f8x3_dot(normal, second), offset), least);
		rbl_i8_store(near + i,
		             rbl_i8_or(rbl_i8_and(a, rbl_i8_splat(1)), rbl_i8_and(b, rbl_i8_splat(2))));
	}
	int n = 0;
	for (int e = 0; e < p->edge_count; ++e) {
		rbl_polyhedron_edge edge = p->edge_list[e];
		edges[n] = (uint16_t)e;
		n += (near[edge.left] | near[edge.right]) == 3;
	}
	return n;
}

static int list_all_edges(const rbl_polyhedron *p, uint16_t *edges)
{
	for (int e = 0; e < p->edge_count; ++e)
		edges[e] = (uint16_t)e;
	return p->edge_count;
}

// Just before the line from a point inside to another leaves a polyhedron, or ends.
static rbl_vec3 leave(const float *planes, int plane_stride, int plane_count, rbl_vec3 inside,
                      rbl_vec3 to)
{
	rbl_f8x3 first = rbl_f8x3_splat(inside), second = rbl_f8x3_splat(to);
	rbl_f8 fraction = rbl_f8_splat(1.0f);
	for (int i = 0; i < plane_count; i += 8) {
		rbl_f8x3 normal = load_rows(planes, plane_stride, i);
		rbl_f8 offset = rbl_f8_load(planes + 3 * plane_stride + i);
		rbl_f8 from = rbl_f8_sub(rbl_f8x3_dot(normal, first), offset);
		rbl_f8 at = rbl_f8_sub(rbl_f8x3_dot(normal, second), offset);
		rbl_f8 cut = rbl_f8_div(from, rbl_f8_sub(from, at));
		rbl_i8 crosses = rbl_f8_gt(at, rbl_f8_zero());
		fraction = rbl_f8_min(fraction, rbl_f8_select(crosses, cut, rbl_f8_splat(1.0f)));
	}
	float part =
		0.9999f * rbl_f8_min_lane(fraction); // not out, where vertices that coincide are one
	return rbl_add_scaled(inside, part > 0.0f ? part : 0.0f, rbl_sub(to, inside));
}

// List the edges that may have an axis better than the best face.
static void choose_edges(transformed *m, const rbl_polyhedron *a, const rbl_polyhedron *b,
                         const rbl_sat_axes *faces, float slack)
{
	bool is_face_a = faces->face_a_separation > faces->face_b_separation;
	float best = is_face_a ? faces->face_a_separation : faces->face_b_separation;
	// The rule above does not hold for planes without a polygon, of segments and triangles.
	if (a->plane_count > a->face_count || b->plane_count > b->face_count || best == -FLT_MAX) {
		m->count_a = list_all_edges(a, m->near_a);
		m->count_b = list_all_edges(b, m->near_b);
	} else {
		float depth = (best < 0.0f ? best : 0.0f) - slack;
		rbl_vec3 in_a = mean_point(a->vertices, a->vertex_stride, a->vertex_stride);
		rbl_vec3 in_b = mean_point(m->vertices, VERTICES, b->vertex_stride);
		rbl_vec3 of_a[2] = { in_a, in_a }, of_b[2] = { in_b, in_b };
		if (a->revolution || b->revolution) {
			// Their best edges matter, also where a face is better.
		} else if (is_face_a) {
			rbl_vec3 normal = rbl_polyhedron_normal(a, faces->face_a);
			of_b[1] = lowest_vertex(m->vertices, VERTICES, b->vertex_stride, normal);
			of_a[1] = leave(a->planes, a->plane_stride, a->plane_count, in_a, of_b[1]);
		} else {
			rbl_vec3 normal = row_point(m->planes, PLANES, faces->face_b);
			of_a[1] = lowest_vertex(a->vertices, a->vertex_stride, a->vertex_stride, normal);
			of_b[1] = leave(m->planes, PLANES, b->plane_count, in_b, of_a[1]);
		}
		m->count_a = list_near_edges(a, a->planes, a->plane_stride, of_b, depth, m->near_a);
		m->count_b = list_near_edges(b, m->planes, PLANES, of_a, depth, m->near_b);
	}
	for (int i = m->count_b; i % 8 != 0; ++i)
		m->near_b[i] = m->near_b[0];
}

// Directions and tails of B's edges, and the normals beside them.
static void transform_edges(transformed *m, const rbl_polyhedron *b, const rbl_collide_frame *frame)
{
	for (int i = 0; i < b->vertex_stride; i += 8) {
		rbl_f8x3_store(m->own + i, load_rows(b->vertices, b->vertex_stride, i));
		rbl_f8x3_store(m->vertex_points + i, load_rows(m->vertices, VERTICES, i));
	}
	for (int i = 0; i < b->plane_stride; i += 8)
		rbl_f8x3_store(m->plane_normals + i, load_rows(m->planes, PLANES, i));
	for (int i = 0; i < m->count_b; i += 8) {
		int32_t index[8][4];
		for (int k = 0; k < 8; ++k) {
			rbl_polyhedron_edge edge = b->edge_list[m->near_b[i + k]];
			index[k][0] = edge.tail, index[k][1] = edge.head;
			index[k][2] = edge.left, index[k][3] = edge.right;
		}
		// Rotated after the difference: the translation costs no digits.
		rbl_f8x3 tail = rbl_f8x3_gather_padded(m->own, &index[0][0], 4);
		rbl_f8x3 head = rbl_f8x3_gather_padded(m->own, &index[0][1], 4);
		store_rows(m->edges, EDGES, i, rotate(frame, rbl_f8x3_sub(head, tail)));
		store_rows(m->tails, EDGES, i, rbl_f8x3_gather_padded(m->vertex_points, &index[0][0], 4));
		store_rows(m->normals, EDGES, i, rbl_f8x3_gather_padded(m->plane_normals, &index[0][2], 4));
		store_rows(m->normals + 3 * EDGES, EDGES, i,
		           rbl_f8x3_gather_padded(m->plane_normals, &index[0][3], 4));
	}
}

// The best pairs of edges so far, one in each lane. Separations are compared as signed squares,
// without roots.
typedef struct edge_search {
	rbl_f8 best;  // sign(s) s^2 for the separation s
	rbl_i8 order; // of the edge of A times EDGES, and of that of B, among those to test
} edge_search;

// Try an edge of A with eight of B.
static inline void try_pairs(edge_search *search, const rbl_polyhedron *a, const transformed *m,
                             int order_a, int order_b)
{
	int ea = m->near_a[order_a];
	rbl_polyhedron_edge edge = a->edge_list[ea];
	rbl_f8x3 left = rbl_f8x3_splat(rbl_polyhedron_normal(a, edge.left));
	rbl_f8x3 right = rbl_f8x3_splat(rbl_polyhedron_normal(a, edge.right));
	rbl_f8x3 p = rbl_f8x3_splat(rbl_polyhedron_direction(a, ea));
	rbl_f8x3 q = load_rows(m->edges, EDGES, order_b);
	rbl_f8 aq = rbl_f8x3_dot(left, q), bq = rbl_f8x3_dot(right, q);
	rbl_f8 cp = rbl_f8x3_dot(load_rows(m->normals, EDGES, order_b), p);
	rbl_f8 dp = rbl_f8x3_dot(load_rows(m->normals + 3 * EDGES, EDGES, order_b), p);
	rbl_i8 a_bits = rbl_f8_lt(aq, rbl_f8_zero()), b_bits = rbl_f8_lt(bq, rbl_f8_zero());
	rbl_i8 c_bits = rbl_i8_lt(rbl_f8_as_mask(cp), rbl_i8_zero());
	rbl_i8 d_bits = rbl_i8_lt(rbl_f8_as_mask(dp), rbl_i8_zero());
	rbl_i8 crosses = rbl_i8_and(rbl_i8_and(rbl_i8_xor(c_bits, d_bits), rbl_i8_xor(a_bits, b_bits)),
	                            rbl_i8_xor(c_bits, b_bits));
	if (!rbl_i8_bits(crosses))
		return;
	rbl_f8x3 axis = rbl_f8x3_sub(rbl_f8x3_scale(aq, right), rbl_f8x3_scale(bq, left));
	axis = rbl_f8x3_select(a_bits, rbl_f8x3_neg(axis), axis);
	rbl_f8 length_squared = rbl_f8x3_dot(axis, axis);
	rbl_f8 least = rbl_f8_mul(rbl_f8_splat(1e-12f), rbl_f8x3_dot(q, q));
	rbl_f8x3 from = rbl_f8x3_splat(rbl_polyhedron_vertex(a, edge.tail));
	rbl_f8 along = rbl_f8x3_dot(axis, rbl_f8x3_sub(load_rows(m->tails, EDGES, order_b), from));
	rbl_f8 apart = rbl_f8_div(rbl_f8_mul(along, rbl_f8_abs(along)), length_squared);
	rbl_i8 better = rbl_i8_and(rbl_f8_gt(apart, search->best), rbl_f8_gt(length_squared, least));
	better = rbl_i8_and(better, crosses);
	rbl_i8 order = rbl_i8_add(rbl_i8_splat(order_a * EDGES + order_b), rbl_i8_iota());
	search->best = rbl_f8_select(better, apart, search->best);
	search->order = rbl_i8_select(better, order, search->order);
}

// The first of the best pairs of edges.
static void search_edges(const rbl_polyhedron *a, const transformed *m, rbl_sat_axes *axes)
{
	edge_search search = { rbl_f8_splat(-FLT_MAX), rbl_i8_zero() };
	for (int k = 0; k < m->count_a; ++k)
		for (int i = 0; i < m->count_b; i += 8)
			try_pairs(&search, a, m, k, i);
	float best = rbl_f8_max_lane(search.best);
	if (best == -FLT_MAX)
		return;
	rbl_i8 is_best = rbl_f8_eq(search.best, rbl_f8_splat(best));
	int order = rbl_i8_min_lane(rbl_i8_select(is_best, search.order, rbl_i8_splat(INT32_MAX)));
	int at = order % EDGES;
	axes->edge_separation = best < 0.0f ? -sqrtf(-best) : sqrtf(best);
	axes->edge_a = m->near_a[order / EDGES], axes->edge_b = m->near_b[at];
	rbl_polyhedron_edge edge = a->edge_list[axes->edge_a];
	rbl_vec3 left = rbl_polyhedron_normal(a, edge.left);
	rbl_vec3 right = rbl_polyhedron_normal(a, edge.right);
	rbl_vec3 q = row_point(m->edges, EDGES, at);
	float aq = rbl_dot(left, q), bq = rbl_dot(right, q);
	rbl_vec3 axis = rbl_sub(rbl_scale(aq, right), rbl_scale(bq, left));
	axes->edge_normal = rbl_normalize(aq < 0.0f ? rbl_neg(axis) : axis);
}

void RBL_KERNEL(rbl_sat_search)(const rbl_polyhedron *a, const rbl_polyhedron *b,
                                const rbl_collide_frame *b_to_a, float enough, rbl_sat_axes *axes)
{
	transformed m;
	*axes = (rbl_sat_axes){ -FLT_MAX, -FLT_MAX, -FLT_MAX, 0, 0, 0, 0, { 0.0f, 0.0f, 0.0f } };
	transform_vertices(&m, b, b_to_a);
	rbl_vec3 shift = b_to_a->translation;
	float apart = fabsf(shift.x) + fabsf(shift.y) + fabsf(shift.z);
	float slack = 1e-5f * (a->bounding_radius + b->bounding_radius + apart);
	const facing b_before_a = { a->planes, a->plane_stride, a->face_count,    m.vertices,
		                        VERTICES,  b->vertex_count, b->vertex_stride, slack };
	axes->face_a_separation = best_face(&b_before_a, &axes->face_a);
	if (axes->face_a_separation > enough)
		return;
	transform_planes(&m, b, b_to_a);
	const facing a_before_b = { m.planes,         PLANES,          b->face_count,    a->vertices,
		                        a->vertex_stride, a->vertex_count, a->vertex_stride, slack };
	axes->face_b_separation = best_face(&a_before_b, &axes->face_b);
	if (axes->face_b_separation > enough)
		return;
	choose_edges(&m, a, b, axes, slack);
	transform_edges(&m, b, b_to_a);
	search_edges(a, &m, axes);
}
