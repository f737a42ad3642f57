// SPDX-License-Identifier: MIT
// The models and materials of a scene made ready: what bodies collide as, how they look and break.
#pragma once

#include "scene.h"

/// A shape that bodies share. One of collider and asset; a model that is split has many.
typedef struct scene_form {
	rbl_collider *collider;   // what cannot break
	rbl_collider *still;      // triangles, for static things of meshes; or NULL
	rbl_asset *asset;         // what can break, and meshes that move
	rbl_mesh *mesh;           // how it looks, in the form's coordinates
	rbl_compound_part *parts; // of blocks: boxes that each body makes a compound of; or NULL
	int part_count;
} scene_form;

typedef struct scene_forms {
	const scene_file *scene;
	scene_form *forms;
	int form_count;
	int *first_form;        // of each model, and one more
	rbl_pattern **patterns; // two per material
	rbl_damage_level (*levels)[2];
	rbl_damage_rule *rules; // per material
} scene_forms;

/// Make all forms and rules. Errors are printed. @return a STATUS_
int make_forms(const scene_file *scene, const char *path, rbl_jobs *jobs, scene_forms *forms);

/// A compound of a form of blocks or an asset.
/// @param is_anchored  fix its lowest parts to the world
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_BAD_ARGUMENT
rbl_result form_compound(const scene_form *form, bool is_anchored, rbl_compound **compound);

void free_forms(scene_forms *forms);

/// A copy of a mesh with normals, in a material's colour unless it has its own; NULL without memory.
/// @param covers  paint over what it has
rbl_mesh *painted_mesh(const rbl_mesh *mesh, const scene_material *material, bool covers);
