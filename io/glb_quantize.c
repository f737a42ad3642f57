// SPDX-License-Identifier: MIT
//
// Quantized meshes of a .glb (KHR_mesh_quantization): positions are whole numbers of 16 bits
// between -1 and 1, which a node scales back to metres.
//
// The factor is a power of two, so that few different ones are needed and nodes that appear by keys
// of scale still share them. Meshes near their origin, as those of films are, are scaled by the
// node itself; others, and those of nodes with children, get a node of their own below it.
//
// Faces whose normals are their own have none in the file, which means flat in glTF. Their vertices
// are then shared with all neighbours.

#include "io/glb.h"

#include <math.h>

enum { MIN_SPLIT_CORNERS = 60 }; // fewer take less than the JSON of another primitive

static rbl_vec3d face_area_vector(const rbl_mesh_data *data, int begin, int end)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, o = data->positions[data->corner_vertices[begin]];
	for (int c = begin + 1; c + 1 < end; ++c) {
		rbl_vec3d a = data->positions[data->corner_vertices[c]];
		rbl_vec3d b = data->positions[data->corner_vertices[c + 1]];
		a.x -= o.x, a.y -= o.y, a.z -= o.z, b.x -= o.x, b.y -= o.y, b.z -= o.z;
		sum.x += a.y * b.z - a.z * b.y;
		sum.y += a.z * b.x - a.x * b.z;
		sum.z += a.x * b.y - a.y * b.x;
	}
	return sum;
}

// Whether the normals of a face say no more than the face does.
static bool has_flat_normals(const rbl_mesh_data *data, int face)
{
	int begin = data->face_starts[face], end = data->face_starts[face + 1];
	rbl_vec3d n = face_area_vector(data, begin, end);
	double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
	for (int c = begin; c < end && data->corner_normals; ++c) {
		rbl_vec3 own = data->corner_normals[c];
		double dot = n.x * (double)own.x + n.y * (double)own.y + n.z * (double)own.z;
		if (!(dot >= 0.9999 * length)) // within 0.8 degrees
			return false;
	}
	return true;
}

// Corners of faces that need no normals. Tangents need them.
static int count_flat_corners(const rbl_mesh_data *data)
{
	int count = 0;
	for (int i = 0; i < data->attribute_count; ++i)
		if (strcmp(data->attributes[i].name, "TANGENT") == 0)
			return 0;
	for (int f = 0; f < data->face_count; ++f)
		if (has_flat_normals(data, f))
			count += data->face_starts[f + 1] - data->face_starts[f];
	return count;
}

// The rows of an array that belong to the corners of picked faces, packed.
static void *pick_rows(rbl_io_memory *memory, const rbl_mesh_data *from, const unsigned char *is_in,
                       int count, const void *rows, size_t size)
{
	unsigned char *picked = rows && size > 0 ? rbl_io_allocate(memory, (size_t)count, size) : NULL;
	size_t at = 0;
	for (int f = 0; f < from->face_count && picked; ++f) {
		size_t begin = (size_t)from->face_starts[f], end = (size_t)from->face_starts[f + 1];
		if (!is_in[f])
			continue;
		memcpy(picked + at, (const unsigned char *)rows + begin * size, (end - begin) * size);
		at += (end - begin) * size;
	}
	return picked;
}

static void release_rows(rbl_io_memory *memory, const void *rows, int count, size_t size)
{
	union {
		const void *kept;
		void *own;
	} block = { rows };
	if (rows)
		rbl_io_release(memory, block.own, (size_t)count, size);
}

rbl_result rbl_glb_pick_faces(rbl_glb_writer *writer, const rbl_mesh *mesh, bool is_flat,
                              rbl_mesh **part)
{
	rbl_io_memory *memory = &writer->memory;
	rbl_mesh_def def = rbl_default_mesh_def();
	const rbl_mesh_data from = rbl_mesh_get_data(mesh);
	size_t faces = (size_t)from.face_count, further = (size_t)from.attribute_width * sizeof(float);
	rbl_mesh_data *to = &def.data;
	*to = from, *part = NULL;
	to->face_count = to->corner_count = 0;
	unsigned char *is_in = RBL_IO_NEW(memory, unsigned char, faces);
	int *starts = RBL_IO_NEW(memory, int, faces + 1), *slots = RBL_IO_NEW(memory, int, faces);
	bool is_good = is_in && starts && slots;
	for (int f = 0; f < from.face_count && is_good; ++f) {
		is_in[f] = has_flat_normals(&from, f) == is_flat;
		starts[to->face_count] = to->corner_count;
		slots[to->face_count] = from.face_materials ? from.face_materials[f] : 0;
		to->face_count += is_in[f];
		to->corner_count += is_in[f] ? from.face_starts[f + 1] - from.face_starts[f] : 0;
	}
	int count = to->corner_count;
	if (is_good) {
		starts[to->face_count] = count;
		to->face_starts = starts, to->face_materials = from.face_materials ? slots : NULL;
		to->corner_vertices =
			pick_rows(memory, &from, is_in, count, from.corner_vertices, sizeof(int));
		to->corner_normals =
			is_flat ? NULL
					: pick_rows(memory, &from, is_in, count, from.corner_normals, sizeof(rbl_vec3));
		to->corner_uv0 = pick_rows(memory, &from, is_in, count, from.corner_uv0, sizeof(rbl_vec2));
		to->corner_uv1 = pick_rows(memory, &from, is_in, count, from.corner_uv1, sizeof(rbl_vec2));
		to->corner_colors =
			pick_rows(memory, &from, is_in, count, from.corner_colors, sizeof(rbl_vec4));
		to->corner_attributes =
			pick_rows(memory, &from, is_in, count, from.corner_attributes, further);
	}
	def.allocator = memory->allocator;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (is_good && memory->failure == RBL_OK)
		result = rbl_create_mesh(&def, part);
	if (is_good) {
		release_rows(memory, to->corner_vertices, count, sizeof(int));
		release_rows(memory, to->corner_normals, count, sizeof(rbl_vec3));
		release_rows(memory, to->corner_uv0, count, sizeof(rbl_vec2));
		release_rows(memory, to->corner_uv1, count, sizeof(rbl_vec2));
		release_rows(memory, to->corner_colors, count, sizeof(rbl_vec4));
		release_rows(memory, to->corner_attributes, count, further);
	}
	RBL_IO_FREE(memory, is_in, faces);
	RBL_IO_FREE(memory, starts, faces + 1);
	RBL_IO_FREE(memory, slots, faces);
	return result;
}

// The largest coordinate of any point, seen from `from`.
static double reach(const rbl_boxd *box, rbl_vec3d from)
{
	double x = fmax(fabs(box->lower.x - from.x), fabs(box->upper.x - from.x));
	double y = fmax(fabs(box->lower.y - from.y), fabs(box->upper.y - from.y));
	double z = fmax(fabs(box->lower.z - from.z), fabs(box->upper.z - from.z));
	return fmax(x, fmax(y, z));
}

static rbl_glb_quantized plan_mesh(const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_glb_quantized plan = { .factor = 1.0f };
	if (data.vertex_count == 0)
		return plan;
	double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y,
		   z = box.upper.z - box.lower.z;
	rbl_vec3d centre = { 0.0, 0.0, 0.0 };
	double extent = reach(&box, centre);
	if (extent > sqrt(x * x + y * y + z * z)) { // far from its origin
		plan.offset = (rbl_vec3){ (float)(0.5 * (box.lower.x + box.upper.x)),
			                      (float)(0.5 * (box.lower.y + box.upper.y)),
			                      (float)(0.5 * (box.lower.z + box.upper.z)) };
		centre = (rbl_vec3d){ (double)plan.offset.x, (double)plan.offset.y, (double)plan.offset.z };
		extent = reach(&box, centre);
	}
	double factor = 1.0;
	while (factor < extent)
		factor *= 2.0;
	while (factor > 1e-30 && 0.5 * factor >= extent)
		factor *= 0.5;
	plan.factor = (float)factor;
	int flat = count_flat_corners(&data);
	plan.is_flat = flat == data.corner_count;
	plan.is_split = !plan.is_flat && data.corner_normals && flat >= MIN_SPLIT_CORNERS;
	return plan;
}

bool rbl_glb_plan_quantized(rbl_glb_writer *writer)
{
	const rbl_scene *scene = writer->scene;
	rbl_io_memory *memory = &writer->memory;
	writer->quantized = RBL_IO_NEW(memory, rbl_glb_quantized, scene->mesh_count);
	if (!writer->quantized || !rbl_io_reserve(memory, &writer->node_meshes, scene->node_count) ||
	    !rbl_glb_use_extension(writer, "KHR_mesh_quantization", true))
		return false;
	for (int i = 0; i < scene->mesh_count; ++i)
		writer->quantized[i] = plan_mesh(scene->meshes[i]);
	int *holders = writer->node_meshes.data;
	writer->node_meshes.count = scene->node_count;
	for (int i = 0; i < scene->node_count; ++i)
		holders[i] = -1;
	// A node with children, or whose mesh is moved as well, gets a node for its mesh.
	for (int i = 0; i < scene->node_count; ++i) {
		const rbl_scene_node *node = &scene->nodes[i];
		if (node->parent >= 0 && scene->nodes[node->parent].mesh >= 0)
			holders[node->parent] = 0;
		if (node->mesh < 0)
			continue;
		rbl_vec3 offset = writer->quantized[node->mesh].offset;
		if (offset.x != 0.0f || offset.y != 0.0f || offset.z != 0.0f || node->camera > 0 ||
		    node->extensions)
			holders[i] = 0;
	}
	int count = scene->node_count;
	for (int i = 0; i < scene->node_count; ++i) {
		const rbl_scene_node *node = &scene->nodes[i];
		bool has_mesh = node->mesh >= 0 && rbl_mesh_triangle_count(scene->meshes[node->mesh]) > 0;
		if (node->instance_count > 0) { // scaled with its instances
			holders[i] = -1;
			writer->quantized[node->mesh].offset = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		} else if (holders[i] == 0) {
			holders[i] = has_mesh ? count++ : -1;
		}
	}
	return true;
}
