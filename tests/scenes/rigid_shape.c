// SPDX-License-Identifier: MIT
//
// Shapes of rigid scenes: hulls by trying all triples of points, mass by summing tetrahedra over
// the origin, the principal frame by Jacobi's rotations. All of it is plain arithmetic and roots,
// and shares nothing with the library, because these shapes are also what the reference uses.

#include "scenes/rigid.h"

#include "base/random.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

static const double DENSITY = 1000.0;

// A face's plane from its corners, and the edges seen once.
static void finish_faces(rigid_shape *shape)
{
	shape->edge_count = 0;
	for (int f = 0; f < shape->face_count; ++f) {
		int first = shape->face_starts[f], count = shape->face_starts[f + 1] - first;
		const int *corners = shape->corners + first;
		rbl_vec3d sum = { 0.0, 0.0, 0.0 }, origin = shape->vertices[corners[0]];
		for (int k = 0; k < count; ++k) {
			int a = corners[k], b = corners[(k + 1) % count];
			sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(shape->vertices[a], origin),
			                                 rbl_sub_d(shape->vertices[b], origin)));
			if (a < b) {
				shape->edges[shape->edge_count][0] = a;
				shape->edges[shape->edge_count++][1] = b;
			}
		}
		rbl_vec3d normal = rbl_normalize_d(sum);
		shape->planes[f] = (rbl_planed){ normal, rbl_dot_d(normal, origin) };
	}
}

// Volume, centre and second moments of the solid; `moments` is the integral of x y^T.
static double integrate(const rigid_shape *shape, rbl_vec3d *centre, double moments[3][3])
{
	double volume = 0.0;
	*centre = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	memset(moments, 0, 9 * sizeof(double));
	for (int f = 0; f < shape->face_count; ++f) {
		for (int k = shape->face_starts[f] + 1; k + 1 < shape->face_starts[f + 1]; ++k) {
			rbl_vec3d p[3] = { shape->vertices[shape->corners[shape->face_starts[f]]],
				               shape->vertices[shape->corners[k]],
				               shape->vertices[shape->corners[k + 1]] };
			double six = rbl_dot_d(p[0], rbl_cross_d(p[1], p[2]));
			rbl_vec3d sum = rbl_add_d(rbl_add_d(p[0], p[1]), p[2]);
			volume += six / 6.0;
			*centre = rbl_add_scaled_d(*centre, six / 24.0, sum);
			for (int i = 0; i < 3; ++i) {
				for (int j = 0; j < 3; ++j) {
					double both = rbl_axis_d(sum, i) * rbl_axis_d(sum, j);
					for (int m = 0; m < 3; ++m)
						both += rbl_axis_d(p[m], i) * rbl_axis_d(p[m], j);
					moments[i][j] += six / 120.0 * both;
				}
			}
		}
	}
	*centre = rbl_scale_d(1.0 / volume, *centre);
	return volume;
}

// Turn the symmetric matrix into its diagonal; the columns of `turn` are the axes.
static void diagonalize(double m[3][3], double turn[3][3])
{
	memset(turn, 0, 9 * sizeof(double));
	turn[0][0] = turn[1][1] = turn[2][2] = 1.0;
	for (int sweep = 0; sweep < 40; ++sweep) {
		for (int p = 0; p < 2; ++p) {
			for (int q = p + 1; q < 3; ++q) {
				if (fabs(m[p][q]) < 1e-18)
					continue;
				double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
				double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
				double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
				for (int k = 0; k < 3; ++k) {
					double a = m[k][p], b = m[k][q];
					m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
				}
				for (int k = 0; k < 3; ++k) {
					double a = m[p][k], b = m[q][k];
					m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
					a = turn[k][p], b = turn[k][q];
					turn[k][p] = c * a - s * b, turn[k][q] = s * a + c * b;
				}
			}
		}
	}
}

// Move the vertices to the centre of mass, turn them into the principal frame when asked, and set
// mass and inertia. @return the centre
static rbl_vec3d finish_mass(rigid_shape *shape, double density, bool turns)
{
	rbl_vec3d centre;
	double moments[3][3], turn[3][3];
	double volume = integrate(shape, &centre, moments);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			moments[i][j] -= volume * rbl_axis_d(centre, i) * rbl_axis_d(centre, j);
	double trace = moments[0][0] + moments[1][1] + moments[2][2], inertia[3][3];
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			inertia[i][j] = (i == j ? trace : 0.0) - moments[i][j];
	memset(turn, 0, sizeof turn);
	turn[0][0] = turn[1][1] = turn[2][2] = 1.0;
	if (turns)
		diagonalize(inertia, turn);
	rbl_vec3d x = { turn[0][0], turn[1][0], turn[2][0] };
	rbl_vec3d y = { turn[0][1], turn[1][1], turn[2][1] };
	rbl_vec3d z = rbl_cross_d(x, y); // right-handed whatever the sweeps gave
	for (int v = 0; v < shape->vertex_count; ++v) {
		rbl_vec3d p = rbl_sub_d(shape->vertices[v], centre);
		shape->vertices[v] = (rbl_vec3d){ rbl_dot_d(x, p), rbl_dot_d(y, p), rbl_dot_d(z, p) };
	}
	shape->mass = density * volume;
	shape->inertia =
		rbl_scale_d(density, (rbl_vec3d){ inertia[0][0], inertia[1][1], inertia[2][2] });
	return centre;
}

// Faces of the hull: triples that have all other points on one side. Points are in general position.
static bool hull_of(rigid_shape *shape, const rbl_vec3d *points, int count)
{
	int numbers[RIGID_MAX_VERTICES];
	memset(numbers, 0xff, sizeof numbers);
	shape->face_count = 0, shape->vertex_count = 0;
	for (int i = 0; i < count; ++i) {
		for (int j = i + 1; j < count; ++j) {
			for (int k = j + 1; k < count; ++k) {
				rbl_vec3d n =
					rbl_cross_d(rbl_sub_d(points[j], points[i]), rbl_sub_d(points[k], points[i]));
				int above = 0, below = 0;
				for (int m = 0; m < count; ++m) {
					double side = rbl_dot_d(n, rbl_sub_d(points[m], points[i]));
					if (m != i && m != j && m != k)
						side > 0.0 ? above++ : below++;
				}
				if (above > 0 && below > 0)
					continue;
				if (shape->face_count == RIGID_MAX_FACES)
					return false;
				int *corners = shape->corners + 3 * shape->face_count++;
				corners[0] = i, corners[1] = above > 0 ? k : j, corners[2] = above > 0 ? j : k;
				numbers[i] = numbers[j] = numbers[k] = 0;
			}
		}
	}
	for (int i = 0; i < count; ++i) {
		if (numbers[i] == 0) {
			numbers[i] = shape->vertex_count;
			shape->vertices[shape->vertex_count++] = points[i];
		}
	}
	for (int c = 0; c < 3 * shape->face_count; ++c)
		shape->corners[c] = numbers[shape->corners[c]];
	for (int f = 0; f <= shape->face_count; ++f)
		shape->face_starts[f] = 3 * f;
	return shape->face_count == 2 * shape->vertex_count - 4;
}

void rigid_random_hull(rigid_shape *shape, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_vec3d points[RIGID_MAX_VERTICES];
	memset(shape, 0, sizeof *shape);
	do {
		rbl_vec3d half =
			rbl_random_in_box(&random, (rbl_boxd){ { 0.2, 0.2, 0.2 }, { 0.3, 0.3, 0.3 } });
		for (int i = 0; i < RIGID_MAX_VERTICES; ++i) {
			rbl_vec3d p = rbl_normalize_d(rbl_random_in_ball(&random));
			points[i] = rbl_scale_d(rbl_random_range(&random, 0.9, 1.1), rbl_mul_d(half, p));
		}
	} while (!hull_of(shape, points, RIGID_MAX_VERTICES));
	finish_mass(shape, DENSITY, true);
	finish_faces(shape);
}

rbl_vec3d rigid_hexahedron(rigid_shape *shape, const rbl_vec3d vertices[8], double density)
{
	static const int corners[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
		                               { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
	memset(shape, 0, sizeof *shape);
	shape->vertex_count = 8, shape->face_count = 6;
	memcpy(shape->vertices, vertices, 8 * sizeof vertices[0]);
	memcpy(shape->corners, corners, sizeof corners);
	for (int f = 0; f <= 6; ++f)
		shape->face_starts[f] = 4 * f;
	rbl_vec3d centre = finish_mass(shape, density, false);
	finish_faces(shape);
	return centre;
}

void rigid_box(rigid_shape *shape, rbl_vec3d half, double density)
{
	rbl_vec3d vertices[8];
	for (int i = 0; i < 8; ++i)
		vertices[i] = (rbl_vec3d){ i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
			                       i & 4 ? half.z : -half.z };
	rigid_hexahedron(shape, vertices, density);
	shape->is_box = true;
	shape->half = half;
}

void rigid_ball(rigid_shape *shape, double radius, double mass)
{
	memset(shape, 0, sizeof *shape);
	double inertia = 0.4 * mass * radius * radius;
	shape->radius = radius, shape->mass = mass;
	shape->inertia = (rbl_vec3d){ inertia, inertia, inertia };
}
