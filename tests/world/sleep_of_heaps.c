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

// Regression: fragments that continuous collision stopped in every step kept their speed and woke each other for
// ever, and what crept woke its neighbours for half a second every two millimetres. Of some 1,500 fragments 5 to 8
// percent were still awake after twelve seconds. Single heaps differ much, so several are judged together.
static void heaps_of_fragments_fall_asleep(test *t)
{
	int awake = 0, bodies = 0;
	for (int k = 0; k < test_count(3, 10); ++k) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, (uint64_t)k + 1);
		scene_add_floor(&b.s);
		drop_blocks(t, &b, 3);
		scene_steps(&b.s, 720);
		rbl_world_stats stats = rbl_world_get_stats(b.s.world);
		printf("awake: %d of %d\n", stats.awake_count, stats.body_count);
		CHECK(t, stats.awake_count <= stats.body_count * 8 / 100);
		awake += stats.awake_count, bodies += stats.body_count;
		breakable_destroy(&b);
	}
	CHECK(t, bodies > 3000 && awake <= bodies * 3 / 100);
}

TEST_MAIN(TEST(heaps_of_fragments_fall_asleep))
