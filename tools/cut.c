// SPDX-License-Identifier: MIT
// rubble cut: a mesh file cut along a curve, as a surface or as a solid.

#include "asset_files.h"
#include "commands.h"
#include "errors.h"
#include "files.h"

#include <rubble/cutter.h>
#include <rubble/io.h>
#include <rubble/surface_cut.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cut_options {
	const char *along, *output, *json;
	double direction[3], depth, tolerance;
	bool is_closed, is_solid, is_repaired;
} cut_options;

// A mesh as triangles: `corners` are those of the mesh, `triangles` their vertices.
typedef struct cut_input {
	rbl_mesh *mesh;
	rbl_mesh_data data;
	int *corners, *triangles, *faces;
	int triangle_count;
	rbl_vec3d *points, *directions;
	int point_count;
	double diagonal;
} cut_input;

// What is left of it: triangles, where they were, and of which piece they are.
typedef struct cut_output {
	rbl_vec3d *positions;
	int *triangles, *sources, *labels;
	int vertex_count, triangle_count, piece_count;
	int *parents; // by vertex
	double *weights;
} cut_output;

// --- the curve ----------------------------------------------------------------------------------

// Numbers, with blanks, commas and semicolons between them. @return false: something else is there
static bool parse_points(const char *text, cut_input *in)
{
	double values[3];
	int count = 0;
	in->points = calloc(strlen(text) / 2 + 2, sizeof *in->points);
	while (in->points) {
		text += strspn(text, " \t\r\n,;");
		if (!*text)
			return count == 0;
		char *end;
		values[count++] = strtod(text, &end);
		if (end == text || !isfinite(values[count - 1]))
			return false;
		text = end;
		if (count == 3) {
			in->points[in->point_count++] = (rbl_vec3d){ values[0], values[1], values[2] };
			count = 0;
		}
	}
	return false;
}

static void drop_points(cut_input *in)
{
	free(in->points);
	in->points = NULL, in->point_count = 0;
}

/// @return a STATUS_
static int read_curve(const char *along, cut_input *in)
{
	if (!parse_points(along, in)) {
		drop_points(in);
		rbl_file_bytes file = { 0 };
		int status = read_bytes(along, 0, &file);
		char *text = status == STATUS_OK ? calloc(file.size + 1, 1) : NULL;
		if (text && file.size > 0)
			memcpy(text, file.data, file.size);
		bool is_good = text && parse_points(text, in);
		free(text);
		rbl_free_bytes(&file);
		if (status != STATUS_OK)
			return status;
		if (!is_good)
			return fail("%s: not a list of points: x y z, x y z and so on", along);
	}
	return in->point_count >= 2 ? STATUS_OK : fail("a curve needs two points at least");
}

// --- the mesh -----------------------------------------------------------------------------------

static rbl_vec3d minus(rbl_vec3d a, rbl_vec3d b)
{
	return (rbl_vec3d){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static double square(rbl_vec3d a)
{
	return a.x * a.x + a.y * a.y + a.z * a.z;
}

static rbl_result read_input(const char *name, const cut_options *options, cut_input *in)
{
	rbl_result result = read_closed_mesh(name, options->is_repaired, &in->mesh);
	if (result != RBL_OK)
		return result;
	in->data = rbl_mesh_get_data(in->mesh);
	in->triangle_count = rbl_mesh_triangle_count(in->mesh);
	size_t corners = 3 * (size_t)in->triangle_count + 1;
	in->corners = calloc(corners, sizeof *in->corners);
	in->triangles = calloc(corners, sizeof *in->triangles);
	in->faces = calloc(corners, sizeof *in->faces);
	if (!in->corners || !in->triangles || !in->faces)
		return RBL_OUT_OF_MEMORY;
	result = rbl_mesh_triangulate(in->mesh, in->corners, in->faces);
	for (int i = 0; i < 3 * in->triangle_count && result == RBL_OK; ++i)
		in->triangles[i] = in->data.corner_vertices[in->corners[i]];
	rbl_vec3d low = { 0.0, 0.0, 0.0 }, high = low;
	for (int i = 0; i < in->data.vertex_count; ++i) {
		rbl_vec3d p = in->data.positions[i];
		low = i == 0 ? p : (rbl_vec3d){ fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z) };
		high = i == 0 ? p : (rbl_vec3d){ fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z) };
	}
	in->diagonal = sqrt(square(minus(high, low)));
	return result;
}

// The normal of all triangles around the vertex that is nearest to a point.
static rbl_vec3d normal_at(const cut_input *in, rbl_vec3d point)
{
	int nearest = 0;
	for (int i = 1; i < in->data.vertex_count; ++i)
		if (square(minus(in->data.positions[i], point)) <
		    square(minus(in->data.positions[nearest], point)))
			nearest = i;
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int t = 0; t < in->triangle_count; ++t) {
		const int *v = in->triangles + 3 * (size_t)t;
		if (v[0] != nearest && v[1] != nearest && v[2] != nearest)
			continue;
		rbl_vec3d a = minus(in->data.positions[v[1]], in->data.positions[v[0]]);
		rbl_vec3d b = minus(in->data.positions[v[2]], in->data.positions[v[0]]);
		sum.x += a.y * b.z - a.z * b.y;
		sum.y += a.z * b.x - a.x * b.z;
		sum.z += a.x * b.y - a.y * b.x;
	}
	return sum;
}

static rbl_result find_directions(const cut_options *options, cut_input *in)
{
	in->directions = calloc((size_t)in->point_count, sizeof *in->directions);
	if (!in->directions)
		return RBL_OUT_OF_MEMORY;
	rbl_vec3d given = { options->direction[0], options->direction[1], options->direction[2] };
	for (int i = 0; i < in->point_count; ++i)
		in->directions[i] = square(given) > 0.0 ? given : normal_at(in, in->points[i]);
	return RBL_OK;
}

// --- cutting ------------------------------------------------------------------------------------

static rbl_result reserve_output(cut_output *out, int vertices, int triangles)
{
	out->vertex_count = vertices, out->triangle_count = triangles;
	size_t corners = 3 * (size_t)triangles + 1;
	out->positions = calloc((size_t)vertices + 1, sizeof *out->positions);
	out->parents = calloc(3 * (size_t)vertices + 1, sizeof *out->parents);
	out->weights = calloc(3 * (size_t)vertices + 1, sizeof *out->weights);
	out->triangles = calloc(corners, sizeof *out->triangles);
	out->sources = calloc(corners, sizeof *out->sources);
	out->labels = calloc(corners, sizeof *out->labels);
	return out->positions && out->parents && out->weights && out->triangles && out->sources &&
	               out->labels
	           ? RBL_OK
	           : RBL_OUT_OF_MEMORY;
}

static void place_vertices(const cut_input *in, const rbl_surface_cut *cut, cut_output *out)
{
	for (int i = 0; i < 3 * out->vertex_count; ++i) {
		out->parents[i] = i % 3 == 0 && i / 3 < in->data.vertex_count ? i / 3 : -1;
		out->weights[i] = i % 3 == 0;
	}
	for (int i = 0; i < 3 * cut->vertex_count; ++i) {
		out->parents[3 * cut->vertices[i / 3] + i % 3] = cut->parents[i];
		out->weights[3 * cut->vertices[i / 3] + i % 3] = cut->weights[i];
	}
	for (int i = 0; i < 3 * out->vertex_count; ++i) {
		if (out->parents[i] < 0)
			continue;
		rbl_vec3d p = in->data.positions[out->parents[i]], *sum = &out->positions[i / 3];
		sum->x += out->weights[i] * p.x;
		sum->y += out->weights[i] * p.y;
		sum->z += out->weights[i] * p.z;
	}
}

static rbl_result cut_surface(const cut_options *options, const cut_input *in, cut_output *out)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	rbl_surface_body_id body;
	rbl_surface_cut cut = { 0 };
	int *names = calloc((size_t)in->triangle_count + 1, sizeof *names);
	for (int i = 0; names && i < in->triangle_count; ++i)
		names[i] = i;
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = in->data.vertex_count;
	body_def.input = (rbl_surface_positions){ in->data.positions, 0, true };
	body_def.triangle_count = in->triangle_count, body_def.triangles = in->triangles;
	body_def.triangle_user_ids = names;
	rbl_surface_curve curve = rbl_default_surface_curve();
	curve.point_count = in->point_count, curve.points = in->points;
	curve.directions = in->directions, curve.is_closed = options->is_closed;
	curve.depth = options->depth > 0.0 ? options->depth : 0.05 * in->diagonal;
	curve.tolerance = options->tolerance;
	rbl_result result = names ? rbl_create_surface(&def, &surface) : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = rbl_surface_add(surface, &body_def, &body);
	if (result == RBL_OK) // so that cuts find their way by the tree
		result = rbl_surface_update(surface, RBL_SURFACE_DISCRETE);
	if (result == RBL_OK)
		result = rbl_surface_cut_along(surface, body, &curve, &cut);
	rbl_surface_data data = rbl_surface_get_data(surface);
	rbl_surface_body_data list = { 0 };
	if (result == RBL_OK) {
		list = rbl_surface_body_get_data(surface, body);
		result = reserve_output(out, data.vertex_end, list.triangle_count);
	}
	if (result == RBL_OK)
		result = rbl_surface_body_get_components(surface, body, out->labels, &out->piece_count);
	if (result == RBL_OK) {
		place_vertices(in, &cut, out);
		for (int i = 0; i < 3 * list.triangle_count; ++i)
			out->triangles[i] = data.triangles[3 * list.triangles[i / 3] + i % 3];
		for (int i = 0; i < list.triangle_count; ++i)
			out->sources[i] = data.triangle_user_ids[list.triangles[i]];
	}
	rbl_destroy_surface(surface);
	free(names);
	return result;
}

// A crack is led along the curve through all of it. What it leaves has closed faces.
static rbl_result cut_solid(const cut_options *options, const cut_input *in, cut_output *out)
{
	rbl_cutter_def def = rbl_default_cutter_def();
	def.vertex_count = in->data.vertex_count, def.positions = in->data.positions;
	def.triangle_count = in->triangle_count, def.triangles = in->triangles;
	rbl_cutter *cutter = NULL;
	rbl_result result = rbl_create_cutter(&def, &cutter);
	rbl_vec3d way = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < in->point_count; ++i) {
		double length = sqrt(square(in->directions[i]));
		way.x += in->directions[i].x / length;
		way.y += in->directions[i].y / length;
		way.z += in->directions[i].z / length;
	}
	double depth = options->depth > 0.0 ? options->depth : in->diagonal;
	double scale = depth / sqrt(square(way));
	rbl_vec3d p = in->points[0];
	rbl_vec3d front[2] = {
		{ p.x - scale * way.x, p.y - scale * way.y, p.z - scale * way.z },
		{ p.x + scale * way.x, p.y + scale * way.y, p.z + scale * way.z },
	};
	rbl_crack crack = { front, 2, in->points, in->point_count };
	rbl_cut_step step;
	if (result == RBL_OK)
		result = rbl_cutter_begin(cutter, &crack);
	if (result == RBL_OK)
		result = rbl_cutter_advance(cutter, 1.0, &step);
	if (result == RBL_OK) {
		rbl_cutter_mesh mesh = rbl_cutter_get_mesh(cutter);
		result = reserve_output(out, mesh.vertex_count, mesh.triangle_count);
		for (int i = 0; i < mesh.vertex_count && result == RBL_OK; ++i)
			out->positions[i] = mesh.positions[i];
		for (int i = 0; i < 3 * mesh.triangle_count && result == RBL_OK; ++i)
			out->triangles[i] = mesh.triangles[i];
		for (int i = 0; i < mesh.triangle_count && result == RBL_OK; ++i)
			out->sources[i] = -1;
		if (result == RBL_OK)
			result = rbl_cutter_get_components(cutter, out->labels, &out->piece_count);
	}
	rbl_destroy_cutter(cutter);
	return result;
}

// --- what is written ----------------------------------------------------------------------------

// Attributes of corners, mixed from those of the triangle that they lie in.
static float *mix_corners(const cut_input *in, const cut_output *out, const float *values,
                          int width)
{
	if (!values)
		return NULL;
	float *mixed = calloc(3 * (size_t)out->triangle_count * (size_t)width + 1, sizeof *mixed);
	for (int i = 0; mixed && i < 3 * out->triangle_count; ++i) {
		int source = out->sources[i / 3], vertex = out->triangles[i];
		for (int k = 0; k < 3; ++k)
			for (int corner = 3 * source; corner < 3 * source + 3; ++corner) {
				if (out->parents[3 * vertex + k] != in->triangles[corner])
					continue;
				for (int w = 0; w < width; ++w)
					mixed[(size_t)i * (size_t)width + (size_t)w] +=
						(float)out->weights[3 * vertex + k] *
						values[(size_t)in->corners[corner] * (size_t)width + (size_t)w];
			}
	}
	return mixed;
}

enum { PIECE_MATERIALS = 8 };

// Colors for pieces of a mesh without materials.
static void fill_materials(rbl_mesh_material materials[PIECE_MATERIALS])
{
	static const rbl_vec4 colors[PIECE_MATERIALS] = {
		{ 0.80f, 0.25f, 0.20f, 1.0f }, { 0.20f, 0.45f, 0.75f, 1.0f }, { 0.90f, 0.70f, 0.20f, 1.0f },
		{ 0.30f, 0.65f, 0.35f, 1.0f }, { 0.55f, 0.35f, 0.65f, 1.0f }, { 0.35f, 0.70f, 0.70f, 1.0f },
		{ 0.85f, 0.50f, 0.30f, 1.0f }, { 0.60f, 0.60f, 0.60f, 1.0f },
	};
	for (int i = 0; i < PIECE_MATERIALS; ++i) {
		materials[i] = (rbl_mesh_material){ .base_color = colors[i], .roughness = 0.7f };
		snprintf(materials[i].name, sizeof materials[i].name, "piece %d", i);
	}
}

static rbl_result write_output(const char *name, const cut_input *in, const cut_output *out)
{
	bool is_solid = out->triangle_count > 0 && out->sources[0] < 0;
	bool has_materials = !is_solid && in->data.material_count > 0;
	rbl_mesh_material materials[PIECE_MATERIALS];
	fill_materials(materials);
	int *faces = calloc((size_t)out->triangle_count + 1, sizeof *faces);
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh_data *data = &def.data;
	*data = (rbl_mesh_data){ .vertex_count = out->vertex_count,
		                     .positions = out->positions,
		                     .face_count = out->triangle_count,
		                     .corner_count = 3 * out->triangle_count,
		                     .corner_vertices = out->triangles,
		                     .face_materials = faces };
	for (int i = 0; faces && i < out->triangle_count; ++i)
		faces[i] = !has_materials            ? out->labels[i] % PIECE_MATERIALS
		           : in->data.face_materials ? in->data.face_materials[in->faces[out->sources[i]]]
		                                     : 0;
	int colored = out->piece_count < PIECE_MATERIALS ? out->piece_count : PIECE_MATERIALS;
	data->material_count = has_materials ? in->data.material_count : colored;
	data->materials = has_materials ? in->data.materials : materials;
	const float *given[5] = { (const float *)in->data.corner_normals,
		                      (const float *)in->data.corner_uv0,
		                      (const float *)in->data.corner_uv1,
		                      (const float *)in->data.corner_colors, in->data.corner_attributes };
	const int widths[5] = { 3, 2, 2, 4, in->data.attribute_width };
	float *mixed[5];
	bool is_good = faces != NULL;
	for (int i = 0; i < 5; ++i) {
		mixed[i] = is_solid ? NULL : mix_corners(in, out, given[i], widths[i]);
		is_good &= mixed[i] || is_solid || !given[i];
	}
	for (int i = 0; mixed[0] && i < 3 * out->triangle_count; ++i) {
		float *n = mixed[0] + 3 * (size_t)i,
			  length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
		for (int k = 0; k < 3; ++k)
			n[k] = length > 0.0f ? n[k] / length : (k == 2 ? 1.0f : 0.0f);
	}
	data->corner_normals = (const rbl_vec3 *)mixed[0];
	data->corner_uv0 = (const rbl_vec2 *)mixed[1], data->corner_uv1 = (const rbl_vec2 *)mixed[2];
	data->corner_colors = (const rbl_vec4 *)mixed[3];
	if (mixed[4]) {
		data->attribute_count = in->data.attribute_count, data->attributes = in->data.attributes;
		data->attribute_width = in->data.attribute_width, data->corner_attributes = mixed[4];
	}
	rbl_mesh *mesh = NULL;
	rbl_result result = is_good ? rbl_create_mesh(&def, &mesh) : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = write_mesh(name, mesh, NULL);
	rbl_destroy_mesh(mesh);
	for (int i = 0; i < 5; ++i)
		free(mixed[i]);
	free(faces);
	return result;
}

static int write_json(const char *name, const cut_input *in, const cut_output *out)
{
	FILE *file = create_file(name);
	if (!file)
		return STATUS_FAILED;
	fprintf(file, "{\n  \"triangles_before\": %d,\n  \"triangles\": %d,\n  \"pieces\": %d\n}\n",
	        in->triangle_count, out->triangle_count, out->piece_count);
	return close_file(file, name);
}

static int cut_file(const cut_options *options, const char *name)
{
	cut_input in = { 0 };
	cut_output out = { 0 };
	int status = read_curve(options->along, &in);
	rbl_result result = status == STATUS_OK ? read_input(name, options, &in) : RBL_OK;
	if (status == STATUS_OK && result == RBL_OK)
		result = find_directions(options, &in);
	if (status == STATUS_OK && result == RBL_OK)
		result =
			options->is_solid ? cut_solid(options, &in, &out) : cut_surface(options, &in, &out);
	if (status == STATUS_OK && result != RBL_OK)
		status = fail_with(result, name);
	if (status == STATUS_OK && options->output) {
		result = write_output(options->output, &in, &out);
		if (result != RBL_OK)
			status = fail_with(result, options->output);
	}
	if (status == STATUS_OK && options->json)
		status = write_json(options->json, &in, &out);
	if (status == STATUS_OK && out.triangle_count == in.triangle_count &&
	    out.vertex_count == in.data.vertex_count)
		say("nothing is cut: is the curve near the mesh, and the blade deep enough (--depth)?\n");
	if (status == STATUS_OK)
		say("%d triangles, %d before, in %d piece%s\n", out.triangle_count, in.triangle_count,
		    out.piece_count, out.piece_count == 1 ? "" : "s");
	rbl_destroy_mesh(in.mesh);
	free(in.corners), free(in.triangles), free(in.faces);
	free(in.points), free(in.directions);
	free(out.positions), free(out.parents), free(out.weights);
	free(out.triangles), free(out.sources), free(out.labels);
	return status;
}

static int run(int argc, char **argv)
{
	cut_options options = { 0 };
	const option table[] = {
		OPTION_TEXT("along", "CURVE", &options.along,
		            "a file of points, or points as \"x,y,z x,y,z ...\""),
		OPTION_FLAG("closed", &options.is_closed, "join the last point to the first"),
		OPTION_VECTOR("direction", "X,Y,Z", options.direction, -1e30, 1e30,
		              "the way the blade points, default the normal of the mesh at each point"),
		OPTION_NUMBER("depth", "D", &options.depth, 0, 1e30,
		              "how far the blade reaches to both sides of the points, default a twentieth "
		              "of the diagonal; with --solid all of it"),
		OPTION_NUMBER("tolerance", "D", &options.tolerance, 0, 1e30,
		              "cuts nearer to a vertex go through it, default a fiftieth of the mean edge"),
		OPTION_FLAG("solid", &options.is_solid,
		            "close both sides of the cut; the mesh must be closed"),
		OPTION_FLAG("repair", &options.is_repaired, "close the mesh first"),
		OPTION_OUTPUT("output", "FILE", &options.output, "write the pieces as a mesh (also -o)"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_cut, table, argc, argv, &found, &status))
		return status;
	if (!options.along)
		return fail_usage(&command_cut, "where to cut? Give --along");
	return cut_file(&options, found.items[0]);
}

const command command_cut = {
	.name = "cut",
	.arguments = "IN",
	.about = "cut a mesh file along a curve",
	.details =
		"A knife is led from point to point, and triangles fall apart where it goes through. "
		"Normals,\n"
		"texture coordinates and other attributes are kept. A mesh without materials gets a color\n"
		"for each piece.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
