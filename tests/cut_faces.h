// SPDX-License-Identifier: MIT
// What cut faces have to be like so that they can be textured: texture coordinates that are flat, in
// metres, and go on over faces in one plane; normals of the faces, and tangents that follow.
#pragma once

#include "test.h"

#include <rubble/mesh.h>
#include <rubble/vec.h>

enum { MOST_CORNERS = 20000 };

/// A corner of a cut face.
typedef struct cut_corner {
	rbl_vec3d position, normal;
	rbl_vec2 uv;
} cut_corner;

typedef struct cut_corners {
	cut_corner items[MOST_CORNERS];
	int count, faces;
} cut_corners;

/// @return the normal of a face, twice as long as its area is large
static inline rbl_vec3d face_area(const rbl_mesh_data *d, int first, int end)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, o = d->positions[d->corner_vertices[first]];
	for (int k = first + 1; k + 1 < end; ++k)
		sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(d->positions[d->corner_vertices[k]], o),
		                                 rbl_sub_d(d->positions[d->corner_vertices[k + 1]], o)));
	return sum;
}

static inline void check_cut_face(test *t, const rbl_mesh_data *d, const rbl_vec4 *tangents,
                                  int first, int end, rbl_vec3d offset, double scale,
                                  cut_corners *all)
{
	rbl_vec3d area = face_area(d, first, end), normal = rbl_normalize_d(area);
	double longest = 0.0;
	for (int k = first; k < end; ++k)
		longest = rbl_maxd(longest, rbl_distance_d(d->positions[d->corner_vertices[k]],
		                                           d->positions[d->corner_vertices[first]]));
	// Files have positions in single precision: what is a millimetre thin has no normal of its own.
	bool is_sliver = rbl_length_d(area) < 2e-3 * longest;
	for (int k = first; k < end; ++k) {
		int next = k + 1 < end ? k + 1 : first;
		rbl_vec3d p = d->positions[d->corner_vertices[k]];
		rbl_vec2 a = d->corner_uv0[k], b = d->corner_uv0[next];
		double x = (double)(a.x - b.x), y = (double)(a.y - b.y);
		double length = rbl_distance_d(p, d->positions[d->corner_vertices[next]]);
		CHECK_NEAR(t, scale * sqrt(x * x + y * y), length, 1e-5);
		CHECK_NEAR(t, rbl_length(d->corner_normals[k]), 1.0f, 1e-4f);
		CHECK(t, is_sliver || rbl_distance_d(rbl_to_d(d->corner_normals[k]), normal) < 1e-4);
		rbl_vec3 tangent = { tangents[k].x, tangents[k].y, tangents[k].z };
		CHECK_NEAR(t, rbl_length(tangent), 1.0f, 1e-4f);
		CHECK_NEAR(t, rbl_dot(tangent, d->corner_normals[k]), 0.0f, 1e-3f);
		CHECK(t, fabsf(tangents[k].w) == 1.0f);
		if (all->count < MOST_CORNERS)
			all->items[all->count++] =
				(cut_corner){ rbl_add_d(p, offset), rbl_to_d(d->corner_normals[k]), a };
	}
	all->faces++;
}

/// Check the cut faces of a mesh, and add their corners.
/// @param offset  of the mesh
/// @param scale   metres per unit of texture
static inline void check_cut_mesh(test *t, const rbl_mesh *mesh, rbl_vec3d offset, double scale,
                                  cut_corners *all)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	CHECK(t, d.corner_uv0 && d.corner_normals && d.material_count >= 1);
	if (!d.corner_uv0 || !d.corner_normals || d.material_count < 1)
		return;
	rbl_vec4 *tangents = malloc((size_t)d.corner_count * sizeof *tangents + 1);
	CHECK(t, rbl_mesh_compute_tangents(mesh, tangents) == RBL_OK);
	for (int f = 0, first = 0, end; f < d.face_count; ++f, first = end) {
		end = d.face_starts ? d.face_starts[f + 1] : 3 * (f + 1);
		if (strcmp(d.materials[d.face_materials ? d.face_materials[f] : 0].name, "inner") == 0)
			check_cut_face(t, &d, tangents, first, end, offset, scale, all);
	}
	free(tangents);
}

/// Corners at one place whose faces are in one plane, whichever way they look, have one coordinate.
/// @param tolerance  how far apart places are that are one, in metres
/// @return how many pairs of them there are
static inline int check_seams(test *t, const cut_corners *all, double tolerance)
{
	int shared = 0, bad = 0;
	for (int i = 0; i < all->count; ++i)
		for (int k = i + 1; k < all->count; ++k) {
			const cut_corner *a = &all->items[i], *b = &all->items[k];
			if (rbl_distance_d(a->position, b->position) > tolerance ||
			    fabs(rbl_dot_d(a->normal, b->normal)) < 0.99999)
				continue;
			shared++;
			bad += fabsf(a->uv.x - b->uv.x) > 1e-4f || fabsf(a->uv.y - b->uv.y) > 1e-4f;
		}
	printf("%d faces, %d shared corners, %d that differ\n", all->faces, shared, bad);
	CHECK(t, bad == 0);
	return shared;
}
