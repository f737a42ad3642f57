// SPDX-License-Identifier: MIT
// Laws of breaking under a budget: mass is exact, momentum is kept to 1e-5 in every step and in all,
// before, while and after fragments collide, and no energy is gained, whatever the budget of a step is.
// Angular momentum is kept as well as contacts keep it, which act where they were at the beginning of a
// step: a small budget is no worse than none.

#include "../test.h"
#include "breakable.h"

#include <rubble/joint.h>
#include <rubble/shapes.h>

enum { STEPS = 40, MOST_STEPS = 1000, BUDGET_COUNT = 4 };

static const int budgets[BUDGET_COUNT] = { 50, 200, 1000, 5000 };

enum { MAX_LINKS = 8 };

typedef struct setting {
	const char *name;
	rbl_vec3d size; // of the wall
	int cells;
	float speed, density; // of the balls
	int ball_count;
	int link_count; // a chain of small balls behind each
	bool is_bullet;
	bool wall_moves; // and turns
} setting;

static const setting settings[] = {
	{ "wall", { 4.0, 3.0, 0.3 }, 2000, 20.0f, 2078.0f, 1, 0, false, false },
	{ "bullet", { 4.0, 3.0, 0.3 }, 2000, 60.0f, 2078.0f, 1, 0, true, false },
	{ "two", { 4.0, 3.0, 0.3 }, 2000, 40.0f, 2078.0f, 2, 0, false, false },
	{ "block", { 1.0, 1.0, 1.0 }, 400, 30.0f, 7800.0f, 1, 0, false, false },
	{ "light", { 2.0, 2.0, 0.2 }, 800, 80.0f, 200.0f, 1, 0, false, false },
	{ "chain", { 4.0, 3.0, 0.3 }, 2000, 20.0f, 2078.0f, 1, 6, false, false },
	{ "turning", { 4.0, 3.0, 0.3 }, 2000, 20.0f, 2078.0f, 2, 0, false, true },
};

static void make_world(test *t, breakable *b, const setting *s, int budget)
{
	rbl_box_def box = rbl_default_box_def();
	box.size = s->size;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	breakable_prepare(t, b, mesh, 5);
	b->own_mesh = mesh;
	rbl_destroy_pattern(b->pattern);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = (rbl_vec3d){ 4.0, 4.0, 4.0 };
	pattern_def.cell_count = s->cells;
	CHECK(t, rbl_create_pattern(&pattern_def, &b->pattern) == RBL_OK);
	b->level = (rbl_damage_level){ .energy = 1000.0, .pattern = b->pattern, .radius = 0.4 };
	b->rule.radius_limit = INFINITY;
	rbl_world_def def = scene_def(&b->s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.budget = budget;
	scene_create(&b->s, &def);
	rbl_body_def wall = breakable_def(b, RBL_BODY_DYNAMIC);
	wall.can_sleep = false; // what falls asleep loses the little that it moves
	if (s->wall_moves) {
		wall.velocity = (rbl_vec3){ 1.0f, -0.5f, -4.0f };
		wall.angular_velocity = (rbl_vec3){ 0.2f, 0.7f, 0.4f };
	}
	rbl_create_body(b->s.world, &wall);
}

typedef struct chain {
	rbl_joint_id joints[MAX_LINKS];
	rbl_body_id ball; // the first
	int count;
} chain;

// Each link is half as far from the next as the ball is wide, up and behind.
static void add_chain(test *t, breakable *b, const setting *s, rbl_body_def def, rbl_body_id ball,
                      chain *c)
{
	rbl_vec3 step = { 0.0f, 0.24f, -0.18f }, half = rbl_scale(0.5f, step);
	rbl_body_id last = ball;
	def.collider = b->s.ball;
	def.material.density = 4.0f * s->density;
	for (int i = 0; i < s->link_count; ++i) {
		rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
		def.pose.position = rbl_add(def.pose.position, step);
		joint.body_a = last, joint.body_b = last = rbl_create_body(b->s.world, &def);
		joint.frame_a.position = half, joint.frame_b.position = rbl_neg(half);
		c->joints[c->count] = rbl_create_joint(b->s.world, &joint);
		CHECK(t, rbl_joint_exists(b->s.world, c->joints[c->count++]));
	}
}

static void add_balls(test *t, breakable *b, const rbl_collider *ball, const setting *s, chain *c)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = ball;
	def.material.density = s->density;
	def.velocity = (rbl_vec3){ 0.0f, 0.0f, s->speed };
	def.is_bullet = s->is_bullet;
	def.can_sleep = false;
	def.angular_damping = 0.0f;
	for (int i = 0; i < s->ball_count; ++i) {
		def.pose.position = (rbl_vec3){ 0.1f - 0.3f * (float)i, 0.2f, -1.5f - 1.1f * (float)i };
		rbl_body_id made = rbl_create_body(b->s.world, &def);
		if (i == 0)
			c->ball = made;
		add_chain(t, b, s, def, made, c);
	}
}

// How far the ends of a chain's joints are apart.
static float find_gap(const rbl_world *world, const chain *c)
{
	float widest = 0.0f;
	for (int i = 0; i < c->count; ++i) {
		rbl_joint_def def = rbl_joint_get_def(world, c->joints[i]);
		rbl_vec3 a = rbl_transform_point(rbl_body_pose(world, def.body_a), def.frame_a.position);
		rbl_vec3 b = rbl_transform_point(rbl_body_pose(world, def.body_b), def.frame_b.position);
		widest = rbl_maxf(widest, rbl_distance(a, b));
	}
	return widest;
}

typedef struct course {
	int born, steps; // steps until the first fragments
	float speed;     // of the ball, at the end
	float gap;       // the widest of the chain's joints
} course;

static course run(test *t, const setting *s, int budget)
{
	breakable b;
	make_world(t, &b, s, budget);
	course c = { .born = 0 };
	chain links = { .count = 0 };
	rbl_collider_def ball_def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	ball_def.radius = 0.3f;
	rbl_collider *ball = NULL;
	CHECK(t, rbl_create_collider(&ball_def, &ball) == RBL_OK);
	add_balls(t, &b, ball, s, &links);
	sums first = breakable_sums(b.s.world), before = first;
	double worst = 0.0, lowest = first.energy, rise = 0.0, size = first.momentum_size;
	double spin = 0.0;
	for (int step = 0, left = STEPS; step < MOST_STEPS && left > 0; ++step) {
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b.s.world);
		c.steps += c.born == 0;
		for (int i = 0; i < e.fracture_count; ++i)
			c.born += e.fractures[i].new_count;
		left -= c.born > 0 && rbl_world_get_stats(b.s.world).breaking_count == 0;
		sums after = breakable_sums(b.s.world);
		CHECK_NEAR(t, after.mass / first.mass, 1.0, 1e-6);
		worst = rbl_maxd(worst, rbl_distance_d(after.momentum, before.momentum) / size);
		spin = rbl_maxd(spin, rbl_distance_d(after.angular_momentum, before.angular_momentum) /
		                          after.angular_momentum_size);
		double most = c.born == 0 && s->link_count == 0 ? before.energy : first.energy;
		CHECK(t, after.energy <= most * (1.0 + 1e-5));
		rise = rbl_maxd(rise, (after.energy - lowest) / first.energy);
		lowest = rbl_mind(lowest, after.energy);
		c.gap = rbl_maxf(c.gap, find_gap(b.s.world, &links));
		before = after;
	}
	double total = rbl_distance_d(before.momentum, first.momentum) / size;
	c.speed = rbl_length(rbl_body_velocity(b.s.world, links.ball));
	printf("%-8s budget %4d: %4d born at step %3d, ball %5.2f m/s, momentum %.1e in a step and "
	       "%.1e in all, angular %.1e, energy %+.1e, gap %.3f, clamps %d\n",
	       s->name, budget, c.born, c.steps, (double)c.speed, worst, total, spin, rise,
	       (double)c.gap, (int)rbl_world_get_stats(b.s.world).ejection_clamp_count);
	CHECK(t, c.born > 5);
	CHECK(t, worst < 1e-5 && total < 1e-5);
	CHECK(t, spin < 0.05);
	// Contacts and joints are springs, which give back in one step what they took in another.
	CHECK(t, rise <= (s->link_count > 0 ? 1e-3 : 1e-4));
	CHECK(t, c.gap < 0.03f); // the chain is not torn
	rbl_destroy_collider(ball);
	breakable_destroy(&b);
	return c;
}

// Momentum is kept and energy never rises, from the throw until long after the fragments have collided.
// What goes through a wall that is not broken yet pays for it when it is.
static void laws_hold_at_every_budget(test *t)
{
	int delayed = 0;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; ++k) {
		course whole = run(t, &settings[k], 0);
		for (int i = 0; i < BUDGET_COUNT; ++i) {
			course c = run(t, &settings[k], budgets[i]);
			bool is_delayed = c.steps > whole.steps;
			CHECK(t,
			      !is_delayed || settings[k].link_count > 0 || c.speed < 0.97f * settings[k].speed);
			delayed += is_delayed;
		}
	}
	CHECK(t, delayed > 10);
}

TEST_MAIN(TEST(laws_hold_at_every_budget))
