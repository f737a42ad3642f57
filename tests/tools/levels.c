// SPDX-License-Identifier: MIT
// ctest: native
// Levels by patterns, in scene files and from rubble prepare.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

// A wall that a blow of 600 J reaches everywhere. Bonds of strength 1 take 5 kJ.
#define SCENE                                                                                    \
	"{\"version\":2,\"step_count\":20,\"materials\":{\"clay\":{\"break_energy\":100000,"         \
	"\"bond_energy\":5000,\"wear_radius\":100,\"min_size\":0.01,\"dust_size\":0.001}},"          \
	"\"models\":{\"wall\":{%s,\"clusters\":[%s]}},\"instances\":[{\"name\":\"wall\",\"model\":"  \
	"\"wall\",\"material\":\"clay\",\"position\":[0,1,0]}],\"triggers\":[{\"time\":0.05,"        \
	"\"action\":\"damage\",\"target\":\"wall\",\"position\":[0,1,0.1],\"radius\":0.1,\"energy\"" \
	":600}]}"
#define BOX "\"box\":[2,1,0.2]"
#define CHUNKS "{\"pattern\":\"voronoi\",\"cell_count\":5,\"strength\":0.1%s}"

// Run a scene. @return how many bodies there are after it, -1: it fails
static int bodies_of(test *t, const char *model, const char *clusters, unsigned long long *state)
{
	char text[3000];
	snprintf(text, sizeof text, SCENE, model, clusters);
	write_text("scene.json", text);
	if (run("run scene.json -o film.glb --record film.rblr") != 0) {
		printf("%s: %s", text, output);
		return -1;
	}
	const char *bodies = strstr(output, " bodies"), *hash = strstr(output, "state ");
	CHECK(t, bodies && hash);
	while (bodies && bodies > output && bodies[-1] >= '0' && bodies[-1] <= '9')
		bodies--;
	*state = hash ? strtoull(hash + 6, NULL, 16) : 0;
	int count = bodies ? atoi(bodies) : -1;
	CHECK(t, run("replay film.rblr --workers 2") == 0);
	return count;
}

static void levels_part_by_their_strength(test *t)
{
	if (!open_folder(t, "run"))
		return;
	unsigned long long state;
	char chunks[300];
	snprintf(chunks, sizeof chunks, CHUNKS, "");
	int whole =
		bodies_of(t, BOX, "{\"pattern\":\"voronoi\",\"cell_count\":5,\"strength\":0.2}", &state);
	int parted = bodies_of(t, BOX, chunks, &state);
	CHECK(t, whole == 1 && parted == 5);
	const char *second = ",{\"pattern\":\"bricks\",\"brick_size\":[0.4,0.25,0.2],\"strength\":%s}";
	char both[900], bricks[300];
	snprintf(bricks, sizeof bricks, second, "0.5");
	snprintf(both, sizeof both, "%s%s", chunks, bricks);
	CHECK(t, bodies_of(t, BOX, both, &state) == 5); // bricks hold
	snprintf(bricks, sizeof bricks, second, "0.1");
	snprintf(both, sizeof both, "%s%s", chunks, bricks);
	CHECK(t, bodies_of(t, BOX, both, &state) > 20);
	CHECK(t, bodies_of(t, "\"shape\":\"vase\"", chunks, &state) >= 3);
	CHECK(t, bodies_of(t, "\"stone\":[1,1,1]", chunks, &state) >= 3);
	close_folder(t);
}

static void every_key_of_a_level_counts(test *t)
{
	static const struct {
		const char *base, *key;
	} cases[] = {
		{ CHUNKS, ",\"seed\":7" },
		{ CHUNKS, ",\"size\":[3,3,3]" },
		{ CHUNKS, ",\"position\":[0.3,0,0]" },
		{ CHUNKS, ",\"rotation\":[0,0,1,30]" },
		{ "{\"pattern\":\"voronoi\",\"strength\":0.1%s}", ",\"cell_count\":3" },
		{ "{\"pattern\":\"impact\",\"cell_count\":9,\"strength\":0.1%s}", ",\"focus\":0" },
		{ "{\"pattern\":\"splinters\",\"cell_count\":9,\"strength\":0.1%s}", ",\"stretch\":2" },
		{ "{\"pattern\":\"web\",\"cell_count\":9,\"strength\":0.1%s}", ",\"ring_count\":3" },
		{ "{\"pattern\":\"web\",\"cell_count\":9,\"strength\":0.1%s}", ",\"spoke_count\":3" },
		{ "{\"pattern\":\"web\",\"cell_count\":9,\"strength\":0.1%s}", ",\"jitter\":0" },
		{ "{\"pattern\":\"bricks\",\"strength\":0.1%s}", ",\"brick_size\":[0.5,0.5,0.5]" },
		{ "{\"pattern\":\"bricks\",\"strength\":0.1%s}", ",\"bond\":\"stack\"" },
	};
	if (!open_folder(t, "run"))
		return;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		unsigned long long plain = 0, changed = 0;
		char text[400];
		snprintf(text, sizeof text, cases[i].base, "");
		CHECK(t, bodies_of(t, BOX, text, &plain) > 1);
		snprintf(text, sizeof text, cases[i].base, cases[i].key);
		CHECK(t, bodies_of(t, BOX, text, &changed) > 1);
		if (plain == changed)
			printf("%s changes nothing\n", cases[i].key);
		CHECK(t, plain != changed);
	}
	static const struct {
		const char *model, *clusters, *reason;
	} mistakes[] = {
		{ BOX, "{\"strength\":0.1}", "clusters[0].count: a number of clusters is needed, or a" },
		{ BOX, "{\"count\":3}", "clusters: only models of boxes" },
		{ BOX, "{\"count\":3,\"pattern\":\"web\"}", "clusters[0].count: a pattern has as many" },
		{ BOX, "{\"pattern\":\"voronoi\"},{\"count\":3,\"seed\":4}",
		  "clusters[1].seed: only a pattern has that" },
		{ BOX, "{\"pattern\":\"voronoi\",\"bond\":\"stack\"}", "clusters[0].bond: only the" },
		{ BOX, "{\"pattern\":\"voronoi\",\"rotation\":[0,0,0,1]}", "rotation: the axis has no" },
		{ BOX, "{\"pattern\":\"cells\"}", "clusters[0].pattern: 'cells' is none of" },
		{ "\"boxes\":[{\"size\":[1,1,1]}]", "{\"pattern\":\"web\"}",
		  "clusters[0]: boxes are parts already" },
		{ "\"plane\":[0,1,0]", "{\"pattern\":\"web\"}", "clusters: a plane has no parts" },
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
		char text[3000];
		snprintf(text, sizeof text, SCENE, mistakes[i].model, mistakes[i].clusters);
		write_text("bad.json", text);
		bool is_right = run("run --check bad.json") == 1 && strstr(output, mistakes[i].reason);
		if (!is_right)
			printf("%s: %s", mistakes[i].reason, output);
		CHECK(t, is_right);
	}
	close_folder(t);
}

// An asset in levels, which a scene takes as it is.
static void files_are_prepared_in_levels(test *t)
{
	if (!open_folder(t, "prepare"))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("prepare in.obj --json out.json -o out.rbl --levels "
	             "'voronoi:6:0.1 bricks:0.5,0.25,0.5:0.5 90:0.9'") == 0);
	CHECK(t, field("parts") > 20.0 && field("inside_out") == 0.0);
	CHECK(t, fabs(field("visual_volume") / field("mesh_volume") - 1.0) < 1e-9);
	CHECK(t, run("prepare in.obj --json out.json --levels 'splinters:9:0.1 web:20:0.2'") == 0);
	CHECK(t, run("prepare in.obj --json out.json --levels 'impact:4:1'") == 0);
	CHECK(t, field("parts") == 4.0);
	static const char *const wrong[] = {
		"voronoi",      "voronoi:6", "voronoi:0:1", "voronoi:6:0", "bricks:6:1",     "bricks:1,1:1",
		"bricks:1,1,1", "6:1:1",     "x:6:1",       "6",           "6:1 voronoi:6:x"
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
		char line[200];
		snprintf(line, sizeof line, "prepare in.obj --levels '%s'", wrong[i]);
		CHECK(t, run(line) == 2 && strstr(output, "--levels: '"));
	}
	CHECK(t, run("prepare in.obj --levels 'voronoi:6:0.1 2:0.5'") == 1); // fewer than six
	CHECK(t, strstr(output, "level 1 has 2 clusters"));
	char text[3000];
	snprintf(text, sizeof text, SCENE, "\"file\":\"out.rbl\"", "");
	char *none = strstr(text, ",\"clusters\":[]");
	CHECK(t, none != NULL);
	if (none)
		memmove(none, none + 14, strlen(none + 14) + 1);
	write_text("file.json", text);
	CHECK(t, run("run file.json -o film.glb") == 0 && strstr(output, " 6 bodies"));
	close_folder(t);
}

TEST_MAIN(TEST(levels_part_by_their_strength), TEST(every_key_of_a_level_counts),
          TEST(files_are_prepared_in_levels))
