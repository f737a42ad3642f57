// SPDX-License-Identifier: MIT
//
// Coordinates of nodes of a scene.

#include "node_transform.h"

#include <math.h>
#include <stdlib.h>

placement node_placement(const rbl_scene_node *node)
{
	placement p;
	if (node->matrix) {
		for (int i = 0; i < 12; ++i)
			p.m[i / 4][i % 4] = (double)node->matrix[4 * (i % 4) + i / 4];
		return p;
	}
	double x = (double)node->rotation.x, y = (double)node->rotation.y, z = (double)node->rotation.z,
		   w = (double)node->rotation.w;
	const double r[3][3] = {
		{ 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w) },
		{ 2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w) },
		{ 2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y) },
	};
	const double scale[3] = { (double)node->scale.x, (double)node->scale.y, (double)node->scale.z };
	const double move[3] = { (double)node->translation.x, (double)node->translation.y,
		                     (double)node->translation.z };
	for (int i = 0; i < 3; ++i) {
		for (int k = 0; k < 3; ++k)
			p.m[i][k] = r[i][k] * scale[k];
		p.m[i][3] = move[i];
	}
	return p;
}

placement join_placements(const placement *a, const placement *b)
{
	placement p;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 4; ++k) {
			p.m[i][k] = k == 3 ? a->m[i][3] : 0.0;
			for (int n = 0; n < 3; ++n)
				p.m[i][k] += a->m[i][n] * b->m[n][k];
		}
	return p;
}

static double minor(const placement *p, int i, int k)
{
	int a = (i + 1) % 3, b = (i + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
	return p->m[a][c] * p->m[b][d] - p->m[a][d] * p->m[b][c];
}

double placement_determinant(const placement *p)
{
	return p->m[0][0] * minor(p, 0, 0) + p->m[0][1] * minor(p, 0, 1) + p->m[0][2] * minor(p, 0, 2);
}

placement scene_placement(const rbl_scene *scene, int node)
{
	placement p = { { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } } };
	for (int i = node; i >= 0; i = scene->nodes[i].parent) {
		placement own = node_placement(&scene->nodes[i]);
		p = join_placements(&own, &p);
	}
	return p;
}

rbl_vec3d place_point(const placement *p, rbl_vec3d point)
{
	double to[3];
	for (int i = 0; i < 3; ++i)
		to[i] = p->m[i][0] * point.x + p->m[i][1] * point.y + p->m[i][2] * point.z + p->m[i][3];
	return (rbl_vec3d){ to[0], to[1], to[2] };
}

rbl_convex *place_convex(const placement *p, const rbl_convex *convex)
{
	rbl_convex_data data = rbl_convex_get_data(convex);
	rbl_convex_def def = rbl_default_convex_def();
	rbl_planed *planes = malloc((size_t)data.face_count * sizeof *planes + 1);
	rbl_convex *placed = NULL;
	double sign = placement_determinant(p) < 0.0 ? -1.0 : 1.0;
	def.box = (rbl_boxd){ { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
	for (int f = 0; planes && f < data.face_count; ++f) {
		const rbl_vec3d from = data.planes[f].normal;
		double n[3], square = 0.0;
		for (int i = 0; i < 3; ++i) {
			n[i] = sign *
			       (minor(p, i, 0) * from.x + minor(p, i, 1) * from.y + minor(p, i, 2) * from.z);
			square += n[i] * n[i];
		}
		double scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
		rbl_vec3d at = place_point(p, data.vertices[data.corner_vertices[data.face_starts[f]]]);
		planes[f].normal = (rbl_vec3d){ scale * n[0], scale * n[1], scale * n[2] };
		planes[f].offset = scale * (n[0] * at.x + n[1] * at.y + n[2] * at.z);
	}
	for (int v = 0; v < data.vertex_count; ++v) {
		rbl_vec3d at = place_point(p, data.vertices[v]);
		def.box.lower = (rbl_vec3d){ fmin(def.box.lower.x, at.x), fmin(def.box.lower.y, at.y),
			                         fmin(def.box.lower.z, at.z) };
		def.box.upper = (rbl_vec3d){ fmax(def.box.upper.x, at.x), fmax(def.box.upper.y, at.y),
			                         fmax(def.box.upper.z, at.z) };
	}
	// The box is there for the search alone, and must not cut.
	double more = def.box.upper.x - def.box.lower.x + def.box.upper.y - def.box.lower.y +
	              def.box.upper.z - def.box.lower.z;
	def.box.lower.x -= more, def.box.lower.y -= more, def.box.lower.z -= more;
	def.box.upper.x += more, def.box.upper.y += more, def.box.upper.z += more;
	def.planes = planes, def.plane_count = data.face_count;
	if (planes && more > 0.0)
		rbl_create_convex(&def, &placed);
	free(planes);
	return placed;
}

rbl_mass place_mass(const placement *p, const rbl_mass *mass)
{
	const rbl_mat3d *m = &mass->inertia;
	double inertia[3][3] = { { m->x.x, m->y.x, m->z.x },
		                     { m->x.y, m->y.y, m->z.y },
		                     { m->x.z, m->y.z, m->z.z } };
	double size = fabs(placement_determinant(p)), made[3][3];
	// Second moments follow the map on both sides; the inertia is their trace less them.
	double half = 0.5 * (inertia[0][0] + inertia[1][1] + inertia[2][2]), trace = 0.0;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k) {
			made[i][k] = 0.0;
			for (int a = 0; a < 3; ++a)
				for (int b = 0; b < 3; ++b)
					made[i][k] +=
						size * p->m[i][a] * p->m[k][b] * ((a == b ? half : 0.0) - inertia[a][b]);
			trace += i == k ? made[i][k] : 0.0;
		}
	for (int i = 0; i < 9; ++i)
		made[i / 3][i % 3] = (i / 3 == i % 3 ? trace : 0.0) - made[i / 3][i % 3];
	return (rbl_mass){ size * mass->volume,
		               place_point(p, mass->centre),
		               { { made[0][0], made[1][0], made[2][0] },
		                 { made[0][1], made[1][1], made[2][1] },
		                 { made[0][2], made[1][2], made[2][2] } } };
}

rbl_result place_mesh(const rbl_mesh *mesh, const placement *p, rbl_mesh **placed)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3d *positions = malloc((size_t)def.data.vertex_count * sizeof *positions + 1);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals + 1);
	rbl_result result = positions && normals ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int v = 0; result == RBL_OK && v < def.data.vertex_count; ++v)
		positions[v] = place_point(p, def.data.positions[v]);
	for (int c = 0; result == RBL_OK && def.data.corner_normals && c < def.data.corner_count; ++c) {
		const rbl_vec3 from = def.data.corner_normals[c];
		double to[3], square = 0.0;
		for (int i = 0; i < 3; ++i) {
			to[i] = minor(p, i, 0) * (double)from.x + minor(p, i, 1) * (double)from.y +
			        minor(p, i, 2) * (double)from.z;
			square += to[i] * to[i];
		}
		double length = square > 0.0 ? sqrt(square) : 1.0;
		normals[c] =
			(rbl_vec3){ (float)(to[0] / length), (float)(to[1] / length), (float)(to[2] / length) };
	}
	bool is_moved = true;
	for (int i = 0; i < 9; ++i)
		is_moved &= p->m[i / 3][i % 3] == (i / 3 == i % 3 ? 1.0 : 0.0);
	if (!is_moved) {
		def.data.attribute_count = def.data.attribute_width = 0;
		def.data.corner_attributes = NULL;
	}
	def.data.positions = positions;
	if (def.data.corner_normals)
		def.data.corner_normals = normals;
	if (result == RBL_OK)
		result = rbl_create_mesh(&def, placed);
	free(positions);
	free(normals);
	return result;
}

double point_to_node(const rbl_scene_node *node, double *p)
{
	placement t = node_placement(node);
	double a[3], b[3], c[3], q[3];
	for (int i = 0; i < 3; ++i)
		a[i] = t.m[i][0], b[i] = t.m[i][1], c[i] = t.m[i][2], q[i] = p[i] - t.m[i][3];
	double bc[3] = { b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
		             b[0] * c[1] - b[1] * c[0] };
	double ca[3] = { c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2],
		             c[0] * a[1] - c[1] * a[0] };
	double ab[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
		             a[0] * b[1] - a[1] * b[0] };
	double determinant = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
	if (determinant == 0.0)
		return 0.0;
	p[0] = (bc[0] * q[0] + bc[1] * q[1] + bc[2] * q[2]) / determinant;
	p[1] = (ca[0] * q[0] + ca[1] * q[1] + ca[2] * q[2]) / determinant;
	p[2] = (ab[0] * q[0] + ab[1] * q[1] + ab[2] * q[2]) / determinant;
	return determinant;
}
