// SPDX-License-Identifier: MIT
//
// Searches over a step: the four scenes, frame by frame, and how long it takes to know the first impact,
// or that there is one, beside the whole list of hits.
//
// `list` is the whole list, `first` the time of the first impact, `any` whether there is one, `candidates`
// finds what may come into contact, and `again` the first impact from candidates that are kept. Each has a
// surface of its own. Times are processor time of queries, updates left out: `ms` over all frames, `hit_ms`
// over frames with an impact, and `share` compares that with the list. First impacts are compared.

#include "surface_searches.h"

#include "surface_runs.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIST, FIRST, ANY, CANDIDATES, AGAIN, SEARCHES };

static const char *const names[SEARCHES] = { "list", "first", "any", "candidates", "again" };

// What was found frame by frame, and what each search took.
typedef struct search_run {
	float firsts[SURFACE_MOST_FRAMES];
	bool has_hit[SURFACE_MOST_FRAMES];
	double ms[SEARCHES], hit_ms[SEARCHES];
	int frames, hit_frames;
} search_run;

// @return false when it failed, or differs from the list
static bool ask(rbl_surface *surface, int search, int frame, search_run *run)
{
	rbl_surface_hits hits = { NULL, 0 };
	float first = 1.0f;
	bool has_hit = false;
	int count;
	if (search == LIST) {
		bool is_good = rbl_surface_sweep(surface, &hits) == RBL_OK;
		for (int i = 0; i < hits.count; ++i)
			first = hits.hits[i].time < first ? hits.hits[i].time : first;
		run->firsts[frame] = first, run->has_hit[frame] = hits.count > 0;
		return is_good;
	}
	if (search == CANDIDATES)
		return rbl_surface_keep_candidates(surface, 0.0f, &count) == RBL_OK;
	if (search == ANY)
		return rbl_surface_has_hit(surface, 1.0f, &has_hit) == RBL_OK &&
		       has_hit == run->has_hit[frame];
	return rbl_surface_max_step(surface, 1.0f, &first) == RBL_OK && first == run->firsts[frame];
}

static bool measure(rbl_surface *surface, int search, int frame, search_run *run)
{
	double begin = surface_thread_ms();
	bool is_good = ask(surface, search, frame, run);
	double ms = surface_thread_ms() - begin;
	run->ms[search] += ms;
	run->hit_ms[search] += run->has_hit[frame] ? ms : 0.0;
	return is_good;
}

static bool run_search(const bench *b, surface_kind kind, const surface_cast *c, int search,
                       search_run *run)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_make_scene(b, kind, c);
	bool is_good = scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	for (int frame = 0; is_good && frame < run->frames; ++frame) {
		bool is_broken;
		is_good = surface_scene_step(scene, surface, &is_broken) &&
		          rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK &&
		          measure(surface, search, frame, run);
		if (is_good && search == CANDIDATES)
			is_good = measure(surface, AGAIN, frame, run);
	}
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return is_good;
}

static void run_scene(bench *b, const char *name, surface_kind kind, const surface_cast *c,
                      search_run *run)
{
	*run = (search_run){ .frames = surface_frame_count(b, kind) };
	for (int search = LIST; search <= CANDIDATES; ++search)
		if (!run_search(b, kind, c, search, run)) {
			bench_fail(b, name, names[search], "failed, or differs from the list");
			return;
		}
	for (int frame = 0; frame < run->frames; ++frame)
		run->hit_frames += run->has_hit[frame];
	for (int search = LIST; search < SEARCHES; ++search) {
		bench_row(b, name, names[search], "ms", run->ms[search] / run->frames, "ms");
		if (run->hit_frames == 0)
			continue;
		bench_row(b, name, names[search], "hit_ms", run->hit_ms[search] / run->hit_frames, "ms");
		bench_row(b, name, names[search], "share", run->hit_ms[search] / run->hit_ms[LIST], "");
	}
	bench_row(b, name, names[LIST], "hit_frames", run->hit_frames, "");
}

void surface_run_searches(bench *b)
{
	surface_cast c = { .is_ready = false };
	search_run *run = malloc(sizeof *run);
	for (int kind = 0; kind < SURFACE_KIND_COUNT && run; ++kind) {
		char name[64];
		snprintf(name, sizeof name, "%s-search", surface_scene_name((surface_kind)kind));
		if (!bench_wants(b, name))
			continue;
		if (kind == SURFACE_EXPLODE && !bench_is_quick(b))
			surface_load_cast(&c);
		run_scene(b, name, (surface_kind)kind, &c, run);
	}
	surface_free_cast(&c);
	free(run);
}
