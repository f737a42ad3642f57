// SPDX-License-Identifier: MIT
//
// Shapes of chips: a small library that all worlds have in common.
//
// A chip is a box with its corners cut off by planes at random places, always the same ones; a
// sphere stays one. Sizes are a factor of the square root of two apart, so that thousands of chips
// share a few dozen colliders.

#include "world/chips.h"

#include "base/log.h"
#include "base/math.h"
#include "base/random.h"
#include "base/vec.h"

#include <rubble/chip.h>
#include <rubble/hull.h>

enum { CUT_COUNT = 9 };

double rbl_chip_radius(int size)
{
	double radius = size % 2 ? 1.4142135623730951e-3 : 1e-3;
	return radius * (double)(1 << size / 2);
}

int rbl_chip_nearest_size(double radius)
{
	int size = 0;
	while (size + 1 < RBL_CHIP_SIZES && radius > 1.189207115002721 * rbl_chip_radius(size))
		size++;
	return size;
}

// A chip of some size. The planes are moved so that the centre of mass is the origin, and scaled.
static rbl_result cut_chip(int variant, double scale, rbl_vec3d centre,
                           const rbl_allocator *allocator, rbl_convex **convex)
{
	rbl_random random = rbl_random_from_seed(0x63686970u + (uint64_t)variant);
	rbl_convex_def def = rbl_default_convex_def();
	rbl_planed planes[CUT_COUNT];
	rbl_vec3d half = { rbl_random_range(&random, 0.9, 1.2), rbl_random_range(&random, 0.45, 0.7),
		               rbl_random_range(&random, 0.65, 0.9) };
	for (int i = 0; i < CUT_COUNT; ++i) {
		rbl_vec3d normal = rbl_normalize_d(rbl_random_in_ball(&random));
		double offset = rbl_random_range(&random, 0.55, 0.85);
		planes[i] = (rbl_planed){ normal, scale * (offset - rbl_dot_d(normal, centre)) };
	}
	def.planes = planes, def.plane_count = CUT_COUNT;
	def.box = (rbl_boxd){ rbl_scale_d(scale, rbl_sub_d(rbl_scale_d(-1.0, half), centre)),
		                  rbl_scale_d(scale, rbl_sub_d(half, centre)) };
	if (allocator)
		def.allocator = *allocator;
	return rbl_create_convex(&def, convex);
}

// A chip whose volume is that of a sphere.
static rbl_result create_chip_convex(int variant, double radius, const rbl_allocator *allocator,
                                     rbl_convex **convex)
{
	rbl_convex *raw = NULL;
	rbl_result result = cut_chip(variant, 1.0, (rbl_vec3d){ 0.0, 0.0, 0.0 }, allocator, &raw);
	if (result != RBL_OK)
		return result;
	rbl_mass mass = rbl_convex_get_mass(raw);
	rbl_destroy_convex(raw);
	double scale = radius / rbl_cbrt(mass.volume * (3.0 / (4.0 * 3.141592653589793)));
	return cut_chip(variant, scale, mass.centre, allocator, convex);
}

rbl_result rbl_create_chip_collider(rbl_debris_kind kind, int variant, double radius,
                                    const rbl_allocator *allocator, rbl_collider **collider)
{
	bool is_sphere = kind == RBL_DEBRIS_SPHERES;
	rbl_collider_def def =
		rbl_default_collider_def(is_sphere ? RBL_COLLIDER_SPHERE : RBL_COLLIDER_CONVEX);
	rbl_convex *convex = NULL;
	rbl_result result = RBL_OK;
	if (!is_sphere)
		result = create_chip_convex(variant, radius, allocator, &convex);
	def.radius = (float)radius;
	def.convex = convex;
	def.allocator = *allocator;
	if (result == RBL_OK)
		result = rbl_create_collider(&def, collider);
	rbl_destroy_convex(convex);
	return result;
}

// The hull of the points of a cube's grid, pushed out to the sphere.
static rbl_result create_sphere_mesh(double radius, const rbl_allocator *allocator, rbl_mesh **mesh)
{
	enum { POINT_COUNT = 26 };
	rbl_vec3d points[POINT_COUNT];
	int n = 0;
	for (int i = 0; i < 27; ++i) {
		rbl_vec3d p = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
		if (i != 13)
			points[n++] = rbl_scale_d(radius, rbl_normalize_d(p));
	}
	rbl_hull_def def = rbl_default_hull_def();
	def.points = points, def.point_count = POINT_COUNT;
	if (allocator)
		def.allocator = *allocator;
	rbl_hull *hull = NULL;
	rbl_result result = rbl_create_hull(&def, &hull);
	if (result == RBL_OK)
		result = rbl_hull_create_mesh(hull, allocator, mesh);
	rbl_destroy_hull(hull);
	return result;
}

rbl_result rbl_create_chip_mesh(rbl_debris_kind kind, int variant, double radius,
                                const rbl_allocator *allocator, rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	if ((kind != RBL_DEBRIS_SPHERES && kind != RBL_DEBRIS_CHIPS) || variant < 0 ||
	    variant >= RBL_CHIP_VARIANTS || !(radius >= 1e-3 && radius <= 1e3))
		return rbl_fail(RBL_BAD_ARGUMENT, "kind, variant or radius of a chip is out of range");
	if (kind == RBL_DEBRIS_SPHERES)
		return create_sphere_mesh(radius, allocator, mesh);
	rbl_convex *convex = NULL;
	rbl_result result = create_chip_convex(variant, radius, allocator, &convex);
	if (result == RBL_OK)
		result = rbl_convex_create_mesh(convex, allocator, mesh);
	rbl_destroy_convex(convex);
	return result;
}
