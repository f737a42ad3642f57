// SPDX-License-Identifier: MIT
// Small scenes for tests of the world.
#pragma once

#include "base/random.h"
#include "base/vec.h"

#include <rubble/hull.h>
#include <rubble/rubble.h>

#include <stdlib.h>

enum { SCENE_SHAPES = 16 };

/// A world, and shapes that its bodies share.
typedef struct scene {
	rbl_world *world;
	rbl_jobs *jobs;
	rbl_collider *box;     // half a metre
	rbl_collider *ball;    // radius 0.25
	rbl_collider *capsule; // length 0.5, radius 0.2
	rbl_collider *floor;   // 100 x 1 x 100, its top at 0
	rbl_collider *hulls[SCENE_SHAPES];
} scene;

static inline rbl_collider *scene_box(float x, float y, float z)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ x, y, z };
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

/// The hull of twelve points on a bumpy ball.
static inline rbl_collider *scene_hull(rbl_random *random, float size)
{
	rbl_vec3d points[12];
	for (int i = 0; i < 12; ++i) {
		rbl_vec3d p = rbl_normalize_d(rbl_random_in_ball(random));
		points[i] = rbl_scale_d((double)size * rbl_random_range(random, 0.7, 1.0), p);
	}
	rbl_hull_def hull_def = rbl_default_hull_def();
	hull_def.points = points;
	hull_def.point_count = 12;
	rbl_hull *hull = NULL;
	rbl_create_hull(&hull_def, &hull);
	rbl_hull_data data = rbl_hull_get_data(hull);
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.planes = data.planes;
	convex_def.plane_count = data.face_count;
	rbl_convex *convex = NULL;
	rbl_collider *collider = NULL;
	if (rbl_create_convex(&convex_def, &convex) == RBL_OK) {
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = convex;
		def.origin = rbl_convex_get_mass(convex).centre;
		rbl_create_collider(&def, &collider);
	}
	rbl_destroy_hull(hull);
	rbl_destroy_convex(convex);
	return collider;
}

static inline rbl_world_def scene_def(scene *s, int worker_count)
{
	*s = (scene){ .world = NULL };
	rbl_world_def def = rbl_default_world_def();
	if (worker_count > 1) {
		rbl_jobs_def jobs_def = rbl_default_jobs_def();
		jobs_def.worker_count = worker_count;
		rbl_create_jobs(&jobs_def, &s->jobs);
		def.jobs = s->jobs;
	}
	return def;
}

static inline void scene_create(scene *s, const rbl_world_def *def)
{
	s->box = scene_box(0.25f, 0.25f, 0.25f);
	s->floor = scene_box(50.0f, 0.5f, 50.0f);
	rbl_collider_def round = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	round.radius = 0.25f;
	rbl_create_collider(&round, &s->ball);
	round = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	round.radius = 0.2f;
	round.a = (rbl_vec3){ -0.25f, 0.0f, 0.0f }, round.b = (rbl_vec3){ 0.25f, 0.0f, 0.0f };
	rbl_create_collider(&round, &s->capsule);
	rbl_random random = rbl_random_from_seed(7);
	for (int i = 0; i < SCENE_SHAPES; ++i)
		s->hulls[i] = scene_hull(&random, 0.3f);
	rbl_create_world(def, &s->world);
}

static inline void scene_destroy(scene *s)
{
	rbl_destroy_world(s->world);
	rbl_destroy_collider(s->box);
	rbl_destroy_collider(s->ball);
	rbl_destroy_collider(s->capsule);
	rbl_destroy_collider(s->floor);
	for (int i = 0; i < SCENE_SHAPES; ++i)
		rbl_destroy_collider(s->hulls[i]);
	rbl_destroy_jobs(s->jobs);
}

static inline rbl_body_def scene_body(const rbl_collider *collider, float x, float y, float z)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = collider;
	def.pose.position = (rbl_vec3){ x, y, z };
	return def;
}

/// A material of these values that breaks by a rule, the caller's to destroy; NULL when that makes
/// no sense. @param bond_strength  in tension; 0: bonds never fail
static inline rbl_material *scene_material(rbl_material_values values, const rbl_damage_rule *rule,
                                           double bond_strength)
{
	rbl_material_def def = rbl_default_material_def();
	def.values = values;
	def.damage = *rule;
	def.strengths =
		(rbl_bond_strengths){ bond_strength, 2.0 * bond_strength, 10.0 * bond_strength };
	rbl_material *material = NULL;
	rbl_create_material(&def, &material);
	return material;
}

static inline rbl_body_id scene_add(scene *s, const rbl_collider *collider, float x, float y,
                                    float z)
{
	rbl_body_def def = scene_body(collider, x, y, z);
	return rbl_create_body(s->world, &def);
}

static inline rbl_body_id scene_add_floor(scene *s)
{
	rbl_body_def def = scene_body(s->floor, 0.0f, -0.5f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	return rbl_create_body(s->world, &def);
}

static inline void scene_steps(scene *s, int count)
{
	for (int i = 0; i < count; ++i)
		rbl_world_step(s->world, 1.0f / 60.0f);
}

/// Hulls in layers above the floor, turned at random.
static inline void scene_add_pile(scene *s, int count, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	for (int i = 0; i < count; ++i) {
		rbl_body_def def = scene_body(s->hulls[i % SCENE_SHAPES], 0.7f * (float)(i % 5),
		                              0.5f + 0.6f * (float)(i / 25), 0.7f * (float)(i / 5 % 5));
		rbl_vec3d axis = rbl_random_in_ball(&random);
		rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ axis.x, axis.y, axis.z, 0.5 });
		def.pose.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
		rbl_create_body(s->world, &def);
	}
}

/// A flat square mesh that looks up, in triangles.
static inline rbl_collider *scene_mesh_floor(float size, int cells)
{
	int n = cells + 1, face = 0;
	rbl_vec3d *positions = malloc((size_t)(n * n) * sizeof *positions);
	int *corners = malloc((size_t)(6 * cells * cells) * sizeof *corners);
	for (int i = 0; i < n * n; ++i)
		positions[i] = (rbl_vec3d){ (double)size * ((double)(i % n) / cells - 0.5), 0.0,
			                        (double)size * ((double)(i / n) / cells - 0.5) };
	for (int i = 0; i < cells * cells; ++i, face += 2) {
		int a = i % cells + i / cells * n, b = a + 1, c = a + n, d = c + 1;
		const int six[6] = { a, c, b, b, c, d };
		for (int k = 0; k < 6; ++k)
			corners[6 * i + k] = six[k];
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.positions = positions;
	def.data.vertex_count = n * n;
	def.data.face_count = face;
	def.data.corner_count = 3 * face;
	def.data.corner_vertices = corners;
	rbl_mesh *mesh = NULL;
	rbl_collider *collider = NULL;
	if (rbl_create_mesh(&def, &mesh) == RBL_OK) {
		rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_MESH);
		collider_def.mesh = mesh;
		rbl_create_collider(&collider_def, &collider);
	}
	rbl_destroy_mesh(mesh);
	free(positions), free(corners);
	return collider;
}
