// SPDX-License-Identifier: MIT
// rubble calibrate: what the steps of surface collision cost on this machine, as the numbers that
// rbl_surface_costs takes.

#include "commands.h"
#include "errors.h"

#include <rubble/surface.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 150, RUNS = 5 };

// A sheet in waves, rolled up to a tube that does not close: no direction sees all of it.
static void draw_sheet(rbl_vec3 *positions, int shift)
{
	for (int i = 0; i < (SIZE + 1) * (SIZE + 1); ++i) {
		float x = (float)(i % (SIZE + 1)) / SIZE, y = (float)(i / (SIZE + 1)) / SIZE;
		float s = 6.0f * x + 2.0f * y + 0.01f * (float)shift;
		s -= floorf(s);
		float wave = s < 0.5f ? s * (0.5f - s) : (s - 0.5f) * (s - 1.0f);
		float radius = 1.0f + 2.0f * wave, angle = 6.0f * x;
		positions[i] = (rbl_vec3){ radius * cosf(angle), 3.0f * y, radius * sinf(angle) };
	}
}

typedef struct sample {
	double update, query, tests;
	int clusters;
} sample;

static bool measure(const rbl_surface_body_def *body_def, rbl_vec3 *positions,
                    rbl_surface_restructuring rule, sample *least)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.restructuring = rule;
	rbl_surface *surface = NULL;
	rbl_surface_body_id body;
	bool is_good = rbl_create_surface(&def, &surface) == RBL_OK &&
	               rbl_surface_add(surface, body_def, &body) == RBL_OK;
	*least = (sample){ 1e30, 1e30, 1.0, 1 };
	for (int i = 0; is_good && i < RUNS; ++i) {
		rbl_surface_pairs pairs;
		draw_sheet(positions, i);
		is_good = rbl_surface_move(surface, body, NULL, positions) == RBL_OK &&
		          rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK &&
		          rbl_surface_collide(surface, &pairs) == RBL_OK;
		rbl_surface_stats stats = rbl_surface_statistics(surface);
		double tests = (double)(1 + stats.box_tests + 4 * stats.cluster_tests);
		if ((double)stats.query_ns / tests < least->query / least->tests)
			least->query = (double)stats.query_ns, least->tests = tests;
		if ((double)stats.update_ns < least->update)
			least->update = (double)stats.update_ns;
		least->clusters = stats.cluster_count;
	}
	rbl_destroy_surface(surface);
	return is_good;
}

static int run(int argc, char **argv)
{
	words found;
	int status;
	if (!parse_options(&command_calibrate, NULL, argc, argv, &found, &status))
		return status;
	int count = (SIZE + 1) * (SIZE + 1);
	rbl_vec3 *positions = malloc((size_t)count * sizeof *positions);
	int *triangles = malloc(6 * (size_t)SIZE * SIZE * sizeof *triangles), *t = triangles;
	sample kept, built;
	if (positions && triangles) {
		for (int i = 0; i < SIZE * SIZE; ++i) {
			int a = i / SIZE * (SIZE + 1) + i % SIZE, b = a + 1, c = a + SIZE + 1, d = c + 1;
			*t++ = a, *t++ = d, *t++ = b;
			*t++ = a, *t++ = c, *t++ = d;
		}
		draw_sheet(positions, 0);
	}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = count, def.positions = positions;
	def.triangle_count = 2 * SIZE * SIZE, def.triangles = triangles;
	bool is_good = positions && triangles &&
	               measure(&def, positions, RBL_RESTRUCTURE_NONE, &kept) &&
	               measure(&def, positions, RBL_RESTRUCTURE_ALL, &built);
	free(positions);
	free(triangles);
	if (!is_good) {
		fail("the measurement failed");
		return STATUS_FAILED;
	}
	int levels = 1;
	while (1 << levels <= built.clusters)
		levels++;
	double build = (built.update - kept.update) / ((double)built.clusters * levels);
	printf("rbl_surface_costs: .box_test = %.1ff, .build_cluster = %.1ff\n",
	       kept.query / kept.tests, build > 0.1 ? build : 0.1);
	return STATUS_OK;
}

const command command_calibrate = {
	.name = "calibrate",
	.arguments = "",
	.about = "measure the constants that decide about restructuring surfaces",
	.run = run,
};
