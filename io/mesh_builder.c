// SPDX-License-Identifier: MIT
//
// The mesh builder: from what a reader collected to a mesh. Axes, handedness and units are
// converted, attributes per vertex expanded to corners, missing ones completed, and every index and
// number is checked, so that rbl_create_mesh() accepts the result.

#include "io/io.h"

#include <math.h>

static bool is_finite(double value)
{
	return value - value == 0.0;
}

bool rbl_io_begin_face(rbl_io_source *source)
{
	return rbl_io_push(&source->memory, &source->mesh.face_starts, source->mesh.corners.count);
}

rbl_mesh_material rbl_io_default_material(const char *name, size_t length)
{
	rbl_mesh_material material = { .base_color = { 1.0f, 1.0f, 1.0f, 1.0f }, .roughness = 1.0f };
	if (length > sizeof material.name - 1) {
		length = sizeof material.name - 1;
		while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
			--length; // not inside a character of several bytes
	}
	memcpy(material.name, name, length);
	return material;
}

void rbl_io_free_mesh_builder(rbl_io_source *source)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	rbl_io_memory *memory = &source->memory;
	rbl_io_free(memory, &mesh->positions);
	rbl_io_free(memory, &mesh->vertex_normals);
	rbl_io_free(memory, &mesh->corner_normals);
	rbl_io_free(memory, &mesh->vertex_uv0);
	rbl_io_free(memory, &mesh->corner_uv0);
	rbl_io_free(memory, &mesh->corner_uv1);
	rbl_io_free(memory, &mesh->vertex_colors);
	rbl_io_free(memory, &mesh->corner_colors);
	rbl_io_free(memory, &mesh->corner_attributes);
	mesh->attribute_count = mesh->attribute_width = 0;
	rbl_io_free(memory, &mesh->face_starts);
	rbl_io_free(memory, &mesh->corners);
	rbl_io_free(memory, &mesh->face_materials);
	rbl_io_free(memory, &mesh->materials);
	rbl_io_free(memory, &mesh->tets);
}

static int face_end(const rbl_io_mesh_builder *mesh, int f)
{
	return f + 1 < mesh->face_starts.count ? mesh->face_starts.data[f + 1] : mesh->corners.count;
}

static rbl_result check_indices(const rbl_io_source *source)
{
	const rbl_io_mesh_builder *mesh = &source->mesh;
	int vertex_count = mesh->positions.count;
	for (int f = 0; f < mesh->face_starts.count; ++f) {
		int begin = mesh->face_starts.data[f], end = face_end(mesh, f);
		if (end - begin < 3)
			return rbl_io_fail(RBL_BAD_FILE, "%s: face %d has %d corners", source->name, f,
			                   end - begin);
		for (int c = begin; c < end; ++c) {
			if ((unsigned)mesh->corners.data[c] >= (unsigned)vertex_count)
				return rbl_io_fail(RBL_BAD_FILE, "%s: face %d names vertex %d of %d", source->name,
				                   f, mesh->corners.data[c], vertex_count);
		}
	}
	for (int i = 0; i < mesh->tets.count; ++i) {
		if ((unsigned)mesh->tets.data[i] >= (unsigned)vertex_count)
			return rbl_io_fail(RBL_BAD_FILE, "%s: tetrahedron %d names vertex %d of %d",
			                   source->name, i / 4, mesh->tets.data[i], vertex_count);
	}
	return RBL_OK;
}

// --- axes ------------------------------------------------------------------------------------

// A rotation by 90 degrees, then the mirror.
static rbl_vec3d convert_axes(const rbl_read_def *def, rbl_vec3d p)
{
	if (def->up == RBL_AXIS_X)
		p = (rbl_vec3d){ -p.y, p.x, p.z };
	else if (def->up == RBL_AXIS_Z)
		p = (rbl_vec3d){ p.x, p.z, -p.y };
	if (def->is_left_handed)
		p.z = -p.z;
	return p;
}

static rbl_vec3 convert_axes_float(const rbl_read_def *def, rbl_vec3 v)
{
	rbl_vec3d p = convert_axes(def, (rbl_vec3d){ (double)v.x, (double)v.y, (double)v.z });
	return (rbl_vec3){ (float)p.x, (float)p.y, (float)p.z };
}

static rbl_result convert_positions(rbl_io_source *source)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	double scale = source->def->scale;
	for (int v = 0; v < mesh->positions.count; ++v) {
		rbl_vec3d p = convert_axes(source->def, mesh->positions.data[v]);
		if (scale != 1.0)
			p = (rbl_vec3d){ p.x * scale, p.y * scale, p.z * scale };
		if (!(fabs(p.x) <= RBL_MAX_COORDINATE && fabs(p.y) <= RBL_MAX_COORDINATE &&
		      fabs(p.z) <= RBL_MAX_COORDINATE))
			return rbl_io_fail(RBL_BAD_FILE, "%s: vertex %d is at (%g, %g, %g), beyond %g",
			                   source->name, v, p.x, p.y, p.z, RBL_MAX_COORDINATE);
		mesh->positions.data[v] = p;
	}
	return RBL_OK;
}

#define SWAP(type, a, b) \
	do {                 \
		type kept = a;   \
		a = b;           \
		b = kept;        \
	} while (0)

// Reverse the winding of all faces; the first corner stays first.
static void flip_faces(rbl_io_mesh_builder *mesh)
{
	for (int f = 0; f < mesh->face_starts.count; ++f) {
		for (int a = mesh->face_starts.data[f] + 1, b = face_end(mesh, f) - 1; a < b; ++a, --b) {
			SWAP(int, mesh->corners.data[a], mesh->corners.data[b]);
			if (mesh->corner_normals.count)
				SWAP(rbl_vec3, mesh->corner_normals.data[a], mesh->corner_normals.data[b]);
			if (mesh->corner_uv0.count)
				SWAP(rbl_vec2, mesh->corner_uv0.data[a], mesh->corner_uv0.data[b]);
			if (mesh->corner_uv1.count)
				SWAP(rbl_vec2, mesh->corner_uv1.data[a], mesh->corner_uv1.data[b]);
			if (mesh->corner_colors.count)
				SWAP(rbl_vec4, mesh->corner_colors.data[a], mesh->corner_colors.data[b]);
			int width = mesh->attribute_width;
			for (int k = 0; k < width; ++k)
				SWAP(float, mesh->corner_attributes.data[(size_t)a * (size_t)width + (size_t)k],
				     mesh->corner_attributes.data[(size_t)b * (size_t)width + (size_t)k]);
		}
	}
}

// --- attributes ------------------------------------------------------------------------------

// Expand attributes of vertices to their corners.
static bool expand_to_corners(rbl_io_source *source)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	rbl_io_memory *memory = &source->memory;
	int count = mesh->corners.count;
	bool has_normals = mesh->vertex_normals.count == mesh->positions.count && count > 0;
	bool has_uv0 = mesh->vertex_uv0.count == mesh->positions.count && count > 0;
	bool has_colors = mesh->vertex_colors.count == mesh->positions.count && count > 0;
	if ((has_normals && !rbl_io_reserve(memory, &mesh->corner_normals, count)) ||
	    (has_uv0 && !rbl_io_reserve(memory, &mesh->corner_uv0, count)) ||
	    (has_colors && !rbl_io_reserve(memory, &mesh->corner_colors, count)))
		return false;
	for (int c = 0; c < count && has_normals; ++c)
		mesh->corner_normals.data[c] = mesh->vertex_normals.data[mesh->corners.data[c]];
	for (int c = 0; c < count && has_uv0; ++c)
		mesh->corner_uv0.data[c] = mesh->vertex_uv0.data[mesh->corners.data[c]];
	for (int c = 0; c < count && has_colors; ++c)
		mesh->corner_colors.data[c] = mesh->vertex_colors.data[mesh->corners.data[c]];
	mesh->corner_normals.count = has_normals ? count : mesh->corner_normals.count;
	mesh->corner_uv0.count = has_uv0 ? count : mesh->corner_uv0.count;
	mesh->corner_colors.count = has_colors ? count : mesh->corner_colors.count;
	return true;
}

// The normal of a polygon's area vector; up where it is zero.
static rbl_vec3 face_normal(const rbl_io_mesh_builder *mesh, int begin, int end)
{
	rbl_vec3d sum = { 0 };
	rbl_vec3d origin = mesh->positions.data[mesh->corners.data[begin]];
	for (int c = begin + 1; c + 1 < end; ++c) {
		rbl_vec3d a = mesh->positions.data[mesh->corners.data[c]];
		rbl_vec3d b = mesh->positions.data[mesh->corners.data[c + 1]];
		a = (rbl_vec3d){ a.x - origin.x, a.y - origin.y, a.z - origin.z };
		b = (rbl_vec3d){ b.x - origin.x, b.y - origin.y, b.z - origin.z };
		sum.x += a.y * b.z - a.z * b.y;
		sum.y += a.z * b.x - a.x * b.z;
		sum.z += a.x * b.y - a.y * b.x;
	}
	double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
	if (!(length > 0.0) || !is_finite(length))
		return (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	return (rbl_vec3){ (float)(sum.x / length), (float)(sum.y / length), (float)(sum.z / length) };
}

// Normalize, except where that would only add rounding. Zero normals become that of the face.
static void convert_normals(rbl_io_source *source)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	for (int f = 0; f < mesh->face_starts.count; ++f) {
		int begin = mesh->face_starts.data[f], end = face_end(mesh, f);
		for (int c = begin; c < end; ++c) {
			rbl_vec3 n = convert_axes_float(source->def, mesh->corner_normals.data[c]);
			double x = (double)n.x, y = (double)n.y, z = (double)n.z;
			double square = x * x + y * y + z * z;
			if (!(square > 0.0) || !is_finite(square)) {
				n = face_normal(mesh, begin, end);
			} else if (fabs(square - 1.0) > 1e-5) {
				double length = sqrt(square);
				n = (rbl_vec3){ (float)(x / length), (float)(y / length), (float)(z / length) };
			}
			mesh->corner_normals.data[c] = n;
		}
	}
}

// Zero for coordinates and white for colours that are not finite.
static void replace_non_finite(float *values, int64_t count, float replacement)
{
	for (int64_t i = 0; i < count; ++i) {
		if (!is_finite((double)values[i]))
			values[i] = replacement;
	}
}

// Tangents are directions: axes are converted, and the bitangent is mirrored with the mesh.
static void convert_tangents(rbl_io_source *source)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	int offset = 0, width = mesh->attribute_width;
	for (int i = 0; i < mesh->attribute_count; offset += mesh->attributes[i++].width) {
		if (strcmp(mesh->attributes[i].name, "TANGENT") != 0)
			continue;
		for (int c = 0; c < mesh->corners.count; ++c) {
			float *at = mesh->corner_attributes.data + (size_t)c * (size_t)width + offset;
			rbl_vec3 v = convert_axes_float(source->def, (rbl_vec3){ at[0], at[1], at[2] });
			at[0] = v.x, at[1] = v.y, at[2] = v.z;
			at[3] = source->def->is_left_handed ? -at[3] : at[3];
		}
	}
}

static void convert_attributes(rbl_io_source *source)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	if (source->def->is_left_handed)
		flip_faces(mesh);
	if (mesh->corner_normals.count)
		convert_normals(source);
	replace_non_finite((float *)mesh->corner_uv0.data, 2 * (int64_t)mesh->corner_uv0.count, 0.0f);
	replace_non_finite((float *)mesh->corner_uv1.data, 2 * (int64_t)mesh->corner_uv1.count, 0.0f);
	replace_non_finite((float *)mesh->corner_colors.data, 4 * (int64_t)mesh->corner_colors.count,
	                   1.0f);
	replace_non_finite(mesh->corner_attributes.data, mesh->corner_attributes.count, 0.0f);
	convert_tangents(source);
	for (int m = 0; m < mesh->materials.count; ++m) {
		replace_non_finite(&mesh->materials.data[m].base_color.x, 4, 1.0f);
		replace_non_finite(&mesh->materials.data[m].metallic, 1, 0.0f);
		replace_non_finite(&mesh->materials.data[m].roughness, 1, 1.0f);
	}
}

rbl_result rbl_io_finish_mesh(rbl_io_source *source, rbl_mesh **made)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	rbl_result result = check_indices(source);
	if (result == RBL_OK)
		result = convert_positions(source);
	if (result != RBL_OK)
		return result;
	int face_count = mesh->face_starts.count;
	if (!expand_to_corners(source) || !rbl_io_begin_face(source)) // the end of the last face
		return rbl_io_out_of_memory(source);
	mesh->face_starts.count--;
	convert_attributes(source);

	rbl_mesh_def def = rbl_default_mesh_def();
	def.allocator = source->def->allocator;
	def.data = (rbl_mesh_data){
		.vertex_count = mesh->positions.count,
		.positions = mesh->positions.data,
		.face_count = face_count,
		.corner_count = mesh->corners.count,
		.face_starts = mesh->face_starts.data,
		.corner_vertices = mesh->corners.data,
		.corner_normals = mesh->corner_normals.count ? mesh->corner_normals.data : NULL,
		.corner_uv0 = mesh->corner_uv0.count ? mesh->corner_uv0.data : NULL,
		.corner_uv1 = mesh->corner_uv1.count ? mesh->corner_uv1.data : NULL,
		.corner_colors = mesh->corner_colors.count ? mesh->corner_colors.data : NULL,
		.attribute_count = mesh->corners.count ? mesh->attribute_count : 0,
		.attributes = mesh->attributes,
		.attribute_width = mesh->corners.count ? mesh->attribute_width : 0,
		.corner_attributes = mesh->corner_attributes.data,
		.face_materials = mesh->face_materials.count ? mesh->face_materials.data : NULL,
		.material_count = mesh->materials.count,
		.materials = mesh->materials.count ? mesh->materials.data : NULL,
	};
	return rbl_create_mesh(&def, made);
}

rbl_result rbl_io_finish_tets(rbl_io_source *source, rbl_tet_arrays *tets)
{
	rbl_result result = check_indices(source);
	if (result == RBL_OK)
		result = convert_positions(source);
	if (result != RBL_OK)
		return result;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int vertex_count = mesh->positions.count, tet_count = mesh->tets.count / 4;
	rbl_vec3d *positions = RBL_IO_NEW(&source->memory, rbl_vec3d, vertex_count);
	int *tet_vertices = RBL_IO_NEW(&source->memory, int, mesh->tets.count);
	if (!positions || !tet_vertices) {
		RBL_IO_FREE(&source->memory, positions, vertex_count);
		RBL_IO_FREE(&source->memory, tet_vertices, mesh->tets.count);
		return rbl_io_out_of_memory(source);
	}
	if (vertex_count > 0)
		memcpy(positions, mesh->positions.data, (size_t)vertex_count * sizeof *positions);
	for (int i = 0; i < mesh->tets.count; ++i) {
		// A mirror inverts a tetrahedron; swapping two vertices restores it.
		int from = source->def->is_left_handed && i % 4 < 2 ? i ^ 1 : i;
		tet_vertices[i] = mesh->tets.data[from];
	}
	*tets = (rbl_tet_arrays){ vertex_count, positions, tet_count, tet_vertices,
		                      source->memory.allocator };
	return RBL_OK;
}
