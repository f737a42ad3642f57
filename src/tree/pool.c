// SPDX-License-Identifier: MIT
//
// Memory of trees: nodes with a free list, the leaf table, optional arrays.
//
// The last node given back is the first one reused, so indices repeat from run to run. All arrays
// by node grow together or not at all.

#include "tree/node.h"

#include "base/log.h"

static bool grow_nodes(rbl_tree_pool *pool, int capacity)
{
	if (capacity <= pool->node_capacity)
		return true;
	int old = pool->node_capacity;
	rbl_tree_node *nodes = RBL_NEW(&pool->allocator, rbl_tree_node, capacity);
	int *counts = pool->has_counts ? RBL_NEW(&pool->allocator, int, capacity) : NULL;
	rbl_tree_metrics *metrics =
		pool->has_metrics ? RBL_NEW(&pool->allocator, rbl_tree_metrics, capacity) : NULL;
	if (!nodes || (pool->has_counts && !counts) || (pool->has_metrics && !metrics)) {
		RBL_FREE(&pool->allocator, metrics, capacity);
		RBL_FREE(&pool->allocator, counts, capacity);
		RBL_FREE(&pool->allocator, nodes, capacity);
		return false;
	}
	size_t used = (size_t)pool->node_end;
	if (used > 0) {
		memcpy(nodes, pool->nodes, used * sizeof *nodes);
		if (counts)
			memcpy(counts, pool->counts, used * sizeof *counts);
		if (metrics)
			memcpy(metrics, pool->metrics, used * sizeof *metrics);
	}
	RBL_FREE(&pool->allocator, pool->metrics, old);
	RBL_FREE(&pool->allocator, pool->counts, old);
	RBL_FREE(&pool->allocator, pool->nodes, old);
	pool->nodes = nodes, pool->counts = counts, pool->metrics = metrics;
	pool->node_capacity = capacity;
	return true;
}

static bool grow_leaves(rbl_tree_pool *pool, int capacity)
{
	if (capacity <= pool->leaf_capacity)
		return true;
	uint32_t *parents = RBL_NEW(&pool->allocator, uint32_t, capacity);
	if (!parents)
		return false;
	for (int i = 0; i < capacity; ++i)
		parents[i] = i < pool->leaf_capacity ? pool->leaf_parents[i] : RBL_TREE_ABSENT;
	RBL_FREE(&pool->allocator, pool->leaf_parents, pool->leaf_capacity);
	pool->leaf_parents = parents;
	pool->leaf_capacity = capacity;
	return true;
}

void rbl_tree_pool_init(rbl_tree_pool *pool, const rbl_allocator *allocator, unsigned arrays)
{
	*pool = (rbl_tree_pool){ .allocator = rbl_allocator_or_default(allocator),
		                     .has_counts = (arrays & RBL_TREE_COUNTS) != 0,
		                     .has_metrics = (arrays & RBL_TREE_METRICS) != 0,
		                     .first_free = RBL_TREE_NONE };
	rbl_arena_init(&pool->scratch, &pool->allocator, 4096);
}

void rbl_tree_pool_destroy(rbl_tree_pool *pool)
{
	if (pool->tops) {
		rbl_tree_rebuilder_destroy(pool->tops);
		RBL_FREE(&pool->allocator, pool->tops, 1);
	}
	rbl_arena_destroy(&pool->scratch);
	RBL_FREE(&pool->allocator, pool->leaf_parents, pool->leaf_capacity);
	RBL_FREE(&pool->allocator, pool->metrics, pool->node_capacity);
	RBL_FREE(&pool->allocator, pool->counts, pool->node_capacity);
	RBL_FREE(&pool->allocator, pool->nodes, pool->node_capacity);
	rbl_allocator allocator = pool->allocator;
	unsigned arrays =
		(pool->has_counts ? RBL_TREE_COUNTS : 0u) | (pool->has_metrics ? RBL_TREE_METRICS : 0u);
	rbl_tree_pool_init(pool, &allocator, arrays);
}

rbl_result rbl_tree_pool_reserve(rbl_tree_pool *pool, int node_capacity, int leaf_capacity)
{
	if (node_capacity > RBL_TREE_MAX_LEAVES || leaf_capacity > RBL_TREE_MAX_LEAVES)
		return rbl_fail(RBL_LIMIT_REACHED, "a tree pool of %d nodes and %d leaves is too large",
		                node_capacity, leaf_capacity);
	// A leaf table that grew before the nodes failed to is still right: only capacity changed.
	if (!grow_leaves(pool, leaf_capacity) || !grow_nodes(pool, node_capacity))
		return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// Capacities at least grow by half, so that single inserts cost O(1) of copying.
static int grown(int capacity, int needed)
{
	if (needed <= capacity)
		return capacity;
	int larger = capacity + capacity / 2 + 16;
	if (larger > RBL_TREE_MAX_LEAVES)
		larger = RBL_TREE_MAX_LEAVES;
	return needed > larger ? needed : larger;
}

rbl_result rbl_tree_reserve_more(rbl_tree_pool *pool, int count, uint32_t leaf_end)
{
	if (leaf_end > RBL_TREE_MAX_LEAVES || count > RBL_TREE_MAX_LEAVES)
		return rbl_fail(RBL_LIMIT_REACHED, "leaf ids must be below %d", RBL_TREE_MAX_LEAVES);
	int needed = pool->node_end - pool->free_count + count;
	return rbl_tree_pool_reserve(pool, grown(pool->node_capacity, needed),
	                             grown(pool->leaf_capacity, (int)leaf_end));
}

size_t rbl_tree_pool_memory(const rbl_tree_pool *pool)
{
	size_t node = sizeof *pool->nodes + (pool->has_counts ? sizeof *pool->counts : 0) +
	              (pool->has_metrics ? sizeof *pool->metrics : 0);
	return (size_t)pool->node_capacity * node + (size_t)pool->leaf_capacity * sizeof(uint32_t);
}

uint32_t rbl_tree_take_node(rbl_tree_pool *pool)
{
	if (pool->free_count == 0) {
		RBL_ASSERT(pool->node_end < pool->node_capacity);
		return (uint32_t)pool->node_end++;
	}
	uint32_t node = pool->first_free;
	pool->first_free = pool->nodes[node].parent;
	pool->free_count--;
	return node;
}

void rbl_tree_return_node(rbl_tree_pool *pool, uint32_t node)
{
	pool->nodes[node].parent = pool->first_free;
	pool->nodes[node].height = 0; // no live node has it
	pool->first_free = node;
	pool->free_count++;
}

rbl_tree rbl_tree_make(rbl_tree_pool *pool)
{
	return (rbl_tree){ .pool = pool,
		               .root = RBL_TREE_NONE,
		               .bounds = rbl_box_empty(),
		               .first_node = -1,
		               .is_balanced = true };
}

int rbl_tree_collect_leaves(const rbl_tree_pool *pool, uint32_t child, uint32_t *leaves)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0, count = 0;
	stack[top++] = child;
	while (top > 0) {
		uint32_t reference = stack[--top];
		if (rbl_tree_is_leaf(reference)) {
			leaves[count++] = rbl_tree_leaf_id(reference);
			continue;
		}
		stack[top++] = pool->nodes[reference].children[1];
		stack[top++] = pool->nodes[reference].children[0];
	}
	return count;
}

void rbl_tree_number_leaves(rbl_tree *tree, const uint32_t *leaves)
{
	rbl_tree_pool *pool = tree->pool;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2]; // node << 1 | side
	int top = 0;
	if (rbl_tree_is_leaf(tree->root))
		return;
	stack[top++] = tree->root << 1 | 1;
	stack[top++] = tree->root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], *child = &pool->nodes[entry >> 1].children[entry & 1];
		if (!rbl_tree_is_leaf(*child)) {
			stack[top++] = *child << 1 | 1;
			stack[top++] = *child << 1;
			continue;
		}
		*child = *leaves | RBL_TREE_LEAF;
		pool->leaf_parents[*leaves++] = entry >> 1;
	}
}

void rbl_tree_clear(rbl_tree *tree)
{
	rbl_tree_pool *pool = tree->pool;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (tree->root != RBL_TREE_NONE)
		stack[top++] = tree->root;
	while (top > 0) {
		uint32_t reference = stack[--top];
		if (rbl_tree_is_leaf(reference)) {
			pool->leaf_parents[rbl_tree_leaf_id(reference)] = RBL_TREE_ABSENT;
			continue;
		}
		stack[top++] = pool->nodes[reference].children[1];
		stack[top++] = pool->nodes[reference].children[0];
		rbl_tree_return_node(pool, reference);
	}
	if (pool->free_count == pool->node_end) { // nothing lives: start over, in order
		pool->node_end = pool->free_count = 0;
		pool->first_free = RBL_TREE_NONE;
	}
	*tree = rbl_tree_make(pool);
}

rbl_result rbl_tree_clone(const rbl_tree *tree, rbl_tree_pool *pool, rbl_tree *clone)
{
	const rbl_tree_pool *from = tree->pool;
	RBL_ASSERT(pool->node_end == 0 && pool != from);
	RBL_ASSERT(from->node_end - from->free_count == rbl_maxi(tree->leaf_count - 1, 0));
	rbl_result result = rbl_tree_pool_reserve(pool, from->node_end, from->leaf_capacity);
	if (result != RBL_OK)
		return result;
	size_t nodes = (size_t)from->node_end;
	if (nodes > 0)
		memcpy(pool->nodes, from->nodes, nodes * sizeof *pool->nodes);
	if (nodes > 0 && pool->counts && from->counts)
		memcpy(pool->counts, from->counts, nodes * sizeof *pool->counts);
	if (nodes > 0 && pool->metrics && from->metrics)
		memcpy(pool->metrics, from->metrics, nodes * sizeof *pool->metrics);
	if (from->leaf_capacity > 0)
		memcpy(pool->leaf_parents, from->leaf_parents,
		       (size_t)from->leaf_capacity * sizeof *pool->leaf_parents);
	pool->node_end = from->node_end;
	pool->free_count = from->free_count;
	pool->first_free = from->first_free;
	*clone = *tree;
	clone->pool = pool;
	return RBL_OK;
}

rbl_box rbl_tree_leaf_box(const rbl_tree *tree, uint32_t leaf)
{
	RBL_ASSERT(rbl_tree_has_leaf(tree->pool, leaf));
	uint32_t parent = tree->pool->leaf_parents[leaf];
	if (parent == RBL_TREE_NONE)
		return tree->bounds;
	const rbl_tree_node *node = &tree->pool->nodes[parent];
	return node->boxes[rbl_tree_side(node, leaf | RBL_TREE_LEAF)];
}
