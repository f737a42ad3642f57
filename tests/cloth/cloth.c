// SPDX-License-Identifier: MIT
// Cloth over bodies: nothing passes through, no energy comes from nowhere, tears lose nothing. What
// the solver says of itself is not asked; every pair of triangles is looked at.
// ctest: threads

#include "../test.h"
#include "../world/breakable.h"

#include "cloth/cloth.h"

static const float DT = 1.0f / 60.0f;

static rbl_body_id add_body(scene *s, rbl_collider *collider, rbl_body_kind kind, rbl_vec3 at)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = collider;
	def.kind = kind;
	def.pose.position = at;
	return rbl_create_body(s->world, &def);
}

static void make_scene(scene *s)
{
	rbl_world_def def = scene_def(s, 1);
	scene_create(s, &def);
	scene_add_floor(s);
}

static cloth *make_cloth(test *t, rbl_world *world, rbl_jobs *jobs)
{
	cloth *c = NULL;
	cloth_def def = cloth_default_def();
	def.jobs = jobs;
	CHECK(t, cloth_create(&def, world, &c) == RBL_OK);
	return c;
}

static cloth_sheet_def sheet_at(float height, float size, int cells)
{
	cloth_sheet_def def = cloth_default_sheet_def();
	def.pose.position.y = height;
	def.size[0] = def.size[1] = size;
	def.cells[0] = def.cells[1] = cells;
	return def;
}

// Every triangle of the cloth with every triangle of all obstacles. @return how many intersect
static int count_crossings(test *t, cloth *c)
{
	cloth_data data = cloth_get_data(c);
	rbl_surface_data all = rbl_surface_get_data(cloth_get_surface(c));
	int count = 0, obstacle_triangles = 0;
	for (int o = 0; o < all.triangle_end; ++o) {
		rbl_surface_body_id body = rbl_surface_triangle_body(cloth_get_surface(c), o);
		if (rbl_obstacles_find(cloth_get_obstacles(c), body).body.generation == 0)
			continue;
		obstacle_triangles++;
		rbl_vec3d b[3];
		rbl_box box = rbl_box_empty();
		for (int k = 0; k < 3; ++k) {
			rbl_vec3 p = all.ends[all.triangles[3 * o + k]];
			b[k] = rbl_to_d(p), box = rbl_box_add_point(box, p);
		}
		for (int i = 0; i < data.triangle_count; ++i) {
			rbl_vec3d a[3];
			rbl_box other = rbl_box_empty();
			for (int k = 0; k < 3; ++k) {
				rbl_vec3 p = data.positions[data.triangles[3 * i + k]];
				a[k] = rbl_to_d(p), other = rbl_box_add_point(other, p);
			}
			bool is_hit = false;
			if (rbl_box_overlaps(box, other))
				CHECK(t, rbl_test_triangles(a, b, 0, &is_hit) == RBL_OK);
			count += is_hit;
		}
	}
	CHECK(t, obstacle_triangles > 0);
	return count;
}

static float lowest(const cloth *c)
{
	cloth_data data = cloth_get_data(c);
	float low = INFINITY;
	for (int i = 0; i < data.particle_count; ++i)
		low = rbl_minf(low, data.positions[i].y);
	return low;
}

// A sheet falls over a ball and a box on the floor.
static void nothing_passes_through_bodies(test *t)
{
	scene s;
	make_scene(&s);
	rbl_vec3 ball_at = { 0.1f, 0.5f, 0.05f };
	add_body(&s, s.ball, RBL_BODY_STATIC, ball_at);
	add_body(&s, s.box, RBL_BODY_STATIC, (rbl_vec3){ -0.5f, 0.25f, -0.3f });
	cloth *c = make_cloth(t, s.world, NULL);
	cloth_sheet_def sheet = sheet_at(1.0f, 1.6f, 24);
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	int touching = 0, crossings = 0, unresolved = 0;
	for (int step = 0; step < test_repeats(150, 60); ++step) {
		CHECK(t, rbl_world_step(s.world, DT) == RBL_OK && cloth_step(c, DT) == RBL_OK);
		cloth_stats stats = cloth_get_stats(c);
		touching += stats.contact_count > 0;
		unresolved += stats.unresolved_count;
		crossings += step % 5 == 0 ? count_crossings(t, c) : 0;
	}
	cloth_data data = cloth_get_data(c);
	for (int i = 0; i < data.particle_count; ++i) {
		CHECK(t, data.positions[i].y > 0.0f);
		CHECK(t, rbl_distance(data.positions[i], ball_at) > 0.245f);
	}
	CHECK(t, touching > 20);
	CHECK(t, crossings == 0);
	CHECK(t, unresolved == 0);
	cloth_destroy(c);
	scene_destroy(&s);
}

// As fast as a fall from ten metres, onto a thin blade, a ball that comes from below, and the floor.
static void nothing_passes_through_what_is_fast(test *t)
{
	scene s;
	make_scene(&s);
	rbl_collider *blade = scene_box(0.5f, 0.3f, 0.004f);
	add_body(&s, blade, RBL_BODY_STATIC, (rbl_vec3){ 0.0f, 0.35f, 0.2f });
	rbl_body_id riser = add_body(&s, s.ball, RBL_BODY_KINEMATIC, (rbl_vec3){ -0.3f, 0.3f, -0.3f });
	rbl_body_set_velocity(s.world, riser, (rbl_vec3){ 0.0f, 6.0f, 0.0f },
	                      (rbl_vec3){ 0.0f, 0.0f, 5.0f });
	cloth *c = make_cloth(t, s.world, NULL);
	cloth_sheet_def sheet = sheet_at(2.0f, 1.2f, 16);
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	rbl_vec3 *velocities = (rbl_vec3 *)(uintptr_t)cloth_get_data(c).velocities;
	for (int i = 0; i < cloth_get_data(c).particle_count; ++i)
		velocities[i].y = -14.0f;
	int hits = 0, crossings = 0;
	for (int step = 0; step < test_repeats(60, 30); ++step) {
		CHECK(t, rbl_world_step(s.world, DT) == RBL_OK && cloth_step(c, DT) == RBL_OK);
		hits += cloth_get_stats(c).hit_count;
		CHECK(t, cloth_get_stats(c).unresolved_count == 0);
		crossings += count_crossings(t, c);
		CHECK(t, lowest(c) > 0.0f);
	}
	CHECK(t, hits > 0);
	CHECK(t, crossings == 0);
	cloth_destroy(c);
	scene_destroy(&s);
	rbl_destroy_collider(blade);
}

// Triangles of one sheet that are no neighbours at rest. @return how many intersect
static int count_own_crossings(test *t, cloth *c, float neighbours)
{
	cloth_data data = cloth_get_data(c);
	int count = 0;
	for (int i = 0; i < data.triangle_count; ++i)
		for (int j = 0; j < i; ++j) {
			rbl_vec3d a[3], b[3];
			rbl_box x = rbl_box_empty(), y = rbl_box_empty();
			float nearest = INFINITY;
			for (int k = 0; k < 3; ++k) {
				int p = data.triangles[3 * i + k], q = data.triangles[3 * j + k];
				a[k] = rbl_to_d(data.positions[p]), b[k] = rbl_to_d(data.positions[q]);
				x = rbl_box_add_point(x, data.positions[p]);
				y = rbl_box_add_point(y, data.positions[q]);
				for (int m = 0; m < 3; ++m)
					nearest = rbl_minf(
						nearest, rbl_distance(cloth_rest_position(c, p),
					                          cloth_rest_position(c, data.triangles[3 * j + m])));
			}
			bool is_hit = false;
			if (nearest > neighbours && rbl_box_overlaps(x, y))
				CHECK(t, rbl_test_triangles(a, b, 0, &is_hit) == RBL_OK);
			count += is_hit;
		}
	return count;
}

// A sheet is held at its middle and falls on itself.
static void it_does_not_pass_through_itself(test *t)
{
	cloth *c = make_cloth(t, NULL, NULL);
	enum { CELLS = 20 };
	cloth_sheet_def sheet = sheet_at(1.0f, 1.0f, CELLS);
	sheet.bending = 0.2f;
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	CHECK(t, cloth_pin(c, (CELLS + 1) * (CELLS / 2) + CELLS / 2, (rbl_body_id){ 0, 0 }, false) ==
	             RBL_OK);
	int crossings = 0, touching = 0;
	for (int step = 0; step < test_repeats(120, 40); ++step) {
		CHECK(t, cloth_step(c, DT) == RBL_OK);
		touching += cloth_get_stats(c).contact_count > 0;
		if (step % 10 == 9)
			crossings += count_own_crossings(t, c, 0.16f);
	}
	CHECK(t, touching > 10);
	CHECK(t, crossings == 0);
	cloth_destroy(c);
}

// Of motion and height: it may only go down, but for what stretched edges hold for a while.
static void energy_does_not_grow(test *t)
{
	scene s;
	make_scene(&s);
	add_body(&s, s.ball, RBL_BODY_STATIC, (rbl_vec3){ 0.0f, 0.5f, 0.0f });
	cloth *c = NULL;
	cloth_def def = cloth_default_def();
	def.air = 0.0f, def.damping = 0.0f;
	CHECK(t, cloth_create(&def, s.world, &c) == RBL_OK);
	cloth_sheet_def sheet = sheet_at(1.2f, 1.2f, 20);
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	double first = cloth_energy(c), last = first, least = first;
	for (int step = 0; step < test_repeats(180, 60); ++step) {
		CHECK(t, cloth_step(c, DT) == RBL_OK);
		double now = cloth_energy(c);
		CHECK(t, now <= first && now < least + 0.1 * first);
		least = now < least ? now : least;
		last = now;
	}
	CHECK(t, last < 0.9 * first);
	cloth_destroy(c);
	scene_destroy(&s);
}

static double total_area(const cloth *c)
{
	cloth_data data = cloth_get_data(c);
	double sum = 0.0;
	for (int i = 0; i < data.triangle_count; ++i) {
		rbl_vec3 p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = cloth_rest_position(c, data.triangles[3 * i + k]);
		sum += 0.5 * (double)rbl_length(rbl_cross(rbl_sub(p[1], p[0]), rbl_sub(p[2], p[0])));
	}
	return sum;
}

static double total_mass(const cloth *c)
{
	cloth_data data = cloth_get_data(c);
	double sum = 0.0;
	for (int i = 0; i < data.particle_count; ++i)
		sum += (double)data.masses[i];
	return sum;
}

// A sheet is pulled at two sides until it is in two.
static void a_tear_keeps_area_and_mass(test *t)
{
	enum { CELLS = 12 };
	cloth *c = make_cloth(t, NULL, NULL);
	cloth_sheet_def sheet = sheet_at(0.0f, 1.0f, CELLS);
	sheet.tear_strain = 0.3f;
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	for (int side = 0; side < 2; ++side)
		for (int row = 0; row <= CELLS; ++row)
			CHECK(t, cloth_pin(c, row * (CELLS + 1) + side * CELLS, (rbl_body_id){ 0, 0 }, false) ==
			             RBL_OK);
	double area = total_area(c), mass = total_mass(c);
	CHECK_NEAR(t, area, 1.0, 1e-6);
	CHECK_NEAR(t, mass, 0.3, 1e-6);
	int triangles = cloth_get_data(c).triangle_count;
	for (int step = 0; step < 120; ++step) {
		for (int side = 0; side < 2; ++side)
			for (int row = 0; row <= CELLS; ++row) {
				float x = (side ? 0.5f : -0.5f) * (1.0f + 0.01f * (float)step);
				rbl_vec3 to = { x, 0.0f, (float)row / CELLS - 0.5f };
				cloth_move_pin(c, row * (CELLS + 1) + side * CELLS, to);
			}
		CHECK(t, cloth_step(c, DT) == RBL_OK);
	}
	CHECK(t, cloth_get_stats(c).tear_count >= CELLS);
	CHECK(t, cloth_get_data(c).triangle_count == triangles);
	CHECK_NEAR(t, total_area(c), area, 1e-9);
	CHECK_NEAR(t, total_mass(c), mass, 1e-6);
	// The surface has the same triangles, and they hang together as those of the cloth do.
	rbl_surface *surface = cloth_get_surface(c);
	CHECK(t, rbl_surface_get_stats(surface).triangle_count == triangles);
	CHECK(t, rbl_surface_get_stats(surface).vertex_count == cloth_get_data(c).particle_count);
	rbl_surface_body_id body = rbl_surface_triangle_body(surface, 0);
	static int labels[2 * CELLS * CELLS];
	int parts = 0;
	CHECK(t, rbl_surface_body_get_components(surface, body, labels, &parts) == RBL_OK);
	CHECK(t, parts >= 2);
	cloth_destroy(c);
}

// What one run ends with. @param saved_at  the step after which it is saved and loaded; -1: never
static uint64_t run_hash(test *t, int workers, int saved_at)
{
	breakable b;
	breakable_prepare(t, &b, NULL, 3);
	b.level.radius = b.rule.radius_limit = 2.0;
	rbl_world_def def = scene_def(&b.s, workers);
	scene_create(&b.s, &def);
	scene_add_floor(&b.s);
	add_body(&b.s, b.s.ball, RBL_BODY_STATIC, (rbl_vec3){ 0.3f, 0.3f, 0.2f });
	rbl_body_def block = breakable_def(&b, RBL_BODY_DYNAMIC);
	block.pose.position = (rbl_vec3){ -0.4f, 2.2f, 0.0f };
	rbl_create_body(b.s.world, &block);
	cloth *c = make_cloth(t, b.s.world, b.s.jobs);
	cloth_sheet_def sheet = sheet_at(1.0f, 1.8f, 14);
	sheet.tear_strain = 0.25f;
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	int tears = 0;
	rbl_world *world = b.s.world;
	for (int step = 0; step < 70; ++step) {
		CHECK(t, rbl_world_step(world, DT) == RBL_OK && cloth_step(c, DT) == RBL_OK);
		if (step != saved_at)
			continue;
		size_t world_size = 0, cloth_size = 0;
		CHECK(t, rbl_world_save(world, NULL, &world_size) == RBL_OK);
		CHECK(t, cloth_save(c, NULL, &cloth_size) == RBL_OK);
		void *world_bytes = malloc(world_size), *cloth_bytes = malloc(cloth_size);
		CHECK(t, rbl_world_save(world, world_bytes, &world_size) == RBL_OK);
		CHECK(t, cloth_save(c, cloth_bytes, &cloth_size) == RBL_OK);
		uint64_t before = cloth_hash(c);
		rbl_sources sources = rbl_default_sources();
		const rbl_asset *assets[1] = { b.asset };
		const rbl_pattern *patterns[1] = { b.pattern };
		const rbl_material *materials[1] = { b.material };
		sources.assets = assets, sources.patterns = patterns, sources.materials = materials;
		sources.asset_count = sources.pattern_count = sources.material_count = 1;
		cloth_destroy(c);
		rbl_world *loaded = NULL;
		CHECK(t, rbl_world_load(world_bytes, world_size, &def, &sources, &loaded) == RBL_OK);
		rbl_destroy_world(world);
		world = b.s.world = loaded;
		cloth_def again = cloth_default_def();
		again.jobs = b.s.jobs;
		CHECK(t, cloth_load(cloth_bytes, cloth_size, &again, world, &c) == RBL_OK);
		CHECK(t, cloth_hash(c) == before);
		free(world_bytes);
		free(cloth_bytes);
	}
	tears = cloth_get_stats(c).tear_count;
	CHECK(t, tears > 0); // of what falls through it
	CHECK(t, rbl_world_body_count(world) > 10);
	uint64_t hash = cloth_hash(c) ^ rbl_world_hash(world);
	cloth_destroy(c);
	breakable_destroy(&b);
	return hash;
}

static void the_same_bits_for_any_workers_and_after_loading(test *t)
{
	uint64_t hash = run_hash(t, 1, -1);
	CHECK(t, run_hash(t, 2, -1) == hash);
	CHECK(t, run_hash(t, 1, 20) == hash);
	CHECK(t, run_hash(t, 1, 45) == hash);
}

static double area_at_rest(const cloth *c)
{
	cloth_data data = cloth_get_data(c);
	double sum = 0.0;
	for (int i = 0; i < data.triangle_count; ++i) {
		rbl_vec3 a = cloth_rest_position(c, data.triangles[3 * i]);
		rbl_vec3 b = cloth_rest_position(c, data.triangles[3 * i + 1]);
		rbl_vec3 d = cloth_rest_position(c, data.triangles[3 * i + 2]);
		sum += 0.5 * (double)rbl_length(rbl_cross(rbl_sub(b, a), rbl_sub(d, a)));
	}
	return sum;
}

// @return how many parts hang together by particles
static int count_parts(const cloth *c)
{
	cloth_data data = cloth_get_data(c);
	int *part = malloc((size_t)data.particle_count * sizeof *part), count = 0;
	for (int p = 0; p < data.particle_count; ++p)
		part[p] = p;
	for (bool changes = true; changes;) {
		changes = false;
		for (int i = 0; i < 3 * data.triangle_count; ++i) {
			int *a = &part[data.triangles[i]], *b = &part[data.triangles[i - i % 3 + (i + 1) % 3]];
			changes |= *a != *b;
			*a = *b = *a < *b ? *a : *b;
		}
	}
	for (int i = 0; i < data.particle_count; ++i)
		count += part[i] == i && data.masses[i] > 0.0f;
	free(part);
	return count;
}

// A sheet that hangs from its upper edge is cut in several strokes while it swings.
// @param saved_at  the step after which it is saved and loaded; -1: never
static uint64_t cut_a_curtain(test *t, int saved_at, bool cuts)
{
	enum { CELLS = 12, STROKES = 8 };
	cloth *c = make_cloth(t, NULL, NULL);
	cloth_sheet_def sheet = sheet_at(1.0f, 1.2f, CELLS);
	sheet.pose.rotation = (rbl_quat){ 0.70710678f, 0.0f, 0.0f, 0.70710678f };
	int first = -1;
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	sheet.pose.position.x = 5.0f;
	sheet.cells[0] = sheet.cells[1] = 3;
	CHECK(t, cloth_add_sheet(c, &sheet, &first) == RBL_OK); // another, which no knife reaches
	for (int i = 0; i <= CELLS; ++i)
		CHECK(t, cloth_pin(c, i, (rbl_body_id){ 0, 0 }, false) == RBL_OK);
	for (int i = 0; i <= 3; ++i)
		CHECK(t, cloth_pin(c, first + i, (rbl_body_id){ 0, 0 }, false) == RBL_OK);
	double area = area_at_rest(c), mass = 0.0, mass_after = 0.0;
	for (int p = 0; p < cloth_get_data(c).particle_count; ++p)
		mass += (double)cloth_get_data(c).masses[p];
	CHECK(t, count_parts(c) == 2);
	int changed = 0;
	for (int step = 0; step < 40; ++step) {
		CHECK(t, cloth_step(c, DT) == RBL_OK);
		float x = -1.6f + 3.2f * (float)(step - 10) / (float)STROKES;
		float next = x + 3.2f / (float)STROKES; // half of that at the sheet
		if (cuts && step >= 10 && step < 10 + STROKES) {
			int count;
			CHECK(t, cloth_cut(c, (rbl_vec3){ 0.1f, 1.1f, 4.0f }, (rbl_vec3){ x, 1.0f, -4.0f },
			                   (rbl_vec3){ next, 1.0f, -4.0f }, &count) == RBL_OK);
			changed += count;
		}
		if (step != saved_at)
			continue;
		size_t size = 0;
		CHECK(t, cloth_save(c, NULL, &size) == RBL_OK);
		void *bytes = malloc(size);
		CHECK(t, cloth_save(c, bytes, &size) == RBL_OK);
		cloth_destroy(c);
		cloth_def def = cloth_default_def();
		CHECK(t, cloth_load(bytes, size, &def, NULL, &c) == RBL_OK);
		free(bytes);
	}
	cloth_data data = cloth_get_data(c);
	for (int p = 0; p < data.particle_count; ++p)
		mass_after += (double)data.masses[p];
	CHECK_NEAR(t, area_at_rest(c), area, 1e-5 * area);
	CHECK_NEAR(t, mass_after, mass, 1e-5 * mass);
	CHECK(t, (changed > 0) == cuts && count_parts(c) == (cuts ? 3 : 2));
	// What is below the cut falls, and what is above still hangs.
	float low = 10.0f, high = -10.0f;
	for (int p = 0; p < data.particle_count; ++p)
		low = rbl_minf(low, data.positions[p].y), high = rbl_maxf(high, data.positions[p].y);
	CHECK(t, (low < 0.0f) == cuts && high > 1.55f);
	uint64_t hash = cloth_hash(c);
	cloth_destroy(c);
	return hash;
}

static void a_knife_keeps_area_and_mass_and_bits(test *t)
{
	cut_a_curtain(t, -1, false);
	uint64_t hash = cut_a_curtain(t, -1, true);
	for (int step = 5; step < 25; step += 3) // before, between strokes, after
		CHECK(t, cut_a_curtain(t, step, true) == hash);
}

// A cut through what is held leaves both sides held.
static void a_cut_between_pins_leaves_two_strips_that_hang(test *t)
{
	cloth *c = make_cloth(t, NULL, NULL);
	cloth_sheet_def sheet = sheet_at(1.0f, 1.0f, 8);
	sheet.pose.rotation = (rbl_quat){ 0.70710678f, 0.0f, 0.0f, 0.70710678f };
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	for (int i = 0; i <= 8; ++i)
		CHECK(t, cloth_pin(c, i, (rbl_body_id){ 0, 0 }, false) == RBL_OK);
	uint64_t hash = cloth_hash(c);
	int count = -1;
	CHECK(t, cloth_cut(c, (rbl_vec3){ 0.0f, 1.0f, 3.0f }, (rbl_vec3){ 2.0f, 5.0f, -3.0f },
	                   (rbl_vec3){ -2.0f, 5.0f, -3.0f }, &count) == RBL_OK);
	CHECK(t, count == 0 && cloth_hash(c) == hash); // it passes above
	CHECK(t, cloth_cut(c, (rbl_vec3){ 0.0f, 1.0f, 3.0f }, (rbl_vec3){ 0.0f, 4.0f, -3.0f },
	                   (rbl_vec3){ 0.0f, -2.0f, -3.0f }, &count) == RBL_OK);
	CHECK(t, count > 0 && count_parts(c) == 2);
	CHECK(t, cloth_get_data(c).pin_count == 10); // it went through the middle one
	for (int step = 0; step < 60; ++step)
		CHECK(t, cloth_step(c, DT) == RBL_OK);
	cloth_data data = cloth_get_data(c);
	for (int p = 0; p < data.particle_count; ++p)
		CHECK(t, data.positions[p].y > 0.3f);
	CHECK(t, cloth_cut(NULL, data.positions[0], data.positions[1], data.positions[2], NULL) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, cloth_cut(c, (rbl_vec3){ NAN, 0.0f, 0.0f }, data.positions[1], data.positions[2],
	                   NULL) == RBL_BAD_ARGUMENT);
	cloth_destroy(c);
}

// A banner hangs from a block. When the block breaks, pins that release let go, and others go with
// what they are at.
static void pins_let_go_when_their_body_breaks(test *t)
{
	enum { CELLS = 6 };
	for (int releases = 0; releases < 2; ++releases) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 5);
		b.level.radius = b.rule.radius_limit = 2.0;
		rbl_body_def def = breakable_def(&b, RBL_BODY_KINEMATIC);
		rbl_body_id block = rbl_create_body(b.s.world, &def);
		cloth *c = make_cloth(t, b.s.world, NULL);
		cloth_sheet_def sheet = sheet_at(0.0f, 0.5f, CELLS);
		sheet.pose =
			(rbl_transform){ { 0.0f, 0.2f, 0.52f }, { 0.70710678f, 0.0f, 0.0f, 0.70710678f } };
		CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
		for (int i = 0; i <= CELLS; ++i)
			CHECK(t, cloth_pin(c, i, block, releases) == RBL_OK);
		for (int step = 0; step < 20; ++step)
			CHECK(t, rbl_world_step(b.s.world, DT) == RBL_OK && cloth_step(c, DT) == RBL_OK);
		CHECK(t, cloth_get_data(c).pin_count == CELLS + 1);
		rbl_body_set_kind(b.s.world, block, RBL_BODY_DYNAMIC);
		CHECK(t, rbl_body_damage(b.s.world, block, (rbl_vec3){ 0.0f, 0.5f, 0.0f },
		                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 1e4f) == RBL_OK);
		int fractures = 0;
		for (int step = 0; step < 20; ++step) {
			CHECK(t, rbl_world_step(b.s.world, DT) == RBL_OK);
			fractures += rbl_world_get_events(b.s.world).fracture_count;
			CHECK(t, cloth_step(c, DT) == RBL_OK);
		}
		CHECK(t, fractures > 0);
		int held = cloth_get_data(c).pin_count;
		CHECK(t, releases ? held < CELLS + 1 : held == CELLS + 1);
		CHECK(t, held + cloth_get_stats(c).release_count == CELLS + 1);
		cloth_destroy(c);
		breakable_destroy(&b);
	}
}

// A heavy wet sheet pushes a light box along, where it is told to.
static void cloth_pushes_light_bodies(test *t)
{
	for (int pushes = 0; pushes < 2; ++pushes) {
		scene s;
		rbl_world_def world_def = scene_def(&s, 1);
		world_def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &world_def);
		rbl_body_def def = scene_body(s.box, 0.0f, 0.0f, 0.0f);
		def.material.density = 10.0f;
		rbl_body_id box = rbl_create_body(s.world, &def);
		cloth *c = NULL;
		cloth_def how = cloth_default_def();
		how.pushes_bodies = pushes, how.air = 0.0f;
		CHECK(t, cloth_create(&how, s.world, &c) == RBL_OK);
		cloth_sheet_def sheet = sheet_at(0.4f, 0.4f, 8);
		sheet.density = 5.0f;
		CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
		for (int step = 0; step < 40; ++step)
			CHECK(t, rbl_world_step(s.world, DT) == RBL_OK && cloth_step(c, DT) == RBL_OK);
		float speed = rbl_body_velocity(s.world, box).y;
		CHECK(t, pushes ? speed < -0.1f : speed == 0.0f);
		cloth_destroy(c);
		scene_destroy(&s);
	}
}

static void wrong_input_is_refused(test *t)
{
	cloth *c = make_cloth(t, NULL, NULL);
	cloth_def def = cloth_default_def();
	cloth *none = NULL;
	def.substep_count = 0;
	CHECK(t, cloth_create(&def, NULL, &none) == RBL_BAD_ARGUMENT && !none);
	cloth_sheet_def sheet = cloth_default_sheet_def();
	sheet.thickness = NAN;
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_BAD_ARGUMENT);
	sheet = cloth_default_sheet_def();
	sheet.cells[0] = 0;
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, cloth_pin(c, 0, (rbl_body_id){ 0, 0 }, false) == RBL_BAD_ARGUMENT);
	CHECK(t, cloth_step(c, 0.0f) == RBL_BAD_ARGUMENT && cloth_step(c, NAN) == RBL_BAD_ARGUMENT);
	CHECK(t, cloth_get_data(c).particle_count == 0);
	sheet = sheet_at(0.0f, 1.0f, 3);
	CHECK(t, cloth_add_sheet(c, &sheet, NULL) == RBL_OK);
	CHECK(t, cloth_pin(c, 0, (rbl_body_id){ 0, 0 }, false) == RBL_OK);
	// Every prefix of what is saved, and every byte of it changed, is a cloth or an error.
	size_t size = 0;
	CHECK(t, cloth_save(c, NULL, &size) == RBL_OK);
	unsigned char *bytes = malloc(size), *changed = malloc(size);
	CHECK(t, cloth_save(c, bytes, &size) == RBL_OK);
	def = cloth_default_def();
	int refused = 0;
	for (size_t i = 0; i < size; ++i) {
		CHECK(t, cloth_load(bytes, i, &def, NULL, &none) == RBL_BAD_FILE && !none);
		memcpy(changed, bytes, size);
		changed[i] ^= 0x80;
		refused += cloth_load(changed, size, &def, NULL, &none) != RBL_OK;
		cloth_destroy(none);
	}
	CHECK(t, refused > 0);
	free(bytes);
	free(changed);
	cloth_destroy(c);
}

TEST_MAIN(TEST(nothing_passes_through_bodies), TEST(nothing_passes_through_what_is_fast),
          TEST(it_does_not_pass_through_itself), TEST(energy_does_not_grow),
          TEST(a_tear_keeps_area_and_mass), TEST(the_same_bits_for_any_workers_and_after_loading),
          TEST(a_knife_keeps_area_and_mass_and_bits),
          TEST(a_cut_between_pins_leaves_two_strips_that_hang),
          TEST(pins_let_go_when_their_body_breaks), TEST(cloth_pushes_light_bodies),
          TEST(wrong_input_is_refused))
