// SPDX-License-Identifier: MIT
//
// The step: stages over bodies and contacts, on any number of workers.
//
// Bodies and the preparation of contacts are loops without order. An iteration goes color by color;
// a color is one parallel loop, or one of the calling thread when it is too small to share. Within
// a color no two contacts share a dynamic body, so the order of blocks does not matter and the bits
// are the same for any number of workers. The overflow comes first, in order.

#include "solver/state.h"

#include "base/fields.h"
#include "base/log.h"
#include "base/loop_observer.h"

enum {
	BODY_BLOCK = 128,   // bodies of a block of work, a multiple of eight
	SOLVE_BLOCK = 8,    // blocks of contacts
	PREPARE_BLOCK = 32, // likewise
};

typedef struct stage {
	rbl_solver *s;
	rbl_solver_step_context step;
	rbl_solver_body_kernel *body_kernel;
	rbl_solver_contact_kernel *contact_kernel;
	rbl_solver_contact_list *list;
	int starts[RBL_SOLVER_SLEEPING + 1]; // of lists among all blocks
	int substep_count;
	uint64_t elastic_lists; // those with restitution, as bits
} stage;

rbl_solver_def rbl_default_solver_def(void)
{
	return (rbl_solver_def){
		.contact_hertz = 160.0f,
		.contact_damping = 5.0f,
		.push_speed = 3.0f,
		.restitution_speed = 1.0f,
		.hit_speed = 1.0f,
		.joint_hertz = 60.0f,
		.joint_damping = 5.0f,
		.speed_limit = 400.0f,
		.angular_speed_limit = 10000.0f,
		.can_sleep = true,
		.sleep_time = 0.5f,
		.sleep_distance = 0.01f,
		.sleep_angle = 2.0f * RBL_PI_F / 180.0f,
		.wake_distance = 0.002f,
		.wake_speed = 0.05f,
		.stick_speed = 0.01f,
		.length_scale = 1.0f,
	};
}

#define POSITIVE(member) RBL_FIELD_RANGE(rbl_solver_def, member, FLT_MIN, 1e6)
#define NOT_NEGATIVE(member) RBL_FIELD_RANGE(rbl_solver_def, member, 0, INFINITY)

static const rbl_field def_fields[] = { POSITIVE(contact_hertz),
	                                    POSITIVE(contact_damping),
	                                    POSITIVE(push_speed),
	                                    POSITIVE(joint_hertz),
	                                    POSITIVE(joint_damping),
	                                    POSITIVE(speed_limit),
	                                    POSITIVE(angular_speed_limit),
	                                    POSITIVE(sleep_distance),
	                                    POSITIVE(sleep_angle),
	                                    POSITIVE(wake_distance),
	                                    POSITIVE(wake_speed),
	                                    POSITIVE(length_scale),
	                                    NOT_NEGATIVE(restitution_speed),
	                                    NOT_NEGATIVE(hit_speed),
	                                    NOT_NEGATIVE(sleep_time),
	                                    NOT_NEGATIVE(stick_speed),
	                                    RBL_FIELD_INT(rbl_solver_def, body_capacity, 0, INT32_MAX),
	                                    RBL_FIELD_INT(rbl_solver_def, contact_capacity, 0,
	                                                  INT32_MAX) };

static rbl_result check_def(const rbl_solver_def *def)
{
	const rbl_field *wrong = rbl_find_wrong_field(def_fields, def);
	if (wrong)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is out of range", wrong->name);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function without the other");
	return RBL_OK;
}

// See rbl_solver_def.length_scale.
static void scale_def(rbl_solver_def *def)
{
	float speed_scale = sqrtf(def->length_scale);
	def->push_speed *= speed_scale;
	def->sleep_distance *= def->length_scale;
	def->wake_distance *= def->length_scale;
	def->wake_speed *= speed_scale;
	def->stick_speed *= speed_scale;
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
	scale_def(&s->def);
	s->allocator = allocator;
	s->lists[RBL_SOLVER_OVERFLOW].is_shared = true;
	if (!rbl_solver_reserve_bodies(s, def->body_capacity + 1) ||
	    !rbl_id_pool_reserve(&allocator, &s->body_ids, def->body_capacity + 1) ||
	    !rbl_id_pool_reserve(&allocator, &s->contact_ids, def->contact_capacity) ||
	    !rbl_array_reserve(&allocator, &s->contacts, def->contact_capacity)) {
		rbl_destroy_solver(s);
		return RBL_OUT_OF_MEMORY;
	}
	rbl_id_pool_add(&allocator, &s->body_ids);
	rbl_solver_init_null_body(s);
	*solver = s;
	return RBL_OK;
}

void rbl_destroy_solver(rbl_solver *s)
{
	if (!s)
		return;
	rbl_allocator allocator = s->allocator;
	rbl_solver_free_joints(s);
	rbl_array_free(&allocator, &s->hits);
	rbl_array_free(&allocator, &s->heavy);
	rbl_solver_free_lists(s);
	rbl_array_free(&allocator, &s->contacts);
	rbl_solver_free_bodies(s);
	rbl_id_pool_free(&allocator, &s->contact_ids);
	rbl_id_pool_free(&allocator, &s->body_ids);
	RBL_FREE(&allocator, s, 1);
}

void rbl_solver_set_can_sleep(rbl_solver *s, bool can_sleep)
{
	s->def.can_sleep = can_sleep;
	for (int i = 1; !can_sleep && i < s->body_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&s->body_ids, i))
			rbl_solver_wake(s, i);
}

// --- bodies --------------------------------------------------------------------------------------

static void run_body_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	g->body_kernel(g->s->awake + begin, end - begin, &g->step);
}

static void run_bodies(stage *g, rbl_solver_body_kernel *kernel)
{
	g->body_kernel = kernel;
	rbl_worker_group_for(g->s->workers, g->s->awake_count, BODY_BLOCK, run_body_block, g);
}

// --- contacts ------------------------------------------------------------------------------------

static void sort_lists(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	for (int i = begin; i < end; ++i) {
		if (i < RBL_SOLVER_COLORS)
			rbl_solver_sort_contacts(g->s, &g->s->lists[i]);
		else
			rbl_solver_count_points(&g->s->lists[i]);
	}
}

// Blocks begin to end - 1 of all lists, one after the other.
static void prepare_contacts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i) {
		int start = g->starts[i];
		int from = rbl_maxi(begin, start), to = rbl_mini(end, g->starts[i + 1]);
		if (from < to)
			RBL_PICK(rbl_solver_prepare_contacts)
		(&g->s->lists[i], from - start, to - start, &g->step);
	}
}

static void run_contact_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	g->contact_kernel(g->list, begin, end, &g->step);
}

static void run_list(stage *g, int index, rbl_solver_contact_kernel *kernel)
{
	g->list = &g->s->lists[index];
	g->contact_kernel = kernel;
	int count = rbl_solver_block_count(g->list);
	if (count == 0)
		return;
	if (index == RBL_SOLVER_OVERFLOW || count < RBL_SOLVER_MIN_SHARED_BLOCKS)
		run_contact_block(g, 0, count, 0);
	else
		rbl_worker_group_for(g->s->workers, count, SOLVE_BLOCK, run_contact_block, g);
}

static void run_contacts(stage *g, rbl_solver_contact_kernel *kernel)
{
	run_list(g, RBL_SOLVER_OVERFLOW, kernel);
	for (int i = 0; i < RBL_SOLVER_COLORS; ++i)
		run_list(g, i, kernel);
}

// Whether a cylinder or cone does not roll: it stands on an end, or lies against two bodies or
// more, and the errors of the iterations would have it creep.
static bool stands(const rbl_solver *s, int body)
{
	int first = -1;
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = s->contacts.data[link / 2].links[link & 1].next) {
		const rbl_solver_contact_cold *contact = &s->contacts.data[link / 2];
		int other = contact->body[!(link & 1)];
		if (contact->list < 0)
			continue;
		if (contact->radius[link & 1] == 0.0f || (first >= 0 && other != first))
			return true;
		first = other;
	}
	return false;
}

// Rotation in a step beyond which manifolds of bodies that touch something lose their meaning, in
// radians.
static const float max_touching_rotation = 0.25f * RBL_PI_F;

// Whether a body meets others only to bounce off them: such hits are found in each sub-step, so it
// may rotate as fast as a free one.
static bool only_bounces(const rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = s->contacts.data[link / 2].links[link & 1].next) {
		const rbl_solver_contact_cold *contact = &s->contacts.data[link / 2];
		if (contact->list < 0)
			continue;
		const rbl_solver_cold_block *block =
			&s->lists[contact->list].cold[contact->slot / RBL_SOLVER_LANES];
		if (!(block->restitution[contact->slot % RBL_SOLVER_LANES] > 0.0f))
			return false;
	}
	return true;
}

// Note which bodies have contacts.
static void mark_touching(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	rbl_solver *s = g->s;
	bool has_bounces = g->elastic_lists != 0;
	for (int i = begin; i < end; ++i) {
		uint32_t *state = &s->records.velocity[s->awake[i]].state;
		bool touches = s->cold[s->awake[i]].colors != 0;
		if (touches && has_bounces)
			touches = !only_bounces(s, s->awake[i]);
		*state = (*state & ~(uint32_t)RBL_SOLVER_TOUCHES) | (touches ? RBL_SOLVER_TOUCHES : 0u);
		if (*state & RBL_SOLVER_HAS_ENDS)
			*state = (*state & ~(uint32_t)RBL_SOLVER_STANDS) |
			         (stands(s, s->awake[i]) ? RBL_SOLVER_STANDS : 0u);
	}
}

// Bodies that are locked along axes, in the queue. @return how many
static int list_locked(rbl_solver *s)
{
	int locked = 0;
	for (int i = 0; i < s->awake_count; ++i)
		if (s->records.velocity[s->awake[i]].state & RBL_SOLVER_LOCK_STATE)
			s->queue[locked++] = s->awake[i];
	return locked;
}

// --- running surfaces ----------------------------------------------------------------------------

void rbl_solver_set_running_surfaces(rbl_solver *s, const rbl_solver_running_surface *surfaces,
                                     int count)
{
	s->running_surfaces = surfaces;
	s->running_count = count;
}

// Zeros for all blocks of a list. @return NULL when memory ran out
static float *begin_surfaces(rbl_solver *s, rbl_solver_contact_list *list)
{
	enum { ROW = 3 * RBL_SOLVER_LANES };
	if (list->surface_velocities)
		return list->surface_memory;
	int blocks = rbl_solver_block_count(list);
	if (list->surface_capacity < blocks) {
		int capacity = list->block_capacity;
		float *memory = RBL_NEW(&s->allocator, float, (size_t)ROW *(size_t)capacity);
		if (!memory)
			return NULL;
		RBL_FREE(&s->allocator, list->surface_memory, (size_t)ROW * (size_t)list->surface_capacity);
		list->surface_memory = memory;
		list->surface_capacity = capacity;
	}
	memset(list->surface_memory, 0, (size_t)blocks * ROW * sizeof(float));
	list->surface_velocities = list->surface_memory;
	return list->surface_memory;
}

// Slots are known once lists are sorted.
static void place_running_surfaces(rbl_solver *s)
{
	for (int i = 0; i < s->running_count; ++i) {
		const rbl_solver_running_surface *running = &s->running_surfaces[i];
		const rbl_solver_contact_cold *contact = &s->contacts.data[running->contact];
		if (contact->list < 0 || contact->list == RBL_SOLVER_SLEEPING)
			continue;
		float *rows = begin_surfaces(s, &s->lists[contact->list]);
		if (!rows) {
			s->lost_count++;
			continue;
		}
		rows += contact->slot / RBL_SOLVER_LANES * 3 * RBL_SOLVER_LANES +
		        contact->slot % RBL_SOLVER_LANES;
		rows[0] = running->velocity.x;
		rows[RBL_SOLVER_LANES] = running->velocity.y;
		rows[2 * RBL_SOLVER_LANES] = running->velocity.z;
		for (int side = 0; side < 2; ++side) // it does not rest, however slow it is
			if (rbl_solver_is_active(s, contact->body[side]))
				s->records.velocity[contact->body[side]].sleep_timer = 0.0f;
	}
}

static void end_running_surfaces(rbl_solver *s)
{
	for (int i = 0; s->running_count > 0 && i < RBL_SOLVER_SLEEPING; ++i)
		s->lists[i].surface_velocities = NULL;
	s->running_surfaces = NULL;
	s->running_count = 0;
}

static void prepare(stage *g)
{
	rbl_solver *s = g->s;
	rbl_worker_group_for(s->workers, s->awake_count, BODY_BLOCK, mark_touching, g);
	int locked = list_locked(s);
	g->step.has_locks = locked > 0;
	rbl_solver_begin_locks(s, s->queue, locked);
	run_bodies(g, RBL_PICK(rbl_solver_prepare_bodies));
	rbl_solver_apply_locks(s, s->queue, locked, g->step.dt);
	rbl_solver_support_heavy_bodies(s, g->step.gravity);
	rbl_solver_prepare_joints(s, &g->step); // may change inertia
	rbl_worker_group_for(s->workers, RBL_SOLVER_SLEEPING, 1, sort_lists, g);
	place_running_surfaces(s);
	g->starts[0] = 0;
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i)
		g->starts[i + 1] = g->starts[i] + rbl_solver_block_count(&s->lists[i]);
	rbl_worker_group_for(s->workers, g->starts[RBL_SOLVER_SLEEPING], PREPARE_BLOCK,
	                     prepare_contacts, g);
}

// The most rounds of bounces in a sub-step; what has not bounced by then is stopped instead.
enum { BOUNCE_ROUNDS = 16 };

_Static_assert(RBL_SOLVER_SLEEPING <= 64, "a bit for each list");

static uint64_t find_elastic_lists(const rbl_solver *s)
{
	uint64_t lists = 0;
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i)
		for (int k = 0; k < rbl_solver_block_count(&s->lists[i]); ++k) {
			const float *restitution = s->lists[i].cold[k].restitution;
			float sum = 0.0f;
			for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane)
				sum += restitution[lane];
			if (sum > 0.0f) {
				lists |= (uint64_t)1 << i;
				break;
			}
		}
	return lists;
}

static bool has_marked(const rbl_solver_contact_list *list, const uint8_t *marks)
{
	int count = rbl_solver_block_count(list);
	return count > 0 && memchr(marks, 1, (size_t)count);
}

// See contact_kernels.c.
static void bounce(stage *g)
{
	bool goes_on = g->elastic_lists != 0;
	for (int round = 0; goes_on && round < BOUNCE_ROUNDS; ++round) {
		goes_on = false;
		for (int i = RBL_SOLVER_OVERFLOW; i >= 0; --i)
			if (g->elastic_lists >> i & 1) {
				run_list(g, i, RBL_PICK(rbl_solver_bounce_contacts));
				goes_on |= has_marked(&g->s->lists[i], g->s->lists[i].has_bounced);
			}
	}
}

// Lists in which something was pushed out fast.
static void relax_marked(stage *g)
{
	for (int i = RBL_SOLVER_OVERFLOW; i >= 0; --i)
		if (has_marked(&g->s->lists[i], g->s->lists[i].must_relax))
			run_list(g, i, RBL_PICK(rbl_solver_relax_contacts));
}

// --- impulses that are out of balance ------------------------------------------------------------
//
// The impulses on a chip that is jammed between blocks may be a million times what its mass can
// take: they hold each other. When a contact of it ends or turns, the rest of them would shoot the
// chip through the heap in the next warm start, with more energy than all of it has. So where its
// warm start makes a body faster than this, in metres per second at a length scale of 1, and than
// twice the speed of all around it, its contacts keep no more of their impulses than that. Then the
// neighbours lack what it pressed them with, and are looked at in turn. In a hit, impulses that a
// light body cannot take are right: they hand on the blow of a heavy one.
static const float max_warm_speed = 1.0f;

enum { COOLING_ROUNDS = 4 };

// The speed of a body before its warm start, or of the fastest that touches it.
static float fastest_around(const rbl_solver *s, int body)
{
	float square = rbl_length_squared(s->records.free_velocity[body].linear);
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		int other = s->contacts.data[link >> 1].body[~link & 1];
		if (s->contacts.data[link >> 1].list >= 0 && rbl_solver_is_active(s, other))
			square = rbl_maxf(square, rbl_length_squared(s->records.free_velocity[other].linear));
	}
	return sqrtf(square);
}

static void mark_unbalanced(void *context, int begin, int end, int worker)
{
	(void)worker;
	const stage *g = context;
	const rbl_solver *s = g->s;
	float least = max_warm_speed * sqrtf(s->def.length_scale);
	for (int i = begin; i < end; ++i) {
		int body = s->awake[i];
		const rbl_solver_velocity *v = &s->records.velocity[body];
		const rbl_solver_velocity *free = &s->records.free_velocity[body];
		float radius = s->records.sleep_pose[body].radius;
		float square = rbl_length_squared(rbl_sub(v->linear, free->linear)) +
		               radius * radius * rbl_length_squared(rbl_sub(v->angular, free->angular));
		s->marks[body] = 0;
		if (!(v->state & RBL_SOLVER_TOUCHES) || square <= least * least)
			continue;
		float most = least + 2.0f * fastest_around(s, body), speed = sqrtf(square);
		s->marks[body] = speed > most;
		s->loads[body] = most / speed;
	}
}

static void cool_unbalanced(stage *g)
{
	rbl_solver *s = g->s;
	if (s->awake_count == 0)
		return;
	memset(s->marks, 0, (size_t)s->body_ids.slot_count);
	g->step.marks = s->marks;
	g->step.kept_shares = s->loads;
	for (int round = 0; round < COOLING_ROUNDS; ++round) {
		rbl_worker_group_for(s->workers, s->awake_count, BODY_BLOCK, mark_unbalanced, g);
		if (!memchr(s->marks, 1, (size_t)s->body_ids.slot_count))
			return;
		run_contacts(g, RBL_PICK(rbl_solver_cool_contacts));
	}
}

static void run_substep(stage *g, int index)
{
	rbl_solver_step_context *step = &g->step;
	step->is_first = index == 0;
	step->is_last = index == g->substep_count - 1;
	step->is_backward = index % 2;
	run_bodies(g, RBL_PICK(rbl_solver_integrate_velocities));
	if (step->is_first) {
		rbl_solver_warm_start_joints(g->s, step);
		run_contacts(g, RBL_PICK(rbl_solver_warm_start_contacts));
		cool_unbalanced(g);
	}
	rbl_solver_solve_joints(g->s, step, true);
	run_contacts(g, RBL_PICK(rbl_solver_solve_contacts));
	run_bodies(g, RBL_PICK(rbl_solver_integrate_positions));
	bounce(g);
	step->is_backward = !step->is_backward;
	if (step->is_last) {
		rbl_solver_solve_joints(g->s, step, false);
		run_contacts(g, RBL_PICK(rbl_solver_relax_contacts));
	} else {
		relax_marked(g);
	}
	rbl_solver_correct_heavy(g->s, index, g->substep_count);
}

// --- the step ------------------------------------------------------------------------------------

static void list_hits(rbl_solver *s)
{
	s->hits.count = 0;
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i)
		for (int slot = 0; slot < s->lists[i].count; ++slot) {
			int lane;
			const rbl_solver_contact_block *block =
				rbl_solver_slot_block(&s->lists[i], slot, &lane);
			const rbl_solver_cold_block *cold = &s->lists[i].cold[slot / RBL_SOLVER_LANES];
			if (cold->approach_speed[lane] > s->def.hit_speed && block->peak_impulse[lane] > 0.0f &&
			    !rbl_array_push(&s->allocator, &s->hits, cold->contact[lane]))
				return;
		}
}

// Small bodies need stiffer springs: the overlap at which one carries a load does not shrink with
// them. @return how soft contacts are
static rbl_solver_softness make_contact_softness(const rbl_solver *s, float h)
{
	float scale = sqrtf(rbl_minf(s->def.length_scale, 1.0f));
	float hertz = rbl_minf(s->def.contact_hertz / scale, 1.0f / (6.0f * h));
	return rbl_solver_make_soft(hertz, s->def.contact_damping, h);
}

static rbl_solver_step_context make_context(const rbl_solver *s, float dt, int substep_count,
                                            rbl_vec3 gravity)
{
	float h = dt / (float)substep_count;
	// Where nothing has weight, nothing creeps under it, and what drifts keeps its momentum.
	bool has_weight = rbl_length_squared(gravity) > 0.0f;
	return (rbl_solver_step_context){
		.bodies = s->records,
		.dt = dt,
		.h = h,
		.substep_count = substep_count,
		.inverse_h = 1.0f / h,
		.soft = make_contact_softness(s, h),
		.joint_hertz = rbl_minf(s->def.joint_hertz, 0.25f / h),
		.joint_damping = s->def.joint_damping,
		.push_speed = s->def.push_speed,
		.relax_speed = 0.1f * sqrtf(s->def.length_scale),
		.restitution_speed = s->def.restitution_speed,
		.speed_limit = s->def.speed_limit,
		.angular_speed_limit = rbl_minf(max_touching_rotation / dt, s->def.angular_speed_limit),
		.free_speed_limit = rbl_minf(3.0f / dt, s->def.angular_speed_limit),
		.round_speed_limit = s->def.angular_speed_limit,
		.sleep_distance_squared = s->def.sleep_distance * s->def.sleep_distance,
		.round_distance_squared = 4e-4f * s->def.sleep_distance * s->def.sleep_distance,
		.sleep_cosine = rbl_cosf(0.5f * s->def.sleep_angle),
		.size_scale = 1.0f / s->def.length_scale,
		.wake_distance = s->def.wake_distance,
		.wake_speed = s->def.wake_speed,
		.sleep_time = s->def.sleep_time,
		.stick_speed = has_weight ? s->def.stick_speed : 0.0f,
		.gravity = gravity,
		.has_forces = s->has_forces,
	};
}

static void run_stages(rbl_worker_group *workers, void *context)
{
	stage *g = context;
	rbl_solver *s = g->s;
	s->workers = workers;
	g->elastic_lists = find_elastic_lists(s);
	prepare(g);
	rbl_solver_list_heavy(s);
	rbl_observe_stage("solver-prepare");
	g->step.is_beginning = true;
	bounce(g);
	g->step.is_beginning = false;
	for (int i = 0; i < g->substep_count; ++i)
		run_substep(g, i);
	rbl_solver_finish_joints(s, &g->step);
	run_bodies(g, RBL_PICK(rbl_solver_finish_bodies));
	s->workers = NULL;
}

rbl_result rbl_solver_step(rbl_solver *s, float dt, int substep_count, rbl_vec3 gravity)
{
	if (!(dt >= 0.0f && dt <= 10.0f) || substep_count < 1 || substep_count > 64 ||
	    !rbl_is_finite(gravity))
		return rbl_fail(RBL_BAD_ARGUMENT, "dt is %g, substep_count is %d", (double)dt,
		                substep_count);
	rbl_solver_renew_lists(s);
	s->hits.count = s->broken.count = 0;
	s->lost_count = 0;
	rbl_solver_wake_neighbours(s);
	rbl_solver_wake_carried(s, gravity);
	rbl_observe_stage("solver-wake");
	s->running_count = dt >= 1e-6f ? s->running_count : 0;
	if (dt >= 1e-6f) {
		stage g = { .s = s,
			        .step = make_context(s, dt, substep_count, gravity),
			        .substep_count = substep_count };
		rbl_run_worker_group(s->def.jobs, run_stages, &g);
		s->has_forces = false;
		end_running_surfaces(s);
		rbl_observe_stage("solver-sweeps");
		list_hits(s);
		rbl_solver_break_joints(s);
		rbl_solver_put_to_sleep(s);
	}
	s->lists_are_reported = true;
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

static size_t allocated_body_bytes(const rbl_solver *s)
{
	return (size_t)s->body_capacity *
	       (RBL_SOLVER_RECORD_KINDS * RBL_SOLVER_RECORD_BYTES + sizeof *s->cold + 25);
}

static size_t allocated_bytes(const rbl_solver *s)
{
	size_t bytes = sizeof *s + (size_t)s->contacts.capacity * sizeof *s->contacts.data +
	               (size_t)s->joints.capacity * sizeof *s->joints.data +
	               (size_t)s->joint_block_capacity *
	                   (sizeof *s->joint_blocks.blocks + sizeof *s->joint_blocks.cold) +
	               (size_t)s->joint_extra_capacity * sizeof *s->joint_blocks.extra +
	               allocated_body_bytes(s);
	for (int i = 0; i < RBL_SOLVER_LIST_COUNT; ++i)
		bytes += (size_t)s->lists[i].block_capacity *
		         (sizeof *s->lists[i].blocks + sizeof *s->lists[i].cold);
	return bytes;
}

rbl_solver_counts rbl_solver_count(const rbl_solver *s)
{
	rbl_solver_counts counts = {
		.bodies = s->body_ids.live_count - 1,
		.awake_bodies = s->awake_count,
		.contacts = s->contact_ids.live_count,
		.sleeping_contacts = s->lists[RBL_SOLVER_SLEEPING].count,
		.joints = s->joint_ids.live_count,
		.overflow = s->lists[RBL_SOLVER_OVERFLOW].count,
		.bytes = allocated_bytes(s),
		.body_bytes = allocated_body_bytes(s),
	};
	for (int i = 0; i < RBL_SOLVER_SLEEPING; ++i) {
		counts.awake_contacts += s->lists[i].count;
		counts.colors += i < RBL_SOLVER_COLORS && s->lists[i].count > 0;
	}
	return counts;
}
