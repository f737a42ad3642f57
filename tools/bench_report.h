// SPDX-License-Identifier: MIT
// `rubble bench --report`: rows of benchmarks as a web page.
#pragma once

/// What a page of benchmarks shows. All but the first two may be NULL.
typedef struct bench_report {
	const char *path;    // of the page
	const char *results; // a file of rows, as --json writes it; NULL: `rows`
	const char *rows;    // the same as text
	const char *before;  // a file of rows to compare with
	const char *targets; // a file of rows of the variants "must" and "aim"
} bench_report;

/// Check names and files before long work. @return a STATUS_
int check_bench_report(const bench_report *report);

/// Write the page. @return a STATUS_
int write_bench_report(const bench_report *report);
