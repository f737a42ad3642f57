// SPDX-License-Identifier: MIT
//
// STL, binary or ascii: triangles with their normals, nothing else.

#include "io/io.h"

#include <rubble/vec.h>

#include <math.h>

static rbl_vec3 normal_of(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	rbl_vec3d u = { b.x - a.x, b.y - a.y, b.z - a.z }, v = { c.x - a.x, c.y - a.y, c.z - a.z };
	rbl_vec3d n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
	double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
	if (!(length > 0.0) || length - length != 0.0)
		return (rbl_vec3){ 0 }; // readers take zero as "from the corners"
	return (rbl_vec3){ (float)(n.x / length), (float)(n.y / length), (float)(n.z / length) };
}

static void put_text_triangle(rbl_io_output *output, const rbl_vec3d *p)
{
	rbl_vec3 normal = normal_of(p[0], p[1], p[2]);
	rbl_io_put_text(output, "facet normal");
	for (int k = 0; k < 3; ++k) {
		rbl_io_put(output, " ", 1);
		rbl_io_put_float(output, rbl_axis(normal, k));
	}
	rbl_io_put_text(output, "\nouter loop\n");
	for (int i = 0; i < 3; ++i) {
		rbl_io_put_text(output, "vertex");
		for (int k = 0; k < 3; ++k) {
			rbl_io_put(output, " ", 1);
			rbl_io_put_double(output, rbl_axis_d(p[i], k));
		}
		rbl_io_put(output, "\n", 1);
	}
	rbl_io_put_text(output, "endloop\nendfacet\n");
}

static void put_binary_triangle(rbl_io_output *output, const rbl_vec3d *p)
{
	rbl_vec3 normal = normal_of(p[0], p[1], p[2]);
	for (int k = 0; k < 3; ++k)
		rbl_io_put_f32(output, rbl_axis(normal, k));
	for (int i = 0; i < 3; ++i) {
		for (int k = 0; k < 3; ++k)
			rbl_io_put_f32(output, (float)rbl_axis_d(p[i], k));
	}
	rbl_io_put_u16(output, 0);
}

rbl_result rbl_io_write_stl(rbl_io_output *output, const rbl_mesh *mesh, const rbl_write_def *def)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	if (!def->as_text) {
		rbl_result result = rbl_io_check_floats(&data);
		if (result != RBL_OK)
			return result;
	}
	int count = rbl_mesh_triangle_count(mesh);
	int *triangles = RBL_IO_NEW(&output->memory, int, (size_t)count * 3);
	if (!triangles)
		return RBL_OK; // the caller reports it
	rbl_result result = rbl_mesh_triangulate(mesh, triangles, NULL);
	if (def->as_text) {
		rbl_io_put_text(output, "solid rubble\n");
	} else {
		char header[80] = "Rubble, binary STL"; // must not begin with "solid"
		rbl_io_put(output, header, sizeof header);
		rbl_io_put_u32(output, (uint32_t)count);
	}
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = data.positions[data.corner_vertices[triangles[3 * i + k]]];
		if (def->as_text)
			put_text_triangle(output, p);
		else
			put_binary_triangle(output, p);
	}
	if (def->as_text)
		rbl_io_put_text(output, "endsolid rubble\n");
	RBL_IO_FREE(&output->memory, triangles, (size_t)count * 3);
	return result;
}
