// SPDX-License-Identifier: MIT
// ctest: soak
// Pieces of a body that is proven apart are proven, too, and nothing is lost by it.

#include "judge.h"

#include "base/real.h"
#include "surface/rigid.h"

#include <rubble/surface.h>

enum { MOST_PIECES = 5, MOST_BODIES = 64 };

typedef struct crowd {
	rbl_surface *surface;
	rbl_surface_body_id bodies[MOST_BODIES];
	int count;
} crowd;

static bool is_proven(const rbl_surface *surface, rbl_surface_body_id body)
{
	return surface->bodies.data[body.index].is_proven;
}

// Turn and push a body as a whole, or bend it by as much.
static void move(test *t, crowd *c, int at, bool is_bent, rbl_random *random)
{
	rbl_surface_body_data body = rbl_surface_body_view(c->surface, c->bodies[at]);
	rbl_surface_data all = rbl_surface_view(c->surface);
	rbl_vec3 *ends = malloc((size_t)body.vertex_count * sizeof *ends);
	double angle = rbl_random_range(random, -0.1, 0.1), sine = rbl_sin(angle),
		   cosine = rbl_cos(angle);
	double x = rbl_random_range(random, -0.2, 0.2), z = rbl_random_range(random, -0.2, 0.2);
	for (int i = 0; i < body.vertex_count; ++i) {
		rbl_vec3d p = rbl_to_d(all.ends[body.vertices[i]]);
		double bend = is_bent ? rbl_random_range(random, -0.3, 0.3) : 0.0;
		ends[i] = (rbl_vec3){ (float)(cosine * p.x + sine * p.y + x),
			                  (float)(cosine * p.y - sine * p.x + bend), (float)(p.z + z) };
	}
	CHECK(t, rbl_surface_move(c->surface, c->bodies[at], NULL, ends) == RBL_OK);
	free(ends);
}

// Split a body; some triangles go, or a new one comes that may lie across all others.
static void split(test *t, crowd *c, int at, rbl_random *random)
{
	rbl_surface_body_data body = rbl_surface_body_view(c->surface, c->bodies[at]);
	int pieces = 1 + (int)rbl_random_below(random, MOST_PIECES);
	int *labels = malloc((size_t)body.triangle_count * sizeof *labels);
	bool goes = rbl_random_below(random, 4) == 0;
	for (int i = 0; i < body.triangle_count; ++i)
		labels[i] =
			goes && rbl_random_below(random, 9) == 0 ? -1 : i * pieces / body.triangle_count;
	for (int p = 0; p < pieces; ++p) // each has something
		labels[p * body.triangle_count / pieces + (p > 0)] = p;
	int triangle[3] = { body.vertices[0], body.vertices[body.vertex_count / 2],
		                body.vertices[body.vertex_count - 1] };
	int label = (int)rbl_random_below(random, (uint32_t)pieces);
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = pieces, def.labels = labels;
	if (rbl_random_below(random, 3) == 0)
		def.triangle_count = 1, def.triangles = triangle, def.triangle_labels = &label;
	rbl_surface_body_id made[MOST_PIECES];
	if (c->count + pieces <= MOST_BODIES && body.triangle_count >= 4 * pieces) {
		CHECK(t, rbl_surface_split(c->surface, c->bodies[at], &def, made) == RBL_OK);
		for (int p = 1; p < pieces; ++p)
			c->bodies[c->count++] = made[p];
	}
	free(labels);
}

// Fold a sheet along its middle, so that its halves go through each other in a line.
static void fold(judge_mesh *mesh)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < mesh->vertex_count; ++i)
		box = rbl_box_add_point(box, mesh->positions[i]);
	rbl_vec3 middle = rbl_box_centre(box), size = rbl_box_size(box);
	for (int i = 0; i < mesh->vertex_count; ++i) {
		rbl_vec3 *p = &mesh->positions[i];
		if (p->y <= middle.y)
			continue;
		p->y = 2.0f * middle.y - p->y;
		p->z += 0.8f * (middle.y - p->y) * (0.3f * size.y - (middle.y - p->y)) / size.y;
	}
}

static void pieces_of_proven_bodies_equal_brute_force(test *t)
{
	int proven = 0, found = 0;
	for (int round = 0; round < test_count(25, 2000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 4711);
		judge_mesh mesh = judge_sheet(6, 12);
		if (round % 2)
			fold(&mesh);
		crowd c = { .count = 1 };
		rbl_surface_def def = rbl_default_surface_def();
		CHECK(t, rbl_create_surface(&def, &c.surface) == RBL_OK);
		c.bodies[0] = judge_add(t, c.surface, &mesh);
		for (int step = 0; step < 16; ++step) {
			int at = (int)rbl_random_below(&random, (uint32_t)c.count);
			bool is_late = rbl_random_below(&random, 3) == 0;
			for (int i = 0; i < c.count && is_late; ++i)
				move(t, &c, i, false, &random);
			bool was_proven = is_proven(c.surface, c.bodies[at]);
			if (step % 5 == 4)
				split(t, &c, at, &random);
			proven += step % 5 == 4 && was_proven && is_proven(c.surface, c.bodies[at]);
			for (int i = 0; i < c.count && !is_late; ++i)
				if (rbl_random_below(&random, 8) > 0)
					move(t, &c, i, rbl_random_below(&random, 20) == 0, &random);
			found += judge_ask(t, c.surface, rbl_random_below(&random, 3) == 0);
		}
		rbl_destroy_surface(c.surface);
		judge_mesh_free(&mesh);
	}
	CHECK(t, proven > 5 && found > 100);
}

// A body with pairs in doubt leaves; a piece of another, proven, takes its place, and not its doubts.
static void pieces_do_not_inherit_from_their_slot(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	judge_mesh plain = judge_sheet(6, 8), folded = judge_sheet(6, 8);
	fold(&folded);
	for (int i = 0; i < folded.vertex_count; ++i)
		folded.positions[i].x += 20.0f;
	crowd c = { .count = 2 };
	rbl_surface_def def = rbl_default_surface_def();
	CHECK(t, rbl_create_surface(&def, &c.surface) == RBL_OK);
	c.bodies[0] = judge_add(t, c.surface, &plain), c.bodies[1] = judge_add(t, c.surface, &folded);
	for (int step = 0; step < 3; ++step) {
		for (int i = 0; i < 2; ++i)
			move(t, &c, i, false, &random);
		CHECK(t, judge_ask(t, c.surface, false) > 0);
	}
	CHECK(t, is_proven(c.surface, c.bodies[0]) && is_proven(c.surface, c.bodies[1]));
	CHECK(t, c.surface->rigids[c.bodies[1].index].doubts.count > 0);
	CHECK(t, rbl_surface_remove(c.surface, c.bodies[1]) == RBL_OK);
	int labels[96];
	for (int i = 0; i < 96; ++i)
		labels[i] = i / 48;
	rbl_surface_split_def split_def = rbl_default_surface_split_def();
	split_def.piece_count = 2, split_def.labels = labels;
	CHECK(t, rbl_surface_split(c.surface, c.bodies[0], &split_def, c.bodies) == RBL_OK);
	CHECK(t, c.bodies[1].index == 1 && is_proven(c.surface, c.bodies[1]));
	for (int step = 0; step < 3; ++step) {
		judge_ask(t, c.surface, step == 2);
		move(t, &c, 1, false, &random);
	}
	rbl_destroy_surface(c.surface);
	judge_mesh_free(&plain);
	judge_mesh_free(&folded);
}

TEST_MAIN(TEST(pieces_of_proven_bodies_equal_brute_force),
          TEST(pieces_do_not_inherit_from_their_slot))
