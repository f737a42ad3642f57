// SPDX-License-Identifier: MIT
//
// Joints in a snapshot, and the lists of what the next step has to look at.
//
// A break that goes on is not written: its request is, and how many slices of work it has had. It
// is begun anew on reading, from the compound as it was, and given as many.

#include "world/snapshot.h"


_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_joint) == 224,
               "a new field of joints: is it saved?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_stress) == 56,
               "a new field of strains: is it saved?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_damage_request) == 88,
               "a new field of requests: is it saved?");

// --- joints -------------------------------------------------------------------------------------

static void put_world_joint(rbl_blob_writer *w, const rbl_world_joint *j)
{
	const rbl_joint_def *d = &j->def;
	const int32_t head[] = { (int32_t)j->kind, j->body_a, j->body_b,
		                     j->solver_joint,  j->next_a, j->next_b };
	rbl_blob_put_words(w, head, 6);
	rbl_blob_put_bool(w, j->collides);
	rbl_blob_put_bool(w, j->is_broken);
	rbl_blob_put_words(w, &j->frame_a, 7);
	rbl_blob_put_words(w, &j->frame_b, 7);
	rbl_blob_put_words(w, &d->frame_a, 7);
	rbl_blob_put_words(w, &d->frame_b, 7);
	rbl_blob_put_words(w, &d->body_a, 2);
	rbl_blob_put_words(w, &d->body_b, 2);
	const float numbers[] = { d->lower_angle,  d->upper_angle, d->motor_speed,
		                      d->motor_torque, d->break_force, d->break_torque };
	rbl_blob_put_words(w, numbers, 6);
	rbl_blob_put_bool(w, d->has_limits);
	rbl_blob_put_bool(w, d->has_motor);
	rbl_blob_put64(w, d->user);
}

void rbl_snapshot_put_joints(rbl_blob_writer *w, const rbl_world *world)
{
	size_t part = rbl_blob_begin(w, "JOIN");
	rbl_id_pool_save(&world->joint_ids, w);
	for (int i = 0; i < world->joint_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&world->joint_ids, i))
			put_world_joint(w, &world->joints.data[i]);
	rbl_blob_end(w, part);
}

static void get_world_joint(rbl_blob_reader *from, const rbl_world *world, rbl_world_joint *j)
{
	int bodies = world->body_ids.slot_count - 1;
	*j = (rbl_world_joint){ .kind = (rbl_joint_kind)rbl_blob_get_int(from, 0,
		                                                             RBL_JOINT_KIND_COUNT - 1) };
	j->body_a = rbl_blob_get_int(from, 0, bodies);
	j->body_b = rbl_blob_get_int(from, 0, bodies);
	int32_t links[3];
	rbl_blob_get_words(from, links, 3);
	j->solver_joint = links[0], j->next_a = links[1], j->next_b = links[2];
	j->collides = rbl_blob_get_bool(from);
	j->is_broken = rbl_blob_get_bool(from);
	rbl_blob_get_words(from, &j->frame_a, 7);
	rbl_blob_get_words(from, &j->frame_b, 7);
	rbl_joint_def *d = &j->def;
	*d = rbl_default_joint_def(j->kind);
	rbl_blob_get_words(from, &d->frame_a, 7);
	rbl_blob_get_words(from, &d->frame_b, 7);
	rbl_blob_get_words(from, &d->body_a, 2);
	rbl_blob_get_words(from, &d->body_b, 2);
	float n[6];
	rbl_blob_get_words(from, n, 6);
	d->lower_angle = n[0], d->upper_angle = n[1], d->motor_speed = n[2];
	d->motor_torque = n[3], d->break_force = n[4], d->break_torque = n[5];
	d->has_limits = rbl_blob_get_bool(from);
	d->has_motor = rbl_blob_get_bool(from);
	d->user = rbl_blob_get64(from);
	d->collides = j->collides;
	rbl_blob_expect(from,
	                !from->is_bad && j->body_a != j->body_b &&
	                    rbl_id_pool_is_live(&world->body_ids, j->body_a) &&
	                    rbl_id_pool_is_live(&world->body_ids, j->body_b) &&
	                    rbl_pose_is_valid(j->frame_a) && rbl_pose_is_valid(j->frame_b) &&
	                    rbl_pose_is_valid(d->frame_a) && rbl_pose_is_valid(d->frame_b) &&
	                    rbl_floats_are_finite(n, 3) && n[3] >= 0.0f && n[4] >= 0.0f && n[5] >= 0.0f,
	                "a joint is wrong");
}

// Every joint is in the lists of both of its bodies, once.
static bool check_joint_links(const rbl_world *world)
{
	int left = 2 * world->joint_ids.live_count;
	for (int i = 0; i < world->body_ids.slot_count; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i))
			continue;
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
	for (int i = 0; i < world->joint_ids.slot_count; ++i) {
		if (!rbl_id_pool_is_live(&world->joint_ids, i))
			continue;
		const rbl_world_joint *j = &world->joints.data[i];
		if (j->solver_joint == RBL_NONE)
			continue;
		count++;
		bool is_right = world->solver && rbl_solver_has_joint(world->solver, j->solver_joint) &&
		                rbl_solver_report_joint(world->solver, j->solver_joint).user == (uint32_t)i;
		if (!rbl_blob_expect(&r->blob, is_right, "a joint is another to the solver"))
			return false;
	}
	return rbl_blob_expect(&r->blob,
	                       !world->solver || rbl_solver_count(world->solver).joints == count,
	                       "the solver has joints that nobody knows");
}

// --- lists --------------------------------------------------------------------------------------

static void put_request(rbl_blob_writer *w, const rbl_damage_request *q)
{
	rbl_blob_put_words(w, &q->body, 2);
	rbl_blob_put_words(w, &q->other, 2);
	rbl_blob_put_words(w, &q->point, 3);
	rbl_blob_put_words(w, &q->direction, 3);
	const float numbers[] = { q->radius, q->energy, q->speed };
	rbl_blob_put_words(w, numbers, 3);
	const int32_t ints[] = { q->part, q->material, (int32_t)q->cause, q->slice_count };
	rbl_blob_put_words(w, ints, 4);
	rbl_blob_put64(w, q->seed);
	rbl_blob_put_bool(w, q->task != NULL);
}

// Those that are done, of bodies that were destroyed since the last step, are to be dropped.
static void put_requests(rbl_blob_writer *w, const rbl_world *world)
{
	int count = 0;
	for (int i = 0; i < world->damage_requests.count; ++i)
		count += !world->damage_requests.data[i].is_done;
	rbl_blob_put32(w, (uint32_t)count);
	for (int i = 0; i < world->damage_requests.count; ++i)
		if (!world->damage_requests.data[i].is_done)
			put_request(w, &world->damage_requests.data[i]);
}

// A request as it was; one whose break goes on is begun anew.
static void get_request(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	rbl_damage_request q = { .task = NULL };
	rbl_blob_get_words(from, &q.body, 2);
	rbl_blob_get_words(from, &q.other, 2);
	rbl_blob_get_words(from, &q.point, 3);
	rbl_blob_get_words(from, &q.direction, 3);
	q.radius = rbl_blob_get_float(from);
	q.energy = rbl_blob_get_finite(from);
	q.speed = rbl_blob_get_finite(from);
	q.part = (int32_t)rbl_blob_get32(from);
	q.material = (int32_t)rbl_blob_get32(from);
	q.cause = (rbl_fracture_cause)rbl_blob_get_int(from, 0, RBL_FRACTURE_BEND);
	q.slice_count = rbl_blob_get_int(from, 0, 1 << 20);
	q.seed = rbl_blob_get64(from);
	bool is_begun = rbl_blob_get_bool(from);
	if (!rbl_blob_expect(from,
	                     rbl_floats_are_finite(&q.point, 3) &&
	                         rbl_floats_are_finite(&q.direction, 3) && q.radius >= 0.0f,
	                     "a request to break is wrong"))
		return;
	if (is_begun) {
		bool can_be = rbl_world_has_body(world, q.body) && q.energy >= 0.0f;
		const rbl_body *b = can_be ? &world->bodies[q.body.index] : NULL;
		can_be = b && b->damage && b->compound && !b->is_breaking;
		if (!rbl_blob_expect(from, can_be, "something breaks that cannot"))
			return;
		rbl_result result = rbl_world_resume_break(world, &q);
		from->out_of_memory |= result == RBL_OUT_OF_MEMORY;
		rbl_blob_expect(from, result == RBL_OK || result == RBL_OUT_OF_MEMORY,
		                "a break is over, or never was");
	}
	if (from->out_of_memory || from->is_bad ||
	    !rbl_array_push(&world->allocator, &world->damage_requests, q)) {
		from->out_of_memory |= !from->is_bad;
		rbl_destroy_task(q.task);
	}
}

static void put_stress(rbl_blob_writer *w, const rbl_world *world, const rbl_world_stress *s)
{
	bool is_there = rbl_world_has_body(world, s->body) && world->bodies[s->body.index].compound;
	rbl_blob_put_words(w, &s->body, 2);
	rbl_blob_put_bool(w, s->is_settled);
	rbl_blob_put32(w, (uint32_t)s->wait);
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
	rbl_blob_get_words(from, &s->body, 2);
	s->is_settled = rbl_blob_get_bool(from);
	s->wait = rbl_blob_get_int(from, -(1 << 30), 1 << 30);
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
	if (b && rbl_blob_expect(from, !b->has_stress, "a body is strained twice"))
		b->has_stress = true;
	if (!has_stress || from->is_bad)
		return;
	if (!rbl_blob_expect(from, b && b->compound && b->damage && b->damage->bond_strength > 0.0,
	                     "something carries a load that has no bonds"))
		return;
	if (rbl_world_create_estimate(world, s))
		rbl_stress_restore(from, s->stress, b->compound);
	else
		from->out_of_memory = true;
}

static void put_retired(rbl_blob_writer *w, const rbl_retire_event *e)
{
	rbl_blob_put_words(w, &e->body, 2);
	rbl_blob_put_words(w, &e->host, 2);
	rbl_blob_put32(w, (uint32_t)e->what);
	rbl_blob_put32(w, (uint32_t)e->part);
	rbl_blob_put64(w, e->user);
	rbl_blob_put_words(w, &e->pose, 7);
	rbl_blob_put_float(w, e->mass);
}

static void get_retired(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_retire_event e;
	rbl_blob_get_words(from, &e.body, 2);
	rbl_blob_get_words(from, &e.host, 2);
	e.what = (rbl_retirement)rbl_blob_get_int(from, 0, RBL_RETIRED_RELEASED);
	e.part = (int)rbl_blob_get32(from);
	e.user = rbl_blob_get64(from);
	rbl_blob_get_words(from, &e.pose, 7);
	e.mass = rbl_blob_get_float(from);
	from->out_of_memory |= !rbl_array_push(&r->world->allocator, &r->world->pending_retires, e);
}

void rbl_snapshot_put_lists(rbl_blob_writer *w, const rbl_world *world)
{
	size_t part = rbl_blob_begin(w, "LIST");
	rbl_blob_put_array(w, &world->dirty);
	rbl_blob_put_array(w, &world->new_bodies);
	rbl_blob_put_array(w, &world->moved);
	rbl_blob_put_array(w, &world->pending_ends);
	rbl_blob_put_array(w, &world->unfreezes);
	rbl_blob_put_array(w, &world->replaced_proxies);
	rbl_blob_put32(w, (uint32_t)world->pending_retires.count);
	for (int i = 0; i < world->pending_retires.count; ++i)
		put_retired(w, &world->pending_retires.data[i]);
	rbl_blob_put32(w, (uint32_t)world->pending_sensors.count);
	for (int i = 0; i < world->pending_sensors.count; ++i) {
		const rbl_sensor_event *event = &world->pending_sensors.data[i];
		rbl_blob_put_words(w, &event->sensor, 2);
		rbl_blob_put_words(w, &event->visitor, 2);
		rbl_blob_put_bool(w, event->is_inside);
	}
	put_requests(w, world);
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

bool rbl_snapshot_get_lists(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	const rbl_allocator *a = &world->allocator;
	size_t end = rbl_blob_enter(from, "LIST");
	if (!rbl_blob_get_array(from, a, &world->dirty) ||
	    !rbl_blob_get_array(from, a, &world->new_bodies) ||
	    !rbl_blob_get_array(from, a, &world->moved) ||
	    !rbl_blob_get_array(from, a, &world->pending_ends) ||
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
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i)
		get_retired(r);
	count = rbl_blob_get_count(from, 20);
	for (int i = 0; i < count && !from->out_of_memory; ++i) {
		rbl_sensor_event event;
		rbl_blob_get_words(from, &event.sensor, 2);
		rbl_blob_get_words(from, &event.visitor, 2);
		event.is_inside = rbl_blob_get_bool(from);
		from->out_of_memory |= !rbl_array_push(a, &world->pending_sensors, event);
	}
	count = rbl_blob_get_count(from, 72);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i)
		get_request(r);
	world->stats.breaking_count = world->damage_requests.count;
	world->next_stress = rbl_blob_get32(from);
	count = rbl_blob_get_count(from, 24);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i)
		get_stress(r);
	return !from->out_of_memory && rbl_blob_leave(from, end);
}
