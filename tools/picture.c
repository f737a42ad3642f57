// SPDX-License-Identifier: MIT
// rubble picture: draw any file as a .png, without a graphics card.

#include "commands.h"
#include "drawn_file.h"
#include "errors.h"
#include "files.h"
#include "progress.h"
#include "run.h"

#include <rubble/picture.h>
#include <rubble/vec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct picture_options {
	const char *in, *out, *frame, *draw, *json;
	double view[3], pull, time;
	int width, height, step;
	bool has_no_ground, is_repaired;
} picture_options;

typedef struct drawn_thing {
	const char *name;
	uint32_t flags;
} drawn_thing;

static const drawn_thing drawn_things[] = {
	{ "parts", RBL_DRAW_PARTS },       { "boxes", RBL_DRAW_BOXES },   { "joints", RBL_DRAW_JOINTS },
	{ "cells", RBL_DRAW_CELLS },       { "trees", RBL_DRAW_TREES },   { "stress", RBL_DRAW_STRESS },
	{ "contacts", RBL_DRAW_CONTACTS }, { "health", RBL_DRAW_HEALTH }, { "sleep", RBL_DRAW_SLEEP },
	{ "islands", RBL_DRAW_ISLANDS },   { "fields", RBL_DRAW_FIELDS },
};

// Names with commas between them. @return false for one that there is not
static bool read_drawn(const char *text, uint32_t *flags)
{
	*flags = 0;
	for (const char *at = text; *at;) {
		size_t length = strcspn(at, ",");
		uint32_t found = 0;
		for (size_t i = 0; i < sizeof drawn_things / sizeof *drawn_things; ++i)
			if (strlen(drawn_things[i].name) == length &&
			    memcmp(drawn_things[i].name, at, length) == 0)
				found = drawn_things[i].flags;
		if (!found)
			return false;
		*flags |= found;
		at += length + (at[length] == ',');
	}
	return *flags != 0;
}

static int write_json(const picture_options *options)
{
	FILE *file = create_file(options->json);
	if (!file)
		return STATUS_FAILED;
	fprintf(file, "{\n  \"input\": ");
	put_json_text(file, options->in);
	fprintf(file, ",\n  \"output\": ");
	put_json_text(file, options->out);
	fprintf(file, ",\n  \"width\": %d,\n  \"height\": %d\n}\n", options->width, options->height);
	return close_file(file, options->json);
}

static int draw(const picture_options *options, uint32_t flags, rbl_picture_def *def)
{
	rbl_film *film = NULL;
	int status = film_of_file(options->in, options->is_repaired, options->step, options->pull,
	                          flags, options->time, &film);
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
	if (result == RBL_OK && status == STATUS_OK && options->json)
		status = write_json(options);
	return result == RBL_OK ? status : fail_with(result, options->out);
}

static int run(int argc, char **argv)
{
	rbl_picture_def def = rbl_default_picture_def();
	picture_options options = { .width = def.width, .height = def.height, .step = -1 };
	for (int k = 0; k < 3; ++k)
		options.view[k] = (double)rbl_axis(def.view, k);
	const option table[] = {
		OPTION_NUMBER("time", "T", &options.time, 0.0, 1e9,
		              "seconds into the animations of a .glb, default 0"),
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
		OPTION_TEXT(
			"draw", "WHAT", &options.draw,
			"of a recording, in colors: parts, boxes, contacts, joints, cells, trees, stress,\n"
			"                             health, sleep, islands, fields; several with commas"),
		OPTION_FLAG("no-ground", &options.has_no_ground, "draw no ground"),
		OPTION_FLAG("repair", &options.is_repaired, "close a mesh file first, as one mesh"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
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
	def.width = options.width, def.height = options.height;
	def.view = (rbl_vec3){ (float)options.view[0], (float)options.view[1], (float)options.view[2] };
	def.has_ground = !options.has_no_ground;
	if (options.frame && !read_frame(options.frame, &def.frame))
		return fail_usage(&command_picture,
		                  "--frame takes a box: its lower corner and its upper one, X,Y,Z,X,Y,Z");
	uint32_t flags = 0;
	if (options.draw && !read_drawn(options.draw, &flags))
		return fail_usage(
			&command_picture,
			"--draw takes parts, boxes, contacts, joints, cells, trees, stress, health, "
			"sleep, islands or fields");
	if (flags && file_kind_of(options.in) != FILE_RECORDING)
		return fail_usage(&command_picture, "--draw needs a recording (rubble run --record)");
	return draw(&options, flags, &def);
}

const command command_picture = {
	.name = "picture",
	.arguments = "FILE OUT.png",
	.about = "draw a mesh file, an asset or a recording",
	.details = "A mesh file is drawn with its materials, a film as it is at a time, an asset\n"
			   "of rubble prepare as its convex parts, each in another color, and a recording as\n"
			   "the world after a step: bodies that can break by their parts, all others by lines.",
	.min_arguments = 2,
	.max_arguments = 2,
	.output_argument = 2,
	.run = run,
};
