// SPDX-License-Identifier: MIT
//
// Connected components, and one mesh per component.

#include "geometry/adjacency.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh.h"

#include "base/log.h"

rbl_result rbl_label_shells(const rbl_mesh_data *data, const rbl_allocator *allocator, int *labels,
                            int *component_count)
{
	rbl_adjacency a;
	*component_count = 0;
	rbl_result result = rbl_adjacency_init(&a, allocator, data);
	if (result != RBL_OK)
		return result;
	for (int f = 0; f < data->face_count; ++f)
		labels[f] = f;
	for (int e = 0; e < a.edge_count; ++e)
		for (int k = a.edge_starts[e] + 1; k < a.edge_starts[e + 1]; ++k)
			rbl_union_find_join(labels, a.faces[a.edge_corners[k - 1]], a.faces[a.edge_corners[k]]);
	rbl_adjacency_destroy(&a);
	for (int f = 0; f < data->face_count; ++f)
		labels[f] = rbl_union_find_root(labels, f);
	// A root is the lowest face of its set, so it has its number before others ask for it.
	for (int f = 0; f < data->face_count; ++f)
		labels[f] = labels[f] == f ? (*component_count)++ : labels[labels[f]];
	return RBL_OK;
}

rbl_result rbl_mesh_get_components(const rbl_mesh *mesh, rbl_mesh_connectivity connectivity,
                                   int *labels, int *component_count)
{
	if (!mesh || !component_count || (!labels && rbl_mesh_get_data(mesh).face_count > 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh, labels or component_count is NULL");
	if (connectivity != RBL_CONNECTED_BY_VERTEX && connectivity != RBL_CONNECTED_BY_EDGE)
		return rbl_fail(RBL_BAD_ARGUMENT, "connectivity is %d, not one of rbl_mesh_connectivity",
		                (int)connectivity);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_allocator allocator = rbl_mesh_allocator(mesh);
	rbl_result result = connectivity == RBL_CONNECTED_BY_EDGE
	                        ? rbl_label_shells(&data, &allocator, labels, component_count)
	                        : rbl_label_components(&data, &allocator, labels, component_count);
	if (result != RBL_OK)
		return rbl_fail(result, "no memory to label the components of a mesh");
	return RBL_OK;
}

// --- splitting -----------------------------------------------------------------------------

// Space for the largest part, used again for each.
typedef struct part {
	rbl_vec3d *positions;
	int *starts, *vertices, *materials;
	rbl_vec3 *normals;
	rbl_vec2 *uv0, *uv1;
	rbl_vec4 *colors;
	float *attributes;
	int *names; // of source vertices in the part at hand, where `owners` has its label
	int *owners;
} part;

static bool part_init(part *p, rbl_arena *arena, const rbl_mesh_data *data)
{
	size_t corners = (size_t)data->corner_count, faces = (size_t)data->face_count;
	size_t vertices = (size_t)data->vertex_count;
	p->positions = RBL_ARENA_NEW(arena, rbl_vec3d, vertices);
	p->names = RBL_ARENA_NEW(arena, int, vertices);
	p->owners = RBL_ARENA_NEW(arena, int, vertices);
	p->starts = RBL_ARENA_NEW(arena, int, faces + 1);
	p->vertices = RBL_ARENA_NEW(arena, int, corners);
	p->materials = data->face_materials ? RBL_ARENA_NEW(arena, int, faces) : NULL;
	p->normals = data->corner_normals ? RBL_ARENA_NEW(arena, rbl_vec3, corners) : NULL;
	p->uv0 = data->corner_uv0 ? RBL_ARENA_NEW(arena, rbl_vec2, corners) : NULL;
	p->uv1 = data->corner_uv1 ? RBL_ARENA_NEW(arena, rbl_vec2, corners) : NULL;
	p->colors = data->corner_colors ? RBL_ARENA_NEW(arena, rbl_vec4, corners) : NULL;
	size_t width = (size_t)data->attribute_width;
	p->attributes = width > 0 ? RBL_ARENA_NEW(arena, float, corners *width) : NULL;
	return p->positions && p->names && p->owners && p->starts && p->vertices &&
	       !p->materials == !data->face_materials && !p->normals == !data->corner_normals &&
	       !p->uv0 == !data->corner_uv0 && !p->uv1 == !data->corner_uv1 &&
	       !p->colors == !data->corner_colors && !p->attributes == !width;
}

static void copy_face(part *p, const rbl_mesh_data *from, int face, int label, rbl_mesh_data *to)
{
	for (int c = from->face_starts[face]; c < from->face_starts[face + 1]; ++c) {
		int v = from->corner_vertices[c], n = to->corner_count++;
		if (p->owners[v] != label) {
			p->owners[v] = label;
			p->names[v] = to->vertex_count;
			p->positions[to->vertex_count++] = from->positions[v];
		}
		p->vertices[n] = p->names[v];
		if (p->normals)
			p->normals[n] = from->corner_normals[c];
		if (p->uv0)
			p->uv0[n] = from->corner_uv0[c];
		if (p->uv1)
			p->uv1[n] = from->corner_uv1[c];
		if (p->colors)
			p->colors[n] = from->corner_colors[c];
		size_t width = (size_t)from->attribute_width;
		if (p->attributes)
			memcpy(p->attributes + (size_t)n * width, from->corner_attributes + (size_t)c * width,
			       width * sizeof(float));
	}
	if (p->materials)
		p->materials[to->face_count] = from->face_materials[face];
	p->starts[++to->face_count] = to->corner_count;
}

// The mesh of one label, whose faces are listed.
static rbl_result make_part(part *p, const rbl_mesh_data *data, const rbl_allocator *allocator,
                            const int *faces, int face_count, int label, rbl_mesh **mesh)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.allocator = *allocator;
	p->starts[0] = 0;
	for (int i = 0; i < face_count; ++i)
		copy_face(p, data, faces[i], label, &def.data);
	def.data.positions = p->positions;
	def.data.face_starts = p->starts;
	def.data.corner_vertices = p->vertices;
	def.data.corner_normals = p->normals;
	def.data.corner_uv0 = p->uv0, def.data.corner_uv1 = p->uv1;
	def.data.corner_colors = p->colors;
	def.data.attribute_count = data->attribute_count, def.data.attributes = data->attributes;
	def.data.attribute_width = data->attribute_width;
	def.data.corner_attributes = p->attributes;
	def.data.face_materials = p->materials;
	def.data.material_count = data->material_count, def.data.materials = data->materials;
	return rbl_create_mesh(&def, mesh);
}

static rbl_result split(const rbl_mesh_data *data, const rbl_allocator *allocator, rbl_arena *arena,
                        const int *labels, int mesh_count, rbl_mesh **meshes)
{
	part p;
	int *ends = RBL_ARENA_NEW(arena, int, (size_t)mesh_count + 1);
	int *faces = RBL_ARENA_NEW(arena, int, data->face_count);
	if (!part_init(&p, arena, data) || !ends || !faces)
		return RBL_OUT_OF_MEMORY;
	memset(ends, 0, ((size_t)mesh_count + 1) * sizeof(int));
	for (int f = 0; f < data->face_count; ++f) {
		if (labels[f] >= 0)
			ends[labels[f] + 1]++;
	}
	for (int k = 0; k < mesh_count; ++k)
		ends[k + 1] += ends[k];
	for (int f = 0; f < data->face_count; ++f) {
		if (labels[f] >= 0)
			faces[ends[labels[f]]++] = f; // what was the start becomes the end
	}
	for (int v = 0; v < data->vertex_count; ++v)
		p.owners[v] = -1;
	rbl_result result = RBL_OK;
	for (int k = 0; k < mesh_count && result == RBL_OK; ++k) {
		int begin = k > 0 ? ends[k - 1] : 0;
		result = make_part(&p, data, allocator, faces + begin, ends[k] - begin, k, &meshes[k]);
	}
	return result;
}

rbl_result rbl_mesh_split(const rbl_mesh *mesh, const int *labels, int mesh_count,
                          rbl_mesh **meshes)
{
	if (mesh_count < 0 || mesh_count > RBL_MAX_MESH_ITEMS)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh_count is %d", mesh_count);
	for (int k = 0; meshes && k < mesh_count; ++k)
		meshes[k] = NULL;
	if (!mesh || (!meshes && mesh_count > 0) || (!labels && rbl_mesh_get_data(mesh).face_count > 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh, labels or meshes is NULL");
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	for (int f = 0; f < data.face_count; ++f) {
		if (labels[f] < -1 || labels[f] >= mesh_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "face %d has label %d of %d", f, labels[f],
			                mesh_count);
	}
	rbl_allocator allocator = rbl_mesh_allocator(mesh);
	rbl_arena arena;
	rbl_arena_init(&arena, &allocator, 0);
	rbl_result result = split(&data, &allocator, &arena, labels, mesh_count, meshes);
	rbl_arena_destroy(&arena);
	if (result == RBL_OK)
		return RBL_OK;
	for (int k = 0; k < mesh_count; ++k) {
		rbl_destroy_mesh(meshes[k]);
		meshes[k] = NULL;
	}
	return rbl_fail(result, "no memory to split a mesh into %d", mesh_count);
}
