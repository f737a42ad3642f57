// SPDX-License-Identifier: MIT
// ctest: native
//
// `rubble make` as a user sees it: every shape it lists can be written, wrong words are refused.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <rubble/io.h>

static void every_listed_shape_can_be_written(test *t)
{
	if (is_absent(t, "make"))
		return;
	char list[sizeof output], path[] = RBL_BINARY_DIR "/make-XXXXXX";
	CHECK(t, mkdtemp(path) != NULL);
	CHECK(t, run("make --list") == 0);
	memcpy(list, output, sizeof list);
	int count = 0;
	char *rest = list;
	for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char arguments[sizeof path + 100], file[sizeof path + 20], name[40];
		CHECK(t, sscanf(line, "%39s", name) == 1);
		bool is_scene = strcmp(name, "building") == 0; // has textures: .glb only
		snprintf(file, sizeof file, "%s/shape.%s", path, is_scene ? "glb" : "stl");
		snprintf(arguments, sizeof arguments, "make %s '%s' --detail 2 --seed 7", name, file);
		CHECK(t, run(arguments) == 0);
		CHECK(t, strstr(output, is_scene ? "parts" : "vertices") != NULL);
		CHECK(t, access(file, R_OK) == 0);
		unlink(file);
		count++;
	}
	CHECK(t, count >= 14);
	rmdir(path);
}

static void wrong_words_are_refused(test *t)
{
	if (is_absent(t, "make"))
		return;
	CHECK(t, run("make") == 2);
	CHECK(t, run("make mug") == 2);
	CHECK(t, run("make colunm /tmp/never.obj") == 2 && strstr(output, "did you mean 'column'"));
	CHECK(t, run("make xyzzyx /tmp/never.obj") == 2 && strstr(output, "--list"));
	CHECK(t, run("make foo /tmp/never.obj") == 2 && !strstr(output, "did you mean"));
	CHECK(t, run("make box /tmp/never.xyz") == 1 && strstr(output, ".stl and .glb"));
	CHECK(t, run("make mug /tmp/never.obj --detail 0") == 2);
	CHECK(t, run("make arena /tmp/never.obj --detail 11") == 1 && strstr(output, "detail is 11"));
	CHECK(t, run("make box /tmp/no/such/folder/box.obj") == 1);
	CHECK(t, access("/tmp/never.obj", F_OK) != 0);
}

// A shape has a name, and so have its pieces, in a film also chips and dust.
static void everything_has_a_name(test *t)
{
	static const char scene[] =
		"{\"version\":2,\"step_count\":40,\"models\":{\"wall\":{\"box\":[2,2,0.3]},\"ball\":{"
		"\"sphere\":0.3},\"floor\":{\"box\":[9,1,9]}},\"instances\":[{\"model\":\"floor\","
		"\"material\":\"metal_sheet\",\"kind\":\"static\",\"position\":[0,-0.5,0]},{\"model\":"
		"\"wall\",\"material\":\"concrete\",\"position\":[0,1.01,0]}],\"projectiles\":[{\"model\":"
		"\"ball\",\"material\":\"metal_sheet\",\"position\":[0,1,4],\"velocity\":[0,0,-40]}]}";
	if (!open_folder(t, "run"))
		return;
	write_file("wall.json", scene, sizeof scene - 1);
	CHECK(t, run("make mug mug.glb") == 0 && run("convert mug.glb mug.obj") == 0);
	CHECK(t, run("convert mug.obj cup.glb") == 0);
	CHECK(t, run("fracture mug.glb -o pieces.glb --cells 12") == 0);
	CHECK(t, run("run wall.json -o film.glb") == 0);
	static const struct {
		const char *file, *name;
	} rows[] = { { "mug", "mug" },           { "cup", "cup" },
		         { "pieces", "mug" },        { "pieces", "mug/fragment 3" },
		         { "film", "wall/chip 1" },  { "film", "puff " },
		         { "film", "wall/fragment" } };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		char path[100];
		snprintf(path, sizeof path, "%s/%s.glb", folder, rows[i].file);
		rbl_document *document = NULL;
		CHECK(t, rbl_read_document(path, NULL, &document) == RBL_OK);
		rbl_scene read = rbl_document_get_scene(document);
		int found = 0, unnamed = 0;
		for (int n = 0; n < read.node_count; ++n) {
			const char *name = read.nodes[n].name;
			unnamed += !name || !*name;
			found += name && strncmp(name, rows[i].name, strlen(rows[i].name)) == 0;
		}
		if (found == 0 || unnamed > 0)
			printf("%s.glb: %d nodes are called %s, %d nothing\n", rows[i].file, found,
			       rows[i].name, unnamed);
		CHECK(t, found > 0 && unnamed == 0);
		rbl_destroy_document(document);
	}
	close_folder(t);
}

TEST_MAIN(TEST(everything_has_a_name), TEST(every_listed_shape_can_be_written),
          TEST(wrong_words_are_refused))
