// SPDX-License-Identifier: MIT
// Pictures of films: a small renderer that needs no graphics card, so that every machine can see what it
// simulated. Sun and sky light, shadows, and a ground that fades into the distance; no textures.
#pragma once

#include <rubble/base.h>
#include <rubble/io.h>

/// What to draw. Start from rbl_default_picture_def().
typedef struct rbl_picture_def {
	/// The moment, in seconds, >= 0. Default 0.
	float time;

	/// Pixels, 16 to 8192 each. Default 1200 and 750.
	int width, height;

	/// From the middle of the frame towards the eye, any length but zero, y is up. Default 0.7, 0.45, 0.9.
	rbl_vec3 view;

	/// What has to be in the picture. With lower above upper, the default, it is all that is there at
	/// that moment.
	rbl_box frame;

	/// Draw an endless ground below all that is there. Default true.
	bool has_ground;

	/// Memory for the time of the call.
	rbl_allocator allocator;

	/// Filled by rbl_default_picture_def(). Leave it alone.
	uint32_t cookie;
} rbl_picture_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_picture_def rbl_default_picture_def(void);

/// Draw a moment of a film.
/// @param pixels  receives red, green and blue, a byte each, for height rows of width, the top row first
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any that leave the film alone. Cost: O(triangles + pixels); about 100 bytes per pixel.
RBL_API rbl_result rbl_draw_film(const rbl_film *film, const rbl_picture_def *def,
                                 unsigned char *pixels);

/// Draw a moment of a film and write it as .png.
/// @param path  UTF-8; an existing file is replaced
/// @return as rbl_draw_film(), or RBL_IO_FAILED
/// Threads: any that leave the film alone. Cost: as rbl_draw_film().
RBL_API rbl_result rbl_write_picture(const char *path, const rbl_film *film,
                                     const rbl_picture_def *def);
