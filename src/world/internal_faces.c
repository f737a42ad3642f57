// SPDX-License-Identifier: MIT
//
// Internal faces: filtering of internal-edge contacts (ghost collisions) of bodies with many parts,
// and of static bodies that lie side by side.
//
// Parts lie side by side, or overlap, and where they do their faces are not part of the body's
// surface. Yet each part collides by itself, along its axis of least overlap: a box that slides
// over a row of tiles meets the side of the next tile as a wall, and trips. So a contact with a
// face does not count when another part of the same body lies just outside of that face, at all
// contact points. That part has a contact of its own there.
//
// Only pairs of one merged list (manifold_merging.c) are compared, in short lists, and at least
// one must remain: what has sunk into a gap between two parts is pushed out somewhere.

// Static bodies are compared one contact at a time, while it is made: a floor of tiles, a wall of
// blocks. A contact with a face does not count when another static part lies just outside of it, as
// above; one with an edge or a corner does not when its points are in or on another static part:
// along the joint of two tiles the floor has no edge. What is deep keeps its contact.

#include "world/world.h"

#include <float.h>

enum { MAX_COMPARED = 24 }; // at most 32: the result has a bit for each

// Normals count as parallel within 11 degrees: the cosine.
static const float parallel_cosine = 0.98f;

// How far outside of a face another part is looked for, and how far outside of that still counts
// as inside, in metres.
static const float probe_distance = 0.005f, probe_tolerance = 0.001f;

typedef struct pair_list {
	const rbl_world *world;
	int pairs[MAX_COMPARED];
	int count;
	int lower_body;
	// The parts of both bodies, of the lower one first, and their poses.
	int parts[2][MAX_COMPARED];
	rbl_transform poses[2][MAX_COMPARED];
	int part_counts[2];
} pair_list;

// @return false when there are too many, or all normals are the same
static bool list_pairs(pair_list *near, const rbl_world *world, int first)
{
	near->world = world;
	near->count = 0;
	int a = world->hot_parts[world->pairs[first].a].body;
	int b = world->hot_parts[world->pairs[first].b].body;
	near->lower_body = rbl_mini(a, b);
	const rbl_world_contact *one = NULL;
	bool all_parallel = true;
	int pair = first;
	do {
		if (near->count == MAX_COMPARED)
			return false;
		near->pairs[near->count++] = pair;
		const rbl_world_contact *contact = rbl_world_merged_contact(world, pair);
		if (contact && one)
			all_parallel &= rbl_dot(rbl_world_merged_normal(world, one),
			                        rbl_world_merged_normal(world, contact)) > parallel_cosine;
		one = one ? one : contact;
		pair = world->links[pair].next_merged;
	} while (pair != first);
	return !all_parallel;
}

static int part_of(const pair_list *near, int pair, bool of_lower)
{
	const rbl_pair_record *p = &near->world->pairs[pair];
	bool a_is_lower = near->world->hot_parts[p->a].body == near->lower_body;
	return a_is_lower == of_lower ? p->a : p->b;
}

// Each part once: it may have pairs with several parts of the other body.
static void list_parts(pair_list *near, bool of_lower)
{
	int *parts = near->parts[!of_lower], *count = &near->part_counts[!of_lower];
	*count = 0;
	for (int i = 0; i < near->count; ++i) {
		int part = part_of(near, near->pairs[i], of_lower), k = 0;
		while (k < *count && parts[k] != part)
			k++;
		if (k < *count)
			continue;
		parts[k] = part;
		near->poses[!of_lower][k] = rbl_world_part_pose(near->world, part);
		(*count)++;
	}
}

static bool contains_point_at(const rbl_world *world, int part, rbl_transform pose, rbl_vec3 point)
{
	const rbl_polyhedron *polyhedron = world->hot_parts[part].polyhedron;
	if (polyhedron->radius > 0.0f)
		return false;
	rbl_vec3 local = rbl_transform_point_inverse(pose, point);
	for (int i = 0; i < polyhedron->face_count; ++i)
		if (rbl_dot(rbl_polyhedron_normal(polyhedron, i), local) -
		        rbl_polyhedron_offset(polyhedron, i) >
		    rbl_world_length(world, probe_tolerance))
			return false;
	return true;
}

static bool contains_point(const rbl_world *world, int part, rbl_vec3 point)
{
	return contains_point_at(world, part, rbl_world_part_pose(world, part), point);
}

// Whether another part of the same body covers all points of a contact.
static bool is_covered_face(const pair_list *near, int pair, const rbl_world_contact *contact,
                            bool of_lower)
{
	int own = part_of(near, pair, of_lower);
	rbl_vec3 outwards = rbl_world_merged_normal(near->world, contact);
	outwards = of_lower ? outwards : rbl_neg(outwards);
	for (int i = 0; i < near->part_counts[!of_lower]; ++i) {
		int other = near->parts[!of_lower][i];
		bool is_covered = other != own;
		for (int k = 0; is_covered && k < contact->manifold.point_count; ++k) {
			const rbl_manifold_point *point = &contact->manifold.points[k];
			float distance =
				rbl_world_length(near->world, probe_distance) - 0.5f * point->separation;
			is_covered = contains_point_at(near->world, other, near->poses[!of_lower][i],
			                               rbl_add_scaled(point->position, distance, outwards));
		}
		if (is_covered)
			return true;
	}
	return false;
}

uint32_t rbl_world_find_internal_faces(const rbl_world *world, int first)
{
	pair_list near;
	uint32_t internal = 0;
	bool is_one_left = false;
	if (!list_pairs(&near, world, first))
		return 0;
	list_parts(&near, true);
	list_parts(&near, false);
	for (int i = 0; i < near.count; ++i) {
		const rbl_world_contact *contact = rbl_world_merged_contact(world, near.pairs[i]);
		if (!contact)
			continue;
		if (is_covered_face(&near, near.pairs[i], contact, true) ||
		    is_covered_face(&near, near.pairs[i], contact, false))
			internal |= 1u << i;
		else
			is_one_left = true;
	}
	return is_one_left ? internal : 0;
}

// --- static bodies side by side ------------------------------------------------------------------

// A normal with a larger cosine is that of a face.
static const float face_cosine = 0.9999f;

// Deeper than this, as a share of the inner radius of what moves, nothing is left out.
static const float max_internal_depth = 0.25f;

static bool is_static_part(const rbl_world *world, int part)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	return hot->polyhedron && !(world->motions[hot->body].flags & RBL_BODY_AWAKE) &&
	       world->bodies[hot->body].kind == RBL_BODY_STATIC &&
	       !rbl_world_part_is_sensor(world, part);
}

static bool is_face_normal(const rbl_world *world, int part, rbl_vec3 outwards)
{
	const rbl_polyhedron *polyhedron = world->hot_parts[part].polyhedron;
	rbl_vec3 local = rbl_rotate_inverse(rbl_world_part_pose(world, part).rotation, outwards);
	int face = rbl_polyhedron_face_along(polyhedron, local);
	return face >= 0 && rbl_dot(rbl_polyhedron_normal(polyhedron, face), local) > face_cosine;
}

// Whether a part goes on where one leaves another at a point, by the face that the mover is in
// front of: as a wall does over a floor, and a floor beside a wall, but not a tile over the next. A
// body that is pressed into both has a point there that each of them seems to cover.
static bool protrudes(const rbl_world *world, int own, int other, rbl_vec3 mover_centre,
                      rbl_vec3 surface, rbl_vec3 outwards)
{
	const rbl_polyhedron *polyhedron = world->hot_parts[other].polyhedron;
	rbl_transform pose = rbl_world_part_pose(world, other);
	rbl_vec3 centre = rbl_transform_point_inverse(pose, mover_centre), way = { 0.0f, 0.0f, 0.0f };
	float farthest = -FLT_MAX, offset = 0.0f;
	for (int i = 0; i < polyhedron->face_count; ++i) {
		rbl_vec3 normal = rbl_polyhedron_normal(polyhedron, i);
		float distance = rbl_dot(normal, centre) - rbl_polyhedron_offset(polyhedron, i);
		if (distance > farthest)
			farthest = distance, way = normal, offset = rbl_polyhedron_offset(polyhedron, i);
	}
	float probe = rbl_world_length(world, probe_distance);
	float depth = offset - rbl_dot(way, rbl_transform_point_inverse(pose, surface));
	rbl_vec3 behind = rbl_add_scaled(surface, -probe, outwards);
	rbl_vec3 out = rbl_add_scaled(behind, 2.0f * probe + rbl_maxf(depth, 0.0f),
	                              rbl_rotate(pose.rotation, way));
	return contains_point(world, own, out);
}

// Whether a part covers all points of another one's manifold, each moved along the normal.
static bool covers_points(const rbl_world *world, int own, int part, rbl_vec3 mover_centre,
                          const rbl_manifold *manifold, rbl_vec3 outwards, float probe)
{
	for (int i = 0; i < manifold->point_count; ++i) {
		const rbl_manifold_point *point = &manifold->points[i];
		rbl_vec3 surface = rbl_add_scaled(point->position, -0.5f * point->separation, outwards);
		if (!contains_point(world, part, rbl_add_scaled(surface, probe, outwards)) ||
		    protrudes(world, own, part, mover_centre, surface, outwards))
			return false;
	}
	return true;
}

bool rbl_world_is_internal_contact(const rbl_world *world, const rbl_pair_record *pair,
                                   const rbl_manifold *manifold)
{
	bool a_is_static = is_static_part(world, pair->a);
	if (a_is_static == is_static_part(world, pair->b))
		return false;
	int own = a_is_static ? pair->a : pair->b, mover = a_is_static ? pair->b : pair->a;
	if (world->parts[mover].pair_count < 2 ||
	    rbl_manifold_min_separation(manifold) <
	        -max_internal_depth * world->bodies[world->hot_parts[mover].body].inner_radius)
		return false;
	rbl_vec3 outwards = a_is_static ? manifold->normal : rbl_neg(manifold->normal);
	float probe =
		is_face_normal(world, own, outwards) ? rbl_world_length(world, probe_distance) : 0.0f;
	rbl_vec3 centre = world->motions[world->hot_parts[mover].body].centre;
	RBL_EACH_PAIR (i, world, mover) {
		int other = world->pairs[i].a == mover ? world->pairs[i].b : world->pairs[i].a;
		if (other != own && is_static_part(world, other) &&
		    covers_points(world, own, other, centre, manifold, outwards, probe))
			return true;
	}
	return false;
}
