// SPDX-License-Identifier: MIT
// Patterns: every kind fills its box, breaks bodies larger than itself, and survives as bytes.

#include "fracture/fracture.h"
#include "invariants.h"

#include "faulty_allocator.h"
#include "fracture/pattern.h"

static rbl_pattern *make_kind(rbl_pattern_kind kind, uint64_t seed)
{
	static rbl_vec3d sites[50];
	rbl_random random = rbl_random_from_seed(seed);
	for (int i = 0; i < 50; ++i)
		sites[i] = rbl_scale_d(0.8, rbl_random_in_ball(&random));
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = kind;
	def.seed = seed;
	def.sites = sites;
	def.given_count = 50;
	def.brick_size = (rbl_vec3d){ 0.7, 0.3, 0.5 };
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	return pattern;
}

static double total_volume(const rbl_pattern *pattern)
{
	double sum = 0.0;
	for (int c = 0; c < rbl_pattern_cell_count(pattern); ++c)
		sum += rbl_pattern_cell_volume(pattern, c);
	return sum;
}

static double bounds_volume(const rbl_pattern *pattern)
{
	rbl_vec3d size = rbl_box_size_d(rbl_pattern_bounds(pattern));
	return size.x * size.y * size.z;
}

// Every face but those at walls has its twin, with the same area and the opposite side.
static int count_odd_faces(const rbl_cells *cells)
{
	int odd = 0;
	for (int f = 0; f < cells->face_count; ++f) {
		const rbl_cell_face *face = &cells->faces[f];
		if (face->neighbour < 0)
			continue;
		if (face->twin < 0) {
			odd += face->area > 1e-9;
			continue;
		}
		const rbl_cell_face *twin = &cells->faces[face->twin];
		odd += twin->plane != face->plane || twin->sign != -face->sign ||
		       fabs(twin->area - face->area) > 1e-9;
	}
	return odd;
}

static void every_kind_fills_its_box(test *t)
{
	for (int kind = 0; kind < RBL_PATTERN_CELLS; ++kind) {
		for (uint64_t seed = 1; seed <= 5; ++seed) {
			rbl_pattern *pattern = make_kind((rbl_pattern_kind)kind, seed);
			CHECK(t, pattern != NULL);
			CHECK_NEAR(t, total_volume(pattern) / bounds_volume(pattern), 1.0, 1e-12);
			CHECK(t, count_odd_faces(&pattern->cells) == 0);
			rbl_destroy_pattern(pattern);
		}
	}
}

// Shapes that are smaller than a pattern, as large, and ten times larger.
static void every_kind_breaks_bodies_of_any_size(test *t)
{
	const double scales[] = { 0.1, 2.0, 20.0 };
	for (int kind = 0; kind < RBL_PATTERN_CELLS; ++kind) {
		rbl_pattern *pattern = make_kind((rbl_pattern_kind)kind, 3);
		for (int i = 0; i < 3; ++i) {
			for (int shape = 0; shape < 4; ++shape) {
				rbl_mesh *mesh =
					moved_mesh(sample_shape(shape), scales[i], (rbl_vec3d){ 0.3, 0.1, 0.2 });
				rbl_solid *solid = make_solid(mesh);
				rbl_pieces *pieces = break_solid(solid, pattern);
				check_pieces(t, pieces, 1e-11);
				rbl_destroy_pieces(pieces);
				rbl_destroy_solid(solid);
				rbl_destroy_mesh(mesh);
			}
		}
		rbl_destroy_pattern(pattern);
	}
}

// Turned, stretched, sheared, mirrored and moved aside.
static void any_affine_map_breaks_cleanly(test *t)
{
	rbl_mesh *mesh = sample_shape(3);
	rbl_solid *solid = make_solid(mesh);
	rbl_random random = rbl_random_from_seed(8);
	for (int kind = 0; kind < RBL_PATTERN_CELLS; ++kind) {
		rbl_pattern *pattern = make_kind((rbl_pattern_kind)kind, 4);
		for (int i = 0; i < 6; ++i) {
			rbl_pieces_def def = rbl_default_pieces_def();
			def.solid = solid, def.pattern = pattern;
			def.rotation_seed = (uint64_t)i;
			def.position = rbl_scale_d(0.5, rbl_random_in_ball(&random));
			def.shape.x = rbl_random_in_ball(&random);
			def.shape.y = rbl_random_in_ball(&random);
			def.shape.z = rbl_random_in_ball(&random);
			rbl_pieces *pieces = NULL;
			CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_OK);
			check_pieces(t, pieces, 1e-10);
			rbl_destroy_pieces(pieces);
		}
		rbl_destroy_pattern(pattern);
	}
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// Volumes of mapped cells follow the determinant, and mirrored loops still turn outward.
static void mapped_cells_keep_their_shape(test *t)
{
	rbl_pattern *pattern = make_kind(RBL_PATTERN_VORONOI, 6);
	rbl_mat3d map = { { 0.5, 0.2, 0.0 }, { 0.1, -2.0, 0.3 }, { 0.0, 0.4, 1.5 } };
	rbl_cells cells;
	const rbl_cells *from = &pattern->cells;
	rbl_vec3d shift = { 1, 2, 3 };
	CHECK(t, rbl_cells_map_begin(&cells, NULL, from, map, shift) == RBL_OK);
	rbl_cells_map_some(&cells, from, map, shift, 0, 2);
	rbl_cells_map_some(&cells, from, map, shift, 2, from->cell_count);
	double determinant = fabs(rbl_mat_determinant_d(map));
	for (int c = 0; c < cells.cell_count; ++c) {
		CHECK_NEAR(t, cells.volumes[c] / (determinant * pattern->cells.volumes[c]), 1.0, 1e-12);
		int first = 3 * cells.cell_vertices[c];
		for (int k = first; k < 3 * cells.cell_vertices[c + 1]; ++k)
			CHECK(t, cells.corner_twins[first + cells.corner_twins[k]] == k - first);
	}
	CHECK(t, count_odd_faces(&cells) == 0);
	rbl_cells_destroy(&cells);
	map.z = map.x;
	CHECK(t, rbl_cells_map_begin(&cells, NULL, from, map, shift) == RBL_BAD_ARGUMENT);
	rbl_destroy_pattern(pattern);
}

static void impact_cells_are_small_at_the_origin(test *t)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_IMPACT;
	def.cell_count = 500;
	def.focus = 0.7;
	rbl_pattern *pattern;
	CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_OK);
	int near = 0;
	for (int i = 0; i < 500; ++i)
		near += rbl_length_d(pattern->sites[i]) < 0.25;
	CHECK(t, near > 80); // evenly spread ones: 4
	rbl_destroy_pattern(pattern);
}

// The box around all cells of a color, and their volume.
static rbl_boxd box_of_color(const rbl_pattern *pattern, int color, double *volume)
{
	rbl_boxd box = rbl_box_empty_d();
	*volume = 0.0;
	for (int c = 0; c < rbl_pattern_cell_count(pattern); ++c) {
		if (rbl_pattern_cell_color(pattern, c) != color)
			continue;
		*volume += rbl_pattern_cell_volume(pattern, c);
		for (int v = pattern->cells.cell_vertices[c]; v < pattern->cells.cell_vertices[c + 1]; ++v)
			box = rbl_box_add_point_d(box, pattern->cells.vertices[v]);
	}
	return box;
}

typedef struct brick_kinds {
	int whole, headers, cut; // of all bricks within the size
	int others;
	bool is_shifted; // a brick has a joint above its middle, where the bond has one
} brick_kinds;

static bool is_size(rbl_vec3d size, double x, double y, double z)
{
	return fabs(size.x - x) < 1e-12 && fabs(size.y - y) < 1e-12 && fabs(size.z - z) < 1e-12;
}

static brick_kinds count_bricks(test *t, rbl_brick_bond bond)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_BRICKS;
	def.size = (rbl_vec3d){ 1.5, 0.5, bond == RBL_BOND_FLEMISH ? 0.25 : 0.5 };
	def.brick_size = (rbl_vec3d){ 0.25, 0.0625, 0.125 };
	def.bond = bond;
	rbl_pattern *pattern;
	brick_kinds found = { 0 };
	CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_OK);
	CHECK(t, rbl_pattern_get_kind(pattern) == RBL_PATTERN_BRICKS);
	int n = rbl_pattern_cell_count(pattern), most = 0;
	for (int c = 0; c < n; ++c)
		most = rbl_maxi(most, rbl_pattern_cell_color(pattern, c));
	CHECK(t, rbl_pattern_cell_color(pattern, n) == -1);
	for (int color = 1; color <= most; ++color) {
		double volume;
		rbl_boxd box = box_of_color(pattern, color, &volume);
		if (volume == 0.0)
			continue;
		rbl_vec3d size = rbl_box_size_d(box);
		CHECK_NEAR(t, volume, size.x * size.y * size.z, 1e-12); // its cells are one box
		bool is_brick = is_size(size, 0.25, 0.0625, 0.125);
		bool is_header = bond == RBL_BOND_FLEMISH && is_size(size, 0.125, 0.0625, 0.25);
		found.whole += is_brick, found.headers += is_header;
		found.cut += !is_brick && !is_header;
		found.others += size.x > 0.25 + 1e-12 || size.y > 0.0625 + 1e-12 || size.z > 0.25 + 1e-12;
		double middle = 0.5 * (box.lower.x + box.upper.x), z = 0.5 * (box.lower.z + box.upper.z);
		for (int other = 1; other <= most && is_brick; ++other) {
			rbl_boxd above = box_of_color(pattern, other, &volume);
			if (volume > 0.0 && fabs(above.lower.y - box.upper.y) < 1e-12 && above.lower.z < z &&
			    above.upper.z > z && fabs(above.lower.x - middle) < 1e-12)
				found.is_shifted = true;
		}
	}
	// Beyond the size nothing is cut apart: one color, and all that goes on for ever has it.
	double rim;
	CHECK(t, rbl_box_contains_d(box_of_color(pattern, 0, &rim), rbl_pattern_bounds(pattern)));
	rbl_destroy_pattern(pattern);
	return found;
}

static void bricks_are_bricks_in_every_bond(test *t)
{
	brick_kinds running = count_bricks(t, RBL_BOND_RUNNING);
	brick_kinds stack = count_bricks(t, RBL_BOND_STACK);
	brick_kinds flemish = count_bricks(t, RBL_BOND_FLEMISH);
	CHECK(t, running.others == 0 && stack.others == 0 && flemish.others == 0); // no slats
	CHECK(t, running.whole > 100 && running.headers == 0 && running.is_shifted);
	CHECK(t, stack.whole == 6 * 8 * 5 && stack.cut == 0 && !stack.is_shifted);
	CHECK(t, flemish.whole > 50 && flemish.headers > 25 && !flemish.is_shifted);
	CHECK(t, running.cut < running.whole / 4 && flemish.cut < flemish.whole / 3);
}

// Two hits on one wall: the joints of the second are those of the first.
static void bricks_go_on_from_hit_to_hit(test *t)
{
	for (int bond = 0; bond < RBL_BRICK_BOND_COUNT; ++bond) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.kind = RBL_PATTERN_BRICKS;
		def.size = (rbl_vec3d){ 2.0, 1.0, 1.0 };
		def.bond = (rbl_brick_bond)bond;
		rbl_pattern *pattern;
		CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_OK);
		rbl_vec3d hit = { 3.217, -1.049, 0.31 }, at = rbl_pattern_snap(pattern, hit);
		CHECK(t, rbl_length_d(rbl_sub_d(hit, at)) < 0.5 * rbl_length_d(pattern->period) + 1e-12);
		CHECK(t, rbl_length_d(at) > 1.0);
		// Where both lie, a brick of one is a brick of the other.
		int compared = 0;
		for (int c = 0; c < rbl_pattern_cell_count(pattern); ++c) {
			int color = rbl_pattern_cell_color(pattern, c);
			double volume, moved;
			rbl_boxd box = box_of_color(pattern, color, &volume);
			rbl_vec3d shift = rbl_pattern_snap(pattern, (rbl_vec3d){ 0.8, 0.3, 0.2 });
			if (color == 0 || volume < 0.25 * 0.0625 * 0.125 - 1e-12)
				continue;
			rbl_boxd place = { rbl_add_d(box.lower, shift), rbl_add_d(box.upper, shift) };
			rbl_boxd inner = { { -0.7, -0.4, -0.35 }, { 0.7, 0.4, 0.35 } };
			if (!rbl_box_contains_d(inner, place))
				continue;
			rbl_vec3d centre = rbl_box_centre_d(place);
			for (int k = 0; k < rbl_pattern_cell_count(pattern); ++k) {
				rbl_boxd other = rbl_box_empty_d();
				const rbl_cells *cells = &pattern->cells;
				for (int v = cells->cell_vertices[k]; v < cells->cell_vertices[k + 1]; ++v)
					other = rbl_box_add_point_d(other, cells->vertices[v]);
				if (!rbl_box_contains_d(rbl_box_grow_d(other, 1e-12), (rbl_boxd){ centre, centre }))
					continue;
				rbl_boxd brick = box_of_color(pattern, rbl_pattern_cell_color(pattern, k), &moved);
				CHECK(t, rbl_length_d(rbl_sub_d(brick.lower, place.lower)) < 1e-9 &&
				             rbl_length_d(rbl_sub_d(brick.upper, place.upper)) < 1e-9);
				compared++;
			}
		}
		CHECK(t, compared > 20);
		rbl_destroy_pattern(pattern);
	}
}

// The cells of one pattern, given to another one as convexes.
static void given_convexes_make_the_same_cells(test *t)
{
	rbl_convex *convexes[64];
	rbl_pattern_def def = rbl_default_pattern_def();
	def.cell_count = 64;
	rbl_pattern *voronoi, *given;
	CHECK(t, rbl_create_pattern(&def, &voronoi) == RBL_OK);
	for (int c = 0; c < 64; ++c)
		CHECK(t, rbl_pattern_create_cell_convex(voronoi, c, NULL, &convexes[c]) == RBL_OK);
	int colors[64];
	for (int c = 0; c < 64; ++c)
		colors[c] = c / 4;
	def.kind = RBL_PATTERN_CELLS;
	def.size = rbl_box_size_d(rbl_pattern_bounds(voronoi));
	def.convexes = (const rbl_convex *const *)convexes;
	def.given_count = 64;
	def.colors = colors;
	CHECK(t, rbl_create_pattern(&def, &given) == RBL_OK);
	CHECK_NEAR(t, total_volume(given) / bounds_volume(given), 1.0, 1e-9);
	CHECK(t, rbl_pattern_cell_color(given, 63) == 15);
	rbl_mesh *mesh = sample_shape(3);
	rbl_solid *solid = make_solid(mesh);
	rbl_pieces *a = break_solid(solid, voronoi), *b = break_solid(solid, given);
	check_pieces(t, b, 1e-9);
	CHECK(t, rbl_pieces_count(a) == rbl_pieces_count(b));
	rbl_destroy_pieces(a), rbl_destroy_pieces(b);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
	rbl_destroy_pattern(given);

	def.given_count = 63; // one is missing
	CHECK(t, rbl_create_pattern(&def, &given) == RBL_BAD_ARGUMENT);
	for (int c = 0; c < 64; ++c)
		rbl_destroy_convex(convexes[c]);
	rbl_destroy_pattern(voronoi);
}

static void bytes_bring_a_pattern_back(test *t)
{
	for (int kind = 0; kind < RBL_PATTERN_CELLS; ++kind) {
		rbl_pattern *pattern = make_kind((rbl_pattern_kind)kind, 2), *again;
		size_t size = 0;
		CHECK(t, rbl_pattern_save(pattern, NULL, &size) == RBL_OK && size > 0);
		unsigned char *bytes = malloc(size);
		size_t room = size - 1;
		CHECK(t, rbl_pattern_save(pattern, bytes, &room) == RBL_LIMIT_REACHED && room == size);
		CHECK(t, rbl_pattern_save(pattern, bytes, &room) == RBL_OK);
		CHECK(t, rbl_pattern_load(bytes, size, NULL, &again) == RBL_OK);
		CHECK(t, again && again->cells.vertex_count == pattern->cells.vertex_count &&
		             memcmp(again->cells.vertices, pattern->cells.vertices,
		                    (size_t)again->cells.vertex_count * sizeof(rbl_vec3d)) == 0);
		for (int c = 0; c < pattern->cell_count; ++c)
			CHECK(t, rbl_pattern_cell_color(pattern, c) == rbl_pattern_cell_color(again, c));
		CHECK(t, rbl_pattern_key(again) == rbl_pattern_key(pattern) && rbl_pattern_key(again) != 0);
		rbl_destroy_pattern(again);
		for (size_t n = 0; n < size; n += n < 100 ? 1 : 97)
			CHECK(t, rbl_pattern_load(bytes, n, NULL, &again) != RBL_OK && !again);
		rbl_random random = rbl_random_from_seed(1);
		for (int i = 0; i < 200; ++i) {
			size_t at = rbl_random_below(&random, (uint32_t)size);
			unsigned char bit = (unsigned char)(1 << rbl_random_below(&random, 8));
			bytes[at] ^= bit;
			CHECK(t, rbl_pattern_load(bytes, size, NULL, &again) != RBL_OK && !again);
			bytes[at] ^= bit;
		}
		free(bytes);
		rbl_destroy_pattern(pattern);
	}
}

static void bad_definitions_are_refused(test *t)
{
	rbl_pattern *pattern;
	rbl_pattern_def good = rbl_default_pattern_def(), def = good;
	CHECK(t, rbl_create_pattern(&good, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_pattern(NULL, &pattern) == RBL_BAD_ARGUMENT);
	def.cookie = 0;
	CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_BAD_ARGUMENT);
#define REFUSED(change) \
	def = good;         \
	change;             \
	CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_BAD_ARGUMENT && !pattern)
	REFUSED(def.kind = RBL_PATTERN_KIND_COUNT);
	REFUSED(def.size.y = 0.0);
	REFUSED(def.size.y = NAN);
	REFUSED(def.cell_count = 0);
	REFUSED(def.focus = 1.5);
	REFUSED(def.spoke_count = 2);
	REFUSED(def.jitter = -1.0);
	REFUSED(def.brick_size.z = -1.0);
	REFUSED(def.bond = RBL_BRICK_BOND_COUNT);
	REFUSED(def.stretch = 0.5);
	REFUSED(def.kind = RBL_PATTERN_SITES);
	REFUSED(def.kind = RBL_PATTERN_SITES; def.given_count = 1);
	REFUSED(def.kind = RBL_PATTERN_CELLS; def.given_count = 1);
	REFUSED(def.allocator.allocate = faulty_allocate);
	rbl_vec3d outside = { 5.0, 0.0, 0.0 };
	REFUSED(def.kind = RBL_PATTERN_SITES; def.given_count = 1; def.sites = &outside);
	const rbl_convex *none = NULL;
	REFUSED(def.kind = RBL_PATTERN_CELLS; def.given_count = 1; def.convexes = &none);
#undef REFUSED
	def = good;
	def.kind = RBL_PATTERN_BRICKS;
	def.brick_size = (rbl_vec3d){ 1e-4, 1e-4, 1e-4 };
	CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_LIMIT_REACHED);
	CHECK(t, rbl_pattern_cell_count(NULL) == 0 && rbl_pattern_cell_volume(NULL, 0) == 0.0);
	size_t size = 0;
	CHECK(t, rbl_pattern_save(NULL, NULL, &size) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_pattern_load(NULL, 0, NULL, &pattern) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_pattern_load(&size, 8, NULL, NULL) == RBL_BAD_ARGUMENT);
	rbl_convex *convex;
	CHECK(t, rbl_pattern_create_cell_convex(NULL, 0, NULL, &convex) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_pattern_create_cell_convex(NULL, 0, NULL, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_pattern(NULL);
}

static rbl_result make_and_reload(rbl_allocator allocator, int kind)
{
	static rbl_vec3d sites[3] = { { 0, 0, 0 }, { 0.5, 0, 0 }, { 0, 0.5, 0.1 } };
	static const int colors[3] = { 0, 0, 1 };
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = (rbl_pattern_kind)kind;
	def.cell_count = 12;
	def.ring_count = 2, def.spoke_count = 4;
	def.brick_size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
	def.sites = sites, def.given_count = 3, def.colors = colors;
	def.allocator = allocator;
	rbl_pattern *pattern = NULL, *again = NULL;
	rbl_result result = rbl_create_pattern(&def, &pattern);
	if (result == RBL_OK) {
		static unsigned char bytes[100000];
		size_t size = sizeof bytes;
		result = rbl_pattern_save(pattern, bytes, &size);
		if (result == RBL_OK)
			result = rbl_pattern_load(bytes, size, &allocator, &again);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_pattern(again);
	return result;
}

static void every_failed_allocation_unwinds(test *t)
{
	for (int kind = 0; kind < RBL_PATTERN_CELLS; ++kind) {
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_result result = make_and_reload(FAULTY(&memory), kind);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
			CHECK(t, result == RBL_OUT_OF_MEMORY);
		}
	}
}

// A wall is deeper than a course of bricks: their cells go on that far by themselves, and a break
// works no longer than with a pattern that is as deep as it is wide.
static void flat_bricks_need_no_new_cells_around_a_deep_body(test *t)
{
	enum { WORK = 32 };
	int slices[2] = { 0, 0 };
	for (int k = 0; k < 2; ++k) {
		rbl_pattern_def pattern_def = rbl_default_pattern_def();
		pattern_def.kind = RBL_PATTERN_BRICKS;
		pattern_def.size = (rbl_vec3d){ 2.0, 2.0, k == 0 ? 2.0 : 0.25 };
		rbl_pattern *pattern = NULL;
		CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
		rbl_vec3d reach = rbl_box_size_d(rbl_pattern_bounds(pattern));
		CHECK(t, reach.x == 16.0 && reach.y == 16.0 && reach.z == 16.0);
		rbl_convex_def convex_def = rbl_default_convex_def();
		convex_def.box = (rbl_boxd){ { -1.0, -1.0, -2.0 }, { 1.0, 1.0, 0.0 } };
		rbl_convex *convex = NULL;
		CHECK(t, rbl_create_convex(&convex_def, &convex) == RBL_OK);
		rbl_compound_part part = { .convex = convex };
		rbl_compound_def compound_def = rbl_default_compound_def();
		compound_def.parts = &part, compound_def.part_count = 1;
		rbl_compound *c = NULL;
		CHECK(t, rbl_create_compound(&compound_def, &c) == RBL_OK);
		rbl_destroy_convex(convex);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern, def.radius = 0.5;
		rbl_task *task = NULL;
		CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
		for (bool is_ready = false; !is_ready && slices[k] < 10000; ++slices[k])
			CHECK(t, rbl_task_work(task, WORK, &is_ready) == RBL_OK);
		rbl_destroy_task(task);
		rbl_destroy_compound(c);
		rbl_destroy_pattern(pattern);
	}
	CHECK(t, slices[1] > 2 && slices[1] < slices[0]);
}

TEST_MAIN(TEST(every_kind_fills_its_box), TEST(every_kind_breaks_bodies_of_any_size),
          TEST(any_affine_map_breaks_cleanly), TEST(mapped_cells_keep_their_shape),
          TEST(impact_cells_are_small_at_the_origin), TEST(bricks_are_bricks_in_every_bond),
          TEST(bricks_go_on_from_hit_to_hit),
          TEST(flat_bricks_need_no_new_cells_around_a_deep_body),
          TEST(given_convexes_make_the_same_cells), TEST(bytes_bring_a_pattern_back),
          TEST(bad_definitions_are_refused), TEST(every_failed_allocation_unwinds))
