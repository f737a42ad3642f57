// SPDX-License-Identifier: MIT
//
// The preconditioner: coarser and coarser copies of a system of bodies and beams.
//
// A load travels one body per iteration, and slender shapes converge last. So bodies are grouped
// into rigid aggregates, with the beams between them: a system of the same kind, exact for motions
// of whole groups. That is repeated until few are left, which are solved directly. The
// preconditioner adds up the solutions of all levels, each body of each level on its own (additive
// multigrid with rigid motions, after Bramble, Pasciak and Xu 1990): it visits no beam, so it
// costs less than one pass over them.

#include "stress/stress_system.h"

#include "base/vec.h"

enum { N = 6, ROWS = 21 };

// --- matrices -----------------------------------------------------------------------------------

static int row(int i)
{
	return i * (i + 1) / 2;
}

static void add_cross(double *m, int at_row, int at_column, const double k[3][3])
{
	for (int i = 0; i < 3; ++i) {
		for (int j = 0; j < 3; ++j) {
			if (at_row + i >= at_column + j)
				m[row(at_row + i) + at_column + j] += k[i][j];
		}
	}
}

// Factor a symmetric matrix in place, by rows of the lower triangle. What has no stiffness gets
// some.
static void factor(double *m, int n)
{
	double max = 0.0;
	for (int i = 0; i < n; ++i)
		max = rbl_maxd(max, m[row(i) + i]);
	for (int i = 0; i < n; ++i) {
		double *r = m + row(i);
		double own = r[i];
		for (int j = 0; j < i; ++j) {
			const double *q = m + row(j);
			double sum = r[j];
			for (int k = 0; k < j; ++k)
				sum -= r[k] * q[k];
			r[j] = sum * q[j]; // q[j] is one over the diagonal
		}
		double sum = own;
		for (int k = 0; k < i; ++k)
			sum -= r[k] * r[k];
		double min = 1e-10 * (own > 0.0 ? own : max > 0.0 ? max : 1.0);
		r[i] = 1.0 / sqrt(rbl_maxd(sum, min));
	}
}

static void solve(const double *m, int n, double *x)
{
	for (int i = 0; i < n; ++i) {
		const double *r = m + row(i);
		double sum = x[i];
		for (int k = 0; k < i; ++k)
			sum -= r[k] * x[k];
		x[i] = sum * r[i];
	}
	for (int i = n - 1; i >= 0; --i) {
		x[i] *= m[row(i) + i];
		for (int k = 0; k < i; ++k)
			x[k] -= m[row(i) + k] * x[i];
	}
}

// The matrices of a beam between two of its sides: force and moment on one for a motion of the
// other.
static void beam_blocks(const rbl_beam *beam, int side, int other, double blocks[2][2][3][3])
{
	const rbl_sym3 *k = &beam->linear_stiffness, *q = &beam->angular_stiffness;
	const double stretch[3][3] = { { k->xx, k->xy, k->xz },
		                           { k->xy, k->yy, k->yz },
		                           { k->xz, k->yz, k->zz } };
	const double twist[3][3] = { { q->xx, q->xy, q->xz },
		                         { q->xy, q->yy, q->yz },
		                         { q->xz, q->yz, q->zz } };
	double sign = side == other ? 1.0 : -1.0;
	rbl_vec3d a = beam->arms[side], b = beam->arms[other];
	// The joint moves by linear + angular x arm = linear + T angular.
	const double from[3][3] = { { 0.0, b.z, -b.y }, { -b.z, 0.0, b.x }, { b.y, -b.x, 0.0 } };
	const double to[3][3] = { { 0.0, -a.z, a.y }, { a.z, 0.0, -a.x }, { -a.y, a.x, 0.0 } };
	double product[3][3];
	for (int i = 0; i < 3; ++i) {
		for (int j = 0; j < 3; ++j) {
			product[i][j] = stretch[i][0] * from[0][j] + stretch[i][1] * from[1][j] +
			                stretch[i][2] * from[2][j];
			blocks[0][0][i][j] = sign * stretch[i][j];
			blocks[0][1][i][j] = sign * product[i][j];
			blocks[1][0][i][j] = sign * (to[i][0] * stretch[0][j] + to[i][1] * stretch[1][j] +
			                             to[i][2] * stretch[2][j]);
		}
	}
	for (int i = 0; i < 3; ++i) {
		for (int j = 0; j < 3; ++j)
			blocks[1][1][i][j] = sign * (twist[i][j] + to[i][0] * product[0][j] +
			                             to[i][1] * product[1][j] + to[i][2] * product[2][j]);
	}
}

static void add_beam(double *m, const rbl_beam *beam, int side, int other, int at_row,
                     int at_column)
{
	double blocks[2][2][3][3];
	beam_blocks(beam, side, other, blocks);
	for (int i = 0; i < 2; ++i) {
		for (int j = 0; j < 2; ++j)
			add_cross(m, at_row + 3 * i, at_column + 3 * j, (const double(*)[3])blocks[i][j]);
	}
}

// --- groups -------------------------------------------------------------------------------------

typedef struct ends {
	int *starts; // per body, then the beams of each
	int *beams;
} ends;

static bool list_ends(const rbl_allocator *a, const rbl_stress_level *level, ends *e)
{
	e->starts = RBL_NEW_ZERO(a, int, (size_t)level->body_count + 2);
	e->beams = RBL_NEW(a, int, 2 * (size_t)level->beam_count + 1);
	if (!e->starts || !e->beams)
		return false;
	for (int i = 0; i < 2 * level->beam_count; ++i) {
		int body = level->beams[i / 2].bodies[i % 2];
		if (body >= 0)
			e->starts[body + 2]++;
	}
	for (int i = 0; i < level->body_count; ++i)
		e->starts[i + 2] += e->starts[i + 1];
	for (int i = 0; i < 2 * level->beam_count; ++i) {
		int body = level->beams[i / 2].bodies[i % 2];
		if (body >= 0)
			e->beams[e->starts[body + 1]++] = i / 2;
	}
	return true;
}

static int other_body(const rbl_beam *beam, int body)
{
	return beam->bodies[beam->bodies[0] == body];
}

// A body whose neighbours are all free takes them; what is left over joins a neighbour's group.
static int make_groups(rbl_stress_level *level, const ends *e)
{
	int n = level->body_count, count = 0;
	for (int i = 0; i < n; ++i)
		level->groups[i] = -1;
	for (int i = 0; i < n; ++i) {
		bool is_free = level->groups[i] < 0;
		for (int k = e->starts[i]; k < e->starts[i + 1] && is_free; ++k) {
			int other = other_body(&level->beams[e->beams[k]], i);
			is_free = other < 0 || level->groups[other] < 0;
		}
		if (!is_free)
			continue;
		level->groups[i] = count;
		for (int k = e->starts[i]; k < e->starts[i + 1]; ++k) {
			int other = other_body(&level->beams[e->beams[k]], i);
			if (other >= 0)
				level->groups[other] = count;
		}
		count++;
	}
	for (int i = 0; i < n; ++i) {
		for (int k = e->starts[i]; k < e->starts[i + 1] && level->groups[i] < 0; ++k) {
			int other = other_body(&level->beams[e->beams[k]], i);
			if (other >= 0 && level->groups[other] >= 0)
				level->groups[i] = level->groups[other];
		}
		if (level->groups[i] < 0)
			level->groups[i] = count++;
	}
	return count;
}

static bool allocate_level(const rbl_allocator *a, rbl_stress_level *level)
{
	size_t n = (size_t)level->body_count + 1;
	level->factors = RBL_NEW_ZERO(a, double, ROWS *n);
	level->groups = RBL_NEW(a, int, n);
	level->forces = RBL_NEW(a, rbl_wrench, n);
	level->motions = RBL_NEW(a, rbl_wrench, n);
	return level->factors && level->groups && level->forces && level->motions;
}

static void factor_bodies(rbl_stress_level *level)
{
	for (int i = 0; i < level->beam_count; ++i) {
		const rbl_beam *beam = &level->beams[i];
		for (int side = 0; side < 2; ++side) {
			if (beam->bodies[side] >= 0)
				add_beam(level->factors + ROWS * (size_t)beam->bodies[side], beam, side, side, 0,
				         0);
		}
	}
	for (int i = 0; i < level->body_count; ++i)
		factor(level->factors + ROWS * (size_t)i, N);
}

static bool make_coarser(const rbl_allocator *a, const rbl_stress_level *fine,
                         rbl_stress_level *coarse)
{
	int n = coarse->body_count, count = 0;
	int *sizes = RBL_NEW_ZERO(a, int, n);
	coarse->points = RBL_NEW_ZERO(a, rbl_vec3d, n);
	for (int i = 0; i < fine->beam_count; ++i) {
		int p = fine->beams[i].bodies[0], q = fine->beams[i].bodies[1];
		count += p < 0 || q < 0 || fine->groups[p] != fine->groups[q];
	}
	coarse->beam_count = count;
	coarse->beams = RBL_NEW(a, rbl_beam, (size_t)count + 1);
	if (!sizes || !coarse->points || !coarse->beams) {
		RBL_FREE(a, sizes, n);
		return false;
	}
	for (int i = 0; i < fine->body_count; ++i) {
		int g = fine->groups[i];
		sizes[g]++;
		rbl_vec3d to = rbl_sub_d(fine->points[i], coarse->points[g]);
		coarse->points[g] = rbl_add_scaled_d(coarse->points[g], 1.0 / sizes[g], to);
	}
	RBL_FREE(a, sizes, n);
	count = 0;
	for (int i = 0; i < fine->beam_count; ++i) {
		rbl_beam beam = fine->beams[i];
		for (int side = 0; side < 2; ++side) {
			int body = beam.bodies[side];
			if (body < 0)
				continue;
			beam.bodies[side] = fine->groups[body];
			rbl_vec3d joint = rbl_add_d(fine->points[body], beam.arms[side]);
			beam.arms[side] = rbl_sub_d(joint, coarse->points[beam.bodies[side]]);
		}
		if (beam.bodies[0] != beam.bodies[1])
			coarse->beams[count++] = beam;
	}
	return true;
}

static bool make_dense(rbl_stress *s)
{
	const rbl_stress_level *last = &s->levels[s->level_count - 1];
	int n = N * last->body_count;
	s->dense_size = row(n);
	s->dense = RBL_NEW_ZERO(&s->allocator, double, (size_t)s->dense_size + 1);
	if (!s->dense)
		return false;
	for (int i = 0; i < last->beam_count; ++i) {
		const rbl_beam *beam = &last->beams[i];
		for (int side = 0; side < 2; ++side) {
			for (int other = 0; other < 2; ++other) {
				int p = beam->bodies[side], q = beam->bodies[other];
				if (p >= 0 && q >= 0)
					add_beam(s->dense, beam, side, other, N * p, N * q);
			}
		}
	}
	factor(s->dense, n);
	return true;
}

bool rbl_stress_make_levels(rbl_stress *s)
{
	const rbl_allocator *a = &s->allocator;
	s->level_count = 1;
	for (int i = 0;; ++i) {
		rbl_stress_level *level = &s->levels[i];
		if (!allocate_level(a, level))
			return false;
		factor_bodies(level);
		if (level->body_count <= RBL_STRESS_DENSE || i + 1 == RBL_STRESS_LEVELS)
			break;
		ends e = { NULL, NULL };
		bool done = list_ends(a, level, &e);
		int count = done ? make_groups(level, &e) : 0;
		RBL_FREE(a, e.starts, (size_t)level->body_count + 2);
		RBL_FREE(a, e.beams, 2 * (size_t)level->beam_count + 1);
		if (!done)
			return false;
		if (count == level->body_count) // many small components
			break;
		s->level_count++;
		s->levels[i + 1].body_count = count;
		if (!make_coarser(a, level, &s->levels[i + 1]))
			return false;
	}
	return s->levels[s->level_count - 1].body_count > RBL_STRESS_DENSE || make_dense(s);
}

void rbl_stress_free_levels(rbl_stress *s)
{
	const rbl_allocator *a = &s->allocator;
	for (int i = 0; i < RBL_STRESS_LEVELS; ++i) {
		rbl_stress_level *level = &s->levels[i];
		size_t n = (size_t)level->body_count + 1;
		RBL_FREE(a, level->points, i == 0 ? n : n - 1);
		RBL_FREE(a, level->beams, (size_t)level->beam_count + 1);
		RBL_FREE(a, level->factors, ROWS * n);
		RBL_FREE(a, level->groups, n);
		RBL_FREE(a, level->forces, n);
		RBL_FREE(a, level->motions, n);
	}
	memset(s->levels, 0, sizeof s->levels);
	RBL_FREE(a, s->dense, (size_t)s->dense_size + 1);
	s->dense = NULL;
	s->dense_size = s->level_count = 0;
}

// --- an answer from all levels ------------------------------------------------------------------

static void solve_bodies(const rbl_stress_level *level, const rbl_wrench *forces,
                         rbl_wrench *motions)
{
	for (int i = 0; i < level->body_count; ++i) {
		motions[i] = forces[i];
		solve(level->factors + ROWS * (size_t)i, N, (double *)&motions[i]);
	}
}

void rbl_stress_precondition(rbl_stress *s, const rbl_wrench *forces, rbl_wrench *motions)
{
	const rbl_wrench *given = forces;
	for (int i = 0; i + 1 < s->level_count; ++i) { // down: forces of groups
		const rbl_stress_level *fine = &s->levels[i];
		rbl_stress_level *coarse = &s->levels[i + 1];
		memset(coarse->forces, 0, (size_t)coarse->body_count * sizeof *coarse->forces);
		for (int k = 0; k < fine->body_count; ++k) {
			rbl_wrench *to = &coarse->forces[fine->groups[k]];
			rbl_vec3d arm = rbl_sub_d(fine->points[k], coarse->points[fine->groups[k]]);
			to->linear = rbl_add_d(to->linear, given[k].linear);
			to->angular = rbl_add_d(to->angular, given[k].angular);
			to->angular = rbl_add_d(to->angular, rbl_cross_d(arm, given[k].linear));
		}
		given = coarse->forces;
	}
	rbl_stress_level *last = &s->levels[s->level_count - 1];
	rbl_wrench *found = s->level_count > 1 ? last->motions : motions;
	if (s->dense) {
		memcpy(found, given, (size_t)last->body_count * sizeof *found);
		solve(s->dense, N * last->body_count, (double *)found);
	} else {
		solve_bodies(last, given, found);
	}
	for (int i = s->level_count - 2; i >= 0; --i) { // up: motions of groups, and each body's own
		rbl_stress_level *fine = &s->levels[i];
		const rbl_stress_level *coarse = &s->levels[i + 1];
		rbl_wrench *out = i > 0 ? fine->motions : motions;
		solve_bodies(fine, i > 0 ? fine->forces : forces, out);
		for (int k = 0; k < fine->body_count; ++k) {
			const rbl_wrench *from = &coarse->motions[fine->groups[k]];
			rbl_vec3d arm = rbl_sub_d(fine->points[k], coarse->points[fine->groups[k]]);
			out[k].linear = rbl_add_d(out[k].linear, from->linear);
			out[k].linear = rbl_add_d(out[k].linear, rbl_cross_d(from->angular, arm));
			out[k].angular = rbl_add_d(out[k].angular, from->angular);
		}
	}
}
