// SPDX-License-Identifier: MIT
//
// A film of `rubble run` as a folder of numbered files, one for each moment, for programs that read
// OBJ or PLY sequences and no glTF animation.

#include "run.h"

#include "errors.h"
#include "files.h"
#include "interrupts.h"
#include "progress.h"

#include <math.h>
#include <string.h>

bool is_sequence(const run_options *options)
{
	size_t length = options->output ? strlen(options->output) : 0;
	return length > 0 && options->output[length - 1] == '/';
}

int write_sequence(const simulation *s)
{
	const run_options *options = s->options;
	double end = s->step * s->scene.dt;
	int count = (int)floor(end * options->rate + 1e-6) + 1, status = STATUS_OK;
	const char *ending = options->format < 0 ? "obj" : file_formats[options->format];
	progress line;
	progress_begin(&line, "writing");
	for (int i = 0; i < count && status == STATUS_OK; ++i) {
		char path[1024];
		rbl_mesh *mesh = NULL;
		progress_update(&line, (double)i / count);
		if (snprintf(path, sizeof path, "%sframe_%04d.%s", options->output, i, ending) >=
		    (int)sizeof path) {
			status = fail("%s: the name is too long", options->output);
			break;
		}
		rbl_result result = rbl_film_create_mesh(s->film, (float)(i / options->rate), &mesh);
		if (result == RBL_OK)
			result = write_mesh(path, mesh, NULL);
		if (result != RBL_OK)
			status = fail_with(result, path);
		rbl_destroy_mesh(mesh);
	}
	progress_end(&line);
	if (status == STATUS_OK)
		say("%d files, %sframe_0000.%s to frame_%04d.%s, %g a second\n", count, options->output,
		    ending, count - 1, ending, options->rate);
	return status;
}
