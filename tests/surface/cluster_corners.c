// SPDX-License-Identifier: MIT
// ctest: soak
// Corners of clusters are copied when nothing broke for a while, and are those of the triangles after every update,
// whatever changes.

#include "surface/comparison.h"
#include "surface/reference.h"

#include <rubble/surface.h>

enum { QUIET = 10 };

static bool corners_are_right(const rbl_surface *s)
{
	bool is_good = rbl_surface_has_corners(s);
	for (int c = 0; is_good && c < s->cluster_end; ++c) {
		const rbl_surface_cluster *cluster = &s->cluster_data[c];
		if (cluster->body < 0 || cluster->count == 0)
			continue;
		rbl_surface_cluster_corners wanted;
		rbl_surface_read_cluster_corners(&wanted, cluster, s->triangles);
		is_good = !memcmp(&wanted, rbl_surface_corners(s, (uint32_t)c), sizeof wanted);
	}
	return is_good;
}

static rbl_surface *create(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s = NULL;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	rbl_surface_always_keep_corners(s, true);
	return s;
}

// All of a body moves, or one vertex of it.
static void move(test *t, rbl_surface *s, rbl_surface_body_id body, bool is_whole,
                 rbl_random *random)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s, body);
	rbl_surface_data all = rbl_surface_get_data(s);
	rbl_vec3 *ends = malloc((size_t)data.vertex_count * sizeof *ends);
	for (int i = 0; i < data.vertex_count; ++i) {
		ends[i] = all.ends[data.vertices[i]];
		ends[i].y += (float)rbl_random_range(random, -0.1, 0.1);
	}
	rbl_result result = is_whole ? rbl_surface_move(s, body, NULL, ends)
	                             : rbl_surface_move_vertices(s, body, data.vertices, 1, ends);
	CHECK(t, result == RBL_OK);
	free(ends);
}

// Updates in which nothing breaks, checked by brute force at the end.
static void play(test *t, rbl_surface *s, rbl_surface_body_id body, rbl_random *random)
{
	for (int frame = 0; frame < QUIET; ++frame) {
		move(t, s, body, true, random);
		if (frame < QUIET - 1)
			CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	}
	reference_check_query(t, s, false);
}

static void split(test *t, rbl_surface *s, rbl_surface_body_id body, rbl_surface_body_id pieces[2],
                  int width)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s, body);
	int *labels = malloc((size_t)data.triangle_count * sizeof *labels);
	for (int i = 0; i < data.triangle_count; ++i)
		labels[i] = i / width % 2;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 2, def.labels = labels;
	if (data.triangle_count > width)
		CHECK(t, rbl_surface_split(s, body, &def, pieces) == RBL_OK);
	else
		pieces[0] = pieces[1] = body;
	free(labels);
}

static void only_what_broke_is_copied(test *t)
{
	rbl_random random = rbl_random_from_seed(71);
	rbl_surface *s = create(t);
	reference_mesh mesh = reference_sheet(10, 9);
	rbl_surface_body_id first = reference_add(t, s, &mesh), pieces[2];
	play(t, s, first, &random);
	CHECK(t, !rbl_surface_has_corners(s));
	split(t, s, first, pieces, 90);
	reference_check_query(t, s, false);
	CHECK(t, !rbl_surface_has_corners(s)); // not in the update of a break
	rbl_surface_always_keep_corners(
		s, false); // and not where that takes more memory than a triangle may have
	play(t, s, pieces[0], &random);
	CHECK(t, !rbl_surface_has_corners(s));
	rbl_surface_always_keep_corners(s, true);
	split(t, s, pieces[0], pieces, 7);
	play(t, s, pieces[0], &random);
	CHECK(t, corners_are_right(s));
	rbl_surface_always_keep_corners(s, false);
	reference_check_query(t, s, false);
	CHECK(t, !rbl_surface_has_corners(s));
	reference_mesh_free(&mesh);
	rbl_destroy_surface(s);
}

// Splits, welds, bodies that come and go, vertices that move alone: in bodies that move as a whole and in others.
static void copies_are_mended(test *t)
{
	for (int round = 0; round < test_count(8, 200); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 5);
		rbl_surface *s = create(t);
		reference_mesh mesh = reference_sheet(8, 6 + round % 4);
		rbl_surface_body_id bodies[2] = { reference_add(t, s, &mesh) };
		split(t, s, bodies[0], bodies, 30);
		play(t, s, bodies[1], &random);
		CHECK(t, corners_are_right(s));
		for (int step = 0; step < 12; ++step) {
			rbl_surface_body_id made[2];
			int kind = (int)rbl_random_below(&random, 5);
			if (kind < 2) {
				split(t, s, bodies[kind], made, 2 + (int)rbl_random_below(&random, 20));
				bodies[kind] = made[1];
			} else if (kind == 2) { // sewn together at one place, and taken apart again
				int weld[2] = { rbl_surface_body_get_data(s, bodies[0]).vertices[0],
					            rbl_surface_body_get_data(s, bodies[1]).vertices[0] };
				CHECK(t, rbl_surface_merge(s, bodies, 2, weld, 1) == RBL_OK);
				split(t, s, bodies[0], bodies, 5 + (int)rbl_random_below(&random, 9));
				if (bodies[1].index == bodies[0].index) // too small for that
					bodies[1] = reference_add(t, s, &mesh);
			} else if (kind == 3) {
				(void)reference_add(t, s, &mesh);
			} else if (rbl_surface_body_get_data(s, bodies[0]).triangle_count < 4) {
				CHECK(t, rbl_surface_remove(s, bodies[0]) == RBL_OK);
				bodies[0] = reference_add(t, s, &mesh);
			}
			for (int i = 0; i < 2; ++i)
				if (rbl_random_below(&random, 2))
					move(t, s, bodies[i], rbl_random_below(&random, 2), &random);
			reference_check_query(t, s, rbl_random_below(&random, 3) == 0);
			CHECK(t, corners_are_right(s));
		}
		reference_mesh_free(&mesh);
		rbl_destroy_surface(s);
	}
}

TEST_MAIN(TEST(only_what_broke_is_copied), TEST(copies_are_mended))
