// SPDX-License-Identifier: MIT
//
// Tetrahedral meshing of a closed surface: isosurface stuffing, then a check of what was lost.
//
// A lattice of a given step does not see what is thinner. Two checks find it. Samples all over
// the mesh must lie near the boundary of the tetrahedra: a plate or a spike that vanished does
// not. And the boundary must have the components and handles of the mesh: a wall of about one
// step survives as a sieve, which every sample is near to. When a check fails, the step is halved.

#include "base/log.h"
#include "base/vec.h"
#include "geometry/isosurface_stuffing.h"

#include <rubble/tets.h>

enum { FILL_COOKIE = 0x66696c6c };

rbl_fill_def rbl_default_fill_def(void)
{
	return (rbl_fill_def){
		.edge_length = 0.1, .loss_tolerance = 1.25, .refine_limit = 2, .cookie = FILL_COOKIE
	};
}

/// What is known about the mesh, and one filling of it.
typedef struct filling {
	rbl_allocator allocator;
	rbl_vec3d *corners; // three per triangle
	int triangle_count;
	const rbl_vec3d *vertices; // of the mesh
	int vertex_count;
	rbl_boxd box;
	double area;
	rbl_mesh_report mesh;
	rbl_triangle_grid grid;
	rbl_tets *tets;
	int overlap_count;
} filling;

static rbl_result check_fill_def(const rbl_fill_def *def)
{
	if (!def || def->cookie != FILL_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_fill_def()");
	if (!def->mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	if (!(def->edge_length > 0.0 && def->edge_length <= DBL_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT, "edge_length is %g, must be > 0", def->edge_length);
	if (!(def->loss_tolerance > 0.0 && def->loss_tolerance <= 100.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "loss_tolerance is %g, must be > 0 and at most 100",
		                def->loss_tolerance);
	if (def->refine_limit < 0 || def->refine_limit > 6)
		return rbl_fail(RBL_BAD_ARGUMENT, "refine_limit is %d, must be 0 to 6", def->refine_limit);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has only one of its functions");
	return RBL_OK;
}

/// Triangulate the mesh and see that it is closed.
static rbl_result read_mesh(filling *f, const rbl_mesh *mesh)
{
	rbl_result result = rbl_mesh_check(mesh, &f->mesh);
	if (result != RBL_OK)
		return result;
	if (f->mesh.faces == 0 || !f->mesh.is_closed || !f->mesh.is_oriented)
		return rbl_fail(RBL_BAD_MESH,
		                "the mesh is not closed and oriented: %d boundary edges, %d "
		                "non-manifold edges",
		                f->mesh.boundary_edges, f->mesh.nonmanifold_edges);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	f->triangle_count = rbl_mesh_triangle_count(mesh);
	f->vertices = data.positions;
	f->vertex_count = data.vertex_count;
	f->box = rbl_mesh_bounds(mesh);
	f->corners = RBL_NEW(&f->allocator, rbl_vec3d, 3 * (size_t)f->triangle_count);
	int *triangles = RBL_NEW(&f->allocator, int, 3 * (size_t)f->triangle_count);
	result =
		f->corners && triangles ? rbl_mesh_triangulate(mesh, triangles, NULL) : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < 3 * f->triangle_count && result == RBL_OK; ++i)
		f->corners[i] = data.positions[data.corner_vertices[triangles[i]]];
	for (int i = 0; i < f->triangle_count && result == RBL_OK; ++i) {
		const rbl_vec3d *t = f->corners + 3 * (size_t)i;
		f->area += 0.5 * rbl_length_d(rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0])));
	}
	RBL_FREE(&f->allocator, triangles, 3 * (size_t)f->triangle_count);
	return result;
}

/// Stuff the mesh at one step. f->tets is NULL when nothing of it was seen.
static rbl_result stuff(filling *f, double step)
{
	rbl_triangle_grid_destroy(&f->grid);
	rbl_destroy_tets(f->tets);
	f->tets = NULL;
	// Cells for a few triangles each, and neither coarser nor much finer than the lattice.
	double cell = rbl_clampd(2.0 * sqrt(f->area / f->triangle_count), 0.125 * step, step);
	if (!rbl_triangle_grid_create(&f->allocator, f->corners, f->triangle_count, cell, &f->grid))
		return RBL_OUT_OF_MEMORY;
	rbl_isosurface_stuffing stuffing = { 0 };
	rbl_result result = rbl_isosurface_stuff(&f->allocator, &f->grid, f->box, step, &stuffing);
	if (result == RBL_LIMIT_REACHED)
		rbl_fail(result, "edge length %g is too small for a mesh of this size", step);
	if (result == RBL_OK && stuffing.inside_out_count)
		result = rbl_fail(RBL_BAD_MESH, "the mesh is inside out");
	f->overlap_count = stuffing.overlap_count;
	if (result == RBL_OK && stuffing.tets.count) {
		rbl_tets_def def = rbl_default_tets_def();
		def.vertex_count = stuffing.positions.count;
		def.positions = stuffing.positions.data;
		def.tet_count = stuffing.tets.count / 4;
		def.tet_vertices = stuffing.tets.data;
		def.mend_orientation = true; // stencils do not care; a wrong one fails as a bad face
		def.allocator = f->allocator;
		result = rbl_create_tets(&def, &f->tets);
	}
	rbl_array_free(&f->allocator, &stuffing.tets);
	rbl_array_free(&f->allocator, &stuffing.positions);
	return result;
}

// --- what was lost ------------------------------------------------------------------------------

typedef struct sampler {
	const rbl_triangle_grid *grid; // of the other surface
	double step, tolerance, farthest;
	rbl_vec3d farthest_at;
	int lost_count;
} sampler;

static void take_sample(sampler *s, rbl_vec3d p)
{
	double distance = rbl_triangle_grid_distance(s->grid, p);
	s->lost_count += distance > s->tolerance;
	if (distance > s->farthest)
		s->farthest = distance, s->farthest_at = p;
}

/// Samples inside a triangle: the centres of n^2 parts, no longer than half a step.
static void sample_triangle(sampler *s, const rbl_vec3d t[3])
{
	double longest = rbl_maxd(rbl_distance_d(t[0], t[1]),
	                          rbl_maxd(rbl_distance_d(t[1], t[2]), rbl_distance_d(t[2], t[0])));
	int n = rbl_maxi(1, (int)ceil(2.0 * longest / s->step));
	rbl_vec3d u = rbl_scale_d(1.0 / n, rbl_sub_d(t[1], t[0]));
	rbl_vec3d v = rbl_scale_d(1.0 / n, rbl_sub_d(t[2], t[0]));
	for (int i = 0; i < n; ++i) {
		for (int k = 0; i + k < n; ++k) {
			rbl_vec3d p = rbl_add_scaled_d(rbl_add_scaled_d(t[0], i, u), k, v);
			take_sample(s, rbl_add_scaled_d(p, 1.0 / 3.0, rbl_add_d(u, v)));
			if (i + k + 1 < n)
				take_sample(s, rbl_add_scaled_d(p, 2.0 / 3.0, rbl_add_d(u, v)));
		}
	}
}

/// The corners of the boundary triangles, as a grid wants them.
static rbl_vec3d *boundary_corners(const filling *f)
{
	rbl_tets_data d = rbl_tets_get_data(f->tets);
	rbl_vec3d *corners = RBL_NEW(&f->allocator, rbl_vec3d, 3 * (size_t)d.boundary_face_count);
	for (int i = 0; corners && i < 3 * d.boundary_face_count; ++i)
		corners[i] = d.positions[d.boundary_vertices[d.boundary_triangles[i]]];
	return corners;
}

/// Distances both ways.
static rbl_result compare_surfaces(filling *f, double tolerance, rbl_fill_report *report)
{
	int face_count = rbl_tets_get_data(f->tets).boundary_face_count;
	rbl_vec3d *corners = boundary_corners(f);
	rbl_triangle_grid boundary = { 0 };
	if (!corners || !rbl_triangle_grid_create(&f->allocator, corners, face_count,
	                                          report->edge_length, &boundary)) {
		RBL_FREE(&f->allocator, corners, 3 * (size_t)face_count);
		return RBL_OUT_OF_MEMORY;
	}
	// The corners of the boundary were put on the mesh, so only its faces can stray.
	sampler out = { .grid = &f->grid, .step = report->edge_length, .tolerance = DBL_MAX };
	for (int i = 0; i < face_count; ++i)
		sample_triangle(&out, corners + 3 * (size_t)i);
	sampler back = { .grid = &boundary, .step = report->edge_length, .tolerance = tolerance };
	for (int i = 0; i < f->triangle_count; ++i)
		sample_triangle(&back, f->corners + 3 * (size_t)i);
	for (int i = 0; i < f->vertex_count; ++i)
		take_sample(&back, f->vertices[i]);
	report->boundary_distance = out.farthest;
	report->mesh_distance = back.farthest;
	report->lost_count = back.lost_count;
	report->lost_position = back.farthest_at;
	rbl_triangle_grid_destroy(&boundary);
	RBL_FREE(&f->allocator, corners, 3 * (size_t)face_count);
	return RBL_OK;
}

/// Components and handles.
static rbl_result compare_topology(filling *f, rbl_fill_report *report)
{
	rbl_mesh *boundary;
	rbl_result result = rbl_tets_create_boundary_mesh(f->tets, &f->allocator, &boundary);
	if (result != RBL_OK)
		return result;
	rbl_mesh_report shape;
	result = rbl_mesh_check(boundary, &shape);
	rbl_destroy_mesh(boundary);
	bool is_known = f->mesh.is_manifold && f->overlap_count == 0;
	report->topology_differs =
		is_known && (shape.components != f->mesh.components || shape.genus != f->mesh.genus);
	return result;
}

static rbl_result write_report(filling *f, double tolerance, rbl_fill_report *report)
{
	report->mesh_volume = f->mesh.volume;
	if (!f->tets) {
		report->lost_count = f->triangle_count;
		report->lost_position = f->corners[0];
		report->mesh_distance = rbl_length_d(rbl_box_size_d(f->box));
		report->topology_differs = true;
		return RBL_OK;
	}
	rbl_tets_quality quality = rbl_tets_get_quality(f->tets);
	report->tet_count = rbl_tets_get_data(f->tets).tet_count;
	report->smallest_angle = quality.smallest_angle;
	report->largest_angle = quality.largest_angle;
	report->volume = quality.volume;
	rbl_result result = compare_surfaces(f, tolerance, report);
	return result == RBL_OK ? compare_topology(f, report) : result;
}

// ------------------------------------------------------------------------------------------------

static rbl_result refuse_loss(const rbl_fill_report *report)
{
	rbl_vec3d at = report->lost_position;
	if (report->lost_count)
		return rbl_fail(RBL_BAD_MESH,
		                "edge length %g loses a part of the mesh near (%g %g %g), %g away",
		                report->edge_length, at.x, at.y, at.z, report->mesh_distance);
	return rbl_fail(
		RBL_BAD_MESH,
		"edge length %g tears or joins walls: components or handles differ, the mesh is "
		"farthest at (%g %g %g)",
		report->edge_length, at.x, at.y, at.z);
}

/// Halve the step until nothing is lost, or it may not be halved again.
static rbl_result fill_with_tets(filling *f, const rbl_fill_def *def, rbl_fill_report *report)
{
	double step = def->edge_length;
	for (int i = 0;; ++i, step *= 0.5) {
		*report = (rbl_fill_report){ .edge_length = step, .refine_count = i };
		rbl_result result = stuff(f, step);
		if (result == RBL_OK)
			result = write_report(f, def->loss_tolerance * step, report);
		if (result != RBL_OK)
			return result;
		bool is_whole = f->tets && !report->lost_count && !report->topology_differs;
		if (is_whole || (i == def->refine_limit && f->tets && def->allow_loss))
			return RBL_OK;
		if (i == def->refine_limit)
			return refuse_loss(report);
	}
}

rbl_result rbl_fill_mesh(const rbl_fill_def *def, rbl_tets **tets, rbl_fill_report *report)
{
	if (!tets)
		return rbl_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	*tets = NULL;
	rbl_fill_report own;
	report = report ? report : &own;
	*report = (rbl_fill_report){ 0 };
	rbl_result result = check_fill_def(def);
	if (result != RBL_OK)
		return result;
	filling f = { .allocator = rbl_allocator_or_default(&def->allocator) };
	result = read_mesh(&f, def->mesh);
	if (result == RBL_OK)
		result = fill_with_tets(&f, def, report);
	if (result == RBL_OK)
		*tets = f.tets;
	else
		rbl_destroy_tets(f.tets);
	rbl_triangle_grid_destroy(&f.grid);
	RBL_FREE(&f.allocator, f.corners, 3 * (size_t)f.triangle_count);
	return result;
}
