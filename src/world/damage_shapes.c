// SPDX-License-Identifier: MIT
//
// Damage by shapes: rays, spheres, capsules and cones, and what explosions break.
//
// All parts of a body that a shape reaches take energy. Of those that break by it the hardest hit
// makes a request, then the next that is farther away than the radius of a break, and so on: a
// blast breaks a long wall at several places, and a place once.

#include "world/world.h"

#include "base/log.h"
#include "world/recording.h"

enum { DAMAGE_DEF_COOKIE = 0x64616d64, MAX_BREAKS_OF_BODY = 16 };

rbl_damage_def rbl_default_damage_def(void)
{
	return (rbl_damage_def){
		.shape = RBL_DAMAGE_SPHERE, .radius = 1.0f, .mask = UINT32_MAX, .cookie = DAMAGE_DEF_COOKIE
	};
}

// --- one body -----------------------------------------------------------------------------------

static rbl_vec3 direction_from(const rbl_load_shape *s, rbl_vec3 point)
{
	rbl_vec3 along = rbl_to_f(s->translation), offset = rbl_sub(point, rbl_to_f(s->position));
	float length = rbl_length_squared(along);
	if (length > 0.0f && !s->is_cone)
		offset = rbl_add_scaled(
			offset, -rbl_maxf(0.0f, rbl_minf(1.0f, rbl_dot(offset, along) / length)), along);
	else if (s->is_cone)
		offset = along;
	float size = rbl_length(offset);
	return size > 1e-6f ? rbl_scale(1.0f / size, offset) : (rbl_vec3){ 0.0f, 1.0f, 0.0f };
}

static void request_breaks(rbl_world *world, int body, const rbl_body_load *load,
                           const rbl_load_result *result)
{
	rbl_body_id id = rbl_world_body_id(world, body);
	rbl_transform pose = rbl_body_pose(world, id);
	const rbl_compound *compound = world->bodies[body].compound;
	rbl_vec3 chosen[MAX_BREAKS_OF_BODY];
	int count = 0;
	for (int i = 0; i < result->breaks.count && count < MAX_BREAKS_OF_BODY; ++i) {
		const rbl_load_break *b = &result->breaks.data[i];
		const rbl_damage_rule *rule = rbl_world_part_rule(world, body, compound, b->part);
		rbl_vec3 point = rbl_transform_point(pose, rbl_to_f(b->point));
		bool is_near = false;
		for (int k = 0; k < count; ++k)
			is_near |= rbl_distance(chosen[k], point) <= (float)rule->levels[0].radius;
		if (is_near)
			continue;
		chosen[count++] = point;
		rbl_damage_request request =
			rbl_world_damage_request(world, id, point, direction_from(&load->shape, point));
		request.cause = RBL_FRACTURE_BLOW;
		request.energy = (float)b->load;
		request.choice = (float)b->energy;
		request.part = b->part;
		world->lost_events += !rbl_array_push(&world->allocator, &world->damage_requests, request);
	}
}

bool rbl_world_damage_body(rbl_world *world, int body, const rbl_body_load *load, float *share,
                           rbl_vec3 *point)
{
	const rbl_body *b = &world->bodies[body];
	rbl_body_id id = rbl_world_body_id(world, body);
	*share = 0.0f;
	if (b->baked_index != 0 || !rbl_body_get_compound(world, id) ||
	    !rbl_world_can_break(world, body))
		return true;
	rbl_load_result result = { .breaks = { 0 } };
	bool ok = rbl_world_load_body(world, body, load, &result) == RBL_OK;
	if (ok) {
		request_breaks(world, body, load, &result);
		*share = (float)result.share;
		*point = rbl_transform_point(rbl_body_pose(world, id), rbl_to_f(result.point));
	}
	rbl_array_free(&world->allocator, &result.breaks);
	return ok;
}

// --- all bodies ---------------------------------------------------------------------------------

static bool mark_reached(void *context, uint32_t slot)
{
	rbl_world *world = context;
	int part = (int)rbl_broadphase_user(world->broadphase, slot);
	rbl_bit_set_add(&world->marked, world->hot_parts[part].body);
	return true;
}

static double distance_share(const rbl_load_shape *s, double distance)
{
	return distance <= 0.0 ? 1.0 : distance < s->falloff ? 1.0 - distance / s->falloff : 0.0;
}

// The share that a body takes which cannot break: by its point nearest to the axis.
static float share_of_body(const rbl_world *world, rbl_body_id id, const rbl_body_load *load,
                           rbl_vec3 *point)
{
	const rbl_load_shape *s = &load->shape;
	rbl_vec3 from = rbl_to_f(s->position), along = rbl_to_f(s->translation);
	float length = rbl_length_squared(along);
	rbl_vec3 centre = world->motions[id.index].centre;
	float t = length > 0.0f ? rbl_dot(rbl_sub(centre, from), along) / length : 0.0f;
	rbl_vec3 axis = rbl_add_scaled(from, rbl_maxf(0.0f, rbl_minf(1.0f, t)), along);
	rbl_world_hit hit;
	if (!rbl_body_closest_point(world, id, axis, &hit))
		return 0.0f;
	*point = hit.distance < 0.0f ? axis : hit.point;
	double share = distance_share(s, rbl_load_shape_distance(s, rbl_to_d(*point)));
	rbl_vec3 source = s->is_cone ? from : axis;
	if (share > 0.0 && load->is_occluded &&
	    !rbl_world_is_reached(world, source, *point, id, RBL_NONE, 1e-3f) &&
	    !rbl_world_is_reached(world, source, centre, id, RBL_NONE, 1e-3f))
		return 0.0f;
	return (float)share;
}

static rbl_box shape_box(const rbl_load_shape *s)
{
	rbl_vec3 from = rbl_to_f(s->position), to = rbl_add(from, rbl_to_f(s->translation));
	return rbl_box_grow((rbl_box){ rbl_min(from, to), rbl_max(from, to) },
	                    (float)(s->radius + s->falloff));
}

// Divide an impulse among the new requests of a body that does not move as a whole.
static void push_pieces(rbl_world *world, int first, float impulse)
{
	int count = world->damage_requests.count - first;
	for (int i = first; i < world->damage_requests.count; ++i)
		world->damage_requests.data[i].impulse = impulse / (float)count;
}

static rbl_result apply_shape(rbl_world *world, const rbl_damage_def *def)
{
	rbl_body_load load = { .shape = { .position = rbl_to_d(def->position),
		                              .radius = (double)def->radius,
		                              .falloff = (double)def->falloff,
		                              .is_cone = def->shape == RBL_DAMAGE_CONE },
		                   .energy = def->energy,
		                   .hit_part = RBL_NONE,
		                   .is_occluded = def->is_occluded };
	if (def->shape != RBL_DAMAGE_SPHERE)
		load.shape.translation = rbl_to_d(def->translation);
	rbl_box box = shape_box(&load.shape);
	if (!rbl_world_release_box(world, box) || !rbl_world_clear_marks(world))
		return RBL_OUT_OF_MEMORY;
	rbl_broadphase_overlap(world->broadphase, box, NULL, mark_reached, world);
	const rbl_bit_set *marked = &world->marked;
	bool ok = true;
	for (int i = rbl_bit_set_next(marked, 0); i >= 0; i = rbl_bit_set_next(marked, i + 1)) {
		rbl_body_id id = rbl_world_body_id(world, i);
		if (!(world->bodies[i].filter.category & def->mask))
			continue;
		float share = 0.0f;
		rbl_vec3 point = def->position;
		int first = world->damage_requests.count;
		ok &= rbl_world_damage_body(world, i, &load, &share, &point);
		if (world->bodies[i].kind != RBL_BODY_DYNAMIC)
			push_pieces(world, first, share * def->impulse);
		if (world->bodies[i].kind != RBL_BODY_DYNAMIC || def->impulse == 0.0f)
			continue;
		if (share == 0.0f)
			share = share_of_body(world, id, &load, &point);
		if (share > 0.0f)
			rbl_body_add_impulse(
				world, id, rbl_scale(share * def->impulse, direction_from(&load.shape, point)),
				point);
	}
	return ok ? RBL_OK : RBL_OUT_OF_MEMORY;
}

static rbl_result apply_ray(rbl_world *world, const rbl_damage_def *def)
{
	rbl_world_hit hit;
	rbl_filter filter = { .category = UINT32_MAX, .mask = def->mask };
	if (!rbl_world_cast_ray(world, def->position, def->translation, &filter, &hit))
		return RBL_OK;
	int body = (int)hit.body.index;
	if (world->bodies[body].baked_index != 0 || rbl_world_can_break(world, body)) {
		rbl_damage_request request =
			rbl_world_damage_request(world, hit.body, hit.point, def->translation);
		request.cause = RBL_FRACTURE_BLOW;
		request.radius = def->radius, request.energy = def->energy;
		request.part = hit.part;
		if (world->bodies[body].kind != RBL_BODY_DYNAMIC)
			request.impulse = def->impulse; // for what comes off it
		if (!rbl_array_push(&world->allocator, &world->damage_requests, request))
			return RBL_OUT_OF_MEMORY;
	}
	rbl_vec3 direction = rbl_normalize(def->translation);
	if (world->bodies[body].kind == RBL_BODY_DYNAMIC && def->impulse != 0.0f)
		return rbl_body_add_impulse(world, hit.body, rbl_scale(def->impulse, direction), hit.point);
	return RBL_OK;
}

rbl_result rbl_world_apply_damage(rbl_world *world, const rbl_damage_def *def)
{
	return def->shape == RBL_DAMAGE_RAY ? apply_ray(world, def) : apply_shape(world, def);
}

// --- the call -----------------------------------------------------------------------------------

static rbl_result check_damage_def(const rbl_damage_def *def)
{
	if (!def || def->cookie != DAMAGE_DEF_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_damage_def()");
	if ((int)def->shape < 0 || def->shape >= RBL_DAMAGE_SHAPE_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape is %d", (int)def->shape);
	bool is_ray = def->shape == RBL_DAMAGE_RAY;
	if (!rbl_world_is_position(def->position) || !rbl_world_is_position(def->translation))
		return rbl_fail(RBL_BAD_ARGUMENT, "position or translation is not finite, or too far");
	if (def->shape != RBL_DAMAGE_SPHERE && !(rbl_length(def->translation) > 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "translation is zero: only spheres have none");
	if (!(def->radius > 0.0f && (def->radius <= 1e6f || is_ray)))
		return rbl_fail(RBL_BAD_ARGUMENT, "radius is %g, must be > 0 and at most 1e6",
		                (double)def->radius);
	if (!(def->falloff >= 0.0f && def->falloff <= 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "falloff is %g, must be 0 to 1e6", (double)def->falloff);
	if (!(def->energy >= 0.0f && def->energy <= 1e20f) || !(fabsf(def->impulse) <= 1e20f))
		return rbl_fail(RBL_BAD_ARGUMENT, "energy is %g and impulse %g, out of range",
		                (double)def->energy, (double)def->impulse);
	return RBL_OK;
}

rbl_result rbl_world_damage(rbl_world *world, const rbl_damage_def *def)
{
	if (!world)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL");
	rbl_result result = check_damage_def(def);
	if (result != RBL_OK)
		return result;
	rbl_command command = { .kind = RBL_COMMAND_DAMAGE_SHAPE, .damage_def = *def };
	rbl_record_pause(world); // not each of its impulses
	result = world->is_stepping ? rbl_world_queue_command(world, &command)
	                            : rbl_world_apply_damage(world, def);
	rbl_record_resume(world);
	if (result == RBL_OK)
		rbl_record_damage(world, def);
	return result;
}
