// SPDX-License-Identifier: MIT
//
// Mesh check: closed, manifold, oriented; genus and volume.

#include "geometry/mesh_check.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/mesh.h"
#include "geometry/predicates.h"

static int face_size(const rbl_mesh_data *data, int face)
{
	return data->face_starts[face + 1] - data->face_starts[face];
}

bool rbl_face_is_degenerate(const rbl_mesh_data *data, int face, int *stamps)
{
	const int *vertices = data->corner_vertices + data->face_starts[face];
	int count = face_size(data, face);
	for (int k = 0; k < count; ++k) {
		if (stamps[vertices[k]] == face)
			return true;
		stamps[vertices[k]] = face;
	}
	rbl_vec3d a = data->positions[vertices[0]], b = data->positions[vertices[1]];
	for (int k = 2; k < count; ++k) {
		rbl_vec3d c = data->positions[vertices[k]];
		if (!rbl_are_collinear(a, b, c))
			return false;
		if (a.x == b.x && a.y == b.y && a.z == b.z)
			b = c; // so far all at one place
	}
	return true;
}

// A number that the cycle has from whichever corner, in whichever direction it is read.
static uint64_t face_hash(const rbl_mesh_data *data, int face)
{
	uint64_t sum = 0;
	for (int c = data->face_starts[face]; c < data->face_starts[face + 1]; ++c)
		sum += rbl_hash_mix((uint64_t)data->corner_vertices[c] + 1);
	return sum;
}

static bool faces_are_equal(const rbl_mesh_data *data, int a, int b)
{
	int count = face_size(data, a);
	if (face_size(data, b) != count)
		return false;
	const int *p = data->corner_vertices + data->face_starts[a];
	const int *q = data->corner_vertices + data->face_starts[b];
	for (int shift = 0; shift < count; ++shift) {
		if (q[shift] != p[0])
			continue;
		int ahead = 1, back = 1;
		while (ahead < count && p[ahead] == q[(shift + ahead) % count])
			++ahead;
		while (back < count && p[back] == q[(shift + count - back) % count])
			++back;
		if (ahead == count || back == count)
			return true;
	}
	return false;
}

rbl_result rbl_find_duplicate_faces(const rbl_mesh_data *data, const rbl_allocator *allocator,
                                    int *originals)
{
	int count = data->face_count;
	if (count == 0)
		return RBL_OK;
	rbl_sort_item64 *items = RBL_NEW(allocator, rbl_sort_item64, 2 * (size_t)count);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	for (int f = 0; f < count; ++f)
		items[f] = (rbl_sort_item64){ face_hash(data, f), (uint32_t)f, 0 };
	rbl_sort64(items, items + count, count);
	for (int i = 0; i < count; ++i) {
		int face = (int)items[i].value, original = face;
		// Equal faces have equal hashes and come in order, so the first is met first.
		for (int k = i - 1; k >= 0 && items[k].key == items[i].key; --k) {
			int other = originals[items[k].value];
			if (faces_are_equal(data, other, face)) {
				original = other;
				break;
			}
		}
		originals[face] = original;
	}
	RBL_FREE(allocator, items, 2 * (size_t)count);
	return RBL_OK;
}

rbl_result rbl_label_components(const rbl_mesh_data *data, const rbl_allocator *allocator,
                                int *labels, int *component_count)
{
	*component_count = 0;
	size_t capacity = (size_t)data->vertex_count + 1;
	int *parents = RBL_NEW(allocator, int, 2 * capacity);
	if (!parents)
		return RBL_OUT_OF_MEMORY;
	int *names = parents + capacity;
	for (int v = 0; v < data->vertex_count; ++v)
		parents[v] = v, names[v] = -1;
	for (int f = 0; f < data->face_count; ++f) {
		const int *vertices = data->corner_vertices + data->face_starts[f];
		for (int k = 1; k < face_size(data, f); ++k)
			rbl_union_find_join(parents, vertices[0], vertices[k]);
	}
	for (int f = 0; f < data->face_count; ++f) {
		int root = rbl_union_find_root(parents, data->corner_vertices[data->face_starts[f]]);
		if (names[root] < 0)
			names[root] = (*component_count)++;
		labels[f] = names[root];
	}
	RBL_FREE(allocator, parents, 2 * capacity);
	return RBL_OK;
}

// Vertices in use, and those whose corners are in more than one fan.
static void count_vertices(const rbl_mesh_data *data, const int *fans, int *first_fans,
                           int *used_count, int *nonmanifold_count)
{
	for (int v = 0; v < data->vertex_count; ++v)
		first_fans[v] = -1;
	for (int c = 0; c < data->corner_count; ++c) {
		int *first = &first_fans[data->corner_vertices[c]];
		if (*first == -1)
			*first = fans[c], ++*used_count;
		else if (*first >= 0 && *first != fans[c])
			*first = -2, ++*nonmanifold_count;
	}
}

static void count_faces(const rbl_mesh_data *data, const int *originals, int *stamps,
                        rbl_mesh_report *report)
{
	for (int v = 0; v < data->vertex_count; ++v)
		stamps[v] = -1;
	for (int f = 0; f < data->face_count; ++f) {
		report->degenerate_faces += rbl_face_is_degenerate(data, f, stamps);
		report->duplicate_faces += originals[f] != f;
	}
}

static bool is_oriented(const rbl_adjacency *adjacency, const rbl_mesh_data *data)
{
	for (int e = 0; e < adjacency->edge_count; ++e) {
		const int *corners = adjacency->edge_corners + adjacency->edge_starts[e];
		int count = adjacency->edge_starts[e + 1] - adjacency->edge_starts[e];
		int ahead = 0, low = data->corner_vertices[corners[0]];
		for (int k = 0; k < count; ++k)
			ahead += data->corner_vertices[corners[k]] == low;
		if (count > 1 && (ahead != 1 || count != 2))
			return false;
	}
	return true;
}

// Fill the report. Scratch has one number per corner, face and vertex.
static rbl_result examine(const rbl_mesh *mesh, const rbl_mesh_data *data,
                          const rbl_allocator *allocator, const rbl_adjacency *adjacency,
                          int *scratch, rbl_mesh_report *report)
{
	int *fans = scratch, *faces = fans + data->corner_count, *vertices = faces + data->face_count;
	int fan_count, used = 0;
	rbl_result result = rbl_corner_fans(data, adjacency, fans, &fan_count);
	if (result == RBL_OK)
		result = rbl_label_components(data, allocator, faces, &report->components);
	if (result == RBL_OK)
		result = rbl_find_duplicate_faces(data, allocator, faces);
	if (result != RBL_OK)
		return result;
	count_vertices(data, fans, vertices, &used, &report->nonmanifold_vertices);
	count_faces(data, faces, vertices, report);
	report->vertices = data->vertex_count;
	report->faces = data->face_count;
	report->triangles = rbl_mesh_triangle_count(mesh);
	report->loose_vertices = data->vertex_count - used;
	report->boundary_edges = adjacency->boundary_edge_count;
	report->nonmanifold_edges = adjacency->nonmanifold_edge_count;
	report->is_closed = report->boundary_edges == 0;
	report->is_manifold = report->nonmanifold_edges == 0 && report->nonmanifold_vertices == 0;
	report->is_oriented = is_oriented(adjacency, data);
	report->genus = -1;
	if (report->is_closed && report->is_manifold && report->is_oriented) {
		int twice = 2 * report->components - (used - adjacency->edge_count + data->face_count);
		report->genus = twice >= 0 && twice % 2 == 0 ? twice / 2 : -1;
	}
	if (report->is_closed)
		report->volume = rbl_mesh_get_mass(mesh).volume;
	return RBL_OK;
}

rbl_result rbl_mesh_check(const rbl_mesh *mesh, rbl_mesh_report *report)
{
	if (!mesh || !report)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", mesh ? "report" : "mesh");
	*report = (rbl_mesh_report){ 0 };
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_allocator allocator = rbl_mesh_allocator(mesh);
	size_t capacity =
		(size_t)data.corner_count + (size_t)data.face_count + (size_t)data.vertex_count + 1;
	int *scratch = RBL_NEW(&allocator, int, capacity);
	rbl_adjacency adjacency = { 0 };
	rbl_result result = scratch ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = rbl_adjacency_init(&adjacency, &allocator, &data);
	if (result == RBL_OK) {
		result = examine(mesh, &data, &allocator, &adjacency, scratch, report);
		rbl_adjacency_destroy(&adjacency);
	}
	RBL_FREE(&allocator, scratch, capacity);
	if (result != RBL_OK) {
		*report = (rbl_mesh_report){ 0 };
		return rbl_fail(result, "no memory to check a mesh of %d faces", data.face_count);
	}
	return RBL_OK;
}
