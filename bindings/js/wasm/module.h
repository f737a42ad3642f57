// SPDX-License-Identifier: MIT
// What the files of the WebAssembly module share. JavaScript calls functions named js_, and those of
// the public headers; bindings/js/generate knows their types.
#pragma once

#include "run.h"

/// Exported to JavaScript if a module of bindings/js names it.
#define JS_API __attribute__((visibility("default")))

/// Triangles to draw, three corners each. They live until the next call that makes some.
typedef struct js_triangles {
	float *positions, *normals; // three numbers for each corner
	float *colors;              // linear red, green and blue, and 1 where a cut is seen
	float *uvs;                 // texture coordinates, two for each corner; 0 where a mesh has none
	float *layers;              // the texture of each corner, from 1; 0: none
	int corner_count, capacity;
	bool is_hidden;
} js_triangles;

/// Lines to draw. They live until the next call that makes some.
typedef struct js_lines {
	float *positions; // six numbers for each line
	float *colors;    // likewise
	int count, position_capacity, color_capacity;
	bool is_short; // memory ran out
} js_lines;

/// A body at a time: eight numbers.
typedef struct js_pose {
	rbl_vec3 position;
	float is_awake;
	rbl_quat rotation;
} js_pose;

/// Poses of all bodies by index, now and a step before; what the last step moved; all bodies.
typedef struct js_poses {
	js_pose *now, *before;
	uint32_t *generations;
	int count, now_capacity, before_capacity, generation_capacity;
	rbl_move_event *moves;
	int move_capacity, move_count;
	rbl_body_id *bodies;
	int body_capacity, body_count;
} js_poses;

/// The sheets of a scene: particles, where they were before the last step, and their sheets.
typedef struct js_cloth {
	const rbl_vec3 *positions, *starts;
	const int *sheets, *triangles;
	int particle_count, triangle_count, sheet_count;
} js_cloth;

/// Bytes that grow, such as those of a file.
typedef struct js_bytes {
	unsigned char *data;
	size_t size, capacity;
} js_bytes;

/// Append bytes. @return false when memory runs out
bool js_append(js_bytes *bytes, const void *more, size_t size);

/// The color of faces, and of those that were cut.
typedef struct js_look {
	rbl_vec4 outer, inner;
	bool replaces; // also where the mesh has materials
	bool is_cut;   // all of it
} js_look;

/// Append the triangles of a mesh, or of a part of a compound: one without a mesh has the faces of its
/// convex, with texture coordinates of cuts.
rbl_result js_append_triangles(js_triangles *out, const rbl_mesh *mesh, const js_look *look);
rbl_result js_append_part(js_triangles *out, const rbl_compound *compound, int part,
                          const js_look *look);

/// The one buffer of triangles, emptied.
js_triangles *js_begin_triangles(void);

/// A scene that runs.
typedef struct js_scene {
	run_options options;
	simulation simulation;
	char path[256];
	js_bytes recorded;
	bool is_recording;
} js_scene;

/// Begin to record a world. @param bytes  receive the recording
rbl_result js_record(rbl_world *world, js_bytes *bytes);
