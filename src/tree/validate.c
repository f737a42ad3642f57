// SPDX-License-Identifier: MIT
//
// Everything that must hold in a tree, looked at in full. The reference of the fast code: it shares
// none of it.

#include "tree/node.h"

static bool same_box(rbl_box a, rbl_box b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (rbl_box_contains(a, b) && rbl_box_contains(b, a));
}

static bool same_metrics(const rbl_tree_pool *pool, uint32_t index)
{
	rbl_tree_metrics kept = pool->metrics[index], *slot = &pool->metrics[index];
	rbl_tree_pool copy = *pool;
	rbl_tree_set_metrics(&copy, index);
	rbl_tree_metrics now = *slot;
	*slot = kept;
	return memcmp(&kept, &now, sizeof now) == 0;
}

static const char *check_child(const rbl_tree *tree, uint32_t index, int side)
{
	const rbl_tree_pool *pool = tree->pool;
	const rbl_tree_node *node = &pool->nodes[index];
	uint32_t child = node->children[side];
	if (!rbl_box_is_valid(node->boxes[side]))
		return "a box is empty or not finite";
	if (rbl_tree_is_leaf(child)) {
		uint32_t leaf = rbl_tree_leaf_id(child);
		if (leaf >= (uint32_t)pool->leaf_capacity || pool->leaf_parents[leaf] != index)
			return "the leaf table does not point to a leaf's node";
		return NULL;
	}
	if (child >= (uint32_t)pool->node_end || pool->nodes[child].parent != index)
		return "a child does not know its parent";
	const rbl_tree_node *below = &pool->nodes[child];
	rbl_box tight = rbl_tree_node_box(below);
	if (!rbl_box_contains(node->boxes[side], tight))
		return "a box does not contain what is below";
	bool is_dirty = (below->flags & RBL_TREE_DIRTY) != 0;
	if (is_dirty && !(node->flags & RBL_TREE_DIRTY))
		return "a dirty node has a clean parent";
	if (!is_dirty && !same_box(node->boxes[side], tight))
		return "the box of a clean node is loose";
	return NULL;
}

static const char *check_node(const rbl_tree *tree, uint32_t index)
{
	const rbl_tree_pool *pool = tree->pool;
	const rbl_tree_node *node = &pool->nodes[index];
	for (int side = 0; side < 2; ++side) {
		const char *wrong = check_child(tree, index, side);
		if (wrong)
			return wrong;
	}
	int a = rbl_tree_height_of(pool, node->children[0]);
	int b = rbl_tree_height_of(pool, node->children[1]);
	if (node->height != 1 + (a > b ? a : b))
		return "a height is wrong";
	if (tree->is_balanced && (a - b > 1 || b - a > 1))
		return "a node of a balanced tree is out of balance";
	if (node->height > RBL_TREE_MAX_HEIGHT)
		return "the tree is too high";
	if (pool->counts && pool->counts[index] != rbl_tree_count_of(pool, node->children[0]) +
	                                               rbl_tree_count_of(pool, node->children[1]))
		return "a count is wrong";
	if (pool->metrics && !(node->flags & RBL_TREE_DIRTY) && !same_metrics(pool, index))
		return "the metrics of a clean node are stale";
	return NULL;
}

static const char *check_root(const rbl_tree *tree)
{
	const rbl_tree_pool *pool = tree->pool;
	if (tree->root == RBL_TREE_NONE)
		return tree->leaf_count == 0 && rbl_box_is_empty(tree->bounds)
		           ? NULL
		           : "an empty tree has leaves or bounds";
	if (!rbl_box_is_valid(tree->bounds))
		return "the bounds are empty or not finite";
	if (rbl_tree_is_leaf(tree->root)) {
		uint32_t leaf = rbl_tree_leaf_id(tree->root);
		return rbl_tree_has_leaf(pool, leaf) && pool->leaf_parents[leaf] == RBL_TREE_NONE &&
		               tree->leaf_count == 1
		           ? NULL
		           : "a tree of one leaf is wrong";
	}
	const rbl_tree_node *root = &pool->nodes[tree->root];
	if (root->parent != RBL_TREE_NONE)
		return "the root has a parent";
	bool is_dirty = (root->flags & RBL_TREE_DIRTY) != 0;
	if (is_dirty && !tree->is_dirty)
		return "a tree with dirty nodes is not dirty";
	if (!rbl_box_contains(tree->bounds, rbl_tree_node_box(root)))
		return "the bounds do not contain the tree";
	if (!tree->is_dirty && !same_box(tree->bounds, rbl_tree_node_box(root)))
		return "the bounds are loose";
	return NULL;
}

// In a run a node comes right behind its second child, and that behind the sub-tree of the first.
static const char *check_run(const rbl_tree *tree)
{
	const rbl_tree_pool *pool = tree->pool;
	for (int i = tree->first_node; i < tree->first_node + tree->leaf_count - 1; ++i) {
		const uint32_t *children = pool->nodes[i].children;
		uint32_t last = (uint32_t)i - 1;
		for (int side = 1; side >= 0; --side) {
			if (rbl_tree_is_leaf(children[side]))
				continue;
			if (children[side] > last)
				return "a run has a parent before its child";
			if (pool->counts && children[side] != last)
				return "a run has a sub-tree that is none";
			last -= pool->counts ? (uint32_t)pool->counts[last] - 1 : 0;
		}
	}
	return NULL;
}

const char *rbl_tree_check(const rbl_tree *tree)
{
	const char *wrong = check_root(tree);
	if (wrong || tree->root == RBL_TREE_NONE)
		return wrong;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0, leaves = 0;
	stack[top++] = tree->root;
	while (top > 0) {
		uint32_t reference = stack[--top];
		if (rbl_tree_is_leaf(reference)) {
			leaves++;
			continue;
		}
		wrong = check_node(tree, reference);
		if (wrong)
			return wrong;
		if (top + 2 > RBL_TREE_MAX_HEIGHT + 2)
			return "the tree is too high";
		stack[top++] = tree->pool->nodes[reference].children[1];
		stack[top++] = tree->pool->nodes[reference].children[0];
	}
	if (leaves != tree->leaf_count)
		return "the number of leaves is wrong";
	return tree->first_node >= 0 ? check_run(tree) : NULL;
}
