// SPDX-License-Identifier: MIT
// ctest: threads soak
// Storms in which the world is saved and loaded before every step: whatever a world can be in loads
// again, and goes on with the same bits.
//
// RBL_STORM_FIRST=n and RBL_STORM_COUNT=n run a part of the full size (RBL_SOAK=1).

#include "storm.h"

#include "base/blob.h"

static char last_line[400]; // of the log

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

static unsigned char *save(test *t, const rbl_world *world, size_t *size)
{
	*size = 0;
	CHECK(t, rbl_world_save(world, NULL, size) == RBL_OK);
	unsigned char *bytes = malloc(*size);
	CHECK(t, rbl_world_save(world, bytes, size) == RBL_OK);
	return bytes;
}

// @param user  of its callbacks
static rbl_world *load(test *t, const storm *m, const unsigned char *bytes, size_t size,
                       storm *user, rbl_jobs *jobs)
{
	rbl_world_def def = m->def;
	def.user = user;
	def.jobs = jobs;
	rbl_sources sources = storm_sources(m);
	rbl_world *world = NULL;
	rbl_result result = rbl_world_load(bytes, size, &def, &sources, &world);
	CHECK(t, result == RBL_OK);
	if (result != RBL_OK)
		printf("step %d: %s\n", m->steps, last_line);
	return world;
}

static rbl_jobs *make_jobs(int workers)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = workers;
	rbl_jobs *jobs = NULL;
	if (workers > 1)
		rbl_create_jobs(&def, &jobs);
	return jobs;
}

// The part of a snapshot in which two differ first, by its tag; "" when they are the same.
static const char *find_difference(const unsigned char *a, size_t a_size, const unsigned char *b,
                                   size_t b_size, size_t *offset)
{
	enum { PART_HEAD = 12 }; // tag and size
	static char tag[5];
	size_t part = RBL_BLOB_HEADER, size = a_size < b_size ? a_size : b_size, i = part;
	while (i < size && a[i] == b[i])
		i++;
	*offset = 0;
	if (i == size)
		return a_size == b_size ? "" : "size";
	for (uint64_t length = 0; part + PART_HEAD <= i; part += PART_HEAD + (size_t)length) {
		length = 0;
		for (size_t k = 8; k-- > 0;)
			length = length << 8 | a[part + 4 + k];
		if (i < part + PART_HEAD + length)
			break;
	}
	snprintf(tag, sizeof tag, "%.4s", (const char *)a + part);
	*offset = i - part;
	return tag;
}

static void compare(test *t, const storm *m, const rbl_world *a, const rbl_world *b)
{
	size_t a_size, b_size, offset;
	unsigned char *x = save(t, a, &a_size), *y = save(t, b, &b_size);
	const char *part = find_difference(x, a_size, y, b_size, &offset);
	bool is_same = rbl_world_hash(a) == rbl_world_hash(b);
	if (t->failures < 10 && (!is_same || *part))
		printf(
			"step %d: hashes %s; sizes are %zu and %zu, the first difference is in '%s' at %zu\n",
			m->steps, is_same ? "agree" : "differ", a_size, b_size, part, offset);
	CHECK(t, is_same && !*part);
	free(x), free(y);
}

// Step the world, and one that was loaded in its place: all of their state is the same.
static rbl_result step_both(test *t, storm *m, float dt)
{
	static storm twin;
	size_t size;
	unsigned char *bytes = save(t, m->s.world, &size);
	twin = *m;
	twin.s.world = load(t, m, bytes, size, &twin, m->user);
	free(bytes);
	if (!twin.s.world) {
		m->step = NULL; // one line is enough
		return rbl_world_step(m->s.world, dt);
	}
	compare(t, m, m->s.world, twin.s.world);
	rbl_result result = rbl_world_step(m->s.world, dt);
	CHECK(t, rbl_world_step(twin.s.world, dt) == result);
	compare(t, m, m->s.world, twin.s.world);
	CHECK(t, memcmp(&twin.random, &m->random, sizeof m->random) == 0); // it was asked the same
	rbl_destroy_world(twin.s.world);
	return result;
}

static void a_world_loaded_before_any_step_makes_the_same_step(test *t)
{
	static storm m;
	storm_totals all = { 0 };
	int first, count;
	storm_range(&first, &count, test_repeats(4, 2), 200);
	rbl_set_log(keep_line, NULL);
	rbl_jobs *jobs = make_jobs(4);
	for (int i = first; i < first + count; ++i) {
		int failures = t->failures;
		storm_open(t, &m, 2026u + (unsigned)i, i % 4 == 3 ? 3 : 1);
		m.step = step_both;
		// Else it would share one of the caller, and one like it that was loaded.
		m.shares_before_steps = true;
		m.user = i % 2 ? jobs : NULL; // of the world that is loaded
		storm_blow(t, &m, test_count(4000, 20000));
		storm_add_totals(&all, &m);
		storm_close(&m);
		if (t->failures > failures)
			printf("in slice %d\n", i);
	}
	rbl_destroy_jobs(jobs);
	rbl_set_log(NULL, NULL);
	storm_print_totals(&all);
	CHECK(t, storm_has_all(&all, count));
}

// --- one after the other ------------------------------------------------------------------------

typedef struct course {
	uint64_t *hashes; // after each step
	int count, capacity;
	bool is_second; // they are compared
	int differs;    // the first step that does, or -1
	rbl_jobs *jobs; // of worlds that are loaded
} course;

static void follow(course *c, uint64_t hash)
{
	if (c->is_second) {
		if (c->differs < 0 && (c->count >= c->capacity || c->hashes[c->count] != hash))
			c->differs = c->count;
		c->count++;
		return;
	}
	if (c->count == c->capacity) {
		c->capacity = 2 * c->capacity + 1000;
		c->hashes = realloc(c->hashes, (size_t)c->capacity * sizeof *c->hashes);
	}
	c->hashes[c->count++] = hash;
}

static rbl_result step_on(test *t, storm *m, float dt)
{
	course *c = m->user;
	if (c->is_second && c->differs < 0) {
		size_t size;
		unsigned char *bytes = save(t, m->s.world, &size);
		rbl_world *loaded = load(t, m, bytes, size, m, c->jobs);
		free(bytes);
		if (loaded) {
			rbl_destroy_world(m->s.world);
			m->s.world = loaded;
		}
	}
	rbl_result result = rbl_world_step(m->s.world, dt);
	follow(c, rbl_world_hash(m->s.world));
	return result;
}

// Also what is called between steps finds the same: what is made, destroyed, asked and changed.
static void a_world_that_is_loaded_before_every_step_goes_on_alike(test *t)
{
	static storm m;
	storm_totals all = { 0 };
	int first, count;
	storm_range(&first, &count, test_repeats(4, 2), 100);
	rbl_set_log(keep_line, NULL);
	for (int i = first; i < first + count; ++i) {
		course c = { .differs = -1, .jobs = make_jobs(i % 2 ? 3 : 1) };
		for (int pass = 0; pass < 2; ++pass) {
			storm_open(t, &m, 5000u + (unsigned)i, 1);
			m.step = step_on;
			m.user = &c;
			storm_blow(t, &m, test_count(4000, 20000));
			if (pass == 0) {
				c.capacity = c.count;
				storm_add_totals(&all, &m);
			}
			storm_close(&m);
			CHECK(t, c.count == c.capacity);
			c.count = 0;
			c.is_second = true;
		}
		if (c.differs >= 0)
			printf("slice %d: step %d differs\n", i, c.differs);
		CHECK(t, c.differs < 0);
		free(c.hashes);
		rbl_destroy_jobs(c.jobs);
	}
	rbl_set_log(NULL, NULL);
	storm_print_totals(&all);
	CHECK(t, storm_has_all(&all, count));
}

TEST_MAIN(TEST(a_world_loaded_before_any_step_makes_the_same_step),
          TEST(a_world_that_is_loaded_before_every_step_goes_on_alike))
