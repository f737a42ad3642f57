// SPDX-License-Identifier: MIT
//
// Trees of pieces out of the tree of the whole, in one pass from below.
//
// Every node hands up a list of sub-trees, one per piece that has leaves below it, by piece. Where
// both children hand up one untouched sub-tree of the same piece, the node itself is handed up:
// nothing is written. Elsewhere the node is given back, the lists are merged, and two sub-trees of
// the same piece become one by an AVL join. So the inside of a piece is only read, and joins happen
// along borders. Otaduy et al. 2007 delete the leaves of other pieces from a clone, one by one, and
// leave bulk work on sub-trees as an idea.
//
// No memory is needed for nodes: a sub-tree of m leaves had m - 1 nodes, and c lists that share
// its leaves use at most m - c, so the nodes given back always suffice for the next joins.

#include "tree/split.h"

size_t rbl_split_capacity(const rbl_tree *tree, int piece_count)
{
	// A list on every level, none longer than the pieces; and no more than leaves.
	size_t by_pieces = (size_t)(RBL_TREE_MAX_HEIGHT + 2) * (size_t)piece_count;
	size_t by_leaves = (size_t)tree->leaf_count + 2;
	return by_pieces < by_leaves ? by_pieces : by_leaves;
}

// Hand up a leaf. @return 1 when there is an entry
static int take_leaf(const rbl_splitter *splitter, uint32_t child, const rbl_box *box,
                     rbl_split_entry *entry)
{
	rbl_tree_pool *pool = splitter->tree->pool;
	uint32_t leaf = rbl_tree_leaf_id(child);
	int label = splitter->labels[leaf];
	RBL_ASSERT(label >= -1 && label < splitter->piece_count);
	if (label < 0) {
		pool->leaf_parents[leaf] = RBL_TREE_ABSENT;
		return 0;
	}
	if (splitter->gather && splitter->gather->next[label] >= 0) {
		int place = splitter->gather->next[label]++;
		splitter->gather->leaves[place] = leaf;
		splitter->gather->boxes[place] = *box;
		pool->leaf_parents[leaf] = RBL_TREE_ABSENT;
		return 0;
	}
	entry->label = label;
	entry->is_loose = false;
	entry->sub.root = leaf | RBL_TREE_LEAF;
	return 1;
}

// Cut the untouched sub-tree of a list off from its node.
static void loosen(rbl_tree_pool *pool, rbl_split_entry *list, int count, const rbl_box *box)
{
	if (count != 1 || list->is_loose)
		return;
	list->is_loose = true;
	list->sub.box = *box;
	rbl_tree_set_parent(pool, list->sub.root, RBL_TREE_NONE);
}

// Both children of a node are done: their lists are [start, middle) and [middle, end).
// @return the end of the node's own list, which starts at `start`
static int finish_node(const rbl_splitter *splitter, uint32_t index, int start, int middle, int end)
{
	rbl_tree_pool *pool = splitter->tree->pool;
	rbl_split_entry *entries = splitter->entries;
	const rbl_tree_node *node = &pool->nodes[index];
	int a = middle - start, b = end - middle;
	if (a == 1 && b == 1 && !entries[start].is_loose && !entries[middle].is_loose &&
	    entries[start].label == entries[middle].label) {
		entries[start].sub.root = index;
		return start + 1;
	}
	loosen(pool, entries + start, a, &node->boxes[0]);
	loosen(pool, entries + middle, b, &node->boxes[1]);
	rbl_tree_return_node(pool, index);
	if (a == 0 || b == 0)
		return end; // one list is empty: the other one stands where it has to
	int i = start, k = middle, count = 0;
	while (i < middle || k < end) {
		if (k == end || (i < middle && entries[i].label < entries[k].label)) {
			splitter->merged[count++] = entries[i++];
		} else if (i == middle || entries[k].label < entries[i].label) {
			splitter->merged[count++] = entries[k++];
		} else {
			rbl_split_entry joined = entries[i];
			joined.sub =
				rbl_tree_join_sub_trees(pool, entries[i].sub, entries[k].sub,
			                            rbl_tree_take_node(pool), splitter->tree->is_balanced);
			splitter->merged[count++] = joined;
			i++, k++;
		}
	}
	memcpy(entries + start, splitter->merged, (size_t)count * sizeof *entries);
	return start + count;
}

typedef struct frame {
	uint32_t index;
	int start, middle; // -1: that child is not begun
} frame;

static int split_nodes(const rbl_splitter *splitter)
{
	rbl_tree_pool *pool = splitter->tree->pool;
	frame stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0, end = 0;
	stack[top++] = (frame){ splitter->tree->root, -1, -1 };
	while (top > 0) {
		frame *f = &stack[top - 1];
		rbl_tree_node *node = &pool->nodes[f->index];
		if (f->start >= 0 && f->middle >= 0) {
			end = finish_node(splitter, f->index, f->start, f->middle, end);
			top--;
			continue;
		}
		int side = f->start >= 0;
		// The walk waits for memory more than for anything else: prefetch the second child.
		if (side == 0 && !rbl_tree_is_leaf(node->children[1]))
			__builtin_prefetch(&pool->nodes[node->children[1]]);
		*(side ? &f->middle : &f->start) = end;
		uint32_t child = node->children[side];
		if (rbl_tree_is_leaf(child)) {
			end += take_leaf(splitter, child, &node->boxes[side], &splitter->entries[end]);
		} else {
			stack[top++] = (frame){ child, -1, -1 };
		}
	}
	return end;
}

static rbl_tree make_piece(const rbl_tree *tree, rbl_sub_tree sub)
{
	rbl_tree piece = rbl_tree_make(tree->pool);
	piece.root = sub.root;
	piece.bounds = sub.box;
	piece.is_balanced = tree->is_balanced;
	rbl_tree_set_parent(tree->pool, sub.root, RBL_TREE_NONE);
	if (!rbl_tree_is_leaf(sub.root))
		piece.is_dirty = (tree->pool->nodes[sub.root].flags & RBL_TREE_DIRTY) != 0;
	return piece;
}

void rbl_split_run(rbl_splitter *splitter, rbl_tree *pieces)
{
	rbl_tree *tree = splitter->tree;
	rbl_tree_pool *pool = tree->pool;
	for (int i = 0; i < splitter->piece_count; ++i)
		pieces[i] = rbl_tree_make(pool);
	int end = 0;
	if (!rbl_tree_is_leaf(tree->root)) {
		end = split_nodes(splitter);
	} else if (tree->root != RBL_TREE_NONE) {
		end = take_leaf(splitter, tree->root, &tree->bounds, splitter->entries);
	}
	for (int i = 0; i < end; ++i) {
		rbl_split_entry *entry = &splitter->entries[i];
		if (!entry->is_loose)
			entry->sub.box = tree->bounds; // the whole tree is one piece
		pieces[entry->label] = make_piece(tree, entry->sub);
	}
	*tree = rbl_tree_make(pool);
}
