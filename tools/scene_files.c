// SPDX-License-Identifier: MIT
//
// Files that models of a scene name. They lie in the scene's folder or below, unless the user says
// otherwise.

#include "scene_files.h"

#include "asset_files.h"
#include "errors.h"
#include "files.h"
#include "node_transform.h"
#include "progress.h"
#include "repair_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rbl_read_def read_def_of(const scene_file *scene)
{
	rbl_read_def def = rbl_default_read_def();
	def.within = scene->reads_outside ? NULL : scene->folder;
	def.allow_outside = scene->reads_outside;
	return def;
}

// Replace a mesh by its repaired form.
static rbl_result repair_model(const scene_model *model, rbl_mesh **mesh)
{
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report report;
	rbl_mesh *repaired = NULL;
	progress line;
	progress_begin(&line, "repairing");
	rbl_result result = rbl_mesh_repair(*mesh, &def, &repaired, &report);
	progress_end(&line);
	rbl_destroy_mesh(*mesh);
	*mesh = repaired;
	if (result == RBL_OK && !report.is_unchanged) {
		say("models.%s: ", model->name);
		print_repair_line(&report);
	}
	return result;
}

static rbl_result load_asset(const char *path, const rbl_read_def *def, rbl_mesh **mesh,
                             rbl_asset **asset)
{
	rbl_file_bytes bytes;
	rbl_result result = rbl_read_file(path, def, &bytes);
	if (result == RBL_OK)
		result = rbl_asset_load(bytes.data, bytes.size, NULL, asset);
	rbl_free_bytes(&bytes);
	if (result == RBL_OK)
		result = compound_mesh(rbl_asset_get_compound(*asset), NULL, NULL, mesh);
	return result;
}

static void path_of_model(const scene_file *scene, const scene_model *model, char *path,
                          size_t capacity)
{
	snprintf(path, capacity, "%s%s", model->text[0] == '/' ? "" : scene->folder, model->text);
}

rbl_result read_model_document(const scene_file *scene, const scene_model *model,
                               rbl_document **document)
{
	rbl_read_def def = read_def_of(scene);
	char path[2100];
	path_of_model(scene, model, path, sizeof path);
	*document = NULL;
	if (model->kind != SCENE_FILE || is_asset_file(path) ||
	    rbl_file_format_of_name(path) != RBL_FORMAT_GLTF)
		return RBL_OK;
	return rbl_read_document(path, &def, document);
}

rbl_result read_inner_texture(const scene_file *scene, const scene_material *material,
                              texture_look *look)
{
	rbl_read_def def = read_def_of(scene);
	char path[2100];
	const char *text = material->inner_texture;
	snprintf(path, sizeof path, "%s%s", text[0] == '/' ? "" : scene->folder, text);
	return read_texture_look(path, &def, material->name, look);
}

rbl_result read_model_file(const scene_file *scene, const scene_model *model, rbl_mesh **mesh,
                           rbl_asset **asset)
{
	rbl_read_def def = read_def_of(scene);
	char path[2100];
	path_of_model(scene, model, path, sizeof path);
	*mesh = NULL, *asset = NULL;
	if (is_asset_file(path)) {
		bool is_changed = model->scale != 1.0 || model->up_axis != RBL_AXIS_Y || model->is_split ||
		                  model->is_repaired || model->node_count > 0 || model->cluster_count > 0 ||
		                  model->strength_channel != RBL_CHANNEL_NONE || model->slot_count > 0;
		if (is_changed) {
			rbl_log_text(
				RBL_LOG_ERROR,
				"scale, up_axis, split, repair, node_count, clusters, strength_channel and "
				"materials are for mesh files: an asset is taken as it was prepared");
			return RBL_BAD_ARGUMENT;
		}
		return load_asset(path, &def, mesh, asset);
	}
	def.scale = model->scale, def.up = model->up_axis;
	def.keep_sources = true;
	def.material_offset = (int)(model - scene->models) * MODEL_SOURCES;
	rbl_result result = rbl_read_mesh(path, &def, mesh);
	if (result == RBL_OK && (scene->repairs || model->is_repaired))
		result = repair_model(model, mesh);
	return result;
}

// --- nodes --------------------------------------------------------------------------------------

// Whether a name fits a pattern, where * stands for anything.
static bool matches(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL;
	while (*name) {
		if (*pattern == '*')
			star = pattern++, from = name;
		else if (*pattern == *name)
			pattern++, name++;
		else if (star)
			pattern = star + 1, name = ++from;
		else
			return false;
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool node_is_chosen(const rbl_scene *scene, int node, const char *pattern)
{
	if (!pattern || !*pattern)
		return true;
	for (; node >= 0; node = scene->nodes[node].parent)
		if (scene->nodes[node].name && matches(pattern, scene->nodes[node].name))
			return true;
	return false;
}

static rbl_result place_nodes(const scene_file *scene, const scene_model *model,
                              const rbl_scene *from, placement *places, rbl_mesh **meshes,
                              char (*names)[SCENE_NAME_LENGTH], int *count)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < from->node_count && result == RBL_OK; ++i) {
		const rbl_scene_node *node = &from->nodes[i];
		placement own = node_placement(node), whole = { { { model->scale, 0.0, 0.0, 0.0 },
			                                              { 0.0, model->scale, 0.0, 0.0 },
			                                              { 0.0, 0.0, model->scale, 0.0 } } };
		places[i] = join_placements(node->parent >= 0 ? &places[node->parent] : &whole, &own);
		double size = placement_determinant(&places[i]);
		if (node->mesh < 0 || size == 0.0 || !node_is_chosen(from, i, model->node_pattern))
			continue;
		if (!(size > 0.0)) {
			char text[200];
			snprintf(text, sizeof text, "node '%.60s' is mirrored: apply its scale first",
			         node->name ? node->name : "");
			rbl_log_text(RBL_LOG_ERROR, text);
			return RBL_UNSUPPORTED;
		}
		result = place_mesh(from->meshes[node->mesh], &places[i], &meshes[*count]);
		if (result != RBL_OK)
			break;
		snprintf(names[*count], SCENE_NAME_LENGTH, "%.60s",
		         node->name && *node->name ? node->name : model->name);
		++*count;
		if (scene->repairs || model->is_repaired)
			result = repair_model(model, &meshes[*count - 1]);
	}
	return result;
}

rbl_result read_model_nodes(const scene_file *scene, const scene_model *model, rbl_mesh ***meshes,
                            char (**names)[SCENE_NAME_LENGTH], int *count)
{
	rbl_read_def def = read_def_of(scene);
	rbl_document *document = NULL;
	char path[2100];
	path_of_model(scene, model, path, sizeof path);
	*meshes = NULL, *names = NULL, *count = 0;
	def.material_offset = (int)(model - scene->models) * MODEL_SOURCES;
	rbl_result result = rbl_read_document(path, &def, &document);
	rbl_scene from = rbl_document_get_scene(document);
	size_t capacity = (size_t)from.node_count + 1;
	placement *places = malloc(capacity * sizeof *places);
	*meshes = calloc(capacity, sizeof **meshes);
	*names = calloc(capacity, sizeof **names);
	if (result == RBL_OK && (!places || !*meshes || !*names))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = place_nodes(scene, model, &from, places, *meshes, *names, count);
	if (result == RBL_OK && *count == 0) {
		rbl_log_text(RBL_LOG_ERROR, *model->node_pattern ? "no node of that name has a mesh"
		                                                 : "no node has a mesh");
		result = RBL_BAD_FILE;
	}
	free(places);
	rbl_destroy_document(document);
	return result;
}
