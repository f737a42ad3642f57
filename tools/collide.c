// SPDX-License-Identifier: MIT
// rubble collide: which triangles of mesh files intersect, at an instant or within a step.

#include "asset_files.h"
#include "collide_brute.h"
#include "collide_output.h"
#include "commands.h"
#include "errors.h"
#include "files.h"
#include "progress.h"

#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct collide_options {
	const char *with, *to, *output, *json;
	int culling, repeat;
	double separation; // below 0: not asked for
	bool is_brute, is_repaired;
} collide_options;

static const char *const culling_names[] = { "none", "cone", "exact", NULL };

/// A mesh file as arrays.
typedef struct soup {
	rbl_vec3 *positions;
	int *triangles;
	int vertex_count, triangle_count;
} soup;

static void free_soup(soup *s)
{
	free(s->positions);
	free(s->triangles);
	*s = (soup){ 0 };
}

/// @return a STATUS_
static int read_soup(const char *name, bool is_repaired, soup *s)
{
	rbl_mesh *mesh = NULL;
	rbl_result result = read_closed_mesh(name, is_repaired, &mesh);
	if (result != RBL_OK)
		return fail_with(result, name);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	s->vertex_count = data.vertex_count, s->triangle_count = rbl_mesh_triangle_count(mesh);
	s->positions = calloc((size_t)data.vertex_count + 1, sizeof *s->positions);
	s->triangles = calloc(3 * (size_t)s->triangle_count + 1, sizeof *s->triangles);
	result = s->positions && s->triangles ? rbl_mesh_triangulate(mesh, s->triangles, NULL)
	                                      : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		for (int i = 0; i < data.vertex_count; ++i) {
			rbl_vec3d p = data.positions[i];
			s->positions[i] = (rbl_vec3){ (float)p.x, (float)p.y, (float)p.z };
		}
		for (int i = 0; i < 3 * s->triangle_count; ++i)
			s->triangles[i] = data.corner_vertices[s->triangles[i]];
	}
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? STATUS_OK : fail_with(result, name);
}

static rbl_result add_soup(rbl_surface *surface, const soup *s, rbl_surface_body_id *body)
{
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = s->vertex_count;
	def.positions = s->positions;
	def.triangle_count = s->triangle_count;
	def.triangles = s->triangles;
	return rbl_surface_add(surface, &def, body);
}

/// What a run found.
typedef struct findings {
	const char *subject; // of an error: a file name
	int pairs, missed, extra;
	float first_time;
	collide_lists lists;
	double ms, brute_ms; // update and query, the minimum of all repetitions
	rbl_surface_stats stats;
} findings;

/// Update and query once.
static rbl_result ask(rbl_surface *surface, bool is_step, rbl_surface_pairs *pairs,
                      rbl_surface_hits *hits)
{
	rbl_result result =
		rbl_surface_update(surface, is_step ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE);
	if (result != RBL_OK)
		return result;
	return is_step ? rbl_surface_sweep(surface, hits) : rbl_surface_collide(surface, pairs);
}

// What is within a distance, of the step or the instant that was asked about before.
static rbl_result find_near(rbl_surface *surface, float distance, collide_lists *lists)
{
	rbl_surface_near_pairs near_pairs;
	rbl_result result = rbl_surface_proximity(surface, distance, &near_pairs);
	return result == RBL_OK ? keep_near(lists, near_pairs) : result;
}

static rbl_result find_curves(rbl_surface *surface, collide_lists *lists)
{
	rbl_surface_contours contours;
	rbl_surface_overlaps overlaps;
	rbl_result result = rbl_surface_get_contours(surface, &contours);
	if (result == RBL_OK) // which keeps the contours
		result = rbl_surface_get_overlaps(surface, &overlaps);
	return result == RBL_OK ? keep_contours(lists, &contours, &overlaps) : result;
}

static rbl_result collide(rbl_surface *surface, rbl_surface_body_id body, const soup *a,
                          const soup *end, const collide_options *options, progress *line,
                          findings *found)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0 };
	for (int i = 0; i < options->repeat; ++i) {
		progress_update(line, (double)i / options->repeat);
		rbl_result result = rbl_surface_move(surface, body, a->positions,
		                                     options->to ? end->positions : a->positions);
		double begin = now_ms();
		if (result == RBL_OK)
			result = ask(surface, options->to != NULL, &pairs, &hits);
		if (result != RBL_OK)
			return result;
		double ms = now_ms() - begin;
		found->ms = i == 0 || ms < found->ms ? ms : found->ms;
	}
	found->stats = rbl_surface_get_stats(surface);
	found->pairs = options->to ? hits.count : pairs.count;
	found->first_time = 1.0f;
	for (int i = 0; i < hits.count; ++i)
		if (!hits.hits[i].is_parting && hits.hits[i].time < found->first_time)
			found->first_time = hits.hits[i].time;
	rbl_surface_data data = rbl_surface_get_data(surface);
	rbl_result result = keep_found(&found->lists, pairs, hits);
	if (result == RBL_OK && options->is_brute) {
		progress_end(line);
		progress_begin(line, "comparing");
		double begin = now_ms();
		result = options->to ? compare_hits(&data, hits, &found->missed, &found->extra)
		                     : compare_pairs(&data, pairs, &found->missed, &found->extra);
		found->brute_ms = now_ms() - begin;
	}
	if (result == RBL_OK && !options->to)
		result = find_curves(surface, &found->lists);
	if (result == RBL_OK && options->separation >= 0.0)
		result = find_near(surface, (float)options->separation, &found->lists);
	if (result != RBL_OK || !options->output)
		return result;
	found->subject = options->output;
	return write_colliding_mesh(options->output, &data, &found->lists);
}

static int write_json(const collide_options *options, const findings *found)
{
	FILE *file = create_file(options->json);
	if (!file)
		return STATUS_FAILED;
	fprintf(file,
	        "{\n  \"triangles\": %d,\n  \"pairs\": %d,\n  \"ms\": %.4f,\n  \"tests\": %lld,\n"
	        "  \"candidates\": %lld,\n  \"box_tests\": %lld",
	        found->stats.triangle_count, found->pairs, found->ms, (long long)found->stats.tests,
	        (long long)found->stats.candidates, (long long)found->stats.box_tests);
	if (options->to)
		fprintf(file, ",\n  \"first_time\": %.9g", (double)found->first_time);
	if (options->is_brute)
		fprintf(file, ",\n  \"missed\": %d,\n  \"extra\": %d,\n  \"brute_ms\": %.4f", found->missed,
		        found->extra, found->brute_ms);
	write_json_lists(file, &found->lists, options->to != NULL, options->separation >= 0.0);
	fprintf(file, "\n}\n");
	return close_file(file, options->json);
}

static void report_curves(const collide_lists *lists)
{
	int closed = 0;
	for (int i = 0; i < lists->contours.count; ++i)
		closed += lists->contours.contours[i].is_closed;
	if (lists->contours.count > 0)
		say("%d contours, %d of them closed\n", lists->contours.count, closed);
	for (int i = 0; i < lists->overlaps.count; ++i) {
		rbl_vec3 d = lists->overlaps.overlaps[i].direction;
		if (lists->overlaps.overlaps[i].depth > 0.0f)
			say("%.6g deep: the way out of A is along (%.4g, %.4g, %.4g)\n",
			    (double)lists->overlaps.overlaps[i].depth, (double)d.x, (double)d.y, (double)d.z);
	}
}

static int report(const collide_options *options, const findings *found)
{
	if (options->to)
		say("%d pairs of features touch within the step, first at %.6g", found->pairs,
		    (double)found->first_time);
	else
		say("%d pairs of triangles intersect", found->pairs);
	say(": %d triangles, %lld box tests, %lld tests, %.2f ms\n", found->stats.triangle_count,
	    (long long)found->stats.box_tests, (long long)found->stats.tests, found->ms);
	if (!options->to)
		report_curves(&found->lists);
	if (options->separation >= 0.0)
		say("%d pairs of features are within %g\n", found->lists.near_count, options->separation);
	if (options->is_brute)
		say("brute force: %d missed, %d too many, %.0f ms\n", found->missed, found->extra,
		    found->brute_ms);
	if (options->json) {
		int status = write_json(options, found);
		if (status != STATUS_OK)
			return status;
	}
	if (options->is_brute && (found->missed || found->extra))
		return fail("the result differs from brute force");
	return STATUS_OK;
}

static int run_on(const char *name, const soup *a, const soup *b, const soup *end,
                  const collide_options *options)
{
	if (options->to &&
	    (end->vertex_count != a->vertex_count || end->triangle_count != a->triangle_count ||
	     memcmp(end->triangles, a->triangles,
	            3 * (size_t)a->triangle_count * sizeof *a->triangles) != 0))
		return fail("%s: not the same triangles as %s", options->to, name);
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = (rbl_surface_culling)options->culling;
	rbl_surface *surface = NULL;
	rbl_surface_body_id body, other;
	findings found = { .subject = name };
	rbl_result result = rbl_create_surface(&def, &surface);
	if (result == RBL_OK)
		result = add_soup(surface, a, &body);
	if (result == RBL_OK && options->with)
		result = add_soup(surface, b, &other);
	progress line;
	progress_begin(&line, "colliding");
	if (result == RBL_OK)
		result = collide(surface, body, a, end, options, &line, &found);
	progress_end(&line);
	rbl_destroy_surface(surface);
	int status = result == RBL_OK ? report(options, &found) : fail_with(result, found.subject);
	free_lists(&found.lists);
	return status;
}

static int run(int argc, char **argv)
{
	collide_options options = { .culling = RBL_CULL_EXACT, .repeat = 3, .separation = -1.0 };
	const option table[] = {
		OPTION_TEXT("with", "B", &options.with, "a second mesh, which does not move"),
		OPTION_TEXT("to", "A_END", &options.to,
		            "A at the end of a step: continuous collision detection"),
		OPTION_NUMBER("separation", "D", &options.separation, 0, 1e30,
		              "find vertex-face and edge-edge pairs within a distance as well"),
		OPTION_CHOICE("cull", &options.culling, culling_names,
		              "self-collision culling, default exact"),
		OPTION_FLAG("brute", &options.is_brute, "compare with brute force"),
		OPTION_INT("repeat", "N", &options.repeat, 1, 1000,
		           "repetitions, of which the fastest counts; default 3"),
		OPTION_OUTPUT("output", "FILE", &options.output,
		              "write all triangles as a mesh, intersecting ones in red, those within their "
		              "contours in blue, near ones in orange (also -o)"),
		OPTION_OUTPUT("json", "FILE", &options.json,
		              "write the result as JSON, with all pairs and contours"),
		OPTION_FLAG("repair", &options.is_repaired, "close the meshes first"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_collide, table, argc, argv, &found, &status))
		return status;
	soup a = { 0 }, b = { 0 }, end = { 0 };
	status = read_soup(found.items[0], options.is_repaired, &a);
	if (status == STATUS_OK && options.with)
		status = read_soup(options.with, options.is_repaired, &b);
	if (status == STATUS_OK && options.to)
		status = read_soup(options.to, options.is_repaired, &end);
	if (status == STATUS_OK)
		status = run_on(found.items[0], &a, &b, &end, &options);
	free_soup(&a);
	free_soup(&b);
	free_soup(&end);
	return status;
}

const command command_collide = {
	.name = "collide",
	.arguments = "A",
	.about = "find intersecting triangles of meshes",
	.details =
		"Two triangles intersect when they have a point in common, apart from a vertex or edge "
		"that\n"
		"they share. With --to, finds vertex-face and edge-edge pairs that touch at some time\n"
		"within the step. Positions are rounded to single precision.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
