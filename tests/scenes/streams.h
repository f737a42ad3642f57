// SPDX-License-Identifier: MIT
// Streams of moving boxes: what every broad phase here is tested and measured on.
//
// No physics is involved. Motion is made up so that density, coherence, birth and death look like
// the simulations of Luque, Comba and Freitas (2005) and like a pile of rubble. y is up, lengths
// are metres, a step is 1/60 s. The same seed gives the same bits everywhere; stream_hash() tells.
//
//   S1 terrain   n spheres and blocks rain on static tiles, roll downhill and pile up three deep;
//                settled ones tremble by 3 mm, as under a solver without sleeping
//   S2 clouds    n boxes in eight clouds that follow attractors; everything moves about 0.2 m a step
//   S3 blocks    34 large blocks meet at an attractor, and each breaks into n / 34 touching fragments
//   S4 buckets   like S1, into 25 buckets, twelve deep
//   S5 rubble    a settled slab of n boxes, 2 % awake; every 30 steps 50 boxes become 1000 fragments
//   S6 sizes     n boxes from 0.05 to 50 m, small ones in motion among large ones, world unbounded
//   S7 pile      n boxes in a dense pile, 6.5 pairs each, all moving by millimetres or centimetres
//   S8 slabs     up to n static slabs laid in front and taken up behind, n / 16 walkers on them
//   S9 corridor  n / 8 to n trembling boxes: a corridor that fills up from one end
//   S10 tide     n boxes that slosh to and fro, half their length in 300 steps
//   S11 curtain  n boxes that are swept flat against three walls in turn
//   S12 ebb      n trembling boxes; seven of eight leave, from one side, and come back
//
// Step 0 delivers the starting population. Ids go upwards from 0 and are never used twice.
#pragma once

#include <rubble/types.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum stream_scene {
	STREAM_TERRAIN = 1,
	STREAM_CLOUDS,
	STREAM_BLOCKS,
	STREAM_BUCKETS,
	STREAM_RUBBLE,
	STREAM_SIZES,
	STREAM_PILE,
	STREAM_SLABS,
	STREAM_CORRIDOR,
	STREAM_TIDE,
	STREAM_CURTAIN,
	STREAM_EBB,
	STREAM_LAST = STREAM_EBB,
} stream_scene;

typedef enum stream_kind { STREAM_FREE = 0, STREAM_DYNAMIC, STREAM_STATIC } stream_kind;

/// A list of ids that is valid until the next step.
typedef struct stream_list {
	int *ids;
	int count;
} stream_list;

typedef struct stream_object stream_object;

typedef struct stream {
	// What a step delivers.
	int step;     // 0 for the first
	int capacity; // every id is below
	int id_count; // ids handed out so far
	int dynamic_count, static_count;
	bool is_fracture; // boxes were replaced by fragments
	rbl_box world;    // holds all boxes of the stream, with slack
	rbl_box *boxes;   // by id
	uint8_t *kinds;   // by id: a stream_kind
	stream_list created, destroyed, moved;

	// How it is made.
	stream_scene scene;
	int count, step_count;
	stream_object *objects;
	uint64_t random;
	float time;
	int clock;     // steps made, also the silent ones before step 0
	bool is_quiet; // while the starting population is made
	int side, bucket, pitch;
	float *column_tops;
	float radius;
	float attractors[8][3], attractor_velocities[8][3];
	int fragments_per_edge;
	bool has_debris;
	stream_list awake;
	int awake_wanted;
	float zone[3], zone_radius;
} stream;

/// Open a stream of `count` boxes that delivers `step_count` steps. @return false when memory ran
/// out or the scene is unknown.
bool stream_open(stream *s, stream_scene scene, int count, int step_count, uint64_t seed);

/// Make the next step. @return false when all were delivered.
bool stream_next(stream *s);

void stream_close(stream *s);

/// A hash of all living boxes and their ids.
uint64_t stream_hash(const stream *s);

/// Steps that are measured for a size, so that figures compare.
int stream_default_steps(stream_scene scene, int count);
