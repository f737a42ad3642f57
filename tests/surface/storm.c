// SPDX-License-Identifier: MIT
// ctest: threads soak
// A storm of calls in which any allocation may fail. A call that finds no memory says so and changes nothing:
// a second surface, whose memory never fails, gets the calls that succeeded, and both stay the same, ids and
// all. After each step brute force says what collides.
//
// Each seed is a storm of its own. RBL_STORM_FIRST=n begins with seed n, RBL_STORM_COUNT=n stops after n seeds.

#include "surface/comparison.h"
#include "surface/certificate_soak.h"
#include "worker_pool.h"

enum { MOST = 24, MOST_TRIANGLES = 220, STEPS = 40, DEPTH = 48 };

// Calls that may find no memory.
typedef enum call { ADD, SPLIT, MERGE, MOVE, UPDATE, COLLIDE, SWEEP, PARTS, CALL_COUNT } call;

typedef struct storm {
	test *t;
	soak form;            // makes forms and motions; its surface is the steady one
	rbl_surface *surface; // whose memory fails
	rbl_surface *steady;
	faulty_allocator memory;
	rbl_surface_body_id bodies[MOST];
	int body_count;
	bool is_calm; // bodies mostly move, so that updates come without breaks between them
	bool is_swept;
	bool is_resting; // no update has failed since one succeeded: starts of steps agree, too
	int done[CALL_COUNT], failed[CALL_COUNT];
	int pairs, hits, kept; // found; calls that succeeded although an allocation failed
} storm;

static int below(storm *s, int count)
{
	return soak_below(&s->form, count);
}

static void threaten(storm *s)
{
	uint64_t seed = rbl_random_u64(&s->form.random);
	if (below(s, 4) == 0)
		faulty_rest(&s->memory);
	else
		faulty_threaten(&s->memory, seed, below(s, 2) ? DEPTH : 8);
}

// --- both are the same --------------------------------------------------------------------------

static bool body_is_same(const storm *s, rbl_surface_body_id id)
{
	rbl_surface_data a = rbl_surface_get_data(s->surface), b = rbl_surface_get_data(s->steady);
	rbl_surface_body_data p = rbl_surface_body_get_data(s->surface, id);
	rbl_surface_body_data q = rbl_surface_body_get_data(s->steady, id);
	bool is_same = p.vertex_count > 0 && p.vertex_count == q.vertex_count &&
	               p.triangle_count == q.triangle_count;
	for (int i = 0; is_same && i < p.vertex_count; ++i) {
		int v = p.vertices[i];
		is_same = v == q.vertices[i] && a.origins[v] == b.origins[v] &&
		          memcmp(&a.ends[v], &b.ends[v], sizeof a.ends[v]) == 0 &&
		          (!s->is_resting || memcmp(&a.starts[v], &b.starts[v], sizeof a.starts[v]) == 0);
	}
	for (int i = 0; is_same && i < p.triangle_count; ++i) {
		int t = p.triangles[i];
		rbl_surface_body_id owner = rbl_surface_triangle_body(s->surface, t);
		is_same = t == q.triangles[i] && owner.index == id.index &&
		          owner.generation == id.generation &&
		          memcmp(a.triangles + 3 * t, b.triangles + 3 * t, 3 * sizeof(int)) == 0 &&
		          memcmp(a.twins + 3 * t, b.twins + 3 * t, 3 * sizeof(int)) == 0;
	}
	return is_same;
}

static void compare(storm *s)
{
	rbl_surface_data a = rbl_surface_get_data(s->surface), b = rbl_surface_get_data(s->steady);
	rbl_surface_stats p = rbl_surface_get_stats(s->surface), q = rbl_surface_get_stats(s->steady);
	CHECK(s->t, a.vertex_end == b.vertex_end && a.triangle_end == b.triangle_end);
	CHECK(s->t, p.body_count == s->body_count && p.body_count == q.body_count &&
	                p.vertex_count == q.vertex_count && p.triangle_count == q.triangle_count);
	for (int i = 0; i < s->body_count; ++i)
		CHECK(s->t, body_is_same(s, s->bodies[i]));
	const char *wrong = reference_check_surface(s->surface);
	if (wrong)
		printf("wrong: %s\n", wrong);
	CHECK(s->t, !wrong);
}

// The end of a call that was threatened. @return whether it was done, rightly or not, and the steady surface
// is to do the same
static bool settle(storm *s, call which, rbl_result result)
{
	bool has_failed = s->memory.failed;
	faulty_rest(&s->memory);
	if (result != RBL_OUT_OF_MEMORY) {
		s->done[which] += result == RBL_OK;
		s->kept += result == RBL_OK && has_failed;
		return true;
	}
	CHECK(s->t, has_failed);
	s->failed[which]++;
	s->is_resting &= which != UPDATE;
	compare(s);
	return false;
}

// --- calls --------------------------------------------------------------------------------------

static reference_mesh make_form(storm *s)
{
	if (below(s, 3) == 0)
		return soak_make_form(&s->form);
	reference_mesh m = reference_sheet(1 + below(s, 2), 1); // small ones, so that bodies are many
	m.triangle_count -= below(s, 2);
	float x = (float)soak_range(&s->form, 1.5), y = (float)soak_range(&s->form, 1.5);
	for (int i = 0; i < m.vertex_count; ++i) {
		m.positions[i].z = (float)soak_range(&s->form, 1.0);
		m.positions[i] = rbl_add(m.positions[i], (rbl_vec3){ x, y, 0.0f });
	}
	return m;
}

static void add(storm *s)
{
	if (s->body_count == MOST || s->steady->triangle_count > MOST_TRIANGLES)
		return;
	reference_mesh m = make_form(s);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = m.vertex_count, def.positions = m.positions;
	def.triangle_count = m.triangle_count, def.triangles = m.triangles;
	rbl_surface_body_id body, other;
	threaten(s);
	rbl_result result = rbl_surface_add(s->surface, &def, &body);
	if (settle(s, ADD, result)) {
		CHECK(s->t, result == RBL_OK && rbl_surface_add(s->steady, &def, &other) == RBL_OK);
		CHECK(s->t, body.index == other.index && body.generation == other.generation);
		s->bodies[s->body_count++] = body;
	} else {
		CHECK(s->t, body.index == 0 && body.generation == 0);
	}
	reference_mesh_free(&m);
}

static void remove_body(storm *s)
{
	if (s->body_count == 0)
		return;
	int index = below(s, s->body_count);
	atomic_store(&s->memory.allowed, 0); // it needs none
	CHECK(s->t, rbl_surface_remove(s->surface, s->bodies[index]) == RBL_OK);
	faulty_rest(&s->memory);
	CHECK(s->t, rbl_surface_remove(s->steady, s->bodies[index]) == RBL_OK);
	s->bodies[index] = s->bodies[--s->body_count];
}

// By a plane or anyhow; some triangles go, and some come, with vertices of their own or without.
static void split(storm *s)
{
	enum { PIECES = 4, NEW = 3 };
	if (s->body_count == 0 || s->body_count + PIECES > MOST ||
	    s->steady->triangle_count > MOST_TRIANGLES)
		return;
	int index = below(s, s->body_count), fresh[3 * NEW], fresh_labels[NEW];
	rbl_surface_body_data data = rbl_surface_body_get_data(s->steady, s->bodies[index]);
	rbl_surface_split_def def = rbl_default_surface_split_def();
	rbl_vec3 positions[NEW];
	int most = data.triangle_count < PIECES ? data.triangle_count : PIECES;
	def.piece_count = 1 + below(s, most);
	int *labels = malloc((size_t)data.triangle_count * sizeof *labels);
	bool in_runs = below(s, 2), loses = below(s, 3) == 0;
	for (int i = 0; i < data.triangle_count; ++i)
		labels[i] =
			i < def.piece_count ? i // each has one
			: loses && below(s, 8) == 0
				? -1
				: (in_runs ? i * def.piece_count / data.triangle_count : below(s, def.piece_count));
	def.vertex_count = below(s, NEW + 1);
	for (int i = 0; i < def.vertex_count; ++i)
		positions[i] = rbl_to_f(soak_any_vector(&s->form, 1.5));
	def.triangle_count = data.vertex_count >= 3 ? below(s, NEW + 1) : 0;
	for (int i = 0; i < 3 * def.triangle_count; ++i) {
		bool is_new = i % 3 < def.vertex_count && below(s, 3) == 0;
		fresh[i] = is_new ? -1 - i % 3
		                  : data.vertices[(below(s, data.vertex_count / 3) +
		                                   i % 3 * (data.vertex_count / 3)) %
		                                  data.vertex_count];
		fresh_labels[i / 3] = below(s, def.piece_count);
	}
	def.labels = labels, def.positions = positions;
	def.triangles = fresh, def.triangle_labels = fresh_labels;
	rbl_surface_body_id pieces[PIECES], others[PIECES];
	threaten(s);
	rbl_result result = rbl_surface_split(s->surface, s->bodies[index], &def, pieces);
	if (settle(s, SPLIT, result)) {
		CHECK(s->t, rbl_surface_split(s->steady, s->bodies[index], &def, others) == result);
		for (int i = 0; result == RBL_OK && i < def.piece_count; ++i) {
			CHECK(s->t, memcmp(&pieces[i], &others[i], sizeof pieces[i]) == 0);
			if (i > 0)
				s->bodies[s->body_count++] = pieces[i];
		}
	}
	free(labels);
}

static void merge(storm *s)
{
	if (s->body_count < 2)
		return;
	enum { WELDS = 3 };
	int count = 2 + (s->body_count > 2 && below(s, 2)), first = below(s, s->body_count - count + 1);
	int welds[2 * WELDS], weld_count = below(s, WELDS + 1);
	for (int i = 0; i < 2 * weld_count; ++i) {
		rbl_surface_body_data data =
			rbl_surface_body_get_data(s->steady, s->bodies[first + i % 2 * (count - 1)]);
		welds[i] = data.vertices[below(s, data.vertex_count)];
	}
	threaten(s);
	rbl_result result = rbl_surface_merge(s->surface, s->bodies + first, count, welds, weld_count);
	if (!settle(s, MERGE, result))
		return;
	CHECK(s->t,
	      rbl_surface_merge(s->steady, s->bodies + first, count, welds, weld_count) == result);
	for (int i = first + count; result == RBL_OK && i < s->body_count; ++i)
		s->bodies[i - count + 1] = s->bodies[i];
	s->body_count -= result == RBL_OK ? count - 1 : 0;
}

static void shift(storm *s, places *p)
{
	int kind = below(s, 4);
	if (kind == 0)
		soak_creep(p, 0.02);
	else if (kind == 1)
		soak_deform(&s->form, p, below(s, 6));
	else
		soak_fly(&s->form, p);
}

static void move(storm *s)
{
	if (s->body_count == 0)
		return;
	rbl_surface_body_id body = s->bodies[below(s, s->body_count)];
	places p = soak_places_of(&s->form, body), start = soak_places_of(&s->form, body);
	bool has_start = below(s, 8) == 0;
	shift(s, &p);
	shift(s, &start);
	const rbl_vec3 *from = has_start ? start.at : NULL;
	CHECK(s->t, rbl_surface_move(s->surface, body, from, p.at) == RBL_OK);
	CHECK(s->t, rbl_surface_move(s->steady, body, from, p.at) == RBL_OK);
	free(p.at);
	free(start.at);
}

static void move_vertices(storm *s)
{
	if (s->body_count == 0)
		return;
	rbl_surface_body_id body = s->bodies[below(s, s->body_count)];
	places p = soak_places_of(&s->form, body);
	int ids[3], count = 0;
	for (int i = 0; i < 3; ++i) {
		int place = below(s, p.count);
		if (s->steady->anchors[p.ids[place]] < 0)
			continue;
		ids[count] = p.ids[place];
		p.at[count++] = rbl_to_f(soak_any_vector(&s->form, 1.5));
	}
	CHECK(s->t, rbl_surface_move_vertices(s->surface, body, ids, count, p.at) == RBL_OK);
	CHECK(s->t, rbl_surface_move_vertices(s->steady, body, ids, count, p.at) == RBL_OK);
	free(p.at);
}

// All of them, each on its way.
static void move_all(storm *s)
{
	int count = 0, at = 0;
	for (int i = 0; i < s->body_count; ++i)
		count += rbl_surface_body_get_data(s->steady, s->bodies[i]).vertex_count;
	rbl_vec3 *ends = malloc((size_t)(count + 1) * sizeof *ends);
	for (int i = 0; i < s->body_count; ++i) {
		places p = soak_places_of(&s->form, s->bodies[i]);
		shift(s, &p);
		memcpy(ends + at, p.at, (size_t)p.count * sizeof *ends);
		at += p.count;
		free(p.at);
	}
	threaten(s);
	rbl_result result = rbl_surface_move_bodies(s->surface, s->bodies, s->body_count, NULL, ends);
	if (settle(s, MOVE, result))
		CHECK(s->t,
		      rbl_surface_move_bodies(s->steady, s->bodies, s->body_count, NULL, ends) == result);
	free(ends);
}

static void count_parts(storm *s)
{
	if (s->body_count == 0)
		return;
	rbl_surface_body_id body = s->bodies[below(s, s->body_count)];
	int n = rbl_surface_body_get_data(s->steady, body).triangle_count, counts[2] = { -1, -1 };
	int *labels = calloc(2 * (size_t)n, sizeof *labels);
	threaten(s);
	if (settle(s, PARTS, rbl_surface_body_get_components(s->surface, body, labels, &counts[0]))) {
		CHECK(s->t,
		      rbl_surface_body_get_components(s->steady, body, labels + n, &counts[1]) == RBL_OK);
		CHECK(s->t, counts[0] == counts[1] &&
		                memcmp(labels, labels + n, (size_t)n * sizeof *labels) == 0);
	}
	free(labels);
}

static void change(storm *s)
{
	int kind = s->is_calm && s->body_count > 0 && below(s, 8) ? 15 : below(s, 20);
	if (kind < 7)
		add(s);
	else if (kind == 7)
		remove_body(s);
	else if (kind < 11)
		split(s);
	else if (kind == 11)
		merge(s);
	else if (kind < 14)
		move(s);
	else if (kind == 14)
		move_vertices(s);
	else if (kind < 18)
		move_all(s);
	else if (kind == 18)
		count_parts(s);
	else {
		static const rbl_surface_culling grades[4] = { RBL_CULL_EXACT, RBL_CULL_EXACT,
			                                           RBL_CULL_NONE, RBL_CULL_CONTOUR };
		rbl_surface_culling grade = grades[below(s, 4)];
		CHECK(s->t, rbl_surface_set_comparison_culling(s->surface, grade) == RBL_OK);
		CHECK(s->t, rbl_surface_set_comparison_culling(s->steady, grade) == RBL_OK);
	}
}

// --- questions ----------------------------------------------------------------------------------

// Until there is memory, or other calls come between. @return whether it was done
static bool update(storm *s)
{
	rbl_surface_motion motion = s->is_swept ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
	for (;;) {
		threaten(s);
		rbl_result result = rbl_surface_update(s->surface, motion);
		if (settle(s, UPDATE, result)) {
			CHECK(s->t, result == RBL_OK);
			break;
		}
		if (below(s, 4) == 0)
			return false;
	}
	CHECK(s->t, rbl_surface_update(s->steady, motion) == RBL_OK);
	s->is_resting = true;
	CHECK(s->t, reference_bounds(s->surface) == 0);
	return true;
}

static void collide(storm *s)
{
	rbl_surface_pairs pairs, other;
	for (;;) {
		threaten(s);
		rbl_result result = rbl_surface_collide(s->surface, &pairs);
		if (settle(s, COLLIDE, result)) {
			CHECK(s->t, result == RBL_OK);
			break;
		}
		CHECK(s->t, pairs.count == 0);
		if (below(s, 4) == 0)
			return;
	}
	CHECK(s->t, rbl_surface_collide(s->steady, &other) == RBL_OK);
	CHECK(s->t, pairs.count == other.count);
	CHECK(s->t, reference_check_pairs(s->surface, pairs) == 0);
	s->pairs += pairs.count;
}

static void sweep(storm *s)
{
	rbl_surface_hits hits, other;
	for (;;) {
		threaten(s);
		rbl_result result = rbl_surface_sweep(s->surface, &hits);
		if (settle(s, SWEEP, result)) {
			CHECK(s->t, result == RBL_OK);
			break;
		}
		CHECK(s->t, hits.count == 0);
		if (below(s, 4) == 0)
			return;
	}
	CHECK(s->t, rbl_surface_sweep(s->steady, &other) == RBL_OK);
	CHECK(s->t, reference_check_hits(s->surface, hits) == 0);
	s->hits += hits.count;
}

static void ask(storm *s)
{
	if (below(s, 5) == 0)
		s->is_swept = !s->is_swept;
	if (!update(s))
		return;
	if (s->is_swept)
		sweep(s);
	else
		collide(s);
}

// --- storms -------------------------------------------------------------------------------------

static void open_storm(storm *s, test *t, uint64_t seed, rbl_jobs *jobs)
{
	*s = (storm){ .t = t, .is_calm = seed % 4 == 1, .is_resting = true };
	s->form = (soak){ .t = t, .random = rbl_random_from_seed(seed), .fineness = 1 };
	faulty_init(&s->memory, LLONG_MAX / 2);
	rbl_surface_def def = rbl_default_surface_def();
	def.certificate_share = seed % 3 == 0 ? 1.0f : 0.125f;
	def.restructuring = seed % 4 == 0 ? RBL_RESTRUCTURE_ALL : RBL_RESTRUCTURE_COST;
	def.builder = (rbl_surface_builder)(seed / 4 % RBL_SURFACE_BUILDER_COUNT);
	CHECK(t, rbl_surface_create_comparison(&def, &s->steady) == RBL_OK);
	def.allocator = FAULTY(&s->memory);
	def.jobs = jobs;
	CHECK(t, rbl_surface_create_comparison(&def, &s->surface) == RBL_OK);
	if (jobs != NULL)
		rbl_surface_always_share(s->surface);
	rbl_surface_always_keep_corners(s->surface, seed % 2 == 0);
	s->surface->limits.bent_triangles = s->steady->limits.bent_triangles =
		seed % 5 == 0 ? 0 : RBL_SURFACE_BENT_TRIANGLES;
	s->form.surface = s->steady;
}

static void close_storm(storm *s)
{
	rbl_destroy_surface(s->surface);
	rbl_destroy_surface(s->steady);
	CHECK(s->t, s->memory.live_bytes == 0 && s->memory.live_count == 0);
}

static void blow(test *t, int seeds, rbl_jobs *jobs)
{
	const char *text = getenv("RBL_STORM_FIRST");
	int first = text ? atoi(text) : 0;
	text = getenv("RBL_STORM_COUNT");
	seeds = text && atoi(text) < seeds - first ? first + atoi(text) : seeds;
	int done[CALL_COUNT] = { 0 }, failed[CALL_COUNT] = { 0 }, pairs = 0, hits = 0, kept = 0;
	for (int seed = first; seed < seeds; ++seed) {
		static storm s;
		int failures = t->failures;
		open_storm(&s, t, (uint64_t)seed, jobs);
		for (int step = 0; step < (s.is_calm ? 2 * STEPS : STEPS); ++step) {
			for (int i = 1 + below(&s, 3); i > 0; --i) {
				change(&s);
				compare(&s);
			}
			ask(&s);
		}
		pairs += s.pairs, hits += s.hits, kept += s.kept;
		for (int i = 0; i < CALL_COUNT; ++i)
			done[i] += s.done[i], failed[i] += s.failed[i];
		close_storm(&s);
		if (t->failures > failures)
			printf("seed %d\n", seed);
	}
	int count = seeds - first;
	bool is_long = count >= 10; // or chance decides
	for (int i = 0; i < CALL_COUNT; ++i) {
		printf("%d done and %d failed, ", done[i], failed[i]);
		CHECK(t, !is_long || done[i] > 0);
		CHECK(t, !is_long || failed[i] > 0 || i == MOVE); // scratch memory mostly suffices
	}
	printf("%d without what they asked for; %d pairs, %d hits\n", kept, pairs, hits);
	CHECK(t, !is_long || (pairs > 20 * count && hits > 20 * count && kept > 0));
}

static void failed_allocations_change_nothing(test *t)
{
	blow(t, test_count(40, 20000), NULL);
}

static void failed_allocations_change_nothing_among_workers(test *t)
{
	rbl_jobs *jobs = create_pool(3);
	blow(t, test_count(10, 2000), jobs);
	rbl_destroy_jobs(jobs);
}

TEST_MAIN(TEST(failed_allocations_change_nothing),
          TEST(failed_allocations_change_nothing_among_workers))
