// SPDX-License-Identifier: MIT
// ctest: files
//
// Cameras of films: glTF cameras with a node, where they were and looking where they looked.

#include "film_file.h"
#include "io_test.h"

#include "base/math.h"

#include <rubble/shapes.h>

enum { FRAMES = 120 };

static const rbl_vec3 target = { 0.0f, 1.0f, 0.0f };

// A camera that goes half around the target, and up.
static rbl_vec3 place(int frame)
{
	double angle = 3.14159 * frame / FRAMES;
	return (rbl_vec3){ (float)(6.0 * rbl_cos(angle)), 1.5f + 0.02f * (float)frame,
		               (float)(6.0 * rbl_sin(angle)) };
}

static rbl_result make_film(rbl_allocator allocator, rbl_file_bytes *bytes)
{
	rbl_film_def def = rbl_default_film_def();
	def.allocator = allocator;
	rbl_film *film = NULL;
	int still = -1, moving = -1;
	rbl_result result = rbl_create_film(&def, &film);
	if (result == RBL_OK)
		result = rbl_film_add_camera(film, rbl_camera_pose((rbl_vec3){ 0, 9, 0 }, target), 50.0f,
		                             &still);
	if (result == RBL_OK)
		result = rbl_film_add_camera(film, rbl_camera_pose(place(0), target), 35.0f, &moving);
	if (result == RBL_OK)
		result = rbl_film_set_name(film, moving, "crane \"A\"");
	for (int frame = 1; frame <= FRAMES && result == RBL_OK; ++frame) {
		result = rbl_film_begin_frame(film, (float)frame / 60.0f);
		if (result == RBL_OK)
			result = rbl_film_move(film, moving, rbl_camera_pose(place(frame), target));
	}
	rbl_write_def write_def = rbl_default_write_def();
	write_def.format = RBL_FORMAT_GLTF;
	write_def.allocator = allocator;
	if (result == RBL_OK)
		result = rbl_write_film_memory(film, &write_def, bytes);
	if (result == RBL_OK && !allocator.allocate)
		result = rbl_write_film(RBL_BINARY_DIR "/glb/film_cameras.glb", film, NULL);
	rbl_destroy_film(film);
	return result;
}

static void cameras_are_where_they_were(test *t)
{
	rbl_file_bytes bytes = { 0 };
	CHECK(t, make_film((rbl_allocator){ 0 }, &bytes) == RBL_OK);
	rbl_document *document = NULL;
	CHECK(t, rbl_read_document_memory(bytes.data, bytes.size, NULL, &document) == RBL_OK);
	rbl_scene scene = rbl_document_get_scene(document);
	CHECK(t, scene.camera_count == 2 && scene.node_count == 2 && scene.mesh_count == 0);
	if (scene.node_count != 2)
		return;
	CHECK(t, scene.nodes[0].camera == 1 && scene.nodes[1].camera == 2);
	CHECK(t, strcmp(scene.nodes[1].name, "crane \"A\"") == 0);
	CHECK(t, strstr(scene.cameras[0], "\"yfov\":0.87266") != NULL);
	CHECK(t, strstr(scene.cameras[1], "\"yfov\":0.61086") != NULL);
	film_file file = film_open(t, bytes.data, bytes.size);
	CHECK(t, file.nodes[0].tracks[RBL_TRACK_TRANSLATION].key_count == 0);
	int keys = file.nodes[1].tracks[RBL_TRACK_ROTATION].key_count;
	CHECK(t, keys > 2 && keys < FRAMES);
	for (int frame = 0; frame <= FRAMES; ++frame)
		for (int i = 0; i < 2; ++i) {
			rbl_transformd pose;
			CHECK(t, film_pose(&file, i, (double)frame / 60.0, FILM_SLERP, &pose));
			rbl_vec3d at = i > 0 ? rbl_to_d(place(frame)) : (rbl_vec3d){ 0, 9, 0 };
			CHECK(t, rbl_length_d(rbl_sub_d(pose.position, at)) < 0.006);
			rbl_vec3d ahead = rbl_normalize_d(rbl_sub_d(rbl_to_d(target), at));
			rbl_vec3d looks = rbl_rotate_d(pose.rotation, (rbl_vec3d){ 0, 0, -1 });
			CHECK(t, rbl_length_d(rbl_sub_d(ahead, looks)) < 0.001);
			rbl_vec3d right = rbl_rotate_d(pose.rotation, (rbl_vec3d){ 1, 0, 0 });
			CHECK(t, fabs(right.y) < 0.001); // the horizon is level
		}
	film_close(&file);
	rbl_destroy_document(document);
	rbl_free_bytes(&bytes);
}

static void wrong_cameras_are_refused(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	rbl_transform pose = rbl_camera_pose(place(0), target), none = { 0 };
	const float angles[4] = { 0.0f, -1.0f, 180.0f, (float)NAN };
	int object = -1;
	for (int i = 0; i < 4; ++i)
		CHECK(t, rbl_film_add_camera(film, pose, angles[i], &object) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_camera(film, none, 40.0f, &object) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_camera(NULL, pose, 40.0f, &object) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_camera(film, pose, 40.0f, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_get_info(film).object_count == 0);
	// Where it looks at itself, it looks along -z.
	rbl_quat q = rbl_camera_pose(target, target).rotation;
	CHECK(t, fabsf(q.w) > 0.999f);
	rbl_destroy_film(film);
}

static void running_out_of_memory_is_survived(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_file_bytes bytes = { 0 };
		rbl_result result = make_film(FAULTY(&memory), &bytes);
		rbl_free_bytes(&bytes);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(cameras_are_where_they_were), TEST(wrong_cameras_are_refused),
          TEST(running_out_of_memory_is_survived))
