// SPDX-License-Identifier: MIT
//
// A pile of fragments in the middle of its fall, saved and loaded. The loaded world is checked: its next
// steps have the hashes of the one that was saved.

#include "world_snapshot.h"

#include "base/hash.h"
#include "scenes/rigid_world.h"

#include <stdlib.h>

static const char case_name[] = "snapshot-4000", variant[] = "rubble";

typedef struct saving {
	const rbl_world *world;
	unsigned char *bytes;
	size_t size;
	rbl_world *loaded;
	bool ok;
} saving;

static void save(void *context)
{
	saving *s = context;
	s->ok &= rbl_world_save(s->world, s->bytes, &s->size) == RBL_OK;
}

static void forget(void *context)
{
	saving *s = context;
	rbl_destroy_world(s->loaded);
	s->loaded = NULL;
}

static void load(void *context)
{
	saving *s = context;
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	s->ok &= rbl_world_load(s->bytes, s->size, &def, &sources, &s->loaded) == RBL_OK;
}

// Steps without births: both worlds go the same way.
static bool goes_on(rigid_world *w, rbl_world *loaded)
{
	bool same = true;
	for (int i = 0; i < 10; ++i) {
		rbl_world_step(w->world, 1.0f / 60.0f);
		rbl_world_step(loaded, 1.0f / 60.0f);
		same &= rbl_world_hash(w->world) == rbl_world_hash(loaded);
	}
	return same;
}

static void time_them(bench *b, rigid_world *w, saving *s)
{
	bench_time(b, case_name, variant,
	           &(bench_job){ .run = save, .context = s, .metric = "snapshot_ms", .unit = "ms" });
	bench_time(b, case_name, variant,
	           &(bench_job){ .run = load,
	                         .prepare = forget,
	                         .context = s,
	                         .metric = "load_ms",
	                         .unit = "ms",
	                         .repeat = 5 });
	bench_row(b, case_name, variant, "snapshot_bytes", (double)s->size, "B");
	bench_row(b, case_name, variant, "bytes_per_body",
	          (double)s->size / rbl_world_body_count(w->world), "B");
	rbl_world_stats stats = rbl_world_get_stats(w->world);
	bench_row(b, case_name, variant, "contacts", stats.touching_count, "");
	if (!s->ok || !s->loaded || !goes_on(w, s->loaded))
		bench_fail(b, case_name, variant, "the loaded world is another");
}

void bench_snapshots(bench *b)
{
	if (!bench_wants(b, case_name))
		return;
	rigid_scene scene;
	rigid_world w = { .scene = NULL };
	if (!rigid_scene_open(&scene, "pile", bench_is_quick(b) ? 1000 : 4000))
		return;
	bool ok = rigid_world_open(&w, &scene, 1, NULL);
	int steps = bench_is_quick(b) ? 100 : 250;
	for (int i = 0; ok && i < steps && i < scene.step_count; ++i)
		ok = rigid_world_step(&w, i);
	saving s = { .world = w.world, .ok = ok };
	ok = ok && rbl_world_save(w.world, NULL, &s.size) == RBL_OK;
	s.bytes = ok ? malloc(s.size) : NULL;
	if (s.bytes)
		time_them(b, &w, &s);
	else
		bench_fail(b, case_name, variant, "the world could not be made");
	rbl_destroy_world(s.loaded);
	free(s.bytes);
	rigid_world_close(&w);
	rigid_scene_close(&scene);
}
