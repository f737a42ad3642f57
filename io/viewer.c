// SPDX-License-Identifier: MIT
//
// Films as web pages. The page is made of the files in io/viewer/, which the build joins into one
// and embeds; here its title, the report and the film as base64 of a quantized .glb are filled in.
//
// A file has a limit, since browsers have: a film that is larger is written again with less of it,
// level by level, and the page says what it left out.

#include "io/film.h"

#include <rubble/json.h>
#include <rubble/viewer.h>

#include <stdio.h>
#include <stdlib.h>

enum { VIEWER_COOKIE = 0x76696577 };
enum { MIN_SIZE_LIMIT = 1 << 20, DEFAULT_SIZE_LIMIT = 64 << 20 };

// The page, closed by a zero, with markers where something is filled in. Written by the build.
extern const unsigned char rbl_io_viewer_page[];

typedef struct thinning_level {
	float key_interval;
	int left_out; // per cent of the objects, the smallest first
	bool has_puffs;
} thinning_level;

static const thinning_level levels[] = {
	{ 0.0f, 0, true },    { 1.0f / 30.0f, 0, true }, { 0.1f, 0, false },  { 0.25f, 25, false },
	{ 0.25f, 50, false }, { 0.5f, 75, false },       { 0.5f, 90, false }, { 1.0f, 97, false },
};
enum { LEVEL_COUNT = sizeof levels / sizeof *levels };

rbl_viewer_def rbl_default_viewer_def(void)
{
	return (rbl_viewer_def){ .size_limit = DEFAULT_SIZE_LIMIT, .cookie = VIEWER_COOKIE };
}

static rbl_result check_report(const char *report, const rbl_allocator *allocator)
{
	rbl_json_document *document = NULL;
	rbl_result result = RBL_OK;
	if (report)
		result = rbl_parse_json(report, strlen(report), "report", allocator, &document);
	if (result == RBL_BAD_FILE)
		result = RBL_BAD_ARGUMENT;
	if (result == RBL_OK && report && rbl_json_get_type(rbl_json_root(document)) != RBL_JSON_OBJECT)
		result = rbl_io_fail(RBL_BAD_ARGUMENT, "the report is no JSON object");
	rbl_destroy_json(document);
	return result;
}

static rbl_result check_viewer_def(const rbl_viewer_def *def)
{
	if (def->cookie != VIEWER_COOKIE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "start from rbl_default_viewer_def()");
	if (def->size_limit < MIN_SIZE_LIMIT)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "size_limit is below a MiB");
	if (!rbl_io_allocator_is_valid(&def->allocator))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the allocator has one function without the other");
	return check_report(def->report, &def->allocator);
}

// --- text -----------------------------------------------------------------------------------

static void put_base64(rbl_io_output *output, const unsigned char *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = rbl_io_output_reserve(output, (size + 2) / 3 * 4);
	if (!text)
		return;
	for (size_t i = 0; i < size; i += 3) {
		uint32_t left = (uint32_t)(size - i);
		uint32_t bits = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
		                (left > 2 ? (uint32_t)bytes[i + 2] : 0u);
		*text++ = digits[bits >> 18];
		*text++ = digits[bits >> 12 & 63];
		*text++ = left > 1 ? digits[bits >> 6 & 63] : '=';
		*text++ = left > 2 ? digits[bits & 63] : '=';
	}
	output->size += (size + 2) / 3 * 4;
}

static void put_escaped(rbl_io_output *output, const char *text)
{
	for (const char *c = text; *c; ++c)
		switch (*c) {
		case '&':
			rbl_io_put_text(output, "&amp;");
			break;
		case '<':
			rbl_io_put_text(output, "&lt;");
			break;
		case '>':
			rbl_io_put_text(output, "&gt;");
			break;
		case '"':
			rbl_io_put_text(output, "&quot;");
			break;
		default:
			rbl_io_put(output, c, 1);
		}
}

// JSON in a script element: a < could end it, and stands in strings only.
static void put_json(rbl_io_output *output, const char *json)
{
	while (*json) {
		size_t plain = strcspn(json, "<");
		rbl_io_put(output, json, plain);
		json += plain;
		if (*json == '<')
			rbl_io_put_text(output, "\\u003c"), ++json;
	}
}

// --- the page -------------------------------------------------------------------------------

static void put_page(rbl_io_output *output, const rbl_viewer_def *def, const char *thinned,
                     const rbl_file_bytes *film)
{
	const char *page = (const char *)rbl_io_viewer_page;
	for (const char *mark; (mark = strchr(page, '@')) != NULL;) {
		rbl_io_put(output, page, (size_t)(mark - page));
		page = strchr(mark + 1, '@');
		size_t length = page ? (size_t)(page - mark) : 0;
		if (length == 6 && memcmp(mark, "@TITLE", 6) == 0) {
			put_escaped(output, def->title ? def->title : "Rubble");
		} else if (length == 5 && memcmp(mark, "@DATA", 5) == 0) {
			rbl_io_put_text(output, "{\"thinned\":\"");
			rbl_io_put_text(output, thinned);
			rbl_io_put_text(output, "\",\"report\":");
			put_json(output, def->report ? def->report : "{}");
			rbl_io_put_text(output, "}");
		} else if (length == 5 && memcmp(mark, "@FILM", 5) == 0) {
			if (film->size > 0)
				put_base64(output, film->data, film->size);
		} else {
			rbl_io_put(output, mark, 1); // a sign like any other
			page = mark + 1;
			continue;
		}
		++page;
	}
	rbl_io_put_text(output, page);
}

static int compare_sizes(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

// The size that a share of the objects is smaller than.
static rbl_result find_least_size(const rbl_film *film, rbl_io_memory *memory, int per_cent,
                                  double *least_size)
{
	int count = film->objects.count;
	*least_size = 0.0;
	if (per_cent == 0 || count == 0)
		return RBL_OK;
	double *sizes = RBL_IO_NEW(memory, double, (size_t)count);
	if (!sizes)
		return rbl_io_fail_memory(memory, "viewer");
	for (int i = 0; i < count; ++i) {
		int mesh = film->objects.data[i].mesh;
		sizes[i] = mesh >= 0 ? film->meshes.data[mesh].size : 0.0;
	}
	qsort(sizes, (size_t)count, sizeof *sizes, compare_sizes);
	*least_size = sizes[(int64_t)count * per_cent / 100];
	RBL_IO_FREE(memory, sizes, (size_t)count);
	return RBL_OK;
}

static void describe(const thinning_level *level, bool has_film, char *text, size_t size)
{
	if (!has_film)
		snprintf(text, size, "The film is too large for this file and was left out.");
	else if (level->left_out > 0)
		snprintf(text, size,
		         "The scene is too large for this file: poses are at least %g s apart, dust and "
		         "the smallest %d %% of all objects were left out.",
		         (double)level->key_interval, level->left_out);
	else
		snprintf(text, size,
		         "The scene is too large for this file: poses are at least %.2g s apart%s.",
		         (double)level->key_interval, level->has_puffs ? "" : ", and dust was left out");
}

// Make the film's file, thinned until it is no larger than `limit`; empty if that is impossible.
static rbl_result make_film(const rbl_film *film, const rbl_viewer_def *def, size_t limit,
                            rbl_file_bytes *bytes, rbl_viewer_info *info)
{
	if (!film || film->objects.count == 0)
		return RBL_OK;
	rbl_write_def write = rbl_default_write_def();
	write.format = RBL_FORMAT_GLTF;
	write.is_quantized = true;
	write.allocator = def->allocator;
	rbl_io_memory memory = rbl_io_memory_of(&def->allocator);
	for (int i = 0; i < LEVEL_COUNT; ++i) {
		rbl_film_thinning thinning = { .key_interval = levels[i].key_interval,
			                           .has_puffs = levels[i].has_puffs,
			                           .is_plain = true };
		rbl_result result =
			find_least_size(film, &memory, levels[i].left_out, &thinning.least_size);
		if (result == RBL_OK)
			result = rbl_film_write_thinned(film, &thinning, &write, bytes);
		if (result != RBL_OK || bytes->size <= limit) {
			if (result == RBL_OK && i > 0)
				describe(&levels[i], true, info->thinned, sizeof info->thinned);
			info->is_thinned = i > 0;
			return result;
		}
		rbl_free_bytes(bytes);
	}
	describe(NULL, false, info->thinned, sizeof info->thinned);
	info->is_thinned = true;
	return RBL_OK;
}

static rbl_result make_page(const rbl_film *film, const rbl_viewer_def *def, rbl_io_output *output,
                            rbl_viewer_info *info)
{
	rbl_result result = check_viewer_def(def);
	if (result != RBL_OK)
		return result;
	*output = (rbl_io_output){ .memory = rbl_io_memory_of(&def->allocator) };
	// What goes around the film; the sentence on thinning comes on top.
	rbl_file_bytes bytes = { 0 };
	put_page(output, def, "", &bytes);
	size_t around = output->size + sizeof info->thinned;
	if (output->memory.failure == RBL_OK && around > def->size_limit)
		result = rbl_io_fail(RBL_LIMIT_REACHED, "the report alone has %lld bytes",
		                     (long long)output->size);
	if (result == RBL_OK && output->memory.failure == RBL_OK)
		result = make_film(film, def, (size_t)(def->size_limit - around) / 4 * 3, &bytes, info);
	if (result == RBL_OK) {
		output->size = 0;
		put_page(output, def, info->thinned, &bytes);
	}
	rbl_free_bytes(&bytes);
	if (result == RBL_OK && output->memory.failure != RBL_OK)
		result = rbl_io_fail_memory(&output->memory, "viewer");
	if (result != RBL_OK)
		rbl_io_free_output(output);
	info->size = result == RBL_OK ? output->size : 0;
	return result;
}

rbl_result rbl_write_viewer(const char *path, const rbl_film *film, const rbl_viewer_def *def,
                            rbl_viewer_info *info)
{
	rbl_viewer_def defaults = rbl_default_viewer_def();
	rbl_viewer_info made = { 0 };
	rbl_io_output output;
	if (info)
		*info = made;
	if (!path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "path is NULL");
	rbl_result result = make_page(film, def ? def : &defaults, &output, &made);
	if (result != RBL_OK)
		return result;
	result = rbl_io_write_file(path, output.data, output.size);
	rbl_io_free_output(&output);
	if (info && result == RBL_OK)
		*info = made;
	return result;
}

rbl_result rbl_write_viewer_memory(const rbl_film *film, const rbl_viewer_def *def,
                                   rbl_file_bytes *bytes, rbl_viewer_info *info)
{
	rbl_viewer_def defaults = rbl_default_viewer_def();
	rbl_viewer_info made = { 0 };
	rbl_io_output output;
	if (info)
		*info = made;
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	rbl_result result = make_page(film, def ? def : &defaults, &output, &made);
	if (result != RBL_OK)
		return result;
	*bytes = (rbl_file_bytes){ output.data, output.size, output.capacity, output.memory.allocator };
	if (info)
		*info = made;
	return RBL_OK;
}
