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

// --- nodes --------------------------------------------------------------------------------------

// A placement: three rows of a linear map and a translation.
typedef struct placement {
	double m[3][4];
} placement;

static placement local_placement(const rbl_scene_node *node)
{
	placement p;
	if (node->matrix) {
		for (int i = 0; i < 12; ++i)
			p.m[i / 4][i % 4] = (double)node->matrix[4 * (i % 4) + i / 4];
		return p;
	}
	double x = (double)node->rotation.x, y = (double)node->rotation.y, z = (double)node->rotation.z,
		   w = (double)node->rotation.w;
	const double r[3][3] = {
		{ 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w) },
		{ 2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w) },
		{ 2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y) },
	};
	const double scale[3] = { (double)node->scale.x, (double)node->scale.y, (double)node->scale.z };
	const double move[3] = { (double)node->translation.x, (double)node->translation.y,
		                     (double)node->translation.z };
	for (int i = 0; i < 3; ++i) {
		for (int k = 0; k < 3; ++k)
			p.m[i][k] = r[i][k] * scale[k];
		p.m[i][3] = move[i];
	}
	return p;
}

static placement join(const placement *a, const placement *b)
{
	placement p;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 4; ++k) {
			p.m[i][k] = k == 3 ? a->m[i][3] : 0.0;
			for (int n = 0; n < 3; ++n)
				p.m[i][k] += a->m[i][n] * b->m[n][k];
		}
	return p;
}

static double minor(const placement *p, int i, int k)
{
	int a = (i + 1) % 3, b = (i + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
	return p->m[a][c] * p->m[b][d] - p->m[a][d] * p->m[b][c];
}

static double determinant(const placement *p)
{
	return p->m[0][0] * minor(p, 0, 0) + p->m[0][1] * minor(p, 0, 1) + p->m[0][2] * minor(p, 0, 2);
}

// Copy a mesh to its place. Tangents and attributes of one's own stay where it is only moved.
static rbl_result place_mesh(const rbl_mesh *mesh, const placement *p, rbl_mesh **placed)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3d *positions = malloc((size_t)def.data.vertex_count * sizeof *positions + 1);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals + 1);
	rbl_result result = positions && normals ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int v = 0; result == RBL_OK && v < def.data.vertex_count; ++v) {
		const rbl_vec3d from = def.data.positions[v];
		double to[3];
		for (int i = 0; i < 3; ++i)
			to[i] = p->m[i][0] * from.x + p->m[i][1] * from.y + p->m[i][2] * from.z + p->m[i][3];
		positions[v] = (rbl_vec3d){ to[0], to[1], to[2] };
	}
	for (int c = 0; result == RBL_OK && def.data.corner_normals && c < def.data.corner_count; ++c) {
		const rbl_vec3 from = def.data.corner_normals[c];
		double to[3], square = 0.0;
		for (int i = 0; i < 3; ++i) {
			to[i] = minor(p, i, 0) * (double)from.x + minor(p, i, 1) * (double)from.y +
			        minor(p, i, 2) * (double)from.z;
			square += to[i] * to[i];
		}
		double length = square > 0.0 ? sqrt(square) : 1.0;
		normals[c] =
			(rbl_vec3){ (float)(to[0] / length), (float)(to[1] / length), (float)(to[2] / length) };
	}
	bool is_moved = true;
	for (int i = 0; i < 9; ++i)
		is_moved &= p->m[i / 3][i % 3] == (i / 3 == i % 3 ? 1.0 : 0.0);
	if (!is_moved) {
		def.data.attribute_count = def.data.attribute_width = 0;
		def.data.corner_attributes = NULL;
	}
	def.data.positions = positions;
	if (def.data.corner_normals)
		def.data.corner_normals = normals;
	if (result == RBL_OK)
		result = rbl_create_mesh(&def, placed);
	free(positions);
	free(normals);
	return result;
}

static rbl_result place_nodes(const scene_file *scene, const scene_model *model,
                              const rbl_scene *from, placement *places, rbl_mesh **meshes,
                              char (*names)[SCENE_NAME_LENGTH], int *count)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < from->node_count && result == RBL_OK; ++i) {
		const rbl_scene_node *node = &from->nodes[i];
		placement own = local_placement(node), whole = { { { model->scale, 0.0, 0.0, 0.0 },
			                                               { 0.0, model->scale, 0.0, 0.0 },
			                                               { 0.0, 0.0, model->scale, 0.0 } } };
		places[i] = join(node->parent >= 0 ? &places[node->parent] : &whole, &own);
		double size = determinant(&places[i]);
		if (node->mesh < 0 || size == 0.0)
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
			result = repair_mesh(model, &meshes[*count - 1]);
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
		rbl_log_text(RBL_LOG_ERROR, "no node has a mesh");
		result = RBL_BAD_FILE;
	}
	free(places);
	rbl_destroy_document(document);
	return result;
}
