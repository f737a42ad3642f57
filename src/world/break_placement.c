// SPDX-License-Identifier: MIT
//
// Breaking: how a pattern lies in a body, and all else that a material says about a break.
//
// A pattern is turned at random, along the frame of the material (grain, courses), or about the
// normal of the hit (webs, craters). Courses go on from hit to hit: the pattern's origin goes to
// the place nearest to the hit that differs from the material's frame_origin by periods of the
// bond, so that the joints of all hits on a wall are those of one lattice.

#include "world/world.h"

#include "base/math.h"
#include "base/random.h"

static rbl_pattern_placement placement_of(const rbl_material_def *material,
                                          const rbl_pattern *pattern)
{
	if (material->placement != RBL_PLACEMENT_BY_KIND)
		return material->placement;
	switch (rbl_pattern_get_kind(pattern)) {
	case RBL_PATTERN_BRICKS:
	case RBL_PATTERN_SPLINTERS:
	case RBL_PATTERN_SITES:
	case RBL_PATTERN_CELLS:
		return RBL_PLACEMENT_FRAME;
	case RBL_PATTERN_WEB:
		return RBL_PLACEMENT_NORMAL;
	default:
		return RBL_PLACEMENT_RANDOM;
	}
}

// A rotation that brings z to the normal, after a random one about z.
static rbl_mat3d about_normal(rbl_vec3d normal, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	double angle = rbl_random_range(&random, 0.0, 6.283185307179586);
	double c = rbl_cos(angle), s = rbl_sin(angle);
	rbl_vec3d across =
		fabs(normal.x) < 0.6 ? (rbl_vec3d){ 1.0, 0.0, 0.0 } : (rbl_vec3d){ 0.0, 1.0, 0.0 };
	rbl_vec3d u = rbl_normalize_d(rbl_cross_d(across, normal)), v = rbl_cross_d(normal, u);
	return (rbl_mat3d){ rbl_add_d(rbl_scale_d(c, u), rbl_scale_d(s, v)),
		                rbl_add_d(rbl_scale_d(-s, u), rbl_scale_d(c, v)), normal };
}

rbl_break_def rbl_world_break_def(const rbl_world *world, const rbl_material_def *material,
                                  const rbl_pattern *pattern, const rbl_damage_request *request,
                                  uint64_t seed)
{
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = rbl_to_d(request->point);
	def.shape = material->shape;
	def.inner = material->inner;
	def.fit = material->fit;
	def.welds = material->welds;
	def.cut_limit = material->cut_limit;
	def.jobs = world->def.jobs;
	const rbl_compound *compound = rbl_body_get_compound(world, request->body);
	if (rbl_compound_get_info(compound).material_count > 1)
		def.material = request->material;
	rbl_pattern_placement placement = placement_of(material, pattern);
	rbl_vec3d normal = rbl_to_d(request->direction);
	if (placement == RBL_PLACEMENT_RANDOM) {
		def.rotation_seed = seed;
	} else if (placement == RBL_PLACEMENT_NORMAL && rbl_length_d(normal) > 0.5) {
		def.shape = rbl_mat_mul_d(about_normal(rbl_normalize_d(normal), seed), def.shape);
	} else {
		def.shape = rbl_mat_mul_d(rbl_quat_to_mat_d(material->frame), def.shape);
		rbl_vec3d from_origin = rbl_sub_d(def.position, material->frame_origin);
		rbl_vec3d local = rbl_mat_vec_d(rbl_mat_inverse_d(def.shape), from_origin);
		rbl_vec3d snapped = rbl_pattern_snap(pattern, local);
		def.pattern_offset = rbl_mat_vec_d(def.shape, rbl_sub_d(snapped, local));
	}
	return def;
}
