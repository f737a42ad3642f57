// SPDX-License-Identifier: MIT
//
// The Morton builder: sort the centres along a space-filling curve, then one linear pass.
//
// The bits of a key are dealt out as a midpoint split would choose them: each next bit halves the
// axis whose cells are longest, so a flat or long model wastes none. A radix sort of three passes
// orders the keys. Splits of the upper tree are found by bisection until a range is small; then
// ranges are emitted one by one, on any worker, each into its own run of nodes.

#include "tree/tree_kernels.h"

enum {
	KEY_BITS = 32,
	AXIS_BITS = 16,
	DIGIT_BITS = 11,
	DIGITS = 1 << DIGIT_BITS,
	BLOCK = 16384, // items of one job of the sort
	FEW = 2048,
	RANGE = 8192, // a range of this size is emitted whole
	SMALL = 256,  // a tree of fewer leaves is done before large tables are made
};

typedef struct range {
	int begin, end, base;
} range;

struct rbl_morton_scratch {
	rbl_sort_item *items, *spare;
	uint32_t *histograms; // DIGITS per block
	range *ranges;        // emitted whole
	uint32_t *upper;      // numbers of the nodes above them, parents before children
	rbl_morton_frame *frame;
};

rbl_morton_scratch *rbl_morton_prepare(rbl_arena *arena, int count)
{
	rbl_morton_scratch *scratch = RBL_ARENA_NEW(arena, rbl_morton_scratch, 1);
	if (!scratch)
		return NULL;
	size_t blocks = (size_t)(count / BLOCK + 1);
	scratch->items = RBL_ARENA_NEW(arena, rbl_sort_item, count);
	scratch->spare = RBL_ARENA_NEW(arena, rbl_sort_item, count);
	scratch->histograms = RBL_ARENA_NEW(arena, uint32_t, blocks * DIGITS);
	// Ranges and the nodes above them: a split that leaves a small range makes one of each, and
	// splits of large ranges are fewer than that.
	scratch->ranges = RBL_ARENA_NEW(arena, range, (size_t)count / 2 + 1);
	scratch->upper = RBL_ARENA_NEW(arena, uint32_t, (size_t)count);
	scratch->frame = RBL_ARENA_NEW(arena, rbl_morton_frame, 1);
	bool ready = scratch->items && scratch->spare && scratch->histograms && scratch->ranges &&
	             scratch->upper && scratch->frame;
	return ready ? scratch : NULL;
}

// Where the bits of a cell's number go in a key, for all values of some of its bits.
static void make_table(uint32_t *spread, int size, const uint32_t *place)
{
	spread[0] = 0;
	for (int value = 1; value < size; ++value) // one more bit than the value without its lowest
		spread[value] = spread[value & (value - 1)] | place[__builtin_ctz((unsigned)value)];
}

static void make_frame(rbl_morton_frame *frame, rbl_box bounds, bool is_small)
{
	float size[3] = { bounds.upper.x - bounds.lower.x, bounds.upper.y - bounds.lower.y,
		              bounds.upper.z - bounds.lower.z };
	int bits[3] = { 0 }, order[KEY_BITS];
	float cell[3] = { size[0], size[1], size[2] };
	for (int i = 0; i < KEY_BITS; ++i) {
		int axis = -1;
		for (int k = 0; k < 3; ++k)
			if (bits[k] < AXIS_BITS && (axis < 0 || cell[k] > cell[axis]))
				axis = k;
		order[i] = axis;
		bits[axis]++;
		cell[axis] *= 0.5f;
	}
	// Bit b (from the top) of axis k goes where the b-th turn of k is in the order.
	uint32_t place[3][AXIS_BITS] = { { 0 } };
	int seen[3] = { 0 };
	for (int i = 0; i < KEY_BITS; ++i) {
		int axis = order[i];
		place[axis][bits[axis] - 1 - seen[axis]++] = (uint32_t)1 << (KEY_BITS - 1 - i);
	}
	for (int axis = 0; axis < 3; ++axis) {
		for (int part = 0; part < 2 && !is_small; ++part)
			make_table(frame->spread[axis][part], 256, place[axis] + 8 * part);
		for (int part = 0; part < 4 && is_small; ++part)
			make_table(frame->small_spread[axis][part], 16, place[axis] + 4 * part);
	}
	const float lower[3] = { bounds.lower.x, bounds.lower.y, bounds.lower.z };
	for (int axis = 0; axis < 3; ++axis) {
		// Slightly less than the number of cells: the upper end falls into the last one.
		float cells = (float)(1 << bits[axis]) * 0.99999f;
		frame->lower[axis] = lower[axis];
		frame->scale[axis] = size[axis] > FLT_MIN ? cells / size[axis] : 0.0f;
		if (!isfinite(frame->scale[axis]))
			frame->scale[axis] = 0.0f;
	}
	frame->lower[3] = frame->scale[3] = 0.0f;
}

typedef struct sort_job {
	const rbl_box *boxes;
	const rbl_morton_frame *frame;
	rbl_sort_item *from, *to;
	uint32_t *histograms;
	int shift;
} sort_job;

static void key_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const sort_job *job = context;
	RBL_PICK(rbl_morton_keys)(job->frame, job->boxes, begin, end, job->to);
}

static void count_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const sort_job *job = context;
	uint32_t *counts = job->histograms + (size_t)(begin / BLOCK) * DIGITS;
	memset(counts, 0, DIGITS * sizeof *counts);
	for (int i = begin; i < end; ++i)
		counts[job->from[i].key >> job->shift & (DIGITS - 1)]++;
}

static void scatter_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const sort_job *job = context;
	uint32_t *next = job->histograms + (size_t)(begin / BLOCK) * DIGITS;
	for (int i = begin; i < end; ++i)
		job->to[next[job->from[i].key >> job->shift & (DIGITS - 1)]++] = job->from[i];
}

// Counts by block and digit become first positions: digit by digit, block by block, so the sort
// is stable. @return false when one digit holds everything: nothing to move
static bool starts_from_counts(uint32_t *histograms, int blocks, int count)
{
	uint32_t sum = 0;
	for (int digit = 0; digit < DIGITS; ++digit) {
		uint32_t before = sum;
		for (int block = 0; block < blocks; ++block) {
			uint32_t *entry = &histograms[(size_t)block * DIGITS + (size_t)digit];
			uint32_t items = *entry;
			*entry = sum;
			sum += items;
		}
		if (sum - before == (uint32_t)count)
			return false;
	}
	return true;
}

static void sort_items(const rbl_build_context *builder, rbl_morton_scratch *scratch)
{
	rbl_jobs *jobs = builder->input->jobs;
	int count = builder->input->count, blocks = (count + BLOCK - 1) / BLOCK;
	if (count < FEW) { // wide histograms cost more than they save
		rbl_sort(scratch->items, scratch->spare, count);
		return;
	}
	for (int pass = 0; pass < 3; ++pass) {
		sort_job job = { .from = scratch->items,
			             .to = scratch->spare,
			             .histograms = scratch->histograms,
			             .shift = pass * DIGIT_BITS };
		rbl_parallel_for(jobs, count, BLOCK, count_block, &job);
		if (!starts_from_counts(scratch->histograms, blocks, count))
			continue;
		rbl_parallel_for(jobs, count, BLOCK, scatter_block, &job);
		scratch->items = job.to;
		scratch->spare = job.from;
	}
}

// The first item of the upper part of [begin, end): where the highest differing bit turns to one.
static int find_split(const rbl_sort_item *items, int begin, int end)
{
	uint32_t difference = items[begin].key ^ items[end - 1].key;
	bool by_place = difference == 0;
	uint32_t first = by_place ? (uint32_t)begin : items[begin].key;
	uint32_t last = by_place ? (uint32_t)(end - 1) : items[end - 1].key;
	uint32_t bit = (uint32_t)1 << (31 - __builtin_clz(first ^ last));
	int low = begin, high = end - 1; // the bit is zero at low, one at high
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		uint32_t value = by_place ? (uint32_t)middle : items[middle].key;
		if (value & bit)
			high = middle;
		else
			low = middle;
	}
	return high;
}

typedef struct emit_job {
	const rbl_build_context *builder;
	const rbl_morton_scratch *scratch;
} emit_job;

static void emit_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const emit_job *job = context;
	for (int i = begin; i < end; ++i) {
		range r = job->scratch->ranges[i];
		RBL_PICK(rbl_morton_emit)(job->builder, job->scratch->items, r.begin, r.end, r.base);
	}
}

// Write the nodes above the ranges, as far as they are known before those are emitted.
// @return the number of ranges; `upper_count` receives the number of nodes above
static int split_upper(const rbl_build_context *builder, rbl_morton_scratch *scratch,
                       int *upper_count)
{
	rbl_tree_pool *pool = builder->pool;
	range stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0, range_count = 0, uppers = 0;
	stack[top++] = (range){ 0, builder->input->count, 0 };
	while (top > 0) {
		range r = stack[--top];
		if (r.end - r.begin <= RANGE) {
			scratch->ranges[range_count++] = r;
			continue;
		}
		int middle = find_split(scratch->items, r.begin, r.end);
		int number = rbl_build_number(r.begin, r.end, r.base);
		uint32_t index = rbl_build_node(builder, number);
		rbl_tree_node *node = &pool->nodes[index];
		node->flags = 0;
		scratch->upper[uppers++] = index;
		range parts[2] = { { r.begin, middle, r.base },
			               { middle, r.end, r.base + middle - r.begin - 1 } };
		for (int side = 1; side >= 0; --side) {
			range part = parts[side];
			if (part.end - part.begin > 1) {
				node->children[side] =
					rbl_build_node(builder, rbl_build_number(part.begin, part.end, part.base));
				stack[top++] = part;
				continue;
			}
			uint32_t position = scratch->items[part.begin].value;
			uint32_t id = rbl_build_leaf_id(builder, position);
			node->children[side] = id | RBL_TREE_LEAF;
			node->boxes[side] = builder->input->boxes[position];
			pool->leaf_parents[id] = index;
		}
	}
	*upper_count = uppers;
	return range_count;
}

static void sort_leaves(const rbl_build_context *builder, rbl_morton_scratch *scratch)
{
	const rbl_tree_build_input *input = builder->input;
	bool is_small = input->count < SMALL;
	make_frame(scratch->frame, RBL_PICK(rbl_morton_bounds)(input->boxes, input->count), is_small);
	if (is_small) {
		RBL_PICK(rbl_morton_few_keys)(scratch->frame, input->boxes, input->count, scratch->items);
		rbl_sort(scratch->items, scratch->spare, input->count);
		return;
	}
	sort_job keys = { .boxes = input->boxes, .frame = scratch->frame, .to = scratch->items };
	rbl_parallel_for(input->jobs, input->count, BLOCK, key_block, &keys);
	sort_items(builder, scratch);
}

void rbl_morton_build_halves(const rbl_build_context *builder, rbl_morton_scratch *scratch)
{
	sort_leaves(builder, scratch);
	rbl_tree_pool *pool = builder->pool;
	range stack[RBL_TREE_MAX_HEIGHT];
	int top = 0;
	stack[top++] = (range){ 0, builder->input->count, 0 };
	while (top > 0) {
		range r = stack[--top];
		int middle = r.begin + (r.end - r.begin) / 2;
		uint32_t index = rbl_build_node(builder, rbl_build_number(r.begin, r.end, r.base));
		range parts[2] = { { r.begin, middle, r.base },
			               { middle, r.end, r.base + middle - r.begin - 1 } };
		rbl_tree_node *node = &pool->nodes[index];
		node->flags = 0;
		for (int side = 0; side < 2; ++side) {
			range part = parts[side];
			if (part.end - part.begin == 1) {
				uint32_t position = scratch->items[part.begin].value;
				uint32_t id = rbl_build_leaf_id(builder, position);
				node->children[side] = id | RBL_TREE_LEAF;
				node->boxes[side] = builder->input->boxes[position];
				pool->leaf_parents[id] = index;
				continue;
			}
			uint32_t child =
				rbl_build_node(builder, rbl_build_number(part.begin, part.end, part.base));
			node->children[side] = child;
			pool->nodes[child].parent = index;
			stack[top++] = part;
		}
	}
}

void rbl_morton_build(const rbl_build_context *builder, rbl_morton_scratch *scratch)
{
	const rbl_tree_build_input *input = builder->input;
	sort_leaves(builder, scratch);
	int upper_count, range_count = split_upper(builder, scratch, &upper_count);
	emit_job job = { builder, scratch };
	rbl_parallel_for(input->jobs, range_count, 1, emit_block, &job);
	rbl_tree_node *nodes = builder->pool->nodes;
	for (int i = upper_count - 1; i >= 0; --i) {
		uint32_t index = scratch->upper[i];
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(nodes[index].children[side]))
				nodes[nodes[index].children[side]].parent = index;
		RBL_PICK(rbl_tree_fit_run)(nodes, index, index + 1);
	}
}
