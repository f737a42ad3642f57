// SPDX-License-Identifier: MIT
//
// The values of a material: what surfaces are made of.
//
// They may change while worlds use the material. Each change gives it a new version; a world
// compares the versions of its materials when a step begins, and only what has changed costs
// anything. How a material breaks is in fracture/material.c.

#include "collide/material.h"

#include "base/hash.h"
#include "base/log.h"

#include <math.h>

#define MAX_COEFFICIENT 1e6f
#define MAX_SURFACE_SPEED 1000.0f

rbl_material_values rbl_default_material_values(void)
{
	return (rbl_material_values){ .friction = 0.6f, .density = 1000.0f };
}

static bool is_coefficient(float x)
{
	return x >= 0.0f && x <= MAX_COEFFICIENT;
}

rbl_result rbl_material_check(const rbl_material_values *m)
{
	if (!is_coefficient(m->rolling_resistance) || !is_coefficient(m->spinning_resistance))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "material: rolling_resistance %g or spinning_resistance %g is out of range",
		                (double)m->rolling_resistance, (double)m->spinning_resistance);
	if (!is_coefficient(m->friction) || !(m->restitution >= 0.0f && m->restitution <= 1.0f) ||
	    !(m->density >= 1e-3f && m->density <= 1e9f))
		return rbl_fail(RBL_BAD_ARGUMENT, "material: friction %g, restitution %g, density %g",
		                (double)m->friction, (double)m->restitution, (double)m->density);
	const rbl_vec3 *v = &m->surface_velocity;
	if (!(fabsf(v->x) <= MAX_SURFACE_SPEED && fabsf(v->y) <= MAX_SURFACE_SPEED &&
	      fabsf(v->z) <= MAX_SURFACE_SPEED))
		return rbl_fail(RBL_BAD_ARGUMENT, "material: surface_velocity %g, %g, %g is out of range",
		                (double)v->x, (double)v->y, (double)v->z);
	return RBL_OK;
}

bool rbl_material_values_are_equal(const rbl_material_values *a, const rbl_material_values *b)
{
	return a->friction == b->friction && a->restitution == b->restitution &&
	       a->density == b->density && a->rolling_resistance == b->rolling_resistance &&
	       a->spinning_resistance == b->spinning_resistance &&
	       a->surface_velocity.x == b->surface_velocity.x &&
	       a->surface_velocity.y == b->surface_velocity.y &&
	       a->surface_velocity.z == b->surface_velocity.z && a->user == b->user;
}

rbl_material_values rbl_material_get_values(const rbl_material *material)
{
	return material ? material->values : (rbl_material_values){ .friction = 0.0f };
}

rbl_result rbl_material_set_values(rbl_material *material, const rbl_material_values *values)
{
	if (!material || !values)
		return rbl_fail(RBL_BAD_ARGUMENT, "material or values is NULL");
	if (rbl_material_check(values) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	if (rbl_material_values_are_equal(&material->values, values))
		return RBL_OK;
	material->values = *values;
	material->version++;
	return RBL_OK;
}

const char *rbl_material_name(const rbl_material *material)
{
	return material ? material->name : "";
}

// --- as bytes -----------------------------------------------------------------------------------

static const rbl_field value_fields[] = {
	RBL_FIELD_RANGE(rbl_material_values, friction, 0, MAX_COEFFICIENT),
	RBL_FIELD_RANGE(rbl_material_values, restitution, 0, 1),
	RBL_FIELD_RANGE(rbl_material_values, density, 1e-3f, 1e9f),
	RBL_FIELD_RANGE(rbl_material_values, rolling_resistance, 0, MAX_COEFFICIENT),
	RBL_FIELD_RANGE(rbl_material_values, spinning_resistance, 0, MAX_COEFFICIENT),
	RBL_FIELD_RANGE(rbl_material_values, surface_velocity, -MAX_SURFACE_SPEED, MAX_SURFACE_SPEED),
	RBL_FIELD_LONGS(rbl_material_values, user),
};

_Static_assert(sizeof(rbl_material_values) == 40, "a new field of materials: is it saved?");

uint64_t rbl_material_values_hash(const rbl_material_values *values, uint64_t hash)
{
	return rbl_hash_bytes(hash, values, sizeof *values); // there is no padding
}

void rbl_material_values_save(const rbl_material_values *values, rbl_blob_writer *w)
{
	rbl_blob_put_struct(w, value_fields, values);
}

bool rbl_material_values_load(rbl_blob_reader *r, rbl_material_values *values)
{
	return rbl_blob_get_struct(r, value_fields, values);
}
