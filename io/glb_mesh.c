// SPDX-License-Identifier: MIT
//
// Meshes of a .glb. A vertex of the file is a vertex of the mesh with one set of attributes;
// corners with equal attributes share it. Vertices keep the order of the mesh's vertices, so that a
// reader that merges equal positions gets the same numbering. Faces are grouped by material into
// primitives.
//
// Different vertices of a mesh may be at the same position: where parts touch, or where a repair
// split the mesh. Such a mesh gets the attribute _APART, which numbers the vertices at one
// position. Our reader does not merge vertices that differ in it, so a mesh is read as it was
// written; others ignore it. Films have no need of it.

#include "io/glb.h"

#include <math.h>

enum { QUANTIZED_POSITION_SIZE = 8 };

// Temporary arrays for the conversion of a mesh.
typedef struct mesh_work {
	rbl_mesh_data data;
	int triangle_count;
	int *triangles;      // three corners each
	int *faces;          // of each triangle
	int *vertices;       // of each corner, in the file
	int *corners;        // of each vertex in the file: a corner with its attributes
	int vertex_count;    // in the file
	unsigned char *rows; // of all corners, for comparison
	size_t row_size;
	int *starts; // by vertex of the mesh, for sorting
	int *scratch;
	int *aparts; // per vertex of the mesh: its number among those at its position
	bool has_aparts;
	const rbl_glb_quantized *quantized; // NULL: floats
	const rbl_scene_slot *slots;        // of the materials; or NULL
	int tangents, tangent_offset;       // accessor, -1 none; in attributes of corners
	size_t tangent_place;               // in the JSON of the attributes
	const int *before; // of each vertex: in the part written before, or -1; or NULL
	int before_count;  // of vertices of that part, which this one begins with
} mesh_work;

static bool allocate_work(rbl_glb_writer *writer, mesh_work *work)
{
	rbl_io_memory *memory = &writer->memory;
	size_t corners = (size_t)work->data.corner_count;
	work->triangles = RBL_IO_NEW(memory, int, 3 * (size_t)work->triangle_count);
	work->faces = RBL_IO_NEW(memory, int, work->triangle_count);
	work->vertices = RBL_IO_NEW(memory, int, corners);
	work->corners = RBL_IO_NEW(memory, int, corners);
	work->scratch = RBL_IO_NEW(memory, int, corners);
	work->starts = RBL_IO_NEW(memory, int, (size_t)work->data.vertex_count + 1);
	work->aparts = RBL_IO_NEW(memory, int, work->data.vertex_count);
	work->rows = rbl_io_allocate(memory, corners, work->row_size);
	return work->aparts && work->triangles && work->faces && work->vertices && work->corners &&
	       work->scratch && work->starts && work->rows;
}

static void free_work(rbl_glb_writer *writer, mesh_work *work)
{
	rbl_io_memory *memory = &writer->memory;
	size_t corners = (size_t)work->data.corner_count;
	RBL_IO_FREE(memory, work->triangles, 3 * (size_t)work->triangle_count);
	RBL_IO_FREE(memory, work->faces, work->triangle_count);
	RBL_IO_FREE(memory, work->vertices, corners);
	RBL_IO_FREE(memory, work->corners, corners);
	RBL_IO_FREE(memory, work->scratch, corners);
	RBL_IO_FREE(memory, work->starts, (size_t)work->data.vertex_count + 1);
	RBL_IO_FREE(memory, work->aparts, work->data.vertex_count);
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
	int first = work->before ? work->before_count : 0;
	memset(work->starts, 0, ((size_t)data->vertex_count + 1) * sizeof(int));
	for (int c = 0; c < data->corner_count; ++c)
		work->starts[data->corner_vertices[c] + 1] = 1;
	for (int v = 0; v < data->vertex_count; ++v)
		work->starts[v + 1] =
			work->starts[v] + (work->before && work->before[v] >= 0 ? 0 : work->starts[v + 1]);
	for (int c = 0; c < data->corner_count; ++c) {
		int v = data->corner_vertices[c];
		if (work->before && work->before[v] >= 0) {
			work->vertices[c] = work->before[v];
			continue;
		}
		work->vertices[c] = first + work->starts[v];
		work->corners[work->starts[v]] = c;
	}
	work->vertex_count = first + work->starts[data->vertex_count];
}

// Find the vertices of the file: different rows of vertex and attributes, sorted by vertex.
static bool split_vertices(rbl_glb_writer *writer, mesh_work *work)
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
		row = append(row, data->corner_colors, c, sizeof(rbl_vec4));
		append(row, data->corner_attributes, c, (size_t)data->attribute_width * sizeof(float));
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

// Number the vertices at each position, in the precision of the file.
static bool count_aparts(rbl_glb_writer *writer, mesh_work *work)
{
	rbl_io_memory *memory = &writer->memory;
	const rbl_mesh_data *data = &work->data;
	size_t count = (size_t)data->vertex_count;
	rbl_vec3 *places = RBL_IO_NEW(memory, rbl_vec3, count);
	int *numbers = RBL_IO_NEW(memory, int, 2 * count);
	int kept = -1;
	if (places && numbers) {
		for (size_t v = 0; v < count; ++v) {
			rbl_vec3d p = data->positions[v];
			places[v] = (rbl_vec3){ (float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f };
		}
		kept = rbl_io_unique(memory, places, data->vertex_count, sizeof *places, numbers,
		                     numbers + count);
	}
	for (int i = 0; i < kept; ++i)
		numbers[count + (size_t)i] = 0;
	for (size_t v = 0; v < count && kept >= 0; ++v)
		work->aparts[v] = numbers[count + (size_t)numbers[v]]++;
	work->has_aparts = kept >= 0 && kept < data->vertex_count;
	RBL_IO_FREE(memory, numbers, 2 * count);
	RBL_IO_FREE(memory, places, count);
	return kept >= 0;
}

static void put_floats(rbl_io_output *data, const float *values, int count)
{
	for (int i = 0; i < count; ++i)
		rbl_io_put_f32(data, values[i]);
}

// Validators demand unit length; zero normals point up.
static rbl_vec3 unit_normal(rbl_vec3 n)
{
	double x = (double)n.x, y = (double)n.y, z = (double)n.z;
	double length = sqrt(x * x + y * y + z * z);
	if (!(length > 0.0))
		return (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	if (fabs(length - 1.0) < 1e-5)
		return n;
	return (rbl_vec3){ (float)(x / length), (float)(y / length), (float)(z / length) };
}

static int to_signed(double value, double largest)
{
	value = value < -1.0 ? -1.0 : value > 1.0 ? 1.0 : value;
	return (int)floor(value * largest + 0.5);
}

// Numbers of a vertex in their quantized stream.
static void put_quantized(rbl_io_output *output, rbl_glb_stream stream, const mesh_work *work,
                          rbl_vec3d position, const float *values)
{
	unsigned char bytes[4] = { 0, 0, 0, 0 };
	const rbl_glb_quantized *plan = work->quantized;
	double factor = (double)plan->factor;
	switch (stream) {
	case RBL_GLB_POSITION16:
		rbl_io_put_u16(
			output, (uint16_t)to_signed((position.x - (double)plan->offset.x) / factor, 32767.0));
		rbl_io_put_u16(
			output, (uint16_t)to_signed((position.y - (double)plan->offset.y) / factor, 32767.0));
		rbl_io_put_u16(
			output, (uint16_t)to_signed((position.z - (double)plan->offset.z) / factor, 32767.0));
		rbl_io_put_u16(output, 0);
		return;
	case RBL_GLB_UV16:
		rbl_io_put_u16(output, (uint16_t)to_signed((double)values[0], 65535.0));
		rbl_io_put_u16(output, (uint16_t)to_signed((double)values[1], 65535.0));
		return;
	case RBL_GLB_NORMAL8:
	case RBL_GLB_TANGENT8:
		for (int k = 0; k < (stream == RBL_GLB_NORMAL8 ? 3 : 4); ++k)
			bytes[k] = (unsigned char)to_signed((double)values[k], 127.0);
		break;
	case RBL_GLB_COLOR8:
		for (int k = 0; k < 4; ++k)
			bytes[k] = (unsigned char)to_signed((double)rbl_glb_clamp(values[k]), 255.0);
		break;
	default:
		bytes[0] = (unsigned char)values[0];
	}
	rbl_io_put(output, bytes, 4);
}

static bool are_within_one(const rbl_vec2 *uv, int count)
{
	for (int i = 0; i < count; ++i)
		if (!(uv[i].x >= 0.0f && uv[i].x <= 1.0f && uv[i].y >= 0.0f && uv[i].y <= 1.0f))
			return false;
	return true;
}

// Which stream an attribute goes to.
static rbl_glb_stream quantized_stream(const mesh_work *work, rbl_glb_stream stream)
{
	const rbl_mesh_data *data = &work->data;
	if (!work->quantized)
		return stream;
	if (stream == RBL_GLB_POSITION)
		return RBL_GLB_POSITION16;
	if (stream == RBL_GLB_NORMAL)
		return RBL_GLB_NORMAL8;
	if (stream == RBL_GLB_COLOR)
		return RBL_GLB_COLOR8;
	if ((stream == RBL_GLB_UV0 && are_within_one(data->corner_uv0, data->corner_count)) ||
	    (stream == RBL_GLB_UV1 && are_within_one(data->corner_uv1, data->corner_count)))
		return RBL_GLB_UV16;
	int most = 0;
	for (int v = 0; stream == RBL_GLB_APART && v < data->vertex_count; ++v)
		most = work->aparts[v] > most ? work->aparts[v] : most;
	return stream == RBL_GLB_APART && most < 256 ? RBL_GLB_APART8 : stream;
}

// One attribute of all vertices of a mesh, named in the primitive's JSON.
static void put_attribute(rbl_glb_writer *writer, const mesh_work *work, rbl_io_output *json,
                          rbl_glb_stream stream, const char *name)
{
	const rbl_mesh_data *data = &work->data;
	rbl_glb_stream kind = stream;
	stream = quantized_stream(work, stream);
	rbl_io_output *output = &writer->data[stream];
	int first = work->before ? work->before_count : 0; // they are just before in the stream
	int index = rbl_glb_add_accessor(writer, stream, work->vertex_count);
	if (index >= 0)
		writer->accessors.data[index].offset -= (size_t)first * QUANTIZED_POSITION_SIZE;
	for (int v = first; v < work->vertex_count; ++v) {
		int c = work->corners[v - first], width = 3;
		rbl_vec3d p = data->positions[data->corner_vertices[c]];
		rbl_vec3 vector = { (float)p.x, (float)p.y, (float)p.z };
		rbl_vec2 uv;
		rbl_vec4 color;
		float values[4] = { 0.0f };
		switch (kind) {
		case RBL_GLB_POSITION:
		case RBL_GLB_NORMAL:
			if (kind == RBL_GLB_NORMAL)
				vector = unit_normal(data->corner_normals[c]);
			values[0] = vector.x, values[1] = vector.y, values[2] = vector.z;
			break;
		case RBL_GLB_UV0:
		case RBL_GLB_UV1:
			uv = (kind == RBL_GLB_UV0 ? data->corner_uv0 : data->corner_uv1)[c];
			values[0] = uv.x, values[1] = uv.y, width = 2;
			break;
		case RBL_GLB_APART:
			values[0] = work->has_aparts ? (float)work->aparts[data->corner_vertices[c]] : 0.0f;
			width = 1;
			break;
		default:
			color = data->corner_colors[c], width = 4;
			values[0] = rbl_glb_clamp(color.x), values[1] = rbl_glb_clamp(color.y);
			values[2] = rbl_glb_clamp(color.z), values[3] = rbl_glb_clamp(color.w);
		}
		if (stream == kind)
			put_floats(output, values, width);
		else
			put_quantized(output, stream, work, p, values);
	}
	if (kind == RBL_GLB_POSITION)
		rbl_glb_set_bounds(writer, index, 3);
	rbl_io_put_format(json, "\"%s\":%d,", name, index);
}

// Validators demand unit tangents with a sign; those that point nowhere point along x.
static void unit_tangent(const float *from, float *to)
{
	double x = (double)from[0], y = (double)from[1], z = (double)from[2];
	double length = sqrt(x * x + y * y + z * z);
	to[0] = length > 0.0 ? from[0] : 1.0f, to[1] = from[1], to[2] = from[2];
	for (int k = 0; k < 3 && length > 0.0 && fabs(length - 1.0) > 1e-5; ++k)
		to[k] = (float)((double)from[k] / length);
	to[3] = from[3] < 0.0f ? -1.0f : 1.0f;
}

// The further attributes of all vertices.
static void put_further(rbl_glb_writer *writer, mesh_work *work, rbl_io_output *json)
{
	const rbl_mesh_data *data = &work->data;
	int offset = 0;
	work->tangents = -1;
	for (int i = 0; i < data->attribute_count; offset += data->attributes[i++].width) {
		const rbl_mesh_attribute *one = &data->attributes[i];
		bool is_tangent = strcmp(one->name, "TANGENT") == 0 && one->width == 4;
		bool is_color = strncmp(one->name, "COLOR_", 6) == 0;
		if (is_tangent && (!data->corner_normals || (work->quantized && work->quantized->is_flat)))
			continue; // tangents need normals
		rbl_glb_stream stream = (rbl_glb_stream)(RBL_GLB_FURTHER1 + one->width - 1);
		if (work->quantized && is_tangent)
			stream = RBL_GLB_TANGENT8;
		int index = rbl_glb_add_accessor(writer, stream, work->vertex_count);
		for (int v = 0; v < work->vertex_count; ++v) {
			const float *values = data->corner_attributes +
			                      (size_t)work->corners[v] * (size_t)data->attribute_width + offset;
			float changed[4];
			if (is_tangent)
				unit_tangent(values, changed);
			for (int k = 0; is_color && k < one->width; ++k)
				changed[k] = rbl_glb_clamp(values[k]);
			values = is_tangent || is_color ? changed : values;
			if (stream == RBL_GLB_TANGENT8)
				put_quantized(&writer->data[stream], stream, work, data->positions[0], values);
			else
				put_floats(&writer->data[stream], values, one->width);
		}
		if (is_tangent) { // of the primitives that have some
			work->tangents = index, work->tangent_offset = offset, work->tangent_place = json->size;
			continue;
		}
		rbl_glb_put_string(json, one->name);
		rbl_io_put_format(json, ":%d,", index);
	}
}

static int slot_of(const mesh_work *work, const int *slots, int triangle)
{
	return slots[work->data.face_materials ? work->data.face_materials[work->faces[triangle]] : 0];
}

// Whether triangles have tangents that point somewhere.
static bool have_tangents(const mesh_work *work, const int *triangles, int triangle_count)
{
	for (int i = 0; work->tangents >= 0 && i < triangle_count; ++i)
		for (int k = 0; k < 3; ++k) {
			const float *t =
				work->data.corner_attributes + work->tangent_offset +
				(size_t)work->triangles[3 * triangles[i] + k] * (size_t)work->data.attribute_width;
			if (t[0] != 0.0f || t[1] != 0.0f || t[2] != 0.0f)
				return true;
		}
	return false;
}

// The triangles of one material.
static void put_primitive(rbl_glb_writer *writer, const mesh_work *work,
                          const rbl_io_output *attributes, const int *triangles, int triangle_count,
                          int material, const rbl_scene_slot *slot)
{
	rbl_io_output *json = &writer->meshes;
	rbl_glb_stream stream = work->quantized && work->vertex_count < 255 ? RBL_GLB_INDEX8
	                        : work->vertex_count < 65535                ? RBL_GLB_INDEX16
	                                                                    : RBL_GLB_INDEX32;
	int index = rbl_glb_add_accessor(writer, stream, 3 * triangle_count);
	for (int i = 0; i < triangle_count; ++i) {
		for (int k = 0; k < 3; ++k) {
			int vertex = work->vertices[work->triangles[3 * triangles[i] + k]];
			unsigned char byte = (unsigned char)vertex;
			if (stream == RBL_GLB_INDEX8)
				rbl_io_put(&writer->data[stream], &byte, 1);
			else if (stream == RBL_GLB_INDEX16)
				rbl_io_put_u16(&writer->data[stream], (uint16_t)vertex);
			else
				rbl_io_put_u32(&writer->data[stream], (uint32_t)vertex);
		}
	}
	rbl_io_put_text(json, "{\"attributes\":{");
	size_t before = work->tangents >= 0 ? work->tangent_place : attributes->size;
	rbl_io_put(json, attributes->data, before);
	if (have_tangents(work, triangles, triangle_count))
		rbl_io_put_format(json, "\"TANGENT\":%d,", work->tangents);
	rbl_io_put(json, attributes->data + before, attributes->size - before);
	rbl_glb_close(json, "}");
	rbl_io_put_format(json, ",\"indices\":%d", index);
	if (material >= 0)
		rbl_io_put_format(json, ",\"material\":%d", material);
	rbl_io_put_text(json, ",");
	if (slot) {
		rbl_glb_put_member(json, "extensions", slot->extensions);
		rbl_glb_put_member(json, "extras", slot->extras);
	}
	rbl_glb_close(json, "},");
}

// Whether faces of a material are a primitive of their own.
static bool has_slot(const mesh_work *work, int material)
{
	return work->slots && (work->slots[material].extensions || work->slots[material].extras);
}

// One primitive for each material that is used, its triangles in the order of the mesh.
static bool put_primitives(rbl_glb_writer *writer, const mesh_work *work,
                           const rbl_io_output *attributes, int material_offset)
{
	rbl_io_memory *memory = &writer->memory;
	int count = work->data.material_count > 0 ? work->data.material_count : 1;
	int *ends = RBL_IO_NEW(memory, int, (size_t)count + 1);
	int *order = RBL_IO_NEW(memory, int, work->triangle_count);
	int *slots = RBL_IO_NEW(memory, int, count); // the first that is the same in the file
	const int *numbers = writer->material_numbers.data;
	bool is_good = ends && order && slots;
	for (int m = 0; m < count && is_good; ++m)
		for (slots[m] = has_slot(work, m) ? m : 0; slots[m] < m; ++slots[m])
			if (numbers[material_offset + slots[m]] == numbers[material_offset + m] &&
			    !has_slot(work, slots[m]))
				break;
	if (is_good) {
		memset(ends, 0, ((size_t)count + 1) * sizeof *ends);
		for (int i = 0; i < work->triangle_count; ++i)
			ends[slot_of(work, slots, i) + 1]++;
		for (int m = 0; m < count; ++m)
			ends[m + 1] += ends[m];
		for (int i = 0; i < work->triangle_count; ++i)
			order[ends[slot_of(work, slots, i)]++] = i;
		for (int m = 0, begin = 0; m < count; begin = ends[m++]) {
			if (ends[m] > begin)
				put_primitive(writer, work, attributes, order + begin, ends[m] - begin,
				              work->data.material_count > 0 ? numbers[material_offset + m] : -1,
				              has_slot(work, m) ? &work->slots[m] : NULL);
		}
	}
	RBL_IO_FREE(memory, slots, count);
	RBL_IO_FREE(memory, ends, (size_t)count + 1);
	RBL_IO_FREE(memory, order, work->triangle_count);
	return is_good;
}

// Convert faces of a mesh that have triangles.
static rbl_result convert_faces(rbl_glb_writer *writer, const rbl_mesh *mesh, mesh_work *work,
                                int material_offset)
{
	const rbl_mesh_data *data = &work->data;
	if (!allocate_work(writer, work))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_mesh_triangulate(mesh, work->triangles, work->faces);
	if (result != RBL_OK)
		return result;
	if (!split_vertices(writer, work) || (!writer->is_film && !count_aparts(writer, work)))
		return writer->memory.failure;
	rbl_io_output attributes = { .memory = rbl_io_memory_of(&writer->memory.allocator) };
	put_attribute(writer, work, &attributes, RBL_GLB_POSITION, "POSITION");
	if (data->corner_normals)
		put_attribute(writer, work, &attributes, RBL_GLB_NORMAL, "NORMAL");
	if (data->corner_uv0)
		put_attribute(writer, work, &attributes, RBL_GLB_UV0, "TEXCOORD_0");
	if (data->corner_uv1) // sets are numbered without gaps
		put_attribute(writer, work, &attributes, RBL_GLB_UV1,
		              data->corner_uv0 ? "TEXCOORD_1" : "TEXCOORD_0");
	if (data->corner_colors)
		put_attribute(writer, work, &attributes, RBL_GLB_COLOR, "COLOR_0");
	put_further(writer, work, &attributes);
	if (work->has_aparts)
		put_attribute(writer, work, &attributes, RBL_GLB_APART, "_APART");
	bool is_good = attributes.memory.failure == RBL_OK &&
	               put_primitives(writer, work, &attributes, material_offset);
	rbl_io_free_output(&attributes);
	return is_good ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// Vertices of the smooth faces of a mesh, which flat ones have at the same places.
typedef struct shared_vertices {
	int *vertices; // by vertex of the mesh, -1 none
	int count;     // in the file
} shared_vertices;

static void remember_vertices(const mesh_work *work, shared_vertices *shared)
{
	for (int v = 0; v < work->data.vertex_count; ++v)
		shared->vertices[v] = -1;
	for (int c = work->data.corner_count - 1; c >= 0; --c)
		shared->vertices[work->data.corner_vertices[c]] = work->vertices[c];
	shared->count = work->vertex_count;
}

// Convert a mesh, or faces of it, that has triangles.
// @param shared  receives vertices if it has none, or has those of the part before; or NULL
static rbl_result convert_part(rbl_glb_writer *writer, const rbl_mesh *mesh,
                               const rbl_glb_quantized *quantized, const rbl_scene_slot *slots,
                               int material_offset, shared_vertices *shared)
{
	mesh_work work = { .data = rbl_mesh_get_data(mesh),
		               .triangle_count = rbl_mesh_triangle_count(mesh),
		               .quantized = quantized,
		               .slots = slots };
	if (quantized && quantized->is_flat)
		work.data.corner_normals = NULL;
	work.row_size = sizeof(int) + (work.data.corner_normals ? sizeof(rbl_vec3) : 0) +
	                (work.data.corner_uv0 ? sizeof(rbl_vec2) : 0) +
	                (work.data.corner_uv1 ? sizeof(rbl_vec2) : 0) +
	                (work.data.corner_colors ? sizeof(rbl_vec4) : 0) +
	                (size_t)work.data.attribute_width * sizeof(float);
	if (shared && shared->count > 0 && work.row_size == sizeof(int) && writer->is_film)
		work.before = shared->vertices, work.before_count = shared->count;
	rbl_result result = convert_faces(writer, mesh, &work, material_offset);
	if (shared && shared->count == 0 && result == RBL_OK)
		remember_vertices(&work, shared);
	free_work(writer, &work);
	return result;
}

// Smooth faces, and then those that need no normals.
static rbl_result convert_split(rbl_glb_writer *writer, const rbl_mesh *mesh,
                                const rbl_glb_quantized *quantized, const rbl_scene_slot *slots,
                                int material_offset)
{
	int vertex_count = rbl_mesh_get_data(mesh).vertex_count;
	shared_vertices shared = { .vertices = RBL_IO_NEW(&writer->memory, int, vertex_count) };
	rbl_result result = shared.vertices ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < 2 && result == RBL_OK; ++i) {
		rbl_mesh *part;
		result = rbl_glb_pick_faces(writer, mesh, i == 1, &part);
		if (result == RBL_OK)
			result = convert_part(writer, part, quantized, slots, material_offset, &shared);
		rbl_destroy_mesh(part);
	}
	RBL_IO_FREE(&writer->memory, shared.vertices, vertex_count);
	return result;
}

static rbl_result convert_mesh(rbl_glb_writer *writer, int index, int material_offset)
{
	const rbl_mesh *mesh = writer->scene->meshes[index];
	const rbl_glb_quantized *quantized = writer->quantized ? &writer->quantized[index] : NULL;
	const rbl_scene_label *label =
		writer->scene->mesh_labels ? &writer->scene->mesh_labels[index] : NULL;
	rbl_io_put_text(&writer->meshes, "{");
	if (label) {
		rbl_glb_put_name(&writer->meshes, label->name);
		rbl_glb_put_member(&writer->meshes, "extras", label->extras);
	}
	rbl_io_put_text(&writer->meshes, "\"primitives\":[");
	const rbl_scene_slot *slots = label ? label->slots : NULL;
	rbl_result result = quantized && quantized->is_split
	                        ? convert_split(writer, mesh, quantized, slots, material_offset)
	                        : convert_part(writer, mesh, quantized, slots, material_offset, NULL);
	rbl_glb_close(&writer->meshes, "]},");
	return result;
}

rbl_result rbl_glb_convert_meshes(rbl_glb_writer *writer)
{
	int material_offset = 0;
	for (int m = 0; m < writer->scene->mesh_count; ++m) {
		const rbl_mesh *mesh = writer->scene->meshes[m];
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		int number = rbl_mesh_triangle_count(mesh) > 0 ? writer->mesh_count++ : -1;
		rbl_result result = rbl_io_check_floats(&data);
		if (result == RBL_OK && !rbl_io_push(&writer->memory, &writer->mesh_numbers, number))
			result = RBL_OUT_OF_MEMORY;
		if (result == RBL_OK && number >= 0)
			result = convert_mesh(writer, m, material_offset);
		if (result != RBL_OK)
			return result;
		material_offset += data.material_count;
	}
	return RBL_OK;
}
