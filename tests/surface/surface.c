// SPDX-License-Identifier: MIT
// ctest: soak
// Surfaces: bodies come, go, split, merge and move, and every pair that touches is found.

#include "base/hash.h"
#include "faulty_allocator.h"
#include "surface/comparison.h"
#include "surface/reference.h"

#include <rubble/surface.h>

static rbl_surface *make_surface(test *t, rbl_surface_culling culling)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = culling;
	rbl_surface *surface = NULL;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	return surface;
}

static int wrong_pairs(test *t, rbl_surface *surface)
{
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
	return reference_check_pairs(surface, pairs);
}

static void pairs_equal_brute_force(test *t)
{
	rbl_random random = rbl_random_from_seed(1);
	int culled = 0, found = 0;
	for (int round = 0; round < test_count(150, 20000); ++round) {
		reference_mesh mesh = rbl_random_below(&random, 4) == 0
		                          ? reference_torus(4 + (int)rbl_random_below(&random, 6), 5)
		                          : reference_sheet(2 + (int)rbl_random_below(&random, 9),
		                                            1 + (int)rbl_random_below(&random, 8));
		reference_crumple(&mesh, &random);
		for (int grade = 0; grade < 2; ++grade) {
			rbl_surface *surface = make_surface(t, grade ? RBL_CULL_EXACT : RBL_CULL_NONE);
			reference_add(t, surface, &mesh);
			CHECK(t, wrong_pairs(t, surface) == 0);
			culled += (int)rbl_surface_get_stats(surface).culled_nodes;
			found += (int)rbl_surface_get_stats(surface).tests;
			rbl_destroy_surface(surface);
		}
		reference_mesh_free(&mesh);
	}
	CHECK(t, culled > 100 && found > 1000);
}

// A body of the surface by number, in the order of slots.
static rbl_surface_body_id pick_body(const rbl_surface *surface, rbl_random *random)
{
	int nth = (int)rbl_random_below(random, (uint32_t)surface->ids.live_count);
	for (int i = 0; i < surface->bodies.count; ++i)
		if (rbl_id_pool_is_live(&surface->ids, i) && nth-- == 0) {
			rbl_id id = rbl_id_pool_at(&surface->ids, i);
			return (rbl_surface_body_id){ id.index, id.generation };
		}
	return (rbl_surface_body_id){ 0, 0 };
}

// Split by a plane through the body, drop some triangles and put others in their place.
static void split_somehow(test *t, rbl_surface *surface, rbl_random *random)
{
	rbl_surface_body_id body = pick_body(surface, random), pieces[4];
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
	rbl_surface_data all = rbl_surface_get_data(surface);
	int *labels = malloc((size_t)data.triangle_count * sizeof *labels);
	int wanted = 1 + (int)rbl_random_below(random, 4), counts[4] = { 0 }, numbers[4],
		piece_count = 0;
	for (int i = 0; i < data.triangle_count; ++i) {
		rbl_vec3 p = all.ends[all.triangles[3 * data.triangles[i]]];
		labels[i] = (int)fabsf(p.x + 0.3f * p.y) % wanted;
		counts[labels[i]]++;
	}
	for (int i = 0; i < 4; ++i)
		numbers[i] = counts[i] > 0 ? piece_count++ : -1;
	for (int i = 0; i < data.triangle_count; ++i)
		labels[i] = numbers[labels[i]];
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = piece_count;
	def.labels = labels;
	// One triangle falls into three round a new vertex.
	int dropped = (int)rbl_random_below(random, (uint32_t)data.triangle_count);
	int triangles[9], triangle_labels[3];
	rbl_vec3 middle = { 0.0f, 0.0f, 0.0f };
	if (rbl_random_below(random, 2)) {
		const int *v = all.triangles + 3 * data.triangles[dropped];
		for (int k = 0; k < 3; ++k) {
			middle = rbl_add_scaled(middle, 1.0f / 3.0f, all.ends[v[k]]);
			triangles[3 * k] = v[k], triangles[3 * k + 1] = v[(k + 1) % 3];
			triangles[3 * k + 2] = -1;
			triangle_labels[k] = labels[dropped];
		}
		labels[dropped] = -1;
		def.vertex_count = 1, def.positions = &middle;
		def.triangle_count = 3, def.triangles = triangles, def.triangle_labels = triangle_labels;
	}
	CHECK(t, rbl_surface_split(surface, body, &def, pieces) == RBL_OK);
	CHECK(t, pieces[0].index == body.index && pieces[0].generation == body.generation);
	free(labels);
}

static void merge_somehow(test *t, rbl_surface *surface, rbl_random *random)
{
	rbl_surface_body_id bodies[2] = { pick_body(surface, random), pick_body(surface, random) };
	if (bodies[0].index == bodies[1].index)
		return;
	// Weld what lies at the same place, if it does.
	rbl_surface_body_data a = rbl_surface_body_get_data(surface, bodies[0]);
	rbl_surface_body_data b = rbl_surface_body_get_data(surface, bodies[1]);
	rbl_surface_data all = rbl_surface_get_data(surface);
	int *welds = malloc(2 * (size_t)b.vertex_count * sizeof *welds + 1), weld_count = 0;
	for (int i = 0; i < b.vertex_count; ++i)
		for (int k = 0; k < a.vertex_count; ++k)
			if (memcmp(&all.ends[a.vertices[k]], &all.ends[b.vertices[i]], sizeof *all.ends) == 0) {
				welds[2 * weld_count] = a.vertices[k];
				welds[2 * weld_count++ + 1] = b.vertices[i];
				break;
			}
	rbl_result result = rbl_surface_merge(surface, bodies, 2, welds, weld_count);
	if (result == RBL_BAD_ARGUMENT) // a triangle would lose a corner
		result = rbl_surface_merge(surface, bodies, 2, NULL, 0);
	CHECK(t, result == RBL_OK);
	CHECK(t, rbl_surface_body_get_data(surface, bodies[1]).vertex_count == 0);
	free(welds);
}

static void move_somehow(test *t, rbl_surface *surface, rbl_random *random)
{
	rbl_surface_body_id body = pick_body(surface, random);
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
	rbl_surface_data all = rbl_surface_get_data(surface);
	bool is_whole = rbl_random_below(random, 2);
	int count = is_whole ? data.vertex_count : 1;
	int *ids = malloc((size_t)count * sizeof *ids);
	rbl_vec3 *ends = malloc((size_t)count * sizeof *ends);
	rbl_vec3 translation = { (float)rbl_random_range(random, -0.5, 0.5), 0.1f, 0.0f };
	for (int i = 0; i < count; ++i) {
		ids[i] = is_whole ? data.vertices[i]
		                  : all.triangles[3 * data.triangles[rbl_random_below(
												  random, (uint32_t)data.triangle_count)]];
		ends[i] = rbl_add(all.ends[ids[i]], translation);
	}
	CHECK(t, (is_whole ? rbl_surface_move(surface, body, NULL, ends)
	                   : rbl_surface_move_vertices(surface, body, ids, count, ends)) == RBL_OK);
	free(ids);
	free(ends);
}

static void any_order_of_changes_keeps_pairs_right(test *t)
{
	for (int run = 0; run < test_count(12, 300); ++run) {
		rbl_random random = rbl_random_from_seed((uint64_t)run);
		rbl_surface *surface = make_surface(t, run % 3 ? RBL_CULL_EXACT : RBL_CULL_NONE);
		for (int step = 0; step < 60; ++step) {
			int choice = (int)rbl_random_below(&random, 10);
			if (surface->ids.live_count == 0 || (choice == 0 && surface->triangle_count < 500)) {
				reference_mesh mesh = reference_sheet(2 + (int)rbl_random_below(&random, 6), 4);
				reference_crumple(&mesh, &random);
				reference_add(t, surface, &mesh);
				reference_mesh_free(&mesh);
			} else if (choice == 1 && surface->ids.live_count > 3) {
				CHECK(t, rbl_surface_remove(surface, pick_body(surface, &random)) == RBL_OK);
			} else if (choice <= 4) {
				split_somehow(t, surface, &random);
			} else if (choice <= 6) {
				merge_somehow(t, surface, &random);
			} else {
				move_somehow(t, surface, &random);
			}
			if (step % 3 == 0) {
				CHECK(t, wrong_pairs(t, surface) == 0);
				const char *wrong = reference_check_surface(surface);
				if (wrong)
					test_fail(t, __FILE__, __LINE__, wrong);
			}
		}
		rbl_destroy_surface(surface);
	}
}

// A third triangle at a side that two share: by welding another body there, and by a split that
// adds one.
static void a_fin_parts_what_it_comes_between(test *t)
{
	rbl_vec3 positions[4] = {
		{ 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }
	};
	rbl_vec3 fin_positions[3] = { positions[0], positions[2], { 0.5f, 0.5f, 1.0f } };
	int square[6] = { 0, 1, 2, 0, 2, 3 }, fin[3] = { 0, 1, 2 };
	for (int pass = 0; pass < 2; ++pass) {
		rbl_surface *surface = make_surface(t, RBL_CULL_EXACT);
		reference_mesh flat = { positions, square, 4, 2 };
		reference_mesh up = { fin_positions, fin, 3, 1 };
		rbl_surface_body_id bodies[2] = { reference_add(t, surface, &flat) };
		CHECK(t, reference_check_surface(surface) == NULL);
		const int *v = rbl_surface_body_get_data(surface, bodies[0]).vertices;
		if (pass == 0) {
			bodies[1] = reference_add(t, surface, &up);
			v = rbl_surface_body_get_data(surface, bodies[0]).vertices;
			const int *w = rbl_surface_body_get_data(surface, bodies[1]).vertices;
			const int welds[4] = { v[0], w[0], v[2], w[1] };
			CHECK(t, rbl_surface_merge(surface, bodies, 2, welds, 2) == RBL_OK);
		} else {
			const int labels[2] = { 0, 0 }, triangle[3] = { v[0], v[2], -1 }, label = 0;
			rbl_surface_split_def def = rbl_default_surface_split_def();
			def.piece_count = 1, def.labels = labels;
			def.vertex_count = 1, def.positions = &fin_positions[2];
			def.triangle_count = 1, def.triangles = triangle, def.triangle_labels = &label;
			CHECK(t, rbl_surface_split(surface, bodies[0], &def, &bodies[1]) == RBL_OK);
		}
		CHECK(t, reference_check_surface(surface) == NULL);
		CHECK(t, wrong_pairs(t, surface) == 0);
		rbl_destroy_surface(surface);
	}
}

// Bodies in far groups: one that is made of two of a group stays with the third, wherever the tree
// had its first part.
static void a_merged_body_stays_where_its_parts_are(test *t)
{
	rbl_surface *surface = make_surface(t, RBL_CULL_EXACT);
	rbl_surface_body_id bodies[12];
	reference_mesh mesh = reference_sheet(2, 2);
	for (int i = 0; i < 12; ++i) {
		for (int k = 0; k < mesh.vertex_count; ++k)
			mesh.positions[k] =
				(rbl_vec3){ (float)(k % 3) + 100.0f * (float)(i % 4),
				            (float)(k / 3) + 3.0f * (float)(i / 4), 0.1f * (float)k };
		bodies[i] = reference_add(t, surface, &mesh);
	}
	CHECK(t, wrong_pairs(t, surface) == 0);
	for (int group = 0; group < 4; ++group) {
		const rbl_surface_body_id two[2] = { bodies[group], bodies[group + 4] };
		CHECK(t, rbl_surface_merge(surface, two, 2, NULL, 0) == RBL_OK);
		CHECK(t, wrong_pairs(t, surface) == 0 && !reference_check_surface(surface));
		const rbl_tree_pool *pool = &surface->body_pool;
		uint32_t parent = pool->leaf_parents[bodies[group].index];
		const rbl_tree_node *node = &pool->nodes[parent];
		uint32_t third = bodies[group + 8].index | RBL_TREE_LEAF;
		CHECK(t, node->children[0] == third || node->children[1] == third);
	}
	// One of the first group goes to the last, and becomes one with a body there.
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, bodies[8]);
	rbl_surface_data all = rbl_surface_get_data(surface);
	rbl_vec3 ends[9];
	for (int i = 0; i < data.vertex_count; ++i)
		ends[i] = rbl_add(all.ends[data.vertices[i]], (rbl_vec3){ 300.0f, 3.0f, 0.0f });
	CHECK(t, rbl_surface_move(surface, bodies[8], NULL, ends) == RBL_OK);
	CHECK(t, wrong_pairs(t, surface) == 0);
	const rbl_surface_body_id guest[2] = { bodies[8], bodies[11] };
	CHECK(t, rbl_surface_merge(surface, guest, 2, NULL, 0) == RBL_OK);
	const rbl_tree_pool *pool = &surface->body_pool;
	const rbl_tree_node *node = &pool->nodes[pool->leaf_parents[bodies[8].index]];
	uint32_t host = bodies[3].index | RBL_TREE_LEAF;
	CHECK(t, node->children[0] == host || node->children[1] == host);
	const rbl_surface_body_id rest[2] = { bodies[0], bodies[8] };
	CHECK(t, rbl_surface_merge(surface, rest, 2, NULL, 0) == RBL_OK); // all of its group
	CHECK(t, wrong_pairs(t, surface) == 0 && !reference_check_surface(surface));
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

// A sheet that rolls up and opens again, under every rule for degraded trees.
static void restructuring_keeps_pairs_right(test *t)
{
	for (int rule = 0; rule < RBL_COMPARISON_RESTRUCTURE_COUNT; ++rule) {
		rbl_surface_def def = rbl_default_surface_def();
		def.restructuring = (rbl_surface_restructuring)rule;
		def.restructure_share = 1.0f;
		def.costs.build_cluster = 1.0f;
		rbl_surface *surface;
		CHECK(t, rbl_surface_create_comparison(&def, &surface) == RBL_OK);
		reference_mesh mesh = reference_sheet(20, 12);
		rbl_surface_body_id body = reference_add(t, surface, &mesh);
		rbl_random random = rbl_random_from_seed(2);
		int64_t rebuilt = 0;
		for (int step = 0; step < 12; ++step) {
			reference_mesh moved = reference_sheet(20, 12);
			reference_crumple(&moved, &random);
			CHECK(t, rbl_surface_move(surface, body, NULL, moved.positions) == RBL_OK);
			CHECK(t, wrong_pairs(t, surface) == 0);
			const char *wrong = reference_check_surface(surface);
			if (wrong)
				test_fail(t, __FILE__, __LINE__, wrong);
			rebuilt += rbl_surface_get_stats(surface).rebuilt_trees;
			reference_mesh_free(&moved);
		}
		CHECK(t, (rebuilt > 0) == (rule != RBL_RESTRUCTURE_NONE));
		reference_mesh_free(&mesh);
		rbl_destroy_surface(surface);
	}
}

static void three_triangles_on_an_edge_fall_apart(test *t)
{
	rbl_vec3 positions[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 } };
	int triangles[9] = { 0, 1, 2, 1, 0, 3, 0, 1, 4 };
	reference_mesh mesh = { positions, triangles, 5, 3 };
	rbl_surface *surface = make_surface(t, RBL_CULL_EXACT);
	rbl_surface_body_id body = reference_add(t, surface, &mesh);
	int labels[3], count;
	CHECK(t, rbl_surface_body_get_components(surface, body, labels, &count) == RBL_OK);
	CHECK(t, count == 3 && labels[0] == 0 && labels[1] == 1 && labels[2] == 2);
	CHECK(t, rbl_surface_get_data(surface).twins[0] == -2);
	CHECK(t, wrong_pairs(t, surface) == 0); // they share the edge and touch nowhere else
	rbl_destroy_surface(surface);
}

// Regression: ids that were free come in any order, and the first triangle of the body stood for
// the edge.
static void a_tangle_is_known_by_its_lowest_half_edge(test *t)
{
	rbl_vec3 positions[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	int triangles[6] = { 0, 1, 2, 0, 1, 3 };
	reference_mesh single = { positions, triangles, 3, 1 }, both = { positions, triangles, 4, 2 };
	rbl_surface *surface = make_surface(t, RBL_CULL_EXACT);
	rbl_surface_body_id first = reference_add(t, surface, &single);
	rbl_surface_body_id second = reference_add(t, surface, &single);
	CHECK(t, rbl_surface_remove(surface, first) == RBL_OK);
	CHECK(t, rbl_surface_remove(surface, second) == RBL_OK);
	reference_add(t, surface, &both);
	CHECK(t, !reference_check_surface(surface) && wrong_pairs(t, surface) == 0);
	CHECK(t, rbl_surface_get_data(surface).twins[0] == -2 &&
	             rbl_surface_get_data(surface).twins[3] == -3);
	rbl_destroy_surface(surface);
}

// Regression: a triangle at the tip of a crack offered its far side to be joined again, alone, and
// forgot that others lie there.
static void a_crack_leaves_tangles_beside_it_alone(test *t)
{
	static const rbl_vec3 positions[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
		                                  { 0, 0, 1 }, { 0, 2, 0 }, { 1, 2, 0 } };
	static const int triangles[] = { 0, 1, 2, 0, 1, 3, 2, 4, 5 };
	static const int labels[] = { 0, 0, 1 };
	rbl_surface *surface = make_surface(t, RBL_CULL_EXACT);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = 6, def.positions = positions, def.triangle_count = 3,
	def.triangles = triangles;
	rbl_surface_body_id body, pieces[2];
	CHECK(t, rbl_surface_add(surface, &def, &body) == RBL_OK && !reference_check_surface(surface));
	rbl_surface_split_def split = rbl_default_surface_split_def();
	split.piece_count = 2, split.labels = labels;
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_OK);
	CHECK(t, !reference_check_surface(surface) && wrong_pairs(t, surface) == 0);
	rbl_destroy_surface(surface);
}

static void the_boundary_of_tetrahedra_maps_back(test *t)
{
	rbl_vec3d positions[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } };
	int corners[8] = { 0, 1, 2, 3, 1, 2, 3, 4 };
	rbl_tets_def def = rbl_default_tets_def();
	def.vertex_count = 5, def.positions = positions, def.tet_count = 2, def.tet_vertices = corners;
	def.mend_orientation = true;
	rbl_tets *tets;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_OK);
	rbl_surface *surface = make_surface(t, RBL_CULL_EXACT);
	rbl_surface_body_id body;
	CHECK(t, rbl_surface_add_tets(surface, tets, &body) == RBL_OK);
	rbl_tets_data data = rbl_tets_get_data(tets);
	rbl_surface_body_data view = rbl_surface_body_get_data(surface, body);
	rbl_surface_data all = rbl_surface_get_data(surface);
	CHECK(t, view.triangle_count == 6 && view.vertex_count == 5);
	for (int i = 0; i < view.triangle_count; ++i)
		for (int k = 0; k < 3; ++k) {
			int own = all.triangles[3 * view.triangles[i] + k];
			int vertex = data.boundary_vertices[data.boundary_triangles[3 * i + k]];
			CHECK(t, all.ends[own].x == (float)positions[vertex].x);
		}
	CHECK(t, rbl_surface_add_tets(surface, NULL, &body) == RBL_BAD_ARGUMENT);
	rbl_destroy_surface(surface);
	rbl_destroy_tets(tets);
}

static uint64_t hash_of(const rbl_surface *s)
{
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, s->triangles,
	                               3 * (size_t)s->triangle_end * sizeof *s->triangles);
	hash = rbl_hash_bytes(hash, s->twins, 3 * (size_t)s->triangle_end * sizeof *s->twins);
	for (int time = 0; time < 2; ++time)
		hash = rbl_hash_bytes(hash, s->positions[time],
		                      (size_t)s->vertex_end * sizeof *s->positions[time]);
	return rbl_hash_bytes(hash, s->vertex_scratch, (size_t)s->vertex_end * sizeof(int));
}

static void bad_input_is_refused(test *t)
{
	rbl_surface *surface = NULL;
	rbl_surface_def def = { 0 };
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT && !surface);
	CHECK(t, rbl_create_surface(NULL, &surface) == RBL_BAD_ARGUMENT);
	def = rbl_default_surface_def();
	CHECK(t, rbl_create_surface(&def, NULL) == RBL_BAD_ARGUMENT);
	def.culling = RBL_CULL_COUNT;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT);
	def = rbl_default_surface_def(), def.restructuring = RBL_RESTRUCTURE_ALL;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT);
	def = rbl_default_surface_def(), def.grid_leaves = 1;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT);
	def = rbl_default_surface_def(), def.restructure_share = NAN;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT);
	def = rbl_default_surface_def(), def.certificate_share = 1.5f;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT);
	def = rbl_default_surface_def(), def.thickness = -1.0f;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT);
	def = rbl_default_surface_def(), def.costs.box_test = 0.0f;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_BAD_ARGUMENT);
	surface = make_surface(t, RBL_CULL_EXACT);
	reference_mesh mesh = reference_sheet(3, 3);
	rbl_surface_body_id body = reference_add(t, surface, &mesh), none = { 0, 0 };
	uint64_t hash = hash_of(surface);
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	CHECK(t, rbl_surface_add(surface, &body_def, &none) == RBL_BAD_ARGUMENT);
	body_def.vertex_count = mesh.vertex_count, body_def.positions = mesh.positions;
	body_def.triangle_count = mesh.triangle_count, body_def.triangles = mesh.triangles;
	mesh.triangles[4] = mesh.vertex_count;
	CHECK(t, rbl_surface_add(surface, &body_def, &none) == RBL_BAD_ARGUMENT);
	mesh.triangles[4] = mesh.triangles[3];
	CHECK(t, rbl_surface_add(surface, &body_def, &none) == RBL_BAD_ARGUMENT);
	mesh.positions[5].y = NAN;
	CHECK(t, rbl_surface_add(surface, &body_def, &none) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move(surface, body, NULL, mesh.positions) == RBL_BAD_ARGUMENT);
	int vertex = 99;
	mesh.positions[5].y = 0.0f;
	CHECK(t,
	      rbl_surface_move_vertices(surface, body, &vertex, 1, mesh.positions) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move(surface, none, NULL, mesh.positions) == RBL_STALE_ID);
	CHECK(t, rbl_surface_move_vertices(surface, none, &vertex, 1, mesh.positions) == RBL_STALE_ID);
	CHECK(t, rbl_surface_remove(surface, none) == RBL_STALE_ID);
	CHECK(t, rbl_surface_set_culling(surface, RBL_CULL_COUNT) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_body_get_data(surface, none).triangle_count == 0);
	CHECK(t, rbl_surface_triangle_body(surface, -1).generation == 0);
	int labels[18] = { 0 }, welds[2] = { 0, 77 };
	rbl_surface_split_def split = rbl_default_surface_split_def();
	rbl_surface_body_id pieces[2];
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_BAD_ARGUMENT);
	split.piece_count = 2, split.labels = labels;
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_BAD_ARGUMENT); // piece 1 empty
	labels[3] = 2;
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_BAD_ARGUMENT);
	labels[3] = 1;
	CHECK(t, rbl_surface_split(surface, none, &split, pieces) == RBL_STALE_ID);
	int triangles[3] = { 0, 1, -2 }, label = 0;
	split.triangle_count = 1, split.triangles = triangles, split.triangle_labels = &label;
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_BAD_ARGUMENT);
	triangles[2] = 1;
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_BAD_ARGUMENT);
	label = 5, triangles[2] = 2;
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_merge(surface, &body, 1, welds, 1) == RBL_BAD_ARGUMENT);
	welds[1] = 1; // neighbours: a triangle would lose a corner
	CHECK(t, rbl_surface_merge(surface, &body, 1, welds, 1) == RBL_BAD_ARGUMENT);
	rbl_surface_body_id twice[2] = { body, body };
	CHECK(t, rbl_surface_merge(surface, twice, 2, NULL, 0) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_merge(surface, &none, 1, NULL, 0) == RBL_STALE_ID);
	rbl_surface_pairs pairs;
	rbl_surface_hits hits;
	CHECK(t, hash_of(surface) == hash); // what was refused changed nothing
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_BAD_ARGUMENT); // no update yet
	CHECK(t, rbl_surface_update(surface, (rbl_surface_motion)7) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_collide(surface, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, reference_check_surface(surface) == NULL && surface->ids.live_count == 1);
	rbl_destroy_surface(surface);
	rbl_destroy_surface(NULL);
	reference_mesh_free(&mesh);
}

// Everything that takes memory, once. What fails changes nothing: the same call is made again.
static rbl_result use_everything(test *t, rbl_allocator allocator)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = allocator;
	rbl_surface *surface;
	rbl_result result = rbl_create_surface(&def, &surface);
	if (result != RBL_OK)
		return result;
	reference_mesh mesh = reference_sheet(6, 6);
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = mesh.vertex_count, body_def.positions = mesh.positions;
	body_def.triangle_count = mesh.triangle_count, body_def.triangles = mesh.triangles;
	mesh.positions[8].z = 1.0f, mesh.positions[9].z = -1.0f, mesh.positions[15].x = 4.0f;
	rbl_surface_body_id body, pieces[2];
	result = rbl_surface_add(surface, &body_def, &body);
	rbl_surface_split_def split = rbl_default_surface_split_def();
	int labels[72];
	for (int i = 0; i < 72; ++i)
		labels[i] = i % 12 < 6;
	split.piece_count = 2, split.labels = labels;
	rbl_surface_pairs pairs;
	rbl_surface_hits hits;
	if (result == RBL_OK)
		result = rbl_surface_update(surface, RBL_SURFACE_DISCRETE);
	if (result == RBL_OK)
		result = rbl_surface_collide(surface, &pairs);
	if (result == RBL_OK)
		result = rbl_surface_split(surface, body, &split, pieces);
	if (result == RBL_OK)
		result = rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS);
	if (result == RBL_OK)
		result = rbl_surface_sweep(surface, &hits);
	if (result == RBL_OK)
		result = rbl_surface_merge(surface, pieces, 2, NULL, 0);
	int count;
	if (result == RBL_OK)
		result = rbl_surface_body_get_components(surface, body, labels, &count);
	const char *wrong = reference_check_surface(surface);
	if (wrong)
		test_fail(t, __FILE__, __LINE__, wrong);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
	return result;
}

static void running_out_of_memory_changes_nothing(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = use_everything(t, FAULTY(&memory));
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

// A triangle that touches all others of its kind. @param failing  which allocation fails, from 1
// on; 0: none
static rbl_result add_crossing(rbl_surface *surface, faulty_allocator *memory, int failing, float x,
                               rbl_surface_body_id *body)
{
	const rbl_vec3 positions[3] = { { x, 0.0f, 0.0f },
		                            { x + 2.0f, 0.0f, 0.1f },
		                            { x, 2.0f, 0.0f } };
	const int triangle[3] = { 0, 1, 2 };
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = 3, def.positions = positions;
	def.triangle_count = 1, def.triangles = triangle;
	faulty_rest(memory);
	if (failing > 0)
		atomic_store(&memory->allowed, failing - 1), atomic_store(&memory->failing, 1);
	rbl_result result = rbl_surface_add(surface, &def, body);
	return result;
}

// Regression: the tree over bodies had space for a leaf and none for a node. A body that was added
// after two failed allocations was in no tree, met nothing, and could not be removed.
static void a_body_added_after_failures_meets_what_is_there(test *t)
{
	enum { BODIES = 8, MOST = 40 };
	int failed = 0, done = 0;
	for (int i = 0; i < BODIES * MOST * MOST; ++i) {
		int bodies = i / (MOST * MOST), first = 1 + i / MOST % MOST, second = 1 + i % MOST;
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX / 2);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&memory);
		rbl_surface *surface = NULL;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_body_id body;
		for (int k = 0; k < bodies; ++k)
			CHECK(t, add_crossing(surface, &memory, 0, 0.1f * (float)k, &body) == RBL_OK);
		(void)add_crossing(surface, &memory, first, 0.05f, &body);
		bool was_reached = memory.failed;
		CHECK(t, add_crossing(surface, &memory, 0, 0.02f, &body) == RBL_OK);
		rbl_result result = add_crossing(surface, &memory, second, 0.05f, &body);
		bool is_reached = memory.failed;
		faulty_rest(&memory);
		failed += result != RBL_OK, done += result == RBL_OK;
		CHECK(t, result == RBL_OK || (result == RBL_OUT_OF_MEMORY && is_reached));
		CHECK(t, !reference_check_surface(surface) && wrong_pairs(t, surface) == 0);
		CHECK(t, result != RBL_OK || rbl_surface_remove(surface, body) == RBL_OK);
		CHECK(t, wrong_pairs(t, surface) == 0);
		rbl_destroy_surface(surface);
		CHECK(t, memory.live_bytes == 0);
		if (!is_reached)
			i += MOST - second; // with the next for the first
		if (!was_reached)
			i += MOST * MOST - 1 - i % (MOST * MOST);
	}
	CHECK(t, failed > 100 && done > 100);
}

TEST_MAIN(TEST(pairs_equal_brute_force), TEST(any_order_of_changes_keeps_pairs_right),
          TEST(a_fin_parts_what_it_comes_between), TEST(a_merged_body_stays_where_its_parts_are),
          TEST(restructuring_keeps_pairs_right), TEST(three_triangles_on_an_edge_fall_apart),
          TEST(a_tangle_is_known_by_its_lowest_half_edge),
          TEST(a_crack_leaves_tangles_beside_it_alone), TEST(the_boundary_of_tetrahedra_maps_back),
          TEST(bad_input_is_refused), TEST(running_out_of_memory_changes_nothing),
          TEST(a_body_added_after_failures_meets_what_is_there))
