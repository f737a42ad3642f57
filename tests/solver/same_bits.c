// SPDX-License-Identifier: MIT
// ctest: threads
//
// The same bits for any number of workers and any width of lanes.

#include "solver/yard.h"

#include "test.h"

static uint64_t run_pile(rbl_jobs *jobs, rbl_backend backend, int count)
{
	rbl_backend best = rbl_best_backend();
	rbl_force_backend(backend);
	rbl_solver_def def = rbl_default_solver_def();
	def.jobs = jobs;
	yard y;
	yard_begin(&y, &def);
	y.restitution = 0.2f;
	yard_add_pile(&y, count, 1.6f);
	rbl_solver_joint joint = rbl_default_solver_joint();
	int32_t index;
	joint.a = y.things[5].body, joint.b = y.things[6].body;
	rbl_vec3 translation = rbl_sub(yard_centre(&y, 6), yard_centre(&y, 5));
	joint.frame_a.position = rbl_scale(0.5f, translation), joint.frame_b.position = rbl_scale(-0.5f, translation);
	rbl_solver_add_joint(y.solver, &joint, &index);
	yard_run(&y, 90);
	uint64_t hash = yard_hash(&y);
	yard_end(&y);
	rbl_force_backend(best);
	return hash;
}

static void any_width_of_lanes_gives_the_same_bits(test *t)
{
	uint64_t first = run_pile(NULL, RBL_BACKEND_PLAIN, 80);
	for (int backend = RBL_BACKEND_FOUR; backend <= (int)rbl_best_backend(); ++backend)
		CHECK(t, run_pile(NULL, (rbl_backend)backend, 80) == first);
}

static void any_number_of_workers_gives_the_same_bits(test *t)
{
	uint64_t first = run_pile(NULL, rbl_best_backend(), 400);
	for (int workers = 2; workers <= 4; workers += 2) {
		rbl_jobs_def def = rbl_default_jobs_def();
		def.worker_count = workers;
		rbl_jobs *jobs;
		CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_OK);
		CHECK(t, run_pile(jobs, rbl_best_backend(), 400) == first);
		rbl_destroy_jobs(jobs);
	}
}

TEST_MAIN(TEST(any_width_of_lanes_gives_the_same_bits),
          TEST(any_number_of_workers_gives_the_same_bits))
