// SPDX-License-Identifier: MIT
// How late contacts by fields notice that a falling body touches, against the exact height.
//
// A body that falls straight down onto another touches it where, seen from above, the gap between
// the lower side of the one and the upper side of the other is least: at a vertex over a face, a
// face over a vertex, or where two edges cross. All three are looked at, for all pairs.
#pragma once

#include "field/exact.h"

#include "base/math.h"

#include <rubble/field_contacts.h>

/// A body: its triangles, and its shape for contacts.
typedef struct touch_body {
	exact_mesh exact;
	rbl_distance_field *field;
	rbl_field_shape *shape;
} touch_body;

/// @param resolution, wall  as in rbl_distance_field_def
/// @return false when something was refused; the mesh stays the caller's
static inline bool touch_open(touch_body *body, const rbl_mesh *mesh, int resolution, double wall)
{
	*body = (touch_body){ 0 };
	if (!mesh)
		return false;
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	field_def.mesh = shape_def.mesh = mesh;
	field_def.resolution = resolution;
	field_def.wall = wall;
	bool ok = rbl_create_distance_field(&field_def, &body->field) == RBL_OK;
	shape_def.field = body->field;
	body->exact = exact_from_mesh(mesh);
	return ok && rbl_create_field_shape(&shape_def, &body->shape) == RBL_OK;
}

static inline void touch_close(touch_body *body)
{
	rbl_destroy_field_shape(body->shape);
	rbl_destroy_distance_field(body->field);
	exact_free(&body->exact);
}

/// The height of a triangle over a point, seen from above. @return false when it is not over it
static inline bool touch_height(const rbl_vec3d t[3], rbl_vec3d p, double *height)
{
	double w[3], sum = 0.0;
	int positive = 0, negative = 0;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d a = t[(k + 1) % 3], b = t[(k + 2) % 3];
		w[k] = (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
		sum += w[k];
		positive += w[k] > 0.0, negative += w[k] < 0.0;
	}
	if ((positive > 0 && negative > 0) || sum == 0.0)
		return false;
	*height = (w[0] * t[0].y + w[1] * t[1].y + w[2] * t[2].y) / sum;
	return true;
}

/// How far edge a is above edge b where they cross, seen from above. @return false: they do not
static inline bool touch_crossing(rbl_vec3d a0, rbl_vec3d a1, rbl_vec3d b0, rbl_vec3d b1,
                                  double *gap)
{
	double ax = a1.x - a0.x, az = a1.z - a0.z, bx = b1.x - b0.x, bz = b1.z - b0.z;
	double determinant = ax * bz - az * bx, x = b0.x - a0.x, z = b0.z - a0.z;
	if (determinant == 0.0)
		return false;
	double s = (x * bz - z * bx) / determinant, u = (x * az - z * ax) / determinant;
	*gap = a0.y + s * (a1.y - a0.y) - b0.y - u * (b1.y - b0.y);
	return s >= 0.0 && s <= 1.0 && u >= 0.0 && u <= 1.0;
}

static inline void touch_triangles(const rbl_vec3d a[3], const rbl_vec3d b[3], double *least)
{
	double value;
	for (int k = 0; k < 3; ++k) {
		if (touch_height(b, a[k], &value))
			*least = rbl_mind(*least, a[k].y - value);
		if (touch_height(a, b[k], &value))
			*least = rbl_mind(*least, value - b[k].y);
		for (int i = 0; i < 3; ++i)
			if (touch_crossing(a[k], a[(k + 1) % 3], b[i], b[(i + 1) % 3], &value))
				*least = rbl_mind(*least, value);
	}
}

/// How far a body can fall until it touches another; DBL_MAX: it passes beside.
static inline double touch_clearance(const exact_mesh *falling, rbl_transform pose,
                                     const exact_mesh *resting)
{
	rbl_mat3 m = rbl_quat_to_mat(pose.rotation);
	double least = DBL_MAX;
	for (int i = 0; i < falling->count; ++i) {
		rbl_vec3d a[3];
		for (int k = 0; k < 3; ++k) {
			rbl_vec3d p = falling->triangles[i][k], at = rbl_to_d(pose.position);
			at = rbl_add_scaled_d(at, p.x, rbl_to_d(m.x));
			at = rbl_add_scaled_d(at, p.y, rbl_to_d(m.y));
			a[k] = rbl_add_scaled_d(at, p.z, rbl_to_d(m.z));
		}
		rbl_boxd box = exact_triangle_box((const rbl_vec3d *)a);
		int stack[256], top = 0;
		stack[top++] = 0;
		while (top > 0) {
			const exact_node *node = &resting->nodes[stack[--top]];
			if (node->box.lower.x > box.upper.x || node->box.upper.x < box.lower.x ||
			    node->box.lower.z > box.upper.z || node->box.upper.z < box.lower.z ||
			    box.lower.y - node->box.upper.y > least)
				continue;
			for (int k = node->first; node->children == 0 && k < node->first + node->count; ++k)
				touch_triangles((const rbl_vec3d *)a, (const rbl_vec3d *)resting->triangles[k],
				                &least);
			if (node->children != 0) {
				stack[top++] = node->children;
				stack[top++] = node->children + 1;
			}
		}
	}
	return least;
}

/// Let a body fall by steps of 0.02 mm from a millimetre above the height where it touches.
/// @param pose  above the other, which stands at the origin
/// @return how much farther than that it falls until a contact is found, in metres; negative: it
///         was found early; INFINITY: nothing touches, or nothing within 10 mm
static inline double touch_lateness(const touch_body *falling, rbl_transform pose,
                                    const touch_body *resting, rbl_field_contacts *contacts)
{
	const double step = 2e-5;
	double clearance = touch_clearance(&falling->exact, pose, &resting->exact);
	if (clearance == DBL_MAX)
		return (double)INFINITY;
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.margin = settings.dt = 0.0f;
	for (int i = -50; i < 500; ++i) {
		rbl_field_side a = { .shape = falling->shape, .pose = pose };
		rbl_field_side b = { .shape = resting->shape, .pose = rbl_transform_identity() };
		a.pose.position.y -= (float)(clearance + i * step);
		rbl_field_contact_list list;
		if (rbl_field_contacts_find(contacts, &a, &b, &settings, NULL, &list) == RBL_OK &&
		    list.point_count > 0)
			return i * step;
	}
	return (double)INFINITY;
}
