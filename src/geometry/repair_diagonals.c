// SPDX-License-Identifier: MIT
//
// Cutting faces whose fans would double an edge. Most programs that read polygons cut them as fans
// from the first corner; where two fans would have a diagonal in common, or one runs along an edge,
// what is closed and manifold here is not so there. Such faces become triangles that agree. Where a
// face can only be cut in one way, which doubles an edge again, the diagonal gets a vertex in its
// middle: it is an edge of its own then, at the same place.

#include "geometry/repair.h"

#include "base/hash.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/face_diagonals.h"
#include "geometry/mesh.h"

// A face is bent when a corner is off its plane by more than this share of its size.
static const double BENT = 1e-9;

static void make_fans(const rbl_mesh_data *data, int *triangles)
{
	for (int f = 0; f < data->face_count; ++f) {
		int begin = data->face_starts[f], end = data->face_starts[f + 1];
		for (int c = begin + 1; c + 1 < end; ++c, triangles += 3)
			triangles[0] = begin, triangles[1] = c, triangles[2] = c + 1;
	}
}

// Append the triangles of marked faces and take these out.
static rbl_result replace_marked(rbl_draft *draft, const int *triangles, int face_count,
                                 unsigned char *marks)
{
	rbl_result result = RBL_OK;
	for (int f = 0; f < face_count && result == RBL_OK; ++f) {
		int size = draft->starts.data[f + 1] - draft->starts.data[f];
		for (int i = 0; i < size - 2 && marks[f] && result == RBL_OK; ++i) {
			int vertices[3], sources[3];
			for (int k = 0; k < 3; ++k) {
				vertices[k] = draft->vertices.data[triangles[3 * i + k]];
				sources[k] = draft->corner_sources.data[triangles[3 * i + k]];
			}
			result = rbl_draft_add_face(draft, vertices, sources, 3, draft->face_sources.data[f],
			                            draft->flags.data[f]);
		}
		draft->report.cut_faces += marks[f];
		triangles += 3 * (size - 2);
	}
	if (result == RBL_OK)
		rbl_draft_remove_faces(draft, marks);
	return result;
}

// Mark the faces whose fans double an edge and whose careful triangles, left in `triangles`, do
// not.
static rbl_result mark_faces(rbl_draft *draft, const rbl_mesh_data *data, int *triangles,
                             unsigned char *marks, unsigned char *fixed, int *count)
{
	const rbl_allocator *allocator = &draft->allocator;
	int doubled;
	make_fans(data, triangles);
	rbl_result result = rbl_find_doubled_diagonals(allocator, data, triangles, marks, &doubled);
	if (result != RBL_OK || doubled == 0)
		return result;
	result = rbl_faces_triangulate(allocator, data, triangles, NULL);
	if (result == RBL_OK)
		result = rbl_find_doubled_diagonals(allocator, data, triangles, fixed, &doubled);
	for (int f = 0; f < data->face_count && result == RBL_OK; ++f) {
		marks[f] = marks[f] && !fixed[f];
		*count += marks[f];
	}
	return result;
}

// One round: the side of a new triangle may double a diagonal of a fan that was alone before.
static rbl_result cut_once(rbl_draft *draft, int *count)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	const rbl_allocator *allocator = &draft->allocator;
	size_t triangle_count = (size_t)data.corner_count - 2 * (size_t)data.face_count;
	*count = 0;
	if (triangle_count == (size_t)data.face_count)
		return RBL_OK;
	int *triangles = RBL_NEW(allocator, int, 3 * triangle_count);
	size_t mark_capacity = triangle_count + (size_t)data.face_count; // faces, and those that come
	unsigned char *marks = RBL_NEW_ZERO(allocator, unsigned char, 2 * mark_capacity);
	rbl_result result = triangles && marks ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = mark_faces(draft, &data, triangles, marks, marks + mark_capacity, count);
	if (result == RBL_OK && *count > 0)
		result = replace_marked(draft, triangles, data.face_count, marks);
	RBL_FREE(allocator, marks, 2 * mark_capacity);
	RBL_FREE(allocator, triangles, 3 * triangle_count);
	return result;
}

// --- diagonals that stay doubled -----------------------------------------------------------

typedef struct divider {
	rbl_draft *draft;
	rbl_map uses;    // of a pair of vertices: the number of its diagonals, and one if it is an edge
	rbl_map middles; // of two corners of a face: the vertex between them
} divider;

// Count edges once, and diagonals once for each face.
static bool count_uses(divider *d, const rbl_mesh_data *data, const int *triangles)
{
	const rbl_allocator *allocator = &d->draft->allocator;
	const int *vertices = data->corner_vertices;
	for (int f = 0; f < data->face_count; ++f) {
		int begin = data->face_starts[f], end = data->face_starts[f + 1];
		for (int c = begin; c < end; ++c) {
			int next = c + 1 < end ? c + 1 : begin;
			if (!rbl_map_set(allocator, &d->uses, rbl_edge_key(vertices[c], vertices[next]), 1))
				return false;
		}
	}
	for (int f = 0; f < data->face_count; ++f) {
		int size = data->face_starts[f + 1] - data->face_starts[f];
		for (int i = 0; i < 3 * (size - 2) && size > 3; ++i) {
			int from = triangles[i], to = triangles[rbl_next_in_triangle(i)];
			if (to - from <= 1 || to - from == size - 1)
				continue; // an edge, or the other side of a diagonal
			uint64_t key = rbl_edge_key(vertices[from], vertices[to]);
			uint32_t *uses = rbl_map_add(allocator, &d->uses, key, 0);
			if (!uses)
				return false;
			++*uses;
		}
		triangles += 3 * (size - 2);
	}
	return true;
}

// The vertex in the middle of a side of a triangle, -1 when it needs none, -2 when memory ran out.
// The two corners are of one face.
static int middle_of(divider *d, int from, int to, int size)
{
	rbl_draft *draft = d->draft;
	int v = draft->vertices.data[from], w = draft->vertices.data[to];
	int apart = from < to ? to - from : from - to;
	if (apart == 1 || apart == size - 1 || rbl_map_get(&d->uses, rbl_edge_key(v, w)) < 2)
		return -1;
	uint32_t *found =
		rbl_map_add(&draft->allocator, &d->middles, rbl_edge_key(from, to), UINT32_MAX - 1);
	if (!found)
		return -2;
	if (*found != UINT32_MAX - 1)
		return (int)*found;
	rbl_vec3d p = rbl_lerp_d(draft->positions.data[v], draft->positions.data[w], 0.5);
	if (!rbl_array_push(&draft->allocator, &draft->positions, p))
		return -2;
	draft->report.added_vertices++;
	*found = (uint32_t)(draft->positions.count - 1);
	return (int)*found;
}

// A corner of a new triangle: of the old one, or the middle of one of its sides.
typedef struct new_corner {
	int vertex, source;
} new_corner;

static rbl_result add_divided_triangle(divider *d, int face, new_corner a, new_corner b,
                                       new_corner c)
{
	int vertices[3] = { a.vertex, b.vertex, c.vertex },
		sources[3] = { a.source, b.source, c.source };
	return rbl_draft_add_face(d->draft, vertices, sources, 3, d->draft->face_sources.data[face],
	                          d->draft->flags.data[face]);
}

// One triangle of a face, with the middles that its sides need.
static rbl_result divide_triangle(divider *d, int face, int size, const int *triangle)
{
	rbl_draft *draft = d->draft;
	new_corner corners[3], middles[3];
	int count = 0, first = 0;
	for (int k = 0; k < 3; ++k) {
		int from = triangle[k], to = triangle[k < 2 ? k + 1 : 0];
		int ends[2] = { draft->corner_sources.data[from], draft->corner_sources.data[to] };
		corners[k] = (new_corner){ draft->vertices.data[from], ends[0] };
		middles[k] = (new_corner){ middle_of(d, from, to, size), 0 };
		if (middles[k].vertex == -2)
			return RBL_OUT_OF_MEMORY;
		if (middles[k].vertex < 0)
			continue;
		if (!rbl_draft_add_middle(draft, ends, NULL, 2))
			return RBL_OUT_OF_MEMORY;
		middles[k].source = -draft->middles.count;
		count++;
	}
	if (count == 0)
		return add_divided_triangle(d, face, corners[0], corners[1], corners[2]);
	// Turn it so that side `first` has a middle and, of two, the next one has the other.
	while (middles[first].vertex < 0 || (count == 2 && middles[(first + 1) % 3].vertex < 0))
		first++;
	new_corner a = corners[first], b = corners[(first + 1) % 3], c = corners[(first + 2) % 3];
	new_corner p = middles[first], q = middles[(first + 1) % 3], r = middles[(first + 2) % 3];
	rbl_result result = RBL_OK;
	if (count == 1) {
		result = add_divided_triangle(d, face, p, b, c);
		return result == RBL_OK ? add_divided_triangle(d, face, p, c, a) : result;
	}
	result = add_divided_triangle(d, face, p, b, q);
	if (result == RBL_OK)
		result = add_divided_triangle(d, face, p, q, count == 2 ? c : r);
	if (result == RBL_OK)
		result = count == 2 ? add_divided_triangle(d, face, p, c, a)
		                    : add_divided_triangle(d, face, r, q, c);
	return result == RBL_OK && count == 3 ? add_divided_triangle(d, face, p, r, a) : result;
}

static rbl_result divide_marked(rbl_draft *draft, const rbl_mesh_data *data, const int *triangles,
                                const unsigned char *marks)
{
	divider d = { .draft = draft };
	rbl_result result = count_uses(&d, data, triangles) ? RBL_OK : RBL_OUT_OF_MEMORY;
	int face_count = data->face_count; // the draft grows
	for (int f = 0; f < face_count && result == RBL_OK; ++f) {
		int size = draft->starts.data[f + 1] - draft->starts.data[f];
		for (int i = 0; i < size - 2 && marks[f] && result == RBL_OK; ++i)
			result = divide_triangle(&d, f, size, triangles + 3 * i);
		draft->report.cut_faces += marks[f];
		triangles += 3 * (size - 2);
	}
	rbl_map_free(&draft->allocator, &d.uses);
	rbl_map_free(&draft->allocator, &d.middles);
	return result;
}

// Take out faces of which only the first are marked or not.
static rbl_result remove_divided(rbl_draft *draft, const unsigned char *marks, int face_count)
{
	int total = draft->starts.count - 1;
	unsigned char *all = RBL_NEW_ZERO(&draft->allocator, unsigned char, (size_t)total);
	if (!all)
		return RBL_OUT_OF_MEMORY;
	memcpy(all, marks, (size_t)face_count);
	rbl_draft_remove_faces(draft, all);
	RBL_FREE(&draft->allocator, all, (size_t)total);
	return RBL_OK;
}

static rbl_result divide_doubled(rbl_draft *draft, int *count)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	const rbl_allocator *allocator = &draft->allocator;
	size_t triangle_count = (size_t)data.corner_count - 2 * (size_t)data.face_count;
	int face_count = data.face_count;
	*count = 0;
	if (triangle_count == (size_t)face_count)
		return RBL_OK;
	int *triangles = RBL_NEW(allocator, int, 3 * triangle_count);
	unsigned char *marks = RBL_NEW(allocator, unsigned char, face_count);
	rbl_result result = triangles && marks ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = rbl_faces_triangulate(allocator, &data, triangles, NULL);
	if (result == RBL_OK)
		result = rbl_find_doubled_diagonals(allocator, &data, triangles, marks, count);
	if (result == RBL_OK && *count > 0)
		result = divide_marked(draft, &data, triangles, marks);
	if (result == RBL_OK && *count > 0)
		result = remove_divided(draft, marks, face_count);
	RBL_FREE(allocator, marks, face_count);
	RBL_FREE(allocator, triangles, 3 * triangle_count);
	return result;
}

// --- fans of bent faces --------------------------------------------------------------------

bool rbl_draft_face_is_bent(const rbl_draft *draft, int face)
{
	int begin = draft->starts.data[face], count = draft->starts.data[face + 1] - begin;
	const int *v = draft->vertices.data + begin;
	const rbl_vec3d *p = draft->positions.data;
	if (count < 4)
		return false;
	rbl_vec3d normal = rbl_normalize_d(rbl_polygon_normal(p, v, count));
	double off = 0.0, size = 0.0;
	for (int k = 1; k < count; ++k) {
		rbl_vec3d d = rbl_sub_d(p[v[k]], p[v[0]]);
		off = rbl_maxd(off, fabs(rbl_dot_d(normal, d)));
		size = rbl_maxd(size, rbl_length_d(d));
	}
	return !(off <= BENT * size) || rbl_length_squared_d(normal) < 0.5;
}

static void rotate(int *items, int count)
{
	int first = items[0];
	memmove(items, items + 1, (size_t)(count - 1) * sizeof(int));
	items[count - 1] = first;
}

// Whether the fan of a face consists of the triangles given.
static bool is_fan(const int *triangles, int begin, int size)
{
	for (int i = 0; i < size - 2; ++i) {
		int lowest =
			rbl_mini(triangles[3 * i], rbl_mini(triangles[3 * i + 1], triangles[3 * i + 2]));
		if (lowest != begin)
			return false;
	}
	return true;
}

rbl_result rbl_repair_bent_faces(rbl_draft *draft)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	const rbl_allocator *allocator = &draft->allocator;
	size_t triangle_count = (size_t)data.corner_count - 2 * (size_t)data.face_count;
	int face_count = data.face_count, found = 0;
	if (triangle_count == (size_t)face_count)
		return RBL_OK;
	int *triangles = RBL_NEW(allocator, int, 3 * triangle_count);
	size_t mark_capacity = triangle_count + (size_t)face_count; // faces, and those that come
	unsigned char *marks = RBL_NEW_ZERO(allocator, unsigned char, mark_capacity);
	rbl_result result = triangles && marks ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = rbl_faces_triangulate(allocator, &data, triangles, NULL);
	const int *own = triangles;
	for (int f = 0; f < face_count && result == RBL_OK; ++f) {
		int begin = draft->starts.data[f], size = draft->starts.data[f + 1] - begin;
		if (size > 3 && !is_fan(own, begin, size) && rbl_draft_face_is_bent(draft, f)) {
			if (size == 4) {
				rotate(draft->vertices.data + begin, 4);
				rotate(draft->corner_sources.data + begin, 4);
			}
			marks[f] = size > 4;
			found += marks[f];
		}
		own += 3 * (size - 2);
	}
	if (result == RBL_OK && found > 0)
		result = replace_marked(draft, triangles, face_count, marks);
	RBL_FREE(allocator, marks, mark_capacity);
	RBL_FREE(allocator, triangles, 3 * triangle_count);
	return result;
}

rbl_result rbl_repair_doubled_diagonals(rbl_draft *draft)
{
	rbl_result result = RBL_OK;
	for (int count = 1; count > 0 && result == RBL_OK;) // each further round has fewer polygons
		result = cut_once(draft, &count);
	for (int count = 1; count > 0 && result == RBL_OK;)
		result = divide_doubled(draft, &count);
	return result;
}
