// SPDX-License-Identifier: MIT
//
// Taking apart what is cut, and tears along edges.
//
// The corners of local triangles at a node hang together across edges that are not cut. Where the
// corners at a node form several sets that touch cut edges, the first keeps the vertex and each
// other gets one of its own. So the end of a cut stays closed, a cut that comes to a boundary or to
// another cut opens, and an edge that is not cut never does.

#include "surface/cut.h"

#include "base/log.h"
#include "base/union_find.h"

rbl_surface_cuts *rbl_surface_get_cuts(rbl_surface *surface)
{
	if (!surface->cuts)
		surface->cuts = RBL_NEW_ZERO(&surface->allocator, rbl_surface_cuts, 1);
	rbl_surface_cuts *c = surface->cuts;
	if (!c)
		return NULL;
	c->changed.count = c->corners.count = c->corner_vertices.count = c->parents.count = 0;
	c->weights.count = c->triangles.count = c->triangle_user_ids.count = 0;
	rbl_map_clear(&c->edges);
	rbl_map_clear(&c->cut_edges);
	return c;
}

void rbl_surface_free_cuts(rbl_surface *surface)
{
	const rbl_allocator *allocator = &surface->allocator;
	rbl_surface_cuts *c = surface->cuts;
	if (!c)
		return;
	rbl_array_free(allocator, &c->changed);
	rbl_array_free(allocator, &c->corners);
	rbl_array_free(allocator, &c->corner_vertices);
	rbl_array_free(allocator, &c->parents);
	rbl_array_free(allocator, &c->weights);
	rbl_array_free(allocator, &c->triangles);
	rbl_array_free(allocator, &c->triangle_user_ids);
	rbl_array_free(allocator, &c->new_vertices);
	rbl_array_free(allocator, &c->new_parents);
	rbl_array_free(allocator, &c->new_weights);
	rbl_map_free(allocator, &c->places);
	rbl_map_free(allocator, &c->edges);
	rbl_map_free(allocator, &c->cut_edges);
	RBL_FREE(allocator, c, 1);
	surface->cuts = NULL;
}

size_t rbl_surface_cuts_memory(const rbl_surface *surface)
{
	const rbl_surface_cuts *c = surface->cuts;
	if (!c)
		return 0;
	size_t ints = (size_t)c->changed.capacity + (size_t)c->corners.capacity +
	              (size_t)c->corner_vertices.capacity + (size_t)c->parents.capacity +
	              (size_t)c->triangles.capacity + (size_t)c->triangle_user_ids.capacity +
	              (size_t)c->new_vertices.capacity + (size_t)c->new_parents.capacity;
	size_t doubles = (size_t)c->weights.capacity + (size_t)c->new_weights.capacity;
	size_t entries =
		(size_t)c->places.capacity + (size_t)c->edges.capacity + (size_t)c->cut_edges.capacity;
	return sizeof *c + ints * sizeof(int) + doubles * sizeof(double) +
	       entries * sizeof(rbl_map_entry);
}

typedef struct opening {
	rbl_surface_cut_plan *plan;
	int *sets;        // by corner 3 t + k of local triangles
	int *names;       // by set, its root: what its corners are called, 0: as before
	bool *is_taken;   // by node: a set keeps its vertex
	bool *is_touched; // by set: at a cut edge
	int *sources;     // of new vertices: nodes
	int made;         // new vertices
} opening;

static bool is_cut(const opening *o, int a, int b)
{
	return rbl_map_get(&o->plan->cuts->cut_edges, rbl_surface_cut_key(a, b)) != RBL_MAP_NONE;
}

static int node_at(const opening *o, int corner)
{
	return o->plan->triangles[corner / 3].nodes[corner % 3];
}

// The corner at which an edge of a local triangle ends.
static int corner_beyond(int corner)
{
	return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static bool join_cut_corners(opening *o)
{
	rbl_map *edges = &o->plan->cuts->edges;
	rbl_map_clear(edges);
	for (int h = 0; h < 3 * o->plan->triangle_count; ++h) {
		int a = h, b = corner_beyond(h), from = node_at(o, a), to = node_at(o, b);
		if (is_cut(o, from, to))
			continue;
		const uint32_t *at = rbl_map_add(&o->plan->surface->allocator, edges,
		                                 rbl_surface_cut_key(from, to), (uint32_t)h);
		if (!at)
			return false;
		int other = (int)*at, across = corner_beyond(other);
		bool is_same_way = node_at(o, other) == from;
		rbl_union_find_join(o->sets, a, is_same_way ? other : across);
		rbl_union_find_join(o->sets, b, is_same_way ? across : other);
	}
	return true;
}

// Vertices of sets, in the order of local triangles.
static void name_sets(opening *o)
{
	int corners = 3 * o->plan->triangle_count, vertices = o->plan->vertex_count;
	for (int h = 0; h < corners; ++h)
		if (is_cut(o, node_at(o, h), node_at(o, corner_beyond(h))))
			o->is_touched[rbl_union_find_root(o->sets, h)] =
				o->is_touched[rbl_union_find_root(o->sets, corner_beyond(h))] = true;
	for (int i = 0; i < o->plan->node_count; ++i)
		o->sources[o->made++] = vertices + i;
	for (int h = 0; h < corners; ++h) {
		int set = rbl_union_find_root(o->sets, h), node = node_at(o, h);
		if (!o->is_touched[set] || o->names[set] != 0)
			continue;
		if (!o->is_taken[node]) {
			o->is_taken[node] = true;
			o->names[set] = 1; // its own
		} else {
			o->names[set] = -1 - o->made;
			o->sources[o->made++] = node;
		}
	}
}

// What a corner is called in an edit.
static int name_of_corner(const opening *o, int corner)
{
	int name = o->names[rbl_union_find_root(o->sets, corner)], node = node_at(o, corner);
	if (name < 0)
		return name;
	return node < o->plan->vertex_count ? o->plan->vertices[node]
	                                    : -1 - (node - o->plan->vertex_count);
}

static bool reserve_arrays(const opening *o)
{
	const rbl_allocator *allocator = &o->plan->surface->allocator;
	rbl_surface_cuts *c = o->plan->cuts;
	int count = o->plan->triangle_count;
	return rbl_array_reserve(allocator, &c->changed, count) &&
	       rbl_array_reserve(allocator, &c->corners, 3 * count) &&
	       rbl_array_reserve(allocator, &c->corner_vertices, 3 * count) &&
	       rbl_array_reserve(allocator, &c->parents, 3 * o->made) &&
	       rbl_array_reserve(allocator, &c->weights, 3 * o->made) &&
	       rbl_array_reserve(allocator, &c->triangles, 3 * count) &&
	       rbl_array_reserve(allocator, &c->triangle_user_ids, count);
}

static void write_vertices(const opening *o)
{
	rbl_surface_cuts *c = o->plan->cuts;
	for (int i = 0; i < o->made; ++i) {
		int node = o->sources[i], vertices = o->plan->vertex_count;
		rbl_surface_cut_node own = { { node < vertices ? o->plan->vertices[node] : -1, -1, -1 },
			                         { 1.0, 0.0, 0.0 } };
		const rbl_surface_cut_node *source =
			node < vertices ? &own : &o->plan->nodes[node - vertices];
		for (int k = 0; k < 3; ++k) {
			c->parents.data[c->parents.count++] = source->parents[k];
			c->weights.data[c->weights.count++] = source->weights[k];
		}
	}
}

static void write_cut_triangles(const opening *o)
{
	const rbl_surface *surface = o->plan->surface;
	rbl_surface_cuts *c = o->plan->cuts;
	bool has_user_ids = surface->triangle_user_ids.count > 0;
	for (int t = 0; t < o->plan->triangle_count; ++t) {
		const rbl_surface_cut_triangle *triangle = &o->plan->triangles[t];
		if (triangle->is_part) { // parts of a triangle come one after the other
			int last = c->changed.count - 1;
			if (last < 0 || c->changed.data[last] != triangle->source)
				c->changed.data[c->changed.count++] = triangle->source;
			c->triangle_user_ids.data[c->triangle_user_ids.count++] =
				has_user_ids ? surface->triangle_user_ids.data[triangle->source] : -1;
		}
		for (int k = 0; k < 3; ++k) {
			int name = name_of_corner(o, 3 * t + k);
			if (triangle->is_part) {
				c->triangles.data[c->triangles.count++] = name;
			} else if (name < 0) {
				c->corners.data[c->corners.count++] = 3 * triangle->source + k;
				c->corner_vertices.data[c->corner_vertices.count++] = name;
			}
		}
	}
}

// Memory for the plan as it is. @return false when memory ran out
static bool begin_opening(opening *o, rbl_surface_cut_plan *plan)
{
	rbl_arena *arena = &plan->surface->scratch;
	int corners = 3 * plan->triangle_count, nodes = plan->vertex_count + plan->node_count;
	*o = (opening){ .plan = plan,
		            .sets = RBL_ARENA_NEW(arena, int, corners),
		            .names = RBL_ARENA_NEW(arena, int, corners),
		            .is_taken = RBL_ARENA_NEW(arena, bool, nodes),
		            .is_touched = RBL_ARENA_NEW(arena, bool, corners),
		            .sources =
		                RBL_ARENA_NEW(arena, int, (size_t)corners + (size_t)plan->node_count) };
	if (!o->sets || !o->names || !o->is_taken || !o->is_touched || !o->sources)
		return false;
	for (int i = 0; i < corners; ++i)
		o->sets[i] = i, o->names[i] = 0, o->is_touched[i] = false;
	memset(o->is_taken, 0, (size_t)nodes * sizeof *o->is_taken);
	return true;
}

// --- cuts between two ends ----------------------------------------------------------------------

// A cut edge whose ends both stay closed does not open: it gets a vertex in its middle, which does.
// So a cut inside a triangle is there when the knife goes on.

// @param edges  receives nodes of cut edges that stay closed, two each
// @return their number, -1 when memory ran out
static int find_closed(const opening *o, int *edges)
{
	rbl_map *map = &o->plan->cuts->edges;
	int count = 0;
	for (int h = 0; h < 3 * o->plan->triangle_count; ++h) {
		int a = node_at(o, h), b = node_at(o, corner_beyond(h));
		if (!is_cut(o, a, b))
			continue;
		const uint32_t *at =
			rbl_map_add(&o->plan->surface->allocator, map, rbl_surface_cut_key(a, b), (uint32_t)h);
		if (!at)
			return -1;
		int other = (int)*at, across = corner_beyond(other);
		if (node_at(o, other) == b) { // the other way
			int corner = other;
			other = across, across = corner;
		}
		if (other == h || name_of_corner(o, h) != name_of_corner(o, other) ||
		    name_of_corner(o, corner_beyond(h)) != name_of_corner(o, across))
			continue;
		edges[2 * count] = a, edges[2 * count + 1] = b;
		count++;
	}
	return count;
}

static void add_to_node(const rbl_surface_cut_plan *plan, int from, rbl_surface_cut_node *node)
{
	rbl_surface_cut_node own = { { from < plan->vertex_count ? plan->vertices[from] : -1, -1, -1 },
		                         { 1.0, 0.0, 0.0 } };
	if (from >= plan->vertex_count)
		own = plan->nodes[from - plan->vertex_count];
	for (int k = 0; k < 3; ++k) {
		int slot = 0;
		if (own.parents[k] < 0)
			continue;
		while (slot < 2 && node->parents[slot] >= 0 && node->parents[slot] != own.parents[k])
			slot++;
		RBL_ASSERT(node->parents[slot] < 0 || node->parents[slot] == own.parents[k]);
		node->parents[slot] = own.parents[k];
		node->weights[slot] += 0.5 * own.weights[k];
	}
}

// A triangle falls in two at the middle of its edge from a to b; the halves stay side by side.
static void halve(rbl_surface_cut_plan *plan, int t, int a, int b, int middle)
{
	rbl_surface_cut_triangle *own = &plan->triangles[t];
	int k = 0;
	while (!((own->nodes[k] == a && own->nodes[(k + 1) % 3] == b) ||
	         (own->nodes[k] == b && own->nodes[(k + 1) % 3] == a)))
		k++;
	memmove(own + 1, own, (size_t)(plan->triangle_count++ - t) * sizeof *own);
	own[0].nodes[(k + 1) % 3] = middle;
	own[1].nodes[k] = middle;
	own[0].is_part = own[1].is_part = true;
}

static bool split_closed(rbl_surface_cut_plan *plan, const int *edges, int count)
{
	rbl_arena *arena = &plan->surface->scratch;
	rbl_surface_cut_node *nodes =
		RBL_ARENA_NEW(arena, rbl_surface_cut_node, (size_t)plan->node_count + (size_t)count);
	// At an edge that is not manifold any number may fall in two.
	int room = plan->triangle_count;
	for (int i = 0; i < count; ++i)
		for (int h = 0; h < 3 * plan->triangle_count; ++h) {
			const int *v = plan->triangles[h / 3].nodes;
			room += rbl_surface_cut_key(v[h % 3], v[(h + 1) % 3 == 0 ? 0 : h % 3 + 1]) ==
			        rbl_surface_cut_key(edges[2 * i], edges[2 * i + 1]);
		}
	rbl_surface_cut_triangle *triangles = RBL_ARENA_NEW(arena, rbl_surface_cut_triangle, room);
	if (!nodes || !triangles)
		return false;
	if (plan->node_count > 0)
		memcpy(nodes, plan->nodes, (size_t)plan->node_count * sizeof *nodes);
	memcpy(triangles, plan->triangles, (size_t)plan->triangle_count * sizeof *triangles);
	plan->nodes = nodes, plan->triangles = triangles, plan->triangle_capacity = room;
	for (int i = 0; i < count; ++i) {
		int a = edges[2 * i], b = edges[2 * i + 1];
		// At an edge that is not manifold it may be listed again.
		if (!rbl_map_remove(&plan->cuts->cut_edges, rbl_surface_cut_key(a, b)))
			continue;
		rbl_surface_cut_node node = { { -1, -1, -1 }, { 0.0, 0.0, 0.0 } };
		add_to_node(plan, a, &node);
		add_to_node(plan, b, &node);
		plan->nodes[plan->node_count] = node;
		int middle = plan->vertex_count + plan->node_count++;
		for (int t = 0; t < plan->triangle_count; ++t) {
			const int *v = plan->triangles[t].nodes;
			bool has_a = v[0] == a || v[1] == a || v[2] == a;
			if (has_a && (v[0] == b || v[1] == b || v[2] == b))
				halve(plan, t++, a, b, middle);
		}
		if (!rbl_surface_cut_add_edge(plan, a, middle) ||
		    !rbl_surface_cut_add_edge(plan, middle, b))
			return false;
	}
	return true;
}

rbl_result rbl_surface_cut_open(rbl_surface_cut_plan *plan, rbl_surface_edit_def *edit)
{
	rbl_surface *surface = plan->surface;
	opening o;
	for (int round = 0; round < 2; ++round) {
		if (!begin_opening(&o, plan) || !join_cut_corners(&o))
			return RBL_OUT_OF_MEMORY;
		name_sets(&o);
		if (round > 0)
			break;
		int *closed = RBL_ARENA_NEW(&surface->scratch, int, 6 * (size_t)plan->triangle_count);
		int count = closed ? find_closed(&o, closed) : -1;
		if (count < 0 || (count > 0 && !split_closed(plan, closed, count)))
			return RBL_OUT_OF_MEMORY;
		if (count == 0)
			break;
	}
	if (!reserve_arrays(&o))
		return RBL_OUT_OF_MEMORY;
	write_vertices(&o);
	write_cut_triangles(&o);
	rbl_surface_cuts *c = plan->cuts;
	edit->changed_count = c->changed.count, edit->changed = c->changed.data;
	edit->corner_count = c->corners.count, edit->corners = c->corners.data;
	edit->corner_vertices = c->corner_vertices.data;
	edit->vertex_count = o.made;
	edit->parents = c->parents.data, edit->weights = c->weights.data;
	edit->triangle_count = c->triangles.count / 3, edit->triangles = c->triangles.data;
	if (surface->triangle_user_ids.count > 0)
		edit->triangle_user_ids = c->triangle_user_ids.data;
	return RBL_OK;
}

// --- tears --------------------------------------------------------------------------------------

static bool vertex_is_of_body(const rbl_surface *surface, int slot, int vertex)
{
	if (vertex < 0 || vertex >= surface->vertex_end)
		return false;
	int h = surface->anchors[vertex];
	return h >= 0 && surface->triangles[h] == vertex && surface->clusters[h / 3] >= 0 &&
	       surface->cluster_data[surface->clusters[h / 3]].body == slot;
}

static bool triangle_has(const rbl_surface *surface, int triangle, int vertex)
{
	const int *v = surface->triangles + 3 * triangle;
	return v[0] == vertex || v[1] == vertex || v[2] == vertex;
}

// All triangles around a vertex. Only one fan of it is known; where there are others the whole body
// is read.
static bool add_torn_around(rbl_surface_cut_plan *plan, const rbl_surface_body *body, int vertex)
{
	const rbl_surface *surface = plan->surface;
	if (surface->vertex_flags[vertex] & RBL_SURFACE_MANY_FANS) {
		for (int i = 0; i < body->triangles.count; ++i)
			if (triangle_has(surface, body->triangles.data[i], vertex) &&
			    !rbl_array_push(&surface->allocator, &plan->near, body->triangles.data[i]))
				return false;
		return true;
	}
	int start = surface->anchors[vertex];
	for (int h = start; h >= 0;) {
		if (!rbl_array_push(&surface->allocator, &plan->near, h / 3))
			return false;
		h = surface->twins[rbl_surface_prev(h)];
		if (h == start)
			break;
	}
	return true;
}

static rbl_result plan_tear(rbl_surface_cut_plan *plan, const rbl_surface_body *body,
                            const int *path, int count, rbl_surface_edit_def *edit)
{
	const rbl_surface *surface = plan->surface;
	for (int i = 0; i < count; ++i)
		if (!add_torn_around(plan, body, path[i]))
			return RBL_OUT_OF_MEMORY;
	if (!rbl_surface_cut_sort_near(plan))
		return RBL_OUT_OF_MEMORY;
	plan->vertices = RBL_ARENA_NEW(&plan->surface->scratch, int, 3 * (size_t)plan->near.count);
	plan->triangle_capacity = plan->near.count;
	plan->triangles =
		RBL_ARENA_NEW(&plan->surface->scratch, rbl_surface_cut_triangle, plan->triangle_capacity);
	if (!plan->vertices || !plan->triangles)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < plan->near.count; ++i) {
		const int *v = surface->triangles + 3 * plan->near.data[i];
		int nodes[3];
		for (int k = 0; k < 3; ++k)
			nodes[k] = rbl_surface_cut_vertex(plan, v[k]);
		rbl_surface_cut_add_triangle(plan, nodes[0], nodes[1], nodes[2], plan->near.data[i], false);
	}
	for (int i = 0; i + 1 < count; ++i) {
		bool has_edge = false;
		for (int k = 0; k < plan->near.count && !has_edge; ++k)
			has_edge = triangle_has(surface, plan->near.data[k], path[i]) &&
			           triangle_has(surface, plan->near.data[k], path[i + 1]);
		if (!has_edge || path[i] == path[i + 1])
			return rbl_fail(RBL_BAD_ARGUMENT, "no edge joins the vertices %d and %d of the path",
			                path[i], path[i + 1]);
		if (!rbl_surface_cut_add_edge(plan, rbl_surface_cut_vertex(plan, path[i]),
		                              rbl_surface_cut_vertex(plan, path[i + 1])))
			return RBL_OUT_OF_MEMORY;
	}
	return rbl_surface_cut_open(plan, edit);
}

rbl_result rbl_surface_plan_tear(rbl_surface *surface, rbl_surface_body_id body, const int *path,
                                 int count, rbl_surface_edit_def *edit)
{
	if (!surface || !edit)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or edit is NULL");
	*edit = rbl_default_surface_edit_def();
	if (!path || count < 2)
		return rbl_fail(RBL_BAD_ARGUMENT, "a path needs two vertices at least");
	int slot = rbl_surface_slot(surface, body);
	if (slot < 0)
		return RBL_STALE_ID;
	if (rbl_surface_check_whole(surface, slot) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	for (int i = 0; i < count; ++i)
		if (!vertex_is_of_body(surface, slot, path[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "%d is not a vertex of the body", path[i]);
	rbl_surface_cut_plan plan = { .surface = surface, .cuts = rbl_surface_get_cuts(surface) };
	if (!plan.cuts)
		return RBL_OUT_OF_MEMORY;
	rbl_arena_reset(&surface->scratch);
	rbl_result result = plan_tear(&plan, &surface->bodies.data[slot], path, count, edit);
	for (int i = 0; i < plan.vertex_count; ++i)
		surface->vertex_scratch[plan.vertices[i]] = 0;
	rbl_array_free(&surface->allocator, &plan.near);
	if (result != RBL_OK)
		*edit = rbl_default_surface_edit_def();
	return result;
}
