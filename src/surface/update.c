// SPDX-License-Identifier: MIT
//
// Bringing trees up to date: clusters, then nodes from below, then the tree over bodies.
//
// A body that moved as a whole is fitted as a whole, in linear passes. Where only some vertices
// moved, the clusters around them are stale, and only the paths above those are visited. Workers
// share all passes over triangles, clusters and nodes, as a group; what they leave is done by one.

#include "surface/comparison.h"
#include "surface/surface.h"
#include "surface/certificate.h"
#include "surface/cull.h"
#include "surface/surface_kernels.h"

#include "base/clock.h"
#include "base/log.h"

// Rough trees that can wait: clusters of one update, at least, and one out of so many.
enum { MIN_REGROWN = 512, REGROWN_SHARE = 8 };

void rbl_surface_rest(rbl_surface *surface, rbl_surface_body *body)
{
	if (!body->motion.is_moving)
		return;
	for (int i = 0; i < body->vertices.count; ++i) {
		int vertex = body->vertices.data[i];
		surface->positions[0][vertex] = surface->positions[1][vertex];
	}
	rbl_surface_rest_residuals(surface, body);
	body->fit.needs_all |= body->motion.is_whole;
	body->fit.has_stale = true; // what moved in part still has the boxes of its motion
	body->motion.is_moving = body->motion.is_whole = false;
}

bool rbl_surface_reserve_nodes(rbl_surface *surface)
{
	int wanted = surface->pool.node_capacity;
	if (wanted <= surface->node_capacity)
		return true;
	int old = surface->node_capacity, *capacity = &surface->node_capacity;
	rbl_growth arrays[] = {
		{ &surface->node_normals, sizeof *surface->node_normals, old, capacity, wanted, NULL },
		{ &surface->built_costs, sizeof *surface->built_costs, old, capacity, wanted, NULL },
		{ &surface->cull_results, sizeof *surface->cull_results, old, capacity, wanted, NULL },
	};
	if (!rbl_grow_together(&surface->allocator, arrays, 3))
		return false;
	memset(surface->built_costs + old, 0, (size_t)(wanted - old) * sizeof *surface->built_costs);
	memset(surface->cull_results + old, 0, (size_t)(wanted - old));
	return true;
}

// Whether a body that is not traversed needs normals all the same. Trees that are rebuilt
// prefetch them, unless the body flies (surface/restructure.c), and so do certificates: what is
// certified goes without when it breaks, as pieces are certified, too. The volume rule compares
// what nodes cost, whoever tests them.
static bool needs_normals(const rbl_surface *surface, const rbl_surface_body *body)
{
	if (body->nodes.are_rough && !body->motion.is_rigid)
		return true;
	return body->nodes.are_new &&
	       (!body->self.is_certified || surface->def.restructuring == RBL_RESTRUCTURE_VOLUME);
}

// Which bodies are not traversed: they need no normals, until they are tested again.
static void find_clear(rbl_surface *surface)
{
	bool is_counted = rbl_surface_uses_certificates(surface);
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		body->self.is_clear = is_counted && (body->self.is_certified || body->self.is_star ||
		                                     !rbl_surface_tests_itself(body));
		if (body->self.is_clear && !needs_normals(surface, body)) {
			body->fit.has_old_normals |= body->fit.needs_all || body->fit.has_stale;
		} else {
			body->fit.needs_all |= body->fit.has_old_normals;
			body->fit.has_old_normals = false;
		}
	}
}

typedef struct fit_job {
	rbl_surface *surface;
	const int *listed; // clusters to look at; NULL: all
	rbl_surface_cluster_source source;
	bool *has_paths; // by block: some clusters move in part of a body
} fit_job;

// Clusters between prefetching triangles and reading them, and of a job: some 15 us.
// Where more than one cluster out of so many is fitted, all are looked at.
enum { UPDATE_AHEAD = 6, FIT_BLOCK = 256, UNLISTED_SHARE = 8 };

// What remains of being stale when a cluster is fitted: it moved in part of its body.
static int16_t still_stale(const rbl_surface_body *body)
{
	return body->motion.is_moving && !body->motion.is_whole ? RBL_SURFACE_STALE_MOVING : 0;
}

static void fit_clusters(void *context, int begin, int end, int worker)
{
	(void)worker;
	const fit_job *job = context;
	rbl_surface *surface = job->surface;
	bool has_corners = rbl_surface_has_corners(surface);
	for (int n = begin; n < end; ++n) {
		int i = job->listed ? job->listed[n] : n;
		rbl_surface_cluster *cluster = &surface->cluster_data[i];
		// Most of the time would go into waiting for them.
		if (!job->listed && i + UPDATE_AHEAD < end &&
		    (!has_corners || cluster[UPDATE_AHEAD].is_stale))
			for (int k = 0; k < RBL_SURFACE_CLUSTER_SIZE; ++k)
				rbl_prefetch(
					&surface->triangles[3 * (ptrdiff_t)cluster[UPDATE_AHEAD].triangles[k]]);
		if (cluster->body < 0 || cluster->count == 0)
			continue;
		const rbl_surface_body *body = &surface->bodies.data[cluster->body];
		if (!body->fit.needs_all && !cluster->is_stale)
			continue;
		rbl_surface_cluster_corners *corners =
			has_corners ? rbl_surface_corners(surface, (uint32_t)i) : NULL;
		if (has_corners && cluster->is_stale == RBL_SURFACE_STALE)
			rbl_surface_read_cluster_corners(corners, cluster, surface->triangles);
		RBL_PICK(rbl_surface_fit_cluster)
		(cluster, corners, &surface->cluster_boxes[i], &job->source,
		 body->fit.has_old_normals ? NULL : &surface->cluster_normals[i]);
		if (!cluster->is_stale)
			continue;
		if (body->fit.needs_all)
			cluster->is_stale = still_stale(body);
		else
			job->has_paths[begin / FIT_BLOCK] = true;
	}
}

// The next update looks at it again.
static void list_stale(rbl_surface *surface, int cluster)
{
	if (!rbl_array_push(&surface->allocator, &surface->stale_clusters, cluster))
		surface->has_unlisted_stale = true;
}

// The path above a cluster that is stale in a body that is not fitted as a whole. One that moves
// in part is listed for the next update.
static void fit_path(rbl_surface *surface, int i)
{
	rbl_surface_cluster *cluster = &surface->cluster_data[i];
	if (cluster->body < 0 || cluster->count == 0 || !cluster->is_stale)
		return;
	rbl_surface_body *body = &surface->bodies.data[cluster->body];
	if (body->fit.needs_all)
		return;
	rbl_tree_move(&body->tree, (uint32_t)i, surface->cluster_boxes[i]);
	cluster->is_stale = still_stale(body);
	if (cluster->is_stale)
		list_stale(surface, i);
}

static void fit_paths(const fit_job *job)
{
	for (int i = 0; i < job->surface->cluster_end; ++i) {
		if (job->has_paths[i / FIT_BLOCK])
			fit_path(job->surface, i);
		else
			i += FIT_BLOCK - 1;
	}
}

// The clusters of bodies that are fitted as a whole.
static int count_whole(const rbl_surface *surface)
{
	int count = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (rbl_id_pool_is_live(&surface->ids, slot) && surface->bodies.data[slot].fit.needs_all)
			count += surface->bodies.data[slot].tree.leaf_count;
	return count;
}

// First the clusters of bodies that are fitted as a whole, then those of others that are stale.
// @return how many, -1 when memory ran out
static int list_clusters(rbl_surface *surface, int whole, const int **list)
{
	int *listed = RBL_ARENA_NEW(&surface->scratch, int,
	                            (size_t)whole + (size_t)surface->stale_clusters.count);
	uint32_t *leaves = RBL_ARENA_NEW(&surface->scratch, uint32_t, whole);
	if (!listed || !leaves)
		return -1;
	int count = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		const rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot) || !body->fit.needs_all)
			continue;
		rbl_tree_collect_leaves(&surface->pool, body->tree.root, leaves);
		for (int i = 0; i < body->tree.leaf_count; ++i)
			listed[count++] = (int)leaves[i];
	}
	for (int i = 0; i < surface->stale_clusters.count; ++i) {
		int cluster = surface->stale_clusters.data[i], slot = surface->cluster_data[cluster].body;
		if (slot >= 0 && !surface->bodies.data[slot].fit.needs_all)
			listed[count++] = cluster;
	}
	*list = listed;
	return count;
}

// Where most is as it was, only what is listed is looked at: the clusters of small bodies that are
// fitted as a whole, and those that are stale in others.
static bool fit_all_clusters(rbl_surface *surface, rbl_worker_group *workers)
{
	bool is_swept = surface->motion == RBL_SURFACE_CONTINUOUS;
	int whole = count_whole(surface), count = surface->cluster_end;
	bool is_listed = !surface->has_unlisted_stale && whole <= surface->cluster_end / UNLISTED_SHARE;
	rbl_arena_reset(&surface->scratch);
	fit_job job = { surface,
		            NULL,
		            { is_swept ? surface->positions[0] : NULL, surface->positions[1],
		              surface->triangles },
		            NULL };
	if (is_listed && (count = list_clusters(surface, whole, &job.listed)) < 0)
		return false;
	int blocks = count / FIT_BLOCK + 1;
	job.has_paths = RBL_ARENA_NEW(&surface->scratch, bool, blocks);
	if (!job.has_paths)
		return false;
	memset(job.has_paths, 0, (size_t)blocks);
	rbl_worker_group_for(workers, is_listed ? whole : count, FIT_BLOCK, fit_clusters, &job);
	surface->stale_clusters.count = 0;
	// What moves in part of a body that was fitted as a whole is not listed here.
	surface->has_unlisted_stale = !is_listed && whole > 0;
	if (!is_listed) {
		fit_paths(&job);
		return true;
	}
	for (int n = 0; n < whole; ++n)
		if (surface->cluster_data[job.listed[n]].is_stale)
			list_stale(surface, job.listed[n]);
	for (int n = whole; n < count; n += FIT_BLOCK)
		fit_clusters(&job, n, rbl_mini(n + FIT_BLOCK, count), 0); // some may be there twice
	for (int n = whole; n < count; ++n)
		fit_path(surface, job.listed[n]);
	return true;
}

// Tell the tree over bodies where they are.
static rbl_result fit_body_tree(rbl_surface *surface, const int *slots, int count)
{
	if (count <= surface->body_tree.leaf_count / 4) {
		for (int i = 0; i < count; ++i)
			rbl_tree_move(&surface->body_tree, (uint32_t)slots[i],
			              surface->bodies.data[slots[i]].tree.bounds);
		rbl_tree_update(&surface->body_tree, RBL_TREE_PERMUTE);
		return RBL_OK;
	}
	rbl_box *boxes = RBL_ARENA_NEW(&surface->scratch, rbl_box, surface->bodies.count);
	if (!boxes)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < surface->bodies.count; ++i)
		boxes[i] = surface->bodies.data[i].tree.bounds;
	rbl_tree_refit(&surface->body_tree, boxes, NULL);
	return RBL_OK;
}

// Whether a rough tree is rebuilt in this update. Bodies that are not traversed can wait
// until there is no break, and until there is time. So can pieces that are about to be certified:
// rough trees are good enough for what others do with them.
static bool may_rebuild(rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	bool is_due =
		surface->updates_since_split == 0 && rbl_surface_certificate_is_due(surface, slot);
	if (!body->self.is_clear && !is_due)
		return true;
	if (surface->rebuild_clusters <= 0)
		return false;
	surface->rebuild_clusters -= body->tree.leaf_count;
	return true;
}

static bool needs_fit(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	return rbl_id_pool_is_live(&surface->ids, slot) &&
	       (body->fit.needs_all || body->fit.has_stale || body->nodes.are_new ||
	        body->tree.is_dirty);
}

static rbl_result restructure(rbl_surface *surface, rbl_surface_body *body)
{
	// What it would cost to test a body within does not matter when nobody does.
	if (body->fit.has_old_normals && surface->def.restructuring == RBL_RESTRUCTURE_COST)
		return RBL_OK;
	bool is_changed = false;
	rbl_result result = rbl_surface_restructure(surface, body, &is_changed);
	if (!is_changed)
		return result;
	body->nodes.are_new = surface->cones_are_stale = true;
	if (!rbl_surface_reserve_nodes(surface))
		return RBL_OUT_OF_MEMORY;
	rbl_surface_fit_tree(surface, body);
	return result;
}

static rbl_result fit_bodies(rbl_surface *surface, rbl_worker_group *workers)
{
	int count = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!needs_fit(surface, slot))
			continue;
		body->self.is_unchanged = false;
		rbl_result regrown = RBL_OK;
		if (body->nodes.are_rough && may_rebuild(surface, slot))
			regrown = rbl_surface_rebuild_tree(surface, body);
		if (regrown != RBL_OK)
			return regrown;
		count++;
	}
	rbl_arena_reset(&surface->scratch);
	int *slots = RBL_ARENA_NEW(&surface->scratch, int, count);
	if (!slots)
		return RBL_OUT_OF_MEMORY;
	for (int slot = 0, i = 0; slot < surface->bodies.count; ++slot)
		if (needs_fit(surface, slot))
			slots[i++] = slot;
	if (!rbl_surface_fit_trees(surface, workers, slots, count))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	for (int i = 0; result == RBL_OK && i < count; ++i)
		result = restructure(surface, &surface->bodies.data[slots[i]]);
	if (result == RBL_OK)
		result = fit_body_tree(surface, slots, count);
	for (int i = 0; result != RBL_OK && i < count;
	     ++i) // the tree over bodies has not heard of them
		surface->bodies.data[slots[i]].fit.needs_all = true;
	return result;
}

static bool update_is_worth_sharing(const rbl_surface *surface)
{
	int clusters = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (needs_fit(surface, slot))
			clusters += surface->bodies.data[slot].tree.leaf_count;
	return clusters >= surface->limits.shared_clusters;
}

typedef struct update {
	rbl_surface *surface;
	rbl_result result;
} update;

static void run_update(rbl_worker_group *workers, void *context)
{
	update *u = context;
	rbl_surface *surface = u->surface;
	rbl_worker_group_wake_always(workers);
	u->result = RBL_OUT_OF_MEMORY;
	if (!rbl_surface_track_motion(surface, workers) || !rbl_surface_find_stars(surface, workers))
		return;
	find_clear(surface);
	if (fit_all_clusters(surface, workers))
		u->result = fit_bodies(surface, workers);
}

rbl_result rbl_surface_update(rbl_surface *surface, rbl_surface_motion motion)
{
	if (!surface || (motion != RBL_SURFACE_DISCRETE && motion != RBL_SURFACE_CONTINUOUS))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL, or the motion unknown");
	uint64_t begin = rbl_clock_ns();
	surface->has_candidates = false;
	rbl_surface_reserve_ahead(surface);
	if (!rbl_surface_reserve_nodes(surface))
		return RBL_OUT_OF_MEMORY;
	rbl_surface_pack(surface);
	rbl_surface_update_corners(surface);
	surface->rebuild_clusters =
		surface->updates_since_split > 0 ? MIN_REGROWN + surface->cluster_count / REGROWN_SHARE : 0;
	surface->is_ready = false;
	surface->stats.fitted_nodes = surface->stats.rebuilt_trees = 0;
	surface->stats.rebuilt_clusters = 0;
	bool all = motion != surface->motion;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!body->motion.has_moved)
			rbl_surface_rest(surface, body);
		body->fit.needs_all |= all;
	}
	surface->motion = motion;
	surface->last_distance = surface->asked_distance, surface->asked_distance = 0.0f;
	surface->restructure_budget = (double)surface->def.restructure_share * surface->last_query_cost;
	update u = { surface, RBL_OK };
	rbl_run_worker_group(update_is_worth_sharing(surface) ? surface->def.jobs : NULL, run_update,
	                     &u);
	rbl_result result = u.result;
	if (result == RBL_OK)
		result = rbl_surface_fit_cones(surface);
	// When this failed and is called again, what moved must not rest.
	for (int slot = 0; result == RBL_OK && slot < surface->bodies.count; ++slot)
		surface->bodies.data[slot].motion.has_moved = false;
	rbl_surface_trim_excess(surface);
	surface->is_ready = result == RBL_OK;
	surface->was_queried &= result != RBL_OK;
	surface->stats.update_ns = rbl_clock_ns() - begin;
	surface->stats.change_ns = surface->pending_ns;
	surface->pending_ns = 0;
	return result;
}
