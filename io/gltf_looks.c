// SPDX-License-Identifier: MIT
//
// Materials, textures, samplers, images and cameras of a glTF document. Indices are checked, the
// bytes of images are copied as they are, and what only viewers understand is kept as text.

#include "io/document.h"

static bool keep_all(const char *name)
{
	(void)name;
	return true;
}

static bool is_out_of_memory(const rbl_document *document)
{
	return document->memory.failure != RBL_OK;
}

static rbl_result fail_document_memory(const rbl_gltf *gltf, const rbl_document *document)
{
	return rbl_io_fail_memory(&document->memory, gltf->source->name);
}

// An index of a list of the document, from 1. @return 0 without one, -1 where it is out of range
static int read_reference(const rbl_gltf *gltf, const rbl_json *object, const char *key,
                          const char *list)
{
	int64_t index = rbl_gltf_int(object, key, -1);
	if (!rbl_json_member(object, key))
		return 0;
	return index >= 0 && index < rbl_gltf_list_count(gltf, list) ? (int)index + 1 : -1;
}

static float read_factor(const rbl_json *object, const char *key, double fallback)
{
	return (float)rbl_json_number(rbl_json_member(object, key), fallback);
}

// --- materials -------------------------------------------------------------------------------

// @return false where it names a texture that is not there
static bool read_texture_use(rbl_gltf *gltf, rbl_document *document, const rbl_json *value,
                             const char *factor, rbl_texture_use *use)
{
	if (!value)
		return true;
	use->texture = read_reference(gltf, value, "index", "textures");
	int64_t uv_set = rbl_gltf_int(value, "texCoord", 0);
	if (use->texture <= 0 || uv_set < 0 || uv_set > 1000)
		return false;
	use->uv_set = (int)uv_set;
	if (factor)
		use->factor = read_factor(value, factor, 1.0);
	use->extensions = rbl_document_keep_extensions(document, gltf, value, keep_all, NULL);
	use->extras = rbl_document_keep_source(document, gltf, rbl_json_member(value, "extras"));
	return true;
}

static void read_alpha(const rbl_json *object, rbl_scene_material *made)
{
	const char *mode = rbl_json_text(rbl_json_member(object, "alphaMode"));
	if (mode && strcmp(mode, "MASK") == 0)
		made->alpha_mode = RBL_ALPHA_MASK;
	else if (mode && strcmp(mode, "BLEND") == 0)
		made->alpha_mode = RBL_ALPHA_BLEND;
	made->alpha_cutoff = read_factor(object, "alphaCutoff", 0.5);
	made->is_double_sided = rbl_json_is_true(rbl_json_member(object, "doubleSided"));
}

static rbl_result read_material(rbl_gltf *gltf, rbl_document *document, int index)
{
	const rbl_json *object = rbl_gltf_item(gltf, "materials", index);
	const rbl_json *pbr = rbl_json_member(object, "pbrMetallicRoughness");
	rbl_scene_material made = rbl_default_scene_material();
	double numbers[4];
	made.name = rbl_document_keep_name(document, rbl_json_member(object, "name"));
	if (rbl_gltf_numbers(rbl_json_member(pbr, "baseColorFactor"), numbers, 4))
		made.base_color = (rbl_vec4){ (float)numbers[0], (float)numbers[1], (float)numbers[2],
			                          (float)numbers[3] };
	if (rbl_gltf_numbers(rbl_json_member(object, "emissiveFactor"), numbers, 3))
		made.emissive = (rbl_vec3){ (float)numbers[0], (float)numbers[1], (float)numbers[2] };
	made.metallic = read_factor(pbr, "metallicFactor", 1.0);
	made.roughness = read_factor(pbr, "roughnessFactor", 1.0);
	read_alpha(object, &made);
	const struct {
		const rbl_json *value;
		const char *factor;
		rbl_texture_use *use;
	} uses[] = {
		{ rbl_json_member(pbr, "baseColorTexture"), NULL, &made.base_color_texture },
		{ rbl_json_member(pbr, "metallicRoughnessTexture"), NULL,
		  &made.metallic_roughness_texture },
		{ rbl_json_member(object, "normalTexture"), "scale", &made.normal_texture },
		{ rbl_json_member(object, "occlusionTexture"), "strength", &made.occlusion_texture },
		{ rbl_json_member(object, "emissiveTexture"), NULL, &made.emissive_texture },
	};
	for (size_t i = 0; i < sizeof uses / sizeof uses[0]; ++i)
		if (!read_texture_use(gltf, document, uses[i].value, uses[i].factor, uses[i].use))
			return rbl_gltf_fail(gltf, "materials", index, "names a texture that is not there");
	if (!object)
		return rbl_gltf_fail(gltf, "materials", index, "is no object");
	made.extensions = rbl_document_keep_extensions(document, gltf, object, keep_all, NULL);
	made.extras = rbl_document_keep_source(document, gltf, rbl_json_member(object, "extras"));
	if (!rbl_io_push(&document->memory, &document->materials, made) || is_out_of_memory(document))
		return fail_document_memory(gltf, document);
	return RBL_OK;
}

// --- textures --------------------------------------------------------------------------------

static rbl_result read_texture(rbl_gltf *gltf, rbl_document *document, int index)
{
	const rbl_json *object = rbl_gltf_item(gltf, "textures", index);
	if (!object)
		return rbl_gltf_fail(gltf, "textures", index, "is no object");
	rbl_scene_texture made = {
		.name = rbl_document_keep_name(document, rbl_json_member(object, "name")),
		.image = read_reference(gltf, object, "source", "images"),
		.sampler = read_reference(gltf, object, "sampler", "samplers"),
		.extensions = rbl_document_keep_extensions(document, gltf, object, keep_all, NULL),
		.extras = rbl_document_keep_source(document, gltf, rbl_json_member(object, "extras")),
	};
	if (made.image < 0 || made.sampler < 0)
		return rbl_gltf_fail(gltf, "textures", index,
		                     made.image < 0 ? "names an image that is not there"
		                                    : "names a sampler that is not there");
	if (!rbl_io_push(&document->memory, &document->textures, made) || is_out_of_memory(document))
		return fail_document_memory(gltf, document);
	return RBL_OK;
}

static rbl_result read_sampler(rbl_gltf *gltf, rbl_document *document, int index)
{
	const rbl_json *object = rbl_gltf_item(gltf, "samplers", index);
	static const char *const keys[4] = { "magFilter", "minFilter", "wrapS", "wrapT" };
	int numbers[4];
	for (int i = 0; i < 4; ++i) {
		int64_t number = rbl_gltf_int(object, keys[i], 0);
		if (!object || number < 0 || number > 65535)
			return rbl_gltf_fail(gltf, "samplers", index, "a filter or wrapping is no number");
		numbers[i] = (int)number;
	}
	rbl_scene_sampler made = {
		.name = rbl_document_keep_name(document, rbl_json_member(object, "name")),
		.mag_filter = numbers[0],
		.min_filter = numbers[1],
		.wrap_s = numbers[2],
		.wrap_t = numbers[3],
		.extras = rbl_document_keep_source(document, gltf, rbl_json_member(object, "extras")),
	};
	if (!rbl_io_push(&document->memory, &document->samplers, made) || is_out_of_memory(document))
		return fail_document_memory(gltf, document);
	return RBL_OK;
}

// The bytes of an image: of a buffer view, or behind a URI.
static rbl_result open_image(rbl_gltf *gltf, int index, const rbl_json *object,
                             rbl_io_output *loaded, const unsigned char **bytes, size_t *size)
{
	if (rbl_json_member(object, "bufferView"))
		return rbl_gltf_open_view(gltf, rbl_gltf_int(object, "bufferView", -1), bytes, size);
	if (!rbl_json_member(object, "uri"))
		return rbl_gltf_fail(gltf, "images", index, "has neither bufferView nor uri");
	rbl_result result =
		rbl_gltf_load_uri(gltf, "images", index, rbl_json_member(object, "uri"), loaded);
	*bytes = loaded->data, *size = loaded->size;
	return result;
}

// The media type of a data URI that says which kind of image it is. @return whether that is wrong
static bool is_another_kind(const rbl_json *object, const char *mime_type)
{
	const char *uri = rbl_json_text(rbl_json_member(object, "uri"));
	size_t length = strlen(mime_type);
	return uri && strncmp(uri, "data:image/", 11) == 0 &&
	       (strncmp(uri + 5, mime_type, length) != 0 ||
	        (uri[5 + length] != ';' && uri[5 + length] != ','));
}

// The name of an image; one without a name is called as its file.
static const char *keep_image_name(rbl_document *document, const rbl_json *object)
{
	const char *uri = rbl_json_text(rbl_json_member(object, "uri"));
	if (rbl_json_member(object, "name") || !uri || strncmp(uri, "data:", 5) == 0)
		return rbl_document_keep_name(document, rbl_json_member(object, "name"));
	const char *slash = strrchr(uri, '/'), *name = slash ? slash + 1 : uri;
	const char *dot = strrchr(name, '.');
	return rbl_document_keep_text(document, name,
	                              dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static rbl_result add_image(rbl_gltf *gltf, rbl_document *document, int index,
                            const rbl_json *object, const unsigned char *bytes, size_t size)
{
	const char *mime_type, *said = rbl_json_text(rbl_json_member(object, "mimeType"));
	bool is_whole = rbl_image_check(bytes, size, &mime_type);
	if (!mime_type)
		return rbl_gltf_fail(gltf, "images", index, "its bytes are no PNG, JPEG, WebP or KTX2");
	if (!is_whole)
		return rbl_gltf_fail(gltf, "images", index, "the image is cut off");
	if (said && strcmp(said, mime_type) != 0)
		return rbl_io_fail(RBL_BAD_FILE, "%s: images[%d]: is said to be %.40s and is %s",
		                   gltf->source->name, index, said, mime_type);
	if (is_another_kind(object, mime_type))
		return rbl_io_fail(RBL_BAD_FILE,
		                   "%s: images[%d]: its data uri is said to be another kind "
		                   "of image and is %s",
		                   gltf->source->name, index, mime_type);
	rbl_result result = rbl_gltf_spend(gltf, (int64_t)size);
	if (result != RBL_OK)
		return result;
	unsigned char *kept = rbl_document_keep(document, size);
	rbl_scene_image made = {
		.name = keep_image_name(document, object),
		.mime_type = mime_type,
		.bytes = kept,
		.size = size,
		.extras = rbl_document_keep_source(document, gltf, rbl_json_member(object, "extras")),
	};
	if (!rbl_io_push(&document->memory, &document->images, made) || is_out_of_memory(document))
		return fail_document_memory(gltf, document);
	memcpy(kept, bytes, size);
	return RBL_OK;
}

static rbl_result read_image(rbl_gltf *gltf, rbl_document *document, int index)
{
	const rbl_json *object = rbl_gltf_item(gltf, "images", index);
	rbl_io_output loaded = { .memory = gltf->source->memory };
	const unsigned char *bytes = NULL;
	size_t size = 0;
	rbl_result result = open_image(gltf, index, object, &loaded, &bytes, &size);
	if (result == RBL_OK)
		result = add_image(gltf, document, index, object, bytes, size);
	rbl_io_free_output(&loaded);
	return result;
}

rbl_result rbl_gltf_read_looks(rbl_gltf *gltf, rbl_document *document)
{
	static const struct {
		const char *list;
		rbl_result (*read)(rbl_gltf *gltf, rbl_document *document, int index);
	} kinds[] = { { "images", read_image },
		          { "samplers", read_sampler },
		          { "textures", read_texture },
		          { "materials", read_material } };
	rbl_result result = RBL_OK;
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
		for (int i = 0; i < rbl_gltf_list_count(gltf, kinds[k].list) && result == RBL_OK; ++i)
			result = kinds[k].read(gltf, document, i);
	for (int i = 0; i < rbl_gltf_list_count(gltf, "cameras") && result == RBL_OK; ++i) {
		const char *camera =
			rbl_document_keep_source(document, gltf, rbl_gltf_item(gltf, "cameras", i));
		if (!camera && !is_out_of_memory(document))
			result = rbl_gltf_fail(gltf, "cameras", i, "is no object");
		else if (!camera || !rbl_io_push(&document->memory, &document->cameras, camera))
			result = fail_document_memory(gltf, document);
	}
	return result;
}
