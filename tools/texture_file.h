// SPDX-License-Identifier: MIT
// A picture file as the texture of a material of its own: what cut faces are given.
#pragma once

#include <rubble/io.h>

typedef struct texture_look {
	rbl_file_bytes bytes;
	rbl_scene_image image;
	rbl_scene_texture texture;
	rbl_scene_material material;
} texture_look;

/// Read a PNG or JPEG file. @param def  as in rbl_read_file(); NULL for the defaults
/// @param name  of the material; it must live as long as the look
/// @return as rbl_read_file(); RBL_BAD_FILE for other files (logged)
rbl_result read_texture_look(const char *path, const rbl_read_def *def, const char *name,
                             texture_look *look);

/// @return a scene of that material alone; it lives as long as the look
rbl_scene texture_scene(const texture_look *look);

void free_texture_look(texture_look *look);
