// SPDX-License-Identifier: MIT
// rbl_mesh_check(): each field of the report says what the header says.

#include "faulty_allocator.h"
#include "geometry/sample_meshes.h"
#include "test.h"

static sample s;
static const rbl_vec3d zero = { 0, 0, 0 }, one = { 1, 1, 1 }, two = { 2, 2, 2 };

static rbl_mesh_report report_of(test *t)
{
	rbl_mesh *mesh = sample_mesh(&s);
	rbl_mesh_report report;
	CHECK(t, rbl_mesh_check(mesh, &report) == RBL_OK);
	rbl_destroy_mesh(mesh);
	memset(&s, 0, sizeof s); // the next sample starts from nothing
	return report;
}

static void a_box_is_whole(test *t)
{
	sample_box(&s, zero, two);
	rbl_mesh_report r = report_of(t);
	CHECK(t, r.vertices == 8 && r.faces == 6 && r.triangles == 12 && r.components == 1);
	CHECK(t, r.boundary_edges == 0 && r.nonmanifold_edges == 0 && r.nonmanifold_vertices == 0);
	CHECK(t, r.loose_vertices == 0 && r.degenerate_faces == 0 && r.duplicate_faces == 0);
	CHECK(t, r.is_closed && r.is_manifold && r.is_oriented && r.genus == 0);
	CHECK_NEAR(t, r.volume, 8.0, 1e-14);
}

static void an_empty_mesh_has_nothing_wrong(test *t)
{
	rbl_mesh_report r = report_of(t);
	CHECK(t, r.is_closed && r.is_manifold && r.is_oriented && r.genus == 0 && r.components == 0);
}

static void handles_are_counted(test *t)
{
	sample_torus(&s, 2.0, 0.5, 12, 8);
	CHECK(t, report_of(t).genus == 1);
	sample_torus(&s, 2.0, 0.5, 12, 8);
	sample_torus(&s, 8.0, 0.5, 30, 8);
	sample_sphere(&s, zero, 0.5, 6, 8);
	rbl_mesh_report r = report_of(t);
	CHECK(t, r.genus == 2 && r.components == 3);
}

static void holes_and_flips_are_seen(test *t)
{
	sample_box(&s, zero, one);
	sample_remove_face(&s, 1);
	rbl_mesh_report r = report_of(t);
	CHECK(t, r.boundary_edges == 4 && !r.is_closed && r.is_manifold && r.is_oriented);
	CHECK(t, r.genus == -1 && r.volume == 0.0);

	sample_box(&s, zero, one);
	sample_flip_face(&s, 1);
	r = report_of(t);
	CHECK(t, r.nonmanifold_edges == 4 && r.is_closed && !r.is_manifold && !r.is_oriented);
	CHECK(t, r.genus == -1);

	sample_box(&s, zero, one);
	for (int f = 0; f < 6; ++f)
		sample_flip_face(&s, f);
	r = report_of(t);
	CHECK(t, r.is_oriented && r.is_manifold && r.genus == 0);
	CHECK_NEAR(t, r.volume, -1.0, 1e-15);
}

// Two boxes that share vertex 7 = 8, or the edge 6-7 = 8-9.
static void shared_vertices_and_edges_are_not_manifold(test *t)
{
	sample_box(&s, zero, one);
	sample_box(&s, one, two);
	for (int c = 24; c < 48; ++c)
		if (s.corners[c] == 8)
			s.corners[c] = 7;
	rbl_mesh_report r = report_of(t);
	CHECK(t, r.nonmanifold_vertices == 1 && r.nonmanifold_edges == 0 && r.loose_vertices == 1);
	CHECK(t, r.components == 1 && r.is_closed && !r.is_manifold && r.is_oriented && r.genus == -1);

	sample_box(&s, zero, one);
	sample_box(&s, (rbl_vec3d){ 0, 1, 1 }, (rbl_vec3d){ 1, 2, 2 });
	for (int c = 24; c < 48; ++c)
		if (s.corners[c] == 8 || s.corners[c] == 9)
			s.corners[c] -= 2;
	r = report_of(t);
	CHECK(t, r.nonmanifold_edges == 1 && r.nonmanifold_vertices == 2 && r.is_closed);
	CHECK(t, !r.is_manifold && !r.is_oriented);
}

static void degenerate_and_duplicate_faces_are_counted(test *t)
{
	for (int i = 0; i < 6; ++i)
		sample_vertex(&s, i, i == 5, 0);
	sample_vertex(&s, 0, 0, 0);
	sample_triangle(&s, 0, 1, 5);
	sample_triangle(&s, 5, 0, 1); // the same, from another corner
	sample_triangle(&s, 5, 1, 0); // the other way round
	sample_quad(&s, 0, 1, 3, 5);  // fine
	sample_quad(&s, 3, 1, 0, 5);  // that one back
	sample_quad(&s, 0, 3, 1, 5);  // the same vertices in another order: not the same
	sample_triangle(&s, 0, 1, 2); // on a line
	sample_quad(&s, 0, 1, 3, 2);  // on a line
	sample_triangle(&s, 0, 6, 5); // two at one place
	sample_quad(&s, 0, 6, 0, 6);  // all at one place, and repeated
	sample_triangle(&s, 0, 0, 5); // a repeated vertex
	sample_face(&s, (int[5]){ 0, 1, 2, 5, 1 }, 5); // a repeated vertex that is no neighbour
	rbl_mesh_report r = report_of(t);
	CHECK(t, r.degenerate_faces == 6);
	CHECK(t, r.duplicate_faces == 3);
	CHECK(t, r.loose_vertices == 1);
}

// Exactly on a line or not is decided without rounding.
static void a_sliver_of_one_bit_is_not_degenerate(test *t)
{
	sample_vertex(&s, 0.1, 0.1, 0.1);
	sample_vertex(&s, 0.2, 0.2, 0.2);
	sample_vertex(&s, 0.3, 0.3, nextafter(0.3, 1.0));
	sample_vertex(&s, 0.3, 0.3, 0.3);
	sample_triangle(&s, 0, 1, 2);
	CHECK(t, report_of(t).degenerate_faces == 0);
	sample_vertex(&s, 0.1, 0.1, 0.1);
	sample_vertex(&s, 0.2, 0.2, 0.2);
	sample_vertex(&s, 0.3, 0.3, 0.3);
	sample_triangle(&s, 0, 1, 2);
	CHECK(t, report_of(t).degenerate_faces == 1);
}

static void many_copies_of_a_face_are_no_trap(test *t)
{
	for (int i = 0; i < 4; ++i)
		sample_vertex(&s, i & 1, i >> 1, 0);
	for (int f = 0; f < 50000; ++f)
		sample_triangle(&s, f % 2, (f + 1) % 2, 2);
	rbl_mesh_report r = report_of(t);
	CHECK(t, r.duplicate_faces == 49999 && r.nonmanifold_edges == 3);
}

static void bad_arguments_and_failed_allocations_are_said(test *t)
{
	rbl_mesh_report r;
	CHECK(t, rbl_mesh_check(NULL, &r) == RBL_BAD_ARGUMENT);
	sample_box(&s, zero, one);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n + 1);
		rbl_mesh_def def = sample_def(&s);
		def.allocator = FAULTY(&memory);
		rbl_mesh *mesh;
		CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
		CHECK(t, rbl_mesh_check(mesh, NULL) == RBL_BAD_ARGUMENT);
		rbl_result result = rbl_mesh_check(mesh, &r);
		rbl_destroy_mesh(mesh);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n >= 5);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY && r.vertices == 0);
	}
}

TEST_MAIN(TEST(a_box_is_whole), TEST(an_empty_mesh_has_nothing_wrong), TEST(handles_are_counted),
          TEST(holes_and_flips_are_seen), TEST(shared_vertices_and_edges_are_not_manifold),
          TEST(degenerate_and_duplicate_faces_are_counted),
          TEST(a_sliver_of_one_bit_is_not_degenerate), TEST(many_copies_of_a_face_are_no_trap),
          TEST(bad_arguments_and_failed_allocations_are_said))
