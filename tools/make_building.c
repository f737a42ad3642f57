// SPDX-License-Identifier: MIT
//
// A building as an artist would export it: named nodes below a group per storey, meshes that many
// nodes share, five materials with textures. Every part is a closed box and rests on what is below,
// so that a scene can break it: slabs on columns, and between columns a parapet, a window pane and a
// lintel.

#include "make_building.h"

#include "files.h"

#include <rubble/picture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STOREYS = 5,
	BAYS_X = 5, // along the front
	BAYS_Z = 3, // along a side
	COLUMNS = 8,
	SLABS = 4,
	PARTS = SLABS + COLUMNS + 3 * 2 * (BAYS_X + BAYS_Z), // of a storey
	NODES = 1 + STOREYS + STOREYS * PARTS,
	TEXTURE_SIZE = 64,
};
_Static_assert(STOREYS *PARTS == 300, "as the documentation says");

static const double bay = 2.0, storey = 3.0, slab_height = 0.3, wall = 0.2;

typedef enum material_kind { BRICK, CONCRETE, WOOD, GLASS, PLASTER, MATERIALS } material_kind;

// Sizes of boxes: every mesh is one of these, for a side along x or z, of one material.
typedef enum mesh_kind {
	MESH_SLAB,
	MESH_COLUMN,
	MESH_BRICK_X,
	MESH_BRICK_Z,
	MESH_PLASTER_X,
	MESH_PLASTER_Z,
	MESH_GLASS_X,
	MESH_GLASS_Z,
	MESH_LINTEL_X,
	MESH_LINTEL_Z,
	MESHES
} mesh_kind;

typedef struct building {
	rbl_mesh *meshes[MESHES];
	rbl_scene_node nodes[NODES];
	char names[NODES][40];
	int node_count;
	rbl_file_bytes images[MATERIALS];
} building;

static const char *const material_names[MATERIALS] = { "brick", "concrete", "wood", "glass",
	                                                   "plaster" };
static const char *const mesh_names[MESHES] = { "slab",      "column",    "brick x", "brick z",
	                                            "plaster x", "plaster z", "pane x",  "pane z",
	                                            "lintel x",  "lintel z" };

// --- textures -----------------------------------------------------------------------------------

static int noise(uint64_t *state, int range)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (int)((*state >> 40) % (uint64_t)range);
}

static void paint(unsigned char *pixel, int r, int g, int b, int change)
{
	int values[3] = { r + change, g + change, b + change };
	for (int k = 0; k < 3; ++k)
		pixel[k] = (unsigned char)(values[k] < 0 ? 0 : values[k] > 255 ? 255 : values[k]);
}

// A texture covers a metre.
static void paint_texture(material_kind kind, uint64_t seed, unsigned char *pixels)
{
	uint64_t state = seed * 77 + (uint64_t)kind;
	for (int y = 0; y < TEXTURE_SIZE; ++y)
		for (int x = 0; x < TEXTURE_SIZE; ++x) {
			unsigned char *p = pixels + 3 * (y * TEXTURE_SIZE + x);
			int grain = noise(&state, 17) - 8, row = y / 8, shift = row % 2 ? 8 : 0;
			bool is_joint = y % 8 == 0 || (x + shift) % 16 == 0;
			int stripe = (x * 3 + (y / 16) * 5) % 16 < 3 ? -25 : 0;
			if (kind == BRICK && is_joint)
				paint(p, 190, 185, 175, grain);
			else if (kind == BRICK)
				paint(p, 150 + 9 * ((row + (x + shift) / 16) % 3), 70, 55, grain);
			else if (kind == CONCRETE)
				paint(p, 150, 150, 145, 2 * grain);
			else if (kind == WOOD)
				paint(p, 140, 95, 55, grain + stripe);
			else if (kind == GLASS)
				paint(p, 170, 205, 215, grain / 4);
			else
				paint(p, 225, 215, 190, grain);
		}
}

static rbl_result make_images(building *b, uint64_t seed)
{
	unsigned char pixels[3 * TEXTURE_SIZE * TEXTURE_SIZE];
	rbl_result result = RBL_OK;
	for (int i = 0; i < MATERIALS && result == RBL_OK; ++i) {
		paint_texture((material_kind)i, seed, pixels);
		result = rbl_write_pixels_memory(pixels, TEXTURE_SIZE, TEXTURE_SIZE, NULL, &b->images[i]);
	}
	return result;
}

// --- meshes -------------------------------------------------------------------------------------

static rbl_result make_box(double x, double y, double z, material_kind kind, rbl_mesh **mesh)
{
	static const int faces[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
		                             { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
	static const int axes[6][2] = { { 0, 1 }, { 0, 1 }, { 0, 2 }, { 0, 2 }, { 2, 1 }, { 2, 1 } };
	const double half[3] = { 0.5 * x, 0.5 * y, 0.5 * z };
	rbl_vec3d positions[8];
	double p[8][3];
	int corners[24];
	rbl_vec2 uv[24];
	rbl_vec3 normals[24];
	for (int v = 0; v < 8; ++v) {
		for (int k = 0; k < 3; ++k)
			p[v][k] = v >> k & 1 ? half[k] : -half[k];
		positions[v] = (rbl_vec3d){ p[v][0], p[v][1], p[v][2] };
	}
	for (int c = 0; c < 24; ++c) {
		int face = c / 4, v = corners[c] = faces[face][c % 4];
		float side = face % 2 ? 1.0f : -1.0f;
		normals[c] = (rbl_vec3){ face / 2 == 2 ? side : 0.0f, face / 2 == 1 ? side : 0.0f,
			                     face / 2 == 0 ? side : 0.0f };
		uv[c] = (rbl_vec2){ (float)(p[v][axes[face][0]] + half[axes[face][0]]),
			                (float)(half[axes[face][1]] - p[v][axes[face][1]]) };
	}
	const int starts[7] = { 0, 4, 8, 12, 16, 20, 24 };
	rbl_mesh_material material = { .base_color = { 1.0f, 1.0f, 1.0f, 1.0f }, .roughness = 0.9f };
	snprintf(material.name, sizeof material.name, "%s", material_names[kind]);
	material.source = (int)kind + 1;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = 8,
		                        .positions = positions,
		                        .face_count = 6,
		                        .corner_count = 24,
		                        .face_starts = starts,
		                        .corner_vertices = corners,
		                        .corner_normals = normals,
		                        .corner_uv0 = uv,
		                        .material_count = 1,
		                        .materials = &material };
	return rbl_create_mesh(&def, mesh);
}

static rbl_result make_meshes(building *b)
{
	const double clear = bay - wall, parapet = 1.0, pane = 1.4, lintel = 0.28;
	const struct {
		double x, y, z;
		material_kind material;
	} sizes[MESHES] = {
		[MESH_SLAB] = { 0.5 * BAYS_X * bay + 0.5 * wall, slab_height,
		                0.5 * BAYS_Z * bay + 0.5 * wall, CONCRETE },
		[MESH_COLUMN] = { wall, storey - slab_height, wall, CONCRETE },
		[MESH_BRICK_X] = { clear, parapet, wall, BRICK },
		[MESH_BRICK_Z] = { wall, parapet, clear, BRICK },
		[MESH_PLASTER_X] = { clear, parapet, wall, PLASTER },
		[MESH_PLASTER_Z] = { wall, parapet, clear, PLASTER },
		[MESH_GLASS_X] = { clear, pane, 0.06, GLASS },
		[MESH_GLASS_Z] = { 0.06, pane, clear, GLASS },
		[MESH_LINTEL_X] = { clear, lintel, wall, WOOD },
		[MESH_LINTEL_Z] = { wall, lintel, clear, WOOD },
	};
	rbl_result result = RBL_OK;
	for (int i = 0; i < MESHES && result == RBL_OK; ++i)
		result = make_box(sizes[i].x, sizes[i].y, sizes[i].z, sizes[i].material, &b->meshes[i]);
	return result;
}

// --- nodes --------------------------------------------------------------------------------------

static int add_node(building *b, int parent, int mesh, double x, double y, double z,
                    const char *format, int number)
{
	int index = b->node_count++;
	b->nodes[index] = rbl_default_scene_node();
	b->nodes[index].parent = parent, b->nodes[index].mesh = mesh;
	b->nodes[index].translation = (rbl_vec3){ (float)x, (float)y, (float)z };
	if (number >= 0)
		snprintf(b->names[index], sizeof b->names[index], "%s.%03d", format, number);
	else
		snprintf(b->names[index], sizeof b->names[index], "%s", format);
	b->nodes[index].name = b->names[index];
	return index;
}

// A parapet, a pane and a lintel on top of each other.
static void add_bay(building *b, int group, bool is_along_x, double x, double z, int number)
{
	bool is_brick = number % 3 != 2;
	int side = is_along_x ? 0 : 1;
	add_node(b, group, (is_brick ? MESH_BRICK_X : MESH_PLASTER_X) + side, x, 0.5, z,
	         is_brick ? "Brick" : "Plaster", number);
	add_node(b, group, MESH_GLASS_X + side, x, 1.7, z, "Pane", number);
	add_node(b, group, MESH_LINTEL_X + side, x, 2.54, z, "Lintel", number);
}

static void add_storey(building *b, int root, int floor)
{
	const double width = BAYS_X * bay, depth = BAYS_Z * bay, columns = storey - slab_height;
	int group = add_node(b, root, -1, 0.0, floor * storey, 0.0, "Storey", floor + 1);
	int number = floor * 2 * (BAYS_X + BAYS_Z);
	for (int i = 0; i < BAYS_X; ++i)
		for (int side = -1; side <= 1; side += 2)
			add_bay(b, group, true, (i + 0.5) * bay - 0.5 * width, side * 0.5 * depth, number++);
	for (int i = 0; i < BAYS_Z; ++i)
		for (int side = -1; side <= 1; side += 2)
			add_bay(b, group, false, side * 0.5 * width, (i + 0.5) * bay - 0.5 * depth, number++);
	static const double places[COLUMNS][2] = { { -1, -1 },   { 1, -1 },   { -1, 1 },   { 1, 1 },
		                                       { -0.2, -1 }, { 0.2, -1 }, { -0.2, 1 }, { 0.2, 1 } };
	for (int i = 0; i < COLUMNS; ++i)
		add_node(b, group, MESH_COLUMN, places[i][0] * 0.5 * width, 0.5 * columns,
		         places[i][1] * 0.5 * depth, "Column", floor * COLUMNS + i);
	for (int i = 0; i < SLABS; ++i)
		add_node(b, group, MESH_SLAB, (i % 2 - 0.5) * (0.5 * width + 0.5 * wall),
		         columns + 0.5 * slab_height, (i / 2 - 0.5) * (0.5 * depth + 0.5 * wall), "Slab",
		         floor * SLABS + i);
}

// --- the file -----------------------------------------------------------------------------------

static rbl_result write_file(const building *b, const char *path)
{
	rbl_scene_material materials[MATERIALS];
	rbl_scene_texture textures[MATERIALS];
	rbl_scene_image images[MATERIALS];
	rbl_scene_label labels[MESHES];
	const rbl_scene_sampler sampler = { .name = "repeat", .wrap_s = 10497, .wrap_t = 10497 };
	for (int i = 0; i < MATERIALS; ++i) {
		materials[i] = rbl_default_scene_material();
		materials[i].name = material_names[i];
		materials[i].metallic = 0.0f, materials[i].roughness = i == GLASS ? 0.1f : 0.9f;
		materials[i].base_color_texture.texture = i + 1;
		if (i == GLASS)
			materials[i].alpha_mode = RBL_ALPHA_BLEND, materials[i].base_color.w = 0.5f;
		textures[i] =
			(rbl_scene_texture){ .name = material_names[i], .image = i + 1, .sampler = 1 };
		images[i] = (rbl_scene_image){ .name = material_names[i],
			                           .mime_type = "image/png",
			                           .bytes = b->images[i].data,
			                           .size = b->images[i].size };
	}
	for (int i = 0; i < MESHES; ++i)
		labels[i] = (rbl_scene_label){ .name = mesh_names[i] };
	rbl_scene scene = { .mesh_count = MESHES,
		                .meshes = (const rbl_mesh *const *)b->meshes,
		                .mesh_labels = labels,
		                .node_count = b->node_count,
		                .nodes = b->nodes,
		                .material_count = MATERIALS,
		                .materials = materials,
		                .texture_count = MATERIALS,
		                .textures = textures,
		                .sampler_count = 1,
		                .samplers = &sampler,
		                .image_count = MATERIALS,
		                .images = images,
		                .name = "Building" };
	return write_scene_file(path, &scene, false);
}

rbl_result write_building(const char *path, uint64_t seed, building_size *size)
{
	*size = (building_size){ 0, 0 };
	building *b = calloc(1, sizeof *b);
	if (!b)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = make_images(b, seed);
	if (result == RBL_OK)
		result = make_meshes(b);
	int root = add_node(b, -1, -1, 0.0, 0.0, 0.0, "Building", -1);
	for (int i = 0; i < STOREYS; ++i)
		add_storey(b, root, i);
	for (int i = 0; i < b->node_count && result == RBL_OK; ++i) {
		if (b->nodes[i].mesh < 0)
			continue;
		rbl_mesh_data data = rbl_mesh_get_data(b->meshes[b->nodes[i].mesh]);
		size->vertex_count += data.vertex_count, size->face_count += data.face_count;
	}
	if (result == RBL_OK)
		result = write_file(b, path);
	for (int i = 0; i < MESHES; ++i)
		rbl_destroy_mesh(b->meshes[i]);
	for (int i = 0; i < MATERIALS; ++i)
		rbl_free_bytes(&b->images[i]);
	free(b);
	return result;
}
