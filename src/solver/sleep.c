// SPDX-License-Identifier: MIT
//
// Sleep. A body at rest costs nothing: it leaves the list of awake bodies, and contacts between bodies
// that sleep leave the sweeps.
//
// Two rules. With whole islands, bodies that touch each other, directly or through others, sleep when
// all of them have been quiet for a while. In rubble that is too strict: one moving stone keeps ten
// thousand awake. So a body may also sleep by itself (it freezes), when it is quiet and so are all
// its neighbours: between what sleeps and what moves, one ring of quiet bodies stays awake. To them
// a frozen body is as good as the ground.
//
// A body stirs when it has moved by 2 mm since it last did, or is faster than 5 cm/s, and large ones by
// up to four times that; then what sleeps beside it wakes. When it is fast enough to bounce, so does
// what sleeps beside that: a shock runs two hops per step. Of slow motion the second hop would
// only wake what then lies still, and in a heap that settles most of what is awake would be such. Touch
// alone wakes nobody. Where material still arrives, contacts close fast, and their bodies do not sleep.
//
// All of this is about what one body can do to another: a pebble that rolls over a wall keeps nothing
// of the wall awake. A neighbour counts when its momentum would move the other by a tenth of the speed
// that counts as stirring.

#include "solver/state.h"

enum {
	STIRS = 1,      // moves its neighbours
	SLEEPS = 2,     // asleep
	QUIET = 4,      // may sleep
	RESTLESS = 8,   // moves
	DISTURBED = 16, // a neighbour moves
	SHAKES = 32,    // moves its neighbours, so hard that they move theirs
	WOKEN = 64,     // wakes in this step
	SHAKEN = 128,   // likewise, and its neighbours too
};

void rbl_sleep_renew_lists(rbl_solver *s)
{
	if (!s->lists_are_old)
		return;
	for (int i = 0; i < s->woke_count; ++i)
		s->cold[s->woke[i]].is_noted_awake = false;
	for (int i = 0; i < s->slept_count; ++i)
		s->cold[s->slept[i]].is_noted_asleep = false;
	s->woke_count = s->slept_count = 0;
	s->lists_are_old = false;
}

void rbl_body_wake(rbl_solver *s, int body)
{
	rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
	if (velocity->state & RBL_SOLVER_IS_FROZEN)
		return;
	velocity->quiet_time = 0.0f;
	if (!(velocity->state & RBL_SOLVER_IS_ASLEEP))
		return;
	rbl_sleep_renew_lists(s);
	velocity->state &= ~(uint32_t)RBL_SOLVER_IS_ASLEEP;
	s->sleeping_count--;
	rbl_body_load_inertia(s, body);
	rbl_awake_list_add(s, body);
	rbl_body_replace_contacts(s, body);
	if (!s->cold[body].is_noted_awake) {
		s->cold[body].is_noted_awake = true;
		s->woke[s->woke_count++] = body;
	}
}

bool rbl_sleep_reserve(rbl_solver *s, const int32_t *bodies, int count, bool are_quiet)
{
	rbl_contact_list *list = &s->lists[RBL_SLEEPING];
	int more = 0;
	for (int i = 0; i < count; ++i)
		for (int link = s->cold[bodies[i]].first_contact; link >= 0;
		     link = rbl_contact_link(s, link)->next) {
			const rbl_contact_cold *contact = &s->contacts.data[link >> 1];
			int other = contact->body[~link & 1];
			if (contact->list < 0 || contact->list == RBL_SLEEPING)
				continue;
			bool sleeps_too = are_quiet && s->marks[other] == QUIET;
			more += sleeps_too ? link & 1 : !rbl_body_is_active(s, other); // once for both
		}
	return rbl_contact_list_reserve(s, list, list->count + more);
}

void rbl_body_sleep(rbl_solver *s, int body)
{
	RBL_ASSERT(rbl_body_is_active(s, body));
	rbl_sleep_renew_lists(s);
	rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
	velocity->state = RBL_SOLVER_IS_DYNAMIC | RBL_SOLVER_IS_ASLEEP;
	velocity->linear = velocity->angular = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	s->sleeping_count++;
	rbl_body_load_inertia(s, body);
	rbl_body_forget_motion(s, body);
	rbl_awake_list_remove(s, body);
	rbl_body_replace_contacts(s, body);
	if (!s->cold[body].is_noted_asleep) {
		s->cold[body].is_noted_asleep = true;
		s->slept[s->slept_count++] = body;
	}
}

void rbl_solver_freeze(rbl_solver *s, int body, bool is_frozen)
{
	uint32_t *state = &rbl_velocity_of(s, body)->state;
	RBL_ASSERT(!is_frozen || (*state & RBL_SOLVER_IS_ASLEEP));
	*state = is_frozen ? *state | RBL_SOLVER_IS_FROZEN : *state & ~(uint32_t)RBL_SOLVER_IS_FROZEN;
}

// Of its fastest point, at most.
static float speed_of(const rbl_solver *s, int body)
{
	const rbl_solver_velocity *v = rbl_velocity_of(s, body);
	return rbl_length(v->linear) + rbl_record(s->records.rest, body)[3] * rbl_length(v->angular);
}

// Whether a body that moves, at least this fast, is heavy enough to move its neighbour.
static bool can_move(const rbl_solver *s, int mover, int other, float speed)
{
	float own = rbl_record(s->records.inverse, mover)[3]; // zero: nothing resists it
	float its = rbl_record(s->records.inverse, other)[3];
	speed = rbl_maxf(speed, speed_of(s, mover));
	return its * rbl_maxf(speed, s->def.wake_speed) >= 0.1f * s->def.wake_speed * own;
}

// --- waking --------------------------------------------------------------------------------------

// Note that a body wakes because of one that moves, if it sleeps.
static void wake_later(rbl_solver *s, int mover, int body, int *count)
{
	if (s->marks[body] == SLEEPS)
		s->queue[(*count)++] = body;
	else if (s->marks[body] != WOKEN)
		return;
	s->marks[body] = s->marks[mover] == SHAKES ? SHAKEN : WOKEN;
}

static bool is_mover(const rbl_solver *s, int body)
{
	return s->marks[body] == STIRS || s->marks[body] == SHAKES;
}

static void wake_pair(rbl_solver *s, int a, int b, int *count)
{
	if (is_mover(s, a) && can_move(s, a, b, 0.0f))
		wake_later(s, a, b, count);
	else if (is_mover(s, b) && can_move(s, b, a, 0.0f))
		wake_later(s, b, a, count);
}

static int mark_of(const rbl_solver *s, int body)
{
	const rbl_solver_velocity *v = rbl_velocity_of(s, body);
	if (v->state & RBL_SOLVER_IS_FROZEN)
		return 0;
	if (v->state & RBL_SOLVER_IS_ASLEEP)
		return SLEEPS;
	if (!(v->state & RBL_STATE_STIRS))
		return 0;
	bool yields = rbl_body_is_dynamic(s, body) && speed_of(s, body) < s->def.bounce_speed;
	return yields ? STIRS : SHAKES;
}

static void wake_linked(rbl_solver *s, int body, int *count)
{
	for (int link = s->cold[body].first_contact; link >= 0; link = rbl_contact_link(s, link)->next)
		if (s->contacts.data[link >> 1].list >= 0 &&
		    can_move(s, body, s->contacts.data[link >> 1].body[~link & 1], 0.0f))
			wake_later(s, body, s->contacts.data[link >> 1].body[~link & 1], count);
	for (int link = s->cold[body].first_joint; link >= 0; link = rbl_joint_link(s, link)->next)
		if (!s->joints.data[link >> 1].is_broken)
			wake_later(s, body, rbl_joint_body(s, link >> 1, ~link & 1), count);
}

void rbl_sleep_wake_neighbours(rbl_solver *s)
{
	if (s->sleeping_count == 0)
		return;
	for (int i = 0; i < s->body_ids.slot_count; ++i)
		s->marks[i] = (uint8_t)mark_of(s, i);
	int count = 0;
	for (int colour = 0; colour < RBL_SLEEPING; ++colour) {
		const rbl_contact_list *list = &s->lists[colour];
		for (int i = 0; i < list->count; ++i) {
			int lane;
			const rbl_contact_block *block = rbl_slot_block(list, i, &lane);
			wake_pair(s, block->a[lane], block->b[lane], &count);
		}
	}
	for (int i = 0; i < s->joints.count; ++i)
		if (rbl_joint_is_live(s, i))
			wake_pair(s, s->joints.data[i].def.a, s->joints.data[i].def.b, &count);
	// Contacts of kinematic bodies with sleeping ones are not among those.
	for (int i = 0; i < s->awake_count; ++i)
		if (!rbl_body_is_dynamic(s, s->awake[i]) && is_mover(s, s->awake[i]))
			wake_linked(s, s->awake[i], &count);
	int first_hop = count;
	for (int i = 0; i < first_hop; ++i)
		if (s->marks[s->queue[i]] == SHAKEN)
			wake_linked(s, s->queue[i], &count);
	for (int i = 0; i < count; ++i)
		rbl_body_wake(s, s->queue[i]);
}

// --- falling asleep ------------------------------------------------------------------------------

static int find_root(int32_t *parents, int body)
{
	while (parents[body] != body) {
		parents[body] = parents[parents[body]];
		body = parents[body];
	}
	return body;
}

// The lower index becomes the root, so that roots do not depend on the order of pairs.
static void join(int32_t *parents, int a, int b)
{
	a = find_root(parents, a), b = find_root(parents, b);
	if (a < b)
		parents[b] = a;
	else
		parents[a] = b;
}

// Look at a pair that touches: neighbours disturb each other, and islands are joined.
static void visit_pair(rbl_solver *s, int a, int b, float approach)
{
	int mark_a = s->marks[a], mark_b = s->marks[b];
	bool is_bullet = approach > s->def.wake_speed;
	if ((mark_a & QUIET) && (mark_b & RESTLESS || is_bullet) && can_move(s, b, a, approach))
		s->marks[a] |= DISTURBED;
	if ((mark_b & QUIET) && (mark_a & RESTLESS || is_bullet) && can_move(s, a, b, approach))
		s->marks[b] |= DISTURBED;
	if (!s->def.can_freeze && rbl_body_is_active(s, a) && rbl_body_is_active(s, b))
		join(s->parents, a, b);
}

static void visit_pairs(rbl_solver *s)
{
	for (int colour = 0; colour < RBL_SLEEPING; ++colour) {
		const rbl_contact_list *list = &s->lists[colour];
		for (int i = 0; i < list->count; ++i) {
			int lane;
			const rbl_contact_block *block = rbl_slot_block(list, i, &lane);
			float approach = list->sides[i / list->lanes].approach[lane];
			visit_pair(s, block->a[lane], block->b[lane], approach);
		}
	}
	for (int i = 0; i < s->joints.count; ++i)
		if (rbl_joint_is_live(s, i))
			visit_pair(s, s->joints.data[i].def.a, s->joints.data[i].def.b, 0.0f);
}

// An island sleeps when all of its bodies are quiet: spread what is not over the roots.
static void mark_islands(rbl_solver *s)
{
	s->island_count = 0;
	for (int i = 0; i < s->awake_count; ++i) {
		int body = s->awake[i];
		if (!rbl_body_is_dynamic(s, body))
			continue;
		int root = find_root(s->parents, body);
		s->island_count += root == body;
		if (s->marks[body] != QUIET)
			s->marks[root] |= DISTURBED;
	}
	for (int i = 0; i < s->awake_count; ++i) {
		int body = s->awake[i];
		if (rbl_body_is_dynamic(s, body) && s->marks[find_root(s->parents, body)] != QUIET)
			s->marks[body] |= DISTURBED;
	}
}

void rbl_sleep_settle(rbl_solver *s)
{
	if (!s->def.can_sleep)
		return;
	memset(s->marks, 0, (size_t)s->body_ids.slot_count);
	bool is_any_quiet = false;
	for (int i = 0; i < s->awake_count; ++i) {
		int body = s->awake[i];
		const rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
		bool is_quiet = velocity->quiet_time >= s->def.quiet_time;
		bool may_sleep = is_quiet && s->cold[body].can_sleep && rbl_body_is_dynamic(s, body);
		s->marks[body] = may_sleep ? QUIET : is_quiet ? 0 : RESTLESS;
		s->parents[body] = body;
		is_any_quiet |= may_sleep;
	}
	if (!is_any_quiet && s->def.can_freeze)
		return;
	visit_pairs(s);
	if (!s->def.can_freeze)
		mark_islands(s);
	int count = 0;
	for (int i = 0; i < s->awake_count; ++i)
		if (s->marks[s->awake[i]] == QUIET)
			s->queue[count++] = s->awake[i];
	// A body whose contacts have no place among those that sleep stays awake: asleep without them, it would not
	// hear of it when what it leans on goes.
	if (!rbl_sleep_reserve(s, s->queue, count, true))
		count = 0;
	for (int i = 0; i < count; ++i)
		rbl_body_sleep(s, s->queue[i]);
}
