// SPDX-License-Identifier: MIT
// ctest: native
// rubble cut, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static void a_ball_is_cut_as_a_shell_and_as_a_solid(test *t)
{
	if (!open_folder(t, "cut"))
		return;
	static const char curve[] = "-0.9, 0.05, 0.0\n0.0, 0.02, 0.0\n0.9, 0.08, 0.0\n";
	write_file("curve.txt", curve, sizeof curve - 1);
	CHECK(t, run("make icosphere ball.obj") == 0);
	CHECK(t, run("cut ball.obj --along curve.txt --direction 0,0,1 --depth 2 -o halves.glb") == 0);
	CHECK(t, strstr(output, "in 2 pieces") && !strstr(output, "nothing"));
	CHECK(t, run("info halves.glb") == 0 && !strstr(output, "piece 2"));
	CHECK(t, run("cut ball.obj --along curve.txt --direction 0,0,1 --solid --json out.json "
	             "-o halves.obj") == 0);
	CHECK(t, field("pieces") == 2.0 && field("triangles") > field("triangles_before"));
	CHECK(t, run("info halves.obj") == 0 && strstr(output, "closed            yes"));
	CHECK(t, run("cut ball.obj --along \"0,0,2 1,0,2\" --direction 0,1,0") == 0);
	CHECK(t, strstr(output, "nothing is cut") && strstr(output, "in 1 piece\n"));
	CHECK(t, run("cut ball.obj") == 2);
	CHECK(t, run("cut ball.obj --along absent.txt") == 1);
	CHECK(t, run("cut ball.obj --along ball.obj") == 1);
	CHECK(t, run("cut ball.obj --along \"1,2,3\"") == 1);
	CHECK(t, run("cut absent.obj --along curve.txt") == 1);
	CHECK(t, run("cut ball.obj --along curve.txt -o nowhere/out.obj") == 1);
	close_folder(t);
}

TEST_MAIN(TEST(a_ball_is_cut_as_a_shell_and_as_a_solid))
