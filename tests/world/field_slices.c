// SPDX-License-Identifier: MIT
// What fragments of a field body collide by is made in slices of the fracture budget: the same for
// any number of workers, after a snapshot in the middle, and when memory runs out.

#include "../test.h"
#include "breakable.h"
#include "faulty_allocator.h"
#include "field_scene.h"

// What all worlds of a test share.
typedef struct vessel {
	breakable b; // its scene is that of the world at hand
	rbl_mesh *mesh;
	rbl_distance_field *field;
	rbl_body_id body;
} vessel;

enum { STEPS = 40 };

static void make(test *t, vessel *v)
{
	*v = (vessel){ .mesh = field_bowl(0.3, 0.15) };
	breakable_prepare(t, &v->b, v->mesh, 3);
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	field_def.mesh = v->mesh;
	field_def.wall = 0.015;
	field_def.resolution = 64;
	CHECK(t, rbl_create_distance_field(&field_def, &v->field) == RBL_OK);
}

static void destroy(vessel *v)
{
	v->b.s = (scene){ .world = NULL };
	breakable_destroy(&v->b);
	rbl_destroy_distance_field(v->field);
	rbl_destroy_mesh(v->mesh);
}

// A world with a bowl that was struck.
// @param reach  of the blow, in metres: a small one leaves most of the bowl
static bool open(vessel *v, int workers, int budget, float reach, rbl_contact_method method,
                 const rbl_allocator *allocator)
{
	rbl_world_def world_def = scene_def(&v->b.s, workers);
	world_def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	world_def.budget = budget;
	if (allocator)
		world_def.allocator = *allocator;
	if (rbl_create_world(&world_def, &v->b.s.world) != RBL_OK)
		return false;
	rbl_body_def def = breakable_def(&v->b, RBL_BODY_DYNAMIC);
	def.contact_method = method;
	def.original_field = method == RBL_CONTACTS_CONVEX ? NULL : v->field;
	def.angular_velocity = (rbl_vec3){ 0.0f, 1.0f, 2.0f };
	v->body = rbl_create_body(v->b.s.world, &def);
	rbl_box box = rbl_body_bounds(v->b.s.world, v->body);
	rbl_vec3 point = { box.upper.x - 0.01f, box.upper.y - 0.01f, 0.0f };
	return rbl_body_damage(v->b.s.world, v->body, point, (rbl_vec3){ 0.0f, -1.0f, 0.0f }, reach,
	                       1000.0f) == RBL_OK;
}

static void close(vessel *v)
{
	scene_destroy(&v->b.s);
}

static int field_count(const rbl_world *world)
{
	rbl_body_id ids[1000];
	int count = rbl_world_get_bodies(world, ids, 1000), n = 0;
	for (int i = 0; i < count; ++i) {
		rbl_body_part part;
		if (rbl_body_get_parts(world, ids[i], &part, 1) == 1)
			n += rbl_collider_kind_of(part.collider) == RBL_COLLIDER_MESH;
	}
	return n;
}

// Steps until the bowl is in pieces, and the mass of all of them.
static int steps_to_break(rbl_world *world, double *mass)
{
	int steps = 0;
	for (; steps < 200 && rbl_world_body_count(world) < 2; ++steps)
		rbl_world_step(world, 1.0f / 60.0f);
	*mass = breakable_sums(world).mass;
	return steps;
}

static void a_small_budget_ends_later_with_the_same_pieces(test *t)
{
	const float reaches[2] = { 0.5f, 0.1f };
	vessel v;
	make(t, &v);
	for (int k = 0; k < 2; ++k) {
		int counts[2], steps[2];
		double masses[2];
		for (int i = 0; i < 2; ++i) {
			CHECK(t, open(&v, 1, i == 0 ? 0 : 60, reaches[k], RBL_CONTACTS_FIELD, NULL));
			steps[i] = steps_to_break(v.b.s.world, &masses[i]);
			counts[i] = rbl_world_body_count(v.b.s.world);
			CHECK(t, field_count(v.b.s.world) == counts[i]);
			close(&v);
		}
		printf("%d pieces, after %d and %d steps\n", counts[0], steps[0], steps[1]);
		CHECK(t, counts[0] > 1 && counts[1] == counts[0] && masses[1] == masses[0]);
		CHECK(t, steps[0] == 1 && steps[1] > 10);
	}
	destroy(&v);
}

// The slices of the fields are among them: by convexes it takes fewer.
static void fields_are_paid_for(test *t)
{
	int steps[2];
	vessel v;
	make(t, &v);
	for (int i = 0; i < 2; ++i) {
		double mass;
		CHECK(t, open(&v, 1, 60, 0.5f, i == 0 ? RBL_CONTACTS_CONVEX : RBL_CONTACTS_FIELD, NULL));
		steps[i] = steps_to_break(v.b.s.world, &mass);
		close(&v);
	}
	printf("%d steps by convexes, %d by fields\n", steps[0], steps[1]);
	CHECK(t, steps[1] > steps[0] + 3);
	destroy(&v);
}

static void any_number_of_workers_gives_the_same_bits(test *t)
{
	const int workers[3] = { 1, 2, 4 };
	uint64_t hashes[3][STEPS];
	vessel v;
	make(t, &v);
	for (int i = 0; i < 3; ++i) {
		CHECK(t, open(&v, workers[i], 200, 0.5f, RBL_CONTACTS_AUTOMATIC, NULL));
		for (int k = 0; k < STEPS; ++k) {
			rbl_world_step(v.b.s.world, 1.0f / 60.0f);
			hashes[i][k] = rbl_world_hash(v.b.s.world);
		}
		CHECK(t, rbl_world_body_count(v.b.s.world) > 3);
		close(&v);
	}
	CHECK(t, memcmp(hashes[0], hashes[1], sizeof hashes[0]) == 0);
	CHECK(t, memcmp(hashes[0], hashes[2], sizeof hashes[0]) == 0);
	destroy(&v);
}

// Saved before each step of a break, the world goes on with the same bits.
static void a_snapshot_in_the_middle_goes_on(test *t)
{
	vessel v;
	make(t, &v);
	CHECK(t, open(&v, 1, 150, 0.1f, RBL_CONTACTS_FIELD, NULL));
	rbl_world_def world_def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *asset = v.b.asset;
	const rbl_pattern *pattern = v.b.pattern;
	sources.assets = &asset, sources.asset_count = 1;
	sources.patterns = &pattern, sources.pattern_count = 1;
	rbl_world *copies[STEPS] = { NULL };
	int copy_count = 0;
	for (int i = 0; i < STEPS; ++i) {
		size_t size = 0;
		if (rbl_world_body_count(v.b.s.world) == 1 && copy_count < STEPS) {
			CHECK(t, rbl_world_save(v.b.s.world, NULL, &size) == RBL_OK);
			unsigned char *bytes = malloc(size);
			CHECK(t, rbl_world_save(v.b.s.world, bytes, &size) == RBL_OK);
			CHECK(t, rbl_world_load(bytes, size, &world_def, &sources, &copies[copy_count++]) ==
			             RBL_OK);
			free(bytes);
		}
		rbl_world_step(v.b.s.world, 1.0f / 60.0f);
		for (int k = 0; k < copy_count; ++k) {
			rbl_world_step(copies[k], 1.0f / 60.0f);
			CHECK(t, rbl_world_hash(copies[k]) == rbl_world_hash(v.b.s.world));
		}
	}
	printf("%d snapshots\n", copy_count);
	CHECK(t, copy_count > 4 && rbl_world_body_count(v.b.s.world) > 1);
	for (int k = 0; k < copy_count; ++k)
		rbl_destroy_world(copies[k]);
	close(&v);
	destroy(&v);
}

// A body that goes in the middle takes all with it.
static void a_break_may_be_given_up(test *t)
{
	double mass;
	vessel v;
	make(t, &v);
	CHECK(t, open(&v, 1, 60, 0.1f, RBL_CONTACTS_FIELD, NULL));
	int steps = steps_to_break(v.b.s.world, &mass);
	close(&v);
	CHECK(t, steps > 10);
	for (int end = 1; end < steps; end += end < steps - 12 ? 7 : 1) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_allocator allocator = FAULTY(&memory);
		CHECK(t, open(&v, 1, 60, 0.1f, RBL_CONTACTS_FIELD, &allocator));
		scene_steps(&v.b.s, end);
		CHECK(t, rbl_world_body_count(v.b.s.world) == 1);
		if (end % 2)
			CHECK(t, rbl_destroy_body(v.b.s.world, v.body) == RBL_OK);
		scene_steps(&v.b.s, end % 2);
		close(&v);
		CHECK(t, memory.live_bytes == 0);
	}
	destroy(&v);
}

// Without memory for some time the break is lost, or the pieces get what they need later.
static void memory_may_run_out(test *t)
{
	int broken = 0, whole = 0;
	vessel v;
	make(t, &v);
	for (int n = 0;; n += 1 + n / test_count(test_repeats(12, 4), 60)) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_allocator allocator = FAULTY(&memory);
		CHECK(t, open(&v, 1, 0, 0.1f, RBL_CONTACTS_FIELD, &allocator));
		memory.allowed = n;
		memory.failing = 3;
		scene_steps(&v.b.s, 3);
		int count = rbl_world_body_count(v.b.s.world);
		broken += count > 1, whole += count <= 1;
		CHECK(t, field_count(v.b.s.world) == count);
		bool has_failed = memory.failed;
		close(&v);
		CHECK(t, memory.live_bytes == 0);
		if (!has_failed)
			break;
	}
	printf("%d runs broke, %d did not\n", broken, whole);
	CHECK(t, broken > 3 && whole > 3);
	destroy(&v);
}

TEST_MAIN(TEST(a_small_budget_ends_later_with_the_same_pieces), TEST(fields_are_paid_for),
          TEST(any_number_of_workers_gives_the_same_bits), TEST(a_snapshot_in_the_middle_goes_on),
          TEST(a_break_may_be_given_up), TEST(memory_may_run_out))
