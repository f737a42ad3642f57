// SPDX-License-Identifier: MIT
// A storm of calls, sensible and not, on a world in which everything can happen. What is called
// follows from a seed and from what the world answers: two storms with one seed make the same calls
// as long as their worlds are alike.
#pragma once

#include "../test.h"
#include "scene.h"

#include <float.h>

enum { STORM_MOST = 120, STORM_SWARM = 250, STORM_ALL = 4000, STORM_KEPT = 256 };

typedef struct storm storm;

/// Called instead of rbl_world_step().
typedef rbl_result storm_step_function(test *t, storm *m, float dt);

struct storm {
	scene s;
	rbl_world_def def;
	rbl_random random;
	int most; // bodies; then they are thinned out
	rbl_collider *mesh, *field, *shard, *ring, *mixed;
	rbl_collider *cylinder, *cone, *rounded, *plane;
	rbl_material *materials[4];     // shared ones; the last breaks by the rule of the level
	rbl_distance_field *ring_field; // a ring, as bodies share it
	rbl_field_shape *ring_shape;
	rbl_pattern *pattern;
	rbl_mesh *block;
	rbl_asset *asset;
	rbl_damage_level level;
	rbl_material *breaking;         // by the rule of the level
	rbl_body_id bodies[STORM_KEPT]; // live, dead and null alike
	rbl_joint_id joints[STORM_KEPT];
	int refused, done, steps, broken, bent, merged, released, stopped, frozen, snapped;
	storm_step_function *step; // NULL: the world's own
	void *user;                // of that
	bool is_in_step;           // in a callback
	bool shares_before_steps;  // callbacks give bodies no shapes of the caller
};

static inline uint32_t storm_pick(storm *m, uint32_t count)
{
	return rbl_random_below(&m->random, count);
}

// A number that is often reasonable, sometimes not.
static inline float storm_number(storm *m, float size)
{
	switch (storm_pick(m, 60)) {
	case 0:
		return NAN;
	case 1:
		return INFINITY;
	case 2:
		return -FLT_MAX;
	case 3:
		return 1e6f;
	case 4:
		return 0.0f;
	case 5:
		return 1e-30f;
	default:
		return size * (2.0f * rbl_random_float(&m->random) - 1.0f);
	}
}

static inline rbl_vec3 storm_place(storm *m, float size)
{
	rbl_vec3 p;
	p.x = storm_number(m, size), p.y = storm_number(m, size), p.z = storm_number(m, size);
	return p;
}

static inline rbl_transform storm_pose(storm *m)
{
	rbl_transform t = { .position = storm_place(m, 3.0f) };
	rbl_vec3d a = rbl_random_in_ball(&m->random);
	rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ a.x, a.y, a.z, 0.3 });
	t.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
	if (storm_pick(m, 50) == 0)
		t.rotation.w = storm_number(m, 2.0f);
	return t;
}

static inline rbl_body_id storm_any_body(storm *m)
{
	return storm_pick(m, 40) == 0 ? (rbl_body_id){ storm_pick(m, 1000), storm_pick(m, 5) }
	                              : m->bodies[storm_pick(m, STORM_KEPT)];
}

static inline rbl_body_def storm_body_def(storm *m)
{
	rbl_body_def def = rbl_default_body_def();
	bool breaks = false;
	const rbl_collider *shapes[] = { m->s.box,
		                             m->s.ball,
		                             m->s.capsule,
		                             m->shard,
		                             storm_pick(m, 2) ? m->mesh : m->field,
		                             m->s.hulls[storm_pick(m, SCENE_SHAPES)],
		                             m->cylinder,
		                             m->cone,
		                             m->rounded };
	def.collider = storm_pick(m, 100) == 0 ? m->plane : shapes[storm_pick(m, 9)];
	if (storm_pick(m, 12) == 0) {
		def.collider = NULL;
		def.asset = m->asset;
		breaks = true;
		def.contact_method = (rbl_contact_method)storm_pick(m, RBL_CONTACT_METHOD_COUNT);
	} else if (storm_pick(m, 12) == 0) {
		def.collider = m->ring;
		def.field_shape = m->ring_shape;
		def.contact_method = RBL_CONTACTS_FIELD;
	} else if (storm_pick(m, 40) == 0) { // mostly refused
		def.contact_method = (rbl_contact_method)storm_pick(m, RBL_CONTACT_METHOD_COUNT + 1);
	}
	if (storm_pick(m, 10) == 0 && def.collider && !def.field_shape)
		def.collider = m->mixed;
	if (storm_pick(m, 4) == 0)
		def.shared_material = m->materials[storm_pick(m, 3)];
	if (breaks)
		def.shared_material = m->materials[3];
	// Sweeps of rings that spin all the time would take most of the time.
	bool may_spin = def.contact_method == RBL_CONTACTS_CONVEX;
	if (storm_pick(m, 8) == 0 && may_spin)
		def.locks = storm_pick(m, 68);
	if (storm_pick(m, 10) == 0 && may_spin)
		def.material.surface_velocity = storm_place(m, 1.0f);
	def.modifies_contacts = storm_pick(m, 6) == 0 && may_spin;
	def.kind = (rbl_body_kind)(storm_pick(m, 4) == 0 ? storm_pick(m, 3) : RBL_BODY_DYNAMIC);
	def.pose = storm_pose(m);
	def.velocity = storm_place(m, storm_pick(m, 4) ? 5.0f : 80.0f);
	def.angular_velocity = storm_place(m, 5.0f);
	def.is_sensor = storm_pick(m, 10) == 0;
	def.is_enabled = storm_pick(m, 10) != 0;
	def.is_awake = storm_pick(m, 10) != 0;
	def.is_bullet = storm_pick(m, 4) == 0;
	def.filter.group = (int32_t)storm_pick(m, 5) - 2;
	def.material.restitution = 0.3f * (float)storm_pick(m, 4);
	if (storm_pick(m, 30) == 0)
		def.material.density = storm_number(m, 1000.0f);
	return def;
}

static inline void storm_note(storm *m, rbl_result result)
{
	if (result == RBL_OK)
		m->done++;
	else
		m->refused++;
}

// Fewer, when breaking has made many.
static inline void storm_thin_out(storm *m)
{
	static rbl_body_id all[STORM_ALL];
	int count = rbl_world_get_bodies(m->s.world, all, STORM_ALL);
	for (int i = 0; count >= m->most && i < count; ++i)
		if (storm_pick(m, 3) != 0)
			storm_note(m, rbl_destroy_body(m->s.world, all[i]));
}

// Something that stands on one of its parts, broken before or not.
static inline void storm_create_building(storm *m)
{
	rbl_body_def def = storm_body_def(m);
	def.collider = NULL, def.asset = NULL, def.field_shape = NULL;
	def.shared_material = m->materials[3];
	def.contact_method = (rbl_contact_method)storm_pick(m, RBL_CONTACT_METHOD_COUNT);
	def.original_field = rbl_asset_get_field(m->asset);
	if (rbl_asset_create_compound(m->asset, NULL, &def.compound) != RBL_OK)
		return;
	rbl_break_def break_def = rbl_default_break_def();
	break_def.pattern = m->pattern;
	break_def.radius = 0.4 + 0.4 * rbl_random_double(&m->random);
	rbl_break *broken = NULL;
	if (storm_pick(m, 2) && rbl_compound_break(def.compound, &break_def, &broken) == RBL_OK)
		rbl_destroy_break(broken);
	rbl_compound_info info = rbl_compound_get_info(def.compound);
	if (info.part_end > 0)
		rbl_compound_set_anchored(def.compound, (int)storm_pick(m, (uint32_t)info.part_end), true);
	rbl_body_id body = rbl_create_body(m->s.world, &def);
	if (rbl_body_id_is_null(body))
		rbl_destroy_compound(def.compound);
	else
		m->bodies[storm_pick(m, STORM_KEPT)] = body;
}

static inline void storm_create(storm *m)
{
	storm_thin_out(m);
	if (storm_pick(m, 12) == 0) {
		storm_create_building(m);
		return;
	}
	if (storm_pick(m, 4) != 0) {
		rbl_body_def def = storm_body_def(m);
		m->bodies[storm_pick(m, STORM_KEPT)] = rbl_create_body(m->s.world, &def);
		return;
	}
	rbl_body_def defs[5];
	rbl_body_id made[5];
	int count = (int)storm_pick(m, 6);
	for (int i = 0; i < count; ++i)
		defs[i] = storm_body_def(m);
	rbl_result result = storm_pick(m, 2)
	                        ? rbl_create_bodies(m->s.world, defs, count, made)
	                        : rbl_replace_body(m->s.world, storm_any_body(m), defs, count, made);
	storm_note(m, result);
	for (int i = 0; result == RBL_OK && i < count; ++i)
		m->bodies[storm_pick(m, STORM_KEPT)] = made[i];
}

// A world that was loaded may have its own material of that name.
static inline void storm_change_material(storm *m)
{
	rbl_material *all[64], *of = m->materials[storm_pick(m, 3)];
	rbl_material_values values = rbl_material_get_values(of);
	values.friction = storm_number(m, 1.0f), values.restitution = storm_number(m, 1.0f);
	values.density = storm_pick(m, 4) ? values.density : 1000.0f * fabsf(storm_number(m, 2.0f));
	values.surface_velocity = storm_place(m, 1.0f);
	storm_note(m, rbl_material_set_values(of, &values));
	int count = rbl_world_get_materials(m->s.world, all, 64);
	for (int i = 0; i < count && i < 64; ++i)
		if (all[i] != of && strcmp(rbl_material_name(all[i]), rbl_material_name(of)) == 0)
			rbl_material_set_values(all[i], &values);
}

// What bodies are made of, what shape they have, and how they may move.
static inline void storm_remake(storm *m)
{
	rbl_world *w = m->s.world;
	rbl_body_id body = storm_any_body(m);
	const rbl_collider *shapes[] = { m->s.box, m->mixed, m->s.ball, m->mesh, m->shard, NULL };
	switch (storm_pick(m, 6)) {
	case 0:
		if (m->is_in_step && m->shares_before_steps)
			break;
		storm_note(m, rbl_body_set_collider(w, body, shapes[storm_pick(m, 6)]));
		break;
	case 1:
		storm_note(m, rbl_body_set_shared_material(w, body, m->materials[storm_pick(m, 3)]));
		break;
	case 2:
		storm_note(m, rbl_body_set_locks(w, body, storm_pick(m, 2) ? storm_pick(m, 66) : 0));
		break;
	case 3:
		storm_note(m, rbl_body_set_modifies_contacts(w, body, storm_pick(m, 2)));
		break;
	case 4:
		storm_note(m, rbl_body_set_shared_material(w, body, m->materials[3]));
		break;
	default:
		if (!m->is_in_step)
			storm_change_material(m);
		break;
	}
}

static inline void storm_change(storm *m)
{
	rbl_world *w = m->s.world;
	rbl_body_id body = storm_any_body(m);
	if (storm_pick(m, 6) == 0) {
		storm_remake(m);
		return;
	}
	switch (storm_pick(m, 19)) {
	case 0:
		storm_note(m, rbl_body_set_pose(w, body, storm_pose(m)));
		break;
	case 1:
		storm_note(m,
		           rbl_body_set_velocity(w, body, storm_place(m, storm_pick(m, 3) ? 20.0f : 90.0f),
		                                 storm_place(m, 20.0f)));
		break;
	case 2:
		storm_note(m, rbl_body_set_target(w, body, storm_pose(m), storm_number(m, 0.1f)));
		break;
	case 3:
		storm_note(m, rbl_body_add_force(w, body, storm_place(m, 1000.0f), storm_place(m, 2.0f)));
		break;
	case 4:
		storm_note(m, rbl_body_add_torque(w, body, storm_place(m, 100.0f)));
		break;
	case 5:
		storm_note(m, rbl_body_add_impulse(w, body, storm_place(m, 100.0f), storm_place(m, 2.0f)));
		break;
	case 6:
		storm_note(m, rbl_body_add_angular_impulse(w, body, storm_place(m, 10.0f)));
		break;
	case 7:
		storm_note(m, rbl_body_damage(w, body, storm_place(m, 1.0f), storm_place(m, 1.0f),
		                              storm_number(m, 1.0f), storm_number(m, 2000.0f)));
		break;
	case 8:
		storm_note(m, rbl_body_set_kind(w, body, (rbl_body_kind)storm_pick(m, 4)));
		break;
	case 9:
		storm_note(
			m, rbl_body_set_material(w, body,
		                             (rbl_material_values){ .friction = storm_number(m, 1.0f),
		                                                    .restitution = storm_number(m, 1.0f),
		                                                    .density = 1.0f }));
		break;
	case 10:
		storm_note(m, rbl_body_set_filter(w, body,
		                                  (rbl_filter){ 1u << storm_pick(m, 3), storm_pick(m, 16),
		                                                (int32_t)storm_pick(m, 5) - 2 }));
		break;
	case 11:
		storm_note(m, rbl_body_set_damping(w, body, storm_number(m, 1.0f), storm_number(m, 1.0f)));
		break;
	case 12:
		storm_note(m, rbl_body_set_gravity_scale(w, body, storm_number(m, 2.0f)));
		break;
	case 13:
		storm_note(m, rbl_body_set_awake(w, body, storm_pick(m, 2)));
		break;
	case 14:
		storm_note(m, rbl_body_set_can_sleep(w, body, storm_pick(m, 2)));
		break;
	case 15:
		storm_note(m, rbl_body_set_enabled(w, body, storm_pick(m, 2)));
		break;
	case 16:
		storm_note(m, rbl_body_set_sensor(w, body, storm_pick(m, 3) == 0));
		break;
	case 17:
		storm_note(m, rbl_body_set_bullet(w, body, storm_pick(m, 2)));
		break;
	default:
		storm_note(m, rbl_destroy_body(w, body));
		break;
	}
}

static inline void storm_change_joint(storm *m, rbl_joint_id joint)
{
	rbl_world *w = m->s.world;
	float x = storm_number(m, 2.0f), y = storm_number(m, 2.0f);
	switch (storm_pick(m, 6)) {
	case 0:
		storm_note(m, rbl_joint_set_limits(w, joint, storm_pick(m, 2), -fabsf(x), fabsf(y)));
		break;
	case 1:
		storm_note(m, rbl_joint_set_cone(w, joint, storm_pick(m, 2), fabsf(x)));
		break;
	case 2:
		storm_note(m, rbl_joint_set_spring(w, joint, 5.0f * fabsf(x), fabsf(y), x));
		break;
	case 3:
		storm_note(m, rbl_joint_set_break(w, joint, 1000.0f * fabsf(x), 1000.0f * fabsf(y)));
		break;
	case 4:
		storm_note(m, rbl_joint_set_frames(w, joint, storm_pose(m), storm_pose(m)));
		break;
	default: {
		rbl_joint_id list[4];
		m->done += rbl_body_get_joints(w, storm_any_body(m), list, 4) > 0;
		rbl_joint_def def = rbl_joint_get_def(w, joint);
		def.has_limits = !def.has_limits;
		storm_note(m, rbl_joint_set_def(w, joint, &def));
		break;
	}
	}
}

static inline void storm_join(storm *m)
{
	rbl_world *w = m->s.world;
	rbl_joint_id *joint = &m->joints[storm_pick(m, STORM_KEPT)];
	switch (storm_pick(m, 8)) {
	case 0:
	case 5:
	case 6: {
		rbl_joint_def def =
			rbl_default_joint_def((rbl_joint_kind)storm_pick(m, RBL_JOINT_KIND_COUNT));
		def.body_a = storm_any_body(m), def.body_b = storm_any_body(m);
		rbl_joint_def_place(w, &def, storm_pose(m));
		def.break_force = fabsf(storm_number(m, 200.0f));
		def.has_motor = storm_pick(m, 3) == 0;
		def.motor_speed = storm_number(m, 3.0f), def.motor_torque = storm_number(m, 100.0f);
		def.has_limits = storm_pick(m, 3) == 0;
		def.lower_angle = storm_number(m, 3.0f), def.upper_angle = storm_number(m, 3.0f);
		def.lower_distance = -fabsf(storm_number(m, 0.5f));
		def.upper_distance = fabsf(storm_number(m, 2.0f));
		if (def.kind == RBL_JOINT_DISTANCE && storm_pick(m, 2))
			def.lower_distance = 0.0f;
		def.motor_force = fabsf(storm_number(m, 1000.0f));
		def.has_cone = storm_pick(m, 3) == 0, def.cone_angle = fabsf(storm_number(m, 3.0f));
		def.has_spring = storm_pick(m, 3) == 0 && def.kind != RBL_JOINT_MOTOR;
		if (def.has_spring)
			def.spring_hertz = fabsf(storm_number(m, 20.0f)), def.spring_damping = 0.5f;
		def.collides = storm_pick(m, 2);
		*joint = rbl_create_joint(w, &def);
		break;
	}
	case 1:
		storm_note(m, rbl_destroy_joint(w, *joint));
		break;
	case 2:
		storm_note(m,
		           rbl_joint_set_motor(w, *joint, storm_number(m, 3.0f), storm_number(m, 100.0f)));
		break;
	case 3:
		m->done += rbl_joint_get_state(w, *joint).body_a.generation != 0;
		break;
	default:
		storm_change_joint(m, *joint);
		break;
	}
}

static inline void storm_count_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	(void)a, (void)b, (void)color;
	++*(int *)user;
}

// There and back: what is called is about the origin.
static inline void storm_shift(storm *m)
{
	rbl_vec3 offset = { 64.0f * (float)storm_pick(m, 5), 0.0f, -64.0f };
	storm_note(m, rbl_world_shift_origin(m->s.world, offset));
	storm_note(m, rbl_world_shift_origin(m->s.world, rbl_neg(offset)));
}

static inline void storm_ask(storm *m)
{
	rbl_world *w = m->s.world;
	rbl_filter filter = { storm_pick(m, 8), storm_pick(m, 8), (int32_t)storm_pick(m, 3) - 1 };
	rbl_world_hit hits[8];
	int lines = 0;
	rbl_draw draw = { .line = storm_count_line, .user = &lines, .flags = storm_pick(m, 128) };
	draw.box = (rbl_box){ storm_place(m, 3.0f), storm_place(m, 3.0f) };
	switch (storm_pick(m, 10)) {
	case 0:
		m->done += rbl_world_cast_ray(w, storm_place(m, 5.0f), storm_place(m, 9.0f), &filter, hits);
		break;
	case 1:
		m->done +=
			rbl_world_cast_ray_all(w, storm_place(m, 5.0f), storm_place(m, 9.0f), NULL, hits, 8);
		break;
	case 2: {
		rbl_collider_cast casts[2] = {
			{ m->s.hulls[0], storm_pose(m), storm_place(m, 9.0f), &filter },
			{ m->s.capsule, storm_pose(m), storm_place(m, 9.0f), NULL },
		};
		m->done += rbl_world_cast_collider(w, casts[0].collider, casts[0].pose,
		                                   casts[0].translation, casts[0].filter, hits);
		storm_note(m, rbl_world_cast_colliders(w, casts, 2, hits));
		break;
	}
	case 3:
		m->done += rbl_world_overlap_collider(w, m->s.capsule, storm_pose(m), NULL, hits, 8);
		break;
	case 4:
		m->done += rbl_world_overlap_box(w, draw.box, &filter, hits, 8);
		break;
	case 5:
		storm_note(m, storm_pick(m, 50) ? RBL_OK : rbl_world_draw(w, &draw));
		break;
	case 6: {
		rbl_explosion blast = rbl_default_explosion();
		blast.position = storm_place(m, 3.0f), blast.radius = storm_number(m, 2.0f);
		blast.impulse_per_area = storm_number(m, 50.0f);
		storm_note(m, storm_pick(m, 20) ? RBL_OK : rbl_world_explode(w, &blast));
		break;
	}
	case 7: {
		rbl_contact contacts[4];
		m->done += rbl_body_get_contacts(w, storm_any_body(m), contacts, 4);
		break;
	}
	case 8:
		if (storm_pick(m, 100) == 0)
			storm_note(m, rbl_world_set_gravity(w, storm_place(m, 10.0f)));
		else if (storm_pick(m, 100) == 0)
			storm_note(m, rbl_world_set_can_sleep(w, storm_pick(m, 4) != 0));
		else if (storm_pick(m, 100) == 0)
			storm_shift(m);
		break;
	default:
		m->done += rbl_body_get_state(w, storm_any_body(m)).is_awake;
		break;
	}
}

// Every body stays where numbers are finite.
static inline void storm_look(test *t, storm *m)
{
	static rbl_body_id all[STORM_ALL];
	int count = rbl_world_get_bodies(m->s.world, all, STORM_ALL);
	CHECK(t, count == rbl_world_body_count(m->s.world) && count <= STORM_ALL);
	for (int i = 0; i < count; ++i) {
		rbl_body_state state = rbl_body_get_state(m->s.world, all[i]);
		CHECK(t, rbl_is_finite(state.centre) && rbl_is_finite(state.velocity) &&
		             rbl_is_finite(state.angular_velocity));
	}
}

// Asked in the middle of a step, where what changes the world must wait.
static inline bool storm_meddle(void *user, rbl_body_id a, rbl_body_id b)
{
	storm *m = user;
	(void)a, (void)b;
	m->is_in_step = true;
	if (storm_pick(m, 20) == 0)
		storm_change(m);
	if (storm_pick(m, 50) == 0)
		storm_join(m);
	if (storm_pick(m, 50) == 0 && !m->shares_before_steps) {
		rbl_body_def def = storm_body_def(m);
		m->bodies[storm_pick(m, STORM_KEPT)] = rbl_create_body(m->s.world, &def);
	}
	m->is_in_step = false;
	return storm_pick(m, 10) != 0;
}

// Contacts that are changed, sensibly and not.
static inline void storm_modify(void *user, rbl_contact_change *c)
{
	storm *m = user;
	if (storm_pick(m, 4) == 0)
		c->friction = storm_number(m, 1.0f), c->restitution = storm_number(m, 0.5f);
	if (storm_pick(m, 6) == 0)
		c->surface_velocity = storm_place(m, 2.0f);
	if (storm_pick(m, 6) == 0)
		c->manifold.normal = rbl_normalize(storm_place(m, 1.0f));
	if (storm_pick(m, 6) == 0)
		c->manifold.point_count = (int)storm_pick(m, 6);
	c->is_enabled = storm_pick(m, 5) != 0;
	storm_meddle(m, c->body_a, c->body_b);
}

static inline void storm_make_mixed(test *t, storm *m)
{
	for (int i = 0; i < 3; ++i) {
		rbl_material_def def = rbl_default_material_def();
		char name[8] = "storm_";
		name[5] = (char)('0' + i);
		def.name = name;
		def.values.friction = 0.3f * (float)i;
		CHECK(t, rbl_create_material(&def, &m->materials[i]) == RBL_OK);
	}
	rbl_transform pose = rbl_transform_identity();
	rbl_collider_child children[3] = {
		{ .collider = m->s.box, .pose = pose, .material = m->materials[0] },
		{ .collider = m->s.ball, .pose = pose, .is_sensor = true, .user = 9 },
		{ .collider = m->s.hulls[1], .pose = pose, .filter = { 2, 3, 0 } },
	};
	children[1].pose.position.x = 0.4f, children[2].pose.position.y = 0.5f;
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 3;
	rbl_collider *inner = NULL;
	CHECK(t, rbl_create_collider(&def, &inner) == RBL_OK);
	children[0].collider = inner, children[0].pose.position.z = 0.5f;
	CHECK(t, rbl_create_collider(&def, &m->mixed) == RBL_OK);
	rbl_destroy_collider(inner);
}

static inline rbl_collider *storm_make_field(const storm *m)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	float heights[8 * 8];
	for (int i = 0; i < 64; ++i)
		heights[i] = 0.05f * (float)(i * 5 % 7);
	def.heights = heights;
	def.column_count = def.row_count = 8;
	uint8_t cells[7 * 7];
	for (int i = 0; i < 49; ++i)
		cells[i] = (uint8_t)(i % 3);
	def.materials = (const rbl_material *const[]){ m->materials[1], NULL, m->materials[2] };
	def.material_count = 3;
	def.cell_materials = cells;
	rbl_collider *field = NULL;
	rbl_create_collider(&def, &field);
	return field;
}

// A crowd of fast bodies and of kinematic ones: who stops at what is decided in every step.
static inline void storm_add_swarm(storm *m)
{
	m->most = STORM_SWARM;
	for (int i = 0; i < 150; ++i) {
		bool is_large = i % 10 == 0;
		float speed = is_large ? 10.0f : 40.0f;
		rbl_body_def def = scene_body(i % 2      ? m->shard
		                              : is_large ? m->s.box
		                                         : m->s.hulls[i % 16],
		                              0.0f, 0.0f, 0.0f);
		rbl_vec3d p = rbl_random_in_ball(&m->random), v = rbl_random_in_ball(&m->random);
		rbl_vec3d angular_velocity = rbl_random_in_ball(&m->random);
		def.pose.position =
			(rbl_vec3){ 3.0f * (float)p.x, 2.7f + 2.0f * (float)p.y, 3.0f * (float)p.z };
		def.velocity = rbl_scale(speed, (rbl_vec3){ (float)v.x, (float)v.y, (float)v.z });
		def.angular_velocity =
			rbl_scale(20.0f, (rbl_vec3){ (float)angular_velocity.x, (float)angular_velocity.y,
		                                 (float)angular_velocity.z });
		def.kind = i % 20 == 0 ? RBL_BODY_KINEMATIC : RBL_BODY_DYNAMIC;
		def.is_bullet = true;
		def.material.restitution = 0.5f;
		m->bodies[storm_pick(m, STORM_KEPT)] = rbl_create_body(m->s.world, &def);
	}
}

static inline void storm_make_ring(test *t, storm *m)
{
	rbl_torus_def def = rbl_default_torus_def();
	def.radius = 0.3, def.thickness = 0.08, def.segments = 24, def.sides = 8;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_torus_mesh(&def, &mesh) == RBL_OK);
	rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	collider_def.mesh = mesh;
	CHECK(t, rbl_create_collider(&collider_def, &m->ring) == RBL_OK);
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	field_def.mesh = mesh;
	field_def.resolution = 24;
	CHECK(t, rbl_create_distance_field(&field_def, &m->ring_field) == RBL_OK);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.mesh = mesh;
	shape_def.field = m->ring_field;
	CHECK(t, rbl_create_field_shape(&shape_def, &m->ring_shape) == RBL_OK);
	rbl_destroy_mesh(mesh);
}

static inline void storm_make_round(storm *m)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	def.radius = 0.2f, def.b = (rbl_vec3){ 0.0f, 0.1f, 0.05f };
	rbl_create_collider(&def, &m->cylinder);
	def = rbl_default_collider_def(RBL_COLLIDER_CONE);
	def.radius = 0.2f, def.b = (rbl_vec3){ 0.3f, 0.4f, 0.0f };
	rbl_create_collider(&def, &m->cone);
	def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ 0.2f, 0.1f, 0.15f }, def.rounding = 0.05f;
	rbl_create_collider(&def, &m->rounded);
	def = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	def.a.y = -3.0f;
	rbl_create_collider(&def, &m->plane);
}

static inline void storm_open(test *t, storm *m, uint64_t seed, int workers)
{
	*m = (storm){ .random = rbl_random_from_seed(seed), .most = STORM_MOST };
	rbl_world_def def = scene_def(&m->s, workers);
	def.should_collide =
		seed % 3 == 0 ? NULL : storm_meddle; // without one, workers cast fast bodies
	def.user = m;
	def.detects_only = seed % 16 == 15;
	def.budget = seed % 3 == 0 ? 40 : seed % 3 == 1 ? 0 : def.budget;
	def.freeze_time = seed % 4 == 1 ? 0.1f : 0.0f;
	def.bake_time = seed % 2 == 0 ? 0.05f : 0.0f;
	def.debris_limit = seed % 5 == 2 ? 10 : 0;
	def.body_limit = seed % 7 == 3 ? 90 : 0;
	def.modify_contact = seed % 3 == 1 ? NULL : storm_modify;
	def.slide_speed = seed % 2 ? 0.3f : 0.0f;
	scene_create(&m->s, &def);
	m->def = def;
	m->mesh = scene_mesh_floor(8.0f, 4);
	storm_make_mixed(t, m);
	m->field = storm_make_field(m);
	storm_make_ring(t, m);
	m->shard = scene_box(0.12f, 0.02f, 0.08f);
	storm_make_round(m);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.cell_count = 12;
	rbl_create_pattern(&pattern_def, &m->pattern);
	m->level = (rbl_damage_level){ .energy = 500.0, .pattern = m->pattern, .radius = 0.4 };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = &m->level, rule.level_count = 1, rule.min_size = 0.3;
	rule.dust_size = seed % 2 ? 0.15 : 0.0;
	rule.bend_energy = seed % 4 == 1 ? 0.0 : 50.0;
	double strength = seed % 3 ? 1e4 : 0.0;
	rbl_material_def material_def = rbl_default_material_def();
	material_def.name = "breaking";
	material_def.damage = rule;
	material_def.strengths = (rbl_bond_strengths){ strength, 2.0 * strength, 10.0 * strength };
	CHECK(t, rbl_create_material(&material_def, &m->materials[3]) == RBL_OK);
	rbl_box_def box_def = rbl_default_box_def();
	rbl_create_box_mesh(&box_def, &m->block);
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	prepare_def.field_resolution = 32;
	CHECK(t, rbl_prepare(m->block, &prepare_def, &m->asset) == RBL_OK);
	scene_add_floor(&m->s);
	if (seed % 4 == 0)
		storm_add_swarm(m);
}

/// Where snapshots of a storm find what they name.
static inline rbl_sources storm_sources(const storm *m)
{
	rbl_sources sources = rbl_default_sources();
	sources.assets = (const rbl_asset *const *)&m->asset, sources.asset_count = 1;
	sources.patterns = (const rbl_pattern *const *)&m->pattern, sources.pattern_count = 1;
	sources.materials = (const rbl_material *const *)m->materials, sources.material_count = 4;
	return sources;
}

static inline void storm_close(storm *m)
{
	rbl_destroy_world(m->s.world);
	m->s.world = NULL;
	rbl_destroy_collider(m->mesh);
	rbl_destroy_collider(m->field);
	rbl_destroy_collider(m->ring);
	rbl_destroy_field_shape(m->ring_shape);
	rbl_destroy_distance_field(m->ring_field);
	rbl_destroy_collider(m->shard);
	rbl_destroy_collider(m->cylinder);
	rbl_destroy_collider(m->cone);
	rbl_destroy_collider(m->rounded);
	rbl_destroy_collider(m->plane);
	rbl_destroy_collider(m->mixed);
	for (int i = 0; i < 4; ++i)
		rbl_destroy_material(m->materials[i]);
	rbl_destroy_asset(m->asset);
	rbl_destroy_mesh(m->block);
	rbl_destroy_pattern(m->pattern);
	scene_destroy(&m->s);
}

static inline void storm_step(test *t, storm *m)
{
	float dt = storm_pick(m, 50) ? 1.0f / 60.0f : storm_number(m, 1.0f);
	rbl_result result = m->step ? m->step(t, m, dt) : rbl_world_step(m->s.world, dt);
	CHECK(t, result == RBL_OK || result == RBL_BAD_ARGUMENT);
	storm_thin_out(m);
	rbl_events e = rbl_world_get_events(m->s.world);
	m->broken += e.fracture_count;
	for (int i = 0; i < e.fracture_count; ++i)
		m->bent += e.fractures[i].cause == RBL_FRACTURE_BEND;
	for (int i = 0; i < e.retire_count; ++i) {
		m->merged += e.retires[i].what == RBL_RETIRED_BAKED;
		m->released += e.retires[i].what == RBL_RETIRED_RELEASED;
		m->frozen += e.retires[i].what == RBL_RETIRED_FROZEN;
	}
	m->snapped += e.joint_count;
	m->stopped += rbl_world_get_stats(m->s.world).cast_count;
	if (++m->steps % 16 == 0)
		storm_look(t, m);
}

// A lull: everything falls down and sleeps, so that debris can be merged.
static inline void storm_calm(test *t, storm *m)
{
	static rbl_body_id all[STORM_ALL];
	rbl_world_set_gravity(m->s.world, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
	scene_add_floor(&m->s); // the last one is likely to be gone
	for (int i = 0; i < 24; ++i)
		storm_step(t, m);
	int count = rbl_world_get_bodies(m->s.world, all, STORM_ALL);
	for (int i = 0; i < count; ++i)
		storm_note(m, rbl_body_set_awake(m->s.world, all[i], false));
	for (int i = 0; i < 12; ++i)
		storm_step(t, m);
	// What holds debris is as likely to be meddled with as anything else.
	count = rbl_world_get_bodies(m->s.world, all, STORM_ALL);
	for (int i = 0; i < count; ++i)
		if (rbl_body_get_baked(m->s.world, all[i], NULL, 0) > 0)
			for (int k = 0; k < 10; ++k)
				m->bodies[storm_pick(m, STORM_KEPT)] = all[i];
}

static inline void storm_blow(test *t, storm *m, int calls)
{
	for (int i = 0; i < calls; ++i) {
		uint32_t what = storm_pick(m, 100);
		if (what < 10)
			storm_create(m);
		else if (what < 50)
			storm_change(m);
		else if (what < 60)
			storm_join(m);
		else if (what < 98)
			storm_ask(m);
		else if (storm_pick(m, 60) != 0)
			storm_step(t, m);
		else
			storm_calm(t, m);
	}
}

/// What happened in several storms.
typedef struct storm_totals {
	long long steps, done, refused, stopped, broken, bent, merged, released, frozen, snapped;
} storm_totals;

static inline void storm_add_totals(storm_totals *all, const storm *m)
{
	all->steps += m->steps, all->done += m->done, all->refused += m->refused;
	all->stopped += m->stopped, all->broken += m->broken, all->bent += m->bent;
	all->merged += m->merged, all->released += m->released;
	all->frozen += m->frozen, all->snapped += m->snapped;
}

static inline void storm_print_totals(const storm_totals *all)
{
	printf("%lld calls done, %lld refused, %lld steps: %lld stopped, %lld broken, %lld bent, "
	       "%lld merged, %lld released, %lld frozen, %lld joints broken\n",
	       all->done, all->refused, all->steps, all->stopped, all->broken, all->bent, all->merged,
	       all->released, all->frozen, all->snapped);
}

/// Whether storms had what they are for; few of them have no debris that lies long enough.
static inline bool storm_has_all(const storm_totals *all, int count)
{
	bool is_long = count >= 20;
	return all->steps > 20 * count && all->done > 200 * count && all->refused > 200 * count &&
	       all->stopped > 10 * count && all->broken > 2 * count &&
	       all->snapped >= rbl_maxi(1, count / 4) &&
	       (!is_long || (all->bent > 0 && all->merged > 0 && all->released > 0 && all->frozen > 0));
}

/// Which storms to run: RBL_STORM_FIRST and RBL_STORM_COUNT, else the first ones, as many as
/// test_count() says.
static inline void storm_range(int *first, int *count, int share, int full)
{
	const char *text = getenv("RBL_STORM_FIRST");
	*first = text ? atoi(text) : 0;
	text = getenv("RBL_STORM_COUNT");
	*count = text ? atoi(text) : test_count(share, full);
}
