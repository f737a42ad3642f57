// SPDX-License-Identifier: MIT
//
// Star-shaped closed meshes from rings of latitude: the distance from the centre is a function of
// the direction, so that any resolution shows the same thing.

#include "tree_shapes.h"

#include "base/math.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *tree_memory(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);
	if (!memory) {
		fprintf(stderr, "tree: out of memory\n");
		exit(1);
	}
	return memory;
}

static double bump(rbl_vec3d direction, rbl_vec3d at, double height, double width)
{
	double d = rbl_length_squared_d(rbl_sub_d(direction, rbl_normalize_d(at)));
	return height / (1.0 + d * d / (width * width * width * width));
}

static double radius(tree_shape_kind kind, rbl_vec3d d)
{
	if (kind == TREE_CREATURE) {
		double r = 0.5;
		for (int leg = 0; leg < 4; ++leg)
			r +=
				bump(d, (rbl_vec3d){ leg & 1 ? 0.8 : -0.8, -0.9, leg & 2 ? 0.5 : -0.5 }, 0.45, 0.2);
		r += bump(d, (rbl_vec3d){ 1.0, 0.35, 0.0 }, 0.5, 0.35);
		r += bump(d, (rbl_vec3d){ 1.0, 0.75, 0.15 }, 0.3, 0.1);
		r += bump(d, (rbl_vec3d){ 1.0, 0.75, -0.15 }, 0.3, 0.1);
		r += bump(d, (rbl_vec3d){ -1.0, 0.2, 0.0 }, 0.7, 0.2);
		return r;
	}
	if (kind == TREE_PUMPKIN)
		return 0.5 + 0.04 * rbl_cos(10.0 * rbl_atan2(d.z, d.x)) * (1.0 - d.y * d.y);
	double dent = d.y > 0.0 ? 1.0 - d.y : 1.0 + d.y;
	return 0.5 - 0.12 * rbl_exp(-30.0 * dent);
}

// One closed surface of `segments` around and `rows` from pole to pole, scaled; inside out when
// `is_inner`.
static void add_surface(tree_shape *shape, tree_shape_kind kind, int segments, int rows,
                        double scale, bool is_inner)
{
	int first = shape->vertex_count, top = first, bottom = first + 1;
	const double pi = 3.14159265358979323846;
	for (int row = 0; row <= rows; ++row) {
		double sine, cosine;
		rbl_sin_cos(pi * row / rows, &sine, &cosine);
		bool is_pole = row == 0 || row == rows;
		for (int k = 0; k < (is_pole ? 1 : segments); ++k) {
			double s, c;
			rbl_sin_cos(2.0 * pi * (k + 0.5 * (row % 2)) / segments, &s, &c);
			rbl_vec3d d = is_pole ? (rbl_vec3d){ 0.0, row == 0 ? 1.0 : -1.0, 0.0 }
			                      : (rbl_vec3d){ sine * c, cosine, sine * s };
			int v = is_pole ? (row == 0 ? top : bottom) : first + 2 + (row - 1) * segments + k;
			shape->positions[v] = rbl_scale_d(scale * radius(kind, d), d);
		}
	}
	shape->vertex_count += 2 + (rows - 1) * segments;
	for (int row = 0; row < rows; ++row)
		for (int k = 0; k < segments; ++k) {
			int next = (k + 1) % segments;
			int a = row == 0 ? top : first + 2 + (row - 1) * segments + k;
			int b = row == 0 ? top : first + 2 + (row - 1) * segments + next;
			int c = row + 1 == rows ? bottom : first + 2 + row * segments + k;
			int d = row + 1 == rows ? bottom : first + 2 + row * segments + next;
			const int corners[2][3] = { { a, d, c }, { a, b, d } };
			for (int t = 0; t < 2; ++t) {
				if ((t == 0 && c == d) || (t == 1 && a == b))
					continue;
				int *out = shape->triangles + 3 * shape->triangle_count++;
				out[0] = corners[t][0];
				out[1] = corners[t][is_inner ? 2 : 1];
				out[2] = corners[t][is_inner ? 1 : 2];
			}
		}
}

tree_shape tree_shape_make(tree_shape_kind kind, int triangle_count)
{
	int surfaces = kind == TREE_APPLE ? 2 : 1;
	// 2 segments (rows - 1) triangles, nearly square quads on a sphere: segments = 2 rows.
	int rows = 4;
	while (4 * (rows + 1) * rows * surfaces <= triangle_count)
		rows++;
	int segments = triangle_count / (2 * (rows - 1) * surfaces);
	size_t room = (size_t)surfaces * 2 * (size_t)segments * (size_t)rows;
	tree_shape shape = { .positions = tree_memory(room, sizeof(rbl_vec3d)),
		                 .triangles = tree_memory(3 * room, sizeof(int)) };
	add_surface(&shape, kind, segments, rows, 1.0, false);
	if (kind == TREE_APPLE)
		add_surface(&shape, kind, segments, rows, 0.9, true);
	return shape;
}

void tree_shape_free(tree_shape *shape)
{
	free(shape->positions);
	free(shape->triangles);
	*shape = (tree_shape){ 0 };
}
