// SPDX-License-Identifier: MIT
// Any file as a film that can be drawn: meshes, assets and recordings.
#pragma once

#include <rubble/asset.h>
#include <rubble/io.h>

/// What a file is, by its first bytes.
typedef enum file_kind {
	FILE_MESH, // or anything else
	FILE_ASSET,
	FILE_RECORDING,
} file_kind;

/// @return what a file is
file_kind file_kind_of(const char *path);

/// Read a file into a new film.
/// @param is_repaired  of a mesh file: it is closed first, and is one mesh
/// @param step  how many steps of a recording are played; -1 all
/// @param pull  explode an asset: move parts outwards by this times their distance from the middle
/// @param draw  of a recording: what lines are drawn, as rbl_draw.flags; 0: parts and lines
/// @param time  of a glTF file: seconds into its animations
/// @return a STATUS_; an error is printed
int film_of_file(const char *path, bool is_repaired, int step, double pull, uint32_t draw,
                 double time, rbl_film **film);

/// Add a glTF file to a film as it is at a time. @return a STATUS_; an error is printed
int film_of_document(const char *path, double time, rbl_film *film);

/// Add the parts of a compound to a film, each in another color. @return as rbl_film_add_mesh()
rbl_result film_parts(rbl_film *film, const rbl_compound *compound, rbl_transform pose,
                      double pull);
