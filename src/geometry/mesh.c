// SPDX-License-Identifier: MIT
//
// The polygon mesh: one block of memory that holds this struct and all arrays, filled once.

#include "geometry/mesh.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/vec.h"

struct rbl_mesh {
	rbl_mesh_data data; // points into the block
	rbl_boxd bounds;
	rbl_allocator allocator;
	size_t size; // of the block
};

enum { MESH_COOKIE = 0x6d657368 };

rbl_mesh_def rbl_default_mesh_def(void)
{
	return (rbl_mesh_def){ .cookie = MESH_COOKIE };
}

static rbl_result check_counts(const rbl_mesh_data *data)
{
	if (data->vertex_count < 0 || data->face_count < 0 || data->corner_count < 0 ||
	    data->material_count < 0)
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "a count is negative: %d vertices, %d faces, %d corners, "
		                "%d materials",
		                data->vertex_count, data->face_count, data->corner_count,
		                data->material_count);
	if (data->vertex_count > RBL_MAX_MESH_ITEMS || data->face_count > RBL_MAX_MESH_ITEMS ||
	    data->corner_count > RBL_MAX_MESH_ITEMS || data->material_count > RBL_MAX_MESH_ITEMS)
		return rbl_fail(RBL_LIMIT_REACHED, "%d vertices, %d faces, %d corners: at most %d each",
		                data->vertex_count, data->face_count, data->corner_count,
		                RBL_MAX_MESH_ITEMS);
	if ((data->vertex_count > 0 && !data->positions) ||
	    (data->corner_count > 0 && !data->corner_vertices) ||
	    (data->material_count > 0 && !data->materials))
		return rbl_fail(RBL_BAD_ARGUMENT, "positions, corner_vertices or materials is NULL");
	if (!data->face_starts && (int64_t)data->face_count * 3 != data->corner_count)
		return rbl_fail(RBL_BAD_ARGUMENT, "%d triangles have %lld corners, not %d",
		                data->face_count, (long long)data->face_count * 3, data->corner_count);
	return RBL_OK;
}

static rbl_result check_faces(const rbl_mesh_data *data)
{
	const int *starts = data->face_starts;
	if (starts && starts[0] != 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "face_starts[0] is %d, must be 0", starts[0]);
	for (int f = 0; starts && f < data->face_count; ++f) {
		if (starts[f + 1] > data->corner_count || starts[f + 1] < starts[f] ||
		    starts[f + 1] - starts[f] < 3)
			return rbl_fail(RBL_BAD_ARGUMENT,
			                "face %d begins at corner %d and ends before %d: three corners "
			                "or more, of %d",
			                f, starts[f], starts[f + 1], data->corner_count);
	}
	if (starts && starts[data->face_count] != data->corner_count)
		return rbl_fail(RBL_BAD_ARGUMENT, "the faces have %d corners, not %d",
		                starts[data->face_count], data->corner_count);
	int face = 0;
	for (int c = 0; c < data->corner_count; ++c) {
		if ((unsigned)data->corner_vertices[c] < (unsigned)data->vertex_count)
			continue;
		while (starts ? starts[face + 1] <= c : face < c / 3)
			++face;
		return rbl_fail(RBL_BAD_ARGUMENT, "face %d names vertex %d of %d", face,
		                data->corner_vertices[c], data->vertex_count);
	}
	int material_limit = rbl_maxi(data->material_count, 1);
	for (int f = 0; data->face_materials && f < data->face_count; ++f) {
		if (data->face_materials[f] < 0 || data->face_materials[f] >= material_limit)
			return rbl_fail(RBL_BAD_ARGUMENT, "face %d names material %d of %d", f,
			                data->face_materials[f], material_limit);
	}
	return RBL_OK;
}

static bool are_finite(const float *values, int64_t count)
{
	float sum = 0.0f; // stays zero; becomes NaN at the first value that is not finite
	if (values) {
		for (int64_t i = 0; i < count; ++i)
			sum += values[i] * 0.0f;
	}
	return sum == 0.0f;
}

// Names that end and differ, widths that add up.
static rbl_result check_attributes(const rbl_mesh_data *data)
{
	int width = 0;
	if (data->attribute_count < 0 || data->attribute_count > RBL_MAX_ATTRIBUTE_WIDTH ||
	    (data->attribute_count > 0 && !data->attributes))
		return rbl_fail(RBL_BAD_ARGUMENT, "attribute_count is %d, or attributes is NULL",
		                data->attribute_count);
	for (int i = 0; i < data->attribute_count; ++i) {
		const rbl_mesh_attribute *one = &data->attributes[i];
		if (one->width < 1 || one->width > 4 || !one->name[0] ||
		    !memchr(one->name, 0, sizeof one->name))
			return rbl_fail(RBL_BAD_ARGUMENT, "attribute %d has no name, or width %d", i,
			                one->width);
		for (int k = 0; k < i; ++k)
			if (strcmp(one->name, data->attributes[k].name) == 0)
				return rbl_fail(RBL_BAD_ARGUMENT, "attribute %s is there twice", one->name);
		width += one->width;
	}
	if (width != data->attribute_width || width > RBL_MAX_ATTRIBUTE_WIDTH ||
	    (width > 0 && data->corner_count > 0 && !data->corner_attributes))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "attribute_width is %d, attributes have %d, or their numbers are NULL",
		                data->attribute_width, width);
	return RBL_OK;
}

static rbl_result check_values(const rbl_mesh_data *data, rbl_boxd *bounds)
{
	*bounds = rbl_box_empty_d();
	for (int v = 0; v < data->vertex_count; ++v) {
		rbl_vec3d p = data->positions[v];
		if (!(fabs(p.x) <= RBL_MAX_COORDINATE && fabs(p.y) <= RBL_MAX_COORDINATE &&
		      fabs(p.z) <= RBL_MAX_COORDINATE))
			return rbl_fail(RBL_BAD_ARGUMENT, "vertex %d is at (%g, %g, %g), beyond %g", v, p.x,
			                p.y, p.z, RBL_MAX_COORDINATE);
		*bounds = rbl_box_add_point_d(*bounds, p);
	}
	int64_t corners = data->corner_count;
	const char *bad = !are_finite((const float *)data->corner_normals, 3 * corners)  ? "normals"
	                  : !are_finite((const float *)data->corner_uv0, 2 * corners)    ? "uv0"
	                  : !are_finite((const float *)data->corner_uv1, 2 * corners)    ? "uv1"
	                  : !are_finite((const float *)data->corner_colors, 4 * corners) ? "colors"
	                  : !are_finite(data->corner_attributes, data->attribute_width * corners)
	                      ? "attributes"
	                      : NULL;
	if (bad)
		return rbl_fail(RBL_BAD_ARGUMENT, "a number of corner_%s is not finite", bad);
	for (int m = 0; m < data->material_count; ++m) {
		const rbl_mesh_material *material = &data->materials[m];
		if (!memchr(material->name, 0, sizeof material->name))
			return rbl_fail(RBL_BAD_ARGUMENT, "the name of material %d is not closed", m);
		if (!are_finite(&material->base_color.x, 4) || !are_finite(&material->metallic, 2))
			return rbl_fail(RBL_BAD_ARGUMENT, "a number of material %d is not finite", m);
		if (material->source < 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "the source of material %d is negative", m);
	}
	return RBL_OK;
}

// Lays arrays one behind the other, each on a cache line. With no block it only counts.
typedef struct block_layout {
	char *block;
	uint64_t size;
} block_layout;

// Space for an array and, when there is a block, the copy of it. @return where it lies, or NULL.
static void *layout_array(block_layout *layout, const void *source, int count, size_t size)
{
	if (!source || count == 0)
		return NULL;
	uint64_t offset = layout->size;
	layout->size += ((uint64_t)count * size + RBL_CACHE_LINE - 1) & ~(uint64_t)(RBL_CACHE_LINE - 1);
	if (!layout->block)
		return NULL;
	return memcpy(layout->block + offset, source, (size_t)count * size);
}

// Copy all arrays of `in` into the block. face_starts has space made for it also where `in` has
// none.
static rbl_mesh_data layout_all(block_layout *layout, const rbl_mesh_data *in)
{
	rbl_mesh_data out = *in;
	int corners = in->corner_count;
	out.positions = layout_array(layout, in->positions, in->vertex_count, sizeof *in->positions);
	out.corner_vertices = layout_array(layout, in->corner_vertices, corners, sizeof(int));
	out.corner_normals =
		layout_array(layout, in->corner_normals, corners, sizeof *in->corner_normals);
	out.corner_uv0 = layout_array(layout, in->corner_uv0, corners, sizeof *in->corner_uv0);
	out.corner_uv1 = layout_array(layout, in->corner_uv1, corners, sizeof *in->corner_uv1);
	out.corner_colors = layout_array(layout, in->corner_colors, corners, sizeof *in->corner_colors);
	size_t row = (size_t)in->attribute_width * sizeof(float);
	out.attributes =
		layout_array(layout, in->attributes, in->attribute_count, sizeof *in->attributes);
	out.corner_attributes =
		layout_array(layout, row > 0 ? in->corner_attributes : NULL, corners, row);
	out.face_materials = layout_array(layout, in->face_materials, in->face_count, sizeof(int));
	out.materials = layout_array(layout, in->materials, in->material_count, sizeof *in->materials);
	uint64_t starts_at = layout->size;
	layout->size += ((uint64_t)in->face_count + 1) * sizeof(int);
	if (layout->block) {
		int *starts = (int *)(layout->block + starts_at);
		for (int f = 0; f <= in->face_count; ++f)
			starts[f] = in->face_starts ? in->face_starts[f] : 3 * f;
		out.face_starts = starts;
	}
	return out;
}

rbl_result rbl_create_mesh(const rbl_mesh_def *def, rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	if (!def || def->cookie != MESH_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_mesh_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "the allocator has one function without the other");
	rbl_boxd bounds;
	rbl_result result = check_counts(&def->data);
	if (result == RBL_OK)
		result = check_faces(&def->data);
	if (result == RBL_OK)
		result = check_attributes(&def->data);
	if (result == RBL_OK)
		result = check_values(&def->data, &bounds);
	if (result != RBL_OK)
		return result;

	uint64_t header = (sizeof(rbl_mesh) + RBL_CACHE_LINE - 1) & ~(size_t)(RBL_CACHE_LINE - 1);
	block_layout layout = { NULL, header };
	layout_all(&layout, &def->data);
	if (layout.size > SIZE_MAX)
		return rbl_fail(RBL_OUT_OF_MEMORY, "a mesh of %d corners does not fit into memory",
		                def->data.corner_count);
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	size_t size = (size_t)layout.size;
	layout.block = rbl_allocate(&allocator, 1, size);
	if (!layout.block)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no %zu bytes for a mesh", size);
	layout.size = header;
	rbl_mesh *made = (rbl_mesh *)layout.block;
	*made = (rbl_mesh){ layout_all(&layout, &def->data), bounds, allocator, size };
	*mesh = made;
	return RBL_OK;
}

static void *lay(block_layout *layout, bool is_wanted, int count, size_t size)
{
	if (!is_wanted || count == 0)
		return NULL;
	void *at = layout->block ? layout->block + layout->size : NULL;
	layout->size += ((uint64_t)count * size + RBL_CACHE_LINE - 1) & ~(uint64_t)(RBL_CACHE_LINE - 1);
	return at;
}

static rbl_mesh_arrays lay_all(block_layout *layout, const rbl_mesh_data *shape)
{
	int corners = shape->corner_count;
	rbl_mesh_arrays a;
	a.positions = lay(layout, true, shape->vertex_count, sizeof(rbl_vec3d));
	a.corner_vertices = lay(layout, true, corners, sizeof(int));
	a.corner_normals = lay(layout, shape->corner_normals != NULL, corners, sizeof(rbl_vec3));
	a.corner_uv0 = lay(layout, shape->corner_uv0 != NULL, corners, sizeof(rbl_vec2));
	a.corner_uv1 = lay(layout, shape->corner_uv1 != NULL, corners, sizeof(rbl_vec2));
	a.corner_colors = lay(layout, shape->corner_colors != NULL, corners, sizeof(rbl_vec4));
	a.attributes = lay(layout, true, shape->attribute_count, sizeof(rbl_mesh_attribute));
	a.corner_attributes = lay(layout, shape->attribute_width > 0, corners,
	                          (size_t)shape->attribute_width * sizeof(float));
	a.face_materials = lay(layout, shape->face_materials != NULL, shape->face_count, sizeof(int));
	a.materials =
		lay(layout, shape->materials != NULL, shape->material_count, sizeof(rbl_mesh_material));
	a.face_starts = lay(layout, true, shape->face_count + 1, sizeof(int));
	return a;
}

rbl_result rbl_mesh_reserve(const rbl_mesh_data *shape, const rbl_allocator *allocator,
                            rbl_mesh **mesh, rbl_mesh_arrays *arrays)
{
	uint64_t header = (sizeof(rbl_mesh) + RBL_CACHE_LINE - 1) & ~(size_t)(RBL_CACHE_LINE - 1);
	block_layout layout = { NULL, header };
	*mesh = NULL;
	lay_all(&layout, shape);
	rbl_allocator own = rbl_allocator_or_default(allocator);
	size_t size = (size_t)layout.size;
	layout.block = layout.size <= SIZE_MAX ? rbl_allocate(&own, 1, size) : NULL;
	if (!layout.block)
		return RBL_OUT_OF_MEMORY;
	layout.size = header;
	*arrays = lay_all(&layout, shape);
	rbl_mesh *made = (rbl_mesh *)layout.block;
	*made = (rbl_mesh){ .data = *shape, .allocator = own, .size = size };
	made->data.positions = arrays->positions;
	made->data.face_starts = arrays->face_starts;
	made->data.corner_vertices = arrays->corner_vertices;
	made->data.corner_normals = arrays->corner_normals;
	made->data.corner_uv0 = arrays->corner_uv0, made->data.corner_uv1 = arrays->corner_uv1;
	made->data.corner_colors = arrays->corner_colors;
	made->data.attributes = arrays->attributes;
	made->data.corner_attributes = arrays->corner_attributes;
	made->data.face_materials = arrays->face_materials;
	made->data.materials = arrays->materials;
	*mesh = made;
	return RBL_OK;
}

void rbl_mesh_finish(rbl_mesh *mesh, int vertex_count, int face_count, int corner_count)
{
	rbl_mesh_data *data = &mesh->data;
	data->vertex_count = vertex_count;
	data->face_count = face_count;
	data->corner_count = corner_count;
	mesh->bounds = rbl_box_empty_d();
	for (int v = 0; v < vertex_count; ++v)
		mesh->bounds = rbl_box_add_point_d(mesh->bounds, data->positions[v]);
}

void rbl_destroy_mesh(rbl_mesh *mesh)
{
	if (!mesh)
		return;
	rbl_allocator allocator = mesh->allocator;
	rbl_release(&allocator, mesh, 1, mesh->size);
}

rbl_mesh_data rbl_mesh_get_data(const rbl_mesh *mesh)
{
	static const int no_faces[1] = { 0 };
	return mesh ? mesh->data : (rbl_mesh_data){ .face_starts = no_faces };
}

rbl_boxd rbl_mesh_bounds(const rbl_mesh *mesh)
{
	return mesh ? mesh->bounds : rbl_box_empty_d();
}

rbl_allocator rbl_mesh_allocator(const rbl_mesh *mesh)
{
	return mesh->allocator;
}

int rbl_mesh_triangle_count(const rbl_mesh *mesh)
{
	return mesh ? mesh->data.corner_count - 2 * mesh->data.face_count : 0;
}
