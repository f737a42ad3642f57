// SPDX-License-Identifier: MIT
// Whole surfaces by calls that bytes choose: bodies on a small lattice, where much touches, that are moved,
// split, merged, welded and removed, between updates and queries of both kinds, and fly for some steps, so that
// certificates are made, used and lost; with workers and without; and input that must be
// refused: what is not finite, ids that are stale, corners that do not exist. Brute force checks the
// answers, and everything that must hold in trees and topology is tested.

#include "base/axis.h"
#include "surface/comparison.h"
#include "surface/reference.h"

#include "faulty_allocator.h"

#include <rubble/jobs.h>
#include <rubble/surface.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Small, so that many are tried in a second: brute force takes a square of it.
enum { MOST_BODIES = 4, MOST_TRIANGLES = 24, MOST_VERTICES = 20, MOST_ALL = 40, MOST_CHECKS = 1 };

typedef struct source {
	const uint8_t *data;
	size_t size, at;
} source;

typedef struct soak {
	source bytes;
	test t;
	faulty_allocator memory;
	rbl_surface *surface;
	rbl_surface_body_id bodies[MOST_BODIES];
	int body_count;
	rbl_surface_body_id stale;
	float scale;  // of the lattice
	bool is_near; // a thickness is prefetched: what is far larger cannot be decided
	int checks;   // by brute force, so far
	bool is_huge; // something is so far off that ways to it are not decided beyond 1e-29 of them
} soak;

static int take(soak *s, int bound)
{
	return s->bytes.at < s->bytes.size ? s->bytes.data[s->bytes.at++] % bound : 0;
}

static void demand(bool condition)
{
	if (!condition)
		abort();
}

// Mostly on the lattice.
static float take_coordinate(soak *s)
{
	static const float others[8] = { NAN, INFINITY, 1e30f, -3e38f, 1e-42f, 1e-20f, 1e7f, -0.0f };
	int byte = take(s, 256);
	if (byte >= 248 && take(s, 8) == 0 && (!s->is_near || byte < 250))
		return s->is_huge |= fabsf(others[byte - 248]) > 1e20f, others[byte - 248];
	return s->scale * (float)(byte % 16 - 8) * (byte < 128 ? 0.5f : 0.25f);
}

static rbl_vec3 take_point(soak *s)
{
	float x = take_coordinate(s), y = take_coordinate(s);
	return (rbl_vec3){ x, y, take_coordinate(s) };
}

static bool are_finite(const rbl_vec3 *points, int count)
{
	bool result = true;
	for (int i = 0; i < count; ++i)
		result &= rbl_is_finite(points[i]);
	return result;
}

static rbl_surface_body_id take_body(soak *s, int *index)
{
	*index = s->body_count ? take(s, s->body_count) : -1;
	return *index < 0 || take(s, 32) == 31 ? (*index = -1, s->stale) : s->bodies[*index];
}

// --- calls -------------------------------------------------------------------------------------------

// Two neighbours between two poles: a star, unless its vertices go elsewhere.
static reference_mesh make_ball(void)
{
	enum { AROUND = 6, ROWS = 2, RINGS = AROUND * ROWS };
	static const float neighbours[AROUND][2] = { { 2, 0 },  { 1, 2 },   { -1, 2 },
		                                         { -2, 0 }, { -1, -2 }, { 1, -2 } };
	reference_mesh m = { .vertex_count = RINGS + 2, .triangle_count = 2 * RINGS };
	m.positions = malloc((RINGS + 2) * sizeof *m.positions);
	m.triangles = malloc(6 * RINGS * sizeof *m.triangles);
	for (int i = 0; i < RINGS; ++i) {
		float size = i / AROUND == 1 ? 1.0f : 0.75f;
		m.positions[i] = (rbl_vec3){ size * neighbours[i % AROUND][0],
			                         size * neighbours[i % AROUND][1], (float)(i / AROUND) - 1.0f };
	}
	m.positions[RINGS] = (rbl_vec3){ 0.0f, 0.0f, -2.0f };
	m.positions[RINGS + 1] = (rbl_vec3){ 0.0f, 0.0f, 2.0f };
	for (int i = 0, *t = m.triangles; i < AROUND; ++i) {
		int j = (i + 1) % AROUND, last = RINGS - AROUND;
		*t++ = RINGS, *t++ = j, *t++ = i;
		*t++ = last + i, *t++ = last + j, *t++ = RINGS + 1;
		for (int a = i, b = j; a < last; a += AROUND, b += AROUND) {
			*t++ = a, *t++ = b, *t++ = b + AROUND;
			*t++ = a, *t++ = b + AROUND, *t++ = a + AROUND;
		}
	}
	return m;
}

// Sheets, closed neighbours, any triangles, or balls.
static void add(soak *s)
{
	int kind = take(s, 4), width = 3 + take(s, 2), height = kind == 1 ? 3 : 2 + take(s, 2);
	if (s->body_count == MOST_BODIES || s->surface->triangle_count > MOST_ALL - MOST_TRIANGLES)
		return;
	rbl_vec3 positions[MOST_VERTICES], rest[MOST_VERTICES];
	int triangles[3 * MOST_TRIANGLES];
	rbl_surface_body_def def = rbl_default_surface_body_def();
	reference_mesh mesh = kind == 3   ? make_ball()
	                      : kind == 1 ? reference_torus(width, height)
	                                  : reference_sheet(width, height);
	def.vertex_count = kind == 2 ? 3 + take(s, 10) : mesh.vertex_count;
	def.triangle_count = kind == 2 ? 1 + take(s, MOST_TRIANGLES) : mesh.triangle_count;
	int shaken = 4 << 2 * take(s, 4); // one in so many is elsewhere
	for (int i = 0; i < def.vertex_count; ++i)
		positions[i] = kind == 2 || take(s, shaken) == 0 ? take_point(s)
		                                                 : rbl_scale(s->scale, mesh.positions[i]);
	for (int i = 0; i < 3 * def.triangle_count; ++i)
		triangles[i] =
			kind == 2 ? take(s, def.vertex_count + (take(s, 64) == 63)) : mesh.triangles[i];
	def.positions = positions, def.triangles = triangles;
	bool is_good = are_finite(positions, def.vertex_count);
	if (take(s, 8) == 7) {
		for (int i = 0; i < def.vertex_count; ++i)
			rest[i] = take_point(s);
		def.rest_positions = rest;
		is_good &= are_finite(rest, def.vertex_count);
	}
	for (int i = 0; i < def.triangle_count; ++i) {
		const int *v = triangles + 3 * i;
		is_good &= v[0] < def.vertex_count && v[1] < def.vertex_count && v[2] < def.vertex_count;
		is_good &= v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
	}
	reference_mesh_free(&mesh);
	rbl_surface_body_id body;
	rbl_result result = rbl_surface_add(s->surface, &def, &body);
	demand(result == RBL_OUT_OF_MEMORY || result == (is_good ? RBL_OK : RBL_BAD_ARGUMENT));
	if (result == RBL_OK)
		s->bodies[s->body_count++] = body;
}

static void remove_body(soak *s)
{
	int index;
	rbl_surface_body_id body = take_body(s, &index);
	demand(rbl_surface_remove(s->surface, body) == (index < 0 ? RBL_STALE_ID : RBL_OK));
	if (index < 0)
		return;
	s->stale = body;
	s->bodies[index] = s->bodies[--s->body_count];
}

static void split(soak *s)
{
	int index, labels[4 * MOST_ALL], fresh[3 * 4], fresh_labels[4];
	rbl_surface_body_id body = take_body(s, &index), pieces[3];
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, body);
	rbl_vec3 positions[3];
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 1 + take(s, 3), def.vertex_count = take(s, 4),
	def.triangle_count = take(s, 5);
	if (s->body_count + 2 > MOST_BODIES || data.triangle_count > 4 * MOST_ALL)
		return;
	bool in_runs = take(s, 2); // or anywhere
	for (int i = 0; i < data.triangle_count; ++i) {
		int run = i * def.piece_count / data.triangle_count;
		labels[i] = in_runs && take(s, 8) ? run : take(s, def.piece_count + 1) - 1;
	}
	for (int i = 0; i < def.vertex_count; ++i)
		positions[i] = take_point(s);
	for (int i = 0; i < 3 * def.triangle_count; ++i) {
		int any = take(s, 64);
		bool is_new = any % 4 == 0 && def.vertex_count > 0;
		fresh[i] = is_new                  ? -1 - any % def.vertex_count
		           : data.vertex_count > 0 ? data.vertices[any % data.vertex_count]
		                                   : any;
		if (take(s, 64) == 63)
			fresh[i] = any - 32;
		fresh_labels[i / 3] = take(s, def.piece_count + (any == 63));
	}
	def.labels = labels, def.positions = positions;
	def.triangles = fresh, def.triangle_labels = fresh_labels;
	int count = s->surface->triangle_count;
	rbl_result result = rbl_surface_split(s->surface, body, &def, pieces);
	demand(result == RBL_OK || s->surface->triangle_count == count);
	demand(index >= 0 || result == RBL_STALE_ID || result == RBL_BAD_ARGUMENT);
	for (int i = 1; result == RBL_OK && i < def.piece_count; ++i)
		s->bodies[s->body_count++] = pieces[i];
}

static void merge(soak *s)
{
	rbl_surface_body_id both[2];
	int indices[2], welds[6], weld_count = take(s, 4);
	for (int i = 0; i < 2; ++i)
		both[i] = take_body(s, &indices[i]);
	int count = 1 + take(s, 2);
	for (int i = 0; i < 2 * weld_count; ++i) {
		rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, both[i % count]);
		int any = take(s, 64);
		welds[i] =
			any == 63 || data.vertex_count == 0 ? any : data.vertices[any % data.vertex_count];
	}
	rbl_result result = rbl_surface_merge(s->surface, both, count, welds, weld_count);
	if (result != RBL_OK || count == 1)
		return;
	s->stale = both[1];
	s->bodies[indices[1]] = s->bodies[--s->body_count];
}

// As a whole, by a turn of the lattice; or each vertex anywhere; or by so little that it adds up.
static void move(soak *s)
{
	int index, kind = take(s, 8);
	rbl_surface_body_id body = take_body(s, &index);
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, body);
	rbl_vec3 ends[4 * MOST_ALL], starts[4 * MOST_ALL];
	if (data.vertex_count > 4 * MOST_ALL)
		return;
	rbl_vec3 by = take_point(s);
	for (int i = 0; i < data.vertex_count; ++i) {
		rbl_vec3 p = rbl_surface_get_data(s->surface).ends[data.vertices[i]];
		starts[i] = p;
		if (kind == 0)
			p = take_point(s);
		if (kind == 1)
			p = (rbl_vec3){ -p.y, p.x, p.z };
		if (kind == 2 && take(s, 4) == 0)
			p = rbl_add(p, rbl_scale(0.01f, take_point(s)));
		if (kind == 3 && take(s, 2))
			starts[i] = take_point(s);
		ends[i] = rbl_add(p, rbl_scale(kind < 6 ? 0.25f : 0.0f, by));
	}
	const rbl_vec3 *start = kind == 3 ? starts : NULL;
	bool is_good =
		are_finite(ends, data.vertex_count) && (!start || are_finite(starts, data.vertex_count));
	rbl_result result = rbl_surface_move(s->surface, body, start, ends);
	demand(result == (index < 0 ? RBL_STALE_ID : is_good ? RBL_OK : RBL_BAD_ARGUMENT));
}

static void move_some(soak *s)
{
	int index, ids[4], count = take(s, 5);
	rbl_vec3 ends[4];
	rbl_surface_body_id body = take_body(s, &index);
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, body);
	for (int i = 0; i < count; ++i) {
		int any = take(s, 64);
		ids[i] = any == 63 || data.vertex_count == 0 ? any : data.vertices[any % data.vertex_count];
		ends[i] = take_point(s);
	}
	rbl_result result = rbl_surface_move_vertices(s->surface, body, ids, count, ends);
	demand(result == RBL_OK || result == RBL_BAD_ARGUMENT || (index < 0 && result == RBL_STALE_ID));
}

static bool misses_nothing(rbl_surface_culling culling)
{
	return culling == RBL_CULL_EXACT || culling == RBL_CULL_NONE || culling == RBL_CULL_CONTOUR;
}

static void ask(soak *s, bool is_swept, bool is_checked)
{
	bool is_short = take(s, 16) == 15;
	rbl_surface_pairs pairs;
	rbl_surface_hits hits;
	rbl_surface_motion motion = is_swept ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
	if (is_short)
		atomic_store(&s->memory.allowed, take(s, 16));
	rbl_result result = rbl_surface_update(s->surface, motion);
	if (result == RBL_OK)
		result = is_swept ? rbl_surface_sweep(s->surface, &hits)
		                  : rbl_surface_collide(s->surface, &pairs);
	atomic_store(&s->memory.allowed, 1LL << 60);
	demand(result == RBL_OK || (is_short && result == RBL_OUT_OF_MEMORY));
	if (result != RBL_OK) {
		demand(rbl_surface_update(s->surface, motion) == RBL_OK);
		demand((is_swept ? rbl_surface_sweep(s->surface, &hits)
		                 : rbl_surface_collide(s->surface, &pairs)) == RBL_OK);
	}
	if (!is_checked || s->checks++ >= MOST_CHECKS)
		return;
	demand(reference_bounds(s->surface) == 0);
	if (misses_nothing(s->surface->def.culling) && !(is_swept && s->is_huge))
		demand((is_swept ? reference_check_hits(s->surface, hits)
		                 : reference_check_pairs(s->surface, pairs)) == 0);
}

// A turn about an axis of the lattice, then by a way.
static rbl_vec3 flown(rbl_vec3 p, int axis, const float turn[2], rbl_vec3 by)
{
	int next = (axis + 1) % 3;
	float x = rbl_axis(p, axis), y = rbl_axis(p, next);
	rbl_set_axis(&p, axis, turn[0] * x - turn[1] * y);
	rbl_set_axis(&p, next, turn[1] * x + turn[0] * y);
	return rbl_add(p, by);
}

// Steps of rigid motion, of all bodies or of one, in which a vertex may creep away; a test each.
static void fly(soak *s)
{
	enum { MOST = 4 * MOST_ALL };
	static const float turns[4][2] = { { 1, 0 }, { 0.8f, 0.6f }, { 0.99875f, 0.05f }, { 0, 1 } };
	static const float creeps[4] = { 0.0f, 1e-5f, 1e-3f, 0.03f };
	int steps = 1 + take(s, 4), axis = take(s, 3), creeping = take(s, 8), count = 0;
	const float *turn = turns[take(s, 4)];
	bool is_swept = take(s, 2), is_alone = take(s, 2) && s->body_count > 0;
	float creep = s->scale * creeps[take(s, 4)];
	rbl_vec3 by = rbl_scale(0.0625f, take_point(s)), ends[MOST];
	int index = is_alone ? take(s, s->body_count) : 0;
	for (int step = 0; step < steps; ++step, count = 0) {
		rbl_surface_data all = rbl_surface_get_data(s->surface);
		for (int b = index; b < (is_alone ? index + 1 : s->body_count); ++b) {
			rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, s->bodies[b]);
			if (count + data.vertex_count > MOST)
				return;
			for (int i = 0; i < data.vertex_count; ++i, ++count) {
				ends[count] = flown(all.ends[data.vertices[i]], axis, turn, by);
				ends[count].x += i == creeping ? creep : 0.0f;
			}
		}
		bool is_good = are_finite(ends, count);
		rbl_result result =
			is_alone ? rbl_surface_move(s->surface, s->bodies[index], NULL, ends)
					 : rbl_surface_move_bodies(s->surface, s->bodies, s->body_count, NULL, ends);
		demand(result == (is_good ? RBL_OK : RBL_BAD_ARGUMENT));
		ask(s, is_swept, step + 1 == steps);
	}
}

static void call(soak *s)
{
	int kind = take(s, 20);
	if (kind < 3 && take(s, 16) == 15) // may find no memory
		atomic_store(&s->memory.allowed, take(s, 24));
	if (kind == 0)
		add(s);
	else if (kind == 1)
		split(s);
	else if (kind == 2)
		merge(s);
	else if (kind == 3)
		remove_body(s);
	else if (kind < 10)
		move(s);
	else if (kind < 12)
		move_some(s);
	else if (kind == 12)
		(void)rbl_surface_set_comparison_culling(
			s->surface, (rbl_surface_culling)take(s, RBL_COMPARISON_CULL_COUNT + 1));
	else if (kind == 13)
		(void)rbl_surface_update(s->surface, (rbl_surface_motion)take(s, 3));
	else if (kind < 16)
		fly(s);
	else
		ask(s, take(s, 2), true);
	atomic_store(&s->memory.allowed, 1LL << 60);
}

// Made once: threads take longer to make than a surface.
static rbl_jobs *workers(void)
{
	static rbl_jobs *jobs;
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = 2;
	if (!jobs)
		demand(rbl_create_jobs(&def, &jobs) == RBL_OK);
	return jobs;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { CALLS = 8 };
	static const float scales[4] = { 1.0f, 1e-3f, 1e6f, 0.1f };
	static const float thicknesses[4] = { 0.2f, 0.2f, 1e-3f, 1.5f };
	static const float shares[4] = { 0.125f, 1.0f, 1.0f, 0.0f };
	soak s = { .bytes = { data, size, 0 }, .t = { "fuzz", 0, 0, NULL } };
	faulty_init(&s.memory, 1LL << 60);
	s.scale = scales[take(&s, 4)];
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(&s.memory);
	def.culling =
		take(&s, 4) ? RBL_CULL_EXACT : (rbl_surface_culling)take(&s, RBL_COMPARISON_CULL_COUNT);
	def.restructuring = take(&s, 4) ? RBL_RESTRUCTURE_COST : RBL_RESTRUCTURE_ALL;
	def.builder = (rbl_surface_builder)take(&s, RBL_SURFACE_BUILDER_COUNT);
	s.is_near = take(&s, 8) == 7;
	def.thickness = s.is_near ? thicknesses[take(&s, 4)] * s.scale : 0.0f;
	def.certificate_share = shares[take(&s, 4)];
	bool is_shared = take(&s, 4) == 3;
	def.jobs = is_shared ? workers() : NULL;
	demand(rbl_surface_create_comparison(&def, &s.surface) == RBL_OK);
	if (is_shared)
		rbl_surface_always_share(s.surface);
	rbl_surface_always_keep_corners(s.surface, take(&s, 4) != 0);
	s.surface->limits.bent_triangles = take(&s, 2) ? 0 : RBL_SURFACE_BENT_TRIANGLES;
	add(&s);
	for (int i = 0; i < CALLS && s.bytes.at < size; ++i) {
		call(&s);
		demand(i % 4 != 3 || reference_check_surface(s.surface) == NULL);
	}
	demand(reference_check_surface(s.surface) == NULL);
	s.checks = 0;
	ask(&s, take(&s, 2), true);
	rbl_destroy_surface(s.surface);
	demand(s.memory.live_bytes == 0 && s.t.failures == 0);
	return 0;
}
