// SPDX-License-Identifier: MIT
// ctest: soak
// Everything breaks at once: thousands of fragments are born in one step.

#include "../test.h"
#include "breakable.h"

static void everything_breaks_at_once(test *t)
{
	int side = test_count(5, 15); // squared: bodies, of some 25 pieces each
	breakable b;
	breakable_prepare(t, &b, NULL, 1);
	rbl_world_def def = scene_def(&b.s, 2);
	def.budget = 0; // all of it in one step
	scene_create(&b.s, &def);
	scene_add_floor(&b.s);
	static rbl_body_id ids[225];
	for (int i = 0; i < side * side; ++i) {
		rbl_body_def body = breakable_def(&b, RBL_BODY_DYNAMIC);
		body.pose.position = (rbl_vec3){ 1.2f * (float)(i % side - side / 2), 0.5f,
			                             1.2f * (float)(i / side - side / 2) };
		ids[i] = rbl_create_body(b.s.world, &body);
	}
	b.level.energy = 1e9;    // only blows break
	b.rule.dust_size = 0.02; // splinters fall through floors
	double mass = breakable_sums(b.s.world).mass;
	scene_steps(&b.s, 2);
	for (int i = 0; i < side * side; ++i)
		CHECK(t, rbl_body_damage(b.s.world, ids[i], rbl_body_get_state(b.s.world, ids[i]).centre,
		                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f) == RBL_OK);
	CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
	rbl_world_stats s = rbl_world_get_stats(b.s.world);
	rbl_events e = rbl_world_get_events(b.s.world);
	CHECK(t, e.fracture_count == side * side && s.breaking_count == 0);
	CHECK(t, s.debris_count >= 20 * side * side);
	CHECK(t, s.debris_count == rbl_world_body_count(b.s.world) - side * side - 1);
	double dust = 0.0;
	for (int i = 0; i < e.fracture_count; ++i)
		for (int k = 0; k < e.fractures[i].dust_count; ++k)
			dust += 1000.0 * e.fractures[i].dust[k].volume;
	// All of it is there, rests, and takes no more memory than so many bodies with their contacts may.
	for (int i = 0; i < 240; ++i)
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
	s = rbl_world_get_stats(b.s.world);
	CHECK_NEAR(t, (breakable_sums(b.s.world).mass + dust) / mass, 1.0, 1e-5);
	// Nothing is pressed through the floor.
	static rbl_body_id all[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(b.s.world, all, BREAKABLE_MOST), fallen = 0;
	for (int i = 0; i < count; ++i)
		fallen += rbl_body_get_state(b.s.world, all[i]).centre.y < -0.5f;
	CHECK(t, fallen == 0);
	CHECK(t, s.lost_count == 0 && s.bytes < (size_t)s.body_count * 20000 + 4000000);
	printf("%d fragments, %zu bytes, %d awake\n", s.debris_count, s.bytes, s.awake_count);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(everything_breaks_at_once))
