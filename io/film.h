// SPDX-License-Identifier: MIT
// What the files of films share: things, their keys, and the meshes that they look like.
#pragma once

#include "io/picture.h"
#include "io/rotation.h"

enum { RBL_FILM_NUMBERS = 7 }; // of a pose: position, rotation

typedef struct rbl_film_key {
	float time;
	float numbers[RBL_FILM_NUMBERS]; // of the node: where its origin is, and its rotation
	int next;                        // of the same thing, -1 for the last
} rbl_film_key;

// A mesh about its centre of mass, which is the origin of every node that shows it.
typedef struct rbl_film_mesh {
	rbl_mesh *mesh;
	rbl_vec3d centre; // in the coordinates that it was given in
	double radius;    // of its farthest vertex from there
	double size;      // diagonal of its box
} rbl_film_mesh;

typedef struct rbl_film_thing {
	int mesh;           // -1 none
	int parent;         // the thing that a part moves with, -1
	rbl_vec3d centre;   // where the node's origin is, in the coordinates of the thing's poses
	rbl_film_key local; // of a part: its node in that of its parent
	float birth, death; // death: -1 while it is there
	double radius;      // of its farthest point from the node's origin; 0 without a mesh or part
	double size;        // of its smallest mesh
	int moved_frame;    // the last in which it was placed
	bool has_velocity;  // it was told with the last pose
	rbl_vec3 angular_velocity;

	rbl_film_key anchor;                // the last key that was decided
	RBL_IO_ARRAY(rbl_film_key) pending; // poses since
	int first_key, last_key, key_count; // keys before the anchor
} rbl_film_thing;

struct rbl_film {
	rbl_film_def def;
	rbl_io_memory memory;
	RBL_IO_ARRAY(rbl_film_mesh) meshes;
	RBL_IO_ARRAY(rbl_film_thing) things;
	RBL_IO_ARRAY(rbl_film_key) keys;
	float time, before; // of this frame and the one before
	int frame;          // 0 until the first begins
	int64_t pose_count;
};

// Make a copy of a mesh about its centre of mass, with the materials that its faces use and one
// vertex at each place. @return RBL_OK, or why not
rbl_result rbl_film_centre_mesh(const rbl_mesh *mesh, rbl_film *film, rbl_film_mesh *centred);

// @return the last pose of a thing, which may be its only key.
static inline const rbl_film_key *rbl_film_last(const rbl_film_thing *thing)
{
	return thing->pending.count > 0 ? &thing->pending.data[thing->pending.count - 1]
	                                : &thing->anchor;
}

static inline rbl_quatd rbl_film_rotation(const rbl_film_key *key)
{
	const float *q = key->numbers + 3;
	return (rbl_quatd){ (double)q[0], (double)q[1], (double)q[2], (double)q[3] };
}

// @return how many keys a thing has: those decided, and both ends of the stretch that is not.
static inline int rbl_film_key_count(const rbl_film_thing *thing)
{
	return thing->key_count + 1 + (thing->pending.count > 0);
}

// Walk the keys of a thing: `at` begins as its first_key. @return key i
static inline const rbl_film_key *rbl_film_next_key(const rbl_film *film,
                                                    const rbl_film_thing *thing, int i, int *at)
{
	if (i >= thing->key_count)
		return i == thing->key_count ? &thing->anchor : rbl_film_last(thing);
	const rbl_film_key *key = &film->keys.data[*at];
	*at = key->next;
	return key;
}

// Take the next pose of a thing. There is room for it, and for a key.
void rbl_film_take(rbl_film *film, rbl_film_thing *thing, rbl_film_key pose);

// @return whether a thing never left its place by more than the tolerance.
bool rbl_film_is_still(const rbl_film *film, const rbl_film_thing *thing);
