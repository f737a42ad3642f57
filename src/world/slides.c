// SPDX-License-Identifier: MIT
//
// Slide and roll events: bodies that rub against each other, for sounds.
//
// Of two bodies that touch with many points or parts the contact with the largest impulse counts. A
// pair slides while its surfaces pass each other there faster than rbl_world_def.slide_speed, and
// rolls while a round part moves on faster than that without sliding. The pair remembers which, so
// that events begin and end.

#include "world/world.h"

typedef struct rubbing {
	rbl_solver_contact_report report;
	int contact;
	rbl_vec3 slide, roll; // velocities in the tangent plane, of B relative to A
} rubbing;

static rbl_vec3 velocity_at(const rbl_world *world, int body, rbl_vec3 point)
{
	const rbl_body_motion *m = &world->motions[body];
	return rbl_add(m->velocity, rbl_cross(m->angular_velocity, rbl_sub(point, m->centre)));
}

static rbl_vec3 across(rbl_vec3 v, rbl_vec3 normal)
{
	return rbl_add_scaled(v, -rbl_dot(v, normal), normal);
}

static bool is_round(const rbl_world *world, int part)
{
	const rbl_polyhedron *form = world->hot_parts[part].polyhedron;
	return form && form->vertex_count <= 2 && form->radius > 0.0f;
}

// The contact with the largest impulse of a pair, or of its merged list.
static bool find_rubbing(const rbl_world *world, int first, rubbing *r)
{
	r->contact = RBL_NONE;
	int pair = first;
	do {
		RBL_EACH_CONTACT (contact, world, pair) {
			const rbl_world_contact *t = &world->contacts.data[contact];
			if (t->solver_contact == RBL_NONE ||
			    !rbl_solver_has_points(world->solver, t->solver_contact))
				continue;
			rbl_solver_contact_report report =
				rbl_solver_report_contact(world->solver, t->solver_contact);
			if (report.normal_impulse > 0.0f &&
			    (r->contact == RBL_NONE || report.normal_impulse > r->report.normal_impulse))
				r->report = report, r->contact = contact;
		}
		bool is_merged = world->pairs[pair].flags & RBL_PAIR_MERGED;
		pair = is_merged ? world->links[pair].next_merged : first;
	} while (pair != first);
	return r->contact != RBL_NONE;
}

// The bodies of a report are those of the solver: turn all to the order of the pair.
static void find_velocities(const rbl_world *world, rubbing *r)
{
	const rbl_pair_record *pair = &world->pairs[world->contacts.data[r->contact].pair];
	rbl_vec3 running = rbl_world_running_velocity(world, r->contact);
	if (rbl_world_is_swapped(world, world->contacts.data[r->contact].pair)) {
		r->report.normal = rbl_neg(r->report.normal);
		running = rbl_neg(running);
	}
	int a = world->hot_parts[pair->a].body, b = world->hot_parts[pair->b].body;
	rbl_vec3 point = r->report.point, normal = r->report.normal;
	rbl_vec3 at_a = velocity_at(world, a, point), at_b = velocity_at(world, b, point);
	r->slide = across(rbl_add(rbl_sub(at_b, at_a), running), normal);
	r->roll = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	if (is_round(world, pair->b))
		r->roll = across(rbl_sub(world->motions[b].velocity, at_a), normal);
	else if (is_round(world, pair->a))
		r->roll = across(rbl_sub(at_b, world->motions[a].velocity), normal);
}

static rbl_slide_event make_event(const rbl_world *world, int pair, rbl_slide_kind kind,
                                  rbl_slide_phase phase)
{
	const rbl_pair_record *record = &world->pairs[pair];
	return (rbl_slide_event){
		.body_a = rbl_world_body_id(world, world->hot_parts[record->a].body),
		.body_b = rbl_world_body_id(world, world->hot_parts[record->b].body),
		.part_a = world->parts[record->a].child,
		.part_b = world->parts[record->b].child,
		.kind = kind,
		.phase = phase,
	};
}

static void add_event(rbl_world *world, const rbl_slide_event *event, bool is_pending)
{
	bool ok = is_pending ? rbl_array_push(&world->allocator, &world->pending_slides, *event)
	                     : rbl_array_push(&world->allocator, &world->slides, *event);
	world->lost_events += !ok;
}

void rbl_world_end_slides(rbl_world *world, int pair, bool is_pending)
{
	rbl_pair_record *record = &world->pairs[pair];
	for (int kind = RBL_SLIDE; kind <= RBL_ROLL; ++kind) {
		uint32_t flag = kind == RBL_SLIDE ? RBL_PAIR_SLIDES : RBL_PAIR_ROLLS;
		if (!(record->flags & flag))
			continue;
		rbl_slide_event event = make_event(world, pair, (rbl_slide_kind)kind, RBL_SLIDE_END);
		add_event(world, &event, is_pending);
		record->flags &= ~flag;
	}
}

static void update_kind(rbl_world *world, int pair, rbl_slide_kind kind, bool is_now,
                        const rubbing *r)
{
	uint32_t flag = kind == RBL_SLIDE ? RBL_PAIR_SLIDES : RBL_PAIR_ROLLS;
	bool was = world->pairs[pair].flags & flag;
	if (!was && !is_now)
		return;
	rbl_slide_event event = make_event(
		world, pair, kind, is_now ? was ? RBL_SLIDE_STEP : RBL_SLIDE_BEGIN : RBL_SLIDE_END);
	if (is_now) {
		const rbl_world_contact *t = &world->contacts.data[r->contact];
		const rbl_pair_record *of = &world->pairs[t->pair];
		const rbl_manifold *m = &t->manifold;
		int a = rbl_world_part_material_number(world, of->a, m->child_a),
			b = rbl_world_part_material_number(world, of->b, m->child_b);
		event.part_a = m->child_a, event.part_b = m->child_b;
		event.material_a = world->materials.data[a].shared;
		event.material_b = world->materials.data[b].shared;
		event.material_user_a = world->materials.data[a].values.user;
		event.material_user_b = world->materials.data[b].values.user;
		event.point = r->report.point;
		event.normal = r->report.normal;
		event.velocity = kind == RBL_SLIDE ? r->slide : r->roll;
		event.speed = rbl_length(event.velocity);
		event.impulse = r->report.normal_impulse * (float)world->def.substep_count;
	}
	world->pairs[pair].flags =
		is_now ? world->pairs[pair].flags | flag : world->pairs[pair].flags & ~flag;
	add_event(world, &event, false);
}

void rbl_world_report_slides(rbl_world *world)
{
	float least = world->def.slide_speed;
	if (!(least > 0.0f))
		return;
	for (int i = 0; i < world->active.count; ++i) {
		int pair = world->active.data[i];
		uint32_t flags = world->pairs[pair].flags;
		bool may_rub = flags & RBL_PAIR_MERGED || flags & RBL_PAIR_POINTS;
		if (world->pairs[pair].a == RBL_NONE || (flags & RBL_PAIR_SENSOR) ||
		    !(may_rub || (flags & (RBL_PAIR_SLIDES | RBL_PAIR_ROLLS))))
			continue;
		rubbing r;
		bool slides = false, rolls = false;
		if (may_rub && find_rubbing(world, pair, &r)) {
			find_velocities(world, &r);
			slides = rbl_length(r.slide) >= least;
			rolls = !slides && rbl_length(r.roll) >= least;
		}
		update_kind(world, pair, RBL_SLIDE, slides, &r);
		update_kind(world, pair, RBL_ROLL, rolls, &r);
	}
}
