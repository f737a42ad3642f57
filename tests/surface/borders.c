// SPDX-License-Identifier: MIT
// Borders of nodes, against a walk from half-edge to half-edge: on grids with so many holes that borders pass
// single vertices twice and thrice, on closed surfaces, and after splits.

#include "surface/judge.h"

#include "surface/border.h"

enum { SIDE = 17 };

typedef struct grid {
	rbl_vec3 positions[SIDE * SIDE];
	int triangles[6 * SIDE * SIDE], triangle_count;
} grid;

// A torus, or a sheet, with some squares and single triangles left out.
static void make_grid(grid *g, rbl_random *random, bool is_closed, int holes_in_ten)
{
	g->triangle_count = 0;
	for (int i = 0; i < SIDE * SIDE; ++i)
		g->positions[i] = (rbl_vec3){ (float)(i % SIDE), (float)(i / SIDE),
			                          (float)rbl_random_range(random, -0.2, 0.2) };
	int cells = is_closed ? SIDE : SIDE - 1;
	for (int i = 0; i < cells * cells; ++i) {
		int x = i % cells, y = i / cells, x2 = (x + 1) % SIDE, y2 = (y + 1) % SIDE;
		int corners[6] = { y * SIDE + x,   y * SIDE + x2, y2 * SIDE + x2,
			               y2 * SIDE + x2, y2 * SIDE + x, y * SIDE + x };
		if ((int)rbl_random_below(random, 10) < holes_in_ten)
			continue;
		int count = rbl_random_below(random, 8) ? 2 : 1;
		for (int k = 0; k < 3 * count; ++k)
			g->triangles[3 * g->triangle_count + k] = corners[k];
		g->triangle_count += count;
	}
}

static bool is_inside(const rbl_surface *surface, const rbl_surface_worker *worker, int triangle)
{
	for (int i = 0; i < worker->clusters.count; ++i)
		if (worker->clusters.data[i] == surface->clusters[triangle])
			return true;
	return false;
}

static bool is_border(const rbl_surface *surface, const rbl_surface_worker *worker, int h)
{
	return surface->twins[h] < 0 || !is_inside(surface, worker, surface->twins[h] / 3);
}

// Walk along all loops, from the first half-edge of each. @return the length of all
static int walk(test *t, const rbl_surface *surface, const rbl_surface_worker *worker)
{
	static bool is_done[6 * 3 * SIDE * SIDE];
	memset(is_done, 0, sizeof is_done);
	int count = 0, loops = 0;
	for (int i = 0; i < worker->clusters.count; ++i) {
		const rbl_cluster *cluster = &surface->cluster_data[worker->clusters.data[i]];
		for (int k = 0; k < 3 * cluster->count; ++k) {
			int start = 3 * cluster->triangles[k / 3] + k % 3, h = start;
			if (is_done[start] || !is_border(surface, worker, start))
				continue;
			do {
				CHECK(t, count < worker->edges.count);
				CHECK(t, worker->edges.data[count++] == surface->triangles[h]);
				is_done[h] = true;
				h = rbl_surface_next(h);
				while (!is_border(surface, worker, h))
					h = rbl_surface_next(surface->twins[h]);
			} while (h != start);
			CHECK(t, loops < worker->loop_ends.count);
			CHECK(t, worker->loop_ends.data[loops++] == count);
		}
	}
	CHECK(t, loops == worker->loop_ends.count);
	return count;
}

static int count_real(const rbl_surface *surface, const rbl_surface_worker *worker)
{
	int count = 0;
	for (int i = 0; i < worker->clusters.count; ++i) {
		const rbl_cluster *cluster = &surface->cluster_data[worker->clusters.data[i]];
		for (int k = 0; k < 3 * cluster->count; ++k)
			count += surface->twins[3 * cluster->triangles[k / 3] + k % 3] < 0;
	}
	return count;
}

static void look_at_nodes(test *t, const rbl_surface *surface, uint32_t reference)
{
	rbl_surface_worker *worker = &surface->workers[0];
	CHECK(t, rbl_border_find(surface, worker, reference, false));
	CHECK(t, rbl_border_loops(surface, worker));
	CHECK(t, walk(t, surface, worker) == worker->edges.count);
	CHECK(t, rbl_border_find(surface, worker, reference, true));
	CHECK(t, rbl_border_lines(surface, worker));
	CHECK(t, worker->edges.count == 2 * count_real(surface, worker));
	for (int i = 0; i < worker->borders.count; ++i) {
		int h = worker->borders.data[i].half_edge;
		CHECK(t, surface->twins[h] < 0);
		CHECK(t, worker->edges.data[2 * i] == surface->triangles[h]);
		CHECK(t, worker->edges.data[2 * i + 1] == surface->triangles[rbl_surface_next(h)]);
	}
	for (int side = 0; side < 2 && !rbl_tree_is_leaf(reference); ++side)
		look_at_nodes(t, surface, surface->pool.nodes[reference].children[side]);
}

static void look_at_bodies(test *t, rbl_surface *surface)
{
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (rbl_id_pool_is_live(&surface->ids, slot))
			look_at_nodes(t, surface, surface->bodies.data[slot].tree.root);
}

static void borders_of_nodes_are_those_of_a_walk(test *t)
{
	static grid g;
	rbl_random random = rbl_random_from_seed(71);
	for (int round = 0; round < 24; ++round) {
		make_grid(&g, &random, round % 2, round % 8);
		judge_mesh mesh = { g.positions, g.triangles, SIDE * SIDE, g.triangle_count };
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_body_id body = judge_add(t, surface, &mesh), pieces[3];
		look_at_bodies(t, surface);
		static int labels[2 * SIDE * SIDE];
		for (int i = 0; i < g.triangle_count; ++i)
			labels[i] = (int)rbl_random_below(&random, 40) ? i * 3 / g.triangle_count
			                                               : (int)rbl_random_below(&random, 3);
		rbl_surface_split_def split = rbl_default_surface_split_def();
		split.labels = labels, split.piece_count = 3;
		CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_OK);
		look_at_bodies(t, surface);
		rbl_destroy_surface(surface);
	}
}

TEST_MAIN(TEST(borders_of_nodes_are_those_of_a_walk))
