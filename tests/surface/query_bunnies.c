// SPDX-License-Identifier: MIT
// ctest: native soak
// Known sets of colliding pairs: a bunny, two of them, and crumpled ones. The counts are those that
// CGAL's self_intersections gives for the same meshes.

#include "scenes/bunnies.h"

#include "base/hash.h"

#include <rubble/io.h>
#include <rubble/surface.h>

#include "test.h"

static bool read_bunny(test *t, bunny *b)
{
	rbl_mesh *mesh = NULL;
	bool is_read =
		rbl_read_mesh(RBL_SHARED_DIR "/models/stanford-bunny.obj", NULL, &mesh) == RBL_OK &&
		bunny_from_mesh(b, mesh);
	rbl_destroy_mesh(mesh);
	if (!is_read)
		SKIP(t, "no model");
	return is_read;
}

/// A surface with one body. NULL when that failed, which is a failed check.
static rbl_surface *make_surface(test *t, const bunny *b, rbl_surface_body_id *body)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = b->vertex_count;
	body_def.positions = b->positions;
	body_def.triangle_count = b->triangle_count;
	body_def.triangles = b->triangles;
	CHECK(t, rbl_surface_add(surface, &body_def, body) == RBL_OK);
	return surface;
}

/// Check the number of pairs, and a hash of all of them where it is known.
static void check_pairs(test *t, const bunny *b, int count, uint64_t hash)
{
	rbl_surface_body_id body;
	rbl_surface *surface = make_surface(t, b, &body);
	rbl_surface_pairs pairs = { NULL, 0 };
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
	CHECK(t, pairs.count == count);
	uint64_t found =
		rbl_hash_bytes(RBL_HASH_START, pairs.pairs, (size_t)pairs.count * sizeof *pairs.pairs);
	if (getenv("RBL_VERBOSE"))
		printf("%d pairs, hash 0x%016llx\n", pairs.count, (unsigned long long)found);
	CHECK(t, count == 0 || found == hash);
	rbl_destroy_surface(surface);
}

static void a_bunny_does_not_touch_itself(test *t)
{
	bunny b;
	if (!read_bunny(t, &b))
		return;
	check_pairs(t, &b, 0, 0);
	bunny_free(&b);
}

static void two_bunnies_cross_in_2732_pairs(test *t)
{
	bunny b, moved;
	if (!read_bunny(t, &b))
		return;
	if (bunny_copy(&moved, &b)) {
		bunny_move(&moved);
		CHECK(t, bunny_append(&b, &moved));
		check_pairs(t, &b, 2732, UINT64_C(0x1bff5cffbaef2d9b));
		bunny_free(&moved);
	}
	bunny_free(&b);
}

static void crumpled_bunnies_cross_in_known_pairs(test *t)
{
	static const struct {
		int triangles, pairs;
		uint64_t hash;
	} cases[2] = { { 90000, 6873, UINT64_C(0x2c962eba5d2ff9c6) },
		           { 250000, 11602, UINT64_C(0xa0cab792e578e6d9) } };
	for (int i = 0; i < test_count(1, 2); ++i) {
		bunny b;
		if (!read_bunny(t, &b))
			return;
		CHECK(t, bunny_refine(&b, cases[i].triangles));
		if (i == 1)
			check_pairs(t, &b, 0, 0); // full of triangles in one plane
		bunny_crumple(&b, 1.6);
		check_pairs(t, &b, cases[i].pairs, cases[i].hash);
		bunny_free(&b);
	}
}

static void a_step_of_crumpling_has_known_hits(test *t)
{
	bunny b, end;
	if (!read_bunny(t, &b))
		return;
	CHECK(t, bunny_refine(&b, 90000) && bunny_copy(&end, &b));
	bunny_crumple(&b, 1.6);
	bunny_crumple(&end, 1.65);
	rbl_surface_body_id body;
	rbl_surface *surface = make_surface(t, &b, &body);
	rbl_surface_body_data view = rbl_surface_body_get_data(surface, body);
	CHECK(t, view.vertex_count == b.vertex_count);
	CHECK(t, rbl_surface_move(surface, body, NULL, end.positions) == RBL_OK);
	rbl_surface_hits hits = { NULL, 0 };
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
	int counts[2] = { 0, 0 };
	for (int i = 0; i < hits.count; ++i)
		counts[hits.hits[i].kind]++;
	// Every candidate of exact boxes, tested one by one: 194,356 and 632,066 of them.
	CHECK(t, counts[RBL_HIT_VERTEX_FACE] == 1579);
	CHECK(t, counts[RBL_HIT_EDGE_EDGE] == 7745);
	rbl_destroy_surface(surface);
	bunny_free(&b);
	bunny_free(&end);
}

TEST_MAIN(TEST(a_bunny_does_not_touch_itself), TEST(two_bunnies_cross_in_2732_pairs),
          TEST(crumpled_bunnies_cross_in_known_pairs), TEST(a_step_of_crumpling_has_known_hits))
