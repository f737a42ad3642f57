// SPDX-License-Identifier: MIT
// Mesh files for the suite `tree`.

#include "tree_shapes.h"

#ifdef RBL_HAS_IO

#include <rubble/io.h>
#include <rubble/mesh.h>

#include <string.h>

tree_shape tree_shape_read(const char *path)
{
	tree_shape shape = { 0 };
	rbl_read_def def = rbl_default_read_def();
	rbl_mesh *mesh;
	if (rbl_read_mesh(path, &def, &mesh) != RBL_OK)
		return shape;
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	shape.vertex_count = data.vertex_count;
	shape.triangle_count = rbl_mesh_triangle_count(mesh);
	shape.positions = tree_memory((size_t)shape.vertex_count, sizeof(rbl_vec3d));
	shape.triangles = tree_memory(3 * (size_t)shape.triangle_count, sizeof(int));
	memcpy(shape.positions, data.positions, (size_t)shape.vertex_count * sizeof(rbl_vec3d));
	if (rbl_mesh_triangulate(mesh, shape.triangles, NULL) != RBL_OK)
		shape.triangle_count = 0;
	for (int i = 0; i < 3 * shape.triangle_count; ++i)
		shape.triangles[i] = data.corner_vertices[shape.triangles[i]];
	rbl_destroy_mesh(mesh);
	return shape;
}

#else

tree_shape tree_shape_read(const char *path)
{
	(void)path;
	return (tree_shape){ 0 };
}

#endif
