// SPDX-License-Identifier: MIT
// ctest: threads soak
// Prepared meshes: parts that hold what is seen, do not overlap unless noted, and hang together.

#include "assets.h"
#include "faulty_allocator.h"
#include "worker_pool.h"

#include <rubble/asset.h>

static void every_shape_can_be_prepared(test *t)
{
	for (int which = 0; which < SHAPE_COUNT; ++which) {
		rbl_mesh *mesh = sample_shape(which);
		rbl_prepare_def def = rbl_default_prepare_def();
		for (int k = 0; k < 2; ++k) {
			def.node_count = k == 0 ? 0 : 7;
			rbl_asset *asset = prepare(t, mesh, &def);
			rbl_asset_report r = rbl_asset_get_report(asset);
			check_asset(t, asset);
			CHECK(t, k == 1 || r.stop != RBL_STOP_TOLERANCE || r.worst_ratio <= 1.2);
			CHECK(t, k == 1 || (r.loose_count == 0) == (r.stop == RBL_STOP_TOLERANCE));
			CHECK(t, k == 0 || r.stop == RBL_STOP_GIVEN);
			rbl_destroy_asset(asset);
		}
		rbl_destroy_mesh(mesh);
	}
}

static void scale_and_place_do_not_matter(test *t)
{
	const double scales[] = { 1e-3, 1.0, 1e4 };
	rbl_prepare_def def = rbl_default_prepare_def();
	double first = 0.0;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3d shift = { 10.0 * scales[i], -3.0 * scales[i], scales[i] };
		rbl_mesh *mesh = moved_mesh(sample_shape(3), scales[i], shift);
		rbl_asset *asset = prepare(t, mesh, &def);
		rbl_asset_report r = rbl_asset_get_report(asset);
		check_asset(t, asset);
		CHECK(t,
		      r.stop == RBL_STOP_TOLERANCE && component_count(rbl_asset_get_compound(asset)) == 1);
		first = i == 0 ? r.worst_ratio : first;
		CHECK_NEAR(t, r.worst_ratio, first, 0.02);
		rbl_destroy_asset(asset);
		rbl_destroy_mesh(mesh);
	}
}

static void more_nodes_are_placed_for_a_smaller_tolerance(test *t)
{
	rbl_mesh *mesh = sample_shape(3);
	rbl_prepare_def def = rbl_default_prepare_def();
	int last = 0;
	for (int i = 0; i < 3; ++i) {
		def.tolerance = 0.4 / (1 << i);
		rbl_asset *asset = prepare(t, mesh, &def);
		rbl_asset_report r = rbl_asset_get_report(asset);
		CHECK(t, r.node_count >= last && r.worst_ratio <= 1.0 + def.tolerance);
		last = r.node_count;
		rbl_destroy_asset(asset);
	}
	def.tolerance = 1e-3;
	def.node_limit = 5;
	rbl_asset *asset = prepare(t, mesh, &def);
	rbl_asset_report r = rbl_asset_get_report(asset);
	CHECK(t, r.stop == RBL_STOP_NODE_LIMIT && r.loose_count == 1 && r.node_count <= 5);
	rbl_destroy_asset(asset);
	def.node_limit = 1;
	asset = prepare(t, mesh, &def);
	CHECK(t, rbl_asset_get_report(asset).stop == RBL_STOP_NODE_LIMIT);
	CHECK(t, rbl_asset_get_report(asset).part_count == 1);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

// The same parts but for rounding: a cell's corners depend on the order of its cuts in the last digits.
static bool are_alike(const rbl_asset *a, const rbl_asset *b)
{
	rbl_asset_report r = rbl_asset_get_report(a), q = rbl_asset_get_report(b);
	// Bonds as small as the tolerance may come and go.
	bool alike = r.part_count == q.part_count && abs(r.bond_count - q.bond_count) <= 2 &&
	             r.overlap_count == q.overlap_count && r.ghost_count == q.ghost_count;
	for (int i = 0; i < r.part_count && alike; ++i) {
		rbl_compound_part x = rbl_compound_get_part(a->compound, i);
		rbl_compound_part y = rbl_compound_get_part(b->compound, i);
		rbl_mass m = rbl_convex_get_mass(x.convex), n = rbl_convex_get_mass(y.convex);
		alike = a->origins[i].key == b->origins[i].key && !x.mesh == !y.mesh &&
		        fabs(m.volume - n.volume) <= 1e-9 * n.volume &&
		        rbl_distance_d(m.centre, n.centre) <= 1e-9 &&
		        fabs(a->origins[i].visual_volume - b->origins[i].visual_volume) <=
		            1e-9 * b->origins[i].visual_volume;
		if (alike && x.mesh)
			alike =
				rbl_mesh_get_data(x.mesh).face_count == rbl_mesh_get_data(y.mesh).face_count &&
				rbl_mesh_get_data(x.mesh).vertex_count == rbl_mesh_get_data(y.mesh).vertex_count;
	}
	return alike;
}

static rbl_mesh *fine_sphere(void)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.subdivisions = 4;
	rbl_mesh *mesh = NULL;
	rbl_create_icosphere_mesh(&def, &mesh);
	return mesh;
}

// The cut is done again around the node alone, and the result is that of doing all of it.
static void moving_a_node_cuts_its_neighbours_alone(test *t)
{
	enum { MOST = 64 };
	for (int which = 0; which < 8; ++which) {
		rbl_mesh *mesh = which < 7 ? sample_shape(which) : fine_sphere();
		rbl_prepare_def def = rbl_default_prepare_def();
		def.node_count = which < 7 ? 24 : MOST;
		def.hull_vertices = which < 7 ? 32 : 8;
		rbl_asset *placed = prepare(t, mesh, &def);
		rbl_vec3d nodes[MOST];
		rbl_boxd box = rbl_mesh_bounds(mesh);
		rbl_vec3d step = rbl_scale_d(0.01, rbl_box_size_d(box));
		memcpy(nodes, rbl_asset_get_nodes(placed, NULL), (size_t)def.node_count * sizeof *nodes);
		def.nodes = nodes;
		rbl_asset *before = prepare(t, mesh, &def);
		int local = 0, whole = 0;
		for (int moved = 0; moved < 24; moved += 8) {
			nodes[moved] = rbl_add_d(nodes[moved], step);
			def.previous = NULL;
			rbl_asset *fresh = prepare(t, mesh, &def);
			def.previous = before;
			rbl_asset *after = prepare(t, mesh, &def);
			CHECK(t, are_alike(after, fresh));
			CHECK(t, rbl_asset_get_report(after).kept_count > 0);
			local += after->clipped_count;
			whole += fresh->clipped_count;
			rbl_destroy_asset(fresh);
			rbl_destroy_asset(before);
			before = after;
		}
		CHECK(t, local <= whole);
		CHECK(t, which < 7 || 2 * local < whole); // most is far away
		rbl_destroy_asset(before);
		rbl_destroy_asset(placed);
		rbl_destroy_mesh(mesh);
	}
}

static void moving_a_node_redoes_its_neighbours_alone(test *t)
{
	rbl_mesh *mesh = sample_shape(3);
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 24;
	rbl_asset *placed = prepare(t, mesh, &def);
	rbl_vec3d nodes[24];
	int count = 0;
	memcpy(nodes, rbl_asset_get_nodes(placed, &count), sizeof nodes);
	CHECK(t, count == 24);
	def.nodes = nodes;
	rbl_asset *before = prepare(t, mesh, &def);
	nodes[5].y += 0.01;
	rbl_asset *fresh = prepare(t, mesh, &def);
	def.previous = before;
	rbl_asset *after = prepare(t, mesh, &def);
	check_asset(t, after);
	rbl_asset_report r = rbl_asset_get_report(after);
	CHECK(t, r.kept_count >= 12 && r.kept_count < r.part_count);
	CHECK(t, r.part_count == rbl_asset_get_report(fresh).part_count);
	CHECK_NEAR(t, r.convex_volume / rbl_asset_get_report(fresh).convex_volume, 1.0, 1e-12);
	CHECK(t, rbl_asset_get_report(fresh).kept_count == 0);
	CHECK(t, r.bond_count == rbl_asset_get_report(fresh).bond_count);
	// Kept: the cells that have the moved node neither as their own nor beyond a face.
	const rbl_compound *c = rbl_asset_get_compound(after);
	for (int i = 0; i < r.part_count; ++i) {
		if (after->origins[i].node != 5)
			continue;
		rbl_compound_bond bonds[64];
		int n = rbl_compound_get_bonds(c, i, bonds, 64);
		for (int k = 0; k < n && k < 64; ++k) {
			bool is_old = false;
			for (int j = 0; j < rbl_asset_get_report(before).part_count; ++j)
				is_old |= before->origins[j].key == after->origins[bonds[k].other].key;
			CHECK(t, !is_old);
		}
	}
	rbl_destroy_asset(after);
	rbl_destroy_asset(fresh);
	rbl_destroy_asset(before);
	rbl_destroy_asset(placed);
	rbl_destroy_mesh(mesh);
}

static void any_number_of_workers_gives_the_same_bits(test *t)
{
	for (int which = 3; which < 7; which += 3) { // one shell, two shells
		rbl_mesh *mesh = sample_shape(which);
		rbl_prepare_def def = rbl_default_prepare_def();
		uint64_t first = 0;
		for (int workers = 1; workers <= 4; workers *= 2) {
			def.jobs = create_pool(workers);
			rbl_asset *asset = prepare(t, mesh, &def);
			uint64_t hash = compound_hash(rbl_asset_get_compound(asset));
			first = workers == 1 ? hash : first;
			CHECK(t, hash == first);
			rbl_destroy_asset(asset);
			rbl_destroy_jobs(def.jobs);
		}
		rbl_destroy_mesh(mesh);
	}
}

// --- ghosts -------------------------------------------------------------------------------------

typedef struct span {
	double low[3], high[3];
} span;

static rbl_asset *prepare_boxes(test *t, const span *spans, int count)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	for (int i = 0; i < count; ++i)
		soup_box(&s, (rbl_vec3d){ spans[i].low[0], spans[i].low[1], spans[i].low[2] },
		         (rbl_vec3d){ spans[i].high[0], spans[i].high[1], spans[i].high[2] }, false);
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_asset *asset = prepare(t, mesh, &def);
	rbl_destroy_mesh(mesh);
	return asset;
}

// The judge: small cells between all bounds, each inside some box or not.
static double union_volume(const span *spans, int count)
{
	double cuts[3][64], sum = 0.0;
	for (int k = 0; k < 3; ++k) {
		for (int i = 0; i < count; ++i)
			cuts[k][2 * i] = spans[i].low[k], cuts[k][2 * i + 1] = spans[i].high[k];
		for (int i = 1; i < 2 * count; ++i)
			for (int j = i; j > 0 && cuts[k][j - 1] > cuts[k][j]; --j) {
				double swap = cuts[k][j];
				cuts[k][j] = cuts[k][j - 1], cuts[k][j - 1] = swap;
			}
	}
	for (int x = 0; x + 1 < 2 * count; ++x)
		for (int y = 0; y + 1 < 2 * count; ++y)
			for (int z = 0; z + 1 < 2 * count; ++z) {
				const int at[3] = { x, y, z };
				double middle[3], volume = 1.0;
				for (int k = 0; k < 3; ++k) {
					middle[k] = 0.5 * (cuts[k][at[k]] + cuts[k][at[k] + 1]);
					volume *= cuts[k][at[k] + 1] - cuts[k][at[k]];
				}
				bool inside = false;
				for (int i = 0; i < count; ++i) {
					bool in = true;
					for (int k = 0; k < 3; ++k)
						in &= middle[k] > spans[i].low[k] && middle[k] < spans[i].high[k];
					inside |= in;
				}
				sum += inside ? volume : 0.0;
			}
	return sum;
}

static void overlaps_of_many_count_once(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	for (int round = 0; round < test_count(30, 600); ++round) {
		span spans[9];
		int count = 2 + (int)rbl_random_below(&random, 8);
		for (int i = 0; i < count; ++i)
			for (int k = 0; k < 3;
			     ++k) { // on a grid: nested, equal and touching ones come by themselves
				int low = (int)rbl_random_below(&random, 3);
				int high = low + 1 + (int)rbl_random_below(&random, 3);
				spans[i].low[k] = 0.5 * low, spans[i].high[k] = 0.5 * high;
			}
		rbl_asset *asset = prepare_boxes(t, spans, count);
		rbl_asset_report r = rbl_asset_get_report(asset);
		CHECK(t, r.shell_count == count && r.part_count == count && !r.is_ghost_limited);
		CHECK_NEAR(t, r.mass_volume, union_volume(spans, count), 1e-9);
		check_asset(t, asset);
		rbl_destroy_asset(asset);
	}
}

static void nested_equal_and_touching_convexes_are_told_apart(test *t)
{
	const span nested[] = { { { 0, 0, 0 }, { 3, 3, 3 } }, { { 1, 1, 1 }, { 2, 2, 2 } } };
	rbl_asset *asset = prepare_boxes(t, nested, 2);
	rbl_asset_report r = rbl_asset_get_report(asset);
	CHECK(t, r.covered_count == 1 && r.ghost_count == 0 && r.overlap_count == 1);
	CHECK_NEAR(t, r.mass_volume, 27.0, 1e-9);
	CHECK_NEAR(t, r.visual_volume, 28.0, 1e-9); // each closed component counts
	CHECK(t, component_count(rbl_asset_get_compound(asset)) == 1);
	rbl_destroy_asset(asset);

	const span equal[] = { { { 0, 0, 0 }, { 1, 1, 1 } },
		                   { { 0, 0, 0 }, { 1, 1, 1 } },
		                   { { 0, 0, 0 }, { 1, 1, 1 } } };
	asset = prepare_boxes(t, equal, 3);
	r = rbl_asset_get_report(asset);
	CHECK(t, r.covered_count == 2 && r.ghost_count == 0);
	CHECK_NEAR(t, r.mass_volume, 1.0, 1e-12);
	rbl_destroy_asset(asset);

	const span touching[] = { { { 0, 0, 0 }, { 1, 1, 1 } }, { { 1, 0, 0 }, { 2, 1, 1 } } };
	asset = prepare_boxes(t, touching, 2);
	r = rbl_asset_get_report(asset);
	CHECK(t, r.ghost_count == 0 && r.overlap_count == 0 && r.bond_count == 1);
	CHECK_NEAR(t, r.mass_volume, 2.0, 1e-12);
	rbl_destroy_asset(asset);

	const span three[] = { { { 0, 0, 0 }, { 2, 2, 2 } },
		                   { { 1, 0, 0 }, { 3, 2, 2 } },
		                   { { 0, 1, 0 }, { 3, 3, 2 } } };
	asset = prepare_boxes(t, three, 3);
	r = rbl_asset_get_report(asset);
	CHECK(t, r.ghost_count == 4); // three pairs, and all three
	int signs = 0;
	for (int i = 0; i < r.ghost_count; ++i)
		signs += rbl_asset_get_ghost(asset, i).sign;
	CHECK(t, signs == -2 && rbl_asset_get_ghost(asset, 3).part_count == 3);
	CHECK(t, rbl_asset_get_ghost(asset, 4).convex == NULL);
	rbl_destroy_asset(asset);
}

// What parts of different compounds have in common; no three overlap.
static double volume_between(const rbl_compound *a, const rbl_compound *b)
{
	double sum = 0.0;
	for (int i = 0; i < a->parts.count; ++i)
		for (int k = 0; k < b->parts.count; ++k)
			if (a->parts.data[i].convex && b->parts.data[k].convex)
				sum += common_volume(a->parts.data[i].convex, b->parts.data[k].convex);
	return sum;
}

// A roof that columns reach into: no faces in one plane, and yet it hangs together.
static void what_overlaps_hangs_together_also_when_broken(test *t)
{
	const span temple[] = { { { 0, 0, 0 }, { 1, 5, 1 } },
		                    { { 5, 0, 0 }, { 6, 5, 1 } },
		                    { { -1, 4.5, -1 }, { 7, 6, 2 } } };
	rbl_asset *asset = prepare_boxes(t, temple, 3);
	CHECK(t, component_count(rbl_asset_get_compound(asset)) == 1);
	rbl_compound *c = NULL;
	CHECK(t, rbl_asset_create_compound(asset, NULL, &c) == RBL_OK);
	CHECK(t, compound_hash(c) == compound_hash(rbl_asset_get_compound(asset)));
	double before = rbl_compound_get_mass(c).volume;
	rbl_break_def def = rbl_default_break_def();
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 3.0, 12, 4);
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 0.5, 5.0, 0.5 };
	def.radius = 1.5;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	CHECK(t, is_sound(c));
	rbl_break_data data = rbl_break_get_data(broken);
	double after = rbl_compound_get_mass(c).volume;
	int overlapping = 0;
	for (int i = 0; i < data.compound_count; ++i) {
		after += rbl_compound_get_mass(data.compounds[i]).volume;
		CHECK(t, component_count(data.compounds[i]) == 1 && is_sound(data.compounds[i]));
		overlapping += data.compounds[i]->overlap_count > 0;
		after -= volume_between(c, data.compounds[i]);
		for (int k = 0; k < i; ++k)
			after -= volume_between(data.compounds[i], data.compounds[k]);
	}
	CHECK(t, data.compound_count > 3);
	CHECK(t, overlapping > 0); // pieces of column and roof in one cell stay together
	CHECK_NEAR(t, after / before, 1.0, 1e-9);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
	rbl_destroy_asset(asset);
}

// --- errors -------------------------------------------------------------------------------------

static void bad_definitions_are_refused(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_asset *asset = NULL;
	rbl_prepare_def good = rbl_default_prepare_def(), def;
	rbl_vec3d nodes[2] = { { 0.0, 0.0, 0.0 }, { 0.1, 0.0, 0.0 } };
	CHECK(t, rbl_prepare(mesh, &good, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_prepare(NULL, &good, &asset) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_prepare(mesh, NULL, &asset) == RBL_BAD_ARGUMENT);
	def = good, def.cookie = 1;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def = good, def.node_count = -1;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def = good, def.nodes = nodes;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def = good, def.tolerance = 0.0;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def = good, def.node_limit = 0;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def = good, def.hull_vertices = 3;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def = good, def.inner.uv_scale = 0.0;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	nodes[1].x = NAN;
	def = good, def.nodes = nodes, def.node_count = 2;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	CHECK(t, asset == NULL);
	rbl_compound *compound = NULL;
	CHECK(t, rbl_asset_create_compound(NULL, NULL, &compound) == RBL_BAD_ARGUMENT);
	rbl_destroy_asset(NULL);
	int count = 5;
	CHECK(t, rbl_asset_get_nodes(NULL, &count) == NULL && count == 0);
	CHECK(t, rbl_asset_get_compound(NULL) == NULL && rbl_asset_get_mass(NULL).volume == 0.0);
	CHECK(t, rbl_asset_get_report(NULL).part_count == 0);
	rbl_destroy_mesh(mesh);
}

static void an_open_mesh_is_refused(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ 0, 0, 0 }, (rbl_vec3d){ 1, 1, 1 }, false);
	s.triangle_count--;
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_asset *asset = NULL;
	rbl_prepare_def def = rbl_default_prepare_def();
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_MESH);
	rbl_destroy_mesh(mesh);
}

static void every_allocation_may_fail(test *t)
{
	for (int which = 6; which >= 5; --which) {
		rbl_mesh *mesh = sample_shape(which);
		for (int n = 0, step = 1;; n += step) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_prepare_def def = rbl_default_prepare_def();
			def.node_count = which == 5 ? 3 : 0;
			def.allocator = FAULTY(&memory);
			rbl_asset *asset = NULL;
			rbl_compound *compound = NULL;
			rbl_result result = rbl_prepare(mesh, &def, &asset);
			if (result == RBL_OK)
				result = rbl_asset_create_compound(asset, &def.allocator, &compound);
			rbl_destroy_compound(compound);
			rbl_destroy_asset(asset);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
			CHECK(t, result == RBL_OUT_OF_MEMORY);
			step = n < 60 ? 1 : 1 + n / test_count(12, 60);
		}
		rbl_destroy_mesh(mesh);
	}
}

static void every_allocation_may_fail_when_a_node_moves(test *t)
{
	rbl_mesh *mesh = sample_shape(1);
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 12;
	rbl_asset *placed = prepare(t, mesh, &def);
	rbl_vec3d nodes[12];
	memcpy(nodes, rbl_asset_get_nodes(placed, NULL), sizeof nodes);
	def.nodes = nodes;
	rbl_asset *before = prepare(t, mesh, &def);
	nodes[3].x += 0.01;
	def.previous = before;
	for (int n = 0;; n += 1 + n / test_count(12, 60)) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		def.allocator = FAULTY(&memory);
		rbl_asset *asset = NULL;
		rbl_result result = rbl_prepare(mesh, &def, &asset);
		CHECK(t, memory.failed || rbl_asset_get_report(asset).kept_count > 0);
		rbl_destroy_asset(asset);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	rbl_destroy_asset(before);
	rbl_destroy_asset(placed);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(every_shape_can_be_prepared), TEST(scale_and_place_do_not_matter),
          TEST(more_nodes_are_placed_for_a_smaller_tolerance),
          TEST(moving_a_node_redoes_its_neighbours_alone),
          TEST(moving_a_node_cuts_its_neighbours_alone),
          TEST(every_allocation_may_fail_when_a_node_moves),
          TEST(any_number_of_workers_gives_the_same_bits), TEST(overlaps_of_many_count_once),
          TEST(nested_equal_and_touching_convexes_are_told_apart),
          TEST(what_overlaps_hangs_together_also_when_broken), TEST(bad_definitions_are_refused),
          TEST(an_open_mesh_is_refused), TEST(every_allocation_may_fail))
