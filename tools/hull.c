// SPDX-License-Identifier: MIT
// rubble hull: a simplified convex hull of a mesh file.

#include "asset_files.h"
#include "commands.h"
#include "errors.h"
#include "files.h"
#include "progress.h"

#include <rubble/hull.h>
#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdio.h>
#include <string.h>

typedef struct hull_options {
	int vertices, planes;
	bool keeps_directions, is_repaired;
	const char *output, *json;
} hull_options;

typedef struct findings {
	rbl_outer_hull_data hull;
	double exact_volume;
	double ms;
} findings;

static rbl_result find_exact_volume(const rbl_mesh_data *data, double *volume)
{
	rbl_hull_def def = rbl_default_hull_def();
	def.points = data->positions;
	def.point_count = data->vertex_count;
	rbl_hull *hull = NULL;
	rbl_mesh *mesh = NULL;
	rbl_result result = rbl_create_hull(&def, &hull);
	if (result == RBL_OK)
		result = rbl_hull_create_mesh(hull, NULL, &mesh);
	if (result == RBL_OK)
		*volume = rbl_mesh_get_mass(mesh).volume;
	rbl_destroy_mesh(mesh);
	rbl_destroy_hull(hull);
	return result;
}

static rbl_result write_hull(const char *name, const rbl_outer_hull_data *hull)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = hull->vertex_count;
	def.data.positions = hull->vertices;
	def.data.face_count = hull->plane_count;
	def.data.corner_count = 3 * hull->vertex_count;
	def.data.face_starts = hull->face_starts;
	def.data.corner_vertices = hull->corner_vertices;
	rbl_mesh *mesh = NULL;
	rbl_result result = rbl_create_mesh(&def, &mesh);
	if (result == RBL_OK)
		result = write_mesh(name, mesh, NULL);
	rbl_destroy_mesh(mesh);
	return result;
}

static int write_json(const char *name, const findings *found)
{
	FILE *file = create_file(name);
	if (!file)
		return STATUS_FAILED;
	fprintf(file,
	        "{\n  \"vertices\": %d,\n  \"planes\": %d,\n  \"volume\": %.17g,\n"
	        "  \"exact_volume\": %.17g,\n  \"ratio\": %.9g,\n  \"ms\": %.4f\n}\n",
	        found->hull.chosen_count, found->hull.plane_count, found->hull.volume,
	        found->exact_volume, found->hull.volume / found->exact_volume, found->ms);
	return close_file(file, name);
}

static int report(const hull_options *options, const findings *found)
{
	if (options->output) {
		rbl_result result = write_hull(options->output, &found->hull);
		if (result != RBL_OK)
			return fail_with(result, options->output);
	}
	if (options->json) {
		int status = write_json(options->json, found);
		if (status != STATUS_OK)
			return status;
	}
	say("%d vertices, %d planes, volume %.6g, %.4f of the exact hull's, in %.2f ms\n",
	    found->hull.chosen_count, found->hull.plane_count, found->hull.volume,
	    found->hull.volume / found->exact_volume, found->ms);
	return STATUS_OK;
}

static int fit(const hull_options *options, const char *in)
{
	rbl_mesh *mesh = NULL;
	rbl_outer_hull *hull = NULL;
	findings found = { 0 };
	rbl_result result = read_closed_mesh(in, options->is_repaired, &mesh);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	if (result == RBL_OK)
		result = find_exact_volume(&data, &found.exact_volume);
	if (result == RBL_OK) {
		rbl_outer_hull_def def = rbl_default_outer_hull_def();
		def.points = data.positions;
		def.point_count = data.vertex_count;
		def.vertex_count = options->vertices;
		def.keeps_directions = options->keeps_directions;
		def.plane_limit = options->planes;
		progress line;
		progress_begin(&line, "fitting");
		double begin = now_ms();
		result = rbl_create_outer_hull(&def, &hull);
		found.ms = now_ms() - begin;
		progress_end(&line);
	}
	found.hull = rbl_outer_hull_get_data(hull);
	int status = result == RBL_OK ? report(options, &found) : fail_with(result, in);
	rbl_destroy_outer_hull(hull);
	rbl_destroy_mesh(mesh);
	return status;
}

static int run(int argc, char **argv)
{
	hull_options options = { .vertices = 20 };
	const option table[] = {
		OPTION_INT("vertices", "N", &options.vertices, 4, 1000000,
		           "vertices of IN to choose, default 20"),
		OPTION_INT("planes", "N", &options.planes, 6, 1000000,
		           "maximum number of planes, default no limit"),
		OPTION_FLAG("monotone", &options.keeps_directions,
		            "more vertices never give a larger hull"),
		OPTION_FLAG("repair", &options.is_repaired, "close IN first"),
		OPTION_OUTPUT("output", "FILE", &options.output, "write the hull as a mesh (also -o)"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_hull, table, argc, argv, &found, &status))
		return status;
	return fit(&options, found.items[0]);
}

const command command_hull = {
	.name = "hull",
	.arguments = "IN",
	.about = "fit a simplified convex hull around a mesh file",
	.details =
		"The hull contains every vertex of IN. It is the bounding box of IN cut by the planes of "
		"an\n"
		"inner hull of the chosen vertices, pushed outwards; more vertices fit more tightly.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
