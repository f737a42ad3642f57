// SPDX-License-Identifier: MIT
// ctest: soak
// Piles of bricks, plates and fragments sleep soon after nothing moves any more, and stay in place.

#include "../test.h"
#include "breakable.h"

enum { MAX_WATCHED = 4096 };

typedef struct pile_watch {
	rbl_body_id bodies[MAX_WATCHED];
	rbl_vec3 old[MAX_WATCHED];
	int count;
} pile_watch;

// Read where all bodies are. @return the farthest that one has moved since the last time
static float look_at(const rbl_world *world, pile_watch *w)
{
	rbl_body_id bodies[MAX_WATCHED];
	int count = rbl_world_get_bodies(world, bodies, MAX_WATCHED);
	float most = 0.0f;
	for (int i = 0; i < count && i < MAX_WATCHED; ++i) {
		rbl_vec3 now = rbl_body_get_state(world, bodies[i]).centre;
		bool is_same = i < w->count && memcmp(&bodies[i], &w->bodies[i], sizeof bodies[i]) == 0;
		most = rbl_maxf(most, is_same ? rbl_distance(now, w->old[i]) : 1.0f);
		w->bodies[i] = bodies[i];
		w->old[i] = now;
	}
	w->count = rbl_mini(count, MAX_WATCHED);
	return most;
}

// Step until all sleep. All do so within three seconds after the last time that one of them moved
// by more than a millimetre in a step, and then none creeps for a minute.
static void check_sleep(test *t, const char *name, rbl_world *world, int max_steps)
{
	static pile_watch w;
	int last_moved = 0, step = 0, awake = 1;
	w.count = 0;
	look_at(world, &w);
	for (; step < max_steps && awake > 0; ++step) {
		rbl_world_step(world, 1.0f / 60.0f);
		if (look_at(world, &w) > 0.001f)
			last_moved = step;
		awake = rbl_world_get_stats(world).awake_count;
	}
	printf("%s: %d bodies, moved until %.2f s, asleep after %.2f s, %d awake\n", name, w.count,
	       last_moved / 60.0, step / 60.0, awake);
	CHECK(t, awake == 0);
	CHECK(t, step - last_moved <= 180);
	for (int i = 0; i < 3600; ++i)
		rbl_world_step(world, 1.0f / 60.0f);
	CHECK(t, look_at(world, &w) < 1e-4f);
}

// Boxes of one size, in random poses, fall into a heap.
static void drop_boxes(test *t, const char *name, rbl_vec3 half_size, int count, uint64_t seed)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *box = scene_box(half_size.x, half_size.y, half_size.z);
	rbl_random random = rbl_random_from_seed(seed);
	float size = 2.5f * rbl_maxf(half_size.x, rbl_maxf(half_size.y, half_size.z));
	for (int i = 0; i < count; ++i) {
		rbl_body_def body = scene_body(box, size * (float)(i % 4), size * (float)(1 + i / 16),
		                               size * (float)(i / 4 % 4));
		rbl_vec3d axis = rbl_normalize_d(rbl_random_in_ball(&random));
		body.pose.rotation =
			rbl_quat_normalize((rbl_quat){ (float)axis.x, (float)axis.y, (float)axis.z, 0.7f });
		rbl_create_body(s.world, &body);
	}
	check_sleep(t, name, s.world, 1800);
	rbl_destroy_collider(box);
	scene_destroy(&s);
}

static void piles_of_bricks_sleep(test *t)
{
	for (int k = 0; k < test_count(1, 8); ++k)
		drop_boxes(t, "bricks", (rbl_vec3){ 0.12f, 0.035f, 0.06f }, 160, (uint64_t)k + 1);
}

static void piles_of_plates_sleep(test *t)
{
	for (int k = 0; k < test_count(1, 8); ++k)
		drop_boxes(t, "plates", (rbl_vec3){ 0.3f, 0.02f, 0.2f }, 96, (uint64_t)k + 1);
}

static void piles_of_fragments_sleep(test *t)
{
	for (int k = 0; k < test_count(1, 8); ++k) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, (uint64_t)k + 1);
		scene_add_floor(&b.s);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		def.pose.position = (rbl_vec3){ 0.0f, 0.6f, 0.0f };
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		CHECK(t, rbl_body_damage(b.s.world, body, def.pose.position,
		                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f) == RBL_OK);
		check_sleep(t, "fragments", b.s.world, 1800);
		breakable_destroy(&b);
	}
}

TEST_MAIN(TEST(piles_of_bricks_sleep), TEST(piles_of_plates_sleep), TEST(piles_of_fragments_sleep))
