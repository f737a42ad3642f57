// SPDX-License-Identifier: MIT
//
// Breaking: how a pattern lies in a body, and all else that a material says about a break.
//
// A pattern is turned at random, along the frame of the material (grain, courses), or about the
// normal of the hit (webs, craters). Courses go on from hit to hit: the pattern's origin goes to
// the place nearest to the hit that differs from the material's frame_origin by periods of the
// bond, so that the joints of all hits on a wall are those of one lattice.
//
// A cut has a pattern of its own, the two sides of a plane.

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

// --- cuts ---------------------------------------------------------------------------------------
//
// A cut breaks a body by a pattern of two cells, one on each side of the plane: what hangs together
// on one side stays one body, by the rule for cells of one color.

static const rbl_pattern *two_sides(rbl_world *world)
{
	static const rbl_vec3d sites[2] = { { 0.0, 0.0, -0.5 }, { 0.0, 0.0, 0.5 } };
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_SITES;
	def.sites = sites, def.given_count = 2;
	def.allocator = world->allocator;
	if (!world->two_sides)
		rbl_create_pattern(&def, &world->two_sides); // NULL where memory is out
	return world->two_sides;
}

// How far parts reach on both sides of a plane.
typedef struct cut_reach {
	double front, back;
	rbl_boxd bounds;
	const rbl_material *material; // that breaks, of a part that the plane passes, else of any
	bool is_passed;               // the part of that material
	int32_t number;               // in the table of the compound
} cut_reach;

static void reach_part(const rbl_world *world, const rbl_compound *compound,
                       const rbl_damage_request *r, int number, cut_reach *reach)
{
	rbl_compound_part part = rbl_compound_get_part(compound, number);
	if (!part.convex)
		return;
	rbl_vec3d point = rbl_to_d(r->point), normal = rbl_to_d(r->direction);
	rbl_convex_data data = rbl_convex_get_data(part.convex);
	double front = 0.0, back = 0.0;
	for (int i = 0; i < data.vertex_count; ++i) {
		double side = rbl_dot_d(rbl_sub_d(data.vertices[i], point), normal);
		front = rbl_maxd(front, side), back = rbl_maxd(back, -side);
		reach->bounds = rbl_box_add_point_d(reach->bounds, data.vertices[i]);
	}
	bool is_passed = front > 0.0 && back > 0.0;
	reach->front = rbl_maxd(reach->front, front), reach->back = rbl_maxd(reach->back, back);
	const rbl_material *of = rbl_world_made_of(world, (int)r->body.index, compound, part.material);
	if (!rbl_material_can_break(of) || (reach->material && (reach->is_passed || !is_passed)))
		return;
	reach->material = of, reach->number = part.material, reach->is_passed = is_passed;
}

rbl_result rbl_world_place_cut(rbl_world *world, const rbl_compound *compound,
                               rbl_damage_request *r, rbl_break_def *def, bool *passes)
{
	const double sliver = 1e-3; // of the body's size: thinner ones are not cut off
	cut_reach reach = { .bounds = rbl_box_empty_d() };
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; i < end; ++i)
		reach_part(world, compound, r, i, &reach);
	double size = end > 0 ? rbl_length_d(rbl_box_size_d(reach.bounds)) : 0.0;
	double least = reach.material ? reach.material->def.damage.min_size : 0.0;
	*passes = reach.material && reach.front > sliver * size && reach.back > sliver * size &&
	          rbl_compound_get_visual_mass(compound).volume >= least * least * least;
	if (!*passes)
		return RBL_OK;
	*def = rbl_default_break_def();
	def->pattern = two_sides(world);
	if (!def->pattern)
		return RBL_OUT_OF_MEMORY;
	rbl_vec3d normal = rbl_normalize_d(rbl_to_d(r->direction)), point = rbl_to_d(r->point);
	rbl_vec3d centre = rbl_scale_d(0.5, rbl_add_d(reach.bounds.lower, reach.bounds.upper));
	def->position = rbl_add_scaled_d(centre, -rbl_dot_d(rbl_sub_d(centre, point), normal), normal);
	// All of the body lies within the box of the pattern.
	rbl_mat3d turn = about_normal(normal, 1);
	def->shape = (rbl_mat3d){ rbl_scale_d(0.25 * size, turn.x), rbl_scale_d(0.25 * size, turn.y),
		                      rbl_scale_d(0.25 * size, turn.z) };
	def->inner = reach.material->def.inner;
	def->inner.roughness = 0.0; // a blade leaves flat faces
	def->fit = reach.material->def.fit;
	def->cut_limit = reach.material->def.cut_limit;
	def->welds = false;
	def->jobs = world->def.jobs;
	r->material = reach.number;
	r->radius = (float)(0.5 * size);
	return RBL_OK;
}
