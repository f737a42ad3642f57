// SPDX-License-Identifier: MIT
//
// Cutting a convex polyhedron with a plane, in its dual form.
//
// Each vertex knows its three faces and the three vertices at the ends of its edges. A cut
// removes the vertices beyond the plane. The edges between kept and removed vertices form one
// ring, and each of them gets one new vertex; ring and new face are found by walking over the
// removed vertices, so a cut costs one distance per vertex and otherwise what it removes.
//
// What always holds: the polyhedron is closed and its graph is that of a convex polyhedron. That
// needs kept and removed vertices to be connected sets each. Exact signs give this for free;
// rounded ones may not, so the ring is checked (every cut edge is on it, no face twice) and, when
// that fails, the signs are repaired: the deepest vertex's side is kept, the farthest vertex's
// side is removed, and strays join the side around them. With both sets connected the cut is a
// simple cycle of faces, so the second walk succeeds.

#include "geometry/convex_clip.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/vec.h"
#include "geometry/geometry_kernels.h"

void rbl_clipper_init(rbl_clipper *clipper, const rbl_allocator *allocator)
{
	*clipper = (rbl_clipper){ .allocator = rbl_allocator_or_default(allocator) };
}

enum { FACE_ARRAYS = 3, VERTEX_ARRAYS = 10, ALL_ARRAYS = FACE_ARRAYS + VERTEX_ARRAYS };

// All arrays, with space for as many: those of faces, then those of vertices.
static void list_arrays(rbl_clipper *c, int faces, int vertices, rbl_growth arrays[ALL_ARRAYS])
{
	int *fc = &c->face_capacity, *vc = &c->vertex_capacity, fn = c->face_count,
		vn = c->vertex_count;
	const rbl_growth list[ALL_ARRAYS] = {
		{ &c->planes, sizeof *c->planes, fn, fc, faces, NULL },
		{ &c->tags, sizeof *c->tags, fn, fc, faces, NULL },
		{ &c->face_stamps, sizeof *c->face_stamps, 0, fc, faces, NULL },
		{ &c->x, sizeof *c->x, vn, vc, vertices, NULL },
		{ &c->y, sizeof *c->y, vn, vc, vertices, NULL },
		{ &c->z, sizeof *c->z, vn, vc, vertices, NULL },
		{ &c->sides, sizeof *c->sides, vn, vc, vertices, NULL },
		{ &c->faces, 3 * sizeof *c->faces, vn, vc, vertices, NULL },
		{ &c->links, 3 * sizeof *c->links, vn, vc, vertices, NULL },
		{ &c->marks, sizeof *c->marks, 0, vc, vertices, NULL },
		{ &c->holes, sizeof *c->holes, 0, vc, vertices, NULL },
		{ &c->cuts, 4 * sizeof *c->cuts, 0, vc, vertices, NULL },
		{ &c->points, sizeof *c->points, 0, vc, vertices, NULL },
	};
	memcpy(arrays, list, sizeof list);
}

void rbl_clipper_destroy(rbl_clipper *clipper)
{
	rbl_growth arrays[ALL_ARRAYS];
	list_arrays(clipper, 0, 0, arrays);
	rbl_free_together(&clipper->allocator, arrays, ALL_ARRAYS);
	rbl_clipper_init(clipper, &clipper->allocator);
}

bool rbl_clipper_reserve(rbl_clipper *clipper, int face_count, int vertex_count)
{
	bool more_faces = face_count > clipper->face_capacity;
	bool more_vertices = vertex_count > clipper->vertex_capacity;
	if (!more_faces && !more_vertices)
		return true;
	rbl_growth arrays[ALL_ARRAYS];
	list_arrays(clipper, more_faces ? rbl_maxi(face_count, 2 * clipper->face_capacity) : 0,
	            more_vertices ? rbl_maxi(vertex_count, 2 * clipper->vertex_capacity) : 0, arrays);
	if (!rbl_grow_together(&clipper->allocator, arrays, ALL_ARRAYS))
		return false;
	if (more_faces) {
		memset(clipper->face_stamps, 0, (size_t)clipper->face_capacity * sizeof(int));
		clipper->stamp = 0;
	}
	return true;
}

bool rbl_clipper_clear(rbl_clipper *clipper, int face_count, int vertex_count)
{
	clipper->face_count = clipper->vertex_count = 0;
	if (!rbl_clipper_reserve(clipper, face_count, vertex_count))
		return false;
	// Compaction starts the stamps over and wipes those of its faces only. Faces that come to lie
	// on other places would find stamps of an earlier polyhedron there, and take them for theirs.
	memset(clipper->face_stamps, 0, (size_t)clipper->face_capacity * sizeof(int));
	clipper->stamp = 0;
	return true;
}

bool rbl_clipper_start_box(rbl_clipper *clipper, rbl_boxd box, uint64_t first_tag)
{
	if (!rbl_clipper_clear(clipper, 24, 48))
		return false;
	const double lower[3] = { box.lower.x, box.lower.y, box.lower.z };
	const double upper[3] = { box.upper.x, box.upper.y, box.upper.z };
	for (int k = 0; k < 6; ++k) {
		double sign = k & 1 ? 1.0 : -1.0;
		rbl_vec3d normal = { k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0,
			                 k / 2 == 2 ? sign : 0.0 };
		clipper->planes[k] = (rbl_planed){ normal, k & 1 ? upper[k / 2] : -lower[k / 2] };
		clipper->tags[k] = first_tag + (uint64_t)k;
	}
	for (int v = 0; v < 8; ++v) { // bit 0: upper x, bit 1: upper y, bit 2: upper z
		clipper->x[v] = v & 1 ? upper[0] : lower[0];
		clipper->y[v] = v & 2 ? upper[1] : lower[1];
		clipper->z[v] = v & 4 ? upper[2] : lower[2];
		int fx = v & 1, fy = 2 + (v >> 1 & 1), fz = 4 + (v >> 2 & 1);
		// At the all-upper corner x, y, z is counter-clockwise; each mirroring turns it round.
		bool is_mirrored = (((v ^ v >> 1 ^ v >> 2) & 1) == 0);
		int *faces = clipper->faces + 3 * v, *links = clipper->links + 3 * v;
		faces[0] = fx, faces[1] = is_mirrored ? fz : fy, faces[2] = is_mirrored ? fy : fz;
		links[0] = is_mirrored ? v ^ 2 : v ^ 4;
		links[1] = v ^ 1;
		links[2] = is_mirrored ? v ^ 4 : v ^ 2;
	}
	clipper->face_count = 6;
	clipper->vertex_count = 8;
	return true;
}

bool rbl_clipper_copy(rbl_clipper *clipper, const rbl_clipper *from)
{
	size_t faces = (size_t)from->face_count, vertices = (size_t)from->vertex_count;
	if (!rbl_clipper_clear(clipper, from->face_count + 8, from->vertex_count + 16))
		return false;
	memcpy(clipper->planes, from->planes, faces * sizeof *from->planes);
	memcpy(clipper->tags, from->tags, faces * sizeof *from->tags);
	memcpy(clipper->x, from->x, vertices * sizeof(double));
	memcpy(clipper->y, from->y, vertices * sizeof(double));
	memcpy(clipper->z, from->z, vertices * sizeof(double));
	memcpy(clipper->faces, from->faces, 3 * vertices * sizeof(int));
	memcpy(clipper->links, from->links, 3 * vertices * sizeof(int));
	clipper->face_count = from->face_count;
	clipper->vertex_count = from->vertex_count;
	return true;
}

static int next3(int k)
{
	return k == 2 ? 0 : k + 1;
}

// The slot of vertex v whose edge lies between its face f and the face after it.
static int slot_of_face(const rbl_clipper *c, int v, int f)
{
	const int *faces = c->faces + 3 * v;
	return faces[0] == f ? 0 : faces[1] == f ? 1 : 2;
}

// The point on a cut edge, computed from the end that comes first by place: both sides of a plane
// get the same bits.
static rbl_vec3d cut_point(const rbl_clipper *c, int kept, int removed)
{
	double inner = rbl_maxd(-c->sides[kept], 0.0), outer = rbl_maxd(c->sides[removed], 0.0);
	int a = kept, b = removed;
	if (c->x[b] != c->x[a] ? c->x[b] < c->x[a]
	                       : (c->y[b] != c->y[a] ? c->y[b] < c->y[a] : c->z[b] < c->z[a])) {
		a = removed, b = kept;
		double swap = inner;
		inner = outer, outer = swap;
	}
	double sum = inner + outer, t = sum > 0.0 ? inner / sum : 0.0;
	return (rbl_vec3d){ c->x[a] + t * (c->x[b] - c->x[a]), c->y[a] + t * (c->y[b] - c->y[a]),
		                c->z[a] + t * (c->z[b] - c->z[a]) };
}

// Walk the ring of cut edges over the removed vertices and write cuts[] and points[].
// marks[v] says removed. @return the number of cut edges, or 0 when they are not one simple ring.
static int walk_ring(rbl_clipper *c, int hole_count)
{
	int edge_count = 0, start = -1, start_slot = 0;
	for (int i = 0; i < hole_count; ++i) {
		int v = c->holes[i];
		for (int k = 0; k < 3; ++k) {
			if (!c->marks[c->links[3 * v + k]]) {
				if (start < 0)
					start = v, start_slot = k;
				edge_count++;
			}
		}
	}
	if (edge_count < 3 || edge_count > hole_count + 2) // more: removed ones are not connected
		return 0;
	int stamp = ++c->stamp;
	int v = start, slot = start_slot, n = 0;
	for (int steps = 3 * hole_count; n < edge_count; ++n) {
		int p = c->faces[3 * v + slot], q = c->faces[3 * v + next3(slot)];
		int kept = c->links[3 * v + slot];
		if (c->face_stamps[q] == stamp)
			return 0;
		c->face_stamps[q] = stamp;
		int *cut = c->cuts + 4 * n;
		cut[0] = p, cut[1] = q, cut[2] = kept, cut[3] = slot_of_face(c, kept, q);
		c->points[n] = cut_point(c, kept, v);
		// Back along face q over removed vertices, to the edge where its loop leaves the kept part.
		slot = next3(slot);
		while (c->marks[c->links[3 * v + slot]]) {
			v = c->links[3 * v + slot];
			slot = slot_of_face(c, v, q);
			if (--steps < 0)
				return 0;
		}
	}
	return v == start && slot == start_slot ? n : 0;
}

// Of the vertices of mark `mark` only those connected to `from` keep it; all others
// get `other`.
static void keep_connected(rbl_clipper *c, int from, int mark, int other)
{
	int *stack = c->cuts, depth = 0;
	stack[depth++] = from;
	c->marks[from] = 2;
	while (depth > 0) {
		int v = stack[--depth];
		for (int k = 0; k < 3; ++k) {
			int n = c->links[3 * v + k];
			if (c->marks[n] == mark) {
				c->marks[n] = 2;
				stack[depth++] = n;
			}
		}
	}
	for (int v = 0; v < c->vertex_count; ++v)
		c->marks[v] = c->marks[v] == 2 ? mark : other;
}

// Make kept and removed vertices connected sets each. @return the number removed.
static int repair_signs(rbl_clipper *c)
{
	int deepest = 0, farthest = 0;
	for (int v = 1; v < c->vertex_count; ++v) {
		if (c->sides[v] < c->sides[deepest])
			deepest = v;
		if (c->sides[v] > c->sides[farthest])
			farthest = v;
	}
	keep_connected(c, deepest, 0, 1);
	keep_connected(c, farthest, 1, 0);
	int count = 0;
	for (int v = 0; v < c->vertex_count; ++v) {
		if (c->marks[v])
			c->holes[count++] = v;
	}
	return count;
}

static void move_vertex(rbl_clipper *c, int from, int to)
{
	c->x[to] = c->x[from], c->y[to] = c->y[from], c->z[to] = c->z[from];
	for (int k = 0; k < 3; ++k) {
		int f = c->faces[3 * from + k], g = c->faces[3 * from + next3(k)];
		int other = c->links[3 * from + k];
		c->faces[3 * to + k] = f;
		c->links[3 * to + k] = other;
		// The other end sees the same edge between g and f.
		c->links[3 * other + slot_of_face(c, other, g)] = to;
	}
}

// Put the ring's vertices into the holes and behind the end, then close the remaining holes.
static void replace_removed(rbl_clipper *c, int ring_count, int hole_count, int face)
{
	int old_count = c->vertex_count;
	for (int i = 0; i < ring_count; ++i) {
		int v = i < hole_count ? c->holes[i] : old_count + i - hole_count;
		int after = i + 1 < ring_count ? i + 1 : 0, before = i > 0 ? i - 1 : ring_count - 1;
		const int *cut = c->cuts + 4 * i;
		c->x[v] = c->points[i].x, c->y[v] = c->points[i].y, c->z[v] = c->points[i].z;
		c->faces[3 * v] = cut[0], c->faces[3 * v + 1] = cut[1], c->faces[3 * v + 2] = face;
		c->links[3 * v] = cut[2];
		c->links[3 * v + 1] = after < hole_count ? c->holes[after] : old_count + after - hole_count;
		c->links[3 * v + 2] =
			before < hole_count ? c->holes[before] : old_count + before - hole_count;
		c->links[3 * cut[2] + cut[3]] = v;
	}
	if (ring_count >= hole_count) {
		c->vertex_count = old_count + ring_count - hole_count;
		return;
	}
	for (int i = hole_count - 1; i >= ring_count; --i) {
		int last = --c->vertex_count;
		if (c->holes[i] != last)
			move_vertex(c, last, c->holes[i]);
	}
}

// A face more and, since removed vertices are connected, at most two vertices more.
static bool reserve_for_a_cut(rbl_clipper *c)
{
	if (c->face_count == c->face_capacity)
		rbl_clipper_compact(c);
	int faces = c->face_count > c->face_capacity / 2 ? c->face_count + 1 : 0;
	return rbl_clipper_reserve(c, faces, c->vertex_count + 2);
}

rbl_cut_result rbl_clipper_cut(rbl_clipper *clipper, rbl_planed plane, double tolerance,
                               uint64_t tag)
{
	rbl_clipper *c = clipper;
	int n = c->vertex_count;
	double extremes[2];
	RBL_PICK(rbl_clipper_sides)(c->x, c->y, c->z, n, plane, c->sides, extremes);
	if (!(extremes[1] > tolerance))
		return RBL_CUT_MISSED;
	if (!(extremes[0] < -tolerance)) {
		c->vertex_count = 0;
		return RBL_CUT_EMPTY;
	}
	if (!reserve_for_a_cut(c))
		return RBL_CUT_NO_MEMORY;

	int hole_count = 0;
	for (int v = 0; v < n; ++v) {
		int removed = c->sides[v] > tolerance;
		c->marks[v] = removed;
		c->holes[hole_count] = v;
		hole_count += removed;
	}
	int ring_count = walk_ring(c, hole_count);
	if (ring_count == 0) {
		hole_count = repair_signs(c);
		ring_count = walk_ring(c, hole_count);
		RBL_ASSERT(ring_count >= 3);
		if (ring_count == 0)
			return RBL_CUT_MISSED;
	}
	int face = c->face_count++;
	c->planes[face] = plane;
	c->tags[face] = tag;
	replace_removed(c, ring_count, hole_count, face);
	return RBL_CUT_DONE;
}

void rbl_clipper_compact(rbl_clipper *clipper)
{
	int stamp = ++clipper->stamp;
	int *stamps = clipper->face_stamps;
	for (int i = 0; i < 3 * clipper->vertex_count; ++i)
		stamps[clipper->faces[i]] = stamp;
	int count = 0;
	for (int f = 0; f < clipper->face_count; ++f) {
		if (stamps[f] != stamp)
			continue;
		clipper->planes[count] = clipper->planes[f];
		clipper->tags[count] = clipper->tags[f];
		stamps[f] = count++; // from here on: the new index
	}
	if (count == clipper->face_count) { // nothing moved: faces[] is right as it is
		memset(stamps, 0, (size_t)count * sizeof *stamps);
		clipper->stamp = 0;
		return;
	}
	for (int i = 0; i < 3 * clipper->vertex_count; ++i)
		clipper->faces[i] = stamps[clipper->faces[i]];
	memset(stamps, 0, (size_t)clipper->face_count * sizeof *stamps);
	clipper->stamp = 0;
	clipper->face_count = count;
}

void rbl_clipper_loops(rbl_clipper *clipper, int *face_starts, int *corner_vertices,
                       int *corner_faces)
{
	rbl_clipper *c = clipper;
	int *first = c->face_stamps; // a vertex of each face
	for (int v = c->vertex_count - 1; v >= 0; --v) {
		for (int k = 0; k < 3; ++k)
			first[c->faces[3 * v + k]] = v;
	}
	int n = 0;
	for (int f = 0; f < c->face_count; ++f) {
		face_starts[f] = n;
		int v = first[f];
		do {
			// In the loop of its face k a vertex is left over the edge of slot k + 2.
			int slot = next3(next3(slot_of_face(c, v, f)));
			corner_vertices[n] = v;
			if (corner_faces)
				corner_faces[n] = c->faces[3 * v + slot];
			n++;
			v = c->links[3 * v + slot];
		} while (v != first[f] && n < 3 * c->vertex_count);
	}
	face_starts[c->face_count] = n;
	memset(first, 0, (size_t)c->face_count * sizeof *first);
	c->stamp = 0;
}

// A sum over directed edges: each adds its part of its face's area, times the face's height over
// the first vertex. Loops are not needed.
double rbl_clipper_volume(const rbl_clipper *clipper, rbl_vec3d *centre)
{
	const rbl_clipper *c = clipper;
	double volume = 0.0;
	if (c->vertex_count == 0)
		return 0.0;
	rbl_vec3d o = { c->x[0], c->y[0], c->z[0] }, moment = { 0.0, 0.0, 0.0 };
	for (int v = 0; v < c->vertex_count; ++v) {
		rbl_vec3d p = { c->x[v] - o.x, c->y[v] - o.y, c->z[v] - o.z };
		for (int k = 0; k < 3; ++k) {
			// The edge of slot k leaves v in the loop of face k + 1.
			int w = c->links[3 * v + k], f = c->faces[3 * v + next3(k)];
			rbl_vec3d q = { c->x[w] - o.x, c->y[w] - o.y, c->z[w] - o.z };
			rbl_planed plane = c->planes[f];
			double height = plane.offset - rbl_dot_d(plane.normal, o);
			double part = height * rbl_dot_d(plane.normal, rbl_cross_d(p, q));
			volume += part;
			// The tetrahedron of o, its foot on the plane, p and q.
			rbl_vec3d four = rbl_add_scaled_d(rbl_add_d(p, q), height, plane.normal);
			moment = rbl_add_scaled_d(moment, part, four);
		}
	}
	if (centre)
		*centre = volume > 0.0 ? rbl_add_d(o, rbl_scale_d(0.25 / volume, moment)) : o;
	return volume / 6.0;
}

void rbl_clipper_link(rbl_clipper *clipper, const int *face_starts, const int *corner_vertices,
                      const int *corner_faces)
{
	memset(clipper->marks, 0, (size_t)clipper->vertex_count * sizeof(int));
	// In the loop of a face a vertex is left over the edge towards the face before it in the
	// vertex's counter-clockwise order. The first face seen and the one beyond start that order.
	for (int f = 0; f < clipper->face_count; ++f) {
		int begin = face_starts[f], end = face_starts[f + 1];
		for (int k = begin; k < end; ++k) {
			int v = corner_vertices[k], beyond = corner_faces[k];
			int *faces = clipper->faces + 3 * v, *links = clipper->links + 3 * v;
			int next = corner_vertices[k + 1 < end ? k + 1 : begin];
			if (clipper->marks[v] == 0) { // slot 0: between `beyond` and f
				faces[0] = beyond, faces[1] = f, links[0] = next;
				clipper->marks[v] = 1;
			} else if (f == faces[0]) { // slot 2: between the third face and face 0
				faces[2] = beyond, links[2] = next;
			} else { // f is the third face, slot 1: between face 1 and it
				faces[2] = f, links[1] = next;
			}
		}
	}
}
