// SPDX-License-Identifier: MIT
//
// Release: baked debris becomes bodies again.
//
// A baked fragment must not hang in the air, nor stand firm where rubble would give way. It loses
// its support when it loses a contact with something that it may have rested on (what lies on it
// may go), when a static body that it touches goes away, when it is hit hard enough to break, and
// within the radius of an explosion. Such fragments become bodies at the end of the step, in the
// order of baked bodies and numbers; they start awake, so that they fall if nothing supports
// them. Then their contacts with what is baked beside them end, and so on through all that they
// supported.

#include "base/log.h"
#include "world/recording.h"

// What is this near to something that goes away may have rested on it, in metres.
static const float support_distance = 0.01f;

// A normal with a larger upward component may have supported a fragment: the other is not on top
// of it.
static const float not_above_cosine = -0.5f;

// --- losing support -----------------------------------------------------------------------------

static void lose_support(rbl_world *world, int part)
{
	rbl_world_baked_fragment *fragment =
		rbl_world_get_baked_fragment(world, world->hot_parts[part].body, world->parts[part].child);
	if (fragment)
		fragment->is_unsupported = world->has_unsupported = true;
}

void rbl_world_contact_lost_support(rbl_world *world, int pair)
{
	const rbl_pair_record *record = &world->pairs[pair];
	bool is_field = record->flags & RBL_PAIR_FIELD;
	if (world->baked_count == 0 || world->is_baking || record->contact == RBL_NONE ||
	    ((record->flags & RBL_PAIR_SURFACE) && !is_field))
		return;
	if (is_field) { // its normals are gone
		lose_support(world, record->a);
		lose_support(world, record->b);
		return;
	}
	rbl_vec3 up = rbl_neg(rbl_normalize(world->def.gravity));
	float lift = rbl_dot(up, world->contacts.data[record->contact].manifold.normal);
	if (-lift > not_above_cosine)
		lose_support(world, record->a);
	if (lift > not_above_cosine)
		lose_support(world, record->b);
}

void rbl_world_disturb_baked(rbl_world *world, int a, int b)
{
	uint32_t flags = world->motions[world->hot_parts[a].body].flags |
	                 world->motions[world->hot_parts[b].body].flags;
	if (world->baked_count == 0 || (flags & RBL_BODY_SENSOR))
		return;
	if (world->bodies[world->hot_parts[a].body].kind == RBL_BODY_KINEMATIC)
		lose_support(world, b);
	if (world->bodies[world->hot_parts[b].body].kind == RBL_BODY_KINEMATIC)
		lose_support(world, a);
}

// A search for baked fragments.
typedef struct support_query {
	rbl_world *world;
	int body; // that is left out, or RBL_NONE
} support_query;

static bool lose_support_near(void *context, uint32_t slot)
{
	const support_query *l = context;
	int part = (int)rbl_broadphase_user(l->world->broadphase, slot);
	if (l->world->hot_parts[part].body != l->body)
		lose_support(l->world, part);
	return true;
}

static void lose_support_around(rbl_world *world, rbl_box box, int body)
{
	support_query l = { world, body };
	rbl_broadphase_overlap(world->broadphase, box, NULL, lose_support_near, &l);
}

void rbl_world_remove_part_support(rbl_world *world, int part)
{
	rbl_proxy_id proxy = world->parts[part].proxy;
	if (world->baked_count == 0 || proxy.generation == 0 || rbl_world_part_is_sensor(world, part))
		return;
	rbl_box box = rbl_broadphase_box(world->broadphase, rbl_proxy_slot(proxy));
	lose_support_around(world, rbl_box_grow(box, rbl_world_length(world, support_distance)),
	                    world->hot_parts[part].body);
}

void rbl_world_remove_support(rbl_world *world, int body)
{
	RBL_EACH_PART (p, world, body)
		rbl_world_remove_part_support(world, p);
}

// --- releasing ----------------------------------------------------------------------------------

static rbl_body_def fragment_body_def(const rbl_world *world, int baked_body,
                                      const rbl_world_baked_fragment *m)
{
	rbl_body_def def = rbl_default_body_def();
	const rbl_body *h = &world->bodies[baked_body];
	def.compound = m->compound;
	def.pose = rbl_transform_mul(rbl_world_motion_pose(&world->motions[baked_body]), m->pose);
	def.pose.rotation = rbl_quat_normalize(def.pose.rotation);
	def.material = world->materials.data[h->material].values;
	def.shared_material = world->materials.data[h->material].shared;
	def.material.density = m->density;
	def.filter = h->filter;
	def.linear_damping = m->linear_damping, def.angular_damping = m->angular_damping;
	def.gravity_scale = m->gravity_scale;
	def.original_field = m->original;
	def.contact_method = rbl_world_contact_method(m->flags, m->original);
	def.user = m->user;
	def.can_sleep = m->flags & RBL_BODY_CAN_SLEEP;
	def.is_bullet = m->flags & RBL_BODY_BULLET;
	def.locks = m->flags >> RBL_BODY_LOCK_SHIFT & RBL_SOLVER_LOCK_ALL;
	def.is_enabled = world->motions[baked_body].flags & RBL_BODY_ENABLED;
	return def;
}

// Remove the proxies of a fragment. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result remove_fragment_proxies(rbl_world *world, int baked_body, int child)
{
	if (!(world->motions[baked_body].flags & RBL_BODY_ENABLED))
		return RBL_OK;
	rbl_arena_reset(&world->arena);
	rbl_proxy_id *ids =
		RBL_ARENA_NEW(&world->arena, rbl_proxy_id, world->bodies[baked_body].part_count);
	if (!ids)
		return RBL_OUT_OF_MEMORY;
	int n = 0;
	RBL_EACH_PART (p, world, baked_body)
		if (world->parts[p].child == child)
			ids[n++] = world->parts[p].proxy;
	return rbl_broadphase_remove(world->broadphase, ids, n);
}

// Remove the parts of a fragment, whose proxies are gone.
static void drop_fragment_parts(rbl_world *world, int baked_body, int child)
{
	int32_t *at = &world->bodies[baked_body].first_part;
	while (*at != RBL_NONE) {
		int p = *at;
		if (world->parts[p].child != child) {
			at = &world->parts[p].next;
			continue;
		}
		*at = world->parts[p].next;
		while (world->parts[p].first_pair != RBL_NONE) {
			int other = rbl_world_other_body(world, world->parts[p].first_pair, p);
			rbl_world_remove_pair(world, world->parts[p].first_pair, true);
			rbl_world_wake(world, other); // it may have rested on the fragment
		}
		rbl_world_free_part(world, p);
		world->bodies[baked_body].part_count--;
	}
}

static rbl_result release_fragment(rbl_world *world, int baked_body, int child, rbl_body_id *body)
{
	rbl_world_baked_fragment m = *rbl_world_get_baked_fragment(world, baked_body, child);
	rbl_body_id baked_id = rbl_world_body_id(world, baked_body);
	rbl_body_def def = fragment_body_def(world, baked_body, &m);
	rbl_record_pause(world);
	rbl_result result = rbl_create_bodies(world, &def, 1, body);
	rbl_record_resume(world);
	if (result != RBL_OK)
		return result;
	result = remove_fragment_proxies(world, baked_body, child);
	rbl_world_drop_compound_materials(world,
	                                  m.compound); // the body, or the fragment, still uses them
	if (result != RBL_OK) {
		world->bodies[body->index].compound = NULL; // the fragment still has it
		rbl_world_remove_body(world, (int)body->index);
		return result;
	}
	drop_fragment_parts(world, baked_body, child);
	rbl_world_baked_body *baked = rbl_world_get_baked_body(world, baked_body);
	baked->fragments.data[child] = (rbl_world_baked_fragment){ .compound = NULL };
	baked->live_count--;
	world->baked_count--;
	world->debris_count++;
	world->bodies[body->index].fragment_number = m.fragment_number;
	world->bodies[body->index].asset_key_low = m.asset_key_low;
	rbl_world_report_retired(world, (int)body->index, RBL_RETIRED_RELEASED, baked_id, child);
	if (baked->live_count == 0)
		world->stats.lost_count += rbl_world_remove_body(world, baked_body) != RBL_OK;
	return RBL_OK;
}

bool rbl_world_release_unsupported(rbl_world *world)
{
	if (!world->has_unsupported)
		return true;
	bool ok = true;
	world->has_unsupported = false;
	for (int i = 0; i < world->baked_bodies.count; ++i) {
		for (int k = 0; k < world->baked_bodies.data[i].fragments.count; ++k) {
			const rbl_world_baked_fragment *m = &world->baked_bodies.data[i].fragments.data[k];
			rbl_body_id released;
			if (!m->compound || !m->is_unsupported)
				continue;
			rbl_result result =
				release_fragment(world, world->baked_bodies.data[i].body, k, &released);
			if (result != RBL_OK) {
				world->has_unsupported = true; // the next step tries again
				world->stats.lost_count++;
			}
			ok &= result != RBL_OUT_OF_MEMORY;
		}
	}
	return ok;
}

bool rbl_world_release_box(rbl_world *world, rbl_box box)
{
	if (world->baked_count == 0)
		return true;
	lose_support_around(world, box, RBL_NONE);
	return rbl_world_release_unsupported(world);
}

rbl_body_id rbl_world_release_fragment(rbl_world *world, uint32_t fragment)
{
	for (int i = 0; i < world->baked_bodies.count; ++i) {
		for (int k = 0; k < world->baked_bodies.data[i].fragments.count; ++k) {
			const rbl_world_baked_fragment *m = &world->baked_bodies.data[i].fragments.data[k];
			rbl_body_id released;
			if (m->compound && m->fragment_number == fragment &&
			    release_fragment(world, world->baked_bodies.data[i].body, k, &released) == RBL_OK)
				return released;
		}
	}
	return (rbl_body_id){ 0, 0 };
}

// --- damage -------------------------------------------------------------------------------------

// The distance of a fragment from a point of the world, by the boxes of its parts.
static float fragment_distance(const rbl_world *world, int baked_body, int child, rbl_vec3 point)
{
	float least = FLT_MAX;
	RBL_EACH_PART (p, world, baked_body) {
		if (world->parts[p].child != child)
			continue;
		rbl_box box = rbl_collider_bounds(world->parts[p].collider, rbl_world_part_pose(world, p));
		rbl_vec3 nearest = rbl_max(box.lower, rbl_min(box.upper, point));
		least = rbl_minf(least, rbl_distance(nearest, point));
	}
	return least;
}

static int nearest_fragment(const rbl_world *world, int baked_body, rbl_vec3 point)
{
	const rbl_world_baked_body *baked = rbl_world_get_baked_body(world, baked_body);
	int nearest = RBL_NONE;
	float least = FLT_MAX;
	for (int i = 0; i < baked->fragments.count; ++i) {
		float distance = fragment_distance(world, baked_body, i, point);
		if (distance < least)
			least = distance, nearest = i;
	}
	return nearest;
}

// Redirect a request to the body that a fragment becomes. @return whether it became one
static bool redirect_damage(rbl_world *world, int baked_body, int child, rbl_damage_request *r)
{
	rbl_transform pose = rbl_world_get_baked_fragment(world, baked_body, child)->pose;
	if (release_fragment(world, baked_body, child, &r->body) != RBL_OK) {
		world->stats.lost_count++;
		return false;
	}
	r->point = rbl_transform_point_inverse(pose, r->point);
	r->direction = rbl_rotate_inverse(pose.rotation, r->direction);
	r->part = RBL_NONE;
	return true;
}

// A hit damages one fragment; a blow with a radius damages all within it, and at least the
// nearest.
void rbl_world_release_damaged(rbl_world *world, int request)
{
	rbl_damage_request r = world->damage_requests.data[request];
	int baked_body = (int)r.body.index;
	rbl_vec3 point =
		rbl_transform_point(rbl_world_motion_pose(&world->motions[baked_body]), r.point);
	int first = r.part == RBL_NONE ? nearest_fragment(world, baked_body, point) : r.part;
	if (!rbl_world_get_baked_fragment(world, baked_body, first)) { // it has been released
		world->damage_requests.data[request].is_done = true;
		return;
	}
	int end = rbl_world_get_baked_body(world, baked_body)->fragments.count;
	for (int i = 0; i < end && r.part == RBL_NONE && r.radius < INFINITY; ++i) {
		if (i == first || !rbl_world_get_baked_fragment(world, baked_body, i) ||
		    fragment_distance(world, baked_body, i, point) > r.radius)
			continue;
		rbl_damage_request other = r;
		if (redirect_damage(world, baked_body, i, &other))
			world->lost_events +=
				!rbl_array_push(&world->allocator, &world->damage_requests, other);
	}
	rbl_damage_request *last = &world->damage_requests.data[request];
	last->is_done = !redirect_damage(world, baked_body, first, last);
}
