// SPDX-License-Identifier: MIT
//
// Scaled colliders: another collider's shape, stretched along the axes of its frame.
//
// Vertices are multiplied and planes divided; faces and edges stay what they are, so nothing of a
// convex is computed anew. What is round stays round: balls, round edges, and the circles of
// cylinders and cones are scaled evenly, or not at all.

#include "collide/collider.h"

#include "base/log.h"
#include "collide/revolution.h"

static bool is_even(float a, float b)
{
	return fabsf(a - b) <= 1e-6f * a;
}

static rbl_vec3 scaled(rbl_vec3 p, rbl_vec3 s)
{
	return (rbl_vec3){ s.x * p.x, s.y * p.y, s.z * p.z };
}

static rbl_result refuse_uneven(const char *what)
{
	return rbl_fail(RBL_UNSUPPORTED, "%s can be scaled evenly only", what);
}

// --- convex kinds --------------------------------------------------------------------------------

static rbl_result scale_small(const rbl_collider *c, rbl_vec3 s, rbl_collider_def *def)
{
	const rbl_polyhedron *p = c->polyhedron;
	bool is_uniform = is_even(s.x, s.y) && is_even(s.x, s.z);
	rbl_vec3 first = rbl_polyhedron_vertex(p, 0);
	if (!is_uniform && p->radius > 0.0f)
		return refuse_uneven(c->kind == RBL_COLLIDER_SPHERE    ? "a sphere"
		                     : c->kind == RBL_COLLIDER_CAPSULE ? "a capsule"
		                                                       : "a box with round edges");
	if (c->kind == RBL_COLLIDER_BOX) {
		rbl_vec3 last = rbl_polyhedron_vertex(p, 7);
		def->a = scaled(rbl_scale(0.5f, rbl_add(first, last)), s);
		def->half_size = scaled(rbl_scale(0.5f, rbl_sub(last, first)), s);
		def->rounding = s.x * p->radius;
		return RBL_OK;
	}
	def->a = scaled(first, s);
	if (c->kind == RBL_COLLIDER_CAPSULE)
		def->b = scaled(rbl_polyhedron_vertex(p, 1), s);
	def->radius = s.x * p->radius;
	return RBL_OK;
}

// The scale across the axis must be the same in all directions.
static rbl_result scale_revolution(const rbl_collider *c, rbl_vec3 s, rbl_collider_def *def)
{
	const rbl_revolution *r = c->polyhedron->revolution;
	rbl_vec3 u = rbl_to_f(r->axis);
	bool is_uniform = is_even(s.x, s.y) && is_even(s.x, s.z);
	bool along_x = fabsf(u.x) > 0.999999f, along_y = fabsf(u.y) > 0.999999f;
	bool along_z = fabsf(u.z) > 0.999999f;
	float across = along_x ? s.y : s.x;
	bool is_round = (along_x && is_even(s.y, s.z)) || (along_y && is_even(s.x, s.z)) ||
	                (along_z && is_even(s.x, s.y));
	if (!is_uniform && !is_round)
		return refuse_uneven("what is across the axis of a cylinder or cone");
	def->a = scaled(rbl_to_f(r->ends[0]), s), def->b = scaled(rbl_to_f(r->ends[1]), s);
	def->radius = across * (float)r->radii[0];
	return RBL_OK;
}

static rbl_result scale_convex(const rbl_collider *c, rbl_vec3 s, const rbl_allocator *allocator,
                               rbl_collider **collider)
{
	const rbl_polyhedron *from = c->polyhedron;
	if (from->radius > 0.0f && !(is_even(s.x, s.y) && is_even(s.x, s.z)))
		return refuse_uneven("a convex with round edges");
	rbl_collider *made = *collider =
		rbl_collider_new(c->kind, allocator, RBL_POLYHEDRON_HEAD + rbl_polyhedron_used(from));
	if (!made)
		return RBL_OUT_OF_MEMORY;
	rbl_polyhedron *p = rbl_collider_behind(made);
	rbl_polyhedron_move(p, from, (char *)p + RBL_POLYHEDRON_HEAD);
	made->polyhedron = p;
	if (!rbl_polyhedron_scale(p, s))
		return rbl_fail(RBL_BAD_MESH, "the scaled convex has no volume in single precision");
	return RBL_OK;
}

// --- the others ----------------------------------------------------------------------------------

static rbl_result scale_height_field(const rbl_collider *c, rbl_vec3 s, rbl_collider_def *def,
                                     const rbl_allocator *allocator, rbl_collider **collider)
{
	const rbl_collider_parts *p = c->parts;
	if (!is_even(s.x, s.z))
		return refuse_uneven("the grid of a height field");
	int count = p->column_count * p->row_count;
	float *heights = RBL_NEW(allocator, float, count);
	if (!heights)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		heights[i] = s.y * p->heights[i];
	def->heights = heights, def->cell_size = s.x * p->cell_size;
	def->column_count = p->column_count, def->row_count = p->row_count;
	rbl_result result = rbl_create_collider(def, collider);
	RBL_FREE(allocator, heights, count);
	return result;
}

// The scale of a child in its own frame. @return false when its axes are not those of the compound
static bool child_scale(rbl_quat rotation, rbl_vec3 s, rbl_vec3 *scale)
{
	if (is_even(s.x, s.y) && is_even(s.x, s.z)) {
		*scale = s;
		return true;
	}
	rbl_mat3 m = rbl_quat_to_mat(rotation);
	const rbl_vec3 axes[3] = { m.x, m.y, m.z };
	float of[3];
	for (int i = 0; i < 3; ++i) {
		rbl_vec3 a = { fabsf(axes[i].x), fabsf(axes[i].y), fabsf(axes[i].z) };
		of[i] = a.x > 0.99999f ? s.x : a.y > 0.99999f ? s.y : a.z > 0.99999f ? s.z : 0.0f;
	}
	*scale = (rbl_vec3){ of[0], of[1], of[2] };
	return of[0] > 0.0f && of[1] > 0.0f && of[2] > 0.0f;
}

static rbl_result scale_compound(const rbl_collider *c, rbl_vec3 s, rbl_collider_def *def,
                                 const rbl_allocator *allocator, rbl_collider **collider)
{
	int n = c->child_count, made = 0;
	rbl_collider_child *children = RBL_NEW(allocator, rbl_collider_child, n);
	if (!children)
		return RBL_OUT_OF_MEMORY;
	memcpy(children, c->parts->children, (size_t)n * sizeof *children);
	rbl_result result = RBL_OK;
	for (; made < n && result == RBL_OK; made += result == RBL_OK) {
		rbl_collider_child *child = &children[made];
		rbl_collider *part = NULL;
		rbl_vec3 scale;
		if (!child_scale(child->pose.rotation, s, &scale))
			result = rbl_fail(RBL_UNSUPPORTED,
			                  "child %d is turned: its compound can be scaled evenly only", made);
		else
			result = rbl_create_scaled_collider(child->collider, scale, allocator, &part);
		child->collider = part;
		child->pose.position = scaled(child->pose.position, s);
	}
	def->children = children, def->child_count = n;
	if (result == RBL_OK)
		result = rbl_create_collider(def, collider);
	while (made > 0) // the compound keeps them
		rbl_destroy_collider((rbl_collider *)(uintptr_t)children[--made].collider);
	RBL_FREE(allocator, children, n);
	return result;
}

// --- all -----------------------------------------------------------------------------------------

static rbl_result scale_collider(const rbl_collider *c, rbl_vec3 s, const rbl_allocator *allocator,
                                 rbl_collider **collider)
{
	rbl_collider_def def = rbl_default_collider_def(c->kind);
	def.allocator = *allocator;
	rbl_result result = RBL_OK;
	switch (c->kind) {
	case RBL_COLLIDER_CONVEX:
		result = scale_convex(c, s, allocator, collider);
		return result == RBL_OK ? rbl_collider_finish(*collider) : result;
	case RBL_COLLIDER_COMPOUND:
		return scale_compound(c, s, &def, allocator, collider);
	case RBL_COLLIDER_MESH:
		*collider = rbl_collider_new_parts(c->kind, allocator);
		result = *collider ? rbl_collider_scale_mesh(*collider, c, s) : RBL_OUT_OF_MEMORY;
		return result == RBL_OK ? rbl_collider_finish(*collider) : result;
	case RBL_COLLIDER_HEIGHT_FIELD:
		return scale_height_field(c, s, &def, allocator, collider);
	case RBL_COLLIDER_CYLINDER:
	case RBL_COLLIDER_CONE:
		result = scale_revolution(c, s, &def);
		break;
	case RBL_COLLIDER_PLANE:
		def.a = scaled(rbl_scale(c->parts->plane.offset, c->parts->plane.normal), s);
		def.b = scaled(c->parts->plane.normal, (rbl_vec3){ 1.0f / s.x, 1.0f / s.y, 1.0f / s.z });
		break;
	default:
		result = scale_small(c, s, &def);
		break;
	}
	return result == RBL_OK ? rbl_create_collider(&def, collider) : result;
}

rbl_result rbl_create_scaled_collider(const rbl_collider *original, rbl_vec3 scale,
                                      const rbl_allocator *allocator, rbl_collider **collider)
{
	const float least = 1e-6f, most = 1e6f;
	if (!collider)
		return rbl_fail(RBL_BAD_ARGUMENT, "collider is NULL");
	*collider = NULL;
	if (!original)
		return rbl_fail(RBL_BAD_ARGUMENT, "original is NULL");
	if (allocator && !rbl_allocator_is_valid(allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	if (!(scale.x >= least && scale.x <= most && scale.y >= least && scale.y <= most &&
	      scale.z >= least && scale.z <= most))
		return rbl_fail(RBL_BAD_ARGUMENT, "scale is %g, %g, %g, must be %g to %g each",
		                (double)scale.x, (double)scale.y, (double)scale.z, (double)least,
		                (double)most);
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_collider *made = NULL;
	rbl_result result = scale_collider(original, scale, &own, &made);
	rbl_vec3 far = { 0.0f, 0.0f, 0.0f };
	if (result == RBL_OK)
		far = rbl_max(rbl_neg(made->box.lower), made->box.upper);
	if (result == RBL_OK && made->kind != RBL_COLLIDER_PLANE &&
	    !(rbl_length(far) <= 2.0f * RBL_MAX_COLLIDER_SIZE))
		result = rbl_fail(RBL_BAD_ARGUMENT, "the scaled shape is beyond RBL_MAX_COLLIDER_SIZE");
	if (result != RBL_OK) {
		rbl_destroy_collider(made);
		return result;
	}
	*collider = made;
	return RBL_OK;
}
