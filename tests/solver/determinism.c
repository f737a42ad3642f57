// SPDX-License-Identifier: MIT
// ctest: threads
//
// The same bits for any number of workers and any SIMD width.

#include "solver/test_world.h"

#include "test.h"
#include "worker_pool.h"

static uint64_t run_pile(rbl_jobs *jobs, rbl_backend backend, int count)
{
	rbl_backend best = rbl_best_backend();
	rbl_force_backend(backend);
	rbl_solver_def def = rbl_default_solver_def();
	def.jobs = jobs;
	test_world w;
	test_world_begin(&w, &def);
	w.restitution = 0.2f;
	test_world_add_pile(&w, count, 1.6f);
	rbl_solver_joint joint = rbl_default_solver_joint();
	int32_t index;
	joint.a = w.objects[5].body, joint.b = w.objects[6].body;
	rbl_vec3 offset = rbl_sub(test_world_centre(&w, 6), test_world_centre(&w, 5));
	joint.frame_a.position = rbl_scale(0.5f, offset),
	joint.frame_b.position = rbl_scale(-0.5f, offset);
	rbl_solver_add_joint(w.solver, &joint, &index);
	test_world_run(&w, 90);
	uint64_t hash = test_world_hash(&w);
	test_world_end(&w);
	rbl_force_backend(best);
	return hash;
}

static void any_simd_width_gives_the_same_bits(test *t)
{
	uint64_t first = run_pile(NULL, RBL_BACKEND_PLAIN, 80);
	for (int backend = RBL_BACKEND_FOUR; backend <= (int)rbl_best_backend(); ++backend)
		CHECK(t, run_pile(NULL, (rbl_backend)backend, 80) == first);
}

static void any_number_of_workers_gives_the_same_bits(test *t)
{
	uint64_t first = run_pile(NULL, rbl_best_backend(), 400);
	for (int workers = 2; workers <= 4; workers += 2) {
		rbl_jobs *jobs = create_pool(workers);
		CHECK(t, run_pile(jobs, rbl_best_backend(), 400) == first);
		rbl_destroy_jobs(jobs);
	}
}

TEST_MAIN(TEST(any_simd_width_gives_the_same_bits), TEST(any_number_of_workers_gives_the_same_bits))
