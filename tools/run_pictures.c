// SPDX-License-Identifier: MIT
//
// The pictures of `rubble run`: moments of the film, written beside it.

#include "run.h"

#include "errors.h"

#include <rubble/picture.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_PICTURES = 100 };

// Numbers between commas. @return how many there are, at most `most`; -1: something else is there
static int read_numbers(const char *text, double *numbers, int max_count)
{
	int count = 0;
	for (const char *at = text;; ++at) {
		char *end;
		double value = strtod(at, &end);
		if (end == at || count == max_count || !(value > -1e9 && value < 1e9))
			return -1;
		numbers[count++] = value;
		at = end;
		if (*at != ',')
			return *at == '\0' ? count : -1;
	}
}

bool read_frame(const char *text, rbl_box *frame)
{
	double v[6];
	if (read_numbers(text, v, 6) != 6 || !(v[0] < v[3]) || !(v[1] < v[4]) || !(v[2] < v[5]))
		return false;
	*frame = (rbl_box){ { (float)v[0], (float)v[1], (float)v[2] },
		                { (float)v[3], (float)v[4], (float)v[5] } };
	return true;
}

int check_pictures(const run_options *options)
{
	double numbers[MAX_PICTURES];
	if (options->pictures && read_numbers(options->pictures, numbers, MAX_PICTURES) < 1)
		return fail("--pictures takes up to %d times between commas, in seconds", MAX_PICTURES);
	if (options->view && (read_numbers(options->view, numbers, 3) != 3 ||
	                      (numbers[0] == 0.0 && numbers[1] == 0.0 && numbers[2] == 0.0)))
		return fail("--view takes a direction: X,Y,Z");
	if (options->frame && !read_frame(options->frame, &(rbl_box){ 0 }))
		return fail("--frame takes a box: its lower corner and its upper one, X,Y,Z,X,Y,Z");
	return STATUS_OK;
}

int write_pictures(const simulation *s)
{
	const run_options *options = s->options;
	double times[MAX_PICTURES], v[3];
	int count = options->pictures ? read_numbers(options->pictures, times, MAX_PICTURES) : 0;
	rbl_picture_def def = rbl_default_picture_def();
	if (options->view && read_numbers(options->view, v, 3) == 3)
		def.view = (rbl_vec3){ (float)v[0], (float)v[1], (float)v[2] };
	if (options->frame)
		read_frame(options->frame, &def.frame);
	const scene_camera *camera = options->camera ? find_camera(&s->scene, options->camera) : NULL;
	const char *name = options->output ? options->output : options->report;
	const char *dot = strrchr(name, '.');
	int length = (int)(dot ? (size_t)(dot - name) : strlen(name));
	for (int i = 0; i < count; ++i) {
		char path[1000];
		if (snprintf(path, sizeof path, "%.*s-%g.png", length, name, times[i]) >= (int)sizeof path)
			return fail("%s: the name is too long", name);
		def.time = (float)times[i];
		if (camera) {
			camera_at(camera, times[i], &def.camera_position, &def.camera_target);
			def.camera_angle = (float)camera->field_of_view;
		}
		rbl_result result = rbl_write_picture(path, s->film, &def);
		if (result != RBL_OK)
			return fail_with(result, path);
		say("picture: %s%s\n", path,
		    times[i] > s->step * s->scene.dt + 1e-6 ? " (after the end: the last moment)" : "");
	}
	return STATUS_OK;
}
