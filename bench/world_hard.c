// SPDX-License-Identifier: MIT
//
// A cube on one a thousand times lighter, a hundred boxes made at one place, two thousand at one point: what
// is lost, how fast they come apart, and what a step costs.

#include "world_hard.h"

#include "base/vec.h"

#include <rubble/rubble.h>

typedef struct hard_world {
	rbl_world *world;
	rbl_collider *box, *floor;
} hard_world;

static rbl_collider *make_box(float x, float y, float z)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ x, y, z };
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

static rbl_body_id add(hard_world *w, const rbl_collider *collider, float y, float density,
                       rbl_body_kind kind)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = collider;
	def.kind = kind;
	def.pose.position.y = y;
	def.material.density = density;
	return rbl_create_body(w->world, &def);
}

static bool open(hard_world *w)
{
	rbl_world_def def = rbl_default_world_def();
	*w =
		(hard_world){ .box = make_box(0.25f, 0.25f, 0.25f), .floor = make_box(50.0f, 0.5f, 50.0f) };
	return w->box && w->floor && rbl_create_world(&def, &w->world) == RBL_OK &&
	       !rbl_body_id_is_null(add(w, w->floor, -0.5f, 1000.0f, RBL_BODY_STATIC));
}

static void close(hard_world *w)
{
	rbl_destroy_world(w->world);
	rbl_destroy_collider(w->box);
	rbl_destroy_collider(w->floor);
}

static void report(bench *b, const char *name, const char *metric, double value, double target,
                   const char *unit)
{
	bench_row(b, name, "rubble", metric, value, unit);
	bench_row(b, name, "target", metric, target, unit);
}

static void run_ratio(bench *b, hard_world *w)
{
	add(w, w->box, 0.25f, 100.0f, RBL_BODY_DYNAMIC);
	rbl_body_id top = add(w, w->box, 0.75f, 100000.0f, RBL_BODY_DYNAMIC);
	for (int i = 0; i < 600; ++i)
		rbl_world_step(w->world, 1.0f / 60.0f);
	double height = (double)rbl_body_pose(w->world, top).position.y - 0.25;
	report(b, "ratio-1000", "height_lost_percent", 100.0 * (0.5 - height) / 0.5, 5.0, "%");
}

static void run_spawn(bench *b, hard_world *w)
{
	rbl_body_id boxes[100];
	double fastest = 0.0;
	for (int i = 0; i < 100; ++i)
		boxes[i] = add(w, w->box, 2.0f, 1000.0f, RBL_BODY_DYNAMIC);
	for (int k = 0; k < 300; ++k) {
		rbl_world_step(w->world, 1.0f / 60.0f);
		for (int i = 0; i < 100; ++i) {
			rbl_vec3 v = rbl_body_velocity(w->world, boxes[i]);
			double speed = (double)rbl_length((rbl_vec3){ v.x, 0.0f, v.z });
			fastest = speed > fastest ? speed : fastest;
		}
	}
	report(b, "spawn-100", "sideways_m_s", fastest, 2.0, "m/s");
}

static void run_point(bench *b, hard_world *w)
{
	double worst = 0.0, bytes = 0.0;
	for (int i = 0; i < 2000; ++i)
		add(w, w->box, 2.0f, 1000.0f, RBL_BODY_DYNAMIC);
	for (int k = 0; k < 3; ++k) {
		rbl_world_step(w->world, 1.0f / 60.0f);
		rbl_world_stats stats = rbl_world_get_stats(w->world);
		worst = stats.step_ms > worst ? stats.step_ms : worst;
		bytes = (double)stats.bytes > bytes ? (double)stats.bytes : bytes;
	}
	report(b, "point-2000", "ms_worst", worst, 200.0, "ms");
	report(b, "point-2000", "megabytes", 1e-6 * bytes, 100.0, "MB");
}

void bench_hard_cases(bench *b)
{
	static const struct {
		const char *name;
		void (*run)(bench *b, hard_world *w);
	} cases[] = { { "ratio-1000", run_ratio },
		          { "spawn-100", run_spawn },
		          { "point-2000", run_point } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		hard_world w;
		if (!bench_wants(b, cases[i].name))
			continue;
		if (open(&w))
			cases[i].run(b, &w);
		else
			bench_fail(b, cases[i].name, "rubble", "the world could not be made");
		close(&w);
	}
}
