// SPDX-License-Identifier: MIT
//
// PLY: ascii and binary of both byte orders. The elements `vertex`, `face` and `tristrips` are
// read, and of their properties those with a role in the table below; all others are skipped.
// Elements may come in any order.
//
// The header gives the number of rows. Rows have a minimum size, so a count that the rest of the
// file cannot hold is refused before anything is allocated.

#include "io/io.h"
#include "io/tokenizer.h"

typedef enum number_type { I8, U8, I16, U16, I32, U32, F32, F64 } number_type;

static const struct {
	const char *name, *other_name;
	int size;
	double largest; // value of a color channel of this type
} number_types[] = {
	[I8] = { "char", "int8", 1, 127.0 },      [U8] = { "uchar", "uint8", 1, 255.0 },
	[I16] = { "short", "int16", 2, 32767.0 }, [U16] = { "ushort", "uint16", 2, 65535.0 },
	[I32] = { "int", "int32", 4, 1.0 },       [U32] = { "uint", "uint32", 4, 1.0 },
	[F32] = { "float", "float32", 4, 1.0 },   [F64] = { "double", "float64", 8, 1.0 },
};

// What a property is for. The first ones are indices into a row of numbers.
typedef enum role {
	ROLE_X,
	ROLE_Y,
	ROLE_Z,
	ROLE_NX,
	ROLE_NY,
	ROLE_NZ,
	ROLE_U,
	ROLE_V,
	ROLE_RED,
	ROLE_GREEN,
	ROLE_BLUE,
	ROLE_ALPHA,
	ROLE_COUNT, // also used for no role
	ROLE_INDICES,
	ROLE_TEXCOORD,
} role;

static const struct {
	const char *name;
	role role;
	bool is_list;
} roles[] = {
	{ "x", ROLE_X, false },
	{ "y", ROLE_Y, false },
	{ "z", ROLE_Z, false },
	{ "nx", ROLE_NX, false },
	{ "ny", ROLE_NY, false },
	{ "nz", ROLE_NZ, false },
	{ "u", ROLE_U, false },
	{ "v", ROLE_V, false },
	{ "s", ROLE_U, false },
	{ "t", ROLE_V, false },
	{ "texture_u", ROLE_U, false },
	{ "texture_v", ROLE_V, false },
	{ "red", ROLE_RED, false },
	{ "green", ROLE_GREEN, false },
	{ "blue", ROLE_BLUE, false },
	{ "alpha", ROLE_ALPHA, false },
	{ "diffuse_red", ROLE_RED, false },
	{ "diffuse_green", ROLE_GREEN, false },
	{ "diffuse_blue", ROLE_BLUE, false },
	{ "vertex_indices", ROLE_INDICES, true },
	{ "vertex_index", ROLE_INDICES, true },
	{ "texcoord", ROLE_TEXCOORD, true },
};

typedef struct property {
	role role;
	bool is_list;
	number_type count_type, type;
} property;

typedef enum element_kind {
	ELEMENT_OTHER,
	ELEMENT_VERTEX,
	ELEMENT_FACE,
	ELEMENT_STRIPS
} element_kind;

typedef struct element {
	element_kind kind;
	int64_t count;
	int first_property, property_count;
} element;

typedef enum encoding { ASCII, LITTLE_ENDIAN, BIG_ENDIAN } encoding;

typedef struct ply_reader {
	rbl_io_source *source;
	const char *at, *end;
	encoding encoding;
	RBL_IO_ARRAY(property) properties;
	RBL_IO_ARRAY(element) elements;
	RBL_IO_ARRAY(double) indices, texcoords; // the lists of one row
} ply_reader;

static rbl_result fail_here(ply_reader *reader, const char *reason)
{
	if (reader->encoding == ASCII)
		return rbl_io_fail_line(reader->source, reader->at, "%s", reason);
	return rbl_io_fail_offset(reader->source, reader->at, "%s", reason);
}

// --- header ----------------------------------------------------------------------------------

// The next word of the line that ends at `end`; empty at its end.
static const char *next_word(const char **at, const char *end, const char **word_end)
{
	const char *word = rbl_io_skip_blanks(*at, end);
	*word_end = *at = rbl_io_word_end(word, end);
	return word;
}

static bool find_type(const char *word, const char *end, number_type *type)
{
	for (size_t i = 0; i < sizeof number_types / sizeof number_types[0]; ++i) {
		if (rbl_io_is_word(word, end, number_types[i].name) ||
		    rbl_io_is_word(word, end, number_types[i].other_name)) {
			*type = (number_type)i;
			return true;
		}
	}
	return false;
}

static rbl_result read_property(ply_reader *reader, const char *at, const char *line_end)
{
	rbl_io_source *source = reader->source;
	property made = { .role = ROLE_COUNT };
	const char *end, *word = next_word(&at, line_end, &end);
	if (reader->elements.count == 0)
		return rbl_io_fail_line(source, word, "a property before the first element");
	if (rbl_io_is_word(word, end, "list")) {
		made.is_list = true;
		word = next_word(&at, line_end, &end);
		if (!find_type(word, end, &made.count_type))
			return rbl_io_fail_line(source, word, "an unknown type of number");
		word = next_word(&at, line_end, &end);
	}
	if (!find_type(word, end, &made.type))
		return rbl_io_fail_line(source, word, "an unknown type of number");
	word = next_word(&at, line_end, &end);
	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; ++i) {
		if (roles[i].is_list == made.is_list && rbl_io_is_word(word, end, roles[i].name))
			made.role = roles[i].role;
	}
	if (!rbl_io_push(&source->memory, &reader->properties, made))
		return rbl_io_out_of_memory(reader->source);
	reader->elements.data[reader->elements.count - 1].property_count++;
	return RBL_OK;
}

static rbl_result read_element(ply_reader *reader, const char *at, const char *line_end)
{
	const char *end, *word = next_word(&at, line_end, &end);
	element made = { .first_property = reader->properties.count };
	if (rbl_io_is_word(word, end, "vertex"))
		made.kind = ELEMENT_VERTEX;
	else if (rbl_io_is_word(word, end, "face"))
		made.kind = ELEMENT_FACE;
	else if (rbl_io_is_word(word, end, "tristrips"))
		made.kind = ELEMENT_STRIPS;
	at = rbl_io_skip_blanks(at, line_end);
	if (!rbl_io_parse_int(&at, line_end, &made.count) || made.count < 0)
		return rbl_io_fail_line(reader->source, word, "an element needs a name and a count");
	if (!rbl_io_push(&reader->source->memory, &reader->elements, made))
		return rbl_io_out_of_memory(reader->source);
	return RBL_OK;
}

static rbl_result read_ply_format(ply_reader *reader, const char *at, const char *line_end)
{
	const char *end, *word = next_word(&at, line_end, &end);
	if (rbl_io_is_word(word, end, "ascii"))
		reader->encoding = ASCII;
	else if (rbl_io_is_word(word, end, "binary_little_endian"))
		reader->encoding = LITTLE_ENDIAN;
	else if (rbl_io_is_word(word, end, "binary_big_endian"))
		reader->encoding = BIG_ENDIAN;
	else
		return rbl_io_fail_line(reader->source, word, "an unknown format");
	return RBL_OK;
}

static rbl_result read_ply_header(ply_reader *reader)
{
	rbl_io_source *source = reader->source;
	bool has_format = false;
	for (int line = 0; reader->at < reader->end; ++line) {
		const char *at = reader->at;
		const char *line_end = rbl_io_next_line(at, reader->end);
		const char *end, *word = next_word(&at, line_end, &end);
		rbl_result result = RBL_OK;
		if (line == 0 && !rbl_io_is_word(word, end, "ply"))
			break;
		if (rbl_io_is_word(word, end, "format")) {
			result = read_ply_format(reader, at, line_end);
			has_format = true;
		} else if (rbl_io_is_word(word, end, "element")) {
			result = read_element(reader, at, line_end);
		} else if (rbl_io_is_word(word, end, "property")) {
			result = read_property(reader, at, line_end);
		} else if (rbl_io_is_word(word, end, "end_header")) {
			reader->at = line_end;
			if (!has_format)
				return rbl_io_fail_line(source, word, "the header names no format");
			return RBL_OK;
		}
		if (result != RBL_OK)
			return result;
		reader->at = line_end;
	}
	return rbl_io_fail_line(source, reader->at, "no header of a PLY file");
}

// --- numbers ---------------------------------------------------------------------------------

static uint64_t load_bits(const char *at, int size, encoding order)
{
	const unsigned char *bytes = (const unsigned char *)at;
	uint64_t bits = 0;
	for (int i = 0; i < size; ++i)
		bits |= (uint64_t)bytes[i] << 8 * (order == LITTLE_ENDIAN ? i : size - 1 - i);
	return bits;
}

static double number_of_bits(uint64_t bits, number_type type)
{
	uint32_t low = (uint32_t)bits;
	float single;
	double whole;
	switch (type) {
	case I8:
		return (double)(int8_t)low;
	case I16:
		return (double)(int16_t)low;
	case I32:
		return (double)(int32_t)low;
	case F32:
		memcpy(&single, &low, 4);
		return (double)single;
	case F64:
		memcpy(&whole, &bits, 8);
		return whole;
	default:
		return (double)low;
	}
}

static bool read_number(ply_reader *reader, number_type type, double *value)
{
	if (reader->encoding == ASCII) {
		const char *at = reader->at;
		while (at < reader->end && rbl_io_is_space(*at))
			++at;
		reader->at = at;
		return rbl_io_parse_double(&reader->at, reader->end, value);
	}
	int size = number_types[type].size;
	if (reader->end - reader->at < size)
		return false;
	*value = number_of_bits(load_bits(reader->at, size, reader->encoding), type);
	reader->at += size;
	return true;
}

// --- rows ------------------------------------------------------------------------------------

// The minimum size of a number; in text a digit and a separator.
static int64_t min_size(const ply_reader *reader, number_type type)
{
	return reader->encoding == ASCII ? 2 : number_types[type].size;
}

static rbl_result read_list(ply_reader *reader, const property *list)
{
	double length, value;
	if (!read_number(reader, list->count_type, &length))
		return fail_here(reader, "the file ends before the length of a list, or it is no number");
	if (!(length >= 0.0 && length * (double)min_size(reader, list->type) <=
	                           (double)(reader->end - reader->at) + 1.0))
		return fail_here(reader, "a list longer than the file");
	int count = (int)length;
	rbl_io_memory *memory = &reader->source->memory;
	for (int i = 0; i < count; ++i) {
		if (!read_number(reader, list->type, &value))
			return fail_here(reader, "a number is missing");
		if ((list->role == ROLE_INDICES && !rbl_io_push(memory, &reader->indices, value)) ||
		    (list->role == ROLE_TEXCOORD && !rbl_io_push(memory, &reader->texcoords, value)))
			return rbl_io_out_of_memory(reader->source);
	}
	return RBL_OK;
}

// Read a row of an element: numbers into `row` by role, lists into the reader's arrays.
static rbl_result read_row(ply_reader *reader, const element *of, double *row)
{
	reader->indices.count = reader->texcoords.count = 0;
	const property *properties = reader->properties.data + of->first_property;
	for (int i = 0; i < of->property_count; ++i) {
		if (properties[i].is_list) {
			rbl_result result = read_list(reader, &properties[i]);
			if (result != RBL_OK)
				return result;
			continue;
		}
		double value;
		if (!read_number(reader, properties[i].type, &value))
			return fail_here(reader, "a number is missing");
		row[properties[i].role] = value;
	}
	return RBL_OK;
}

// The roles of an element, and the divisors of colours.
static unsigned roles_of(const ply_reader *reader, const element *of, double *color_scale)
{
	unsigned found = 0;
	*color_scale = 1.0;
	for (int i = 0; i < of->property_count; ++i) {
		const property *one = &reader->properties.data[of->first_property + i];
		found |= 1u << one->role;
		if (one->role == ROLE_RED)
			*color_scale = 1.0 / number_types[one->type].largest;
	}
	return found;
}

static bool has_roles(unsigned found, role first, int count)
{
	unsigned wanted = ((1u << count) - 1) << first;
	return (found & wanted) == wanted;
}

static rbl_result read_ply_vertices(ply_reader *reader, const element *of)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	double color_scale;
	unsigned found = roles_of(reader, of, &color_scale);
	bool has_normals = has_roles(found, ROLE_NX, 3), has_uv = has_roles(found, ROLE_U, 2);
	bool has_colors = has_roles(found, ROLE_RED, 3);
	if (!has_roles(found, ROLE_X, 3))
		return fail_here(reader, "vertices without x, y and z");
	int count = (int)of->count;
	rbl_io_memory *memory = &source->memory;
	if (mesh->positions.count > 0)
		return fail_here(reader, "a second element of vertices");
	if (!rbl_io_reserve(memory, &mesh->positions, count) ||
	    (has_normals && !rbl_io_reserve(memory, &mesh->vertex_normals, count)) ||
	    (has_uv && !rbl_io_reserve(memory, &mesh->vertex_uv0, count)) ||
	    (has_colors && !rbl_io_reserve(memory, &mesh->vertex_colors, count)))
		return rbl_io_out_of_memory(reader->source);
	for (int v = 0; v < count; ++v) {
		double r[ROLE_COUNT + 1];
		r[ROLE_ALPHA] = 1.0 / color_scale;
		rbl_result result = read_row(reader, of, r);
		if (result != RBL_OK)
			return result;
		mesh->positions.data[mesh->positions.count++] =
			(rbl_vec3d){ r[ROLE_X], r[ROLE_Y], r[ROLE_Z] };
		if (has_normals)
			mesh->vertex_normals.data[mesh->vertex_normals.count++] =
				(rbl_vec3){ (float)r[ROLE_NX], (float)r[ROLE_NY], (float)r[ROLE_NZ] };
		if (has_uv)
			mesh->vertex_uv0.data[mesh->vertex_uv0.count++] =
				(rbl_vec2){ (float)r[ROLE_U], (float)r[ROLE_V] };
		if (has_colors)
			mesh->vertex_colors.data[mesh->vertex_colors.count++] = (rbl_vec4){
				(float)(r[ROLE_RED] * color_scale), (float)(r[ROLE_GREEN] * color_scale),
				(float)(r[ROLE_BLUE] * color_scale), (float)(r[ROLE_ALPHA] * color_scale)
			};
	}
	return RBL_OK;
}

// Convert to an index; -1 if it is not a whole number.
static int index_of(double value)
{
	return value >= 0.0 && value <= (double)RBL_MAX_MESH_ITEMS ? (int)value : -1;
}

static rbl_result add_face(ply_reader *reader)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int count = reader->indices.count;
	if (count < 3)
		return fail_here(reader, "a face of fewer than three corners");
	bool has_texcoords = reader->texcoords.count == 2 * count;
	if (!rbl_io_begin_face(source))
		return rbl_io_out_of_memory(reader->source);
	for (int i = 0; i < count; ++i) {
		if (!rbl_io_push(&source->memory, &mesh->corners, index_of(reader->indices.data[i])))
			return rbl_io_out_of_memory(reader->source);
	}
	if (!has_texcoords && mesh->corner_uv0.count == 0)
		return RBL_OK;
	while (mesh->corner_uv0.count < mesh->corners.count) { // 0, 0 for faces without
		int i = count - (mesh->corners.count - mesh->corner_uv0.count);
		rbl_vec2 uv = { 0 };
		if (has_texcoords && i >= 0)
			uv = (rbl_vec2){ (float)reader->texcoords.data[2 * i],
				             (float)reader->texcoords.data[2 * i + 1] };
		if (!rbl_io_push(&source->memory, &mesh->corner_uv0, uv))
			return rbl_io_out_of_memory(reader->source);
	}
	return RBL_OK;
}

// Triangle strips, with alternating winding; -1 restarts. Degenerate triangles only continue the
// strip.
static rbl_result add_strip(ply_reader *reader)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	const double *indices = reader->indices.data;
	int length = 0;
	for (int i = 0; i < reader->indices.count; ++i) {
		if (indices[i] == -1.0) {
			length = 0;
			continue;
		}
		if (++length < 3)
			continue;
		bool is_turned = length % 2 == 0;
		int a = index_of(indices[is_turned ? i - 1 : i - 2]);
		int b = index_of(indices[is_turned ? i - 2 : i - 1]), c = index_of(indices[i]);
		if (a == b || b == c || c == a)
			continue;
		if (!rbl_io_begin_face(source) || !rbl_io_push(&source->memory, &mesh->corners, a) ||
		    !rbl_io_push(&source->memory, &mesh->corners, b) ||
		    !rbl_io_push(&source->memory, &mesh->corners, c))
			return rbl_io_out_of_memory(reader->source);
	}
	return RBL_OK;
}

static rbl_result read_rows(ply_reader *reader, const element *of)
{
	int64_t row_size = 0;
	for (int i = 0; i < of->property_count; ++i) {
		const property *one = &reader->properties.data[of->first_property + i];
		row_size += min_size(reader, one->is_list ? one->count_type : one->type);
	}
	if (row_size == 0)
		return RBL_OK;
	if (of->count >
	    (reader->end - reader->at + 1) / row_size) // the file may end with the last number
		return fail_here(reader, "more rows than fit the file");
	if (of->kind == ELEMENT_VERTEX)
		return read_ply_vertices(reader, of);
	rbl_result result = RBL_OK;
	for (int64_t i = 0; i < of->count && result == RBL_OK; ++i) {
		double row[ROLE_COUNT + 1];
		result = read_row(reader, of, row);
		if (result == RBL_OK && of->kind == ELEMENT_FACE)
			result = add_face(reader);
		else if (result == RBL_OK && of->kind == ELEMENT_STRIPS)
			result = add_strip(reader);
	}
	return result;
}

rbl_result rbl_io_read_ply(rbl_io_source *source)
{
	ply_reader reader = { .source = source, .at = source->begin, .end = source->end };
	rbl_result result = read_ply_header(&reader);
	for (int i = 0; i < reader.elements.count && result == RBL_OK; ++i)
		result = read_rows(&reader, &reader.elements.data[i]);
	// Texture coordinates of corners take precedence over those of vertices.
	if (source->mesh.corner_uv0.count > 0)
		source->mesh.vertex_uv0.count = 0;
	rbl_io_free(&source->memory, &reader.properties);
	rbl_io_free(&source->memory, &reader.elements);
	rbl_io_free(&source->memory, &reader.indices);
	rbl_io_free(&source->memory, &reader.texcoords);
	return result;
}
