// SPDX-License-Identifier: MIT
//
// What field bodies collide by: a distance field, points of the surface in a sphere tree, and a
// mesh collider, all in the coordinates of the body's shape.

#include "world/world.h"

#include "base/log.h"
#include "world/mass.h"

#include <float.h>

bool rbl_body_def_wants_field(const rbl_body_def *def)
{
	return def->contact_method == RBL_CONTACTS_FIELD;
}

rbl_result rbl_check_contact_method(const rbl_body_def *def)
{
	if ((int)def->contact_method < 0 || def->contact_method >= RBL_CONTACT_METHOD_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "contact_method is %d", (int)def->contact_method);
	bool is_mesh = def->collider && rbl_collider_kind_of(def->collider) == RBL_COLLIDER_MESH;
	if (def->mesh && def->contact_method == RBL_CONTACTS_CONVEX)
		return rbl_fail(RBL_BAD_ARGUMENT, "a mesh is no convex: its contact_method must be "
		                                  "RBL_CONTACTS_FIELD or RBL_CONTACTS_AUTOMATIC");
	if (def->contact_method == RBL_CONTACTS_FIELD && !def->mesh && !(is_mesh && def->field_shape))
		return rbl_fail(RBL_BAD_ARGUMENT, "contacts by a field need a mesh, or a mesh collider and "
		                                  "a field_shape");
	if (!def->field_shape)
		return RBL_OK;
	if (def->contact_method != RBL_CONTACTS_FIELD)
		return rbl_fail(RBL_BAD_ARGUMENT, "a field_shape is read with RBL_CONTACTS_FIELD only");
	if (!def->field_shape->field)
		return rbl_fail(RBL_BAD_ARGUMENT, "the field_shape of a body has no field");
	return RBL_OK;
}

// --- made for a body ----------------------------------------------------------------------------

static rbl_result make_mesh_collider(const rbl_world *world, const rbl_mesh *mesh,
                                     rbl_collider **collider)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	def.mesh = mesh;
	def.allocator = world->allocator;
	return rbl_create_collider(&def, collider);
}

// A field whose cells are at most half as wide as the walls of the mesh, and its points.
static rbl_result make_mesh_field(const rbl_world *world, const rbl_mesh *mesh,
                                  const rbl_collider *collider, rbl_part_field *field)
{
	rbl_distance_field_def def = rbl_default_distance_field_def();
	double volume = rbl_mesh_get_mass(mesh).volume;
	def.mesh = mesh;
	def.wall = 2.0 * (double)rbl_mesh_collider_inner_radius(collider, rbl_maxd(0.0, volume));
	def.jobs = world->def.jobs;
	def.allocator = world->allocator;
	rbl_result result = rbl_create_distance_field(&def, &field->own_field);
	if (result != RBL_OK)
		return result;
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.field = field->own_field;
	shape_def.mesh = mesh;
	shape_def.allocator = world->allocator;
	result = rbl_create_field_shape(&shape_def, &field->own_shape);
	field->shape = field->own_shape;
	return result;
}

rbl_result rbl_make_part_field(const rbl_world *world, const rbl_body_def *def,
                               rbl_collider **owned, rbl_part_field **field)
{
	*owned = NULL;
	*field = NULL;
	rbl_part_field *made = RBL_NEW_ZERO(&world->allocator, rbl_part_field, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	if (def->mesh)
		result = make_mesh_collider(world, def->mesh, owned);
	made->shape = def->field_shape;
	if (result == RBL_OK && !made->shape)
		result = make_mesh_field(world, def->mesh, *owned, made);
	if (result == RBL_OK) {
		*field = made;
		return RBL_OK;
	}
	rbl_destroy_part_field(&world->allocator, made);
	rbl_destroy_collider(*owned);
	*owned = NULL;
	return result;
}

void rbl_destroy_part_field(const rbl_allocator *allocator, rbl_part_field *field)
{
	if (!field)
		return;
	rbl_destroy_field_shape(field->own_shape);
	rbl_destroy_distance_field(field->own_field);
	RBL_FREE(allocator, field, 1);
}

// --- questions ----------------------------------------------------------------------------------

int rbl_world_child_at(const rbl_world *world, int part, rbl_vec3 point)
{
	int body = world->hot_parts[part].body;
	rbl_body_id id = rbl_world_body_id(world, body);
	const rbl_compound *compound =
		world->parts[part].field ? rbl_body_get_compound(world, id) : NULL;
	if (!compound)
		return world->parts[part].child;
	double distance = DBL_MAX;
	rbl_vec3 local = rbl_transform_point_inverse(rbl_body_pose(world, id), point);
	int nearest = rbl_world_nearest_part(compound, rbl_to_d(local), &distance);
	return nearest == RBL_NONE ? world->parts[part].child : nearest;
}

bool rbl_world_field_contains(const rbl_world *world, int part, rbl_vec3 point)
{
	rbl_vec3 local = rbl_transform_point_inverse(rbl_world_part_pose(world, part), point);
	bool is_inside = false;
	rbl_distance_field_contains(world->parts[part].field->shape->field, &local, 1, &is_inside);
	return is_inside;
}
