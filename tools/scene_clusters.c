// SPDX-License-Identifier: MIT
//
// Levels of clusters of a model: by how many they are, or by the cells of a pattern, which then cuts
// the model before anything hits it.

#include "scene_clusters.h"
#include "scene_material.h"

#include "errors.h"

#include <math.h>
#include <string.h>

void read_cluster(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_cluster
	static const key keys[] = {
		INT("count", NULL, count, 1.0, 1e6),
		NUMBER("strength", NULL, strength, 1e-6, 1e6),
		CHOICE("pattern", NULL, cells.pattern, scene_pattern_names),
		VECTOR("size", NULL, cells.size, 1e-3, 1e5),
		INT("cell_count", NULL, cells.cell_count, 2.0, 100000.0),
		NUMBER("focus", NULL, cells.focus, 0.0, 1.0),
		INT("ring_count", NULL, cells.ring_count, 1.0, 1000.0),
		INT("spoke_count", NULL, cells.spoke_count, 3.0, 1000.0),
		NUMBER("jitter", NULL, cells.jitter, 0.0, 1.0),
		VECTOR("brick_size", NULL, cells.brick_size, 1e-3, 1e3),
		CHOICE("bond", NULL, cells.bond, scene_bond_names),
		NUMBER("stretch", NULL, cells.stretch, 1.0, 100.0),
		SEED("seed", NULL, cells.seed),
		VECTOR("position", NULL, position, -1e5, 1e5),
		VECTOR4("rotation", NULL, rotation, -1e5, 1e5),
		{ 0 },
	};
#undef FIELDS_OF
	scene_cluster *cluster = to;
	cluster->strength = 1.0;
	cluster->rotation[1] = 1.0;
	cluster->cells = usual_cells();
	cluster->cells.pattern = -1;
	cluster->position[0] = (double)NAN;
	read_keys(r, at, keys, cluster);
	place count = member(r, at, "count"), pattern = member(r, at, "pattern"),
		  rotation = member(r, at, "rotation");
	if (!count.value && !pattern.value)
		complain(r, &count, "a number of clusters is needed, or a pattern");
	if (count.value && pattern.value)
		complain(r, &count, "a pattern has as many clusters as cells");
	for (const key *k = keys + 3; k->name && !pattern.value; ++k) {
		place one = member(r, at, k->name);
		if (one.value)
			complain(r, &one, "only a pattern has that");
	}
	const double *axis = cluster->rotation;
	if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &rotation, "the axis has no direction");
	cluster->has_position = member(r, at, "position").value != NULL;
	if (!pattern.value || r->status != STATUS_OK)
		return;
	count_spokes(&cluster->cells);
	check_pattern_keys(r, at, (rbl_pattern_kind)cluster->cells.pattern);
}

void read_clusters(reader *r, const place *at, scene_model *model)
{
	place clusters = member(r, at, "clusters"), channel = member(r, at, "strength_channel");
	bool is_mesh = model->kind == SCENE_SHAPE || model->kind == SCENE_FILE;
	if (r->status != STATUS_OK)
		return;
	if (model->strength_channel != RBL_CHANNEL_NONE && !is_mesh)
		complain(r, &channel, "only meshes have vertex colours");
	if (!clusters.value)
		return;
	if (model->kind == SCENE_PLANE)
		complain(r, &clusters, "a plane has no parts");
	model->clusters = read_items(r, at, "clusters", true, sizeof *model->clusters, read_cluster,
	                             &model->cluster_count);
	if (model->cluster_count < 1 || model->cluster_count > RBL_MAX_CLUSTER_LEVELS)
		complain(r, &clusters, "a list of 1 to %d objects is needed", RBL_MAX_CLUSTER_LEVELS);
	bool is_cut = false;
	for (int i = 0; i < model->cluster_count && r->status == STATUS_OK; ++i) {
		place one = element(&clusters, (size_t)i);
		const scene_cluster *c = &model->clusters[i];
		is_cut |= c->count == 0;
		if (i > 0 && c->count > 0 && c[-1].count > c->count)
			complain(r, &one, "it has fewer clusters than the level before");
		if (c->count == 0 && model->kind == SCENE_BOXES)
			complain(r, &one, "boxes are parts already, which no pattern cuts: give a count");
	}
	if (!is_mesh && model->kind != SCENE_BOXES && !is_cut)
		complain(r, &clusters,
		         "only models of boxes, a shape or a file have several parts: give a pattern");
}
