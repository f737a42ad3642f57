// SPDX-License-Identifier: MIT
//
// Animations of a glTF document: linear and stepped tracks of translation, rotation and scale.

#include "io/document.h"

// Numbers of an accessor, kept by the document. @return NULL where memory runs out
static float *keep_numbers(rbl_document *document, const rbl_gltf_accessor *accessor)
{
	size_t width = (size_t)accessor->components, count = (size_t)accessor->count;
	float *kept = rbl_document_keep(document, count * width * sizeof *kept);
	for (int i = 0; kept && i < accessor->count; ++i) {
		double values[4];
		rbl_gltf_fetch(accessor, i, values);
		for (size_t k = 0; k < width; ++k)
			kept[(size_t)i * width + k] = (float)values[k];
	}
	return kept;
}

static bool are_times(const float *times, int count)
{
	for (int i = 0; i < count; ++i)
		if (!(times[i] >= 0.0f && times[i] < 1e30f) || (i > 0 && !(times[i] > times[i - 1])))
			return false;
	return true;
}

static bool are_values(const float *values, int count, int width)
{
	for (int i = 0; i < count; ++i) {
		float square = 0.0f;
		for (int k = 0; k < width; ++k) {
			float value = values[(size_t)i * (size_t)width + (size_t)k];
			if (!(value - value == 0.0f))
				return false;
			square += value * value;
		}
		if (width == 4 && !(square > 1e-12f && square < 1e12f))
			return false;
	}
	return true;
}

// A channel that can be kept. @return false: it is not
static bool find_track(rbl_gltf *gltf, const rbl_json *channel, const rbl_json *sampler,
                       const int *node_of, rbl_scene_track *track)
{
	static const char *const paths[] = { "translation", "rotation", "scale" };
	const rbl_json *target = rbl_json_member(channel, "target");
	const char *path = rbl_json_text(rbl_json_member(target, "path"));
	const char *interpolation = rbl_json_text(rbl_json_member(sampler, "interpolation"));
	int64_t node = rbl_gltf_int(target, "node", -1);
	int kind = 0;
	while (path && kind < 3 && strcmp(path, paths[kind]) != 0)
		++kind;
	if (!path || kind == 3 || node < 0 || node >= rbl_gltf_list_count(gltf, "nodes") ||
	    node_of[node] < 0) {
		rbl_gltf_note_lost(gltf, "animations of other things than nodes");
		return false;
	}
	if (interpolation && strcmp(interpolation, "CUBICSPLINE") == 0) {
		rbl_gltf_note_lost(gltf, "animations along cubic splines");
		return false;
	}
	*track = (rbl_scene_track){ .node = node_of[node], .path = (rbl_track_path)kind };
	track->has_steps = interpolation && strcmp(interpolation, "STEP") == 0;
	return true;
}

static rbl_result read_keys(rbl_gltf *gltf, rbl_document *document, int index,
                            const rbl_json *sampler, rbl_scene_track *track)
{
	rbl_gltf_accessor times, values;
	rbl_result result = rbl_gltf_open_accessor(gltf, rbl_gltf_int(sampler, "input", -1), &times);
	if (result == RBL_OK)
		result = rbl_gltf_open_accessor(gltf, rbl_gltf_int(sampler, "output", -1), &values);
	if (result == RBL_OK)
		result = rbl_gltf_spend(gltf, (int64_t)times.count * 2);
	if (result != RBL_OK)
		return result;
	int width = track->path == RBL_TRACK_ROTATION ? 4 : 3;
	if (times.components != 1 || values.components != width || values.count != times.count)
		return rbl_gltf_fail(gltf, "animations", index, "keys and values do not fit each other");
	track->key_count = times.count;
	track->is_short = values.component == 5122 && width == 4;
	track->times = keep_numbers(document, &times);
	track->values = keep_numbers(document, &values);
	if (!track->times || !track->values)
		return rbl_io_fail_memory(&document->memory, gltf->source->name);
	if (!are_times(track->times, times.count) || !are_values(track->values, times.count, width))
		return rbl_gltf_fail(gltf, "animations", index, "a key is not usable");
	return RBL_OK;
}

static rbl_result read_animation(rbl_gltf *gltf, rbl_document *document, const int *node_of,
                                 unsigned char *is_animated, int index)
{
	const rbl_json *object = rbl_gltf_item(gltf, "animations", index);
	const rbl_json *channels = rbl_json_member(object, "channels");
	const rbl_json *samplers = rbl_json_member(object, "samplers");
	int count = rbl_json_count(channels);
	rbl_scene_track *tracks =
		rbl_document_keep(document, (size_t)(count > 0 ? count : 1) * sizeof *tracks);
	rbl_scene_animation made = {
		.name = rbl_document_keep_name(document, rbl_json_member(object, "name")),
		.tracks = tracks,
		.extras = rbl_document_keep_source(document, gltf, rbl_json_member(object, "extras")),
	};
	rbl_result result = document->memory.failure == RBL_OK
	                        ? RBL_OK
	                        : rbl_io_fail_memory(&document->memory, gltf->source->name);
	memset(is_animated, 0, (size_t)document->nodes.count);
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		const rbl_json *channel = rbl_json_item(channels, i);
		int64_t number = rbl_gltf_int(channel, "sampler", -1);
		const rbl_json *sampler = number >= 0 && number < rbl_json_count(samplers)
		                              ? rbl_json_item(samplers, (int)number)
		                              : NULL;
		rbl_scene_track *track = &tracks[made.track_count];
		if (!find_track(gltf, channel, sampler, node_of, track))
			continue;
		if (is_animated[track->node] & 1u << track->path)
			return rbl_gltf_fail(gltf, "animations", index, "moves a node in two ways");
		is_animated[track->node] |= (unsigned char)(1u << track->path);
		result = read_keys(gltf, document, index, sampler, track);
		made.track_count++;
	}
	if (result == RBL_OK && made.track_count > 0 &&
	    !rbl_io_push(&document->memory, &document->animations, made))
		result = rbl_io_fail_memory(&document->memory, gltf->source->name);
	return result;
}

rbl_result rbl_gltf_read_animations(rbl_gltf *gltf, rbl_document *document, const int *node_of)
{
	rbl_io_memory *memory = &gltf->source->memory;
	int count = rbl_gltf_list_count(gltf, "animations"), nodes = document->nodes.count;
	unsigned char *is_animated = RBL_IO_NEW(memory, unsigned char, nodes);
	if (!is_animated)
		return rbl_io_out_of_memory(gltf->source);
	// Each animation costs a pass over the nodes.
	rbl_result result = rbl_gltf_spend(gltf, (int64_t)count * (nodes / 64));
	for (int i = 0; i < count && result == RBL_OK; ++i)
		result = read_animation(gltf, document, node_of, is_animated, i);
	RBL_IO_FREE(memory, is_animated, nodes);
	return result;
}
