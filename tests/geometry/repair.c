// SPDX-License-Identifier: MIT
// rbl_mesh_repair(): whatever is broken comes out closed, manifold and outward; what is whole
// comes out as it was.

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "faulty_allocator.h"
#include "geometry/sample_meshes.h"
#include "test.h"

static sample s;
static const rbl_vec3d zero = { 0, 0, 0 }, one = { 1, 1, 1 }, two = { 2, 2, 2 };

// Counts log lines, to see that errors are told.
static int log_lines;

static void count_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level, (void)text;
	++log_lines;
}

static void start(void)
{
	memset(&s, 0, sizeof s);
}

// Repair the sample with defaults and expect a sound result. @return its report.
static rbl_mesh_report mend(test *t, rbl_mesh_repair_report *done)
{
	rbl_mesh *mesh = sample_mesh(&s), *repaired;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_report report = { 0 };
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, done) == RBL_OK);
	CHECK(t, rbl_mesh_check(repaired, &report) == RBL_OK);
	CHECK(t, report.is_closed && report.is_manifold && report.is_oriented);
	CHECK(t, report.loose_vertices == 0);
	// What is sound stays as it is.
	rbl_mesh *again;
	rbl_mesh_repair_report nothing;
	CHECK(t, rbl_mesh_repair(repaired, &def, &again, &nothing) == RBL_OK && nothing.is_unchanged);
	rbl_destroy_mesh(again);
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(mesh);
	return report;
}

static void a_whole_mesh_is_copied_bit_for_bit(test *t)
{
	start();
	sample_torus(&s, 3.0, 1.0, 12, 7);
	sample_box(&s, (rbl_vec3d){ 10, 0, 0 }, (rbl_vec3d){ 11, 1, 1 });
	sample_box(&s, (rbl_vec3d){ 11, 1, 1 }, (rbl_vec3d){ 12, 2, 2 }); // touches: not welded
	sample_vertex(&s, 7, 7, 7);                                       // loose: stays
	rbl_mesh *mesh = sample_mesh(&s), *repaired;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report done;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, &done) == RBL_OK && done.is_unchanged);
	rbl_mesh_data a = rbl_mesh_get_data(mesh), b = rbl_mesh_get_data(repaired);
	CHECK(t, a.vertex_count == b.vertex_count && a.corner_count == b.corner_count);
	CHECK(t, !memcmp(a.positions, b.positions, (size_t)a.vertex_count * sizeof *a.positions));
	CHECK(t, !memcmp(a.face_starts, b.face_starts, (size_t)(a.face_count + 1) * sizeof(int)));
	CHECK(t, !memcmp(a.corner_vertices, b.corner_vertices, (size_t)a.corner_count * sizeof(int)));
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(mesh);
}

static void flat_holes_are_closed_as_they_were(test *t)
{
	for (int f = 0; f < 6; ++f) {
		start();
		sample_box(&s, zero, two);
		sample_remove_face(&s, f);
		rbl_mesh_repair_report done;
		rbl_mesh_report r = mend(t, &done);
		CHECK_NEAR(t, r.volume, 8.0, 1e-14);
		CHECK(t, done.filled_holes == 1 && done.added_faces == 2 && done.added_vertices == 0);
		CHECK(t, r.degenerate_faces == 0 && r.genus == 0);
	}
	start(); // two opposite sides: a tube
	sample_box(&s, zero, two);
	sample_remove_face(&s, 1);
	sample_remove_face(&s, 0);
	CHECK_NEAR(t, mend(t, NULL).volume, 8.0, 1e-14);
}

static void curved_holes_are_closed(test *t)
{
	rbl_random random = rbl_random_from_seed(9);
	for (int round = 0; round < 60; ++round) {
		start();
		sample_sphere(&s, zero, 1.0, 16, 20);
		int holes = 1 + round % 6;
		for (int h = 0; h < holes; ++h) {
			// A path of faces: holes of all forms, also ones that meet at a vertex.
			int face = (int)rbl_random_below(&random, (uint32_t)s.face_count - 40);
			int length = 1 + (int)rbl_random_below(&random, 30);
			for (int k = 0; k < length; ++k)
				sample_remove_face(&s, face);
		}
		rbl_mesh_report r = mend(t, NULL);
		CHECK(t, r.volume > 0.0 && r.volume < 4.2 && r.genus == 0);
		CHECK(t, r.components > 1 || r.volume > 2.5); // cuts from pole to pole leave slices
	}
}

static void a_large_curved_hole_is_closed(test *t)
{
	start();
	sample_sphere(&s, zero, 1.0, 8, 600);
	for (int v = 0; v < s.vertex_count; ++v) // a wavy rim
		s.positions[v].z += 0.2 * s.positions[v].x * s.positions[v].y;
	for (int f = s.face_count; f-- > 0;) {
		int begin = s.starts[f];
		bool is_high = true;
		for (int c = begin; c < s.starts[f + 1]; ++c)
			is_high &= s.positions[s.corners[c]].z > 0.1;
		if (is_high)
			sample_remove_face(&s, f);
	}
	rbl_mesh_repair_report done;
	rbl_mesh_report r = mend(t, &done);
	CHECK(t, done.filled_holes >= 1 && r.volume > 1.0);
}

static void flipped_faces_are_turned_back(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	for (int round = 0; round < 30; ++round) {
		start();
		sample_torus(&s, 3.0, 1.0, 14, 9);
		rbl_mesh *mesh = sample_mesh(&s);
		double volume = rbl_mesh_get_mass(mesh).volume;
		rbl_destroy_mesh(mesh);
		for (int f = 0; f < s.face_count; ++f)
			if (rbl_random_below(&random, 30) < (uint32_t)round)
				sample_flip_face(&s, f);
		rbl_mesh_report r = mend(t, NULL);
		CHECK_NEAR(t, r.volume, volume, 1e-9);
		CHECK(t, r.genus == 1 && r.vertices == s.vertex_count);
	}
}

static void seams_are_welded(test *t)
{
	const double apart[] = { 0.0, 1e-9 };
	for (int k = 0; k < 2; ++k) {
		start();
		static sample whole;
		memset(&whole, 0, sizeof whole);
		sample_torus(&whole, 3.0, 1.0, 14, 9);
		rbl_random random = rbl_random_from_seed(6);
		for (int f = 0; f < whole.face_count; ++f) { // every face has vertices of its own
			int corners[4];
			for (int c = 0; c < 4; ++c) {
				rbl_vec3d p = whole.positions[whole.corners[4 * f + c]];
				p.x += apart[k] * rbl_random_double(&random);
				p.z += apart[k] * rbl_random_double(&random);
				corners[c] = sample_vertex(&s, p.x, p.y, p.z);
			}
			sample_face(&s, corners, 4);
		}
		rbl_mesh_repair_report done;
		rbl_mesh_report r = mend(t, &done);
		CHECK(t, r.vertices == whole.vertex_count && r.genus == 1 && done.filled_holes == 0);
		CHECK(t, done.welded_vertices == 3 * whole.vertex_count && done.dropped_vertices == 0);
	}
}

static void inside_out_is_turned_and_cavities_stay(test *t)
{
	start();
	sample_box(&s, zero, one);
	for (int f = 0; f < 6; ++f)
		sample_flip_face(&s, f);
	rbl_mesh_repair_report done;
	CHECK_NEAR(t, mend(t, &done).volume, 1.0, 1e-14);
	CHECK(t, done.flipped_faces == 6);

	for (int turned = 0; turned < 2; ++turned) { // a hollow box, the hollow with a solid inside
		start();
		sample_box(&s, (rbl_vec3d){ -4, -4, -4 }, (rbl_vec3d){ 4, 4, 4 });
		sample_box(&s, (rbl_vec3d){ -2, -2, -2 }, (rbl_vec3d){ 2, 2, 2 });
		sample_box(&s, (rbl_vec3d){ -1, -1, -1 }, (rbl_vec3d){ 1, 1, 1 });
		for (int f = 6; f < 12; ++f)
			sample_flip_face(&s, f);
		if (turned) { // outermost and innermost inside out
			for (int f = 0; f < 6; ++f)
				sample_flip_face(&s, f), sample_flip_face(&s, 12 + f);
		}
		sample_remove_face(&s, 14); // something to mend
		CHECK_NEAR(t, mend(t, &done).volume, 512.0 - 64.0 + 8.0, 1e-10);
		CHECK(t, done.flipped_faces == (turned ? 11 : 0));
	}
}

static void boxes_that_share_an_edge_come_apart(test *t)
{
	start();
	sample_box(&s, zero, one);
	sample_box(&s, (rbl_vec3d){ 0, 1, 1 }, (rbl_vec3d){ 1, 2, 2 });
	for (int c = 24; c < 48; ++c)
		if (s.corners[c] == 8 || s.corners[c] == 9)
			s.corners[c] -= 2;
	rbl_mesh_repair_report done;
	rbl_mesh_report r = mend(t, &done);
	CHECK(t, r.components == 2 && done.split_vertices == 2 && done.added_faces == 0);
	CHECK_NEAR(t, r.volume, 2.0, 1e-14);

	start(); // and at a vertex, a bow-tie
	sample_box(&s, zero, one);
	sample_box(&s, one, two);
	for (int c = 24; c < 48; ++c)
		if (s.corners[c] == 8)
			s.corners[c] = 7;
	r = mend(t, &done);
	CHECK(t, r.components == 2 && done.split_vertices == 1 && done.dropped_vertices == 1);
	CHECK_NEAR(t, r.volume, 2.0, 1e-14);
}

// A flat fin encloses nothing, so it goes; a bent one is closed and stays.
static void a_fin_is_taken_off(test *t)
{
	start();
	sample_box(&s, zero, one);
	int a = sample_vertex(&s, 0, 2, 2), b = sample_vertex(&s, 1, 2, 2);
	sample_quad(&s, 6, 7, b, a); // stands on an edge of the box
	rbl_mesh_repair_report done;
	rbl_mesh_report r = mend(t, &done);
	CHECK(t, r.components == 1 && r.vertices == 8 && r.faces == 6);
	CHECK(t, done.dropped_degenerate == 1 && done.added_faces == 0);
	CHECK_NEAR(t, r.volume, 1.0, 1e-13);

	start();
	sample_box(&s, zero, one);
	a = sample_vertex(&s, 0, 2, 2), b = sample_vertex(&s, 1, 2, 2);
	int c = sample_vertex(&s, 0, 3, 1), d = sample_vertex(&s, 1, 3, 1);
	sample_quad(&s, 6, 7, b, a);
	sample_quad(&s, a, b, d, c);
	r = mend(t, &done);
	CHECK(t, r.components == 2 && done.dropped_degenerate == 0 && done.added_faces > 0);
	CHECK(t, r.volume > 1.1);
}

static void a_flat_patch_alone_is_refused(test *t)
{
	start();
	for (int v = 0; v < 4; ++v)
		sample_vertex(&s, v / 2, v % 2, 0);
	sample_quad(&s, 0, 2, 3, 1);
	rbl_mesh *mesh = sample_mesh(&s), *repaired;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_BAD_MESH && !repaired);
	rbl_destroy_mesh(mesh);
}

static void degenerate_and_duplicate_faces_go(test *t)
{
	start();
	sample_box(&s, zero, one);
	int middle = sample_vertex(&s, 0.5, 0, 0);
	sample_quad(&s, 0, 4, 6, 2);                         // again
	sample_quad(&s, 2, 6, 4, 0);                         // and backwards
	sample_triangle(&s, 0, 1, 0);                        // nothing
	sample_triangle(&s, 0, 1, middle);                   // flat, on an edge that is full
	sample_face(&s, (int[7]){ 3, 3, 7, 6, 6, 2, 2 }, 7); // a face again, with repeats
	rbl_mesh_repair_report done;
	rbl_mesh_report r = mend(t, &done);
	CHECK(t, r.faces == 6 && r.components == 1);
	CHECK_NEAR(t, r.volume, 1.0, 1e-14);
	CHECK(t, done.dropped_duplicates == 3);
	start(); // a face that visits a vertex twice is cut there
	sample_box(&s, zero, one);
	sample_remove_face(&s, 5);
	int top = sample_vertex(&s, 0.5, 0.5, 1);
	sample_face(&s, (int[6]){ 4, 5, top, 7, 6, top }, 6);
	sample_triangle(&s, 5, 7, top);
	sample_triangle(&s, 6, 4, top);
	r = mend(t, &done);
	CHECK_NEAR(t, r.volume, 1.0, 1e-14);
	CHECK(t, r.degenerate_faces == 0 && done.added_faces == 0);
}

static void a_moebius_strip_is_refused_by_name(test *t)
{
	start();
	int n = 12;
	for (int i = 0; i < n; ++i) {
		double u = 6.28318530717958648 * i / n, w = 0.5 * u;
		for (int k = 0; k < 2; ++k) {
			double r = 2.0 + (k ? 0.5 : -0.5) * cos(w);
			sample_vertex(&s, r * cos(u), r * sin(u), (k ? 0.5 : -0.5) * sin(w));
		}
	}
	for (int i = 0; i + 1 < n; ++i)
		sample_quad(&s, 2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1);
	sample_quad(&s, 2 * n - 2, 1, 0, 2 * n - 1);
	rbl_mesh *mesh = sample_mesh(&s), *repaired;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	log_lines = 0;
	rbl_set_log(count_line, NULL);
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_BAD_MESH && !repaired);
	rbl_set_log(NULL, NULL);
	CHECK(t, log_lines == 1);
	rbl_destroy_mesh(mesh);
}

// Triangles at random between few points: every kind of damage at once.
static void nonsense_comes_out_sound_or_refused(test *t)
{
	rbl_random random = rbl_random_from_seed(77);
	int sound = 0, refused = 0;
	uint64_t hash = RBL_HASH_START;
	for (int round = 0; round < 600; ++round) {
		start();
		int vertices = 4 + (int)rbl_random_below(&random, 12);
		for (int v = 0; v < vertices; ++v) {
			uint32_t x = rbl_random_below(&random, 3), y = rbl_random_below(&random, 3);
			sample_vertex(&s, x, y, rbl_random_below(&random, 3));
		}
		int faces = 1 + (int)rbl_random_below(&random, round % 4 == 0 ? 60 : 12);
		for (int f = 0; f < faces; ++f) {
			int corners[5], n = 3 + (int)rbl_random_below(&random, 3);
			for (int k = 0; k < n; ++k)
				corners[k] = (int)rbl_random_below(&random, (uint32_t)vertices);
			sample_face(&s, corners, n);
		}
		rbl_mesh *mesh = sample_mesh(&s), *repaired;
		rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
		rbl_result result = rbl_mesh_repair(mesh, &def, &repaired, NULL);
		CHECK(t, result == RBL_OK || result == RBL_BAD_MESH);
		rbl_mesh_report r;
		if (result == RBL_OK) {
			CHECK(t, rbl_mesh_check(repaired, &r) == RBL_OK);
			CHECK(t, r.is_closed && r.is_manifold && r.is_oriented);
			rbl_mesh_data data = rbl_mesh_get_data(repaired);
			hash =
				rbl_hash_bytes(hash, data.corner_vertices, (size_t)data.corner_count * sizeof(int));
			hash = rbl_hash_bytes(hash, data.positions,
			                      (size_t)data.vertex_count * sizeof *data.positions);
		}
		sound += result == RBL_OK, refused += result != RBL_OK;
		rbl_destroy_mesh(repaired);
		rbl_destroy_mesh(mesh);
	}
	CHECK(t, sound > 100 && refused > 0);
	CHECK(t, hash == UINT64_C(0x3590213bbf878bd5)); // the same meshes on every platform
}

// Front and back of a pillow are the same quad: their fans have the diagonal in common.
static void fans_with_a_diagonal_in_common_are_cut(test *t)
{
	start();
	sample_vertex(&s, -1.0, 0.0, 0.2);
	sample_vertex(&s, 0.0, -1.0, 0.0);
	sample_vertex(&s, 1.0, 0.0, 0.2);
	sample_vertex(&s, 0.0, 1.0, 0.0);
	sample_quad(&s, 0, 1, 2, 3);
	sample_quad(&s, 0, 3, 2, 1);
	rbl_mesh *mesh = sample_mesh(&s), *repaired;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report done;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, &done) == RBL_OK);
	CHECK(t, done.cut_faces == 1 && !done.is_unchanged);
	rbl_mesh_report r;
	CHECK(t, rbl_mesh_check(repaired, &r) == RBL_OK);
	CHECK(t, r.faces == 3 && r.is_closed && r.is_manifold && r.is_oriented);
	CHECK(t, rbl_mesh_get_data(repaired).corner_vertices[0] == 0); // the front is as it was
	rbl_destroy_mesh(repaired);
	def.split_nonmanifold = def.fill_holes = false;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, &done) == RBL_OK && done.is_unchanged);
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(mesh);
}

static void steps_can_be_left_out(test *t)
{
	start();
	sample_box(&s, zero, one);
	sample_flip_face(&s, 1);
	sample_remove_face(&s, 0);
	rbl_mesh *mesh = sample_mesh(&s), *repaired;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_report r;
	def.fill_holes = false;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_OK);
	CHECK(t, rbl_mesh_check(repaired, &r) == RBL_OK && r.boundary_edges == 4 && r.is_oriented);
	rbl_destroy_mesh(repaired);
	def.orient = def.split_nonmanifold = def.drop_degenerate = def.drop_duplicates = false;
	def.weld_distance = -1.0;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_OK);
	CHECK(t, rbl_mesh_check(repaired, &r) == RBL_OK && r.faces == 5 && !r.is_oriented);
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(mesh);
}

static void bad_arguments_are_refused(test *t)
{
	start();
	sample_box(&s, zero, one);
	rbl_mesh *mesh = sample_mesh(&s), *repaired;
	const rbl_mesh_repair_def good = rbl_default_mesh_repair_def();
	CHECK(t, rbl_mesh_repair(mesh, &good, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_mesh_repair(NULL, &good, &repaired, NULL) == RBL_BAD_ARGUMENT && !repaired);
	CHECK(t, rbl_mesh_repair(mesh, NULL, &repaired, NULL) == RBL_BAD_ARGUMENT);
	rbl_mesh_repair_def def = good;
	def.cookie = 0;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_BAD_ARGUMENT);
	def = good, def.weld_distance = (double)NAN;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_BAD_ARGUMENT);
	def = good, def.weld_distance = 0.2;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_BAD_ARGUMENT);
	def = good, def.split_nonmanifold = false;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_BAD_ARGUMENT);
	def = good, def.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_mesh(mesh);
	start();
	sample_vertex(&s, 0, 0, 0);
	sample_triangle(&s, 0, 0, 0);
	mesh = sample_mesh(&s);
	CHECK(t, rbl_mesh_repair(mesh, &good, &repaired, NULL) == RBL_BAD_MESH && !repaired);
	rbl_destroy_mesh(mesh);
}

// A broken box with all attributes: normals of turned faces turn, caps are flat and have the
// corners' coordinates.
static rbl_result mend_with_attributes(test *t, rbl_allocator allocator, bool check)
{
	start();
	sample_box(&s, zero, one);
	sample_box(&s, (rbl_vec3d){ 3, 0, 0 }, (rbl_vec3d){ 4, 1, 1 });
	sample_flip_face(&s, 7);
	sample_remove_face(&s, 5);
	sample_triangle(&s, 0, 1, 0);
	s.positions[4].z += 0.3; // the open top is no longer flat
	rbl_vec3 normals[47];
	rbl_vec2 uv0[47], uv1[47];
	rbl_vec4 colors[47];
	int materials[12];
	for (int c = 0; c < 47; ++c) {
		normals[c] = (rbl_vec3){ 0.0f, 0.0f, c >= 24 && c < 28 ? -1.0f : 1.0f };
		float v = (float)s.corners[c];
		uv0[c] = (rbl_vec2){ v, 0.0f }, uv1[c] = (rbl_vec2){ 0.0f, v };
		colors[c] = (rbl_vec4){ v, v, v, 1.0f };
	}
	for (int f = 0; f < 12; ++f)
		materials[f] = f < 5 ? 1 : 0;
	const rbl_mesh_material table[2] = { { .name = "a" }, { .name = "b" } };
	rbl_mesh_def mesh_def = sample_def(&s);
	mesh_def.data.corner_normals = normals;
	mesh_def.data.corner_uv0 = uv0, mesh_def.data.corner_uv1 = uv1;
	mesh_def.data.corner_colors = colors;
	mesh_def.data.face_materials = materials;
	mesh_def.data.material_count = 2, mesh_def.data.materials = table;
	mesh_def.allocator = allocator;
	rbl_mesh *mesh, *repaired;
	rbl_result result = rbl_create_mesh(&mesh_def, &mesh);
	if (result != RBL_OK)
		return result;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	def.allocator = allocator;
	result = rbl_mesh_repair(mesh, &def, &repaired, NULL);
	if (check && result == RBL_OK) {
		rbl_mesh_data data = rbl_mesh_get_data(repaired);
		CHECK(t, data.face_count == 13 && data.vertex_count == 16 && data.material_count == 2);
		for (int f = 0; f < 13; ++f)
			for (int c = data.face_starts[f]; c < data.face_starts[f + 1]; ++c) {
				float v = (float)data.corner_vertices[c];
				CHECK(t, data.corner_uv0[c].x == v && data.corner_uv1[c].y == v);
				CHECK(t, data.corner_colors[c].y == v && data.corner_colors[c].w == 1.0f);
				CHECK(t,
				      f >= 11 ? data.corner_normals[c].z > 0.5f : data.corner_normals[c].z == 1.0f);
				CHECK(t, data.face_materials[f] == (f < 5 || f >= 11));
			}
	}
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(mesh);
	return result;
}

static void attributes_come_along(test *t)
{
	CHECK(t, mend_with_attributes(t, (rbl_allocator){ 0 }, true) == RBL_OK);
}

static void failed_allocations_leave_nothing(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = mend_with_attributes(t, FAULTY(&memory), false);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 30);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

// --- models -----------------------------------------------------------------------------------

static bool load(const char *name)
{
	char path[512], line[1024];
	snprintf(path, sizeof path, "%s/models/%s.obj", RBL_SHARED_DIR, name);
	FILE *file = fopen(path, "r");
	start();
	while (file && fgets(line, sizeof line, file)) {
		rbl_vec3d p;
		if (sscanf(line, "v %lf %lf %lf", &p.x, &p.y, &p.z) == 3)
			sample_vertex(&s, p.x, p.y, p.z);
		if (line[0] != 'f')
			continue;
		int corners[64], n = 0;
		for (char *word = strtok(line + 1, " \r\n"); word; word = strtok(NULL, " \r\n"))
			corners[n++] = atoi(word) - 1;
		sample_face(&s, corners, n);
	}
	if (file)
		fclose(file);
	return file;
}

static void open_models_are_closed(test *t)
{
	const char *names[] = { "stanford-bunny", "teapot", "suzanne", "beetle" };
	for (int k = 0; k < 4; ++k) {
		if (!load(names[k])) {
			SKIP(t, "no models in ../shared");
			return;
		}
		rbl_mesh_repair_report done;
		rbl_mesh_report r = mend(t, &done);
		CHECK(t, r.volume > 0.0 && done.filled_holes > 0);
		if (getenv("RBL_VERBOSE"))
			printf("%s: %d welded, %d+%d dropped, %d flipped, %d split, %d holes, %d faces and "
			       "%d vertices added, %d components, genus %d, volume %g\n",
			       names[k], done.welded_vertices, done.dropped_degenerate, done.dropped_duplicates,
			       done.flipped_faces, done.split_vertices, done.filled_holes, done.added_faces,
			       done.added_vertices, r.components, r.genus, r.volume);
	}
}

TEST_MAIN(TEST(a_whole_mesh_is_copied_bit_for_bit), TEST(flat_holes_are_closed_as_they_were),
          TEST(curved_holes_are_closed), TEST(a_large_curved_hole_is_closed),
          TEST(flipped_faces_are_turned_back), TEST(seams_are_welded),
          TEST(inside_out_is_turned_and_cavities_stay), TEST(boxes_that_share_an_edge_come_apart),
          TEST(a_fin_is_taken_off), TEST(a_flat_patch_alone_is_refused),
          TEST(degenerate_and_duplicate_faces_go), TEST(a_moebius_strip_is_refused_by_name),
          TEST(nonsense_comes_out_sound_or_refused), TEST(fans_with_a_diagonal_in_common_are_cut),
          TEST(steps_can_be_left_out), TEST(bad_arguments_are_refused), TEST(attributes_come_along),
          TEST(failed_allocations_leave_nothing), TEST(open_models_are_closed))
