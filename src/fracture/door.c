// SPDX-License-Identifier: MIT
//
// The door: pieces as meshes, triangles and convexes.
//
// A piece knows of each face which triangle of the solid or which plane it lies on, and nothing
// else; what is drawn is computed here, from the corner's place in that triangle or plane. Cut
// faces have texture coordinates in a frame that depends on the plane alone, in the coordinates
// of the mesh: both sides of a crack get the same, and so do later cuts of the same piece.

#include "fracture/pieces.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/real.h"
#include "base/vec.h"
#include "fracture/solid.h"

typedef struct door {
	const rbl_pieces *pieces;
	const rbl_piece *piece;
	const rbl_solid *solid;
	rbl_mesh_data mesh;
	const rbl_vec3d *vertices; // relative to the solid's origin
	int inner_material;
	rbl_arena scratch;
} door;

static rbl_result check_piece(const rbl_pieces *pieces, int piece)
{
	if (!pieces || piece < 0 || piece >= pieces->pieces.count)
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no piece %d", piece);
	return RBL_OK;
}

static door open_door(const rbl_pieces *pieces, int piece)
{
	door d = { .pieces = pieces, .piece = &pieces->pieces.data[piece], .solid = pieces->solid };
	d.mesh = rbl_mesh_view(pieces->solid->mesh);
	d.vertices = rbl_piece_vertices(pieces, d.piece);
	d.inner_material = rbl_pieces_inner_material(pieces);
	rbl_arena_init(&d.scratch, &pieces->allocator, 1 << 14);
	return d;
}

// --- Attributes ---------------------------------------------------------------------------------

static bool same_place(rbl_vec3d a, rbl_vec3d b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Shares of the triangle's corners at a point in it; exact at the corners.
static void corner_shares(const door *d, int triangle, rbl_vec3d p, float shares[3])
{
	const int *v = d->solid->triangle_vertices + 3 * triangle;
	rbl_vec3d q[3];
	for (int k = 0; k < 3; ++k) {
		q[k] = d->solid->positions[v[k]];
		if (same_place(p, q[k])) {
			shares[0] = shares[1] = shares[2] = 0.0f;
			shares[k] = 1.0f;
			return;
		}
	}
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(q[1], q[0]), rbl_sub_d(q[2], q[0]));
	double sum = 0.0, parts[3];
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d a = rbl_sub_d(q[(k + 1) % 3], p), b = rbl_sub_d(q[(k + 2) % 3], p);
		parts[k] = rbl_maxd(rbl_dot_d(n, rbl_cross_d(a, b)), 0.0);
		sum += parts[k];
	}
	for (int k = 0; k < 3; ++k)
		shares[k] = sum > 0.0 ? (float)(parts[k] / sum) : k == 0 ? 1.0f : 0.0f;
}

static void blend(const float *values, int width, const int corners[3], const float shares[3],
                  float *out)
{
	for (int i = 0; i < width; ++i)
		out[i] = shares[0] * values[corners[0] * width + i] +
		         shares[1] * values[corners[1] * width + i] +
		         shares[2] * values[corners[2] * width + i];
}

// A corner on the solid's own surface.
static rbl_draw_vertex outer_corner(const door *d, int triangle, rbl_vec3d p)
{
	rbl_draw_vertex out = { .color = { 1.0f, 1.0f, 1.0f, 1.0f } };
	const int *corners = d->solid->triangle_corners + 3 * triangle;
	float shares[3];
	corner_shares(d, triangle, p, shares);
	if (d->mesh.corner_normals) {
		blend(&d->mesh.corner_normals->x, 3, corners, shares, &out.normal.x);
		out.normal = rbl_normalize(out.normal);
	}
	if (out.normal.x == 0.0f && out.normal.y == 0.0f && out.normal.z == 0.0f) {
		const int *v = d->solid->triangle_vertices + 3 * triangle;
		rbl_vec3d a = d->solid->positions[v[0]];
		out.normal = rbl_to_f(rbl_normalize_d(rbl_cross_d(
			rbl_sub_d(d->solid->positions[v[1]], a), rbl_sub_d(d->solid->positions[v[2]], a))));
	}
	if (d->mesh.corner_uv0)
		blend(&d->mesh.corner_uv0->x, 2, corners, shares, &out.uv0.x);
	if (d->mesh.corner_uv1)
		blend(&d->mesh.corner_uv1->x, 2, corners, shares, &out.uv1.x);
	if (d->mesh.corner_colors)
		blend(&d->mesh.corner_colors->x, 4, corners, shares, &out.color.x);
	return out;
}

// A corner on a cut face.
static rbl_draw_vertex inner_corner(const door *d, int cell_face, rbl_vec3d p)
{
	const rbl_cells *cells = &d->pieces->cells;
	const rbl_inner_look *look = &d->pieces->def.inner;
	int index = cells->faces[cell_face].plane;
	rbl_vec3d n = cells->planes[index].normal; // of the plane, not of the side
	rbl_vec3d u = rbl_perpendicular_d(n), v = rbl_cross_d(n, u);
	rbl_vec3d q = rbl_add_d(p, d->solid->origin);
	double x = rbl_dot_d(q, u) / look->uv_scale, y = rbl_dot_d(q, v) / look->uv_scale;
	if (look->uv_seed != 0) {
		uint64_t hash = rbl_hash_number(rbl_hash_mix(look->uv_seed), (uint64_t)index);
		double angle = 6.283185307179586 / 65536.0 * (double)(hash & 0xffff);
		double c = rbl_cos(angle), s = rbl_sin(angle), turned = c * x - s * y;
		y = s * x + c * y + (double)(hash >> 16 & 0xffff) / 65536.0;
		x = turned + (double)(hash >> 32 & 0xffff) / 65536.0;
	}
	x += (double)look->uv_offset.x, y += (double)look->uv_offset.y;
	rbl_vec2 low = look->atlas_lower, high = look->atlas_upper;
	if (low.x != high.x && low.y != high.y) {
		x = (double)low.x + (double)(high.x - low.x) * rbl_clampd(x + 0.5, 0.0, 1.0);
		y = (double)low.y + (double)(high.y - low.y) * rbl_clampd(y + 0.5, 0.0, 1.0);
	}
	rbl_draw_vertex out = { .uv0 = { (float)x, (float)y }, .uv1 = { (float)x, (float)y } };
	out.normal = rbl_to_f(rbl_cell_face_plane(cells, cell_face).normal);
	out.color = look->color;
	return out;
}

static rbl_draw_vertex draw_corner(const door *d, const rbl_face_view *face, int k)
{
	rbl_vec3d p = d->vertices[face->corners[k]];
	int source = face->triangles ? face->triangles[k] : face->source;
	rbl_draw_vertex out = source >= 0 ? outer_corner(d, source, p) : inner_corner(d, ~source, p);
	out.position = rbl_to_f(rbl_sub_d(p, d->piece->centre));
	return out;
}

static int face_material(const door *d, int source)
{
	if (source < 0)
		return d->inner_material;
	return d->mesh.face_materials ? d->mesh.face_materials[d->solid->triangle_faces[source]] : 0;
}

// --- Triangles ----------------------------------------------------------------------------------

// Split a face: corner indices within the face. @return the number of triangles, -1 when memory
// ran out. *triangles lives in the scratch memory.
static int split_face(door *d, const rbl_face_view *face, int **triangles)
{
	int n = face->corner_count;
	rbl_arena_reset(&d->scratch);
	int capacity = rbl_triangulate_capacity(n, face->loop_count);
	int *out = *triangles = RBL_ARENA_NEW(&d->scratch, int, 3 * capacity);
	if (!out)
		return -1;
	bool is_part = face->source >= 0 && !face->triangles; // of a triangle
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

rbl_result rbl_piece_triangles(const rbl_pieces *pieces, int piece, rbl_draw_vertex *vertices,
                               int *materials, int *triangle_count)
{
	if (!vertices || !triangle_count)
		return rbl_fail(RBL_BAD_ARGUMENT, "vertices or triangle_count is NULL");
	*triangle_count = 0;
	rbl_result result = check_piece(pieces, piece);
	if (result != RBL_OK)
		return result;
	door d = open_door(pieces, piece);
	int count = 0;
	for (int f = 0; f < d.piece->face_count && result == RBL_OK; ++f) {
		rbl_face_view face = rbl_piece_face_view(pieces, d.piece, f);
		int *triangles, n = split_face(&d, &face, &triangles);
		if (n < 0)
			result = RBL_OUT_OF_MEMORY;
		for (int k = 0; k < n; ++k, ++count) {
			for (int i = 0; i < 3; ++i)
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

// The arrays of a piece's mesh while it is made.
typedef struct mesh_maker {
	door *d;
	const rbl_allocator *allocator;
	int vertex_count;
	rbl_vec3d *positions;
	RBL_ARRAY(int) starts;
	RBL_ARRAY(int) vertices;
	RBL_ARRAY(int) materials;
	RBL_ARRAY(rbl_vec3) normals;
	RBL_ARRAY(rbl_vec2) uv0;
	RBL_ARRAY(rbl_vec2) uv1;
	RBL_ARRAY(rbl_vec4) colors;
	RBL_ARRAY(rbl_mesh_material) palette;
} mesh_maker;

static bool add_mesh_face(mesh_maker *m, const rbl_face_view *face, const int *pick, int n)
{
	const rbl_allocator *a = m->allocator;
	const rbl_mesh_data *mesh = &m->d->mesh;
	for (int k = 0; k < n; ++k) {
		int at = pick ? pick[k] : k, v = face->corners[at];
		rbl_draw_vertex corner = draw_corner(m->d, face, at);
		if (!rbl_array_push(a, &m->vertices, v) || !rbl_array_push(a, &m->normals, corner.normal) ||
		    !rbl_array_push(a, &m->uv0, corner.uv0) ||
		    (mesh->corner_uv1 && !rbl_array_push(a, &m->uv1, corner.uv1)) ||
		    (mesh->corner_colors && !rbl_array_push(a, &m->colors, corner.color)))
			return false;
	}
	return rbl_array_push(a, &m->starts, m->vertices.count) &&
	       rbl_array_push(a, &m->materials, face_material(m->d, face->source));
}

static bool add_mesh_faces(mesh_maker *m)
{
	door *d = m->d;
	if (!rbl_array_push(m->allocator, &m->starts, 0))
		return false;
	for (int f = 0; f < d->piece->face_count; ++f) {
		rbl_face_view face = rbl_piece_face_view(d->pieces, d->piece, f);
		if (face.loop_count == 1) {
			if (!add_mesh_face(m, &face, NULL, face.corner_count))
				return false;
			continue;
		}
		int *triangles, n = split_face(d, &face, &triangles);
		if (n < 0)
			return false;
		for (int k = 0; k < n; ++k) {
			if (!add_mesh_face(m, &face, triangles + 3 * k, 3))
				return false;
		}
	}
	return true;
}

static rbl_mesh_material plain_material(const char *name, float shade)
{
	rbl_mesh_material material = { .base_color = { shade, shade, shade, 1.0f }, .roughness = 0.9f };
	memcpy(material.name, name, strlen(name) + 1);
	return material;
}

static bool add_palette(mesh_maker *m)
{
	const rbl_mesh_data *mesh = &m->d->mesh;
	for (int i = 0; i < mesh->material_count; ++i) {
		if (!rbl_array_push(m->allocator, &m->palette, mesh->materials[i]))
			return false;
	}
	if (mesh->material_count == 0 &&
	    !rbl_array_push(m->allocator, &m->palette, plain_material("outer", 0.8f)))
		return false;
	return m->palette.count > m->d->inner_material ||
	       rbl_array_push(m->allocator, &m->palette, plain_material("inner", 0.5f));
}

static void free_maker(mesh_maker *m)
{
	const rbl_allocator *a = m->allocator;
	RBL_FREE(a, m->positions, m->vertex_count);
	rbl_array_free(a, &m->starts);
	rbl_array_free(a, &m->vertices);
	rbl_array_free(a, &m->materials);
	rbl_array_free(a, &m->normals);
	rbl_array_free(a, &m->uv0);
	rbl_array_free(a, &m->uv1);
	rbl_array_free(a, &m->colors);
	rbl_array_free(a, &m->palette);
}

rbl_result rbl_piece_mesh(const rbl_pieces *pieces, int piece, const rbl_allocator *allocator,
                          rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	rbl_result result = check_piece(pieces, piece);
	if (result != RBL_OK)
		return result;
	rbl_allocator own = rbl_allocator_or_default(allocator);
	door d = open_door(pieces, piece);
	mesh_maker m = { .d = &d, .allocator = &own, .vertex_count = d.piece->vertex_count };
	m.positions = RBL_NEW(&own, rbl_vec3d, m.vertex_count);
	result = RBL_OUT_OF_MEMORY;
	if (m.positions && add_palette(&m) && add_mesh_faces(&m)) {
		for (int v = 0; v < m.vertex_count; ++v)
			m.positions[v] = rbl_add_d(d.vertices[v], d.solid->origin);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.allocator = own;
		def.data = (rbl_mesh_data){
			.vertex_count = m.vertex_count,
			.positions = m.positions,
			.face_count = m.materials.count,
			.corner_count = m.vertices.count,
			.face_starts = m.starts.data,
			.corner_vertices = m.vertices.data,
			.corner_normals = m.normals.data,
			.corner_uv0 = m.uv0.data,
			.corner_uv1 = m.uv1.data,
			.corner_colors = m.colors.data,
			.face_materials = m.materials.data,
			.material_count = m.palette.count,
			.materials = m.palette.data,
		};
		result = rbl_create_mesh(&def, mesh);
	}
	free_maker(&m);
	rbl_arena_destroy(&d.scratch);
	return result;
}

rbl_mass rbl_piece_mass(const rbl_pieces *pieces, int piece)
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
static bool fit_plane(door *d, rbl_carving *carving, rbl_vec3d direction, double tolerance)
{
	direction = rbl_normalize_d(direction);
	double most = -DBL_MAX;
	for (int v = 0; v < d->piece->vertex_count; ++v)
		most = rbl_maxd(most, rbl_dot_d(direction, d->vertices[v]));
	return rbl_carving_cut(carving, (rbl_planed){ direction, most }, tolerance, RBL_NO_PLANE_ID) !=
	       RBL_CUT_NO_MEMORY;
}

rbl_result rbl_piece_convex(const rbl_pieces *pieces, int piece, rbl_fit fit,
                            uint64_t plane_id_base, const rbl_allocator *allocator,
                            rbl_convex **convex)
{
	if (!convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "convex is NULL");
	*convex = NULL;
	rbl_result result = check_piece(pieces, piece);
	if (result != RBL_OK)
		return result;
	door d = open_door(pieces, piece);
	rbl_carving carving;
	rbl_carving_init(&carving, allocator);
	result = RBL_OUT_OF_MEMORY;
	double tolerance = 1e-12 * d.solid->size;
	bool done = rbl_carving_load_cell(&carving, &pieces->cells, d.piece->cell, plane_id_base);
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
		result = rbl_convex_from_carving(&carving, allocator, convex);
	}
	rbl_carving_destroy(&carving);
	rbl_arena_destroy(&d.scratch);
	return result;
}

static rbl_result overlap(const rbl_pieces *pieces, rbl_fit fit, int a, int b, bool *is_overlap)
{
	rbl_convex *first = NULL, *second = NULL, *both = NULL;
	const rbl_allocator *allocator = &pieces->allocator;
	rbl_result result = rbl_piece_convex(pieces, a, fit, 0, allocator, &first);
	if (result == RBL_OK)
		result = rbl_piece_convex(pieces, b, fit, 0, allocator, &second);
	if (result == RBL_OK && first && second)
		result = rbl_convex_intersect(first, second, &both);
	*is_overlap = both != NULL;
	rbl_destroy_convex(first);
	rbl_destroy_convex(second);
	rbl_destroy_convex(both);
	return result;
}

rbl_result rbl_pieces_overlaps(const rbl_pieces *pieces, rbl_fit fit, rbl_piece_pair *pairs,
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
