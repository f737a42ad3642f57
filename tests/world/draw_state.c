// SPDX-License-Identifier: MIT
// Debug drawing of stress, health, sleep and islands: what lines there are, where, and in which colors.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"

enum { MOST_LINES = 4096, BRICKS = 8 };

typedef struct drawn_line {
	rbl_vec3 a, b;
	uint32_t color;
} drawn_line;

typedef struct drawn {
	drawn_line lines[MOST_LINES];
	int count;
} drawn;

static void add_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	drawn *d = user;
	if (d->count < MOST_LINES)
		d->lines[d->count++] = (drawn_line){ a, b, color };
}

static const drawn *draw(test *t, const rbl_world *world, uint32_t flags)
{
	static drawn d;
	d.count = 0;
	rbl_draw def = { .line = add_line, .user = &d, .flags = flags, .box = rbl_box_empty() };
	CHECK(t, rbl_world_draw(world, &def) == RBL_OK);
	return &d;
}

static int red(uint32_t color)
{
	return (int)(color >> 16);
}

static int green(uint32_t color)
{
	return (int)(color >> 8 & 255);
}

// A beam of bricks side by side, held at one end; hits of 400 J break a brick.
static rbl_body_id add_beam(test *t, breakable *b, double bond_strength)
{
	rbl_compound_part parts[BRICKS];
	for (int i = 0; i < BRICKS; ++i) {
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ { i, 3.0, 0.0 }, { i + 1.0, 4.0, 1.0 } };
		rbl_convex *convex = NULL;
		CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
		parts[i] = (rbl_compound_part){ .convex = convex, .is_anchored = i == 0 };
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts, def.part_count = BRICKS;
	rbl_compound *compound = NULL;
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
	for (int i = 0; i < BRICKS; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	b->bond_strength = bond_strength;
	b->level.energy = 400.0;
	b->rule.wear_energy = 1.0;
	b->rule.wear_radius = 1.5;
	rbl_body_def body = breakable_def(b, RBL_BODY_DYNAMIC);
	body.asset = NULL, body.compound = compound;
	return rbl_create_body(b->s.world, &body);
}

// The nearer to where a beam is held, the more its bonds carry.
static void bonds_are_drawn_by_their_load(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 1);
	add_beam(t, &b, 3e6);
	CHECK(t, draw(t, b.s.world, RBL_DRAW_STRESS)->count == 0); // not known yet
	scene_steps(&b.s, 120);
	const drawn *d = draw(t, b.s.world, RBL_DRAW_STRESS);
	CHECK(t, d->count == 2 * (BRICKS - 1));
	uint32_t at[BRICKS] = { 0 };
	for (int i = 0; i < d->count; ++i) {
		CHECK_NEAR(t, d->lines[i].a.y, 3.5f, 1e-3f);
		CHECK_NEAR(t, rbl_distance(d->lines[i].a, d->lines[i].b), 0.5f, 1e-3f);
		at[(int)(0.5f * (d->lines[i].a.x + d->lines[i].b.x) + 0.5f)] = d->lines[i].color;
	}
	for (int i = 2; i < BRICKS; ++i)
		CHECK(t, red(at[i]) < red(at[i - 1]) || green(at[i]) > green(at[i - 1]));
	CHECK(t, red(at[1]) > 100 && red(at[BRICKS - 1]) < 30);
	breakable_destroy(&b);
}

// A brick that was hit is no longer green, nor its neighbours, and the others are.
static void parts_are_drawn_by_their_health(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_body_id beam = add_beam(t, &b, 0.0);
	const drawn *d = draw(t, b.s.world, RBL_DRAW_HEALTH);
	CHECK(t, d->count == 12 * BRICKS);
	for (int i = 0; i < d->count; ++i)
		CHECK(t, red(d->lines[i].color) == 0 && green(d->lines[i].color) > 150);
	for (int i = 0; i < 3; ++i) {
		CHECK(t, rbl_body_damage(b.s.world, beam, (rbl_vec3){ 6.5f, 4.0f, 0.5f },
		                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 200.0f) == RBL_OK);
		scene_steps(&b.s, 1);
	}
	d = draw(t, b.s.world, RBL_DRAW_HEALTH);
	int worn = 0, whole = 0;
	for (int i = 0; i < d->count; ++i) {
		float x = 0.5f * (d->lines[i].a.x + d->lines[i].b.x);
		bool is_red = red(d->lines[i].color) > 0;
		worn += is_red, whole += !is_red;
		CHECK(t, is_red ? x > 4.0f : true);
		CHECK(t, x > 6.01f && x < 6.99f && d->lines[i].a.y > 3.9f && d->lines[i].b.y > 3.9f ? is_red
		                                                                                    : true);
	}
	CHECK(t, worn >= 12 && whole >= 12 * 5);
	breakable_destroy(&b);
}

// Two boxes that touch are one island, with a line between them; a third is another.
static void sleep_and_islands_have_colors(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id lower = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	rbl_body_id upper = scene_add(&s, s.box, 0.0f, 0.75f, 0.0f);
	scene_add(&s, s.box, 3.0f, 0.25f, 0.0f);
	rbl_body_id falling = scene_add(&s, s.box, -3.0f, 90.0f, 0.0f);
	scene_steps(&s, 5);
	const drawn *d = draw(t, s.world, RBL_DRAW_ISLANDS);
	int links = 0;
	uint32_t first = 0, second = 0;
	for (int i = 0; i < d->count; ++i) {
		const drawn_line *l = &d->lines[i];
		rbl_vec3 a = rbl_body_get_state(s.world, lower).centre;
		rbl_vec3 c = rbl_body_get_state(s.world, upper).centre;
		links += rbl_distance(l->a, a) < 1e-6f && rbl_distance(l->b, c) < 1e-6f;
		first = l->a.x < 1.0f && l->a.y < 2.0f ? l->color : first;
		second = l->a.x > 2.0f ? l->color : second;
	}
	CHECK(t, d->count == 4 * 12 + 1 && links == 1 && first != 0 && second != 0 && first != second);
	d = draw(t, s.world, RBL_DRAW_SLEEP);
	uint32_t awake = 0;
	for (int i = 0; i < d->count; ++i)
		awake = d->lines[i].a.y > 2.0f ? d->lines[i].color : awake;
	CHECK(t, red(awake) > 200 && green(awake) < 100);
	scene_steps(&s, 120);
	CHECK(t, !rbl_body_is_awake(s.world, lower) && rbl_body_is_awake(s.world, falling));
	d = draw(t, s.world, RBL_DRAW_SLEEP);
	uint32_t asleep = 0;
	for (int i = 0; i < d->count; ++i)
		asleep = d->lines[i].a.y < 1.0f && d->lines[i].a.y > 0.1f ? d->lines[i].color : asleep;
	CHECK(t, asleep != awake && red(asleep) < 100);
	scene_destroy(&s);
}

TEST_MAIN(TEST(bonds_are_drawn_by_their_load), TEST(parts_are_drawn_by_their_health),
          TEST(sleep_and_islands_have_colors))
