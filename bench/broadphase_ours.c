// SPDX-License-Identifier: MIT
//
// Our broad phases, driven like the rivals.

#include "broadphase_rival.h"

#include <rubble/broadphase.h>

#include <stdlib.h>

typedef struct ours {
	rbl_broadphase *broadphase;
	rbl_broadphase_result result;
	rbl_proxy_id *ids; // by stream id
	rbl_proxy_id *list;
	rbl_proxy_def *defs;
	rbl_box *boxes;
} ours;

static void destroy(void *self)
{
	ours *o = self;
	rbl_destroy_broadphase(o->broadphase);
	free(o->ids);
	free(o->list);
	free(o->defs);
	free(o->boxes);
	free(o);
}

static void *create(const stream *s, rbl_broadphase_kind kind, int direction_count)
{
	ours *o = calloc(1, sizeof *o);
	size_t n = (size_t)s->capacity;
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.kind = kind;
	def.capacity_hint = s->capacity; // growing is not what is measured
	def.bsp.direction_count = direction_count;
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

static void *create_bsp(const stream *s)
{
	return create(s, RBL_BROADPHASE_BSP, 3);
}

static void *create_directions(const stream *s)
{
	return create(s, RBL_BROADPHASE_BSP, 16);
}

static void *create_tree(const stream *s)
{
	return create(s, RBL_BROADPHASE_TREE, 3);
}

static void take_in(void *self, const stream *s)
{
	ours *o = self;
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
	ours *o = self;
	rbl_broadphase_update(o->broadphase, &o->result);
}

static void each(void *self, void (*visit)(void *context, int a, int b), void *context)
{
	const ours *o = self;
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
	const ours *o = self;
	return rbl_broadphase_get_stats(o->broadphase).depth;
}

static size_t memory(void *self)
{
	const ours *o = self;
	return rbl_broadphase_get_stats(o->broadphase).bytes;
}

static void work(void *self, double *ms, double *boxes)
{
	const ours *o = self;
	rbl_broadphase_stats stats = rbl_broadphase_get_stats(o->broadphase);
	*ms += stats.adjust_ms;
	*boxes += (double)stats.work;
}

const rival rival_bsp = { "bsp", create_bsp, destroy, take_in, find, each, depth, memory, work };
const rival rival_bsp_directions = {
	"bsp-directions", create_directions, destroy, take_in, find, each, depth, memory, work
};
const rival rival_tree = { "tree", create_tree, destroy, take_in, find, each, depth, memory, NULL };
