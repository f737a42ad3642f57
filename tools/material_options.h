// SPDX-License-Identifier: MIT
// What meshes are made of, by options: --preset for all, --material for slots.
#pragma once

#include "options.h"

#include <rubble/material.h>
#include <rubble/mesh.h>
#include <rubble/preset.h>

enum { MAX_SLOT_PRESETS = 32 };

/// Presets by the material slots of a mesh.
typedef struct slot_presets {
	int preset; // an rbl_preset, of slots that are not named; -1: none
	char names[MAX_SLOT_PRESETS][RBL_MATERIAL_NAME_LENGTH];
	int presets[MAX_SLOT_PRESETS];
	int count;
} slot_presets;

/// Read both options. @param preset     a name, or NULL
/// @param materials  SLOT=PRESET, several with commas between them; or NULL
/// @return a STATUS_
int read_slot_presets(const command *self, const char *preset, const char *materials,
                      slot_presets *out);

/// @return whether anything is said at all.
bool has_presets(const slot_presets *presets);

/// @return the preset of what most of a mesh's surface is, cut faces left out; -1 none
/// @param usual  of a mesh that has cut faces only
int preset_of_mesh(const slot_presets *presets, const rbl_mesh *mesh, int usual);

/// Refuse slots that none of the meshes has. @return a STATUS_
int check_slot_names(const slot_presets *presets, const rbl_mesh *const *meshes, int count);

/// Make materials for the slots of a mesh, one for each; NULL among them where nothing is said.
/// @param materials  receives them, to be freed by destroy_slot_materials()
rbl_result make_slot_materials(const slot_presets *presets, const rbl_mesh *mesh,
                               rbl_material ***materials, int *count);
void destroy_slot_materials(rbl_material **materials, int count);
