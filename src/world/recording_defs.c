// SPDX-License-Identifier: MIT
//
// Definitions and commands as bytes.

#include "world/recording.h"

enum { OF_COLLIDER, OF_CONVEX, OF_COMPOUND, OF_ASSET };

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_body_def) == 168,
               "a new field of body definitions: is it recorded?");
_Static_assert(sizeof(rbl_joint_def) == 128, "a new field of joint definitions: is it recorded?");
_Static_assert(sizeof(rbl_command) == 144, "a new field of commands: is it recorded?");

void rbl_put_body_def(rbl_blob_writer *w, const rbl_body_def *d, int32_t collider, int32_t rule)
{
	rbl_blob_put32(w, (uint32_t)d->kind);
	rbl_blob_put_words(w, &d->pose, 7);
	rbl_blob_put_words(w, &d->velocity, 3);
	rbl_blob_put_words(w, &d->angular_velocity, 3);
	rbl_blob_put_words(w, &d->material, 3);
	rbl_blob_put_words(w, &d->filter, 3);
	const float numbers[] = { d->linear_damping, d->angular_damping, d->gravity_scale };
	rbl_blob_put_words(w, numbers, 3);
	rbl_blob_put32(w, (d->is_sensor ? 1u : 0u) | (d->can_sleep ? 2u : 0u) |
	                      (d->is_awake ? 4u : 0u) | (d->is_enabled ? 8u : 0u) |
	                      (d->is_bullet ? 16u : 0u));
	rbl_blob_put64(w, d->user);
	rbl_blob_put32(w, (uint32_t)rule);
	rbl_blob_put_bool(w, d->mass != NULL);
	if (d->mass)
		rbl_blob_put_longs(w, d->mass, sizeof *d->mass / 8);
	rbl_blob_put32(w, d->collider   ? OF_COLLIDER
	                  : d->convex   ? OF_CONVEX
	                  : d->compound ? OF_COMPOUND
	                                : OF_ASSET);
	if (d->collider)
		rbl_blob_put32(w, (uint32_t)collider);
	else if (d->convex)
		rbl_put_convex(w, d->convex);
	else if (d->compound)
		rbl_compound_save(d->compound, w);
	else
		rbl_blob_put64(w, rbl_asset_get_report(d->asset).key);
}

static void get_shape(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_read_def *read)
{
	int shape = rbl_blob_get_int(r, OF_COLLIDER, OF_ASSET);
	rbl_arena_reset(&r->scratch);
	if (r->is_bad)
		return;
	if (shape == OF_COLLIDER) {
		read->collider = rbl_blob_get_int(r, 0, INT32_MAX);
	} else if (shape == OF_CONVEX) {
		rbl_result result = rbl_get_convex(r, allocator, &read->convex);
		r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
		rbl_blob_expect(r, result == RBL_OK || result == RBL_OUT_OF_MEMORY, "a convex is none");
		read->def.convex = read->convex;
	} else if (shape == OF_COMPOUND) {
		rbl_compound_load(r, allocator, &read->compound);
		read->def.compound = read->compound;
	} else {
		read->asset = rbl_blob_get64(r);
	}
}

bool rbl_get_body_def(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_read_def *read)
{
	*read = (rbl_read_def){ .def = rbl_default_body_def(), .collider = -1, .rule = -1 };
	rbl_body_def *d = &read->def;
	d->kind = (rbl_body_kind)rbl_blob_get_int(r, 0, RBL_BODY_KIND_COUNT - 1);
	rbl_blob_get_words(r, &d->pose, 7);
	rbl_blob_get_words(r, &d->velocity, 3);
	rbl_blob_get_words(r, &d->angular_velocity, 3);
	rbl_blob_get_words(r, &d->material, 3);
	rbl_blob_get_words(r, &d->filter, 3);
	d->linear_damping = rbl_blob_get_float(r);
	d->angular_damping = rbl_blob_get_float(r);
	d->gravity_scale = rbl_blob_get_float(r);
	uint32_t flags = rbl_blob_get32(r);
	d->is_sensor = flags & 1, d->can_sleep = flags & 2, d->is_awake = flags & 4;
	d->is_enabled = flags & 8, d->is_bullet = flags & 16;
	d->user = rbl_blob_get64(r);
	read->rule = rbl_blob_get_int(r, -1, INT32_MAX);
	if (rbl_blob_get_bool(r)) {
		rbl_blob_get_longs(r, &read->mass, sizeof read->mass / 8);
		d->mass = &read->mass;
	}
	get_shape(r, allocator, read);
	return !r->is_bad && !r->out_of_memory;
}

void rbl_put_joint_def(rbl_blob_writer *w, const rbl_joint_def *d)
{
	rbl_blob_put32(w, (uint32_t)d->kind);
	rbl_blob_put_words(w, &d->body_a, 2);
	rbl_blob_put_words(w, &d->body_b, 2);
	rbl_blob_put_words(w, &d->frame_a, 7);
	rbl_blob_put_words(w, &d->frame_b, 7);
	const float numbers[] = { d->lower_angle,  d->upper_angle, d->motor_speed,
		                      d->motor_torque, d->break_force, d->break_torque };
	rbl_blob_put_words(w, numbers, 6);
	rbl_blob_put32(w,
	               (d->has_limits ? 1u : 0u) | (d->has_motor ? 2u : 0u) | (d->collides ? 4u : 0u));
	rbl_blob_put64(w, d->user);
}

bool rbl_get_joint_def(rbl_blob_reader *r, rbl_joint_def *d)
{
	*d = rbl_default_joint_def((rbl_joint_kind)rbl_blob_get_int(r, 0, RBL_JOINT_KIND_COUNT - 1));
	rbl_blob_get_words(r, &d->body_a, 2);
	rbl_blob_get_words(r, &d->body_b, 2);
	rbl_blob_get_words(r, &d->frame_a, 7);
	rbl_blob_get_words(r, &d->frame_b, 7);
	float n[6];
	rbl_blob_get_words(r, n, 6);
	d->lower_angle = n[0], d->upper_angle = n[1], d->motor_speed = n[2];
	d->motor_torque = n[3], d->break_force = n[4], d->break_torque = n[5];
	uint32_t flags = rbl_blob_get32(r);
	d->has_limits = flags & 1, d->has_motor = flags & 2, d->collides = flags & 4;
	d->user = rbl_blob_get64(r);
	return !r->is_bad;
}

void rbl_put_command(rbl_blob_writer *w, const rbl_command *c)
{
	rbl_blob_put32(w, (uint32_t)c->kind);
	rbl_blob_put_words(w, &c->body, 2);
	rbl_blob_put_words(w, &c->joint, 2);
	rbl_blob_put_words(w, &c->a, 3);
	rbl_blob_put_words(w, &c->b, 3);
	rbl_blob_put_words(w, &c->pose, 7);
	rbl_blob_put_words(w, &c->filter, 3);
	rbl_blob_put_words(w, &c->material, 3);
	rbl_blob_put_float(w, c->x);
	rbl_blob_put_float(w, c->y);
	rbl_blob_put64(w, c->number);
}

bool rbl_get_command(rbl_blob_reader *r, rbl_command *c)
{
	*c = (rbl_command){ .kind = rbl_blob_get_int(r, 0, RBL_COMMAND_KINDS - 1) };
	rbl_blob_get_words(r, &c->body, 2);
	rbl_blob_get_words(r, &c->joint, 2);
	rbl_blob_get_words(r, &c->a, 3);
	rbl_blob_get_words(r, &c->b, 3);
	rbl_blob_get_words(r, &c->pose, 7);
	rbl_blob_get_words(r, &c->filter, 3);
	rbl_blob_get_words(r, &c->material, 3);
	c->x = rbl_blob_get_float(r);
	c->y = rbl_blob_get_float(r);
	c->number = rbl_blob_get64(r);
	return !r->is_bad;
}

static rbl_result set_by_number(rbl_world *world, const rbl_command *c)
{
	bool is_on = c->number != 0;
	switch (c->kind) {
	case RBL_COMMAND_SET_KIND:
		return c->number < RBL_BODY_KIND_COUNT
		           ? rbl_body_set_kind(world, c->body, (rbl_body_kind)c->number)
		           : RBL_BAD_ARGUMENT;
	case RBL_COMMAND_SET_AWAKE:
		return rbl_body_set_awake(world, c->body, is_on);
	case RBL_COMMAND_SET_CAN_SLEEP:
		return rbl_body_set_can_sleep(world, c->body, is_on);
	case RBL_COMMAND_SET_ENABLED:
		return rbl_body_set_enabled(world, c->body, is_on);
	case RBL_COMMAND_SET_USER:
		return rbl_body_set_user(world, c->body, c->number);
	default:
		return RBL_BAD_ARGUMENT;
	}
}

rbl_result rbl_play_command(rbl_world *world, const rbl_command *c)
{
	switch (c->kind) {
	case RBL_COMMAND_DESTROY_BODY:
		return rbl_destroy_body(world, c->body);
	case RBL_COMMAND_DESTROY_JOINT:
		return rbl_destroy_joint(world, c->joint);
	case RBL_COMMAND_SET_POSE:
		return rbl_body_set_pose(world, c->body, c->pose);
	case RBL_COMMAND_SET_VELOCITY:
		return rbl_body_set_velocity(world, c->body, c->a, c->b);
	case RBL_COMMAND_SET_TARGET:
		return rbl_body_set_target(world, c->body, c->pose, c->x);
	case RBL_COMMAND_ADD_FORCE:
		return rbl_body_add_force(world, c->body, c->a, c->b);
	case RBL_COMMAND_ADD_TORQUE:
		return rbl_body_add_torque(world, c->body, c->a);
	case RBL_COMMAND_ADD_IMPULSE:
		return rbl_body_add_impulse(world, c->body, c->a, c->b);
	case RBL_COMMAND_ADD_ANGULAR_IMPULSE:
		return rbl_body_add_angular_impulse(world, c->body, c->a);
	case RBL_COMMAND_DAMAGE:
		return rbl_body_damage(world, c->body, c->a, c->b, c->x, c->y);
	case RBL_COMMAND_SET_MATERIAL:
		return rbl_body_set_material(world, c->body, c->material);
	case RBL_COMMAND_SET_FILTER:
		return rbl_body_set_filter(world, c->body, c->filter);
	case RBL_COMMAND_SET_DAMPING:
		return rbl_body_set_damping(world, c->body, c->x, c->y);
	case RBL_COMMAND_SET_GRAVITY_SCALE:
		return rbl_body_set_gravity_scale(world, c->body, c->x);
	default:
		return set_by_number(world, c);
	}
}
