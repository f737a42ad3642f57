// SPDX-License-Identifier: MIT
//
// Queries: ray casts, collider casts one by one and many at once, overlaps, the nearest.
//
// The broad phase finds boxes, which contain the shapes; `collide` tests these. Of equal
// fractions the lower body and part wins, so that a result does not depend on the state of the
// broad phase.

#include "world/world.h"

#include "base/log.h"

#include <float.h>
#include <math.h>

typedef struct world_query {
	const rbl_world *world;
	const rbl_filter *filter;
	rbl_vec3 from, translation;
	const rbl_collider *collider; // NULL: a ray, or a box
	rbl_transform pose;
	rbl_box box;
	rbl_world_hit best;
	float max_distance; // of the nearest
	bool is_any;
	bool is_by_distance; // hits are ordered so
	bool has_hit;
	rbl_world_hit *hits;
	int capacity, count;
} world_query;

// Sensors are found only by queries with a filter.
static bool passes_filter(const world_query *q, int part)
{
	const rbl_world *world = q->world;
	if (!q->filter)
		return !rbl_world_part_is_sensor(world, part);
	return rbl_filter_allows(*q->filter, *rbl_world_part_filter(world, part));
}

// What is nearer may touch, in metres: casts stop just before contact.
#define TOUCH_DISTANCE 0.001f

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

static bool is_nearer_hit(const rbl_world_hit *a, const rbl_world_hit *b, bool is_by_distance)
{
	if (is_by_distance && a->distance != b->distance)
		return a->distance < b->distance;
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

// How far the collider, or the start of the ray, is from a part, up to `most`; negative when they
// overlap. In a field body it is the depth at the middle of the collider, with its size on top.
static bool measure(const world_query *q, int part, float most, rbl_separation *gap)
{
	const rbl_world *world = q->world;
	const rbl_world_part *p = &world->parts[part];
	rbl_transform pose = rbl_world_part_pose(world, part);
	rbl_small_polyhedron point;
	rbl_polyhedron_from_sphere(&point, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 0.0f);
	const rbl_collider start = { .kind = RBL_COLLIDER_SPHERE,
		                         .child_count = 1,
		                         .polyhedron = &point.polyhedron };
	const rbl_collider *collider = q->collider ? q->collider : &start;
	rbl_transform from = q->collider ? q->pose : rbl_transform_identity();
	if (!q->collider)
		from.position = q->from;
	if (starts_in_field(q, part)) {
		rbl_box box =
			q->collider ? rbl_collider_bounds(collider, from) : (rbl_box){ q->from, q->from };
		rbl_vec3 centre = rbl_box_centre(box), half = rbl_scale(0.5f, rbl_box_size(box)), normal;
		rbl_vec3 local = rbl_transform_point_inverse(pose, centre);
		float depth;
		rbl_distance_field_penetration(p->field->shape->field, &local, 1, &depth, &normal, NULL);
		normal = rbl_rotate(pose.rotation, normal);
		float size = half.x * fabsf(normal.x) + half.y * fabsf(normal.y) + half.z * fabsf(normal.z);
		*gap = (rbl_separation){ .distance = -(depth + size),
			                     .normal = rbl_neg(normal),
			                     .point_a = rbl_add_scaled(centre, -size, normal),
			                     .point_b = rbl_add_scaled(centre, depth, normal) };
		return true;
	}
	return rbl_collider_distance(collider, from, p->collider, pose, most, gap) == RBL_OK &&
	       gap->distance < most;
}

// What a separation says, seen from what was hit.
static void set_separation(rbl_world_hit *hit, const rbl_separation *gap)
{
	hit->distance = gap->distance;
	hit->normal = rbl_neg(gap->normal);
	hit->point = gap->point_b;
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

// A cast that began in a shape says how deep, and which way is out.
static void set_start(const world_query *q, int part, rbl_world_hit *hit)
{
	rbl_separation gap;
	if (hit->fraction > 0.0f || q->is_any ||
	    !measure(q, part, rbl_world_length(q->world, TOUCH_DISTANCE), &gap) || gap.distance > 0.0f)
		return;
	set_separation(hit, &gap);
	if (!q->collider)
		hit->point = q->from;
}

static float hit_first(void *context, uint32_t slot, float fraction)
{
	(void)fraction;
	world_query *q = context;
	int part = (int)rbl_broadphase_user(q->world->broadphase, slot);
	rbl_cast_hit hit;
	if (passes_filter(q, part) && cast_one(q, part, &hit)) {
		rbl_world_hit found = make_query_hit(q, part, &hit);
		set_start(q, part, &found);
		if (!q->has_hit || is_nearer_hit(&found, &q->best, false))
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
	if (at == q->capacity && (at == 0 || !is_nearer_hit(hit, &q->hits[at - 1], q->is_by_distance)))
		return;
	at = at == q->capacity ? at - 1 : at;
	for (; at > 0 && is_nearer_hit(hit, &q->hits[at - 1], q->is_by_distance); --at)
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
		set_start(q, part, &found);
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

static bool cast_collider(const rbl_world *world, const rbl_collider_cast *cast, rbl_world_hit *hit)
{
	world_query q = { .world = world,
		              .filter = cast->filter,
		              .collider = cast->collider,
		              .pose = cast->pose,
		              .translation = cast->translation };
	// A little larger: a cast stops just before contact.
	rbl_box box = rbl_box_grow(rbl_collider_bounds(cast->collider, cast->pose),
	                           rbl_world_length(world, TOUCH_DISTANCE));
	rbl_broadphase_cast(world->broadphase, box, cast->translation, NULL, hit_first, &q);
	*hit = q.best;
	return q.has_hit;
}

bool rbl_world_cast_collider(const rbl_world *world, const rbl_collider *collider,
                             rbl_transform pose, rbl_vec3 translation, const rbl_filter *filter,
                             rbl_world_hit *hit)
{
	if (!hit || !is_shape(world, collider, pose) || !is_ray(world, pose.position, translation))
		return false;
	return cast_collider(world, &(rbl_collider_cast){ collider, pose, translation, filter }, hit);
}

// --- many casts ---------------------------------------------------------------------------------

enum { CAST_BLOCK = 16 };

typedef struct cast_work {
	const rbl_world *world;
	const rbl_collider_cast *casts;
	rbl_world_hit *hits;
} cast_work;

static void cast_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const cast_work *work = context;
	for (int i = begin; i < end; ++i)
		if (!cast_collider(work->world, &work->casts[i], &work->hits[i]))
			work->hits[i] = (rbl_world_hit){ .fraction = 1.0f };
}

rbl_result rbl_world_cast_colliders(const rbl_world *world, const rbl_collider_cast *casts,
                                    int count, rbl_world_hit *hits)
{
	if (!world || count < 0 || (count > 0 && (!casts || !hits)))
		return rbl_fail(RBL_BAD_ARGUMENT, "world, casts or hits is NULL, or count %d below 0",
		                count);
	for (int i = 0; i < count; ++i) {
		const rbl_collider_cast *cast = &casts[i];
		if (!is_shape(world, cast->collider, cast->pose) ||
		    !is_ray(world, cast->pose.position, cast->translation))
			return rbl_fail(RBL_BAD_ARGUMENT, "cast %d of %d is not valid: nothing was cast", i,
			                count);
	}
	cast_work work = { world, casts, hits };
	rbl_parallel_for(world->def.jobs, count, CAST_BLOCK, cast_block, &work);
	return RBL_OK;
}

// --- overlaps -----------------------------------------------------------------------------------

static bool overlap_one(void *context, uint32_t slot)
{
	world_query *q = context;
	const rbl_world *world = q->world;
	int part = (int)rbl_broadphase_user(world->broadphase, slot);
	if (!passes_filter(q, part))
		return true;
	rbl_world_hit found = make_query_hit(q, part, NULL);
	if (q->collider) {
		rbl_separation gap;
		if (!measure(q, part, rbl_world_length(q->world, TOUCH_DISTANCE), &gap) ||
		    gap.distance > 0.0f)
			return true;
		set_separation(&found, &gap);
	} else if (!rbl_box_overlaps(q->box, rbl_collider_bounds(world->parts[part].collider,
	                                                         rbl_world_part_pose(world, part)))) {
		return true;
	}
	insert_hit(q, &found);
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

// --- the nearest --------------------------------------------------------------------------------

static bool measure_one(void *context, uint32_t slot)
{
	world_query *q = context;
	int part = (int)rbl_broadphase_user(q->world->broadphase, slot);
	rbl_separation gap;
	// Once the list is full, only what is nearer than its last counts.
	float most = q->count < q->capacity || q->capacity == 0
	                 ? q->max_distance
	                 : rbl_minf(q->max_distance, q->hits[q->capacity - 1].distance);
	most = nextafterf(rbl_maxf(most, 0.0f), FLT_MAX);
	if (!passes_filter(q, part) || !measure(q, part, most, &gap))
		return true;
	rbl_world_hit found = make_query_hit(q, part, NULL);
	set_separation(&found, &gap);
	insert_hit(q, &found);
	return true;
}

int rbl_world_find_nearest(const rbl_world *world, const rbl_collider *collider, rbl_transform pose,
                           float max_distance, const rbl_filter *filter, rbl_world_hit *hits,
                           int capacity)
{
	if (!is_shape(world, collider, pose))
		return 0;
	if (!(max_distance >= 0.0f && max_distance <= RBL_MAX_POSITION) || capacity < 0 ||
	    (capacity > 0 && !hits)) {
		rbl_fail(RBL_BAD_ARGUMENT, "max_distance is %g, must be 0 to %g, or hits is missing",
		         (double)max_distance, (double)RBL_MAX_POSITION);
		return 0;
	}
	world_query q = { .world = world,
		              .filter = filter,
		              .collider = collider,
		              .pose = pose,
		              .max_distance = max_distance,
		              .is_by_distance = true,
		              .hits = hits,
		              .capacity = capacity };
	rbl_box box = rbl_box_grow(rbl_collider_bounds(collider, pose), max_distance);
	rbl_broadphase_overlap(world->broadphase, box, NULL, measure_one, &q);
	return q.count < capacity ? q.count : capacity;
}

bool rbl_body_closest_point(const rbl_world *world, rbl_body_id body, rbl_vec3 point,
                            rbl_world_hit *hit)
{
	if (!hit || !is_ray(world, point, (rbl_vec3){ 0.0f, 0.0f, 0.0f }) ||
	    rbl_world_check_body(world, body) != RBL_OK)
		return false;
	world_query q = { .world = world, .from = point };
	bool has_hit = false;
	RBL_EACH_PART (part, world, body.index) {
		rbl_separation gap;
		if (!measure(&q, part, has_hit ? hit->distance : FLT_MAX, &gap))
			continue;
		*hit = make_query_hit(&q, part, NULL);
		set_separation(hit, &gap);
		has_hit = true;
	}
	return has_hit;
}
