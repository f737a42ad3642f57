// SPDX-License-Identifier: MIT
// A small test world without ids and events, to drive the solver with: boxes, balls and hulls,
// pairs from the broad phase, manifolds from the narrow phase in every step.
#pragma once

#include "aligned.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "collide/collide.h"
#include "solver/solver.h"

#include <rubble/broadphase.h>
#include <rubble/convex.h>
#include <rubble/hull.h>

#include <stdlib.h>

typedef struct test_pair {
	int a, b; // objects
	rbl_sat_cache cache;
	int32_t contact;
} test_pair;

typedef struct test_object {
	const rbl_polyhedron *shape;
	int32_t body;
	rbl_proxy_id proxy;
	float mass;
	rbl_mat3 inertia; // about its centre, own axes
	void *memory;     // of its shape, or NULL
	bool is_alive;
} test_object;

typedef struct test_world {
	rbl_solver *solver;
	rbl_broadphase *broadphase;
	rbl_allocator memory;
	test_object *objects; // by proxy slot
	int object_count, object_capacity;
	test_pair *pairs;
	int pair_count, pair_capacity;
	rbl_map map;
	float friction, restitution, allowed_penetration, margin;
	rbl_vec3 gravity;
	float dt;
	int substep_count;
} test_world;

static inline rbl_transform test_world_pose(const test_world *w, int object)
{
	const rbl_solver_pose *pose = &rbl_solver_poses(w->solver)[w->objects[object].body];
	return (rbl_transform){ pose->centre, pose->rotation };
}

static inline rbl_vec3 test_world_centre(const test_world *w, int object)
{
	return test_world_pose(w, object).position;
}

static inline rbl_solver_velocity test_world_velocity(const test_world *w, int object)
{
	return rbl_solver_velocities(w->solver)[w->objects[object].body];
}

static inline rbl_box test_world_box(const rbl_polyhedron *shape, rbl_transform pose)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < shape->vertex_count; ++i)
		box = rbl_box_add_point(box, rbl_transform_point(pose, rbl_polyhedron_vertex(shape, i)));
	return rbl_box_grow(box, shape->radius);
}

/// Start an empty test world. @param def  of the solver, or NULL
static inline void test_world_begin(test_world *w, const rbl_solver_def *def)
{
	rbl_solver_def own = rbl_default_solver_def();
	own.can_sleep = false;
	memset(w, 0, sizeof *w);
	w->memory = rbl_allocator_or_default(NULL);
	if (rbl_create_solver(def ? def : &own, &w->solver) != RBL_OK)
		abort();
	rbl_broadphase_def broadphase = rbl_default_broadphase_def();
	if (rbl_create_broadphase(&broadphase, &w->broadphase) != RBL_OK)
		abort();
	w->friction = 0.6f;
	w->margin = 0.02f;
	w->gravity = (rbl_vec3){ 0.0f, -9.81f, 0.0f };
	w->dt = 1.0f / 60.0f;
	w->substep_count = 8;
}

static inline void test_world_end(test_world *w)
{
	for (int i = 0; i < w->object_count; ++i)
		free_aligned_block(w->objects[i].memory);
	free(w->objects);
	free(w->pairs);
	rbl_map_free(&w->memory, &w->map);
	rbl_destroy_broadphase(w->broadphase);
	rbl_destroy_solver(w->solver);
}

static inline rbl_mat3 test_world_diagonal(float x, float y, float z)
{
	return (rbl_mat3){ { x, 0.0f, 0.0f }, { 0.0f, y, 0.0f }, { 0.0f, 0.0f, z } };
}

/// Add an object of a shape. @param memory  freed with it @return its number
static inline int test_world_add(test_world *w, const rbl_polyhedron *shape, void *memory,
                                 float mass, rbl_mat3 inertia, rbl_vec3 at, rbl_quat rotation)
{
	rbl_solver_body body = rbl_default_solver_body();
	body.centre = at;
	body.rotation = rotation;
	body.radius = shape->bounding_radius;
	body.kind = mass > 0.0f ? RBL_SOLVER_DYNAMIC : RBL_SOLVER_STATIC;
	body.inverse_mass = mass > 0.0f ? 1.0f / mass : 0.0f;
	body.inverse_inertia = rbl_mat_inverse(inertia);
	test_object object = {
		.shape = shape, .memory = memory, .mass = mass, .inertia = inertia, .is_alive = true
	};
	rbl_proxy_def proxy = rbl_default_proxy_def();
	proxy.box = test_world_box(shape, (rbl_transform){ at, rotation });
	proxy.is_static = mass <= 0.0f;
	if (rbl_solver_add_bodies(w->solver, &body, 1, &object.body) != RBL_OK ||
	    rbl_broadphase_add(w->broadphase, &proxy, 1, &object.proxy) != RBL_OK)
		abort();
	int slot = (int)rbl_proxy_slot(object.proxy);
	if (slot >= w->object_capacity) {
		w->object_capacity = 2 * slot + 64;
		w->objects = realloc(w->objects, (size_t)w->object_capacity * sizeof *w->objects);
	}
	w->objects[slot] = object;
	w->object_count = rbl_maxi(w->object_count, slot + 1);
	return slot;
}

/// A box; mass 0: it is static.
static inline int test_world_add_box(test_world *w, rbl_vec3 half, float mass, rbl_vec3 at)
{
	rbl_small_polyhedron *small = aligned_block(64, sizeof *small);
	rbl_polyhedron_from_box(small, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, half);
	float xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z, third = mass / 3.0f;
	rbl_mat3 inertia = test_world_diagonal(third * (yy + zz), third * (xx + zz), third * (xx + yy));
	return test_world_add(w, &small->polyhedron, small, mass, inertia, at, rbl_quat_identity());
}

static inline int test_world_add_ball(test_world *w, float radius, float mass, rbl_vec3 at)
{
	rbl_small_polyhedron *small = aligned_block(64, sizeof *small);
	rbl_polyhedron_from_sphere(small, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, radius);
	float i = 0.4f * mass * radius * radius;
	return test_world_add(w, &small->polyhedron, small, mass, test_world_diagonal(i, i, i), at,
	                      rbl_quat_identity());
}

/// The ground: its top is at y = 0.
static inline int test_world_add_ground(test_world *w)
{
	return test_world_add_box(w, (rbl_vec3){ 50.0f, 1.0f, 50.0f }, 0.0f,
	                          (rbl_vec3){ 0.0f, -1.0f, 0.0f });
}

/// The hull of twelve random points, about half a metre, of stone.
static inline int test_world_add_rock(test_world *w, rbl_random *random, rbl_vec3 at)
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
	char *memory = aligned_block(64, size + sizeof(rbl_polyhedron) + 64);
	rbl_polyhedron *shape = (rbl_polyhedron *)(void *)memory;
	size_t head = (sizeof(rbl_polyhedron) + 63) / 64 * 64;
	if (!rbl_polyhedron_from_convex(shape, &view, mass.centre, rbl_convex_data_box(&view),
	                                memory + head))
		abort();
	rbl_mat3d inertia = rbl_mat_scale_d(1000.0, mass.inertia);
	rbl_mat3 rounded = { rbl_to_f(inertia.x), rbl_to_f(inertia.y), rbl_to_f(inertia.z) };
	rbl_destroy_convex(convex);
	rbl_destroy_hull(hull);
	return test_world_add(w, shape, memory, (float)(1000.0 * mass.volume), rounded, at,
	                      rbl_quat_identity());
}

/// Rocks in layers above a walled square of 2 x `half` metres.
static inline void test_world_add_pile(test_world *w, int count, float half)
{
	test_world_add_ground(w);
	for (int side = 0; side < 4; ++side) {
		float x = side == 0 ? -half - 1.0f : side == 1 ? half + 1.0f : 0.0f;
		float z = side == 2 ? -half - 1.0f : side == 3 ? half + 1.0f : 0.0f;
		test_world_add_box(
			w, (rbl_vec3){ side < 2 ? 1.0f : half + 2.0f, 20.0f, side < 2 ? half + 2.0f : 1.0f },
			0.0f, (rbl_vec3){ x, 20.0f, z });
	}
	rbl_random random = rbl_random_from_seed(7);
	int across = (int)(2.0f * half / 0.65f);
	for (int i = 0; i < count; ++i) {
		int layer = i / (across * across), place = i % (across * across);
		float x = ((float)(place % across) - 0.5f * (float)(across - 1)) * 0.65f;
		float z = ((float)(place / across) - 0.5f * (float)(across - 1)) * 0.65f;
		test_world_add_rock(w, &random,
		                    (rbl_vec3){ x + (float)rbl_random_range(&random, -0.05, 0.05),
		                                0.5f + 0.65f * (float)layer,
		                                z + (float)rbl_random_range(&random, -0.05, 0.05) });
	}
}

/// Overlap of all pairs by a fresh search.
typedef struct test_overlap {
	double mean, most;
	int count, deep; // pairs, and those deeper than 2 cm
} test_overlap;

static inline test_overlap test_world_measure_overlap(const test_world *w)
{
	test_overlap overlap = { 0 };
	for (int i = 0; i < w->pair_count; ++i) {
		const test_pair *pair = &w->pairs[i];
		rbl_manifold manifold;
		rbl_sat_cache cache;
		memset(&cache, 0, sizeof cache);
		memset(&manifold, 0, sizeof manifold);
		rbl_collide_pair(w->objects[pair->a].shape, test_world_pose(w, pair->a),
		                 w->objects[pair->b].shape, test_world_pose(w, pair->b), 0.0f, &cache,
		                 &manifold, NULL);
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

static inline uint64_t test_world_key(rbl_pair pair)
{
	return (uint64_t)pair.a << 32 | pair.b;
}

static inline void test_world_begin_pair(test_world *w, rbl_pair pair)
{
	const test_object *a = &w->objects[pair.a], *b = &w->objects[pair.b];
	if (w->pair_count == w->pair_capacity) {
		w->pair_capacity = 2 * w->pair_capacity + 64;
		w->pairs = realloc(w->pairs, (size_t)w->pair_capacity * sizeof *w->pairs);
	}
	test_pair made = { .a = (int)pair.a, .b = (int)pair.b, .contact = -1 };
	rbl_solver_contact def = { .a = a->body,
		                       .b = b->body,
		                       .friction = w->friction,
		                       .restitution = w->restitution,
		                       .allowed_penetration = w->allowed_penetration };
	if (rbl_solver_add_contacts(w->solver, &def, 1, &made.contact) != RBL_OK)
		abort();
	rbl_map_set(&w->memory, &w->map, test_world_key(pair), (uint32_t)w->pair_count);
	w->pairs[w->pair_count++] = made;
}

static inline void test_world_end_pair(test_world *w, rbl_pair pair)
{
	uint32_t index = rbl_map_get(&w->map, test_world_key(pair));
	if (index == RBL_MAP_NONE)
		return;
	if (w->objects[pair.a].is_alive && w->objects[pair.b].is_alive)
		rbl_solver_remove_contacts(w->solver, &w->pairs[index].contact, 1);
	rbl_map_remove(&w->map, test_world_key(pair));
	w->pairs[index] = w->pairs[--w->pair_count];
	rbl_pair moved = { (uint32_t)w->pairs[index].a, (uint32_t)w->pairs[index].b };
	if ((int)index < w->pair_count)
		rbl_map_set(&w->memory, &w->map, test_world_key(moved), index);
}

/// Remove an object; call test_world_step() before its number is used again.
static inline void test_world_remove(test_world *w, int object)
{
	w->objects[object].is_alive = false;
	rbl_solver_remove_bodies(w->solver, &w->objects[object].body, 1);
	rbl_broadphase_remove(w->broadphase, &w->objects[object].proxy, 1);
	free_aligned_block(w->objects[object].memory);
	w->objects[object].memory = NULL;
}

/// Pairs and manifolds as the bodies are now.
static inline void test_world_collide(test_world *w)
{
	for (int i = 0; i < w->object_count; ++i) {
		const test_object *object = &w->objects[i];
		if (!object->is_alive || object->mass <= 0.0f ||
		    rbl_solver_is_asleep(w->solver, object->body))
			continue;
		rbl_box box =
			rbl_box_grow(test_world_box(object->shape, test_world_pose(w, i)), 0.5f * w->margin);
		rbl_broadphase_move(w->broadphase, &object->proxy, &box, 1);
	}
	rbl_broadphase_result result;
	if (rbl_broadphase_update(w->broadphase, &result) != RBL_OK)
		abort();
	for (int i = 0; i < result.ended.count; ++i)
		test_world_end_pair(w, result.ended.pairs[i]);
	for (int i = 0; i < result.begun.count; ++i)
		test_world_begin_pair(w, result.begun.pairs[i]);
	for (int i = 0; i < w->pair_count; ++i) {
		test_pair *pair = &w->pairs[i];
		const test_object *a = &w->objects[pair->a], *b = &w->objects[pair->b];
		bool still_a = a->mass <= 0.0f || rbl_solver_is_asleep(w->solver, a->body);
		bool still_b = b->mass <= 0.0f || rbl_solver_is_asleep(w->solver, b->body);
		if (still_a && still_b)
			continue;
		rbl_manifold manifold = { .point_count = 0 };
		rbl_collide_pair(a->shape, test_world_pose(w, pair->a), b->shape,
		                 test_world_pose(w, pair->b), w->margin, &pair->cache, &manifold, NULL);
		if (rbl_solver_set_manifold(w->solver, pair->contact, &manifold) != RBL_OK)
			abort();
	}
}

static inline void test_world_step(test_world *w)
{
	test_world_collide(w);
	if (rbl_solver_step(w->solver, w->dt, w->substep_count, w->gravity) != RBL_OK)
		abort();
}

static inline void test_world_run(test_world *w, int steps)
{
	for (int i = 0; i < steps; ++i)
		test_world_step(w);
}

/// Kinetic energy and, with gravity, potential energy.
static inline double test_world_energy(const test_world *w)
{
	double sum = 0.0;
	for (int i = 0; i < w->object_count; ++i) {
		const test_object *object = &w->objects[i];
		if (!object->is_alive || object->mass <= 0.0f)
			continue;
		rbl_solver_velocity v = test_world_velocity(w, i);
		rbl_vec3 angular = rbl_rotate_inverse(test_world_pose(w, i).rotation, v.angular);
		double m = (double)object->mass;
		sum += 0.5 * m * (double)rbl_length_squared(v.linear);
		sum += 0.5 * (double)rbl_dot(angular, rbl_mat_vec(object->inertia, angular));
		sum -= m * (double)rbl_dot(w->gravity, test_world_centre(w, i));
	}
	return sum;
}

static inline double test_world_mean_speed(const test_world *w)
{
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < w->object_count; ++i)
		if (w->objects[i].is_alive && w->objects[i].mass > 0.0f)
			sum += (double)rbl_length(test_world_velocity(w, i).linear), ++count;
	return count ? sum / count : 0.0;
}

static inline double test_world_mean_height(const test_world *w)
{
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < w->object_count; ++i)
		if (w->objects[i].is_alive && w->objects[i].mass > 0.0f)
			sum += (double)test_world_centre(w, i).y, ++count;
	return count ? sum / count : 0.0;
}

static inline uint64_t test_world_hash(const test_world *w)
{
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; i < w->object_count; ++i)
		if (w->objects[i].is_alive) {
			rbl_transform pose = test_world_pose(w, i);
			rbl_solver_velocity v = test_world_velocity(w, i);
			hash = rbl_hash_bytes(hash, &pose, sizeof pose);
			hash = rbl_hash_bytes(hash, &v.linear, sizeof v.linear);
			hash = rbl_hash_bytes(hash, &v.angular, sizeof v.angular);
		}
	return hash;
}

/// A wall of bricks 0.4 x 0.2 x 0.2 m, joints broken by a quarter of a brick.
static inline void test_world_add_wall(test_world *w, int columns, int rows)
{
	for (int row = 0; row < rows; ++row)
		for (int column = 0; column < columns; ++column) {
			float x = 0.4f * ((float)column - 0.5f * (float)columns + (row % 2 ? 0.25f : 0.0f));
			test_world_add_box(w, (rbl_vec3){ 0.2f, 0.1f, 0.1f }, 16.0f,
			                   (rbl_vec3){ x, 0.1f + 0.2f * (float)row, 0.0f });
		}
}
