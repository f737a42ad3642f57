// SPDX-License-Identifier: MIT
// Corners of clusters are copied when nothing broke for a while, are those of the triangles, and go with every
// change.

#include "judge.h"

#include <rubble/surface.h>

enum { QUIET = 14 };

static bool corners_are_right(const rbl_surface *s)
{
	bool is_good = s->corner_count == s->cluster_end;
	for (int c = 0; c < s->corner_count; ++c) {
		const rbl_cluster *cluster = &s->cluster_data[c];
		for (int i = 0; i < 3 * cluster->count && cluster->body >= 0; ++i)
			is_good &= s->cluster_corners[c].vertices[i % 3][i / 3] ==
			           s->triangles[3 * cluster->triangles[i / 3] + i % 3];
	}
	return is_good;
}

// Frames in which all of a body moves, judged by brute force at the end.
static void play(test *t, rbl_surface *s, rbl_surface_body_id body, rbl_random *random)
{
	for (int frame = 0; frame < QUIET; ++frame) {
		rbl_surface_body_data data = rbl_surface_body_view(s, body);
		rbl_surface_data all = rbl_surface_view(s);
		rbl_vec3 *ends = malloc((size_t)data.vertex_count * sizeof *ends);
		for (int i = 0; i < data.vertex_count; ++i) {
			ends[i] = all.ends[data.vertices[i]];
			ends[i].y += (float)rbl_random_range(random, -0.1, 0.1);
		}
		CHECK(t, rbl_surface_move(s, body, NULL, ends) == RBL_OK);
		free(ends);
		if (frame < QUIET - 1)
			CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	}
	judge_ask(t, s, false);
}

static void split(test *t, rbl_surface *s, rbl_surface_body_id body, rbl_surface_body_id pieces[2])
{
	rbl_surface_body_data data = rbl_surface_body_view(s, body);
	int *labels = malloc((size_t)data.triangle_count * sizeof *labels);
	for (int i = 0; i < data.triangle_count; ++i)
		labels[i] = i >= data.triangle_count / 2;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 2, def.labels = labels;
	CHECK(t, rbl_surface_split(s, body, &def, pieces) == RBL_OK);
	free(labels);
}

static void copies_last_until_something_changes(test *t)
{
	rbl_random random = rbl_random_from_seed(71);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	judge_mesh mesh = judge_sheet(10, 9);
	rbl_surface_body_id first = judge_add(t, s, &mesh), second = judge_add(t, s, &mesh), pieces[2];
	play(t, s, first, &random);
	CHECK(t, !s->cluster_corners); // nothing broke
	split(t, s, first, pieces);
	for (int change = 0; change < 4; ++change) {
		CHECK(t, !s->cluster_corners && s->corner_count == 0);
		judge_ask(t, s, false);
		if (change > 0) { // only what broke is worth a copy
			rbl_surface_body_id made[2];
			split(t, s, change == 3 ? pieces[0] : second, made);
			second = made[0];
			pieces[0] = change == 3 ? made[1] : pieces[0];
		}
		play(t, s, second, &random);
		CHECK(t, s->cluster_corners && corners_are_right(s));
		play(t, s, pieces[0], &random);
		judge_ask(t, s, true);
		CHECK(t, s->cluster_corners && corners_are_right(s));
		if (change == 0)
			CHECK(t, rbl_surface_merge(s, (rbl_surface_body_id[]){ pieces[0], pieces[1] }, 2, NULL,
			                           0) == RBL_OK);
		else if (change == 1)
			(void)judge_add(t, s, &mesh);
		else if (change == 2)
			CHECK(t, rbl_surface_remove(s, second) == RBL_OK);
	}
	judge_mesh_free(&mesh);
	rbl_destroy_surface(s);
}

TEST_MAIN(TEST(copies_last_until_something_changes))
