// SPDX-License-Identifier: MIT
//
// Wavefront OBJ: v (with colours), vt, vn, f (polygons, negative indices), usemtl, mtllib. Other
// statements are ignored. Faces may refer to vertices later in the file, as some programs write
// them; so indices are checked at the end, and the line of an error is searched then. Otherwise the
// file is read in one pass.

#include "io/io.h"
#include "io/tokenizer.h"

#include <math.h>

typedef struct obj_reader {
	rbl_io_source *source;
	const char *at, *end;
	RBL_IO_ARRAY(rbl_vec2) uvs;
	RBL_IO_ARRAY(rbl_vec3) normals;
	RBL_IO_ARRAY(int) corner_uvs, corner_normals; // -1 for none; empty until the first appears
	int material;                                 // of the next faces, -1 before the first usemtl
	int *material_slots;     // hash table of material indices by name, -1 for empty
	int material_slot_count; // a power of two, at least twice the materials
} obj_reader;

// Skip blanks, and line ends after a backslash.
static void skip(obj_reader *reader)
{
	const char *at = reader->at, *end = reader->end;
	for (;;) {
		while (at < end && rbl_io_is_blank(*at))
			++at;
		if (at == end || *at != '\\')
			break;
		const char *next = at + 1;
		while (next < end && *next == '\r')
			++next;
		if (next == end || *next != '\n')
			break;
		at = next + 1;
	}
	reader->at = at;
}

static bool at_line_end(const obj_reader *reader)
{
	return reader->at == reader->end || *reader->at == '\n' || *reader->at == '#';
}

// Up to `capacity` numbers of this line. @return how many there are, or -1.
static int read_numbers(obj_reader *reader, double *numbers, int capacity)
{
	for (int count = 0;; ++count) {
		skip(reader);
		if (count == capacity || at_line_end(reader))
			return count;
		if (!rbl_io_parse_double(&reader->at, reader->end, &numbers[count]))
			return -1;
	}
}

static rbl_result read_vertex(obj_reader *reader)
{
	rbl_io_source *source = reader->source;
	double n[7];
	const char *start = reader->at;
	int count = read_numbers(reader, n, 7);
	if (count < 3)
		return rbl_io_fail_line(source, start, "a vertex needs three numbers");
	if (!rbl_io_push(&source->memory, &source->mesh.positions, ((rbl_vec3d){ n[0], n[1], n[2] })))
		return rbl_io_out_of_memory(reader->source);
	if (count < 6) // a fourth is a weight, used by curves only
		return RBL_OK;
	// Vertices without a colour are white.
	int index = source->mesh.positions.count - 1;
	while (source->mesh.vertex_colors.count < index) {
		if (!rbl_io_push(&source->memory, &source->mesh.vertex_colors,
		                 ((rbl_vec4){ 1.0f, 1.0f, 1.0f, 1.0f })))
			return rbl_io_out_of_memory(reader->source);
	}
	rbl_vec4 color = { (float)n[3], (float)n[4], (float)n[5], 1.0f };
	if (!rbl_io_push(&source->memory, &source->mesh.vertex_colors, color))
		return rbl_io_out_of_memory(reader->source);
	return RBL_OK;
}

static rbl_result read_normal(obj_reader *reader)
{
	double n[3];
	const char *start = reader->at;
	if (read_numbers(reader, n, 3) < 3)
		return rbl_io_fail_line(reader->source, start, "a normal needs three numbers");
	rbl_vec3 normal = { (float)n[0], (float)n[1], (float)n[2] };
	if (!rbl_io_push(&reader->source->memory, &reader->normals, normal))
		return rbl_io_out_of_memory(reader->source);
	return RBL_OK;
}

static rbl_result read_uv(obj_reader *reader)
{
	double n[3] = { 0 };
	const char *start = reader->at;
	if (read_numbers(reader, n, 3) < 1)
		return rbl_io_fail_line(reader->source, start, "a texture coordinate needs a number");
	rbl_vec2 uv = { (float)n[0], (float)n[1] };
	if (!rbl_io_push(&reader->source->memory, &reader->uvs, uv))
		return rbl_io_out_of_memory(reader->source);
	return RBL_OK;
}

// --- faces -----------------------------------------------------------------------------------

// Convert an index of the file (from 1, or negative from the end) to one that starts at 0.
static bool read_index(obj_reader *reader, int count, int *index)
{
	const char *at = reader->at, *end = reader->end;
	// Fast path: a few digits without sign.
	int64_t n = 0;
	const char *digits = at;
	while (at < end && (unsigned char)(*at - '0') < 10 && at - digits < 10)
		n = n * 10 + (*at++ - '0');
	if (at == digits || at - digits == 10) {
		at = digits;
		if (!rbl_io_parse_int(&at, end, &n))
			return false;
	}
	if (n < 0)
		n += (int64_t)count + 1;
	if (n < 1 || n > RBL_MAX_MESH_ITEMS)
		return false;
	reader->at = at;
	*index = (int)n - 1;
	return true;
}

// Add an optional index of the last corner; earlier corners get -1 when the first appears.
#define KEEP_INDEX(reader, array, corner, index)                       \
	do {                                                               \
		if ((index) < 0 && (array)->count == 0)                        \
			break;                                                     \
		while ((array)->count < (corner)) {                            \
			if (!rbl_io_push(&(reader)->source->memory, (array), -1))  \
				return rbl_io_out_of_memory(reader->source);           \
		}                                                              \
		if (!rbl_io_push(&(reader)->source->memory, (array), (index))) \
			return rbl_io_out_of_memory(reader->source);               \
	} while (0)

// One corner: v, v/vt, v//vn or v/vt/vn.
static rbl_result read_corner(obj_reader *reader)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int vertex, uv = -1, normal = -1;
	bool is_good = read_index(reader, mesh->positions.count, &vertex);
	if (is_good && reader->at < reader->end && *reader->at == '/') {
		reader->at++;
		if (reader->at < reader->end && *reader->at != '/')
			is_good = read_index(reader, reader->uvs.count, &uv);
		if (is_good && reader->at < reader->end && *reader->at == '/') {
			reader->at++;
			is_good = read_index(reader, reader->normals.count, &normal);
		}
	}
	if (!is_good)
		return rbl_io_fail_line(source, reader->at, "not an index of a corner");
	int corner = mesh->corners.count;
	if (!rbl_io_push(&source->memory, &mesh->corners, vertex))
		return rbl_io_out_of_memory(reader->source);
	KEEP_INDEX(reader, &reader->corner_uvs, corner, uv);
	KEEP_INDEX(reader, &reader->corner_normals, corner, normal);
	return RBL_OK;
}

static rbl_result read_face(obj_reader *reader)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	const char *start = reader->at;
	int first = mesh->corners.count;
	if (!rbl_io_begin_face(source))
		return rbl_io_out_of_memory(reader->source);
	for (skip(reader); !at_line_end(reader); skip(reader)) {
		rbl_result result = read_corner(reader);
		if (result != RBL_OK)
			return result;
	}
	if (mesh->corners.count - first < 3)
		return rbl_io_fail_line(source, start, "a face of %d corners", mesh->corners.count - first);
	if (reader->material < 0)
		return RBL_OK;
	// Faces before the first usemtl have the first material.
	while (mesh->face_materials.count + 1 < mesh->face_starts.count) {
		if (!rbl_io_push(&source->memory, &mesh->face_materials, 0))
			return rbl_io_out_of_memory(reader->source);
	}
	if (!rbl_io_push(&source->memory, &mesh->face_materials, reader->material))
		return rbl_io_out_of_memory(reader->source);
	return RBL_OK;
}

// --- materials -------------------------------------------------------------------------------

// The rest of the line without blanks at its ends: names may have blanks inside.
static const char *rest_of_line(obj_reader *reader, size_t *length)
{
	skip(reader);
	const char *begin = reader->at;
	const char *end = rbl_io_next_line(begin, reader->end);
	reader->at = begin;
	while (end > begin && rbl_io_is_space(end[-1]))
		--end;
	*length = (size_t)(end - begin);
	return begin;
}

static int material_slot(const obj_reader *reader, const char *name)
{
	uint32_t hash = 2166136261u;
	for (const char *c = name; *c; ++c)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	int slot = (int)(hash & (uint32_t)(reader->material_slot_count - 1));
	const rbl_mesh_material *materials = reader->source->mesh.materials.data;
	while (reader->material_slots[slot] >= 0 &&
	       strcmp(materials[reader->material_slots[slot]].name, name) != 0)
		slot = (slot + 1) & (reader->material_slot_count - 1);
	return slot;
}

static bool grow_material_slots(obj_reader *reader)
{
	rbl_io_memory *memory = &reader->source->memory;
	int count = reader->material_slot_count ? 2 * reader->material_slot_count : 16;
	int *slots = RBL_IO_NEW(memory, int, count);
	if (!slots)
		return false;
	memset(slots, 0xff, (size_t)count * sizeof *slots);
	RBL_IO_FREE(memory, reader->material_slots, reader->material_slot_count);
	reader->material_slots = slots;
	reader->material_slot_count = count;
	for (int m = 0; m < reader->source->mesh.materials.count; ++m)
		slots[material_slot(reader, reader->source->mesh.materials.data[m].name)] = m;
	return true;
}

// Find or add a material by name. @return its index, or -1 when memory runs out
static int find_material(obj_reader *reader, const char *name, size_t length)
{
	rbl_io_source *source = reader->source;
	rbl_mesh_material material = rbl_io_default_material(name, length);
	if (source->mesh.materials.count * 2 >= reader->material_slot_count &&
	    !grow_material_slots(reader))
		return -1;
	int slot = material_slot(reader, material.name);
	if (reader->material_slots[slot] >= 0)
		return reader->material_slots[slot];
	if (!rbl_io_push(&source->memory, &source->mesh.materials, material))
		return -1;
	return reader->material_slots[slot] = source->mesh.materials.count - 1;
}

// One statement of a material library about `material`.
static void read_material_line(obj_reader *reader, const char *word, const char *word_end,
                               rbl_mesh_material *material)
{
	double n[3];
	int count = read_numbers(reader, n, 3);
	if (count < 1)
		return;
	if (rbl_io_is_word(word, word_end, "Kd") && count == 3)
		material->base_color =
			(rbl_vec4){ (float)n[0], (float)n[1], (float)n[2], material->base_color.w };
	else if (rbl_io_is_word(word, word_end, "d"))
		material->base_color.w = (float)n[0];
	else if (rbl_io_is_word(word, word_end, "Tr"))
		material->base_color.w = (float)(1.0 - n[0]);
	else if (rbl_io_is_word(word, word_end, "Pm"))
		material->metallic = (float)n[0];
	else if (rbl_io_is_word(word, word_end, "Pr"))
		material->roughness = (float)n[0];
	else if (rbl_io_is_word(word, word_end, "Ns") && n[0] >= 0.0)
		material->roughness =
			(float)sqrt(2.0 / (n[0] + 2.0)); // the usual conversion from the specular exponent
}

// A material library: each newmtl adds or completes a material.
static rbl_result read_library(obj_reader *reader, const char *begin, const char *end)
{
	rbl_io_source *source = reader->source;
	obj_reader library = { .source = source, .at = begin, .end = end };
	int material = -1;
	for (; library.at < end; library.at = rbl_io_next_line(library.at, end)) {
		skip(&library);
		const char *word = library.at, *word_end = rbl_io_word_end(word, end);
		library.at = word_end;
		if (rbl_io_is_word(word, word_end, "newmtl")) {
			size_t length;
			const char *name = rest_of_line(&library, &length);
			material = find_material(reader, name, length);
			if (material < 0)
				return rbl_io_out_of_memory(source);
		} else if (material >= 0) {
			read_material_line(&library, word, word_end, &source->mesh.materials.data[material]);
		}
	}
	return RBL_OK;
}

// A missing library is only a warning.
static rbl_result read_mtllib(obj_reader *reader)
{
	size_t length;
	const char *name = rest_of_line(reader, &length);
	if (!reader->source->folder || length == 0)
		return RBL_OK;
	rbl_io_output bytes;
	rbl_result result =
		rbl_io_read_referenced(reader->source, name, length, RBL_LOG_WARNING, &bytes);
	if (result != RBL_OK)
		return result == RBL_OUT_OF_MEMORY || result == RBL_LIMIT_REACHED ? result : RBL_OK;
	result = read_library(reader, (const char *)bytes.data, (const char *)bytes.data + bytes.size);
	rbl_io_free_output(&bytes);
	return result;
}

static rbl_result read_other(obj_reader *reader)
{
	const char *word = reader->at, *word_end = rbl_io_word_end(word, reader->end);
	reader->at = word_end;
	if (rbl_io_is_word(word, word_end, "mtllib"))
		return read_mtllib(reader);
	if (!rbl_io_is_word(word, word_end, "usemtl"))
		return RBL_OK;
	size_t length;
	const char *name = rest_of_line(reader, &length);
	reader->material = find_material(reader, name, length);
	return reader->material < 0 ? rbl_io_out_of_memory(reader->source) : RBL_OK;
}

// --- statements -------------------------------------------------------------------------------

// The statement at reader->at, which is not a blank.
static rbl_result read_statement(obj_reader *reader)
{
	const char *at = reader->at;
	if (reader->end - at >= 3) {
		if (at[0] == 'v' && rbl_io_is_blank(at[1])) {
			reader->at += 2;
			return read_vertex(reader);
		}
		if (at[0] == 'f' && rbl_io_is_blank(at[1])) {
			reader->at += 2;
			return read_face(reader);
		}
		if (at[0] == 'v' && at[1] == 'n' && rbl_io_is_blank(at[2])) {
			reader->at += 3;
			return read_normal(reader);
		}
		if (at[0] == 'v' && at[1] == 't' && rbl_io_is_blank(at[2])) {
			reader->at += 3;
			return read_uv(reader);
		}
	}
	return read_other(reader);
}

// The start of the line with the given face.
static const char *find_face(const rbl_io_source *source, int face)
{
	for (const char *at = source->begin; at < source->end;) {
		const char *word = rbl_io_skip_blanks(at, source->end);
		if (source->end - word >= 3 && word[0] == 'f' && rbl_io_is_blank(word[1]) && face-- == 0)
			return word;
		at = rbl_io_next_line(at, source->end);
	}
	return source->begin;
}

static rbl_result check_corner(obj_reader *reader, int corner, const char *what, int index,
                               int count)
{
	if (index < count)
		return RBL_OK;
	const rbl_io_mesh_builder *mesh = &reader->source->mesh;
	int face = 0;
	while (face + 1 < mesh->face_starts.count && mesh->face_starts.data[face + 1] <= corner)
		++face;
	return rbl_io_fail_line(reader->source, find_face(reader->source, face),
	                        "%s %d, and there are %d", what, index + 1, count);
}

// Check all indices, and resolve attributes of corners.
static rbl_result finish(obj_reader *reader)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int count = mesh->corners.count;
	bool has_uvs = reader->corner_uvs.count > 0, has_normals = reader->corner_normals.count > 0;
	if ((has_uvs && !rbl_io_reserve(&source->memory, &mesh->corner_uv0, count)) ||
	    (has_normals && !rbl_io_reserve(&source->memory, &mesh->corner_normals, count)))
		return rbl_io_out_of_memory(reader->source);
	while (mesh->vertex_colors.count > 0 && mesh->vertex_colors.count < mesh->positions.count) {
		if (!rbl_io_push(&source->memory, &mesh->vertex_colors,
		                 ((rbl_vec4){ 1.0f, 1.0f, 1.0f, 1.0f })))
			return rbl_io_out_of_memory(reader->source);
	}
	for (int c = 0; c < count; ++c) {
		int uv = c < reader->corner_uvs.count ? reader->corner_uvs.data[c] : -1;
		int normal = c < reader->corner_normals.count ? reader->corner_normals.data[c] : -1;
		rbl_result result =
			check_corner(reader, c, "vertex", mesh->corners.data[c], mesh->positions.count);
		if (result == RBL_OK)
			result = check_corner(reader, c, "texture coordinate", uv, reader->uvs.count);
		if (result == RBL_OK)
			result = check_corner(reader, c, "normal", normal, reader->normals.count);
		if (result != RBL_OK)
			return result;
		if (has_uvs)
			mesh->corner_uv0.data[c] = uv < 0 ? (rbl_vec2){ 0 } : reader->uvs.data[uv];
		if (has_normals)
			mesh->corner_normals.data[c] =
				normal < 0 ? (rbl_vec3){ 0 } : reader->normals.data[normal];
	}
	mesh->corner_uv0.count = has_uvs ? count : 0;
	mesh->corner_normals.count = has_normals ? count : 0;
	return RBL_OK;
}

rbl_result rbl_io_read_obj(rbl_io_source *source)
{
	obj_reader reader = { .source = source, .at = source->begin, .end = source->end };
	reader.material = -1;
	rbl_result result = RBL_OK;
	while (result == RBL_OK && reader.at < reader.end) {
		skip(&reader);
		if (!at_line_end(&reader))
			result = read_statement(&reader);
		reader.at = rbl_io_next_line(reader.at, reader.end);
	}
	if (result == RBL_OK)
		result = finish(&reader);
	rbl_io_free(&source->memory, &reader.uvs);
	rbl_io_free(&source->memory, &reader.normals);
	rbl_io_free(&source->memory, &reader.corner_uvs);
	rbl_io_free(&source->memory, &reader.corner_normals);
	RBL_IO_FREE(&source->memory, reader.material_slots, reader.material_slot_count);
	return result;
}
