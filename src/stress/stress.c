// SPDX-License-Identifier: MIT
//
// Stress: from a compound to bodies and beams, and from the forces in beams to stresses.
//
// A bond is a beam as wide as the area its faces share and as long as the distance of its parts'
// centres. In a statically determinate structure its stiffness does not matter; elsewhere
// stiffness decides how load is shared, and beams are a fair estimate. The strength of a section
// follows from its area and second moments of area alone: exact for a rectangle, and other shapes
// are taken for one.

#include "stress/stress_system.h"

#include "base/log.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "base/vec.h"

enum { COOKIE = 0x73747265 };

// Stiffness in shear over that in tension: as of stone.
static const double shear_stiffness = 0.4;

rbl_stress_def rbl_default_stress_def(void)
{
	return (rbl_stress_def){
		.density = 2400.0,
		.strengths = { .tension = 1e6, .shear = 2e6, .compression = 1e7 },
		.tolerance = 1e-3,
		.cookie = COOKIE,
	};
}

static bool is_positive(double value)
{
	return value > 0.0 && isfinite(value);
}

static bool is_strength(double value)
{
	return value >= 0.0 && isfinite(value);
}

static rbl_result check_def(const rbl_stress_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_stress_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	const rbl_bond_strengths *s = &def->strengths;
	if (!is_positive(def->density))
		return rbl_fail(RBL_BAD_ARGUMENT, "density is %g, must be > 0", def->density);
	if (!is_strength(s->tension) || !is_strength(s->shear) || !is_strength(s->compression))
		return rbl_fail(RBL_BAD_ARGUMENT, "strengths are %g, %g and %g, must be >= 0", s->tension,
		                s->shear, s->compression);
	if (!(def->tolerance >= 1e-12 && def->tolerance <= 0.1))
		return rbl_fail(RBL_BAD_ARGUMENT, "tolerance is %g, must be 1e-12 to 0.1", def->tolerance);
	return RBL_OK;
}

rbl_result rbl_create_stress(const rbl_stress_def *def, rbl_stress **stress)
{
	if (!stress)
		return rbl_fail(RBL_BAD_ARGUMENT, "stress is NULL");
	*stress = NULL;
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator a = rbl_allocator_or_default(&def->allocator);
	rbl_stress *s = RBL_NEW_ZERO(&a, rbl_stress, 1);
	if (!s)
		return RBL_OUT_OF_MEMORY;
	s->allocator = a;
	s->def = *def;
	*stress = s;
	return RBL_OK;
}

// Everything that is of a version of the compound.
static void free_system(rbl_stress *s)
{
	const rbl_allocator *a = &s->allocator;
	size_t n = (size_t)s->body_count + 1;
	rbl_stress_free_levels(s);
	RBL_FREE(a, s->body_of, (size_t)s->part_end + 1);
	RBL_FREE(a, s->masses, n);
	RBL_FREE(a, s->inertias, n);
	RBL_FREE(a, s->components, n);
	RBL_FREE(a, s->loads, 5 * n); // and the vectors behind it
	rbl_array_free(a, &s->bonds);
	s->body_of = s->components = NULL;
	s->masses = NULL, s->inertias = NULL;
	s->loads = s->motions = s->residuals = s->directions = s->images = NULL;
	memset(&s->bonds, 0, sizeof s->bonds);
	s->body_count = s->part_end = s->component_count = 0;
	s->is_built = s->is_iterating = false;
}

void rbl_destroy_stress(rbl_stress *stress)
{
	if (!stress)
		return;
	rbl_allocator a = stress->allocator;
	free_system(stress);
	RBL_FREE(&a, stress, 1);
}

// --- from a compound to beams -------------------------------------------------------------------

static bool add_bodies(rbl_stress *s, const rbl_compound *c)
{
	const rbl_allocator *a = &s->allocator;
	s->part_end = rbl_compound_get_info(c).part_end;
	s->body_of = RBL_NEW(a, int, (size_t)s->part_end + 1);
	if (!s->body_of)
		return false;
	int count = 0;
	for (int i = 0; i < s->part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(c, i);
		s->body_of[i] = part.convex && !part.is_anchored ? count++ : -1;
	}
	size_t n = (size_t)count + 1;
	s->body_count = s->levels[0].body_count = count;
	s->masses = RBL_NEW(a, double, n);
	s->inertias = RBL_NEW(a, rbl_mat3d, n);
	s->components = RBL_NEW(a, int, n);
	s->loads = RBL_NEW_ZERO(a, rbl_wrench, 5 * n);
	s->levels[0].points = RBL_NEW(a, rbl_vec3d, n);
	if (!s->masses || !s->inertias || !s->components || !s->loads || !s->levels[0].points)
		return false;
	s->motions = s->loads + n;
	s->residuals = s->loads + 2 * n;
	s->directions = s->loads + 3 * n;
	s->images = s->loads + 4 * n;
	for (int i = 0; i < s->part_end; ++i) {
		if (s->body_of[i] < 0)
			continue;
		rbl_compound_part part = rbl_compound_get_part(c, i);
		rbl_mass mass = rbl_convex_get_mass(part.convex);
		const rbl_material *material = rbl_compound_get_material(c, part.material);
		double density = material ? (double)material->values.density : s->def.density;
		density *= 1.0 - part.overlap; // what it has in common with others counts once
		s->levels[0].points[s->body_of[i]] = mass.centre;
		s->masses[s->body_of[i]] = density * mass.volume;
		s->inertias[s->body_of[i]] = rbl_mat_scale_d(density, mass.inertia);
	}
	return true;
}

static rbl_vec3d centre_of(const rbl_stress *s, const rbl_compound *c, int part)
{
	int body = s->body_of[part];
	return body >= 0 ? s->levels[0].points[body]
	                 : rbl_convex_get_mass(rbl_compound_get_part(c, part).convex).centre;
}

static rbl_mat3d square_moments(double area, rbl_vec3d n)
{
	double each = area * area / 12.0;
	return (rbl_mat3d){ { each * (1.0 - n.x * n.x), -each * n.x * n.y, -each * n.x * n.z },
		                { -each * n.x * n.y, each * (1.0 - n.y * n.y), -each * n.y * n.z },
		                { -each * n.x * n.z, -each * n.y * n.z, each * (1.0 - n.z * n.z) } };
}

static double trace(rbl_mat3d m)
{
	return m.x.x + m.y.y + m.z.z;
}

static const rbl_bond_strengths *strengths_of(const rbl_stress *s, const rbl_compound *c, int part)
{
	const rbl_material *material =
		rbl_compound_get_material(c, rbl_compound_get_part(c, part).material);
	return material ? &material->def.strengths : &s->def.strengths;
}

// The lesser of two strengths; 0 is without end.
static double weaker(double a, double b, double share)
{
	double least = a > 0.0 && b > 0.0 ? rbl_mind(a, b) : rbl_maxd(a, b);
	return least > 0.0 ? share * least : (double)INFINITY;
}

// What a bond holds.
static rbl_bond_strengths bond_strengths(const rbl_stress *s, const rbl_compound *c,
                                         const rbl_bond *bond)
{
	const rbl_bond_strengths *a = strengths_of(s, c, bond->parts[0]);
	const rbl_bond_strengths *b = strengths_of(s, c, bond->parts[1]);
	double share = bond->strength * rbl_maxd(1.0 - bond->damage, 1e-3);
	return (rbl_bond_strengths){ weaker(a->tension, b->tension, share),
		                         weaker(a->shear, b->shear, share),
		                         weaker(a->compression, b->compression, share) };
}

// Shape of a bond, copied from `earlier` where it is the same one.
static rbl_stress_bond describe(const rbl_stress *s, const rbl_compound *c, const rbl_bond *bond,
                                rbl_vec3d from, rbl_vec3d to, const rbl_stress_bond *earlier)
{
	rbl_stress_bond b = { .parts = { bond->parts[0], bond->parts[1] },
		                  .centre = bond->centre,
		                  .area = bond->area,
		                  .holds = bond_strengths(s, c, bond) };
	if (earlier && memcmp(earlier->parts, b.parts, sizeof b.parts) == 0 &&
	    memcmp(&earlier->centre, &b.centre, sizeof b.centre) == 0 && earlier->area == b.area) {
		b.normal = earlier->normal;
		b.moments = earlier->moments;
		return b;
	}
	rbl_vec3d along = rbl_sub_d(to, from);
	double length = rbl_length_d(along);
	b.normal = length > 0.0 ? rbl_scale_d(1.0 / length, along) : (rbl_vec3d){ 0.0, 1.0, 0.0 };
	if (bond->faces[0] >= 0) {
		rbl_convex_data first = rbl_convex_get_data(rbl_compound_get_part(c, b.parts[0]).convex);
		rbl_convex_data second = rbl_convex_get_data(rbl_compound_get_part(c, b.parts[1]).convex);
		b.normal = first.planes[bond->faces[0]].normal;
		b.moments = rbl_face_overlap_moments(&first, bond->faces[0], &second, bond->faces[1]);
	}
	if (!(trace(b.moments) > 1e-6 * b.area * b.area))
		b.moments = square_moments(b.area, b.normal);
	return b;
}

static rbl_sym3 to_sym(rbl_mat3d m)
{
	return (rbl_sym3){ m.x.x, m.y.y, m.z.z, m.x.y, m.x.z, m.y.z };
}

static rbl_mat3d outer(double scale, rbl_vec3d n)
{
	return (rbl_mat3d){ rbl_scale_d(scale * n.x, n), rbl_scale_d(scale * n.y, n),
		                rbl_scale_d(scale * n.z, n) };
}

// Stiffness of area, and against turning: by second moments, which a turn about n takes together. A
// line of contact would have none, so there is a little of a square's.
static rbl_beam beam_of(const rbl_stress *s, const rbl_compound *c, const rbl_stress_bond *b)
{
	rbl_vec3d centres[2];
	rbl_beam beam;
	for (int side = 0; side < 2; ++side) {
		centres[side] = centre_of(s, c, b->parts[side]);
		beam.bodies[side] = s->body_of[b->parts[side]];
		beam.arms[side] = rbl_sub_d(b->centre, centres[side]);
	}
	double length = fabs(rbl_dot_d(b->normal, rbl_sub_d(centres[1], centres[0])));
	length = rbl_maxd(length, 0.1 * rbl_distance_d(centres[0], centres[1]));
	length = rbl_maxd(length, 1e-6 * sqrt(b->area));
	double per = 1.0 / length, shear = shear_stiffness * per;
	rbl_mat3d identity = rbl_mat_identity_d();
	rbl_mat3d linear = rbl_mat_add_d(rbl_mat_scale_d(shear * b->area, identity),
	                                 outer((per - shear) * b->area, b->normal));
	// About an axis in the plane the moment is that along the other: trace (I - n n) - moments.
	rbl_mat3d soft = square_moments(0.1 * b->area, b->normal);
	rbl_mat3d moments = rbl_mat_add_d(b->moments, soft);
	double polar = trace(moments);
	rbl_mat3d in_plane = rbl_mat_add_d(rbl_mat_scale_d(polar, identity), outer(-polar, b->normal));
	in_plane = rbl_mat_add_d(in_plane, rbl_mat_scale_d(-1.0, moments));
	rbl_mat3d angular =
		rbl_mat_add_d(rbl_mat_scale_d(per, in_plane), outer(shear * polar, b->normal));
	beam.linear_stiffness = to_sym(linear);
	beam.angular_stiffness = to_sym(angular);
	return beam;
}

static bool add_beams(rbl_stress *s, const rbl_compound *c, const rbl_stress_bond *earlier,
                      int earlier_count)
{
	rbl_stress_level *level = &s->levels[0];
	int bond_count = rbl_compound_get_info(c).bond_count;
	if (!rbl_array_reserve(&s->allocator, &s->bonds, bond_count + 1))
		return false;
	for (int i = 0, e = 0; i < rbl_compound_bond_end(c); ++i) {
		const rbl_bond *bond = rbl_compound_get_bond(c, i);
		int p = bond->parts[0], q = bond->parts[1];
		if (p < 0 || (s->body_of[p] < 0 && s->body_of[q] < 0) || !(bond->area > 0.0))
			continue;
		// Both lists are in the order of the compound's bonds, with some new and some gone.
		int hint = e;
		while (hint < earlier_count && hint < e + 8 &&
		       memcmp(earlier[hint].parts, bond->parts, sizeof bond->parts) != 0)
			hint++;
		bool is_known = hint < earlier_count && hint < e + 8;
		e = is_known ? hint + 1 : e;
		s->bonds.data[s->bonds.count++] = describe(
			s, c, bond, centre_of(s, c, p), centre_of(s, c, q), is_known ? &earlier[hint] : NULL);
	}
	level->beam_count = s->bonds.count;
	level->beams = RBL_NEW(&s->allocator, rbl_beam, (size_t)level->beam_count + 1);
	if (!level->beams)
		return false;
	for (int i = 0; i < s->bonds.count; ++i)
		level->beams[i] = beam_of(s, c, &s->bonds.data[i]);
	return true;
}

// Number the components without an anchor.
static bool find_components(rbl_stress *s)
{
	int n = s->body_count;
	int32_t *parents = RBL_NEW(&s->allocator, int32_t, (size_t)n + 1);
	if (!parents)
		return false;
	rbl_union_find_init(parents, n);
	memset(s->components, 0, (size_t)n * sizeof *s->components);
	const rbl_stress_level *level = &s->levels[0];
	for (int i = 0; i < level->beam_count; ++i) {
		const int *bodies = level->beams[i].bodies;
		if (bodies[0] >= 0 && bodies[1] >= 0)
			rbl_union_find_join(parents, bodies[0], bodies[1]);
	}
	for (int i = 0; i < level->beam_count; ++i) {
		const int *bodies = level->beams[i].bodies;
		if (bodies[0] < 0 || bodies[1] < 0) // anchored
			s->components[rbl_union_find_root(parents, rbl_maxi(bodies[0], bodies[1]))] = -1;
	}
	for (int i = 0; i < n; ++i) {
		int root = rbl_union_find_root(parents, i); // the lowest: has its number already
		if (root == i)
			s->components[i] = s->components[i] < 0 ? -1 : s->component_count++;
		else
			s->components[i] = s->components[root];
	}
	RBL_FREE(&s->allocator, parents, (size_t)n + 1);
	return true;
}

// What an earlier system found, for parts that are still in their places.
static void inherit_motions(rbl_stress *s, const rbl_stress *old)
{
	int end = rbl_mini(s->part_end, old->part_end);
	for (int i = 0; i < end; ++i) {
		int to = s->body_of[i], from = old->body_of[i];
		if (to >= 0 && from >= 0 &&
		    memcmp(&s->levels[0].points[to], &old->levels[0].points[from], sizeof(rbl_vec3d)) == 0)
			s->motions[to] = old->motions[from];
	}
}

rbl_result rbl_stress_build(rbl_stress *s, rbl_compound *c)
{
	rbl_stress old = *s;
	rbl_stress made = { .allocator = s->allocator, .def = s->def };
	bool done = add_bodies(&made, c) &&
	            add_beams(&made, c, old.bonds.data, old.is_built ? old.bonds.count : 0) &&
	            find_components(&made) && rbl_stress_make_levels(&made);
	if (!done) {
		free_system(&made);
		return RBL_OUT_OF_MEMORY;
	}
	if (old.is_built && rbl_compound_estimate(c) == s)
		inherit_motions(&made, &old);
	free_system(&old);
	*s = made;
	s->worst = -1.0;
	s->version = rbl_compound_version(c);
	rbl_compound_set_estimate(c, s);
	s->is_built = true;
	return RBL_OK;
}

// --- loads --------------------------------------------------------------------------------------

typedef struct free_component {
	double mass;
	rbl_vec3d centre;
	rbl_mat3d inertia;
	rbl_wrench sum;      // of forces, about the centre
	double force, lever; // sizes of loads and arms, to tell what is rounding
	rbl_wrench acceleration;
} free_component;

static rbl_mat3d inertia_at(double mass, rbl_vec3d r)
{
	double square = rbl_length_squared_d(r);
	return (rbl_mat3d){ { mass * (square - r.x * r.x), -mass * r.x * r.y, -mass * r.x * r.z },
		                { -mass * r.x * r.y, mass * (square - r.y * r.y), -mass * r.y * r.z },
		                { -mass * r.x * r.z, -mass * r.y * r.z, mass * (square - r.z * r.z) } };
}

// What falls freely is in balance with its own inertia: take that off the loads.
static bool balance_components(rbl_stress *s, rbl_wrench *loads)
{
	if (s->component_count == 0)
		return true;
	const rbl_vec3d *points = s->levels[0].points;
	free_component *components = RBL_NEW_ZERO(&s->allocator, free_component, s->component_count);
	if (!components)
		return false;
	for (int i = 0; i < s->body_count; ++i) {
		if (s->components[i] < 0)
			continue;
		free_component *f = &components[s->components[i]];
		f->mass += s->masses[i];
		f->centre =
			rbl_add_scaled_d(f->centre, s->masses[i] / f->mass, rbl_sub_d(points[i], f->centre));
	}
	for (int i = 0; i < s->body_count; ++i) {
		if (s->components[i] < 0)
			continue;
		free_component *f = &components[s->components[i]];
		rbl_vec3d arm = rbl_sub_d(points[i], f->centre);
		f->inertia = rbl_mat_add_d(f->inertia, s->inertias[i]);
		f->inertia = rbl_mat_add_d(f->inertia, inertia_at(s->masses[i], arm));
		f->force += rbl_length_d(loads[i].linear);
		f->lever = rbl_maxd(f->lever, rbl_length_d(arm));
		f->sum.linear = rbl_add_d(f->sum.linear, loads[i].linear);
		f->sum.angular = rbl_add_d(f->sum.angular, loads[i].angular);
		f->sum.angular = rbl_add_d(f->sum.angular, rbl_cross_d(arm, loads[i].linear));
	}
	for (int i = 0; i < s->component_count; ++i) {
		free_component *f = &components[i];
		f->acceleration.linear = rbl_scale_d(1.0 / f->mass, f->sum.linear);
		f->acceleration.angular = rbl_mat_vec_d(rbl_mat_inverse_d(f->inertia), f->sum.angular);
	}
	for (int i = 0; i < s->body_count; ++i) {
		if (s->components[i] < 0)
			continue;
		const free_component *f = &components[s->components[i]];
		rbl_vec3d arm = rbl_sub_d(points[i], f->centre);
		rbl_vec3d at = rbl_add_d(f->acceleration.linear, rbl_cross_d(f->acceleration.angular, arm));
		loads[i].linear = rbl_add_scaled_d(loads[i].linear, -s->masses[i], at);
		loads[i].angular =
			rbl_sub_d(loads[i].angular, rbl_mat_vec_d(s->inertias[i], f->acceleration.angular));
		if (rbl_length_d(loads[i].linear) < 1e-12 * f->force)
			loads[i].linear = (rbl_vec3d){ 0.0, 0.0, 0.0 };
		if (rbl_length_d(loads[i].angular) < 1e-12 * f->force * f->lever)
			loads[i].angular = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	}
	RBL_FREE(&s->allocator, components, s->component_count);
	return true;
}

// @return whether they are not what they were; false also when memory ran out
static bool set_loads(rbl_stress *s, rbl_vec3d gravity, const rbl_stress_load *loads, int count,
                      bool *out_of_memory)
{
	rbl_wrench *now = s->images; // scratch until the next step
	for (int i = 0; i < s->body_count; ++i)
		now[i] = (rbl_wrench){ rbl_scale_d(s->masses[i], gravity), { 0.0, 0.0, 0.0 } };
	for (int i = 0; i < count; ++i) {
		int body = s->body_of[loads[i].part];
		if (body < 0)
			continue;
		rbl_vec3d arm = rbl_sub_d(loads[i].point, s->levels[0].points[body]);
		now[body].linear = rbl_add_d(now[body].linear, loads[i].force);
		now[body].angular = rbl_add_d(now[body].angular, rbl_cross_d(arm, loads[i].force));
	}
	*out_of_memory = !balance_components(s, now);
	size_t bytes = (size_t)s->body_count * sizeof *now;
	if (*out_of_memory || memcmp(now, s->loads, bytes) == 0)
		return false;
	memcpy(s->loads, now, bytes);
	return true;
}

// --- from forces to stresses --------------------------------------------------------------------

// How much of a strength a stress uses.
static double used_share(double stress, double holds)
{
	return holds > 0.0 ? stress / holds : stress > 0.0 ? (double)INFINITY : 0.0;
}

// Tension, compression and shear of a bond from its force and moment (bending, torsion), and how
// much of its strength they use. Bonds beyond 1 are opened by world/stress_failure.c.
static rbl_bond_stress stress_of(const rbl_stress *s, int bond)
{
	const rbl_stress_bond *b = &s->bonds.data[bond];
	rbl_wrench f = rbl_beam_force(&s->levels[0].beams[bond], s->motions);
	rbl_bond_stress out = { .part = b->parts[0],
		                    .other = b->parts[1],
		                    .centre = b->centre,
		                    .normal = b->normal,
		                    .area = b->area,
		                    .force = f.linear,
		                    .moment = f.angular };
	double pull = rbl_dot_d(f.linear, b->normal) / b->area;
	rbl_vec3d across = rbl_add_scaled_d(f.linear, -rbl_dot_d(f.linear, b->normal), b->normal);
	double torsion = rbl_dot_d(f.angular, b->normal);
	rbl_vec3d bending = rbl_add_scaled_d(f.angular, -torsion, b->normal);
	// A moment about an axis in the plane pulls at what lies across from it. Of a rectangle, the
	// farthest is sqrt(3 moment / area) away; in a direction between its axes both count.
	double size = rbl_length_d(bending), bent = 0.0;
	if (size > 0.0) {
		rbl_vec3d lever = rbl_cross_d(b->normal, rbl_scale_d(1.0 / size, bending));
		double moment = rbl_dot_d(lever, rbl_mat_vec_d(b->moments, lever));
		double min = 1e-4 * b->area * b->area / 12.0;
		bent = size * sqrt(3.0 / (b->area * rbl_maxd(moment, min)));
	}
	double polar = rbl_maxd(trace(b->moments), 1e-4 * b->area * b->area);
	out.tension = rbl_maxd(pull + bent, 0.0);
	out.compression = rbl_maxd(bent - pull, 0.0);
	out.shear = rbl_length_d(across) / b->area + fabs(torsion) * sqrt(3.0 / (b->area * polar));
	out.utilization = rbl_maxd(used_share(out.tension, b->holds.tension),
	                           rbl_maxd(used_share(out.shear, b->holds.shear),
	                                    used_share(out.compression, b->holds.compression)));
	return out;
}

static rbl_result check_update(const rbl_stress *s, const rbl_compound *c, rbl_vec3d gravity,
                               const rbl_stress_load *loads, int load_count, int budget,
                               const rbl_stress_report *report)
{
	if (!s || !c || !report)
		return rbl_fail(RBL_BAD_ARGUMENT, "stress, compound or report is NULL");
	if (!rbl_is_finite_d(gravity))
		return rbl_fail(RBL_BAD_ARGUMENT, "gravity is not finite");
	if (budget < 1 || load_count < 0 || (load_count > 0 && !loads))
		return rbl_fail(RBL_BAD_ARGUMENT, "budget is %d, load_count %d, or loads is NULL", budget,
		                load_count);
	for (int i = 0; i < load_count; ++i)
		if (!rbl_compound_get_part(c, loads[i].part).convex || !rbl_is_finite_d(loads[i].point) ||
		    !rbl_is_finite_d(loads[i].force))
			return rbl_fail(RBL_BAD_ARGUMENT, "load %d is not finite, or on no part", i);
	return RBL_OK;
}

static void find_worst(rbl_stress *s)
{
	s->worst = 0.0;
	s->overloaded_count = 0;
	for (int i = 0; i < s->bonds.count; ++i) {
		double used = stress_of(s, i).utilization;
		s->worst = rbl_maxd(s->worst, used);
		s->overloaded_count += used > 1.0;
	}
}

rbl_result rbl_stress_update(rbl_stress *stress, rbl_compound *compound, rbl_vec3d gravity,
                             const rbl_stress_load *loads, int load_count, int budget,
                             rbl_stress_report *report)
{
	rbl_stress *s = stress;
	rbl_result result = check_update(s, compound, gravity, loads, load_count, budget, report);
	if (result != RBL_OK)
		return result;
	*report = (rbl_stress_report){ 0 };
	if (!s->is_built || rbl_compound_estimate(compound) != s ||
	    s->version != rbl_compound_version(compound))
		result = rbl_stress_build(s, compound);
	if (result != RBL_OK)
		return result;
	bool out_of_memory = false;
	bool is_new = set_loads(s, gravity, loads, load_count, &out_of_memory);
	if (out_of_memory)
		return RBL_OUT_OF_MEMORY;
	long long passes = 0, each = rbl_maxi(s->bonds.count, 1);
	if (is_new || !s->is_iterating) {
		rbl_stress_restart(s);
		passes++;
	}
	for (bool is_first = true; s->residual > s->def.tolerance && !s->is_stalled &&
	                           (is_first || (passes + 1) * each <= budget);
	     is_first = false) {
		rbl_stress_iterate(s);
		passes++;
	}
	report->bond_count = s->bonds.count;
	report->residual = s->residual;
	report->is_converged = s->residual <= s->def.tolerance || s->is_stalled;
	report->pass_count = (int)passes;
	if (passes > 0)
		s->worst = -1.0;
	if (report->is_converged && s->worst < 0.0)
		find_worst(s);
	report->worst = report->is_converged ? s->worst : 0.0;
	report->overloaded_count = report->is_converged ? s->overloaded_count : 0;
	return RBL_OK;
}

int rbl_stress_get_bonds(const rbl_stress *stress, double min_utilization, rbl_bond_stress *bonds,
                         int capacity)
{
	const rbl_stress *s = stress;
	if (!s || !s->is_built)
		return 0;
	int count = 0, n = s->bonds.count;
	rbl_sort_item64 *items = RBL_NEW(&s->allocator, rbl_sort_item64, 2 * (size_t)n + 1);
	for (int i = 0; i < n; ++i) {
		double used = stress_of(s, i).utilization;
		if (!(used >= min_utilization))
			continue;
		uint64_t key;
		memcpy(&key, &used, sizeof key); // of positive numbers, bits are in order
		if (items)
			items[count] = (rbl_sort_item64){ ~key, (uint32_t)i, 0 };
		count++;
	}
	if (items)
		rbl_sort64(items, items + n, count);
	for (int i = 0; i < count && items && bonds && i < capacity; ++i)
		bonds[i] = stress_of(s, (int)items[i].value);
	RBL_FREE(&s->allocator, items, 2 * (size_t)n + 1);
	return items ? count : 0;
}
