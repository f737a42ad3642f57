// SPDX-License-Identifier: MIT
//
// Heavy bodies on light ones.
//
// An iteration moves no more momentum through a body than its own mass can carry. Under a load of a
// thousand times its mass it needs a thousand iterations to hand the load on to what it rests on,
// and until then the load sinks into it. So a light body that is pressed by a heavy one against
// something that holds it gets more inertia for the step, in proportion: a hundredth of what it
// carries. It hardly moves there, so that nobody sees the inertia; and where nothing holds it, it
// gets none, and collisions keep their momentum.
//
// Loads go down along contacts, from each heavy body: the contacts below it have equal shares of
// its mass, and what they press on carries the largest of these and hands it on. That is a coarse
// estimate, but the inertia may be wrong by a factor of several. Both loads and support are limits
// that do not depend on the order of contacts.

#include "solver/state.h"

enum { PRESS_BLOCK = 128 }; // of a block of work

// A body carries this many times its mass without help.
static const float max_ratio = 100.0f;

// Contacts below a body among which its load is divided, at most.
enum { MAX_SHARES = 16 };

// A contact leads down when the cosine is larger.
static const float down_cosine = 0.3f;

enum { LOADED = 1, QUEUED = 2, SUPPORTED = 4, PRESSES = 8 };

// Bodies that wait, each once: a ring.
typedef struct work_list {
	rbl_solver *s;
	rbl_vec3 up;
	int first, count;
} work_list;

static void push_loaded(work_list *w, int body)
{
	rbl_solver *s = w->s;
	if (s->marks[body] & QUEUED)
		return;
	s->marks[body] |= QUEUED;
	s->queue[(w->first + w->count++) % s->body_capacity] = body;
}

static int pop_loaded(work_list *w)
{
	rbl_solver *s = w->s;
	int body = s->queue[w->first];
	w->first = (w->first + 1) % s->body_capacity;
	w->count--;
	s->marks[body] &= (uint8_t)~QUEUED;
	return body;
}

static float loaded_mass(const rbl_solver *s, int body)
{
	return 1.0f / s->records.local_inverse_inertia[body].inverse_mass;
}

static int other_body(const rbl_solver *s, int link)
{
	return s->contacts.data[link >> 1].body[~link & 1];
}

static bool leads_down(const work_list *w, int link)
{
	return rbl_solver_contact_rise(w->s, link, w->up) < -down_cosine;
}

// Whether a body touches one that is lighter than a load of it by a ratio. Few do, and this reads
// nothing of the contacts but which bodies they are of.
static bool touches_lighter(const rbl_solver *s, int body, float load, float ratio)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		int other = other_body(s, link);
		if (rbl_solver_is_active(s, other) && ratio * loaded_mass(s, other) < load)
			return true;
	}
	return false;
}

static float load_of(const rbl_solver *s, int body)
{
	float mass = loaded_mass(s, body);
	return s->marks[body] & LOADED ? rbl_maxf(mass, s->loads[body]) : mass;
}

// A body's part of what each contact below it carries: no more than its load.
static float share_of(const work_list *w, int body)
{
	const rbl_solver *s = w->s;
	float load = load_of(s, body);
	int count = 0;
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next)
		count += leads_down(w, link);
	return load / (float)rbl_maxi(1, rbl_mini(count, MAX_SHARES));
}

// Whether a contact overlaps by more than a tenth of a body's radius: splinters that are wedged
// deep in others give way. With more inertia they would push these apart.
static bool is_wedged(const rbl_solver *s, int link, int body)
{
	int lane;
	const rbl_solver_contact_block *block =
		rbl_solver_block_of(s, &s->contacts.data[link >> 1], &lane);
	float least = 0.0f;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i)
		least = rbl_minf(least, block->points[i].separation[lane]);
	return least < -0.1f * s->records.sleep_pose[body].radius;
}

// What a body hands on to those below it that are lighter than that.
static void load_supports(work_list *w, int body, float ratio)
{
	rbl_solver *s = w->s;
	if (!touches_lighter(s, body, load_of(s, body), ratio))
		return;
	float share = share_of(w, body);
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		int other = other_body(s, link);
		if (!leads_down(w, link) || !rbl_solver_is_active(s, other) ||
		    !(ratio * loaded_mass(s, other) < share) || is_wedged(s, link, other) ||
		    ((s->marks[other] & LOADED) && s->loads[other] >= share))
			continue;
		s->loads[other] = share;
		s->marks[other] |= LOADED;
		push_loaded(w, other);
	}
}

// Whether something below a body holds it that carries no load from here.
static bool stands_on_others(const work_list *w, int body)
{
	const rbl_solver *s = w->s;
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		int other = other_body(s, link);
		if (leads_down(w, link) && (!rbl_solver_is_active(s, other) || !(s->marks[other] & LOADED)))
			return true;
	}
	return false;
}

static void support(work_list *w, int body)
{
	if ((w->s->marks[body] & (LOADED | SUPPORTED)) != LOADED)
		return;
	w->s->marks[body] |= SUPPORTED;
	push_loaded(w, body);
}

static void support_loaded(work_list *w)
{
	rbl_solver *s = w->s;
	for (int i = 0; i < s->awake_count; ++i)
		if ((s->marks[s->awake[i]] & LOADED) && stands_on_others(w, s->awake[i]))
			support(w, s->awake[i]);
	while (w->count > 0) {
		int body = pop_loaded(w);
		for (int link = s->cold[body].first_contact; link >= 0;
		     link = rbl_solver_contact_link(s, link)->next)
			if (rbl_solver_contact_rise(s, link, w->up) > down_cosine)
				support(w, other_body(s, link));
	}
}

// Bodies that have at least the mass that light ones do not carry without help.
static bool is_heavy(const rbl_solver *s, int body, float largest_inverse)
{
	return rbl_solver_is_dynamic(s, body) &&
	       max_ratio * s->records.local_inverse_inertia[body].inverse_mass < largest_inverse;
}

// The largest inverse mass of a body that touches something.
static float find_largest_inverse(const rbl_solver *s)
{
	float largest = 0.0f;
	for (int i = 0; i < s->awake_count; ++i) {
		int body = s->awake[i];
		if (s->records.velocity[body].state & RBL_SOLVER_TOUCHES)
			largest = rbl_maxf(largest, s->records.local_inverse_inertia[body].inverse_mass);
	}
	return largest;
}

typedef struct heavy_search {
	rbl_solver *s;
	float largest_inverse;
} heavy_search;

static void mark_pressing(void *context, int begin, int end, int worker)
{
	(void)worker;
	const heavy_search *h = context;
	rbl_solver *s = h->s;
	for (int i = begin; i < end; ++i) {
		int body = s->awake[i];
		if (is_heavy(s, body, h->largest_inverse) &&
		    touches_lighter(s, body, loaded_mass(s, body), max_ratio))
			s->marks[body] = PRESSES;
	}
}

void rbl_solver_support_heavy_bodies(rbl_solver *s, rbl_vec3 gravity)
{
	float length = rbl_length(gravity);
	if (!(length > 0.0f) || s->awake_count == 0)
		return;
	heavy_search search = { s, find_largest_inverse(s) };
	work_list w = { .s = s, .up = rbl_scale(-1.0f / length, gravity) };
	memset(s->marks, 0, (size_t)s->body_ids.slot_count);
	rbl_worker_group_for(s->workers, s->awake_count, PRESS_BLOCK, mark_pressing, &search);
	if (!memchr(s->marks, PRESSES, (size_t)s->body_ids.slot_count))
		return;
	for (int i = 0; i < s->awake_count; ++i)
		if (s->marks[s->awake[i]] & PRESSES)
			load_supports(&w, s->awake[i], max_ratio);
	if (w.count == 0)
		return;
	while (w.count > 0)
		load_supports(&w, pop_loaded(&w), 1.0f);
	support_loaded(&w);
	for (int i = 0; i < s->awake_count; ++i) {
		int body = s->awake[i];
		if ((s->marks[body] & (LOADED | SUPPORTED)) != (LOADED | SUPPORTED))
			continue;
		float scale = max_ratio * loaded_mass(s, body) / s->loads[body];
		if (!(scale < 1.0f))
			continue;
		rbl_solver_inertia *inverse = &s->records.inverse_inertia[body];
		inverse->inverse_mass *= scale;
		inverse->diagonal = rbl_scale(scale, inverse->diagonal);
		inverse->off_diagonal = rbl_scale(scale, inverse->off_diagonal);
	}
}
