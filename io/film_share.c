// SPDX-License-Identifier: MIT
//
// Equal meshes of a film are kept once: parts of a body that stays, stones of one kind, columns
// round a court.
//
// A mesh may be another one turned. Both have the same faces and attributes, so only the rotation
// is sought: it takes two vertices to those of the other, and must then do so for all, and for the
// normals. Meshes with attributes of their own, such as tangents, are shared when they are equal
// bit for bit.

#include "io/film.h"

#include <rubble/vec.h>

#include <math.h>

// How far a vertex may be off, as a share of the radius: about the last digit of a float.
static const double TURNED_TOLERANCE = 1e-6;

// Of the difference between two unit normals, squared.
static const double NORMAL_TOLERANCE = 1e-8;

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; at && i < size; ++i)
		hash = (hash ^ at[i]) * 1099511628211u;
	return hash;
}

// A number that tells most meshes with other faces from it; where vertices are does not count.
static uint64_t hash_mesh(const rbl_mesh_data *d)
{
	uint64_t hash = hash_bytes(14695981039346656037u, &d->face_count, sizeof d->face_count);
	hash = hash_bytes(hash, d->corner_vertices, (size_t)d->corner_count * sizeof(int));
	return hash_bytes(hash, d->materials, (size_t)d->material_count * sizeof *d->materials);
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
	return !a == !b && (!a || size == 0 || memcmp(a, b, size) == 0);
}

// Whether all is the same but where vertices are and normals point.
static bool same_faces(const rbl_mesh_data *a, const rbl_mesh_data *b)
{
	size_t corners = (size_t)a->corner_count, faces = (size_t)a->face_count;
	return a->vertex_count == b->vertex_count && a->face_count == b->face_count &&
	       a->corner_count == b->corner_count && a->material_count == b->material_count &&
	       a->attribute_count == b->attribute_count && a->attribute_width == b->attribute_width &&
	       !a->corner_normals == !b->corner_normals &&
	       same_bytes(a->face_starts, b->face_starts, (faces + 1) * sizeof(int)) &&
	       same_bytes(a->corner_vertices, b->corner_vertices, corners * sizeof(int)) &&
	       same_bytes(a->corner_uv0, b->corner_uv0, corners * sizeof(rbl_vec2)) &&
	       same_bytes(a->corner_uv1, b->corner_uv1, corners * sizeof(rbl_vec2)) &&
	       same_bytes(a->corner_colors, b->corner_colors, corners * sizeof(rbl_vec4)) &&
	       same_bytes(a->attributes, b->attributes,
	                  (size_t)a->attribute_count * sizeof *a->attributes) &&
	       same_bytes(a->corner_attributes, b->corner_attributes,
	                  corners * (size_t)a->attribute_width * sizeof(float)) &&
	       same_bytes(a->face_materials, b->face_materials, faces * sizeof(int)) &&
	       same_bytes(a->materials, b->materials, (size_t)a->material_count * sizeof *a->materials);
}

static bool same_places(const rbl_mesh_data *a, const rbl_mesh_data *b)
{
	return same_bytes(a->positions, b->positions, (size_t)a->vertex_count * sizeof *a->positions) &&
	       same_bytes(a->corner_normals, b->corner_normals,
	                  (size_t)a->corner_count * sizeof(rbl_vec3));
}

// --- turned meshes ---------------------------------------------------------------------------

static double product(rbl_vec3d a, rbl_vec3d b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static rbl_vec3d perpendicular(rbl_vec3d a, rbl_vec3d b)
{
	return (rbl_vec3d){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static double distance_squared(rbl_vec3d a, rbl_vec3d b)
{
	rbl_vec3d d = { a.x - b.x, a.y - b.y, a.z - b.z };
	return product(d, d);
}

// Two vertices in different directions: the farthest, and the farthest off its line.
static bool pick_vertices(const rbl_mesh_data *mesh, double radius, int *first, int *second)
{
	double farthest = 0.0, widest = 0.0;
	for (int v = 0; v < mesh->vertex_count; ++v) {
		double square = product(mesh->positions[v], mesh->positions[v]);
		if (square > farthest)
			farthest = square, *first = v;
	}
	for (int v = 0; v < mesh->vertex_count && farthest > 0.0; ++v) {
		rbl_vec3d off = perpendicular(mesh->positions[*first], mesh->positions[v]);
		if (product(off, off) > widest)
			widest = product(off, off), *second = v;
	}
	return widest > 1e-4 * radius * radius * radius * radius;
}

// An orthonormal frame of two directions, as rows.
static void make_frame(rbl_vec3d a, rbl_vec3d b, rbl_vec3d frame[3])
{
	rbl_vec3d normal = perpendicular(a, b);
	double length = sqrt(product(a, a)), height = sqrt(product(normal, normal));
	frame[0] = (rbl_vec3d){ a.x / length, a.y / length, a.z / length };
	frame[2] = (rbl_vec3d){ normal.x / height, normal.y / height, normal.z / height };
	frame[1] = perpendicular(frame[2], frame[0]);
}

// The rotation that takes one frame to another. The largest number of a quaternion is found first,
// since the others are divided by it.
static rbl_quatd rotation_between(const rbl_vec3d from[3], const rbl_vec3d to[3])
{
	double m[3][3];
	for (int r = 0; r < 3; ++r)
		for (int c = 0; c < 3; ++c) {
			m[r][c] = 0.0;
			for (int k = 0; k < 3; ++k)
				m[r][c] += rbl_axis_d(to[k], r) * rbl_axis_d(from[k], c);
		}
	double squares[4] = { 1.0 + m[0][0] - m[1][1] - m[2][2], 1.0 - m[0][0] + m[1][1] - m[2][2],
		                  1.0 - m[0][0] - m[1][1] + m[2][2], 1.0 + m[0][0] + m[1][1] + m[2][2] };
	int most = 0;
	for (int k = 1; k < 4; ++k)
		most = squares[k] > squares[most] ? k : most;
	double q[4] = { 0.0, 0.0, 0.0, 0.0 }, half = sqrt(squares[most]), other = 0.5 / half;
	q[most] = 0.5 * half;
	if (most == 3) {
		q[0] = (m[2][1] - m[1][2]) * other, q[1] = (m[0][2] - m[2][0]) * other;
		q[2] = (m[1][0] - m[0][1]) * other;
	} else {
		int next = (most + 1) % 3, last = (most + 2) % 3;
		q[next] = (m[next][most] + m[most][next]) * other;
		q[last] = (m[last][most] + m[most][last]) * other;
		q[3] = (m[last][next] - m[next][last]) * other;
	}
	return (rbl_quatd){ q[0], q[1], q[2], q[3] };
}

// Find the rotation that makes one mesh the other. @return false if there is none
static bool find_turn(const rbl_mesh_data *from, const rbl_mesh_data *to, double radius,
                      rbl_quatd *turn)
{
	int first = 0, second = 0;
	double tolerance = TURNED_TOLERANCE * radius, square = tolerance * tolerance;
	if (from->attribute_count > 0 || !pick_vertices(from, radius, &first, &second))
		return false;
	const rbl_vec3d *a = from->positions, *b = to->positions;
	rbl_vec3d normal = perpendicular(b[first], b[second]);
	if (fabs(product(a[first], a[first]) - product(b[first], b[first])) >
	        4.0 * radius * tolerance ||
	    fabs(product(a[first], a[second]) - product(b[first], b[second])) >
	        4.0 * radius * tolerance ||
	    !(product(normal, normal) > 0.0))
		return false;
	rbl_vec3d frame[3], turned[3];
	make_frame(a[first], a[second], frame);
	make_frame(b[first], b[second], turned);
	*turn = rotation_between(frame, turned);
	for (int v = 0; v < from->vertex_count; ++v)
		if (!(distance_squared(rbl_io_quat_rotate(*turn, a[v]), b[v]) <= square))
			return false;
	for (int c = 0; from->corner_normals && c < from->corner_count; ++c) {
		rbl_vec3 n = from->corner_normals[c], m = to->corner_normals[c];
		rbl_vec3d own = { (double)n.x, (double)n.y, (double)n.z };
		rbl_vec3d other = { (double)m.x, (double)m.y, (double)m.z };
		if (!(distance_squared(rbl_io_quat_rotate(*turn, own), other) <= NORMAL_TOLERANCE))
			return false;
	}
	return true;
}

void rbl_film_share_mesh(rbl_film *film, rbl_film_mesh *mesh, int index)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh->mesh);
	mesh->hash = hash_mesh(&data);
	int *slot = &film->mesh_slots[mesh->hash % RBL_FILM_MESH_SLOTS];
	mesh->turn = (rbl_quatd){ 0.0, 0.0, 0.0, 1.0 };
	mesh->first = index, mesh->chain = *slot - 1;
	for (int i = mesh->chain; i >= 0; i = film->meshes.data[i].chain) {
		const rbl_film_mesh *other = &film->meshes.data[i];
		if (other->hash != mesh->hash ||
		    fabs(other->radius - mesh->radius) > TURNED_TOLERANCE * mesh->radius)
			continue;
		rbl_mesh_data known = rbl_mesh_get_data(other->mesh);
		rbl_quatd turn = mesh->turn;
		if (!same_faces(&known, &data) ||
		    (!same_places(&known, &data) && !find_turn(&known, &data, mesh->radius, &turn)))
			continue;
		rbl_destroy_mesh(mesh->mesh);
		mesh->mesh = other->mesh, mesh->first = other->first, mesh->turn = turn;
		return; // found through the other one
	}
	*slot = index + 1;
}
