// SPDX-License-Identifier: MIT
//
// Keyframe reduction for films.
//
// Viewers interpolate between keyframes, so a pose is kept only where that would be off by more
// than the tolerance. This is decided as poses arrive: a span begins at the last key and grows
// while all poses in it are close to the interpolation between its ends; the pose before the first
// that is not becomes the next key. The error is that of the object's points: of its origin, plus
// how far the rotation moves its farthest point. Viewers interpolate rotations by slerp, as the
// format says, or by normalized lerp, as Blender does; a span must do for both.

#include "io/film.h"

#include <math.h>

enum { MAX_PENDING = 64 }; // poses of a span

// q and -q are the same rotation: take the one nearer to the other's.
static void align_sign(const rbl_film_key *other, rbl_film_key *pose)
{
	float dot = 0.0f;
	for (int k = 3; k < RBL_FILM_POSE_FLOATS; ++k)
		dot += other->numbers[k] * pose->numbers[k];
	for (int k = 3; dot < 0.0f && k < RBL_FILM_POSE_FLOATS; ++k)
		pose->numbers[k] = -pose->numbers[k];
}

static double tolerance_of(const rbl_film *film, const rbl_film_object *object)
{
	double tolerance = (double)film->def.position_tolerance;
	double share = (double)film->def.size_tolerance * object->size;
	return object->radius > 0.0 && share < tolerance ? share : tolerance;
}

// The largest distance between the same point of the object in two poses.
static double distance(const rbl_film_object *object, const double *a, const float *b)
{
	double squares = 0.0, turn = 0.0, dot = 0.0;
	for (int k = 0; k < 3; ++k)
		squares += (a[k] - (double)b[k]) * (a[k] - (double)b[k]);
	for (int k = 3; k < RBL_FILM_POSE_FLOATS; ++k)
		dot += a[k] * (double)b[k];
	for (int k = 3; k < RBL_FILM_POSE_FLOATS; ++k) {
		double off = a[k] - (dot < 0.0 ? -(double)b[k] : (double)b[k]);
		turn += off * off;
	}
	// Nothing is known of the size of an object without a mesh: assume a metre.
	double radius = object->radius > 0.0 ? object->radius : 1.0;
	return sqrt(squares) + 2.0 * radius * sqrt(turn);
}

// Whether a stretch from the anchor to this pose passes all between.
static bool fits(const rbl_film *film, const rbl_film_object *object, const rbl_film_key *pose)
{
	const rbl_film_key *anchor = &object->anchor;
	double tolerance = tolerance_of(film, object), chord = 0.0;
	double radius = object->radius > 0.0 ? object->radius : 1.0;
	double span = (double)pose->time - (double)anchor->time;
	rbl_film_key end = *pose;
	align_sign(anchor, &end);
	for (int k = 3; k < RBL_FILM_POSE_FLOATS; ++k) {
		double off = (double)end.numbers[k] - (double)anchor->numbers[k];
		chord += off * off;
	}
	chord = sqrt(chord); // about half the angle between the two, in radians
	if (chord > 0.9)
		return false;
	// The rotations along chord and arc differ by 0.032 of the cube of that, more for large angles.
	tolerance -= radius * 0.04 * chord * chord * chord;
	for (int i = 0; i < object->pending.count; ++i) {
		const rbl_film_key *between = &object->pending.data[i];
		double share = ((double)between->time - (double)anchor->time) / span;
		double numbers[RBL_FILM_POSE_FLOATS], square = 0.0;
		for (int k = 0; k < RBL_FILM_POSE_FLOATS; ++k) {
			double from = (double)anchor->numbers[k], to = (double)end.numbers[k];
			numbers[k] = from + share * (to - from);
			square += k >= 3 ? numbers[k] * numbers[k] : 0.0;
		}
		for (int k = 3; k < RBL_FILM_POSE_FLOATS; ++k)
			numbers[k] /= sqrt(square);
		if (!(distance(object, numbers, between->numbers) <= tolerance))
			return false;
	}
	return true;
}

bool rbl_film_is_still(const rbl_film *film, const rbl_film_object *object)
{
	double numbers[RBL_FILM_POSE_FLOATS];
	for (int k = 0; k < RBL_FILM_POSE_FLOATS; ++k)
		numbers[k] = (double)object->anchor.numbers[k];
	bool is_still = object->key_count == 0;
	for (int i = 0; i < object->pending.count && is_still; ++i)
		is_still = distance(object, numbers, object->pending.data[i].numbers) <=
		           tolerance_of(film, object);
	return is_still;
}

// The anchor is a key for good, and the last pose the next anchor. There is room.
static void end_stretch(rbl_film *film, rbl_film_object *object)
{
	int index = film->keys.count++;
	film->keys.data[index] = object->anchor;
	film->keys.data[index].next = -1;
	if (object->key_count++ == 0)
		object->first_key = index;
	else
		film->keys.data[object->last_key].next = index;
	object->last_key = index;
	object->anchor = *rbl_film_last_pose(object);
	object->pending.count = 0;
}

void rbl_film_push_pose(rbl_film *film, rbl_film_object *object, rbl_film_key pose)
{
	int count = object->pending.count;
	if (count > 0 && (count >= MAX_PENDING || !fits(film, object, &pose)))
		end_stretch(film, object);
	align_sign(rbl_film_last_pose(object), &pose);
	object->pending.data[object->pending.count++] = pose;
}

// --- a moment --------------------------------------------------------------------------------

const rbl_mesh *rbl_io_film_mesh(const rbl_film *film, int mesh)
{
	return film->meshes.data[mesh].mesh;
}

static bool is_there(const rbl_film_object *object, float time)
{
	return time >= object->birth && (object->death < 0.0f || time < object->death);
}

static void find_pose(const rbl_film *film, const rbl_film_object *object, float time,
                      float *numbers)
{
	const rbl_film_key *before = NULL, *after = NULL;
	int at = object->first_key, count = rbl_film_key_count(object);
	for (int i = 0; i < count && !after; ++i) {
		const rbl_film_key *key = rbl_film_next_key(film, object, i, &at);
		if (key->time <= time || !before)
			before = key;
		else
			after = key;
	}
	float share = 0.0f, length = 0.0f;
	if (after)
		share = fmaxf(0.0f, (time - before->time) / (after->time - before->time));
	for (int k = 0; k < RBL_FILM_POSE_FLOATS; ++k) {
		float from = before->numbers[k];
		numbers[k] = after ? from + share * (after->numbers[k] - from) : from;
		length += k >= 3 ? numbers[k] * numbers[k] : 0.0f;
	}
	for (int k = 3; k < RBL_FILM_POSE_FLOATS; ++k)
		numbers[k] /= sqrtf(length);
}

int rbl_io_film_pose(const rbl_film *film, int index, float time, rbl_transform *pose)
{
	const rbl_film_object *object = &film->objects.data[index];
	const rbl_film_object *parent =
		object->parent >= 0 ? &film->objects.data[object->parent] : NULL;
	if (!is_there(object, time) || (parent && !is_there(parent, time)) || object->puff_scale > 0.0f)
		return -1;
	float n[RBL_FILM_POSE_FLOATS];
	find_pose(film, parent ? parent : object, time, n);
	pose->position = (rbl_vec3){ n[0], n[1], n[2] };
	pose->rotation = (rbl_quat){ n[3], n[4], n[5], n[6] };
	if (parent) {
		const float *p = object->local.numbers;
		rbl_quatd q = { (double)n[3], (double)n[4], (double)n[5], (double)n[6] };
		rbl_vec3d offset =
			rbl_io_quat_rotate(q, (rbl_vec3d){ (double)p[0], (double)p[1], (double)p[2] });
		q = rbl_io_quat_multiply(q, rbl_film_rotation(&object->local));
		pose->position =
			(rbl_vec3){ n[0] + (float)offset.x, n[1] + (float)offset.y, n[2] + (float)offset.z };
		pose->rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
	}
	return object->mesh;
}

int rbl_io_film_puff(const rbl_film *film, int index, float time, rbl_vec3 *middle, float *radius)
{
	const rbl_film_object *object = &film->objects.data[index];
	if (!(object->puff_scale > 0.0f) || !is_there(object, time))
		return -1;
	float n[RBL_FILM_POSE_FLOATS], share = (time - object->birth) / (object->death - object->birth);
	find_pose(film, object, time, n);
	*middle = (rbl_vec3){ n[0], n[1], n[2] };
	int k = 0;
	while (k + 2 < RBL_FILM_PUFF_KEYS && share > rbl_film_puff_times[k + 1])
		++k;
	float t =
		(share - rbl_film_puff_times[k]) / (rbl_film_puff_times[k + 1] - rbl_film_puff_times[k]);
	float size = rbl_film_puff_sizes[k] + t * (rbl_film_puff_sizes[k + 1] - rbl_film_puff_sizes[k]);
	*radius = (float)object->radius * fmaxf(0.0f, size);
	return object->mesh;
}
