// SPDX-License-Identifier: MIT
// ctest: soak
// Structures that lose their support collapse; others stand.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"

enum { TILES = 6, COLUMN_PARTS = 3, MOST_PARTS = 64 };

// A roof of 6 x 6 m on four columns of 3 m, all of convexes that touch. Columns stand on anchors.
typedef struct building {
	breakable b;
	rbl_convex *convexes[MOST_PARTS];
	rbl_compound_part parts[MOST_PARTS];
	int count;
	rbl_body_id body;
} building;

static void add_part(test *t, building *h, rbl_vec3d lower, rbl_vec3d upper, bool is_anchored)
{
	rbl_convex_def def = rbl_default_convex_def();
	def.box = (rbl_boxd){ lower, upper };
	CHECK(t, rbl_create_convex(&def, &h->convexes[h->count]) == RBL_OK);
	h->parts[h->count] =
		(rbl_compound_part){ .convex = h->convexes[h->count], .is_anchored = is_anchored };
	h->count++;
}

static void make(test *t, building *h, double bond_strength, int workers)
{
	*h = (building){ .count = 0 };
	breakable_prepare(t, &h->b, NULL, 1);
	h->b.bond_strength = bond_strength;
	h->b.level.energy = 1e5; // a column that falls over is no hit
	rbl_world_def world_def = scene_def(&h->b.s, workers);
	scene_create(&h->b.s, &world_def);
	scene_add_floor(&h->b.s);
	for (int column = 0; column < 4; ++column) {
		double x = column % 2 ? 5.0 : 0.5, z = column / 2 ? 5.0 : 0.5;
		for (int k = 0; k < COLUMN_PARTS; ++k)
			add_part(t, h, (rbl_vec3d){ x, k, z }, (rbl_vec3d){ x + 0.5, k + 1.0, z + 0.5 },
			         k == 0);
	}
	for (int i = 0; i < TILES * TILES; ++i)
		add_part(t, h, (rbl_vec3d){ i % TILES, 3.0, i / TILES },
		         (rbl_vec3d){ i % TILES + 1.0, 3.3, i / TILES + 1.0 }, false);
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = h->parts, def.part_count = h->count;
	rbl_compound *compound = NULL;
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
	CHECK(t, rbl_compound_get_info(compound).bond_count == 4 * 2 + 4 + 2 * TILES * (TILES - 1));
	rbl_body_def body = breakable_def(&h->b, RBL_BODY_DYNAMIC);
	body.asset = NULL, body.compound = compound;
	body.material.density = 2400.0f;
	breakable_share(&h->b, &body);
	h->body = rbl_create_body(h->b.s.world, &body);
	CHECK(t, rbl_body_get_state(h->b.s.world, h->body).kind == RBL_BODY_STATIC);
}

static void destroy(building *h)
{
	for (int i = 0; i < h->count; ++i)
		rbl_destroy_convex(h->convexes[i]);
	breakable_destroy(&h->b);
}

static double highest(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	double top = 0.0;
	for (int i = 0; i < count; ++i)
		top = rbl_maxd(top, (double)rbl_body_bounds(world, ids[i]).upper.y);
	return top;
}

static const double strength = 1e6;

static void the_undisturbed_building_stands(test *t)
{
	building h;
	make(t, &h, strength, 1);
	int seconds = test_count(20, 60);
	for (int step = 0; step < 60 * seconds; ++step) {
		CHECK(t, rbl_world_step(h.b.s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK(t, rbl_world_get_events(h.b.s.world).fracture_count == 0);
	}
	CHECK(t, rbl_world_get_stats(h.b.s.world).failed_bond_count == 0);
	CHECK(t, rbl_world_body_count(h.b.s.world) == 2);
	destroy(&h);
}

// The mass of bodies whose centres are higher than that, in kilograms.
static double mass_above(const rbl_world *world, float height)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	double mass = 0.0;
	for (int i = 0; i < count; ++i)
		if (rbl_body_get_state(world, ids[i]).centre.y > height)
			mass += (double)rbl_body_get_mass(world, ids[i]).mass;
	return mass;
}

// A column is shot away. A tile may come to lie on what is left of another.
static void a_roof_without_a_column_collapses(test *t)
{
	uint64_t hashes[2];
	for (int run = 0; run < 2; ++run) {
		building h;
		make(t, &h, strength, 1 + run);
		rbl_world *world = h.b.s.world;
		scene_steps(&h.b.s, 60);
		CHECK(t, rbl_world_get_stats(world).failed_bond_count == 0);
		CHECK(t, rbl_body_damage(world, h.body, (rbl_vec3){ 0.75f, 1.8f, 0.75f },
		                         (rbl_vec3){ 1.0f, 0.0f, 0.0f }, 0.8f, 2e5f) == RBL_OK);
		int first = -1, down = -1;
		for (int step = 0; step < 600 && down < 0; ++step) {
			CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
			rbl_events e = rbl_world_get_events(world);
			for (int i = 0; i < e.fracture_count; ++i)
				if (e.fractures[i].cause == RBL_FRACTURE_LOAD && first < 0)
					first = step;
			if (step % 10 == 0 && first >= 0 && mass_above(world, 2.5f) < 2600.0) // a tenth of it
				down = step;
		}
		CHECK(t, first >= 0 && first <= 120);
		CHECK(t, down >= 0 && down <= 600);
		CHECK(t, rbl_world_get_stats(world).failed_bond_count > 0);
		hashes[run] = rbl_world_hash(world);
		destroy(&h);
	}
	CHECK(t, hashes[0] == hashes[1]);
}

// What lies on a roof counts: crates that it bears, and one that it does not.
static void a_heavy_load_brings_the_roof_down(test *t)
{
	for (int heavy = 0; heavy < 2; ++heavy) {
		building h;
		make(t, &h, strength, 1);
		rbl_world *world = h.b.s.world;
		rbl_body_def crate = scene_body(h.b.s.box, 3.0f, 3.56f, 3.0f);
		crate.material.density = heavy ? 4e5f : 4e3f; // 50 t, 500 kg
		rbl_body_id body = rbl_create_body(world, &crate);
		for (int step = 0; step < 300; ++step)
			CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		bool failed = rbl_world_get_stats(world).failed_bond_count > 0;
		CHECK(t, failed == (heavy > 0));
		CHECK(t, (rbl_body_pose(world, body).position.y < 2.0f) == (heavy > 0));
		destroy(&h);
	}
}

static void a_building_that_is_too_weak_collapses(test *t)
{
	building h;
	make(t, &h, 1e5, 1);
	CHECK(t, rbl_world_get_stats(h.b.s.world).failed_bond_count == 0);
	scene_steps(&h.b.s, 240);
	CHECK(t, rbl_world_get_stats(h.b.s.world).failed_bond_count > 0);
	CHECK(t, highest(h.b.s.world) < 3.25);
	destroy(&h);
}

// Memory runs out anywhere: nothing leaks, and the world goes on.
static void memory_may_run_out(test *t)
{
	building h;
	make(t, &h, 1e5, 1);
	int failures = 0;
	for (int n = 0; n < 4000; n += 5) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_world_def def = rbl_default_world_def();
		def.allocator = FAULTY(&memory);
		rbl_compound_def compound_def = rbl_default_compound_def();
		compound_def.parts = h.parts, compound_def.part_count = h.count;
		rbl_world *world = NULL;
		if (rbl_create_world(&def, &world) == RBL_OK) {
			rbl_body_def body = breakable_def(&h.b, RBL_BODY_DYNAMIC);
			body.asset = NULL;
			CHECK(t, rbl_create_compound(&compound_def, &body.compound) == RBL_OK);
			if (rbl_body_id_is_null(rbl_create_body(world, &body)))
				rbl_destroy_compound(body.compound);
			for (int i = 0; i < 4; ++i)
				rbl_world_step(world, 1.0f / 60.0f);
			atomic_store(&memory.allowed, 1000000);
			for (int i = 0; i < 2; ++i)
				CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		}
		bool failed = atomic_load(&memory.failed);
		rbl_destroy_world(world);
		CHECK(t, atomic_load(&memory.live_bytes) == 0);
		failures += failed;
		if (!failed)
			break;
	}
	CHECK(t, failures > 10);
	destroy(&h);
}

// Regression: what stands on anchored parts fell when it was told to be dynamic once more.
static void an_anchored_building_stays_whatever_kind_it_is_given(test *t)
{
	building h;
	make(t, &h, 0.0, 1);
	float y = rbl_body_pose(h.b.s.world, h.body).position.y;
	CHECK(t, rbl_body_set_kind(h.b.s.world, h.body, RBL_BODY_KINEMATIC) == RBL_OK);
	CHECK(t, rbl_body_get_state(h.b.s.world, h.body).kind == RBL_BODY_KINEMATIC);
	CHECK(t, rbl_body_set_kind(h.b.s.world, h.body, RBL_BODY_DYNAMIC) == RBL_OK);
	CHECK(t, rbl_body_get_state(h.b.s.world, h.body).kind == RBL_BODY_STATIC);
	scene_steps(&h.b.s, 30);
	CHECK(t, rbl_body_pose(h.b.s.world, h.body).position.y == y);
	destroy(&h);
}

TEST_MAIN(TEST(the_undisturbed_building_stands), TEST(a_roof_without_a_column_collapses),
          TEST(a_heavy_load_brings_the_roof_down), TEST(a_building_that_is_too_weak_collapses),
          TEST(an_anchored_building_stays_whatever_kind_it_is_given), TEST(memory_may_run_out))
