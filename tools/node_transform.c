// SPDX-License-Identifier: MIT
//
// Coordinates of nodes of a scene.

#include "node_transform.h"

// A transform by columns: three axes and the origin.
typedef struct node_transform {
	double m[12];
} node_transform;

static node_transform local_transform(const rbl_scene_node *node)
{
	node_transform t;
	if (node->matrix) {
		for (int i = 0; i < 12; ++i)
			t.m[i] = (double)node->matrix[i / 3 * 4 + i % 3];
		return t;
	}
	double x = (double)node->rotation.x, y = (double)node->rotation.y, z = (double)node->rotation.z,
		   w = (double)node->rotation.w;
	double n = 2.0 / (x * x + y * y + z * z + w * w);
	const double columns[9] = {
		1.0 - n * (y * y + z * z), n * (x * y + w * z),       n * (x * z - w * y),
		n * (x * y - w * z),       1.0 - n * (x * x + z * z), n * (y * z + w * x),
		n * (x * z + w * y),       n * (y * z - w * x),       1.0 - n * (x * x + y * y),
	};
	for (int i = 0; i < 9; ++i)
		t.m[i] = columns[i] * (double)(&node->scale.x)[i / 3];
	for (int i = 0; i < 3; ++i)
		t.m[9 + i] = (double)(&node->translation.x)[i];
	return t;
}

double point_to_node(const rbl_scene_node *node, double *p)
{
	node_transform t = local_transform(node);
	const double *a = t.m, *b = t.m + 3, *c = t.m + 6;
	double q[3] = { p[0] - t.m[9], p[1] - t.m[10], p[2] - t.m[11] };
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
