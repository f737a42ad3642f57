// SPDX-License-Identifier: MIT
//
// Our broad phases, driven like the baselines.

#include "broadphase/broadphase.h"
#include "broadphase_baseline.h"

#include <rubble/broadphase.h>

#include <stdlib.h>

typedef struct run {
	rbl_jobs *jobs; // or NULL
	rbl_broadphase *broadphase;
	rbl_broadphase_result result;
	rbl_proxy_id *ids; // by stream id
	rbl_proxy_id *list;
	rbl_proxy_def *defs;
	rbl_box *boxes;
	bool is_frozen; // after the first update
} run;

static void destroy(void *self)
{
	run *o = self;
	rbl_destroy_broadphase(o->broadphase);
	rbl_destroy_jobs(o->jobs);
	free(o->ids);
	free(o->list);
	free(o->defs);
	free(o->boxes);
	free(o);
}

static void *create_with_workers(const stream *s, rbl_broadphase_def def, int workers)
{
	run *o = calloc(1, sizeof *o);
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	if (workers > 1)
		rbl_create_jobs(&jobs_def, &o->jobs);
	def.jobs = o->jobs;
	size_t n = (size_t)s->capacity;
	def.capacity_hint = s->capacity; // growing is not what is measured
	o->ids = calloc(n, sizeof *o->ids);
	o->list = calloc(n, sizeof *o->list);
	o->defs = calloc(n, sizeof *o->defs);
	o->boxes = calloc(n, sizeof *o->boxes);
	if (rbl_create_broadphase(&def, &o->broadphase) != RBL_OK) {
		destroy(o);
		return NULL;
	}
	return o;
}

static void *create(const stream *s, rbl_broadphase_def def)
{
	return create_with_workers(s, def, 1);
}

static void *create_bsp_2(const stream *s)
{
	return create_with_workers(s, rbl_default_broadphase_def(), 2);
}

// A function that makes a broad phase with one setting changed.
#define CREATE_WITH(name, change)                              \
	static void *create_##name(const stream *s)                \
	{                                                          \
		rbl_broadphase_def def = rbl_default_broadphase_def(); \
		change;                                                \
		return create(s, def);                                 \
	}

CREATE_WITH(bsp, (void)0)
CREATE_WITH(directions, def.bsp.direction_count = 16)
CREATE_WITH(tree, def.kind = RBL_BROADPHASE_TREE)
CREATE_WITH(leaf_32, def.bsp.split_threshold = 32)
CREATE_WITH(leaf_64, def.bsp.split_threshold = 64)
CREATE_WITH(leaf_128, def.bsp.split_threshold = 128)
CREATE_WITH(leaf_256, def.bsp.split_threshold = 256)
CREATE_WITH(leaf_512, def.bsp.split_threshold = 512)
CREATE_WITH(redundancy, def.bsp.max_redundancy = 0.025f)
CREATE_WITH(no_margin, def.margin = 0.0f)
CREATE_WITH(margin_20, def.margin = 0.2f)
CREATE_WITH(budget_0, def.work_budget = 0)
CREATE_WITH(paper, def.bsp.split_threshold = 128; def.bsp.max_redundancy = 0.025f;
            def.bsp.direction_count = 16)

// The tree with operators left out.
#define CREATE_WITHOUT(name, bit)                             \
	static void *create_without_##name(const stream *s)       \
	{                                                         \
		run *o = create(s, rbl_default_broadphase_def());     \
		if (o)                                                \
			rbl_broadphase_restrict(o->broadphase, (bit), 0); \
		return o;                                             \
	}

CREATE_WITHOUT(split, RBL_BROADPHASE_SPLIT)
CREATE_WITHOUT(shift_split, RBL_BROADPHASE_SHIFT_SPLIT)
CREATE_WITHOUT(merge, RBL_BROADPHASE_MERGE)
CREATE_WITHOUT(balance, RBL_BROADPHASE_BALANCE)
CREATE_WITHOUT(swap, RBL_BROADPHASE_SWAP)

// Built anew after so many steps, and never adjusted in between.
static void *create_rebuilt(const stream *s, int interval)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.work_budget = 0;
	run *o = create(s, def);
	if (o)
		rbl_broadphase_restrict(o->broadphase, 0, interval);
	return o;
}

static void *create_rebuilt_10(const stream *s)
{
	return create_rebuilt(s, 10);
}

static void *create_rebuilt_100(const stream *s)
{
	return create_rebuilt(s, 100);
}

static void *create_frozen(const stream *s)
{
	run *o = create_rebuilt(s, 1);
	if (o)
		o->is_frozen = true;
	return o;
}

static void insert(void *self, const stream *s)
{
	run *o = self;
	if (o->is_frozen && s->step == 1)
		rbl_broadphase_restrict(o->broadphase, 0, 0);
	for (int i = 0; i < s->destroyed.count; ++i)
		o->list[i] = o->ids[s->destroyed.ids[i]];
	rbl_broadphase_remove(o->broadphase, o->list, s->destroyed.count);
	for (int i = 0; i < s->created.count; ++i) {
		int id = s->created.ids[i];
		o->defs[i] = rbl_default_proxy_def();
		o->defs[i].box = s->boxes[id];
		o->defs[i].is_static = s->kinds[id] == STREAM_STATIC;
		o->defs[i].user = (uint64_t)id;
	}
	rbl_broadphase_add(o->broadphase, o->defs, s->created.count, o->list);
	for (int i = 0; i < s->created.count; ++i)
		o->ids[s->created.ids[i]] = o->list[i];
	for (int i = 0; i < s->moved.count; ++i) {
		int id = s->moved.ids[i];
		o->list[i] = o->ids[id];
		o->boxes[i] = s->boxes[id];
	}
	rbl_broadphase_move(o->broadphase, o->list, o->boxes, s->moved.count);
}

static void find(void *self, const stream *s)
{
	(void)s;
	run *o = self;
	rbl_broadphase_update(o->broadphase, &o->result);
}

static void each(void *self, void (*visit)(void *context, int a, int b), void *context)
{
	const run *o = self;
	for (int r = 0; r < o->result.run_count; ++r) {
		for (int i = 0; i < o->result.runs[r].count; ++i) {
			rbl_pair pair = o->result.runs[r].pairs[i];
			visit(context, (int)rbl_broadphase_user(o->broadphase, pair.a),
			      (int)rbl_broadphase_user(o->broadphase, pair.b));
		}
	}
}

static int depth(void *self)
{
	const run *o = self;
	return rbl_broadphase_get_stats(o->broadphase).depth;
}

static size_t memory(void *self)
{
	const run *o = self;
	return rbl_broadphase_get_stats(o->broadphase).bytes;
}

static void work(void *self, double *ms, double *boxes)
{
	const run *o = self;
	rbl_broadphase_stats stats = rbl_broadphase_get_stats(o->broadphase);
	*ms += stats.adjust_ms;
	*boxes += (double)stats.work;
}

const baseline baseline_bsp = { "bsp", create_bsp, destroy, insert, find,
	                            each,  depth,      memory,  work,   0 };
const baseline baseline_bsp_directions = {
	"bsp-directions", create_directions, destroy, insert, find, each, depth, memory, work, 0
};
const baseline baseline_bsp_2 = { "bsp-2-workers", create_bsp_2, destroy, insert, find, each,
	                              depth,           memory,       work,    0 };
const baseline baseline_tree = { "tree", create_tree, destroy, insert, find,
	                             each,   depth,       memory,  NULL,   0 };

#define WITH(name, function)                                                         \
	&(const baseline)                                                                \
	{                                                                                \
		name, create_##function, destroy, insert, find, each, depth, memory, work, 0 \
	}

const baseline *const broadphase_settings[] = {
	&baseline_bsp,
	WITH("leaf-32", leaf_32),
	WITH("leaf-64", leaf_64),
	WITH("leaf-128", leaf_128),
	WITH("leaf-256", leaf_256),
	WITH("leaf-512", leaf_512),
	WITH("redundancy-2.5%", redundancy),
	WITH("directions-16", directions),
	WITH("no-margin", no_margin),
	WITH("margin-0.2", margin_20),
	WITH("budget-0", budget_0),
	WITH("paper", paper),
	NULL,
};

void broadphase_count_operators(void *self, int64_t counts[5])
{
	const run *o = self;
	rbl_broadphase_stats stats = rbl_broadphase_get_stats(o->broadphase);
	counts[0] = stats.splits, counts[1] = stats.shift_splits, counts[2] = stats.balances;
	counts[3] = stats.swaps, counts[4] = stats.merges;
}

const baseline *const broadphase_adjusting[] = {
	WITH("adjusting", bsp),
	WITH("rebuilt-10", rebuilt_10),
	WITH("rebuilt-100", rebuilt_100),
	WITH("frozen", frozen),
	WITH("without-split", without_split),
	WITH("without-shift-split", without_shift_split),
	WITH("without-balance", without_balance),
	WITH("without-swap", without_swap),
	WITH("without-merge", without_merge),
	NULL,
};
