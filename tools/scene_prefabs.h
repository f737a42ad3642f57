// SPDX-License-Identifier: MIT
// Prefabs: the models and materials of a scene as colliders, meshes and materials that bodies share.
#pragma once

#include "scene.h"

/// What bodies of a model share. A model with `split` has a prefab for each shell.
typedef struct scene_prefab {
	rbl_collider *collider;        // for bodies that cannot break; or NULL
	rbl_collider *static_collider; // triangles, for static bodies of mesh models; or NULL
	rbl_asset *asset;              // for bodies that break, and mesh models that move; or NULL
	rbl_mesh *mesh;                // what is drawn
	rbl_compound_part *parts;      // of a model of boxes; or NULL
	const scene_model *model;
	const rbl_document *document; // its file, where an instance anchors nodes of it; or NULL
	int part_count, part_capacity;
	char name[SCENE_NAME_LENGTH]; // of its node in the file; or empty
	int material;                 // that its slots are all made of; -1: what the instance says
	const rbl_material **table;   // of several: of each slot, NULL as the instance says; or NULL
	int table_count;
	bool slots_break; // something in the table does
} scene_prefab;

typedef struct scene_prefabs {
	const scene_file *scene;
	scene_prefab *prefabs;
	int prefab_count, prefab_capacity;
	int *first_prefab; // of each model, and one more
	rbl_material **materials;
	rbl_document **documents; // the file of each model of which nodes are anchored; or NULL
} scene_prefabs;

/// Make all prefabs and materials. Errors are printed. @return a STATUS_
int make_prefabs(const scene_file *scene, const char *path, rbl_jobs *jobs, scene_prefabs *prefabs);

/// Create a compound of the parts or the asset of a prefab.
/// @param anchors  fix parts to the world as this instance says; NULL: none
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_BAD_ARGUMENT
rbl_result prefab_compound(const scene_prefab *prefab, const scene_instance *anchors,
                           rbl_compound **compound);

/// Fix parts of a compound to the world: those in the box or of the nodes that the instance names, or
/// the lowest.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_BAD_ARGUMENT
rbl_result anchor_parts(const scene_prefab *prefab, const scene_instance *instance,
                        rbl_compound *compound);

/// Refuse names that no node of a model's file has. @return RBL_OK, RBL_BAD_ARGUMENT (logged)
rbl_result check_anchor_nodes(const rbl_document *document, const scene_model *model,
                              const char *pattern);

/// Make a material, unless it is made already. @return as rbl_create_preset_material()
rbl_result make_material(scene_prefabs *prefabs, int index);

/// @return whether hits break a body of that material, or bend it or open its bonds where the model has
/// some
bool yields_to_hits(const scene_material *material, const scene_model *model);

/// Make what a body of a model and a material needs that is thrown later than the file says.
/// @return as make_material() and rbl_prepare()
rbl_result prepare_for_throw(scene_prefabs *prefabs, int model, int material);

/// The pattern of a level.
rbl_pattern_def pattern_of_level(const scene_level *from);

/// @return the material that a slot of a model's mesh is made of; -1: what the instance says
int material_of_slot(const scene_file *scene, const scene_model *model, const char *slot);

/// Refuse a model that names slots which no mesh of it has.
/// @return RBL_OK, RBL_BAD_ARGUMENT (logged)
rbl_result check_slots(const scene_model *model, rbl_mesh *const *meshes, int mesh_count);

/// Find what the slots of a prefab's mesh, or its boxes, are made of.
/// @return as make_material()
rbl_result find_slot_materials(scene_prefabs *prefabs, const scene_model *model,
                               scene_prefab *prefab);
rbl_result find_box_materials(scene_prefabs *prefabs, const scene_model *model,
                              scene_prefab *prefab);

void free_prefabs(scene_prefabs *prefabs);

/// @return a material as it is drawn.
rbl_mesh_material mesh_material_of(const scene_material *material);

/// Copy a mesh, with normals, and with this material unless it has its own.
/// @param replaces  use the material in any case
/// @param keeps_uv  keep texture coordinates that no picture of the scene uses
/// @return NULL when memory runs out
rbl_mesh *mesh_with_material(const rbl_mesh *mesh, const rbl_mesh_material *material, bool replaces,
                             bool keeps_uv);
