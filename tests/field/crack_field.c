// SPDX-License-Identifier: MIT
// Crack fields: exact at nodes after any breaks, bounds that hold, everything wrong refused.
// ctest: soak

#include "base/axis.h"
#include "crack_bodies.h"

// --- whole bodies -------------------------------------------------------------------------------

static void a_whole_body_knows_the_distance_from_its_surface(test *t)
{
	for (int is_ring = 0; is_ring < 2; ++is_ring) {
		rbl_tets *tets = make_tets(is_ring, 0.15);
		rbl_tets_data data = rbl_tets_get_data(tets);
		rbl_crack_field *field = make_field(tets);
		rbl_crack_nodes nodes = rbl_crack_field_get_nodes(field);
		CHECK(t,
		      nodes.node_count == data.vertex_count && rbl_crack_field_fragment_count(field) == 1);
		for (int i = 0; i < nodes.node_count; ++i) {
			CHECK_NEAR(t, nodes.depths[i], surface_distance(&data, data.positions[i]), 1e-6);
			CHECK(t, nodes.fragments[i] == 0);
		}
		rbl_random random = rbl_random_from_seed(4);
		int inside = 0;
		for (int i = 0; i < test_count(400, 5000); ++i) {
			rbl_boxd box = { { -0.8, -0.5, -0.8 }, { 0.8, 0.5, 0.8 } };
			rbl_vec3d p = rbl_random_in_box(&random, box);
			rbl_vec3 point = rbl_to_f(p), gradient;
			float distance, bound;
			CHECK(t, rbl_crack_field_evaluate(field, 0, &point, 1, &distance, &bound, &gradient) ==
			             RBL_OK);
			double truth = surface_distance(&data, p);
			bool is_inside = is_in_tets(&data, p, 0.0);
			truth = is_inside ? -truth : truth;
			inside += is_inside;
			// Exact inside and near; a lower bound farther away than an edge.
			if (is_inside || truth < 0.05)
				CHECK_NEAR(t, distance, truth, 1e-5);
			CHECK(t, (double)(distance - bound) <= truth);
			CHECK_NEAR(t, rbl_length(gradient), 1.0f, 1e-4f);
		}
		CHECK(t, inside > 20);
		rbl_destroy_crack_field(field);
		rbl_destroy_tets(tets);
	}
}

// Nodes against every plane of their cell and every triangle, whichever way the break was computed.
static void check_depths(test *t, const broken *b)
{
	rbl_crack_nodes nodes = rbl_crack_field_get_nodes(b->field);
	double worst = 0.0;
	int lost = 0;
	for (int i = 0; i < nodes.node_count; ++i) {
		rbl_vec3d p = b->data.positions[i];
		int fragment = nodes.fragments[i];
		CHECK(t, rbl_crack_field_has_fragment(b->field, fragment));
		double depth = crack_cell_depth(&b->cells[fragment], p);
		lost += depth < -1e-6; // in another cell than it is said to be
		depth = rbl_mind(depth, surface_distance(&b->data, p));
		worst = rbl_maxd(worst, fabs((double)nodes.depths[i] - depth));
	}
	CHECK(t, lost == 0);
	CHECK_NEAR(t, worst, 0.0, 2e-6);
}

static void depths_at_nodes_are_exact_in_cells(test *t)
{
	for (int is_ring = 0; is_ring < 2; ++is_ring) {
		broken b = make_broken(is_ring, 0.01 * test_count(12, 6), 10, 1, true);
		CHECK(t, rbl_crack_field_fragment_count(b.field) == 11);
		CHECK(t, !rbl_crack_field_has_fragment(b.field, 0));
		check_depths(t, &b);
		destroy_broken(&b);
	}
}

static void depths_at_nodes_are_exact_when_cells_break_again(test *t)
{
	broken b = make_broken(false, 0.12, 8, 3, true);
	CHECK(t, b.fragment_count == rbl_crack_field_fragment_count(b.field));
	CHECK(t, b.fragment_count > 30);
	check_depths(t, &b);
	destroy_broken(&b);
}

// The same cracks as pieces that a front carries.
static void a_front_finds_the_depths_that_planes_have(test *t)
{
	broken b = make_broken(false, 0.12, 8, 2, false);
	CHECK(t, b.fragment_count > 12);
	check_depths(t, &b);
	destroy_broken(&b);
}

static void every_lane_width_gives_the_same_depths(test *t)
{
	uint64_t first = 0;
	for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend((rbl_backend)backend))
			continue;
		broken b = make_broken(false, 0.12, 8, 2, true);
		rbl_crack_nodes nodes = rbl_crack_field_get_nodes(b.field);
		size_t bytes = (size_t)nodes.node_count * sizeof(float);
		uint64_t hash = rbl_hash_bytes(RBL_HASH_START, nodes.depths, bytes);
		hash = rbl_hash_bytes(hash, nodes.fragments, bytes);
		first = first ? first : hash;
		CHECK(t, hash == first);
		destroy_broken(&b);
	}
	rbl_force_backend(rbl_best_backend());
}

// Points against cells and triangles: who has them, how deep they are, how far away.
static void check_points(test *t, const broken *b, int count, double *mean_excess)
{
	rbl_random random = rbl_random_from_seed(12);
	rbl_vec3d samples[512];
	int owners[512], sample_count = 0;
	const rbl_boxd box = { { -0.55, -0.35, -0.45 }, { 0.55, 0.35, 0.45 } };
	while (sample_count < 512) {
		rbl_vec3d p = rbl_random_in_box(&random, box);
		if (!is_in_tets(&b->data, p, 0.0))
			continue;
		for (int i = 0; i < b->fragment_count; ++i)
			if (rbl_crack_field_has_fragment(b->field, i) &&
			    crack_cell_depth(&b->cells[i], p) > 0.0)
				owners[sample_count] = i;
		samples[sample_count++] = p;
	}
	int wrong_side = 0, above_truth = 0, too_shallow = 0, inside_count = 0;
	double excess = 0.0;
	for (int n = 0; n < count; ++n) {
		rbl_vec3d p = rbl_random_in_box(&random, box);
		rbl_vec3 point = rbl_to_f(p);
		bool is_in_body = is_in_tets(&b->data, p, 0.0);
		double surface = surface_distance(&b->data, p);
		for (int i = 0; i < b->fragment_count; ++i) {
			if (!rbl_crack_field_has_fragment(b->field, i))
				continue;
			float distance, bound;
			rbl_vec3 gradient;
			CHECK(t, rbl_crack_field_evaluate(b->field, i, &point, 1, &distance, &bound,
			                                  &gradient) == RBL_OK);
			double cell = crack_cell_depth(&b->cells[i], p);
			bool is_inside = is_in_body && cell > 0.0;
			if (fabs(cell) > 1e-5 && surface > 1e-5)
				wrong_side += (distance < 0.0f) != is_inside;
			if (is_inside) {
				double depth = rbl_mind(cell, surface);
				too_shallow += -(double)distance < depth - 1e-5;
				excess += rbl_maxd(-(double)distance - depth, 0.0);
				inside_count++;
			}
			// The distance from any point of the fragment is no less than the true one.
			for (int k = 0; k < sample_count; ++k)
				if (owners[k] == i)
					above_truth +=
						(double)(distance - bound) > rbl_distance_d(p, samples[k]) + 1e-6;
			CHECK_NEAR(t, rbl_length(gradient), 1.0f, 1e-3f);
		}
	}
	CHECK(t, wrong_side == 0);
	CHECK(t, above_truth == 0);
	CHECK(t, too_shallow == 0);
	CHECK(t, inside_count > count / 4);
	*mean_excess = excess / inside_count;
}

static void fragments_are_measured_right_between_nodes(test *t)
{
	for (int has_planes = 0; has_planes < 2; ++has_planes) {
		broken b = make_broken(false, 0.12, 8, 2, has_planes);
		double excess;
		check_points(t, &b, test_count(150, 3000), &excess);
		CHECK(t, excess < 0.002); // metres, of an edge of 0.12
		destroy_broken(&b);
	}
}

// --- fragments without nodes --------------------------------------------------------------------

// A small cell in the middle of the largest tetrahedra has none of the nodes.
static void fragments_without_nodes_are_measured_by_their_planes(test *t)
{
	broken b = { .tets = make_tets(false, 0.3), .fragment_count = 1 };
	b.data = rbl_tets_get_data(b.tets);
	b.field = make_field(b.tets);
	b.cells = malloc(sizeof *b.cells);
	b.cells[0] = everywhere;
	rbl_vec3d middle = { 0.0, 0.0, 0.0 }, sites[7];
	for (int k = 0; k < 4; ++k)
		middle = rbl_add_scaled_d(middle, 0.25, b.data.positions[b.data.tet_vertices[k]]);
	sites[0] = middle;
	for (int k = 0; k < 6; ++k) {
		sites[k + 1] = middle;
		double moved = rbl_axis_d(middle, k / 2) + (k % 2 ? 0.02 : -0.02);
		rbl_set_axis_d(&sites[k + 1], k / 2, moved);
	}
	crack_input input;
	CHECK(t, crack_by_sites(&input, b.tets, &everywhere, sites, 7));
	for (int i = 0; i < b.data.vertex_count; ++i)
		CHECK(t, input.node_parts[i] != 0);
	int first;
	CHECK(t, rbl_crack_field_break(b.field, &input.def, &first) == RBL_OK);
	rbl_vec3 points[3] = { rbl_to_f(middle), rbl_to_f(middle), rbl_to_f(middle) };
	points[1].x += 0.008f, points[2].y += 0.015f;
	float distances[3], bounds[3];
	CHECK(t,
	      rbl_crack_field_evaluate(b.field, first, points, 3, distances, bounds, NULL) == RBL_OK);
	CHECK_NEAR(t, distances[0], -0.01f, 1e-5f);
	CHECK_NEAR(t, distances[1], -0.002f, 1e-5f);
	CHECK_NEAR(t, distances[2], 0.005f, 1e-5f);
	int count;
	rbl_vec3 positions[64];
	uint32_t ids[64];
	CHECK(t, rbl_crack_field_get_points(b.field, first, RBL_CRACK_POINTS_SURFACE, positions, ids,
	                                    64, &count) == RBL_OK);
	CHECK(t, count >= 8); // its corners
	int corners = 0;
	for (int i = 0; i < count; ++i) {
		rbl_vec3 d = rbl_sub(positions[i], points[0]);
		corners += fabsf(fabsf(d.x) - 0.01f) < 1e-5f && fabsf(fabsf(d.y) - 0.01f) < 1e-5f &&
		           fabsf(fabsf(d.z) - 0.01f) < 1e-5f;
	}
	CHECK(t, corners == 8);

	// It breaks again where no node says which part is where: that must be told.
	rbl_crack_cut cuts[512];
	int cut_count = 0, tets_of_it[64], tet_count = 0;
	for (int i = 0; i < input.cut_count; ++i)
		if ((input.cuts[i].back == 0 || input.cuts[i].front == 0) &&
		    (tet_count == 0 || tets_of_it[tet_count - 1] != input.cuts[i].tet))
			tets_of_it[tet_count++] = input.cuts[i].tet;
	rbl_plane half = { { 1.0f, 0.0f, 0.0f }, (float)middle.x };
	rbl_crack_break again = { .fragment = first,
		                      .part_count = 2,
		                      .node_parts = input.node_parts,
		                      .planes = &half,
		                      .plane_count = 1,
		                      .cuts = cuts };
	rbl_set_log(keep_line, NULL);
	CHECK(t, rbl_crack_field_break(b.field, &again, &first) == RBL_BAD_ARGUMENT);
	CHECK(t, strstr(last_line, "no node or cut says"));
	rbl_set_log(NULL, NULL);
	for (int i = 0; i < tet_count; ++i)
		cuts[cut_count++] = (rbl_crack_cut){ tets_of_it[i], 0, 0, 1 };
	again.cut_count = cut_count;
	CHECK(t, rbl_crack_field_break(b.field, &again, &first) == RBL_OK);
	points[1].x = points[0].x - 0.004f;
	for (int side = 0; side < 2; ++side) {
		CHECK(t, rbl_crack_field_evaluate(b.field, first + side, points + 1, 1, distances, bounds,
		                                  NULL) == RBL_OK);
		CHECK_NEAR(t, distances[0], side == 0 ? -0.004f : 0.004f, 1e-5f);
	}
	crack_input_free(&input);
	destroy_broken(&b);
}

// --- curved cracks ------------------------------------------------------------------------------

// The triangles and quads on which the function is zero, as triangles; in doubles.
static int crack_triangles(const rbl_tets_data *data, double radius, rbl_vec3d (**triangles)[3])
{
	*triangles = malloc(2 * (size_t)data->tet_count * sizeof **triangles);
	int count = 0;
	for (int i = 0; i < data->tet_count; ++i) {
		rbl_vec3d p[4], inside[4], outside[4];
		double f[4], f_inside[4], f_outside[4];
		int in = 0, out = 0;
		for (int k = 0; k < 4; ++k) {
			p[k] = data->positions[data->tet_vertices[4 * i + k]];
			f[k] = ball_function(p[k], &radius);
			if (f[k] < 0.0)
				inside[in] = p[k], f_inside[in++] = f[k];
			else
				outside[out] = p[k], f_outside[out++] = f[k];
		}
		rbl_vec3d cut[4];
		int n = 0;
		for (int a = 0; a < in; ++a) // around the polygon: the second time backwards
			for (int k = 0; k < out; ++k) {
				int c = a % 2 ? out - 1 - k : k;
				cut[n++] =
					rbl_lerp_d(inside[a], outside[c], f_inside[a] / (f_inside[a] - f_outside[c]));
			}
		if (n >= 3)
			memcpy((*triangles)[count++], cut, 3 * sizeof *cut);
		if (n == 4) {
			rbl_vec3d second[3] = { cut[0], cut[2], cut[3] };
			memcpy((*triangles)[count++], second, sizeof second);
		}
	}
	return count;
}

// A ball inside of a box: what is around it is not convex, and every tetrahedron has its own plane.
static void depths_at_nodes_are_exact_at_a_curved_crack(test *t)
{
	rbl_tets *tets = make_tets(false, 0.01 * test_count(10, 5));
	rbl_tets_data data = rbl_tets_get_data(tets);
	rbl_crack_field *field = make_field(tets);
	double radius = 0.22;
	crack_input input;
	CHECK(t, crack_by_surface(&input, tets, ball_function, &radius));
	int first;
	CHECK(t, rbl_crack_field_break(field, &input.def, &first) == RBL_OK && first == 1);
	rbl_vec3d(*triangles)[3];
	int triangle_count = crack_triangles(&data, radius, &triangles);
	rbl_crack_nodes nodes = rbl_crack_field_get_nodes(field);
	double worst = 0.0;
	int parts[2] = { 0, 0 };
	for (int i = 0; i < nodes.node_count; ++i) {
		double depth = surface_distance(&data, data.positions[i]);
		for (int k = 0; k < triangle_count; ++k)
			depth = rbl_mind(depth, triangle_distance(triangles[k], data.positions[i]));
		worst = rbl_maxd(worst, fabs((double)nodes.depths[i] - depth));
		parts[nodes.fragments[i] - 1]++;
	}
	CHECK(t, parts[0] > 20 && parts[1] > 100 && triangle_count > 100);
	CHECK_NEAR(t, worst, 0.0, 5e-6);
	free(triangles);
	crack_input_free(&input);
	rbl_destroy_crack_field(field);
	rbl_destroy_tets(tets);
}

// The middle of the ball is far from what is around it; box and planes say nothing about that, but
// cells do.
static void cells_tell_how_far_a_hollow_fragment_is(test *t)
{
	rbl_tets *tets = make_tets(false, 0.06);
	rbl_tets_data data = rbl_tets_get_data(tets);
	rbl_crack_field *field = make_field(tets);
	double radius = 0.22;
	crack_input input;
	CHECK(t, crack_by_surface(&input, tets, ball_function, &radius));
	int first;
	CHECK(t, rbl_crack_field_break(field, &input.def, &first) == RBL_OK);
	// The ball itself is in many pieces now, whose own surfaces are near.
	rbl_vec3d sites[20];
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < 20; ++i)
		sites[i] =
			rbl_add_scaled_d((rbl_vec3d){ 0.05, 0.02, -0.03 }, 0.2, rbl_random_in_ball(&random));
	crack_input small;
	CHECK(t, crack_by_sites(&small, tets, &everywhere, sites, 20));
	// Only cuts in tetrahedra of the ball.
	int kept = 0;
	for (int i = 0; i < small.cut_count; ++i)
		if (rbl_crack_tet_has(field, small.cuts[i].tet, first))
			small.cuts[kept++] = small.cuts[i];
	small.def.fragment = first;
	small.def.cut_count = kept;
	int parts;
	CHECK(t, rbl_crack_field_break(field, &small.def, &parts) == RBL_OK);
	int far = 0, above = 0;
	for (int i = 0; i < 300; ++i) {
		rbl_vec3d away = rbl_scale_d(0.08, rbl_random_in_ball(&random));
		rbl_vec3d p = rbl_add_d((rbl_vec3d){ 0.05, 0.02, -0.03 }, away);
		rbl_vec3 point = rbl_to_f(p);
		float distance, bound;
		CHECK(t, rbl_crack_field_evaluate(field, first + 1, &point, 1, &distance, &bound, NULL) ==
		             RBL_OK);
		double truth = radius - rbl_length_d(away);
		above +=
			(double)(distance - bound) > truth + 1e-3; // the crack is polygons, not quite the ball
		far += (double)(distance - bound) > 0.15 * truth;
	}
	CHECK(t, above == 0);
	CHECK(t, far > 270);
	crack_input_free(&small);
	crack_input_free(&input);
	rbl_destroy_crack_field(field);
	rbl_destroy_tets(tets);
	(void)data;
}

// --- points and contacts ------------------------------------------------------------------------

static int list_points(test *t, const rbl_crack_field *field, int fragment, rbl_crack_points kind,
                       rbl_vec3 **positions, uint32_t **ids)
{
	int count;
	CHECK(t, rbl_crack_field_get_points(field, fragment, kind, NULL, NULL, 0, &count) == RBL_OK);
	*positions = malloc(((size_t)count + 1) * sizeof **positions);
	*ids = malloc(((size_t)count + 1) * sizeof **ids);
	int again;
	CHECK(t, rbl_crack_field_get_points(field, fragment, kind, *positions, *ids, count, &again) ==
	             RBL_OK);
	CHECK(t, again == count);
	return count;
}

static void points_lie_on_their_fragment_and_have_one_name_each(test *t)
{
	broken b = make_broken(false, 0.12, 8, 2, true);
	int total[2] = { 0, 0 };
	for (int i = 0; i < b.fragment_count; ++i)
		for (int kind = 0; kind < 2 && rbl_crack_field_has_fragment(b.field, i); ++kind) {
			rbl_vec3 *positions;
			uint32_t *ids;
			int count = list_points(t, b.field, i, (rbl_crack_points)kind, &positions, &ids);
			total[kind] += count;
			int twice = 0, away = 0;
			for (int k = 0; k < count; ++k) {
				float distance, bound;
				rbl_crack_field_evaluate(b.field, i, &positions[k], 1, &distance, &bound, NULL);
				away +=
					kind == RBL_CRACK_POINTS_SURFACE ? fabsf(distance) > 2e-5f : distance > 2e-5f;
				for (int n = 0; n < k; ++n)
					twice += ids[n] == ids[k] || rbl_distance(positions[n], positions[k]) < 1e-6f;
			}
			CHECK(t, twice == 0);
			CHECK(t, away == 0);
			free(positions);
			free(ids);
		}
	CHECK(t, total[1] > total[0] && total[0] > 500);
	destroy_broken(&b);
}

static void names_of_points_outlast_the_next_break(test *t)
{
	broken b = make_broken(false, 0.12, 6, 1, true);
	rbl_vec3 *before;
	uint32_t *ids_before;
	int count = list_points(t, b.field, 2, RBL_CRACK_POINTS_ALL, &before, &ids_before);
	CHECK(t, break_by_sites(&b, 2, 3, 55, true));
	int found = 0, moved = 0;
	for (int i = b.fragment_count - 3; i < b.fragment_count; ++i) {
		rbl_vec3 *after;
		uint32_t *ids;
		int n = list_points(t, b.field, i, RBL_CRACK_POINTS_ALL, &after, &ids);
		for (int k = 0; k < n; ++k)
			for (int j = 0; j < count; ++j)
				if (ids[k] == ids_before[j]) {
					found++;
					moved += rbl_distance(after[k], before[j]) > 1e-6f;
				}
		free(after);
		free(ids);
	}
	CHECK(t, moved == 0);
	CHECK(t, found >= count - 2); // what lies on the new crack may be on either side by rounding
	free(before);
	free(ids_before);
	destroy_broken(&b);
}

// A crack field is a field as others: fragments touch at birth, and not when they are apart.
static void fragments_of_a_break_touch_each_other(test *t)
{
	broken b = make_broken(false, 0.12, 2, 1, true);
	rbl_field_shape *shapes[2];
	rbl_distance_field *fields[2];
	rbl_field_side sides[2];
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	for (int i = 0; i < 2; ++i) {
		rbl_vec3 *positions;
		uint32_t *ids;
		int count = list_points(t, b.field, 1 + i, RBL_CRACK_POINTS_SURFACE, &positions, &ids);
		CHECK(t, rbl_create_crack_fragment_field(b.field, 1 + i, rbl_transform_identity(), NULL,
		                                         &fields[i]) == RBL_OK);
		rbl_field_shape_def def = rbl_default_field_shape_def();
		def.field = fields[i];
		def.positions = positions, def.ids = ids, def.count = count;
		CHECK(t, rbl_create_field_shape(&def, &shapes[i]) == RBL_OK);
		sides[i] = (rbl_field_side){ .shape = shapes[i], .pose = rbl_transform_identity() };
		free(positions);
		free(ids);
	}
	rbl_vec3 normal = rbl_to_f(b.cells[1].planes[0].normal);
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.tolerance = 0.001f;
	rbl_field_contact_list contacts;
	CHECK(t, rbl_find_field_contacts(&sides[0], &sides[1], &settings, &arena, NULL, &contacts) ==
	             RBL_OK);
	CHECK(t, contacts.point_count == 12);
	for (int i = 0; i < contacts.point_count; ++i)
		CHECK_NEAR(t, contacts.points[i].separation, 0.0f, 2e-5f);
	// A little apart, beside each other's sharp edges, they touch no more.
	for (int k = 0; k < 2; ++k) {
		sides[1].pose.position = rbl_scale(k == 0 ? 0.002f : 0.3f, normal);
		CHECK(t, rbl_find_field_contacts(&sides[0], &sides[1], &settings, &arena, NULL,
		                                 &contacts) == RBL_OK);
		CHECK(t, contacts.point_count == 0);
	}
	sides[1].pose.position = rbl_scale(-0.003f, normal);
	CHECK(t, rbl_find_field_contacts(&sides[0], &sides[1], &settings, &arena, NULL, &contacts) ==
	             RBL_OK);
	CHECK(t, contacts.point_count == 12);
	CHECK_NEAR(t, contacts.points[0].separation, -0.003f, 1e-4f);
	// What breaks further is nowhere, for fields that were made of it before.
	rbl_vec3 middle = rbl_to_f(b.data.positions[0]);
	float depth;
	CHECK(t, break_by_sites(&b, 1, 2, 5, true));
	CHECK(t, rbl_distance_field_penetration(fields[0], &middle, 1, &depth, NULL, NULL) == RBL_OK);
	CHECK(t, depth == -INFINITY);
	rbl_distance_field *gone = fields[0];
	CHECK(t, rbl_create_crack_fragment_field(b.field, 1, rbl_transform_identity(), NULL, &gone) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, gone == NULL);
	for (int i = 0; i < 2; ++i) {
		rbl_destroy_field_shape(shapes[i]);
		rbl_destroy_distance_field(fields[i]);
	}
	rbl_arena_destroy(&arena);
	destroy_broken(&b);
}

TEST_MAIN(TEST(a_whole_body_knows_the_distance_from_its_surface),
          TEST(depths_at_nodes_are_exact_in_cells),
          TEST(depths_at_nodes_are_exact_when_cells_break_again),
          TEST(a_front_finds_the_depths_that_planes_have),
          TEST(every_lane_width_gives_the_same_depths),
          TEST(fragments_are_measured_right_between_nodes),
          TEST(fragments_without_nodes_are_measured_by_their_planes),
          TEST(depths_at_nodes_are_exact_at_a_curved_crack),
          TEST(cells_tell_how_far_a_hollow_fragment_is),
          TEST(points_lie_on_their_fragment_and_have_one_name_each),
          TEST(names_of_points_outlast_the_next_break), TEST(fragments_of_a_break_touch_each_other))
