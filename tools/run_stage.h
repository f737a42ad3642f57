// SPDX-License-Identifier: MIT
// What the files of `rubble run` share: the scene on its stage.
#pragma once

#include "scene_forms.h"

#include <stdio.h>

/// What the user asked for.
typedef struct run_wishes {
	const char *scene, *output, *stats;
	int steps, workers;
} run_wishes;

/// A body as the film and the breaking know it; its number is the body's user value.
typedef struct actor {
	rbl_body_id body;
	int material;
	rbl_body_kind kind;
	rbl_vec3 velocity; // before the last step
	bool has_moved;    // since the last frame
	bool is_gone;
	bool is_painted; // in its material's colour, and so are its pieces

	/// What can break: its parts, and the shape it collides as once it was broken.
	rbl_compound *compound;
	rbl_collider *collider;
	rbl_collider **children;
	int child_count;

	/// In the film: one thing, or one for each part of a large compound.
	int thing;
	int *part_things;
	const rbl_convex **part_forms; // what each of them shows
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
	rbl_move_event *moves;
	int move_capacity;
	uint64_t random;
	bool is_hidden; // what is added now is not in the film
	int step, fracture_count, step_fractures, dust_count;
	double fracture_ms, total_ms, worst_ms;
	FILE *stats;
} stage;

/// Room for one more actor.
bool grow_actors(stage *s);

/// Free what an actor owns; its body must be gone.
void free_actor(actor *of);

/// Give an actor the compound that it breaks as, and show it in the film.
rbl_result begin_actor(stage *s, int index, const rbl_asset *asset, int look);

/// Break what the last step hit hard enough. Changes begin with the next step.
rbl_result break_actors(stage *s);

/// Whether something will break: the film needs a frame for it.
bool has_breaks(const stage *s);

/// Take the pose of an actor into the film.
rbl_result film_actor(stage *s, const actor *of);
