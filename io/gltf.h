// SPDX-License-Identifier: MIT
// Inside the glTF reader: the document, its buffers, and numbers behind accessors.
#pragma once

#include "io/io.h"

#include <rubble/json.h>

/// A buffer once it is loaded.
typedef struct rbl_gltf_buffer {
	const unsigned char *data; // NULL until it is loaded
	size_t size;
	rbl_io_output owned; // what was decoded or read; empty for the chunk of a .glb
} rbl_gltf_buffer;

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
} rbl_gltf;

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

/// RBL_BAD_FILE with "name: list[index]: reason".
rbl_result rbl_gltf_fail(const rbl_gltf *gltf, const char *list, int64_t index, const char *reason);

/// @return the number under `key`, `fallback` when there is none, INT64_MIN when it is no whole
/// number.
int64_t rbl_gltf_int(const rbl_json *object, const char *key, int64_t fallback);

/// @return the item of a list of the document, or NULL.
const rbl_json *rbl_gltf_item(const rbl_gltf *gltf, const char *list, int64_t index);

/// Read numbers of an array into `values`. @return whether there are exactly `count`.
bool rbl_gltf_numbers(const rbl_json *array, double *values, int count);

/// Find and check everything about an accessor, so that no item of it lies outside its buffer.
rbl_result rbl_gltf_open_accessor(rbl_gltf *gltf, int64_t index, rbl_gltf_accessor *accessor);

/// Item `index` as numbers, normalized where the accessor says so.
void rbl_gltf_fetch(const rbl_gltf_accessor *accessor, int index, double *values);

/// Item `index` of a scalar accessor of whole numbers.
uint32_t rbl_gltf_fetch_index(const rbl_gltf_accessor *accessor, int index);

/// Free loaded buffers.
void rbl_gltf_free_buffers(rbl_gltf *gltf);
