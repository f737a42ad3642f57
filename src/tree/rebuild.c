// SPDX-License-Identifier: MIT
//
// Rebuilding a part of a worn tree.
//
// A part is the upper portion of some sub-tree: from its root, nodes are opened, those of largest
// volume first, until enough sub-trees lie open. A builder puts the open sub-trees together again,
// and joins from below balance what it made, since they differ in height.
//
// Otaduy et al. 2007 (section 5.3) rebuild all at once when Q > 2.3, and show the spikes.

#include "tree/node.h"

void rbl_tree_rebuilder_init(rbl_tree_rebuilder *rebuilder, const rbl_allocator *allocator)
{
	*rebuilder = (rbl_tree_rebuilder){ .builder = RBL_TREE_BUILD_MEDIAN,
		                               .allocator = rbl_allocator_or_default(allocator) };
	rbl_tree_pool_init(&rebuilder->scratch, &rebuilder->allocator, 0);
}

void rbl_tree_rebuilder_destroy(rbl_tree_rebuilder *rebuilder)
{
	rbl_array_free(&rebuilder->allocator, &rebuilder->spares);
	rbl_array_free(&rebuilder->allocator, &rebuilder->items);
	rbl_array_free(&rebuilder->allocator, &rebuilder->boxes);
	rbl_tree_pool_destroy(&rebuilder->scratch);
}

// A heap of open sub-trees by volume, the largest on top; leaves count as smaller than any node.
static double heap_key(const rbl_tree_rebuilder *r, int i)
{
	return rbl_tree_is_leaf(r->items.data[i]) ? -1.0 : rbl_tree_volume(r->boxes.data[i]);
}

static void heap_swap(rbl_tree_rebuilder *r, int a, int b)
{
	uint32_t item = r->items.data[a];
	rbl_box box = r->boxes.data[a];
	r->items.data[a] = r->items.data[b], r->boxes.data[a] = r->boxes.data[b];
	r->items.data[b] = item, r->boxes.data[b] = box;
}

static void heap_sink(rbl_tree_rebuilder *r, int count)
{
	for (int i = 0;;) {
		int largest = i;
		for (int child = 2 * i + 1; child <= 2 * i + 2 && child < count; ++child)
			if (heap_key(r, child) > heap_key(r, largest))
				largest = child;
		if (largest == i)
			return;
		heap_swap(r, i, largest);
		i = largest;
	}
}

static void heap_rise(rbl_tree_rebuilder *r, int i)
{
	for (int parent = (i - 1) / 2; i > 0 && heap_key(r, i) > heap_key(r, parent);
	     i = parent, parent = (i - 1) / 2)
		heap_swap(r, i, parent);
}

// Open nodes of a sub-tree. The opened ones are listed in `spares`. @return the number of items
static int open_nodes(rbl_tree_rebuilder *r, const rbl_tree_pool *pool, uint32_t root, int limit)
{
	int count = 0, opened = 0;
	r->items.data[count] = root;
	r->boxes.data[count++] = rbl_tree_node_box(&pool->nodes[root]);
	while (count < limit && !rbl_tree_is_leaf(r->items.data[0])) {
		uint32_t index = r->items.data[0];
		const rbl_tree_node *node = &pool->nodes[index];
		r->spares.data[opened++] = index;
		r->items.data[0] = node->children[0], r->boxes.data[0] = node->boxes[0];
		heap_sink(r, count);
		r->items.data[count] = node->children[1], r->boxes.data[count] = node->boxes[1];
		heap_rise(r, count++);
	}
	return count;
}

// Lay the nodes that the builder made over the items into the opened ones.
static void transplant(const rbl_tree_rebuilder *r, const rbl_tree *made, rbl_tree_pool *pool)
{
	for (int i = 0; i < made->leaf_count - 1; ++i) {
		const rbl_tree_node *from = &r->scratch.nodes[made->first_node + i];
		uint32_t index = r->spares.data[i];
		rbl_tree_node *to = &pool->nodes[index];
		to->flags = RBL_TREE_DIRTY;
		for (int side = 0; side < 2; ++side) {
			uint32_t child = from->children[side];
			to->boxes[side] = from->boxes[side];
			to->children[side] = rbl_tree_is_leaf(child)
			                         ? r->items.data[rbl_tree_leaf_id(child)]
			                         : r->spares.data[(int)child - made->first_node];
			rbl_tree_set_parent(pool, to->children[side], index);
		}
		rbl_tree_set_height(pool, index);
	}
}

// Put the new sub-tree in the place of the old one, and balance it and the path above.
static void replace_subtree(rbl_tree *tree, const uint32_t *made, int made_count, uint32_t parent,
                            int side)
{
	rbl_tree_pool *pool = tree->pool;
	uint32_t root = made[made_count - 1];
	pool->nodes[root].parent = parent;
	if (parent == RBL_TREE_NONE)
		tree->root = root;
	else
		pool->nodes[parent].children[side] = root;
	tree->is_dirty = true;
	tree->first_node = -1;
	if (!tree->is_balanced) {
		if (parent != RBL_TREE_NONE)
			rbl_tree_climb(pool, parent, false);
		if (rbl_tree_height(tree) > RBL_TREE_MAX_HEIGHT - 2)
			rbl_tree_balance(tree);
		return;
	}
	for (int i = 0; i < made_count; ++i)
		rbl_tree_balance_node(tree, made[i]);
	while (parent != RBL_TREE_NONE) {
		uint32_t above = pool->nodes[parent].parent;
		rbl_tree_balance_node(tree, parent);
		parent = above;
	}
}

rbl_result rbl_tree_rebuild_part(rbl_tree_rebuilder *r, rbl_tree *tree, uint32_t node,
                                 int item_limit, int *work)
{
	rbl_tree_pool *pool = tree->pool;
	int limit = item_limit < tree->leaf_count ? item_limit : tree->leaf_count;
	*work = 0;
	if (!rbl_array_reserve(&r->allocator, &r->boxes, limit) ||
	    !rbl_array_reserve(&r->allocator, &r->items, limit) ||
	    !rbl_array_reserve(&r->allocator, &r->spares, limit))
		return RBL_OUT_OF_MEMORY;
	rbl_tree_update(tree, 0);
	int count = open_nodes(r, pool, node, limit);
	if (count < 2)
		return RBL_OK;
	rbl_tree made = rbl_tree_make(&r->scratch);
	rbl_tree_build_input input = {
		.builder = r->builder, .count = count, .boxes = r->boxes.data, .grid_leaves = r->grid_leaves
	};
	rbl_result result = rbl_tree_build(&made, &input);
	if (result != RBL_OK)
		return result;
	uint32_t parent = pool->nodes[node].parent;
	int side = parent == RBL_TREE_NONE ? 0 : rbl_tree_side(&pool->nodes[parent], node);
	transplant(r, &made, pool);
	rbl_tree_clear(&made);
	replace_subtree(tree, r->spares.data, count - 1, parent, side);
	rbl_tree_update(tree, 0);
	*work = count;
	return RBL_OK;
}
