// SPDX-License-Identifier: MIT
//
// Wavefront OBJ with its material library. Positions are the shortest decimals that read back as
// the same doubles. Equal normals and texture coordinates are written once.

#include "io/io.h"

typedef struct obj_writer {
	rbl_io_output *output;
	rbl_mesh_data data;
	int *uv_indices, *normal_indices; // per corner; NULL without
	int *firsts;                      // the first corner of each different row
	rbl_vec3 *colors;                 // per vertex; NULL without
} obj_writer;

// A name without control characters; empty or duplicate names get a number, since readers identify
// materials by name.
static void put_material_name(rbl_io_output *output, const rbl_mesh_data *data, int index)
{
	const char *name = data->materials[index].name;
	bool is_usable = name[0] != 0 && name[0] != ' ' && name[strlen(name) - 1] != ' ';
	for (const char *c = name; *c; ++c)
		is_usable &= (unsigned char)*c >= 32 && *c != '\\';
	for (int m = 0; is_usable && m < index; ++m)
		is_usable = strcmp(data->materials[m].name, name) != 0;
	if (is_usable)
		rbl_io_put_text(output, name);
	else
		rbl_io_put_format(output, "material_%d", index);
}

// Blanks before each number.
static void put_obj_floats(rbl_io_output *output, const float *values, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_io_put(output, " ", 1);
		rbl_io_put_float(output, values[i]);
	}
}

rbl_result rbl_io_write_mtl(rbl_io_output *output, const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_io_put_text(output, "# Rubble\n");
	for (int m = 0; m < data.material_count; ++m) {
		const rbl_mesh_material *material = &data.materials[m];
		rbl_io_put_text(output, "newmtl ");
		put_material_name(output, &data, m);
		rbl_io_put_text(output, "\nKd");
		put_obj_floats(output, &material->base_color.x, 3);
		rbl_io_put_text(output, "\nd");
		put_obj_floats(output, &material->base_color.w, 1);
		rbl_io_put_text(output, "\nPm");
		put_obj_floats(output, &material->metallic, 1);
		rbl_io_put_text(output, "\nPr");
		put_obj_floats(output, &material->roughness, 1);
		rbl_io_put_text(output, "\n");
	}
	return RBL_OK;
}

static void put_vertices(obj_writer *writer)
{
	rbl_io_output *output = writer->output;
	for (int v = 0; v < writer->data.vertex_count; ++v) {
		rbl_vec3d p = writer->data.positions[v];
		rbl_io_put(output, "v ", 2);
		rbl_io_put_double(output, p.x);
		rbl_io_put(output, " ", 1);
		rbl_io_put_double(output, p.y);
		rbl_io_put(output, " ", 1);
		rbl_io_put_double(output, p.z);
		if (writer->colors)
			put_obj_floats(output, &writer->colors[v].x, 3);
		rbl_io_put(output, "\n", 1);
	}
}

// Number the different rows of a corner attribute and write each as a line.
static int *put_obj_attribute(obj_writer *writer, const char *word, const float *rows, int width)
{
	rbl_io_output *output = writer->output;
	int corner_count = writer->data.corner_count;
	int *indices = RBL_IO_NEW(&output->memory, int, corner_count);
	if (!indices)
		return NULL;
	int count = rbl_io_unique(&output->memory, rows, corner_count, (size_t)width * sizeof(float),
	                          indices, writer->firsts);
	for (int i = 0; i < count; ++i) {
		rbl_io_put_text(output, word);
		put_obj_floats(output, rows + (size_t)writer->firsts[i] * (size_t)width, width);
		rbl_io_put(output, "\n", 1);
	}
	return indices;
}

static void put_corner(obj_writer *writer, int corner)
{
	rbl_io_output *output = writer->output;
	rbl_io_put(output, " ", 1);
	rbl_io_put_int(output, writer->data.corner_vertices[corner] + 1);
	if (writer->uv_indices) {
		rbl_io_put(output, "/", 1);
		rbl_io_put_int(output, writer->uv_indices[corner] + 1);
	}
	if (writer->normal_indices) {
		rbl_io_put(output, "//", writer->uv_indices ? 1 : 2);
		rbl_io_put_int(output, writer->normal_indices[corner] + 1);
	}
}

static void put_faces(obj_writer *writer)
{
	const rbl_mesh_data *data = &writer->data;
	int material = -1;
	for (int f = 0; f < data->face_count; ++f) {
		int wanted = data->face_materials ? data->face_materials[f] : 0;
		if (data->material_count > 0 && wanted != material) {
			material = wanted;
			rbl_io_put_text(writer->output, "usemtl ");
			put_material_name(writer->output, data, material);
			rbl_io_put_text(writer->output, "\n");
		}
		rbl_io_put(writer->output, "f", 1);
		for (int c = data->face_starts[f]; c < data->face_starts[f + 1]; ++c)
			put_corner(writer, c);
		rbl_io_put(writer->output, "\n", 1);
	}
}

// Colours of vertices, where all corners of each agree.
static void gather_colors(obj_writer *writer)
{
	const rbl_mesh_data *data = &writer->data;
	rbl_io_memory *memory = &writer->output->memory;
	rbl_vec4 *colors = RBL_IO_NEW(memory, rbl_vec4, data->vertex_count);
	if (!colors)
		return;
	if (rbl_io_agree_per_vertex(data, data->corner_colors, sizeof *colors, colors)) {
		writer->colors = RBL_IO_NEW(memory, rbl_vec3, data->vertex_count);
		for (int v = 0; writer->colors && v < data->vertex_count; ++v)
			writer->colors[v] = (rbl_vec3){ colors[v].x, colors[v].y, colors[v].z };
	} else {
		rbl_io_warn("OBJ has colours of vertices only: those of corners are dropped");
	}
	RBL_IO_FREE(memory, colors, data->vertex_count);
}

rbl_result rbl_io_write_obj(rbl_io_output *output, const rbl_mesh *mesh, const char *library)
{
	obj_writer writer = { .output = output, .data = rbl_mesh_get_data(mesh) };
	const rbl_mesh_data *data = &writer.data;
	rbl_io_memory *memory = &output->memory;
	rbl_io_put_text(output, "# Rubble\n");
	if (library)
		rbl_io_put_format(output, "mtllib %s\n", library);
	writer.firsts = RBL_IO_NEW(memory, int, data->corner_count);
	if (writer.firsts && data->corner_colors)
		gather_colors(&writer);
	if (data->corner_uv1)
		rbl_io_warn("OBJ has one set of texture coordinates: the second is dropped");
	if (memory->failure == RBL_OK)
		put_vertices(&writer);
	if (memory->failure == RBL_OK && data->corner_uv0)
		writer.uv_indices = put_obj_attribute(&writer, "vt", &data->corner_uv0->x, 2);
	if (memory->failure == RBL_OK && data->corner_normals)
		writer.normal_indices = put_obj_attribute(&writer, "vn", &data->corner_normals->x, 3);
	if (memory->failure == RBL_OK)
		put_faces(&writer);
	RBL_IO_FREE(memory, writer.firsts, data->corner_count);
	RBL_IO_FREE(memory, writer.uv_indices, data->corner_count);
	RBL_IO_FREE(memory, writer.normal_indices, data->corner_count);
	RBL_IO_FREE(memory, writer.colors, data->vertex_count);
	return RBL_OK;
}
