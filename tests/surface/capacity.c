// SPDX-License-Identifier: MIT
// ctest: soak
// Memory of surfaces: what is said is what is held, and breaks find space.

#include "surface/reference.h"

#include "faulty_allocator.h"
#include "scenes/surfaces.h"

enum { FRAMES = 80, AFTER = 80 };

// Run a scene, and compare what the surface says with what its allocator gave it.
static void hold(test *t, surface_kind kind, int divisor, rbl_surface_motion motion)
{
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(&memory);
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_scene_create(kind, divisor);
	CHECK(t, scene && rbl_create_surface(&def, &surface) == RBL_OK);
	CHECK(t, surface && surface_scene_begin(scene, surface));
	size_t most = 0;
	for (int i = 0; i < FRAMES + AFTER; ++i) {
		bool is_broken = false;
		rbl_surface_pairs pairs;
		rbl_surface_hits hits;
		CHECK(t, i >= FRAMES || surface_scene_step(scene, surface, &is_broken));
		CHECK(t, rbl_surface_update(surface, motion) == RBL_OK);
		CHECK(t, (motion == RBL_SURFACE_DISCRETE ? rbl_surface_collide(surface, &pairs)
		                                         : rbl_surface_sweep(surface, &hits)) == RBL_OK);
		size_t said = rbl_surface_get_stats(surface).memory, held = (size_t)memory.live_bytes;
		CHECK(t, said <= held + 4096 && held <= said + said / 50 + 16384);
		most = said > most ? said : most;
	}
	// Scratch memory of breaks and long lists are given back when there are none.
	rbl_surface_stats last = rbl_surface_get_stats(surface);
	CHECK(t, kind != SURFACE_WALLS || (last.memory < most - most / 50 &&
	                                   last.memory <= (size_t)last.triangle_count * 184));
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	CHECK(t, memory.live_bytes == 0);
}

static void stated_memory_is_what_is_held(test *t)
{
	hold(t, SURFACE_WALLS, 3, RBL_SURFACE_DISCRETE);
	hold(t, SURFACE_WALLS, 3, RBL_SURFACE_CONTINUOUS);
	hold(t, SURFACE_NBODY, 4, RBL_SURFACE_DISCRETE);
}

// The bar of the paper, scratch memory and space for the next break included.
static void breaking_walls_hold_184_bytes_per_triangle(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_scene_create(SURFACE_WALLS, 1);
	CHECK(t, scene && rbl_create_surface(&def, &surface) == RBL_OK);
	CHECK(t, surface && surface_scene_begin(scene, surface));
	for (int i = 0; i < 22; ++i) {
		bool is_broken = false;
		rbl_surface_pairs pairs;
		CHECK(t, surface_scene_step(scene, surface, &is_broken));
		rbl_surface_stats split = rbl_surface_get_stats(surface);
		CHECK(t, split.memory <= (size_t)split.triangle_count * 184);
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
		rbl_surface_stats stats = rbl_surface_get_stats(surface);
		CHECK(t, stats.memory <= (size_t)stats.triangle_count * 184);
	}
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

// Space for the next break is made ahead; where it cannot be had, nothing is lost.
static void updates_do_without_room_for_breaks(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(&memory);
	rbl_surface *surfaces[2] = { NULL, NULL };
	surface_scene *scenes[2];
	for (int k = 0; k < 2; ++k) {
		scenes[k] = surface_scene_create(SURFACE_WALLS, 4);
		CHECK(t, scenes[k] && rbl_create_surface(&def, &surfaces[k]) == RBL_OK);
		CHECK(t, surface_scene_begin(scenes[k], surfaces[k]));
		def.allocator = rbl_default_surface_def().allocator;
	}
	for (int i = 0; i < FRAMES; ++i) {
		int counts[2];
		for (int k = 0; k < 2; ++k) {
			bool is_broken;
			rbl_surface_pairs pairs = { NULL, -1 };
			CHECK(t, surface_scene_step(scenes[k], surfaces[k], &is_broken));
			// The frames after a break: nothing new is needed, but space may be reserved.
			if (k == 0)
				atomic_store(&memory.allowed, i % 10 == 9 ? 0 : 1 << 30);
			rbl_result result = rbl_surface_update(surfaces[k], RBL_SURFACE_DISCRETE);
			if (k == 0)
				atomic_store(&memory.allowed, 1 << 30);
			if (result == RBL_OUT_OF_MEMORY)
				result = rbl_surface_update(surfaces[k], RBL_SURFACE_DISCRETE);
			CHECK(t, result == RBL_OK && rbl_surface_collide(surfaces[k], &pairs) == RBL_OK);
			counts[k] = pairs.count;
		}
		CHECK(t, counts[0] == counts[1]);
	}
	for (int k = 0; k < 2; ++k) {
		rbl_destroy_surface(surfaces[k]);
		surface_scene_destroy(scenes[k]);
	}
	CHECK(t, memory.live_bytes == 0);
}

enum { NEW = 120 };

// Triangles apart from each other come to a body.
static void add_triangles(test *t, rbl_surface *surface, rbl_surface_body_id body, int count)
{
	rbl_vec3 positions[3 * NEW];
	int triangles[3 * NEW], labels[NEW] = { 0 };
	for (int i = 0; i < 3 * count; ++i) {
		positions[i] = (rbl_vec3){ (float)(i / 3) + 0.5f * (float)(i % 3 == 1),
			                       5.0f + 0.5f * (float)(i % 3 == 2), 0.0f };
		triangles[i] = -1 - i;
	}
	int *old = calloc((size_t)rbl_surface_body_get_data(surface, body).triangle_count, sizeof *old);
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 1, def.labels = old;
	def.positions = positions, def.vertex_count = 3 * count;
	def.triangles = triangles, def.triangle_labels = labels, def.triangle_count = count;
	CHECK(t, rbl_surface_split(surface, body, &def, &body) == RBL_OK);
	free(old);
}

// Arrays grow over several updates; breaks come in between, and so does the end.
static void breaks_may_come_before_there_is_room(test *t)
{
	int cut_short = 0, ended = 0;
	for (int round = 0; round < test_count(12, 200); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 1);
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&memory);
		rbl_surface *surface = NULL;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		reference_mesh mesh = reference_sheet(20, 10);
		rbl_surface_body_id body = reference_add(t, surface, &mesh);
		for (int step = 0; step < 25; ++step) {
			const rbl_surface_growth *growths = surface->growths;
			cut_short += growths[0].done > 0 || growths[1].done > 0 || growths[2].done > 0;
			if (rbl_random_below(&random, 4) == 0)
				add_triangles(t, surface, body, 1 + (int)rbl_random_below(&random, NEW));
			atomic_store(&memory.allowed, rbl_random_below(&random, 8) == 0 ? 2 : 1 << 30);
			rbl_result result = rbl_surface_update(surface, RBL_SURFACE_DISCRETE);
			atomic_store(&memory.allowed, 1 << 30);
			CHECK(t, result == RBL_OK || result == RBL_OUT_OF_MEMORY);
			CHECK(t, !reference_check_surface(surface));
			size_t said = rbl_surface_get_stats(surface).memory, held = (size_t)memory.live_bytes;
			CHECK(t, said <= held + 4096 && held <= said + said / 50 + 16384);
		}
		reference_check_query(t, surface, false);
		ended += surface->growths[0].done > 0 || surface->growths[2].done > 0;
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, cut_short > 10 && ended > 0);
}

TEST_MAIN(TEST(stated_memory_is_what_is_held), TEST(breaking_walls_hold_184_bytes_per_triangle),
          TEST(updates_do_without_room_for_breaks), TEST(breaks_may_come_before_there_is_room))
