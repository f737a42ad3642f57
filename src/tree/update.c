// SPDX-License-Identifier: MIT
//
// The pass over dirty nodes, permutations of grandchildren, and the metrics of whole trees.
//
// Otaduy et al. 2007 (section 4.3) refit and permute every node after each cut. Here only nodes
// on a path from a change to the root are dirty, each is visited once however many changes lie
// below it, and children come before parents.
//
// A permutation exchanges two sub-trees below a node and makes one or two new boxes. It is taken
// when the sum of their squared volumes falls, or stays (flat boxes) while the sum of areas falls.
// The paper exchanges grandchildren; a child and a grandchild of the other side are tried, too.
// None changes the height of the node, so balance above never breaks.

#include "tree/node.h"

typedef struct fit_cost {
	double squares;
	float area;
} fit_cost;

static fit_cost cost_of(rbl_box a)
{
	double volume = rbl_tree_volume(a);
	return (fit_cost){ volume * volume, rbl_box_half_area(a) };
}

static fit_cost add_cost(fit_cost a, fit_cost b)
{
	return (fit_cost){ a.squares + b.squares, a.area + b.area };
}

static bool is_cheaper(fit_cost a, fit_cost b)
{
	return a.squares < b.squares || (a.squares == b.squares && a.area < b.area);
}

static bool in_balance(int a, int b)
{
	return a - b <= 1 && b - a <= 1;
}

// One exchange below a node: child `side_a` of `a` with child `side_b` of `b`.
typedef struct exchange {
	uint32_t a, b;
	int side_a, side_b;
} exchange;

// Grandchildren of both sides: {l0 l1 | r0 r1} becomes {l0 r0 | l1 r1} or {l0 r1 | r0 l1}.
static void try_grandchildren(const rbl_tree_pool *pool, uint32_t left, uint32_t right,
                              bool is_balanced, fit_cost *best, exchange *choice)
{
	const rbl_tree_node *l = &pool->nodes[left], *r = &pool->nodes[right];
	int l0 = rbl_tree_height_of(pool, l->children[0]),
		l1 = rbl_tree_height_of(pool, l->children[1]);
	for (int side = 0; side < 2; ++side) {
		int out = rbl_tree_height_of(pool, r->children[side]);
		int stay = rbl_tree_height_of(pool, r->children[!side]);
		if (is_balanced && (!in_balance(l0, out) || !in_balance(l1, stay)))
			continue;
		fit_cost cost = add_cost(cost_of(rbl_box_join(l->boxes[0], r->boxes[side])),
		                         cost_of(rbl_box_join(l->boxes[1], r->boxes[!side])));
		if (is_cheaper(cost, *best)) {
			*best = cost;
			*choice = (exchange){ left, right, 1, side };
		}
	}
}

// A child with a grandchild of the other side: {x | r0 r1} becomes {r0 | x r1} or {r1 | r0 x}.
static void try_child(const rbl_tree_pool *pool, uint32_t index, int side, fit_cost other,
                      bool is_balanced, fit_cost *best, exchange *choice)
{
	const rbl_tree_node *node = &pool->nodes[index];
	uint32_t right = node->children[!side];
	if (rbl_tree_is_leaf(right))
		return;
	const rbl_tree_node *r = &pool->nodes[right];
	int x = rbl_tree_height_of(pool, node->children[side]);
	for (int k = 0; k < 2; ++k) {
		int up = rbl_tree_height_of(pool, r->children[k]);
		int stay = rbl_tree_height_of(pool, r->children[!k]);
		int low = 1 + (x > stay ? x : stay);
		int height = 1 + (low > up ? low : up);
		if (is_balanced && (!in_balance(x, stay) || !in_balance(low, up)))
			continue;
		if (is_balanced ? height != node->height : height > node->height)
			continue;
		// The boxes of x and of the child that goes up stay, so the other side's cost is added
		// to make the sums of all exchanges comparable.
		fit_cost cost = add_cost(other, cost_of(rbl_box_join(node->boxes[side], r->boxes[!k])));
		if (is_cheaper(cost, *best)) {
			*best = cost;
			*choice = (exchange){ index, right, side, k };
		}
	}
}

static void refresh(rbl_tree_pool *pool, uint32_t index)
{
	rbl_tree_set_height(pool, index);
	if (pool->metrics)
		rbl_tree_set_metrics(pool, index);
}

// Make the best exchange below a node, if one improves the fit. Boxes below must be tight.
static void permute(rbl_tree_pool *pool, uint32_t index, bool is_balanced, bool keeps_dirty)
{
	rbl_tree_node *node = &pool->nodes[index];
	uint32_t left = node->children[0], right = node->children[1];
	if (rbl_tree_is_leaf(left) && rbl_tree_is_leaf(right))
		return;
	// Only boxes that an exchange makes anew count: those of inner children.
	fit_cost none = { 0.0, 0.0f };
	fit_cost costs[2] = { rbl_tree_is_leaf(left) ? none : cost_of(node->boxes[0]),
		                  rbl_tree_is_leaf(right) ? none : cost_of(node->boxes[1]) };
	fit_cost best = add_cost(costs[0], costs[1]);
	exchange choice = { .a = RBL_TREE_NONE };
	if (!rbl_tree_is_leaf(left) && !rbl_tree_is_leaf(right))
		try_grandchildren(pool, left, right, is_balanced, &best, &choice);
	try_child(pool, index, 0, costs[0], is_balanced, &best, &choice);
	try_child(pool, index, 1, costs[1], is_balanced, &best, &choice);
	if (choice.a == RBL_TREE_NONE)
		return;
	rbl_tree_exchange(pool, choice.a, choice.side_a, choice.b, choice.side_b);
	const uint32_t changed[2] = { choice.b, choice.a };
	for (int i = 0; i < 2; ++i)
		if (changed[i] != index) {
			refresh(pool, changed[i]);
			if (keeps_dirty) // a second pass has to see what changed
				pool->nodes[changed[i]].flags |= RBL_TREE_DIRTY;
			node->boxes[rbl_tree_side(node, changed[i])] =
				rbl_tree_node_box(&pool->nodes[changed[i]]);
		}
}

static void update_node(rbl_tree *tree, uint32_t index, unsigned options)
{
	rbl_tree_pool *pool = tree->pool;
	rbl_tree_node *node = &pool->nodes[index];
	for (int side = 0; side < 2; ++side)
		if (!rbl_tree_is_leaf(node->children[side]))
			node->boxes[side] = rbl_tree_node_box(&pool->nodes[node->children[side]]);
	if (options & RBL_TREE_PERMUTE)
		permute(pool, index, tree->is_balanced, (options & RBL_TREE_KEEP_DIRTY) != 0);
	refresh(pool, index);
	if (!(options & RBL_TREE_KEEP_DIRTY))
		node->flags &= (uint16_t)~RBL_TREE_DIRTY;
}

int rbl_tree_update(rbl_tree *tree, unsigned options)
{
	rbl_tree_pool *pool = tree->pool;
	int visited = 0;
	if (!tree->is_dirty)
		return 0;
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (!rbl_tree_is_leaf(tree->root) && (pool->nodes[tree->root].flags & RBL_TREE_DIRTY))
		stack[top++] = tree->root << 1;
	if (options & RBL_TREE_PERMUTE)
		tree->first_node = -1;
	while (top > 0) {
		uint32_t entry = stack[--top], index = entry >> 1;
		if (entry & 1) {
			update_node(tree, index, options);
			visited++;
			continue;
		}
		stack[top++] = entry | 1;
		for (int side = 0; side < 2; ++side) {
			uint32_t child = pool->nodes[index].children[side];
			if (!rbl_tree_is_leaf(child) && (pool->nodes[child].flags & RBL_TREE_DIRTY))
				stack[top++] = child << 1;
		}
	}
	if (!rbl_tree_is_leaf(tree->root))
		tree->bounds = rbl_tree_node_box(&pool->nodes[tree->root]);
	tree->is_dirty = (options & RBL_TREE_KEEP_DIRTY) != 0;
	return visited;
}

static const rbl_tree_metrics leaf_metrics = { 0.0, 1.0f, 0.0f };

static const rbl_tree_metrics *root_metrics(const rbl_tree *tree)
{
	RBL_ASSERT(tree->pool->has_metrics);
	return rbl_tree_is_leaf(tree->root) ? &leaf_metrics : &tree->pool->metrics[tree->root];
}

static double quality_of(const rbl_tree *tree, const rbl_tree_metrics *metrics)
{
	if (tree->root == RBL_TREE_NONE)
		return 0.0;
	double volume = rbl_tree_volume(tree->bounds);
	return volume > 0.0 ? 1.0 + metrics->volume_squares / (volume * volume) : 1.0;
}

double rbl_tree_quality(const rbl_tree *tree)
{
	return quality_of(tree, root_metrics(tree));
}

float rbl_tree_inter_cost(const rbl_tree *tree)
{
	return tree->root == RBL_TREE_NONE ? 0.0f : root_metrics(tree)->inter_cost;
}

float rbl_tree_self_cost(const rbl_tree *tree)
{
	return tree->root == RBL_TREE_NONE ? 0.0f : root_metrics(tree)->self_cost;
}
