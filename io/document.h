// SPDX-License-Identifier: MIT
// Inside documents: arrays of the scene, and the memory that texts and numbers are in.
#pragma once

#include "io/gltf.h"

/// A block of texts and numbers.
typedef struct rbl_document_block {
	struct rbl_document_block *next;
	size_t size, used; // without this header
} rbl_document_block;

struct rbl_document {
	rbl_io_memory memory;
	rbl_document_block *blocks; // the newest first
	RBL_IO_ARRAY(const rbl_mesh *) meshes;
	RBL_IO_ARRAY(rbl_scene_label) labels;
	RBL_IO_ARRAY(rbl_scene_node) nodes;
	RBL_IO_ARRAY(rbl_scene_animation) animations;
	RBL_IO_ARRAY(rbl_scene_material) materials;
	RBL_IO_ARRAY(rbl_scene_texture) textures;
	RBL_IO_ARRAY(rbl_scene_sampler) samplers;
	RBL_IO_ARRAY(rbl_scene_image) images;
	RBL_IO_ARRAY(const char *) cameras;
	const char *name, *copyright, *extensions, *extras, *file_extras, *asset_extras;
};

/// @return an empty document, or NULL with the failure in the memory.
rbl_document *rbl_document_create(rbl_io_memory *memory);

/// @return space that lives as long as the document, or NULL with the failure in its memory.
void *rbl_document_keep(rbl_document *document, size_t size);

/// @return a copy of a text, closed by a zero; NULL without one, or with the failure in memory.
const char *rbl_document_keep_text(rbl_document *document, const char *text, size_t size);

/// The same for the text of a value, NULL where it is none; and for the source of a value.
const char *rbl_document_keep_name(rbl_document *document, const rbl_json *value);
const char *rbl_document_keep_source(rbl_document *document, const rbl_gltf *gltf,
                                     const rbl_json *value);

/// Copy the extensions of an object, except those that `is_kept` says are not; they are noted as
/// lost unless they begin with `used`, which may be NULL.
const char *rbl_document_keep_extensions(rbl_document *document, rbl_gltf *gltf,
                                         const rbl_json *object, bool (*is_kept)(const char *name),
                                         const char *used);

/// Materials, textures, samplers, images and cameras (gltf_looks.c).
rbl_result rbl_gltf_read_looks(rbl_gltf *gltf, rbl_document *document);

/// Note by name what no other part of the reader looks at (gltf_lost.c).
void rbl_gltf_note_unread(rbl_gltf *gltf);

/// Animations. `node_of` has the node of the scene for each of the file, -1 for none.
rbl_result rbl_gltf_read_animations(rbl_gltf *gltf, rbl_document *document, const int *node_of);
