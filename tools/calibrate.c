// SPDX-License-Identifier: MIT
// rubble calibrate: what the steps of surface collision cost on this machine, as the numbers that
// rbl_surface_costs takes.

#include "commands.h"
#include "errors.h"

#include <rubble/surface.h>

#include <stdio.h>

static int run(int argc, char **argv)
{
	bool is_json = false;
	const option options[] = {
		OPTION_FLAG("json", &is_json, "print JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_calibrate, options, argc, argv, &found, &status))
		return status;
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_costs costs;
	if (rbl_measure_surface_costs(&def, &costs) != RBL_OK) {
		fail("the measurement failed");
		return STATUS_FAILED;
	}
	if (is_json)
		printf("{ \"box_test\": %.9g, \"build_cluster\": %.9g }\n", (double)costs.box_test,
		       (double)costs.build_cluster);
	else
		printf("rbl_surface_costs: .box_test = %.1ff, .build_cluster = %.1ff\n",
		       (double)costs.box_test, (double)costs.build_cluster);
	return STATUS_OK;
}

const command command_calibrate = {
	.name = "calibrate",
	.arguments = "",
	.about = "measure the constants that decide about restructuring surfaces",
	.run = run,
};
