// SPDX-License-Identifier: MIT
//
// Scenes as .glb: one JSON chunk written as text, one binary chunk.
//
// Numbers of one kind go into one stream whatever mesh they belong to, and each stream becomes one
// buffer view. A scene of thousands of fragments then has ten views instead of tens of thousands,
// and its JSON stays small. Accessors are kept as structs until the end, when it is known which
// streams exist and where they lie.
//
// A vertex of the file is a vertex of the mesh with one set of attributes: corners that agree in
// all of them share it. Vertices come in the order of the mesh's vertices, so that a reader that
// joins equal places finds the same numbering. Faces are grouped by material, one primitive each.

#include "io/io.h"

#include <math.h>

typedef enum stream_kind {
	STREAM_POSITION,
	STREAM_NORMAL,
	STREAM_UV0,
	STREAM_UV1,
	STREAM_COLOR,
	STREAM_INDEX32,
	STREAM_INDEX16,
	STREAM_TIME,
	STREAM_VEC3,
	STREAM_VEC4,
	STREAM_COUNT,
} stream_kind;

static const struct {
	int stride;    // of vertex attributes; 0 where the format wants none
	int target;    // how a graphics card uses it; 0 for none
	int component; // type of number
	int width;     // bytes per item
	const char *type;
} streams[STREAM_COUNT] = {
	[STREAM_POSITION] = { 12, 34962, 5126, 12, "VEC3" },
	[STREAM_NORMAL] = { 12, 34962, 5126, 12, "VEC3" },
	[STREAM_UV0] = { 8, 34962, 5126, 8, "VEC2" },
	[STREAM_UV1] = { 8, 34962, 5126, 8, "VEC2" },
	[STREAM_COLOR] = { 16, 34962, 5126, 16, "VEC4" },
	[STREAM_INDEX32] = { 0, 34963, 5125, 4, "SCALAR" },
	[STREAM_INDEX16] = { 0, 34963, 5123, 2, "SCALAR" },
	[STREAM_TIME] = { 0, 0, 5126, 4, "SCALAR" },
	[STREAM_VEC3] = { 0, 0, 5126, 12, "VEC3" },
	[STREAM_VEC4] = { 0, 0, 5126, 16, "VEC4" },
};

typedef struct accessor {
	stream_kind stream;
	size_t offset; // in its stream
	int count;
	int bound_count; // numbers in each of low and high: 3, 1 or 0
	float low[3], high[3];
} accessor;

// A time array that was written already: the caller's pointer and count.
typedef struct time_entry {
	const float *times;
	int count, accessor;
} time_entry;

typedef struct glb_writer {
	const rbl_scene *scene;
	rbl_io_memory memory; // its failure gathers those of all outputs
	rbl_io_output data[STREAM_COUNT];
	rbl_io_output meshes, animations; // JSON
	RBL_IO_ARRAY(accessor) accessors;
	RBL_IO_ARRAY(rbl_mesh_material) materials; // of all meshes, one after the other
	RBL_IO_ARRAY(int) material_numbers;        // of each of those in the file
	RBL_IO_ARRAY(int) material_firsts;
	int material_count;
	RBL_IO_ARRAY(int) mesh_numbers; // of each mesh in the file, -1 for those without triangles
	int mesh_count;
	time_entry *time_slots; // hash table of time arrays
	int time_slot_count;
} glb_writer;

static int add_accessor(glb_writer *writer, stream_kind stream, int count)
{
	accessor made = { stream, writer->data[stream].size, count, 0, { 0 }, { 0 } };
	return rbl_io_push(&writer->memory, &writer->accessors, made) ? writer->accessors.count - 1
	                                                              : -1;
}

// Take the range of the numbers at the end of the accessor's stream, `width` to an item.
static void set_bounds(glb_writer *writer, int index, int width)
{
	if (index < 0)
		return;
	accessor *of = &writer->accessors.data[index];
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

// The length of the character of UTF-8 at `text`, 0 when there is none.
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
		return 0; // too long a form, half of a pair, beyond the last character
	return length;
}

// A text in quotes; bytes that are no UTF-8 become question marks.
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

// Digits that give the same number to readers that take floats and to those that take doubles.
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

// Replace the comma behind the last item of a list or object by its closing sign.
static void close_with(rbl_io_output *json, const char *sign)
{
	if (json->size > 0 && json->data[json->size - 1] == ',')
		json->size--;
	rbl_io_put_text(json, sign);
}

static float clamp(float value, float low, float high)
{
	return value < low ? low : value > high ? high : value;
}

// --- materials -------------------------------------------------------------------------------

// Number the materials of all meshes; equal ones become one.
static bool gather_materials(glb_writer *writer)
{
	rbl_io_memory *memory = &writer->memory;
	for (int m = 0; m < writer->scene->mesh_count; ++m) {
		rbl_mesh_data data = rbl_mesh_view(writer->scene->meshes[m]);
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
	return writer->material_count >= 0;
}

static void put_materials(const glb_writer *writer, rbl_io_output *json)
{
	if (writer->material_count == 0)
		return;
	rbl_io_put_text(json, "\"materials\":[");
	for (int i = 0; i < writer->material_count; ++i) {
		const rbl_mesh_material *material =
			&writer->materials.data[writer->material_firsts.data[i]];
		float color[4], rest[2] = { clamp(material->metallic, 0.0f, 1.0f),
			                        clamp(material->roughness, 0.0f, 1.0f) };
		for (int k = 0; k < 4; ++k)
			color[k] = clamp((&material->base_color.x)[k], 0.0f, 1.0f);
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
	close_with(json, "],");
}

// --- meshes ----------------------------------------------------------------------------------

// The arrays that one mesh needs while it is converted.
typedef struct mesh_work {
	rbl_mesh_data data;
	int triangle_count;
	int *triangles;      // three corners each
	int *faces;          // of each triangle
	int *vertices;       // of each corner, in the file
	int *corners;        // of each vertex in the file: one that has its attributes
	int vertex_count;    // in the file
	unsigned char *rows; // of all corners, for comparison
	size_t row_size;
	int *starts; // by vertex of the mesh, for sorting
	int *scratch;
} mesh_work;

static bool allocate_work(glb_writer *writer, mesh_work *work)
{
	rbl_io_memory *memory = &writer->memory;
	size_t corners = (size_t)work->data.corner_count;
	work->triangles = RBL_IO_NEW(memory, int, 3 * (size_t)work->triangle_count);
	work->faces = RBL_IO_NEW(memory, int, work->triangle_count);
	work->vertices = RBL_IO_NEW(memory, int, corners);
	work->corners = RBL_IO_NEW(memory, int, corners);
	work->scratch = RBL_IO_NEW(memory, int, corners);
	work->starts = RBL_IO_NEW(memory, int, (size_t)work->data.vertex_count + 1);
	work->rows = rbl_io_allocate(memory, corners, work->row_size);
	return work->triangles && work->faces && work->vertices && work->corners && work->scratch &&
	       work->starts && work->rows;
}

static void free_work(glb_writer *writer, mesh_work *work)
{
	rbl_io_memory *memory = &writer->memory;
	size_t corners = (size_t)work->data.corner_count;
	RBL_IO_FREE(memory, work->triangles, 3 * (size_t)work->triangle_count);
	RBL_IO_FREE(memory, work->faces, work->triangle_count);
	RBL_IO_FREE(memory, work->vertices, corners);
	RBL_IO_FREE(memory, work->corners, corners);
	RBL_IO_FREE(memory, work->scratch, corners);
	RBL_IO_FREE(memory, work->starts, (size_t)work->data.vertex_count + 1);
	rbl_io_release(memory, work->rows, corners, work->row_size);
}

static unsigned char *append(unsigned char *row, const void *values, int corner, size_t size)
{
	if (!values)
		return row;
	memcpy(row, (const unsigned char *)values + (size_t)corner * size, size);
	return row + size;
}

// Without attributes, a vertex of the file is a vertex of the mesh that some corner uses.
static void number_vertices(mesh_work *work)
{
	const rbl_mesh_data *data = &work->data;
	memset(work->starts, 0, ((size_t)data->vertex_count + 1) * sizeof(int));
	for (int c = 0; c < data->corner_count; ++c)
		work->starts[data->corner_vertices[c] + 1] = 1;
	for (int v = 0; v < data->vertex_count; ++v)
		work->starts[v + 1] += work->starts[v];
	for (int c = 0; c < data->corner_count; ++c) {
		work->vertices[c] = work->starts[data->corner_vertices[c]];
		work->corners[work->vertices[c]] = c;
	}
	work->vertex_count = work->starts[data->vertex_count];
}

// Find the vertices of the file: different rows of vertex and attributes, sorted by vertex.
static bool split_vertices(glb_writer *writer, mesh_work *work)
{
	const rbl_mesh_data *data = &work->data;
	if (work->row_size == sizeof(int)) {
		number_vertices(work);
		return true;
	}
	for (int c = 0; c < data->corner_count; ++c) {
		unsigned char *row = work->rows + (size_t)c * work->row_size;
		row = append(row, data->corner_vertices, c, sizeof(int));
		row = append(row, data->corner_normals, c, sizeof(rbl_vec3));
		row = append(row, data->corner_uv0, c, sizeof(rbl_vec2));
		row = append(row, data->corner_uv1, c, sizeof(rbl_vec2));
		append(row, data->corner_colors, c, sizeof(rbl_vec4));
	}
	int count = rbl_io_unique(&writer->memory, work->rows, data->corner_count, work->row_size,
	                          work->vertices, work->corners);
	if (count < 0)
		return false;
	memset(work->starts, 0, ((size_t)data->vertex_count + 1) * sizeof(int));
	for (int i = 0; i < count; ++i)
		work->starts[data->corner_vertices[work->corners[i]] + 1]++;
	for (int v = 0; v < data->vertex_count; ++v)
		work->starts[v + 1] += work->starts[v];
	for (int i = 0; i < count; ++i) // from number of row to number of vertex
		work->scratch[i] = work->starts[data->corner_vertices[work->corners[i]]]++;
	for (int c = 0; c < data->corner_count; ++c)
		work->vertices[c] = work->scratch[work->vertices[c]];
	for (int c = data->corner_count - 1; c >= 0; --c)
		work->corners[work->vertices[c]] = c;
	work->vertex_count = count;
	return true;
}

static void put_floats(rbl_io_output *data, const float *values, int count)
{
	for (int i = 0; i < count; ++i)
		rbl_io_put_f32(data, values[i]);
}

// Readers insist on unit length; what has no direction points up.
static rbl_vec3 unit(rbl_vec3 n)
{
	double x = (double)n.x, y = (double)n.y, z = (double)n.z;
	double length = sqrt(x * x + y * y + z * z);
	if (!(length > 0.0))
		return (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	if (fabs(length - 1.0) < 1e-5)
		return n;
	return (rbl_vec3){ (float)(x / length), (float)(y / length), (float)(z / length) };
}

// One attribute of all vertices of a mesh, named in the primitive's JSON.
static void put_attribute(glb_writer *writer, const mesh_work *work, rbl_io_output *json,
                          stream_kind stream, const char *name)
{
	const rbl_mesh_data *data = &work->data;
	rbl_io_output *output = &writer->data[stream];
	int index = add_accessor(writer, stream, work->vertex_count);
	for (int v = 0; v < work->vertex_count; ++v) {
		int c = work->corners[v];
		rbl_vec3d p = data->positions[data->corner_vertices[c]];
		rbl_vec3 vector = { (float)p.x, (float)p.y, (float)p.z };
		switch (stream) {
		case STREAM_POSITION:
			put_floats(output, &vector.x, 3);
			break;
		case STREAM_NORMAL:
			vector = unit(data->corner_normals[c]);
			put_floats(output, &vector.x, 3);
			break;
		case STREAM_UV0:
			put_floats(output, &data->corner_uv0[c].x, 2);
			break;
		case STREAM_UV1:
			put_floats(output, &data->corner_uv1[c].x, 2);
			break;
		default:
			for (int k = 0; k < 4; ++k)
				rbl_io_put_f32(output, clamp((&data->corner_colors[c].x)[k], 0.0f, 1.0f));
		}
	}
	if (stream == STREAM_POSITION)
		set_bounds(writer, index, 3);
	rbl_io_put_format(json, "\"%s\":%d,", name, index);
}

static int material_of(const mesh_work *work, int triangle)
{
	return work->data.face_materials ? work->data.face_materials[work->faces[triangle]] : 0;
}

// The triangles of one material.
static void put_primitive(glb_writer *writer, const mesh_work *work,
                          const rbl_io_output *attributes, const int *triangles, int triangle_count,
                          int material)
{
	rbl_io_output *json = &writer->meshes;
	stream_kind stream = work->vertex_count < 65535 ? STREAM_INDEX16 : STREAM_INDEX32;
	int index = add_accessor(writer, stream, 3 * triangle_count);
	for (int i = 0; i < triangle_count; ++i) {
		for (int k = 0; k < 3; ++k) {
			int vertex = work->vertices[work->triangles[3 * triangles[i] + k]];
			if (stream == STREAM_INDEX16)
				rbl_io_put_u16(&writer->data[stream], (uint16_t)vertex);
			else
				rbl_io_put_u32(&writer->data[stream], (uint32_t)vertex);
		}
	}
	rbl_io_put_text(json, "{\"attributes\":{");
	rbl_io_put(json, attributes->data, attributes->size);
	close_with(json, "}");
	rbl_io_put_format(json, ",\"indices\":%d", index);
	if (material >= 0)
		rbl_io_put_format(json, ",\"material\":%d", material);
	rbl_io_put_text(json, "},");
}

// One primitive for each material that is used, its triangles in the order of the mesh.
static bool put_primitives(glb_writer *writer, const mesh_work *work,
                           const rbl_io_output *attributes, int material_offset)
{
	rbl_io_memory *memory = &writer->memory;
	int count = work->data.material_count > 0 ? work->data.material_count : 1;
	int *ends = RBL_IO_NEW(memory, int, (size_t)count + 1);
	int *order = RBL_IO_NEW(memory, int, work->triangle_count);
	if (ends && order) {
		memset(ends, 0, ((size_t)count + 1) * sizeof *ends);
		for (int i = 0; i < work->triangle_count; ++i)
			ends[material_of(work, i) + 1]++;
		for (int m = 0; m < count; ++m)
			ends[m + 1] += ends[m];
		for (int i = 0; i < work->triangle_count; ++i)
			order[ends[material_of(work, i)]++] = i;
		rbl_io_put_text(&writer->meshes, "{\"primitives\":[");
		for (int m = 0, begin = 0; m < count; begin = ends[m++]) {
			if (ends[m] > begin)
				put_primitive(writer, work, attributes, order + begin, ends[m] - begin,
				              work->data.material_count > 0
				                  ? writer->material_numbers.data[material_offset + m]
				                  : -1);
		}
		close_with(&writer->meshes, "]},");
	}
	bool is_good = ends && order;
	RBL_IO_FREE(memory, ends, (size_t)count + 1);
	RBL_IO_FREE(memory, order, work->triangle_count);
	return is_good;
}

// Convert a mesh that has triangles.
static rbl_result convert_mesh(glb_writer *writer, const rbl_mesh *mesh, mesh_work *work,
                               int material_offset)
{
	const rbl_mesh_data *data = &work->data;
	if (!allocate_work(writer, work))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_mesh_triangulate(mesh, work->triangles, work->faces);
	if (result != RBL_OK)
		return result;
	if (!split_vertices(writer, work))
		return writer->memory.failure;
	rbl_io_output attributes = { .memory = rbl_io_memory_of(&writer->memory.allocator) };
	put_attribute(writer, work, &attributes, STREAM_POSITION, "POSITION");
	if (data->corner_normals)
		put_attribute(writer, work, &attributes, STREAM_NORMAL, "NORMAL");
	if (data->corner_uv0)
		put_attribute(writer, work, &attributes, STREAM_UV0, "TEXCOORD_0");
	if (data->corner_uv1) // sets are counted without gaps
		put_attribute(writer, work, &attributes, STREAM_UV1,
		              data->corner_uv0 ? "TEXCOORD_1" : "TEXCOORD_0");
	if (data->corner_colors)
		put_attribute(writer, work, &attributes, STREAM_COLOR, "COLOR_0");
	bool is_good = attributes.memory.failure == RBL_OK &&
	               put_primitives(writer, work, &attributes, material_offset);
	rbl_io_free_output(&attributes);
	return is_good ? RBL_OK : RBL_OUT_OF_MEMORY;
}

static rbl_result convert_meshes(glb_writer *writer)
{
	int material_offset = 0;
	for (int m = 0; m < writer->scene->mesh_count; ++m) {
		const rbl_mesh *mesh = writer->scene->meshes[m];
		mesh_work work = { .data = rbl_mesh_view(mesh),
			               .triangle_count = rbl_mesh_triangle_count(mesh) };
		work.row_size = sizeof(int) + (work.data.corner_normals ? sizeof(rbl_vec3) : 0) +
		                (work.data.corner_uv0 ? sizeof(rbl_vec2) : 0) +
		                (work.data.corner_uv1 ? sizeof(rbl_vec2) : 0) +
		                (work.data.corner_colors ? sizeof(rbl_vec4) : 0);
		int number = work.triangle_count > 0 ? writer->mesh_count++ : -1;
		rbl_result result = rbl_io_check_floats(&work.data);
		if (result == RBL_OK && !rbl_io_push(&writer->memory, &writer->mesh_numbers, number))
			result = RBL_OUT_OF_MEMORY;
		if (result == RBL_OK && number >= 0) {
			result = convert_mesh(writer, mesh, &work, material_offset);
			free_work(writer, &work);
		}
		if (result != RBL_OK)
			return result;
		material_offset += work.data.material_count;
	}
	return RBL_OK;
}

// --- nodes -----------------------------------------------------------------------------------

static void put_node(const glb_writer *writer, rbl_io_output *json, int index, const int *children)
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
		close_with(json, "],");
	}
	close_with(json, "},");
}

static bool put_nodes(glb_writer *writer, rbl_io_output *json)
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
	close_with(json, "]}],\"nodes\":[");
	for (int i = 0; i < count; ++i)
		put_node(writer, json, i, children);
	close_with(json, "],");
	RBL_IO_FREE(&writer->memory, children, 2 * (size_t)count + 1);
	return true;
}

// --- animations ------------------------------------------------------------------------------

// The accessor of a time array, made the first time it is seen. -1 when memory ran out.
static int time_accessor(glb_writer *writer, const rbl_scene_track *track)
{
	uint64_t hash = (uint64_t)(uintptr_t)track->times * 0x9e3779b97f4a7c15u;
	int mask = writer->time_slot_count - 1;
	int slot = (int)(hash >> 40) & mask;
	while (writer->time_slots[slot].times && (writer->time_slots[slot].times != track->times ||
	                                          writer->time_slots[slot].count != track->key_count))
		slot = (slot + 1) & mask;
	time_entry *entry = &writer->time_slots[slot];
	if (!entry->times) {
		int index = add_accessor(writer, STREAM_TIME, track->key_count);
		for (int i = 0; i < track->key_count; ++i)
			rbl_io_put_f32(&writer->data[STREAM_TIME], track->times[i]);
		set_bounds(writer, index, 1);
		*entry = (time_entry){ track->times, track->key_count, index };
	}
	return entry->accessor;
}

static int value_accessor(glb_writer *writer, const rbl_scene_track *track)
{
	bool is_rotation = track->path == RBL_TRACK_ROTATION;
	stream_kind stream = is_rotation ? STREAM_VEC4 : STREAM_VEC3;
	int index = add_accessor(writer, stream, track->key_count);
	for (int i = 0; i < track->key_count; ++i) {
		const float *value = track->values + (size_t)i * (is_rotation ? 4 : 3);
		double length = 1.0;
		if (is_rotation)
			length =
				sqrt((double)value[0] * (double)value[0] + (double)value[1] * (double)value[1] +
			         (double)value[2] * (double)value[2] + (double)value[3] * (double)value[3]);
		for (int k = 0; k < (is_rotation ? 4 : 3); ++k)
			rbl_io_put_f32(&writer->data[stream], (float)((double)value[k] / length));
	}
	return index;
}

static void put_animation(glb_writer *writer, const rbl_scene_animation *animation)
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
	close_with(json, "],\"channels\":[");
	for (int i = 0; i < animation->track_count; ++i)
		rbl_io_put_format(json, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}},", i,
		                  animation->tracks[i].node, paths[animation->tracks[i].path]);
	close_with(json, "]},");
}

static bool convert_animations(glb_writer *writer)
{
	const rbl_scene *scene = writer->scene;
	size_t track_count = 0;
	for (int a = 0; a < scene->animation_count; ++a)
		track_count += (size_t)scene->animations[a].track_count;
	writer->time_slot_count = 16;
	while ((size_t)writer->time_slot_count < 2 * track_count && writer->time_slot_count < 1 << 30)
		writer->time_slot_count *= 2;
	writer->time_slots = RBL_IO_NEW(&writer->memory, time_entry, writer->time_slot_count);
	if (!writer->time_slots)
		return false;
	memset(writer->time_slots, 0, (size_t)writer->time_slot_count * sizeof *writer->time_slots);
	for (int a = 0; a < scene->animation_count; ++a) {
		if (scene->animations[a].track_count > 0)
			put_animation(writer, &scene->animations[a]);
	}
	return true;
}

// --- the file --------------------------------------------------------------------------------

static void put_accessors(const glb_writer *writer, rbl_io_output *json, const int *views)
{
	if (writer->accessors.count == 0)
		return;
	rbl_io_put_text(json, "\"accessors\":[");
	for (int i = 0; i < writer->accessors.count; ++i) {
		const accessor *one = &writer->accessors.data[i];
		rbl_io_put_format(json,
		                  "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
		                  views[one->stream], streams[one->stream].component, one->count,
		                  streams[one->stream].type);
		if (one->offset > 0)
			rbl_io_put_format(json, ",\"byteOffset\":%zu", one->offset);
		if (one->bound_count > 0) {
			rbl_io_put_text(json, ",\"min\":");
			put_numbers(json, one->low, one->bound_count);
			rbl_io_put_text(json, ",\"max\":");
			put_numbers(json, one->high, one->bound_count);
		}
		rbl_io_put_text(json, "},");
	}
	close_with(json, "],");
}

// Buffer views of the streams that hold something, one after the other. @return bytes in all.
static uint64_t put_views(const glb_writer *writer, rbl_io_output *json, int *views)
{
	uint64_t offset = 0;
	int count = 0;
	for (int i = 0; i < STREAM_COUNT; ++i) {
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
		close_with(json, "],");
	return offset;
}

static rbl_result first_failure(const glb_writer *writer)
{
	if (writer->memory.failure != RBL_OK)
		return writer->memory.failure;
	for (int i = 0; i < STREAM_COUNT; ++i) {
		if (writer->data[i].memory.failure != RBL_OK)
			return writer->data[i].memory.failure;
	}
	if (writer->meshes.memory.failure != RBL_OK)
		return writer->meshes.memory.failure;
	return writer->animations.memory.failure;
}

// Put the whole together: header, JSON padded with blanks, streams padded with zeros.
static rbl_result put_file(glb_writer *writer, rbl_io_output *output)
{
	int views[STREAM_COUNT] = { 0 };
	rbl_io_put(output, "glTF\2\0\0\0\0\0\0\0\0\0\0\0JSON", 20);
	rbl_io_put_format(output, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Rubble %d.%d.%d\"},",
	                  RBL_VERSION_MAJOR, RBL_VERSION_MINOR, RBL_VERSION_PATCH);
	if (!put_nodes(writer, output))
		return RBL_OUT_OF_MEMORY;
	put_materials(writer, output);
	if (writer->meshes.size > 0) {
		rbl_io_put_text(output, "\"meshes\":[");
		rbl_io_put(output, writer->meshes.data, writer->meshes.size);
		close_with(output, "],");
	}
	if (writer->animations.size > 0) {
		rbl_io_put_text(output, "\"animations\":[");
		rbl_io_put(output, writer->animations.data, writer->animations.size);
		close_with(output, "],");
	}
	uint64_t binary_size = put_views(writer, output, views);
	put_accessors(writer, output, views);
	if (binary_size > 0)
		rbl_io_put_format(output, "\"buffers\":[{\"byteLength\":%llu}],",
		                  (unsigned long long)binary_size);
	close_with(output, "}");
	rbl_io_put(output, "   ", (0 - output->size) & 3);
	uint64_t json_size = output->size - 20;
	uint64_t size = output->size + (binary_size > 0 ? binary_size + 8 : 0);
	if (size > UINT32_MAX)
		return rbl_io_fail(RBL_LIMIT_REACHED, "a .glb file of %llu bytes, at most 4 GiB",
		                   (unsigned long long)size);
	if (binary_size > 0) {
		rbl_io_put_u32(output, (uint32_t)binary_size);
		rbl_io_put(output, "BIN", 4);
		for (int i = 0; i < STREAM_COUNT; ++i) {
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
	glb_writer writer = { .scene = scene, .memory = rbl_io_memory_of(&output->memory.allocator) };
	for (int i = 0; i < STREAM_COUNT; ++i)
		writer.data[i].memory = writer.memory;
	writer.meshes.memory = writer.animations.memory = writer.memory;
	rbl_result result = gather_materials(&writer) ? convert_meshes(&writer) : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && !convert_animations(&writer))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = first_failure(&writer);
	if (result == RBL_OK)
		result = put_file(&writer, output);
	if (result == RBL_OUT_OF_MEMORY || (result != RBL_OK && result == writer.memory.failure))
		output->memory.failure = result;
	for (int i = 0; i < STREAM_COUNT; ++i)
		rbl_io_free_output(&writer.data[i]);
	rbl_io_free_output(&writer.meshes);
	rbl_io_free_output(&writer.animations);
	rbl_io_free(&writer.memory, &writer.accessors);
	rbl_io_free(&writer.memory, &writer.materials);
	rbl_io_free(&writer.memory, &writer.material_numbers);
	rbl_io_free(&writer.memory, &writer.material_firsts);
	rbl_io_free(&writer.memory, &writer.mesh_numbers);
	RBL_IO_FREE(&writer.memory, writer.time_slots, writer.time_slot_count);
	return output->memory.failure != RBL_OK ? RBL_OK : result; // memory is told by the caller
}
