// SPDX-License-Identifier: MIT
// ctest: threads soak
// A storm of calls, sensible and not: nothing breaks, and what is stale or NaN is refused.
//
// A storm blows in slices of 50,000 calls, each with a seed and a world of its own. At full size
// (RBL_SOAK=1) there are 200, ten million calls; RBL_STORM_FIRST=n begins with slice n and
// RBL_STORM_COUNT=n stops after n of them, for a run in parts.

#include "../test.h"
#include "scene.h"

#include <float.h>

enum { MOST = 120, ALL = 4000, KEPT = 256 };

typedef struct storm {
	scene s;
	rbl_random random;
	rbl_collider *mesh;
	rbl_pattern *pattern;
	rbl_mesh *block;
	rbl_asset *asset;
	rbl_damage_level level;
	rbl_damage_rule rule;
	rbl_body_id bodies[KEPT]; // live, dead and null alike
	rbl_joint_id joints[KEPT];
	int refused, done, steps, broken, bent, merged, released;
} storm;

static uint32_t pick(storm *m, uint32_t count)
{
	return rbl_random_below(&m->random, count);
}

// A number that is often reasonable, sometimes not.
static float number(storm *m, float size)
{
	switch (pick(m, 60)) {
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

static rbl_vec3 place(storm *m, float size)
{
	rbl_vec3 p;
	p.x = number(m, size), p.y = number(m, size), p.z = number(m, size);
	return p;
}

static rbl_transform pose(storm *m)
{
	rbl_transform t = { .position = place(m, 3.0f) };
	rbl_vec3d a = rbl_random_in_ball(&m->random);
	rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ a.x, a.y, a.z, 0.3 });
	t.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
	if (pick(m, 50) == 0)
		t.rotation.w = number(m, 2.0f);
	return t;
}

static rbl_body_id any_body(storm *m)
{
	return pick(m, 40) == 0 ? (rbl_body_id){ pick(m, 1000), pick(m, 5) } : m->bodies[pick(m, KEPT)];
}

static rbl_body_def body_def(storm *m)
{
	rbl_body_def def = rbl_default_body_def();
	const rbl_collider *shapes[] = { m->s.box, m->s.ball, m->s.capsule, m->mesh,
		                             m->s.hulls[pick(m, SCENE_SHAPES)] };
	def.collider = shapes[pick(m, 5)];
	if (pick(m, 12) == 0) {
		def.collider = NULL;
		def.asset = m->asset;
		def.damage = &m->rule;
	}
	def.kind = (rbl_body_kind)(pick(m, 4) == 0 ? pick(m, 3) : RBL_BODY_DYNAMIC);
	def.pose = pose(m);
	def.velocity = place(m, 5.0f);
	def.angular_velocity = place(m, 5.0f);
	def.is_sensor = pick(m, 10) == 0;
	def.is_enabled = pick(m, 10) != 0;
	def.is_awake = pick(m, 10) != 0;
	def.is_bullet = pick(m, 10) == 0;
	def.filter.group = (int32_t)pick(m, 5) - 2;
	def.material.restitution = 0.3f * (float)pick(m, 4);
	if (pick(m, 30) == 0)
		def.material.density = number(m, 1000.0f);
	return def;
}

static void note(storm *m, rbl_result result)
{
	if (result == RBL_OK)
		m->done++;
	else
		m->refused++;
}

// Fewer, when breaking has made many.
static void thin_out(storm *m)
{
	static rbl_body_id all[ALL];
	int count = rbl_world_get_bodies(m->s.world, all, ALL);
	for (int i = 0; count >= MOST && i < count; ++i)
		if (pick(m, 3) != 0)
			note(m, rbl_destroy_body(m->s.world, all[i]));
}

// Something that stands on one of its parts, broken before or not.
static void create_building(storm *m)
{
	rbl_body_def def = body_def(m);
	def.collider = NULL, def.asset = NULL;
	def.damage = &m->rule;
	if (rbl_asset_create_compound(m->asset, NULL, &def.compound) != RBL_OK)
		return;
	rbl_break_def break_def = rbl_default_break_def();
	break_def.pattern = m->pattern;
	break_def.radius = 0.4 + 0.4 * rbl_random_double(&m->random);
	rbl_break *broken = NULL;
	if (pick(m, 2) && rbl_compound_break(def.compound, &break_def, &broken) == RBL_OK)
		rbl_destroy_break(broken);
	rbl_compound_info info = rbl_compound_get_info(def.compound);
	if (info.part_end > 0)
		rbl_compound_set_anchored(def.compound, (int)pick(m, (uint32_t)info.part_end), true);
	rbl_body_id body = rbl_create_body(m->s.world, &def);
	if (rbl_body_id_is_null(body))
		rbl_destroy_compound(def.compound);
	else
		m->bodies[pick(m, KEPT)] = body;
}

static void create(storm *m)
{
	thin_out(m);
	if (pick(m, 12) == 0) {
		create_building(m);
		return;
	}
	if (pick(m, 4) != 0) {
		rbl_body_def def = body_def(m);
		m->bodies[pick(m, KEPT)] = rbl_create_body(m->s.world, &def);
		return;
	}
	rbl_body_def defs[5];
	rbl_body_id made[5];
	int count = (int)pick(m, 6);
	for (int i = 0; i < count; ++i)
		defs[i] = body_def(m);
	rbl_result result = pick(m, 2) ? rbl_create_bodies(m->s.world, defs, count, made)
	                               : rbl_replace_body(m->s.world, any_body(m), defs, count, made);
	note(m, result);
	for (int i = 0; result == RBL_OK && i < count; ++i)
		m->bodies[pick(m, KEPT)] = made[i];
}

static void change(storm *m)
{
	rbl_world *w = m->s.world;
	rbl_body_id body = any_body(m);
	switch (pick(m, 17)) {
	case 0:
		note(m, rbl_body_set_pose(w, body, pose(m)));
		break;
	case 1:
		note(m, rbl_body_set_velocity(w, body, place(m, 20.0f), place(m, 20.0f)));
		break;
	case 2:
		note(m, rbl_body_set_target(w, body, pose(m), number(m, 0.1f)));
		break;
	case 3:
		note(m, rbl_body_add_force(w, body, place(m, 1000.0f), place(m, 2.0f)));
		break;
	case 4:
		note(m, rbl_body_add_torque(w, body, place(m, 100.0f)));
		break;
	case 5:
		note(m, rbl_body_add_impulse(w, body, place(m, 100.0f), place(m, 2.0f)));
		break;
	case 6:
		note(m, rbl_body_add_angular_impulse(w, body, place(m, 10.0f)));
		break;
	case 7:
		note(m, rbl_body_damage(w, body, place(m, 1.0f), place(m, 1.0f), number(m, 1.0f),
		                        number(m, 2000.0f)));
		break;
	case 8:
		note(m, rbl_body_set_kind(w, body, (rbl_body_kind)pick(m, 4)));
		break;
	case 9:
		note(m, rbl_body_set_material(w, body,
		                              (rbl_material){ number(m, 1.0f), number(m, 1.0f), 1.0f }));
		break;
	case 10:
		note(m,
		     rbl_body_set_filter(
				 w, body, (rbl_filter){ 1u << pick(m, 3), pick(m, 16), (int32_t)pick(m, 5) - 2 }));
		break;
	case 11:
		note(m, rbl_body_set_damping(w, body, number(m, 1.0f), number(m, 1.0f)));
		break;
	case 12:
		note(m, rbl_body_set_gravity_scale(w, body, number(m, 2.0f)));
		break;
	case 13:
		note(m, rbl_body_set_awake(w, body, pick(m, 2)));
		break;
	case 14:
		note(m, rbl_body_set_can_sleep(w, body, pick(m, 2)));
		break;
	case 15:
		note(m, rbl_body_set_enabled(w, body, pick(m, 2)));
		break;
	default:
		note(m, rbl_destroy_body(w, body));
		break;
	}
}

static void join(storm *m)
{
	rbl_world *w = m->s.world;
	rbl_joint_id *joint = &m->joints[pick(m, KEPT)];
	switch (pick(m, 4)) {
	case 0: {
		rbl_joint_def def = rbl_default_joint_def((rbl_joint_kind)pick(m, 3));
		def.body_a = any_body(m), def.body_b = any_body(m);
		rbl_joint_def_place(w, &def, pose(m));
		def.break_force = fabsf(number(m, 1000.0f));
		def.has_motor = pick(m, 3) == 0;
		def.motor_speed = number(m, 3.0f), def.motor_torque = number(m, 100.0f);
		def.has_limits = pick(m, 3) == 0;
		def.lower_angle = number(m, 3.0f), def.upper_angle = number(m, 3.0f);
		def.collides = pick(m, 2);
		*joint = rbl_create_joint(w, &def);
		break;
	}
	case 1:
		note(m, rbl_destroy_joint(w, *joint));
		break;
	case 2:
		note(m, rbl_joint_set_motor(w, *joint, number(m, 3.0f), number(m, 100.0f)));
		break;
	default:
		m->done += rbl_joint_get_state(w, *joint).body_a.generation != 0;
		break;
	}
}

static void count_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	(void)a, (void)b, (void)color;
	++*(int *)user;
}

static void ask(storm *m)
{
	rbl_world *w = m->s.world;
	rbl_filter filter = { pick(m, 8), pick(m, 8), (int32_t)pick(m, 3) - 1 };
	rbl_world_hit hits[8];
	int lines = 0;
	rbl_draw draw = { .line = count_line, .user = &lines, .flags = pick(m, 128) };
	draw.box = (rbl_box){ place(m, 3.0f), place(m, 3.0f) };
	switch (pick(m, 10)) {
	case 0:
		m->done += rbl_world_cast_ray(w, place(m, 5.0f), place(m, 9.0f), &filter, hits);
		break;
	case 1:
		m->done += rbl_world_cast_ray_all(w, place(m, 5.0f), place(m, 9.0f), NULL, hits, 8);
		break;
	case 2:
		m->done +=
			rbl_world_cast_collider(w, m->s.hulls[0], pose(m), place(m, 9.0f), &filter, hits);
		break;
	case 3:
		m->done += rbl_world_overlap_collider(w, m->s.capsule, pose(m), NULL, hits, 8);
		break;
	case 4:
		m->done += rbl_world_overlap_box(w, draw.box, &filter, hits, 8);
		break;
	case 5:
		note(m, pick(m, 50) ? RBL_OK : rbl_world_draw(w, &draw));
		break;
	case 6: {
		rbl_explosion blast = rbl_default_explosion();
		blast.position = place(m, 3.0f), blast.radius = number(m, 2.0f);
		blast.impulse_per_area = number(m, 50.0f);
		note(m, pick(m, 20) ? RBL_OK : rbl_world_explode(w, &blast));
		break;
	}
	case 7: {
		rbl_contact contacts[4];
		m->done += rbl_body_get_contacts(w, any_body(m), contacts, 4);
		break;
	}
	case 8:
		if (pick(m, 100) == 0)
			note(m, rbl_world_set_gravity(w, place(m, 10.0f)));
		break;
	default:
		m->done += rbl_body_get_state(w, any_body(m)).is_awake;
		break;
	}
}

// Every body stays where numbers are finite.
static void look(test *t, storm *m)
{
	static rbl_body_id all[ALL];
	int count = rbl_world_get_bodies(m->s.world, all, ALL);
	CHECK(t, count == rbl_world_body_count(m->s.world) && count <= ALL);
	for (int i = 0; i < count; ++i) {
		rbl_body_state state = rbl_body_get_state(m->s.world, all[i]);
		CHECK(t, rbl_is_finite(state.centre) && rbl_is_finite(state.velocity) &&
		             rbl_is_finite(state.angular_velocity));
	}
}

// Asked in the middle of a step, where what changes the world must wait.
static bool meddle(void *user, rbl_body_id a, rbl_body_id b)
{
	storm *m = user;
	(void)a, (void)b;
	if (pick(m, 20) == 0)
		change(m);
	if (pick(m, 50) == 0)
		join(m);
	return pick(m, 10) != 0;
}

static void open_storm(test *t, storm *m, uint64_t seed, int workers)
{
	*m = (storm){ .random = rbl_random_from_seed(seed) };
	rbl_world_def def = scene_def(&m->s, workers);
	def.should_collide = meddle;
	def.user = m;
	def.detects_only = seed % 16 == 15;
	def.fracture_budget = seed % 3 == 0 ? 40 : seed % 3 == 1 ? 0 : def.fracture_budget;
	def.stress_budget = seed % 2 ? 20 : def.stress_budget;
	def.freeze_time = seed % 4 == 1 ? 0.1f : 0.0f;
	def.bake_time = seed % 2 == 0 ? 0.05f : 0.0f;
	def.debris_limit = seed % 5 == 2 ? 10 : 0;
	scene_create(&m->s, &def);
	m->mesh = scene_mesh_floor(8.0f, 4);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.cell_count = 12;
	rbl_create_pattern(&pattern_def, &m->pattern);
	m->level = (rbl_damage_level){ .energy = 500.0, .pattern = m->pattern, .radius = 0.4 };
	m->rule = rbl_default_damage_rule();
	m->rule.levels = &m->level, m->rule.level_count = 1, m->rule.min_size = 0.3;
	m->rule.dust_size = seed % 2 ? 0.15 : 0.0;
	m->rule.bond_strength = seed % 3 ? 1e4 : 0.0;
	m->rule.bend_energy = seed % 4 == 1 ? 0.0 : 50.0;
	rbl_box_def box_def = rbl_default_box_def();
	rbl_create_box_mesh(&box_def, &m->block);
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	CHECK(t, rbl_prepare(m->block, &prepare_def, &m->asset) == RBL_OK);
	scene_add_floor(&m->s);
}

static void close_storm(storm *m)
{
	rbl_destroy_world(m->s.world);
	m->s.world = NULL;
	rbl_destroy_collider(m->mesh);
	rbl_destroy_asset(m->asset);
	rbl_destroy_mesh(m->block);
	rbl_destroy_pattern(m->pattern);
	scene_destroy(&m->s);
}

static void step(test *t, storm *m)
{
	rbl_result result = rbl_world_step(m->s.world, pick(m, 50) ? 1.0f / 60.0f : number(m, 1.0f));
	CHECK(t, result == RBL_OK || result == RBL_BAD_ARGUMENT);
	thin_out(m);
	rbl_events e = rbl_world_get_events(m->s.world);
	m->broken += e.fracture_count;
	for (int i = 0; i < e.fracture_count; ++i)
		m->bent += e.fractures[i].cause == RBL_FRACTURE_BEND;
	for (int i = 0; i < e.retire_count; ++i) {
		m->merged += e.retires[i].what == RBL_RETIRED_BAKED;
		m->released += e.retires[i].what == RBL_RETIRED_RELEASED;
	}
	if (++m->steps % 16 == 0)
		look(t, m);
}

// A lull: everything falls down and sleeps, so that debris can be merged.
static void calm(test *t, storm *m)
{
	static rbl_body_id all[ALL];
	rbl_world_set_gravity(m->s.world, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
	scene_add_floor(&m->s); // the last one is likely to be gone
	for (int i = 0; i < 24; ++i)
		step(t, m);
	int count = rbl_world_get_bodies(m->s.world, all, ALL);
	for (int i = 0; i < count; ++i)
		note(m, rbl_body_set_awake(m->s.world, all[i], false));
	for (int i = 0; i < 12; ++i)
		step(t, m);
	// What holds debris is as likely to be meddled with as anything else.
	count = rbl_world_get_bodies(m->s.world, all, ALL);
	for (int i = 0; i < count; ++i)
		if (rbl_body_get_baked(m->s.world, all[i], NULL, 0) > 0)
			for (int k = 0; k < 10; ++k)
				m->bodies[pick(m, KEPT)] = all[i];
}

static void blow(test *t, storm *m, int calls)
{
	for (int i = 0; i < calls; ++i) {
		uint32_t what = pick(m, 100);
		if (what < 10)
			create(m);
		else if (what < 50)
			change(m);
		else if (what < 60)
			join(m);
		else if (what < 98)
			ask(m);
		else if (pick(m, 60) != 0)
			step(t, m);
		else
			calm(t, m);
	}
}

static void blow_in_slices(test *t, int slices, int workers)
{
	enum { CALLS = 50000 };
	const char *text = getenv("RBL_STORM_FIRST");
	int first = text ? atoi(text) : 0;
	text = getenv("RBL_STORM_COUNT");
	slices = text && atoi(text) < slices - first ? first + atoi(text) : slices;
	long long calls = 0, done = 0, refused = 0, steps = 0, broken = 0, bent = 0, merged = 0,
			  released = 0;
	for (int slice = first; slice < slices; ++slice) {
		static storm m;
		open_storm(t, &m, 2026u + (unsigned)slice, workers);
		blow(t, &m, CALLS);
		calls += CALLS, done += m.done, refused += m.refused, steps += m.steps, broken += m.broken;
		bent += m.bent, merged += m.merged, released += m.released;
		close_storm(&m);
		if (slice % 20 == 19) {
			printf("slices %d to %d: %lld calls, %lld steps\n", first, slice, calls, steps);
			fflush(stdout);
		}
	}
	printf("%lld calls: %lld done, %lld refused, %lld steps, %lld broken, %lld bent, %lld merged, "
	       "%lld released\n",
	       calls, done, refused, steps, broken, bent, merged, released);
	CHECK(t, broken >= calls / 5000 - 1);
	// Chance, in a short storm.
	CHECK(t, calls < 20 * CALLS || (bent > 0 && merged > 0 && released > 0));
	CHECK(t, refused >= calls / 20 && done >= calls / 20);
}

static void a_storm_of_calls_does_no_harm(test *t)
{
	blow_in_slices(t, test_count(2, 200), 1);
}

static void a_storm_does_no_harm_to_workers(test *t)
{
	blow_in_slices(t, test_count(1, 10), 4);
}

TEST_MAIN(TEST(a_storm_of_calls_does_no_harm), TEST(a_storm_does_no_harm_to_workers))
