// SPDX-License-Identifier: MIT
//
// Surfaces that collide with themselves, made of one model.

#include "scenes/bunnies.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool bunny_make(bunny *b, int vertex_count, int triangle_count)
{
	b->vertex_count = vertex_count, b->triangle_count = triangle_count;
	b->positions = calloc((size_t)vertex_count + 1, sizeof *b->positions);
	b->triangles = calloc(3 * (size_t)triangle_count + 1, sizeof *b->triangles);
	if (b->positions && b->triangles)
		return true;
	bunny_free(b);
	return false;
}

void bunny_free(bunny *b)
{
	free(b->positions);
	free(b->triangles);
	*b = (bunny){ 0 };
}

bool bunny_from_mesh(bunny *b, const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	if (!bunny_make(b, data.vertex_count, rbl_mesh_triangle_count(mesh)))
		return false;
	for (int i = 0; i < data.vertex_count; ++i) {
		rbl_vec3d p = data.positions[i];
		b->positions[i] = (rbl_vec3){ (float)p.x, (float)p.y, (float)p.z };
	}
	if (rbl_mesh_triangulate(mesh, b->triangles, NULL) == RBL_OK) {
		for (int i = 0; i < 3 * b->triangle_count; ++i) // corners become vertices
			b->triangles[i] = data.corner_vertices[b->triangles[i]];
		return true;
	}
	bunny_free(b);
	return false;
}

bool bunny_copy(bunny *b, const bunny *from)
{
	*b = (bunny){ 0 };
	return bunny_append(b, from);
}

bool bunny_append(bunny *b, const bunny *other)
{
	bunny sum;
	if (!bunny_make(&sum, b->vertex_count + other->vertex_count,
	                b->triangle_count + other->triangle_count))
		return false;
	const bunny *parts[2] = { b, other };
	for (int k = 0, vertex = 0, triangle = 0; k < 2; ++k) {
		for (int i = 0; i < parts[k]->vertex_count; ++i)
			sum.positions[vertex + i] = parts[k]->positions[i];
		for (int i = 0; i < 3 * parts[k]->triangle_count; ++i)
			sum.triangles[3 * triangle + i] = parts[k]->triangles[i] + vertex;
		vertex += parts[k]->vertex_count, triangle += parts[k]->triangle_count;
	}
	bunny_free(b);
	*b = sum;
	return true;
}

// --- refining -----------------------------------------------------------------------------------

enum { MOST_TRIANGLES = 4 }; // of an edge

typedef struct edge {
	int a, b; // a < b; 0, 0 in empty places
	int triangles[MOST_TRIANGLES], count;
} edge;

typedef struct heap_item {
	double length;
	int a, b;
} heap_item;

typedef struct refinement {
	bunny *mesh;
	edge *edges; // an open table
	uint32_t mask;
	heap_item *heap;
	int heap_count;
} refinement;

static edge *find_edge(refinement *r, int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;
	uint64_t key = ((uint64_t)(uint32_t)low << 32 | (uint32_t)high) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(key >> 32) & r->mask;
	while (r->edges[at].b && (r->edges[at].a != low || r->edges[at].b != high))
		at = (at + 1) & r->mask;
	r->edges[at].a = low, r->edges[at].b = high;
	return &r->edges[at];
}

static void add_triangle(refinement *r, int a, int b, int triangle)
{
	edge *e = find_edge(r, a, b);
	if (e->count < MOST_TRIANGLES)
		e->triangles[e->count++] = triangle;
}

/// Whether x comes out before y.
static bool is_before(heap_item x, heap_item y)
{
	if (x.length != y.length)
		return x.length > y.length;
	return x.a != y.a ? x.a < y.a : x.b < y.b;
}

static void push(refinement *r, int a, int b)
{
	rbl_vec3 p = r->mesh->positions[a], q = r->mesh->positions[b];
	double x = (double)p.x - (double)q.x, y = (double)p.y - (double)q.y;
	double z = (double)p.z - (double)q.z;
	heap_item item = { x * x + y * y + z * z, a < b ? a : b, a < b ? b : a };
	int i = r->heap_count++;
	for (; i > 0 && is_before(item, r->heap[(i - 1) / 2]); i = (i - 1) / 2)
		r->heap[i] = r->heap[(i - 1) / 2];
	r->heap[i] = item;
}

static heap_item pop(refinement *r)
{
	heap_item top = r->heap[0], last = r->heap[--r->heap_count];
	int i = 0;
	for (int child = 1; child < r->heap_count; child = 2 * i + 1) {
		if (child + 1 < r->heap_count && is_before(r->heap[child + 1], r->heap[child]))
			child++;
		if (!is_before(r->heap[child], last))
			break;
		r->heap[i] = r->heap[child];
		i = child;
	}
	r->heap[i] = last;
	return top;
}

static float middle(float a, float b)
{
	return (float)(0.5 * ((double)a + (double)b));
}

/// Cut triangle t of edge a b at the new vertex m. @return the vertex across
static int cut(refinement *r, int t, int a, int b, int m)
{
	bunny *mesh = r->mesh;
	int *f = mesh->triangles + 3 * t, k = 0;
	while (!((f[k] == a && f[(k + 1) % 3] == b) || (f[k] == b && f[(k + 1) % 3] == a)))
		k++;
	int p = f[k], q = f[(k + 1) % 3], s = f[(k + 2) % 3], n = mesh->triangle_count++;
	f[0] = p, f[1] = m, f[2] = s;
	int *g = mesh->triangles + 3 * n;
	g[0] = m, g[1] = q, g[2] = s;
	add_triangle(r, p, m, t);
	add_triangle(r, q, m, n);
	add_triangle(r, s, m, t);
	add_triangle(r, s, m, n);
	edge *far = find_edge(r, q, s);
	for (int i = 0; i < far->count; ++i)
		if (far->triangles[i] == t) {
			far->triangles[i] = n;
			break;
		}
	return s;
}

static void refine(refinement *r, int count)
{
	bunny *mesh = r->mesh;
	for (int t = 0; t < mesh->triangle_count; ++t)
		for (int k = 0; k < 3; ++k) {
			int a = mesh->triangles[3 * t + k], b = mesh->triangles[3 * t + (k + 1) % 3];
			if (find_edge(r, a, b)->count == 0)
				push(r, a, b);
			add_triangle(r, a, b, t);
		}
	while (mesh->triangle_count < count && r->heap_count > 0) {
		heap_item top = pop(r);
		edge cut_edge = *find_edge(r, top.a, top.b);
		int m = mesh->vertex_count++, across[MOST_TRIANGLES];
		rbl_vec3 p = mesh->positions[top.a], q = mesh->positions[top.b];
		mesh->positions[m] = (rbl_vec3){ middle(p.x, q.x), middle(p.y, q.y), middle(p.z, q.z) };
		for (int i = 0; i < cut_edge.count; ++i)
			across[i] = cut(r, cut_edge.triangles[i], top.a, top.b, m);
		push(r, top.a, m);
		push(r, top.b, m);
		for (int i = 0; i < cut_edge.count; ++i)
			push(r, across[i], m);
	}
}

bool bunny_refine(bunny *b, int count)
{
	// A cut adds one vertex, up to MOST_TRIANGLES triangles, and two edges more than that.
	int cuts = count > b->triangle_count ? count - b->triangle_count : 0;
	bunny copy;
	if (!bunny_make(&copy, b->vertex_count + cuts, count + MOST_TRIANGLES))
		return false;
	memcpy(copy.positions, b->positions, (size_t)b->vertex_count * sizeof *b->positions);
	memcpy(copy.triangles, b->triangles, 3 * (size_t)b->triangle_count * sizeof *b->triangles);
	copy.vertex_count = b->vertex_count, copy.triangle_count = b->triangle_count;
	size_t most = 3 * (size_t)b->triangle_count + 4 * (size_t)cuts + 8, places = 64;
	while (places < 2 * most)
		places *= 2;
	refinement r = { .mesh = &copy, .mask = (uint32_t)(places - 1) };
	r.edges = calloc(places, sizeof *r.edges);
	r.heap = calloc(most, sizeof *r.heap);
	bool is_done = r.edges && r.heap;
	if (is_done)
		refine(&r, count);
	free(r.edges);
	free(r.heap);
	bunny_free(is_done ? b : &copy);
	if (is_done)
		*b = copy;
	return is_done;
}

// --- moving -------------------------------------------------------------------------------------

typedef struct extent {
	double low[3], high[3], longest;
} extent;

static extent find_extent(const bunny *b)
{
	extent e = { { 0.0 }, { 0.0 }, 0.0 };
	for (int i = 0; i < b->vertex_count; ++i) {
		const double p[3] = { (double)b->positions[i].x, (double)b->positions[i].y,
			                  (double)b->positions[i].z };
		for (int k = 0; k < 3; ++k) {
			e.low[k] = i == 0 || p[k] < e.low[k] ? p[k] : e.low[k];
			e.high[k] = i == 0 || p[k] > e.high[k] ? p[k] : e.high[k];
		}
	}
	for (int k = 0; k < 3; ++k)
		e.longest = e.high[k] - e.low[k] > e.longest ? e.high[k] - e.low[k] : e.longest;
	return e;
}

/// Two parabolas instead of a sine: period 1, height 1.
static double wave(double x)
{
	x -= floor(x);
	return x < 0.5 ? 16.0 * x * (0.5 - x) : -16.0 * (x - 0.5) * (1.0 - x);
}

void bunny_crumple(bunny *b, double amount)
{
	extent e = find_extent(b);
	double c = 2.5, height = amount / (8.0 * c);
	for (int i = 0; i < b->vertex_count; ++i) {
		rbl_vec3 *v = &b->positions[i];
		double x = ((double)v->x - e.low[0]) / e.longest;
		double y = ((double)v->y - e.low[1]) / e.longest;
		double z = ((double)v->z - e.low[2]) / e.longest;
		double u = x + height * wave(c * x + 0.6 * y);
		double s = y + height * wave(c * y + 0.7 * z + 0.2);
		double t = z + height * wave(c * z + 0.5 * x + 0.4);
		*v = (rbl_vec3){ (float)(u * e.longest + e.low[0]), (float)(s * e.longest + e.low[1]),
			             (float)(t * e.longest + e.low[2]) };
	}
}

void bunny_move(bunny *b)
{
	extent e = find_extent(b);
	double centre[3];
	for (int k = 0; k < 3; ++k)
		centre[k] = (e.low[k] + e.high[k]) / 2.0;
	for (int i = 0; i < b->vertex_count; ++i) {
		rbl_vec3 *v = &b->positions[i];
		double x = (double)v->x - centre[0], y = (double)v->y - centre[1];
		double z = (double)v->z - centre[2];
		double turned_x = 0.8 * x + 0.6 * z, turned_z = -0.6 * x + 0.8 * z;
		double turned_y = (12.0 * y - 5.0 * turned_z) / 13.0;
		turned_z = (5.0 * y + 12.0 * turned_z) / 13.0;
		*v = (rbl_vec3){ (float)(turned_x + centre[0] + 0.125 * e.longest),
			             (float)(turned_y + centre[1] + 0.0625 * e.longest),
			             (float)(turned_z + centre[2] - 0.03125 * e.longest) };
	}
}
