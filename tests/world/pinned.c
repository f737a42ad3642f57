// SPDX-License-Identifier: MIT
// The same bits on every platform and by every compiler: hashes are pinned.

#include "../test.h"
#include "base/hash.h"
#include "mixed_pile.h"

#define CONTACTS UINT64_C(0x3659ac95b4c83b92)
#define STATES UINT64_C(0xd99c7884e4fab42d)

// Every state of the pile on the way, in one number: when it changes, so did what a step does.
static void states_have_a_pinned_hash(test *t)
{
	uint64_t hash = mixed_pile_hash(1, 90);
	if (hash != STATES)
		printf("states hash to 0x%016llx\n", (unsigned long long)hash);
	CHECK(t, hash == STATES);
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

TEST_MAIN(TEST(states_have_a_pinned_hash), TEST(contacts_have_a_pinned_hash))
