// SPDX-License-Identifier: MIT
//
// Validating scenes, so that the writer can rely on them.

#include "io/io.h"

#include <rubble/json.h>

#include <math.h>

static bool are_finite(const float *values, int64_t count)
{
	for (int64_t i = 0; i < count; ++i) {
		if (!(values[i] - values[i] == 0.0f))
			return false;
	}
	return true;
}

static bool has_direction(const float *q)
{
	float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
	return square > 1e-12f && square < 1e12f;
}

// JSON that is handed on must be JSON.
static rbl_result check_json(const char *text, bool is_object, const char *what, int index,
                             rbl_io_memory *memory)
{
	rbl_json_document *document = NULL;
	if (!text)
		return RBL_OK;
	rbl_result result = rbl_parse_json(text, strlen(text), what, &memory->allocator, &document);
	if (result == RBL_OK && is_object &&
	    rbl_json_get_type(rbl_json_root(document)) != RBL_JSON_OBJECT)
		result = RBL_BAD_FILE;
	rbl_destroy_json(document);
	return result == RBL_BAD_FILE
	           ? rbl_io_fail(RBL_BAD_ARGUMENT, "%s %d: extensions or extras are no JSON%s", what,
	                         index, is_object ? " object" : "")
	           : result;
}

static rbl_result check_instances(const rbl_scene_node *node, int index)
{
	if (node->instance_count == 0)
		return RBL_OK;
	int64_t count = node->instance_count;
	const float *t = (const float *)node->instance_translations,
				*q = (const float *)node->instance_rotations,
				*s = (const float *)node->instance_scales;
	bool is_good = count > 0 && node->mesh >= 0 && (t || q || s) &&
	               (!t || are_finite(t, 3 * count)) && (!s || are_finite(s, 3 * count)) &&
	               (!q || are_finite(q, 4 * count));
	for (int64_t i = 0; is_good && q && i < count; ++i)
		is_good = has_direction(q + 4 * i);
	return is_good
	           ? RBL_OK
	           : rbl_io_fail(RBL_BAD_ARGUMENT, "the instances of node %d are not usable", index);
}

static rbl_result check_nodes(const rbl_scene *scene, rbl_io_memory *memory)
{
	for (int i = 0; i < scene->node_count; ++i) {
		const rbl_scene_node *node = &scene->nodes[i];
		if (node->mesh < -1 || node->mesh >= scene->mesh_count)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "node %d names mesh %d of %d", i, node->mesh,
			                   scene->mesh_count);
		if (node->parent < -1 || node->parent >= i)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "node %d has parent %d, which is not before it", i,
			                   node->parent);
		if (!are_finite(&node->translation.x, 3) || !are_finite(&node->rotation.x, 4) ||
		    !are_finite(&node->scale.x, 3) || !has_direction(&node->rotation.x))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "the placement of node %d is not usable", i);
		if (node->matrix && !are_finite(node->matrix, 16))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "the matrix of node %d is not usable", i);
		if (node->camera < 0 || node->camera > scene->camera_count)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "node %d names camera %d of %d", i, node->camera,
			                   scene->camera_count);
		rbl_result result = check_instances(node, i);
		if (result == RBL_OK)
			result = check_json(node->extensions, true, "node", i, memory);
		if (result == RBL_OK)
			result = check_json(node->extras, false, "node", i, memory);
		if (result != RBL_OK)
			return result;
	}
	return RBL_OK;
}

static rbl_result check_track(const rbl_scene *scene, const rbl_scene_track *track,
                              unsigned char *animated)
{
	if (track->node < 0 || track->node >= scene->node_count)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a track names node %d of %d", track->node,
		                   scene->node_count);
	if ((unsigned)track->path > RBL_TRACK_SCALE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a track of node %d has path %d", track->node,
		                   (int)track->path);
	if (animated[track->node] & 1u << track->path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "node %d has two tracks of one path", track->node);
	animated[track->node] |= (unsigned char)(1u << track->path);
	int width = track->path == RBL_TRACK_ROTATION ? 4 : 3;
	if (track->key_count < 1 || !track->times || !track->values)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a track of node %d has no keys", track->node);
	if (!are_finite(track->times, track->key_count) || !(track->times[0] >= 0.0f) ||
	    !are_finite(track->values, (int64_t)track->key_count * width))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a key of node %d is not usable", track->node);
	for (int i = 1; i < track->key_count; ++i) {
		if (!(track->times[i] > track->times[i - 1]))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "key %d of node %d is not after the one before", i,
			                   track->node);
	}
	for (int i = 0; width == 4 && i < track->key_count; ++i) {
		if (!has_direction(track->values + (size_t)i * 4))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "rotation %d of node %d is not usable", i,
			                   track->node);
	}
	return RBL_OK;
}

static rbl_result check_animations(const rbl_scene *scene, rbl_io_memory *memory)
{
	if (scene->animation_count == 0)
		return RBL_OK;
	unsigned char *animated = RBL_IO_NEW(memory, unsigned char, scene->node_count);
	if (!animated)
		return rbl_io_fail_memory(memory, "scene");
	rbl_result result = RBL_OK;
	for (int a = 0; a < scene->animation_count && result == RBL_OK; ++a) {
		const rbl_scene_animation *animation = &scene->animations[a];
		memset(animated, 0, (size_t)scene->node_count);
		result = check_json(animation->extras, false, "animation", a, memory);
		if (animation->track_count < 0 || (animation->track_count > 0 && !animation->tracks))
			result = rbl_io_fail(RBL_BAD_ARGUMENT, "animation %d has no tracks", a);
		for (int i = 0; i < animation->track_count && result == RBL_OK; ++i)
			result = check_track(scene, &animation->tracks[i], animated);
	}
	RBL_IO_FREE(memory, animated, scene->node_count);
	return result;
}

// --- looks -----------------------------------------------------------------------------------

static rbl_result check_material(const rbl_scene *scene, int index, rbl_io_memory *memory)
{
	const rbl_scene_material *m = &scene->materials[index];
	const rbl_texture_use *const uses[] = { &m->base_color_texture, &m->metallic_roughness_texture,
		                                    &m->normal_texture, &m->occlusion_texture,
		                                    &m->emissive_texture };
	const float numbers[10] = { m->base_color.x, m->base_color.y, m->base_color.z, m->base_color.w,
		                        m->metallic,     m->roughness,    m->emissive.x,   m->emissive.y,
		                        m->emissive.z,   m->alpha_cutoff };
	if (!are_finite(numbers, 10) || (unsigned)m->alpha_mode > RBL_ALPHA_BLEND)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a number of material %d is not usable", index);
	rbl_result result = check_json(m->extensions, true, "material", index, memory);
	if (result == RBL_OK)
		result = check_json(m->extras, false, "material", index, memory);
	for (size_t k = 0; k < sizeof uses / sizeof uses[0] && result == RBL_OK; ++k) {
		if (uses[k]->texture < 0 || uses[k]->texture > scene->texture_count ||
		    uses[k]->uv_set < 0 || !are_finite(&uses[k]->factor, 1))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "material %d names texture %d of %d", index,
			                   uses[k]->texture, scene->texture_count);
		result = check_json(uses[k]->extensions, true, "material", index, memory);
		if (result == RBL_OK)
			result = check_json(uses[k]->extras, false, "material", index, memory);
	}
	return result;
}

static rbl_result check_image(const rbl_scene_image *image, int index)
{
	static const char *const types[] = { "image/png", "image/jpeg", "image/webp", "image/ktx2" };
	bool is_known = false;
	for (size_t k = 0; image->mime_type && k < sizeof types / sizeof types[0]; ++k)
		is_known |= strcmp(image->mime_type, types[k]) == 0;
	return is_known && image->bytes && image->size > 0
	           ? RBL_OK
	           : rbl_io_fail(RBL_BAD_ARGUMENT, "image %d is empty or of no known type", index);
}

static rbl_result check_looks(const rbl_scene *scene, rbl_io_memory *memory)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < scene->image_count && result == RBL_OK; ++i) {
		result = check_image(&scene->images[i], i);
		if (result == RBL_OK)
			result = check_json(scene->images[i].extras, false, "image", i, memory);
	}
	for (int i = 0; i < scene->sampler_count && result == RBL_OK; ++i)
		result = check_json(scene->samplers[i].extras, false, "sampler", i, memory);
	for (int i = 0; i < scene->texture_count && result == RBL_OK; ++i) {
		const rbl_scene_texture *one = &scene->textures[i];
		if (one->image < 0 || one->image > scene->image_count || one->sampler < 0 ||
		    one->sampler > scene->sampler_count)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "texture %d names an image or sampler beyond", i);
		result = check_json(one->extensions, true, "texture", i, memory);
		if (result == RBL_OK)
			result = check_json(one->extras, false, "texture", i, memory);
	}
	for (int i = 0; i < scene->material_count && result == RBL_OK; ++i)
		result = check_material(scene, i, memory);
	for (int i = 0; i < scene->camera_count && result == RBL_OK; ++i)
		result = check_json(scene->cameras[i], true, "camera", i, memory);
	for (int i = 0; i < scene->mesh_count && scene->mesh_labels && result == RBL_OK; ++i) {
		const rbl_scene_label *label = &scene->mesh_labels[i];
		int slot_count = label->slots ? rbl_mesh_get_data(scene->meshes[i]).material_count : 0;
		result = check_json(label->extras, false, "mesh", i, memory);
		for (int k = 0; k < slot_count && result == RBL_OK; ++k) {
			result = check_json(label->slots[k].extensions, true, "mesh", i, memory);
			if (result == RBL_OK)
				result = check_json(label->slots[k].extras, false, "mesh", i, memory);
		}
	}
	const char *const texts[3] = { scene->extensions, scene->file_extras, scene->asset_extras };
	for (int i = 0; i < 3 && result == RBL_OK; ++i)
		result = check_json(texts[i], i == 0, "scene", 0, memory);
	return result == RBL_OK ? check_json(scene->extras, false, "scene", 0, memory) : result;
}

rbl_result rbl_io_check_scene(const rbl_scene *scene, rbl_io_memory *memory)
{
	if (scene->mesh_count < 0 || scene->node_count < 0 || scene->animation_count < 0 ||
	    (scene->mesh_count > 0 && !scene->meshes) || (scene->node_count > 0 && !scene->nodes) ||
	    (scene->animation_count > 0 && !scene->animations) || scene->material_count < 0 ||
	    scene->texture_count < 0 || scene->sampler_count < 0 || scene->image_count < 0 ||
	    scene->camera_count < 0 || (scene->material_count > 0 && !scene->materials) ||
	    (scene->texture_count > 0 && !scene->textures) ||
	    (scene->sampler_count > 0 && !scene->samplers) ||
	    (scene->image_count > 0 && !scene->images) || (scene->camera_count > 0 && !scene->cameras))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a count of the scene is negative or has no array");
	for (int m = 0; m < scene->mesh_count; ++m) {
		if (!scene->meshes[m])
			return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh %d is NULL", m);
	}
	rbl_result result = check_nodes(scene, memory);
	if (result == RBL_OK)
		result = check_looks(scene, memory);
	return result == RBL_OK ? check_animations(scene, memory) : result;
}
