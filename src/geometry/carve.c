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

#include "geometry/carve.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/vec.h"
#include "geometry/carve_kernels.h"

void rbl_carving_init(rbl_carving *carving, const rbl_allocator *allocator)
{
	*carving = (rbl_carving){ .allocator = rbl_allocator_or_default(allocator) };
}

static void free_faces(rbl_carving *c, rbl_planed *planes, uint64_t *tags, int *stamps, int n)
{
	RBL_FREE(&c->allocator, planes, n);
	RBL_FREE(&c->allocator, tags, n);
	RBL_FREE(&c->allocator, stamps, n);
}

static void free_vertices(const rbl_carving *c, const rbl_carving *set)
{
	int n = set->vertex_capacity;
	RBL_FREE(&c->allocator, set->x, n);
	RBL_FREE(&c->allocator, set->y, n);
	RBL_FREE(&c->allocator, set->z, n);
	RBL_FREE(&c->allocator, set->sides, n);
	RBL_FREE(&c->allocator, set->faces, 3 * n);
	RBL_FREE(&c->allocator, set->links, 3 * n);
	RBL_FREE(&c->allocator, set->marks, n);
	RBL_FREE(&c->allocator, set->holes, n);
	RBL_FREE(&c->allocator, set->cuts, 4 * n);
	RBL_FREE(&c->allocator, set->points, n);
}

void rbl_carving_destroy(rbl_carving *carving)
{
	free_faces(carving, carving->planes, carving->tags, carving->face_stamps,
	           carving->face_capacity);
	free_vertices(carving, carving);
	rbl_carving_init(carving, &carving->allocator);
}

static bool grow_faces(rbl_carving *c, int wanted)
{
	int capacity = rbl_maxi(wanted, 2 * c->face_capacity);
	rbl_planed *planes = RBL_NEW(&c->allocator, rbl_planed, capacity);
	uint64_t *tags = RBL_NEW(&c->allocator, uint64_t, capacity);
	int *stamps = RBL_NEW_ZERO(&c->allocator, int, capacity);
	if (!planes || !tags || !stamps) {
		free_faces(c, planes, tags, stamps, capacity);
		return false;
	}
	if (c->face_count > 0) {
		memcpy(planes, c->planes, (size_t)c->face_count * sizeof *planes);
		memcpy(tags, c->tags, (size_t)c->face_count * sizeof *tags);
	}
	free_faces(c, c->planes, c->tags, c->face_stamps, c->face_capacity);
	c->planes = planes, c->tags = tags, c->face_stamps = stamps;
	c->face_capacity = capacity;
	c->stamp = 0;
	return true;
}

static bool grow_vertices(rbl_carving *c, int wanted)
{
	rbl_carving set = { .vertex_capacity = rbl_maxi(wanted, 2 * c->vertex_capacity) };
	int n = set.vertex_capacity;
	set.x = RBL_NEW(&c->allocator, double, n);
	set.y = RBL_NEW(&c->allocator, double, n);
	set.z = RBL_NEW(&c->allocator, double, n);
	set.sides = RBL_NEW(&c->allocator, double, n);
	set.faces = RBL_NEW(&c->allocator, int, 3 * n);
	set.links = RBL_NEW(&c->allocator, int, 3 * n);
	set.marks = RBL_NEW(&c->allocator, int, n);
	set.holes = RBL_NEW(&c->allocator, int, n);
	set.cuts = RBL_NEW(&c->allocator, int, 4 * n);
	set.points = RBL_NEW(&c->allocator, rbl_vec3d, n);
	if (!set.x || !set.y || !set.z || !set.sides || !set.faces || !set.links || !set.marks ||
	    !set.holes || !set.cuts || !set.points) {
		free_vertices(c, &set);
		return false;
	}
	size_t count = (size_t)c->vertex_count;
	if (count > 0) {
		memcpy(set.x, c->x, count * sizeof(double));
		memcpy(set.y, c->y, count * sizeof(double));
		memcpy(set.z, c->z, count * sizeof(double));
		memcpy(set.sides, c->sides, count * sizeof(double));
		memcpy(set.faces, c->faces, 3 * count * sizeof(int));
		memcpy(set.links, c->links, 3 * count * sizeof(int));
	}
	free_vertices(c, c);
	c->vertex_capacity = n;
	c->x = set.x, c->y = set.y, c->z = set.z, c->sides = set.sides;
	c->faces = set.faces, c->links = set.links, c->marks = set.marks, c->holes = set.holes;
	c->cuts = set.cuts, c->points = set.points;
	return true;
}

bool rbl_carving_reserve(rbl_carving *carving, int face_count, int vertex_count)
{
	return (face_count <= carving->face_capacity || grow_faces(carving, face_count)) &&
	       (vertex_count <= carving->vertex_capacity || grow_vertices(carving, vertex_count));
}

bool rbl_carving_clear(rbl_carving *carving, int face_count, int vertex_count)
{
	carving->face_count = carving->vertex_count = 0;
	if (!rbl_carving_reserve(carving, face_count, vertex_count))
		return false;
	// Compaction starts the stamps over and wipes those of its faces only. Faces that come to lie
	// on other places would find stamps of an earlier polyhedron there, and take them for theirs.
	memset(carving->face_stamps, 0, (size_t)carving->face_capacity * sizeof(int));
	carving->stamp = 0;
	return true;
}

bool rbl_carving_start_box(rbl_carving *carving, rbl_boxd box, uint64_t first_tag)
{
	if (!rbl_carving_clear(carving, 24, 48))
		return false;
	const double lower[3] = { box.lower.x, box.lower.y, box.lower.z };
	const double upper[3] = { box.upper.x, box.upper.y, box.upper.z };
	for (int k = 0; k < 6; ++k) {
		double sign = k & 1 ? 1.0 : -1.0;
		rbl_vec3d normal = { k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0,
			                 k / 2 == 2 ? sign : 0.0 };
		carving->planes[k] = (rbl_planed){ normal, k & 1 ? upper[k / 2] : -lower[k / 2] };
		carving->tags[k] = first_tag + (uint64_t)k;
	}
	for (int v = 0; v < 8; ++v) { // bit 0: upper x, bit 1: upper y, bit 2: upper z
		carving->x[v] = v & 1 ? upper[0] : lower[0];
		carving->y[v] = v & 2 ? upper[1] : lower[1];
		carving->z[v] = v & 4 ? upper[2] : lower[2];
		int fx = v & 1, fy = 2 + (v >> 1 & 1), fz = 4 + (v >> 2 & 1);
		// At the all-upper corner x, y, z is counter-clockwise; each mirroring turns it round.
		bool turned = (((v ^ v >> 1 ^ v >> 2) & 1) == 0);
		int *faces = carving->faces + 3 * v, *links = carving->links + 3 * v;
		faces[0] = fx, faces[1] = turned ? fz : fy, faces[2] = turned ? fy : fz;
		links[0] = turned ? v ^ 2 : v ^ 4;
		links[1] = v ^ 1;
		links[2] = turned ? v ^ 4 : v ^ 2;
	}
	carving->face_count = 6;
	carving->vertex_count = 8;
	return true;
}

bool rbl_carving_copy(rbl_carving *carving, const rbl_carving *from)
{
	size_t faces = (size_t)from->face_count, vertices = (size_t)from->vertex_count;
	if (!rbl_carving_clear(carving, from->face_count + 8, from->vertex_count + 16))
		return false;
	memcpy(carving->planes, from->planes, faces * sizeof *from->planes);
	memcpy(carving->tags, from->tags, faces * sizeof *from->tags);
	memcpy(carving->x, from->x, vertices * sizeof(double));
	memcpy(carving->y, from->y, vertices * sizeof(double));
	memcpy(carving->z, from->z, vertices * sizeof(double));
	memcpy(carving->faces, from->faces, 3 * vertices * sizeof(int));
	memcpy(carving->links, from->links, 3 * vertices * sizeof(int));
	carving->face_count = from->face_count;
	carving->vertex_count = from->vertex_count;
	return true;
}

static int next3(int k)
{
	return k == 2 ? 0 : k + 1;
}

// The slot of vertex v whose edge lies between its face f and the face after it.
static int slot_of_face(const rbl_carving *c, int v, int f)
{
	const int *faces = c->faces + 3 * v;
	return faces[0] == f ? 0 : faces[1] == f ? 1 : 2;
}

// The point on a cut edge, computed from the end that comes first by place: both sides of a plane
// get the same bits.
static rbl_vec3d cut_point(const rbl_carving *c, int kept, int removed)
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
static int walk_ring(rbl_carving *c, int hole_count)
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
	if (edge_count < 3 || edge_count > hole_count + 2) // more: removed ones do not hang together
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

// Of the vertices of mark `mark` only those that hang together with `from` keep it; all others
// get `other`.
static void keep_connected(rbl_carving *c, int from, int mark, int other)
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
static int repair_signs(rbl_carving *c)
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

static void move_vertex(rbl_carving *c, int from, int to)
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
static void replace_removed(rbl_carving *c, int ring_count, int hole_count, int face)
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

// A face more and, since removed vertices hang together, at most two vertices more.
static bool reserve_for_a_cut(rbl_carving *c)
{
	if (c->face_count == c->face_capacity)
		rbl_carving_compact(c);
	int faces = c->face_count > c->face_capacity / 2 ? c->face_count + 1 : 0;
	return rbl_carving_reserve(c, faces, c->vertex_count + 2);
}

rbl_cut_result rbl_carving_cut(rbl_carving *carving, rbl_planed plane, double tolerance,
                               uint64_t tag)
{
	rbl_carving *c = carving;
	int n = c->vertex_count;
	double extremes[2];
	RBL_PICK(rbl_carve_sides)(c->x, c->y, c->z, n, plane, c->sides, extremes);
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

void rbl_carving_compact(rbl_carving *carving)
{
	int stamp = ++carving->stamp;
	int *stamps = carving->face_stamps;
	for (int i = 0; i < 3 * carving->vertex_count; ++i)
		stamps[carving->faces[i]] = stamp;
	int count = 0;
	for (int f = 0; f < carving->face_count; ++f) {
		if (stamps[f] != stamp)
			continue;
		carving->planes[count] = carving->planes[f];
		carving->tags[count] = carving->tags[f];
		stamps[f] = count++; // from here on: the new index
	}
	if (count == carving->face_count) { // nothing moved: faces[] is right as it is
		memset(stamps, 0, (size_t)count * sizeof *stamps);
		carving->stamp = 0;
		return;
	}
	for (int i = 0; i < 3 * carving->vertex_count; ++i)
		carving->faces[i] = stamps[carving->faces[i]];
	memset(stamps, 0, (size_t)carving->face_count * sizeof *stamps);
	carving->stamp = 0;
	carving->face_count = count;
}

void rbl_carving_loops(rbl_carving *carving, int *face_starts, int *corner_vertices,
                       int *corner_faces)
{
	rbl_carving *c = carving;
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
double rbl_carving_volume(const rbl_carving *carving, rbl_vec3d *centre)
{
	const rbl_carving *c = carving;
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

void rbl_carving_link(rbl_carving *carving, const int *face_starts, const int *corner_vertices,
                      const int *corner_faces)
{
	memset(carving->marks, 0, (size_t)carving->vertex_count * sizeof(int));
	// In the loop of a face a vertex is left over the edge towards the face before it in the
	// vertex's counter-clockwise order. The first face seen and the one beyond start that order.
	for (int f = 0; f < carving->face_count; ++f) {
		int begin = face_starts[f], end = face_starts[f + 1];
		for (int k = begin; k < end; ++k) {
			int v = corner_vertices[k], beyond = corner_faces[k];
			int *faces = carving->faces + 3 * v, *links = carving->links + 3 * v;
			int next = corner_vertices[k + 1 < end ? k + 1 : begin];
			if (carving->marks[v] == 0) { // slot 0: between `beyond` and f
				faces[0] = beyond, faces[1] = f, links[0] = next;
				carving->marks[v] = 1;
			} else if (f == faces[0]) { // slot 2: between the third face and face 0
				faces[2] = beyond, links[2] = next;
			} else { // f is the third face, slot 1: between face 1 and it
				faces[2] = f, links[1] = next;
			}
		}
	}
}
