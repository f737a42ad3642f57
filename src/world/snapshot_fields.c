// SPDX-License-Identifier: MIT
//
// Distance fields in a snapshot: what field bodies collide by, and what their pairs remember.

#include "world/snapshot.h"

#include "base/log.h"

enum {
	MEMORY_WORDS = sizeof(rbl_field_contact_memory) / 4,
	BIRTH_WORDS = sizeof(rbl_pair_birth) / 4,
};

_Static_assert(sizeof(rbl_field_contact_memory) == (6 * RBL_MAX_FIELD_CONTACTS + 3) * 4,
               "a new field of contact memories: is it checked?");

// --- pairs --------------------------------------------------------------------------------------

void rbl_snapshot_put_pair_field(rbl_blob_writer *w, const rbl_pair_field *field)
{
	rbl_blob_put_words(w, &field->memory, MEMORY_WORDS);
	rbl_blob_put_bool(w, field->is_incomplete);
	rbl_blob_put_bool(w, field->birth != NULL);
	if (field->birth)
		rbl_blob_put_words(w, field->birth, BIRTH_WORDS);
}

static bool is_memory_right(const rbl_field_contact_memory *m)
{
	bool is_right = m->count >= 0 && m->count <= RBL_MAX_FIELD_CONTACTS;
	for (int i = 0; i < RBL_MAX_FIELD_CONTACTS && is_right; ++i)
		is_right = m->ranks[i] >= 0;
	for (int i = 0; i < 2 && is_right; ++i)
		is_right = m->wanted[i] >= 0 && m->wanted[i] <= RBL_MAX_FIELD_VISITS;
	return is_right && rbl_floats_are_finite(m->normals, 3 * RBL_MAX_FIELD_CONTACTS) &&
	       rbl_floats_are_finite(m->separations, RBL_MAX_FIELD_CONTACTS);
}

static bool is_birth_right(const rbl_pair_birth *birth)
{
	bool is_right = birth->count > 0 && birth->count <= RBL_MAX_FIELD_CONTACTS;
	for (int i = 0; i < birth->count && is_right; ++i) {
		const rbl_birth_crack *crack = &birth->cracks[i];
		is_right = crack->corner_count > 0 && crack->corner_count <= RBL_MAX_MANIFOLD_POINTS &&
		           rbl_floats_are_finite(crack->corners, 3 * RBL_MAX_MANIFOLD_POINTS) &&
		           fabsf(rbl_length_squared(crack->normal) - 1.0f) < 0.01f;
	}
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
	if (!rbl_blob_get_bool(&r->blob) || r->blob.is_bad)
		return;
	made->birth = RBL_NEW(&r->world->allocator, rbl_pair_birth, 1);
	if (!made->birth) {
		r->blob.out_of_memory = r->blob.is_bad = true;
		return;
	}
	rbl_blob_get_words(&r->blob, made->birth, BIRTH_WORDS);
	rbl_blob_expect(&r->blob, is_birth_right(made->birth), "cracks of a pair are wrong");
}

// --- shapes that bodies share -------------------------------------------------------------------

rbl_result rbl_snapshot_check_fields(const rbl_world *world)
{
	RBL_EACH_LIVE (i, &world->part_ids)
		if (world->parts[i].field && !rbl_field_shape_can_be_put(world->parts[i].field->shape))
			return rbl_fail(RBL_UNSUPPORTED,
			                "body %d collides by a field that is of neither a mesh nor a "
			                "fragment, which cannot be saved",
			                world->hot_parts[i].body);
	return RBL_OK;
}

bool rbl_snapshot_note_shapes(const rbl_world *world, rbl_snapshot_tables *tables)
{
	const rbl_allocator *a = &world->allocator;
	bool ok = true;
	RBL_EACH_LIVE (i, &world->part_ids) {
		const rbl_part_field *field = world->parts[i].field;
		if (!field)
			continue;
		if (!field->own_shape)
			ok &= rbl_address_table_add(a, &tables->shapes, field->shape);
		ok &= rbl_address_table_add(a, &tables->originals,
		                            rbl_distance_field_original(field->shape->field));
	}
	RBL_EACH_LIVE (i, &world->body_ids) {
		ok &= rbl_address_table_add(a, &tables->originals, world->bodies[i].original);
		const rbl_world_baked_body *baked = rbl_world_get_baked_body(world, i);
		for (int k = 0; baked && k < baked->fragments.count; ++k)
			if (baked->fragments.data[k].compound)
				ok &=
					rbl_address_table_add(a, &tables->originals, baked->fragments.data[k].original);
	}
	return ok;
}

static void save_shape(rbl_blob_writer *w, const rbl_field_shape *shape,
                       const rbl_snapshot_tables *tables)
{
	rbl_snapshot_put_original(w, rbl_distance_field_original(shape->field), tables);
	rbl_field_shape_put(w, shape);
}

static bool load_shape(rbl_snapshot_reader *r, rbl_part_field *made)
{
	const rbl_distance_field *original = rbl_snapshot_get_original(r);
	if (r->blob.is_bad || !rbl_field_shape_get(&r->blob, &r->world->allocator, original,
	                                           &made->own_field, &made->own_shape))
		return false;
	made->shape = made->own_shape;
	return true;
}

void rbl_snapshot_put_original(rbl_blob_writer *w, const rbl_distance_field *original,
                               const rbl_snapshot_tables *tables)
{
	rbl_blob_put32(w, (uint32_t)rbl_address_table_place(&tables->originals, original));
}

const rbl_distance_field *rbl_snapshot_get_original(rbl_snapshot_reader *r)
{
	int place = rbl_blob_get_int(&r->blob, -1, r->world->original_fields.count - 1);
	return place < 0 || r->blob.is_bad ? NULL : r->world->original_fields.data[place];
}

void rbl_snapshot_put_shapes(rbl_blob_writer *w, const rbl_snapshot_tables *tables)
{
	rbl_blob_put_padding(w);
	rbl_blob_put32(w, (uint32_t)tables->originals.items.count);
	for (int i = 0; i < tables->originals.items.count; ++i)
		rbl_distance_field_put(w, tables->originals.items.data[i]), rbl_blob_put_padding(w);
	rbl_blob_put32(w, (uint32_t)tables->shapes.items.count);
	for (int i = 0; i < tables->shapes.items.count; ++i)
		save_shape(w, tables->shapes.items.data[i], tables);
}

void rbl_snapshot_get_shapes(rbl_snapshot_reader *r)
{
	rbl_world *world = r->world;
	const rbl_allocator *a = &world->allocator;
	rbl_blob_get_padding(&r->blob);
	int count = rbl_blob_get_count(&r->blob, 8);
	for (int i = 0; i < count && !r->blob.is_bad; ++i) {
		rbl_distance_field *field;
		if (!rbl_distance_field_get(&r->blob, a, &field))
			return;
		rbl_blob_get_padding(&r->blob);
		if (!rbl_array_push(a, &world->original_fields, field)) {
			rbl_destroy_distance_field(field);
			r->blob.out_of_memory = r->blob.is_bad = true;
		}
	}
	count = rbl_blob_get_count(&r->blob, 8);
	for (int i = 0; i < count && !r->blob.is_bad; ++i) {
		rbl_part_field made = { .inner_radius = -1.0f };
		if (!load_shape(r, &made))
			return;
		if (!rbl_array_push(a, &world->loaded_shapes, made)) {
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
		save_shape(w, field->shape, tables);
}

void rbl_snapshot_get_part_field(rbl_snapshot_reader *r, rbl_part_field **field)
{
	rbl_world *world = r->world;
	int place = rbl_blob_get_int(&r->blob, NO_FIELD, world->loaded_shapes.count - 1);
	if (place == NO_FIELD || r->blob.is_bad)
		return;
	rbl_part_field *made = *field = rbl_new_part_field(&world->allocator);
	if (!made) {
		r->blob.out_of_memory = r->blob.is_bad = true;
		return;
	}
	world->field_part_count++;
	if (place == OWN_SHAPE)
		load_shape(r, made);
	else
		made->shape = world->loaded_shapes.data[place].shape;
	rbl_blob_expect(&r->blob, made->shape && made->shape->field, "a field body has no field");
}
