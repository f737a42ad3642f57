// SPDX-License-Identifier: MIT
//
// The step, stage by stage:
//
//   boxes      of bodies that calls have changed since the last step
//   broadphase which boxes overlap
//   pairs      records of pairs that begin and end
//   narrow     manifolds, in parallel
//   contacts   those that begin and end, in order; manifold merging
//   solver     motion
//   finish     poses back from the solver, continuous collision, boxes, sleep, events
//   promises   bodies and joints that callbacks requested
//   fracture   damage requests are worked on
//   stress     overloaded bonds fail
//   debris     freezing, baking, removing
//   commands   what callbacks requested
//
// When memory runs out before the solver, the step is not made; later it is, with what there is.
// Either way the world stays valid.

#include "world/world.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/loop_observer.h"
#include "world/recording.h"

enum { MOTION_BLOCK = 128 };

// A stage ends, and the next begins. @return its milliseconds
static double end_stage(const char *name, uint64_t *start)
{
	uint64_t now = rbl_clock_ns();
	double ms = 1e-6 * (double)(now - *start);
	*start = now;
	rbl_observe_stage(name);
	return ms;
}

static void clear_last_step(rbl_world *world)
{
	for (int i = 0; i < world->moved.count; ++i)
		world->motions[world->moved.data[i]].flags &= ~(uint32_t)(RBL_BODY_MOVED | RBL_BODY_DEEP);
	world->moved.count = 0;
	rbl_world_clear_events(world);
}

static void end_new(rbl_world *world)
{
	for (int i = 0; i < world->new_bodies.count; ++i)
		world->motions[world->new_bodies.data[i]].flags &=
			~(uint32_t)(RBL_BODY_NEW | RBL_BODY_BROKEN);
	world->new_bodies.count = 0;
}

// --- back from the solver -----------------------------------------------------------------------

// The owner of a solver's body; RBL_NONE when it is gone.
static int owner_of(const rbl_world *world, int solver_body)
{
	int body = (int)rbl_solver_poses(world->solver)[solver_body].user;
	bool is_live = body < world->body_ids.slot_count &&
	               rbl_id_pool_is_live(&world->body_ids, body) &&
	               world->bodies[body].solver_body == solver_body;
	return is_live ? body : RBL_NONE;
}

static void list_moved(rbl_world *world, rbl_solver_list list, bool must_sleep)
{
	for (int i = 0; i < list.count; ++i) {
		int body = owner_of(world, list.indices[i]);
		if (body == RBL_NONE || (world->motions[body].flags & RBL_BODY_MOVED) ||
		    (must_sleep && !rbl_solver_is_asleep(world->solver, list.indices[i])))
			continue;
		RBL_ASSERT(world->moved.count < world->moved.capacity);
		world->motions[body].flags |= RBL_BODY_MOVED;
		world->moved.data[world->moved.count++] = body;
	}
}

typedef struct motion_work {
	rbl_world *world;
	rbl_transform *old_poses;
	float *old_speeds, *old_spins; // by body: see ejection_clamp.c
	uint8_t *marks;
} motion_work;

static void read_motions(void *context, int begin, int end, int worker)
{
	(void)worker;
	const motion_work *work = context;
	rbl_world *world = work->world;
	const rbl_solver_pose *poses = rbl_solver_poses(world->solver);
	const rbl_solver_velocity *velocities = rbl_solver_velocities(world->solver);
	for (int i = begin; i < end; ++i) {
		int body = world->moved.data[i], from = world->bodies[body].solver_body;
		rbl_body_motion *m = &world->motions[body];
		work->old_poses[i] = rbl_world_motion_pose(m);
		work->old_speeds[body] = rbl_length(m->velocity);
		work->old_spins[body] = m->bounding_radius * rbl_length(m->angular_velocity);
		m->centre = poses[from].centre;
		m->rotation = poses[from].rotation;
		m->velocity = velocities[from].linear;
		m->angular_velocity = velocities[from].angular;
		work->marks[i] = rbl_world_motion_is_valid(m)
		                     ? rbl_world_mark_continuous(world, body, &work->old_poses[i])
		                     : RBL_MARK_INVALID;
		if (rbl_world_is_ejected(world, body, work->old_speeds[body]))
			work->marks[i] |= RBL_MARK_EJECTED;
		m->flags &= ~(uint32_t)(RBL_BODY_HAS_FORCE | RBL_BODY_FRESH);
	}
}

// Absurd forces, masses and joints can still end in a motion that is not finite. Such a body
// stays where it was, at rest, and its contacts and joints, which may hold the same numbers, are
// restarted.
static void rescue(rbl_world *world, int body, const rbl_transform *old_pose)
{
	rbl_body_motion *m = &world->motions[body];
	m->centre = old_pose->position;
	if (!rbl_world_motion_has_unit_rotation(m))
		m->rotation = old_pose->rotation;
	m->velocity = m->angular_velocity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	int solver_body = world->bodies[body].solver_body;
	rbl_solver_set_pose(world->solver, solver_body, m->centre, m->rotation);
	rbl_solver_set_velocity(world->solver, solver_body, m->velocity, m->angular_velocity);
	rbl_world_restart_pairs(world, body);
	rbl_world_suspend_joints(world, body);
	rbl_world_resume_joints(world, body);
	world->stats.rescued_count++;
}

// Report changes of sleep, by the solver or by calls since the last step.
static void follow_sleep(rbl_world *world, rbl_solver_list list)
{
	for (int i = 0; i < list.count; ++i) {
		int body = owner_of(world, list.indices[i]);
		if (body == RBL_NONE)
			continue;
		rbl_body_motion *m = &world->motions[body];
		// A sleeping body that became static is in the list too; static bodies are never awake.
		bool is_awake = world->bodies[body].kind != RBL_BODY_STATIC &&
		                !rbl_solver_is_asleep(world->solver, list.indices[i]);
		if (is_awake != !!(m->flags & RBL_BODY_AWAKE)) {
			m->flags ^= RBL_BODY_AWAKE;
			if (is_awake)
				rbl_world_activate_pairs(world, body);
		}
		if (is_awake == !!(m->flags & RBL_BODY_REPORTED_AWAKE))
			continue;
		m->flags ^= RBL_BODY_REPORTED_AWAKE;
		world->bodies[body].asleep_since = (uint32_t)world->stats.step_count;
		rbl_sleep_event event = { rbl_world_body_id(world, body), is_awake };
		world->lost_events += !rbl_array_push(&world->allocator, &world->sleeps, event);
	}
}

// What the solver moves must be read back, so memory for that is reserved before.
// @return false when it ran out
static bool prepare_finish(rbl_world *world, motion_work *work)
{
	rbl_arena *arena = &world->arena;
	rbl_arena_reset(arena);
	work->world = world;
	work->old_poses = RBL_ARENA_NEW(arena, rbl_transform, world->moved.capacity);
	work->marks = RBL_ARENA_NEW(arena, uint8_t, world->moved.capacity);
	work->old_speeds = RBL_ARENA_NEW(arena, float, world->body_ids.slot_count);
	work->old_spins = RBL_ARENA_NEW(arena, float, world->body_ids.slot_count);
	return work->old_poses && work->marks && work->old_speeds && work->old_spins;
}

// Poses, continuous collision, boxes. @return false when memory ran out: the next step makes
// boxes
static bool finish_step(rbl_world *world, float dt, motion_work *work)
{
	const rbl_transform *old_poses = work->old_poses;
	const uint8_t *marks = work->marks;
	list_moved(world, rbl_solver_awake(world->solver), false);
	list_moved(world, rbl_solver_fell_asleep(world->solver), true);
	rbl_parallel_for(world->def.jobs, world->moved.count, MOTION_BLOCK, read_motions, work);
	rbl_observe_stage("finish-poses");
	// The solver's lists are valid until it is changed, which rescues and sweeps do.
	follow_sleep(world, rbl_solver_fell_asleep(world->solver));
	follow_sleep(world, rbl_solver_woke(world->solver));
	rbl_world_report_solver(world);
	rbl_world_report_slides(world);
	rbl_observe_stage("finish-events");
	for (int i = 0; i < world->moved.count; ++i)
		if (marks[i] & RBL_MARK_INVALID)
			rescue(world, world->moved.data[i], &old_poses[i]);
	// Twice: a body may have explained another before it was clamped itself.
	for (int i = 0; i < 2 * world->moved.count; ++i)
		if (marks[i % world->moved.count] & RBL_MARK_EJECTED)
			rbl_world_clamp_ejection(world, world->moved.data[i % world->moved.count],
			                         &old_poses[i % world->moved.count], dt, work->old_speeds,
			                         work->old_spins);
	rbl_observe_stage("finish-clamp");
	rbl_world_stop_tunnelling(world, old_poses, marks);
	rbl_observe_stage("finish-continuous");
	if (rbl_world_update_moved_proxies(world, dt))
		return true;
	for (int i = 0; i < world->moved.count; ++i)
		rbl_world_mark_dirty(world, world->moved.data[i]);
	return false;
}

// --- the step -----------------------------------------------------------------------------------

static rbl_result detect(rbl_world *world, float dt, uint64_t *clock)
{
	rbl_world_stats *s = &world->stats;
	rbl_broadphase_result pairs;
	if (!rbl_world_update_dirty_proxies(world, dt))
		return RBL_OUT_OF_MEMORY;
	rbl_observe_stage("boxes");
	if (rbl_broadphase_update(world->broadphase, &pairs) != RBL_OK) {
		world->pairs_are_stale =
			true; // the next update tells of all, but not in a world that is loaded
		return RBL_OUT_OF_MEMORY;
	}
	s->broadphase_ms = end_stage("broadphase", clock);
	if (!rbl_world_update_pairs(world, &pairs))
		return RBL_OUT_OF_MEMORY;
	rbl_world_pay_new_pairs(world);
	s->pairs_ms = end_stage("pairs", clock);
	bool ok = rbl_world_update_manifolds(world, dt);
	s->narrow_ms = end_stage("narrow", clock);
	ok &= rbl_world_update_contacts(world);
	rbl_observe_stage("contacts");
	ok &= rbl_world_merge_manifolds(world, dt);
	world->running.count = 0;
	ok &= rbl_world_modify_contacts(world);
	s->lost_count += !ok;
	end_new(world);
	s->contacts_ms = end_stage("contacts-merge", clock);
	return RBL_OK;
}

static rbl_result step(rbl_world *world, float dt)
{
	rbl_world_stats *s = &world->stats;
	uint64_t clock = rbl_clock_ns();
	int64_t lost = s->lost_count;
	clear_last_step(world);
	// What lost its support since the last step moves in this one: its new pairs are active.
	if (world->solver)
		follow_sleep(world, rbl_solver_woke(world->solver));
	world->last_dt = dt;
	rbl_result result = detect(world, dt, &clock);
	motion_work work;
	if (result == RBL_OK && world->solver && !prepare_finish(world, &work))
		result = RBL_OUT_OF_MEMORY;
	if (result != RBL_OK)
		return result;
	if (world->solver) {
		s->lost_count += !rbl_world_set_running_surfaces(world);
		s->lost_count +=
			rbl_solver_step(world->solver, dt, world->substep_count, world->def.gravity) != RBL_OK;
		s->solver_ms = end_stage("solver", &clock);
		s->lost_count += !finish_step(world, dt, &work);
		s->finish_ms = end_stage("finish", &clock);
	}
	s->step_count++;
	return s->lost_count == lost ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_world_step(rbl_world *world, float dt)
{
	if (!world)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL");
	if (world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "a step cannot be made during a step");
	if (!(dt > 0.0f && dt <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "dt is %g, must be > 0 and at most 1", (double)dt);
	rbl_world_update_materials(world);
	rbl_record_step(world, dt);
	rbl_world_begin_budget(world);
	uint64_t start = rbl_clock_ns();
	world->is_stepping = world->is_reporting = true;
	rbl_result result = step(world, dt);
	world->is_stepping = false;
	rbl_world_keep_promises(world);
	rbl_world_update_breaks(world);
	rbl_observe_stage("fracture");
	if (world->solver)
		rbl_world_update_stress(world);
	rbl_observe_stage("stress");
	uint64_t clock = rbl_clock_ns();
	if (world->solver)
		rbl_world_retire_debris(world);
	rbl_world_bind_fractures(world);
	rbl_world_apply_commands(world);
	world->is_reporting = false;
	world->stats.debris_ms = end_stage("debris", &clock);
	world->stats.step_ms = 1e-6 * (double)(clock - start);
	rbl_record_step_end(world, result);
	return result;
}
