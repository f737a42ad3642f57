// SPDX-License-Identifier: MIT
//
// Queries: ray casts, collider casts, overlaps.
//
// The broad phase finds boxes, which contain the shapes; `collide` tests these. Of equal
// fractions the lower body and part wins, so that a result does not depend on the state of the
// broad phase.

#include "world/world.h"

#include "base/log.h"

#include <float.h>

typedef struct world_query {
	const rbl_world *world;
	const rbl_filter *filter;
	rbl_vec3 from, translation;
	const rbl_collider *collider; // NULL: a ray, or a box
	rbl_transform pose;
	rbl_box box;
	rbl_world_hit best;
	bool is_any;
	bool has_hit;
	rbl_world_hit *hits;
	int capacity, count;
} world_query;

// Sensors are found only by queries with a filter.
static bool passes_filter(const world_query *q, int part)
{
	const rbl_world *world = q->world;
	int body = world->hot_parts[part].body;
	if (!q->filter)
		return !(world->motions[body].flags & RBL_BODY_SENSOR);
	return rbl_filter_allows(*q->filter, world->bodies[body].filter);
}

static rbl_world_hit make_query_hit(const world_query *q, int part, const rbl_cast_hit *hit)
{
	const rbl_world *world = q->world;
	rbl_world_hit out = { .body = rbl_world_body_id(world, world->hot_parts[part].body),
		                  .part =
		                      world->hot_parts[part].polyhedron || world->parts[part].field || !hit
		                          ? world->parts[part].child
		                          : hit->child };
	if (hit) {
		out.fraction = hit->fraction;
		out.point = hit->point;
		out.normal = hit->normal;
	}
	return out;
}

static bool is_nearer_hit(const rbl_world_hit *a, const rbl_world_hit *b)
{
	if (a->fraction != b->fraction)
		return a->fraction < b->fraction;
	return a->body.index != b->body.index ? a->body.index < b->body.index : a->part < b->part;
}

// Field bodies are solid, but queries meet their triangles.
static bool starts_in_field(const world_query *q, int part)
{
	if (!q->world->parts[part].field)
		return false;
	rbl_vec3 at = q->collider ? rbl_box_centre(rbl_collider_bounds(q->collider, q->pose)) : q->from;
	return rbl_world_field_contains(q->world, part, at);
}

static bool cast_one(const world_query *q, int part, rbl_cast_hit *hit)
{
	const rbl_collider *target = q->world->parts[part].collider;
	rbl_transform pose = rbl_world_part_pose(q->world, part);
	if (starts_in_field(q, part)) {
		*hit = (rbl_cast_hit){ .point = q->collider ? q->pose.position : q->from, .is_hit = true };
		return true;
	}
	rbl_result result =
		q->collider
			? rbl_collider_cast_collider(q->collider, q->pose, q->translation, target, pose, hit)
			: rbl_collider_cast_ray(target, pose, q->from, q->translation, hit);
	return result == RBL_OK && hit->is_hit;
}

static float hit_first(void *context, uint32_t slot, float fraction)
{
	(void)fraction;
	world_query *q = context;
	int part = (int)rbl_broadphase_user(q->world->broadphase, slot);
	rbl_cast_hit hit;
	if (passes_filter(q, part) && cast_one(q, part, &hit)) {
		rbl_world_hit found = make_query_hit(q, part, &hit);
		if (!q->has_hit || is_nearer_hit(&found, &q->best))
			q->best = found;
		q->has_hit = true;
		if (q->is_any)
			return 0.0f;
	}
	// Never 0, which would end the cast: of shapes that it starts in, the lowest is not always
	// the first.
	return q->has_hit ? rbl_maxf(q->best.fraction, FLT_MIN) : 1.0f;
}

static void insert_hit(world_query *q, const rbl_world_hit *hit)
{
	int at = q->count < q->capacity ? q->count : q->capacity;
	q->count++;
	if (at == q->capacity && (at == 0 || !is_nearer_hit(hit, &q->hits[at - 1])))
		return;
	at = at == q->capacity ? at - 1 : at;
	for (; at > 0 && is_nearer_hit(hit, &q->hits[at - 1]); --at)
		q->hits[at] = q->hits[at - 1];
	q->hits[at] = *hit;
}

static float hit_all(void *context, uint32_t slot, float fraction)
{
	(void)fraction;
	world_query *q = context;
	int part = (int)rbl_broadphase_user(q->world->broadphase, slot);
	rbl_cast_hit hit;
	if (passes_filter(q, part) && cast_one(q, part, &hit)) {
		rbl_world_hit found = make_query_hit(q, part, &hit);
		insert_hit(q, &found);
	}
	return 1.0f;
}

static bool is_ray(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation)
{
	if (world && rbl_is_finite(from) && rbl_is_finite(translation) &&
	    rbl_is_finite(rbl_add(from, translation)))
		return true;
	rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or a ray is not finite");
	return false;
}

static bool cast_ray(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation,
                     const rbl_filter *filter, bool is_any, rbl_world_hit *hit)
{
	world_query q = {
		.world = world, .filter = filter, .from = from, .translation = translation, .is_any = is_any
	};
	rbl_box box = { from, from };
	rbl_broadphase_cast(world->broadphase, box, translation, NULL, hit_first, &q);
	*hit = q.best;
	return q.has_hit;
}

bool rbl_world_cast_ray(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation,
                        const rbl_filter *filter, rbl_world_hit *hit)
{
	if (!hit || !is_ray(world, from, translation))
		return false;
	return cast_ray(world, from, translation, filter, false, hit);
}

bool rbl_world_is_ray_blocked(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation,
                              const rbl_filter *filter)
{
	rbl_world_hit hit;
	return is_ray(world, from, translation) &&
	       cast_ray(world, from, translation, filter, true, &hit);
}

int rbl_world_cast_ray_all(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation,
                           const rbl_filter *filter, rbl_world_hit *hits, int capacity)
{
	if (!is_ray(world, from, translation) || capacity < 0 || (capacity > 0 && !hits))
		return 0;
	world_query q = { .world = world,
		              .filter = filter,
		              .from = from,
		              .translation = translation,
		              .hits = hits,
		              .capacity = capacity };
	rbl_box box = { from, from };
	rbl_broadphase_cast(world->broadphase, box, translation, NULL, hit_all, &q);
	return q.count;
}

static bool is_shape(const rbl_world *world, const rbl_collider *collider, rbl_transform pose)
{
	if (world && collider && rbl_pose_is_valid(pose) && !rbl_collider_is_surface(collider))
		return true;
	rbl_fail(RBL_BAD_ARGUMENT, "world or collider is NULL, the pose not valid, or the collider a "
	                           "mesh or height field");
	return false;
}

bool rbl_world_cast_collider(const rbl_world *world, const rbl_collider *collider,
                             rbl_transform pose, rbl_vec3 translation, const rbl_filter *filter,
                             rbl_world_hit *hit)
{
	if (!hit || !is_shape(world, collider, pose) || !is_ray(world, pose.position, translation))
		return false;
	world_query q = { .world = world,
		              .filter = filter,
		              .collider = collider,
		              .pose = pose,
		              .translation = translation };
	// A little larger: a cast stops just before contact.
	rbl_box box = rbl_box_grow(rbl_collider_bounds(collider, pose), 1e-3f);
	rbl_broadphase_cast(world->broadphase, box, translation, NULL, hit_first, &q);
	*hit = q.best;
	return q.has_hit;
}

// --- overlaps -----------------------------------------------------------------------------------

static bool overlap_one(void *context, uint32_t slot)
{
	world_query *q = context;
	const rbl_world *world = q->world;
	int part = (int)rbl_broadphase_user(world->broadphase, slot);
	if (!passes_filter(q, part))
		return true;
	const rbl_collider *target = world->parts[part].collider;
	rbl_transform pose = rbl_world_part_pose(world, part);
	bool overlaps;
	rbl_separation gap = { .distance = 1.0f };
	if (q->collider)
		overlaps =
			starts_in_field(q, part) ||
			(rbl_collider_distance(q->collider, q->pose, target, pose, 0.001f, &gap) == RBL_OK &&
		     gap.distance <= 0.0f);
	else
		overlaps = rbl_box_overlaps(q->box, rbl_collider_bounds(target, pose));
	if (overlaps) {
		rbl_world_hit found = make_query_hit(q, part, NULL);
		insert_hit(q, &found);
	}
	return true;
}

int rbl_world_overlap_box(const rbl_world *world, rbl_box box, const rbl_filter *filter,
                          rbl_world_hit *hits, int capacity)
{
	if (!world || !rbl_box_is_valid(box) || capacity < 0 || (capacity > 0 && !hits)) {
		rbl_fail(RBL_BAD_ARGUMENT, "world or hits is NULL, or box not valid");
		return 0;
	}
	world_query q = {
		.world = world, .filter = filter, .box = box, .hits = hits, .capacity = capacity
	};
	rbl_broadphase_overlap(world->broadphase, box, NULL, overlap_one, &q);
	return q.count;
}

int rbl_world_overlap_collider(const rbl_world *world, const rbl_collider *collider,
                               rbl_transform pose, const rbl_filter *filter, rbl_world_hit *hits,
                               int capacity)
{
	if (!is_shape(world, collider, pose) || capacity < 0 || (capacity > 0 && !hits))
		return 0;
	world_query q = { .world = world,
		              .filter = filter,
		              .collider = collider,
		              .pose = pose,
		              .hits = hits,
		              .capacity = capacity };
	rbl_broadphase_overlap(world->broadphase, rbl_collider_bounds(collider, pose), NULL,
	                       overlap_one, &q);
	return q.count;
}
