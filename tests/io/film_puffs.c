// SPDX-License-Identifier: MIT
// ctest: files
//
// Puffs of dust in films: as a viewer sees them, and in pictures.

#include "film_file.h"
#include "io_test.h"

#include <rubble/picture.h>
#include <rubble/shapes.h>

enum { WIDTH = 160, HEIGHT = 100 };

static unsigned char before[HEIGHT][WIDTH][3], pixels[HEIGHT][WIDTH][3];

// A ball of radius 2 in one color.
static rbl_mesh *make_ball(rbl_vec4 color)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.radius = 2.0;
	def.subdivisions = 1;
	rbl_mesh *ball = NULL, *made = NULL;
	rbl_create_icosphere_mesh(&def, &ball);
	rbl_mesh_material material = { .name = "dust", .base_color = color, .roughness = 1.0f };
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data = rbl_mesh_get_data(ball);
	mesh_def.data.materials = &material, mesh_def.data.material_count = 1;
	mesh_def.data.face_materials = NULL;
	rbl_create_mesh(&mesh_def, &made);
	rbl_destroy_mesh(ball);
	return made;
}

// A green wall at z = 0, and a red puff in front of it from 0.5 s on that lives for two seconds.
static rbl_result make_film(rbl_allocator allocator, float z, float alpha, rbl_film **film)
{
	rbl_film_def def = rbl_default_film_def();
	def.allocator = allocator;
	int wall, dust, object;
	rbl_transform behind = { { 0.0f, 0.0f, -12.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	rbl_mesh *large = NULL;
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 20.0, 20.0, 24.0 };
	rbl_create_box_mesh(&box, &large);
	rbl_result result = rbl_create_film(&def, film);
	if (result != RBL_OK) {
		rbl_destroy_mesh(large);
		return result;
	}
	result = rbl_film_add_mesh(*film, large, &wall);
	if (result == RBL_OK)
		result = rbl_film_add_mesh(*film, make_ball((rbl_vec4){ 0.9f, 0.1f, 0.1f, alpha }), &dust);
	if (result == RBL_OK)
		result = rbl_film_add_object(*film, wall, behind, &object);
	if (result == RBL_OK)
		result = rbl_film_begin_frame(*film, 0.5f);
	if (result == RBL_OK)
		result = rbl_film_add_puff(*film, dust, (rbl_vec3){ -1.0f, 0.0f, z },
		                           (rbl_vec3){ 3.0f, 0.0f, z }, 1.0f, 2.0f);
	return result;
}

static void a_puff_grows_moves_and_shrinks(test *t)
{
	rbl_film *film = NULL;
	CHECK(t, make_film((rbl_allocator){ 0 }, 2.0f, 0.8f, &film) == RBL_OK);
	rbl_write_def def = rbl_default_write_def();
	rbl_file_bytes bytes;
	def.format = RBL_FORMAT_GLTF;
	CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
	film_file file = film_open(t, bytes.data, bytes.size);
	CHECK(t, file.node_count == 2);
	film_track life = file.nodes[1].tracks[RBL_TRACK_SCALE];
	CHECK(t, life.key_count == 5 && !life.has_steps);
	// Nothing until it appears, as large as it was asked for halfway, nothing in the end.
	const float times[5] = { 0.0f, 0.5f, 0.7f, 1.5f, 2.5f },
				sizes[5] = { 0.0f, 0.0f, 0.3f, 0.5f, 0.0f };
	for (int i = 0; i < 5; ++i) {
		CHECK_NEAR(t, life.times[i], times[i], 1e-6f);
		CHECK_NEAR(t, life.values[3 * i], sizes[i], 1e-3f);
	}
	film_track motion = file.nodes[1].tracks[RBL_TRACK_TRANSLATION];
	CHECK(t, motion.key_count == 2 && motion.times[0] == 0.5f && motion.times[1] == 2.5f);
	CHECK(t, motion.values[0] == -1.0f && motion.values[3] == 3.0f && motion.values[2] == 2.0f);
	CHECK(t, file.nodes[1].scale[0] == 0.0f);
	film_close(&file);
	rbl_free_bytes(&bytes);
	CHECK(t, rbl_write_film(RBL_BINARY_DIR "/glb/film_puffs.glb", film, NULL) == RBL_OK);
	CHECK(t, rbl_film_move(film, 1, rbl_transform_identity()) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_remove(film, 1) == RBL_BAD_ARGUMENT);
	rbl_destroy_film(film);
}

static void draw(test *t, const rbl_film *film, float time, unsigned char *to)
{
	rbl_picture_def def = rbl_default_picture_def();
	def.width = WIDTH, def.height = HEIGHT;
	def.view = (rbl_vec3){ 0.0f, 0.0f, 1.0f };
	def.frame = (rbl_box){ { -4.0f, -2.5f, 0.0f }, { 4.0f, 2.5f, 3.0f } };
	def.time = time;
	CHECK(t, rbl_draw_film(film, &def, to) == RBL_OK);
}

// The pixels that differ, and the middle of them.
static int find_puff(int *middle)
{
	int count = 0, sum = 0;
	for (int y = 0; y < HEIGHT; ++y)
		for (int x = 0; x < WIDTH; ++x)
			if (memcmp(pixels[y][x], before[y][x], 3) != 0)
				count++, sum += x;
	*middle = count > 0 ? sum / count : -1;
	return count;
}

static void pictures_show_it_as_a_cloud(test *t)
{
	rbl_film *film = NULL;
	int early, late, middle;
	CHECK(t, make_film((rbl_allocator){ 0 }, 2.0f, 0.8f, &film) == RBL_OK);
	draw(t, film, 0.4f, &before[0][0][0]);
	draw(t, film, 0.6f, &pixels[0][0][0]);
	int small = find_puff(&early);
	draw(t, film, 1.5f, &pixels[0][0][0]);
	int large = find_puff(&late);
	CHECK(t, small > 20 && large > 2 * small && early < late);
	CHECK(t, 3 * pixels[HEIGHT / 2][late][0] > 4 * pixels[HEIGHT / 2][late][1]); // red
	int dense = pixels[HEIGHT / 2][late][1];
	draw(t, film, 2.5f, &pixels[0][0][0]);
	CHECK(t, find_puff(&middle) == 0);
	rbl_destroy_film(film);
	// A thinner one hides less; half of one that stands in the wall is seen, none of one behind it.
	CHECK(t, make_film((rbl_allocator){ 0 }, 2.0f, 0.2f, &film) == RBL_OK);
	draw(t, film, 1.5f, &pixels[0][0][0]);
	CHECK(t, pixels[HEIGHT / 2][late][1] > dense);
	rbl_destroy_film(film);
	CHECK(t, make_film((rbl_allocator){ 0 }, -3.0f, 0.8f, &film) == RBL_OK);
	draw(t, film, 1.5f, &pixels[0][0][0]);
	CHECK(t, find_puff(&middle) == 0);
	rbl_destroy_film(film);
}

static void wrong_puffs_are_refused(test *t)
{
	rbl_film *film = NULL;
	const rbl_vec3 here = { 0.0f, 0.0f, 0.0f }, nowhere = { 0.0f, NAN, 0.0f };
	CHECK(t, make_film((rbl_allocator){ 0 }, 2.0f, 0.8f, &film) == RBL_OK);
	CHECK(t, rbl_film_add_puff(NULL, 1, here, here, 1.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_puff(film, 2, here, here, 1.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_puff(film, -1, here, here, 1.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_puff(film, 1, nowhere, here, 1.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_puff(film, 1, here, nowhere, 1.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_puff(film, 1, here, here, 0.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_puff(film, 1, here, here, 1.0f, NAN) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_puff(film, 1, here, here, 1.0f, 1e-30f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_get_info(film).object_count == 2);
	rbl_destroy_film(film);
}

static void memory_may_run_out(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_film *film = NULL;
		rbl_result result = make_film(FAULTY(&memory), 2.0f, 0.8f, &film);
		if (result == RBL_OK) {
			rbl_picture_def def = rbl_default_picture_def();
			def.width = def.height = 32;
			def.time = 1.0f;
			def.allocator = FAULTY(&memory);
			result = rbl_draw_film(film, &def, &pixels[0][0][0]);
		}
		rbl_destroy_film(film);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(a_puff_grows_moves_and_shrinks), TEST(pictures_show_it_as_a_cloud),
          TEST(wrong_puffs_are_refused), TEST(memory_may_run_out))
