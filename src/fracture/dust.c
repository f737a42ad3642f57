// SPDX-License-Identifier: MIT
//
// Exposed faces, and particles on them (Mueller et al. 2013, section 5).
//
// A break gives its planes ids of their own, so a face that it cut is known by its plane's id. In
// parts without a mesh the convex's face is what is seen; in others those faces of the mesh that
// lie in the plane. A face that bonds cover altogether is inside of its compound and not exposed.
// Where a bond went without a cut, what the two parts shared is known as a polygon (bared.c): what a
// part has under it, and no bond covers now, is exposed as well.

#include "base/log.h"
#include "base/random.h"
#include "base/vec.h"
#include "fracture/break.h"

#include <rubble/damage.h>

#include <limits.h>

enum { COOKIE = 0x64757374 };

typedef struct exposer {
	const rbl_break *broken;
	rbl_allocator allocator;
	rbl_exposed_triangle *triangles;
	int capacity, count;
	int compound, part;
} exposer;

static void add_triangle(exposer *e, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, rbl_vec3d normal)
{
	double area = 0.5 * rbl_length_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
	if (!(area > 0.0))
		return;
	if (e->triangles && e->count < e->capacity)
		e->triangles[e->count] = (rbl_exposed_triangle){
			{ a, b, c }, rbl_to_f(normal), (float)area, e->compound, e->part
		};
	e->count++;
}

static void add_convex_face(exposer *e, const rbl_convex_data *d, int f)
{
	const int *corners = d->corner_vertices + d->face_starts[f];
	for (int k = 1; k + 1 < d->face_starts[f + 1] - d->face_starts[f]; ++k)
		add_triangle(e, d->vertices[corners[0]], d->vertices[corners[k]],
		             d->vertices[corners[k + 1]], d->planes[f].normal);
}

// The triangles of a mesh that lie in one of the planes.
static rbl_result add_mesh_faces(exposer *e, const rbl_mesh *mesh, const rbl_planed *planes,
                                 int plane_count)
{
	rbl_mesh_data d = rbl_mesh_view(mesh);
	int n = rbl_mesh_triangle_count(mesh);
	int *corners = RBL_NEW(&e->allocator, int, 3 * (size_t)n + 1);
	if (!corners)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_mesh_triangulate(mesh, corners, NULL);
	double reach = 1e-9 * rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(mesh)));
	for (int t = 0; t < n && result == RBL_OK; ++t) {
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = d.positions[d.corner_vertices[corners[3 * t + k]]];
		rbl_vec3d normal = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
		for (int i = 0; i < plane_count; ++i) {
			double far = 0.0;
			for (int k = 0; k < 3; ++k)
				far = rbl_maxd(far, fabs(rbl_plane_distance_d(planes[i], p[k])));
			if (far > reach || rbl_dot_d(normal, planes[i].normal) <= 0.0)
				continue;
			add_triangle(e, p[0], p[1], p[2], planes[i].normal);
			break;
		}
	}
	RBL_FREE(&e->allocator, corners, 3 * (size_t)n + 1);
	return result;
}

static rbl_result add_part(exposer *e, const rbl_compound *c, int part)
{
	const rbl_member *m = &c->members.data[part];
	rbl_convex_data d = rbl_convex_view(m->convex);
	double shares[RBL_MAX_CONVEX_FACES];
	rbl_planed planes[RBL_MAX_CONVEX_FACES];
	int plane_count = 0;
	e->part = part;
	rbl_compound_face_shares(c, part, shares);
	for (int f = 0; f < d.face_count; ++f) {
		uint64_t id = d.plane_ids[f];
		bool is_cut = id >= e->broken->plane_base && id < e->broken->plane_end;
		if (!is_cut || shares[f] > 1.0 - 1e-6)
			continue;
		planes[plane_count++] = d.planes[f];
		if (!m->mesh)
			add_convex_face(e, &d, f);
	}
	return m->mesh && plane_count > 0 ? add_mesh_faces(e, m->mesh, planes, plane_count) : RBL_OK;
}

// --- where a bond is gone -----------------------------------------------------------------------

typedef struct polygon {
	rbl_vec3d corners[2 * RBL_MOST_OVERLAP_CORNERS];
	int count;
} polygon;

// Keep what is behind a plane.
static void clip(polygon *p, rbl_vec3d normal, rbl_vec3d on_plane)
{
	polygon kept = { .count = 0 };
	for (int prev = p->count - 1, i = 0; i < p->count; prev = i++) {
		double before = rbl_dot_d(normal, rbl_sub_d(p->corners[prev], on_plane));
		double here = rbl_dot_d(normal, rbl_sub_d(p->corners[i], on_plane));
		if ((before > 0.0) != (here > 0.0))
			kept.corners[kept.count++] =
				rbl_lerp_d(p->corners[prev], p->corners[i], before / (before - here));
		if (!(here > 0.0))
			kept.corners[kept.count++] = p->corners[i];
	}
	*p = kept;
}

static double polygon_area(const polygon *p)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 1; i + 1 < p->count; ++i)
		sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(p->corners[i], p->corners[0]),
		                                 rbl_sub_d(p->corners[i + 1], p->corners[0])));
	return 0.5 * rbl_length_d(sum);
}

static bool is_within(const polygon *p, rbl_vec3d normal, rbl_vec3d point, double reach)
{
	for (int prev = p->count - 1, i = 0; i < p->count; prev = i++) {
		rbl_vec3d edge = rbl_sub_d(p->corners[i], p->corners[prev]);
		rbl_vec3d inward = rbl_cross_d(normal, edge);
		if (rbl_dot_d(inward, rbl_sub_d(point, p->corners[prev])) < -reach * rbl_length_d(edge))
			return false;
	}
	return p->count > 2;
}

// What of the polygon is on a face and bare: a bond on it has its centre in it.
static bool find_bare(const rbl_compound *c, int part, int face, polygon *p, rbl_vec3d normal,
                      double reach)
{
	rbl_convex_data d = rbl_convex_view(c->members.data[part].convex);
	for (int k = d.face_starts[face]; k < d.face_starts[face + 1] && p->count > 0; ++k) {
		int beyond = d.corner_faces[k];
		clip(p, d.planes[beyond].normal, d.vertices[d.corner_vertices[k]]);
	}
	double area = polygon_area(p), covered = 0.0;
	if (p->count < 3 || !(area > reach * reach))
		return false;
	for (int end = c->members.data[part].first_bond; end >= 0;) {
		const rbl_bond *bond = &c->bonds.data[end / 2];
		if (bond->faces[end % 2] == face && is_within(p, normal, bond->centre, reach))
			covered += bond->area;
		end = bond->next[end % 2];
	}
	return covered < (1.0 - 1e-6) * area;
}

// Triangles of a part's mesh under a polygon.
static rbl_result add_mesh_under(exposer *e, const rbl_mesh *mesh, rbl_planed plane,
                                 const polygon *p, double reach)
{
	int first = e->count;
	rbl_exposed_triangle *out = e->triangles;
	int capacity = e->capacity, room = rbl_mesh_triangle_count(mesh), kept = first;
	rbl_exposed_triangle *all = RBL_NEW(&e->allocator, rbl_exposed_triangle, (size_t)room + 1);
	if (!all)
		return RBL_OUT_OF_MEMORY;
	e->triangles = all;
	e->capacity = room;
	e->count = 0;
	rbl_result result = add_mesh_faces(e, mesh, &plane, 1);
	int count = e->count;
	e->triangles = out;
	e->capacity = capacity;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		const rbl_vec3d *q = all[i].corners;
		rbl_vec3d middle = rbl_scale_d(1.0 / 3.0, rbl_add_d(q[0], rbl_add_d(q[1], q[2])));
		if (!is_within(p, plane.normal, middle, reach))
			continue;
		if (out && kept < capacity)
			out[kept] = all[i];
		kept++;
	}
	e->count = kept;
	RBL_FREE(&e->allocator, all, (size_t)room + 1);
	return result;
}

static rbl_result add_bared(exposer *e, const rbl_compound *c, const rbl_bared_part *entry)
{
	const rbl_bared_polygon *bared = &e->broken->bared.data[entry->polygon];
	const rbl_vec3d *corners = e->broken->bared_corners.data + bared->first_corner;
	const rbl_member *m = &c->members.data[entry->part];
	rbl_convex_data d = rbl_convex_view(m->convex);
	double size = rbl_length_d(rbl_box_size_d(rbl_convex_bounds(m->convex)));
	double reach = c->tolerance * size;
	e->part = entry->part;
	for (int f = 0; f < d.face_count; ++f) {
		double along = rbl_dot_d(d.planes[f].normal, bared->normal);
		rbl_vec3d on_face = d.vertices[d.corner_vertices[d.face_starts[f]]];
		double apart = rbl_dot_d(d.planes[f].normal, rbl_sub_d(corners[0], on_face));
		if (fabs(along) < 1.0 - 1e-6 || fabs(apart) > reach)
			continue;
		polygon p = { .count = bared->corner_count };
		for (int k = 0; k < p.count; ++k) // seen from the front of this face
			p.corners[k] = corners[along > 0.0 ? k : p.count - 1 - k];
		if (!find_bare(c, entry->part, f, &p, d.planes[f].normal, reach))
			continue;
		if (m->mesh)
			return add_mesh_under(e, m->mesh, d.planes[f], &p, reach);
		for (int k = 1; k + 1 < p.count; ++k)
			add_triangle(e, p.corners[0], p.corners[k], p.corners[k + 1], d.planes[f].normal);
		return RBL_OK;
	}
	return RBL_OK;
}

static rbl_result add_all_bared(exposer *e, const rbl_compound *rest)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < e->broken->bared_parts.count && result == RBL_OK; ++i) {
		const rbl_bared_part *entry = &e->broken->bared_parts.data[i];
		const rbl_compound *c = entry->compound < 0 ? rest : e->broken->chips.data[entry->compound];
		e->compound = entry->compound;
		if (c && rbl_compound_has(c, entry->part))
			result = add_bared(e, c, entry);
	}
	return result;
}

rbl_result rbl_break_exposed(const rbl_break *broken, const rbl_compound *rest,
                             rbl_exposed_triangle *triangles, int capacity, int *count)
{
	if (!broken || !rest || !count || capacity < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "broken, rest or count is NULL, or capacity negative");
	exposer e = { .broken = broken, .allocator = broken->allocator, .triangles = triangles };
	e.capacity = capacity;
	rbl_result result = RBL_OK;
	e.compound = -1;
	for (int i = 0; i < broken->rest_parts.count && result == RBL_OK; ++i)
		if (rbl_compound_has(rest, broken->rest_parts.data[i]))
			result = add_part(&e, rest, broken->rest_parts.data[i]);
	for (int i = 0; i < broken->chips.count && result == RBL_OK; ++i) {
		const rbl_compound *chip = broken->chips.data[i];
		e.compound = i;
		for (int k = 0; chip && k < chip->members.count && result == RBL_OK; ++k)
			if (chip->members.data[k].convex)
				result = add_part(&e, chip, k);
	}
	if (result == RBL_OK)
		result = add_all_bared(&e, rest);
	*count = e.count;
	return result;
}

// Area of a convex's cut faces that no bond covers.
static double cut_area(const rbl_break *broken, const rbl_compound *c, int part)
{
	rbl_convex_data d = rbl_convex_view(c->members.data[part].convex);
	double shares[RBL_MAX_CONVEX_FACES], area = 0.0;
	rbl_compound_face_shares(c, part, shares);
	for (int f = 0; f < d.face_count; ++f) {
		uint64_t id = d.plane_ids[f];
		if (id < broken->plane_base || id >= broken->plane_end || shares[f] > 1.0 - 1e-6)
			continue;
		int first = d.face_starts[f], count = d.face_starts[f + 1] - first;
		rbl_vec3d normal = rbl_polygon_normal(d.vertices, d.corner_vertices + first, count);
		area += 0.5 * rbl_length_d(normal) * (1.0 - shares[f]);
	}
	return area;
}

double rbl_break_exposed_area(const rbl_break *broken, const rbl_compound *rest)
{
	if (!broken || !rest)
		return 0.0;
	double area = 0.0;
	for (int i = 0; i < broken->rest_parts.count; ++i)
		if (rbl_compound_has(rest, broken->rest_parts.data[i]))
			area += cut_area(broken, rest, broken->rest_parts.data[i]);
	for (int i = 0; i < broken->chips.count; ++i) {
		const rbl_compound *chip = broken->chips.data[i];
		for (int k = 0; chip && k < chip->members.count; ++k)
			if (chip->members.data[k].convex)
				area += cut_area(broken, chip, k);
	}
	for (int i = 0; i < broken->bared_parts.count; ++i) {
		const rbl_bared_polygon *bared = &broken->bared.data[broken->bared_parts.data[i].polygon];
		polygon p = { .count = bared->corner_count };
		for (int k = 0; k < p.count; ++k)
			p.corners[k] = broken->bared_corners.data[bared->first_corner + k];
		area += polygon_area(&p);
	}
	return area;
}

// --- particles ----------------------------------------------------------------------------------

rbl_dust_def rbl_default_dust_def(void)
{
	return (rbl_dust_def){
		.density = 50.0,
		.debris_ratio = 0.2,
		.least_radius = 0.005,
		.most_radius = 0.025,
		.instance_count = 4,
		.seed = 1,
		.cookie = COOKIE,
	};
}

static rbl_result check_def(const rbl_dust_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_dust_def()");
	if (!(def->density >= 0.0) || !isfinite(def->density))
		return rbl_fail(RBL_BAD_ARGUMENT, "density is %g, must be >= 0", def->density);
	if (!(def->debris_ratio >= 0.0 && def->debris_ratio <= 1.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "debris_ratio is %g, must be 0 to 1", def->debris_ratio);
	if (!(def->least_radius > 0.0) || !(def->most_radius >= def->least_radius) ||
	    !isfinite(def->most_radius))
		return rbl_fail(RBL_BAD_ARGUMENT, "radii are %g to %g, must be 0 < least <= most",
		                def->least_radius, def->most_radius);
	if (def->instance_count < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "instance_count is %d, must be > 0", def->instance_count);
	return RBL_OK;
}

static rbl_dust_particle make_particle(const rbl_exposed_triangle *t, const rbl_dust_def *def,
                                       rbl_random *random, int triangle)
{
	double u = rbl_random_double(random), v = rbl_random_double(random);
	if (u + v > 1.0)
		u = 1.0 - u, v = 1.0 - v;
	rbl_vec3d p = rbl_add_scaled_d(t->corners[0], u, rbl_sub_d(t->corners[1], t->corners[0]));
	p = rbl_add_scaled_d(p, v, rbl_sub_d(t->corners[2], t->corners[0]));
	double kind = rbl_random_double(random), size = rbl_random_double(random);
	int instance = (int)rbl_random_below(random, (uint32_t)def->instance_count);
	rbl_dust_particle made = { .position = p, .normal = t->normal, .triangle = triangle };
	if (kind < def->debris_ratio) {
		double least = 1.0 / (def->least_radius * def->least_radius);
		double most = 1.0 / (def->most_radius * def->most_radius);
		made.radius = (float)(1.0 / sqrt(most + size * (least - most)));
		made.instance = instance;
	}
	return made;
}

rbl_result rbl_sample_dust(const rbl_exposed_triangle *triangles, int triangle_count,
                           const rbl_dust_def *def, rbl_dust_particle *particles, int capacity,
                           int *count)
{
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	if (!count || capacity < 0 || triangle_count < 0 || (triangle_count > 0 && !triangles))
		return rbl_fail(RBL_BAD_ARGUMENT, "count or triangles is NULL, or a number negative");
	rbl_random random = rbl_random_from_seed(def->seed);
	double owed = rbl_random_double(&random); // so that small areas get their share on average
	int made = 0;
	for (int t = 0; t < triangle_count; ++t) {
		owed += def->density * (double)triangles[t].area;
		for (; owed >= 1.0 && made < INT_MAX; owed -= 1.0, ++made) {
			rbl_dust_particle particle = make_particle(&triangles[t], def, &random, t);
			if (particles && made < capacity)
				particles[made] = particle;
		}
	}
	*count = made;
	return RBL_OK;
}
