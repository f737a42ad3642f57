// SPDX-License-Identifier: MIT
// Meshes inside the library: unchecked construction, triangulation of faces, polygon normals.
#pragma once

#include "base/memory.h"

#include <rubble/mesh.h>

/// The arrays of a mesh while it is made.
typedef struct rbl_mesh_arrays {
	rbl_vec3d *positions;
	int *face_starts, *corner_vertices;
	rbl_vec3 *corner_normals;
	rbl_vec2 *corner_uv0, *corner_uv1;
	rbl_vec4 *corner_colors;
	rbl_mesh_attribute *attributes;
	float *corner_attributes; // attribute_width each
	int *face_materials;
	rbl_mesh_material *materials;
} rbl_mesh_arrays;

/// Make a mesh whose arrays are filled afterwards, unchecked: for those who know that they are
/// right. Then call rbl_mesh_finish().
/// @param shape   the counts, and which arrays there are: those that are not NULL
/// @param arrays  receives them, of the mesh; NULL where there is none
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_mesh_reserve(const rbl_mesh_data *shape, const rbl_allocator *allocator,
                            rbl_mesh **mesh, rbl_mesh_arrays *arrays);

/// The arrays are filled. Counts may be smaller than was reserved for.
void rbl_mesh_finish(rbl_mesh *mesh, int vertex_count, int face_count, int corner_count);

/// Volume, centre and inertia of the closed surface made of these polygons, at density 1. Each
/// polygon is taken as the fan from its first corner, which is right for any flat one, convex or
/// not. `reference` should be near the polygons: the digits of what lies far from it are lost.
/// face_starts as in rbl_mesh_data, or NULL for triangles.
rbl_mass rbl_polygons_mass(const rbl_vec3d *positions, int face_count, const int *face_starts,
                           const int *corner_vertices, rbl_vec3d reference);

/// @return the allocator that the mesh was made with.
rbl_allocator rbl_mesh_allocator(const rbl_mesh *mesh);

/// @return twice the area vector of a polygon, from the fan of its first corner.
rbl_vec3d rbl_polygon_normal(const rbl_vec3d *positions, const int *vertices, int count);

/// Split one face into count - 2 triangles.
/// @param first           added to the corner numbers 0 to count - 1 that are written
/// @param inverted_count  receives how many of them are turned over: none for a simple polygon
/// @return RBL_OK, RBL_OUT_OF_MEMORY. The scratch memory is used for five corners and more.
rbl_result rbl_face_triangulate(rbl_arena *scratch, const rbl_vec3d *positions, const int *vertices,
                                int count, int first, int *triangles, int *inverted_count);

/// rbl_mesh_triangulate() for arrays. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_faces_triangulate(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                 int *triangles, int *faces);

/// The same in less than half of the time, where nobody asks for neighbours: triangles may be long
/// and thin, and those of two faces may have the same diagonal.
rbl_result rbl_faces_triangulate_quickly(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                         int *triangles);
