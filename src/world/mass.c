// SPDX-License-Identifier: MIT
//
// Mass properties of colliders (volume, centre of mass, inertia tensor): spheres, capsules,
// cylinders and cones by formula, polyhedra by tetrahedra from an inner point to the triangles of
// their faces, compounds by the parallel axis theorem.
//
// A polyhedron with a radius around it is the polyhedron, a prism on every face, a sector of a
// cylinder on every edge, and a sector of a ball at every vertex. The last one's moments are
// integrals over the spherical polygon of the normals there, whose sides are the arcs of the edges:
// its area is the angle defect (Descartes), and by Stokes' theorem the integrals of n and of
// n n^T - 1/3 are sums over the arcs.

#include "world/mass.h"

#include "base/math.h"

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

// The inertia of what is alike in all directions across the axis u.
static rbl_mat3d axial_inertia(rbl_vec3d u, double across, double along)
{
	rbl_mat3d uu = { rbl_scale_d(u.x, u), rbl_scale_d(u.y, u), rbl_scale_d(u.z, u) };
	return rbl_mat_add_d(diagonal(across, across, across), rbl_mat_scale_d(along - across, uu));
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
	return (rbl_mass){ cylinder + balls, rbl_scale_d(0.5, rbl_add_d(from, to)),
		               axial_inertia(u, across, along) };
}

// Integrals of r^2, z r^2, z^2 r^2 and r^4 along the axis, where r goes evenly from a to b.
static rbl_mass revolution_mass(const rbl_revolution *s)
{
	double a = s->radii[0], b = s->radii[1], l = s->length;
	double squares = a * a + a * b + b * b;
	double volume = PI * l * squares / 3.0;
	double centre = 0.25 * l * (a * a + 2.0 * a * b + 3.0 * b * b) / squares;
	double along = 0.1 * PI * l *
	               (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b);
	double across = 0.5 * along + PI * l * l * l * (a * a / 30.0 + a * b / 10.0 + b * b / 5.0) -
	                volume * centre * centre;
	return (rbl_mass){ volume, rbl_add_scaled_d(s->ends[0], centre, s->axis),
		               axial_inertia(s->axis, across, along) };
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

static rbl_vec3d vertex_from(const rbl_polyhedron *p, int vertex, rbl_vec3d origin)
{
	return rbl_sub_d(rbl_to_d(rbl_polyhedron_vertex(p, vertex)), origin);
}

// Add a mass of its own with these second moments, xx in x.x, about `at`.
static void add_second(moments *m, double volume, rbl_vec3d at, rbl_vec3d first, rbl_mat3d second)
{
	m->volume += volume;
	m->first = rbl_add_d(rbl_add_scaled_d(m->first, volume, at), first);
	m->xx += second.x.x + 2.0 * at.x * first.x + volume * at.x * at.x;
	m->yy += second.y.y + 2.0 * at.y * first.y + volume * at.y * at.y;
	m->zz += second.z.z + 2.0 * at.z * first.z + volume * at.z * at.z;
	m->xy += second.x.y + at.x * first.y + at.y * first.x + volume * at.x * at.y;
	m->xz += second.x.z + at.x * first.z + at.z * first.x + volume * at.x * at.z;
	m->yz += second.y.z + at.y * first.z + at.z * first.y + volume * at.y * at.z;
}

static rbl_mat3d outer_product(rbl_vec3d a, rbl_vec3d b)
{
	return (rbl_mat3d){ rbl_scale_d(b.x, a), rbl_scale_d(b.y, a), rbl_scale_d(b.z, a) };
}

// A prism of height r on a triangle: three tetrahedra.
static void add_prism(moments *m, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, rbl_vec3d up)
{
	rbl_vec3d area = rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a));
	double volume = 0.5 * rbl_dot_d(area, up);
	rbl_vec3d middle = rbl_scale_d(1.0 / 3.0, rbl_add_d(a, rbl_add_d(b, c)));
	rbl_vec3d corners[3] = { rbl_sub_d(a, middle), rbl_sub_d(b, middle), rbl_sub_d(c, middle) };
	rbl_mat3d second = rbl_mat_scale_d(volume / 12.0, outer_product(up, up));
	for (int i = 0; i < 3; ++i)
		second = rbl_mat_add_d(
			second, rbl_mat_scale_d(volume / 12.0, outer_product(corners[i], corners[i])));
	add_second(m, volume, rbl_add_scaled_d(middle, 0.5, up), (rbl_vec3d){ 0.0, 0.0, 0.0 }, second);
}

// A sector of a cylinder around an edge, between the normals beside it.
static void add_edge_sector(moments *m, rbl_vec3d tail, rbl_vec3d head, rbl_vec3d left,
                            rbl_vec3d right, double r)
{
	rbl_vec3d line = rbl_sub_d(head, tail), middle = rbl_add_d(left, right);
	double length = rbl_length_d(line), size = rbl_length_d(middle);
	if (!(length > 0.0) || !(size > 0.0))
		return;
	double half = rbl_atan2(rbl_length_d(rbl_cross_d(left, right)), 1.0 + rbl_dot_d(left, right));
	double sine, cosine;
	rbl_sin_cos(half, &sine, &cosine);
	rbl_vec3d u = rbl_scale_d(1.0 / size, middle), axis = rbl_scale_d(1.0 / length, line);
	rbl_vec3d v = rbl_cross_d(axis, u);
	double volume = half * r * r * length, r4 = 0.25 * r * r * r * r * length;
	rbl_mat3d second = rbl_mat_scale_d(volume * length * length / 12.0, outer_product(axis, axis));
	second =
		rbl_mat_add_d(second, rbl_mat_scale_d(r4 * (half + sine * cosine), outer_product(u, u)));
	second =
		rbl_mat_add_d(second, rbl_mat_scale_d(r4 * (half - sine * cosine), outer_product(v, v)));
	add_second(m, volume, rbl_scale_d(0.5, rbl_add_d(tail, head)),
	           rbl_scale_d(2.0 / 3.0 * r * r * r * sine * length, u), second);
}

// The arcs of a vertex's spherical polygon: an edge has the normals to the left and right of it at
// both ends, the polygon of its head beyond them along the edge, that of its tail the other way.
static void add_arc(rbl_vec3d *first, rbl_mat3d *second, rbl_vec3d from, rbl_vec3d to)
{
	rbl_vec3d cross = rbl_cross_d(from, to);
	double sine = rbl_length_d(cross);
	if (!(sine > 0.0))
		return;
	rbl_vec3d pole = rbl_scale_d(1.0 / sine, cross); // the polygon is on this side
	*first = rbl_add_scaled_d(*first, 0.5 * rbl_atan2(sine, rbl_dot_d(from, to)), pole);
	rbl_vec3d along = rbl_cross_d(pole, rbl_sub_d(from, to)); // integral of n along the arc
	*second = rbl_mat_add_d(*second,
	                        rbl_mat_scale_d(1.0 / 6.0, rbl_mat_add_d(outer_product(along, pole),
	                                                                 outer_product(pole, along))));
}

static double corner_angle(const rbl_polyhedron *p, int face, int k, rbl_vec3d origin)
{
	int begin = p->face_starts[face], end = p->face_starts[face + 1];
	rbl_vec3d at = vertex_from(p, p->corners[k], origin);
	rbl_vec3d to = vertex_from(p, p->corners[k + 1 < end ? k + 1 : begin], origin);
	rbl_vec3d from = vertex_from(p, p->corners[k > begin ? k - 1 : end - 1], origin);
	rbl_vec3d a = rbl_sub_d(to, at), b = rbl_sub_d(from, at);
	return rbl_atan2(rbl_length_d(rbl_cross_d(a, b)), rbl_dot_d(a, b));
}

static void add_vertex_sector(moments *m, const rbl_polyhedron *p, int vertex, rbl_vec3d origin)
{
	double area = 2.0 * PI, r = (double)p->radius;
	rbl_vec3d first = { 0.0, 0.0, 0.0 };
	rbl_mat3d second = diagonal(0.0, 0.0, 0.0);
	for (int f = 0; f < p->face_count; ++f)
		for (int k = p->face_starts[f]; k < p->face_starts[f + 1]; ++k)
			area -= p->corners[k] == vertex ? corner_angle(p, f, k, origin) : 0.0;
	for (int e = 0; e < p->edge_count; ++e) {
		rbl_polyhedron_edge edge = p->edge_list[e];
		rbl_vec3d left = rbl_to_d(rbl_polyhedron_normal(p, edge.left));
		rbl_vec3d right = rbl_to_d(rbl_polyhedron_normal(p, edge.right));
		if (edge.head == vertex)
			add_arc(&first, &second, left, right);
		else if (edge.tail == vertex)
			add_arc(&first, &second, right, left);
	}
	second = rbl_mat_add_d(second, diagonal(area / 3.0, area / 3.0, area / 3.0));
	double r3 = r * r * r;
	add_second(m, area * r3 / 3.0, vertex_from(p, vertex, origin),
	           rbl_scale_d(0.25 * r3 * r, first), rbl_mat_scale_d(0.2 * r3 * r * r, second));
}

static void add_rounding(moments *m, const rbl_polyhedron *p, rbl_vec3d origin)
{
	double r = (double)p->radius;
	for (int f = 0; f < p->face_count; ++f) {
		int begin = p->face_starts[f], end = p->face_starts[f + 1];
		rbl_vec3d up = rbl_scale_d(r, rbl_to_d(rbl_polyhedron_normal(p, f)));
		for (int i = begin + 1; i + 1 < end; ++i)
			add_prism(m, vertex_from(p, p->corners[begin], origin),
			          vertex_from(p, p->corners[i], origin),
			          vertex_from(p, p->corners[i + 1], origin), up);
	}
	for (int e = 0; e < p->edge_count; ++e) {
		rbl_polyhedron_edge edge = p->edge_list[e];
		add_edge_sector(m, vertex_from(p, edge.tail, origin), vertex_from(p, edge.head, origin),
		                rbl_to_d(rbl_polyhedron_normal(p, edge.left)),
		                rbl_to_d(rbl_polyhedron_normal(p, edge.right)), r);
	}
	for (int v = 0; v < p->vertex_count; ++v)
		add_vertex_sector(m, p, v, origin);
}

static rbl_mass polyhedron_mass(const rbl_polyhedron *p)
{
	rbl_vec3d origin = rbl_to_d(rbl_polyhedron_vertex(p, 0));
	moments m = { .volume = 0.0 };
	for (int f = 0; f < p->face_count; ++f) {
		int begin = p->face_starts[f], end = p->face_starts[f + 1];
		rbl_vec3d a = vertex_from(p, p->corners[begin], origin);
		for (int i = begin + 1; i + 1 < end; ++i)
			add_tetrahedron(&m, a, vertex_from(p, p->corners[i], origin),
			                vertex_from(p, p->corners[i + 1], origin));
	}
	if (p->radius > 0.0f)
		add_rounding(&m, p, origin);
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

double rbl_mesh_collider_volume(const rbl_collider *collider)
{
	double volume = 0.0;
	rbl_vec3d origin = rbl_to_d(rbl_box_centre(collider->box));
	for (int i = 0; i < collider->child_count; ++i) {
		rbl_vec3 p[3];
		rbl_collider_triangle(collider, i, p);
		rbl_vec3d a = rbl_sub_d(rbl_to_d(p[0]), origin), b = rbl_sub_d(rbl_to_d(p[1]), origin);
		volume += rbl_dot_d(a, rbl_cross_d(b, rbl_sub_d(rbl_to_d(p[2]), origin))) / 6.0;
	}
	return rbl_maxd(volume, 0.0);
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
	if (polyhedron->revolution)
		return revolution_mass(polyhedron->revolution);
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
