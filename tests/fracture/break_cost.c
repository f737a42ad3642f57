// SPDX-License-Identifier: MIT
// ctest: soak
//
// Breaking costs what meets the body, in memory and in
// work: however small or large pattern, body and coordinates are.

#include "compounds.h"
#include "faulty_allocator.h"
#include "fracture/pattern.h"
#include "invariants.h"

#include <rubble/asset.h>

enum { KINDS = RBL_PATTERN_KIND_COUNT, PLENTY = 1 << 30 };

// Peak memory, and pairs of faces that the search for contacts meets with, of a cut.
enum { BYTES_PER_CUT = 16384, PAIRS_PER_CUT = 160 };

static const rbl_vec3d origin = { 0.0, 0.0, 0.0 };

// Given cells: a block of n * n * n boxes.
static rbl_pattern *given_boxes(double size, int n)
{
	int count = n * n * n;
	rbl_convex **convexes = calloc((size_t)count, sizeof *convexes);
	double step = size / n;
	for (int i = 0; i < count; ++i) {
		rbl_vec3d low = { -0.5 * size + step * (i % n), -0.5 * size + step * (i / n % n),
			              -0.5 * size + step * (i / (n * n)) };
		convexes[i] = box_convex(low, rbl_add_d(low, (rbl_vec3d){ step, step, step }));
	}
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_CELLS;
	def.size = (rbl_vec3d){ size, size, size };
	def.convexes = (const rbl_convex *const *)convexes;
	def.given_count = count;
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	for (int i = 0; i < count; ++i)
		rbl_destroy_convex(convexes[i]);
	free(convexes);
	return pattern;
}

// About `cells` cells of every kind in a box of a size.
static rbl_pattern *any_pattern(rbl_pattern_kind kind, double size, int cells)
{
	if (kind == RBL_PATTERN_CELLS)
		return given_boxes(size, (int)cbrt(cells));
	rbl_random random = rbl_random_from_seed(5);
	rbl_vec3d *sites = calloc((size_t)cells, sizeof *sites);
	for (int i = 0; i < cells; ++i)
		sites[i] = rbl_random_in_box(&random, (rbl_boxd){ { -0.5 * size, -0.5 * size, -0.5 * size },
		                                                  { 0.5 * size, 0.5 * size, 0.5 * size } });
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = kind;
	def.size = (rbl_vec3d){ size, size, size };
	def.cell_count = def.given_count = cells;
	def.sites = sites;
	def.spoke_count = (int)sqrt(2.0 * cells);
	def.ring_count = cells / def.spoke_count;
	double side = cbrt(size * size * size / cells * 8.0);
	def.brick_size = (rbl_vec3d){ side, 0.25 * side, 0.5 * side };
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	free(sites);
	return pattern;
}

// A block of a size around a place, as a convex or as a mesh.
static rbl_compound *block_at(double size, rbl_vec3d at, bool has_mesh,
                              const rbl_allocator *allocator)
{
	double half = 0.5 * size;
	rbl_vec3d low = rbl_sub_d(at, (rbl_vec3d){ half, half, half });
	if (!has_mesh)
		return wall(1, 1, 1, (rbl_vec3d){ size, size, size }, low, allocator);
	rbl_convex *convex = box_convex(low, rbl_add_d(at, (rbl_vec3d){ half, half, half }));
	rbl_mesh *mesh = NULL;
	rbl_compound *compound = NULL;
	rbl_convex_create_mesh(convex, NULL, &mesh);
	rbl_compound_def def = rbl_default_compound_def();
	def.mesh = mesh;
	def.allocator = *allocator;
	rbl_create_compound(&def, &compound);
	rbl_destroy_mesh(mesh);
	rbl_destroy_convex(convex);
	return compound;
}

// Break a compound, and see that memory and work are those of the cells that meet it: as many as
// there are cuts, or more where pieces are too thin to count. @return how many pieces were made
static int break_within_bounds(test *t, faulty_allocator *memory, rbl_compound *compound,
                               const rbl_break_def *def, int meeting)
{
	rbl_break *broken = NULL;
	long long before = memory->live_bytes;
	faulty_begin_peak(memory);
	CHECK(t, rbl_compound_break(compound, def, &broken) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(broken);
	int cuts = rbl_maxi(data.cut_count, meeting);
	// What is known of a cell that does not meet it is a few numbers.
	long long most =
		65536 + (long long)BYTES_PER_CUT * cuts + 128LL * rbl_pattern_cell_count(def->pattern);
	long long peak = memory->peak_bytes - before;
	CHECK(t, peak < most);
	CHECK(t, data.tested_count <= PAIRS_PER_CUT * (cuts + 1));
	if (peak >= most || data.tested_count > PAIRS_PER_CUT * (cuts + 1))
		printf("%lld bytes, %d pairs, %d cuts, %d pieces\n", peak, data.tested_count, cuts,
		       data.made_count);
	rbl_destroy_break(broken);
	return data.made_count;
}

// --- patterns that are small beside the body ----------------------------------------------------

// All cells meet the body, since those at the rim have no end, and each costs what it costs
// elsewhere.
static void a_small_pattern_costs_what_a_large_one_does(test *t)
{
	const double sizes[] = { 1.2, 1e-2, 1e-4, 1e-6, 1e-8 };
	int cells = test_count(343, 2744);
	for (int kind = 0; kind < KINDS; ++kind) {
		for (int i = 0; i < 5; ++i) {
			rbl_pattern *pattern = any_pattern((rbl_pattern_kind)kind, sizes[i], cells);
			int all = rbl_pattern_cell_count(pattern);
			for (int has_mesh = 0; has_mesh < 2; ++has_mesh) {
				faulty_allocator memory;
				faulty_init(&memory, PLENTY);
				rbl_compound *c = block_at(1.0, origin, has_mesh, &FAULTY(&memory));
				rbl_break_def def = rbl_default_break_def();
				def.pattern = pattern;
				def.position = (rbl_vec3d){ 0.11, 0.23, -0.17 };
				def.radius = 0.25 * sizes[i];
				break_within_bounds(t, &memory, c, &def, all);
				def.radius = (double)INFINITY; // what was cut already, and all of it
				break_within_bounds(t, &memory, c, &def, all);
				rbl_destroy_compound(c);
				CHECK(t, memory.live_bytes == 0);
			}
			rbl_destroy_pattern(pattern);
		}
	}
}

// The same far from the origin, and for bodies that are large or small themselves.
static void coordinates_of_any_size_cost_the_same(test *t)
{
	static const struct {
		double size, at, share; // of the pattern
	} bodies[] = { { 1.0, 1e6, 1e-3 }, { 1.0, 1e9, 1.0 },     { 1e6, 0.0, 1e-6 },
		           { 1e6, 3e6, 1e-6 }, { 1e-6, 0.0, 1e-6 },   { 1e-6, 1.0, 1e-2 },
		           { 1e9, 1e9, 1e-6 }, { 1e-12, 1e-3, 1e-2 }, { 1e12, -1e12, 1e-4 } };
	int step = test_count(2, 1);
	for (int kind = 0; kind < KINDS; ++kind) {
		for (int i = kind % step; i < (int)(sizeof bodies / sizeof bodies[0]); i += step) {
			double size = bodies[i].size, wide = bodies[i].share * size;
			rbl_pattern *pattern = any_pattern((rbl_pattern_kind)kind, wide, 216);
			rbl_vec3d at = { bodies[i].at, bodies[i].at, bodies[i].at };
			faulty_allocator memory;
			faulty_init(&memory, PLENTY);
			rbl_compound *c = block_at(size, at, kind & 1, &FAULTY(&memory));
			rbl_break_def def = rbl_default_break_def();
			def.pattern = pattern;
			def.position = rbl_add_d(at, (rbl_vec3d){ 0.13 * size, 0.2 * size, 0.1 * size });
			def.radius = 0.25 * wide;
			break_within_bounds(t, &memory, c, &def, rbl_pattern_cell_count(pattern));
			def.radius = (double)INFINITY;
			break_within_bounds(t, &memory, c, &def, rbl_pattern_cell_count(pattern));
			rbl_destroy_compound(c);
			rbl_destroy_pattern(pattern);
		}
	}
}

// A body that is made of the cells of a small pattern, and what is made of that.
static void a_compound_of_a_small_pattern_is_bounded(test *t)
{
	rbl_mesh *mesh = NULL;
	rbl_box_def box_def = rbl_default_box_def();
	CHECK(t, rbl_create_box_mesh(&box_def, &mesh) == RBL_OK);
	for (int kind = 0; kind < KINDS; ++kind) {
		rbl_pattern *pattern = any_pattern((rbl_pattern_kind)kind, 1e-5, test_count(216, 1728));
		faulty_allocator memory;
		faulty_init(&memory, PLENTY);
		rbl_compound_def def = rbl_default_compound_def();
		def.mesh = mesh;
		def.pattern = pattern;
		def.position = (rbl_vec3d){ 0.1, 0.2, 0.3 };
		def.allocator = FAULTY(&memory);
		rbl_compound *c = NULL;
		CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
		// Of cells at the rim many are too thin to count.
		int parts = rbl_compound_get_info(c).part_count, all = rbl_pattern_cell_count(pattern);
		CHECK(t, parts > 0);
		CHECK(t, rbl_compound_get_info(c).bond_count < 10 * parts);
		CHECK(t, memory.peak_bytes < 65536 + (long long)BYTES_PER_CUT * all);
		rbl_destroy_compound(c);
		CHECK(t, memory.live_bytes == 0);
		rbl_destroy_pattern(pattern);
	}
	rbl_destroy_mesh(mesh);
}

// Thousands of splinters in one place, hit again: what touches what is found in proportion.
static void a_second_hit_on_a_crowd_of_splinters_is_bounded(test *t)
{
	for (int kind = 0; kind < KINDS; ++kind) {
		rbl_pattern *pattern = any_pattern((rbl_pattern_kind)kind, 1e-6, test_count(343, 1728));
		rbl_pattern *again = any_pattern(RBL_PATTERN_VORONOI, 4e-7, 30);
		faulty_allocator memory;
		faulty_init(&memory, PLENTY);
		rbl_compound *c = block_at(1.0, origin, false, &FAULTY(&memory));
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ 0.31, 0.02, -0.4 };
		def.radius = 1e-8; // most of it stays together
		break_within_bounds(t, &memory, c, &def, rbl_pattern_cell_count(pattern));
		def.pattern = again;
		def.radius = 3e-7;
		break_within_bounds(t, &memory, c, &def, rbl_compound_get_info(c).part_count);
		rbl_destroy_compound(c);
		rbl_destroy_pattern(again);
		rbl_destroy_pattern(pattern);
	}
}

// --- patterns that are large beside the body ----------------------------------------------------

static int count_meeting(const rbl_pattern *pattern, rbl_boxd bounds, rbl_vec3d position)
{
	rbl_placement placement = { .position = position, .bounds = bounds, .may_end = true };
	placement.shape = rbl_default_break_def().shape;
	placement.cell_limit = PLENTY;
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_cells cells;
	if (rbl_pattern_place(pattern, &placement, NULL, &allocator, &cells) != RBL_OK)
		return -1;
	int count = cells.cell_count;
	rbl_cells_destroy(&cells);
	return count;
}

// A body inside of one corner of a pattern, and one far outside, meet few cells and pay for few.
static void cells_that_cannot_meet_the_body_cost_next_to_nothing(test *t)
{
	for (int kind = 0; kind < KINDS; ++kind) {
		rbl_pattern *pattern = any_pattern((rbl_pattern_kind)kind, 100.0, 8000);
		const rbl_vec3d positions[] = { { 30, -25, 20 }, { 45, 45, 45 }, { 0, -600, 300 } };
		for (int i = 0; i < 3; ++i) {
			faulty_allocator memory;
			faulty_init(&memory, PLENTY);
			rbl_compound *c = block_at(1.0, origin, kind != RBL_PATTERN_CELLS, &FAULTY(&memory));
			rbl_boxd box = { { -0.5, -0.5, -0.5 }, { 0.5, 0.5, 0.5 } };
			int meeting = count_meeting(pattern, box, positions[i]);
			CHECK(t, meeting >= 0 && meeting < 60);
			rbl_break_def def = rbl_default_break_def();
			def.pattern = pattern;
			def.position = positions[i];
			def.radius = 1e4;
			break_within_bounds(t, &memory, c, &def, meeting);
			rbl_destroy_compound(c);
		}
		rbl_destroy_pattern(pattern);
	}
}

static uint64_t pieces_hash(const rbl_pieces *pieces)
{
	uint64_t hash = 1;
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		rbl_piece_info info = rbl_piece_get_info(pieces, i);
		hash = rbl_hash_number(hash, (uint64_t)info.cell << 32 | (uint32_t)info.color);
		hash = rbl_hash_number(hash, (uint64_t)info.face_count);
	}
	return hash;
}

// Where the body is known, cells elsewhere are not even made; the pieces are the same.
static void a_region_spares_the_cells_elsewhere(test *t)
{
	rbl_mesh *mesh = NULL;
	rbl_box_def box_def = rbl_default_box_def();
	CHECK(t, rbl_create_box_mesh(&box_def, &mesh) == RBL_OK);
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	rbl_solid *solid = NULL;
	CHECK(t, rbl_create_solid(&solid_def, &solid) == RBL_OK);
	const rbl_pattern_kind kinds[] = { RBL_PATTERN_VORONOI, RBL_PATTERN_IMPACT, RBL_PATTERN_WEB,
		                               RBL_PATTERN_BRICKS, RBL_PATTERN_SPLINTERS };
	for (int i = 0; i < 5; ++i) {
		uint64_t hashes[2] = { 0 };
		long long peaks[2];
		for (int limited = 0; limited < 2; ++limited) {
			faulty_allocator memory;
			faulty_init(&memory, PLENTY);
			rbl_pattern_def def = rbl_default_pattern_def();
			def.kind = kinds[i];
			def.size = (rbl_vec3d){ 20, 20, 20 };
			def.cell_count = 8000;
			def.ring_count = 40, def.spoke_count = 200;
			def.brick_size = (rbl_vec3d){ 2, 1, 1 };
			def.allocator = FAULTY(&memory);
			if (limited) // where the body will be
				def.region = (rbl_boxd){ { 4.4, 1.4, -3.6 }, { 5.6, 2.6, -2.4 } };
			rbl_pattern *pattern = NULL;
			CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_OK);
			peaks[limited] = memory.peak_bytes;
			rbl_pieces_def pieces_def = rbl_default_pieces_def();
			pieces_def.solid = solid;
			pieces_def.pattern = pattern;
			pieces_def.position = (rbl_vec3d){ -5, -2, 3 };
			rbl_pieces *pieces = NULL;
			CHECK(t, rbl_create_pieces(&pieces_def, &pieces) == RBL_OK);
			rbl_pieces_report report = rbl_pieces_get_report(pieces);
			CHECK_NEAR(t, report.volume_out, 1.0, 1e-12);
			hashes[limited] = pieces_hash(pieces);
			rbl_destroy_pieces(pieces);
			pieces_def.position = (rbl_vec3d){ 3, 3, 3 }; // elsewhere after all
			CHECK(t, rbl_create_pieces(&pieces_def, &pieces) == RBL_OK);
			CHECK_NEAR(t, rbl_pieces_get_report(pieces).volume_out, 1.0, 1e-12);
			hashes[limited] = rbl_hash_number(hashes[limited], pieces_hash(pieces));
			rbl_destroy_pieces(pieces);
			rbl_destroy_pattern(pattern);
			CHECK(t, memory.live_bytes == 0);
		}
		CHECK(t, hashes[0] == hashes[1]);
		CHECK(t, 3 * peaks[1] < peaks[0]);
	}
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

static void a_region_must_be_a_range(test *t)
{
	const rbl_boxd bad[] = { { { 1, 0, 0 }, { 0, 1, 1 } },
		                     { { 0, (double)NAN, 0 }, { 1, 1, 1 } },
		                     { { -1, -1, -1 }, { 1, 1, (double)INFINITY } },
		                     { { -1e300, -1, -1 }, { 1, 1, 1 } },
		                     { { 0, 0, 0 }, { 0, 1, 1 } } };
	for (int i = 0; i < 5; ++i) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.region = bad[i];
		rbl_pattern *pattern = NULL;
		CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_BAD_ARGUMENT && !pattern);
	}
}

// --- numbers that are none ----------------------------------------------------------------------

static void radii_of_any_size_are_bounded(test *t)
{
	const double good[] = { 5e-324, 1e-300, 1e-30, 1e-6, 1.0, 1e30, 1e300, DBL_MAX };
	const double bad[] = { 0.0, -1.0, (double)NAN, (double)-INFINITY };
	rbl_pattern *pattern = any_pattern(RBL_PATTERN_VORONOI, 1.0, 100);
	for (int i = 0; i < 12; ++i) {
		faulty_allocator memory;
		faulty_init(&memory, PLENTY);
		rbl_compound *c = block_at(1.0, origin, i & 1, &FAULTY(&memory));
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ 0.1, 0.2, 0.3 };
		def.radius = i < 8 ? good[i] : bad[i - 8];
		rbl_break *broken = NULL;
		if (i < 8)
			break_within_bounds(t, &memory, c, &def, 100);
		else
			CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_BAD_ARGUMENT && !broken);
		rbl_destroy_compound(c);
	}
	rbl_destroy_pattern(pattern);
}

static void places_that_are_none_are_refused(test *t)
{
	const double bad[] = { (double)NAN, (double)INFINITY, 1e300, -1e20 };
	rbl_pattern *pattern = any_pattern(RBL_PATTERN_BRICKS, 1.0, 100);
	for (int i = 0; i < 4; ++i) {
		rbl_compound *c = block((rbl_vec3d){ 0.5, 0.5, 0.5 }, NULL);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ bad[i], 0.2, 0.3 };
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_BAD_ARGUMENT && !broken);
		CHECK(t, rbl_compound_get_info(c).part_count == 1);
		rbl_destroy_compound(c);
	}
	rbl_destroy_pattern(pattern);
}

// --- the limit ----------------------------------------------------------------------------------

typedef struct heard {
	int count;
	char text[1000];
} heard;

static void hear(void *user, rbl_log_level level, const char *text)
{
	heard *h = user;
	(void)level;
	h->count++;
	snprintf(h->text, sizeof h->text, "%s", text);
}

// Refused before anything is cut, with one sentence, and nothing is changed.
static void too_many_cuts_are_refused_before_they_begin(test *t)
{
	const double sizes[] = { 1.0, 1e-5 }; // cells as they are, and made anew
	for (int kind = 0; kind < 2 * KINDS; ++kind) {
		rbl_pattern *pattern = any_pattern((rbl_pattern_kind)(kind / 2), sizes[kind % 2], 3000);
		for (int has_mesh = 0; has_mesh < 2; ++has_mesh) {
			faulty_allocator memory;
			faulty_init(&memory, PLENTY);
			rbl_compound *c = block_at(1.0, origin, has_mesh, &FAULTY(&memory));
			rbl_break_def def = rbl_default_break_def();
			def.pattern = pattern;
			def.cut_limit = 40;
			heard h = { 0 };
			rbl_break *broken = NULL;
			rbl_task *task = NULL;
			faulty_begin_peak(&memory);
			long long before = memory.live_bytes;
			rbl_set_log(hear, &h);
			CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_LIMIT_REACHED && !broken);
			CHECK(t, h.count == 1 && strstr(h.text, "cut_limit 40") && strstr(h.text, "raise"));
			CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
			CHECK(t, rbl_finish_break(task, &broken) == RBL_LIMIT_REACHED && !broken);
			CHECK(t, h.count == 2);
			rbl_set_log(NULL, NULL);
			CHECK(t, memory.peak_bytes - before < 10000000 && memory.live_bytes >= before);
			rbl_destroy_task(task);
			CHECK(t, memory.live_bytes == before);
			CHECK(t, rbl_compound_get_info(c).part_count == 1);
			rbl_destroy_compound(c);
		}
		rbl_destroy_pattern(pattern);
	}
}

// Parts count as well as cells: many parts that meet the same cells are many cuts.
static void cuts_of_all_parts_count(test *t)
{
	rbl_pattern *pattern = any_pattern(RBL_PATTERN_VORONOI, 2.0, 200);
	rbl_compound *c =
		wall(8, 8, 8, (rbl_vec3d){ 0.25, 0.25, 0.25 }, (rbl_vec3d){ -1, -1, -1 }, NULL);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	rbl_break *broken = NULL;
	def.cut_limit = 1000;
	uint64_t before = compound_hash(c);
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_LIMIT_REACHED && !broken);
	CHECK(t, compound_hash(c) == before);
	def.cut_limit = 20000;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	int cuts = rbl_break_get_data(broken).cut_count;
	CHECK(t, cuts > 1000 && cuts <= 20000);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	def.cut_limit = 0;
	c = block((rbl_vec3d){ 0.5, 0.5, 0.5 }, NULL);
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_BAD_ARGUMENT && !broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

// A mesh of n needles along x, each side of a long prism: every cell along it cuts all of them.
static rbl_mesh *needles(int n)
{
	rbl_vec3d *positions = calloc(2 * (size_t)n, sizeof *positions);
	int *corners = calloc(6 * (size_t)n, sizeof *corners),
		*starts = calloc((size_t)n + 3, sizeof *starts);
	int at = 0;
	for (int i = 0; i < n; ++i) {
		double angle = 6.283185307179586 * i / n;
		for (int k = 0; k < 2; ++k)
			positions[2 * i + k] = (rbl_vec3d){ k - 0.5, 0.1 * cos(angle), 0.1 * sin(angle) };
		int next = (i + 1) % n, face[4] = { 2 * i, 2 * next, 2 * next + 1, 2 * i + 1 };
		starts[i] = at;
		for (int k = 0; k < 4; ++k)
			corners[at++] = face[k];
	}
	for (int k = 0; k < 2; ++k) {
		starts[n + k] = at;
		for (int i = 0; i < n; ++i)
			corners[at++] = k ? 2 * i + 1 : 2 * (n - 1 - i);
	}
	starts[n + 2] = at;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = 2 * n, .positions = positions };
	def.data.face_count = n + 2, def.data.face_starts = starts;
	def.data.corner_count = at, def.data.corner_vertices = corners;
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	free(positions);
	free(corners);
	free(starts);
	return mesh;
}

// Slices across x.
static rbl_pattern *slices(int count)
{
	rbl_vec3d *sites = calloc((size_t)count, sizeof *sites);
	for (int i = 0; i < count; ++i)
		sites[i] = (rbl_vec3d){ (i + 0.5) / count - 0.5, 0.0, 0.0 };
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_SITES;
	def.sites = sites;
	def.given_count = count;
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	free(sites);
	return pattern;
}

static void triangles_that_many_cells_cut_count(test *t)
{
	rbl_mesh *mesh = needles(400);
	rbl_pattern *pattern = slices(300);
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	rbl_solid *solid = NULL;
	CHECK(t, mesh && rbl_create_solid(&solid_def, &solid) == RBL_OK);
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = solid;
	def.pattern = pattern;
	for (int i = 0; i < 2; ++i) {
		faulty_allocator memory;
		faulty_init(&memory, PLENTY);
		def.allocator = FAULTY(&memory);
		def.cut_limit = i == 0 ? 1000 : 50000; // 400 * 2 * 300 triangles, and the cells
		rbl_pieces *pieces = NULL;
		rbl_result result = rbl_create_pieces(&def, &pieces);
		CHECK(t, result == (i == 0 ? RBL_LIMIT_REACHED : RBL_OK));
		CHECK(t, rbl_pieces_count(pieces) == (i == 0 ? 0 : 300));
		CHECK(t, i == 1 || memory.peak_bytes < 10000000);
		rbl_destroy_pieces(pieces);
		CHECK(t, memory.live_bytes == 0);
	}
	def.allocator = (rbl_allocator){ 0 };
	def.cut_limit = 299; // the cells alone
	rbl_pieces *pieces = NULL;
	CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_LIMIT_REACHED && !pieces);
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.mesh = mesh;
	compound_def.pattern = pattern;
	compound_def.cut_limit = 299;
	rbl_compound *compound = NULL;
	CHECK(t, rbl_create_compound(&compound_def, &compound) == RBL_LIMIT_REACHED && !compound);
	compound_def.pattern = NULL;
	CHECK(t, rbl_create_compound(&compound_def, &compound) == RBL_OK);
	rbl_break_def break_def = rbl_default_break_def();
	break_def.pattern = pattern;
	break_def.cut_limit = 1000;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(compound, &break_def, &broken) == RBL_LIMIT_REACHED && !broken);
	CHECK(t, rbl_compound_get_info(compound).part_count == 1);
	rbl_destroy_compound(compound);
	rbl_destroy_solid(solid);
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(mesh);
}

static void more_bricks_than_may_be_are_counted_in_the_refusal(test *t)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_BRICKS;
	def.size = (rbl_vec3d){ 1e6, 1e6, 1e6 };
	rbl_pattern *pattern = NULL;
	heard h = { 0 };
	rbl_set_log(hear, &h);
	CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_LIMIT_REACHED && !pattern);
	rbl_set_log(NULL, NULL);
	CHECK(t, h.count == 1 && strstr(h.text, "cells of bricks") && strstr(h.text, "1000000"));
}

// --- memory that runs out -----------------------------------------------------------------------

// Cells made anew, picked, ranked and counted: whichever allocation fails, the compound is as it was.
static void every_failed_allocation_unwinds(test *t)
{
	const double sizes[] = { 1e-4, 8.0 }; // small beside the body, and large
	for (int i = 0; i < 4; ++i) {
		rbl_pattern *pattern = any_pattern(RBL_PATTERN_VORONOI, sizes[i % 2], i % 2 ? 200 : 30);
		for (int n = 0;; n += test_count(7, 1)) {
			faulty_allocator memory;
			faulty_init(&memory, PLENTY);
			rbl_compound *c = block_at(1.0, origin, i / 2, &FAULTY(&memory));
			uint64_t before = compound_hash(c);
			rbl_break_def def = rbl_default_break_def();
			def.pattern = pattern;
			def.position = (rbl_vec3d){ 0.1, 0.2, 0.3 };
			rbl_break *broken = NULL;
			atomic_store(&memory.allowed, n);
			rbl_result result = rbl_compound_break(c, &def, &broken);
			bool failed = memory.failed;
			CHECK(t,
			      result == (failed ? RBL_OUT_OF_MEMORY : RBL_OK) && (broken != NULL) == !failed);
			CHECK(t, !failed || compound_hash(c) == before);
			atomic_store(&memory.allowed, PLENTY);
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
			CHECK(t, memory.live_bytes == 0);
			if (!failed)
				break;
		}
		rbl_destroy_pattern(pattern);
	}
	for (int n = 0;; ++n) { // a pattern that is made for a region
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_pattern_def def = rbl_default_pattern_def();
		def.region = (rbl_boxd){ { 0.1, 0.1, 0.1 }, { 0.9, 0.5, 0.4 } };
		def.allocator = FAULTY(&memory);
		rbl_pattern *pattern = NULL;
		rbl_result result = rbl_create_pattern(&def, &pattern);
		rbl_destroy_pattern(pattern);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK) && memory.live_bytes == 0);
		if (!memory.failed)
			break;
	}
}

// --- preparing ----------------------------------------------------------------------------------

// Nodes of all shells, given together: each shell pays for those whose cells it meets.
static void given_nodes_cost_each_shell_its_own(test *t)
{
	enum { SIDE = 5, SHELLS = SIDE * SIDE * SIDE, NODES = 2000 };
	rbl_random random = rbl_random_from_seed(3);
	rbl_vec3d *nodes = calloc(NODES, sizeof *nodes);
	rbl_boxd all = { { 0, 0, 0 }, { 2 * SIDE, 2 * SIDE, 2 * SIDE } };
	for (int i = 0; i < NODES; ++i)
		nodes[i] = rbl_random_in_box(&random, all);
	static soup boxes;
	for (int i = 0; i < SHELLS; ++i) {
		rbl_vec3d low = { 2 * (i % SIDE) + 0.5, 2 * (i / SIDE % SIDE) + 0.5,
			              2 * (i / SIDE / SIDE) + 0.5 };
		soup_box(&boxes, low, rbl_add_d(low, (rbl_vec3d){ 1, 1, 1 }), false);
	}
	rbl_mesh *mesh = soup_mesh(&boxes);
	faulty_allocator memory;
	faulty_init(&memory, PLENTY);
	rbl_prepare_def def = rbl_default_prepare_def();
	def.nodes = nodes;
	def.node_count = NODES;
	def.allocator = FAULTY(&memory);
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	rbl_asset_report report = rbl_asset_get_report(asset);
	CHECK(t, report.shell_count == SHELLS && report.part_count > SHELLS);
	CHECK_NEAR(t, report.visual_volume, SHELLS, 1e-9);
	// Each shell has a list of all nodes, and the cells of few.
	long long lists = (long long)sizeof(rbl_vec3d) * NODES * SHELLS;
	CHECK(t, memory.peak_bytes < (long long)BYTES_PER_CUT * report.part_count + 5 * lists);
	CHECK(t, memory.total_bytes < 10LL * BYTES_PER_CUT * report.part_count + 20 * lists);
	rbl_destroy_asset(asset);
	CHECK(t, memory.live_bytes == 0);
	rbl_destroy_mesh(mesh);
	free(nodes);
}

TEST_MAIN(TEST(a_small_pattern_costs_what_a_large_one_does),
          TEST(coordinates_of_any_size_cost_the_same),
          TEST(a_compound_of_a_small_pattern_is_bounded),
          TEST(a_second_hit_on_a_crowd_of_splinters_is_bounded),
          TEST(cells_that_cannot_meet_the_body_cost_next_to_nothing),
          TEST(a_region_spares_the_cells_elsewhere), TEST(a_region_must_be_a_range),
          TEST(radii_of_any_size_are_bounded), TEST(places_that_are_none_are_refused),
          TEST(too_many_cuts_are_refused_before_they_begin), TEST(cuts_of_all_parts_count),
          TEST(triangles_that_many_cells_cut_count),
          TEST(more_bricks_than_may_be_are_counted_in_the_refusal),
          TEST(every_failed_allocation_unwinds), TEST(given_nodes_cost_each_shell_its_own))
