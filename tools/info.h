// SPDX-License-Identifier: MIT
// What `rubble info` prints about files that are no meshes.
#pragma once

#include <stdbool.h>

/// Print a text as JSON, in quotes.
void print_json_text(const char *text);

/// Print nodes and textures of a glTF file: rows of the table, or members of the JSON object.
/// @return a STATUS_; an error is printed
int print_scene_info(const char *path, bool is_json);

/// Print what an asset or a recording contains. @return a STATUS_; an error is printed
int print_asset_info(const char *path, bool is_json);
int print_recording_info(const char *path, bool is_json);
