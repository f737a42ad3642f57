// SPDX-License-Identifier: MIT
//
// The boxes of a broad phase. Calls between updates only write here; the structure follows at the
// next update. Every call checks its arguments, reserves memory, and only then changes anything, so
// a failed call leaves no trace.

#include "broadphase/proxies.h"

#include "base/log.h"

#include <float.h>

// A new box has not moved yet. A fraction of the margin lets it tremble; more would pair it with
// neighbours that it never touches. The fractions differ, so that boxes that are added and move
// together do not all leave their fat boxes together: that would be the worst step of a pile.
static float new_margin(int slot)
{
	return 0.15f + 0.05f * (float)(slot & 7);
}

static const rbl_filter default_filter = { 1, UINT32_MAX, 0 };

enum {
	MAX_BLOCKS = 32,
	MAX_RESTING = 256, // in one update
};

static int move_block_size(int count)
{
	return rbl_proxies_block_size(count, MAX_BLOCKS, 1024);
}

bool rbl_proxy_list_resize(const rbl_allocator *allocator, void **data, int count, int *capacity,
                           int wanted, size_t size)
{
	RBL_ASSERT(count <= wanted);
	int per_line = RBL_CACHE_LINE / (int)size;
	int grown = wanted > 0 ? (wanted + wanted / 8 + per_line) / per_line * per_line : 0;
	void *memory = rbl_allocate(allocator, (size_t)grown, size);
	if (!memory && grown > 0)
		return false;
	if (count > 0)
		memcpy(memory, *data, (size_t)count * size);
	rbl_release(allocator, *data, (size_t)*capacity, size);
	*data = memory;
	*capacity = grown;
	return true;
}

enum { SLOT_ARRAYS = 4 };

static void list_slot_arrays(rbl_proxies *p, int wanted, rbl_growth arrays[SLOT_ARRAYS])
{
	int used = p->ids.slot_count;
	const rbl_growth list[SLOT_ARRAYS] = {
		{ &p->items, sizeof *p->items, used, &p->capacity, wanted, NULL },
		{ &p->fat_boxes, sizeof *p->fat_boxes, used, &p->capacity, wanted, NULL },
		{ &p->users, sizeof *p->users, used, &p->capacity, wanted, NULL },
		{ &p->flags, sizeof *p->flags, used, &p->capacity, wanted, NULL },
	};
	memcpy(arrays, list, sizeof list);
}

// Reserve `count` more slots: all arrays grow, or none.
static bool reserve_slots(rbl_proxies *p, int count)
{
	int wanted = p->ids.slot_count + count;
	if (!rbl_id_pool_reserve(&p->allocator, &p->ids, p->ids.live_count + count))
		return false;
	if (wanted > p->capacity)
		wanted = rbl_maxi(rbl_maxi(64, p->capacity + p->capacity / 2), wanted);
	rbl_growth arrays[SLOT_ARRAYS];
	list_slot_arrays(p, wanted, arrays);
	return rbl_grow_together(&p->allocator, arrays, SLOT_ARRAYS);
}

// Reserve `added` new slots and `count` others among what changed.
static bool reserve_changed(rbl_proxies *p, int added, int count)
{
	return rbl_proxy_list_reserve(&p->allocator, &p->changed, p->changed.count + added + count) &&
	       rbl_proxy_list_reserve(&p->allocator, &p->old_boxes, p->old_boxes.count + count);
}

static bool reserve_removed(rbl_proxies *p, int count)
{
	return rbl_array_reserve(&p->allocator, &p->removed, p->removed_since + count);
}

bool rbl_proxies_init(rbl_proxies *p, const rbl_allocator *allocator, rbl_jobs *jobs,
                      int capacity_hint)
{
	*p = (rbl_proxies){ .allocator = *allocator, .jobs = jobs };
	if (!rbl_array_push(&p->allocator, &p->filters, default_filter) ||
	    (capacity_hint > 0 && !reserve_slots(p, capacity_hint))) {
		rbl_proxies_destroy(p);
		return false;
	}
	return true;
}

void rbl_proxies_destroy(rbl_proxies *p)
{
	rbl_growth arrays[SLOT_ARRAYS];
	list_slot_arrays(p, 0, arrays);
	rbl_free_together(&p->allocator, arrays, SLOT_ARRAYS);
	rbl_array_free(&p->allocator, &p->changed);
	rbl_array_free(&p->allocator, &p->old_boxes);
	rbl_array_free(&p->allocator, &p->removed);
	rbl_array_free(&p->allocator, &p->filters);
	rbl_map_free(&p->allocator, &p->filter_map);
	rbl_id_pool_free(&p->allocator, &p->ids);
}

size_t rbl_proxies_bytes(const rbl_proxies *p)
{
	size_t per_slot =
		sizeof(rbl_proxy) + sizeof(rbl_box) + sizeof(uint64_t) + sizeof(uint8_t) + sizeof(uint32_t);
	return (size_t)p->capacity * per_slot + (size_t)p->old_boxes.capacity * sizeof(rbl_box) +
	       (size_t)(p->changed.capacity + p->removed.capacity) * sizeof(int);
}

bool rbl_proxies_has(const rbl_proxies *p, rbl_proxy_id id)
{
	uint32_t slot = rbl_proxy_slot(id);
	return rbl_id_pool_has(&p->ids, (rbl_id){ slot, id.generation }) &&
	       !(p->flags[slot] & RBL_PROXY_REMOVED);
}

// Filters are few and boxes are many: a proxy has an index. @return -1: no memory, -2: too many
static int filter_index(rbl_proxies *p, rbl_filter filter)
{
	if (memcmp(&filter, &default_filter, sizeof filter) == 0)
		return 0;
	uint64_t key = rbl_hash_number(rbl_hash_number(RBL_HASH_START, filter.category), filter.mask);
	key = rbl_hash_number(key, (uint32_t)filter.group);
	for (;; ++key) { // two filters with one hash: the next key
		uint32_t index = rbl_map_get(&p->filter_map, key);
		if (index == RBL_MAP_NONE)
			break;
		if (memcmp(&p->filters.data[index], &filter, sizeof filter) == 0)
			return (int)index;
	}
	if (p->filters.count > RBL_MAX_FILTERS)
		return -2;
	if (!rbl_array_extend(&p->allocator, &p->filters, 1) ||
	    !rbl_map_set(&p->allocator, &p->filter_map, key, (uint32_t)p->filters.count))
		return -1;
	p->filters.data[p->filters.count] = filter;
	return p->filters.count++;
}

static rbl_result check_boxes(const rbl_box *boxes, size_t stride, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_box box;
		memcpy(&box, (const char *)boxes + (size_t)i * stride, sizeof box);
		if (!rbl_box_is_valid(box))
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "box %d is not finite or has lower > upper: "
			                "(%g %g %g) to (%g %g %g)",
			                i, (double)box.lower.x, (double)box.lower.y, (double)box.lower.z,
			                (double)box.upper.x, (double)box.upper.y, (double)box.upper.z);
	}
	return RBL_OK;
}

// Everything of adding that can fail. Filters may be added and stay when the rest fails.
static rbl_result prepare_add(rbl_proxies *p, const rbl_proxy_def *defs, int count)
{
	if (count > RBL_MAX_PROXIES - p->ids.live_count)
		return rbl_fail(RBL_LIMIT_REACHED, "%d more proxies exceed RBL_MAX_PROXIES", count);
	rbl_result result = check_boxes(&defs->box, sizeof *defs, count);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < count; ++i) {
		int index = filter_index(p, defs[i].filter);
		if (index == -2)
			return rbl_fail(RBL_LIMIT_REACHED, "more than RBL_MAX_FILTERS different filters");
		if (index < 0)
			return RBL_OUT_OF_MEMORY;
	}
	return reserve_slots(p, count) && reserve_changed(p, count, 0) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// Mark a slot as changed since the last update; room was made.
static void mark_changed(rbl_proxies *p, int slot)
{
	if (p->flags[slot] & RBL_PROXY_CHANGED)
		return;
	p->flags[slot] |= RBL_PROXY_CHANGED;
	p->items[slot].changed_index = p->old_boxes.count;
	p->items[slot].moved_at = (uint16_t)p->commit_count;
	p->changed.data[p->changed.count++] = slot;
	p->old_boxes.data[p->old_boxes.count++] = p->items[slot].box;
}

static void add_prepared(rbl_proxies *p, const rbl_proxy_def *defs, int count, rbl_proxy_id *ids)
{
	for (int i = 0; i < count; ++i) {
		rbl_id id = rbl_id_pool_add(&p->allocator, &p->ids);
		RBL_ASSERT(id.generation != 0 && id.index < (uint32_t)p->capacity);
		p->items[id.index] = (rbl_proxy){
			.box = defs[i].box,
			.changed_index = -1,
			.filter = (uint16_t)filter_index(p, defs[i].filter),
		};
		p->flags[id.index] = (defs[i].is_static ? RBL_PROXY_STATIC : 0) | RBL_PROXY_CHANGED;
		p->fat_boxes[id.index] = rbl_box_empty();
		p->users[id.index] = defs[i].user;
		p->static_count += defs[i].is_static;
		p->live_count++;
		p->changed.data[p->changed.count++] = (int)id.index;
		ids[i] = (rbl_proxy_id){ id.index + 1, id.generation };
	}
}

rbl_result rbl_proxies_add(rbl_proxies *p, const rbl_proxy_def *defs, int count, rbl_proxy_id *ids)
{
	rbl_result result = prepare_add(p, defs, count);
	if (result == RBL_OK)
		add_prepared(p, defs, count, ids);
	return result;
}

static rbl_result check_ids(const rbl_proxies *p, const rbl_proxy_id *ids, int count)
{
	for (int i = 0; i < count; ++i) {
		if (!rbl_proxies_has(p, ids[i]))
			return rbl_fail(RBL_STALE_ID, "proxy %d of %d (slot %u, generation %u) is gone", i,
			                count, rbl_proxy_slot(ids[i]), ids[i].generation);
	}
	return RBL_OK;
}

// --- moving, in parallel -------------------------------------------------------------------------

typedef struct move_job {
	rbl_proxies *p;
	const rbl_proxy_id *ids;
	const rbl_box *boxes;
	int block_size;
	int first_changed, first_old; // where the first box goes in `changed` and `old_boxes`
	bool is_bad[MAX_BLOCKS];      // by block
} move_job;

static void check_moves(void *context, int begin, int end, int worker)
{
	(void)worker;
	move_job *job = context;
	bool is_bad = false;
	for (int i = begin; i < end; ++i)
		is_bad |= !rbl_proxies_has(job->p, job->ids[i]) || !rbl_box_is_valid(job->boxes[i]);
	job->is_bad[begin / job->block_size] = is_bad;
}

// The first move of each slot since the last update.
static void write_moves(void *context, int begin, int end, int worker)
{
	(void)worker;
	const move_job *job = context;
	rbl_proxies *p = job->p;
	for (int i = begin; i < end; ++i) {
		int slot = (int)rbl_proxy_slot(job->ids[i]), old = job->first_old + i;
		rbl_proxy *item = &p->items[slot];
		item->changed_index = old;
		item->moved_at = (uint16_t)p->commit_count;
		p->changed.data[job->first_changed + i] = slot;
		p->old_boxes.data[old] = item->box;
		item->box = job->boxes[i];
	}
}

rbl_result rbl_proxies_move(rbl_proxies *p, const rbl_proxy_id *ids, const rbl_box *boxes,
                            int count)
{
	move_job job = {
		p, ids, boxes, move_block_size(count), p->changed.count, p->old_boxes.count, { false }
	};
	rbl_parallel_for(p->jobs, count, job.block_size, check_moves, &job);
	bool is_bad = false;
	for (int i = 0; i < MAX_BLOCKS; ++i)
		is_bad |= job.is_bad[i];
	if (is_bad) { // find out what
		rbl_result result = check_ids(p, ids, count);
		return result != RBL_OK ? result : check_boxes(boxes, sizeof *boxes, count);
	}
	if (!reserve_changed(p, 0, count))
		return RBL_OUT_OF_MEMORY;
	int fresh = 0; // slots up to here are moved for the first time, so none is there twice
	for (; fresh < count; ++fresh) {
		uint8_t *flags = &p->flags[rbl_proxy_slot(ids[fresh])];
		if (*flags & RBL_PROXY_CHANGED)
			break;
		*flags |= RBL_PROXY_CHANGED;
	}
	rbl_parallel_for(p->jobs, fresh, job.block_size, write_moves, &job);
	p->changed.count += fresh;
	p->old_boxes.count += fresh;
	for (int i = fresh; i < count; ++i) {
		int slot = (int)rbl_proxy_slot(ids[i]);
		mark_changed(p, slot);
		p->items[slot].box = boxes[i];
	}
	return RBL_OK;
}

static void remove_prepared(rbl_proxies *p, int slot)
{
	mark_changed(p, slot);
	p->flags[slot] |= RBL_PROXY_REMOVED;
	p->static_count -= p->flags[slot] & RBL_PROXY_STATIC;
	p->live_count--;
	p->removed_since++;
}

rbl_result rbl_proxies_remove(rbl_proxies *p, const rbl_proxy_id *ids, int count)
{
	rbl_result result = check_ids(p, ids, count);
	if (result != RBL_OK)
		return result;
	if (!reserve_changed(p, 0, count) || !reserve_removed(p, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		int slot = (int)rbl_proxy_slot(ids[i]);
		if (p->flags[slot] & RBL_PROXY_REMOVED) { // twice in one call: undo everything
			for (int k = 0; k < i; ++k) {
				int earlier = (int)rbl_proxy_slot(ids[k]);
				p->flags[earlier] &= (uint8_t)~RBL_PROXY_REMOVED;
				p->static_count += p->flags[earlier] & RBL_PROXY_STATIC;
				p->live_count++;
				p->removed_since--;
			}
			return rbl_fail(RBL_BAD_ARGUMENT, "proxy %d is twice in the list", i);
		}
		remove_prepared(p, slot);
	}
	return RBL_OK;
}

rbl_result rbl_proxies_reserve(rbl_proxies *p, int old_count, const rbl_proxy_def *defs, int count)
{
	rbl_result result = count > 0 ? prepare_add(p, defs, count) : RBL_OK;
	if (result != RBL_OK)
		return result;
	return reserve_changed(p, count, old_count) && reserve_removed(p, old_count)
	           ? RBL_OK
	           : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_proxies_replace(rbl_proxies *p, const rbl_proxy_id *old_ids, int old_count,
                               const rbl_proxy_def *defs, int count, rbl_proxy_id *ids)
{
	rbl_result result = check_ids(p, old_ids, old_count);
	if (result == RBL_OK)
		result = rbl_proxies_reserve(p, old_count, defs, count);
	if (result == RBL_OK)
		result = rbl_proxies_remove(p, old_ids, old_count);
	if (result == RBL_OK)
		add_prepared(p, defs, count, ids);
	return result;
}

void rbl_proxies_begin_update(rbl_proxies *p)
{
	for (int i = 0; i < p->removed.count; ++i) {
		int slot = p->removed.data[i];
		rbl_id_pool_remove(&p->ids, rbl_id_pool_at(&p->ids, slot));
	}
	p->removed.count = 0;
}

// The lists of a burst (all boxes of a world are added at once) are released when they were not
// needed for a while; what is needed is allocated by the next call.
static void release_proxy_lists(rbl_proxies *p)
{
	if (++p->commit_count % RBL_PROXY_IDLE_UPDATES != 0)
		return;
	if (p->changed.capacity > 4 * p->max_changed + 256) {
		rbl_array_free(&p->allocator, &p->changed);
		rbl_array_free(&p->allocator, &p->old_boxes);
	}
	p->max_changed = 0;
}

// A removed slot stays marked until it is freed, so that its id is stale at once.
static void commit_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const rbl_proxies *p = context;
	for (int i = begin; i < end; ++i)
		p->flags[p->changed.data[i]] &= RBL_PROXY_STATIC | RBL_PROXY_REMOVED | RBL_PROXY_ENLARGED;
}

void rbl_proxies_commit(rbl_proxies *p)
{
	p->max_changed = rbl_maxi(p->max_changed, p->changed.count);
	for (int i = 0; i < p->changed.count && p->removed_since > 0; ++i) {
		if (p->flags[p->changed.data[i]] & RBL_PROXY_REMOVED)
			p->removed.data[p->removed.count++] = p->changed.data[i];
	}
	rbl_parallel_for(p->jobs, p->changed.count, move_block_size(p->changed.count), commit_block, p);
	p->changed.count = p->old_boxes.count = 0;
	p->removed_since = 0;
	release_proxy_lists(p);
}

void rbl_proxies_shrink_resting(rbl_proxies *p)
{
	int count = p->ids.slot_count, left = count / RBL_PROXY_IDLE_UPDATES + 1;
	if (count == 0 || !reserve_changed(p, 0, MAX_RESTING))
		return; // next time, then
	for (int resting = 0; left > 0 && resting < MAX_RESTING; --left) {
		int slot = p->rest_next < count ? p->rest_next : 0;
		p->rest_next = slot + 1;
		// A removed slot keeps its flags until it is used again.
		const int mask = RBL_PROXY_ENLARGED | RBL_PROXY_CHANGED | RBL_PROXY_REMOVED;
		bool is_enlarged = (p->flags[slot] & mask) == RBL_PROXY_ENLARGED;
		uint16_t age = (uint16_t)(p->commit_count - p->items[slot].moved_at);
		if (is_enlarged && age >= RBL_PROXY_IDLE_UPDATES) {
			mark_changed(p, slot);
			p->flags[slot] = (uint8_t)((p->flags[slot] & ~RBL_PROXY_ENLARGED) | RBL_PROXY_RESTS);
			resting++;
		}
	}
}

// Halves are added: the sum of two corners may overflow.
static rbl_vec3 centre_of(rbl_box box)
{
	return rbl_add(rbl_scale(0.5f, box.lower), rbl_scale(0.5f, box.upper));
}

// The end of a list in the kernels is at infinity, so no box may reach it.
static rbl_box finite_box(rbl_box box)
{
	const rbl_vec3 limit = { FLT_MAX, FLT_MAX, FLT_MAX };
	return (rbl_box){ rbl_max(box.lower, rbl_neg(limit)), rbl_min(box.upper, limit) };
}

rbl_box rbl_proxies_fatten(const rbl_proxies *p, int slot, float margin)
{
	rbl_box box = p->items[slot].box, old = rbl_proxies_old_box(p, slot);
	if (rbl_box_is_empty(old) || (p->flags[slot] & RBL_PROXY_RESTS))
		return finite_box(rbl_box_grow(box, new_margin(slot) * margin));
	rbl_box fat = rbl_box_grow(box, margin);
	rbl_vec3 limit = rbl_scale(0.5f, rbl_box_size(box));
	rbl_vec3 motion = rbl_scale(2.0f, rbl_sub(centre_of(box), centre_of(old)));
	motion = rbl_max(rbl_neg(limit), rbl_min(limit, motion));
	rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	return finite_box((rbl_box){ rbl_add(fat.lower, rbl_min(motion, zero)),
	                             rbl_add(fat.upper, rbl_max(motion, zero)) });
}
