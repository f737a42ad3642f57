// SPDX-License-Identifier: MIT
//
// The public interface of the broad phase: checks arguments, keeps the boxes, and passes updates
// and queries to one of the kinds.

#include "broadphase/broadphase.h"

#include "base/fields.h"
#include "base/log.h"
#include "broadphase/box_tree.h"
#include "broadphase/bsp.h"

enum { COOKIE = 0x62726f61, DEFAULT_NS_PER_BOX = 100 };

struct rbl_broadphase {
	rbl_allocator allocator;
	rbl_broadphase_kind kind;
	rbl_proxies proxies;
	union {
		rbl_bsp bsp;
		rbl_box_tree tree;
	};
};

rbl_broadphase_def rbl_default_broadphase_def(void)
{
	return (rbl_broadphase_def){
		.kind = RBL_BROADPHASE_BSP,
		.work_budget = 4096,
		.margin = 0.05f,
		.bsp = {
			.direction_count = 3,
			.min_balance = 0.5f,
			.max_redundancy = 0.5f,
			.evaluation_interval = 10,
			.event_capacity = 64,
			.event_divisor = 16,
			.height_limit = 24,
		},
		.cookie = COOKIE,
	};
}

rbl_proxy_def rbl_default_proxy_def(void)
{
	return (rbl_proxy_def){ .filter = { 1, UINT32_MAX, 0 } };
}

int rbl_work_from_microseconds(double microseconds, double ns_per_box)
{
	double boxes = microseconds * 1000.0 / (ns_per_box > 0.0 ? ns_per_box : DEFAULT_NS_PER_BOX);
	return boxes >= 1.0 ? (boxes < 1e9 ? (int)boxes : 1000000000) : 0;
}

#define DEF_INT(member, min, max) RBL_FIELD_INT(rbl_broadphase_def, member, min, max)
#define DEF_FLOAT(member, min, max) RBL_FIELD_RANGE(rbl_broadphase_def, member, min, max)

static const rbl_field def_fields[] = {
	DEF_INT(kind, 0, RBL_BROADPHASE_KIND_COUNT - 1),
	DEF_INT(capacity_hint, 0, RBL_MAX_PROXIES),
	DEF_INT(work_budget, -1, INT32_MAX),
	DEF_FLOAT(margin, 0, 3e38),
	DEF_INT(bsp.direction_count, 3, RBL_MAX_BSP_DIRECTIONS),
	DEF_INT(bsp.split_threshold, 0, 4096), // and not 1 to 15
	DEF_INT(bsp.merge_threshold, 0, 4096),
	DEF_FLOAT(bsp.min_balance, FLT_MIN, 1),
	DEF_FLOAT(bsp.max_redundancy, 0, 1),
	DEF_INT(bsp.evaluation_interval, 1, INT32_MAX),
	DEF_INT(bsp.event_capacity, 1, 1024),
	DEF_INT(bsp.event_divisor, 1, INT32_MAX),
	DEF_INT(bsp.height_limit, 1, RBL_MAX_BSP_HEIGHT),
};

static rbl_result check_def(const rbl_broadphase_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_broadphase_def()");
	const rbl_field *wrong = rbl_find_wrong_field(def_fields, def);
	if (wrong)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s must be %g to %g", wrong->name, wrong->min,
		                wrong->max);
	if (def->bsp.split_threshold > 0 && def->bsp.split_threshold < 16)
		return rbl_fail(RBL_BAD_ARGUMENT, "bsp.split_threshold must be 0 or 16 to 4096");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function without the other");
	return RBL_OK;
}

rbl_result rbl_create_broadphase(const rbl_broadphase_def *def, rbl_broadphase **broadphase)
{
	if (!broadphase)
		return rbl_fail(RBL_BAD_ARGUMENT, "broadphase is NULL");
	*broadphase = NULL;
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_broadphase *made = RBL_NEW_ZERO(&allocator, rbl_broadphase, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = allocator;
	made->kind = def->kind;
	if (!rbl_proxies_init(&made->proxies, &allocator, def->jobs, def->capacity_hint)) {
		RBL_FREE(&allocator, made, 1);
		return RBL_OUT_OF_MEMORY;
	}
	if (def->kind == RBL_BROADPHASE_TREE) {
		rbl_box_tree_init(&made->tree, &made->proxies, def);
	} else if (!rbl_bsp_init(&made->bsp, &made->proxies, def)) {
		rbl_proxies_destroy(&made->proxies);
		RBL_FREE(&allocator, made, 1);
		return RBL_OUT_OF_MEMORY;
	}
	*broadphase = made;
	return RBL_OK;
}

void rbl_destroy_broadphase(rbl_broadphase *broadphase)
{
	if (!broadphase)
		return;
	rbl_allocator allocator = broadphase->allocator;
	if (broadphase->kind == RBL_BROADPHASE_TREE)
		rbl_box_tree_destroy(&broadphase->tree);
	else
		rbl_bsp_destroy(&broadphase->bsp);
	rbl_proxies_destroy(&broadphase->proxies);
	RBL_FREE(&allocator, broadphase, 1);
}

// The lists of a call: two pointers, or empty.
static rbl_result check_lists(const rbl_broadphase *broadphase, const void *a, const void *b,
                              int count)
{
	if (!broadphase)
		return rbl_fail(RBL_BAD_ARGUMENT, "broadphase is NULL");
	if (count < 0 || (count > 0 && (!a || !b)))
		return rbl_fail(RBL_BAD_ARGUMENT, "a list of %d boxes or ids is NULL", count);
	return RBL_OK;
}

rbl_result rbl_broadphase_add(rbl_broadphase *broadphase, const rbl_proxy_def *defs, int count,
                              rbl_proxy_id *proxies)
{
	rbl_result result = check_lists(broadphase, defs, proxies, count);
	return result != RBL_OK || count == 0
	           ? result
	           : rbl_proxies_add(&broadphase->proxies, defs, count, proxies);
}

rbl_result rbl_broadphase_move(rbl_broadphase *broadphase, const rbl_proxy_id *proxies,
                               const rbl_box *boxes, int count)
{
	rbl_result result = check_lists(broadphase, proxies, boxes, count);
	return result != RBL_OK || count == 0
	           ? result
	           : rbl_proxies_move(&broadphase->proxies, proxies, boxes, count);
}

rbl_result rbl_broadphase_remove(rbl_broadphase *broadphase, const rbl_proxy_id *proxies, int count)
{
	rbl_result result = check_lists(broadphase, proxies, proxies, count);
	return result != RBL_OK || count == 0
	           ? result
	           : rbl_proxies_remove(&broadphase->proxies, proxies, count);
}

rbl_result rbl_broadphase_replace_many(rbl_broadphase *broadphase, const rbl_proxy_id *replaced,
                                       int replaced_count, const rbl_proxy_def *defs, int count,
                                       rbl_proxy_id *proxies)
{
	rbl_result result = check_lists(broadphase, replaced, replaced, replaced_count);
	if (result == RBL_OK)
		result = check_lists(broadphase, defs, proxies, count);
	return result != RBL_OK ? result
	                        : rbl_proxies_replace(&broadphase->proxies, replaced, replaced_count,
	                                              defs, count, proxies);
}

rbl_result rbl_broadphase_replace(rbl_broadphase *broadphase, rbl_proxy_id proxy,
                                  const rbl_proxy_def *defs, int count, rbl_proxy_id *proxies)
{
	return rbl_broadphase_replace_many(broadphase, &proxy, 1, defs, count, proxies);
}

rbl_result rbl_broadphase_reserve(rbl_broadphase *broadphase, int removed_count,
                                  const rbl_proxy_def *defs, int count)
{
	return rbl_proxies_reserve(&broadphase->proxies, removed_count, defs, count);
}

rbl_result rbl_broadphase_update(rbl_broadphase *broadphase, rbl_broadphase_result *result)
{
	if (!broadphase || !result)
		return rbl_fail(RBL_BAD_ARGUMENT, "broadphase or result is NULL");
	*result = (rbl_broadphase_result){ 0 };
	return broadphase->kind == RBL_BROADPHASE_TREE ? rbl_box_tree_update(&broadphase->tree, result)
	                                               : rbl_bsp_update(&broadphase->bsp, result);
}

bool rbl_broadphase_has(const rbl_broadphase *broadphase, rbl_proxy_id proxy)
{
	return broadphase && rbl_proxies_has(&broadphase->proxies, proxy);
}

uint64_t rbl_broadphase_user(const rbl_broadphase *broadphase, uint32_t slot)
{
	if (!broadphase || slot >= (uint32_t)broadphase->proxies.ids.slot_count ||
	    !rbl_id_pool_is_live(&broadphase->proxies.ids, (int)slot))
		return 0;
	return broadphase->proxies.users[slot];
}

rbl_result rbl_broadphase_set_work_budget(rbl_broadphase *broadphase, int work_budget)
{
	if (!broadphase || work_budget < -1)
		return rbl_fail(RBL_BAD_ARGUMENT, "broadphase is NULL, or work_budget is %d, must be >= -1",
		                work_budget);
	if (broadphase->kind == RBL_BROADPHASE_BSP)
		broadphase->bsp.budget = work_budget;
	else
		broadphase->tree.is_adjusting = work_budget != 0;
	return RBL_OK;
}

void rbl_broadphase_restrict(rbl_broadphase *broadphase, unsigned left_out, int build_interval)
{
	if (broadphase->kind != RBL_BROADPHASE_BSP)
		return;
	broadphase->bsp.left_out = left_out;
	broadphase->bsp.build_interval = build_interval;
}

rbl_box rbl_broadphase_box(const rbl_broadphase *broadphase, uint32_t slot)
{
	if (!broadphase || !rbl_proxies_is_live(&broadphase->proxies, slot))
		return rbl_box_empty();
	return broadphase->proxies.items[slot].box;
}

// After a failed update the structure cannot be trusted: every box is tested.
static void query_all_boxes(rbl_broadphase_query *query)
{
	const rbl_proxies *proxies = query->proxies;
	for (int slot = 0; slot < proxies->ids.slot_count && !query->is_done; ++slot) {
		if (rbl_proxies_is_live(proxies, (uint32_t)slot))
			rbl_broadphase_query_test(query, (uint32_t)slot);
	}
}

static void run_query(const rbl_broadphase *broadphase, rbl_broadphase_query *query)
{
	rbl_broadphase_query_changed(query);
	if (broadphase->proxies.must_reset)
		query_all_boxes(query);
	else if (broadphase->kind == RBL_BROADPHASE_TREE)
		rbl_box_tree_query(&broadphase->tree, query);
	else
		rbl_bsp_query(&broadphase->bsp, query);
}

static rbl_result find_overlaps(const rbl_broadphase *broadphase, rbl_box box,
                                const rbl_filter *filter, rbl_overlap_function *function,
                                void *context, bool is_static)
{
	if (!broadphase || !function)
		return rbl_fail(RBL_BAD_ARGUMENT, "broadphase or function is NULL");
	if (!rbl_box_is_valid(box))
		return rbl_fail(RBL_BAD_ARGUMENT, "the box of the query is not finite or empty");
	rbl_broadphase_query query = {
		.proxies = &broadphase->proxies,
		.filter = filter,
		.overlap = function,
		.context = context,
		.box = box,
		.is_static = is_static,
	};
	run_query(broadphase, &query);
	return RBL_OK;
}

rbl_result rbl_broadphase_overlap(const rbl_broadphase *broadphase, rbl_box box,
                                  const rbl_filter *filter, rbl_overlap_function *function,
                                  void *context)
{
	return find_overlaps(broadphase, box, filter, function, context, false);
}

rbl_result rbl_broadphase_overlap_static(const rbl_broadphase *broadphase, rbl_box box,
                                         const rbl_filter *filter, rbl_overlap_function *function,
                                         void *context)
{
	return find_overlaps(broadphase, box, filter, function, context, true);
}

rbl_result rbl_broadphase_cast(const rbl_broadphase *broadphase, rbl_box box, rbl_vec3 translation,
                               const rbl_filter *filter, rbl_cast_function *function, void *context)
{
	if (!broadphase || !function)
		return rbl_fail(RBL_BAD_ARGUMENT, "broadphase or function is NULL");
	if (!rbl_box_is_valid(box) || !rbl_is_finite(translation))
		return rbl_fail(RBL_BAD_ARGUMENT, "the box or the translation of the cast is not finite");
	rbl_broadphase_query query = {
		.proxies = &broadphase->proxies,
		.filter = filter,
		.cast = function,
		.context = context,
		.box = box,
		.translation = translation,
		.segment_end = 1.0f,
		.limit = 1.0f,
	};
	run_query(broadphase, &query);
	return RBL_OK;
}

rbl_broadphase_stats rbl_broadphase_get_stats(const rbl_broadphase *broadphase)
{
	rbl_broadphase_stats stats = { 0 };
	if (!broadphase)
		return stats;
	if (broadphase->kind == RBL_BROADPHASE_TREE)
		rbl_box_tree_fill_stats(&broadphase->tree, &stats);
	else
		rbl_bsp_fill_stats(&broadphase->bsp, &stats);
	stats.proxies = broadphase->proxies.live_count;
	stats.static_proxies = broadphase->proxies.static_count;
	stats.bytes += rbl_proxies_bytes(&broadphase->proxies) + sizeof *broadphase;
	return stats;
}

// --- debug drawing -------------------------------------------------------------------------------

void rbl_broadphase_cells(const rbl_broadphase *broadphase, rbl_broadphase_cell_function *function,
                          void *context)
{
	const rbl_proxies *proxies = &broadphase->proxies;
	rbl_box all = rbl_box_empty();
	for (int i = 0; i < proxies->ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&proxies->ids, i))
			all = rbl_box_join(all, proxies->items[i].box);
	if (broadphase->kind == RBL_BROADPHASE_TREE) {
		if (proxies->live_count > 0)
			function(context, all, proxies->live_count);
		return;
	}
	const rbl_bsp *bsp = &broadphase->bsp;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		const rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		rbl_box cell = { rbl_max(leaf->cell.lower, all.lower),
			             rbl_min(leaf->cell.upper, all.upper) };
		if (leaf->node >= 0 && !rbl_box_is_empty(cell))
			function(context, cell, leaf->moving.count + leaf->statics.count);
	}
}

// --- snapshots -----------------------------------------------------------------------------------

typedef struct saved_proxy {
	rbl_proxy_def def; // with the box of the last update
	rbl_box box;       // now
	bool is_new;       // since the last update
} saved_proxy;

enum { SAVED_BYTES = 8 + 12 + 4 + 24 };

static void put_proxy(rbl_blob_writer *w, const rbl_proxies *p, int slot)
{
	const rbl_proxy *item = &p->items[slot];
	rbl_box old = rbl_proxies_old_box(p, slot);
	bool is_new = (p->flags[slot] & RBL_PROXY_CHANGED) && item->changed_index < 0;
	bool has_moved = !is_new && memcmp(&old, &item->box, sizeof old) != 0;
	rbl_blob_put64(w, p->users[slot]);
	rbl_blob_put_words(w, &p->filters.data[item->filter], 3);
	rbl_blob_put32(w, (p->flags[slot] & RBL_PROXY_STATIC ? 1u : 0u) | (is_new ? 2u : 0u) |
	                      (has_moved ? 4u : 0u));
	rbl_blob_put_words(w, &item->box, 6);
	if (has_moved)
		rbl_blob_put_words(w, &old, 6);
}

void rbl_broadphase_save(const rbl_broadphase *broadphase, const rbl_proxy_id *ids, int count,
                         rbl_blob_writer *w)
{
	const rbl_proxies *p = &broadphase->proxies;
	size_t part = rbl_blob_begin(w, "BOXE");
	rbl_blob_put_bool(w, p->must_reset);
	rbl_blob_put32(w, (uint32_t)p->live_count);
	for (int i = 0; i < count; ++i)
		if (ids[i].generation != 0)
			put_proxy(w, p, (int)rbl_proxy_slot(ids[i]));
	rbl_blob_end(w, part);
}

static void get_proxy(rbl_blob_reader *r, int user_end, rbl_bit_set *seen, saved_proxy *out)
{
	rbl_proxy_def def = rbl_default_proxy_def();
	def.user = rbl_blob_get64(r);
	rbl_blob_get_words(r, &def.filter, 3);
	uint32_t flags = rbl_blob_get32(r);
	def.is_static = flags & 1;
	rbl_box box;
	rbl_blob_get_words(r, &box, 6);
	def.box = box;
	if (flags & 4)
		rbl_blob_get_words(r, &def.box, 6);
	bool is_right = def.user < (uint64_t)user_end && flags < 6 && rbl_box_is_valid(box) &&
	                rbl_box_is_valid(def.box) && !rbl_bit_set_has(seen, (int)def.user);
	*out = (saved_proxy){ def, box, flags & 2 };
	if (rbl_blob_expect(r, is_right, "a box of the broad phase is wrong"))
		rbl_bit_set_add(seen, (int)def.user);
}

// Boxes as they were, an update whose result is ignored, and then where they are now.
static rbl_result add_saved(rbl_broadphase *b, const saved_proxy *saved, int count,
                            rbl_proxy_id *ids)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < count && result == RBL_OK; ++i)
		if (!saved[i].is_new)
			result = rbl_broadphase_add(b, &saved[i].def, 1, &ids[saved[i].def.user]);
	rbl_broadphase_result ignored;
	if (result == RBL_OK)
		result = rbl_broadphase_update(b, &ignored);
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		rbl_proxy_id *id = &ids[saved[i].def.user];
		if (saved[i].is_new)
			result = rbl_broadphase_add(b, &saved[i].def, 1, id);
		else if (memcmp(&saved[i].box, &saved[i].def.box, sizeof saved[i].box) != 0)
			result = rbl_broadphase_move(b, id, &saved[i].box, 1);
	}
	return result;
}

bool rbl_broadphase_load(rbl_blob_reader *r, const rbl_broadphase_def *def, int user_end,
                         rbl_proxy_id *ids, rbl_broadphase **broadphase)
{
	*broadphase = NULL;
	size_t end = rbl_blob_enter(r, "BOXE");
	bool must_reset = rbl_blob_get_bool(r);
	int count = rbl_blob_get_count(r, SAVED_BYTES);
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_bit_set seen = { 0 };
	saved_proxy *saved = RBL_NEW(&allocator, saved_proxy, count + 1);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (saved && rbl_bit_set_resize(&allocator, &seen, user_end + 1)) {
		for (int i = 0; i < count && !r->is_bad; ++i)
			get_proxy(r, user_end, &seen, &saved[i]);
		rbl_blob_leave(r, end);
		result = r->is_bad ? RBL_BAD_FILE : rbl_create_broadphase(def, broadphase);
		if (result == RBL_OK)
			result = add_saved(*broadphase, saved, count, ids);
	}
	rbl_bit_set_free(&allocator, &seen);
	RBL_FREE(&allocator, saved, count + 1);
	if (result == RBL_OK) {
		(*broadphase)->proxies.must_reset |= must_reset;
		return true;
	}
	rbl_destroy_broadphase(*broadphase);
	*broadphase = NULL;
	r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
	return rbl_blob_expect(r, result == RBL_OUT_OF_MEMORY, "the broad phase refused a box") &&
	       false;
}
