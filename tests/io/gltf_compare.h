// SPDX-License-Identifier: MIT
// Two glTF files that should hold the same: compared by what their JSON and buffers say, without the
// library's reader.
#pragma once

#include "gltf_builder.h"

#include <rubble/json.h>

/// A file: its JSON and the bytes of its only buffer.
typedef struct gltf_side {
	rbl_json_document *document;
	const rbl_json *root;
	const unsigned char *data;
} gltf_side;

static inline gltf_side gltf_open_side(test *t, const void *json, size_t size,
                                       const unsigned char *data)
{
	gltf_side made = { .data = data };
	CHECK(t, rbl_parse_json(json, size, "side", NULL, &made.document) == RBL_OK);
	made.root = rbl_json_root(made.document);
	return made;
}

/// A .glb in memory.
static inline gltf_side gltf_open_glb(test *t, const unsigned char *file)
{
	uint32_t size;
	memcpy(&size, file + 12, 4);
	return gltf_open_side(t, file + 20, size, file + 28 + size);
}

static inline const rbl_json *gltf_at(const gltf_side *of, const char *list, int index)
{
	return rbl_json_item(rbl_json_member(of->root, list), index);
}

static inline int gltf_int(const rbl_json *object, const char *key, int fallback)
{
	return (int)rbl_json_number(rbl_json_member(object, key), (double)fallback);
}

static inline bool gltf_is_empty(const rbl_json *value)
{
	return !value || (rbl_json_get_type(value) == RBL_JSON_OBJECT && rbl_json_count(value) == 0);
}

/// The same values: members in any order, numbers as floats, a member that is {} or is not there.
static inline bool gltf_same_json(const rbl_json *a, const rbl_json *b)
{
	if (!a || !b)
		return gltf_is_empty(a) && gltf_is_empty(b);
	rbl_json_type type = rbl_json_get_type(a);
	if (type != rbl_json_get_type(b))
		return false;
	if (type == RBL_JSON_NUMBER)
		return (float)rbl_json_number(a, 0.0) == (float)rbl_json_number(b, 1.0);
	if (type == RBL_JSON_TEXT)
		return strcmp(rbl_json_text(a), rbl_json_text(b)) == 0;
	if (type == RBL_JSON_LIST && rbl_json_count(a) != rbl_json_count(b))
		return false;
	for (int i = 0; i < rbl_json_count(a); ++i) {
		const char *key = rbl_json_key(a, i);
		if (!gltf_same_json(rbl_json_item(a, i),
		                    key ? rbl_json_member(b, key) : rbl_json_item(b, i)))
			return false;
	}
	for (int i = 0; type == RBL_JSON_OBJECT && i < rbl_json_count(b); ++i)
		if (!rbl_json_member(a, rbl_json_key(b, i)) && !gltf_is_empty(rbl_json_item(b, i)))
			return false;
	return true;
}

// A test fails by the name of what differs.
#define GLTF_SAME(t, holds, what)                                 \
	do {                                                          \
		(t)->checks++;                                            \
		if (!(holds))                                             \
			test_fail((t), __FILE__, __LINE__, "differs: " what); \
	} while (0)

// --- numbers ---------------------------------------------------------------------------------

static inline double gltf_number(const unsigned char *at, int component)
{
	float number;
	memcpy(&number, at, 4);
	uint32_t word = at[0] | (uint32_t)at[1] << 8;
	switch (component) {
	case 5120:
		return (double)(int8_t)at[0];
	case 5121:
		return (double)at[0];
	case 5122:
		return (double)(int16_t)word;
	case 5123:
		return (double)word;
	case 5125:
		return (double)(word | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
	default:
		return (double)number;
	}
}

static inline int gltf_component_size(int component)
{
	return component < 5122 ? 1 : component < 5124 ? 2 : 4;
}

static inline int gltf_width(const rbl_json *accessor)
{
	const char *type = rbl_json_text(rbl_json_member(accessor, "type"));
	return type && type[0] == 'V' ? type[3] - '0' : 1;
}

// Where item `index` is; NULL: zeros.
static inline const unsigned char *gltf_locate(const gltf_side *of, const rbl_json *accessor,
                                               int index)
{
	const rbl_json *sparse = rbl_json_member(accessor, "sparse");
	int size = gltf_component_size(gltf_int(accessor, "componentType", 0)) * gltf_width(accessor);
	const rbl_json *indices = rbl_json_member(sparse, "indices"),
				   *values = rbl_json_member(sparse, "values");
	for (int i = 0; i < gltf_int(sparse, "count", 0); ++i) {
		const rbl_json *a = gltf_at(of, "bufferViews", gltf_int(indices, "bufferView", 0)),
					   *b = gltf_at(of, "bufferViews", gltf_int(values, "bufferView", 0));
		int component = gltf_int(indices, "componentType", 0);
		const unsigned char *at =
			of->data + gltf_int(a, "byteOffset", 0) + i * gltf_component_size(component);
		if ((int)gltf_number(at, component) == index)
			return of->data + gltf_int(b, "byteOffset", 0) + i * size;
	}
	if (!rbl_json_member(accessor, "bufferView"))
		return NULL;
	const rbl_json *view = gltf_at(of, "bufferViews", gltf_int(accessor, "bufferView", 0));
	return of->data + gltf_int(view, "byteOffset", 0) + gltf_int(accessor, "byteOffset", 0) +
	       index * gltf_int(view, "byteStride", size);
}

/// Item `index` of an accessor as up to four numbers. @return how many
static inline int gltf_get(const gltf_side *of, const rbl_json *accessor, int index, double *values)
{
	const unsigned char *at = gltf_locate(of, accessor, index);
	int component = gltf_int(accessor, "componentType", 0), width = gltf_width(accessor);
	static const double largest[4] = { 127.0, 255.0, 32767.0, 65535.0 };
	for (int i = 0; i < width; ++i) {
		unsigned char bytes[4] = { 0, 0, 0, 0 };
		if (at)
			memcpy(bytes, at + i * gltf_component_size(component),
			       (size_t)gltf_component_size(component));
		values[i] = gltf_number(bytes, component);
		if (rbl_json_is_true(rbl_json_member(accessor, "normalized")))
			values[i] = fmax(values[i] / largest[component - 5120], -1.0);
	}
	return width;
}

// --- meshes ----------------------------------------------------------------------------------

static const struct {
	const char *name;
	int width;
} gltf_attributes[] = { { "POSITION", 3 },   { "NORMAL", 3 },     { "TANGENT", 4 },
	                    { "TEXCOORD_0", 2 }, { "TEXCOORD_1", 2 }, { "TEXCOORD_2", 2 },
	                    { "COLOR_0", 4 },    { "COLOR_1", 4 } };

enum { GLTF_ATTRIBUTES = 8, GLTF_TRIANGLES = 200 };

typedef struct gltf_triangle {
	const rbl_json *primitive;
	double corners[3][GLTF_ATTRIBUTES][4]; // a first number that is none: it has not that attribute
} gltf_triangle;

// Whether faces of two primitives may be written as one: the same material, and nothing besides.
static inline bool gltf_same_slot(const rbl_json *a, const rbl_json *b)
{
	return gltf_int(a, "material", -1) == gltf_int(b, "material", -1) &&
	       gltf_same_json(rbl_json_member(a, "extras"), rbl_json_member(b, "extras")) &&
	       gltf_same_json(rbl_json_member(a, "extensions"), rbl_json_member(b, "extensions"));
}

static inline void gltf_get_corner(const gltf_side *of, const rbl_json *primitive, int item,
                                   double corner[GLTF_ATTRIBUTES][4])
{
	const rbl_json *attributes = rbl_json_member(primitive, "attributes");
	int vertex = item;
	if (rbl_json_member(primitive, "indices")) {
		double index[4];
		gltf_get(of, gltf_at(of, "accessors", gltf_int(primitive, "indices", 0)), item, index);
		vertex = (int)index[0];
	}
	for (int a = 0; a < GLTF_ATTRIBUTES; ++a) {
		double *values = corner[a];
		values[0] = (double)NAN, values[3] = 1.0;
		if (rbl_json_member(attributes, gltf_attributes[a].name))
			gltf_get(of, gltf_at(of, "accessors", gltf_int(attributes, gltf_attributes[a].name, 0)),
			         vertex, values);
	}
}

// All triangles of a mesh, those of primitives of one kind after each other. @return how many
static inline int gltf_get_triangles(const gltf_side *of, const rbl_json *mesh,
                                     gltf_triangle *triangles)
{
	const rbl_json *list = rbl_json_member(mesh, "primitives");
	bool is_done[64] = { false };
	int made = 0, order[64], count = 0;
	for (int i = 0; i < rbl_json_count(list); ++i)
		for (int k = i; !is_done[i] && k < rbl_json_count(list); ++k)
			if (!is_done[k] && gltf_same_slot(rbl_json_item(list, i), rbl_json_item(list, k))) {
				order[count++] = k;
				is_done[k] = k > i;
			}
	for (int i = 0; i < count; ++i) {
		const rbl_json *primitive = rbl_json_item(list, order[i]);
		const rbl_json *attributes = rbl_json_member(primitive, "attributes");
		bool has_indices = rbl_json_member(primitive, "indices") != NULL;
		int mode = gltf_int(primitive, "mode", 4);
		const rbl_json *items = gltf_at(of, "accessors",
		                                has_indices ? gltf_int(primitive, "indices", 0)
		                                            : gltf_int(attributes, "POSITION", 0));
		int item_count = gltf_int(items, "count", 0);
		for (int k = 0; k + 2 < item_count && made < GLTF_TRIANGLES; k += mode == 4 ? 3 : 1) {
			int corners[3] = { mode == 6 ? 0 : k, k + 1, k + 2 };
			if (mode == 5 && k % 2 == 1)
				corners[1] = k + 2, corners[2] = k + 1;
			triangles[made].primitive = primitive;
			for (int c = 0; c < 3; ++c)
				gltf_get_corner(of, primitive, corners[c], triangles[made].corners[c]);
			made++;
		}
	}
	return made;
}

static inline bool gltf_near(const double *a, const double *b, int count, double tolerance)
{
	for (int i = 0; i < count; ++i)
		if (!(fabs(a[i] - b[i]) <= tolerance * (1.0 + fabs(a[i]))))
			return false;
	return true;
}

// Without normals a triangle is flat.
static inline bool gltf_is_flat(const gltf_triangle *of, const double *normal)
{
	const double *p = of->corners[0][0], *q = of->corners[1][0], *r = of->corners[2][0];
	double a[3], b[3], n[3], length = 0.0;
	for (int i = 0; i < 3; ++i)
		a[i] = q[i] - p[i], b[i] = r[i] - p[i];
	for (int i = 0; i < 3; ++i) {
		n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
		length += n[i] * n[i];
	}
	for (int i = 0; i < 3; ++i)
		n[i] /= sqrt(length);
	return gltf_near(n, normal, 3, 1e-5);
}

static inline bool gltf_same_triangle(const gltf_triangle *a, const gltf_triangle *b)
{
	bool is_same = gltf_same_slot(a->primitive, b->primitive);
	for (int c = 0; c < 3; ++c)
		for (int k = 0; k < GLTF_ATTRIBUTES; ++k) {
			const double *from = a->corners[c][k], *to = b->corners[c][k];
			bool is_there = !isnan(from[0]), is_written = !isnan(to[0]);
			if (is_there)
				is_same &= is_written && gltf_near(from, to, gltf_attributes[k].width, 2e-6);
			else if (is_written && k == 1) // others of the mesh have some
				is_same &= gltf_is_flat(a, to);
			else if (is_written)
				is_same &= k != 2; // tangents are not made up
		}
	return is_same;
}

static inline void gltf_compare_meshes(test *t, const gltf_side *a, const gltf_side *b, int from,
                                       int to)
{
	static gltf_triangle before[GLTF_TRIANGLES], after[GLTF_TRIANGLES];
	const rbl_json *x = gltf_at(a, "meshes", from), *y = gltf_at(b, "meshes", to);
	GLTF_SAME(t, gltf_same_json(rbl_json_member(x, "name"), rbl_json_member(y, "name")),
	          "mesh name");
	GLTF_SAME(t, gltf_same_json(rbl_json_member(x, "extras"), rbl_json_member(y, "extras")),
	          "mesh extras");
	int count = gltf_get_triangles(a, x, before);
	GLTF_SAME(t, count > 0 && count == gltf_get_triangles(b, y, after), "number of triangles");
	for (int i = 0; i < count; ++i)
		GLTF_SAME(t, gltf_same_triangle(&before[i], &after[i]), "a triangle");
}

// --- nodes -----------------------------------------------------------------------------------

// A node's matrix by columns, from its own or from translation, rotation and scale.
static inline void gltf_get_matrix(const double *tqs, double *m)
{
	double x = tqs[3], y = tqs[4], z = tqs[5], w = tqs[6];
	const double r[9] = {
		1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
		2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
		2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)
	};
	for (int c = 0; c < 3; ++c)
		for (int i = 0; i < 4; ++i)
			m[4 * c + i] = i < 3 ? r[3 * c + i] * tqs[7 + c] : 0.0;
	for (int i = 0; i < 4; ++i)
		m[12 + i] = i < 3 ? tqs[i] : 1.0;
}

static inline void gltf_node_matrix(const rbl_json *node, double *m)
{
	static const struct {
		const char *key;
		int at, count;
	} parts[3] = { { "translation", 0, 3 }, { "rotation", 3, 4 }, { "scale", 7, 3 } };
	double tqs[10] = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 };
	const rbl_json *matrix = rbl_json_member(node, "matrix");
	for (int k = 0; k < 3; ++k) {
		const rbl_json *list = rbl_json_member(node, parts[k].key);
		for (int i = 0; list && i < parts[k].count; ++i)
			tqs[parts[k].at + i] = rbl_json_number(rbl_json_item(list, i), 0.0);
	}
	gltf_get_matrix(tqs, m);
	for (int i = 0; matrix && i < 16; ++i)
		m[i] = rbl_json_number(rbl_json_item(matrix, i), 0.0);
}

// Copies of a mesh that a node asks for became nodes below it. @return how many
static inline int gltf_compare_instances(test *t, const gltf_side *a, const gltf_side *b,
                                         const rbl_json *from, const rbl_json *to)
{
	static const char *const names[3] = { "TRANSLATION", "ROTATION", "SCALE" };
	const rbl_json *attributes = rbl_json_member(
		rbl_json_member(rbl_json_member(from, "extensions"), "EXT_mesh_gpu_instancing"),
		"attributes");
	int count = 0;
	if (attributes)
		count = gltf_int(gltf_at(a, "accessors", gltf_int(attributes, names[0], 0)), "count", 0);
	for (int i = 0; i < count; ++i) {
		double tqs[10], m[16], n[16];
		for (int k = 0; k < 3; ++k)
			gltf_get(a, gltf_at(a, "accessors", gltf_int(attributes, names[k], 0)), i,
			         tqs + (k == 0   ? 0
			                : k == 1 ? 3
			                         : 7));
		int child = (int)rbl_json_number(rbl_json_item(rbl_json_member(to, "children"), i), 0.0);
		gltf_get_matrix(tqs, m);
		gltf_node_matrix(gltf_at(b, "nodes", child), n);
		GLTF_SAME(t, gltf_near(m, n, 16, 1e-6), "the place of an instance");
		gltf_compare_meshes(t, a, b, gltf_int(from, "mesh", -1),
		                    gltf_int(gltf_at(b, "nodes", child), "mesh", -1));
	}
	return count;
}

/// Compare nodes and what is below them. `node_of` receives the nodes of b.
static inline void gltf_compare_nodes(test *t, const gltf_side *a, const gltf_side *b, int from,
                                      int to, int *node_of)
{
	const rbl_json *x = gltf_at(a, "nodes", from), *y = gltf_at(b, "nodes", to);
	double m[16], n[16];
	node_of[from] = to;
	gltf_node_matrix(x, m);
	gltf_node_matrix(y, n);
	GLTF_SAME(t, gltf_near(m, n, 16, 1e-6), "the place of a node");
	GLTF_SAME(t, gltf_same_json(rbl_json_member(x, "name"), rbl_json_member(y, "name")),
	          "node name");
	GLTF_SAME(t, gltf_same_json(rbl_json_member(x, "extras"), rbl_json_member(y, "extras")),
	          "node extras");
	GLTF_SAME(t,
	          gltf_same_json(gltf_at(a, "cameras", gltf_int(x, "camera", -1)),
	                         gltf_at(b, "cameras", gltf_int(y, "camera", -1))),
	          "camera");
	int instances = gltf_compare_instances(t, a, b, x, y);
	if (instances == 0) {
		GLTF_SAME(
			t, gltf_same_json(rbl_json_member(x, "extensions"), rbl_json_member(y, "extensions")),
			"node extensions");
		GLTF_SAME(t, (gltf_int(x, "mesh", -1) < 0) == (gltf_int(y, "mesh", -1) < 0), "mesh");
		if (gltf_int(x, "mesh", -1) >= 0)
			gltf_compare_meshes(t, a, b, gltf_int(x, "mesh", -1), gltf_int(y, "mesh", -1));
	}
	const rbl_json *before = rbl_json_member(x, "children"),
				   *after = rbl_json_member(y, "children");
	int count = rbl_json_count(before);
	GLTF_SAME(t, count + instances == rbl_json_count(after), "number of children");
	for (int i = 0; i < count && count + instances == rbl_json_count(after); ++i)
		gltf_compare_nodes(t, a, b, (int)rbl_json_number(rbl_json_item(before, i), 0.0),
		                   (int)rbl_json_number(rbl_json_item(after, instances + i), 0.0), node_of);
}

// --- animations ------------------------------------------------------------------------------

static inline void gltf_compare_tracks(test *t, const gltf_side *a, const gltf_side *b,
                                       const rbl_json *from, const rbl_json *to)
{
	static const char *const keys[2] = { "input", "output" };
	for (int k = 0; k < 2; ++k) {
		const rbl_json *x = gltf_at(a, "accessors", gltf_int(from, keys[k], -1)),
					   *y = gltf_at(b, "accessors", gltf_int(to, keys[k], -1));
		int count = gltf_int(x, "count", 0);
		bool is_same = count > 0 && count == gltf_int(y, "count", -1);
		for (int i = 0; i < count && is_same; ++i) {
			double u[4], v[4];
			is_same = gltf_get(a, x, i, u) == gltf_get(b, y, i, v) &&
			          gltf_near(u, v, gltf_width(x), 1e-6);
		}
		GLTF_SAME(t, is_same, "keys");
		GLTF_SAME(t, gltf_int(x, "componentType", 0) == gltf_int(y, "componentType", 1),
		          "their bits");
	}
	const char *x = rbl_json_text(rbl_json_member(from, "interpolation")),
			   *y = rbl_json_text(rbl_json_member(to, "interpolation"));
	GLTF_SAME(t, strcmp(x ? x : "LINEAR", y ? y : "LINEAR") == 0, "interpolation");
}

static inline void gltf_compare_animations(test *t, const gltf_side *a, const gltf_side *b,
                                           const int *node_of)
{
	const rbl_json *before = rbl_json_member(a->root, "animations"),
				   *after = rbl_json_member(b->root, "animations");
	GLTF_SAME(t, rbl_json_count(before) == rbl_json_count(after), "number of animations");
	for (int i = 0; i < rbl_json_count(before); ++i) {
		const rbl_json *x = rbl_json_item(before, i), *y = rbl_json_item(after, i);
		const rbl_json *from = rbl_json_member(x, "channels"), *to = rbl_json_member(y, "channels");
		GLTF_SAME(t,
		          gltf_same_json(rbl_json_member(x, "name"), rbl_json_member(y, "name")) &&
		              gltf_same_json(rbl_json_member(x, "extras"), rbl_json_member(y, "extras")),
		          "animation name or extras");
		GLTF_SAME(t, rbl_json_count(from) == rbl_json_count(to), "number of channels");
		for (int k = 0; k < rbl_json_count(from); ++k) {
			const rbl_json *u = rbl_json_item(from, k), *v = rbl_json_item(to, k);
			const rbl_json *p = rbl_json_member(u, "target"), *q = rbl_json_member(v, "target");
			GLTF_SAME(t,
			          node_of[gltf_int(p, "node", 0)] == gltf_int(q, "node", -1) &&
			              gltf_same_json(rbl_json_member(p, "path"), rbl_json_member(q, "path")),
			          "target of a channel");
			gltf_compare_tracks(
				t, a, b, rbl_json_item(rbl_json_member(x, "samplers"), gltf_int(u, "sampler", 0)),
				rbl_json_item(rbl_json_member(y, "samplers"), gltf_int(v, "sampler", 0)));
		}
	}
}

// --- all -------------------------------------------------------------------------------------

/// Images of b are those that the builder was given, byte for byte, with their names.
static inline void gltf_compare_images(test *t, const gltf_builder *from, const gltf_side *a,
                                       const gltf_side *b)
{
	const rbl_json *list = rbl_json_member(b->root, "images");
	GLTF_SAME(t, rbl_json_count(list) == from->image_count, "number of images");
	for (int i = 0; i < from->image_count && i < rbl_json_count(list); ++i) {
		const rbl_json *image = rbl_json_item(list, i), *before = gltf_at(a, "images", i);
		const rbl_json *view = gltf_at(b, "bufferViews", gltf_int(image, "bufferView", -1));
		size_t size = (size_t)gltf_int(view, "byteLength", 0);
		GLTF_SAME(t,
		          size == from->kept[i].size && memcmp(b->data + gltf_int(view, "byteOffset", 0),
		                                               from->kept[i].bytes, size) == 0,
		          "bytes of an image");
		const char *type = rbl_json_text(rbl_json_member(image, "mimeType"));
		GLTF_SAME(
			t,
			type && strcmp(type, from->kept[i].bytes[0] == 0xff ? "image/jpeg" : "image/png") == 0,
			"type of an image");
		if (rbl_json_member(before, "name"))
			GLTF_SAME(
				t, gltf_same_json(rbl_json_member(before, "name"), rbl_json_member(image, "name")),
				"name of an image");
		GLTF_SAME(
			t, gltf_same_json(rbl_json_member(before, "extras"), rbl_json_member(image, "extras")),
			"extras of an image");
	}
}

/// Everything that a file has, but how its numbers are stored.
static inline void gltf_compare(test *t, const gltf_builder *from, const gltf_side *a,
                                const gltf_side *b)
{
	static const char *const lists[] = { "materials", "textures", "samplers",
		                                 "cameras",   "extras",   "extensions" };
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
		bool is_same =
			gltf_same_json(rbl_json_member(a->root, lists[i]), rbl_json_member(b->root, lists[i]));
		if (!is_same)
			printf("in %s:\n", lists[i]);
		GLTF_SAME(t, is_same, "a list");
	}
	const rbl_json *asset = rbl_json_member(a->root, "asset"),
				   *again = rbl_json_member(b->root, "asset");
	GLTF_SAME(t,
	          gltf_same_json(rbl_json_member(asset, "extras"), rbl_json_member(again, "extras")) &&
	              gltf_same_json(rbl_json_member(asset, "copyright"),
	                             rbl_json_member(again, "copyright")),
	          "asset");
	const rbl_json *x = gltf_at(a, "scenes", 0), *y = gltf_at(b, "scenes", 0);
	GLTF_SAME(t,
	          gltf_same_json(rbl_json_member(x, "name"), rbl_json_member(y, "name")) &&
	              gltf_same_json(rbl_json_member(x, "extras"), rbl_json_member(y, "extras")),
	          "scene");
	const rbl_json *before = rbl_json_member(x, "nodes"), *after = rbl_json_member(y, "nodes");
	int node_of[100] = { 0 }, count = rbl_json_count(before);
	GLTF_SAME(t, count > 0 && count == rbl_json_count(after), "number of roots");
	for (int i = 0; i < count && count == rbl_json_count(after); ++i)
		gltf_compare_nodes(t, a, b, (int)rbl_json_number(rbl_json_item(before, i), 0.0),
		                   (int)rbl_json_number(rbl_json_item(after, i), 0.0), node_of);
	gltf_compare_animations(t, a, b, node_of);
	gltf_compare_images(t, from, a, b);
}
