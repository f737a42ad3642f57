// SPDX-License-Identifier: MIT

#include "many_worlds.h"

#include "base/random.h"
#include "base/vec.h"

enum { STACK_HEIGHT = 4 };

bool many_worlds_open(many_worlds *m, int step_count)
{
	*m = (many_worlds){ .step_count = step_count };
	rbl_collider_def floor = rbl_default_collider_def(RBL_COLLIDER_BOX);
	floor.half_size = (rbl_vec3){ 20.0f, 0.5f, 20.0f };
	rbl_collider_def ball = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	ball.radius = 0.2f;
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 0.5, 0.5, 0.5 };
	rbl_prepare_def prepare = rbl_default_prepare_def();
	rbl_preset_def preset = rbl_default_preset_def(RBL_PRESET_STONE);
	return rbl_create_collider(&floor, &m->floor) == RBL_OK &&
	       rbl_create_collider(&ball, &m->ball) == RBL_OK &&
	       rbl_create_box_mesh(&box, &m->mesh) == RBL_OK &&
	       rbl_prepare(m->mesh, &prepare, &m->asset) == RBL_OK &&
	       rbl_create_preset_material(&preset, &m->material) == RBL_OK;
}

void many_worlds_close(many_worlds *m)
{
	rbl_destroy_material(m->material);
	rbl_destroy_asset(m->asset);
	rbl_destroy_mesh(m->mesh);
	rbl_destroy_collider(m->ball);
	rbl_destroy_collider(m->floor);
}

static bool fill_world(const many_worlds *m, rbl_world *world, int number)
{
	rbl_random random = rbl_random_from_seed((uint64_t)number);
	rbl_body_def def = rbl_default_body_def();
	def.kind = RBL_BODY_STATIC;
	def.collider = m->floor;
	def.pose.position = (rbl_vec3){ 0.0f, -0.5f, 0.0f };
	bool ok = !rbl_body_id_is_null(rbl_create_body(world, &def));
	def = rbl_default_body_def();
	def.asset = m->asset;
	def.shared_material = m->material;
	for (int i = 0; i < STACK_HEIGHT; ++i) {
		def.pose.position = (rbl_vec3){ 0.0f, 0.25f + 0.5f * (float)i, 0.0f };
		ok &= !rbl_body_id_is_null(rbl_create_body(world, &def));
	}
	def = rbl_default_body_def();
	def.collider = m->ball;
	double height = rbl_random_range(&random, 0.3, 1.8);
	double side = rbl_random_range(&random, -0.2, 0.2);
	double speed = rbl_random_range(&random, 4.0, 20.0);
	def.pose.position = (rbl_vec3){ -2.0f, (float)height, (float)side };
	def.velocity = (rbl_vec3){ (float)speed, 1.0f, 0.0f };
	return ok && !rbl_body_id_is_null(rbl_create_body(world, &def));
}

static void run_world(const many_worlds *m, rbl_jobs *jobs, int number, many_worlds_result *result)
{
	*result = (many_worlds_result){ .hash = 0 };
	rbl_world_def def = rbl_default_world_def();
	def.jobs = jobs;
	rbl_world *world = NULL;
	if (rbl_create_world(&def, &world) != RBL_OK)
		return;
	bool ok = fill_world(m, world, number);
	for (int i = 0; ok && i < m->step_count; ++i)
		ok = rbl_world_step(world, 1.0f / 60.0f) == RBL_OK;
	if (ok)
		*result = (many_worlds_result){ rbl_world_hash(world), rbl_world_body_count(world) };
	rbl_destroy_world(world);
}

typedef struct many_worlds_loop {
	const many_worlds *m;
	rbl_jobs *jobs;
	int first;
	many_worlds_result *results;
} many_worlds_loop;

static void run_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	many_worlds_loop *loop = context;
	for (int i = begin; i < end; ++i)
		run_world(loop->m, loop->jobs, loop->first + i, &loop->results[i]);
}

void many_worlds_run(const many_worlds *m, rbl_jobs *jobs, int first, int count,
                     many_worlds_result *results)
{
	many_worlds_loop loop = { m, jobs, first, results };
	rbl_parallel_for(jobs, count, 1, run_block, &loop);
}
