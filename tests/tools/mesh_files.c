// SPDX-License-Identifier: MIT
// rubble info and rubble convert, on the models of the shared folder and on what is made here.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#define MODELS RBL_SHARED_DIR "/models/"

// Run the program with two words put into its arguments. @return its exit status, -1 none
static int run_with(const char *format, const char *a, const char *b)
{
	char arguments[900];
	snprintf(arguments, sizeof arguments, format, a, b);
	return run(arguments);
}

static bool is_skipped(test *t, bool needs_models)
{
	if (is_absent(t, "info"))
		return true;
	if (needs_models && access(MODELS "spot.obj", R_OK) != 0)
		SKIP(t, "the shared models are not there");
	return t->skipped != NULL;
}

// The number or word of a field in the JSON; NAN when it is not there.
static double printed(const char *name)
{
	char quoted[60];
	snprintf(quoted, sizeof quoted, "\"%s\": ", name);
	const char *at = strstr(output, quoted);
	if (!at)
		return (double)NAN;
	at += strlen(quoted);
	return *at == 't' ? 1.0 : *at == 'f' ? 0.0 : strtod(at, NULL);
}

static void models_are_what_their_table_says(test *t)
{
	if (is_skipped(t, true))
		return;
	static const struct {
		const char *file;
		int vertices, triangles, components, boundary, nonmanifold, tetrahedra, genus;
	} rows[] = {
		{ "stanford-bunny.obj", 35947, 69451, -1, 223, 0, -1, -1 },
		{ "bunny-7k.off", 3485, 6966, 1, 0, 0, -1, 0 },
		{ "bunny-tets.mesh", 5433, 6966, 1, 0, 0, 34055, 0 },
		{ "octopus-tets.mesh", -1, -1, 1, 0, 0, 1140, 0 },
		{ "armadillo.obj", 43243, 86482, 1, 0, 0, -1, 0 },
		{ "spot.obj", 2930, 5856, 1, 0, 0, -1, 0 },
		{ "fandisk.obj", 6475, 12946, 1, 0, 0, -1, 0 },
		{ "rocker-arm.obj", 10044, 20088, 1, 0, 0, -1, 1 },
		{ "fertility.off", 4494, 9000, 1, 0, 0, -1, 4 },
		{ "three-holes.off", 3596, 7200, 1, 0, 0, -1, 3 },
		{ "teapot.obj", 3644, 6320, 4, 1036, 0, -1, -1 },
		{ "beetle.obj", 1148, 2053, -1, 296, 47, -1, -1 },
		{ "suzanne.obj", 507, 968, 3, 42, 1, -1, -1 },
		{ "igea.ply", 134345, 268686, 1, 0, 0, -1, 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		CHECK(t, run_with("info --json " MODELS "%s", rows[i].file, "") == 0);
		CHECK(t, rows[i].vertices < 0 || printed("vertices") == rows[i].vertices);
		CHECK(t, rows[i].triangles < 0 || printed("triangles") == rows[i].triangles);
		CHECK(t, rows[i].components < 0 || printed("components") == rows[i].components);
		CHECK(t, printed("boundary_edges") == rows[i].boundary);
		CHECK(t, printed("nonmanifold_edges") == rows[i].nonmanifold);
		CHECK(t, rows[i].tetrahedra < 0 || printed("tetrahedra") == rows[i].tetrahedra);
		CHECK(t, printed("closed") == (rows[i].boundary == 0));
		CHECK(t, printed("manifold") ==
		             (rows[i].nonmanifold == 0 && printed("nonmanifold_vertices") == 0.0));
		CHECK(t, printed("genus") == rows[i].genus);
		CHECK(t, (printed("volume") > 0.0) == (rows[i].boundary == 0));
	}
}

static void open_models_are_closed_by_repair(test *t)
{
	if (is_skipped(t, true))
		return;
	const char *models[] = { "stanford-bunny.obj", "teapot.obj", "suzanne.obj" };
	const char *outs[] = { RBL_BINARY_DIR "/tools_repaired.obj",
		                   RBL_BINARY_DIR "/tools_repaired.glb" };
	for (int i = 0; i < 6; ++i) {
		const char *out = outs[i % 2];
		CHECK(t, run_with("convert --repair " MODELS "%s '%s'", models[i / 2], out) == 0);
		CHECK(t, strstr(output, "holes filled") != NULL);
		CHECK(t, run_with("info --json '%s'", out, "") == 0);
		CHECK(t,
		      printed("closed") == 1.0 && printed("manifold") == 1.0 && printed("oriented") == 1.0);
		CHECK(t, printed("genus") == 0.0 && printed("volume") > 0.0);
		remove(out);
	}
	remove(RBL_BINARY_DIR "/tools_repaired.mtl");
}

// What is closed and manifold comes out with the same bytes as without --repair.
static void closed_models_are_not_changed_by_repair(test *t)
{
	if (is_skipped(t, true))
		return;
	const char *models[] = { "spot.obj", "fandisk.obj", "three-holes.off" };
	for (int i = 0; i < 3; ++i) {
		CHECK(t,
		      run_with("convert " MODELS "%s '%s'", models[i], RBL_BINARY_DIR "/tools_a.ply") == 0);
		CHECK(t, run_with("convert --repair " MODELS "%s '%s'", models[i],
		                  RBL_BINARY_DIR "/tools_b.ply") == 0);
		CHECK(t, strstr(output, "nothing to repair") != NULL);
		CHECK(t, system("cmp -s '" RBL_BINARY_DIR "/tools_a.ply' '" RBL_BINARY_DIR
		                "/tools_b.ply'") == 0);
	}
	remove(RBL_BINARY_DIR "/tools_a.ply");
	remove(RBL_BINARY_DIR "/tools_b.ply");
}

static void every_format_is_written_and_read(test *t)
{
	if (is_skipped(t, false))
		return;
	const char *start = RBL_BINARY_DIR "/tools_start.off";
	FILE *file = fopen(start, "wb");
	fputs("OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n", file);
	fclose(file);
	const char *outs[] = { RBL_BINARY_DIR "/tools_x.obj", RBL_BINARY_DIR "/tools_x.ply",
		                   RBL_BINARY_DIR "/tools_x.stl", RBL_BINARY_DIR "/tools_x.glb" };
	for (int i = 0; i < 4; ++i) {
		CHECK(t, run_with("convert --up z --scale 2 --left-handed --text '%s' '%s'", start,
		                  outs[i]) == 0);
		CHECK(t, run_with("info --json '%s'", outs[i], "") == 0);
		CHECK(t, printed("closed") == 1.0 && printed("vertices") == 4.0);
		CHECK_NEAR(t, printed("volume"), 8.0 / 6.0, 1e-6);
		CHECK(t, run_with("info '%s'", outs[i], "") == 0 &&
		             strstr(output, "size              2 x 2 x 2 m"));
		remove(outs[i]);
	}
	CHECK(t, run_with("convert '%s' '%s'", start, RBL_BINARY_DIR "/tools_x.off") == 1);
	CHECK(t, strstr(output, "cannot write off files") != NULL);
	remove(start);
}

static void errors_say_file_and_line(test *t)
{
	if (is_skipped(t, false))
		return;
	const char *bad = RBL_BINARY_DIR "/tools_bad.obj";
	FILE *file = fopen(bad, "wb");
	fputs("v 0 0 0\nv 1 0\n", file);
	fclose(file);
	CHECK(t,
	      run_with("info '%s'", bad, "") == 1 && strstr(output, "tools_bad.obj:2: a vertex needs"));
	CHECK(t,
	      run_with("convert '%s' '%s'", bad, "x.ply") == 1 && strstr(output, "tools_bad.obj:2:"));
	CHECK(t, run("info nowhere.obj") == 1 && strstr(output, "No such file"));
	CHECK(t, run("info") == 2 && run("convert a") == 2);
	file = fopen(bad, "wb");
	fputs("v 0 0 0\n", file);
	fclose(file);
	CHECK(t, run_with("convert --repair '%s' '%s'", bad, "x.ply") == 1);
	file = fopen(bad, "wb");
	fputs("no mesh at all\n", file);
	fclose(file);
	CHECK(t, run_with("info '%s'", bad, "") == 1 &&
	             strstr(output, "tools_bad.obj: no vertices in it"));
	CHECK(t,
	      run_with("convert '%s' '%s'", bad, "x.ply") == 1 && strstr(output, "no vertices in it"));
	remove(bad);
}

TEST_MAIN(TEST(models_are_what_their_table_says), TEST(open_models_are_closed_by_repair),
          TEST(closed_models_are_not_changed_by_repair), TEST(every_format_is_written_and_read),
          TEST(errors_say_file_and_line))
