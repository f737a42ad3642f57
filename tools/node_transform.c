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

rbl_result place_mesh(const rbl_mesh *mesh, const placement *p, rbl_mesh **placed)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3d *positions = malloc((size_t)def.data.vertex_count * sizeof *positions + 1);
	rbl_vec3 *normals = malloc((size_t)def.data.corner_count * sizeof *normals + 1);
	rbl_result result = positions && normals ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int v = 0; result == RBL_OK && v < def.data.vertex_count; ++v) {
		const rbl_vec3d from = def.data.positions[v];
		double to[3];
		for (int i = 0; i < 3; ++i)
			to[i] = p->m[i][0] * from.x + p->m[i][1] * from.y + p->m[i][2] * from.z + p->m[i][3];
		positions[v] = (rbl_vec3d){ to[0], to[1], to[2] };
	}
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
