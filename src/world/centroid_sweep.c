// SPDX-License-Identifier: MIT
//
// Centroid sweeps: no part gets to the other side of a static body.
//
// Contacts are springs, and continuous collision leaves to them what touches from the beginning.
// So a part may sink in: under a heavy load, toppled by a blow, or hit by something a thousand
// times heavier. As long as its centroid is outside, contacts push it back; behind a thin floor
// they push it out on the other side, and a mesh, which has no inside, does not push at all. So
// the centroid of a part never enters a static body: its path in a step is a segment, and where
// that enters, the body is put back to just before, or to where it was, and keeps its velocity. A
// ray is exact where a sweep of the whole part, which starts in contact, says nothing.
//
// What starts inside is left alone: fragments are created there, and callers put bodies there.
// The front of a mesh stops a centroid, its back does not, since contacts bring what is behind
// back to the front.
//
// Few parts need this. The centroid of a convex is at least a quarter of its smallest width, half
// of its inner radius, away from each face. A part that has penetrated by less than half of that,
// and moves by less than the other half, keeps its centroid outside. The narrow phase flags the
// bodies of the others (RBL_BODY_DEEP).

#include "world/world.h"

typedef struct centroid_cast {
	rbl_world *world;
	int body, part;
	rbl_vec3 from, translation;
	float gap; // distance to keep
	float fraction;
} centroid_cast;

// The centre of mass of a polyhedron, or of its vertices when it has no volume.
static rbl_vec3 part_centroid(const rbl_polyhedron *polyhedron)
{
	rbl_vec3 first = rbl_polyhedron_vertex(polyhedron, 0), sum = { 0.0f, 0.0f, 0.0f }, mean = sum;
	float volume = 0.0f;
	for (int f = 0; f < polyhedron->face_count; ++f) {
		const uint8_t *corners = polyhedron->corners + polyhedron->face_starts[f];
		int count = polyhedron->face_starts[f + 1] - polyhedron->face_starts[f];
		rbl_vec3 a = rbl_sub(rbl_polyhedron_vertex(polyhedron, corners[0]), first);
		for (int i = 1; i + 1 < count; ++i) {
			rbl_vec3 b = rbl_sub(rbl_polyhedron_vertex(polyhedron, corners[i]), first);
			rbl_vec3 c = rbl_sub(rbl_polyhedron_vertex(polyhedron, corners[i + 1]), first);
			float part = rbl_dot(a, rbl_cross(b, c)); // six times that of a tetrahedron
			volume += part;
			sum = rbl_add_scaled(sum, 0.25f * part, rbl_add(a, rbl_add(b, c)));
		}
	}
	if (volume > 0.0f)
		return rbl_add_scaled(first, 1.0f / volume, sum);
	for (int i = 0; i < polyhedron->vertex_count; ++i)
		mean = rbl_add(mean, rbl_polyhedron_vertex(polyhedron, i));
	return rbl_scale(1.0f / (float)polyhedron->vertex_count, mean);
}

// Whether a displacement enters a surface from its front.
static bool enters_front(const rbl_collider *surface, rbl_transform pose, int child,
                         rbl_vec3 translation)
{
	rbl_vec3 p[3];
	if (surface->kind == RBL_COLLIDER_PLANE)
		return true; // a ray hits it from there alone
	rbl_collider_triangle(surface, child, p);
	rbl_vec3 front = rbl_cross(rbl_sub(p[1], p[0]), rbl_sub(p[2], p[0]));
	return rbl_dot(rbl_rotate(pose.rotation, front), translation) < 0.0f;
}

// The smallest fraction of all: because of the gap an obstacle may stop it before the box of
// another is touched.
static void stop_at_entry(centroid_cast *cast, int part)
{
	rbl_world *world = cast->world;
	int other = world->hot_parts[part].body;
	if (world->bodies[other].kind != RBL_BODY_STATIC ||
	    (world->hot_parts[part].flags & RBL_PART_SENSOR) ||
	    !rbl_world_can_block(world, cast->body, other) ||
	    rbl_world_passes_through(world, cast->body, part))
		return;
	const rbl_collider *target = world->parts[part].collider;
	rbl_transform pose = rbl_world_part_pose(world, part);
	rbl_cast_hit hit;
	rbl_collider_cast_ray(target, pose, cast->from, cast->translation, &hit);
	float depth = -rbl_dot(cast->translation, hit.normal); // 0 when it begins inside
	if (hit.is_hit && depth > 0.0f &&
	    (!rbl_collider_is_surface(target) ||
	     enters_front(target, pose, hit.child, cast->translation)))
		cast->fraction = rbl_minf(cast->fraction, rbl_maxf(0.0f, hit.fraction - cast->gap / depth));
}

static float stop_at_slot(void *context, uint32_t slot, float fraction)
{
	(void)fraction;
	centroid_cast *cast = context;
	stop_at_entry(cast, (int)rbl_broadphase_user(cast->world->broadphase, slot));
	return 1.0f;
}

// Go through all that a centroid may enter.
static void cast_centroid(centroid_cast *cast, const rbl_path *path)
{
	const rbl_world *world = cast->world;
	rbl_box box = { cast->from, cast->from };
	if (path->count > RBL_MAX_PATH_PARTS) {
		rbl_broadphase_cast(world->broadphase, box, cast->translation,
		                    rbl_world_part_filter(world, cast->part), stop_at_slot, cast);
		return;
	}
	for (int i = 0; i < path->count; ++i)
		if (rbl_tree_touch_time(box, cast->translation,
		                        rbl_world_path_box(world, path->parts[i])) <= 1.0f &&
		    rbl_world_path_concerns(world, path, cast->part, path->parts[i]))
			stop_at_entry(cast, path->parts[i]);
}

// The fraction of a motion, at most `fraction`, that the centroid of a part allows.
static float sweep_centroid(rbl_world *world, int body, int part, const rbl_transform *old_pose,
                            const rbl_transform *new_pose, float fraction, const rbl_path *path)
{
	const rbl_polyhedron *polyhedron = world->hot_parts[part].polyhedron;
	rbl_vec3 centroid = part_centroid(polyhedron);
	if (world->hot_parts[part].is_placed)
		centroid = rbl_transform_point(world->parts[part].local, centroid);
	rbl_vec3 from = rbl_transform_point(*old_pose, centroid);
	// A centroid beside that of its body moves on an arc: a stopped one is swept again.
	for (int i = 0; i < 2 && fraction > 0.0f; ++i) {
		rbl_transform to = rbl_world_pose_between(world, body, old_pose, new_pose, fraction);
		rbl_vec3 translation = rbl_sub(rbl_transform_point(to, centroid), from);
		centroid_cast cast = { world, body, part, from, translation, 0.02f * polyhedron->min_width,
			                   1.0f };
		cast_centroid(&cast, path);
		if (cast.fraction >= 1.0f)
			return fraction;
		fraction *= cast.fraction;
	}
	return 0.0f;
}

float rbl_world_sweep_centroids(rbl_world *world, int body, const rbl_transform *old_pose,
                                const rbl_transform *new_pose, const rbl_path *path)
{
	const rbl_body_motion *m = &world->motions[body];
	float arc = rbl_world_rotation_arc(world, body, old_pose->rotation, new_pose->rotation);
	float distance = rbl_distance(new_pose->position, old_pose->position) + arc;
	float fraction = 1.0f;
	bool is_deep = m->flags & RBL_BODY_DEEP;
	RBL_EACH_PART (p, world, body) {
		const rbl_polyhedron *polyhedron = world->hot_parts[p].polyhedron;
		if (polyhedron && !(world->hot_parts[p].flags & RBL_PART_SENSOR) && fraction > 0.0f &&
		    (is_deep || distance > 0.125f * polyhedron->min_width) &&
		    // so does its centroid, which is at least a quarter of its width inside
		    !rbl_world_stays_in_front_of_all(world, p, old_pose, new_pose, arc, path, true))
			fraction = sweep_centroid(world, body, p, old_pose, new_pose, fraction, path);
	}
	return fraction;
}

// Whether a part is deep in a static one. Pairs that hardly move reuse their manifolds, so small
// parts always count as deep.
static bool is_deep_in(const rbl_world *world, int part, int other, float least)
{
	// That a pair may move with a cached manifold.
	const float cache_tolerance = rbl_world_length(world, 0.003f);
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	return (world->motions[hot->body].flags & RBL_BODY_AWAKE) && hot->polyhedron &&
	       least < cache_tolerance - 0.125f * hot->polyhedron->min_width &&
	       world->bodies[world->hot_parts[other].body].kind == RBL_BODY_STATIC;
}

void rbl_world_flag_deep_pair(const rbl_world *world, rbl_pair_record *pair, float least)
{
	pair->flags &= ~(uint32_t)RBL_PAIR_DEEP;
	if (is_deep_in(world, pair->a, pair->b, least) || is_deep_in(world, pair->b, pair->a, least))
		pair->flags |= RBL_PAIR_DEEP;
}

void rbl_world_flag_deep_bodies(rbl_world *world, int pair)
{
	const rbl_pair_record *record = &world->pairs[pair];
	rbl_body_motion *a = &world->motions[world->hot_parts[record->a].body];
	rbl_body_motion *b = &world->motions[world->hot_parts[record->b].body];
	a->flags |= a->flags & RBL_BODY_AWAKE ? RBL_BODY_DEEP : 0u;
	b->flags |= b->flags & RBL_BODY_AWAKE ? RBL_BODY_DEEP : 0u;
}
