// SPDX-License-Identifier: MIT
// Presets: materials with the figures of engineering handbooks, each with a way to break of its
// own. docs/materials.md shows them, and says where the numbers come from.
#pragma once

#include <rubble/base.h>
#include <rubble/material.h>
#include <rubble/mesh.h>
#include <rubble/pattern.h>
#include <rubble/types.h>

/// Materials that are known by name.
typedef enum rbl_preset {
	RBL_PRESET_CONCRETE = 0,   // small fragments near the hit, large ones around, dust
	RBL_PRESET_BRICK,          // whole bricks, in courses with a running bond
	RBL_PRESET_STONE,          // large, even fragments
	RBL_PRESET_GLASS,          // a web about the hit, what is beyond stays
	RBL_PRESET_TEMPERED_GLASS, // all of a pane at once, in dice
	RBL_PRESET_WOOD,           // splinters along the grain
	RBL_PRESET_PLASTER,        // crumbs and much dust
	RBL_PRESET_CERAMIC,        // shards, by weak hits
	RBL_PRESET_ICE,            // fine at the hit, white chips
	RBL_PRESET_METAL_SHEET,    // bends where it has several parts, tears by very strong hits
	RBL_PRESET_COUNT
} rbl_preset;

/// The most levels of a preset.
#define RBL_MAX_PRESET_LEVELS 4

/// A damage level whose pattern is not made yet.
typedef struct rbl_preset_level {
	/// As in rbl_damage_level.
	double energy, radius;

	/// How to make its pattern; without an allocator of its own with the material's.
	rbl_pattern_def pattern;
} rbl_preset_level;

/// A material and the patterns that it breaks by, all as plain numbers: change what should differ.
/// Start from rbl_default_preset_def().
typedef struct rbl_preset_def {
	/// All but the levels of its damage rule; its name is that of the preset. Figures are SI.
	rbl_material_def material;

	/// The levels by rising energy, and their number, 0 to RBL_MAX_PRESET_LEVELS.
	rbl_preset_level levels[RBL_MAX_PRESET_LEVELS];
	int level_count;

	/// How to draw it, and the linear color of its cut faces, for programs without textures: meshes
	/// have looks of their own, and the world does not read these.
	rbl_mesh_material look;
	rbl_vec4 inner_color;

	/// Filled by rbl_default_preset_def(). Leave it alone.
	uint32_t cookie;
} rbl_preset_def;

/// @return the name of a preset, such as "tempered_glass"; "" for none. Threads: any.
RBL_API const char *rbl_preset_name(rbl_preset preset);

/// Find the preset that a name, such as that of a mesh material, has among its words. Words end at
/// anything that is no letter, and before a capital after a small letter; capitals count as small
/// letters, and an s at the end does not count. "Window glass.001", "TemperedGlass" and "bricks"
/// are presets, "office" is none. The longest name counts, of equal ones the first preset.
/// @return RBL_PRESET_COUNT if there is none, and for NULL. Threads: any.
RBL_API rbl_preset rbl_preset_of_name(const char *name);

/// @return a definition that works as it is; that of concrete out of range. Threads: any.
RBL_API rbl_preset_def rbl_default_preset_def(rbl_preset preset);

/// Make a material, and its patterns with it.
/// @param def       read during the call only
/// @param material  receives the material, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY
/// Threads: any. Cost: that of its patterns, some 15 us per cell: 2 to 30 ms.
RBL_API rbl_result rbl_create_preset_material(const rbl_preset_def *def, rbl_material **material);
