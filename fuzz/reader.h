// SPDX-License-Identifier: MIT
// What the fuzz targets of mesh readers do with some bytes: read them, look at the result, and
// watch that memory stays within a small multiple of the input and comes back.
#pragma once

#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdlib.h>

typedef struct fuzz_memory {
	size_t live, limit;
} fuzz_memory;

static void *fuzz_allocate(void *user, size_t size, size_t alignment)
{
	fuzz_memory *memory = user;
	memory->live += size;
	if (memory->live > memory->limit)
		abort(); // more than the input can ask for
	return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void fuzz_release(void *user, void *block, size_t size)
{
	fuzz_memory *memory = user;
	memory->live -= size;
	free(block);
}

// A mesh that was read is one that could be made.
static void fuzz_look(const rbl_mesh *mesh)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_mesh *copy;
	if (rbl_create_mesh(&def, &copy) != RBL_OK)
		abort();
	rbl_destroy_mesh(copy);
}

// A document that was read can be written, plain and quantized, and read again.
static inline void fuzz_document(const unsigned char *bytes, size_t size, rbl_read_def def)
{
	// The largest factor is a material "{},": three bytes, and a struct of 300.
	fuzz_memory memory = { 0, 65536 + 1000 * size + 400 * (size_t)def.instance_limit };
	def.allocator = (rbl_allocator){ fuzz_allocate, fuzz_release, &memory };
	rbl_document *document;
	rbl_result result = rbl_read_document_memory(bytes, size, &def, &document);
	if (result == RBL_BAD_ARGUMENT || result == RBL_OUT_OF_MEMORY || result == RBL_BAD_MESH)
		abort();
	rbl_scene scene = rbl_document_get_scene(document);
	for (int i = 0; i < scene.mesh_count; ++i)
		fuzz_look(scene.meshes[i]);
	for (int i = 0; i < 2 && document; ++i) {
		rbl_write_def write_def = rbl_default_write_def();
		write_def.format = RBL_FORMAT_GLTF;
		write_def.is_quantized = i == 1;
		rbl_file_bytes written;
		result = rbl_write_scene_memory(&scene, &write_def, &written);
		if (result != RBL_OK && result != RBL_BAD_MESH && result != RBL_LIMIT_REACHED)
			abort();
		rbl_document *again = NULL;
		if (result == RBL_OK &&
		    rbl_read_document_memory(written.data, written.size, NULL, &again) != RBL_OK)
			abort();
		rbl_scene copy = rbl_document_get_scene(again);
		if (again &&
		    (copy.image_count != scene.image_count || copy.camera_count != scene.camera_count ||
		     copy.texture_count != scene.texture_count ||
		     copy.sampler_count != scene.sampler_count ||
		     copy.material_count < scene.material_count || copy.node_count < scene.node_count ||
		     copy.animation_count != scene.animation_count))
			abort(); // something was lost
		rbl_destroy_document(again);
		rbl_free_bytes(&written);
	}
	rbl_destroy_document(document);
	if (memory.live != 0)
		abort();
}

static inline int fuzz_reader(const unsigned char *bytes, size_t size, rbl_file_format format)
{
	enum { INSTANCES = 10000 };
	// The largest factor is a line "usemtl x" of an OBJ file: nine bytes, one material of 88, held
	// by a growing array, its older half, a table and the mesh.
	fuzz_memory memory = { 0, 65536 + 200 * size };
	if (format == RBL_FORMAT_GLTF)
		memory.limit += 400 * (size_t)INSTANCES;
	rbl_read_def def = rbl_default_read_def();
	def.format = format;
	def.instance_limit = INSTANCES;
	def.allocator = (rbl_allocator){ fuzz_allocate, fuzz_release, &memory };
	rbl_mesh *mesh;
	rbl_result result = rbl_read_mesh_memory(bytes, size, &def, &mesh);
	if (result == RBL_BAD_ARGUMENT || result == RBL_OUT_OF_MEMORY || result == RBL_BAD_MESH)
		abort(); // none of them is the file's fault
	if (result == RBL_OK)
		fuzz_look(mesh);
	rbl_destroy_mesh(mesh);
	if (format == RBL_FORMAT_GLTF)
		fuzz_document(bytes, size, def);
	if (format == RBL_FORMAT_MEDIT) {
		rbl_tet_arrays tets;
		rbl_read_tet_arrays_memory(bytes, size, &def, &tets);
		rbl_free_tet_arrays(&tets);
		rbl_tets *made;
		rbl_read_tets_memory(bytes, size, &def, &made);
		rbl_destroy_tets(made);
	}
	if (memory.live != 0)
		abort();
	return 0;
}

#define FUZZ_READER(format)                                              \
	int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size); \
	int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)  \
	{                                                                    \
		return fuzz_reader(bytes, size, (format));                       \
	}
