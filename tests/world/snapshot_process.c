// SPDX-License-Identifier: MIT
// ctest: native soak
// A snapshot is loaded by another process, which goes on with the same hashes.

#define _POSIX_C_SOURCE 200809L

#include "busy.h"
#include "program_path.h"
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { SAVED_AT = 58, MOST_STEPS = 600 };

static const char *program;

// What the first process tells the second: who is acted upon, hashes, and the world.
typedef struct letter {
	rbl_body_id bodies[BUSY_BODIES];
	rbl_joint_id hinge;
	int steps;
	uint64_t hashes[MOST_STEPS];
	size_t size;
} letter;

static int go_on(const char *path, int workers)
{
	static letter l;
	FILE *file = fopen(path, "rb");
	if (!file || fread(&l, sizeof l, 1, file) != 1)
		return 2;
	unsigned char *bytes = malloc(l.size);
	if (!bytes || fread(bytes, 1, l.size, file) != l.size)
		return 2;
	fclose(file);
	busy b;
	busy_prepare(&b, workers);
	memcpy(b.bodies, l.bodies, sizeof b.bodies);
	b.hinge = l.hinge;
	rbl_world_def def = busy_world_def(&b);
	rbl_sources sources = busy_sources(&b);
	if (rbl_world_load(bytes, l.size, &def, &sources, &b.s.world) != RBL_OK)
		return 3;
	int status = 0;
	for (int i = 0; i < l.steps && status == 0; ++i)
		status = busy_step(&b, SAVED_AT + i) == l.hashes[i] ? 0 : 4;
	busy_destroy(&b);
	free(bytes);
	return status;
}

static void another_process_goes_on_alike(test *t)
{
	static letter l;
	l = (letter){ .steps = test_count(100, MOST_STEPS) };
	busy b;
	busy_create(&b, 1, 20);
	for (int i = 0; i < SAVED_AT; ++i)
		busy_step(&b, i);
	memcpy(l.bodies, b.bodies, sizeof l.bodies);
	l.hinge = b.hinge;
	unsigned char *bytes = busy_save(b.s.world, &l.size);
	for (int i = 0; i < l.steps; ++i)
		l.hashes[i] = busy_step(&b, SAVED_AT + i);
	busy_destroy(&b);
	char path[] = "/tmp/rubble-snapshot-XXXXXX";
	int handle = mkstemp(path);
	FILE *file = handle >= 0 ? fdopen(handle, "wb") : NULL;
	CHECK(t, file && bytes && fwrite(&l, sizeof l, 1, file) == 1 &&
	             fwrite(bytes, 1, l.size, file) == l.size);
	if (file)
		fclose(file);
	for (int workers = 1; workers <= 4; workers *= 2) {
		char line[1000];
		snprintf(line, sizeof line, "%s '%s' --go-on %s %d", emulator(), program, path, workers);
		int status = system(line);
		CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	unlink(path);
	free(bytes);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "--go-on") == 0)
		return go_on(argv[2], atoi(argv[3]));
	program = argv[0];
	const test_case cases[] = { TEST(another_process_goes_on_alike) };
	return test_main(cases, 1, argc, argv);
}
