// SPDX-License-Identifier: MIT
// A world with something to break, for tests of breaking.
#pragma once

#include "scene.h"

#include "base/hash.h"

enum { BREAKABLE_MOST = 16000 };

typedef struct breakable {
	scene s;
	rbl_pattern *pattern;
	rbl_damage_level level;
	rbl_damage_rule rule;
	double bond_strength;
	rbl_material *material; // the last one, made of the rule, as bodies share it
	rbl_mesh *own_mesh;
	rbl_asset *asset;
} breakable;

/// The rule (from 10 J on) and the asset, without a world.
/// @param mesh  what is to break; NULL: a box of a metre
static inline void breakable_prepare(test *t, breakable *b, const rbl_mesh *mesh, uint64_t seed)
{
	*b = (breakable){ .own_mesh = NULL };
	rbl_box_def box_def = rbl_default_box_def();
	if (!mesh)
		CHECK(t, rbl_create_box_mesh(&box_def, &b->own_mesh) == RBL_OK);
	mesh = mesh ? mesh : b->own_mesh;
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	double size = 0.0;
	for (int i = 0; i < data.vertex_count; ++i)
		size = rbl_maxd(size, rbl_distance_d(data.positions[0], data.positions[i]));
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = (rbl_vec3d){ size, size, size };
	pattern_def.seed = seed;
	CHECK(t, rbl_create_pattern(&pattern_def, &b->pattern) == RBL_OK);
	b->level = (rbl_damage_level){ .energy = 10.0, .pattern = b->pattern, .radius = 0.4 };
	b->rule = rbl_default_damage_rule();
	b->rule.levels = &b->level;
	b->rule.level_count = 1;
	b->rule.radius_limit = 0.5;
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	CHECK(t, rbl_prepare(mesh, &prepare_def, &b->asset) == RBL_OK);
}

static inline void breakable_make(test *t, breakable *b, const rbl_mesh *mesh, rbl_vec3 gravity,
                                  uint64_t seed)
{
	breakable_prepare(t, b, mesh, seed);
	rbl_world_def def = scene_def(&b->s, 1);
	def.gravity = gravity;
	def.budget = 0;
	scene_create(&b->s, &def);
}

static inline void breakable_destroy(breakable *b)
{
	scene_destroy(&b->s);
	rbl_destroy_asset(b->asset);
	rbl_destroy_mesh(b->own_mesh);
	rbl_destroy_pattern(b->pattern);
	rbl_destroy_material(b->material);
}

/// Let a body break by the rule as it is now, with the values of its definition.
static inline void breakable_share(breakable *b, rbl_body_def *def)
{
	rbl_material_def last = rbl_material_get_def(b->material);
	const rbl_damage_rule *rule = &last.damage, *now = &b->rule;
	bool is_same = b->material && rule->level_count == 1 && now->level_count == 1 && now->levels &&
	               memcmp(&last.values, &def->material, sizeof last.values) == 0 &&
	               memcmp(rule->levels, now->levels, sizeof *now->levels) == 0 &&
	               memcmp(&rule->radius_limit, &now->radius_limit, 6 * sizeof(double)) == 0 &&
	               last.strengths.tension == b->bond_strength;
	if (!is_same) {
		rbl_destroy_material(b->material);
		b->material = scene_material(def->material, now, b->bond_strength);
	}
	def->shared_material = b->material;
}

static inline rbl_body_def breakable_def(breakable *b, rbl_body_kind kind)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = b->asset;
	breakable_share(b, &def);
	def.kind = kind;
	def.angular_damping = 0.0f;
	return def;
}

/// Of all bodies that move by forces. The sizes are what errors are measured by.
typedef struct sums {
	double mass, energy, momentum_size, angular_momentum_size;
	rbl_vec3d momentum, angular_momentum;
} sums;

static inline sums breakable_sums(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	sums s = { .mass = 0.0 };
	for (int i = 0; i < count; ++i) {
		rbl_body_mass m = rbl_body_get_mass(world, ids[i]);
		rbl_body_state state = rbl_body_get_state(world, ids[i]);
		if (state.kind != RBL_BODY_DYNAMIC)
			continue;
		rbl_vec3 w = rbl_rotate_inverse(state.pose.rotation, state.angular_velocity);
		rbl_vec3d l = rbl_to_d(rbl_rotate(state.pose.rotation, rbl_mat_vec(m.inertia, w)));
		rbl_vec3d p = rbl_scale_d((double)m.mass, rbl_to_d(state.velocity));
		rbl_vec3d about = rbl_cross_d(rbl_to_d(state.centre), p);
		s.mass += (double)m.mass;
		s.momentum = rbl_add_d(s.momentum, p);
		s.angular_momentum = rbl_add_d(s.angular_momentum, rbl_add_d(l, about));
		s.momentum_size += rbl_length_d(p);
		s.angular_momentum_size += rbl_length_d(l) + rbl_length_d(about);
		s.energy += 0.5 * rbl_dot_d(p, rbl_to_d(state.velocity)) +
		            0.5 * rbl_dot_d(l, rbl_to_d(state.angular_velocity));
	}
	return s;
}

static inline float breakable_fastest(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	float fastest = 0.0f;
	for (int i = 0; i < count && i < BREAKABLE_MOST; ++i)
		fastest = rbl_maxf(fastest, rbl_length(rbl_body_velocity(world, ids[i])));
	return fastest;
}
