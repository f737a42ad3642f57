// SPDX-License-Identifier: MIT
// ctest: native
//
// What happens in a scene besides bodies: motions, triggers, cameras, and files that it includes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <rubble/io.h>

static bool says(const char *text)
{
	return strstr(output, text) != NULL;
}

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

// @return how many lines of a file have a text
static int count_of(const char *file, const char *text)
{
	char line[200];
	snprintf(line, sizeof line, "version >/dev/null; grep -c '%s' %s", text, file);
	run(line);
	return atoi(output);
}

#define HEAD                                                                                      \
	"{\"version\":2,\"step_count\":60,\"materials\":{\"stone\":{},\"glass\":{\"break_energy\":1," \
	"\"break_radius\":2,\"cell_count\":8}},\"models\":{\"box\":{\"box\":[1,1,1]},\"floor\":{"     \
	"\"box\":[20,1,20]}},"

// A piston pushes a box along.
static void kinematic_bodies_follow_their_keys(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_text("push.json",
	           HEAD "\"gravity\":[0,0,0],\"instances\":[{\"name\":\"piston\",\"model\":\"box\","
	                "\"material\":\"stone\",\"kind\":\"kinematic\",\"motion\":[{\"time\":0},"
	                "{\"time\":1,\"position\":[3,0,0],\"rotation\":[0,1,0,0]}]},{\"model\":\"box\","
	                "\"material\":\"stone\",\"position\":[1.5,0,0]}]}");
	CHECK(t, run("run push.json -o push/ --rate 1 --format ply --record push.rblr") == 0);
	CHECK(t, run("replay push.rblr") == 0);
	CHECK(t, run("info push/frame_0001.ply") == 0 && says("size              2"));
	CHECK(t, run("picture push/frame_0001.ply a.png --width 32 --height 32") == 0);
	write_text("turn.json",
	           HEAD "\"instances\":[{\"model\":\"box\",\"material\":\"stone\",\"motion\":[{}]}]}");
	CHECK(t, run("run --check turn.json") == 1);
	CHECK(t, says("instances[0].motion: only kinematic bodies"));
	write_text("turn.json",
	           HEAD "\"instances\":[{\"model\":\"box\",\"material\":\"stone\","
	                "\"kind\":\"kinematic\",\"motion\":[{\"time\":1},{\"time\":1}]}]}");
	CHECK(t, run("run --check turn.json") == 1 && says("instances[0].motion[1]: its time is not"));
	close_folder(t);
}

static void triggers_fire_once_when_they_are_due(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_text("drop.json",
	           HEAD "\"instances\":[{\"name\":\"pane\",\"model\":\"box\",\"material\":\"glass\","
	                "\"position\":[0,9,0]},{\"name\":\"door\",\"model\":\"box\",\"material\":"
	                "\"stone\",\"position\":[0,8.6,0],\"sensor\":true,\"kind\":\"static\"},"
	                "{\"name\":\"lift\",\"model\":\"box\",\"material\":\"stone\",\"position\":"
	                "[9,0,0],\"kind\":\"kinematic\",\"motion_start\":-1,\"motion\":[{\"time\":0},"
	                "{\"time\":0.2,\"position\":[0,2,0]}]}],"
	                "\"triggers\":[{\"time\":0.3,\"action\":\"damage\",\"target\":\"pane\","
	                "\"position\":[0,8.6,0],\"energy\":1000,\"radius\":2},"
	                "{\"on\":\"break\",\"instance\":\"pane\",\"action\":\"remove\",\"target\":"
	                "\"door\",\"delay\":0.1},"
	                "{\"on\":\"enter\",\"instance\":\"door\",\"action\":\"start\",\"target\":2}]}");
	CHECK(t,
	      run("run drop.json -o drop.glb --events drop.csv --record drop.rblr --json out.json") ==
	          0);
	CHECK(t, count_of("drop.csv", ",fracture,blow,") == 1);
	CHECK(t, count_of("drop.csv", "^0.3.*,fracture,blow,") == 1); // the step after 0.3 s
	CHECK(t, count_of("drop.csv", ",enter,") >= 1);
	CHECK(t, run("replay drop.rblr") == 0);
	// The lift has risen by the end, and the door is gone by then.
	CHECK(t, run("run drop.json -o drop/ --rate 1 --format ply --quiet") == 0);
	CHECK(t, run("info drop/frame_0001.ply") == 0);
	static const struct {
		const char *trigger, *reason;
	} mistakes[] = {
		{ "{}", "triggers[0].action: an action is needed" },
		{ "{\"action\":\"burn\"}", "triggers[0].action: 'burn' is none of explode, damage" },
		{ "{\"action\":\"push\"}", "triggers[0].target: an instance is needed" },
		{ "{\"action\":\"push\",\"target\":\"wall\"}",
		  "target: there is no instance with the name" },
		{ "{\"action\":\"push\",\"target\":7}", "target: there is no instances[7]" },
		{ "{\"action\":\"start\",\"target\":\"b\"}", "target: the instance has no motion" },
		{ "{\"on\":\"enter\",\"instance\":\"b\",\"action\":\"explode\"}", "is no sensor" },
		{ "{\"on\":\"hit\",\"action\":\"explode\"}", "triggers[0].instance: an instance" },
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
		char text[1200];
		snprintf(text, sizeof text,
		         HEAD "\"instances\":[{\"name\":\"b\",\"model\":\"box\",\"material\":\"stone\"}],"
		              "\"triggers\":[%s]}",
		         mistakes[i].trigger);
		write_text("bad.json", text);
		CHECK(t, run("run --check bad.json") == 1 && says(mistakes[i].reason));
	}
	close_folder(t);
}

static void parts_in_a_box_are_anchored(test *t)
{
	if (!open_folder(t, "run"))
		return;
	const char *format = HEAD "\"instances\":[{\"model\":\"beam\",\"material\":\"stone\","
							  "\"position\":[0,9,0],\"anchor_box\":[%s]}]}";
	char text[1200], models[1400];
	for (int i = 0; i < 2; ++i) {
		snprintf(text, sizeof text, format, i ? "8,-1,-1,9,1,1" : "-3,-1,-1,-1,1,1");
		char *at = strstr(text, "\"models\":{") + strlen("\"models\":{");
		snprintf(
			models, sizeof models,
			"%.*s\"beam\":{\"boxes\":[{\"size\":[1,1,1],\"position\":[-2,0,0],\"count\":[5,1,1]}"
			"]},%s",
			(int)(at - text), text, at);
		write_text("beam.json", models);
		if (i == 0) // it hangs in the air by one end
			CHECK(t, run("run beam.json -o beam/ --rate 1 --format ply") == 0 &&
			             run("info beam/frame_0001.ply") == 0 &&
			             says("size              5 x 1 x 1"));
		else
			CHECK(t, run("run beam.json -o beam.glb") == 1 && says("instances[0]"));
	}
	close_folder(t);
}

static void cameras_take_pictures_and_are_in_films(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_text("shot.json",
	           HEAD "\"instances\":[{\"model\":\"box\",\"material\":\"stone\"}],\"cameras\":{"
	                "\"still\":{\"position\":[0,2,9],\"target\":[0,0,0],\"field_of_view\":30},"
	                "\"dolly\":{\"motion\":[{\"time\":0,\"position\":[0,2,9]},{\"time\":1,"
	                "\"position\":[9,2,0]}]}}}");
	CHECK(t, run("run shot.json -o shot.glb --steps 2 --pictures 0 --camera still && cd . && mv "
	             "shot-0.png still.png") == 0);
	CHECK(t, run("run shot.json -o shot.glb --steps 2 --pictures 0 --camera dolly") == 0);
	CHECK(t, run("version && ! cmp -s shot-0.png still.png") == 0);
	CHECK(t, run("run shot.json -o shot.glb --steps 2 --pictures 0 --camera none") == 1);
	CHECK(t, says("there is no camera 'none'"));
	// The film has both as glTF cameras, and the one that moves has keys.
	CHECK(t, run("run shot.json -o shot.glb --steps 60 --quiet") == 0);
	char path[100];
	snprintf(path, sizeof path, "%s/shot.glb", folder);
	rbl_document *document = NULL;
	CHECK(t, rbl_read_document(path, NULL, &document) == RBL_OK);
	rbl_scene film = rbl_document_get_scene(document);
	CHECK(t, film.camera_count == 2 && film.node_count == 3 && film.animation_count == 1);
	for (int i = 0; i < 2 && film.node_count == 3; ++i) {
		const rbl_scene_node *node = &film.nodes[i];
		CHECK(t, node->camera == i + 1 && strcmp(node->name, i ? "dolly" : "still") == 0);
		CHECK(t, node->translation.y == 2.0f && node->translation.z == 9.0f);
		int tracks = 0;
		for (int k = 0; k < film.animations[0].track_count; ++k) {
			const rbl_scene_track *track = &film.animations[0].tracks[k];
			if (track->node != i)
				continue;
			const float *last = track->values + 3 * (track->key_count - 1);
			tracks++;
			CHECK(t, track->times[track->key_count - 1] == 1.0f);
			if (track->path == RBL_TRACK_TRANSLATION)
				CHECK(t, last[0] == 9.0f && last[1] == 2.0f && last[2] == 0.0f);
		}
		CHECK(t, tracks == (i ? 2 : 0));
	}
	rbl_destroy_document(document);
	// What a file has of cameras, convert and fracture hand on.
	CHECK(t, run("convert shot.glb again.glb --quiet && cd .") == 0);
	CHECK(t, run("info again.glb") == 0 && says("cameras           2"));
	CHECK(t, run("fracture shot.glb --cells 4 -o broken.glb --quiet") == 0);
	CHECK(t, run("info broken.glb") == 0 && says("cameras           2"));
	close_folder(t);
}

static void files_include_others(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("version >/dev/null && mkdir -p lib/shapes") == 0);
	CHECK(t, run("make mug lib/shapes/mug.glb") == 0);
	write_text("lib/stuff.json", "{\"version\":2,\"include\":[\"shapes/more.json\"],\"materials\":{"
	                             "\"clay\":{\"color\":[0.6,0.3,0.2]}}}");
	write_text("lib/shapes/more.json",
	           "{\"version\":2,\"models\":{\"mug\":{\"file\":\"mug.glb\"}}}");
	const char *text = "{\"version\":2,\"step_count\":2,\"include\":[\"lib/stuff.json\"],"
					   "\"instances\":[{\"model\":\"mug\",\"material\":\"clay\"}]}";
	write_text("table.json", text);
	CHECK(t, run("run --check table.json") == 0 && says("1 materials, 1 models, 1 instances"));
	CHECK(t, run("run table.json -o table.glb") == 0);
	write_text("lib/shapes/more.json", "{\"version\":2,\"modls\":{}}");
	CHECK(t, run("run --check table.json") == 1);
	CHECK(t, says("lib/shapes/more.json: modls: unknown key; did you mean 'models'?"));
	write_text("lib/shapes/more.json", "{\"version\":2,\"materials\":{\"clay\":{}}}");
	CHECK(t, run("run --check table.json") == 1 && says("'clay' is in an included file too"));
	write_text("lib/shapes/more.json", "{\"version\":2,\"include\":[\"more.json\"]}");
	CHECK(t, run("run --check table.json") == 1 && says("files include each other"));
	write_text("lib/shapes/more.json", "{\"version\":2,\"include\":[\"../../../x.json\"]}");
	CHECK(t, run("run --check table.json") == 1 && says("include[0]: "));
	write_text("lib/shapes/more.json", "{\"models\":{}}");
	CHECK(t, run("run --check table.json") == 1 && says("\"version\": 2 is missing"));
	close_folder(t);
}

// Keys of wear, clusters and shapes of damage reach the world; a recording has all of it.
static void scenes_wear_and_blast(test *t)
{
	if (!open_folder(t, "run"))
		return;
#define WALL                                                                                    \
	"{\"version\":2,\"step_count\":60,\"materials\":{\"brick\":{\"break_energy\":1000,"         \
	"\"break_radius\":0.3,\"min_size\":0.05%s}},\"models\":{\"wall\":{\"boxes\":[{\"size\":["   \
	"0.5,0.25,0.25],\"position\":[0,0.125,0],\"count\":[6,6,1]}]%s}},\"instances\":[{\"name\":" \
	"\"wall\",\"model\":\"wall\",\"material\":\"brick\",\"anchored\":true}],\"triggers\":[%s]}"
#define BLOW                                                                               \
	"{\"time\":0.05,\"action\":\"damage\",\"target\":\"wall\",\"position\":[1,0.9,0.125]," \
	"\"direction\":[0,0,-1],\"radius\":0.3,\"energy\":500,\"count\":8,\"interval\":0.05}"
#define BLAST(more) \
	"{\"time\":0.1,\"action\":\"explode\",\"position\":[1,0.9,1],\"radius\":1.5" more "}"
#define SHAPE(more) "{\"time\":0.1,\"action\":\"damage\",\"position\":[1,0.9,1]," more "}"
	static const struct {
		const char *material, *model, *trigger, *cause;
		bool happens;
	} cases[] = {
		{ "", "", BLOW, "blow", false },
		{ ",\"wear_energy\":1", "", BLOW, "blow", true }, // at the fourth
		{ ",\"wear_energy\":1,\"wear_exponent\":8", "", BLOW, "blow", false },
		{ ",\"wear_energy\":600", "", BLOW, "blow", false },
		{ ",\"bond_energy\":3000", "", BLOW, "wear", false },
		{ ",\"bond_energy\":300,\"wear_radius\":3", "", BLOW, "wear", true },
		{ ",\"bond_energy\":300,\"wear_radius\":0.01", "", BLOW, "wear", false },
		{ ",\"bond_energy\":3000,\"wear_radius\":9",
		  ",\"clusters\":[{\"count\":3,\"strength\":0.1}]", BLOW, "wear", true },
		{ "", "", BLAST(""), "blow", false }, // it only pushes
		{ "", "", BLAST(",\"energy\":2000"), "blow", true },
		{ "", "", BLAST(",\"energy\":2000,\"occluded\":true"), "blow", true },
		{ "", "", SHAPE("\"radius\":0.5,\"energy\":2000"), "blow", false },
		{ "", "", SHAPE("\"radius\":0.5,\"energy\":2000,\"falloff\":2"), "blow", true },
		{ "", "", SHAPE("\"shape\":\"ray\",\"translation\":[0,0,-2],\"energy\":2000"), "blow",
		  true },
		{ "", "", SHAPE("\"shape\":\"cone\",\"translation\":[0,0,-2],\"radius\":0.4"), "blow",
		  true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		char text[2000], cause[40];
		snprintf(text, sizeof text, WALL, cases[i].material, cases[i].model, cases[i].trigger);
		snprintf(cause, sizeof cause, ",fracture,%s,", cases[i].cause);
		write_text("wall.json", text);
		CHECK(t, run("run wall.json -o a.glb --events a.csv --record a.rblr") == 0);
		if ((count_of("a.csv", cause) > 0) != cases[i].happens)
			printf("case %zu\n", i);
		CHECK(t, (count_of("a.csv", cause) > 0) == cases[i].happens);
		CHECK(t, run("replay a.rblr --workers 2") == 0);
	}
	static const struct {
		const char *model, *trigger, *reason;
	} mistakes[] = {
		{ ",\"clusters\":[]", BLOW, "clusters: a list of 1 to 16" },
		{ ",\"clusters\":[{}]", BLOW, "clusters[0].count: a number of clusters" },
		{ ",\"clusters\":[{\"count\":0}]", BLOW, "clusters[0].count: 0 is not between" },
		{ ",\"clusters\":[{\"count\":4},{\"count\":2}]", BLOW, "clusters[1]: it has fewer" },
		{ ",\"strength_channel\":\"red\"", BLOW, "strength_channel: only meshes" },
		{ "", SHAPE("\"shape\":\"ray\""), "triggers[0].translation: only spheres" },
		{ "", SHAPE("\"shape\":\"egg\""), "triggers[0].shape: 'egg' is none of ray" },
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
		char text[2000];
		snprintf(text, sizeof text, WALL, "", mistakes[i].model, mistakes[i].trigger);
		write_text("bad.json", text);
		CHECK(t, run("run --check bad.json") == 1 && says(mistakes[i].reason));
	}
	close_folder(t);
}

// What a player does: a box on the floor is grabbed, pulled up and let fall; another is thrown in.
static void triggers_throw_grab_and_pull(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char scene[] = HEAD
		"\"instances\":[{\"model\":\"floor\",\"material\":\"stone\",\"kind\":\"static\","
		"\"position\":[0,-0.5,0],\"hidden\":true},{\"model\":\"box\",\"material\":\"stone\","
		"\"position\":[0,0.5,0]},{\"model\":\"box\",\"material\":\"stone\",\"kind\":\"static\","
		"\"position\":[3,0.5,0]}],\"triggers\":[%s]}";
#define PULL                                                                                    \
	"{\"action\":\"grab\",\"position\":[0,5,0],\"translation\":[0,-9,0]},{\"action\":\"drag\"," \
	"\"position\":[0,4,0]}"
	char text[2000];
	snprintf(text, sizeof text, scene, PULL);
	write_text("pull.json", text);
	CHECK(t, run("run pull.json -o pull/ --rate 1 --format ply --record pull.rblr") == 0);
	CHECK(t, run("replay pull.rblr") == 0);
	// After a second its top is near 4 m, less what the spring gives under its weight.
	CHECK(t, run("info pull/frame_0001.ply") == 0 && says("size              4 x 3."));
	snprintf(text, sizeof text, scene,
	         PULL
	         ",{\"time\":0.1,\"action\":\"release\"},{\"time\":0.5,\"action\":\"throw\",\"model\":"
	         "\"box\",\"material\":\"stone\",\"position\":[5,0.5,0],\"velocity\":[0,0,0]}");
	write_text("drop.json", text);
	CHECK(t, run("run drop.json -o drop/ --rate 1 --format ply --json drop.txt") == 0);
	CHECK(t, count_of("drop.txt", "\"bodies\": 4") == 1);
	static const struct {
		const char *trigger, *reason;
	} mistakes[] = {
		{ "{\"action\":\"grab\"}", "triggers[0].translation: a ray has a length" },
		{ "{\"action\":\"cut\",\"translation\":[1,0,0]}",
		  "triggers[0].translation: a blade has a length, here and in sweep" },
		{ "{\"action\":\"cut\",\"translation\":[1,0,0],\"sweep\":[-1,0,0]}",
		  "triggers[0].translation: the blade turns too far; make two cuts of it" },
		{ "{\"action\":\"cut\",\"translation\":[2,0,0],\"sweep\":[-1,0.5,0]}",
		  "triggers[0].translation: the blade turns too far; make two cuts of it" },
		{ "{\"action\":\"slice\",\"translation\":[1,0,0]}",
		  "triggers[0].translation: a blade has a length, here and in sweep" },
		{ "{\"action\":\"slice\",\"translation\":[1,0.5,0],\"sweep\":[2,1,0]}",
		  "triggers[0].translation: the blade does not turn: it has no plane" },
		{ "{\"action\":\"throw\",\"material\":\"stone\"}", "triggers[0].model" },
		{ "{\"action\":\"push\"}", "triggers[0].target: an instance is needed" },
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
		snprintf(text, sizeof text, scene, mistakes[i].trigger);
		write_text("bad.json", text);
		CHECK(t, run("run --check bad.json") == 1 && says(mistakes[i].reason));
	}
	close_folder(t);
}

// A blade goes through two boxes of three, and iron does not break.
static void triggers_slice_bodies(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_text(
		"slice.json",
		"{\"version\":2,\"step_count\":20,\"gravity\":[0,0,0],\"materials\":{\"stone\":{"
		"\"break_energy\":1e6},\"iron\":{}},\"models\":{\"box\":{\"box\":[1,1,1]}},"
		"\"instances\":[{\"model\":\"box\",\"material\":\"stone\",\"count\":[3,1,1],"
		"\"spacing\":[3,1,1]},{\"model\":\"box\",\"material\":\"iron\",\"position\":[0,0,-3]}],"
		"\"triggers\":[{\"time\":0.05,\"action\":\"slice\",\"position\":[1.5,0.1,6],"
		"\"translation\":[-5,0,-12],\"sweep\":[3,0.3,-12]}]}");
	CHECK(t, run("run slice.json -o slice.glb --json slice.txt --record slice.rblr --events "
	             "slice.csv") == 0);
	CHECK(t, count_of("slice.txt", "\"bodies\": 6") == 1);
	CHECK(t, count_of("slice.csv", ",fracture,cut,") == 2);
	CHECK(t, run("replay slice.rblr") == 0);
	close_folder(t);
}

TEST_MAIN(TEST(triggers_throw_grab_and_pull), TEST(triggers_slice_bodies),
          TEST(kinematic_bodies_follow_their_keys), TEST(triggers_fire_once_when_they_are_due),
          TEST(parts_in_a_box_are_anchored), TEST(cameras_take_pictures_and_are_in_films),
          TEST(files_include_others), TEST(scenes_wear_and_blast))
