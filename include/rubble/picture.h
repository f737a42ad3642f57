// SPDX-License-Identifier: MIT
//
// Pictures of films: a software renderer, for machines without a graphics card. Sun and sky light,
// shadow mapping, and a ground that fades into the distance; no textures.
#pragma once

#include <rubble/base.h>
#include <rubble/io.h>

/// What to draw. Start from rbl_default_picture_def().
typedef struct rbl_picture_def {
	/// Time in the film, in seconds, >= 0. Default 0.
	float time;

	/// Pixels, 16 to 8192 each. Default 1200 and 750.
	int width, height;

	/// Direction from the middle of the frame to the camera, not zero, y is up. Default 0.7, 0.45,
	/// 0.9.
	rbl_vec3 view;

	/// Box that fills the picture. With lower above upper, the default, the bounds of all objects
	/// at that time.
	rbl_box frame;

	/// A camera at a place, looking at another, in place of `view`; `frame` is then what shadows
	/// are made for. Vertical angle of its view in degrees, 1 to 170; 0: no camera. Default 0.
	rbl_vec3 camera_position, camera_target;
	float camera_angle;

	/// Draw an infinite ground plane below all objects. Default true.
	bool has_ground;

	/// Memory used during the call.
	rbl_allocator allocator;

	/// Filled by rbl_default_picture_def(). Leave it alone.
	uint32_t cookie;
} rbl_picture_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_picture_def rbl_default_picture_def(void);

/// Render a film at a time.
/// @param pixels  receives height rows of width RGB pixels, a byte per channel, the top row first
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any that leave the film alone. Cost: O(triangles + pixels); about 100 bytes per pixel.
RBL_API rbl_result rbl_draw_film(const rbl_film *film, const rbl_picture_def *def,
                                 unsigned char *pixels);

/// Render a film at a time and write it as .png.
/// @param path  UTF-8; an existing file is replaced
/// @return as rbl_draw_film(), or RBL_IO_FAILED
/// Threads: any that leave the film alone. Cost: as rbl_draw_film().
RBL_API rbl_result rbl_write_picture(const char *path, const rbl_film *film,
                                     const rbl_picture_def *def);

/// The same into memory.
/// @param bytes  receives the file, the caller's to free with rbl_free_bytes(); empty on failure
/// @return as rbl_draw_film(). Threads: any that leave the film alone. Cost: as rbl_draw_film().
RBL_API rbl_result rbl_write_picture_memory(const rbl_film *film, const rbl_picture_def *def,
                                            rbl_file_bytes *bytes);

/// Write pixels as .png.
/// @param path       UTF-8; an existing file is replaced
/// @param pixels     height rows of width RGB pixels, a byte per channel, the top row first
/// @param width      and height: 1 to 16384
/// @param allocator  memory of the work, NULL for the process's default
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_IO_FAILED
/// Threads: any. Cost: O(pixels).
RBL_API rbl_result rbl_write_pixels(const char *path, const unsigned char *pixels, int width,
                                    int height, const rbl_allocator *allocator);

/// The same into memory, as the image of a texture (rubble/scene.h).
/// @param bytes  receives the file, the caller's to free with rbl_free_bytes(); empty on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY. Threads: any. Cost: O(pixels).
RBL_API rbl_result rbl_write_pixels_memory(const unsigned char *pixels, int width, int height,
                                           const rbl_allocator *allocator, rbl_file_bytes *bytes);
