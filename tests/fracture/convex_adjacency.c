// SPDX-License-Identifier: MIT
// Which convexes touch: grids, Voronoi cells, scales, tolerances, and cost.

#include "base/random.h"
#include "base/vec.h"
#include "fracture/convex_adjacency.h"
#include "fracture/quantized_boxes.h"

#include <rubble/compound.h>
#include <rubble/shapes.h>

#include "faulty_allocator.h"
#include "test.h"

static const rbl_allocator *memory(void)
{
	static rbl_allocator allocator;
	allocator = rbl_allocator_or_default(NULL);
	return &allocator;
}

static rbl_convex *box(rbl_vec3d lower, rbl_vec3d upper)
{
	rbl_convex_def def = rbl_default_convex_def();
	def.box = (rbl_boxd){ lower, upper };
	rbl_convex *convex = NULL;
	rbl_create_convex(&def, &convex);
	return convex;
}

typedef struct pile {
	rbl_convex **convexes;
	int count;
} pile;

static void destroy(pile *p)
{
	for (int i = 0; i < p->count; ++i)
		rbl_destroy_convex(p->convexes[i]);
	free(p->convexes);
}

// Boxes side by side; `shift` moves every second layer by half a box, as in a wall.
static pile grid(int nx, int ny, int nz, double size, rbl_vec3d at, double shift)
{
	pile p = { malloc((size_t)(nx * ny * nz) * sizeof(rbl_convex *)), 0 };
	for (int z = 0; z < nz; ++z) {
		for (int y = 0; y < ny; ++y) {
			for (int x = 0; x < nx; ++x) {
				double along = x + (y & 1 ? shift : 0.0);
				rbl_vec3d lower = { at.x + size * along, at.y + size * y, at.z + size * z };
				rbl_vec3d upper = { at.x + size * (along + 1), at.y + size * (y + 1),
					                at.z + size * (z + 1) };
				p.convexes[p.count++] = box(lower, upper);
			}
		}
	}
	return p;
}

static rbl_adjacent_pairs find(test *t, const pile *p)
{
	rbl_adjacency_query search = { .count = p->count, .tolerance = 1e-5, .fixed_from = p->count };
	search.convexes = (const rbl_convex *const *)p->convexes;
	rbl_adjacent_pairs contacts = { 0 };
	CHECK(t, rbl_find_adjacent_pairs(memory(), &search, &contacts) == RBL_OK);
	return contacts;
}

static int count_contacts(test *t, const pile *p)
{
	rbl_adjacent_pairs contacts = find(t, p);
	int count = contacts.items.count;
	rbl_array_free(memory(), &contacts.items);
	return count;
}

static void boxes_touch_the_six_around_them_at_any_scale(test *t)
{
	const double scales[] = { 1e-3, 1.0, 1e4, 1e-20, 1e20 };
	for (int i = 0; i < 5; ++i) {
		double s = scales[i];
		pile p = grid(4, 5, 6, s, (rbl_vec3d){ -s, 3.0 * s, 0.3 * s }, 0.0);
		rbl_adjacent_pairs contacts = find(t, &p);
		CHECK(t, contacts.items.count == 3 * 5 * 6 + 4 * 4 * 6 + 4 * 5 * 5);
		for (int k = 0; k < contacts.items.count; ++k) {
			const rbl_adjacent_pair *c = &contacts.items.data[k];
			CHECK(t, c->a < c->b);
			CHECK_NEAR(t, c->area / (s * s), 1.0, 1e-9);
			rbl_vec3d a = rbl_convex_get_mass(p.convexes[c->a]).centre;
			rbl_vec3d b = rbl_convex_get_mass(p.convexes[c->b]).centre;
			rbl_vec3d middle = rbl_scale_d(0.5, rbl_add_d(a, b));
			CHECK(t, rbl_distance_d(middle, c->centre) <= 1e-9 * s);
		}
		rbl_array_free(memory(), &contacts.items);
		destroy(&p);
	}
}

static void a_brick_rests_on_halves_of_two(test *t)
{
	pile p = grid(10, 6, 1, 0.1, (rbl_vec3d){ 5.0, 0.0, 0.0 }, 0.5);
	rbl_adjacent_pairs contacts = find(t, &p);
	int halves = 0, uncut_triangles = 0;
	for (int k = 0; k < contacts.items.count; ++k) {
		double share = contacts.items.data[k].area / 0.01;
		halves += fabs(share - 0.5) < 1e-9;
		uncut_triangles += fabs(share - 1.0) < 1e-9;
	}
	CHECK(t, uncut_triangles == 9 * 6 && halves == 5 * 19);
	CHECK(t, uncut_triangles + halves == contacts.items.count);
	rbl_array_free(memory(), &contacts.items);
	destroy(&p);
}

// One plane with twenty thousand faces: what is tested grows with the boxes, not their square.
static void ten_thousand_equal_bricks_cost_ten_times_a_thousand(test *t)
{
	const int sides[2] = { 32, 100 };
	double per_brick[2];
	for (int i = 0; i < 2; ++i) {
		pile p = grid(sides[i], 2, sides[i], 1.0, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.0);
		rbl_adjacent_pairs contacts = find(t, &p);
		CHECK(t, contacts.items.count == sides[i] * sides[i] + 4 * sides[i] * (sides[i] - 1));
		per_brick[i] = (double)contacts.tested_count / p.count;
		rbl_array_free(memory(), &contacts.items);
		destroy(&p);
	}
	CHECK(t, per_brick[1] < 1.1 * per_brick[0]);
}

static void corners_and_edges_are_no_contact(test *t)
{
	rbl_vec3d o = { 0.0, 0.0, 0.0 };
	pile p = { (rbl_convex *[]){ box(o, (rbl_vec3d){ 1.0, 1.0, 1.0 }),
		                         box((rbl_vec3d){ 1.0, 1.0, 0.0 }, (rbl_vec3d){ 2.0, 2.0, 1.0 }),
		                         box((rbl_vec3d){ 1.0, 1.0, 1.0 }, (rbl_vec3d){ 2.0, 2.0, 2.0 }),
		                         box((rbl_vec3d){ -1.0, -1.0, -1.0 }, o) },
		       4 };
	CHECK(t, count_contacts(t, &p) == 1); // the second and the third share a face
	for (int i = 0; i < 4; ++i)
		rbl_destroy_convex(p.convexes[i]);
}

static void a_gap_counts_by_the_size_of_the_smaller(test *t)
{
	const double gaps[] = { 0.0, 5e-6, 2e-5, 1e-3 };
	for (int i = 0; i < 4; ++i) {
		for (double s = 1e-3; s < 1e5; s *= 1e7) {
			double gap = gaps[i] * sqrt(3.0) * s; // a cube of side s has this size times sqrt(3)
			rbl_convex *pair[2] = {
				box((rbl_vec3d){ 0.0, 0.0, 0.0 }, (rbl_vec3d){ s, s, s }),
				box((rbl_vec3d){ s + gap, 0.0, 0.0 }, (rbl_vec3d){ 100.0 * s, 100.0 * s, s }),
			};
			CHECK(t, count_contacts(t, &(pile){ pair, 2 }) == (gaps[i] < 1e-5));
			rbl_destroy_convex(pair[0]);
			rbl_destroy_convex(pair[1]);
		}
	}
}

static pile voronoi(int count, uint64_t seed, double scale)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_boxd bounds = { { -scale, -scale, -scale }, { scale, scale, scale } };
	rbl_vec3d *sites = malloc((size_t)count * sizeof *sites);
	for (int i = 0; i < count; ++i)
		sites[i] = rbl_random_in_box(&random, bounds);
	rbl_cells cells;
	pile p = { calloc((size_t)count, sizeof(rbl_convex *)), count };
	if (rbl_voronoi_cells(&cells, NULL, bounds, sites, count, NULL) == RBL_OK) {
		for (int c = 0; c < count; ++c) {
			rbl_planed planes[RBL_MAX_CONVEX_FACES];
			uint64_t ids[RBL_MAX_CONVEX_FACES];
			rbl_convex_def def = rbl_default_convex_def();
			def.box = rbl_box_grow_d(bounds, 0.5 * scale);
			def.planes = planes;
			def.plane_ids = ids;
			for (int f = cells.cell_faces[c]; f < cells.cell_faces[c + 1]; ++f) {
				ids[def.plane_count] = (uint64_t)cells.faces[f].plane;
				planes[def.plane_count++] = rbl_cell_face_plane(&cells, f);
			}
			rbl_create_convex(&def, &p.convexes[c]);
		}
		rbl_cells_destroy(&cells);
	}
	free(sites);
	return p;
}

// What fills space is covered by neighbours: for inner cells the areas of contacts are the surface.
static void contacts_of_voronoi_cells_cover_their_faces(test *t)
{
	for (int round = 0; round < 3; ++round) {
		double scale = round == 0 ? 1e-3 : round == 1 ? 1.0 : 1e4;
		pile p = voronoi(200, 3 + (uint64_t)round, scale);
		rbl_adjacent_pairs contacts = find(t, &p);
		double covered = 0.0, surface = 0.0;
		for (int i = 0; i < p.count; ++i) {
			rbl_convex_data d = rbl_convex_get_data(p.convexes[i]);
			for (int f = 0; f < d.face_count; ++f)
				surface += rbl_convex_face_area(&d, f);
		}
		for (int k = 0; k < contacts.items.count; ++k)
			covered += 2.0 * contacts.items.data[k].area;
		CHECK_NEAR(t, covered / (scale * scale), surface / (scale * scale) - 24.0, 1e-3);
		rbl_array_free(memory(), &contacts.items);
		destroy(&p);
	}
}

// The judge: every face against every other.
static void trees_find_what_brute_force_finds(test *t)
{
	pile p = voronoi(60, 9, 1.0);
	rbl_adjacent_pairs contacts = find(t, &p);
	int found = 0;
	for (int a = 0; a < p.count; ++a) {
		for (int b = a + 1; b < p.count; ++b) {
			rbl_convex *pair[2] = { p.convexes[a], p.convexes[b] };
			int is_contact = count_contacts(t, &(pile){ pair, 2 });
			bool listed = found < contacts.items.count && contacts.items.data[found].a == a &&
			              contacts.items.data[found].b == b;
			CHECK(t, is_contact == (int)listed);
			found += listed;
		}
	}
	CHECK(t, found == contacts.items.count && found > 200);
	rbl_array_free(memory(), &contacts.items);
	destroy(&p);
}

// Planes that look along the border between two directions, and every rotation of them.
static void no_direction_is_special(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	for (int round = 0; round < 300; ++round) {
		rbl_vec3d n = { 1.0, 1.0, round % 3 == 0 ? 1.0 : 0.0 };
		if (round % 3 == 2)
			n = rbl_random_in_ball(&random);
		n = rbl_add_scaled_d(n, 1e-9, rbl_random_in_ball(&random));
		rbl_convex *whole = box((rbl_vec3d){ -1.0, -1.0, -1.0 }, (rbl_vec3d){ 1.0, 1.0, 1.0 });
		rbl_convex *parts[2];
		CHECK(t, rbl_convex_cut(whole, (rbl_planed){ n, 0.1 }, RBL_NO_PLANE_ID, &parts[0],
		                        &parts[1]) == RBL_OK);
		if (parts[0] && parts[1])
			CHECK(t, count_contacts(t, &(pile){ parts, 2 }) == 1);
		rbl_destroy_convex(parts[0]);
		rbl_destroy_convex(parts[1]);
		rbl_destroy_convex(whole);
	}
}

static void groups_and_fixed_ones_are_not_compared(test *t)
{
	pile p = grid(4, 1, 1, 1.0, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.0);
	const int groups[] = { 0, 0, 1, 1 };
	rbl_adjacency_query search = { .count = 4, .tolerance = 1e-5, .fixed_from = 4 };
	search.convexes = (const rbl_convex *const *)p.convexes;
	search.groups = groups;
	rbl_adjacent_pairs contacts = { 0 };
	CHECK(t, rbl_find_adjacent_pairs(memory(), &search, &contacts) == RBL_OK);
	CHECK(t, contacts.items.count == 2);
	rbl_array_free(memory(), &contacts.items);
	search.groups = NULL;
	search.fixed_from = 1;
	CHECK(t, rbl_find_adjacent_pairs(memory(), &search, &contacts) == RBL_OK);
	CHECK(t, contacts.items.count == 1 && contacts.items.data[0].a == 0);
	rbl_array_free(memory(), &contacts.items);
	search.count = 1;
	CHECK(t, rbl_find_adjacent_pairs(memory(), &search, &contacts) == RBL_OK);
	CHECK(t, contacts.items.count == 0);
	destroy(&p);
}

static void an_allocation_that_fails_leaves_nothing_behind(test *t)
{
	pile p = grid(3, 3, 3, 1.0, (rbl_vec3d){ 0.0, 0.0, 0.0 }, 0.0);
	for (int n = 0;; ++n) {
		faulty_allocator faulty;
		faulty_init(&faulty, n);
		rbl_allocator allocator = FAULTY(&faulty);
		rbl_adjacency_query search = { .count = p.count, .tolerance = 1e-5, .fixed_from = p.count };
		search.convexes = (const rbl_convex *const *)p.convexes;
		rbl_adjacent_pairs contacts = { 0 };
		rbl_result result = rbl_find_adjacent_pairs(&allocator, &search, &contacts);
		CHECK(t, result == RBL_OK || contacts.items.data == NULL);
		rbl_array_free(&allocator, &contacts.items);
		CHECK(t, faulty.live_bytes == 0);
		if (!faulty.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	destroy(&p);
}

// A search in slices finds the same, and no slice does much more than its budget: what is not divided
// are the trees of the three directions, and the queries of some hundred faces.
static void slices_find_the_same_contacts(test *t)
{
	pile p = grid(12, 10, 6, 0.5, (rbl_vec3d){ 0, 0, 0 }, 0.5);
	rbl_adjacent_pairs expected = find(t, &p);
	rbl_adjacency_query search = { .count = p.count, .tolerance = 1e-5, .fixed_from = p.count };
	search.convexes = (const rbl_convex *const *)p.convexes;
	for (int budget = 10; budget <= 1000; budget *= 10) {
		rbl_adjacency_search *finder = rbl_adjacency_search_begin(memory(), &search);
		rbl_adjacent_pairs contacts = { 0 };
		bool is_done = false;
		int slices = 0, longest = 0, faces = 6 * p.count;
		for (; !is_done; ++slices) {
			int left = budget;
			CHECK(t, rbl_adjacency_search_work(finder, &left, &contacts, &is_done) == RBL_OK);
			longest = left < -longest ? -left : longest;
		}
		CHECK(t, slices > faces / budget && longest <= faces / 2 + 1);
		CHECK(t, contacts.items.count == expected.items.count);
		for (int i = 0; i < contacts.items.count; ++i) {
			const rbl_adjacent_pair *a = &contacts.items.data[i], *b = &expected.items.data[i];
			CHECK(t, a->a == b->a && a->b == b->b && a->face_a == b->face_a && a->area == b->area);
		}
		rbl_adjacency_search_end(finder);
		rbl_array_free(memory(), &contacts.items);
	}
	rbl_adjacency_search_end(rbl_adjacency_search_begin(memory(), &search)); // given up
	rbl_array_free(memory(), &expected.items);
	destroy(&p);
}

static bool boxes_overlap(rbl_box a, rbl_box b)
{
	return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
	       b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

// A crowd of tiny boxes beside large ones: boxes of floats overlap where the boxes do. Some that
// touch.
static void boxes_for_trees_overlap_where_boxes_do(test *t)
{
	enum { N = 600 };
	static rbl_boxd boxes[N];
	static rbl_box out[N];
	const double scales[] = { 1.0, 1e-3, 1e-6, 1e-9, 1e-12 };
	for (int i = 0; i < 5; ++i) {
		rbl_random random = rbl_random_from_seed((uint64_t)i);
		for (int k = 0; k < N; ++k) {
			double size = k % 10 == 0 ? 1.0 : scales[i];
			rbl_vec3d at = { 0.3 + size * rbl_random_range(&random, -1.0, 1.0),
				             -0.2 + size * rbl_random_range(&random, -1.0, 1.0),
				             size * rbl_random_range(&random, -1.0, 1.0) };
			rbl_vec3d side = { 0.3 * size * rbl_random_double(&random), 0.3 * size,
				               k % 7 == 0 ? 0.0 : 0.3 * size };
			boxes[k] = (rbl_boxd){ at, rbl_add_d(at, side) };
			if (k % 5 == 1) // beside the one before, to the bit
				boxes[k].lower.x = boxes[k - 1].upper.x,
				boxes[k].upper.x = boxes[k].lower.x + side.x;
		}
		CHECK(t, rbl_quantize_boxes(memory(), boxes, N, out));
		int missed = 0, more = 0, all = 0;
		for (int a = 0; a < N; ++a) {
			for (int b = 0; b < a; ++b) {
				bool wanted = rbl_box_overlaps_d(boxes[a], boxes[b]);
				bool found = boxes_overlap(out[a], out[b]);
				missed += wanted && !found;
				more += found && !wanted;
				all += wanted;
			}
		}
		CHECK(t, missed == 0 && all > 100);
		CHECK(t, i < 2 ? more < 20 : more == 0); // scaled, and ranked
	}
}

// Long needles side by side, far thinner than the tolerance allows gaps: plane ids tell which
// touch.
static void plane_ids_tell_needles_apart(test *t)
{
	enum { N = 12 };
	const double thin = 1e-7;
	rbl_convex *needles[N];
	for (int i = 0; i < N; ++i) {
		rbl_planed planes[2] = { { { -1, 0, 0 }, -thin * i }, { { 1, 0, 0 }, thin * (i + 1) } };
		uint64_t ids[2] = { (uint64_t)i + 10, (uint64_t)i + 11 };
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ { -1, 0, 0 }, { 1, thin, 1 } };
		def.planes = planes;
		def.plane_ids = ids;
		def.plane_count = 2;
		CHECK(t, rbl_create_convex(&def, &needles[i]) == RBL_OK);
	}
	unsigned char loose[N] = { 0 };
	for (int known = 0; known < 3; ++known) {
		rbl_adjacency_query search = { .count = N, .convexes = (const rbl_convex *const *)needles };
		search.fixed_from = N;
		search.tolerance = 1e-5;
		search.loose = known > 0 ? loose : NULL;
		if (known == 2)
			search.pattern_begin = 10, search.pattern_end = 30;
		rbl_adjacent_pairs contacts = { 0 };
		CHECK(t, rbl_find_adjacent_pairs(memory(), &search, &contacts) == RBL_OK);
		CHECK(t, known ? contacts.items.count == N - 1 : contacts.items.count > N - 1);
		CHECK(t, !known || contacts.tested_count < 20 * N);
		rbl_array_free(memory(), &contacts.items);
	}
	for (int i = 0; i < N; ++i)
		rbl_destroy_convex(needles[i]);
}

// Regression: planes fitted around a piece meet its corners, so a face has corners that are one but
// for rounding; the edge between two such ones cut the whole overlap away.
static void no_wall_between_pieces_of_a_box_is_missed(test *t)
{
	rbl_box_def box_def = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box_def, &mesh) == RBL_OK);
	for (uint64_t seed = 0; seed < 8; ++seed) {
		rbl_pattern_def pattern_def = rbl_default_pattern_def();
		pattern_def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
		pattern_def.cell_count = 60;
		pattern_def.seed = seed;
		rbl_pattern *pattern = NULL;
		CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
		rbl_compound_def def = rbl_default_compound_def();
		def.mesh = mesh;
		def.pattern = pattern;
		rbl_compound *compound = NULL;
		CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
		double area = 0.0; // of all faces, less those that touch others
		int end = rbl_compound_get_info(compound).part_end;
		for (int i = 0; i < end; ++i) {
			rbl_convex_data data = rbl_convex_get_data(rbl_compound_get_part(compound, i).convex);
			for (int k = 0; k < data.face_count; ++k)
				area += rbl_convex_face_area(&data, k);
			rbl_compound_bond bonds[64];
			int count = rbl_compound_get_bonds(compound, i, bonds, 64);
			CHECK(t, count > 0 && count <= 64);
			for (int k = 0; k < count; ++k)
				area -= bonds[k].area;
		}
		CHECK_NEAR(t, area, 6.0, 1e-4); // the outside of the box
		rbl_destroy_compound(compound);
		rbl_destroy_pattern(pattern);
	}
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(no_wall_between_pieces_of_a_box_is_missed),
          TEST(boxes_touch_the_six_around_them_at_any_scale), TEST(a_brick_rests_on_halves_of_two),
          TEST(ten_thousand_equal_bricks_cost_ten_times_a_thousand),
          TEST(corners_and_edges_are_no_contact), TEST(a_gap_counts_by_the_size_of_the_smaller),
          TEST(contacts_of_voronoi_cells_cover_their_faces),
          TEST(trees_find_what_brute_force_finds), TEST(no_direction_is_special),
          TEST(groups_and_fixed_ones_are_not_compared), TEST(slices_find_the_same_contacts),
          TEST(an_allocation_that_fails_leaves_nothing_behind),
          TEST(boxes_for_trees_overlap_where_boxes_do), TEST(plane_ids_tell_needles_apart))
