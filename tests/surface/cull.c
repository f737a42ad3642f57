// SPDX-License-Identifier: MIT
// ctest: native soak
// Grades of culling: exact never misses, and what the cones miss is known.

#include "base/math.h"
#include "surface/comparison.h"
#include "surface/reference.h"

#include <rubble/io.h>
#include <rubble/surface.h>

typedef struct verdict {
	int found, missed, extra;
	int64_t culled;
} verdict;

// The pairs of a grade against those without culling, which are checked by brute force elsewhere.
static verdict try_grade(test *t, const reference_mesh *mesh, const rbl_vec3 *rest,
                         rbl_surface_culling culling, rbl_surface_builder builder)
{
	verdict v = { 0, 0, 0, 0 };
	rbl_surface *surfaces[2];
	rbl_surface_pairs pairs[2];
	for (int i = 0; i < 2; ++i) {
		rbl_surface_def def = rbl_default_surface_def();
		def.culling = i ? culling : RBL_CULL_NONE;
		def.builder = builder;
		rbl_surface_body_def body_def = rbl_default_surface_body_def();
		body_def.vertex_count = mesh->vertex_count, body_def.positions = mesh->positions;
		body_def.triangle_count = mesh->triangle_count, body_def.triangles = mesh->triangles;
		body_def.rest_positions = rest;
		rbl_surface_body_id body;
		CHECK(t, rbl_surface_create_comparison(&def, &surfaces[i]) == RBL_OK);
		CHECK(t, rbl_surface_add(surfaces[i], &body_def, &body) == RBL_OK);
		CHECK(t, rbl_surface_update(surfaces[i], RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(surfaces[i], &pairs[i]) == RBL_OK);
	}
	v.found = pairs[1].count;
	v.culled = rbl_surface_get_stats(surfaces[1]).culled_nodes;
	int at = 0;
	for (int i = 0; i < pairs[0].count; ++i) {
		bool is_same = at < pairs[1].count && pairs[0].pairs[i].a == pairs[1].pairs[at].a &&
		               pairs[0].pairs[i].b == pairs[1].pairs[at].b;
		at += is_same;
		v.missed += !is_same;
	}
	v.extra = pairs[1].count - at;
	rbl_destroy_surface(surfaces[0]);
	rbl_destroy_surface(surfaces[1]);
	return v;
}

// A pillow of two sheets that share their boundary: sheet 0 below, sheet 1 above.
static reference_mesh make_pillow(int length, int width)
{
	reference_mesh sheet = reference_sheet(length, width), m;
	int n = sheet.vertex_count;
	m.vertex_count = 2 * n, m.triangle_count = 2 * sheet.triangle_count;
	m.positions = calloc((size_t)m.vertex_count, sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	for (int i = 0; i < m.vertex_count; ++i)
		m.positions[i] = sheet.positions[i % n];
	for (int i = 0; i < 3 * sheet.triangle_count; ++i) {
		int v = sheet.triangles[i], x = v % (length + 1), y = v / (length + 1);
		bool on_rim = x == 0 || y == 0 || x == length || y == width;
		// The lower sheet faces down.
		int affected = i % 3 == 1 ? i + 1 : i % 3 == 2 ? i - 1 : i;
		m.triangles[affected] = v;
		m.triangles[3 * sheet.triangle_count + i] = on_rim ? v : v + n;
	}
	reference_mesh_free(&sheet);
	return m;
}

// Figure 4: a flat pipe that runs into itself. The first split parts its lower from its upper side,
// so the lower side is a flat, connected sheet without real boundaries that crosses itself.
static void only_exact_sees_the_pipe_meet_itself(test *t)
{
	int length = 90, width = 4;
	reference_mesh pipe = make_pillow(length, width);
	rbl_vec3 *rest = malloc((size_t)pipe.vertex_count * sizeof *rest);
	int half = pipe.vertex_count / 2;
	for (int i = 0; i < pipe.vertex_count; ++i) {
		int y = i % half / (length + 1), x = i % half % (length + 1);
		bool on_rim = x == 0 || y == 0 || x == length || y == width;
		float s = (float)x / (float)length, side = i < half ? -1.0f : 1.0f;
		// 1.3 turns on a circle of radius 10; the height comes back half-way.
		double sine, cosine;
		rbl_sin_cos(6.283185307179586 * 1.3 * (double)s, &sine, &cosine);
		float radius = 10.0f + 0.5f * (float)(y - 2);
		pipe.positions[i].x = radius * (float)cosine;
		pipe.positions[i].y = radius * (float)sine;
		pipe.positions[i].z = 4.0f * (s - 0.5f) * (s - 0.5f) + (on_rim ? 0.0f : 0.02f * side);
		rest[i] = (rbl_vec3){ (float)x, (float)y, on_rim ? 0.0f : 100.0f * side };
	}
	verdict cone = try_grade(t, &pipe, rest, RBL_CULL_CONE, RBL_SURFACE_BUILD_AREA);
	verdict normal = try_grade(t, &pipe, rest, RBL_CULL_NORMAL_CONE, RBL_SURFACE_BUILD_AREA);
	verdict real = try_grade(t, &pipe, rest, RBL_CULL_REAL_CONTOUR, RBL_SURFACE_BUILD_AREA);
	verdict contour = try_grade(t, &pipe, rest, RBL_CULL_CONTOUR, RBL_SURFACE_BUILD_AREA);
	verdict exact = try_grade(t, &pipe, rest, RBL_CULL_EXACT, RBL_SURFACE_BUILD_AREA);
	printf("pipe: %d pairs; missed by cone %d, normal cone %d, real contour %d, contour %d, "
	       "exact %d\n",
	       exact.found, cone.missed, normal.missed, real.missed, contour.missed, exact.missed);
	CHECK(t, cone.missed > 0 && normal.missed > 0 && real.missed > 0);
	CHECK(t, contour.missed == 0 && exact.missed == 0 && exact.extra == 0 && exact.found > 0);
	CHECK(t, exact.culled > 0);
	free(rest);
	reference_mesh_free(&pipe);
}

// Two sheets over each other, slit along x = 0 and glued crosswise: two counter-clockwise
// boundaries of which one lies inside the other. All normals face up, the loops are simple and
// apart, and yet the surface passes through itself.
static void two_nested_borders_are_not_one(test *t)
{
	rbl_vec3 positions[400];
	int triangles[1200], vertex_count = 0, count = 0;
	int ids[2][9][9], left_of_slit[2][9]; // sheet; second array: the vertex for quads on the left
	for (int sheet = 0; sheet < 2; ++sheet)
		for (int y = 0; y < 9; ++y)
			for (int x = 0; x < 9; ++x) {
				float scale = sheet ? 0.75f : 1.0f;
				bool on_slit = x == 4 && y > 2 && y < 6, at_end = x == 4 && (y == 2 || y == 6);
				if (sheet == 1 && (at_end || on_slit)) {
					ids[1][y][x] = ids[0][y][x];
					continue;
				}
				ids[sheet][y][x] = vertex_count;
				float z = on_slit ? 0.1f : at_end ? 0.15f : sheet ? 0.3f : 0.0f;
				positions[vertex_count++] =
					(rbl_vec3){ scale * (float)(x - 4), 0.9f * (float)(y - 4) * scale, z };
			}
	// ids[.][y][4] is now the vertex of "right of the slit below, left of it above".
	for (int y = 3; y < 6; ++y) {
		left_of_slit[0][y] = vertex_count;
		positions[vertex_count] = positions[ids[0][y][4]];
		positions[vertex_count++].z = 0.2f;
	}
	for (int sheet = 0; sheet < 2; ++sheet)
		for (int y = 0; y < 8; ++y)
			for (int x = 0; x < 8; ++x) {
				int v[4];
				for (int k = 0; k < 4; ++k) {
					int cx = x + (k == 1 || k == 2), cy = y + (k >= 2);
					v[k] = ids[sheet][cy][cx];
					bool on_slit = cx == 4 && cy > 2 && cy < 6;
					// Left of the slit below and right of it above share the other vertex.
					if (on_slit && (x < 4) == (sheet == 0))
						v[k] = left_of_slit[0][cy];
				}
				const int corners[6] = { 0, 1, 2, 0, 2, 3 };
				for (int k = 0; k < 6; ++k)
					triangles[count++] = v[corners[k]];
			}
	reference_mesh mesh = { positions, triangles, vertex_count, count / 3 };
	for (int builder = 0; builder < RBL_SURFACE_BUILDER_COUNT; ++builder) {
		verdict exact = try_grade(t, &mesh, NULL, RBL_CULL_EXACT, (rbl_surface_builder)builder);
		CHECK(t, exact.found > 0 && exact.missed == 0 && exact.extra == 0);
		verdict contour = try_grade(t, &mesh, NULL, RBL_CULL_CONTOUR, (rbl_surface_builder)builder);
		CHECK(t, contour.missed == 0 && contour.extra == 0);
	}
}

static reference_mesh read_model(const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/models/%s", RBL_SHARED_DIR, name);
	reference_mesh m = { NULL, NULL, 0, 0 };
	rbl_mesh *mesh = NULL;
	if (rbl_read_mesh(path, NULL, &mesh) != RBL_OK)
		return m;
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	m.vertex_count = data.vertex_count;
	m.triangle_count = rbl_mesh_triangle_count(mesh);
	m.positions = malloc((size_t)m.vertex_count * sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	rbl_mesh_triangulate(mesh, m.triangles, NULL);
	for (int i = 0; i < 3 * m.triangle_count; ++i)
		m.triangles[i] = data.corner_vertices[m.triangles[i]];
	for (int i = 0; i < m.vertex_count; ++i)
		m.positions[i] = rbl_to_f(data.positions[i]);
	rbl_destroy_mesh(mesh);
	return m;
}

static void add_noise(reference_mesh *mesh, double share, uint64_t seed)
{
	double edge = 0.0;
	for (int i = 0; i < mesh->triangle_count; ++i)
		edge += (double)rbl_distance(mesh->positions[mesh->triangles[3 * i]],
		                             mesh->positions[mesh->triangles[3 * i + 1]]);
	edge *= share / mesh->triangle_count;
	rbl_random random = rbl_random_from_seed(seed);
	for (int i = 0; i < mesh->vertex_count; ++i) {
		rbl_vec3d p = rbl_random_in_ball(&random);
		mesh->positions[i] = rbl_add(mesh->positions[i], rbl_to_f(rbl_scale_d(edge, p)));
	}
}

static void a_noisy_bunny_fools_the_cones_alone(test *t)
{
	reference_mesh bunny = read_model("bunny-7k.off");
	if (!bunny.positions) {
		SKIP(t, "no models");
		return;
	}
	rbl_vec3 *still = malloc((size_t)bunny.vertex_count * sizeof *still);
	memcpy(still, bunny.positions, (size_t)bunny.vertex_count * sizeof *still);
	int cone_missed = 0, found = 0;
	for (int seed = 1; seed <= test_count(3, 50); ++seed) {
		memcpy(bunny.positions, still, (size_t)bunny.vertex_count * sizeof *still);
		add_noise(&bunny, 1.0, (uint64_t)seed);
		cone_missed += try_grade(t, &bunny, NULL, RBL_CULL_CONE, RBL_SURFACE_BUILD_AREA).missed;
		verdict exact = try_grade(t, &bunny, NULL, RBL_CULL_EXACT, RBL_SURFACE_BUILD_AREA);
		CHECK(t, exact.missed == 0 && exact.extra == 0);
		found += exact.found;
	}
	printf("noisy bunny: %d pairs, missed by cone %d, by exact 0\n", found, cone_missed);
	CHECK(t, cone_missed > 0);
	free(still);
	reference_mesh_free(&bunny);
}

static void contours_and_boxes_never_miss(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	int64_t culled = 0;
	int missed_by_cone = 0;
	for (int round = 0; round < test_count(300, 10000); ++round) {
		reference_mesh mesh = reference_sheet(4 + (int)rbl_random_below(&random, 12),
		                                      4 + (int)rbl_random_below(&random, 10));
		reference_crumple(&mesh, &random);
		rbl_surface_builder builder =
			(rbl_surface_builder)rbl_random_below(&random, RBL_SURFACE_BUILDER_COUNT);
		rbl_surface_culling culling =
			rbl_random_below(&random, 3) ? RBL_CULL_EXACT : RBL_CULL_CONTOUR;
		verdict v = try_grade(t, &mesh, NULL, culling, builder);
		CHECK(t, v.missed == 0 && v.extra == 0);
		culled += v.culled;
		v = try_grade(t, &mesh, NULL, RBL_CULL_CONE, builder);
		CHECK(t, v.extra == 0);
		missed_by_cone += v.missed;
		reference_mesh_free(&mesh);
	}
	printf("random sheets: culled %d nodes, missed by cone %d\n", (int)culled, missed_by_cone);
	CHECK(t, culled > 200);
}

// The black squares of a board touch at corners alone: thirteen loops, and each corner is on two of
// them.
static void patches_that_meet_at_corners_are_culled(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	int64_t culled = 0;
	for (int round = 0; round < test_count(40, 4000); ++round) {
		reference_mesh mesh = reference_sheet(5, 5);
		int kept = 0;
		for (int i = 0; i < mesh.triangle_count; ++i)
			if (round == 0 ? i / 2 % 2 == 0 : rbl_random_below(&random, 3) > 0)
				memmove(mesh.triangles + 3 * kept++, mesh.triangles + 3 * i, 3 * sizeof(int));
		mesh.triangle_count = kept;
		if (round > 0)
			reference_crumple(&mesh, &random);
		verdict v = try_grade(t, &mesh, NULL, RBL_CULL_EXACT, RBL_SURFACE_BUILD_AREA);
		CHECK(t, v.missed == 0 && v.extra == 0);
		CHECK(t, round > 0 || v.culled == 1);
		culled += v.culled;
		reference_mesh_free(&mesh);
	}
	CHECK(t, culled > 40);
}

TEST_MAIN(TEST(only_exact_sees_the_pipe_meet_itself), TEST(two_nested_borders_are_not_one),
          TEST(a_noisy_bunny_fools_the_cones_alone), TEST(contours_and_boxes_never_miss),
          TEST(patches_that_meet_at_corners_are_culled))
