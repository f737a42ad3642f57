// SPDX-License-Identifier: MIT
// Components are found and split; normals and tangents are what the formulas say.

#include "base/vec.h"
#include "faulty_allocator.h"
#include "geometry/sample_meshes.h"
#include "test.h"

static sample s;
static const rbl_vec3d zero = { 0, 0, 0 }, one = { 1, 1, 1 }, two = { 2, 2, 2 };

static void start(void)
{
	memset(&s, 0, sizeof s);
}

// Two boxes that share vertex 7 = 8, then a sphere.
static void add_three(void)
{
	start();
	sample_box(&s, zero, one);
	sample_box(&s, one, two);
	for (int c = 24; c < 48; ++c)
		if (s.corners[c] == 8)
			s.corners[c] = 7;
	sample_sphere(&s, (rbl_vec3d){ 9, 9, 9 }, 1.0, 5, 6);
}

static void faces_are_joined_by_vertex_or_edge(test *t)
{
	add_three();
	rbl_mesh *mesh = sample_mesh(&s);
	int labels[100], count;
	CHECK(t, rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_VERTEX, labels, &count) == RBL_OK);
	CHECK(t, count == 2 && labels[0] == 0 && labels[11] == 0 && labels[12] == 1);
	CHECK(t, rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_EDGE, labels, &count) == RBL_OK);
	CHECK(t, count == 3 && labels[5] == 0 && labels[6] == 1 && labels[s.face_count - 1] == 2);
	CHECK(t, rbl_mesh_get_components(mesh, (rbl_mesh_connectivity)9, labels, &count) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_mesh_get_components(NULL, RBL_CONNECTED_BY_EDGE, labels, &count) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_EDGE, NULL, &count) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_EDGE, labels, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_mesh(mesh);
}

static void the_parts_have_the_volume_of_the_whole(test *t)
{
	add_three();
	rbl_mesh *mesh = sample_mesh(&s), *parts[3];
	int labels[100], count;
	CHECK(t, rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_EDGE, labels, &count) == RBL_OK);
	CHECK(t, rbl_mesh_split(mesh, labels, count, parts) == RBL_OK);
	double sum = 0.0;
	for (int k = 0; k < 3; ++k) {
		rbl_mesh_report r;
		CHECK(t, rbl_mesh_check(parts[k], &r) == RBL_OK);
		CHECK(t, r.is_closed && r.is_manifold && r.genus == 0 && r.loose_vertices == 0);
		CHECK(t, r.components == 1);
		sum += r.volume;
		rbl_destroy_mesh(parts[k]);
	}
	CHECK_NEAR(t, sum, rbl_mesh_get_mass(mesh).volume, 1e-12);
	for (int f = 0; f < 12; ++f)
		labels[f] = -1; // boxes are left out, one label has no faces
	CHECK(t, rbl_mesh_split(mesh, labels, 3, parts) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(parts[0]).face_count == 0 &&
	             rbl_mesh_get_data(parts[1]).face_count == 0);
	CHECK(t, rbl_mesh_get_data(parts[2]).face_count == s.face_count - 12);
	for (int k = 0; k < 3; ++k)
		rbl_destroy_mesh(parts[k]);
	CHECK(t, rbl_mesh_split(mesh, labels, 2, parts) == RBL_BAD_ARGUMENT && !parts[0]);
	CHECK(t, rbl_mesh_split(mesh, labels, -1, parts) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_mesh_split(mesh, NULL, 3, parts) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_mesh_split(mesh, labels, 3, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_mesh_split(NULL, labels, 3, parts) == RBL_BAD_ARGUMENT);
	rbl_destroy_mesh(mesh);
}

// --- normals and tangents -----------------------------------------------------------------------

static void normals_of_a_box_are_flat_or_smooth(test *t)
{
	start();
	sample_box(&s, zero, one);
	rbl_mesh *mesh = sample_mesh(&s);
	rbl_vec3 normals[24];
	const float angles[] = { 0.0f, 1.5f, 1.6f, 3.14159265f };
	for (int k = 0; k < 4; ++k) {
		CHECK(t, rbl_mesh_compute_normals(mesh, angles[k], normals) == RBL_OK);
		for (int c = 0; c < 24; ++c) {
			rbl_vec3 n = normals[c];
			rbl_vec3d p = s.positions[s.corners[c]];
			CHECK_NEAR(t, rbl_length(n), 1.0, 1e-6);
			float largest = rbl_maxf(fabsf(n.x), rbl_maxf(fabsf(n.y), fabsf(n.z)));
			CHECK_NEAR(t, largest, k < 2 ? 1.0 : 0.57735027, 1e-6);
			CHECK(t, rbl_dot(n, rbl_to_f(rbl_sub_d(p, (rbl_vec3d){ 0.5, 0.5, 0.5 }))) > 0.0f);
		}
	}
	CHECK(t, rbl_mesh_compute_normals(mesh, -1.0f, normals) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_mesh_compute_normals(mesh, NAN, normals) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_mesh_compute_normals(mesh, 1.0f, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_mesh_compute_normals(NULL, 1.0f, normals) == RBL_BAD_ARGUMENT);
	rbl_destroy_mesh(mesh);
}

static void smooth_normals_of_a_sphere_point_away(test *t)
{
	start();
	sample_sphere(&s, zero, 2.0, 24, 48);
	sample_triangle(&s, 1, 1, 1); // no direction at all
	rbl_mesh *mesh = sample_mesh(&s);
	rbl_vec3 *normals = malloc((size_t)s.corner_count * sizeof *normals);
	CHECK(t, rbl_mesh_compute_normals(mesh, 1.0f, normals) == RBL_OK);
	double worst = 1.0;
	for (int c = 0; c + 3 < s.corner_count; ++c) {
		rbl_vec3d p = rbl_scale_d(0.5, s.positions[s.corners[c]]);
		worst = rbl_mind(worst, rbl_dot_d(rbl_to_d(normals[c]), p));
	}
	CHECK(t, worst > 0.9999);
	CHECK_NEAR(t, rbl_length(normals[s.corner_count - 1]), 1.0, 1e-6);
	free(normals);
	rbl_destroy_mesh(mesh);
}

// A sphere mapped by longitude and latitude: tangents run along the parallels.
static void tangents_point_where_u_grows(test *t)
{
	for (int mirrored = 0; mirrored < 2; ++mirrored) {
		start();
		sample_sphere(&s, zero, 1.0, 24, 48);
		int n = s.corner_count;
		rbl_vec3 *normals = malloc((size_t)n * sizeof *normals);
		rbl_vec2 *uv = malloc((size_t)n * sizeof *uv);
		rbl_vec4 *tangents = malloc((size_t)n * sizeof *tangents);
		for (int f = 0; f < s.face_count; ++f)
			for (int c = s.starts[f]; c < s.starts[f + 1]; ++c) {
				rbl_vec3d p = s.positions[s.corners[c]];
				rbl_vec3d q = s.positions[s.corners[s.starts[f + 1] - 1]];
				double u = atan2(p.y, p.x), middle = atan2(q.y, q.x);
				if (p.x * p.x + p.y * p.y < 1e-12)
					u = middle; // a pole has the longitude of its triangle
				if (u < middle - 3.0)
					u += 6.28318530717958648;
				if (u > middle + 3.0)
					u -= 6.28318530717958648;
				normals[c] = rbl_to_f(p);
				uv[c] =
					(rbl_vec2){ (float)(mirrored ? -u : u), (float)asin(rbl_clampd(p.z, -1, 1)) };
			}
		rbl_mesh_def def = sample_def(&s);
		rbl_mesh *mesh;
		def.data.corner_normals = normals;
		CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
		CHECK(t, rbl_mesh_compute_tangents(mesh, tangents) == RBL_BAD_MESH);
		rbl_destroy_mesh(mesh);
		def.data.corner_uv0 = uv;
		CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
		CHECK(t, rbl_mesh_compute_tangents(mesh, tangents) == RBL_OK);
		for (int c = 0; c < n; ++c) {
			rbl_vec3d p = s.positions[s.corners[c]];
			rbl_vec3 tangent = { tangents[c].x, tangents[c].y, tangents[c].z };
			CHECK_NEAR(t, rbl_length(tangent), 1.0, 1e-6);
			CHECK_NEAR(t, rbl_dot(tangent, normals[c]), 0.0, 1e-6);
			CHECK(t, tangents[c].w == (mirrored ? -1.0f : 1.0f));
			double r = sqrt(p.x * p.x + p.y * p.y);
			if (r < 0.2)
				continue;
			rbl_vec3d east = { -p.y / r, p.x / r, 0.0 };
			double along = rbl_dot_d(rbl_to_d(tangent), east);
			CHECK(t, (mirrored ? -along : along) > 0.98);
		}
		CHECK(t, rbl_mesh_compute_tangents(mesh, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_mesh_compute_tangents(NULL, tangents) == RBL_BAD_ARGUMENT);
		rbl_destroy_mesh(mesh);
		free(tangents), free(uv), free(normals);
	}
}

static rbl_result use_everything(rbl_allocator allocator)
{
	add_three();
	enum { MOST = 400 };
	static rbl_vec3 normals[MOST];
	static rbl_vec2 uv[MOST]; // all zero: there is no direction, and still a tangent
	static rbl_vec4 tangents[MOST], colors[MOST];
	static int materials[MOST];
	rbl_mesh_def def = sample_def(&s);
	def.data.corner_normals = normals;
	for (int c = 0; c < MOST; ++c)
		normals[c] = (rbl_vec3){ 0.0f, 0.0f, 1.0f };
	def.data.corner_uv0 = uv, def.data.corner_uv1 = uv;
	def.data.corner_colors = colors, def.data.face_materials = materials;
	def.allocator = allocator;
	rbl_mesh *mesh, *parts[3] = { NULL, NULL, NULL };
	int labels[100], count;
	rbl_result result = rbl_create_mesh(&def, &mesh);
	if (result != RBL_OK)
		return result;
	result = rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_VERTEX, labels, &count);
	if (result == RBL_OK)
		result = rbl_mesh_get_components(mesh, RBL_CONNECTED_BY_EDGE, labels, &count);
	if (result == RBL_OK)
		result = rbl_mesh_split(mesh, labels, count, parts);
	if (result == RBL_OK)
		result = rbl_mesh_compute_tangents(mesh, tangents);
	if (result == RBL_OK)
		result = rbl_mesh_compute_normals(mesh, 1.0f, normals);
	for (int k = 0; k < 3; ++k)
		rbl_destroy_mesh(parts[k]);
	rbl_destroy_mesh(mesh);
	return result;
}

static void failed_allocations_leave_nothing(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = use_everything(FAULTY(&memory));
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 15);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(faces_are_joined_by_vertex_or_edge), TEST(the_parts_have_the_volume_of_the_whole),
          TEST(normals_of_a_box_are_flat_or_smooth), TEST(smooth_normals_of_a_sphere_point_away),
          TEST(tangents_point_where_u_grows), TEST(failed_allocations_leave_nothing))
