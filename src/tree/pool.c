// SPDX-License-Identifier: MIT
//
// Memory of trees: nodes with a free list, the leaf table, optional arrays.
//
// The last node given back is the first one reused, so indices repeat from run to run. All arrays
// grow together or not at all.

#include "tree/node.h"

#include "base/log.h"

enum { ARRAYS = 4 };

// All arrays of a pool, with space for as many nodes and leaves. @return how many
static int list_arrays(rbl_tree_pool *pool, int nodes, int leaves, rbl_growth arrays[ARRAYS])
{
	int count = 0, used = pool->node_end, *capacity = &pool->node_capacity;
	arrays[count++] =
		(rbl_growth){ &pool->nodes, sizeof *pool->nodes, used, capacity, nodes, NULL };
	if (pool->has_counts)
		arrays[count++] =
			(rbl_growth){ &pool->counts, sizeof *pool->counts, used, capacity, nodes, NULL };
	if (pool->has_metrics)
		arrays[count++] =
			(rbl_growth){ &pool->metrics, sizeof *pool->metrics, used, capacity, nodes, NULL };
	arrays[count++] = (rbl_growth){ &pool->leaf_parents,
		                            sizeof *pool->leaf_parents,
		                            pool->leaf_capacity,
		                            &pool->leaf_capacity,
		                            leaves,
		                            NULL };
	return count;
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
	rbl_growth growths[ARRAYS];
	rbl_free_together(&pool->allocator, growths, list_arrays(pool, 0, 0, growths));
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
	rbl_growth arrays[ARRAYS];
	int leaf_end = pool->leaf_capacity;
	if (!rbl_grow_together(&pool->allocator, arrays,
	                       list_arrays(pool, node_capacity, leaf_capacity, arrays)))
		return RBL_OUT_OF_MEMORY;
	for (int i = leaf_end; i < pool->leaf_capacity; ++i)
		pool->leaf_parents[i] = RBL_TREE_ABSENT;
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

rbl_result rbl_tree_pool_reserve_more(rbl_tree_pool *pool, int count, uint32_t leaf_end)
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

rbl_box rbl_tree_leaf_box(const rbl_tree *tree, uint32_t leaf)
{
	RBL_ASSERT(rbl_tree_has_leaf(tree->pool, leaf));
	uint32_t parent = tree->pool->leaf_parents[leaf];
	if (parent == RBL_TREE_NONE)
		return tree->bounds;
	const rbl_tree_node *node = &tree->pool->nodes[parent];
	return node->boxes[rbl_tree_side(node, leaf | RBL_TREE_LEAF)];
}
