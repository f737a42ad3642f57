// SPDX-License-Identifier: MIT
// ctest: native
//
// How large films are.

#define _XOPEN_SOURCE 700
#include "command.h"

#include <sys/stat.h>

static long size_of(const char *name)
{
	char path[100];
	struct stat about;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

// A quarter of what it was when every piece had a mesh and normals of its own, which is two fifths of
// what it is since equal pieces share theirs.
static void the_arena_is_small(test *t)
{
	if (test_repeats(1, 0) == 0) {
		SKIP(t, "the arena takes minutes under a sanitizer; bricks take the same ways");
		return;
	}
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run '" RBL_SOURCE_DIR "/scenes/arena.json' -o plain.glb --quiet") == 0);
	CHECK(t, run("run '" RBL_SOURCE_DIR "/scenes/arena.json' -o small.glb --small --quiet") == 0);
	double plain = (double)size_of("plain.glb"), small = (double)size_of("small.glb");
	CHECK(t, small > 1e6 && small <= 0.41 * plain);
	close_folder(t);
}

static void options_make_films_smaller(test *t)
{
	if (!open_folder(t, "run"))
		return;
	const char *const options[4] = { "", "--tolerance 0.05", "--quantize", "--small" };
	long sizes[4];
	for (int i = 0; i < 4; ++i) {
		char line[400];
		snprintf(line, sizeof line, "run '%s/scenes/bricks.json' -o film.glb --steps %d --quiet %s",
		         RBL_SOURCE_DIR, test_repeats(120, 60), options[i]);
		CHECK(t, run(line) == 0);
		sizes[i] = size_of("film.glb");
	}
	CHECK(t, sizes[1] < sizes[0] && sizes[2] < sizes[0] && sizes[3] < sizes[2]);
	CHECK(t, run("run '" RBL_SOURCE_DIR
	             "/scenes/bricks.json' -o i.glb --steps 10 --quiet --instances") == 0);
	CHECK(t, run("run x.json --tolerance 2") == 2);
	close_folder(t);
}

TEST_MAIN(TEST(the_arena_is_small), TEST(options_make_films_smaller))
