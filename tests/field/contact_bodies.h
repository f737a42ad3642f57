// SPDX-License-Identifier: MIT
// Bodies that tests of contacts by fields put together: points and exact fields of simple shapes.
#pragma once

#include "field/contact_query.h"
#include "base/hash.h"
#include "base/kernel.h"
#include "base/math.h"
#include "scenes/analytic_fields.h"
#include "scenes/point_clouds.h"
#include "contact_hash.h"
#include "faulty_allocator.h"
#include "test.h"
#include <rubble/shapes.h>

static char last_line[300];

static inline void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

// --- bodies -------------------------------------------------------------------------------------

typedef enum body_kind { BODY_SPHERE, BODY_BOX, BODY_TORUS, BODY_FLOOR, BODY_COUNT } body_kind;

static const float ball_radius = 0.5f;
static const rbl_vec3 box_half = { 0.5f, 0.25f, 0.4f };
static const torus_shape ring = { 0.5f, 0.15f };

// A body with its points and field. Not to be moved: the field points into it.
typedef struct field_body {
	body_kind kind;
	shape_field field;
	rbl_field_shape shape;
	rbl_field_side side;
} field_body;

static inline rbl_mesh *body_mesh(body_kind kind)
{
	rbl_mesh *mesh = NULL;
	rbl_icosphere_def sphere = rbl_default_icosphere_def();
	rbl_box_def box = rbl_default_box_def();
	rbl_torus_def torus = rbl_default_torus_def();
	box.size = (rbl_vec3d){ 1.0, 0.5, 0.8 };
	box.subdivisions = 6;
	torus.radius = (double)ring.radius, torus.thickness = (double)ring.thickness;
	if (kind == BODY_SPHERE)
		rbl_create_icosphere_mesh(&sphere, &mesh);
	else if (kind == BODY_BOX)
		rbl_create_box_mesh(&box, &mesh);
	else
		rbl_create_torus_mesh(&torus, &mesh);
	return mesh;
}

static inline shape_field with_bounds(shape_field field, float x, float y, float z)
{
	field.head.info.bounds = (rbl_box){ { -x, -y, -z }, { x, y, z } };
	return field;
}

static inline shape_field body_field(body_kind kind)
{
	const float r = ball_radius, t = ring.thickness;
	switch (kind) {
	case BODY_SPHERE:
		return with_bounds(sphere_field(&ball_radius), r, r, r);
	case BODY_BOX:
		return with_bounds(box_field(&box_half), box_half.x, box_half.y, box_half.z);
	case BODY_TORUS:
		return with_bounds(torus_field(&ring), ring.radius + t, t, ring.radius + t);
	default:
		return floor_field(NULL);
	}
}

static inline void make_body(field_body *body, body_kind kind, int ordered_count)
{
	*body = (field_body){ .kind = kind };
	if (kind != BODY_FLOOR) {
		rbl_mesh *mesh = body_mesh(kind);
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		rbl_point_samples samples;
		rbl_sample_points(&(rbl_point_samples_def){ &data, { 0.0, 0.0, 0.0 }, 0.5f, 0.05f }, NULL,
		                  &samples);
		rbl_arena arena;
		rbl_arena_init(&arena, NULL, 1 << 16);
		rbl_sphere_tree_def def = { samples.positions, samples.ids, samples.count,
			                        rbl_mini(ordered_count, samples.count) };
		rbl_sphere_tree_build(&def, &arena, NULL, &body->shape.tree);
		rbl_arena_destroy(&arena);
		rbl_point_samples_destroy(&samples);
		rbl_destroy_mesh(mesh);
	}
	body->field = body_field(kind);
	body->shape.field = &body->field.head;
	body->side.shape = &body->shape;
	body->side.pose = rbl_transform_identity();
}

static inline void destroy_body(field_body *body)
{
	rbl_sphere_tree_destroy(&body->shape.tree);
}

static inline rbl_quat random_rotation(rbl_random *random)
{
	rbl_vec3 axis = rbl_to_f(rbl_normalize_d(rbl_random_in_ball(random)));
	return rbl_quat_from_axis_angle(axis, 6.28f * rbl_random_float(random));
}

static inline rbl_vec3 random_vector(rbl_random *random, double length)
{
	return rbl_to_f(rbl_scale_d(length, rbl_random_in_ball(random)));
}

// Two bodies that overlap by some way or other.
static inline void place_pair(field_body *a, field_body *b, rbl_random *random)
{
	a->side.pose = (rbl_transform){ random_vector(random, 0.8), random_rotation(random) };
	b->side.pose = (rbl_transform){ random_vector(random, 0.4), random_rotation(random) };
	a->side.velocity = b->side.velocity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	a->side.angular_velocity = b->side.angular_velocity = a->side.velocity;
	// Contacts must not depend on where in the world they are, but for rounding.
	rbl_vec3 shift = random_vector(random, 5.0);
	a->side.pose.position = rbl_add(a->side.pose.position, shift);
	b->side.pose.position = rbl_add(b->side.pose.position, shift);
}

static inline rbl_field_contact_settings settings_of(rbl_field_selection selection)
{
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.selection = selection;
	settings.visit_budget = 100000;
	settings.point_count = selection == RBL_SELECT_CHOSEN ? 12 : 8;
	return settings;
}
