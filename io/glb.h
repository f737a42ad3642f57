// SPDX-License-Identifier: MIT
// Inside the .glb writer: streams of numbers, accessors into them, and JSON.
#pragma once

#include "io/io.h"

#include <rubble/json.h>

// Numbers of one kind, whatever mesh they belong to.
typedef enum rbl_glb_stream {
	RBL_GLB_POSITION,
	RBL_GLB_NORMAL,
	RBL_GLB_UV0,
	RBL_GLB_UV1,
	RBL_GLB_COLOR,
	RBL_GLB_APART,    // see glb_mesh.c
	RBL_GLB_FURTHER1, // further attributes by their width
	RBL_GLB_FURTHER2,
	RBL_GLB_FURTHER3,
	RBL_GLB_FURTHER4,
	RBL_GLB_POSITION16, // quantized
	RBL_GLB_NORMAL8,
	RBL_GLB_UV16,
	RBL_GLB_COLOR8,
	RBL_GLB_TANGENT8,
	RBL_GLB_APART8,
	RBL_GLB_INDEX32,
	RBL_GLB_INDEX16,
	RBL_GLB_INDEX8,
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
	float factor; // that the values are written times
} rbl_glb_keys;

// How positions of a quantized mesh become metres: times `factor`, a power of two, plus `offset`.
typedef struct rbl_glb_quantized {
	float factor;
	rbl_vec3 offset;
	bool is_flat;  // its normals are those of its faces, and are left out
	bool is_split; // some are: those faces are primitives of their own
} rbl_glb_quantized;

typedef struct rbl_glb_extension {
	char name[64];
	bool is_required;
} rbl_glb_extension;

typedef struct rbl_glb_writer {
	const rbl_scene *scene;
	rbl_io_memory memory; // collects the failures of all outputs
	rbl_io_output data[RBL_GLB_STREAM_COUNT];
	rbl_io_output meshes, animations; // JSON
	RBL_IO_ARRAY(rbl_glb_accessor) accessors;
	RBL_IO_ARRAY(rbl_mesh_material) materials; // of all meshes, concatenated
	RBL_IO_ARRAY(int) material_numbers;        // of each of those in the file
	RBL_IO_ARRAY(int) material_firsts;
	RBL_IO_ARRAY(int) material_own; // from different ones to numbers in the file
	RBL_IO_ARRAY(rbl_glb_extension) extensions;
	int material_count;
	RBL_IO_ARRAY(int) mesh_numbers; // of each mesh in the file, -1 for those without triangles
	int mesh_count;
	rbl_glb_quantized *quantized;         // per mesh of the scene, or NULL
	RBL_IO_ARRAY(int) node_meshes;        // per node: a node for its mesh alone, or -1
	RBL_IO_ARRAY(int) instance_accessors; // three per node, or none at all
	rbl_glb_keys *key_slots;              // hash table of arrays of tracks
	int key_slot_count;
	bool is_film;      // vertices at one place need not stay apart
	bool merges_looks; // materials that differ in their names alone become one
} rbl_glb_writer;

// Add an accessor for what is put into its stream next. @return its index, -1 when memory runs out
int rbl_glb_add_accessor(rbl_glb_writer *writer, rbl_glb_stream stream, int count);

// Compute the bounds of an accessor at the end of its stream, `width` numbers per item.
void rbl_glb_set_bounds(rbl_glb_writer *writer, int index, int width);

// Append a JSON string, a name with its key where there is one, and a list of numbers.
void rbl_glb_put_string(rbl_io_output *json, const char *text);
void rbl_glb_put_name(rbl_io_output *json, const char *name);
void rbl_glb_put_numbers(rbl_io_output *json, const float *values, int count);

// Numbers with all the digits of a double: bounds are compared by readers that parse doubles.
void rbl_glb_put_bounds(rbl_io_output *json, const float *values, int count);

// Append JSON that is handed on, under a key; nothing for NULL.
void rbl_glb_put_member(rbl_io_output *json, const char *key, const char *source);

// Close a JSON list or object: replaces the last comma.
void rbl_glb_close(rbl_io_output *json, const char *sign);

// Decide how each mesh is quantized (glb_quantize.c). @return false: out of memory
bool rbl_glb_plan_quantized(rbl_glb_writer *writer);

// Make a mesh of the faces whose normals are those of the face, or of all others.
rbl_result rbl_glb_pick_faces(rbl_glb_writer *writer, const rbl_mesh *mesh, bool is_flat,
                              rbl_mesh **part);

// Write all meshes of the scene into streams, and their JSON into `meshes`.
rbl_result rbl_glb_convert_meshes(rbl_glb_writer *writer);

// Collect the materials of all meshes; those of the same look become one.
bool rbl_glb_gather_materials(rbl_glb_writer *writer);

// @return the scene's material that one of a mesh stands for, or -1
int rbl_glb_scene_material(const rbl_glb_writer *writer, const rbl_mesh_material *material);

// Note an extension, and all those that texts of the scene name. @return false: out of memory
bool rbl_glb_use_extension(rbl_glb_writer *writer, const char *name, bool is_required);
bool rbl_glb_gather_extensions(rbl_glb_writer *writer);
void rbl_glb_put_extensions(const rbl_glb_writer *writer, rbl_io_output *json);

// Write materials, textures, samplers, images and cameras.
void rbl_glb_put_looks(const rbl_glb_writer *writer, rbl_io_output *json, int first_image_view);

static inline float rbl_glb_clamp(float value)
{
	return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}
