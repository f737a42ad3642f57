// SPDX-License-Identifier: MIT
// ctest: native
// rubble calibrate prints numbers that a definition takes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <rubble/surface.h>

static void constants_fit_into_a_definition(test *t)
{
	if (is_absent(t, "calibrate"))
		return;
	rbl_surface_def def = rbl_default_surface_def();
	CHECK(t, run("calibrate") == 0);
	CHECK(t, sscanf(output, "rbl_surface_costs: .box_test = %ff, .build_cluster = %ff",
	                &def.costs.box_test, &def.costs.build_cluster) == 2);
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	CHECK(t, def.costs.box_test < 1e6f && def.costs.build_cluster < 1e6f);
	rbl_destroy_surface(surface);
}

TEST_MAIN(TEST(constants_fit_into_a_definition))
