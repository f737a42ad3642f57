// SPDX-License-Identifier: MIT
//
// Quantized meshes of a .glb (KHR_mesh_quantization): positions are whole numbers of 16 bits
// between -1 and 1, which a node scales back to metres.
//
// The factor is a power of two, so that few different ones are needed and nodes that appear by keys
// of scale still share them. Meshes near their origin, as those of films are, are scaled by the
// node itself; others, and those of nodes with children, get a node of their own below it.

#include "io/glb.h"

#include <math.h>

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

// Whether the normals say no more than the faces do. Tangents need them.
static bool has_flat_normals(const rbl_mesh_data *data)
{
	for (int i = 0; i < data->attribute_count; ++i)
		if (strcmp(data->attributes[i].name, "TANGENT") == 0)
			return false;
	for (int f = 0; data->corner_normals && f < data->face_count; ++f) {
		int begin = data->face_starts[f], end = data->face_starts[f + 1];
		rbl_vec3d n = face_area_vector(data, begin, end);
		double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
		for (int c = begin; c < end; ++c) {
			rbl_vec3 own = data->corner_normals[c];
			double dot = n.x * (double)own.x + n.y * (double)own.y + n.z * (double)own.z;
			if (!(dot >= 0.9999 * length)) // within 0.8 degrees
				return false;
		}
	}
	return true;
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
	plan.is_flat = has_flat_normals(&data);
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
