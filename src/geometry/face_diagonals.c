// SPDX-License-Identifier: MIT
//
// Nearly no mesh has doubled diagonals, so the search for them is what costs: edges and diagonals
// are counted into one bucket per lower vertex, and stamps on the higher ones show which come
// twice. Only when one does are they put into maps, in which flips can look and write.

#include "geometry/face_diagonals.h"

#include "base/hash.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/mesh.h"
#include "geometry/predicates.h"
#include "geometry/triangulate.h"

enum { MAX_ROUNDS = 8 };

// A diagonal is a side of two triangles; the one in which it runs to the higher corner counts.
static bool is_diagonal(int from, int to, int size)
{
	return to - from > 1 && to - from < size - 1;
}

static int triangle_count(const rbl_mesh_data *data)
{
	return data->corner_count - 2 * data->face_count;
}

// --- search --------------------------------------------------------------------------------

// An edge or diagonal in the bucket of its lower vertex.
typedef struct face_link {
	int other; // the higher vertex
	int face;  // of a diagonal; -1 for edges
} face_link;

typedef struct buckets {
	int *ends; // of each bucket once all links are in
	face_link *links;
} buckets;

static void put(buckets *b, int u, int v, int face)
{
	int low = u < v ? u : v;
	if (b->links)
		b->links[b->ends[low]++] = (face_link){ u + v - low, face };
	else
		b->ends[low + 1]++;
}

// Count all links per lower vertex, or, once there is space for them, put them in.
static void put_all(buckets *b, const rbl_mesh_data *data, const int *triangles)
{
	const int *vertices = data->corner_vertices;
	for (int f = 0; f < data->face_count; ++f) {
		int begin = data->face_starts[f], end = data->face_starts[f + 1], size = end - begin;
		for (int c = begin; c < end; ++c)
			put(b, vertices[c], vertices[c + 1 < end ? c + 1 : begin], -1);
		for (int i = 0; i < 3 * (size - 2) && size > 3; ++i) {
			int from = triangles[i], to = triangles[rbl_next_in_triangle(i)];
			if (is_diagonal(from, to, size))
				put(b, vertices[from], vertices[to], f);
		}
		triangles += 3 * (size - 2);
	}
}

static int find_doubled(const rbl_mesh_data *data, const buckets *b, int *stamps,
                        unsigned char *marks)
{
	int count = 0;
	for (int v = 0; v < data->vertex_count; ++v)
		stamps[v] = -1;
	for (int v = 0; v < data->vertex_count; ++v) {
		const face_link *begin = b->links + (v > 0 ? b->ends[v - 1] : 0),
						*end = b->links + b->ends[v];
		for (const face_link *l = begin; l < end; ++l) {
			if (l->face < 0)
				stamps[l->other] = v;
		}
		for (const face_link *l = begin; l < end; ++l) {
			if (l->face < 0)
				continue;
			if (stamps[l->other] == v) {
				++count;
				if (marks)
					marks[l->face] = 1;
			}
			stamps[l->other] = v;
		}
	}
	return count;
}

rbl_result rbl_find_doubled_diagonals(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                      const int *triangles, unsigned char *marks, int *count)
{
	*count = 0;
	if (marks)
		memset(marks, 0, (size_t)data->face_count);
	int diagonal_count = triangle_count(data) - data->face_count;
	if (diagonal_count == 0)
		return RBL_OK;
	size_t capacity = (size_t)data->vertex_count + 1;
	size_t link_capacity = (size_t)data->corner_count + (size_t)diagonal_count;
	int *numbers = RBL_NEW(allocator, int, 2 * capacity);
	face_link *links = RBL_NEW(allocator, face_link, link_capacity);
	if (numbers && links) {
		buckets b = { .ends = numbers };
		memset(b.ends, 0, capacity * sizeof(int));
		put_all(&b, data, triangles);
		for (int v = 0; v < data->vertex_count; ++v)
			b.ends[v + 1] += b.ends[v];
		b.links = links;
		put_all(&b, data, triangles);
		*count = find_doubled(data, &b, numbers + capacity, marks);
	}
	RBL_FREE(allocator, links, link_capacity);
	RBL_FREE(allocator, numbers, 2 * capacity);
	return numbers && links ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// --- flips ---------------------------------------------------------------------------------

typedef struct diagonal_flipper {
	const rbl_mesh_data *data;
	int *triangles;
	rbl_map uses;  // of a pair of vertices: the number of its diagonals, and one if it is an edge
	rbl_map sides; // of two corners, in order: where the first stands in `triangles`
	rbl_allocator allocator;
} diagonal_flipper;

static uint64_t side_key(int from, int to)
{
	return (uint64_t)from << 32 | (uint32_t)to;
}

static uint64_t use_key(const diagonal_flipper *f, int from, int to)
{
	return rbl_edge_key(f->data->corner_vertices[from], f->data->corner_vertices[to]);
}

static bool add_use(diagonal_flipper *f, int from, int to)
{
	uint32_t *uses = rbl_map_add(&f->allocator, &f->uses, use_key(f, from, to), 0);
	if (uses)
		++*uses;
	return uses != NULL;
}

static bool fill_maps(diagonal_flipper *f)
{
	const rbl_mesh_data *data = f->data;
	const int *triangles = f->triangles;
	for (int face = 0; face < data->face_count; ++face) {
		int begin = data->face_starts[face], end = data->face_starts[face + 1];
		for (int c = begin; c < end; ++c) {
			if (!rbl_map_set(&f->allocator, &f->uses, use_key(f, c, c + 1 < end ? c + 1 : begin),
			                 1))
				return false;
		}
	}
	for (int face = 0; face < data->face_count; ++face) {
		int size = data->face_starts[face + 1] - data->face_starts[face];
		for (int i = 0; i < 3 * (size - 2) && size > 3; ++i) {
			int from = triangles[i], to = triangles[rbl_next_in_triangle(i)];
			uint32_t at = (uint32_t)(triangles - f->triangles) + (uint32_t)i;
			if (!rbl_map_set(&f->allocator, &f->sides, side_key(from, to), at) ||
			    (is_diagonal(from, to, size) && !add_use(f, from, to)))
				return false;
		}
		triangles += 3 * (size - 2);
	}
	// Space for what flips will add, so that they cannot fail half-way.
	int more = triangle_count(data) - data->face_count;
	return rbl_map_reserve(&f->allocator, &f->uses, f->uses.count + more) &&
	       rbl_map_reserve(&f->allocator, &f->sides, f->sides.count + 2 * more);
}

static void set_triangle(diagonal_flipper *f, int first, int a, int b, int c)
{
	const int corners[3] = { a, b, c };
	for (int k = 0; k < 3; ++k) {
		f->triangles[first + k] = corners[k];
		rbl_map_set(&f->allocator, &f->sides, side_key(corners[k], corners[(k + 1) % 3]),
		            (uint32_t)(first + k));
	}
}

static bool turns_left(const diagonal_flipper *f, rbl_vec3d normal, int a, int b, int c)
{
	const rbl_vec3d *positions = f->data->positions;
	const int *vertices = f->data->corner_vertices;
	rbl_point2 p = rbl_project(positions[vertices[a]], normal);
	rbl_point2 q = rbl_project(positions[vertices[b]], normal);
	rbl_point2 r = rbl_project(positions[vertices[c]], normal);
	return rbl_orient2d(p.x, p.y, q.x, q.y, r.x, r.y) > 0;
}

static bool is_free(const diagonal_flipper *f, int from, int to)
{
	uint32_t uses = rbl_map_get(&f->uses, use_key(f, from, to));
	return f->data->corner_vertices[from] != f->data->corner_vertices[to] &&
	       (uses == RBL_MAP_NONE || uses == 0);
}

// Flip the diagonal that begins at `side`. @return whether it could be
static bool flip_diagonal(diagonal_flipper *f, int side, rbl_vec3d normal)
{
	int i = f->triangles[side], k = f->triangles[rbl_next_in_triangle(side)];
	uint32_t back = rbl_map_get(&f->sides, side_key(k, i));
	if (back == RBL_MAP_NONE)
		return false; // the triangles of a face that crosses itself may not fit together
	// The quad is i, q, k, p.
	int p = f->triangles[rbl_next_in_triangle(rbl_next_in_triangle(side))];
	int q = f->triangles[rbl_next_in_triangle(rbl_next_in_triangle((int)back))];
	if (!is_free(f, p, q) || !turns_left(f, normal, i, q, p) || !turns_left(f, normal, q, k, p))
		return false;
	--*rbl_map_add(&f->allocator, &f->uses, use_key(f, i, k), 0);
	rbl_map_remove(&f->sides, side_key(i, k));
	rbl_map_remove(&f->sides, side_key(k, i));
	rbl_map_set(&f->allocator, &f->uses, use_key(f, p, q), 1);
	set_triangle(f, side - side % 3, i, q, p);
	set_triangle(f, (int)back - (int)back % 3, q, k, p);
	return true;
}

// Try every doubled diagonal once, from the last face on: so the first face that has one keeps it.
// @return whether one was flipped
static bool flip_all(diagonal_flipper *f)
{
	const rbl_mesh_data *data = f->data;
	bool is_changed = false;
	int first = 3 * triangle_count(data);
	for (int face = data->face_count - 1; face >= 0; --face) {
		int begin = data->face_starts[face], size = data->face_starts[face + 1] - begin;
		first -= 3 * (size - 2);
		for (int i = first; i < first + 3 * (size - 2) && size > 3; ++i) {
			int from = f->triangles[i], to = f->triangles[rbl_next_in_triangle(i)];
			if (is_diagonal(from, to, size) && rbl_map_get(&f->uses, use_key(f, from, to)) > 1)
				is_changed |= flip_diagonal(
					f, i, rbl_polygon_normal(data->positions, data->corner_vertices + begin, size));
		}
	}
	return is_changed;
}

rbl_result rbl_separate_diagonals(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                  int *triangles)
{
	int count;
	rbl_result result = rbl_find_doubled_diagonals(allocator, data, triangles, NULL, &count);
	if (result != RBL_OK || count == 0)
		return result;
	diagonal_flipper f = { .data = data, .triangles = triangles, .allocator = *allocator };
	result = fill_maps(&f) ? RBL_OK : RBL_OUT_OF_MEMORY;
	// A flip may move a doubled side to a triangle that has been seen: mostly one round is enough.
	for (int round = 0; result == RBL_OK && round < MAX_ROUNDS && flip_all(&f); ++round)
		continue;
	rbl_map_free(allocator, &f.sides);
	rbl_map_free(allocator, &f.uses);
	return result;
}
