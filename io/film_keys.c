// SPDX-License-Identifier: MIT
//
// The keys of films.
//
// Between two keys a viewer goes evenly, so a pose is kept only where that would be off by more
// than the tolerance. This is decided as poses come: a stretch begins at the last key and grows as
// long as all poses in it lie near enough to what a viewer would show; the pose before the one that
// does not fit becomes the next key. "Near enough" is measured at the points of the thing: how far
// its origin is off, and how far the rotation moves its farthest point. A viewer may turn evenly
// (slerp, as the format says) or go along a line from one quaternion to the other (Blender does); a
// stretch must do for both.

#include "io/film.h"

#include <math.h>

enum { MAX_PENDING = 64 }; // poses of a stretch

// Of two rotations by opposite numbers, the one near another's.
static void turn_towards(const rbl_film_key *other, rbl_film_key *pose)
{
	float dot = 0.0f;
	for (int k = 3; k < RBL_FILM_NUMBERS; ++k)
		dot += other->numbers[k] * pose->numbers[k];
	for (int k = 3; dot < 0.0f && k < RBL_FILM_NUMBERS; ++k)
		pose->numbers[k] = -pose->numbers[k];
}

static double tolerance_of(const rbl_film *film, const rbl_film_thing *thing)
{
	double most = (double)film->def.position_tolerance;
	double share = (double)film->def.size_tolerance * thing->size;
	return thing->radius > 0.0 && share < most ? share : most;
}

// The most that a point of the thing is off in one pose of another.
static double distance(const rbl_film_thing *thing, const double *a, const float *b)
{
	double translation = 0.0, turn = 0.0, dot = 0.0;
	for (int k = 0; k < 3; ++k)
		translation += (a[k] - (double)b[k]) * (a[k] - (double)b[k]);
	for (int k = 3; k < RBL_FILM_NUMBERS; ++k)
		dot += a[k] * (double)b[k];
	for (int k = 3; k < RBL_FILM_NUMBERS; ++k) {
		double off = a[k] - (dot < 0.0 ? -(double)b[k] : (double)b[k]);
		turn += off * off;
	}
	// Something to see is not known of a thing without a mesh: a metre stands for it.
	double radius = thing->radius > 0.0 ? thing->radius : 1.0;
	return sqrt(translation) + 2.0 * radius * sqrt(turn);
}

// Whether a stretch from the anchor to this pose passes all between.
static bool fits(const rbl_film *film, const rbl_film_thing *thing, const rbl_film_key *pose)
{
	const rbl_film_key *anchor = &thing->anchor;
	double tolerance = tolerance_of(film, thing), chord = 0.0;
	double radius = thing->radius > 0.0 ? thing->radius : 1.0;
	double span = (double)pose->time - (double)anchor->time;
	rbl_film_key end = *pose;
	turn_towards(anchor, &end);
	for (int k = 3; k < RBL_FILM_NUMBERS; ++k) {
		double off = (double)end.numbers[k] - (double)anchor->numbers[k];
		chord += off * off;
	}
	chord = sqrt(chord); // about half the angle between the two, in radians
	if (chord > 0.9)
		return false;
	// The rotations along chord and arc differ by 0.032 of the cube of that, more for large angles.
	tolerance -= radius * 0.04 * chord * chord * chord;
	for (int i = 0; i < thing->pending.count; ++i) {
		const rbl_film_key *between = &thing->pending.data[i];
		double share = ((double)between->time - (double)anchor->time) / span;
		double numbers[RBL_FILM_NUMBERS], square = 0.0;
		for (int k = 0; k < RBL_FILM_NUMBERS; ++k) {
			double from = (double)anchor->numbers[k], to = (double)end.numbers[k];
			numbers[k] = from + share * (to - from);
			square += k >= 3 ? numbers[k] * numbers[k] : 0.0;
		}
		for (int k = 3; k < RBL_FILM_NUMBERS; ++k)
			numbers[k] /= sqrt(square);
		if (!(distance(thing, numbers, between->numbers) <= tolerance))
			return false;
	}
	return true;
}

bool rbl_film_is_still(const rbl_film *film, const rbl_film_thing *thing)
{
	double numbers[RBL_FILM_NUMBERS];
	for (int k = 0; k < RBL_FILM_NUMBERS; ++k)
		numbers[k] = (double)thing->anchor.numbers[k];
	bool is_still = thing->key_count == 0;
	for (int i = 0; i < thing->pending.count && is_still; ++i)
		is_still =
			distance(thing, numbers, thing->pending.data[i].numbers) <= tolerance_of(film, thing);
	return is_still;
}

// The anchor is a key for good, and the last pose the next anchor. There is room.
static void end_stretch(rbl_film *film, rbl_film_thing *thing)
{
	int index = film->keys.count++;
	film->keys.data[index] = thing->anchor;
	film->keys.data[index].next = -1;
	if (thing->key_count++ == 0)
		thing->first_key = index;
	else
		film->keys.data[thing->last_key].next = index;
	thing->last_key = index;
	thing->anchor = *rbl_film_last(thing);
	thing->pending.count = 0;
}

void rbl_film_take(rbl_film *film, rbl_film_thing *thing, rbl_film_key pose)
{
	int count = thing->pending.count;
	if (count > 0 && (count >= MAX_PENDING || !fits(film, thing, &pose)))
		end_stretch(film, thing);
	turn_towards(rbl_film_last(thing), &pose);
	thing->pending.data[thing->pending.count++] = pose;
}

// --- a moment --------------------------------------------------------------------------------

const rbl_mesh *rbl_io_film_mesh(const rbl_film *film, int mesh)
{
	return film->meshes.data[mesh].mesh;
}

static bool is_there(const rbl_film_thing *thing, float time)
{
	return time >= thing->birth && (thing->death < 0.0f || time < thing->death);
}

static void find_pose(const rbl_film *film, const rbl_film_thing *thing, float time, float *numbers)
{
	const rbl_film_key *before = NULL, *after = NULL;
	int at = thing->first_key, count = rbl_film_key_count(thing);
	for (int i = 0; i < count && !after; ++i) {
		const rbl_film_key *key = rbl_film_next_key(film, thing, i, &at);
		if (key->time <= time || !before)
			before = key;
		else
			after = key;
	}
	float share = 0.0f, length = 0.0f;
	if (after)
		share = fmaxf(0.0f, (time - before->time) / (after->time - before->time));
	for (int k = 0; k < RBL_FILM_NUMBERS; ++k) {
		float from = before->numbers[k];
		numbers[k] = after ? from + share * (after->numbers[k] - from) : from;
		length += k >= 3 ? numbers[k] * numbers[k] : 0.0f;
	}
	for (int k = 3; k < RBL_FILM_NUMBERS; ++k)
		numbers[k] /= sqrtf(length);
}

int rbl_io_film_pose(const rbl_film *film, int index, float time, rbl_transform *pose)
{
	const rbl_film_thing *thing = &film->things.data[index];
	const rbl_film_thing *parent = thing->parent >= 0 ? &film->things.data[thing->parent] : NULL;
	if (!is_there(thing, time) || (parent && !is_there(parent, time)))
		return -1;
	float n[RBL_FILM_NUMBERS];
	find_pose(film, parent ? parent : thing, time, n);
	pose->position = (rbl_vec3){ n[0], n[1], n[2] };
	pose->rotation = (rbl_quat){ n[3], n[4], n[5], n[6] };
	if (parent) {
		const float *p = thing->local.numbers;
		rbl_quatd q = { (double)n[3], (double)n[4], (double)n[5], (double)n[6] };
		rbl_vec3d translation = rbl_io_rotate(q, (rbl_vec3d){ (double)p[0], (double)p[1], (double)p[2] });
		q = rbl_io_multiply(q, rbl_film_rotation(&thing->local));
		pose->position =
			(rbl_vec3){ n[0] + (float)translation.x, n[1] + (float)translation.y, n[2] + (float)translation.z };
		pose->rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
	}
	return thing->mesh;
}
