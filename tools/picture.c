// SPDX-License-Identifier: MIT
// rubble picture: draw any file as a .png, without a graphics card.

#include "commands.h"
#include "drawn_file.h"
#include "errors.h"
#include "files.h"
#include "progress.h"
#include "run.h"

#include <rubble/picture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct picture_options {
	const char *in, *out, *frame;
	double view[3], pull, time;
	int width, height, step;
	bool has_no_ground;
} picture_options;

static int draw(const picture_options *options, rbl_picture_def *def)
{
	rbl_film *film = NULL;
	int status = film_of_file(options->in, options->step, options->pull, &film);
	if (status != STATUS_OK)
		return status;
	progress line;
	progress_begin(&line, "drawing");
	rbl_result result = RBL_OK;
	if (is_standard(options->out)) {
		rbl_file_bytes bytes = { 0 };
		result = rbl_write_picture_memory(film, def, &bytes);
		if (result == RBL_OK && fwrite(bytes.data, 1, bytes.size, stdout) != bytes.size)
			status = fail("cannot write to standard output");
		rbl_free_bytes(&bytes);
	} else {
		result = rbl_write_picture(options->out, film, def);
	}
	progress_end(&line);
	rbl_destroy_film(film);
	return result == RBL_OK ? status : fail_with(result, options->out);
}

static int run(int argc, char **argv)
{
	rbl_picture_def def = rbl_default_picture_def();
	picture_options options = { .width = def.width, .height = def.height, .step = -1 };
	for (int k = 0; k < 3; ++k)
		options.view[k] = (double)(&def.view.x)[k];
	const option table[] = {
		OPTION_NUMBER("time", "T", &options.time, 0.0, 1e9, "seconds into a film, default 0"),
		OPTION_INT("step", "N", &options.step, 0, 1000000000,
		           "how many steps of a recording to play, default all"),
		OPTION_VECTOR("view", "X,Y,Z", options.view, -1e9, 1e9,
		              "direction that it is seen from; y is up"),
		OPTION_TEXT("frame", "X,Y,Z,X,Y,Z", &options.frame,
		            "box that the picture shows, default everything"),
		OPTION_INT("width", "N", &options.width, 16, 8192, "in pixels, default 1200"),
		OPTION_INT("height", "N", &options.height, 16, 8192, "in pixels, default 750"),
		OPTION_NUMBER("pull", "F", &options.pull, 0.0, 100.0,
		              "explode an asset: move parts outwards by F times their distance from the\n"
		              "                             middle"),
		OPTION_FLAG("no-ground", &options.has_no_ground, "draw no ground"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_picture, table, argc, argv, &found, &status))
		return status;
	options.in = found.items[0], options.out = found.items[1];
	const char *dot = strrchr(options.out, '.');
	if (!is_standard(options.out) && (!dot || (strcmp(dot, ".png") && strcmp(dot, ".PNG"))))
		return fail_usage(&command_picture, "%s: the name must end in .png", options.out);
	def.time = (float)options.time;
	def.width = options.width, def.height = options.height;
	def.view = (rbl_vec3){ (float)options.view[0], (float)options.view[1], (float)options.view[2] };
	def.has_ground = !options.has_no_ground;
	if (options.frame && !read_frame(options.frame, &def.frame))
		return fail_usage(&command_picture,
		                  "--frame takes a box: its lower corner and its upper one, X,Y,Z,X,Y,Z");
	return draw(&options, &def);
}

const command command_picture = {
	.name = "picture",
	.arguments = "FILE OUT.png",
	.about = "draw a mesh file, an asset or a recording",
	.details = "A mesh file is drawn with its materials, an asset of rubble prepare as its convex\n"
			   "parts, each in another color, and a recording as the world after a step: bodies\n"
			   "that can break by their parts, all others by lines.",
	.min_arguments = 2,
	.max_arguments = 2,
	.output_argument = 2,
	.run = run,
};
