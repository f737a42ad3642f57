// SPDX-License-Identifier: MIT
//
// Parts that an instance fixes to the world: those in a box, those of nodes that are named in the file,
// or the lowest.
//
// A part belongs to the smallest node that its centre is in, each node as large as the box around its
// mesh in its own coordinates. Shells are decomposed one by one, so that the centre of a part is in the
// box of its own node, however that is turned; nodes whose meshes share vertices are one shell.

#include "scene_prefabs.h"

#include "node_transform.h"
#include "scene_files.h"

#include <math.h>
#include <stdlib.h>

static double lowest_of(const rbl_convex *convex)
{
	rbl_convex_data data = rbl_convex_get_data(convex);
	double lowest = (double)INFINITY;
	for (int v = 0; v < data.vertex_count; ++v)
		lowest = fmin(lowest, data.vertices[v].y);
	return lowest;
}

static void anchor_lowest(rbl_compound *compound)
{
	int end = rbl_compound_get_info(compound).part_end;
	double lowest = (double)INFINITY;
	for (int i = 0; i < end; ++i)
		lowest = fmin(lowest, lowest_of(rbl_compound_get_part(compound, i).convex));
	for (int i = 0; i < end; ++i)
		if (lowest_of(rbl_compound_get_part(compound, i).convex) < lowest + 0.01)
			rbl_compound_set_anchored(compound, i, true);
}

// --- nodes --------------------------------------------------------------------------------------

// What a node measures: its coordinates are larger than those of the file by 1 / `scale`.
typedef struct node_place {
	rbl_vec3d point;
	double scale;
} node_place;

static bool is_in(const rbl_boxd *box, rbl_vec3d p)
{
	rbl_vec3d size = rbl_sub_d(box->upper, box->lower);
	double margin = 1e-5 * (size.x + size.y + size.z);
	return p.x >= box->lower.x - margin && p.x <= box->upper.x + margin &&
	       p.y >= box->lower.y - margin && p.y <= box->upper.y + margin &&
	       p.z >= box->lower.z - margin && p.z <= box->upper.z + margin;
}

// @param places  of the nodes, to work in
// @return the node that a point of the file is in; -1: none
static int node_at(const rbl_scene *scene, rbl_vec3d point, node_place *places)
{
	int found = -1;
	double smallest = (double)INFINITY;
	for (int i = 0; i < scene->node_count; ++i) { // parents come first
		const rbl_scene_node *node = &scene->nodes[i];
		node_place own = node->parent >= 0 ? places[node->parent] : (node_place){ point, 1.0 };
		double p[3] = { own.point.x, own.point.y, own.point.z };
		own.scale *= fabs(point_to_node(node, p));
		own.point = (rbl_vec3d){ p[0], p[1], p[2] };
		places[i] = own;
		if (node->mesh < 0 || !(own.scale > 0.0))
			continue;
		rbl_boxd box = rbl_mesh_bounds(scene->meshes[node->mesh]);
		rbl_vec3d size = rbl_sub_d(box.upper, box.lower);
		double volume = size.x * size.y * size.z * own.scale;
		if (volume < smallest && is_in(&box, own.point))
			found = i, smallest = volume;
	}
	return found;
}

static rbl_result anchor_nodes(const scene_prefab *prefab, const char *pattern,
                               rbl_compound *compound)
{
	rbl_scene scene = rbl_document_get_scene(prefab->document);
	node_place *places = malloc((size_t)scene.node_count * sizeof *places + 1);
	if (!places)
		return RBL_OUT_OF_MEMORY;
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; i < end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		rbl_vec3d centre = rbl_convex_get_mass(part.convex).centre;
		int node = node_at(&scene, rbl_scale_d(1.0 / prefab->model->scale, centre), places);
		if (node >= 0 && node_is_chosen(&scene, node, pattern))
			rbl_compound_set_anchored(compound, i, true);
	}
	free(places);
	return RBL_OK;
}

rbl_result check_anchor_nodes(const rbl_document *document, const scene_model *model,
                              const char *pattern)
{
	rbl_scene scene = rbl_document_get_scene(document);
	if (!document || model->up_axis != RBL_AXIS_Y) {
		rbl_log_text(RBL_LOG_ERROR, "only a glTF file with y up has nodes that can be anchored");
		return RBL_BAD_ARGUMENT;
	}
	for (int i = 0; i < scene.node_count; ++i)
		if (scene.nodes[i].mesh >= 0 && node_is_chosen(&scene, i, pattern))
			return RBL_OK;
	rbl_log_text(RBL_LOG_ERROR, "no node of that name has a mesh");
	return RBL_BAD_ARGUMENT;
}

// --- all of them --------------------------------------------------------------------------------

rbl_result anchor_parts(const scene_prefab *prefab, const scene_instance *instance,
                        rbl_compound *compound)
{
	const double *b = instance->anchor_box;
	rbl_result result = RBL_OK;
	bool has_box = b[0] <= b[3], has_nodes = *instance->anchor_nodes && prefab->document;
	if (has_box) {
		rbl_anchor_def rule = rbl_default_anchor_def();
		rbl_boxd box = { { b[0], b[1], b[2] }, { b[3], b[4], b[5] } };
		rule.boxes = &box, rule.box_count = 1;
		result = rbl_compound_anchor(compound, &rule, NULL);
	}
	if (result == RBL_OK && has_nodes)
		result = anchor_nodes(prefab, instance->anchor_nodes, compound);
	if (!has_box && !has_nodes)
		anchor_lowest(compound);
	return result;
}
