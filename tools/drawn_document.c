// SPDX-License-Identifier: MIT
//
// A glTF file as it is at a time: nodes are moved by its animations, and all that has a size is added
// to a film where it is.

#include "drawn_file.h"

#include "errors.h"
#include "files.h"
#include "node_transform.h"
#include "scene_prefabs.h"

#include <math.h>
#include <stdlib.h>

// The value of a track at a time: linear or by steps; rotations are normalized by their reader.
static void sample(const rbl_scene_track *track, double time, float *value)
{
	int width = track->path == RBL_TRACK_ROTATION ? 4 : 3, after = 0;
	while (after < track->key_count && (double)track->times[after] <= time)
		++after;
	int to = after < track->key_count ? after : track->key_count - 1;
	int from = after > 0 ? after - 1 : 0;
	double span = (double)track->times[to] - (double)track->times[from];
	double share =
		span > 0.0 && !track->has_steps ? (time - (double)track->times[from]) / span : 0.0;
	const float *a = track->values + (size_t)from * (size_t)width;
	const float *b = track->values + (size_t)to * (size_t)width;
	double sign = 1.0, dot = 0.0, square = 0.0;
	for (int k = 0; k < width; ++k)
		dot += (double)a[k] * (double)b[k];
	if (width == 4 && dot < 0.0)
		sign = -1.0; // the shorter way
	for (int k = 0; k < width; ++k) {
		value[k] = (float)((double)a[k] + share * (sign * (double)b[k] - (double)a[k]));
		square += (double)value[k] * (double)value[k];
	}
	for (int k = 0; k < width && width == 4 && square > 0.0; ++k)
		value[k] = (float)((double)value[k] / sqrt(square));
}

static void move_nodes(const rbl_scene *scene, double time, rbl_scene_node *nodes)
{
	for (int a = 0; a < scene->animation_count; ++a) {
		for (int i = 0; i < scene->animations[a].track_count; ++i) {
			const rbl_scene_track *track = &scene->animations[a].tracks[i];
			rbl_scene_node *node = &nodes[track->node];
			sample(track, time,
			       track->path == RBL_TRACK_TRANSLATION ? &node->translation.x
			       : track->path == RBL_TRACK_ROTATION  ? &node->rotation.x
			                                            : &node->scale.x);
		}
	}
}

static rbl_result add_placed(rbl_film *film, const rbl_mesh *mesh, const placement *place)
{
	const rbl_transform here = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	const rbl_mesh_material grey = { .name = "grey", .base_color = { 0.6f, 0.6f, 0.6f, 1.0f } };
	rbl_mesh *placed = NULL;
	int index, object;
	rbl_result result = place_mesh(mesh, place, &placed);
	rbl_mesh *shaded = result == RBL_OK ? mesh_with_material(placed, &grey, false, false) : NULL;
	rbl_destroy_mesh(placed);
	if (result == RBL_OK)
		result = shaded ? rbl_film_add_mesh(film, shaded, &index) : RBL_OUT_OF_MEMORY;
	return result == RBL_OK ? rbl_film_add_object(film, index, here, &object) : result;
}

int film_of_document(const char *path, double time, rbl_film *film)
{
	rbl_document *document = NULL;
	rbl_result result = read_document(path, NULL, &document);
	if (result != RBL_OK)
		return fail_with(result, path);
	rbl_scene scene = rbl_document_get_scene(document);
	size_t count = (size_t)scene.node_count + 1;
	rbl_scene_node *nodes = malloc(count * sizeof *nodes);
	placement *places = malloc(count * sizeof *places);
	result = nodes && places ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < scene.node_count && result == RBL_OK; ++i)
		nodes[i] = scene.nodes[i];
	if (result == RBL_OK)
		move_nodes(&scene, time, nodes);
	int shown = 0;
	for (int i = 0; i < scene.node_count && result == RBL_OK; ++i) {
		placement own = node_placement(&nodes[i]);
		places[i] = nodes[i].parent >= 0 ? join_placements(&places[nodes[i].parent], &own) : own;
		double size = placement_determinant(&places[i]);
		if (nodes[i].mesh < 0 || !(fabs(size) > 0.0))
			continue;
		result = add_placed(film, scene.meshes[nodes[i].mesh], &places[i]);
		shown++;
	}
	free(nodes);
	free(places);
	rbl_destroy_document(document);
	if (result != RBL_OK)
		return fail_with(result, path);
	return shown > 0 ? STATUS_OK : fail("%s: it shows nothing at %g s", path, time);
}
