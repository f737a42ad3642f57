// SPDX-License-Identifier: MIT
// Recordings of a world, kept in memory.

#include "module.h"

#include <stdlib.h>

JS_API js_bytes *js_begin_recording(rbl_world *world);
JS_API rbl_result js_end_recording(rbl_world *world);
JS_API void js_free_bytes(js_bytes *bytes);

static bool keep(void *user, const void *bytes, size_t size)
{
	return js_append(user, bytes, size);
}

rbl_result js_record(rbl_world *world, js_bytes *bytes)
{
	rbl_recording_def def = rbl_default_recording_def();
	def.write = keep;
	def.user = bytes;
	return rbl_world_begin_recording(world, &def);
}

// @return NULL on failure
js_bytes *js_begin_recording(rbl_world *world)
{
	js_bytes *bytes = calloc(1, sizeof *bytes);
	if (bytes && js_record(world, bytes) == RBL_OK)
		return bytes;
	js_free_bytes(bytes);
	return NULL;
}

rbl_result js_end_recording(rbl_world *world)
{
	return rbl_world_end_recording(world);
}

void js_free_bytes(js_bytes *bytes)
{
	if (bytes)
		free(bytes->data);
	free(bytes);
}
