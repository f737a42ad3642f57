// SPDX-License-Identifier: MIT
// Closed meshes, asset files, and compounds as meshes.

#include "asset_files.h"

#include "array.h"
#include "errors.h"
#include "files.h"
#include "options.h"
#include "progress.h"
#include "repair_report.h"

#include <rubble/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rbl_result repair_mesh(rbl_mesh **mesh)
{
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report report;
	rbl_mesh *repaired = NULL;
	progress line;
	progress_begin(&line, "repairing");
	rbl_result result = rbl_mesh_repair(*mesh, &def, &repaired, &report);
	progress_end(&line);
	if (result == RBL_OK)
		print_repair_line(&report);
	rbl_destroy_mesh(*mesh);
	*mesh = repaired;
	return result;
}

rbl_result read_closed_mesh(const char *name, bool is_repaired, rbl_mesh **mesh)
{
	rbl_result result = read_mesh(name, NULL, mesh);
	return result == RBL_OK && is_repaired ? repair_mesh(mesh) : result;
}

bool is_asset_file(const char *name)
{
	char start[32];
	return rbl_is_asset(start, read_head(name, start, sizeof start));
}

int read_asset(const char *name, rbl_asset **asset)
{
	*asset = NULL;
	rbl_file_bytes bytes;
	if (read_bytes(name, 0, &bytes) != STATUS_OK)
		return STATUS_FAILED;
	rbl_result result = rbl_asset_load(bytes.data, bytes.size, NULL, asset);
	rbl_free_bytes(&bytes);
	return result == RBL_OK ? STATUS_OK : fail_with(result, name);
}

int write_asset(const char *name, const rbl_asset *asset)
{
	size_t size = 0;
	rbl_asset_save(asset, NULL, &size);
	void *bytes = malloc(size);
	rbl_result result = bytes ? rbl_asset_save(asset, bytes, &size) : RBL_OUT_OF_MEMORY;
	int status = result == RBL_OK ? STATUS_OK : fail_with(result, name);
	FILE *file = status == STATUS_OK ? create_file(name) : NULL;
	if (file) {
		fwrite(bytes, 1, size, file);
		status = close_file(file, name);
	} else {
		status = STATUS_FAILED;
	}
	free(bytes);
	return status;
}

// --- volumes ------------------------------------------------------------------------------------

rbl_result mesh_volume(const rbl_mesh *mesh, double *volume)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	int *triangles = malloc((size_t)count * 3 * sizeof *triangles + 1);
	rbl_result result = triangles ? rbl_mesh_triangulate(mesh, triangles, NULL) : RBL_OUT_OF_MEMORY;
	rbl_boxd box = rbl_mesh_bounds(mesh);
	*volume = 0.0;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		double c[3][3]; // corners relative to box.lower
		for (int k = 0; k < 3; ++k) {
			rbl_vec3d p = d.positions[d.corner_vertices[triangles[3 * i + k]]];
			c[k][0] = p.x - box.lower.x, c[k][1] = p.y - box.lower.y, c[k][2] = p.z - box.lower.z;
		}
		*volume += (c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) +
		            c[0][1] * (c[1][2] * c[2][0] - c[1][0] * c[2][2]) +
		            c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0])) /
		           6.0;
	}
	free(triangles);
	return result;
}

rbl_result compound_volume(const rbl_compound *compound, double *volume, int *inside_out)
{
	int end = rbl_compound_get_info(compound).part_end;
	rbl_result result = RBL_OK;
	*volume = 0.0;
	*inside_out = 0;
	for (int i = 0; i < end && result == RBL_OK; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (!part.convex)
			continue;
		double own = 0.0;
		if (part.mesh)
			result = mesh_volume(part.mesh, &own);
		else
			own = rbl_convex_get_mass(part.convex).volume;
		*volume += own;
		*inside_out += !(own > 0.0);
	}
	return result;
}

// --- compounds as meshes ------------------------------------------------------------------------

typedef struct joiner {
	rbl_mesh_data sum; // counts only; the arrays:
	rbl_vec3d *positions;
	int *starts, *vertices, *materials;
	rbl_vec3 *normals;
	rbl_vec2 *uv0, *uv1; // uv1 and colors only if some part has them
	rbl_vec4 *colors;
	float *attributes;          // only if all parts have the same ones
	rbl_mesh_material *palette; // of all parts; equal materials are one
	int *numbers;               // in it, of each material of the mesh that is added
	int palette_capacity, number_capacity;
} joiner;

static rbl_vec3 face_normal(const rbl_mesh_data *d, int f)
{
	double n[3] = { 0.0, 0.0, 0.0 };
	int begin = d->face_starts[f], end = d->face_starts[f + 1];
	rbl_vec3d o = d->positions[d->corner_vertices[begin]];
	for (int k = begin + 1; k + 1 < end; ++k) {
		rbl_vec3d a = d->positions[d->corner_vertices[k]],
				  b = d->positions[d->corner_vertices[k + 1]];
		a.x -= o.x, a.y -= o.y, a.z -= o.z, b.x -= o.x, b.y -= o.y, b.z -= o.z;
		n[0] += a.y * b.z - a.z * b.y;
		n[1] += a.z * b.x - a.x * b.z;
		n[2] += a.x * b.y - a.y * b.x;
	}
	double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	length = length > 0.0 ? length : 1.0;
	return (rbl_vec3){ (float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length) };
}

static bool is_same_material(const rbl_mesh_material *a, const rbl_mesh_material *b)
{
	rbl_vec4 c = a->base_color, d = b->base_color;
	return strcmp(a->name, b->name) == 0 && c.x == d.x && c.y == d.y && c.z == d.z && c.w == d.w &&
	       a->metallic == b->metallic && a->roughness == b->roughness && a->source == b->source;
}

// Find the materials of a mesh in the palette, and add those that are new to it.
static bool add_materials(joiner *j, const rbl_mesh *mesh)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	rbl_mesh_data *s = &j->sum;
	if (!ARRAY_RESERVE(j->palette, j->palette_capacity, s->material_count + d.material_count) ||
	    !ARRAY_RESERVE(j->numbers, j->number_capacity, d.material_count))
		return false;
	for (int m = 0; m < d.material_count; ++m) {
		int at = 0;
		while (at < s->material_count && !is_same_material(&j->palette[at], &d.materials[m]))
			at++;
		if (at == s->material_count)
			j->palette[s->material_count++] = d.materials[m];
		j->numbers[m] = at;
	}
	return true;
}

const rbl_mesh_material *find_inner(const rbl_mesh_material *materials, int count)
{
	for (int m = 0; m < count; ++m)
		if (strcmp(materials[m].name, "inner") == 0)
			return &materials[m];
	return NULL;
}

static void add_mesh(joiner *j, const rbl_mesh *mesh)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	rbl_mesh_data *s = &j->sum;
	memcpy(j->positions + s->vertex_count, d.positions, (size_t)d.vertex_count * sizeof(rbl_vec3d));
	for (int f = 0; f < d.face_count; ++f) {
		rbl_vec3 normal = face_normal(&d, f);
		for (int k = d.face_starts[f]; k < d.face_starts[f + 1]; ++k, ++s->corner_count) {
			j->vertices[s->corner_count] = s->vertex_count + d.corner_vertices[k];
			j->normals[s->corner_count] = d.corner_normals ? d.corner_normals[k] : normal;
			j->uv0[s->corner_count] = d.corner_uv0 ? d.corner_uv0[k] : (rbl_vec2){ 0.0f, 0.0f };
			if (j->uv1)
				j->uv1[s->corner_count] = d.corner_uv1 ? d.corner_uv1[k] : j->uv0[s->corner_count];
			if (j->colors)
				j->colors[s->corner_count] =
					d.corner_colors ? d.corner_colors[k] : (rbl_vec4){ 1.0f, 1.0f, 1.0f, 1.0f };
			size_t width = (size_t)s->attribute_width;
			if (j->attributes)
				memcpy(j->attributes + (size_t)s->corner_count * width,
				       d.corner_attributes + (size_t)k * width, width * sizeof(float));
		}
		int material = d.face_materials ? d.face_materials[f] : 0;
		j->materials[s->face_count] = d.material_count > 0 ? j->numbers[material] : 0;
		j->starts[++s->face_count] = s->corner_count;
	}
	s->vertex_count += d.vertex_count;
}

// The further attributes that all meshes have.
static void find_attributes(joiner *j, rbl_mesh *const *meshes, int count)
{
	rbl_mesh_data *s = &j->sum;
	for (int i = 0; i < count; ++i) {
		rbl_mesh_data d = rbl_mesh_get_data(meshes[i]);
		if (i == 0) {
			s->attribute_count = d.attribute_count, s->attribute_width = d.attribute_width;
			s->attributes = d.attributes;
		} else if (d.attribute_count != s->attribute_count ||
		           (d.attribute_count > 0 &&
		            memcmp(d.attributes, s->attributes,
		                   (size_t)d.attribute_count * sizeof *d.attributes) != 0)) {
			s->attribute_count = s->attribute_width = 0;
			return;
		}
	}
}

static rbl_result join(joiner *j, rbl_mesh *const *meshes, int count, rbl_mesh **mesh)
{
	size_t vertices = 0, faces = 0, corners = 0;
	bool has_uv1 = false, has_colors = false;
	for (int i = 0; i < count; ++i) {
		rbl_mesh_data d = rbl_mesh_get_data(meshes[i]);
		has_uv1 |= d.corner_uv1 != NULL;
		has_colors |= d.corner_colors != NULL;
		vertices += (size_t)d.vertex_count, faces += (size_t)d.face_count;
		corners += (size_t)d.corner_count;
	}
	bool has_palette = true;
	find_attributes(j, meshes, count);
	size_t further = corners * (size_t)j->sum.attribute_width;
	j->attributes = further > 0 ? malloc(further * sizeof *j->attributes) : NULL;
	for (int i = 0; i < count && has_palette; ++i)
		has_palette = add_materials(j, meshes[i]);
	j->positions = malloc(vertices * sizeof *j->positions + 1);
	j->starts = calloc(faces + 1, sizeof *j->starts);
	j->vertices = malloc(corners * sizeof *j->vertices + 1);
	j->materials = malloc(faces * sizeof *j->materials + 1);
	j->normals = malloc(corners * sizeof *j->normals + 1);
	j->uv0 = malloc(corners * sizeof *j->uv0 + 1);
	j->uv1 = has_uv1 ? malloc(corners * sizeof *j->uv1 + 1) : NULL;
	j->colors = has_colors ? malloc(corners * sizeof *j->colors + 1) : NULL;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (has_palette && j->positions && j->starts && j->vertices && j->materials && j->normals &&
	    j->uv0 && (j->uv1 || !has_uv1) && (j->colors || !has_colors) &&
	    (j->attributes || further == 0)) {
		for (int i = 0; i < count; ++i) {
			add_materials(j, meshes[i]); // finds them all: takes no memory
			add_mesh(j, meshes[i]);
		}
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = j->sum;
		def.data.positions = j->positions;
		def.data.face_starts = j->starts;
		def.data.corner_vertices = j->vertices;
		def.data.corner_normals = j->normals;
		def.data.corner_uv0 = j->uv0;
		def.data.corner_uv1 = j->uv1;
		def.data.corner_colors = j->colors;
		def.data.corner_attributes = j->attributes;
		def.data.face_materials = j->materials;
		def.data.materials = j->palette;
		result = rbl_create_mesh(&def, mesh);
	}
	free(j->positions);
	free(j->starts);
	free(j->vertices);
	free(j->materials);
	free(j->normals);
	free(j->uv0);
	free(j->uv1);
	free(j->colors);
	free(j->attributes);
	free(j->palette);
	free(j->numbers);
	return result;
}

rbl_result join_meshes(rbl_mesh *const *meshes, int count, rbl_mesh **mesh)
{
	joiner j = { 0 };
	*mesh = NULL;
	return join(&j, meshes, count, mesh);
}

// The mesh of the first part that has one.
static const rbl_mesh *any_mesh(const rbl_compound *compound)
{
	for (int i = 0; i < rbl_compound_get_info(compound).part_end; ++i) {
		const rbl_mesh *mesh = rbl_compound_get_part(compound, i).mesh;
		if (mesh)
			return mesh;
	}
	return NULL;
}

rbl_result compound_mesh(const rbl_compound *compound, const rbl_mesh *like,
                         const rbl_inner_look *look, rbl_mesh **mesh)
{
	*mesh = NULL;
	rbl_compound_info info = rbl_compound_get_info(compound);
	const rbl_mesh *own = any_mesh(compound);
	bool is_plain = !own && !like; // made of convexes: all they have is outside
	rbl_mesh **meshes = calloc((size_t)info.part_end + 1, sizeof *meshes);
	rbl_result result = meshes ? RBL_OK : RBL_OUT_OF_MEMORY;
	int count = 0;
	for (int i = 0; i < info.part_end && result == RBL_OK; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (!part.convex)
			continue;
		result = is_plain ? rbl_convex_create_mesh(part.convex, NULL, &meshes[count])
		                  : rbl_compound_create_part_mesh(compound, i, look, own ? own : like, NULL,
		                                                  &meshes[count]);
		count += result == RBL_OK;
	}
	if (result == RBL_OK)
		result = join_meshes(meshes, count, mesh);
	for (int i = 0; i < count; ++i)
		rbl_destroy_mesh(meshes[i]);
	free(meshes);
	return result;
}
