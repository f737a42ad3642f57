// SPDX-License-Identifier: MIT
//
// Farthest points, eight at a time. See point_order.c.

#include "field/field_kernels.h"

#include "base/memory.h"
#include "base/simd.h"

#include <math.h>

// The greatest gap of eight, and the slot of the one that has it; of equals the point of lowest
// index.
typedef struct widest {
	float gap;
	int32_t slot;
} widest;

static int32_t index_at(const rbl_order_work *work, int32_t slot)
{
	return work->leaves[slot / RBL_ORDER_WIDTH].index[slot % RBL_ORDER_WIDTH];
}

static inline widest widest_of_leaf(const rbl_order_leaf *leaf, int number)
{
	rbl_f8 gaps = rbl_f8_load(leaf->gap);
	float most = rbl_f8_max_lane(gaps);
	unsigned bits = (unsigned)rbl_i8_bits(rbl_f8_eq(gaps, rbl_f8_splat(most)));
	int lane = __builtin_ctz(bits);
	for (bits &= bits - 1; bits; bits &= bits - 1) {
		int other = __builtin_ctz(bits);
		lane = leaf->index[other] < leaf->index[lane] ? other : lane;
	}
	return (widest){ most, number * RBL_ORDER_WIDTH + lane };
}

static inline widest widest_of_node(const rbl_order_work *work, const rbl_order_node *node)
{
	rbl_f8 gaps = rbl_f8_load(node->gap);
	float most = rbl_f8_max_lane(gaps);
	unsigned bits = (unsigned)rbl_i8_bits(rbl_f8_eq(gaps, rbl_f8_splat(most)));
	int lane = __builtin_ctz(bits);
	for (bits &= bits - 1; bits && most >= 0.0f; bits &= bits - 1) {
		int other = __builtin_ctz(bits);
		if (index_at(work, node->slot[other]) < index_at(work, node->slot[lane]))
			lane = other;
	}
	return (widest){ most, node->slot[lane] };
}

// --- boxes --------------------------------------------------------------------------------------

static void set_child(rbl_order_node *node, int lane, const float lower[3], const float upper[3],
                      widest best)
{
	for (int k = 0; k < 3; ++k)
		node->lower[k][lane] = lower[k], node->upper[k][lane] = upper[k];
	node->gap[lane] = best.gap;
	node->slot[lane] = best.slot;
}

static void close_node(rbl_order_node *node, int used)
{
	static const float zero[3];
	for (int lane = used; lane < RBL_ORDER_WIDTH; ++lane)
		set_child(node, lane, zero, zero, (widest){ -1.0f, 0 });
}

void RBL_KERNEL(rbl_order_prepare)(rbl_order_work *work)
{
	for (int i = 0; i < work->leaf_count; ++i) {
		const rbl_order_leaf *leaf = &work->leaves[i];
		rbl_f8 x = rbl_f8_load(leaf->x), y = rbl_f8_load(leaf->y), z = rbl_f8_load(leaf->z);
		const float lower[3] = { rbl_f8_min_lane(x), rbl_f8_min_lane(y), rbl_f8_min_lane(z) };
		const float upper[3] = { rbl_f8_max_lane(x), rbl_f8_max_lane(y), rbl_f8_max_lane(z) };
		set_child(&work->levels[0][i / RBL_ORDER_WIDTH], i % RBL_ORDER_WIDTH, lower, upper,
		          widest_of_leaf(leaf, i));
	}
	int count = work->leaf_count;
	for (int level = 0; level < work->level_count; ++level) {
		int node_count = work->node_counts[level], rest = count % RBL_ORDER_WIDTH;
		if (rest > 0)
			close_node(&work->levels[level][node_count - 1], rest);
		for (int i = 0; i < node_count && level + 1 < work->level_count; ++i) {
			const rbl_order_node *node = &work->levels[level][i];
			int used = i + 1 < node_count || rest == 0 ? RBL_ORDER_WIDTH : rest;
			float lower[3], upper[3];
			for (int k = 0; k < 3; ++k) {
				lower[k] = node->lower[k][0], upper[k] = node->upper[k][0];
				for (int lane = 1; lane < used; ++lane) {
					lower[k] = fminf(lower[k], node->lower[k][lane]);
					upper[k] = fmaxf(upper[k], node->upper[k][lane]);
				}
			}
			set_child(&work->levels[level + 1][i / RBL_ORDER_WIDTH], i % RBL_ORDER_WIDTH, lower,
			          upper, widest_of_node(work, node));
		}
		count = node_count;
	}
}

// --- order --------------------------------------------------------------------------------------

// The squared distance of a point from eight boxes, rounded as those of the points in them are:
// rounding keeps order, so none of these has a smaller one.
static inline rbl_f8 box_gaps(const rbl_order_node *node, rbl_f8 x, rbl_f8 y, rbl_f8 z)
{
	const rbl_f8 zero = rbl_f8_zero();
	rbl_f8 dx = rbl_f8_max(rbl_f8_max(rbl_f8_sub(rbl_f8_load(node->lower[0]), x),
	                                  rbl_f8_sub(x, rbl_f8_load(node->upper[0]))),
	                       zero);
	rbl_f8 dy = rbl_f8_max(rbl_f8_max(rbl_f8_sub(rbl_f8_load(node->lower[1]), y),
	                                  rbl_f8_sub(y, rbl_f8_load(node->upper[1]))),
	                       zero);
	rbl_f8 dz = rbl_f8_max(rbl_f8_max(rbl_f8_sub(rbl_f8_load(node->lower[2]), z),
	                                  rbl_f8_sub(z, rbl_f8_load(node->upper[2]))),
	                       zero);
	return rbl_f8_add(rbl_f8_add(rbl_f8_mul(dx, dx), rbl_f8_mul(dy, dy)), rbl_f8_mul(dz, dz));
}

// Nodes or leaves below `count` visited nodes in which some point may be nearer to the new one.
// @param items  what is below, `size` bytes each: their first cache lines will be read soon
static inline int children_within_reach(const rbl_order_node *nodes, const int32_t *visits,
                                        int count, rbl_f8 x, rbl_f8 y, rbl_f8 z, int32_t *below,
                                        const void *items, size_t size)
{
	int n = 0;
	for (int i = 0; i < count; ++i) {
		const rbl_order_node *node = &nodes[visits[i]];
		rbl_f8 gaps = box_gaps(node, x, y, z);
		unsigned bits = (unsigned)rbl_i8_bits(rbl_f8_lt(gaps, rbl_f8_load(node->gap)));
		for (; bits; bits &= bits - 1) {
			int child = visits[i] * RBL_ORDER_WIDTH + __builtin_ctz(bits);
			const char *address = (const char *)items + (size_t)child * size;
			for (size_t k = 0; k < size && k < 256; k += RBL_CACHE_LINE)
				rbl_prefetch(address + k);
			below[n++] = child;
		}
	}
	return n;
}

// @return whether the leaf has changed
static inline bool add_to_leaf(rbl_order_leaf *leaf, bool is_own, rbl_f8 x, rbl_f8 y, rbl_f8 z,
                               int rank, int level_begin)
{
	rbl_f8 dx = rbl_f8_sub(rbl_f8_load(leaf->x), x), dy = rbl_f8_sub(rbl_f8_load(leaf->y), y);
	rbl_f8 dz = rbl_f8_sub(rbl_f8_load(leaf->z), z);
	rbl_f8 gap = rbl_f8_add(rbl_f8_add(rbl_f8_mul(dx, dx), rbl_f8_mul(dy, dy)), rbl_f8_mul(dz, dz));
	rbl_f8 old = rbl_f8_load(leaf->gap);
	rbl_i8 is_nearer = rbl_f8_lt(gap, old);
	if (!rbl_i8_any(is_nearer))
		return is_own;
	rbl_i8 nearest = rbl_i8_load(leaf->nearest);
	rbl_f8_store(leaf->gap, rbl_f8_select(is_nearer, gap, old));
	rbl_i8 is_old = rbl_i8_and(is_nearer, rbl_i8_lt(nearest, rbl_i8_splat(level_begin)));
	rbl_i8_store(leaf->before, rbl_i8_select(is_old, nearest, rbl_i8_load(leaf->before)));
	rbl_i8_store(leaf->nearest, rbl_i8_select(is_nearer, rbl_i8_splat(rank), nearest));
	return true;
}

// Tell the node above a child its greatest gap. Children come in ascending order.
// @param changed  nodes that were told something new, `count` of them
static inline int put_widest(rbl_order_node *nodes, int child, widest best, int32_t *changed,
                             int count)
{
	int number = child / RBL_ORDER_WIDTH, lane = child % RBL_ORDER_WIDTH;
	rbl_order_node *node = &nodes[number];
	if (node->gap[lane] == best.gap && node->slot[lane] == best.slot)
		return count;
	node->gap[lane] = best.gap;
	node->slot[lane] = best.slot;
	if (count == 0 || changed[count - 1] != number)
		changed[count++] = number;
	return count;
}

// Add the point in a slot to the order. @return the next
static widest add_to_order(rbl_order_work *work, int32_t slot, int rank, int level_begin)
{
	int own_number = slot / RBL_ORDER_WIDTH, lane = slot % RBL_ORDER_WIDTH;
	rbl_order_leaf *own = &work->leaves[own_number];
	int top = work->level_count - 1, count = 1;
	work->order[rank] = own->index[lane];
	work->parents[rank] = own->nearest[lane] < level_begin ? own->nearest[lane] : own->before[lane];
	own->gap[lane] = -1.0f;
	rbl_f8 x = rbl_f8_splat(own->x[lane]), y = rbl_f8_splat(own->y[lane]);
	rbl_f8 z = rbl_f8_splat(own->z[lane]);
	work->visits[top][0] = 0;
	for (int level = top; level > 0; --level)
		count = children_within_reach(work->levels[level], work->visits[level], count, x, y, z,
		                              work->visits[level - 1], work->levels[level - 1],
		                              sizeof(rbl_order_node));
	count = children_within_reach(work->levels[0], work->visits[0], count, x, y, z,
	                              work->leaf_visits, work->leaves, sizeof(rbl_order_leaf));
	int changed_count = 0;
	for (int i = 0; i < count; ++i) {
		int number = work->leaf_visits[i];
		rbl_order_leaf *leaf = &work->leaves[number];
		if (add_to_leaf(leaf, number == own_number, x, y, z, rank, level_begin))
			changed_count = put_widest(work->levels[0], number, widest_of_leaf(leaf, number),
			                           work->visits[0], changed_count);
	}
	for (int level = 0; level < top; ++level) {
		count = changed_count, changed_count = 0;
		for (int i = 0; i < count; ++i) {
			int number = work->visits[level][i];
			changed_count = put_widest(work->levels[level + 1], number,
			                           widest_of_node(work, &work->levels[level][number]),
			                           work->visits[level + 1], changed_count);
		}
	}
	return widest_of_node(work, &work->levels[top][0]);
}

int RBL_KERNEL(rbl_order_run)(rbl_order_work *work, int first_slot)
{
	widest next = { FLT_MAX, first_slot };
	int rank = 0, level_begin = 0;
	while (rank < work->ordered_count && next.gap > 0.0f) {
		if (rank == 1 || rank == 2 * level_begin)
			level_begin = rank;
		next = add_to_order(work, next.slot, rank++, level_begin);
	}
	return rank;
}
