// SPDX-License-Identifier: MIT
// ctest: pinned
// Continuous tests: what they promise on plain cases, on the queries with exact truth, and on input
// that is refused.

#include "ccd/ccd.h"

#include "base/axis.h"
#include "base/hash.h"
#include "base/random.h"

#include "ccd/queries.h"
#include "test.h"

typedef struct pair {
	rbl_vec3d start[4], end[4];
} pair;

static rbl_impact run(test *t, int type, const pair *p, double thickness)
{
	rbl_impact impact;
	rbl_result result =
		(type ? rbl_test_edge_edge : rbl_test_vertex_face)(p->start, p->end, thickness, &impact);
	CHECK(t, result == RBL_OK);
	return impact;
}

/// A vertex that falls from 1 to -1 on to a triangle at rest.
static pair falling_vertex(void)
{
	return (pair){ { { 0.25, 1.0, 0.25 }, { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0 } },
		           { { 0.25, -1.0, 0.25 }, { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0 } } };
}

/// An edge along x that falls from 1 to -3 on to an edge along z.
static pair falling_edge(void)
{
	return (pair){ { { -1, 1, 0 }, { 3, 1, 0 }, { 0, 0, -1 }, { 0, 0, 1 } },
		           { { -1, -3, 0 }, { 3, -3, 0 }, { 0, 0, -1 }, { 0, 0, 1 } } };
}

static void a_vertex_falls_on_a_face(test *t)
{
	pair p = falling_vertex();
	rbl_impact impact = run(t, 0, &p, 0.0);
	CHECK(t, impact.is_hit && impact.is_certified && !impact.is_contact_at_start);
	CHECK(t, impact.time <= 0.5 && impact.time > 0.5 - 1e-12);
	CHECK_NEAR(t, impact.weights[0], 0.5, 1e-12);
	CHECK_NEAR(t, impact.weights[1], 0.25, 1e-12);
	CHECK_NEAR(t, impact.weights[2], 0.25, 1e-12);
	CHECK(t, impact.normal.y == 1.0 && impact.normal.x == 0.0 && impact.normal.z == 0.0);
	for (int i = 0; i < 4; ++i) // from below
		p.start[i].y = -p.start[i].y, p.end[i].y = -p.end[i].y;
	impact = run(t, 0, &p, 0.0);
	CHECK(t, impact.is_hit && impact.normal.y == -1.0);
}

static void an_edge_falls_on_an_edge(test *t)
{
	pair p = falling_edge();
	rbl_impact impact = run(t, 1, &p, 0.0);
	CHECK(t, impact.is_hit && impact.is_certified && !impact.is_contact_at_start);
	CHECK(t, impact.time <= 0.25 && impact.time > 0.25 - 1e-12);
	CHECK_NEAR(t, impact.weights[0], 0.25, 1e-12);
	CHECK_NEAR(t, impact.weights[1], 0.5, 1e-12);
	CHECK(t, impact.normal.y == 1.0 && impact.normal.x == 0.0 && impact.normal.z == 0.0);
}

static void a_miss_says_nothing_else(test *t)
{
	pair p = falling_vertex();
	p.start[0].x = p.end[0].x = 0.8; // beside the long side
	rbl_impact impact = run(t, 0, &p, 0.0), zero;
	memset(&zero, 0, sizeof zero);
	CHECK(t, memcmp(&impact, &zero, sizeof zero) == 0);
}

static void thickness_is_met_before_contact(test *t)
{
	for (int type = 0; type < 2; ++type) {
		pair p = type ? falling_edge() : falling_vertex();
		double fall = type ? 4.0 : 2.0, height = 1.0;
		for (double thickness = 0.5; thickness > 1e-5; thickness *= 0.1) {
			rbl_impact impact = run(t, type, &p, thickness);
			double gap = height - fall * impact.time;
			CHECK(t, impact.is_hit && impact.is_certified && !impact.is_contact_at_start);
			CHECK(t, gap >= thickness && gap <= 1.1 * thickness);
		}
		CHECK(t, run(t, type, &p, 2.0).is_contact_at_start); // nearer than that from the start
		for (int i = 0; i < 4; ++i)
			p.end[i] = p.start[i];
		CHECK(t, !run(t, type, &p, 0.9).is_hit && run(t, type, &p, 1.0).is_hit);
	}
}

/// Corner i of the polygon that is a pair's difference, at a time.
static rbl_vec3d corner_at(const pair *p, int type, int i, double time)
{
	static const int ends[2][4][2] = { { { 1, 0 }, { 2, 0 }, { 3, 0 }, { 0, 0 } },
		                               { { 0, 2 }, { 1, 2 }, { 1, 3 }, { 0, 3 } } };
	rbl_vec3d q[2];
	for (int k = 0; k < 2; ++k) {
		rbl_vec3d a = p->start[ends[type][i][k]], b = p->end[ends[type][i][k]];
		q[k] = (rbl_vec3d){ a.x + time * (b.x - a.x), a.y + time * (b.y - a.y),
			                a.z + time * (b.z - a.z) };
	}
	return (rbl_vec3d){ q[0].x - q[1].x, q[0].y - q[1].y, q[0].z - q[1].z };
}

/// The least distance of some points of a pair at a time: at least the true one. (The least of the squares:
/// gcc 12.2 for 64-bit ARM crashes at -O3 when the root is in the loop.)
static double sampled_distance(const pair *p, int type, double time)
{
	rbl_vec3d o = corner_at(p, type, 0, time), e = corner_at(p, type, 1, time);
	rbl_vec3d f = corner_at(p, type, type ? 3 : 2, time);
	double least = 1e30;
	for (int i = 0; i <= 8; ++i) {
		for (int k = 0; k <= (type ? 8 : 8 - i); ++k) {
			double s = i / 8.0, u = k / 8.0;
			double x = o.x + s * (e.x - o.x) + u * (f.x - o.x);
			double y = o.y + s * (e.y - o.y) + u * (f.y - o.y);
			double z = o.z + s * (e.z - o.z) + u * (f.z - o.z);
			least = rbl_mind(least, x * x + y * y + z * z);
		}
	}
	return sqrt(least);
}

static void nothing_comes_nearer_unseen(test *t)
{
	rbl_random random = rbl_random_from_seed(9);
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	int found = 0, proven = 0;
	for (int i = 0; i < 3000; ++i) {
		pair p;
		int type = i % 2;
		for (int k = 0; k < 8; ++k)
			(k < 4 ? p.start : p.end)[k % 4] = rbl_random_in_box(&random, cube);
		double thickness = i % 3 == 0 ? 0.3 : i % 3 == 1 ? 0.01 : 1e-4;
		rbl_impact impact = run(t, type, &p, thickness);
		for (int k = 0; k <= 16; ++k)
			if (sampled_distance(&p, type, k / 16.0) <= thickness)
				CHECK(t, impact.is_hit && impact.time <= k / 16.0);
		CHECK(t, impact.is_hit || !run(t, type, &p, 0.0).is_hit);
		found += impact.is_hit;
		proven += impact.is_hit && impact.is_certified;
		if (!impact.is_hit || impact.is_contact_at_start)
			continue;
		double corners[4][3], nearest[3], weights[3];
		for (int k = 0; k < (type ? 4 : 3); ++k) {
			rbl_vec3d c = corner_at(&p, type, k, impact.time);
			corners[k][0] = c.x, corners[k][1] = c.y, corners[k][2] = c.z;
		}
		double distance = sqrt(rbl_ccd_nearest(type ? 4 : 3, corners, nearest, weights));
		CHECK(t, distance >= thickness * (1.0 - 1e-9));
		CHECK(t, !impact.is_certified || distance <= 1.1 * thickness);
	}
	if (getenv("RBL_VERBOSE"))
		printf("%d found, %d proven\n", found, proven);
	CHECK(t, found > 500 && proven > 9 * found / 10);
}

/// A pair with the first feature (the vertex, or the first edge) shifted.
static pair shifted(const pair *p, int type, rbl_vec3d by)
{
	pair result = *p;
	for (int i = 0; i < (type ? 2 : 1); ++i) {
		result.start[i] = rbl_add_d(p->start[i], by);
		result.end[i] = rbl_add_d(p->end[i], by);
	}
	return result;
}

static double distance_at(const pair *p, int type, double time)
{
	double corners[4][3], nearest[3], weights[3];
	for (int k = 0; k < (type ? 4 : 3); ++k) {
		rbl_vec3d c = corner_at(p, type, k, time);
		corners[k][0] = c.x, corners[k][1] = c.y, corners[k][2] = c.z;
	}
	return sqrt(rbl_ccd_nearest(type ? 4 : 3, corners, nearest, weights));
}

// With a thickness the normal is the direction between the closest points: to move along it by some
// length takes the two apart by as much, whichever way they move, and whether or not they begin
// within the thickness.
static void with_a_thickness_normals_separate(test *t)
{
	rbl_random random = rbl_random_from_seed(17);
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	int found[2] = { 0 }, at_start[2] = { 0 }, wrong[2] = { 0 };
	for (int i = 0; i < 100000; ++i) {
		pair p;
		int type = i % 2;
		for (int k = 0; k < 8; ++k)
			(k < 4 ? p.start : p.end)[k % 4] = rbl_random_in_box(&random, cube);
		double thickness = i % 3 == 0 ? 0.3 : 0.02;
		rbl_impact impact = run(t, type, &p, thickness);
		double distance = distance_at(&p, type, impact.time);
		if (!impact.is_hit || distance < 1e-6)
			continue;
		found[type]++;
		at_start[type] += impact.is_contact_at_start;
		double length = 0.01 * distance;
		pair moved = shifted(&p, type, rbl_scale_d(length, impact.normal));
		wrong[type] += distance_at(&moved, type, impact.time) < distance + 0.999 * length;
	}
	if (getenv("RBL_VERBOSE"))
		printf("%d + %d found, %d + %d at the start, %d + %d wrong\n", found[0], found[1],
		       at_start[0], at_start[1], wrong[0], wrong[1]);
	CHECK(t, found[0] > 1000 && found[1] > 1000 && at_start[0] > 100 && at_start[1] > 100);
	CHECK(t, wrong[0] == 0 && wrong[1] == 0);
}

// The three cases of a vertex near a face that comes to rest, goes away, or lies beside an edge.
static void near_the_start_normals_come_from_positions(test *t)
{
	const rbl_vec3d face[3] = { { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0 } };
	const struct {
		rbl_vec3d start, end, normal;
	} cases[] = {
		{ { 0.25, -0.005, 0.25 }, { 0.25, -0.005, 0.25 }, { 0, -1, 0 } }, // rests below
		{ { 0.25, 0.005, 0.25 }, { 0.25, 0.5, 0.25 }, { 0, 1, 0 } },      // goes away
		{ { -0.005, 0.0, 0.5 }, { -0.005, -0.1, 0.5 }, { -1, 0, 0 } },    // beside an edge
	};
	for (int i = 0; i < 3; ++i) {
		pair p = { { cases[i].start, face[0], face[1], face[2] },
			       { cases[i].end, face[0], face[1], face[2] } };
		rbl_impact impact = run(t, 0, &p, 0.01);
		CHECK(t, impact.is_hit && impact.is_contact_at_start);
		CHECK(t, rbl_distance_d(impact.normal, cases[i].normal) < 1e-12);
	}
}

// Corners that move in the plane x + y + z = gap: the others have 0 there, so the distance is at
// least gap / sqrt(3) at all times, exactly, however large the features are.
static pair sliding_pair(rbl_random *random, int type, double size, double gap)
{
	pair p;
	for (int i = 0; i < 8; ++i) {
		bool is_first = i % 4 < (type ? 2 : 1);
		double x = floor(rbl_random_range(random, -size, size));
		double y = floor(rbl_random_range(random, -size, size));
		(i < 4 ? p.start : p.end)[i % 4] =
			is_first && !type ? (rbl_vec3d){ 0.0, 0.0, 0.0 }
							  : (rbl_vec3d){ x, y, (is_first ? 0.0 : gap) - x - y };
	}
	return p;
}

// Regression: where rounding of the size of the features is more than the thickness, lengths prove
// nothing. One pair was twice as far apart as it was told to be.
static void nothing_far_is_proven_near(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	static const double sizes[4] = { 0x1p20, 0x1p44, 0x1p48, 0x1p51 };
	int found = 0, proven_near = 0;
	for (int i = 0; i < 8000; ++i) {
		int type = i % 2, size = i / 2 % 4;
		double gap = i % 3 ? 1.0 : 16.0;
		pair p = sliding_pair(&random, type, sizes[size], gap);
		rbl_impact impact = run(t, type, &p, gap / 1.11 / sqrt(3.0));
		CHECK(t, !impact.is_hit || !impact.is_certified);
		found += impact.is_hit;
		impact = run(t, type, &p, gap / 0.99 / sqrt(3.0));
		proven_near += size == 0 && impact.is_hit && impact.is_certified;
	}
	CHECK(t, found > 100 && proven_near > 100);
	// Lengths whose squares are zero.
	pair low = { { { 0, 1e-170, 0 }, { -1, 0, -1 }, { 0, 0, 1 }, { 1, 0, -1 } },
		         { { 0, 1e-170, 0 }, { -1, 0, -1 }, { 0, 0, 1 }, { 1, 0, -1 } } };
	rbl_impact impact = run(t, 0, &low, 0.5e-170);
	CHECK(t, !impact.is_hit || !impact.is_certified);
	// Corners at one place are in contact, whatever is the thickness.
	low.start[0] = low.start[1];
	impact = run(t, 0, &low, 1e-30);
	CHECK(t,
	      impact.is_hit && impact.is_certified && impact.time == 0.0 && impact.is_contact_at_start);
	// A thickness that is nothing beside the coordinates once they are scaled.
	for (int i = 0; i < 8; ++i) {
		rbl_vec3d *v = &(i < 4 ? low.start : low.end)[i % 4];
		*v = (rbl_vec3d){ v->x * 0x1p900, i % 4 ? 0.0 : 3e-60, v->z * 0x1p900 };
	}
	low.start[0] = low.end[0] = (rbl_vec3d){ 0.0, 3e-60, 0.0 };
	impact = run(t, 0, &low, 1e-60);
	CHECK(t, !impact.is_hit || !impact.is_certified);
}

static void contact_at_the_start_is_flagged(test *t)
{
	pair p = falling_vertex();
	p.start[0].y = 0.0;
	rbl_impact impact = run(t, 0, &p, 0.0);
	CHECK(t,
	      impact.is_hit && impact.time == 0.0 && impact.is_contact_at_start && impact.is_certified);
	p.end[0] = p.start[0]; // nothing moves
	impact = run(t, 0, &p, 0.0);
	CHECK(t,
	      impact.is_hit && impact.time == 0.0 && impact.is_contact_at_start && impact.is_certified);
	p = falling_edge();
	p.start[0].y = p.start[1].y = 0.0;
	impact = run(t, 1, &p, 0.0);
	CHECK(t,
	      impact.is_hit && impact.time == 0.0 && impact.is_contact_at_start && impact.is_certified);
}

static void queries_with_exact_truth_are_answered(test *t)
{
	int count, proven = 0;
	ccd_query *queries = read_ccd_queries(RBL_SHARED_DIR "/data/ccd-queries.bin", &count);
	if (!queries) {
		SKIP(t, "no file of queries");
		return;
	}
	CHECK(t, count == 3621);
	for (int i = 0; i < count; ++i) {
		pair p;
		memcpy(p.start, queries[i].start, sizeof p.start);
		memcpy(p.end, queries[i].end, sizeof p.end);
		rbl_impact impact = run(t, queries[i].type, &p, 0.0);
		CHECK(t, impact.is_hit == (queries[i].truth != 0));
		proven += impact.is_hit && impact.is_certified;
	}
	CHECK(t, proven > 200); // of 222
	free(queries);
}

static void powers_of_two_change_nothing(test *t)
{
	int count;
	ccd_query *queries = read_ccd_queries(RBL_SHARED_DIR "/data/ccd-queries.bin", &count);
	if (!queries) {
		SKIP(t, "no file of queries");
		return;
	}
	static const int exponents[4] = { 900, -850, 70, -70 };
	for (int i = 0; i < count; i += 3) {
		pair p;
		memcpy(p.start, queries[i].start, sizeof p.start);
		memcpy(p.end, queries[i].end, sizeof p.end);
		rbl_impact plain = run(t, queries[i].type, &p, 0.0);
		for (int k = 0; k < 24; ++k) {
			rbl_vec3d *at = &(k < 12 ? p.start : p.end)[k / 3 % 4];
			rbl_set_axis_d(at, k % 3, ldexp(rbl_axis_d(*at, k % 3), exponents[i % 4]));
		}
		rbl_impact scaled = run(t, queries[i].type, &p, 0.0);
		CHECK(t, plain.is_hit == scaled.is_hit);
		CHECK_NEAR(t, scaled.time, plain.time, 1e-12);
	}
	free(queries);
}

// Whatever the numbers are, there is an answer, and features that touch are found.
static void extreme_numbers_are_answered(test *t)
{
	static const double sizes[6] = { 1.7e308, 1e-308, 5e-324, 1e200, 1e-160, 0.0 };
	for (int type = 0; type < 2; ++type) {
		for (int i = 0; i < 6; ++i) {
			pair p = type ? falling_edge() : falling_vertex();
			for (int k = 0; k < 24; ++k) {
				rbl_vec3d *at = &(k < 12 ? p.start : p.end)[k / 3 % 4];
				double factor = sizes[i] * (sizes[i] > 1e307 ? 0.25 : 4.0);
				rbl_set_axis_d(at, k % 3, factor * rbl_axis_d(*at, k % 3));
			}
			rbl_impact impact = run(t, type, &p, 0.0);
			CHECK(t, impact.is_hit && impact.time <= (type ? 0.25 : 0.5));
			CHECK(t,
			      impact.time >= 0.0 && isfinite(impact.normal.x) && isfinite(impact.weights[0]));
			run(t, type, &p, sizes[5 - i]);
		}
		// Everything at one place.
		pair point = { { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } },
			           { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } } };
		rbl_impact impact = run(t, type, &point, 0.0);
		CHECK(t, impact.is_hit && impact.is_contact_at_start && impact.time == 0.0);
	}
}

// The same bits for every compiler and platform.
static void answers_repeat_bit_for_bit(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	uint64_t hash = RBL_HASH_START;
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	for (int i = 0; i < 4000; ++i) {
		pair p;
		for (int k = 0; k < 8; ++k) {
			rbl_vec3d q = rbl_random_in_box(&random, cube);
			if (i % 4 == 0)
				q = (rbl_vec3d){ floor(3.0 * q.x), floor(3.0 * q.y), floor(3.0 * q.z) };
			(k < 4 ? p.start : p.end)[k % 4] = q;
		}
		rbl_impact impact = run(t, i % 2, &p, i % 5 == 0 ? 0.01 : 0.0);
		hash = rbl_hash_bytes(hash, &impact.time, sizeof impact.time);
		hash = rbl_hash_bytes(hash, impact.weights, sizeof impact.weights);
		hash = rbl_hash_bytes(hash, &impact.normal, sizeof impact.normal);
	}
	if (getenv("RBL_VERBOSE"))
		printf("hash 0x%016llx\n", (unsigned long long)hash);
	CHECK(t, hash == UINT64_C(0xac35d50d30822242));
}

static void bad_input_is_refused(test *t)
{
	pair good = falling_vertex();
	rbl_impact impact = { .time = 7.0 };
	rbl_result (*const tests[2])(const rbl_vec3d *, const rbl_vec3d *, double,
	                             rbl_impact *) = { rbl_test_vertex_face, rbl_test_edge_edge };
	for (int type = 0; type < 2; ++type) {
		CHECK(t, tests[type](NULL, good.end, 0.0, &impact) == RBL_BAD_ARGUMENT);
		CHECK(t, tests[type](good.start, NULL, 0.0, &impact) == RBL_BAD_ARGUMENT);
		CHECK(t, tests[type](good.start, good.end, 0.0, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, tests[type](good.start, good.end, -1.0, &impact) == RBL_BAD_ARGUMENT);
		CHECK(t, tests[type](good.start, good.end, (double)NAN, &impact) == RBL_BAD_ARGUMENT);
		CHECK(t, tests[type](good.start, good.end, (double)INFINITY, &impact) == RBL_BAD_ARGUMENT);
		for (int i = 0; i < 24; ++i) {
			for (int k = 0; k < 2; ++k) {
				pair bad = good;
				rbl_vec3d *at = &(i < 12 ? bad.start : bad.end)[i / 3 % 4];
				rbl_set_axis_d(at, i % 3, k ? (double)NAN : (double)-INFINITY);
				CHECK(t, tests[type](bad.start, bad.end, 0.0, &impact) == RBL_BAD_ARGUMENT);
			}
		}
	}
	CHECK(t, impact.time == 7.0); // untouched
}

static void triangles_meet_apart_from_what_they_share(test *t)
{
	const rbl_vec3d a[3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
	const rbl_vec3d through[3] = { { 1, 1, -1 }, { 1, 1, 1 }, { 9, 9, 0 } };
	const rbl_vec3d above[3] = { { 0, 0, 1 }, { 4, 0, 1 }, { 0, 4, 1 } };
	const rbl_vec3d touching[3] = { { 1, 1, 0 }, { 1, 1, 1 }, { 2, 1, 1 } };
	const rbl_vec3d at_vertex[3] = { { 0, 0, 0 }, { 0, 0, 4 }, { 1, 0, 4 } };
	const rbl_vec3d folded[3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 1, 0 } };
	const rbl_vec3d across[3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, -4, 0 } };
	const struct {
		const rbl_vec3d *b;
		int shared;
		bool is_hit;
	} cases[] = { { through, 0, true },   { above, 0, false },     { touching, 0, true },
		          { at_vertex, 0, true }, { at_vertex, 1, false }, { folded, 2, true },
		          { across, 2, false },   { across, 0, true } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		for (int order = 0; order < 2; ++order) {
			bool is_hit = !cases[i].is_hit;
			const rbl_vec3d *p = order ? cases[i].b : a, *q = order ? a : cases[i].b;
			CHECK(t, rbl_test_triangles(p, q, cases[i].shared, &is_hit) == RBL_OK);
			CHECK(t, is_hit == cases[i].is_hit);
		}
	}
	bool is_hit = true;
	const rbl_vec3d bad[3] = { { 0, 0, 0 }, { 4, (double)NAN, 0 }, { 0, 4, 0 } };
	CHECK(t, rbl_test_triangles(NULL, a, 0, &is_hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_test_triangles(a, NULL, 0, &is_hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_test_triangles(a, a, 0, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_test_triangles(a, a, 3, &is_hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_test_triangles(a, a, -1, &is_hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_test_triangles(a, above, 1, &is_hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_test_triangles(a, bad, 0, &is_hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_test_triangles(bad, a, 0, &is_hit) == RBL_BAD_ARGUMENT && is_hit);
}

TEST_MAIN(TEST(a_vertex_falls_on_a_face), TEST(an_edge_falls_on_an_edge),
          TEST(a_miss_says_nothing_else), TEST(thickness_is_met_before_contact),
          TEST(nothing_comes_nearer_unseen), TEST(with_a_thickness_normals_separate),
          TEST(near_the_start_normals_come_from_positions), TEST(nothing_far_is_proven_near),
          TEST(contact_at_the_start_is_flagged), TEST(queries_with_exact_truth_are_answered),
          TEST(powers_of_two_change_nothing), TEST(extreme_numbers_are_answered),
          TEST(answers_repeat_bit_for_bit), TEST(bad_input_is_refused),
          TEST(triangles_meet_apart_from_what_they_share))
