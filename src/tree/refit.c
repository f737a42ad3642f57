// SPDX-License-Identifier: MIT
//
// Boxes, heights, counts and metrics of whole trees, from the leaves up.
//
// A tree that a builder left lies in one run, children before parents: one linear pass. After
// changes the nodes lie anywhere and the pass follows the tree. Minimum and maximum do not depend
// on the order, and metrics only on the children, so any division of the work gives the same bits.

#include "tree/tree_kernels.h"

// Probability that a box overlapping the parent overlaps the child: the ratio of volumes (Heo
// 2010, section 5.2). Flat parents have no volume: then areas, then lengths decide.
static float overlap_probability(rbl_vec3d child, rbl_vec3d parent)
{
	double volume = parent.x * parent.y * parent.z;
	if (volume > 0.0)
		return (float)(child.x * child.y * child.z / volume);
	double area = parent.x * parent.y + parent.y * parent.z + parent.z * parent.x;
	if (area > 0.0)
		return (float)((child.x * child.y + child.y * child.z + child.z * child.x) / area);
	double length = parent.x + parent.y + parent.z;
	return length > 0.0 ? (float)((child.x + child.y + child.z) / length) : 1.0f;
}

void rbl_tree_set_metrics(rbl_tree_pool *pool, uint32_t index)
{
	const rbl_tree_node *node = &pool->nodes[index];
	rbl_vec3d parent_size = rbl_to_d(rbl_box_size(rbl_tree_node_box(node)));
	rbl_tree_metrics sum = { 0.0, 1.0f, 0.0f };
	for (int side = 0; side < 2; ++side) {
		uint32_t child = node->children[side];
		rbl_vec3d size = rbl_to_d(rbl_box_size(node->boxes[side]));
		double volume = size.x * size.y * size.z;
		sum.volume_squares += volume * volume;
		float p = overlap_probability(size, parent_size);
		if (rbl_tree_is_leaf(child)) {
			sum.inter_cost += p;
			sum.self_cost += 1.0f;
			continue;
		}
		const rbl_tree_metrics *below = &pool->metrics[child];
		sum.volume_squares += below->volume_squares;
		sum.inter_cost += p * below->inter_cost;
		sum.self_cost += below->inter_cost;
		if (!(pool->nodes[child].flags & RBL_TREE_CULLED))
			sum.self_cost += below->self_cost;
	}
	pool->metrics[index] = sum;
}

static void set_arrays(rbl_tree_pool *pool, uint32_t index)
{
	const rbl_tree_node *node = &pool->nodes[index];
	if (pool->counts)
		pool->counts[index] =
			rbl_tree_count_of(pool, node->children[0]) + rbl_tree_count_of(pool, node->children[1]);
	if (pool->metrics)
		rbl_tree_set_metrics(pool, index);
}

void rbl_tree_fit_nodes(rbl_tree_pool *pool, uint32_t first, const uint32_t *slots, int count)
{
	if (!slots)
		RBL_PICK(rbl_tree_fit_run)(pool->nodes, first, first + (uint32_t)count);
	else
		RBL_PICK(rbl_tree_fit_list)(pool->nodes, slots, count);
}

void rbl_tree_set_arrays(rbl_tree_pool *pool, uint32_t first, const uint32_t *slots, int count)
{
	for (int i = 0; (pool->counts || pool->metrics) && i < count; ++i)
		set_arrays(pool, slots ? slots[i] : first + (uint32_t)i);
}

// Nodes lie anywhere: follow the tree, children before parents. An entry with its low bit set
// has its children behind it.
static void refit_scattered(rbl_tree_pool *pool, uint32_t root, const rbl_tree_leaf_source *source)
{
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], index = entry >> 1;
		if (entry & 1) {
			RBL_PICK(rbl_tree_refit_run)(pool->nodes, index, index + 1, source, false);
			set_arrays(pool, index);
			continue;
		}
		stack[top++] = entry | 1;
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(pool->nodes[index].children[side]))
				stack[top++] = pool->nodes[index].children[side] << 1;
	}
}

void rbl_tree_refit_part(const rbl_tree *tree, uint32_t node, const rbl_box *boxes_by_leaf)
{
	rbl_tree_pool *pool = tree->pool;
	rbl_tree_leaf_source source = { .boxes = boxes_by_leaf };
	if (tree->first_node < 0) {
		refit_scattered(pool, node, &source);
		return;
	}
	uint32_t first = node + 2 - (uint32_t)pool->counts[node];
	RBL_PICK(rbl_tree_refit_run)(pool->nodes, first, node + 1, &source, false);
	for (uint32_t i = first; pool->metrics && i <= node; ++i)
		rbl_tree_set_metrics(pool, i);
}

void rbl_tree_refit_node(const rbl_tree *tree, uint32_t node, const rbl_box *boxes_by_leaf)
{
	rbl_tree_leaf_source source = { .boxes = boxes_by_leaf };
	RBL_PICK(rbl_tree_refit_run)(tree->pool->nodes, node, node + 1, &source, false);
	if (tree->pool->metrics)
		rbl_tree_set_metrics(tree->pool, node);
}

void rbl_tree_end_refit(rbl_tree *tree)
{
	tree->is_dirty = false;
	if (!rbl_tree_is_leaf(tree->root))
		tree->bounds = rbl_tree_node_box(&tree->pool->nodes[tree->root]);
}

enum { REFIT_BLOCK = 4096 };

typedef struct refit_job {
	rbl_tree_pool *pool;
	const rbl_tree_leaf_source *source;
	uint32_t first;
} refit_job;

// A block fits the nodes whose sub-trees lie inside it; the few others stay dirty for the end.
static void refit_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const refit_job *job = context;
	RBL_PICK(rbl_tree_refit_run)
	(job->pool->nodes, job->first + (uint32_t)begin, job->first + (uint32_t)end, job->source, true);
	if (job->pool->metrics)
		for (int i = begin; i < end; ++i)
			if (!(job->pool->nodes[job->first + (uint32_t)i].flags & RBL_TREE_DIRTY))
				rbl_tree_set_metrics(job->pool, job->first + (uint32_t)i);
}

static void refit_run(rbl_tree *tree, const rbl_tree_leaf_source *source, rbl_jobs *jobs)
{
	rbl_tree_pool *pool = tree->pool;
	uint32_t first = (uint32_t)tree->first_node;
	int count = tree->leaf_count - 1;
	if (rbl_jobs_worker_count(jobs) == 1) {
		RBL_PICK(rbl_tree_refit_run)(pool->nodes, first, first + (uint32_t)count, source, false);
		for (int i = 0; pool->metrics && i < count; ++i)
			rbl_tree_set_metrics(pool, first + (uint32_t)i);
		return;
	}
	refit_job job = { pool, source, first };
	rbl_parallel_for(jobs, count, REFIT_BLOCK, refit_block, &job);
	for (uint32_t i = first; i < first + (uint32_t)count; ++i)
		if (pool->nodes[i].flags & RBL_TREE_DIRTY) {
			RBL_PICK(rbl_tree_refit_run)(pool->nodes, i, i + 1, source, false);
			if (pool->metrics)
				rbl_tree_set_metrics(pool, i);
		}
}

static void refit_all(rbl_tree *tree, const rbl_tree_leaf_source *source, rbl_jobs *jobs)
{
	rbl_tree_pool *pool = tree->pool;
	tree->is_dirty = false;
	if (tree->root == RBL_TREE_NONE)
		return;
	if (rbl_tree_is_leaf(tree->root)) {
		const uint32_t leaf = rbl_tree_leaf_id(tree->root);
		if (source->boxes)
			tree->bounds = source->boxes[leaf];
		else
			RBL_PICK(rbl_tree_box_run)
		(&tree->bounds, source->positions, source->triangles + 3 * (size_t)leaf, 0, 1);
		return;
	}
	if (tree->first_node < 0)
		refit_scattered(pool, tree->root, source);
	else
		refit_run(tree, source, jobs);
	tree->bounds = rbl_tree_node_box(&pool->nodes[tree->root]);
}

void rbl_tree_refit(rbl_tree *tree, const rbl_box *boxes_by_leaf, rbl_jobs *jobs)
{
	rbl_tree_leaf_source source = { .boxes = boxes_by_leaf };
	refit_all(tree, &source, jobs);
}

void rbl_tree_refit_triangles(rbl_tree *tree, const rbl_vec3 *positions, const int *triangles,
                              rbl_jobs *jobs)
{
	rbl_tree_leaf_source source = { .positions = positions, .triangles = triangles };
	refit_all(tree, &source, jobs);
}

typedef struct box_job {
	rbl_box *boxes;
	const rbl_vec3 *positions;
	const int *triangles;
} box_job;

static void box_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const box_job *job = context;
	RBL_PICK(rbl_tree_box_run)(job->boxes, job->positions, job->triangles, begin, end);
}

void rbl_tree_triangle_boxes(rbl_box *boxes, const rbl_vec3 *positions, const int *triangles,
                             int count, rbl_jobs *jobs)
{
	box_job job = { boxes, positions, triangles };
	rbl_parallel_for(jobs, count, REFIT_BLOCK, box_block, &job);
}
