// SPDX-License-Identifier: MIT
// Stress: known answers where statics tell them, a direct solver where they do not.

#include "base/axis.h"
#include "faulty_allocator.h"
#include "fracture/compounds.h"
#include "stress/stress_system.h"

#include <rubble/asset.h>

static const rbl_vec3d down = { 0.0, -10.0, 0.0 };

static rbl_stress *make_stress(test *t, double tolerance)
{
	rbl_stress_def def = rbl_default_stress_def();
	def.density = 1000.0;
	def.tolerance = tolerance;
	rbl_stress *s = NULL;
	CHECK(t, rbl_create_stress(&def, &s) == RBL_OK);
	return s;
}

static rbl_stress_report settle(test *t, rbl_stress *s, rbl_compound *c, rbl_vec3d gravity,
                                const rbl_stress_load *loads, int count)
{
	rbl_stress_report report = { 0 };
	int calls = 0;
	do
		CHECK(t, rbl_stress_update(s, c, gravity, loads, count, 1000000, &report) == RBL_OK);
	while (!report.is_converged && ++calls < 20);
	CHECK(t, report.is_converged);
	return report;
}

// Boxes in a row along an axis from the origin on, the first anchored.
static rbl_compound *row_of(int count, rbl_vec3d size, int axis)
{
	rbl_compound_part parts[512] = { 0 };
	for (int i = 0; i < count; ++i) {
		rbl_vec3d low = { 0.0, 0.0, 0.0 }, step = { 0.0, 0.0, 0.0 };
		rbl_set_axis_d(&step, axis, fabs(rbl_axis_d(size, axis)));
		double turn = rbl_axis_d(size, axis) < 0.0 ? -1.0 : 1.0;
		low = rbl_add_scaled_d(low, turn * i, step);
		rbl_vec3d box = { fabs(size.x), fabs(size.y), fabs(size.z) };
		parts[i].convex = box_convex(low, rbl_add_d(low, box));
		parts[i].is_anchored = i == 0;
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = count;
	rbl_compound *c = NULL;
	rbl_create_compound(&def, &c);
	for (int i = 0; i < count; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return c;
}

// The bond between two parts, the other one's side turned so that force acts on `part`.
static rbl_bond_stress bond_between(const rbl_stress *s, int part, int other)
{
	static rbl_bond_stress bonds[40000];
	int count = rbl_stress_get_bonds(s, 0.0, bonds, 40000);
	for (int i = 0; i < count; ++i) {
		rbl_bond_stress b = bonds[i];
		if (b.part == other && b.other == part) {
			b.force = rbl_neg_d(b.force), b.moment = rbl_neg_d(b.moment);
			return b;
		}
		if (b.part == part && b.other == other)
			return b;
	}
	return (rbl_bond_stress){ .utilization = -1.0 };
}

// --- where statics tell -------------------------------------------------------------------------

static void a_chain_carries_what_hangs_below(test *t)
{
	rbl_vec3d size = { 0.2, -0.5, 0.3 };
	for (int n = 2; n <= 200; n *= 10) {
		rbl_compound *c = row_of(n, size, 1);
		rbl_stress *s = make_stress(t, 1e-9);
		settle(t, s, c, down, NULL, 0);
		double weight = 1000.0 * 0.2 * 0.5 * 0.3 * 10.0;
		for (int i = 0; i + 1 < n; ++i) {
			rbl_bond_stress b = bond_between(s, i, i + 1);
			double carried = weight * (n - 1 - i);
			CHECK_NEAR(t, b.force.y, -carried, 1e-5 * carried);
			CHECK_NEAR(t, b.tension, carried / 0.06, 1e-4 * carried / 0.06);
			CHECK(t, b.shear < 1e-3 * b.tension && b.compression < 1e-3 * b.tension);
		}
		rbl_destroy_stress(s);
		rbl_destroy_compound(c);
	}
}

static void a_column_is_pressed_by_what_stands_above(test *t)
{
	rbl_vec3d size = { 0.4, 0.5, 0.4 };
	rbl_compound *c = row_of(60, size, 1);
	rbl_stress *s = make_stress(t, 1e-9);
	rbl_stress_load load = { 59, { 0.2, 30.0, 0.2 }, { 0.0, -5000.0, 0.0 } };
	settle(t, s, c, down, &load, 1);
	for (int i = 0; i < 59; ++i) {
		rbl_bond_stress b = bond_between(s, i, i + 1);
		double carried = 800.0 * (59 - i) + 5000.0;
		CHECK_NEAR(t, b.compression, carried / 0.16, 1e-4 * carried / 0.16);
		CHECK(t, b.tension < 1e-4 * b.compression);
	}
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
}

// A load beside the axis bends a column: tension on one side.
static void an_eccentric_load_bends(test *t)
{
	rbl_vec3d size = { 0.4, 0.5, 0.2 };
	rbl_compound *c = row_of(10, size, 1);
	rbl_stress *s = make_stress(t, 1e-9);
	rbl_stress_load load = { 9, { 0.4, 5.0, 0.1 }, { 0.0, -1000.0, 0.0 } };
	settle(t, s, c, (rbl_vec3d){ 0, 0, 0 }, &load, 1);
	double area = 0.08, moment = 1000.0 * 0.2, section = 0.2 * 0.4 * 0.4 / 6.0;
	rbl_bond_stress b = bond_between(s, 0, 1);
	CHECK_NEAR(t, b.compression, 1000.0 / area + moment / section, 1.0);
	CHECK_NEAR(t, b.tension, moment / section - 1000.0 / area, 1.0);
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
}

static void a_cantilever_bends_most_at_its_root(test *t)
{
	rbl_vec3d size = { 0.25, 0.3, 0.2 };
	const int n = 41;
	rbl_compound *c = row_of(n, size, 0);
	rbl_stress *s = make_stress(t, 1e-10);
	settle(t, s, c, down, NULL, 0);
	double weight = 1000.0 * 0.25 * 0.3 * 0.2 * 10.0, section = 0.2 * 0.3 * 0.3 / 6.0;
	for (int i = 0; i + 1 < n; ++i) {
		rbl_bond_stress b = bond_between(s, i, i + 1);
		int beyond = n - 1 - i;
		double shear = weight * beyond, moment = shear * 0.5 * 0.25 * beyond;
		CHECK_NEAR(t, b.force.y, -shear, 1e-5 * shear);
		CHECK_NEAR(t, fabs(b.moment.z), moment, 1e-4 * moment);
		CHECK_NEAR(t, b.tension, moment / section, 1e-4 * moment / section);
		CHECK_NEAR(t, b.compression, b.tension, 1e-4 * b.tension);
		CHECK_NEAR(t, b.shear, shear / 0.06, 1e-3 * shear / 0.06);
	}
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
}

// A beam held by two thin tongues at half its height turns freely there: w l^2 / 8 in the middle.
static void a_beam_on_two_edges_bends_in_the_middle(test *t)
{
	enum { N = 40 };
	rbl_compound_part parts[N + 2] = { 0 };
	double step = 0.1, edge = 0.001;
	for (int i = 0; i < N; ++i)
		parts[i].convex =
			box_convex((rbl_vec3d){ step * i, 0.0, 0.0 }, (rbl_vec3d){ step * (i + 1), 0.2, 0.3 });
	for (int i = 0; i < 2; ++i) {
		double x = i ? step * N : -0.1;
		parts[N + i].convex =
			box_convex((rbl_vec3d){ x, 0.1 - edge, 0.0 }, (rbl_vec3d){ x + 0.1, 0.1 + edge, 0.3 });
		parts[N + i].is_anchored = true;
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = N + 2;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	rbl_stress *s = make_stress(t, 1e-10);
	settle(t, s, c, down, NULL, 0);
	double w = 1000.0 * 0.2 * 0.3 * 10.0, span = step * N, moment = w * span * span / 8.0;
	rbl_bond_stress b = bond_between(s, N / 2 - 1, N / 2);
	CHECK_NEAR(t, fabs(b.moment.z), moment, 0.002 * moment);
	CHECK_NEAR(t, b.tension, moment / (0.3 * 0.2 * 0.2 / 6.0), 0.002 * b.tension);
	CHECK_NEAR(t, bond_between(s, 0, N).force.y, 0.5 * w * span, 0.1); // each bears half
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
	for (int i = 0; i < N + 2; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
}

// Held at both ends: w l^2 / 12 there, half of it in the middle.
static void a_beam_between_walls_bends_at_its_ends(test *t)
{
	const int n = 42;
	rbl_vec3d size = { 0.1, 0.2, 0.3 };
	rbl_compound *c = row_of(n, size, 0);
	CHECK(t, rbl_compound_set_anchored(c, n - 1, true) == RBL_OK);
	rbl_stress *s = make_stress(t, 1e-10);
	settle(t, s, c, down, NULL, 0);
	double w = 1000.0 * 0.2 * 0.3 * 10.0, span = 4.0;
	CHECK_NEAR(t, fabs(bond_between(s, 0, 1).moment.z), w * span * span / 12.0,
	           0.03 * w * span * span / 12.0);
	CHECK_NEAR(t, fabs(bond_between(s, 20, 21).moment.z), w * span * span / 24.0,
	           0.06 * w * span * span / 24.0);
	CHECK_NEAR(t, fabs(bond_between(s, 0, 1).moment.z) + fabs(bond_between(s, 20, 21).moment.z),
	           w * span * span / 8.0, 1e-3); // by statics
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
}

static void what_falls_feels_no_weight(test *t)
{
	rbl_vec3d size = { 0.2, 0.2, 0.2 };
	rbl_compound *c = row_of(12, size, 0);
	rbl_compound_set_anchored(c, 0, false);
	rbl_stress *s = make_stress(t, 1e-9);
	rbl_stress_report report = settle(t, s, c, down, NULL, 0);
	CHECK(t, report.worst < 1e-12);
	// Pulled at one end, the rod accelerates, and each bond pulls what is behind it.
	rbl_stress_load load = { 0, { 0.0, 0.1, 0.1 }, { -1200.0, 0.0, 0.0 } };
	settle(t, s, c, down, &load, 1);
	for (int i = 0; i + 1 < 12; ++i)
		CHECK_NEAR(t, bond_between(s, i, i + 1).force.x, 100.0 * (11 - i), 1e-3);
	// Struck across at one end it turns, and bends.
	load.force = (rbl_vec3d){ 0.0, 100.0, 0.0 };
	load.point = (rbl_vec3d){ 0.1, 0.1, 0.1 };
	report = settle(t, s, c, down, &load, 1);
	CHECK(t, report.worst > 0.0 && fabs(bond_between(s, 5, 6).moment.z) > 1.0);
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
}

// --- where they do not --------------------------------------------------------------------------

// Solve a system by elimination.
static void eliminate(double *m, double *x, int n)
{
	for (int k = 0; k < n; ++k) {
		int best = k;
		for (int i = k + 1; i < n; ++i)
			best = fabs(m[i * n + k]) > fabs(m[best * n + k]) ? i : best;
		for (int j = 0; j < n && best != k; ++j) {
			double swap = m[k * n + j];
			m[k * n + j] = m[best * n + j], m[best * n + j] = swap;
		}
		double swap = x[k];
		x[k] = x[best], x[best] = swap;
		for (int i = k + 1; i < n; ++i) {
			double f = m[i * n + k] / m[k * n + k];
			for (int j = k; j < n && f != 0.0; ++j)
				m[i * n + j] -= f * m[k * n + j];
			x[i] -= f * x[k];
		}
	}
	for (int k = n - 1; k >= 0; --k) {
		for (int j = k + 1; j < n; ++j)
			x[k] -= m[k * n + j] * x[j];
		x[k] /= m[k * n + k];
	}
}

// The energy of a beam from its definition, not by the matrices that the library uses.
static void add_energy(double *m, int n, const rbl_beam *beam)
{
	double rows[6][12] = { { 0 } }; // apart and turned, by the motions of both sides
	for (int side = 0; side < 2; ++side) {
		double sign = side ? 1.0 : -1.0;
		for (int k = 0; k < 6; ++k) {
			double unit[6] = { 0 };
			unit[k] = 1.0;
			rbl_vec3d turn = { unit[3], unit[4], unit[5] };
			rbl_vec3d at = rbl_add_d((rbl_vec3d){ unit[0], unit[1], unit[2] },
			                         rbl_cross_d(turn, beam->arms[side]));
			const double values[6] = { at.x, at.y, at.z, turn.x, turn.y, turn.z };
			for (int r = 0; r < 6; ++r)
				rows[r][6 * side + k] = sign * values[r];
		}
	}
	for (int p = 0; p < 12; ++p) {
		for (int q = 0; q < 12; ++q) {
			int row = beam->bodies[p / 6], column = beam->bodies[q / 6];
			if (row < 0 || column < 0)
				continue;
			rbl_vec3d apart = { rows[0][q], rows[1][q], rows[2][q] };
			rbl_vec3d turned = { rows[3][q], rows[4][q], rows[5][q] };
			rbl_vec3d f = rbl_sym_mul(&beam->linear_stiffness, apart),
					  g = rbl_sym_mul(&beam->angular_stiffness, turned);
			m[(6 * row + p % 6) * n + 6 * column + q % 6] += f.x * rows[0][p] + f.y * rows[1][p] +
			                                                 f.z * rows[2][p] + g.x * rows[3][p] +
			                                                 g.y * rows[4][p] + g.z * rows[5][p];
		}
	}
}

static void forces_equal_those_of_a_direct_solver(test *t)
{
	for (int seed = 1; seed <= 4; ++seed) {
		rbl_compound *c = wall(5, 4, 2, (rbl_vec3d){ 0.4, 0.2, 0.2 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
		rbl_random random = rbl_random_from_seed((uint64_t)seed);
		rbl_stress_load loads[3];
		for (int i = 0; i < 3; ++i) {
			loads[i].part = 10 + (int)rbl_random_below(&random, 30);
			loads[i].point = rbl_random_in_ball(&random);
			loads[i].force = rbl_scale_d(1000.0, rbl_random_in_ball(&random));
		}
		rbl_stress *s = make_stress(t, 1e-12);
		settle(t, s, c, down, loads, 3);
		int n = 6 * s->body_count;
		double *m = calloc((size_t)(n * n), sizeof *m);
		rbl_wrench *x = calloc((size_t)s->body_count, sizeof *x);
		for (int i = 0; i < s->levels[0].beam_count; ++i)
			add_energy(m, n, &s->levels[0].beams[i]);
		memcpy(x, s->loads, (size_t)s->body_count * sizeof *x);
		eliminate(m, &x[0].linear.x, n);
		double most = 0.0, error = 0.0;
		for (int i = 0; i < s->levels[0].beam_count; ++i) {
			rbl_wrench exact = rbl_beam_force(&s->levels[0].beams[i], x);
			rbl_wrench found = rbl_beam_force(&s->levels[0].beams[i], s->motions);
			most = rbl_maxd(most, rbl_length_d(exact.linear));
			error = rbl_maxd(error, rbl_distance_d(exact.linear, found.linear));
			error = rbl_maxd(error, rbl_distance_d(exact.angular, found.angular));
		}
		CHECK(t, error < 1e-6 * most);
		free(m), free(x);
		rbl_destroy_stress(s);
		rbl_destroy_compound(c);
	}
}

// Part i of a row of bricks, mirrored, is part n - 1 - i.
static void mirrored_walls_carry_mirrored_forces(test *t)
{
	rbl_compound_part parts[40] = { 0 };
	for (int y = 0; y < 5; ++y) {
		for (int x = 0; x < 8; ++x) {
			rbl_vec3d low = { 0.3 * (x - 4), 0.2 * y, 0.0 };
			parts[8 * y + x].convex = box_convex(low, rbl_add_d(low, (rbl_vec3d){ 0.3, 0.2, 0.2 }));
			parts[8 * y + x].is_anchored = y == 0 && (x < 2 || x > 5); // a lintel in between
		}
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = 40;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	rbl_stress *s = make_stress(t, 1e-11);
	settle(t, s, c, down, NULL, 0);
	for (int y = 0; y < 5; ++y) {
		for (int x = 0; x < 3; ++x) {
			rbl_bond_stress a = bond_between(s, 8 * y + x, 8 * y + x + 1);
			rbl_bond_stress b = bond_between(s, 8 * y + 7 - x, 8 * y + 6 - x);
			CHECK_NEAR(t, a.utilization, b.utilization, 1e-6);
			CHECK_NEAR(t, a.force.x, -b.force.x, 1e-3);
			CHECK_NEAR(t, a.force.y, b.force.y, 1e-3);
		}
	}
	for (int i = 0; i < 40; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
}

// --- standing and falling -----------------------------------------------------------------------

// A roof of slabs on nine columns, three metres apart.
static rbl_compound *pavilion(int *column_ends)
{
	enum { SIDE = 13, COLUMNS = 9, DRUMS = 4 };
	rbl_compound_part parts[SIDE * SIDE + COLUMNS * DRUMS] = { 0 };
	int n = 0;
	for (int i = 0; i < SIDE * SIDE; ++i) {
		rbl_vec3d low = { 0.5 * (i % SIDE), 3.0, 0.5 * (i / SIDE) };
		parts[n++].convex = box_convex(low, rbl_add_d(low, (rbl_vec3d){ 0.5, 0.2, 0.5 }));
	}
	for (int i = 0; i < COLUMNS; ++i) {
		for (int k = 0; k < DRUMS; ++k) {
			rbl_vec3d low = { 3.0 * (i % 3), 0.75 * k, 3.0 * (i / 3) };
			parts[n].convex = box_convex(low, rbl_add_d(low, (rbl_vec3d){ 0.5, 0.75, 0.5 }));
			parts[n++].is_anchored = k == 0;
		}
		column_ends[i] = n - 1;
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = n;
	rbl_compound *c = NULL;
	rbl_create_compound(&def, &c);
	for (int i = 0; i < n; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return c;
}

static rbl_stress *default_stress(test *t)
{
	rbl_stress_def def = rbl_default_stress_def();
	rbl_stress *s = NULL;
	CHECK(t, rbl_create_stress(&def, &s) == RBL_OK);
	return s;
}

static void a_roof_stands_until_a_column_goes(test *t)
{
	int ends[9];
	rbl_compound *c = pavilion(ends);
	rbl_stress *s = default_stress(t);
	rbl_stress_report report = settle(t, s, c, down, NULL, 0);
	CHECK(t, report.overloaded_count == 0 && report.worst > 0.1 && report.worst < 0.9);
	CHECK(t, rbl_stress_get_bonds(s, 1.0, NULL, 0) == 0);

	// The corner column is knocked out: bonds fail one after the other, and the corner comes down.
	rbl_break *broken = NULL;
	int pairs[8], count = 0;
	rbl_compound_bond bonds[8];
	int bond_count = rbl_compound_get_bonds(c, ends[0], bonds, 8);
	for (int i = 0; i < bond_count; ++i)
		pairs[count++] = ends[0], pairs[count++] = bonds[i].other;
	CHECK(t, rbl_compound_break_bonds(c, pairs, count / 2, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count == 2); // the drum, and those below
	rbl_destroy_break(broken);
	int fallen = 0, rounds = 0;
	for (; rounds < 100; ++rounds) {
		report = settle(t, s, c, down, NULL, 0);
		rbl_bond_stress failed[4];
		int failing = rbl_stress_get_bonds(s, 1.0, failed, 4);
		CHECK(t, failing == report.overloaded_count || failing == report.overloaded_count + 1);
		CHECK(t, rounds > 0 || failing > 0);
		if (failing == 0)
			break;
		for (int i = 1; i < failing && i < 4; ++i)
			CHECK(t, failed[i].utilization <= failed[i - 1].utilization);
		int pair[2] = { failed[0].part, failed[0].other };
		CHECK(t, rbl_compound_break_bonds(c, pair, 1, &broken) == RBL_OK);
		rbl_break_data data = rbl_break_get_data(broken);
		for (int i = 0; i < data.compound_count; ++i)
			fallen += rbl_compound_get_info(data.compounds[i]).part_count;
		rbl_destroy_break(broken);
	}
	CHECK(t, rounds < 100 && fallen >= 5 && is_sound(c));
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
}

static void a_prepared_arch_stands(test *t)
{
	rbl_arch_def arch = rbl_default_arch_def();
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	rbl_compound *c = NULL;
	def.node_count = 30;
	CHECK(t, rbl_create_arch_mesh(&arch, &mesh) == RBL_OK);
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	CHECK(t, rbl_asset_create_compound(asset, NULL, &c) == RBL_OK);
	for (int i = 0; i < rbl_compound_get_info(c).part_end; ++i)
		if (rbl_convex_bounds(rbl_compound_get_part(c, i).convex).lower.y < 0.01)
			rbl_compound_set_anchored(c, i, true);
	CHECK(t, rbl_compound_get_info(c).anchored_count >= 2);
	rbl_stress *s = default_stress(t);
	rbl_stress_report report = settle(t, s, c, down, NULL, 0);
	CHECK(t, report.overloaded_count == 0 && report.worst > 0.0 && report.worst < 0.5);
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

// --- budgets, memory, refusals ------------------------------------------------------------------

static void budgets_only_divide_the_work(test *t)
{
	int ends[9];
	rbl_compound *c = pavilion(ends);
	rbl_stress *whole = default_stress(t), *parts = default_stress(t);
	rbl_stress_report a, b = { 0 };
	CHECK(t, rbl_stress_update(whole, c, down, NULL, 0, 1 << 30, &a) == RBL_OK && a.is_converged);
	int calls = 0, passes = 0;
	for (; !b.is_converged && calls < 10000; ++calls) {
		CHECK(t, rbl_stress_update(parts, c, down, NULL, 0, 2 * a.bond_count, &b) == RBL_OK);
		CHECK(t, b.pass_count <= 2);
		passes += b.pass_count;
	}
	CHECK(t, passes == a.pass_count && calls >= passes / 2);
	CHECK(t, memcmp(whole->motions, parts->motions,
	                (size_t)whole->body_count * sizeof *whole->motions) == 0);
	// Settled costs nothing more; a little more load little; a bond less not much.
	CHECK(t, rbl_stress_update(parts, c, down, NULL, 0, 1 << 30, &b) == RBL_OK);
	CHECK(t, b.pass_count == 0 && b.is_converged && b.worst == a.worst);
	rbl_vec3d stronger = { 0.0, -10.01, 0.0 };
	CHECK(t, rbl_stress_update(parts, c, stronger, NULL, 0, 1 << 30, &b) == RBL_OK);
	CHECK(t, b.is_converged && b.pass_count < a.pass_count / 2);
	rbl_destroy_stress(whole);
	rbl_destroy_stress(parts);
	rbl_destroy_compound(c);
}

static void tall_and_wide_things_settle_in_few_passes(test *t)
{
	rbl_vec3d size = { 0.3, 0.3, 0.3 };
	rbl_compound *c = row_of(400, size, 1);
	rbl_stress *s = default_stress(t);
	rbl_stress_report report;
	CHECK(t, rbl_stress_update(s, c, down, NULL, 0, 1 << 30, &report) == RBL_OK);
	CHECK(t, report.is_converged && report.pass_count < 200);
	rbl_destroy_compound(c);
	c = wall(40, 25, 2, (rbl_vec3d){ 0.4, 0.2, 0.2 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
	CHECK(t, rbl_stress_update(s, c, down, NULL, 0, 1 << 30, &report) == RBL_OK);
	CHECK(t, report.is_converged && report.pass_count < 120 && report.bond_count > 4000);
	rbl_destroy_compound(c);
	rbl_destroy_stress(s);
}

static void densities_and_strengths_go_by_material(test *t)
{
	rbl_compound_part parts[3] = { 0 };
	for (int i = 0; i < 3; ++i) {
		parts[i].convex = box_convex((rbl_vec3d){ 0, i, 0 }, (rbl_vec3d){ 1, i + 1, 1 });
		parts[i].material = i;
		parts[i].is_anchored = i == 0;
	}
	const double strengths[3] = { 1e6, 1e6, 3e6 };
	const float densities[3] = { 1.0f, 100.0f, 500.0f };
	rbl_material *materials[3];
	for (int i = 0; i < 3; ++i) {
		rbl_material_def material = rbl_default_material_def();
		material.values.density = densities[i];
		material.strengths.tension = strengths[i];
		CHECK(t, rbl_create_material(&material, &materials[i]) == RBL_OK);
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = def.material_count = 3;
	def.materials = (const rbl_material *const *)materials;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	rbl_stress_def stress_def = rbl_default_stress_def();
	stress_def.tolerance = 1e-9;
	rbl_stress *s = NULL;
	CHECK(t, rbl_create_stress(&stress_def, &s) == RBL_OK);
	rbl_vec3d up = { 0.0, 10.0, 0.0 };
	settle(t, s, c, up, NULL, 0);
	CHECK_NEAR(t, bond_between(s, 0, 1).tension, 6000.0, 0.1);
	CHECK_NEAR(t, bond_between(s, 1, 2).utilization, 5000.0 / 1e6, 1e-6); // the weaker's strength
	rbl_destroy_stress(s);
	rbl_destroy_compound(c);
	for (int i = 0; i < 3; ++i) {
		rbl_destroy_material(materials[i]);
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	}
}

static void memory_may_run_out_anywhere(test *t)
{
	rbl_compound *c = wall(6, 6, 2, (rbl_vec3d){ 0.4, 0.2, 0.2 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
	rbl_compound_set_anchored(c, 0, false);
	bool has_failed = true;
	for (int n = 0; has_failed; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_stress_def def = rbl_default_stress_def();
		def.allocator = FAULTY(&memory);
		rbl_stress *s = NULL;
		rbl_stress_report report;
		rbl_result result = rbl_create_stress(&def, &s);
		if (result == RBL_OK)
			result = rbl_stress_update(s, c, down, NULL, 0, 100000, &report);
		has_failed = memory.failed;
		CHECK(t, (result == RBL_OUT_OF_MEMORY) == has_failed);
		memory.allowed = 1 << 30;
		if (s)
			CHECK(t, rbl_stress_update(s, c, down, NULL, 0, 100000, &report) == RBL_OK);
		rbl_destroy_stress(s);
		CHECK(t, memory.live_bytes == 0);
	}
	rbl_destroy_compound(c);
}

static void bad_calls_are_refused(test *t)
{
	rbl_vec3d size = { 0.3, 0.3, 0.3 };
	rbl_compound *c = row_of(3, size, 1);
	rbl_stress_def def = rbl_default_stress_def(), bad = { 0 };
	rbl_stress *s = NULL;
	rbl_stress_report report;
	rbl_stress_load load = { 7, { 0, 0, 0 }, { 0, 0, 0 } };
	CHECK(t, rbl_create_stress(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_stress(&bad, &s) == RBL_BAD_ARGUMENT && !s);
	bad = def, bad.density = 0.0;
	CHECK(t, rbl_create_stress(&bad, &s) == RBL_BAD_ARGUMENT);
	bad = def, bad.tolerance = 1.0;
	CHECK(t, rbl_create_stress(&bad, &s) == RBL_BAD_ARGUMENT);
	bad = def, bad.strengths.shear = -1.0;
	CHECK(t, rbl_create_stress(&bad, &s) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_stress(&def, &s) == RBL_OK);
	rbl_vec3d nowhere = { NAN, 0.0, 0.0 };
	CHECK(t, rbl_stress_update(NULL, c, down, NULL, 0, 1, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_stress_update(s, NULL, down, NULL, 0, 1, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_stress_update(s, c, nowhere, NULL, 0, 1, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_stress_update(s, c, down, NULL, 1, 1, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_stress_update(s, c, down, NULL, 0, 0, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_stress_update(s, c, down, &load, 1, 1, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_stress_update(s, c, down, NULL, 0, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_stress_get_bonds(s, 0.0, NULL, 0) == 0 && !rbl_stress_get_bonds(NULL, 0.0, NULL, 0));
	rbl_destroy_stress(s);
	rbl_destroy_stress(NULL);
	rbl_destroy_compound(c);
}

TEST_MAIN(TEST(a_chain_carries_what_hangs_below), TEST(a_column_is_pressed_by_what_stands_above),
          TEST(an_eccentric_load_bends), TEST(a_cantilever_bends_most_at_its_root),
          TEST(a_beam_on_two_edges_bends_in_the_middle),
          TEST(a_beam_between_walls_bends_at_its_ends), TEST(what_falls_feels_no_weight),
          TEST(forces_equal_those_of_a_direct_solver), TEST(mirrored_walls_carry_mirrored_forces),
          TEST(a_roof_stands_until_a_column_goes), TEST(a_prepared_arch_stands),
          TEST(budgets_only_divide_the_work), TEST(tall_and_wide_things_settle_in_few_passes),
          TEST(densities_and_strengths_go_by_material), TEST(memory_may_run_out_anywhere),
          TEST(bad_calls_are_refused))
