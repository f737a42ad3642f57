// SPDX-License-Identifier: MIT
// ctest: native
//
// Anchors of scenes by the names of nodes: of two blocks of a file that are bonded, and whose bond fails
// at once, the one that is named stays where it is, and the other falls.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <rubble/io.h>
#include <rubble/shapes.h>

// Two cubes side by side below a node that is turned; the second has a node of its own above it.
static void write_bridge(test *t)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	rbl_scene_node nodes[4];
	for (int i = 0; i < 4; ++i)
		nodes[i] = rbl_default_scene_node();
	nodes[0].name = "Bridge", nodes[0].rotation = (rbl_quat){ 0.0f, 0.6f, 0.0f, 0.8f };
	nodes[1].name = "Pier.001", nodes[1].parent = 0, nodes[1].mesh = 0;
	nodes[2].name = "Span", nodes[2].parent = 0, nodes[2].translation.x = 1.0f;
	nodes[3].name = "Deck", nodes[3].parent = 2, nodes[3].mesh = 0;
	nodes[3].scale.y = 0.9f; // no vertex of both, else they would be one shell
	const rbl_mesh *meshes[1] = { mesh };
	rbl_scene_label label = { .name = "cube" };
	rbl_scene scene = {
		.mesh_count = 1, .meshes = meshes, .mesh_labels = &label, .node_count = 4, .nodes = nodes
	};
	char path[100];
	snprintf(path, sizeof path, "%s/bridge.glb", folder);
	CHECK(t, rbl_write_scene(path, &scene, NULL) == RBL_OK);
	rbl_destroy_mesh(mesh);
	CHECK(t, run("make box box.obj --quiet") == 0);
}

static void write_scene(const char *model, const char *instance)
{
	char text[1000];
	snprintf(text, sizeof text,
	         "{\"version\":2,\"step_count\":60,\"materials\":{\"x\":{\"break_energy\":1e9,"
	         "\"bond_strength\":1}},\"models\":{\"bridge\":{%s}},\"instances\":[{\"model\":"
	         "\"bridge\",\"material\":\"x\",\"position\":[0,50,0],%s}]}",
	         model, instance);
	write_file("scene.json", text, strlen(text));
}

// Vertices after a second, above and below where things would fall to in half of it.
typedef struct found {
	double above, below;
	double z; // of those above, on average
} found;

static found look(test *t, const char *model, const char *instance)
{
	found f = { 0.0, 0.0, 0.0 };
	write_scene(model, instance);
	if (run("run scene.json -o frames/ --format obj --rate 1 --quiet") != 0)
		test_fail(t, __FILE__, __LINE__, output);
	char path[100], line[300];
	snprintf(path, sizeof path, "%s/frames/frame_0001.obj", folder);
	FILE *file = fopen(path, "r");
	CHECK(t, file != NULL);
	while (file && fgets(line, sizeof line, file)) {
		double x, y, z;
		if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) != 3)
			continue;
		*(y > 48.5 ? &f.above : &f.below) += 1.0;
		f.z += y > 48.5 ? z : 0.0;
	}
	f.z /= f.above + 1e-9;
	if (file)
		fclose(file);
	return f;
}

static void named_nodes_are_anchored(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_bridge(t);
	static const char *const models[2] = {
		"\"file\":\"bridge.glb\",\"scale\":2,\"match_names\":false",
		"\"file\":\"bridge.glb\",\"scale\":2,\"match_names\":false,\"nodes\":true"
	};
	for (int i = 0; i < 2; ++i) {
		found all = look(t, models[i], "\"anchor_nodes\":\"Bridge\"");
		found none = look(t, models[i], "\"kind\":\"dynamic\"");
		found pier = look(t, models[i], "\"anchor_nodes\":\"Pier*\"");
		found deck = look(t, models[i], "\"anchor_nodes\":\"Deck\"");
		found span = look(t, models[i], "\"anchor_nodes\":\"Span\"");
		printf("all %g %g, none %g %g, pier %g %g, deck %g %g\n", all.above, all.below, none.above,
		       none.below, pier.above, pier.below, deck.above, deck.below);
		CHECK(t, all.above > 0.0 && all.below == 0.0);
		CHECK(t, none.above == 0.0 && none.below > 0.0);
		CHECK(t, pier.above > 0.0 && pier.below == pier.above);
		CHECK(t, deck.above > 0.0 && deck.below == deck.above);
		CHECK_NEAR(t, pier.z, 0.0, 0.01);
		CHECK_NEAR(t, deck.z, -1.92, 0.01);
		CHECK_NEAR(t, span.z, -1.92, 0.01);
		CHECK(t, span.above == deck.above && span.below == deck.below);
	}
	found box =
		look(t, models[0], "\"anchor_nodes\":\"Deck\",\"anchor_box\":[-0.5,-0.5,-0.5,0.5,0.5,0.5]");
	CHECK(t, box.above > 0.0 && box.below == 0.0);
	close_folder(t);
}

static void wrong_names_are_refused(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_bridge(t);
	static const struct {
		const char *model, *instance, *reason;
	} cases[] = {
		{ "\"file\":\"bridge.glb\"", "\"anchor_nodes\":\"Pillar*\"",
		  "instances[0].anchor_nodes: an argument is not usable: no node of that name has a mesh" },
		{ "\"file\":\"box.obj\"", "\"anchor_nodes\":\"*\"",
		  "instances[0].anchor_nodes: an argument is not usable: only a glTF file with y up" },
		{ "\"file\":\"bridge.glb\",\"up_axis\":\"z\"", "\"anchor_nodes\":\"*\"",
		  "instances[0].anchor_nodes: an argument is not usable: only a glTF file with y up" },
		{ "\"box\":[1,1,1]", "\"anchor_nodes\":\"*\"",
		  "instances[0].anchor_nodes: only models of a file have nodes" },
		{ "\"file\":\"bridge.glb\"", "\"kind\":\"static\",\"anchor_nodes\":\"*\"",
		  "only dynamic bodies can be anchored" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		write_scene(cases[i].model, cases[i].instance);
		CHECK(t, run("run scene.json -o bad.glb") == 1);
		if (!strstr(output, cases[i].reason))
			test_fail(t, __FILE__, __LINE__, output);
		t->checks++;
	}
	close_folder(t);
}

TEST_MAIN(TEST(named_nodes_are_anchored), TEST(wrong_names_are_refused))
