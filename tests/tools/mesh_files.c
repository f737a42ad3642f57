// SPDX-License-Identifier: MIT
// ctest: native
//
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
	const char *models[] = { "stanford-bunny.obj", "teapot.obj", "suzanne.obj", "beetle.obj" };
	const char *outs[] = { RBL_BINARY_DIR "/tools_repaired.obj",
		                   RBL_BINARY_DIR "/tools_repaired.glb" };
	for (int i = 0; i < 8; ++i) {
		const char *out = outs[i % 2];
		CHECK(t, run_with("info --json " MODELS "%s", models[i / 2], "") == 0);
		CHECK(t, printed("breakable") == 0.0 &&
		             strstr(output, "\"reason\": \"the mesh is not closed"));
		CHECK(t, run_with("convert --repair " MODELS "%s '%s'", models[i / 2], out) == 0);
		CHECK(t, strstr(output, "holes filled") != NULL);
		CHECK(t, run_with("info --json '%s'", out, "") == 0);
		CHECK(t,
		      printed("closed") == 1.0 && printed("manifold") == 1.0 && printed("oriented") == 1.0);
		CHECK(t, printed("breakable") == 1.0 && strstr(output, "\"reason\": \"\""));
		CHECK(t, printed("genus") >= 0.0 && printed("volume") > 0.0);
		remove(out);
	}
	remove(RBL_BINARY_DIR "/tools_repaired.mtl");
}

// What info says of a mesh is what fracture does with it, and repair mends what neither takes.
static void info_fracture_and_repair_agree(test *t)
{
	if (is_skipped(t, false))
		return;
	static const struct {
		const char *text, *reason;
	} cases[] = {
		// A bow tie, an inside-out tetrahedron, and one that is fine.
		{ "OFF\n8 12 0\n0 0 0\n2 1 0\n2 0 0\n0 1.5 0\n0 0 1\n2 1 1\n2 0 1\n0 1.5 1\n"
		  "3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n3 3 4 7\n"
		  "3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n",
		  "crosses itself" },
		{ "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n",
		  "inside out" },
		{ "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n", NULL },
	};
	const char *in = RBL_BINARY_DIR "/tools_agree.off", *out = RBL_BINARY_DIR "/tools_agree.ply";
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		FILE *file = fopen(in, "wb");
		fputs(cases[i].text, file);
		fclose(file);
		bool is_good = !cases[i].reason;
		CHECK(t, run_with("info --json '%s'", in, "") == 0);
		CHECK(t, printed("breakable") == is_good && printed("closed") == 1.0);
		CHECK(t, is_good || strstr(output, cases[i].reason));
		CHECK(t, run_with("fracture --cells 20 '%s'", in, "") == (is_good ? 0 : 1));
		CHECK(t, strstr(output, is_good ? " 0 inside out" : cases[i].reason));
		CHECK(t, run_with("prepare --nodes 9 '%s'", in, "") == (is_good ? 0 : 1));
		CHECK(t, run_with("convert --repair '%s' '%s'", in, out) == 0);
		CHECK(t, run_with("info --json '%s'", out, "") == 0 && printed("breakable") == 1.0);
		CHECK(t, run_with("fracture --repair --cells 20 '%s'", in, "") == 0);
		CHECK(t, strstr(output, is_good ? "nothing to repair\n" : "repaired: "));
		CHECK(t, strstr(output, " 0 open, 0 inside out"));
		remove(out);
		remove(in);
	}
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
	             strstr(output, "tools_bad.obj: it has no vertices"));
	CHECK(t,
	      run_with("convert '%s' '%s'", bad, "x.ply") == 1 && strstr(output, "it has no vertices"));
	remove(bad);
}

// Links beside a file that lead elsewhere, and files that are large or none.
static void files_beside_stay_in_their_folder(test *t)
{
	if (!open_folder(t, "convert"))
		return;
	static const char obj[] = "mtllib a.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
	char line[400];
	snprintf(line, sizeof line,
	         "cd '%s' && mkdir in && ln -s ../a.mtl in/a.mtl && mkfifo in/pipe.obj && "
	         "truncate -s 3G in/large.obj",
	         folder);
	CHECK(t, system(line) == 0);
	write_file("a.mtl", "newmtl red\nKd 1 0 0\n", 20);
	write_file("in/a.obj", obj, strlen(obj));
	CHECK(t, run("convert in/a.obj a.glb") == 0 && strstr(output, "outside of the folder"));
	CHECK(t, run("convert in/a.obj a.glb --allow-outside") == 0 && !strstr(output, "warning"));
	CHECK(t, run("convert in/a.obj a.glb --size-limit 20") == 1 && strstr(output, "size_limit"));
	CHECK(t, run("convert in/large.obj a.glb") == 1 && strstr(output, "size_limit"));
	const char *const calls[] = { "convert in/pipe.obj a.glb",
		                          "info in/pipe.obj",
		                          "fracture in/pipe.obj",
		                          "hull in/pipe.obj",
		                          "prepare in/pipe.obj",
		                          "prepare /dev/zero",
		                          "prepare in/a.obj --nodes in/pipe.obj",
		                          "fracture /dev/zero",
		                          "collide in/pipe.obj" };
	for (int i = 0; i < 9; ++i)
		CHECK(t, run(calls[i]) == 1 && strstr(output, "not a regular file"));
	close_folder(t);
}

TEST_MAIN(TEST(models_are_what_their_table_says), TEST(open_models_are_closed_by_repair),
          TEST(closed_models_are_not_changed_by_repair), TEST(every_format_is_written_and_read),
          TEST(errors_say_file_and_line), TEST(files_beside_stay_in_their_folder),
          TEST(info_fracture_and_repair_agree))
