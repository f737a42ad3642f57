// SPDX-License-Identifier: MIT
//
// Scenes as .glb: a JSON chunk and a binary chunk, with meshes, nodes and a glTF animation.
//
// Numbers of one kind go into one stream, whatever mesh they belong to, and each stream is a buffer
// view. A scene of thousands of fragments then has ten views instead of tens of thousands, and its
// JSON stays small. Accessors are written at the end, when the offsets of streams are known.

#include "io/glb.h"

#include <math.h>
#include <stdio.h>

static const struct {
	int stride;    // of vertex attributes; 0 where the format wants none
	int target;    // of the buffer view; 0 for none
	int component; // type of number
	int width;     // bytes per item
	const char *type;
} streams[RBL_GLB_STREAM_COUNT] = {
	[RBL_GLB_POSITION] = { 12, 34962, 5126, 12, "VEC3" },
	[RBL_GLB_NORMAL] = { 12, 34962, 5126, 12, "VEC3" },
	[RBL_GLB_UV0] = { 8, 34962, 5126, 8, "VEC2" },
	[RBL_GLB_UV1] = { 8, 34962, 5126, 8, "VEC2" },
	[RBL_GLB_COLOR] = { 16, 34962, 5126, 16, "VEC4" },
	[RBL_GLB_APART] = { 4, 34962, 5126, 4, "SCALAR" },
	[RBL_GLB_INDEX32] = { 0, 34963, 5125, 4, "SCALAR" },
	[RBL_GLB_INDEX16] = { 0, 34963, 5123, 2, "SCALAR" },
	[RBL_GLB_TIME] = { 0, 0, 5126, 4, "SCALAR" },
	[RBL_GLB_VEC3] = { 0, 0, 5126, 12, "VEC3" },
	[RBL_GLB_VEC4] = { 0, 0, 5126, 16, "VEC4" },
	[RBL_GLB_SHORT4] = { 0, 0, 5122, 8, "VEC4" },
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
			float value;
			memcpy(&value, data->data + of->offset + sizeof(float) * (size_t)(i * width + k), 4);
			of->low[k] = i == 0 || value < of->low[k] ? value : of->low[k];
			of->high[k] = i == 0 || value > of->high[k] ? value : of->high[k];
		}
	}
}

// --- JSON ------------------------------------------------------------------------------------

// The length of the UTF-8 character at `text`, 0 if it is invalid.
static int character_length(const unsigned char *text)
{
	int length = text[0] < 0x80   ? 1
	             : text[0] < 0xc2 ? 0
	             : text[0] < 0xe0 ? 2
	             : text[0] < 0xf0 ? 3
	             : text[0] < 0xf5 ? 4
	                              : 0;
	for (int i = 1; i < length; ++i) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0; // overlong, surrogate, or beyond U+10FFFF
	return length;
}

// A JSON string; invalid UTF-8 becomes question marks.
static void put_string(rbl_io_output *json, const char *text)
{
	rbl_io_put(json, "\"", 1);
	for (const unsigned char *at = (const unsigned char *)text; *at;) {
		int length = character_length(at);
		if (length == 0)
			rbl_io_put(json, "?", 1);
		else if (*at == '"' || *at == '\\' || *at < 32)
			rbl_io_put_format(json, "\\u%04x", *at);
		else
			rbl_io_put(json, at, (size_t)length);
		at += length ? length : 1;
	}
	rbl_io_put(json, "\"", 1);
}

static void put_name(rbl_io_output *json, const char *name)
{
	if (!name || !*name)
		return;
	rbl_io_put_text(json, "\"name\":");
	put_string(json, name);
	rbl_io_put_text(json, ",");
}

// With enough digits for readers that parse doubles.
static void put_numbers(rbl_io_output *json, const float *values, int count)
{
	rbl_io_put(json, "[", 1);
	for (int i = 0; i < count; ++i) {
		if (i > 0)
			rbl_io_put(json, ",", 1);
		rbl_io_put_double(json, (double)values[i]);
	}
	rbl_io_put(json, "]", 1);
}

void rbl_glb_close(rbl_io_output *json, const char *sign)
{
	if (json->size > 0 && json->data[json->size - 1] == ',')
		json->size--;
	rbl_io_put_text(json, sign);
}

// --- materials -------------------------------------------------------------------------------

// Append a number to a name, which is cut between characters if it is too long.
static void set_numbered_name(char *name, const char *base, int number)
{
	char suffix[16];
	snprintf(suffix, sizeof suffix, ".%03d", number);
	size_t length = strlen(base), space = RBL_MATERIAL_NAME_LENGTH - 1 - strlen(suffix);
	while (length > 0 && (length > space || ((unsigned char)base[length] & 0xc0) == 0x80))
		--length;
	memset(name, 0, RBL_MATERIAL_NAME_LENGTH);
	memcpy(name, base, length);
	memcpy(name + length, suffix, strlen(suffix));
}

// Number all but the first of equal names; given names come before numbered ones. @return whether
// any changed, -1 when memory runs out
static int number_names(rbl_glb_writer *writer, char (*names)[RBL_MATERIAL_NAME_LENGTH], int *work,
                        int *numbers)
{
	int count = writer->material_count, changed = 0;
	int *same = work, *is_ours = work + count, *ranks = work + 2 * (size_t)count;
	if (rbl_io_unique(&writer->memory, names, count, sizeof *names, same, ranks) < 0)
		return -1;
	for (int i = 0; i < count; ++i)
		is_ours[i] = numbers[i] > 0, ranks[i] = 0;
	for (int k = 0; k < 2 * count; ++k) {
		int i = k % count;
		if (is_ours[i] != k / count)
			continue;
		int rank = ranks[same[i]]++;
		if (rank == 0 || !names[i][0])
			continue;
		const rbl_mesh_material *of = &writer->materials.data[writer->material_firsts.data[i]];
		numbers[i] += rank;
		set_numbered_name(names[i], of->name, numbers[i]);
		changed = 1;
	}
	return changed;
}

// Programs identify materials by name: of different ones with the same name, all but the first get
// a number, as in Blender. Empty names stay empty.
static bool name_materials(rbl_glb_writer *writer)
{
	rbl_io_memory *memory = &writer->memory;
	size_t count = (size_t)writer->material_count;
	char(*names)[RBL_MATERIAL_NAME_LENGTH] = rbl_io_allocate(memory, count, sizeof *names);
	int *work = RBL_IO_NEW(memory, int, 3 * count), *numbers = RBL_IO_NEW(memory, int, count);
	int changed = names && work && numbers ? 1 : -1;
	for (size_t i = 0; changed == 1 && i < count; ++i) {
		memcpy(names[i], writer->materials.data[writer->material_firsts.data[i]].name,
		       sizeof *names);
		numbers[i] = 0;
	}
	while (changed == 1) // again if "a.001" is taken; numbers only grow
		changed = number_names(writer, names, work, numbers);
	for (size_t i = 0; changed == 0 && i < count; ++i)
		memcpy(writer->materials.data[writer->material_firsts.data[i]].name, names[i],
		       sizeof *names);
	RBL_IO_FREE(memory, names, count);
	RBL_IO_FREE(memory, work, 3 * count);
	RBL_IO_FREE(memory, numbers, count);
	return changed == 0;
}

// Collect the materials of all meshes; equal ones become one.
static bool gather_materials(rbl_glb_writer *writer)
{
	rbl_io_memory *memory = &writer->memory;
	for (int m = 0; m < writer->scene->mesh_count; ++m) {
		rbl_mesh_data data = rbl_mesh_get_data(writer->scene->meshes[m]);
		for (int k = 0; k < data.material_count; ++k) {
			rbl_mesh_material material = data.materials[k];
			size_t length = strlen(material.name); // what follows the zero may differ
			memset(material.name + length, 0, sizeof material.name - length);
			if (!rbl_io_push(memory, &writer->materials, material))
				return false;
		}
	}
	int count = writer->materials.count;
	if (!rbl_io_reserve(memory, &writer->material_numbers, count) ||
	    !rbl_io_reserve(memory, &writer->material_firsts, count))
		return false;
	if (count > 0)
		writer->material_count =
			rbl_io_unique(memory, writer->materials.data, count, sizeof(rbl_mesh_material),
		                  writer->material_numbers.data, writer->material_firsts.data);
	return writer->material_count >= 0 && name_materials(writer);
}

static void put_materials(const rbl_glb_writer *writer, rbl_io_output *json)
{
	if (writer->material_count == 0)
		return;
	rbl_io_put_text(json, "\"materials\":[");
	for (int i = 0; i < writer->material_count; ++i) {
		const rbl_mesh_material *material =
			&writer->materials.data[writer->material_firsts.data[i]];
		float color[4],
			rest[2] = { rbl_glb_clamp(material->metallic), rbl_glb_clamp(material->roughness) };
		for (int k = 0; k < 4; ++k)
			color[k] = rbl_glb_clamp((&material->base_color.x)[k]);
		rbl_io_put_text(json, "{");
		put_name(json, material->name);
		if (color[3] < 1.0f)
			rbl_io_put_text(json, "\"alphaMode\":\"BLEND\",");
		rbl_io_put_text(json, "\"pbrMetallicRoughness\":{\"baseColorFactor\":");
		put_numbers(json, color, 4);
		rbl_io_put_text(json, ",\"metallicFactor\":");
		rbl_io_put_double(json, (double)rest[0]);
		rbl_io_put_text(json, ",\"roughnessFactor\":");
		rbl_io_put_double(json, (double)rest[1]);
		rbl_io_put_text(json, "}},");
	}
	rbl_glb_close(json, "],");
}

// --- nodes -----------------------------------------------------------------------------------

static void put_node(const rbl_glb_writer *writer, rbl_io_output *json, int index,
                     const int *children)
{
	const rbl_scene_node *node = &writer->scene->nodes[index];
	rbl_io_put_text(json, "{");
	put_name(json, node->name);
	if (node->mesh >= 0 && writer->mesh_numbers.data[node->mesh] >= 0)
		rbl_io_put_format(json, "\"mesh\":%d,", writer->mesh_numbers.data[node->mesh]);
	rbl_vec3 p = node->translation, s = node->scale;
	if (p.x != 0.0f || p.y != 0.0f || p.z != 0.0f) {
		rbl_io_put_text(json, "\"translation\":");
		put_numbers(json, &p.x, 3);
		rbl_io_put_text(json, ",");
	}
	rbl_quat q = node->rotation;
	if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f) {
		double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
		double length = sqrt(x * x + y * y + z * z + w * w);
		float numbers[4] = { (float)(x / length), (float)(y / length), (float)(z / length),
			                 (float)(w / length) };
		rbl_io_put_text(json, "\"rotation\":");
		put_numbers(json, numbers, 4);
		rbl_io_put_text(json, ",");
	}
	if (s.x != 1.0f || s.y != 1.0f || s.z != 1.0f) {
		rbl_io_put_text(json, "\"scale\":");
		put_numbers(json, &s.x, 3);
		rbl_io_put_text(json, ",");
	}
	// children: the first child of each node, and behind those the next sibling of each.
	int child = children[index + 1];
	if (child >= 0) {
		rbl_io_put_text(json, "\"children\":[");
		for (; child >= 0; child = children[writer->scene->node_count + 1 + child])
			rbl_io_put_format(json, "%d,", child);
		rbl_glb_close(json, "],");
	}
	rbl_glb_close(json, "},");
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
	rbl_io_put_text(json, "\"scene\":0,\"scenes\":[{\"nodes\":[");
	for (int i = children[0]; i >= 0; i = children[count + 1 + i])
		rbl_io_put_format(json, "%d,", i);
	rbl_glb_close(json, "]}],\"nodes\":[");
	for (int i = 0; i < count; ++i)
		put_node(writer, json, i, children);
	rbl_glb_close(json, "],");
	RBL_IO_FREE(&writer->memory, children, 2 * (size_t)count + 1);
	return true;
}

// --- animations ------------------------------------------------------------------------------

// The hash table entry of an array of a track.
static rbl_glb_keys *find_keys(rbl_glb_writer *writer, const float *numbers, int count,
                               rbl_glb_stream stream)
{
	uint64_t hash = (uint64_t)(uintptr_t)numbers * 0x9e3779b97f4a7c15u;
	int mask = writer->key_slot_count - 1;
	int slot = (int)(hash >> 40) & mask;
	const rbl_glb_keys *slots = writer->key_slots;
	while (slots[slot].numbers && (slots[slot].numbers != numbers || slots[slot].count != count ||
	                               slots[slot].stream != stream))
		slot = (slot + 1) & mask;
	return &writer->key_slots[slot];
}

static int time_accessor(rbl_glb_writer *writer, const rbl_scene_track *track)
{
	rbl_glb_keys *entry = find_keys(writer, track->times, track->key_count, RBL_GLB_TIME);
	if (!entry->numbers) {
		int index = rbl_glb_add_accessor(writer, RBL_GLB_TIME, track->key_count);
		for (int i = 0; i < track->key_count; ++i)
			rbl_io_put_f32(&writer->data[RBL_GLB_TIME], track->times[i]);
		rbl_glb_set_bounds(writer, index, 1);
		*entry = (rbl_glb_keys){ track->times, track->key_count, index, RBL_GLB_TIME };
	}
	return entry->accessor;
}

static void put_rotation(rbl_io_output *data, const float *q, bool is_short)
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

static int value_accessor(rbl_glb_writer *writer, const rbl_scene_track *track)
{
	bool is_rotation = track->path == RBL_TRACK_ROTATION;
	rbl_glb_stream stream = !is_rotation      ? RBL_GLB_VEC3
	                        : track->is_short ? RBL_GLB_SHORT4
	                                          : RBL_GLB_VEC4;
	rbl_glb_keys *entry = find_keys(writer, track->values, track->key_count, stream);
	if (!entry->numbers) {
		int index = rbl_glb_add_accessor(writer, stream, track->key_count);
		for (int i = 0; i < track->key_count; ++i) {
			const float *value = track->values + (size_t)i * (is_rotation ? 4 : 3);
			if (is_rotation)
				put_rotation(&writer->data[stream], value, track->is_short);
			for (int k = 0; !is_rotation && k < 3; ++k)
				rbl_io_put_f32(&writer->data[stream], value[k]);
		}
		*entry = (rbl_glb_keys){ track->values, track->key_count, index, stream };
	}
	return entry->accessor;
}

static void put_animation(rbl_glb_writer *writer, const rbl_scene_animation *animation)
{
	static const char *const paths[] = { "translation", "rotation", "scale" };
	rbl_io_output *json = &writer->animations;
	rbl_io_put_text(json, "{");
	put_name(json, animation->name);
	rbl_io_put_text(json, "\"samplers\":[");
	for (int i = 0; i < animation->track_count; ++i) {
		const rbl_scene_track *track = &animation->tracks[i];
		int input = time_accessor(writer, track), output = value_accessor(writer, track);
		rbl_io_put_format(json, "{\"input\":%d,\"output\":%d%s},", input, output,
		                  track->has_steps ? ",\"interpolation\":\"STEP\"" : "");
	}
	rbl_glb_close(json, "],\"channels\":[");
	for (int i = 0; i < animation->track_count; ++i)
		rbl_io_put_format(json, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}},", i,
		                  animation->tracks[i].node, paths[animation->tracks[i].path]);
	rbl_glb_close(json, "]},");
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
		if (one->stream == RBL_GLB_SHORT4)
			rbl_io_put_text(json, ",\"normalized\":true");
		if (one->bound_count > 0) {
			rbl_io_put_text(json, ",\"min\":");
			put_numbers(json, one->low, one->bound_count);
			rbl_io_put_text(json, ",\"max\":");
			put_numbers(json, one->high, one->bound_count);
		}
		rbl_io_put_text(json, "},");
	}
	rbl_glb_close(json, "],");
}

// Buffer views of the streams that hold something, one after the other. @return bytes in all.
static uint64_t put_views(const rbl_glb_writer *writer, rbl_io_output *json, int *views)
{
	uint64_t offset = 0;
	int count = 0;
	for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i) {
		size_t size = writer->data[i].size;
		if (size == 0)
			continue;
		rbl_io_put_text(json, count == 0 ? "\"bufferViews\":[" : "");
		views[i] = count++;
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
	int views[RBL_GLB_STREAM_COUNT] = { 0 };
	rbl_io_put(output, "glTF\2\0\0\0\0\0\0\0\0\0\0\0JSON", 20);
	rbl_io_put_format(output, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Rubble %d.%d.%d\"},",
	                  RBL_VERSION_MAJOR, RBL_VERSION_MINOR, RBL_VERSION_PATCH);
	if (!put_nodes(writer, output))
		return RBL_OUT_OF_MEMORY;
	put_materials(writer, output);
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
	uint64_t binary_size = put_views(writer, output, views);
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
	}
	if (output->memory.failure != RBL_OK)
		return output->memory.failure;
	for (int i = 0; i < 4; ++i) {
		output->data[8 + i] = (unsigned char)(size >> 8 * i);
		output->data[12 + i] = (unsigned char)(json_size >> 8 * i);
	}
	return RBL_OK;
}

rbl_result rbl_io_write_glb(rbl_io_output *output, const rbl_scene *scene)
{
	rbl_glb_writer writer = { .scene = scene,
		                      .memory = rbl_io_memory_of(&output->memory.allocator) };
	for (int i = 0; i < RBL_GLB_STREAM_COUNT; ++i)
		writer.data[i].memory = writer.memory;
	writer.meshes.memory = writer.animations.memory = writer.memory;
	rbl_result result =
		gather_materials(&writer) ? rbl_glb_convert_meshes(&writer) : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && !convert_animations(&writer))
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
	rbl_io_free(&writer.memory, &writer.mesh_numbers);
	RBL_IO_FREE(&writer.memory, writer.key_slots, writer.key_slot_count);
	return output->memory.failure != RBL_OK ? RBL_OK : result; // the caller reports it
}
