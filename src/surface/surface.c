// SPDX-License-Identifier: MIT
//
// A surface as a whole: making it, ids, looking at it.
//
// Freed ids of vertices, triangles and clusters form chains through the arrays, last freed first,
// so that the same calls give the same ids.

#include "surface/comparison.h"
#include "surface/certificate.h"
#include "surface/cut.h"

#include "base/log.h"
#include "geometry/geometry.h"

enum { SURFACE_COOKIE = 0x73757266 };

rbl_surface_def rbl_default_surface_def(void)
{
	return (rbl_surface_def){ .culling = RBL_CULL_EXACT,
		                      .restructuring = RBL_RESTRUCTURE_COST,
		                      .builder = RBL_SURFACE_BUILD_AREA,
		                      .grid_leaves = 100,
		                      .restructure_share = 0.25f,
		                      .certificate_share = 0.125f,
		                      .costs = { .box_test = 50.0f, .build_cluster = 36.0f },
		                      .cookie = SURFACE_COOKIE };
}

static rbl_result check_def(const rbl_surface_def *def, int culling_end, int restructuring_end)
{
	if (!def || def->cookie != SURFACE_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_surface_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "the allocator lacks a function");
	if ((unsigned)def->culling >= (unsigned)culling_end ||
	    (unsigned)def->restructuring >= (unsigned)restructuring_end ||
	    (unsigned)def->builder >= RBL_SURFACE_BUILDER_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "culling, restructuring or builder is unknown");
	if (def->grid_leaves < 2)
		return rbl_fail(RBL_BAD_ARGUMENT, "grid_leaves is %d, must be 2 or more", def->grid_leaves);
	if (!(def->restructure_share >= 0.0f && def->restructure_share <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "restructure_share must be from 0 to 1");
	if (!(def->certificate_share >= 0.0f && def->certificate_share <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "certificate_share must be from 0 to 1");
	if (!(def->thickness >= 0.0f && def->thickness <= FLT_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT, "thickness must be finite and at least 0");
	if (!(def->costs.box_test > 0.0f && def->costs.box_test <= FLT_MAX) ||
	    !(def->costs.build_cluster > 0.0f && def->costs.build_cluster <= FLT_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT, "costs must be finite and above 0");
	return RBL_OK;
}

static rbl_result create(const rbl_surface_def *def, int culling_end, int restructuring_end,
                         rbl_surface **surface)
{
	if (!surface)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL");
	*surface = NULL;
	rbl_result result = check_def(def, culling_end, restructuring_end);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_surface *made = RBL_NEW_ZERO(&allocator, rbl_surface, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = allocator;
	made->def = *def;
	made->limits = (rbl_surface_limits){ RBL_SURFACE_SHARED_VERTICES, RBL_SURFACE_SHARED_CLUSTERS,
		                                 RBL_SURFACE_SHARED_QUERY_NS, RBL_SURFACE_BENT_TRIANGLES,
		                                 RBL_SURFACE_CORNER_BYTES,    0 };
	made->first_free_vertex = made->first_free_triangle = made->first_free_cluster = -1;
	rbl_tree_pool_init(&made->pool, &allocator, RBL_TREE_COUNTS | RBL_TREE_METRICS);
	rbl_tree_pool_init(&made->body_pool, &allocator, RBL_TREE_COUNTS | RBL_TREE_METRICS);
	made->body_tree = rbl_tree_make(&made->body_pool);
	rbl_tree_rebuilder_init(&made->rebuilder, &allocator);
	rbl_arena_init(&made->scratch, &allocator, 4096);
	rbl_arena_init(&made->seam_scratch, &allocator, 4096);
	made->worker_count = rbl_jobs_worker_count(def->jobs);
	made->workers = RBL_NEW_ZERO(&allocator, rbl_surface_worker, made->worker_count);
	if (!made->workers) {
		made->worker_count = 0;
		rbl_destroy_surface(made);
		return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < made->worker_count; ++i)
		rbl_arena_init(&made->workers[i].splits, &allocator, 4096);
	*surface = made;
	return RBL_OK;
}

rbl_result rbl_create_surface(const rbl_surface_def *def, rbl_surface **surface)
{
	return create(def, RBL_CULL_COUNT, RBL_RESTRUCTURE_COUNT, surface);
}

rbl_result rbl_surface_create_comparison(const rbl_surface_def *def, rbl_surface **surface)
{
	return create(def, RBL_COMPARISON_CULL_COUNT, RBL_COMPARISON_RESTRUCTURE_COUNT, surface);
}

static void free_worker(const rbl_allocator *allocator, rbl_surface_worker *worker)
{
	rbl_arena_destroy(&worker->splits);
	rbl_array_free(allocator, &worker->pairs);
	rbl_array_free(allocator, &worker->hits);
	rbl_array_free(allocator, &worker->described);
	rbl_surface_free_normals(allocator, worker);
	RBL_FREE(allocator, worker->marks, worker->mark_capacity);
	RBL_FREE(allocator, worker->fans, worker->fan_capacity);
	rbl_array_free(allocator, &worker->clusters);
	rbl_array_free(allocator, &worker->boundary_clusters);
	rbl_array_free(allocator, &worker->boundary_edges);
	rbl_array_free(allocator, &worker->leaving);
	rbl_array_free(allocator, &worker->edges);
	rbl_array_free(allocator, &worker->loop_ends);
	rbl_array_free(allocator, &worker->points);
	rbl_array_free(allocator, &worker->caps);
	rbl_array_free(allocator, &worker->candidates);
	rbl_array_free(allocator, &worker->groups);
	rbl_array_free(allocator, &worker->links);
	rbl_array_free(allocator, &worker->spans);
	rbl_array_free(allocator, &worker->near);
}

void rbl_destroy_surface(rbl_surface *surface)
{
	if (!surface)
		return;
	rbl_allocator allocator = surface->allocator;
	for (int i = 0; i < surface->worker_count; ++i)
		free_worker(&allocator, &surface->workers[i]);
	RBL_FREE(&allocator, surface->workers, surface->worker_count);
	for (int i = 0; i < surface->bodies.count; ++i) {
		rbl_array_free(&allocator, &surface->bodies.data[i].vertices);
		rbl_array_free(&allocator, &surface->bodies.data[i].triangles);
	}
	rbl_array_free(&allocator, &surface->bodies);
	rbl_array_free(&allocator, &surface->exclusions);
	rbl_id_pool_free(&allocator, &surface->ids);
	rbl_array_free(&allocator, &surface->pairs);
	rbl_array_free(&allocator, &surface->hits);
	rbl_array_free(&allocator, &surface->near_pairs);
	rbl_array_free(&allocator, &surface->candidates);
	rbl_array_free(&allocator, &surface->excluded_pairs);
	rbl_array_free(&allocator, &surface->rest_positions);
	rbl_array_free(&allocator, &surface->residuals[0]);
	rbl_array_free(&allocator, &surface->residuals[1]);
	rbl_array_free(&allocator, &surface->vertex_user_ids);
	rbl_array_free(&allocator, &surface->triangle_user_ids);
	rbl_surface_free_results(surface);
	rbl_surface_free_cuts(surface);
	rbl_array_free(&allocator, &surface->seam_triangles);
	rbl_arena_destroy(&surface->seam_scratch);
	rbl_surface_free_cones(surface);
	rbl_surface_free_certificates(surface);
	RBL_FREE(&allocator, surface->node_normals, surface->node_capacity);
	RBL_FREE(&allocator, surface->built_costs, surface->node_capacity);
	RBL_FREE(&allocator, surface->cull_results, surface->node_capacity);
	rbl_surface_drop_corners(surface);
	RBL_FREE(&allocator, surface->triangle_places, surface->placed_triangle_capacity);
	RBL_FREE(&allocator, surface->triangle_entries, surface->placed_triangle_capacity);
	RBL_FREE(&allocator, surface->vertex_places, surface->placed_vertex_capacity);
	rbl_array_free(&allocator, &surface->stale_clusters);
	rbl_surface_free_arrays(surface);
	rbl_tree_rebuilder_destroy(&surface->rebuilder);
	rbl_arena_destroy(&surface->scratch);
	rbl_tree_pool_destroy(&surface->pool);
	rbl_tree_pool_destroy(&surface->body_pool);
	RBL_FREE(&allocator, surface, 1);
}

static rbl_result set_culling(rbl_surface *surface, rbl_surface_culling culling, int end)
{
	if (!surface || (unsigned)culling >= (unsigned)end)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL, or the culling unknown");
	// Other grades do not follow what moves: what is known now may not be true when this one comes
	// back.
	for (int slot = 0; culling != surface->def.culling && slot < surface->bodies.count; ++slot)
		surface->bodies.data[slot].self.is_certified = surface->bodies.data[slot].self.is_star =
			false;
	surface->def.culling = culling;
	surface->has_answer = false;
	surface->is_ready = false;
	return RBL_OK;
}

rbl_result rbl_surface_set_culling(rbl_surface *surface, rbl_surface_culling culling)
{
	return set_culling(surface, culling, RBL_CULL_COUNT);
}

rbl_result rbl_surface_set_comparison_culling(rbl_surface *surface, rbl_surface_culling culling)
{
	return set_culling(surface, culling, RBL_COMPARISON_CULL_COUNT);
}

// --- ids ----------------------------------------------------------------------------------------

int rbl_surface_take_vertex(rbl_surface *surface)
{
	int vertex = surface->first_free_vertex;
	if (vertex < 0)
		vertex = surface->vertex_end++;
	else
		surface->first_free_vertex = -2 - surface->anchors[vertex];
	RBL_ASSERT(vertex < surface->vertex_capacity);
	surface->anchors[vertex] = -1;
	surface->origins[vertex] = vertex;
	surface->vertex_flags[vertex] = surface->vertex_scratch[vertex] = 0;
	surface->vertex_count++;
	if (vertex < surface->rest_positions.count)
		surface->rest_positions.data[vertex] = (rbl_vec3){ NAN, NAN, NAN };
	rbl_surface_clear_vertex_extras(surface, vertex);
	return vertex;
}

// The last of a chain has no next, which is -1, and so -2 - (-1) = -1 as its anchor. A vertex
// without triangles has the same: nobody asks which of both it is.
void rbl_surface_return_vertex(rbl_surface *surface, int vertex)
{
	surface->anchors[vertex] = -2 - surface->first_free_vertex;
	surface->first_free_vertex = vertex;
	surface->vertex_count--;
}

int rbl_surface_take_triangle(rbl_surface *surface)
{
	int triangle = surface->first_free_triangle;
	if (triangle < 0)
		triangle = surface->triangle_end++;
	else
		surface->first_free_triangle = -2 - surface->clusters[triangle];
	RBL_ASSERT(triangle < surface->triangle_capacity);
	surface->clusters[triangle] = -1;
	rbl_surface_clear_triangle_extras(surface, triangle);
	surface->triangle_count++;
	return triangle;
}

void rbl_surface_return_triangle(rbl_surface *surface, int triangle)
{
	if (surface->excluded_pairs.count > 0)
		rbl_surface_forget_excluded(surface, triangle);
	surface->clusters[triangle] = -2 - surface->first_free_triangle;
	surface->first_free_triangle = triangle;
	surface->triangle_count--;
}

void rbl_surface_mark_stale(rbl_surface *surface, int cluster)
{
	// Beyond a share of all a look at each takes no longer.
	bool is_long = surface->stale_clusters.count > 256 + surface->cluster_end / 64;
	surface->cluster_data[cluster].is_stale = RBL_SURFACE_STALE;
	if (!surface->has_unlisted_stale)
		surface->has_unlisted_stale =
			is_long || !rbl_array_push(&surface->allocator, &surface->stale_clusters, cluster);
}

int rbl_surface_take_cluster_id(rbl_surface *surface)
{
	int index = surface->first_free_cluster;
	if (index < 0)
		index = surface->cluster_end++;
	else
		surface->first_free_cluster = (int)surface->cluster_boundaries[index];
	RBL_ASSERT(index < surface->cluster_capacity);
	surface->cluster_count++;
	return index;
}

void rbl_surface_begin_cluster(rbl_surface *surface, int index, int slot)
{
	rbl_surface_cluster *cluster = &surface->cluster_data[index];
	*cluster = (rbl_surface_cluster){ .body = slot, .is_stale = RBL_SURFACE_STALE };
	for (int lane = 0; lane < RBL_SURFACE_CLUSTER_SIZE; ++lane)
		cluster->triangles[lane] = -1;
	surface->cluster_boxes[index] = cluster->box = rbl_box_empty();
	surface->cluster_neighbours[index].around[0] = RBL_SURFACE_NEIGHBOURS_UNKNOWN;
	surface->cluster_boundaries[index] = RBL_SURFACE_BOUNDARY_UNKNOWN;
}

int rbl_surface_take_cluster(rbl_surface *surface, int slot)
{
	int index = rbl_surface_take_cluster_id(surface);
	rbl_surface_begin_cluster(surface, index, slot);
	rbl_surface_mark_stale(surface, index);
	return index;
}

// The chain leads through boundaries, which lie side by side: a walk along it does not wait for a
// cluster at each step.
void rbl_surface_return_cluster(rbl_surface *surface, int index)
{
	surface->cluster_data[index].body = -1;
	surface->cluster_boundaries[index] = (uint32_t)surface->first_free_cluster;
	surface->first_free_cluster = index;
	surface->cluster_count--;
}

void rbl_surface_peek_vertices(const rbl_surface *surface, int count, int *ids)
{
	int next = surface->first_free_vertex, end = surface->vertex_end;
	for (int i = 0; i < count; ++i) {
		ids[i] = next >= 0 ? next : end++;
		next = next >= 0 ? -2 - surface->anchors[next] : -1;
	}
}

void rbl_surface_peek_triangles(const rbl_surface *surface, int count, int *ids)
{
	int next = surface->first_free_triangle, end = surface->triangle_end;
	for (int i = 0; i < count; ++i) {
		ids[i] = next >= 0 ? next : end++;
		next = next >= 0 ? -2 - surface->clusters[next] : -1;
	}
}

void rbl_surface_peek_clusters(const rbl_surface *surface, int count, uint32_t *ids)
{
	int next = surface->first_free_cluster, end = surface->cluster_end;
	for (int i = 0; i < count; ++i) {
		ids[i] = (uint32_t)(next >= 0 ? next : end++);
		next = next >= 0 ? (int)surface->cluster_boundaries[next] : -1;
	}
}

// --- looking ------------------------------------------------------------------------------------

int rbl_surface_slot(const rbl_surface *surface, rbl_surface_body_id body)
{
	if (rbl_id_pool_has(&surface->ids, (rbl_id){ body.index, body.generation }))
		return (int)body.index;
	rbl_fail(RBL_STALE_ID, "there is no body %u of generation %u", body.index, body.generation);
	return -1;
}

rbl_surface_data rbl_surface_get_data(const rbl_surface *surface)
{
	if (!surface)
		return (rbl_surface_data){ 0 };
	return (rbl_surface_data){ .vertex_end = surface->vertex_end,
		                       .triangle_end = surface->triangle_end,
		                       .starts = surface->positions[0],
		                       .ends = surface->positions[1],
		                       .triangles = surface->triangles,
		                       .twins = surface->twins,
		                       .origins = surface->origins,
		                       .vertex_user_ids = surface->vertex_user_ids.data,
		                       .triangle_user_ids = surface->triangle_user_ids.data };
}

rbl_surface_body_data rbl_surface_body_get_data(const rbl_surface *surface,
                                                rbl_surface_body_id body)
{
	int slot = surface ? rbl_surface_slot(surface, body) : -1;
	if (slot < 0)
		return (rbl_surface_body_data){ 0 };
	const rbl_surface_body *b = &surface->bodies.data[slot];
	return (rbl_surface_body_data){ b->vertices.count, b->vertices.data, b->triangles.count,
		                            b->triangles.data };
}

rbl_surface_body_id rbl_surface_triangle_body(const rbl_surface *surface, int triangle)
{
	rbl_surface_body_id none = { 0, 0 };
	if (!surface || triangle < 0 || triangle >= surface->triangle_end ||
	    surface->clusters[triangle] < 0)
		return none;
	rbl_id id =
		rbl_id_pool_at(&surface->ids, surface->cluster_data[surface->clusters[triangle]].body);
	return (rbl_surface_body_id){ id.index, id.generation };
}

rbl_result rbl_surface_body_get_components(const rbl_surface *surface, rbl_surface_body_id body,
                                           int *labels, int *count)
{
	if (!surface || !labels || !count)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, labels or count is NULL");
	int slot = rbl_surface_slot(surface, body);
	if (slot < 0)
		return RBL_STALE_ID;
	const rbl_surface_body *b = &surface->bodies.data[slot];
	int *places = RBL_NEW(&surface->allocator, int, surface->triangle_end);
	if (!places)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < b->triangles.count; ++i) {
		places[b->triangles.data[i]] = i;
		labels[i] = i; // its set's parent, until the sets are numbered below
	}
	for (int i = 0; i < b->triangles.count; ++i)
		for (int side = 0; side < 3; ++side) {
			int twin = surface->twins[3 * b->triangles.data[i] + side];
			if (twin >= 0)
				rbl_union_find_join(labels, i, places[twin / 3]);
		}
	*count = 0;
	for (int i = 0; i < b->triangles.count; ++i) {
		int root =
			rbl_union_find_root(labels, i); // the lowest place of its set, so numbered before
		places[i] = root == i ? (*count)++ : places[root];
	}
	memcpy(labels, places, (size_t)b->triangles.count * sizeof *labels);
	RBL_FREE(&surface->allocator, places, surface->triangle_end);
	return RBL_OK;
}

static size_t worker_memory(const rbl_surface_worker *w)
{
	return (size_t)w->pairs.capacity * sizeof *w->pairs.data +
	       (size_t)w->hits.capacity * sizeof *w->hits.data +
	       (size_t)w->described.capacity * sizeof *w->described.data +
	       rbl_surface_normals_memory(w) + (size_t)w->mark_capacity * sizeof *w->marks +
	       (size_t)w->fan_capacity +
	       (size_t)(w->clusters.capacity + w->boundary_clusters.capacity + w->leaving.capacity +
	                w->edges.capacity + w->loop_ends.capacity + w->links.capacity +
	                w->candidates.capacity) *
	           sizeof(int) +
	       (size_t)w->boundary_edges.capacity * sizeof *w->boundary_edges.data +
	       (size_t)w->spans.capacity * sizeof *w->spans.data +
	       (size_t)w->near.capacity * sizeof *w->near.data +
	       (size_t)w->points.capacity * sizeof *w->points.data +
	       (size_t)w->caps.capacity * sizeof *w->caps.data +
	       (size_t)w->groups.capacity * sizeof *w->groups.data + rbl_arena_memory(&w->splits) +
	       sizeof *w;
}

size_t rbl_surface_memory(const rbl_surface *s)
{
	size_t bytes = sizeof *s + rbl_tree_pool_memory(&s->pool) + rbl_tree_pool_memory(&s->body_pool);
	bytes += (size_t)s->vertex_capacity * (2 * sizeof(rbl_vec3) + 3 * sizeof(int) + 1);
	bytes += (size_t)s->triangle_capacity * 7 * sizeof(int);
	bytes += (size_t)s->cluster_capacity *
	         (sizeof(rbl_surface_cluster) + sizeof(rbl_box) + sizeof(rbl_surface_normals) +
	          sizeof(rbl_surface_cluster_neighbours) + sizeof(uint32_t));
	for (int i = 0; i < RBL_SURFACE_ARRAY_GROUPS; ++i)
		bytes += s->growths[i].extra;
	bytes += (size_t)s->node_capacity * (sizeof(rbl_surface_normals) + sizeof(float) + 1);
	bytes += (size_t)s->corner_blocks.count * RBL_SURFACE_CORNER_BLOCK *
	         sizeof(rbl_surface_cluster_corners);
	bytes += (size_t)s->corner_blocks.capacity * sizeof *s->corner_blocks.data;
	bytes += ((size_t)s->placed_triangle_capacity * 2 + (size_t)s->placed_vertex_capacity +
	          (size_t)s->stale_clusters.capacity) *
	         sizeof(int);
	bytes += rbl_surface_cone_memory(s) + rbl_surface_certificate_memory(s);
	bytes += rbl_arena_memory(&s->scratch) + rbl_arena_memory(&s->pool.scratch) +
	         rbl_arena_memory(&s->body_pool.scratch) +
	         rbl_arena_memory(&s->rebuilder.scratch.scratch);
	bytes += (size_t)s->bodies.capacity * sizeof *s->bodies.data;
	bytes += (size_t)s->pairs.capacity * sizeof *s->pairs.data;
	bytes += (size_t)s->hits.capacity * sizeof *s->hits.data;
	bytes += (size_t)s->exclusions.capacity * sizeof *s->exclusions.data;
	bytes += (size_t)s->excluded_pairs.capacity * sizeof *s->excluded_pairs.data;
	bytes += (size_t)s->rest_positions.capacity * sizeof *s->rest_positions.data;
	bytes += (size_t)(s->residuals[0].capacity + s->residuals[1].capacity) * sizeof(rbl_vec3d);
	bytes += (size_t)(s->vertex_user_ids.capacity + s->triangle_user_ids.capacity) * sizeof(int);
	bytes += rbl_surface_results_memory(s) + rbl_surface_cuts_memory(s);
	bytes += (size_t)s->near_pairs.capacity * sizeof *s->near_pairs.data;
	bytes += (size_t)s->candidates.capacity * sizeof *s->candidates.data;
	bytes += (size_t)s->seam_triangles.capacity * sizeof *s->seam_triangles.data +
	         rbl_arena_memory(&s->seam_scratch);
	for (int i = 0; i < s->bodies.count; ++i)
		bytes +=
			(size_t)(s->bodies.data[i].vertices.capacity + s->bodies.data[i].triangles.capacity) *
			sizeof(int);
	for (int i = 0; i < s->worker_count; ++i)
		bytes += worker_memory(&s->workers[i]);
	return bytes;
}

rbl_surface_stats rbl_surface_get_stats(const rbl_surface *surface)
{
	if (!surface)
		return (rbl_surface_stats){ 0 };
	rbl_surface_stats stats = surface->stats;
	stats.body_count = surface->ids.live_count;
	stats.vertex_count = surface->vertex_count;
	stats.triangle_count = surface->triangle_count;
	stats.cluster_count = surface->cluster_count;
	stats.memory = rbl_surface_memory(surface);
	stats.self_cost = 0.0;
	for (int i = 0; i < surface->bodies.count; ++i)
		if (rbl_id_pool_is_live(&surface->ids, i))
			stats.self_cost += (double)rbl_tree_self_cost(&surface->bodies.data[i].tree);
	return stats;
}
