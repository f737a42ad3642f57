// SPDX-License-Identifier: MIT
//
// Adding and removing bodies.
//
// Everything that can fail comes first: memory is reserved, clusters are planned and the tree is
// built over cluster ids that are not taken yet. Then the body is written.

#include "surface/clusters.h"

#include "base/clock.h"
#include "base/log.h"

enum { BODY_COOKIE = 0x73626f64 };

// Vertices that a worker has at least, clusters and triangles of a job.
enum { ANCHOR_RANGE = 8192, NORMAL_BLOCK = 1024, WRITE_BLOCK = 8192 };

rbl_surface_body_def rbl_default_surface_body_def(void)
{
	return (rbl_surface_body_def){ .thickness = -1.0f,
		                           .filter = { .categories = 1, .mask = UINT32_MAX },
		                           .cookie = BODY_COOKIE };
}

static rbl_result check_positions(const rbl_vec3 *positions, int count)
{
	for (int i = 0; i < count; ++i)
		if (!rbl_is_finite(positions[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "vertex %d is not finite", i);
	return RBL_OK;
}

// Triangles, edges and points.
static int64_t item_count(const rbl_surface_body_def *def)
{
	return (int64_t)def->triangle_count + def->edge_count + def->point_count;
}

static rbl_result check_loose(const rbl_surface_body_def *def)
{
	for (int i = 0; i < def->edge_count; ++i) {
		const int *v = def->edges + 2 * (size_t)i;
		if (v[0] < 0 || v[0] >= def->vertex_count || v[1] < 0 || v[1] >= def->vertex_count ||
		    v[0] == v[1])
			return rbl_fail(RBL_BAD_ARGUMENT, "edge %d has the vertices %d and %d of %d", i, v[0],
			                v[1], def->vertex_count);
	}
	for (int i = 0; i < def->point_count; ++i)
		if (def->points[i] < 0 || def->points[i] >= def->vertex_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "point %d has the vertex %d of %d", i, def->points[i],
			                def->vertex_count);
	return RBL_OK;
}

rbl_result rbl_surface_check_whole(const rbl_surface *surface, int slot)
{
	return surface->bodies.data[slot].is_loose
	           ? rbl_fail(RBL_BAD_ARGUMENT, "a body with edges or points without faces stays whole")
	           : RBL_OK;
}

static rbl_result check_body_def(const rbl_surface_body_def *def)
{
	if (!def || def->cookie != BODY_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_surface_body_def()");
	if (def->vertex_count < 1 || !(def->positions || def->input.data))
		return rbl_fail(RBL_BAD_ARGUMENT, "vertices are missing");
	if (def->triangle_count < 0 || def->edge_count < 0 || def->point_count < 0 ||
	    item_count(def) < 1 || (def->triangle_count > 0 && !def->triangles) ||
	    (def->edge_count > 0 && !def->edges) || (def->point_count > 0 && !def->points))
		return rbl_fail(RBL_BAD_ARGUMENT, "triangles, edges or points are missing");
	if (!isfinite(def->thickness))
		return rbl_fail(RBL_BAD_ARGUMENT, "thickness must be finite");
	if (item_count(def) > RBL_MAX_SURFACE_ITEMS || def->vertex_count > RBL_MAX_SURFACE_ITEMS)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d vertices or triangles",
		                RBL_MAX_SURFACE_ITEMS);
	if (def->positions && def->input.data)
		return rbl_fail(RBL_BAD_ARGUMENT, "positions and input are both set");
	rbl_result result = def->positions ? check_positions(def->positions, def->vertex_count)
	                                   : rbl_surface_check_input(&def->input, def->vertex_count);
	if (result == RBL_OK && def->rest_positions)
		result = check_positions(def->rest_positions, def->vertex_count);
	if (result == RBL_OK)
		result = rbl_surface_check_user_ids(def->vertex_user_ids, def->vertex_count);
	if (result == RBL_OK)
		result = rbl_surface_check_user_ids(def->triangle_user_ids, (int)item_count(def));
	if (result == RBL_OK)
		result = check_loose(def);
	for (int t = 0; t < def->triangle_count && result == RBL_OK; ++t) {
		const int *v = def->triangles + 3 * t;
		for (int k = 0; k < 3 && result == RBL_OK; ++k)
			if (v[k] < 0 || v[k] >= def->vertex_count)
				result = rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has the vertex %d of %d", t, v[k],
				                  def->vertex_count);
		if (result == RBL_OK && (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]))
			result = rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has a vertex twice", t);
	}
	return result;
}

rbl_tree_builder rbl_surface_tree_builder(const rbl_surface *surface)
{
	static const rbl_tree_builder builders[RBL_SURFACE_BUILDER_COUNT] = {
		[RBL_SURFACE_BUILD_AREA] = RBL_TREE_BUILD_SAH,
		[RBL_SURFACE_BUILD_GRID] = RBL_TREE_BUILD_GRID,
		[RBL_SURFACE_BUILD_MEDIAN] = RBL_TREE_BUILD_MEDIAN,
		[RBL_SURFACE_BUILD_CURVE] = RBL_TREE_BUILD_MORTON,
	};
	return builders[surface->def.builder];
}

// Walk round a vertex from one of its half-edges, both ways where the fan is open.
// @param start  receives the first half-edge of an open fan, against the clock; else the given one
// @return the triangles of the fan; more than `limit` when twins lead nowhere
static int walk_fan(const rbl_surface *surface, int half_edge, int limit, int *start)
{
	int size = 1, h = surface->twins[rbl_surface_prev(half_edge)];
	*start = half_edge;
	for (; h >= 0 && size <= limit; ++size) {
		if (h == half_edge)
			return size;
		h = surface->twins[rbl_surface_prev(h)];
	}
	for (h = surface->twins[half_edge]; h >= 0 && size <= limit; ++size) {
		*start = rbl_surface_next(h);
		h = surface->twins[*start];
	}
	return size;
}

void rbl_surface_set_anchor(rbl_surface *surface, int vertex, int half_edge, int count)
{
	bool is_one_fan = walk_fan(surface, half_edge, count, &surface->anchors[vertex]) == count;
	surface->vertex_flags[vertex] = is_one_fan ? 0 : RBL_SURFACE_MANY_FANS;
}

void rbl_surface_anchor(rbl_surface *surface, const int *triangles, int count)
{
	int *counts = surface->vertex_scratch;
	for (int i = 0; i < count; ++i)
		for (int h = 3 * triangles[i]; h < 3 * triangles[i] + 3; ++h) {
			int v = surface->triangles[h];
			if (surface->anchors[v] == -1)
				surface->anchors[v] = h;
			else if (counts[v] == 0)
				continue; // was not marked
			counts[v]++;
		}
	for (int i = 0; i < count; ++i)
		for (int h = 3 * triangles[i]; h < 3 * triangles[i] + 3; ++h) {
			int v = surface->triangles[h];
			if (counts[v] == 0 || surface->anchors[v] != h)
				continue;
			rbl_surface_set_anchor(surface, v, h, counts[v]);
			counts[v] = 0;
		}
}

// Workers have a range of vertices each, and look for what belongs to it.
typedef struct anchoring {
	rbl_surface *surface;
	const int *vertices, *triangles;
	int vertex_count, triangle_count, ranges;
} anchoring;

static void anchor_range(void *context, int begin, int end, int worker)
{
	(void)worker;
	const anchoring *w = context;
	rbl_surface *surface = w->surface;
	int *counts = surface->vertex_scratch;
	int first = (int)((int64_t)w->vertex_count * begin / w->ranges);
	int last = (int)((int64_t)w->vertex_count * end / w->ranges);
	unsigned low = (unsigned)w->vertices[first], size = (unsigned)w->vertices[last - 1] - low + 1;
	for (int i = 0; i < w->triangle_count; ++i)
		for (int h = 3 * w->triangles[i]; h < 3 * w->triangles[i] + 3; ++h) {
			int v = surface->triangles[h];
			if ((unsigned)v - low >= size)
				continue;
			if (surface->anchors[v] == -1)
				surface->anchors[v] = h;
			counts[v]++;
		}
	for (int i = first; i < last; ++i) {
		int v = w->vertices[i];
		if (counts[v] > 0)
			rbl_surface_set_anchor(surface, v, surface->anchors[v], counts[v]);
		counts[v] = 0;
	}
}

void rbl_surface_anchor_body(rbl_surface *surface, const int *vertices, int vertex_count,
                             const int *triangles, int triangle_count)
{
	// Free ids come in any order; new ones are consecutive.
	bool is_in_order = true;
	for (int i = 1; i < vertex_count && is_in_order; ++i)
		is_in_order = vertices[i] == vertices[0] + i;
	if (!is_in_order) {
		rbl_surface_anchor(surface, triangles, triangle_count);
		return;
	}
	int workers = rbl_jobs_worker_count(surface->def.jobs);
	anchoring w = { .surface = surface,
		            .vertices = vertices,
		            .triangles = triangles,
		            .vertex_count = vertex_count,
		            .triangle_count = triangle_count,
		            .ranges = rbl_mini(workers, 1 + vertex_count / ANCHOR_RANGE) };
	rbl_parallel_for(surface->def.jobs, w.ranges, 1, anchor_range, &w);
}

// What an addition needs before anything is changed.
typedef struct addition {
	const rbl_surface_body_def *def; // edges and points are among its triangles,
	int loose_begin;                 // from here on
	rbl_surface_cluster_plan plan;
	rbl_surface_edge_work nonmanifold_edges;
	int non_manifold_count;
	rbl_surface_body body;
	rbl_box *triangle_boxes;
	rbl_surface_positions exact; // doubles, where there are any
} addition;

// Memory for clusters in another order.
typedef struct cluster_order {
	uint32_t *leaves;
	int *starts, *order;
} cluster_order;

// Mean normals of clusters.
typedef struct normal_work {
	const addition *a;
	rbl_vec3 *normals;
} normal_work;

static void find_normals(void *context, int first, int last, int worker)
{
	(void)worker;
	const normal_work *w = context;
	const addition *a = w->a;
	const rbl_vec3 *positions = a->def->rest_positions ? a->def->rest_positions : a->def->positions;
	for (int c = first; c < last; ++c) {
		int begin = a->plan.starts[c], end = a->plan.starts[c + 1];
		rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
		for (int i = begin; i < end; ++i) {
			const int *v = a->def->triangles + 3 * a->plan.order[i];
			rbl_vec3 n = rbl_cross(rbl_sub(positions[v[1]], positions[v[0]]),
			                       rbl_sub(positions[v[2]], positions[v[0]]));
			sum = rbl_add(sum, rbl_normalize(n));
		}
		w->normals[c] = rbl_scale(1.0f / (float)(end - begin), sum);
	}
}

// Clusters get their ids in the order of the tree, so that what is tested together lies together.
// @param ids  that the next takes will give
static void order_plan(const rbl_surface *surface, addition *a, const uint32_t *ids,
                       const cluster_order *o)
{
	rbl_surface_cluster_plan *plan = &a->plan;
	for (int c = 0; c < plan->count; ++c)
		surface->cluster_neighbours[ids[c]].around[0] = c; // of clusters that are not taken yet
	rbl_tree_collect_leaves(&surface->pool, a->body.tree.root, o->leaves);
	int placed = 0;
	for (int i = 0; i < plan->count; ++i) {
		int c = surface->cluster_neighbours[o->leaves[i]].around[0];
		o->starts[i] = placed;
		for (int k = plan->starts[c]; k < plan->starts[c + 1]; ++k)
			o->order[placed++] = plan->order[k];
	}
	o->starts[plan->count] = placed;
	plan->starts = o->starts, plan->order = o->order;
	rbl_tree_number_leaves(&a->body.tree, ids);
}

// The plan knows the first half-edge of a non-manifold edge by its place in the body, but the first
// is the lowest, and ids that were free come in any order: non-manifold edges are joined once more
// when ids are known.
static bool prepare_non_manifold(addition *a, rbl_arena *arena)
{
	int count = 0;
	for (int h = 0; h < 3 * a->def->triangle_count; ++h)
		count += a->plan.twins[h] < RBL_SURFACE_BOUNDARY;
	a->non_manifold_count = count;
	return rbl_surface_edge_work_init(&a->nonmanifold_edges, arena, count);
}

static rbl_result prepare_addition(rbl_surface *surface, addition *a)
{
	const rbl_surface_body_def *def = a->def;
	const rbl_allocator *allocator = &surface->allocator;
	rbl_arena *arena = &surface->scratch;
	int triangle_count = def->triangle_count;
	a->triangle_boxes = RBL_ARENA_NEW(arena, rbl_box, triangle_count);
	if (!a->triangle_boxes)
		return RBL_OUT_OF_MEMORY;
	rbl_tree_triangle_boxes(a->triangle_boxes,
	                        def->rest_positions ? def->rest_positions : def->positions,
	                        def->triangles, triangle_count, surface->def.jobs);
	if (!rbl_surface_plan_body_clusters(&a->plan, surface->def.jobs, arena, def->triangles,
	                                    a->triangle_boxes, a->loose_begin, triangle_count,
	                                    def->vertex_count) ||
	    !prepare_non_manifold(a, arena))
		return RBL_OUT_OF_MEMORY;
	uint32_t *ids = RBL_ARENA_NEW(arena, uint32_t, a->plan.count);
	rbl_box *boxes = RBL_ARENA_NEW(arena, rbl_box, a->plan.count);
	rbl_vec3 *normals = RBL_ARENA_NEW(arena, rbl_vec3, a->plan.count);
	cluster_order o = { RBL_ARENA_NEW(arena, uint32_t, a->plan.count),
		                RBL_ARENA_NEW(arena, int, a->plan.count + 1),
		                RBL_ARENA_NEW(arena, int, triangle_count) };
	if (!ids || !boxes || !normals || !o.leaves || !o.starts || !o.order)
		return RBL_OUT_OF_MEMORY;
	rbl_result result =
		rbl_surface_reserve(surface, def->vertex_count, triangle_count, a->plan.count);
	if (result != RBL_OK)
		return result;
	if (def->keeps_rest_shape && !rbl_surface_reserve_rest(surface))
		return RBL_OUT_OF_MEMORY;
	if (!rbl_surface_reserve_user_ids(surface, def->vertex_user_ids != NULL,
	                                  def->triangle_user_ids != NULL) ||
	    (a->exact.is_double && !rbl_surface_reserve_residuals(surface)))
		return RBL_OUT_OF_MEMORY;
	int slots = surface->ids.slot_count + 1;
	if (!rbl_id_pool_reserve(allocator, &surface->ids, slots) ||
	    !rbl_array_reserve(allocator, &surface->bodies, slots) ||
	    !rbl_array_reserve(allocator, &a->body.vertices, def->vertex_count) ||
	    !rbl_array_reserve(allocator, &a->body.triangles, triangle_count))
		return RBL_OUT_OF_MEMORY;
	result = rbl_tree_pool_reserve_more(&surface->body_pool, 1, (uint32_t)slots);
	if (result != RBL_OK)
		return result;
	rbl_surface_plan_cluster_boxes(surface, surface->def.jobs, &a->plan, a->triangle_boxes, ids,
	                               boxes);
	normal_work w = { a, normals };
	rbl_parallel_for(surface->def.jobs, a->plan.count, NORMAL_BLOCK, find_normals, &w);
	if (rbl_surface_uses(surface, RBL_SURFACE_LAYERS))
		rbl_surface_offset_boxes(boxes, normals, a->plan.count);
	a->body.tree = rbl_tree_make(&surface->pool);
	result = rbl_tree_build(&a->body.tree,
	                        &(rbl_tree_build_input){ .builder = rbl_surface_tree_builder(surface),
	                                                 .grid_leaves = surface->def.grid_leaves,
	                                                 .count = a->plan.count,
	                                                 .boxes = boxes,
	                                                 .ids = ids,
	                                                 .jobs = surface->def.jobs });
	if (result == RBL_OK)
		order_plan(surface, a, ids, &o);
	return result;
}

// Corners and twins of triangles, by their ids.
typedef struct triangle_writing {
	rbl_surface *surface;
	const addition *a;
} triangle_writing;

static void write_body_triangles(void *context, int begin, int end, int worker)
{
	(void)worker;
	const triangle_writing *w = context;
	const int *ids = w->a->body.triangles.data, *vertices = w->a->body.vertices.data;
	const int *triangles = w->a->def->triangles, *twins = w->a->plan.twins;
	for (int t = begin; t < end; ++t)
		for (int k = 0; k < 3; ++k) {
			int from = 3 * t + k, to = 3 * ids[t] + k, twin = twins[from];
			w->surface->triangles[to] = vertices[triangles[from]];
			w->surface->twins[to] = twin < 0 ? twin : 3 * ids[twin / 3] + twin % 3;
		}
}

static void join_non_manifold(rbl_surface *surface, addition *a)
{
	const int *ids = a->body.triangles.data;
	for (int h = 0; h < 3 * a->loose_begin && a->non_manifold_count > 0; ++h)
		if (a->plan.twins[h] < RBL_SURFACE_BOUNDARY)
			rbl_surface_edge_work_add(&a->nonmanifold_edges, 3 * ids[h / 3] + h % 3,
			                          a->def->triangles[h], a->def->triangles[rbl_surface_next(h)]);
	rbl_surface_edge_work_sort(&a->nonmanifold_edges);
	rbl_surface_edge_work_join(&a->nonmanifold_edges, NULL, surface->twins);
}

static void write_body(rbl_surface *surface, addition *a, int slot)
{
	const rbl_surface_body_def *def = a->def;
	rbl_surface_body *body = &a->body;
	body->settings.filter = def->filter;
	body->settings.thickness = def->thickness < 0.0f ? surface->def.thickness : def->thickness;
	body->settings.keeps_rest_shape = def->keeps_rest_shape;
	body->settings.user_id = def->user_id;
	for (int i = 0; i < def->vertex_count; ++i) {
		int vertex = rbl_surface_take_vertex(surface);
		surface->positions[0][vertex] = surface->positions[1][vertex] = def->positions[i];
		if (def->keeps_rest_shape)
			surface->rest_positions.data[vertex] =
				def->rest_positions ? def->rest_positions[i] : def->positions[i];
		if (def->vertex_user_ids)
			surface->vertex_user_ids.data[vertex] = def->vertex_user_ids[i];
		body->vertices.data[body->vertices.count++] = vertex;
	}
	if (a->exact.is_double)
		rbl_surface_write_residuals(surface, body, &a->exact, &a->exact);
	for (int t = 0; t < def->triangle_count; ++t)
		body->triangles.data[body->triangles.count++] = rbl_surface_take_triangle(surface);
	for (int t = 0; t < def->triangle_count && def->triangle_user_ids; ++t)
		surface->triangle_user_ids.data[body->triangles.data[t]] = def->triangle_user_ids[t];
	triangle_writing writing = { surface, a };
	rbl_parallel_for(surface->def.jobs, def->triangle_count, WRITE_BLOCK, write_body_triangles,
	                 &writing);
	join_non_manifold(surface, a);
	rbl_surface_anchor_body(surface, body->vertices.data, body->vertices.count,
	                        body->triangles.data, body->triangles.count);
	rbl_surface_take_body_plan(surface, &a->plan, body->triangles.data, slot);
	body->nodes.are_new = body->fit.needs_all = true;
	body->is_loose = a->loose_begin < def->triangle_count;
}

// @param exact        the positions as they were given
// @param loose_begin  triangles from here on are edges and points
static rbl_result add_checked_body(rbl_surface *surface, const rbl_surface_body_def *def,
                                   rbl_surface_positions exact, int loose_begin,
                                   rbl_surface_body_id *id)
{
	uint64_t begin = rbl_clock_ns();
	addition a = { .def = def, .exact = exact, .loose_begin = loose_begin };
	rbl_arena_reset(&surface->scratch);
	rbl_result result = prepare_addition(surface, &a);
	if (result != RBL_OK) {
		rbl_array_free(&surface->allocator, &a.body.vertices);
		rbl_array_free(&surface->allocator, &a.body.triangles);
		return result;
	}
	rbl_id made = rbl_id_pool_add(&surface->allocator, &surface->ids);
	int slot = (int)made.index;
	write_body(surface, &a, slot);
	if (slot >= surface->bodies.count)
		surface->bodies.count = slot + 1;
	surface->bodies.data[slot] = a.body;
	result =
		rbl_tree_insert(&surface->body_tree, (uint32_t)slot, a.body.tree.bounds, RBL_TREE_NONE);
	RBL_ASSERT(result == RBL_OK);
	// Planning took more than the body itself.
	rbl_surface_trim_excess(surface);
	surface->is_ready = false;
	surface->cones_are_stale = true;
	surface->pending_ns += rbl_clock_ns() - begin;
	*id = (rbl_surface_body_id){ made.index, made.generation };
	return RBL_OK;
}

// Triangles, then edges and points as triangles. @param triangles  receives three vertices each
static void join_items(const rbl_surface_body_def *def, int *triangles)
{
	int *t = triangles;
	if (def->triangle_count > 0)
		memcpy(t, def->triangles, 3 * (size_t)def->triangle_count * sizeof *t);
	t += 3 * (size_t)def->triangle_count;
	for (int i = 0; i < def->edge_count; ++i, t += 3)
		t[0] = def->edges[2 * (size_t)i], t[1] = t[2] = def->edges[2 * (size_t)i + 1];
	for (int i = 0; i < def->point_count; ++i, t += 3)
		t[0] = t[1] = t[2] = def->points[i];
}

rbl_result rbl_surface_add(rbl_surface *surface, const rbl_surface_body_def *def,
                           rbl_surface_body_id *id)
{
	if (!surface || !id)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or body is NULL");
	*id = (rbl_surface_body_id){ 0, 0 };
	rbl_result result = check_body_def(def);
	if (result != RBL_OK)
		return result;
	rbl_surface_positions exact = { NULL, 0, false };
	bool is_loose = def->edge_count + def->point_count > 0;
	if (def->positions && !is_loose)
		return add_checked_body(surface, def, exact, def->triangle_count, id);
	rbl_surface_body_def packed = *def;
	rbl_vec3 *positions = NULL;
	int *triangles = NULL, count = (int)item_count(def);
	if (!def->positions) {
		exact = def->input;
		packed.positions = positions = RBL_NEW(&surface->allocator, rbl_vec3, def->vertex_count);
		for (int i = 0; i < def->vertex_count && positions; ++i)
			positions[i] = rbl_surface_input_at(&def->input, i);
	}
	if (is_loose) {
		packed.triangles = triangles = RBL_NEW(&surface->allocator, int, 3 * (size_t)count);
		packed.triangle_count = count;
		if (triangles)
			join_items(def, triangles);
	}
	result = packed.positions && packed.triangles
	             ? add_checked_body(surface, &packed, exact, def->triangle_count, id)
	             : RBL_OUT_OF_MEMORY;
	RBL_FREE(&surface->allocator, triangles, 3 * (size_t)count);
	RBL_FREE(&surface->allocator, positions, def->vertex_count);
	return result;
}

rbl_result rbl_surface_add_tets(rbl_surface *surface, const rbl_tets *tets, rbl_surface_body_id *id)
{
	if (id)
		*id = (rbl_surface_body_id){ 0, 0 };
	if (!surface || !tets || !id)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, tets or body is NULL");
	rbl_tets_data data = rbl_tets_get_data(tets);
	rbl_vec3 *positions = RBL_NEW(&surface->allocator, rbl_vec3, data.boundary_vertex_count);
	if (!positions)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < data.boundary_vertex_count; ++i)
		positions[i] = rbl_to_f(data.positions[data.boundary_vertices[i]]);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = data.boundary_vertex_count;
	def.positions = positions;
	def.triangle_count = data.boundary_face_count;
	def.triangles = data.boundary_triangles;
	rbl_result result = rbl_surface_add(surface, &def, id);
	RBL_FREE(&surface->allocator, positions, data.boundary_vertex_count);
	return result;
}

rbl_result rbl_surface_remove(rbl_surface *surface, rbl_surface_body_id id)
{
	if (!surface)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL");
	int slot = rbl_surface_slot(surface, id);
	if (slot < 0)
		return RBL_STALE_ID;
	uint64_t begin = rbl_clock_ns();
	rbl_surface_body *body = &surface->bodies.data[slot];
	rbl_tree_remove(&surface->body_tree, (uint32_t)slot);
	rbl_tree_clear(&body->tree);
	// Last first, so that the chains give the ids back in their order.
	for (int i = body->triangles.count - 1; i >= 0; --i) {
		int triangle = body->triangles.data[i], cluster = surface->clusters[triangle];
		if (--surface->cluster_data[cluster].count == 0)
			rbl_surface_return_cluster(surface, cluster);
		rbl_surface_return_triangle(surface, triangle);
	}
	for (int i = body->vertices.count - 1; i >= 0; --i)
		rbl_surface_return_vertex(surface, body->vertices.data[i]);
	rbl_array_free(&surface->allocator, &body->vertices);
	rbl_array_free(&surface->allocator, &body->triangles);
	*body = (rbl_surface_body){ .tree = rbl_tree_make(&surface->pool) };
	rbl_id_pool_remove(&surface->ids, (rbl_id){ id.index, id.generation });
	surface->is_ready = false;
	surface->pending_ns += rbl_clock_ns() - begin;
	return RBL_OK;
}
