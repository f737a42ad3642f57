// SPDX-License-Identifier: MIT
// What breaks something goes on, whatever the fracture budget of a step is: mass is exact, momentum
// is kept, no energy is gained, and nothing stands in the air until the break is through.

#include "../test.h"
#include "breakable.h"

#include <rubble/shapes.h>
#include <rubble/snapshot.h>

enum { STEPS = 30, MOST_STEPS = 1000, BUDGET_COUNT = 7 };

static const int budgets[BUDGET_COUNT] = { 50, 100, 200, 500, 1000, 2000, 0 };

typedef struct setting {
	rbl_body_kind kind; // of the wall
	float speed, gravity;
	rbl_vec3 at;     // where the ball comes from, besides z
	bool is_bullet;  // the ball is one
	bool has_second; // another ball follows a few steps later
} setting;

typedef struct course {
	int hit_step, break_step; // -1: none
	rbl_vec3 hit_velocity;    // of the ball, after the step of the hit
	float lowest_speed;       // of the ball after the hit, before the break
	float spin;               // of the ball at the end
	rbl_vec3 end;             // where the ball is then
	int born;
	double change; // of momentum, the largest in a step
	double drift;  // of momentum, the largest in all
	uint64_t hash;
} course;

static void make_wall(test *t, breakable *b, int budget, int workers, float gravity)
{
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 4.0, 3.0, 0.3 };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	breakable_prepare(t, b, mesh, 5);
	b->own_mesh = mesh;
	rbl_destroy_pattern(b->pattern);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = (rbl_vec3d){ 4.0, 4.0, 4.0 };
	pattern_def.cell_count = 2000;
	CHECK(t, rbl_create_pattern(&pattern_def, &b->pattern) == RBL_OK);
	b->level = (rbl_damage_level){ .energy = 1000.0, .pattern = b->pattern, .radius = 0.4 };
	b->rule.radius_limit = INFINITY;
	rbl_world_def def = scene_def(&b->s, workers);
	def.gravity = (rbl_vec3){ 0.0f, gravity, 0.0f };
	def.budget = budget;
	scene_create(&b->s, &def);
}

// A ball of 235 kg at a wall of 3.6 t.
static rbl_body_id add_ball(breakable *b, const rbl_collider *ball, const setting *s, float z)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = ball;
	def.material.density = 2078.0f;
	def.velocity = (rbl_vec3){ 0.0f, 0.0f, s->speed };
	def.pose.position = (rbl_vec3){ s->at.x, s->at.y, z };
	def.is_bullet = s->is_bullet;
	def.angular_damping = 0.0f;
	return rbl_create_body(b->s.world, &def);
}

// Over one step. Momentum is kept to 1e-5, and no energy is gained. When hundreds of fragments collide,
// soft contacts give back in one step what they took in another; but never more than there was.
// @return the change of momentum, as a share of all there is
static double check_laws(test *t, const sums *first, const sums *before, const sums *after,
                         bool has_fragments, double at_break)
{
	CHECK_NEAR(t, after->mass / first->mass, 1.0, 1e-6);
	double change = rbl_distance_d(after->momentum, before->momentum) / after->momentum_size;
	CHECK(t, change < 1e-5);
	CHECK(t, after->energy <= (has_fragments ? at_break : before->energy) * (1.0 + 1e-5));
	return change;
}

static course throw_at_wall(test *t, const setting *s, int budget, int workers, bool reloads)
{
	breakable b;
	make_wall(t, &b, budget, workers, s->gravity);
	course c = { .hit_step = -1, .break_step = -1, .lowest_speed = FLT_MAX };
	rbl_collider_def ball_def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	ball_def.radius = 0.3f;
	rbl_collider *collider = NULL;
	CHECK(t, rbl_create_collider(&ball_def, &collider) == RBL_OK);
	rbl_body_def wall = breakable_def(&b, s->kind);
	wall.can_sleep = false; // what falls asleep loses the little that it moves
	rbl_create_body(b.s.world, &wall);
	rbl_body_id ball = add_ball(&b, collider, s, -1.5f);
	if (s->has_second)
		add_ball(&b, collider, s, -2.6f);
	bool is_free = s->kind == RBL_BODY_DYNAMIC && s->gravity == 0.0f;
	sums first = breakable_sums(b.s.world), before = first;
	double at_break = 0.0; // energy
	int left = STEPS;
	for (int step = 0; step < MOST_STEPS && left > 0; ++step) {
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
		left -= c.hit_step < 0 || rbl_world_get_stats(b.s.world).breaking_count == 0;
		rbl_events e = rbl_world_get_events(b.s.world);
		sums after = breakable_sums(b.s.world);
		if (is_free) {
			double way = rbl_distance_d(after.momentum, first.momentum) / first.momentum_size;
			c.change = rbl_maxd(
				c.change, check_laws(t, &first, &before, &after, c.break_step >= 0, at_break));
			c.drift = rbl_maxd(c.drift, way);
		}
		if (c.break_step < 0)
			at_break = after.energy;
		before = after;
		rbl_vec3 v = rbl_body_velocity(b.s.world, ball);
		if (c.hit_step < 0 && e.hit_count > 0) {
			c.hit_step = step;
			c.hit_velocity = v;
		}
		for (int i = 0; i < e.fracture_count; ++i) {
			c.break_step = c.break_step < 0 ? step : c.break_step;
			c.born += e.fractures[i].new_count;
		}
		if (c.hit_step >= 0 && c.break_step < 0)
			c.lowest_speed = rbl_minf(c.lowest_speed, v.z);
		if (reloads && c.hit_step >= 0 && step == c.hit_step + 1) {
			size_t size = 0;
			CHECK(t, rbl_world_save(b.s.world, NULL, &size) == RBL_OK);
			void *bytes = malloc(size);
			CHECK(t, rbl_world_save(b.s.world, bytes, &size) == RBL_OK);
			rbl_world_def def = rbl_default_world_def();
			def.jobs = b.s.jobs;
			rbl_sources sources = rbl_default_sources();
			const rbl_asset *assets[1] = { b.asset };
			const rbl_pattern *patterns[1] = { b.pattern };
			sources.assets = assets, sources.asset_count = 1;
			sources.patterns = patterns, sources.pattern_count = 1;
			rbl_world *loaded = NULL;
			CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
			free(bytes);
			rbl_destroy_world(b.s.world);
			b.s.world = loaded;
		}
	}
	c.end = rbl_body_get_state(b.s.world, ball).centre;
	c.spin = rbl_length(rbl_body_get_state(b.s.world, ball).angular_velocity);
	c.hash = rbl_world_hash(b.s.world);
	rbl_destroy_collider(collider);
	breakable_destroy(&b);
	return c;
}

static const setting settings[] = {
	{ RBL_BODY_DYNAMIC, 20.0f, 0.0f, { 0.1f, 0.2f, 0.0f }, false, false },
	{ RBL_BODY_DYNAMIC, 20.0f, 0.0f, { 1.6f, -1.1f, 0.0f }, true, false },
	{ RBL_BODY_DYNAMIC, 40.0f, 0.0f, { 0.1f, 0.2f, 0.0f }, false, true },
	{ RBL_BODY_DYNAMIC, 9.0f, 0.0f, { -0.7f, 0.4f, 0.0f }, false, false },
	{ RBL_BODY_STATIC, 20.0f, -9.81f, { 0.1f, 0.2f, 0.0f }, false, false },
};

// Right after the hit the ball has the same velocity, whatever the budget is, and it goes on.
static void hitters_go_on_at_every_budget(test *t)
{
	int delayed = 0;
	double change = 0.0, drift = 0.0;
	for (size_t k = 0; k < sizeof settings / sizeof *settings; ++k) {
		course whole = throw_at_wall(t, &settings[k], 0, 1, false);
		CHECK(t, whole.hit_step >= 0 && whole.break_step == whole.hit_step && whole.born > 5);
		for (int i = 0; i < BUDGET_COUNT; i += test_repeats(1, 3)) {
			course c = throw_at_wall(t, &settings[k], budgets[i], 1, false);
			CHECK(t, c.hit_step == whole.hit_step && c.break_step >= c.hit_step && c.born > 5);
			CHECK(t, memcmp(&c.hit_velocity, &whole.hit_velocity, sizeof c.hit_velocity) == 0);
			CHECK(t, c.hit_velocity.z > 0.8f * settings[k].speed);
			CHECK(t, c.break_step == c.hit_step || c.lowest_speed > 0.75f * settings[k].speed);
			// Fragments that are there at once stop a slow ball.
			CHECK(t, c.end.z > (settings[k].speed < 10.0f ? -1.5f : 1.0f) && c.spin < 12.0f);
			delayed += c.break_step > c.hit_step;
			change = rbl_maxd(change, rbl_maxd(whole.change, c.change));
			drift = rbl_maxd(drift, rbl_maxd(whole.drift, c.drift));
		}
	}
	printf("momentum: %.1e in a step, %.1e in all\n", change, drift);
	CHECK(t, drift < 1e-5);
	CHECK(t, delayed > test_repeats(10, 3));
}

// A break that is under way is so in a saved world, and for any number of workers.
static void passing_is_kept_in_snapshots_and_by_any_workers(test *t)
{
	for (int k = 0; k < 2; ++k) {
		course one = throw_at_wall(t, &settings[k], 100, 1, false);
		CHECK(t, one.break_step > one.hit_step + 2);
		CHECK(t, throw_at_wall(t, &settings[k], 100, 3, false).hash == one.hash);
		CHECK(t, throw_at_wall(t, &settings[k], 100, 1, true).hash == one.hash);
	}
}

// A wall falls flat on a floor and breaks there. The floor has hit it, too, but does not go on.
static void what_breaks_on_a_floor_does_not_sink_into_it(test *t)
{
	for (int kind = 0; kind < 2; ++kind)
		for (int i = 0; i < BUDGET_COUNT; ++i) {
			breakable b;
			make_wall(t, &b, budgets[i], 1, -9.81f);
			rbl_collider *ground = scene_box(5.0f, 0.5f, 5.0f);
			rbl_body_def floor_def = scene_body(ground, 0.0f, -0.5f, 0.0f);
			floor_def.kind = kind == 0 ? RBL_BODY_STATIC : RBL_BODY_KINEMATIC;
			rbl_body_id floor = rbl_create_body(b.s.world, &floor_def);
			rbl_body_def wall = breakable_def(&b, RBL_BODY_DYNAMIC);
			wall.pose.position.y = 0.5f;
			wall.pose.rotation =
				rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, 1.5707964f);
			wall.velocity.y = -9.0f;
			rbl_create_body(b.s.world, &wall);
			int born = 0;
			float lowest = FLT_MAX;
			for (int step = 0, left = STEPS; step < MOST_STEPS && left > 0; ++step) {
				rbl_body_id ids[1024];
				CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
				rbl_events e = rbl_world_get_events(b.s.world);
				for (int k = 0; k < e.fracture_count; ++k)
					born += e.fractures[k].new_count;
				left -= born > 5;
				int count = rbl_mini(rbl_world_get_bodies(b.s.world, ids, 1024), 1024);
				for (int k = 0; k < count; ++k)
					if (ids[k].index != floor.index)
						lowest = rbl_minf(lowest, rbl_body_get_state(b.s.world, ids[k]).centre.y);
			}
			CHECK(t, born > 5);
			CHECK(t, lowest > -0.01f); // slivers
			rbl_destroy_collider(ground);
			breakable_destroy(&b);
		}
}

TEST_MAIN(TEST(hitters_go_on_at_every_budget), TEST(what_breaks_on_a_floor_does_not_sink_into_it),
          TEST(passing_is_kept_in_snapshots_and_by_any_workers))
