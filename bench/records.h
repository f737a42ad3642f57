// SPDX-License-Identifier: MIT
// What a run of the harness has recorded, and how it is printed.
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { BENCH_NAME_LENGTH = 64 };

typedef struct bench_record {
	const char *suite;
	char case_name[BENCH_NAME_LENGTH];
	char variant[BENCH_NAME_LENGTH];
	char metric[BENCH_NAME_LENGTH];
	char unit[16];
	double value;
} bench_record;

typedef struct bench_records {
	bench_record *data;
	int count, capacity;
} bench_records;

/// Append; exits the program when memory ran out.
void bench_records_add(bench_records *records, const bench_record *record);

/// Drop every record of a suite's case and variant.
void bench_records_drop(bench_records *records, const char *suite, const char *case_name,
                        const char *variant);

/// Print the records from `begin` on as tables: a line per case and variant, a column per metric.
void bench_print_table(FILE *file, const bench_records *records, int begin);

/// Write all records as a flat JSON list. @return false when writing failed
bool bench_write_json(FILE *file, const bench_records *records);
