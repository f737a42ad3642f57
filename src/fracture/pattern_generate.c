// SPDX-License-Identifier: MIT
//
// Kinds of patterns: Voronoi sites, and the planes of webs; bricks are in pattern_bricks.c. Sites
// of splinters are squeezed along y; pattern.c stretches their cells back.

#include "fracture/pattern.h"

#include "base/log.h"
#include "base/random.h"
#include "base/math.h"
#include "base/vec.h"

// --- Sites --------------------------------------------------------------------------------------

// Pull a point towards the origin: the largest of its shares of the half size, m, becomes
// m^(1 + 3 focus).
static rbl_vec3d focus_point(rbl_vec3d p, rbl_vec3d half, double focus)
{
	double m = rbl_maxd(fabs(p.x) / half.x, rbl_maxd(fabs(p.y) / half.y, fabs(p.z) / half.z));
	if (!(m > 0.0))
		return p;
	return rbl_scale_d(rbl_exp(3.0 * focus * rbl_ln(m)), p);
}

static rbl_result make_sites(rbl_pattern *pattern, const rbl_pattern_def *def)
{
	bool is_given = def->kind == RBL_PATTERN_SITES;
	pattern->cell_count = is_given ? def->given_count : def->cell_count;
	pattern->sites = RBL_NEW(&pattern->allocator, rbl_vec3d, pattern->cell_count);
	if (!pattern->sites)
		return RBL_OUT_OF_MEMORY;
	pattern->stretch = def->kind == RBL_PATTERN_SPLINTERS ? def->stretch : 1.0;
	rbl_boxd box = rbl_pattern_box(def->size, 1.0);
	rbl_random random = rbl_random_from_seed(def->seed);
	for (int i = 0; i < pattern->cell_count; ++i) {
		rbl_vec3d p = is_given ? def->sites[i] : rbl_random_in_box(&random, box);
		if (is_given && !(rbl_is_finite_d(p) && rbl_box_contains_d(box, (rbl_boxd){ p, p })))
			return rbl_fail(RBL_BAD_ARGUMENT, "site %d lies outside of size", i);
		if (def->kind == RBL_PATTERN_IMPACT)
			p = focus_point(p, box.upper, def->focus);
		p.y /= pattern->stretch;
		pattern->sites[i] = p;
	}
	return RBL_OK;
}

// --- Planes -------------------------------------------------------------------------------------

static void add_plane(rbl_pattern *pattern, int cell, int *count, rbl_planed plane, int neighbour)
{
	pattern->planes[*count] = plane;
	pattern->neighbours[(*count)++] = neighbour;
	pattern->plane_starts[cell + 1] = *count;
}

static rbl_planed flipped(rbl_planed plane)
{
	return (rbl_planed){ rbl_neg_d(plane.normal), -plane.offset };
}

// The upright plane through two points of the xy plane, its normal to the right of the way from a
// to b.
static rbl_planed upright_plane(rbl_vec3d a, rbl_vec3d b)
{
	rbl_vec3d along = rbl_sub_d(b, a);
	rbl_vec3d normal = rbl_normalize_d((rbl_vec3d){ along.y, -along.x, 0.0 });
	return (rbl_planed){ normal, rbl_dot_d(normal, a) };
}

// Where ring k meets spoke s. Rings grow like powers, so that cells keep their shape outward; each
// crossing moves along its spoke by less than half of the way to its neighbours.
static void place_web(const rbl_pattern_def *def, double *angles, double *radii)
{
	rbl_random random = rbl_random_from_seed(def->seed);
	const double full_circle = 6.283185307179586;
	int spokes = def->spoke_count, rings = def->ring_count;
	// No sector may reach half a turn, or its cells would not be convex.
	double sway = rbl_mind(0.45 * def->jitter, 0.5 * (0.47 * spokes - 1.0));
	for (int s = 0; s < spokes; ++s)
		angles[s] = full_circle * (s + sway * rbl_random_range(&random, -1.0, 1.0)) / spokes;
	double outer = 0.5 * rbl_mind(def->size.x, def->size.y);
	for (int k = 0; k < rings; ++k) {
		double inside = rbl_exp(1.5 * rbl_ln(rbl_maxd(k, 0.25) / rings));
		double here = rbl_exp(1.5 * rbl_ln((k + 1.0) / rings));
		double beyond = rbl_exp(1.5 * rbl_ln((k + 2.0) / rings));
		double spread = 0.4 * rbl_mind(here - inside, beyond - here);
		for (int s = 0; s < spokes; ++s)
			radii[k * spokes + s] =
				outer * (here + spread * def->jitter * rbl_random_range(&random, -1.0, 1.0));
	}
}

// Cells lie between chords (the sides of ring k, one per sector) and spokes. Ring k of sector s has
// chord k as its outer side; the last ring is open.
static rbl_result make_web(rbl_pattern *pattern, const rbl_pattern_def *def)
{
	int spokes = def->spoke_count, rings = def->ring_count, crossings = rings * spokes;
	pattern->cell_count = crossings;
	double *angles = RBL_NEW(&pattern->allocator, double, spokes);
	double *radii = RBL_NEW(&pattern->allocator, double, crossings);
	rbl_vec3d *points = RBL_NEW(&pattern->allocator, rbl_vec3d, crossings);
	bool done = angles && radii && points && rbl_pattern_allocate_planes(pattern, 4 * crossings);
	if (done) {
		place_web(def, angles, radii);
		rbl_vec3d origin = { 0.0, 0.0, 0.0 };
		for (int i = 0; i < crossings; ++i) {
			double angle = angles[i % spokes];
			points[i] = (rbl_vec3d){ radii[i] * rbl_cos(angle), radii[i] * rbl_sin(angle), 0.0 };
		}
		int count = 0;
		for (int k = 0; k < rings; ++k) {
			for (int s = 0; s < spokes; ++s) {
				int cell = k * spokes + s, next = s + 1 < spokes ? s + 1 : 0;
				int before = s > 0 ? s - 1 : spokes - 1;
				add_plane(pattern, cell, &count, upright_plane(origin, points[s]),
				          k * spokes + before);
				add_plane(pattern, cell, &count, flipped(upright_plane(origin, points[next])),
				          k * spokes + next);
				if (k > 0)
					add_plane(pattern, cell, &count,
					          flipped(upright_plane(points[(k - 1) * spokes + s],
					                                points[(k - 1) * spokes + next])),
					          (k - 1) * spokes + s);
				if (k + 1 < rings)
					add_plane(pattern, cell, &count,
					          upright_plane(points[k * spokes + s], points[k * spokes + next]),
					          (k + 1) * spokes + s);
			}
		}
		RBL_ASSERT(count <= pattern->plane_count);
	}
	RBL_FREE(&pattern->allocator, angles, spokes);
	RBL_FREE(&pattern->allocator, radii, crossings);
	RBL_FREE(&pattern->allocator, points, crossings);
	return done ? RBL_OK : RBL_OUT_OF_MEMORY;
}

static rbl_result copy_colors(rbl_pattern *pattern, const rbl_pattern_def *def)
{
	if (!def->colors || def->kind != RBL_PATTERN_SITES)
		return RBL_OK;
	pattern->colors = RBL_NEW(&pattern->allocator, int, pattern->cell_count);
	if (!pattern->colors)
		return RBL_OUT_OF_MEMORY;
	memcpy(pattern->colors, def->colors, (size_t)pattern->cell_count * sizeof(int));
	return RBL_OK;
}

rbl_result rbl_pattern_generate(rbl_pattern *pattern, const rbl_pattern_def *def)
{
	rbl_result result = def->kind == RBL_PATTERN_WEB      ? make_web(pattern, def)
	                    : def->kind == RBL_PATTERN_BRICKS ? rbl_pattern_make_bricks(pattern, def)
	                                                      : make_sites(pattern, def);
	return result == RBL_OK ? copy_colors(pattern, def) : result;
}
