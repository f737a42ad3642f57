// SPDX-License-Identifier: MIT
//
// The ejection clamp: what is squeezed is not shot away.
//
// A light body between heavy ones that press on each other has contacts that contradict each
// other: each wants a little speed along its normal, and where two normals are nearly opposite,
// only a huge speed across both satisfies them. None of that is real. A body with contacts leaves
// a step no faster than they explain: its own speed, twice the speed of the fastest body that it
// touched, which is what a bounce off something heavy can give, and the speed at which
// penetration is pushed out. A bounce turns rotation into speed, so where contacts have restitution
// the speed of its surface counts, too. Forces and joints may do more, so bodies with those are
// left alone. The momentum that is taken goes to the bodies that it touches, and the body is put
// back to where the speed that is left takes it: at a thousand metres per second a step is long.

#include "world/world.h"

#include "world/impulses.h"

// Gains of speed below this need no explanation, in metres per second.
static const float free_change = 4.0f;

// Speed that pushing penetration out may give.
static const float pushout_speed = 3.0f;

static bool bounces(const rbl_world *world, int pair)
{
	const rbl_pair_record *record = &world->pairs[pair];
	RBL_EACH_CONTACT (contact, world, pair) {
		const rbl_manifold *m = &world->contacts.data[contact].manifold;
		if (rbl_world_part_material(world, record->a, m->child_a)->restitution > 0.0f ||
		    rbl_world_part_material(world, record->b, m->child_b)->restitution > 0.0f)
			return true;
	}
	return false;
}

static bool has_bounced(const rbl_world *world, int body)
{
	RBL_EACH_PART (p, world, body) {
		RBL_EACH_PAIR (pair, world, p)
			if (bounces(world, pair))
				return true;
	}
	return false;
}

// The speed that the contacts of a body explain. @return how many contacts there are
static int explained_speed(const rbl_world *world, int body, const float *old_speeds, float *speed)
{
	int count = 0;
	float mass = world->bodies[body].mass;
	*speed = 0.0f;
	RBL_EACH_PART (p, world, body) {
		RBL_EACH_PAIR (pair, world, p) {
			const rbl_pair_record *record = &world->pairs[pair];
			if (record->contact == RBL_NONE || (record->flags & RBL_PAIR_SENSOR))
				continue;
			int other = world->hot_parts[record->a == p ? record->b : record->a].body;
			const rbl_body_motion *m = &world->motions[other];
			count++;
			if (!(m->flags & RBL_BODY_MOVED))
				continue;
			*speed = rbl_maxf(*speed, old_speeds[other]);
			bool is_heavy =
				world->bodies[other].kind != RBL_BODY_DYNAMIC || world->bodies[other].mass > mass;
			if (is_heavy) // it may have been hit in this step, and passed that on
				*speed = rbl_maxf(*speed, rbl_length(m->velocity));
		}
	}
	return count;
}

bool rbl_world_is_ejected(const rbl_world *world, int body, float old_speed)
{
	const rbl_body_motion *m = &world->motions[body];
	const rbl_body *b = &world->bodies[body];
	float most = old_speed + rbl_world_speed(world, free_change);
	return rbl_length_squared(m->velocity) > most * most && b->kind == RBL_BODY_DYNAMIC &&
	       b->first_joint == RBL_NONE && !(m->flags & RBL_BODY_HAS_FORCE);
}

// It has moved in the step as fast as it was. @param speed  that it is left with
static void move_back(rbl_world *world, int body, const rbl_transform *old_pose, float dt,
                      float speed)
{
	rbl_body_motion *m = &world->motions[body];
	rbl_vec3 moved = rbl_sub(m->centre, old_pose->position);
	float distance = rbl_length(moved);
	if (!(distance > dt * speed))
		return;
	m->centre = rbl_add_scaled(old_pose->position, dt * speed / distance, moved);
	rbl_solver_put_back(world->solver, world->bodies[body].solver_body, m->centre, m->rotation,
	                    false);
}

void rbl_world_clamp_ejection(rbl_world *world, int body, const rbl_transform *old_pose, float dt,
                              const float *old_speeds, const float *old_spins)
{
	rbl_body_motion *m = &world->motions[body];
	const rbl_body *b = &world->bodies[body];
	float speed = rbl_length(m->velocity), explained;
	if (explained_speed(world, body, old_speeds, &explained) == 0)
		return;
	float own = old_speeds[body], spin = old_spins[body];
	if (has_bounced(world, body))
		own = sqrtf(own * own + spin * spin);
	float most = own + 2.0f * explained + rbl_world_speed(world, pushout_speed);
	if (!(speed > most))
		return;
	// What it loses goes back to what it touches, which had pushed it and was pushed by it.
	float slower = 1.0f - most / speed;
	slower *= rbl_world_return_momentum(world, body, rbl_scale(slower * b->mass, m->velocity));
	m->velocity = rbl_scale(1.0f - slower, m->velocity);
	m->angular_velocity = rbl_scale(1.0f - slower, m->angular_velocity);
	rbl_solver_set_velocity(world->solver, b->solver_body, m->velocity, m->angular_velocity);
	move_back(world, body, old_pose, dt, rbl_length(m->velocity));
	world->stats.ejection_clamp_count++;
}
