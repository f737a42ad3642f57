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

enum { PRESS_BLOCK = 128 }; // blocks of contacts of a block of work

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

// Whether a body touches one that is lighter than a load of it. Few do, and this reads nothing of
// the contacts but which bodies they are of.
static bool touches_lighter(const rbl_solver *s, int body, float load)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		int other = other_body(s, link);
		if (rbl_solver_is_active(s, other) && loaded_mass(s, other) < load)
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
static bool is_wedged(const rbl_solver *s, const rbl_solver_contact_block *block, int lane,
                      int body)
{
	float least = 0.0f;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i)
		least = rbl_minf(least, block->points[i].separation[lane]);
	return least < -0.1f * s->records.sleep_pose[body].radius;
}

static bool link_is_wedged(const rbl_solver *s, int link, int body)
{
	int lane;
	const rbl_solver_contact_block *block =
		rbl_solver_block_of(s, &s->contacts.data[link >> 1], &lane);
	return is_wedged(s, block, lane, body);
}

// What a body hands on to those below it that are lighter than that.
static void load_supports(work_list *w, int body, float ratio)
{
	rbl_solver *s = w->s;
	float share = share_of(w, body);
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		int other = other_body(s, link);
		if (!leads_down(w, link) || !rbl_solver_is_active(s, other) ||
		    !(ratio * loaded_mass(s, other) < share) || link_is_wedged(s, link, other) ||
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
	rbl_vec3 up;
	float largest_inverse;
	int starts[RBL_SOLVER_SLEEPING + 1]; // of lists among all blocks
} heavy_search;

// Whether A of a contact presses on B, or B on A: it may hand its own weight on to it.
static bool presses(const heavy_search *h, const rbl_solver_contact_block *block, int lane,
                    bool is_a)
{
	const rbl_solver *s = h->s;
	const float *n = block->normal + lane;
	int body = is_a ? block->a[lane] : block->b[lane];
	int other = is_a ? block->b[lane] : block->a[lane];
	float rise = h->up.x * n[0] + h->up.y * n[RBL_SOLVER_LANES] + h->up.z * n[2 * RBL_SOLVER_LANES];
	return (is_a ? rise : -rise) < -down_cosine && rbl_solver_is_active(s, body) &&
	       rbl_solver_is_active(s, other) && is_heavy(s, body, h->largest_inverse) &&
	       !is_wedged(s, block, lane, other);
}

// Which bodies of a block press on the other: a bit for A and one for B, by slot. Most contacts are
// of two bodies that are too much alike, and nothing else is read of these.
static void find_pressing(const heavy_search *h, const rbl_solver_contact_block *block,
                          uint8_t *sides)
{
	const rbl_solver_inertia *inertia = h->s->records.local_inverse_inertia;
	float mass_a[RBL_SOLVER_LANES], mass_b[RBL_SOLVER_LANES];
	for (int i = 0; i < RBL_SOLVER_LANES; ++i) {
		mass_a[i] = 1.0f / inertia[block->a[i]].inverse_mass;
		mass_b[i] = 1.0f / inertia[block->b[i]].inverse_mass;
	}
	for (int i = 0; i < RBL_SOLVER_LANES; ++i) {
		sides[i] = 0;
		if (max_ratio * mass_b[i] < mass_a[i] && presses(h, block, i, true))
			sides[i] = 1;
		else if (max_ratio * mass_a[i] < mass_b[i] && presses(h, block, i, false))
			sides[i] = 2;
	}
}

// Blocks begin to end - 1 of all lists, one after the other. The keys of their slots are free until
// the lists are sorted.
static void find_pressing_blocks(void *context, int begin, int end, int worker)
{
	(void)worker;
	const heavy_search *h = context;
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i) {
		const rbl_solver_contact_list *list = &h->s->lists[i];
		int from = rbl_maxi(begin, h->starts[i]), to = rbl_mini(end, h->starts[i + 1]);
		for (int k = from - h->starts[i]; k < to - h->starts[i]; ++k)
			find_pressing(h, &list->blocks[k], list->sort_keys + RBL_SOLVER_LANES * k);
	}
}

static bool has_heavy(const heavy_search *h)
{
	const rbl_solver *s = h->s;
	for (int i = 0; i < s->awake_count; ++i)
		if (is_heavy(s, s->awake[i], h->largest_inverse))
			return true;
	return false;
}

// Mark the bodies that press by their own weight on one which is lighter by the ratio; what others
// load hands on more. Contacts are looked through in the order in which they are in memory: one
// light body makes many heavy, and their lists lead all over it. @return whether there are any
static bool mark_pressing(heavy_search *h)
{
	rbl_solver *s = h->s;
	if (!has_heavy(h))
		return false;
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i)
		h->starts[i + 1] = h->starts[i] + rbl_solver_block_count(&s->lists[i]);
	rbl_worker_group_for(s->workers, h->starts[RBL_SOLVER_SLEEPING], PRESS_BLOCK,
	                     find_pressing_blocks, h);
	bool is_marked = false;
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i)
		for (int k = 0; k < rbl_solver_block_count(&s->lists[i]); ++k) {
			const uint8_t *sides = s->lists[i].sort_keys + RBL_SOLVER_LANES * k;
			uint64_t all;
			memcpy(&all, sides, sizeof all);
			for (int lane = 0; all != 0 && lane < RBL_SOLVER_LANES; ++lane)
				if (sides[lane] != 0) {
					const rbl_solver_contact_block *block = &s->lists[i].blocks[k];
					s->marks[sides[lane] == 1 ? block->a[lane] : block->b[lane]] = PRESSES;
					is_marked = true;
				}
		}
	return is_marked;
}

void rbl_solver_support_heavy_bodies(rbl_solver *s, rbl_vec3 gravity)
{
	float length = rbl_length(gravity);
	if (!(length > 0.0f) || s->awake_count == 0)
		return;
	work_list w = { .s = s, .up = rbl_scale(-1.0f / length, gravity) };
	heavy_search search = { .s = s, .up = w.up, .largest_inverse = find_largest_inverse(s) };
	memset(s->marks, 0, (size_t)s->body_ids.slot_count);
	if (!mark_pressing(&search))
		return;
	for (int i = 0; i < s->awake_count; ++i)
		if (s->marks[s->awake[i]] & PRESSES)
			load_supports(&w, s->awake[i], max_ratio);
	if (w.count == 0)
		return;
	while (w.count > 0) {
		int body = pop_loaded(&w);
		if (touches_lighter(s, body, load_of(s, body)))
			load_supports(&w, body, 1.0f);
	}
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
