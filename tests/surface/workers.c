// SPDX-License-Identifier: MIT
// ctest: threads soak
// Any number of workers, and none, give the same bits: scenes are played side by side, breaks included, and
// every frame's answer, every tree and every count must agree.

#include "surface/comparison.h"
#include "surface/reference.h"

#include "base/hash.h"
#include "faulty_allocator.h"
#include "scenes/surfaces.h"
#include "surface/surface.h"

#include <rubble/jobs.h>

enum { PLAYERS = 4 };

static const int worker_counts[PLAYERS] = { 0, 1, 2, 4 };

typedef struct player {
	rbl_jobs *jobs;
	rbl_surface *surface;
	surface_scene *scene;
} player;

static player make_player(test *t, surface_kind kind, int divisor, int workers)
{
	player p = { NULL, NULL, surface_scene_create(kind, divisor) };
	rbl_surface_def def = rbl_default_surface_def();
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	if (workers > 0)
		CHECK(t, rbl_create_jobs(&jobs_def, &p.jobs) == RBL_OK);
	def.jobs = p.jobs;
	CHECK(t, rbl_create_surface(&def, &p.surface) == RBL_OK);
	rbl_surface_always_share(p.surface);
	CHECK(t, p.scene && surface_scene_begin(p.scene, p.surface));
	return p;
}

static void free_player(player *p)
{
	rbl_destroy_surface(p->surface);
	surface_scene_destroy(p->scene);
	rbl_destroy_jobs(p->jobs);
}

static uint64_t hash_tree(uint64_t hash, const rbl_surface *s, const rbl_tree *tree)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	hash = rbl_hash_bytes(hash, &tree->bounds, sizeof tree->bounds);
	stack[top++] = tree->root;
	while (top > 0) {
		uint32_t at = stack[--top];
		if (rbl_tree_is_leaf(at)) {
			uint32_t leaf = rbl_tree_leaf_id(at);
			hash = rbl_hash_bytes(hash, &at, sizeof at);
			if (tree->pool != &s->pool)
				continue; // a body
			hash = rbl_hash_bytes(hash, s->cluster_data[leaf].triangles,
			                      sizeof s->cluster_data[leaf].triangles);
			hash = rbl_hash_bytes(hash, &s->cluster_boxes[leaf], sizeof(rbl_box));
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[at];
		hash = rbl_hash_bytes(hash, node->boxes, sizeof node->boxes);
		hash = rbl_hash_bytes(hash, &tree->pool->metrics[at].self_cost, sizeof(float));
		if (tree->pool == &s->pool)
			hash = rbl_hash_bytes(hash, &s->cull_results[at], 1);
		stack[top++] = node->children[1];
		stack[top++] = node->children[0];
	}
	return hash;
}

static uint64_t hash_surface(const rbl_surface *s)
{
	uint64_t hash = 1;
	for (int slot = 0; slot < s->bodies.count; ++slot) {
		const rbl_surface_body *body = &s->bodies.data[slot];
		if (!rbl_id_pool_is_live(&s->ids, slot))
			continue;
		const bool flags[4] = { body->motion.is_rigid, body->self.is_certified, body->self.is_star,
			                    body->self.is_clear };
		hash = rbl_hash_bytes(hash, flags, sizeof flags);
		hash = hash_tree(hash, s, &body->tree);
	}
	return hash_tree(hash, s, &s->body_tree) + (uint64_t)s->ids.live_count;
}

static uint64_t hash_counts(const rbl_surface *s)
{
	rbl_surface_stats stats = rbl_surface_get_stats(s);
	const int64_t counts[] = { stats.body_count,       stats.vertex_count,  stats.triangle_count,
		                       stats.cluster_count,    stats.box_tests,     stats.cluster_tests,
		                       stats.normal_passes,    stats.contour_tests, stats.culled_nodes,
		                       stats.culled_triangles, stats.candidates,    stats.tests,
		                       stats.false_tests,      stats.fitted_nodes,  stats.rebuilt_trees,
		                       stats.rebuilt_clusters };
	return rbl_hash_bytes(2, counts, sizeof counts);
}

// @param found  receives how much was found
static uint64_t hash_frame(test *t, player *p, rbl_surface_motion motion, int *found)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0 };
	uint64_t hash = 3;
	CHECK(t, rbl_surface_update(p->surface, motion) == RBL_OK);
	if (motion == RBL_SURFACE_DISCRETE)
		CHECK(t, rbl_surface_collide(p->surface, &pairs) == RBL_OK);
	else
		CHECK(t, rbl_surface_sweep(p->surface, &hits) == RBL_OK);
	for (int i = 0; i < pairs.count; ++i)
		hash = rbl_hash_bytes(hash, &pairs.pairs[i], sizeof pairs.pairs[i]);
	for (int i = 0; i < hits.count; ++i) {
		const rbl_surface_hit *hit = &hits.hits[i];
		const int ids[4] = { (int)hit->kind, hit->a, hit->b, hit->is_at_start };
		const float values[6] = { hit->time,     hit->u,        hit->v,
			                      hit->normal.x, hit->normal.y, hit->normal.z };
		hash = rbl_hash_bytes(hash, ids, sizeof ids);
		hash = rbl_hash_bytes(hash, values, sizeof values);
	}
	*found += pairs.count + hits.count;
	return hash;
}

// @param first, frames  all up to the last are played, and those from the first are compared
static void play(test *t, surface_kind kind, int divisor, rbl_surface_motion motion, int first,
                 int frames)
{
	player players[PLAYERS];
	int found = 0, breaks = 0;
	for (int i = 0; i < PLAYERS; ++i)
		players[i] = make_player(t, kind, divisor, worker_counts[i]);
	for (int frame = 0; frame < frames; ++frame) {
		uint64_t hashes[PLAYERS][3] = { { 0 } };
		for (int i = 0; i < PLAYERS; ++i) {
			bool is_broken = false;
			CHECK(t, surface_scene_step(players[i].scene, players[i].surface, &is_broken));
			breaks += is_broken;
			if (frame < first)
				continue;
			hashes[i][0] = hash_frame(t, &players[i], motion, &found);
			hashes[i][1] = hash_counts(players[i].surface);
			hashes[i][2] = hash_surface(players[i].surface);
			CHECK(t, hashes[i][0] == hashes[0][0]);
			CHECK(t, hashes[i][1] == hashes[0][1]);
			CHECK(t, hashes[i][2] == hashes[0][2]);
		}
	}
	CHECK(t, rbl_surface_get_stats(players[0].surface).memory <=
	             rbl_surface_get_stats(players[1].surface).memory);
	printf("%s: %d found, %d breaks\n", surface_scene_name(kind), found / PLAYERS,
	       breaks / PLAYERS);
	CHECK(t, found > 0 || kind == SURFACE_CLOTH); // a small cloth hardly folds
	CHECK(t, breaks > 0 || kind == SURFACE_CLOTH || kind == SURFACE_NBODY);
	for (int i = 0; i < PLAYERS; ++i)
		free_player(&players[i]);
}

// Large bodies are moved by all workers: all of it, or nothing.
static void a_large_body_moves_or_stays(test *t)
{
	enum { SIZE = 160, COUNT = (SIZE + 1) * (SIZE + 1) };
	rbl_vec3 *positions = malloc(COUNT * sizeof *positions);
	int *triangles = malloc(6 * (size_t)SIZE * SIZE * sizeof *triangles), count = 0;
	for (int i = 0; i < COUNT; ++i)
		positions[i] = (rbl_vec3){ (float)(i % (SIZE + 1)), 0.0f, (float)(i / (SIZE + 1)) };
	for (int i = 0; i < SIZE * SIZE; ++i) {
		int a = i / SIZE * (SIZE + 1) + i % SIZE;
		const int corners[6] = { a, a + SIZE + 2, a + 1, a, a + SIZE + 1, a + SIZE + 2 };
		for (int k = 0; k < 6; ++k)
			triangles[count++] = corners[k];
	}
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = COUNT, body_def.positions = positions;
	body_def.triangle_count = count / 3, body_def.triangles = triangles;
	for (int i = 0; i < PLAYERS; ++i) {
		rbl_jobs *jobs = NULL;
		rbl_surface *surface;
		rbl_surface_body_id body;
		rbl_jobs_def jobs_def = rbl_default_jobs_def();
		jobs_def.worker_count = worker_counts[i];
		if (worker_counts[i] > 0)
			CHECK(t, rbl_create_jobs(&jobs_def, &jobs) == RBL_OK);
		rbl_surface_def def = rbl_default_surface_def();
		def.jobs = jobs;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		CHECK(t, rbl_surface_add(surface, &body_def, &body) == RBL_OK);
		for (int bad = 0; bad < 3; ++bad) {
			rbl_vec3 *moved = malloc(COUNT * sizeof *moved), *from = malloc(COUNT * sizeof *from);
			for (int k = 0; k < COUNT; ++k) {
				from[k] = (rbl_vec3){ positions[k].x, 1.0f, positions[k].z };
				moved[k] = (rbl_vec3){ positions[k].x, 2.0f, positions[k].z };
			}
			if (bad < 2)
				(bad ? moved : from)[COUNT - 7].y = INFINITY;
			rbl_result expected = bad < 2 ? RBL_BAD_ARGUMENT : RBL_OK;
			CHECK(t, rbl_surface_move(surface, body, from, moved) == expected);
			rbl_surface_data data = rbl_surface_get_data(surface);
			int wrong = 0;
			for (int k = 0; k < COUNT; ++k)
				wrong += data.starts[k].y != (bad < 2 ? 0.0f : 1.0f) ||
				         data.ends[k].y != (bad < 2 ? 0.0f : 2.0f);
			CHECK(t, wrong == 0);
			free(moved);
			free(from);
		}
		rbl_destroy_surface(surface);
		rbl_destroy_jobs(jobs);
	}
	free(positions);
	free(triangles);
}

// Many bodies move at once, or none of them does.
static void bodies_move_together_or_not_at_all(test *t)
{
	enum { BODIES = 40 };
	faulty_allocator memory;
	faulty_init(&memory, 1LL << 60);
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(&memory);
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	reference_mesh mesh = reference_sheet(3, 3);
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = mesh.vertex_count, body_def.positions = mesh.positions;
	body_def.triangle_count = mesh.triangle_count, body_def.triangles = mesh.triangles;
	rbl_surface_body_id bodies[BODIES];
	int count = mesh.vertex_count;
	rbl_vec3 *ends = malloc((size_t)(BODIES * count) * sizeof *ends);
	for (int b = 0; b < BODIES; ++b) {
		CHECK(t, rbl_surface_add(surface, &body_def, &bodies[b]) == RBL_OK);
		for (int i = 0; i < count; ++i)
			ends[b * count + i] = (rbl_vec3){ (float)b, (float)i, 7.0f };
	}
	rbl_surface_data data = rbl_surface_get_data(surface);
	rbl_vec3 before = data.ends[0], *last = &ends[BODIES * count - 1];
	rbl_surface_body_id twice[2] = { bodies[3], bodies[3] }, stale[2] = { bodies[3], { 9999, 7 } };
	CHECK(t, rbl_surface_move_bodies(NULL, bodies, BODIES, NULL, ends) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_bodies(surface, bodies, -1, NULL, ends) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_bodies(surface, NULL, 1, NULL, ends) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_bodies(surface, bodies, 1, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_bodies(surface, twice, 2, NULL, ends) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_bodies(surface, stale, 2, NULL, ends) == RBL_STALE_ID);
	last->z = INFINITY;
	CHECK(t, rbl_surface_move_bodies(surface, bodies, BODIES, NULL, ends) == RBL_BAD_ARGUMENT);
	last->z = 7.0f;
	CHECK(t, memcmp(&before, &data.ends[0], sizeof before) == 0);
	CHECK(t, rbl_surface_move_bodies(surface, NULL, 0, NULL, NULL) == RBL_OK);
	CHECK(t, rbl_surface_move_bodies(surface, bodies, BODIES, NULL, ends) == RBL_OK);
	int wrong = 0;
	for (int b = 0; b < BODIES; ++b) {
		rbl_surface_body_data body = rbl_surface_body_get_data(surface, bodies[b]);
		for (int i = 0; i < count; ++i)
			wrong += memcmp(&data.ends[body.vertices[i]], &ends[b * count + i], sizeof *ends) != 0;
	}
	CHECK(t, wrong == 0);
	CHECK(t, rbl_surface_move_bodies(surface, bodies, BODIES, ends, ends) == RBL_OK);
	CHECK(t, memcmp(&data.starts[0], &data.ends[0], sizeof before) == 0);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
	free(ends);
}

static void workers_find_the_same_in_a_cloth(test *t)
{
	play(t, SURFACE_CLOTH, 3, RBL_SURFACE_DISCRETE, 130, test_count(136, 160));
	play(t, SURFACE_CLOTH, 6, RBL_SURFACE_CONTINUOUS, 140, test_count(142, 160));
}

static void workers_find_the_same_between_blobs(test *t)
{
	play(t, SURFACE_NBODY, 2, RBL_SURFACE_DISCRETE, 60, test_count(70, 149));
	play(t, SURFACE_NBODY, 4, RBL_SURFACE_CONTINUOUS, 60, test_count(64, 149));
}

static void workers_break_walls_alike(test *t)
{
	play(t, SURFACE_WALLS, 4, RBL_SURFACE_DISCRETE, 0, test_count(40, 80));
	play(t, SURFACE_WALLS, 5, RBL_SURFACE_CONTINUOUS, 0, test_count(40, 80));
}

static void workers_break_a_shell_alike(test *t)
{
	play(t, SURFACE_EXPLODE, 6, RBL_SURFACE_DISCRETE, 20, test_count(60, 250));
	play(t, SURFACE_EXPLODE, 12, RBL_SURFACE_CONTINUOUS, 20, test_count(50, 250));
}

TEST_MAIN(TEST(workers_find_the_same_in_a_cloth), TEST(workers_find_the_same_between_blobs),
          TEST(workers_break_walls_alike), TEST(workers_break_a_shell_alike),
          TEST(a_large_body_moves_or_stays), TEST(bodies_move_together_or_not_at_all))
