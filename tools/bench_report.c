// SPDX-License-Identifier: MIT
//
// `rubble bench --report`: rows of benchmarks as a web page, with those of another run and targets
// beside them. All are files as `rubble bench --json` writes them; the page draws them.

#include "bench_report.h"

#include "errors.h"
#include "files.h"
#include "system.h"

#include <rubble/json.h>
#include <rubble/viewer.h>

#include <stdlib.h>
#include <string.h>

// Whether a text is a list of rows. @return a STATUS_; an error is printed
static int check_rows(const char *name, const char *text, size_t size)
{
	static const char *const texts[] = { "suite", "case", "variant", "metric", "unit" };
	rbl_json_document *document = NULL;
	rbl_result result = rbl_parse_json(text, size, name, NULL, &document);
	if (result != RBL_OK)
		return fail_with(result, name);
	const rbl_json *root = rbl_json_root(document);
	int status = STATUS_OK, count = rbl_json_count(root);
	if (rbl_json_get_type(root) != RBL_JSON_LIST || count == 0)
		status = fail("%s: this is no list of rows, as rubble bench --json writes it", name);
	for (int i = 0; i < count && status == STATUS_OK; ++i) {
		const rbl_json *row = rbl_json_item(root, i);
		for (int k = 0; k < 5 && status == STATUS_OK; ++k)
			if (!row || rbl_json_get_type(row) != RBL_JSON_OBJECT ||
			    !rbl_json_text(rbl_json_member(row, texts[k])))
				status = fail("%s: row %d has no text '%s'", name, i + 1, texts[k]);
	}
	rbl_destroy_json(document);
	return status;
}

// Read a file of rows as text. @return a STATUS_; an error is printed
static int read_rows(const char *path, char **text)
{
	rbl_file_bytes bytes;
	*text = NULL;
	if (read_bytes(path, 64u << 20, &bytes) != STATUS_OK)
		return STATUS_FAILED;
	int status = check_rows(path, (const char *)bytes.data, bytes.size);
	if (status == STATUS_OK) {
		*text = malloc(bytes.size + 1);
		if (*text) {
			memcpy(*text, bytes.data, bytes.size);
			(*text)[bytes.size] = '\0';
		} else {
			status = fail("out of memory");
		}
	}
	rbl_free_bytes(&bytes);
	return status;
}

static int check_file(const char *path)
{
	char *text = NULL;
	int status = path ? read_rows(path, &text) : STATUS_OK;
	free(text);
	return status;
}

int check_bench_report(const bench_report *report)
{
	if (!is_html_name(report->path))
		return fail("%s: the name must end in .html", report->path);
	int status = check_file(report->results);
	if (status == STATUS_OK)
		status = check_file(report->before);
	return status == STATUS_OK ? check_file(report->targets) : status;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

// A name between quotes.
static void put_name(FILE *json, const char *text)
{
	fputc('"', json);
	for (const char *c = text; *c; ++c)
		if ((unsigned char)*c >= ' ')
			fprintf(json, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
	fputc('"', json);
}

static int write_page(const bench_report *report, const char *rows, const char *before,
                      const char *targets)
{
	text_stream stream;
	if (!open_text_stream(&stream))
		return fail("out of memory");
	FILE *json = stream.file;
	int version = rbl_version();
	fprintf(json, "{\"kind\": \"bench\", \"subtitle\": \"rubble %d.%d.%d\", \"rows\": %s",
	        version / 10000, version / 100 % 100, version % 100, rows);
	if (before) {
		fprintf(json, ", \"before\": %s, \"before_name\": ", before);
		put_name(json, file_name(report->before));
	}
	if (targets)
		fprintf(json, ", \"targets\": %s", targets);
	fprintf(json, "}\n");
	rbl_result result = close_text_stream(&stream) ? RBL_OK : RBL_OUT_OF_MEMORY;
	rbl_viewer_def def = rbl_default_viewer_def();
	rbl_viewer_info info = { 0 };
	def.title = "Rubble: benchmarks";
	def.report = stream.text;
	if (result == RBL_OK)
		result = rbl_write_viewer(report->path, NULL, &def, &info);
	free(stream.text);
	if (result != RBL_OK)
		return fail_with(result, report->path);
	say("report: %s, %.1f MB\n", report->path, (double)info.size * 1e-6);
	return STATUS_OK;
}

int write_bench_report(const bench_report *report)
{
	char *rows = NULL, *before = NULL, *targets = NULL;
	int status = report->results ? read_rows(report->results, &rows) : STATUS_OK;
	if (status == STATUS_OK && !report->results)
		status = check_rows("the run", report->rows, strlen(report->rows));
	if (status == STATUS_OK && report->before)
		status = read_rows(report->before, &before);
	if (status == STATUS_OK && report->targets)
		status = read_rows(report->targets, &targets);
	if (status == STATUS_OK)
		status = write_page(report, rows ? rows : report->rows, before, targets);
	free(rows);
	free(before);
	free(targets);
	return status;
}
