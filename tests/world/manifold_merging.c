// SPDX-License-Identifier: MIT
// Two bodies that touch with many parts: few contacts, the same rest, and nothing wakes.
//
// ctest: threads

#include "../test.h"
#include "scene.h"

#include "world/world.h"

enum { SIDE = 8, PARTS = SIDE * SIDE, PLATES = 5 };

// A plate of boxes that overlap each other by 2 cm, 4 x 0.5 x 4 m.
typedef struct plates {
	scene s;
	rbl_collider *tile, *plate;
	rbl_collider_child children[PARTS];
	rbl_body_id bodies[PLATES];
} plates;

static void make(plates *p, int workers)
{
	rbl_world_def def = scene_def(&p->s, workers);
	scene_create(&p->s, &def);
	scene_add_floor(&p->s);
	p->tile = scene_box(0.26f, 0.25f, 0.26f);
	for (int i = 0; i < PARTS; ++i) {
		p->children[i] =
			(rbl_collider_child){ .collider = p->tile, .pose = rbl_transform_identity() };
		p->children[i].pose.position =
			(rbl_vec3){ 0.5f * (float)(i % SIDE) - 1.75f, 0.0f, 0.5f * (float)(i / SIDE) - 1.75f };
	}
	rbl_collider_def compound = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	compound.children = p->children, compound.child_count = PARTS;
	rbl_create_collider(&compound, &p->plate);
}

static void destroy(plates *p)
{
	scene_destroy(&p->s);
	rbl_destroy_collider(p->plate);
	rbl_destroy_collider(p->tile);
}

// Lists are rings in the order of records, all of the same bodies; the first alone is looked at.
static void check_lists(test *t, const rbl_world *world)
{
	int wrong = 0;
	for (int i = 0; i < world->pair_end; ++i) {
		const rbl_pair_record *pair = &world->pairs[i];
		if (pair->a == RBL_NONE || !(pair->flags & RBL_PAIR_MERGED))
			continue;
		int next = world->links[i].next_merged;
		int a = world->hot_parts[pair->a].body, b = world->hot_parts[pair->b].body;
		int c = world->hot_parts[world->pairs[next].a].body;
		int d = world->hot_parts[world->pairs[next].b].body;
		bool is_last = next <= i;
		wrong += world->links[next].previous_merged != i;
		wrong += !((a == c && b == d) || (a == d && b == c));
		wrong += rbl_bit_set_has(&world->follower_pairs, next) == is_last;
	}
	CHECK(t, wrong == 0);
}

// Every part touches, and tells so; four points carry all of them.
static void a_plate_of_many_parts_lies_on_four_points(test *t)
{
	plates p;
	make(&p, 1);
	rbl_body_id plate = scene_add(&p.s, p.plate, 0.0f, 0.26f, 0.0f);
	rbl_collider *whole = scene_box(2.01f, 0.25f, 2.01f);
	rbl_body_id slab = scene_add(&p.s, whole, 10.0f, 0.26f, 0.0f);
	int begun = 0;
	for (int i = 0; i < 25; ++i) {
		scene_steps(&p.s, 1);
		rbl_events e = rbl_world_get_events(p.s.world);
		for (int k = 0; k < e.begin_count; ++k)
			begun +=
				e.begins[k].body_a.index == plate.index || e.begins[k].body_b.index == plate.index;
	}
	CHECK(t, begun == PARTS);
	CHECK(t, rbl_body_get_contacts(p.s.world, plate, NULL, 0) == PARTS);
	rbl_solver_counts counts = rbl_solver_count(p.s.world->solver);
	CHECK(t, counts.awake_contacts == 2); // the plate's and the slab's
	float y = rbl_body_pose(p.s.world, plate).position.y;
	CHECK_NEAR(t, y, rbl_body_pose(p.s.world, slab).position.y, 2e-4f);
	CHECK_NEAR(t, y, 0.25f, 5e-4f);
	float impulse = 0.0f;
	static rbl_contact contacts[PARTS];
	rbl_body_get_contacts(p.s.world, plate, contacts, PARTS);
	for (int i = 0; i < PARTS; ++i)
		impulse += contacts[i].impulse;
	float weight = 9.81f * rbl_body_get_mass(p.s.world, plate).mass;
	CHECK_NEAR(t, impulse * 60.0f * 16.0f, weight, 0.02f * weight);
	scene_steps(&p.s, 100);
	CHECK(t, !rbl_body_is_awake(p.s.world, plate) && !rbl_body_is_awake(p.s.world, slab));
	check_lists(t, p.s.world);
	rbl_destroy_body(p.s.world, slab);
	rbl_destroy_collider(whole);
	destroy(&p);
}

static void drop_plates(plates *p, int steps, uint64_t *hash)
{
	for (int i = 0; i < PLATES; ++i) {
		rbl_body_def def =
			scene_body(p->plate, 0.3f * (float)(i % 2), 1.0f + (float)i, 0.2f * (float)(i % 3));
		def.angular_velocity = (rbl_vec3){ 0.3f, 0.5f, -0.4f };
		p->bodies[i] = rbl_create_body(p->s.world, &def);
	}
	for (int i = 0; i < steps; ++i) {
		scene_steps(&p->s, 1);
		*hash = rbl_hash_number(*hash, rbl_world_hash(p->s.world));
	}
}

// Sixty-four parts on sixty-four: thousands of points would come to rest no better.
static void plates_fall_upon_each_other_and_rest(test *t)
{
	plates p;
	uint64_t hash = RBL_HASH_START;
	make(&p, 1);
	drop_plates(&p, 400, &hash);
	for (int i = 0; i < PLATES; ++i) {
		CHECK_NEAR(t, rbl_body_pose(p.s.world, p.bodies[i]).position.y, 0.25f + 0.5f * (float)i,
		           0.003f);
		CHECK(t, !rbl_body_is_awake(p.s.world, p.bodies[i]));
	}
	rbl_solver_counts counts = rbl_solver_count(p.s.world->solver);
	CHECK(t, counts.awake_contacts + counts.sleeping_contacts <= PLATES + 4);
	check_lists(t, p.s.world);
	destroy(&p);
}

static void the_same_bits_for_any_number_of_workers(test *t)
{
	uint64_t hashes[3];
	for (int i = 0; i < 3; ++i) {
		plates p;
		hashes[i] = RBL_HASH_START;
		make(&p, 1 << i);
		drop_plates(&p, 120, &hashes[i]);
		destroy(&p);
	}
	CHECK(t, hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

// The points of a list are few, but a hit is told of the part that was struck.
static void a_hit_names_the_part_that_was_struck(test *t)
{
	for (int part = 0; part < PARTS; part += 7) {
		plates p;
		make(&p, 1);
		rbl_body_def def = scene_body(p.plate, 0.0f, 5.0f, 0.0f);
		def.kind = RBL_BODY_STATIC;
		rbl_body_id plate = rbl_create_body(p.s.world, &def);
		rbl_vec3 at = p.children[part].pose.position;
		def = scene_body(p.s.box, at.x, 6.0f, at.z);
		def.velocity.y = -5.0f;
		rbl_create_body(p.s.world, &def);
		bool is_told = false;
		for (int i = 0; i < 20 && !is_told; ++i) {
			scene_steps(&p.s, 1);
			rbl_events e = rbl_world_get_events(p.s.world);
			is_told = e.hit_count > 0;
			for (int k = 0; k < e.hit_count; ++k) {
				bool is_a = e.hits[k].body_a.index == plate.index;
				CHECK(t, (is_a ? e.hits[k].part_a : e.hits[k].part_b) == part);
				CHECK(t, (is_a ? 1.0f : -1.0f) * e.hits[k].normal.y > 0.9f);
			}
		}
		CHECK(t, is_told);
		destroy(&p);
	}
}

// A box that slides from part to part hands its contact on: it never leaves the plate, nor jumps.
static void what_slides_over_many_parts_does_not_notice_them(test *t)
{
	plates p;
	make(&p, 1);
	rbl_body_def def = scene_body(p.plate, 0.0f, 5.0f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	def.material.friction = 0.0f;
	rbl_create_body(p.s.world, &def);
	def = scene_body(p.s.box, -1.5f, 5.5f, 0.1f);
	def.velocity.x = 2.0f;
	rbl_body_id box = rbl_create_body(p.s.world, &def);
	for (int i = 0; i < 80; ++i) {
		scene_steps(&p.s, 1);
		CHECK_NEAR(t, rbl_body_pose(p.s.world, box).position.y, 5.5f, 0.002f);
		CHECK_NEAR(t, rbl_body_velocity(p.s.world, box).x, 2.0f, 0.02f);
		CHECK(t, rbl_solver_count(p.s.world->solver).awake_contacts <= 2);
	}
	destroy(&p);
}

// Initial overlap is each pair's own.
static void initial_overlap_stays(test *t)
{
	plates p;
	make(&p, 1);
	rbl_body_def defs[3];
	rbl_body_id ids[3];
	for (int i = 0; i < 3; ++i)
		defs[i] = scene_body(p.plate, 0.0f, 0.2f + 0.45f * (float)i, 0.1f * (float)i);
	CHECK(t, rbl_create_bodies(p.s.world, defs, 3, ids) == RBL_OK);
	for (int i = 0; i < 200; ++i) {
		scene_steps(&p.s, 1);
		for (int k = 0; k < 3; ++k)
			CHECK(t, rbl_length(rbl_body_velocity(p.s.world, ids[k])) < 0.05f);
	}
	for (int i = 0; i < 3; ++i) {
		CHECK_NEAR(t, rbl_body_pose(p.s.world, ids[i]).position.y, 0.2f + 0.45f * (float)i, 0.005f);
		CHECK(t, !rbl_body_is_awake(p.s.world, ids[i]));
	}
	destroy(&p);
}

// A body of two boxes side by side, 0.5 m high; a compound that could break, or a collider that never
// does.
static rbl_body_def pair_of_boxes(test *t, float x, float half_width, bool is_made_of_parts,
                                  rbl_collider **owned)
{
	rbl_body_def def = rbl_default_body_def();
	def.pose.position = (rbl_vec3){ x, 5.0f, 0.0f };
	rbl_compound_part parts[2];
	for (int i = 0; i < 2; ++i) {
		rbl_convex_def box = rbl_default_convex_def();
		double z = 0.25 * (double)(2 * i - 1), w = (double)half_width;
		box.box = (rbl_boxd){ { -w, -0.25, z - 0.25 }, { w, 0.25, z + 0.25 } };
		rbl_convex *convex = NULL;
		CHECK(t, rbl_create_convex(&box, &convex) == RBL_OK);
		parts[i] = (rbl_compound_part){ .convex = convex };
	}
	rbl_compound_def compound = rbl_default_compound_def();
	compound.parts = parts, compound.part_count = 2;
	if (is_made_of_parts)
		CHECK(t, rbl_create_compound(&compound, &def.compound) == RBL_OK);
	else
		def.collider = *owned = scene_box(half_width, 0.25f, 0.5f);
	for (int i = 0; i < 2; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return def;
}

// The push on a body between two walls, 5 mm deep on both sides, by its weight.
static float push_between_walls(test *t, bool walls_are_made_of_parts)
{
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	scene_create(&s, &world_def);
	rbl_collider *owned[2] = { NULL, NULL };
	for (int i = 0; i < 2; ++i) {
		rbl_body_def def =
			pair_of_boxes(t, i == 0 ? -0.495f : 0.495f, 0.25f, walls_are_made_of_parts, &owned[i]);
		def.kind = RBL_BODY_STATIC;
		rbl_create_body(s.world, &def);
	}
	rbl_body_def def = pair_of_boxes(t, 0.0f, 0.25f, true, NULL);
	def.can_sleep = false;
	rbl_body_id body = rbl_create_body(s.world, &def);
	scene_steps(&s, 400);
	CHECK_NEAR(t, rbl_body_pose(s.world, body).position.y, 5.0f, 0.01f);
	rbl_contact contacts[8];
	int count = rbl_body_get_contacts(s.world, body, contacts, 8);
	float sum = 0.0f;
	for (int i = 0; i < count && i < 8; ++i)
		sum += contacts[i].impulse;
	float weight = 9.81f * rbl_body_get_mass(s.world, body).mass;
	rbl_destroy_world(s.world);
	s.world = NULL;
	rbl_destroy_collider(owned[0]);
	rbl_destroy_collider(owned[1]);
	scene_destroy(&s);
	return sum * 960.0f / weight;
}

static void rubble_that_is_jammed_yields_and_other_things_do_not(test *t)
{
	float walls = push_between_walls(t, false), rubble = push_between_walls(t, true);
	CHECK(t, walls > 300.0f);
	CHECK(t, rubble < 0.4f * walls);
	CHECK(t, rubble > 1.0f); // and holds it
}

// Bodies come and go, and every list stays one.
static void lists_stay_in_order(test *t)
{
	plates p;
	make(&p, 1);
	rbl_random random = rbl_random_from_seed(11);
	rbl_body_id bodies[12] = { { 0, 0 } };
	for (int step = 0; step < 150; ++step) {
		int i = (int)rbl_random_below(&random, 12);
		if (step % 3 == 0 && rbl_body_exists(p.s.world, bodies[i]))
			rbl_destroy_body(p.s.world, bodies[i]);
		else if (step % 3 == 1 && !rbl_body_exists(p.s.world, bodies[i]))
			bodies[i] = scene_add(&p.s, i % 3 ? p.plate : p.s.box, 0.5f * (float)(i % 4),
			                      1.0f + 0.3f * (float)i, 0.2f * (float)i);
		else if (rbl_body_exists(p.s.world, bodies[i]))
			rbl_body_set_enabled(p.s.world, bodies[i], step % 2);
		CHECK(t, rbl_world_step(p.s.world, 1.0f / 60.0f) == RBL_OK);
		check_lists(t, p.s.world);
	}
	destroy(&p);
}

// A number that does not depend on where pairs are kept.
static uint64_t hash_pairs(const rbl_world *world)
{
	uint64_t sum = 0;
	for (int i = 0; i < world->pair_end; ++i)
		if (world->pairs[i].a != RBL_NONE)
			sum += rbl_hash_mix((uint64_t)world->pairs[i].a << 32 | (uint32_t)world->pairs[i].b);
	return sum;
}

// A body whose numbers failed gets its pairs anew, and when changes were lost all pairs are gone through.
static void pairs_made_anew_are_the_same(test *t)
{
	plates p;
	make(&p, 1);
	for (int i = 0; i < PLATES; ++i)
		p.bodies[i] = scene_add(&p.s, i % 2 ? p.s.box : p.plate, 0.1f * (float)i,
		                        0.26f + 0.8f * (float)i, 0.0f);
	scene_steps(&p.s, 90);
	rbl_world *world = p.s.world;
	int count = world->pair_count;
	uint64_t hash = hash_pairs(world);
	CHECK(t, count > PARTS);
	for (int i = 0; i < PLATES; ++i) {
		rbl_world_restart_pairs(world, (int)p.bodies[i].index);
		CHECK(t, world->pair_count == count && hash_pairs(world) == hash);
		check_lists(t, world);
	}
	CHECK(t, rbl_body_get_contacts(world, p.bodies[0], NULL, 0) == 0);
	scene_steps(&p.s, 1);
	CHECK(t, rbl_body_get_contacts(world, p.bodies[0], NULL, 0) >= PARTS);
	scene_steps(&p.s, 120); // they rest
	float y = rbl_body_pose(world, p.bodies[0]).position.y;
	hash = hash_pairs(world);
	for (int i = 0; i < 3; ++i) {
		world->pairs_are_stale = true;
		CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		CHECK(t, hash_pairs(world) == hash);
		check_lists(t, world);
	}
	CHECK_NEAR(t, rbl_body_pose(world, p.bodies[0]).position.y, y, 1e-4f);
	destroy(&p);
}

TEST_MAIN(TEST(a_plate_of_many_parts_lies_on_four_points),
          TEST(plates_fall_upon_each_other_and_rest), TEST(the_same_bits_for_any_number_of_workers),
          TEST(a_hit_names_the_part_that_was_struck),
          TEST(what_slides_over_many_parts_does_not_notice_them), TEST(initial_overlap_stays),
          TEST(rubble_that_is_jammed_yields_and_other_things_do_not), TEST(lists_stay_in_order),
          TEST(pairs_made_anew_are_the_same))
