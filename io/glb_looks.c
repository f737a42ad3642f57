// SPDX-License-Identifier: MIT
//
// Materials, textures, samplers and images of a .glb.
//
// The scene's own materials come first and keep their numbers, so that texts which name textures by
// index stay right. Materials that meshes bring without a source follow, equal ones as one.

#include "io/glb.h"

#include <stdio.h>

// --- materials -------------------------------------------------------------------------------

// Append a number to a name, which is cut between characters if it is too long.
static void set_numbered_name(char *name, const char *base, int number)
{
	char suffix[16];
	snprintf(suffix, sizeof suffix, ".%03d", number);
	size_t length = strlen(base), space = RBL_MATERIAL_NAME_LENGTH - 1 - strlen(suffix);
	while (length > 0 && (length > space || ((unsigned char)base[length] & 0xc0) == 0x80))
		--length;
	memset(name, 0, RBL_MATERIAL_NAME_LENGTH);
	memcpy(name, base, length);
	memcpy(name + length, suffix, strlen(suffix));
}

// Number all but the first of equal names; given names come before numbered ones. @return whether
// any changed, -1 when memory runs out
static int number_names(rbl_glb_writer *writer, char (*names)[RBL_MATERIAL_NAME_LENGTH], int *work,
                        int *numbers)
{
	int count = writer->material_count, changed = 0;
	int *same = work, *is_ours = work + count, *ranks = work + 2 * (size_t)count;
	if (rbl_io_unique(&writer->memory, names, count, sizeof *names, same, ranks) < 0)
		return -1;
	for (int i = 0; i < count; ++i)
		is_ours[i] = numbers[i] > 0, ranks[i] = 0;
	for (int k = 0; k < 2 * count; ++k) {
		int i = k % count;
		if (is_ours[i] != k / count)
			continue;
		int rank = ranks[same[i]]++;
		if (rank == 0 || !names[i][0])
			continue;
		const rbl_mesh_material *of = &writer->materials.data[writer->material_firsts.data[i]];
		numbers[i] += rank;
		set_numbered_name(names[i], of->name, numbers[i]);
		changed = 1;
	}
	return changed;
}

// Programs identify materials by name: of different ones with the same name, all but the first get
// a number, as in Blender. Empty names stay empty.
static bool name_materials(rbl_glb_writer *writer)
{
	rbl_io_memory *memory = &writer->memory;
	size_t count = (size_t)writer->material_count;
	char(*names)[RBL_MATERIAL_NAME_LENGTH] = rbl_io_allocate(memory, count, sizeof *names);
	int *work = RBL_IO_NEW(memory, int, 3 * count), *numbers = RBL_IO_NEW(memory, int, count);
	int changed = names && work && numbers ? 1 : -1;
	for (size_t i = 0; changed == 1 && i < count; ++i) {
		memcpy(names[i], writer->materials.data[writer->material_firsts.data[i]].name,
		       sizeof *names);
		numbers[i] = 0;
	}
	while (changed == 1) // again if "a.001" is taken; numbers only grow
		changed = number_names(writer, names, work, numbers);
	for (size_t i = 0; changed == 0 && i < count; ++i)
		memcpy(writer->materials.data[writer->material_firsts.data[i]].name, names[i],
		       sizeof *names);
	RBL_IO_FREE(memory, names, count);
	RBL_IO_FREE(memory, work, 3 * count);
	RBL_IO_FREE(memory, numbers, count);
	return changed == 0;
}

int rbl_glb_scene_material(const rbl_glb_writer *writer, const rbl_mesh_material *material)
{
	return material->source >= 1 && material->source <= writer->scene->material_count
	           ? material->source - 1
	           : -1;
}

// What glTF means by no material at all.
static bool is_no_material(const rbl_mesh_material *m)
{
	return !m->name[0] && m->source == 0 && m->metallic == 1.0f && m->roughness == 1.0f &&
	       m->base_color.x == 1.0f && m->base_color.y == 1.0f && m->base_color.z == 1.0f &&
	       m->base_color.w == 1.0f;
}

// The scene's materials come first, then those of the meshes alone; -1 is none.
static void number_materials(rbl_glb_writer *writer)
{
	int *own = writer->material_own.data, count = writer->scene->material_count;
	for (int i = 0; i < writer->material_count; ++i) {
		const rbl_mesh_material *one = &writer->materials.data[writer->material_firsts.data[i]];
		int source = rbl_glb_scene_material(writer, one);
		own[i] = source >= 0 ? source : is_no_material(one) ? -1 : count++;
	}
	for (int i = 0; i < writer->materials.count; ++i)
		writer->material_numbers.data[i] = own[writer->material_numbers.data[i]];
}

// Give materials that look the same one name.
static bool name_alike(rbl_glb_writer *writer)
{
	rbl_io_memory *memory = &writer->memory;
	int count = writer->materials.count, looks = 0;
	int *firsts = RBL_IO_NEW(memory, int, count);
	for (int i = 0; i < count && firsts; ++i) {
		rbl_mesh_material *one = &writer->materials.data[i];
		int k = 0;
		for (; k < looks; ++k) {
			rbl_mesh_material other = writer->materials.data[firsts[k]];
			memcpy(other.name, one->name, sizeof other.name);
			if (memcmp(&other, one, sizeof other) == 0)
				break;
		}
		if (k == looks)
			firsts[looks++] = i;
		else
			memcpy(one->name, writer->materials.data[firsts[k]].name, sizeof one->name);
	}
	RBL_IO_FREE(memory, firsts, count);
	return firsts != NULL;
}

// Collect the materials of all meshes; equal ones become one.
bool rbl_glb_gather_materials(rbl_glb_writer *writer)
{
	rbl_io_memory *memory = &writer->memory;
	for (int m = 0; m < writer->scene->mesh_count; ++m) {
		rbl_mesh_data data = rbl_mesh_get_data(writer->scene->meshes[m]);
		for (int k = 0; k < data.material_count; ++k) {
			rbl_mesh_material material = data.materials[k];
			size_t length = strlen(material.name); // what follows the zero may differ
			memset(material.name + length, 0, sizeof material.name - length);
			if (!rbl_io_push(memory, &writer->materials, material))
				return false;
		}
	}
	int count = writer->materials.count;
	if (writer->merges_looks && !name_alike(writer))
		return false;
	if (!rbl_io_reserve(memory, &writer->material_numbers, count) ||
	    !rbl_io_reserve(memory, &writer->material_firsts, count) ||
	    !rbl_io_reserve(memory, &writer->material_own, count))
		return false;
	if (count > 0)
		writer->material_count =
			rbl_io_unique(memory, writer->materials.data, count, sizeof(rbl_mesh_material),
		                  writer->material_numbers.data, writer->material_firsts.data);
	if (writer->material_count < 0 || !name_materials(writer))
		return false;
	number_materials(writer);
	return true;
}

static void put_mesh_materials(const rbl_glb_writer *writer, rbl_io_output *json)
{
	for (int i = 0; i < writer->material_count; ++i) {
		const rbl_mesh_material *material =
			&writer->materials.data[writer->material_firsts.data[i]];
		if (rbl_glb_scene_material(writer, material) >= 0 || is_no_material(material))
			continue; // one of the scene's, or none
		rbl_vec4 base = material->base_color;
		float color[4] = { rbl_glb_clamp(base.x), rbl_glb_clamp(base.y), rbl_glb_clamp(base.z),
			               rbl_glb_clamp(base.w) };
		float rest[2] = { rbl_glb_clamp(material->metallic), rbl_glb_clamp(material->roughness) };
		rbl_io_put_text(json, "{");
		rbl_glb_put_name(json, material->name);
		if (color[3] < 1.0f)
			rbl_io_put_text(json, "\"alphaMode\":\"BLEND\",");
		rbl_io_put_text(json, "\"pbrMetallicRoughness\":{\"baseColorFactor\":");
		rbl_glb_put_numbers(json, color, 4);
		rbl_io_put_text(json, ",\"metallicFactor\":");
		rbl_io_put_double(json, (double)rest[0]);
		rbl_io_put_text(json, ",\"roughnessFactor\":");
		rbl_io_put_double(json, (double)rest[1]);
		rbl_io_put_text(json, "}},");
	}
}

static void put_number(rbl_io_output *json, const char *key, float value, float usual)
{
	if (value == usual)
		return;
	rbl_io_put_format(json, "\"%s\":", key);
	rbl_io_put_float(json, value);
	rbl_io_put_text(json, ",");
}

static void put_vector(rbl_io_output *json, const char *key, const float *values, int count,
                       float usual)
{
	bool is_usual = true;
	for (int i = 0; i < count; ++i)
		is_usual &= values[i] == usual;
	if (is_usual)
		return;
	rbl_io_put_format(json, "\"%s\":", key);
	for (int i = 0; i < count; ++i) {
		rbl_io_put_text(json, i == 0 ? "[" : ",");
		rbl_io_put_float(json, values[i]);
	}
	rbl_io_put_text(json, "],");
}

static void put_texture_use(rbl_io_output *json, const char *key, const rbl_texture_use *use,
                            const char *factor)
{
	if (use->texture == 0)
		return;
	rbl_io_put_format(json, "\"%s\":{\"index\":%d,", key, use->texture - 1);
	if (use->uv_set > 0)
		rbl_io_put_format(json, "\"texCoord\":%d,", use->uv_set);
	if (factor)
		put_number(json, factor, use->factor, 1.0f);
	rbl_glb_put_member(json, "extensions", use->extensions);
	rbl_glb_put_member(json, "extras", use->extras);
	rbl_glb_close(json, "},");
}

static void put_scene_material(rbl_io_output *json, const rbl_scene_material *material)
{
	rbl_io_put_text(json, "{");
	rbl_glb_put_name(json, material->name);
	rbl_io_put_text(json, "\"pbrMetallicRoughness\":{");
	put_vector(json, "baseColorFactor", &material->base_color.x, 4, 1.0f);
	put_number(json, "metallicFactor", material->metallic, 1.0f);
	put_number(json, "roughnessFactor", material->roughness, 1.0f);
	put_texture_use(json, "baseColorTexture", &material->base_color_texture, NULL);
	put_texture_use(json, "metallicRoughnessTexture", &material->metallic_roughness_texture, NULL);
	rbl_glb_close(json, "},");
	put_texture_use(json, "normalTexture", &material->normal_texture, "scale");
	put_texture_use(json, "occlusionTexture", &material->occlusion_texture, "strength");
	put_texture_use(json, "emissiveTexture", &material->emissive_texture, NULL);
	put_vector(json, "emissiveFactor", &material->emissive.x, 3, 0.0f);
	if (material->alpha_mode != RBL_ALPHA_OPAQUE)
		rbl_io_put_format(json, "\"alphaMode\":\"%s\",",
		                  material->alpha_mode == RBL_ALPHA_MASK ? "MASK" : "BLEND");
	if (material->alpha_mode == RBL_ALPHA_MASK)
		put_number(json, "alphaCutoff", material->alpha_cutoff, 0.5f);
	if (material->is_double_sided)
		rbl_io_put_text(json, "\"doubleSided\":true,");
	rbl_glb_put_member(json, "extensions", material->extensions);
	rbl_glb_put_member(json, "extras", material->extras);
	rbl_glb_close(json, "},");
}

static void put_textures(const rbl_scene *scene, rbl_io_output *json)
{
	if (scene->texture_count == 0)
		return;
	rbl_io_put_text(json, "\"textures\":[");
	for (int i = 0; i < scene->texture_count; ++i) {
		const rbl_scene_texture *texture = &scene->textures[i];
		rbl_io_put_text(json, "{");
		rbl_glb_put_name(json, texture->name);
		if (texture->image > 0)
			rbl_io_put_format(json, "\"source\":%d,", texture->image - 1);
		if (texture->sampler > 0)
			rbl_io_put_format(json, "\"sampler\":%d,", texture->sampler - 1);
		rbl_glb_put_member(json, "extensions", texture->extensions);
		rbl_glb_put_member(json, "extras", texture->extras);
		rbl_glb_close(json, "},");
	}
	rbl_glb_close(json, "],");
}

static void put_samplers(const rbl_scene *scene, rbl_io_output *json)
{
	if (scene->sampler_count == 0)
		return;
	rbl_io_put_text(json, "\"samplers\":[");
	for (int i = 0; i < scene->sampler_count; ++i) {
		const rbl_scene_sampler *sampler = &scene->samplers[i];
		const int numbers[4] = { sampler->mag_filter, sampler->min_filter, sampler->wrap_s,
			                     sampler->wrap_t };
		static const char *const keys[4] = { "magFilter", "minFilter", "wrapS", "wrapT" };
		rbl_io_put_text(json, "{");
		rbl_glb_put_name(json, sampler->name);
		for (int k = 0; k < 4; ++k)
			if (numbers[k] != 0)
				rbl_io_put_format(json, "\"%s\":%d,", keys[k], numbers[k]);
		rbl_glb_put_member(json, "extras", sampler->extras);
		rbl_glb_close(json, "},");
	}
	rbl_glb_close(json, "],");
}

static void put_images(const rbl_scene *scene, rbl_io_output *json, int first_view)
{
	if (scene->image_count == 0)
		return;
	rbl_io_put_text(json, "\"images\":[");
	for (int i = 0; i < scene->image_count; ++i) {
		const rbl_scene_image *image = &scene->images[i];
		rbl_io_put_text(json, "{");
		rbl_glb_put_name(json, image->name);
		rbl_io_put_format(json, "\"bufferView\":%d,\"mimeType\":\"%s\",", first_view + i,
		                  image->mime_type);
		rbl_glb_put_member(json, "extras", image->extras);
		rbl_glb_close(json, "},");
	}
	rbl_glb_close(json, "],");
}

void rbl_glb_put_looks(const rbl_glb_writer *writer, rbl_io_output *json, int first_image_view)
{
	const rbl_scene *scene = writer->scene;
	size_t before = json->size;
	rbl_io_put_text(json, "\"materials\":[");
	size_t begin = json->size;
	for (int i = 0; i < scene->material_count; ++i)
		put_scene_material(json, &scene->materials[i]);
	put_mesh_materials(writer, json);
	if (json->size > begin)
		rbl_glb_close(json, "],");
	else
		json->size = before; // there is none
	put_textures(scene, json);
	put_samplers(scene, json);
	put_images(scene, json, first_image_view);
	if (scene->camera_count > 0) {
		rbl_io_put_text(json, "\"cameras\":[");
		for (int i = 0; i < scene->camera_count; ++i) {
			rbl_io_put_text(json, scene->cameras[i]);
			rbl_io_put_text(json, ",");
		}
		rbl_glb_close(json, "],");
	}
}

// --- extensions ------------------------------------------------------------------------------

bool rbl_glb_use_extension(rbl_glb_writer *writer, const char *name, bool is_required)
{
	for (int i = 0; i < writer->extensions.count; ++i) {
		rbl_glb_extension *one = &writer->extensions.data[i];
		if (strcmp(one->name, name) == 0) {
			one->is_required |= is_required;
			return true;
		}
	}
	rbl_glb_extension made = { .is_required = is_required };
	snprintf(made.name, sizeof made.name, "%s", name);
	return rbl_io_push(&writer->memory, &writer->extensions, made);
}

// Note the extensions of a text; those that are required are said by name.
static bool use_extensions(rbl_glb_writer *writer, const char *text, const char *required)
{
	rbl_json_document *document = NULL;
	if (!text)
		return true;
	if (rbl_parse_json(text, strlen(text), "extensions", &writer->memory.allocator, &document) !=
	    RBL_OK)
		return false;
	const rbl_json *root = rbl_json_root(document);
	bool is_good = true;
	for (int i = 0; i < rbl_json_count(root) && is_good; ++i) {
		const char *name = rbl_json_key(root, i);
		is_good = rbl_glb_use_extension(writer, name, required && strcmp(name, required) == 0);
	}
	rbl_destroy_json(document);
	return is_good;
}

bool rbl_glb_gather_extensions(rbl_glb_writer *writer)
{
	const rbl_scene *scene = writer->scene;
	bool is_good = use_extensions(writer, scene->extensions, NULL);
	for (int i = 0; i < scene->node_count; ++i) {
		is_good &= use_extensions(writer, scene->nodes[i].extensions, NULL);
		if (scene->nodes[i].instance_count > 0)
			is_good &= rbl_glb_use_extension(writer, "EXT_mesh_gpu_instancing", true);
	}
	for (int i = 0; i < scene->mesh_count && scene->mesh_labels; ++i) {
		const rbl_scene_slot *slots = scene->mesh_labels[i].slots;
		int slot_count = slots ? rbl_mesh_get_data(scene->meshes[i]).material_count : 0;
		for (int k = 0; k < slot_count; ++k)
			is_good &= use_extensions(writer, slots[k].extensions, NULL);
	}
	for (int i = 0; i < scene->texture_count; ++i) {
		const rbl_scene_texture *texture = &scene->textures[i];
		bool is_basis = texture->extensions && strstr(texture->extensions, "KHR_texture_basisu");
		const char *required = is_basis ? "KHR_texture_basisu" : "EXT_texture_webp";
		is_good &=
			use_extensions(writer, texture->extensions, texture->image == 0 ? required : NULL);
	}
	for (int i = 0; i < scene->material_count; ++i) {
		const rbl_scene_material *m = &scene->materials[i];
		const rbl_texture_use *const uses[] = { &m->base_color_texture,
			                                    &m->metallic_roughness_texture, &m->normal_texture,
			                                    &m->occlusion_texture, &m->emissive_texture };
		is_good &= use_extensions(writer, m->extensions, NULL);
		// Textures in extensions of a material may be transformed too.
		if (m->extensions && strstr(m->extensions, "\"KHR_texture_transform\""))
			is_good &= rbl_glb_use_extension(writer, "KHR_texture_transform", false);
		for (size_t k = 0; k < sizeof uses / sizeof uses[0]; ++k)
			is_good &= use_extensions(writer, uses[k]->extensions, NULL);
	}
	return is_good;
}

void rbl_glb_put_extensions(const rbl_glb_writer *writer, rbl_io_output *json)
{
	for (int pass = 0; pass < 2; ++pass) {
		bool is_open = false;
		for (int i = 0; i < writer->extensions.count; ++i) {
			if (pass == 1 && !writer->extensions.data[i].is_required)
				continue;
			if (!is_open)
				rbl_io_put_text(json,
				                pass == 0 ? "\"extensionsUsed\":[" : "\"extensionsRequired\":[");
			is_open = true;
			rbl_glb_put_string(json, writer->extensions.data[i].name);
			rbl_io_put_text(json, ",");
		}
		if (is_open)
			rbl_glb_close(json, "],");
	}
}
