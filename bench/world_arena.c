// SPDX-License-Identifier: MIT
//
// The arena by convexes and by fields: a case of the suite `field`.

#include "world_break.h"
#include "world_break_scenes.h"

#include "base/vec.h"

#include <stdlib.h>
#include <time.h>

typedef struct arena_contacts {
	const char *variant;
	rbl_contact_method method;
	int field_resolution;
	double step_ms, step_max_ms, query_ms, query_max_ms, fracture_ms; // the least of all runs
	double processor_ms;
	int runs, steps, fragments, field_count, below_count;
	double awake, lost, bytes;
} arena_contacts;

// Bodies that collide by fields, which have triangles, and bodies that fell through the floor.
static bool count_bodies(const rbl_world *world, arena_contacts *a)
{
	int capacity = rbl_world_body_count(world);
	rbl_body_id *ids = malloc(((size_t)capacity + 1) * sizeof *ids);
	if (!ids)
		return false;
	rbl_world_get_bodies(world, ids, capacity);
	a->field_count = a->below_count = 0;
	for (int i = 0; i < capacity; ++i) {
		rbl_body_part part;
		if (rbl_body_get_parts(world, ids[i], &part, 1) == 1)
			a->field_count += rbl_collider_kind_of(part.collider) == RBL_COLLIDER_MESH;
		a->below_count += rbl_body_get_state(world, ids[i]).centre.y < -0.5f &&
		                  rbl_body_get_state(world, ids[i]).kind == RBL_BODY_DYNAMIC;
	}
	free(ids);
	return true;
}

static void keep_least(double *kept, double value, bool is_first)
{
	*kept = is_first ? value : rbl_mind(*kept, value);
}

// The arena of scenes/arena.json until it is 1,500 bodies, then balls. The ratio is of processor
// time, which what else runs makes hardly longer.
static bool run_arena(arena_contacts *a, int steps)
{
	break_run r = { .is_quick = true,
		            .method = a->method,
		            .field_resolution = a->field_resolution,
		            .random = rbl_random_from_seed(5) };
	int count = 0;
	double step = 0.0, step_max = 0.0, query = 0.0, query_max = 0.0, fracture = 0.0, awake = 0.0;
	double processor = 0.0;
	bool ok = break_open(&r, &break_cases[0], 1);
	for (int left = steps; ok && left > 0 && r.step < BREAK_MOST_STEPS; ++r.step, ++count) {
		break_cases[0].before_step(&r);
		clock_t start = clock();
		ok = rbl_world_step(r.world, 1.0f / 60.0f) == RBL_OK;
		processor += 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
		rbl_world_stats s = rbl_world_get_stats(r.world);
		double query_ms = s.narrow_ms + s.contacts_ms;
		step += s.step_ms, query += query_ms, fracture += s.fracture_ms, awake += s.awake_count;
		step_max = rbl_maxd(step_max, s.step_ms);
		query_max = rbl_maxd(query_max, query_ms);
		left -= r.timed_step >= 0;
	}
	if (ok) {
		rbl_world_stats s = rbl_world_get_stats(r.world);
		bool is_first = a->runs++ == 0;
		keep_least(&a->step_ms, step / count, is_first);
		keep_least(&a->processor_ms, processor / count, is_first);
		keep_least(&a->step_max_ms, step_max, is_first);
		keep_least(&a->query_ms, query / count, is_first);
		keep_least(&a->query_max_ms, query_max, is_first);
		keep_least(&a->fracture_ms, fracture / count, is_first);
		a->steps = count, a->fragments = s.body_count, a->awake = awake / count;
		a->lost = (double)s.lost_count, a->bytes = (double)s.bytes;
		ok = count_bodies(r.world, a);
	}
	break_close(&r);
	return ok;
}

static void report_arena(bench *b, const char *name, const arena_contacts *a, double convex_ms)
{
	bench_row(b, name, a->variant, "step_ms", a->step_ms, "ms");
	bench_row(b, name, a->variant, "step_max_ms", a->step_max_ms, "ms");
	bench_row(b, name, a->variant, "query_ms", a->query_ms, "ms");
	bench_row(b, name, a->variant, "query_max_ms", a->query_max_ms, "ms");
	bench_row(b, name, a->variant, "fracture_ms", a->fracture_ms, "ms");
	bench_row(b, name, a->variant, "processor_ms", a->processor_ms, "ms");
	bench_row(b, name, a->variant, "step_ratio", a->processor_ms / convex_ms, "");
	bench_row(b, name, a->variant, "steps", a->steps, "");
	bench_row(b, name, a->variant, "fragments", a->fragments, "");
	bench_row(b, name, a->variant, "field_bodies", a->field_count, "");
	bench_row(b, name, a->variant, "awake", a->awake, "");
	bench_row(b, name, a->variant, "lost", a->lost, "");
	bench_row(b, name, a->variant, "below_floor", a->below_count, "");
	bench_row(b, name, a->variant, "bytes", a->bytes, "B");
	if (a->below_count > 0)
		bench_fail(b, name, a->variant, "bodies fell through the floor");
}

void bench_arena_contacts(bench *b, const char *name)
{
	// As a scene does, and with cells half as wide, so that more of the pieces are field bodies.
	const int usual = rbl_default_distance_field_def().resolution;
	arena_contacts all[3] = {
		{ .variant = "convex", .method = RBL_CONTACTS_CONVEX },
		{ .variant = "automatic", .method = RBL_CONTACTS_AUTOMATIC, .field_resolution = usual },
		{ .variant = "automatic-fine",
		  .method = RBL_CONTACTS_AUTOMATIC,
		  .field_resolution = 2 * usual },
	};
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 1 : 3;
	bool ok = true;
	for (int i = 0; i < 3 * repeat && ok; ++i) // in turn, so that what else runs slows all
		ok = run_arena(&all[i % 3], bench_is_quick(b) ? 120 : 600);
	for (int i = 0; i < 3; ++i)
		if (ok)
			report_arena(b, name, &all[i], all[0].processor_ms);
		else
			bench_fail(b, name, all[i].variant, "the world could not be made, or a step failed");
}
