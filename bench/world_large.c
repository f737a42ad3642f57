// SPDX-License-Identifier: MIT
//
// Large worlds: what a step, a body and a snapshot cost when there are many bodies.
//
//   large-awake    1, 5 and 25 piles of 4,000 side by side, all awake: how time grows where each body
//                  has the same neighbours
//   large-resting  25 piles of 3,920 asleep, with the contacts that they fell asleep with, and one of
//                  2,000 that stays awake
//   large-asleep   10,000, 100,000 and a million fragments that were created asleep, in piles
//   large-baked    60, 600 and 6,000 blocks that broke into 170 parts each, most of them baked
//
// One pile settles by itself, and its poses are used for all. Times are processor time with one worker
// and elapsed time with two, each step with its least over the runs. `exponent` is that of the mean in
// the number of bodies, from the smallest world on.

#include "world_large.h"

#include "world_frames.h"

#include "base/vec.h"
#include "scenes/rigid_world.h"

#include <rubble/shapes.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SETTLE_STEPS = 300, SIZE_COUNT = 3, MOST_SLEEP_STEPS = 400 };

static const double pitch = 20.0; // from pile to pile
static const float dt = 1.0f / 60.0f;

// --- many piles from one -------------------------------------------------------------------------

// A pile that lies, and colliders of its shapes.
typedef struct lying_pile {
	rigid_scene scene;
	rigid_state *states;
	rbl_collider **colliders; // by body
} lying_pile;

static void close_pile(lying_pile *pile)
{
	for (int i = 0; pile->colliders && i < pile->scene.body_count; ++i)
		rbl_destroy_collider(pile->colliders[i]);
	free(pile->colliders);
	free(pile->states);
	rigid_scene_close(&pile->scene);
	*pile = (lying_pile){ .states = NULL };
}

// @return false when it could not be made; close it either way
static bool settle_pile(lying_pile *pile, int count)
{
	rigid_world w;
	*pile = (lying_pile){ .states = NULL };
	if (!rigid_scene_open(&pile->scene, "pile", count))
		return false;
	size_t bodies = (size_t)pile->scene.body_count;
	pile->states = calloc(bodies, sizeof *pile->states);
	pile->colliders = calloc(bodies, sizeof *pile->colliders);
	bool ok = pile->states && pile->colliders && rigid_world_open(&w, &pile->scene, 1, NULL);
	if (!ok)
		return false;
	for (int i = 0; ok && i < SETTLE_STEPS; ++i)
		ok = rbl_world_step(w.world, dt) == RBL_OK;
	rigid_world_read(&w, pile->states);
	rigid_world_close(&w);
	for (size_t i = 0; ok && i < bodies; ++i) {
		pile->colliders[i] = rigid_collider(&pile->scene.shapes[pile->scene.bodies[i].shape]);
		ok = pile->colliders[i] != NULL;
	}
	return ok;
}

typedef struct pile_options {
	bool is_awake, can_sleep;
} pile_options;

// Add a pile at its place in a square of piles. @return false when something was refused
static bool add_pile(rbl_world *world, const lying_pile *pile, int place, int side,
                     pile_options options)
{
	const rigid_scene *scene = &pile->scene;
	size_t size = (size_t)scene->body_count;
	rbl_body_def *defs = malloc(size * sizeof *defs);
	rbl_body_id *ids = malloc(size * sizeof *ids);
	float x = (float)(pitch * (place % side)), z = (float)(pitch * (place / side));
	for (int i = 0; defs && i < scene->body_count; ++i) {
		rbl_body_def *def = &defs[i];
		const rigid_state *state = &pile->states[i];
		rbl_quatd q = state->pose.rotation;
		*def = rbl_default_body_def();
		def->collider = pile->colliders[i];
		def->kind = i < scene->static_count ? RBL_BODY_STATIC : RBL_BODY_DYNAMIC;
		def->pose.position = rbl_to_f(state->pose.position);
		def->pose.position.x += x, def->pose.position.z += z;
		def->pose.rotation =
			rbl_quat_normalize((rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w });
		def->angular_damping = 0.0f;
		def->material.friction = (float)scene->friction;
		def->is_awake = options.is_awake, def->can_sleep = options.can_sleep;
	}
	bool ok = defs && ids && rbl_create_bodies(world, defs, scene->body_count, ids) == RBL_OK;
	free(defs), free(ids);
	return ok;
}

static rbl_world *make_world(int workers, int bodies, bool can_sleep, rbl_jobs **jobs)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	rbl_world_def def = rbl_default_world_def();
	def.capacity_hint = bodies;
	def.can_sleep = can_sleep;
	rbl_world *world = NULL;
	*jobs = NULL;
	if (workers > 1 && rbl_create_jobs(&jobs_def, jobs) != RBL_OK)
		return NULL;
	def.jobs = *jobs;
	return rbl_create_world(&def, &world) == RBL_OK ? world : NULL;
}

static void report_memory(bench *b, const char *name, const char *variant, const rbl_world *world)
{
	rbl_world_stats s = rbl_world_get_stats(world);
	bench_row(b, name, variant, "bodies", s.body_count, "");
	bench_row(b, name, variant, "awake", s.awake_count, "");
	bench_row(b, name, variant, "pairs", s.pair_count, "");
	bench_row(b, name, variant, "touching", s.touching_count, "");
	bench_row(b, name, variant, "body_bytes_per_body", (double)s.body_bytes / s.body_count, "B");
	bench_row(b, name, variant, "bytes_per_body", (double)s.bytes / s.body_count, "B");
}

static bool time_steps(rbl_world *world, int workers, int count, world_frames *frames)
{
	bool ok = true;
	for (int i = 0; ok && i < count; ++i) {
		double start = world_clock_ms(workers);
		ok = rbl_world_step(world, dt) == RBL_OK;
		double ms = world_clock_ms(workers) - start;
		world_stages stages;
		world_read_stages(world, &stages);
		world_frames_add(frames, i, ms, &stages);
	}
	return ok;
}

static void report_frames(bench *b, const char *name, const char *variant,
                          const world_frames *frames)
{
	world_frames_report(b, name, variant, "", frames, 0, frames->count);
	for (int i = 0; i < 9; ++i) // times
		bench_row(b, name, variant, frames->stages.names[i],
		          world_frames_stage_mean(frames, i, 0, frames->count), "ms");
}

// --- all awake -----------------------------------------------------------------------------------

// @return the mean of a step, 0 when something failed
static double run_awake(bench *b, const lying_pile *pile, int piles, int workers)
{
	static const char name[] = "large-awake";
	char variant[32];
	int side = (int)ceil(sqrt(piles)), steps = bench_is_quick(b) ? 5 : 20;
	int fragments = piles * (pile->scene.body_count - pile->scene.static_count);
	snprintf(variant, sizeof variant, "%d-rubble-%d", fragments, workers);
	world_frames frames = { .steps = NULL };
	bool ok = true;
	for (int run = 0; ok && run < world_run_count(b); ++run) {
		rbl_jobs *jobs;
		rbl_world *world = make_world(workers, piles * pile->scene.body_count, false, &jobs);
		ok = world != NULL;
		for (int i = 0; ok && i < piles; ++i)
			ok = add_pile(world, pile, i, side, (pile_options){ true, true });
		for (int i = 0; ok && i < 2 * steps; ++i) // contacts grow stiff, and their order is made
			ok = rbl_world_step(world, dt) == RBL_OK;
		ok = ok && time_steps(world, workers, steps, &frames);
		if (ok && run == 0)
			report_memory(b, name, variant, world);
		rbl_destroy_world(world);
		rbl_destroy_jobs(jobs);
	}
	double mean = ok ? world_frames_mean(&frames, 0, frames.count) : 0.0;
	if (ok)
		report_frames(b, name, variant, &frames);
	else
		bench_fail(b, name, variant, "the world could not be made, or a step failed");
	world_frames_free(&frames);
	return mean;
}

static void bench_awake(bench *b)
{
	static const int piles[SIZE_COUNT] = { 1, 5, 25 };
	lying_pile pile;
	bool ok = settle_pile(&pile, bench_is_quick(b) ? 400 : 4000);
	if (!ok)
		bench_fail(b, "large-awake", "rubble", "the pile could not be made");
	for (int workers = 1; ok && workers <= 2; ++workers) {
		double first = 0.0;
		for (int i = 0; i < SIZE_COUNT; ++i) {
			double mean = run_awake(b, &pile, piles[i], workers);
			if (i == 0)
				first = mean;
			else if (mean > 0.0 && first > 0.0)
				bench_point(b, "large-awake", workers == 1 ? "rubble-1" : "rubble-2", "exponent",
				            piles[i] * (pile.scene.body_count - pile.scene.static_count),
				            log(mean / first) / log(piles[i]), "");
		}
	}
	close_pile(&pile);
}

// --- most asleep ---------------------------------------------------------------------------------

// The awake pile comes last, so that the others sleep by then.
static bool fill_resting(rbl_world *world, const lying_pile *asleep, const lying_pile *awake,
                         int piles)
{
	int side = (int)ceil(sqrt(piles + 1));
	bool ok = true;
	for (int i = 0; ok && i < piles; ++i)
		ok = add_pile(world, asleep, i, side, (pile_options){ true, true });
	rbl_world_stats s = { .awake_count = 1 };
	for (int i = 0; ok && s.awake_count > 0 && i < MOST_SLEEP_STEPS; ++i) {
		ok = rbl_world_step(world, dt) == RBL_OK;
		s = rbl_world_get_stats(world);
	}
	ok = ok && add_pile(world, awake, piles, side, (pile_options){ true, false });
	for (int i = 0; ok && i < 30; ++i)
		ok = rbl_world_step(world, dt) == RBL_OK;
	return ok;
}

static void bench_resting(bench *b)
{
	static const char name[] = "large-resting";
	bool is_quick = bench_is_quick(b);
	int piles = is_quick ? 4 : 25;
	lying_pile asleep, awake;
	bool ok = settle_pile(&asleep, is_quick ? 392 : 3920);
	ok = settle_pile(&awake, is_quick ? 200 : 2000) && ok;
	for (int workers = 1; workers <= 2; ++workers) {
		const char *variant = workers == 1 ? "rubble-1" : "rubble-2";
		world_frames frames = { .steps = NULL };
		for (int run = 0; ok && run < world_run_count(b); ++run) {
			rbl_jobs *jobs;
			rbl_world *world =
				make_world(workers, (piles + 1) * asleep.scene.body_count, true, &jobs);
			ok = world && fill_resting(world, &asleep, &awake, piles) &&
			     time_steps(world, workers, 60, &frames);
			if (ok && run == 0)
				report_memory(b, name, variant, world);
			rbl_destroy_world(world);
			rbl_destroy_jobs(jobs);
		}
		if (ok)
			report_frames(b, name, variant, &frames);
		else
			bench_fail(b, name, variant, "the world could not be made, or a step failed");
		world_frames_free(&frames);
	}
	close_pile(&asleep);
	close_pile(&awake);
}

// --- nothing awake -------------------------------------------------------------------------------

// Saving, loading and stepping, of a world and of the one that was loaded.
// @param sources  of what the world is made of
static void time_snapshot(bench *b, const char *name, const char *variant, rbl_world *world,
                          rbl_jobs *jobs, const rbl_sources *sources)
{
	size_t size = 0;
	int bodies = rbl_world_body_count(world);
	rbl_world_stats stats = rbl_world_get_stats(world);
	bool ok = rbl_world_save(world, NULL, &size) == RBL_OK;
	unsigned char *bytes = malloc(size);
	double start = world_clock_ms(1);
	ok = ok && bytes && rbl_world_save(world, bytes, &size) == RBL_OK;
	double saved = world_clock_ms(1);
	rbl_world_def def = rbl_default_world_def();
	def.jobs = jobs;
	rbl_world *loaded = NULL;
	ok = ok && rbl_world_load(bytes, size, &def, sources, &loaded) == RBL_OK;
	double end = world_clock_ms(1);
	free(bytes);
	world_frames frames = { .steps = NULL };
	ok = ok && rbl_world_step(loaded, dt) == RBL_OK && rbl_world_step(world, dt) == RBL_OK &&
	     rbl_world_hash(loaded) == rbl_world_hash(world) && time_steps(loaded, 1, 20, &frames);
	rbl_destroy_world(loaded);
	if (!ok) {
		bench_fail(b, name, variant, "the loaded world is another");
	} else {
		int things = stats.part_count > bodies ? stats.part_count : bodies;
		report_frames(b, name, variant, &frames);
		bench_row(b, name, variant, "save_us_each", 1e3 * (saved - start) / things, "us");
		bench_row(b, name, variant, "load_us_each", 1e3 * (end - saved) / things, "us");
		bench_row(b, name, variant, "snapshot_bytes_each", (double)size / things, "B");
		bench_row(b, name, variant, "parts", stats.part_count, "");
	}
	world_frames_free(&frames);
}

static void bench_asleep(bench *b)
{
	static const char name[] = "large-asleep";
	static const int piles[SIZE_COUNT] = { 5, 50, 500 };
	lying_pile pile;
	bool ok = settle_pile(&pile, bench_is_quick(b) ? 200 : 2000);
	for (int k = 0; k < SIZE_COUNT - bench_is_quick(b); ++k) {
		char variant[32];
		int fragments = piles[k] * (pile.scene.body_count - pile.scene.static_count);
		snprintf(variant, sizeof variant, "%d", fragments);
		rbl_jobs *jobs;
		rbl_world *world = make_world(1, piles[k] * pile.scene.body_count, true, &jobs);
		int side = (int)ceil(sqrt(piles[k]));
		ok = ok && world != NULL;
		double start = world_clock_ms(1);
		for (int i = 0; ok && i < piles[k]; ++i)
			ok = add_pile(world, &pile, i, side, (pile_options){ false, true });
		double created = world_clock_ms(1);
		for (int i = 0; ok && i < 70; ++i) // the first has all pairs; lists are made tight after 64
			ok = rbl_world_step(world, dt) == RBL_OK;
		if (ok) {
			bench_row(b, name, variant, "create_us_each", 1e3 * (created - start) / fragments,
			          "us");
			report_memory(b, name, variant, world);
			rbl_sources none = rbl_default_sources();
			time_snapshot(b, name, variant, world, jobs, &none);
		} else {
			bench_fail(b, name, variant, "the world could not be made, or a step failed");
		}
		rbl_destroy_world(world);
	}
	close_pile(&pile);
}

// --- baked ---------------------------------------------------------------------------------------

// Blocks of a metre on a floor, and how they break: into a hundred pieces.
typedef struct blocks {
	rbl_mesh *mesh;
	rbl_pattern *pattern;
	rbl_asset *asset;
	rbl_material *material;
	rbl_collider *floor;
} blocks;

static void close_blocks(blocks *b)
{
	rbl_destroy_collider(b->floor);
	rbl_destroy_material(b->material);
	rbl_destroy_asset(b->asset);
	rbl_destroy_pattern(b->pattern);
	rbl_destroy_mesh(b->mesh);
}

static bool open_blocks(blocks *b)
{
	*b = (blocks){ .mesh = NULL };
	rbl_box_def box = rbl_default_box_def();
	rbl_pattern_def pattern = rbl_default_pattern_def();
	pattern.size = (rbl_vec3d){ 1.75, 1.75, 1.75 };
	pattern.cell_count = 400;
	rbl_prepare_def prepare = rbl_default_prepare_def();
	rbl_collider_def floor = rbl_default_collider_def(RBL_COLLIDER_BOX);
	floor.half_size = (rbl_vec3){ 1000.0f, 0.5f, 1000.0f };
	if (rbl_create_box_mesh(&box, &b->mesh) != RBL_OK ||
	    rbl_create_pattern(&pattern, &b->pattern) != RBL_OK ||
	    rbl_prepare(b->mesh, &prepare, &b->asset) != RBL_OK ||
	    rbl_create_collider(&floor, &b->floor) != RBL_OK)
		return false;
	rbl_damage_level level = { .energy = 1e9, .pattern = b->pattern, .radius = 2.0 };
	rbl_material_def material = rbl_default_material_def();
	material.damage.levels = &level, material.damage.level_count = 1;
	material.damage.radius_limit = 2.0;
	return rbl_create_material(&material, &b->material) == RBL_OK;
}

// Break some more blocks, let what is left of them sleep where it is, and be baked.
// @return false when something failed
static bool bake_blocks(rbl_world *world, const blocks *b, int first, int end, int side)
{
	enum { MOST_BAKE_STEPS = 20000 };
	bool ok = true;
	for (int i = first; ok && i < end; ++i) {
		rbl_body_def def = rbl_default_body_def();
		def.asset = b->asset;
		def.shared_material = b->material;
		def.pose.position = (rbl_vec3){ 1.5f * (float)(i % side - side / 2), 0.5f,
			                            1.5f * (float)(i / side - side / 2) };
		rbl_body_id id = rbl_create_body(world, &def);
		ok = rbl_body_damage(world, id, def.pose.position, (rbl_vec3){ 0.0f, -1.0f, 0.0f },
		                     INFINITY, 2e9f) == RBL_OK;
	}
	for (int i = 0; ok && i < 3; ++i)
		ok = rbl_world_step(world, dt) == RBL_OK;
	int count = rbl_world_body_count(world);
	rbl_body_id *ids = malloc((size_t)count * sizeof *ids);
	ok = ok && ids && rbl_world_get_bodies(world, ids, count) == count;
	for (int i = 0; ok && i < count; ++i)
		if (rbl_body_is_awake(world, ids[i]))
			rbl_body_set_awake(world, ids[i], false);
	free(ids);
	// Until none has been baked for a while: what leans or lies too high in a heap is not.
	for (int i = 0, last = -1, idle = 0; ok && i < MOST_BAKE_STEPS && idle < 20; ++i) {
		ok = rbl_world_step(world, dt) == RBL_OK;
		int baked = rbl_world_get_stats(world).baked_count;
		idle = baked == last ? idle + 1 : 0;
		last = baked;
	}
	return ok;
}

static void bench_baked(bench *b)
{
	enum { BATCH = 100 };
	static const char name[] = "large-baked";
	static const int counts[SIZE_COUNT] = { 60, 600, 6000 };
	blocks all;
	bool ok = open_blocks(&all);
	for (int k = 0; k < (bench_is_quick(b) ? 1 : SIZE_COUNT); ++k) {
		int count = bench_is_quick(b) ? 10 : counts[k], side = (int)ceil(sqrt(count));
		rbl_world_def def = rbl_default_world_def();
		def.capacity_hint = 100 * count;
		def.budget = 0;
		def.bake_time = 0.1f;
		rbl_world *world = NULL;
		ok = ok && rbl_create_world(&def, &world) == RBL_OK;
		rbl_body_def floor = rbl_default_body_def();
		floor.kind = RBL_BODY_STATIC;
		floor.collider = all.floor;
		floor.pose.position.y = -0.5f;
		if (ok)
			rbl_create_body(world, &floor);
		for (int i = 0; ok && i < count; i += BATCH)
			ok = bake_blocks(world, &all, i, i + BATCH < count ? i + BATCH : count, side);
		for (int i = 0; ok && i < 70; ++i) // lists are made tight after 64
			ok = rbl_world_step(world, dt) == RBL_OK;
		char variant[32];
		snprintf(variant, sizeof variant, "%d-blocks", count);
		if (ok) {
			rbl_world_stats s = rbl_world_get_stats(world);
			bench_row(b, name, variant, "baked", s.baked_count, "");
			bench_row(b, name, variant, "bytes_per_part", (double)s.bytes / s.part_count, "B");
			report_memory(b, name, variant, world);
			const rbl_asset *assets[] = { all.asset };
			const rbl_pattern *patterns[] = { all.pattern };
			rbl_sources sources = rbl_default_sources();
			sources.assets = assets, sources.asset_count = 1;
			sources.patterns = patterns, sources.pattern_count = 1;
			time_snapshot(b, name, variant, world, NULL, &sources);
		} else {
			bench_fail(b, name, variant, "the world could not be made, or a step failed");
		}
		rbl_destroy_world(world);
	}
	close_blocks(&all);
}

void bench_large_worlds(bench *b)
{
	if (bench_wants(b, "large-awake"))
		bench_awake(b);
	if (bench_wants(b, "large-resting"))
		bench_resting(b);
	if (bench_wants(b, "large-asleep"))
		bench_asleep(b);
	if (bench_wants(b, "large-baked"))
		bench_baked(b);
}
