// SPDX-License-Identifier: MIT
// Scene files of `rubble run`: JSON in, plain structs out. docs/scenes.md describes the format.
#pragma once

#include <rubble/io.h>
#include <rubble/rubble.h>

enum { SCENE_NAME_LENGTH = 64 };

/// What things are made of.
typedef struct scene_material {
	char name[SCENE_NAME_LENGTH];
	double density, friction, restitution;
	double color[3];

	/// How it breaks: the energy in joule from which it does; 0: never.
	double strength;
	int pattern; // an rbl_pattern_kind
	int cell_count;
	double radius; // of the impact at `strength`, in metres
	double min_size;
	double bend_energy;   // from which weaker hits bend it, in joule; 0: they do not
	double bend_depth;    // of a dent, at twice that energy
	double bond_strength; // what bonds hold under load, in pascal; 0: they never fail
} scene_material;

typedef enum scene_model_kind {
	SCENE_BOX,
	SCENE_BALL,
	SCENE_STONE, // the hull of random points
	SCENE_SHAPE, // of `rubble make`
	SCENE_FILE,
	SCENE_BLOCKS, // boxes that hang together where they touch
	SCENE_MODEL_KINDS
} scene_model_kind;

/// A row, a layer or a block of boxes, each a part.
typedef struct scene_block {
	double size[3], position[3];
	int count[3];
	double pitch[3];
} scene_block;

/// What things look and collide like.
typedef struct scene_model {
	char name[SCENE_NAME_LENGTH];
	scene_model_kind kind;
	double size[3]; // of a box or a stone
	double radius;
	int point_count; // of a stone
	int detail;
	uint64_t seed;
	double scale, tolerance;
	rbl_up_axis up;
	bool is_split;   // every shell is a body of its own
	char text[1024]; // shape or path of the file
	scene_block *blocks;
	int block_count;
} scene_model;

/// Things that stand in the scene from the start, one or a block of them.
typedef struct scene_instance {
	int model, material;
	rbl_body_kind kind;
	double position[3], turn[4]; // turn: axis and degrees
	double velocity[3], spin[3];
	int count[3];     // a block: so many along each axis
	double pitch[3];  // apart
	double shift[3];  // of every other layer along y
	double jitter;    // random shift up to this
	bool is_turned;   // random rotation
	bool is_hidden;   // not in the film
	bool is_anchored; // its lowest parts are fixed to the world
} scene_instance;

/// Things that are thrown in.
typedef struct scene_projectile {
	int model, material;
	double time, every; // seconds: the first, and between them
	int count;
	double position[3], velocity[3], spin[3];
	double spread; // random shift of the position up to this
} scene_projectile;

typedef struct scene_file {
	double gravity[3], dt;
	double frame_time; // between poses that the film takes, 0: every step has one
	int step_count, substep_count;
	bool can_sleep;
	double freeze_time; // seconds that debris sleeps before it is frozen, 0 never
	double bake_time;  // seconds that it sleeps before it is merged into static bodies, 0 never
	int debris_limit;   // most pieces that came off something, 0: no limit
	uint64_t seed;
	scene_material *materials;
	scene_model *models;
	scene_instance *instances;
	scene_projectile *projectiles;
	int material_count, model_count, instance_count, projectile_count;
	char folder[1024];  // of the scene, for files it names; ends in a slash or is empty
	bool reads_outside; // files may lie anywhere, and not only in that folder and below
} scene_file;

/// The largest scene file: JSON takes many times its size in memory.
enum { SCENE_SIZE_LIMIT = 64 << 20 };

/// Read a scene. Errors are printed as "FILE: path.in[2].json: reason".
/// @return a STATUS_
int read_scene(const char *path, scene_file *scene);

void free_scene(scene_file *scene);
