// SPDX-License-Identifier: MIT
//
// Debris at rest becomes part of static bodies.
//
// A piece of debris that has slept long enough, and lies on nothing but static bodies and debris
// that is merged with it or was before, needs no body of its own: no record in the world and the
// solver, and no contacts with what lies still beside it. A host, a static body, takes its convexes
// over as they are, with their boxes; the compound and what else is needed to make it a body again
// lie beside as a member. A body goes in together with all that carries it, down to the ground.
//
// What lies on a piece must not notice: its contacts with bodies that move stay, and are the host's
// from then on. The broad phase only knows that a box went and another came: see pairs.c.
//
// Hosts have debris of one material and filter, from a place, and not too many: what happens to a
// host costs what it holds. How members come out again: release.c.

#include "world/merge.h"

#include "base/log.h"
#include "world/debris.h"
#include "world/mass.h"

enum {
	TURN = 8,            // steps from one look at a body to the next, at least
	LOOKED_AT = 512,     // bodies, in a step
	MOST_TRIED = 64,     // of them, with all that carries them
	MERGED_AT_ONCE = 32, // then it is enough for a step
	MOST_TOGETHER = 64,
	MOST_MEMBERS = 128,
	MOST_PIECES = 512,
};

// Members are no farther from the centre of their host, in metres.
static const float host_radius = 8.0f;

// A contact whose normal is this steep carries.
static const float steep = 0.5f;

// --- who ----------------------------------------------------------------------------------------

static int other_body(const rbl_world *world, int pair, int piece)
{
	const rbl_pair_record *record = &world->pairs[pair];
	return world->hot_pieces[record->a == piece ? record->b : record->a].body;
}

// How steeply a pair pushes a piece up: the cosine of the steepest normal, -1 when there is none.
static float lift_of(const rbl_world *world, int pair, int piece, rbl_vec3 up)
{
	const rbl_pair_record *record = &world->pairs[pair];
	float lift = -1.0f, sign = record->a == piece ? -1.0f : 1.0f;
	int touch = record->touch;
	if (touch != RBL_NONE && (record->flags & RBL_PAIR_SURFACE))
		touch = world->surfaces.data[touch].first_touch;
	for (; touch != RBL_NONE; touch = world->touches.data[touch].next) {
		const rbl_manifold *m = &world->touches.data[touch].manifold;
		if (m->point_count > 0)
			lift = rbl_maxf(lift, sign * rbl_dot(up, m->normal));
		if (!(record->flags & RBL_PAIR_SURFACE))
			break;
	}
	return lift;
}

static bool is_asked_to_break(const rbl_world *world, int body)
{
	for (int i = 0; i < world->damages.count; ++i)
		if ((int)world->damages.data[i].body.index == body)
			return true;
	return false;
}

// Whether a body is debris that rests for long enough, and nothing odd.
static bool is_candidate(const rbl_world *world, int body, uint32_t now)
{
	if (!rbl_id_pool_is_live(&world->body_ids, body))
		return false;
	const rbl_body *b = &world->bodies[body];
	uint32_t flags = world->motions[body].flags;
	const uint32_t odd = RBL_BODY_AWAKE | RBL_BODY_SENSOR | RBL_BODY_DIRTY | RBL_BODY_NEWBORN |
	                     RBL_BODY_MOVED | RBL_BODY_PUSHED;
	if (b->birth == 0 || b->kind != RBL_BODY_DYNAMIC || b->is_breaking || !b->compound ||
	    b->solver_body == RBL_NONE || b->first_joint != RBL_NONE || b->piece_count > MOST_PIECES ||
	    (flags & odd) || !(flags & RBL_BODY_OWNS))
		return false;
	float slept = (float)(now - b->asleep_since) * world->last_dt;
	return slept >= world->def.bake_time && !is_asked_to_break(world, body);
}

// Bodies that are merged together: they carry each other.
typedef struct heap {
	int32_t bodies[MOST_TOGETHER];
	int count;
	bool is_grounded; // something static carries one of them
} heap;

static bool add_to_heap(heap *h, int body)
{
	for (int i = 0; i < h->count; ++i)
		if (h->bodies[i] == body)
			return true;
	if (h->count == MOST_TOGETHER)
		return false;
	h->bodies[h->count++] = body;
	return true;
}

// What carries a body is static, or joins the heap. Where nothing does, as without gravity, all
// that it touches must be static. @return false when it cannot be merged
static bool add_carriers(const rbl_world *world, heap *h, int body)
{
	rbl_vec3 up = rbl_neg(rbl_normalize(world->def.gravity));
	int carrier_count = 0, static_count = 0, other_count = 0;
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		int pair = world->pieces[p].first_pair;
		for (; pair != RBL_NONE; pair = rbl_world_next_pair(world, p, pair)) {
			const rbl_pair_record *record = &world->pairs[pair];
			int other = other_body(world, pair, p);
			rbl_body_kind kind = world->bodies[other].kind;
			if ((record->flags & RBL_PAIR_SENSOR) || kind == RBL_BODY_KINEMATIC)
				return false;
			if (!(record->flags & RBL_PAIR_POINTS))
				continue;
			bool carries = lift_of(world, pair, p, up) > steep, is_static = kind == RBL_BODY_STATIC;
			if (carries && !is_static && !add_to_heap(h, other))
				return false;
			h->is_grounded |= carries && is_static;
			carrier_count += carries;
			static_count += is_static;
			other_count += !is_static;
		}
	}
	h->is_grounded |= carrier_count == 0;
	return carrier_count > 0 || (static_count > 0 && other_count == 0);
}

// All that must be merged together with a body. @return false when something of it cannot
static bool gather(const rbl_world *world, int body, uint32_t now, heap *h)
{
	h->bodies[0] = body;
	h->count = 1;
	h->is_grounded = false;
	for (int i = 0; i < h->count; ++i)
		if ((i > 0 && !is_candidate(world, h->bodies[i], now)) ||
		    !add_carriers(world, h, h->bodies[i]))
			return false;
	return h->is_grounded;
}

// --- hosts --------------------------------------------------------------------------------------

// A free place among the hosts. @return RBL_NONE when there is none
static int free_host(rbl_world *world)
{
	int index = 0;
	while (index < world->hosts.count && world->hosts.data[index].body != RBL_NONE)
		index++;
	if (index == RBL_MAX_HOSTS)
		return RBL_NONE;
	if (index == world->hosts.count &&
	    !rbl_array_push(&world->allocator, &world->hosts, (rbl_host){ .body = RBL_NONE }))
		return RBL_NONE;
	return index;
}

int rbl_world_new_host(rbl_world *world, int body)
{
	int index = free_host(world);
	if (index == RBL_NONE)
		return RBL_NONE;
	world->hosts.data[index].body = body;
	world->hosts.data[index].live_count = 0;
	world->bodies[body].host = (uint16_t)(index + 1);
	return index;
}

void rbl_world_free_host(rbl_world *world, int body)
{
	rbl_host *host = rbl_world_host(world, body);
	if (!host)
		return;
	for (int i = 0; i < host->members.count; ++i)
		rbl_destroy_compound(host->members.data[i].compound);
	world->baked_count -= host->live_count;
	rbl_array_free(&world->allocator, &host->members);
	host->body = RBL_NONE;
	host->live_count = 0;
	world->bodies[body].host = 0;
}

void rbl_world_free_hosts(rbl_world *world)
{
	for (int i = 0; i < world->hosts.count; ++i)
		if (world->hosts.data[i].body != RBL_NONE)
			rbl_world_free_host(world, world->hosts.data[i].body);
	rbl_array_free(&world->allocator, &world->hosts);
	rbl_array_free(&world->allocator, &world->remade);
}

static bool is_same_filter(rbl_filter a, rbl_filter b)
{
	return a.category == b.category && a.mask == b.mask && a.group == b.group;
}

static bool takes(const rbl_world *world, const rbl_host *host, int body)
{
	if (host->body == RBL_NONE || host->live_count >= MOST_MEMBERS)
		return false;
	const rbl_body *h = &world->bodies[host->body], *b = &world->bodies[body];
	return (world->motions[host->body].flags & RBL_BODY_ENABLED) &&
	       h->piece_count + b->piece_count <= MOST_PIECES &&
	       h->material.friction == b->material.friction &&
	       h->material.restitution == b->material.restitution &&
	       is_same_filter(h->filter, b->filter) &&
	       rbl_distance(world->motions[host->body].centre, world->motions[body].centre) <=
	           host_radius;
}

// A static body without pieces, where a first member is. @return RBL_NONE when memory ran out
static int make_host(rbl_world *world, int body)
{
	if (world->body_ids.live_count >= RBL_MAX_BODIES || !rbl_world_make_room(world, 1, 0) ||
	    !rbl_solver_reserve(world->solver, 1, 0) || free_host(world) == RBL_NONE)
		return RBL_NONE;
	int old_end = world->body_ids.slot_count;
	rbl_id id = rbl_id_pool_add(&world->allocator, &world->body_ids);
	int made = (int)id.index;
	const rbl_body *b = &world->bodies[body];
	rbl_body_motion *m = &world->motions[made];
	uint32_t is_dirty = made < old_end ? m->flags & RBL_BODY_DIRTY : 0; // it is in the list still
	*m = (rbl_body_motion){ .centre = world->motions[body].centre,
		                    .rotation = { 0.0f, 0.0f, 0.0f, 1.0f },
		                    .flags =
		                        RBL_BODY_ENABLED | RBL_BODY_OWNS | RBL_BODY_CAN_SLEEP | is_dirty };
	world->bodies[made] = (rbl_body){ .kind = RBL_BODY_STATIC,
		                              .wanted_kind = RBL_BODY_STATIC,
		                              .solver_body = RBL_NONE,
		                              .first_piece = RBL_NONE,
		                              .first_joint = RBL_NONE,
		                              .core = FLT_MAX,
		                              .material = b->material,
		                              .filter = b->filter,
		                              .gravity_scale = 1.0f };
	m->margin = rbl_world_margin(world, made, world->last_dt);
	rbl_solver_body values = rbl_world_solver_body(world, made);
	rbl_result result =
		rbl_solver_add_bodies(world->solver, &values, 1, &world->bodies[made].solver_body);
	RBL_ASSERT(result == RBL_OK); // room was made
	(void)result;
	return rbl_world_new_host(world, made);
}

static int find_host(rbl_world *world, int body)
{
	for (int i = 0; i < world->hosts.count; ++i)
		if (takes(world, &world->hosts.data[i], body))
			return i;
	return make_host(world, body);
}

// --- going in -----------------------------------------------------------------------------------

// The boxes of a body's pieces are the host's from now on. @return false when memory ran out
static bool exchange_boxes(rbl_world *world, int body, int host_body)
{
	int count = world->bodies[body].piece_count, n = 0;
	rbl_arena_reset(&world->arena);
	rbl_proxy_id *old = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	rbl_proxy_id *made = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	rbl_proxy_def *defs = RBL_ARENA_NEW(&world->arena, rbl_proxy_def, count);
	if (!old || !made || !defs || !rbl_array_extend(&world->allocator, &world->remade, count))
		return false;
	rbl_transform host_pose = rbl_motion_pose(&world->motions[host_body]);
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next, ++n) {
		rbl_piece piece = world->pieces[p];
		rbl_piece_hot hot = world->hot_pieces[p];
		world->pieces[p].local = rbl_transform_relative(host_pose, rbl_piece_pose(world, p));
		world->hot_pieces[p].body = host_body;
		world->hot_pieces[p].is_placed = 1;
		old[n] = piece.proxy;
		defs[n] = rbl_world_proxy_def(world, p);
		world->pieces[p] = piece, world->hot_pieces[p] = hot;
	}
	if (rbl_broadphase_replace_many(world->broadphase, old, n, defs, n, made) != RBL_OK)
		return false;
	n = 0;
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		world->pieces[p].proxy = made[n++];
		world->remade.data[world->remade.count++] = p;
	}
	return true;
}

// What the contacts of a list carry, for each pair of it that touches.
static float share_of_load(const rbl_world *world, int first)
{
	float load = 0.0f;
	int pair = first, count = 0;
	do {
		int touch = world->pairs[pair].touch;
		if (touch != RBL_NONE && world->touches.data[touch].contact != RBL_NONE)
			load += rbl_solver_report_contact(world->solver, world->touches.data[touch].contact)
			            .normal_impulse;
		count += !!(world->pairs[pair].flags & RBL_PAIR_POINTS);
		pair = world->links[pair].next_many;
	} while (pair != first);
	return load / (float)rbl_maxi(1, count);
}

// Pairs of hosts are in no list, so each has a contact of its own again. Its impulse is a guess; it
// is not zero, which would say that nobody leans on it.
static void take_from_list(rbl_world *world, int pair, int body, int host_body)
{
	const float least = 1e-6f;
	rbl_pair_record *record = &world->pairs[pair];
	float load = rbl_maxf(least, share_of_load(world, pair));
	rbl_world_leave_many(world, pair);
	record->flags &= ~(uint32_t)RBL_PAIR_MANY;
	if (record->touch == RBL_NONE || world->touches.data[record->touch].contact == RBL_NONE)
		return;
	const rbl_touch *touch = &world->touches.data[record->touch];
	rbl_solver_contact def = rbl_world_contact_def(world, record->touch);
	int from = world->bodies[body].solver_body, to = world->bodies[host_body].solver_body;
	def.a = def.a == from ? to : def.a;
	def.b = def.b == from ? to : def.b;
	world->stats.lost_count += rbl_solver_bind_contact(world->solver, touch->contact, &def,
	                                                   &touch->manifold, load) != RBL_OK;
}

// A contact with something that moves is the host's from now on.
static void rename_pair(rbl_world *world, int pair, int piece, int host_body, int part)
{
	rbl_pair_record *record = &world->pairs[pair];
	int body = world->hot_pieces[piece].body;
	record->flags &= ~(uint32_t)RBL_PAIR_SEEN;       // it was seen from the old frame
	RBL_ASSERT(!(record->flags & RBL_PAIR_SURFACE)); // surfaces are static
	rbl_touch *touch = record->touch == RBL_NONE ? NULL : &world->touches.data[record->touch];
	if (touch && record->a == piece)
		touch->manifold.child_a = part;
	else if (touch)
		touch->manifold.child_b = part;
	if (record->flags & RBL_PAIR_MANY)
		take_from_list(world, pair, body, host_body);
	else if (touch && touch->contact != RBL_NONE)
		rbl_solver_move_contact(world->solver, touch->contact, world->bodies[body].solver_body,
		                        world->bodies[host_body].solver_body);
	// Without memory for its place among those that sleep, nobody would hear of it when the contact ends.
	if (touch && touch->contact != RBL_NONE && touch->manifold.point_count > 0 &&
	    !rbl_solver_has_points(world->solver, touch->contact))
		rbl_world_wake(world, other_body(world, pair, piece));
}

static void rename_pairs(rbl_world *world, int body, int host_body, int part)
{
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		int pair = world->pieces[p].first_pair;
		for (; pair != RBL_NONE; pair = rbl_world_next_pair(world, p, pair))
			if (world->bodies[other_body(world, pair, p)].kind == RBL_BODY_DYNAMIC)
				rename_pair(world, pair, p, host_body, part);
	}
}

// Contacts with what is static end. To the solver the body wakes by that, and has no other
// contacts.
static void end_static_pairs(rbl_world *world, int body)
{
	world->is_merging = true;
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		for (int pair = world->pieces[p].first_pair, next; pair != RBL_NONE; pair = next) {
			next = rbl_world_next_pair(world, p, pair);
			if (world->bodies[other_body(world, pair, p)].kind != RBL_BODY_DYNAMIC)
				rbl_world_remove_pair(world, pair, true);
		}
	}
	world->is_merging = false;
}

static void move_pieces(rbl_world *world, int body, int host_body, int part)
{
	rbl_body *b = &world->bodies[body], *h = &world->bodies[host_body];
	rbl_body_motion *m = &world->motions[host_body];
	rbl_transform host_pose = rbl_motion_pose(m);
	for (int p = b->first_piece, next; p != RBL_NONE; p = next) {
		next = world->pieces[p].next;
		rbl_piece *piece = &world->pieces[p];
		piece->local = rbl_transform_relative(host_pose, rbl_piece_pose(world, p));
		piece->local.rotation = rbl_quat_normalize(piece->local.rotation);
		piece->part = part;
		piece->next = h->first_piece;
		h->first_piece = p;
		world->hot_pieces[p].body = host_body;
		world->hot_pieces[p].is_placed = 1;
		m->reach = rbl_maxf(m->reach, rbl_length(piece->local.position) +
		                                  piece->collider->polyhedron->bounding_radius);
		h->core = rbl_minf(h->core, rbl_collider_core(piece->collider));
	}
	h->piece_count += b->piece_count;
}

static void report(rbl_world *world, int body, int host_body, int part)
{
	rbl_body_id id = rbl_world_body_id(world, body);
	rbl_retire_event event = { .body = id,
		                       .what = RBL_RETIRED_BAKED,
		                       .user = world->bodies[body].user,
		                       .host = rbl_world_body_id(world, host_body),
		                       .part = part,
		                       .pose = rbl_body_pose(world, id),
		                       .mass = world->bodies[body].mass };
	rbl_world_report_retired(world, &event);
}

static rbl_merged member_of(const rbl_world *world, int body, int host_body)
{
	const rbl_body *b = &world->bodies[body];
	rbl_transform pose =
		rbl_transform_relative(rbl_motion_pose(&world->motions[host_body]),
	                           rbl_body_pose(world, rbl_world_body_id(world, body)));
	pose.rotation = rbl_quat_normalize(pose.rotation);
	return (rbl_merged){ .compound = b->compound,
		                 .pose = pose,
		                 .damage = b->damage,
		                 .user = b->user,
		                 .density = b->material.density,
		                 .mass = b->mass,
		                 .linear_damping = b->linear_damping,
		                 .angular_damping = b->angular_damping,
		                 .gravity_scale = b->gravity_scale,
		                 .birth = b->birth,
		                 .asset_mark = b->asset_mark,
		                 .flags =
		                     world->motions[body].flags & (RBL_BODY_FAST | RBL_BODY_CAN_SLEEP) };
}

// @return false when memory ran out: it is as it was
static bool merge(rbl_world *world, int body)
{
	int index = find_host(world, body), part = 0;
	if (index == RBL_NONE)
		return false;
	rbl_host *host = &world->hosts.data[index];
	int host_body = host->body;
	while (part < host->members.count && host->members.data[part].compound)
		part++;
	bool has_room = rbl_array_reserve(&world->allocator, &host->members, part + 1);
	if (!has_room || !exchange_boxes(world, body, host_body)) {
		if (host->live_count == 0)
			rbl_world_remove_body(world, host_body);
		return false;
	}
	world->motions[body].flags &= ~(uint32_t)RBL_BODY_FROZEN; // it has nothing to lose
	rename_pairs(world, body, host_body, part);
	end_static_pairs(world, body);
	report(world, body, host_body, part);
	host->members.count = rbl_maxi(host->members.count, part + 1);
	host->members.data[part] = member_of(world, body, host_body);
	host->live_count++;
	move_pieces(world, body, host_body, part);
	rbl_solver_remove_bodies(world->solver, &world->bodies[body].solver_body, 1);
	rbl_id_pool_remove(&world->body_ids, rbl_id_pool_at(&world->body_ids, body));
	world->baked_count++;
	world->debris_count--;
	return true;
}

void rbl_world_merge_some(rbl_world *world)
{
	int slots = world->body_ids.slot_count, merged = 0;
	if (!(world->def.bake_time > 0.0f) || slots == 0)
		return;
	uint32_t now = (uint32_t)world->stats.step_count;
	int count = rbl_mini(LOOKED_AT, slots), groups = (slots + count - 1) / count;
	int first = (int)(now % (uint32_t)groups) * count;
	uint32_t turn = now / (uint32_t)groups;
	for (int body = first, tried = 0; body < rbl_mini(first + count, slots); ++body) {
		heap h;
		// What cannot be merged is likely to stay so for a while.
		if (((turn + (uint32_t)body) & (TURN - 1)) != 0 || !is_candidate(world, body, now))
			continue;
		if (tried++ == MOST_TRIED)
			return;
		if (!gather(world, body, now, &h))
			continue;
		for (int i = 0; i < h.count; ++i, ++merged) {
			if (!merge(world, h.bodies[i])) {
				world->stats.lost_count++;
				return;
			}
		}
		if (merged >= MERGED_AT_ONCE)
			return;
	}
}

int rbl_body_get_baked(const rbl_world *world, rbl_body_id body, rbl_baked_fragment *merged,
                        int capacity)
{
	const rbl_host *host =
		world && rbl_world_has_body(world, body) ? rbl_world_host(world, (int)body.index) : NULL;
	int n = 0;
	for (int i = 0; host && i < host->members.count; ++i) {
		const rbl_merged *m = &host->members.data[i];
		if (!m->compound)
			continue;
		if (merged && n < capacity)
			merged[n] = (rbl_baked_fragment){
				.part = i,
				.compound = m->compound,
				.pose = rbl_transform_mul(rbl_body_pose(world, body), m->pose),
				.mass = m->mass,
				.user = m->user,
				.fragment = m->birth,
			};
		n++;
	}
	return n;
}
