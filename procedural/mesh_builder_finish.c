// SPDX-License-Identifier: MIT
//
// The end of building: normals for all corners, then the mesh.
//
// A corner's normal is the sum of the area vectors of those faces at its vertex that lie within
// the crease angle of its own face. So curved walls are smooth and edges are sharp without any
// marks, and faces that are larger count for more.

#include "procedural/mesh_builder.h"

typedef struct shading {
	rbl_vec3d *areas;   // area vector per face
	int *faces;         // face per corner
	int *vertex_starts; // vertex_count + 1
	int *vertex_corners;
	rbl_vec3 *normals; // per corner
} shading;

// Take out the vertices that no face uses, those inside holes of sheets. `places` is scratch.
static void drop_loose(rbl_builder *builder, int *places)
{
	memset(places, 0, (size_t)builder->positions.count * sizeof *places);
	for (int c = 0; c < builder->corners.count; ++c)
		places[builder->corners.data[c]] = 1;
	int count = 0;
	for (int v = 0; v < builder->positions.count; ++v) {
		if (!places[v])
			continue;
		builder->positions.data[count] = builder->positions.data[v];
		places[v] = count++;
	}
	builder->positions.count = count;
	for (int c = 0; c < builder->corners.count; ++c)
		builder->corners.data[c] = places[builder->corners.data[c]];
}

// Corners sorted by vertex, by counting.
static void sort_corners(const rbl_builder *builder, shading *s)
{
	int vertex_count = builder->positions.count, corner_count = builder->corners.count;
	for (int c = 0; c < corner_count; ++c)
		s->vertex_starts[builder->corners.data[c] + 1]++;
	for (int v = 0; v < vertex_count; ++v)
		s->vertex_starts[v + 1] += s->vertex_starts[v];
	for (int c = corner_count - 1; c >= 0; --c)
		s->vertex_corners[--s->vertex_starts[builder->corners.data[c] + 1]] = c;
	// Each start moved to its own beginning, one place to the right of where it belongs.
	for (int v = 0; v < vertex_count; ++v)
		s->vertex_starts[v] = s->vertex_starts[v + 1];
	s->vertex_starts[vertex_count] = corner_count;
}

// The normal of a corner: the area vectors of the faces at its vertex that are not across a crease.
static void shade(const rbl_builder *builder, shading *s)
{
	double crease = builder->crease;
	for (int v = 0; v < builder->positions.count; ++v) {
		for (int i = s->vertex_starts[v]; i < s->vertex_starts[v + 1]; ++i) {
			int corner = s->vertex_corners[i];
			rbl_vec3d own = s->areas[s->faces[corner]], sum = own;
			double bound = crease * crease * vec_dot(own, own);
			for (int k = s->vertex_starts[v]; k < s->vertex_starts[v + 1]; ++k) {
				rbl_vec3d other = s->areas[s->faces[s->vertex_corners[k]]];
				double dot = vec_dot(own, other);
				if (k != i && dot > 0.0 && dot * dot >= bound * vec_dot(other, other))
					sum = vec_add(sum, other);
			}
			rbl_vec3d normal = vec_normalize(sum);
			s->normals[corner] = (rbl_vec3){ (float)normal.x, (float)normal.y, (float)normal.z };
		}
	}
}

static void measure_faces(const rbl_builder *builder, shading *s)
{
	const int *starts = builder->face_starts.data;
	for (int f = 0; f + 1 < builder->face_starts.count; ++f) {
		s->areas[f] = rbl_shape_area_vector(
			builder->positions.data, builder->corners.data + starts[f], starts[f + 1] - starts[f]);
		for (int c = starts[f]; c < starts[f + 1]; ++c)
			s->faces[c] = f;
	}
}

static rbl_result make_mesh(const rbl_builder *builder, const rbl_vec3 *normals, rbl_mesh **mesh)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.allocator = builder->allocator;
	def.data = (rbl_mesh_data){ .vertex_count = builder->positions.count,
		                        .positions = builder->positions.data,
		                        .face_count = builder->face_starts.count - 1,
		                        .corner_count = builder->corners.count,
		                        .face_starts = builder->face_starts.data,
		                        .corner_vertices = builder->corners.data,
		                        .corner_normals = normals,
		                        .corner_uv0 = builder->uv.data,
		                        .face_materials = builder->face_materials.data,
		                        .material_count = builder->materials.count,
		                        .materials = builder->materials.data };
	return rbl_create_mesh(&def, mesh);
}

static rbl_result shade_and_make(rbl_builder *builder, rbl_mesh **mesh)
{
	const rbl_allocator *allocator = &builder->allocator;
	int face_count = builder->face_starts.count, corner_count = builder->corners.count;
	int vertex_count = builder->positions.count; // before those that no face uses are dropped
	shading s = { .areas = NEW(allocator, rbl_vec3d, face_count),
		          .faces = NEW(allocator, int, corner_count),
		          .vertex_starts = NEW(allocator, int, vertex_count + 1),
		          .vertex_corners = NEW(allocator, int, corner_count),
		          .normals = NEW(allocator, rbl_vec3, corner_count) };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (s.areas && s.faces && s.vertex_starts && s.vertex_corners && s.normals) {
		drop_loose(builder, s.vertex_starts);
		memset(s.vertex_starts, 0, (size_t)(vertex_count + 1) * sizeof(int));
		measure_faces(builder, &s);
		sort_corners(builder, &s);
		shade(builder, &s);
		result = make_mesh(builder, s.normals, mesh);
	}
	FREE(allocator, s.normals, corner_count);
	FREE(allocator, s.vertex_corners, corner_count);
	FREE(allocator, s.vertex_starts, vertex_count + 1);
	FREE(allocator, s.faces, corner_count);
	FREE(allocator, s.areas, face_count);
	return result;
}

rbl_result rbl_builder_finish(rbl_builder *builder, rbl_mesh **mesh)
{
	const rbl_allocator *allocator = &builder->allocator;
	rbl_result result = builder->result;
	if (result == RBL_OK)
		result = shade_and_make(builder, mesh);
	array_free(allocator, &builder->lengths);
	array_free(allocator, &builder->materials);
	array_free(allocator, &builder->uv);
	array_free(allocator, &builder->corners);
	array_free(allocator, &builder->face_materials);
	array_free(allocator, &builder->face_starts);
	array_free(allocator, &builder->positions);
	return result;
}
