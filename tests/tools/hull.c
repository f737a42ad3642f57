// SPDX-License-Identifier: MIT
// ctest: native
// rubble hull, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static void a_hull_is_measured_and_written(test *t)
{
	if (!open_folder(t, "hull"))
		return;
	CHECK(t, run("make torus in.obj") == 0);
	CHECK(t, run("hull in.obj --vertices 24 --json out.json -o hull.obj") == 0);
	CHECK(t, field("vertices") == 24.0);
	CHECK(t, field("planes") > 20.0 && field("planes") <= 50.0);
	CHECK(t, field("ratio") > 1.0 && field("ratio") < 1.2 && field("ms") > 0.0);
	CHECK_NEAR(t, field("volume") / field("exact_volume"), field("ratio"), 1e-6);
	double printed = field("ratio");
	CHECK(t, run("info hull.obj") == 0 && strstr(output, "closed            yes"));
	CHECK(t, run("hull in.obj --vertices 24 --monotone --json out.json") == 0);
	CHECK(t, field("ratio") <= printed);
	CHECK(t, run("hull in.obj --vertices 24 --planes 12 --json out.json") == 0);
	CHECK(t, field("planes") <= 12.0);
	CHECK(t, run("hull absent.obj") == 1);
	CHECK(t, run("hull in.obj --json nowhere/out.json") == 1);
	CHECK(t, run("hull in.obj -o nowhere/hull.obj") == 1);
	CHECK(t, run("hull in.obj --vertices 3") == 2);
	close_folder(t);
}

TEST_MAIN(TEST(a_hull_is_measured_and_written))
