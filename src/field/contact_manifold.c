// SPDX-License-Identifier: MIT
//
// Points of nearly one normal as a manifold, and the manifold of a crack.
//
// Rigid bodies need no more than four points for each direction, so they are those that spread
// widest of all that were found, whether they were chosen or not, and always the deepest. What does
// not touch yet will do so within the step. It may have manifolds of its own: often it spreads
// wider than what bears the load, which would sink in without points.

#include "field/contact_select.h"

#include "base/log.h"

// Normals of one manifold: within 11 degrees of its first.
static const float same_direction = 0.98f;

rbl_field_contact rbl_place_contact(const rbl_touching_point *point, rbl_transform pose_b)
{
	// From a point of A inside B the surface of B lies back along the normal, and of A for one of B
	// forth.
	float half = 0.5f * point->separation;
	rbl_vec3 middle = rbl_add_scaled(
		point->position, point->id & RBL_FIELD_POINT_OF_B ? -half : half, point->normal);
	return (rbl_field_contact){ rbl_transform_point(pose_b, middle),
		                        rbl_normalize(rbl_rotate(pose_b.rotation, point->normal)),
		                        point->separation, point->id,
		                        rbl_maxi(point->child_a, point->child_b) };
}

// --- four points --------------------------------------------------------------------------------

// Twice the area of a triangle, seen along the normal.
static float area_along(rbl_vec3 normal, rbl_vec3 a, rbl_vec3 b, rbl_vec3 c)
{
	return rbl_dot(normal, rbl_cross(rbl_sub(b, a), rbl_sub(c, a)));
}

// Four points that spread widest: the one farthest from the mean, the one farthest from that, and
// those that add most area on either side of the line between them. None of it changes much when
// the points move a little.
// @return how many were picked
static int pick_widest(const rbl_vec3 *positions, int count, rbl_vec3 normal,
                       int picked[RBL_MAX_MANIFOLD_POINTS])
{
	if (count <= RBL_MAX_MANIFOLD_POINTS) {
		for (int i = 0; i < count; ++i)
			picked[i] = i;
		return count;
	}
	rbl_vec3 mean = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < count; ++i)
		mean = rbl_add_scaled(mean, 1.0f / (float)count, positions[i]);
	int n = 0, left = -1, right = -1;
	rbl_vec3 from = mean;
	while (n < 2) {
		float most = n == 0 ? -1.0f : 0.0f;
		int farthest = -1;
		for (int i = 0; i < count; ++i) {
			float square = rbl_length_squared(rbl_sub(positions[i], from));
			if (square > most)
				most = square, farthest = i;
		}
		if (farthest < 0) // all at one place
			return n;
		picked[n++] = farthest;
		from = positions[farthest];
	}
	rbl_vec3 first = positions[picked[0]];
	float most_left = 0.0f, most_right = 0.0f;
	for (int i = 0; i < count; ++i) {
		float area = area_along(normal, first, from, positions[i]);
		if (i == picked[0] || i == picked[1])
			continue;
		if (area > most_left)
			most_left = area, left = i;
		if (area < most_right)
			most_right = area, right = i;
	}
	if (left >= 0)
		picked[n++] = left;
	if (right >= 0)
		picked[n++] = right;
	return n;
}

// --- manifolds ----------------------------------------------------------------------------------

// Points of one direction: indices of those found, the one that will be deepest first.
typedef struct direction {
	int *members;
	rbl_vec3 *positions;
	int count;
	rbl_vec3 normal; // in the frame of B
} direction;

static void collect_members(const rbl_touching_point *found, int count, const int *groups,
                            int group, direction *d)
{
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	d->count = 0;
	for (int i = 0; i < count; ++i)
		if (groups[i] == group) {
			sum = rbl_add(sum, found[i].normal);
			d->members[d->count++] = i;
			int first = d->members[0];
			if (found[i].gap < found[first].gap)
				d->members[0] = i, d->members[d->count - 1] = first;
		}
	d->normal = rbl_normalize(sum);
	for (int i = 0; i < d->count; ++i)
		d->positions[i] = found[d->members[i]].position;
}

// Have the deepest among the picked, for the one next to it, when it is deeper by `slop`.
static int pick_deepest(const rbl_touching_point *found, const direction *d, float slop,
                        int *picked, int n)
{
	int nearest = 0;
	float least = FLT_MAX, gap = FLT_MAX;
	for (int i = 0; i < n; ++i) {
		float square = rbl_length_squared(rbl_sub(d->positions[picked[i]], d->positions[0]));
		gap = rbl_minf(gap, found[d->members[picked[i]]].gap);
		if (square < least)
			least = square, nearest = i;
	}
	if (found[d->members[0]].gap >= gap - slop)
		return n;
	if (n < RBL_MAX_MANIFOLD_POINTS)
		nearest = n++;
	picked[nearest] = 0;
	return n;
}

// Draw points in that are farther away than others: with a body that tilts by less than a quarter,
// what lies lower and hardly less wide touches before them.
static void draw_in(const rbl_touching_point *found, direction *d)
{
	const float per_height = 4.0f;
	rbl_vec3 mean = { 0.0f, 0.0f, 0.0f };
	float least = FLT_MAX;
	for (int i = 0; i < d->count; ++i) {
		mean = rbl_add_scaled(mean, 1.0f / (float)d->count, d->positions[i]);
		least = rbl_minf(least, found[d->members[i]].separation);
	}
	for (int i = 0; i < d->count; ++i) {
		rbl_vec3 arm = rbl_sub(d->positions[i], mean);
		float height = found[d->members[i]].separation - least, length = rbl_length(arm);
		float share = length > FLT_MIN ? rbl_maxf(0.0f, 1.0f - per_height * height / length) : 0.0f;
		d->positions[i] = rbl_add_scaled(mean, share, arm);
	}
}

static rbl_manifold make_manifold(const rbl_touching_point *found, direction *d,
                                  rbl_transform pose_b, float slop, float touching)
{
	if (touching > 0.0f)
		draw_in(found, d);
	int picked[RBL_MAX_MANIFOLD_POINTS];
	int n = pick_widest(d->positions, d->count, d->normal, picked);
	n = pick_deepest(found, d, slop, picked, n);
	rbl_manifold manifold = { .normal = rbl_normalize(rbl_rotate(pose_b.rotation, d->normal)),
		                      .point_count = n,
		                      .child_a = found[d->members[0]].child_a,
		                      .child_b = found[d->members[0]].child_b };
	for (int i = 0; i < n; ++i) {
		rbl_field_contact c = rbl_place_contact(&found[d->members[picked[i]]], pose_b);
		manifold.points[i] = (rbl_manifold_point){ c.position, c.separation, c.id };
	}
	return manifold;
}

// Whether two points belong to one manifold.
static bool are_alike(const rbl_touching_point *a, const rbl_touching_point *b, float touching)
{
	return rbl_dot(a->normal, b->normal) >= same_direction &&
	       (touching == 0.0f || (a->separation < touching) == (b->separation < touching));
}

bool rbl_make_manifolds(const rbl_touching_point *found, int count, const int *chosen,
                        int chosen_count, rbl_transform pose_b, float slop, float touching,
                        rbl_arena *arena, rbl_field_contact_list *contacts)
{
	int group_count = 0;
	int *groups = RBL_ARENA_NEW(arena, int, 2 * (size_t)count + (size_t)chosen_count);
	rbl_vec3 *positions = RBL_ARENA_NEW(arena, rbl_vec3, count);
	if (!groups || !positions)
		return false;
	int *members = groups + count, *firsts = members + count;
	for (int n = 0; n < chosen_count; ++n) {
		int i = chosen ? chosen[n] : n, group = 0;
		while (group < group_count && !are_alike(&found[i], &found[firsts[group]], touching))
			group++;
		if (group == group_count)
			firsts[group_count++] = i;
	}
	for (int i = 0; i < count; ++i) {
		groups[i] = 0;
		while (groups[i] < group_count &&
		       !are_alike(&found[i], &found[firsts[groups[i]]], touching))
			groups[i]++;
	}
	rbl_manifold *manifolds = RBL_ARENA_NEW(arena, rbl_manifold, group_count);
	if (!manifolds)
		return false;
	for (int i = 0; i < group_count; ++i) {
		direction d = { .members = members, .positions = positions };
		collect_members(found, count, groups, i, &d);
		manifolds[i] = make_manifold(found, &d, pose_b, slop, touching);
	}
	contacts->manifolds = manifolds;
	contacts->manifold_count = group_count;
	return true;
}

// --- at a break ---------------------------------------------------------------------------------

static rbl_result check_polygon(const rbl_crack_polygon *polygon)
{
	if (!polygon->corners || polygon->corner_count < 1 || polygon->corner_count > 65536)
		return rbl_fail(RBL_BAD_ARGUMENT, "a crack polygon of %d corners, must be 1 to 65536",
		                polygon->corners ? polygon->corner_count : 0);
	for (int i = 0; i < polygon->corner_count; ++i)
		if (!rbl_is_usable(polygon->corners[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "corner %d of a crack polygon is not finite", i);
	float length = rbl_length(polygon->normal);
	if (!(length > FLT_MIN && length < INFINITY))
		return rbl_fail(RBL_BAD_ARGUMENT, "the normal of a crack polygon is %g long",
		                (double)length);
	if (!rbl_is_usable_pose(polygon->b_in_a))
		return rbl_fail(RBL_BAD_ARGUMENT, "b_in_a of a crack polygon is not a rigid motion");
	return RBL_OK;
}

rbl_result rbl_crack_manifold(const rbl_crack_polygon *polygon, rbl_transform pose_a,
                              rbl_transform pose_b, rbl_manifold *manifold)
{
	*manifold = (rbl_manifold){ 0 };
	rbl_result result = check_polygon(polygon);
	if (result != RBL_OK)
		return result;
	if (!rbl_is_usable_pose(pose_a) || !rbl_is_usable_pose(pose_b))
		return rbl_fail(RBL_BAD_ARGUMENT, "a pose is not a finite rigid motion");
	// Where a point of A's frame is now that stays with B.
	rbl_transform back = { rbl_transform_point_inverse(polygon->b_in_a, (rbl_vec3){ 0 }),
		                   rbl_quat_conjugate(polygon->b_in_a.rotation) };
	rbl_transform b_to_world = rbl_transform_mul(pose_b, back);
	rbl_vec3 local = rbl_normalize(polygon->normal);
	rbl_vec3 normal = rbl_normalize(rbl_rotate(pose_a.rotation, local));
	int picked[RBL_MAX_MANIFOLD_POINTS];
	int count = pick_widest(polygon->corners, polygon->corner_count, local, picked);
	for (int i = 0; i < count; ++i) {
		rbl_vec3 of_a = rbl_transform_point(pose_a, polygon->corners[picked[i]]);
		rbl_vec3 of_b = rbl_transform_point(b_to_world, polygon->corners[picked[i]]);
		manifold->points[i] =
			(rbl_manifold_point){ rbl_lerp(of_a, of_b, 0.5f), rbl_dot(normal, rbl_sub(of_b, of_a)),
			                      polygon->first_id + (uint32_t)picked[i] };
	}
	manifold->normal = normal;
	manifold->point_count = count;
	return RBL_OK;
}
