// SPDX-License-Identifier: MIT
//
// Baking: debris at rest becomes part of static bodies.
//
// Debris that has slept long enough, and is supported by nothing but static bodies and debris
// that is baked with it, needs no body of its own: no record in the world and the solver, and no
// contacts with what rests beside it. A static baked body takes over its parts, with their
// proxies; the compound and what else is needed to make it a body again are kept as a baked
// fragment. Debris is baked together with everything that supports it, down to the ground.
//
// Bodies that rest on it must not notice: their contacts stay, and become those of the baked
// body. The broad phase only sees proxies replaced by others: see pairs.c.
//
// A baked body holds debris of one material and filter, close together, and not too much: changes
// to it cost what it holds. bake_release.c is the way back.

#include "world/world.h"

#include "base/log.h"
#include "world/mass.h"

enum {
	BAKE_INTERVAL = 8,   // steps between two tries of a body, at least
	BAKE_LOOKS = 512,    // bodies tested in a step
	MAX_TRIED = 64,      // of them with their supports
	BAKED_PER_STEP = 32, // enough for a step
	MAX_TOGETHER = 64,
	MAX_FRAGMENTS = 128,
	MAX_BAKED_PARTS = 512,
};

// Fragments are no farther from the centre of their baked body, in metres.
static const float baked_radius = 8.0f;

// A contact whose normal has a larger upward component is a support.
static const float support_cosine = 0.5f;

// --- who ----------------------------------------------------------------------------------------

// The largest upward component of the normals of a pair on a part; -1 when it has none.
static float upward_normal(const rbl_world *world, int pair, int part, rbl_vec3 up)
{
	float lift = -1.0f, sign = world->pairs[pair].a == part ? -1.0f : 1.0f;
	RBL_EACH_CONTACT (contact, world, pair) {
		const rbl_manifold *m = &world->contacts.data[contact].manifold;
		if (m->point_count > 0)
			lift = rbl_maxf(lift, sign * rbl_dot(up, m->normal));
	}
	return lift;
}

static bool has_damage_request(const rbl_world *world, int body)
{
	for (int i = 0; i < world->damage_requests.count; ++i)
		if ((int)world->damage_requests.data[i].body.index == body)
			return true;
	return false;
}

// Whether a body is debris that has slept long enough, with nothing unusual about it.
static bool can_be_baked(const rbl_world *world, int body, uint32_t now)
{
	if (!rbl_id_pool_is_live(&world->body_ids, body))
		return false;
	const rbl_body *b = &world->bodies[body];
	uint32_t flags = world->motions[body].flags;
	const uint32_t odd = RBL_BODY_AWAKE | RBL_BODY_SENSOR | RBL_BODY_DIRTY | RBL_BODY_NEW |
	                     RBL_BODY_MOVED | RBL_BODY_HAS_FORCE;
	if (b->fragment_number == 0 || b->kind != RBL_BODY_DYNAMIC || b->is_breaking || !b->compound ||
	    b->solver_body == RBL_NONE || b->first_joint != RBL_NONE ||
	    b->part_count > MAX_BAKED_PARTS || (flags & odd) || !(flags & RBL_BODY_OWNS_COLLIDERS))
		return false;
	float slept = (float)(now - b->asleep_since) * world->last_dt;
	return slept >= world->def.bake_time && !has_damage_request(world, body);
}

// Bodies that support each other and are baked together.
typedef struct support_group {
	int32_t bodies[MAX_TOGETHER];
	int count;
	bool is_grounded; // something static supports one of them
} support_group;

static bool add_to_group(support_group *h, int body)
{
	for (int i = 0; i < h->count; ++i)
		if (h->bodies[i] == body)
			return true;
	if (h->count == MAX_TOGETHER)
		return false;
	h->bodies[h->count++] = body;
	return true;
}

// Supports of a body are static, or join the group. Without supports, as without gravity, all
// that it touches must be static. @return false when it cannot be baked
static bool add_supports(const rbl_world *world, support_group *h, int body)
{
	rbl_vec3 up = rbl_neg(rbl_normalize(world->def.gravity));
	int support_count = 0, static_count = 0, other_count = 0;
	RBL_EACH_PART (p, world, body) {
		RBL_EACH_PAIR (pair, world, p) {
			const rbl_pair_record *record = &world->pairs[pair];
			int other = rbl_world_other_body(world, pair, p);
			rbl_body_kind kind = world->bodies[other].kind;
			if ((record->flags & RBL_PAIR_SENSOR) || kind == RBL_BODY_KINEMATIC)
				return false;
			if (!(record->flags & RBL_PAIR_POINTS))
				continue;
			bool supports = upward_normal(world, pair, p, up) > support_cosine,
				 is_static = kind == RBL_BODY_STATIC;
			if (supports && !is_static && !add_to_group(h, other))
				return false;
			h->is_grounded |= supports && is_static;
			support_count += supports;
			static_count += is_static;
			other_count += !is_static;
		}
	}
	h->is_grounded |= support_count == 0;
	return support_count > 0 || (static_count > 0 && other_count == 0);
}

// The bodies that must be baked together with a body. @return false when one cannot be
static bool find_support_group(const rbl_world *world, int body, uint32_t now, support_group *h)
{
	h->bodies[0] = body;
	h->count = 1;
	h->is_grounded = false;
	for (int i = 0; i < h->count; ++i)
		if ((i > 0 && !can_be_baked(world, h->bodies[i], now)) ||
		    !add_supports(world, h, h->bodies[i]))
			return false;
	return h->is_grounded;
}

// --- baked bodies -------------------------------------------------------------------------------

// @return RBL_NONE when there are too many, or memory ran out
static int find_free_slot(rbl_world *world)
{
	int index = 0;
	while (index < world->baked_bodies.count && world->baked_bodies.data[index].body != RBL_NONE)
		index++;
	if (index == RBL_MAX_BAKED_BODIES)
		return RBL_NONE;
	if (index == world->baked_bodies.count &&
	    !rbl_array_push(&world->allocator, &world->baked_bodies,
	                    (rbl_world_baked_body){ .body = RBL_NONE }))
		return RBL_NONE;
	return index;
}

static int add_baked_body(rbl_world *world, int body)
{
	int index = find_free_slot(world);
	if (index == RBL_NONE)
		return RBL_NONE;
	world->baked_bodies.data[index].body = body;
	world->baked_bodies.data[index].live_count = 0;
	world->bodies[body].baked_index = (uint16_t)(index + 1);
	return index;
}

void rbl_world_free_baked_body(rbl_world *world, int body)
{
	rbl_world_baked_body *baked = rbl_world_get_baked_body(world, body);
	if (!baked)
		return;
	for (int i = 0; i < baked->fragments.count; ++i) {
		rbl_world_drop_compound_materials(world, baked->fragments.data[i].compound);
		rbl_destroy_compound(baked->fragments.data[i].compound);
	}
	world->baked_count -= baked->live_count;
	rbl_array_free(&world->allocator, &baked->fragments);
	baked->body = RBL_NONE;
	baked->live_count = 0;
	world->bodies[body].baked_index = 0;
}

void rbl_world_free_baked_bodies(rbl_world *world)
{
	for (int i = 0; i < world->baked_bodies.count; ++i)
		if (world->baked_bodies.data[i].body != RBL_NONE)
			rbl_world_free_baked_body(world, world->baked_bodies.data[i].body);
	rbl_array_free(&world->allocator, &world->baked_bodies);
	rbl_array_free(&world->allocator, &world->replaced_proxies);
}

static bool are_same_filter(rbl_filter a, rbl_filter b)
{
	return a.category == b.category && a.mask == b.mask && a.group == b.group;
}

// Whether two bodies are made of the same, densities apart: fragments keep theirs.
static bool are_same_material(const rbl_world *world, const rbl_body *a, const rbl_body *b)
{
	const rbl_world_material *m = &world->materials.data[a->material];
	rbl_material_values other = world->materials.data[b->material].values;
	other.density = m->values.density;
	return m->shared == world->materials.data[b->material].shared &&
	       rbl_material_values_are_equal(&m->values, &other);
}

static bool can_hold(const rbl_world *world, const rbl_world_baked_body *baked, int body)
{
	if (baked->body == RBL_NONE || baked->live_count >= MAX_FRAGMENTS)
		return false;
	const rbl_body *h = &world->bodies[baked->body], *b = &world->bodies[body];
	return (world->motions[baked->body].flags & RBL_BODY_ENABLED) &&
	       h->part_count + b->part_count <= MAX_BAKED_PARTS && are_same_material(world, h, b) &&
	       are_same_filter(h->filter, b->filter) &&
	       rbl_distance(world->motions[baked->body].centre, world->motions[body].centre) <=
	           baked_radius;
}

// Create a baked body without parts, for a first fragment. @return RBL_NONE when memory ran out
static int create_baked_body(rbl_world *world, int body)
{
	if (world->body_ids.live_count >= RBL_MAX_BODIES || !rbl_world_reserve_bodies(world, 1, 0) ||
	    !rbl_solver_reserve(world->solver, 1, 0) || find_free_slot(world) == RBL_NONE)
		return RBL_NONE;
	int old_end = world->body_ids.slot_count;
	rbl_id id = rbl_id_pool_add(&world->allocator, &world->body_ids);
	int made = (int)id.index;
	const rbl_body *b = &world->bodies[body];
	rbl_body_motion *m = &world->motions[made];
	uint32_t is_dirty = made < old_end ? m->flags & RBL_BODY_DIRTY : 0; // it is still in the list
	*m = (rbl_body_motion){ .centre = world->motions[body].centre,
		                    .rotation = { 0.0f, 0.0f, 0.0f, 1.0f },
		                    .flags = RBL_BODY_ENABLED | RBL_BODY_OWNS_COLLIDERS |
		                             RBL_BODY_CAN_SLEEP | is_dirty };
	world->bodies[made] = (rbl_body){ .kind = RBL_BODY_STATIC,
		                              .requested_kind = RBL_BODY_STATIC,
		                              .solver_body = RBL_NONE,
		                              .first_part = RBL_NONE,
		                              .first_joint = RBL_NONE,
		                              .inner_radius = FLT_MAX,
		                              .material = b->material,
		                              .filter = b->filter,
		                              .gravity_scale = 1.0f };
	rbl_world_reuse_material(world, (int)b->material);
	m->margin = rbl_world_margin(world, made, world->last_dt);
	rbl_solver_body values = rbl_world_solver_body(world, made);
	rbl_result result =
		rbl_solver_add_bodies(world->solver, &values, 1, &world->bodies[made].solver_body);
	RBL_ASSERT(result == RBL_OK); // memory was reserved
	(void)result;
	return add_baked_body(world, made);
}

static int find_baked_body(rbl_world *world, int body)
{
	for (int i = 0; i < world->baked_bodies.count; ++i)
		if (can_hold(world, &world->baked_bodies.data[i], body))
			return i;
	return create_baked_body(world, body);
}

// --- baking -------------------------------------------------------------------------------------

// Replace the proxies of a body by proxies of the baked body. @return false when memory ran out
static bool replace_part_proxies(rbl_world *world, int body, int baked_body)
{
	int count = world->bodies[body].part_count, n = 0;
	rbl_arena_reset(&world->arena);
	rbl_proxy_id *old = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	rbl_proxy_id *made = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	rbl_proxy_def *defs = RBL_ARENA_NEW(&world->arena, rbl_proxy_def, count);
	if (!old || !made || !defs ||
	    !rbl_array_extend(&world->allocator, &world->replaced_proxies, count))
		return false;
	rbl_transform baked_pose = rbl_world_motion_pose(&world->motions[baked_body]);
	for (int p = world->bodies[body].first_part; p != RBL_NONE; p = world->parts[p].next, ++n) {
		rbl_world_part part = world->parts[p];
		rbl_world_part_hot hot = world->hot_parts[p];
		world->parts[p].local = rbl_transform_relative(baked_pose, rbl_world_part_pose(world, p));
		world->hot_parts[p].body = baked_body;
		world->hot_parts[p].is_placed = 1;
		old[n] = part.proxy;
		defs[n] = rbl_world_proxy_def(world, p);
		world->parts[p] = part, world->hot_parts[p] = hot;
	}
	if (rbl_broadphase_replace_many(world->broadphase, old, n, defs, n, made) != RBL_OK)
		return false;
	n = 0;
	RBL_EACH_PART (p, world, body) {
		world->parts[p].proxy = made[n++];
		world->replaced_proxies.data[world->replaced_proxies.count++] = p;
	}
	return true;
}

// The load on the contacts of a merged list, per touching pair.
static float load_per_pair(const rbl_world *world, int first)
{
	float load = 0.0f;
	int pair = first, count = 0;
	do {
		int contact = world->pairs[pair].contact;
		if (contact != RBL_NONE && world->contacts.data[contact].solver_contact != RBL_NONE)
			load += rbl_solver_report_contact(world->solver,
			                                  world->contacts.data[contact].solver_contact)
			            .normal_impulse;
		count += !!(world->pairs[pair].flags & RBL_PAIR_POINTS);
		pair = world->links[pair].next_merged;
	} while (pair != first);
	return load / (float)rbl_maxi(1, count);
}

// Manifolds of baked bodies are not merged, so each pair gets its own contact again. Its impulse
// is a guess; zero would mean that nothing presses on it.
static void leave_merged_list(rbl_world *world, int pair, int body, int baked_body)
{
	const float least = 1e-6f;
	rbl_pair_record *record = &world->pairs[pair];
	float load = rbl_maxf(least, load_per_pair(world, pair));
	rbl_world_merged_list_remove(world, pair);
	record->flags &= ~(uint32_t)RBL_PAIR_MERGED;
	if (record->contact == RBL_NONE ||
	    world->contacts.data[record->contact].solver_contact == RBL_NONE)
		return;
	const rbl_world_contact *contact = &world->contacts.data[record->contact];
	rbl_solver_contact def = rbl_world_contact_def(world, record->contact);
	int from = world->bodies[body].solver_body, to = world->bodies[baked_body].solver_body;
	def.a = def.a == from ? to : def.a;
	def.b = def.b == from ? to : def.b;
	world->stats.lost_count += rbl_solver_bind_contact(world->solver, contact->solver_contact, &def,
	                                                   &contact->manifold, load) != RBL_OK;
}

// Transfer the contacts with a dynamic body: one, or those of fields.
static void transfer_pair(rbl_world *world, int pair, int part, int baked_body, int child)
{
	rbl_pair_record *record = &world->pairs[pair];
	int body = world->hot_parts[part].body;
	record->flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;   // it was relative to the old frame
	bool is_moved = !(record->flags & RBL_PAIR_MERGED); // others are bound anew
	if (!is_moved)
		leave_merged_list(world, pair, body, baked_body);
	RBL_EACH_CONTACT (i, world, pair) {
		rbl_world_contact *contact = &world->contacts.data[i];
		if (record->a == part)
			contact->manifold.child_a = child;
		else
			contact->manifold.child_b = child;
		if (contact->solver_contact == RBL_NONE)
			continue;
		if (is_moved)
			rbl_solver_move_contact(world->solver, contact->solver_contact,
			                        world->bodies[body].solver_body,
			                        world->bodies[baked_body].solver_body);
		// Without memory for its place among sleeping contacts, its end would go unnoticed.
		if (contact->manifold.point_count > 0 &&
		    !rbl_solver_has_points(world->solver, contact->solver_contact))
			rbl_world_wake(world, rbl_world_other_body(world, pair, part));
	}
}

static void transfer_pairs(rbl_world *world, int body, int baked_body, int child)
{
	RBL_EACH_PART (p, world, body)
		RBL_EACH_PAIR (pair, world, p)
			if (world->bodies[rbl_world_other_body(world, pair, p)].kind == RBL_BODY_DYNAMIC)
				transfer_pair(world, pair, p, baked_body, child);
}

// Contacts with static bodies end. To the solver that wakes the body, which has no other
// contacts.
static void end_static_pairs(rbl_world *world, int body)
{
	world->is_baking = true;
	RBL_EACH_PART (p, world, body) {
		for (int pair = world->parts[p].first_pair, next; pair != RBL_NONE; pair = next) {
			next = rbl_world_next_pair(world, p, pair);
			if (world->bodies[rbl_world_other_body(world, pair, p)].kind != RBL_BODY_DYNAMIC)
				rbl_world_remove_pair(world, pair, true);
		}
	}
	world->is_baking = false;
}

static void transfer_parts(rbl_world *world, int body, int baked_body, int child)
{
	rbl_body *b = &world->bodies[body], *h = &world->bodies[baked_body];
	rbl_body_motion *m = &world->motions[baked_body];
	rbl_transform baked_pose = rbl_world_motion_pose(m);
	for (int p = b->first_part, next; p != RBL_NONE; p = next) {
		next = world->parts[p].next;
		rbl_world_part *part = &world->parts[p];
		part->local = rbl_transform_relative(baked_pose, rbl_world_part_pose(world, p));
		part->local.rotation = rbl_quat_normalize(part->local.rotation);
		part->child = child;
		part->next = h->first_part;
		h->first_part = p;
		world->hot_parts[p].body = baked_body;
		world->hot_parts[p].is_placed = 1;
		m->bounding_radius =
			rbl_maxf(m->bounding_radius, rbl_world_part_reach(part->collider, part->local));
		h->inner_radius =
			rbl_minf(h->inner_radius, rbl_world_part_inner_radius(part->collider, part->field));
	}
	h->part_count += b->part_count;
}

static rbl_world_baked_fragment fragment_of(const rbl_world *world, int body, int baked_body)
{
	const rbl_body *b = &world->bodies[body];
	rbl_transform pose =
		rbl_transform_relative(rbl_world_motion_pose(&world->motions[baked_body]),
	                           rbl_body_pose(world, rbl_world_body_id(world, body)));
	pose.rotation = rbl_quat_normalize(pose.rotation);
	return (rbl_world_baked_fragment){ .compound = b->compound,
		                               .pose = pose,
		                               .original = b->original,
		                               .user = b->user,
		                               .density = world->materials.data[b->material].values.density,
		                               .mass = b->mass,
		                               .linear_damping = b->linear_damping,
		                               .angular_damping = b->angular_damping,
		                               .gravity_scale = b->gravity_scale,
		                               .fragment_number = b->fragment_number,
		                               .asset_key_low = b->asset_key_low,
		                               .flags = world->motions[body].flags & RBL_BAKED_FLAGS };
}

// @return false when memory ran out: nothing has changed
static bool bake_body(rbl_world *world, int body)
{
	int index = find_baked_body(world, body), child = 0;
	if (index == RBL_NONE)
		return false;
	rbl_world_baked_body *baked = &world->baked_bodies.data[index];
	int baked_body = baked->body;
	while (child < baked->fragments.count && baked->fragments.data[child].compound)
		child++;
	bool has_room = rbl_array_reserve(&world->allocator, &baked->fragments, child + 1);
	if (!has_room || !replace_part_proxies(world, body, baked_body)) {
		if (baked->live_count == 0)
			rbl_world_remove_body(world, baked_body);
		return false;
	}
	world->motions[body].flags &= ~(uint32_t)RBL_BODY_FROZEN; // no contact of it will end
	transfer_pairs(world, body, baked_body, child);
	end_static_pairs(world, body);
	rbl_world_report_retired(world, body, RBL_RETIRED_BAKED, rbl_world_body_id(world, baked_body),
	                         child);
	baked->fragments.count = rbl_maxi(baked->fragments.count, child + 1);
	baked->fragments.data[child] = fragment_of(world, body, baked_body);
	baked->live_count++;
	transfer_parts(world, body, baked_body, child);
	rbl_solver_remove_bodies(world->solver, &world->bodies[body].solver_body, 1);
	rbl_world_drop_material(world, (int)world->bodies[body].material);
	rbl_id_pool_remove(&world->body_ids, rbl_id_pool_at(&world->body_ids, body));
	world->baked_count++;
	world->debris_count--;
	return true;
}

void rbl_world_bake(rbl_world *world)
{
	int slots = world->body_ids.slot_count, baked_count = 0;
	if (!(world->def.bake_time > 0.0f) || slots == 0)
		return;
	uint32_t now = (uint32_t)world->stats.step_count;
	int count = rbl_mini(BAKE_LOOKS, slots), groups = (slots + count - 1) / count;
	int first = (int)(now % (uint32_t)groups) * count;
	uint32_t round = now / (uint32_t)groups;
	int64_t granted = rbl_world_grant(world, RBL_PAYS_BAKING);
	int most = granted / RBL_UNITS_PER_BAKED < BAKED_PER_STEP
	               ? rbl_maxi(1, (int)granted / RBL_UNITS_PER_BAKED)
	               : BAKED_PER_STEP;
	for (int body = first, tried = 0; body < rbl_mini(first + count, slots); ++body) {
		support_group h;
		// What cannot be baked is likely to stay so for a while.
		if (((round + (uint32_t)body) & (BAKE_INTERVAL - 1)) != 0 ||
		    !can_be_baked(world, body, now))
			continue;
		if (tried++ == MAX_TRIED)
			return;
		if (!find_support_group(world, body, now, &h))
			continue;
		for (int i = 0; i < h.count; ++i, ++baked_count) {
			if (!bake_body(world, h.bodies[i])) {
				world->stats.lost_count++;
				return;
			}
			rbl_world_pay(world, RBL_UNITS_PER_BAKED);
		}
		if (baked_count >= most)
			return;
	}
}

int rbl_body_get_baked(const rbl_world *world, rbl_body_id body, rbl_baked_fragment *fragments,
                       int capacity)
{
	const rbl_world_baked_body *baked = world && rbl_world_has_body(world, body)
	                                        ? rbl_world_get_baked_body(world, (int)body.index)
	                                        : NULL;
	int n = 0;
	for (int i = 0; baked && i < baked->fragments.count; ++i) {
		const rbl_world_baked_fragment *m = &baked->fragments.data[i];
		if (!m->compound)
			continue;
		if (fragments && n < capacity)
			fragments[n] = (rbl_baked_fragment){
				.part = i,
				.compound = m->compound,
				.pose = rbl_transform_mul(rbl_body_pose(world, body), m->pose),
				.mass = m->mass,
				.user = m->user,
				.fragment = m->fragment_number,
			};
		n++;
	}
	return n;
}
