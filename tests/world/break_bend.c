// SPDX-License-Identifier: MIT
// Hits that are too weak to break bend what has several parts, and all that follows from its shape.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"

enum { PARTS = 20 };

static const rbl_vec3 down = { 0.0f, -1.0f, 0.0f };

typedef struct forge {
	breakable b;
	rbl_mesh *mesh;
	rbl_pattern *grain;
} forge;

// A bar of 4 x 0.2 x 0.4 metres in some twenty parts, that bends from 100 J on and breaks from 1e5.
static rbl_compound *make_bar(test *t, forge *f, bool is_anchored)
{
	rbl_compound_def def = rbl_default_compound_def();
	rbl_compound_part parts[PARTS];
	for (int i = 0; i < PARTS; ++i) {
		rbl_convex_def box = rbl_default_convex_def();
		double x = -2.0 + 4.0 * i / PARTS;
		box.box = (rbl_boxd){ { x, -0.1, -0.2 }, { x + 4.0 / PARTS, 0.1, 0.2 } };
		rbl_convex *convex = NULL;
		CHECK(t, rbl_create_convex(&box, &convex) == RBL_OK);
		parts[i] = (rbl_compound_part){ .convex = convex };
		parts[i].is_anchored = is_anchored && (i == 0 || i == PARTS - 1);
	}
	def.parts = parts;
	def.part_count = PARTS;
	(void)f;
	rbl_compound *made = NULL;
	CHECK(t, rbl_create_compound(&def, &made) == RBL_OK);
	for (int i = 0; i < PARTS; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return made;
}

static void set_rule(forge *f)
{
	f->b.level.energy = 1e5;
	f->b.rule.bend_energy = 100.0;
	f->b.rule.bend_depth = 0.1;
	f->b.rule.bend_radius = 1.2;
	f->b.bond_strength = 1e9; // loads are looked at, and never too much
}

static void make(test *t, forge *f, rbl_vec3 gravity)
{
	*f = (forge){ .mesh = NULL };
	breakable_make(t, &f->b, NULL, gravity, 5);
	set_rule(f);
}

static rbl_body_id add_bar(test *t, forge *f, bool is_anchored, float y)
{
	rbl_body_def def = rbl_default_body_def();
	def.compound = make_bar(t, f, is_anchored);
	breakable_share(&f->b, &def);
	def.pose.position.y = y;
	rbl_body_id id = rbl_create_body(f->b.s.world, &def);
	CHECK(t, !rbl_body_id_is_null(id));
	return id;
}

static void close_forge(forge *f)
{
	breakable_destroy(&f->b);
}

// The lowest point of the bar's parts around x, in its own coordinates.
static double lowest_at(const rbl_world *w, rbl_body_id bar, double x)
{
	const rbl_compound *c = rbl_body_get_compound(w, bar);
	double lowest = 1e9;
	for (int i = 0; i < rbl_compound_get_info(c).part_end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(c, i).convex;
		if (!convex || fabs(rbl_convex_get_mass(convex).centre.x - x) > 0.15)
			continue;
		rbl_convex_data d = rbl_convex_get_data(convex);
		for (int v = 0; v < d.vertex_count; ++v)
			lowest = rbl_mind(lowest, d.vertices[v].y);
	}
	return lowest;
}

static rbl_fracture_event step_to_event(test *t, forge *f, int steps)
{
	for (int i = 0; i < steps; ++i) {
		CHECK(t, rbl_world_step(f->b.s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(f->b.s.world);
		if (e.fracture_count > 0)
			return e.fractures[0];
	}
	return (rbl_fracture_event){ .new_count = -1 };
}

static void a_blow_bends_and_keeps_mass_and_angular_momentum(test *t)
{
	forge f;
	make(t, &f, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_body_id bar = add_bar(t, &f, false, 0.0f);
	rbl_world *w = f.b.s.world;
	CHECK(t, rbl_body_set_velocity(w, bar, (rbl_vec3){ 1.0f, 0.0f, 0.0f },
	                               (rbl_vec3){ 0.1f, 0.2f, 0.3f }) == RBL_OK);
	sums before = breakable_sums(w);
	CHECK(t,
	      rbl_body_damage(w, bar, (rbl_vec3){ 0.0f, 0.1f, 0.0f }, down, INFINITY, 50.0f) == RBL_OK);
	CHECK(t, step_to_event(t, &f, 2).new_count < 0); // too weak
	rbl_vec3 at = rbl_body_get_state(w, bar).centre;
	CHECK(t, rbl_body_damage(w, bar, at, down, INFINITY, 300.0f) == RBL_OK);
	rbl_fracture_event e = step_to_event(t, &f, 2);
	CHECK(t, e.cause == RBL_FRACTURE_BEND && e.survives && e.new_count == 0);
	CHECK(t, e.parent.index == bar.index && rbl_body_exists(w, bar));
	CHECK(t, rbl_world_body_count(w) == 1);
	CHECK_NEAR(t, lowest_at(w, bar, 0.1), -0.1 - 0.19, 0.03);
	CHECK_NEAR(t, lowest_at(w, bar, 1.9), -0.1, 1e-9);
	sums after = breakable_sums(w);
	CHECK_NEAR(t, after.mass / before.mass, 1.0, 1e-6);
	CHECK_NEAR(t, rbl_distance_d(after.momentum, before.momentum) / before.momentum_size, 0.0, 0.1);
	rbl_compound_info info = rbl_compound_get_info(rbl_body_get_compound(w, bar));
	CHECK(t, info.part_count == PARTS && info.bond_count == PARTS - 1);
	// It is where it looks: a ray from below meets the dent first.
	rbl_world_hit hit;
	rbl_transform pose = rbl_body_pose(w, bar);
	rbl_vec3 from = rbl_transform_point(pose, (rbl_vec3){ 0.1f, -2.0f, 0.0f });
	rbl_vec3 translation = rbl_rotate(pose.rotation, (rbl_vec3){ 0.0f, 4.0f, 0.0f });
	CHECK(t, rbl_world_cast_ray(w, from, translation, NULL, &hit));
	CHECK_NEAR(t, 4.0 * (double)hit.fraction, 2.0 + lowest_at(w, bar, 0.1), 0.05);
	close_forge(&f);
}

static void a_hit_bends_what_a_harder_one_breaks(test *t)
{
	for (int k = 0; k < 2; ++k) {
		forge f;
		make(t, &f, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
		rbl_body_id bar = add_bar(t, &f, true, 1.0f);
		rbl_body_def ball = scene_body(f.b.s.ball, 0.1f, 1.6f, 0.0f);
		ball.material.density = k ? 8000.0f : 800.0f;
		ball.velocity = (rbl_vec3){ 0.0f, k ? -60.0f : -2.0f, 0.0f };
		ball.is_bullet = true;
		rbl_body_id id = rbl_create_body(f.b.s.world, &ball);
		rbl_fracture_event e = step_to_event(t, &f, 60);
		CHECK(t,
		      e.cause == (k ? RBL_FRACTURE_HIT : RBL_FRACTURE_BEND) && e.other.index == id.index);
		if (k == 0) { // and the ball comes to lie in the dent
			CHECK(t, e.new_count == 0 && lowest_at(f.b.s.world, bar, 0.1) < -0.15);
			scene_steps(&f.b.s, 240);
			CHECK(t, rbl_body_get_state(f.b.s.world, id).centre.y > 0.8f);
			CHECK(t, rbl_length(rbl_body_velocity(f.b.s.world, id)) < 0.2f);
			CHECK(t, rbl_body_get_state(f.b.s.world, bar).kind == RBL_BODY_STATIC);
		}
		close_forge(&f);
	}
}

// A deep dent in stiff parts tears bonds: what comes off are bodies, and all mass is there.
static void what_tears_comes_off(test *t)
{
	forge f;
	make(t, &f, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	f.b.rule.bend_radius = 0.5, f.b.rule.bend_depth = 1.0;
	rbl_body_id bar = add_bar(t, &f, false, 0.0f);
	double mass = breakable_sums(f.b.s.world).mass;
	CHECK(t, rbl_body_damage(f.b.s.world, bar, (rbl_vec3){ 0.1f, 0.0f, 0.0f }, down, INFINITY,
	                         1000.0f) == RBL_OK);
	rbl_fracture_event e = step_to_event(t, &f, 2);
	CHECK(t, e.cause == RBL_FRACTURE_BEND && e.new_count > 0 && e.survives);
	CHECK_NEAR(t, breakable_sums(f.b.s.world).mass / mass, 1.0, 1e-6);
	close_forge(&f);
}

static uint64_t play(test *t, forge *f, rbl_body_id bar, int step)
{
	if (step % 12 == 3)
		rbl_body_damage(f->b.s.world, bar,
		                (rbl_vec3){ -1.5f + 0.3f * (float)(step / 12), 1.0f, 0.0f }, down, INFINITY,
		                150.0f + 40.0f * (float)(step % 7));
	CHECK(t, rbl_world_step(f->b.s.world, 1.0f / 60.0f) == RBL_OK);
	return rbl_world_hash(f->b.s.world);
}

static void count_bytes(void *user, const void *bytes, size_t size)
{
	unsigned char **log = user;
	size_t *used = (size_t *)(void *)log[0];
	memcpy(log[1] + *used, bytes, size);
	*used += size;
}

// Saved, loaded and logged it is the same.
static void it_can_be_saved_and_logged(test *t)
{
	enum { STEPS = 120 };
	static uint64_t hashes[STEPS];
	static unsigned char bytes[100000];
	size_t used = 0;
	unsigned char *log[2] = { (unsigned char *)&used, bytes };
	uint64_t shapes[2] = { 0, 0 };
	for (int run = 0; run < 3; ++run) {
		forge f;
		make(t, &f, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
		scene_add_floor(&f.b.s);
		rbl_body_id bar = add_bar(t, &f, true, 1.0f);
		if (run == 0)
			CHECK(t, rbl_world_log_fractures(f.b.s.world, count_bytes, log) == RBL_OK);
		if (run == 2)
			CHECK(t,
			      used > 0 && rbl_world_apply_fractures(f.b.s.world, bytes, used, NULL) == RBL_OK);
		for (int i = 0; i < STEPS && run < 2; ++i) {
			uint64_t hash = play(t, &f, bar, i);
			CHECK(t, run == 0 || hash == hashes[i]);
			hashes[i] = hash;
			if (run == 0 || i % 9 != 4)
				continue;
			rbl_sources sources = rbl_default_sources();
			sources.patterns = (const rbl_pattern *const *)&f.b.pattern;
			sources.pattern_count = 1;
			size_t size = 0;
			CHECK(t, rbl_world_save(f.b.s.world, NULL, &size) == RBL_OK);
			void *block = malloc(size);
			CHECK(t, rbl_world_save(f.b.s.world, block, &size) == RBL_OK);
			rbl_world_def def = rbl_default_world_def();
			rbl_world *loaded = NULL;
			CHECK(t, rbl_world_load(block, size, &def, &sources, &loaded) == RBL_OK);
			free(block);
			if (!loaded)
				break;
			rbl_destroy_world(f.b.s.world);
			f.b.s.world = loaded;
		}
		CHECK(t, rbl_world_get_stats(f.b.s.world).lost_count == 0);
		const rbl_compound *c = rbl_body_get_compound(f.b.s.world, bar);
		uint64_t shape = 1;
		for (int i = 0; i < rbl_compound_get_info(c).part_end; ++i)
			shape = rbl_hash_number(shape, rbl_compound_get_part(c, i).shape);
		if (run != 1)
			shapes[run / 2] = shape;
		close_forge(&f);
	}
	CHECK(t, shapes[0] == shapes[1]);
}

static void memory_may_run_out(test *t)
{
	int failures = 0;
	bool has_failed = true;
	for (int n = 0; has_failed && n < 3000; ++n) {
		forge f;
		make(t, &f, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_destroy_world(f.b.s.world);
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		rbl_world_def def = rbl_default_world_def();
		def.allocator = FAULTY(&memory);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		CHECK(t, rbl_create_world(&def, &f.b.s.world) == RBL_OK);
		rbl_body_id bar = add_bar(t, &f, false, 0.0f);
		double mass = breakable_sums(f.b.s.world).mass;
		rbl_body_damage(f.b.s.world, bar, (rbl_vec3){ 0.0f, 0.1f, 0.0f }, down, INFINITY, 250.0f);
		atomic_store(&memory.allowed, n);
		rbl_world_step(f.b.s.world, 1.0f / 60.0f);
		has_failed = atomic_load(&memory.failed);
		atomic_store(&memory.allowed, 1000000);
		CHECK(t, rbl_world_step(f.b.s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK_NEAR(t, breakable_sums(f.b.s.world).mass / mass, 1.0, 1e-5);
		rbl_destroy_world(f.b.s.world);
		f.b.s.world = NULL;
		CHECK(t, atomic_load(&memory.live_bytes) == 0);
		close_forge(&f);
		failures += has_failed;
	}
	CHECK(t, failures > 10 && !has_failed);
}

static void rules_are_checked(test *t)
{
	forge f;
	make(t, &f, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	const double bad[] = { -1.0, (double)NAN, (double)INFINITY };
	for (int k = 0; k < 9; ++k) {
		set_rule(&f);
		double *fields[] = { &f.b.rule.bend_energy, &f.b.rule.bend_depth, &f.b.rule.bend_radius };
		*fields[k / 3] = bad[k % 3];
		rbl_body_def def = breakable_def(&f.b, RBL_BODY_DYNAMIC);
		CHECK(t, !def.shared_material);
	}
	close_forge(&f);
}

TEST_MAIN(TEST(a_blow_bends_and_keeps_mass_and_angular_momentum),
          TEST(a_hit_bends_what_a_harder_one_breaks), TEST(what_tears_comes_off),
          TEST(it_can_be_saved_and_logged), TEST(memory_may_run_out), TEST(rules_are_checked))
