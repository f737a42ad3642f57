// SPDX-License-Identifier: MIT
//
// Tetrahedral meshes: adjacency, boundary, quality.
//
// Face i of a tetrahedron is opposite to vertex i. Its three vertices, in the order of
// face_corners, run counter-clockwise from outside.
//
// Neighbours are found by chaining faces at their lowest vertex. The boundary is made a manifold by
// the way it is connected, not by comparing indices: the neighbour of a boundary triangle across an
// edge is the one that is reached by turning round the edge through tetrahedra, and a boundary
// vertex is one fan of triangles that are neighbours in this sense. Where the solid touches itself,
// each side has its own fan.

#include "base/log.h"
#include "base/math.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/predicates.h"

#include <rubble/tets.h>

struct rbl_tets {
	rbl_allocator allocator;
	rbl_tets_data data;
	int *tet_vertices, *tet_neighbors, *boundary; // boundary: the four arrays of it, one after one
	rbl_vec3d *positions;
	int boundary_size;
};

enum { TETS_COOKIE = 0x74657473 };

static const int face_corners[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };

// --- adjacency ----------------------------------------------------------------------------------

/// Order three numbers. @return whether it took an odd number of swaps
static bool sort_three(int v[3])
{
	bool odd = false;
	for (int i = 0; i < 3; ++i) {
		int k = i % 2;
		if (v[k] > v[k + 1]) {
			int swap = v[k];
			v[k] = v[k + 1], v[k + 1] = swap;
			odd = !odd;
		}
	}
	return odd;
}

/// A face waiting for its other side: chained by its lowest vertex.
typedef struct open_face {
	int vertices[3]; // ascending
	int next;
	int owner; // 4 tetrahedron + face; -1 when both sides are known
	bool is_odd;
} open_face;

/// Match one face with those seen before.
static rbl_result match_face(rbl_tets *tets, open_face *faces, int *face_count, int *heads,
                             int owner)
{
	const int *v = tets->tet_vertices + (owner & ~3);
	const int *c = face_corners[owner & 3];
	open_face face = { { v[c[0]], v[c[1]], v[c[2]] }, -1, owner, false };
	face.is_odd = sort_three(face.vertices);
	int *head = &heads[face.vertices[0]];
	for (int i = *head; i >= 0; i = faces[i].next) {
		if (faces[i].vertices[1] != face.vertices[1] || faces[i].vertices[2] != face.vertices[2])
			continue;
		if (faces[i].owner < 0)
			return rbl_fail(RBL_BAD_MESH, "face %d %d %d has more than two tetrahedra, one is %d",
			                face.vertices[0], face.vertices[1], face.vertices[2], owner / 4);
		if (faces[i].is_odd == face.is_odd)
			return rbl_fail(RBL_BAD_MESH, "tetrahedra %d and %d lie on the same side of a face",
			                faces[i].owner / 4, owner / 4);
		tets->tet_neighbors[owner] = faces[i].owner / 4;
		tets->tet_neighbors[faces[i].owner] = owner / 4;
		faces[i].owner = -1;
		return RBL_OK;
	}
	face.next = *head;
	*head = *face_count;
	faces[(*face_count)++] = face;
	tets->tet_neighbors[owner] = -1;
	return RBL_OK;
}

static rbl_result find_neighbors(rbl_tets *tets)
{
	int vertex_count = tets->data.vertex_count, tet_count = tets->data.tet_count;
	size_t face_capacity = 4 * (size_t)tet_count;
	int *heads = RBL_NEW(&tets->allocator, int, vertex_count);
	open_face *faces = RBL_NEW(&tets->allocator, open_face, face_capacity);
	rbl_result result = heads && faces ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		int face_count = 0;
		for (int i = 0; i < vertex_count; ++i)
			heads[i] = -1;
		for (int i = 0; i < 4 * tet_count && result == RBL_OK; ++i)
			result = match_face(tets, faces, &face_count, heads, i);
	}
	RBL_FREE(&tets->allocator, faces, face_capacity);
	RBL_FREE(&tets->allocator, heads, vertex_count);
	return result;
}

// --- boundary -----------------------------------------------------------------------------------

/// The face of `tet` that its neighbour `other` shares.
static int face_to(const rbl_tets *tets, int tet, int other)
{
	const int *n = tets->tet_neighbors + 4 * (size_t)tet;
	return n[0] == other ? 0 : n[1] == other ? 1 : n[2] == other ? 2 : 3;
}

/// The number of vertex `v` in `tet`.
static int corner_of(const rbl_tets *tets, int tet, int v)
{
	const int *c = tets->tet_vertices + 4 * (size_t)tet;
	return c[0] == v ? 0 : c[1] == v ? 1 : c[2] == v ? 2 : 3;
}

/// From a boundary face, go round its edge a b through tetrahedra to the next boundary face.
/// @return 4 tetrahedron + face
static int next_round_edge(const rbl_tets *tets, int owner, int a, int b)
{
	int tet = owner / 4, face = owner & 3;
	for (;;) {
		// The other face of this tetrahedron at the edge is opposite to the corner that is left.
		int other_face = 6 - face - corner_of(tets, tet, a) - corner_of(tets, tet, b);
		int next = tets->tet_neighbors[4 * (size_t)tet + (size_t)other_face];
		if (next < 0)
			return 4 * tet + other_face;
		face = face_to(tets, next, tet);
		tet = next;
	}
}

/// Work of make_boundary: everything per boundary corner or owner.
typedef struct boundary_work {
	int *parents;   // by boundary corner
	int *number_of; // by owner: its boundary face, -1 for inner faces
} boundary_work;

static int vertex_of_corner(const rbl_tets *tets, int owner, int corner)
{
	return tets->tet_vertices[(owner & ~3) + face_corners[owner & 3][corner]];
}

/// Join corners of neighbouring boundary triangles into vertices.
static void join_boundary_corners(rbl_tets *tets, boundary_work *work, const int *owners,
                                  int face_count)
{
	rbl_union_find_init(work->parents, 3 * face_count);
	for (int f = 0; f < face_count; ++f) {
		for (int k = 0; k < 3; ++k) {
			int a = vertex_of_corner(tets, owners[f], k);
			int b = vertex_of_corner(tets, owners[f], (k + 1) % 3);
			int g = work->number_of[next_round_edge(tets, owners[f], a, b)];
			for (int m = 0; m < 3; ++m) {
				int v = vertex_of_corner(tets, owners[g], m);
				if (v != a && v != b)
					continue;
				rbl_union_find_join(work->parents, 3 * f + (v == a ? k : (k + 1) % 3), 3 * g + m);
			}
		}
	}
}

/// Number the fans and lay out the arrays of the boundary.
static bool write_boundary(rbl_tets *tets, boundary_work *work, const int *owners, int face_count)
{
	int vertex_count = 0;
	for (int i = 0; i < 3 * face_count; ++i)
		vertex_count += rbl_union_find_root(work->parents, i) == i;
	tets->boundary_size = vertex_count + 4 * face_count;
	tets->boundary = RBL_NEW(&tets->allocator, int, tets->boundary_size);
	if (!tets->boundary)
		return false;
	int *vertices = tets->boundary, *triangles = vertices + vertex_count;
	int *behind = triangles + 3 * (size_t)face_count;
	int next = 0;
	for (int f = 0; f < face_count; ++f) {
		behind[f] = owners[f] / 4;
		for (int k = 0; k < 3; ++k) {
			int corner = 3 * f + k, root = rbl_union_find_root(work->parents, corner);
			if (root == corner) {
				vertices[next] = vertex_of_corner(tets, owners[f], k);
				triangles[corner] = next++;
			} else {
				triangles[corner] = triangles[root];
			}
		}
	}
	tets->data.boundary_vertex_count = vertex_count;
	tets->data.boundary_vertices = vertices;
	tets->data.boundary_face_count = face_count;
	tets->data.boundary_triangles = triangles;
	tets->data.boundary_tets = behind;
	return true;
}

static rbl_result make_boundary(rbl_tets *tets)
{
	size_t owner_count = 4 * (size_t)tets->data.tet_count;
	int face_count = 0;
	for (size_t i = 0; i < owner_count; ++i)
		face_count += tets->tet_neighbors[i] < 0;
	boundary_work work = { .parents = RBL_NEW(&tets->allocator, int, 3 * (size_t)face_count),
		                   .number_of = RBL_NEW(&tets->allocator, int, owner_count) };
	int *owners = RBL_NEW(&tets->allocator, int, face_count);
	bool is_done = false;
	if (work.parents && work.number_of && owners) {
		int count = 0;
		for (size_t i = 0; i < owner_count; ++i) {
			work.number_of[i] = tets->tet_neighbors[i] < 0 ? count : -1;
			if (tets->tet_neighbors[i] < 0)
				owners[count++] = (int)i;
		}
		join_boundary_corners(tets, &work, owners, face_count);
		is_done = write_boundary(tets, &work, owners, face_count);
	}
	RBL_FREE(&tets->allocator, owners, face_count);
	RBL_FREE(&tets->allocator, work.number_of, owner_count);
	RBL_FREE(&tets->allocator, work.parents, 3 * (size_t)face_count);
	return is_done ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// --- creation -----------------------------------------------------------------------------------

rbl_tets_def rbl_default_tets_def(void)
{
	return (rbl_tets_def){ .cookie = TETS_COOKIE };
}

static rbl_result check_tets_def(const rbl_tets_def *def)
{
	if (!def || def->cookie != TETS_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_tets_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has only one of its functions");
	if (def->vertex_count < 4 || def->vertex_count > RBL_MAX_TETS || def->tet_count < 1 ||
	    def->tet_count > RBL_MAX_TETS || !def->positions || !def->tet_vertices)
		return rbl_fail(RBL_BAD_ARGUMENT, "%d vertices, %d tetrahedra: none, or too many",
		                def->vertex_count, def->tet_count);
	for (int i = 0; i < def->vertex_count; ++i)
		if (!rbl_is_finite_d(def->positions[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "position %d is not finite", i);
	for (int i = 0; i < 4 * def->tet_count; ++i)
		if (def->tet_vertices[i] < 0 || def->tet_vertices[i] >= def->vertex_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "vertex %d of tetrahedron %d does not exist",
			                def->tet_vertices[i], i / 4);
	return RBL_OK;
}

/// Copy tetrahedra; each must have volume.
static rbl_result copy_tets(rbl_tets *tets, const rbl_tets_def *def)
{
	memcpy(tets->positions, def->positions, (size_t)def->vertex_count * sizeof(rbl_vec3d));
	memcpy(tets->tet_vertices, def->tet_vertices, 4 * (size_t)def->tet_count * sizeof(int));
	for (int i = 0; i < def->tet_count; ++i) {
		int *v = tets->tet_vertices + 4 * (size_t)i;
		int sign = rbl_orient3d(tets->positions[v[0]], tets->positions[v[1]], tets->positions[v[2]],
		                        tets->positions[v[3]]);
		if (sign < 0 && def->mend_orientation) {
			int swap = v[0];
			v[0] = v[1], v[1] = swap;
		} else if (sign <= 0) {
			return rbl_fail(RBL_BAD_MESH, "tetrahedron %d has %s volume", i,
			                sign ? "negative" : "no");
		}
	}
	return RBL_OK;
}

rbl_result rbl_create_tets(const rbl_tets_def *def, rbl_tets **tets)
{
	if (!tets)
		return rbl_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	*tets = NULL;
	rbl_result result = check_tets_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_tets *made = RBL_NEW_ZERO(&allocator, rbl_tets, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = allocator;
	made->positions = RBL_NEW(&allocator, rbl_vec3d, def->vertex_count);
	made->tet_vertices = RBL_NEW(&allocator, int, 4 * (size_t)def->tet_count);
	made->tet_neighbors = RBL_NEW(&allocator, int, 4 * (size_t)def->tet_count);
	made->data.vertex_count = def->vertex_count;
	made->data.positions = made->positions;
	made->data.tet_count = def->tet_count;
	made->data.tet_vertices = made->tet_vertices;
	made->data.tet_neighbors = made->tet_neighbors;
	result = RBL_OUT_OF_MEMORY;
	if (made->positions && made->tet_vertices && made->tet_neighbors)
		result = copy_tets(made, def);
	if (result == RBL_OK)
		result = find_neighbors(made);
	if (result == RBL_OK)
		result = make_boundary(made);
	if (result == RBL_OK)
		*tets = made;
	else
		rbl_destroy_tets(made);
	return result;
}

void rbl_destroy_tets(rbl_tets *tets)
{
	if (!tets)
		return;
	rbl_allocator allocator = tets->allocator;
	RBL_FREE(&allocator, tets->boundary, tets->boundary_size);
	RBL_FREE(&allocator, tets->tet_neighbors, 4 * (size_t)tets->data.tet_count);
	RBL_FREE(&allocator, tets->tet_vertices, 4 * (size_t)tets->data.tet_count);
	RBL_FREE(&allocator, tets->positions, tets->data.vertex_count);
	RBL_FREE(&allocator, tets, 1);
}

rbl_tets_data rbl_tets_get_data(const rbl_tets *tets)
{
	return tets ? tets->data : (rbl_tets_data){ 0 };
}

rbl_result rbl_tets_create_boundary_mesh(const rbl_tets *tets, const rbl_allocator *allocator,
                                         rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	if (!tets)
		return rbl_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	rbl_allocator memory = rbl_allocator_or_default(allocator);
	const rbl_tets_data *d = &tets->data;
	rbl_vec3d *positions = RBL_NEW(&memory, rbl_vec3d, d->boundary_vertex_count);
	if (!positions)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < d->boundary_vertex_count; ++i)
		positions[i] = d->positions[d->boundary_vertices[i]];
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = d->boundary_vertex_count;
	def.data.positions = positions;
	def.data.face_count = d->boundary_face_count;
	def.data.corner_count = 3 * d->boundary_face_count;
	def.data.corner_vertices = d->boundary_triangles;
	def.allocator = memory;
	rbl_result result = rbl_create_mesh(&def, mesh);
	RBL_FREE(&memory, positions, d->boundary_vertex_count);
	return result;
}

// --- quality ------------------------------------------------------------------------------------

/// Take the angles, edges and volume of one tetrahedron into account.
static void measure_tet(const rbl_vec3d p[4], rbl_tets_quality *quality)
{
	rbl_vec3d normals[4]; // outwards
	for (int i = 0; i < 4; ++i) {
		const int *c = face_corners[i];
		normals[i] =
			rbl_normalize_d(rbl_cross_d(rbl_sub_d(p[c[1]], p[c[0]]), rbl_sub_d(p[c[2]], p[c[0]])));
	}
	for (int i = 0; i < 4; ++i) {
		for (int k = i + 1; k < 4; ++k) {
			// Faces i and k meet at the angle between one normal and the other turned round.
			double cosine = rbl_clampd(-rbl_dot_d(normals[i], normals[k]), -1.0, 1.0);
			quality->smallest_angle = rbl_mind(quality->smallest_angle, -cosine);
			quality->largest_angle = rbl_maxd(quality->largest_angle, -cosine);
			double length = rbl_distance_d(p[i], p[k]);
			quality->shortest_edge = rbl_mind(quality->shortest_edge, length);
			quality->longest_edge = rbl_maxd(quality->longest_edge, length);
		}
	}
	rbl_vec3d a = rbl_sub_d(p[1], p[0]), b = rbl_sub_d(p[2], p[0]), c = rbl_sub_d(p[3], p[0]);
	double volume = rbl_dot_d(rbl_cross_d(a, b), c) / 6.0;
	quality->volume += volume;
	quality->smallest_volume = rbl_mind(quality->smallest_volume, volume);
}

rbl_tets_quality rbl_tets_get_quality(const rbl_tets *tets)
{
	if (!tets)
		return (rbl_tets_quality){ 0 };
	rbl_tets_quality quality = { .smallest_angle = 1.0,
		                         .largest_angle = -1.0,
		                         .smallest_volume = DBL_MAX,
		                         .shortest_edge = DBL_MAX };
	for (int i = 0; i < tets->data.tet_count; ++i) {
		rbl_vec3d p[4];
		for (int k = 0; k < 4; ++k)
			p[k] = tets->positions[tets->tet_vertices[4 * (size_t)i + (size_t)k]];
		measure_tet(p, &quality);
	}
	// Negative cosines grow with the angle: only two of them need an arc.
	quality.smallest_angle = rbl_acos(-quality.smallest_angle);
	quality.largest_angle = rbl_acos(-quality.largest_angle);
	return quality;
}
