// SPDX-License-Identifier: MIT
//
// Distance fields in a snapshot: what field bodies collide by, and what their pairs remember.

#include "world/snapshot.h"

#include "base/log.h"

enum { MEMORY_WORDS = sizeof(rbl_field_contact_memory) / 4 };

_Static_assert(sizeof(rbl_field_contact_memory) == (2 * RBL_MAX_FIELD_CONTACTS + 3) * 4,
               "a new field of contact memories: is it checked?");

// --- pairs --------------------------------------------------------------------------------------

void rbl_snapshot_put_pair_field(rbl_blob_writer *w, const rbl_pair_field *field)
{
	rbl_blob_put_words(w, &field->memory, MEMORY_WORDS);
	rbl_blob_put_bool(w, field->is_incomplete);
}

static bool is_memory_right(const rbl_field_contact_memory *m)
{
	bool is_right = m->count >= 0 && m->count <= RBL_MAX_FIELD_CONTACTS;
	for (int i = 0; i < RBL_MAX_FIELD_CONTACTS && is_right; ++i)
		is_right = m->ranks[i] >= 0;
	for (int i = 0; i < 2 && is_right; ++i)
		is_right = m->wanted[i] >= 0 && m->wanted[i] <= RBL_MAX_FIELD_VISITS;
	return is_right;
}

void rbl_snapshot_get_pair_field(rbl_snapshot_reader *r, rbl_pair_field **field)
{
	rbl_pair_field *made = *field = RBL_NEW_ZERO(&r->world->allocator, rbl_pair_field, 1);
	if (!made) {
		r->blob.out_of_memory = true;
		return;
	}
	rbl_blob_get_words(&r->blob, &made->memory, MEMORY_WORDS);
	made->is_incomplete = rbl_blob_get_bool(&r->blob);
	rbl_blob_expect(&r->blob, is_memory_right(&made->memory),
	                "what a pair of fields remembers is wrong");
}

// --- shapes that bodies share -------------------------------------------------------------------

rbl_result rbl_snapshot_check_fields(const rbl_world *world)
{
	RBL_EACH_LIVE (i, &world->part_ids)
		if (world->parts[i].field && !rbl_field_shape_can_be_put(world->parts[i].field->shape))
			return rbl_fail(RBL_UNSUPPORTED,
			                "body %d collides by a field that is not of a mesh, which cannot be "
			                "saved",
			                world->hot_parts[i].body);
	return RBL_OK;
}

bool rbl_snapshot_note_shapes(const rbl_world *world, rbl_snapshot_tables *tables)
{
	RBL_EACH_LIVE (i, &world->part_ids) {
		const rbl_part_field *field = world->parts[i].field;
		if (field && !field->own_shape &&
		    !rbl_address_table_add(&world->allocator, &tables->shapes, field->shape))
			return false;
	}
	return true;
}

void rbl_snapshot_put_shapes(rbl_blob_writer *w, const rbl_snapshot_tables *tables)
{
	rbl_blob_put32(w, (uint32_t)tables->shapes.items.count);
	for (int i = 0; i < tables->shapes.items.count; ++i)
		rbl_field_shape_put(w, tables->shapes.items.data[i]);
}

void rbl_snapshot_get_shapes(rbl_snapshot_reader *r)
{
	rbl_world *world = r->world;
	int count = rbl_blob_get_count(&r->blob, 8);
	for (int i = 0; i < count && !r->blob.is_bad; ++i) {
		rbl_part_field made = { NULL, NULL, NULL };
		if (!rbl_field_shape_get(&r->blob, &world->allocator, &made.own_field, &made.own_shape))
			return;
		made.shape = made.own_shape;
		if (!rbl_array_push(&world->allocator, &world->loaded_shapes, made)) {
			rbl_destroy_field_shape(made.own_shape);
			rbl_destroy_distance_field(made.own_field);
			r->blob.out_of_memory = r->blob.is_bad = true;
		}
	}
}

// --- parts --------------------------------------------------------------------------------------

enum { OWN_SHAPE = -1, NO_FIELD = -2 };

void rbl_snapshot_put_part_field(rbl_blob_writer *w, const rbl_part_field *field,
                                 const rbl_snapshot_tables *tables)
{
	int32_t place = !field             ? NO_FIELD
	                : field->own_shape ? OWN_SHAPE
	                                   : rbl_address_table_place(&tables->shapes, field->shape);
	rbl_blob_put32(w, (uint32_t)place);
	if (place == OWN_SHAPE)
		rbl_field_shape_put(w, field->shape);
}

void rbl_snapshot_get_part_field(rbl_snapshot_reader *r, rbl_part_field **field)
{
	rbl_world *world = r->world;
	int place = rbl_blob_get_int(&r->blob, NO_FIELD, world->loaded_shapes.count - 1);
	if (place == NO_FIELD || r->blob.is_bad)
		return;
	rbl_part_field *made = *field = RBL_NEW_ZERO(&world->allocator, rbl_part_field, 1);
	if (!made) {
		r->blob.out_of_memory = r->blob.is_bad = true;
		return;
	}
	world->field_part_count++;
	if (place == OWN_SHAPE)
		rbl_field_shape_get(&r->blob, &world->allocator, &made->own_field, &made->own_shape);
	made->shape = place == OWN_SHAPE ? made->own_shape : world->loaded_shapes.data[place].shape;
	rbl_blob_expect(&r->blob, made->shape && made->shape->field,
	                "a field body has no field");
}
