// SPDX-License-Identifier: MIT
// Inside films: objects, their keyframes, and their meshes.
#pragma once

#include "io/document.h"
#include "io/quaternion.h"
#include "io/render.h"

enum { RBL_FILM_POSE_FLOATS = 7 }; // of a pose: position, rotation
enum { RBL_FILM_MESH_SLOTS = 1024 };

typedef struct rbl_film_key {
	float time;
	float numbers[RBL_FILM_POSE_FLOATS]; // of the node: position and rotation
	int next;                            // of the same object, -1 for the last
} rbl_film_key;

// A mesh moved so that its centre of mass is the origin.
typedef struct rbl_film_mesh {
	rbl_mesh *mesh;
	rbl_vec3d centre; // in the coordinates it was given in
	double radius;    // of the farthest vertex from it
	double size;      // diagonal of its box
	uint64_t hash;    // of its faces
	int first;        // the first mesh that is equal, whose memory it shares; itself
	rbl_quatd turn;   // from that to this one
	int chain;        // the mesh before it with the same slot of the hash table, -1
} rbl_film_mesh;

typedef struct rbl_film_object {
	int mesh;           // -1 none
	int name;           // where it begins in the texts, from 1; 0 none
	int parent;         // the object that a part moves with, -1
	rbl_vec3d centre;   // the node's origin, in the coordinates of the object's poses
	rbl_quatd turn;     // of its mesh
	rbl_film_key local; // of a part: its pose in the node of its parent
	float birth, death; // death: -1 while it is there; of a puff it lies ahead
	float puff_scale;   // of a puff at its largest; 0: it is none
	float camera_angle; // of a camera, vertical, in degrees; 0: it is none
	double radius;      // of its farthest point from the node's origin; 0 without a mesh or part
	double size;        // of its smallest mesh
	int moved_frame;    // the last frame with a pose
	bool has_velocity;  // given with the last pose
	rbl_vec3 angular_velocity;

	rbl_film_key anchor;                // the last key that is final
	RBL_IO_ARRAY(rbl_film_key) pending; // poses since
	const char *extras;                 // or NULL
	int first_key, last_key, key_count; // keys before the anchor
} rbl_film_object;

struct rbl_film {
	rbl_film_def def;
	rbl_io_memory memory;
	RBL_IO_ARRAY(rbl_film_mesh) meshes;
	int mesh_slots[RBL_FILM_MESH_SLOTS]; // by hash: the last mesh + 1
	rbl_document *looks; // materials of scenes and extras of objects; NULL until there are any
	RBL_IO_ARRAY(rbl_film_object) objects;
	RBL_IO_ARRAY(rbl_film_key) keys;
	RBL_IO_ARRAY(char) texts; // names, each closed by a zero
	float time, before;       // of this frame and the one before
	int frame;                // 0 until the first begins
	int64_t pose_count;
};

// What is left out of a film that is written.
typedef struct rbl_film_thinning {
	float key_interval; // keys of an object are at least this far apart, in seconds; 0 all
	double least_size;  // objects whose smallest mesh is smaller are left out
	bool has_puffs;
	bool is_plain; // without textures and extras
} rbl_film_thinning;

// Write a film into memory, as rbl_write_film_memory() does, without what is left out.
rbl_result rbl_film_write_thinned(const rbl_film *film, const rbl_film_thinning *thinning,
                                  const rbl_write_def *def, rbl_file_bytes *bytes);

// Copy a mesh with its centre of mass at the origin, the materials that its faces use, and vertices
// at the same position merged. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_film_centre_mesh(const rbl_mesh *mesh, rbl_film *film, rbl_film_mesh *centred);

// A mesh of the film at a place.
typedef struct rbl_film_placed {
	int mesh;
	rbl_transform pose;
} rbl_film_placed;

// Make one mesh of several. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_film_join_meshes(const rbl_film *film, const rbl_film_placed *placed, int count,
                                rbl_mesh **mesh);

// Objects that are one node of the file: parts that never come off alone, as one mesh or as
// instances of a mesh.
typedef struct rbl_film_group {
	int parent; // object, -1
	float birth, death;
	int mesh;         // of the film, that all are instances of; -1: they become one mesh
	int cell[3];      // of a grid, for those that become one mesh
	int first, count; // objects: the first, and how many
	int offset;       // of its members among those of all groups
	rbl_mesh *joined; // or NULL
	rbl_vec3 origin;  // of the node, in the coordinates of its object
	char name[64];
} rbl_film_group;

typedef struct rbl_film_groups {
	RBL_IO_ARRAY(rbl_film_group) groups;
	int *group_of;           // by object, -1: a node of its own
	rbl_film_placed *placed; // members of the groups
	rbl_vec3 *translations;  // of the same
	rbl_quat *rotations;
} rbl_film_groups;

// Find the groups of a film. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_film_find_groups(const rbl_film *film, bool merges, bool instances,
                                rbl_io_memory *memory, rbl_film_groups *groups);
void rbl_film_free_groups(const rbl_film *film, rbl_io_memory *memory, rbl_film_groups *groups);

// Replace a new centred mesh by one of the film that is equal, perhaps turned, and enter it.
void rbl_film_share_mesh(rbl_film *film, rbl_film_mesh *mesh, int index);

// @return the last pose of an object, which may be its only key.
static inline const rbl_film_key *rbl_film_last_pose(const rbl_film_object *object)
{
	return object->pending.count > 0 ? &object->pending.data[object->pending.count - 1]
	                                 : &object->anchor;
}

static inline rbl_quatd rbl_film_rotation(const rbl_film_key *key)
{
	const float *q = key->numbers + 3;
	return (rbl_quatd){ (double)q[0], (double)q[1], (double)q[2], (double)q[3] };
}

// @return the number of keys of an object: the final ones, and both ends of the pending span.
static inline int rbl_film_key_count(const rbl_film_object *object)
{
	return object->key_count + 1 + (object->pending.count > 0);
}

// Iterate over the keys of an object: `at` begins as its first_key. @return key i
static inline const rbl_film_key *rbl_film_next_key(const rbl_film *film,
                                                    const rbl_film_object *object, int i, int *at)
{
	if (i >= object->key_count)
		return i == object->key_count ? &object->anchor : rbl_film_last_pose(object);
	const rbl_film_key *key = &film->keys.data[*at];
	*at = key->next;
	return key;
}

enum { RBL_FILM_PUFF_KEYS = 4 };

// The size of a puff over its life: times as shares of that, and sizes as shares of the largest.
static const float rbl_film_puff_times[RBL_FILM_PUFF_KEYS] = { 0.0f, 0.1f, 0.5f, 1.0f };
static const float rbl_film_puff_sizes[RBL_FILM_PUFF_KEYS] = { 0.0f, 0.6f, 1.0f, 0.0f };

// Append a camera of the file as JSON, closed by a zero (film_camera.c).
void rbl_film_put_camera(rbl_io_output *json, float angle, const char *name);

// Add the next pose of an object. Capacity for it and for a key is reserved.
void rbl_film_push_pose(rbl_film *film, rbl_film_object *object, rbl_film_key pose);

// @return whether an object never moved by more than the tolerance.
bool rbl_film_is_still(const rbl_film *film, const rbl_film_object *object);
