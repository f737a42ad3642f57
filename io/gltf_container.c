// SPDX-License-Identifier: MIT
//
// glTF files: the chunks of a .glb, JSON, versions and extensions, and what is not kept.

#include "io/gltf.h"

#include <stdio.h>

void rbl_gltf_note_lost(rbl_gltf *gltf, const char *what)
{
	char name[RBL_GLTF_NOT_KEPT_LENGTH];
	snprintf(name, sizeof name, "%s", what);
	for (int i = 0; i < gltf->not_kept_count; ++i)
		if (strcmp(gltf->not_kept[i], name) == 0)
			return;
	if (gltf->not_kept_count < RBL_GLTF_NOT_KEPT_LIMIT)
		memcpy(gltf->not_kept[gltf->not_kept_count++], name, sizeof name);
}

void rbl_gltf_warn_lost(const rbl_gltf *gltf)
{
	char list[RBL_GLTF_NOT_KEPT_LIMIT * RBL_GLTF_NOT_KEPT_LENGTH] = "";
	size_t used = 0;
	for (int i = 0; i < gltf->not_kept_count && used < sizeof list; ++i)
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
		                         gltf->not_kept[i]);
	if (gltf->not_kept_count > 0)
		rbl_io_warn("%s: not kept: %s", gltf->source->name, list);
}

rbl_result rbl_gltf_spend(rbl_gltf *gltf, int64_t items)
{
	gltf->budget -= items;
	if (gltf->budget >= 0)
		return RBL_OK;
	return rbl_io_fail(RBL_LIMIT_REACHED, "%s: expands to more than instance_limit allows",
	                   gltf->source->name);
}

// --- container -------------------------------------------------------------------------------

// Find the chunks of a .glb; a .gltf is just the JSON chunk.
static rbl_result find_chunks(rbl_gltf *gltf, const char **json, size_t *json_size)
{
	rbl_io_source *source = gltf->source;
	*json = source->begin;
	*json_size = (size_t)(source->end - source->begin);
	if (*json_size < 4 || memcmp(source->begin, "glTF", 4) != 0) {
		const char *at = *json;
		while (at < source->end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
			++at;
		return at < source->end && (*at == '{' || *at == '[')
		           ? RBL_OK
		           : rbl_io_fail_offset(source, source->begin, "neither a .glb nor JSON");
	}
	if (*json_size < 20)
		return rbl_io_fail_offset(source, source->end, "the file ends inside its header");
	if (rbl_io_load_u32(source->begin + 4) != 2)
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: version %u of the container", source->name,
		                   rbl_io_load_u32(source->begin + 4));
	uint32_t length = rbl_io_load_u32(source->begin + 8);
	if (length < 20 || length > *json_size)
		return rbl_io_fail_offset(source, source->begin + 8, "%u bytes announced, %zu are here",
		                          length, *json_size);
	const char *end = source->begin + length;
	const char *at = source->begin + 12;
	for (int i = 0; end - at >= 8; ++i) {
		uint32_t size = rbl_io_load_u32(at), type = rbl_io_load_u32(at + 4);
		if (size > (uint32_t)(end - at - 8))
			return rbl_io_fail_offset(source, at, "a chunk of %u bytes reaches beyond the file",
			                          size);
		if (i == 0 && type != 0x4e4f534a)
			return rbl_io_fail_offset(source, at, "the first chunk is not JSON");
		if (i == 0) {
			*json = at + 8;
			*json_size = size;
		} else if (type == 0x004e4942 && !gltf->chunk) {
			gltf->chunk = (const unsigned char *)at + 8;
			gltf->chunk_size = size;
		}
		at += 8 + (size_t)size;
	}
	return RBL_OK;
}

static rbl_result parse_chunk(rbl_gltf *gltf, const char *json, size_t size)
{
	rbl_io_source *source = gltf->source;
	while (size > 0 && json[size - 1] == 0) // some writers pad with zeros
		--size;
	rbl_result result =
		rbl_parse_json(json, size, source->name, &source->memory.allocator, &gltf->json);
	gltf->root = rbl_json_root(gltf->json);
	if (result == RBL_OK && rbl_json_get_type(gltf->root) != RBL_JSON_OBJECT)
		result = rbl_io_fail(RBL_BAD_FILE, "%s:1:1: not a JSON object", source->name);
	return result;
}

// @return what unpacks the meshes of an extension, or NULL
static const char *unpacking_tool(const char *extension)
{
	if (strcmp(extension, "EXT_meshopt_compression") == 0 ||
	    strcmp(extension, "KHR_meshopt_compression") == 0)
		return "'gltf-transform copy IN OUT' (or 'gltfpack -noq' on the original)";
	if (strcmp(extension, "KHR_draco_mesh_compression") == 0)
		return "'gltf-transform copy IN OUT' (or Blender's import and export)";
	return NULL;
}

// Extensions that a file may need: those that are read, or that are looks and are handed on.
static bool can_be_required(const char *name)
{
	static const char *const names[] = { "KHR_mesh_quantization",   "KHR_texture_transform",
		                                 "EXT_mesh_gpu_instancing", "KHR_lights_punctual",
		                                 "KHR_texture_basisu",      "EXT_texture_webp" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "KHR_materials_", 14) == 0;
}

static rbl_result check_version(rbl_gltf *gltf)
{
	const rbl_io_source *source = gltf->source;
	const rbl_json *asset = rbl_json_member(gltf->root, "asset");
	const char *version = rbl_json_text(rbl_json_member(asset, "version"));
	if (!version)
		return rbl_io_fail(RBL_BAD_FILE, "%s: asset.version is missing", source->name);
	if (strncmp(version, "2.", 2) != 0)
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: glTF version %.20s", source->name, version);
	const rbl_json *required = rbl_json_member(gltf->root, "extensionsRequired");
	for (int i = 0; i < rbl_json_count(required); ++i) {
		const char *name = rbl_json_text(rbl_json_item(required, i));
		const char *tool = name ? unpacking_tool(name) : NULL;
		if (tool)
			return rbl_io_fail(RBL_UNSUPPORTED, "%s: is packed with %.100s; %s unpacks it",
			                   source->name, name, tool);
		if (!name || !can_be_required(name))
			return rbl_io_fail(RBL_UNSUPPORTED, "%s: needs the extension %.100s", source->name,
			                   name ? name : "without a name");
	}
	return RBL_OK;
}

rbl_result rbl_gltf_open(rbl_gltf *gltf, rbl_io_source *source)
{
	*gltf = (rbl_gltf){ .source = source };
	gltf->budget = source->def->instance_limit + (source->end - source->begin);
	const char *json;
	size_t json_size;
	rbl_result result = find_chunks(gltf, &json, &json_size);
	if (result == RBL_OK)
		result = parse_chunk(gltf, json, json_size);
	if (result == RBL_OK)
		result = check_version(gltf);
	if (result != RBL_OK)
		return result;
	rbl_io_memory *memory = &source->memory;
	int buffer_count = rbl_gltf_list_count(gltf, "buffers");
	gltf->material_count = rbl_gltf_list_count(gltf, "materials");
	gltf->slots = RBL_IO_NEW(memory, int, (size_t)gltf->material_count + 1);
	gltf->buffers = RBL_IO_NEW(memory, rbl_gltf_buffer, buffer_count);
	if (!gltf->slots || !gltf->buffers)
		return rbl_io_out_of_memory(source);
	gltf->buffer_count = buffer_count;
	memset(gltf->slots, 0xff, ((size_t)gltf->material_count + 1) * sizeof *gltf->slots);
	for (int i = 0; i < buffer_count; ++i)
		gltf->buffers[i] = (rbl_gltf_buffer){ .owned.memory = *memory };
	return RBL_OK;
}

void rbl_gltf_close(rbl_gltf *gltf)
{
	rbl_io_memory *memory = &gltf->source->memory;
	int buffer_count = rbl_gltf_list_count(gltf, "buffers");
	for (int i = 0; i < gltf->buffer_count; ++i)
		rbl_io_free_output(&gltf->buffers[i].owned);
	RBL_IO_FREE(memory, gltf->buffers, buffer_count);
	RBL_IO_FREE(memory, gltf->slots, (size_t)gltf->material_count + 1);
	rbl_io_free(memory, &gltf->primitives);
	rbl_io_free(memory, &gltf->further);
	rbl_io_free(memory, &gltf->table);
	rbl_io_free(memory, &gltf->places);
	rbl_io_free(memory, &gltf->numbers);
	rbl_io_free(memory, &gltf->firsts);
	rbl_io_free(memory, &gltf->slot_objects);
	rbl_destroy_json(gltf->json);
}
