// SPDX-License-Identifier: MIT
//
// Events of a step, as arrays.
//
// Ends of contacts of bodies that are destroyed between two steps, and what calls do to debris,
// are kept as pending and reported by the next step. An event for which there is no memory is
// counted as lost; the step continues.

#include "world/world.h"

#include <float.h>

enum { HIT_BLOCK = 128 };

// Move all pending events to those of the step.
#define REPORT_PENDING(world, pending, events)                                                    \
	do {                                                                                          \
		for (int i = 0; i < (world)->pending.count; ++i)                                          \
			(world)->lost_events +=                                                               \
				!rbl_array_push(&(world)->allocator, &(world)->events, (world)->pending.data[i]); \
		(world)->pending.count = 0;                                                               \
	} while (0)

void rbl_world_clear_events(rbl_world *world)
{
	world->begins.count = world->ends.count = world->hits.count = world->sensors.count = 0;
	world->sleeps.count = world->joint_events.count = world->fractures.count = 0;
	world->retires.count = world->slides.count = 0;
	world->fracture_bodies.count = world->dust.count = world->fracture_parts.count = 0;
	world->fracture_chips.count = world->emitters.count = 0;
	world->exposed_triangles.count = world->exposed_ends.count = 0;
	world->lost_events = 0;
	REPORT_PENDING(world, pending_ends, ends);
	REPORT_PENDING(world, pending_sensors, sensors);
	REPORT_PENDING(world, pending_retires, retires);
	REPORT_PENDING(world, pending_slides, slides);
}

// Touching pairs of a sensor and a visitor are counted: the first enters, the last leaves.
// @return false when memory ran out: it is not counted
static bool report_sensor(rbl_world *world, int part, int visitor, bool begins, bool is_pending)
{
	uint64_t key = rbl_world_visit_key(world, part, visitor);
	int sensor = world->hot_parts[part].body;
	bool is_body = world->motions[sensor].flags & RBL_BODY_SENSOR;
	uint32_t count = rbl_map_get(&world->sensor_visits, key);
	count = count == RBL_MAP_NONE ? 0 : count;
	RBL_ASSERT(begins || count > 0);
	uint32_t now = begins ? count + 1 : count - 1;
	if (now == 0)
		rbl_map_remove(&world->sensor_visits, key);
	else if (!rbl_map_set(&world->allocator, &world->sensor_visits, key, now))
		return false;
	if (count != 0 && now != 0)
		return true;
	rbl_sensor_event event = { .sensor = rbl_world_body_id(world, sensor),
		                       .visitor = rbl_world_body_id(world, visitor),
		                       .sensor_part = is_body ? -1 : world->parts[part].child,
		                       .is_inside = begins };
	bool ok = is_pending ? rbl_array_push(&world->allocator, &world->pending_sensors, event)
	                     : rbl_array_push(&world->allocator, &world->sensors, event);
	world->lost_events += !ok;
	return true;
}

static const rbl_material *shared_material(const rbl_world *world, int part, int child)
{
	return world->materials.data[rbl_world_part_material_number(world, part, child)].shared;
}

bool rbl_world_report_contact(rbl_world *world, int pair, bool begins, bool is_pending)
{
	const rbl_pair_record *record = &world->pairs[pair];
	int a = world->hot_parts[record->a].body, b = world->hot_parts[record->b].body;
	if (record->flags & RBL_PAIR_SENSOR) {
		return rbl_world_part_is_sensor(world, record->a)
		           ? report_sensor(world, record->a, b, begins, is_pending)
		           : report_sensor(world, record->b, a, begins, is_pending);
	}
	if (!begins)
		rbl_world_contact_ended(world, a), rbl_world_contact_ended(world, b),
			rbl_world_contact_lost_support(world, pair);
	rbl_contact_event event = { rbl_world_body_id(world, a),
		                        rbl_world_body_id(world, b),
		                        world->parts[record->a].child,
		                        world->parts[record->b].child,
		                        NULL,
		                        NULL };
	if (begins) {
		event.material_a = shared_material(world, record->a, 0);
		event.material_b = shared_material(world, record->b, 0);
	}
	bool ok = begins       ? rbl_array_push(&world->allocator, &world->begins, event)
	          : is_pending ? rbl_array_push(&world->allocator, &world->pending_ends, event)
	                       : rbl_array_push(&world->allocator, &world->ends, event);
	world->lost_events += !ok;
	return true;
}

static int part_of_hit(const rbl_world *world, int part, rbl_vec3 point, int child)
{
	return world->parts[part].field ? rbl_world_child_at(world, part, point) : child;
}

// @return false when there is nothing to report: its bodies are to be rescued
static bool make_hit_event(const rbl_world *world, int solver_contact, rbl_hit_event *event)
{
	rbl_solver_contact_report report = rbl_solver_report_contact(world->solver, solver_contact);
	if (!(report.energy < FLT_MAX && report.peak_impulse < FLT_MAX) || !rbl_is_finite(report.point))
		return false;
	const rbl_world_contact *contact =
		&world->contacts.data[rbl_world_nearest_contact(world, (int)report.user, report.point)];
	const rbl_pair_record *pair = &world->pairs[contact->pair];
	bool is_swapped = rbl_world_is_swapped(world, contact->pair);
	int a = is_swapped ? pair->b : pair->a, b = is_swapped ? pair->a : pair->b;
	const rbl_manifold *m = &contact->manifold;
	int child_a = is_swapped ? m->child_b : m->child_a;
	int child_b = is_swapped ? m->child_a : m->child_b;
	*event = (rbl_hit_event){
		.body_a = rbl_world_body_id(world, world->hot_parts[a].body),
		.body_b = rbl_world_body_id(world, world->hot_parts[b].body),
		.part_a = part_of_hit(world, a, report.point, child_a),
		.part_b = part_of_hit(world, b, report.point, child_b),
		.material_a = shared_material(world, a, child_a),
		.material_b = shared_material(world, b, child_b),
		.point = report.point,
		.normal = report.normal,
		.speed = report.approach_speed,
		.impulse = report.peak_impulse,
		.energy = report.energy,
	};
	return true;
}

typedef struct hit_work {
	const rbl_world *world;
	const int32_t *contacts;
	rbl_hit_event *events;
} hit_work;

static void make_hit_events(void *context, int begin, int end, int worker)
{
	(void)worker;
	const hit_work *work = context;
	for (int i = begin; i < end; ++i)
		if (!make_hit_event(work->world, work->contacts[i], &work->events[i]))
			work->events[i].body_a.generation = 0;
}

// In parallel: a pile that lands makes thousands in a step, each with cache misses.
static void report_hits(rbl_world *world, rbl_solver_list hits)
{
	int first = world->hits.count, n = first;
	if (!rbl_array_resize(&world->allocator, &world->hits, first + hits.count)) {
		world->lost_events += hits.count;
		return;
	}
	hit_work work = { world, hits.indices, world->hits.data + first };
	rbl_parallel_for(world->def.jobs, hits.count, HIT_BLOCK, make_hit_events, &work);
	for (int i = first; i < world->hits.count; ++i)
		if (world->hits.data[i].body_a.generation != 0) {
			if (n != i)
				world->hits.data[n] = world->hits.data[i];
			n++;
		}
	world->hits.count = n;
}

void rbl_world_report_broken_joint(rbl_world *world, int joint, float force, float torque)
{
	const rbl_world_joint *j = &world->joints.data[joint];
	rbl_id id = rbl_id_pool_at(&world->joint_ids, joint);
	rbl_joint_event event = { .joint = { id.index, id.generation },
		                      .body_a = rbl_world_body_id(world, j->body_a),
		                      .body_b = rbl_world_body_id(world, j->body_b),
		                      .user = j->def.user,
		                      .force = force,
		                      .torque = torque };
	world->lost_events += !rbl_array_push(&world->allocator, &world->joint_events, event);
}

void rbl_world_report_retired(rbl_world *world, int body, rbl_retirement what,
                              rbl_body_id baked_body, int child)
{
	rbl_body_id id = rbl_world_body_id(world, body);
	rbl_retire_event event = { .body = id,
		                       .what = what,
		                       .user = world->bodies[body].user,
		                       .host = baked_body,
		                       .part = child,
		                       .pose = rbl_body_pose(world, id),
		                       .mass = world->bodies[body].mass };
	bool ok = world->is_reporting
	              ? rbl_array_push(&world->allocator, &world->retires, event)
	              : rbl_array_push(&world->allocator, &world->pending_retires, event);
	world->lost_events += !ok;
}

void rbl_world_bind_fractures(rbl_world *world)
{
	int body = 0, dust = 0, part = 0, chip = 0, emitter = 0;
	for (int i = 0; i < world->fractures.count; ++i) {
		rbl_fracture_event *event = &world->fractures.data[i];
		event->survives &= rbl_body_exists(world, event->parent); // it may have broken once more
		event->new_bodies = event->new_count > 0 ? world->fracture_bodies.data + body : NULL;
		event->dust = event->dust_count > 0 ? world->dust.data + dust : NULL;
		event->parts = event->part_count > 0 ? world->fracture_parts.data + part : NULL;
		event->chips = event->chip_count > 0 ? world->fracture_chips.data + chip : NULL;
		event->emitters = event->emitter_count > 0 ? world->emitters.data + emitter : NULL;
		body += event->new_count, dust += event->dust_count, part += event->part_count;
		chip += event->chip_count, emitter += event->emitter_count;
	}
}

void rbl_world_report_solver(rbl_world *world)
{
	rbl_solver_list hits = rbl_solver_hits(world->solver);
	if (hits.count > 0)
		report_hits(world, hits);
	rbl_solver_list broken = rbl_solver_broken(world->solver);
	for (int i = 0; i < broken.count; ++i) {
		rbl_solver_joint_report report = rbl_solver_report_joint(world->solver, broken.indices[i]);
		world->joints.data[report.user].is_broken = true;
		rbl_world_report_broken_joint(world, (int)report.user, rbl_length(report.force),
		                              rbl_length(report.torque));
	}
	for (int i = 0; broken.count > 0 && i < world->joint_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&world->joint_ids, i) && world->joints.data[i].is_broken)
			rbl_world_remove_joint(world, i, true);
}

rbl_events rbl_world_get_events(const rbl_world *world)
{
	if (!world)
		return (rbl_events){ .begins = NULL };
	return (rbl_events){ .begins = world->begins.data,
		                 .ends = world->ends.data,
		                 .hits = world->hits.data,
		                 .sensors = world->sensors.data,
		                 .sleeps = world->sleeps.data,
		                 .joints = world->joint_events.data,
		                 .fractures = world->fractures.data,
		                 .begin_count = world->begins.count,
		                 .end_count = world->ends.count,
		                 .hit_count = world->hits.count,
		                 .sensor_count = world->sensors.count,
		                 .sleep_count = world->sleeps.count,
		                 .joint_count = world->joint_events.count,
		                 .fracture_count = world->fractures.count,
		                 .retires = world->retires.data,
		                 .retire_count = world->retires.count,
		                 .slides = world->slides.data,
		                 .slide_count = world->slides.count,
		                 .lost_count = world->lost_events };
}

int rbl_world_get_moves(const rbl_world *world, rbl_move_event *moves, int capacity)
{
	int n = 0;
	for (int i = 0; world && i < world->moved.count; ++i) {
		int body = world->moved.data[i];
		if (!rbl_id_pool_is_live(&world->body_ids, body) ||
		    !(world->motions[body].flags & RBL_BODY_MOVED))
			continue;
		rbl_body_id id = rbl_world_body_id(world, body);
		if (moves && n < capacity)
			moves[n] = (rbl_move_event){ id, rbl_body_pose(world, id), world->bodies[body].user };
		n++;
	}
	return n;
}
