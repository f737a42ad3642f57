// SPDX-License-Identifier: MIT
// A small world in which everything happens: piles, joints, sensors, breaks in the middle of their
// work, sleep, births and deaths. What is done to it depends on the number of the step alone, so a
// world that was saved and loaded can be taken through the same course.
#pragma once

#include "scene.h"

#include "base/hash.h"

enum { BUSY_ASSETS = 2, BUSY_BODIES = 6 };

typedef struct busy {
	scene s;
	rbl_collider *mesh_floor, *field, *compound;
	rbl_collider_child children[3];
	rbl_pattern *patterns[2];
	rbl_damage_level levels[2];
	rbl_material *breaking, *weak, *brittle;
	rbl_asset *assets[BUSY_ASSETS];

	// Bodies and joints that are acted upon, by id.
	rbl_body_id bodies[BUSY_BODIES];
	rbl_joint_id hinge;
} busy;

enum { BUSY_MOVER, BUSY_GHOST, BUSY_PORTAL, BUSY_COLUMN, BUSY_BOX, BUSY_CHAIN };

static inline void busy_make_shapes(busy *b)
{
	b->mesh_floor = scene_mesh_floor(20.0f, 10);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	float heights[8 * 8];
	for (int i = 0; i < 64; ++i)
		heights[i] = 0.05f * (float)(i * 5 % 7);
	def.heights = heights;
	def.column_count = def.row_count = 8;
	rbl_create_collider(&def, &b->field);
	def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	for (int i = 0; i < 3; ++i) {
		b->children[i] = (rbl_collider_child){ .collider = i == 1 ? b->s.ball : b->s.box,
			                                   .pose = rbl_transform_identity() };
		b->children[i].pose.position.x = 0.4f * (float)i;
	}
	def.children = b->children;
	def.child_count = 3;
	rbl_create_collider(&def, &b->compound);
}

static inline void busy_make_rules(busy *b)
{
	for (int i = 0; i < 2; ++i) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
		def.cell_count = 8 + 4 * i;
		def.seed = (uint64_t)i + 5;
		rbl_create_pattern(&def, &b->patterns[i]);
		b->levels[i] = (rbl_damage_level){ 40.0 + 400.0 * i, b->patterns[i], 0.25 + 0.1 * i };
	}
	rbl_material_values values = rbl_default_material_values();
	rbl_damage_rule rule = rbl_default_damage_rule(), weak_rule = rule;
	rule.levels = weak_rule.levels = b->levels;
	rule.level_count = 2, weak_rule.level_count = 1;
	rule.radius_limit = 0.5;
	rule.min_size = 0.35;
	rule.bend_energy = 4.0; // weak hits bend
	rule.bend_depth = 0.02;
	weak_rule.min_size = 0.5;
	weak_rule.dust_size = 0.05;
	b->breaking = scene_material(values, &rule, 0.0);
	b->weak = scene_material(values, &weak_rule, 0.0);
	rule.min_size = 0.6;
	b->brittle = scene_material(values, &rule, 3e4); // comes down under its own weight
	rbl_mesh *meshes[BUSY_ASSETS] = { NULL, NULL };
	rbl_box_def box = rbl_default_box_def();
	rbl_create_box_mesh(&box, &meshes[0]);
	rbl_column_def column = rbl_default_column_def();
	rbl_create_column_mesh(&column, &meshes[1]);
	for (int i = 0; i < BUSY_ASSETS; ++i) {
		rbl_prepare_def def = rbl_default_prepare_def();
		def.node_count = 12;
		rbl_prepare(meshes[i], &def, &b->assets[i]);
		rbl_destroy_mesh(meshes[i]);
	}
}

static inline rbl_body_id busy_add_asset(busy *b, int asset, const rbl_material *material, float x,
                                         float y, float z)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = b->assets[asset];
	def.shared_material = material;
	def.pose.position = (rbl_vec3){ x, y, z };
	return rbl_create_body(b->s.world, &def);
}

static inline void busy_add_joints(busy *b)
{
	rbl_body_id last = scene_add(&b->s, b->s.box, -4.0f, 3.0f, 0.0f);
	rbl_body_set_kind(b->s.world, last, RBL_BODY_STATIC);
	for (int i = 0; i < 4; ++i) {
		rbl_body_id next = scene_add(&b->s, b->s.box, -4.0f + 0.6f * (float)(i + 1), 3.0f, 0.0f);
		rbl_joint_def def = rbl_default_joint_def((rbl_joint_kind)(i % 3));
		def.body_a = last, def.body_b = next;
		rbl_transform frame = rbl_transform_identity();
		frame.position = (rbl_vec3){ -4.0f + 0.6f * (float)i + 0.3f, 3.0f, 0.0f };
		rbl_joint_def_place(b->s.world, &def, frame);
		def.has_limits = i == 1;
		def.lower_angle = -0.5f, def.upper_angle = 0.9f;
		def.has_motor = i == 1;
		def.motor_speed = 2.0f, def.motor_torque = 500.0f;
		def.break_force = i == 3 ? 4000.0f : INFINITY;
		rbl_joint_id joint = rbl_create_joint(b->s.world, &def);
		if (i == 1)
			b->hinge = joint;
		last = next;
	}
	// One of each kind, on a static box of their own.
	rbl_body_id post = scene_add(&b->s, b->s.box, -4.0f, 6.0f, 4.0f);
	rbl_body_set_kind(b->s.world, post, RBL_BODY_STATIC);
	for (int i = 0; i < RBL_JOINT_KIND_COUNT; ++i) {
		rbl_joint_def def = rbl_default_joint_def((rbl_joint_kind)i);
		rbl_vec3 at = { -3.0f + 0.6f * (float)i, 6.0f, 4.0f };
		def.body_a = post, def.body_b = scene_add(&b->s, b->s.box, at.x, at.y, at.z);
		rbl_transform frame = rbl_transform_identity();
		frame.position = (rbl_vec3){ at.x, at.y + 0.3f, at.z };
		rbl_joint_def_place(b->s.world, &def, frame);
		def.has_limits = true;
		def.lower_angle = -0.4f, def.upper_angle = 0.3f;
		def.lower_distance = 0.0f, def.upper_distance = 0.6f;
		def.has_cone = true, def.cone_angle = 0.5f;
		def.has_spring = i != RBL_JOINT_WELD;
		def.spring_hertz = 3.0f, def.spring_damping = 0.5f;
		def.has_motor = i % 2, def.motor_speed = 1.0f;
		def.motor_force = def.motor_torque = 300.0f;
		rbl_create_joint(b->s.world, &def);
	}
	b->bodies[BUSY_CHAIN] = last;
}

/// Things that sound too small to matter, but carry state.
static inline void busy_add_odd(busy *b)
{
	rbl_body_def def = scene_body(b->s.box, 3.0f, 0.5f, 3.0f);
	def.kind = RBL_BODY_KINEMATIC;
	b->bodies[BUSY_MOVER] = rbl_create_body(b->s.world, &def);
	def = scene_body(b->s.ball, 5.0f, 1.0f, 0.0f);
	def.is_enabled = false;
	b->bodies[BUSY_GHOST] = rbl_create_body(b->s.world, &def);
	def = scene_body(b->s.box, 1.4f, 0.3f, 1.4f);
	def.kind = RBL_BODY_STATIC;
	def.is_sensor = true;
	b->bodies[BUSY_PORTAL] = rbl_create_body(b->s.world, &def);
	def = scene_body(b->compound, 0.0f, 6.0f, 4.0f);
	def.filter.group = 3;
	rbl_create_body(b->s.world, &def);
	def = scene_body(b->field, -10.0f, 0.0f, 4.0f);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(b->s.world, &def);
	def = scene_body(b->s.ball, -7.0f, 2.0f, 7.0f);
	def.material.restitution = 0.8f;
	def.is_bullet = true;
	rbl_create_body(b->s.world, &def);
	def = scene_body(b->s.capsule, 6.0f, 0.6f, 6.0f); // sleeps from the start
	def.is_awake = false;
	rbl_create_body(b->s.world, &def);
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.box = (rbl_boxd){ { -0.4, -0.2, -0.3 }, { 0.4, 0.2, 0.3 } };
	rbl_convex *convex = NULL;
	rbl_create_convex(&convex_def, &convex);
	def = rbl_default_body_def();
	def.convex = convex;
	def.pose.position = (rbl_vec3){ 2.0f, 4.0f, -3.0f };
	def.angular_velocity = (rbl_vec3){ 3.0f, 1.0f, 2.0f };
	rbl_create_body(b->s.world, &def);
	rbl_destroy_convex(convex);
}

/// A slab in pieces that is held at one end.
static inline void busy_add_slab(busy *b)
{
	rbl_mesh *mesh = NULL;
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 4.0, 0.4, 1.0 };
	rbl_create_box_mesh(&box, &mesh);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = (rbl_vec3d){ 5.0, 2.0, 2.0 };
	pattern_def.cell_count = 30;
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&pattern_def, &pattern);
	rbl_compound_def def = rbl_default_compound_def();
	def.mesh = mesh;
	def.pattern = pattern;
	rbl_compound *compound = NULL;
	rbl_create_compound(&def, &compound);
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; i < end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(compound, i).convex;
		if (convex && rbl_convex_get_mass(convex).centre.x < -1.2)
			rbl_compound_set_anchored(compound, i, true);
	}
	rbl_body_def body = rbl_default_body_def();
	body.compound = compound;
	body.shared_material = b->brittle;
	body.pose.position = (rbl_vec3){ -6.0f, 3.0f, -6.0f };
	rbl_create_body(b->s.world, &body);
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(mesh);
}

static inline bool busy_never(void *user, rbl_body_id a, rbl_body_id b)
{
	(void)user;
	return (a.index + b.index) % 97 != 0;
}

/// Shapes, rules and assets, without a world.
static inline void busy_prepare(busy *b, int worker_count)
{
	*b = (busy){ .hinge = { 0, 0 } };
	rbl_world_def def = scene_def(&b->s, worker_count);
	scene_create(&b->s, &def);
	rbl_destroy_world(b->s.world);
	b->s.world = NULL;
	busy_make_shapes(b);
	busy_make_rules(b);
}

static inline rbl_world_def busy_world_def(const busy *b)
{
	rbl_world_def def = rbl_default_world_def();
	def.jobs = b->s.jobs;
	def.budget = 40; // breaks take several steps
	def.freeze_time = 0.3f;
	def.bake_time = 0.5f;
	def.debris_limit = 70;
	def.should_collide = busy_never;
	return def;
}

static inline void busy_create(busy *b, int worker_count, int pile)
{
	busy_prepare(b, worker_count);
	rbl_world_def def = busy_world_def(b);
	rbl_create_world(&def, &b->s.world);
	rbl_body_def floor_def = scene_body(b->mesh_floor, 0.0f, 0.0f, 0.0f);
	floor_def.kind = RBL_BODY_STATIC;
	rbl_create_body(b->s.world, &floor_def);
	scene_add_pile(&b->s, pile, 1);
	busy_add_joints(b);
	busy_add_odd(b);
	busy_add_slab(b);
	b->bodies[BUSY_BOX] = busy_add_asset(b, 0, b->breaking, 1.0f, 8.0f, 1.0f);
	b->bodies[BUSY_COLUMN] = busy_add_asset(b, 1, b->weak, 4.0f, 0.5f, -4.0f);
	busy_add_asset(b, 0, b->weak, -3.0f, 5.0f, -3.0f);
}

static inline void busy_destroy(busy *b)
{
	rbl_destroy_world(b->s.world);
	b->s.world = NULL;
	for (int i = 0; i < BUSY_ASSETS; ++i)
		rbl_destroy_asset(b->assets[i]);
	for (int i = 0; i < 2; ++i)
		rbl_destroy_pattern(b->patterns[i]);
	rbl_destroy_material(b->breaking);
	rbl_destroy_material(b->weak);
	rbl_destroy_material(b->brittle);
	rbl_destroy_collider(b->compound);
	rbl_destroy_collider(b->field);
	rbl_destroy_collider(b->mesh_floor);
	scene_destroy(&b->s);
}

static inline void busy_shoot(busy *b, float x, float z)
{
	rbl_body_def def = scene_body(b->s.ball, x, 6.0f, z);
	def.velocity = (rbl_vec3){ 0.0f, -25.0f, 0.0f };
	def.is_bullet = true;
	def.material.density = 8000.0f;
	rbl_create_body(b->s.world, &def);
}

/// What is done before a step, by its number.
static inline void busy_act(busy *b, int step)
{
	rbl_world *w = b->s.world;
	rbl_body_set_velocity(w, b->bodies[BUSY_MOVER],
	                      (rbl_vec3){ step / 60 % 2 ? 1.0f : -1.0f, 0.0f, 0.0f },
	                      (rbl_vec3){ 0.0f, 0.5f, 0.0f });
	if (step % 70 == 13)
		busy_shoot(b, 4.0f + 0.1f * (float)(step % 3), -4.0f);
	if (step % 90 == 31)
		rbl_body_add_force(w, b->bodies[BUSY_CHAIN], (rbl_vec3){ 0.0f, 3000.0f, 500.0f },
		                   (rbl_vec3){ 0.0f, 3.0f, 0.0f });
	if (step % 120 == 50)
		rbl_body_damage(w, b->bodies[BUSY_BOX], rbl_body_get_state(w, b->bodies[BUSY_BOX]).centre,
		                (rbl_vec3){ 0.0f, -1.0f, 0.2f }, INFINITY, 900.0f);
	if (step == 70)
		rbl_body_set_enabled(w, b->bodies[BUSY_GHOST], true);
	if (step == 100)
		rbl_joint_set_motor(w, b->hinge, -3.0f, 300.0f);
	if (step == 130) {
		rbl_explosion blast = rbl_default_explosion();
		blast.position = (rbl_vec3){ 1.0f, 0.0f, 1.0f };
		blast.impulse_per_area = 300.0f;
		rbl_world_explode(w, &blast);
	}
	if (step % 150 == 140) {
		rbl_body_id bodies[16];
		rbl_world_get_bodies(w, bodies, 16);
		rbl_destroy_body(w, bodies[6 + step / 150]);
	}
	if (step == 200)
		rbl_world_shift_origin(w, (rbl_vec3){ 64.0f, 0.0f, 0.0f });
	if (step == 201)
		rbl_world_shift_origin(w, (rbl_vec3){ -64.0f, 0.0f, 0.0f });
}

/// A hash of what can be seen of a state: bodies, contacts, and what the step reported.
static inline uint64_t busy_hash(const rbl_world *w)
{
	uint64_t hash = rbl_world_hash(w);
	static rbl_contact contacts[20000];
	int count = rbl_world_get_contacts(w, contacts, 20000);
	for (int i = 0; i < count && i < 20000; ++i) {
		hash = rbl_hash_number(hash,
		                       (uint64_t)contacts[i].body_a.index << 32 | contacts[i].body_b.index);
		hash = rbl_hash_bytes(hash, contacts[i].manifold.points,
		                      (size_t)contacts[i].manifold.point_count *
		                          sizeof contacts[i].manifold.points[0]);
		hash = rbl_hash_bytes(hash, &contacts[i].impulse, sizeof contacts[i].impulse);
	}
	rbl_events e = rbl_world_get_events(w);
	const int counts[] = { e.begin_count, e.end_count,   e.hit_count,      e.sensor_count,
		                   e.sleep_count, e.joint_count, e.fracture_count, e.retire_count };
	hash = rbl_hash_bytes(hash, counts, sizeof counts);
	for (int i = 0; i < e.fracture_count; ++i)
		hash = rbl_hash_number(hash, (uint64_t)e.fractures[i].seed ^
		                                 (uint64_t)e.fractures[i].new_count << 40);
	return hash;
}

static inline uint64_t busy_step(busy *b, int step)
{
	busy_act(b, step);
	rbl_world_step(b->s.world, 1.0f / 60.0f);
	return busy_hash(b->s.world);
}

static inline rbl_sources busy_sources(const busy *b)
{
	rbl_sources sources = rbl_default_sources();
	sources.assets = (const rbl_asset *const *)b->assets;
	sources.asset_count = BUSY_ASSETS;
	sources.patterns = (const rbl_pattern *const *)b->patterns;
	sources.pattern_count = 2;
	return sources;
}

/// @return the bytes of a world, to be freed
static inline unsigned char *busy_save(const rbl_world *world, size_t *size)
{
	*size = 0;
	if (rbl_world_save(world, NULL, size) != RBL_OK)
		return NULL;
	unsigned char *bytes = malloc(*size);
	if (bytes && rbl_world_save(world, bytes, size) != RBL_OK)
		free(bytes), bytes = NULL;
	return bytes;
}
