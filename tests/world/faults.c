// SPDX-License-Identifier: MIT
// Memory that runs out anywhere leaves a world that works, and nothing behind.

#include "../faulty_allocator.h"
#include "../test.h"
#include "scene.h"

// A small run with most of what a world does. @return whether every call succeeded
static bool run(scene *s, const rbl_world_def *def, const rbl_collider *mesh)
{
	if (rbl_create_world(def, &s->world) != RBL_OK)
		return false;
	bool ok = true;
	rbl_body_def floor = scene_body(mesh, 0.0f, 0.0f, 0.0f);
	floor.kind = RBL_BODY_STATIC;
	ok &= rbl_body_exists(s->world, rbl_create_body(s->world, &floor));
	rbl_body_id bodies[12];
	for (int i = 0; i < 6; ++i) {
		bodies[i] =
			scene_add(s, s->hulls[i], 0.4f * (float)(i % 2), 0.3f + 0.5f * (float)(i / 2), 0.0f);
		ok &= rbl_body_exists(s->world, bodies[i]);
	}
	rbl_body_def zone = scene_body(s->box, 0.0f, 0.5f, 0.0f);
	zone.is_sensor = true;
	zone.kind = RBL_BODY_STATIC;
	ok &= rbl_body_exists(s->world, rbl_create_body(s->world, &zone));
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WELD);
	joint.body_a = bodies[0], joint.body_b = bodies[1];
	rbl_joint_id id = rbl_create_joint(s->world, &joint);
	ok &= rbl_joint_exists(s->world, id);
	for (int i = 0; i < 12; ++i) {
		ok &= rbl_world_step(s->world, 1.0f / 60.0f) == RBL_OK;
		ok &= rbl_world_get_events(s->world).lost_count == 0;
	}
	rbl_body_def two[2] = { scene_body(s->hulls[7], 0.0f, 2.0f, 0.0f),
		                    scene_body(s->hulls[8], 0.1f, 2.0f, 0.0f) };
	ok &= rbl_replace_body(s->world, bodies[2], two, 2, bodies + 6) == RBL_OK;
	ok &= rbl_body_set_enabled(s->world, bodies[0], false) == RBL_OK;
	ok &= rbl_body_set_enabled(s->world, bodies[0], true) == RBL_OK;
	ok &= rbl_body_set_kind(s->world, bodies[4], RBL_BODY_STATIC) == RBL_OK;
	rbl_explosion blast = rbl_default_explosion();
	ok &= rbl_world_explode(s->world, &blast) == RBL_OK;
	for (int i = 0; i < 4; ++i) {
		ok &= rbl_world_step(s->world, 1.0f / 60.0f) == RBL_OK;
		ok &= rbl_world_get_events(s->world).lost_count == 0;
	}
	ok &= rbl_destroy_body(s->world, bodies[5]) == RBL_OK;
	ok &= rbl_world_step(s->world, 1.0f / 60.0f) == RBL_OK;
	return ok;
}

// The rest: bodies of convexes, one that is so fast that it is cast, forces, a joint that breaks, and
// questions, which succeed whatever there is of memory.
static bool run_on(scene *s, rbl_world *world, const rbl_convex *convex)
{
	s->world = world;
	bool ok = true;
	rbl_body_def def = rbl_default_body_def();
	def.convex = convex;
	def.pose.position = (rbl_vec3){ 0.0f, 3.0f, 1.0f };
	rbl_body_id body = rbl_create_body(s->world, &def);
	ok &= rbl_body_exists(s->world, body);
	rbl_body_def bullet_def = scene_body(s->ball, 1.0f, 2.0f, 0.3f);
	bullet_def.velocity = (rbl_vec3){ -10.0f, -300.0f, 0.0f };
	bullet_def.is_bullet = true;
	rbl_body_id bullet = rbl_create_body(s->world, &bullet_def);
	ok &= rbl_body_exists(s->world, bullet);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	joint.body_a = body, joint.body_b = scene_add(s, s->box, 0.0f, 4.0f, 1.0f);
	joint.break_force = 1.0f;
	ok &= rbl_joint_exists(s->world, rbl_create_joint(s->world, &joint));
	for (int i = 0; i < 6; ++i) {
		rbl_body_add_force(s->world, body, (rbl_vec3){ 0.0f, 50.0f, 0.0f },
		                   (rbl_vec3){ 0.0f, 3.0f, 1.0f });
		ok &= rbl_world_step(s->world, 1.0f / 60.0f) == RBL_OK;
		ok &= rbl_world_get_events(s->world).lost_count == 0;
		rbl_world_hit hits[8];
		rbl_transform pose = { { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
		rbl_vec3 up = { 0.0f, 9.0f, 0.0f }, down = { 0.0f, -9.0f, 0.0f };
		rbl_box box = { { -9.0f, -9.0f, -9.0f }, { 9.0f, 9.0f, 9.0f } };
		ok &= rbl_world_cast_ray(s->world, up, rbl_scale(2.0f, down), NULL, hits);
		ok &= rbl_world_cast_ray_all(s->world, up, rbl_scale(2.0f, down), NULL, hits, 8) > 0;
		ok &= rbl_world_cast_collider(s->world, s->box, pose, down, NULL, hits);
		ok &= rbl_world_overlap_collider(s->world, s->ball, pose, NULL, hits, 8) >= 0;
		ok &= rbl_world_overlap_box(s->world, box, NULL, hits, 8) > 0;
	}
	rbl_body_id parts[2];
	rbl_body_def two[2] = { def, def };
	two[1].pose.position.x = 0.7f;
	ok &= !rbl_body_exists(s->world, body) ||
	      rbl_replace_body(s->world, body, two, 2, parts) == RBL_OK;
	ok &= rbl_world_step(s->world, 1.0f / 60.0f) == RBL_OK;
	return ok;
}

static void every_later_allocation_may_fail(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_destroy_world(s.world);
	s.world = NULL;
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.box = (rbl_boxd){ { -0.25, -0.25, -0.25 }, { 0.25, 0.25, 0.25 } };
	rbl_convex *convex = NULL;
	CHECK(t, rbl_create_convex(&convex_def, &convex) == RBL_OK);
	int failures = 0;
	bool has_failed = true;
	for (int n = 0; has_failed && n < 3000; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		def.allocator = FAULTY(&memory);
		rbl_world *world = NULL;
		CHECK(t, rbl_create_world(&def, &world) == RBL_OK);
		s.world = world;
		scene_add_floor(&s);
		scene_steps(&s, 2);
		atomic_store(&memory.allowed, n);
		bool ok = run_on(&s, world, convex);
		has_failed = atomic_load(&memory.failed);
		CHECK(t, has_failed || ok);
		atomic_store(&memory.allowed, 1000000);
		for (int i = 0; i < 2; ++i)
			CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		CHECK(t, rbl_body_exists(world, scene_add(&s, s.ball, 5.0f, 5.0f, 0.0f)));
		rbl_destroy_world(world);
		CHECK(t, atomic_load(&memory.live_bytes) == 0 && atomic_load(&memory.live_count) == 0);
		failures += has_failed;
	}
	CHECK(t, !has_failed && failures > 20);
	s.world = NULL;
	rbl_destroy_convex(convex);
	scene_destroy(&s);
}

static void every_allocation_may_fail(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_destroy_world(s.world);
	rbl_collider *mesh = scene_mesh_floor(4.0f, 4);
	int failures = 0;
	for (int n = 0; n < 5000; n += n < 400 ? 1 : 3) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		def.allocator = FAULTY(&memory);
		s.world = NULL;
		bool ok = run(&s, &def, mesh);
		bool failed = atomic_load(&memory.failed);
		if (failed && s.world) { // memory is back: the world goes on
			atomic_store(&memory.allowed, 1000000);
			CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
			CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
			rbl_body_id extra = scene_add(&s, s.ball, 5.0f, 5.0f, 0.0f);
			CHECK(t, rbl_body_exists(s.world, extra));
		}
		rbl_destroy_world(s.world);
		CHECK(t, atomic_load(&memory.live_bytes) == 0 && atomic_load(&memory.live_count) == 0);
		failures += failed;
		if (!failed) {
			CHECK(t, ok);
			break;
		}
	}
	CHECK(t, failures > 50);
	s.world = NULL;
	rbl_destroy_collider(mesh);
	scene_destroy(&s);
}

// Breaking, when memory runs out anywhere: what is lost is counted, and the world goes on.
static void breaking_may_fail(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_destroy_world(s.world);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.cell_count = 12;
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&pattern_def, &pattern);
	const rbl_damage_level level = { .energy = 1.0, .pattern = pattern, .radius = 0.6 };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = &level, rule.level_count = 1;
	rbl_material *material = scene_material(rbl_default_material_values(), &rule, 0.0);
	rbl_box_def box_def = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	rbl_create_box_mesh(&box_def, &mesh);
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &prepare_def, &asset) == RBL_OK);
	int failures = 0;
	for (int n = 0; n < 20000; n += n < 60 ? 1 : 7) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		def.allocator = FAULTY(&memory);
		s.world = NULL;
		if (rbl_create_world(&def, &s.world) == RBL_OK) {
			rbl_body_def body_def = rbl_default_body_def();
			body_def.asset = asset;
			body_def.shared_material = material;
			rbl_body_id body = rbl_create_body(s.world, &body_def);
			for (int i = 0; i < 3; ++i) {
				rbl_body_damage(s.world, body, (rbl_vec3){ 0.5f, 0.5f, 0.5f },
				                (rbl_vec3){ 0.0f, 1.0f, 0.0f }, 0.4f, 10.0f);
				rbl_world_step(s.world, 1.0f / 60.0f);
			}
			atomic_store(&memory.allowed, 1000000);
			for (int i = 0; i < 2; ++i)
				CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
		}
		bool failed = atomic_load(&memory.failed);
		rbl_destroy_world(s.world);
		CHECK(t, atomic_load(&memory.live_bytes) == 0 && atomic_load(&memory.live_count) == 0);
		failures += failed;
		if (!failed)
			break;
	}
	CHECK(t, failures > 60);
	s.world = NULL;
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
	rbl_destroy_pattern(pattern);
	rbl_destroy_material(material);
	scene_destroy(&s);
}

// A box on a floor, and so many bodies elsewhere that arrays are about to grow.
static rbl_body_id add_crowd(scene *s, int count)
{
	scene_add_floor(s);
	rbl_body_id box = scene_add(s, s->box, 0.0f, 0.25f, 0.0f);
	for (int i = 0; i < count; ++i)
		scene_add(s, s->ball, 5.0f + (float)i, 5.0f, 0.0f);
	scene_steps(s, 40);
	return box;
}

// Regression: without memory for its new boxes a body had lost its old ones, and no step could be made
// any more.
static void changes_that_fail_change_nothing(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_destroy_world(s.world);
	int failures = 0;
	for (int i = 0; i < 16 * 5 * 2; ++i) {
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		def.allocator = FAULTY(&memory);
		CHECK(t, rbl_create_world(&def, &s.world) == RBL_OK);
		rbl_body_id box = add_crowd(&s, 52 + i / 10);
		uint64_t hash = rbl_world_hash(s.world);
		int contacts = rbl_world_get_contacts(s.world, NULL, 0);
		atomic_store(&memory.allowed, i % 5);
		rbl_result result = i % 10 < 5 ? rbl_body_set_kind(s.world, box, RBL_BODY_STATIC)
		                               : rbl_body_set_filter(s.world, box, (rbl_filter){ 1, 1, 0 });
		atomic_store(&memory.allowed, 1000000);
		if (result != RBL_OK) {
			failures++;
			CHECK(t, result == RBL_OUT_OF_MEMORY);
			CHECK(t, rbl_world_hash(s.world) == hash);
			CHECK(t, rbl_world_get_contacts(s.world, NULL, 0) == contacts);
			CHECK(t, rbl_body_get_state(s.world, box).kind == RBL_BODY_DYNAMIC);
		}
		CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK_NEAR(t, rbl_body_pose(s.world, box).position.y, 0.25, 0.001);
		rbl_destroy_world(s.world);
	}
	CHECK(t, failures > 5);
	s.world = NULL;
	scene_destroy(&s);
}

// What is asked of a world, by number. @return the result; RBL_OUT_OF_MEMORY for the null id
static rbl_result ask(scene *s, int what, rbl_body_id box, rbl_body_id hidden)
{
	rbl_world *w = s->world;
	rbl_body_def defs[2] = { scene_body(s->ball, 0.0f, 3.0f, 0.0f),
		                     scene_body(s->box, 1.0f, 3.0f, 0.0f) };
	rbl_body_id made[2];
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WELD);
	joint.body_a = box, joint.body_b = hidden;
	switch (what) {
	case 0:
		return rbl_body_id_is_null(rbl_create_body(w, defs)) ? RBL_OUT_OF_MEMORY : RBL_OK;
	case 1:
		return rbl_create_bodies(w, defs, 2, made);
	case 2:
		return rbl_replace_body(w, box, defs, 2, made);
	case 3:
		return rbl_create_joint(w, &joint).generation ? RBL_OK : RBL_OUT_OF_MEMORY;
	case 4:
		return rbl_body_set_enabled(w, hidden, true);
	case 5:
		return rbl_body_set_enabled(w, box, false);
	case 6:
		return rbl_body_set_kind(w, box, RBL_BODY_STATIC);
	case 7:
		return rbl_body_set_filter(w, box, (rbl_filter){ 2, 1, 0 });
	case 8:
		return rbl_body_set_awake(w, box, false);
	case 9:
		return rbl_body_set_pose(w, box, (rbl_transform){ { 0, 2, 0 }, { 0, 0, 0, 1 } });
	default:
		return rbl_destroy_body(w, box);
	}
}

static unsigned char *save(const rbl_world *world, size_t *size)
{
	*size = 0;
	rbl_world_save(world, NULL, size);
	unsigned char *bytes = malloc(*size);
	rbl_world_save(world, bytes, size);
	return bytes;
}

// Whichever allocation of a call fails, the world is the same to the byte, generations of ids included: a recording,
// which is not told of calls that failed, names the same bodies as the world does.
// Regression: ids that a call took and gave back had lived; so had bodies and joints of the solver.
static void calls_that_fail_leave_no_trace(test *t)
{
	enum { WHATS = 11 };
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_destroy_world(s.world);
	int failed[WHATS] = { 0 };
	for (int what = 0; what < WHATS; ++what)
		for (int crowd = 0; crowd < 16; ++crowd)
			for (int n = 0, is_done = 0; !is_done; ++n) {
				faulty_allocator memory;
				faulty_init(&memory, LLONG_MAX / 2);
				def.allocator = FAULTY(&memory);
				CHECK(t, rbl_create_world(&def, &s.world) == RBL_OK);
				rbl_body_def hidden = scene_body(s.ball, 0.1f, 0.5f, 0.0f);
				hidden.is_enabled = false;
				scene_add_floor(&s);
				rbl_body_id other = rbl_create_body(s.world, &hidden);
				rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
				for (int i = 0; i < 4 * crowd; ++i) // until arrays are about to grow
					scene_add(&s, s.ball, 5.0f + (float)i, 5.0f, 0.0f);
				scene_steps(&s, 3);
				size_t size, after;
				unsigned char *before = save(s.world, &size);
				atomic_store(&memory.allowed, n);
				atomic_store(&memory.failing, n % 2 ? 1 : LLONG_MAX);
				rbl_result result = ask(&s, what, box, other);
				bool has_failed = memory.failed;
				faulty_rest(&memory);
				is_done = !has_failed;
				failed[what] += result == RBL_OUT_OF_MEMORY;
				CHECK(t, has_failed || result == RBL_OK);
				unsigned char *now = save(s.world, &after);
				CHECK(t, result != RBL_OUT_OF_MEMORY ||
				             (size == after && memcmp(before, now, size) == 0));
				free(before);
				free(now);
				rbl_destroy_world(s.world);
				CHECK(t, memory.live_bytes == 0);
			}
	for (int what = 0; what < WHATS; ++what)
		CHECK(t, failed[what] > 0);
	s.world = NULL;
	scene_destroy(&s);
}

// A pile that has settled allocates nothing more.
static void a_steady_world_allocates_nothing(test *t)
{
	scene s;
	faulty_allocator memory;
	faulty_init(&memory, 1000000);
	rbl_world_def def = scene_def(&s, 1);
	def.allocator = FAULTY(&memory);
	def.can_sleep = false;
	scene_create(&s, &def);
	scene_add_floor(&s);
	scene_add_pile(&s, 60, 5);
	scene_steps(&s, 240);
	long long before = atomic_load(&memory.total_count);
	scene_steps(&s, 60);
	CHECK(t, atomic_load(&memory.total_count) == before);
	scene_destroy(&s);
	CHECK(t, atomic_load(&memory.live_bytes) == 0);
}

TEST_MAIN(TEST(every_allocation_may_fail), TEST(every_later_allocation_may_fail),
          TEST(breaking_may_fail), TEST(changes_that_fail_change_nothing),
          TEST(calls_that_fail_leave_no_trace), TEST(a_steady_world_allocates_nothing))
