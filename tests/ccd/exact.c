// SPDX-License-Identifier: MIT
// Continuous tests against exact arithmetic, on random, degenerate and hostile pairs.
// ctest: soak

#include "ccd/ccd.h"

#include "base/axis.h"
#include "base/random.h"

#include "ccd/reference.h"
#include "ccd/queries.h"
#include "test.h"

typedef struct pair {
	rbl_vec3d p[2][4];
} pair;

static double grid(rbl_random *random, int size)
{
	return (double)rbl_random_below(random, (uint32_t)(2 * size + 1)) - size;
}

static void move_by_ulps(rbl_random *random, pair *p)
{
	for (int i = 0; i < 24; ++i) {
		rbl_vec3d *at = &p->p[i / 12][i / 3 % 4];
		double x = rbl_axis_d(*at, i % 3);
		if (x != 0.0 && rbl_random_below(random, 4) == 0)
			rbl_set_axis_d(at, i % 3, nextafter(x, rbl_random_u32(random) & 1 ? 1e9 : -1e9));
	}
}

enum { KIND_COUNT = 12 };

static const char *const kind_names[KIND_COUNT] = {
	"small grid", "grid",       "one plane", "one line", "static",       "translation",
	"anywhere",   "grid, ulps", "far grid",  "floats",   "touch at end", "uneven axes",
};

/// A pair of one of several kinds.
static pair make_pair(rbl_random *random, int kind)
{
	pair p;
	int size = kind == 0 ? 2 : kind == 1 ? 8 : 4;
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	for (int pose = 0; pose < 2; ++pose) {
		for (int i = 0; i < 4; ++i) {
			double x = grid(random, size), y = grid(random, size), z = grid(random, size);
			p.p[pose][i] = (rbl_vec3d){ x, y, z };
			if (kind == 2)
				p.p[pose][i].z = x + 2.0 * y;
			if (kind == 3)
				p.p[pose][i].z = x, p.p[pose][i].y = 3.0 - x;
			if (kind == 6)
				p.p[pose][i] = rbl_random_in_box(random, cube);
			if (kind == 8)
				p.p[pose][i].x += 0x1p20, p.p[pose][i].y -= 0x1p18;
			if (kind == 9) {
				rbl_vec3d q = rbl_random_in_box(random, cube);
				volatile float f[3] = { (float)q.x, (float)q.y, (float)(0.1 * q.z) };
				p.p[pose][i] = (rbl_vec3d){ (double)f[0], (double)f[1], (double)f[2] };
			}
			if (kind == 11)
				p.p[pose][i].x *= 0x1p-30, p.p[pose][i].z *= 0x1p20;
		}
	}
	rbl_vec3d translation = { grid(random, 2), grid(random, 2), grid(random, 2) };
	for (int i = 0; i < 4 && (kind == 4 || kind == 5); ++i) {
		p.p[1][i] = p.p[0][i];
		if (kind == 5 && i < 2)
			p.p[1][i].x += translation.x, p.p[1][i].y += translation.y,
				p.p[1][i].z += translation.z;
	}
	if (kind == 10) { // a point of the second feature, exactly
		double s = 0.25 * (double)rbl_random_below(random, 5);
		rbl_vec3d a = p.p[1][2], b = p.p[1][3];
		p.p[1][0] =
			(rbl_vec3d){ a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z) };
	}
	if (kind == 7)
		move_by_ulps(random, &p);
	return p;
}

typedef struct tally {
	int count, hits, false_alarms, unproven, early;
} tally;

static void reference_one(test *t, int type, const rbl_vec3d *start, const rbl_vec3d *end,
                          tally *sum)
{
	rbl_impact impact;
	rbl_result result =
		(type ? rbl_test_edge_edge : rbl_test_vertex_face)(start, end, 0.0, &impact);
	CHECK(t, result == RBL_OK);
	comparison truth = reference_ccd(type, start, end, impact.time, 1e-6);
	if (!truth.is_known)
		return;
	CHECK(t, !truth.is_hit || impact.is_hit);
	CHECK(t, !truth.is_hit || !truth.is_late);
	CHECK(t, truth.is_hit || !impact.is_hit || !impact.is_certified);
	sum->count++;
	sum->hits += truth.is_hit;
	sum->false_alarms += impact.is_hit && !truth.is_hit;
	sum->unproven += impact.is_hit && !impact.is_certified;
	sum->early += truth.is_hit && truth.is_early;
	if (!impact.is_hit)
		return;
	double length = impact.normal.x * impact.normal.x + impact.normal.y * impact.normal.y +
	                impact.normal.z * impact.normal.z;
	CHECK_NEAR(t, length, 1.0, 1e-12);
	for (int i = 0; i < 3; ++i)
		CHECK(t, impact.weights[i] >= 0.0 && impact.weights[i] <= 1.0 + 1e-12);
}

static void no_contact_is_missed_or_late(test *t)
{
	rbl_random random = rbl_random_from_seed(71);
	tally sums[KIND_COUNT] = { { 0 } };
	int count = test_count(2400, 120000);
	for (int i = 0; i < count; ++i) {
		int kind = i % KIND_COUNT, type = i / KIND_COUNT % 2;
		pair p = make_pair(&random, kind);
		reference_one(t, type, p.p[0], p.p[1], &sums[kind]);
	}
	int false_alarms = 0, early = 0;
	for (int i = 0; i < KIND_COUNT; ++i) {
		tally *s = &sums[i];
		if (getenv("RBL_VERBOSE"))
			printf("%-12s %7d pairs %7d hits %5d false alarms %5d unproven %5d early\n",
			       kind_names[i], s->count, s->hits, s->false_alarms, s->unproven, s->early);
		CHECK(t, s->hits > 0);
		false_alarms += s->false_alarms;
		early += s->early;
	}
	// Pairs that miss by a few ulps, and contacts that last.
	CHECK(t, false_alarms <= count / 1000);
	CHECK(t, early <= count / 1000);
}

// A point of the first feature is on the second at the start, but for rounding: inside, on an edge, or within an
// ulp of a corner.
static pair make_near_pair(rbl_random *random, int kind, int type)
{
	pair p = make_pair(random, 6);
	rbl_vec3d *q = p.p[0];
	double s = rbl_random_double(random), u = (1.0 - s) * rbl_random_double(random);
	for (int k = 0; k < 3; ++k) {
		double a = rbl_axis_d(q[1], k), b = rbl_axis_d(q[2], k), c = rbl_axis_d(q[3], k);
		double first = rbl_axis_d(q[0], k);
		if (kind == 0)
			first = (1.0 - s - u) * a + s * b + u * c;
		if (kind == 0 && type)
			first = ((1.0 - s) * b + s * c - u * a) / (1.0 - u);
		if (kind == 1)
			first = (1.0 - s) * b + s * c;
		if (kind == 2)
			first = nextafter(c, rbl_random_below(random, 2) ? 9.0 : -9.0);
		rbl_set_axis_d(&q[0], k, first);
	}
	return p;
}

// Regression: pairs that begin within rounding and part at once were given up half way, as hits that nobody
// proves.
static void pairs_that_part_at_once_are_decided(test *t)
{
	rbl_random random = rbl_random_from_seed(12);
	tally sum = { 0 };
	int count = test_count(12000, 1200000), hits = 0, unproven = 0;
	for (int i = 0; i < count; ++i) {
		int type = i % 2;
		pair p = make_near_pair(&random, i / 2 % 3, type);
		rbl_impact impact;
		bool is_hit = rbl_ccd_test(type ? RBL_CCD_EDGE_EDGE : RBL_CCD_VERTEX_FACE, p.p[0], p.p[1],
		                           0.0, &impact);
		unproven += is_hit && !impact.is_certified;
		hits += is_hit;
		if (i % 101 == 0)
			reference_one(t, type, p.p[0], p.p[1], &sum);
	}
	CHECK(t, hits > count / 4 && hits < 3 * count / 4);
	CHECK(t, unproven <= count / 100000); // one of 1,200,000; six in a thousand before
	CHECK(t, sum.count > 50 && sum.false_alarms == 0);
}

static void the_reference_agrees_with_the_queries(test *t)
{
	int count;
	ccd_query *queries = read_ccd_queries(RBL_SHARED_DIR "/data/ccd-queries.bin", &count);
	if (!queries) {
		SKIP(t, "no file of queries");
		return;
	}
	tally sum = { 0 };
	for (int i = 0; i < count; i += test_count(31, 1)) {
		ccd_query *q = &queries[i];
		comparison truth = reference_ccd(q->type, q->start, q->end, 0.0, 1.0);
		CHECK(t, !truth.is_known || truth.is_hit == (q->truth != 0));
		reference_one(t, q->type, q->start, q->end, &sum);
	}
	CHECK(t, sum.hits > 0 && sum.false_alarms == 0 && sum.early == 0 && sum.count > 100);
	free(queries);
}

TEST_MAIN(TEST(no_contact_is_missed_or_late), TEST(pairs_that_part_at_once_are_decided),
          TEST(the_reference_agrees_with_the_queries))
