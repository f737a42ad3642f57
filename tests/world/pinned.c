// SPDX-License-Identifier: MIT
// ctest: pinned
// The same bits on every platform and by every compiler: hashes are pinned.

#include "../test.h"
#include "base/hash.h"
#include "breakable.h"
#include "mixed_pile.h"
#include "scaffold.h"
#include "scenes/rigid_world.h"

#define BREAK UINT64_C(0xca26a9f12fbb6264)
#define CONTACTS UINT64_C(0x4601510a4d30275b)
#define SCAFFOLD UINT64_C(0xfa4a5083457124e4)
#define STATES UINT64_C(0x2c100a9f8cd7302f)

// Every state of the pile on the way, in one number: when it changes, so did what a step does.
static void states_have_a_pinned_hash(test *t)
{
	uint64_t hash = mixed_pile_hash(1, 90);
	if (hash != STATES)
		printf("states hash to 0x%016llx\n", (unsigned long long)hash);
	CHECK(t, hash == STATES);
}

// Scenes that benchmark and tests share, each to its own end.
static const struct {
	const char *name;
	int count, steps;
	uint64_t hash;
} scenes[] = {
	{ "pile", 100, 120, UINT64_C(0x7ce9fdb49f243f7a) },
	{ "wall-hit", 6, 60, UINT64_C(0xd5581cd1063ac509) },
	{ "wall-stand", 4, 30, UINT64_C(0xdedc8375fc9f746d) },
	{ "cards", 2, 60, UINT64_C(0x90994c6dd5efcb04) },
	{ "arch", 0, 60, UINT64_C(0x891e098a3df39be1) },
	{ "tower", 0, 60, UINT64_C(0x407f2d43fe0385e6) },
};

static uint64_t scene_hash(const char *name, int count, int steps)
{
	rigid_scene rigid;
	rigid_world w;
	if (!rigid_scene_open(&rigid, name, count))
		return 0;
	uint64_t hash = 0;
	bool ok = rigid_world_open(&w, &rigid, 1, NULL);
	for (int i = 0; ok && i < steps; ++i) {
		ok = rigid_world_step(&w, i);
		hash = hash * 31 + rbl_world_hash(w.world);
	}
	rigid_world_close(&w);
	rigid_scene_close(&rigid);
	return ok ? hash : 0;
}

static void shared_scenes_have_pinned_hashes(test *t)
{
	for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
		uint64_t hash = scene_hash(scenes[i].name, scenes[i].count, scenes[i].steps);
		if (hash != scenes[i].hash)
			printf("%s hashes to 0x%016llx\n", scenes[i].name, (unsigned long long)hash);
		CHECK(t, hash == scenes[i].hash);
	}
}

static void a_scaffold_has_a_pinned_hash(test *t)
{
	float worst;
	uint64_t hash = scaffold_hash(1, 10, &worst);
	if (hash != SCAFFOLD)
		printf("the scaffold hashes to 0x%016llx\n", (unsigned long long)hash);
	CHECK(t, hash == SCAFFOLD);
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

// A block of a metre hits the floor and breaks, and what is left of it is hit once more in the air.
static void a_break_has_a_pinned_hash(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 7);
	scene_add_floor(&b.s);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	def.pose.position.y = 2.0f;
	def.velocity.y = -4.0f;
	rbl_create_body(b.s.world, &def);
	uint64_t hash = 0;
	int before = 0;
	for (int i = 0; i < 60; ++i) {
		if (i == 40) {
			rbl_body_id ids[100], largest = { 0 };
			int count = rbl_world_get_bodies(b.s.world, ids, 100);
			for (int k = 0; k < count && k < 100; ++k) {
				float mass = rbl_body_get_mass(b.s.world, ids[k]).mass;
				if (mass < 1e9f && mass > rbl_body_get_mass(b.s.world, largest).mass)
					largest = ids[k];
			}
			rbl_vec3 centre = rbl_body_get_state(b.s.world, largest).centre;
			CHECK(t, rbl_body_damage(b.s.world, largest, centre, (rbl_vec3){ 0.0f, -1.0f, 0.0f },
			                         INFINITY, 1e6f) == RBL_OK);
			before = count;
		}
		scene_steps(&b.s, 1);
		hash = hash * 31 + rbl_world_hash(b.s.world);
	}
	if (hash != BREAK)
		printf("%d bodies of a break hash to 0x%016llx\n", rbl_world_body_count(b.s.world),
		       (unsigned long long)hash);
	CHECK(t, before > 10 && rbl_world_body_count(b.s.world) > before);
	CHECK(t, hash == BREAK);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(states_have_a_pinned_hash), TEST(shared_scenes_have_pinned_hashes),
          TEST(a_scaffold_has_a_pinned_hash), TEST(contacts_have_a_pinned_hash),
          TEST(a_break_has_a_pinned_hash))
