// SPDX-License-Identifier: MIT
//
// Bodies: adding, removing, changing.
//
// All arrays of bodies lie in one block of memory, so that growing either succeeds for all or changes
// nothing. A body that sleeps has no inverse mass in its hot record: to the sweeps it is a static
// one, and nothing else has to know.

#include "solver/state.h"

#include "base/log.h"

static size_t array_bytes(int capacity, size_t size)
{
	return ((size_t)capacity * size + RBL_CACHE_LINE - 1) & ~(size_t)(RBL_CACHE_LINE - 1);
}

enum { INDEX_ARRAYS = 5 }; // awake woke slept queue parents

static size_t body_bytes(int capacity)
{
	return RBL_RECORD_KINDS * array_bytes(capacity, RBL_RECORD * sizeof(float)) +
	       array_bytes(capacity, sizeof(rbl_body_cold)) +
	       INDEX_ARRAYS * array_bytes(capacity + RBL_LANES, sizeof(int32_t)) +
	       array_bytes(capacity, 1);
}

static void *take(char **cursor, const void *old, int count, int capacity, int room, size_t size)
{
	char *memory = *cursor;
	*cursor += array_bytes(capacity + room, size);
	if (old)
		memcpy(memory, old, (size_t)count * size);
	return memory;
}

static void clear_rest(void *memory, int count, int capacity, size_t size)
{
	memset((char *)memory + (size_t)count * size, 0, (size_t)(capacity - count) * size);
}

bool rbl_bodies_reserve(rbl_solver *s, int count)
{
	if (count <= s->body_capacity)
		return true;
	if (count > INT32_MAX / 4)
		return false;
	int capacity = rbl_maxi(count, rbl_maxi(64, s->body_capacity + s->body_capacity / 2));
	char *cursor = rbl_allocate(&s->allocator, 1, body_bytes(capacity));
	if (!cursor)
		return false;
	void *memory = cursor;
	int live = rbl_mini(s->body_ids.slot_count, s->body_capacity);
	float **arrays = (float **)(void *)&s->records;
	for (int i = 0; i < RBL_RECORD_KINDS; ++i)
		arrays[i] = take(&cursor, arrays[i], live, capacity, 0, RBL_RECORD * sizeof(float));
	s->cold = take(&cursor, s->cold, live, capacity, 0, sizeof(rbl_body_cold));
	s->awake = take(&cursor, s->awake, s->awake_count, capacity, RBL_LANES, sizeof(int32_t));
	s->woke = take(&cursor, s->woke, s->woke_count, capacity, RBL_LANES, sizeof(int32_t));
	s->slept = take(&cursor, s->slept, s->slept_count, capacity, RBL_LANES, sizeof(int32_t));
	s->queue = take(&cursor, NULL, 0, capacity, RBL_LANES, sizeof(int32_t));
	s->parents = take(&cursor, NULL, 0, capacity, RBL_LANES, sizeof(int32_t));
	s->marks = take(&cursor, NULL, 0, capacity, 0, 1);
	// The records of bodies to come are left alone: a burst that makes the arrays grow would pay for
	// memory that it does not use.
	clear_rest(s->cold, live, capacity, sizeof(rbl_body_cold));
	clear_rest(s->awake, s->awake_count, capacity + RBL_LANES, sizeof(int32_t));
	rbl_release(&s->allocator, s->body_memory, 1, body_bytes(s->body_capacity));
	s->body_memory = memory;
	s->body_capacity = capacity;
	return true;
}

void rbl_bodies_free(rbl_solver *s)
{
	rbl_release(&s->allocator, s->body_memory, 1, body_bytes(s->body_capacity));
}

void rbl_awake_list_add(rbl_solver *s, int body)
{
	RBL_ASSERT(s->cold[body].awake_slot < 0);
	s->cold[body].awake_slot = s->awake_count;
	s->awake[s->awake_count++] = body;
}

void rbl_awake_list_remove(rbl_solver *s, int body)
{
	int slot = s->cold[body].awake_slot;
	RBL_ASSERT(slot >= 0 && s->awake[slot] == body);
	int last = s->awake[--s->awake_count];
	s->awake[slot] = last;
	s->cold[last].awake_slot = slot;
	s->awake[s->awake_count] = 0;
	s->cold[body].awake_slot = -1;
}

rbl_solver_body rbl_default_solver_body(void)
{
	return (rbl_solver_body){
		.rotation = rbl_quat_identity(),
		.inverse_mass = 1.0f,
		.inverse_inertia = rbl_mat_identity(),
		.radius = 1.0f,
		.gravity_scale = 1.0f,
		.kind = RBL_SOLVER_DYNAMIC,
		.can_sleep = true,
	};
}

void rbl_body_load_inertia(rbl_solver *s, int body)
{
	float *hot = rbl_record(s->records.inertia, body);
	memset(hot, 0, RBL_RECORD * sizeof(float));
	if (!rbl_body_is_active(s, body))
		return;
	const float *own = rbl_record(s->records.inverse, body);
	rbl_mat3 m = { { own[0], own[4], own[5] },
		           { own[4], own[1], own[6] },
		           { own[5], own[6], own[2] } };
	rbl_mat3 r = rbl_quat_to_mat(rbl_pose_of(s, body)->rotation);
	rbl_mat3 world = rbl_mat_mul(rbl_mat_mul(r, m), rbl_mat_transpose(r));
	hot[0] = world.x.x, hot[1] = world.y.y, hot[2] = world.z.z, hot[3] = own[3];
	hot[4] = world.x.y, hot[5] = world.x.z, hot[6] = world.y.z;
}

// Masses, damping and the like; pose and velocity are set.
static void load_values(rbl_solver *s, int body, const rbl_solver_body *v)
{
	rbl_body_cold *cold = &s->cold[body];
	bool is_dynamic = v->kind == RBL_SOLVER_DYNAMIC;
	cold->kind = (uint8_t)v->kind;
	cold->can_sleep = v->can_sleep;

	float *inverse = rbl_record(s->records.inverse, body);
	float *direct = rbl_record(s->records.direct, body);
	memset(inverse, 0, RBL_RECORD * sizeof(float));
	memset(direct, 0, RBL_RECORD * sizeof(float));
	if (is_dynamic) {
		rbl_mat3 m = v->inverse_inertia;
		inverse[0] = m.x.x, inverse[1] = m.y.y, inverse[2] = m.z.z, inverse[3] = v->inverse_mass;
		inverse[4] = m.x.y, inverse[5] = m.x.z, inverse[6] = m.y.z, inverse[7] = v->gravity_scale;
		rbl_mat3d d = { rbl_to_d(m.x), rbl_to_d(m.y), rbl_to_d(m.z) };
		d = rbl_mat_inverse_d(d);
		direct[0] = (float)d.x.x, direct[1] = (float)d.y.y, direct[2] = (float)d.z.z;
		direct[4] = (float)d.x.y, direct[5] = (float)d.x.z, direct[6] = (float)d.y.z;
		direct[3] = v->linear_damping, direct[7] = v->angular_damping;
	}
	rbl_record(s->records.rest, body)[3] = v->radius;
	uint32_t *state = &rbl_velocity_of(s, body)->state;
	*state &= RBL_SOLVER_IS_ASLEEP;
	*state |= is_dynamic                        ? RBL_SOLVER_IS_DYNAMIC
	          : v->kind == RBL_SOLVER_KINEMATIC ? RBL_SOLVER_IS_KINEMATIC
	                                            : 0;
	rbl_pose_of(s, body)->user = v->user;
	rbl_body_load_inertia(s, body);
}

// The body is here now, and has only just come.
static void reset_rest(rbl_solver *s, int body)
{
	float *rest = rbl_record(s->records.rest, body), *stir = rbl_record(s->records.stir, body);
	float radius = rest[3];
	memcpy(rest, rbl_record(s->records.pose, body), RBL_RECORD * sizeof(float));
	rest[3] = radius;
	memcpy(stir, rest, RBL_RECORD * sizeof(float));
	rbl_velocity_of(s, body)->quiet_time = 0.0f;
}

static void init_body(rbl_solver *s, int body, const rbl_solver_body *def)
{
	float **arrays = (float **)(void *)&s->records;
	for (int i = 0; i < RBL_RECORD_KINDS; ++i)
		memset(rbl_record(arrays[i], body), 0, RBL_RECORD * sizeof(float));
	bool was_noted_asleep = s->cold[body].is_noted_asleep;
	bool was_noted_awake = s->cold[body].is_noted_awake;
	s->cold[body] = (rbl_body_cold){ .first_contact = -1, .first_joint = -1, .awake_slot = -1 };
	s->cold[body].is_noted_asleep = was_noted_asleep;
	s->cold[body].is_noted_awake = was_noted_awake;
	*rbl_pose_of(s, body) = (rbl_solver_pose){ def->centre, def->user, def->rotation };
	rbl_record(s->records.delta, body)[7] = 1.0f;
	rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
	bool sleeps = def->kind == RBL_SOLVER_DYNAMIC && def->is_asleep && s->def.can_sleep;
	if (def->kind != RBL_SOLVER_STATIC && !sleeps)
		velocity->linear = def->velocity, velocity->angular = def->angular_velocity;
	velocity->state = sleeps ? RBL_SOLVER_IS_ASLEEP : 0;
	load_values(s, body, def);
	reset_rest(s, body);
	if (sleeps)
		s->sleeping_count++;
	else if (def->kind != RBL_SOLVER_STATIC)
		rbl_awake_list_add(s, body);
}

void rbl_bodies_init_nobody(rbl_solver *s)
{
	rbl_solver_body nobody = rbl_default_solver_body();
	nobody.kind = RBL_SOLVER_STATIC;
	init_body(s, 0, &nobody);
}

rbl_result rbl_solver_add_bodies(rbl_solver *s, const rbl_solver_body *bodies, int count,
                                 int32_t *indices)
{
	RBL_ASSERT(s && count >= 0 && (count == 0 || (bodies && indices)));
	int wanted = s->body_ids.live_count + count;
	if (!rbl_bodies_reserve(s, rbl_maxi(wanted, s->body_ids.slot_count)) ||
	    !rbl_id_pool_reserve(&s->allocator, &s->body_ids, wanted))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		rbl_id id = rbl_id_pool_add(&s->allocator, &s->body_ids);
		RBL_ASSERT(id.generation != 0 && (int)id.index < s->body_capacity);
		indices[i] = (int32_t)id.index;
		init_body(s, indices[i], &bodies[i]);
	}
	return RBL_OK;
}

static void remove_body(rbl_solver *s, int body)
{
	RBL_ASSERT(body > 0 && rbl_id_pool_is_live(&s->body_ids, body));
	while (s->cold[body].first_contact >= 0)
		rbl_contact_remove(s, s->cold[body].first_contact >> 1);
	while (s->cold[body].first_joint >= 0)
		rbl_joint_remove(s, s->cold[body].first_joint >> 1);
	if (rbl_body_is_asleep(s, body))
		s->sleeping_count--;
	if (s->cold[body].awake_slot >= 0)
		rbl_awake_list_remove(s, body);
	rbl_velocity_of(s, body)->state = 0;
	rbl_id_pool_remove(&s->body_ids, rbl_id_pool_at(&s->body_ids, body));
}

void rbl_solver_remove_bodies(rbl_solver *s, const int32_t *indices, int count)
{
	for (int i = 0; i < count; ++i)
		remove_body(s, indices[i]);
}

const rbl_solver_pose *rbl_solver_poses(const rbl_solver *s)
{
	return rbl_pose_of(s, 0);
}

const rbl_solver_velocity *rbl_solver_velocities(const rbl_solver *s)
{
	return rbl_velocity_of(s, 0);
}

static void wake_touched(rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_contact; link >= 0; link = rbl_contact_link(s, link)->next)
		rbl_body_wake(s, s->contacts.data[link >> 1].body[~link & 1]);
	for (int link = s->cold[body].first_joint; link >= 0; link = rbl_joint_link(s, link)->next)
		rbl_body_wake(s, rbl_joint_body(s, link >> 1, ~link & 1));
}

void rbl_solver_set_pose(rbl_solver *s, int body, rbl_vec3 centre, rbl_quat rotation)
{
	rbl_solver_pose *pose = rbl_pose_of(s, body);
	pose->centre = centre;
	pose->rotation = rotation;
	rbl_body_wake(s, body);
	reset_rest(s, body);
	rbl_body_load_inertia(s, body);
	if (s->cold[body].kind == RBL_SOLVER_STATIC)
		wake_touched(s, body);
	else
		rbl_velocity_of(s, body)->state |= RBL_STATE_STIRS;
}

void rbl_solver_set_velocity(rbl_solver *s, int body, rbl_vec3 linear, rbl_vec3 angular)
{
	if (s->cold[body].kind == RBL_SOLVER_STATIC)
		return;
	rbl_body_wake(s, body);
	rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
	velocity->linear = linear;
	velocity->angular = angular;
	float speed = rbl_length(linear) + rbl_length(angular) * rbl_record(s->records.rest, body)[3];
	if (speed > s->def.wake_speed)
		velocity->state |= RBL_STATE_STIRS;
}

void rbl_solver_set_body(rbl_solver *s, int body, const rbl_solver_body *values)
{
	rbl_body_wake(s, body);
	bool was_moving = s->cold[body].kind != RBL_SOLVER_STATIC;
	bool is_moving = values->kind != RBL_SOLVER_STATIC;
	bool changes_kind = s->cold[body].kind != (uint8_t)values->kind;
	if (changes_kind)
		rbl_body_park_contacts(s, body);
	load_values(s, body, values);
	if (is_moving && !was_moving)
		rbl_awake_list_add(s, body);
	if (!is_moving && was_moving)
		rbl_awake_list_remove(s, body);
	if (!is_moving) {
		rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
		velocity->linear = velocity->angular = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	}
	reset_rest(s, body);
	wake_touched(s, body);
	if (changes_kind)
		rbl_body_replace_contacts(s, body);
}

rbl_solver_body rbl_solver_body_values(const rbl_solver *s, int body)
{
	const rbl_body_cold *cold = &s->cold[body];
	const rbl_solver_pose *pose = rbl_pose_of(s, body);
	const rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
	const float *own = rbl_record(s->records.inverse, body);
	const float *direct = rbl_record(s->records.direct, body);
	return (rbl_solver_body){
		.centre = pose->centre,
		.rotation = pose->rotation,
		.velocity = velocity->linear,
		.angular_velocity = velocity->angular,
		.inverse_mass = own[3],
		.inverse_inertia = { { own[0], own[4], own[5] },
		                     { own[4], own[1], own[6] },
		                     { own[5], own[6], own[2] } },
		.radius = rbl_record(s->records.rest, body)[3],
		.linear_damping = direct[3],
		.angular_damping = direct[7],
		.gravity_scale = own[7],
		.kind = (rbl_solver_kind)cold->kind,
		.user = pose->user,
		.can_sleep = cold->can_sleep,
		.is_asleep = rbl_body_is_asleep(s, body),
	};
}

void rbl_solver_add_force(rbl_solver *s, int body, rbl_vec3 force, rbl_vec3 torque)
{
	if (!rbl_body_is_dynamic(s, body))
		return;
	rbl_body_wake(s, body);
	if (!s->has_forces)
		memset(s->records.middle, 0, (size_t)s->body_ids.slot_count * RBL_RECORD * sizeof(float));
	float *sum = rbl_record(s->records.middle, body);
	sum[0] += force.x, sum[1] += force.y, sum[2] += force.z;
	sum[4] += torque.x, sum[5] += torque.y, sum[6] += torque.z;
	s->has_forces = true;
}

void rbl_solver_add_impulse(rbl_solver *s, int body, rbl_vec3 impulse, rbl_vec3 angular)
{
	if (!rbl_body_is_dynamic(s, body))
		return;
	rbl_body_wake(s, body);
	rbl_body_load_inertia(s, body);
	const float *hot = rbl_record(s->records.inertia, body);
	const rbl_solver_velocity *velocity = rbl_velocity_of(s, body);
	rbl_mat3 m = { { hot[0], hot[4], hot[5] },
		           { hot[4], hot[1], hot[6] },
		           { hot[5], hot[6], hot[2] } };
	rbl_solver_set_velocity(s, body, rbl_add_scaled(velocity->linear, hot[3], impulse),
	                        rbl_add(velocity->angular, rbl_mat_vec(m, angular)));
}

void rbl_solver_wake(rbl_solver *s, int body)
{
	rbl_body_wake(s, body);
}

void rbl_solver_sleep(rbl_solver *s, int body)
{
	if (s->def.can_sleep && rbl_body_is_active(s, body))
		rbl_body_sleep(s, body);
}

void rbl_solver_shift(rbl_solver *s, rbl_vec3 shift)
{
	float *const arrays[3] = { s->records.pose, s->records.rest, s->records.stir };
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < s->body_ids.slot_count; ++i) {
			float *centre = rbl_record(arrays[k], i);
			centre[0] += shift.x, centre[1] += shift.y, centre[2] += shift.z;
		}
}
