// SPDX-License-Identifier: MIT
//
// Contacts of parts that collide by distance fields: with each other, and with parts of every other
// kind.
//
// A pair has a few manifolds, one for each direction in which its parts touch, and a memory from
// step to step, so that points which touched before are found again and the solver starts from
// their impulses. The narrow phase finds manifolds in parallel, each worker with its own work
// space; contacts.c makes contacts of them, in order.

#include "world/world.h"

bool rbl_world_prepare_field_work(rbl_world *world)
{
	int count = rbl_jobs_worker_count(world->def.jobs);
	while (world->field_work.count < count) {
		rbl_field_contacts *work = NULL;
		if (rbl_create_field_contacts(&world->allocator, &work) != RBL_OK)
			return false;
		if (!rbl_array_push(&world->allocator, &world->field_work, work)) {
			rbl_destroy_field_contacts(work);
			return false;
		}
	}
	return true;
}

void rbl_world_free_field_work(rbl_world *world)
{
	for (int i = 0; i < world->field_work.count; ++i)
		rbl_destroy_field_contacts(world->field_work.data[i]);
	rbl_array_free(&world->allocator, &world->field_work);
}

void rbl_destroy_pair_field(const rbl_allocator *allocator, rbl_pair_field *field)
{
	if (!field)
		return;
	RBL_FREE(allocator, field->birth, 1);
	RBL_FREE(allocator, field, 1);
}

static rbl_field_side side_of(const rbl_world *world, int part)
{
	const rbl_world_part *p = &world->parts[part];
	const rbl_body_motion *m = &world->motions[world->hot_parts[part].body];
	rbl_transform pose = rbl_world_part_pose(world, part);
	rbl_vec3 arm = rbl_sub(pose.position, m->centre);
	return (rbl_field_side){ .shape = p->field ? p->field->shape : NULL,
		                     .collider = p->field ? NULL : p->collider,
		                     .pose = pose,
		                     .velocity = rbl_add(m->velocity, rbl_cross(m->angular_velocity, arm)),
		                     .angular_velocity = m->angular_velocity };
}

// Nearer points touch, in metres.
static const float touch_distance = 0.0005f;

// Bodies that come nearer by more than this in a step are fast, in metres.
static const float fast_approach = 0.01f;

// How far apart points may be that are contacts whatever their relative velocity. Two bodies that
// move together may come apart or together in this step, because something stops one of them, and
// gravity acts on what was held until now.
static float speculative_distance(const rbl_world *world, const rbl_field_side *a,
                                  const rbl_field_side *b, float dt)
{
	float most = rbl_world_length(world, 0.006f); // as convexes have
	float together = rbl_minf(rbl_length(a->velocity), rbl_length(b->velocity));
	return rbl_world_length(world, touch_distance) +
	       rbl_minf(most, dt * (together + dt * rbl_length(world->def.gravity)));
}

static float min_separation(const rbl_field_contact_list *list)
{
	float least = FLT_MAX;
	for (int i = 0; i < list->point_count; ++i)
		least = rbl_minf(least, list->points[i].separation);
	return least;
}

// The part that a body touches with: of one that collides by a field and is made of several
// materials, the one that is nearest to the points.
static int32_t touching_child(const rbl_world *world, int part, const rbl_manifold *manifold)
{
	rbl_body_id id = rbl_world_body_id(world, world->hot_parts[part].body);
	const rbl_compound *compound =
		world->parts[part].field ? rbl_body_get_compound(world, id) : NULL;
	if (!compound || rbl_compound_get_info(compound).material_count < 2)
		return world->parts[part].child;
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < manifold->point_count; ++i)
		sum = rbl_add(sum, manifold->points[i].position);
	return rbl_world_child_at(world, part,
	                          rbl_scale(1.0f / rbl_maxf((float)manifold->point_count, 1.0f), sum));
}

bool rbl_world_find_field_manifolds(const rbl_world *world, int pair, float dt, float margin,
                                    rbl_pair_field *found, int worker)
{
	if (found->birth) {
		if (rbl_world_find_birth_manifolds(world, pair, found))
			return true;
		RBL_FREE(&world->allocator, found->birth, 1);
		found->birth = NULL;
	}
	const rbl_pair_record *record = &world->pairs[pair];
	rbl_field_side a = side_of(world, record->a), b = side_of(world, record->b);
	rbl_field_probe *probe = world->field_probe;
	rbl_field_contact_settings settings =
		probe ? probe->settings : rbl_default_field_contact_settings();
	settings.dt = dt;
	settings.margin = margin;
	settings.tolerance = speculative_distance(world, &a, &b, dt);
	settings.touching = rbl_world_length(world, touch_distance);
	settings.deep = rbl_world_length(world, settings.deep);
	settings.gather_count = 24;
	// Of the many points that will touch, the first to do so must be among those that are found.
	if (dt * rbl_distance(a.velocity, b.velocity) > rbl_world_length(world, fast_approach))
		settings.gather_count *= 4;
	rbl_field_contact_list list;
	if (rbl_field_contacts_find(world->field_work.data[worker], &a, &b, &settings, &found->memory,
	                            &list) != RBL_OK)
		return false;
	if (probe) {
		probe->visited += list.visited[0] + list.visited[1];
		probe->found += list.found[0] + list.found[1];
	}
	found->is_incomplete =
		(list.has_stopped[0] || list.has_stopped[1]) && min_separation(&list) < -settings.deep;
	found->manifold_count = rbl_mini(list.manifold_count, RBL_MAX_FIELD_CONTACTS);
	for (int i = 0; i < found->manifold_count; ++i) {
		found->manifolds[i] = list.manifolds[i];
		if (a.shape || world->hot_parts[record->a].polyhedron)
			found->manifolds[i].child_a = touching_child(world, record->a, &found->manifolds[i]);
		if (b.shape || world->hot_parts[record->b].polyhedron)
			found->manifolds[i].child_b = touching_child(world, record->b, &found->manifolds[i]);
	}
	return true;
}

bool rbl_world_fields_touch(const rbl_world *world, int pair, int worker, bool *ran_out)
{
	const rbl_pair_record *record = &world->pairs[pair];
	rbl_field_side a = side_of(world, record->a), b = side_of(world, record->b);
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.dt = settings.margin = 0.0f;
	settings.point_count = settings.gather_count = 1;
	rbl_field_contact_list list;
	rbl_result result =
		rbl_field_contacts_find(world->field_work.data[worker], &a, &b, &settings, NULL, &list);
	*ran_out |= result != RBL_OK;
	return result == RBL_OK && list.point_count > 0;
}

// --- sweeps -------------------------------------------------------------------------------------

// The origin of the part goes straight within a cast, and in truth around the centre of mass: the
// way is divided so that it is off by no more than this, in metres.
static const float path_error = 0.0005f;

// What a sweep leaves between the part and what it hits, in metres.
static const float sweep_separation = 0.0005f;

static int path_count(const rbl_world *world, int part, rbl_transform from, rbl_transform to)
{
	enum { MOST = 16 };
	int body = world->hot_parts[part].body;
	float radius = rbl_length(world->parts[part].local.position);
	float arc = rbl_world_rotation_arc(world, body, from.rotation, to.rotation) /
	            world->motions[body].bounding_radius;
	float error = 0.125f * radius * arc * arc;
	int count = 1;
	while (count < MOST && error > rbl_world_length(world, path_error) * (float)(count * count))
		count++;
	return count;
}

rbl_cast_hit rbl_world_cast_field(const rbl_world *world, int part, rbl_transform from,
                                  rbl_transform to, int target, float depth, int worker)
{
	rbl_field_side moving = side_of(world, part), other = side_of(world, target);
	float separation = rbl_world_length(world, sweep_separation);
	int count = path_count(world, part, from, to);
	rbl_transform local =
		world->hot_parts[part].is_placed ? world->parts[part].local : rbl_transform_identity();
	rbl_cast_hit hit = { .is_hit = false };
	depth = rbl_maxf(depth / (float)count, separation); // of each part of the way
	moving.pose = rbl_transform_mul(from, local);
	for (int i = 0; i < count && !hit.is_hit; ++i) {
		rbl_transform next =
			i + 1 < count ? rbl_collide_pose_at(from, to, (float)(i + 1) / (float)count) : to;
		next = rbl_transform_mul(next, local);
		if (rbl_field_cast_motion(world->field_work.data[worker], &moving, next, &other, separation,
		                          depth, &hit) != RBL_OK)
			return (rbl_cast_hit){ .is_hit = false };
		if (hit.is_hit)
			hit.fraction = ((float)i + hit.fraction) / (float)count;
		moving.pose = next;
	}
	return hit;
}
