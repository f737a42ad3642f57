// SPDX-License-Identifier: MIT
// ctest: threads soak
// The same bits for any number of workers, and on every platform: hashes are pinned.

#include "../test.h"
#include "base/kernel.h"
#include "base/hash.h"
#include "scene.h"

#define CONTACTS UINT64_C(0x0c402384bd2ca09e)

// A pile with everything in it: hulls, balls, capsules, a mesh floor, a joint, births and deaths.
static uint64_t run(int worker_count, int step_count)
{
	scene s;
	rbl_world_def def = scene_def(&s, worker_count);
	scene_create(&s, &def);
	rbl_collider *floor = scene_mesh_floor(20.0f, 10);
	rbl_body_def floor_def = scene_body(floor, 0.0f, 0.0f, 0.0f);
	floor_def.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &floor_def);
	scene_add_pile(&s, 150, 1);
	for (int i = 0; i < 30; ++i)
		scene_add(&s, i & 1 ? s.ball : s.capsule, 0.3f * (float)(i % 7), 5.0f + 0.5f * (float)i,
		          0.4f * (float)(i % 5));
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	joint.body_a = scene_add(&s, s.box, -2.0f, 1.0f, 0.0f);
	joint.body_b = scene_add(&s, s.box, -2.0f, 2.0f, 0.0f);
	rbl_joint_def_place(s.world, &joint, (rbl_transform){ { -2.0f, 1.5f, 0.0f }, { 0, 0, 0, 1 } });
	rbl_create_joint(s.world, &joint);
	uint64_t hash = 0;
	for (int i = 0; i < step_count; ++i) {
		rbl_world_step(s.world, 1.0f / 60.0f);
		hash = hash * 31 + rbl_world_hash(s.world);
		if (i == 40) {
			rbl_body_id bodies[40];
			rbl_world_get_bodies(s.world, bodies, 40);
			for (int k = 10; k < 20; ++k)
				rbl_destroy_body(s.world, bodies[k]);
			rbl_explosion blast = rbl_default_explosion();
			blast.position = (rbl_vec3){ 1.0f, 0.0f, 1.0f };
			blast.impulse_per_area = 500.0f;
			rbl_world_explode(s.world, &blast);
		}
	}
	scene_destroy(&s);
	rbl_destroy_collider(floor);
	return hash;
}

static void workers_do_not_matter(test *t)
{
	int steps = test_count(90, 600);
	uint64_t one = run(1, steps);
	CHECK(t, one == run(1, steps));
	CHECK(t, one == run(2, steps));
	CHECK(t, one == run(4, steps));
}

static void lanes_do_not_matter(test *t)
{
	rbl_backend best = rbl_best_backend();
	uint64_t hash = run(1, 60);
	for (int i = 0; i < RBL_BACKEND_COUNT; ++i)
		if (rbl_force_backend((rbl_backend)i))
			CHECK(t, run(1, 60) == hash);
	rbl_force_backend(best);
}

// Poses in, contacts out: the hash of all contacts is the same on every platform.
static void contacts_have_a_pinned_hash(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.detects_only = true;
	scene_create(&s, &def);
	rbl_body_id bodies[60];
	rbl_random random = rbl_random_from_seed(8);
	for (int i = 0; i < 60; ++i) {
		const rbl_collider *shapes[4] = { s.box, s.ball, s.capsule, s.hulls[i % SCENE_SHAPES] };
		bodies[i] = scene_add(&s, shapes[i % 4], 0.0f, 0.0f, 0.0f);
	}
	uint64_t sum = 0; // of hashes: the order of contacts is the broad phase's business
	for (int step = 0; step < 20; ++step) {
		for (int i = 0; i < 60; ++i) {
			rbl_vec3d p = rbl_random_in_ball(&random), a = rbl_random_in_ball(&random);
			rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ a.x, a.y, a.z, 0.4 });
			rbl_transform pose = { { (float)p.x, (float)p.y, (float)p.z },
				                   { (float)q.x, (float)q.y, (float)q.z, (float)q.w } };
			rbl_body_set_pose(s.world, bodies[i], pose);
		}
		scene_steps(&s, 1);
		static rbl_contact contacts[4000];
		int count = rbl_world_get_contacts(s.world, contacts, 4000);
		CHECK(t, count > 50 && count <= 4000);
		for (int i = 0; i < count; ++i) {
			const rbl_manifold *m = &contacts[i].manifold;
			uint64_t pair = (uint64_t)contacts[i].body_a.index << 32 | contacts[i].body_b.index;
			uint64_t hash = rbl_hash_number(RBL_HASH_START, pair);
			hash = rbl_hash_bytes(hash, &m->normal, sizeof m->normal);
			sum += rbl_hash_bytes(hash, m->points, (size_t)m->point_count * sizeof *m->points);
		}
	}
	if (sum != CONTACTS)
		printf("contacts hash to 0x%016llx\n", (unsigned long long)sum);
	CHECK(t, sum == CONTACTS);
	scene_destroy(&s);
}

TEST_MAIN(TEST(workers_do_not_matter), TEST(lanes_do_not_matter), TEST(contacts_have_a_pinned_hash))
