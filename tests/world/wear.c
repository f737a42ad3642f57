// SPDX-License-Identifier: MIT
// Damage adds up: a wall that is worn down breaks at the same blow in every run; all hits of a step
// count; explosions and shapes break what they reach, and nothing behind what stands between.

#include "../test.h"
#include "breakable.h"
#include "tape.h"

enum { MOST_BODIES = BREAKABLE_MOST };

typedef struct worn_wall {
	scene s;
	rbl_pattern *pattern;
	rbl_damage_level level;
	rbl_damage_rule rule;
	rbl_body_id wall;
} worn_wall;

static const double strength = 400.0; // joule

// A compound of bricks, the lowest row anchored, its middle at x = 0 and its foot at y = 0.
static rbl_compound *bricks(int nx, int ny, rbl_vec3d size, bool is_anchored)
{
	rbl_compound_part *parts = calloc((size_t)(nx * ny), sizeof *parts);
	for (int i = 0; i < nx * ny; ++i) {
		int x = i % nx, y = i / nx;
		rbl_convex_def def = rbl_default_convex_def();
		rbl_vec3d low = { size.x * (x - 0.5 * nx), size.y * y, -0.5 * size.z };
		def.box = (rbl_boxd){ low, { low.x + size.x, low.y + size.y, low.z + size.z } };
		rbl_convex *convex = NULL;
		rbl_create_convex(&def, &convex);
		parts[i] = (rbl_compound_part){ .convex = convex, .is_anchored = is_anchored && y == 0 };
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = nx * ny;
	rbl_compound *compound = NULL;
	rbl_create_compound(&def, &compound);
	for (int i = 0; i < nx * ny; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	free(parts);
	return compound;
}

static rbl_body_id add_breakable(worn_wall *w, rbl_compound *compound, rbl_vec3 position)
{
	rbl_body_def def = rbl_default_body_def();
	def.compound = compound;
	def.pose.position = position;
	rbl_material *material = scene_material(def.material, &w->rule, 0.0);
	def.shared_material = material;
	rbl_body_id id = rbl_create_body(w->s.world, &def);
	rbl_destroy_material(material);
	return id;
}

static void make_world(worn_wall *w, int workers, int budget)
{
	rbl_world_def def = scene_def(&w->s, workers);
	def.budget = budget;
	scene_create(&w->s, &def);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = (rbl_vec3d){ 2.0, 2.0, 2.0 };
	pattern_def.cell_count = 200;
	rbl_create_pattern(&pattern_def, &w->pattern);
	w->level = (rbl_damage_level){ .energy = strength, .pattern = w->pattern, .radius = 0.3 };
	w->rule = rbl_default_damage_rule();
	w->rule.levels = &w->level;
	w->rule.level_count = 1;
	w->rule.wear_energy = 1.0;
	w->rule.wear_radius = 0.6;
}

static void free_world(worn_wall *w)
{
	scene_destroy(&w->s);
	rbl_destroy_pattern(w->pattern);
}

static void make_wall(worn_wall *w, int workers, int budget)
{
	make_world(w, workers, budget);
	scene_add_floor(&w->s);
	w->wall = add_breakable(w, bricks(8, 10, (rbl_vec3d){ 0.25, 0.15, 0.2 }, true),
	                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
}

// Of what can break, also where it is anchored, at a density of 1000.
static double total_mass(const rbl_world *world)
{
	static rbl_body_id ids[MOST_BODIES];
	double sum = 0.0;
	int count = rbl_world_get_bodies(world, ids, MOST_BODIES);
	for (int i = 0; i < count; ++i) {
		const rbl_compound *c = rbl_body_get_compound(world, ids[i]);
		double mass = c ? 1000.0 * rbl_compound_get_visual_mass(c).volume : 0.0;
		if (c && rbl_body_get_state(world, ids[i]).kind == RBL_BODY_DYNAMIC)
			mass = (double)rbl_body_get_mass(world, ids[i]).mass;
		sum += mass;
	}
	return sum;
}

// What came of a series of blows.
typedef struct worn {
	int blow; // at which it broke, counted from 1; 0: it did not
	int body_count;
	uint64_t hash;
} worn;

static void count_blow(const rbl_world *world, int blow, worn *result)
{
	if (result->blow == 0 && rbl_world_get_events(world).fracture_count > 0)
		result->blow = blow;
}

static bool strike(rbl_world *world, rbl_body_id wall)
{
	// On the middle of one brick: never twice at the same place, or nothing would be shared.
	return rbl_body_damage(world, wall, (rbl_vec3){ 0.125f, 0.825f, 0.1f },
	                       (rbl_vec3){ 0.0f, 0.0f, -1.0f }, INFINITY,
	                       (float)(0.1 * strength)) == RBL_OK;
}

static rbl_world *save_and_load(test *t, worn_wall *w)
{
	size_t size = 0;
	CHECK(t, rbl_world_save(w->s.world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_world_save(w->s.world, bytes, &size) == RBL_OK);
	const rbl_pattern *patterns[] = { w->pattern };
	rbl_sources sources = rbl_default_sources();
	sources.patterns = patterns, sources.pattern_count = 1;
	rbl_world_def def = rbl_default_world_def();
	def.jobs = w->s.jobs;
	rbl_world *loaded = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
	free(bytes);
	return loaded;
}

// @param save_at  the blow after which the world is saved and a loaded one goes on; 0: never
static worn wear_down(test *t, int workers, int budget, int save_at, bytes_tape *tape)
{
	worn_wall w;
	worn result = { 0 };
	make_wall(&w, workers, budget);
	if (tape) {
		rbl_recording_def recording = tape_def(tape, true);
		CHECK(t, rbl_world_begin_recording(w.s.world, &recording) == RBL_OK);
	}
	double mass = total_mass(w.s.world), dust = 0.0;
	for (int blow = 1; blow <= 120; ++blow) {
		CHECK(t, strike(w.s.world, w.wall));
		for (int i = 0; i < 2; ++i) {
			CHECK(t, rbl_world_step(w.s.world, 1.0f / 60.0f) == RBL_OK);
			rbl_events e = rbl_world_get_events(w.s.world);
			for (int k = 0; k < e.fracture_count; ++k)
				for (int d = 0; d < e.fractures[k].dust_count; ++d)
					dust += 1000.0 * e.fractures[k].dust[d].volume;
			count_blow(w.s.world, blow, &result);
		}
		if (blow == save_at) {
			rbl_world *loaded = save_and_load(t, &w);
			CHECK(t, rbl_world_hash(loaded) == rbl_world_hash(w.s.world));
			rbl_destroy_world(w.s.world);
			w.s.world = loaded;
		}
	}
	CHECK_NEAR(t, (total_mass(w.s.world) + dust) / mass, 1.0, 1e-6);
	result.body_count = rbl_world_body_count(w.s.world);
	result.hash = rbl_world_hash(w.s.world);
	if (tape)
		CHECK(t, rbl_world_end_recording(w.s.world) == RBL_OK);
	free_world(&w);
	return result;
}

// A hundred hits of a tenth of its strength: always the hundredth breaks it, whoever computes it,
// and also where it is saved and loaded in between.
static void the_hundredth_blow_breaks_a_wall(test *t)
{
	bytes_tape tape;
	worn first = wear_down(t, 1, 0, 0, &tape);
	CHECK(t, first.blow == 100 && first.body_count > 5);
	// Saved early, in the middle, and right before and after the blow that breaks it.
	static const int saves[] = { 0, 1, 25, 50, 75, 98, 99, 100 };
	enum { MOST_WORKERS = 8, SAVES = sizeof saves / sizeof *saves };
	for (int workers = 1; workers <= MOST_WORKERS; workers += test_repeats(1, 3))
		for (int i = workers % 2; i < SAVES; i += test_repeats(2, SAVES)) {
			worn again = wear_down(t, workers, 0, saves[i], NULL);
			CHECK(t, again.blow == 100 && again.hash == first.hash);
		}
	const rbl_sources none = rbl_default_sources();
	uint64_t now = 0;
	CHECK(t, tape_play(t, &tape, &none, 2, &now) == 240 && now == first.hash);
	free(tape.bytes);
}

// Under a budget it is the same blow, and the break is over some steps later; a world that is saved
// while it breaks goes on with the same bits.
static void budgets_and_snapshots_of_worn_walls(test *t)
{
	worn first = wear_down(t, 1, 50, 0, NULL);
	CHECK(t, first.blow >= 100 && first.blow <= 104 && first.body_count > 5);
	worn again = wear_down(t, 2, 50, 100, NULL);
	CHECK(t, again.blow == first.blow && again.hash == first.hash);
}

// The hash of a world tells wear.
static void wear_is_state(test *t)
{
	worn_wall w;
	make_wall(&w, 1, 0);
	scene_steps(&w.s, 2);
	uint64_t before = rbl_world_hash(w.s.world);
	CHECK(t, strike(w.s.world, w.wall));
	scene_steps(&w.s, 1);
	CHECK(t, rbl_world_hash(w.s.world) != before);
	const rbl_compound *c = rbl_body_get_compound(w.s.world, w.wall);
	double worst = 0.0;
	int worn_parts = 0;
	for (int i = 0; i < 80; ++i) {
		worst = rbl_maxd(worst, rbl_compound_get_part(c, i).damage);
		worn_parts += rbl_compound_get_part(c, i).damage > 0.0;
	}
	CHECK_NEAR(t, worst, 0.01, 1e-9);
	CHECK(t, worn_parts > 4 && worn_parts < 60);
	free_world(&w);
}

// Balls that are thrown at it one after the other wear it down as well; it breaks by the last, and
// no ball comes back faster than it came.
static void weak_hits_wear_a_wall_down(test *t)
{
	uint64_t hashes[2];
	int at[2] = { 0, 0 };
	for (int run = 0; run < 2; ++run) {
		worn_wall w;
		make_wall(&w, run == 0 ? 1 : 3, 0);
		rbl_body_id ball = { 0, 0 };
		for (int k = 1; k <= 60; ++k) {
			if (rbl_body_exists(w.s.world, ball))
				rbl_destroy_body(w.s.world, ball);
			rbl_body_def def = scene_body(w.s.ball, 0.1f, 0.8f, 0.6f);
			def.material.density = 500.0f; // 33 kg, 100 J: a quarter of the strength
			def.velocity = (rbl_vec3){ 0.0f, 0.0f, -2.5f };
			def.gravity_scale = 0.0f;
			ball = rbl_create_body(w.s.world, &def);
			for (int i = 0; i < 12; ++i) {
				CHECK(t, rbl_world_step(w.s.world, 1.0f / 60.0f) == RBL_OK);
				if (at[run] == 0 && rbl_world_get_events(w.s.world).fracture_count > 0)
					at[run] = k;
				CHECK(t, rbl_length(rbl_body_velocity(w.s.world, ball)) < 2.6f);
			}
		}
		hashes[run] = rbl_world_hash(w.s.world);
		free_world(&w);
	}
	CHECK(t, at[0] > 5 && at[0] < 60 && at[0] == at[1] && hashes[0] == hashes[1]);
}

// Two stones hit a wall in one step at two places: it breaks at both.
static void all_hits_of_a_step_count(test *t)
{
	for (int both = 0; both < 2; ++both) {
		worn_wall w;
		make_world(&w, 1, 0);
		w.rule.wear_energy = 0.0;
		w.wall = add_breakable(&w, bricks(12, 10, (rbl_vec3d){ 0.25, 0.15, 0.2 }, true),
		                       (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		for (int k = 0; k <= both; ++k) {
			rbl_body_def def = scene_body(w.s.ball, k ? 1.0f : -1.0f, 0.8f, 0.5f);
			def.material.density = 1000.0f;
			def.velocity = (rbl_vec3){ 0.0f, 0.0f, -8.0f + 0.5f * (float)k };
			rbl_create_body(w.s.world, &def);
		}
		int first = -1;
		for (int i = 0; i < 20 && first < 0; ++i) {
			CHECK(t, rbl_world_step(w.s.world, 1.0f / 60.0f) == RBL_OK);
			rbl_events e = rbl_world_get_events(w.s.world);
			if (e.fracture_count == 0)
				continue;
			first = i;
			CHECK(t, e.fracture_count == 1 + both);
			bool is_left = false, is_right = false;
			for (int k = 0; k < e.fracture_count; ++k)
				is_left |= e.fractures[k].point.x<-0.5f, is_right |= e.fractures[k].point.x> 0.5f;
			CHECK(t, is_left && is_right == both);
		}
		CHECK(t, first >= 0);
		free_world(&w);
	}
}

// Bonds that are worn through open: bricks fall, whole.
static void worn_bonds_open(test *t)
{
	worn_wall w;
	make_world(&w, 1, 0);
	w.level.energy = 1e9; // bricks themselves do not break
	w.rule.bond_energy = 100.0;
	w.rule.wear_radius = 0.25;
	w.wall = add_breakable(&w, bricks(6, 6, (rbl_vec3d){ 0.25, 0.15, 0.2 }, true),
	                       (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	double mass = total_mass(w.s.world);
	int opened = 0, blow = 0;
	rbl_vec3 top = { 0.625f, 0.825f, 0.1f };
	while (opened == 0 && blow < 500) {
		blow++;
		CHECK(t, rbl_body_damage(w.s.world, w.wall, top, (rbl_vec3){ 0.0f, 0.0f, -1.0f }, INFINITY,
		                         30.0f) == RBL_OK);
		scene_steps(&w.s, 1);
		rbl_events e = rbl_world_get_events(w.s.world);
		for (int k = 0; k < e.fracture_count; ++k) {
			CHECK(t, e.fractures[k].cause == RBL_FRACTURE_WEAR);
			opened += e.fractures[k].new_count;
		}
	}
	CHECK(t, opened == 1 && blow > 10 && blow < 400); // the brick at the corner
	CHECK(t, rbl_world_get_stats(w.s.world).failed_bond_count > 0);
	CHECK_NEAR(t, total_mass(w.s.world) / mass, 1.0, 1e-6);
	free_world(&w);
}

// --- explosions ---------------------------------------------------------------------------------

// Two walls, one behind the other: an explosion breaks both, but only the first where what stands
// between protects.
static void walls_protect_what_is_behind_them(test *t)
{
	for (int is_occluded = 0; is_occluded < 2; ++is_occluded) {
		worn_wall w;
		make_world(&w, 1, 0);
		rbl_vec3d size = { 0.25, 0.15, 0.2 };
		rbl_body_id walls[2];
		for (int i = 0; i < 2; ++i)
			walls[i] = add_breakable(&w, bricks(8, 8, size, true),
			                         (rbl_vec3){ 0.0f, 0.0f, 1.0f + 0.8f * (float)i });
		rbl_body_id ball = scene_add(&w.s, w.s.ball, 0.0f, 0.3f, 1.4f); // between them
		scene_steps(&w.s, 1);
		rbl_explosion e = rbl_default_explosion();
		e.position = (rbl_vec3){ 0.0f, 0.6f, 0.0f };
		e.radius = 3.0f;
		e.energy = 1000.0f;
		e.is_occluded = is_occluded;
		CHECK(t, rbl_world_explode(w.s.world, &e) == RBL_OK);
		CHECK(t, (rbl_body_velocity(w.s.world, ball).z > 0.1f) == !is_occluded);
		CHECK(t, rbl_world_step(w.s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events events = rbl_world_get_events(w.s.world);
		int broken[2] = { 0, 0 };
		for (int k = 0; k < events.fracture_count; ++k)
			for (int i = 0; i < 2; ++i)
				broken[i] += events.fractures[k].parent.index == walls[i].index;
		CHECK(t, broken[0] > 1); // a blast breaks a long wall at several places
		// What came off is blown away from it, off a wall that could not move.
		int blown = 0;
		float nearest = 1e9f;
		for (int k = 0; k < events.fracture_count; ++k)
			for (int i = 0; i < events.fractures[k].new_count; ++i) {
				rbl_vec3 v = rbl_body_velocity(w.s.world, events.fractures[k].new_bodies[i]);
				blown += v.z > 0.2f;
				nearest = rbl_minf(nearest, v.z);
			}
		CHECK(t, blown > 5 && nearest > -0.2f);
		CHECK(t, (broken[1] > 0) == !is_occluded);
		free_world(&w);
	}
}

static int fractures_of(test *t, worn_wall *w, const rbl_damage_def *def, rbl_vec3 *point)
{
	CHECK(t, rbl_world_damage(w->s.world, def) == RBL_OK);
	CHECK(t, rbl_world_step(w->s.world, 1.0f / 60.0f) == RBL_OK);
	rbl_events e = rbl_world_get_events(w->s.world);
	if (e.fracture_count > 0)
		*point = e.fractures[0].point;
	return e.fracture_count;
}

// Each shape breaks what it meets, and nothing beside it.
static void shapes_break_what_they_meet(test *t)
{
	for (int shape = 0; shape < RBL_DAMAGE_SHAPE_COUNT; ++shape) {
		for (int misses = 0; misses < 2; ++misses) {
			worn_wall w;
			rbl_vec3 point = { 0.0f, 0.0f, 0.0f };
			make_world(&w, 1, 0);
			w.rule.wear_energy = 0.0;
			add_breakable(&w, bricks(8, 8, (rbl_vec3d){ 0.25, 0.15, 0.2 }, true),
			              (rbl_vec3){ 0.0f, 0.0f, 0.0f });
			rbl_damage_def def = rbl_default_damage_def();
			def.shape = (rbl_damage_shape)shape;
			def.position = (rbl_vec3){ 0.5f, misses ? 3.0f : 0.7f, 2.0f };
			def.translation = (rbl_vec3){ 0.0f, 0.0f, -1.95f };
			def.radius = shape == RBL_DAMAGE_SPHERE ? 1.95f : 0.2f;
			def.energy = (float)(2.0 * strength);
			int count = fractures_of(t, &w, &def, &point);
			CHECK(t, misses ? count == 0 : count >= 1);
			if (!misses)
				CHECK(t, fabsf(point.x - 0.5f) < 0.45f && fabsf(point.y - 0.7f) < 0.45f &&
				             fabsf(point.z) < 0.11f);
			def.energy = (float)(0.5 * strength); // too weak
			CHECK(t, fractures_of(t, &w, &def, &point) == 0);
			free_world(&w);
		}
	}
}

// Full energy within the radius, less over the falloff.
static void energy_falls_off(test *t)
{
	for (int far = 0; far < 2; ++far) {
		worn_wall w;
		rbl_vec3 point;
		make_world(&w, 1, 0);
		w.rule.wear_energy = 0.0;
		add_breakable(&w, bricks(4, 4, (rbl_vec3d){ 0.25, 0.15, 0.2 }, true),
		              (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_damage_def def = rbl_default_damage_def();
		def.position = (rbl_vec3){ 0.0f, 0.3f, far ? 1.4f : 1.3f }; // 1.3 and 1.2 from it
		def.radius = 1.0f, def.falloff = 0.5f;
		def.energy = (float)(2.0 * strength); // half of it at 1.25
		CHECK(t, (fractures_of(t, &w, &def, &point) > 0) == !far);
		free_world(&w);
	}
}

static void shapes_push(test *t)
{
	for (int shape = 0; shape < RBL_DAMAGE_SHAPE_COUNT; ++shape) {
		worn_wall w;
		make_world(&w, 1, 0);
		rbl_body_id near = scene_add(&w.s, w.s.box, 0.0f, 1.0f, 0.0f);
		rbl_body_id behind = scene_add(&w.s, w.s.box, 0.0f, 1.0f, -1.0f);
		float mass = rbl_body_get_mass(w.s.world, near).mass;
		rbl_damage_def def = rbl_default_damage_def();
		def.shape = (rbl_damage_shape)shape;
		def.position = (rbl_vec3){ 0.0f, 1.0f, 1.0f };
		def.translation = (rbl_vec3){ 0.0f, 0.0f, -2.0f };
		def.radius = shape == RBL_DAMAGE_SPHERE ? 3.0f : 0.5f;
		def.impulse = 10.0f;
		def.is_occluded = true;
		CHECK(t, rbl_world_damage(w.s.world, &def) == RBL_OK);
		if (shape != RBL_DAMAGE_CAPSULE) // its axis goes through both
			CHECK_NEAR(t, (double)rbl_body_velocity(w.s.world, near).z, -10.0 / (double)mass, 1e-5);
		if (shape != RBL_DAMAGE_CAPSULE)
			CHECK(t, rbl_length(rbl_body_velocity(w.s.world, behind)) == 0.0f);
		def.is_occluded = false;
		def.mask = 2; // nobody
		CHECK(t, rbl_world_damage(w.s.world, &def) == RBL_OK);
		CHECK(t, rbl_length(rbl_body_velocity(w.s.world, behind)) == 0.0f ||
		             shape == RBL_DAMAGE_CAPSULE);
		free_world(&w);
	}
}

// --- calls --------------------------------------------------------------------------------------

static bool damage_in_callback(void *user, rbl_body_id a, rbl_body_id b)
{
	(void)a, (void)b;
	worn_wall *w = user;
	rbl_damage_def def = rbl_default_damage_def();
	def.position = (rbl_vec3){ 0.0f, 0.7f, 0.0f };
	def.energy = (float)(2.0 * strength);
	return rbl_world_damage(w->s.world, &def) == RBL_OK;
}

// Damage from a callback waits until the step is over, and a recording has all of it.
static void damage_is_queued_and_recorded(test *t)
{
	worn_wall w;
	bytes_tape tape;
	rbl_world_def def = scene_def(&w.s, 1);
	def.should_collide = damage_in_callback;
	def.user = &w;
	scene_create(&w.s, &def);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	CHECK(t, rbl_create_pattern(&pattern_def, &w.pattern) == RBL_OK);
	w.level = (rbl_damage_level){ .energy = strength, .pattern = w.pattern, .radius = 0.3 };
	w.rule = rbl_default_damage_rule();
	w.rule.levels = &w.level, w.rule.level_count = 1;
	rbl_recording_def recording = tape_def(&tape, true);
	CHECK(t, rbl_world_begin_recording(w.s.world, &recording) == RBL_OK);
	rbl_body_id wall = add_breakable(&w, bricks(4, 6, (rbl_vec3d){ 0.25, 0.15, 0.2 }, true),
	                                 (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	(void)wall;
	scene_add(&w.s, w.s.ball, 0.0f, 1.3f, 0.0f); // falls on it
	int fractures = 0;
	for (int i = 0; i < 40; ++i) {
		if (i == 30) {
			rbl_explosion e = rbl_default_explosion();
			e.energy = 2000.0f, e.is_occluded = true;
			CHECK(t, rbl_world_explode(w.s.world, &e) == RBL_OK);
		}
		CHECK(t, rbl_world_step(w.s.world, 1.0f / 60.0f) == RBL_OK);
		fractures += rbl_world_get_events(w.s.world).fracture_count;
	}
	CHECK(t, fractures > 1);
	uint64_t then = rbl_world_hash(w.s.world), now = 0;
	CHECK(t, rbl_world_end_recording(w.s.world) == RBL_OK);
	const rbl_sources none = rbl_default_sources();
	CHECK(t, tape_play(t, &tape, &none, 2, &now) == 40 && now == then);
	free(tape.bytes);
	free_world(&w);
}

static void wrong_damage_is_refused(test *t)
{
	worn_wall w;
	make_wall(&w, 1, 0);
	scene_steps(&w.s, 1);
	uint64_t before = rbl_world_hash(w.s.world);
	rbl_damage_def good = rbl_default_damage_def();
	good.energy = 1e6f, good.impulse = 1e3f;
	for (int i = 0; i < 12; ++i) {
		rbl_damage_def def = good;
		if (i == 0)
			def.radius = 0.0f;
		else if (i == 1)
			def.radius = NAN;
		else if (i == 2)
			def.energy = NAN;
		else if (i == 3)
			def.energy = -1.0f;
		else if (i == 4)
			def.position.x = INFINITY;
		else if (i == 5)
			def.shape = RBL_DAMAGE_SHAPE_COUNT;
		else if (i == 6)
			def.shape = RBL_DAMAGE_RAY; // without a translation
		else if (i == 7)
			def.shape = RBL_DAMAGE_CONE;
		else if (i == 8)
			def.falloff = -1.0f;
		else if (i == 9)
			def.impulse = NAN;
		else if (i == 10)
			def.radius = INFINITY;
		else
			def.cookie = 0;
		CHECK(t, rbl_world_damage(w.s.world, &def) == RBL_BAD_ARGUMENT);
		CHECK(t, strlen(rbl_last_error()) > 5);
	}
	rbl_explosion e = rbl_default_explosion();
	e.energy = NAN;
	CHECK(t, rbl_world_explode(w.s.world, &e) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_damage(NULL, &good) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_damage(w.s.world, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_hash(w.s.world) == before);
	CHECK(t, rbl_world_get_stats(w.s.world).breaking_count == 0);
	free_world(&w);
}

TEST_MAIN(TEST(the_hundredth_blow_breaks_a_wall), TEST(budgets_and_snapshots_of_worn_walls),
          TEST(wear_is_state), TEST(weak_hits_wear_a_wall_down), TEST(all_hits_of_a_step_count),
          TEST(worn_bonds_open), TEST(walls_protect_what_is_behind_them),
          TEST(shapes_break_what_they_meet), TEST(energy_falls_off), TEST(shapes_push),
          TEST(damage_is_queued_and_recorded), TEST(wrong_damage_is_refused))
