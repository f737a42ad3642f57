// SPDX-License-Identifier: MIT
//
// When the BSP adjusts itself: Algorithm 1 of the paper, with the budget counted in boxes touched.
//
// Every few updates, and only when nothing but merges waits, the tree is evaluated from the top. An
// unbalanced node is balanced at once or waits to be swapped, and nothing below it is evaluated;
// full leaves wait to be split, small sub-trees to be merged. Then as many events as the size of
// the list says are processed: shift-splits, splits, swaps, and merges only with budget to spare.
// The rest is deferred.

#include "broadphase/bsp.h"

enum {
	WORK_PER_NEW_BOX = 8, // inserting one costs as much as moving so many between leaves
	MAX_BUSY = 4,         // updates
};

static int merge_threshold(const rbl_bsp *bsp)
{
	int merge = bsp->settings.merge_threshold;
	return merge > 0 ? merge : rbl_bsp_split_threshold(bsp) / 3;
}

static int leaf_population(const rbl_bsp *bsp, const rbl_bsp_node *node)
{
	const rbl_bsp_leaf *leaf = &bsp->leaves.data[node->children[0]];
	return leaf->moving.count + leaf->statics.count;
}

// Populations bottom-up: children come after their parent on the stack.
static void count_populations(rbl_bsp *bsp)
{
	for (int i = 0; i < bsp->nodes.count; ++i)
		bsp->nodes.data[i].population = 0;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		int index = bsp->leaves.data[i].node;
		if (index < 0)
			continue;
		int population = leaf_population(bsp, &bsp->nodes.data[index]);
		for (; index >= 0; index = bsp->nodes.data[index].parent)
			bsp->nodes.data[index].population += population;
	}
}

static bool is_too_full(const rbl_bsp *bsp, const rbl_bsp_node *node)
{
	if (node->direction >= 0)
		return false;
	int population = leaf_population(bsp, node);
	int refused = bsp->leaves.data[node->children[0]].split_refused;
	return population > rbl_bsp_split_threshold(bsp) && node->depth < bsp->settings.height_limit &&
	       population > refused + refused / 4;
}

// Boxes listed in all leaves below a node, until they are too many.
static int count_below(const rbl_bsp *bsp, int top, int enough)
{
	int stack[RBL_MAX_BSP_HEIGHT + 2] = { top }, count = 1, total = 0;
	while (count > 0 && total < enough) {
		const rbl_bsp_node *node = &bsp->nodes.data[stack[--count]];
		if (node->direction < 0) {
			total += leaf_population(bsp, node);
		} else {
			stack[count++] = node->children[1];
			stack[count++] = node->children[0];
		}
	}
	return total;
}

// A whole sub-tree that has become nearly empty is merged at once, from the bottom up.
static bool is_too_empty(const rbl_bsp *bsp, int index)
{
	int enough = merge_threshold(bsp);
	return bsp->nodes.data[index].direction >= 0 && count_below(bsp, index, enough) < enough;
}

// Whether a plane has to be moved or to go: one side has much less than the other, or the plane has
// come to cut so many that both sides list nearly the same.
static bool is_unbalanced(const rbl_bsp *bsp, int index)
{
	const rbl_bsp_node *node = &bsp->nodes.data[index];
	if (node->direction < 0)
		return false;
	int left = bsp->nodes.data[node->children[0]].population;
	int right = bsp->nodes.data[node->children[1]].population;
	int smaller = rbl_mini(left, right), larger = rbl_maxi(left, right);
	// Small sub-trees are the business of split and merge.
	if (larger <= rbl_bsp_split_threshold(bsp))
		return larger > merge_threshold(bsp) && rbl_bsp_is_redundant(bsp, index);
	return (float)smaller < bsp->settings.min_balance * (float)larger ||
	       rbl_bsp_is_redundant(bsp, index);
}

// Operators that events of a kind apply.
static bool is_left_out(const rbl_bsp *bsp, rbl_bsp_event_kind kind)
{
	static const rbl_broadphase_operator bits[RBL_BSP_EVENT_KINDS] = {
		[RBL_BSP_SHIFT_SPLIT] = RBL_BROADPHASE_SHIFT_SPLIT,
		[RBL_BSP_SPLIT] = RBL_BROADPHASE_SPLIT,
		[RBL_BSP_SWAP] = RBL_BROADPHASE_SWAP,
		[RBL_BSP_MERGE] = RBL_BROADPHASE_MERGE,
	};
	return bsp->left_out & bits[kind];
}

static void schedule(rbl_bsp *bsp, rbl_bsp_event_kind kind, int node)
{
	if (bsp->events.count < bsp->settings.event_capacity && !is_left_out(bsp, kind))
		bsp->events.data[bsp->events.count++] = (rbl_bsp_event){ kind, node };
}

static bool can_spend(const rbl_bsp *bsp)
{
	return bsp->budget < 0 || bsp->work < bsp->budget;
}

// @return whether the boxes that an event will touch, about, fit into the rest of the budget; the
// first event of an update always does, or large ones would wait for ever.
static bool fits(const rbl_bsp *bsp, rbl_bsp_event event)
{
	const rbl_bsp_node *node = &bsp->nodes.data[event.node];
	int expected = 0;
	if (node->direction < 0) {
		expected = 2 * leaf_population(bsp, node);
	} else {
		int left = bsp->nodes.data[node->children[0]].population;
		int right = bsp->nodes.data[node->children[1]].population;
		expected = event.kind == RBL_BSP_SWAP ? 2 * rbl_mini(left, right) : left + right;
	}
	return bsp->budget < 0 || bsp->work == 0 || bsp->work + expected <= bsp->budget;
}

// @return boxes touched, -1 when memory ran out
static int apply(rbl_bsp *bsp, rbl_bsp_event event)
{
	rbl_bsp_node *node = &bsp->nodes.data[event.node];
	if (!node->is_used) // an operator removed it meanwhile
		return 0;
	switch (event.kind) {
	case RBL_BSP_SHIFT_SPLIT:
	case RBL_BSP_SPLIT:
		if (!is_too_full(bsp, node))
			return 0;
		return rbl_bsp_split(bsp, event.node, event.kind == RBL_BSP_SHIFT_SPLIT);
	case RBL_BSP_SWAP:
		return node->direction >= 0 ? rbl_bsp_swap(bsp, event.node) : 0;
	case RBL_BSP_MERGE:
		return is_too_empty(bsp, event.node) ? rbl_bsp_merge(bsp, event.node) : 0;
	case RBL_BSP_EVENT_KINDS:
		break;
	}
	return 0;
}

// Evaluate the tree from the top, until the list of events is full or the budget is spent.
static bool evaluate(rbl_bsp *bsp)
{
	count_populations(bsp);
	bsp->events.count = 0; // only merges were left: they are found again
	int stack[RBL_MAX_BSP_HEIGHT + 2], count = 0;
	stack[count++] = bsp->root;
	while (count > 0 && bsp->events.count < bsp->settings.event_capacity) {
		int index = stack[--count];
		const rbl_bsp_node *node = &bsp->nodes.data[index];
		if (is_unbalanced(bsp, index)) {
			bool may_balance = can_spend(bsp) && !(bsp->left_out & RBL_BROADPHASE_BALANCE);
			int touched = may_balance ? rbl_bsp_balance(bsp, index) : 0;
			if (touched < 0)
				return false;
			bsp->work += touched;
			if (touched == 0)
				schedule(bsp, RBL_BSP_SWAP, index);
		} else if (is_too_full(bsp, node)) {
			bool is_shift = !is_left_out(bsp, RBL_BSP_SHIFT_SPLIT);
			schedule(bsp, is_shift ? RBL_BSP_SHIFT_SPLIT : RBL_BSP_SPLIT, index);
		} else if (is_too_empty(bsp, index)) {
			schedule(bsp, RBL_BSP_MERGE, index);
		} else if (node->direction >= 0) {
			stack[count++] = node->children[1];
			stack[count++] = node->children[0];
		}
	}
	return true;
}

static bool only_merges_wait(const rbl_bsp *bsp)
{
	for (int i = 0; i < bsp->events.count; ++i) {
		if (bsp->events.data[i].kind != RBL_BSP_MERGE)
			return false;
	}
	return true;
}

static bool process(rbl_bsp *bsp)
{
	int waiting = bsp->events.count;
	int allowed =
		bsp->budget < 0 ? waiting : rbl_maxi(1, waiting / rbl_maxi(1, bsp->settings.event_divisor));
	for (int kind = 0; kind < RBL_BSP_EVENT_KINDS; ++kind) {
		int kept = 0;
		for (int i = 0; i < bsp->events.count; ++i) {
			rbl_bsp_event event = bsp->events.data[i];
			if ((int)event.kind != kind || allowed <= 0 || !can_spend(bsp) || !fits(bsp, event)) {
				bsp->events.data[kept++] = event;
				continue;
			}
			int touched = apply(bsp, event);
			if (touched < 0)
				return false;
			bsp->work += touched;
			if (touched > 0)
				allowed--;
			else if (kind == RBL_BSP_SHIFT_SPLIT && !is_left_out(bsp, RBL_BSP_SPLIT)) // any plane
				bsp->events.data[kept++] = (rbl_bsp_event){ RBL_BSP_SPLIT, event.node };
		}
		bsp->events.count = kept;
	}
	bsp->stats.events_deferred += bsp->events.count;
	return true;
}

// New boxes are work too, and count for the budget: when many are added at once, adjusting waits,
// but not for long.
static bool is_busy(rbl_bsp *bsp)
{
	bool is_busy = bsp->budget > 0 && WORK_PER_NEW_BOX * (int64_t)bsp->new_count >= bsp->budget;
	bsp->busy_count = is_busy ? bsp->busy_count + 1 : 0;
	return is_busy && bsp->busy_count <= MAX_BUSY;
}

bool rbl_bsp_adjust(rbl_bsp *bsp)
{
	bsp->work = 0;
	if (bsp->budget == 0 || is_busy(bsp))
		return true;
	bool ok = true;
	if (bsp->update_index % bsp->settings.evaluation_interval == 0 && only_merges_wait(bsp))
		ok = evaluate(bsp);
	if (ok && bsp->events.count > 0)
		ok = process(bsp);
	return rbl_bsp_update_leaves(bsp) && ok;
}
