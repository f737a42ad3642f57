// SPDX-License-Identifier: MIT
//
// Films: poses frame by frame become the keyframes of a glTF animation (film_keyframes.c).
//
// The origin of a node is the centre of mass (film_mesh.c), which moves in a straight line while a
// body rotates.
//
// From frame to frame an object is interpolated linearly and rotates the shorter way, or as its
// angular velocity says. Poses in between are inserted where that is more than a radian.
//
// An object that is not moved in a frame stands still in it, and gets a key at the end of its rest
// when it moves again.

#include "io/film.h"

#include <math.h>
#include <stdio.h>

enum { FILM_COOKIE = 0x66696c6d };
enum { MAX_EXTRA_REVOLUTIONS = 8 }; // between two frames

static const double MAX_ROTATION = 1.0; // radians between two poses

rbl_film_def rbl_default_film_def(void)
{
	return (rbl_film_def){ .position_tolerance = 0.005f,
		                   .size_tolerance = 0.008f,
		                   .cookie = FILM_COOKIE };
}

rbl_result rbl_create_film(const rbl_film_def *def, rbl_film **film)
{
	if (!film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film is NULL");
	*film = NULL;
	if (!def || def->cookie != FILM_COOKIE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "start from rbl_default_film_def()");
	if (!(def->position_tolerance >= 0.0f && def->position_tolerance < 1e6f) ||
	    !(def->size_tolerance >= 0.0f && def->size_tolerance < 1e6f))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a tolerance of the film is not usable");
	if (!rbl_io_allocator_is_valid(&def->allocator))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the allocator has only one of its functions");
	rbl_io_memory memory = rbl_io_memory_of(&def->allocator);
	rbl_film *made = RBL_IO_NEW(&memory, rbl_film, 1);
	if (!made)
		return rbl_io_fail_memory(&memory, "film");
	*made = (rbl_film){ .def = *def, .memory = memory };
	*film = made;
	return RBL_OK;
}

void rbl_destroy_film(rbl_film *film)
{
	if (!film)
		return;
	for (int i = 0; i < film->meshes.count; ++i)
		if (film->meshes.data[i].first == i)
			rbl_destroy_mesh(film->meshes.data[i].mesh);
	rbl_destroy_document(film->looks);
	for (int i = 0; i < film->objects.count; ++i)
		rbl_io_free(&film->memory, &film->objects.data[i].pending);
	rbl_io_free(&film->memory, &film->meshes);
	rbl_io_free(&film->memory, &film->objects);
	rbl_io_free(&film->memory, &film->keys);
	rbl_io_free(&film->memory, &film->texts);
	rbl_io_memory memory = film->memory;
	RBL_IO_FREE(&memory, film, 1);
}

// Running out of memory fails this call only.
static rbl_result fail_memory(rbl_film *film)
{
	rbl_result result = rbl_io_fail_memory(&film->memory, "film");
	film->memory.failure = RBL_OK;
	return result;
}

rbl_result rbl_film_add_mesh(rbl_film *film, rbl_mesh *mesh, int *index)
{
	if (!film || !mesh || !index) {
		rbl_destroy_mesh(mesh);
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL",
		                   !film  ? "film"
		                   : mesh ? "index"
		                          : "mesh");
	}
	rbl_film_mesh centred = { .mesh = NULL };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (rbl_io_reserve(&film->memory, &film->meshes, film->meshes.count + 1))
		result = rbl_film_centre_mesh(mesh, film, &centred);
	rbl_destroy_mesh(mesh);
	if (film->memory.failure != RBL_OK)
		return fail_memory(film);
	if (result != RBL_OK)
		return result;
	*index = film->meshes.count++;
	rbl_film_share_mesh(film, &centred, *index);
	film->meshes.data[*index] = centred;
	return RBL_OK;
}

rbl_result rbl_film_begin_frame(rbl_film *film, float time)
{
	if (!film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film is NULL");
	if (!(time >= 0.0f && time < 1e9f) || (film->frame > 0 && time <= film->time))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "frame %d at %g s is not after %g s", film->frame,
		                   (double)time, (double)film->time);
	film->before = film->time;
	film->time = time;
	film->frame++;
	return RBL_OK;
}

// --- poses -----------------------------------------------------------------------------------

// The pose of a node with its origin at `centre`, whose mesh is turned. @return false if it is not
// usable
static bool read_pose(rbl_transform pose, rbl_vec3d centre, rbl_quatd turn, rbl_film_key *key)
{
	rbl_quat q = pose.rotation;
	double numbers[4] = { (double)q.x, (double)q.y, (double)q.z, (double)q.w }, square = 0.0;
	for (int k = 0; k < 4; ++k)
		square += numbers[k] * numbers[k];
	if (!(square > 1e-12 && square < 1e12))
		return false;
	for (int k = 0; k < 4; ++k)
		numbers[k] /= sqrt(square);
	rbl_quatd rotation = { numbers[0], numbers[1], numbers[2], numbers[3] };
	rbl_vec3d offset = rbl_io_quat_rotate(rotation, centre);
	rotation = rbl_io_quat_multiply(rotation, turn);
	key->numbers[3] = (float)rotation.x, key->numbers[4] = (float)rotation.y;
	key->numbers[5] = (float)rotation.z, key->numbers[6] = (float)rotation.w;
	double place[3] = { (double)pose.position.x + offset.x, (double)pose.position.y + offset.y,
		                (double)pose.position.z + offset.z };
	for (int k = 0; k < 3; ++k) {
		key->numbers[k] = (float)place[k];
		if (!(key->numbers[k] - key->numbers[k] == 0.0f))
			return false;
	}
	return true;
}

static rbl_film_object *find_object(const rbl_film *film, int object)
{
	if (!film || object < 0 || object >= film->objects.count ||
	    film->objects.data[object].death >= 0.0f)
		return NULL;
	return &film->objects.data[object];
}

// Include a mesh in the bounding radius and size, at a distance from the origin.
static void include_mesh(rbl_film_object *object, const rbl_film_mesh *mesh, double distance)
{
	object->radius = fmax(object->radius, distance + mesh->radius);
	if (object->size == 0.0 || mesh->size < object->size)
		object->size = mesh->size;
}

rbl_result rbl_film_add_object(rbl_film *film, int mesh, rbl_transform pose, int *object)
{
	if (!film || !object)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", film ? "object" : "film");
	if (mesh < -1 || mesh >= film->meshes.count)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh %d of %d", mesh, film->meshes.count);
	rbl_film_object made = { .mesh = mesh,
		                     .parent = -1,
		                     .turn = { 0.0, 0.0, 0.0, 1.0 },
		                     .birth = film->time,
		                     .death = -1.0f,
		                     .moved_frame = film->frame,
		                     .anchor = { .time = film->time, .next = -1 },
		                     .first_key = -1,
		                     .last_key = -1 };
	if (mesh >= 0) {
		made.centre = film->meshes.data[mesh].centre, made.turn = film->meshes.data[mesh].turn;
		include_mesh(&made, &film->meshes.data[mesh], 0.0);
	}
	if (!read_pose(pose, made.centre, made.turn, &made.anchor))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the pose of object %d is not usable",
		                   film->objects.count);
	if (!rbl_io_push(&film->memory, &film->objects, made))
		return fail_memory(film);
	film->pose_count++;
	*object = film->objects.count - 1;
	return RBL_OK;
}

rbl_result rbl_film_add_part(rbl_film *film, int object, int mesh, rbl_transform pose, int *part)
{
	rbl_film_object *parent = find_object(film, object);
	if (!part || !parent || parent->parent >= 0)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "part is NULL, or object %d is not there or a part",
		                   object);
	if (mesh < 0 || mesh >= film->meshes.count)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh %d of %d", mesh, film->meshes.count);
	const rbl_film_mesh *look = &film->meshes.data[mesh];
	rbl_film_object made = { .mesh = mesh,
		                     .parent = object,
		                     .birth = film->time,
		                     .death = -1.0f,
		                     .moved_frame = film->frame,
		                     .first_key = -1,
		                     .last_key = -1 };
	rbl_vec3d from = parent->centre;
	pose.position = (rbl_vec3){ (float)((double)pose.position.x - from.x),
		                        (float)((double)pose.position.y - from.y),
		                        (float)((double)pose.position.z - from.z) };
	if (!read_pose(pose, look->centre, look->turn, &made.local))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the pose of object %d is not usable",
		                   film->objects.count);
	const float *p = made.local.numbers;
	double square =
		(double)p[0] * (double)p[0] + (double)p[1] * (double)p[1] + (double)p[2] * (double)p[2];
	if (!rbl_io_push(&film->memory, &film->objects, made))
		return fail_memory(film);
	include_mesh(&film->objects.data[object], look, sqrt(square));
	*part = film->objects.count - 1;
	return RBL_OK;
}

rbl_result rbl_film_add_puff(rbl_film *film, int mesh, rbl_vec3 from, rbl_vec3 to, float radius,
                             float lifetime)
{
	if (!film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film is NULL");
	rbl_vec3 way = { to.x - from.x, to.y - from.y, to.z - from.z };
	float sum = from.x + from.y + from.z + way.x + way.y + way.z;
	if (mesh < 0 || mesh >= film->meshes.count || !(radius > 0.0f && radius <= 1e6f) ||
	    !(lifetime > 0.0f && lifetime <= 1e6f) || !(sum - sum == 0.0f))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh, radius, lifetime or place of a puff is not "
		                                     "usable");
	const rbl_film_mesh *look = &film->meshes.data[mesh];
	float death = film->time + lifetime;
	rbl_film_object made = { .mesh = mesh,
		                     .parent = -1,
		                     .birth = film->time,
		                     .death = death,
		                     .radius = (double)radius,
		                     .size = 2.0 * (double)radius,
		                     .puff_scale = radius / (float)look->radius,
		                     .moved_frame = film->frame,
		                     .anchor = { .time = film->time,
		                                 .numbers = { from.x, from.y, from.z, 0, 0, 0, 1 },
		                                 .next = -1 },
		                     .first_key = -1,
		                     .last_key = -1 };
	rbl_film_key end = { .time = death, .numbers = { to.x, to.y, to.z, 0, 0, 0, 1 }, .next = -1 };
	if (!(death > film->time) || !rbl_io_push(&film->memory, &made.pending, end))
		return death > film->time
		           ? fail_memory(film)
		           : rbl_io_fail(RBL_BAD_ARGUMENT, "the lifetime of a puff is too short");
	char name[20];
	if (!rbl_io_reserve(&film->memory, &film->texts, film->texts.count + (int)sizeof name) ||
	    !rbl_io_push(&film->memory, &film->objects, made)) {
		rbl_io_free(&film->memory, &made.pending);
		return fail_memory(film);
	}
	snprintf(name, sizeof name, "puff %d", film->objects.count);
	return rbl_film_set_name(film, film->objects.count - 1, name);
}

// --- moving ----------------------------------------------------------------------------------

// The rotation from the last pose to the next. @return the angle, in radians
static double find_rotation(const rbl_film_object *object, const rbl_film_key *pose,
                            const rbl_vec3 *velocity, double span, rbl_vec3d *axis)
{
	rbl_quatd from = rbl_film_rotation(rbl_film_last_pose(object)), to = rbl_film_rotation(pose);
	rbl_quatd rotation = rbl_io_quat_multiply(to, (rbl_quatd){ -from.x, -from.y, -from.z, from.w });
	*axis = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	double angle = rbl_io_quat_to_axis_angle(rotation, axis);
	if (!velocity)
		return angle;
	const rbl_vec3 *before = object->has_velocity ? &object->angular_velocity : velocity;
	rbl_vec3d mean = { 0.5 * ((double)velocity->x + (double)before->x),
		               0.5 * ((double)velocity->y + (double)before->y),
		               0.5 * ((double)velocity->z + (double)before->z) };
	double speed = sqrt(mean.x * mean.x + mean.y * mean.y + mean.z * mean.z);
	if (angle < 1e-6 && speed > 0.0) // whole revolutions, if any: poses do not tell their axis
		*axis = (rbl_vec3d){ mean.x / speed, mean.y / speed, mean.z / speed };
	double along = span * (axis->x * mean.x + axis->y * mean.y + axis->z * mean.z);
	const double circle = 6.283185307179586;
	double extra = floor((along - angle) / circle + 0.5);
	extra = fmin((double)MAX_EXTRA_REVOLUTIONS, fmax(-(double)MAX_EXTRA_REVOLUTIONS, extra));
	return angle + circle * extra;
}

// Add a pose, and poses in between where the object rotates far.
static void add_poses(rbl_film *film, rbl_film_object *object, const rbl_film_key *pose,
                      rbl_vec3d axis, double angle, int count)
{
	const rbl_film_key from = *rbl_film_last_pose(object);
	for (int i = 1; i < count; ++i) {
		double share = (double)i / count;
		rbl_film_key between = { .next = -1 };
		between.time =
			(float)((double)from.time + share * ((double)pose->time - (double)from.time));
		for (int k = 0; k < 3; ++k)
			between.numbers[k] =
				(float)((double)from.numbers[k] +
			            share * ((double)pose->numbers[k] - (double)from.numbers[k]));
		rbl_quatd q = rbl_io_quat_multiply(rbl_io_quat_from_axis_angle(axis, share * angle),
		                                   rbl_film_rotation(&from));
		between.numbers[3] = (float)q.x, between.numbers[4] = (float)q.y;
		between.numbers[5] = (float)q.z, between.numbers[6] = (float)q.w;
		if (between.time > rbl_film_last_pose(object)->time && between.time < pose->time)
			rbl_film_push_pose(film, object, between);
	}
	rbl_film_push_pose(film, object, *pose);
}

static rbl_result move(rbl_film *film, int object, rbl_transform pose, const rbl_vec3 *velocity)
{
	rbl_film_object *moved = find_object(film, object);
	rbl_film_key key = { .next = -1 };
	if (!moved || moved->parent >= 0 || !read_pose(pose, moved->centre, moved->turn, &key))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "object %d is %s", object,
		                   !moved               ? "not there"
		                   : moved->parent >= 0 ? "a part, which moves with its object"
		                                        : "given a pose that is not usable");
	key.time = film->time;
	if (moved->moved_frame == film->frame && moved->birth < film->time)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "object %d moves twice in a frame", object);
	const rbl_film_key last = *rbl_film_last_pose(moved); // a copy: the pending array may move
	bool is_new = moved->birth == film->time;
	bool has_moved = memcmp(last.numbers, key.numbers, sizeof key.numbers) != 0;
	float from = last.time > film->before ? last.time : film->before; // the end of its rest
	rbl_vec3d axis;
	double angle = find_rotation(moved, &key, velocity, (double)film->time - (double)from, &axis);
	int count = (int)ceil(fabs(angle) / MAX_ROTATION);
	count = count > 1 ? count : 1;
	has_moved |= count > 1;
	// Reserve all poses, and the keys that they may make, so that a failure changes nothing.
	if (!is_new && has_moved &&
	    (!rbl_io_reserve(&film->memory, &moved->pending, moved->pending.count + count + 1) ||
	     !rbl_io_reserve(&film->memory, &film->keys, film->keys.count + count + 1)))
		return fail_memory(film);
	film->pose_count++;
	moved->moved_frame = film->frame;
	moved->has_velocity = velocity != NULL;
	if (velocity)
		moved->angular_velocity = *velocity;
	if (is_new) {
		moved->anchor = key;
	} else if (has_moved) {
		if (from > last.time) {
			rbl_film_key rest = last;
			rest.time = from;
			rbl_film_push_pose(film, moved, rest);
		}
		add_poses(film, moved, &key, axis, angle, count);
	}
	return RBL_OK;
}

rbl_result rbl_film_move(rbl_film *film, int object, rbl_transform pose)
{
	return move(film, object, pose, NULL);
}

rbl_result rbl_film_move_with_angular_velocity(rbl_film *film, int object, rbl_transform pose,
                                               rbl_vec3 angular_velocity)
{
	float sum = angular_velocity.x + angular_velocity.y + angular_velocity.z;
	if (!(sum - sum == 0.0f))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the angular velocity of object %d is not finite",
		                   object);
	return move(film, object, pose, &angular_velocity);
}

rbl_result rbl_film_remove(rbl_film *film, int object)
{
	rbl_film_object *gone = find_object(film, object);
	if (!gone)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "object %d is not there", object);
	gone->death = film->time;
	return RBL_OK;
}

rbl_result rbl_film_set_name(rbl_film *film, int object, const char *name)
{
	if (!film || !name || object < 0 || object >= film->objects.count)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film or name is NULL, or there is no object %d",
		                   object);
	size_t length = strlen(name);
	if (length > RBL_MAX_MESH_ITEMS / 2)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the name of object %d is too long", object);
	if (!rbl_io_reserve(&film->memory, &film->texts, film->texts.count + (int)length + 1))
		return fail_memory(film);
	memcpy(film->texts.data + film->texts.count, name, length + 1);
	film->objects.data[object].name = film->texts.count + 1;
	film->texts.count += (int)length + 1;
	return RBL_OK;
}

rbl_film_info rbl_film_get_info(const rbl_film *film)
{
	if (!film)
		return (rbl_film_info){ 0 };
	rbl_film_info info = { .mesh_count = film->meshes.count,
		                   .object_count = film->objects.count,
		                   .frame_count = film->frame,
		                   .pose_count = film->pose_count,
		                   .time = film->time };
	for (int i = 0; i < film->objects.count; ++i)
		if (film->objects.data[i].parent < 0)
			info.key_count += rbl_film_key_count(&film->objects.data[i]);
	return info;
}
