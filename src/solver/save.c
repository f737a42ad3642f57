// SPDX-License-Identifier: MIT
//
// A solver as bytes: everything that its next step reads.
//
// Places matter. Which contact stands where decides the order of sums in the overflow and the order
// of hits; the order of awake bodies that of what the world does with them. So lists are written as
// they stand, block by block. What follows from something else is made again and cannot be forged:
// colours of bodies, counts, padding. Records of one step (see SCRATCH) are left out.
//
// Only what lives is written, so that a block holds nothing of what was there before.

#include "solver/state.h"

// --- bodies --------------------------------------------------------------------------------------

enum {
	COLD_WORDS = sizeof(rbl_contact_cold) / 4,
	BLOCK_WORDS = sizeof(rbl_contact_block) / 4,
	SIDE_WORDS = sizeof(rbl_contact_side) / 4,
};

_Static_assert(sizeof(rbl_contact_cold) == 17 * 4, "a new field of contacts: words only");
_Static_assert(sizeof(rbl_body_cold) == 24, "a new field of bodies: is it saved?");
_Static_assert(RBL_RECORD_KINDS == 11, "a new record of bodies: is it of one step?");

// base, drive and middle are written before they are read in every step; but middle holds forces in
// between, when there are any.
static bool is_scratch(const rbl_solver *s, const float *records)
{
	return records == s->records.base || records == s->records.drive ||
	       (records == s->records.middle && !s->has_forces);
}

static float *records_of(const rbl_solver *s, int kind)
{
	return ((float *const *)(const void *)&s->records)[kind];
}

static void put_body(rbl_blob_writer *w, const rbl_solver *s, int body)
{
	// A body that failed and was put to rest has nonsense there, which nobody reads.
	static const float still[RBL_RECORD] = { 0, 0, 0, 0, 0, 0, 0, 1 };
	for (int i = 0; i < RBL_RECORD_KINDS; ++i) {
		const float *record = rbl_record(records_of(s, i), body);
		if (is_scratch(s, records_of(s, i)))
			continue;
		bool is_nonsense =
			records_of(s, i) == s->records.delta && !rbl_floats_are_finite(record, RBL_RECORD);
		rbl_blob_put_words(w, is_nonsense ? still : record, RBL_RECORD);
	}
	const rbl_body_cold *cold = &s->cold[body];
	rbl_blob_put32(w, cold->kind | (cold->can_sleep ? 4u : 0u));
	rbl_blob_put32(w, (uint32_t)cold->first_contact);
	rbl_blob_put32(w, (uint32_t)cold->first_joint);
}

static bool check_body(const rbl_solver *s, int body)
{
	uint32_t state = rbl_velocity_of(s, body)->state;
	int kind = s->cold[body].kind;
	uint32_t wanted = kind == RBL_SOLVER_DYNAMIC     ? RBL_SOLVER_IS_DYNAMIC
	                  : kind == RBL_SOLVER_KINEMATIC ? RBL_SOLVER_IS_KINEMATIC
	                                                 : 0;
	bool may_sleep = kind == RBL_SOLVER_DYNAMIC;
	if ((state & 3u) != wanted || state > 31 || ((state & RBL_SOLVER_IS_ASLEEP) && !may_sleep))
		return false;
	rbl_quat q = rbl_pose_of(s, body)->rotation;
	float turn = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	return fabsf(turn - 1.0f) < 0.01f &&
	       (kind != RBL_SOLVER_DYNAMIC || rbl_record(s->records.inverse, body)[3] > 0.0f);
}

static void get_body(rbl_blob_reader *r, rbl_solver *s, int body)
{
	bool is_finite = true;
	for (int i = 0; i < RBL_RECORD_KINDS; ++i) {
		float *record = rbl_record(records_of(s, i), body);
		if (is_scratch(s, records_of(s, i)))
			continue;
		rbl_blob_get_words(r, record, RBL_RECORD);
		// The fourth of poses and velocities is no float.
		is_finite &= rbl_floats_are_finite(record, 3) && rbl_floats_are_finite(record + 4, 4);
		bool is_float =
			records_of(s, i) != s->records.pose && records_of(s, i) != s->records.velocity;
		is_finite &= !is_float || rbl_floats_are_finite(record + 3, 1);
	}
	uint32_t kind = rbl_blob_get32(r);
	int32_t contact = (int32_t)rbl_blob_get32(r), joint = (int32_t)rbl_blob_get32(r);
	s->cold[body] = (rbl_body_cold){
		.first_contact = contact,
		.first_joint = joint,
		.awake_slot = -1,
		.kind = (uint8_t)(kind & 3),
		.can_sleep = kind & 4,
	};
	rbl_blob_expect(r, is_finite && kind < 8 && (kind & 3) < 3 && check_body(s, body),
	                "a body of the solver is wrong");
	s->sleeping_count += rbl_body_is_asleep(s, body);
}

static bool get_bodies(rbl_blob_reader *r, rbl_solver *s)
{
	rbl_id_pool_free(&s->allocator, &s->body_ids);
	if (!rbl_id_pool_load(r, &s->allocator, &s->body_ids, INT32_MAX / 8))
		return false;
	int count = s->body_ids.slot_count;
	if (!rbl_blob_expect(r, count > 0 && rbl_id_pool_is_live(&s->body_ids, 0), "nobody is missing"))
		return false;
	if (!rbl_bodies_reserve(s, count)) {
		r->out_of_memory = true;
		return false;
	}
	for (int i = 1; i < count && !r->is_bad; ++i) {
		for (int k = 0; k < RBL_RECORD_KINDS; ++k)
			memset(rbl_record(records_of(s, k), i), 0, RBL_RECORD * sizeof(float));
		if (rbl_id_pool_is_live(&s->body_ids, i))
			get_body(r, s, i);
	}
	return !r->is_bad;
}

// --- lists of bodies -------------------------------------------------------------------------------

static bool get_awake(rbl_blob_reader *r, rbl_solver *s)
{
	int wanted = 0, count = rbl_blob_get_count(r, 4);
	for (int i = 1; i < s->body_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->body_ids, i))
			wanted += s->cold[i].kind != RBL_SOLVER_STATIC && !rbl_body_is_asleep(s, i);
	rbl_blob_expect(r, count == wanted, "the list of awake bodies is not complete");
	for (int i = 0; i < count && !r->is_bad; ++i) {
		int body = rbl_blob_get_int(r, 1, s->body_ids.slot_count - 1);
		if (rbl_blob_expect(r,
		                    rbl_id_pool_is_live(&s->body_ids, body) &&
		                        s->cold[body].kind != RBL_SOLVER_STATIC &&
		                        !rbl_body_is_asleep(s, body) && s->cold[body].awake_slot < 0,
		                    "a body is awake twice, or should not be"))
			rbl_awake_list_add(s, body);
	}
	return !r->is_bad;
}

// Bodies that woke or fell asleep; they may be gone.
static bool get_noted(rbl_blob_reader *r, rbl_solver *s, int32_t *list, int *count, bool woke)
{
	int n = rbl_blob_get_count(r, 4);
	rbl_blob_expect(r, n < s->body_ids.slot_count, "more bodies woke than there are");
	for (int i = 0; i < n && !r->is_bad; ++i) {
		int body = rbl_blob_get_int(r, 1, s->body_ids.slot_count - 1);
		bool *is_noted = woke ? &s->cold[body].is_noted_awake : &s->cold[body].is_noted_asleep;
		if (!rbl_blob_expect(r, !*is_noted, "a body woke twice"))
			break;
		*is_noted = true;
		list[(*count)++] = body;
	}
	return !r->is_bad;
}

// --- contacts --------------------------------------------------------------------------------------

static bool check_contact(const rbl_solver *s, int index)
{
	const rbl_contact_cold *c = &s->contacts.data[index];
	int end = s->body_ids.slot_count;
	for (int side = 0; side < 2; ++side)
		if (c->body[side] < 1 || c->body[side] >= end ||
		    !rbl_id_pool_is_live(&s->body_ids, c->body[side]))
			return false;
	bool is_active = rbl_body_is_active(s, c->body[0]) || rbl_body_is_active(s, c->body[1]);
	const float numbers[] = { c->friction, c->restitution, c->rest_depth };
	return c->body[0] != c->body[1] && c->list >= -1 && c->list < RBL_LIST_COUNT &&
	       c->point_count >= 0 && c->point_count <= RBL_MAX_MANIFOLD_POINTS &&
	       (c->list >= 0) == (c->point_count > 0) &&
	       (c->list < 0 || is_active == (c->list != RBL_SLEEPING)) &&
	       rbl_floats_are_finite(numbers, 3);
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
		s->contacts.data[i] = (rbl_contact_cold){ .list = -1, .slot = -1 };
		if (!rbl_id_pool_is_live(&s->contact_ids, i))
			continue;
		rbl_blob_get_words(r, &s->contacts.data[i], COLD_WORDS);
		rbl_blob_expect(r, check_contact(s, i), "a contact of the solver is wrong");
	}
	return !r->is_bad;
}

static bool take_colour(rbl_solver *s, const rbl_contact_cold *contact)
{
	if (contact->list >= RBL_COLOURS)
		return true;
	uint64_t bit = (uint64_t)1 << contact->list;
	for (int side = 0; side < 2; ++side) {
		rbl_body_cold *cold = &s->cold[contact->body[side]];
		if (cold->kind != RBL_SOLVER_DYNAMIC)
			continue;
		if (cold->colours & bit)
			return false;
		cold->colours |= bit;
	}
	return true;
}

static void check_block(rbl_blob_reader *r, rbl_solver *s, int index, int block_index)
{
	rbl_contact_list *list = &s->lists[index];
	rbl_contact_block *block = &list->blocks[block_index];
	rbl_contact_side *side = &list->sides[block_index];
	bool is_right = rbl_floats_are_finite(block->normal, BLOCK_WORDS - 2 * RBL_LANES) &&
	                rbl_floats_are_finite(side->restitution, SIDE_WORDS - RBL_LANES);
	for (int lane = 0; lane < RBL_LANES && is_right; ++lane) {
		int slot = block_index * list->lanes + lane, contact = side->contact[lane];
		if (lane >= list->lanes || slot >= list->count) {
			rbl_contact_clear_lane(block, side, lane);
			continue;
		}
		is_right = contact >= 0 && contact < s->contact_ids.slot_count &&
		           rbl_id_pool_is_live(&s->contact_ids, contact);
		const rbl_contact_cold *cold = is_right ? &s->contacts.data[contact] : NULL;
		is_right = cold && cold->list == index && cold->slot == slot &&
		           cold->body[0] == block->a[lane] && cold->body[1] == block->b[lane] &&
		           take_colour(s, cold);
	}
	rbl_blob_expect(r, is_right, "a list of contacts is wrong");
}

static bool get_lists(rbl_blob_reader *r, rbl_solver *s)
{
	int total = 0, wanted = 0;
	for (int i = 0; i < s->contacts.count; ++i)
		wanted += s->contacts.data[i].list >= 0;
	for (int i = 0; i < RBL_LIST_COUNT && !r->is_bad; ++i) {
		rbl_contact_list *list = &s->lists[i];
		int count = rbl_blob_get_count(r, sizeof(rbl_contact_block) / RBL_LANES);
		if (!rbl_blob_expect(r, count <= wanted - total, "more contacts touch than there are"))
			return false;
		if (!rbl_contact_list_reserve(s, list, count)) {
			r->out_of_memory = true;
			return false;
		}
		total += list->count = count;
		for (int k = 0; k < rbl_list_blocks(list) && !r->is_bad; ++k) {
			rbl_blob_get_words(r, &list->blocks[k], BLOCK_WORDS);
			rbl_blob_get_words(r, &list->sides[k], SIDE_WORDS);
			check_block(r, s, i, k);
		}
	}
	return rbl_blob_expect(r, total == wanted, "contacts stand in no list");
}

// --- joints ----------------------------------------------------------------------------------------

// The impulses and reports that outlive a step; the rest of a joint is prepared in each.
static void put_joint(rbl_blob_writer *w, const rbl_joint *j)
{
	const rbl_solver_joint *d = &j->def;
	const int32_t head[] = { (int32_t)d->kind, d->a, d->b, (int32_t)d->user };
	const float numbers[] = { d->hertz,       d->damping,      d->lower_angle, d->upper_angle,
		                      d->motor_speed, d->motor_torque, d->break_force, d->break_torque,
		                      j->motor,       j->lower,        j->upper,       j->angle };
	rbl_blob_put_words(w, head, 4);
	rbl_blob_put_words(w, &d->frame_a, 7);
	rbl_blob_put_words(w, &d->frame_b, 7);
	rbl_blob_put_words(w, numbers, 12);
	rbl_blob_put_bool(w, d->has_limits);
	rbl_blob_put_bool(w, d->has_motor);
	rbl_blob_put_bool(w, j->is_broken);
	rbl_blob_put_words(w, j->links, 4);
	const rbl_vec3 vectors[] = { j->linear, j->angular, j->force, j->torque };
	rbl_blob_put_words(w, vectors, 12);
}

static bool check_joint(const rbl_solver *s, const rbl_joint *j)
{
	for (int side = 0; side < 2; ++side) {
		int body = side ? j->def.b : j->def.a;
		if (body < 1 || body >= s->body_ids.slot_count || !rbl_id_pool_is_live(&s->body_ids, body))
			return false;
	}
	return j->def.a != j->def.b;
}

static void get_joint(rbl_blob_reader *r, rbl_solver *s, int index)
{
	rbl_joint *j = &s->joints.data[index];
	rbl_solver_joint *d = &j->def;
	d->kind = (rbl_solver_joint_kind)rbl_blob_get_int(r, 0, RBL_SOLVER_BALL);
	d->a = (int32_t)rbl_blob_get32(r), d->b = (int32_t)rbl_blob_get32(r);
	d->user = rbl_blob_get32(r);
	rbl_blob_get_words(r, &d->frame_a, 7);
	rbl_blob_get_words(r, &d->frame_b, 7);
	float n[12];
	rbl_blob_get_words(r, n, 12);
	d->hertz = n[0], d->damping = n[1], d->lower_angle = n[2], d->upper_angle = n[3];
	d->motor_speed = n[4], d->motor_torque = n[5], d->break_force = n[6], d->break_torque = n[7];
	j->motor = n[8], j->lower = n[9], j->upper = n[10], j->angle = n[11];
	d->has_limits = rbl_blob_get_bool(r);
	d->has_motor = rbl_blob_get_bool(r);
	j->is_broken = rbl_blob_get_bool(r);
	rbl_blob_get_words(r, j->links, 4);
	rbl_vec3 v[4];
	rbl_blob_get_words(r, v, 12);
	j->linear = v[0], j->angular = v[1], j->force = v[2], j->torque = v[3];
	bool is_finite = rbl_floats_are_finite(&d->frame_a, 7) &&
	                 rbl_floats_are_finite(&d->frame_b, 7) && rbl_floats_are_finite(v, 12);
	for (int i = 0; i < 12; ++i) // a torque or force may be without limit
		is_finite &= i >= 5 && i <= 7 ? n[i] >= 0.0f : rbl_floats_are_finite(&n[i], 1);
	rbl_blob_expect(r, is_finite && check_joint(s, j), "a joint of the solver is wrong");
}

static bool get_joints(rbl_blob_reader *r, rbl_solver *s)
{
	if (!rbl_id_pool_load(r, &s->allocator, &s->joint_ids, INT32_MAX / 8))
		return false;
	int count = s->joint_ids.slot_count;
	if (!rbl_array_resize(&s->allocator, &s->joints, count) ||
	    !rbl_array_reserve(&s->allocator, &s->broken, count) ||
	    !rbl_array_reserve(&s->allocator, &s->joint_order, count)) {
		r->out_of_memory = true;
		return false;
	}
	for (int i = 0; i < count && !r->is_bad; ++i) {
		s->joints.data[i] = (rbl_joint){ .def = rbl_default_solver_joint() };
		if (rbl_id_pool_is_live(&s->joint_ids, i))
			get_joint(r, s, i);
	}
	return !r->is_bad;
}

// --- lists at bodies -------------------------------------------------------------------------------

// The ends that hang at a body, each knowing the one before. @return how many, -1 when it is no list
static int count_ends(rbl_solver *s, int body, bool are_joints, int most)
{
	const rbl_id_pool *ids = are_joints ? &s->joint_ids : &s->contact_ids;
	int previous = -1, n = 0;
	int link = are_joints ? s->cold[body].first_joint : s->cold[body].first_contact;
	while (link != -1) {
		if (link < 0 || link >> 1 >= ids->slot_count || n >= most ||
		    !rbl_id_pool_is_live(ids, link >> 1))
			return -1;
		int owner = are_joints ? rbl_joint_body(s, link >> 1, link & 1)
		                       : s->contacts.data[link >> 1].body[link & 1];
		const rbl_body_link *at = are_joints ? rbl_joint_link(s, link) : rbl_contact_link(s, link);
		if (owner != body || at->previous != previous)
			return -1;
		previous = link;
		link = at->next;
		n++;
	}
	return n;
}

// Every end hangs at its body, once: each is reached from one place only, and all are.
static bool check_ends(rbl_blob_reader *r, rbl_solver *s, bool are_joints)
{
	const rbl_id_pool *ids = are_joints ? &s->joint_ids : &s->contact_ids;
	int left = 2 * ids->live_count;
	for (int i = 1; i < s->body_ids.slot_count && left >= 0; ++i) {
		if (!rbl_id_pool_is_live(&s->body_ids, i))
			continue;
		int ends = count_ends(s, i, are_joints, left);
		left = ends < 0 ? -1 : left - ends;
	}
	return rbl_blob_expect(r, left == 0, "lists at bodies are not in order");
}

// --- all of it -------------------------------------------------------------------------------------

// Blocks as they are, but for lanes of nobody, to which sweeps write what nobody reads.
static void put_list(rbl_blob_writer *w, const rbl_contact_list *list)
{
	rbl_blob_put32(w, (uint32_t)list->count);
	for (int i = 0; i < rbl_list_blocks(list); ++i) {
		int used = rbl_mini(list->lanes, list->count - i * list->lanes);
		if (used == RBL_LANES || !w->bytes) {
			rbl_blob_put_words(w, &list->blocks[i], BLOCK_WORDS);
			rbl_blob_put_words(w, &list->sides[i], SIDE_WORDS);
			continue;
		}
		rbl_contact_block block = list->blocks[i];
		rbl_contact_side side = list->sides[i];
		for (int lane = used; lane < RBL_LANES; ++lane)
			rbl_contact_clear_lane(&block, &side, lane);
		rbl_blob_put_words(w, &block, BLOCK_WORDS);
		rbl_blob_put_words(w, &side, SIDE_WORDS);
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
	rbl_blob_put_bool(w, s->lists_are_old);
	rbl_id_pool_save(&s->contact_ids, w);
	for (int i = 0; i < s->contact_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->contact_ids, i))
			rbl_blob_put_words(w, &s->contacts.data[i], COLD_WORDS);
	for (int i = 0; i < RBL_LIST_COUNT; ++i)
		put_list(w, &s->lists[i]);
	rbl_id_pool_save(&s->joint_ids, w);
	for (int i = 0; i < s->joint_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->joint_ids, i))
			put_joint(w, &s->joints.data[i]);
	rbl_blob_end(w, part);
}

bool rbl_solver_load(rbl_blob_reader *r, rbl_solver *s)
{
	RBL_ASSERT(s->body_ids.live_count == 1 && s->joint_ids.slot_count == 0);
	size_t end = rbl_blob_enter(r, "SOLV");
	s->has_forces = rbl_blob_get_bool(r);
	if (!get_bodies(r, s) || !get_awake(r, s) || !get_noted(r, s, s->woke, &s->woke_count, true) ||
	    !get_noted(r, s, s->slept, &s->slept_count, false))
		return false;
	s->lists_are_old = rbl_blob_get_bool(r);
	return get_contacts(r, s) && get_lists(r, s) && get_joints(r, s) && check_ends(r, s, false) &&
	       check_ends(r, s, true) && rbl_blob_leave(r, end);
}

static bool has(const rbl_id_pool *ids, int index)
{
	return index >= 0 && index < ids->slot_count && rbl_id_pool_is_live(ids, index);
}

bool rbl_solver_has_body(const rbl_solver *s, int body)
{
	return body > 0 && has(&s->body_ids, body);
}

bool rbl_solver_has_contact(const rbl_solver *s, int contact)
{
	return has(&s->contact_ids, contact);
}

bool rbl_solver_has_joint(const rbl_solver *s, int joint)
{
	return has(&s->joint_ids, joint);
}
