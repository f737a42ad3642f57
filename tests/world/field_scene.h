// SPDX-License-Identifier: MIT
// Scenes of bodies that collide by distance fields.
#pragma once

#include "../test.h"
#include "scene.h"

/// A world, and colliders of other kinds.
typedef struct field_scene {
	scene s;
	rbl_mesh *ground;
} field_scene;

static inline rbl_mesh *field_box(float x, float y, float z)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ (double)x, (double)y, (double)z };
	rbl_mesh *mesh = NULL;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

/// A dinner plate of 26 cm, 24 mm high.
static inline rbl_mesh *field_plate(void)
{
	rbl_plate_def def = rbl_default_plate_def();
	rbl_mesh *mesh = NULL;
	rbl_create_plate_mesh(&def, &mesh);
	return mesh;
}

/// A plate that is so deep that it is a bowl.
static inline rbl_mesh *field_bowl(double radius, double height)
{
	rbl_plate_def def = rbl_default_plate_def();
	def.radius = radius;
	def.height = height;
	def.wall = 0.1 * height;
	rbl_mesh *mesh = NULL;
	rbl_create_plate_mesh(&def, &mesh);
	return mesh;
}

static inline rbl_mesh *field_ball(double radius)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.radius = radius;
	def.subdivisions = 3;
	rbl_mesh *mesh = NULL;
	rbl_create_icosphere_mesh(&def, &mesh);
	return mesh;
}

static inline rbl_mesh *field_ring(double radius, double thickness)
{
	rbl_torus_def def = rbl_default_torus_def();
	def.radius = radius;
	def.thickness = thickness;
	rbl_mesh *mesh = NULL;
	rbl_create_torus_mesh(&def, &mesh);
	return mesh;
}

/// A mesh as bodies share it.
typedef struct field_shared {
	rbl_mesh *mesh;
	rbl_distance_field *field;
	rbl_field_shape *shape;
	rbl_collider *collider;
} field_shared;

/// @param mesh        taken over
/// @param resolution  of its field, 0: the default
static inline field_shared field_share(test *t, rbl_mesh *mesh, int resolution, double wall)
{
	field_shared s = { .mesh = mesh };
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	field_def.mesh = mesh;
	field_def.wall = wall;
	if (resolution > 0)
		field_def.resolution = resolution;
	CHECK(t, rbl_create_distance_field(&field_def, &s.field) == RBL_OK);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.field = s.field;
	shape_def.mesh = mesh;
	CHECK(t, rbl_create_field_shape(&shape_def, &s.shape) == RBL_OK);
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_MESH);
	of.mesh = mesh;
	CHECK(t, rbl_create_collider(&of, &s.collider) == RBL_OK);
	return s;
}

static inline void field_unshare(field_shared *s)
{
	rbl_destroy_field_shape(s->shape);
	rbl_destroy_distance_field(s->field);
	rbl_destroy_collider(s->collider);
	rbl_destroy_mesh(s->mesh);
}

static inline rbl_body_def field_body_of(const field_shared *s, float x, float y, float z)
{
	rbl_body_def def = rbl_default_body_def();
	def.contact_method = RBL_CONTACTS_FIELD;
	def.collider = s->collider;
	def.field_shape = s->shape;
	def.pose.position = (rbl_vec3){ x, y, z };
	return def;
}

static inline rbl_body_def field_body(const rbl_mesh *mesh, float x, float y, float z)
{
	rbl_body_def def = rbl_default_body_def();
	def.contact_method = RBL_CONTACTS_FIELD;
	def.mesh = mesh;
	def.pose.position = (rbl_vec3){ x, y, z };
	return def;
}

static inline rbl_body_id field_scene_add(field_scene *f, const rbl_mesh *mesh, float x, float y,
                                          float z)
{
	rbl_body_def def = field_body(mesh, x, y, z);
	return rbl_create_body(f->s.world, &def);
}

static inline rbl_body_id field_scene_add_static(field_scene *f, const rbl_mesh *mesh, float x,
                                                 float y, float z)
{
	rbl_body_def def = field_body(mesh, x, y, z);
	def.kind = RBL_BODY_STATIC;
	return rbl_create_body(f->s.world, &def);
}

static inline void field_scene_open(field_scene *f, int worker_count)
{
	rbl_world_def def = scene_def(&f->s, worker_count);
	scene_create(&f->s, &def);
	f->ground = field_box(2.0f, 0.2f, 2.0f);
}

/// A static field body whose top is at 0.
static inline rbl_body_id field_scene_ground(field_scene *f)
{
	return field_scene_add_static(f, f->ground, 0.0f, -0.1f, 0.0f);
}

static inline void field_scene_close(field_scene *f)
{
	rbl_destroy_mesh(f->ground);
	scene_destroy(&f->s);
}

/// The lowest point of a body's box.
static inline float field_lowest(const field_scene *f, rbl_body_id body)
{
	return rbl_body_bounds(f->s.world, body).lower.y;
}
