// SPDX-License-Identifier: MIT
//
// The step: stages over bodies and contacts, on any number of workers.
//
// Bodies and the preparation of contacts are loops without order. Sweeps go colour by colour; a colour
// is one loop of a team, and one too small to share is done by the caller alone. Within a colour no two contacts share a body that moves, so the order of blocks does not
// matter and the bits are the same for any number of workers. The overflow comes first, in order.

#include "solver/state.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/math.h"
#include "base/worker_group.h"

enum {
	BODY_BLOCK = 512,   // bodies of a block of work, a multiple of eight
	SWEEP_BLOCK = 8,    // blocks of contacts
	PREPARE_BLOCK = 32, // likewise
};

typedef struct stage {
	rbl_solver *s;
	const rbl_sweep *sweep;
	rbl_contact_list *list;
	bool is_first, is_last, is_backward;
	bool is_shared;               // lanes of a block may share bodies
	int starts[RBL_SLEEPING + 1]; // of lists among all blocks
} stage;

rbl_solver_def rbl_default_solver_def(void)
{
	return (rbl_solver_def){
		.contact_hertz = 160.0f,
		.contact_damping = 5.0f,
		.push_speed = 3.0f,
		.bounce_speed = 1.0f,
		.hit_speed = 1.0f,
		.joint_hertz = 60.0f,
		.joint_damping = 5.0f,
		.speed_limit = 400.0f,
		.can_sleep = true,
		.can_freeze = true,
		.quiet_time = 0.5f,
		.quiet_distance = 0.01f,
		.quiet_angle = 2.0f * RBL_PI_F / 180.0f,
		.wake_distance = 0.002f,
		.wake_speed = 0.05f,
		.stick_speed = 0.01f,
	};
}

static rbl_result check_def(const rbl_solver_def *def)
{
	const float positive[] = { def->contact_hertz,  def->contact_damping, def->push_speed,
		                       def->joint_hertz,    def->joint_damping,   def->speed_limit,
		                       def->quiet_distance, def->quiet_angle,     def->wake_distance,
		                       def->wake_speed };
	for (size_t i = 0; i < sizeof positive / sizeof positive[0]; ++i)
		if (!(positive[i] > 0.0f && positive[i] < 1e6f))
			return rbl_fail(RBL_BAD_ARGUMENT, "value %d of the solver is %g, must be > 0", (int)i,
			                (double)positive[i]);
	if (!(def->bounce_speed >= 0.0f) || !(def->hit_speed >= 0.0f) || !(def->quiet_time >= 0.0f) ||
	    !(def->stick_speed >= 0.0f) || def->body_capacity < 0 || def->contact_capacity < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "a speed, time or capacity of the solver is negative");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function without the other");
	return RBL_OK;
}

rbl_result rbl_create_solver(const rbl_solver_def *def, rbl_solver **solver)
{
	*solver = NULL;
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_solver *s = RBL_NEW_ZERO(&allocator, rbl_solver, 1);
	if (!s)
		return RBL_OUT_OF_MEMORY;
	s->def = *def;
	s->allocator = allocator;
	for (int i = 0; i < RBL_LIST_COUNT; ++i)
		s->lists[i].lanes = RBL_LANES;
	if (!rbl_bodies_reserve(s, def->body_capacity + 1) ||
	    !rbl_id_pool_reserve(&allocator, &s->body_ids, def->body_capacity + 1) ||
	    !rbl_id_pool_reserve(&allocator, &s->contact_ids, def->contact_capacity) ||
	    !rbl_array_reserve(&allocator, &s->contacts, def->contact_capacity)) {
		rbl_destroy_solver(s);
		return RBL_OUT_OF_MEMORY;
	}
	rbl_id_pool_add(&allocator, &s->body_ids);
	rbl_bodies_init_nobody(s);
	*solver = s;
	return RBL_OK;
}

void rbl_destroy_solver(rbl_solver *s)
{
	if (!s)
		return;
	rbl_allocator allocator = s->allocator;
	rbl_array_free(&allocator, &s->broken);
	rbl_array_free(&allocator, &s->joint_order);
	rbl_array_free(&allocator, &s->joints);
	rbl_array_free(&allocator, &s->hits);
	rbl_contacts_free(s);
	rbl_bodies_free(s);
	rbl_id_pool_free(&allocator, &s->joint_ids);
	rbl_id_pool_free(&allocator, &s->contact_ids);
	rbl_id_pool_free(&allocator, &s->body_ids);
	RBL_FREE(&allocator, s, 1);
}

void rbl_solver_set_can_sleep(rbl_solver *s, bool can_sleep)
{
	s->def.can_sleep = can_sleep;
	for (int i = 1; !can_sleep && i < s->body_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->body_ids, i))
			rbl_body_wake(s, i);
}

// --- bodies --------------------------------------------------------------------------------------

static void prepare_bodies(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_bodies_prepare)(g->s->awake + begin, end - begin, &g->s->records, g->sweep);
}

static void accelerate_bodies(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_bodies_accelerate)
	(g->s->awake + begin, end - begin, &g->s->records, g->sweep, g->is_first);
}

static void move_bodies(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_bodies_move)(g->s->awake + begin, end - begin, &g->s->records, g->sweep);
}

static void finish_bodies(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_bodies_finish)(g->s->awake + begin, end - begin, &g->s->records, g->sweep);
}

static void run_bodies(stage *g, rbl_block_function *function)
{
	rbl_worker_group_for(g->s->workers, g->s->awake_count, BODY_BLOCK, function, g);
}

// --- contacts ------------------------------------------------------------------------------------

static void sort_lists(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	for (int i = begin; i < end; ++i) {
		if (i < RBL_COLOURS)
			rbl_contact_list_sort(g->s, &g->s->lists[i]);
		else
			rbl_contact_list_count(&g->s->lists[i]);
	}
}

// Blocks begin to end - 1 of all lists, one after the other.
static void prepare_contacts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	for (int i = 0; i < RBL_SLEEPING; ++i) {
		int from = rbl_maxi(begin, g->starts[i]), to = rbl_mini(end, g->starts[i + 1]);
		if (from >= to)
			continue;
		const rbl_contact_list *list = &g->s->lists[i];
		RBL_PICK(rbl_contacts_prepare)
		(list->blocks + (from - g->starts[i]), list->sides + (from - g->starts[i]), to - from,
		 &g->s->records, i == RBL_OVERFLOW);
	}
}

static void warm_contacts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_contacts_warm)
	(g->list->blocks + begin, g->list->point_counts + begin, end - begin, &g->s->records,
	 g->is_shared);
}

static void push_contacts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_contacts_push)
	(g->list->blocks + begin, g->list->point_counts + begin, g->list->marks + begin, end - begin,
	 &g->s->records, g->sweep, g->is_backward, g->is_shared);
}

static void relax_contacts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_contacts_relax)
	(g->list->blocks + begin, g->list->point_counts + begin, g->list->marks + begin, end - begin,
	 &g->s->records, g->sweep, g->is_backward, g->is_last, g->is_shared);
}

static void bounce_contacts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	RBL_PICK(rbl_contacts_bounce)
	(g->list->blocks + begin, g->list->sides + begin, end - begin, &g->s->records, g->sweep,
	 g->is_shared);
}

static void run_list(stage *g, int index, rbl_block_function *function)
{
	g->list = &g->s->lists[index];
	g->is_shared = index == RBL_OVERFLOW;
	int count = rbl_list_blocks(g->list);
	if (count == 0)
		return;
	if (index == RBL_OVERFLOW || count < RBL_LEAST_SHARED)
		function(g, 0, count, 0);
	else
		rbl_worker_group_for(g->s->workers, count, SWEEP_BLOCK, function, g);
}

static void run_contacts(stage *g, rbl_block_function *function)
{
	run_list(g, RBL_OVERFLOW, function);
	for (int i = 0; i < RBL_COLOURS; ++i)
		run_list(g, i, function);
}

static void prepare(stage *g)
{
	rbl_solver *s = g->s;
	run_bodies(g, prepare_bodies);
	rbl_worker_group_for(s->workers, RBL_SLEEPING, 1, sort_lists, g);
	g->starts[0] = 0;
	for (int i = 0; i < RBL_SLEEPING; ++i)
		g->starts[i + 1] = g->starts[i] + rbl_list_blocks(&s->lists[i]);
	rbl_worker_group_for(s->workers, g->starts[RBL_SLEEPING], PREPARE_BLOCK, prepare_contacts, g);
	rbl_joints_prepare(s, g->sweep);
}

static bool is_bouncing(const rbl_solver *s)
{
	for (int i = 0; i < RBL_SLEEPING; ++i)
		for (int k = 0; k < rbl_list_blocks(&s->lists[i]); ++k)
			for (int lane = 0; lane < RBL_LANES; ++lane)
				if (s->lists[i].sides[k].restitution[lane] > 0.0f &&
				    s->lists[i].sides[k].approach[lane] > s->def.bounce_speed)
					return true;
	return false;
}

// Lists in which something was pushed out fast.
static void relax_marked(stage *g)
{
	for (int i = RBL_OVERFLOW; i >= 0; --i) {
		const rbl_contact_list *list = &g->s->lists[i];
		int count = rbl_list_blocks(list);
		if (count > 0 && memchr(list->marks, 1, (size_t)count))
			run_list(g, i, relax_contacts);
	}
}

static void sub_step(stage *g, int index, int count)
{
	g->is_first = index == 0;
	g->is_last = index == count - 1;
	g->is_backward = index % 2;
	run_bodies(g, accelerate_bodies);
	rbl_joints_warm(g->s, g->is_first);
	if (g->is_first)
		run_contacts(g, warm_contacts);
	rbl_joints_solve(g->s, g->sweep, true);
	run_contacts(g, push_contacts);
	run_bodies(g, move_bodies);
	rbl_joints_solve(g->s, g->sweep, false);
	g->is_backward = !g->is_backward;
	if (g->is_last)
		run_contacts(g, relax_contacts);
	else
		relax_marked(g);
}

// --- the end of a step ---------------------------------------------------------------------------

static void list_hits(rbl_solver *s)
{
	s->hits.count = 0;
	for (int i = 0; i < RBL_SLEEPING; ++i)
		for (int k = 0; k < rbl_list_blocks(&s->lists[i]); ++k)
			for (int lane = 0; lane < RBL_LANES; ++lane)
				if (s->lists[i].sides[k].approach[lane] > s->def.hit_speed &&
				    s->lists[i].blocks[k].peak[lane] > 0.0f &&
				    !rbl_array_push(&s->allocator, &s->hits, s->lists[i].sides[k].contact[lane]))
					return;
}

// A spring of this frequency and damping, solved once per sub-step (Catto, "Soft constraints", 2011).
static void make_soft(rbl_sweep *sweep, float hertz, float damping, float h)
{
	float omega = 2.0f * RBL_PI_F * hertz;
	float a1 = 2.0f * damping + h * omega, a2 = h * omega * a1, a3 = 1.0f / (1.0f + a2);
	sweep->bias_rate = omega / a1;
	sweep->mass_scale = a2 * a3;
	sweep->impulse_scale = a3;
}

static rbl_sweep make_sweep(const rbl_solver *s, float dt, int substep_count, rbl_vec3 gravity)
{
	float h = dt / (float)substep_count;
	rbl_sweep sweep = {
		.h = h,
		.inverse_h = 1.0f / h,
		.push_speed = s->def.push_speed,
		.calm_speed = 0.1f,
		.bounce_speed = s->def.bounce_speed,
		.dt = dt,
		.speed_limit = s->def.speed_limit,
		.spin_limit = 0.25f * RBL_PI_F / dt, // beyond, points of a manifold lose their meaning
		.quiet_distance_squared = s->def.quiet_distance * s->def.quiet_distance,
		.quiet_cosine = rbl_cosf(0.5f * s->def.quiet_angle),
		.wake_distance = s->def.wake_distance,
		.wake_speed = s->def.wake_speed,
		.quiet_time = s->def.quiet_time,
		.stick_speed = s->def.stick_speed,
		.gravity = gravity,
		.has_forces = s->has_forces,
	};
	make_soft(&sweep, rbl_minf(s->def.contact_hertz, 1.0f / (6.0f * h)), s->def.contact_damping, h);
	return sweep;
}

typedef struct motion {
	stage g;
	int substep_count;
	uint64_t prepared, solved; // when
} motion;

static void move(rbl_worker_group *workers, void *context)
{
	motion *m = context;
	stage *g = &m->g;
	rbl_solver *s = g->s;
	s->workers = workers;
	prepare(g);
	m->prepared = rbl_clock_ns();
	for (int i = 0; i < m->substep_count; ++i)
		sub_step(g, i, m->substep_count);
	if (is_bouncing(s))
		run_contacts(g, bounce_contacts);
	m->solved = rbl_clock_ns();
	rbl_joints_finish(s, g->sweep);
	run_bodies(g, finish_bodies);
	s->workers = NULL;
}

rbl_result rbl_solver_step(rbl_solver *s, float dt, int substep_count, rbl_vec3 gravity)
{
	if (!(dt >= 0.0f && dt <= 10.0f) || substep_count < 1 || substep_count > 64 ||
	    !rbl_is_finite(gravity))
		return rbl_fail(RBL_BAD_ARGUMENT, "dt is %g, substep_count is %d", (double)dt,
		                substep_count);
	rbl_sleep_renew_lists(s);
	s->hits.count = s->broken.count = 0;
	s->lost_count = 0;
	uint64_t begun = rbl_clock_ns();
	rbl_sleep_wake_neighbours(s);
	uint64_t woken = rbl_clock_ns();
	s->wake_ns = woken - begun;
	s->prepare_ns = s->solve_ns = s->finish_ns = 0;
	if (dt >= 1e-6f) {
		rbl_sweep sweep = make_sweep(s, dt, substep_count, gravity);
		motion m = { .g = { .s = s, .sweep = &sweep }, .substep_count = substep_count };
		rbl_run_worker_group(s->def.jobs, move, &m);
		s->has_forces = false;
		list_hits(s);
		rbl_sleep_settle(s);
		s->prepare_ns = m.prepared - woken, s->solve_ns = m.solved - m.prepared;
		s->finish_ns = rbl_clock_ns() - m.solved;
	}
	s->lists_are_old = true;
	return s->lost_count ? RBL_OUT_OF_MEMORY : RBL_OK;
}

rbl_solver_list rbl_solver_awake(const rbl_solver *s)
{
	return (rbl_solver_list){ s->awake, s->awake_count };
}

rbl_solver_list rbl_solver_fell_asleep(const rbl_solver *s)
{
	return (rbl_solver_list){ s->slept, s->slept_count };
}

rbl_solver_list rbl_solver_woke(const rbl_solver *s)
{
	return (rbl_solver_list){ s->woke, s->woke_count };
}

rbl_solver_list rbl_solver_hits(const rbl_solver *s)
{
	return (rbl_solver_list){ s->hits.data, s->hits.count };
}

rbl_solver_list rbl_solver_broken(const rbl_solver *s)
{
	return (rbl_solver_list){ s->broken.data, s->broken.count };
}

static size_t body_bytes_held(const rbl_solver *s)
{
	return (size_t)s->body_capacity * (RBL_RECORD_KINDS * 32 + sizeof(rbl_body_cold) + 21);
}

static size_t bytes_held(const rbl_solver *s)
{
	size_t bytes = sizeof *s + (size_t)s->contacts.capacity * sizeof *s->contacts.data +
	               (size_t)s->joints.capacity * sizeof *s->joints.data + body_bytes_held(s);
	for (int i = 0; i < RBL_LIST_COUNT; ++i)
		bytes += (size_t)s->lists[i].block_capacity *
		         (sizeof(rbl_contact_block) + sizeof(rbl_contact_side));
	return bytes;
}

rbl_solver_counts rbl_solver_count(const rbl_solver *s)
{
	rbl_solver_counts counts = {
		.bodies = s->body_ids.live_count - 1,
		.awake_bodies = s->awake_count,
		.contacts = s->contact_ids.live_count,
		.sleeping_contacts = s->lists[RBL_SLEEPING].count,
		.joints = s->joint_ids.live_count,
		.overflow = s->lists[RBL_OVERFLOW].count,
		.islands = s->island_count,
		.wake_ns = s->wake_ns,
		.prepare_ns = s->prepare_ns,
		.solve_ns = s->solve_ns,
		.finish_ns = s->finish_ns,
		.bytes = bytes_held(s),
		.body_bytes = body_bytes_held(s),
	};
	for (int i = 0; i < RBL_SLEEPING; ++i) {
		counts.awake_contacts += s->lists[i].count;
		counts.colours += i < RBL_COLOURS && s->lists[i].count > 0;
	}
	return counts;
}
