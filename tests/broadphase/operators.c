// SPDX-License-Identifier: MIT
// ctest: soak
// The operators of the BSP and when they are applied: after each, every leaf lists the boxes that
// touch its cell, every point lies in one cell, and no pair is lost; the scheduler keeps the rules
// of the paper's Algorithm 1.

#include "base/axis.h"
#include "base/random.h"
#include "broadphase/bsp.h"

#include "test.h"

// A BSP without the calls around it.
typedef struct bare_bsp {
	rbl_proxies proxies;
	rbl_bsp bsp;
	rbl_proxy_id *ids;
	int count;
} bare_bsp;

static void open_tree(test *t, bare_bsp *w, const rbl_broadphase_def *def)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	memset(w, 0, sizeof *w);
	CHECK(t, rbl_proxies_init(&w->proxies, &allocator, NULL, 0));
	CHECK(t, rbl_bsp_init(&w->bsp, &w->proxies, def));
}

static void close_tree(bare_bsp *w)
{
	rbl_bsp_destroy(&w->bsp);
	rbl_proxies_destroy(&w->proxies);
	free(w->ids);
}

// Boxes of half a metre, scattered over a space of 20 x 10 x 5 m times `scale`; one in eight is
// static.
static void scatter(test *t, bare_bsp *w, int count, float scale, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_proxy_def *defs = calloc((size_t)count, sizeof *defs);
	w->ids = realloc(w->ids, (size_t)(w->count + count) * sizeof *w->ids);
	for (int i = 0; i < count; ++i) {
		rbl_vec3 p = { 20.0f * scale * rbl_random_float(&random),
			           10.0f * scale * rbl_random_float(&random),
			           5.0f * scale * rbl_random_float(&random) };
		defs[i] = rbl_default_proxy_def();
		defs[i].box = (rbl_box){ p, { p.x + 0.5f, p.y + 0.5f, p.z + 0.5f } };
		defs[i].is_static = i % 8 == 0;
	}
	CHECK(t, rbl_proxies_add(&w->proxies, defs, count, w->ids + w->count) == RBL_OK);
	w->count += count;
	free(defs);
}

static rbl_broadphase_result update(test *t, bare_bsp *w)
{
	rbl_broadphase_result result = { 0 };
	CHECK(t, rbl_bsp_update(&w->bsp, &result) == RBL_OK);
	return result;
}

static rbl_broadphase_def def_of(int directions, int threshold)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.bsp.direction_count = directions;
	def.bsp.split_threshold = threshold;
	return def;
}

static int times_listed(const rbl_bsp_list *list, int slot)
{
	int times = 0;
	for (int i = 0; i < list->count; ++i)
		times += list->data[i] == (uint32_t)slot;
	return times;
}

// Nodes know their parents, leaves their nodes.
static bool links_are_right(const rbl_bsp *bsp)
{
	bool ok = bsp->nodes.data[bsp->root].parent == -1;
	int leaves = 0;
	for (int i = 0; i < bsp->nodes.count; ++i) {
		const rbl_bsp_node *node = &bsp->nodes.data[i];
		if (!node->is_used)
			continue;
		if (node->direction < 0) {
			ok &= bsp->leaves.data[node->children[0]].node == i;
			leaves++;
			continue;
		}
		for (int side = 0; side < 2; ++side) {
			const rbl_bsp_node *child = &bsp->nodes.data[node->children[side]];
			ok &= child->is_used && child->parent == i && child->depth == node->depth + 1;
		}
	}
	for (int i = 0; i < bsp->leaves.count; ++i)
		leaves -= bsp->leaves.data[i].node >= 0;
	return ok && leaves == 0;
}

// A leaf lists a box, once and in the right list, if and only if its fat box touches the cell.
static bool lists_are_right(const bare_bsp *w)
{
	const rbl_bsp *bsp = &w->bsp;
	bool ok = true;
	for (int leaf = 0; leaf < bsp->leaves.count; ++leaf) {
		const rbl_bsp_leaf *l = &bsp->leaves.data[leaf];
		for (int slot = 0; l->node >= 0 && slot < w->proxies.ids.slot_count; ++slot) {
			bool is_in = rbl_proxies_is_live(&w->proxies, (uint32_t)slot) &&
			             rbl_bsp_leaf_overlaps(bsp, leaf, w->proxies.fat_boxes[slot]);
			bool is_static = w->proxies.flags[slot] & RBL_PROXY_STATIC;
			ok &= times_listed(&l->moving, slot) == (is_in && !is_static);
			ok &= times_listed(&l->statics, slot) == (is_in && is_static);
		}
	}
	return ok;
}

static bool cells_part_space(const rbl_bsp *bsp)
{
	rbl_random random = rbl_random_from_seed(9);
	bool ok = true;
	for (int i = 0; i < 300; ++i) {
		rbl_vec3 p = { 30.0f * rbl_random_float(&random) - 5.0f,
			           20.0f * rbl_random_float(&random) - 5.0f,
			           15.0f * rbl_random_float(&random) - 5.0f };
		int owners = 0;
		for (int k = 0; k < bsp->leaves.count; ++k)
			owners += bsp->leaves.data[k].node >= 0 &&
			          rbl_bsp_leaf_owns_point(bsp, &bsp->leaves.data[k], p);
		ok &= owners == 1;
	}
	return ok;
}

static int listed_pairs(const rbl_bsp *bsp)
{
	int count = 0;
	for (int i = 0; i < bsp->leaves.count; ++i)
		count += bsp->leaves.data[i].found.pairs.count;
	return count;
}

// Let touched leaves find their pairs after an operator, and check everything.
static void check_tree(test *t, bare_bsp *w, int pairs)
{
	CHECK(t, rbl_bsp_update_leaves(&w->bsp));
	CHECK(t, links_are_right(&w->bsp));
	CHECK(t, lists_are_right(w));
	CHECK(t, cells_part_space(&w->bsp));
	CHECK(t, listed_pairs(&w->bsp) == pairs);
}

static void count_populations(rbl_bsp *bsp)
{
	for (int i = 0; i < bsp->nodes.count; ++i)
		bsp->nodes.data[i].population = 0;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		const rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		for (int k = leaf->node; k >= 0; k = bsp->nodes.data[k].parent)
			bsp->nodes.data[k].population += leaf->moving.count + leaf->statics.count;
	}
}

static rbl_bsp_node heavier_child(const rbl_bsp *bsp, int index)
{
	const rbl_bsp_node *node = &bsp->nodes.data[index];
	const rbl_bsp_node *a = &bsp->nodes.data[node->children[0]];
	const rbl_bsp_node *b = &bsp->nodes.data[node->children[1]];
	return a->population >= b->population ? *a : *b;
}

// --- operators ----------------------------------------------------------------------------------

static void every_operator_keeps_lists_and_pairs(test *t)
{
	for (int directions = 3; directions <= 9; directions += 6) {
		rbl_broadphase_def def = def_of(directions, 0);
		def.bsp.min_balance = 0.3f;
		bare_bsp w;
		open_tree(t, &w, &def);
		scatter(t, &w, 600, 0.5f, 3);
		rbl_bsp *bsp = &w.bsp;
		int pairs = update(t, &w).pair_count, root = bsp->root;
		CHECK(t, pairs > 100 && bsp->nodes.data[root].direction < 0); // one leaf
		CHECK(t, rbl_bsp_split(bsp, root, true) > 0); // across the order that the sweep left
		check_tree(t, &w, pairs);
		CHECK(t, rbl_bsp_split(bsp, bsp->nodes.data[root].children[0], false) > 0);
		check_tree(t, &w, pairs);
		CHECK(t, rbl_bsp_split(bsp, bsp->nodes.data[root].children[1], false) > 0);
		check_tree(t, &w, pairs);
		// A plane that went astray is brought back.
		bsp->nodes.data[root].offset += 2.0f;
		CHECK(t, rbl_bsp_reset(bsp));
		rbl_bsp_refresh_cells(bsp, root);
		CHECK(t, rbl_bsp_reset(bsp));
		check_tree(t, &w, pairs);
		count_populations(bsp);
		CHECK(t, rbl_bsp_balance(bsp, root) > 0);
		check_tree(t, &w, pairs);
		count_populations(bsp);
		rbl_bsp_node heavier = heavier_child(bsp, root);
		CHECK(t, rbl_bsp_swap(bsp, root) > 0); // the planes of the heavier side stay
		CHECK(t, bsp->nodes.data[root].direction == heavier.direction);
		CHECK(t, bsp->nodes.data[root].offset == heavier.offset);
		check_tree(t, &w, pairs);
		CHECK(t, rbl_bsp_merge(bsp, root) > 0); // of a sub-tree, from the bottom
		check_tree(t, &w, pairs);
		CHECK(t, bsp->nodes.data[root].direction < 0);
		rbl_broadphase_stats s = bsp->stats;
		CHECK(t, s.shift_splits == 1 && s.splits == 2 && s.balances == 1 && s.swaps == 1);
		CHECK(t, s.merges >= 1);
		close_tree(&w);
	}
}

// Leaves that the plane does not pass are not updated again.
static void balance_moves_only_what_lies_between(test *t)
{
	rbl_broadphase_def def = def_of(3, 32);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 3000, 1.0f, 4);
	int pairs = update(t, &w).pair_count;
	rbl_bsp *bsp = &w.bsp;
	rbl_bsp_node *root = &bsp->nodes.data[bsp->root];
	float was = root->offset;
	root->offset += 1.5f; // astray
	rbl_bsp_refresh_cells(bsp, bsp->root);
	CHECK(t, rbl_bsp_reset(bsp));
	check_tree(t, &w, pairs);
	count_populations(bsp);
	bsp->budget = -1;
	float astray = root->offset;
	int touched = rbl_bsp_balance(bsp, bsp->root);
	CHECK(t, touched > 0 && touched < root->population / 2);
	CHECK(t, fabsf(root->offset - was) < fabsf(astray - was));
	CHECK(t, bsp->touched.count > 0 && bsp->touched.count < (bsp->leaves.count + 1) / 2);
	float low = rbl_minf(root->offset, astray), high = rbl_maxf(root->offset, astray);
	for (int i = 0; i < bsp->touched.count; ++i) {
		rbl_box cell = bsp->leaves.data[bsp->touched.data[i]].cell;
		CHECK(t, rbl_axis(cell.lower, root->direction) <= high &&
		             rbl_axis(cell.upper, root->direction) >= low);
	}
	check_tree(t, &w, pairs);
	close_tree(&w);
}

// The same with a slanted plane at the root and slanted ones below: a leaf that lists no box between
// the two places of the plane is not updated again.
static void slanted_balance_moves_only_what_lies_between(test *t)
{
	int checked = 0;
	for (int direction = 3; direction < 9; ++direction) {
		rbl_broadphase_def def = def_of(9, 4096);
		bare_bsp w;
		open_tree(t, &w, &def);
		scatter(t, &w, 3000, 1.0f, 4);
		int pairs = update(t, &w).pair_count;
		rbl_bsp *bsp = &w.bsp;
		CHECK(t, rbl_bsp_split(bsp, bsp->root, false) > 0);
		bsp->nodes.data[bsp->root].direction = direction;
		float sum = 0.0f; // through the middle
		for (int i = 0; i < w.count; ++i)
			sum += rbl_bsp_box_begin(bsp, direction, w.proxies.fat_boxes[i]);
		bsp->nodes.data[bsp->root].offset = sum / (float)w.count;
		rbl_bsp_refresh_cells(bsp, bsp->root);
		CHECK(t, rbl_bsp_reset(bsp));
		check_tree(t, &w, pairs);
		for (int pass = 0; pass < 5; ++pass) {
			for (int i = bsp->nodes.count - 1; i >= 0; --i) {
				if (bsp->nodes.data[i].is_used && bsp->nodes.data[i].direction < 0)
					rbl_bsp_split(bsp, i, false);
			}
			CHECK(t, rbl_bsp_update_leaves(bsp));
		}
		rbl_bsp_node *root = &bsp->nodes.data[bsp->root];
		root->offset += 1.2f; // astray
		CHECK(t, rbl_bsp_reset(bsp));
		check_tree(t, &w, pairs);
		count_populations(bsp);
		bsp->budget = -1;
		float astray = root->offset;
		CHECK(t, rbl_bsp_balance(bsp, bsp->root) > 0);
		float low = rbl_minf(root->offset, astray), high = rbl_maxf(root->offset, astray);
		CHECK(t, high > low);
		for (int i = 0; i < bsp->leaves.count; ++i) {
			const rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
			bool is_between = false;
			for (int k = 0; leaf->node >= 0 && k < leaf->moving.count + leaf->statics.count; ++k) {
				uint32_t slot = k < leaf->moving.count ? leaf->moving.data[k]
				                                       : leaf->statics.data[k - leaf->moving.count];
				rbl_box box = w.proxies.fat_boxes[slot];
				is_between |= rbl_bsp_box_begin(bsp, direction, box) < high &&
				              rbl_bsp_box_end(bsp, direction, box) >= low;
			}
			CHECK(t, leaf->node < 0 || leaf->is_touched == is_between);
			checked += leaf->node >= 0 && !is_between;
		}
		check_tree(t, &w, pairs);
		close_tree(&w);
	}
	CHECK(t, checked > 20); // leaves that were left alone
}

// A leaf below a slanted plane is cut by one parallel to it where that is best: boxes of a sheet
// across that direction.
static void shift_splits_are_slanted_below_slanted_planes(test *t)
{
	rbl_broadphase_def def = def_of(9, 4096);
	bare_bsp w;
	open_tree(t, &w, &def);
	rbl_bsp *bsp = &w.bsp;
	const int direction = 5;
	rbl_vec3 n = bsp->directions[direction];
	rbl_random random = rbl_random_from_seed(3);
	enum { COUNT = 400 };
	rbl_proxy_def defs[COUNT];
	w.ids = calloc(COUNT, sizeof *w.ids);
	w.count = COUNT;
	for (int i = 0; i < COUNT; ++i) { // four far-off heaps in a row along the direction
		float along = 20.0f * (float)(i % 4) - 30.0f;
		rbl_vec3 p = rbl_scale(along, n);
		rbl_vec3 spread = { rbl_random_float(&random), rbl_random_float(&random),
			                rbl_random_float(&random) };
		p = rbl_add_scaled(p, 4.0f, spread);
		defs[i] = rbl_default_proxy_def();
		defs[i].box = (rbl_box){ p, { p.x + 0.5f, p.y + 0.5f, p.z + 0.5f } };
		defs[i].is_static = i % 3 == 0;
	}
	CHECK(t, rbl_proxies_add(&w.proxies, defs, COUNT, w.ids) == RBL_OK);
	int pairs = update(t, &w).pair_count, root = bsp->root;
	CHECK(t, pairs > 100 && rbl_bsp_split(bsp, root, false) > 0);
	bsp->nodes.data[root].direction = direction;
	bsp->nodes.data[root].offset = 3.0f;
	CHECK(t, rbl_bsp_reset(bsp));
	rbl_bsp_refresh_cells(bsp, root);
	CHECK(t, rbl_bsp_reset(bsp));
	check_tree(t, &w, pairs);
	int child = bsp->nodes.data[root].children[0];
	rbl_bsp_leaf *leaf = &bsp->leaves.data[bsp->nodes.data[child].children[0]];
	leaf->is_sorted = false; // no order along an axis: then there is only the slanted way
	int64_t before = bsp->stats.shift_splits;
	CHECK(t, rbl_bsp_split(bsp, child, true) > 0);
	CHECK(t, bsp->stats.shift_splits == before + 1);
	CHECK(t, bsp->nodes.data[child].direction == direction);
	count_populations(bsp);
	int a = bsp->nodes.data[bsp->nodes.data[child].children[0]].population;
	int b = bsp->nodes.data[bsp->nodes.data[child].children[1]].population;
	CHECK(t, a >= 90 && b >= 90);
	check_tree(t, &w, pairs);
	close_tree(&w);
}

// A new plane is balanced and cuts few; where that cannot be, there is none.
static void planes_keep_balance_and_redundancy(test *t)
{
	rbl_broadphase_def def = def_of(3, 64);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 2000, 1.0f, 5);
	update(t, &w);
	count_populations(&w.bsp);
	for (int i = 0; i < w.bsp.nodes.count; ++i) {
		const rbl_bsp_node *node = &w.bsp.nodes.data[i];
		if (!node->is_used || node->direction < 0 || node->population < 256)
			continue; // planes are chosen by a sample, and small ones may miss by more
		int a = w.bsp.nodes.data[node->children[0]].population;
		int b = w.bsp.nodes.data[node->children[1]].population;
		CHECK(t, (float)rbl_mini(a, b) >= 0.35f * (float)rbl_maxi(a, b));
		CHECK(t, a + b <= 2 * node->population);
	}
	close_tree(&w);
	def.bsp.max_redundancy = 0.025f; // in a heap every plane cuts more
	open_tree(t, &w, &def);
	scatter(t, &w, 2000, 0.25f, 5);
	update(t, &w);
	CHECK(t, w.bsp.nodes.data[w.bsp.root].direction < 0);
	close_tree(&w);
}

// Plain axes first; the others are as far from each other as so many can be.
static void directions_are_spread(test *t)
{
	for (int count = 3; count <= RBL_MAX_BSP_DIRECTIONS; count += 13) {
		rbl_vec3 d[RBL_MAX_BSP_DIRECTIONS];
		rbl_bsp_directions(d, count);
		CHECK(t, d[0].x == 1.0f && d[1].y == 1.0f && d[2].z == 1.0f);
		float closest = 0.0f; // as the cosine of an angle
		for (int i = 0; i < count; ++i) {
			CHECK_NEAR(t, rbl_length(d[i]), 1.0f, 1e-6f);
			CHECK(t, d[i].z >= 0.0f); // one of a direction and its opposite
			for (int k = 0; k < i; ++k)
				closest = rbl_maxf(closest, fabsf(rbl_dot(d[i], d[k])));
		}
		// Caps of half the least angle around all of them fill half of the hemisphere.
		float cap = 1.0f - sqrtf(0.5f * (1.0f + closest));
		CHECK(t, (float)count * cap > 0.45f);
	}
}

// --- when they are applied ----------------------------------------------------------------------

static int64_t operators(const rbl_bsp *bsp)
{
	const rbl_broadphase_stats *s = &bsp->stats;
	return s->splits + s->shift_splits + s->merges + s->balances + s->swaps;
}

static int waiting_of(const rbl_bsp *bsp, rbl_bsp_event_kind kind)
{
	int count = 0;
	for (int i = 0; i < bsp->events.count; ++i)
		count += bsp->events.data[i].kind == kind;
	return count;
}

// Four planes, and leaves that want to be split, made by hand.
static void open_forest(test *t, bare_bsp *w)
{
	rbl_broadphase_def def = def_of(3, 4000);
	def.bsp.min_balance = 0.2f;
	open_tree(t, w, &def);
	scatter(t, w, 3000, 1.0f, 6);
	update(t, w);
	rbl_bsp *bsp = &w->bsp;
	CHECK(t, rbl_bsp_split(bsp, bsp->root, false) > 0);
	for (int side = 0; side < 2; ++side) {
		int child = bsp->nodes.data[bsp->root].children[side];
		CHECK(t, rbl_bsp_split(bsp, child, false) > 0);
	}
	CHECK(t, rbl_bsp_update_leaves(bsp));
	memset(&bsp->stats, 0, sizeof bsp->stats);
}

// Shift-split before split, then swap, and merge last, one at a time.
static void events_are_done_in_the_order_of_the_paper(test *t)
{
	bare_bsp w;
	open_forest(t, &w);
	rbl_bsp *bsp = &w.bsp;
	count_populations(bsp);
	const rbl_bsp_node *root = &bsp->nodes.data[bsp->root];
	const rbl_bsp_node *left = &bsp->nodes.data[root->children[0]];
	int merged = root->children[1], full = left->children[0], fuller = left->children[1];
	int swapped = root->children[0];
	bsp->settings.split_threshold = 64;
	bsp->settings.merge_threshold = 1 << 20;
	bsp->settings.evaluation_interval = 1 << 20;
	bsp->update_index = 1;
	const rbl_bsp_event events[4] = { { RBL_BSP_MERGE, merged },
		                              { RBL_BSP_SWAP, swapped },
		                              { RBL_BSP_SPLIT, full },
		                              { RBL_BSP_SHIFT_SPLIT, fuller } };
	for (int i = 0; i < 4; ++i)
		bsp->events.data[bsp->events.count++] = events[i];
	update(t, &w);
	CHECK(t, bsp->stats.shift_splits == 1 && operators(bsp) == 1);
	update(t, &w);
	CHECK(t, bsp->stats.splits == 1 && operators(bsp) == 2);
	update(t, &w);
	CHECK(t, bsp->stats.swaps == 1 && operators(bsp) == 3);
	update(t, &w);
	CHECK(t, bsp->stats.merges == 1 && operators(bsp) == 4 && bsp->events.count == 0);
	CHECK(t, bsp->stats.events_deferred == 3 + 2 + 1);
	close_tree(&w);
}

// Of s waiting events s / divisor are done per update; nothing is evaluated while others than
// merges wait, nor between two evaluations; the list holds no more than its capacity.
static void few_events_are_done_per_update(test *t)
{
	rbl_broadphase_def def = def_of(3, 4000);
	def.work_budget = 1 << 20;
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 3000, 1.0f, 7);
	update(t, &w);
	rbl_bsp *bsp = &w.bsp;
	bsp->settings.split_threshold = 16; // now every leaf is too full
	bsp->settings.event_capacity = 40;
	CHECK(t, rbl_array_reserve(&bsp->allocator, &bsp->events, 64));
	int evaluations = 0, most_waiting = 0;
	for (int i = 0; i < 600; ++i) {
		int waiting = bsp->events.count, others = waiting - waiting_of(bsp, RBL_BSP_MERGE);
		bool may_evaluate = bsp->update_index % 10 == 0 && others == 0;
		int64_t done = operators(bsp), balances = bsp->stats.balances;
		update(t, &w);
		int64_t applied = operators(bsp) - done - (bsp->stats.balances - balances);
		if (may_evaluate) {
			evaluations++;
			most_waiting = rbl_maxi(most_waiting, bsp->events.count);
		} else {
			CHECK(t, bsp->events.count <= waiting); // none is new
			CHECK(t, bsp->stats.balances == balances);
			CHECK(t, applied <= rbl_maxi(1, waiting / 16));
			CHECK(t, waiting == 0 || applied + waiting - bsp->events.count > 0 || others == 0);
		}
		CHECK(t, bsp->events.count <= 40);
	}
	CHECK(t, evaluations >= 5 && most_waiting > 16);
	CHECK(t, bsp->stats.splits + bsp->stats.shift_splits > 60);
	check_tree(t, &w, listed_pairs(bsp));
	close_tree(&w);
}

// Work stays within the budget, but for one event that alone is larger, and a leaf or two that a
// balance looks into; it goes on in the next update.
static void work_keeps_to_the_budget(test *t)
{
	for (int budget = 100; budget <= 10000; budget *= 10) {
		rbl_broadphase_def def = def_of(3, 4000);
		def.work_budget = budget;
		bare_bsp w;
		open_tree(t, &w, &def);
		scatter(t, &w, 3000, 1.0f, 8);
		update(t, &w);
		rbl_bsp *bsp = &w.bsp;
		bsp->settings.split_threshold = 32;
		bsp->settings.event_divisor = 1;
		int over = 0;
		for (int i = 0; i < 400; ++i) {
			int64_t done = operators(bsp);
			update(t, &w);
			over += bsp->work > budget + 4 * 32 && operators(bsp) > done + 1;
		}
		CHECK(t, over == 0);
		CHECK(t, bsp->leaves.count > 40); // all the same, in the end
		close_tree(&w);
	}
}

// A node that no plane along its direction balances waits to be swapped.
static void swap_comes_when_balance_fails(test *t)
{
	rbl_broadphase_def def = def_of(3, 32);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 3000, 1.0f, 14);
	update(t, &w);
	rbl_bsp *bsp = &w.bsp;
	bsp->settings.min_balance = 1.0f;
	while (bsp->update_index % bsp->settings.evaluation_interval != 0)
		update(t, &w);
	int64_t balances = bsp->stats.balances;
	update(t, &w);
	CHECK(t, bsp->stats.balances == balances);
	CHECK(t, bsp->stats.swaps + waiting_of(bsp, RBL_BSP_SWAP) >= 1);
	close_tree(&w);
}

// While hundreds are added no plane is touched, but not for longer than four updates in a row.
static void operators_wait_while_many_boxes_are_added(test *t)
{
	rbl_broadphase_def def = def_of(3, 4000);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 3900, 1.0f, 15);
	update(t, &w);
	update(t, &w);
	rbl_bsp *bsp = &w.bsp;
	bsp->settings.split_threshold = 32;
	bsp->settings.evaluation_interval = 1;
	int quiet = 0;
	for (int i = 0; i < 6; ++i) {
		int64_t done = operators(bsp);
		scatter(t, &w, 600, 1.0f, 16 + (uint64_t)i);
		update(t, &w);
		quiet += operators(bsp) == done;
	}
	CHECK(t, quiet == 4);
	int64_t done = operators(bsp);
	update(t, &w);
	CHECK(t, operators(bsp) > done);
	close_tree(&w);
}

// A box that has come to rest gets a narrow fat box again, and leaves cells that it only might have
// come to.
static void what_came_to_rest_is_drawn_in(test *t)
{
	rbl_broadphase_def def = def_of(3, 32);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 600, 1.0f, 17);
	update(t, &w);
	int slot = (int)rbl_proxy_slot(w.ids[77]);
	rbl_box box = w.proxies.items[slot].box;
	box.lower.x += 0.2f, box.upper.x += 0.2f;
	CHECK(t, rbl_proxies_move(&w.proxies, &w.ids[77], &box, 1) == RBL_OK);
	update(t, &w);
	rbl_vec3 wide = rbl_box_size(w.proxies.fat_boxes[slot]);
	int pairs = 0;
	for (int i = 0; i < 3 * RBL_PROXY_IDLE_UPDATES; ++i)
		pairs = update(t, &w).pair_count;
	rbl_vec3 narrow = rbl_box_size(w.proxies.fat_boxes[slot]);
	CHECK(t, narrow.x < wide.x - 0.2f && narrow.y < wide.y);
	CHECK(t, rbl_box_contains(w.proxies.fat_boxes[slot], box));
	check_tree(t, &w, pairs);
	close_tree(&w);
}

static void no_leaf_is_deeper_than_the_limit(test *t)
{
	for (int limit = 1; limit <= 5; limit += 2) {
		rbl_broadphase_def def = def_of(3, 16);
		def.bsp.height_limit = limit;
		def.bsp.evaluation_interval = 1;
		bare_bsp w;
		open_tree(t, &w, &def);
		scatter(t, &w, 1000, 1.0f, 10);
		for (int i = 0; i < 50; ++i)
			update(t, &w);
		rbl_broadphase_stats stats = { 0 };
		rbl_bsp_fill_stats(&w.bsp, &stats);
		CHECK(t, stats.depth == limit);
		close_tree(&w);
	}
}

// What has become nearly empty is merged as a whole, by one event.
static void whole_sub_trees_are_merged(test *t)
{
	rbl_broadphase_def def = def_of(3, 32);
	def.bsp.merge_threshold = 64;
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 3000, 1.0f, 21);
	update(t, &w);
	rbl_bsp *bsp = &w.bsp;
	rbl_broadphase_stats stats = { 0 };
	rbl_bsp_fill_stats(bsp, &stats);
	CHECK(t, stats.leaves > 40);
	CHECK(t, rbl_proxies_remove(&w.proxies, w.ids + 8, 2992) == RBL_OK);
	while (bsp->update_index % bsp->settings.evaluation_interval != 0) {
		update(t, &w); // nothing is evaluated yet
		CHECK(t, bsp->stats.merges == 0);
	}
	update(t, &w);
	CHECK(t, bsp->stats.merges == stats.leaves - 1 && bsp->events.count == 0);
	CHECK(t, bsp->nodes.data[bsp->root].direction < 0);
	close_tree(&w);
}

// Planes that a crowd which became flat left in every box are taken away.
static void planes_that_cut_everything_go(test *t)
{
	rbl_broadphase_def def = def_of(3, 64);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 2000, 2.0f, 22);
	update(t, &w);
	rbl_bsp *bsp = &w.bsp;
	int direction = bsp->nodes.data[bsp->root].direction;
	float offset = bsp->nodes.data[bsp->root].offset;
	CHECK(t, direction >= 0);
	rbl_box *boxes = calloc((size_t)w.count, sizeof *boxes);
	for (int i = 0; i < w.count; ++i) {
		boxes[i] = w.proxies.items[rbl_proxy_slot(w.ids[i])].box;
		rbl_set_axis(&boxes[i].lower, direction, offset - 0.25f);
		rbl_set_axis(&boxes[i].upper, direction, offset + 0.25f);
	}
	CHECK(t, rbl_proxies_move(&w.proxies, w.ids, boxes, w.count) == RBL_OK);
	int pairs = 0;
	for (int i = 0; i < 200; ++i)
		pairs = update(t, &w).pair_count;
	CHECK(t, bsp->stats.swaps > 0);
	for (int i = 0; i < bsp->nodes.count; ++i)
		CHECK(t, !bsp->nodes.data[i].is_used || bsp->nodes.data[i].direction != direction);
	check_tree(t, &w, pairs);
	free(boxes);
	close_tree(&w);
}

// Few boxes are one leaf, whatever a leaf may hold when there are many.
static void the_threshold_follows_the_population(test *t)
{
	rbl_broadphase_def def = def_of(3, 0);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 1000, 1.0f, 11);
	int few = rbl_bsp_split_threshold(&w.bsp);
	for (int i = 0; i < 30; ++i)
		update(t, &w);
	CHECK(t, w.bsp.nodes.data[w.bsp.root].direction < 0);
	scatter(t, &w, 800, 1.0f, 12);
	for (int i = 0; i < 60; ++i)
		update(t, &w);
	CHECK(t, rbl_bsp_split_threshold(&w.bsp) < few);
	CHECK(t, w.bsp.nodes.data[w.bsp.root].direction >= 0);
	CHECK(t, rbl_proxies_remove(&w.proxies, w.ids + 200, 1600) == RBL_OK);
	for (int i = 0; i < 200; ++i)
		update(t, &w);
	CHECK(t, rbl_bsp_split_threshold(&w.bsp) == few);
	CHECK(t, w.bsp.nodes.data[w.bsp.root].direction < 0); // merged again
	check_tree(t, &w, listed_pairs(&w.bsp));
	close_tree(&w);
}

// Boxes at rest cost nothing: one box that moves touches its own leaves.
static void what_rests_costs_nothing(test *t)
{
	rbl_broadphase_def def = def_of(3, 32);
	bare_bsp w;
	open_tree(t, &w, &def);
	scatter(t, &w, 3000, 1.0f, 13);
	update(t, &w);
	CHECK(t, rbl_bsp_insert_changed(&w.bsp) && w.bsp.touched.count == 0);
	rbl_box box = w.proxies.items[77].box;
	box.lower.x += 0.001f;
	CHECK(t, rbl_proxies_move(&w.proxies, &w.ids[77], &box, 1) == RBL_OK);
	CHECK(t, rbl_bsp_insert_changed(&w.bsp));
	CHECK(t, w.bsp.touched.count >= 1 && w.bsp.touched.count <= 8);
	close_tree(&w);
}

// Pairs of all boxes, by brute force: how many the tree does not have.
static int count_missing(const bare_bsp *w, rbl_broadphase_result result)
{
	int brute = 0;
	for (int a = 0; a < w->count; ++a) {
		uint32_t s = rbl_proxy_slot(w->ids[a]);
		for (int b = a + 1; b < w->count; ++b) {
			uint32_t o = rbl_proxy_slot(w->ids[b]);
			bool are_static = w->proxies.flags[s] & w->proxies.flags[o] & RBL_PROXY_STATIC;
			brute +=
				!are_static && rbl_box_overlaps(w->proxies.items[s].box, w->proxies.items[o].box);
		}
	}
	return brute - result.pair_count;
}

// Large boxes slosh to and fro along one axis, so that parallel planes pass each other and cells
// between them vanish and come back, with a budget that is another one in every update.
static void planes_that_pass_each_other_lose_nothing(test *t)
{
	int checked = 0;
	for (uint64_t seed = 1; seed <= (uint64_t)test_count(8, 400); ++seed) {
		rbl_random random = rbl_random_from_seed(seed);
		rbl_broadphase_def def = def_of(3, 16);
		def.bsp.evaluation_interval = 1;
		bare_bsp w;
		open_tree(t, &w, &def);
		scatter(t, &w, 300, 1.0f, seed);
		rbl_box *boxes = calloc((size_t)w.count, sizeof *boxes);
		for (int step = 0; step < 60; ++step) {
			float swing = (float)(step / 10 % 2 == 0 ? step % 10 : 10 - step % 10);
			for (int i = 0; i < w.count; ++i) {
				float along = rbl_random_float(&random), size = 0.3f + 0.5f * (float)(i % 5);
				rbl_vec3 p = { 2.0f * swing + 4.0f * along, 3.0f * rbl_random_float(&random),
					           0.0f };
				boxes[i] = (rbl_box){ p, { p.x + size, p.y + size, p.z + size } };
				if (i % 8 == 0 || rbl_random_below(&random, 4) != 0)
					boxes[i] = w.proxies.items[rbl_proxy_slot(w.ids[i])].box;
			}
			CHECK(t, rbl_proxies_move(&w.proxies, w.ids, boxes, w.count) == RBL_OK);
			w.bsp.budget = 1 + (int)rbl_random_below(&random, 400);
			rbl_broadphase_result result = update(t, &w);
			CHECK(t, count_missing(&w, result) == 0);
			checked += result.pair_count;
		}
		CHECK(t, w.bsp.stats.balances > 5);
		free(boxes);
		close_tree(&w);
	}
	CHECK(t, checked > 10000);
}

TEST_MAIN(TEST(every_operator_keeps_lists_and_pairs), TEST(balance_moves_only_what_lies_between),
          TEST(slanted_balance_moves_only_what_lies_between),
          TEST(shift_splits_are_slanted_below_slanted_planes), TEST(whole_sub_trees_are_merged),
          TEST(planes_that_cut_everything_go), TEST(planes_keep_balance_and_redundancy),
          TEST(directions_are_spread), TEST(events_are_done_in_the_order_of_the_paper),
          TEST(few_events_are_done_per_update), TEST(work_keeps_to_the_budget),
          TEST(no_leaf_is_deeper_than_the_limit), TEST(swap_comes_when_balance_fails),
          TEST(operators_wait_while_many_boxes_are_added), TEST(what_came_to_rest_is_drawn_in),
          TEST(the_threshold_follows_the_population), TEST(what_rests_costs_nothing),
          TEST(planes_that_pass_each_other_lose_nothing))
