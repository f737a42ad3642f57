// SPDX-License-Identifier: MIT
//
// Joints in a snapshot, and lists for the next step.
//
// A break in progress is not written, but its request and the number of slices of work. On
// loading it is begun again, from the same compound, and given the same work.

#include "world/snapshot.h"

#include "base/fields.h"

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_joint) == 264,
               "a new field of joints: is it saved?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_stress) == 56,
               "a new field of stress states: is it saved?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_damage_request) == 112,
               "a new field of requests: is it saved?");

// --- joints -------------------------------------------------------------------------------------

static const rbl_field joint_fields[] = {
	RBL_FIELD_INT(rbl_world_joint, kind, 0, RBL_JOINT_KIND_COUNT - 1),
	RBL_FIELD_INT(rbl_world_joint, body_a, 0, RBL_MAX_BODIES),
	RBL_FIELD_INT(rbl_world_joint, body_b, 0, RBL_MAX_BODIES),
	RBL_FIELD_BITS(rbl_world_joint, solver_joint),
	RBL_FIELD_BITS(rbl_world_joint, next_a),
	RBL_FIELD_BITS(rbl_world_joint, next_b),
	RBL_FIELD_BOOL(rbl_world_joint, collides),
	RBL_FIELD_BOOL(rbl_world_joint, is_broken),
	RBL_FIELD_FLOATS(rbl_world_joint, frame_a),
	RBL_FIELD_FLOATS(rbl_world_joint, frame_b),
	RBL_FIELD_FLOATS(rbl_world_joint, def.frame_a),
	RBL_FIELD_FLOATS(rbl_world_joint, def.frame_b),
	RBL_FIELD_BITS(rbl_world_joint, def.body_a),
	RBL_FIELD_BITS(rbl_world_joint, def.body_b),
	RBL_FIELD_FLOATS(rbl_world_joint, def.lower_angle),
	RBL_FIELD_FLOATS(rbl_world_joint, def.upper_angle),
	RBL_FIELD_FLOATS(rbl_world_joint, def.lower_distance),
	RBL_FIELD_FLOATS(rbl_world_joint, def.upper_distance),
	RBL_FIELD_FLOATS(rbl_world_joint, def.cone_angle),
	RBL_FIELD_FLOATS(rbl_world_joint, def.motor_speed),
	RBL_FIELD_RANGE(rbl_world_joint, def.motor_force, 0, INFINITY),
	RBL_FIELD_RANGE(rbl_world_joint, def.motor_torque, 0, INFINITY),
	RBL_FIELD_RANGE(rbl_world_joint, def.spring_hertz, 0, INFINITY),
	RBL_FIELD_RANGE(rbl_world_joint, def.spring_damping, 0, INFINITY),
	RBL_FIELD_FLOATS(rbl_world_joint, def.spring_target),
	RBL_FIELD_RANGE(rbl_world_joint, def.break_force, 0, INFINITY),
	RBL_FIELD_RANGE(rbl_world_joint, def.break_torque, 0, INFINITY),
	RBL_FIELD_BOOL(rbl_world_joint, def.has_limits),
	RBL_FIELD_BOOL(rbl_world_joint, def.has_motor),
	RBL_FIELD_BOOL(rbl_world_joint, def.has_cone),
	RBL_FIELD_BOOL(rbl_world_joint, def.has_spring),
	RBL_FIELD_LONGS(rbl_world_joint, def.user),
};

void rbl_snapshot_put_joints(rbl_blob_writer *w, const rbl_world *world)
{
	size_t part = rbl_blob_begin(w, "JOIN");
	rbl_id_pool_save(&world->joint_ids, w);
	RBL_EACH_LIVE (i, &world->joint_ids)
		rbl_blob_put_struct(w, joint_fields, &world->joints.data[i]);
	rbl_blob_end(w, part);
}

static void get_world_joint(rbl_blob_reader *from, const rbl_world *world, rbl_world_joint *j)
{
	*j = (rbl_world_joint){ .def = rbl_default_joint_def(RBL_JOINT_WELD) };
	if (!rbl_blob_get_struct(from, joint_fields, j))
		return;
	j->def.kind = j->kind;
	j->def.collides = j->collides;
	int end = world->body_ids.slot_count;
	rbl_blob_expect(from,
	                j->body_a < end && j->body_b < end && j->body_a != j->body_b &&
	                    rbl_id_pool_is_live(&world->body_ids, j->body_a) &&
	                    rbl_id_pool_is_live(&world->body_ids, j->body_b) &&
	                    rbl_pose_is_valid(j->frame_a) && rbl_pose_is_valid(j->frame_b) &&
	                    rbl_pose_is_valid(j->def.frame_a) && rbl_pose_is_valid(j->def.frame_b),
	                "a joint is wrong");
}

// Every joint is in the lists of both of its bodies, once.
static bool check_joint_links(const rbl_world *world)
{
	int left = 2 * world->joint_ids.live_count;
	RBL_EACH_LIVE (i, &world->body_ids) {
		for (int j = world->bodies[i].first_joint; j != RBL_NONE; --left) {
			if (j < 0 || j >= world->joint_ids.slot_count || left <= 0 ||
			    !rbl_id_pool_is_live(&world->joint_ids, j))
				return false;
			const rbl_world_joint *joint = &world->joints.data[j];
			if (joint->body_a != i && joint->body_b != i)
				return false;
			j = joint->body_a == i ? joint->next_a : joint->next_b;
		}
	}
	return left == 0;
}

bool rbl_snapshot_get_joints(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	size_t end = rbl_blob_enter(from, "JOIN");
	if (!rbl_id_pool_load(from, &world->allocator, &world->joint_ids, INT32_MAX / 1024))
		return false;
	int count = world->joint_ids.slot_count;
	if (!rbl_array_resize(&world->allocator, &world->joints, count)) {
		from->out_of_memory = true;
		return false;
	}
	for (int i = 0; i < count && !from->is_bad; ++i) {
		world->joints.data[i] = (rbl_world_joint){ .solver_joint = RBL_NONE };
		if (rbl_id_pool_is_live(&world->joint_ids, i))
			get_world_joint(from, world, &world->joints.data[i]);
	}
	return rbl_blob_leave(from, end) &&
	       rbl_blob_expect(from, check_joint_links(world), "joints are not in order");
}

bool rbl_snapshot_check_joints(rbl_snapshot_reader *r)
{
	const rbl_world *world = r->world;
	int count = 0;
	RBL_EACH_LIVE (i, &world->joint_ids) {
		const rbl_world_joint *j = &world->joints.data[i];
		if (j->solver_joint == RBL_NONE)
			continue;
		count++;
		bool is_right = world->solver && rbl_solver_has_joint(world->solver, j->solver_joint) &&
		                rbl_solver_report_joint(world->solver, j->solver_joint).user == (uint32_t)i;
		if (!rbl_blob_expect(&r->blob, is_right, "a joint is not the solver's"))
			return false;
	}
	return rbl_blob_expect(&r->blob,
	                       !world->solver || rbl_solver_count(world->solver).joints == count,
	                       "the solver has other joints");
}

// --- lists --------------------------------------------------------------------------------------

static const rbl_field request_fields[] = {
	RBL_FIELD_BITS(rbl_damage_request, body),
	RBL_FIELD_BITS(rbl_damage_request, other),
	RBL_FIELD_FLOATS(rbl_damage_request, point),
	RBL_FIELD_FLOATS(rbl_damage_request, direction),
	RBL_FIELD_RANGE(rbl_damage_request, radius, 0, INFINITY),
	RBL_FIELD_FLOATS(rbl_damage_request, energy),
	RBL_FIELD_FLOATS(rbl_damage_request, choice),
	RBL_FIELD_FLOATS(rbl_damage_request, speed),
	RBL_FIELD_FLOATS(rbl_damage_request, impulse),
	RBL_FIELD_BITS(rbl_damage_request, part),
	RBL_FIELD_BITS(rbl_damage_request, material),
	RBL_FIELD_INT(rbl_damage_request, cause, 0, RBL_FRACTURE_CUT),
	RBL_FIELD_INT(rbl_damage_request, slice_count, 0, 1 << 20),
	RBL_FIELD_LONGS(rbl_damage_request, seed),
	RBL_FIELD_BOOL(rbl_damage_request, is_passed),
};

static const rbl_field stress_fields[] = {
	RBL_FIELD_BITS(rbl_world_stress, body),
	RBL_FIELD_BOOL(rbl_world_stress, is_converged),
	RBL_FIELD_INT(rbl_world_stress, wait, -(1 << 30), 1 << 30),
};

static const rbl_field retire_fields[] = {
	RBL_FIELD_BITS(rbl_retire_event, body),
	RBL_FIELD_BITS(rbl_retire_event, host),
	RBL_FIELD_INT(rbl_retire_event, what, 0, RBL_RETIRED_EXPIRED),
	RBL_FIELD_BITS(rbl_retire_event, part),
	RBL_FIELD_LONGS(rbl_retire_event, user),
	RBL_FIELD_BITS(rbl_retire_event, pose),
	RBL_FIELD_BITS(rbl_retire_event, mass),
};

static const rbl_field end_fields[] = {
	RBL_FIELD_BITS(rbl_contact_event, body_a),
	RBL_FIELD_BITS(rbl_contact_event, body_b),
	RBL_FIELD_BITS(rbl_contact_event, part_a),
	RBL_FIELD_BITS(rbl_contact_event, part_b),
};

static const rbl_field sensor_fields[] = {
	RBL_FIELD_BITS(rbl_sensor_event, sensor),
	RBL_FIELD_BITS(rbl_sensor_event, visitor),
	RBL_FIELD_BOOL(rbl_sensor_event, is_inside),
};

static const rbl_field blast_fields[] = {
	RBL_FIELD_FLOATS(rbl_explosion, position),
	RBL_FIELD_RANGE(rbl_explosion, radius, 0, 1e6f),
	RBL_FIELD_RANGE(rbl_explosion, falloff, 0, 1e6f),
	RBL_FIELD_RANGE(rbl_explosion, impulse_per_area, -1e20f, 1e20f),
	RBL_FIELD_BITS(rbl_explosion, mask),
	RBL_FIELD_RANGE(rbl_explosion, energy, 0, 1e20f),
	RBL_FIELD_BOOL(rbl_explosion, is_occluded),
};

static const rbl_field chip_fields[] = {
	RBL_FIELD_BITS(rbl_chip, body),
	RBL_FIELD_INT(rbl_chip, kind, RBL_DEBRIS_SPHERES, RBL_DEBRIS_KIND_COUNT - 1),
	RBL_FIELD_INT(rbl_chip, variant, 0, RBL_CHIP_VARIANTS - 1),
	RBL_FIELD_RANGE(rbl_chip, radius, 0, FLT_MAX),
	RBL_FIELD_RANGE(rbl_chip, time_left, 0, INFINITY),
};

// Chips that the caller has destroyed since the last step are left out.
static void put_chips(rbl_blob_writer *w, const rbl_world *world)
{
	rbl_blob_put32(w, (uint32_t)rbl_world_get_chips(world, NULL, 0));
	for (int i = 0; i < world->chips.count; ++i)
		if (rbl_world_has_body(world, world->chips.data[i].body))
			rbl_blob_put_struct(w, chip_fields, &world->chips.data[i]);
}

// Every body that is marked as a chip is in the list, once.
static bool get_chips(rbl_blob_reader *from, rbl_world *world)
{
	int count = rbl_blob_get_count(from, 24), left = 0;
	RBL_EACH_LIVE (i, &world->body_ids)
		left += !!(world->motions[i].flags & RBL_BODY_CHIP);
	if (!rbl_blob_expect(from, from->is_bad || count == left, "chips are wrong"))
		return false;
	if (!rbl_world_clear_marks(world)) {
		from->out_of_memory = true;
		return false;
	}
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i) {
		rbl_chip chip;
		if (!rbl_blob_get_struct(from, chip_fields, &chip))
			return false;
		bool is_chip = rbl_world_has_body(world, chip.body) &&
		               (world->motions[chip.body.index].flags & RBL_BODY_CHIP) &&
		               !rbl_bit_set_has(&world->marked, (int)chip.body.index) &&
		               chip.time_left > 0.0f;
		if (!rbl_blob_expect(from, is_chip, "a chip is no body"))
			return false;
		rbl_bit_set_add(&world->marked, (int)chip.body.index);
		from->out_of_memory |= !rbl_array_push(&world->allocator, &world->chips, chip);
	}
	world->stats.chip_count = world->chips.count;
	return !from->is_bad && !from->out_of_memory;
}

// Requests that are done, of bodies destroyed since the last step, are left out.
static void put_requests(rbl_blob_writer *w, const rbl_world *world)
{
	int count = 0;
	for (int i = 0; i < world->damage_requests.count; ++i)
		count += !world->damage_requests.data[i].is_done;
	rbl_blob_put32(w, (uint32_t)count);
	for (int i = 0; i < world->damage_requests.count; ++i)
		if (!world->damage_requests.data[i].is_done) {
			rbl_blob_put_struct(w, request_fields, &world->damage_requests.data[i]);
			rbl_blob_put_bool(w, world->damage_requests.data[i].task != NULL);
		}
}

// A request; a break in progress is resumed.
static void get_request(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	rbl_damage_request q = { .task = NULL };
	rbl_blob_get_struct(from, request_fields, &q);
	bool is_begun = rbl_blob_get_bool(from);
	if (from->is_bad)
		return;
	if (is_begun) {
		bool can_be = rbl_world_has_body(world, q.body) && q.energy >= 0.0f;
		const rbl_body *b = can_be ? &world->bodies[q.body.index] : NULL;
		can_be =
			b && b->compound && rbl_world_can_break(world, (int)q.body.index) && !b->is_breaking;
		if (!rbl_blob_expect(from, can_be, "a body breaks that cannot"))
			return;
		rbl_result result = rbl_world_resume_break(world, &q);
		from->out_of_memory |= result == RBL_OUT_OF_MEMORY;
		rbl_blob_expect(from, result == RBL_OK || result == RBL_OUT_OF_MEMORY,
		                "a break is over, or never was");
	}
	if (from->out_of_memory || from->is_bad ||
	    !rbl_array_push(&world->allocator, &world->damage_requests, q)) {
		from->out_of_memory |= !from->is_bad;
		rbl_destroy_early_fields(world, q.fields);
		rbl_destroy_task(q.task);
	}
}

static void put_stress(rbl_blob_writer *w, const rbl_world *world, const rbl_world_stress *s)
{
	bool is_there = rbl_world_has_body(world, s->body) && world->bodies[s->body.index].compound;
	rbl_blob_put_struct(w, stress_fields, s);
	rbl_blob_put_array(w, &s->forces);
	rbl_blob_put_array(w, &s->points);
	rbl_blob_put_bool(w, is_there && s->stress);
	if (is_there && s->stress)
		rbl_stress_save(s->stress, world->bodies[s->body.index].compound, w);
}

static void get_stress(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	if (!rbl_array_push(&world->allocator, &world->stresses,
	                    (rbl_world_stress){ .stress = NULL })) {
		from->out_of_memory = true;
		return;
	}
	rbl_world_stress *s = &world->stresses.data[world->stresses.count - 1];
	rbl_blob_get_struct(from, stress_fields, s);
	if (!rbl_blob_get_array(from, &world->allocator, &s->forces) ||
	    !rbl_blob_get_array(from, &world->allocator, &s->points))
		return;
	rbl_blob_expect(from,
	                s->forces.count == s->points.count &&
	                    rbl_floats_are_finite(s->forces.data, 3 * (size_t)s->forces.count) &&
	                    rbl_floats_are_finite(s->points.data, 3 * (size_t)s->points.count),
	                "loads are wrong");
	bool has_stress = rbl_blob_get_bool(from);
	rbl_body *b = rbl_world_has_body(world, s->body) ? &world->bodies[s->body.index] : NULL;
	if (b && rbl_blob_expect(from, !b->has_stress, "a body has two stress states"))
		b->has_stress = true;
	if (!has_stress || from->is_bad)
		return;
	if (!rbl_blob_expect(from,
	                     b && b->compound && rbl_world_has_strengths(world, (int)s->body.index),
	                     "a stress state has no bonds"))
		return;
	if (rbl_world_create_estimate(world, s))
		rbl_stress_restore(from, s->stress, b->compound);
	else
		from->out_of_memory = true;
}

void rbl_snapshot_put_lists(rbl_blob_writer *w, const rbl_world *world)
{
	size_t part = rbl_blob_begin(w, "LIST");
	rbl_blob_put_array(w, &world->dirty);
	rbl_blob_put_array(w, &world->new_bodies);
	rbl_blob_put_array(w, &world->moved);
	rbl_blob_put32(w, (uint32_t)world->pending_ends.count);
	for (int i = 0; i < world->pending_ends.count; ++i)
		rbl_blob_put_struct(w, end_fields, &world->pending_ends.data[i]);
	rbl_blob_put_array(w, &world->unfreezes);
	rbl_blob_put_array(w, &world->replaced_proxies);
	rbl_blob_put32(w, (uint32_t)world->pending_retires.count);
	for (int i = 0; i < world->pending_retires.count; ++i)
		rbl_blob_put_struct(w, retire_fields, &world->pending_retires.data[i]);
	rbl_blob_put32(w, (uint32_t)world->pending_sensors.count);
	for (int i = 0; i < world->pending_sensors.count; ++i)
		rbl_blob_put_struct(w, sensor_fields, &world->pending_sensors.data[i]);
	put_chips(w, world);
	put_requests(w, world);
	rbl_blob_put32(w, (uint32_t)world->blasts.count);
	for (int i = 0; i < world->blasts.count; ++i)
		rbl_blob_put_struct(w, blast_fields, &world->blasts.data[i]);
	rbl_blob_put32(w, world->next_stress);
	rbl_blob_put32(w, (uint32_t)world->stresses.count);
	for (int i = 0; i < world->stresses.count; ++i)
		put_stress(w, world, &world->stresses.data[i]);
	rbl_blob_end(w, part);
}

// Every body that is marked dirty is in the list, once.
static bool check_dirty(const rbl_world *world)
{
	int left = 0;
	for (int i = 0; i < world->body_ids.slot_count; ++i)
		left += !!(world->motions[i].flags & RBL_BODY_DIRTY);
	for (int i = 0; i < world->dirty.count; ++i) {
		uint32_t *flags = &world->motions[world->dirty.data[i]].flags;
		left -= !!(*flags & RBL_BODY_DIRTY);
		*flags &= ~(uint32_t)RBL_BODY_DIRTY;
	}
	for (int i = 0; i < world->dirty.count; ++i)
		world->motions[world->dirty.data[i]].flags |= RBL_BODY_DIRTY;
	return left == 0;
}

static bool get_pending_ends(rbl_blob_reader *from, rbl_world *world)
{
	int count = rbl_blob_get_count(from, 24);
	if (from->is_bad)
		return false;
	if (!rbl_array_resize(&world->allocator, &world->pending_ends, count)) {
		from->out_of_memory = true;
		return false;
	}
	for (int i = 0; i < count; ++i) {
		world->pending_ends.data[i] = (rbl_contact_event){ .material_a = NULL };
		rbl_blob_get_struct(from, end_fields, &world->pending_ends.data[i]);
	}
	return !from->is_bad;
}

bool rbl_snapshot_get_lists(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	const rbl_allocator *a = &world->allocator;
	size_t end = rbl_blob_enter(from, "LIST");
	if (!rbl_blob_get_array(from, a, &world->dirty) ||
	    !rbl_blob_get_array(from, a, &world->new_bodies) ||
	    !rbl_blob_get_array(from, a, &world->moved) || !get_pending_ends(from, world) ||
	    !rbl_blob_get_array(from, a, &world->unfreezes) ||
	    !rbl_blob_get_array(from, a, &world->replaced_proxies))
		return false;
	int bodies = world->body_ids.slot_count, parts = world->part_ids.slot_count;
	bool are_bodies =
		rbl_ints_are_within(world->dirty.data, (size_t)world->dirty.count, 0, bodies) &&
		rbl_ints_are_within(world->new_bodies.data, (size_t)world->new_bodies.count, 0, bodies) &&
		rbl_ints_are_within(world->moved.data, (size_t)world->moved.count, 0, bodies) &&
		rbl_ints_are_within(world->unfreezes.data, (size_t)world->unfreezes.count, 0, bodies) &&
		rbl_ints_are_within(world->replaced_proxies.data, (size_t)world->replaced_proxies.count, 0,
	                        parts);
	if (!rbl_blob_expect(from, are_bodies && world->dirty.count <= bodies && check_dirty(world),
	                     "lists of bodies are wrong"))
		return false;
	int count = rbl_blob_get_count(from, 64);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i) {
		rbl_retire_event event;
		if (rbl_blob_get_struct(from, retire_fields, &event))
			from->out_of_memory |= !rbl_array_push(a, &world->pending_retires, event);
	}
	count = rbl_blob_get_count(from, 20);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i) {
		rbl_sensor_event event;
		if (rbl_blob_get_struct(from, sensor_fields, &event))
			from->out_of_memory |= !rbl_array_push(a, &world->pending_sensors, event);
	}
	if (!from->is_bad && !from->out_of_memory)
		get_chips(from, world);
	count = rbl_blob_get_count(from, 80);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i)
		get_request(r);
	count = rbl_blob_get_count(from, 36);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i) {
		rbl_explosion blast = rbl_default_explosion();
		if (rbl_blob_get_struct(from, blast_fields, &blast))
			from->out_of_memory |= !rbl_array_push(a, &world->blasts, blast);
	}
	rbl_world_count_passing(world);
	world->stats.breaking_count = world->damage_requests.count;
	world->next_stress = rbl_blob_get32(from);
	count = rbl_blob_get_count(from, 24);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i)
		get_stress(r);
	RBL_EACH_LIVE (i, &world->body_ids)
		rbl_world_note_failing(world, i);
	return !from->out_of_memory && rbl_blob_leave(from, end);
}
