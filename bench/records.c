// SPDX-License-Identifier: MIT
//
// Records of a run as a table and as JSON.
//
// A table line is one case and variant; its columns are the metrics in order of first use.
// Neighbouring cases with the same metrics share a heading. The last column compares the first
// metric with that of the case's first variant. What does not fit beside it stands in further tables
// below, twelve columns each. Points of curves are left out.

#include "records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 48, TABLE_COLUMNS = 12, CELL_LENGTH = 32 };

void bench_records_add(bench_records *records, const bench_record *record)
{
	if (records->count == records->capacity) {
		int capacity = records->capacity ? 2 * records->capacity : 64;
		bench_record *data = realloc(records->data, (size_t)capacity * sizeof *data);
		if (!data) {
			fprintf(stderr, "rubble: out of memory\n");
			exit(1);
		}
		records->data = data;
		records->capacity = capacity;
	}
	records->data[records->count++] = *record;
}

static bool is_of(const bench_record *record, const char *suite, const char *case_name,
                  const char *variant)
{
	return strcmp(record->suite, suite) == 0 && strcmp(record->case_name, case_name) == 0 &&
	       (!variant || strcmp(record->variant, variant) == 0);
}

void bench_records_drop(bench_records *records, const char *suite, const char *case_name,
                        const char *variant)
{
	int kept = 0;
	for (int i = 0; i < records->count; ++i)
		if (!is_of(&records->data[i], suite, case_name, variant))
			records->data[kept++] = records->data[i];
	records->count = kept;
}

// The metrics of one case.
typedef struct columns {
	const char *names[MAX_COLUMNS];
	int count;
} columns;

static columns columns_of_case(const bench_records *records, int begin, const bench_record *first)
{
	columns result = { .count = 0 };
	for (int i = begin; i < records->count; ++i) {
		const bench_record *record = &records->data[i];
		if (!is_of(record, first->suite, first->case_name, NULL) || strchr(record->metric, '@'))
			continue;
		int k = 0;
		while (k < result.count && strcmp(result.names[k], record->metric) != 0)
			k++;
		if (k == result.count && k < MAX_COLUMNS)
			result.names[result.count++] = record->metric;
	}
	return result;
}

static bool same_columns(const columns *a, const columns *b)
{
	bool same = a->count == b->count;
	for (int i = 0; same && i < a->count; ++i)
		same = strcmp(a->names[i], b->names[i]) == 0;
	return same;
}

static const bench_record *find_metric(const bench_records *records, int begin,
                                       const bench_record *of, const char *metric)
{
	for (int i = begin; i < records->count; ++i)
		if (is_of(&records->data[i], of->suite, of->case_name, of->variant) &&
		    strcmp(records->data[i].metric, metric) == 0)
			return &records->data[i];
	return NULL;
}

// Four significant digits, whole numbers in full.
static void format_value(char *text, size_t size, const bench_record *record)
{
	double value = record->value;
	if (value == floor(value) && fabs(value) < 1e15)
		snprintf(text, size, "%.0f %s", value, record->unit);
	else if (fabs(value) >= 1000.0 && fabs(value) < 1e15)
		snprintf(text, size, "%.0f %s", value, record->unit);
	else
		snprintf(text, size, "%.4g %s", value, record->unit);
}

static int table_end(const columns *heading, int first)
{
	return heading->count < first + TABLE_COLUMNS ? heading->count : first + TABLE_COLUMNS;
}

// @param first  the first column of the table
static void print_heading(FILE *file, const columns *heading, int first)
{
	fprintf(file, "\n%-28s %-18s", "case", "variant");
	for (int k = first; k < table_end(heading, first); ++k)
		fprintf(file, " %13s", heading->names[k]);
	fprintf(file, first == 0 ? " %8s\n" : "\n", "ratio");
}

static void print_line(FILE *file, const bench_records *records, int begin,
                       const bench_record *record, const bench_record *reference,
                       const columns *heading, int first)
{
	bool is_first = strcmp(record->variant, reference->variant) == 0;
	fprintf(file, "%-28s %-18s", is_first ? record->case_name : "", record->variant);
	for (int k = first; k < table_end(heading, first); ++k) {
		char cell[CELL_LENGTH] = "";
		const bench_record *value = find_metric(records, begin, record, heading->names[k]);
		if (value)
			format_value(cell, sizeof cell, value);
		fprintf(file, " %13s", cell);
	}
	const bench_record *own = find_metric(records, begin, record, heading->names[0]);
	const bench_record *base = find_metric(records, begin, reference, heading->names[0]);
	if (first == 0 && !is_first && own && base && base->value != 0.0 &&
	    strcmp(own->unit, base->unit) == 0)
		fprintf(file, " %7.2fx", own->value / base->value);
	fprintf(file, "\n");
}

// The lines of one case, from its first record on.
static void print_case(FILE *file, const bench_records *records, int begin, int at,
                       const columns *heading, int first)
{
	for (int k = at; k < records->count; ++k) {
		const bench_record *record = &records->data[k];
		if (!is_of(record, records->data[at].suite, records->data[at].case_name, NULL))
			continue;
		bool is_new = true;
		for (int m = at; m < k; ++m)
			is_new &= !is_of(&records->data[m], record->suite, record->case_name, record->variant);
		if (is_new)
			print_line(file, records, begin, record, &records->data[at], heading, first);
	}
}

void bench_print_table(FILE *file, const bench_records *records, int begin)
{
	columns heading = { .count = 0 };
	for (int i = begin; i < records->count; ++i) {
		const bench_record *first = &records->data[i];
		bool is_new = true;
		for (int k = begin; k < i; ++k)
			is_new &= !is_of(&records->data[k], first->suite, first->case_name, NULL);
		if (!is_new)
			continue;
		columns own = columns_of_case(records, begin, first);
		if (own.count == 0) // curves alone
			continue;
		bool is_wide = own.count > TABLE_COLUMNS;
		if (is_wide || !same_columns(&own, &heading)) {
			heading = own;
			print_heading(file, &heading, 0);
		}
		print_case(file, records, begin, i, &heading, 0);
		for (int column = TABLE_COLUMNS; column < own.count; column += TABLE_COLUMNS) {
			print_heading(file, &heading, column);
			print_case(file, records, begin, i, &heading, column);
		}
	}
}

static void write_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
		if (*c == '"' || *c == '\\')
			fprintf(file, "\\%c", *c);
		else if (*c < 0x20)
			fprintf(file, "\\u%04x", (unsigned)*c);
		else
			fputc(*c, file);
	}
	fputc('"', file);
}

bool bench_write_json(FILE *file, const bench_records *records)
{
	fprintf(file, "[");
	for (int i = 0; i < records->count; ++i) {
		const bench_record *record = &records->data[i];
		fprintf(file, "%s\n{\"suite\": ", i ? "," : "");
		write_text(file, record->suite);
		fprintf(file, ", \"case\": ");
		write_text(file, record->case_name);
		fprintf(file, ", \"variant\": ");
		write_text(file, record->variant);
		fprintf(file, ", \"metric\": ");
		write_text(file, record->metric);
		// JSON has no word for infinity or not-a-number.
		if (isfinite(record->value))
			fprintf(file, ", \"value\": %.9g, \"unit\": ", record->value);
		else
			fprintf(file, ", \"value\": null, \"unit\": ");
		write_text(file, record->unit);
		fprintf(file, "}");
	}
	fprintf(file, "\n]\n");
	return !ferror(file);
}
