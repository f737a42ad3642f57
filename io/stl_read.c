// SPDX-License-Identifier: MIT
//
// STL: triangles that repeat their corners. Corners at exactly the same position become one vertex,
// without a tolerance.

#include "io/io.h"
#include "io/tokenizer.h"

typedef RBL_IO_ARRAY(rbl_vec3d) point_array;

static rbl_result read_binary(rbl_io_source *source, point_array *points)
{
	enum { HEADER = 84, TRIANGLE = 50 };
	const unsigned char *bytes = (const unsigned char *)source->begin;
	int64_t size = source->end - source->begin;
	if (size < HEADER)
		return rbl_io_fail_offset(source, source->end, "the file ends inside the header");
	int64_t count = rbl_io_load_u32(source->begin + 80);
	if (count > (size - HEADER) / TRIANGLE)
		return rbl_io_fail_offset(source, source->begin + 80,
		                          "%lld triangles do not fit a file of %lld bytes",
		                          (long long)count, (long long)size);
	if (count > RBL_MAX_MESH_ITEMS / 3)
		return rbl_io_fail(RBL_LIMIT_REACHED, "%s: %lld triangles", source->name, (long long)count);
	if (!rbl_io_reserve(&source->memory, points, (int)count * 3))
		return rbl_io_out_of_memory(source);
	for (int64_t i = 0; i < count; ++i) {
		const unsigned char *triangle = bytes + HEADER + i * TRIANGLE + 12; // after the normal
		for (int k = 0; k < 3; ++k) {
			const unsigned char *p = triangle + 12 * k;
			points->data[points->count++] =
				(rbl_vec3d){ (double)rbl_io_load_f32(p), (double)rbl_io_load_f32(p + 4),
				             (double)rbl_io_load_f32(p + 8) };
		}
	}
	return RBL_OK;
}

// Keywords are case-insensitive.
static bool is_keyword(const char *word, const char *end, const char *keyword)
{
	for (; word < end && *keyword; ++word, ++keyword) {
		if ((*word | 32) != *keyword)
			return false;
	}
	return word == end && !*keyword;
}

static rbl_result read_text_point(rbl_io_source *source, const char **at, point_array *points)
{
	double n[3];
	for (int i = 0; i < 3; ++i) {
		*at = rbl_io_skip_spaces(*at, source->end);
		if (!rbl_io_parse_double(at, source->end, &n[i]))
			return rbl_io_fail_line(source, *at, "a vertex needs three numbers");
	}
	if (!rbl_io_push(&source->memory, points, ((rbl_vec3d){ n[0], n[1], n[2] })))
		return rbl_io_out_of_memory(source);
	return RBL_OK;
}

// Parse the text format; a file of several solids is one mesh.
static rbl_result read_text(rbl_io_source *source, point_array *points)
{
	const char *at = source->begin;
	bool is_inside = false;
	int loop_start = 0;
	for (;;) {
		at = rbl_io_skip_spaces(at, source->end);
		if (at == source->end)
			break;
		const char *word = at, *end = rbl_io_word_end(at, source->end);
		at = end;
		rbl_result result = RBL_OK;
		if (is_keyword(word, end, "solid") || is_keyword(word, end, "endsolid")) {
			is_inside = is_keyword(word, end, "solid");
			at = rbl_io_next_line(at, source->end); // a name
		} else if (!is_inside) {
			return rbl_io_fail_line(source, word, "a word outside of a solid");
		} else if (is_keyword(word, end, "facet")) {
			at = rbl_io_next_line(at, source->end); // the normal follows from the corners
		} else if (is_keyword(word, end, "outer")) {
			loop_start = points->count;
		} else if (is_keyword(word, end, "vertex")) {
			result = read_text_point(source, &at, points);
		} else if (is_keyword(word, end, "endloop")) {
			if (points->count - loop_start != 3 || points->count % 3 != 0)
				return rbl_io_fail_line(source, word, "a facet that is no triangle");
		} else if (!is_keyword(word, end, "loop") && !is_keyword(word, end, "endfacet")) {
			return rbl_io_fail_line(source, word, "an unknown word");
		}
		if (result != RBL_OK)
			return result;
	}
	if (is_inside || points->count % 3 != 0)
		return rbl_io_fail_line(source, source->end, "the file ends inside a solid");
	return RBL_OK;
}

// Merge equal positions and build the triangles.
static rbl_result weld(rbl_io_source *source, point_array *points)
{
	rbl_io_mesh_builder *mesh = &source->mesh;
	rbl_io_memory *memory = &source->memory;
	int count = points->count;
	for (int i = 0; i < count; ++i) { // -0 equals 0
		rbl_vec3d p = points->data[i];
		points->data[i] = (rbl_vec3d){ p.x + 0.0, p.y + 0.0, p.z + 0.0 };
	}
	int *firsts = RBL_IO_NEW(memory, int, count);
	int vertex_count = -1;
	if (firsts && rbl_io_reserve(memory, &mesh->corners, count))
		vertex_count = rbl_io_unique(memory, points->data, count, sizeof(rbl_vec3d),
		                             mesh->corners.data, firsts);
	bool is_good = vertex_count >= 0 && rbl_io_reserve(memory, &mesh->positions, vertex_count) &&
	               rbl_io_reserve(memory, &mesh->face_starts, count / 3 + 1);
	if (is_good) {
		for (int v = 0; v < vertex_count; ++v)
			mesh->positions.data[v] = points->data[firsts[v]];
		for (int f = 0; f < count / 3; ++f)
			mesh->face_starts.data[f] = 3 * f;
		mesh->positions.count = vertex_count;
		mesh->corners.count = count;
		mesh->face_starts.count = count / 3;
	}
	RBL_IO_FREE(memory, firsts, count);
	return is_good ? RBL_OK : rbl_io_fail_memory(memory, source->name);
}

// Some binary files begin with "solid" too: a size that matches the count means binary.
static bool is_text(const rbl_io_source *source)
{
	int64_t size = source->end - source->begin;
	const char *word = rbl_io_skip_spaces(source->begin, source->end);
	if (source->end - word < 5 || !is_keyword(word, word + 5, "solid"))
		return false;
	if (size < 84)
		return true;
	int64_t count = rbl_io_load_u32(source->begin + 80);
	return size != 84 + 50 * count;
}

rbl_result rbl_io_read_stl(rbl_io_source *source)
{
	point_array points = { 0 };
	rbl_result result = is_text(source) ? read_text(source, &points) : read_binary(source, &points);
	if (result == RBL_OK)
		result = weld(source, &points);
	rbl_io_free(&source->memory, &points);
	return result;
}
