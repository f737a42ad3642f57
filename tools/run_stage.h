// SPDX-License-Identifier: MIT
// What the files of `rubble run` share: the scene on its stage.
#pragma once

#include "scene_forms.h"

#include <stdio.h>

/// What the user asked for.
typedef struct run_wishes {
	const char *scene, *output, *stats, *record;
	const char *pictures, *view, *frame; // as they were written
	int steps, workers;
} run_wishes;

/// A body as the film knows it; its number is the body's user value.
typedef struct actor {
	rbl_body_id body;
	int material;
	bool has_moved; // since the last frame
	bool is_gone;
	bool can_break;
	bool is_painted; // in its material's colour, and so are its pieces
	bool is_hidden;  // not in the film
	bool is_merged;  // it is a part of a static body, and lies at `rest`
	rbl_transform rest;

	/// In the film: one thing, or one for each part of a large compound.
	int thing;
	int *part_things;
	uint64_t *part_forms; // what each of them shows
	int part_capacity;
} actor;

typedef struct stage {
	const run_wishes *wish;
	scene_file scene;
	scene_forms forms;
	rbl_jobs *jobs;
	rbl_world *world;
	rbl_film *film;
	int *looks; // film mesh of each form and material, -1 before it is used
	actor *actors;
	int actor_count, actor_capacity;
	int *actor_of; // by the index of its body
	int actor_of_capacity;
	rbl_move_event *moves;
	int move_capacity;
	uint64_t random;
	bool is_hidden; // what is added now is not in the film
	int step, fracture_count, dust_count, removed_count;
	double total_ms, worst_ms;
	FILE *stats, *record;
} stage;

/// Make an actor of a body, which gets its number as user value. @return NULL without memory
actor *add_actor(stage *s, rbl_body_id body);

/// Let an actor be that of a body. @return false without memory
bool bind_actor(stage *s, int index, rbl_body_id body);

/// @return the number of the actor of a body, which may be gone; -1: it has none
int find_actor(const stage *s, rbl_body_id body);

/// Free what an actor owns.
void free_actor(actor *of);

/// Show an actor in the film. @param look  how it looks as a whole
rbl_result begin_actor(stage *s, actor *of, int look);

/// Whether the last step removed pieces: the film needs a frame for it.
bool has_removed(const stage *s);

/// Show what the last step broke, and hide what it removed.
rbl_result film_breaks(stage *s);

/// Take the pose of an actor into the film.
rbl_result film_actor(stage *s, const actor *of);

/// Refuse what is written of pictures and cannot be read.
int check_pictures(const run_wishes *wish);

/// Draw the moments of the film that were asked for.
int write_pictures(const stage *s);
