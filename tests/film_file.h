// SPDX-License-Identifier: MIT
// Films read back as a viewer does: nodes with their parents, meshes, tracks, and where everything
// is at a moment.
#pragma once

#include "base/math.h"
#include "base/vec.h"
#include "test.h"

#include <rubble/io.h>
#include <rubble/json.h>

typedef struct film_track {
	int key_count; // 0: there is none
	bool has_steps;
	float *times, *values;
} film_track;

/// What is written of one mesh: all its primitives.
typedef struct film_mesh {
	int vertex_count, triangle_count;
	float *positions, *normals; // normals may be NULL
	int *triangles;
	int *materials; // per triangle
	bool is_apart;  // it has the attribute _APART
	rbl_vec3d centre;
	double size; // diagonal of its box
	rbl_boxd box;
} film_mesh;

typedef struct film_node {
	int mesh, parent; // -1 for none
	float translation[3], rotation[4], scale[3];
	film_track tracks[3]; // by rbl_track_path
} film_node;

typedef struct film_file {
	rbl_json_document *json;
	const rbl_json *root;
	const unsigned char *binary;
	size_t binary_size;
	film_node *nodes;
	film_mesh *meshes;
	int node_count, mesh_count;
	int unused_accessors;
} film_file;

static inline const rbl_json *film_item(const film_file *file, const char *list, int64_t index)
{
	return rbl_json_item(rbl_json_member(file->root, list), (int)index);
}

static inline int film_list_size(const film_file *file, const char *list)
{
	return rbl_json_count(rbl_json_member(file->root, list));
}

/// @return a whole number, `missing` without
static inline int film_number(const rbl_json *object, const char *name, int missing)
{
	const rbl_json *value = rbl_json_member(object, name);
	return (int)rbl_json_number(value, (double)missing);
}

static inline void film_numbers(const rbl_json *object, const char *name, int count, float *numbers)
{
	const rbl_json *list = rbl_json_member(object, name);
	for (int i = 0; list && i < count; ++i)
		numbers[i] = (float)rbl_json_number(rbl_json_item(list, i), 0.0);
}

/// Read an accessor as floats; shorts are normalized ones. @return them, to be freed
static inline float *film_accessor(const film_file *file, int index, int *count)
{
	static const char *const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
	const rbl_json *accessor = film_item(file, "accessors", index);
	const rbl_json *view = film_item(file, "bufferViews", film_number(accessor, "bufferView", 0));
	const unsigned char *at =
		file->binary + film_number(view, "byteOffset", 0) + film_number(accessor, "byteOffset", 0);
	const char *type = rbl_json_text(rbl_json_member(accessor, "type"));
	int width = 1, component = film_number(accessor, "componentType", 0);
	while (width < 4 && strcmp(types[width - 1], type) != 0)
		width++;
	*count = film_number(accessor, "count", 0);
	float *values = malloc((size_t)(*count * width) * sizeof *values + 1);
	for (int i = 0; values && i < *count * width; ++i) {
		int16_t small;
		uint16_t index16;
		uint32_t index32;
		if (component == 5122)
			memcpy(&small, at + 2 * i, 2), values[i] = (float)small / 32767.0f;
		else if (component == 5123)
			memcpy(&index16, at + 2 * i, 2), values[i] = (float)index16;
		else if (component == 5125)
			memcpy(&index32, at + 4 * i, 4), values[i] = (float)index32;
		else
			memcpy(&values[i], at + 4 * i, 4);
	}
	return values;
}

static inline void film_read_mesh(const film_file *file, int index, film_mesh *mesh, int *uses)
{
	const rbl_json *primitives = rbl_json_member(film_item(file, "meshes", index), "primitives");
	for (int p = 0; p < rbl_json_count(primitives); ++p) {
		const rbl_json *one = rbl_json_item(primitives, p);
		const rbl_json *attributes = rbl_json_member(one, "attributes");
		for (int i = 0; i < rbl_json_count(attributes); ++i)
			uses[(int)rbl_json_number(rbl_json_item(attributes, i), 0.0)]++;
		int indices = film_number(one, "indices", -1), count = 0;
		uses[indices]++;
		if (p == 0) { // all have the same vertices
			mesh->positions =
				film_accessor(file, film_number(attributes, "POSITION", 0), &mesh->vertex_count);
			if (rbl_json_member(attributes, "NORMAL"))
				mesh->normals =
					film_accessor(file, film_number(attributes, "NORMAL", 0), &mesh->vertex_count);
		}
		mesh->is_apart |= rbl_json_member(attributes, "_APART") != NULL;
		float *corners = film_accessor(file, indices, &count);
		size_t all = (size_t)(mesh->triangle_count + count / 3);
		mesh->triangles = realloc(mesh->triangles, all * 3 * sizeof(int) + 1);
		mesh->materials = realloc(mesh->materials, all * sizeof(int) + 1);
		for (int i = 0; i < count; ++i) {
			mesh->triangles[3 * mesh->triangle_count + i] = (int)corners[i];
			mesh->materials[mesh->triangle_count + i / 3] = film_number(one, "material", -1);
		}
		mesh->triangle_count += count / 3;
		free(corners);
	}
}

static inline rbl_vec3d film_vertex(const film_mesh *mesh, int vertex)
{
	const float *p = mesh->positions + 3 * vertex;
	return (rbl_vec3d){ (double)p[0], (double)p[1], (double)p[2] };
}

static inline void film_measure_mesh(film_mesh *mesh)
{
	double volume = 0.0;
	rbl_vec3d sum = { 0, 0, 0 };
	mesh->box = rbl_box_empty_d();
	for (int v = 0; v < mesh->vertex_count; ++v)
		mesh->box = rbl_box_add_point_d(mesh->box, film_vertex(mesh, v));
	rbl_vec3d middle = rbl_box_centre_d(mesh->box);
	for (int i = 0; i < mesh->triangle_count; ++i) {
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = rbl_sub_d(film_vertex(mesh, mesh->triangles[3 * i + k]), middle);
		double v = rbl_dot_d(p[0], rbl_cross_d(p[1], p[2])) / 6.0;
		volume += v;
		sum = rbl_add_scaled_d(sum, 0.25 * v, rbl_add_d(p[0], rbl_add_d(p[1], p[2])));
	}
	mesh->size = rbl_length_d(rbl_box_size_d(mesh->box));
	mesh->centre = volume > 0.0 ? rbl_add_scaled_d(middle, 1.0 / volume, sum) : middle;
}

static inline void film_read_tracks(const film_file *file, int *uses)
{
	static const char *const paths[] = { "translation", "rotation", "scale" };
	const rbl_json *animation = film_item(file, "animations", 0);
	const rbl_json *channels = rbl_json_member(animation, "channels");
	for (int i = 0; i < rbl_json_count(channels); ++i) {
		const rbl_json *channel = rbl_json_item(channels, i);
		const rbl_json *target = rbl_json_member(channel, "target");
		const rbl_json *sampler = rbl_json_item(rbl_json_member(animation, "samplers"),
		                                        film_number(channel, "sampler", 0));
		const char *path = rbl_json_text(rbl_json_member(target, "path"));
		const char *interpolation = rbl_json_text(rbl_json_member(sampler, "interpolation"));
		int k = 0, keys = film_number(sampler, "input", 0),
			values = film_number(sampler, "output", 0);
		while (k < 2 && strcmp(path, paths[k]) != 0)
			k++;
		film_track *track = &file->nodes[film_number(target, "node", 0)].tracks[k];
		track->has_steps = interpolation && strcmp(interpolation, "STEP") == 0;
		track->times = film_accessor(file, keys, &track->key_count);
		track->values = film_accessor(file, values, &track->key_count);
		uses[keys]++, uses[values]++;
	}
}

/// Read a film. The bytes must live as long as it.
static inline film_file film_open(test *t, const void *data, size_t size)
{
	film_file file = { .root = NULL };
	const unsigned char *bytes = data;
	uint32_t json_size = 0;
	memcpy(&json_size, bytes + 12, 4);
	rbl_parse_json((const char *)bytes + 20, json_size, "film", NULL, &file.json);
	file.root = rbl_json_root(file.json);
	CHECK(t, file.root != NULL && size > 20 + json_size);
	file.binary = bytes + 28 + json_size;
	file.node_count = film_list_size(&file, "nodes");
	file.mesh_count = film_list_size(&file, "meshes");
	file.nodes = calloc((size_t)file.node_count + 1, sizeof *file.nodes);
	file.meshes = calloc((size_t)file.mesh_count + 1, sizeof *file.meshes);
	int accessors = film_list_size(&file, "accessors");
	int *uses = calloc((size_t)accessors + 1, sizeof *uses);
	for (int i = 0; i < file.mesh_count; ++i) {
		film_read_mesh(&file, i, &file.meshes[i], uses);
		film_measure_mesh(&file.meshes[i]);
	}
	for (int i = 0; i < file.node_count; ++i)
		file.nodes[i] =
			(film_node){ .parent = -1, .rotation = { 0, 0, 0, 1 }, .scale = { 1, 1, 1 } };
	for (int i = 0; i < file.node_count; ++i) {
		const rbl_json *one = film_item(&file, "nodes", i);
		film_node *node = &file.nodes[i];
		const rbl_json *children = rbl_json_member(one, "children");
		node->mesh = film_number(one, "mesh", -1);
		film_numbers(one, "translation", 3, node->translation);
		film_numbers(one, "rotation", 4, node->rotation);
		film_numbers(one, "scale", 3, node->scale);
		for (int k = 0; k < rbl_json_count(children); ++k)
			file.nodes[(int)rbl_json_number(rbl_json_item(children, k), 0.0)].parent = i;
	}
	film_read_tracks(&file, uses);
	for (int i = 0; i < accessors; ++i)
		file.unused_accessors += uses[i] == 0;
	free(uses);
	return file;
}

static inline void film_close(film_file *file)
{
	for (int i = 0; i < file->mesh_count; ++i) {
		free(file->meshes[i].positions);
		free(file->meshes[i].normals);
		free(file->meshes[i].triangles);
		free(file->meshes[i].materials);
	}
	for (int i = 0; i < 3 * file->node_count; ++i) {
		free(file->nodes[i / 3].tracks[i % 3].times);
		free(file->nodes[i / 3].tracks[i % 3].values);
	}
	free(file->nodes);
	free(file->meshes);
	rbl_destroy_json(file->json);
	*file = (film_file){ .root = NULL };
}

/// How a viewer turns from one key to the next.
typedef enum film_viewer {
	FILM_SLERP, // as the format says, and three.js does
	FILM_LERP,  // number by number, as Blender does
} film_viewer;

/// The value of a track at a moment, or `rest` without one.
static inline void film_sample(const film_track *track, const float *rest, int width, double time,
                               film_viewer viewer, double *value)
{
	int count = track->key_count, i = 0, end = count;
	for (int k = 0; k < width; ++k)
		value[k] = (double)rest[k];
	if (count == 0)
		return;
	while (end - i > 1) {
		int middle = (i + end) / 2;
		if ((double)track->times[middle] <= time)
			i = middle;
		else
			end = middle;
	}
	int next = i + 1 < count && time > (double)track->times[i] && !track->has_steps ? i + 1 : i;
	const float *from = track->values + width * i, *to = track->values + width * next;
	double from_time = (double)track->times[i], to_time = (double)track->times[next];
	double share = next > i ? (time - from_time) / (to_time - from_time) : 0.0;
	double a = 1.0 - share, b = share, dot = 0.0, square = 0.0;
	for (int k = 0; k < 4 && width == 4; ++k)
		dot += (double)from[k] * (double)to[k];
	double angle = rbl_acos(rbl_mind(1.0, fabs(dot)));
	if (width == 4 && viewer == FILM_SLERP && angle > 1e-6) {
		a = rbl_sin((1.0 - share) * angle) / rbl_sin(angle);
		b = rbl_sin(share * angle) / rbl_sin(angle);
	}
	b = dot < 0.0 ? -b : b;
	for (int k = 0; k < width; ++k) {
		value[k] = a * (double)from[k] + b * (double)to[k];
		square += value[k] * value[k];
	}
	for (int k = 0; k < 4 && width == 4; ++k)
		value[k] /= sqrt(square);
}

/// Where a node is in the world at a moment. @return whether it is to be seen
static inline bool film_pose(const film_file *file, int index, double time, film_viewer viewer,
                             rbl_transformd *pose)
{
	*pose = (rbl_transformd){ { 0, 0, 0 }, { 0, 0, 0, 1 } };
	for (int i = index; i >= 0; i = file->nodes[i].parent) {
		const film_node *node = &file->nodes[i];
		double p[3], q[4], s[3];
		film_sample(&node->tracks[RBL_TRACK_TRANSLATION], node->translation, 3, time, viewer, p);
		film_sample(&node->tracks[RBL_TRACK_ROTATION], node->rotation, 4, time, viewer, q);
		film_sample(&node->tracks[RBL_TRACK_SCALE], node->scale, 3, time, viewer, s);
		if (s[0] != 1.0)
			return false;
		rbl_quatd rotation = { q[0], q[1], q[2], q[3] };
		pose->position =
			rbl_add_d(rbl_rotate_d(rotation, pose->position), (rbl_vec3d){ p[0], p[1], p[2] });
		pose->rotation = rbl_quat_mul_d(rotation, pose->rotation);
	}
	return true;
}
