// SPDX-License-Identifier: MIT
//
// Static equilibrium by preconditioned conjugate gradients, which can stop after any iteration and
// resume in the next call. While neither beams nor loads change, calls continue one solve; when
// loads change, a new one starts from the motions found so far (a warm start).

#include "stress/stress_system.h"

#include "base/vec.h"

// Steps without a better residual after which it is rounding that keeps it up.
enum { PATIENCE = 1000 };

rbl_wrench rbl_beam_force(const rbl_beam *beam, const rbl_wrench *motions)
{
	rbl_vec3d apart = { 0.0, 0.0, 0.0 }, rotation = { 0.0, 0.0, 0.0 };
	for (int side = 0; side < 2; ++side) {
		int body = beam->bodies[side];
		if (body < 0)
			continue;
		const rbl_wrench *m = &motions[body];
		rbl_vec3d at = rbl_add_d(m->linear, rbl_cross_d(m->angular, beam->arms[side]));
		double sign = side ? 1.0 : -1.0;
		apart = rbl_add_scaled_d(apart, sign, at);
		rotation = rbl_add_scaled_d(rotation, sign, m->angular);
	}
	return (rbl_wrench){ rbl_sym_mul(&beam->linear_stiffness, apart),
		                 rbl_sym_mul(&beam->angular_stiffness, rotation) };
}

// Multiply by the stiffness matrix: forces in the beams of level 0 for given motions.
static void apply_stiffness(const rbl_stress *s, const rbl_wrench *motions, rbl_wrench *forces)
{
	const rbl_stress_level *level = &s->levels[0];
	memset(forces, 0, (size_t)level->body_count * sizeof *forces);
	for (int i = 0; i < level->beam_count; ++i) {
		const rbl_beam *beam = &level->beams[i];
		rbl_wrench f = rbl_beam_force(beam, motions);
		for (int side = 0; side < 2; ++side) {
			int body = beam->bodies[side];
			if (body < 0)
				continue;
			double sign = side ? 1.0 : -1.0;
			rbl_vec3d moment = rbl_add_d(rbl_cross_d(beam->arms[side], f.linear), f.angular);
			forces[body].linear = rbl_add_scaled_d(forces[body].linear, sign, f.linear);
			forces[body].angular = rbl_add_scaled_d(forces[body].angular, sign, moment);
		}
	}
}

static double dot(const rbl_wrench *a, const rbl_wrench *b, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
		sum += rbl_dot_d(a[i].linear, b[i].linear) + rbl_dot_d(a[i].angular, b[i].angular);
	return sum;
}

static void add_scaled(rbl_wrench *to, double scale, const rbl_wrench *from, int count)
{
	for (int i = 0; i < count; ++i) {
		to[i].linear = rbl_add_scaled_d(to[i].linear, scale, from[i].linear);
		to[i].angular = rbl_add_scaled_d(to[i].angular, scale, from[i].angular);
	}
}

static void set_residual(rbl_stress *s)
{
	s->residual = s->load_energy > 0.0 ? sqrt(rbl_maxd(s->energy, 0.0) / s->load_energy) : 0.0;
}

void rbl_stress_restart(rbl_stress *s)
{
	int n = s->body_count;
	rbl_stress_precondition(s, s->loads, s->images);
	s->load_energy = dot(s->loads, s->images, n);
	apply_stiffness(s, s->motions, s->images);
	memcpy(s->residuals, s->loads, (size_t)n * sizeof *s->residuals);
	add_scaled(s->residuals, -1.0, s->images, n);
	rbl_stress_precondition(s, s->residuals, s->directions);
	s->energy = dot(s->residuals, s->directions, n);
	s->is_iterating = true;
	s->is_stalled = false;
	set_residual(s);
	s->best = s->residual;
	s->idle_count = 0;
}

void rbl_stress_iterate(rbl_stress *s)
{
	int n = s->body_count;
	apply_stiffness(s, s->directions, s->images);
	double curvature = dot(s->directions, s->images, n);
	if (!(curvature > 0.0) || !(s->energy > 0.0)) { // nothing left to gain
		s->is_stalled = true;
		return;
	}
	double step = s->energy / curvature;
	add_scaled(s->motions, step, s->directions, n);
	add_scaled(s->residuals, -step, s->images, n);
	rbl_stress_precondition(s, s->residuals, s->images);
	double energy = dot(s->residuals, s->images, n), ratio = energy / s->energy;
	for (int i = 0; i < n; ++i) {
		s->directions[i].linear =
			rbl_add_scaled_d(s->images[i].linear, ratio, s->directions[i].linear);
		s->directions[i].angular =
			rbl_add_scaled_d(s->images[i].angular, ratio, s->directions[i].angular);
	}
	s->energy = energy;
	set_residual(s);
	s->idle_count = s->residual < 0.99 * s->best ? 0 : s->idle_count + 1;
	s->best = rbl_mind(s->best, s->residual);
	s->is_stalled = s->idle_count > PATIENCE;
}
