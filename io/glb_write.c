// SPDX-License-Identifier: MIT
//
// Scenes as .glb: a JSON chunk and a binary chunk, with meshes, nodes and a glTF animation.
//
// Numbers of one kind go into one stream, whatever mesh they belong to, and each stream is a buffer
// view. A scene of thousands of fragments then has ten views instead of tens of thousands, and its
// JSON stays small. Accessors are written at the end, when the offsets of streams are known.

#include "io/glb.h"

#include <rubble/vec.h>

#include <math.h>
#include <stdio.h>

static const struct {
	int stride;    // of vertex attributes; 0 where the format wants none
	int target;    // of the buffer view; 0 for none
	int component; // type of number
	int width;     // bytes per item
	const char *type;
	bool is_normalized;
} streams[RBL_GLB_STREAM_COUNT] = {
	[RBL_GLB_POSITION] = { 12, 34962, 5126, 12, "VEC3", false },
	[RBL_GLB_NORMAL] = { 12, 34962, 5126, 12, "VEC3", false },
	[RBL_GLB_UV0] = { 8, 34962, 5126, 8, "VEC2", false },
	[RBL_GLB_UV1] = { 8, 34962, 5126, 8, "VEC2", false },
	[RBL_GLB_COLOR] = { 16, 34962, 5126, 16, "VEC4", false },
	[RBL_GLB_APART] = { 4, 34962, 5126, 4, "SCALAR", false },
	[RBL_GLB_FURTHER1] = { 4, 34962, 5126, 4, "SCALAR", false },
	[RBL_GLB_FURTHER2] = { 8, 34962, 5126, 8, "VEC2", false },
	[RBL_GLB_FURTHER3] = { 12, 34962, 5126, 12, "VEC3", false },
	[RBL_GLB_FURTHER4] = { 16, 34962, 5126, 16, "VEC4", false },
	[RBL_GLB_POSITION16] = { 8, 34962, 5122, 8, "VEC3", true },
	[RBL_GLB_NORMAL8] = { 4, 34962, 5120, 4, "VEC3", true },
	[RBL_GLB_UV16] = { 4, 34962, 5123, 4, "VEC2", true },
	[RBL_GLB_COLOR8] = { 4, 34962, 5121, 4, "VEC4", true },
	[RBL_GLB_TANGENT8] = { 4, 34962, 5120, 4, "VEC4", true },
	[RBL_GLB_APART8] = { 4, 34962, 5121, 4, "SCALAR", false },
	[RBL_GLB_INDEX32] = { 0, 34963, 5125, 4, "SCALAR", false },
	[RBL_GLB_INDEX16] = { 0, 34963, 5123, 2, "SCALAR", false },
	[RBL_GLB_INDEX8] = { 0, 34963, 5121, 1, "SCALAR", false },
	[RBL_GLB_TIME] = { 0, 0, 5126, 4, "SCALAR", false },
	[RBL_GLB_VEC3] = { 0, 0, 5126, 12, "VEC3", false },
	[RBL_GLB_VEC4] = { 0, 0, 5126, 16, "VEC4", false },
	[RBL_GLB_SHORT4] = { 0, 0, 5122, 8, "VEC4", true },
};

int rbl_glb_add_accessor(rbl_glb_writer *writer, rbl_glb_stream stream, int count)
{
	rbl_glb_accessor made = { stream, writer->data[stream].size, count, 0, { 0 }, { 0 } };
	return rbl_io_push(&writer->memory, &writer->accessors, made) ? writer->accessors.count - 1
	                                                              : -1;
}

void rbl_glb_set_bounds(rbl_glb_writer *writer, int index, int width)
{
	if (index < 0)
		return;
	rbl_glb_accessor *of = &writer->accessors.data[index];
	const rbl_io_output *data = &writer->data[of->stream];
	if (data->memory.failure != RBL_OK)
		return;
	of->bound_count = width;
	for (int i = 0; i < of->count; ++i) {
		for (int k = 0; k < width; ++k) {
			const unsigned char *row =
				data->data + of->offset + (size_t)i * (size_t)streams[of->stream].width;
			float value;
			if (streams[of->stream].component == 5122)
				value = (float)(int16_t)(row[2 * k] | row[2 * k + 1] << 8);
			else
				memcpy(&value, row + sizeof(float) * (size_t)k, 4);
			of->low[k] = i == 0 || value < of->low[k] ? value : of->low[k];
			of->high[k] = i == 0 || value > of->high[k] ? value : of->high[k];
		}
	}
}

// --- nodes -----------------------------------------------------------------------------------

// Translation, rotation and scale, or the matrix; the scale of a quantized mesh is in them.
static void put_transform(rbl_io_output *json, const rbl_scene_node *node, float factor)
{
	if (node->matrix) {
		float matrix[16];
		for (int i = 0; i < 16; ++i)
			matrix[i] = node->matrix[i] * (i < 12 ? factor : 1.0f);
		rbl_io_put_text(json, "\"matrix\":");
		rbl_glb_put_numbers(json, matrix, 16);
		rbl_io_put_text(json, ",");
		return;
	}
	rbl_vec3 p = node->translation;
	rbl_vec3 s = { node->scale.x * factor, node->scale.y * factor, node->scale.z * factor };
	if (p.x != 0.0f || p.y != 0.0f || p.z != 0.0f) {
		rbl_io_put_text(json, "\"translation\":");
		rbl_glb_put_numbers(json, (float[3]){ p.x, p.y, p.z }, 3);
		rbl_io_put_text(json, ",");
	}
	rbl_quat q = node->rotation;
	if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f) {
		double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
		double length = sqrt(x * x + y * y + z * z + w * w);
		float numbers[4] = { (float)(x / length), (float)(y / length), (float)(z / length),
			                 (float)(w / length) };
		rbl_io_put_text(json, "\"rotation\":");
		rbl_glb_put_numbers(json, numbers, 4);
		rbl_io_put_text(json, ",");
	}
	if (s.x != 1.0f || s.y != 1.0f || s.z != 1.0f) {
		rbl_io_put_text(json, "\"scale\":");
		rbl_glb_put_numbers(json, (float[3]){ s.x, s.y, s.z }, 3);
		rbl_io_put_text(json, ",");
	}
}

// The factor that a node scales its quantized mesh by: 1 where that is a node of its own.
static float node_factor(const rbl_glb_writer *writer, int index)
{
	const rbl_scene_node *node = &writer->scene->nodes[index];
	return writer->quantized && node->mesh >= 0 && writer->node_meshes.data[index] < 0 &&
	               node->instance_count == 0
	           ? writer->quantized[node->mesh].factor
	           : 1.0f;
}

// Instances and other extensions of a node.
static void put_node_extensions(const rbl_glb_writer *writer, rbl_io_output *json, int index)
{
	const rbl_scene_node *node = &writer->scene->nodes[index];
	if (node->instance_count == 0) {
		rbl_glb_put_member(json, "extensions", node->extensions);
		return;
	}
	static const char *const names[3] = { "TRANSLATION", "ROTATION", "SCALE" };
	rbl_io_put_text(json, "\"extensions\":{");
	if (node->extensions) { // without its braces
		const char *open = strchr(node->extensions, '{'), *close = strrchr(node->extensions, '}');
		rbl_io_put(json, open + 1, (size_t)(close - open - 1));
		rbl_io_put_text(json, ",");
	}
	rbl_io_put_text(json, "\"EXT_mesh_gpu_instancing\":{\"attributes\":{");
	for (int k = 0; k < 3; ++k) {
		int accessor = writer->instance_accessors.data[3 * index + k];
		if (accessor >= 0)
			rbl_io_put_format(json, "\"%s\":%d,", names[k], accessor);
	}
	rbl_glb_close(json, "}}},");
}

static void put_node(const rbl_glb_writer *writer, rbl_io_output *json, int index,
                     const int *children)
{
	const rbl_scene_node *node = &writer->scene->nodes[index];
	int mesh = node->mesh >= 0 ? writer->mesh_numbers.data[node->mesh] : -1;
	int holder = writer->quantized ? writer->node_meshes.data[index] : -1;
	rbl_io_put_text(json, "{");
	rbl_glb_put_name(json, node->name);
	if (mesh >= 0 && holder < 0)
		rbl_io_put_format(json, "\"mesh\":%d,", mesh);
	if (node->camera > 0)
		rbl_io_put_format(json, "\"camera\":%d,", node->camera - 1);
	put_transform(json, node, node_factor(writer, index));
	put_node_extensions(writer, json, index);
	rbl_glb_put_member(json, "extras", node->extras);
	// children: the first child of each node, and behind those the next sibling of each.
	int child = children[index + 1];
	if (child >= 0 || holder >= 0) {
		rbl_io_put_text(json, "\"children\":[");
		if (holder >= 0)
			rbl_io_put_format(json, "%d,", holder);
		for (; child >= 0; child = children[writer->scene->node_count + 1 + child])
			rbl_io_put_format(json, "%d,", child);
		rbl_glb_close(json, "],");
	}
	rbl_glb_close(json, "},");
}

// A node for each quantized mesh whose node cannot be scaled.
static void put_holders(const rbl_glb_writer *writer, rbl_io_output *json)
{
	for (int i = 0; writer->quantized && i < writer->scene->node_count; ++i) {
		if (writer->node_meshes.data[i] < 0)
			continue;
		const rbl_scene_node *node = &writer->scene->nodes[i];
		const rbl_glb_quantized *of = &writer->quantized[node->mesh];
		rbl_scene_node holder = rbl_default_scene_node();
		holder.translation = of->offset;
		rbl_io_put_format(json, "{\"mesh\":%d,", writer->mesh_numbers.data[node->mesh]);
		put_transform(json, &holder, of->factor);
		rbl_glb_close(json, "},");
	}
}

static bool put_nodes(rbl_glb_writer *writer, rbl_io_output *json)
{
	int count = writer->scene->node_count;
	if (count == 0)
		return true;
	// First children of the scene (0) and of each node, then next siblings, as linked lists.
	int *children = RBL_IO_NEW(&writer->memory, int, 2 * (size_t)count + 1);
	if (!children)
		return false;
	memset(children, 0xff, (2 * (size_t)count + 1) * sizeof *children);
	for (int i = count - 1; i >= 0; --i) {
		int parent = writer->scene->nodes[i].parent + 1;
		children[count + 1 + i] = children[parent];
		children[parent] = i;
	}
	rbl_io_put_text(json, "\"scene\":0,\"scenes\":[{");
	rbl_glb_put_name(json, writer->scene->name);
	rbl_glb_put_member(json, "extras", writer->scene->extras);
	rbl_io_put_text(json, "\"nodes\":[");
	for (int i = children[0]; i >= 0; i = children[count + 1 + i])
		rbl_io_put_format(json, "%d,", i);
	rbl_glb_close(json, "]}],\"nodes\":[");
	for (int i = 0; i < count; ++i)
		put_node(writer, json, i, children);
	put_holders(writer, json);
	rbl_glb_close(json, "],");
	RBL_IO_FREE(&writer->memory, children, 2 * (size_t)count + 1);
	return true;
}

// --- instances -------------------------------------------------------------------------------

static void put_rotation(rbl_io_output *data, const float q[4], bool is_short)
{
	double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
	double length = sqrt(x * x + y * y + z * z + w * w);
	for (int k = 0; k < 4; ++k) {
		double value = (double)q[k] / length;
		if (is_short)
			rbl_io_put_u16(data, (uint16_t)(int16_t)floor(value * 32767.0 + 0.5));
		else
			rbl_io_put_f32(data, (float)value);
	}
}

// Places of copies of a mesh; a quantized one is scaled with them.
static bool convert_instances(rbl_glb_writer *writer)
{
	const rbl_scene *scene = writer->scene;
	bool has_any = false;
	for (int i = 0; i < scene->node_count; ++i)
		has_any |= scene->nodes[i].instance_count > 0;
	if (!has_any)
		return true;
	for (int i = 0; i < scene->node_count; ++i) {
		const rbl_scene_node *node = &scene->nodes[i];
		int accessors[3] = { -1, -1, -1 };
		float factor = writer->quantized && node->mesh >= 0 && node->instance_count > 0
		                   ? writer->quantized[node->mesh].factor
		                   : 1.0f;
		bool has_scales = node->instance_scales || factor != 1.0f;
		if (node->instance_count > 0 && node->instance_translations)
			accessors[0] = rbl_glb_add_accessor(writer, RBL_GLB_VEC3, node->instance_count);
		for (int k = 0; accessors[0] >= 0 && k < node->instance_count; ++k)
			for (int c = 0; c < 3; ++c)
				rbl_io_put_f32(&writer->data[RBL_GLB_VEC3],
				               rbl_axis(node->instance_translations[k], c));
		if (node->instance_count > 0 && node->instance_rotations)
			accessors[1] = rbl_glb_add_accessor(writer, RBL_GLB_VEC4, node->instance_count);
		for (int k = 0; accessors[1] >= 0 && k < node->instance_count; ++k) {
			rbl_quat q = node->instance_rotations[k];
			put_rotation(&writer->data[RBL_GLB_VEC4], (float[4]){ q.x, q.y, q.z, q.w }, false);
		}
		if (node->instance_count > 0 && has_scales)
			accessors[2] = rbl_glb_add_accessor(writer, RBL_GLB_VEC3, node->instance_count);
		for (int k = 0; accessors[2] >= 0 && k < node->instance_count; ++k)
			for (int c = 0; c < 3; ++c)
				rbl_io_put_f32(&writer->data[RBL_GLB_VEC3],
				               factor * (node->instance_scales
				                             ? rbl_axis(node->instance_scales[k], c)
				                             : 1.0f));
		for (int k = 0; k < 3; ++k)
			if (!rbl_io_push(&writer->memory, &writer->instance_accessors, accessors[k]))
				return false;
	}
	return true;
}

// --- animations ------------------------------------------------------------------------------

// The hash table entry of an array of a track.
static rbl_glb_keys *find_keys(rbl_glb_writer *writer, const float *numbers, int count,
                               rbl_glb_stream stream, float factor)
{
	uint64_t hash = (uint64_t)(uintptr_t)numbers * 0x9e3779b97f4a7c15u;
	int mask = writer->key_slot_count - 1;
	int slot = (int)(hash >> 40) & mask;
	const rbl_glb_keys *slots = writer->key_slots;
	while (slots[slot].numbers && (slots[slot].numbers != numbers || slots[slot].count != count ||
	                               slots[slot].stream != stream || slots[slot].factor != factor))
		slot = (slot + 1) & mask;
	return &writer->key_slots[slot];
}

static int time_accessor(rbl_glb_writer *writer, const rbl_scene_track *track)
{
	rbl_glb_keys *entry = find_keys(writer, track->times, track->key_count, RBL_GLB_TIME, 1.0f);
	if (!entry->numbers) {
		int index = rbl_glb_add_accessor(writer, RBL_GLB_TIME, track->key_count);
		for (int i = 0; i < track->key_count; ++i)
			rbl_io_put_f32(&writer->data[RBL_GLB_TIME], track->times[i]);
		rbl_glb_set_bounds(writer, index, 1);
		*entry = (rbl_glb_keys){ track->times, track->key_count, index, RBL_GLB_TIME, 1.0f };
	}
	return entry->accessor;
}

static int value_accessor(rbl_glb_writer *writer, const rbl_scene_track *track)
{
	bool is_rotation = track->path == RBL_TRACK_ROTATION;
	rbl_glb_stream stream = !is_rotation      ? RBL_GLB_VEC3
	                        : track->is_short ? RBL_GLB_SHORT4
	                                          : RBL_GLB_VEC4;
	float factor = track->path == RBL_TRACK_SCALE ? node_factor(writer, track->node) : 1.0f;
	rbl_glb_keys *entry = find_keys(writer, track->values, track->key_count, stream, factor);
	if (!entry->numbers) {
		int index = rbl_glb_add_accessor(writer, stream, track->key_count);
		for (int i = 0; i < track->key_count; ++i) {
			const float *value = track->values + (size_t)i * (is_rotation ? 4 : 3);
			if (is_rotation)
				put_rotation(&writer->data[stream], value, track->is_short);
			for (int k = 0; !is_rotation && k < 3; ++k)
				rbl_io_put_f32(&writer->data[stream], value[k] * factor);
		}
		*entry = (rbl_glb_keys){ track->values, track->key_count, index, stream, factor };
	}
	return entry->accessor;
}

enum { SHARED_SAMPLERS = 16 }; // the last ones, which may be shared

static void put_animation(rbl_glb_writer *writer, const rbl_scene_animation *animation)
{
	static const char *const paths[] = { "translation", "rotation", "scale" };
	rbl_io_output *json = &writer->animations;
	rbl_io_put_text(json, "{");
	rbl_glb_put_name(json, animation->name);
	rbl_glb_put_member(json, "extras", animation->extras);
	rbl_io_put_text(json, "\"samplers\":[");
	rbl_io_output channels = { .memory = json->memory };
	struct {
		int input, output, sampler;
		bool has_steps;
	} recent[SHARED_SAMPLERS] = { { 0 } }; // tracks of the same keys have one sampler
	int count = 0;
	for (int i = 0; i < animation->track_count; ++i) {
		const rbl_scene_track *track = &animation->tracks[i];
		int input = time_accessor(writer, track), output = value_accessor(writer, track), k = 0;
		while (k < SHARED_SAMPLERS && k < count &&
		       (recent[k].input != input || recent[k].output != output ||
		        recent[k].has_steps != track->has_steps))
			++k;
		if (k == SHARED_SAMPLERS || k == count) {
			k = count % SHARED_SAMPLERS;
			recent[k].input = input, recent[k].output = output, recent[k].sampler = count++;
			recent[k].has_steps = track->has_steps;
			rbl_io_put_format(json, "{\"input\":%d,\"output\":%d%s},", input, output,
			                  track->has_steps ? ",\"interpolation\":\"STEP\"" : "");
		}
		rbl_io_put_format(&channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}},",
		                  recent[k].sampler, track->node, paths[track->path]);
	}
	rbl_glb_close(json, "],\"channels\":[");
	rbl_io_put(json, channels.data, channels.size);
	rbl_glb_close(json, "]},");
	if (channels.memory.failure != RBL_OK)
		json->memory.failure = channels.memory.failure;
	rbl_io_free_output(&channels);
}

static bool convert_animations(rbl_glb_writer *writer)
{
	const rbl_scene *scene = writer->scene;
	size_t track_count = 0;
	for (int a = 0; a < scene->animation_count; ++a)
		track_count += (size_t)scene->animations[a].track_count;
	writer->key_slot_count = 16;
	while ((size_t)writer->key_slot_count < 4 * track_count && writer->key_slot_count < 1 << 30)
		writer->key_slot_count *= 2;
	writer->key_slots = RBL_IO_NEW(&writer->memory, rbl_glb_keys, writer->key_slot_count);
	if (!writer->key_slots)
		return false;
	memset(writer->key_slots, 0, (size_t)writer->key_slot_count * sizeof *writer->key_slots);
	for (int a = 0; a < scene->animation_count; ++a) {
		if (scene->animations[a].track_count > 0)
			put_animation(writer, &scene->animations[a]);
	}
	return true;
}

// --- the file --------------------------------------------------------------------------------

static void put_accessors(const rbl_glb_writer *writer, rbl_io_output *json, const int *views)
{
	if (writer->accessors.count == 0)
		return;
	rbl_io_put_text(json, "\"accessors\":[");
	for (int i = 0; i < writer->accessors.count; ++i) {
		const rbl_glb_accessor *one = &writer->accessors.data[i];
		rbl_io_put_format(json,
		                  "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
		                  views[one->stream], streams[one->stream].component, one->count,
		                  streams[one->stream].type);
		if (one->offset > 0)
			rbl_io_put_format(json, ",\"byteOffset\":%zu", one->offset);
		if (streams[one->stream].is_normalized)
			rbl_io_put_text(json, ",\"normalized\":true");
		if (one->bound_count > 0) {
			rbl_io_put_text(json, ",\"min\":");
			rbl_glb_put_bounds(json, one->low, one->bound_count);
			rbl_io_put_text(json, ",\"max\":");
			rbl_glb_put_bounds(json, one->high, one->bound_count);
		}
		rbl_io_put_text(json, "},");
	}
	rbl_glb_close(json, "],");
}

// Buffer views of the streams that hold something, one after the other. @return bytes in all.
static uint64_t put_views(const rbl_glb_writer *writer, rbl_io_output *json)
{
	const rbl_scene *scene = writer->scene;
	uint64_t offset = 0;
	int count = 0;
	for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i) {
		size_t size = writer->data[i].size;
		if (size == 0)
			continue;
		rbl_io_put_text(json, count == 0 ? "\"bufferViews\":[" : "");
		count++;
		rbl_io_put_format(json, "{\"buffer\":0,\"byteLength\":%zu", size);
		if (offset > 0)
			rbl_io_put_format(json, ",\"byteOffset\":%llu", (unsigned long long)offset);
		if (streams[i].stride > 0)
			rbl_io_put_format(json, ",\"byteStride\":%d", streams[i].stride);
		if (streams[i].target > 0)
			rbl_io_put_format(json, ",\"target\":%d", streams[i].target);
		rbl_io_put_text(json, "},");
		offset += (size + 3) & ~(uint64_t)3;
	}
	for (int i = 0; i < scene->image_count; ++i) {
		rbl_io_put_text(json, count == 0 ? "\"bufferViews\":[" : "");
		count++;
		rbl_io_put_format(json, "{\"buffer\":0,\"byteLength\":%zu", scene->images[i].size);
		if (offset > 0)
			rbl_io_put_format(json, ",\"byteOffset\":%llu", (unsigned long long)offset);
		rbl_io_put_text(json, "},");
		offset += (scene->images[i].size + 3) & ~(uint64_t)3;
	}
	if (count > 0)
		rbl_glb_close(json, "],");
	return offset;
}

static rbl_result first_failure(const rbl_glb_writer *writer)
{
	if (writer->memory.failure != RBL_OK)
		return writer->memory.failure;
	for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i) {
		if (writer->data[i].memory.failure != RBL_OK)
			return writer->data[i].memory.failure;
	}
	if (writer->meshes.memory.failure != RBL_OK)
		return writer->meshes.memory.failure;
	return writer->animations.memory.failure;
}

// Put the whole together: header, JSON padded with blanks, streams padded with zeros.
static rbl_result put_file(rbl_glb_writer *writer, rbl_io_output *output)
{
	int views[RBL_GLB_STREAM_COUNT] = { 0 }, view_count = 0;
	const rbl_scene *scene = writer->scene;
	for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i)
		if (writer->data[i].size > 0)
			views[i] = view_count++;
	rbl_io_put(output, "glTF\2\0\0\0\0\0\0\0\0\0\0\0JSON", 20);
	rbl_io_put_format(output, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Rubble %d.%d.%d\"",
	                  RBL_VERSION_MAJOR, RBL_VERSION_MINOR, RBL_VERSION_PATCH);
	if (scene->copyright && *scene->copyright) {
		rbl_io_put_text(output, ",\"copyright\":");
		rbl_glb_put_string(output, scene->copyright);
	}
	rbl_io_put_text(output, ",");
	rbl_glb_put_member(output, "extras", scene->asset_extras);
	rbl_glb_close(output, "},");
	rbl_glb_put_extensions(writer, output);
	rbl_glb_put_member(output, "extensions", scene->extensions);
	rbl_glb_put_member(output, "extras", scene->file_extras);
	if (!put_nodes(writer, output))
		return RBL_OUT_OF_MEMORY;
	rbl_glb_put_looks(writer, output, view_count);
	if (writer->meshes.size > 0) {
		rbl_io_put_text(output, "\"meshes\":[");
		rbl_io_put(output, writer->meshes.data, writer->meshes.size);
		rbl_glb_close(output, "],");
	}
	if (writer->animations.size > 0) {
		rbl_io_put_text(output, "\"animations\":[");
		rbl_io_put(output, writer->animations.data, writer->animations.size);
		rbl_glb_close(output, "],");
	}
	uint64_t binary_size = put_views(writer, output);
	put_accessors(writer, output, views);
	if (binary_size > 0)
		rbl_io_put_format(output, "\"buffers\":[{\"byteLength\":%llu}],",
		                  (unsigned long long)binary_size);
	rbl_glb_close(output, "}");
	rbl_io_put(output, "   ", (0 - output->size) & 3);
	uint64_t json_size = output->size - 20;
	uint64_t size = output->size + (binary_size > 0 ? binary_size + 8 : 0);
	if (size > UINT32_MAX)
		return rbl_io_fail(RBL_LIMIT_REACHED, "a .glb file of %llu bytes, at most 4 GiB",
		                   (unsigned long long)size);
	if (binary_size > 0) {
		rbl_io_put_u32(output, (uint32_t)binary_size);
		rbl_io_put(output, "BIN", 4);
		for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i) {
			rbl_io_put(output, writer->data[i].data, writer->data[i].size);
			rbl_io_put(output, "\0\0\0", (0 - writer->data[i].size) & 3);
		}
		for (int i = 0; i < scene->image_count; ++i) {
			rbl_io_put(output, scene->images[i].bytes, scene->images[i].size);
			rbl_io_put(output, "\0\0\0", (0 - scene->images[i].size) & 3);
		}
	}
	if (output->memory.failure != RBL_OK)
		return output->memory.failure;
	for (int i = 0; i < 4; ++i) {
		output->data[8 + i] = (unsigned char)(size >> 8 * i);
		output->data[12 + i] = (unsigned char)(json_size >> 8 * i);
	}
	return RBL_OK;
}

rbl_result rbl_io_write_glb(rbl_io_output *output, const rbl_scene *scene, const rbl_write_def *def,
                            bool is_film)
{
	rbl_glb_writer writer = { .scene = scene,
		                      .is_film = is_film,
		                      .merges_looks = is_film && def->merges_parts,
		                      .memory = rbl_io_memory_of(&output->memory.allocator) };
	for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i)
		writer.data[i].memory = writer.memory;
	writer.meshes.memory = writer.animations.memory = writer.memory;
	bool is_good = rbl_glb_gather_materials(&writer) && rbl_glb_gather_extensions(&writer) &&
	               (!def->is_quantized || rbl_glb_plan_quantized(&writer));
	rbl_result result = is_good ? rbl_glb_convert_meshes(&writer) : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && (!convert_instances(&writer) || !convert_animations(&writer)))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = first_failure(&writer);
	if (result == RBL_OK)
		result = put_file(&writer, output);
	if (result == RBL_OUT_OF_MEMORY || (result != RBL_OK && result == writer.memory.failure))
		output->memory.failure = result;
	for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i)
		rbl_io_free_output(&writer.data[i]);
	rbl_io_free_output(&writer.meshes);
	rbl_io_free_output(&writer.animations);
	rbl_io_free(&writer.memory, &writer.accessors);
	rbl_io_free(&writer.memory, &writer.materials);
	rbl_io_free(&writer.memory, &writer.material_numbers);
	rbl_io_free(&writer.memory, &writer.material_firsts);
	rbl_io_free(&writer.memory, &writer.material_own);
	rbl_io_free(&writer.memory, &writer.extensions);
	rbl_io_free(&writer.memory, &writer.mesh_numbers);
	rbl_io_free(&writer.memory, &writer.node_meshes);
	rbl_io_free(&writer.memory, &writer.instance_accessors);
	RBL_IO_FREE(&writer.memory, writer.quantized, scene->mesh_count);
	RBL_IO_FREE(&writer.memory, writer.key_slots, writer.key_slot_count);
	return output->memory.failure != RBL_OK ? RBL_OK : result; // the caller reports it
}
