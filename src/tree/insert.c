// SPDX-License-Identifier: MIT
//
// Changes of one leaf, joins of trees, and balance: AVL trees whose siblings have no order.
//
// Since siblings may be swapped freely, every rotation is one exchange: when child x of a is two
// levels higher than its sibling b, the higher child of x changes places with b. That is the
// rotation with pre-swap of Otaduy et al. 2007 (section 3.3.1), and there is no double rotation.
// Where both children of x are equally high, the one that stays with b is the one that fits.
//
// The same fact makes joins simple: a lower tree is hung beside any node of the higher one that
// has its height or one more, so the way down may follow the boxes.
//
// A climb sets each box from its children and ends where height and box stay as they were and
// the path is already dirty, so that changes close together share what lies above them.

#include "tree/node.h"

void rbl_tree_exchange(rbl_tree_pool *pool, uint32_t a, int side_a, uint32_t b, int side_b)
{
	rbl_tree_node *node_a = &pool->nodes[a], *node_b = &pool->nodes[b];
	uint32_t child = node_a->children[side_a];
	rbl_box box = node_a->boxes[side_a];
	node_a->children[side_a] = node_b->children[side_b];
	node_a->boxes[side_a] = node_b->boxes[side_b];
	node_b->children[side_b] = child;
	node_b->boxes[side_b] = box;
	rbl_tree_set_parent(pool, node_a->children[side_a], a);
	rbl_tree_set_parent(pool, child, b);
}

// Bring a node whose children differ by two levels into balance.
static void rotate(rbl_tree_pool *pool, uint32_t index)
{
	rbl_tree_node *node = &pool->nodes[index];
	int high = rbl_tree_balance_of(pool, node) < 0;
	uint32_t x = node->children[high];
	rbl_tree_node *child = &pool->nodes[x];
	int balance = rbl_tree_balance_of(pool, child);
	int up = balance < 0; // the child of x that goes up
	if (balance == 0) {
		rbl_box b = node->boxes[!high];
		float keep_0 = rbl_box_half_area(rbl_box_join(child->boxes[0], b));
		float keep_1 = rbl_box_half_area(rbl_box_join(child->boxes[1], b));
		up = keep_0 <= keep_1;
	}
	rbl_tree_exchange(pool, x, up, index, !high);
	child->flags |= RBL_TREE_DIRTY;
	rbl_tree_set_height(pool, x);
	node->boxes[high] = rbl_tree_node_box(child);
	rbl_tree_set_height(pool, index);
}

void rbl_tree_climb(rbl_tree_pool *pool, uint32_t index, bool is_balanced)
{
	while (index != RBL_TREE_NONE) {
		rbl_tree_node *node = &pool->nodes[index];
		int height = node->height;
		node->flags |= RBL_TREE_DIRTY;
		rbl_tree_set_height(pool, index);
		if (is_balanced) {
			int balance = rbl_tree_balance_of(pool, node);
			if (balance > 1 || balance < -1)
				rotate(pool, index);
		}
		if (node->parent == RBL_TREE_NONE)
			return;
		rbl_tree_node *parent = &pool->nodes[node->parent];
		rbl_box *slot = &parent->boxes[rbl_tree_side(parent, index)];
		rbl_box box = rbl_tree_node_box(node);
		bool is_done = node->height == height && (parent->flags & RBL_TREE_DIRTY) &&
		               !pool->counts && memcmp(slot, &box, sizeof box) == 0;
		if (is_done)
			return;
		*slot = box;
		index = node->parent;
	}
}

void rbl_tree_mark_dirty(rbl_tree *tree, uint32_t node)
{
	rbl_tree_node *nodes = tree->pool->nodes;
	for (; node != RBL_TREE_NONE && !(nodes[node].flags & RBL_TREE_DIRTY);
	     node = nodes[node].parent)
		nodes[node].flags |= RBL_TREE_DIRTY;
	tree->is_dirty = true;
}

// Make `spare` the node above two sub-trees, with no parent yet.
static void link_pair(rbl_tree_pool *pool, uint32_t spare, rbl_sub_tree a, rbl_sub_tree b)
{
	rbl_tree_node *node = &pool->nodes[spare];
	*node = (rbl_tree_node){ .boxes = { a.box, b.box },
		                     .children = { a.root, b.root },
		                     .parent = RBL_TREE_NONE,
		                     .flags = RBL_TREE_DIRTY };
	rbl_tree_set_parent(pool, a.root, spare);
	rbl_tree_set_parent(pool, b.root, spare);
	rbl_tree_set_height(pool, spare);
}

// The child whose box grows least, by area; of equals the smaller one.
static int best_side(const rbl_tree_node *node, rbl_box box)
{
	float grown[2], area[2];
	for (int side = 0; side < 2; ++side) {
		area[side] = rbl_box_half_area(node->boxes[side]);
		grown[side] = rbl_box_half_area(rbl_box_join(node->boxes[side], box)) - area[side];
	}
	return grown[1] < grown[0] || (grown[1] == grown[0] && area[1] < area[0]);
}

rbl_sub_tree rbl_tree_join_sub_trees(rbl_tree_pool *pool, rbl_sub_tree a, rbl_sub_tree b,
                                     uint32_t spare, bool is_balanced)
{
	if (rbl_tree_height_of(pool, a.root) < rbl_tree_height_of(pool, b.root)) {
		rbl_sub_tree swap = a;
		a = b, b = swap;
	}
	rbl_box box = rbl_box_join(a.box, b.box);
	int low = rbl_tree_height_of(pool, b.root);
	if (rbl_tree_height_of(pool, a.root) <= low + 1) {
		link_pair(pool, spare, a, b);
		return (rbl_sub_tree){ spare, box };
	}
	// Heights fall by one or two a level in a balanced tree, so the place found is as high as b
	// or one level higher. In others it may be lower, which costs height and nothing else.
	rbl_sub_tree place = a;
	uint32_t parent = RBL_TREE_NONE;
	int side = 0;
	while (rbl_tree_height_of(pool, place.root) > low + 1) {
		parent = place.root;
		side = best_side(&pool->nodes[parent], b.box);
		place.root = pool->nodes[parent].children[side];
		place.box = pool->nodes[parent].boxes[side];
	}
	link_pair(pool, spare, place, b);
	pool->nodes[parent].children[side] = spare;
	pool->nodes[parent].boxes[side] = rbl_tree_node_box(&pool->nodes[spare]);
	pool->nodes[spare].parent = parent;
	rbl_tree_climb(pool, parent, is_balanced);
	return (rbl_sub_tree){ a.root, box };
}

// After a change below the root: bounds, and the bound on the height of trees without balance.
static void finish_change(rbl_tree *tree)
{
	const rbl_tree_node *root = &tree->pool->nodes[tree->root];
	tree->bounds = rbl_tree_node_box(root);
	tree->is_dirty = true;
	tree->first_node = -1;
	if (root->height > RBL_TREE_MAX_HEIGHT - 2)
		rbl_tree_balance(tree);
}

static uint32_t find_place(const rbl_tree *tree, rbl_box box)
{
	uint32_t reference = tree->root;
	while (!rbl_tree_is_leaf(reference)) {
		const rbl_tree_node *node = &tree->pool->nodes[reference];
		reference = node->children[best_side(node, box)];
	}
	return rbl_tree_leaf_id(reference);
}

rbl_result rbl_tree_insert(rbl_tree *tree, uint32_t leaf, rbl_box box, uint32_t near)
{
	rbl_tree_pool *pool = tree->pool;
	RBL_ASSERT(!rbl_tree_has_leaf(pool, leaf) && rbl_box_is_valid(box));
	bool is_first = tree->root == RBL_TREE_NONE;
	if (leaf >= (uint32_t)pool->leaf_capacity ||
	    (pool->free_count == 0 && pool->node_end == pool->node_capacity)) {
		rbl_result result = rbl_tree_pool_reserve_more(pool, is_first ? 0 : 1, leaf + 1);
		if (result != RBL_OK)
			return result;
	}
	tree->leaf_count++;
	if (is_first) {
		pool->leaf_parents[leaf] = RBL_TREE_NONE;
		tree->root = leaf | RBL_TREE_LEAF;
		tree->bounds = box;
		return RBL_OK;
	}
	if (near == RBL_TREE_NONE)
		near = find_place(tree, box);
	RBL_ASSERT(rbl_tree_has_leaf(pool, near));
	uint32_t spare = rbl_tree_take_node(pool), parent = pool->leaf_parents[near];
	rbl_sub_tree place = { near | RBL_TREE_LEAF, rbl_tree_leaf_box(tree, near) };
	int side = parent == RBL_TREE_NONE ? 0 : rbl_tree_side(&pool->nodes[parent], place.root);
	link_pair(pool, spare, place, (rbl_sub_tree){ leaf | RBL_TREE_LEAF, box });
	if (parent == RBL_TREE_NONE) {
		tree->root = spare;
	} else {
		pool->nodes[parent].children[side] = spare;
		pool->nodes[parent].boxes[side] = rbl_tree_node_box(&pool->nodes[spare]);
		pool->nodes[spare].parent = parent;
		rbl_tree_climb(pool, parent, tree->is_balanced);
	}
	finish_change(tree);
	return RBL_OK;
}

void rbl_tree_remove(rbl_tree *tree, uint32_t leaf)
{
	rbl_tree_pool *pool = tree->pool;
	RBL_ASSERT(rbl_tree_has_leaf(pool, leaf));
	uint32_t index = pool->leaf_parents[leaf];
	pool->leaf_parents[leaf] = RBL_TREE_ABSENT;
	tree->leaf_count--;
	if (index == RBL_TREE_NONE) {
		tree->root = RBL_TREE_NONE;
		tree->bounds = rbl_box_empty();
		return;
	}
	const rbl_tree_node *node = &pool->nodes[index];
	int keep = !rbl_tree_side(node, leaf | RBL_TREE_LEAF);
	rbl_sub_tree sibling = { node->children[keep], node->boxes[keep] };
	uint32_t parent = node->parent;
	int side = parent == RBL_TREE_NONE ? 0 : rbl_tree_side(&pool->nodes[parent], index);
	rbl_tree_set_parent(pool, sibling.root, parent);
	rbl_tree_return_node(pool, index);
	if (parent != RBL_TREE_NONE) {
		pool->nodes[parent].children[side] = sibling.root;
		pool->nodes[parent].boxes[side] = sibling.box;
		rbl_tree_climb(pool, parent, tree->is_balanced);
		finish_change(tree);
		return;
	}
	tree->root = sibling.root;
	tree->bounds = sibling.box;
	tree->first_node = -1;
}

// The boxes above a leaf grow to hold it.
static void grow_path(rbl_tree *tree, uint32_t child, rbl_box box)
{
	rbl_tree_pool *pool = tree->pool;
	for (uint32_t index = pool->nodes[child].parent; index != RBL_TREE_NONE;
	     child = index, index = pool->nodes[index].parent) {
		rbl_tree_node *node = &pool->nodes[index];
		rbl_box *slot = &node->boxes[rbl_tree_side(node, child)];
		if (rbl_box_contains(*slot, box))
			return;
		*slot = rbl_box_join(*slot, box);
	}
	tree->bounds = rbl_box_join(tree->bounds, box);
}

void rbl_tree_move(rbl_tree *tree, uint32_t leaf, rbl_box box)
{
	rbl_tree_pool *pool = tree->pool;
	RBL_ASSERT(rbl_tree_has_leaf(pool, leaf) && rbl_box_is_valid(box));
	uint32_t index = pool->leaf_parents[leaf];
	if (index == RBL_TREE_NONE) {
		tree->bounds = box;
		return;
	}
	rbl_tree_node *node = &pool->nodes[index];
	node->boxes[rbl_tree_side(node, leaf | RBL_TREE_LEAF)] = box;
	grow_path(tree, index, box);
	rbl_tree_mark_dirty(tree, index);
	tree->bounds = rbl_box_join(tree->bounds, rbl_tree_node_box(&pool->nodes[tree->root]));
}

rbl_result rbl_tree_replace(rbl_tree *tree, uint32_t old_leaf, uint32_t new_leaf, rbl_box box)
{
	rbl_tree_pool *pool = tree->pool;
	RBL_ASSERT(rbl_tree_has_leaf(pool, old_leaf));
	RBL_ASSERT(old_leaf == new_leaf || !rbl_tree_has_leaf(pool, new_leaf));
	if (new_leaf >= (uint32_t)pool->leaf_capacity) {
		rbl_result result = rbl_tree_pool_reserve_more(pool, 0, new_leaf + 1);
		if (result != RBL_OK)
			return result;
	}
	uint32_t index = pool->leaf_parents[old_leaf];
	pool->leaf_parents[old_leaf] = RBL_TREE_ABSENT;
	pool->leaf_parents[new_leaf] = index;
	if (index == RBL_TREE_NONE) {
		tree->root = new_leaf | RBL_TREE_LEAF;
	} else {
		rbl_tree_node *node = &pool->nodes[index];
		node->children[rbl_tree_side(node, old_leaf | RBL_TREE_LEAF)] = new_leaf | RBL_TREE_LEAF;
	}
	rbl_tree_move(tree, new_leaf, box);
	return RBL_OK;
}

rbl_result rbl_tree_join(rbl_tree *tree, rbl_tree *other)
{
	rbl_tree_pool *pool = tree->pool;
	RBL_ASSERT(other->pool == pool && tree != other);
	if (other->root == RBL_TREE_NONE)
		return RBL_OK;
	if (tree->root == RBL_TREE_NONE) {
		*tree = *other;
		*other = rbl_tree_make(pool);
		return RBL_OK;
	}
	rbl_result result = rbl_tree_pool_reserve_more(pool, 1, 0);
	if (result != RBL_OK)
		return result;
	tree->is_balanced = tree->is_balanced && other->is_balanced;
	rbl_sub_tree joined = rbl_tree_join_sub_trees(pool, (rbl_sub_tree){ tree->root, tree->bounds },
	                                              (rbl_sub_tree){ other->root, other->bounds },
	                                              rbl_tree_take_node(pool), tree->is_balanced);
	tree->root = joined.root;
	tree->leaf_count += other->leaf_count;
	finish_change(tree);
	*other = rbl_tree_make(pool);
	return RBL_OK;
}

void rbl_tree_balance_node(rbl_tree *tree, uint32_t index)
{
	rbl_tree_pool *pool = tree->pool;
	rbl_tree_node *node = &pool->nodes[index];
	for (int side = 0; side < 2; ++side) {
		uint32_t child = node->children[side];
		if (!rbl_tree_is_leaf(child))
			node->flags |= pool->nodes[child].flags & RBL_TREE_DIRTY;
	}
	int balance = rbl_tree_balance_of(pool, node);
	if (balance <= 1 && balance >= -1) {
		rbl_tree_set_height(pool, index);
		return;
	}
	uint32_t parent = node->parent;
	int side = parent == RBL_TREE_NONE ? 0 : rbl_tree_side(&pool->nodes[parent], index);
	rbl_sub_tree parts[2];
	for (int k = 0; k < 2; ++k) {
		parts[k] = (rbl_sub_tree){ node->children[k], node->boxes[k] };
		rbl_tree_set_parent(pool, parts[k].root, RBL_TREE_NONE);
	}
	rbl_sub_tree joined = rbl_tree_join_sub_trees(pool, parts[0], parts[1], index, true);
	rbl_tree_set_parent(pool, joined.root, parent);
	if (parent == RBL_TREE_NONE) {
		tree->root = joined.root;
	} else {
		pool->nodes[parent].children[side] = joined.root;
		pool->nodes[parent].boxes[side] = joined.box;
	}
}

void rbl_tree_balance(rbl_tree *tree)
{
	rbl_tree_pool *pool = tree->pool;
	tree->is_balanced = true;
	if (rbl_tree_is_leaf(tree->root))
		return;
	// An entry with its low bit set has its children behind it. A change may have made the tree
	// two levels higher than the rest of the room expects.
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 8];
	int top = 0;
	stack[top++] = tree->root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], index = entry >> 1;
		if (entry & 1) {
			rbl_tree_balance_node(tree, index);
			continue;
		}
		stack[top++] = entry | 1;
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(pool->nodes[index].children[side]))
				stack[top++] = pool->nodes[index].children[side] << 1;
	}
	tree->is_dirty = tree->is_dirty || (pool->nodes[tree->root].flags & RBL_TREE_DIRTY);
	tree->first_node = -1;
	RBL_VALIDATE(!rbl_tree_check(tree));
}
