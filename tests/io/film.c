// SPDX-License-Identifier: MIT
// ctest: native
//
// Films, read back key by key: where a viewer would see things, when they appear and vanish, and how
// small the file is. Files stay behind for the Khronos validator.

#include "base/random.h"
#include "base/real.h"
#include "base/vec.h"
#include "io_test.h"

#include <rubble/shapes.h>

#include <jansson.h>

enum { FRAMES = 240, THINGS = 12 };

// A ball that falls, bounces, spins slower and slower, and lies still.
static rbl_transform motion(int thing, int frame)
{
	double t = (double)frame / 60.0 - 0.1 * thing, y = 0.0, spin = 0.0, x = 0.0;
	double speed = 6.0 - 0.3 * thing;
	if (t > 0.0) {
		double begin = 0.0;
		for (; speed > 0.05 && t - begin > 2.0 * speed / 9.81; speed *= 0.6)
			begin += 2.0 * speed / 9.81;
		y = speed > 0.05 ? speed * (t - begin) - 4.905 * (t - begin) * (t - begin) : 0.0;
		spin = 9.0 * (1.0 - rbl_exp(-t)), x = 2.0 * (1.0 - rbl_exp(-t));
	}
	rbl_vec3d axis = rbl_normalize_d((rbl_vec3d){ 1.0, 0.3 * thing, 0.5 });
	rbl_quatd q = rbl_quat_from_axis_angle_d(axis, spin);
	return (rbl_transform){ { (float)(x + thing), (float)y, 0.0f },
		                    { (float)q.x, (float)q.y, (float)q.z, (float)q.w } };
}

static rbl_mesh *make_cube(void)
{
	rbl_mesh *mesh = NULL;
	rbl_box_def def = rbl_default_box_def();
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

// A film of all things; thing i appears in frame 3 i, and the last vanishes at the end of 2 s.
static rbl_film *take_film(test *t, rbl_film_def def)
{
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	int mesh = -1, thing = -1;
	CHECK(t, rbl_film_add_mesh(film, make_cube(), &mesh) == RBL_OK && mesh == 0);
	for (int frame = 0; frame < FRAMES; ++frame) {
		CHECK(t, rbl_film_begin_frame(film, (float)frame / 60.0f) == RBL_OK);
		for (int i = 0; i < THINGS; ++i) {
			if (frame == 3 * i)
				CHECK(t,
				      rbl_film_add(film, mesh, motion(i, frame), &thing) == RBL_OK && thing == i);
			else if (frame > 3 * i && !(i == THINGS - 1 && frame > 120))
				CHECK(t, rbl_film_move(film, i, motion(i, frame)) == RBL_OK);
		}
		if (frame == 120)
			CHECK(t, rbl_film_remove(film, THINGS - 1) == RBL_OK);
	}
	return film;
}

// --- reading back ----------------------------------------------------------------------------

typedef struct film_file {
	json_t *root;
	const unsigned char *binary;
} film_file;

static film_file open_file(test *t, const rbl_file_bytes *bytes)
{
	film_file file = { NULL, NULL };
	uint32_t json_size = 0;
	memcpy(&json_size, bytes->data + 12, 4);
	file.root = json_loadb((const char *)bytes->data + 20, json_size, 0, NULL);
	file.binary = bytes->data + 28 + json_size;
	CHECK(t, file.root != NULL);
	return file;
}

static const json_t *item(const film_file *file, const char *list, json_int_t index)
{
	return json_array_get(json_object_get(file->root, list), (size_t)index);
}

static json_int_t number(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

// Read accessor values as floats; shorts are normalized ones.
static int read_accessor(const film_file *file, json_int_t index, int width, float *values)
{
	const json_t *accessor = item(file, "accessors", index);
	const json_t *view = item(file, "bufferViews", number(accessor, "bufferView"));
	const unsigned char *at =
		file->binary + number(view, "byteOffset") + number(accessor, "byteOffset");
	int count = (int)number(accessor, "count");
	for (int i = 0; i < count * width; ++i) {
		int16_t small;
		if (number(accessor, "componentType") == 5122) {
			memcpy(&small, at + 2 * i, 2);
			values[i] = (float)small / 32767.0f;
		} else {
			memcpy(&values[i], at + 4 * i, 4);
		}
	}
	return count;
}

// The channel of a node and path. @return the number of keys, 0 when there is none
static int read_channel(const film_file *file, int node, const char *path, int width, float *times,
                        float *values)
{
	const json_t *animation = item(file, "animations", 0);
	const json_t *channels = json_object_get(animation, "channels");
	for (size_t i = 0; i < json_array_size(channels); ++i) {
		const json_t *channel = json_array_get(channels, i);
		const json_t *target = json_object_get(channel, "target");
		if (number(target, "node") != node ||
		    strcmp(json_string_value(json_object_get(target, "path")), path) != 0)
			continue;
		const json_t *sampler = json_array_get(json_object_get(animation, "samplers"),
		                                       (size_t)number(channel, "sampler"));
		read_accessor(file, number(sampler, "input"), 1, times);
		return read_accessor(file, number(sampler, "output"), width, values);
	}
	return 0;
}

// What a viewer shows at a time: even steps between keys, turns for rotations.
static void sample(const float *times, const float *values, int count, int width, float time,
                   float *result)
{
	int i = 0;
	while (i + 1 < count && times[i + 1] <= time)
		i++;
	int next = i + 1 < count && time > times[i] ? i + 1 : i;
	double share = next > i ? (double)(time - times[i]) / (double)(times[next] - times[i]) : 0.0;
	double a = 1.0 - share, b = share;
	if (width == 4 && next > i) {
		double dot = 0.0;
		for (int k = 0; k < 4; ++k)
			dot += (double)values[4 * i + k] * (double)values[4 * next + k];
		double angle = rbl_acos(dot > 1.0 ? 1.0 : fabs(dot));
		if (angle > 1e-6) {
			a = rbl_sin((1.0 - share) * angle) / rbl_sin(angle);
			b = rbl_sin(share * angle) / rbl_sin(angle) * (dot < 0.0 ? -1.0 : 1.0);
		}
	}
	for (int k = 0; k < width; ++k)
		result[k] =
			(float)(a * (double)values[width * i + k] + b * (double)values[width * next + k]);
}

// --- tests -----------------------------------------------------------------------------------

static void what_is_shown_is_what_was_taken(test *t)
{
	for (int is_long = 0; is_long < 2; ++is_long) {
		rbl_film_def def = rbl_default_film_def();
		def.has_long_rotations = is_long;
		rbl_film *film = take_film(t, def);
		rbl_write_def write_def = rbl_default_write_def();
		write_def.format = RBL_FORMAT_GLTF;
		rbl_file_bytes bytes;
		CHECK(t, rbl_write_film_memory(film, &write_def, &bytes) == RBL_OK);
		film_file file = open_file(t, &bytes);
		static float times[FRAMES], positions[3 * FRAMES], rotations[4 * FRAMES];
		double worst = 0.0, worst_angle = 0.0;
		for (int i = 0; i < THINGS; ++i) {
			int count = read_channel(&file, i, "translation", 3, times, positions);
			CHECK(t, count > 2 && read_channel(&file, i, "rotation", 4, times, rotations) == count);
			int last = i == THINGS - 1 ? 121 : FRAMES;
			for (int frame = 3 * i; frame < last; ++frame) {
				float p[3], q[4], time = (float)frame / 60.0f;
				rbl_transform pose = motion(i, frame);
				sample(times, positions, count, 3, time, p);
				sample(times, rotations, count, 4, time, q);
				rbl_vec3 off = rbl_sub((rbl_vec3){ p[0], p[1], p[2] }, pose.position);
				rbl_quat r = pose.rotation;
				float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
				double dot = (double)((q[0] * r.x + q[1] * r.y + q[2] * r.z + q[3] * r.w) / length);
				worst = fmax(worst, (double)rbl_length(off));
				worst_angle = fmax(worst_angle, 2.0 * rbl_acos(fmin(1.0, fabs(dot))));
			}
		}
		CHECK(t, worst <= 0.00501 && worst_angle <= 0.0201);
		json_decref(file.root);
		rbl_free_bytes(&bytes);
		rbl_destroy_film(film);
	}
}

static void keys_are_few_and_files_small(test *t)
{
	rbl_film *film = take_film(t, rbl_default_film_def());
	rbl_film_info info = rbl_film_get_info(film);
	CHECK(t, info.frame_count == FRAMES && info.thing_count == THINGS && info.mesh_count == 1);
	CHECK(t, info.key_count * 2 < info.pose_count);
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
	// 24 bytes per key, under a kilobyte of JSON per thing, and the cube.
	CHECK(t, bytes.size < (size_t)info.key_count * 24 + THINGS * 1000 + 1500);
	rbl_free_bytes(&bytes);
	CHECK(t, rbl_write_film(RBL_BINARY_DIR "/glb/film.glb", film, NULL) == RBL_OK);
	rbl_destroy_film(film);
}

static void things_appear_and_vanish_in_their_frames(test *t)
{
	rbl_film *film = take_film(t, rbl_default_film_def());
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
	film_file file = open_file(t, &bytes);
	float times[3], values[9];
	CHECK(t, read_channel(&file, 0, "scale", 3, times, values) == 0);
	CHECK(t, read_channel(&file, 4, "scale", 3, times, values) == 2);
	CHECK(t,
	      times[0] == 0.0f && times[1] == 12.0f / 60.0f && values[0] == 0.0f && values[3] == 1.0f);
	CHECK(t, read_channel(&file, THINGS - 1, "scale", 3, times, values) == 3);
	CHECK(t, times[2] == 2.0f && values[5] == 1.0f && values[8] == 0.0f);
	json_decref(file.root);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
}

// One that rests for a second and is moved again does not drift meanwhile.
static void what_stands_still_costs_nothing(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	int mesh, rests, stays;
	rbl_transform here = rbl_transform_identity(), there = here;
	there.position.x = 1.0f;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, make_cube(), &mesh) == RBL_OK);
	CHECK(t, rbl_film_add(film, mesh, here, &rests) == RBL_OK);
	CHECK(t, rbl_film_add(film, mesh, here, &stays) == RBL_OK);
	for (int frame = 1; frame <= 100; ++frame) {
		CHECK(t, rbl_film_begin_frame(film, (float)frame) == RBL_OK);
		CHECK(t, rbl_film_move(film, stays, here) == RBL_OK);
		if (frame == 100)
			CHECK(t, rbl_film_move(film, rests, there) == RBL_OK);
	}
	rbl_write_def write_def = rbl_default_write_def();
	write_def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_film_memory(film, &write_def, &bytes) == RBL_OK);
	film_file file = open_file(t, &bytes);
	float times[100], values[300], p[3];
	int count = read_channel(&file, rests, "translation", 3, times, values);
	CHECK(t, count == 3);
	sample(times, values, count, 3, 99.0f, p);
	CHECK(t, p[0] == 0.0f);
	sample(times, values, count, 3, 100.0f, p);
	CHECK(t, p[0] == 1.0f);
	CHECK(t, read_channel(&file, stays, "translation", 3, times, values) == 0);
	json_decref(file.root);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
}

static void wrong_calls_are_refused(test *t)
{
	rbl_film_def def = rbl_default_film_def(), bad = def;
	rbl_film *film = NULL;
	rbl_transform here = rbl_transform_identity(), nowhere = here;
	rbl_file_bytes bytes;
	nowhere.position.y = NAN;
	int index = 7;
	CHECK(t, rbl_create_film(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_film(NULL, &film) == RBL_BAD_ARGUMENT && !film);
	bad.angle_tolerance = -1.0f;
	CHECK(t, rbl_create_film(&bad, &film) == RBL_BAD_ARGUMENT);
	bad = def, bad.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_create_film(&bad, &film) == RBL_BAD_ARGUMENT);
	bad = def, bad.cookie = 0;
	CHECK(t, rbl_create_film(&bad, &film) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, NULL, &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_mesh(NULL, make_cube(), &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_mesh(film, make_cube(), NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add(film, 0, here, &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add(film, -1, nowhere, &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add(film, -1, here, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add(film, -1, here, &index) == RBL_OK && index == 0);
	CHECK(t, rbl_film_begin_frame(NULL, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_begin_frame(film, -1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_OK);
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_move(film, 1, here) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_move(film, 0, nowhere) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_move(film, 0, here) == RBL_OK);
	CHECK(t, rbl_film_move(film, 0, here) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_remove(film, 0) == RBL_OK);
	CHECK(t, rbl_film_remove(film, 0) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_move(film, 0, here) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_film(NULL, film, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_film("x.glb", NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_film("x.obj", film, NULL) == RBL_UNSUPPORTED);
	CHECK(t, rbl_write_film_memory(film, NULL, &bytes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_film_memory(NULL, NULL, &bytes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_film_memory(film, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_get_info(NULL).thing_count == 0);
	rbl_destroy_film(film);
	rbl_destroy_film(NULL);
}

static rbl_result make_a_film(rbl_allocator allocator)
{
	rbl_film_def def = rbl_default_film_def();
	def.allocator = allocator;
	rbl_film *film = NULL;
	int mesh, thing;
	rbl_result result = rbl_create_film(&def, &film);
	if (result == RBL_OK)
		result = rbl_film_add_mesh(film, make_cube(), &mesh);
	if (result == RBL_OK)
		result = rbl_film_add(film, mesh, motion(0, 0), &thing);
	for (int frame = 1; result == RBL_OK && frame < 60; ++frame) {
		result = rbl_film_begin_frame(film, (float)frame / 60.0f);
		if (result == RBL_OK)
			result = rbl_film_move(film, thing, motion(0, frame));
	}
	rbl_file_bytes bytes = { 0 };
	rbl_write_def write_def = rbl_default_write_def();
	write_def.format = RBL_FORMAT_GLTF;
	write_def.allocator = allocator;
	if (result == RBL_OK)
		result = rbl_write_film_memory(film, &write_def, &bytes);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
	return result;
}

static void running_out_of_memory_is_survived(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = make_a_film(FAULTY(&memory));
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(what_is_shown_is_what_was_taken), TEST(keys_are_few_and_files_small),
          TEST(things_appear_and_vanish_in_their_frames), TEST(what_stands_still_costs_nothing),
          TEST(wrong_calls_are_refused), TEST(running_out_of_memory_is_survived))
