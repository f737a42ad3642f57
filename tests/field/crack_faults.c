// SPDX-License-Identifier: MIT
// Crack fields refuse bad input, change nothing then, and survive when memory runs out.
// ctest: soak

#include "crack_bodies.h"

// --- refusals -----------------------------------------------------------------------------------

static uint64_t field_hash(const rbl_crack_field *field)
{
	rbl_crack_nodes nodes = rbl_crack_field_get_nodes(field);
	size_t bytes = (size_t)nodes.node_count * sizeof(float);
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, nodes.depths, bytes);
	hash = rbl_hash_bytes(hash, nodes.fragments, bytes);
	hash = rbl_hash_number(hash, (uint64_t)rbl_crack_field_fragment_count(field));
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 0; i < rbl_crack_field_fragment_count(field); ++i)
		for (int k = 0; k < 50 && rbl_crack_field_has_fragment(field, i); ++k) {
			rbl_vec3 p = rbl_to_f(rbl_scale_d(0.6, rbl_random_in_ball(&random)));
			float distance, bound;
			rbl_crack_field_evaluate(field, i, &p, 1, &distance, &bound, NULL);
			hash = rbl_hash_bytes(hash, &distance, sizeof distance);
		}
	return hash;
}

static void refuse(test *t, broken *b, const rbl_crack_break *def, const char *word)
{
	int first = -7;
	uint64_t before = field_hash(b->field);
	last_line[0] = 0;
	CHECK(t, rbl_crack_field_break(b->field, def, &first) == RBL_BAD_ARGUMENT);
	if (!strstr(last_line, word))
		printf("not \"%s\": %s\n", word, last_line);
	CHECK(t, strstr(last_line, word));
	CHECK(t, first == -7);
	CHECK(t, field_hash(b->field) == before);
}

static void bad_breaks_are_refused_and_change_nothing(test *t)
{
	broken b = make_broken(false, 0.2, 4, 1, true);
	rbl_vec3d sites[3];
	make_sites(sites, 3, 99);
	crack_input input;
	crack_by_sites(&input, b.tets, &b.cells[1], sites, 3);
	input.def.fragment = 1;
	const rbl_crack_break good = input.def;
	rbl_set_log(keep_line, NULL);
	rbl_crack_break def = good;
	def.fragment = 0;
	refuse(t, &b, &def, "no fragment 0");
	def.fragment = 77;
	refuse(t, &b, &def, "no fragment 77");
	def = good, def.part_count = 0;
	refuse(t, &b, &def, "part_count");
	def = good, def.node_parts = NULL;
	refuse(t, &b, &def, "node_parts");
	def = good, def.cuts = NULL;
	refuse(t, &b, &def, "cuts");
	def = good, def.planes = NULL;
	refuse(t, &b, &def, "planes");
	def = good, def.cut_count = -1;
	refuse(t, &b, &def, "cut_count");
	def = good, def.part_count = 2;
	refuse(t, &b, &def, "part");
	const float bad[] = { NAN, INFINITY, 0.0f };
	for (int i = 0; i < 3; ++i) {
		rbl_plane kept = input.planes[1];
		input.planes[1].normal = (rbl_vec3){ bad[i], 0.0f, 0.0f };
		refuse(t, &b, &good, "plane 1");
		input.planes[1] = kept;
	}
	rbl_plane kept_plane = input.planes[1];
	input.planes[1].offset = NAN;
	refuse(t, &b, &good, "plane 1");
	input.planes[1] = kept_plane;
	int one = 0; // some node of fragment 1
	rbl_crack_nodes nodes = rbl_crack_field_get_nodes(b.field);
	while (nodes.fragments[one] != 1)
		one++;
	int kept_part = input.node_parts[one];
	input.node_parts[one] = 3;
	refuse(t, &b, &good, "is in part 3");
	input.node_parts[one] = -1;
	refuse(t, &b, &good, "is in part -1");
	input.node_parts[one] = (kept_part + 1) % 3;
	refuse(t, &b, &good, "node"); // beyond a crack, or not kept apart from its neighbours
	input.node_parts[one] = kept_part;
	int cut = 0;
	while (input.cuts[cut].plane < 0)
		cut++;
	rbl_crack_cut kept = input.cuts[cut];
	input.cuts[cut].tet = b.data.tet_count;
	refuse(t, &b, &good, "is in tetrahedron");
	input.cuts[cut] = kept, input.cuts[cut].plane = 9;
	refuse(t, &b, &good, "has plane 9");
	input.cuts[cut] = kept, input.cuts[cut].front = 3;
	refuse(t, &b, &good, "has parts");
	input.cuts[cut] = kept, input.cuts[cut].front = kept.back;
	refuse(t, &b, &good, "on both sides");
	int elsewhere = 0;
	while (rbl_crack_tet_has(b.field, elsewhere, 1))
		elsewhere++;
	input.cuts[cut] = kept, input.cuts[cut].tet = elsewhere;
	refuse(t, &b, &good, "has nothing of fragment 1");
	input.cuts[cut] = kept;
	// A cut between parts of which a node there is in neither.
	int third = 0, place = 0;
	for (int i = 0; i < input.cut_count && third == 0; ++i)
		for (int k = 0; k < 4 && input.cuts[i].plane >= 0; ++k) {
			int node = b.data.tet_vertices[4 * input.cuts[i].tet + k];
			int cut_here = 0;
			for (int n = 0; n < input.cut_count; ++n)
				cut_here += input.cuts[n].tet == input.cuts[i].tet;
			if (cut_here == 1 && nodes.fragments[node] == 1)
				third = 3 - input.cuts[i].back - input.cuts[i].front, place = i;
		}
	kept = input.cuts[place];
	input.cuts[place].back = third;
	refuse(t, &b, &good, "node");
	input.cuts[place] = kept;
	rbl_crack_cut more[1024];
	CHECK(t, input.cut_count < 1024);
	memcpy(more, input.cuts, (size_t)input.cut_count * sizeof *more);
	more[input.cut_count] = (rbl_crack_cut){ kept.tet, -1, kept.back, -1 };
	def = good, def.cuts = more, def.cut_count = input.cut_count + 1;
	refuse(t, &b, &def, "as a whole, and cut");
	def = good, def.cut_count = 0; // nothing keeps the parts apart
	refuse(t, &b, &def, "no crack keeps");
	int first;
	uint64_t before = field_hash(b.field);
	CHECK(t, rbl_crack_field_break(b.field, &good, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_crack_field_break(NULL, &good, &first) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_crack_field_break(b.field, NULL, &first) == RBL_BAD_ARGUMENT);
	def = good, def.part_count = RBL_MAX_CRACK_FRAGMENTS;
	CHECK(t, rbl_crack_field_break(b.field, &def, &first) == RBL_LIMIT_REACHED);
	CHECK(t, field_hash(b.field) == before);
	CHECK(t, rbl_crack_field_break(b.field, &good, &first) == RBL_OK); // and it still works
	rbl_set_log(NULL, NULL);
	crack_input_free(&input);
	destroy_broken(&b);
}

// A promise that nodes show to be false.
static void cell_planes_that_do_not_bound_their_parts_are_refused(test *t)
{
	broken b = { .tets = make_tets(false, 0.12), .fragment_count = 1 };
	b.data = rbl_tets_get_data(b.tets);
	b.field = make_field(b.tets);
	double radius = 0.22;
	crack_input input;
	CHECK(t, crack_by_surface(&input, b.tets, ball_function, &radius));
	input.def.has_cell_planes = true;
	rbl_set_log(keep_line, NULL);
	refuse(t, &b, &input.def, "has_cell_planes is set");
	rbl_set_log(NULL, NULL);
	crack_input_free(&input);
	destroy_broken(&b);
}

static void bad_fields_are_refused_with_a_sentence(test *t)
{
	rbl_tets *tets = make_tets(false, 0.3);
	rbl_crack_field *field;
	rbl_set_log(keep_line, NULL);
	rbl_crack_field_def def = rbl_default_crack_field_def();
	CHECK(t, rbl_create_crack_field(&def, &field) == RBL_BAD_ARGUMENT && !field);
	CHECK(t, strstr(last_line, "tets is NULL"));
	CHECK(t, rbl_create_crack_field(NULL, &field) == RBL_BAD_ARGUMENT);
	def.tets = tets;
	CHECK(t, rbl_create_crack_field(&def, NULL) == RBL_BAD_ARGUMENT);
	def.grid_size = 257;
	CHECK(t, rbl_create_crack_field(&def, &field) == RBL_BAD_ARGUMENT);
	def.grid_size = 0, def.origin.x = NAN;
	CHECK(t, rbl_create_crack_field(&def, &field) == RBL_BAD_ARGUMENT);
	def.origin.x = 1e9;
	CHECK(t, rbl_create_crack_field(&def, &field) == RBL_BAD_ARGUMENT);
	CHECK(t, strstr(last_line, "must be within"));
	def.origin.x = 0.0, def.cookie = 0;
	CHECK(t, rbl_create_crack_field(&def, &field) == RBL_BAD_ARGUMENT);
	field = make_field(tets);
	rbl_vec3 p = { 0.0f, 0.0f, 0.0f };
	float distance;
	uint32_t id;
	int count;
	CHECK(t, rbl_crack_field_evaluate(field, 1, &p, 1, &distance, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_crack_field_evaluate(field, 0, NULL, 1, &distance, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_crack_field_evaluate(field, 0, &p, -1, &distance, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_crack_field_evaluate(field, 0, &p, 1, &distance, NULL, NULL) == RBL_OK);
	CHECK(t, rbl_crack_field_get_points(field, 3, RBL_CRACK_POINTS_ALL, NULL, NULL, 0, &count) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, rbl_crack_field_get_points(field, 0, RBL_CRACK_POINTS_ALL, NULL, NULL, 0, NULL) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, rbl_crack_field_get_points(field, 0, RBL_CRACK_POINTS_ALL, &p, NULL, 1, &count) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, rbl_crack_field_get_points(field, 0, RBL_CRACK_POINTS_ALL, &p, &id, 1, &count) ==
	             RBL_LIMIT_REACHED);
	CHECK(t, count > 1);
	CHECK(t, rbl_crack_field_fragment_count(NULL) == 0);
	CHECK(t, rbl_crack_field_get_nodes(NULL).node_count == 0);
	// Points that are not numbers, or very far away: some answer, and no crash.
	const float bad[] = { NAN, INFINITY, -INFINITY, 1e30f, FLT_MAX };
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
		rbl_vec3 far = { bad[i], 0.0f, bad[i] }, gradient;
		float bound;
		CHECK(t,
		      rbl_crack_field_evaluate(field, 0, &far, 1, &distance, &bound, &gradient) == RBL_OK);
	}
	rbl_set_log(NULL, NULL);
	rbl_destroy_crack_field(field);
	rbl_destroy_crack_field(NULL);
	rbl_destroy_tets(tets);
}

static void memory_may_run_out(test *t)
{
	rbl_tets *tets = make_tets(false, 0.25);
	rbl_vec3d sites[4];
	make_sites(sites, 4, 5);
	crack_input input;
	crack_by_sites(&input, tets, &everywhere, sites, 4);
	for (int has_planes = 0; has_planes < 2; ++has_planes)
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_crack_field_def def = rbl_default_crack_field_def();
			def.tets = tets;
			def.allocator = FAULTY(&memory);
			rbl_crack_field *field;
			rbl_result result = rbl_create_crack_field(&def, &field);
			CHECK(t, (result == RBL_OK) == (field != NULL));
			if (field) {
				uint64_t before = field_hash(field);
				int first = -1;
				input.def.has_cell_planes = has_planes;
				result = rbl_crack_field_break(field, &input.def, &first);
				CHECK(t, (result == RBL_OK) == (first == 1));
				CHECK(t, result == RBL_OK || field_hash(field) == before);
				if (result != RBL_OK) { // with memory again, nothing is in the way
					atomic_store(&memory.allowed, 1000);
					CHECK(t, rbl_crack_field_break(field, &input.def, &first) == RBL_OK);
				}
			}
			rbl_destroy_crack_field(field);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
			CHECK(t, result == RBL_OUT_OF_MEMORY);
		}
	crack_input_free(&input);
	rbl_destroy_tets(tets);
}

TEST_MAIN(TEST(bad_breaks_are_refused_and_change_nothing),
          TEST(cell_planes_that_do_not_bound_their_parts_are_refused),
          TEST(bad_fields_are_refused_with_a_sentence), TEST(memory_may_run_out))
