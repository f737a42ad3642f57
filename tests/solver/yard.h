// SPDX-License-Identifier: MIT
// A yard: a small world without ids, events or haste, to drive the solver with. Boxes, balls and
// hulls, pairs from the broad phase, manifolds from the narrow phase in every step.
#pragma once

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "collide/collide.h"
#include "solver/solver.h"

#include <rubble/broadphase.h>
#include <rubble/convex.h>
#include <rubble/hull.h>

#include <stdlib.h>

typedef struct yard_pair {
	int a, b; // things
	rbl_axis_cache cache;
	int32_t contact;
} yard_pair;

typedef struct yard_thing {
	const rbl_polyhedron *form;
	int32_t body;
	rbl_proxy_id proxy;
	float mass;
	rbl_mat3 inertia; // about its centre, own axes
	void *memory;     // of its form, or NULL
	bool is_alive;
} yard_thing;

typedef struct yard {
	rbl_solver *solver;
	rbl_broadphase *broadphase;
	rbl_allocator memory;
	yard_thing *things; // by proxy slot
	int thing_count, thing_capacity;
	yard_pair *pairs;
	int pair_count, pair_capacity;
	rbl_map map;
	float friction, restitution, margin;
	rbl_vec3 gravity;
	float dt;
	int substep_count;
} yard;

static inline rbl_transform yard_pose(const yard *y, int thing)
{
	const rbl_solver_pose *pose = &rbl_solver_poses(y->solver)[y->things[thing].body];
	return (rbl_transform){ pose->centre, pose->rotation };
}

static inline rbl_vec3 yard_centre(const yard *y, int thing)
{
	return yard_pose(y, thing).position;
}

static inline rbl_solver_velocity yard_velocity(const yard *y, int thing)
{
	return rbl_solver_velocities(y->solver)[y->things[thing].body];
}

static inline rbl_box yard_box(const rbl_polyhedron *form, rbl_transform pose)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < form->vertex_count; ++i)
		box = rbl_box_add_point(box, rbl_transform_point(pose, rbl_polyhedron_vertex(form, i)));
	return rbl_box_grow(box, form->radius);
}

/// Start an empty yard. @param def  of the solver, or NULL
static inline void yard_begin(yard *y, const rbl_solver_def *def)
{
	rbl_solver_def own = rbl_default_solver_def();
	own.can_sleep = false;
	memset(y, 0, sizeof *y);
	y->memory = rbl_allocator_or_default(NULL);
	if (rbl_create_solver(def ? def : &own, &y->solver) != RBL_OK)
		abort();
	rbl_broadphase_def broadphase = rbl_default_broadphase_def();
	if (rbl_create_broadphase(&broadphase, &y->broadphase) != RBL_OK)
		abort();
	y->friction = 0.6f;
	y->margin = 0.02f;
	y->gravity = (rbl_vec3){ 0.0f, -9.81f, 0.0f };
	y->dt = 1.0f / 60.0f;
	y->substep_count = 8;
}

static inline void yard_end(yard *y)
{
	for (int i = 0; i < y->thing_count; ++i)
		free(y->things[i].memory);
	free(y->things);
	free(y->pairs);
	rbl_map_free(&y->memory, &y->map);
	rbl_destroy_broadphase(y->broadphase);
	rbl_destroy_solver(y->solver);
}

static inline rbl_mat3 yard_diagonal(float x, float y, float z)
{
	return (rbl_mat3){ { x, 0.0f, 0.0f }, { 0.0f, y, 0.0f }, { 0.0f, 0.0f, z } };
}

/// Add a thing of a form. @param memory  freed with it @return its number
static inline int yard_add(yard *y, const rbl_polyhedron *form, void *memory, float mass,
                           rbl_mat3 inertia, rbl_vec3 at, rbl_quat rotation)
{
	rbl_solver_body body = rbl_default_solver_body();
	body.centre = at;
	body.rotation = rotation;
	body.radius = form->reach;
	body.kind = mass > 0.0f ? RBL_SOLVER_DYNAMIC : RBL_SOLVER_STATIC;
	body.inverse_mass = mass > 0.0f ? 1.0f / mass : 0.0f;
	body.inverse_inertia = rbl_mat_inverse(inertia);
	yard_thing thing = {
		.form = form, .memory = memory, .mass = mass, .inertia = inertia, .is_alive = true
	};
	rbl_proxy_def proxy = rbl_default_proxy_def();
	proxy.box = yard_box(form, (rbl_transform){ at, rotation });
	proxy.is_static = mass <= 0.0f;
	if (rbl_solver_add_bodies(y->solver, &body, 1, &thing.body) != RBL_OK ||
	    rbl_broadphase_add(y->broadphase, &proxy, 1, &thing.proxy) != RBL_OK)
		abort();
	int slot = (int)rbl_proxy_slot(thing.proxy);
	if (slot >= y->thing_capacity) {
		y->thing_capacity = 2 * slot + 64;
		y->things = realloc(y->things, (size_t)y->thing_capacity * sizeof *y->things);
	}
	y->things[slot] = thing;
	y->thing_count = rbl_maxi(y->thing_count, slot + 1);
	return slot;
}

/// A box; mass 0: it stands still.
static inline int yard_add_box(yard *y, rbl_vec3 half, float mass, rbl_vec3 at)
{
	rbl_small_polyhedron *small = aligned_alloc(64, (sizeof *small + 63) / 64 * 64);
	rbl_polyhedron_from_box(small, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, half);
	float xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z, third = mass / 3.0f;
	rbl_mat3 inertia = yard_diagonal(third * (yy + zz), third * (xx + zz), third * (xx + yy));
	return yard_add(y, &small->form, small, mass, inertia, at, rbl_quat_identity());
}

static inline int yard_add_ball(yard *y, float radius, float mass, rbl_vec3 at)
{
	rbl_small_polyhedron *small = aligned_alloc(64, (sizeof *small + 63) / 64 * 64);
	rbl_polyhedron_from_sphere(small, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, radius);
	float i = 0.4f * mass * radius * radius;
	return yard_add(y, &small->form, small, mass, yard_diagonal(i, i, i), at, rbl_quat_identity());
}

/// The ground: its top is at y = 0.
static inline int yard_add_ground(yard *y)
{
	return yard_add_box(y, (rbl_vec3){ 50.0f, 1.0f, 50.0f }, 0.0f, (rbl_vec3){ 0.0f, -1.0f, 0.0f });
}

/// The hull of twelve random points, about half a metre, of stone.
static inline int yard_add_rock(yard *y, rbl_random *random, rbl_vec3 at)
{
	rbl_vec3d points[12];
	for (int i = 0; i < 12; ++i) {
		rbl_vec3d p = rbl_normalize_d(rbl_random_in_ball(random));
		points[i] = rbl_scale_d(rbl_random_range(random, 0.22, 0.28), p);
	}
	rbl_hull_def hull_def = rbl_default_hull_def();
	hull_def.points = points;
	hull_def.point_count = 12;
	rbl_hull *hull;
	if (rbl_create_hull(&hull_def, &hull) != RBL_OK)
		abort();
	rbl_hull_data data = rbl_hull_get_data(hull);
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.planes = data.planes;
	convex_def.plane_count = data.face_count;
	rbl_convex *convex;
	if (rbl_create_convex(&convex_def, &convex) != RBL_OK)
		abort();
	rbl_convex_data view = rbl_convex_get_data(convex);
	rbl_mass mass = rbl_convex_get_mass(convex);
	size_t size = rbl_polyhedron_size(view.face_count, view.vertex_count);
	char *memory = aligned_alloc(64, (size + sizeof(rbl_polyhedron) + 127) / 64 * 64);
	rbl_polyhedron *form = (rbl_polyhedron *)(void *)memory;
	size_t head = (sizeof(rbl_polyhedron) + 63) / 64 * 64;
	if (!rbl_polyhedron_from_convex(form, &view, mass.centre, rbl_convex_data_box(&view),
	                                memory + head))
		abort();
	rbl_mat3d inertia = rbl_mat_scale_d(1000.0, mass.inertia);
	rbl_mat3 rounded = { rbl_to_f(inertia.x), rbl_to_f(inertia.y), rbl_to_f(inertia.z) };
	rbl_destroy_convex(convex);
	rbl_destroy_hull(hull);
	return yard_add(y, form, memory, (float)(1000.0 * mass.volume), rounded, at,
	                rbl_quat_identity());
}

/// Rocks above a walled yard of 2 x `half` metres, in layers.
static inline void yard_add_pile(yard *y, int count, float half)
{
	yard_add_ground(y);
	for (int side = 0; side < 4; ++side) {
		float x = side == 0 ? -half - 1.0f : side == 1 ? half + 1.0f : 0.0f;
		float z = side == 2 ? -half - 1.0f : side == 3 ? half + 1.0f : 0.0f;
		yard_add_box(
			y, (rbl_vec3){ side < 2 ? 1.0f : half + 2.0f, 20.0f, side < 2 ? half + 2.0f : 1.0f },
			0.0f, (rbl_vec3){ x, 20.0f, z });
	}
	rbl_random random = rbl_random_from_seed(7);
	int across = (int)(2.0f * half / 0.65f);
	for (int i = 0; i < count; ++i) {
		int layer = i / (across * across), place = i % (across * across);
		float x = ((float)(place % across) - 0.5f * (float)(across - 1)) * 0.65f;
		float z = ((float)(place / across) - 0.5f * (float)(across - 1)) * 0.65f;
		yard_add_rock(y, &random,
		              (rbl_vec3){ x + (float)rbl_random_range(&random, -0.05, 0.05),
		                          0.5f + 0.65f * (float)layer,
		                          z + (float)rbl_random_range(&random, -0.05, 0.05) });
	}
}

/// Overlap of all pairs by a fresh search.
typedef struct yard_overlap {
	double mean, most;
	int count, deep; // pairs, and those deeper than 2 cm
} yard_overlap;

static inline yard_overlap yard_measure_overlap(const yard *y)
{
	yard_overlap overlap = { 0 };
	for (int i = 0; i < y->pair_count; ++i) {
		const yard_pair *pair = &y->pairs[i];
		rbl_manifold manifold;
		rbl_axis_cache cache;
		memset(&cache, 0, sizeof cache);
		memset(&manifold, 0, sizeof manifold);
		rbl_collide_pair(y->things[pair->a].form, yard_pose(y, pair->a), y->things[pair->b].form,
		                 yard_pose(y, pair->b), 0.0f, &cache, &manifold);
		double depth = 0.0;
		for (int k = 0; k < manifold.point_count; ++k)
			depth = rbl_maxd(depth, (double)-manifold.points[k].separation);
		if (depth <= 0.0)
			continue;
		overlap.mean += depth;
		overlap.most = rbl_maxd(overlap.most, depth);
		overlap.deep += depth > 0.02;
		overlap.count++;
	}
	overlap.mean /= overlap.count > 0 ? overlap.count : 1;
	return overlap;
}

static inline uint64_t yard_key(rbl_pair pair)
{
	return (uint64_t)pair.a << 32 | pair.b;
}

static inline void yard_begin_pair(yard *y, rbl_pair pair)
{
	const yard_thing *a = &y->things[pair.a], *b = &y->things[pair.b];
	if (y->pair_count == y->pair_capacity) {
		y->pair_capacity = 2 * y->pair_capacity + 64;
		y->pairs = realloc(y->pairs, (size_t)y->pair_capacity * sizeof *y->pairs);
	}
	yard_pair made = { .a = (int)pair.a, .b = (int)pair.b, .contact = -1 };
	rbl_solver_contact def = {
		.a = a->body, .b = b->body, .friction = y->friction, .restitution = y->restitution
	};
	if (rbl_solver_add_contacts(y->solver, &def, 1, &made.contact) != RBL_OK)
		abort();
	rbl_map_set(&y->memory, &y->map, yard_key(pair), (uint32_t)y->pair_count);
	y->pairs[y->pair_count++] = made;
}

static inline void yard_end_pair(yard *y, rbl_pair pair)
{
	uint32_t index = rbl_map_get(&y->map, yard_key(pair));
	if (index == RBL_MAP_NONE)
		return;
	if (y->things[pair.a].is_alive && y->things[pair.b].is_alive)
		rbl_solver_remove_contacts(y->solver, &y->pairs[index].contact, 1);
	rbl_map_remove(&y->map, yard_key(pair));
	y->pairs[index] = y->pairs[--y->pair_count];
	rbl_pair moved = { (uint32_t)y->pairs[index].a, (uint32_t)y->pairs[index].b };
	if ((int)index < y->pair_count)
		rbl_map_set(&y->memory, &y->map, yard_key(moved), index);
}

/// Remove a thing; call yard_step() before its number is used again.
static inline void yard_remove(yard *y, int thing)
{
	y->things[thing].is_alive = false;
	rbl_solver_remove_bodies(y->solver, &y->things[thing].body, 1);
	rbl_broadphase_remove(y->broadphase, &y->things[thing].proxy, 1);
	free(y->things[thing].memory);
	y->things[thing].memory = NULL;
}

/// Pairs and manifolds as the bodies are now.
static inline void yard_collide(yard *y)
{
	for (int i = 0; i < y->thing_count; ++i) {
		const yard_thing *thing = &y->things[i];
		if (!thing->is_alive || thing->mass <= 0.0f || rbl_solver_is_asleep(y->solver, thing->body))
			continue;
		rbl_box box = rbl_box_grow(yard_box(thing->form, yard_pose(y, i)), 0.5f * y->margin);
		rbl_broadphase_move(y->broadphase, &thing->proxy, &box, 1);
	}
	rbl_broadphase_result result;
	if (rbl_broadphase_update(y->broadphase, &result) != RBL_OK)
		abort();
	for (int i = 0; i < result.ended.count; ++i)
		yard_end_pair(y, result.ended.pairs[i]);
	for (int i = 0; i < result.begun.count; ++i)
		yard_begin_pair(y, result.begun.pairs[i]);
	for (int i = 0; i < y->pair_count; ++i) {
		yard_pair *pair = &y->pairs[i];
		const yard_thing *a = &y->things[pair->a], *b = &y->things[pair->b];
		bool still_a = a->mass <= 0.0f || rbl_solver_is_asleep(y->solver, a->body);
		bool still_b = b->mass <= 0.0f || rbl_solver_is_asleep(y->solver, b->body);
		if (still_a && still_b)
			continue;
		rbl_manifold manifold = { .point_count = 0 };
		rbl_collide_pair(a->form, yard_pose(y, pair->a), b->form, yard_pose(y, pair->b), y->margin,
		                 &pair->cache, &manifold);
		if (rbl_solver_set_manifold(y->solver, pair->contact, &manifold) != RBL_OK)
			abort();
	}
}

static inline void yard_step(yard *y)
{
	yard_collide(y);
	if (rbl_solver_step(y->solver, y->dt, y->substep_count, y->gravity) != RBL_OK)
		abort();
}

static inline void yard_run(yard *y, int steps)
{
	for (int i = 0; i < steps; ++i)
		yard_step(y);
}

/// Kinetic energy and, with gravity, potential energy.
static inline double yard_energy(const yard *y)
{
	double sum = 0.0;
	for (int i = 0; i < y->thing_count; ++i) {
		const yard_thing *thing = &y->things[i];
		if (!thing->is_alive || thing->mass <= 0.0f)
			continue;
		rbl_solver_velocity v = yard_velocity(y, i);
		rbl_vec3 w = rbl_rotate_inverse(yard_pose(y, i).rotation, v.angular);
		double m = (double)thing->mass;
		sum += 0.5 * m * (double)rbl_length_squared(v.linear);
		sum += 0.5 * (double)rbl_dot(w, rbl_mat_vec(thing->inertia, w));
		sum -= m * (double)rbl_dot(y->gravity, yard_centre(y, i));
	}
	return sum;
}

static inline double yard_mean_speed(const yard *y)
{
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < y->thing_count; ++i)
		if (y->things[i].is_alive && y->things[i].mass > 0.0f)
			sum += (double)rbl_length(yard_velocity(y, i).linear), ++count;
	return count ? sum / count : 0.0;
}

static inline double yard_mean_height(const yard *y)
{
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < y->thing_count; ++i)
		if (y->things[i].is_alive && y->things[i].mass > 0.0f)
			sum += (double)yard_centre(y, i).y, ++count;
	return count ? sum / count : 0.0;
}

static inline uint64_t yard_hash(const yard *y)
{
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; i < y->thing_count; ++i)
		if (y->things[i].is_alive) {
			rbl_transform pose = yard_pose(y, i);
			rbl_solver_velocity v = yard_velocity(y, i);
			hash = rbl_hash_bytes(hash, &pose, sizeof pose);
			hash = rbl_hash_bytes(hash, &v.linear, sizeof v.linear);
			hash = rbl_hash_bytes(hash, &v.angular, sizeof v.angular);
		}
	return hash;
}

/// A wall of bricks 0.4 x 0.2 x 0.2 m, joints broken by a quarter of a brick.
static inline void yard_add_wall(yard *y, int columns, int rows)
{
	for (int row = 0; row < rows; ++row)
		for (int column = 0; column < columns; ++column) {
			float x = 0.4f * ((float)column - 0.5f * (float)columns + (row % 2 ? 0.25f : 0.0f));
			yard_add_box(y, (rbl_vec3){ 0.2f, 0.1f, 0.1f }, 16.0f,
			             (rbl_vec3){ x, 0.1f + 0.2f * (float)row, 0.0f });
		}
}
