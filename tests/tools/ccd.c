// SPDX-License-Identifier: MIT
// ctest: native
// rubble ccd, on files written here and on the shared queries.

#define _POSIX_C_SOURCE 200809L

#include "tools/command.h"

/// Write some bytes of a file with one query of each type: a vertex that falls through a face, and
/// the same points as two edges, which miss.
static void write_queries(size_t size, int offset, int value)
{
	static const double points[24] = { 0.25, 0.25, 1.0, 0, 0, 0, 1, 0, 0, 0, 1, 0,
		                               0.25, 0.25, -1., 0, 0, 0, 1, 0, 0, 0, 1, 0 };
	unsigned char bytes[401] = "CCDQ\1\0\0\0\2";
	for (int i = 0; i < 2; ++i) {
		unsigned char *record = bytes + 12 + 194 * i;
		record[0] = (unsigned char)i, record[1] = 1;
		memcpy(record + 2, points, sizeof points);
	}
	if (offset >= 0)
		bytes[offset] = (unsigned char)value;
	write_file("q.bin", bytes, size);
}

static void queries_are_counted(test *t)
{
	if (!open_folder(t, "ccd"))
		return;
	write_queries(400, -1, 0);
	CHECK(t, run("ccd q.bin --json out.json --repeat 2") == 0);
	CHECK(t, strstr(output, "vertex_face") && strstr(output, "edge_edge") && strstr(output, "all"));
	const char *json = text_of("out.json");
	CHECK(t, strstr(json, "\"queries\": 2,\n  \"false_negatives\": 1,\n  \"false_positives\": 0"));
	CHECK(t, strstr(json, "\"vertex_face\": {\n    \"queries\": 1,\n    \"false_negatives\": 0"));
	CHECK(t, strstr(json, "\"edge_edge\": {\n    \"queries\": 1,\n    \"false_negatives\": 1"));
	CHECK(t, strstr(json, "\"ns_per_query\": "));
	CHECK(t, run("ccd q.bin --json no/such/folder.json") == 1);

	for (size_t size = 0; size < 400; size += 13) { // cut short
		write_queries(size, -1, 0);
		CHECK(t, run("ccd q.bin") == 1);
	}
	write_queries(401, -1, 0); // too long
	CHECK(t, run("ccd q.bin") == 1);
	const int wrong[4][2] = { { 0, 'X' }, { 4, 2 }, { 12, 2 }, { 13, 9 } };
	for (int i = 0; i < 4; ++i) {
		write_queries(400, wrong[i][0], wrong[i][1]);
		CHECK(t, run("ccd q.bin") == 1);
	}
	write_queries(400, 14 + 23, 0x7f); // 3f f0 is one, 7f f0 is infinite
	CHECK(t, run("ccd q.bin") == 1 && strstr(output, "not finite"));
	write_queries(400, -1, 0);
	CHECK(t, run("ccd absent.bin") == 1);
	CHECK(t, run("ccd .") == 1 && strstr(output, "directory"));
	CHECK(t, run("ccd") == 2);
	close_folder(t);
}

static void the_shared_queries_are_all_right(test *t)
{
	const char *path = RBL_SHARED_DIR "/data/ccd-queries.bin";
	if (access(PROGRAM, X_OK) != 0 || access(path, R_OK) != 0) {
		SKIP(t, "no program, or no file of queries");
		return;
	}
	strcpy(folder, "/tmp");
	char line[300];
	snprintf(line, sizeof line, "ccd '%s' --repeat 1", path);
	CHECK(t, run(line) == 0);
	int count = 0, negatives = -1, positives = -1;
	const char *all = strstr(output, "\nall");
	CHECK(t, all && sscanf(all, " all %d %d %d", &count, &negatives, &positives) == 3);
	CHECK(t, count == 3621 && negatives == 0 && positives == 0);
}

TEST_MAIN(TEST(queries_are_counted), TEST(the_shared_queries_are_all_right))
