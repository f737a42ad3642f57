// SPDX-License-Identifier: MIT
// ctest: threads soak
// Breaking compounds of convexes: nothing is lost, what lies outside stays, and what it costs.

#include "faulty_allocator.h"
#include "compounds.h"
#include "worker_pool.h"

static void every_pattern_breaks_every_body_without_loss(test *t)
{
	const rbl_pattern_kind kinds[] = { RBL_PATTERN_VORONOI, RBL_PATTERN_IMPACT, RBL_PATTERN_WEB,
		                               RBL_PATTERN_BRICKS, RBL_PATTERN_SPLINTERS };
	rbl_random random = rbl_random_from_seed(3);
	for (int k = 0; k < 5; ++k) {
		rbl_pattern *pattern = pattern_of(kinds[k], 4.0, 60, 5 + (uint64_t)k);
		int fragments = 0;
		for (int round = 0; round < test_count(6, 100); ++round) {
			double scale = round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 1.0 : 1e4;
			rbl_vec3d size = { 0.4 * scale, 0.2 * scale, 0.3 * scale };
			rbl_compound *c =
				round & 1 ? wall(5, 5, 2, size, rbl_scale_d(-2.0, size), NULL) : block(size, NULL);
			rbl_break_def def = rbl_default_break_def();
			def.pattern = pattern;
			def.shape = rbl_mat_scale_d(scale, rbl_mat_identity_d());
			def.rotation_seed = round % 4 == 0 ? 0 : (uint64_t)round;
			def.position = rbl_mul_d(size, rbl_random_in_ball(&random));
			def.radius = round % 2 ? HUGE_VAL : 0.15 * scale;
			def.welds = round % 3 != 0;
			rbl_break *broken = break_and_check(t, c, &def);
			fragments += rbl_break_get_data(broken).compound_count;
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
		}
		CHECK(t, fragments > 10);
		rbl_destroy_pattern(pattern);
	}
}

// Planes through faces, edges and corners of the bricks, coplanar with them and with each other.
static void grids_on_grids_lose_nothing(test *t)
{
	for (int n = 1; n <= 6; ++n) {
		rbl_vec3d sites[216];
		int count = 0;
		for (int i = 0; i < n * n * n; ++i)
			sites[count++] = (rbl_vec3d){ (i % n + 0.5) / n - 0.5, (i / n % n + 0.5) / n - 0.5,
				                          (i / n / n + 0.5) / n - 0.5 };
		rbl_pattern_def pattern_def = rbl_default_pattern_def();
		pattern_def.kind = RBL_PATTERN_SITES;
		pattern_def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
		pattern_def.sites = sites;
		pattern_def.given_count = count;
		rbl_pattern *pattern = NULL;
		CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
		rbl_compound *c =
			wall(4, 4, 4, (rbl_vec3d){ 0.25, 0.25, 0.25 }, (rbl_vec3d){ -0.5, -0.5, -0.5 }, NULL);
		for (int round = 0; round < 3; ++round) {
			rbl_break_def def = rbl_default_break_def();
			def.pattern = pattern;
			def.radius = round == 0 ? 0.3 : round == 1 ? 0.5 : HUGE_VAL;
			def.position = (rbl_vec3d){ 0.25 * round, 0.0, 0.0 };
			rbl_destroy_break(break_and_check(t, c, &def));
		}
		rbl_destroy_compound(c);
		rbl_destroy_pattern(pattern);
	}
}

static bool has_convex(const rbl_compound *c, const rbl_convex *convex)
{
	for (int i = 0; i < c->parts.count; ++i) {
		if (c->parts.data[i].convex == convex)
			return true;
	}
	return false;
}

static void what_lies_outside_is_neither_cut_nor_copied(test *t)
{
	rbl_compound *c =
		wall(30, 10, 1, (rbl_vec3d){ 0.4, 0.2, 0.2 }, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_IMPACT, 2.0, 80, 3);
	const rbl_convex *before[300];
	for (int i = 0; i < 300; ++i)
		before[i] = c->parts.data[i].convex;
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 6.0, 1.0, 0.1 };
	def.radius = 0.35;
	int inside = 0;
	bool kept[300];
	for (int i = 0; i < 300; ++i) {
		kept[i] = rbl_convex_distance(before[i], def.position) > def.radius;
		inside += !kept[i];
	}
	rbl_break *broken = break_and_check(t, c, &def);
	for (int i = 0; i < 300; ++i) {
		CHECK(t, !kept[i] || c->parts.data[i].convex == before[i]);
		CHECK(t, kept[i] || !has_convex(c, before[i]));
	}
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.touched_count == inside && inside >= 6 && inside < 20);
	CHECK(t, data.gone_count >= inside);
	CHECK(t, data.compound_count > 3);
	CHECK(t, rbl_compound_get_info(c).anchored_count == 30);
	for (int i = 0; i < data.compound_count; ++i) {
		CHECK(t, rbl_compound_get_info(data.compounds[i]).anchored_count == 0);
		for (int k = 0; k < data.compounds[i]->parts.count; ++k)
			CHECK(t, rbl_convex_distance(data.compounds[i]->parts.data[k].convex, def.position) <=
			             def.radius);
	}
	rbl_compound *taken = rbl_break_take(broken, 0);
	CHECK(t, taken && !rbl_break_take(broken, 0) && !rbl_break_take(broken, -1));
	rbl_destroy_break(broken);
	CHECK(t, is_sound(taken));
	rbl_destroy_compound(taken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

// The fragments of a partial break are the pieces of the full one that the sphere meets.
static void a_partial_break_is_the_full_one_restricted(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 120, 8);
	for (int round = 0; round < 10; ++round) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.rotation_seed = 1 + (uint64_t)round;
		def.position = (rbl_vec3d){ 0.3, 0.1 * round - 0.4, 0.2 };
		rbl_compound *full = block((rbl_vec3d){ 0.5, 0.6, 0.7 }, NULL);
		rbl_compound *partial = block((rbl_vec3d){ 0.5, 0.6, 0.7 }, NULL);
		rbl_break *all = break_and_check(t, full, &def);
		CHECK(t, rbl_compound_get_info(full).part_count == 0);
		def.radius = 0.3;
		rbl_break *some = break_and_check(t, partial, &def);
		rbl_break_data a = rbl_break_get_data(all), s = rbl_break_get_data(some);
		double volumes[2][200];
		int counts[2] = { 0, 0 };
		for (int i = 0; i < a.compound_count; ++i) {
			rbl_compound_part part = rbl_compound_get_part(a.compounds[i], 0);
			if (rbl_convex_distance(part.convex, def.position) <= def.radius)
				volumes[0][counts[0]++] = rbl_convex_get_mass(part.convex).volume;
		}
		for (int i = 0; i < s.compound_count; ++i) {
			CHECK(t, rbl_compound_get_info(s.compounds[i]).part_count == 1);
			rbl_compound_part part = rbl_compound_get_part(s.compounds[i], 0);
			if (rbl_convex_distance(part.convex, def.position) <= def.radius)
				volumes[1][counts[1]++] = rbl_convex_get_mass(part.convex).volume;
		}
		CHECK(t, counts[0] == counts[1] && counts[0] > 3);
		for (int k = 0; k < 2; ++k)
			qsort(volumes[k], (size_t)counts[k], sizeof(double), compare_doubles);
		for (int i = 0; i < counts[0]; ++i)
			CHECK(t, volumes[0][i] == volumes[1][i]); // the same bits
		rbl_destroy_break(all);
		rbl_destroy_break(some);
		rbl_destroy_compound(full);
		rbl_destroy_compound(partial);
	}
	rbl_destroy_pattern(pattern);
}

// A fragment in a wall of ten thousand bricks costs what it costs in a wall of one thousand.
static void a_chip_costs_what_it_weighs(test *t)
{
	rbl_break_data data[2];
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_IMPACT, 2.0, 60, 3);
	for (int i = 0; i < 2; ++i) {
		int half = i == 0 ? 16 : 50;
		rbl_compound *c = wall(2 * half, 2 * half, 1, (rbl_vec3d){ 0.4, 0.2, 0.2 },
		                       (rbl_vec3d){ -0.4 * half, -0.2 * half, 0.0 }, NULL);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ 0.05, 0.03, 0.1 };
		def.radius = 0.3;
		rbl_break *broken = break_and_check(t, c, &def);
		data[i] = rbl_break_get_data(broken);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	CHECK(t, data[0].visited_count == data[1].visited_count && data[0].visited_count < 500);
	CHECK(t, data[0].cut_count == data[1].cut_count);
	CHECK(t, data[0].tested_count == data[1].tested_count);
	CHECK(t, data[0].compound_count == data[1].compound_count);
	rbl_destroy_pattern(pattern);
}

static void three_rounds_break_every_piece_into_more(test *t)
{
	enum { MOST = 2000 };
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 5, 3);
	rbl_compound *lists[2][MOST] = { { block((rbl_vec3d){ 0.5, 0.4, 0.3 }, NULL) } };
	int count = 1;
	double before = rbl_compound_get_mass(lists[0][0]).volume, after = 0.0, flat = 0.0;
	for (int round = 0; round < 3; ++round) {
		rbl_compound **from = lists[round % 2], **to = lists[1 - round % 2];
		int made = 0;
		for (int i = 0; i < count; ++i) {
			rbl_break_def def = rbl_default_break_def();
			rbl_mass mass = rbl_compound_get_mass(from[i]);
			double size = sqrt(mass.inertia.x.x / mass.volume);
			def.pattern = pattern;
			def.position = mass.centre;
			def.shape = rbl_mat_scale_d(size, rbl_mat_identity_d());
			def.rotation_seed = (uint64_t)(round * 1000 + i + 1);
			rbl_break *broken = break_and_check(t, from[i], &def);
			rbl_break_data data = rbl_break_get_data(broken);
			flat += data.flat_volume;
			for (int k = 0; k < data.compound_count && made < MOST; ++k)
				to[made++] = rbl_break_take(broken, k);
			rbl_destroy_break(broken);
			if (rbl_compound_get_info(from[i]).part_count > 0) // it held
				to[made++] = from[i];
			else
				rbl_destroy_compound(from[i]);
		}
		count = made;
	}
	for (int i = 0; i < count; ++i) {
		after += rbl_compound_get_mass(lists[1][i]).volume;
		rbl_destroy_compound(lists[1][i]);
	}
	CHECK(t, count > 60);
	CHECK_NEAR(t, (after + flat) / before, 1.0, 1e-9);
	rbl_destroy_pattern(pattern);
}

static void the_same_bits_for_any_number_of_workers(test *t)
{
	uint64_t hashes[3];
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_IMPACT, 2.0, 100, 3);
	for (int i = 0; i < 3; ++i) {
		rbl_jobs *jobs = i > 0 ? create_pool(1 + 2 * i) : NULL;
		rbl_compound *c =
			wall(8, 8, 3, (rbl_vec3d){ 0.1, 0.1, 0.1 }, (rbl_vec3d){ -0.4, -0.4, -0.1 }, NULL);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.radius = 0.25;
		def.jobs = jobs;
		rbl_break *broken = break_and_check(t, c, &def);
		hashes[i] = break_hash(c, broken);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		rbl_destroy_jobs(jobs);
	}
	CHECK(t, hashes[0] == hashes[1] && hashes[0] == hashes[2]);
	rbl_destroy_pattern(pattern);
}

// At the n-th allocation, for every n: the compound is as it was, and nothing is lost.
static void a_break_that_fails_changes_nothing(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 30, 3);
	for (int kind = 0; kind < 3; ++kind) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_allocator allocator = FAULTY(&memory);
		for (int n = 0;; ++n) {
			rbl_compound *c = wall(4, 3, 2, (rbl_vec3d){ 0.2, 0.2, 0.2 },
			                       (rbl_vec3d){ -0.4, -0.3, -0.2 }, &allocator);
			uint64_t before = compound_hash(c);
			int bonds = c->bond_count;
			memory.allowed = n;
			memory.failed = false;
			rbl_break *broken = NULL;
			rbl_result result;
			if (kind < 2) {
				rbl_break_def def = rbl_default_break_def();
				def.pattern = pattern;
				def.radius = kind == 0 ? 0.15 : HUGE_VAL;
				result = rbl_compound_break(c, &def, &broken);
			} else {
				const int pairs[] = { 0, 1, 0, 4, 0, 12, 1, 2, 1, 4, 1, 5, 1, 13 };
				result = rbl_compound_break_bonds(c, pairs, 7, &broken);
			}
			bool failed = memory.failed;
			memory.allowed = 1 << 30;
			CHECK(t, (result == RBL_OK) == (broken != NULL));
			CHECK(t, is_sound(c));
			if (result != RBL_OK) {
				CHECK(t, result == RBL_OUT_OF_MEMORY);
				CHECK(t, compound_hash(c) == before && c->bond_count == bonds);
			}
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
			CHECK(t, memory.live_bytes == 0);
			if (!failed)
				break;
		}
	}
	rbl_destroy_pattern(pattern);
}

// Three cells whose inner walls would cross beyond the box, so that they end there: what lies beyond
// them is still there.
static void nothing_is_lost_beyond_a_pattern_with_an_end(test *t)
{
	const rbl_planed left = { { 1.0, -0.2, 0.0 }, -0.2 }, right = { { -1.0, -0.2, 0.0 }, -0.2 };
	rbl_planed sides[3][2] = {
		{ left, left },
		{ { rbl_neg_d(left.normal), -left.offset }, { rbl_neg_d(right.normal), -right.offset } },
		{ right, right },
	};
	rbl_convex *cells[3];
	for (int i = 0; i < 3; ++i) {
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ { -0.5, -0.5, -0.5 }, { 0.5, 0.5, 0.5 } };
		def.planes = sides[i];
		def.plane_count = 2;
		CHECK(t, rbl_create_convex(&def, &cells[i]) == RBL_OK);
	}
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_CELLS;
	pattern_def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
	pattern_def.convexes = (const rbl_convex *const *)cells;
	pattern_def.given_count = 3;
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	for (int round = 0; round < 4; ++round) {
		rbl_compound *c = round & 1 ? block((rbl_vec3d){ 1.0, 2.0, 1.5 }, NULL)
		                            : wall(4, 9, 3, (rbl_vec3d){ 0.5, 0.5, 0.5 },
		                                   (rbl_vec3d){ -1.1, -2.0, -0.7 }, NULL);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.rotation_seed = round / 2 ? 5 : 0;
		def.radius = round & 1 ? HUGE_VAL : 0.3;
		rbl_break *broken = break_and_check(t, c, &def);
		CHECK(t, rbl_break_get_data(broken).compound_count >= 3);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	// A mesh there is refused.
	rbl_box_def box_def = rbl_default_box_def();
	box_def.size = (rbl_vec3d){ 1.0, 8.0, 1.0 };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box_def, &mesh) == RBL_OK);
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.mesh = mesh;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&compound_def, &c) == RBL_OK);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_BAD_ARGUMENT && !broken && is_sound(c));
	rbl_destroy_compound(c);
	rbl_destroy_mesh(mesh);
	rbl_destroy_pattern(pattern);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_convex(cells[i]);
}

// A wall of one metre a hundred kilometres from the origin.
static void far_from_the_origin_breaks_are_the_same(test *t)
{
	int counts[2], bonds[2];
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 60, 8);
	for (int i = 0; i < 2; ++i) {
		rbl_vec3d at = { i * 1e5, i * -1e5, i * 1e5 };
		rbl_compound *c = wall(5, 5, 5, (rbl_vec3d){ 0.25, 0.25, 0.25 }, at, NULL);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = rbl_add_d(at, (rbl_vec3d){ 0.5, 0.6, 0.7 });
		def.radius = 0.3;
		rbl_break *broken = NULL;
		double before = rbl_compound_get_mass(c).volume;
		CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
		CHECK_NEAR(t, (rbl_compound_get_mass(c).volume + broken_volume(broken)) / before, 1.0,
		           1e-8);
		CHECK(t, is_sound(c) && component_count(c) == 1);
		counts[i] = rbl_break_get_data(broken).compound_count;
		bonds[i] = rbl_compound_get_info(c).bond_count;
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	CHECK(t, counts[0] == counts[1] && bonds[0] == bonds[1]);
	rbl_destroy_pattern(pattern);
}

// Numbers of parts are used again, bonds and tree stay in order, strike after strike; and what a
// strike looks at does not grow.
static void a_wall_is_struck_until_little_is_left(test *t)
{
	rbl_compound *c =
		wall(12, 12, 2, (rbl_vec3d){ 0.4, 0.2, 0.2 }, (rbl_vec3d){ -2.4, 0.0, 0.0 }, NULL);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_IMPACT, 2.0, 40, 6);
	rbl_random random = rbl_random_from_seed(17);
	double before = rbl_compound_get_mass(c).volume, fallen = 0.0;
	int most_visited = 0;
	for (int strike = 0; strike < test_count(25, 500) && c->part_count > 0; ++strike) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position =
			(rbl_vec3d){ rbl_random_range(&random, -2.4, 2.4), rbl_random_range(&random, 0.4, 2.4),
			             rbl_random_range(&random, 0.0, 0.4) };
		def.radius = 0.25;
		def.rotation_seed = (uint64_t)strike + 1;
		rbl_break *broken = break_and_check(t, c, &def);
		rbl_break_data data = rbl_break_get_data(broken);
		most_visited = rbl_maxi(most_visited, data.visited_count);
		fallen += broken_volume(broken);
		rbl_destroy_break(broken);
	}
	CHECK_NEAR(t, (fallen + rbl_compound_get_mass(c).volume) / before, 1.0, 1e-8);
	CHECK(t, most_visited > 20 && most_visited < 4000);
	CHECK(t, fallen > 0.02 * before);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

static void a_blow_that_misses_or_holds_changes_nothing(test *t)
{
	rbl_compound *c =
		wall(3, 3, 1, (rbl_vec3d){ 1.0, 1.0, 1.0 }, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
	uint64_t before = compound_hash(c);
	rbl_pattern *many = pattern_of(RBL_PATTERN_VORONOI, 4.0, 30, 3);
	rbl_pattern *one = pattern_of(RBL_PATTERN_VORONOI, 4.0, 1, 3);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = many;
	def.position = (rbl_vec3d){ 10.0, 0.0, 0.0 };
	def.radius = 2.0;
	rbl_break *broken = break_and_check(t, c, &def); // misses
	CHECK(t, rbl_break_get_data(broken).compound_count == 0 && compound_hash(c) == before);
	rbl_destroy_break(broken);
	def.pattern = one;
	def.radius = INFINITY;
	broken = break_and_check(t, c, &def); // one cell: nothing comes apart
	CHECK(t, rbl_break_get_data(broken).compound_count == 0 && compound_hash(c) == before);
	rbl_destroy_break(broken);
	def.position = (rbl_vec3d){ 1.5, 1.5, 0.5 };
	def.radius = 100.0;
	broken = break_and_check(t, c, &def);
	CHECK(t, rbl_break_get_data(broken).compound_count == 0 && compound_hash(c) == before);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(many);
	rbl_destroy_pattern(one);
	rbl_destroy_compound(c);
}

TEST_MAIN(TEST(every_pattern_breaks_every_body_without_loss), TEST(grids_on_grids_lose_nothing),
          TEST(what_lies_outside_is_neither_cut_nor_copied),
          TEST(a_partial_break_is_the_full_one_restricted), TEST(a_chip_costs_what_it_weighs),
          TEST(three_rounds_break_every_piece_into_more),
          TEST(the_same_bits_for_any_number_of_workers), TEST(a_break_that_fails_changes_nothing),
          TEST(nothing_is_lost_beyond_a_pattern_with_an_end),
          TEST(far_from_the_origin_breaks_are_the_same),
          TEST(a_wall_is_struck_until_little_is_left),
          TEST(a_blow_that_misses_or_holds_changes_nothing))
