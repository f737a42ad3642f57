// SPDX-License-Identifier: MIT
//
// Definitions and commands as bytes.

#include "world/recording.h"

#include "base/fields.h"

enum { OF_COLLIDER, OF_CONVEX, OF_COMPOUND, OF_ASSET, OF_MESH };

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_body_def) == 232,
               "a new field of body definitions: is it recorded?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_joint_def) == 168,
               "a new field of joint definitions: is it recorded?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_command) == 424,
               "a new field of commands: is it recorded?");

// Numbers are not checked here, but by the calls that are made with them.
static const rbl_field body_def_fields[] = {
	RBL_FIELD_INT(rbl_body_def, kind, 0, RBL_BODY_KIND_COUNT - 1),
	RBL_FIELD_BITS(rbl_body_def, pose),
	RBL_FIELD_BITS(rbl_body_def, velocity),
	RBL_FIELD_BITS(rbl_body_def, angular_velocity),
	RBL_FIELD_BITS(rbl_body_def, material.friction),
	RBL_FIELD_BITS(rbl_body_def, material.restitution),
	RBL_FIELD_BITS(rbl_body_def, material.density),
	RBL_FIELD_BITS(rbl_body_def, material.rolling_resistance),
	RBL_FIELD_BITS(rbl_body_def, material.spinning_resistance),
	RBL_FIELD_BITS(rbl_body_def, material.surface_velocity),
	RBL_FIELD_LONGS(rbl_body_def, material.user),
	RBL_FIELD_BITS(rbl_body_def, filter),
	RBL_FIELD_BITS(rbl_body_def, linear_damping),
	RBL_FIELD_BITS(rbl_body_def, angular_damping),
	RBL_FIELD_BITS(rbl_body_def, gravity_scale),
	RBL_FIELD_BITS(rbl_body_def, locks),
	RBL_FIELD_INT(rbl_body_def, contact_method, 0, RBL_CONTACT_METHOD_COUNT - 1),
};

static const rbl_field joint_def_fields[] = {
	RBL_FIELD_INT(rbl_joint_def, kind, 0, RBL_JOINT_KIND_COUNT - 1),
	RBL_FIELD_BITS(rbl_joint_def, body_a),
	RBL_FIELD_BITS(rbl_joint_def, body_b),
	RBL_FIELD_BITS(rbl_joint_def, frame_a),
	RBL_FIELD_BITS(rbl_joint_def, frame_b),
	RBL_FIELD_BITS(rbl_joint_def, lower_angle),
	RBL_FIELD_BITS(rbl_joint_def, upper_angle),
	RBL_FIELD_BITS(rbl_joint_def, lower_distance),
	RBL_FIELD_BITS(rbl_joint_def, upper_distance),
	RBL_FIELD_BITS(rbl_joint_def, cone_angle),
	RBL_FIELD_BITS(rbl_joint_def, motor_speed),
	RBL_FIELD_BITS(rbl_joint_def, motor_force),
	RBL_FIELD_BITS(rbl_joint_def, motor_torque),
	RBL_FIELD_BITS(rbl_joint_def, spring_hertz),
	RBL_FIELD_BITS(rbl_joint_def, spring_damping),
	RBL_FIELD_BITS(rbl_joint_def, spring_target),
	RBL_FIELD_BITS(rbl_joint_def, break_force),
	RBL_FIELD_BITS(rbl_joint_def, break_torque),
};

static const rbl_field command_fields[] = {
	RBL_FIELD_INT(rbl_command, kind, 0, RBL_COMMAND_KINDS - 1),
	RBL_FIELD_BITS(rbl_command, body),
	RBL_FIELD_BITS(rbl_command, joint),
	RBL_FIELD_BITS(rbl_command, a),
	RBL_FIELD_BITS(rbl_command, b),
	RBL_FIELD_BITS(rbl_command, pose),
	RBL_FIELD_BITS(rbl_command, filter),
	RBL_FIELD_BITS(rbl_command, material.friction),
	RBL_FIELD_BITS(rbl_command, material.restitution),
	RBL_FIELD_BITS(rbl_command, material.density),
	RBL_FIELD_BITS(rbl_command, material.rolling_resistance),
	RBL_FIELD_BITS(rbl_command, material.spinning_resistance),
	RBL_FIELD_BITS(rbl_command, material.surface_velocity),
	RBL_FIELD_LONGS(rbl_command, material.user),
	RBL_FIELD_BITS(rbl_command, x),
	RBL_FIELD_BITS(rbl_command, y),
	RBL_FIELD_LONGS(rbl_command, number),
};

static int recorded_material_number(void *user, const rbl_material *material)
{
	return (int)rbl_map_get(user, (uint64_t)(uintptr_t)material);
}

void rbl_recording_put_body_def(rbl_blob_writer *w, const rbl_body_def *d, rbl_def_numbers numbers,
                                const rbl_map *materials)
{
	rbl_blob_put_struct(w, body_def_fields, d);
	rbl_blob_put32(w, (d->is_sensor ? 1u : 0u) | (d->can_sleep ? 2u : 0u) |
	                      (d->is_awake ? 4u : 0u) | (d->is_enabled ? 8u : 0u) |
	                      (d->is_bullet ? 16u : 0u) | (d->modifies_contacts ? 32u : 0u));
	rbl_blob_put64(w, d->user);
	rbl_blob_put32(w, (uint32_t)numbers.shape);
	rbl_blob_put32(w, (uint32_t)numbers.original);
	rbl_blob_put32(w, (uint32_t)numbers.material);
	rbl_blob_put_bool(w, d->mass != NULL);
	if (d->mass)
		rbl_blob_put_longs(w, d->mass, sizeof *d->mass / 8);
	rbl_blob_put32(w, d->collider   ? OF_COLLIDER
	                  : d->convex   ? OF_CONVEX
	                  : d->compound ? OF_COMPOUND
	                  : d->mesh     ? OF_MESH
	                                : OF_ASSET);
	if (d->collider)
		rbl_blob_put32(w, (uint32_t)numbers.collider);
	else if (d->mesh)
		rbl_put_mesh(w, d->mesh);
	else if (d->convex)
		rbl_put_convex(w, d->convex);
	else if (d->compound)
		rbl_compound_save(d->compound, recorded_material_number, (void *)(uintptr_t)materials, w);
	else
		rbl_blob_put64(w, rbl_asset_get_report(d->asset).key);
}

static void get_shape(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_material_finder *find,
                      void *user, rbl_recorded_body_def *read)
{
	int shape = rbl_blob_get_int(r, OF_COLLIDER, OF_MESH);
	rbl_arena_reset(&r->scratch);
	if (r->is_bad)
		return;
	if (shape == OF_COLLIDER) {
		read->numbers.collider = rbl_blob_get_int(r, 0, INT32_MAX);
	} else if (shape == OF_MESH) {
		rbl_result result = rbl_get_mesh(r, allocator, &read->mesh);
		r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
		rbl_blob_expect(r, read->mesh || result == RBL_OUT_OF_MEMORY, "a mesh is not valid");
		read->def.mesh = read->mesh;
	} else if (shape == OF_CONVEX) {
		rbl_result result = rbl_get_convex(r, allocator, &read->convex);
		r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
		rbl_blob_expect(r, result == RBL_OK || result == RBL_OUT_OF_MEMORY,
		                "a convex is not valid");
		read->def.convex = read->convex;
	} else if (shape == OF_COMPOUND) {
		rbl_compound_load(r, allocator, find, user, &read->compound);
		read->def.compound = read->compound;
	} else {
		read->asset = rbl_blob_get64(r);
	}
}

bool rbl_recording_get_body_def(rbl_blob_reader *r, const rbl_allocator *allocator,
                                rbl_material_finder *find, void *user, rbl_recorded_body_def *read)
{
	*read = (rbl_recorded_body_def){ .def = rbl_default_body_def(), .numbers = { -1, -1, -1, -1 } };
	rbl_body_def *d = &read->def;
	rbl_blob_get_struct(r, body_def_fields, d);
	uint32_t flags = rbl_blob_get32(r);
	d->is_sensor = flags & 1, d->can_sleep = flags & 2, d->is_awake = flags & 4;
	d->is_enabled = flags & 8, d->is_bullet = flags & 16;
	d->modifies_contacts = flags & 32;
	d->user = rbl_blob_get64(r);
	read->numbers.shape = rbl_blob_get_int(r, -1, INT32_MAX);
	read->numbers.original = rbl_blob_get_int(r, -1, INT32_MAX);
	read->numbers.material = rbl_blob_get_int(r, -1, INT32_MAX);
	if (rbl_blob_get_bool(r)) {
		rbl_blob_get_longs(r, &read->mass, sizeof read->mass / 8);
		d->mass = &read->mass;
	}
	get_shape(r, allocator, find, user, read);
	return !r->is_bad && !r->out_of_memory;
}

void rbl_recording_put_joint_def(rbl_blob_writer *w, const rbl_joint_def *d)
{
	rbl_blob_put_struct(w, joint_def_fields, d);
	rbl_blob_put32(w, (d->has_limits ? 1u : 0u) | (d->has_motor ? 2u : 0u) |
	                      (d->collides ? 4u : 0u) | (d->has_cone ? 8u : 0u) |
	                      (d->has_spring ? 16u : 0u));
	rbl_blob_put64(w, d->user);
}

bool rbl_recording_get_joint_def(rbl_blob_reader *r, rbl_joint_def *d)
{
	*d = rbl_default_joint_def(RBL_JOINT_WELD);
	rbl_blob_get_struct(r, joint_def_fields, d);
	uint32_t flags = rbl_blob_get32(r);
	d->has_limits = flags & 1, d->has_motor = flags & 2, d->collides = flags & 4;
	d->has_cone = flags & 8, d->has_spring = flags & 16;
	d->user = rbl_blob_get64(r);
	return !r->is_bad;
}

static const rbl_field change_fields[] = {
	RBL_FIELD_FLOATS(rbl_contact_change, friction),
	RBL_FIELD_FLOATS(rbl_contact_change, restitution),
	RBL_FIELD_FLOATS(rbl_contact_change, surface_velocity),
	RBL_FIELD_BOOL(rbl_contact_change, is_enabled),
};

void rbl_recording_put_change(rbl_blob_writer *w, const rbl_contact_change *change)
{
	rbl_manifold_save(&change->manifold, w);
	rbl_blob_put_struct(w, change_fields, change);
}

bool rbl_recording_get_change(rbl_blob_reader *r, rbl_contact_change *change)
{
	return rbl_manifold_load(r, &change->manifold) && rbl_blob_get_struct(r, change_fields, change);
}

_Static_assert(sizeof(rbl_explosion) == 36, "a new field of explosions: is it recorded?");
_Static_assert(sizeof(rbl_damage_def) == 56, "a new field of damage: is it recorded?");

static const rbl_field explosion_fields[] = {
	RBL_FIELD_BITS(rbl_explosion, position),    RBL_FIELD_BITS(rbl_explosion, radius),
	RBL_FIELD_BITS(rbl_explosion, falloff),     RBL_FIELD_BITS(rbl_explosion, impulse_per_area),
	RBL_FIELD_BITS(rbl_explosion, mask),        RBL_FIELD_BITS(rbl_explosion, energy),
	RBL_FIELD_BOOL(rbl_explosion, is_occluded),
};

static const rbl_field damage_def_fields[] = {
	RBL_FIELD_INT(rbl_damage_def, shape, 0, RBL_DAMAGE_SHAPE_COUNT - 1),
	RBL_FIELD_BITS(rbl_damage_def, position),
	RBL_FIELD_BITS(rbl_damage_def, translation),
	RBL_FIELD_BITS(rbl_damage_def, radius),
	RBL_FIELD_BITS(rbl_damage_def, falloff),
	RBL_FIELD_BITS(rbl_damage_def, energy),
	RBL_FIELD_BITS(rbl_damage_def, impulse),
	RBL_FIELD_BITS(rbl_damage_def, mask),
	RBL_FIELD_BOOL(rbl_damage_def, is_occluded),
};

void rbl_recording_put_explosion(rbl_blob_writer *w, const rbl_explosion *explosion)
{
	rbl_blob_put_struct(w, explosion_fields, explosion);
}

bool rbl_recording_get_explosion(rbl_blob_reader *r, rbl_explosion *explosion)
{
	*explosion = rbl_default_explosion();
	return rbl_blob_get_struct(r, explosion_fields, explosion);
}

void rbl_recording_put_damage(rbl_blob_writer *w, const rbl_damage_def *def)
{
	rbl_blob_put_struct(w, damage_def_fields, def);
}

bool rbl_recording_get_damage(rbl_blob_reader *r, rbl_damage_def *def)
{
	*def = rbl_default_damage_def();
	return rbl_blob_get_struct(r, damage_def_fields, def);
}

void rbl_recording_put_command(rbl_blob_writer *w, const rbl_command *c)
{
	rbl_blob_put_struct(w, command_fields, c);
}

bool rbl_recording_get_command(rbl_blob_reader *r, rbl_command *c)
{
	*c = (rbl_command){ .kind = 0 };
	return rbl_blob_get_struct(r, command_fields, c);
}
