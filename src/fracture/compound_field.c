// SPDX-License-Identifier: MIT
//
// Distance fields of compounds, as fragments of the mesh that they came from.
//
// A part is what lies in the mesh and in a convex cell: behind the planes of its cut faces, and of
// its convex. A cut face is flat, and the whole part lies behind it, whatever the break that made
// it; so the parts as they are tell all, and nothing is remembered of earlier breaks. Faces of the
// mesh's own surface need no plane: the mesh's field has them.
//
// Planes of one part are all that its field needs. Several parts are a union of cells, with the
// polygons of cut faces that no other part of the compound lies behind: what a face shares with
// them is cut away. Where the convex has a face in the plane of a cut, that is the polygon: one
// instead of many triangles.
//
// Another compound's piece that reaches into a cell would count as inside. Mostly some plane lies
// between the two, and is added. Where there is none, the piece is named to the field, which tells
// the two apart by cubes; what lies behind a face is told by faces then, and not by cells.

#include "fracture/compound_field.h"

#include "base/log.h"
#include "base/vec.h"
#include "field/field.h"

#include <rubble/compound_field.h>

enum { COOKIE = 0x63666c64, MAX_PART_PLANES = 256 };

// Cut faces of neighbours are one plane in this share of the compound's size.
static const double tolerance_share = 2e-6;

rbl_compound_field_def rbl_default_compound_field_def(void)
{
	return (rbl_compound_field_def){
		.transform = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } }, .cookie = COOKIE
	};
}

// Convex polygons, one after the other; each ends at its number in `ends`.
typedef struct polygon_list {
	RBL_ARRAY(rbl_vec3d) corners;
	RBL_ARRAY(int) ends;
} polygon_list;

// A cell: those planes come first that a cut or the part's own faces made, then those that only fit
// around it.
typedef struct part_cell {
	int part;
	int first_plane, exact_end, plane_end;
	rbl_boxd box;
	bool is_shared; // pieces of other compounds are in it as well
} part_cell;

typedef struct field_gathering {
	const rbl_compound_field_def *def;
	rbl_allocator allocator;
	double size, tolerance;
	RBL_ARRAY(part_cell) cells;
	RBL_ARRAY(rbl_planed) planes;
	RBL_ARRAY(int) convex_faces;       // by plane: the face of the convex in it, -1 for none
	RBL_ARRAY(int) triangles;          // of the mesh at hand
	RBL_ARRAY(int) covers;             // triangles of another
	polygon_list polygons;             // exposed
	polygon_list rest, next;           // of the polygon at hand
	RBL_ARRAY(const rbl_part *) named; // of other compounds, that no plane keeps out
	RBL_ARRAY(rbl_vec3) surface, others;
	bool is_out_of_memory;
} field_gathering;

static rbl_boxd part_box(const rbl_part *part)
{
	return part->mesh ? rbl_mesh_bounds(part->mesh) : rbl_convex_bounds(part->convex);
}

static void free_gathering(field_gathering *g)
{
	const rbl_allocator *a = &g->allocator;
	rbl_array_free(a, &g->cells);
	rbl_array_free(a, &g->planes);
	rbl_array_free(a, &g->convex_faces);
	rbl_array_free(a, &g->triangles);
	rbl_array_free(a, &g->covers);
	polygon_list *lists[3] = { &g->polygons, &g->rest, &g->next };
	for (int i = 0; i < 3; ++i) {
		rbl_array_free(a, &lists[i]->corners);
		rbl_array_free(a, &lists[i]->ends);
	}
	rbl_array_free(a, &g->named);
	rbl_array_free(a, &g->surface);
	rbl_array_free(a, &g->others);
}

// --- planes -------------------------------------------------------------------------------------

// The plane of a polygon by its area; all zero when it has none.
static rbl_planed polygon_plane(const rbl_vec3d *positions, const int *vertices, int count)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, first = positions[vertices[0]], mean = sum;
	for (int i = 1; i + 1 < count; ++i)
		sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(positions[vertices[i]], first),
		                                 rbl_sub_d(positions[vertices[i + 1]], first)));
	for (int i = 0; i < count; ++i)
		mean = rbl_add_scaled_d(mean, 1.0 / count, positions[vertices[i]]);
	double area = rbl_length_d(sum);
	if (!(area > 0.0))
		return (rbl_planed){ { 0.0, 0.0, 0.0 }, 0.0 };
	rbl_vec3d normal = rbl_scale_d(1.0 / area, sum);
	return (rbl_planed){ normal, rbl_dot_d(normal, mean) };
}

static bool is_same_plane(rbl_planed a, rbl_planed b, double tolerance)
{
	return rbl_dot_d(a.normal, b.normal) > 1.0 - 1e-8 && fabs(a.offset - b.offset) <= tolerance;
}

static void add_cell_plane(field_gathering *g, rbl_planed plane, int convex_face)
{
	g->is_out_of_memory |= !rbl_array_push(&g->allocator, &g->planes, plane) ||
	                       !rbl_array_push(&g->allocator, &g->convex_faces, convex_face);
}

// @return the plane of the cell that is the same, -1 for none
static int find_cell_plane(const field_gathering *g, const part_cell *cell, rbl_planed plane)
{
	for (int i = cell->first_plane; i < g->planes.count; ++i)
		if (is_same_plane(g->planes.data[i], plane, 10.0 * g->tolerance))
			return i;
	return -1;
}

// Which materials cut faces have. @return false when names do not tell
static bool find_inner_material(const rbl_mesh_data *mesh, int *material)
{
	for (int i = 0; i < mesh->material_count; ++i)
		if (strcmp(mesh->materials[i].name, "inner") == 0) {
			*material = i;
			return true;
		}
	return false;
}

// Whether a face is inside of the original, and so was cut.
static bool is_inside_original(const field_gathering *g, const rbl_mesh_data *mesh, int face)
{
	int first = mesh->face_starts[face], count = mesh->face_starts[face + 1] - first;
	rbl_vec3d mean = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; ++i)
		mean =
			rbl_add_scaled_d(mean, 1.0 / count, mesh->positions[mesh->corner_vertices[first + i]]);
	rbl_vec3 p = rbl_to_f(mean);
	float distance, bound;
	rbl_distance_field_evaluate(g->def->original, &p, 1, &distance, &bound, NULL);
	return distance + bound < 0.0f;
}

static bool is_all_behind(const rbl_mesh_data *mesh, rbl_planed plane, double tolerance)
{
	for (int v = 0; v < mesh->vertex_count; ++v)
		if (rbl_plane_distance_d(plane, mesh->positions[v]) > tolerance)
			return false;
	return true;
}

// Planes of cut faces of a mesh. A face that others are in front of is rough, and has none.
static void add_cut_planes(field_gathering *g, const part_cell *cell, const rbl_mesh *mesh)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	int inner = -1;
	bool has_name = find_inner_material(&d, &inner) && d.face_materials;
	rbl_planed refused[8];
	int refused_count = 0;
	for (int f = 0; f < d.face_count && !g->is_out_of_memory; ++f) {
		if (has_name ? d.face_materials[f] != inner : !is_inside_original(g, &d, f))
			continue;
		int first = d.face_starts[f], count = d.face_starts[f + 1] - first;
		rbl_planed plane = polygon_plane(d.positions, d.corner_vertices + first, count);
		if (rbl_dot_d(plane.normal, plane.normal) == 0.0)
			continue;
		bool is_known = find_cell_plane(g, cell, plane) >= 0;
		for (int i = 0; i < refused_count && !is_known; ++i)
			is_known |= is_same_plane(refused[i], plane, g->tolerance);
		if (is_known || g->planes.count - cell->first_plane >= MAX_PART_PLANES)
			continue;
		if (is_all_behind(&d, plane, 10.0 * g->tolerance))
			add_cell_plane(g, plane, -1);
		else if (refused_count < 8)
			refused[refused_count++] = plane;
	}
}

// --- other pieces -------------------------------------------------------------------------------

static void add_part_triangles(field_gathering *g, const rbl_part *part, bool is_own)
{
	rbl_mesh *made = NULL;
	const rbl_mesh *mesh = part->mesh;
	if (!mesh && rbl_convex_create_mesh(part->convex, &g->allocator, &made) == RBL_OK)
		mesh = made;
	int count = mesh ? rbl_mesh_triangle_count(mesh) : 0;
	int first = is_own ? g->surface.count : g->others.count;
	bool is_good = mesh && rbl_array_resize(&g->allocator, &g->triangles, 3 * count) &&
	               rbl_mesh_triangulate(mesh, g->triangles.data, NULL) == RBL_OK;
	is_good = is_good && (is_own ? rbl_array_resize(&g->allocator, &g->surface, first + 3 * count)
	                             : rbl_array_resize(&g->allocator, &g->others, first + 3 * count));
	if (is_good) {
		rbl_mesh_data d = rbl_mesh_get_data(mesh);
		rbl_vec3 *corners = (is_own ? g->surface.data : g->others.data) + first;
		for (int i = 0; i < 3 * count; ++i)
			corners[i] = rbl_to_f(d.positions[d.corner_vertices[g->triangles.data[i]]]);
	}
	g->is_out_of_memory |= !is_good;
	rbl_destroy_mesh(made);
}

static bool is_beyond(rbl_planed plane, const rbl_vec3d *points, int count, double tolerance)
{
	for (int i = 0; i < count; ++i)
		if (rbl_plane_distance_d(plane, points[i]) < -tolerance)
			return false;
	return true;
}

// Whether a plane has all of a part beyond it.
static bool is_part_beyond(rbl_planed plane, const rbl_part *part, double tolerance)
{
	rbl_convex_data convex = rbl_convex_get_data(part->convex);
	if (is_beyond(plane, convex.vertices, convex.vertex_count, tolerance))
		return true;
	if (!part->mesh)
		return false;
	rbl_mesh_data mesh = rbl_mesh_get_data(part->mesh);
	return is_beyond(plane, mesh.positions, mesh.vertex_count, tolerance);
}

// A plane between two parts: one of the first, one of the second, or across the line between their
// middles. @return false when there is none of these
static bool find_separator(const field_gathering *g, const rbl_part *own, const rbl_part *other,
                           rbl_planed *plane)
{
	rbl_convex_data a = rbl_convex_get_data(own->convex), b = rbl_convex_get_data(other->convex);
	for (int f = 0; f < a.face_count; ++f)
		if (is_part_beyond(a.planes[f], other, g->tolerance)) {
			*plane = a.planes[f];
			return true;
		}
	for (int f = 0; f < b.face_count; ++f)
		if (is_part_beyond(b.planes[f], own, g->tolerance)) {
			*plane = (rbl_planed){ rbl_neg_d(b.planes[f].normal), -b.planes[f].offset };
			return true;
		}
	rbl_vec3d way = rbl_sub_d(rbl_box_centre_d(part_box(other)), rbl_box_centre_d(part_box(own)));
	if (!(rbl_length_d(way) > g->tolerance))
		return false;
	plane->normal = rbl_normalize_d(way);
	double most = -DBL_MAX;
	rbl_mesh_data mesh = { 0 };
	if (own->mesh)
		mesh = rbl_mesh_get_data(own->mesh);
	const rbl_vec3d *points = own->mesh ? mesh.positions : a.vertices;
	for (int v = 0; v < (own->mesh ? mesh.vertex_count : a.vertex_count); ++v)
		most = rbl_maxd(most, rbl_dot_d(plane->normal, points[v]));
	plane->offset = most;
	return is_part_beyond(*plane, other, g->tolerance);
}

static bool overlaps_within(rbl_boxd a, rbl_boxd b, double margin)
{
	return rbl_box_overlaps_d(rbl_box_grow_d(a, margin), b);
}

// Keep pieces of other compounds out of a cell: by its planes, by one plane more, or by naming the
// piece.
static void keep_others_out(field_gathering *g, part_cell *cell)
{
	const rbl_part *own = &g->def->compound->parts.data[cell->part];
	for (int i = 0; i < g->def->other_count && !g->is_out_of_memory; ++i) {
		const rbl_compound *other = g->def->others[i];
		if (!other || other == g->def->compound)
			continue;
		for (int p = 0; p < other->parts.count && !g->is_out_of_memory; ++p) {
			const rbl_part *part = &other->parts.data[p];
			rbl_planed plane;
			if (!part->convex || !overlaps_within(part_box(part), cell->box, -g->tolerance))
				continue;
			bool is_out = false;
			for (int k = cell->first_plane; k < g->planes.count && !is_out; ++k)
				is_out = is_part_beyond(g->planes.data[k], part, g->tolerance);
			if (is_out)
				continue;
			if (find_separator(g, own, part, &plane)) {
				add_cell_plane(g, plane, -1);
				continue;
			}
			cell->is_shared = true;
			bool is_named = false;
			for (int k = 0; k < g->named.count && !is_named; ++k)
				is_named = g->named.data[k] == part;
			if (is_named)
				continue;
			g->is_out_of_memory |= !rbl_array_push(&g->allocator, &g->named, part);
			add_part_triangles(g, part, false);
		}
	}
}

// The planes of a part. Faces of a convex with an id were cut; those of a part without a mesh are
// all there is. Others only fit around the part: they tell where it is among several.
static void add_cell(field_gathering *g, int index)
{
	const rbl_part *part = &g->def->compound->parts.data[index];
	rbl_convex_data convex = rbl_convex_get_data(part->convex);
	part_cell cell = { .part = index, .first_plane = g->planes.count, .box = part_box(part) };
	for (int f = 0; f < convex.face_count; ++f)
		if (!part->mesh || convex.plane_ids[f] != RBL_NO_PLANE_ID)
			add_cell_plane(g, convex.planes[f], f);
	if (part->mesh)
		add_cut_planes(g, &cell, part->mesh);
	cell.exact_end = g->planes.count;
	bool has_fits = part->mesh && g->def->compound->part_count > 1;
	for (int f = 0; f < convex.face_count && has_fits; ++f)
		if (convex.plane_ids[f] == RBL_NO_PLANE_ID)
			add_cell_plane(g, convex.planes[f], f);
	keep_others_out(g, &cell);
	cell.plane_end = g->planes.count;
	g->is_out_of_memory |= !rbl_array_push(&g->allocator, &g->cells, cell);
}

// --- exposed polygons ---------------------------------------------------------------------------

static void add_polygon_to(field_gathering *g, polygon_list *list, const rbl_vec3d *corners,
                           int count)
{
	int first = list->corners.count;
	if (!rbl_array_resize(&g->allocator, &list->corners, first + count) ||
	    !rbl_array_push(&g->allocator, &list->ends, first + count)) {
		g->is_out_of_memory = true;
		return;
	}
	memcpy(list->corners.data + first, corners, (size_t)count * sizeof *corners);
}

static double area_of(const rbl_vec3d *corners, int count)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 1; i + 1 < count; ++i)
		sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(corners[i], corners[0]),
		                                 rbl_sub_d(corners[i + 1], corners[0])));
	return 0.5 * rbl_length_d(sum);
}

enum { MAX_CUT_CORNERS = 512 };

// What of a convex polygon is behind a plane, or in front of it for a `sign` of -1.
static int clip_behind(const rbl_vec3d *in, int count, rbl_planed plane, double sign,
                       rbl_vec3d *out)
{
	int n = 0;
	for (int before = count - 1, i = 0; i < count; before = i++) {
		double from = sign * rbl_plane_distance_d(plane, in[before]);
		double here = sign * rbl_plane_distance_d(plane, in[i]);
		if ((from > 0.0) != (here > 0.0))
			out[n++] = rbl_lerp_d(in[before], in[i], from / (from - here));
		if (!(here > 0.0))
			out[n++] = in[i];
	}
	return n;
}

// Whether a polygon in a plane may have something in common with a cell that does not end in the
// same plane on the same side.
static bool may_be_covered(const field_gathering *g, const rbl_planed *planes, int plane_count,
                           const rbl_vec3d *corners, int count, rbl_planed own)
{
	for (int i = 0; i < plane_count; ++i) {
		rbl_planed plane = planes[i];
		double least = DBL_MAX, most = -DBL_MAX;
		for (int k = 0; k < count; ++k) {
			double d = rbl_plane_distance_d(plane, corners[k]);
			least = rbl_mind(least, d), most = rbl_maxd(most, d);
		}
		bool is_same_way = rbl_dot_d(plane.normal, own.normal) > 0.9999;
		if ((most > g->tolerance && least >= -g->tolerance) ||
		    (is_same_way && fabs(least) <= 10.0 * g->tolerance && most <= 10.0 * g->tolerance))
			return false;
	}
	return true;
}

// A convex polygon less what is behind some planes: what is cut off goes to `out`.
static void subtract_planes(field_gathering *g, const rbl_planed *planes, int plane_count,
                            const rbl_vec3d *corners, int count, rbl_planed own, polygon_list *out)
{
	rbl_vec3d buffers[2][MAX_CUT_CORNERS], off[MAX_CUT_CORNERS];
	double tiny = g->tolerance * g->size;
	if (count + plane_count + 1 > MAX_CUT_CORNERS ||
	    !may_be_covered(g, planes, plane_count, corners, count, own)) {
		add_polygon_to(g, out, corners, count);
		return;
	}
	for (int pass = 0; pass < 2; ++pass) { // first: is there anything in common?
		int n = count, at = 0;
		memcpy(buffers[0], corners, (size_t)count * sizeof *corners);
		for (int i = 0; i < plane_count && n > 2; ++i) {
			rbl_planed plane = planes[i];
			double most = -DBL_MAX;
			for (int k = 0; k < n; ++k)
				most = rbl_maxd(most, rbl_plane_distance_d(plane, buffers[at][k]));
			if (most <= g->tolerance)
				continue;
			if (pass == 1) {
				int off_count = clip_behind(buffers[at], n, plane, -1.0, off);
				if (area_of(off, off_count) > tiny)
					add_polygon_to(g, out, off, off_count);
			}
			n = clip_behind(buffers[at], n, plane, 1.0, buffers[!at]);
			at = !at;
		}
		if (pass == 0 && !(area_of(buffers[at], n) > tiny)) {
			add_polygon_to(g, out, corners, count);
			return;
		}
	}
}

// Take what is behind some planes from the polygons at hand.
static void subtract_from_rest(field_gathering *g, const rbl_planed *planes, int plane_count,
                               rbl_planed own)
{
	polygon_list *rest = &g->rest, *next = &g->next;
	next->corners.count = next->ends.count = 0;
	for (int i = 0; i < rest->ends.count && !g->is_out_of_memory; ++i) {
		int first = i > 0 ? rest->ends.data[i - 1] : 0;
		subtract_planes(g, planes, plane_count, rest->corners.data + first,
		                rest->ends.data[i] - first, own, next);
	}
	polygon_list swap = *rest;
	*rest = *next, *next = swap;
}

// The same for the faces of a mesh that lie in the plane and look the other way.
static void subtract_faces(field_gathering *g, const rbl_mesh *mesh, rbl_planed own)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	if (!rbl_array_resize(&g->allocator, &g->covers, 3 * count) ||
	    rbl_mesh_triangulate(mesh, g->covers.data, NULL) != RBL_OK) {
		g->is_out_of_memory = true;
		return;
	}
	for (int i = 0; i < count && g->rest.ends.count > 0 && !g->is_out_of_memory; ++i) {
		rbl_vec3d p[3];
		double most = 0.0;
		for (int k = 0; k < 3; ++k) {
			p[k] = d.positions[d.corner_vertices[g->covers.data[3 * (size_t)i + (size_t)k]]];
			most = rbl_maxd(most, fabs(rbl_plane_distance_d(own, p[k])));
		}
		rbl_vec3d normal = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
		if (most > 10.0 * g->tolerance || !(rbl_dot_d(normal, own.normal) < 0.0))
			continue;
		rbl_planed sides[3];
		for (int k = 0; k < 3; ++k) {
			rbl_vec3d edge = rbl_sub_d(p[(k + 1) % 3], p[k]);
			sides[k].normal = rbl_normalize_d(rbl_cross_d(own.normal, edge));
			sides[k].offset = rbl_dot_d(sides[k].normal, p[k]);
		}
		subtract_from_rest(g, sides, 3, own);
	}
}

// What no other part of the compound lies behind.
static void expose_polygon(field_gathering *g, int cell_index, rbl_planed plane,
                           const rbl_vec3d *corners, int count)
{
	polygon_list *rest = &g->rest;
	rest->corners.count = rest->ends.count = 0;
	add_polygon_to(g, rest, corners, count);
	rbl_boxd box = rbl_box_empty_d();
	for (int i = 0; i < count; ++i)
		box = rbl_box_add_point_d(box, corners[i]);
	for (int c = 0; c < g->cells.count && rest->ends.count > 0 && !g->is_out_of_memory; ++c) {
		const part_cell *cell = &g->cells.data[c];
		const rbl_part *part = &g->def->compound->parts.data[cell->part];
		if (c == cell_index || !overlaps_within(box, cell->box, g->tolerance))
			continue;
		if (cell->is_shared && part->mesh)
			subtract_faces(g, part->mesh, plane);
		else
			subtract_from_rest(g, g->planes.data + cell->first_plane,
			                   cell->plane_end - cell->first_plane, plane);
	}
	for (int i = 0; i < rest->ends.count && !g->is_out_of_memory; ++i) {
		int first = i > 0 ? rest->ends.data[i - 1] : 0, n = rest->ends.data[i] - first;
		if (area_of(rest->corners.data + first, n) > g->tolerance * g->size)
			add_polygon_to(g, &g->polygons, rest->corners.data + first, n);
	}
}

// Cut faces of a mesh whose plane has no face of the convex.
static void expose_mesh(field_gathering *g, int cell_index, const rbl_mesh *mesh)
{
	const part_cell *cell = &g->cells.data[cell_index];
	bool is_needed = false;
	for (int i = cell->first_plane; i < cell->exact_end; ++i)
		is_needed |= g->convex_faces.data[i] < 0;
	if (!is_needed)
		return;
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	if (!rbl_array_resize(&g->allocator, &g->triangles, 4 * count) ||
	    rbl_mesh_triangulate(mesh, g->triangles.data, g->triangles.data + 3 * (size_t)count) !=
	        RBL_OK) {
		g->is_out_of_memory = true;
		return;
	}
	for (int i = 0; i < count && !g->is_out_of_memory; ++i) {
		const int *corners = g->triangles.data + 3 * (size_t)i;
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = d.positions[d.corner_vertices[corners[k]]];
		int face = g->triangles.data[3 * (size_t)count + (size_t)i];
		int first = d.face_starts[face];
		rbl_planed plane =
			polygon_plane(d.positions, d.corner_vertices + first, d.face_starts[face + 1] - first);
		int index = -1;
		for (int k = cell->first_plane; k < cell->exact_end && index < 0; ++k)
			if (is_same_plane(g->planes.data[k], plane, 10.0 * g->tolerance))
				index = k;
		if (index >= 0 && g->convex_faces.data[index] < 0)
			expose_polygon(g, cell_index, g->planes.data[index], p, 3);
	}
}

static void expose_part(field_gathering *g, int cell_index)
{
	const part_cell *cell = &g->cells.data[cell_index];
	const rbl_part *part = &g->def->compound->parts.data[cell->part];
	rbl_convex_data d = rbl_convex_get_data(part->convex);
	for (int i = cell->first_plane; i < cell->exact_end && !g->is_out_of_memory; ++i) {
		int face = g->convex_faces.data[i];
		rbl_vec3d corners[RBL_MAX_CONVEX_VERTICES];
		int count = 0;
		for (int k = face >= 0 ? d.face_starts[face] : 0;
		     face >= 0 && k < d.face_starts[face + 1] && count < RBL_MAX_CONVEX_VERTICES; ++k)
			corners[count++] = d.vertices[d.corner_vertices[k]];
		if (count > 2)
			expose_polygon(g, cell_index, g->planes.data[i], corners, count);
	}
	if (part->mesh)
		expose_mesh(g, cell_index, part->mesh);
}

// --- the field ----------------------------------------------------------------------------------

static rbl_plane float_plane(rbl_planed plane, double slack)
{
	return (rbl_plane){ rbl_to_f(plane.normal), rbl_float_above(plane.offset + slack) };
}

static rbl_box outer_box(rbl_boxd b)
{
	return (rbl_box){
		{ rbl_float_below(b.lower.x), rbl_float_below(b.lower.y), rbl_float_below(b.lower.z) },
		{ rbl_float_above(b.upper.x), rbl_float_above(b.upper.y), rbl_float_above(b.upper.z) }
	};
}

// The union of all cells, in arrays of floats from an arena.
static bool make_union(const field_gathering *g, rbl_arena *arena, rbl_cell_union *u)
{
	int cell_count = g->cells.count, polygon_count = g->polygons.ends.count;
	int *plane_starts = RBL_ARENA_NEW(arena, int, cell_count + 1);
	int *corner_starts = RBL_ARENA_NEW(arena, int, polygon_count + 1);
	rbl_plane *planes = RBL_ARENA_NEW(arena, rbl_plane, g->planes.count);
	rbl_vec3 *corners = RBL_ARENA_NEW(arena, rbl_vec3, g->polygons.corners.count);
	rbl_box *boxes = RBL_ARENA_NEW(arena, rbl_box, cell_count);
	if (!plane_starts || !corner_starts || !planes || !corners || !boxes)
		return false;
	plane_starts[0] = corner_starts[0] = 0;
	for (int i = 0; i < cell_count; ++i) {
		plane_starts[i + 1] = g->cells.data[i].plane_end;
		boxes[i] = outer_box(rbl_box_grow_d(g->cells.data[i].box, g->tolerance));
	}
	// Cells that share a face must not have a gap between them.
	for (int i = 0; i < g->planes.count; ++i)
		planes[i] = float_plane(g->planes.data[i], g->tolerance);
	for (int i = 0; i < polygon_count; ++i)
		corner_starts[i + 1] = g->polygons.ends.data[i];
	for (int i = 0; i < g->polygons.corners.count; ++i)
		corners[i] = rbl_to_f(g->polygons.corners.data[i]);
	*u = (rbl_cell_union){ .cell_count = cell_count,
		                   .plane_starts = plane_starts,
		                   .planes = planes,
		                   .cell_boxes = boxes,
		                   .polygon_count = polygon_count,
		                   .corner_starts = corner_starts,
		                   .corners = corners };
	return true;
}

static rbl_result make_field(field_gathering *g, rbl_boxd box, rbl_arena *arena,
                             rbl_distance_field **field)
{
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	rbl_cell_union u;
	def.original = g->def->original;
	def.transform = g->def->transform;
	def.box = outer_box(box);
	def.allocator = g->def->allocator;
	bool is_one = g->cells.count == 1;
	if (g->named.count > 0) {
		for (int i = 0; i < g->cells.count && !g->is_out_of_memory; ++i)
			add_part_triangles(g, &g->def->compound->parts.data[g->cells.data[i].part], true);
		def.surface = (rbl_triangle_list){ g->surface.data, g->surface.count / 3 };
		def.others = (rbl_triangle_list){ g->others.data, g->others.count / 3 };
	}
	if (is_one) {
		int count = g->cells.data[0].plane_end;
		rbl_plane *planes = RBL_ARENA_NEW(arena, rbl_plane, count);
		g->is_out_of_memory |= !planes;
		for (int i = 0; i < count && planes; ++i)
			planes[i] = float_plane(g->planes.data[i], 0.0);
		def.planes = planes, def.plane_count = count;
	} else {
		for (int i = 0; i < g->cells.count && !g->is_out_of_memory; ++i)
			expose_part(g, i);
		g->is_out_of_memory |= !make_union(g, arena, &u);
		def.unions = &u, def.union_count = 1;
	}
	if (g->is_out_of_memory)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for the field of a compound");
	return rbl_create_fragment_field(&def, field);
}

rbl_result rbl_check_compound_field_def(const rbl_compound_field_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_compound_field_def()");
	if (!def->compound || !def->original)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", def->compound ? "original" : "compound");
	if (def->compound->part_count == 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "the compound has no parts");
	if (def->other_count < 0 || (def->other_count > 0 && !def->others))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                def->other_count < 0 ? "other_count is negative" : "others is NULL");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	return RBL_OK;
}

rbl_result rbl_create_compound_field(const rbl_compound_field_def *def, rbl_distance_field **field)
{
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	*field = NULL;
	rbl_result result = rbl_check_compound_field_def(def);
	if (result != RBL_OK)
		return result;
	field_gathering g = { .def = def, .allocator = rbl_allocator_or_default(&def->allocator) };
	rbl_boxd box = rbl_box_empty_d();
	const rbl_compound *compound = def->compound;
	for (int i = 0; i < compound->parts.count; ++i)
		if (compound->parts.data[i].convex)
			box = rbl_box_join_d(box, part_box(&compound->parts.data[i]));
	rbl_vec3d most = rbl_max_d(rbl_neg_d(box.lower), box.upper);
	g.size = rbl_length_d(rbl_box_size_d(box)) + rbl_maxd(rbl_maxd(most.x, most.y), most.z);
	g.tolerance = tolerance_share * g.size;
	for (int i = 0; i < compound->parts.count && !g.is_out_of_memory; ++i)
		if (compound->parts.data[i].convex)
			add_cell(&g, i);
	enum { BLOCK = 1 << 14 };
	rbl_arena arena;
	rbl_arena_init(&arena, &g.allocator, BLOCK);
	result = g.is_out_of_memory
	             ? rbl_fail(RBL_OUT_OF_MEMORY, "no memory for the field of a compound")
	             : make_field(&g, box, &arena, field);
	rbl_arena_destroy(&arena);
	free_gathering(&g);
	return result;
}
