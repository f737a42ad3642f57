// SPDX-License-Identifier: MIT
//
// Worlds in which things break.
//
// The arena has more than a million vertices and is one static body. Fifteen blows a second strike
// what is left of it, anywhere, until it is 20,000 bodies of 32,000 convexes or more; from then on two balls a second are
// shot at what is left, for ten seconds. Every step is measured: rows that begin with `breaking_` are of
// the steps up to the last blow, the others of those after it, of which the first have all that still
// falls. The others are measured from their first step to the last: a stone through a pane, stones on
// a heap of bricks, a tower whose columns are shot away.
//
// Times are those of rbl_world_stats, elapsed, breaking included; `fracture_ms_worst` is that of all
// steps, `awake` the mean of the steps of `ms_mean`, `awake_end` the number after the last.
// `processor_ms_mean` is the processor time of all workers in these, which a busy machine does not
// make much longer.

#include "world_break.h"

#include "base/random.h"
#include "base/vec.h"

#include <rubble/rubble.h>
#include <rubble/shapes.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BALLS = 3, BLOW_STEPS = 4, MOST_STEPS = 20000 };

typedef struct break_run {
	bool is_quick;
	rbl_contact_method method;
	int field_resolution; // of the asset
	rbl_jobs *jobs;
	rbl_world *world;
	rbl_pattern *pattern;
	rbl_damage_level level;
	rbl_material_def material;
	rbl_mesh *mesh;
	rbl_asset *asset;
	rbl_collider *ground, *balls[BALLS]; // of radius 0.12, 0.45 and 1
	rbl_random random;
	rbl_body_id target;
	int step, timed_step; // timed_step: the first that counts, -1 while it is not known
	double *ms;           // of steps that count, then of those before
	double fracture_worst, awake_sum, processor_sum;
} break_run;

typedef struct break_case {
	const char *name;
	bool (*open)(break_run *r);
	void (*before_step)(break_run *r);
	int steps, quick_steps; // that count
} break_case;

// --- things -------------------------------------------------------------------------------------

static bool make_rule(break_run *r, rbl_pattern_kind kind, double strength, double radius,
                      int cells, double min_size)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = kind;
	def.size = (rbl_vec3d){ 4.0 * radius, 4.0 * radius, 4.0 * radius };
	def.cell_count = cells;
	r->level.energy = strength, r->level.radius = radius;
	r->material = rbl_default_material_def();
	r->material.damage.levels = &r->level, r->material.damage.level_count = 1;
	r->material.damage.min_size = min_size;
	r->material.damage.dust_size = 0.3 * min_size;
	if (kind == RBL_PATTERN_WEB)
		r->material.placement = RBL_PLACEMENT_FRAME;
	bool ok = rbl_create_pattern(&def, &r->pattern) == RBL_OK;
	r->level.pattern = r->pattern;
	return ok;
}

static bool make_asset(break_run *r, double tolerance, int node_limit)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	def.tolerance = tolerance;
	def.node_limit = node_limit;
	def.field_resolution = r->field_resolution;
	def.jobs = r->jobs;
	return rbl_prepare(r->mesh, &def, &r->asset) == RBL_OK;
}

// A body of the material with this density.
static rbl_body_id add_of_material(break_run *r, rbl_body_def *def, float density)
{
	rbl_material *material = NULL;
	r->material.values.density = density;
	rbl_create_material(&r->material, &material);
	def->shared_material = material;
	rbl_body_id id = rbl_create_body(r->world, def);
	rbl_destroy_material(material);
	return id;
}

static rbl_body_id add_breakable(break_run *r, rbl_body_kind kind, rbl_vec3 at, float density)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = r->asset;
	def.contact_method = r->method;
	def.kind = kind;
	def.pose.position = at;
	return add_of_material(r, &def, density);
}

static void shoot(break_run *r, int ball, rbl_vec3 at, rbl_vec3 velocity, float density)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = r->balls[ball];
	def.pose.position = at;
	def.velocity = velocity;
	def.material.density = density;
	def.is_bullet = true;
	rbl_create_body(r->world, &def);
}

// --- the arena ----------------------------------------------------------------------------------

static bool open_arena(break_run *r)
{
	rbl_arena_def def = rbl_default_arena_def();
	def.detail = r->is_quick ? 1 : 10;
	r->timed_step = -1;
	bool ok = rbl_create_arena_mesh(&def, &r->mesh) == RBL_OK &&
	          make_rule(r, RBL_PATTERN_IMPACT, 1e6, 1.5, 48, 0.3) && make_asset(r, 2.0, 8);
	r->material.damage.radius_limit = 2.5;
	if (ok)
		r->target = add_breakable(r, RBL_BODY_STATIC, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 2400.0f);
	return ok && !rbl_body_id_is_null(r->target);
}

// A blow on a part of what is left of the arena.
static void strike_arena(break_run *r)
{
	const rbl_compound *left = rbl_body_get_compound(r->world, r->target);
	if (!left)
		return;
	int end = rbl_compound_get_info(left).part_end;
	rbl_compound_part part = { .convex = NULL };
	for (int i = 0; i < 1000 && !part.convex; ++i)
		part = rbl_compound_get_part(left, (int)rbl_random_below(&r->random, (uint32_t)end));
	if (part.convex)
		rbl_body_damage(r->world, r->target, rbl_to_f(rbl_convex_get_mass(part.convex).centre),
		                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 1.5f, 1e6f);
}

static void before_arena(break_run *r)
{
	int bodies = r->is_quick ? 1500 : 20000, parts = r->is_quick ? 2400 : 32000;
	rbl_world_stats stats = rbl_world_get_stats(r->world);
	if (r->timed_step < 0 && (stats.body_count < bodies || stats.part_count < parts)) {
		if (r->step % BLOW_STEPS == 0)
			strike_arena(r);
		return;
	}
	if (r->timed_step < 0)
		r->timed_step = r->step;
	if ((r->step - r->timed_step) % 30 == 0) {
		float x = (float)rbl_random_range(&r->random, -25.0, 25.0);
		shoot(r, 2, (rbl_vec3){ x, 12.0f, 60.0f }, (rbl_vec3){ 0.0f, 0.0f, -40.0f }, 7000.0f);
	}
}

// --- window, bricks, tower ----------------------------------------------------------------------

static bool open_window(break_run *r)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ 1.6, 1.2, 0.01 };
	if (rbl_create_box_mesh(&def, &r->mesh) != RBL_OK ||
	    !make_rule(r, RBL_PATTERN_WEB, 3.0, 0.6, 120, 0.02) || !make_asset(r, 0.2, 64))
		return false;
	add_breakable(r, RBL_BODY_STATIC, (rbl_vec3){ 0.0f, 0.75f, 0.0f }, 2500.0f);
	shoot(r, 0, (rbl_vec3){ 0.1f, 0.7f, -2.0f }, (rbl_vec3){ 0.0f, 1.0f, 12.0f }, 2600.0f);
	return true;
}

static bool open_bricks(break_run *r)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ 0.4, 0.2, 0.2 };
	if (rbl_create_box_mesh(&def, &r->mesh) != RBL_OK ||
	    !make_rule(r, RBL_PATTERN_IMPACT, 60.0, 0.15, 12, 0.06) || !make_asset(r, 0.2, 64))
		return false;
	int side = r->is_quick ? 4 : 8;
	for (int i = 0; i < side * side * side; ++i) {
		rbl_vec3 at = { 0.5f * (float)(i % side), 0.3f + 0.35f * (float)(i / side / side),
			            0.35f * (float)(i / side % side) };
		at.x += (float)rbl_random_range(&r->random, -0.04, 0.04);
		at.z += (float)rbl_random_range(&r->random, -0.04, 0.04);
		add_breakable(r, RBL_BODY_DYNAMIC, at, 1800.0f);
	}
	return true;
}

static void before_bricks(break_run *r)
{
	if (r->step > 0 && r->step % 60 == 0 && r->step <= 300)
		shoot(r, 1, (rbl_vec3){ 1.7f, 9.0f, 1.2f }, (rbl_vec3){ 0.0f, -10.0f, 0.0f }, 7000.0f);
}

static bool add_boxes(rbl_compound_part *parts, int *count, rbl_vec3d size, rbl_vec3d at, int nx,
                      int nz, double pitch_x, double pitch_z)
{
	for (int i = 0; i < nx * nz; ++i) {
		rbl_vec3d p = { at.x + pitch_x * (i % nx), at.y, at.z + pitch_z * (i / nx) };
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ rbl_add_scaled_d(p, -0.5, size), rbl_add_scaled_d(p, 0.5, size) };
		rbl_convex *convex = NULL;
		if (rbl_create_convex(&def, &convex) != RBL_OK)
			return false;
		parts[(*count)++] = (rbl_compound_part){ .convex = convex, .is_anchored = at.y < 1.0 };
	}
	return true;
}

static bool open_tower(break_run *r)
{
	enum { MOST = 400 };
	static rbl_compound_part parts[MOST];
	int count = 0, floors = r->is_quick ? 2 : 5;
	bool ok = make_rule(r, RBL_PATTERN_IMPACT, 12000.0, 0.8, 24, 0.25);
	for (int k = 0; k < floors && ok; ++k) {
		rbl_vec3d column = { 0.5, 1.35, 0.5 }, tile = { 1.0, 0.3, 1.0 };
		for (int half = 0; half < 2 && ok; ++half)
			ok =
				add_boxes(parts, &count, column,
			              (rbl_vec3d){ -2.5, 0.675 + 1.35 * half + 3.0 * k, -2.5 }, 2, 3, 5.0, 2.5);
		ok = ok && add_boxes(parts, &count, tile, (rbl_vec3d){ -2.5, 2.85 + 3.0 * k, -2.5 }, 6, 6,
		                     1.0, 1.0);
	}
	r->material.strengths =
		(rbl_bond_strengths){ .tension = 2.2e6, .shear = 4.4e6, .compression = 2.2e7 };
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts, def.part_count = count;
	rbl_body_def body = rbl_default_body_def();
	ok = ok && rbl_create_compound(&def, &body.compound) == RBL_OK;
	if (ok)
		add_of_material(r, &body, 2400.0f);
	for (int i = 0; i < count; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return ok;
}

static void before_tower(break_run *r)
{
	if (r->step == 60 || r->step == 90)
		shoot(r, 1, (rbl_vec3){ r->step == 60 ? -2.5f : 2.5f, 1.2f, -10.0f },
		      (rbl_vec3){ 0.0f, 1.5f, 34.0f }, 7800.0f);
}

// --- running ------------------------------------------------------------------------------------

static bool open_run(break_run *r, const break_case *c, int workers)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	if (rbl_create_jobs(&jobs_def, &r->jobs) != RBL_OK)
		return false;
	rbl_world_def def = rbl_default_world_def();
	def.jobs = r->jobs;
	def.freeze_time = 1.0f;
	rbl_collider_def ground = rbl_default_collider_def(RBL_COLLIDER_BOX);
	ground.half_size = (rbl_vec3){ 200.0f, 1.0f, 200.0f };
	if (rbl_create_world(&def, &r->world) != RBL_OK ||
	    rbl_create_collider(&ground, &r->ground) != RBL_OK)
		return false;
	rbl_body_def floor = rbl_default_body_def();
	floor.collider = r->ground;
	floor.kind = RBL_BODY_STATIC;
	floor.pose.position.y = -1.0f;
	rbl_create_body(r->world, &floor);
	const float radii[BALLS] = { 0.06f, 0.45f, 1.0f };
	for (int i = 0; i < BALLS; ++i) {
		rbl_collider_def ball = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
		ball.radius = radii[i];
		if (rbl_create_collider(&ball, &r->balls[i]) != RBL_OK)
			return false;
	}
	return c->open(r);
}

static void close_run(break_run *r)
{
	rbl_destroy_world(r->world);
	rbl_destroy_collider(r->ground);
	for (int i = 0; i < BALLS; ++i)
		rbl_destroy_collider(r->balls[i]);
	rbl_destroy_asset(r->asset);
	rbl_destroy_mesh(r->mesh);
	rbl_destroy_pattern(r->pattern);
	rbl_destroy_jobs(r->jobs);
	free(r->ms);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

// Mean, 99 of 100, and worst of some steps, under three names.
static void report_times(bench *b, const break_case *c, const char *variant, double *ms, int count,
                         const char *const names[3])
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
		sum += ms[i];
	qsort(ms, (size_t)count, sizeof *ms, compare);
	bench_row(b, c->name, variant, names[0], sum / count, "ms");
	bench_row(b, c->name, variant, names[1], ms[(count * 99 + 99) / 100 - 1], "ms");
	bench_row(b, c->name, variant, names[2], ms[count - 1], "ms");
}

static void report(bench *b, const break_case *c, const char *variant, break_run *r, int count)
{
	static const char *const names[3] = { "ms_mean", "ms_p99", "ms_worst" };
	static const char *const before[3] = { "breaking_ms_mean", "breaking_ms_p99",
		                                   "breaking_ms_worst" };
	rbl_world_stats s = rbl_world_get_stats(r->world);
	report_times(b, c, variant, r->ms, count, names);
	bench_row(b, c->name, variant, "processor_ms_mean", r->processor_sum / count, "ms");
	bench_row(b, c->name, variant, "fracture_ms_worst", r->fracture_worst, "ms");
	bench_row(b, c->name, variant, "fragments", s.body_count, "");
	bench_row(b, c->name, variant, "convexes", s.part_count, "");
	bench_row(b, c->name, variant, "awake", r->awake_sum / count, "");
	bench_row(b, c->name, variant, "awake_end", s.awake_count, "");
	if (r->timed_step > 0) {
		report_times(b, c, variant, r->ms + count, r->timed_step, before);
		bench_row(b, c->name, variant, "breaking_steps", r->timed_step, "");
	}
	bench_row(b, c->name, variant, "bytes", (double)s.bytes, "B");
	bench_check(b, c->name, variant, rbl_world_hash(r->world), 0);
}

static void run_case(bench *b, const break_case *c, int workers)
{
	const char *variant = workers == 1 ? "rubble-1" : "rubble-2";
	break_run r = { .is_quick = bench_is_quick(b), .random = rbl_random_from_seed(5) };
	int count = r.is_quick ? c->quick_steps : c->steps, timed = 0;
	r.ms = calloc((size_t)(count + MOST_STEPS), sizeof *r.ms);
	bool ok = r.ms && open_run(&r, c, workers);
	for (; ok && timed < count && r.step < MOST_STEPS; ++r.step) {
		if (c->before_step)
			c->before_step(&r);
		clock_t start = clock();
		ok = rbl_world_step(r.world, 1.0f / 60.0f) == RBL_OK;
		double processor_ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
		rbl_world_stats s = rbl_world_get_stats(r.world);
		r.ms[r.timed_step < 0 ? count + r.step : timed] = s.step_ms;
		r.fracture_worst = rbl_maxd(r.fracture_worst, s.fracture_ms);
		if (r.timed_step < 0)
			continue;
		r.awake_sum += s.awake_count;
		r.processor_sum += processor_ms;
		timed++;
	}
	if (ok && timed == count)
		report(b, c, variant, &r, count);
	else
		bench_fail(b, c->name, variant, "the world could not be made, or a step failed");
	close_run(&r);
}

// --- the arena by fields -------------------------------------------------------------------------

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
	const break_case c = { "arena", open_arena, before_arena, steps, steps };
	break_run r = { .is_quick = true,
		            .method = a->method,
		            .field_resolution = a->field_resolution,
		            .random = rbl_random_from_seed(5) };
	int count = 0;
	double step = 0.0, step_max = 0.0, query = 0.0, query_max = 0.0, fracture = 0.0, awake = 0.0;
	double processor = 0.0;
	bool ok = open_run(&r, &c, 1);
	for (int left = steps; ok && left > 0 && r.step < MOST_STEPS; ++r.step, ++count) {
		before_arena(&r);
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
	close_run(&r);
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

void bench_breaking_worlds(bench *b)
{
	static const break_case cases[] = {
		{ "arena", open_arena, before_arena, 600, 120 },
		{ "window", open_window, NULL, 300, 120 },
		{ "bricks", open_bricks, before_bricks, 600, 120 },
		{ "tower-collapse", open_tower, before_tower, 720, 240 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		if (!bench_wants(b, cases[i].name))
			continue;
		if (i > 0 || bench_is_quick(b)) // the arena takes minutes
			run_case(b, &cases[i], 1);
		run_case(b, &cases[i], 2);
	}
}
