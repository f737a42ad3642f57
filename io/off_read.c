// SPDX-License-Identifier: MIT
//
// OFF: counts, vertices, faces. Letters before OFF announce more numbers per vertex: N normals, C
// colours, ST texture coordinates. Normals are kept; colours and texture coordinates, last in their
// lines, are ignored.

#include "io/io.h"
#include "io/tokenizer.h"

typedef struct off_reader {
	rbl_io_source *source;
	const char *at, *end;
	bool has_normals;
} off_reader;

static bool read_off_count(off_reader *reader, int64_t *count)
{
	reader->at = rbl_io_skip_spaces(reader->at, reader->end);
	return rbl_io_parse_int(&reader->at, reader->end, count) && *count >= 0;
}

static bool read_off_numbers(off_reader *reader, double *numbers, int count)
{
	for (int i = 0; i < count; ++i) {
		reader->at = i == 0 ? rbl_io_skip_spaces(reader->at, reader->end)
		                    : rbl_io_skip_blanks(reader->at, reader->end);
		if (!rbl_io_parse_double(&reader->at, reader->end, &numbers[i]))
			return false;
	}
	return true;
}

static rbl_result read_off_header(off_reader *reader)
{
	rbl_io_source *source = reader->source;
	reader->at = rbl_io_skip_spaces(reader->at, reader->end);
	const char *word = reader->at, *end = rbl_io_word_end(word, reader->end);
	const char *letter = word;
	if (end - letter >= 2 && letter[0] == 'S' && letter[1] == 'T')
		letter += 2;
	for (; letter < end && (*letter == 'C' || *letter == 'N'); ++letter)
		reader->has_normals |= *letter == 'N';
	if (letter < end && (*letter == '4' || *letter == 'n') &&
	    rbl_io_is_word(letter + 1, end, "OFF"))
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: vertices with more than three coordinates",
		                   source->name);
	if (end > word && ((*word >= '0' && *word <= '9') || *word == '-'))
		return RBL_OK; // the word is optional
	if (!rbl_io_is_word(letter, end, "OFF"))
		return rbl_io_fail_line(source, word, "no header of an OFF file");
	reader->at = rbl_io_skip_blanks(end, reader->end);
	if (rbl_io_is_word(reader->at, rbl_io_word_end(reader->at, reader->end), "BINARY"))
		return rbl_io_fail(RBL_UNSUPPORTED, "%s: a binary OFF file", source->name);
	return RBL_OK;
}

static rbl_result read_off_vertex(off_reader *reader)
{
	rbl_io_source *source = reader->source;
	double n[6];
	if (!read_off_numbers(reader, n, reader->has_normals ? 6 : 3))
		return rbl_io_fail_line(source, reader->at, "a vertex needs %d numbers",
		                        reader->has_normals ? 6 : 3);
	if (!rbl_io_push(&source->memory, &source->mesh.positions, ((rbl_vec3d){ n[0], n[1], n[2] })))
		return rbl_io_out_of_memory(reader->source);
	if (reader->has_normals) {
		rbl_vec3 normal = { (float)n[3], (float)n[4], (float)n[5] };
		if (!rbl_io_push(&source->memory, &source->mesh.vertex_normals, normal))
			return rbl_io_out_of_memory(reader->source);
	}
	reader->at = rbl_io_next_line(reader->at, reader->end);
	return RBL_OK;
}

static rbl_result read_off_face(off_reader *reader, int64_t vertex_count)
{
	rbl_io_source *source = reader->source;
	int64_t count, index;
	if (!read_off_count(reader, &count))
		return rbl_io_fail_line(source, reader->at, "a face needs the number of its corners");
	if (count < 3)
		return rbl_io_fail_line(source, reader->at, "a face of %lld corners", (long long)count);
	if (!rbl_io_begin_face(source))
		return rbl_io_out_of_memory(reader->source);
	for (int64_t i = 0; i < count; ++i) {
		reader->at = rbl_io_skip_blanks(reader->at, reader->end);
		if (!rbl_io_parse_int(&reader->at, reader->end, &index))
			return rbl_io_fail_line(source, reader->at, "a face of %lld corners has only %lld",
			                        (long long)count, (long long)i);
		if (index < 0 || index >= vertex_count)
			return rbl_io_fail_line(source, reader->at, "vertex %lld of %lld", (long long)index,
			                        (long long)vertex_count);
		if (!rbl_io_push(&source->memory, &source->mesh.corners, (int)index))
			return rbl_io_out_of_memory(reader->source);
	}
	reader->at = rbl_io_next_line(reader->at, reader->end);
	return RBL_OK;
}

rbl_result rbl_io_read_off(rbl_io_source *source)
{
	off_reader reader = { .source = source, .at = source->begin, .end = source->end };
	rbl_result result = read_off_header(&reader);
	if (result != RBL_OK)
		return result;
	int64_t vertex_count, face_count, edge_count;
	if (!read_off_count(&reader, &vertex_count) || !read_off_count(&reader, &face_count))
		return rbl_io_fail_line(source, reader.at, "the counts of vertices and faces are missing");
	const char *counts = reader.at;
	reader.at = rbl_io_skip_blanks(reader.at, reader.end);
	if (!rbl_io_parse_int(&reader.at, reader.end, &edge_count)) // the edge count is optional
		reader.at = counts;
	// "0 0 0" and "3 0 0 0" with their line ends are the shortest lines; one may be missing.
	int64_t left = reader.end - reader.at + 1;
	if (vertex_count > left / 6 || face_count > left / 8)
		return rbl_io_fail_line(source, counts, "more vertices or faces than fit the file");
	if (!rbl_io_reserve(&source->memory, &source->mesh.positions, (int)vertex_count) ||
	    !rbl_io_reserve(&source->memory, &source->mesh.face_starts, (int)face_count + 1) ||
	    !rbl_io_reserve(&source->memory, &source->mesh.corners, (int)face_count * 3))
		return rbl_io_out_of_memory(reader.source);
	for (int64_t i = 0; i < vertex_count && result == RBL_OK; ++i)
		result = read_off_vertex(&reader);
	for (int64_t i = 0; i < face_count && result == RBL_OK; ++i)
		result = read_off_face(&reader, vertex_count);
	return result;
}
