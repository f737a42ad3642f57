// SPDX-License-Identifier: MIT
// ctest: soak
// Heaps of fragments come to rest and sleep.

#include "../test.h"
#include "breakable.h"

// Blocks that break fall on each other, in a heap.
static void drop_blocks(test *t, breakable *b, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_body_def def = breakable_def(b, RBL_BODY_DYNAMIC);
		def.pose.position =
			(rbl_vec3){ 0.3f * (float)(i % 3), 0.6f + 1.2f * (float)i, 0.2f * (float)(i % 2) };
		rbl_body_id body = rbl_create_body(b->s.world, &def);
		CHECK(t, rbl_body_damage(b->s.world, body, def.pose.position,
		                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f) == RBL_OK);
	}
}

// Of all bodies that are on the floor, in joules: the potential energy, and that of the motion of the centres.
static double energy_of(const rbl_world *world)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
	double energy = 0.0;
	for (int i = 0; i < count; ++i) {
		rbl_body_state state = rbl_body_get_state(world, ids[i]);
		if (state.kind != RBL_BODY_DYNAMIC || state.centre.y < -0.5f)
			continue;
		double mass = (double)rbl_body_get_mass(world, ids[i]).mass;
		energy += mass * (9.81 * (double)state.centre.y +
		                  0.5 * (double)rbl_length_squared(state.velocity));
	}
	return energy;
}

// Regression: fragments that continuous collision stopped in every step kept their speed and woke each other for
// ever, and what crept woke its neighbours for half a second every two millimetres. Of some 1,500 fragments 5 to 8
// percent were still awake after twelve seconds. And impulses that held each other on a chip of a gram shot it
// away when one of them ended, at up to a hundred metres per second: a heap got up to 730 J from nowhere, and woke.
static void heaps_of_fragments_fall_asleep(test *t)
{
	int awake = 0, bodies = 0, heaps = test_count(test_repeats(3, 1), 10);
	for (int k = 0; k < heaps; ++k) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, (uint64_t)k + 1);
		scene_add_floor(&b.s);
		drop_blocks(t, &b, 3);
		scene_steps(&b.s, 240);
		double gained = 0.0, energy = energy_of(b.s.world);
		for (int i = 240; i < 720; ++i) {
			scene_steps(&b.s, 1);
			double now = energy_of(b.s.world);
			gained += now > energy ? now - energy : 0.0;
			energy = now;
		}
		rbl_world_stats stats = rbl_world_get_stats(b.s.world);
		printf("awake: %d of %d, %.0f J gained\n", stats.awake_count, stats.body_count, gained);
		CHECK(t, stats.awake_count <= stats.body_count * 3 / 100);
		CHECK(t, gained < 60.0);
		awake += stats.awake_count, bodies += stats.body_count;
		breakable_destroy(&b);
	}
	CHECK(t, bodies > 1000 * heaps && awake <= bodies * 2 / 100);
}

TEST_MAIN(TEST(heaps_of_fragments_fall_asleep))
