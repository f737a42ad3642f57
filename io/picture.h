// SPDX-License-Identifier: MIT
// What the files that draw pictures share.
#pragma once

#include "io/io.h"

#include <rubble/picture.h>

/// Where a thing of a film is at a moment. @return the number of its mesh; -1: it has none, or is not there
int rbl_io_film_pose(const rbl_film *film, int thing, float time, rbl_transform *pose);

/// @return a mesh of a film.
const rbl_mesh *rbl_io_film_mesh(const rbl_film *film, int mesh);

/// A corner on its way into an image: where it is there, how near (more is nearer, and grows evenly
/// across the image), and what it looks like.
typedef struct rbl_io_corner {
	float x, y, nearness;
	rbl_vec3 normal, color;
} rbl_io_corner;

/// An image of what is nearest.
typedef struct rbl_io_canvas {
	int width, height;
	float *nearness;   // 0 where there is nothing
	uint32_t *normals; // three signed bytes each; NULL: only the nearness is kept
	uint32_t *colors;  // three bytes each, square roots of linear values
} rbl_io_canvas;

/// Draw a triangle.
void rbl_io_draw_triangle(rbl_io_canvas *canvas, const rbl_io_corner *a, const rbl_io_corner *b,
                          const rbl_io_corner *c);

/// @return what was packed into a word of `normals` or `colors`.
rbl_vec3 rbl_io_unpack_normal(uint32_t word);
rbl_vec3 rbl_io_unpack_color(uint32_t word);

/// Append a PNG file. Failures of memory stay in output->memory.
void rbl_io_put_png(rbl_io_output *output, const unsigned char *pixels, int width, int height);
