// SPDX-License-Identifier: MIT
//
// Sleeping. A body at rest costs nothing: it leaves the list of awake bodies, and contacts between
// sleeping bodies are not solved.
//
// There are no islands. The usual rule, that bodies connected by contacts and joints (an island)
// sleep when all of them have been still for a while, is too strict in rubble: one moving stone
// keeps ten thousand awake. Here each body sleeps by itself when it is a sleep candidate and so are
// all its contact neighbours: between what sleeps and what moves, one layer of candidates stays
// awake. To them a sleeping body is as good as the ground.
//
// A body passes its wake threshold when it has moved by 2 mm since it last did, or is faster than 5
// cm/s, large ones by up to four times that; then its sleeping neighbours wake. When it is faster
// than the restitution threshold, so do their neighbours: a shock runs two hops per step. For slow
// motion the second hop would only wake what then is still, and in a heap that settles most of what
// is awake would be such. Touching alone wakes nothing. Where material still arrives, contacts
// close fast, and their bodies do not sleep.
//
// What rests on a kinematic body that moves goes with it: such a body and all that stands on it,
// one upon the other, stay awake at any speed. A sleeper would hover over a lift that sinks, and a
// candidate that is held in place would be left behind.
//
// All of this is about what one body can do to another: a pebble that rolls over a wall keeps
// nothing of the wall awake. A neighbour counts when its momentum would move the other by a tenth
// of the wake speed.

#include "solver/state.h"

void rbl_solver_renew_lists(rbl_solver *s)
{
	if (!s->lists_are_reported)
		return;
	for (int i = 0; i < s->woke_count; ++i)
		s->cold[s->woke[i]].is_in_woke = false;
	for (int i = 0; i < s->slept_count; ++i)
		s->cold[s->slept[i]].is_in_slept = false;
	s->woke_count = s->slept_count = 0;
	s->lists_are_reported = false;
}

void rbl_solver_wake(rbl_solver *s, int body)
{
	rbl_solver_velocity *velocity = &s->records.velocity[body];
	if (velocity->state & RBL_SOLVER_IS_FROZEN)
		return;
	velocity->sleep_timer = 0.0f;
	if (!(velocity->state & RBL_SOLVER_IS_ASLEEP))
		return;
	rbl_solver_renew_lists(s);
	velocity->state &= ~(uint32_t)RBL_SOLVER_IS_ASLEEP;
	s->sleeping_count--;
	rbl_solver_update_inertia(s, body);
	rbl_solver_awake_add(s, body);
	rbl_solver_place_contacts(s, body);
	if (!s->cold[body].is_in_woke) {
		s->cold[body].is_in_woke = true;
		s->woke[s->woke_count++] = body;
	}
}

// Put an active body to sleep; room was made for its contacts.
static void put_to_sleep(rbl_solver *s, int body)
{
	RBL_ASSERT(rbl_solver_is_active(s, body));
	rbl_solver_renew_lists(s);
	rbl_solver_velocity *velocity = &s->records.velocity[body];
	velocity->state &=
		RBL_SOLVER_IS_DYNAMIC | RBL_SOLVER_IS_ROUND | RBL_SOLVER_HAS_ENDS | RBL_SOLVER_LOCK_STATE;
	velocity->state |= RBL_SOLVER_IS_ASLEEP;
	velocity->linear = velocity->angular = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	s->sleeping_count++;
	rbl_solver_update_inertia(s, body);
	rbl_solver_clear_delta(s, body);
	rbl_solver_awake_remove(s, body);
	rbl_solver_place_contacts(s, body);
	if (!s->cold[body].is_in_slept) {
		s->cold[body].is_in_slept = true;
		s->slept[s->slept_count++] = body;
	}
}

// Make room in the sleeping list for the contacts of bodies that are to fall asleep together: all
// that have this mark, unless it is zero. @return false when memory ran out (nothing changed)
static bool reserve_sleeping(rbl_solver *s, const int32_t *bodies, int count, int mark)
{
	rbl_solver_contact_list *list = &s->lists[RBL_SOLVER_SLEEPING];
	int more = 0;
	for (int i = 0; i < count; ++i)
		for (int link = s->cold[bodies[i]].first_contact; link >= 0;
		     link = rbl_solver_contact_link(s, link)->next) {
			const rbl_solver_contact_cold *contact = &s->contacts.data[link >> 1];
			int other = contact->body[~link & 1];
			if (contact->list < 0 || contact->list == RBL_SOLVER_SLEEPING)
				continue;
			bool sleeps_too = mark && s->marks[other] == mark;
			more += sleeps_too ? link & 1 : !rbl_solver_is_active(s, other); // once for both
		}
	return rbl_solver_reserve_list(s, list, list->count + more);
}

rbl_result rbl_solver_sleep(rbl_solver *s, int body)
{
	if (!s->def.can_sleep || !rbl_solver_is_active(s, body))
		return RBL_OK;
	if (!reserve_sleeping(s, &body, 1, 0))
		return RBL_OUT_OF_MEMORY;
	put_to_sleep(s, body);
	return RBL_OK;
}

void rbl_solver_freeze(rbl_solver *s, int body, bool is_frozen)
{
	uint32_t *state = &s->records.velocity[body].state;
	RBL_ASSERT(!is_frozen || (*state & RBL_SOLVER_IS_ASLEEP));
	*state = is_frozen ? *state | RBL_SOLVER_IS_FROZEN : *state & ~(uint32_t)RBL_SOLVER_IS_FROZEN;
}

// Of its fastest point, at most.
static float speed_of(const rbl_solver *s, int body)
{
	const rbl_solver_velocity *v = &s->records.velocity[body];
	return rbl_length(v->linear) + s->records.sleep_pose[body].radius * rbl_length(v->angular);
}

// Whether a body that moves, at least this fast, is heavy enough to move its neighbour.
static bool can_move(const rbl_solver *s, int mover, int other, float speed)
{
	float own = s->records.local_inverse_inertia[mover].inverse_mass; // zero: nothing resists it
	float its = s->records.local_inverse_inertia[other].inverse_mass;
	speed = rbl_maxf(speed, speed_of(s, mover));
	return its * rbl_maxf(speed, s->def.wake_speed) >= 0.1f * s->def.wake_speed * own;
}

// Call `visit` for all pairs of bodies with a contact that is solved, or a joint.
typedef void visit_function(rbl_solver *s, int a, int b, float approach_speed, int *count);

static inline void visit_pairs(rbl_solver *s, visit_function *visit, int *count)
{
	for (int color = 0; color < RBL_SOLVER_SLEEPING; ++color) {
		const rbl_solver_contact_list *list = &s->lists[color];
		for (int i = 0; i < list->count; ++i) {
			int lane;
			const rbl_solver_contact_block *block = rbl_solver_slot_block(list, i, &lane);
			const rbl_solver_cold_block *cold = &list->cold[i / RBL_SOLVER_LANES];
			visit(s, block->a[lane], block->b[lane], cold->approach_speed[lane], count);
		}
	}
	for (int i = 0; i < s->joints.count; ++i)
		if (rbl_solver_joint_is_live(s, i))
			visit(s, s->joints.data[i].def.a, s->joints.data[i].def.b, 0.0f, count);
}

// --- waking --------------------------------------------------------------------------------------

enum {
	MOVER = 1,  // passed its wake threshold
	FAST_MOVER, // likewise, and wakes two hops
	WOKEN,      // wakes in this step
	FAST_WOKEN, // likewise, and its neighbours too
};

static bool may_wake(const rbl_solver *s, int body)
{
	return (s->records.velocity[body].state & (RBL_SOLVER_IS_ASLEEP | RBL_SOLVER_IS_FROZEN)) ==
	       RBL_SOLVER_IS_ASLEEP;
}

// A sleeping body wakes because of one that moves.
static void wake_later(rbl_solver *s, int mover, int body, int *count)
{
	if (s->marks[body] == 0 && may_wake(s, body))
		s->queue[(*count)++] = body;
	else if (s->marks[body] != WOKEN)
		return;
	s->marks[body] = s->marks[mover] == FAST_MOVER ? FAST_WOKEN : WOKEN;
}

static bool is_mover(const rbl_solver *s, int body)
{
	return s->marks[body] == MOVER || s->marks[body] == FAST_MOVER;
}

static void wake_pair(rbl_solver *s, int a, int b, float approach_speed, int *count)
{
	(void)approach_speed;
	if (is_mover(s, a) && can_move(s, a, b, 0.0f))
		wake_later(s, a, b, count);
	else if (is_mover(s, b) && can_move(s, b, a, 0.0f))
		wake_later(s, b, a, count);
}

// Of a body that is awake.
static int mark_of(const rbl_solver *s, int body)
{
	if (!(s->records.velocity[body].state & RBL_SOLVER_WAKES_NEIGHBOURS))
		return 0;
	bool is_slow = rbl_solver_is_dynamic(s, body) && speed_of(s, body) < s->def.restitution_speed;
	return is_slow ? MOVER : FAST_MOVER;
}

static void wake_linked(rbl_solver *s, int body, int *count)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		const rbl_solver_contact_cold *contact = &s->contacts.data[link >> 1];
		int other = contact->body[~link & 1];
		if (contact->list >= 0 && can_move(s, body, other, 0.0f))
			wake_later(s, body, other, count);
	}
	for (int link = s->cold[body].first_joint; link >= 0;
	     link = rbl_solver_joint_link(s, link)->next)
		if (!s->joints.data[link >> 1].is_broken)
			wake_later(s, body, rbl_solver_joint_body(s, link >> 1, ~link & 1), count);
}

// What a slow neighbour wakes was still until then: it is so again after a fifth of the time. In a
// heap that settles, each wakes others, and none would have all of the time to itself.
static void wake_for(rbl_solver *s, int body, bool is_fast)
{
	rbl_solver_wake(s, body);
	if (!is_fast)
		s->records.velocity[body].sleep_timer = 0.8f * s->def.sleep_time;
}

void rbl_solver_wake_neighbours(rbl_solver *s)
{
	if (s->sleeping_count == 0 || s->awake_count == 0)
		return;
	bool has_movers = false;
	memset(s->marks, 0, (size_t)s->body_ids.slot_count);
	for (int i = 0; i < s->awake_count; ++i) {
		int mark = mark_of(s, s->awake[i]);
		s->marks[s->awake[i]] = (uint8_t)mark;
		has_movers |= mark != 0;
	}
	if (!has_movers)
		return;
	int count = 0;
	visit_pairs(s, wake_pair, &count);
	// Contacts of kinematic bodies with sleeping ones are not among those.
	for (int i = 0; i < s->awake_count; ++i)
		if (!rbl_solver_is_dynamic(s, s->awake[i]) && is_mover(s, s->awake[i]))
			wake_linked(s, s->awake[i], &count);
	int first_hop = count;
	for (int i = 0; i < first_hop; ++i)
		if (s->marks[s->queue[i]] == FAST_WOKEN)
			wake_linked(s, s->queue[i], &count);
	for (int i = 0; i < count; ++i)
		wake_for(s, s->queue[i], s->marks[s->queue[i]] == FAST_WOKEN);
}

static bool moves_by_itself(const rbl_solver *s, int body)
{
	const rbl_solver_velocity *v = &s->records.velocity[body];
	return s->cold[body].kind == RBL_SOLVER_KINEMATIC &&
	       rbl_length_squared(v->linear) + rbl_length_squared(v->angular) > 0.0f;
}

enum { CARRIED = 1 };

static void carry(rbl_solver *s, int body, int *count)
{
	if (!rbl_solver_is_dynamic(s, body) || s->marks[body] == CARRIED)
		return;
	s->marks[body] = CARRIED;
	s->queue[(*count)++] = body;
}

// All that rests on a body: what it touches from below, and what is joined to it.
static void carry_supported(rbl_solver *s, int body, rbl_vec3 up, int *count)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		if (rbl_solver_contact_rise(s, link, up) > 0.2f)
			carry(s, s->contacts.data[link >> 1].body[~link & 1], count);
	}
	for (int link = s->cold[body].first_joint; link >= 0;
	     link = rbl_solver_joint_link(s, link)->next)
		if (!s->joints.data[link >> 1].is_broken)
			carry(s, rbl_solver_joint_body(s, link >> 1, ~link & 1), count);
}

void rbl_solver_wake_carried(rbl_solver *s, rbl_vec3 gravity)
{
	int count = 0;
	bool has_marks = false;
	float length = rbl_length(gravity);
	rbl_vec3 up = length > 0.0f ? rbl_scale(-1.0f / length, gravity) : gravity;
	for (int i = 0; i < s->awake_count; ++i) {
		if (!moves_by_itself(s, s->awake[i]))
			continue;
		if (!has_marks)
			memset(s->marks, 0, (size_t)s->body_ids.slot_count);
		has_marks = true;
		carry_supported(s, s->awake[i], up, &count);
	}
	for (int i = 0; i < count; ++i)
		carry_supported(s, s->queue[i], up, &count);
	for (int i = 0; i < count; ++i)
		rbl_solver_wake(s, s->queue[i]);
}

// --- falling asleep ------------------------------------------------------------------------------

enum {
	CANDIDATE = 1, // has been still, and may sleep
	MOVING = 2,    // has not been still
	DISTURBED = 4, // a neighbour moves
};

// Still for so long that its contacts do not matter: fragments that are wedged may rattle within a
// millimetre for ever, where impulses find no end.
static bool is_long_still(const rbl_solver *s, int body)
{
	return !rbl_solver_is_active(s, body) ||
	       s->records.velocity[body].sleep_timer >= 3.0f * s->def.sleep_time;
}

// Neighbours disturb each other.
static void disturb_pair(rbl_solver *s, int a, int b, float approach_speed, int *count)
{
	(void)count;
	int mark_a = s->marks[a], mark_b = s->marks[b];
	bool is_fast =
		approach_speed > s->def.wake_speed && !(is_long_still(s, a) && is_long_still(s, b));
	if ((mark_a & CANDIDATE) && (mark_b & MOVING || is_fast) && can_move(s, b, a, approach_speed))
		s->marks[a] |= DISTURBED;
	if ((mark_b & CANDIDATE) && (mark_a & MOVING || is_fast) && can_move(s, a, b, approach_speed))
		s->marks[b] |= DISTURBED;
}

void rbl_solver_put_to_sleep(rbl_solver *s)
{
	if (!s->def.can_sleep || s->awake_count == 0)
		return;
	memset(s->marks, 0, (size_t)s->body_ids.slot_count);
	bool has_candidates = false;
	for (int i = 0; i < s->awake_count; ++i) {
		int body = s->awake[i];
		rbl_solver_velocity *velocity = &s->records.velocity[body];
		bool is_still =
			velocity->sleep_timer >= s->def.sleep_time || (velocity->state & RBL_SOLVER_JAMMED);
		velocity->state &= ~(uint32_t)RBL_SOLVER_JAMMED;
		bool may_sleep = is_still && s->cold[body].can_sleep && rbl_solver_is_dynamic(s, body);
		s->marks[body] = may_sleep ? CANDIDATE : is_still ? 0 : MOVING;
		has_candidates |= may_sleep;
	}
	if (!has_candidates)
		return;
	int count = 0;
	visit_pairs(s, disturb_pair, &count);
	for (int i = 0; i < s->awake_count; ++i)
		if (s->marks[s->awake[i]] == CANDIDATE)
			s->queue[count++] = s->awake[i];
	// Without memory for their contacts they stay awake: asleep without contacts, a body would not
	// wake when its support is removed.
	if (!reserve_sleeping(s, s->queue, count, CANDIDATE))
		count = 0;
	for (int i = 0; i < count; ++i)
		put_to_sleep(s, s->queue[i]);
}
