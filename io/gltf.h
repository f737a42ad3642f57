// SPDX-License-Identifier: MIT
// Inside the glTF reader: the document, its buffers, numbers behind accessors, and meshes.
#pragma once

#include "io/io.h"

#include <rubble/json.h>

/// A buffer once it is loaded.
typedef struct rbl_gltf_buffer {
	const unsigned char *data; // NULL until it is loaded
	size_t size;
	rbl_io_output owned; // what was decoded or read; empty for the chunk of a .glb
} rbl_gltf_buffer;

/// Numbers in a buffer.
typedef struct rbl_gltf_accessor {
	const unsigned char *data; // NULL: all zero
	size_t stride;
	int count;
	int component;  // 5120 to 5126, as in the file
	int components; // 1 to 4
	bool is_normalized;
	int sparse_count; // items that are given elsewhere, by ascending index
	int sparse_component;
	const unsigned char *sparse_indices, *sparse_values;
} rbl_gltf_accessor;

/// A transform: 3 x 4 by columns, the axes and the origin.
typedef struct rbl_gltf_placement {
	double m[12];
} rbl_gltf_placement;

/// Attributes that a mesh has a place of its own for.
enum {
	RBL_GLTF_NORMAL,
	RBL_GLTF_UV0,
	RBL_GLTF_UV1,
	RBL_GLTF_COLOR,
	RBL_GLTF_APART, // see glb_mesh.c
	RBL_GLTF_ATTRIBUTE_COUNT
};

typedef struct rbl_gltf_primitive {
	int mode;  // 4 triangles, 5 strip, 6 fan
	int count; // of indices
	int material;
	int table;           // offset of its vertices in the table
	int further;         // its first accessor among those of further attributes
	const rbl_json *own; // the object, where it has extras or extensions to keep; or NULL
	bool has_indices, has[RBL_GLTF_ATTRIBUTE_COUNT];
	rbl_gltf_accessor positions, indices, attributes[RBL_GLTF_ATTRIBUTE_COUNT];
} rbl_gltf_primitive;

/// Merge key of a vertex: equal bits are one vertex.
typedef struct rbl_gltf_vertex_key {
	rbl_vec3d position;
	double apart;
} rbl_gltf_vertex_key;

enum { RBL_GLTF_NOT_KEPT_LIMIT = 16, RBL_GLTF_NOT_KEPT_LENGTH = 48 };

/// A document being read.
typedef struct rbl_gltf {
	rbl_io_source *source;
	rbl_json_document *json;
	const rbl_json *root;
	const unsigned char *chunk; // the binary chunk of a .glb, or NULL
	size_t chunk_size;
	rbl_gltf_buffer *buffers;
	int buffer_count;
	int64_t budget; // vertices and corners that may still be made

	/// The mesh being read.
	RBL_IO_ARRAY(rbl_gltf_primitive) primitives;
	RBL_IO_ARRAY(rbl_gltf_accessor) further;  // of primitives; count 0: it has none
	RBL_IO_ARRAY(int) table;                  // from vertices in the file to places, or -1
	RBL_IO_ARRAY(rbl_gltf_vertex_key) places; // of the used vertices
	RBL_IO_ARRAY(int) numbers, firsts;        // merged places

	/// From materials of the file to those of the mesh builder; -1: not there yet. One more for
	/// faces without a material.
	int *slots;
	int material_count;
	RBL_IO_ARRAY(const rbl_json *) slot_objects; // of primitives with a slot of their own, or NULL
	bool has_sources; // materials of meshes say which of the file they are
	bool is_whole;    // meshes are read one by one

	/// What the file has and the result has not.
	char not_kept[RBL_GLTF_NOT_KEPT_LIMIT][RBL_GLTF_NOT_KEPT_LENGTH];
	int not_kept_count;
} rbl_gltf;

/// RBL_BAD_FILE with "name: list[index]: reason".
rbl_result rbl_gltf_fail(const rbl_gltf *gltf, const char *list, int64_t index, const char *reason);

/// Note by name what is not kept, once; and log all of it in one line.
void rbl_gltf_note_lost(rbl_gltf *gltf, const char *what);
void rbl_gltf_warn_lost(const rbl_gltf *gltf);

/// @return the number under `key`, `fallback` when there is none, INT64_MIN when it is no whole
/// number.
int64_t rbl_gltf_int(const rbl_json *object, const char *key, int64_t fallback);

/// @return the number of items of a list of the document.
int rbl_gltf_list_count(const rbl_gltf *gltf, const char *list);

/// @return the item of a list of the document, or NULL.
const rbl_json *rbl_gltf_item(const rbl_gltf *gltf, const char *list, int64_t index);

/// Read numbers of an array into `values`. @return whether there are exactly `count`.
bool rbl_gltf_numbers(const rbl_json *array, double *values, int count);

/// Parse the container and the JSON, and refuse versions and extensions that cannot be read.
rbl_result rbl_gltf_open(rbl_gltf *gltf, rbl_io_source *source);

/// Free everything.
void rbl_gltf_close(rbl_gltf *gltf);

/// Decode the bytes behind a URI: base64, or a file in the source's folder.
/// @param list   which list names it, for messages
/// @param bytes  receives them; freed by the caller also on failure
rbl_result rbl_gltf_load_uri(rbl_gltf *gltf, const char *list, int index, const rbl_json *uri,
                             rbl_io_output *bytes);

/// Find the bytes of a buffer view.
rbl_result rbl_gltf_open_view(rbl_gltf *gltf, int64_t index, const unsigned char **data,
                              size_t *size);

/// Find and check everything about an accessor, so that no item of it lies outside its buffer.
rbl_result rbl_gltf_open_accessor(rbl_gltf *gltf, int64_t index, rbl_gltf_accessor *accessor);

/// Item `index` as numbers, normalized where the accessor says so.
void rbl_gltf_fetch(const rbl_gltf_accessor *accessor, int index, double *values);

/// Item `index` of a scalar accessor of whole numbers.
uint32_t rbl_gltf_fetch_index(const rbl_gltf_accessor *accessor, int index);

/// Charge the budget. @return RBL_OK, RBL_LIMIT_REACHED
rbl_result rbl_gltf_spend(rbl_gltf *gltf, int64_t items);

/// A material of the file as meshes have it.
rbl_mesh_material rbl_gltf_read_material(const rbl_gltf *gltf, int index);

/// Find out which further attributes the mesh builder needs for a mesh.
rbl_result rbl_gltf_plan_attributes(rbl_gltf *gltf, int64_t mesh);

/// Append a mesh to the builder, transformed.
rbl_result rbl_gltf_read_mesh(rbl_gltf *gltf, int64_t index, const rbl_gltf_placement *at);

/// The transform of a node. @return false if it is not usable
bool rbl_gltf_read_placement(const rbl_json *node, rbl_gltf_placement *made);

/// A transform of translation, rotation and scale. @return false if the rotation is not usable
bool rbl_gltf_place(const double *t, const double *q, const double *s, rbl_gltf_placement *made);

/// What EXT_mesh_gpu_instancing repeats the mesh of a node by.
typedef struct rbl_gltf_instances {
	int count; // 0: nothing
	bool has_translations, has_rotations, has_scales;
	rbl_gltf_accessor translations, rotations, scales;
} rbl_gltf_instances;

/// Open the instances of a node, and charge the budget for them.
rbl_result rbl_gltf_open_instances(rbl_gltf *gltf, int64_t index, const rbl_json *node,
                                   rbl_gltf_instances *instances);

/// Translation, rotation and scale of an instance.
void rbl_gltf_fetch_instance(const rbl_gltf_instances *instances, int index, double *t, double *q,
                             double *s);

/// Whether the bytes are a whole image file, and of which kind.
/// @param mime_type  receives "image/png" and so on; NULL for bytes of no known kind
/// @return false where the file is cut off
bool rbl_image_check(const unsigned char *bytes, size_t size, const char **mime_type);
