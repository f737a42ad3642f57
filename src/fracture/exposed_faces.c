// SPDX-License-Identifier: MIT
//
// Exposed faces (Mueller et al. 2013, section 5).
//
// A break gives its planes ids of their own, so a face that it cut is known by its plane's id. In
// parts without a mesh that is a face of the convex; in others, the faces of the mesh that lie in
// the plane. Where a bond broke without a cut, the polygon that the parts shared is known
// (exposed_bonds.c), and what a part has under it is exposed too. What other bonds cover is
// subtracted. All of these are convex polygons in one plane, and the difference of two convex
// polygons is cut along the edges of the second into convex polygons.

#include "base/log.h"
#include "base/vec.h"
#include "fracture/break.h"

#include <rubble/damage.h>

/// Convex polygons, one after the other; each ends at its number in `ends`.
typedef struct polygons {
	RBL_ARRAY(rbl_vec3d) corners;
	RBL_ARRAY(int) ends;
} polygons;

typedef struct exposed_list {
	const rbl_break *broken;
	rbl_allocator allocator;
	rbl_exposed_triangle *triangles;
	int capacity, count;
	int compound, part, material;
	polygons exposed, cut, covers;
	const rbl_mesh *mesh; // the last that was triangulated
	RBL_ARRAY(int) mesh_corners;
	RBL_ARRAY(rbl_vec3d) buffers[3];
} exposed_list;

// --- polygons -----------------------------------------------------------------------------------

static void free_polygons(exposed_list *e, polygons *list)
{
	rbl_array_free(&e->allocator, &list->corners);
	rbl_array_free(&e->allocator, &list->ends);
}

static int first_corner(const polygons *list, int i)
{
	return i > 0 ? list->ends.data[i - 1] : 0;
}

static bool add_polygon(exposed_list *e, polygons *list, const rbl_vec3d *corners, int count)
{
	int first = list->corners.count;
	if (!rbl_array_resize(&e->allocator, &list->corners, first + count))
		return false;
	for (int i = 0; i < count; ++i)
		list->corners.data[first + i] = corners[i];
	return rbl_array_push(&e->allocator, &list->ends, first + count);
}

static double polygon_area(const rbl_vec3d *corners, int count)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 1; i + 1 < count; ++i)
		sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(corners[i], corners[0]),
		                                 rbl_sub_d(corners[i + 1], corners[0])));
	return 0.5 * rbl_length_d(sum);
}

// Keep what is behind a plane, or in front of it where `sign` is -1. @return the number of corners
static int clip_to_edge(const rbl_vec3d *in, int count, rbl_vec3d normal, rbl_vec3d on_plane,
                        double sign, rbl_vec3d *out)
{
	int n = 0;
	for (int prev = count - 1, i = 0; i < count; prev = i++) {
		double before = sign * rbl_dot_d(normal, rbl_sub_d(in[prev], on_plane));
		double here = sign * rbl_dot_d(normal, rbl_sub_d(in[i], on_plane));
		if ((before > 0.0) != (here > 0.0))
			out[n++] = rbl_lerp_d(in[prev], in[i], before / (before - here));
		if (!(here > 0.0))
			out[n++] = in[i];
	}
	return n;
}

// A convex polygon less another, or what both have: the corners of the other run counter-clockwise
// around the normal. What is smaller than `tiny` is left out. @return false when memory ran out
static bool clip_polygon(exposed_list *e, const rbl_vec3d *corners, int count,
                         const rbl_vec3d *other, int other_count, rbl_vec3d normal, double tiny,
                         bool is_difference, polygons *out)
{
	int max = count + other_count + 1; // a convex polygon gains a corner with each edge, not more
	for (int i = 0; i < 3; ++i)
		if (!rbl_array_reserve(&e->allocator, &e->buffers[i], 2 * max))
			return false;
	rbl_vec3d *rest = e->buffers[0].data, *next = e->buffers[1].data, *off = e->buffers[2].data;
	for (int pass = is_difference ? 0 : 1; pass < 2;
	     ++pass) { // first: is there anything in common?
		int n = count;
		for (int i = 0; i < count; ++i)
			rest[i] = corners[i];
		for (int k = 0; k < other_count && n > 2 && n <= max; ++k) {
			rbl_vec3d a = other[k], b = other[k + 1 < other_count ? k + 1 : 0];
			rbl_vec3d outward = rbl_cross_d(rbl_sub_d(b, a), normal);
			if (rbl_length_squared_d(outward) <=
			    tiny) // no more than rounding: its way means nothing
				continue;
			if (is_difference && pass == 1) {
				int off_count = clip_to_edge(rest, n, outward, a, -1.0, off);
				if (polygon_area(off, off_count) > tiny && !add_polygon(e, out, off, off_count))
					return false;
			}
			n = clip_to_edge(rest, n, outward, a, 1.0, next);
			rbl_vec3d *swap = rest;
			rest = next, next = swap;
		}
		bool has_common = polygon_area(rest, n) > tiny;
		if (!is_difference)
			return !has_common || add_polygon(e, out, rest, n);
		if (!has_common && pass == 0)
			return add_polygon(e, out, corners, count);
	}
	return true;
}

static void add_exposed_triangle(exposed_list *e, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c,
                                 rbl_vec3d normal)
{
	double area = 0.5 * rbl_length_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
	if (!(area > 0.0))
		return;
	if (e->triangles && e->count < e->capacity)
		e->triangles[e->count] =
			(rbl_exposed_triangle){ { a, b, c }, rbl_to_f(normal), (float)area,
			                        e->compound, e->part,          e->material };
	e->count++;
}

// --- what bonds cover ---------------------------------------------------------------------------

// What bonds cover of a face, into `covers`.
static bool find_covers(exposed_list *e, const rbl_compound *c, int part, int face)
{
	rbl_convex_data d = rbl_convex_get_data(c->parts.data[part].convex);
	e->covers.corners.count = e->covers.ends.count = 0;
	for (int end = c->parts.data[part].first_bond; end >= 0;) {
		const rbl_bond *bond = &c->bonds.data[end / 2];
		int side = end % 2;
		end = bond->next[side];
		if (bond->faces[side] != face)
			continue;
		rbl_convex_data other = rbl_convex_get_data(c->parts.data[bond->parts[!side]].convex);
		rbl_vec3d corners[RBL_MAX_OVERLAP_CORNERS];
		int count = rbl_face_overlap(&d, face, &other, bond->faces[!side], corners);
		if (count > 2 && !add_polygon(e, &e->covers, corners, count))
			return false;
	}
	return true;
}

// Subtract what is covered from `bare` and emit the rest.
static bool emit_exposed(exposed_list *e, rbl_vec3d normal, double tiny)
{
	for (int i = 0; i < e->covers.ends.count; ++i) {
		int first = first_corner(&e->covers, i), count = e->covers.ends.data[i] - first;
		e->cut.corners.count = e->cut.ends.count = 0;
		for (int k = 0; k < e->exposed.ends.count; ++k) {
			int begin = first_corner(&e->exposed, k), n = e->exposed.ends.data[k] - begin;
			if (!clip_polygon(e, e->exposed.corners.data + begin, n, e->covers.corners.data + first,
			                  count, normal, tiny, true, &e->cut))
				return false;
		}
		polygons swap = e->exposed;
		e->exposed = e->cut, e->cut = swap;
	}
	for (int i = 0; i < e->exposed.ends.count; ++i) {
		int first = first_corner(&e->exposed, i), end = e->exposed.ends.data[i];
		const rbl_vec3d *p = e->exposed.corners.data;
		for (int k = first + 1; k + 1 < end; ++k)
			add_exposed_triangle(e, p[first], p[k], p[k + 1], normal);
	}
	return true;
}

static rbl_result triangulate(exposed_list *e, const rbl_mesh *mesh)
{
	if (e->mesh == mesh) // faces of one part come one after the other
		return RBL_OK;
	int n = rbl_mesh_triangle_count(mesh);
	e->mesh = NULL;
	if (!rbl_array_resize(&e->allocator, &e->mesh_corners, 3 * n))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_mesh_triangulate(mesh, e->mesh_corners.data, NULL);
	if (result == RBL_OK)
		e->mesh = mesh;
	return result;
}

// The triangles of a part's mesh that lie in a plane, or what of them lies under a polygon.
static rbl_result list_mesh(exposed_list *e, const rbl_mesh *mesh, rbl_planed plane,
                            const rbl_vec3d *under, int under_count, double tiny)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	rbl_result result = triangulate(e, mesh);
	double tolerance = 1e-9 * rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(mesh)));
	for (int t = 0; 3 * t < e->mesh_corners.count && result == RBL_OK; ++t) {
		rbl_vec3d p[3];
		double far = 0.0;
		for (int k = 0; k < 3 && far <= tolerance; ++k) {
			p[k] = d.positions[d.corner_vertices[e->mesh_corners.data[3 * t + k]]];
			far = rbl_maxd(far, fabs(rbl_plane_distance_d(plane, p[k])));
		}
		if (far > tolerance)
			continue;
		rbl_vec3d normal = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
		if (rbl_dot_d(normal, plane.normal) <= 0.0)
			continue;
		bool done = under ? clip_polygon(e, p, 3, under, under_count, plane.normal, tiny, false,
		                                 &e->exposed)
		                  : add_polygon(e, &e->exposed, p, 3);
		result = done ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	return result;
}

// What of a face is exposed: all of it, or what lies under a polygon.
static rbl_result expose_face(exposed_list *e, const rbl_compound *c, int part, int face,
                              const rbl_vec3d *under, int under_count)
{
	const rbl_part *m = &c->parts.data[part];
	rbl_convex_data d = rbl_convex_get_data(m->convex);
	rbl_vec3d normal = d.planes[face].normal;
	double tolerance = c->tolerance * rbl_length_d(rbl_box_size_d(rbl_convex_bounds(m->convex)));
	double tiny = tolerance * tolerance;
	e->exposed.corners.count = e->exposed.ends.count = 0;
	if (m->mesh) {
		rbl_result result = list_mesh(e, m->mesh, d.planes[face], under, under_count, tiny);
		if (result != RBL_OK)
			return result;
	} else {
		rbl_vec3d corners[2 * RBL_MAX_CONVEX_FACES];
		int begin = d.face_starts[face], n = d.face_starts[face + 1] - begin;
		for (int k = 0; k < n; ++k)
			corners[k] = d.vertices[d.corner_vertices[begin + k]];
		bool done = under ? clip_polygon(e, corners, n, under, under_count, normal, tiny, false,
		                                 &e->exposed)
		                  : add_polygon(e, &e->exposed, corners, n);
		if (!done)
			return RBL_OUT_OF_MEMORY;
	}
	bool done = find_covers(e, c, part, face) && emit_exposed(e, normal, tiny);
	return done ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// --- cut faces, and those where a bond is gone --------------------------------------------------

static rbl_result add_part_faces(exposed_list *e, const rbl_compound *c, int part)
{
	rbl_convex_data d = rbl_convex_get_data(c->parts.data[part].convex);
	double shares[RBL_MAX_CONVEX_FACES];
	e->part = part, e->material = c->parts.data[part].material;
	rbl_compound_get_face_shares(c, part, shares);
	rbl_result result = RBL_OK;
	for (int f = 0; f < d.face_count && result == RBL_OK; ++f) {
		uint64_t id = d.plane_ids[f];
		bool is_cut = id >= e->broken->plane_base && id < e->broken->plane_end;
		if (is_cut && shares[f] < 1.0 - 1e-6)
			result = expose_face(e, c, part, f, NULL, 0);
	}
	return result;
}

// The face of a part that lies in the plane of a polygon, -1: it has none there any more.
static int face_under(const rbl_compound *c, const rbl_part *part, const rbl_convex_data *d,
                      const rbl_exposed_polygon *polygon, const rbl_vec3d *corners)
{
	double tolerance = c->tolerance * rbl_length_d(rbl_box_size_d(rbl_convex_bounds(part->convex)));
	for (int f = 0; f < d->face_count; ++f) {
		double along = rbl_dot_d(d->planes[f].normal, polygon->normal);
		rbl_vec3d on_face = d->vertices[d->corner_vertices[d->face_starts[f]]];
		double apart = rbl_dot_d(d->planes[f].normal, rbl_sub_d(corners[0], on_face));
		if (fabs(along) >= 1.0 - 1e-6 && fabs(apart) <= tolerance)
			return f;
	}
	return -1;
}

static rbl_result add_bond_polygon(exposed_list *e, const rbl_compound *c,
                                   const rbl_exposed_part *entry)
{
	const rbl_exposed_polygon *polygon = &e->broken->exposed_polygons.data[entry->polygon];
	const rbl_vec3d *corners = e->broken->exposed_corners.data + polygon->first_corner;
	const rbl_part *part = &c->parts.data[entry->part];
	rbl_convex_data d = rbl_convex_get_data(part->convex);
	e->part = entry->part, e->material = part->material;
	int face = face_under(c, part, &d, polygon, corners);
	if (face < 0)
		return RBL_OK;
	bool is_front = rbl_dot_d(d.planes[face].normal, polygon->normal) > 0.0;
	rbl_vec3d under[RBL_MAX_OVERLAP_CORNERS];
	for (int k = 0; k < polygon->corner_count; ++k) // seen from the front of this face
		under[k] = corners[is_front ? k : polygon->corner_count - 1 - k];
	return expose_face(e, c, entry->part, face, under, polygon->corner_count);
}

static rbl_result add_bond_polygons(exposed_list *e, const rbl_compound *rest)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < e->broken->exposed_parts.count && result == RBL_OK; ++i) {
		const rbl_exposed_part *entry = &e->broken->exposed_parts.data[i];
		const rbl_compound *c =
			entry->compound < 0 ? rest : e->broken->fragments.data[entry->compound];
		e->compound = entry->compound;
		if (c && rbl_compound_has(c, entry->part))
			result = add_bond_polygon(e, c, entry);
	}
	return result;
}

rbl_result rbl_break_get_exposed_triangles(const rbl_break *broken, const rbl_compound *rest,
                                           rbl_exposed_triangle *triangles, int capacity,
                                           int *count)
{
	if (!broken || !rest || !count || capacity < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "broken, rest or count is NULL, or capacity negative");
	exposed_list e = { .broken = broken, .allocator = broken->allocator, .triangles = triangles };
	e.capacity = capacity;
	rbl_result result = RBL_OK;
	e.compound = -1;
	for (int i = 0; i < broken->rest_parts.count && result == RBL_OK; ++i)
		if (rbl_compound_has(rest, broken->rest_parts.data[i]))
			result = add_part_faces(&e, rest, broken->rest_parts.data[i]);
	for (int i = 0; i < broken->fragments.count && result == RBL_OK; ++i) {
		const rbl_compound *fragment = broken->fragments.data[i];
		e.compound = i;
		for (int k = 0; fragment && k < fragment->parts.count && result == RBL_OK; ++k)
			if (fragment->parts.data[k].convex)
				result = add_part_faces(&e, fragment, k);
	}
	if (result == RBL_OK)
		result = add_bond_polygons(&e, rest);
	*count = e.count;
	free_polygons(&e, &e.exposed);
	free_polygons(&e, &e.cut);
	free_polygons(&e, &e.covers);
	rbl_array_free(&e.allocator, &e.mesh_corners);
	for (int i = 0; i < 3; ++i)
		rbl_array_free(&e.allocator, &e.buffers[i]);
	return result;
}

// Area of a convex's cut faces that no bond covers.
static double cut_area(const rbl_break *broken, const rbl_compound *c, int part)
{
	rbl_convex_data d = rbl_convex_get_data(c->parts.data[part].convex);
	double shares[RBL_MAX_CONVEX_FACES], area = 0.0;
	rbl_compound_get_face_shares(c, part, shares);
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

// Area of what a face and a polygon in its plane have in common.
static double common_area(const rbl_convex_data *d, int face, const rbl_exposed_polygon *polygon,
                          const rbl_vec3d *corners)
{
	rbl_vec3d buffers[2][2 * RBL_MAX_CONVEX_FACES + RBL_MAX_OVERLAP_CORNERS + 2];
	rbl_vec3d *rest = buffers[0], *next = buffers[1];
	int begin = d->face_starts[face], n = d->face_starts[face + 1] - begin;
	for (int k = 0; k < n; ++k)
		rest[k] = d->vertices[d->corner_vertices[begin + k]];
	for (int k = 0; k < polygon->corner_count && n > 2; ++k) {
		rbl_vec3d a = corners[k], b = corners[k + 1 < polygon->corner_count ? k + 1 : 0];
		rbl_vec3d outward = rbl_cross_d(rbl_sub_d(b, a), polygon->normal);
		n = clip_to_edge(rest, n, outward, a, 1.0, next);
		rbl_vec3d *swap = rest;
		rest = next, next = swap;
	}
	return polygon_area(rest, n);
}

static bool is_within(const rbl_exposed_polygon *polygon, const rbl_vec3d *corners, rbl_vec3d point)
{
	for (int k = 0; k < polygon->corner_count; ++k) {
		rbl_vec3d a = corners[k], b = corners[k + 1 < polygon->corner_count ? k + 1 : 0];
		rbl_vec3d outward = rbl_cross_d(rbl_sub_d(b, a), polygon->normal);
		if (rbl_dot_d(outward, rbl_sub_d(point, a)) > 0.0)
			return false;
	}
	return true;
}

// Area of what a part has under the polygon of a bond that is gone, less what its bonds of now
// cover there: each of these lies under one polygon.
static double bond_area(const rbl_break *broken, const rbl_compound *c,
                        const rbl_exposed_part *entry)
{
	const rbl_exposed_polygon *polygon = &broken->exposed_polygons.data[entry->polygon];
	const rbl_vec3d *corners = broken->exposed_corners.data + polygon->first_corner;
	const rbl_part *m = &c->parts.data[entry->part];
	rbl_convex_data d = rbl_convex_get_data(m->convex);
	int face = face_under(c, m, &d, polygon, corners);
	if (face < 0)
		return 0.0;
	double area = entry->piece < 0 ? polygon_area(corners, polygon->corner_count)
	                               : common_area(&d, face, polygon, corners);
	for (int end = m->first_bond; end >= 0;) {
		const rbl_bond *bond = &c->bonds.data[end / 2];
		if (bond->faces[end % 2] == face && is_within(polygon, corners, bond->centre))
			area -= bond->area;
		end = bond->next[end % 2];
	}
	return rbl_maxd(area, 0.0);
}

double rbl_break_exposed_area(const rbl_break *broken, const rbl_compound *rest)
{
	if (!broken || !rest)
		return 0.0;
	double area = 0.0;
	for (int i = 0; i < broken->rest_parts.count; ++i)
		if (rbl_compound_has(rest, broken->rest_parts.data[i]))
			area += cut_area(broken, rest, broken->rest_parts.data[i]);
	for (int i = 0; i < broken->fragments.count; ++i) {
		const rbl_compound *fragment = broken->fragments.data[i];
		for (int k = 0; fragment && k < fragment->parts.count; ++k)
			if (fragment->parts.data[k].convex)
				area += cut_area(broken, fragment, k);
	}
	for (int i = 0; i < broken->exposed_parts.count; ++i) {
		const rbl_exposed_part *entry = &broken->exposed_parts.data[i];
		const rbl_compound *c =
			entry->compound < 0 ? rest : broken->fragments.data[entry->compound];
		if (c && rbl_compound_has(c, entry->part))
			area += bond_area(broken, c, entry);
	}
	return area;
}
