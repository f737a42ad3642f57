// SPDX-License-Identifier: MIT
//
// Bodies were only added to the surface, so that every id below the ends is in use.

#include "collide_output.h"

#include "files.h"

#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdlib.h>

enum { APART, MEETS, MATERIALS };

static const rbl_mesh_material materials[MATERIALS] = {
	[APART] = { .name = "apart", .base_color = { 0.8f, 0.8f, 0.8f, 1.0f }, .roughness = 1.0f },
	[MEETS] = { .name = "meets", .base_color = { 0.8f, 0.05f, 0.02f, 1.0f }, .roughness = 1.0f },
};

// Of a vertex that meets a face, the face alone; of edges, the triangles that own them.
static void mark(int *faces, rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	for (int i = 0; i < pairs.count; ++i)
		faces[pairs.pairs[i].a] = faces[pairs.pairs[i].b] = MEETS;
	for (int i = 0; i < hits.count; ++i) {
		const rbl_surface_hit *hit = &hits.hits[i];
		if (hit->kind == RBL_HIT_EDGE_EDGE)
			faces[hit->a / 3] = faces[hit->b / 3] = MEETS;
		else
			faces[hit->b] = MEETS;
	}
}

rbl_result write_colliding_mesh(const char *path, const rbl_surface_data *data,
                                rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	rbl_mesh *mesh = NULL;
	rbl_result result = RBL_OUT_OF_MEMORY;
	rbl_vec3d *positions = malloc((size_t)data->vertex_end * sizeof *positions);
	int *faces = calloc((size_t)data->triangle_end, sizeof *faces); // APART
	if (positions && faces) {
		for (int i = 0; i < data->vertex_end; ++i) {
			rbl_vec3 p = data->ends[i];
			positions[i] = (rbl_vec3d){ (double)p.x, (double)p.y, (double)p.z };
		}
		mark(faces, pairs, hits);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = (rbl_mesh_data){ .vertex_count = data->vertex_end,
			                        .positions = positions,
			                        .face_count = data->triangle_end,
			                        .corner_count = 3 * data->triangle_end,
			                        .corner_vertices = data->triangles,
			                        .face_materials = faces,
			                        .material_count = MATERIALS,
			                        .materials = materials };
		result = rbl_create_mesh(&def, &mesh);
	}
	if (result == RBL_OK)
		result = write_mesh(path, mesh, NULL);
	rbl_destroy_mesh(mesh);
	free(positions);
	free(faces);
	return result;
}
