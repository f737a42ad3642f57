// SPDX-License-Identifier: MIT
// rubble ccd: continuous tests on a file of queries with known answers.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "commands.h"
#include "errors.h"
#include "files.h"

#include <rubble/ccd.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAD_SIZE = 12, RECORD_SIZE = 194, TYPE_COUNT = 2 };

static const char *const type_names[TYPE_COUNT] = { "vertex_face", "edge_edge" };

typedef struct query {
	int type;
	bool truth;
	rbl_vec3d start[4], end[4];
} query;

typedef struct tally {
	int queries, false_negatives, false_positives;
	double ns; // of all queries, the minimum of all repetitions
} tally;

static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static uint32_t read_u32(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static double read_double(const unsigned char *bytes)
{
	uint64_t bits = (uint64_t)read_u32(bytes) | (uint64_t)read_u32(bytes + 4) << 32;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void read_points(const unsigned char *bytes, rbl_vec3d points[4])
{
	for (int i = 0; i < 4; ++i)
		points[i] = (rbl_vec3d){ read_double(bytes + 24 * i), read_double(bytes + 24 * i + 8),
			                     read_double(bytes + 24 * i + 16) };
}

/// Read queries. @return a STATUS_
static int read_queries(const char *name, query **queries, int *count)
{
	rbl_file_bytes file;
	int status = read_bytes(name, 0, &file);
	const unsigned char *bytes = file.data;
	size_t size = file.size;
	uint32_t promised = 0;
	if (status == STATUS_OK && (size < HEAD_SIZE || memcmp(bytes, "CCDQ", 4) != 0))
		status = fail("%s: not a query file: it does not begin with CCDQ", name);
	else if (status == STATUS_OK && read_u32(bytes + 4) != 1)
		status = fail("%s: version %u, only 1 is known", name, (unsigned)read_u32(bytes + 4));
	else if (status == STATUS_OK)
		promised = read_u32(bytes + 8);
	size_t here = status == STATUS_OK ? (size - HEAD_SIZE) / RECORD_SIZE : 0;
	if (status == STATUS_OK && here < promised)
		status = fail("%s: ends after query %zu of %u", name, here, (unsigned)promised);
	else if (status == STATUS_OK && size != HEAD_SIZE + (size_t)promised * RECORD_SIZE)
		status = fail("%s: continues after query %u", name, (unsigned)promised);
	else if (status == STATUS_OK && promised > INT_MAX)
		status = fail("%s: more than %d queries", name, INT_MAX);
	*queries = status == STATUS_OK ? malloc((size_t)promised * sizeof **queries + 1) : NULL;
	if (status == STATUS_OK && !*queries)
		status = fail("%s: out of memory", name);
	*count = 0;
	for (uint32_t i = 0; i < promised && status == STATUS_OK; ++i) {
		const unsigned char *record = bytes + HEAD_SIZE + (size_t)i * RECORD_SIZE;
		query *q = &(*queries)[(*count)++];
		q->type = record[0], q->truth = record[1] != 0;
		read_points(record + 2, q->start);
		read_points(record + 98, q->end);
		if (record[0] > 1 || record[1] > 1)
			status = fail("%s: query %u has type %d and truth %d", name, (unsigned)i, record[0],
			              record[1]);
	}
	rbl_free_bytes(&file);
	return status;
}

/// Run all queries of a type once. @return RBL_OK, or why a query was refused
static rbl_result ask(const query *queries, int count, int type, tally *sum)
{
	*sum = (tally){ 0 };
	double begin = now_ns();
	for (int i = 0; i < count; ++i) {
		const query *q = &queries[i];
		if (q->type != type)
			continue;
		rbl_impact impact;
		rbl_result result = type ? rbl_test_edge_edge(q->start, q->end, 0.0, &impact)
		                         : rbl_test_vertex_face(q->start, q->end, 0.0, &impact);
		if (result != RBL_OK)
			return result;
		sum->queries++;
		sum->false_negatives += q->truth && !impact.is_hit;
		sum->false_positives += !q->truth && impact.is_hit;
	}
	sum->ns = now_ns() - begin;
	return RBL_OK;
}

static double ns_per_query(const tally *sum)
{
	return sum->queries ? sum->ns / sum->queries : 0.0;
}

static void write_tally(FILE *file, const tally *sum, const char *indent)
{
	fprintf(file,
	        "%s\"queries\": %d,\n%s\"false_negatives\": %d,\n%s\"false_positives\": %d,\n"
	        "%s\"ns_per_query\": %.1f",
	        indent, sum->queries, indent, sum->false_negatives, indent, sum->false_positives,
	        indent, ns_per_query(sum));
}

static int write_json(const char *name, const tally types[TYPE_COUNT], const tally *all)
{
	FILE *file = create_file(name);
	if (!file)
		return STATUS_FAILED;
	fprintf(file, "{\n");
	write_tally(file, all, "  ");
	for (int i = 0; i < TYPE_COUNT; ++i) {
		fprintf(file, ",\n  \"%s\": {\n", type_names[i]);
		write_tally(file, &types[i], "    ");
		fprintf(file, "\n  }");
	}
	fprintf(file, "\n}\n");
	return close_file(file, name);
}

static void print_tally(const char *name, const tally *sum)
{
	say("%-12s %8d %16d %16d %13.1f\n", name, sum->queries, sum->false_negatives,
	    sum->false_positives, ns_per_query(sum));
}

static int measure(const query *queries, int count, int repeat, const char *in, const char *json)
{
	tally types[TYPE_COUNT], all = { 0 };
	for (int type = 0; type < TYPE_COUNT; ++type) {
		for (int i = 0; i < repeat; ++i) {
			tally sum;
			rbl_result result = ask(queries, count, type, &sum);
			if (result != RBL_OK)
				return fail_with(result, in);
			double smallest = i > 0 && types[type].ns < sum.ns ? types[type].ns : sum.ns;
			types[type] = sum;
			types[type].ns = smallest;
		}
		all.queries += types[type].queries;
		all.false_negatives += types[type].false_negatives;
		all.false_positives += types[type].false_positives;
		all.ns += types[type].ns;
	}
	say("%-12s %8s %16s %16s %13s\n", "", "queries", "false negatives", "false positives",
	    "ns per query");
	for (int type = 0; type < TYPE_COUNT; ++type)
		print_tally(type_names[type], &types[type]);
	print_tally("all", &all);
	return json ? write_json(json, types, &all) : STATUS_OK;
}

static int run(int argc, char **argv)
{
	const char *json = NULL;
	int repeat = 9;
	const option options[] = {
		OPTION_INT("repeat", "N", &repeat, 1, 10000,
		           "repetitions, of which the fastest counts; default 9"),
		OPTION_OUTPUT("json", "FILE", &json, "write the result as JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_ccd, options, argc, argv, &found, &status))
		return status;
	const char *in = found.items[0];
	query *queries = NULL;
	int count = 0;
	status = read_queries(in, &queries, &count);
	if (status == STATUS_OK)
		status = measure(queries, count, repeat, in, json);
	free(queries);
	return status;
}

const command command_ccd = {
	.name = "ccd",
	.arguments = "QUERIES.bin",
	.about = "run continuous collision tests on queries with known answers",
	.details =
		"The file is little-endian: \"CCDQ\", u32 version 1, u32 count, and per query u8 type\n"
		"(0 vertex and face, 1 two edges), u8 truth, 24 doubles: four points at the start, four\n"
		"at the end; v f0 f1 f2, or a0 a1 b0 b1.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
