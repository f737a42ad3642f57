// SPDX-License-Identifier: MIT
//
// Merging bodies, with vertices that become one.
//
// The trees are joined in rounds of two, so that many bodies make a tree that is hardly higher.
// In the tree over bodies the merged one starts from the lowest common ancestor of all and goes
// down where the expected number of box tests (Eq. 6 of Heo et al. 2010) grows least. When nothing
// else is below that ancestor, it takes the place of the first.

#include "surface/clusters.h"

#include "base/clock.h"
#include "base/log.h"
#include "geometry/geometry.h"

// A tree that many merges made higher than this is balanced: passes keep stacks of
// RBL_TREE_MAX_HEIGHT.
enum { HIGH_TREE = 64 };

typedef struct merge_work {
	rbl_surface *surface;
	const rbl_surface_body_id *ids;
	int body_count;
	int *vertices;   // of the bodies, by place; `vertex_scratch` has the places, from 1
	int *targets;    // by place: what it becomes, as sets of places
	bool *is_welded; // by place, of what others become
	int vertex_count, triangle_count, gone_count, open_count;
	rbl_surface_edge_work edges;
	int *merged_below; // by node of the tree over bodies
} merge_work;

static rbl_surface_body *body_at(const merge_work *m, int i)
{
	return &m->surface->bodies.data[m->ids[i].index];
}

// Nothing here is as long as the surface: merging small bodies beside a large one is cheap.
static rbl_result check_bodies(merge_work *m)
{
	rbl_surface *surface = m->surface;
	rbl_arena *arena = &surface->scratch;
	size_t room = 0;
	for (int i = 0; i < m->body_count; ++i) {
		if (rbl_surface_slot(surface, m->ids[i]) < 0)
			return RBL_STALE_ID;
		if (rbl_surface_check_whole(surface, (int)m->ids[i].index) != RBL_OK)
			return RBL_BAD_ARGUMENT;
		room += (size_t)body_at(m, i)->vertices.count;
	}
	m->vertices = RBL_ARENA_NEW(arena, int, room);
	m->targets = RBL_ARENA_NEW(arena, int, room);
	m->is_welded = RBL_ARENA_NEW(arena, bool, room);
	if (!m->vertices || !m->targets || !m->is_welded)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < m->body_count; ++i) {
		const rbl_surface_body *body = body_at(m, i);
		if (surface->vertex_scratch[body->vertices.data[0]] > 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "body %d comes twice", i);
		for (int k = 0; k < body->vertices.count; ++k) {
			int place = m->vertex_count++;
			m->vertices[place] = body->vertices.data[k];
			m->targets[place] = place, m->is_welded[place] = false;
			surface->vertex_scratch[body->vertices.data[k]] = place + 1;
		}
		m->triangle_count += body->triangles.count;
	}
	return RBL_OK;
}

// The place that a vertex of the bodies becomes part of.
static int root_of(const merge_work *m, int vertex)
{
	return rbl_union_find_root(m->targets, m->surface->vertex_scratch[vertex] - 1);
}

// It is all zero between calls.
static void forget_vertices(const merge_work *m)
{
	for (int i = 0; i < m->vertex_count; ++i)
		m->surface->vertex_scratch[m->vertices[i]] = 0;
}

// Whether a side is joined again: it is open, or welded at an end, so that another may touch it
// there. One end is enough, when the other was shared before.
static bool is_offered(const merge_work *m, int half_edge)
{
	const int *v = m->surface->triangles;
	return m->surface->twins[half_edge] < 0 || m->is_welded[root_of(m, v[half_edge])] ||
	       m->is_welded[root_of(m, v[rbl_surface_next(half_edge)])];
}

static rbl_result check_welds(merge_work *m, const int *welds, int weld_count)
{
	for (int i = 0; i < weld_count; ++i) {
		for (int k = 0; k < 2; ++k) {
			int v = welds[2 * i + k];
			if (v < 0 || v >= m->surface->vertex_end || m->surface->vertex_scratch[v] <= 0)
				return rbl_fail(RBL_BAD_ARGUMENT, "weld %d: %d is not a vertex of the bodies", i,
				                v);
		}
		int keep = root_of(m, welds[2 * i]), gone = root_of(m, welds[2 * i + 1]);
		m->gone_count += keep != gone;
		m->targets[gone] = keep;
	}
	for (int i = 0; i < weld_count; ++i)
		m->is_welded[root_of(m, welds[2 * i])] = true;
	for (int i = 0; i < m->body_count; ++i)
		for (int k = 0; k < body_at(m, i)->triangles.count; ++k) {
			int triangle = body_at(m, i)->triangles.data[k];
			const int *v = m->surface->triangles + 3 * triangle;
			int a = root_of(m, v[0]), b = root_of(m, v[1]), c = root_of(m, v[2]);
			if (a == b || b == c || c == a)
				return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d would lose a corner", triangle);
			for (int side = 0; side < 3; ++side)
				m->open_count += is_offered(m, 3 * triangle + side);
		}
	return RBL_OK;
}

static rbl_result prepare_merge(merge_work *m)
{
	rbl_surface *surface = m->surface;
	rbl_surface_body *first = body_at(m, 0);
	int nodes = surface->body_pool.node_end;
	m->merged_below = RBL_ARENA_NEW(&surface->scratch, int, nodes);
	if (m->merged_below && nodes > 0)
		memset(m->merged_below, 0, (size_t)nodes * sizeof *m->merged_below);
	if (!m->merged_below ||
	    !rbl_surface_edge_work_init(&m->edges, &surface->scratch, m->open_count) ||
	    !rbl_array_reserve(&surface->allocator, &first->vertices, m->vertex_count) ||
	    !rbl_array_reserve(&surface->allocator, &first->triangles, m->triangle_count))
		return RBL_OUT_OF_MEMORY;
	return rbl_tree_pool_reserve_more(&surface->pool, m->body_count - 1, 0);
}

static void join_trees(merge_work *m)
{
	for (int step = 1; step < m->body_count; step *= 2)
		for (int i = 0; i + step < m->body_count; i += 2 * step) {
			rbl_result result = rbl_tree_join(&body_at(m, i)->tree, &body_at(m, i + step)->tree);
			RBL_ASSERT(result == RBL_OK);
			(void)result;
		}
	rbl_tree *tree = &body_at(m, 0)->tree;
	if (rbl_tree_height(tree) > HIGH_TREE)
		rbl_tree_balance(tree);
}

static void join_lists(merge_work *m)
{
	rbl_surface *surface = m->surface;
	rbl_surface_body *first = body_at(m, 0);
	int slot = (int)m->ids[0].index;
	for (int i = 1; i < m->body_count; ++i) {
		rbl_surface_body *body = body_at(m, i);
		for (int k = 0; k < body->triangles.count; ++k) {
			int triangle = body->triangles.data[k];
			first->triangles.data[first->triangles.count++] = triangle;
			surface->cluster_data[surface->clusters[triangle]].body = slot;
		}
		for (int k = 0; k < body->vertices.count; ++k)
			first->vertices.data[first->vertices.count++] = body->vertices.data[k];
		first->fit.needs_all |= body->fit.needs_all || body->fit.has_old_normals;
		first->motion.has_moved |= body->motion.has_moved;
		first->motion.is_moving |= body->motion.is_moving,
			first->motion.is_whole |= body->motion.is_whole;
	}
	first->nodes.are_new = first->fit.has_stale = true;
	first->has_places = first->fit.holds_all = false;
	first->motion.is_tracked = first->motion.has_frame = first->motion.is_rigid =
		first->self.is_certified = false;
	first->self.is_star = first->self.is_clear = false;
	first->self.closure = RBL_SURFACE_CLOSURE_UNKNOWN;
}

static void weld(merge_work *m)
{
	rbl_surface *surface = m->surface;
	rbl_surface_body *body = body_at(m, 0);
	for (int i = 0; i < body->triangles.count; ++i) {
		int *v = surface->triangles + 3 * body->triangles.data[i];
		bool sides[3], is_open = false, is_changed = false;
		for (int k = 0; k < 3; ++k)
			is_open |= sides[k] = is_offered(m, 3 * body->triangles.data[i] + k);
		for (int k = 0; k < 3; ++k) {
			int target = m->vertices[root_of(m, v[k])];
			is_changed |= target != v[k];
			v[k] = target;
		}
		int cluster = surface->clusters[body->triangles.data[i]];
		if (is_changed || is_open)
			rbl_surface_mark_stale(surface, cluster);
		if (is_open) {
			rbl_surface_forget_neighbours(surface, body->triangles.data[i]);
			surface->cluster_boundaries[cluster] =
				RBL_SURFACE_BOUNDARY_UNKNOWN; // sides within it may part
		}
		for (int k = 0; k < 3; ++k) {
			int h = 3 * body->triangles.data[i] + k;
			if (is_open || is_changed)
				surface->anchors[v[k]] = -1;
			if (sides[k])
				rbl_surface_edge_work_add(&m->edges, h, v[k], v[(k + 1) % 3]);
		}
	}
	rbl_surface_edge_work_sort(&m->edges);
	rbl_surface_edge_work_join(&m->edges, NULL, surface->twins);
	int kept = 0;
	for (int i = 0; i < body->vertices.count; ++i) {
		int v = body->vertices.data[i];
		if (m->vertices[root_of(m, v)] == v)
			body->vertices.data[kept++] = v;
		else
			rbl_surface_return_vertex(surface, v);
	}
	body->vertices.count = kept;
	forget_vertices(m); // anchoring counts there
	rbl_surface_anchor(surface, body->triangles.data, body->triangles.count);
}

// --- the tree over bodies -----------------------------------------------------------------------

static double inter_cost(const rbl_tree_pool *pool, uint32_t reference)
{
	return rbl_tree_is_leaf(reference) ? 1.0 : (double)pool->metrics[reference].inter_cost;
}

// What a node costs with a box more below one of its sides, in units of its own volume.
static double cost_with(const rbl_tree_pool *pool, const rbl_tree_node *node, int side, rbl_box box)
{
	rbl_box grown = rbl_box_join(node->boxes[side], box);
	return rbl_box_volume(grown) * (inter_cost(pool, node->children[side]) + 1.0) +
	       rbl_box_volume(node->boxes[!side]) * inter_cost(pool, node->children[!side]);
}

static int others_below(const merge_work *m, uint32_t reference)
{
	const rbl_tree_pool *pool = &m->surface->body_pool;
	if (!rbl_tree_is_leaf(reference))
		return pool->counts[reference] - m->merged_below[reference];
	for (int i = 0; i < m->body_count; ++i)
		if (m->ids[i].index == rbl_tree_leaf_id(reference))
			return 0;
	return 1;
}

// The lowest common ancestor of the bodies; none when they are all there is.
static uint32_t common_ancestor(merge_work *m)
{
	const rbl_tree_pool *pool = &m->surface->body_pool;
	uint32_t node = RBL_TREE_NONE;
	for (int i = m->body_count - 1; i >= 0; --i)
		for (node = pool->leaf_parents[m->ids[i].index]; node != RBL_TREE_NONE;
		     node = pool->nodes[node].parent) {
			m->merged_below[node]++;
			if (m->merged_below[node] == m->body_count)
				break;
		}
	return node;
}

// The body to put the merged one beside. @return RBL_TREE_NONE: it stays where the first is
static uint32_t find_place(merge_work *m, rbl_box box)
{
	const rbl_tree_pool *pool = &m->surface->body_pool;
	uint32_t at = common_ancestor(m);
	if (at == RBL_TREE_NONE || others_below(m, at) == 0)
		return RBL_TREE_NONE;
	while (!rbl_tree_is_leaf(at)) {
		const rbl_tree_node *node = &pool->nodes[at];
		int side = cost_with(pool, node, 1, box) < cost_with(pool, node, 0, box);
		if (others_below(m, node->children[side]) == 0)
			side = !side;
		at = node->children[side];
	}
	// Counts may be older than the last changes.
	return others_below(m, at) ? rbl_tree_leaf_id(at) : RBL_TREE_NONE;
}

static void insert_body(rbl_surface *surface, uint32_t slot, uint32_t near, rbl_box bounds)
{
	rbl_result result;
	if (near == RBL_TREE_NONE) {
		result = rbl_tree_replace(&surface->body_tree, slot, slot, bounds);
	} else {
		rbl_tree_remove(&surface->body_tree, slot);
		result = rbl_tree_insert(&surface->body_tree, slot, bounds, near);
	}
	RBL_ASSERT(result == RBL_OK);
	(void)result;
}

static void end_others(merge_work *m)
{
	rbl_surface *surface = m->surface;
	rbl_box bounds = body_at(m, 0)->tree.bounds;
	uint32_t near = find_place(m, bounds);
	float *roundings = body_at(m, 0)->settings.roundings;
	for (int i = 1; i < m->body_count; ++i) {
		rbl_surface_body *body = body_at(m, i);
		for (int time = 0; time < 2; ++time)
			roundings[time] = rbl_maxf(roundings[time], body->settings.roundings[time]);
		rbl_array_free(&surface->allocator, &body->vertices);
		rbl_array_free(&surface->allocator, &body->triangles);
		*body = (rbl_surface_body){ .tree = rbl_tree_make(&surface->pool) };
		rbl_tree_remove(&surface->body_tree, m->ids[i].index);
		rbl_id_pool_remove(&surface->ids, (rbl_id){ m->ids[i].index, m->ids[i].generation });
	}
	// The rest shapes of several bodies need not lie beside each other as the bodies do.
	body_at(m, 0)->settings.keeps_rest_shape &= m->body_count == 1;
	insert_body(surface, m->ids[0].index, near, bounds);
}

rbl_result rbl_surface_merge(rbl_surface *surface, const rbl_surface_body_id *bodies,
                             int body_count, const int *welds, int weld_count)
{
	if (!surface || !bodies || body_count < 1 || weld_count < 0 || (weld_count > 0 && !welds))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, bodies or welds are missing");
	uint64_t begin = rbl_clock_ns();
	rbl_arena_reset(&surface->scratch);
	merge_work m = { .surface = surface, .ids = bodies, .body_count = body_count };
	rbl_result result = check_bodies(&m);
	if (result == RBL_OK)
		result = check_welds(&m, welds, weld_count);
	if (result == RBL_OK)
		result = prepare_merge(&m);
	if (result != RBL_OK || m.gone_count == 0)
		forget_vertices(&m);
	if (result != RBL_OK)
		return result;
	// As part of one that moves, a body that rests would go its last way again.
	for (int i = 0; i < body_count; ++i)
		if (!body_at(&m, i)->motion.has_moved)
			rbl_surface_rest(surface, body_at(&m, i));
	join_trees(&m);
	join_lists(&m);
	if (m.gone_count > 0)
		weld(&m);
	end_others(&m);
	surface->is_ready = false;
	surface->cones_are_stale = true;
	surface->pending_ns += rbl_clock_ns() - begin;
	return RBL_OK;
}
