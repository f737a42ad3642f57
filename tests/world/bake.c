// SPDX-License-Identifier: MIT
// Debris at rest is baked into static bodies, and released when it must be. Nothing is lost.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"
#include "world/world.h"

enum { SHARDS = 600 };

static void prepare(test *t, breakable *b, float bake_time, int workers)
{
	breakable_prepare(t, b, NULL, 2);
	b->level.energy = 1e9; // only blows break, and then all of it
	b->level.radius = b->rule.radius_limit = 2.0;
	rbl_world_def def = scene_def(&b->s, workers);
	def.bake_time = bake_time;
	scene_create(&b->s, &def);
}

static void make(test *t, breakable *b, float bake_time, int workers)
{
	prepare(t, b, bake_time, workers);
	scene_add_floor(&b->s);
}

// A box falls into pieces.
static void shatter(test *t, breakable *b, float x, float y)
{
	rbl_body_def def = breakable_def(b, RBL_BODY_DYNAMIC);
	def.pose.position = (rbl_vec3){ x, y, 0.0f };
	rbl_body_id body = rbl_create_body(b->s.world, &def);
	CHECK(t, rbl_body_damage(b->s.world, body, def.pose.position, (rbl_vec3){ 0.0f, -1.0f, 0.0f },
	                         INFINITY, 2e9f) == RBL_OK);
}

static int baked_body_count(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST), baked_bodies = 0;
	for (int i = 0; i < count; ++i)
		baked_bodies += rbl_body_get_baked(world, ids[i], NULL, 0) > 0;
	return baked_bodies;
}

// Of all that is or was dynamic.
static double total_mass(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	static rbl_baked_fragment merged[SHARDS];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	double sum = 0.0;
	for (int i = 0; i < count; ++i) {
		sum += (double)rbl_body_get_mass(world, ids[i]).mass;
		int n = rbl_body_get_baked(world, ids[i], merged, SHARDS);
		for (int k = 0; k < n; ++k)
			sum += (double)merged[k].mass;
	}
	return sum;
}

static float highest(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	float top = -FLT_MAX;
	for (int i = 0; i < count; ++i)
		if (rbl_body_get_state(world, ids[i]).kind == RBL_BODY_DYNAMIC ||
		    rbl_body_get_baked(world, ids[i], NULL, 0) > 0)
			top = rbl_maxf(top, rbl_body_bounds(world, ids[i]).upper.y);
	return top;
}

typedef struct counts {
	int merged, released;
} counts;

static counts run(test *t, breakable *b, int steps)
{
	counts c = { 0, 0 };
	for (int i = 0; i < steps; ++i) {
		CHECK(t, rbl_world_step(b->s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b->s.world);
		for (int k = 0; k < e.retire_count; ++k) {
			const rbl_retire_event *event = &e.retires[k];
			c.merged += event->what == RBL_RETIRED_BAKED;
			c.released += event->what == RBL_RETIRED_RELEASED;
			CHECK(t,
			      event->what == RBL_RETIRED_RELEASED || !rbl_body_exists(b->s.world, event->body));
			CHECK(t, event->mass > 0.0f);
		}
	}
	return c;
}

static void print(const char *name, const rbl_world *world)
{
	rbl_world_stats s = rbl_world_get_stats(world);
	printf("%s: %d bodies, %d baked, %d baked bodies, %d awake, %d pairs, %d touches, %zu bytes\n",
	       name, s.body_count, s.baked_count, baked_body_count(world), s.awake_count, s.pair_count,
	       s.touching_count, s.bytes);
}

static void settled_debris_is_baked_and_nothing_is_lost(test *t)
{
	breakable b;
	make(t, &b, 0.5f, 1);
	for (int i = 0; i < 4; ++i)
		shatter(t, &b, 0.3f * (float)i, 0.5f + 1.2f * (float)i);
	run(t, &b, 2);
	print("born", b.s.world);
	int debris = rbl_world_get_stats(b.s.world).debris_count;
	double mass = total_mass(b.s.world);
	run(t, &b, 700);
	print("merged", b.s.world);
	rbl_world_stats s = rbl_world_get_stats(b.s.world);
	CHECK(t, s.baked_count >= debris * 9 / 10 && s.body_count < debris / 5);
	CHECK(t, s.baked_count + s.debris_count == debris);
	CHECK_NEAR(t, total_mass(b.s.world) / mass, 1.0, 1e-6);
	breakable_destroy(&b);
}

// The heap of the tests below, merged.
static void make_heap(test *t, breakable *b, int workers)
{
	make(t, b, 0.3f, workers);
	shatter(t, b, 0.0f, 0.5f);
	shatter(t, b, 0.2f, 1.6f);
	run(t, b, 600);
	rbl_world_stats s = rbl_world_get_stats(b->s.world);
	CHECK(t, s.baked_count > 60 && s.awake_count == 0);
}

static void memory_and_work_fall(test *t)
{
	size_t bytes[2];
	int pairs[2], solver_bodies[2];
	for (int k = 0; k < 2; ++k) {
		breakable b;
		make(t, &b, k ? 0.3f : 0.0f, 1);
		shatter(t, &b, 0.0f, 0.5f);
		shatter(t, &b, 0.2f, 1.6f);
		run(t, &b, 600);
		size_t size = 0;
		CHECK(t, rbl_world_save(b.s.world, NULL, &size) == RBL_OK); // without spare room
		rbl_world_stats s = rbl_world_get_stats(b.s.world);
		bytes[k] = size, pairs[k] = s.pair_count, solver_bodies[k] = s.body_count;
		breakable_destroy(&b);
	}
	printf("%zu to %zu bytes, %d to %d pairs, %d to %d bodies\n", bytes[0], bytes[1], pairs[0],
	       pairs[1], solver_bodies[0], solver_bodies[1]);
	CHECK(t, bytes[1] < bytes[0] && pairs[1] < pairs[0] / 4 && solver_bodies[1] < 20);
}

// What lay on it does not notice.
static void merging_wakes_nothing(test *t)
{
	breakable b;
	make(t, &b, 1.0f, 1);
	shatter(t, &b, 0.0f, 0.5f);
	run(t, &b, 30);
	rbl_body_id crate = scene_add(&b.s, b.s.box, 0.0f, 2.0f, 0.0f);
	bool sleeps = false;
	int merged = 0;
	for (int i = 0; i < 600; ++i) {
		merged += run(t, &b, 1).merged;
		bool is_awake = rbl_body_is_awake(b.s.world, crate);
		CHECK(t, merged == 0 || !sleeps || !is_awake);
		sleeps = !is_awake;
	}
	CHECK(t, sleeps && merged > 20);
	breakable_destroy(&b);
}

static void baked_debris_can_be_hit_and_seen(test *t)
{
	breakable b;
	make_heap(t, &b, 1);
	// Every fragment is found by a ray from above its centre or has another above it, and the boxes
	// of the baked body are where the fragments are.
	static rbl_body_id ids[BREAKABLE_MOST];
	static rbl_baked_fragment merged[SHARDS];
	int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST), seen = 0;
	for (int i = 0; i < count; ++i) {
		int n = rbl_body_get_baked(b.s.world, ids[i], merged, SHARDS);
		for (int k = 0; k < n; ++k) {
			rbl_mass mass = rbl_compound_get_visual_mass(merged[k].compound);
			rbl_vec3 centre = rbl_transform_point(merged[k].pose, rbl_to_f(mass.centre));
			rbl_vec3 from = centre;
			from.y = 10.0f;
			rbl_world_hit hits[64];
			int found =
				rbl_world_cast_ray_all(b.s.world, from, (rbl_vec3){ 0, -11, 0 }, NULL, hits, 64);
			for (int h = 0; h < found && h < 64; ++h)
				seen += hits[h].body.index == ids[i].index && hits[h].part == merged[k].part;
			CHECK_NEAR(t, merged[k].mass, 1000.0 * mass.volume, 1e-3 * mass.volume * 1000.0);
			CHECK(t, merged[k].fragment > 0);
		}
	}
	CHECK(t, seen >= rbl_world_get_stats(b.s.world).baked_count * 9 / 10);
	// Things fall on it and stay there.
	float top = highest(b.s.world);
	for (int i = 0; i < 5; ++i)
		scene_add(&b.s, b.s.ball, 0.1f * (float)i - 0.2f, top + 1.0f + 0.6f * (float)i, 0.0f);
	run(t, &b, 300);
	count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
	for (int i = 0; i < count; ++i)
		if (rbl_body_get_state(b.s.world, ids[i]).kind == RBL_BODY_DYNAMIC)
			CHECK(t, rbl_body_get_state(b.s.world, ids[i]).centre.y > -0.02f);
	breakable_destroy(&b);
}

// What it lay on goes: it falls.
static void baked_debris_does_not_hang_in_the_air(test *t)
{
	breakable b;
	make(t, &b, 0.3f, 1);
	rbl_body_def table = scene_body(b.s.floor, 0.0f, 4.5f, 0.0f);
	table.kind = RBL_BODY_STATIC;
	rbl_body_id board = rbl_create_body(b.s.world, &table);
	shatter(t, &b, 0.0f, 5.5f);
	shatter(t, &b, 0.1f, 6.6f);
	counts c = run(t, &b, 600);
	CHECK(t, c.merged >= 60);
	int debris = rbl_world_get_stats(b.s.world).debris_count + c.merged - c.released;
	CHECK(t, rbl_destroy_body(b.s.world, board) == RBL_OK);
	c = run(t, &b, 900);
	CHECK(t, c.released > 50);
	CHECK(t, highest(b.s.world) < 3.0f);
	rbl_world_stats s = rbl_world_get_stats(b.s.world);
	CHECK(t, s.debris_count + s.baked_count == debris);
	breakable_destroy(&b);
}

// A static body with merged debris on it breaks, is moved, or becomes another kind.
static void what_carries_may_break_move_or_change(test *t)
{
	for (int change = 0; change < 4; ++change) {
		breakable b;
		prepare(t, &b, 0.3f, 1);
		scene_add_floor(&b.s);
		rbl_body_def block = breakable_def(&b, RBL_BODY_STATIC);
		block.pose.position = (rbl_vec3){ 0.0f, 3.5f, 0.0f };
		rbl_body_id base = rbl_create_body(b.s.world, &block);
		shatter(t, &b, 0.0f, 4.51f);
		counts c = run(t, &b, 500);
		float top = highest(b.s.world);
		CHECK(t, c.merged > 5 && top > 4.0f);
		rbl_transform away = { { 40.0f, 3.5f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
		if (change == 0)
			rbl_body_damage(b.s.world, base, (rbl_vec3){ 0.0f, 3.5f, 0.0f },
			                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f);
		else if (change == 1)
			rbl_body_set_pose(b.s.world, base, away);
		else if (change == 2)
			rbl_body_set_kind(b.s.world, base, RBL_BODY_DYNAMIC);
		else
			rbl_body_set_enabled(b.s.world, base, false);
		c = run(t, &b, 600);
		CHECK(t, c.released > 5 && highest(b.s.world) < (change == 2 ? 2.5f : 1.5f));
		breakable_destroy(&b);
	}
}

static rbl_body_id first_baked_body(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	for (int i = 0; i < count; ++i)
		if (rbl_body_get_baked(world, ids[i], NULL, 0) > 0)
			return ids[i];
	return (rbl_body_id){ 0, 0 };
}

// A hit above the rule's level, a blow and an explosion take it out again, and it breaks.
static void what_is_struck_comes_out_and_breaks(test *t)
{
	for (int cause = 0; cause < 3; ++cause) {
		breakable b;
		make_heap(t, &b, 1);
		double mass = total_mass(b.s.world);
		rbl_body_id baked = first_baked_body(b.s.world);
		rbl_damage_rule rule = rbl_material_get_def(b.material).damage;
		((rbl_damage_level *)(uintptr_t)rule.levels)->energy = 10.0;
		if (cause == 0) {
			rbl_body_def ball = scene_body(b.s.ball, 0.0f, 4.0f, 0.0f);
			ball.velocity = (rbl_vec3){ 0.0f, -40.0f, 0.0f };
			rbl_create_body(b.s.world, &ball);
			mass = total_mass(b.s.world);
		} else if (cause == 1) {
			CHECK(t, rbl_body_damage(b.s.world, baked, (rbl_vec3){ 0.0f, 0.3f, 0.0f },
			                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 0.3f, 100.0f) == RBL_OK);
		} else {
			rbl_explosion blast = rbl_default_explosion();
			blast.radius = 0.5f;
			CHECK(t, rbl_world_explode(b.s.world, &blast) == RBL_OK);
		}
		int broken = 0;
		counts c = { 0, 0 };
		for (int i = 0; i < 60; ++i) {
			counts now = run(t, &b, 1);
			c.merged += now.merged, c.released += now.released;
			broken += rbl_world_get_events(b.s.world).fracture_count;
		}
		CHECK(t, c.released > 0 && (broken > 0 || cause == 2));
		CHECK_NEAR(t, total_mass(b.s.world) / mass, 1.0, 1e-5);
		breakable_destroy(&b);
	}
}

// A body without contacts to what is static moves in.
static void what_moves_by_itself_takes_it_out(test *t)
{
	breakable b;
	make_heap(t, &b, 1);
	rbl_body_def plough = scene_body(b.s.box, -4.0f, 0.3f, 0.0f);
	plough.kind = RBL_BODY_KINEMATIC;
	plough.velocity = (rbl_vec3){ 2.0f, 0.0f, 0.0f };
	rbl_create_body(b.s.world, &plough);
	counts c = run(t, &b, 240);
	CHECK(t, c.released > 3);
	breakable_destroy(&b);
}

// What was merged lies on things no longer when another way is down.
static void another_gravity_takes_it_out(test *t)
{
	breakable b;
	make_heap(t, &b, 1);
	double mass = total_mass(b.s.world);
	CHECK(t, baked_body_count(b.s.world) > 0);
	CHECK(t, rbl_world_set_gravity(b.s.world, (rbl_vec3){ 0.0f, 5.0f, 0.0f }) == RBL_OK);
	CHECK(t, baked_body_count(b.s.world) == 0);
	CHECK_NEAR(t, total_mass(b.s.world) / mass, 1.0, 1e-5);
	scene_steps(&b.s, 60);
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
	for (int i = 0; i < count; ++i)
		CHECK(t, rbl_body_get_state(b.s.world, ids[i]).kind == RBL_BODY_STATIC ||
		             rbl_body_velocity(b.s.world, ids[i]).y > 1.0f);
	breakable_destroy(&b);
}

static void calls_on_what_holds_debris(test *t)
{
	breakable b;
	make_heap(t, &b, 1);
	rbl_world *w = b.s.world;
	rbl_body_id baked = first_baked_body(w);
	int fragments = rbl_body_get_baked(w, baked, NULL, 0);
	CHECK(t,
	      rbl_body_get_state(w, baked).kind == RBL_BODY_STATIC && !rbl_body_get_compound(w, baked));
	CHECK(t, rbl_body_set_kind(w, baked, RBL_BODY_DYNAMIC) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_set_kind(w, baked, RBL_BODY_KINEMATIC) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_set_kind(w, baked, RBL_BODY_STATIC) == RBL_OK);
	rbl_filter filter = { 2, UINT32_MAX, 0 };
	CHECK(t, rbl_body_set_filter(w, baked, filter) == RBL_OK);
	CHECK(t, rbl_body_set_material(
				 w, baked, (rbl_material_values){ .friction = 0.3f, .density = 1.0f }) == RBL_OK);
	CHECK(t, rbl_body_set_enabled(w, baked, false) == RBL_OK);
	run(t, &b, 5);
	CHECK(t, rbl_body_set_enabled(w, baked, true) == RBL_OK);
	run(t, &b, 5);
	CHECK(t, rbl_world_shift_origin(w, (rbl_vec3){ 64.0f, 0.0f, 0.0f }) == RBL_OK);
	run(t, &b, 5);
	CHECK(t, rbl_body_get_baked(w, baked, NULL, 0) == fragments);
	CHECK(t, rbl_body_get_baked(NULL, baked, NULL, 0) == 0);
	CHECK(t, rbl_destroy_body(w, baked) == RBL_OK);
	CHECK(t, rbl_body_get_baked(w, baked, NULL, 0) == 0);
	run(t, &b, 60);
	breakable_destroy(&b);
}

static uint64_t play(test *t, breakable *b, int step)
{
	if (step == 300 || step == 500) {
		rbl_body_def ball = scene_body(b->s.ball, 0.05f, 4.0f, 0.0f);
		ball.velocity = (rbl_vec3){ 0.0f, -30.0f, 0.0f };
		rbl_create_body(b->s.world, &ball);
	}
	run(t, b, 1);
	return rbl_world_hash(b->s.world);
}

// Saved at any step, also right after pieces were merged, and with any number of workers.
static void saved_and_loaded_it_goes_on_the_same(test *t)
{
	enum { STEPS = 560, EVERY = 20 };
	static uint64_t hashes[STEPS];
	for (int workers = 1; workers <= 3; workers += 2) {
		breakable b;
		make(t, &b, 0.2f, workers);
		b.level.energy = 60.0;
		shatter(t, &b, 0.0f, 0.5f);
		int merged = 0, loads = 0;
		for (int i = 0; i < STEPS; ++i) {
			uint64_t hash = play(t, &b, i);
			CHECK(t, workers == 1 || hash == hashes[i]);
			hashes[i] = hash;
			rbl_events e = rbl_world_get_events(b.s.world);
			bool has_news = e.retire_count > 0;
			merged += has_news;
			if (workers == 1 || !(has_news || i % EVERY == 0))
				continue;
			// The loaded world takes its place, and goes on.
			rbl_sources sources = rbl_default_sources();
			sources.patterns = (const rbl_pattern *const *)&b.pattern;
			sources.pattern_count = 1;
			sources.assets = (const rbl_asset *const *)&b.asset;
			sources.asset_count = 1;
			size_t size = 0, again = 0;
			CHECK(t, rbl_world_save(b.s.world, NULL, &size) == RBL_OK);
			unsigned char *bytes = malloc(size), *copy = malloc(size);
			CHECK(t, rbl_world_save(b.s.world, bytes, &size) == RBL_OK);
			rbl_world_def def = rbl_default_world_def();
			def.jobs = b.s.jobs;
			rbl_world *loaded = NULL;
			CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
			again = size;
			CHECK(t, loaded && rbl_world_save(loaded, copy, &again) == RBL_OK && again == size &&
			             memcmp(bytes, copy, size) == 0);
			free(bytes), free(copy);
			if (!loaded)
				break;
			rbl_destroy_world(b.s.world);
			b.s.world = loaded;
			loads++;
		}
		CHECK(t, merged > 5 && (workers == 1 || loads > 30));
		breakable_destroy(&b);
	}
}

// Memory that runs out while debris goes in and comes out: it does later, and nothing is lost.
static void memory_may_run_out(test *t)
{
	breakable b;
	make(t, &b, 0.1f, 1);
	rbl_destroy_world(b.s.world);
	int failures = 0;
	bool has_failed = true;
	for (int n = 0; has_failed && n < 2000; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		rbl_world_def def = rbl_default_world_def();
		def.allocator = FAULTY(&memory);
		def.bake_time = 0.2f;
		CHECK(t, rbl_create_world(&def, &b.s.world) == RBL_OK);
		scene_add_floor(&b.s);
		shatter(t, &b, 0.0f, 0.5f);
		scene_steps(&b.s, 3);
		static rbl_body_id ids[BREAKABLE_MOST];
		int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
		for (int i = 0; i < count; ++i)
			rbl_body_set_awake(b.s.world, ids[i], false);
		scene_steps(&b.s, 8);
		double mass = total_mass(b.s.world);
		atomic_store(&memory.allowed, n);
		scene_steps(&b.s, 16); // some go in
		rbl_explosion blast = rbl_default_explosion();
		blast.radius = 0.4f;
		rbl_world_explode(b.s.world, &blast);
		scene_steps(&b.s, 2);
		has_failed = atomic_load(&memory.failed);
		atomic_store(&memory.allowed, 1000000);
		for (int i = 0; i < 2; ++i)
			CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK_NEAR(t, total_mass(b.s.world) / mass, 1.0, 1e-6);
		CHECK(t, has_failed || rbl_world_get_stats(b.s.world).baked_count > 0);
		rbl_destroy_world(b.s.world);
		CHECK(t, atomic_load(&memory.live_bytes) == 0);
		failures += has_failed;
	}
	CHECK(t, failures > 10 && !has_failed);
	b.s.world = NULL;
	breakable_destroy(&b);
}

static void the_time_is_checked(test *t)
{
	rbl_world *world = NULL;
	rbl_world_def def = rbl_default_world_def();
	def.bake_time = -1.0f;
	CHECK(t, rbl_create_world(&def, &world) == RBL_BAD_ARGUMENT);
	def.bake_time = NAN;
	CHECK(t, rbl_create_world(&def, &world) == RBL_BAD_ARGUMENT);
}

TEST_MAIN(TEST(settled_debris_is_baked_and_nothing_is_lost), TEST(memory_and_work_fall),
          TEST(merging_wakes_nothing), TEST(baked_debris_can_be_hit_and_seen),
          TEST(baked_debris_does_not_hang_in_the_air), TEST(what_carries_may_break_move_or_change),
          TEST(what_is_struck_comes_out_and_breaks), TEST(what_moves_by_itself_takes_it_out),
          TEST(another_gravity_takes_it_out), TEST(calls_on_what_holds_debris),
          TEST(saved_and_loaded_it_goes_on_the_same), TEST(memory_may_run_out),
          TEST(the_time_is_checked))
