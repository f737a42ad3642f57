// SPDX-License-Identifier: MIT
//
// Merged debris becomes bodies again.
//
// A member of a host must not hang in the air, nor stand like a rock where rubble would give way.
// It is loose when a contact of it ends with something that it may have rested on (what lay on it
// may go), when a static body goes from where it touched it, when it is hit or struck hard enough
// to break, and within the reach of an explosion. Loose members are made bodies at the end of the
// step, in the order of hosts and numbers; these begin awake, so that they fall if nothing holds
// them. Then their contacts with what is merged beside them end, and so on through all that they
// held.

#include "world/merge.h"

#include "base/log.h"
#include "world/debris.h"
#include "world/recording.h"

// What is nearer than this to something that goes may have rested on it, in metres.
static const float near_by = 0.01f;

// A contact less steep than this from above may have held a piece.
static const float above = -0.5f;

// --- loose --------------------------------------------------------------------------------------

static void loosen(rbl_world *world, int piece)
{
	rbl_merged *member =
		rbl_world_member(world, world->hot_pieces[piece].body, world->pieces[piece].part);
	if (member)
		member->is_loose = world->has_loose = true;
}

void rbl_world_lost_hold(rbl_world *world, int pair)
{
	const rbl_pair_record *record = &world->pairs[pair];
	if (world->baked_count == 0 || world->is_merging || record->touch == RBL_NONE ||
	    (record->flags & RBL_PAIR_SURFACE))
		return;
	rbl_vec3 up = rbl_neg(rbl_normalize(world->def.gravity));
	float lift = rbl_dot(up, world->touches.data[record->touch].manifold.normal);
	if (-lift > above)
		loosen(world, record->a);
	if (lift > above)
		loosen(world, record->b);
}

void rbl_world_meet(rbl_world *world, int a, int b)
{
	uint32_t flags = world->motions[world->hot_pieces[a].body].flags |
	                 world->motions[world->hot_pieces[b].body].flags;
	if (world->baked_count == 0 || (flags & RBL_BODY_SENSOR))
		return;
	if (world->bodies[world->hot_pieces[a].body].kind == RBL_BODY_KINEMATIC)
		loosen(world, b);
	if (world->bodies[world->hot_pieces[b].body].kind == RBL_BODY_KINEMATIC)
		loosen(world, a);
}

// Something that goes.
typedef struct leaving {
	rbl_world *world;
	int body; // RBL_NONE: nobody's
} leaving;

static bool loosen_near(void *context, uint32_t slot)
{
	const leaving *l = context;
	int piece = (int)rbl_broadphase_user(l->world->broadphase, slot);
	if (l->world->hot_pieces[piece].body != l->body)
		loosen(l->world, piece);
	return true;
}

static void loosen_around(rbl_world *world, rbl_box box, int body)
{
	leaving l = { world, body };
	rbl_broadphase_overlap(world->broadphase, box, NULL, loosen_near, &l);
}

void rbl_world_vacate_piece(rbl_world *world, int piece)
{
	rbl_proxy_id proxy = world->pieces[piece].proxy;
	if (world->baked_count == 0 || proxy.generation == 0 ||
	    (world->motions[world->hot_pieces[piece].body].flags & RBL_BODY_SENSOR))
		return;
	rbl_box box = rbl_broadphase_box(world->broadphase, rbl_proxy_slot(proxy));
	loosen_around(world, rbl_box_grow(box, near_by), world->hot_pieces[piece].body);
}

void rbl_world_vacate(rbl_world *world, int body)
{
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next)
		rbl_world_vacate_piece(world, p);
}

// --- coming out ---------------------------------------------------------------------------------

static rbl_body_def def_of(const rbl_world *world, int host_body, const rbl_merged *m)
{
	rbl_body_def def = rbl_default_body_def();
	const rbl_body *h = &world->bodies[host_body];
	def.compound = m->compound;
	def.pose = rbl_transform_mul(rbl_motion_pose(&world->motions[host_body]), m->pose);
	def.pose.rotation = rbl_quat_normalize(def.pose.rotation);
	def.material = h->material;
	def.material.density = m->density;
	def.filter = h->filter;
	def.linear_damping = m->linear_damping, def.angular_damping = m->angular_damping;
	def.gravity_scale = m->gravity_scale;
	def.damage = m->damage;
	def.user = m->user;
	def.can_sleep = m->flags & RBL_BODY_CAN_SLEEP;
	def.is_bullet = m->flags & RBL_BODY_FAST;
	def.is_enabled = world->motions[host_body].flags & RBL_BODY_ENABLED;
	return def;
}

// Take the boxes of a member out. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result remove_boxes(rbl_world *world, int host_body, int part)
{
	if (!(world->motions[host_body].flags & RBL_BODY_ENABLED))
		return RBL_OK;
	rbl_arena_reset(&world->arena);
	rbl_proxy_id *ids =
		RBL_ARENA_NEW(&world->arena, rbl_proxy_id, world->bodies[host_body].piece_count);
	if (!ids)
		return RBL_OUT_OF_MEMORY;
	int n = 0;
	for (int p = world->bodies[host_body].first_piece; p != RBL_NONE; p = world->pieces[p].next)
		if (world->pieces[p].part == part)
			ids[n++] = world->pieces[p].proxy;
	return rbl_broadphase_remove(world->broadphase, ids, n);
}

// End the pieces of a member, whose boxes are gone.
static void drop_pieces(rbl_world *world, int host_body, int part)
{
	int32_t *at = &world->bodies[host_body].first_piece;
	while (*at != RBL_NONE) {
		int p = *at;
		if (world->pieces[p].part != part) {
			at = &world->pieces[p].next;
			continue;
		}
		*at = world->pieces[p].next;
		while (world->pieces[p].first_pair != RBL_NONE) {
			const rbl_pair_record *record = &world->pairs[world->pieces[p].first_pair];
			int other = world->hot_pieces[record->a == p ? record->b : record->a].body;
			rbl_world_remove_pair(world, world->pieces[p].first_pair, true);
			rbl_world_wake(world, other); // it may have lain on it
		}
		rbl_destroy_collider((rbl_collider *)(uintptr_t)world->pieces[p].collider);
		rbl_id_pool_remove(&world->piece_ids, rbl_id_pool_at(&world->piece_ids, p));
		world->bodies[host_body].piece_count--;
	}
}

static void report(rbl_world *world, rbl_body_id body, rbl_body_id host, int part)
{
	rbl_retire_event event = { .body = body,
		                       .what = RBL_RETIRED_RELEASED,
		                       .user = world->bodies[body.index].user,
		                       .host = host,
		                       .part = part,
		                       .pose = rbl_body_pose(world, body),
		                       .mass = world->bodies[body.index].mass };
	rbl_world_report_retired(world, &event);
}

rbl_result rbl_world_release(rbl_world *world, int host_body, int part, rbl_body_id *body)
{
	rbl_merged m = *rbl_world_member(world, host_body, part);
	rbl_body_id host_id = rbl_world_body_id(world, host_body);
	rbl_body_def def = def_of(world, host_body, &m);
	rbl_record_enter(world);
	rbl_result result = rbl_create_bodies(world, &def, 1, body);
	rbl_record_leave(world);
	if (result != RBL_OK)
		return result;
	result = remove_boxes(world, host_body, part);
	if (result != RBL_OK) {
		world->bodies[body->index].compound = NULL; // it is the member's still
		rbl_world_remove_body(world, (int)body->index);
		return result;
	}
	drop_pieces(world, host_body, part);
	rbl_host *host = rbl_world_host(world, host_body);
	host->members.data[part] = (rbl_merged){ .compound = NULL };
	host->live_count--;
	world->baked_count--;
	world->debris_count++;
	world->bodies[body->index].birth = m.birth;
	world->bodies[body->index].asset_mark = m.asset_mark;
	report(world, *body, host_id, part);
	if (host->live_count == 0)
		world->stats.lost_count += rbl_world_remove_body(world, host_body) != RBL_OK;
	return RBL_OK;
}

bool rbl_world_release_loose(rbl_world *world)
{
	if (!world->has_loose)
		return true;
	bool ok = true;
	world->has_loose = false;
	for (int i = 0; i < world->hosts.count; ++i) {
		for (int k = 0; k < world->hosts.data[i].members.count; ++k) {
			const rbl_merged *m = &world->hosts.data[i].members.data[k];
			rbl_body_id made;
			if (!m->compound || !m->is_loose)
				continue;
			rbl_result result = rbl_world_release(world, world->hosts.data[i].body, k, &made);
			if (result != RBL_OK) {
				world->has_loose = true; // in the next step, perhaps
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
	loosen_around(world, box, RBL_NONE);
	return rbl_world_release_loose(world);
}

rbl_body_id rbl_world_release_fragment(rbl_world *world, uint32_t fragment)
{
	for (int i = 0; i < world->hosts.count; ++i) {
		for (int k = 0; k < world->hosts.data[i].members.count; ++k) {
			const rbl_merged *m = &world->hosts.data[i].members.data[k];
			rbl_body_id made;
			if (m->compound && m->birth == fragment &&
			    rbl_world_release(world, world->hosts.data[i].body, k, &made) == RBL_OK)
				return made;
		}
	}
	return (rbl_body_id){ 0, 0 };
}

// --- what is struck -----------------------------------------------------------------------------

// The least distance of a member's pieces from a point of the world, by their boxes.
static float distance_of(const rbl_world *world, int host_body, int part, rbl_vec3 point)
{
	float least = FLT_MAX;
	for (int p = world->bodies[host_body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		if (world->pieces[p].part != part)
			continue;
		rbl_box box = rbl_polyhedron_bounds(world->hot_pieces[p].form, rbl_piece_pose(world, p));
		rbl_vec3 nearest = rbl_max(box.lower, rbl_min(box.upper, point));
		least = rbl_minf(least, rbl_distance(nearest, point));
	}
	return least;
}

static int nearest_member(const rbl_world *world, int host_body, rbl_vec3 point)
{
	const rbl_host *host = rbl_world_host(world, host_body);
	int nearest = RBL_NONE;
	float least = FLT_MAX;
	for (int i = 0; i < host->members.count; ++i) {
		float distance = distance_of(world, host_body, i, point);
		if (distance < least)
			least = distance, nearest = i;
	}
	return nearest;
}

// The request, as one of the body that a member becomes. @return whether it became one
static bool strike_member(rbl_world *world, int host_body, int part, rbl_damage_request *r)
{
	rbl_transform pose = rbl_world_member(world, host_body, part)->pose;
	if (rbl_world_release(world, host_body, part, &r->body) != RBL_OK) {
		world->stats.lost_count++;
		return false;
	}
	r->point = rbl_transform_point_inverse(pose, r->point);
	r->direction = rbl_rotate_inverse(pose.rotation, r->direction);
	r->part = RBL_NONE;
	return true;
}

// A hit is of one member; a blow with a radius is of all within it, the nearest at least.
void rbl_world_release_struck(rbl_world *world, int request)
{
	rbl_damage_request r = world->damages.data[request];
	int host_body = (int)r.body.index;
	rbl_vec3 point = rbl_transform_point(rbl_motion_pose(&world->motions[host_body]), r.point);
	int first = r.part == RBL_NONE ? nearest_member(world, host_body, point) : r.part;
	if (!rbl_world_member(world, host_body, first)) { // something else has released it
		world->damages.data[request].is_done = true;
		return;
	}
	int end = rbl_world_host(world, host_body)->members.count;
	for (int i = 0; i < end && r.part == RBL_NONE && r.radius < INFINITY; ++i) {
		if (i == first || !rbl_world_member(world, host_body, i) ||
		    distance_of(world, host_body, i, point) > r.radius)
			continue;
		rbl_damage_request other = r;
		if (strike_member(world, host_body, i, &other))
			world->lost_events += !rbl_array_push(&world->allocator, &world->damages, other);
	}
	rbl_damage_request *last = &world->damages.data[request];
	last->is_done = !strike_member(world, host_body, first, last);
}
