// SPDX-License-Identifier: MIT
// rubble bench: the front door of the benchmark harness.

#include "bench.h"

#include "bench_report.h"
#include "commands.h"
#include "errors.h"
#include "progress.h"
#include "system.h"

#include <stdlib.h>

// Without the library that writes pages, --report is not among the options.
#ifdef RBL_HAS_IO
static int run_with_report(bench_options *chosen, bench_report *report)
{
	int status = check_bench_report(report), written;
	if (status != STATUS_OK)
		return status;
	if (report->results)
		return write_bench_report(report);
	text_stream rows;
	if (!open_text_stream(&rows))
		return fail("out of memory");
	chosen->json_stream = rows.file;
	status = bench_run(chosen);
	written = close_text_stream(&rows) ? STATUS_OK : fail("out of memory");
	if (written == STATUS_OK && status != STATUS_USAGE) {
		report->rows = rows.text;
		written = write_bench_report(report);
	}
	free(rows.text);
	return status == STATUS_OK ? written : status;
}
#endif

static int run(int argc, char **argv)
{
	bench_options chosen = { .show_progress = progress_is_wanted() };
	bench_report report = { 0 };
	const option options[] = {
		OPTION_TEXT("case", "NAME", &chosen.case_name,
		            "only cases with NAME in their name, in full; =NAME: this one, as without"),
		OPTION_FLAG("quick", &chosen.is_quick, "smaller inputs, fewer repetitions"),
		OPTION_FLAG("thorough", &chosen.is_thorough,
		            "also what takes long and shows what other cases show at another size"),
		OPTION_INT("repeat", "N", &chosen.repeat, 1, 100000, "repeat each measurement N times"),
		OPTION_OUTPUT("json", "FILE", &chosen.json_path, "write all rows to FILE as well"),
#ifdef RBL_HAS_IO
		OPTION_OUTPUT("report", "FILE.html", &report.path,
		              "write a web page with bars of all rows"),
		OPTION_TEXT("results", "FILE", &report.results,
		            "the report shows these rows (of --json), and nothing is run"),
		OPTION_TEXT("before", "FILE", &report.before, "rows that the report compares with"),
		OPTION_TEXT("targets", "FILE", &report.targets,
		            "rows of the variants must and aim, which the report marks"),
#endif
		OPTION_FLAG("times", &chosen.show_times, "say how long each case takes"),
		OPTION_FLAG("list", &chosen.is_list, "list suites and cases, run nothing"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_bench, options, argc, argv, &found, &status))
		return status;
	chosen.suites = (const char *const *)found.items;
	chosen.suite_count = found.count;
#ifdef RBL_HAS_IO
	if (report.path && !chosen.is_list)
		return run_with_report(&chosen, &report);
#endif
	if (report.results || report.before || report.targets)
		return fail_usage(&command_bench,
		                  "--results, --before and --targets need --report FILE.html");
	return bench_run(&chosen);
}

const command command_bench = {
	.name = "bench",
	.arguments = "[SUITE...]",
	.about = "measure suites of benchmarks, all when none is named",
	.details = "A table goes to standard output: time is the minimum of all repetitions. The JSON "
			   "is a flat\n"
			   "list of rows {suite, case, variant, metric, value, unit}.",
	.max_arguments = -1,
	.run = run,
};
