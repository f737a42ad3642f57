// SPDX-License-Identifier: MIT
// rubble make: write a procedural shape to a mesh file.

#include "commands.h"
#include "errors.h"
#include "files.h"
#include "make_building.h"
#include "shape_names.h"

#include <rubble/io.h>
#include <rubble/shapes.h>

#include <stdio.h>
#include <string.h>

// Options; detail 0 is the default of the shape.
typedef struct shape_options {
	int detail;
	uint64_t seed;
} shape_options;

// Each maker maps `detail` to the resolution of its shape.
#define MAKER(function, shape, ...)                                           \
	static rbl_result function(const shape_options *options, rbl_mesh **mesh) \
	{                                                                         \
		rbl_##shape##_def def = rbl_default_##shape##_def();                  \
		int detail = options->detail;                                         \
		(void)detail;                                                         \
		__VA_ARGS__ return rbl_create_##shape##_mesh(&def, mesh);             \
	}
#define FINER(...)    \
	if (detail > 0) { \
		__VA_ARGS__   \
	}

MAKER(make_arch, arch, FINER(def.segments = 8 * detail;))
MAKER(make_arena, arena, def.seed = options->seed; FINER(def.detail = detail;))
MAKER(make_box, box, FINER(def.subdivisions = detail;))
MAKER(make_brick_wall, brick_wall, def.seed = options->seed;)
MAKER(make_column, column, FINER(def.detail = detail;))
MAKER(make_cylinder, cylinder, FINER(def.segments = 16 * detail; def.rows = detail;))
MAKER(make_icosphere, icosphere, FINER(def.subdivisions = detail;))
MAKER(make_mug, mug, FINER(def.detail = detail;))
MAKER(make_pane, window, def.frame_width = 0.0; FINER(def.subdivisions = detail;))
MAKER(make_piggy_bank, piggy_bank, FINER(def.detail = detail;))
MAKER(make_bowl, plate, def.radius = 0.16; def.height = 0.09; def.wall = 0.012;
      FINER(def.segments = 16 * detail;))
MAKER(make_plate, plate, FINER(def.segments = 16 * detail;))
MAKER(make_ring, torus, def.radius = 0.05; def.thickness = 0.008;
      FINER(def.segments = 16 * detail; def.sides = 8 * detail;))
MAKER(make_stone_arch, arch, def.voussoirs = 11; FINER(def.segments = 8 * detail;))
MAKER(make_torus, torus, FINER(def.segments = 16 * detail; def.sides = 8 * detail;))
MAKER(make_tube, tube, FINER(def.segments = 16 * detail; def.rows = detail;))
MAKER(make_vase, vase, FINER(def.segments = 16 * detail; def.rows = 8 * detail;))
MAKER(make_window, window, FINER(def.subdivisions = detail;))

static const struct shape {
	const char *name, *about;
	rbl_result (*make)(const shape_options *options, rbl_mesh **mesh);
} shapes[] = {
	{ "arch", "a round arch on two piers, one piece", make_arch },
	{ "arena", "a Roman arena of some 2,500 closed parts; --detail 1 to 10", make_arena },
	{ "bowl", "a bowl of 32 cm", make_bowl },
	{ "box", "a cube of one metre", make_box },
	{ "brick_wall", "a wall of loose bricks; no --detail", make_brick_wall },
	{ "column", "a fluted column with base and capital", make_column },
	{ "cylinder", "an upright cylinder", make_cylinder },
	{ "icosphere", "a ball of triangles; each --detail, up to 9, halves their edges",
	  make_icosphere },
	{ "mug", "a mug with a handle", make_mug },
	{ "pane", "a sheet of glass", make_pane },
	{ "piggy_bank", "a hollow pig with a slot", make_piggy_bank },
	{ "plate", "a dinner plate", make_plate },
	{ "ring", "a ring of 11 cm, 16 mm thick", make_ring },
	{ "stone_arch", "the arch, of wedge stones", make_stone_arch },
	{ "torus", "a ring", make_torus },
	{ "tube", "an upright pipe", make_tube },
	{ "vase", "a hollow vase", make_vase },
	{ "window", "four panes in a wooden frame", make_window },
};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

static const struct shape *find_shape(const char *name)
{
	for (int i = 0; i < SHAPE_COUNT; ++i)
		if (strcmp(shapes[i].name, name) == 0)
			return &shapes[i];
	return NULL;
}

bool is_shape_name(const char *name)
{
	return find_shape(name) != NULL;
}

rbl_result make_named_shape(const char *name, int detail, uint64_t seed, rbl_mesh **mesh)
{
	const struct shape *shape = find_shape(name);
	*mesh = NULL;
	return shape ? shape->make(&(shape_options){ detail, seed }, mesh) : RBL_UNSUPPORTED;
}

static int refuse_shape(const char *name)
{
	const char *names[SHAPE_COUNT];
	for (int i = 0; i < SHAPE_COUNT; ++i)
		names[i] = shapes[i].name;
	const char *nearest = nearest_name(name, names, SHAPE_COUNT);
	if (nearest)
		return fail_usage(&command_make, "unknown shape '%s'; did you mean '%s'?", name, nearest);
	return fail_usage(&command_make, "unknown shape '%s'; rubble make --list names them", name);
}

static int write_json(const char *json, const char *shape, const char *path, int vertices,
                      int faces)
{
	FILE *file = json ? create_file(json) : NULL;
	if (!file)
		return json ? STATUS_FAILED : STATUS_OK;
	fprintf(file, "{\n  \"shape\": ");
	put_json_text(file, shape);
	fprintf(file, ",\n  \"output\": ");
	put_json_text(file, path);
	fprintf(file, ",\n  \"vertices\": %d,\n  \"faces\": %d\n}\n", vertices, faces);
	return close_file(file, json);
}

static int make_and_write(const struct shape *shape, const shape_options *options, const char *path,
                          int format, const char *json)
{
	rbl_mesh *mesh;
	rbl_result result = shape->make(options, &mesh);
	if (result != RBL_OK)
		return fail_with(result, shape->name);
	rbl_write_def def = rbl_default_write_def();
	def.format = file_format_of(format);
	def.name = shape->name;
	result = write_mesh(path, mesh, &def);
	int status = STATUS_OK;
	if (result == RBL_OK) {
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		status = write_json(json, shape->name, path, data.vertex_count, data.face_count);
		say("%s: %d vertices, %d faces\n", path, data.vertex_count, data.face_count);
	}
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? status : fail_with(result, path);
}

static int run(int argc, char **argv)
{
	bool is_list = false;
	int format = -1;
	const char *json = NULL;
	shape_options options = { 0, 1 };
	const option table[] = {
		OPTION_INT("detail", "N", &options.detail, 1, 1000,
		           "level of detail; each shape has its default"),
		OPTION_SEED("seed", "S", &options.seed, "of the colours of stones and bricks, default 1"),
		OPTION_CHOICE("format", &format, file_formats, "of OUT, default by its name; of - glb"),
		OPTION_FLAG("list", &is_list, "list the shapes"),
		OPTION_OUTPUT("json", "FILE", &json, "write the result as JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_make, table, argc, argv, &found, &status))
		return status;
	for (int i = 0; is_list && i < SHAPE_COUNT; ++i)
		printf("%-12s %s\n", shapes[i].name, shapes[i].about);
	if (is_list)
		printf(
			"building     a .glb of 300 textured parts of five materials, to break in a scene\n");
	if (is_list)
		return STATUS_OK;
	if (found.count != 2)
		return fail_usage(&command_make, "a shape and a file are needed");
	if (strcmp(found.items[0], "building") == 0) { // a scene, not a mesh
		if (!is_glb_name(found.items[1]))
			return fail_usage(&command_make, "a building is a .glb file");
		building_size size;
		rbl_result result = write_building(found.items[1], options.seed, &size);
		if (result != RBL_OK)
			return fail_with(result, found.items[1]);
		say("%s: 300 parts of five materials\n", found.items[1]);
		return write_json(json, "building", found.items[1], size.vertex_count, size.face_count);
	}
	const struct shape *shape = find_shape(found.items[0]);
	return shape ? make_and_write(shape, &options, found.items[1], format, json)
	             : refuse_shape(found.items[0]);
}

const command command_make = {
	.name = "make",
	.arguments = "SHAPE OUT",
	.about = "write a procedural shape to a mesh file",
	.details = "OUT ends in .obj, .ply, .stl or .glb. Shapes are closed; --list names them.",
	.min_arguments = 0,
	.max_arguments = 2,
	.output_argument = 2,
	.run = run,
};
