// SPDX-License-Identifier: MIT
//
// MEDIT .mesh: sections of a keyword, a count, and rows of numbers that end with a label. Vertices,
// triangles, quadrilaterals and tetrahedra are read; other sections are skipped. Labels are not
// kept.

#include "io/io.h"
#include "io/tokenizer.h"

typedef struct medit_reader {
	rbl_io_source *source;
	const char *at, *end;
} medit_reader;

static bool read_int(medit_reader *reader, int64_t *value)
{
	reader->at = rbl_io_skip_spaces(reader->at, reader->end);
	return rbl_io_parse_int(&reader->at, reader->end, value);
}

static bool read_double(medit_reader *reader, double *value)
{
	reader->at = rbl_io_skip_spaces(reader->at, reader->end);
	return rbl_io_parse_double(&reader->at, reader->end, value);
}

// Read a count; the rest of the file must have room for its rows of `width` one-digit numbers.
static rbl_result read_medit_count(medit_reader *reader, int width, int64_t *count)
{
	if (!read_int(reader, count) || *count < 0)
		return rbl_io_fail_line(reader->source, reader->at, "a section needs a count");
	if (*count > (reader->end - reader->at + 1) / (2 * width))
		return rbl_io_fail_line(reader->source, reader->at, "more rows than fit the file");
	return RBL_OK;
}

static rbl_result read_medit_vertices(medit_reader *reader)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int64_t count, label;
	rbl_result result = read_medit_count(reader, 4, &count);
	if (result != RBL_OK)
		return result;
	if (mesh->positions.count > 0)
		return rbl_io_fail_line(source, reader->at, "a second section of vertices");
	if (count > RBL_MAX_MESH_ITEMS ||
	    !rbl_io_reserve(&source->memory, &mesh->positions, (int)count))
		return rbl_io_out_of_memory(reader->source);
	for (int64_t i = 0; i < count; ++i) {
		rbl_vec3d p;
		if (!read_double(reader, &p.x) || !read_double(reader, &p.y) ||
		    !read_double(reader, &p.z) || !read_int(reader, &label))
			return rbl_io_fail_line(source, reader->at, "a vertex needs three numbers and a label");
		mesh->positions.data[mesh->positions.count++] = p;
	}
	return RBL_OK;
}

// Rows of `width` vertices and a label: faces, or tetrahedra when `is_solid`.
static rbl_result read_cells(medit_reader *reader, int width, bool is_solid)
{
	rbl_io_source *source = reader->source;
	rbl_io_mesh_builder *mesh = &source->mesh;
	int64_t count, index, label;
	rbl_result result = read_medit_count(reader, width + 1, &count);
	if (result != RBL_OK)
		return result;
	for (int64_t i = 0; i < count; ++i) {
		if (!is_solid && !rbl_io_begin_face(source))
			return rbl_io_out_of_memory(reader->source);
		for (int k = 0; k < width; ++k) {
			if (!read_int(reader, &index))
				return rbl_io_fail_line(source, reader->at, "a number is missing");
			if (index < 1 || index > RBL_MAX_MESH_ITEMS)
				return rbl_io_fail_line(source, reader->at, "vertex %lld", (long long)index);
			if (is_solid ? !rbl_io_push(&source->memory, &mesh->tets, (int)index - 1)
			             : !rbl_io_push(&source->memory, &mesh->corners, (int)index - 1))
				return rbl_io_out_of_memory(reader->source);
		}
		if (!read_int(reader, &label))
			return rbl_io_fail_line(source, reader->at, "a label is missing");
	}
	return RBL_OK;
}

static bool is_letter(char c)
{
	return ((unsigned char)(c | 32) >= 'a') && ((unsigned char)(c | 32) <= 'z');
}

// Skip to the next word that begins with a letter.
static void skip_section(medit_reader *reader)
{
	for (;;) {
		reader->at = rbl_io_skip_spaces(reader->at, reader->end);
		if (reader->at == reader->end || is_letter(*reader->at))
			return;
		reader->at = rbl_io_word_end(reader->at, reader->end);
	}
}

static rbl_result read_section(medit_reader *reader, const char *word, const char *end)
{
	int64_t number;
	if (rbl_io_is_word(word, end, "Vertices"))
		return read_medit_vertices(reader);
	if (rbl_io_is_word(word, end, "Triangles"))
		return read_cells(reader, 3, false);
	if (rbl_io_is_word(word, end, "Quadrilaterals"))
		return read_cells(reader, 4, false);
	if (rbl_io_is_word(word, end, "Tetrahedra"))
		return read_cells(reader, 4, true);
	if (rbl_io_is_word(word, end, "Dimension") && read_int(reader, &number) && number != 3)
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: a mesh of %lld dimensions", reader->source->name,
		                   (long long)number);
	skip_section(reader);
	return RBL_OK;
}

rbl_result rbl_io_read_medit(rbl_io_source *source)
{
	medit_reader reader = { .source = source, .at = source->begin, .end = source->end };
	reader.at = rbl_io_skip_spaces(reader.at, reader.end);
	const char *end = rbl_io_word_end(reader.at, reader.end);
	if (!rbl_io_is_word(reader.at, end, "MeshVersionFormatted"))
		return rbl_io_fail_line(source, reader.at, "no header of a MEDIT file");
	for (;;) {
		reader.at = rbl_io_skip_spaces(reader.at, reader.end);
		const char *word = reader.at;
		end = rbl_io_word_end(word, reader.end);
		if (word == reader.end || rbl_io_is_word(word, end, "End"))
			return RBL_OK;
		if (!is_letter(*word))
			return rbl_io_fail_line(source, word, "not a keyword");
		reader.at = end;
		rbl_result result = read_section(&reader, word, end);
		if (result != RBL_OK)
			return result;
	}
}
