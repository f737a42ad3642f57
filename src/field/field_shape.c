// SPDX-License-Identifier: MIT
//
// Shapes for contacts by fields, and the work space of queries: what other engines use.

#include "field/field.h"

#include "base/log.h"
#include "base/vec.h"

enum { SHAPE_COOKIE = 0x66736870, BLOCK_SIZE = 1 << 16 };

// --- shapes -------------------------------------------------------------------------------------

rbl_field_shape_def rbl_default_field_shape_def(void)
{
	return (rbl_field_shape_def){ .crease_angle = 0.25f, .cookie = SHAPE_COOKIE };
}

static rbl_result check_shape_def(const rbl_field_shape_def *def)
{
	if (!def || def->cookie != SHAPE_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_field_shape_def()");
	if (def->mesh && def->count != 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "give a mesh or positions, not both");
	if (def->count < 0 || (def->count > 0 && !def->positions))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                def->count < 0 ? "count is negative" : "positions is NULL");
	if (!def->field && !def->mesh && def->count == 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "a shape needs a field, points, or both");
	if (!(def->spacing >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "spacing is %g, must be >= 0", (double)def->spacing);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	return RBL_OK;
}

static rbl_result sample_mesh(const rbl_field_shape_def *def, rbl_point_samples *samples)
{
	const float part_of_diagonal = 1.0f / 80.0f;
	rbl_mesh_data data = rbl_mesh_get_data(def->mesh);
	rbl_boxd box = rbl_mesh_bounds(def->mesh);
	float spacing = def->spacing;
	if (spacing == 0.0f)
		spacing = part_of_diagonal * (float)rbl_distance_d(box.lower, box.upper);
	return rbl_sample_points(&(rbl_point_samples_def){ .mesh = &data,
	                                                   .origin = def->origin,
	                                                   .crease_angle = def->crease_angle,
	                                                   .spacing = spacing },
	                         &def->allocator, samples);
}

static rbl_result build_shape_tree(const rbl_field_shape_def *def, rbl_field_shape *shape)
{
	rbl_point_samples samples = { 0 };
	rbl_sphere_tree_def tree_def = { def->positions, def->ids, def->count, 0 };
	rbl_result result = RBL_OK;
	if (def->mesh) {
		result = sample_mesh(def, &samples);
		tree_def = (rbl_sphere_tree_def){ samples.positions, samples.ids, samples.count, 0 };
	}
	if (result == RBL_OK && tree_def.count > 0) {
		rbl_arena arena;
		rbl_arena_init(&arena, &shape->allocator, BLOCK_SIZE);
		result = rbl_sphere_tree_build(&tree_def, &arena, &shape->allocator, &shape->tree);
		rbl_arena_destroy(&arena);
	}
	rbl_point_samples_destroy(&samples);
	return result;
}

rbl_result rbl_create_field_shape(const rbl_field_shape_def *def, rbl_field_shape **shape)
{
	if (!shape)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape is NULL");
	*shape = NULL;
	rbl_result result = check_shape_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_field_shape *made = RBL_NEW(&allocator, rbl_field_shape, 1);
	if (!made)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a field shape");
	*made = (rbl_field_shape){ .allocator = allocator, .field = def->field };
	result = build_shape_tree(def, made);
	if (result != RBL_OK) {
		rbl_destroy_field_shape(made);
		return result;
	}
	*shape = made;
	return RBL_OK;
}

void rbl_destroy_field_shape(rbl_field_shape *shape)
{
	if (!shape)
		return;
	rbl_allocator allocator = shape->allocator;
	rbl_sphere_tree_destroy(&shape->tree);
	RBL_FREE(&allocator, shape, 1);
}

rbl_field_shape_info rbl_field_shape_get_info(const rbl_field_shape *shape)
{
	if (!shape)
		return (rbl_field_shape_info){ 0 };
	return (rbl_field_shape_info){
		.bounds = shape->tree.count > 0 ? shape->tree.bounds : rbl_box_empty(),
		.point_count = shape->tree.count,
		.bytes = sizeof *shape + rbl_sphere_tree_memory(&shape->tree),
	};
}

// --- queries ------------------------------------------------------------------------------------

struct rbl_field_contacts {
	rbl_allocator allocator;
	rbl_arena arena;
};

rbl_result rbl_create_field_contacts(const rbl_allocator *allocator, rbl_field_contacts **contacts)
{
	if (!contacts)
		return rbl_fail(RBL_BAD_ARGUMENT, "contacts is NULL");
	*contacts = NULL;
	if (allocator && !rbl_allocator_is_valid(allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_field_contacts *made = RBL_NEW(&own, rbl_field_contacts, 1);
	if (!made)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for field contacts");
	*made = (rbl_field_contacts){ .allocator = own };
	rbl_arena_init(&made->arena, &made->allocator, BLOCK_SIZE);
	*contacts = made;
	return RBL_OK;
}

void rbl_destroy_field_contacts(rbl_field_contacts *contacts)
{
	if (!contacts)
		return;
	rbl_allocator allocator = contacts->allocator;
	rbl_arena_destroy(&contacts->arena);
	RBL_FREE(&allocator, contacts, 1);
}

rbl_result rbl_field_contacts_find(rbl_field_contacts *contacts, const rbl_field_side *a,
                                   const rbl_field_side *b,
                                   const rbl_field_contact_settings *settings,
                                   rbl_field_contact_memory *memory, rbl_field_contact_list *list)
{
	if (!list)
		return rbl_fail(RBL_BAD_ARGUMENT, "list is NULL");
	*list = (rbl_field_contact_list){ 0 };
	if (!contacts)
		return rbl_fail(RBL_BAD_ARGUMENT, "contacts is NULL");
	rbl_field_contact_settings usual = rbl_default_field_contact_settings();
	rbl_arena_reset(&contacts->arena);
	return rbl_find_field_contacts(a, b, settings ? settings : &usual, &contacts->arena, memory,
	                               list);
}

rbl_result rbl_field_cast_motion(rbl_field_contacts *contacts, const rbl_field_side *moving,
                                 rbl_transform to, const rbl_field_side *target, float separation,
                                 float depth, rbl_cast_hit *hit)
{
	if (!hit)
		return rbl_fail(RBL_BAD_ARGUMENT, "hit is NULL");
	*hit = (rbl_cast_hit){ .fraction = 1.0f };
	if (!contacts)
		return rbl_fail(RBL_BAD_ARGUMENT, "contacts is NULL");
	rbl_arena_reset(&contacts->arena);
	return rbl_cast_field_motion(moving, to, target, separation, depth, &contacts->arena, hit);
}
