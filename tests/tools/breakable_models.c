// SPDX-License-Identifier: MIT
// ctest: native
//
// What a scene says about breaking reaches its bodies, whatever they are models of and however they come
// into it, or is refused.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

// Rows of an event in events.csv, and the last of these.
static char last_row[600];

static int rows_of(const char *event)
{
	char path[100], line[600], words[60];
	snprintf(path, sizeof path, "%s/events.csv", folder);
	snprintf(words, sizeof words, ",%s,", event);
	FILE *file = fopen(path, "r");
	int count = 0;
	while (file && fgets(line, sizeof line, file))
		if (strstr(line, words))
			memcpy(last_row, line, sizeof line), ++count;
	if (file)
		fclose(file);
	return count;
}

// Run a scene of these materials, models and all else, with events. @return its exit status
static int run_scene(test *t, const char *version, const char *materials, const char *models,
                     const char *rest)
{
	char text[3000];
	int size =
		snprintf(text, sizeof text,
	             "{%s,\"%s\":30,\"materials\":{\"iron\":{\"density\":7800}%s%s},"
	             "\"models\":{\"floor\":{\"box\":[20,0.2,20]}%s%s},\"instances\":[{\"model\":"
	             "\"floor\",\"material\":\"iron\",\"kind\":\"static\"}%s}",
	             version, version[1] == 'v' ? "step_count" : "steps", *materials ? "," : "",
	             materials, *models ? "," : "", models, rest);
	CHECK(t, size < (int)sizeof text);
	write_file("scene.json", text, strlen(text));
	int status = run("run scene.json -o film.glb --events events.csv");
	if (status != 0)
		rows_of("none"); // of no event of the run before
	return status;
}

#define VERSION_2 "\"version\":2"
#define CHECK_RUNS(t, ...)                            \
	do {                                              \
		if (run_scene(t, __VA_ARGS__) != 0)           \
			test_fail(t, __FILE__, __LINE__, output); \
		(t)->checks++;                                \
	} while (0)

// A model and a preset that only a trigger names are there when it throws them.
static void what_only_a_trigger_throws_breaks_too(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char *const models[] = {
		"\"box\":[0.3,0.3,0.3]", "\"sphere\":0.2", "\"shape\":\"vase\"",
		"\"boxes\":[{\"size\":[0.1,0.1,0.1],\"count\":[2,2,2]}]"
	};
	for (int i = 0; i < 4; ++i) {
		char model[100];
		snprintf(model, sizeof model, "\"thrown\":{%s}", models[i]);
		CHECK_RUNS(
			t, VERSION_2, "", model,
			"],\"triggers\":[{\"action\":\"throw\",\"model\":\"thrown\",\"material\":\"ceramic\","
			"\"position\":[0,2,0],\"velocity\":[0,-20,0]}]");
		CHECK(t, rows_of("fracture") > 0 && strstr(last_row, ",ceramic"));
	}
	close_folder(t);
}

// A ball of something that breaks does; in files of version 1 it never did.
static void balls_break(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK_RUNS(t, VERSION_2, "\"clay\":{\"break_energy\":20}", "\"ball\":{\"sphere\":0.2}",
	           "],\"projectiles\":[{\"model\":\"ball\",\"material\":\"clay\",\"position\":[0,1,0],"
	           "\"velocity\":[0,-20,0]}]");
	CHECK(t, rows_of("fracture") > 0 && rows_of("fragment") > 3);
	CHECK_RUNS(t, "\"rubble\":1", "\"clay\":{\"strength\":20}", "\"ball\":{\"ball\":0.2}",
	           "],\"projectiles\":[{\"model\":\"ball\",\"material\":\"clay\",\"at\":[0,1,0],"
	           "\"velocity\":[0,-20,0]}]");
	CHECK(t, rows_of("fracture") == 0 && rows_of("hit") > 0);
	CHECK_RUNS(
		t, VERSION_2, "\"clay\":{\"bond_energy\":1}",
		"\"ball\":{\"sphere\":0.2,\"clusters\":[{\"pattern\":\"voronoi\",\"cell_count\":9}]}",
		",{\"model\":\"ball\",\"material\":\"clay\",\"position\":[0,1,0],\"velocity\":[0,-20,0]}]");
	CHECK(t, rows_of("fracture") > 0);
	close_folder(t);
}

// A log that does not break is round, also where another of its model is of something that does.
static void what_does_not_break_stays_round(test *t)
{
	if (!open_folder(t, "run"))
		return;
	char rows[2][600] = { "" };
	for (int i = 0; i < 2; ++i) {
		char rest[600];
		snprintf(
			rest, sizeof rest,
			",{\"model\":\"log\",\"material\":\"iron\",\"position\":[0,0.3,0],\"velocity\":[3,0,0],"
			"\"angular_velocity\":[0,0,-15]},{\"model\":\"wall\",\"material\":\"iron\",\"kind\":"
			"\"static\",\"position\":[2,0,0]},{\"model\":\"log\",\"material\":\"%s\",\"position\":"
			"[0,0.3,4]}]",
			i ? "clay" : "iron");
		CHECK_RUNS(t, VERSION_2, "\"clay\":{\"break_energy\":20}",
		           "\"log\":{\"cylinder\":0.2,\"axis\":\"z\"},\"wall\":{\"box\":[1,4,1]}", rest);
		CHECK(t, rows_of("hit") > 0);
		memcpy(rows[i], last_row, sizeof rows[i]);
	}
	CHECK(t, strcmp(rows[0], rows[1]) == 0);
	close_folder(t);
}

// A static mesh whose material only opens bonds, or only bends, does.
static void static_meshes_wear_and_bend(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char *const materials[] = { "\"clay\":{\"bond_energy\":1}",
		                                     "\"clay\":{\"bend_energy\":1}" };
	static const char *const causes[] = { "fracture,wear", "fracture,bend" };
	for (int i = 0; i < 2; ++i) {
		CHECK_RUNS(
			t, VERSION_2, materials[i],
			"\"vase\":{\"shape\":\"vase\",\"node_count\":20},\"ball\":{\"sphere\":0.1}",
			",{\"model\":\"vase\",\"material\":\"clay\",\"kind\":\"static\",\"position\":[0,0.1,0]}"
			"],\"projectiles\":[{\"model\":\"ball\",\"material\":\"iron\",\"position\":[0,0.4,2],"
			"\"velocity\":[0,0,-20]}]");
		CHECK(t, rows_of(causes[i]) > 0);
	}
	close_folder(t);
}

// What is anchored stays where it is, whether it breaks or not, and whatever it is a model of.
static void what_does_not_break_is_anchored_too(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char *const models[] = { "\"box\":[1,1,1]", "\"sphere\":0.5", "\"cylinder\":0.5",
		                                  "\"stone\":[1,1,1]", "\"shape\":\"vase\"" };
	for (int i = 0; i < 5; ++i) {
		char model[100];
		snprintf(model, sizeof model, "\"held\":{%s}", models[i]);
		CHECK_RUNS(t, VERSION_2, "", model,
		           ",{\"model\":\"held\",\"material\":\"iron\",\"position\":[0,1.5,0],"
		           "\"anchored\":true}]");
		CHECK(t, rows_of("hit") == 0);
	}
	close_folder(t);
}

// A body of which nothing is left but dust leaves the film.
static void what_is_all_dust_is_filmed(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK_RUNS(
		t, VERSION_2, "\"sand\":{\"break_energy\":20,\"dust_size\":2}", "\"box\":{\"box\":[1,1,1]}",
		",{\"model\":\"box\",\"material\":\"sand\",\"position\":[0,1,0],\"velocity\":[0,-20,0]},"
		"{\"model\":\"box\",\"material\":\"sand\",\"position\":[4,0.61,0]}],\"triggers\":["
		"{\"time\":0.2,\"action\":\"damage\",\"target\":2,\"position\":[4,0.6,0]}]");
	CHECK(t, rows_of("fracture") == 2 && rows_of("fragment") == 0);
	close_folder(t);
}

// A slot that a mesh does not have is a new one: the body breaks all the same.
static void any_inner_material_breaks(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK_RUNS(
		t, VERSION_2, "\"clay\":{\"break_energy\":20,\"inner_material\":5}",
		"\"box\":{\"box\":[1,1,1]}",
		",{\"model\":\"box\",\"material\":\"clay\",\"position\":[0,1,0],\"velocity\":[0,-20,0]}]");
	CHECK(t, rows_of("fragment") > 3 && !strstr(output, "does not break"));
	CHECK_RUNS(
		t, VERSION_2, "\"clay\":{\"break_energy\":20,\"cut_limit\":1}", "\"box\":{\"box\":[1,1,1]}",
		",{\"model\":\"box\",\"material\":\"clay\",\"position\":[0,1,0],\"velocity\":[0,-20,0]}]");
	CHECK(t,
	      rows_of("fracture") == 0 && strstr(output, "does not break") && strstr(output, "cuts"));
	close_folder(t);
}

// A preset that is made weaker is worn by weaker hits as well.
static void weaker_hits_follow_the_energy_of_a_preset(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char *const materials[] = {
		"\"x\":{\"preset\":\"concrete\",\"break_energy\":30,\"debris\":\"none\"}",
		"\"x\":{\"preset\":\"concrete\",\"break_energy\":30,\"debris\":\"none\",\"wear_energy\":0}",
		"\"x\":{\"preset\":\"concrete\",\"break_energy\":30,\"debris\":\"none\",\"wear_energy\":3}",
	};
	int counts[3];
	for (int i = 0; i < 3; ++i) { // 25 J each
		CHECK_RUNS(
			t, VERSION_2, materials[i], "\"box\":{\"box\":[1,1,1]}",
			",{\"name\":\"box\",\"model\":\"box\",\"material\":\"x\",\"position\":[0,0.6,0]}],"
			"\"triggers\":[{\"action\":\"damage\",\"target\":\"box\",\"position\":[0,1,0],"
			"\"energy\":25,\"count\":4,\"interval\":0.1}]");
		counts[i] = rows_of("fracture");
	}
	CHECK(t, counts[0] > 0 && counts[1] == 0 && counts[2] == counts[0]);
	// Sheets bend from as large a share of their energy on as before.
	CHECK_RUNS(t, VERSION_2, "\"x\":{\"preset\":\"metal_sheet\",\"break_energy\":400}",
	           "\"box\":{\"box\":[1,1,1]}", "]");
	close_folder(t);
}

// A film has texture coordinates of cut faces when a material says how textures lie there.
static void films_have_coordinates_for_textures(test *t)
{
	if (!open_folder(t, "run"))
		return;
	for (int i = 0; i < 3; ++i) {
		static const char *const materials[] = {
			"\"clay\":{\"break_energy\":20}", "\"clay\":{\"break_energy\":20,\"uv_scale\":1}",
			"\"clay\":{\"break_energy\":20,\"uv_seed\":3,\"inner_color\":[1,0,0]}"
		};
		CHECK_RUNS(t, VERSION_2, materials[i], "\"box\":{\"box\":[1,1,1]}",
		           ",{\"model\":\"box\",\"material\":\"clay\",\"position\":[0,1,0],\"velocity\":"
		           "[0,-20,0]}]");
		char line[200];
		snprintf(line, sizeof line, "grep -c TEXCOORD_0 '%s/film.glb' >/dev/null", folder);
		CHECK(t, (system(line) == 0) == (i > 0));
	}
	close_folder(t);
}

static void what_would_be_ignored_is_refused(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("make vase vase.obj") == 0 && run("prepare vase.obj -o vase.rbl") == 0);
	static const struct {
		const char *material, *model, *reason;
	} cases[] = {
		{ "\"wear_energy\":9", "\"box\":[1,1,1]", "materials.x.wear_energy: damage adds up to" },
		{ "\"wear_energy\":9,\"break_energy\":9", "\"box\":[1,1,1]",
		  "materials.x.wear_energy: a hit that breaks it does not wear it" },
		{ "", "\"shape\":\"vase\",\"strength_channel\":\"red\"",
		  "models.m: an argument is not usable: strength_channel: the mesh has no vertex colours" },
		{ "", "\"file\":\"vase.rbl\",\"clusters\":[{\"count\":2}]", "an asset is taken as it was" },
		{ "", "\"file\":\"vase.rbl\",\"node_count\":2", "an asset is taken as it was prepared" },
		{ "", "\"file\":\"vase.rbl\",\"repair\":true", "an asset is taken as it was prepared" },
		{ "", "\"file\":\"vase.rbl\",\"materials\":{\"glaze\":\"ice\"}",
		  "an asset is taken as it was" },
		{ "", "\"file\":\"vase.rbl\",\"strength_channel\":\"red\"", "an asset is taken as it was" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		char material[100], model[200];
		snprintf(material, sizeof material, "\"x\":{%s}", cases[i].material);
		snprintf(model, sizeof model, "\"m\":{%s}", cases[i].model);
		CHECK(t, run_scene(t, VERSION_2, material, model,
		                   ",{\"model\":\"m\",\"material\":\"x\",\"position\":[0,1,0]}]") == 1);
		if (!strstr(output, cases[i].reason))
			test_fail(t, __FILE__, __LINE__, output);
		t->checks++;
	}
	close_folder(t);
}

TEST_MAIN(TEST(what_only_a_trigger_throws_breaks_too), TEST(balls_break),
          TEST(what_does_not_break_stays_round), TEST(static_meshes_wear_and_bend),
          TEST(what_does_not_break_is_anchored_too), TEST(what_is_all_dust_is_filmed),
          TEST(any_inner_material_breaks), TEST(weaker_hits_follow_the_energy_of_a_preset),
          TEST(films_have_coordinates_for_textures), TEST(what_would_be_ignored_is_refused))
