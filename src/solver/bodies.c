// SPDX-License-Identifier: MIT
//
// Bodies: adding, removing, changing.
//
// All arrays of bodies are in one block of memory, so that growing either succeeds for all or
// changes nothing. A sleeping body has no inverse mass in the record that the kernels read: to them
// it is a static one, and nothing else has to know.

#include "solver/state.h"

static size_t array_bytes(int capacity, size_t size)
{
	return ((size_t)capacity * size + RBL_CACHE_LINE - 1) & ~(size_t)(RBL_CACHE_LINE - 1);
}

enum { INDEX_ARRAYS = 6 }; // awake woke slept queue joint_colors loads

static size_t body_bytes(int capacity)
{
	return RBL_SOLVER_RECORD_KINDS * array_bytes(capacity, RBL_SOLVER_RECORD_BYTES) +
	       array_bytes(capacity, sizeof(rbl_solver_body_cold)) +
	       INDEX_ARRAYS * array_bytes(capacity + RBL_SOLVER_LANES, sizeof(int32_t)) +
	       array_bytes(capacity, 1);
}

// Cut an array from the new block and copy what the old one has.
static void *take(char **cursor, const void *old, int count, int capacity, size_t size)
{
	char *memory = *cursor;
	*cursor += array_bytes(capacity, size);
	if (old)
		memcpy(memory, old, (size_t)count * size);
	return memory;
}

static void clear_rest(void *memory, int count, int capacity, size_t size)
{
	memset((char *)memory + (size_t)count * size, 0, (size_t)(capacity - count) * size);
}

bool rbl_solver_reserve_bodies(rbl_solver *s, int count)
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
	int padded = capacity + RBL_SOLVER_LANES;
	for (int i = 0; i < RBL_SOLVER_RECORD_KINDS; ++i)
		s->records.all[i] =
			take(&cursor, s->records.all[i], live, capacity, RBL_SOLVER_RECORD_BYTES);
	s->cold = take(&cursor, s->cold, live, capacity, sizeof *s->cold);
	s->awake = take(&cursor, s->awake, s->awake_count, padded, sizeof *s->awake);
	s->woke = take(&cursor, s->woke, s->woke_count, padded, sizeof *s->woke);
	s->slept = take(&cursor, s->slept, s->slept_count, padded, sizeof *s->slept);
	s->queue = take(&cursor, NULL, 0, padded, sizeof *s->queue);
	s->joint_colors = take(&cursor, NULL, 0, padded, sizeof *s->joint_colors);
	s->loads = take(&cursor, NULL, 0, padded, sizeof *s->loads);
	s->marks = take(&cursor, NULL, 0, capacity, 1);
	// Unused records are left alone: a burst that makes the arrays grow would pay for memory that
	// it does not use.
	clear_rest(s->cold, live, capacity, sizeof *s->cold);
	clear_rest(s->awake, s->awake_count, padded, sizeof *s->awake);
	rbl_release(&s->allocator, s->body_memory, 1, body_bytes(s->body_capacity));
	s->body_memory = memory;
	s->body_capacity = capacity;
	return true;
}

void rbl_solver_free_bodies(rbl_solver *s)
{
	rbl_release(&s->allocator, s->body_memory, 1, body_bytes(s->body_capacity));
}

void rbl_solver_awake_add(rbl_solver *s, int body)
{
	RBL_ASSERT(s->cold[body].awake_slot < 0);
	s->cold[body].awake_slot = s->awake_count;
	s->awake[s->awake_count++] = body;
}

void rbl_solver_awake_remove(rbl_solver *s, int body)
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

// --- locked axes ---------------------------------------------------------------------------------
//
// A body that does not rotate about some world axes has the inverse of that part of its inertia
// tensor which belongs to the others, and zeros elsewhere: so every impulse changes its rotation
// as the constraint would.

static float at(rbl_mat3 m, int row, int column)
{
	return rbl_axis(column == 0 ? m.x : column == 1 ? m.y : m.z, row);
}

static rbl_mat3 free_inverse(rbl_mat3 inertia, uint32_t locks)
{
	int axes[3], n = 0;
	for (int i = 0; i < 3; ++i)
		if (!(locks & (uint32_t)RBL_SOLVER_LOCK_ROTATION << i))
			axes[n++] = i;
	float out[3][3] = { { 0.0f } };
	float trace = inertia.x.x + inertia.y.y + inertia.z.z;
	if (n == 1 && at(inertia, axes[0], axes[0]) > 0.0f)
		out[axes[0]][axes[0]] = 1.0f / at(inertia, axes[0], axes[0]);
	if (n == 2) {
		int p = axes[0], q = axes[1];
		double a = (double)at(inertia, p, p), b = (double)at(inertia, p, q),
			   c = (double)at(inertia, q, q), determinant = a * c - b * b;
		if (determinant > 1e-9 * (double)trace * (double)trace) {
			out[p][p] = (float)(c / determinant), out[q][q] = (float)(a / determinant);
			out[p][q] = out[q][p] = (float)(-b / determinant);
		}
	}
	return (rbl_mat3){ { out[0][0], out[1][0], out[2][0] },
		               { out[0][1], out[1][1], out[2][1] },
		               { out[0][2], out[1][2], out[2][2] } };
}

rbl_vec3 rbl_solver_free_part(rbl_vec3 v, uint32_t locks)
{
	return (rbl_vec3){ locks & 1 ? 0.0f : v.x, locks & 2 ? 0.0f : v.y, locks & 4 ? 0.0f : v.z };
}

// Restrict the inverse inertia of a body, which is set, to what its locks leave free.
static void restrict_inertia(rbl_solver *s, int body, rbl_quat rotation)
{
	uint32_t locks = rbl_solver_locks(s, body);
	rbl_solver_inertia *inverse = &s->records.inverse_inertia[body];
	if (locks >= RBL_SOLVER_LOCK_ROTATION) {
		rbl_mat3 r = rbl_quat_to_mat(rotation);
		rbl_mat3 local = rbl_solver_tensor(&s->records.local_inertia[body]);
		rbl_mat3 m = free_inverse(rbl_mat_mul(rbl_mat_mul(r, local), rbl_mat_transpose(r)), locks);
		inverse->diagonal = (rbl_vec3){ m.x.x, m.y.y, m.z.z };
		inverse->off_diagonal = (rbl_vec3){ m.x.y, m.x.z, m.y.z };
	}
	inverse->locks = locks & 7;
}

void rbl_solver_begin_locks(rbl_solver *s, const int32_t *bodies, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_solver_velocity *v = &s->records.velocity[bodies[i]];
		uint32_t locks = rbl_solver_locks(s, bodies[i]);
		v->linear = rbl_solver_free_part(v->linear, locks);
		v->angular = rbl_solver_free_part(v->angular, locks >> 3);
		s->records.free_velocity[bodies[i]].angular = v->angular;
	}
}

void rbl_solver_apply_locks(rbl_solver *s, const int32_t *bodies, int count, float dt)
{
	for (int i = 0; i < count; ++i) {
		int body = bodies[i];
		uint32_t locks = rbl_solver_locks(s, body);
		rbl_solver_acceleration *acceleration = &s->records.acceleration[body];
		acceleration->linear = rbl_solver_free_part(acceleration->linear, locks);
		rbl_quat middle = s->records.midpoint[body].rotation;
		if (locks >= RBL_SOLVER_LOCK_ROTATION) {
			// What rotates about fixed axes has no gyroscopic term.
			rbl_vec3 w = s->records.free_velocity[body].angular;
			rbl_quat q = s->records.pose[body].rotation;
			rbl_quat half = { 0.25f * dt * w.x, 0.25f * dt * w.y, 0.25f * dt * w.z, 1.0f };
			middle = rbl_quat_normalize(rbl_quat_mul(half, q));
			rbl_mat3 r = rbl_quat_to_mat(s->records.midpoint[body].rotation);
			rbl_mat3 local = rbl_solver_tensor(&s->records.local_inertia[body]);
			rbl_vec3 torque = rbl_mat_vec(rbl_mat_mul(rbl_mat_mul(r, local), rbl_mat_transpose(r)),
			                              acceleration->angular);
			restrict_inertia(s, body, middle);
			acceleration->angular =
				rbl_mat_vec(rbl_solver_tensor(&s->records.inverse_inertia[body]), torque);
			s->records.velocity[body].angular = w;
			s->records.midpoint[body].rotation = middle;
			s->records.midpoint[body].energy_gain = RBL_SOLVER_NOT_GYROSCOPIC;
		} else {
			restrict_inertia(s, body, middle);
		}
	}
}

void rbl_solver_update_inertia(rbl_solver *s, int body)
{
	rbl_solver_inertia *inverse = &s->records.inverse_inertia[body];
	*inverse = (rbl_solver_inertia){ 0 };
	if (!rbl_solver_is_active(s, body))
		return;
	const rbl_solver_inertia *local = &s->records.local_inverse_inertia[body];
	rbl_mat3 r = rbl_quat_to_mat(s->records.pose[body].rotation);
	rbl_mat3 m = rbl_mat_mul(rbl_mat_mul(r, rbl_solver_tensor(local)), rbl_mat_transpose(r));
	inverse->diagonal = (rbl_vec3){ m.x.x, m.y.y, m.z.z };
	inverse->inverse_mass = local->inverse_mass;
	inverse->off_diagonal = (rbl_vec3){ m.x.y, m.x.z, m.y.z };
	if (rbl_solver_locks(s, body))
		restrict_inertia(s, body, s->records.pose[body].rotation);
}

void rbl_solver_clear_delta(rbl_solver *s, int body)
{
	s->records.delta[body] = (rbl_solver_delta){ .rotation = rbl_quat_identity() };
}

// Masses, damping and the like; pose and velocity are set.
static void set_values(rbl_solver *s, int body, const rbl_solver_body *v)
{
	s->cold[body].kind = (uint8_t)v->kind;
	s->cold[body].can_sleep = v->can_sleep;

	rbl_solver_inertia *inverse = &s->records.local_inverse_inertia[body];
	rbl_solver_inertia *inertia = &s->records.local_inertia[body];
	*inverse = *inertia = (rbl_solver_inertia){ 0 };
	if (v->kind == RBL_SOLVER_DYNAMIC) {
		rbl_mat3 m = v->inverse_inertia;
		*inverse = (rbl_solver_inertia){ .diagonal = { m.x.x, m.y.y, m.z.z },
			                             .inverse_mass = v->inverse_mass,
			                             .off_diagonal = { m.x.y, m.x.z, m.y.z },
			                             .gravity_scale = v->gravity_scale };
		rbl_mat3d d = rbl_mat_inverse_d((rbl_mat3d){ rbl_to_d(m.x), rbl_to_d(m.y), rbl_to_d(m.z) });
		*inertia = (rbl_solver_inertia){
			.diagonal = { (float)d.x.x, (float)d.y.y, (float)d.z.z },
			.linear_damping = v->linear_damping,
			.off_diagonal = { (float)d.x.y, (float)d.x.z, (float)d.y.z },
			.angular_damping = v->angular_damping,
		};
	}
	s->records.sleep_pose[body].radius = v->radius;
	uint32_t *state = &s->records.velocity[body].state;
	*state &= RBL_SOLVER_IS_ASLEEP;
	*state |= v->kind == RBL_SOLVER_DYNAMIC     ? RBL_SOLVER_IS_DYNAMIC
	          : v->kind == RBL_SOLVER_KINEMATIC ? RBL_SOLVER_IS_KINEMATIC
	                                            : 0;
	*state |= v->is_round ? RBL_SOLVER_IS_ROUND : 0;
	*state |= v->has_ends ? RBL_SOLVER_HAS_ENDS : 0;
	*state |= v->kind == RBL_SOLVER_DYNAMIC ? (uint32_t)v->locks << RBL_SOLVER_LOCK_SHIFT : 0;
	s->records.pose[body].user = v->user;
	rbl_solver_update_inertia(s, body);
}

// The body is here now, and has not been still yet.
static void reset_sleep(rbl_solver *s, int body)
{
	const rbl_solver_pose *pose = &s->records.pose[body];
	rbl_solver_still_pose *sleep = &s->records.sleep_pose[body];
	*sleep = (rbl_solver_still_pose){ pose->centre, sleep->radius, pose->rotation };
	s->records.wake_pose[body] = *sleep;
	s->records.velocity[body].sleep_timer = 0.0f;
}

static void init_body(rbl_solver *s, int body, const rbl_solver_body *def)
{
	rbl_solver_clear_records(s, body);
	s->cold[body] = (rbl_solver_body_cold){ .first_contact = -1,
		                                    .first_joint = -1,
		                                    .awake_slot = -1,
		                                    .is_in_slept = s->cold[body].is_in_slept,
		                                    .is_in_woke = s->cold[body].is_in_woke };
	s->records.pose[body] = (rbl_solver_pose){ def->centre, def->user, def->rotation };
	rbl_solver_clear_delta(s, body);
	rbl_solver_velocity *velocity = &s->records.velocity[body];
	bool sleeps = def->kind == RBL_SOLVER_DYNAMIC && def->is_asleep && s->def.can_sleep;
	if (def->kind != RBL_SOLVER_STATIC && !sleeps)
		velocity->linear = def->velocity, velocity->angular = def->angular_velocity;
	velocity->state = sleeps ? RBL_SOLVER_IS_ASLEEP : 0;
	set_values(s, body, def);
	reset_sleep(s, body);
	if (sleeps)
		s->sleeping_count++;
	else if (def->kind != RBL_SOLVER_STATIC)
		rbl_solver_awake_add(s, body);
}

void rbl_solver_init_null_body(rbl_solver *s)
{
	rbl_solver_body null_body = rbl_default_solver_body();
	null_body.kind = RBL_SOLVER_STATIC;
	init_body(s, 0, &null_body);
}

bool rbl_solver_reserve(rbl_solver *s, int bodies, int joints)
{
	int wanted = s->body_ids.live_count + bodies;
	return rbl_solver_reserve_bodies(s, rbl_maxi(wanted, s->body_ids.slot_count)) &&
	       rbl_id_pool_reserve(&s->allocator, &s->body_ids, wanted) &&
	       rbl_solver_reserve_joints(s, s->joint_ids.live_count + joints);
}

rbl_result rbl_solver_add_bodies(rbl_solver *s, const rbl_solver_body *bodies, int count,
                                 int32_t *indices)
{
	RBL_ASSERT(s && count >= 0 && (count == 0 || (bodies && indices)));
	if (!rbl_solver_reserve(s, count, 0))
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
		rbl_solver_remove_contacts(s, &(int32_t){ s->cold[body].first_contact >> 1 }, 1);
	while (s->cold[body].first_joint >= 0)
		rbl_solver_remove_joint(s, s->cold[body].first_joint >> 1);
	if (rbl_solver_is_asleep(s, body))
		s->sleeping_count--;
	if (s->cold[body].awake_slot >= 0)
		rbl_solver_awake_remove(s, body);
	s->records.velocity[body].state = 0;
	rbl_id_pool_remove(&s->body_ids, rbl_id_pool_at(&s->body_ids, body));
}

void rbl_solver_remove_bodies(rbl_solver *s, const int32_t *indices, int count)
{
	for (int i = 0; i < count; ++i)
		remove_body(s, indices[i]);
}

const rbl_solver_pose *rbl_solver_poses(const rbl_solver *s)
{
	return s->records.pose;
}

const rbl_solver_velocity *rbl_solver_velocities(const rbl_solver *s)
{
	return s->records.velocity;
}

static void wake_touched(rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next)
		rbl_solver_wake(s, s->contacts.data[link >> 1].body[~link & 1]);
	for (int link = s->cold[body].first_joint; link >= 0;
	     link = rbl_solver_joint_link(s, link)->next)
		rbl_solver_wake(s, rbl_solver_joint_body(s, link >> 1, ~link & 1));
}

void rbl_solver_set_pose(rbl_solver *s, int body, rbl_vec3 centre, rbl_quat rotation)
{
	s->records.pose[body].centre = centre;
	s->records.pose[body].rotation = rotation;
	rbl_solver_wake(s, body);
	rbl_solver_clear_delta(s, body);
	reset_sleep(s, body);
	rbl_solver_update_inertia(s, body);
	if (s->cold[body].kind == RBL_SOLVER_STATIC)
		wake_touched(s, body);
	else
		s->records.velocity[body].state |= RBL_SOLVER_WAKES_NEIGHBOURS;
}

void rbl_solver_put_back(rbl_solver *s, int body, rbl_vec3 centre, rbl_quat rotation,
                         bool is_jammed)
{
	if (!is_jammed) // or it may have fallen asleep in the same step
		rbl_solver_wake(s, body);
	s->records.pose[body].centre = centre;
	s->records.pose[body].rotation = rotation;
	rbl_solver_clear_delta(s, body);
	reset_sleep(s, body);
	rbl_solver_update_inertia(s, body);
	if (!is_jammed)
		return;
	rbl_solver_velocity *velocity = &s->records.velocity[body];
	velocity->linear = velocity->angular = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	velocity->state &= ~(uint32_t)RBL_SOLVER_WAKES_NEIGHBOURS;
	if (rbl_solver_is_active(s, body))
		velocity->state |= RBL_SOLVER_JAMMED;
}

void rbl_solver_set_velocity(rbl_solver *s, int body, rbl_vec3 linear, rbl_vec3 angular)
{
	if (s->cold[body].kind == RBL_SOLVER_STATIC)
		return;
	rbl_solver_wake(s, body);
	rbl_solver_velocity *velocity = &s->records.velocity[body];
	velocity->linear = linear;
	velocity->angular = angular;
	float speed = rbl_length(linear) + rbl_length(angular) * s->records.sleep_pose[body].radius;
	if (speed > s->def.wake_speed)
		velocity->state |= RBL_SOLVER_WAKES_NEIGHBOURS;
}

void rbl_solver_nudge(rbl_solver *s, int body, rbl_vec3 linear, rbl_vec3 angular)
{
	float sleep_timer = s->records.velocity[body].sleep_timer;
	rbl_solver_set_velocity(s, body, linear, angular);
	s->records.velocity[body].sleep_timer = sleep_timer;
}

void rbl_solver_set_body(rbl_solver *s, int body, const rbl_solver_body *values)
{
	rbl_solver_wake(s, body);
	bool was_moving = s->cold[body].kind != RBL_SOLVER_STATIC;
	bool is_moving = values->kind != RBL_SOLVER_STATIC;
	bool changes_kind = s->cold[body].kind != (uint8_t)values->kind;
	if (changes_kind)
		rbl_solver_park_contacts(s, body);
	set_values(s, body, values);
	if (is_moving && !was_moving)
		rbl_solver_awake_add(s, body);
	if (!is_moving && was_moving)
		rbl_solver_awake_remove(s, body);
	if (!is_moving) {
		rbl_solver_velocity *velocity = &s->records.velocity[body];
		velocity->linear = velocity->angular = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		rbl_solver_clear_delta(s, body); // no step will
	}
	reset_sleep(s, body);
	wake_touched(s, body);
	if (changes_kind)
		rbl_solver_place_contacts(s, body);
	s->joints_changed |= s->cold[body].first_joint >= 0; // masses decide which trees are solved
}

rbl_solver_body rbl_solver_body_values(const rbl_solver *s, int body)
{
	const rbl_solver_pose *pose = &s->records.pose[body];
	const rbl_solver_velocity *velocity = &s->records.velocity[body];
	const rbl_solver_inertia *inverse = &s->records.local_inverse_inertia[body];
	const rbl_solver_inertia *inertia = &s->records.local_inertia[body];
	return (rbl_solver_body){
		.centre = pose->centre,
		.rotation = pose->rotation,
		.velocity = velocity->linear,
		.angular_velocity = velocity->angular,
		.inverse_mass = inverse->inverse_mass,
		.inverse_inertia = rbl_solver_tensor(inverse),
		.radius = s->records.sleep_pose[body].radius,
		.linear_damping = inertia->linear_damping,
		.angular_damping = inertia->angular_damping,
		.gravity_scale = inverse->gravity_scale,
		.kind = (rbl_solver_kind)s->cold[body].kind,
		.user = pose->user,
		.can_sleep = s->cold[body].can_sleep,
		.is_asleep = rbl_solver_is_asleep(s, body),
		.is_round = velocity->state & RBL_SOLVER_IS_ROUND,
		.has_ends = velocity->state & RBL_SOLVER_HAS_ENDS,
		.locks = (uint8_t)rbl_solver_locks(s, body),
	};
}

void rbl_solver_add_force(rbl_solver *s, int body, rbl_vec3 force, rbl_vec3 torque)
{
	if (!rbl_solver_is_dynamic(s, body))
		return;
	rbl_solver_wake(s, body);
	rbl_solver_midpoint *forces = s->records.midpoint;
	if (!s->has_forces)
		memset(forces, 0, (size_t)s->body_ids.slot_count * sizeof *forces);
	forces[body].force = rbl_add(forces[body].force, force);
	forces[body].torque = rbl_add(forces[body].torque, torque);
	s->has_forces = true;
}

void rbl_solver_add_impulse(rbl_solver *s, int body, rbl_vec3 impulse, rbl_vec3 angular)
{
	if (!rbl_solver_is_dynamic(s, body))
		return;
	rbl_solver_wake(s, body);
	rbl_solver_update_inertia(s, body);
	const rbl_solver_inertia *inverse = &s->records.inverse_inertia[body];
	const rbl_solver_velocity *velocity = &s->records.velocity[body];
	rbl_vec3 change = rbl_mat_vec(rbl_solver_tensor(inverse), angular);
	rbl_solver_set_velocity(s, body,
	                        rbl_add_scaled(velocity->linear, inverse->inverse_mass,
	                                       rbl_solver_free_part(impulse, inverse->locks)),
	                        rbl_add(velocity->angular, change));
}

void rbl_solver_shift(rbl_solver *s, rbl_vec3 shift)
{
	const rbl_solver_records *r = &s->records;
	for (int i = 0; i < s->body_ids.slot_count; ++i) {
		r->pose[i].centre = rbl_add(r->pose[i].centre, shift);
		r->sleep_pose[i].centre = rbl_add(r->sleep_pose[i].centre, shift);
		r->wake_pose[i].centre = rbl_add(r->wake_pose[i].centre, shift);
	}
}
