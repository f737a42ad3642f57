// SPDX-License-Identifier: MIT
//
// Files that models of a scene name. They lie in the scene's folder or below, unless the user says
// otherwise.

#include "scene_files.h"

#include "asset_files.h"
#include "errors.h"
#include "files.h"
#include "progress.h"
#include "repair_report.h"

#include <stdio.h>

static rbl_read_def read_def_of(const scene_file *scene)
{
	rbl_read_def def = rbl_default_read_def();
	def.within = scene->reads_outside ? NULL : scene->folder;
	def.allow_outside = scene->reads_outside;
	return def;
}

// Replace a mesh by its repaired form.
static rbl_result repair_mesh(const scene_model *model, rbl_mesh **mesh)
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
		result = compound_mesh(rbl_asset_get_compound(*asset), mesh);
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

rbl_result read_model_file(const scene_file *scene, const scene_model *model, rbl_mesh **mesh,
                           rbl_asset **asset)
{
	rbl_read_def def = read_def_of(scene);
	char path[2100];
	path_of_model(scene, model, path, sizeof path);
	*mesh = NULL, *asset = NULL;
	if (is_asset_file(path)) {
		if (model->scale != 1.0 || model->up_axis != RBL_AXIS_Y || model->is_split) {
			rbl_log_text(RBL_LOG_ERROR,
			             "scale, up_axis and split are for mesh files, not for assets");
			return RBL_BAD_ARGUMENT;
		}
		return load_asset(path, &def, mesh, asset);
	}
	def.scale = model->scale, def.up = model->up_axis;
	def.keep_sources = true;
	def.material_offset = (int)(model - scene->models) * MODEL_SOURCES;
	rbl_result result = rbl_read_mesh(path, &def, mesh);
	if (result == RBL_OK && (scene->repairs || model->is_repaired))
		result = repair_mesh(model, mesh);
	return result;
}
