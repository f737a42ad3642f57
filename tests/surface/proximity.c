// SPDX-License-Identifier: MIT
// ctest: threads soak
// Proximity: every vertex and face, and every two edges, within a distance, with true distances.

#include "surface/reference.h"

#include "faulty_allocator.h"
#include "scenes/surfaces.h"
#include "worker_pool.h"

#include <rubble/surface.h>

static void vertices_of(const rbl_surface *s, int kind, int a, int b, int v[4])
{
	if (kind == RBL_HIT_VERTEX_FACE) {
		v[0] = a, v[1] = s->triangles[3 * b], v[2] = s->triangles[3 * b + 1];
		v[3] = s->triangles[3 * b + 2];
		return;
	}
	v[0] = s->triangles[a], v[1] = s->triangles[rbl_surface_next(a)];
	v[2] = s->triangles[b], v[3] = s->triangles[rbl_surface_next(b)];
}

static rbl_closest closest_of(const rbl_surface *s, int kind, const int v[4])
{
	rbl_vec3d p[4];
	rbl_closest closest;
	for (int i = 0; i < 4; ++i)
		p[i] = rbl_to_d(s->positions[1][v[i]]);
	(kind == RBL_HIT_VERTEX_FACE ? rbl_closest_vertex_face : rbl_closest_edge_edge)(p, &closest);
	return closest;
}

static bool shares(const int v[4], int firsts)
{
	bool is_any = false;
	for (int i = 0; i < firsts; ++i)
		for (int k = firsts; k < 4; ++k)
			is_any |= v[i] == v[k];
	return is_any;
}

static bool lists(rbl_surface_near_pairs list, int kind, int a, int b)
{
	int low = 0, high = list.count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		const rbl_surface_near_pair *p = &list.pairs[middle];
		if ((int)p->kind < kind || ((int)p->kind == kind && (p->a < a || (p->a == a && p->b < b))))
			low = middle + 1;
		else
			high = middle;
	}
	return low < list.count && (int)list.pairs[low].kind == kind && list.pairs[low].a == a &&
	       list.pairs[low].b == b;
}

// What brute force finds within a distance must be listed. @return how much is not
static int count_missed(const rbl_surface *s, float distance, rbl_surface_near_pairs list,
                        int *found)
{
	int missed = 0, face_count, edge_count;
	float reach = distance * 1.001f;
	reference_item *faces = reference_faces(s, false, reach, &face_count);
	reference_item *edges = reference_edges(s, reach, &edge_count);
	for (int a = 0; a < s->vertex_end; ++a)
		for (int i = 0; i < face_count && s->anchors[a] >= 0; ++i) {
			int v[4];
			vertices_of(s, RBL_HIT_VERTEX_FACE, a, faces[i].id, v);
			rbl_box box = { s->positions[1][a], s->positions[1][a] };
			if (shares(v, 1) || !rbl_box_overlaps(box, faces[i].box))
				continue;
			rbl_closest c = closest_of(s, RBL_HIT_VERTEX_FACE, v);
			bool is_near = c.distance + c.rounding <= (double)distance;
			*found += is_near;
			missed += is_near && !lists(list, RBL_HIT_VERTEX_FACE, a, faces[i].id);
		}
	for (int i = 0; i < edge_count; ++i)
		for (int k = 0; k < edge_count; ++k) {
			int v[4], a = edges[i].id, b = edges[k].id;
			vertices_of(s, RBL_HIT_EDGE_EDGE, a, b, v);
			if (a >= b || shares(v, 2))
				continue;
			rbl_closest c = closest_of(s, RBL_HIT_EDGE_EDGE, v);
			bool is_near = c.distance + c.rounding <= (double)distance;
			*found += is_near;
			missed += is_near && !lists(list, RBL_HIT_EDGE_EDGE, a, b);
		}
	free(faces);
	free(edges);
	return missed;
}

// The vertices that are nearest, in order.
typedef struct key {
	int v[3], is_repeated;
} key;

static int by_key(const void *a, const void *b)
{
	return memcmp(a, b, 3 * sizeof(int));
}

// Of pairs that have the same vertices nearest, one is the first. @return how many are wrong
static int count_wrong_repeats(const rbl_surface *s, rbl_surface_near_pairs list)
{
	key *keys = malloc((size_t)(list.count + 1) * sizeof *keys);
	int count = 0, wrong = 0;
	for (int i = 0; i < list.count; ++i) {
		const rbl_surface_near_pair *p = &list.pairs[i];
		int v[4], firsts = p->kind == RBL_HIT_VERTEX_FACE ? 1 : 2, n = 0;
		if (p->nearest > RBL_NEAREST_VERTEX_EDGE) {
			wrong += p->is_repeated;
			continue;
		}
		vertices_of(s, (int)p->kind, p->a, p->b, v);
		rbl_closest c = closest_of(s, (int)p->kind, v);
		key k = { { -1, -1, -1 }, p->is_repeated };
		int in_first = 0;
		for (int m = 0; m < firsts; ++m)
			in_first += c.corners >> m & 1u;
		// The vertex alone first, then those of the edge.
		for (int half = 0; half < 2; ++half)
			for (int m = 0; m < 4; ++m)
				if ((c.corners >> m & 1u) && (m < firsts) == (half == (in_first == 2)))
					k.v[n++] = v[m];
		if (n == 2 && k.v[0] > k.v[1])
			k.v[0] ^= k.v[1], k.v[1] ^= k.v[0], k.v[0] ^= k.v[1];
		if (n == 3 && k.v[1] > k.v[2])
			k.v[1] ^= k.v[2], k.v[2] ^= k.v[1], k.v[1] ^= k.v[2];
		keys[count++] = k;
	}
	qsort(keys, (size_t)count, sizeof *keys, by_key);
	for (int i = 0; i < count;) {
		int end = i, firsts = 0;
		for (; end < count && by_key(&keys[i], &keys[end]) == 0; ++end)
			firsts += !keys[end].is_repeated;
		wrong += firsts != 1;
		i = end;
	}
	free(keys);
	return wrong;
}

// What is listed is in order, and true.
static int count_wrong(const rbl_surface *s, float distance, rbl_surface_near_pairs list)
{
	int wrong = 0;
	for (int i = 0; i < list.count; ++i) {
		const rbl_surface_near_pair *p = &list.pairs[i], *q = i ? p - 1 : NULL;
		int v[4], firsts = p->kind == RBL_HIT_VERTEX_FACE ? 1 : 2;
		vertices_of(s, (int)p->kind, p->a, p->b, v);
		rbl_closest c = closest_of(s, (int)p->kind, v);
		wrong += q && (q->kind > p->kind || (q->kind == p->kind && q->a > p->a) ||
		               (q->kind == p->kind && q->a == p->a && q->b >= p->b));
		wrong += shares(v, firsts) || !(c.distance <= (double)distance + 2.0 * c.rounding);
		wrong += fabs((double)p->distance - c.distance) > 1e-7 * c.distance + c.rounding;
		double u = c.weights[firsts == 1 ? 2 : 1];
		wrong += fabs((double)p->u - u) > 1e-6 || fabs((double)p->v - c.weights[3]) > 1e-6;
		wrong += fabsf(rbl_length(p->direction) - 1.0f) > 1e-6f || p->time != 0.0f;
		for (int k = 0; k < 2; ++k) {
			rbl_vec3d off = rbl_sub_d(rbl_to_d(p->points[k]), c.points[k]);
			wrong += rbl_length_d(off) > 1e-6 * (1.0 + rbl_length_d(c.points[k]));
		}
	}
	return wrong;
}

static int check_instant(test *t, rbl_surface *s, float distance)
{
	rbl_surface_near_pairs list;
	int found = 0;
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_proximity(s, distance, &list) == RBL_OK);
	CHECK(t, count_missed(s, distance, list, &found) == 0);
	CHECK(t, count_wrong(s, distance, list) == 0);
	CHECK(t, count_wrong_repeats(s, list) == 0);
	CHECK(t, list.count >= found);
	return found;
}

// Whether a pair is farther than it may be at its time, which is rounded down to a float. What cannot
// be certified is not bounded.
static bool is_too_far(const rbl_surface *s, const rbl_surface_near_pair *pair, double distance)
{
	int v[4];
	double speed = 0.0;
	rbl_vec3d start[4], end[4];
	vertices_of(s, (int)pair->kind, pair->a, pair->b, v);
	for (int i = 0; i < 4; ++i) {
		start[i] = rbl_to_d(s->positions[0][v[i]]), end[i] = rbl_to_d(s->positions[1][v[i]]);
		speed = fmax(speed, rbl_length_d(rbl_sub_d(end[i], start[i])));
	}
	double rounding = 2.0 * speed * 0x1p-23 * (double)pair->time + 1e-6 * distance + 1e-9;
	rbl_impact impact;
	return (double)pair->distance > 1.1 * distance + rounding &&
	       rbl_ccd_test(pair->kind == RBL_HIT_VERTEX_FACE ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE,
	                    start, end, distance, &impact) &&
	       impact.is_certified;
}

// Over a step the answer is that of a thickness.
static int check_step(test *t, rbl_surface *s, float distance)
{
	rbl_surface_near_pairs list;
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_proximity(s, distance, &list) == RBL_OK);
	rbl_surface_hit *hits = calloc((size_t)list.count + 1, sizeof *hits);
	float *kept = calloc((size_t)s->bodies.count + 1, sizeof *kept);
	int far = 0;
	for (int i = 0; i < list.count; ++i) {
		hits[i] = (rbl_surface_hit){ .kind = list.pairs[i].kind,
			                         .a = list.pairs[i].a,
			                         .b = list.pairs[i].b };
		far += is_too_far(s, &list.pairs[i], (double)distance);
		CHECK(t, list.pairs[i].time >= 0.0f && list.pairs[i].time <= 1.0f);
	}
	CHECK(t, far == 0);
	for (int i = 0; i < s->bodies.count; ++i) {
		kept[i] = s->bodies.data[i].settings.thickness;
		s->bodies.data[i].settings.thickness = distance;
	}
	CHECK(t, reference_check_hits(s, (rbl_surface_hits){ hits, list.count }) == 0);
	for (int i = 0; i < s->bodies.count; ++i)
		s->bodies.data[i].settings.thickness = kept[i];
	free(hits);
	free(kept);
	return list.count;
}

static void crumpled_sheets_equal_brute_force(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	int found = 0, met = 0;
	int64_t culled = 0;
	for (int round = 0; round < test_count(test_repeats(60, 20), 3000); ++round) {
		reference_mesh mesh = reference_sheet(2 + (int)rbl_random_below(&random, 5),
		                                      2 + (int)rbl_random_below(&random, 4));
		if (round % 4)
			reference_crumple(&mesh, &random);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		rbl_surface_body_id body = reference_add(t, s, &mesh);
		const float distances[5] = { 0.0f, 0.01f, 0.1f, 0.5f, 1.2f };
		for (int step = 0; step < 4; ++step) {
			float distance = distances[rbl_random_below(&random, 5)];
			for (int i = 0; i < mesh.vertex_count; ++i)
				mesh.positions[i] =
					rbl_add(mesh.positions[i],
				            step % 2 ? (rbl_vec3){ 0.0f, 0.0f, 0.5f }
				                     : rbl_to_f(rbl_scale_d(0.1, rbl_random_in_ball(&random))));
			CHECK(t, rbl_surface_move(s, body, NULL, mesh.positions) == RBL_OK);
			if (step == 3)
				met += check_step(t, s, distance);
			else
				found += check_instant(t, s, distance);
			culled += rbl_surface_get_stats(s).culled_nodes;
		}
		rbl_destroy_surface(s);
		reference_mesh_free(&mesh);
	}
	CHECK(t, found > 1000 && met > 300 && culled > 20);
}

// The scenes, at one instant and over the step, with distances up to a tenth of their size.
static void play(test *t, surface_kind kind, int divisor, int every, float step_share)
{
	surface_scene *scene = surface_scene_create(kind, divisor);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	int found = 0, met = 0, certified = 0, asked = 0;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	CHECK(t, scene && surface_scene_begin(scene, s));
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < s->vertex_end; ++i)
		box = rbl_box_add_point(box, s->positions[1][i]);
	float size = rbl_length(rbl_box_size(box));
	for (int frame = 1; frame <= surface_scene_frames(kind); ++frame) {
		bool is_broken;
		CHECK(t, surface_scene_step(scene, s, &is_broken));
		if (frame % every != 0 && !is_broken)
			continue;
		const float shares[4] = { 0.0f, 0.001f, 0.01f, 0.1f };
		float distance = size * shares[asked++ % 4];
		met += check_step(t, s, rbl_minf(distance, step_share * size));
		found += check_instant(t, s, distance);
		for (int i = 0; i < s->bodies.count; ++i)
			certified += rbl_id_pool_is_live(&s->ids, i) && s->bodies.data[i].self.is_certified;
	}
	printf("%s: %d within the distance at one instant, %d over a step, %d certified\n",
	       surface_scene_name(kind), found, met, certified);
	CHECK(t, found > 0 && met > 0);
	rbl_destroy_surface(s);
	surface_scene_destroy(scene);
}

static void scenes_equal_brute_force(test *t)
{
	play(t, SURFACE_CLOTH, test_count(18, 12), test_count(20, 1), 0.1f);
	play(t, SURFACE_NBODY, test_count(9, 6), test_count(20, 1), 0.02f);
	play(t, SURFACE_WALLS, test_count(10, 8), test_count(40, 4), 0.01f);
	play(t, SURFACE_EXPLODE, test_count(32, 24), test_count(50, 10), 0.02f);
}

// A point inside a box is behind its faces, edges and corners; one outside is in front.
static void sides_are_told(test *t)
{
	rbl_vec3 corners[8];
	for (int i = 0; i < 8; ++i)
		corners[i] = (rbl_vec3){ (float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2) };
	int faces[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
		              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
	rbl_random random = rbl_random_from_seed(12);
	int sides[2] = { 0, 0 };
	for (int round = 0; round < 400; ++round) {
		rbl_vec3d at = { rbl_random_range(&random, -0.4, 1.4), rbl_random_range(&random, -0.4, 1.4),
			             rbl_random_range(&random, -0.4, 1.4) };
		rbl_vec3 needle[3] = { rbl_to_f(at), rbl_to_f(at), rbl_to_f(at) };
		needle[1].x += 1e-4f, needle[2].y += 1e-4f;
		int triangle[3] = { 0, 1, 2 };
		reference_mesh box = { corners, faces, 8, 12 }, point = { needle, triangle, 3, 1 };
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		reference_add(t, s, &box);
		reference_add(t, s, &point);
		rbl_surface_near_pairs list;
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_proximity(s, 1.0f, &list) == RBL_OK);
		int nearest = -1;
		for (int i = 0; i < list.count; ++i)
			if (list.pairs[i].kind == RBL_HIT_VERTEX_FACE && list.pairs[i].a == 8 &&
			    (nearest < 0 || list.pairs[i].distance < list.pairs[nearest].distance))
				nearest = i;
		bool is_inside =
			at.x > 0.0 && at.x < 1.0 && at.y > 0.0 && at.y < 1.0 && at.z > 0.0 && at.z < 1.0;
		CHECK(t, nearest >= 0);
		if (nearest >= 0 && list.pairs[nearest].distance > 1e-3f) {
			CHECK(t, list.pairs[nearest].side == (is_inside ? -1 : 1));
			sides[is_inside]++;
		}
		rbl_destroy_surface(s);
	}
	CHECK(t, sides[0] > 50 && sides[1] > 30);
}

static void workers_and_back_ends_change_nothing(test *t)
{
	rbl_surface_near_pair *first = NULL;
	int first_count = 0;
	for (int workers = 1; workers <= 3; ++workers) {
		rbl_jobs *jobs = create_pool(workers);
		surface_scene *scene = surface_scene_create(SURFACE_WALLS, 6);
		rbl_surface_def def = rbl_default_surface_def();
		def.jobs = jobs;
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		CHECK(t, scene && surface_scene_begin(scene, s));
		bool is_broken;
		rbl_surface_near_pairs list = { NULL, 0 };
		for (int frame = 0; frame < 10; ++frame) {
			CHECK(t, surface_scene_step(scene, s, &is_broken));
			CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, rbl_surface_proximity(s, 0.02f, &list) == RBL_OK);
		}
		if (workers == 1) {
			first_count = list.count;
			first = malloc((size_t)list.count * sizeof *first + 1);
			memcpy(first, list.pairs, (size_t)list.count * sizeof *first);
		}
		CHECK(t, list.count == first_count && first_count > 100);
		for (int i = 0; i < list.count && i < first_count; ++i)
			CHECK(t, list.pairs[i].a == first[i].a && list.pairs[i].b == first[i].b &&
			             list.pairs[i].distance == first[i].distance &&
			             list.pairs[i].is_repeated == first[i].is_repeated &&
			             list.pairs[i].side == first[i].side &&
			             list.pairs[i].direction.x == first[i].direction.x);
		rbl_destroy_surface(s);
		surface_scene_destroy(scene);
		rbl_destroy_jobs(jobs);
	}
	free(first);
}

// Each allocation of a query fails in turn; the query that follows has the whole answer.
static void failed_allocations_are_told(test *t)
{
	reference_mesh mesh = reference_sheet(12, 12);
	rbl_random random = rbl_random_from_seed(2);
	for (int i = 0; i < mesh.vertex_count; ++i)
		mesh.positions[i].z = (float)rbl_random_range(&random, -0.3, 0.3);
	int failed = 0, expected = -1;
	for (long long allowed = 0; failed == allowed; ++allowed) {
		faulty_allocator memory;
		faulty_init(&memory, 1LL << 60);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&memory);
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		reference_add(t, s, &mesh);
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
		atomic_store(&memory.allowed, allowed);
		rbl_surface_near_pairs list;
		rbl_result result = rbl_surface_proximity(s, 0.9f, &list);
		failed += result == RBL_OUT_OF_MEMORY;
		CHECK(t, result == RBL_OK || (result == RBL_OUT_OF_MEMORY && list.count == 0));
		atomic_store(&memory.allowed, 1LL << 60);
		CHECK(t, rbl_surface_proximity(s, 0.9f, &list) == RBL_OK);
		expected = expected < 0 ? list.count : expected;
		CHECK(t, list.count == expected && expected > 100);
		rbl_destroy_surface(s);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, failed > 3);
	reference_mesh_free(&mesh);
}

static void bad_arguments_are_refused(test *t)
{
	reference_mesh mesh = reference_sheet(2, 2);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	rbl_surface_near_pairs list;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	reference_add(t, s, &mesh);
	CHECK(t, rbl_surface_proximity(s, 1.0f, &list) == RBL_BAD_ARGUMENT); // no update
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_proximity(NULL, 1.0f, &list) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_proximity(s, 1.0f, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_proximity(s, -1.0f, &list) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_proximity(s, NAN, &list) == RBL_BAD_ARGUMENT && list.count == 0);
	CHECK(t, rbl_surface_proximity(s, 1.0f, &list) == RBL_OK && list.count > 0);
	rbl_destroy_surface(s);
	reference_mesh_free(&mesh);
}

TEST_MAIN(TEST(crumpled_sheets_equal_brute_force), TEST(scenes_equal_brute_force),
          TEST(sides_are_told), TEST(workers_and_back_ends_change_nothing),
          TEST(failed_allocations_are_told), TEST(bad_arguments_are_refused))
