// SPDX-License-Identifier: MIT
// ctest: soak
// What is thrown at a floor, pressed into it or broken on it does not get to its other side.

#include "../test.h"
#include "breakable.h"

enum { SHAPES = 12, THROWN = 60, BLOCKS = 1, BALLS = 6, TILES = 8, STEPS = 120, FIELD_SIDE = 65 };

typedef enum floor_kind { PLATE, MESH, FIELD } floor_kind;

/// What a round is like.
typedef struct round_def {
	uint64_t seed;
	floor_kind kind;
	float thickness; // of a plate; the others have none
	float speed;     // of what is thrown
	float dt;
	float bake_time, freeze_time;
	bool is_tiled, has_blocks;
} round_def;

// Lumps, plates and splinters, from millimetres to half a metre.
static rbl_collider *make_shape(rbl_random *random, int index)
{
	float size = 0.002f * powf(2.0f, (float)rbl_random_range(random, 0.0, 7.0));
	if (index % 3 == 0)
		return scene_hull(random, size);
	float thin = size * (float)rbl_random_range(random, 0.05, 0.3);
	return index % 3 == 1 ? scene_box(size, thin, size) : scene_box(thin, thin, size);
}

static rbl_collider *make_field(int side)
{
	static const float heights[FIELD_SIDE * FIELD_SIDE];
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.column_count = def.row_count = side;
	def.cell_size = 40.0f / (float)(side - 1);
	def.heights = heights;
	rbl_collider *field = NULL;
	rbl_create_collider(&def, &field);
	return field;
}

// Of large triangles or small ones. @return its shape, the caller's to destroy
static rbl_collider *add_surface(rbl_world *world, const round_def *r)
{
	rbl_collider *shape = r->kind == MESH ? scene_mesh_floor(40.0f, r->is_tiled ? 64 : 4)
	                                      : make_field(r->is_tiled ? FIELD_SIDE : 9);
	float corner = r->kind == MESH ? 0.0f : -20.0f;
	rbl_body_def def = scene_body(shape, corner, 0.0f, corner);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(world, &def);
	return shape;
}

// @return its shape, the caller's to destroy
static rbl_collider *add_floor(rbl_world *world, const round_def *r)
{
	if (r->kind != PLATE)
		return add_surface(world, r);
	int count = r->is_tiled ? TILES : 1;
	float half = 20.0f / (float)count;
	rbl_collider *tile = scene_box(half, 0.5f * r->thickness, half);
	for (int i = 0; i < count * count; ++i) {
		float x = half * (float)(2 * (i % count) + 1 - count);
		float z = half * (float)(2 * (i / count) + 1 - count);
		rbl_body_def def = scene_body(tile, x, -0.5f * r->thickness, z);
		def.kind = RBL_BODY_STATIC;
		rbl_create_body(world, &def);
	}
	return tile;
}

static void throw_down(rbl_world *world, rbl_body_def def, float speed, float height,
                       rbl_random *random)
{
	rbl_vec3d axis = rbl_random_in_ball(random), aim = rbl_random_in_ball(random);
	rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ axis.x, axis.y, axis.z, 0.3 });
	def.pose.position = (rbl_vec3){ (float)rbl_random_range(random, -1.5, 1.5),
		                            height * (float)rbl_random_range(random, 1.0, 3.0),
		                            (float)rbl_random_range(random, -1.5, 1.5) };
	def.pose.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
	def.velocity = rbl_scale(speed * (float)rbl_random_range(random, 0.1, 1.0),
	                         rbl_normalize((rbl_vec3){ (float)aim.x, -1.0f, (float)aim.z }));
	def.angular_velocity = rbl_to_f(rbl_scale_d(60.0, rbl_random_in_ball(random)));
	rbl_create_body(world, &def);
}

// Fragments at first, and blocks that break; then iron onto the heap.
static void throw_more(breakable *b, const round_def *r, int step, rbl_collider *const *shapes,
                       rbl_random *random)
{
	for (int i = 0; i < THROWN && step % 40 == 0; ++i)
		throw_down(b->s.world, scene_body(shapes[i % SHAPES], 0.0f, 0.0f, 0.0f), r->speed, 0.3f,
		           random);
	for (int i = 0; i < BLOCKS && step % 40 == 0 && r->has_blocks; ++i)
		throw_down(b->s.world, breakable_def(b, RBL_BODY_DYNAMIC), 0.3f * r->speed, 1.5f, random);
	for (int i = 0; i < BALLS && step % 25 == 24; ++i) {
		rbl_body_def iron = scene_body(i % 2 ? b->s.ball : b->s.box, 0.0f, 0.0f, 0.0f);
		iron.material.density = 20000.0f;
		throw_down(b->s.world, iron, r->speed, 2.0f, random);
	}
}

// Bodies whose middle is past that of the floor, away from its edge. A millimetre is for centres of mass,
// which the world and this test do not round alike.
static int count_below(const rbl_world *world, const round_def *r, int *all)
{
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST), below = 0;
	for (int i = 0; i < count; ++i) {
		rbl_body_state state = rbl_body_get_state(world, ids[i]);
		below += state.kind == RBL_BODY_DYNAMIC && state.centre.y < -0.5f * r->thickness - 0.001f &&
		         fabsf(state.centre.x) < 19.0f && fabsf(state.centre.z) < 19.0f;
	}
	*all += count;
	return below;
}

// @return how many bodies got through
static int play(test *t, const round_def *r, int *all)
{
	breakable b;
	rbl_random random = rbl_random_from_seed(r->seed);
	breakable_prepare(t, &b, NULL, r->seed);
	rbl_world_def def = scene_def(&b.s, 1);
	def.bake_time = r->bake_time, def.freeze_time = r->freeze_time;
	scene_create(&b.s, &def);
	b.rule.min_size = 0.05;
	rbl_collider *tile = add_floor(b.s.world, r), *shapes[SHAPES];
	for (int i = 0; i < SHAPES; ++i)
		shapes[i] = make_shape(&random, i);
	for (int step = 0; step < STEPS; ++step) {
		throw_more(&b, r, step, shapes, &random);
		CHECK(t, rbl_world_step(b.s.world, r->dt) == RBL_OK);
	}
	int below = count_below(b.s.world, r, all);
	rbl_destroy_world(b.s.world);
	b.s.world = NULL;
	rbl_destroy_collider(tile);
	for (int i = 0; i < SHAPES; ++i)
		rbl_destroy_collider(shapes[i]);
	breakable_destroy(&b);
	return below;
}

static round_def make_round(int index, float thickness)
{
	rbl_random random = rbl_random_from_seed((uint64_t)index);
	round_def r = { .seed = 100 + (uint64_t)index, .thickness = thickness };
	rbl_random_below(&random, 4);
	r.speed = 5.0f * powf(2.0f, (float)rbl_random_range(&random, 0.0, 6.0));
	r.dt = rbl_random_below(&random, 4) ? 1.0f / 60.0f : 1.0f / 30.0f;
	r.bake_time = rbl_random_below(&random, 2) ? 0.1f : 0.0f;
	r.freeze_time = rbl_random_below(&random, 2) ? 0.1f : 0.0f;
	r.is_tiled = index % 2;
	return r;
}

// Regressions: what was thrown at a floor was let in by half of its width, and springs let it go in by as
// much again; what was stopped on its tip was turned over; what iron fell on was pressed in until it was
// nearer to the other side. Of 70,000 pieces a plate of ten centimetres lost 7, one of two 71, and a
// mesh some dozens.
// @param first  round of the share, one that lost something
static void check_floor(test *t, floor_kind kind, float thickness, int first, int share)
{
	int all = 0, below = 0;
	share = test_repeats(share, 1);
	for (int i = 0; i < test_count(share, 300); ++i) {
		round_def r = make_round(test_count(first, 9) + i, thickness);
		r.kind = kind;
		below += play(t, &r, &all);
	}
	CHECK(t, all > 100 * share && below == 0);
}

static void nothing_thrown_passes_a_plate(test *t)
{
	check_floor(t, PLATE, 0.1f, 22, 3);
	check_floor(t, PLATE, 0.02f, 22, 3);
}

static void nothing_thrown_passes_a_mesh(test *t)
{
	check_floor(t, MESH, 0.0f, 10, 2);
}

static void nothing_thrown_passes_a_field(test *t)
{
	check_floor(t, FIELD, 0.0f, 10, 2);
}

static void fragments_do_not_pass_a_floor(test *t)
{
	int all = 0;
	for (int i = 0; i < test_count(1, 60); ++i) {
		round_def r = make_round(4 + i, 2.0f);
		r.has_blocks = true;
		CHECK(t, play(t, &r, &all) == 0);
	}
	CHECK(t, all > 1000);
}

enum { PEBBLES = 24 };

// Of two parts that lie apart. @return its shape, the caller's to destroy
static rbl_collider *make_twin(rbl_collider *half, float apart)
{
	const rbl_collider_child children[2] = {
		{ .collider = half, .pose = { { -apart, 0.0f, 0.0f }, { 0, 0, 0, 1.0f } } },
		{ .collider = half, .pose = { { apart, 0.0f, 0.0f }, { 0, 0, 0, 1.0f } } }
	};
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 2;
	rbl_collider *twin = NULL;
	rbl_create_collider(&def, &twin);
	return twin;
}

// Regression: fragments of the arena were pressed into its floor by others, a hundred times as heavy.
static void iron_does_not_press_middles_in(test *t)
{
	for (int kind = PLATE; kind <= FIELD; ++kind) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		round_def r = { .kind = (floor_kind)kind, .thickness = 0.05f };
		rbl_random random = rbl_random_from_seed(3);
		rbl_collider *tile = add_floor(s.world, &r), *half = scene_box(0.02f, 0.02f, 0.02f);
		rbl_collider *shapes[3] = { scene_hull(&random, 0.03f), scene_hull(&random, 0.05f),
			                        make_twin(half, 0.02f) };
		rbl_body_id pebbles[PEBBLES];
		for (int i = 0; i < PEBBLES; ++i) {
			float x = 0.6f * (float)(i % 6), z = 0.6f * (float)(i / 6);
			pebbles[i] = scene_add(&s, shapes[i % 3], x, 0.06f, z);
			rbl_body_def iron = scene_body(s.box, x, 0.5f + 0.1f * (float)(i / 6), z);
			iron.material.density = 20000.0f;
			iron.velocity.y = -2.0f * (float)(i % 6);
			rbl_create_body(s.world, &iron);
		}
		for (int step = 0; step < 120; ++step) {
			CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
			for (int i = 0; i < PEBBLES; ++i)
				CHECK(t, rbl_body_get_state(s.world, pebbles[i]).centre.y > -1e-5f);
		}
		scene_destroy(&s);
		rbl_destroy_collider(tile);
		for (int i = 0; i < 3; ++i)
			rbl_destroy_collider(shapes[i]);
		rbl_destroy_collider(half);
	}
}

TEST_MAIN(TEST(nothing_thrown_passes_a_plate), TEST(nothing_thrown_passes_a_mesh),
          TEST(nothing_thrown_passes_a_field), TEST(iron_does_not_press_middles_in),
          TEST(fragments_do_not_pass_a_floor))
