// SPDX-License-Identifier: MIT
//
// Any file as a film that can be drawn. An asset shows its convex parts, each in another color. A
// recording is played up to a step: bodies that can break show their parts, and all others the lines
// that rbl_world_draw() gives, as thin rods; or all show what one asks for, in its colors.

#include "drawn_file.h"

#include "array.h"
#include "asset_files.h"
#include "errors.h"
#include "files.h"
#include "progress.h"
#include "scene_prefabs.h"

#include <rubble/recording.h>
#include <rubble/vec.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rbl_transform identity = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };

file_kind file_kind_of(const char *path)
{
	char head[32];
	size_t size = read_head(path, head, sizeof head);
	if (rbl_is_asset(head, size))
		return FILE_ASSET;
	return size >= 4 && memcmp(head, "RBLR", 4) == 0 ? FILE_RECORDING : FILE_MESH;
}

// Colors of parts, told apart easily next to each other.
static rbl_mesh_material part_material(int part)
{
	static const float colors[][3] = {
		{ 0.75f, 0.25f, 0.15f }, { 0.10f, 0.35f, 0.65f }, { 0.80f, 0.60f, 0.10f },
		{ 0.15f, 0.50f, 0.20f }, { 0.45f, 0.20f, 0.55f }, { 0.10f, 0.55f, 0.55f },
		{ 0.80f, 0.40f, 0.45f }, { 0.40f, 0.30f, 0.15f }, { 0.55f, 0.65f, 0.30f },
		{ 0.25f, 0.25f, 0.30f }, { 0.70f, 0.70f, 0.65f },
	};
	int color = part % (int)(sizeof colors / sizeof colors[0]);
	rbl_mesh_material material = { .roughness = 0.9f };
	material.base_color = (rbl_vec4){ colors[color][0], colors[color][1], colors[color][2], 1.0f };
	snprintf(material.name, sizeof material.name, "part %d", color);
	return material;
}

// Add a mesh as one object, and destroy it.
static rbl_result add_object(rbl_film *film, rbl_mesh *mesh, rbl_transform pose)
{
	int index, object;
	rbl_result result = rbl_film_add_mesh(film, mesh, &index);
	return result == RBL_OK ? rbl_film_add_object(film, index, pose, &object) : result;
}

rbl_result film_parts(rbl_film *film, const rbl_compound *compound, rbl_transform pose, double pull)
{
	rbl_vec3d middle = rbl_compound_get_visual_mass(compound).centre;
	int end = rbl_compound_get_info(compound).part_end;
	rbl_result result = RBL_OK;
	for (int i = 0; i < end && result == RBL_OK; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(compound, i).convex;
		if (!convex)
			continue;
		rbl_mesh_material material = part_material(i);
		rbl_mesh *mesh = NULL, *colored = NULL;
		result = rbl_convex_create_mesh(convex, NULL, &mesh);
		if (result == RBL_OK)
			colored = mesh_with_material(mesh, &material, true, false);
		rbl_destroy_mesh(mesh);
		if (!colored)
			return RBL_OUT_OF_MEMORY;
		rbl_vec3d offset = rbl_scale_d(pull, rbl_sub_d(rbl_convex_get_mass(convex).centre, middle));
		rbl_transform moved = pose;
		moved.position = rbl_add(pose.position, rbl_rotate(pose.rotation, rbl_to_f(offset)));
		result = add_object(film, colored, moved);
	}
	return result;
}

static int film_of_asset(const char *path, double pull, rbl_film *film)
{
	rbl_asset *asset = NULL;
	int status = read_asset(path, &asset);
	if (status != STATUS_OK)
		return status;
	rbl_result result = film_parts(film, rbl_asset_get_compound(asset), identity, pull);
	rbl_destroy_asset(asset);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

static int film_of_mesh(const char *path, bool is_repaired, rbl_film *film)
{
	rbl_mesh *mesh = NULL, *shaded = NULL;
	rbl_result result = read_closed_mesh(path, is_repaired, &mesh);
	rbl_mesh_material grey = { .name = "grey", .base_color = { 0.6f, 0.6f, 0.6f, 1.0f } };
	if (result == RBL_OK && rbl_mesh_get_data(mesh).face_count == 0) {
		rbl_destroy_mesh(mesh);
		return fail("%s: it has no faces", path);
	}
	if (result == RBL_OK) {
		shaded = mesh_with_material(mesh, &grey, false, false);
		result = shaded ? add_object(film, shaded, identity) : RBL_OUT_OF_MEMORY;
	}
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

// --- recordings ---------------------------------------------------------------------------------

// Lines, each with its color.
typedef struct colored_line {
	rbl_vec3 from, to;
	uint32_t color;
	int index;
} colored_line;

typedef struct line_list {
	colored_line *items;
	int count, capacity;
	bool has_failed;
	float point_size; // metres per unit
} line_list;

static void add_line(void *user, rbl_vec3 from, rbl_vec3 to, uint32_t color)
{
	line_list *list = user;
	rbl_vec3 along = rbl_sub(to, from);
	if (rbl_dot(along, along) == 0.0f || list->has_failed)
		return;
	if (!ARRAY_RESERVE(list->items, list->capacity, list->count + 1)) {
		list->has_failed = true;
		return;
	}
	list->items[list->count] = (colored_line){ from, to, color, list->count };
	list->count++;
}

// Points are short rods.
static void add_point(void *user, rbl_vec3 at, float size, uint32_t color)
{
	rbl_vec3 half = { 0.0f, 0.5f * size * ((line_list *)user)->point_size, 0.0f };
	add_line(user, rbl_sub(at, half), rbl_add(at, half), color);
}

static int by_color(const void *a, const void *b)
{
	const colored_line *x = a, *y = b;
	if (x->color != y->color)
		return x->color < y->color ? -1 : 1;
	return x->index - y->index;
}

// A line as a rod of three sides: six vertices and six triangles.
static void make_rod(const colored_line *line, double radius, int number, rbl_vec3d *positions,
                     int *corners)
{
	rbl_vec3d a = { (double)line->from.x, (double)line->from.y, (double)line->from.z };
	rbl_vec3d b = { (double)line->to.x, (double)line->to.y, (double)line->to.z };
	rbl_vec3d along = rbl_sub_d(b, a);
	rbl_vec3d u = rbl_normalize_d(rbl_perpendicular_d(along));
	rbl_vec3d v = rbl_normalize_d(rbl_cross_d(along, u));
	static const double sides[3][2] = { { 1.0, 0.0 }, { -0.5, 0.866 }, { -0.5, -0.866 } };
	int first = 6 * number;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3d out =
			rbl_add_d(rbl_scale_d(radius * sides[i][0], u), rbl_scale_d(radius * sides[i][1], v));
		positions[first + i] = rbl_add_d(a, out);
		positions[first + 3 + i] = rbl_add_d(b, out);
		int next = (i + 1) % 3, *c = corners + 18 * number + 6 * i;
		c[0] = first + i, c[1] = first + next, c[2] = first + 3 + next;
		c[3] = first + i, c[4] = first + 3 + next, c[5] = first + 3 + i;
	}
}

// Colors are as they are seen; materials have linear ones.
static float linear(uint32_t byte)
{
	float c = (float)(byte & 255) / 255.0f;
	return c * c * (0.7f * c + 0.3f);
}

// Lines of one color as one object.
static rbl_result film_rods(rbl_film *film, const colored_line *lines, int count, double radius,
                            bool is_colored)
{
	rbl_vec3d *positions = malloc((size_t)count * 6 * sizeof *positions);
	int *corners = malloc((size_t)count * 18 * sizeof *corners);
	rbl_mesh_material material = { .base_color = { 0.05f, 0.05f, 0.07f, 1.0f }, .roughness = 1.0f };
	uint32_t color = lines[0].color;
	snprintf(material.name, sizeof material.name, is_colored ? "lines %06x" : "lines", color);
	if (is_colored)
		material.base_color =
			(rbl_vec4){ linear(color >> 16), linear(color >> 8), linear(color), 1.0f };
	rbl_result result = positions && corners ? RBL_OK : RBL_OUT_OF_MEMORY;
	rbl_mesh *mesh = NULL;
	if (result == RBL_OK) {
		for (int i = 0; i < count; ++i)
			make_rod(&lines[i], radius, i, positions, corners);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = (rbl_mesh_data){ .vertex_count = 6 * count,
			                        .positions = positions,
			                        .face_count = 6 * count,
			                        .corner_count = 18 * count,
			                        .corner_vertices = corners,
			                        .material_count = 1,
			                        .materials = &material };
		result = rbl_create_mesh(&def, &mesh);
	}
	if (result == RBL_OK)
		result = add_object(film, mesh, identity);
	free(positions);
	free(corners);
	return result;
}

// @param flags  what is drawn, in its colors; 0: parts, in one
static rbl_result film_lines(const rbl_world *world, rbl_film *film, rbl_box box, uint32_t flags)
{
	rbl_vec3 size = rbl_sub(box.upper, box.lower);
	double radius = (flags ? 0.0015 : 0.0006) * sqrt((double)rbl_dot(size, size));
	line_list list = { .point_size = 2.0f * (float)radius };
	rbl_draw draw = { .line = add_line, .user = &list, .box = box };
	draw.flags = flags ? flags : (uint32_t)RBL_DRAW_PARTS;
	if (flags & RBL_DRAW_FIELDS)
		draw.point = add_point;
	rbl_result result = rbl_world_draw(world, &draw);
	if (result == RBL_OK && list.has_failed)
		result = RBL_OUT_OF_MEMORY;
	if (flags && result == RBL_OK && list.count > 0)
		qsort(list.items, (size_t)list.count, sizeof *list.items, by_color);
	for (int begin = 0, end; begin < list.count && result == RBL_OK; begin = end) {
		for (end = begin + 1; end < list.count; ++end)
			if (flags && list.items[end].color != list.items[begin].color)
				break;
		result = film_rods(film, list.items + begin, end - begin, radius, flags != 0);
	}
	free(list.items);
	return result;
}

static rbl_result film_world(const rbl_world *world, rbl_film *film, uint32_t flags)
{
	int count = rbl_world_body_count(world);
	rbl_body_id *bodies = malloc((size_t)count * sizeof *bodies + 1);
	if (!bodies)
		return RBL_OUT_OF_MEMORY;
	count = rbl_world_get_bodies(world, bodies, count);
	rbl_box box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	rbl_result result = RBL_OK;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		const rbl_compound *compound = rbl_body_get_compound(world, bodies[i]);
		rbl_box own = rbl_body_bounds(world, bodies[i]);
		bool is_large =
			rbl_body_get_state(world, bodies[i]).kind == RBL_BODY_STATIC && !(flags && compound);
		if (!is_large)
			box = rbl_box_join(box, own);
		if (compound && !flags)
			result = film_parts(film, compound, rbl_body_pose(world, bodies[i]), 0.0);
	}
	free(bodies);
	if (result == RBL_OK && !(box.lower.x <= box.upper.x))
		box = (rbl_box){ { -10.0f, -10.0f, -10.0f }, { 10.0f, 10.0f, 10.0f } };
	return result == RBL_OK ? film_lines(world, film, box, flags) : result;
}

static int film_of_recording(const char *path, int step, uint32_t draw, rbl_film *film)
{
	rbl_file_bytes bytes;
	if (read_bytes(path, 0, &bytes) != STATUS_OK)
		return STATUS_FAILED;
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	rbl_replay *replay = NULL;
	rbl_replay_report report = { 0 };
	rbl_result result = rbl_create_replay(bytes.data, bytes.size, &def, &sources, &replay);
	progress line;
	progress_begin(&line, "replaying");
	while (result == RBL_OK && !report.is_over && (step < 0 || report.step < step)) {
		progress_update(&line, step > 0 ? (double)report.step / step : rbl_replay_progress(replay));
		result = rbl_replay_step(replay, &report);
	}
	progress_end(&line);
	if (result == RBL_OK)
		result = film_world(rbl_replay_get_world(replay), film, draw);
	rbl_destroy_replay(replay);
	rbl_free_bytes(&bytes);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

int film_of_file(const char *path, bool is_repaired, int step, double pull, uint32_t draw,
                 double time, rbl_film **film)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_result result = rbl_create_film(&def, film);
	if (result != RBL_OK)
		return fail_with(result, path);
	file_kind kind = file_kind_of(path);
	bool is_document = !is_repaired && kind == FILE_MESH && is_gltf_file(path);
	int status = kind == FILE_ASSET       ? film_of_asset(path, pull, *film)
	             : kind == FILE_RECORDING ? film_of_recording(path, step, draw, *film)
	             : is_document            ? film_of_document(path, time, *film)
	                                      : film_of_mesh(path, is_repaired, *film);
	if (status != STATUS_OK) {
		rbl_destroy_film(*film);
		*film = NULL;
	}
	return status;
}
