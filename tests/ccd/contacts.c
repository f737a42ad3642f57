// SPDX-License-Identifier: MIT
// ctest: soak
// Contacts at the start of a step that are found four at a time: every bit is that of single tests.

#include "ccd/ccd.h"

#include "base/kernel.h"
#include "base/random.h"
#include "test.h"

enum { PAIRS = 41, MIXES = 6 };

static float pick(rbl_random *random, int mix)
{
	double x = rbl_random_range(random, -1.0, 1.0);
	return (float)(mix == 1   ? floor(3.0 * x) // a grid: much coincides
	               : mix == 2 ? floor(3.0 * x) + 0x1p-20 * (double)rbl_random_below(random, 3)
	               : mix == 3 ? 1000.0 + x // far from the origin
	               : mix == 4 ? x * (rbl_random_below(random, 2) ? 1e-25 : 1e25)
	                          : x);
}

static void make_pair(rbl_random *random, int mix, rbl_vec3 start[4], rbl_vec3 end[4])
{
	float reach = rbl_random_below(random, 3) ? 0.2f : 2.0f;
	for (int i = 0; i < 4; ++i) {
		start[i] = (rbl_vec3){ pick(random, mix), pick(random, mix), pick(random, mix) };
		end[i] =
			rbl_add(start[i], rbl_scale(reach, (rbl_vec3){ pick(random, mix == 3 ? 0 : mix),
		                                                   pick(random, mix == 3 ? 0 : mix),
		                                                   pick(random, mix == 3 ? 0 : mix) }));
	}
	if (mix == 5) // in one plane, and they rest there
		for (int i = 0; i < 4; ++i)
			start[i].z = end[i].z = 0.25f * (float)(i % 2 == 0);
}

static bool is_same(const rbl_impact *a, const rbl_impact *b)
{
	return memcmp(&a->time, &b->time, sizeof a->time) == 0 &&
	       memcmp(a->weights, b->weights, sizeof a->weights) == 0 &&
	       memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->is_hit == b->is_hit &&
	       a->is_contact_at_start == b->is_contact_at_start && a->is_certified == b->is_certified;
}

// Whether no two vertices of the features come nearer along the normal.
static bool parts(rbl_ccd_kind kind, const rbl_vec3 *start, const rbl_vec3 *end, rbl_vec3d normal)
{
	int firsts = kind == RBL_CCD_VERTEX_FACE ? 1 : 2;
	double least[2] = { INFINITY, INFINITY }, extent = 0.0;
	for (int i = 0; i < firsts; ++i)
		for (int k = firsts; k < 4; ++k)
			for (int time = 0; time < 2; ++time) {
				const rbl_vec3 *p = time ? end : start;
				rbl_vec3d d = rbl_sub_d(rbl_to_d(p[i]), rbl_to_d(p[k]));
				least[time] = rbl_mind(least[time], rbl_dot_d(normal, d));
				extent = rbl_maxd(extent, fabs(d.x) + fabs(d.y) + fabs(d.z));
			}
	return least[0] > 0.0 && least[1] >= least[0] - 1e-12 * extent;
}

static void contacts_equal_single_tests(test *t)
{
	rbl_random random = rbl_random_from_seed(21);
	rbl_backend best = rbl_current_backend();
	int found = 0, parting = 0, at_start = 0, left = 0;
	for (int round = 0; round < test_count(4000, 100000); ++round) {
		rbl_vec3 starts[4 * PAIRS + 1] = { { 0.0f, 0.0f, 0.0f } };
		rbl_vec3 ends[4 * PAIRS + 1] = { { 0.0f, 0.0f, 0.0f } };
		rbl_ccd_quad quads[PAIRS];
		rbl_ccd_contact contacts[PAIRS];
		int chosen[PAIRS], all = 1 + (int)rbl_random_below(&random, PAIRS), count = all;
		bool was_seen[PAIRS] = { false };
		rbl_ccd_kind kind = round % 2 ? RBL_CCD_EDGE_EDGE : RBL_CCD_VERTEX_FACE;
		rbl_ccd_motion motion = { starts, ends, 1.0f };
		int mix = round / 2 % MIXES;
		float scale = mix == 4 ? 1e25f : 1.0f;
		float thickness = scale * (float)rbl_random_range(&random, 1e-3, round % 5 ? 1.0 : 20.0);
		for (int i = 0; i < all; ++i) {
			make_pair(&random, mix, starts + 4 * i, ends + 4 * i);
			for (int k = 0; k < 4; ++k)
				quads[i].vertices[k] = 4 * i + k;
			chosen[i] = all - 1 - i;
		}
		rbl_force_backend((rbl_backend)(round % RBL_BACKEND_COUNT)); // or none that is not there
		int taken =
			rbl_ccd_take_contacts(kind, &motion, quads, thickness, chosen, &count, contacts);
		CHECK(t, taken + count == all);
		for (int i = 0; i < taken; ++i) {
			rbl_impact single;
			int n = contacts[i].index;
			CHECK(t, rbl_ccd_test_quad(kind, &motion, &quads[n], thickness, &single));
			CHECK(t, single.is_contact_at_start && is_same(&single, &contacts[i].impact));
			CHECK(t, contacts[i].is_parting ==
			             parts(kind, starts + 4 * n, ends + 4 * n, single.normal));
			CHECK(t, !was_seen[n]);
			was_seen[n] = true;
			parting += contacts[i].is_parting;
		}
		for (int i = 0; i < count; ++i) {
			rbl_impact single;
			CHECK(t, !was_seen[chosen[i]] && (i == 0 || chosen[i] < chosen[i - 1]));
			was_seen[chosen[i]] = true;
			at_start += rbl_ccd_test_quad(kind, &motion, &quads[chosen[i]], thickness, &single) &&
			            single.is_contact_at_start;
		}
		found += taken, left += count;
	}
	rbl_force_backend(best);
	printf("%d contacts, %d of them parting; %d left, of which %d are contacts\n", found, parting,
	       left, at_start);
	CHECK(t, found > 10000 && parting > 100 && left > 10000);
}

TEST_MAIN(TEST(contacts_equal_single_tests))
