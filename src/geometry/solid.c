// SPDX-License-Identifier: MIT
//
// From a mesh to a closed surface that can be cut: vertices at one place are one, every edge knows
// its twin, and shells know which of them belong together.
//
// Closed means balanced: each edge is walked as often in one direction as in the other. Edges with
// four or more faces are fine; their half-edges are paired in order. Vertices are welded when
// their positions have equal bits, so seams of unwelded meshes close, and nothing else moves.

#include "geometry/solid.h"

#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/mesh.h"
#include "geometry/shells.h"

enum { SOLID_COOKIE = 0x736f6c69 };

rbl_solid_def rbl_default_solid_def(void)
{
	return (rbl_solid_def){ .cookie = SOLID_COOKIE };
}

static uint64_t position_key(rbl_vec3d p)
{
	// Adding zero turns -0 into +0: both are one place.
	double x = p.x + 0.0, y = p.y + 0.0, z = p.z + 0.0;
	uint64_t a, b, c;
	memcpy(&a, &x, sizeof a), memcpy(&b, &y, sizeof b), memcpy(&c, &z, sizeof c);
	uint64_t hash = a * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 29 ^ b) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 32 ^ c) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 29;
}

// weld[v] is the first vertex at the place of v. @return false when memory ran out
static bool weld_equal_positions(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                 int *weld)
{
	int capacity = 16;
	while (capacity < 2 * data->vertex_count)
		capacity *= 2;
	int *table = RBL_NEW(allocator, int, capacity);
	if (!table)
		return false;
	memset(table, 0xff, (size_t)capacity * sizeof *table);
	for (int v = 0; v < data->vertex_count; ++v) {
		rbl_vec3d p = data->positions[v];
		uint64_t slot = position_key(p) & (uint64_t)(capacity - 1);
		for (;; slot = (slot + 1) & (uint64_t)(capacity - 1)) {
			int other = table[slot];
			if (other < 0) {
				table[slot] = v;
				weld[v] = v;
				break;
			}
			rbl_vec3d q = data->positions[other];
			if (p.x == q.x && p.y == q.y && p.z == q.z) {
				weld[v] = other;
				break;
			}
		}
	}
	RBL_FREE(allocator, table, capacity);
	return true;
}

static uint32_t spread_bits(uint32_t x) // ten bits, two zeros after each
{
	x = (x | x << 16) & 0x030000ff;
	x = (x | x << 8) & 0x0300f00f;
	x = (x | x << 4) & 0x030c30c3;
	return (x | x << 2) & 0x09249249;
}

static uint32_t curve_digit(double offset, double half)
{
	double scaled = half > 0.0 ? (offset / half + 1.0) * 511.5 : 0.0;
	return spread_bits((uint32_t)rbl_clampd(scaled, 0.0, 1023.0));
}

// Put the triangles in the order of a curve through space, by the first corner of their face: what
// lies together is then worked on together (the bunny breaks a third faster for it), and triangles
// of one face stay together.
static bool order_triangles(rbl_solid *s, const rbl_mesh_data *data, int count)
{
	rbl_sort_item *items = RBL_NEW(&s->allocator, rbl_sort_item, 2 * count);
	int *corners = RBL_NEW(&s->allocator, int, 4 * count), *faces = corners + 3 * count;
	bool done = items && corners;
	if (done) {
		for (int t = 0; t < count; ++t) {
			int corner = data->face_starts[s->triangle_faces[t]];
			rbl_vec3d p = data->positions[data->corner_vertices[corner]];
			p = rbl_sub_d(p, s->origin);
			items[t].key = curve_digit(p.x, s->half.x) | curve_digit(p.y, s->half.y) << 1 |
			               curve_digit(p.z, s->half.z) << 2;
			items[t].value = (uint32_t)t;
		}
		rbl_sort(items, items + count, count);
		memcpy(corners, s->triangle_corners, (size_t)(3 * count) * sizeof(int));
		memcpy(faces, s->triangle_faces, (size_t)count * sizeof(int));
		for (int i = 0; i < count; ++i) {
			memcpy(s->triangle_corners + 3 * i, corners + 3 * items[i].value, 3 * sizeof(int));
			s->triangle_faces[i] = faces[items[i].value];
		}
	}
	RBL_FREE(&s->allocator, items, 2 * count);
	RBL_FREE(&s->allocator, corners, 4 * count);
	return done;
}

// Triangles of the mesh without those that welding made degenerate; vertices that are used.
static rbl_result triangulate_mesh(rbl_solid *s, const rbl_mesh_data *data, int *weld)
{
	int count = rbl_mesh_triangle_count(s->mesh);
	rbl_result result = rbl_mesh_triangulate(s->mesh, s->triangle_corners, s->triangle_faces);
	if (result != RBL_OK)
		return result;
	if (!order_triangles(s, data, count))
		return RBL_OUT_OF_MEMORY;
	int kept = 0;
	for (int t = 0; t < count; ++t) {
		const int *corners = s->triangle_corners + 3 * t;
		int a = weld[data->corner_vertices[corners[0]]];
		int b = weld[data->corner_vertices[corners[1]]];
		int c = weld[data->corner_vertices[corners[2]]];
		if (a == b || b == c || c == a)
			continue;
		int *vertices = s->triangle_vertices + 3 * kept;
		vertices[0] = a, vertices[1] = b, vertices[2] = c;
		memmove(s->triangle_corners + 3 * kept, corners, 3 * sizeof(int));
		s->triangle_faces[kept++] = s->triangle_faces[t];
	}
	s->triangle_count = kept;
	// Number the used vertices in order of first use; weld serves as the map.
	for (int v = 0; v < data->vertex_count; ++v)
		weld[v] = -1;
	for (int i = 0; i < 3 * kept; ++i) {
		int v = s->triangle_vertices[i];
		if (weld[v] < 0) {
			weld[v] = s->vertex_count;
			s->positions[s->vertex_count++] = rbl_sub_d(data->positions[v], s->origin);
		}
		s->triangle_vertices[i] = weld[v];
	}
	return RBL_OK;
}

// Whether two half-edges run between the same vertices of the mesh, not only the same places.
static bool is_same_edge(const rbl_solid *s, const int *vertices, int h, int g)
{
	int h_next = rbl_next_in_triangle(h), g_next = rbl_next_in_triangle(g);
	return vertices[s->triangle_corners[h]] == vertices[s->triangle_corners[g_next]] &&
	       vertices[s->triangle_corners[h_next]] == vertices[s->triangle_corners[g]];
}

// Of several half-edges at one place, those that the mesh joins come first in both lists: things
// that only touch along an edge stay things of their own.
static void match_first(const rbl_solid *s, rbl_sort_item64 *forward, rbl_sort_item64 *backward,
                        int count)
{
	const int *vertices = rbl_mesh_get_data(s->mesh).corner_vertices;
	int matched = 0;
	for (int i = 0; i < count; ++i) {
		for (int k = matched; k < count; ++k) {
			if (!is_same_edge(s, vertices, (int)forward[i].value, (int)backward[k].value))
				continue;
			rbl_sort_item64 f = forward[i], b = backward[k];
			forward[i] = forward[matched], backward[k] = backward[matched];
			forward[matched] = f, backward[matched++] = b;
			break;
		}
	}
}

// Pair the half-edges of one lower vertex; list holds them. @return how many found no twin
static int pair_bucket(rbl_solid *s, rbl_sort_item64 *list, rbl_sort_item64 *scratch, int count,
                       int *edge_count)
{
	// Key: upper vertex, then direction. The sort is stable, so pairs are the same every time.
	rbl_sort64(list, scratch, count);
	int unpaired = 0;
	for (int i = 0; i < count;) {
		int forward = i, backward, end;
		for (backward = i;
		     backward < count && list[backward].key == list[i].key && !(list[i].key & 1);)
			backward++;
		uint64_t upper = list[i].key >> 1;
		for (end = backward; end < count && list[end].key >> 1 == upper;)
			end++;
		int pairs = rbl_mini(backward - forward, end - backward);
		if (pairs > 1 && pairs == backward - forward && pairs == end - backward)
			match_first(s, list + forward, list + backward, pairs);
		for (int k = 0; k < pairs; ++k) {
			int h = (int)list[forward + k].value, g = (int)list[backward + k].value;
			s->twins[h] = g, s->twins[g] = h;
			s->edges[h] = s->edges[g] = (*edge_count)++;
		}
		unpaired += end - i - 2 * pairs;
		i = end;
	}
	return unpaired;
}

static rbl_result pair_edges(rbl_solid *s)
{
	int half_edges = 3 * s->triangle_count;
	int *starts = RBL_NEW_ZERO(&s->allocator, int, s->vertex_count + 1);
	rbl_sort_item64 *items = RBL_NEW(&s->allocator, rbl_sort_item64, 2 * half_edges);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (starts && items) {
		for (int h = 0; h < half_edges; ++h) {
			int a = s->triangle_vertices[h], b = s->triangle_vertices[rbl_next_in_triangle(h)];
			starts[rbl_mini(a, b)]++;
		}
		for (int v = 0, sum = 0; v <= s->vertex_count; ++v) {
			sum += starts[v];
			starts[v] = sum; // end of the bucket; filling backwards makes it the start
		}
		for (int h = half_edges - 1; h >= 0; --h) {
			int a = s->triangle_vertices[h], b = s->triangle_vertices[rbl_next_in_triangle(h)];
			items[--starts[rbl_mini(a, b)]] =
				(rbl_sort_item64){ (uint64_t)rbl_maxi(a, b) << 1 | (a > b), (uint32_t)h, 0 };
		}
		int unpaired = 0, edge_count = 0;
		for (int v = 0; v < s->vertex_count; ++v)
			unpaired += pair_bucket(s, items + starts[v], items + half_edges,
			                        starts[v + 1] - starts[v], &edge_count);
		result = unpaired == 0 ? RBL_OK
		                       : rbl_fail(RBL_BAD_MESH,
		                                  "the mesh is not closed: %d edges of triangles "
		                                  "have no partner",
		                                  unpaired);
	}
	RBL_FREE(&s->allocator, starts, s->vertex_count + 1);
	RBL_FREE(&s->allocator, items, 2 * half_edges);
	return result;
}

static void add_normals(rbl_solid *s)
{
	for (int v = 0; v < s->vertex_count; ++v)
		s->normals[v] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	for (int t = 0; t < s->triangle_count; ++t) {
		const int *v = s->triangle_vertices + 3 * t;
		rbl_vec3d a = s->positions[v[0]], b = s->positions[v[1]], c = s->positions[v[2]];
		rbl_vec3d n = rbl_normalize_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
		for (int k = 0; k < 3; ++k)
			s->normals[v[k]] = rbl_add_d(s->normals[v[k]], n);
	}
}

// Faces whose triangles lie in one plane, and are more than one.
static bool find_mergeable(rbl_solid *s)
{
	rbl_mesh_data data = rbl_mesh_get_data(s->mesh);
	s->is_mergeable = RBL_NEW_ZERO(&s->allocator, unsigned char, data.face_count);
	if (!s->is_mergeable)
		return false;
	for (int f = 0; f < data.face_count; ++f) {
		const int *vertices = data.corner_vertices + data.face_starts[f];
		int n = data.face_starts[f + 1] - data.face_starts[f];
		if (n < 4)
			continue;
		rbl_vec3d normal = rbl_normalize_d(rbl_polygon_normal(data.positions, vertices, n));
		double off = 0.0;
		for (int k = 1; k < n; ++k) {
			rbl_vec3d d = rbl_sub_d(data.positions[vertices[k]], data.positions[vertices[0]]);
			off = rbl_maxd(off, fabs(rbl_dot_d(normal, d)));
		}
		s->is_mergeable[f] = off <= 1e-12 * s->size && rbl_length_squared_d(normal) > 0.5;
		s->has_mergeable |= s->is_mergeable[f];
	}
	return true;
}

static bool allocate_solid(rbl_solid *s, int vertex_count, int triangle_count)
{
	const rbl_allocator *a = &s->allocator;
	s->positions = RBL_NEW(a, rbl_vec3d, vertex_count);
	s->normals = RBL_NEW(a, rbl_vec3d, vertex_count);
	s->triangle_vertices = RBL_NEW(a, int, 3 * triangle_count);
	s->triangle_corners = RBL_NEW(a, int, 3 * triangle_count);
	s->triangle_faces = RBL_NEW(a, int, triangle_count);
	s->triangle_groups = RBL_NEW(a, int, triangle_count);
	s->twins = RBL_NEW(a, int, 3 * triangle_count);
	s->edges = RBL_NEW(a, int, 3 * triangle_count);
	return s->positions && s->normals && s->triangle_vertices && s->triangle_corners &&
	       s->triangle_faces && s->triangle_groups && s->twins && s->edges;
}

void rbl_destroy_solid(rbl_solid *solid)
{
	if (!solid)
		return;
	rbl_allocator a = solid->allocator;
	rbl_mesh_data data = rbl_mesh_get_data(solid->mesh);
	int vertex_count = data.vertex_count;
	int triangle_count = rbl_mesh_triangle_count(solid->mesh);
	RBL_FREE(&a, solid->positions, vertex_count);
	RBL_FREE(&a, solid->normals, vertex_count);
	RBL_FREE(&a, solid->triangle_vertices, 3 * triangle_count);
	RBL_FREE(&a, solid->triangle_corners, 3 * triangle_count);
	RBL_FREE(&a, solid->triangle_faces, triangle_count);
	RBL_FREE(&a, solid->triangle_groups, triangle_count);
	RBL_FREE(&a, solid->twins, 3 * triangle_count);
	RBL_FREE(&a, solid->edges, 3 * triangle_count);
	RBL_FREE(&a, solid->groups, solid->group_count);
	RBL_FREE(&a, solid->is_mergeable, data.face_count);
	RBL_FREE(&a, solid->weld, data.vertex_count);
	RBL_FREE(&a, solid, 1);
}

static rbl_result begin_solid(rbl_solid *s)
{
	rbl_mesh_data data = rbl_mesh_get_data(s->mesh);
	int triangle_count = rbl_mesh_triangle_count(s->mesh);
	if (triangle_count < 4 || data.vertex_count < 4)
		return rbl_fail(RBL_BAD_MESH,
		                "the mesh has %d triangles and %d vertices, a solid at least 4",
		                triangle_count, data.vertex_count);
	if (triangle_count > RBL_MAX_MESH_ITEMS / 8)
		return rbl_fail(RBL_LIMIT_REACHED, "%d triangles, at most %d", triangle_count,
		                RBL_MAX_MESH_ITEMS / 8);
	rbl_boxd bounds = rbl_mesh_bounds(s->mesh);
	s->origin = rbl_box_centre_d(bounds);
	s->half = rbl_scale_d(0.5, rbl_box_size_d(bounds));
	s->size = 2.0 * rbl_length_d(s->half);
	s->weld = RBL_NEW(&s->allocator, int, data.vertex_count);
	return s->weld && allocate_solid(s, data.vertex_count, triangle_count) &&
	               weld_equal_positions(&s->allocator, &data, s->weld)
	           ? RBL_OK
	           : RBL_OUT_OF_MEMORY;
}

static rbl_result take_all_triangles(rbl_solid *s)
{
	rbl_mesh_data data = rbl_mesh_get_data(s->mesh);
	rbl_result result = triangulate_mesh(s, &data, s->weld);
	RBL_FREE(&s->allocator, s->weld, data.vertex_count);
	s->weld = NULL;
	if (result == RBL_OK && s->triangle_count < 4)
		return rbl_fail(RBL_BAD_MESH, "the mesh has %d triangles with an area, a solid at least 4",
		                s->triangle_count);
	return result;
}

// --- groups --------------------------------------------------------------------------------

// Label triangles by shell in order of their first triangle. @return the number of shells
static int label_shells(const rbl_solid *s, int *parents, int *shell_of)
{
	for (int t = 0; t < s->triangle_count; ++t)
		parents[t] = t;
	for (int h = 0; h < 3 * s->triangle_count; ++h)
		rbl_union_find_join(parents, h / 3, s->twins[h] / 3);
	int count = 0;
	for (int t = 0; t < s->triangle_count; ++t) {
		int root = rbl_union_find_root(parents, t);
		shell_of[t] = root == t ? count++ : shell_of[root];
	}
	return count;
}

// The smallest outer shell around a void, -1 for none.
static rbl_result find_outer(rbl_shells *shells, int shell, int *around, int *outer)
{
	int count;
	rbl_result result = rbl_shells_find_around(shells, shell, around, &count);
	*outer = -1;
	for (int i = 0; i < count; ++i) {
		double volume = shells->items[around[i]].volume;
		if (volume > 0.0 && (*outer < 0 || volume < shells->items[*outer].volume))
			*outer = around[i];
	}
	return result;
}

// A shell of positive volume is the outside of a thing and starts a group. One of negative volume
// is a void and joins the smallest outer shell around it. Flat ones are in none.
static rbl_result group_shells(const rbl_solid *s, rbl_shells *shells, int *around, int *group_of,
                               int *group_count)
{
	int groups = 0;
	for (int i = 0; i < shells->count; ++i)
		group_of[i] = shells->items[i].volume > 0.0 ? groups++ : -1;
	for (int i = 0; i < shells->count; ++i) {
		double volume = shells->items[i].volume;
		if (volume >= 0.0)
			continue;
		int outer;
		rbl_result result = find_outer(shells, i, around, &outer);
		if (result != RBL_OK)
			return result;
		if (outer < 0 && -volume <= 1e-12 * s->size * s->size * s->size)
			continue; // nothing without it
		if (outer < 0)
			return rbl_fail(RBL_BAD_MESH, "shell %d is inside out: volume %g, no shell around it",
			                i, volume);
		group_of[i] = group_of[outer];
	}
	*group_count = groups;
	return groups > 0 ? RBL_OK : rbl_fail(RBL_BAD_MESH, "the mesh has no volume");
}

static rbl_result fill_groups(rbl_solid *s, const rbl_shells *shells, const int *group_of,
                              int group_count)
{
	s->groups = RBL_NEW_ZERO(&s->allocator, rbl_solid_group, group_count);
	if (!s->groups)
		return RBL_OUT_OF_MEMORY;
	s->group_count = group_count;
	for (int g = 0; g < group_count; ++g)
		s->groups[g].bounds = rbl_box_empty_d();
	for (int i = 0; i < shells->count; ++i) {
		if (group_of[i] < 0)
			continue;
		rbl_solid_group *group = &s->groups[group_of[i]];
		group->volume += shells->items[i].volume;
		group->bounds = rbl_box_join_d(group->bounds, shells->items[i].bounds);
		s->volume += shells->items[i].volume;
	}
	for (int t = 0; t < s->triangle_count; ++t)
		s->triangle_groups[t] = group_of[shells->shell_of[t]];
	return RBL_OK;
}

rbl_result rbl_solid_check_groups(const rbl_solid *solid)
{
	for (int g = 0; g < solid->group_count; ++g) {
		if (!(solid->groups[g].volume > 0.0))
			return rbl_fail(RBL_BAD_MESH, "outer shell %d is no larger than the voids in it", g);
	}
	return RBL_OK;
}

// Fill triangle_groups, groups and volume. @return RBL_OK, RBL_BAD_MESH, RBL_OUT_OF_MEMORY
static rbl_result find_groups(rbl_solid *s)
{
	const rbl_allocator *a = &s->allocator;
	int n = s->triangle_count, group_count = 0;
	int *numbers = RBL_NEW(a, int, 4 * (size_t)n);
	if (!numbers)
		return RBL_OUT_OF_MEMORY;
	int *shell_of = numbers, *parents = numbers + n, *group_of = parents + n,
		*around = group_of + n;
	rbl_shells shells;
	int count = label_shells(s, parents, shell_of);
	rbl_result result =
		rbl_shells_create(&shells, a, s->positions, s->triangle_vertices, n, shell_of, count);
	if (result == RBL_OK) {
		result = group_shells(s, &shells, around, group_of, &group_count);
		if (result == RBL_OK)
			result = fill_groups(s, &shells, group_of, group_count);
		rbl_shells_destroy(&shells);
	}
	RBL_FREE(a, numbers, 4 * (size_t)n);
	return result;
}

// --- steps ---------------------------------------------------------------------------------

rbl_result rbl_solid_advance(rbl_solid *solid, bool *is_done)
{
	*is_done = false;
	switch (solid->step++) {
	case 0:
		return begin_solid(solid);
	case 1:
		return take_all_triangles(solid);
	case 2:
		return pair_edges(solid);
	case 3:
		add_normals(solid);
		return find_mergeable(solid) ? RBL_OK : RBL_OUT_OF_MEMORY;
	default:
		*is_done = true;
		return find_groups(solid);
	}
}

rbl_result rbl_solid_begin(const rbl_solid_def *def, rbl_solid **solid)
{
	*solid = NULL;
	if (!def || def->cookie != SOLID_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_solid_def()");
	if (!def->mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_solid *made = RBL_NEW_ZERO(&allocator, rbl_solid, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = allocator;
	made->mesh = def->mesh;
	made->face_starts = rbl_mesh_get_data(def->mesh).face_starts;
	*solid = made;
	return RBL_OK;
}

rbl_result rbl_solid_create_unchecked(const rbl_solid_def *def, rbl_solid **solid)
{
	rbl_result result = rbl_solid_begin(def, solid);
	bool is_done = false;
	while (result == RBL_OK && !is_done)
		result = rbl_solid_advance(*solid, &is_done);
	if (result != RBL_OK) {
		rbl_destroy_solid(*solid);
		*solid = NULL;
	}
	return result;
}

rbl_result rbl_create_solid(const rbl_solid_def *def, rbl_solid **solid)
{
	if (!solid)
		return rbl_fail(RBL_BAD_ARGUMENT, "solid is NULL");
	rbl_result result = rbl_solid_create_unchecked(def, solid);
	if (result == RBL_OK)
		result = rbl_solid_check_groups(*solid);
	if (result != RBL_OK) {
		rbl_destroy_solid(*solid);
		*solid = NULL;
	}
	return result;
}

static bool copy_array(void *to, const void *from, int count, size_t size)
{
	if (to && from && count > 0)
		memcpy(to, from, (size_t)count * size);
	return to != NULL || count == 0;
}

rbl_result rbl_solid_copy(const rbl_solid *solid, const rbl_mesh *mesh,
                          const rbl_allocator *allocator, rbl_solid **copy)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int vertices = data.vertex_count, triangles = rbl_mesh_triangle_count(mesh);
	RBL_ASSERT(triangles == rbl_mesh_triangle_count(solid->mesh));
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_solid *c = *copy = RBL_NEW(&own, rbl_solid, 1);
	if (!c)
		return RBL_OUT_OF_MEMORY;
	*c = *solid;
	c->allocator = own;
	c->mesh = mesh;
	c->face_starts = data.face_starts;
	c->weld = NULL;
	c->groups = RBL_NEW(&own, rbl_solid_group, solid->group_count);
	c->is_mergeable = RBL_NEW(&own, unsigned char, data.face_count);
	bool ok = allocate_solid(c, vertices, triangles);
	vertices = solid->vertex_count, triangles = solid->triangle_count; // some were left out
	ok = ok && copy_array(c->positions, solid->positions, vertices, sizeof *c->positions) &&
	     copy_array(c->normals, solid->normals, vertices, sizeof *c->normals) &&
	     copy_array(c->triangle_vertices, solid->triangle_vertices, 3 * triangles, sizeof(int)) &&
	     copy_array(c->triangle_corners, solid->triangle_corners, 3 * triangles, sizeof(int)) &&
	     copy_array(c->triangle_faces, solid->triangle_faces, triangles, sizeof(int)) &&
	     copy_array(c->triangle_groups, solid->triangle_groups, triangles, sizeof(int)) &&
	     copy_array(c->twins, solid->twins, 3 * triangles, sizeof(int)) &&
	     copy_array(c->edges, solid->edges, 3 * triangles, sizeof(int)) &&
	     copy_array(c->groups, solid->groups, solid->group_count, sizeof *c->groups) &&
	     copy_array(c->is_mergeable, solid->is_mergeable, data.face_count, 1);
	if (ok)
		return RBL_OK;
	rbl_destroy_solid(c);
	*copy = NULL;
	return RBL_OUT_OF_MEMORY;
}

double rbl_solid_volume(const rbl_solid *solid)
{
	return solid ? solid->volume : 0.0;
}

int rbl_solid_shell_count(const rbl_solid *solid)
{
	return solid ? solid->group_count : 0;
}
