// SPDX-License-Identifier: MIT
//
// Builders that go down: median, midpoint, grid, surface area. Morton has its own file.
//
// A range of items is split, the node written, both halves wait on a list. The list is worked off
// in rounds while ranges are large: every range of a round splits at the same time on the workers.
// Then each remaining range is one job. What a range does depends on its items alone, so the tree
// is the same for any worker count.
//
// Depth: below MAX_FREE_DEPTH levels any builder halves by count, so no input makes a tree higher
// than RBL_TREE_MAX_HEIGHT.

#include "tree/tree_kernels.h"

#include "base/log.h"
#include "base/sort.h"

enum { MAX_FREE_DEPTH = 60, LARGE = 4096, GRID_CELLS = 8 };

int rbl_build_split_at(const rbl_build_context *builder, rbl_build_task task, int middle,
                       rbl_build_task children[2])
{
	RBL_ASSERT(task.begin < middle && middle < task.end);
	uint32_t index = rbl_build_node(builder, rbl_build_number(task.begin, task.end, task.base));
	rbl_tree_node *node = &builder->pool->nodes[index];
	rbl_build_task parts[2] = {
		{ task.begin, middle, task.base, task.depth + 1 },
		{ middle, task.end, task.base + middle - task.begin - 1, task.depth + 1 },
	};
	int count = 0;
	node->flags = 0;
	for (int side = 0; side < 2; ++side) {
		rbl_build_task part = parts[side];
		if (part.end - part.begin == 1) {
			uint32_t position = rbl_build_position(builder, part.begin);
			uint32_t id = rbl_build_leaf_id(builder, position);
			node->boxes[side] = builder->input->boxes[position];
			node->children[side] = id | RBL_TREE_LEAF;
			builder->pool->leaf_parents[id] = index;
		} else {
			uint32_t child =
				rbl_build_node(builder, rbl_build_number(part.begin, part.end, part.base));
			node->children[side] = child;
			builder->pool->nodes[child].parent = index;
			children[count++] = part;
		}
	}
	return count;
}

rbl_box rbl_build_centre_bounds(const rbl_build_item *items, int count)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < count; ++i)
		box = rbl_box_add_point(
			box, (rbl_vec3){ items[i].centre[0], items[i].centre[1], items[i].centre[2] });
	return box;
}

static inline uint64_t select_key(const rbl_build_item *item, int axis)
{
	return (uint64_t)rbl_sort_key_float(item->centre[axis]) << 32 | item->position;
}

static uint64_t middle_of_three(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;
	return c < low ? low : c > high ? high : c;
}

static uint64_t choose_pivot(const rbl_build_item *items, int count, int axis)
{
	uint64_t samples[3];
	for (int i = 0; i < 3; ++i) {
		int a = (int)((int64_t)count * (3 * i) / 9), b = (int)((int64_t)count * (3 * i + 1) / 9),
			c = (int)((int64_t)count * (3 * i + 2) / 9);
		samples[i] = middle_of_three(select_key(&items[a], axis), select_key(&items[b], axis),
		                             select_key(&items[c], axis));
	}
	return middle_of_three(samples[0], samples[1], samples[2]);
}

// Quickselect with a partition free of branches. Keys are all different (ties by position), so
// each round removes the pivot at least. Samples that mislead again and again are answered by the
// bisection of the key space, 64 rounds at most: no input is quadratic.
void rbl_build_select(rbl_build_item *items, int count, int middle, int axis)
{
	uint64_t low = 0, high = ~(uint64_t)0; // keys of items[begin, end) lie in [low, high]
	int begin = 0, end = count;
	for (int round = 0; end - begin > 1; ++round) {
		uint64_t pivot = round < 12 ? choose_pivot(items + begin, end - begin, axis)
		                            : low + (high - low) / 2 + 1;
		int split = begin;
		for (int i = begin; i < end; ++i) {
			rbl_build_item item = items[i];
			items[i] = items[split];
			items[split] = item;
			split += select_key(&item, axis) < pivot;
		}
		if (split == middle)
			return;
		if (split > middle) {
			end = split;
			high = pivot - 1;
		} else {
			// A pivot that is the least key splits nothing off: step over it.
			low = pivot;
			if (split == begin) {
				int smallest = begin;
				for (int i = begin; i < end; ++i)
					smallest = select_key(&items[i], axis) < select_key(&items[smallest], axis)
					               ? i
					               : smallest;
				rbl_build_item item = items[smallest];
				items[smallest] = items[begin];
				items[begin] = item;
				split = begin + 1;
				if (split == middle)
					return;
			}
			begin = split;
		}
	}
}

static int median_split(const rbl_build_context *builder, rbl_build_task task)
{
	rbl_build_item *items = builder->items + task.begin;
	int count = task.end - task.begin, half = count / 2;
	if (count > 2) {
		int axis = rbl_largest_axis(rbl_box_size(rbl_build_centre_bounds(items, count)));
		rbl_build_select(items, count, half, axis);
	}
	return task.begin + half;
}

static int midpoint_split(const rbl_build_context *builder, rbl_build_task task)
{
	rbl_build_item *items = builder->items + task.begin;
	int count = task.end - task.begin;
	rbl_box bounds = rbl_build_centre_bounds(items, count);
	int axis = rbl_largest_axis(rbl_box_size(bounds));
	float low = rbl_axis(bounds.lower, axis), high = rbl_axis(bounds.upper, axis);
	float limit = 0.5f * low + 0.5f * high;
	int split = 0;
	for (int i = 0; i < count; ++i) {
		rbl_build_item item = items[i];
		items[i] = items[split];
		items[split] = item;
		split += item.centre[axis] < limit;
	}
	return split == 0 || split == count ? median_split(builder, task) : task.begin + split;
}

static int split_range(const rbl_build_context *builder, rbl_build_task task)
{
	if (task.end - task.begin == 2)
		return task.begin + 1;
	bool is_deep = task.depth >= MAX_FREE_DEPTH;
	if (builder->fragments)
		return is_deep ? task.begin + (task.end - task.begin) / 2
		               : task.begin + RBL_PICK(rbl_sah_split)(builder->fragments + task.begin,
		                                                      task.end - task.begin);
	if (builder->input->builder == RBL_TREE_BUILD_MIDPOINT && !is_deep)
		return midpoint_split(builder, task);
	return median_split(builder, task);
}

// Sort a range into the eight cells of a grid over its centres, in one pass of counting.
static void sort_into_cells(const rbl_build_context *builder, rbl_build_task task,
                            int starts[GRID_CELLS + 1])
{
	rbl_build_item *items = builder->items + task.begin, *spare = builder->spare + task.begin;
	int count = task.end - task.begin;
	rbl_box bounds = rbl_build_centre_bounds(items, count);
	rbl_vec3 size = rbl_box_size(bounds), middle = rbl_box_centre(bounds);
	// The longest axis splits first: it is the highest bit of a cell's number.
	int a = rbl_largest_axis(size), b = (a + 1) % 3, c = (a + 2) % 3;
	if (rbl_axis(size, c) > rbl_axis(size, b))
		b = (a + 2) % 3, c = (a + 1) % 3;
	float limit_a = rbl_axis(middle, a), limit_b = rbl_axis(middle, b),
		  limit_c = rbl_axis(middle, c);
	int counts[GRID_CELLS] = { 0 };
	for (int i = 0; i < count; ++i) {
		const float *p = items[i].centre;
		counts[(p[a] >= limit_a) << 2 | (p[b] >= limit_b) << 1 | (p[c] >= limit_c)]++;
	}
	int next[GRID_CELLS], sum = 0;
	for (int cell = 0; cell < GRID_CELLS; ++cell) {
		starts[cell] = task.begin + sum;
		next[cell] = sum;
		sum += counts[cell];
	}
	starts[GRID_CELLS] = task.end;
	for (int i = 0; i < count; ++i) {
		const float *p = items[i].centre;
		spare[next[(p[a] >= limit_a) << 2 | (p[b] >= limit_b) << 1 | (p[c] >= limit_c)]++] =
			items[i];
	}
	memcpy(items, spare, (size_t)count * sizeof *items);
}

// Three levels at once: cells are split off at their common borders, empty ones vanish.
static int grid_split(const rbl_build_context *builder, rbl_build_task task,
                      rbl_build_task children[GRID_CELLS])
{
	int starts[GRID_CELLS + 1], count = 0, top = 0;
	sort_into_cells(builder, task, starts);
	struct {
		rbl_build_task task;
		int cell, cells;
	} stack[GRID_CELLS];
	stack[top].task = task, stack[top].cell = 0, stack[top++].cells = GRID_CELLS;
	while (top > 0) {
		rbl_build_task range = stack[--top].task;
		int cell = stack[top].cell, cells = stack[top].cells, middle = range.begin;
		while (cells > 1 && (middle == range.begin || middle == range.end)) {
			cells /= 2;
			middle = starts[cell + cells];
			if (middle == range.begin)
				cell += cells; // the lower half is empty
		}
		if (middle == range.begin || middle == range.end) { // one cell holds the whole range
			children[count++] = range;
			continue;
		}
		rbl_build_task parts[2];
		int open = rbl_build_split_at(builder, range, middle, parts);
		for (int i = open - 1; i >= 0; --i) {
			stack[top].task = parts[i];
			stack[top].cell = parts[i].begin == range.begin ? cell : cell + cells;
			stack[top++].cells = cells;
		}
	}
	return count;
}

// Split one range as its builder wants. @return the number of ranges left to split
static int split_task(const rbl_build_context *builder, rbl_build_task task,
                      rbl_build_task children[GRID_CELLS])
{
	int limit = builder->input->grid_leaves > 0 ? builder->input->grid_leaves : 100;
	if (builder->input->builder == RBL_TREE_BUILD_GRID && task.end - task.begin >= limit &&
	    task.depth < MAX_FREE_DEPTH) {
		int count = grid_split(builder, task, children);
		if (count != 1 || children[0].begin != task.begin || children[0].end != task.end)
			return count;
		// All centres in one cell: they are all the same.
	}
	return rbl_build_split_at(builder, task, split_range(builder, task), children);
}

typedef struct build_job {
	const rbl_build_context *builder;
	const rbl_build_task *tasks;
	rbl_build_task *children; // GRID_CELLS per task
	int *child_counts;
} build_job;

static void split_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const build_job *job = context;
	for (int i = begin; i < end; ++i)
		job->child_counts[i] =
			split_task(job->builder, job->tasks[i], job->children + (size_t)i * GRID_CELLS);
}

static void finish_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const build_job *job = context;
	// The smallest part is worked on first, and is at most half of its range: so the stack holds
	// a logarithm of the range, times the parts of a split.
	enum { STACK = 32 * GRID_CELLS };
	rbl_build_task stack[STACK];
	for (int i = begin; i < end; ++i) {
		int top = 0;
		stack[top++] = job->tasks[i];
		while (top > 0) {
			rbl_build_task task = stack[--top];
			int count = split_task(job->builder, task, stack + top), smallest = 0;
			for (int k = 1; k < count; ++k)
				if (stack[top + k].end - stack[top + k].begin <
				    stack[top + smallest].end - stack[top + smallest].begin)
					smallest = k;
			if (count > 1) {
				rbl_build_task swap = stack[top + smallest];
				stack[top + smallest] = stack[top + count - 1];
				stack[top + count - 1] = swap;
			}
			top += count;
		}
	}
}

typedef struct down_scratch {
	rbl_build_task *large[2], *small, *children;
	int *child_counts;
} down_scratch;

// Ranges of a round are disjoint and at least LARGE long, so there are at most count / LARGE of
// them; each leaves at most GRID_CELLS parts.
static bool prepare_down(rbl_arena *arena, int count, down_scratch *scratch)
{
	int rounds = count / LARGE + 1;
	scratch->large[0] = RBL_ARENA_NEW(arena, rbl_build_task, rounds);
	scratch->large[1] = RBL_ARENA_NEW(arena, rbl_build_task, rounds);
	scratch->children = RBL_ARENA_NEW(arena, rbl_build_task, rounds * GRID_CELLS);
	scratch->child_counts = RBL_ARENA_NEW(arena, int, rounds);
	// Every small range is the part of a large one; a split of the whole into large ranges has
	// at most MAX_HEIGHT levels, each with GRID_CELLS parts for every large range.
	scratch->small = RBL_ARENA_NEW(arena, rbl_build_task, (size_t)count / 2 + 1);
	return scratch->large[0] && scratch->large[1] && scratch->children && scratch->child_counts &&
	       scratch->small;
}

static void build_down(const rbl_build_context *builder, const down_scratch *scratch)
{
	int count = builder->input->count, large_count = 0, small_count = 0;
	rbl_build_task root = { 0, count, 0, 0 };
	rbl_build_task *large = scratch->large[0], *next = scratch->large[1];
	if (count >= LARGE)
		large[large_count++] = root;
	else
		scratch->small[small_count++] = root;
	while (large_count > 0) {
		build_job job = { builder, large, scratch->children, scratch->child_counts };
		rbl_parallel_for(builder->input->jobs, large_count, 1, split_block, &job);
		int next_count = 0;
		for (int i = 0; i < large_count; ++i)
			for (int k = 0; k < scratch->child_counts[i]; ++k) {
				rbl_build_task task = scratch->children[i * GRID_CELLS + k];
				if (task.end - task.begin >= LARGE)
					next[next_count++] = task;
				else
					scratch->small[small_count++] = task;
			}
		rbl_build_task *swap = large;
		large = next, next = swap;
		large_count = next_count;
	}
	build_job job = { builder, scratch->small, NULL, NULL };
	rbl_parallel_for(builder->input->jobs, small_count, 1, finish_block, &job);
}

typedef struct item_job {
	const rbl_box *boxes;
	rbl_build_item *items;
	rbl_build_fragment *fragments;
} item_job;

static void item_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const item_job *job = context;
	if (job->fragments) {
		RBL_PICK(rbl_sah_fragments)(job->boxes, begin, end, job->fragments);
		return;
	}
	for (int i = begin; i < end; ++i) {
		rbl_vec3 sum = rbl_add(job->boxes[i].lower, job->boxes[i].upper);
		job->items[i] = (rbl_build_item){ { sum.x, sum.y, sum.z }, (uint32_t)i };
	}
}

// Where the nodes go: a fresh run when nothing else lives in the pool, else free nodes in
// ascending order, else a run behind all others. The tree's own nodes are free by then.
typedef enum placement { PLACE_FRESH, PLACE_FREE, PLACE_BEHIND } placement;

static placement choose_placement(const rbl_tree *tree, int node_count, int *node_capacity)
{
	const rbl_tree_pool *pool = tree->pool;
	int own = tree->leaf_count > 1 ? tree->leaf_count - 1 : 0;
	int free_after = pool->free_count + own;
	if (free_after == pool->node_end) {
		*node_capacity = node_count;
		return PLACE_FRESH;
	}
	*node_capacity = free_after >= node_count ? 0 : pool->node_end + node_count;
	return free_after >= node_count ? PLACE_FREE : PLACE_BEHIND;
}

static void take_slots(rbl_tree_pool *pool, uint32_t *slots, int count, rbl_sort_item *keys)
{
	for (int i = 0; i < count; ++i)
		keys[i] = (rbl_sort_item){ rbl_tree_take_node(pool), 0 };
	rbl_sort(keys, keys + count, count);
	for (int i = 0; i < count; ++i)
		slots[i] = keys[i].key;
}

static uint32_t leaf_id_end(const rbl_tree_build_input *input)
{
	if (!input->ids)
		return (uint32_t)input->count;
	uint32_t end = 0;
	for (int i = 0; i < input->count; ++i)
		end = input->ids[i] >= end ? input->ids[i] + 1 : end;
	return end;
}

// All nodes are linked: what is left to do for the tree as a whole.
static void finish_build(rbl_tree *tree, const rbl_build_context *builder)
{
	rbl_tree_pool *pool = tree->pool;
	int nodes = builder->input->count - 1;
	if (builder->input->builder != RBL_TREE_BUILD_MORTON) // which fits on the way
		rbl_tree_fit_nodes(pool, builder->first, builder->slots, nodes);
	rbl_tree_set_arrays(pool, builder->first, builder->slots, nodes);
	tree->root = rbl_build_node(builder, nodes - 1);
	pool->nodes[tree->root].parent = RBL_TREE_NONE;
	tree->leaf_count = builder->input->count;
	tree->bounds = rbl_tree_node_box(&pool->nodes[tree->root]);
	tree->is_balanced = builder->input->builder == RBL_TREE_BUILD_MEDIAN;
}

static void make_single(rbl_tree *tree, const rbl_tree_build_input *input)
{
	uint32_t id = input->ids ? input->ids[0] : 0;
	tree->pool->leaf_parents[id] = RBL_TREE_NONE;
	tree->root = id | RBL_TREE_LEAF;
	tree->leaf_count = 1;
	tree->bounds = input->boxes[0];
}

void rbl_tree_build_prepared(rbl_tree *tree, const rbl_tree_build_input *input,
                             rbl_morton_scratch *scratch, uint32_t *slots, bool is_balanced)
{
	RBL_ASSERT(tree->root == RBL_TREE_NONE && input->builder == RBL_TREE_BUILD_MORTON);
	if (input->count == 1)
		make_single(tree, input);
	if (input->count < 2)
		return;
	for (int i = 0; i < input->count - 1; ++i)
		slots[i] = rbl_tree_take_node(tree->pool);
	rbl_build_context builder = { .pool = tree->pool, .input = input, .slots = slots };
	if (is_balanced) {
		rbl_morton_build_halves(&builder, scratch);
		RBL_PICK(rbl_tree_fit_list)(tree->pool->nodes, slots, input->count - 1);
	} else {
		rbl_morton_build(&builder, scratch);
	}
	finish_build(tree, &builder);
	tree->is_balanced = is_balanced;
}

static rbl_result build_nodes(rbl_tree *tree, const rbl_tree_build_input *input)
{
	rbl_tree_pool *pool = tree->pool;
	int count = input->count, nodes = count - 1, capacity;
	bool is_morton = input->builder == RBL_TREE_BUILD_MORTON;
	placement place = choose_placement(tree, nodes, &capacity);
	rbl_build_context builder = { .pool = pool, .input = input };
	rbl_arena *arena = &pool->scratch;
	rbl_morton_scratch *morton = NULL;
	down_scratch down;
	uint32_t *slots = place == PLACE_FREE ? RBL_ARENA_NEW(arena, uint32_t, nodes) : NULL;
	rbl_sort_item *keys =
		place == PLACE_FREE ? RBL_ARENA_NEW(arena, rbl_sort_item, 2 * (size_t)nodes) : NULL;
	bool ready = place != PLACE_FREE || (slots && keys);
	if (is_morton) {
		morton = rbl_morton_prepare(arena, count);
		ready = ready && morton;
	} else if (input->builder == RBL_TREE_BUILD_SAH) {
		builder.fragments = RBL_ARENA_NEW(arena, rbl_build_fragment, count);
		ready = ready && builder.fragments && prepare_down(arena, count, &down);
	} else {
		builder.items = RBL_ARENA_NEW(arena, rbl_build_item, count);
		builder.spare = RBL_ARENA_NEW(arena, rbl_build_item, count);
		ready = ready && builder.items && builder.spare && prepare_down(arena, count, &down);
	}
	if (!ready)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_tree_pool_reserve(pool, capacity, (int)leaf_id_end(input));
	if (result != RBL_OK)
		return result;

	rbl_tree_clear(tree);
	if (place == PLACE_FREE) {
		take_slots(pool, slots, nodes, keys);
		builder.slots = slots;
		builder.first = slots[0];
	} else {
		builder.first = (uint32_t)pool->node_end;
		pool->node_end += nodes;
	}
	// Free nodes are one run, too, when the tree had one before.
	if (!slots || slots[nodes - 1] - slots[0] == (uint32_t)nodes - 1) {
		builder.slots = NULL;
		tree->first_node = (int)builder.first;
	}
	if (is_morton) {
		rbl_morton_build(&builder, morton);
	} else {
		item_job job = { input->boxes, builder.items, builder.fragments };
		rbl_parallel_for(input->jobs, count, LARGE, item_block, &job);
		build_down(&builder, &down);
	}
	finish_build(tree, &builder);
	return RBL_OK;
}

rbl_result rbl_tree_build(rbl_tree *tree, const rbl_tree_build_input *input)
{
	rbl_tree_pool *pool = tree->pool;
	if (input->count < 0 || input->count > RBL_TREE_MAX_LEAVES ||
	    leaf_id_end(input) > RBL_TREE_MAX_LEAVES)
		return rbl_fail(RBL_LIMIT_REACHED, "a tree of %d leaves, ids up to %u, is too large",
		                input->count, leaf_id_end(input) - 1);
	if (input->count > 1) {
		rbl_result result = build_nodes(tree, input);
		rbl_arena_reset(&pool->scratch);
		RBL_VALIDATE(result != RBL_OK || !rbl_tree_check(tree));
		return result;
	}
	rbl_result result = rbl_tree_pool_reserve(pool, 0, (int)leaf_id_end(input));
	if (result != RBL_OK)
		return result;
	rbl_tree_clear(tree);
	if (input->count == 1)
		make_single(tree, input);
	return RBL_OK;
}
