// SPDX-License-Identifier: MIT
//
// Nodes and textures of a glTF file, for `rubble info`.

#include "info.h"

#include "errors.h"
#include "files.h"

#include <rubble/io.h>

#include <stdio.h>

enum { MAX_SHOWN_NODES = 20 }; // in a table; JSON has all

static const char *text_or(const char *text, const char *otherwise)
{
	return text && *text ? text : otherwise;
}

static const rbl_scene_image *image_of(const rbl_scene *scene, const rbl_scene_texture *texture)
{
	return texture->image > 0 ? &scene->images[texture->image - 1] : NULL;
}

static void print_json_lists(const rbl_scene *scene)
{
	printf("  \"nodes\": [");
	for (int i = 0; i < scene->node_count; ++i) {
		const rbl_scene_node *node = &scene->nodes[i];
		printf("%s\n    { \"name\": ", i > 0 ? "," : "");
		print_json_text(text_or(node->name, ""));
		printf(", \"parent\": %d, \"mesh\": %d }", node->parent, node->mesh);
	}
	printf("%s],\n  \"textures\": [", scene->node_count > 0 ? "\n  " : "");
	for (int i = 0; i < scene->texture_count; ++i) {
		const rbl_scene_image *image = image_of(scene, &scene->textures[i]);
		printf("%s\n    { \"name\": ", i > 0 ? "," : "");
		print_json_text(text_or(scene->textures[i].name, image ? text_or(image->name, "") : ""));
		printf(", \"type\": ");
		print_json_text(image ? image->mime_type : "");
		printf(", \"bytes\": %zu }", image ? image->size : (size_t)0);
	}
	printf("%s],\n  \"animations\": %d,\n  \"cameras\": %d,\n",
	       scene->texture_count > 0 ? "\n  " : "", scene->animation_count, scene->camera_count);
}

static void print_table_lists(const rbl_scene *scene)
{
	for (int i = 0; i < scene->texture_count; ++i) {
		const rbl_scene_image *image = image_of(scene, &scene->textures[i]);
		const char *name = text_or(scene->textures[i].name, image ? image->name : NULL);
		printf("%-17s %s: %s, %zu bytes\n", i == 0 ? "textures" : "", text_or(name, "unnamed"),
		       image ? image->mime_type : "no image", image ? image->size : (size_t)0);
	}
	printf("nodes             %d\n", scene->node_count);
	for (int i = 0; i < scene->node_count && i < MAX_SHOWN_NODES; ++i) {
		const rbl_scene_node *node = &scene->nodes[i];
		printf("%-17s %s%s%s\n", "", text_or(node->name, "unnamed"),
		       node->parent >= 0 ? ", in " : "",
		       node->parent >= 0 ? text_or(scene->nodes[node->parent].name, "unnamed") : "");
	}
	if (scene->node_count > MAX_SHOWN_NODES)
		printf("%-17s and %d more (--json lists all)\n", "", scene->node_count - MAX_SHOWN_NODES);
	if (scene->animation_count > 0)
		printf("animations        %d\n", scene->animation_count);
	if (scene->camera_count > 0)
		printf("cameras           %d\n", scene->camera_count);
}

int print_scene_info(const char *path, bool is_json)
{
	rbl_document *document = NULL;
	rbl_result result = read_document(path, NULL, &document);
	if (result != RBL_OK)
		return fail_with(result, path);
	rbl_scene scene = rbl_document_get_scene(document);
	if (is_json)
		print_json_lists(&scene);
	else
		print_table_lists(&scene);
	rbl_destroy_document(document);
	return STATUS_OK;
}
