// SPDX-License-Identifier: MIT
//
// Snapshots: everything that the next step of a solver reads, as bytes.
//
// Order matters. The slots of contacts decide the order of sums in the overflow and the order of
// hits; the order of awake bodies decides that of what the world does with them. So lists are
// written as they are, block by block. What follows from something else is computed again and
// cannot be forged: colors of bodies, counts, padding. Records that live within one step are left
// out.
//
// Only what lives is written, so that a snapshot holds nothing of what was there before.

#include "solver/state.h"

#include "base/fields.h"

// --- bodies ------------------------------------------------------------------------------------

enum {
	RECORD_WORDS = RBL_SOLVER_RECORD_BYTES / 4,
	CONTACT_WORDS = sizeof(rbl_solver_contact_cold) / 4,
	BLOCK_WORDS = sizeof(rbl_solver_contact_block) / 4,
	COLD_WORDS = sizeof(rbl_solver_cold_block) / 4,
};

_Static_assert(CONTACT_WORDS == 21, "a new field of contacts: words only");
_Static_assert(sizeof(rbl_solver_body_cold) == 24, "a new field of bodies: is it saved?");
_Static_assert(RBL_SOLVER_RECORD_KINDS == 11, "a new record of bodies: is it of one step?");

static bool is_live(const rbl_id_pool *ids, int index)
{
	return index >= 0 && index < ids->slot_count && rbl_id_pool_is_live(ids, index);
}

// Of body `body`; NULL when it lives within one step: it is written before it is read. But the
// midpoint holds forces between steps, when there are any.
static void *saved_record(const rbl_solver *s, int kind, int body)
{
	const rbl_solver_records *r = &s->records;
	char *records = r->all[kind];
	bool is_saved = records != (char *)r->free_velocity && records != (char *)r->acceleration &&
	                (records != (char *)r->midpoint || s->has_forces);
	return is_saved ? records + (size_t)body * RBL_SOLVER_RECORD_BYTES : NULL;
}

static void put_body(rbl_blob_writer *w, const rbl_solver *s, int body)
{
	for (int i = 0; i < RBL_SOLVER_RECORD_KINDS; ++i) {
		const void *record = saved_record(s, i, body);
		if (record)
			rbl_blob_put_words(w, record, RECORD_WORDS);
	}
	const rbl_solver_body_cold *cold = &s->cold[body];
	rbl_blob_put32(w, cold->kind | (cold->can_sleep ? 4u : 0u));
	rbl_blob_put32(w, (uint32_t)cold->first_contact);
	rbl_blob_put32(w, (uint32_t)cold->first_joint);
}

static bool is_unit(rbl_quat q)
{
	float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	return fabsf(square - 1.0f) < 0.01f;
}

static bool check_body(const rbl_solver *s, int body)
{
	uint32_t state = s->records.velocity[body].state;
	int kind = s->cold[body].kind;
	uint32_t wanted = kind == RBL_SOLVER_DYNAMIC     ? RBL_SOLVER_IS_DYNAMIC
	                  : kind == RBL_SOLVER_KINEMATIC ? RBL_SOLVER_IS_KINEMATIC
	                                                 : 0;
	bool may_sleep = kind == RBL_SOLVER_DYNAMIC;
	if ((state & 3u) != wanted || state > (RBL_SOLVER_LOCK_STATE | 1023) ||
	    ((state & RBL_SOLVER_IS_ASLEEP) && !may_sleep))
		return false;
	const float most = 1e9f; // metres in a step
	rbl_vec3 moved = s->records.delta[body].translation;
	return is_unit(s->records.pose[body].rotation) && is_unit(s->records.delta[body].rotation) &&
	       rbl_dot(moved, moved) <= most * most &&
	       (kind != RBL_SOLVER_DYNAMIC ||
	        s->records.local_inverse_inertia[body].inverse_mass > 0.0f);
}

static void get_body(rbl_blob_reader *r, rbl_solver *s, int body)
{
	bool is_finite = true;
	for (int i = 0; i < RBL_SOLVER_RECORD_KINDS; ++i) {
		float *record = saved_record(s, i, body);
		if (!record)
			continue;
		rbl_blob_get_words(r, record, RECORD_WORDS);
		bool has_bits = i < 2; // the fourth of poses and velocities is no float
		is_finite &=
			rbl_floats_are_finite(record, has_bits ? 3 : 4) && rbl_floats_are_finite(record + 4, 4);
	}
	uint32_t kind = rbl_blob_get32(r);
	int32_t contact = (int32_t)rbl_blob_get32(r), joint = (int32_t)rbl_blob_get32(r);
	s->cold[body] = (rbl_solver_body_cold){
		.first_contact = contact,
		.first_joint = joint,
		.awake_slot = -1,
		.kind = (uint8_t)(kind & 3),
		.can_sleep = kind & 4,
	};
	rbl_blob_expect(r, is_finite && kind < 8 && (kind & 3) < 3 && check_body(s, body),
	                "a body of the solver is wrong");
	s->sleeping_count += rbl_solver_is_asleep(s, body);
}

static bool get_bodies(rbl_blob_reader *r, rbl_solver *s)
{
	rbl_id_pool_free(&s->allocator, &s->body_ids);
	if (!rbl_id_pool_load(r, &s->allocator, &s->body_ids, INT32_MAX / 8))
		return false;
	int count = s->body_ids.slot_count;
	if (!rbl_blob_expect(r, count > 0 && rbl_id_pool_is_live(&s->body_ids, 0),
	                     "the null body is missing"))
		return false;
	if (!rbl_solver_reserve_bodies(s, count)) {
		r->out_of_memory = true;
		return false;
	}
	for (int i = 1; i < count && !r->is_bad; ++i) {
		rbl_solver_clear_records(s, i);
		if (rbl_id_pool_is_live(&s->body_ids, i))
			get_body(r, s, i);
	}
	return !r->is_bad;
}

// --- lists of bodies -----------------------------------------------------------------------------

static bool get_awake(rbl_blob_reader *r, rbl_solver *s)
{
	int wanted = 0, count = rbl_blob_get_count(r, 4);
	for (int i = 1; i < s->body_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->body_ids, i))
			wanted += s->cold[i].kind != RBL_SOLVER_STATIC && !rbl_solver_is_asleep(s, i);
	rbl_blob_expect(r, count == wanted, "the list of awake bodies is not complete");
	for (int i = 0; i < count && !r->is_bad; ++i) {
		int body = rbl_blob_get_int(r, 1, s->body_ids.slot_count - 1);
		if (rbl_blob_expect(r,
		                    rbl_id_pool_is_live(&s->body_ids, body) &&
		                        s->cold[body].kind != RBL_SOLVER_STATIC &&
		                        !rbl_solver_is_asleep(s, body) && s->cold[body].awake_slot < 0,
		                    "a body is awake twice, or should not be"))
			rbl_solver_awake_add(s, body);
	}
	return !r->is_bad;
}

// Bodies that woke or fell asleep; they may be gone.
static bool get_list(rbl_blob_reader *r, rbl_solver *s, int32_t *list, int *count, bool woke)
{
	int n = rbl_blob_get_count(r, 4);
	rbl_blob_expect(r, n < s->body_ids.slot_count, "more bodies woke than there are");
	for (int i = 0; i < n && !r->is_bad; ++i) {
		int body = rbl_blob_get_int(r, 1, s->body_ids.slot_count - 1);
		bool *is_there = woke ? &s->cold[body].is_in_woke : &s->cold[body].is_in_slept;
		if (!rbl_blob_expect(r, !*is_there, "a body woke twice"))
			break;
		*is_there = true;
		list[(*count)++] = body;
	}
	return !r->is_bad;
}

// --- contacts ------------------------------------------------------------------------------------

static bool check_contact(const rbl_solver *s, int index)
{
	const rbl_solver_contact_cold *c = &s->contacts.data[index];
	if (!rbl_solver_has_body(s, c->body[0]) || !rbl_solver_has_body(s, c->body[1]))
		return false;
	bool is_active = rbl_solver_is_active(s, c->body[0]) || rbl_solver_is_active(s, c->body[1]);
	const float numbers[] = { c->friction,  c->restitution,   c->allowed_penetration, c->radius[0],
		                      c->radius[1], c->resistance[0], c->resistance[1] };
	return c->body[0] != c->body[1] && c->list >= -1 && c->list < RBL_SOLVER_LIST_COUNT &&
	       c->point_count >= 0 && c->point_count <= RBL_MAX_MANIFOLD_POINTS &&
	       (c->list >= 0) == (c->point_count > 0) &&
	       (c->list < 0 || is_active == (c->list != RBL_SOLVER_SLEEPING)) &&
	       rbl_floats_are_finite(numbers, 7);
}

static bool get_contacts(rbl_blob_reader *r, rbl_solver *s)
{
	rbl_id_pool_free(&s->allocator, &s->contact_ids);
	if (!rbl_id_pool_load(r, &s->allocator, &s->contact_ids, INT32_MAX / 8))
		return false;
	int count = s->contact_ids.slot_count;
	if (!rbl_array_resize(&s->allocator, &s->contacts, count)) {
		r->out_of_memory = true;
		return false;
	}
	for (int i = 0; i < count && !r->is_bad; ++i) {
		s->contacts.data[i] = (rbl_solver_contact_cold){ .list = -1, .slot = -1 };
		if (!rbl_id_pool_is_live(&s->contact_ids, i))
			continue;
		rbl_blob_get_words(r, &s->contacts.data[i], CONTACT_WORDS);
		rbl_blob_expect(r, check_contact(s, i), "a contact of the solver is wrong");
	}
	return !r->is_bad;
}

static bool take_color(rbl_solver *s, const rbl_solver_contact_cold *contact)
{
	if (contact->list >= RBL_SOLVER_COLORS)
		return true;
	uint64_t bit = (uint64_t)1 << contact->list;
	for (int side = 0; side < 2; ++side) {
		rbl_solver_body_cold *cold = &s->cold[contact->body[side]];
		if (cold->kind != RBL_SOLVER_DYNAMIC)
			continue;
		if (cold->colors & bit)
			return false;
		cold->colors |= bit;
	}
	return true;
}

static bool are_within(const float *values, int count, float least, float most)
{
	bool is_right = true;
	for (int i = 0; i < count; ++i)
		is_right &= values[i] >= least && values[i] <= most;
	return is_right;
}

// Whether squares of the distances of a block are numbers, so that what the next step makes of it
// is finite.
static bool is_block_of_size(const rbl_solver_contact_block *block)
{
	enum { LANES = RBL_SOLVER_LANES };
	const float far = 1e9f;
	bool is_right = are_within(block->normal, 3 * LANES, -2.0f, 2.0f) &&
	                are_within(block->offset, 3 * LANES, -far, far) &&
	                are_within(block->patch_radius, LANES, 0.0f, far);
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		const rbl_solver_point_block *point = &block->points[i];
		is_right &= are_within(point->anchor, 3 * LANES, -far, far) &&
		            are_within(point->separation, LANES, -far, RBL_SOLVER_NO_POINT);
	}
	return is_right;
}

static void check_block(rbl_blob_reader *r, rbl_solver *s, int index, int block_index)
{
	rbl_solver_contact_list *list = &s->lists[index];
	rbl_solver_contact_block *block = &list->blocks[block_index];
	rbl_solver_cold_block *cold = &list->cold[block_index];
	bool is_right = rbl_floats_are_finite(block->normal, BLOCK_WORDS - 2 * RBL_SOLVER_LANES) &&
	                is_block_of_size(block) &&
	                rbl_floats_are_finite(cold->restitution, COLD_WORDS - RBL_SOLVER_LANES);
	for (int lane = 0; lane < RBL_SOLVER_LANES && is_right; ++lane) {
		int slot = block_index * RBL_SOLVER_LANES + lane;
		if (slot >= list->count) {
			rbl_solver_clear_lane(block, cold, lane);
			continue;
		}
		const rbl_solver_contact_cold *contact = rbl_solver_has_contact(s, cold->contact[lane])
		                                             ? &s->contacts.data[cold->contact[lane]]
		                                             : NULL;
		is_right = contact && contact->list == index && contact->slot == slot &&
		           contact->body[0] == block->a[lane] && contact->body[1] == block->b[lane] &&
		           take_color(s, contact);
	}
	rbl_blob_expect(r, is_right, "a list of contacts is wrong");
}

static bool get_lists(rbl_blob_reader *r, rbl_solver *s)
{
	int total = 0, wanted = 0;
	for (int i = 0; i < s->contacts.count; ++i)
		wanted += s->contacts.data[i].list >= 0;
	for (int i = 0; i < RBL_SOLVER_LIST_COUNT && !r->is_bad; ++i) {
		rbl_solver_contact_list *list = &s->lists[i];
		int count = rbl_blob_get_count(r, sizeof(rbl_solver_contact_block) / RBL_SOLVER_LANES);
		if (!rbl_blob_expect(r, count <= wanted - total, "more contacts touch than there are"))
			return false;
		if (!rbl_solver_reserve_list(s, list, count)) {
			r->out_of_memory = true;
			return false;
		}
		total += list->count = count;
		for (int k = 0; k < rbl_solver_block_count(list) && !r->is_bad; ++k) {
			rbl_blob_get_words(r, &list->blocks[k], BLOCK_WORDS);
			rbl_blob_get_words(r, &list->cold[k], COLD_WORDS);
			check_block(r, s, i, k);
		}
	}
	return rbl_blob_expect(r, total == wanted, "contacts are in no list");
}

// --- joints --------------------------------------------------------------------------------------

// The impulses and reports that outlive a step; the rest of a joint is prepared in each.
#define JOINT_FLOATS(member) RBL_FIELD_FLOATS(rbl_solver_joint_state, member)
#define JOINT_LIMIT(member) RBL_FIELD_RANGE(rbl_solver_joint_state, member, 0, INFINITY)

static const rbl_field joint_fields[] = {
	RBL_FIELD_INT(rbl_solver_joint_state, def.kind, 0, RBL_SOLVER_JOINT_KINDS - 1),
	RBL_FIELD_INT(rbl_solver_joint_state, def.a, 1, INT32_MAX),
	RBL_FIELD_INT(rbl_solver_joint_state, def.b, 1, INT32_MAX),
	RBL_FIELD_BITS(rbl_solver_joint_state, def.user),
	JOINT_FLOATS(def.frame_a),
	JOINT_FLOATS(def.frame_b),
	JOINT_LIMIT(def.hertz),
	JOINT_LIMIT(def.damping),
	JOINT_FLOATS(def.target),
	JOINT_FLOATS(def.lower),
	JOINT_FLOATS(def.upper),
	JOINT_FLOATS(def.cone_angle),
	JOINT_FLOATS(def.motor_speed),
	JOINT_LIMIT(def.motor_force),
	JOINT_LIMIT(def.motor_torque),
	JOINT_LIMIT(def.break_force),
	JOINT_LIMIT(def.break_torque),
	RBL_FIELD_BOOL(rbl_solver_joint_state, def.has_limits),
	RBL_FIELD_BOOL(rbl_solver_joint_state, def.has_motor),
	RBL_FIELD_BOOL(rbl_solver_joint_state, def.has_cone),
	RBL_FIELD_BOOL(rbl_solver_joint_state, is_broken),
	RBL_FIELD_BITS(rbl_solver_joint_state, links),
	JOINT_FLOATS(memory),
};

static bool get_joints(rbl_blob_reader *r, rbl_solver *s)
{
	if (!rbl_id_pool_load(r, &s->allocator, &s->joint_ids, INT32_MAX / 8))
		return false;
	int count = s->joint_ids.slot_count;
	if (!rbl_array_resize(&s->allocator, &s->joints, count)) {
		r->out_of_memory = true;
		return false;
	}
	for (int i = 0; i < count && !r->is_bad; ++i) {
		rbl_solver_joint_state *j = &s->joints.data[i];
		*j = (rbl_solver_joint_state){ .def = rbl_default_solver_joint(), .slot = -1 };
		if (rbl_id_pool_is_live(&s->joint_ids, i) && rbl_blob_get_struct(r, joint_fields, j))
			rbl_blob_expect(r,
			                j->def.a != j->def.b && rbl_solver_has_body(s, j->def.a) &&
			                    rbl_solver_has_body(s, j->def.b),
			                "a joint has no bodies");
	}
	if (!r->is_bad && !rbl_solver_load_joints(s))
		r->is_bad = r->out_of_memory = true;
	return !r->is_bad;
}

// --- lists at bodies -----------------------------------------------------------------------------

// Follow the list of a body's contacts or joints. @return how many it has, -1 when it is no list
static int count_links(const rbl_solver *s, int body, bool are_joints, int most)
{
	const rbl_id_pool *ids = are_joints ? &s->joint_ids : &s->contact_ids;
	int previous = -1, n = 0;
	int link = are_joints ? s->cold[body].first_joint : s->cold[body].first_contact;
	while (link != -1) {
		if (n >= most || !is_live(ids, link >> 1))
			return -1;
		int owner = are_joints ? rbl_solver_joint_body(s, link >> 1, link & 1)
		                       : s->contacts.data[link >> 1].body[link & 1];
		const rbl_solver_link *at =
			are_joints ? rbl_solver_joint_link(s, link) : rbl_solver_contact_link(s, link);
		if (owner != body || at->previous != previous)
			return -1;
		previous = link;
		link = at->next;
		n++;
	}
	return n;
}

// Every contact or joint is in the lists of its two bodies, once.
static bool check_links(rbl_blob_reader *r, rbl_solver *s, bool are_joints)
{
	const rbl_id_pool *ids = are_joints ? &s->joint_ids : &s->contact_ids;
	int left = 2 * ids->live_count;
	for (int i = 1; i < s->body_ids.slot_count && left >= 0; ++i) {
		if (!rbl_id_pool_is_live(&s->body_ids, i))
			continue;
		int count = count_links(s, i, are_joints, left);
		left = count < 0 ? -1 : left - count;
	}
	return rbl_blob_expect(r, left == 0, "the contacts or joints of a body are wrong");
}

// --- all of it -----------------------------------------------------------------------------------

// Blocks as they are, except for unused lanes, to which kernels write what nothing reads.
static void put_list(rbl_blob_writer *w, const rbl_solver_contact_list *list)
{
	rbl_blob_put32(w, (uint32_t)list->count);
	for (int i = 0; i < rbl_solver_block_count(list); ++i) {
		int used = rbl_mini(RBL_SOLVER_LANES, list->count - i * RBL_SOLVER_LANES);
		if (used == RBL_SOLVER_LANES || !w->bytes) {
			rbl_blob_put_words(w, &list->blocks[i], BLOCK_WORDS);
			rbl_blob_put_words(w, &list->cold[i], COLD_WORDS);
			continue;
		}
		rbl_solver_contact_block block = list->blocks[i];
		rbl_solver_cold_block side = list->cold[i];
		for (int lane = used; lane < RBL_SOLVER_LANES; ++lane)
			rbl_solver_clear_lane(&block, &side, lane);
		rbl_blob_put_words(w, &block, BLOCK_WORDS);
		rbl_blob_put_words(w, &side, COLD_WORDS);
	}
}

void rbl_solver_save(const rbl_solver *s, rbl_blob_writer *w)
{
	size_t part = rbl_blob_begin(w, "SOLV");
	rbl_blob_put_bool(w, s->has_forces);
	rbl_id_pool_save(&s->body_ids, w);
	for (int i = 1; i < s->body_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->body_ids, i))
			put_body(w, s, i);
	rbl_blob_put_items(w, s->awake, s->awake_count, 4);
	rbl_blob_put_items(w, s->woke, s->woke_count, 4);
	rbl_blob_put_items(w, s->slept, s->slept_count, 4);
	rbl_blob_put_bool(w, s->lists_are_reported);
	rbl_id_pool_save(&s->contact_ids, w);
	for (int i = 0; i < s->contact_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->contact_ids, i))
			rbl_blob_put_words(w, &s->contacts.data[i], CONTACT_WORDS);
	for (int i = 0; i < RBL_SOLVER_LIST_COUNT; ++i)
		put_list(w, &s->lists[i]);
	rbl_id_pool_save(&s->joint_ids, w);
	for (int i = 0; i < s->joint_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->joint_ids, i)) {
			rbl_solver_joint_state joint = rbl_solver_saved_joint(s, i);
			rbl_blob_put_struct(w, joint_fields, &joint);
		}
	rbl_blob_end(w, part);
}

bool rbl_solver_load(rbl_blob_reader *r, rbl_solver *s)
{
	RBL_ASSERT(s->body_ids.live_count == 1 && s->joint_ids.slot_count == 0);
	size_t end = rbl_blob_enter(r, "SOLV");
	s->has_forces = rbl_blob_get_bool(r);
	if (!get_bodies(r, s) || !get_awake(r, s) || !get_list(r, s, s->woke, &s->woke_count, true) ||
	    !get_list(r, s, s->slept, &s->slept_count, false))
		return false;
	s->lists_are_reported = rbl_blob_get_bool(r);
	return get_contacts(r, s) && get_lists(r, s) && get_joints(r, s) && check_links(r, s, false) &&
	       check_links(r, s, true) && rbl_blob_leave(r, end);
}

bool rbl_solver_has_body(const rbl_solver *s, int body)
{
	return body > 0 && is_live(&s->body_ids, body);
}

bool rbl_solver_has_contact(const rbl_solver *s, int contact)
{
	return is_live(&s->contact_ids, contact);
}

bool rbl_solver_has_joint(const rbl_solver *s, int joint)
{
	return is_live(&s->joint_ids, joint);
}
