// SPDX-License-Identifier: MIT
// ctest: soak
// Field bodies in snapshots and recordings: the same bits afterwards, and no harm from bad bytes or
// a lack of memory.

#include "field_scene.h"

#include "../faulty_allocator.h"
#include "base/hash.h"
#include "tape.h"

// A coarse shape that bodies share: few bytes.
static field_shared make_shared(test *t)
{
	return field_share(t, field_ring(0.06, 0.02), 16, 0.0);
}

static void add_floor(field_scene *f)
{
	rbl_body_def def = scene_body(f->s.floor, 0.0f, -0.5f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(f->s.world, &def);
}

static void add_pile(field_scene *f, const field_shared *s, const rbl_mesh *plate)
{
	add_floor(f);
	for (int i = 0; i < 3; ++i) {
		rbl_body_def def = field_body_of(s, 0.01f * (float)i, 0.05f + 0.1f * (float)i, 0.0f);
		def.angular_velocity = (rbl_vec3){ 1.0f, 0.0f, 2.0f };
		rbl_create_body(f->s.world, &def);
	}
	if (plate)
		field_scene_add(f, plate, 0.02f, 0.4f, 0.0f);
	scene_add(&f->s, f->s.ball, 0.0f, 0.8f, 0.0f);
}

static unsigned char *save(const rbl_world *world, size_t *size)
{
	*size = 0;
	rbl_world_save(world, NULL, size);
	unsigned char *bytes = malloc(*size);
	rbl_world_save(world, bytes, size);
	return bytes;
}

// The caller's shapes may be gone when the world is loaded: it has its own.
static void a_loaded_world_goes_on_with_the_same_bits(test *t)
{
	field_scene f;
	field_shared s = make_shared(t);
	rbl_mesh *plate = field_plate();
	field_scene_open(&f, 1);
	add_pile(&f, &s, plate);
	for (int i = 0; i < 40; ++i)
		CHECK(t, rbl_world_step(f.s.world, 1.0f / 60.0f) == RBL_OK);
	size_t size;
	unsigned char *bytes = save(f.s.world, &size);
	uint64_t hashes[40];
	for (int i = 0; i < 40; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		hashes[i] = rbl_world_hash(f.s.world);
	}
	field_scene_close(&f);
	field_unshare(&s);
	rbl_destroy_mesh(plate);
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	rbl_world *back = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &back) == RBL_OK);
	for (int i = 0; i < 40 && back; ++i) {
		rbl_world_step(back, 1.0f / 60.0f);
		CHECK(t, rbl_world_hash(back) == hashes[i]);
	}
	// Saved again, it is the same but for what steps changed.
	size_t again = 0;
	CHECK(t, rbl_world_save(back, NULL, &again) == RBL_OK && again > size / 2);
	rbl_destroy_world(back);
	free(bytes);
}

static void a_recording_replays_to_the_same_hashes(test *t)
{
	field_scene f;
	field_shared s = make_shared(t);
	rbl_mesh *plate = field_plate();
	field_scene_open(&f, 1);
	bytes_tape tape;
	rbl_recording_def def = tape_def(&tape, true);
	CHECK(t, rbl_world_begin_recording(f.s.world, &def) == RBL_OK);
	add_pile(&f, &s, plate);
	for (int i = 0; i < 50; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	CHECK(t, rbl_world_end_recording(f.s.world) == RBL_OK);
	uint64_t hash = rbl_world_hash(f.s.world), last = 0;
	field_scene_close(&f);
	field_unshare(&s);
	rbl_destroy_mesh(plate);
	rbl_sources none = rbl_default_sources();
	CHECK(t, tape_play(t, &tape, &none, 2, &last) == 50);
	CHECK(t, last == hash);
	free(tape.bytes);
}

// Shapes of fragments are saved with the field that they share.
static void fields_of_fragments_are_saved_too(test *t)
{
	field_scene f;
	field_shared s = make_shared(t);
	field_scene_open(&f, 1);
	rbl_plane cut = { { 1.0f, 0.0f, 0.0f }, 0.01f };
	rbl_fragment_field_def fragment_def = rbl_default_fragment_field_def();
	fragment_def.original = s.field;
	fragment_def.box = (rbl_box){ { -0.1f, -0.1f, -0.1f }, { 0.1f, 0.1f, 0.1f } };
	fragment_def.planes = &cut;
	fragment_def.plane_count = 1;
	rbl_distance_field *field = NULL;
	CHECK(t, rbl_create_fragment_field(&fragment_def, &field) == RBL_OK);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.field = field;
	shape_def.mesh = s.mesh;
	rbl_field_shape *shape = NULL;
	CHECK(t, rbl_create_field_shape(&shape_def, &shape) == RBL_OK);
	add_floor(&f);
	for (int i = 0; i < 2; ++i) {
		rbl_body_def def = field_body_of(&s, 0.01f * (float)i, 0.05f + 0.07f * (float)i, 0.0f);
		def.field_shape = shape;
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	}
	for (int i = 0; i < 20; ++i)
		CHECK(t, rbl_world_step(f.s.world, 1.0f / 60.0f) == RBL_OK);
	size_t size;
	unsigned char *bytes = save(f.s.world, &size);
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	rbl_world *back = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &back) == RBL_OK);
	for (int i = 0; i < 30 && back; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		rbl_world_step(back, 1.0f / 60.0f);
		CHECK(t, rbl_world_hash(back) == rbl_world_hash(f.s.world));
	}
	rbl_destroy_world(back);
	free(bytes);
	field_scene_close(&f);
	rbl_destroy_field_shape(shape);
	rbl_destroy_distance_field(field);
	field_unshare(&s);
}

// Half of a ring, cut by a plane and by a union of two cells.
static rbl_distance_field *cut_ring(test *t, const field_shared *s)
{
	rbl_plane planes[] = { { { 1.0f, 0.0f, 0.0f }, 0.01f },
		                   { { 0.0f, 0.0f, 1.0f }, 0.0f },
		                   { { 0.0f, 0.0f, -1.0f }, 0.0f } };
	int plane_starts[] = { 0, 1, 2 }, corner_starts[] = { 0, 4 };
	rbl_vec3 corners[] = { { -0.1f, -0.1f, 0.05f },
		                   { 0.1f, -0.1f, 0.05f },
		                   { 0.1f, 0.1f, 0.05f },
		                   { -0.1f, 0.1f, 0.05f } };
	rbl_cell_union cells = { .cell_count = 2,
		                     .plane_starts = plane_starts,
		                     .planes = planes + 1,
		                     .polygon_count = 1,
		                     .corner_starts = corner_starts,
		                     .corners = corners };
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.original = s->field;
	def.box = (rbl_box){ { -0.1f, -0.1f, -0.1f }, { 0.1f, 0.1f, 0.1f } };
	def.planes = planes;
	def.plane_count = 1;
	def.unions = &cells;
	def.union_count = 1;
	rbl_distance_field *field = NULL;
	CHECK(t, rbl_create_fragment_field(&def, &field) == RBL_OK);
	return field;
}

static unsigned char *small_snapshot(test *t, field_shared *s, size_t *size)
{
	field_scene f;
	*s = make_shared(t);
	field_scene_open(&f, 1);
	add_pile(&f, s, NULL);
	rbl_distance_field *cut = cut_ring(t, s);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.field = cut;
	shape_def.mesh = s->mesh;
	rbl_field_shape *shape = NULL;
	CHECK(t, rbl_create_field_shape(&shape_def, &shape) == RBL_OK);
	rbl_body_def def = field_body_of(s, 0.0f, 0.4f, 0.0f);
	def.field_shape = shape;
	CHECK(t, !rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	for (int i = 0; i < 20; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	unsigned char *bytes = save(f.s.world, size);
	field_scene_close(&f);
	rbl_destroy_field_shape(shape);
	rbl_destroy_distance_field(cut);
	return bytes;
}

static void put64(unsigned char *bytes, uint64_t value)
{
	for (int i = 0; i < 8; ++i)
		bytes[i] = (unsigned char)(value >> (8 * i));
}

// With the hash put right: whatever loads can be stepped and destroyed.
static void forged_content_does_no_harm(test *t)
{
	field_shared s;
	size_t size;
	unsigned char *bytes = small_snapshot(t, &s, &size);
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	rbl_random random = rbl_random_from_seed(5);
	int refused = 0, count = test_count(test_repeats(150, 50), 20000);
	for (int i = 0; i < count; ++i) {
		size_t at = 24 + rbl_random_below(&random, (uint32_t)size - 24);
		unsigned char old = bytes[at];
		bytes[at] = (unsigned char)rbl_random_below(&random, 256);
		put64(bytes + 16, rbl_hash_bytes(RBL_HASH_START, bytes + 24, size - 24));
		rbl_world *back = NULL;
		rbl_result result = rbl_world_load(bytes, size, &def, &sources, &back);
		CHECK(t, (result == RBL_OK) == (back != NULL));
		CHECK(t, result == RBL_OK || result == RBL_BAD_FILE);
		refused += result != RBL_OK;
		for (int k = 0; k < 3 && back; ++k)
			rbl_world_step(back, 1.0f / 60.0f);
		rbl_destroy_world(back);
		bytes[at] = old;
	}
	CHECK(t, refused > 0);
	free(bytes);
	field_unshare(&s);
}

static void every_allocation_of_loading_may_fail(test *t)
{
	field_shared s;
	size_t size;
	unsigned char *bytes = small_snapshot(t, &s, &size);
	rbl_sources sources = rbl_default_sources();
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_world_def def = rbl_default_world_def();
		def.allocator = FAULTY(&memory);
		rbl_world *back = NULL;
		rbl_result result = rbl_world_load(bytes, size, &def, &sources, &back);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		rbl_destroy_world(back);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
	}
	free(bytes);
	field_unshare(&s);
}

// Bodies from meshes, steps and their end, each with one failure somewhere.
static void every_allocation_of_a_field_body_may_fail(test *t)
{
	rbl_mesh *ring = field_ring(0.06, 0.02);
	int stride = test_count(test_repeats(9, 27), 1);
	for (int n = 0;; n += n < 40 ? 1 : stride) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		field_scene f;
		rbl_world_def def = scene_def(&f.s, 1);
		def.allocator = FAULTY(&memory);
		scene_create(&f.s, &def);
		f.ground = NULL;
		if (f.s.world) {
			add_floor(&f);
			rbl_body_id lower = field_scene_add(&f, ring, 0.0f, 0.03f, 0.0f);
			rbl_body_id upper = field_scene_add(&f, ring, 0.01f, 0.09f, 0.0f);
			for (int i = 0; i < 12; ++i)
				rbl_world_step(f.s.world, 1.0f / 60.0f);
			if (rbl_body_exists(f.s.world, lower) && rbl_body_exists(f.s.world, upper))
				rbl_destroy_body(f.s.world, lower);
			rbl_world_step(f.s.world, 1.0f / 60.0f);
		}
		field_scene_close(&f);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
	}
	rbl_destroy_mesh(ring);
}

TEST_MAIN(TEST(a_loaded_world_goes_on_with_the_same_bits),
          TEST(a_recording_replays_to_the_same_hashes), TEST(fields_of_fragments_are_saved_too),
          TEST(forged_content_does_no_harm), TEST(every_allocation_of_loading_may_fail),
          TEST(every_allocation_of_a_field_body_may_fail))
