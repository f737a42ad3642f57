// SPDX-License-Identifier: MIT
//
// Volume, centre of mass and inertia tensor of a closed surface: sums over the tetrahedra between
// its triangles and a reference point. A tetrahedron of volume v with one corner at the origin and
// the others at a, b, c has first moment v (a + b + c) / 4 and, with s = a + b + c, second moments
// v (a a' + b b' + c c' + s s') / 20.
//
// Signed parts cancel, so the reference point must be near the surface. Sums are kept in blocks
// of a few hundred faces and then added up: the rounding of a million faces is that of a few
// thousand terms.

#include "geometry/mesh.h"

#include "base/vec.h"

enum { MASS_BLOCK = 256 };

// Six times the volume, 24 times the first and 120 times the second moments.
typedef struct moments {
	double volume;
	rbl_vec3d first;
	double xx, yy, zz, xy, yz, zx;
} moments;

static void add_tetrahedron(moments *sum, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	double v = rbl_dot_d(a, rbl_cross_d(b, c));
	rbl_vec3d s = rbl_add_d(rbl_add_d(a, b), c);
	sum->volume += v;
	sum->first = rbl_add_scaled_d(sum->first, v, s);
	sum->xx += v * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
	sum->yy += v * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
	sum->zz += v * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
	sum->xy += v * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
	sum->yz += v * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
	sum->zx += v * (a.z * a.x + b.z * b.x + c.z * c.x + s.z * s.x);
}

static void add_moments(moments *sum, const moments *part)
{
	sum->volume += part->volume;
	sum->first = rbl_add_d(sum->first, part->first);
	sum->xx += part->xx, sum->yy += part->yy, sum->zz += part->zz;
	sum->xy += part->xy, sum->yz += part->yz, sum->zx += part->zx;
}

static rbl_mass mass_from_moments(const moments *sum, rbl_vec3d reference)
{
	rbl_mass mass = { .volume = sum->volume / 6.0, .centre = reference };
	double v = mass.volume;
	rbl_vec3d d = { 0.0, 0.0, 0.0 };
	if (v != 0.0)
		d = rbl_scale_d(1.0 / (24.0 * v), sum->first);
	mass.centre = rbl_add_d(reference, d);
	double xx = sum->xx / 120.0 - v * d.x * d.x, xy = sum->xy / 120.0 - v * d.x * d.y;
	double yy = sum->yy / 120.0 - v * d.y * d.y, yz = sum->yz / 120.0 - v * d.y * d.z;
	double zz = sum->zz / 120.0 - v * d.z * d.z, zx = sum->zx / 120.0 - v * d.z * d.x;
	mass.inertia =
		(rbl_mat3d){ { yy + zz, -xy, -zx }, { -xy, zz + xx, -yz }, { -zx, -yz, xx + yy } };
	return mass;
}

rbl_mass rbl_polygons_mass(const rbl_vec3d *positions, int face_count, const int *face_starts,
                           const int *corner_vertices, rbl_vec3d reference)
{
	moments sum = { 0 };
	for (int begin = 0; begin < face_count; begin += MASS_BLOCK) {
		moments part = { 0 };
		for (int f = begin; f < face_count && f < begin + MASS_BLOCK; ++f) {
			int c = face_starts ? face_starts[f] : 3 * f;
			int end = face_starts ? face_starts[f + 1] : c + 3;
			rbl_vec3d first = rbl_sub_d(positions[corner_vertices[c]], reference);
			rbl_vec3d last = rbl_sub_d(positions[corner_vertices[c + 1]], reference);
			for (int k = c + 2; k < end; ++k) {
				rbl_vec3d next = rbl_sub_d(positions[corner_vertices[k]], reference);
				add_tetrahedron(&part, first, last, next);
				last = next;
			}
		}
		add_moments(&sum, &part);
	}
	return mass_from_moments(&sum, reference);
}

rbl_mass rbl_mesh_get_mass(const rbl_mesh *mesh)
{
	if (!mesh || rbl_mesh_get_data(mesh).vertex_count == 0)
		return (rbl_mass){ 0 };
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	return rbl_polygons_mass(data.positions, data.face_count, data.face_starts,
	                         data.corner_vertices, rbl_box_centre_d(rbl_mesh_bounds(mesh)));
}

rbl_vec3d rbl_polygon_normal(const rbl_vec3d *positions, const int *vertices, int count)
{
	rbl_vec3d normal = { 0.0, 0.0, 0.0 };
	rbl_vec3d origin = positions[vertices[0]];
	rbl_vec3d last = rbl_sub_d(positions[vertices[1]], origin);
	for (int i = 2; i < count; ++i) {
		rbl_vec3d next = rbl_sub_d(positions[vertices[i]], origin);
		normal = rbl_add_d(normal, rbl_cross_d(last, next));
		last = next;
	}
	return normal;
}
