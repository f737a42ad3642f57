// SPDX-License-Identifier: MIT
//
// Queries: the traversal, down the trees in pairs of nodes until pairs of clusters are left.
//
// A task is a node against itself (self-collision) or two nodes against each other. Workers share
// tasks in blocks. Large tasks, by a rule that depends on the trees alone, go to a queue, where
// whoever is free expands them. Results are sorted at the end, so they do not depend on who found
// them.
//
// Bodies that did not change since the last query are not tested again: their pairs are taken from
// the last answer.

#include "surface/surface_kernels.h"
#include "surface/query.h"
#include "surface/certificate.h"
#include "surface/seam.h"
#include "surface/cull.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/work_queue.h"

// Two references into the trees over clusters; the same twice: a node against itself.
typedef rbl_tree_pair task;

// Each level of a node against itself leaves at most two waiting nodes and a pair.
enum {
	STACK_SIZE = 3 * RBL_TREE_MAX_HEIGHT + 8,
	TASKS = 512,
	QUERY_FOUND = 256,
	JOBS = 256,   // about, that tasks are shared by
	QUEUE = 4096, // large tasks
	QUERY_AHEAD = 4,
	LARGEST_PREFETCH = 32
};

// A task with how near features must come, and what its boxes may be made smaller by for that, or
// larger where it is below 0.
typedef struct sized_task {
	task nodes;
	float gap, thickness;
	bool may_cull; // bounds of normals are up to date
	rbl_vec3 shrinkage;
} sized_task;

// Bodies that are tested against each other; the same twice: a body against itself.
typedef struct body_pair {
	int a, b;
} body_pair;

typedef struct query {
	rbl_surface *surface;
	rbl_result result;
	RBL_ARRAY(body_pair) bodies;
	RBL_ARRAY(sized_task) tasks;
	int block; // tasks of a job
	rbl_surface_certificate_work certifying;
	rbl_work_queue *queue; // of large tasks, for several workers
} query;

static sized_task with_nodes(sized_task t, task nodes)
{
	t.nodes = nodes;
	return t;
}

static void free_query(query *q)
{
	rbl_array_free(&q->surface->allocator, &q->bodies);
	rbl_array_free(&q->surface->allocator, &q->tasks);
}

// Take a task apart. @return the number of tasks that came of it: those whose boxes overlap
static int expand(const rbl_surface *surface, rbl_surface_worker *worker, sized_task from,
                  task *out)
{
	task t = from.nodes;
	const rbl_tree_node *nodes = surface->pool.nodes;
	int count = 0;
	if (t.a == t.b) {
		if (rbl_surface_is_culled(surface, worker, t.a))
			return 0;
		const rbl_tree_node *node = &nodes[t.a];
		worker->counts.box_tests++;
		if (rbl_surface_moving_boxes_overlap(node->boxes[0], node->boxes[1], from.shrinkage))
			out[count++] = (task){ node->children[0], node->children[1] };
		out[count++] = (task){ node->children[1], node->children[1] };
		out[count++] = (task){ node->children[0], node->children[0] };
		return count;
	}
	if (rbl_tree_is_leaf(t.a) || rbl_tree_is_leaf(t.b)) {
		bool a_is_leaf = rbl_tree_is_leaf(t.a);
		uint32_t leaf = a_is_leaf ? t.a : t.b;
		const rbl_tree_node *node = &nodes[a_is_leaf ? t.b : t.a];
		rbl_box box = surface->cluster_boxes[rbl_tree_leaf_id(leaf)];
		worker->counts.box_tests += 2;
		for (int side = 1; side >= 0; --side)
			if (rbl_surface_moving_boxes_overlap(box, node->boxes[side], from.shrinkage))
				out[count++] = (task){ leaf, node->children[side] };
		return count;
	}
	const rbl_tree_node *a = &nodes[t.a], *b = &nodes[t.b];
	worker->counts.box_tests += 4;
	for (int i = 3; i >= 0; --i)
		if (rbl_surface_moving_boxes_overlap(a->boxes[i >> 1], b->boxes[i & 1], from.shrinkage))
			out[count++] = (task){ a->children[i >> 1], b->children[i & 1] };
	return count;
}

// Test what is left in batches.
static void finish_worker(const rbl_surface *surface, rbl_surface_worker *worker)
{
	if (rbl_surface_asks_features(surface))
		rbl_surface_finish_sweep(surface, worker);
	else
		rbl_surface_finish_collide(surface, worker);
}

static void test_pairs(const rbl_surface *surface, rbl_surface_worker *worker,
                       const rbl_surface_pair *pairs, int count)
{
	worker->counts.candidates += count;
	if (rbl_surface_asks_features(surface))
		rbl_surface_sweep_pairs(surface, worker, pairs, count);
	else
		rbl_surface_collide_pairs(surface, worker, pairs, count);
}

static void test_clusters(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                          uint32_t b)
{
	rbl_surface_pair pairs[RBL_SURFACE_CLUSTER_SIZE * RBL_SURFACE_CLUSTER_SIZE];
	worker->counts.cluster_tests++;
	bool is_swept = rbl_surface_asks_features(surface);
	bool has_rounding = worker->gap > 0.0f && !is_swept;
	bool is_staged =
		rbl_surface_uses(surface, is_swept ? RBL_SURFACE_SWEPT_BOXES : RBL_SURFACE_STAGING);
	if (surface->cluster_data[a].body != surface->cluster_data[b].body && !has_rounding &&
	    is_staged) {
		if (!is_swept)
			rbl_surface_collide_clusters(surface, worker, a, b);
		else
			rbl_surface_sweep_clusters(surface, worker, a, b);
		return;
	}
	float gap = is_swept && a != b ? rbl_surface_filter_gap(surface, worker) : worker->gap;
	int count = is_swept && a != b && is_staged
	                ? rbl_surface_swept_pairs(surface, worker, a, b, gap, pairs)
	                : RBL_PICK(rbl_surface_cluster_pairs)(&surface->cluster_data[a],
	                                                      &surface->cluster_data[b], gap, pairs);
	test_pairs(surface, worker, pairs, count);
}

// A tree of one cluster has no node with its box.
static bool is_alone(const rbl_surface *surface, uint32_t reference)
{
	return rbl_tree_is_leaf(reference) &&
	       surface->pool.leaf_parents[rbl_tree_leaf_id(reference)] == RBL_TREE_NONE;
}

// What pairs of clusters that come next will read, over a step.
static void prefetch_clusters(const rbl_surface *surface, const rbl_surface_worker *worker,
                              const rbl_tree_pair *found, int count)
{
	if (count > QUERY_AHEAD - 1) {
		rbl_surface_prefetch_triangles(surface, worker, found[QUERY_AHEAD - 1].a);
		rbl_surface_prefetch_triangles(surface, worker, found[QUERY_AHEAD - 1].b);
	}
	if (count > 1) {
		rbl_surface_prefetch_vertices(surface, worker, found[1].a);
		rbl_surface_prefetch_vertices(surface, worker, found[1].b);
	}
}

// Two different nodes against each other, both with a box above them.
static void descend(const rbl_surface *surface, rbl_surface_worker *worker, sized_task first)
{
	rbl_surface_descent walk;
	rbl_surface_descent_begin(&walk, &surface->pool, first.nodes, rbl_neg(first.shrinkage));
	rbl_tree_pair found[QUERY_FOUND];
	while (walk.top > 0 && !rbl_surface_is_over(surface)) {
		int count = RBL_PICK(rbl_surface_descend)(&walk, found, QUERY_FOUND);
		for (int i = 0; i < count; ++i) {
			if (i + QUERY_AHEAD < count) {
				rbl_surface_prefetch_cluster(surface, found[i + QUERY_AHEAD].a);
				rbl_surface_prefetch_cluster(surface, found[i + QUERY_AHEAD].b);
			}
			if (rbl_surface_asks_features(surface))
				prefetch_clusters(surface, worker, found + i, count - i);
			test_clusters(surface, worker, found[i].a, found[i].b);
		}
	}
	worker->counts.box_tests += walk.box_tests;
}

void rbl_surface_use_gap(const rbl_surface *surface, rbl_surface_worker *worker, float gap,
                         float thickness)
{
	if (gap == worker->gap && thickness == worker->thickness)
		return;
	finish_worker(surface, worker);
	worker->gap = gap, worker->thickness = thickness;
}

static void run_task(const rbl_surface *surface, rbl_surface_worker *worker, sized_task first)
{
	task stack[STACK_SIZE];
	int top = 0;
	rbl_surface_use_gap(surface, worker, first.gap, first.thickness);
	worker->may_cull = first.may_cull;
	stack[top++] = first.nodes;
	while (top > 0 && !rbl_surface_is_over(surface)) {
		task t = stack[--top];
		RBL_ASSERT(top + 4 <= STACK_SIZE);
		if (t.a != t.b && !is_alone(surface, t.a) && !is_alone(surface, t.b))
			descend(surface, worker, with_nodes(first, t));
		else if (rbl_tree_is_leaf(t.a) && rbl_tree_is_leaf(t.b) && t.a != t.b)
			test_clusters(surface, worker, rbl_tree_leaf_id(t.a), rbl_tree_leaf_id(t.b));
		else if (t.a != t.b || !rbl_tree_is_leaf(t.a))
			top += expand(surface, worker, with_nodes(first, t), stack + top);
		else if (!rbl_surface_is_culled(surface, worker, t.a))
			test_clusters(surface, worker, rbl_tree_leaf_id(t.a), rbl_tree_leaf_id(t.a));
	}
}

// A small tree is one stretch of nodes, mostly, and its root comes last.
static void prefetch_tree(const rbl_surface *surface, uint32_t root)
{
	int count = rbl_tree_is_leaf(root) ? 0 : surface->pool.counts[root] - 1;
	for (int i = 0; i < count && i < LARGEST_PREFETCH; ++i)
		rbl_prefetch(&surface->pool.nodes[root] - i);
}

static int clusters_of(const rbl_surface *surface, uint32_t reference)
{
	return rbl_tree_is_leaf(reference) ? 1 : surface->pool.counts[reference];
}

// Whether a task is worth being taken apart for several workers.
static bool is_large(const rbl_surface *surface, task t)
{
	int limit = 8 + 2 * surface->cluster_count / TASKS;
	return clusters_of(surface, t.a) + (t.a != t.b ? clusters_of(surface, t.b) : 0) > limit;
}

// @return false: there is no queue, or no space in it
static bool push_task(rbl_work_queue *queue, task t)
{
	return queue &&
	       rbl_work_queue_push(queue, ~((uint64_t)t.a << 32 | t.b)); // both never have all bits
}

// The body that a node belongs to.
static const rbl_surface_body *body_of(const rbl_surface *surface, uint32_t reference)
{
	while (!rbl_tree_is_leaf(reference))
		reference = surface->pool.nodes[reference].children[0];
	return &surface->bodies.data[surface->cluster_data[rbl_tree_leaf_id(reference)].body];
}

static sized_task size_task(const rbl_surface *surface, task nodes, const rbl_surface_body *a,
                            const rbl_surface_body *b)
{
	sized_task t = { nodes, rbl_surface_gap(surface, a, b),
		             rbl_surface_test_thickness(surface, a, b), !a->fit.has_old_normals,
		             rbl_surface_uses(surface, RBL_SURFACE_SHARED_MOTION)
		                 ? rbl_surface_shared_motion(a, b)
		                 : (rbl_vec3){ 0.0f, 0.0f, 0.0f } };
	if (t.gap > 0.0f) {
		float wide = rbl_surface_box_gap(rbl_box_join(a->tree.bounds, b->tree.bounds), t.gap);
		t.shrinkage = rbl_sub(t.shrinkage, (rbl_vec3){ wide, wide, wide });
	}
	return t;
}

// Take a large task apart. Others get the large parts of it but one.
static void run_large(void *context, rbl_work_queue *queue, uint64_t item, int index)
{
	const query *q = context;
	rbl_surface_worker *worker = &q->surface->workers[index];
	task next = { (uint32_t)(~item >> 32), (uint32_t)~item }, parts[4], small[4];
	sized_task sized =
		size_task(q->surface, next, body_of(q->surface, next.a), body_of(q->surface, next.b));
	rbl_surface_use_gap(q->surface, worker, sized.gap, sized.thickness);
	worker->may_cull = sized.may_cull;
	for (bool is_any = true; is_any;) {
		sized.nodes = next;
		int count = expand(q->surface, worker, sized, parts);
		int small_count = 0;
		is_any = false;
		for (int i = 0; i < count; ++i) {
			if (!is_large(q->surface, parts[i]))
				small[small_count++] = parts[i];
			else if (!is_any)
				next = parts[i], is_any = true;
			else if (!push_task(queue, parts[i]))
				small[small_count++] = parts[i];
		}
		for (int i = 0; i < small_count; ++i)
			run_task(q->surface, worker, with_nodes(sized, small[i]));
	}
}

static void run_tasks(const query *q, int begin, int end, int worker)
{
	for (int i = begin; i < end; ++i) {
		if (i + 1 < q->tasks.count) {
			prefetch_tree(q->surface, q->tasks.data[i + 1].nodes.a);
			prefetch_tree(q->surface, q->tasks.data[i + 1].nodes.b);
		}
		if (!q->queue || !is_large(q->surface, q->tasks.data[i].nodes) ||
		    !push_task(q->queue, q->tasks.data[i].nodes))
			run_task(q->surface, &q->surface->workers[worker], q->tasks.data[i]);
	}
}

static bool take_body_pair(query *q, uint32_t a, uint32_t b)
{
	const rbl_surface_body *bodies = q->surface->bodies.data;
	body_pair pair = { (int)a, (int)b };
	return (bodies[a].self.is_unchanged && bodies[b].self.is_unchanged) ||
	       !rbl_surface_tests_bodies(q->surface, pair.a, pair.b) ||
	       rbl_array_push(&q->surface->allocator, &q->bodies, pair);
}

static bool take_body_pairs(void *context, const rbl_tree_pair *pairs, int count)
{
	for (int i = 0; i < count; ++i)
		if (!take_body_pair(context, pairs[i].a, pairs[i].b))
			return false;
	return true;
}

// A body, and those near it.
typedef struct body_search {
	query *q;
	uint32_t slot;
} body_search;

static bool take_near_bodies(void *context, const uint32_t *slots, int count)
{
	body_search *s = context;
	for (int i = 0; i < count; ++i)
		if (slots[i] > s->slot && !take_body_pair(s->q, s->slot, slots[i]))
			return false;
	return true;
}

// Bodies whose boxes come near each other. With a distance to look for, each is sought around by
// half its own and half the largest.
static bool find_body_pairs(query *q)
{
	const rbl_surface *surface = q->surface;
	rbl_surface_body thickest = { .settings.thickness = 0.0f };
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		const rbl_surface_settings *of_body = &surface->bodies.data[slot].settings;
		rbl_surface_settings *most = &thickest.settings;
		most->thickness = rbl_maxf(most->thickness, of_body->thickness);
		for (int time = 0; time < 2; ++time)
			most->roundings[time] = rbl_maxf(most->roundings[time], of_body->roundings[time]);
	}
	if (rbl_surface_gap(surface, &thickest, &thickest) == 0.0f)
		return rbl_tree_query_self(&surface->body_tree, take_body_pairs, q);
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		const rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		float gap =
			rbl_surface_box_gap(body->tree.bounds, rbl_surface_gap(surface, body, &thickest));
		body_search search = { q, (uint32_t)slot };
		if (!rbl_tree_query_box(&surface->body_tree, rbl_box_grow(body->tree.bounds, gap),
		                        take_near_bodies, &search))
			return false;
	}
	return true;
}

static bool prepare_worker(const rbl_surface *surface, rbl_surface_worker *worker)
{
	const rbl_allocator *allocator = &surface->allocator;
	if (worker->mark_capacity < surface->cluster_end) {
		RBL_FREE(allocator, worker->marks, worker->mark_capacity);
		worker->mark_capacity = 0;
		worker->marks = RBL_NEW_ZERO(allocator, uint32_t, surface->cluster_capacity);
		if (!worker->marks)
			return false;
		worker->mark_capacity = surface->cluster_capacity;
		worker->stamp = 0;
	}
	if (worker->fan_capacity < surface->vertex_end) {
		RBL_FREE(allocator, worker->fans, worker->fan_capacity);
		worker->fan_capacity = 0;
		worker->fans = RBL_NEW(allocator, unsigned char, surface->vertex_capacity);
		if (!worker->fans)
			return false;
		worker->fan_capacity = surface->vertex_capacity;
	}
	if (surface->vertex_end > 0)
		memset(worker->fans, 0, (size_t)surface->vertex_end);
	worker->counts = (rbl_surface_counts){ 0 };
	if (surface->question.kind == RBL_ASKS_PROXIMITY &&
	    !rbl_surface_forget_normals(allocator, worker))
		return false;
	worker->described.count = 0;
	worker->pairs.count = worker->hits.count = worker->quads[0].count = worker->quads[1].count = 0;
	worker->waiting_count = 0;
	worker->waiting_has_others = false;
	worker->gap = worker->thickness = 0.0f;
	worker->until = 1.0f;
	worker->has_found = false;
	worker->may_cull = true;
	worker->staging.pair_count = worker->staging.cluster_count = 0;
	worker->staging.prefetched_count = worker->staging.filled_count = 0;
	memset(worker->sweep_staging.clusters, 0, sizeof worker->sweep_staging.clusters);
	worker->is_out_of_memory = false;
	return true;
}

bool rbl_surface_prepare_workers(rbl_surface *surface)
{
	bool is_ready = true;
	for (int i = 0; i < surface->worker_count; ++i)
		is_ready &= prepare_worker(surface, &surface->workers[i]);
	return is_ready;
}

static void sum_counts(rbl_surface *surface)
{
	rbl_surface_counts sum = { 0 };
	for (int i = 0; i < surface->worker_count; ++i) {
		const rbl_surface_counts *c = &surface->workers[i].counts;
		sum.box_tests += c->box_tests, sum.cluster_tests += c->cluster_tests;
		sum.normal_passes += c->normal_passes, sum.contour_tests += c->contour_tests;
		sum.culled_nodes += c->culled_nodes, sum.culled_triangles += c->culled_triangles;
		sum.candidates += c->candidates, sum.fan_culled += c->fan_culled;
		sum.tests += c->tests, sum.false_tests += c->false_tests;
	}
	rbl_surface_stats *stats = &surface->stats;
	stats->box_tests = sum.box_tests, stats->cluster_tests = sum.cluster_tests;
	stats->normal_passes = sum.normal_passes, stats->contour_tests = sum.contour_tests;
	stats->culled_nodes = sum.culled_nodes, stats->culled_triangles = sum.culled_triangles;
	stats->candidates = sum.candidates, stats->fan_culled = sum.fan_culled;
	stats->tests = sum.tests, stats->false_tests = sum.false_tests;
	if (!surface->bound)
		surface->last_query_cost =
			(double)surface->def.costs.box_test *
			(double)(sum.box_tests + RBL_SURFACE_CLUSTER_BOX_TESTS * sum.cluster_tests);
}

static void finish_workers(void *context, int begin, int end, int worker)
{
	const query *q = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		finish_worker(q->surface, &q->surface->workers[i]);
}

// What bodies do with themselves: uncertain pairs are tested, what is not known is a task.
static bool find_self_tasks(query *q)
{
	rbl_surface *surface = q->surface;
	if (!rbl_array_extend(&surface->allocator, &q->bodies, surface->ids.live_count))
		return false;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		const rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot) || body->self.is_unchanged ||
		    !rbl_surface_tests_itself(body))
			continue;
		float gap = rbl_surface_clear_gap(surface, body);
		if (body->self.is_clear && body->self.is_star && gap <= body->self.star_clearance)
			continue;
		if (body->self.is_clear && body->self.is_certified &&
		    gap <= surface->certificates[slot].clearance) {
			rbl_surface_use_gap(surface, &surface->workers[0], rbl_surface_gap(surface, body, body),
			                    rbl_surface_test_thickness(surface, body, body));
			test_pairs(surface, &surface->workers[0],
			           surface->certificates[slot].uncertain_pairs.data,
			           surface->certificates[slot].uncertain_pairs.count);
			continue;
		}
		q->bodies.data[q->bodies.count++] = (body_pair){ slot, slot };
	}
	return true;
}

// Measure how the bodies of all pairs move that were not measured in this query.
static bool measure_bodies(query *q, rbl_worker_group *workers)
{
	rbl_surface *surface = q->surface;
	if (!rbl_surface_uses(surface, RBL_SURFACE_SHARED_MOTION))
		return true;
	int *slots = RBL_ARENA_NEW(&surface->scratch, int, 2 * (size_t)q->bodies.count), count = 0;
	if (!slots)
		return false;
	for (int i = 0; i < 2 * q->bodies.count; ++i) {
		int slot = i & 1 ? q->bodies.data[i / 2].b : q->bodies.data[i / 2].a;
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (body->displacement_query == surface->query_number)
			continue;
		body->displacement_query = surface->query_number;
		slots[count++] = slot;
	}
	return rbl_surface_measure_displacements(surface, workers, slots, count);
}

// A search for the earliest impact wants to know how all bodies move.
static bool measure_search(query *q, rbl_worker_group *workers)
{
	rbl_surface *surface = q->surface;
	if (!surface->bound || surface->question.is_any ||
	    !rbl_surface_uses(surface, RBL_SURFACE_SHARED_MOTION))
		return true;
	int *slots = RBL_ARENA_NEW(&surface->scratch, int, surface->bodies.count), count = 0;
	if (!slots)
		return false;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		surface->bodies.data[slot].displacement_query = surface->query_number;
		slots[count++] = slot;
	}
	if (!rbl_surface_measure_displacements(surface, workers, slots, count))
		return false;
	rbl_surface_measure_drift(surface);
	return true;
}

// Pairs of bodies become tasks, unless they fly side by side.
static bool find_tasks(query *q, rbl_worker_group *workers)
{
	rbl_surface *surface = q->surface;
	if (!measure_bodies(q, workers) ||
	    !rbl_array_extend(&surface->allocator, &q->tasks, q->bodies.count))
		return false;
	for (int i = 0; i < q->bodies.count; ++i) {
		const rbl_surface_body *a = &surface->bodies.data[q->bodies.data[i].a];
		const rbl_surface_body *b = &surface->bodies.data[q->bodies.data[i].b];
		sized_task t = size_task(surface, (task){ a->tree.root, b->tree.root }, a, b);
		if (a == b || rbl_surface_moving_boxes_overlap(a->tree.bounds, b->tree.bounds, t.shrinkage))
			q->tasks.data[q->tasks.count++] = t;
	}
	q->bodies.count = 0;
	return true;
}

// A job is a batch of certificates, or a block of tasks.
static void run_jobs(void *context, int begin, int end, int index)
{
	const query *q = context;
	rbl_surface_worker *worker = &q->surface->workers[index];
	for (int i = begin; i < end; ++i) {
		int first = (i - q->certifying.batches.count) * q->block;
		if (first >= 0) {
			int last = q->tasks.count - first < q->block ? q->tasks.count : first + q->block;
			run_tasks(q, first, last, index);
			continue;
		}
		finish_worker(q->surface, worker);
		rbl_surface_certify_batch(&q->certifying, i, worker);
	}
}

// Do what is planned and found so far. @return false when memory ran out
static bool run_found(query *q, rbl_worker_group *workers)
{
	if (!find_tasks(q, workers))
		return false;
	void *memory =
		workers ? rbl_arena_allocate(&q->surface->scratch, 1, rbl_work_queue_size(QUEUE)) : NULL;
	if (workers && !memory)
		return false;
	q->queue = memory ? rbl_work_queue_init(memory, QUEUE) : NULL;
	q->block = 1 + q->tasks.count / JOBS;
	int blocks = (q->tasks.count + q->block - 1) / q->block;
	rbl_worker_group_for(workers, q->certifying.batches.count + blocks, 1, run_jobs, q);
	if (q->queue)
		rbl_worker_group_drain(workers, q->queue, q->surface->worker_count, run_large, q);
	q->tasks.count = q->certifying.batches.count = 0;
	return true;
}

// Body boxes overlap; what lies below is tested from the roots. What bodies do with each other does
// not wait for certificates, which are few and long; what they do with themselves does.
static rbl_result run_tasks_of(query *q, rbl_worker_group *workers)
{
	rbl_surface *surface = q->surface;
	if (!rbl_surface_keep_unchanged(surface) || !rbl_surface_find_seams(surface) ||
	    !rbl_surface_plan_certificates(surface, &q->certifying))
		return RBL_OUT_OF_MEMORY;
	// In a search an impact between bodies makes it easier to see what does not touch itself.
	bool is_later = q->certifying.batches.count > 0 || surface->bound;
	if (!is_later && !find_self_tasks(q))
		return RBL_OUT_OF_MEMORY;
	if (!measure_search(q, workers) || !find_body_pairs(q) || !run_found(q, workers))
		return RBL_OUT_OF_MEMORY;
	if (is_later && (!find_self_tasks(q) || !run_found(q, workers)))
		return RBL_OUT_OF_MEMORY;
	rbl_worker_group_for(workers, surface->worker_count, 1, finish_workers, q);
	for (int i = 0; i < surface->worker_count; ++i)
		if (surface->workers[i].is_out_of_memory)
			return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

static void run_query(rbl_worker_group *workers, void *context)
{
	query *q = context;
	rbl_surface *surface = q->surface;
	rbl_worker_group_wake_always(workers);
	if (!rbl_surface_prepare_workers(surface)) {
		q->result = RBL_OUT_OF_MEMORY;
		return;
	}
	if (!surface->has_answer || surface->answered.kind != surface->question.kind ||
	    surface->answered.distance != surface->question.distance)
		for (int slot = 0; slot < surface->bodies.count; ++slot)
			surface->bodies.data[slot].self.is_unchanged = false;
	surface->has_answer = false;
	surface->query_number++;
	q->result = run_tasks_of(q, workers);
	if (q->result != RBL_OK)
		return;
	sum_counts(surface);
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		surface->bodies.data[slot].self.is_unchanged = true;
	surface->was_queried |= !surface->bound;
	if (surface->question.kind == RBL_ASKS_EARLIEST)
		q->result = rbl_surface_sort_earliest(surface);
	else if (surface->question.kind == RBL_ASKS_PROXIMITY)
		q->result = rbl_surface_sort_near_pairs(surface, workers);
	else if (rbl_surface_asks_features(surface))
		q->result = rbl_surface_sort_hits(surface, workers);
	else
		q->result = rbl_surface_sort_pairs(surface, workers);
}

// What the last query took, by its counts, in nanoseconds: it is shared when this is more than
// waking workers, and carrying what they read from one cache to another, may cost. Fresh pieces
// cost more than that.
static bool query_is_worth_sharing(const rbl_surface *surface)
{
	const rbl_surface_stats *last = &surface->stats;
	bool is_swept = rbl_surface_asks_features(surface);
	double work = 4.0 * (double)last->box_tests + 30.0 * (double)last->cluster_tests +
	              (is_swept ? 100.0 : 20.0) * (double)last->candidates +
	              8.0 * (double)last->culled_triangles;
	return surface->query_number == 0 || surface->updates_since_split == 0 ||
	       work > surface->limits.shared_query_ns;
}

// An answer that the next query may go on from.
static bool is_whole(const rbl_surface_question *question)
{
	return question->kind <= RBL_ASKS_PROXIMITY;
}

rbl_result rbl_surface_run_query(rbl_surface *surface)
{
	uint64_t begin = rbl_clock_ns();
	surface->listed = RBL_LISTS_NOTHING;
	query q = { .surface = surface, .result = RBL_OK };
	surface->starts = surface->positions[surface->motion == RBL_SURFACE_CONTINUOUS ? 0 : 1];
	rbl_run_worker_group(query_is_worth_sharing(surface) ? surface->def.jobs : NULL, run_query, &q);
	free_query(&q);
	surface->has_answer = q.result == RBL_OK && is_whole(&surface->question);
	surface->answered = surface->question;
	surface->stats.query_ns = rbl_clock_ns() - begin;
	return q.result;
}

rbl_result rbl_surface_collide(rbl_surface *surface, rbl_surface_pairs *pairs)
{
	if (pairs)
		*pairs = (rbl_surface_pairs){ NULL, 0 };
	if (!surface || !pairs)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or pairs is NULL");
	if (!surface->is_ready || surface->motion != RBL_SURFACE_DISCRETE)
		return rbl_fail(RBL_BAD_ARGUMENT, "a discrete update must come first");
	surface->question = (rbl_surface_question){ .kind = RBL_ASKS_PAIRS };
	rbl_result result = rbl_surface_run_query(surface);
	if (result == RBL_OK)
		*pairs = (rbl_surface_pairs){ surface->pairs.data, surface->pairs.count };
	surface->listed = result == RBL_OK ? RBL_LISTS_PAIRS : RBL_LISTS_NOTHING;
	return result;
}

rbl_result rbl_surface_sweep(rbl_surface *surface, rbl_surface_hits *hits)
{
	if (hits)
		*hits = (rbl_surface_hits){ NULL, 0 };
	if (!surface || !hits)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or hits is NULL");
	if (!surface->is_ready || surface->motion != RBL_SURFACE_CONTINUOUS)
		return rbl_fail(RBL_BAD_ARGUMENT, "a continuous update must come first");
	surface->question = (rbl_surface_question){ .kind = RBL_ASKS_HITS };
	rbl_result result = rbl_surface_run_query(surface);
	if (result == RBL_OK)
		*hits = (rbl_surface_hits){ surface->hits.data, surface->hits.count };
	surface->listed = result == RBL_OK ? RBL_LISTS_HITS : RBL_LISTS_NOTHING;
	return result;
}

rbl_result rbl_surface_proximity(rbl_surface *surface, float distance, rbl_surface_near_pairs *list)
{
	if (list)
		*list = (rbl_surface_near_pairs){ NULL, 0 };
	if (!surface || !list)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or list is NULL");
	if (!(distance >= 0.0f && distance <= FLT_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT, "distance is %g, must be finite and at least 0",
		                (double)distance);
	if (!surface->is_ready)
		return rbl_fail(RBL_BAD_ARGUMENT, "an update must come first");
	surface->question = (rbl_surface_question){ .kind = RBL_ASKS_PROXIMITY, .distance = distance };
	surface->asked_distance = rbl_maxf(surface->asked_distance, distance);
	rbl_result result = rbl_surface_run_query(surface);
	if (result == RBL_OK)
		*list = (rbl_surface_near_pairs){ surface->near_pairs.data, surface->near_pairs.count };
	surface->listed = result == RBL_OK ? RBL_LISTS_NEAR_PAIRS : RBL_LISTS_NOTHING;
	return result;
}
