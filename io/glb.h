// SPDX-License-Identifier: MIT
// Inside the .glb writer: streams of numbers, accessors into them, and JSON.
#pragma once

#include "io/io.h"

// Numbers of one kind, whatever mesh they belong to.
typedef enum rbl_glb_stream {
	RBL_GLB_POSITION,
	RBL_GLB_NORMAL,
	RBL_GLB_UV0,
	RBL_GLB_UV1,
	RBL_GLB_COLOR,
	RBL_GLB_APART, // see glb_mesh.c
	RBL_GLB_INDEX32,
	RBL_GLB_INDEX16,
	RBL_GLB_TIME,
	RBL_GLB_VEC3,
	RBL_GLB_VEC4,
	RBL_GLB_SHORT4, // rotations in 16 bits
	RBL_GLB_STREAM_COUNT,
} rbl_glb_stream;

typedef struct rbl_glb_accessor {
	rbl_glb_stream stream;
	size_t offset; // in its stream
	int count;
	int bound_count; // numbers in each of low and high: 3, 1 or 0
	float low[3], high[3];
} rbl_glb_accessor;

// An array of a track that is written: the caller's pointer and count, and its accessor.
typedef struct rbl_glb_keys {
	const float *numbers;
	int count, accessor;
	rbl_glb_stream stream;
} rbl_glb_keys;

typedef struct rbl_glb_writer {
	const rbl_scene *scene;
	rbl_io_memory memory; // collects the failures of all outputs
	rbl_io_output data[RBL_GLB_STREAM_COUNT];
	rbl_io_output meshes, animations; // JSON
	RBL_IO_ARRAY(rbl_glb_accessor) accessors;
	RBL_IO_ARRAY(rbl_mesh_material) materials; // of all meshes, concatenated
	RBL_IO_ARRAY(int) material_numbers;        // of each of those in the file
	RBL_IO_ARRAY(int) material_firsts;
	int material_count;
	RBL_IO_ARRAY(int) mesh_numbers; // of each mesh in the file, -1 for those without triangles
	int mesh_count;
	rbl_glb_keys *key_slots; // hash table of arrays of tracks
	int key_slot_count;
} rbl_glb_writer;

// Add an accessor for what is put into its stream next. @return its index, -1 when memory runs out
int rbl_glb_add_accessor(rbl_glb_writer *writer, rbl_glb_stream stream, int count);

// Compute the bounds of an accessor at the end of its stream, `width` numbers per item.
void rbl_glb_set_bounds(rbl_glb_writer *writer, int index, int width);

// Close a JSON list or object: replaces the last comma.
void rbl_glb_close(rbl_io_output *json, const char *sign);

// Write all meshes of the scene into streams, and their JSON into `meshes`.
rbl_result rbl_glb_convert_meshes(rbl_glb_writer *writer);

static inline float rbl_glb_clamp(float value)
{
	return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}
