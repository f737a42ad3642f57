// SPDX-License-Identifier: MIT
//
// Particles on exposed faces (Mueller et al. 2013, section 5), distributed evenly by area. A
// given share of them are spheres, smaller than the smallest body; the others are points.
// (Fragments below the dust size of a rule are taken out of a break by damage.c.)

#include "base/log.h"
#include "base/random.h"
#include "base/vec.h"
#include "fracture/fracture.h"

#include <rubble/damage.h>

enum { PARTICLE_COOKIE = 0x64757374 };

rbl_particle_def rbl_default_particle_def(void)
{
	return (rbl_particle_def){
		.density = 50.0,
		.sphere_ratio = 0.2,
		.min_radius = 0.005,
		.max_radius = 0.025,
		.instance_count = 4,
		.seed = 1,
		.cookie = PARTICLE_COOKIE,
	};
}

static rbl_result check_particle_def(const rbl_particle_def *def)
{
	if (!def || def->cookie != PARTICLE_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_particle_def()");
	if (!(def->density >= 0.0) || !isfinite(def->density))
		return rbl_fail(RBL_BAD_ARGUMENT, "density is %g, must be >= 0", def->density);
	if (!(def->sphere_ratio >= 0.0 && def->sphere_ratio <= 1.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "sphere_ratio is %g, must be 0 to 1", def->sphere_ratio);
	if (!(def->min_radius >= 1e-9) || !(def->max_radius >= def->min_radius) ||
	    !(def->max_radius <= 1e9))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "radii are %g to %g, must be 1e-9 <= least <= most <= 1e9", def->min_radius,
		                def->max_radius);
	if (def->instance_count < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "instance_count is %d, must be > 0", def->instance_count);
	return RBL_OK;
}

rbl_vec3d rbl_exposed_point(const rbl_exposed_triangle *t, rbl_random *random)
{
	double u = rbl_random_double(random), v = rbl_random_double(random);
	if (u + v > 1.0)
		u = 1.0 - u, v = 1.0 - v;
	rbl_vec3d p = rbl_add_scaled_d(t->corners[0], u, rbl_sub_d(t->corners[1], t->corners[0]));
	return rbl_add_scaled_d(p, v, rbl_sub_d(t->corners[2], t->corners[0]));
}

static rbl_particle make_particle(const rbl_exposed_triangle *t, const rbl_particle_def *def,
                                  rbl_random *random, int triangle)
{
	rbl_vec3d p = rbl_exposed_point(t, random);
	double kind = rbl_random_double(random), size = rbl_random_double(random);
	int instance = (int)rbl_random_below(random, (uint32_t)def->instance_count);
	rbl_particle made = { .position = p, .normal = t->normal, .triangle = triangle };
	if (kind < def->sphere_ratio) {
		double min = 1.0 / (def->min_radius * def->min_radius);
		double max = 1.0 / (def->max_radius * def->max_radius);
		made.radius = (float)(1.0 / sqrt(max + size * (min - max)));
		made.instance = instance;
	}
	return made;
}

// Triangles are the caller's, who may have made them, and their sum decides how long this takes.
static rbl_result check_triangles(const rbl_exposed_triangle *triangles, int triangle_count,
                                  double density)
{
	double total = 0.0;
	for (int t = 0; t < triangle_count; ++t) {
		float area = triangles[t].area;
		if (!(area >= 0.0f) || !isfinite(area))
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has the area %g", t, (double)area);
		total += density * (double)area;
	}
	if (!(total <= RBL_MAX_PARTICLES))
		return rbl_fail(RBL_LIMIT_REACHED, "%g particles, at most %d", total, RBL_MAX_PARTICLES);
	return RBL_OK;
}

rbl_result rbl_sample_particles(const rbl_exposed_triangle *triangles, int triangle_count,
                                const rbl_particle_def *def, rbl_particle *particles, int capacity,
                                int *count)
{
	rbl_result result = check_particle_def(def);
	if (result != RBL_OK)
		return result;
	if (!count || capacity < 0 || triangle_count < 0 || (triangle_count > 0 && !triangles))
		return rbl_fail(RBL_BAD_ARGUMENT, "count or triangles is NULL, or a number negative");
	result = check_triangles(triangles, triangle_count, def->density);
	if (result != RBL_OK)
		return result;
	rbl_random random = rbl_random_from_seed(def->seed);
	double owed = rbl_random_double(&random); // so that small areas get their share on average
	int made = 0;
	for (int t = 0; t < triangle_count; ++t) {
		owed += def->density * (double)triangles[t].area;
		for (; owed >= 1.0; owed -= 1.0, ++made) {
			rbl_particle particle = make_particle(&triangles[t], def, &random, t);
			if (particles && made < capacity)
				particles[made] = particle;
		}
	}
	*count = made;
	return RBL_OK;
}
