// SPDX-License-Identifier: MIT
// Inside the software renderer: the rasterizer, poses of films, PNG.
#pragma once

#include "io/io.h"

#include <rubble/picture.h>

/// The pose of an object of a film at a time. @return its mesh; -1: it has none, or is not visible
int rbl_io_film_pose(const rbl_film *film, int object, float time, rbl_transform *pose);

/// A puff of a film at a time, as it is then. @return its mesh; -1: it is none, or not visible
int rbl_io_film_puff(const rbl_film *film, int object, float time, rbl_vec3 *middle, float *radius);

/// @return a mesh of a film.
const rbl_mesh *rbl_io_film_mesh(const rbl_film *film, int mesh);

/// A vertex in screen space, with its attributes. The inverse depth is linear in screen space.
typedef struct rbl_io_raster_vertex {
	float x, y, inverse_depth;
	rbl_vec3 normal, color;
} rbl_io_raster_vertex;

/// A frame buffer with a depth test.
typedef struct rbl_io_framebuffer {
	int width, height;
	float *inverse_depth; // 0 where nothing is drawn
	uint32_t *normals;    // three signed bytes each; NULL: depth only
	uint32_t *colors;     // three bytes each, square roots of linear values
} rbl_io_framebuffer;

/// Draw a triangle.
/// @param mask  which samples of every four by four may be written, row by row: all, or fewer of
///              something transparent (rbl_io_coverage())
void rbl_io_draw_triangle(rbl_io_framebuffer *framebuffer, const rbl_io_raster_vertex *a,
                          const rbl_io_raster_vertex *b, const rbl_io_raster_vertex *c,
                          uint32_t mask);

/// @return a mask that covers a share of all samples, `alpha`; masks of other phases, 0 to 3, cover
/// others, so that one of them shows through the next.
uint32_t rbl_io_coverage(float alpha, int phase);

/// @return what was packed into a word of `normals` or `colors`.
rbl_vec3 rbl_io_unpack_normal(uint32_t word);
rbl_vec3 rbl_io_unpack_color(uint32_t word);

/// Append a PNG file. Failures of memory stay in output->memory.
void rbl_io_put_png(rbl_io_output *output, const unsigned char *pixels, int width, int height);
