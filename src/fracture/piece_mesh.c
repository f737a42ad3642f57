// SPDX-License-Identifier: MIT
//
// Pieces as meshes, draw triangles and convexes. Attributes of corners are in attributes.c.

#include "fracture/pieces.h"

#include "base/log.h"
#include "base/vec.h"
#include "fracture/attributes.h"
#include "fracture/roughness.h"
#include "geometry/geometry.h"

typedef struct piece_view {
	const rbl_pieces *pieces;
	const rbl_piece *piece;
	const rbl_solid *solid;
	rbl_mesh_data mesh;
	const rbl_vec3d *vertices; // relative to the solid's origin
	int inner_material;
	rbl_attribute_sampler sampler;
	rbl_arena scratch;
} piece_view;

static rbl_result check_piece(const rbl_pieces *pieces, int piece)
{
	if (!pieces || piece < 0 || piece >= pieces->pieces.count)
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no piece %d", piece);
	return RBL_OK;
}

static piece_view open_piece(const rbl_pieces *pieces, int piece)
{
	piece_view d = { .pieces = pieces,
		             .piece = &pieces->pieces.data[piece],
		             .solid = pieces->solid };
	d.mesh = rbl_mesh_get_data(pieces->solid->mesh);
	d.vertices = rbl_piece_vertices(pieces, d.piece);
	d.inner_material = rbl_pieces_inner_material(pieces);
	rbl_attribute_sampler_init(&d.sampler, pieces);
	rbl_arena_init(&d.scratch, &pieces->allocator, 1 << 14);
	return d;
}

static rbl_draw_vertex draw_corner(piece_view *d, const rbl_face_view *face, int k)
{
	rbl_vec3d p = d->vertices[face->corners[k]];
	rbl_draw_vertex out = rbl_sample_corner(&d->sampler, face, k, p);
	out.position = rbl_to_f(rbl_sub_d(p, d->piece->centre));
	return out;
}

static int face_material(const piece_view *d, int source)
{
	if (source < 0)
		return d->inner_material;
	return d->mesh.face_materials ? d->mesh.face_materials[d->solid->triangle_faces[source]] : 0;
}

// --- Triangles ----------------------------------------------------------------------------------

// Split a face: corner indices within the face. @return the number of triangles, -1 when memory
// ran out. *triangles lives in the scratch memory.
static int split_face(piece_view *d, const rbl_face_view *face, int **triangles)
{
	int n = face->corner_count;
	rbl_arena_reset(&d->scratch);
	int capacity = rbl_triangulate_capacity(n, face->loop_count);
	int *out = *triangles = RBL_ARENA_NEW(&d->scratch, int, 3 * capacity);
	if (!out)
		return -1;
	bool is_part = face->source >= 0 && !face->triangles && face->mesh_corner < 0; // of a triangle
	if (face->loop_count == 1 && (n == 3 || is_part || d->piece->block < 0)) {
		for (int k = 0; k + 2 < n; ++k) // convex
			out[3 * k] = 0, out[3 * k + 1] = k + 1, out[3 * k + 2] = k + 2;
		return n - 2;
	}
	rbl_vec3d normal = face->source >= 0
	                       ? rbl_polygon_normal(d->vertices, face->corners, n)
	                       : rbl_cell_face_plane(&d->pieces->cells, ~face->source).normal;
	rbl_point2 *points = RBL_ARENA_NEW(&d->scratch, rbl_point2, n);
	int *starts = RBL_ARENA_NEW(&d->scratch, int, face->loop_count + 1);
	if (!points || !starts)
		return -1;
	for (int k = 0; k < n; ++k)
		points[k] = rbl_project(d->vertices[face->corners[k]], normal);
	starts[0] = 0;
	for (int i = 0; i < face->loop_count; ++i)
		starts[i + 1] = starts[i] + (face->loop_count > 1 ? face->loop_sizes[i] : n);
	rbl_polygon polygon = { points, starts, face->loop_count, face->corners, true };
	rbl_triangulation made;
	if (rbl_triangulate(&d->scratch, &polygon, out, &made) != RBL_OK)
		return -1;
	return made.triangle_count;
}

// Draw a rough face. @return the number of triangles, -1 when memory ran out
static int draw_rough(piece_view *d, const rbl_face_view *face, rbl_draw_vertex *vertices)
{
	rbl_rough_face rough;
	rbl_arena_reset(&d->scratch);
	if (rbl_roughen_face(&d->scratch, d->pieces, d->vertices, face, &rough) != RBL_OK)
		return -1;
	for (int i = 0; i < 3 * rough.triangle_count; ++i) {
		int k = rough.triangles[i], n = face->corner_count;
		rbl_vec3d p = k < n ? d->vertices[face->corners[k]] : rough.points[k - n];
		vertices[i] = rbl_sample_cut_face(&d->sampler, ~face->source, p);
		vertices[i].normal = rough.normals[k];
		vertices[i].position = rbl_to_f(rbl_sub_d(p, d->piece->centre));
	}
	return rough.triangle_count;
}

rbl_result rbl_piece_get_triangles(const rbl_pieces *pieces, int piece, rbl_draw_vertex *vertices,
                                   int *materials, int *triangle_count)
{
	if (!vertices || !triangle_count)
		return rbl_fail(RBL_BAD_ARGUMENT, "vertices or triangle_count is NULL");
	*triangle_count = 0;
	rbl_result result = check_piece(pieces, piece);
	if (result != RBL_OK)
		return result;
	piece_view d = open_piece(pieces, piece);
	int count = 0;
	for (int f = 0; f < d.piece->face_count && result == RBL_OK; ++f) {
		rbl_face_view face = rbl_piece_face_view(pieces, d.piece, f);
		bool is_rough = rbl_face_is_rough(pieces, &face);
		int *triangles = NULL, n = is_rough ? draw_rough(&d, &face, vertices + 3 * count)
		                                    : split_face(&d, &face, &triangles);
		if (n < 0)
			result = RBL_OUT_OF_MEMORY;
		for (int k = 0; k < n; ++k, ++count) {
			for (int i = 0; i < 3 && !is_rough; ++i)
				vertices[3 * count + i] = draw_corner(&d, &face, triangles[3 * k + i]);
			if (materials)
				materials[count] = face_material(&d, face.source);
		}
	}
	rbl_arena_destroy(&d.scratch);
	if (result == RBL_OK)
		*triangle_count = count;
	return result;
}

// --- Meshes -------------------------------------------------------------------------------------

// A piece's mesh while it is made.
typedef struct mesh_maker {
	piece_view *d;
	rbl_mesh_arrays arrays;
	int vertex_count, face_count, corner_count;
} mesh_maker;

static void add_mesh_corner(mesh_maker *m, int vertex, const rbl_draw_vertex *corner)
{
	rbl_mesh_arrays *a = &m->arrays;
	int to = m->corner_count++;
	a->corner_vertices[to] = vertex;
	a->corner_normals[to] = corner->normal;
	a->corner_uv0[to] = corner->uv0;
	if (a->corner_uv1)
		a->corner_uv1[to] = corner->uv1;
	if (a->corner_colors)
		a->corner_colors[to] = corner->color;
	size_t width = (size_t)m->d->mesh.attribute_width;
	if (width > 0)
		memcpy(a->corner_attributes + (size_t)to * width, m->d->sampler.further,
		       width * sizeof(float));
}

static void end_mesh_face(mesh_maker *m, int source)
{
	m->arrays.face_materials[m->face_count++] = face_material(m->d, source);
	m->arrays.face_starts[m->face_count] = m->corner_count;
}

// @return false when memory ran out
static bool add_rough_face(mesh_maker *m, const rbl_face_view *face)
{
	piece_view *d = m->d;
	rbl_rough_face rough;
	int n = face->corner_count;
	rbl_arena_reset(&d->scratch);
	if (rbl_roughen_face(&d->scratch, d->pieces, d->vertices, face, &rough) != RBL_OK)
		return false;
	for (int i = 0; i < rough.point_count; ++i)
		m->arrays.positions[m->vertex_count + i] = rbl_add_d(rough.points[i], d->solid->origin);
	for (int t = 0; t < rough.triangle_count; ++t) {
		for (int i = 0; i < 3; ++i) {
			int k = rough.triangles[3 * t + i];
			rbl_vec3d p = k < n ? d->vertices[face->corners[k]] : rough.points[k - n];
			rbl_draw_vertex corner = rbl_sample_cut_face(&d->sampler, ~face->source, p);
			corner.normal = rough.normals[k];
			add_mesh_corner(m, k < n ? face->corners[k] : m->vertex_count + k - n, &corner);
		}
		end_mesh_face(m, face->source);
	}
	m->vertex_count += rough.point_count;
	return true;
}

static void add_mesh_face(mesh_maker *m, const rbl_face_view *face, const int *pick, int n)
{
	for (int k = 0; k < n; ++k) {
		int from = pick ? pick[k] : k, v = face->corners[from];
		rbl_draw_vertex corner = rbl_sample_corner(&m->d->sampler, face, from, m->d->vertices[v]);
		add_mesh_corner(m, v, &corner);
	}
	end_mesh_face(m, face->source);
}

// Most faces are uncut faces of the mesh: attributes of corners are copied, not interpolated.
static void copy_uncut_face(mesh_maker *m, const rbl_face_view *face)
{
	const rbl_mesh_data *from = &m->d->mesh;
	rbl_mesh_arrays *a = &m->arrays;
	int n = face->corner_count, at = face->mesh_corner, to = m->corner_count;
	const rbl_vec3 none = { 0.0f, 0.0f, 0.0f };
	rbl_vec3 flat = none;
	for (int k = 0; k < n; ++k) {
		rbl_vec3 normal = from->corner_normals ? from->corner_normals[at + k] : none;
		if (normal.x == 0.0f && normal.y == 0.0f && normal.z == 0.0f) {
			if (flat.x == 0.0f && flat.y == 0.0f && flat.z == 0.0f)
				flat = rbl_solid_triangle_normal(m->d->solid, face->source);
			normal = flat;
		}
		a->corner_normals[to + k] = normal;
		a->corner_vertices[to + k] = face->corners[k];
	}
	if (from->corner_uv0)
		memcpy(a->corner_uv0 + to, from->corner_uv0 + at, (size_t)n * sizeof *a->corner_uv0);
	else
		memset(a->corner_uv0 + to, 0, (size_t)n * sizeof *a->corner_uv0);
	if (a->corner_uv1)
		memcpy(a->corner_uv1 + to, from->corner_uv1 + at, (size_t)n * sizeof *a->corner_uv1);
	if (a->corner_colors)
		memcpy(a->corner_colors + to, from->corner_colors + at,
		       (size_t)n * sizeof *a->corner_colors);
	size_t width = (size_t)from->attribute_width;
	if (width > 0)
		memcpy(a->corner_attributes + (size_t)to * width,
		       from->corner_attributes + (size_t)at * width, (size_t)n * width * sizeof(float));
	m->corner_count += n;
	end_mesh_face(m, face->source);
}

static bool add_mesh_faces(mesh_maker *m)
{
	piece_view *d = m->d;
	m->arrays.face_starts[0] = 0;
	for (int f = 0; f < d->piece->face_count; ++f) {
		rbl_face_view face = rbl_piece_face_view(d->pieces, d->piece, f);
		if (face.mesh_corner >= 0) {
			copy_uncut_face(m, &face);
			continue;
		}
		if (rbl_face_is_rough(d->pieces, &face)) {
			if (!add_rough_face(m, &face))
				return false;
			continue;
		}
		if (face.loop_count == 1) {
			add_mesh_face(m, &face, NULL, face.corner_count);
			continue;
		}
		int *triangles, n = split_face(d, &face, &triangles);
		for (int k = 0; k < n; ++k)
			add_mesh_face(m, &face, triangles + 3 * k, 3);
		if (n < 0)
			return false;
	}
	return true;
}

// The most that the mesh takes, and which arrays it has.
static rbl_mesh_data mesh_shape(const piece_view *d)
{
	static const rbl_vec3 normal = { 0.0f, 0.0f, 0.0f };
	static const rbl_vec2 uv = { 0.0f, 0.0f };
	static const rbl_mesh_material material = { .roughness = 0.0f };
	static const int face_material = 0;
	rbl_mesh_data shape = { .vertex_count = d->piece->vertex_count,
		                    .corner_normals = &normal,
		                    .corner_uv0 = &uv,
		                    .corner_uv1 = d->mesh.corner_uv1,
		                    .corner_colors = d->mesh.corner_colors,
		                    .attribute_count = d->mesh.attribute_count,
		                    .attribute_width = d->mesh.attribute_width,
		                    .face_materials = &face_material,
		                    .material_count =
		                        rbl_write_palette(&d->mesh, d->inner_material, 0, NULL),
		                    .materials = &material };
	for (int f = 0; f < d->piece->face_count; ++f) {
		rbl_face_view face = rbl_piece_face_view(d->pieces, d->piece, f);
		bool is_rough = rbl_face_is_rough(d->pieces, &face);
		bool is_one = face.loop_count == 1 && !is_rough;
		if (is_one) {
			shape.face_count++;
			shape.corner_count += face.corner_count;
			continue;
		}
		int triangles = rbl_triangulate_capacity(face.corner_count, face.loop_count);
		if (is_rough) {
			int max = rbl_rough_capacity(d->pieces, d->vertices, &face);
			shape.vertex_count += (max - triangles) / 2;
			triangles = max;
		}
		shape.face_count += triangles;
		shape.corner_count += 3 * triangles;
	}
	return shape;
}

rbl_result rbl_piece_create_mesh(const rbl_pieces *pieces, int piece,
                                 const rbl_allocator *allocator, rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	rbl_result result = check_piece(pieces, piece);
	if (result != RBL_OK)
		return result;
	piece_view d = open_piece(pieces, piece);
	mesh_maker m = { .d = &d, .vertex_count = d.piece->vertex_count };
	rbl_mesh_data shape = mesh_shape(&d);
	rbl_mesh *made = NULL;
	result = rbl_mesh_reserve(&shape, allocator, &made, &m.arrays);
	if (result == RBL_OK && !add_mesh_faces(&m))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		const int *max = d.pieces->group_materials;
		rbl_write_palette(&d.mesh, d.inner_material, max ? max[d.piece->group] : 0,
		                  m.arrays.materials);
		if (d.mesh.attribute_count > 0)
			memcpy(m.arrays.attributes, d.mesh.attributes,
			       (size_t)d.mesh.attribute_count * sizeof *m.arrays.attributes);
		for (int v = 0; v < d.piece->vertex_count; ++v)
			m.arrays.positions[v] = rbl_add_d(d.vertices[v], d.solid->origin);
		rbl_mesh_finish(made, m.vertex_count, m.face_count, m.corner_count);
		*mesh = made;
	} else {
		rbl_destroy_mesh(made);
	}
	rbl_arena_destroy(&d.scratch);
	return result;
}

rbl_mass rbl_piece_get_mass(const rbl_pieces *pieces, int piece)
{
	rbl_mass mass = { 0 };
	if (check_piece(pieces, piece) != RBL_OK)
		return mass;
	const rbl_piece *p = &pieces->pieces.data[piece];
	const rbl_vec3d *vertices = rbl_piece_vertices(pieces, p);
	rbl_mat3d inertia = { 0 };
	for (int f = 0; f < p->face_count; ++f) {
		rbl_face_view face = rbl_piece_face_view(pieces, p, f);
		for (int i = 0, at = 0; i < face.loop_count; ++i) {
			int starts[2] = { 0, face.loop_count > 1 ? face.loop_sizes[i] : face.corner_count };
			// Inertia about the piece's centre adds up; that of each fan is taken about its own.
			rbl_mass fan = rbl_polygons_mass(vertices, 1, starts, face.corners + at, p->centre);
			rbl_vec3d r = rbl_sub_d(fan.centre, p->centre);
			double xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
			rbl_mat3d moved = { { yy + zz, -r.x * r.y, -r.x * r.z },
				                { -r.x * r.y, xx + zz, -r.y * r.z },
				                { -r.x * r.z, -r.y * r.z, xx + yy } };
			inertia = rbl_mat_add_d(inertia, fan.inertia);
			inertia = rbl_mat_add_d(inertia, rbl_mat_scale_d(fan.volume, moved));
			at += starts[1];
		}
	}
	mass.volume = p->volume;
	mass.centre = rbl_add_d(p->centre, pieces->solid->origin);
	mass.inertia = inertia;
	return mass;
}

// --- Convexes -----------------------------------------------------------------------------------

// Cut by the plane across a direction that touches the piece from outside.
static bool fit_plane(piece_view *d, rbl_clipper *carving, rbl_vec3d direction, double tolerance)
{
	direction = rbl_normalize_d(direction);
	double max = -DBL_MAX;
	for (int v = 0; v < d->piece->vertex_count; ++v)
		max = rbl_maxd(max, rbl_dot_d(direction, d->vertices[v]));
	return rbl_clipper_cut(carving, (rbl_planed){ direction, max }, tolerance, RBL_NO_PLANE_ID) !=
	       RBL_CUT_NO_MEMORY;
}

rbl_result rbl_piece_create_convex(const rbl_pieces *pieces, int piece, rbl_fit fit,
                                   uint64_t plane_id_base, const rbl_allocator *allocator,
                                   rbl_convex **convex)
{
	if (!convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "convex is NULL");
	*convex = NULL;
	rbl_result result = check_piece(pieces, piece);
	if (result != RBL_OK)
		return result;
	piece_view d = open_piece(pieces, piece);
	rbl_clipper carving;
	rbl_clipper_init(&carving, allocator);
	result = RBL_OUT_OF_MEMORY;
	double tolerance = 1e-12 * d.solid->size;
	bool done = rbl_clipper_load_cell(&carving, &pieces->cells, d.piece->cell, plane_id_base);
	for (int i = 0; i < 26 && done && d.piece->block >= 0; ++i) {
		int k = i < 13 ? i : i + 1;
		rbl_vec3d n = { k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1 };
		int order = (n.x != 0.0) + (n.y != 0.0) + (n.z != 0.0);
		if (order == 1 || (order == 3 && fit >= RBL_FIT_14) || (order == 2 && fit >= RBL_FIT_26))
			done = fit_plane(&d, &carving, n, tolerance);
	}
	if (done) {
		for (int v = 0; v < carving.vertex_count; ++v) {
			carving.x[v] += d.solid->origin.x;
			carving.y[v] += d.solid->origin.y;
			carving.z[v] += d.solid->origin.z;
		}
		for (int f = 0; f < carving.face_count; ++f) {
			carving.planes[f].offset += rbl_dot_d(carving.planes[f].normal, d.solid->origin);
			if (carving.tags[f] != RBL_NO_PLANE_ID && carving.tags[f] - plane_id_base < 6)
				carving.tags[f] = RBL_NO_PLANE_ID; // a wall of the container
		}
		result = rbl_convex_from_clipper(&carving, allocator, convex);
	}
	rbl_clipper_destroy(&carving);
	rbl_arena_destroy(&d.scratch);
	return result;
}

static rbl_result overlap(const rbl_pieces *pieces, rbl_fit fit, int a, int b, bool *is_overlap)
{
	rbl_convex *first = NULL, *second = NULL, *both = NULL;
	const rbl_allocator *allocator = &pieces->allocator;
	rbl_result result = rbl_piece_create_convex(pieces, a, fit, 0, allocator, &first);
	if (result == RBL_OK)
		result = rbl_piece_create_convex(pieces, b, fit, 0, allocator, &second);
	if (result == RBL_OK && first && second)
		result = rbl_convex_intersect(first, second, &both);
	*is_overlap = both != NULL;
	rbl_destroy_convex(first);
	rbl_destroy_convex(second);
	rbl_destroy_convex(both);
	return result;
}

rbl_result rbl_pieces_get_overlaps(const rbl_pieces *pieces, rbl_fit fit, rbl_piece_pair *pairs,
                                   int capacity, int *count)
{
	if (!pieces || !count || (pairs && capacity < 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "pieces or count is NULL, or capacity is negative");
	*count = 0;
	// Pieces of a cell stand together, shell group by shell group.
	for (int a = 0; a < pieces->pieces.count; ++a) {
		const rbl_piece *p = &pieces->pieces.data[a];
		for (int b = a + 1; b < pieces->pieces.count; ++b) {
			const rbl_piece *q = &pieces->pieces.data[b];
			if (q->cell != p->cell || q->group != p->group)
				break;
			bool is_overlap;
			rbl_result result = overlap(pieces, fit, a, b, &is_overlap);
			if (result != RBL_OK)
				return result;
			if (!is_overlap)
				continue;
			if (pairs && *count < capacity)
				pairs[*count] = (rbl_piece_pair){ a, b };
			++*count;
		}
	}
	return RBL_OK;
}
