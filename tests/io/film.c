// SPDX-License-Identifier: MIT
// ctest: files
//
// Films, read back key by key: where a viewer would see objects, when they appear and vanish, and how
// small the file is. Files stay behind for the Khronos validator.

#include "film_file.h"
#include "io_test.h"

#include <rubble/shapes.h>

enum { FRAMES = 240, THINGS = 12 };

// A ball that falls, bounces, spins slower and slower, and lies still.
static rbl_transform motion(int object, int frame)
{
	double t = (double)frame / 60.0 - 0.1 * object, y = 0.0, spin = 0.0, x = 0.0;
	double speed = 6.0 - 0.3 * object;
	if (t > 0.0) {
		double begin = 0.0;
		for (; speed > 0.05 && t - begin > 2.0 * speed / 9.81; speed *= 0.6)
			begin += 2.0 * speed / 9.81;
		y = speed > 0.05 ? speed * (t - begin) - 4.905 * (t - begin) * (t - begin) : 0.0;
		spin = 9.0 * (1.0 - rbl_exp(-t)), x = 2.0 * (1.0 - rbl_exp(-t));
	}
	rbl_vec3d axis = rbl_normalize_d((rbl_vec3d){ 1.0, 0.3 * object, 0.5 });
	rbl_quatd q = rbl_quat_from_axis_angle_d(axis, spin);
	return (rbl_transform){ { (float)(x + object), (float)y, 0.0f },
		                    { (float)q.x, (float)q.y, (float)q.z, (float)q.w } };
}

static rbl_mesh *make_cube(void)
{
	rbl_mesh *mesh = NULL;
	rbl_box_def def = rbl_default_box_def();
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

// A film of all objects; object i appears in frame 3 i, and the last vanishes at the end of 2 s.
static rbl_film *take_film(test *t, rbl_film_def def)
{
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	int mesh = -1, object = -1;
	CHECK(t, rbl_film_add_mesh(film, make_cube(), &mesh) == RBL_OK && mesh == 0);
	for (int frame = 0; frame < FRAMES; ++frame) {
		CHECK(t, rbl_film_begin_frame(film, (float)frame / 60.0f) == RBL_OK);
		for (int i = 0; i < THINGS; ++i) {
			if (frame == 3 * i)
				CHECK(t, rbl_film_add_object(film, mesh, motion(i, frame), &object) == RBL_OK &&
				             object == i);
			else if (frame > 3 * i && !(i == THINGS - 1 && frame > 120))
				CHECK(t, rbl_film_move(film, i, motion(i, frame)) == RBL_OK);
		}
		if (frame == 120)
			CHECK(t, rbl_film_remove(film, THINGS - 1) == RBL_OK);
	}
	return film;
}

// --- tests -----------------------------------------------------------------------------------

static rbl_file_bytes write_film(test *t, const rbl_film *film)
{
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
	return bytes;
}

// The most that a corner of a node's mesh is off where a pose has it, `centre` being the middle of
// the mesh there.
static double distance(const film_file *file, int node, double time, film_viewer viewer,
                       rbl_transformd pose, rbl_vec3d centre)
{
	const film_mesh *mesh = &file->meshes[file->nodes[node].mesh];
	rbl_transformd shown;
	double worst = film_pose(file, node, time, viewer, &shown) ? 0.0 : (double)INFINITY;
	for (int v = 0; v < mesh->vertex_count; ++v) {
		rbl_vec3d p = film_vertex(mesh, v), q = rbl_add_d(centre, rbl_sub_d(p, mesh->centre));
		p = rbl_transform_point_d(shown, p), q = rbl_transform_point_d(pose, q);
		worst = rbl_maxd(worst, rbl_length_d(rbl_sub_d(p, q)));
	}
	return worst;
}

static rbl_transformd to_double(rbl_transform pose)
{
	rbl_quat q = pose.rotation;
	return (rbl_transformd){ rbl_to_d(pose.position),
		                     { (double)q.x, (double)q.y, (double)q.z, (double)q.w } };
}

static rbl_transform to_float(rbl_transformd pose)
{
	rbl_quatd q = pose.rotation;
	return (rbl_transform){ rbl_to_f(pose.position),
		                    { (float)q.x, (float)q.y, (float)q.z, (float)q.w } };
}

static void what_is_shown_is_what_was_taken(test *t)
{
	for (int is_long = 0; is_long < 2; ++is_long) {
		rbl_film_def def = rbl_default_film_def();
		def.has_long_rotations = is_long;
		rbl_film *film = take_film(t, def);
		rbl_file_bytes bytes = write_film(t, film);
		film_file file = film_open(t, bytes.data, bytes.size);
		double worst = 0.0;
		for (int i = 0; i < THINGS; ++i) {
			const film_track *tracks = file.nodes[i].tracks;
			CHECK(t, tracks[0].key_count > 2 && tracks[1].key_count == tracks[0].key_count);
			int last = i == THINGS - 1 ? 120 : FRAMES;
			for (int frame = 3 * i; frame < last; ++frame)
				for (int viewer = 0; viewer < 2; ++viewer)
					worst = fmax(worst, distance(&file, i, (double)((float)frame / 60.0f),
					                             (film_viewer)viewer, to_double(motion(i, frame)),
					                             (rbl_vec3d){ 0, 0, 0 }));
		}
		CHECK(t, worst <= 0.0051);
		film_close(&file);
		rbl_free_bytes(&bytes);
		rbl_destroy_film(film);
	}
}

// --- between keys ------------------------------------------------------------------------------

enum { BODIES = 6, RATE = 30, SECONDS = 2 };

static const rbl_vec3d box_sides = { 0.4, 0.2, 0.3 };

// A box far from the origin of its coordinates, as a fragment is of what it came off.
static rbl_mesh *make_fragment(rbl_vec3d centre)
{
	rbl_mesh *mesh = NULL, *moved = NULL;
	rbl_box_def def = rbl_default_box_def();
	def.size = box_sides;
	rbl_create_box_mesh(&def, &mesh);
	rbl_mesh_def copy = rbl_default_mesh_def();
	copy.data = rbl_mesh_get_data(mesh);
	rbl_vec3d points[8];
	for (int v = 0; v < 8; ++v)
		points[v] = rbl_add_d(copy.data.positions[v], centre);
	copy.data.positions = points;
	rbl_create_mesh(&copy, &moved);
	rbl_destroy_mesh(mesh);
	return moved;
}

static rbl_vec3d fragment_centre(int body)
{
	return (rbl_vec3d){ 3.0 * body, 5.0 - body, 0.5 * body };
}

static rbl_vec3d fragment_velocity(int body)
{
	return (rbl_vec3d){ 1.0, 2.0 * body, -4.0 * body };
}

// The free flight of a body: its centre of mass goes evenly, and it turns evenly about it.
static rbl_transformd flight(int body, double time, rbl_vec3d angular_velocity)
{
	rbl_vec3d centre = fragment_centre(body), at = { 0.5 * body - 3.0 * time, 2.0 * time, body };
	double speed = rbl_length_d(angular_velocity);
	rbl_transformd pose;
	pose.rotation = rbl_quat_from_axis_angle_d(rbl_normalize_d(angular_velocity), speed * time);
	pose.position = rbl_sub_d(at, rbl_rotate_d(pose.rotation, centre));
	return pose;
}

// The share of the size that fragments are off at worst, at ten times the rate of frames.
static double fly(test *t, double spin, bool has_velocity)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	for (int frame = 0; frame <= RATE * SECONDS; ++frame) {
		double time = (double)((float)frame / (float)RATE);
		CHECK(t, frame == 0 || rbl_film_begin_frame(film, (float)time) == RBL_OK);
		for (int i = 0; i < BODIES; ++i) {
			rbl_vec3d velocity = rbl_scale_d(spin, fragment_velocity(i));
			rbl_transform pose = to_float(flight(i, time, velocity));
			int mesh, object;
			if (frame == 0)
				CHECK(t,
				      rbl_film_add_mesh(film, make_fragment(fragment_centre(i)), &mesh) == RBL_OK &&
				          rbl_film_add_object(film, mesh, pose, &object) == RBL_OK);
			else if (has_velocity)
				CHECK(t, rbl_film_move_with_angular_velocity(film, i, pose, rbl_to_f(velocity)) ==
				             RBL_OK);
			else
				CHECK(t, rbl_film_move(film, i, pose) == RBL_OK);
		}
	}
	rbl_file_bytes bytes = write_film(t, film);
	film_file file = film_open(t, bytes.data, bytes.size);
	double worst = 0.0, size = rbl_length_d(box_sides);
	for (int i = 0; i < BODIES; ++i) {
		CHECK(t, rbl_length_d(file.meshes[file.nodes[i].mesh].centre) < 1e-6);
		for (int k = 0; k < 10 * RATE * SECONDS; ++k) {
			double time = 0.1 * (k + 0.5) / RATE;
			rbl_transformd pose = flight(i, time, rbl_scale_d(spin, fragment_velocity(i)));
			for (int viewer = 0; viewer < 2; ++viewer)
				worst = fmax(
					worst, distance(&file, i, time, (film_viewer)viewer, pose, fragment_centre(i)));
		}
	}
	film_close(&file);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
	return worst / size;
}

// Regression: nodes of fragments had the origin of what they came off, and swung between keys.
static void fragments_do_not_swing_between_keys(test *t)
{
	CHECK(t, fly(t, 0.1, false) < 0.01);
	CHECK(t, fly(t, 1.0, false) < 0.01); // up to 22 radians a second
}

// Up to 8.2 radians from frame to frame, and whole turns.
static void fast_spins_go_all_the_way_round(test *t)
{
	CHECK(t, fly(t, 11.0, true) < 0.01);
	double speed = rbl_length_d(fragment_velocity(3));
	CHECK(t, fly(t, 2.0 * 3.14159265358979 * RATE / speed, true) < 0.01);
}

// --- parts -------------------------------------------------------------------------------------

// The flight of fragment 0, with the origin where it turns about.
static rbl_transform middle_pose(double time, rbl_vec3d velocity, rbl_vec3d middle)
{
	rbl_transformd pose = flight(0, time, velocity);
	pose.position = rbl_transform_point_d(pose, middle);
	return to_float(pose);
}

static void parts_move_with_their_thing(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	int object, parts[BODIES], late, mesh[BODIES];
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	const rbl_vec3d velocity = { 1.0, 2.0, 3.0 }, middle = fragment_centre(0);
	const rbl_transform here = { rbl_to_f(rbl_neg_d(middle)), { 0, 0, 0, 1 } };
	CHECK(t, rbl_film_add_object(film, -1, middle_pose(0.0, velocity, middle), &object) == RBL_OK);
	for (int i = 0; i < BODIES; ++i) {
		CHECK(t, rbl_film_add_mesh(film, make_fragment(fragment_centre(i)), &mesh[i]) == RBL_OK);
		CHECK(t, rbl_film_add_part(film, object, mesh[i], here, &parts[i]) == RBL_OK);
	}
	for (int frame = 1; frame <= RATE; ++frame) {
		double time = (double)((float)frame / (float)RATE);
		CHECK(t, rbl_film_begin_frame(film, (float)time) == RBL_OK);
		CHECK(t, rbl_film_move(film, object, middle_pose(time, velocity, middle)) == RBL_OK);
		CHECK(t, rbl_film_move(film, parts[0], here) == RBL_BAD_ARGUMENT);
		if (frame == RATE / 2) {
			CHECK(t, rbl_film_remove(film, parts[1]) == RBL_OK);
			CHECK(t, rbl_film_add_part(film, object, mesh[1], here, &late) == RBL_OK);
		}
	}
	CHECK(t, rbl_film_remove(film, object) == RBL_OK);
	CHECK(t, rbl_film_add_part(film, parts[0], mesh[0], here, &late) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_part(film, object, mesh[0], here, &late) == RBL_BAD_ARGUMENT);
	rbl_file_bytes bytes = write_film(t, film);
	film_file file = film_open(t, bytes.data, bytes.size);
	CHECK(t, file.node_count == BODIES + 2 && file.mesh_count == 1); // equal boxes
	double worst = 0.0;
	rbl_transformd pose;
	for (int i = 1; i < file.node_count; ++i) {
		CHECK(t, file.nodes[i].parent == 0 && file.nodes[i].tracks[0].key_count == 0);
		for (int k = 0; k < 10 * RATE; ++k) {
			double time = 0.1 * (k + 0.5) / RATE;
			bool is_late = k >= 10 * RATE / 2,
				 is_there = i == 2 ? !is_late : i <= BODIES || is_late;
			CHECK(t, film_pose(&file, i, time, FILM_SLERP, &pose) == is_there);
			if (is_there)
				worst = fmax(worst, distance(&file, i, time, FILM_SLERP, flight(0, time, velocity),
				                             fragment_centre(i <= BODIES ? i - 1 : 1)));
		}
		CHECK(t, !film_pose(&file, i, 1.001, FILM_SLERP, &pose)); // the object is gone
	}
	CHECK(t, worst < 0.005);
	film_close(&file);
	rbl_free_bytes(&bytes);
	CHECK(t, rbl_write_film(RBL_BINARY_DIR "/glb/film_parts.glb", film, NULL) == RBL_OK);
	rbl_destroy_film(film);
}

// --- the file ----------------------------------------------------------------------------------

// Meshes that nothing looks like, materials that no face has, things that come and go in one frame.
static void nothing_is_written_without_use(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	int unused, look, object, gone;
	rbl_mesh *cube = make_cube(), *colored = NULL;
	const rbl_mesh_material materials[3] = { { "a", { 1, 0, 0, 1 }, 0.0f, 1.0f, 0 },
		                                     { "b", { 0, 1, 0, 1 }, 0.0f, 1.0f, 0 },
		                                     { "b", { 0, 0, 1, 1 }, 0.0f, 1.0f, 0 } };
	const int face_materials[6] = { 1, 1, 1, 2, 2, 2 };
	rbl_mesh_def colored_def = rbl_default_mesh_def();
	colored_def.data = rbl_mesh_get_data(cube);
	colored_def.data.materials = materials, colored_def.data.material_count = 3;
	colored_def.data.face_materials = face_materials;
	CHECK(t, rbl_create_mesh(&colored_def, &colored) == RBL_OK);
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, cube, &unused) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, colored, &look) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, look, motion(0, 0), &object) == RBL_OK);
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, unused, motion(0, 0), &gone) == RBL_OK);
	CHECK(t, rbl_film_remove(film, gone) == RBL_OK);
	rbl_file_bytes bytes = write_film(t, film);
	film_file file = film_open(t, bytes.data, bytes.size);
	CHECK(t, file.node_count == 1 && file.mesh_count == 1 && file.unused_accessors == 0);
	CHECK(t, film_list_size(&file, "materials") == 2);
	for (int i = 0; i < 2; ++i) {
		const char *name = rbl_json_text(rbl_json_member(film_item(&file, "materials", i), "name"));
		CHECK(t, name && strcmp(name, i == 0 ? "b" : "b.001") == 0);
	}
	film_close(&file);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
}

static void keys_are_few_and_files_small(test *t)
{
	rbl_film *film = take_film(t, rbl_default_film_def());
	rbl_film_info info = rbl_film_get_info(film);
	CHECK(t, info.frame_count == FRAMES && info.object_count == THINGS && info.mesh_count == 1);
	CHECK(t, info.key_count * 2 < info.pose_count);
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
	// 24 bytes per key, under a kilobyte of JSON per object, and the cube.
	CHECK(t, bytes.size < (size_t)info.key_count * 24 + THINGS * 1000 + 1500);
	rbl_free_bytes(&bytes);
	CHECK(t, rbl_write_film(RBL_BINARY_DIR "/glb/film.glb", film, NULL) == RBL_OK);
	rbl_destroy_film(film);
}

static void objects_appear_and_vanish_in_their_frames(test *t)
{
	rbl_film *film = take_film(t, rbl_default_film_def());
	rbl_file_bytes bytes = write_film(t, film);
	film_file file = film_open(t, bytes.data, bytes.size);
	CHECK(t, file.nodes[0].tracks[RBL_TRACK_SCALE].key_count == 0);
	film_track life = file.nodes[4].tracks[RBL_TRACK_SCALE];
	CHECK(t, life.key_count == 2 && life.has_steps);
	CHECK(t, life.times[0] == 0.0f && life.times[1] == 12.0f / 60.0f && life.values[0] == 0.0f &&
	             life.values[3] == 1.0f);
	life = file.nodes[THINGS - 1].tracks[RBL_TRACK_SCALE];
	CHECK(t, life.key_count == 3);
	CHECK(t, life.times[2] == 2.0f && life.values[5] == 1.0f && life.values[8] == 0.0f);
	film_close(&file);
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
	CHECK(t, rbl_film_add_object(film, mesh, here, &rests) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, mesh, here, &stays) == RBL_OK);
	for (int frame = 1; frame <= 100; ++frame) {
		CHECK(t, rbl_film_begin_frame(film, (float)frame) == RBL_OK);
		CHECK(t, rbl_film_move(film, stays, here) == RBL_OK);
		if (frame == 100)
			CHECK(t, rbl_film_move(film, rests, there) == RBL_OK);
	}
	rbl_file_bytes bytes = write_film(t, film);
	film_file file = film_open(t, bytes.data, bytes.size);
	rbl_transformd pose;
	CHECK(t, file.nodes[rests].tracks[0].key_count == 3);
	CHECK(t, film_pose(&file, rests, 99.0, FILM_SLERP, &pose) && pose.position.x == 0.0);
	CHECK(t, film_pose(&file, rests, 100.0, FILM_SLERP, &pose) && pose.position.x == 1.0);
	CHECK(t, file.nodes[stays].tracks[0].key_count == 0);
	film_close(&file);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
}

// Regression: the end of a rest was read from an array that had just grown.
static void rests_are_kept_in_long_stretches(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	int mesh, object;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, make_cube(), &mesh) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, mesh, rbl_transform_identity(), &object) == RBL_OK);
	// It creeps within the tolerance, moved in every other frame, and leaves in the end.
	for (int frame = 1; frame <= 300; ++frame) {
		rbl_transform pose = rbl_transform_identity();
		pose.position.x = frame < 300 ? 1e-5f * (float)frame : 1.0f;
		CHECK(t, rbl_film_begin_frame(film, (float)frame) == RBL_OK);
		CHECK(t, frame % 2 == 1 || rbl_film_move(film, object, pose) == RBL_OK);
	}
	CHECK(t, rbl_film_get_info(film).key_count < 20);
	rbl_file_bytes bytes = write_film(t, film);
	film_file file = film_open(t, bytes.data, bytes.size);
	rbl_transformd pose;
	CHECK(t, film_pose(&file, object, 299.0, FILM_SLERP, &pose));
	CHECK_NEAR(t, pose.position.x, 298e-5, 0.005);
	CHECK(t, film_pose(&file, object, 300.0, FILM_SLERP, &pose) && pose.position.x == 1.0);
	film_close(&file);
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
	bad.size_tolerance = -1.0f;
	CHECK(t, rbl_create_film(&bad, &film) == RBL_BAD_ARGUMENT);
	bad = def, bad.position_tolerance = NAN;
	CHECK(t, rbl_create_film(&bad, &film) == RBL_BAD_ARGUMENT);
	bad = def, bad.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_create_film(&bad, &film) == RBL_BAD_ARGUMENT);
	bad = def, bad.cookie = 0;
	CHECK(t, rbl_create_film(&bad, &film) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, NULL, &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_mesh(NULL, make_cube(), &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_mesh(film, make_cube(), NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_object(film, 0, here, &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_object(film, -1, nowhere, &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_object(film, -1, here, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_object(film, -1, here, &index) == RBL_OK && index == 0);
	CHECK(t, rbl_film_begin_frame(NULL, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_begin_frame(film, -1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_OK);
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_move(film, 1, here) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_move(film, 0, nowhere) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_film_move_with_angular_velocity(film, 0, here, nowhere.position) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_move_with_angular_velocity(NULL, 0, here, here.position) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_part(film, 0, 0, here, &index) == RBL_BAD_ARGUMENT); // no such mesh
	CHECK(t, rbl_film_add_part(film, 7, -1, here, &index) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_add_part(film, 0, -1, here, NULL) == RBL_BAD_ARGUMENT);
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
	CHECK(t, rbl_film_get_info(NULL).object_count == 0);
	rbl_destroy_film(film);
	rbl_destroy_film(NULL);
}

// A moment is one mesh, with every object where it is then.
static void a_moment_is_one_mesh(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	rbl_mesh *mesh = NULL;
	int cube, a, b, part;
	const rbl_transform here = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	rbl_transform there = here;
	there.position.x = 10.0f;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	CHECK(t, rbl_film_create_mesh(film, 0.0f, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).face_count == 0);
	rbl_destroy_mesh(mesh);
	CHECK(t, rbl_film_add_mesh(film, make_cube(), &cube) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, cube, here, &a) == RBL_OK);
	CHECK(t, rbl_film_begin_frame(film, 1.0f) == RBL_OK);
	CHECK(t, rbl_film_move(film, a, there) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, cube, here, &b) == RBL_OK);
	CHECK(t, rbl_film_add_part(film, b, cube, there, &part) == RBL_OK);
	CHECK(t, rbl_film_begin_frame(film, 2.0f) == RBL_OK);
	CHECK(t, rbl_film_remove(film, a) == RBL_OK);
	rbl_mesh *whole = make_cube();
	double volume = rbl_mesh_get_mass(whole).volume;
	rbl_boxd size = rbl_mesh_bounds(whole);
	static const float times[] = { 0.5f, 1.5f, 3.0f };
	static const int counts[] = { 1, 3, 2 };
	static const double lows[] = { 5.0, 0.0, 0.0 }, highs[] = { 5.0, 10.0, 10.0 };
	for (int i = 0; i < 3; ++i) {
		CHECK(t, rbl_film_create_mesh(film, times[i], &mesh) == RBL_OK);
		rbl_boxd box = rbl_mesh_bounds(mesh);
		CHECK(t, rbl_mesh_get_data(mesh).material_count == 1);
		CHECK_NEAR(t, rbl_mesh_get_mass(mesh).volume, counts[i] * volume, 1e-6);
		CHECK_NEAR(t, box.lower.x, lows[i] + size.lower.x, 1e-5);
		CHECK_NEAR(t, box.upper.x, highs[i] + size.upper.x, 1e-5);
		rbl_destroy_mesh(mesh);
	}
	CHECK(t, rbl_film_create_mesh(NULL, 0.0f, &mesh) == RBL_BAD_ARGUMENT && !mesh);
	CHECK(t, rbl_film_create_mesh(film, NAN, &mesh) == RBL_BAD_ARGUMENT && !mesh);
	CHECK(t, rbl_film_create_mesh(film, 0.0f, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_mesh(whole);
	rbl_destroy_film(film);
}

static void nodes_have_names(test *t)
{
	rbl_film_def def = rbl_default_film_def();
	rbl_film *film = NULL;
	rbl_file_bytes bytes;
	rbl_write_def write_def = rbl_default_write_def();
	write_def.format = RBL_FORMAT_GLTF;
	int cube, object, part;
	CHECK(t, rbl_create_film(&def, &film) == RBL_OK);
	CHECK(t, rbl_film_add_mesh(film, make_cube(), &cube) == RBL_OK);
	CHECK(t, rbl_film_add_object(film, cube, motion(0, 0), &object) == RBL_OK);
	CHECK(t, rbl_film_add_part(film, object, cube, motion(1, 9), &part) == RBL_OK);
	CHECK(t, rbl_film_set_name(film, object, "Wall.003") == RBL_OK);
	CHECK(t, rbl_film_set_name(film, part, "Wall.003/fragment 1") == RBL_OK);
	CHECK(t, rbl_film_set_name(film, part, "Wall.003/fragment 12") == RBL_OK);
	CHECK(t, rbl_write_film_memory(film, &write_def, &bytes) == RBL_OK);
	char *text = calloc(1, bytes.size + 1);
	for (size_t i = 0; text && i < bytes.size; ++i)
		text[i] = bytes.data[i] ? (char)bytes.data[i] : ' ';
	CHECK(t, text && strstr(text, "\"name\":\"Wall.003\""));
	CHECK(t, text && strstr(text, "\"name\":\"Wall.003/fragment 12\""));
	CHECK(t, text && !strstr(text, "\"name\":\"Wall.003/fragment 1\""));
	free(text);
	rbl_free_bytes(&bytes);
	CHECK(t, rbl_film_set_name(film, 2, "x") == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_set_name(film, 0, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_set_name(NULL, 0, "x") == RBL_BAD_ARGUMENT);
	rbl_destroy_film(film);
}

static rbl_result make_a_film(rbl_allocator allocator)
{
	rbl_film_def def = rbl_default_film_def();
	def.allocator = allocator;
	rbl_film *film = NULL;
	int mesh, object, part;
	rbl_result result = rbl_create_film(&def, &film);
	if (result == RBL_OK)
		result = rbl_film_add_mesh(film, make_cube(), &mesh);
	if (result == RBL_OK)
		result = rbl_film_add_object(film, mesh, motion(0, 0), &object);
	if (result == RBL_OK)
		result = rbl_film_add_part(film, object, mesh, motion(1, 90), &part);
	if (result == RBL_OK)
		result = rbl_film_set_name(film, part, "part");
	for (int frame = 1; result == RBL_OK && frame < 60; ++frame) {
		result = rbl_film_begin_frame(film, (float)frame / 60.0f);
		if (result == RBL_OK)
			result = rbl_film_move_with_angular_velocity(film, object, motion(0, frame),
			                                             (rbl_vec3){ 100.0f, 0.0f, 0.0f });
	}
	rbl_file_bytes bytes = { 0 };
	rbl_write_def write_def = rbl_default_write_def();
	write_def.format = RBL_FORMAT_GLTF;
	write_def.allocator = allocator;
	if (result == RBL_OK)
		result = rbl_write_film_memory(film, &write_def, &bytes);
	rbl_free_bytes(&bytes);
	rbl_mesh *moment = NULL;
	if (result == RBL_OK)
		result = rbl_film_create_mesh(film, 0.5f, &moment);
	rbl_destroy_mesh(moment);
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

// Two boxes of the same shape are one mesh of the file; extras and textures are there.
static void equal_meshes_extras_and_textures_are_shared(test *t)
{
	rbl_film_def film_def = rbl_default_film_def();
	rbl_film *film = NULL;
	CHECK(t, rbl_create_film(&film_def, &film) == RBL_OK);
	static const unsigned char jpeg[] = { 0xff, 0xd8, 0xff, 0xd9 };
	rbl_scene_image image = { .name = "i", .mime_type = "image/jpeg", .bytes = jpeg, .size = 4 };
	rbl_scene_texture texture = { .image = 1 };
	rbl_scene_material material = rbl_default_scene_material();
	material.name = "wall";
	material.base_color_texture.texture = 1;
	material.extensions = "{\"KHR_materials_sheen\":{\"sheenColorTexture\":{\"index\":0}}}";
	rbl_scene looks = { .material_count = 1,
		                .materials = &material,
		                .texture_count = 1,
		                .textures = &texture,
		                .image_count = 1,
		                .images = &image };
	int first = -1, second = -1;
	CHECK(t, rbl_film_add_materials(film, &looks, &first) == RBL_OK && first == 0);
	CHECK(t, rbl_film_add_materials(film, &looks, &second) == RBL_OK && second == 1);
	material.extensions = "{";
	CHECK(t, rbl_film_add_materials(film, &looks, &(int){ 0 }) == RBL_BAD_ARGUMENT);
	int objects[3];
	for (int i = 0; i < 3; ++i) {
		rbl_box_def box = rbl_default_box_def();
		rbl_mesh *plain = NULL, *mesh = NULL;
		CHECK(t, rbl_create_box_mesh(&box, &plain) == RBL_OK);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = rbl_mesh_get_data(plain);
		rbl_mesh_material slot = { .name = "wall", .source = i < 2 ? 2 : 1 };
		def.data.materials = &slot, def.data.material_count = 1, def.data.face_materials = NULL;
		CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
		rbl_destroy_mesh(plain);
		int index;
		rbl_transform pose = { { (float)i, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
		CHECK(t, rbl_film_add_mesh(film, mesh, &index) == RBL_OK && index == i);
		CHECK(t, rbl_film_add_object(film, index, pose, &objects[i]) == RBL_OK);
	}
	CHECK(t, rbl_film_set_name(film, objects[1], "Wall.003/fragment 12") == RBL_OK);
	CHECK(t, rbl_film_set_extras(film, objects[1], "{\"mass\":5}") == RBL_OK);
	CHECK(t, rbl_film_set_extras(film, objects[1], "no json") == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_film_set_extras(film, 77, NULL) == RBL_BAD_ARGUMENT);
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_GLTF;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_film_memory(film, &def, &bytes) == RBL_OK);
	rbl_document *document;
	CHECK(t, rbl_read_document_memory(bytes.data, bytes.size, NULL, &document) == RBL_OK);
	rbl_scene scene = rbl_document_get_scene(document);
	CHECK(t, scene.node_count == 3 && scene.mesh_count == 2 && scene.image_count == 2);
	CHECK(t, scene.nodes[0].mesh == scene.nodes[1].mesh && scene.nodes[2].mesh == 1);
	CHECK(t, strcmp(scene.nodes[1].name, "Wall.003/fragment 12") == 0);
	CHECK(t, strcmp(scene.nodes[1].extras, "{\"mass\":5}") == 0);
	CHECK(t, scene.material_count == 2 && scene.materials[1].base_color_texture.texture == 2);
	CHECK(t, strstr(scene.materials[0].extensions, "{\"index\":0}"));
	CHECK(t, strstr(scene.materials[1].extensions, "{\"index\":1}"));
	CHECK(t, rbl_mesh_get_data(scene.meshes[0]).materials[0].source == 2);
	rbl_destroy_document(document);
	rbl_free_bytes(&bytes);
	rbl_destroy_film(film);
}

TEST_MAIN(TEST(what_is_shown_is_what_was_taken), TEST(fragments_do_not_swing_between_keys),
          TEST(fast_spins_go_all_the_way_round), TEST(parts_move_with_their_thing),
          TEST(nothing_is_written_without_use), TEST(keys_are_few_and_files_small),
          TEST(objects_appear_and_vanish_in_their_frames), TEST(what_stands_still_costs_nothing),
          TEST(rests_are_kept_in_long_stretches), TEST(wrong_calls_are_refused),
          TEST(a_moment_is_one_mesh), TEST(nodes_have_names),
          TEST(equal_meshes_extras_and_textures_are_shared),
          TEST(running_out_of_memory_is_survived))
