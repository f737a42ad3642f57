// SPDX-License-Identifier: MIT
//
// Roundings of heavy bodies.
//
// A velocity is a float, and every impulse that a contact applies rounds it. For a ball of 235 kg
// at 9 m/s the last bit is worth as much as a brick moves at a tenth of a millimetre per second, so
// the bricks around it keep what they get of an impulse and the ball does not. And it adds up: a
// sub-step begins with the change of velocity by the last one's impulses, so their roundings are
// applied again in every sub-step that follows, up to fifteen times. Of a wall of bricks that a
// ball goes through, one step lost up to 1.3e-5 of the momentum this way.
//
// So every few sub-steps the velocities of the bodies that are much heavier than most others are
// computed anew, in doubles: what they had before impulses, and the sum of the impulses that their
// contacts have now. Those of light bodies are as exact as their share of the momentum needs.
// What the sub-steps between have lost stays lost: corrected in every fourth, the three seconds
// after a ball has hit a house took 1.6e-5 of the momentum; in every second, 3.8e-6; in each,
// 2.3e-6, for twice the work (2 % of such a step).

#include "solver/state.h"

// Bodies of so many times the median mass are heavy, in powers of two; no more than one in sixteen.
enum { HEAVY_POWER = 3, HEAVY_PART = 16 };

// Sub-steps between two corrections. The step ends with one.
enum { INTERVAL = 2 };

// What differs by more than this share of the velocities is no rounding: something else acts.
static const double most_roundoff = 1e-4;

enum { EXPONENTS = 256, HEAVY_BLOCK = 16 }; // HEAVY_BLOCK: bodies of a block of work

static int exponent_of(float positive)
{
	uint32_t bits;
	memcpy(&bits, &positive, sizeof bits);
	return (int)(bits >> 23 & 255u);
}

// Of a body that touches something; else 0.
static float inverse_mass_of(const rbl_solver *s, int body)
{
	return s->cold[body].colors != 0 ? s->records.inverse_inertia[body].inverse_mass : 0.0f;
}

// The largest exponent of the inverse mass of a heavy body: light ones have larger ones.
static int find_heavy_exponent(const rbl_solver *s)
{
	int counts[EXPONENTS] = { 0 }, all = 0, lighter = 0, heavier = 0;
	for (int i = 0; i < s->awake_count; ++i) {
		float inverse = inverse_mass_of(s, s->awake[i]);
		if (inverse > 0.0f)
			counts[exponent_of(inverse)]++, all++;
	}
	int median = EXPONENTS - 1, heavy = -1;
	while (median > 0 && 2 * (lighter += counts[median]) < all)
		--median;
	for (int i = 0; i <= median - HEAVY_POWER; ++i) {
		heavier += counts[i];
		if (heavier * HEAVY_PART > all)
			break;
		heavy = i;
	}
	return heavier > 0 ? heavy : -1;
}

void rbl_solver_list_heavy(rbl_solver *s)
{
	int heavy = find_heavy_exponent(s);
	s->heavy.count = 0;
	for (int i = 0; heavy >= 0 && i < s->awake_count; ++i) {
		int body = s->awake[i];
		float inverse = inverse_mass_of(s, body);
		bool is_heavy = inverse > 0.0f && exponent_of(inverse) <= heavy;
		if (!is_heavy || s->cold[body].first_joint >= 0 || rbl_solver_locks(s, body) != 0)
			continue;
		if (!rbl_array_push(&s->allocator, &s->heavy, body)) {
			s->lost_count++;
			return;
		}
	}
}

// As make_tangents() of lanes.h.
static void make_tangents_of(rbl_vec3 n, rbl_vec3 *t1, rbl_vec3 *t2)
{
	float sign = n.z < 0.0f ? -1.0f : 1.0f;
	float a = -1.0f / (sign + n.z), b = n.x * n.y * a;
	*t1 = (rbl_vec3){ 1.0f + sign * n.x * n.x * a, sign * b, -(sign * n.x) };
	*t2 = (rbl_vec3){ b, sign + n.y * n.y * a, -n.y };
}

// The impulse that a contact has applied to its second body.
static rbl_vec3d impulse_of(const rbl_solver_contact_block *block, int lane)
{
	enum { ROW = RBL_SOLVER_LANES };
	const float *row = block->normal + lane;
	rbl_vec3 n = { row[0], row[ROW], row[2 * ROW] }, t1, t2;
	double sum = 0.0;
	for (int k = 0; k < RBL_MAX_MANIFOLD_POINTS; ++k)
		sum += (double)block->points[k].impulse[lane];
	make_tangents_of(n, &t1, &t2);
	rbl_vec3d along = rbl_scale_d(sum, rbl_to_d(n));
	rbl_vec3d first = rbl_scale_d((double)block->friction_impulse[0][lane], rbl_to_d(t1));
	rbl_vec3d second = rbl_scale_d((double)block->friction_impulse[1][lane], rbl_to_d(t2));
	return rbl_add_d(along, rbl_add_d(first, second));
}

static void correct(rbl_solver *s, int body)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	int count = 0;
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		const rbl_solver_contact_cold *contact = &s->contacts.data[link >> 1];
		if (contact->list < 0 || contact->list == RBL_SOLVER_SLEEPING)
			continue;
		int lane;
		const rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
		rbl_vec3d impulse = impulse_of(block, lane);
		sum = block->b[lane] == body ? rbl_add_d(sum, impulse) : rbl_sub_d(sum, impulse);
		count++;
	}
	if (count < 2)
		return;
	double inverse_mass = (double)s->records.inverse_inertia[body].inverse_mass;
	rbl_vec3d free = rbl_to_d(s->records.free_velocity[body].linear);
	rbl_vec3d change = rbl_scale_d(inverse_mass, sum);
	rbl_vec3d now = rbl_add_d(free, change);
	rbl_vec3 *velocity = &s->records.velocity[body].linear;
	double most = most_roundoff * (rbl_length_d(free) + rbl_length_d(change));
	if (rbl_distance_d(now, rbl_to_d(*velocity)) <= most)
		*velocity = (rbl_vec3){ (float)now.x, (float)now.y, (float)now.z };
}

static void correct_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	rbl_solver *s = context;
	for (int i = begin; i < end; ++i)
		correct(s, s->heavy.data[i]);
}

void rbl_solver_correct_heavy(rbl_solver *s, int substep, int substep_count)
{
	if ((substep + 1) % INTERVAL != 0 && substep + 1 < substep_count)
		return;
	rbl_worker_group_for(s->workers, s->heavy.count, HEAVY_BLOCK, correct_block, s);
}
