// SPDX-License-Identifier: MIT
//
// Documents: scenes that own their arrays. Texts and numbers are in blocks that are freed together.

#include "io/document.h"

enum { BLOCK_SIZE = 4096, BLOCK_HEADER = 64 };

rbl_document *rbl_document_create(rbl_io_memory *memory)
{
	rbl_document *made = RBL_IO_NEW(memory, rbl_document, 1);
	if (made)
		*made = (rbl_document){ .memory = *memory };
	return made;
}

void rbl_destroy_document(rbl_document *document)
{
	if (!document)
		return;
	rbl_io_memory memory = document->memory;
	for (int i = 0; i < document->meshes.count; ++i)
		rbl_destroy_mesh((rbl_mesh *)(uintptr_t)document->meshes.data[i]);
	while (document->blocks) {
		rbl_document_block *next = document->blocks->next;
		rbl_io_release(&memory, document->blocks, BLOCK_HEADER + document->blocks->size, 1);
		document->blocks = next;
	}
	rbl_io_free(&memory, &document->meshes);
	rbl_io_free(&memory, &document->labels);
	rbl_io_free(&memory, &document->nodes);
	rbl_io_free(&memory, &document->animations);
	rbl_io_free(&memory, &document->materials);
	rbl_io_free(&memory, &document->textures);
	rbl_io_free(&memory, &document->samplers);
	rbl_io_free(&memory, &document->images);
	rbl_io_free(&memory, &document->cameras);
	RBL_IO_FREE(&memory, document, 1);
}

rbl_scene rbl_document_get_scene(const rbl_document *document)
{
	if (!document)
		return (rbl_scene){ 0 };
	return (rbl_scene){ .mesh_count = document->meshes.count,
		                .meshes = document->meshes.data,
		                .mesh_labels = document->labels.data,
		                .node_count = document->nodes.count,
		                .nodes = document->nodes.data,
		                .animation_count = document->animations.count,
		                .animations = document->animations.data,
		                .material_count = document->materials.count,
		                .materials = document->materials.data,
		                .texture_count = document->textures.count,
		                .textures = document->textures.data,
		                .sampler_count = document->samplers.count,
		                .samplers = document->samplers.data,
		                .image_count = document->images.count,
		                .images = document->images.data,
		                .camera_count = document->cameras.count,
		                .cameras = document->cameras.data,
		                .name = document->name,
		                .copyright = document->copyright,
		                .extensions = document->extensions,
		                .extras = document->extras,
		                .file_extras = document->file_extras,
		                .asset_extras = document->asset_extras };
}

void *rbl_document_keep(rbl_document *document, size_t size)
{
	size = (size + 15) & ~(size_t)15;
	rbl_document_block *block = document->blocks;
	if (!block || block->size - block->used < size) {
		size_t room = size > BLOCK_SIZE / 2 ? size : BLOCK_SIZE;
		block = rbl_io_allocate(&document->memory, BLOCK_HEADER + room, 1);
		if (!block)
			return NULL;
		*block = (rbl_document_block){ document->blocks, room, 0 };
		if (document->blocks && room == size) { // large: the block with space stays the first
			block->next = document->blocks->next;
			document->blocks->next = block;
		} else {
			document->blocks = block;
		}
	}
	unsigned char *at = (unsigned char *)block + BLOCK_HEADER + block->used;
	block->used += size;
	return at;
}

const char *rbl_document_keep_text(rbl_document *document, const char *text, size_t size)
{
	char *kept = text ? rbl_document_keep(document, size + 1) : NULL;
	if (kept) {
		memcpy(kept, text, size);
		kept[size] = '\0';
	}
	return kept;
}

const char *rbl_document_keep_name(rbl_document *document, const rbl_json *value)
{
	return rbl_document_keep_text(document, rbl_json_text(value), rbl_json_text_length(value));
}

const char *rbl_document_keep_source(rbl_document *document, const rbl_gltf *gltf,
                                     const rbl_json *value)
{
	rbl_json_source source = rbl_json_get_source(gltf->json, value);
	return rbl_document_keep_text(document, source.text, source.size);
}

// Names of extensions need no escapes.
static bool is_plain_name(const char *name)
{
	for (; *name; ++name)
		if (!((*name >= '0' && *name <= '9') || (*name >= 'A' && *name <= 'Z') ||
		      (*name >= 'a' && *name <= 'z') || *name == '_'))
			return false;
	return true;
}

const char *rbl_document_keep_extensions(rbl_document *document, rbl_gltf *gltf,
                                         const rbl_json *object, bool (*is_kept)(const char *name),
                                         const char *used)
{
	const rbl_json *extensions = rbl_json_member(object, "extensions");
	if (rbl_json_get_type(extensions) != RBL_JSON_OBJECT)
		return NULL;
	size_t whole = rbl_json_get_source(gltf->json, extensions).size, size = 0;
	char *kept = rbl_document_keep(document, whole + 1);
	for (int i = 0; kept && i < rbl_json_count(extensions); ++i) {
		const char *name = rbl_json_key(extensions, i);
		if (!is_plain_name(name) || !is_kept(name)) {
			if (!used || strncmp(name, used, strlen(used)) != 0)
				rbl_gltf_note_lost(gltf, name);
			continue;
		}
		// From the key to the end of the value, as it is written.
		rbl_json_source source = rbl_json_get_source(gltf->json, rbl_json_item(extensions, i));
		kept[size] = size == 0 ? '{' : ',';
		size++;
		kept[size++] = '"';
		memcpy(kept + size, name, strlen(name));
		size += strlen(name);
		memcpy(kept + size, "\":", 2);
		memcpy(kept + size + 2, source.text, source.size);
		size += 2 + source.size;
	}
	if (!kept || size == 0)
		return NULL;
	kept[size] = '}';
	kept[size + 1] = '\0';
	return kept;
}

// The name of a file without folder and ending.
static const char *keep_stem(rbl_document *document, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	return rbl_document_keep_text(document, name,
	                              dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

rbl_result rbl_io_document_of_mesh(rbl_io_source *source, rbl_mesh *mesh, rbl_document **document)
{
	rbl_document *made = rbl_document_create(&source->memory);
	rbl_scene_node node = rbl_default_scene_node();
	node.mesh = 0;
	if (made)
		node.name = keep_stem(made, source->name);
	if (!made || !node.name || !rbl_io_push(&made->memory, &made->nodes, node) ||
	    !rbl_io_push(&made->memory, &made->labels, ((rbl_scene_label){ .name = node.name })) ||
	    !rbl_io_push(&made->memory, &made->meshes, mesh)) {
		rbl_destroy_mesh(mesh);
		rbl_destroy_document(made);
		return rbl_io_fail(RBL_OUT_OF_MEMORY, "%s: out of memory", source->name);
	}
	*document = made;
	return RBL_OK;
}
