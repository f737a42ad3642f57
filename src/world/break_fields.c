// SPDX-License-Identifier: MIT
//
// Breaking of field bodies: what fragments collide by is made before they are bodies.
//
// Points, their order and a tree of triangles take as long as the cuts. So they are made once a
// break is ready, in slices of the fracture budget as the break itself, some fragments at once by
// all workers. The body is whole until the last of them is made; then the break is applied, and
// bodies take what is there. A break whose memory runs out here makes the rest when it is applied.
//
// Slices are counted with those of the break: a world that is loaded repeats them.

#include "world/world.h"

typedef struct early_field {
	const rbl_compound *compound; // that the body will have
	int64_t faces;                // that it is made from
	bool is_rest;                 // of the body that breaks
	bool by_field;                // known after the first step
	bool has_failed;
	rbl_field_making making;
} early_field;

struct rbl_early_fields {
	unsigned number;    // of the fragments that they are for
	rbl_compound *rest; // what will be left of the body, or NULL
	RBL_ARRAY(early_field) items;
	RBL_ARRAY(const rbl_compound *) relatives;
	int step_count; // done, of one item after the other
	int64_t debt;   // work that was done beyond earlier slices
};

// Work is counted in cuts of a convex by a cell; BATCH_WORK is done at once, in half a millisecond.
enum { BATCH_WORK = 256, STEPS = RBL_FIELD_MAKING_STEPS };

// Faces that a step is done with in the time of a cut: a collider, then a field and points, then
// their tree.
static const int faces_per_cut[STEPS] = { 4, 3, 8 };

static int64_t work_of(const rbl_early_fields *e, int step)
{
	return 1 + e->items.data[step / STEPS].faces / faces_per_cut[step % STEPS];
}

static void forget(const rbl_world *world, rbl_early_fields *e)
{
	const rbl_allocator *a = &world->allocator;
	for (int i = 0; i < e->items.count; ++i)
		rbl_give_up_field(world, &e->items.data[i].making);
	rbl_destroy_break_rest(e->rest);
	rbl_array_free(a, &e->items);
	rbl_array_free(a, &e->relatives);
	*e = (rbl_early_fields){ 0 };
}

void rbl_destroy_early_fields(const rbl_world *world, rbl_early_fields *fields)
{
	if (!fields)
		return;
	forget(world, fields);
	RBL_FREE(&world->allocator, fields, 1);
}

// @param source  what it is made from: the compound, or that of the rest
static bool add_item(const rbl_world *world, const rbl_damage_request *r, rbl_early_fields *e,
                     const rbl_compound *source, const rbl_compound *compound)
{
	int64_t faces = 0;
	for (int i = 0; i < rbl_compound_get_info(source).part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(source, i);
		faces += part.mesh ? rbl_mesh_get_data(part.mesh).face_count : 0;
		faces += part.convex ? 4 : 0;
	}
	early_field item = { .compound = compound,
		                 .faces = faces,
		                 .is_rest = source == e->rest,
		                 .making = { .compound = source,
		                             .original = world->bodies[r->body.index].original } };
	return rbl_array_push(&world->allocator, &e->items, item) &&
	       rbl_array_push(&world->allocator, &e->relatives, source);
}

// All that a break will leave. @return false when memory ran out
static bool list_items(const rbl_world *world, const rbl_damage_request *r, rbl_early_fields *e)
{
	rbl_break_preview preview = rbl_break_get_preview(r->task);
	e->number = preview.number;
	bool ok = rbl_create_break_rest(r->task, &e->rest) == RBL_OK;
	for (int i = 0; i < preview.fragment_count && ok; ++i)
		ok = add_item(world, r, e, preview.fragments[i], preview.fragments[i]);
	if (ok && e->rest)
		ok = add_item(world, r, e, e->rest, world->bodies[r->body.index].compound);
	for (int i = 0; i < e->items.count; ++i)
		e->items.data[i].making.relatives =
			(rbl_relatives){ e->relatives.data, e->relatives.count };
	return ok;
}

typedef struct field_batch {
	const rbl_world *world;
	rbl_early_fields *e;
	int body, first, end; // steps
} field_batch;

static void make_step(const rbl_world *world, int body, early_field *item)
{
	const rbl_body *b = &world->bodies[body];
	rbl_field_making *m = &item->making;
	if (m->step == 0)
		item->by_field = item->is_rest
		                     ? rbl_world_rest_wants_field(world, body, m->compound)
		                     : rbl_compound_wants_field(world, m->compound,
		                                                world->motions[body].flags, b->original);
	if (!item->by_field || item->has_failed) {
		m->step++;
		return;
	}
	item->has_failed = rbl_make_some_field(world, m) != RBL_OK;
	if (item->has_failed)
		rbl_give_up_field(world, m);
}

// Items are independent, steps of one are not.
static void make_items(void *context, int begin, int end, int worker)
{
	const field_batch *batch = context;
	(void)worker;
	for (int i = batch->first / STEPS + begin; i < batch->first / STEPS + end; ++i)
		for (int step = i * STEPS; step < (i + 1) * STEPS; ++step)
			if (step >= batch->first && step < batch->end)
				make_step(batch->world, batch->body, &batch->e->items.data[i]);
}

bool rbl_world_make_early_fields(const rbl_world *world, rbl_damage_request *r, int work)
{
	int body = (int)r->body.index;
	uint32_t methods = RBL_BODY_BY_FIELD | RBL_BODY_AUTOMATIC;
	if (!world->bodies[body].original || !(world->motions[body].flags & methods))
		return true;
	if (!r->fields)
		r->fields = RBL_NEW_ZERO(&world->allocator, rbl_early_fields, 1);
	rbl_early_fields *e = r->fields;
	if (!e)
		return true;
	unsigned number = rbl_break_get_preview(r->task).number;
	if (e->items.count > 0 && e->number != number)
		forget(world, e); // the break was done again
	if (e->items.count == 0 && !list_items(world, r, e)) {
		forget(world, e);
		return true;
	}
	e->debt -= work;
	int count = STEPS * e->items.count;
	if (e->debt < 0 && e->step_count < count) {
		field_batch batch = { world, e, body, e->step_count, e->step_count };
		int64_t sum = 0;
		while (batch.end < count && sum < BATCH_WORK)
			sum += work_of(e, batch.end++);
		e->step_count = batch.end;
		int items = (batch.end - 1) / STEPS - batch.first / STEPS + 1;
		rbl_parallel_for(world->def.jobs, items, 1, make_items, &batch);
		e->debt = sum - work;
	}
	return e->step_count == count && e->debt <= 0;
}

static early_field *find_item(const rbl_world *world, const rbl_compound *compound)
{
	rbl_early_fields *e = world->early_fields;
	for (int i = 0; e && i < e->step_count / STEPS; ++i)
		if (e->items.data[i].compound == compound)
			return &e->items.data[i];
	return NULL;
}

bool rbl_world_knows_contact_method(const rbl_world *world, const rbl_compound *compound,
                                    bool *by_field)
{
	const early_field *item = find_item(world, compound);
	if (item)
		*by_field = item->by_field;
	return item != NULL;
}

bool rbl_world_take_early_field(const rbl_world *world, const rbl_compound *compound,
                                rbl_collider **collider, rbl_part_field **field)
{
	early_field *item = find_item(world, compound);
	if (!item || !item->making.field)
		return false;
	*collider = item->making.collider, item->making.collider = NULL;
	*field = item->making.field, item->making.field = NULL;
	return true;
}
