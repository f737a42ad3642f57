// SPDX-License-Identifier: MIT
// rubble prepare: approximate convex decomposition of a mesh file.

#include "asset_files.h"
#include "commands.h"
#include "drawn_file.h"
#include "errors.h"
#include "files.h"
#include "level_patterns.h"
#include "material_options.h"
#include "progress.h"

#include <rubble/asset.h>
#include <rubble/picture.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct prepare_options {
	const char *nodes, *output, *json, *slice, *written_nodes, *picture, *levels;
	slot_presets presets;
	double tolerance, wall, pull;
	int hull_vertices, workers, field_resolution;
	uint64_t seed;
	bool is_repaired;
} prepare_options;

// --- Input --------------------------------------------------------------------------------------

enum { NODES_SIZE_LIMIT = 16 << 20 }; // RBL_MAX_NODES lines, and comments

// Nodes from a file: three numbers a line, # begins a comment. @return a STATUS_
static int read_nodes(const char *name, rbl_vec3d **nodes, int *count)
{
	rbl_file_bytes file;
	if (read_bytes(name, NODES_SIZE_LIMIT, &file) != STATUS_OK)
		return STATUS_FAILED;
	rbl_vec3d *list = malloc(RBL_MAX_NODES * sizeof *list);
	const char *text = (const char *)file.data, *text_end = text + file.size;
	char line[512];
	int n = 0, number = 0, status = list ? STATUS_OK : fail("out of memory");
	while (status == STATUS_OK && text < text_end) {
		const char *next = memchr(text, '\n', (size_t)(text_end - text));
		next = next ? next + 1 : text_end;
		size_t length = (size_t)(next - text);
		number++;
		if (length >= sizeof line) {
			status = fail("%s:%d: longer than %zu bytes", name, number, sizeof line - 1);
			break;
		}
		memcpy(line, text, length);
		line[length] = '\0';
		text = next;
		char *end = strchr(line, '#');
		if (end)
			*end = '\0';
		if (line[strspn(line, " \t\r\n")] == '\0')
			continue;
		double values[3];
		char *at = line;
		for (int k = 0; k < 3 && status == STATUS_OK; ++k) {
			at += strspn(at, " \t,");
			values[k] = strtod(at, &end);
			if (end == at)
				status = fail("%s:%d: three numbers are needed", name, number);
			at = end;
		}
		if (status == STATUS_OK && at[strspn(at, " \t\r\n")] != '\0')
			status = fail("%s:%d: more than three numbers", name, number);
		if (status == STATUS_OK && n == RBL_MAX_NODES)
			status = fail("%s: more than %d nodes", name, RBL_MAX_NODES);
		if (status == STATUS_OK)
			list[n++] = (rbl_vec3d){ values[0], values[1], values[2] };
	}
	rbl_free_bytes(&file);
	if (status == STATUS_OK && n == 0)
		status = fail("%s: no nodes", name);
	*nodes = list;
	*count = n;
	return status;
}

// A number of nodes, or a file of them.
static int take_nodes(const prepare_options *options, rbl_prepare_def *def, rbl_vec3d **nodes)
{
	if (!options->nodes)
		return STATUS_OK;
	char *end;
	long count = strtol(options->nodes, &end, 10);
	if (*end == '\0' && end != options->nodes) {
		if (count < 1 || count > RBL_MAX_NODES)
			return fail_usage(&command_prepare, "--nodes is '%s', must be 1 to %d or a file",
			                  options->nodes, RBL_MAX_NODES);
		def->node_count = (int)count;
		return STATUS_OK;
	}
	int status = read_nodes(options->nodes, nodes, &def->node_count);
	def->nodes = *nodes;
	return status;
}

// --- Levels -------------------------------------------------------------------------------------

static const char *const level_kinds[] = { "voronoi", "impact", "web", "bricks", "splinters" };
enum { LEVEL_KINDS = sizeof level_kinds / sizeof level_kinds[0] };

static int fail_level(const char *text)
{
	return fail_usage(&command_prepare,
	                  "--levels: '%s' is no level: NUMBER:STRENGTH groups parts, PATTERN:CELLS:"
	                  "STRENGTH and bricks:X,Y,Z:STRENGTH cut them, with a pattern of voronoi, "
	                  "impact, web or splinters",
	                  text);
}

// A level by a pattern. @param at  behind the name of its kind
static int read_pattern(const char *text, const char *at, rbl_pattern_def *def, const char **end)
{
	double numbers[3] = { 0.0, 0.0, 0.0 };
	int count = def->kind == RBL_PATTERN_BRICKS ? 3 : 1;
	for (int k = 0; k < count; ++k) {
		char *next;
		numbers[k] = strtod(at, &next);
		if (next == at || !(numbers[k] > 0.0) || *next != (k + 1 < count ? ',' : ':'))
			return fail_level(text);
		at = next + 1;
	}
	*end = at;
	if (count == 3) {
		def->brick_size = (rbl_vec3d){ numbers[0], numbers[1], numbers[2] };
		return STATUS_OK;
	}
	if (numbers[0] > RBL_MAX_PATTERN_CELLS)
		return fail_level(text);
	def->cell_count = (int)numbers[0];
	def->spoke_count = (int)fmax(6.0, sqrt(2.0 * numbers[0]));
	def->ring_count = (int)fmax(1.0, ceil(numbers[0] / def->spoke_count));
	return STATUS_OK;
}

// One level: its pattern is made for the mesh.
static int read_level(const prepare_options *options, const char *text, const rbl_mesh *mesh,
                      rbl_cluster_level *level)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	const char *colon = strchr(text, ':'), *at = colon ? colon + 1 : text;
	size_t length = colon ? (size_t)(colon - text) : 0;
	int kind = 0, status = STATUS_OK;
	while (kind < LEVEL_KINDS &&
	       (strlen(level_kinds[kind]) != length || strncmp(text, level_kinds[kind], length) != 0))
		kind++;
	if (kind < LEVEL_KINDS) {
		def.kind = (rbl_pattern_kind)kind;
		def.size = (rbl_vec3d){ 0.0, 0.0, 0.0 };
		def.seed = options->seed;
		status = read_pattern(text, at, &def, &at);
	} else {
		char *end;
		long count = strtol(text, &end, 10);
		if (!colon || end != colon || count < 1 || count > RBL_MAX_COMPOUND_PARTS)
			return fail_level(text);
		level->cluster_count = (int)count;
	}
	char *end;
	level->strength = strtod(at, &end);
	if (status == STATUS_OK && (end == at || *end != '\0' || !(level->strength > 0.0)))
		return fail_level(text);
	if (status != STATUS_OK || kind == LEVEL_KINDS)
		return status;
	rbl_result result = make_pattern_level(&def, mesh, NULL, level);
	return result == RBL_OK ? STATUS_OK : fail_with(result, text);
}

// Levels with a space between them.
static int read_levels(const prepare_options *options, const rbl_mesh *mesh,
                       rbl_cluster_level *levels, int *count)
{
	const char *at = options->levels ? options->levels : "";
	int status = STATUS_OK;
	for (at += strspn(at, " "); *at && status == STATUS_OK; at += strspn(at, " ")) {
		char text[100];
		size_t length = strcspn(at, " ");
		if (*count == RBL_MAX_CLUSTER_LEVELS)
			return fail_usage(&command_prepare, "--levels: more than %d levels",
			                  RBL_MAX_CLUSTER_LEVELS);
		snprintf(text, sizeof text, "%.*s", length < 99 ? (int)length : 99, at);
		status = read_level(options, text, mesh, &levels[(*count)++]);
		at += length;
	}
	return status;
}

// --- Output -------------------------------------------------------------------------------------

static const char *stop_word(rbl_prepare_stop stop)
{
	static const char *const names[] = { "given", "tolerance", "node_limit", "no_gain" };
	return names[stop];
}

static const char *stop_text(rbl_prepare_stop stop)
{
	static const char *const texts[] = { "nodes as given", "within the tolerance",
		                                 "not within the tolerance; --nodes places more",
		                                 "not within the tolerance; more nodes did not help" };
	return texts[stop];
}

static int write_json(const prepare_options *options, const rbl_asset_report *r, int inside_out,
                      double ms)
{
	FILE *file = create_file(options->json);
	if (!file)
		return STATUS_FAILED;
	fprintf(file,
	        "{\n  \"shells\": %d,\n  \"nodes\": %d,\n  \"parts\": %d,\n"
	        "  \"inside_out\": %d,\n  \"bonds\": %d,\n"
	        "  \"overlaps\": %d,\n  \"ghosts\": %d,\n  \"covered\": %d,\n"
	        "  \"mesh_volume\": %.17g,\n  \"visual_volume\": %.17g,\n  \"convex_volume\": %.17g,\n"
	        "  \"mass_volume\": %.17g,\n  \"ratio\": %.9g,\n  \"worst_ratio\": %.9g,\n"
	        "  \"loose_shells\": %d,\n  \"stop\": \"%s\",\n  \"key\": \"%016llx\",\n"
	        "  \"ms\": %.3f\n}\n",
	        r->shell_count, r->node_count, r->part_count, inside_out, r->bond_count,
	        r->overlap_count, r->ghost_count, r->covered_count, r->mesh_volume, r->visual_volume,
	        r->convex_volume, r->mass_volume, r->convex_volume / r->visual_volume, r->worst_ratio,
	        r->loose_count, stop_word(r->stop), (unsigned long long)r->key, ms);
	return close_file(file, options->json);
}

// The nodes as --nodes reads them.
static int write_nodes(const char *name, const rbl_asset *asset)
{
	int count = 0;
	const rbl_vec3d *nodes = rbl_asset_get_nodes(asset, &count);
	FILE *file = create_file(name);
	if (!file)
		return STATUS_FAILED;
	fprintf(file, "# %d nodes of rubble prepare: x y z\n", count);
	for (int i = 0; i < count; ++i)
		fprintf(file, "%.17g %.17g %.17g\n", nodes[i].x, nodes[i].y, nodes[i].z);
	return close_file(file, name);
}

// The convex parts, each in another color.
static int write_picture(const char *name, const rbl_asset *asset, double pull)
{
	const rbl_transform here = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	rbl_film_def def = rbl_default_film_def();
	rbl_picture_def picture = rbl_default_picture_def();
	rbl_film *film = NULL;
	rbl_result result = rbl_create_film(&def, &film);
	if (result == RBL_OK)
		result = film_parts(film, rbl_asset_get_compound(asset), here, pull);
	if (result == RBL_OK)
		result = rbl_write_picture(name, film, &picture);
	rbl_destroy_film(film);
	return result == RBL_OK ? STATUS_OK : fail_with(result, name);
}

// --- The field ----------------------------------------------------------------------------------

static void report_field(const rbl_distance_field *field)
{
	if (!field)
		return;
	rbl_distance_field_info i = rbl_distance_field_get_info(field);
	say("field: cells of %.4g mm, %d + %d + %d bricks, %.3f MB; off by at most %.4g mm at the "
	    "surface, %.4g anywhere\n",
	    1e3 * (double)i.cell_size, i.brick_counts[0], i.brick_counts[1], i.brick_counts[2],
	    1e-6 * (double)i.bytes, 1e3 * (double)i.surface_error, 1e3 * (double)i.largest_error);
}

// The slice across z through the middle: dark inside, bright outside, a line at the surface and one
// for each eighth of the height.
static void draw_slice(const rbl_distance_field *field, unsigned char *pixels, int width,
                       int height, float step)
{
	rbl_box b = rbl_distance_field_get_info(field).bounds;
	float size = b.upper.y - b.lower.y;
	rbl_vec3 middle = { 0.5f * (b.lower.x + b.upper.x), 0.5f * (b.lower.y + b.upper.y),
		                0.5f * (b.lower.z + b.upper.z) };
	for (int i = 0; i < width * height; ++i) {
		rbl_vec3 p = middle;
		p.x += step * ((float)(i % width) + 0.5f - 0.5f * (float)width);
		p.y -= step * ((float)(i / width) + 0.5f - 0.5f * (float)height);
		float depth = 0.0f;
		rbl_distance_field_penetration(field, &p, 1, &depth, NULL, NULL);
		float rings = 8.0f * depth / size;
		float off = size / 8.0f * (rings - (float)(int)(rings + (rings < 0.0f ? -0.5f : 0.5f)));
		int grey = depth > 0.0f ? 90 : 230;
		grey = depth * depth < step * step ? 0 : off * off < 0.25f * step * step ? grey - 50 : grey;
		memset(pixels + 3 * (size_t)i, grey, 3);
	}
}

static int write_slice(const char *name, const rbl_distance_field *field)
{
	enum { WIDTH = 512, MAX_HEIGHT = 4 * WIDTH };
	if (!field)
		return fail("--slice shows a field: give --field as well");
	rbl_box b = rbl_distance_field_get_info(field).bounds;
	float x = b.upper.x - b.lower.x, y = b.upper.y - b.lower.y, margin = 0.1f * (x + y);
	float step = (x + 2.0f * margin) / (float)WIDTH;
	int height = (int)((y + 2.0f * margin) / step) + 1;
	height = height > MAX_HEIGHT ? MAX_HEIGHT : height;
	unsigned char *pixels = malloc(3 * (size_t)WIDTH * (size_t)height);
	if (!pixels)
		return fail("out of memory");
	draw_slice(field, pixels, WIDTH, height, step);
	rbl_result result = rbl_write_pixels(name, pixels, WIDTH, height, NULL);
	free(pixels);
	return result == RBL_OK ? STATUS_OK : fail_with(result, name);
}

// --- The command --------------------------------------------------------------------------------

static int report(const prepare_options *options, const char *in, const rbl_asset *asset, double ms)
{
	rbl_asset_report r = rbl_asset_get_report(asset);
	double volume;
	int inside_out;
	rbl_result result = compound_volume(rbl_asset_get_compound(asset), &volume, &inside_out);
	if (result != RBL_OK)
		return fail_with(result, in);
	if (inside_out > 0) // rbl_prepare() promises that it never happens
		return fail("%s: %d of %d parts are inside out, nothing is written", in, inside_out,
		            r.part_count);
	int status = options->output ? write_asset(options->output, asset) : STATUS_OK;
	if (status == STATUS_OK && options->json)
		status = write_json(options, &r, inside_out, ms);
	if (status == STATUS_OK && options->written_nodes)
		status = write_nodes(options->written_nodes, asset);
	if (status == STATUS_OK && options->picture)
		status = write_picture(options->picture, asset, options->pull);
	if (status == STATUS_OK && options->slice)
		status = write_slice(options->slice, rbl_asset_get_field(asset));
	if (status == STATUS_OK)
		say("%d shells, %d nodes, %d parts, %d inside out, %d bonds, %d ghosts; convexes %.4f "
		    "of the mesh (%s); %.1f ms\n",
		    r.shell_count, r.node_count, r.part_count, inside_out, r.bond_count, r.ghost_count,
		    r.convex_volume / r.visual_volume, stop_text(r.stop), ms);
	if (status == STATUS_OK)
		report_field(rbl_asset_get_field(asset));
	return status;
}

// As rbl_prepare(), a tenth of a second at a time.
static rbl_result prepare_in_slices(const rbl_mesh *mesh, const rbl_prepare_def *def,
                                    progress *line, rbl_asset **asset)
{
	enum { SLICE = 40000 };
	rbl_task *task = NULL;
	bool is_ready = false;
	rbl_result result = rbl_begin_prepare(mesh, def, &task);
	while (result == RBL_OK && !is_ready) {
		result = rbl_task_work(task, SLICE, &is_ready);
		progress_update(line, rbl_task_progress(task));
	}
	if (result == RBL_OK)
		result = rbl_finish_prepare(task, asset);
	if (result != RBL_OK)
		rbl_destroy_task(task);
	return result;
}

static int prepare_file(const prepare_options *options, const char *in)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_vec3d *nodes = NULL;
	rbl_mesh *mesh = NULL;
	rbl_jobs *jobs = NULL;
	rbl_asset *asset = NULL;
	rbl_cluster_level levels[RBL_MAX_CLUSTER_LEVELS] = { { 0 } };
	int status = take_nodes(options, &def, &nodes);
	rbl_result result = RBL_OK;
	if (status == STATUS_OK)
		result = read_closed_mesh(in, options->is_repaired, &mesh);
	if (result != RBL_OK)
		status = fail_with(result, in);
	if (status == STATUS_OK)
		status = read_levels(options, mesh, levels, &def.level_count);
	rbl_material **materials = NULL;
	int material_count = 0;
	if (status == STATUS_OK && has_presets(&options->presets)) {
		status = check_slot_names(&options->presets, (const rbl_mesh *const[]){ mesh }, 1);
		if (status == STATUS_OK)
			result = make_slot_materials(&options->presets, mesh, &materials, &material_count);
		if (result != RBL_OK)
			status = fail_with(result, in);
		def.materials = (const rbl_material *const *)materials;
		def.material_count = material_count;
	}
	if (status == STATUS_OK) {
		def.levels = levels;
		def.tolerance = options->tolerance;
		def.hull_vertices = options->hull_vertices;
		def.seed = options->seed;
		def.field_resolution = options->field_resolution;
		def.field_wall = options->wall;
		result = make_workers(options->workers, &jobs);
		def.jobs = jobs;
		progress line;
		progress_begin(&line, "preparing");
		double begin = now_ms();
		if (result == RBL_OK)
			result = prepare_in_slices(mesh, &def, &line, &asset);
		double ms = now_ms() - begin;
		progress_end(&line);
		status = result == RBL_OK ? report(options, in, asset, ms) : fail_with(result, in);
	}
	rbl_destroy_asset(asset);
	destroy_level_patterns(levels, def.level_count);
	destroy_slot_materials(materials, material_count);
	rbl_destroy_jobs(jobs);
	rbl_destroy_mesh(mesh);
	free(nodes);
	return status;
}

static int run(int argc, char **argv)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	prepare_options options = { .tolerance = def.tolerance, .hull_vertices = def.hull_vertices };
	const char *preset = NULL, *materials = NULL;
	options.workers = 1;
	options.seed = def.seed;
	const option table[] = {
		OPTION_TEXT("nodes", "N|FILE", &options.nodes,
		            "how many nodes to place in each shell, or a file with x y z on each line;\n"
		            "                             default as many as the tolerance needs"),
		OPTION_TEXT(
			"levels", "LIST", &options.levels,
			"break it before anything hits it: levels from large pieces to small ones, such\n"
			"                             as 'voronoi:6:0.1 bricks:0.25,0.0625,0.125:0.5', "
			"each with a\n"
			"                             number of cells or a brick's size and with the "
			"strength of\n"
			"                             bonds in between; '20:0.5' groups parts as they "
			"are"),
		OPTION_TEXT("preset", "P", &preset,
		            "what it is made of: concrete, brick, stone, glass, tempered_glass, wood,\n"
		            "                             plaster, ceramic, ice or metal_sheet; the asset "
		            "weighs and breaks\n"
		            "                             so; default as the body that has it"),
		OPTION_TEXT("material", "SLOT=P,...", &materials, "presets of single material slots of IN"),
		OPTION_OUTPUT("write-nodes", "FILE", &options.written_nodes,
		              "write the nodes, for --nodes: move, add or remove some in between"),
		OPTION_OUTPUT("picture", "FILE.png", &options.picture,
		              "draw the convex parts, each in another color"),
		OPTION_NUMBER("pull", "F", &options.pull, 0.0, 100.0,
		              "in the picture, move parts outwards by F times their distance from the\n"
		              "                             middle"),
		OPTION_NUMBER("tolerance", "T", &options.tolerance, 1e-6, 1e6,
		              "volume of the convexes relative to the mesh, minus 1; default 0.2"),
		OPTION_INT("vertices", "N", &options.hull_vertices, 4, 48,
		           "vertices to fit each convex with, default 32"),
		OPTION_INT("field", "N", &options.field_resolution, 8, RBL_MAX_FIELD_RESOLUTION,
		           "make a distance field too, of N cells along the diagonal"),
		OPTION_NUMBER("wall", "W", &options.wall, 0.0, 1e6,
		              "the thinnest wall of IN in metres, for the field; default not known"),
		OPTION_OUTPUT("slice", "FILE.png", &options.slice,
		              "write a slice through the middle of the field as a picture"),
		OPTION_SEED("seed", "S", &options.seed, "the same seed, the same nodes; default 1"),
		OPTION_INT("workers", "N", &options.workers, 1, RBL_MAX_WORKERS, "threads, default 1"),
		OPTION_FLAG("repair", &options.is_repaired, "close IN first"),
		OPTION_OUTPUT("output", "OUT.rbl", &options.output, "write the asset (also -o)"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_prepare, table, argc, argv, &found, &status))
		return status;
	status = read_slot_presets(&command_prepare, preset, materials, &options.presets);
	if (status != STATUS_OK)
		return status;
	return prepare_file(&options, found.items[0]);
}

const command command_prepare = {
	.name = "prepare",
	.arguments = "IN",
	.about = "decompose a mesh file into nearly convex parts",
	.details =
		"IN must be closed; --repair closes it. Each shell of IN is cut by the Voronoi cells of\n"
		"nodes, and each piece gets a convex hull. rubble fracture reads OUT.rbl. With --field\n"
		"the asset has a distance field, by which it and its fragments may collide.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
