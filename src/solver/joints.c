// SPDX-License-Identifier: MIT
//
// Joints: their definitions, and the blocks that they are solved in.
//
// A joint between an active body and another has a lane in a block of eight. Blocks belong to
// colors, so that no two joints of a color share an active body, and the blocks of a color are
// solved by all workers; all joints of a block have the same parts (joint_kernels.c). What finds no
// color is in the overflow, where lanes of a block may share bodies, and masses are split as they
// are for contacts.
//
// Blocks are built anew when the joints that are active have changed, or what they are made of; the
// result depends on nothing else. Between builds a joint keeps its lane, with its impulses there.
// Those that form trees and need it are solved exactly (joint_trees.c).
//
// A joint breaks when its mean force or torque in a step exceeds its limit.

#include "solver/state.h"

#include "base/math.h"
#include "base/sort.h"

enum {
	LAST_COLOR = RBL_SOLVER_JOINT_COLORS - 1, // the overflow
	JOINT_WORK_BLOCK = 8,                     // blocks of joints, of a block of work
	MIN_SHARED_BLOCKS = 16,                   // of a color, that are worth sharing among workers
};

// A force or torque without limit.
static const float no_limit = 1e30f;

// --- parts ---------------------------------------------------------------------------------------

static int parts_of(const rbl_solver_joint *def)
{
	const int point = RBL_SOLVER_JOINT_POINT, angular = RBL_SOLVER_JOINT_ANGULAR;
	const int slides = RBL_SOLVER_JOINT_SLIDES | RBL_SOLVER_JOINT_LINEAR_ROW;
	const int row = RBL_SOLVER_JOINT_ROW, turns = RBL_SOLVER_JOINT_TURNS;
	const int springs = RBL_SOLVER_JOINT_SOFT | RBL_SOLVER_JOINT_SOFT_POINT;
	bool has_spring = def->hertz > 0.0f;
	int spring = has_spring ? row | RBL_SOLVER_JOINT_SPRING : 0;
	int motor = def->has_motor ? row | RBL_SOLVER_JOINT_MOTORS : 0;
	int limits = def->has_limits ? row | RBL_SOLVER_JOINT_LIMITS : 0;
	switch (def->kind) {
	case RBL_SOLVER_HINGE:
		return point | angular | turns | spring | motor | limits;
	case RBL_SOLVER_BALL:
		return point | (def->has_motor || has_spring ? angular | RBL_SOLVER_JOINT_SOFT : 0) |
		       limits | (def->has_cone ? RBL_SOLVER_JOINT_CONE : 0);
	case RBL_SOLVER_PRISMATIC:
		return point | angular | slides | spring | motor | limits;
	case RBL_SOLVER_DISTANCE:
		return row | RBL_SOLVER_JOINT_LINEAR_ROW | spring | motor | limits;
	case RBL_SOLVER_WHEEL:
		return point | angular | slides | turns | spring | limits |
		       (def->has_motor ? RBL_SOLVER_JOINT_SPIN : 0);
	case RBL_SOLVER_MOTOR:
		return point | angular | springs;
	default:
		return point | angular | (has_spring ? springs : 0);
	}
}

// Joints of a class have the same parts, and may share a block: the number of classes says how many
// blocks there can be.
enum { CLASSES_OF_KIND = 8, PLAIN_BALLS = CLASSES_OF_KIND * RBL_SOLVER_BALL };

static int class_of(const rbl_solver_joint *def)
{
	// No kind has two of a line.
	int parts = parts_of(def), class = CLASSES_OF_KIND * (int)def->kind;
	class += parts & (RBL_SOLVER_JOINT_SPRING | RBL_SOLVER_JOINT_SOFT) ? 1 : 0;
	class +=
		parts & (RBL_SOLVER_JOINT_MOTORS | RBL_SOLVER_JOINT_CONE | RBL_SOLVER_JOINT_SPIN) ? 2 : 0;
	class += parts & RBL_SOLVER_JOINT_LIMITS ? 4 : 0;
	return class;
}

_Static_assert(CLASSES_OF_KIND *RBL_SOLVER_JOINT_KINDS <= RBL_SOLVER_JOINT_CLASSES,
               "room for all classes");

static void count_class(rbl_solver *s, const rbl_solver_joint *def, int change)
{
	int *count = &s->joint_classes[class_of(def)];
	s->joint_class_count -= *count > 0;
	*count += change;
	s->joint_class_count += *count > 0;
}

static bool needs_extra(int parts)
{
	return (parts & ~(RBL_SOLVER_JOINT_POINT | RBL_SOLVER_JOINT_IN_TREE)) != 0;
}

// --- lanes ---------------------------------------------------------------------------------------

// Rows of floats of a struct into one lane, or back.
static void put_rows(float *rows, int lane, const void *values, int count)
{
	for (int i = 0; i < count; ++i)
		rows[i * RBL_SOLVER_LANES + lane] = ((const float *)values)[i];
}

static void get_rows(void *values, const float *rows, int lane, int count)
{
	for (int i = 0; i < count; ++i)
		((float *)values)[i] = rows[i * RBL_SOLVER_LANES + lane];
}

static rbl_solver_joint_extra *extra_of(const rbl_solver *s, int block)
{
	int index = s->joint_blocks.cold[block].extra;
	return index < 0 ? NULL : &s->joint_blocks.extra[index];
}

// What a joint carries from step to step, wherever it is.
static rbl_solver_joint_memory memory_of(const rbl_solver *s, int joint)
{
	const rbl_solver_joint_state *j = &s->joints.data[joint];
	rbl_solver_joint_memory memory = j->memory;
	if (j->slot < 0)
		return memory;
	int block = j->slot / RBL_SOLVER_LANES, lane = j->slot % RBL_SOLVER_LANES;
	get_rows(&memory, s->joint_blocks.blocks[block].impulse, lane, RBL_SOLVER_MEMORY_ROWS);
	const rbl_solver_joint_extra *extra = extra_of(s, block);
	if (extra)
		get_rows(&memory.angular_impulse, extra->angular_impulse, lane,
		         RBL_SOLVER_EXTRA_MEMORY_ROWS);
	return memory;
}

static void put_memory(rbl_solver *s, int slot, const rbl_solver_joint_memory *memory)
{
	int block = slot / RBL_SOLVER_LANES, lane = slot % RBL_SOLVER_LANES;
	put_rows(s->joint_blocks.blocks[block].impulse, lane, memory, RBL_SOLVER_MEMORY_ROWS);
	rbl_solver_joint_extra *extra = extra_of(s, block);
	if (extra)
		put_rows(extra->angular_impulse, lane, &memory->angular_impulse,
		         RBL_SOLVER_EXTRA_MEMORY_ROWS);
}

// What a lane has of a definition.
static void fill_lane(rbl_solver *s, int slot, const rbl_solver_joint *def)
{
	int block = slot / RBL_SOLVER_LANES, lane = slot % RBL_SOLVER_LANES;
	rbl_solver_joint_cold *cold = &s->joint_blocks.cold[block];
	put_rows(cold->frame_a, lane, &def->frame_a, 7);
	put_rows(cold->frame_b, lane, &def->frame_b, 7);
	bool is_soft = cold->parts & RBL_SOLVER_JOINT_SOFT_POINT;
	cold->hertz[lane] = is_soft ? def->hertz : 0.0f;
	cold->damping[lane] = is_soft ? def->damping : 1.0f;
	cold->break_force[lane] = def->break_force;
	cold->break_torque[lane] = def->break_torque;
	rbl_solver_joint_extra *extra = extra_of(s, block);
	if (!extra)
		return;
	extra->hertz[lane] = def->hertz;
	extra->damping[lane] = def->hertz > 0.0f ? def->damping : 1.0f;
	extra->target[lane] = def->target;
	extra->lower[lane] = def->has_limits ? def->lower : -1e9f;
	extra->upper[lane] = def->has_limits ? def->upper : 1e9f;
	extra->cone_angle[lane] = def->cone_angle;
	bool is_motor = def->kind == RBL_SOLVER_MOTOR, is_ball = def->kind == RBL_SOLVER_BALL;
	float unlimited = def->kind == RBL_SOLVER_WELD ? no_limit : 0.0f;
	extra->motor_speed[lane] = def->has_motor && !is_motor ? def->motor_speed : 0.0f;
	extra->motor_force[lane] = def->has_motor || is_motor ? def->motor_force : unlimited;
	extra->motor_torque[lane] = def->has_motor || is_motor ? def->motor_torque
	                            : is_ball                  ? no_limit
	                                                       : unlimited;
}

static void clear_block(rbl_solver *s, int block, int parts, int extra)
{
	memset(&s->joint_blocks.blocks[block], 0, sizeof *s->joint_blocks.blocks);
	rbl_solver_joint_cold *cold = &s->joint_blocks.cold[block];
	memset(cold, 0, sizeof *cold);
	cold->parts = parts;
	cold->extra = extra;
	for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
		cold->joint[lane] = -1;
		cold->damping[lane] = 1.0f;
		cold->frame_a[6 * RBL_SOLVER_LANES + lane] = 1.0f;
		cold->frame_b[6 * RBL_SOLVER_LANES + lane] = 1.0f;
		if (extra >= 0)
			s->joint_blocks.extra[extra].damping[lane] = 1.0f;
	}
}

// --- building the blocks -------------------------------------------------------------------------

// Bits of the bodies that are active; 0: the joint is not solved.
static int activity_of(const rbl_solver *s, int joint)
{
	if (!rbl_solver_joint_is_live(s, joint))
		return 0;
	const rbl_solver_joint *def = &s->joints.data[joint].def;
	return (rbl_solver_is_active(s, def->a) ? 1 : 0) | (rbl_solver_is_active(s, def->b) ? 2 : 0);
}

static bool blocks_are_stale(const rbl_solver *s)
{
	if (s->joints_changed)
		return true;
	for (int i = 0; i < s->joints.count; ++i)
		if (activity_of(s, i) != s->joints.data[i].activity)
			return true;
	return false;
}

static int choose_color(rbl_solver *s, const rbl_solver_joint_state *j)
{
	uint32_t inactive[2] = { 0, 0 };
	uint32_t *a = j->activity & 1 ? &s->joint_colors[j->def.a] : &inactive[0];
	uint32_t *b = j->activity & 2 ? &s->joint_colors[j->def.b] : &inactive[1];
	uint32_t free = ~(*a | *b) & ((1u << LAST_COLOR) - 1);
	if (free == 0)
		return LAST_COLOR;
	int color = rbl_lowest_one(free);
	*a |= 1u << color;
	*b |= 1u << color;
	return color;
}

// Collect the active joints in the order of color and parts.
static int sort_joints(rbl_solver *s)
{
	rbl_sort_item *items = s->joint_items.data;
	int count = 0;
	for (int i = 0; i < s->joints.count; ++i) {
		rbl_solver_joint_state *j = &s->joints.data[i];
		if (j->activity)
			s->joint_colors[j->def.a] = s->joint_colors[j->def.b] = 0;
	}
	for (int i = 0; i < s->joints.count; ++i) {
		rbl_solver_joint_state *j = &s->joints.data[i];
		if (!j->activity)
			continue;
		uint32_t color = (uint32_t)choose_color(s, j);
		items[count++] = (rbl_sort_item){ color << 16 | (uint32_t)j->parts, (uint32_t)i };
	}
	rbl_sort(items, items + s->joints.count, count);
	return count;
}

// Give joints their lanes; room was made when they were added.
static void assign_lanes(rbl_solver *s, int count)
{
	const rbl_sort_item *items = s->joint_items.data;
	int block = -1, lane = RBL_SOLVER_LANES, extra_count = 0;
	memset(s->joint_starts, 0, sizeof s->joint_starts);
	for (int i = 0; i < count; ++i) {
		int color = (int)(items[i].key >> 16), parts = (int)(items[i].key & 0xffff);
		if (lane == RBL_SOLVER_LANES || items[i].key != items[i - 1].key) {
			clear_block(s, ++block, parts, needs_extra(parts) ? extra_count++ : -1);
			RBL_ASSERT(block < s->joint_block_capacity && extra_count <= s->joint_extra_capacity);
			s->joint_blocks.cold[block].is_shared = color == LAST_COLOR;
			lane = 0;
			s->joint_starts[color + 1] = block + 1;
		}
		int joint = (int)items[i].value, slot = block * RBL_SOLVER_LANES + lane;
		rbl_solver_joint_state *j = &s->joints.data[joint];
		j->slot = slot;
		s->joint_blocks.cold[block].joint[lane] = joint;
		s->joint_blocks.blocks[block].a[lane] = j->def.a;
		s->joint_blocks.blocks[block].b[lane] = j->def.b;
		fill_lane(s, slot, &j->def);
		put_memory(s, slot, &j->memory);
		lane++;
	}
	s->joint_block_count = block + 1;
	for (int k = 0; k < RBL_SOLVER_JOINT_COLORS; ++k)
		s->joint_starts[k + 1] = rbl_maxi(s->joint_starts[k], s->joint_starts[k + 1]);
}

static void build_blocks(rbl_solver *s)
{
	for (int i = 0; i < s->joints.count; ++i) {
		rbl_solver_joint_state *j = &s->joints.data[i];
		j->memory = memory_of(s, i);
		j->slot = -1;
		j->activity = (uint8_t)activity_of(s, i);
		j->parts = j->activity ? parts_of(&j->def) : 0;
	}
	s->joints_changed = !rbl_solver_find_joint_trees(s); // then it is tried again
	s->lost_count += s->joints_changed;
	assign_lanes(s, sort_joints(s));
	rbl_solver_bind_joint_trees(s);
}

// --- the step ------------------------------------------------------------------------------------

// Blocks of joints on all workers.
typedef struct joint_work {
	rbl_solver *s;
	const rbl_solver_step_context *step;
	rbl_solver_joint_kernel *kernel;
	int first;
} joint_work;

static void run_range(void *context, int begin, int end, int worker)
{
	(void)worker;
	const joint_work *work = context;
	work->kernel(&work->s->joint_blocks, work->first + begin, work->first + end, work->step);
}

static void run_blocks(joint_work *work, int first, int count, bool is_shared)
{
	work->first = first;
	if (count <= 0)
		return;
	if (is_shared || count < MIN_SHARED_BLOCKS)
		run_range(work, 0, count, 0);
	else
		rbl_worker_group_for(work->s->workers, count, JOINT_WORK_BLOCK, run_range, work);
}

static void run_all(rbl_solver *s, const rbl_solver_step_context *step,
                    rbl_solver_joint_kernel *kernel)
{
	joint_work work = { s, step, kernel, 0 };
	run_blocks(&work, 0, s->joint_block_count, false);
}

// Color by color, the overflow first.
static void run_colors(rbl_solver *s, const rbl_solver_step_context *step,
                       rbl_solver_joint_kernel *kernel)
{
	joint_work work = { s, step, kernel, 0 };
	const int *starts = s->joint_starts;
	run_blocks(&work, starts[LAST_COLOR], starts[LAST_COLOR + 1] - starts[LAST_COLOR], true);
	for (int k = 0; k < LAST_COLOR; ++k)
		run_blocks(&work, starts[k], starts[k + 1] - starts[k], false);
}

void rbl_solver_prepare_joints(rbl_solver *s, const rbl_solver_step_context *step)
{
	if (s->joint_ids.live_count == 0 && s->joint_block_count == 0)
		return;
	if (blocks_are_stale(s))
		build_blocks(s);
	run_all(s, step, RBL_PICK(rbl_solver_prepare_joint_blocks));
	rbl_solver_prepare_joint_trees(s, step);
}

void rbl_solver_warm_start_joints(rbl_solver *s, const rbl_solver_step_context *step)
{
	if (s->joint_block_count > 0)
		run_colors(s, step, RBL_PICK(rbl_solver_warm_start_joint_blocks));
}

void rbl_solver_solve_joints(rbl_solver *s, const rbl_solver_step_context *step, bool is_soft)
{
	if (s->joint_block_count == 0)
		return;
	run_colors(s, step,
	           is_soft ? RBL_PICK(rbl_solver_solve_joint_blocks)
	                   : RBL_PICK(rbl_solver_relax_joint_blocks));
	rbl_solver_solve_joint_trees(s, step, is_soft);
}

static bool joint_breaks(const rbl_solver *s, int joint)
{
	const rbl_solver_joint *def = &s->joints.data[joint].def;
	rbl_solver_joint_memory memory = memory_of(s, joint);
	return (def->break_force > 0.0f && rbl_length(memory.force) > def->break_force) ||
	       (def->break_torque > 0.0f && rbl_length(memory.torque) > def->break_torque);
}

void rbl_solver_finish_joints(rbl_solver *s, const rbl_solver_step_context *step)
{
	if (s->joint_block_count == 0)
		return;
	rbl_solver_finish_joint_trees(s);
	run_all(s, step, RBL_PICK(rbl_solver_finish_joint_blocks));
}

void rbl_solver_break_joints(rbl_solver *s)
{
	bool some_break = false;
	for (int i = 0; i < s->joint_block_count && !some_break; ++i)
		some_break = s->joint_blocks.cold[i].breaks;
	for (int i = 0; some_break && i < s->joints.count; ++i) {
		rbl_solver_joint_state *j = &s->joints.data[i];
		if (j->slot < 0 || !joint_breaks(s, i))
			continue;
		j->is_broken = true;
		s->broken.data[s->broken.count++] = i; // room was made when it was added
		rbl_solver_wake(s, j->def.a);
		rbl_solver_wake(s, j->def.b);
	}
}

// --- adding and removing -------------------------------------------------------------------------

rbl_solver_joint rbl_default_solver_joint(void)
{
	return (rbl_solver_joint){
		.kind = RBL_SOLVER_WELD,
		.frame_a = rbl_transform_identity(),
		.frame_b = rbl_transform_identity(),
		.damping = 1.0f,
	};
}

// The most blocks that joints of some classes can need: each color and class may have one that is
// not full, in a tree and not.
static int most_blocks(int joint_count, int class_count)
{
	int64_t partial = 2 * (int64_t)RBL_SOLVER_JOINT_COLORS * class_count;
	return joint_count < joint_count / RBL_SOLVER_LANES + partial
	           ? joint_count
	           : (int)(joint_count / RBL_SOLVER_LANES + partial);
}

static bool reserve_blocks(rbl_solver *s, int joint_count, int class_count)
{
	int wanted = most_blocks(joint_count, class_count);
	if (wanted > s->joint_block_capacity) {
		int capacity = rbl_maxi(wanted, s->joint_block_capacity + s->joint_block_capacity / 2);
		rbl_growth arrays[2] = {
			{ &s->joint_blocks.blocks, sizeof *s->joint_blocks.blocks, s->joint_block_count,
			  &s->joint_block_capacity, capacity, NULL },
			{ &s->joint_blocks.cold, sizeof *s->joint_blocks.cold, s->joint_block_count,
			  &s->joint_block_capacity, capacity, NULL },
		};
		if (!rbl_grow_together(&s->allocator, arrays, 2))
			return false;
	}
	int others = joint_count - s->joint_classes[PLAIN_BALLS]; // not just a point
	wanted = most_blocks(others, class_count);
	if (wanted > s->joint_extra_capacity) {
		int capacity = rbl_maxi(wanted, s->joint_extra_capacity + s->joint_extra_capacity / 2);
		rbl_growth array = { &s->joint_blocks.extra,
			                 sizeof *s->joint_blocks.extra,
			                 s->joint_extra_capacity,
			                 &s->joint_extra_capacity,
			                 capacity,
			                 NULL };
		if (!rbl_grow_together(&s->allocator, &array, 1))
			return false;
	}
	return true;
}

void rbl_solver_free_joints(rbl_solver *s)
{
	rbl_solver_free_joint_trees(s);
	rbl_growth arrays[3] = {
		{ &s->joint_blocks.blocks, sizeof *s->joint_blocks.blocks, 0, &s->joint_block_capacity, 0,
		  NULL },
		{ &s->joint_blocks.cold, sizeof *s->joint_blocks.cold, 0, &s->joint_block_capacity, 0,
		  NULL },
		{ &s->joint_blocks.extra, sizeof *s->joint_blocks.extra, 0, &s->joint_extra_capacity, 0,
		  NULL },
	};
	rbl_free_together(&s->allocator, arrays, 3);
	rbl_array_free(&s->allocator, &s->joint_items);
	rbl_array_free(&s->allocator, &s->broken);
	rbl_array_free(&s->allocator, &s->joints);
	rbl_id_pool_free(&s->allocator, &s->joint_ids);
}

bool rbl_solver_reserve_joints(rbl_solver *s, int count)
{
	int capacity = rbl_maxi(count, s->joint_ids.slot_count);
	int more = rbl_maxi(count - s->joint_ids.live_count, 0);
	int class_count = rbl_mini(s->joint_class_count + more, RBL_SOLVER_JOINT_CLASSES);
	return rbl_id_pool_reserve(&s->allocator, &s->joint_ids, count) &&
	       rbl_array_reserve(&s->allocator, &s->joints, capacity) &&
	       rbl_array_reserve(&s->allocator, &s->broken, capacity) &&
	       rbl_array_reserve(&s->allocator, &s->joint_items, 2 * (int64_t)capacity) &&
	       reserve_blocks(s, capacity, class_count);
}

bool rbl_solver_load_joints(rbl_solver *s)
{
	for (int i = 0; i < s->joints.count; ++i)
		if (rbl_id_pool_is_live(&s->joint_ids, i))
			count_class(s, &s->joints.data[i].def, 1);
	s->joints_changed = true;
	return rbl_solver_reserve_joints(s, s->joint_ids.live_count);
}

rbl_solver_joint_state rbl_solver_saved_joint(const rbl_solver *s, int joint)
{
	rbl_solver_joint_state saved = s->joints.data[joint];
	saved.memory = memory_of(s, joint);
	return saved;
}

// The rotation of B's frame about z relative to A's, in the turn nearest to the middle of the
// limits.
static float initial_angle(const rbl_solver *s, const rbl_solver_joint *def)
{
	const rbl_solver_pose *poses = s->records.pose;
	rbl_quat a = rbl_quat_mul(poses[def->a].rotation, def->frame_a.rotation);
	rbl_quat b = rbl_quat_mul(poses[def->b].rotation, def->frame_b.rotation);
	rbl_quat q = rbl_quat_mul(rbl_quat_conjugate(a), b);
	float angle = 2.0f * rbl_atan2f(q.z, q.w);
	float middle = def->has_limits ? 0.5f * (def->lower + def->upper) : 0.0f;
	return angle + floorf((middle - angle) / (2.0f * RBL_PI_F) + 0.5f) * 2.0f * RBL_PI_F;
}

static bool has_angle(const rbl_solver_joint *def)
{
	return def->kind == RBL_SOLVER_HINGE || def->kind == RBL_SOLVER_BALL;
}

rbl_result rbl_solver_add_joint(rbl_solver *s, const rbl_solver_joint *def, int32_t *joint)
{
	RBL_ASSERT(def->a != def->b && def->a > 0 && def->b > 0);
	if (!rbl_solver_reserve_joints(s, s->joint_ids.live_count + 1))
		return RBL_OUT_OF_MEMORY;
	int index = (int)rbl_id_pool_add(&s->allocator, &s->joint_ids).index;
	s->joints.count = rbl_maxi(s->joints.count, index + 1);
	rbl_solver_joint_state *j = &s->joints.data[index];
	*j = (rbl_solver_joint_state){ .def = *def, .slot = -1 };
	if (has_angle(def))
		j->memory.coordinate = initial_angle(s, def);
	count_class(s, def, 1);
	s->joints_changed = true;
	for (int side = 0; side < 2; ++side) {
		int body = side ? def->b : def->a;
		rbl_solver_link_add(s, &s->cold[body].first_joint, 2 * index + side, rbl_solver_joint_link);
		rbl_solver_wake(s, body);
	}
	*joint = index;
	return RBL_OK;
}

void rbl_solver_remove_joint(rbl_solver *s, int joint)
{
	RBL_ASSERT(rbl_id_pool_is_live(&s->joint_ids, joint));
	for (int side = 0; side < 2; ++side) {
		int body = rbl_solver_joint_body(s, joint, side);
		rbl_solver_link_remove(s, &s->cold[body].first_joint, 2 * joint + side,
		                       rbl_solver_joint_link);
		rbl_solver_wake(s, body);
	}
	count_class(s, &s->joints.data[joint].def, -1);
	s->joints.data[joint].slot = -1;
	s->joints_changed = true;
	rbl_id_pool_remove(&s->joint_ids, rbl_id_pool_at(&s->joint_ids, joint));
}

rbl_result rbl_solver_set_joint(rbl_solver *s, int joint, const rbl_solver_joint *def)
{
	rbl_solver_joint_state *j = &s->joints.data[joint];
	rbl_solver_joint now = *def;
	now.kind = j->def.kind, now.user = j->def.user;
	now.a = j->def.a, now.b = j->def.b;
	int parts = parts_of(&now);
	bool is_like = parts == parts_of(&j->def);
	if (!is_like) {
		int class_count = rbl_mini(s->joint_class_count + 1, RBL_SOLVER_JOINT_CLASSES);
		int others = s->joint_classes[PLAIN_BALLS];
		s->joint_classes[PLAIN_BALLS] = rbl_maxi(others - 1, 0); // it may need more
		bool has_room = reserve_blocks(s, s->joint_ids.live_count, class_count);
		s->joint_classes[PLAIN_BALLS] = others;
		if (!has_room)
			return RBL_OUT_OF_MEMORY;
	}
	j->memory = memory_of(s, joint);
	if (!is_like) {
		count_class(s, &j->def, -1);
		count_class(s, &now, 1);
	}
	j->def = now;
	if (!is_like || j->slot < 0) {
		s->joints_changed = true;
		j->slot = -1;
	} else {
		fill_lane(s, j->slot, &now);
	}
	// An angle that was not followed begins where it is.
	if (has_angle(&now) && (j->slot < 0 || !(parts & RBL_SOLVER_JOINT_ROW)))
		j->memory.coordinate = initial_angle(s, &now);
	// Impulses of what is switched off are gone.
	if (!now.has_motor)
		j->memory.motor_impulse = j->memory.spin_impulse = 0.0f;
	if (!now.has_limits)
		j->memory.lower_impulse = j->memory.upper_impulse = 0.0f;
	if (!now.has_cone)
		j->memory.cone_impulse = 0.0f;
	if (!(now.hertz > 0.0f))
		j->memory.spring_impulse = 0.0f;
	if (!(parts & RBL_SOLVER_JOINT_ANGULAR))
		j->memory.angular_impulse = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	if (j->slot >= 0)
		put_memory(s, j->slot, &j->memory);
	rbl_solver_wake(s, now.a);
	rbl_solver_wake(s, now.b);
	return RBL_OK;
}

rbl_solver_joint rbl_solver_joint_values(const rbl_solver *s, int joint)
{
	return s->joints.data[joint].def;
}

rbl_solver_joint_report rbl_solver_report_joint(const rbl_solver *s, int joint)
{
	const rbl_solver_joint_state *j = &s->joints.data[joint];
	rbl_solver_joint_memory memory = memory_of(s, joint);
	return (rbl_solver_joint_report){ .force = memory.force,
		                              .torque = memory.torque,
		                              .coordinate = memory.coordinate,
		                              .is_broken = j->is_broken,
		                              .user = j->def.user };
}
