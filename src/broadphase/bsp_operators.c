// SPDX-License-Identifier: MIT
//
// The five operators of the semi-adjusting BSP (section 4 of the paper): balance, shift-split,
// split, swap and merge; and building all planes anew.
//
// Each changes planes and the lists of slots that follow from them, marks the leaves concerned as
// touched, and leaves finding their pairs to the caller. Membership is a function of fat boxes and
// planes, so an operator that runs out of memory leaves lists that the next update repairs when it
// resets the structure.

#include "broadphase/bsp.h"

#include "base/sort.h"

enum {
	SAMPLE_COUNT = 64, // boxes that a split samples; the paper sorts "a subset"
	OFFSET_COUNT = 9,  // offsets tried along a direction, around the middle
	LEAF_THRESHOLD = 384,
	ONE_LEAF_POPULATION = 1024, // below this one sweep is as fast as any structure
};

int rbl_bsp_split_threshold(const rbl_bsp *bsp)
{
	if (bsp->settings.split_threshold > 0)
		return bsp->settings.split_threshold;
	// Two steps, and nothing between: leaves that shrink as boxes come cost S1 a quarter more at
	// 1,040 boxes, or S2 a fourteenth at 1,000.
	return bsp->proxies->live_count <= ONE_LEAF_POPULATION ? ONE_LEAF_POPULATION : LEAF_THRESHOLD;
}

typedef struct plane {
	int direction;
	float offset;
	float cost; // of the two sides together; the leaf as it is costs 1
} plane;

// The cost of a plane for some boxes. The cost of a leaf goes with the square of its boxes, and a
// box that is cut counts on both sides. @return whether the plane is good enough at all
static bool score(const rbl_bsp *bsp, int below, int above, int count, float *cost)
{
	int cut = below + above - count;
	float n = (float)count, smaller = (float)rbl_mini(below, above),
		  larger = (float)rbl_maxi(below, above);
	*cost = (smaller * smaller + larger * larger) / (n * n);
	return (float)cut <= bsp->settings.max_redundancy * n && *cost < 0.85f &&
	       smaller >= bsp->settings.min_balance * larger;
}

// The best plane along a direction for boxes given by slot, at most SAMPLE_COUNT of them.
static plane best_along(const rbl_bsp *bsp, int direction, const int *slots, int count)
{
	float begins[SAMPLE_COUNT], ends[SAMPLE_COUNT];
	plane best = { -1, 0.0f, INFINITY };
	for (int k = 0; k < count; ++k) {
		rbl_box box = bsp->proxies->fat_boxes[slots[k]];
		float begin = rbl_bsp_box_begin(bsp, direction, box);
		int at = k;
		for (; at > 0 && begins[at - 1] > begin; --at)
			begins[at] = begins[at - 1];
		begins[at] = begin;
		ends[k] = rbl_bsp_box_end(bsp, direction, box);
	}
	for (int k = 0; k < OFFSET_COUNT; ++k) {
		// A plane through the begin of a box does not cut that one.
		float offset = begins[count * (k + 4) / (OFFSET_COUNT + 7)], cost;
		int below = 0, above = 0;
		for (int s = 0; s < count; ++s) {
			below += begins[s] < offset;
			above += ends[s] >= offset;
		}
		if (score(bsp, below, above, count, &cost) && cost < best.cost)
			best = (plane){ direction, offset, cost };
	}
	return best;
}

// The best plane for many boxes, by a sample.
static plane choose_plane(const rbl_bsp *bsp, const int *slots, int count)
{
	const rbl_bsp_settings *settings = &bsp->settings;
	int sample[SAMPLE_COUNT], sample_count = rbl_mini(count, SAMPLE_COUNT);
	for (int k = 0; k < sample_count; ++k)
		sample[k] = slots[(int64_t)k * count / sample_count];
	plane best = { -1, 0.0f, INFINITY };
	// The paper tries 2 sqrt(n) planes; directions beyond that are skipped, in turn.
	int wanted = (int)(2.0f * sqrtf((float)count) / OFFSET_COUNT) + 3;
	int directions = rbl_mini(settings->direction_count, wanted);
	for (int i = 0; i < directions; ++i) {
		int d = i < 3 ? i : 3 + (int)((bsp->update_index + i) % (settings->direction_count - 3));
		plane candidate = best_along(bsp, d, sample, sample_count);
		if (candidate.cost < best.cost)
			best = candidate;
	}
	return best;
}

// --- split and shift-split -----------------------------------------------------------------------

// Both parts of a sorted list are sorted.
static bool split_list(rbl_bsp *bsp, const rbl_bsp_node *node, rbl_bsp_list *below,
                       rbl_bsp_list *above)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	if (!rbl_proxy_list_reserve(&bsp->allocator, above, below->count))
		return false;
	int kept = 0;
	for (int i = 0; i < below->count; ++i) {
		uint32_t slot = below->data[i];
		int sides = rbl_bsp_sides(bsp, node, boxes[slot]);
		above->data[above->count] = slot;
		above->count += sides >> 1;
		below->data[kept] = slot;
		kept += sides & 1;
	}
	below->count = kept;
	return true;
}

static bool cut_leaf(rbl_bsp *bsp, int index, plane cut)
{
	if (!rbl_bsp_reserve(bsp, 2))
		return false;
	int below = rbl_bsp_new_node(bsp), above = rbl_bsp_new_node(bsp);
	rbl_bsp_node *node = &bsp->nodes.data[index];
	int leaf = node->children[0], other = rbl_bsp_new_leaf(bsp, above);
	*node =
		(rbl_bsp_node){ cut.direction, cut.offset, { below, above }, node->parent, node->population,
		                node->depth,   true };
	bsp->nodes.data[below].parent = bsp->nodes.data[above].parent = index;
	bsp->nodes.data[below].children[0] = leaf;
	rbl_bsp_leaf *old = &bsp->leaves.data[leaf], *new = &bsp->leaves.data[other];
	old->node = below;
	old->split_refused = 0;
	rbl_pair_lists_clear(&old->found);
	new->axis = old->axis;
	new->is_sorted = old->is_sorted;
	bool ok = split_list(bsp, node, &old->moving, &new->moving) &&
	          split_list(bsp, node, &old->statics, &new->statics);
	rbl_bsp_refresh_cells(bsp, index);
	old->is_stale = new->is_stale = true;
	rbl_bsp_touch(bsp, leaf);
	rbl_bsp_touch(bsp, other);
	return ok;
}

// Boxes of a list below a plane and above it.
static void count_sides(const rbl_bsp *bsp, plane cut, const int *slots, int count, int *below,
                        int *above)
{
	const rbl_bsp_node node = { .direction = cut.direction, .offset = cut.offset };
	*below = *above = 0;
	for (int i = 0; i < count; ++i) {
		int sides = rbl_bsp_sides(bsp, &node, bsp->proxies->fat_boxes[slots[i]]);
		*below += sides & 1;
		*above += sides >> 1;
	}
}

// A plane parallel to the slanted one that made the leaf: a sample is sorted along that direction
// alone, and the plane is judged by all boxes.
static plane choose_parallel(const rbl_bsp *bsp, int direction, const int *slots, int count)
{
	int sample[SAMPLE_COUNT], sample_count = rbl_mini(count, SAMPLE_COUNT);
	for (int k = 0; k < sample_count; ++k)
		sample[k] = slots[(int64_t)k * count / sample_count];
	plane best = best_along(bsp, direction, sample, sample_count);
	if (best.direction < 0)
		return best;
	int below, above;
	count_sides(bsp, best, slots, count, &below, &above);
	if (!score(bsp, below, above, count, &best.cost))
		best = (plane){ -1, 0.0f, INFINITY };
	return best;
}

// A plane across the axis that the leaf is sorted along: exact numbers without sorting.
static plane choose_shifted(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf)
{
	const rbl_bsp_list *list = &leaf->moving;
	plane best = { -1, 0.0f, INFINITY };
	if (!leaf->is_sorted || list->count < 2 || leaf->statics.count > list->count)
		return best;
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	for (int k = 3; k <= 5; ++k) {
		rbl_box middle = boxes[list->data[(int64_t)list->count * k / 8]];
		float offset = rbl_axis(middle.lower, leaf->axis), cost;
		int below = 0, above = 0;
		for (int i = 0; i < list->count; ++i) {
			rbl_box box = boxes[list->data[i]];
			below += rbl_axis(box.lower, leaf->axis) < offset;
			above += rbl_axis(box.upper, leaf->axis) >= offset;
		}
		if (score(bsp, below, above, list->count, &cost) && cost < best.cost)
			best = (plane){ leaf->axis, offset, cost };
	}
	return best;
}

// Slots of a leaf, moving ones first, into work_slots.
static bool list_slots(rbl_bsp *bsp, const rbl_bsp_leaf *leaf)
{
	int total = leaf->moving.count + leaf->statics.count;
	if (!rbl_array_resize(&bsp->allocator, &bsp->work_slots, total))
		return false;
	for (int i = 0; i < leaf->moving.count; ++i)
		bsp->work_slots.data[i] = (int)leaf->moving.data[i];
	for (int i = 0; i < leaf->statics.count; ++i)
		bsp->work_slots.data[leaf->moving.count + i] = (int)leaf->statics.data[i];
	return true;
}

int rbl_bsp_split(rbl_bsp *bsp, int index, bool is_shift)
{
	rbl_bsp_leaf *leaf = &bsp->leaves.data[bsp->nodes.data[index].children[0]];
	int population = leaf->moving.count + leaf->statics.count;
	int parent = bsp->nodes.data[index].parent;
	int slanted = parent >= 0 ? bsp->nodes.data[parent].direction : 0;
	if ((!is_shift || slanted >= 3) && !list_slots(bsp, leaf))
		return -1;
	plane cut;
	if (is_shift) {
		cut = choose_shifted(bsp, leaf);
		if (slanted >= 3) {
			plane parallel = choose_parallel(bsp, slanted, bsp->work_slots.data, population);
			cut = parallel.cost < cut.cost ? parallel : cut;
		}
	} else {
		cut = choose_plane(bsp, bsp->work_slots.data, population);
	}
	if (cut.direction < 0) {
		if (!is_shift)
			leaf->split_refused = population;
		return 0;
	}
	if (!cut_leaf(bsp, index, cut))
		return -1;
	if (is_shift)
		bsp->stats.shift_splits++;
	else
		bsp->stats.splits++;
	return 2 * population;
}

// --- merge, balance, swap ------------------------------------------------------------------------

// Traversal of the leaves below a node, left before right.
typedef struct leaf_walk {
	int stack[RBL_MAX_BSP_HEIGHT + 2], count;
} leaf_walk;

static int walk_next(const rbl_bsp *bsp, leaf_walk *walk)
{
	while (walk->count > 0) {
		int index = walk->stack[--walk->count];
		const rbl_bsp_node *node;
		while ((node = &bsp->nodes.data[index])->direction >= 0) {
			walk->stack[walk->count++] = node->children[1];
			index = node->children[0];
		}
		return index;
	}
	return -1;
}

// A side of a plane grows when the plane moves, by the space between the old offset and the new.
//
// Boxes listed on the growing side stay listed there. It gains those that did not reach it before
// and do now; each of them is in a leaf of the other side. No other box changes, whatever the
// directions of the planes below.
typedef struct growth {
	int direction;
	int side; // that grows
	float from, to;
} growth;

static bool reaches(const rbl_bsp *bsp, const growth *g, float offset, rbl_box box)
{
	return g->side ? rbl_bsp_box_end(bsp, g->direction, box) >= offset
	               : rbl_bsp_box_begin(bsp, g->direction, box) < offset || offset == INFINITY;
}

// The next leaf of the shrinking side that may hold a box to be gained. Such a box begins (or ends)
// between the two offsets, so of two sides of a parallel plane beyond them one has it for certain.
static int next_giver(const rbl_bsp *bsp, leaf_walk *walk, const growth *g)
{
	float low = rbl_minf(g->from, g->to), high = rbl_maxf(g->from, g->to);
	while (walk->count > 0) {
		int index = walk->stack[--walk->count];
		const rbl_bsp_node *node;
		while ((node = &bsp->nodes.data[index])->direction >= 0) {
			bool is_parallel = node->direction == g->direction;
			if (is_parallel && node->offset <= low) {
				index = node->children[1];
				continue;
			}
			if (!is_parallel || node->offset < high)
				walk->stack[walk->count++] = node->children[1];
			index = node->children[0];
		}
		return index;
	}
	return -1;
}

// What the growing side gains from the leaves below `giver`, each box once, into work_slots.
// @return the number of boxes seen, -1: no memory
static int collect(rbl_bsp *bsp, int giver, const growth *g)
{
	const rbl_allocator *a = &bsp->allocator;
	int seen = 0;
	bsp->work_slots.count = 0;
	if (bsp->marks.bit_count < bsp->proxies->ids.slot_count &&
	    !rbl_bit_set_resize(a, &bsp->marks, bsp->proxies->capacity))
		return -1;
	bool ok = true;
	leaf_walk walk = { { giver }, 1 };
	for (int index; ok && (index = next_giver(bsp, &walk, g)) >= 0;) {
		const rbl_bsp_leaf *leaf = &bsp->leaves.data[bsp->nodes.data[index].children[0]];
		int listed = leaf->moving.count + leaf->statics.count;
		seen += listed;
		ok = rbl_array_extend(a, &bsp->work_slots, listed);
		for (int kind = 0; kind < 2 && ok; ++kind) {
			const rbl_bsp_list *list = kind ? &leaf->statics : &leaf->moving;
			for (int i = 0; i < list->count; ++i) {
				int slot = (int)list->data[i];
				rbl_box box = bsp->proxies->fat_boxes[slot];
				if (rbl_bit_set_has(&bsp->marks, slot) || reaches(bsp, g, g->from, box) ||
				    !reaches(bsp, g, g->to, box))
					continue;
				rbl_bit_set_add(&bsp->marks, slot);
				bsp->work_slots.data[bsp->work_slots.count++] = slot;
			}
		}
	}
	for (int i = 0; i < bsp->work_slots.count; ++i)
		rbl_bit_set_remove(&bsp->marks, bsp->work_slots.data[i]);
	return ok ? seen : -1;
}

// Free everything below a node, itself excluded.
static void free_below(rbl_bsp *bsp, int top)
{
	int stack[RBL_MAX_BSP_HEIGHT + 2], count = 0;
	stack[count++] = top;
	while (count > 0) {
		int index = stack[--count];
		const rbl_bsp_node *node = &bsp->nodes.data[index];
		if (node->direction < 0) {
			rbl_bsp_free_leaf(bsp, node->children[0]);
		} else {
			stack[count++] = node->children[1];
			stack[count++] = node->children[0];
		}
		if (index != top)
			rbl_bsp_free_node(bsp, index);
	}
}

// Left before right; the left list has the boxes that begin below the plane.
static bool merge_lists(rbl_bsp *bsp, const rbl_bsp_node *node, rbl_bsp_list *left,
                        const rbl_bsp_list *right)
{
	if (!rbl_proxy_list_reserve(&bsp->allocator, left, left->count + right->count))
		return false;
	for (int i = 0; i < right->count; ++i) {
		uint32_t slot = right->data[i];
		if (rbl_bsp_sides(bsp, node, bsp->proxies->fat_boxes[slot]) & 1)
			continue;
		left->data[left->count++] = slot;
	}
	return true;
}

int rbl_bsp_merge(rbl_bsp *bsp, int index)
{
	int touched = 0;
	rbl_bsp_node *node = &bsp->nodes.data[index];
	for (int side = 0; side < 2; ++side) { // bottom-up
		int child = node->children[side];
		if (bsp->nodes.data[child].direction >= 0) {
			int work = rbl_bsp_merge(bsp, child);
			if (work < 0)
				return -1;
			touched += work;
		}
	}
	int left_node = node->children[0], right_node = node->children[1];
	int left_leaf = bsp->nodes.data[left_node].children[0];
	int right_leaf = bsp->nodes.data[right_node].children[0];
	rbl_bsp_leaf *left = &bsp->leaves.data[left_leaf], *right = &bsp->leaves.data[right_leaf];
	bool ok = merge_lists(bsp, node, &left->moving, &right->moving) &&
	          merge_lists(bsp, node, &left->statics, &right->statics);
	touched += left->moving.count + left->statics.count;
	rbl_bsp_free_leaf(bsp, right_leaf);
	rbl_bsp_free_node(bsp, left_node);
	rbl_bsp_free_node(bsp, right_node);
	node->direction = -1;
	node->children[0] = left_leaf;
	left->node = index;
	left->is_sorted = false;
	left->is_stale = true;
	rbl_pair_lists_clear(&left->found);
	rbl_bsp_refresh_cells(bsp, index);
	rbl_bsp_touch(bsp, left_leaf);
	bsp->stats.merges++;
	return ok ? touched : -1;
}

// Some of the boxes below a node, evenly from its leaves. @return how many
static int sample_below(const rbl_bsp *bsp, int top, int *slots)
{
	int total = bsp->nodes.data[top].population, count = 0;
	int64_t before = 0; // boxes in leaves already visited
	leaf_walk walk = { { top }, 1 };
	for (int index; count < SAMPLE_COUNT && (index = walk_next(bsp, &walk)) >= 0;) {
		const rbl_bsp_leaf *leaf = &bsp->leaves.data[bsp->nodes.data[index].children[0]];
		int moving = leaf->moving.count, listed = moving + leaf->statics.count;
		while (count < SAMPLE_COUNT) {
			int64_t at = (int64_t)count * total / SAMPLE_COUNT - before;
			if (at >= listed)
				break;
			slots[count++] =
				(int)(at < moving ? leaf->moving.data[at] : leaf->statics.data[at - moving]);
		}
		before += listed;
	}
	return count;
}

// Insert what was collected into the leaves below a node.
static bool insert_collected(rbl_bsp *bsp, int top)
{
	for (int i = 0; i < bsp->work_slots.count; ++i) {
		int slot = bsp->work_slots.data[i];
		rbl_bsp_descent d = { { top }, 1 };
		for (int leaf; (leaf = rbl_bsp_next_leaf(bsp, &d, bsp->proxies->fat_boxes[slot])) >= 0;) {
			if (!rbl_bsp_append(bsp, leaf, slot))
				return false;
		}
	}
	return true;
}

static bool has_box_between(const rbl_bsp *bsp, const rbl_bsp_list *list, int direction, float low,
                            float high)
{
	for (int i = 0; i < list->count; ++i) {
		rbl_box box = bsp->proxies->fat_boxes[list->data[i]];
		if (!(rbl_bsp_box_begin(bsp, direction, box) >= high) &&
		    !(rbl_bsp_box_end(bsp, direction, box) < low))
			return true;
	}
	return false;
}

// Leaves below a node whose boxes or pairs may be others after a side grew. A cell without its
// slanted sides does not show that a slanted one moved: then those leaves are stale that list a box
// in the space between. @return the number of boxes looked at
static int mark_after_growth(rbl_bsp *bsp, int top, const growth *g)
{
	rbl_bsp_refresh_cells(bsp, top);
	if (g->direction < 3)
		return 0;
	int seen = 0;
	float low = rbl_minf(g->from, g->to), high = rbl_maxf(g->from, g->to);
	leaf_walk walk = { { top }, 1 };
	for (int index; (index = walk_next(bsp, &walk)) >= 0;) {
		int at = bsp->nodes.data[index].children[0];
		rbl_bsp_leaf *leaf = &bsp->leaves.data[at];
		seen += leaf->moving.count + leaf->statics.count;
		if (has_box_between(bsp, &leaf->moving, g->direction, low, high) ||
		    has_box_between(bsp, &leaf->statics, g->direction, low, high)) {
			leaf->is_stale = true;
			rbl_bsp_touch(bsp, at);
		}
	}
	return seen;
}

bool rbl_bsp_is_redundant(const rbl_bsp *bsp, int index)
{
	const rbl_bsp_node *node = &bsp->nodes.data[index];
	// Of the boxes; well beyond that of a new plane.
	float limit = 0.5f * (1.0f + bsp->settings.max_redundancy);
	float listed = (float)bsp->nodes.data[bsp->root].population;
	if (listed < (1.0f + limit) * (float)bsp->proxies->live_count)
		return false;
	int sample[SAMPLE_COUNT], count = sample_below(bsp, index, sample), cut = 0;
	for (int k = 0; k < count; ++k)
		cut += rbl_bsp_sides(bsp, node, bsp->proxies->fat_boxes[sample[k]]) == 3;
	// A box that is cut is met twice as often.
	return (float)cut > limit * ((float)count - 0.5f * (float)cut) * 2.0f;
}

// How far a plane may move towards a better offset within the budget: a box that it passes is
// touched once where it is and once where it goes.
static float limit_offset(const rbl_bsp *bsp, const rbl_bsp_node *node, float wanted,
                          const int *sample, int count)
{
	float from = node->offset, low = rbl_minf(from, wanted), high = rbl_maxf(from, wanted);
	int64_t passed = 0;
	for (int k = 0; k < count; ++k) {
		rbl_box box = bsp->proxies->fat_boxes[sample[k]];
		passed += rbl_bsp_box_begin(bsp, node->direction, box) < high &&
		          rbl_bsp_box_end(bsp, node->direction, box) >= low;
	}
	int64_t work = 2 * passed * node->population / count, left = bsp->budget - bsp->work;
	if (bsp->budget < 0 || work <= left)
		return wanted;
	return from + (wanted - from) * ((float)left / (float)work);
}

int rbl_bsp_balance(rbl_bsp *bsp, int index)
{
	int sample[SAMPLE_COUNT];
	int count = sample_below(bsp, index, sample);
	rbl_bsp_node *node = &bsp->nodes.data[index];
	int direction = node->direction;
	plane better =
		count > 1 ? best_along(bsp, direction, sample, count) : (plane){ -1, 0.0f, INFINITY };
	if (better.direction < 0)
		return 0;
	better.offset = limit_offset(bsp, node, better.offset, sample, count);
	if (better.offset == node->offset)
		return 0;
	growth g = { direction, better.offset < node->offset, node->offset, better.offset };
	int seen = collect(bsp, node->children[1 - g.side], &g);
	if (seen < 0)
		return -1;
	node->offset = better.offset;
	bool ok = insert_collected(bsp, node->children[g.side]);
	seen += mark_after_growth(bsp, index, &g);
	bsp->stats.balances++;
	return ok ? seen + bsp->work_slots.count + 1 : -1;
}

int rbl_bsp_swap(rbl_bsp *bsp, int index)
{
	rbl_bsp_node *node = &bsp->nodes.data[index];
	int heavy = bsp->nodes.data[node->children[1]].population >
	            bsp->nodes.data[node->children[0]].population;
	int kept = node->children[heavy], dropped = node->children[1 - heavy];
	growth g = { node->direction, heavy, node->offset, heavy ? -INFINITY : INFINITY };
	int seen = collect(bsp, dropped, &g);
	if (seen < 0)
		return -1;
	free_below(bsp, dropped);
	rbl_bsp_free_node(bsp, dropped);
	// The node becomes its heavier child.
	rbl_bsp_node child = bsp->nodes.data[kept];
	child.parent = node->parent;
	child.depth = node->depth;
	*node = child;
	rbl_bsp_free_node(bsp, kept);
	if (node->direction < 0) {
		bsp->leaves.data[node->children[0]].node = index;
	} else {
		bsp->nodes.data[node->children[0]].parent = index;
		bsp->nodes.data[node->children[1]].parent = index;
	}
	bool ok = insert_collected(bsp, index);
	int looked_at = mark_after_growth(bsp, index, &g);
	bsp->stats.swaps++;
	return ok ? 2 * seen + looked_at + 1 : -1;
}

// --- building ------------------------------------------------------------------------------------

typedef struct build_range {
	int node, begin, end, depth;
} build_range;

// Partition the slots until they are few; only planes are made here, the boxes are distributed
// afterwards.
static bool build_planes(rbl_bsp *bsp)
{
	const int threshold = rbl_bsp_split_threshold(bsp) * 3 / 4;
	build_range stack[RBL_MAX_BSP_HEIGHT + 2] = { { bsp->root, 0, bsp->work_slots.count, 0 } };
	int top = 1;
	while (top > 0) {
		build_range r = stack[--top];
		int count = r.end - r.begin;
		plane cut = { -1, 0.0f, 0.0f };
		if (!rbl_bsp_reserve(bsp, 2) ||
		    !rbl_array_reserve(&bsp->allocator, &bsp->work_slots, r.end + count))
			return false;
		if (count > threshold && r.depth < bsp->settings.height_limit)
			cut = choose_plane(bsp, bsp->work_slots.data + r.begin, count);
		if (cut.direction < 0) {
			rbl_bsp_new_leaf(bsp, r.node);
			continue;
		}
		int below = rbl_bsp_new_node(bsp), above = rbl_bsp_new_node(bsp);
		rbl_bsp_node *node = &bsp->nodes.data[r.node];
		node->direction = cut.direction, node->offset = cut.offset;
		node->children[0] = below, node->children[1] = above;
		bsp->nodes.data[below].parent = bsp->nodes.data[above].parent = r.node;
		int left, right;
		rbl_bsp_partition_slots(bsp, node, &bsp->work_slots, r.begin, r.end, &left, &right);
		stack[top++] = (build_range){ below, r.begin, left, r.depth + 1 };
		stack[top++] = (build_range){ above, r.end, right, r.depth + 1 };
	}
	return true;
}

// Memory ran out while planes were made: back to one leaf, which is a tree too.
static void collapse_to_leaf(rbl_bsp *bsp)
{
	for (int i = 0; i < bsp->nodes.count; ++i) {
		if (bsp->nodes.data[i].is_used && i != bsp->root)
			rbl_bsp_free_node(bsp, i);
	}
	for (int i = 0; i < bsp->leaves.count; ++i) {
		if (bsp->leaves.data[i].node >= 0)
			rbl_bsp_free_leaf(bsp, i);
	}
	bsp->nodes.data[bsp->root] = (rbl_bsp_node){ .direction = -1, .parent = -1, .is_used = true };
	rbl_bsp_new_leaf(bsp, bsp->root);
}

bool rbl_bsp_rebuild(rbl_bsp *bsp)
{
	rbl_proxies *proxies = bsp->proxies;
	free_below(bsp, bsp->root);
	bsp->events.count = 0;
	bsp->nodes.data[bsp->root].parent = -1;
	bsp->work_slots.count = 0;
	bool ok = rbl_array_reserve(&bsp->allocator, &bsp->work_slots, 2 * proxies->live_count + 1);
	for (int slot = 0; slot < proxies->ids.slot_count && ok; ++slot) {
		if (!rbl_proxies_is_live(proxies, (uint32_t)slot))
			continue;
		proxies->fat_boxes[slot] = rbl_proxies_fatten(proxies, slot, bsp->margin);
		bsp->work_slots.data[bsp->work_slots.count++] = slot;
	}
	if (!ok || !build_planes(bsp)) {
		collapse_to_leaf(bsp);
		return false;
	}
	rbl_bsp_refresh_cells(bsp, bsp->root);
	for (int slot = 0; slot < proxies->ids.slot_count && ok; ++slot) {
		if (rbl_proxies_is_live(proxies, (uint32_t)slot) &&
		    (proxies->flags[slot] & RBL_PROXY_STATIC))
			ok = rbl_bsp_insert(bsp, bsp->root, slot, rbl_box_empty());
	}
	bsp->stats.rebuilds++;
	return ok;
}
