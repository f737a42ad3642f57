// SPDX-License-Identifier: MIT
//
// A cube on one a thousand times lighter, a hundred boxes made at one place, two thousand at one point,
// stacks of tiny and of huge cubes: what is lost, how fast they come apart, and what a step costs.

#include "world_hard.h"
#include "world_frames.h"

#include "base/vec.h"

#include <rubble/rubble.h>

typedef struct hard_world {
	rbl_world *world;
	rbl_collider *box, *floor;
	const char *name;
	float size, ratio;
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

// @param size  of the length scale, twice that of boxes
static bool open(hard_world *w, float size)
{
	rbl_world_def def = rbl_default_world_def();
	def.length_scale = size;
	*w = (hard_world){ .box = make_box(0.25f * size, 0.25f * size, 0.25f * size),
		               .floor = make_box(50.0f * size, 0.5f * size, 50.0f * size),
		               .size = size };
	return w->box && w->floor && rbl_create_world(&def, &w->world) == RBL_OK &&
	       !rbl_body_id_is_null(add(w, w->floor, -0.5f * size, 1000.0f, RBL_BODY_STATIC));
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
	rbl_body_id top = add(w, w->box, 0.75f, 100.0f * w->ratio, RBL_BODY_DYNAMIC);
	for (int i = 0; i < 600; ++i)
		rbl_world_step(w->world, 1.0f / 60.0f);
	double height = (double)rbl_body_pose(w->world, top).position.y - 0.25;
	report(b, w->name, "height_lost_percent", 100.0 * (0.5 - height) / 0.5, 5.0, "%");
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
	double bytes = 0.0;
	world_frames frames = { 0 };
	for (int i = 0; i < 2000; ++i)
		add(w, w->box, 2.0f, 1000.0f, RBL_BODY_DYNAMIC);
	for (int k = 0; k < 3; ++k) {
		double start = world_clock_ms(1);
		rbl_world_step(w->world, 1.0f / 60.0f);
		double ms = world_clock_ms(1) - start;
		world_stages stages;
		world_read_stages(w->world, &stages);
		world_frames_add(&frames, k, ms, &stages);
		rbl_world_stats stats = rbl_world_get_stats(w->world);
		bytes = (double)stats.bytes > bytes ? (double)stats.bytes : bytes;
	}
	world_frames_report(b, "point-2000", "rubble", "", &frames, 0, frames.count);
	world_frames_free(&frames);
	bench_row(b, "point-2000", "target", "ms_worst", 200.0, "ms");
	report(b, "point-2000", "megabytes", 1e-6 * bytes, 100.0, "MB");
}

static void run_stack(bench *b, hard_world *w)
{
	enum { COUNT = 10 };
	float size = 0.5f * w->size;
	rbl_body_id top = { 0 };
	double asleep_s = 0.0;
	for (int i = 0; i < COUNT; ++i)
		top = add(w, w->box, ((float)i + 0.5f) * size, 1000.0f, RBL_BODY_DYNAMIC);
	for (int k = 1; k <= 600; ++k) {
		rbl_world_step(w->world, 1.0f / 60.0f);
		asleep_s = rbl_world_get_stats(w->world).awake_count > 0 ? k / 60.0 : asleep_s;
	}
	double height = (double)(rbl_body_pose(w->world, top).position.y / size) + 0.5;
	report(b, w->name, "height_lost_percent", 100.0 * (COUNT - height) / COUNT, 1.0, "%");
	report(b, w->name, "awake_s", asleep_s, 3.0, "s");
}

void bench_hard_cases(bench *b)
{
	static const struct {
		const char *name;
		void (*run)(bench *b, hard_world *w);
		float size, ratio;
	} cases[] = {
		{ "ratio-1000", run_ratio, 1.0f, 1000.0f }, { "ratio-10000", run_ratio, 1.0f, 10000.0f },
		{ "spawn-100", run_spawn, 1.0f, 0.0f },     { "point-2000", run_point, 1.0f, 0.0f },
		{ "mm-stack", run_stack, 0.002f, 0.0f },    { "km-stack", run_stack, 2000.0f, 0.0f },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		hard_world w;
		if (!bench_wants(b, cases[i].name))
			continue;
		bool is_open = open(&w, cases[i].size);
		w.name = cases[i].name, w.ratio = cases[i].ratio;
		if (is_open)
			cases[i].run(b, &w);
		else
			bench_fail(b, cases[i].name, "rubble", "the world could not be made");
		close(&w);
	}
}
