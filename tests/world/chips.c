// SPDX-License-Identifier: MIT
// ctest: threads
// What comes off exposed faces: chips, emitters of dust, triangles for the caller; and what
// fracture events say.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"
#include "tape.h"

enum { MOST = 20000 };

static rbl_fracture_triangle triangles[MOST];

typedef struct shedding {
	breakable b;
	rbl_material *material;
	rbl_body_id body;
} shedding;

static double level_energy = 10.0; // of the hit that breaks a cube

static rbl_debris_rule chip_rule(void)
{
	rbl_debris_rule rule = rbl_default_material_def().debris;
	rule.kind = RBL_DEBRIS_CHIPS;
	return rule;
}

static rbl_world_def world_def(shedding *s, int workers)
{
	rbl_world_def def = scene_def(&s->b.s, workers);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.budget = 0;
	def.keeps_exposed_triangles = true;
	return def;
}

// A cube of a metre.
static rbl_body_def cube_def(const shedding *s, rbl_vec3 position)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = s->b.asset;
	def.shared_material = s->material;
	def.pose.position = position;
	def.angular_damping = 0.0f;
	def.user = 4711;
	return def;
}

// A cube that turns in free flight, and what falls off it.
static void make(test *t, shedding *s, rbl_debris_rule rule, const rbl_world_def *given)
{
	*s = (shedding){ .material = NULL };
	breakable_prepare(t, &s->b, NULL, 5);
	s->b.rule.dust_size = 0.12;
	s->b.level.energy = level_energy;
	rbl_material_def material_def = rbl_default_material_def();
	material_def.values.density = 2000.0f;
	material_def.damage = s->b.rule;
	material_def.debris = rule;
	CHECK(t, rbl_create_material(&material_def, &s->material) == RBL_OK);
	rbl_world_def def = world_def(s, 1);
	scene_create(&s->b.s, given ? given : &def);
	rbl_body_def cube = cube_def(s, (rbl_vec3){ 0.0f, 5.0f, 0.0f });
	cube.velocity = (rbl_vec3){ 3.0f, 1.0f, -2.0f };
	cube.angular_velocity = (rbl_vec3){ 0.5f, 1.0f, 0.3f };
	s->body = rbl_create_body(s->b.s.world, &cube);
	CHECK(t, !rbl_body_id_is_null(s->body));
}

static void end(shedding *s)
{
	breakable_destroy(&s->b);
	rbl_destroy_material(s->material);
}

static void hit(test *t, shedding *s, float energy)
{
	rbl_world *world = s->b.s.world;
	rbl_vec3 point =
		rbl_add(rbl_body_pose(world, s->body).position, (rbl_vec3){ 0.5f, 0.1f, 0.0f });
	CHECK(t, rbl_body_damage(world, s->body, point, (rbl_vec3){ -1.0f, 0.0f, 0.0f }, INFINITY,
	                         energy) == RBL_OK);
}

static rbl_fracture_event strike(test *t, shedding *s, float energy)
{
	rbl_world *world = s->b.s.world;
	hit(t, s, energy);
	CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
	rbl_events events = rbl_world_get_events(world);
	CHECK(t, events.fracture_count == 1);
	return events.fracture_count == 1 ? events.fractures[0] : (rbl_fracture_event){ 0 };
}

// A hit on a cube with a rule, seen after the step that breaks it.
static rbl_fracture_event strike_with(test *t, shedding *s, rbl_debris_rule rule)
{
	make(t, s, rule, NULL);
	return strike(t, s, 20.0f);
}

static void events_say_what_broke_and_what_is_gone(test *t)
{
	shedding s;
	make(t, &s, chip_rule(), NULL);
	sums before = breakable_sums(s.b.s.world);
	int parts = rbl_compound_get_info(rbl_body_get_compound(s.b.s.world, s.body)).part_end;
	rbl_fracture_event e = strike(t, &s, 20.0f);
	CHECK(t, e.user == 4711 && e.new_count > 3 && e.dust_count > 0 && e.chip_count > 10);
	CHECK(t, e.part_count > 0 && e.parts[0] >= 0 && e.parts[0] < parts);
	// Mass is what is lost; momentum is that of chips and all else, and of the dust they are made of.
	sums after = breakable_sums(s.b.s.world);
	CHECK_NEAR(t, after.mass + (double)e.lost_mass, before.mass, 1e-6 * before.mass);
	double dust = 0.0, chip_mass = 0.0;
	rbl_vec3d momentum = after.momentum, scatter = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < e.dust_count; ++i) {
		dust += 2000.0 * e.dust[i].volume;
		momentum = rbl_add_scaled_d(momentum, 2000.0 * e.dust[i].volume, e.dust[i].velocity);
	}
	for (int i = 0; i < e.chip_count; ++i) {
		rbl_body_id chip = e.chips[i].body;
		double mass = (double)rbl_body_get_mass(s.b.s.world, chip).mass;
		rbl_vec3d velocity = rbl_to_d(rbl_body_velocity(s.b.s.world, chip));
		rbl_vec3d place = rbl_to_d(
			rbl_body_velocity_at(s.b.s.world, s.body, rbl_body_pose(s.b.s.world, chip).position));
		chip_mass += mass;
		momentum = rbl_add_scaled_d(momentum, -mass, velocity);
		scatter = rbl_add_scaled_d(scatter, mass, rbl_sub_d(velocity, place));
	}
	CHECK_NEAR(t, dust - chip_mass, (double)e.lost_mass, 1e-4 * chip_mass);
	CHECK(t, rbl_distance_d(momentum, before.momentum) < 1e-5 * before.momentum_size);
	CHECK(t, e.survives && rbl_length_d(scatter) < 1e-4 * chip_mass);
	// Nothing survives: the user value is still known.
	rbl_destroy_body(s.b.s.world, s.body);
	rbl_body_def cube = cube_def(&s, (rbl_vec3){ 0.0f, 9.0f, 0.0f });
	s.body = rbl_create_body(s.b.s.world, &cube);
	CHECK(t, rbl_body_damage(s.b.s.world, s.body, (rbl_vec3){ 0.0f, 9.0f, 0.0f },
	                         (rbl_vec3){ 0.0f, 1.0f, 0.0f }, 10.0f, 1000.0f) == RBL_OK);
	CHECK(t, rbl_world_step(s.b.s.world, 1.0f / 60.0f) == RBL_OK);
	rbl_events events = rbl_world_get_events(s.b.s.world);
	CHECK(t, events.fracture_count == 1 && !events.fractures[0].survives);
	CHECK(t, events.fractures[0].user == 4711 && !rbl_body_exists(s.b.s.world, s.body));
	end(&s);
}

static void triangles_are_those_of_the_break(test *t)
{
	shedding s;
	rbl_fracture_event e = strike_with(t, &s, rbl_default_material_def().debris);
	rbl_world *world = s.b.s.world;
	CHECK(t, e.chip_count == 0 && e.emitter_count == 0); // nobody asked for them
	int count = 0, rest = 0, dust = 0, same = 0;
	CHECK(t, rbl_world_get_exposed_triangles(world, 0, triangles, MOST, &count) == RBL_OK);
	CHECK(t, count > 20 && count < MOST);
	double area = 0.0;
	for (int i = 0; i < count; ++i) {
		const rbl_fracture_triangle *f = &triangles[i];
		area += (double)f->area;
		rbl_vec3 n =
			rbl_cross(rbl_sub(f->corners[1], f->corners[0]), rbl_sub(f->corners[2], f->corners[0]));
		rbl_vec3 centre =
			rbl_scale(1.0f / 3.0f, rbl_add(f->corners[0], rbl_add(f->corners[1], f->corners[2])));
		CHECK_NEAR(t, 0.5f * rbl_length(n), f->area, 1e-5f);
		CHECK(t, rbl_dot(n, f->normal) >= 0.0f && f->material == s.material);
		bool is_rest = f->body.index == s.body.index, is_dust = rbl_body_id_is_null(f->body);
		rest += is_rest, dust += is_dust;
		if (is_dust)
			continue;
		rbl_vec3 velocity = rbl_body_velocity_at(world, f->body, centre);
		CHECK(t, rbl_distance(velocity, f->velocity) < 1e-3f);
		// The face is on the surface of that part.
		rbl_world_hit nearest;
		CHECK(t, rbl_body_closest_point(world, f->body, centre, &nearest));
		CHECK(t, fabsf(nearest.distance) < 1e-3f);
		same += nearest.part == f->part;
	}
	CHECK_NEAR(t, area, (double)e.exposed_area, 1e-3 * area);
	CHECK(t, rest > 0 && dust > 0 && same > count / 2);
	// Less room, none, and what is not there.
	int again = 0;
	CHECK(t, rbl_world_get_exposed_triangles(world, 0, triangles, 2, &again) == RBL_OK);
	CHECK(t, again == count);
	CHECK(t, rbl_world_get_exposed_triangles(world, 0, NULL, 0, &again) == RBL_OK);
	CHECK(t, again == count);
	CHECK(t, rbl_world_get_exposed_triangles(world, 1, NULL, 0, &again) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_get_exposed_triangles(world, -1, NULL, 0, &again) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_get_exposed_triangles(world, 0, NULL, 0, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_get_exposed_triangles(NULL, 0, NULL, 0, &again) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_world_get_exposed_triangles(world, 0, NULL, 0, &again) == RBL_BAD_ARGUMENT);
	end(&s);
	rbl_world_def def = world_def(&s, 1);
	def.keeps_exposed_triangles = false;
	make(t, &s, chip_rule(), &def);
	e = strike(t, &s, 20.0f);
	CHECK(t, e.chip_count > 0);
	CHECK(t, rbl_world_get_exposed_triangles(s.b.s.world, 0, NULL, 0, &again) == RBL_UNSUPPORTED);
	end(&s);
}

static void emitters_stand_for_all_of_the_area(test *t)
{
	int before = 0;
	for (int k = 0; k < 3; ++k) {
		rbl_debris_rule rule = rbl_default_material_def().debris;
		rule.dust_density = k == 0 ? 0.01 : k == 1 ? 5.0 : 1e5;
		shedding s;
		rbl_fracture_event e = strike_with(t, &s, rule);
		int count = 0, on_face = 0;
		CHECK(t,
		      rbl_world_get_exposed_triangles(s.b.s.world, 0, triangles, MOST, &count) == RBL_OK);
		double area = 0.0, sum = 0.0;
		for (int i = 0; i < count; ++i)
			area += (double)triangles[i].area;
		for (int i = 0; i < e.emitter_count; ++i) {
			const rbl_dust_emitter *m = &e.emitters[i];
			sum += (double)m->area;
			CHECK(t, m->material == s.material);
			CHECK(t, rbl_distance(m->velocity,
			                      rbl_body_velocity_at(s.b.s.world, s.body, m->position)) < 1e-3f);
			for (int c = 0; c < count; ++c)
				if (rbl_distance(m->normal, triangles[c].normal) < 1e-5f &&
				    fabsf(rbl_dot(m->normal, rbl_sub(m->position, triangles[c].corners[0]))) <
				        1e-4f) {
					on_face++;
					break;
				}
		}
		CHECK_NEAR(t, sum, area, 1e-3 * area);
		CHECK(t, on_face == e.emitter_count && e.chip_count == 0);
		CHECK(t, k == 0 ? e.emitter_count == 1 : e.emitter_count > before);
		CHECK(t, k != 1 || abs(e.emitter_count - (int)(5.0 * area)) <= 1);
		CHECK(t, k != 2 || e.emitter_count == 1024);
		before = e.emitter_count;
		end(&s);
	}
}

static float fastest_chip(const rbl_world *world, rbl_body_id parent, const rbl_fracture_event *e)
{
	float fastest = 0.0f;
	for (int i = 0; i < e->chip_count; ++i) {
		rbl_vec3 at = rbl_body_pose(world, e->chips[i].body).position;
		fastest = rbl_maxf(fastest, rbl_distance(rbl_body_velocity(world, e->chips[i].body),
		                                         rbl_body_velocity_at(world, parent, at)));
	}
	return fastest;
}

static void every_field_of_the_rule_counts(test *t)
{
	shedding s;
	rbl_debris_rule rule = chip_rule();
	rule.limit = 10000, rule.density = 3.0;
	rbl_fracture_event e = strike_with(t, &s, rule);
	int few = e.chip_count;
	CHECK(t, abs(few - (int)(3.0f * e.exposed_area)) <= 1);
	float slow = fastest_chip(s.b.s.world, s.body, &e);
	for (int i = 0; i < few; ++i) {
		CHECK(t, e.chips[i].kind == RBL_DEBRIS_CHIPS && e.chips[i].variant < RBL_CHIP_VARIANTS);
		CHECK(t, e.chips[i].radius > 0.84f * (float)rule.min_radius &&
		             e.chips[i].radius < 1.19f * (float)rule.max_radius);
		CHECK(t, e.chips[i].time_left > 0.7f * rule.lifetime);
		CHECK(t, rbl_body_user(s.b.s.world, e.chips[i].body) == 4711);
		CHECK(t, rbl_body_get_shared_material(s.b.s.world, e.chips[i].body) == s.material);
		float r = e.chips[i].radius, mass = 2000.0f * 4.18879f * r * r * r;
		CHECK_NEAR(t, rbl_body_get_mass(s.b.s.world, e.chips[i].body).mass / mass, 1.0f, 1e-3f);
	}
	end(&s);
	rule.density = 30.0;
	e = strike_with(t, &s, rule);
	CHECK(t, e.chip_count > 5 * few);
	end(&s);
	rule.limit = 7;
	e = strike_with(t, &s, rule);
	CHECK(t, e.chip_count == 7 || e.chip_count == 8);
	end(&s);
	rule = chip_rule(), rule.kind = RBL_DEBRIS_SPHERES, rule.min_radius = rule.max_radius = 0.1;
	rule.speed = 0.0f;
	e = strike_with(t, &s, rule);
	CHECK(t, e.chip_count > 0 && e.chips[0].kind == RBL_DEBRIS_SPHERES);
	CHECK_NEAR(t, e.chips[0].radius, 0.09051f, 1e-4f); // the nearest size
	CHECK(t, fastest_chip(s.b.s.world, s.body, &e) < 1e-3f && slow > 0.3f);
	end(&s);
	// Scattering takes no more energy than the break has cost.
	rule = chip_rule(), rule.limit = 500, rule.density = 50.0, rule.speed = 500.0f;
	rule.max_radius = 0.05;
	e = strike_with(t, &s, rule);
	double energy = 0.0;
	for (int i = 0; i < e.chip_count; ++i) {
		rbl_vec3 at = rbl_body_pose(s.b.s.world, e.chips[i].body).position;
		double off = (double)rbl_distance(rbl_body_velocity(s.b.s.world, e.chips[i].body),
		                                  rbl_body_velocity_at(s.b.s.world, s.body, at));
		energy += 0.5 * (double)rbl_body_get_mass(s.b.s.world, e.chips[i].body).mass * off * off;
	}
	CHECK(t, energy > 9.0 && energy < 10.001);
	end(&s);
	rule = chip_rule(), rule.density = 0.0;
	CHECK(t, strike_with(t, &s, rule).chip_count == 0);
	end(&s);
}

static void chips_go_when_their_time_is_over(test *t)
{
	shedding s;
	rbl_debris_rule rule = chip_rule();
	rule.lifetime = 0.5f;
	int made = strike_with(t, &s, rule).chip_count, gone = 0;
	rbl_world *world = s.b.s.world;
	int bodies = rbl_world_body_count(world);
	CHECK(t, made > 10 && rbl_world_get_chips(world, NULL, 0) == made);
	CHECK(t, rbl_world_get_stats(world).chip_count == made);
	rbl_chip first;
	CHECK(t, rbl_world_get_chips(world, &first, 1) == made);
	CHECK(t, rbl_destroy_body(world, first.body) == RBL_OK); // by the caller
	CHECK(t, rbl_world_get_chips(world, NULL, 0) == made - 1);
	for (int i = 1; i < 60; ++i) {
		CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		rbl_events events = rbl_world_get_events(world);
		for (int k = 0; k < events.retire_count; ++k) {
			gone += events.retires[k].what == RBL_RETIRED_EXPIRED;
			CHECK(t, events.retires[k].user == 4711 && events.retires[k].mass > 0.0f);
			CHECK(t, i >= 20 && i <= 38); // three quarters of the lifetime to five
		}
	}
	CHECK(t, gone == made - 1 && rbl_world_get_chips(world, NULL, 0) == 0);
	CHECK(t, rbl_world_body_count(world) == bodies - made);
	end(&s);
}

// Many cubes break in one step: chips stay below the limit, and each break gets some.
static void limits_hold_when_everything_breaks(test *t)
{
	enum { CUBES = 100 };
	for (int k = 0; k < 2; ++k) {
		shedding s;
		rbl_debris_rule rule = chip_rule();
		rule.density = 100.0, rule.limit = 1000;
		rbl_world_def def = world_def(&s, 1);
		def.chip_limit = k == 0 ? 200 : 100000;
		def.body_limit = k == 0 ? 0 : 1000000;
		make(t, &s, rule, &def);
		rbl_world *world = s.b.s.world;
		for (int i = 0; i < CUBES; ++i) {
			rbl_body_def cube = cube_def(
				&s, (rbl_vec3){ 2.0f * (float)(i % 10), 0.0f, 2.0f * (float)(i / 10) + 3.0f });
			rbl_body_id id = rbl_create_body(world, &cube);
			CHECK(t, rbl_body_damage(world, id, cube.pose.position, (rbl_vec3){ 1.0f, 0.0f, 0.0f },
			                         INFINITY, 20.0f) == RBL_OK);
		}
		CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		rbl_events events = rbl_world_get_events(world);
		CHECK(t, events.fracture_count == CUBES);
		int most = 0, sum = 0;
		for (int i = 0; i < events.fracture_count; ++i) {
			sum += events.fractures[i].chip_count;
			most = rbl_maxi(most, events.fractures[i].chip_count);
		}
		CHECK(t, rbl_world_get_chips(world, NULL, 0) == sum);
		if (k == 0)
			CHECK(t, sum <= 200 && sum > 150 && most <= 101);
		else
			CHECK(t, sum > 40000);
		for (int i = 0; i < 5; ++i)
			CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		end(&s);
	}
}

static uint64_t hash_chips(const rbl_world *world)
{
	static rbl_chip chips[MOST];
	int count = rbl_world_get_chips(world, chips, MOST);
	uint64_t hash = rbl_hash_number(rbl_world_hash(world), (uint64_t)count);
	for (int i = 0; i < count; ++i) {
		const uint32_t words[] = { chips[i].body.index, (uint32_t)chips[i].kind,
			                       (uint32_t)chips[i].variant };
		hash = rbl_hash_bytes(hash, words, sizeof words);
		hash = rbl_hash_bytes(hash, &chips[i].radius, 4);
		hash = rbl_hash_bytes(hash, &chips[i].time_left, 4);
	}
	return hash;
}

// A floor, gravity, and a cube that is struck now and then.
static void run_on_floor(test *t, shedding *s, int from, int to)
{
	for (int i = from; i < to; ++i) {
		if (i % 20 == 5 && rbl_body_exists(s->b.s.world, s->body))
			hit(t, s, 15.0f + (float)i);
		CHECK(t, rbl_world_step(s->b.s.world, 1.0f / 60.0f) == RBL_OK);
	}
}

static void make_on_floor(test *t, shedding *s, int workers)
{
	rbl_debris_rule rule = chip_rule();
	rule.lifetime = 0.7f, rule.dust_density = 3.0;
	rbl_world_def def = world_def(s, workers);
	rbl_jobs *jobs = s->b.s.jobs;
	def.gravity.y = -9.81f;
	make(t, s, rule, &def);
	s->b.s.jobs = jobs;
	rbl_body_def floor = scene_body(s->b.s.floor, 0.0f, 4.0f, 0.0f);
	floor.kind = RBL_BODY_STATIC;
	CHECK(t, !rbl_body_id_is_null(rbl_create_body(s->b.s.world, &floor)));
}

static void runs_are_the_same_bits(test *t)
{
	uint64_t hash = 0, recorded = 0;
	for (int k = 0; k < 4; ++k) {
		shedding s;
		make_on_floor(t, &s, k + 1);
		bytes_tape tape = { 0 };
		rbl_recording_def tape_def_ = tape_def(&tape, true);
		if (k == 3)
			CHECK(t, rbl_world_begin_recording(s.b.s.world, &tape_def_) == RBL_OK);
		run_on_floor(t, &s, 0, 40);
		if (k == 2) { // saved and loaded in the middle
			size_t size = 0;
			CHECK(t, rbl_world_save(s.b.s.world, NULL, &size) == RBL_OK);
			unsigned char *bytes = malloc(size);
			CHECK(t, rbl_world_save(s.b.s.world, bytes, &size) == RBL_OK);
			rbl_sources sources = rbl_default_sources();
			const rbl_asset *assets[1] = { s.b.asset };
			const rbl_pattern *patterns[1] = { s.b.pattern };
			sources.assets = assets, sources.asset_count = 1;
			sources.patterns = patterns, sources.pattern_count = 1;
			rbl_world_def def = rbl_default_world_def();
			rbl_world *loaded = NULL;
			CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
			CHECK(t, hash_chips(loaded) == hash_chips(s.b.s.world));
			CHECK(t, rbl_world_get_chips(loaded, NULL, 0) > 0);
			rbl_destroy_world(s.b.s.world);
			s.b.s.world = loaded;
			free(bytes);
		}
		run_on_floor(t, &s, 40, 90);
		hash = k == 0 ? hash_chips(s.b.s.world) : hash;
		CHECK(t, hash_chips(s.b.s.world) == hash);
		CHECK(t, rbl_world_get_stats(s.b.s.world).lost_count == 0);
		if (k == 3) {
			CHECK(t, rbl_world_end_recording(s.b.s.world) == RBL_OK);
			rbl_sources sources = rbl_default_sources();
			CHECK(t, tape_play(t, &tape, &sources, 2, &recorded) == 90);
			CHECK(t, recorded == rbl_world_hash(s.b.s.world));
			free(tape.bytes);
		}
		end(&s);
	}
}

// A chip is born inside of what broke: it comes out, and is not shot away.
static void chips_come_out_and_come_to_rest(test *t)
{
	shedding s;
	rbl_debris_rule rule = chip_rule();
	rule.density = 30.0, rule.limit = 200, rule.max_radius = 0.05;
	rbl_world_def def = world_def(&s, 1);
	def.gravity.y = -9.81f;
	level_energy = 1e5; // the fall breaks nothing more
	make(t, &s, rule, &def);
	level_energy = 10.0;
	rbl_world *world = s.b.s.world;
	rbl_body_def floor = scene_body(s.b.s.floor, 0.0f, 3.0f, 0.0f);
	floor.kind = RBL_BODY_STATIC;
	CHECK(t, !rbl_body_id_is_null(rbl_create_body(world, &floor)));
	CHECK(t, rbl_body_set_velocity(world, s.body, (rbl_vec3){ 0, 0, 0 }, (rbl_vec3){ 0, 0, 0 }) ==
	             RBL_OK);
	rbl_fracture_event e = strike(t, &s, 1.1e5f);
	CHECK(t, e.chip_count > 100);
	static rbl_chip chips[MOST];
	int count = rbl_world_get_chips(world, chips, MOST), low = 0, fewest = count;
	float fastest = 0.0f;
	for (int i = 0; i < 205; ++i) {
		CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		fastest = rbl_maxf(fastest, breakable_fastest(world));
		int moving = 0; // now and then a large piece topples and takes some along
		for (int k = 0; k < count && i >= 130; ++k)
			moving += rbl_length(rbl_body_velocity(world, chips[k].body)) > 0.5f;
		fewest = i >= 130 ? rbl_mini(fewest, moving) : fewest;
	}
	for (int i = 0; i < count; ++i) {
		rbl_vec3 at = rbl_body_pose(world, chips[i].body).position;
		CHECK(t, at.y > 3.49f); // none fell through the floor
		low += at.y < 3.7f;
	}
	// 1.5 times the rule's speed, what a fall of a metre and a half adds, and a push out of what
	// it was born in.
	float lawful = 1.5f * rule.speed + sqrtf(2.0f * 9.81f * 1.5f) + 3.0f;
	CHECK(t, fastest < lawful);
	printf("the fastest went %.2f m/s; of %d %d are low and %d move\n", (double)fastest, count, low,
	       fewest);
	CHECK(t, low > count / 4 && fewest < count / 20);
	end(&s);
}

// What breaks off a wall that does not move gets the push of a ray, and not more energy.
static void rays_push_what_they_break(test *t)
{
	float speeds[3] = { 0.0f };
	for (int k = 0; k < 3; ++k) {
		shedding s;
		make(t, &s, rbl_default_material_def().debris, NULL);
		rbl_world *world = s.b.s.world;
		CHECK(t, rbl_body_set_kind(world, s.body, RBL_BODY_STATIC) == RBL_OK);
		rbl_damage_def damage = rbl_default_damage_def();
		damage.shape = RBL_DAMAGE_RAY;
		damage.position = (rbl_vec3){ 0.1f, 5.0f, 10.0f };
		damage.translation = (rbl_vec3){ 0.0f, 0.0f, -20.0f };
		damage.radius = INFINITY;
		damage.energy = 100.0f;
		damage.impulse = k == 0 ? 0.0f : k == 1 ? 5.0f : 1e6f;
		CHECK(t, rbl_world_damage(world, &damage) == RBL_OK);
		CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
		rbl_events events = rbl_world_get_events(world);
		CHECK(t, events.fracture_count == 1 && events.fractures[0].new_count > 2);
		sums after = breakable_sums(world);
		CHECK_NEAR(t, -after.momentum.z, (double)events.fractures[0].impulse, 1e-3);
		CHECK(t, fabsf((float)after.momentum.x) < 1e-3f && after.energy < 100.01);
		if (k == 1)
			CHECK_NEAR(t, events.fractures[0].impulse, 5.0f, 1e-4f);
		if (k == 2)
			CHECK(t, after.energy > 99.0);
		speeds[k] = (float)-after.momentum.z;
		end(&s);
	}
	CHECK(t, speeds[0] == 0.0f && speeds[1] > 0.0f && speeds[2] > speeds[1]);
}

static void meshes_of_chips_are_what_collides(test *t)
{
	for (int kind = RBL_DEBRIS_SPHERES; kind < RBL_DEBRIS_KIND_COUNT; ++kind)
		for (int variant = 0; variant < RBL_CHIP_VARIANTS; ++variant) {
			rbl_mesh *mesh = NULL;
			CHECK(t,
			      rbl_create_chip_mesh((rbl_debris_kind)kind, variant, 0.5, NULL, &mesh) == RBL_OK);
			rbl_mass mass = rbl_mesh_get_mass(mesh);
			bool is_chip = kind == RBL_DEBRIS_CHIPS;
			CHECK_NEAR(t, mass.volume / 0.5235988, is_chip ? 1.0 : 0.78, is_chip ? 1e-6 : 0.01);
			CHECK(t, rbl_length_d(mass.centre) < 1e-6);
			rbl_destroy_mesh(mesh);
		}
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_chip_mesh(RBL_DEBRIS_NONE, 0, 0.5, NULL, &mesh) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_chip_mesh(RBL_DEBRIS_CHIPS, 4, 0.5, NULL, &mesh) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_chip_mesh(RBL_DEBRIS_CHIPS, 0, 0.0, NULL, &mesh) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_chip_mesh(RBL_DEBRIS_CHIPS, 0, 0.5, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, !mesh);
}

static void memory_may_run_out(test *t)
{
	int failures = 0;
	for (int n = 0; n < 4000; n += 1 + n / test_repeats(8, 3)) {
		shedding s;
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_world_def def = world_def(&s, 1);
		def.allocator = FAULTY(&memory);
		make(t, &s, chip_rule(), &def);
		hit(t, &s, 20.0f);
		memory.allowed = n;
		(void)rbl_world_step(s.b.s.world, 1.0f / 60.0f);
		failures += memory.failed;
		bool failed = memory.failed;
		memory.allowed = 1 << 30;
		for (int i = 0; i < 3; ++i)
			CHECK(t, rbl_world_step(s.b.s.world, 1.0f / 60.0f) == RBL_OK);
		end(&s);
		CHECK(t, memory.live_bytes == 0);
		if (!failed)
			break;
	}
	CHECK(t, failures > 5);
}

TEST_MAIN(TEST(events_say_what_broke_and_what_is_gone), TEST(triangles_are_those_of_the_break),
          TEST(emitters_stand_for_all_of_the_area), TEST(every_field_of_the_rule_counts),
          TEST(chips_go_when_their_time_is_over), TEST(limits_hold_when_everything_breaks),
          TEST(runs_are_the_same_bits), TEST(chips_come_out_and_come_to_rest),
          TEST(rays_push_what_they_break), TEST(meshes_of_chips_are_what_collides),
          TEST(memory_may_run_out))
