// SPDX-License-Identifier: MIT
//
// broadphase_history DIRECTORY: run the paper's four simulations for 6,000 steps through the BSP and
// draw its depth and leaves, its pairs, and the operators it applied, one SVG file each.

#include "scenes/streams.h"

#include <rubble/broadphase.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 6000, EVERY = 20, POINTS = STEPS / EVERY, OBJECTS = 4250, SERIES = 8 };

static const char *const series_names[SERIES] = { "leaves", "depth",
	                                              "pairs",  "splits and shift-splits",
	                                              "merges", "balances",
	                                              "swaps",  "events waiting" };
static const char *const series_colours[SERIES] = { "#888888", "#1f6fb4", "#1f6fb4", "#c23b22",
	                                                "#2a9d4a", "#1f6fb4", "#b07c10", "#888888" };

typedef struct history {
	double values[SERIES][POINTS];
	int count;
} history;

typedef struct driver {
	rbl_broadphase *broadphase;
	rbl_proxy_id *ids, *list;
	rbl_proxy_def *defs;
	rbl_box *boxes;
} driver;

static bool open_driver(driver *d, const stream *s)
{
	size_t n = (size_t)s->capacity;
	rbl_broadphase_def def = rbl_default_broadphase_def();
	d->ids = calloc(n, sizeof *d->ids);
	d->list = calloc(n, sizeof *d->list);
	d->defs = calloc(n, sizeof *d->defs);
	d->boxes = calloc(n, sizeof *d->boxes);
	return d->ids && d->list && d->defs && d->boxes &&
	       rbl_create_broadphase(&def, &d->broadphase) == RBL_OK;
}

static void close_driver(driver *d)
{
	rbl_destroy_broadphase(d->broadphase);
	free(d->ids);
	free(d->list);
	free(d->defs);
	free(d->boxes);
}

// Everything that a step of a stream delivers.
static bool insert(driver *d, const stream *s)
{
	for (int i = 0; i < s->destroyed.count; ++i)
		d->list[i] = d->ids[s->destroyed.ids[i]];
	if (rbl_broadphase_remove(d->broadphase, d->list, s->destroyed.count) != RBL_OK)
		return false;
	for (int i = 0; i < s->created.count; ++i) {
		int id = s->created.ids[i];
		d->defs[i] = rbl_default_proxy_def();
		d->defs[i].box = s->boxes[id];
		d->defs[i].is_static = s->kinds[id] == STREAM_STATIC;
	}
	if (rbl_broadphase_add(d->broadphase, d->defs, s->created.count, d->list) != RBL_OK)
		return false;
	for (int i = 0; i < s->created.count; ++i)
		d->ids[s->created.ids[i]] = d->list[i];
	for (int i = 0; i < s->moved.count; ++i) {
		d->list[i] = d->ids[s->moved.ids[i]];
		d->boxes[i] = s->boxes[s->moved.ids[i]];
	}
	return rbl_broadphase_move(d->broadphase, d->list, d->boxes, s->moved.count) == RBL_OK;
}

static void note(history *h, const driver *d, int pair_count)
{
	rbl_broadphase_stats stats = rbl_broadphase_get_stats(d->broadphase);
	const double values[SERIES] = {
		stats.leaves,         stats.depth,
		pair_count,           (double)stats.splits + (double)stats.shift_splits,
		(double)stats.merges, (double)stats.balances,
		(double)stats.swaps,  stats.events_waiting,
	};
	for (int k = 0; k < SERIES; ++k)
		h->values[k][h->count] = values[k];
	h->count++;
}

static bool run_stream(stream_scene scene, history *h)
{
	stream s;
	driver d = { 0 };
	h->count = 0;
	if (!stream_open(&s, scene, OBJECTS, STEPS, 1))
		return false;
	bool ok = open_driver(&d, &s);
	while (ok && stream_next(&s)) {
		rbl_broadphase_result result;
		ok = insert(&d, &s) && rbl_broadphase_update(d.broadphase, &result) == RBL_OK;
		if (ok && s.step % EVERY == EVERY - 1)
			note(h, &d, result.pair_count);
	}
	close_driver(&d);
	stream_close(&s);
	return ok;
}

// --- drawing -------------------------------------------------------------------------------------

enum { WIDTH = 720, LEFT = 60, PLOT_WIDTH = 640, PANEL_HEIGHT = 120, PANEL_STEP = 165, TOP = 50 };

static void draw_panel(FILE *file, const history *h, int panel, const int *series, int series_count)
{
	double most = 1.0;
	for (int k = 0; k < series_count; ++k) {
		for (int i = 0; i < h->count; ++i)
			most = h->values[series[k]][i] > most ? h->values[series[k]][i] : most;
	}
	int top = TOP + panel * PANEL_STEP, bottom = top + PANEL_HEIGHT;
	fprintf(file, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#bbb'/>\n", LEFT,
	        top, PLOT_WIDTH, PANEL_HEIGHT);
	fprintf(file, "<text x='%d' y='%d' text-anchor='end'>%.0f</text>\n", LEFT - 6, top + 10, most);
	fprintf(file, "<text x='%d' y='%d' text-anchor='end'>0</text>\n", LEFT - 6, bottom);
	fprintf(file, "<text x='%d' y='%d'>0</text>\n", LEFT, bottom + 14);
	fprintf(file, "<text x='%d' y='%d' text-anchor='end'>%d steps</text>\n", LEFT + PLOT_WIDTH,
	        bottom + 14, STEPS);
	for (int k = 0, x = LEFT; k < series_count; ++k) {
		const char *colour = series_colours[series[k]];
		fprintf(file, "<text x='%d' y='%d' fill='%s'>%s</text>\n", x, top - 6, colour,
		        series_names[series[k]]);
		x += 30 + 7 * (int)strlen(series_names[series[k]]);
		fprintf(file, "<polyline fill='none' stroke='%s' points='", colour);
		for (int i = 0; i < h->count; ++i)
			fprintf(file, "%.0f,%.1f ", LEFT + PLOT_WIDTH * (i + 1.0) / POINTS,
			        bottom - PANEL_HEIGHT * h->values[series[k]][i] / most);
		fprintf(file, "'/>\n");
	}
}

static bool draw(const char *path, const char *title, const history *h)
{
	FILE *file = fopen(path, "w");
	if (!file)
		return false;
	fprintf(file,
	        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
	        "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' "
	        "fill='white'/>\n<text x='%d' y='20' font-size='14'>%s</text>\n",
	        WIDTH, TOP + 4 * PANEL_STEP, LEFT, title);
	draw_panel(file, h, 0, (const int[]){ 0 }, 1);
	draw_panel(file, h, 1, (const int[]){ 1, 7 }, 2);
	draw_panel(file, h, 2, (const int[]){ 2 }, 1);
	draw_panel(file, h, 3, (const int[]){ 3, 4, 5, 6 }, 4);
	fprintf(file, "</svg>\n");
	return fclose(file) == 0;
}

int main(int argc, char **argv)
{
	static const char *const titles[] = { "S1: spheres and blocks rain on terrain",
		                                  "S2: eight clouds", "S3: large blocks meet and break",
		                                  "S4: spheres and blocks rain into buckets" };
	static history h;
	for (int scene = STREAM_TERRAIN; scene <= STREAM_BUCKETS; ++scene) {
		char path[1000];
		snprintf(path, sizeof path, "%s/broadphase-s%d.svg", argc > 1 ? argv[1] : ".", scene);
		if (!run_stream((stream_scene)scene, &h) || !draw(path, titles[scene - 1], &h)) {
			fprintf(stderr, "broadphase_history: cannot make %s\n", path);
			return 1;
		}
		printf("%s\n", path);
	}
	return 0;
}
