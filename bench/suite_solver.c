// SPDX-License-Identifier: MIT
//
// What iterations of the solver cost: a block of cubes side by side, each touching its six
// neighbours with four points, that rests without gravity. A step is taken with one sub-step and
// with nine; the difference is eight iterations, bodies included.

#include "bench.h"
#include "solver_crowds.h"

#include "base/kernel.h"
#include "base/vec.h"
#include "solver/solver.h"

#include <stdlib.h>

typedef struct block {
	rbl_solver *solver;
	int side, contact_count;
	int substep_count;
} block;

static int index_of(const block *b, int x, int y, int z)
{
	return (z * b->side + y) * b->side + x;
}

// The face between a cube and the next one along an axis.
static rbl_manifold face_of(rbl_vec3 centre, int axis)
{
	const rbl_vec3 axes[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	rbl_vec3 n = axes[axis], u = axes[(axis + 1) % 3], v = axes[(axis + 2) % 3];
	rbl_manifold m = { .normal = n, .point_count = 4 };
	for (int i = 0; i < 4; ++i) {
		rbl_vec3 p = rbl_add_scaled(centre, 0.25f, n);
		p = rbl_add_scaled(p, i & 1 ? 0.25f : -0.25f, u);
		p = rbl_add_scaled(p, i & 2 ? 0.25f : -0.25f, v);
		m.points[i] =
			(rbl_manifold_point){ .position = p, .separation = -1e-4f, .id = (uint32_t)i };
	}
	return m;
}

static bool add_contacts(block *b, const int32_t *bodies)
{
	for (int i = 0; i < b->side * b->side * b->side; ++i) {
		int at[3] = { i % b->side, i / b->side % b->side, i / b->side / b->side };
		for (int axis = 0; axis < 3; ++axis) {
			int next[3] = { at[0] + (axis == 0), at[1] + (axis == 1), at[2] + (axis == 2) };
			if (next[axis] >= b->side)
				continue;
			rbl_solver_contact def = { .a = bodies[i],
				                       .b = bodies[index_of(b, next[0], next[1], next[2])],
				                       .friction = 0.6f };
			int32_t contact;
			rbl_manifold m = face_of(rbl_solver_poses(b->solver)[bodies[i]].centre, axis);
			if (rbl_solver_add_contacts(b->solver, &def, 1, &contact) != RBL_OK ||
			    rbl_solver_set_manifold(b->solver, contact, &m) != RBL_OK)
				return false;
			b->contact_count++;
		}
	}
	return true;
}

static bool make_block(block *b, int side)
{
	*b = (block){ .side = side };
	rbl_solver_def def = rbl_default_solver_def();
	def.can_sleep = false;
	if (rbl_create_solver(&def, &b->solver) != RBL_OK)
		return false;
	int count = side * side * side;
	int32_t *bodies = malloc((size_t)count * sizeof *bodies);
	bool ok = bodies != NULL;
	for (int i = 0; ok && i < count; ++i) {
		rbl_solver_body body = rbl_default_solver_body();
		body.centre = (rbl_vec3){ 0.5f * (float)(i % side), 0.5f * (float)(i / side % side),
			                      0.5f * (float)(i / side / side) };
		body.inverse_mass = 1.0f / 125.0f;
		body.inverse_inertia = rbl_mat_scale(24.0f / 125.0f, rbl_mat_identity());
		ok = rbl_solver_add_bodies(b->solver, &body, 1, &bodies[i]) == RBL_OK;
	}
	ok = ok && add_contacts(b, bodies);
	free(bodies);
	return ok;
}

static void run_step(void *context)
{
	block *b = context;
	rbl_solver_step(b->solver, 1.0f / 60.0f, b->substep_count, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
}

static void run_case(bench *b, const char *name, int side)
{
	if (!bench_wants(b, name))
		return;
	rbl_backend best = rbl_best_backend();
	for (int backend = RBL_BACKEND_PLAIN; backend <= (int)best; ++backend) {
		const char *variant = rbl_backend_name((rbl_backend)backend);
		block pile;
		rbl_force_backend((rbl_backend)backend);
		if (!make_block(&pile, side)) {
			bench_fail(b, name, variant, "out of memory");
		} else {
			bench_job job = { .run = run_step, .context = &pile, .unit = "ms", .metric = "step_1" };
			pile.substep_count = 1;
			double one = bench_time(b, name, variant, &job);
			pile.substep_count = 9;
			job.metric = "step_9";
			double nine = bench_time(b, name, variant, &job);
			bench_row(b, name, variant, "sweep_per_contact",
			          (nine - one) * 1e6 / 8.0 / pile.contact_count, "ns");
			bench_row(b, name, variant, "bytes_per_contact",
			          (double)rbl_solver_count(pile.solver).bytes / pile.contact_count, "B");
		}
		rbl_destroy_solver(pile.solver);
	}
	rbl_force_backend(best);
}

static void run(bench *b)
{
	run_case(b, "block_1000", 10);
	run_case(b, "block_8000", 20);
	if (!bench_is_quick(b))
		run_case(b, "block_27000", 30);
	bench_solver_crowds(b);
}

const bench_suite bench_suite_solver = { "solver",
	                                     "iterations over contacts, by SIMD width; crowds", run };
