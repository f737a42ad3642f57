// SPDX-License-Identifier: MIT
//
// Mass properties of colliders (volume, centre of mass, inertia tensor): spheres and capsules by
// formula, polyhedra by tetrahedra from an inner point to the triangles of their faces, compounds
// by the parallel axis theorem.

#include "world/mass.h"

#include <float.h>

#define PI 3.14159265358979323846

static rbl_mat3d diagonal(double x, double y, double z)
{
	return (rbl_mat3d){ { x, 0.0, 0.0 }, { 0.0, y, 0.0 }, { 0.0, 0.0, z } };
}

// The inertia of a point mass: |d|^2 - d d^T.
static rbl_mat3d point_inertia(rbl_vec3d d, double mass)
{
	double xx = mass * d.x * d.x, yy = mass * d.y * d.y, zz = mass * d.z * d.z;
	double xy = -mass * d.x * d.y, xz = -mass * d.x * d.z, yz = -mass * d.y * d.z;
	return (rbl_mat3d){ { yy + zz, xy, xz }, { xy, xx + zz, yz }, { xz, yz, xx + yy } };
}

static rbl_mass sphere_mass(rbl_vec3 centre, float radius)
{
	double r = (double)radius, volume = 4.0 / 3.0 * PI * r * r * r, i = 0.4 * volume * r * r;
	return (rbl_mass){ volume, rbl_to_d(centre), diagonal(i, i, i) };
}

// A cylinder and two half spheres. Along the axis u: I = across (1 - u u^T) + along u u^T.
static rbl_mass capsule_mass(rbl_vec3 a, rbl_vec3 b, float radius)
{
	rbl_vec3d from = rbl_to_d(a), to = rbl_to_d(b), axis = rbl_sub_d(to, from);
	double r = (double)radius, length = rbl_length_d(axis);
	rbl_vec3d u = rbl_scale_d(1.0 / length, axis);
	double cylinder = PI * r * r * length, balls = 4.0 / 3.0 * PI * r * r * r;
	double along = 0.5 * cylinder * r * r + 0.4 * balls * r * r;
	double h = 0.5 * length;
	double across = cylinder * (0.25 * r * r + length * length / 12.0) +
	                balls * (0.4 * r * r + h * h + 0.75 * h * r);
	rbl_mat3d uu = { rbl_scale_d(u.x, u), rbl_scale_d(u.y, u), rbl_scale_d(u.z, u) };
	rbl_mat3d inertia =
		rbl_mat_add_d(diagonal(across, across, across), rbl_mat_scale_d(along - across, uu));
	return (rbl_mass){ cylinder + balls, rbl_scale_d(0.5, rbl_add_d(from, to)), inertia };
}

// Sums over tetrahedra from one common corner to triangles.
typedef struct moments {
	double volume, xx, yy, zz, xy, xz, yz;
	rbl_vec3d first;
} moments;

// @param a, b, c  relative to the common corner
static void add_tetrahedron(moments *m, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	double v = rbl_dot_d(a, rbl_cross_d(b, c)) / 6.0;
	rbl_vec3d s = rbl_add_d(a, rbl_add_d(b, c));
	m->volume += v;
	m->first = rbl_add_scaled_d(m->first, 0.25 * v, s);
	double w = 0.05 * v;
	m->xx += w * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
	m->yy += w * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
	m->zz += w * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
	m->xy += w * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
	m->xz += w * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
	m->yz += w * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
}

// @param corner  that all tetrahedra have
static rbl_mass moments_mass(const moments *m, rbl_vec3d corner)
{
	if (!(m->volume > 0.0))
		return (rbl_mass){ .volume = 0.0 };
	rbl_vec3d centre = rbl_scale_d(1.0 / m->volume, m->first);
	rbl_mat3d about_corner = { { m->yy + m->zz, -m->xy, -m->xz },
		                       { -m->xy, m->xx + m->zz, -m->yz },
		                       { -m->xz, -m->yz, m->xx + m->yy } };
	rbl_mat3d inertia = rbl_mat_add_d(about_corner, point_inertia(centre, -m->volume));
	return (rbl_mass){ m->volume, rbl_add_d(corner, centre), inertia };
}

static rbl_mass polyhedron_mass(const rbl_polyhedron *p)
{
	rbl_vec3d origin = rbl_to_d(rbl_polyhedron_vertex(p, 0));
	moments m = { .volume = 0.0 };
	for (int f = 0; f < p->face_count; ++f) {
		int begin = p->face_starts[f], end = p->face_starts[f + 1];
		rbl_vec3d a = rbl_sub_d(rbl_to_d(rbl_polyhedron_vertex(p, p->corners[begin])), origin);
		for (int i = begin + 1; i + 1 < end; ++i) {
			rbl_vec3d b = rbl_sub_d(rbl_to_d(rbl_polyhedron_vertex(p, p->corners[i])), origin);
			rbl_vec3d c = rbl_sub_d(rbl_to_d(rbl_polyhedron_vertex(p, p->corners[i + 1])), origin);
			add_tetrahedron(&m, a, b, c);
		}
	}
	return moments_mass(&m, origin);
}

rbl_mass rbl_mesh_collider_mass(const rbl_collider *collider)
{
	moments m = { .volume = 0.0 };
	rbl_vec3d origin = rbl_to_d(rbl_box_centre(collider->box));
	for (int i = 0; i < collider->child_count; ++i) {
		rbl_vec3 p[3];
		rbl_collider_triangle(collider, i, p);
		add_tetrahedron(&m, rbl_sub_d(rbl_to_d(p[0]), origin), rbl_sub_d(rbl_to_d(p[1]), origin),
		                rbl_sub_d(rbl_to_d(p[2]), origin));
	}
	return moments_mass(&m, origin);
}

double rbl_mesh_area(const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	double area = 0.0;
	for (int f = 0; f < data.face_count; ++f) {
		const int *corners = data.corner_vertices + data.face_starts[f];
		int count = data.face_starts[f + 1] - data.face_starts[f];
		rbl_vec3d sum = { 0.0, 0.0, 0.0 }, first = data.positions[corners[0]];
		for (int i = 1; i + 1 < count; ++i)
			sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(data.positions[corners[i]], first),
			                                 rbl_sub_d(data.positions[corners[i + 1]], first)));
		area += 0.5 * rbl_length_d(sum);
	}
	return area;
}

float rbl_mesh_collider_inner_radius(const rbl_collider *collider, double volume)
{
	double area = 0.0;
	for (int i = 0; i < collider->child_count; ++i) {
		rbl_vec3 p[3];
		rbl_collider_triangle(collider, i, p);
		rbl_vec3d a = rbl_to_d(p[0]);
		area += 0.5 * rbl_length_d(
						  rbl_cross_d(rbl_sub_d(rbl_to_d(p[1]), a), rbl_sub_d(rbl_to_d(p[2]), a)));
	}
	return area > 0.0 ? (float)(volume / area) : 0.0f;
}

static rbl_mass convex_mass(const rbl_polyhedron *polyhedron)
{
	if (polyhedron->vertex_count == 1)
		return sphere_mass(rbl_polyhedron_vertex(polyhedron, 0), polyhedron->radius);
	if (polyhedron->vertex_count == 2)
		return capsule_mass(rbl_polyhedron_vertex(polyhedron, 0),
		                    rbl_polyhedron_vertex(polyhedron, 1), polyhedron->radius);
	return polyhedron_mass(polyhedron);
}

static rbl_mass moved_mass(rbl_mass mass, rbl_transform pose)
{
	rbl_quatd q = { (double)pose.rotation.x, (double)pose.rotation.y, (double)pose.rotation.z,
		            (double)pose.rotation.w };
	rbl_mat3d rotation = rbl_quat_to_mat_d(rbl_quat_normalize_d(q));
	mass.centre = rbl_add_d(rbl_mat_vec_d(rotation, mass.centre), rbl_to_d(pose.position));
	mass.inertia =
		rbl_mat_mul_d(rbl_mat_mul_d(rotation, mass.inertia), rbl_mat_transpose_d(rotation));
	return mass;
}

// A material that has changed since the last step counts as the world still has it.
static float child_density(const rbl_world *world, const rbl_collider_child *child)
{
	int number = rbl_world_find_material(world, child->material);
	return number != RBL_NONE ? world->materials.data[number].values.density
	                          : child->material->values.density;
}

static rbl_mass child_mass(const rbl_world *world, const rbl_collider_child *child, float density)
{
	rbl_mass mass = moved_mass(convex_mass(child->collider->polyhedron), child->pose);
	double weight = child->is_sensor  ? 0.0
	                : child->material ? (double)child_density(world, child) / (double)density
	                                  : 1.0;
	if (weight != 1.0) {
		mass.volume *= weight;
		mass.inertia = rbl_mat_scale_d(weight, mass.inertia);
	}
	return mass;
}

static bool compound_mass(const rbl_world *world, const rbl_collider *collider, float density,
                          rbl_mass *mass)
{
	rbl_mass sum = { .volume = 0.0 };
	const rbl_collider_child *children = collider->parts->children;
	for (int i = 0; i < collider->child_count; ++i) {
		rbl_mass m = child_mass(world, &children[i], density);
		sum.volume += m.volume;
		sum.centre = rbl_add_scaled_d(sum.centre, m.volume, m.centre);
	}
	if (!(sum.volume > 0.0))
		return false;
	sum.centre = rbl_scale_d(1.0 / sum.volume, sum.centre);
	for (int i = 0; i < collider->child_count; ++i) {
		rbl_mass m = child_mass(world, &children[i], density);
		rbl_mat3d moved = point_inertia(rbl_sub_d(m.centre, sum.centre), m.volume);
		sum.inertia = rbl_mat_add_d(sum.inertia, rbl_mat_add_d(m.inertia, moved));
	}
	*mass = sum;
	return true;
}

bool rbl_collider_mass(const rbl_world *world, const rbl_collider *collider, float density,
                       rbl_mass *mass)
{
	if (collider->kind == RBL_COLLIDER_COMPOUND)
		return compound_mass(world, collider, density, mass);
	if (!collider->polyhedron)
		return false;
	*mass = convex_mass(collider->polyhedron);
	return mass->volume > 0.0;
}

float rbl_collider_inner_radius(const rbl_collider *collider)
{
	if (collider->polyhedron)
		return 0.5f * collider->polyhedron->min_width;
	if (collider->kind != RBL_COLLIDER_COMPOUND)
		return 0.0f;
	float least = FLT_MAX;
	for (int i = 0; i < collider->child_count; ++i)
		least =
			rbl_minf(least, 0.5f * collider->parts->children[i].collider->polyhedron->min_width);
	return least;
}

rbl_mat3 rbl_world_inverse_inertia(rbl_mat3 inertia)
{
	float trace = inertia.x.x + inertia.y.y + inertia.z.z;
	if (!(trace > 0.0f))
		return (rbl_mat3){ .x = { 0.0f, 0.0f, 0.0f } };
	// Scaled first: the determinant of a small body's inertia underflows.
	rbl_mat3 scaled = rbl_mat_scale(1.0f / trace, inertia);
	if (!(rbl_mat_determinant(scaled) > 1e-12f)) {
		float i = 3.0f / trace;
		return (rbl_mat3){ { i, 0.0f, 0.0f }, { 0.0f, i, 0.0f }, { 0.0f, 0.0f, i } };
	}
	rbl_mat3 m = rbl_mat_scale(1.0f / trace, rbl_mat_inverse(scaled));
	m.y.x = m.x.y, m.z.x = m.x.z, m.z.y = m.y.z;
	return m;
}
