// SPDX-License-Identifier: MIT
// rubble bench: the front door of the benchmark harness.

#include "bench.h"

#include "commands.h"
#include "progress.h"

static int run(int argc, char **argv)
{
	bench_options chosen = { .show_progress = progress_is_wanted() };
	const option options[] = {
		OPTION_TEXT("case", "NAME", &chosen.case_name, "only cases with NAME in their name"),
		OPTION_FLAG("quick", &chosen.is_quick, "smaller inputs, fewer repetitions"),
		OPTION_INT("repeat", "N", &chosen.repeat, 1, 100000, "repeat each measurement N times"),
		OPTION_OUTPUT("json", "FILE", &chosen.json_path, "write all rows to FILE as well"),
		OPTION_FLAG("list", &chosen.is_list, "list suites and cases, run nothing"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_bench, options, argc, argv, &found, &status))
		return status;
	chosen.suites = (const char *const *)found.items;
	chosen.suite_count = found.count;
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
