// SPDX-License-Identifier: MIT
//
// Films: poses come frame by frame, keys go out.
//
// Between two keys a viewer goes evenly, so a pose is kept only where that would be off by more than
// the tolerance. This is decided as poses come, with a few numbers per thing (the swinging door of
// process recording): from the last key, every pose since allows a range of slopes in each of its
// seven numbers; a new pose whose own slopes lie in all ranges can be the end of a straight stretch
// that passes all others, one that does not makes its predecessor a key. Rotations are turned
// between keys, not moved along a line, so a stretch ends after 23 degrees at the latest: up to
// there the two hardly differ.
//
// A thing that is not moved in a frame stands still in it, and gets a key at the end of its rest when
// it moves again.

#include "io/picture.h"

#include <math.h>

enum { COOKIE = 0x66696c6d, NUMBERS = 7 };

typedef struct film_key {
	float time;
	float numbers[NUMBERS]; // position, rotation
	int next;               // of the same thing, -1 for the last
} film_key;

typedef struct film_thing {
	int mesh;
	float birth, death; // death: -1 while it is there
	film_key anchor;    // the last key that was decided
	film_key last;      // the last pose; the same as the anchor when nothing came since
	int last_frame;
	double low[NUMBERS], high[NUMBERS]; // slopes from the anchor that pass all poses since
	int first_key, last_key, key_count; // keys before the anchor's successor
} film_thing;

struct rbl_film {
	rbl_film_def def;
	rbl_io_memory memory;
	RBL_IO_ARRAY(rbl_mesh *) meshes;
	RBL_IO_ARRAY(film_thing) things;
	RBL_IO_ARRAY(film_key) keys;
	float time, before; // of this frame and the one before
	int frame;          // 0 until the first begins
	int64_t pose_count;
};

rbl_film_def rbl_default_film_def(void)
{
	return (
		rbl_film_def){ .position_tolerance = 0.005f, .angle_tolerance = 0.02f, .cookie = COOKIE };
}

rbl_result rbl_create_film(const rbl_film_def *def, rbl_film **film)
{
	if (!film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film is NULL");
	*film = NULL;
	if (!def || def->cookie != COOKIE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "start from rbl_default_film_def()");
	if (!(def->position_tolerance >= 0.0f && def->position_tolerance < 1e6f) ||
	    !(def->angle_tolerance >= 0.0f && def->angle_tolerance < 4.0f))
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
		rbl_destroy_mesh(film->meshes.data[i]);
	rbl_io_free(&film->memory, &film->meshes);
	rbl_io_free(&film->memory, &film->things);
	rbl_io_free(&film->memory, &film->keys);
	rbl_io_memory memory = film->memory;
	RBL_IO_FREE(&memory, film, 1);
}

// Memory is refused for this call only.
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
	if (!rbl_io_push(&film->memory, &film->meshes, mesh)) {
		rbl_destroy_mesh(mesh);
		return fail_memory(film);
	}
	*index = film->meshes.count - 1;
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

static bool read_pose(rbl_transform pose, float *numbers)
{
	float q[4] = { pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w };
	float p[3] = { pose.position.x, pose.position.y, pose.position.z };
	float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
	for (int k = 0; k < 3; ++k) {
		numbers[k] = p[k];
		if (!(p[k] - p[k] == 0.0f))
			return false;
	}
	if (!(square > 1e-12f && square < 1e12f))
		return false;
	for (int k = 0; k < 4; ++k)
		numbers[3 + k] = q[k] / sqrtf(square);
	return true;
}

rbl_result rbl_film_add(rbl_film *film, int mesh, rbl_transform pose, int *thing)
{
	if (!film || !thing)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", film ? "thing" : "film");
	if (mesh < -1 || mesh >= film->meshes.count)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh %d of %d", mesh, film->meshes.count);
	film_thing made = { .mesh = mesh,
		                .birth = film->time,
		                .death = -1.0f,
		                .last_frame = film->frame,
		                .first_key = -1,
		                .last_key = -1 };
	made.anchor.time = film->time;
	made.anchor.next = -1;
	if (!read_pose(pose, made.anchor.numbers))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the pose of thing %d is not usable",
		                   film->things.count);
	made.last = made.anchor;
	if (!rbl_io_push(&film->memory, &film->things, made))
		return fail_memory(film);
	film->pose_count++;
	*thing = film->things.count - 1;
	return RBL_OK;
}

// --- thinning --------------------------------------------------------------------------------

// The tolerance of one of the seven numbers: together they keep within that of the pose.
static double tolerance_of(const rbl_film *film, int number)
{
	return number < 3 ? (double)film->def.position_tolerance / sqrt(3.0)
	                  : (double)film->def.angle_tolerance / 4.0;
}

// Of two rotations by opposite numbers, the one near the anchor's.
static void turn_towards(const film_key *anchor, film_key *pose)
{
	float dot = 0.0f;
	for (int k = 3; k < NUMBERS; ++k)
		dot += anchor->numbers[k] * pose->numbers[k];
	for (int k = 3; dot < 0.0f && k < NUMBERS; ++k)
		pose->numbers[k] = -pose->numbers[k];
}

static bool fits(const film_thing *thing, const film_key *pose)
{
	double span = (double)pose->time - (double)thing->anchor.time, dot = 0.0;
	for (int k = 0; k < NUMBERS; ++k) {
		double slope = ((double)pose->numbers[k] - (double)thing->anchor.numbers[k]) / span;
		if (slope < thing->low[k] || slope > thing->high[k])
			return false;
		if (k >= 3)
			dot += (double)pose->numbers[k] * (double)thing->anchor.numbers[k];
	}
	return dot > 0.98; // 23 degrees
}

// Take a pose into the stretch from the anchor.
static void narrow(const rbl_film *film, film_thing *thing, const film_key *pose)
{
	bool is_first = thing->last.time <= thing->anchor.time;
	double span = (double)pose->time - (double)thing->anchor.time;
	for (int k = 0; k < NUMBERS; ++k) {
		double translation = (double)pose->numbers[k] - (double)thing->anchor.numbers[k];
		double low = (translation - tolerance_of(film, k)) / span;
		double high = (translation + tolerance_of(film, k)) / span;
		thing->low[k] = is_first || low > thing->low[k] ? low : thing->low[k];
		thing->high[k] = is_first || high < thing->high[k] ? high : thing->high[k];
	}
	thing->last = *pose;
}

static bool keep(rbl_film *film, film_thing *thing, film_key key)
{
	key.next = -1;
	if (!rbl_io_push(&film->memory, &film->keys, key))
		return false;
	int index = film->keys.count - 1;
	if (thing->key_count++ == 0)
		thing->first_key = index;
	else
		film->keys.data[thing->last_key].next = index;
	thing->last_key = index;
	return true;
}

static bool take(rbl_film *film, film_thing *thing, film_key pose)
{
	turn_towards(&thing->anchor, &pose);
	if (thing->last.time > thing->anchor.time && !fits(thing, &pose)) {
		if (!keep(film, thing, thing->anchor))
			return false;
		thing->anchor = thing->last;
		turn_towards(&thing->anchor, &pose);
	}
	narrow(film, thing, &pose);
	return true;
}

static film_thing *find_thing(const rbl_film *film, int thing)
{
	if (!film || thing < 0 || thing >= film->things.count || film->things.data[thing].death >= 0.0f)
		return NULL;
	return &film->things.data[thing];
}

rbl_result rbl_film_move(rbl_film *film, int thing, rbl_transform pose)
{
	film_thing *moved = find_thing(film, thing);
	film_key key = { .next = -1 };
	if (!moved || !read_pose(pose, key.numbers))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "thing %d is %s", thing,
		                   moved ? "somewhere unusable" : "not there");
	// Room for both keys, so that a refusal leaves the thing as it was.
	if (!rbl_io_reserve(&film->memory, &film->keys, film->keys.count + 2))
		return fail_memory(film);
	key.time = film->time;
	film->pose_count++;
	if (moved->last_frame == film->frame) {
		if (moved->birth < film->time)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "thing %d moves twice in a frame", thing);
		moved->anchor = moved->last = key;
		return RBL_OK;
	}
	if (moved->last_frame < film->frame - 1) {
		film_key rest = moved->last;
		rest.time = film->before;
		if (rest.time > moved->last.time)
			take(film, moved, rest);
	}
	take(film, moved, key);
	moved->last_frame = film->frame;
	return RBL_OK;
}

rbl_result rbl_film_remove(rbl_film *film, int thing)
{
	film_thing *gone = find_thing(film, thing);
	if (!gone)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "thing %d is not there", thing);
	gone->death = film->time;
	return RBL_OK;
}

rbl_film_info rbl_film_get_info(const rbl_film *film)
{
	if (!film)
		return (rbl_film_info){ 0 };
	rbl_film_info info = { .mesh_count = film->meshes.count,
		                   .thing_count = film->things.count,
		                   .frame_count = film->frame,
		                   .pose_count = film->pose_count,
		                   .key_count = film->keys.count,
		                   .time = film->time };
	for (int i = 0; i < film->things.count; ++i) {
		const film_thing *thing = &film->things.data[i];
		info.key_count += 1 + (thing->last.time > thing->anchor.time);
	}
	return info;
}

// --- a moment --------------------------------------------------------------------------------

const rbl_mesh *rbl_io_film_mesh(const rbl_film *film, int mesh)
{
	return film->meshes.data[mesh];
}

int rbl_io_film_pose(const rbl_film *film, int index, float time, rbl_transform *pose)
{
	const film_thing *thing = &film->things.data[index];
	if (time < thing->birth || (thing->death >= 0.0f && time >= thing->death))
		return -1;
	const film_key *before = NULL, *after = NULL;
	int at = thing->first_key;
	for (int i = 0; i < thing->key_count + 2 && !after; ++i) {
		const film_key *key = i < thing->key_count    ? &film->keys.data[at]
		                      : i == thing->key_count ? &thing->anchor
		                                              : &thing->last;
		if (key->time <= time || !before)
			before = key;
		else
			after = key;
		at = key->next;
	}
	float numbers[NUMBERS], share = 0.0f;
	if (after)
		share = fmaxf(0.0f, (time - before->time) / (after->time - before->time));
	for (int k = 0; k < NUMBERS; ++k) {
		float from = before->numbers[k];
		numbers[k] = after ? from + share * (after->numbers[k] - from) : from;
	}
	memcpy(&pose->position, numbers, sizeof pose->position);
	float length = 0.0f;
	for (int k = 3; k < NUMBERS; ++k)
		length += numbers[k] * numbers[k];
	length = sqrtf(length);
	pose->rotation = (rbl_quat){ numbers[3] / length, numbers[4] / length, numbers[5] / length,
		                         numbers[6] / length };
	return thing->mesh;
}

// --- the scene -------------------------------------------------------------------------------

// What is written, in arrays that live until it is.
typedef struct film_scene {
	rbl_scene_node *nodes;
	rbl_scene_track *tracks;
	float *numbers; // of all keys: times, positions, rotations
	size_t number_capacity, number_count;
	int track_count;
} film_scene;

// Keys of a thing that never left its place by more than the tolerance are none.
static bool is_still(const rbl_film *film, const film_thing *thing)
{
	if (thing->key_count > 0)
		return false;
	for (int k = 0; k < NUMBERS; ++k) {
		double translation = (double)thing->last.numbers[k] - (double)thing->anchor.numbers[k];
		if (fabs(translation) > tolerance_of(film, k))
			return false;
	}
	return true;
}

static float *take_numbers(film_scene *scene, int count)
{
	float *numbers = scene->numbers + scene->number_count;
	scene->number_count += (size_t)count;
	return numbers;
}

static void add_motion(const rbl_film *film, film_scene *scene, int index)
{
	const film_thing *thing = &film->things.data[index];
	int count = thing->key_count + 1 + (thing->last.time > thing->anchor.time);
	float *times = take_numbers(scene, count), *positions = take_numbers(scene, 3 * count),
		  *rotations = take_numbers(scene, 4 * count);
	int at = thing->first_key;
	for (int i = 0; i < count; ++i) {
		const film_key *key = i < thing->key_count    ? &film->keys.data[at]
		                      : i == thing->key_count ? &thing->anchor
		                                              : &thing->last;
		times[i] = key->time;
		memcpy(positions + 3 * i, key->numbers, 3 * sizeof(float));
		memcpy(rotations + 4 * i, key->numbers + 3, 4 * sizeof(float));
		at = key->next;
	}
	scene->tracks[scene->track_count++] = (rbl_scene_track){ .node = index,
		                                                     .path = RBL_TRACK_TRANSLATION,
		                                                     .key_count = count,
		                                                     .times = times,
		                                                     .values = positions };
	scene->tracks[scene->track_count++] =
		(rbl_scene_track){ .node = index,
		                   .path = RBL_TRACK_ROTATION,
		                   .is_short = !film->def.has_long_rotations,
		                   .key_count = count,
		                   .times = times,
		                   .values = rotations };
}

// Scale 0 before birth and after death. Things born and gone together share the arrays.
static void add_life(const rbl_film *film, film_scene *scene, int index)
{
	const film_thing *thing = &film->things.data[index];
	float start = film->things.data[0].birth;
	bool has_birth = thing->birth > start, has_death = thing->death >= 0.0f;
	if (!has_birth && !has_death)
		return;
	rbl_scene_track track = { .node = index, .path = RBL_TRACK_SCALE, .has_steps = true };
	for (int i = scene->track_count - 1; i >= 0 && i > scene->track_count - 4; --i) {
		const rbl_scene_track *other = &scene->tracks[i];
		const film_thing *of = &film->things.data[other->node];
		if (other->path == RBL_TRACK_SCALE && of->birth == thing->birth &&
		    of->death == thing->death) {
			track = *other;
			track.node = index;
			scene->tracks[scene->track_count++] = track;
			return;
		}
	}
	float *times = take_numbers(scene, 3), *values = take_numbers(scene, 9);
	float shown[3] = { 0.0f, 0.0f, 0.0f };
	int count = 0;
	if (has_birth)
		times[count] = start, shown[count++] = 0.0f;
	if (!has_death || thing->death > thing->birth)
		times[count] = thing->birth, shown[count++] = 1.0f;
	if (has_death)
		times[count] = thing->death, shown[count++] = 0.0f;
	for (int i = 0; i < 9; ++i)
		values[i] = shown[i / 3];
	track.key_count = count, track.times = times, track.values = values;
	scene->tracks[scene->track_count++] = track;
}

static bool open_scene(const rbl_film *film, rbl_io_memory *memory, film_scene *scene)
{
	size_t things = (size_t)film->things.count;
	*scene = (film_scene){ .number_capacity =
		                       8 * ((size_t)film->keys.count + 2 * things) + 12 * things };
	scene->nodes = RBL_IO_NEW(memory, rbl_scene_node, things);
	scene->tracks = RBL_IO_NEW(memory, rbl_scene_track, 3 * things);
	scene->numbers = RBL_IO_NEW(memory, float, scene->number_capacity);
	if (!scene->nodes || !scene->tracks || !scene->numbers)
		return false;
	for (int i = 0; i < film->things.count; ++i) {
		const film_thing *thing = &film->things.data[i];
		const film_key *first =
			thing->key_count > 0 ? &film->keys.data[thing->first_key] : &thing->anchor;
		rbl_scene_node *node = &scene->nodes[i];
		*node = rbl_default_scene_node();
		node->mesh = thing->mesh;
		memcpy(&node->translation, first->numbers, sizeof node->translation);
		memcpy(&node->rotation, first->numbers + 3, sizeof node->rotation);
		if (thing->birth > film->things.data[0].birth)
			node->scale = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		if (!is_still(film, thing))
			add_motion(film, scene, i);
		add_life(film, scene, i);
	}
	return true;
}

static void close_scene(const rbl_film *film, rbl_io_memory *memory, film_scene *scene)
{
	size_t things = (size_t)film->things.count;
	RBL_IO_FREE(memory, scene->nodes, things);
	RBL_IO_FREE(memory, scene->tracks, 3 * things);
	RBL_IO_FREE(memory, scene->numbers, scene->number_capacity);
}

// Write to the path, or into `bytes` where that is NULL.
static rbl_result write_film(const char *path, const rbl_film *film, const rbl_write_def *def,
                             rbl_file_bytes *bytes)
{
	rbl_io_memory memory = film->memory;
	film_scene made;
	rbl_result result;
	if (!open_scene(film, &memory, &made)) {
		result = rbl_io_fail_memory(&memory, "film");
	} else {
		rbl_scene_animation animation = { .name = "film",
			                              .track_count = made.track_count,
			                              .tracks = made.tracks };
		rbl_scene scene = { .mesh_count = film->meshes.count,
			                .meshes = (const rbl_mesh *const *)film->meshes.data,
			                .node_count = film->things.count,
			                .nodes = made.nodes,
			                .animation_count = made.track_count > 0,
			                .animations = &animation };
		result =
			path ? rbl_write_scene(path, &scene, def) : rbl_write_scene_memory(&scene, def, bytes);
	}
	close_scene(film, &memory, &made);
	return result;
}

rbl_result rbl_write_film(const char *path, const rbl_film *film, const rbl_write_def *def)
{
	if (!path || !film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", path ? "film" : "path");
	return write_film(path, film, def, NULL);
}

rbl_result rbl_write_film_memory(const rbl_film *film, const rbl_write_def *def,
                                 rbl_file_bytes *bytes)
{
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	if (!film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film is NULL");
	return write_film(NULL, film, def, bytes);
}
