// SPDX-License-Identifier: MIT
//
// surface_frames DIRECTORY [MESHES]: run the scenes of breaking surfaces and draw the time of every
// frame, one SVG file each, frames with changes of topology marked. With a second directory, write
// a cloth and broken walls there as OBJ files.

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "surface/comparison.h"
#include "scenes/surfaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CURVES = 3, MOST_FRAMES = 256, WIDTH = 760, HEIGHT = 260, LEFT = 56, BOTTOM = 36 };

static const struct {
	const char *name, *colour;
	rbl_surface_culling culling;
	rbl_surface_restructuring restructuring;
	rbl_surface_builder builder;
} curves[CURVES] = {
	{ "exact", "#1f6fb4", RBL_CULL_EXACT, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA },
	{ "no culling", "#888888", RBL_CULL_NONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA },
	{ "full rebuild", "#c23b22", RBL_CULL_EXACT, RBL_RESTRUCTURE_ALL, RBL_SURFACE_BUILD_AREA },
};

typedef struct graph {
	double ms[CURVES][MOST_FRAMES];
	bool is_broken[MOST_FRAMES];
	int count;
} graph;

static double thread_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void write_mesh(const rbl_surface *surface, const char *directory, const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s.obj", directory, name);
	FILE *file = fopen(path, "w");
	if (!file)
		return;
	rbl_surface_data data = rbl_surface_get_data(surface);
	for (int i = 0; i < data.vertex_end; ++i)
		fprintf(file, "v %g %g %g\n", (double)data.ends[i].x, (double)data.ends[i].y,
		        (double)data.ends[i].z);
	for (int t = 0; t < data.triangle_end; ++t)
		if (rbl_surface_triangle_body(surface, t).generation)
			fprintf(file, "f %d %d %d\n", data.triangles[3 * t] + 1, data.triangles[3 * t + 1] + 1,
			        data.triangles[3 * t + 2] + 1);
	fclose(file);
}

static bool run(surface_kind kind, int curve, int frames, graph *g, const char *meshes)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = curves[curve].culling;
	def.restructuring = curves[curve].restructuring;
	def.builder = curves[curve].builder;
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_scene_create(kind, 1);
	bool is_good = scene && rbl_surface_create_comparison(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	for (g->count = 0; is_good && g->count < frames; ++g->count) {
		rbl_surface_pairs pairs;
		is_good = surface_scene_step(scene, surface, &g->is_broken[g->count]);
		double begin = thread_ms();
		is_good = is_good && rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK &&
		          rbl_surface_collide(surface, &pairs) == RBL_OK;
		g->ms[curve][g->count] = surface_scene_change_ms(scene) + thread_ms() - begin;
	}
	if (is_good && meshes)
		write_mesh(surface, meshes, surface_scene_name(kind));
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return is_good;
}

static bool draw(const char *directory, surface_kind kind, const graph *g)
{
	char path[512];
	snprintf(path, sizeof path, "%s/surface-%s.svg", directory, surface_scene_name(kind));
	FILE *file = fopen(path, "w");
	if (!file)
		return false;
	double most = 1.0;
	for (int curve = 0; curve < CURVES; ++curve)
		for (int i = 0; i < g->count; ++i)
			most = g->ms[curve][i] > most ? g->ms[curve][i] : most;
	double across = (double)(WIDTH - LEFT - 10) / (g->count - 1);
	double up = (HEIGHT - BOTTOM - 24) / most;
	fprintf(file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
	        "font-family=\"sans-serif\" font-size=\"12\">\n"
	        "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
	        WIDTH, HEIGHT, WIDTH, HEIGHT);
	for (int i = 0; i < g->count; ++i)
		if (g->is_broken[i])
			fprintf(file,
			        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"24\" y2=\"%d\" stroke=\"#e8b04a\" "
			        "stroke-width=\"3\"/>\n",
			        LEFT + across * i, LEFT + across * i, HEIGHT - BOTTOM);
	for (int tick = 0; tick <= 4; ++tick) {
		double y = HEIGHT - BOTTOM - up * most * tick / 4;
		fprintf(file,
		        "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
		        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f ms</text>\n",
		        LEFT, WIDTH - 10, y, y, LEFT - 4, y + 4, most * tick / 4);
	}
	for (int curve = 0; curve < CURVES; ++curve) {
		fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
		        curves[curve].colour);
		for (int i = 0; i < g->count; ++i)
			fprintf(file, "%.1f,%.1f ", LEFT + across * i, HEIGHT - BOTTOM - up * g->ms[curve][i]);
		fprintf(file, "\"/>\n<text x=\"%d\" y=\"16\" fill=\"%s\">%s</text>\n", LEFT + 110 * curve,
		        curves[curve].colour, curves[curve].name);
	}
	fprintf(file,
	        "<text x=\"%d\" y=\"%d\">%s: processor time of a frame; bars: the mesh breaks"
	        "</text>\n</svg>\n",
	        LEFT, HEIGHT - 10, surface_scene_name(kind));
	return fclose(file) == 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: surface_frames DIRECTORY [MESHES]\n");
		return 2;
	}
	static graph g;
	const struct {
		surface_kind kind;
		int frames;
	} runs[2] = { { SURFACE_WALLS, 80 }, { SURFACE_EXPLODE, 250 } };
	for (int i = 0; i < 2; ++i) {
		for (int curve = 0; curve < CURVES; ++curve)
			if (!run(runs[i].kind, curve, runs[i].frames, &g, NULL))
				return 1;
		if (!draw(argv[1], runs[i].kind, &g))
			return 1;
	}
	if (argc > 2 &&
	    (!run(SURFACE_CLOTH, 0, 45, &g, argv[2]) || !run(SURFACE_WALLS, 0, 27, &g, argv[2])))
		return 1;
	return 0;
}
