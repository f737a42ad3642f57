// SPDX-License-Identifier: MIT
//
// What parts of bodies look like in the film of `rubble run`.
//
// A part looks as what it is made of, unless its mesh has materials of its own; cut faces have the
// inner color of that. Inside something transparent faces are left out that bonds cover: so a pane
// looks whole beyond the reach of a hit, and its cracks show where it is broken (Mueller et al.
// 2013, Figure 5).

#include "run.h"

#include "array.h"
#include "asset_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const scene_material *scene_material_of(const simulation *s, const rbl_material *material,
                                        const scene_object *of)
{
	for (int i = 0; i < s->scene.material_count && material; ++i)
		if (s->prefabs.materials[i] == material)
			return &s->scene.materials[i];
	return &s->scene.materials[of->material];
}

// Whether cut faces look as the scene says, also where the mesh has looks of its own.
static bool has_own_inside(const scene_material *material)
{
	return material->paints_inner || material->inner_source > 0;
}

rbl_mesh_material inner_look(const scene_object *of, const scene_material *material)
{
	bool has_color = !isnan(material->inner_color[0]);
	rbl_mesh_material look = mesh_material_of(material);
	if (of->has_inner && !of->has_scene_material && !has_own_inside(material))
		return of->inner;
	look.source = material->inner_source;
	if (!has_color && look.source == 0)
		return look;
	if (has_color) {
		look.base_color.x = (float)material->inner_color[0];
		look.base_color.y = (float)material->inner_color[1];
		look.base_color.z = (float)material->inner_color[2];
	}
	snprintf(look.name, sizeof look.name, "inner %.40s", material->name);
	return look;
}

// --- faces that cannot be seen ------------------------------------------------------------------

// Planes of a part's convex that bonds cover.
typedef struct covered {
	rbl_planed *planes;
	int count;
	double tolerance;
} covered;

static bool find_covered(const rbl_compound *compound, int part, covered *c)
{
	rbl_convex_data data = rbl_convex_get_data(rbl_compound_get_part(compound, part).convex);
	double *shares = malloc((size_t)data.face_count * sizeof *shares + 1);
	*c = (covered){ malloc((size_t)data.face_count * sizeof *c->planes + 1), 0, 0.0 };
	if (!shares || !c->planes || rbl_compound_get_face_shares(compound, part, shares) != RBL_OK) {
		free(shares);
		return false;
	}
	double size = 0.0;
	for (int v = 0; v < data.vertex_count; ++v)
		size = fmax(size, rbl_distance_d(data.vertices[v], data.vertices[0]));
	c->tolerance = 1e-4 * size;
	for (int f = 0; f < data.face_count; ++f)
		if (shares[f] > 0.999)
			c->planes[c->count++] = data.planes[f];
	free(shares);
	return true;
}

static bool is_covered(const covered *c, const rbl_mesh_data *data, int face)
{
	for (int i = 0; i < c->count; ++i) {
		bool is_on = true;
		for (int k = data->face_starts[face]; k < data->face_starts[face + 1] && is_on; ++k) {
			rbl_vec3d p = data->positions[data->corner_vertices[k]];
			is_on = fabs(rbl_dot_d(c->planes[i].normal, p) - c->planes[i].offset) <= c->tolerance;
		}
		if (is_on)
			return true;
	}
	return false;
}

uint64_t covered_hash(const rbl_compound *compound, int part)
{
	covered c;
	uint64_t hash = 0;
	if (find_covered(compound, part, &c))
		for (int i = 0; i < c.count; ++i) {
			unsigned char bytes[sizeof c.planes[i]];
			memcpy(bytes, &c.planes[i], sizeof bytes);
			for (size_t k = 0; k < sizeof bytes; ++k)
				hash = (hash ^ bytes[k]) * 1099511628211u;
		}
	free(c.planes);
	return hash;
}

// --- meshes -------------------------------------------------------------------------------------

// A copy of a mesh with these materials, and without faces whose material is -1.
static rbl_result create_kept(const rbl_mesh_data *from, const rbl_mesh_material *materials,
                              int material_count, const int *face_materials, rbl_mesh **mesh)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = *from;
	int *starts = malloc(((size_t)from->face_count + 1) * sizeof *starts);
	int *kept = malloc((size_t)from->face_count * sizeof *kept + 1);
	int *corners = malloc((size_t)from->corner_count * sizeof *corners + 1);
	int face_count = 0, corner_count = 0;
	bool is_whole = true;
	for (int f = 0; f < from->face_count && starts && kept && corners; ++f) {
		is_whole &= face_materials[f] >= 0;
		if (face_materials[f] < 0)
			continue;
		starts[face_count] = corner_count;
		kept[face_count++] = face_materials[f];
		for (int k = from->face_starts[f]; k < from->face_starts[f + 1]; ++k)
			corners[corner_count++] = k;
	}
	rbl_result result = starts && kept && corners ? RBL_OK : RBL_OUT_OF_MEMORY;
	def.data.materials = materials, def.data.material_count = material_count;
	def.data.face_materials = face_materials;
	int *vertices = NULL;
	rbl_vec3 *normals = NULL;
	rbl_vec2 *uv = NULL;
	if (result == RBL_OK && !is_whole) {
		starts[face_count] = corner_count;
		vertices = malloc((size_t)corner_count * sizeof *vertices + 1);
		normals = malloc((size_t)corner_count * sizeof *normals + 1);
		uv = malloc((size_t)corner_count * sizeof *uv + 1);
		result = vertices && normals && uv ? RBL_OK : RBL_OUT_OF_MEMORY;
		for (int k = 0; k < corner_count && result == RBL_OK; ++k) {
			vertices[k] = from->corner_vertices[corners[k]];
			if (from->corner_normals)
				normals[k] = from->corner_normals[corners[k]];
			if (from->corner_uv0)
				uv[k] = from->corner_uv0[corners[k]];
		}
		def.data.face_count = face_count, def.data.corner_count = corner_count;
		def.data.face_starts = starts, def.data.face_materials = kept;
		def.data.corner_vertices = vertices;
		def.data.corner_normals = from->corner_normals ? normals : NULL;
		def.data.corner_uv0 = from->corner_uv0 ? uv : NULL;
		def.data.corner_uv1 = NULL, def.data.corner_colors = NULL;
		def.data.corner_attributes = NULL;
		def.data.attribute_count = def.data.attribute_width = 0;
	}
	if (result == RBL_OK)
		result = rbl_create_mesh(&def, mesh);
	free(starts);
	free(kept);
	free(corners);
	free(vertices);
	free(normals);
	free(uv);
	return result;
}

static bool is_white(const rbl_mesh_material *look)
{
	return look->base_color.x >= 1.0f && look->base_color.y >= 1.0f && look->base_color.z >= 1.0f;
}

// Looks of the materials of a part's mesh, and one after them for parts without.
static void choose_looks(const scene_object *of, const scene_material *material,
                         const rbl_mesh_data *data, rbl_mesh_material *looks)
{
	const rbl_mesh_material outer = mesh_material_of(material);
	for (int i = 0; i < data->material_count; ++i) {
		bool is_inner = strcmp(data->materials[i].name, "inner") == 0;
		looks[i] = data->materials[i];
		if (is_inner && (of->has_scene_material || has_own_inside(material)))
			looks[i] = inner_look(of, material);
		else if (of->has_scene_material)
			looks[i] = outer;
		else if (is_inner && is_white(&looks[i]) && !isnan(material->inner_color[0])) {
			// Of something with a texture, which pictures lack.
			const double *color = material->inner_color;
			looks[i].base_color = (rbl_vec4){ (float)color[0], (float)color[1], (float)color[2],
				                              looks[i].base_color.w };
		}
	}
	looks[data->material_count] =
		of->has_inner && !of->has_scene_material ? inner_look(of, material) : outer;
}

// How cuts of a material lie, for parts that have no mesh.
static rbl_inner_look look_of_cuts(const simulation *s, const scene_material *material)
{
	rbl_inner_look look =
		rbl_material_get_def(s->prefabs.materials[material - s->scene.materials]).inner;
	look.material = -1;
	return look;
}

rbl_result drawn_part_mesh(const simulation *s, const scene_object *of,
                           const rbl_compound *compound, int index, rbl_mesh **mesh)
{
	rbl_compound_part part = rbl_compound_get_part(compound, index);
	const scene_material *material =
		scene_material_of(s, rbl_compound_get_material(compound, part.material), of);
	rbl_mesh *plain = NULL;
	rbl_inner_look cuts = look_of_cuts(s, material);
	const rbl_mesh *like = s->prefabs.prefabs[s->objects[of->root].prefab].mesh;
	rbl_result result = rbl_compound_create_part_mesh(compound, index, &cuts, like, NULL, &plain);
	rbl_mesh_data data = rbl_mesh_get_data(plain);
	if (!part.mesh)
		data.material_count = 0, data.face_materials = NULL;
	rbl_mesh_material *looks = malloc(((size_t)data.material_count + 1) * sizeof *looks);
	int *face_materials = malloc((size_t)data.face_count * sizeof *face_materials + 1);
	covered hidden = { NULL, 0, 0.0 };
	if (result == RBL_OK && (!looks || !face_materials))
		result = RBL_OUT_OF_MEMORY;
	bool is_clear = false;
	if (result == RBL_OK) {
		choose_looks(of, material, &data, looks);
		for (int i = 0; i <= data.material_count; ++i)
			is_clear |= looks[i].base_color.w < 1.0f;
	}
	if (result == RBL_OK && is_clear && !find_covered(compound, index, &hidden))
		result = RBL_OUT_OF_MEMORY;
	int kept_count = 0;
	for (int f = 0; f < data.face_count && result == RBL_OK; ++f) {
		int look = data.material_count == 0 ? 0 : data.face_materials ? data.face_materials[f] : 0;
		bool is_hidden = looks[look].base_color.w < 1.0f && is_covered(&hidden, &data, f);
		face_materials[f] = is_hidden ? -1 : look;
		kept_count += !is_hidden;
	}
	if (result == RBL_OK && kept_count > 0)
		result = create_kept(&data, looks, data.material_count + 1, face_materials, mesh);
	rbl_destroy_mesh(plain);
	free(hidden.planes);
	free(looks);
	free(face_materials);
	return result;
}

rbl_result drawn_mesh(const simulation *s, const scene_object *of, const rbl_compound *compound,
                      rbl_mesh **mesh)
{
	*mesh = NULL;
	int end = rbl_compound_get_info(compound).part_end, count = 0;
	rbl_mesh **meshes = calloc((size_t)end + 1, sizeof *meshes);
	rbl_result result = meshes ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < end && result == RBL_OK; ++i) {
		if (!rbl_compound_get_part(compound, i).convex)
			continue;
		result = drawn_part_mesh(s, of, compound, i, &meshes[count]);
		count += result == RBL_OK && meshes[count];
	}
	if (result == RBL_OK)
		result = join_meshes(meshes, count, mesh);
	for (int i = 0; i < count; ++i)
		rbl_destroy_mesh(meshes[i]);
	free(meshes);
	return result;
}
