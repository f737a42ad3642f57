// SPDX-License-Identifier: MIT
// What bodies share may be destroyed at any time: it goes with the last that has it.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"

typedef struct shared_things {
	faulty_allocator memory;
	rbl_world *world;
} shared_things;

static void begin(test *t, shared_things *s)
{
	faulty_init(&s->memory, 1LL << 40);
	rbl_world_def def = rbl_default_world_def();
	CHECK(t, rbl_create_world(&def, &s->world) == RBL_OK);
}

static rbl_collider *make_box(shared_things *s)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ 0.5f, 0.5f, 0.5f };
	def.allocator = FAULTY(&s->memory);
	rbl_collider *box = NULL;
	rbl_create_collider(&def, &box);
	return box;
}

static rbl_body_id add(shared_things *s, const rbl_collider *collider, float y, rbl_body_kind kind)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = collider;
	def.kind = kind;
	def.pose.position.y = y;
	return rbl_create_body(s->world, &def);
}

static void a_collider_goes_with_the_last_body_that_has_it(test *t)
{
	shared_things s;
	begin(t, &s);
	rbl_collider *box = make_box(&s);
	add(&s, box, 0.0f, RBL_BODY_STATIC);
	rbl_body_id falling = add(&s, box, 1.5f, RBL_BODY_DYNAMIC);
	rbl_destroy_collider(box);
	for (int i = 0; i < 120; ++i)
		CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK_NEAR(t, rbl_body_pose(s.world, falling).position.y, 1.0f, 0.01f);
	CHECK(t, rbl_destroy_body(s.world, falling) == RBL_OK && s.memory.live_bytes > 0);
	rbl_destroy_world(s.world);
	CHECK(t, s.memory.live_bytes == 0);
}

static void a_compound_keeps_its_children(test *t)
{
	shared_things s;
	begin(t, &s);
	rbl_collider *box = make_box(&s);
	rbl_collider_child children[2] = { { .collider = box, .pose = rbl_transform_identity() },
		                               { .collider = box, .pose = rbl_transform_identity() } };
	children[1].pose.position.x = 1.0f;
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 2;
	def.allocator = FAULTY(&s.memory);
	rbl_collider *pair = NULL;
	CHECK(t, rbl_create_collider(&def, &pair) == RBL_OK);
	rbl_destroy_collider(box);
	rbl_body_id body = add(&s, pair, 0.0f, RBL_BODY_DYNAMIC);
	rbl_destroy_collider(pair);
	CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, s.memory.live_bytes > 0);
	CHECK(t, rbl_destroy_body(s.world, body) == RBL_OK && s.memory.live_bytes == 0);
	rbl_destroy_world(s.world);
}

// One body breaks, so it has no need of the asset any more; the other one keeps it; a world loaded
// from a snapshot does, too.
static void an_asset_goes_with_the_last_body_that_has_it(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 3);
	rbl_world_def def = rbl_default_world_def();
	rbl_body_def body_def = breakable_def(&b, RBL_BODY_DYNAMIC);
	rbl_body_id first = rbl_create_body(b.s.world, &body_def);
	body_def.pose.position.y = 10.0f;
	rbl_create_body(b.s.world, &body_def);

	size_t size = 0;
	CHECK(t, rbl_world_save(b.s.world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_world_save(b.s.world, bytes, &size) == RBL_OK);
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *asset = b.asset;
	const rbl_pattern *pattern = b.pattern;
	sources.assets = &asset, sources.asset_count = 1;
	sources.patterns = &pattern, sources.pattern_count = 1;
	rbl_world *loaded = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
	free(bytes);
	rbl_destroy_asset(b.asset);
	b.asset = NULL;

	rbl_world *worlds[2] = { b.s.world, loaded };
	for (int i = 0; i < 2; ++i) {
		CHECK(t, rbl_body_damage(worlds[i], first, (rbl_vec3){ 0.5f, 0.0f, 0.0f },
		                         (rbl_vec3){ -1.0f, 0.0f, 0.0f }, INFINITY, 1e4f) == RBL_OK);
		for (int k = 0; k < 10; ++k)
			CHECK(t, rbl_world_step(worlds[i], 1.0f / 60.0f) == RBL_OK);
		CHECK(t, rbl_world_body_count(worlds[i]) > 3);
	}
	rbl_destroy_world(loaded);
	breakable_destroy(&b);
}

// Fragments share the field of the asset, which the user has destroyed.
static void the_field_of_an_asset_goes_with_the_world(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 3);
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	prepare_def.field_resolution = 24;
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(b.own_mesh, &prepare_def, &asset) == RBL_OK);
	scene_add_floor(&b.s);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	def.asset = asset;
	def.contact_method = RBL_CONTACTS_FIELD;
	def.pose.position.y = 0.6f;
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	rbl_destroy_asset(asset);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.5f, 0.6f, 0.0f },
	                         (rbl_vec3){ -1.0f, 0.0f, 0.0f }, INFINITY, 1e4f) == RBL_OK);
	for (int i = 0; i < 30; ++i)
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_world_body_count(b.s.world) > 3);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(a_collider_goes_with_the_last_body_that_has_it), TEST(a_compound_keeps_its_children),
          TEST(an_asset_goes_with_the_last_body_that_has_it),
          TEST(the_field_of_an_asset_goes_with_the_world))
