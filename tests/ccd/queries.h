// SPDX-License-Identifier: MIT
// The file of continuous queries with exact truth, as tests read it.
//
// Little-endian: "CCDQ", u32 version 1, u32 count, then per query u8 type (0 vertex and face, 1
// edges), u8 truth, 24 doubles: four points at the start, four at the end.
#pragma once

#include <rubble/ccd.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ccd_query {
	int type, truth;
	rbl_vec3d start[4], end[4];
} ccd_query;

/// @return the queries, to be freed, or NULL when the file is not there
static inline ccd_query *read_ccd_queries(const char *path, int *count)
{
	FILE *file = fopen(path, "rb");
	unsigned char head[12], record[194];
	ccd_query *queries = NULL;
	*count = 0;
	if (!file)
		return NULL;
	if (fread(head, 1, 12, file) == 12 && memcmp(head, "CCDQ\1\0\0\0", 8) == 0) {
		int n = head[8] | head[9] << 8 | head[10] << 16;
		queries = calloc((size_t)n, sizeof *queries);
		while (queries && *count < n && fread(record, 1, 194, file) == 194) {
			ccd_query *q = &queries[(*count)++];
			q->type = record[0], q->truth = record[1];
			memcpy(q->start, record + 2, 96);
			memcpy(q->end, record + 98, 96);
		}
	}
	fclose(file);
	return queries;
}
