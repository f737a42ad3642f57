// SPDX-License-Identifier: MIT
//
// What there is to draw: triangles of meshes, bodies and chips, and the lines of rbl_world_draw().
// Buffers are the module's and are used again by the next call.

#include "module.h"

#include "array.h"
#include "asset_files.h"

#include <rubble/vec.h>

#include <stdlib.h>
#include <string.h>

static const js_look GREY = {
	{ 0.6f, 0.6f, 0.6f, 1.0f }, { 0.55f, 0.55f, 0.55f, 1.0f }, false, false
};
static const js_look CUT = {
	{ 0.6f, 0.6f, 0.6f, 1.0f }, { 0.55f, 0.55f, 0.55f, 1.0f }, false, true
};
static const float SMOOTH_BELOW = 0.5f; // radians between faces

JS_API js_triangles *js_mesh_triangles(const rbl_mesh *mesh);
JS_API js_triangles *js_asset_triangles(const rbl_asset *asset);
JS_API js_triangles *js_body_triangles(const rbl_world *world, rbl_body_id *body);
JS_API js_triangles *js_chip_triangles(int kind, int variant);
JS_API rbl_result js_name_textures(const char *names);
JS_API js_lines *js_world_lines(const rbl_world *world, uint32_t flags);
JS_API js_lines *js_bond_lines(const rbl_world *world);
JS_API int *js_islands(const rbl_world *world, int body_end);

// --- triangles ----------------------------------------------------------------------------------

js_triangles *js_begin_triangles(void)
{
	static js_triangles triangles;
	triangles.corner_count = 0;
	triangles.is_hidden = false;
	return &triangles;
}

static bool reserve_corners(js_triangles *out, int count)
{
	if (count <= out->capacity)
		return true;
	size_t capacity = 2 * (size_t)count;
	float *positions = realloc(out->positions, 3 * capacity * sizeof *positions);
	out->positions = positions ? positions : out->positions;
	float *normals = realloc(out->normals, 3 * capacity * sizeof *normals);
	out->normals = normals ? normals : out->normals;
	float *colors = realloc(out->colors, 4 * capacity * sizeof *colors);
	out->colors = colors ? colors : out->colors;
	float *uvs = realloc(out->uvs, 2 * capacity * sizeof *uvs);
	out->uvs = uvs ? uvs : out->uvs;
	float *layers = realloc(out->layers, capacity * sizeof *layers);
	out->layers = layers ? layers : out->layers;
	if (!positions || !normals || !colors || !uvs || !layers)
		return false;
	out->capacity = (int)capacity;
	return true;
}

// Names of the materials that have a texture, a line each, or NULL.
static char *textured;

rbl_result js_name_textures(const char *names)
{
	free(textured);
	textured = strdup(names);
	return textured ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// Which texture a material has, from 1; 0: none.
static int texture_of(const rbl_mesh_material *material)
{
	const char *line = textured;
	size_t length = strlen(material->name);
	for (int i = 1; line && *line && length > 0; ++i) {
		size_t end = strcspn(line, "\n");
		if (end == length && memcmp(line, material->name, length) == 0)
			return i;
		line += line[end] ? end + 1 : end;
	}
	return 0;
}

static void put_corner(js_triangles *out, const rbl_mesh_data *data, int corner, rbl_vec3 normal,
                       const rbl_vec4 *color, bool is_cut, int texture)
{
	const rbl_vec3d at = data->positions[data->corner_vertices[corner]];
	rbl_vec4 shade = *color;
	if (data->corner_colors && !is_cut) {
		const rbl_vec4 painted = data->corner_colors[corner];
		shade.x *= painted.x, shade.y *= painted.y, shade.z *= painted.z;
	}
	float *p = out->positions + 3 * out->corner_count, *n = out->normals + 3 * out->corner_count,
		  *c = out->colors + 4 * out->corner_count, *uv = out->uvs + 2 * out->corner_count;
	p[0] = (float)at.x, p[1] = (float)at.y, p[2] = (float)at.z;
	n[0] = normal.x, n[1] = normal.y, n[2] = normal.z;
	c[0] = shade.x, c[1] = shade.y, c[2] = shade.z, c[3] = is_cut ? 1.0f : 0.0f;
	uv[0] = data->corner_uv0 ? data->corner_uv0[corner].x : 0.0f;
	uv[1] = data->corner_uv0 ? data->corner_uv0[corner].y : 0.0f;
	out->layers[out->corner_count] = (float)texture;
	out->corner_count++;
}

// @param is_plain  the mesh was made for this part, and has no materials of its own
static rbl_result append_mesh(js_triangles *out, const rbl_mesh *mesh, const js_look *look,
                              bool is_plain)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	int *corners = malloc(3 * (size_t)count * sizeof *corners + 1);
	int *faces = malloc((size_t)count * sizeof *faces + 1);
	rbl_vec3 *normals = NULL;
	rbl_result result = corners && faces ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && !data.corner_normals) {
		normals = malloc((size_t)data.corner_count * sizeof *normals + 1);
		result =
			normals ? rbl_mesh_compute_normals(mesh, SMOOTH_BELOW, normals) : RBL_OUT_OF_MEMORY;
	}
	if (result == RBL_OK)
		result = rbl_mesh_triangulate(mesh, corners, faces);
	if (result == RBL_OK && !reserve_corners(out, out->corner_count + 3 * count))
		result = RBL_OUT_OF_MEMORY;
	for (int t = 0; t < count && result == RBL_OK; ++t) {
		int slot = data.face_materials ? data.face_materials[faces[t]] : 0;
		const rbl_mesh_material *own =
			!is_plain && slot < data.material_count ? &data.materials[slot] : NULL;
		bool is_inner = look->is_cut || (own && strcmp(own->name, "inner") == 0);
		int texture = own && !is_inner && data.corner_uv0 ? texture_of(own) : 0;
		const rbl_vec4 *shade = own && (!look->replaces || texture > 0) ? &own->base_color
		                        : is_inner                              ? &look->inner
		                                                                : &look->outer;
		for (int k = 0; k < 3; ++k) {
			int c = corners[3 * t + k];
			put_corner(out, &data, c, data.corner_normals ? data.corner_normals[c] : normals[c],
			           shade, is_inner, texture);
		}
	}
	free(normals);
	free(faces);
	free(corners);
	return result;
}

rbl_result js_append_triangles(js_triangles *out, const rbl_mesh *mesh, const js_look *look)
{
	return append_mesh(out, mesh, look, false);
}

rbl_result js_append_part(js_triangles *out, const rbl_compound *compound, int part,
                          const js_look *look)
{
	rbl_compound_part of = rbl_compound_get_part(compound, part);
	rbl_mesh *mesh = NULL;
	if (of.mesh)
		return js_append_triangles(out, of.mesh, look);
	const rbl_material *material = rbl_compound_get_material(compound, of.material);
	rbl_material_def def = rbl_material_get_def(material);
	rbl_result result = rbl_compound_create_part_mesh(compound, part, material ? &def.inner : NULL,
	                                                  NULL, NULL, &mesh);
	if (result == RBL_OK)
		result = append_mesh(out, mesh, look, true);
	rbl_destroy_mesh(mesh);
	return result;
}

// The color of a part: neighbours differ.
static js_look part_look(int part)
{
	static const rbl_vec4 colors[] = {
		{ 0.30f, 0.47f, 0.66f, 1.0f }, { 0.95f, 0.56f, 0.17f, 1.0f }, { 0.35f, 0.63f, 0.31f, 1.0f },
		{ 0.88f, 0.34f, 0.35f, 1.0f }, { 0.69f, 0.48f, 0.63f, 1.0f }, { 0.93f, 0.79f, 0.28f, 1.0f },
		{ 0.46f, 0.72f, 0.70f, 1.0f }, { 0.61f, 0.46f, 0.37f, 1.0f }, { 0.73f, 0.69f, 0.67f, 1.0f },
		{ 1.00f, 0.62f, 0.65f, 1.0f }, { 0.55f, 0.82f, 0.49f, 1.0f },
	};
	rbl_vec4 color = colors[part % (int)(sizeof colors / sizeof *colors)];
	return (js_look){ color, color, true, false };
}

static rbl_result append_compound(js_triangles *out, const rbl_compound *compound, bool has_colors)
{
	int end = rbl_compound_get_info(compound).part_end;
	rbl_result result = RBL_OK;
	for (int i = 0; i < end && result == RBL_OK; ++i) {
		js_look look = has_colors ? part_look(i) : GREY;
		if (rbl_compound_get_part(compound, i).convex)
			result = js_append_part(out, compound, i, &look);
	}
	return result;
}

// @return NULL on failure, as all below
js_triangles *js_mesh_triangles(const rbl_mesh *mesh)
{
	js_triangles *out = js_begin_triangles();
	return js_append_triangles(out, mesh, &GREY) == RBL_OK ? out : NULL;
}

js_triangles *js_asset_triangles(const rbl_asset *asset)
{
	js_triangles *out = js_begin_triangles();
	rbl_result result = append_compound(out, rbl_asset_get_compound(asset), true);
	return result == RBL_OK ? out : NULL;
}

// Of a body with a compound or an asset; none for others.
js_triangles *js_body_triangles(const rbl_world *world, rbl_body_id *body)
{
	js_triangles *out = js_begin_triangles();
	const rbl_compound *compound = rbl_body_get_compound(world, *body);
	if (compound && append_compound(out, compound, false) != RBL_OK)
		return NULL;
	return out;
}

// Of a chip of radius 1.
js_triangles *js_chip_triangles(int kind, int variant)
{
	js_triangles *out = js_begin_triangles();
	rbl_mesh *mesh = NULL;
	rbl_result result = rbl_create_chip_mesh((rbl_debris_kind)kind, variant, 1.0, NULL, &mesh);
	if (result == RBL_OK)
		result = js_append_triangles(out, mesh, &CUT);
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? out : NULL;
}

// --- lines --------------------------------------------------------------------------------------

static js_lines lines;

static void add_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	(void)user;
	int end = 6 * (lines.count + 1);
	if (!ARRAY_RESERVE(lines.positions, lines.position_capacity, end) ||
	    !ARRAY_RESERVE(lines.colors, lines.color_capacity, end)) {
		lines.is_short = true;
		return;
	}
	float *p = lines.positions + end - 6, *c = lines.colors + end - 6;
	p[0] = a.x, p[1] = a.y, p[2] = a.z, p[3] = b.x, p[4] = b.y, p[5] = b.z;
	for (int k = 0; k < 6; ++k)
		c[k] = (float)(color >> (16 - 8 * (k % 3)) & 255u) / 255.0f;
	lines.count++;
}

// A point is a small cross.
static void add_point(void *user, rbl_vec3 at, float size_pixels, uint32_t color)
{
	float half = 0.004f * size_pixels;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3 way = { k == 0 ? half : 0.0f, k == 1 ? half : 0.0f, k == 2 ? half : 0.0f };
		add_line(user, rbl_sub(at, way), rbl_add(at, way), color);
	}
}

js_lines *js_world_lines(const rbl_world *world, uint32_t flags)
{
	rbl_draw draw = { .line = add_line, .point = add_point, .flags = flags };
	draw.box.lower = (rbl_vec3){ 1.0f, 1.0f, 1.0f };
	draw.box.upper = (rbl_vec3){ -1.0f, -1.0f, -1.0f };
	lines.count = 0, lines.is_short = false;
	return rbl_world_draw(world, &draw) == RBL_OK ? &lines : NULL;
}

// Bonds between parts, from green to red as they are worn; those of an anchored part begin in blue.
js_lines *js_bond_lines(const rbl_world *world)
{
	int count = rbl_world_body_count(world);
	rbl_body_id *bodies = malloc(((size_t)count + 1) * sizeof *bodies);
	lines.count = 0, lines.is_short = false;
	if (!bodies)
		return NULL;
	rbl_world_get_bodies(world, bodies, count);
	for (int i = 0; i < count; ++i) {
		const rbl_compound *compound = rbl_body_get_compound(world, bodies[i]);
		rbl_transform pose = rbl_body_pose(world, bodies[i]);
		int end = compound ? rbl_compound_get_info(compound).part_end : 0;
		for (int part = 0; part < end; ++part) {
			rbl_compound_bond bonds[64];
			rbl_compound_part of = rbl_compound_get_part(compound, part);
			if (!of.convex)
				continue;
			rbl_vec3d from = rbl_convex_get_mass(of.convex).centre;
			int bond_count = rbl_compound_get_bonds(compound, part, bonds, 64);
			for (int b = 0; b < bond_count && b < 64; ++b) {
				if (bonds[b].other < part)
					continue;
				rbl_vec3d to =
					rbl_convex_get_mass(rbl_compound_get_part(compound, bonds[b].other).convex)
						.centre;
				double worn = bonds[b].damage < 1.0 ? bonds[b].damage : 1.0;
				uint32_t red = (uint32_t)(255.0 * worn), green = 255u - red;
				uint32_t color = red << 16 | green << 8 | (of.is_anchored ? 255u : 64u);
				add_line(
					NULL,
					rbl_transform_point(pose,
				                        (rbl_vec3){ (float)from.x, (float)from.y, (float)from.z }),
					rbl_transform_point(pose, (rbl_vec3){ (float)to.x, (float)to.y, (float)to.z }),
					color);
			}
		}
	}
	free(bodies);
	return &lines;
}

// --- islands ------------------------------------------------------------------------------------

static int root_of(int *parents, int i)
{
	while (parents[i] != i)
		i = parents[i] = parents[parents[i]];
	return i;
}

// The island of each body index: dynamic bodies connected by contacts. Valid until the next call.
int *js_islands(const rbl_world *world, int body_end)
{
	static int *parents;
	static int capacity;
	int count = rbl_world_get_contacts(world, NULL, 0);
	rbl_contact *contacts = malloc((size_t)count * sizeof *contacts + 1);
	if (!contacts || !ARRAY_RESERVE(parents, capacity, body_end + 1)) {
		free(contacts);
		return NULL;
	}
	for (int i = 0; i < body_end; ++i)
		parents[i] = i;
	rbl_world_get_contacts(world, contacts, count);
	for (int i = 0; i < count; ++i) {
		rbl_body_id a = contacts[i].body_a, b = contacts[i].body_b;
		if ((int)a.index >= body_end || (int)b.index >= body_end ||
		    rbl_body_get_state(world, a).kind != RBL_BODY_DYNAMIC ||
		    rbl_body_get_state(world, b).kind != RBL_BODY_DYNAMIC)
			continue;
		int x = root_of(parents, (int)a.index), y = root_of(parents, (int)b.index);
		parents[x > y ? x : y] = x > y ? y : x;
	}
	for (int i = 0; i < body_end; ++i)
		parents[i] = root_of(parents, i);
	free(contacts);
	return parents;
}
