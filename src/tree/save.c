// SPDX-License-Identifier: MIT
//
// A tree as bytes. Which node lies where decides in which order queries report, and so what comes
// after: nodes are written with their places, free ones and all. Parents of leaves follow from the
// nodes. What is read is walked in full before anybody trusts it.

#include "tree/node.h"

enum { WORDS = 15 }; // boxes, children, parent; height and flags are halves

void rbl_tree_save(const rbl_tree *tree, rbl_blob_writer *w)
{
	const rbl_tree_pool *pool = tree->pool;
	RBL_ASSERT(!pool->has_counts && !pool->has_metrics);
	rbl_blob_put32(w, (uint32_t)pool->node_end);
	rbl_blob_put32(w, (uint32_t)pool->free_count);
	rbl_blob_put32(w, pool->first_free);
	for (int i = 0; i < pool->node_end; ++i) {
		const rbl_tree_node *node = &pool->nodes[i];
		rbl_blob_put_words(w, node, WORDS);
		rbl_blob_put_halves(w, &node->height, 1);
		rbl_blob_put_halves(w, &node->flags, 1);
	}
	rbl_blob_put32(w, tree->root);
	rbl_blob_put32(w, (uint32_t)tree->leaf_count);
	rbl_blob_put_words(w, &tree->bounds, 6);
	rbl_blob_put32(w, (uint32_t)tree->first_node);
	rbl_blob_put_bool(w, tree->is_balanced);
	rbl_blob_put_bool(w, tree->is_dirty);
}

static bool get_nodes(rbl_blob_reader *r, rbl_tree_pool *pool, int leaf_end)
{
	int count = rbl_blob_get_count(r, sizeof(rbl_tree_node));
	int free_count = rbl_blob_get_int(r, 0, count);
	uint32_t first_free = rbl_blob_get32(r);
	if (r->is_bad)
		return false;
	if (rbl_tree_pool_reserve(pool, count, leaf_end) != RBL_OK) {
		r->out_of_memory = true;
		return false;
	}
	for (int i = 0; i < count; ++i) {
		rbl_blob_get_words(r, &pool->nodes[i], WORDS);
		rbl_blob_get_halves(r, &pool->nodes[i].height, 1);
		rbl_blob_get_halves(r, &pool->nodes[i].flags, 1);
	}
	pool->node_end = count;
	pool->free_count = free_count;
	pool->first_free = first_free;
	return !r->is_bad;
}

// The chain of free nodes visits as many as it says, each once: more than there are would be a
// ring.
static bool check_free(const rbl_tree_pool *pool, uint8_t *marks)
{
	uint32_t node = pool->first_free;
	for (int i = 0; i < pool->free_count; ++i) {
		if (node >= (uint32_t)pool->node_end || marks[node])
			return false;
		marks[node] = 1;
		node = pool->nodes[node].parent;
	}
	return true;
}

// Set the parents of leaves below a node that is reached for the first time.
static bool enter_node(rbl_tree *tree, uint32_t index, uint8_t *marks, int leaf_end)
{
	rbl_tree_pool *pool = tree->pool;
	if (index >= (uint32_t)pool->node_end || marks[index])
		return false;
	marks[index] = 1;
	for (int side = 0; side < 2; ++side) {
		uint32_t child = pool->nodes[index].children[side];
		if (!rbl_tree_is_leaf(child))
			continue;
		uint32_t leaf = rbl_tree_leaf_id(child);
		if (leaf >= (uint32_t)leaf_end || rbl_tree_has_leaf(pool, leaf))
			return false;
		pool->leaf_parents[leaf] = index;
	}
	return true;
}

// Every node is in the tree or free, and none is in it twice.
static bool walk(rbl_tree *tree, uint8_t *marks, int leaf_end)
{
	rbl_tree_pool *pool = tree->pool;
	if (!check_free(pool, marks) ||
	    pool->node_end - pool->free_count != rbl_maxi(tree->leaf_count - 1, 0))
		return false;
	if (tree->root == RBL_TREE_NONE)
		return tree->leaf_count == 0;
	if (rbl_tree_is_leaf(tree->root)) {
		uint32_t leaf = rbl_tree_leaf_id(tree->root);
		if (leaf >= (uint32_t)leaf_end || tree->leaf_count != 1)
			return false;
		pool->leaf_parents[leaf] = RBL_TREE_NONE;
		return true;
	}
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = tree->root;
	while (top > 0) {
		uint32_t index = stack[--top];
		if (!enter_node(tree, index, marks, leaf_end))
			return false;
		for (int side = 1; side >= 0; --side) {
			uint32_t child = pool->nodes[index].children[side];
			if (rbl_tree_is_leaf(child))
				continue;
			if (top == RBL_TREE_MAX_HEIGHT + 2)
				return false;
			stack[top++] = child;
		}
	}
	return true;
}

bool rbl_tree_load(rbl_blob_reader *r, rbl_tree_pool *pool, int leaf_end, rbl_tree *tree)
{
	RBL_ASSERT(pool->node_end == 0 && !pool->has_counts && !pool->has_metrics);
	*tree = rbl_tree_make(pool);
	if (!get_nodes(r, pool, leaf_end))
		return false;
	tree->root = rbl_blob_get32(r);
	tree->leaf_count = rbl_blob_get_int(r, 0, leaf_end);
	rbl_blob_get_words(r, &tree->bounds, 6);
	tree->first_node = rbl_blob_get_int(r, -1, pool->node_end);
	tree->is_balanced = rbl_blob_get_bool(r);
	tree->is_dirty = rbl_blob_get_bool(r);
	if (r->is_bad)
		return false;
	uint8_t *marks = RBL_NEW_ZERO(&pool->allocator, uint8_t, pool->node_end + 1);
	r->out_of_memory |= !marks;
	bool has_run = tree->first_node < 0 ||
	               tree->first_node + rbl_maxi(tree->leaf_count - 1, 0) <= pool->node_end;
	bool is_tree = marks && has_run && walk(tree, marks, leaf_end) && !rbl_tree_check(tree);
	RBL_FREE(&pool->allocator, marks, pool->node_end + 1);
	return rbl_blob_expect(r, is_tree || r->out_of_memory, "a tree is no tree") &&
	       !r->out_of_memory;
}
