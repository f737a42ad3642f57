// SPDX-License-Identifier: MIT
//
// What surfaces are compared with: hashing, bodies that never changed, two workers.

#include "surface_baselines.h"

#include "surface_hash.h"

#include "surface/comparison.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	PLAIN_EVERY = 8,
	/// Frames in which bodies that were added are certified apart, and trees that broke are repaired.
	SETTLING = 8,
	MORE_FRAMES = 30,
};

// Which frames a hash tests: plain ones few, as they are slow.
static bool is_tested(surface_kind kind, bool is_plain, int frame)
{
	if (is_plain)
		return frame % PLAIN_EVERY == PLAIN_EVERY - 1;
	return kind != SURFACE_EXPLODE || frame % SURFACE_SKIP == SURFACE_SKIP_AT;
}

// @param work  receives time, tests and number of frames of the hash
typedef struct hash_work {
	double ms;
	int64_t tests, found;
	int frames;
} hash_work;

static bool hash_frames(const bench *b, surface_kind kind, surface_scene *scene,
                        rbl_surface *surface, surface_hash *hash, surface_sums sums[2],
                        hash_work *work)
{
	bool is_good = surface_scene_begin(scene, surface);
	for (int frame = 0; is_good && frame < surface_frame_count(b, kind); ++frame) {
		bool is_broken, is_looked = is_tested(kind, hash->is_plain, frame);
		sums[1].count = 0;
		is_good =
			surface_scene_step(scene, surface, &is_broken) &&
			surface_run_frame(surface, RBL_SURFACE_DISCRETE, frame, surface_scene_change_ms(scene),
		                      is_broken, &sums[is_looked ? 0 : 1]);
		if (!is_looked || !is_good)
			continue;
		double begin = surface_thread_ms();
		int count = surface_hash_collide(hash, surface);
		work->ms += surface_thread_ms() - begin;
		is_good = count >= 0;
		work->frames++;
		work->found += count, work->tests += hash->tests;
	}
	return is_good;
}

void surface_run_hash(bench *b, surface_kind kind, const surface_cast *c, bool is_plain)
{
	const char *name = surface_scene_name(kind), *baseline = is_plain ? "hash-plain" : "hash";
	surface_hash hash = { .is_plain = is_plain };
	surface_scene *scene = surface_make_scene(b, kind, c);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	surface_sums *sums = calloc(2, sizeof *sums);
	hash_work work = { 0.0, 0, 0, 0 };
	bool is_good = scene && sums && rbl_create_surface(&def, &surface) == RBL_OK &&
	               hash_frames(b, kind, scene, surface, &hash, sums, &work);
	int64_t expected = 0;
	for (int i = 0; is_good && i < sums->count; ++i)
		expected += sums->found[i];
	if (!is_good || work.found != expected) {
		bench_fail(b, name, baseline, is_good ? "not the same pairs" : "failed");
	} else {
		double n = work.frames;
		bench_row(b, name, baseline, "dcd_ms", work.ms / n, "ms");
		bench_row(b, name, baseline, "frames", n, "");
		bench_row(b, name, baseline, "pairs", (double)work.found / n, "");
		bench_row(b, name, baseline, "tests", (double)work.tests / n, "");
		bench_row(b, name, baseline, "times_exact",
		          work.ms / (sums->change + sums->update + sums->query), "");
	}
	free(sums);
	surface_hash_free(&hash);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

// --- bodies that never changed -------------------------------------------------------------------------

// The bodies of one surface, added to another.
typedef struct copies {
	rbl_surface *surface;
	rbl_surface_body_id *from, *to;
	int count;
} copies;

static bool copy_body(copies *c, const rbl_surface *source, rbl_surface_body_id id, int *numbers)
{
	rbl_surface_data all = rbl_surface_get_data(source);
	rbl_surface_body_data body = rbl_surface_body_get_data(source, id);
	rbl_vec3 *positions = malloc((size_t)body.vertex_count * sizeof *positions);
	int *triangles = malloc(3 * (size_t)body.triangle_count * sizeof *triangles);
	bool is_good = positions && triangles;
	for (int i = 0; is_good && i < body.vertex_count; ++i) {
		positions[i] = all.ends[body.vertices[i]];
		numbers[body.vertices[i]] = i;
	}
	for (int i = 0; is_good && i < 3 * body.triangle_count; ++i)
		triangles[i] = numbers[all.triangles[3 * body.triangles[i / 3] + i % 3]];
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = body.vertex_count, def.positions = positions;
	def.triangle_count = body.triangle_count, def.triangles = triangles;
	is_good = is_good && rbl_surface_add(c->surface, &def, &c->to[c->count]) == RBL_OK;
	c->from[c->count++] = id;
	free(positions);
	free(triangles);
	return is_good;
}

static bool copy_bodies(copies *c, const rbl_surface *source, const rbl_surface_def *def)
{
	rbl_surface_data all = rbl_surface_get_data(source);
	size_t most = (size_t)rbl_surface_get_stats(source).body_count;
	int *numbers = malloc((size_t)(all.vertex_end + 1) * sizeof *numbers);
	c->from = malloc((most + 1) * sizeof *c->from);
	c->to = malloc((most + 1) * sizeof *c->to);
	bool is_good =
		numbers && c->from && c->to && rbl_surface_create_comparison(def, &c->surface) == RBL_OK;
	for (int t = 0; is_good && t < all.triangle_end; ++t) {
		rbl_surface_body_id id = rbl_surface_triangle_body(source, t);
		if (id.generation && rbl_surface_body_get_data(source, id).triangles[0] == t)
			is_good = copy_body(c, source, id, numbers);
	}
	free(numbers);
	return is_good;
}

// Move the copies to where the originals are.
static bool follow(copies *c, const rbl_surface *source, double *ms)
{
	rbl_surface_data all = rbl_surface_get_data(source);
	bool is_good = true;
	*ms = 0.0;
	for (int k = 0; is_good && k < c->count; ++k) {
		rbl_surface_body_data body = rbl_surface_body_get_data(source, c->from[k]);
		rbl_vec3 *ends = malloc((size_t)body.vertex_count * sizeof *ends);
		for (int i = 0; ends && i < body.vertex_count; ++i)
			ends[i] = all.ends[body.vertices[i]];
		double begin = surface_thread_ms();
		is_good = ends && rbl_surface_move(c->surface, c->to[k], NULL, ends) == RBL_OK;
		*ms += surface_thread_ms() - begin;
		free(ends);
	}
	return is_good;
}

void surface_run_fixed(bench *b, surface_kind kind, const surface_cast *c, const char *metric)
{
	const char *name = surface_scene_name(kind);
	surface_scene *scene = surface_make_scene(b, kind, c);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	copies fresh = { .count = 0 };
	surface_sums *sums = calloc(3, sizeof *sums);
	bool is_good = scene && sums && rbl_create_surface(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	// Walls go on falling when the scene is over.
	int frames = surface_frame_count(b, kind), changes = 0, all = kind == SURFACE_WALLS ? 8 : 4;
	frames += kind == SURFACE_WALLS && !bench_is_quick(b) ? MORE_FRAMES : 0;
	for (int frame = 0, since = 0; is_good && frame < frames; ++frame) {
		bool is_broken;
		double ms = 0.0;
		sums[2].count = 0;
		is_good = surface_scene_step(scene, surface, &is_broken);
		changes += is_broken;
		bool is_after = changes == all;
		if (is_good && is_after)
			is_good =
				fresh.surface ? follow(&fresh, surface, &ms) : copy_bodies(&fresh, surface, &def);
		since += is_after;
		bool is_measured = since > SETTLING;
		is_good =
			is_good &&
			surface_run_frame(surface, RBL_SURFACE_DISCRETE, frame, surface_scene_change_ms(scene),
		                      is_broken, &sums[is_measured ? 0 : 2]) &&
			(!is_after || surface_run_frame(fresh.surface, RBL_SURFACE_DISCRETE, frame, ms,
		                                    is_broken, &sums[is_measured ? 1 : 2]));
	}
	// A rough run ends before the last change: there is nothing to compare.
	surface_ratio ratio = is_good ? surface_compare(&sums[0], &sums[1]) : (surface_ratio){ 0 };
	for (int i = 0; i < 2 && is_good && sums[0].count > 0 && ratio.missed == 0; ++i) {
		const char *variant = i ? "fixed" : "exact";
		double n = sums[i].count;
		const double values[3] = { (sums[i].change + sums[i].update + sums[i].query) / n,
			                       sums[i].update / n, sums[i].query / n };
		static const char *const parts[3] = { "", "_update", "_traverse" };
		for (int k = 0; k < 3; ++k) {
			char full[48];
			snprintf(full, sizeof full, "%s%s_ms", metric, parts[k]);
			bench_row(b, name, variant, full, values[k], "ms");
		}
	}
	if (!is_good || ratio.missed != 0)
		bench_fail(b, name, "fixed", "not the same pairs, or failed");
	free(sums);
	rbl_destroy_surface(fresh.surface);
	free(fresh.from);
	free(fresh.to);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

// --- bodies that are cut before ---------------------------------------------------------------------------

// The bodies at the end of a scene, and for each vertex of theirs where it was before it had its id.
typedef struct cut_pieces {
	copies of;
	int *begins;      // by body, into the next two
	int *vertices;    // ids at the end
	int *vertex_ends; // by frame: ids below this were there
	int *origins;     // by id
} cut_pieces;

static void free_pieces(cut_pieces *p)
{
	rbl_destroy_surface(p->of.surface);
	free(p->of.from);
	free(p->of.to);
	free(p->begins);
	free(p->vertices);
	free(p->vertex_ends);
	free(p->origins);
}

static bool list_pieces(cut_pieces *p, const rbl_surface *source)
{
	rbl_surface_data all = rbl_surface_get_data(source);
	p->begins = malloc(((size_t)p->of.count + 1) * sizeof *p->begins);
	p->vertices = malloc((size_t)all.vertex_end * sizeof *p->vertices);
	int placed = 0;
	for (int k = 0; p->begins && p->vertices && k < p->of.count; ++k) {
		rbl_surface_body_data body = rbl_surface_body_get_data(source, p->of.from[k]);
		p->begins[k] = placed;
		for (int i = 0; i < body.vertex_count; ++i)
			p->vertices[placed++] = body.vertices[i];
		p->begins[k + 1] = placed;
	}
	return p->begins && p->vertices;
}

// Note where the vertices come from that are new: the next break forgets it.
static bool note_origins(cut_pieces *p, const rbl_surface *source, int known)
{
	rbl_surface_data all = rbl_surface_get_data(source);
	if (all.vertex_end == known)
		return true;
	int *origins = realloc(p->origins, (size_t)all.vertex_end * sizeof *origins);
	if (!origins)
		return false;
	for (int v = known; v < all.vertex_end; ++v)
		origins[v] = all.origins[v];
	p->origins = origins;
	return true;
}

// Run a scene to its end without asking anything, and copy what is left.
static bool find_pieces(const bench *b, surface_kind kind, const rbl_surface_def *def,
                        const surface_cast *c, cut_pieces *p)
{
	surface_scene *scene = surface_make_scene(b, kind, c);
	rbl_surface *surface = NULL;
	int frames = surface_frame_count(b, kind);
	p->vertex_ends = malloc((size_t)frames * sizeof *p->vertex_ends);
	bool is_good = scene && p->vertex_ends &&
	               rbl_surface_create_comparison(def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	for (int frame = 0; is_good && frame < frames; ++frame) {
		bool is_broken;
		is_good = surface_scene_step(scene, surface, &is_broken);
		p->vertex_ends[frame] = rbl_surface_get_data(surface).vertex_end;
		is_good = is_good && note_origins(p, surface, frame ? p->vertex_ends[frame - 1] : 0);
	}
	is_good = is_good && copy_bodies(&p->of, surface, def) && list_pieces(p, surface);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return is_good;
}

// Move the pieces to where the vertices are that they come from.
static bool follow_origins(cut_pieces *p, const rbl_surface *source, int frame, double *ms)
{
	rbl_surface_data all = rbl_surface_get_data(source);
	bool is_good = true;
	*ms = 0.0;
	for (int k = 0; is_good && k < p->of.count; ++k) {
		int count = p->begins[k + 1] - p->begins[k];
		rbl_vec3 *ends = malloc((size_t)count * sizeof *ends);
		for (int i = 0; ends && i < count; ++i) {
			int v = p->vertices[p->begins[k] + i];
			while (v >= p->vertex_ends[frame])
				v = p->origins[v];
			ends[i] = all.ends[v];
		}
		double begin = surface_thread_ms();
		is_good = ends && rbl_surface_move(p->of.surface, p->of.to[k], NULL, ends) == RBL_OK;
		*ms += surface_thread_ms() - begin;
		free(ends);
	}
	return is_good;
}

void surface_run_precut(bench *b, surface_kind kind, const rbl_surface_def *def,
                        const surface_cast *c, const char *variant)
{
	const char *name = surface_scene_name(kind);
	cut_pieces pieces = { .begins = NULL };
	surface_scene *scene = surface_make_scene(b, kind, c);
	rbl_surface *surface = NULL;
	surface_sums *sums = calloc(3, sizeof *sums);
	bool is_good = scene && sums && find_pieces(b, kind, def, c, &pieces) &&
	               rbl_surface_create_comparison(def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	int skip = def->culling == RBL_CULL_EXACT ? 1 : SURFACE_SKIP;
	for (int frame = 0; is_good && frame < surface_frame_count(b, kind); ++frame) {
		bool is_broken;
		double ms = 0.0;
		int phase = frame % skip;
		bool is_measured = skip == 1 || phase == SURFACE_SKIP_AT;
		sums[2].count = 0;
		is_good = surface_scene_step(scene, surface, &is_broken) &&
		          follow_origins(&pieces, surface, frame, &ms);
		if (!is_good || (!is_measured && phase != SURFACE_SKIP_AT - 1))
			continue;
		is_good = surface_run_frame(surface, RBL_SURFACE_CONTINUOUS, frame,
		                            surface_scene_change_ms(scene), is_broken,
		                            &sums[is_measured ? 0 : 2]) &&
		          surface_run_frame(pieces.of.surface, RBL_SURFACE_CONTINUOUS, frame, ms, is_broken,
		                            &sums[is_measured ? 1 : 2]);
	}
	double times[2] = { 0.0, 0.0 };
	for (int i = 0; i < 2 && is_good; ++i)
		times[i] = sums[i].change + sums[i].update + sums[i].query;
	if (is_good && times[1] > 0.0)
		bench_row(b, name, variant, "ccd_overhead", times[0] / times[1] - 1.0, "");
	else
		bench_fail(b, name, variant, "failed");
	free(sums);
	free_pieces(&pieces);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

// --- two workers ---------------------------------------------------------------------------------------

void surface_run_workers(bench *b, surface_kind kind, const surface_cast *c,
                         rbl_surface_motion motion, const surface_sums *known)
{
	const char *name = surface_scene_name(kind), *variant = "exact-2";
	bool is_discrete = motion == RBL_SURFACE_DISCRETE;
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = 2;
	rbl_surface_def def = rbl_default_surface_def();
	surface_sums *sums = malloc(sizeof *sums);
	bool is_good = sums && rbl_create_jobs(&jobs_def, &def.jobs) == RBL_OK &&
	               surface_run_scene(b, kind, &def, c, motion, 1, sums);
	bool is_same = is_good && sums->count == known->count;
	for (int i = 0; is_same && i < sums->count; ++i)
		is_same = sums->found[i] == known->found[i];
	if (is_same) {
		bench_row(b, name, variant, is_discrete ? "wall_ms" : "ccd_wall_ms",
		          sums->wall / sums->count, "ms");
		bench_row(b, name, variant, is_discrete ? "busier_ms" : "ccd_busier_ms",
		          sums->busier / sums->count, "ms");
	} else {
		bench_fail(b, name, variant, is_good ? "not the same pairs" : "failed");
	}
	free(sums);
	rbl_destroy_jobs(def.jobs);
}
