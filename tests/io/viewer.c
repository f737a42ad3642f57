// SPDX-License-Identifier: MIT
//
// Films as web pages: what is in the page, what is refused, and what is left out where it would be too
// large. tests/tools/report opens such pages in a browser.

#include "io_test.h"

#include <rubble/shapes.h>
#include <rubble/viewer.h>

static rbl_transform at(float x, float y, float z)
{
	return (rbl_transform){ { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

static int add_ball(test *t, rbl_film *film, double radius, int subdivision)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.radius = radius;
	def.subdivisions = subdivision;
	rbl_mesh *mesh = NULL;
	int index = -1;
	CHECK(t, rbl_create_icosphere_mesh(&def, &mesh) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, mesh, &index) == RBL_OK);
	return index;
}

// Balls of many sizes that zigzag, so that no key can be spared.
static rbl_film *make_film(test *t, int object_count, int frame_count)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	for (int i = 0; i < object_count; ++i) {
		int object, mesh = add_ball(t, film, 0.1 + 0.001 * i, 1);
		CHECK(t, rbl_film_add_object(film, mesh, at((float)i, 0.0f, 0.0f), &object) == RBL_OK);
		CHECK(t, object == i);
	}
	for (int k = 1; k <= frame_count; ++k) {
		CHECK(t, rbl_film_begin_frame(film, (float)k / 60.0f) == RBL_OK);
		for (int i = 0; i < object_count; ++i)
			CHECK(t, rbl_film_move(film, i, at((float)i, (float)(k % 2), 0.0f)) == RBL_OK);
	}
	return film;
}

static rbl_file_bytes page_of(test *t, const rbl_film *film, const rbl_viewer_def *def,
                              rbl_viewer_info *info)
{
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_viewer_memory(film, def, &bytes, info) == RBL_OK);
	CHECK(t, bytes.size > 0 && info->size == bytes.size);
	return bytes;
}

static const char *find(const rbl_file_bytes *bytes, const char *text)
{
	size_t length = strlen(text);
	for (size_t i = 0; i + length <= bytes->size; ++i)
		if (memcmp(bytes->data + i, text, length) == 0)
			return (const char *)bytes->data + i;
	return NULL;
}

static int digit_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = c ? strchr(digits, c) : NULL;
	return found ? (int)(found - digits) : -1;
}

// Decode the film of a page. @return its bytes, the caller's to free; `size` 0: there is none
static unsigned char *film_of(const rbl_file_bytes *page, size_t *size)
{
	const char *begin = find(page, "id=\"film-data\">"), *end;
	begin = begin ? begin + strlen("id=\"film-data\">") : "";
	for (end = begin; digit_of(*end) >= 0; ++end)
		;
	unsigned char *bytes = malloc((size_t)(end - begin) + 4);
	*size = 0;
	uint32_t bits = 0;
	for (const char *c = begin; bytes && c < end; ++c) {
		bits = bits << 6 | (uint32_t)digit_of(*c);
		if ((c - begin) % 4 > 0)
			bytes[(*size)++] = (unsigned char)(bits >> (6 - 2 * ((c - begin) % 4)));
	}
	return bytes;
}

// The film in a page is a .glb that can be read; title and report are in it, and end no element.
static void a_page_has_film_title_and_report(test *t)
{
	rbl_film *film = make_film(t, 3, 10);
	rbl_viewer_def def = rbl_default_viewer_def();
	rbl_viewer_info info;
	def.title = "a <b> & \"c\"";
	def.report = "{\"subtitle\": \"</script><script>alert(1)</script>\"}";
	rbl_file_bytes page = page_of(t, film, &def, &info), again = page_of(t, film, &def, &info);
	CHECK(t, page.size == again.size && memcmp(page.data, again.data, page.size) == 0);
	CHECK(t, !info.is_thinned && info.thinned[0] == 0);
	CHECK(t, find(&page, "<title>a &lt;b&gt; &amp; &quot;c&quot;</title>") != NULL);
	CHECK(t, find(&page, "\\u003c/script>\\u003cscript>alert(1)") != NULL);
	CHECK(t, !find(&page, "</script><script>alert"));
	CHECK(t, !find(&page, "@TITLE@") && !find(&page, "@DATA@") && !find(&page, "@FILM@"));
	CHECK(t, !find(&page, "@STYLE@") && !find(&page, "@SCRIPT@"));
	CHECK(t, !find(&page, "http://") || find(&page, "http://www.w3.org/2000/svg") != NULL);
	CHECK(t, !find(&page, "https://"));
	size_t size;
	unsigned char *glb = film_of(&page, &size);
	rbl_read_def read = rbl_default_read_def();
	rbl_document *document = NULL;
	CHECK(t, rbl_read_document_memory(glb, size, &read, &document) == RBL_OK);
	rbl_scene scene = rbl_document_get_scene(document);
	CHECK(t, scene.node_count == 3 && scene.mesh_count == 3 && scene.animation_count == 1);
	rbl_destroy_document(document);
	free(glb);
	rbl_free_bytes(&page);
	rbl_free_bytes(&again);
	rbl_destroy_film(film);
}

static void a_page_needs_no_film(test *t)
{
	rbl_viewer_info info;
	size_t size;
	rbl_file_bytes page = page_of(t, NULL, NULL, &info);
	free(film_of(&page, &size));
	CHECK(t, size == 0 && find(&page, "<title>Rubble</title>") != NULL);
	rbl_free_bytes(&page);
}

// Too large a film is thinned, first in time and then by size, and the page says so.
static void large_films_are_thinned(test *t)
{
	rbl_viewer_def def = rbl_default_viewer_def();
	rbl_viewer_info info;
	def.size_limit = 1u << 20;
	static const struct {
		int objects, frames;
		const char *said;
	} cases[] = { { 60, 60, "" }, { 60, 900, "apart" }, { 1200, 120, "smallest" } };
	for (int i = 0; i < 3; ++i) {
		rbl_film *film = make_film(t, cases[i].objects, cases[i].frames);
		rbl_file_bytes page = page_of(t, film, &def, &info);
		size_t size;
		unsigned char *glb = film_of(&page, &size);
		CHECK(t, info.size <= def.size_limit && size > 0);
		CHECK(t, info.is_thinned == (i > 0) && strstr(info.thinned, cases[i].said));
		CHECK(t, i == 0 || find(&page, info.thinned) != NULL);
		rbl_read_def read = rbl_default_read_def();
		rbl_document *document = NULL;
		CHECK(t, rbl_read_document_memory(glb, size, &read, &document) == RBL_OK);
		rbl_scene scene = rbl_document_get_scene(document);
		CHECK(t, i == 2 ? scene.node_count > 20 && scene.node_count < 1200
		                : scene.node_count == cases[i].objects);
		rbl_destroy_document(document);
		free(glb);
		rbl_free_bytes(&page);
		rbl_destroy_film(film);
	}
}

// One mesh that is too large by itself: the page goes without a film.
static void a_film_that_cannot_be_thinned_is_left_out(test *t)
{
	rbl_film_def film_def = rbl_default_film_def();
	rbl_film *film = NULL;
	int object;
	CHECK(t, rbl_create_film(&film_def, &film) == RBL_OK);
	int mesh = add_ball(t, film, 1.0, 6);
	CHECK(t, rbl_film_add_object(film, mesh, at(0.0f, 0.0f, 0.0f), &object) == RBL_OK);
	rbl_viewer_def def = rbl_default_viewer_def();
	rbl_viewer_info info;
	def.size_limit = 1u << 20;
	rbl_file_bytes page = page_of(t, film, &def, &info);
	size_t size;
	free(film_of(&page, &size));
	CHECK(t, size == 0 && info.is_thinned && strstr(info.thinned, "left out"));
	rbl_free_bytes(&page);
	rbl_destroy_film(film);
}

static void what_cannot_be_written_is_refused(test *t)
{
	rbl_file_bytes bytes;
	rbl_viewer_def def = { 0 };
	io_watch_log();
	CHECK(t, rbl_write_viewer_memory(NULL, &def, &bytes, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, io_log_has("rbl_default_viewer_def"));
	def = rbl_default_viewer_def();
	CHECK(t, rbl_write_viewer_memory(NULL, &def, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_viewer(NULL, NULL, &def, NULL) == RBL_BAD_ARGUMENT);
	static const char *const bad[] = { "", "[1]", "{\"a\": }", "{} x", "text" };
	for (int i = 0; i < 5; ++i) {
		def.report = bad[i];
		CHECK(t, rbl_write_viewer_memory(NULL, &def, &bytes, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, !bytes.data && bytes.size == 0);
	}
	def = rbl_default_viewer_def();
	def.size_limit = 1000;
	CHECK(t, rbl_write_viewer_memory(NULL, &def, &bytes, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, io_log_has("size_limit"));
	CHECK(t, rbl_write_viewer("/nowhere/page.html", NULL, NULL, NULL) == RBL_IO_FAILED);
	// A report beyond the limit by itself.
	size_t size = 2u << 20;
	char *report = malloc(size + 1);
	CHECK(t, report != NULL);
	if (report) {
		memset(report, 'x', size);
		memcpy(report, "{\"a\":\"", 6);
		memcpy(report + size - 2, "\"}", 3);
		def.size_limit = 1u << 20;
		def.report = report;
		CHECK(t, rbl_write_viewer_memory(NULL, &def, &bytes, NULL) == RBL_LIMIT_REACHED);
	}
	free(report);
}

static void memory_may_run_out(test *t)
{
	rbl_film *film = make_film(t, 4, 20);
	int failures = 0;
	for (int n = 0; n < 10000; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_viewer_def def = rbl_default_viewer_def();
		def.allocator = FAULTY(&memory);
		def.report = "{\"notes\": [\"a\"]}";
		rbl_file_bytes bytes;
		rbl_result result = rbl_write_viewer_memory(film, &def, &bytes, NULL);
		rbl_free_bytes(&bytes);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		if (!memory.failed)
			break;
		failures++;
	}
	CHECK(t, failures > 5 && failures < 9000);
	rbl_destroy_film(film);
}

TEST_MAIN(TEST(a_page_has_film_title_and_report), TEST(a_page_needs_no_film),
          TEST(large_films_are_thinned), TEST(a_film_that_cannot_be_thinned_is_left_out),
          TEST(what_cannot_be_written_is_refused), TEST(memory_may_run_out))
