// SPDX-License-Identifier: MIT
//
// Making the polyhedron of a convex, and of boxes, spheres, capsules and triangles.
//
// A convex has exactly three faces at each vertex, so where more planes meet it has several
// vertices at one place and edges of no length between them. Here such vertices are welded: first
// every edge shorter than a hundred-thousandth of the size is collapsed (union-find over the
// vertices), then faces with fewer than three different corners vanish, and the edges of what is
// left are found by looking for the opposite half-edge in the list of the head vertex. A face that
// vanished leaves its two neighbours side by side, and they find each other in that list like any
// two faces.

#include "collide/polyhedron.h"

#include "base/assert.h"
#include "base/union_find.h"
#include "collide/collide_kernels.h"
#include "collide/revolution.h"

static int pad(int count)
{
	return (count + RBL_POLYHEDRON_PAD - 1) & ~(RBL_POLYHEDRON_PAD - 1);
}

float rbl_polyhedron_support(const rbl_polyhedron *p, rbl_vec3 direction, int *vertex)
{
	if (p->vertex_count <= 2) { // spheres and capsules: not worth a kernel
		float first = rbl_dot(rbl_polyhedron_vertex(p, 0), direction);
		float last = rbl_dot(rbl_polyhedron_vertex(p, p->vertex_count - 1), direction);
		*vertex = last > first;
		return rbl_maxf(first, last);
	}
	return RBL_PICK(rbl_polyhedron_find_support)(p->vertices, p->vertex_stride, direction, vertex);
}

rbl_vec3 rbl_polyhedron_support_point(const rbl_polyhedron *p, rbl_vec3 direction)
{
	if (p->revolution)
		return rbl_to_f(rbl_revolution_support(p->revolution, rbl_to_d(direction)));
	int vertex;
	rbl_polyhedron_support(p, direction, &vertex);
	return rbl_polyhedron_vertex(p, vertex);
}

float rbl_polyhedron_extent(const rbl_polyhedron *p, rbl_vec3 direction)
{
	if (p->revolution)
		return rbl_dot(rbl_polyhedron_support_point(p, direction), direction);
	return RBL_PICK(rbl_polyhedron_max_along)(p->vertices, p->vertex_stride, direction);
}

int rbl_polyhedron_face_along(const rbl_polyhedron *p, rbl_vec3 direction)
{
	int best = -1;
	float largest = -FLT_MAX;
	for (int f = 0; f < p->face_count; ++f) {
		float along = rbl_dot(rbl_polyhedron_normal(p, f), direction);
		if (along > largest)
			largest = along, best = f;
	}
	return best;
}

// Bounding radius and width, when all rows are filled.
static void measure(rbl_polyhedron *p)
{
	float square = 0.0f;
	for (int v = 0; v < p->vertex_count; ++v)
		square = rbl_maxf(square, rbl_length_squared(rbl_polyhedron_vertex(p, v)));
	p->bounding_radius = sqrtf(square);
	float width = p->face_count > 0 ? RBL_PICK(rbl_polyhedron_width)(p) : 0.0f;
	p->min_width = rbl_maxf(width, 0.0f) + 2.0f * p->radius;
	p->bounding_radius += p->radius;
}

void rbl_polyhedron_set_radius(rbl_polyhedron *p, float radius)
{
	float change = radius - p->radius;
	p->radius = radius;
	p->bounding_radius += change;
	p->min_width += 2.0f * change;
}

bool rbl_polyhedron_scale(rbl_polyhedron *p, rbl_vec3 scale)
{
	// Rows that are const elsewhere. Padding is scaled like the rest, planes at infinity stay.
	float *vertices = (float *)(uintptr_t)p->vertices, *planes = (float *)(uintptr_t)p->planes;
	const float of[3] = { scale.x, scale.y, scale.z };
	for (int row = 0; row < 3; ++row)
		for (int i = 0; i < p->vertex_stride; ++i)
			vertices[row * p->vertex_stride + i] *= of[row];
	for (int i = 0; i < p->plane_count; ++i) {
		rbl_vec3d n = rbl_to_d(rbl_polyhedron_normal(p, i));
		n = (rbl_vec3d){ n.x / (double)scale.x, n.y / (double)scale.y, n.z / (double)scale.z };
		double length = rbl_length_d(n);
		planes[i] = (float)(n.x / length);
		planes[i + p->plane_stride] = (float)(n.y / length);
		planes[i + 2 * p->plane_stride] = (float)(n.z / length);
		planes[i + 3 * p->plane_stride] = (float)((double)planes[i + 3 * p->plane_stride] / length);
	}
	p->radius *= scale.x;
	measure(p);
	return p->min_width > 0.0f;
}

static void fill_padding(rbl_polyhedron *p, float *vertices, float *planes)
{
	for (int row = 0; row < 3; ++row) {
		for (int i = p->vertex_count; i < p->vertex_stride; ++i)
			vertices[row * p->vertex_stride + i] = vertices[row * p->vertex_stride];
		for (int i = p->plane_count; i < p->plane_stride; ++i)
			planes[row * p->plane_stride + i] = 0.0f;
	}
	for (int i = p->plane_count; i < p->plane_stride; ++i)
		planes[3 * p->plane_stride + i] = FLT_MAX;
}

// --- from a convex ------------------------------------------------------------------------------

static size_t place(size_t *end, size_t bytes)
{
	size_t start = *end;
	*end = (start + bytes + 15) & ~(size_t)15;
	return start;
}

size_t rbl_polyhedron_layout(rbl_polyhedron *p, int corner_count, void *memory,
                             rbl_polyhedron_arrays *arrays)
{
	p->vertex_stride = pad(p->vertex_count);
	p->plane_stride = pad(p->plane_count);
	p->edge_stride = pad(p->edge_count);
	size_t size = 0;
	size_t vertices = place(&size, 12 * (size_t)p->vertex_stride);
	size_t planes = place(&size, 16 * (size_t)p->plane_stride);
	size_t list = place(&size, sizeof(rbl_polyhedron_edge) * (size_t)p->edge_stride);
	size_t starts = place(&size, 2 * (size_t)(p->face_count + 1));
	size_t corners = place(&size, (size_t)corner_count);
	if (!memory)
		return size;
	char *block = memory;
	*arrays = (rbl_polyhedron_arrays){ .vertices = (float *)(block + vertices),
		                               .planes = (float *)(block + planes),
		                               .edge_list = (rbl_polyhedron_edge *)(block + list),
		                               .face_starts = (uint16_t *)(block + starts),
		                               .corners = (uint8_t *)(block + corners) };
	p->vertices = arrays->vertices, p->planes = arrays->planes;
	p->edge_list = arrays->edge_list, p->face_starts = arrays->face_starts;
	p->corners = arrays->corners;
	return size;
}

size_t rbl_polyhedron_size(int face_count, int vertex_count)
{
	rbl_polyhedron p = { .vertex_count = vertex_count,
		                 .face_count = face_count,
		                 .plane_count = face_count,
		                 .edge_count = 3 * vertex_count / 2 };
	return rbl_polyhedron_layout(&p, 3 * vertex_count, NULL, NULL);
}

void rbl_polyhedron_pad(rbl_polyhedron *p, rbl_polyhedron_arrays *arrays)
{
	fill_padding(p, arrays->vertices, arrays->planes);
	for (int e = p->edge_count; e < p->edge_stride; ++e)
		arrays->edge_list[e] = arrays->edge_list[0];
}

// The block ends with the corners.
size_t rbl_polyhedron_used(const rbl_polyhedron *p)
{
	return (size_t)((const char *)p->corners - (const char *)p->vertices) +
	       p->face_starts[p->face_count];
}

void rbl_polyhedron_move(rbl_polyhedron *to, const rbl_polyhedron *from, void *memory)
{
	rbl_polyhedron_arrays arrays;
	*to = *from;
	rbl_polyhedron_layout(to, from->face_starts[from->face_count], memory, &arrays);
	memcpy(memory, from->vertices, rbl_polyhedron_used(from));
}

enum { MAX_CORNERS = RBL_MAX_CONVEX_CORNERS };

// The convex with close vertices welded.
typedef struct welded {
	int vertex_count, face_count, edge_count;
	int first[RBL_MAX_CONVEX_VERTICES];     // new vertex: the old one whose position it has
	int faces[RBL_MAX_CONVEX_FACES];        // new face: the old one
	int starts[RBL_MAX_CONVEX_FACES + 1];   // corners of new faces
	int corners[MAX_CORNERS];               // new vertices
	rbl_polyhedron_edge edges[MAX_CORNERS]; // left and right are new faces
} welded;

// The edges of a convex, each once, from its face with the lower index; those to collapse are apart
// from the others. Which are which is unpredictable: no branch.
typedef struct edge_lists {
	rbl_polyhedron_edge edges[MAX_CORNERS / 2 + 1]; // vertices and faces are the convex's
	rbl_polyhedron_edge collapsed[MAX_CORNERS / 2 + 1];
	int edge_count, collapsed_count;
} edge_lists;

static void list_edges(edge_lists *lists, const rbl_convex_data *d, double tolerance)
{
	rbl_polyhedron_edge all[MAX_CORNERS + 1];
	int n = 0;
	for (int f = 0; f < d->face_count; ++f) {
		int first = d->face_starts[f], last = d->face_starts[f + 1] - 1;
		for (int k = first; k < last; ++k) {
			all[n] = (rbl_polyhedron_edge){ (uint8_t)d->corner_vertices[k],
				                            (uint8_t)d->corner_vertices[k + 1], (uint8_t)f,
				                            (uint8_t)d->corner_faces[k] };
			n += d->corner_faces[k] > f;
		}
		all[n] = (rbl_polyhedron_edge){ (uint8_t)d->corner_vertices[last],
			                            (uint8_t)d->corner_vertices[first], (uint8_t)f,
			                            (uint8_t)d->corner_faces[last] };
		n += d->corner_faces[last] > f;
	}
	RBL_ASSERT(2 * n <= MAX_CORNERS);
	lists->edge_count = lists->collapsed_count = 0;
	for (int i = 0; i < n; ++i) {
		rbl_vec3d line = rbl_sub_d(d->vertices[all[i].head], d->vertices[all[i].tail]);
		bool is_short = rbl_dot_d(line, line) <= tolerance * tolerance;
		lists->edges[lists->edge_count] = lists->collapsed[lists->collapsed_count] = all[i];
		lists->edge_count += !is_short;
		lists->collapsed_count += is_short;
	}
}

static void weld_vertices(welded *w, const rbl_convex_data *d, const edge_lists *lists,
                          int *new_index)
{
	int32_t parents[RBL_MAX_CONVEX_VERTICES];
	rbl_union_find_init(parents, d->vertex_count);
	for (int i = 0; i < lists->collapsed_count; ++i)
		rbl_union_find_join(parents, lists->collapsed[i].tail, lists->collapsed[i].head);
	w->vertex_count = 0;
	for (int v = 0; v < d->vertex_count; ++v) {
		if (parents[v] == v)
			w->first[new_index[v] = w->vertex_count++] = v;
		else
			new_index[v] = new_index[rbl_union_find_root(parents, v)];
	}
}

static void weld_faces(welded *w, const rbl_convex_data *d, const int *new_index)
{
	int n = 0;
	w->face_count = 0;
	for (int f = 0; f < d->face_count; ++f) {
		int start = n, first = d->face_starts[f], end = d->face_starts[f + 1];
		int last = new_index[d->corner_vertices[end - 1]], b = new_index[d->corner_vertices[first]];
		for (int k = first; k < end - 1; ++k) {
			int a = b;
			b = new_index[d->corner_vertices[k + 1]];
			w->corners[n] = a; // which are the same is unpredictable: no branch
			n += a != b;
		}
		w->corners[n] = last;
		n += last != new_index[d->corner_vertices[first]];
		if (n - start < 3) {
			n = start;
			continue;
		}
		w->starts[w->face_count] = start;
		w->faces[w->face_count++] = f;
	}
	w->starts[w->face_count] = n;
}

// When no face has vanished, the convex knows what is across an edge: the same edges in the same
// order as find_edges() finds.
static void read_edges(welded *w, const edge_lists *lists, const int *new_index)
{
	int n = 0;
	for (int i = 0; i < lists->edge_count; ++i) {
		rbl_polyhedron_edge edge = lists->edges[i];
		edge.tail = (uint8_t)new_index[edge.tail], edge.head = (uint8_t)new_index[edge.head];
		w->edges[n] = edge;
		n += edge.tail != edge.head;
	}
	w->edge_count = n;
}

// Edges in the order of their left face. A half-edge without an opposite borders on a face that has
// vanished without leaving a neighbour; it is no edge.
static void find_edges(welded *w)
{
	int heads[RBL_MAX_CONVEX_VERTICES], next[MAX_CORNERS], faces[MAX_CORNERS], ends[MAX_CORNERS];
	bool is_done[MAX_CORNERS];
	for (int v = 0; v < w->vertex_count; ++v)
		heads[v] = -1;
	for (int f = 0; f < w->face_count; ++f) {
		for (int k = w->starts[f]; k < w->starts[f + 1]; ++k) {
			faces[k] = f;
			ends[k] = w->corners[k + 1 < w->starts[f + 1] ? k + 1 : w->starts[f]];
			next[k] = heads[w->corners[k]];
			heads[w->corners[k]] = k;
			is_done[k] = false;
		}
	}
	w->edge_count = 0;
	for (int k = 0; k < w->starts[w->face_count]; ++k) {
		if (is_done[k])
			continue;
		int back = heads[ends[k]];
		while (back >= 0 &&
		       (is_done[back] || ends[back] != w->corners[k] || faces[back] == faces[k]))
			back = next[back];
		if (back < 0)
			continue;
		is_done[k] = is_done[back] = true;
		w->edges[w->edge_count++] =
			(rbl_polyhedron_edge){ (uint8_t)w->corners[k], (uint8_t)ends[k], (uint8_t)faces[k],
			                       (uint8_t)faces[back] };
	}
}

bool rbl_polyhedron_from_convex(rbl_polyhedron *p, const rbl_convex_data *d, rbl_vec3d origin,
                                rbl_boxd box, void *memory)
{
	welded w;
	edge_lists lists;
	int new_index[RBL_MAX_CONVEX_VERTICES];
	list_edges(&lists, d, 1e-5 * rbl_length_d(rbl_box_size_d(box)));
	weld_vertices(&w, d, &lists, new_index);
	weld_faces(&w, d, new_index);
	if (w.vertex_count < 4 || w.face_count < 4)
		return false;
	if (w.face_count == d->face_count)
		read_edges(&w, &lists, new_index);
	else
		find_edges(&w);

	*p = (rbl_polyhedron){ .vertex_count = w.vertex_count,
		                   .face_count = w.face_count,
		                   .plane_count = w.face_count,
		                   .edge_count = w.edge_count };
	int corner_count = w.starts[w.face_count];
	rbl_polyhedron_arrays arrays;
	size_t size = rbl_polyhedron_layout(p, corner_count, memory, &arrays);
	RBL_ASSERT(size <= rbl_polyhedron_size(d->face_count, d->vertex_count));
	(void)size;
	float *vertices = arrays.vertices, *planes = arrays.planes;
	rbl_polyhedron_edge *list = arrays.edge_list;
	uint16_t *starts = arrays.face_starts;
	uint8_t *corners = arrays.corners;

	for (int v = 0; v < w.vertex_count; ++v) {
		rbl_vec3 at = rbl_to_f(rbl_sub_d(d->vertices[w.first[v]], origin));
		vertices[v] = at.x;
		vertices[v + p->vertex_stride] = at.y;
		vertices[v + 2 * p->vertex_stride] = at.z;
	}
	for (int f = 0; f < w.face_count; ++f) {
		rbl_planed plane = d->planes[w.faces[f]];
		planes[f] = (float)plane.normal.x;
		planes[f + p->plane_stride] = (float)plane.normal.y;
		planes[f + 2 * p->plane_stride] = (float)plane.normal.z;
		planes[f + 3 * p->plane_stride] = (float)(plane.offset - rbl_dot_d(plane.normal, origin));
		starts[f] = (uint16_t)w.starts[f];
	}
	starts[w.face_count] = (uint16_t)corner_count;
	for (int k = 0; k < corner_count; ++k)
		corners[k] = (uint8_t)w.corners[k];
	for (int e = 0; e < w.edge_count; ++e)
		list[e] = w.edges[e];
	rbl_polyhedron_pad(p, &arrays);
	measure(p);
	return true;
}

// --- boxes, spheres, capsules, triangles ---------------------------------------------------------

static void begin_small(rbl_small_polyhedron *p, int vertices, int faces, int planes, int edges,
                        float radius)
{
	p->polyhedron = (rbl_polyhedron){ .vertex_count = vertices,
		                              .face_count = faces,
		                              .plane_count = planes,
		                              .edge_count = edges,
		                              .vertex_stride = 8,
		                              .plane_stride = planes > 0 ? 8 : 0,
		                              .edge_stride = pad(edges),
		                              .radius = radius,
		                              .vertices = p->vertices,
		                              .planes = p->planes,
		                              .edge_list = p->edge_list,
		                              .face_starts = p->face_starts,
		                              .corners = p->corners };
	memset(p->edge_list, 0, sizeof p->edge_list);
	p->face_starts[0] = 0;
}

static void set_vertex(rbl_small_polyhedron *p, int i, rbl_vec3 at)
{
	p->vertices[i] = at.x, p->vertices[8 + i] = at.y, p->vertices[16 + i] = at.z;
}

static void set_plane(rbl_small_polyhedron *p, int i, rbl_vec3 normal, rbl_vec3 through)
{
	p->planes[i] = normal.x, p->planes[8 + i] = normal.y, p->planes[16 + i] = normal.z;
	p->planes[24 + i] = rbl_dot(normal, through);
}

static void finish_small(rbl_small_polyhedron *p)
{
	fill_padding(&p->polyhedron, p->vertices, p->planes);
	measure(&p->polyhedron);
}

void rbl_polyhedron_from_box(rbl_small_polyhedron *p, rbl_vec3 centre, rbl_vec3 half)
{
	begin_small(p, 8, 6, 6, 12, 0.0f);
	for (int v = 0; v < 8; ++v) // bits are signs: x 1, y 2, z 4
		set_vertex(p, v,
		           rbl_add(centre, (rbl_vec3){ v & 1 ? half.x : -half.x, v & 2 ? half.y : -half.y,
		                                       v & 4 ? half.z : -half.z }));
	static const uint8_t loops[24] = { 0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
		                               2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6 };
	memcpy(p->corners, loops, sizeof loops);
	for (int f = 0; f < 6; ++f) { // -x +x -y +y -z +z
		float sign = f & 1 ? 1.0f : -1.0f;
		rbl_vec3 normal = { f / 2 == 0 ? sign : 0.0f, f / 2 == 1 ? sign : 0.0f,
			                f / 2 == 2 ? sign : 0.0f };
		set_plane(p, f, normal, rbl_polyhedron_vertex(&p->polyhedron, loops[4 * f]));
		p->face_starts[f + 1] = (uint16_t)(4 * (f + 1));
	}
	static const rbl_polyhedron_edge edges[12] = { { 0, 4, 0, 2 }, { 4, 6, 0, 5 }, { 6, 2, 0, 3 },
		                                           { 2, 0, 0, 4 }, { 1, 3, 1, 4 }, { 3, 7, 1, 3 },
		                                           { 7, 5, 1, 5 }, { 5, 1, 1, 2 }, { 0, 1, 2, 4 },
		                                           { 5, 4, 2, 5 }, { 6, 7, 3, 5 }, { 3, 2, 3, 4 } };
	memcpy(p->edge_list, edges, sizeof edges);
	finish_small(p);
}

void rbl_polyhedron_from_sphere(rbl_small_polyhedron *p, rbl_vec3 centre, float radius)
{
	begin_small(p, 1, 0, 0, 0, radius);
	set_vertex(p, 0, centre);
	finish_small(p);
}

void rbl_polyhedron_from_capsule(rbl_small_polyhedron *p, rbl_vec3 a, rbl_vec3 b, float radius)
{
	begin_small(p, 2, 0, 4, 4, radius);
	set_vertex(p, 0, a);
	set_vertex(p, 1, b);
	// Four normals around the segment, each a quarter turn from the last, and so four edges.
	rbl_vec3 axis = rbl_normalize(rbl_sub(b, a));
	rbl_vec3 u = rbl_perpendicular(axis), v = rbl_cross(axis, u);
	rbl_vec3 normals[4] = { u, v, rbl_neg(u), rbl_neg(v) };
	for (int i = 0; i < 4; ++i)
		set_plane(p, i, normals[i], a);
	for (int i = 0; i < 4; ++i)
		p->edge_list[i] = (rbl_polyhedron_edge){ 0, 1, (uint8_t)i, (uint8_t)((i + 1) & 3) };
	finish_small(p);
}

bool rbl_polyhedron_from_triangle(rbl_small_polyhedron *p, rbl_vec3 a, rbl_vec3 b, rbl_vec3 c)
{
	rbl_vec3 normal = rbl_normalize(rbl_cross(rbl_sub(b, a), rbl_sub(c, a)));
	if (rbl_length_squared(normal) < 0.5f)
		return false;
	begin_small(p, 3, 2, 5, 6, 0.0f);
	set_vertex(p, 0, a);
	set_vertex(p, 1, b);
	set_vertex(p, 2, c);
	set_plane(p, 0, normal, a);
	set_plane(p, 1, rbl_neg(normal), a);
	static const uint8_t loops[6] = { 0, 1, 2, 0, 2, 1 };
	memcpy(p->corners, loops, sizeof loops);
	p->face_starts[1] = 3, p->face_starts[2] = 6;
	// Each side has a plane of its own: front, side, back are the normals around its edge.
	for (uint8_t k = 0; k < 3; ++k) {
		uint8_t after = (uint8_t)((k + 1) % 3), side = (uint8_t)(2 + k);
		rbl_vec3 from = rbl_polyhedron_vertex(&p->polyhedron, k);
		rbl_vec3 to = rbl_polyhedron_vertex(&p->polyhedron, after);
		set_plane(p, side, rbl_normalize(rbl_cross(rbl_sub(to, from), normal)), from);
		p->edge_list[2 * k] = (rbl_polyhedron_edge){ k, after, 0, side };
		p->edge_list[2 * k + 1] = (rbl_polyhedron_edge){ after, k, 1, side };
	}
	finish_small(p);
	return true;
}
