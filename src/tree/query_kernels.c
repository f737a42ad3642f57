// SPDX-License-Identifier: MIT
//
// Overlap queries: depth first, children tested before they are put on the stack.
//
// A node holds its children's boxes, so one cache line decides two tests of a box query, and two
// lines decide four tests of a pair of nodes. Results leave in batches.

#include "tree/tree_kernels.h"

#include "tree/lanes.h"

// Each level leaves at most three waiting pairs of each of the two trees' levels.
enum { PAIR_STACK = 6 * RBL_TREE_MAX_HEIGHT + 8 };

typedef struct leaf_sink {
	uint32_t leaves[RBL_TREE_BATCH];
	int count;
} leaf_sink;

bool RBL_KERNEL(rbl_tree_box_query)(const rbl_tree *tree, const rbl_box *box,
                                    rbl_tree_visitor *visitor, void *context)
{
	const rbl_tree_node *nodes = tree->pool->nodes;
	box_lanes query = load_box(box);
	leaf_sink sink;
	sink.count = 0;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (!rbl_tree_is_leaf(tree->root))
		stack[top++] = tree->root;
	else if (tree->root != RBL_TREE_NONE && boxes_overlap(load_box(&tree->bounds), query))
		sink.leaves[sink.count++] = rbl_tree_leaf_id(tree->root);
	while (top > 0) {
		const rbl_tree_node *node = &nodes[stack[--top]];
		box_lanes boxes[2];
		load_child_boxes(node, boxes);
		for (int side = 1; side >= 0; --side) {
			if (!boxes_overlap(boxes[side], query))
				continue;
			uint32_t child = node->children[side];
			if (!rbl_tree_is_leaf(child)) {
				stack[top++] = child;
				continue;
			}
			if (sink.count == RBL_TREE_BATCH) {
				if (!visitor(context, sink.leaves, sink.count))
					return false;
				sink.count = 0;
			}
			sink.leaves[sink.count++] = rbl_tree_leaf_id(child);
		}
	}
	return sink.count == 0 || visitor(context, sink.leaves, sink.count);
}

typedef struct pair_query {
	const rbl_tree_node *nodes_a, *nodes_b;
	rbl_tree_pair_visitor *visitor;
	void *context;
	int top, count;
	rbl_tree_pair stack[PAIR_STACK];
	rbl_tree_pair found[RBL_TREE_BATCH];
} pair_query;

static inline bool add_pair(pair_query *query, uint32_t a, uint32_t b)
{
	if (query->count == RBL_TREE_BATCH) {
		if (!query->visitor(query->context, query->found, query->count))
			return false;
		query->count = 0;
	}
	query->found[query->count++] = (rbl_tree_pair){ rbl_tree_leaf_id(a), rbl_tree_leaf_id(b) };
	return true;
}

// A leaf against a sub-tree of the other side.
static bool leaf_against(pair_query *query, uint32_t leaf, box_lanes box, uint32_t root,
                         const rbl_tree_node *nodes, bool leaf_is_b)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = root;
	while (top > 0) {
		const rbl_tree_node *node = &nodes[stack[--top]];
		box_lanes boxes[2];
		load_child_boxes(node, boxes);
		for (int side = 1; side >= 0; --side) {
			if (!boxes_overlap(boxes[side], box))
				continue;
			uint32_t child = node->children[side];
			if (!rbl_tree_is_leaf(child))
				stack[top++] = child;
			else if (!add_pair(query, leaf_is_b ? child : leaf, leaf_is_b ? leaf : child))
				return false;
		}
	}
	return true;
}

// Two references whose boxes overlap: report, walk, or put on the stack.
static inline bool meet(pair_query *query, uint32_t a, box_lanes box_a, uint32_t b, box_lanes box_b)
{
	if (!rbl_tree_is_leaf(a)) {
		if (rbl_tree_is_leaf(b))
			return leaf_against(query, b, box_b, a, query->nodes_a, true);
		RBL_ASSERT(query->top < PAIR_STACK);
		query->stack[query->top++] = (rbl_tree_pair){ a, b };
		return true;
	}
	if (rbl_tree_is_leaf(b))
		return add_pair(query, a, b);
	return leaf_against(query, a, box_a, b, query->nodes_b, false);
}

// Two nodes whose boxes overlap: all four pairs of children.
static inline bool meet_children(pair_query *query, const rbl_tree_node *a, const rbl_tree_node *b)
{
	box_lanes boxes_a[2], boxes_b[2];
	load_child_boxes(a, boxes_a);
	load_child_boxes(b, boxes_b);
	bool hits[4];
	for (int i = 0; i < 4; ++i)
		hits[i] = boxes_overlap(boxes_a[i >> 1], boxes_b[i & 1]);
	for (int i = 3; i >= 0; --i)
		if (hits[i] &&
		    !meet(query, a->children[i >> 1], boxes_a[i >> 1], b->children[i & 1], boxes_b[i & 1]))
			return false;
	return true;
}

static inline bool finish(pair_query *query)
{
	return query->count == 0 || query->visitor(query->context, query->found, query->count);
}

bool RBL_KERNEL(rbl_tree_self_query)(const rbl_tree *tree, rbl_tree_pair_visitor *visitor,
                                     void *context)
{
	if (rbl_tree_is_leaf(tree->root))
		return true;
	const rbl_tree_node *nodes = tree->pool->nodes;
	pair_query query;
	query.nodes_a = query.nodes_b = nodes;
	query.visitor = visitor, query.context = context;
	query.top = query.count = 0;
	query.stack[query.top++] = (rbl_tree_pair){ tree->root, tree->root };
	while (query.top > 0) {
		rbl_tree_pair pair = query.stack[--query.top];
		const rbl_tree_node *a = &nodes[pair.a];
		if (pair.a != pair.b) {
			if (!meet_children(&query, a, &nodes[pair.b]))
				return false;
			continue;
		}
		for (int side = 1; side >= 0; --side)
			if (!rbl_tree_is_leaf(a->children[side]))
				query.stack[query.top++] = (rbl_tree_pair){ a->children[side], a->children[side] };
		box_lanes boxes[2];
		load_child_boxes(a, boxes);
		if (boxes_overlap(boxes[0], boxes[1]) &&
		    !meet(&query, a->children[0], boxes[0], a->children[1], boxes[1]))
			return false;
	}
	return finish(&query);
}

bool RBL_KERNEL(rbl_tree_pair_query)(const rbl_tree *a, const rbl_tree *b,
                                     rbl_tree_pair_visitor *visitor, void *context)
{
	if (a->root == RBL_TREE_NONE || b->root == RBL_TREE_NONE)
		return true;
	pair_query query;
	query.nodes_a = a->pool->nodes, query.nodes_b = b->pool->nodes;
	query.visitor = visitor, query.context = context;
	query.top = query.count = 0;
	box_lanes box_a = load_box(&a->bounds), box_b = load_box(&b->bounds);
	if (boxes_overlap(box_a, box_b) && !meet(&query, a->root, box_a, b->root, box_b))
		return false;
	while (query.top > 0) {
		rbl_tree_pair pair = query.stack[--query.top];
		if (!meet_children(&query, &query.nodes_a[pair.a], &query.nodes_b[pair.b]))
			return false;
	}
	return finish(&query);
}
