// SPDX-License-Identifier: MIT
// Damage: energy chooses the break, exposed faces are what was cut, nothing disappears.

#include "compounds.h"
#include "faulty_allocator.h"
#include "invariants.h"

#include <rubble/damage.h>

enum { ROOM = 20000 };
static rbl_exposed_triangle triangles[ROOM];
static rbl_particle particles[ROOM];

static rbl_compound *compound_of(const rbl_mesh *mesh)
{
	rbl_compound_def def = rbl_default_compound_def();
	def.mesh = mesh;
	rbl_compound *c = NULL;
	rbl_create_compound(&def, &c);
	return c;
}

static double mesh_area(const rbl_mesh *mesh)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	double sum = 0.0;
	for (int f = 0; f < d.face_count; ++f) {
		rbl_vec3d n = { 0.0, 0.0, 0.0 }, o = d.positions[d.corner_vertices[d.face_starts[f]]];
		for (int k = d.face_starts[f] + 1; k + 1 < d.face_starts[f + 1]; ++k)
			n = rbl_add_d(n, rbl_cross_d(rbl_sub_d(d.positions[d.corner_vertices[k]], o),
			                             rbl_sub_d(d.positions[d.corner_vertices[k + 1]], o)));
		sum += 0.5 * rbl_length_d(n);
	}
	return sum;
}

// What is seen of a compound whose parts do not touch each other.
static double seen_area(const rbl_compound *c)
{
	double sum = 0.0;
	for (int i = 0; i < c->parts.count; ++i) {
		const rbl_part *m = &c->parts.data[i];
		rbl_mesh *mesh = NULL;
		if (m->convex && !m->mesh)
			rbl_convex_create_mesh(m->convex, NULL, &mesh);
		if (m->convex)
			sum += mesh_area(m->mesh ? m->mesh : mesh);
		rbl_destroy_mesh(mesh);
	}
	return sum;
}

static double exposed_area(test *t, const rbl_break *broken, const rbl_compound *rest, int *count)
{
	CHECK(t, rbl_break_get_exposed_triangles(broken, rest, triangles, ROOM, count) == RBL_OK);
	CHECK(t, *count <= ROOM);
	double sum = 0.0;
	for (int i = 0; i < *count; ++i)
		sum += (double)triangles[i].area;
	return sum;
}

static void exposed_faces_are_what_was_cut(test *t)
{
	for (int which = 0; which < 5; ++which) {
		rbl_mesh *mesh = sample_shape(which);
		rbl_compound *c = compound_of(mesh);
		rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 12, 3);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = rbl_box_centre_d(rbl_mesh_bounds(mesh));
		double before = seen_area(c), volume = rbl_compound_get_visual_mass(c).volume;
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
		rbl_break_data data = rbl_break_get_data(broken);
		double after = c->part_count > 0 ? seen_area(c) : 0.0;
		for (int i = 0; i < data.compound_count; ++i)
			after += seen_area(data.compounds[i]);
		double sum = rbl_compound_get_visual_mass(c).volume; // what is seen adds up
		for (int i = 0; i < data.compound_count; ++i)
			sum += rbl_compound_get_visual_mass(data.compounds[i]).volume;
		CHECK_NEAR(t, sum / volume, 1.0, 1e-9);
		CHECK_NEAR(t, volume / rbl_mesh_get_mass(mesh).volume, 1.0, 1e-9);
		int count = 0;
		double area = exposed_area(t, broken, c, &count);
		// Convexes are around the meshes: of a box they are the same.
		CHECK(t, rbl_break_exposed_area(broken, c) > 0.999 * area);
		if (which == 0)
			CHECK_NEAR(t, rbl_break_exposed_area(broken, c), area, 1e-3 * area);
		CHECK(t, count > 0);
		CHECK_NEAR(t, area / (after - before), 1.0, 1e-5);
		int few = 0; // the number is told also when there is no room
		CHECK(t, rbl_break_get_exposed_triangles(broken, c, triangles, 1, &few) == RBL_OK &&
		             few == count);
		CHECK(t,
		      rbl_break_get_exposed_triangles(broken, c, NULL, 0, &few) == RBL_OK && few == count);
		rbl_destroy_break(broken);
		rbl_destroy_pattern(pattern);
		rbl_destroy_compound(c);
		rbl_destroy_mesh(mesh);
	}
}

static void a_crack_shows_on_both_sides(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_compound *c = compound_of(mesh);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_IMPACT, 0.6, 30, 5);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 0.5, 0.5, 0.5 };
	def.radius = 0.3;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	int count = 0, rest = 0;
	exposed_area(t, broken, c, &count);
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; ++i) {
		sum = rbl_add_scaled_d(sum, (double)triangles[i].area, rbl_to_d(triangles[i].normal));
		rest += triangles[i].compound < 0;
	}
	CHECK(t, rest > 0 && rest < count);
	CHECK_NEAR(t, rbl_length_d(sum), 0.0, 1e-5); // opposite sides cancel
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
	rbl_destroy_mesh(mesh);
}

// Outer area of convexes that no bond covers.
static double bare_area(const rbl_compound *c)
{
	double area = 0.0;
	for (int i = 0; i < c->parts.count; ++i) {
		if (!c->parts.data[i].convex)
			continue;
		rbl_convex_data d = rbl_convex_get_data(c->parts.data[i].convex);
		for (int f = 0; f < d.face_count; ++f)
			area += rbl_convex_face_area(&d, f);
		for (int end = c->parts.data[i].first_bond; end >= 0;) {
			area -= c->bonds.data[end / 2].area;
			end = c->bonds.data[end / 2].next[end % 2];
		}
	}
	return area;
}

static double all_bare_area(const rbl_compound *c, const rbl_break *broken)
{
	double area = bare_area(c);
	for (int i = 0; i < broken->fragments.count; ++i)
		area += bare_area(broken->fragments.data[i]);
	return area;
}

// Bricks that are torn from each other show the faces they had in common.
static void faces_of_lost_bonds_are_exposed(test *t)
{
	rbl_vec3d size = { 0.5, 0.25, 0.25 };
	rbl_compound *c = wall(6, 5, 2, size, (rbl_vec3d){ 0, 0, 0 }, NULL);
	double before = bare_area(c);
	rbl_break *broken = NULL;
	int pairs[4] = { 0, 1, 8, 9 }, count = 0;
	CHECK(t, rbl_compound_break_bonds(c, pairs, 2, &broken) == RBL_OK);
	CHECK_NEAR(t, exposed_area(t, broken, c, &count), all_bare_area(c, broken) - before, 1e-9);
	CHECK(t, count == 8); // four faces of two triangles
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);

	// A blow cuts some bricks and tears others off.
	for (int cells = 12; cells < 200; cells *= 3) {
		c = wall(6, 5, 2, size, (rbl_vec3d){ 0, 0, 0 }, NULL);
		rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 3.0, cells, 3);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ 1.6, 0.7, 0.2 };
		def.radius = 0.5;
		CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
		CHECK(t, rbl_break_get_data(broken).compound_count > 0);
		double bare = all_bare_area(c, broken) - before;
		double told = exposed_area(t, broken, c, &count);
		CHECK_NEAR(t, told / bare, 1.0, 1e-5); // what bonds cover is cut out
		CHECK_NEAR(t, rbl_break_exposed_area(broken, c), told, 1e-3 * told);
		rbl_vec3d sum = { 0.0, 0.0, 0.0 };
		for (int i = 0; i < count; ++i)
			sum = rbl_add_scaled_d(sum, (double)triangles[i].area, rbl_to_d(triangles[i].normal));
		CHECK(t, rbl_length_d(sum) < 0.02 * told); // both sides
		rbl_destroy_break(broken);
		rbl_destroy_pattern(pattern);
		rbl_destroy_compound(c);
	}
}

// The same parts, each with a mesh of its own.
static rbl_compound *with_meshes(const rbl_compound *bare, const rbl_allocator *allocator)
{
	enum { MOST = 64 };
	rbl_compound_part parts[MOST];
	rbl_mesh *meshes[MOST];
	int n = 0, end = rbl_compound_get_info(bare).part_end;
	for (; n < end && n < MOST; ++n) {
		parts[n] = rbl_compound_get_part(bare, n);
		rbl_convex_create_mesh(parts[n].convex, NULL, &meshes[n]);
		parts[n].mesh = meshes[n];
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = n;
	if (allocator)
		def.allocator = *allocator;
	rbl_compound *c = NULL;
	rbl_create_compound(&def, &c);
	for (int i = 0; i < n; ++i)
		rbl_destroy_mesh(meshes[i]);
	return c;
}

// Parts with meshes show what those without show, and lack of memory is told and leaves nothing.
static void meshes_show_what_convexes_show(test *t)
{
	rbl_compound *plain =
		wall(6, 5, 2, (rbl_vec3d){ 0.5, 0.25, 0.25 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 3.0, 36, 3);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 1.6, 0.7, 0.2 };
	def.radius = 0.5;
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_allocator allocator = FAULTY(&memory);
	rbl_compound *c = with_meshes(plain, &allocator);
	rbl_break *broken = NULL;
	int count = 0;
	double before = bare_area(plain);
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	double told = exposed_area(t, broken, c, &count);
	CHECK(t, count > 100);
	CHECK_NEAR(t, told / (all_bare_area(c, broken) - before), 1.0, 1e-5);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	CHECK(t, memory.live_bytes == 0);

	c = with_meshes(plain, &allocator);
	def.radius = 0.1;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	long long live = memory.live_bytes;
	for (int n = 0;; ++n) {
		memory.allowed = n;
		memory.failed = false;
		rbl_result result = rbl_break_get_exposed_triangles(broken, c, triangles, ROOM, &count);
		CHECK(t, memory.live_bytes == live);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	CHECK(t, count > 10);
	memory.allowed = 1 << 30;
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	CHECK(t, memory.live_bytes == 0);
	rbl_destroy_compound(plain);
	rbl_destroy_pattern(pattern);
}

static void particles_lie_evenly_on_their_faces(test *t)
{
	rbl_vec3d corners[4] = { { 0, 0, 1 }, { 2, 0, 1 }, { 2, 1, 1 }, { 0, 1, 1 } };
	for (int k = 0; k < 2; ++k)
		triangles[k] = (rbl_exposed_triangle){
			{ corners[0], corners[k + 1], corners[k + 2] }, { 0.0f, 0.0f, 1.0f }, 1.0f, 0, 0, 0
		};
	rbl_particle_def def = rbl_default_particle_def();
	def.density = 5000.0;
	int count = 0, debris = 0, quarters[4] = { 0 }, large = 0;
	CHECK(t, rbl_sample_particles(triangles, 2, &def, particles, ROOM, &count) == RBL_OK);
	CHECK(t, count >= 9999 && count <= 10001);
	for (int i = 0; i < count; ++i) {
		rbl_particle *p = &particles[i];
		CHECK(t, p->position.z == 1.0 && p->normal.z == 1.0f);
		quarters[(p->position.x > 1.0) + 2 * (p->position.y > 0.5)]++;
		if (p->radius == 0.0f)
			continue;
		debris++;
		large += p->radius > 0.01f;
		CHECK(t, p->radius >= 0.00499f && p->radius <= 0.02501f);
		CHECK(t, p->instance >= 0 && p->instance < 4);
	}
	for (int k = 0; k < 4; ++k)
		CHECK_NEAR(t, quarters[k], 2500.0, 200.0);
	CHECK_NEAR(t, debris, 2000.0, 150.0);
	// Twice the least radius: a quarter of the number, less what is beyond the largest.
	CHECK_NEAR(t, (double)large / debris, (0.25 - 0.04) / (1.0 - 0.04), 0.04);
	int again = 0;
	rbl_particle first = particles[77];
	CHECK(t, rbl_sample_particles(triangles, 2, &def, particles, 100, &again) == RBL_OK);
	CHECK(t, again == count && memcmp(&first, &particles[77], sizeof first) == 0);
	def.density = 0.0;
	CHECK(t, rbl_sample_particles(triangles, 2, &def, NULL, 0, &again) == RBL_OK && again == 0);
}

static void small_pieces_become_debris_and_nothing_disappears(test *t)
{
	rbl_mesh *mesh = sample_shape(1);
	rbl_compound *c = compound_of(mesh);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 60, 8);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	rbl_break *broken = NULL;
	double before = rbl_compound_get_mass(c).volume, after = 0.0;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	rbl_motion motion = { { 0, 0, 0 }, { 1, 2, 3 }, { 0, 0, 5 } };
	rbl_dust_fragment debris[200];
	double least = 0.24;
	CHECK(t, rbl_break_take_dust(broken, least, &motion, debris, 1) == 1);
	int count = 1 + rbl_break_take_dust(broken, least, &motion, debris + 1, 199);
	CHECK(t, count > 3);
	for (int i = 0; i < count; ++i) {
		after += debris[i].volume;
		CHECK(t, debris[i].volume < least * least * least);
		CHECK_NEAR(t, debris[i].velocity.x, 1.0 - 5.0 * debris[i].position.y, 1e-12);
		CHECK_NEAR(t, debris[i].velocity.y, 2.0 + 5.0 * debris[i].position.x, 1e-12);
		CHECK_NEAR(t, debris[i].radius * debris[i].radius * debris[i].radius * 4.18879020478639,
		           debris[i].volume, 1e-12);
	}
	rbl_break_data data = rbl_break_get_data(broken);
	int left = 0;
	for (int i = 0; i < data.compound_count; ++i) {
		if (!data.compounds[i])
			continue;
		left++;
		double volume = rbl_compound_get_mass(data.compounds[i]).volume;
		CHECK(t, volume >= least * least * least);
		after += volume;
	}
	after += rbl_compound_get_mass(c).volume;
	CHECK(t, left > 3 && left + count == data.compound_count);
	CHECK_NEAR(t, after / before, 1.0, 1e-9);
	CHECK(t, rbl_break_take_dust(NULL, 1.0, NULL, debris, 10) == 0);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
	rbl_destroy_mesh(mesh);
}

static void energy_chooses_pattern_radius_and_cells(test *t)
{
	rbl_pattern *coarse = pattern_of(RBL_PATTERN_VORONOI, 1.0, 5, 1);
	rbl_pattern *fine = pattern_of(RBL_PATTERN_VORONOI, 1.0, 50, 1);
	rbl_damage_level levels[] = { { 10.0, coarse, 0.2 }, { 1000.0, fine, 0.5 } };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = levels;
	rule.level_count = 2;
	rule.radius_limit = 0.9;
	rbl_mesh *mesh = sample_shape(0);
	rbl_compound *c = compound_of(mesh);
	rbl_break_def def = rbl_default_break_def();
	bool breaks = true;
	CHECK(t, rbl_damage_choose(&rule, c, 9.9, 1, &def, &breaks) == RBL_OK && !breaks);
	CHECK(t, rbl_damage_choose(&rule, c, 80.0, 7, &def, &breaks) == RBL_OK && breaks);
	CHECK(t, def.pattern == coarse && def.rotation_seed == 7);
	CHECK_NEAR(t, def.radius, 0.4, 1e-12); // eight times the energy, twice the radius
	CHECK(t, rbl_damage_choose(&rule, c, 1000.0, 7, &def, &breaks) == RBL_OK && breaks);
	CHECK(t, def.pattern == fine && def.radius == 0.5);
	CHECK(t, rbl_damage_choose(&rule, c, 1e6, 7, &def, &breaks) == RBL_OK && def.radius == 0.9);
	rule.min_size = 1.1;
	CHECK(t, rbl_damage_choose(&rule, c, 1e6, 7, &def, &breaks) == RBL_OK && !breaks);
	rbl_destroy_compound(c);
	rbl_destroy_mesh(mesh);
	rbl_destroy_pattern(coarse);
	rbl_destroy_pattern(fine);
}

// Break everything again and again: it ends at the least size, with all of the volume.
static void pieces_break_again_down_to_the_least_size(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 6, 2);
	rbl_damage_level level = { 1.0, pattern, 10.0 };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = &level;
	rule.level_count = 1;
	rule.min_size = 0.35;
	rbl_mesh *mesh = sample_shape(0);
	rbl_compound *list[4000] = { compound_of(mesh) };
	double before = rbl_compound_get_mass(list[0]).volume, after = 0.0;
	int count = 1, rounds = 0, smaller = 0;
	for (int i = 0; i < count && rounds < 100000; ++i) {
		bool breaks = true;
		for (int k = 0; k < 40 && breaks; ++k, ++rounds) {
			rbl_break_def def = rbl_default_break_def();
			CHECK(t, rbl_damage_choose(&rule, list[i], 5.0, (uint64_t)(i + k + 1), &def, &breaks) ==
			             RBL_OK);
			if (!breaks)
				break;
			def.position = rbl_compound_get_mass(list[i]).centre;
			rbl_break *broken = NULL;
			CHECK(t, rbl_compound_break(list[i], &def, &broken) == RBL_OK);
			rbl_break_data data = rbl_break_get_data(broken);
			for (int j = 0; j < data.compound_count && count < 4000; ++j)
				list[count++] = rbl_break_take(broken, j);
			breaks = data.compound_count > 0;
			rbl_destroy_break(broken);
		}
	}
	CHECK(t, count > 50 && count < 4000);
	for (int i = 0; i < count; ++i) {
		double volume = rbl_compound_get_mass(list[i]).volume;
		after += volume;
		smaller += volume < 0.35 * 0.35 * 0.35;
		rbl_destroy_compound(list[i]);
	}
	CHECK(t, smaller > count / 2);
	CHECK_NEAR(t, after / before, 1.0, 1e-9);
	rbl_destroy_mesh(mesh);
	rbl_destroy_pattern(pattern);
}

static void bad_calls_are_refused(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 5, 1);
	rbl_damage_level levels[] = { { 10.0, pattern, 0.2 }, { 5.0, pattern, 0.5 } };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rbl_mesh *mesh = sample_shape(0);
	rbl_compound *c = compound_of(mesh);
	rbl_break_def def = rbl_default_break_def();
	bool breaks = true;
	CHECK(t, rbl_damage_choose(NULL, c, 1.0, 1, &def, &breaks) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_damage_choose(&rule, NULL, 1.0, 1, &def, &breaks) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_damage_choose(&rule, c, (double)NAN, 1, &def, &breaks) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_damage_choose(&rule, c, 1.0, 1, &def, &breaks) == RBL_OK && !breaks);
	rule.level_count = 2;
	CHECK(t, rbl_damage_choose(&rule, c, 1.0, 1, &def, &breaks) == RBL_BAD_ARGUMENT);
	rule.levels = levels;
	CHECK(t, rbl_damage_choose(&rule, c, 1.0, 1, &def, &breaks) == RBL_BAD_ARGUMENT);
	levels[1].energy = 20.0, levels[1].radius = 0.0;
	CHECK(t, rbl_damage_choose(&rule, c, 1.0, 1, &def, &breaks) == RBL_BAD_ARGUMENT);
	levels[1].radius = 1.0, rule.radius_limit = 0.0;
	CHECK(t, rbl_damage_choose(&rule, c, 1.0, 1, &def, &breaks) == RBL_BAD_ARGUMENT);
	int count = 0;
	CHECK(t, rbl_break_get_exposed_triangles(NULL, c, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_break_exposed_area(NULL, c) == 0.0);
	rbl_particle_def good = rbl_default_particle_def(), bad;
	CHECK(t, rbl_sample_particles(NULL, 1, &good, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_sample_particles(NULL, 0, NULL, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	bad = good, bad.density = -1.0;
	CHECK(t, rbl_sample_particles(NULL, 0, &bad, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	bad = good, bad.sphere_ratio = 2.0;
	CHECK(t, rbl_sample_particles(NULL, 0, &bad, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	bad = good, bad.min_radius = 0.0;
	CHECK(t, rbl_sample_particles(NULL, 0, &bad, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	bad = good, bad.min_radius = 1e-200;
	CHECK(t, rbl_sample_particles(NULL, 0, &bad, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	rbl_exposed_triangle face = { .area = 1.0f };
	bad = good, bad.density = 1e30; // it would never end
	CHECK(t, rbl_sample_particles(&face, 1, &bad, NULL, 0, &count) == RBL_LIMIT_REACHED);
	face.area = NAN;
	CHECK(t, rbl_sample_particles(&face, 1, &good, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	bad = good, bad.instance_count = 0;
	CHECK(t, rbl_sample_particles(NULL, 0, &bad, NULL, 0, &count) == RBL_BAD_ARGUMENT);
	rbl_destroy_compound(c);
	rbl_destroy_mesh(mesh);
	rbl_destroy_pattern(pattern);
}

TEST_MAIN(TEST(exposed_faces_are_what_was_cut), TEST(a_crack_shows_on_both_sides),
          TEST(faces_of_lost_bonds_are_exposed), TEST(meshes_show_what_convexes_show),
          TEST(particles_lie_evenly_on_their_faces),
          TEST(small_pieces_become_debris_and_nothing_disappears),
          TEST(energy_chooses_pattern_radius_and_cells),
          TEST(pieces_break_again_down_to_the_least_size), TEST(bad_calls_are_refused))
