// SPDX-License-Identifier: MIT
//
// What films have besides shapes: materials with their textures, copied from scenes, and extras of
// objects.
//
// Materials of a scene name textures by index, textures name images and samplers. In a film the
// lists of several scenes follow each other, so every index is moved on by what was there before,
// also in texts of extensions.

#include "io/film.h"

#include <stdio.h>

// --- indices in texts ------------------------------------------------------------------------

// Append the source of a value, with indices of textures moved on: a number `index` in an object
// under a key that ends in "Texture", or `source` in an extension of a texture.
static void shift_value(rbl_io_output *out, const rbl_json_document *document,
                        const rbl_json *value, const char *index_key, int shift, int depth)
{
	rbl_json_source source = rbl_json_get_source(document, value);
	rbl_json_type type = rbl_json_get_type(value);
	if ((type != RBL_JSON_OBJECT && type != RBL_JSON_LIST) || depth > 16) {
		rbl_io_put(out, source.text, source.size);
		return;
	}
	// What stands between the values is copied as it is.
	const char *at = source.text;
	for (int i = 0; i < rbl_json_count(value); ++i) {
		const rbl_json *item = rbl_json_item(value, i);
		rbl_json_source part = rbl_json_get_source(document, item);
		const char *key = rbl_json_key(value, i);
		int64_t number;
		rbl_io_put(out, at, (size_t)(part.text - at));
		at = part.text + part.size;
		if (key && index_key && strcmp(key, index_key) == 0 &&
		    rbl_json_get_integer(item, &number)) {
			rbl_io_put_int(out, (int)number + shift);
			continue;
		}
		size_t length = key ? strlen(key) : 0;
		bool is_use = length >= 7 && strcmp(key + length - 7, "Texture") == 0;
		const char *next = index_key && strcmp(index_key, "source") == 0 ? index_key
		                   : is_use                                      ? "index"
		                                                                 : NULL;
		shift_value(out, document, item, next, shift, depth + 1);
	}
	rbl_io_put(out, at, (size_t)(source.text + source.size - at));
}

// A copy of a text, with indices moved on. @return NULL for NULL, or with the failure in memory
static const char *copy_shifted(rbl_film *film, const char *text, const char *key, int shift)
{
	if (!text)
		return NULL;
	if (shift == 0 || !key)
		return rbl_document_keep_text(film->looks, text, strlen(text));
	rbl_json_document *document = NULL;
	rbl_io_output out = { .memory = film->memory };
	const char *copy = NULL;
	if (rbl_parse_json(text, strlen(text), "extensions", &film->memory.allocator, &document) ==
	    RBL_OK)
		shift_value(&out, document, rbl_json_root(document),
		            strcmp(key, "source") == 0 ? key : NULL, shift, 0);
	if (document && out.memory.failure == RBL_OK)
		copy = rbl_document_keep_text(film->looks, (const char *)out.data, out.size);
	else
		film->looks->memory.failure = RBL_OUT_OF_MEMORY;
	rbl_io_free_output(&out);
	rbl_destroy_json(document);
	return copy;
}

static const char *copy_text(rbl_film *film, const char *text)
{
	return copy_shifted(film, text, NULL, 0);
}

// --- materials -------------------------------------------------------------------------------

static void copy_use(rbl_film *film, rbl_texture_use *use, int shift)
{
	use->texture += use->texture > 0 ? shift : 0;
	use->extensions = copy_text(film, use->extensions);
	use->extras = copy_text(film, use->extras);
}

static bool copy_material(rbl_film *film, const rbl_scene_material *from, int shift)
{
	rbl_scene_material made = *from;
	made.name = copy_text(film, from->name);
	made.extensions = copy_shifted(film, from->extensions, "Texture", shift);
	made.extras = copy_text(film, from->extras);
	copy_use(film, &made.base_color_texture, shift);
	copy_use(film, &made.metallic_roughness_texture, shift);
	copy_use(film, &made.normal_texture, shift);
	copy_use(film, &made.occlusion_texture, shift);
	copy_use(film, &made.emissive_texture, shift);
	return rbl_io_push(&film->looks->memory, &film->looks->materials, made);
}

static bool copy_lists(rbl_film *film, const rbl_scene *scene)
{
	rbl_document *to = film->looks;
	int textures = to->textures.count, samplers = to->samplers.count, images = to->images.count;
	bool is_good = true;
	for (int i = 0; i < scene->image_count && is_good; ++i) {
		rbl_scene_image made = scene->images[i];
		void *bytes = rbl_document_keep(to, made.size);
		if (bytes)
			memcpy(bytes, made.bytes, made.size);
		made.bytes = bytes;
		made.name = copy_text(film, made.name);
		made.mime_type = copy_text(film, made.mime_type);
		made.extras = copy_text(film, made.extras);
		is_good = rbl_io_push(&to->memory, &to->images, made);
	}
	for (int i = 0; i < scene->sampler_count && is_good; ++i) {
		rbl_scene_sampler made = scene->samplers[i];
		made.name = copy_text(film, made.name);
		made.extras = copy_text(film, made.extras);
		is_good = rbl_io_push(&to->memory, &to->samplers, made);
	}
	for (int i = 0; i < scene->texture_count && is_good; ++i) {
		rbl_scene_texture made = scene->textures[i];
		made.name = copy_text(film, made.name);
		made.image += made.image > 0 ? images : 0;
		made.sampler += made.sampler > 0 ? samplers : 0;
		made.extensions = copy_shifted(film, made.extensions, "source", images);
		made.extras = copy_text(film, made.extras);
		is_good = rbl_io_push(&to->memory, &to->textures, made);
	}
	for (int i = 0; i < scene->material_count && is_good; ++i)
		is_good = copy_material(film, &scene->materials[i], textures);
	return is_good && to->memory.failure == RBL_OK;
}

static rbl_result fail_looks(rbl_film *film)
{
	if (film->looks)
		film->looks->memory.failure = RBL_OK;
	film->memory.failure = RBL_OK;
	return rbl_io_fail(RBL_OUT_OF_MEMORY, "film: out of memory");
}

rbl_result rbl_film_add_materials(rbl_film *film, const rbl_scene *scene, int *offset)
{
	if (!film || !scene || !offset)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film, scene or offset is NULL");
	rbl_scene looks = *scene; // the rest is not copied, and need not be checked
	looks.mesh_count = looks.node_count = looks.animation_count = looks.camera_count = 0;
	looks.mesh_labels = NULL, looks.extensions = looks.extras = NULL;
	rbl_result result = rbl_io_check_scene(&looks, &film->memory);
	if (result != RBL_OK)
		return result;
	if (!film->looks && !(film->looks = rbl_document_create(&film->memory)))
		return fail_looks(film);
	rbl_document *to = film->looks;
	int counts[4] = { to->materials.count, to->textures.count, to->samplers.count,
		              to->images.count };
	if (!copy_lists(film, scene)) { // what was there before stays
		to->materials.count = counts[0], to->textures.count = counts[1];
		to->samplers.count = counts[2], to->images.count = counts[3];
		return fail_looks(film);
	}
	*offset = counts[0];
	return RBL_OK;
}

// --- extras ----------------------------------------------------------------------------------

rbl_result rbl_film_set_extras(rbl_film *film, int object, const char *extras)
{
	if (!film || object < 0 || object >= film->objects.count)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "object %d is not there", object);
	rbl_scene_node node = rbl_default_scene_node();
	node.extras = extras;
	rbl_scene scene = { .node_count = 1, .nodes = &node };
	rbl_result result = rbl_io_check_scene(&scene, &film->memory);
	if (result != RBL_OK)
		return result;
	if (!film->looks && !(film->looks = rbl_document_create(&film->memory)))
		return fail_looks(film);
	const char *copy = copy_text(film, extras);
	if (film->looks->memory.failure != RBL_OK)
		return fail_looks(film);
	film->objects.data[object].extras = copy;
	return RBL_OK;
}
