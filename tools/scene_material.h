// SPDX-License-Identifier: MIT
// Materials of scene files: the table of their keys, and presets.
#pragma once

#include "scene_keys.h"

/// Read a material, a damage level of one.
void read_material(reader *r, place *at, void *to);
void read_level(reader *r, place *at, void *to);

/// Names of kinds of patterns and of brick bonds, in their order; NULL at the end.
extern const char *const scene_pattern_names[], *const scene_bond_names[];

/// Cells as they are where nothing is said, of size 0. Rings and spokes are counted later.
scene_level usual_cells(void);

/// Give a web about as many cells as asked for, where rings and spokes are not given.
void count_spokes(scene_level *level);

/// Complain of a key that the pattern does not read: it would silently do nothing.
void check_pattern_keys(reader *r, const place *at, rbl_pattern_kind kind);

/// Append every preset whose name no material of the file has.
void add_preset_materials(reader *r);

/// Read the names of what slots of a model's mesh are made of.
void read_slots(reader *r, const place *at, scene_model *model);

/// Find the materials that slots and boxes name, once all are known.
void resolve_materials(reader *r, const place *root);

/// @return the index of the material of a name, which is at this place; complains if there is none
int find_material(reader *r, const place *at, const char *name);
