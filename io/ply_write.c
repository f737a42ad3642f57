// SPDX-License-Identifier: MIT
//
// PLY, binary little-endian or ascii. Positions are doubles unless floats are asked for. Texture
// coordinates go with the faces as lists, which is how common programs keep them per corner.

#include "io/io.h"

#include <rubble/vec.h>

typedef struct ply_writer {
	rbl_io_output *output;
	rbl_mesh_data data;
	rbl_vec3 *normals; // per vertex; NULL without
	rbl_vec4 *colors;  // per vertex; NULL without
	bool is_text, is_single;
	bool has_small_lists; // no list needs more than a byte for its length
} ply_writer;

static void put_header(const ply_writer *writer)
{
	rbl_io_output *output = writer->output;
	const char *number = writer->is_single ? "float" : "double";
	const char *length = writer->has_small_lists ? "uchar" : "int";
	rbl_io_put_format(output, "ply\nformat %s 1.0\ncomment Rubble\nelement vertex %d\n",
	                  writer->is_text ? "ascii" : "binary_little_endian",
	                  writer->data.vertex_count);
	rbl_io_put_format(output, "property %s x\nproperty %s y\nproperty %s z\n", number, number,
	                  number);
	if (writer->normals)
		rbl_io_put_text(output, "property float nx\nproperty float ny\nproperty float nz\n");
	if (writer->colors)
		rbl_io_put_text(output, "property float red\nproperty float green\n"
		                        "property float blue\nproperty float alpha\n");
	rbl_io_put_format(output, "element face %d\nproperty list %s int vertex_indices\n",
	                  writer->data.face_count, length);
	if (writer->data.corner_uv0)
		rbl_io_put_format(output, "property list %s float texcoord\n", length);
	rbl_io_put_text(output, "end_header\n");
}

static void put_float(const ply_writer *writer, float value)
{
	if (writer->is_text) {
		rbl_io_put_float(writer->output, value);
		rbl_io_put(writer->output, " ", 1);
	} else {
		rbl_io_put_f32(writer->output, value);
	}
}

static void put_position(const ply_writer *writer, double value)
{
	value = writer->is_single ? (double)(float)value : value;
	if (writer->is_text) { // with enough digits for readers that parse doubles
		rbl_io_put_double(writer->output, value);
		rbl_io_put(writer->output, " ", 1);
	} else if (writer->is_single) {
		rbl_io_put_f32(writer->output, (float)value);
	} else {
		rbl_io_put_f64(writer->output, value);
	}
}

static void put_length(const ply_writer *writer, int length)
{
	if (writer->is_text) {
		rbl_io_put_int(writer->output, length);
		rbl_io_put(writer->output, " ", 1);
	} else if (writer->has_small_lists) {
		rbl_io_put(writer->output, &(unsigned char){ (unsigned char)length }, 1);
	} else {
		rbl_io_put_u32(writer->output, (uint32_t)length);
	}
}

static void put_ply_vertices(const ply_writer *writer)
{
	for (int v = 0; v < writer->data.vertex_count; ++v) {
		put_position(writer, writer->data.positions[v].x);
		put_position(writer, writer->data.positions[v].y);
		put_position(writer, writer->data.positions[v].z);
		for (int k = 0; writer->normals && k < 3; ++k)
			put_float(writer, rbl_axis(writer->normals[v], k));
		if (writer->colors) {
			rbl_vec4 color = writer->colors[v];
			put_float(writer, color.x);
			put_float(writer, color.y);
			put_float(writer, color.z);
			put_float(writer, color.w);
		}
		if (writer->is_text)
			rbl_io_put(writer->output, "\n", 1);
	}
}

static void put_ply_faces(const ply_writer *writer)
{
	const rbl_mesh_data *data = &writer->data;
	for (int f = 0; f < data->face_count; ++f) {
		int begin = data->face_starts[f], end = data->face_starts[f + 1];
		put_length(writer, end - begin);
		for (int c = begin; c < end; ++c) {
			if (writer->is_text) {
				rbl_io_put_int(writer->output, data->corner_vertices[c]);
				rbl_io_put(writer->output, " ", 1);
			} else {
				rbl_io_put_u32(writer->output, (uint32_t)data->corner_vertices[c]);
			}
		}
		if (data->corner_uv0) {
			put_length(writer, 2 * (end - begin));
			for (int c = begin; c < end; ++c) {
				put_float(writer, data->corner_uv0[c].x);
				put_float(writer, data->corner_uv0[c].y);
			}
		}
		if (writer->is_text)
			rbl_io_put(writer->output, "\n", 1);
	}
}

// The rows of an attribute by vertex, or NULL with a warning where corners differ.
static void *gather(ply_writer *writer, const void *corner_rows, size_t size, const char *what)
{
	if (!corner_rows)
		return NULL;
	void *rows = rbl_io_allocate(&writer->output->memory, (size_t)writer->data.vertex_count, size);
	if (rows && !rbl_io_agree_per_vertex(&writer->data, corner_rows, size, rows)) {
		rbl_io_warn("PLY has %s of vertices only: those of corners are dropped", what);
		rbl_io_release(&writer->output->memory, rows, (size_t)writer->data.vertex_count, size);
		rows = NULL;
	}
	return rows;
}

rbl_result rbl_io_write_ply(rbl_io_output *output, const rbl_mesh *mesh, const rbl_write_def *def)
{
	ply_writer writer = { .output = output, .data = rbl_mesh_get_data(mesh) };
	const rbl_mesh_data *data = &writer.data;
	writer.is_text = def->as_text;
	writer.is_single = def->single_precision;
	writer.has_small_lists = true;
	for (int f = 0; f < data->face_count; ++f)
		writer.has_small_lists &= 2 * (data->face_starts[f + 1] - data->face_starts[f]) < 256;
	if (def->single_precision) {
		rbl_result result = rbl_io_check_floats(data);
		if (result != RBL_OK)
			return result;
	}
	writer.normals = gather(&writer, data->corner_normals, sizeof *writer.normals, "normals");
	writer.colors = gather(&writer, data->corner_colors, sizeof *writer.colors, "colours");
	if (data->corner_uv1 || data->material_count > 0)
		rbl_io_warn("PLY has no materials and one set of texture coordinates: the rest is dropped");
	put_header(&writer);
	put_ply_vertices(&writer);
	put_ply_faces(&writer);
	RBL_IO_FREE(&output->memory, writer.normals, data->vertex_count);
	RBL_IO_FREE(&output->memory, writer.colors, data->vertex_count);
	return RBL_OK;
}
