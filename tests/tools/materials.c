// SPDX-License-Identifier: MIT
// ctest: native
//
// Materials of scenes: presets, levels, slots of meshes, boxes; and that each breaks by its own rule.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#define SCENE(materials, models, instances)                                                  \
	"{\"version\":2,\"step_count\":5,\"materials\":{" materials "},\"models\":{" models "}," \
	"\"instances\":[" instances "]}"
#define BOX "\"box\":{\"box\":[1,1,1]}"
#define OBJECT(material) "{\"model\":\"box\",\"material\":\"" material "\"}"

static void mistakes_are_named_by_their_place(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("make building building.glb") == 0);
	static const struct {
		const char *text, *reason;
	} cases[] = {
		{ SCENE("", BOX, OBJECT("glas")),
		  "instances[0].material: there is no material 'glas'; did" },
		{ SCENE("", BOX, OBJECT("cheese")), "there is no material 'cheese', and no preset" },
		{ SCENE("\"x\":{\"preset\":\"clay\"}", BOX, OBJECT("x")),
		  "materials.x.preset: 'clay' is none of concrete, brick" },
		{ SCENE("\"x\":{\"levels\":[]}", BOX, OBJECT("x")),
		  "materials.x.levels: a list of 1 to 4 objects is needed" },
		{ SCENE("\"x\":{\"levels\":[{\"radius\":1}]}", BOX, OBJECT("x")),
		  "materials.x.levels[0].energy: a number is needed" },
		{ SCENE("\"x\":{\"levels\":[{\"energy\":5},{\"energy\":5}]}", BOX, OBJECT("x")),
		  "materials.x.levels[1]: the energy is not more" },
		{ SCENE("\"x\":{\"break_energy\":1,\"levels\":[{\"energy\":5}]}", BOX, OBJECT("x")),
		  "materials.x.break_energy: each of the levels has its own" },
		{ SCENE("\"x\":{\"levels\":[{\"energy\":5,\"stretch\":3}]}", BOX, OBJECT("x")),
		  "materials.x.levels[0].stretch: only the pattern 'splinters'" },
		{ SCENE("\"x\":{\"preset\":\"brick\",\"focus\":1}", BOX, OBJECT("x")),
		  "materials.x.focus: only the pattern 'impact'" },
		{ SCENE("\"x\":{\"break_energy\":5,\"bend_energy\":6}", BOX, OBJECT("x")),
		  "materials.x.bend_energy: a hit that breaks it does not bend it" },
		{ SCENE("\"x\":{\"pattern_shape\":[1,0,0,0,1,0,0,0,0]}", BOX, OBJECT("x")),
		  "materials.x.pattern_shape: the matrix has no inverse" },
		{ SCENE("\"x\":{\"pattern_shape\":[1,0,0]}", BOX, OBJECT("x")),
		  "materials.x.pattern_shape: a list of nine numbers" },
		{ SCENE("", "\"box\":{\"boxes\":[]}", OBJECT("ice")),
		  "models.box.boxes: a list of 1 to 1000 objects is needed" },
		{ SCENE("", "\"box\":{\"boxes\":[{\"size\":[1,1,1]}],\"clusters\":[{\"count\":0}]}",
		        OBJECT("ice")),
		  "models.box.clusters[0].count: 0 is not" },
		{ SCENE("", BOX, OBJECT("ice") "],\"joints\":[{}"),
		  "joints[0]: an argument is not usable: a joint needs two bodies" },
		{ SCENE("", "\"box\":{\"box\":[1,1,1],\"materials\":{}}", OBJECT("ice")),
		  "models.box.materials: only models of a shape or a file" },
		{ SCENE("", "\"box\":{\"boxes\":[{\"size\":[1,1,1],\"material\":\"ic\"}]}", OBJECT("ice")),
		  "models.box.boxes[0].material: there is no material 'ic'; did you mean 'ice'?" },
		{ SCENE("", "\"box\":{\"file\":\"building.glb\",\"materials\":{\"brick\":\"x\"}}",
		        OBJECT("ice")),
		  "models.box.materials.brick: there is no material 'x'" },
		{ SCENE("", "\"box\":{\"file\":\"building.glb\",\"materials\":{\"Brick\":\"ice\"}}",
		        OBJECT("ice")),
		  "materials.Brick: the mesh has no slot of that name; it has brick" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		write_file("bad.json", cases[i].text, strlen(cases[i].text));
		CHECK(t, run("run bad.json -o bad.glb") == 1);
		if (!strstr(output, cases[i].reason))
			test_fail(t, __FILE__, __LINE__, output);
		t->checks++;
	}
	close_folder(t);
}

// --- events -------------------------------------------------------------------------------------

typedef struct row {
	char event[20], detail[20], material[40];
	int fragments;
	double mass;
} row;

static row rows[20000];

// Read the table of events.
static int read_rows(const char *name)
{
	char path[100], line[600];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "r");
	int count = 0;
	while (file && fgets(line, sizeof line, file) && count < 20000) {
		row *r = &rows[count];
		memset(r, 0, sizeof *r);
		char *field = line;
		for (int i = 0; field; ++i) {
			char *end = field + strcspn(field, ",\n");
			bool is_last = *end != ',';
			*end = '\0';
			if (i == 2 || i == 3)
				snprintf(i == 2 ? r->event : r->detail, sizeof r->event, "%.19s", field);
			else if (i == 15)
				r->mass = atof(field);
			else if (i == 16)
				r->fragments = atoi(field);
			else if (i == 19)
				snprintf(r->material, sizeof r->material, "%.39s", field);
			field = is_last ? NULL : end + 1;
		}
		++count;
	}
	if (file)
		fclose(file);
	return count;
}

// Fragments of a material that hits have broken, and how many of them came of a hit on another.
typedef struct tally {
	int hits, own, others;
} tally;

static tally count_fragments(int count, const char *material)
{
	tally sum = { 0, 0, 0 };
	const char *of = "";
	for (int i = 0; i < count; ++i) {
		bool is_hit = strcmp(rows[i].event, "fracture") == 0 && strcmp(rows[i].detail, "hit") == 0;
		if (strcmp(rows[i].event, "fracture") == 0)
			of = is_hit ? rows[i].material : "";
		if (is_hit)
			sum.hits += strcmp(of, material) == 0;
		else if (strcmp(rows[i].event, "fragment") == 0 && *of &&
		         strcmp(rows[i].material, material) == 0)
			*(strcmp(of, material) == 0 ? &sum.own : &sum.others) += 1;
	}
	return sum;
}

// Five materials in one body: each breaks where it is hit, and by its own rule.
static void a_building_breaks_each_material_by_its_own_rule(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("make building building.glb") == 0);
	char line[500];
	snprintf(line, sizeof line, "cp '" RBL_SOURCE_DIR "/scenes/building.json' '%s'", folder);
	CHECK(t, system(line) == 0);
	CHECK(t, run("run building.json -o b.glb --steps 80 --events b.csv --workers 2") == 0);
	int count = read_rows("b.csv");
	CHECK(t, count > 100);
	static const struct {
		const char *name;
		int fragments;
	} expected[] = {
		{ "brick", 40 }, { "concrete", 8 }, { "wood", 4 }, { "glass", 60 }, { "plaster", 60 }
	};
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
		tally found = count_fragments(count, expected[i].name);
		if (found.hits < 1 || found.own < expected[i].fragments || 20 * found.others > found.own) {
			snprintf(line, sizeof line, "%s: %d hits, %d fragments, %d of other hits",
			         expected[i].name, found.hits, found.own, found.others);
			test_fail(t, __FILE__, __LINE__, line);
		}
		t->checks++;
	}
	int bricks = 0; // whole ones
	for (int i = 0; i < count; ++i)
		bricks += strcmp(rows[i].material, "brick") == 0 &&
		          fabs(rows[i].mass - 1900.0 * 0.25 * 0.1 * 0.2) < 0.01;
	CHECK(t, bricks > 20);
	close_folder(t);
}

// --- presets ------------------------------------------------------------------------------------

static int breaks_of(test *t, const char *materials, const char *material)
{
	char text[1500];
	snprintf(text, sizeof text,
	         "{\"version\":2,\"step_count\":40,\"gravity\":[0,0,0],\"materials\":{%s%s"
	         "\"iron\":{\"density\":7800}},\"models\":{\"pane\":{\"box\":[1,1,0.02]},"
	         "\"ball\":{\"sphere\":0.1}},\"instances\":[{\"model\":\"pane\",\"material\":\"%s\","
	         "\"kind\":\"static\"}],\"projectiles\":[{\"model\":\"ball\",\"material\":\"iron\","
	         "\"position\":[0,0,1],\"velocity\":[0,0,-5]}]}",
	         materials, *materials ? "," : "", material);
	write_file("pane.json", text, strlen(text));
	CHECK(t, run("run pane.json -o pane.glb --events pane.csv") == 0);
	int count = read_rows("pane.csv"), breaks = 0;
	for (int i = 0; i < count; ++i)
		if (strcmp(rows[i].event, "fracture") == 0) {
			breaks += rows[i].fragments;
			CHECK(t, strcmp(rows[i].material, material) == 0);
		}
	return breaks;
}

// 408 J break glass, and not what is as glass but stronger.
static void presets_are_there_and_follow_other_keys(test *t)
{
	if (!open_folder(t, "run"))
		return;
	int glass = breaks_of(t, "", "glass");
	CHECK(t, glass > 20 && breaks_of(t, "", "concrete") == 0);
	CHECK(t, breaks_of(t, "\"x\":{\"preset\":\"glass\"}", "x") == glass);
	CHECK(t, breaks_of(t, "\"glass\":{\"break_energy\":1000}", "glass") == 0);
	CHECK(t, breaks_of(t, "\"x\":{\"preset\":\"glass\",\"break_energy\":1000}", "x") == 0);
	CHECK(t, breaks_of(t, "\"x\":{\"preset\":\"glass\",\"break_energy\":0}", "x") == 0);
	int few = breaks_of(t, "\"x\":{\"preset\":\"glass\",\"ring_count\":2,\"spoke_count\":5}", "x");
	CHECK(t, few > 0 && 2 * few < glass);
	int fine = breaks_of(t,
	                     "\"x\":{\"preset\":\"glass\",\"levels\":[{\"energy\":5,\"radius\":1,"
	                     "\"pattern\":\"voronoi\",\"cell_count\":8000,\"size\":[2,2,2]}]}",
	                     "x");
	CHECK(t, fine > 2 * few);
	close_folder(t);
}

// Boxes of a model are made of what they say, and so are slots.
static void boxes_and_slots_are_made_of_what_the_model_says(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char text[] =
		"{\"version\":2,\"step_count\":40,\"gravity\":[0,0,0],\"materials\":{\"iron\":"
		"{\"density\":7800}},\"models\":{\"wall\":{\"boxes\":[{\"size\":[1,1,0.1]},{\"size\":"
		"[1,1,0.1],\"position\":[1,0,0],\"material\":\"ceramic\"}]},\"ball\":{\"sphere\":0.1}},"
		"\"instances\":[{\"model\":\"wall\",\"material\":\"iron\",\"kind\":\"static\"}],"
		"\"projectiles\":[{\"model\":\"ball\",\"material\":\"iron\",\"position\":[0,0,1],"
		"\"velocity\":[0,0,-5]},{\"model\":\"ball\",\"material\":\"iron\",\"position\":[1,0,1],"
		"\"velocity\":[0,0,-5]}]}";
	write_file("wall.json", text, strlen(text));
	CHECK(t, run("run wall.json -o wall.glb --events wall.csv") == 0);
	int count = read_rows("wall.csv"), breaks = 0;
	for (int i = 0; i < count; ++i)
		if (strcmp(rows[i].event, "fracture") == 0 && rows[i].fragments > 0) {
			++breaks;
			CHECK(t, strcmp(rows[i].material, "ceramic") == 0);
		}
	CHECK(t, breaks >= 1);
	CHECK(t, run("make building building.glb") == 0);
	static const char *const models[3] = { "", ",\"materials\":{\"glass\":\"jelly\"}",
		                                   ",\"match_names\":false" };
	static const char *const made_of[3] = { "glass", "jelly", "iron" };
	for (int i = 0; i < 3; ++i) {
		char scene[1200];
		snprintf(
			scene, sizeof scene,
			"{\"version\":2,\"step_count\":40,\"gravity\":[0,0,0],\"materials\":{\"jelly\":"
			"{\"break_energy\":5},\"iron\":{\"break_energy\":6},\"lead\":{}},\"models\":{\"house\":"
			"{\"file\":\"building.glb\"%s},\"ball\":{\"sphere\":0.1}},\"instances\":[{\"model\":"
			"\"house\",\"material\":\"iron\",\"kind\":\"static\"}],\"projectiles\":[{\"model\":"
			"\"ball\",\"material\":\"lead\",\"position\":[0,1.7,5],\"velocity\":[0,0,-8]}]}",
			models[i]);
		write_file("house.json", scene, strlen(scene));
		CHECK(t, run("run house.json -o house.glb --events house.csv") == 0);
		count = read_rows("house.csv");
		breaks = 0;
		for (int k = 0; k < count && breaks == 0; ++k)
			if (strcmp(rows[k].event, "fracture") == 0) {
				++breaks;
				CHECK(t, strcmp(rows[k].material, made_of[i]) == 0);
			}
		CHECK(t, breaks == 1);
	}
	close_folder(t);
}

static long film_size(test *t, const char *opacity, char *state)
{
	char text[1200], path[100];
	snprintf(text, sizeof text,
	         "{\"version\":2,\"step_count\":30,\"materials\":{\"pane\":{\"preset\":\"glass\","
	         "\"opacity\":%s,\"debris\":\"none\",\"radius_limit\":0.3}},\"models\":{\"pane\":{"
	         "\"box\":[1,1,0.02]},\"ball\":{\"sphere\":0.05}},\"instances\":[{\"model\":\"pane\","
	         "\"material\":\"pane\",\"kind\":\"static\"}],\"projectiles\":[{\"model\":\"ball\","
	         "\"material\":\"stone\",\"position\":[0,0,1],\"velocity\":[0,0,-9]}]}",
	         opacity);
	write_file("pane.json", text, strlen(text));
	CHECK(t, run("run pane.json -o pane.glb") == 0);
	const char *found = strstr(output, "state ");
	CHECK(t, found != NULL);
	snprintf(state, 32, "%.22s", found ? found : "");
	snprintf(path, sizeof path, "%s/pane.glb", folder);
	FILE *file = fopen(path, "rb");
	long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	if (file)
		fclose(file);
	return size;
}

// Faces that bonds cover are not in the film of something transparent; the world is the same.
static void faces_inside_glass_are_left_out(test *t)
{
	if (!open_folder(t, "run"))
		return;
	char states[2][32];
	long opaque = film_size(t, "1", states[0]), clear = film_size(t, "0.25", states[1]);
	CHECK(t, strcmp(states[0], states[1]) == 0);
	CHECK(t, clear > 1000 && clear < opaque - 2000);
	close_folder(t);
}

TEST_MAIN(TEST(mistakes_are_named_by_their_place),
          TEST(a_building_breaks_each_material_by_its_own_rule),
          TEST(presets_are_there_and_follow_other_keys),
          TEST(boxes_and_slots_are_made_of_what_the_model_says),
          TEST(faces_inside_glass_are_left_out))
