// SPDX-License-Identifier: MIT
//
// A surface around tetrahedra that come apart.
//
// The tetrahedra around a node hang together across faces that are closed. When faces open, those
// around the nodes of these faces are joined anew: the first set keeps the node, and each other
// gets one of its own. The corners of triangles follow their tetrahedra, and each side of a face
// that opens becomes a triangle. All of it is one edit of the body, made before anything changes.

#include "surface/surface.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/union_find.h"

#include <rubble/surface_tets.h>

struct rbl_surface_tets {
	rbl_surface *surface;
	rbl_allocator allocator;
	int tet_count, vertex_count;
	int *tet_nodes, *neighbors;  // 4 each
	int *triangles;              // of each face, 4 by tetrahedron; -1: it is closed
	rbl_vec3d *positions;        // of the mesh
	int *around_starts, *around; // tetrahedra by vertex of the mesh
	RBL_ARRAY(int) node_vertices;
	RBL_ARRAY(int) vertex_nodes;
};

// The corners of the face opposite to each, counter-clockwise from outside.
static const int tet_sides[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };

void rbl_destroy_surface_tets(rbl_surface_tets *t)
{
	if (!t)
		return;
	rbl_allocator allocator = t->allocator;
	size_t corners = 4 * (size_t)t->tet_count;
	RBL_FREE(&allocator, t->tet_nodes, corners);
	RBL_FREE(&allocator, t->neighbors, corners);
	RBL_FREE(&allocator, t->triangles, corners);
	RBL_FREE(&allocator, t->positions, t->vertex_count);
	RBL_FREE(&allocator, t->around_starts, t->vertex_count + 1);
	RBL_FREE(&allocator, t->around, corners);
	rbl_array_free(&allocator, &t->node_vertices);
	rbl_array_free(&allocator, &t->vertex_nodes);
	RBL_FREE(&allocator, t, 1);
}

static bool name_vertices(rbl_surface_tets *t, int end)
{
	int before = t->vertex_nodes.count;
	if (!rbl_array_reserve(&t->allocator, &t->vertex_nodes, end))
		return false;
	for (int i = before; i < end; ++i)
		t->vertex_nodes.data[i] = -1;
	t->vertex_nodes.count = rbl_maxi(before, end);
	return true;
}

static bool fill_tets(rbl_surface_tets *t, const rbl_tets_data *data)
{
	const rbl_allocator *allocator = &t->allocator;
	size_t corners = 4 * (size_t)data->tet_count;
	t->tet_count = data->tet_count, t->vertex_count = data->vertex_count;
	t->tet_nodes = RBL_NEW(allocator, int, corners);
	t->neighbors = RBL_NEW(allocator, int, corners);
	t->triangles = RBL_NEW(allocator, int, corners);
	t->positions = RBL_NEW(allocator, rbl_vec3d, data->vertex_count);
	t->around_starts = RBL_NEW_ZERO(allocator, int, data->vertex_count + 1);
	t->around = RBL_NEW(allocator, int, corners);
	if (!t->tet_nodes || !t->neighbors || !t->triangles || !t->positions || !t->around_starts ||
	    !t->around || !rbl_array_resize(allocator, &t->node_vertices, data->vertex_count))
		return false;
	for (int i = 0; i < data->vertex_count; ++i) {
		t->positions[i] = data->positions[i];
		t->node_vertices.data[i] = i;
	}
	for (size_t i = 0; i < corners; ++i) {
		t->tet_nodes[i] = data->tet_vertices[i];
		t->neighbors[i] = data->tet_neighbors[i];
		t->triangles[i] = -1;
		t->around_starts[data->tet_vertices[i] + 1]++;
	}
	for (int i = 0; i < data->vertex_count; ++i)
		t->around_starts[i + 1] += t->around_starts[i];
	for (size_t i = corners; i-- > 0;) // back to front: starts end where they belong
		t->around[--t->around_starts[data->tet_vertices[i] + 1]] = (int)(i / 4);
	for (int i = 0; i < data->vertex_count; ++i)
		t->around_starts[i] = t->around_starts[i + 1];
	t->around_starts[data->vertex_count] = (int)corners;
	return true;
}

// Which face of its tetrahedron a triangle of the boundary is.
static int face_of(const rbl_tets_data *data, int triangle)
{
	int tet = data->boundary_tets[triangle], face = 0;
	for (int k = 0; k < 4; ++k) {
		bool has = false;
		for (int i = 0; i < 3; ++i)
			has |= data->boundary_vertices[data->boundary_triangles[3 * triangle + i]] ==
			       data->tet_vertices[4 * tet + k];
		face = has ? face : k;
	}
	return 4 * tet + face;
}

rbl_result rbl_create_surface_tets(rbl_surface *surface, const rbl_tets *tets,
                                   rbl_surface_body_id *body, rbl_surface_tets **made)
{
	if (body)
		*body = (rbl_surface_body_id){ 0, 0 };
	if (made)
		*made = NULL;
	if (!surface || !tets || !body || !made)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, tets, body or made is NULL");
	rbl_tets_data data = rbl_tets_get_data(tets);
	rbl_surface_tets *t = RBL_NEW_ZERO(&surface->allocator, rbl_surface_tets, 1);
	if (!t)
		return RBL_OUT_OF_MEMORY;
	t->surface = surface, t->allocator = surface->allocator;
	rbl_result result = fill_tets(t, &data) ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = rbl_surface_add_tets(surface, tets, body);
	if (result == RBL_OK && !name_vertices(t, surface->vertex_end)) {
		(void)rbl_surface_remove(surface, *body);
		*body = (rbl_surface_body_id){ 0, 0 };
		result = RBL_OUT_OF_MEMORY;
	}
	if (result != RBL_OK) {
		rbl_destroy_surface_tets(t);
		return result;
	}
	rbl_surface_body_data view = rbl_surface_body_get_data(surface, *body);
	for (int i = 0; i < data.boundary_vertex_count; ++i)
		t->vertex_nodes.data[view.vertices[i]] = data.boundary_vertices[i];
	for (int i = 0; i < data.boundary_face_count; ++i)
		t->triangles[face_of(&data, i)] = view.triangles[i];
	*made = t;
	return RBL_OK;
}

rbl_surface_tets_data rbl_surface_tets_get_data(const rbl_surface_tets *t)
{
	if (!t)
		return (rbl_surface_tets_data){ 0 };
	return (rbl_surface_tets_data){ .tet_count = t->tet_count,
		                            .tet_nodes = t->tet_nodes,
		                            .node_count = t->node_vertices.count,
		                            .node_vertices = t->node_vertices.data,
		                            .vertex_end = t->vertex_nodes.count,
		                            .vertex_nodes = t->vertex_nodes.data };
}

// --- a separation -------------------------------------------------------------------------------

// A tetrahedron at a node that is looked at.
typedef struct tet_corner {
	int corner; // 4 t + k
	int vertex; // of the surface, as in an edit; INT32_MIN without
	int node;   // afterwards
} tet_corner;

enum { NO_VERTEX = INT32_MIN };

typedef struct separation {
	rbl_surface_tets *tets;
	const rbl_vec3d *given;
	rbl_map open;    // faces that open, both sides
	rbl_map corners; // 4 t + k to its place below
	RBL_ARRAY(int) opened;
	RBL_ARRAY(tet_corner) list;
	RBL_ARRAY(int) sets;      // union-find over the list
	RBL_ARRAY(int) new_nodes; // the vertices of the mesh that they come from
	RBL_ARRAY(int) edit_corners;
	RBL_ARRAY(int) edit_vertices;
	RBL_ARRAY(int) parents;
	RBL_ARRAY(double) weights;
	RBL_ARRAY(rbl_vec3) positions;
	RBL_ARRAY(int) made_nodes; // of new vertices
	RBL_ARRAY(int) kept_vertices;
	RBL_ARRAY(int) kept_nodes;
	RBL_ARRAY(int) triangles;
	bool has_copies; // of vertices that others made
} separation;

static bool is_open(const separation *s, int face)
{
	return s->tets->triangles[face] >= 0 || rbl_map_get(&s->open, (uint64_t)face) != RBL_MAP_NONE;
}

// The same face from the other side, -1 at the boundary.
static int across(const rbl_surface_tets *t, int face)
{
	int other = t->neighbors[face];
	for (int k = 0; other >= 0 && k < 4; ++k)
		if (t->neighbors[4 * other + k] == face / 4)
			return 4 * other + k;
	return -1;
}

static rbl_result open_faces(separation *s, const int *faces, int count)
{
	const rbl_surface_tets *t = s->tets;
	for (int i = 0; i < count; ++i) {
		if (faces[i] < 0 || faces[i] >= 4 * t->tet_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "there is no face %d", faces[i]);
		if (is_open(s, faces[i]))
			continue;
		const int sides[2] = { faces[i], across(t, faces[i]) };
		if (sides[1] < 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "face %d has nothing behind it", faces[i]);
		for (int k = 0; k < 2; ++k)
			if (!rbl_map_set(&t->allocator, &s->open, (uint64_t)sides[k], 1) ||
			    !rbl_array_push(&t->allocator, &s->opened, sides[k]))
				return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

static int corner_of_node(const rbl_surface_tets *t, int tet, int node)
{
	int k = 0;
	while (k < 4 && t->tet_nodes[4 * tet + k] != node)
		k++;
	return k < 4 ? 4 * tet + k : -1;
}

// All tetrahedra at a node, and which of them hang together there.
static bool gather_node(separation *s, int node)
{
	const rbl_surface_tets *t = s->tets;
	int vertex = t->node_vertices.data[node], first = s->list.count;
	for (int i = t->around_starts[vertex]; i < t->around_starts[vertex + 1]; ++i) {
		int corner = corner_of_node(t, t->around[i], node);
		if (corner < 0)
			continue;
		if (rbl_map_get(&s->corners, (uint64_t)corner) != RBL_MAP_NONE)
			return true; // it is known
		if (!rbl_map_set(&t->allocator, &s->corners, (uint64_t)corner, (uint32_t)s->list.count) ||
		    !rbl_array_push(&t->allocator, &s->sets, s->list.count) ||
		    !rbl_array_push(&t->allocator, &s->list, ((tet_corner){ corner, NO_VERTEX, node })))
			return false;
	}
	for (int i = first; i < s->list.count; ++i)
		for (int k = 0; k < 4; ++k) {
			int face = s->list.data[i].corner / 4 * 4 + k;
			if (face == s->list.data[i].corner || is_open(s, face))
				continue; // it does not have the node
			int other = corner_of_node(t, t->neighbors[face], node);
			uint32_t at = rbl_map_get(&s->corners, (uint64_t)other);
			rbl_union_find_join(s->sets.data, i, (int)at);
		}
	return true;
}

static bool gather_nodes(separation *s)
{
	for (int i = 0; i < s->opened.count; ++i)
		for (int k = 0; k < 3; ++k) {
			int face = s->opened.data[i];
			if (!gather_node(s, s->tets->tet_nodes[face / 4 * 4 + tet_sides[face % 4][k]]))
				return false;
		}
	return true;
}

// Sets after the first of a node have nodes of their own. Roots come before others.
static bool part_nodes(separation *s)
{
	const rbl_surface_tets *t = s->tets;
	int kept = -1;
	for (int i = 0; i < s->list.count; ++i) {
		int root = rbl_union_find_root(s->sets.data, i), node = s->list.data[i].node;
		if (root != i) {
			s->list.data[i].node = s->list.data[root].node;
			continue;
		}
		int old = t->tet_nodes[s->list.data[i].corner];
		if (old == kept) {
			s->list.data[i].node = t->node_vertices.count + s->new_nodes.count;
			if (!rbl_array_push(&t->allocator, &s->new_nodes, t->node_vertices.data[node]))
				return false;
		}
		kept = old;
	}
	return true;
}

// A new vertex of the surface. @param parent  that it is a copy of, -1: where its node is
// @return its name in the edit, NO_VERTEX when memory ran out
static int add_new_vertex(separation *s, const tet_corner *corner, int parent)
{
	const rbl_surface_tets *t = s->tets;
	const rbl_allocator *allocator = &t->allocator;
	int node = corner->node, before = t->tet_nodes[corner->corner];
	rbl_vec3 position = parent >= 0 ? t->surface->positions[1][parent]
	                    : s->given  ? rbl_to_f(s->given[before])
	                                : rbl_to_f(t->positions[t->node_vertices.data[before]]);
	for (int k = 0; k < 3; ++k)
		if (!rbl_array_push(allocator, &s->parents, k == 0 ? parent : -1) ||
		    !rbl_array_push(allocator, &s->weights, k == 0 && parent >= 0 ? 1.0 : 0.0))
			return NO_VERTEX;
	if (!rbl_array_push(allocator, &s->positions, position) ||
	    !rbl_array_push(allocator, &s->made_nodes, node))
		return NO_VERTEX;
	return -s->positions.count;
}

static tet_corner *corner_at(separation *s, int corner)
{
	uint32_t at = rbl_map_get(&s->corners, (uint64_t)corner);
	return at == RBL_MAP_NONE ? NULL : &s->list.data[at];
}

// The vertex that a set has, known at its root.
static int *vertex_of_set(separation *s, int corner)
{
	uint32_t at = rbl_map_get(&s->corners, (uint64_t)corner);
	return &s->list.data[rbl_union_find_root(s->sets.data, (int)at)].vertex;
}

static int node_of_vertex(const rbl_surface_tets *t, int vertex)
{
	return vertex < t->vertex_nodes.count ? t->vertex_nodes.data[vertex] : -1;
}

// Corners of triangles that are there: of the sets that have a vertex the first keeps it.
static bool move_corners(separation *s, rbl_map *keepers)
{
	const rbl_surface_tets *t = s->tets;
	const rbl_surface *surface = t->surface;
	for (int i = 0; i < s->list.count; ++i) {
		int tet = s->list.data[i].corner / 4, own = s->list.data[i].corner % 4;
		int root = rbl_union_find_root(s->sets.data, i);
		for (int k = 0; k < 4; ++k) {
			int triangle = k == own ? -1 : t->triangles[4 * tet + k];
			if (triangle < 0)
				continue;
			int place = 0; // of the node among the corners of the triangle
			while (place < 3 && node_of_vertex(t, surface->triangles[3 * triangle + place]) !=
			                        t->tet_nodes[s->list.data[i].corner])
				place++;
			s->has_copies |= place == 3;
			if (place == 3)
				return false;
			int vertex = surface->triangles[3 * triangle + place];
			const uint32_t *keeper =
				rbl_map_add(&t->allocator, keepers, (uint64_t)vertex, (uint32_t)root);
			if (!keeper)
				return false;
			int *known = &s->list.data[root].vertex;
			if ((int)*keeper == root) { // its node may be another now
				*known = *known == NO_VERTEX ? vertex : *known;
				if (!rbl_array_push(&t->allocator, &s->kept_vertices, vertex) ||
				    !rbl_array_push(&t->allocator, &s->kept_nodes, s->list.data[root].node))
					return false;
				continue;
			}
			// Another set keeps it.
			if (*known == NO_VERTEX || *known >= 0)
				*known = add_new_vertex(s, &s->list.data[root], vertex);
			if (*known == NO_VERTEX ||
			    !rbl_array_push(&t->allocator, &s->edit_corners, 3 * triangle + place) ||
			    !rbl_array_push(&t->allocator, &s->edit_vertices, *known))
				return false;
		}
	}
	return true;
}

static bool add_faces(separation *s)
{
	const rbl_surface_tets *t = s->tets;
	for (int i = 0; i < s->opened.count; ++i)
		for (int k = 0; k < 3; ++k) {
			int face = s->opened.data[i], corner = face / 4 * 4 + tet_sides[face % 4][k];
			int *vertex = vertex_of_set(s, corner);
			if (*vertex == NO_VERTEX)
				*vertex = add_new_vertex(s, corner_at(s, corner), -1);
			if (*vertex == NO_VERTEX || !rbl_array_push(&t->allocator, &s->triangles, *vertex))
				return false;
		}
	return true;
}

static rbl_result apply_separation(separation *s, rbl_surface_body_id body)
{
	rbl_surface_tets *t = s->tets;
	rbl_surface *surface = t->surface;
	rbl_surface_edit_def edit = rbl_default_surface_edit_def();
	edit.corner_count = s->edit_corners.count, edit.corners = s->edit_corners.data;
	edit.corner_vertices = s->edit_vertices.data;
	edit.vertex_count = s->positions.count, edit.positions = s->positions.data;
	edit.parents = s->parents.data, edit.weights = s->weights.data;
	edit.triangle_count = s->opened.count, edit.triangles = s->triangles.data;
	int nodes = t->node_vertices.count, end = surface->vertex_end + s->positions.count;
	if (!rbl_array_reserve(&t->allocator, &t->node_vertices, nodes + s->new_nodes.count) ||
	    !name_vertices(t, end))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_surface_edit(surface, body, &edit, NULL);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < s->new_nodes.count; ++i)
		t->node_vertices.data[t->node_vertices.count++] = s->new_nodes.data[i];
	for (int i = 0; i < s->list.count; ++i)
		t->tet_nodes[s->list.data[i].corner] = s->list.data[i].node;
	rbl_surface_body_data view = rbl_surface_body_get_data(surface, body);
	for (int i = 0; i < s->opened.count; ++i)
		t->triangles[s->opened.data[i]] = view.triangles[view.triangle_count - s->opened.count + i];
	for (int i = 0; i < s->kept_vertices.count; ++i)
		t->vertex_nodes.data[s->kept_vertices.data[i]] = s->kept_nodes.data[i];
	for (int i = 0; i < s->positions.count; ++i)
		t->vertex_nodes.data[view.vertices[view.vertex_count - s->positions.count + i]] =
			s->made_nodes.data[i];
	return RBL_OK;
}

rbl_result rbl_surface_tets_separate(rbl_surface_tets *t, rbl_surface_body_id body,
                                     const int *faces, int count, const rbl_vec3d *positions)
{
	if (!t || count < 0 || (count > 0 && !faces))
		return rbl_fail(RBL_BAD_ARGUMENT, "tets or faces are missing");
	if (rbl_surface_slot(t->surface, body) < 0)
		return RBL_STALE_ID;
	for (int i = 0; positions && i < t->node_vertices.count; ++i)
		if (!rbl_is_finite_d(positions[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "node %d is not finite", i);
	separation s = { .tets = t, .given = positions };
	rbl_map keepers = { 0 };
	rbl_result result = open_faces(&s, faces, count);
	if (result == RBL_OK && s.opened.count > 0)
		result = gather_nodes(&s) && part_nodes(&s) && move_corners(&s, &keepers) && add_faces(&s)
		             ? apply_separation(&s, body)
		         : s.has_copies
		             ? rbl_fail(RBL_BAD_ARGUMENT, "a split copied vertices of the tetrahedra")
		             : RBL_OUT_OF_MEMORY;
	rbl_map_free(&t->allocator, &keepers);
	rbl_map_free(&t->allocator, &s.open);
	rbl_map_free(&t->allocator, &s.corners);
	rbl_array_free(&t->allocator, &s.opened);
	rbl_array_free(&t->allocator, &s.list);
	rbl_array_free(&t->allocator, &s.sets);
	rbl_array_free(&t->allocator, &s.new_nodes);
	rbl_array_free(&t->allocator, &s.edit_corners);
	rbl_array_free(&t->allocator, &s.edit_vertices);
	rbl_array_free(&t->allocator, &s.parents);
	rbl_array_free(&t->allocator, &s.weights);
	rbl_array_free(&t->allocator, &s.positions);
	rbl_array_free(&t->allocator, &s.made_nodes);
	rbl_array_free(&t->allocator, &s.kept_vertices);
	rbl_array_free(&t->allocator, &s.kept_nodes);
	rbl_array_free(&t->allocator, &s.triangles);
	return result;
}
