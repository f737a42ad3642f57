// SPDX-License-Identifier: MIT
//
// Faces inside of bodies.
//
// Parts lie side by side, or overlap, and where they do their faces are no surface of the body.
// Each part is asked for contacts by itself, though, and answers with the axis of least overlap: to
// a box that slides over a row of tiles, the next tile is a wall, and it trips. So a contact that
// touches a face from within does not count: just outside of that face, at all of its points, there
// is another part of the same body. That part has a contact of its own with what is there.
//
// Only pairs of one list (many.c) are compared, in lists that are not long, and one that counts
// must remain: what has sunk into a joint between two parts is pushed out to somewhere.

#include "world/world.h"

enum { MOST_PAIRS = 24 }; // no more than 32: they are bits of what is returned

// Normals that count as the same: within 11 degrees, as cosine.
static const float same_normal = 0.98f;

// How far outside of a face the other part is looked for, and what counts as inside of that, in
// metres.
static const float look_out = 0.005f, just_outside = 0.001f;

typedef struct near_pairs {
	const rbl_world *world;
	int pairs[MOST_PAIRS];
	int count;
	int lower_body;
} near_pairs;

// @return false when there are too many, or all normals are the same
static bool collect(near_pairs *near, const rbl_world *world, int first)
{
	*near = (near_pairs){ .world = world };
	int a = world->hot_pieces[world->pairs[first].a].body;
	int b = world->hot_pieces[world->pairs[first].b].body;
	near->lower_body = rbl_mini(a, b);
	const rbl_touch *one = NULL;
	bool is_one_kind = true;
	int pair = first;
	do {
		if (near->count == MOST_PAIRS)
			return false;
		near->pairs[near->count++] = pair;
		const rbl_touch *touch = rbl_world_touching(world, pair);
		if (touch && one)
			is_one_kind &= rbl_dot(rbl_world_touch_normal(world, one),
			                       rbl_world_touch_normal(world, touch)) > same_normal;
		one = one ? one : touch;
		pair = world->links[pair].next_many;
	} while (pair != first);
	return !is_one_kind;
}

static int piece_of(const near_pairs *near, int pair, bool of_lower)
{
	const rbl_pair_record *p = &near->world->pairs[pair];
	bool a_is_lower = near->world->hot_pieces[p->a].body == near->lower_body;
	return a_is_lower == of_lower ? p->a : p->b;
}

static bool holds(const rbl_world *world, int piece, rbl_vec3 point)
{
	const rbl_polyhedron *form = world->hot_pieces[piece].form;
	if (form->radius > 0.0f)
		return false;
	rbl_vec3 local = rbl_transform_point_inverse(rbl_piece_pose(world, piece), point);
	for (int i = 0; i < form->face_count; ++i)
		if (rbl_dot(rbl_polyhedron_normal(form, i), local) - rbl_polyhedron_offset(form, i) >
		    just_outside)
			return false;
	return true;
}

// Whether all points of a touch lie on a face that another part of the same body covers.
static bool is_inner_side(const near_pairs *near, int pair, const rbl_touch *touch, bool of_lower)
{
	int own = piece_of(near, pair, of_lower);
	rbl_vec3 outwards = rbl_world_touch_normal(near->world, touch);
	outwards = of_lower ? outwards : rbl_neg(outwards);
	for (int i = 0; i < near->count; ++i) {
		int other = piece_of(near, near->pairs[i], of_lower);
		bool is_covered = other != own;
		for (int k = 0; is_covered && k < touch->manifold.point_count; ++k) {
			const rbl_manifold_point *point = &touch->manifold.points[k];
			float translation = look_out - 0.5f * point->separation;
			is_covered = holds(near->world, other, rbl_add_scaled(point->position, translation, outwards));
		}
		if (is_covered)
			return true;
	}
	return false;
}

uint32_t rbl_world_inner_pairs(const rbl_world *world, int first)
{
	near_pairs near;
	uint32_t inner = 0;
	bool is_one_left = false;
	if (!collect(&near, world, first))
		return 0;
	for (int i = 0; i < near.count; ++i) {
		const rbl_touch *touch = rbl_world_touching(world, near.pairs[i]);
		if (!touch)
			continue;
		if (is_inner_side(&near, near.pairs[i], touch, true) ||
		    is_inner_side(&near, near.pairs[i], touch, false))
			inner |= 1u << i;
		else
			is_one_left = true;
	}
	return is_one_left ? inner : 0;
}
