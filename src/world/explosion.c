// SPDX-License-Identifier: MIT
//
// Explosions: an impulse on every body within the radius, in the order of bodies, and energy that
// breaks (damage_shapes.c). A body that does not move takes no impulse; what breaks off it does
// later, so an explosion is kept until all that it broke is broken.

#include "world/world.h"

#include "base/log.h"
#include "world/recording.h"

rbl_explosion rbl_default_explosion(void)
{
	return (rbl_explosion){ .radius = 5.0f, .impulse_per_area = 100.0f, .mask = UINT32_MAX };
}

static bool mark_body(void *context, uint32_t slot)
{
	rbl_world *world = context;
	int part = (int)rbl_broadphase_user(world->broadphase, slot);
	rbl_bit_set_add(&world->marked, world->hot_parts[part].body);
	return true;
}

// Whether a straight line leads to the point of a body that is nearest, or to its centre.
static bool is_body_reached(const rbl_world *world, rbl_body_id id, rbl_vec3 from)
{
	const float tolerance = 1e-3f;
	rbl_world_hit hit;
	rbl_vec3 centre = world->motions[id.index].centre;
	return (rbl_body_closest_point(world, id, from, &hit) &&
	        (hit.distance <= 0.0f ||
	         rbl_world_is_reached(world, from, hit.point, id, RBL_NONE, tolerance))) ||
	       rbl_world_is_reached(world, from, centre, id, RBL_NONE, tolerance);
}

static void push_body(rbl_world *world, int body, const rbl_explosion *e)
{
	rbl_body_id id = rbl_world_body_id(world, body);
	const rbl_body *b = &world->bodies[body];
	if (b->kind != RBL_BODY_DYNAMIC || !(b->filter.category & e->mask))
		return;
	rbl_box box = rbl_body_bounds(world, id);
	rbl_vec3 nearest = rbl_max(box.lower, rbl_min(box.upper, e->position));
	float distance = rbl_distance(nearest, e->position);
	if (distance > e->radius + e->falloff)
		return;
	if (e->is_occluded && !is_body_reached(world, id, e->position))
		return;
	rbl_vec3 size = rbl_box_size(box), offset = rbl_sub(world->motions[body].centre, e->position);
	float length = rbl_length(offset);
	rbl_vec3 n = length > 1e-6f ? rbl_scale(1.0f / length, offset) : (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	float area =
		fabsf(n.x) * size.y * size.z + fabsf(n.y) * size.x * size.z + fabsf(n.z) * size.x * size.y;
	float share = distance > e->radius ? 1.0f - (distance - e->radius) / e->falloff : 1.0f;
	rbl_vec3 impulse = rbl_scale(share * area * e->impulse_per_area, n);
	rbl_body_add_impulse(world, id, impulse, world->motions[body].centre);
}

void rbl_world_push_fragments(rbl_world *world)
{
	if (world->blasts.count == 0)
		return;
	rbl_record_pause(world);
	for (int i = 0; i < world->blasts.count; ++i)
		for (int k = 0; k < world->blown.count; ++k)
			if (rbl_world_has_body(world, world->blown.data[k]))
				push_body(world, (int)world->blown.data[k].index, &world->blasts.data[i]);
	rbl_record_resume(world);
	world->blown.count = 0;
	if (world->damage_requests.count == 0 && world->failing.count == 0)
		world->blasts.count = 0;
}

rbl_result rbl_world_apply_explosion(rbl_world *world, const rbl_explosion *e)
{
	rbl_box box = rbl_box_grow((rbl_box){ e->position, e->position }, e->radius + e->falloff);
	// Baked fragments must be released to be pushed; without memory for that, nothing is pushed.
	if (!rbl_world_release_box(world, box) || !rbl_world_clear_marks(world))
		return RBL_OUT_OF_MEMORY;
	rbl_broadphase_overlap(world->broadphase, box, NULL, mark_body, world);
	const rbl_bit_set *marked = &world->marked;
	rbl_body_load load = { .shape = { .position = rbl_to_d(e->position),
		                              .radius = (double)e->radius,
		                              .falloff = (double)e->falloff },
		                   .energy = e->energy,
		                   .hit_part = RBL_NONE,
		                   .is_occluded = e->is_occluded };
	bool ok = e->energy == 0.0f || rbl_array_push(&world->allocator, &world->blasts, *e);
	for (int i = rbl_bit_set_next(marked, 0); i >= 0; i = rbl_bit_set_next(marked, i + 1)) {
		float share;
		rbl_vec3 point;
		push_body(world, i, e);
		if (e->energy > 0.0f && (world->bodies[i].filter.category & e->mask))
			ok &= rbl_world_damage_body(world, i, &load, &share, &point);
	}
	return ok ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_world_explode(rbl_world *world, const rbl_explosion *e)
{
	if (!world || !e)
		return rbl_fail(RBL_BAD_ARGUMENT, "world or explosion is NULL");
	if (!rbl_is_finite(e->position) || !(e->radius > 0.0f && e->radius <= 1e6f) ||
	    !(e->falloff >= 0.0f && e->falloff <= 1e6f) || !(fabsf(e->impulse_per_area) <= 1e20f) ||
	    !(e->energy >= 0.0f && e->energy <= 1e20f))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "position, radius, falloff, impulse or energy is out of range");
	rbl_command command = { .kind = RBL_COMMAND_EXPLODE, .explosion = *e };
	rbl_record_pause(world); // not each of its impulses
	rbl_result result = world->is_stepping ? rbl_world_queue_command(world, &command)
	                                       : rbl_world_apply_explosion(world, e);
	rbl_record_resume(world);
	if (result == RBL_OK)
		rbl_record_explosion(world, e);
	return result;
}
