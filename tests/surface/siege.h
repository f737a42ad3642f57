// SPDX-License-Identifier: MIT
// A surface under attack: forms, motions and calls that are chosen to make a proof outlive its truth. Tests
// bring the judge.
#pragma once

#include "surface/judge.h"

#include "base/real.h"
#include "surface/rigid.h"

#include "faulty_allocator.h"

#include <rubble/jobs.h>
#include <rubble/surface.h>

enum { MAX_BODIES = 6 };

// A surface under attack.
typedef struct siege {
	test *t;
	rbl_random random;
	faulty_allocator memory;
	rbl_surface *surface;
	rbl_surface_body_id bodies[MAX_BODIES];
	int motions[MAX_BODIES]; // how each moves, mostly
	int body_count;
	bool is_calm; // bodies move as they do, and nothing else happens
	int fineness; // of forms: small ones have 1
	int most_triangles;
	int proven, stars, found, lost;
	/// @return what is wrong; brute force when this is NULL
	int (*judge)(struct siege *s, bool is_swept, rbl_surface_pairs pairs, rbl_surface_hits hits);
} siege;

static inline int siege_below(siege *s, int count)
{
	return (int)rbl_random_below(&s->random, (uint32_t)count);
}

static inline double siege_range(siege *s, double size)
{
	return rbl_random_range(&s->random, -size, size);
}

static inline rbl_vec3d siege_any_vector(siege *s, double size)
{
	double x = siege_range(s, size), y = siege_range(s, size), z = siege_range(s, size);
	return (rbl_vec3d){ x, y, z };
}

/// Distances that add up over some dozens of steps, for triangles of a size.
static inline double siege_pace(const siege *s, double by)
{
	return s->fineness > 1 ? 1.6 * by / s->fineness : by;
}

// --- forms -------------------------------------------------------------------------------------------

// A ring, with a thin tube or a thick one.
static inline judge_mesh siege_make_ring(siege *s)
{
	int columns = s->fineness * (5 + siege_below(s, 4)),
		rows = s->fineness * (4 + siege_below(s, 2));
	judge_mesh m = judge_torus(columns, rows);
	double tube = rbl_random_range(&s->random, 0.2, 0.9);
	for (int i = 0; i < m.vertex_count; ++i) {
		double u = 6.28318530717959 * (i % columns) / columns;
		double v = 6.28318530717959 * (double)(i / columns) / rows;
		double r = 1.0 + tube * rbl_cos(v);
		m.positions[i] = (rbl_vec3){ (float)(r * rbl_cos(u)), (float)(r * rbl_sin(u)),
			                         (float)(tube * rbl_sin(v)) };
	}
	return m;
}

// A closed ball.
static inline judge_mesh siege_make_ball(siege *s, double roughness)
{
	int columns = s->fineness * (5 + siege_below(s, 3)),
		rows = s->fineness * (3 + siege_below(s, 2));
	judge_mesh m = { .vertex_count = rows * columns + 2, .triangle_count = 2 * rows * columns };
	m.positions = malloc((size_t)m.vertex_count * sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	int south = rows * columns, north = south + 1, *t = m.triangles;
	for (int i = 0; i < m.vertex_count; ++i) {
		double row = i == south ? 0.0 : i == north ? rows + 1.0 : 1.0 + (double)(i / columns);
		double angle = 3.14159265358979 * row / (rows + 1), r = 1.0 + siege_range(s, roughness);
		double around = 6.28318530717959 * (i % columns) / columns;
		m.positions[i] = (rbl_vec3){ (float)(r * rbl_sin(angle) * rbl_cos(around)),
			                         (float)(r * rbl_sin(angle) * rbl_sin(around)),
			                         (float)(-r * rbl_cos(angle)) };
	}
	for (int k = 0; k < columns; ++k) {
		int next = (k + 1) % columns, last = (rows - 1) * columns;
		*t++ = south, *t++ = next, *t++ = k;
		*t++ = last + k, *t++ = last + next, *t++ = north;
		for (int row = 0; row + 1 < rows; ++row) {
			int a = row * columns + k, b = row * columns + next;
			*t++ = a, *t++ = b, *t++ = b + columns;
			*t++ = a, *t++ = b + columns, *t++ = a + columns;
		}
	}
	return m;
}

// Make a mesh worse: needles, equal places, everything in a plane, fins, inside out, far away.
static inline void siege_spoil(siege *s, judge_mesh *m)
{
	int kind = siege_below(s, 10), one = siege_below(s, m->vertex_count),
		other = siege_below(s, m->vertex_count);
	// Layers at about the distance that a proof leaves as slack.
	static const float flats[10] = {
		0.0f, 1e-4f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.01f, 0.03f, 0.1f
	};
	float flat = flats[kind];
	for (int i = 0; i < m->vertex_count; ++i) {
		m->positions[i].z *= flat;
		if (kind == 2)
			m->positions[i].x *= 1e-3f;
	}
	if (kind == 3)
		m->positions[one] = m->positions[other];
	for (int i = 0; kind == 4 && i < m->triangle_count; ++i) { // inside out, or some of it
		int *t = m->triangles + 3 * i, first = t[0];
		if (one % 2 || i % 7 == 0)
			t[0] = t[1], t[1] = first;
	}
	for (int i = 0; kind == 5 && i < 3; ++i) { // triangles with other corners: fins and tangles
		int *t = m->triangles + 3 * siege_below(s, m->triangle_count),
			corner = siege_below(s, m->vertex_count);
		if (t[1] != corner && t[2] != corner)
			t[0] = corner;
	}
	if (kind == 6) // one triangle twice
		memcpy(m->triangles, m->triangles + 3 * siege_below(s, m->triangle_count), 3 * sizeof(int));
	if (siege_below(s, 4) == 0) {
		static const double offsets[4] = { 30.0, 1e3, 1e4, 3e5 };
		rbl_vec3d by = siege_any_vector(s, offsets[siege_below(s, s->fineness > 1 ? 3 : 4)]);
		for (int i = 0; i < m->vertex_count; ++i)
			m->positions[i] = rbl_to_f(rbl_add_d(rbl_to_d(m->positions[i]), by));
	}
}

/// A sheet in layers that lie on each other, or nearly.
static inline judge_mesh siege_make_folds(siege *s)
{
	int width = s->fineness * (4 + siege_below(s, 3)),
		height = s->fineness * (3 + siege_below(s, 2));
	int layers = 1 + siege_below(s, 4);
	double gap = (1 + siege_below(s, 4)) * rbl_random_range(&s->random, 0.05, 0.5) / s->fineness;
	judge_mesh m = judge_sheet(width, height);
	for (int i = 0; i < m.vertex_count; ++i) {
		rbl_vec3 *p = &m.positions[i];
		double u = layers * (double)p->x / width, inner = u - floor(u);
		bool is_back = (int)floor(u) % 2;
		*p = (rbl_vec3){ (float)(4.0 * (is_back ? 1.0 - inner : inner) / layers),
			             p->y / (float)s->fineness, (float)(gap * u) };
	}
	return m;
}

static inline judge_mesh siege_make_form(siege *s)
{
	int kind = siege_below(s, 6);
	if (s->fineness > 1 && kind > 2) {
		judge_mesh folds = siege_make_folds(s);
		if (siege_below(s, 4) == 0)
			siege_spoil(s, &folds);
		return folds;
	}
	judge_mesh m = kind < 2    ? siege_make_ball(s, kind * rbl_random_range(&s->random, 0.0, 0.5))
	               : kind == 2 ? siege_make_ring(s)
	               : kind == 3 ? judge_torus(5, 5)
	                           : judge_sheet(4 + siege_below(s, 3), 3 + siege_below(s, 2));
	if (kind == 3 || kind == 5)
		judge_crumple(&m, &s->random);
	if (siege_below(s, 2))
		siege_spoil(s, &m);
	return m;
}

static inline void siege_add_body(siege *s)
{
	if (s->body_count == MAX_BODIES || s->surface->triangle_count > s->most_triangles)
		return;
	judge_mesh m = siege_make_form(s);
	s->motions[s->body_count] = siege_below(s, 7);
	s->bodies[s->body_count++] = judge_add(s->t, s->surface, &m);
	judge_mesh_free(&m);
}

// A thin form whose layers close while it flies, and nothing else.
static inline void siege_add_layers(siege *s)
{
	judge_mesh m = siege_below(s, 2) ? siege_make_ball(s, 0.0) : siege_make_ring(s);
	float flat = (float)(rbl_random_range(&s->random, 0.01, 0.06) / s->fineness);
	flat *= s->fineness > 1 ? 3.0f : 1.0f; // or all of it is in doubt
	for (int i = 0; i < m.vertex_count; ++i)
		m.positions[i].z *= flat;
	s->motions[0] = siege_below(s, 4) ? 4 : 1;
	s->bodies[s->body_count++] = judge_add(s->t, s->surface, &m);
	judge_mesh_free(&m);
}

static inline void siege_drop_body(siege *s, int index)
{
	s->body_count--;
	s->bodies[index] = s->bodies[s->body_count];
	s->motions[index] = s->motions[s->body_count];
}

// --- motions -----------------------------------------------------------------------------------------

typedef struct places {
	rbl_vec3 *at; // to be freed
	rbl_vec3d middle;
	const int *ids;
	int count;
} places;

static inline places siege_places_of(const siege *s, rbl_surface_body_id body)
{
	places p;
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, body);
	CHECK(s->t, data.vertex_count > 0);
	p.ids = data.vertices, p.count = data.vertex_count;
	p.at = malloc((size_t)p.count * sizeof *p.at);
	p.middle = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	for (int i = 0; i < p.count; ++i) {
		p.at[i] = rbl_surface_get_data(s->surface).ends[p.ids[i]];
		p.middle = rbl_add_scaled_d(p.middle, 1.0 / p.count, rbl_to_d(p.at[i]));
	}
	return p;
}

static inline void siege_turn_places(places *p, rbl_vec3d axis, double angle, rbl_vec3d by)
{
	double c = rbl_cos(angle), sine = rbl_sin(angle);
	for (int i = 0; i < p->count; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_to_d(p->at[i]), p->middle), q = rbl_scale_d(c, d);
		q = rbl_add_scaled_d(q, sine, rbl_cross_d(axis, d));
		q = rbl_add_scaled_d(q, (1.0 - c) * rbl_dot_d(axis, d), axis);
		p->at[i] = rbl_to_f(rbl_add_d(rbl_add_d(q, by), p->middle));
	}
}

static inline void siege_fly(siege *s, places *p)
{
	static const double angles[4] = { 0.0, 0.05, 0.3, 1.5 };
	double angle = siege_range(s, angles[siege_below(s, s->fineness > 1 ? 3 : 4)]);
	if (siege_below(s, 40) == 0 && s->fineness == 1)
		angle = 3.1;
	siege_turn_places(p, rbl_normalize_d(siege_any_vector(s, 1.0)), angle,
	                  siege_any_vector(s, 0.1));
}

// Each vertex always the same way, by its id: what is too little for a step adds up.
static inline void siege_creep(places *p, double by)
{
	for (int i = 0; i < p->count; ++i) {
		rbl_random own = rbl_random_from_seed((uint64_t)p->ids[i]);
		rbl_vec3d translation = { rbl_random_range(&own, -by, by), rbl_random_range(&own, -by, by),
			                      rbl_random_range(&own, -by, by) };
		p->at[i] = rbl_to_f(rbl_add_d(rbl_to_d(p->at[i]), translation));
	}
}

// Each vertex against its normal: layers meet, the thin ones first.
static inline void siege_squeeze(const siege *s, rbl_surface_body_id body, places *p, double by)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, body);
	rbl_vec3d *normals = malloc((size_t)s->surface->vertex_end * sizeof *normals);
	for (int i = 0; i < p->count; ++i)
		normals[p->ids[i]] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	for (int i = 0; i < data.triangle_count; ++i) {
		const int *v = s->surface->triangles + 3 * data.triangles[i];
		rbl_vec3d q[3];
		for (int k = 0; k < 3; ++k)
			q[k] = rbl_to_d(s->surface->positions[1][v[k]]);
		rbl_vec3d n = rbl_cross_d(rbl_sub_d(q[1], q[0]), rbl_sub_d(q[2], q[0]));
		for (int k = 0; k < 3; ++k)
			normals[v[k]] = rbl_add_d(normals[v[k]], rbl_normalize_d(n));
	}
	for (int i = 0; i < p->count; ++i)
		p->at[i] = rbl_to_f(
			rbl_add_scaled_d(rbl_to_d(p->at[i]), -by, rbl_normalize_d(normals[p->ids[i]])));
	free(normals);
}

// One vertex towards the middle, or past it: out of its star, through the other side.
static inline void siege_pull(places *p, int vertex, double share)
{
	rbl_vec3d at = rbl_to_d(p->at[vertex]);
	p->at[vertex] = rbl_to_f(rbl_add_scaled_d(at, share, rbl_sub_d(p->middle, at)));
}

static inline void siege_shear(siege *s, places *p)
{
	rbl_vec3d rows[3];
	static const double factors[8] = { 1.0, 1.0001, 0.999, 1.1, -1.0, 0.0, 2.0, 1e-3 };
	for (int k = 0; k < 3; ++k) {
		rows[k] = siege_below(s, 2) ? siege_any_vector(s, 0.01) : (rbl_vec3d){ 0.0, 0.0, 0.0 };
		(&rows[k].x)[k] = factors[siege_below(s, siege_below(s, 3) ? 4 : 8)];
	}
	for (int i = 0; i < p->count; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_to_d(p->at[i]), p->middle);
		d = (rbl_vec3d){ rbl_dot_d(rows[0], d), rbl_dot_d(rows[1], d), rbl_dot_d(rows[2], d) };
		p->at[i] = rbl_to_f(rbl_add_d(d, p->middle));
	}
}

static inline void siege_shift_by_ulp(siege *s, places *p)
{
	float *x = &p->at[siege_below(s, p->count)].x + siege_below(s, 3);
	*x = nextafterf(*x, siege_below(s, 2) ? 1e30f : -1e30f);
}

static inline void siege_deform(siege *s, places *p, int kind)
{
	if (kind == 0)
		siege_shift_by_ulp(s, p);
	else if (kind == 1)
		siege_pull(p, siege_below(s, p->count), rbl_random_range(&s->random, 0.0, 2.5));
	else if (kind == 2)
		siege_shear(s, p);
	else if (kind == 3)
		siege_creep(p, rbl_random_range(&s->random, 0.0, 0.2) / s->fineness);
	else if (kind == 4)
		p->at[siege_below(s, p->count)] = p->at[siege_below(s, p->count)];
	else
		siege_pull(p, siege_below(s, p->count), siege_below(s, 2) ? 1.0 - 1e-6 : 1.0 + 1e-6);
}

static inline void siege_move_body(siege *s, int index)
{
	rbl_surface_body_id body = s->bodies[index];
	places p = siege_places_of(s, body), start = siege_places_of(s, body);
	int motion = s->motions[index];
	if (motion == 4 || motion == 5) // before it turns
		siege_squeeze(s, body, &p, siege_pace(s, motion == 4 ? 0.0004 : -0.0002));
	if (motion < 6)
		siege_fly(s, &p);
	if (motion == 1)
		siege_creep(&p, siege_pace(s, 0.0004));
	if (motion == 2)
		siege_pull(&p, s->fineness > 1 ? 1 : 0, siege_pace(s, 0.002));
	if (motion == 3)
		siege_creep(&p, siege_pace(s, 0.00005)), siege_pull(&p, p.count / 2, siege_pace(s, 0.0003));
	bool is_resting = motion == 6 && siege_below(s, 4) > 0; // mostly
	if (!s->is_calm && siege_below(s, 12) == 0)
		siege_deform(s, &p, siege_below(s, 6));
	int translation = s->is_calm ? 30 : siege_below(s, 30);
	if (is_resting) {
	} else if (translation == 0) { // from elsewhere
		siege_deform(s, &start, siege_below(s, 6));
		CHECK(s->t, rbl_surface_move(s->surface, body, start.at, p.at) == RBL_OK);
	} else if (translation == 1) { // elsewhere and back before anyone looks
		siege_deform(s, &start, siege_below(s, 6));
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, start.at) == RBL_OK);
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, p.at) == RBL_OK);
	} else if (translation == 2) { // refused
		start.at[0].x = NAN;
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, start.at) == RBL_BAD_ARGUMENT);
	} else {
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, p.at) == RBL_OK);
	}
	free(p.at);
	free(start.at);
}

static inline void siege_move_some(siege *s, int index)
{
	places p = siege_places_of(s, s->bodies[index]), q = siege_places_of(s, s->bodies[index]);
	int *ids = malloc((size_t)p.count * sizeof *ids), count = 0;
	siege_deform(s, &q, siege_below(s, 6));
	bool all = siege_below(s, 2);
	for (int i = 0; i < p.count; ++i)
		if (s->surface->anchors[p.ids[i]] >= 0 &&
		    (all || q.at[i].x != p.at[i].x || q.at[i].y != p.at[i].y || q.at[i].z != p.at[i].z))
			ids[count] = p.ids[i], q.at[count++] = q.at[i];
	CHECK(s->t,
	      rbl_surface_move_vertices(s->surface, s->bodies[index], ids, count, q.at) == RBL_OK);
	free(p.at);
	free(q.at);
	free(ids);
}

// --- calls -------------------------------------------------------------------------------------------

// By a plane, so that pieces are large; some triangles go, and new ones may come.
static inline void siege_split_body(siege *s, int index)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, s->bodies[index]);
	int seen[2] = { 0, 0 }, fresh[3], fresh_label;
	if (data.triangle_count > 4 * s->most_triangles || s->body_count == MAX_BODIES)
		return;
	places p = siege_places_of(s, s->bodies[index]);
	int *labels = malloc((size_t)data.triangle_count * sizeof *labels);
	double stripes = siege_below(s, 4) ? 0.0 : s->fineness * 4.0; // cracks everywhere
	rbl_vec3d normal = siege_any_vector(s, 1.0);
	double shift = siege_below(s, 2) ? 10.0 : siege_range(s, 0.5);
	int gone = siege_below(s, 2) ? siege_below(s, data.triangle_count) : -1;
	for (int i = 0; i < data.triangle_count; ++i) {
		int v = s->surface->triangles[3 * data.triangles[i]];
		rbl_vec3d d = rbl_sub_d(rbl_to_d(s->surface->positions[1][v]), p.middle);
		double side = rbl_dot_d(normal, d);
		labels[i] = i == gone ? -1 : stripes > 0.0 ? (int)fabs(stripes * side) % 2 : side > shift;
		if (labels[i] >= 0)
			seen[labels[i]]++;
	}
	for (int i = 0; seen[0] == 0 && i < data.triangle_count; ++i)
		labels[i] = labels[i] > 0 ? 0 : labels[i];
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.labels = labels, def.piece_count = seen[0] > 0 && seen[1] > 0 ? 2 : 1;
	if (siege_below(s, 3) == 0 && p.count > 2) {
		for (int k = 0; k < 3; ++k)
			fresh[k] = p.ids[(siege_below(s, p.count / 3) + k * (p.count / 3)) % p.count];
		fresh_label = siege_below(s, def.piece_count);
		def.triangle_count = 1, def.triangles = fresh, def.triangle_labels = &fresh_label;
	}
	if (siege_below(s, 8) == 0)
		labels[0] = 7; // refused
	rbl_surface_body_id pieces[2];
	bool is_split = seen[0] + seen[1] > 0 &&
	                rbl_surface_split(s->surface, s->bodies[index], &def, pieces) == RBL_OK;
	free(p.at);
	free(labels);
	if (!is_split || def.piece_count == 1)
		return;
	s->motions[s->body_count] = s->motions[index];
	s->bodies[s->body_count++] = pieces[1];
}

static inline void siege_merge_bodies(siege *s)
{
	if (s->body_count < 2)
		return;
	int a = siege_below(s, s->body_count - 1), b = s->body_count - 1;
	rbl_surface_body_id both[2] = { s->bodies[a], s->bodies[b] };
	rbl_surface_body_data first = rbl_surface_body_get_data(s->surface, both[0]);
	rbl_surface_body_data second = rbl_surface_body_get_data(s->surface, both[1]);
	int weld[2] = { first.vertices[siege_below(s, first.vertex_count)],
		            second.vertices[siege_below(s, second.vertex_count)] };
	if (rbl_surface_merge(s->surface, both, 2, weld, siege_below(s, 2)) == RBL_OK)
		siege_drop_body(s, b);
}

static inline void siege_update(siege *s, bool is_swept)
{
	rbl_surface_motion motion = is_swept ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
	if (siege_below(s, 10) == 0) { // fails somewhere, and is called again
		atomic_store(&s->memory.allowed, siege_below(s, 6));
		rbl_result result = rbl_surface_update(s->surface, motion);
		atomic_store(&s->memory.allowed, 1LL << 60);
		if (result == RBL_OK)
			return;
		CHECK(s->t, result == RBL_OUT_OF_MEMORY);
	}
	CHECK(s->t, rbl_surface_update(s->surface, motion) == RBL_OK);
}

static inline rbl_result siege_query(siege *s, bool is_swept, rbl_surface_pairs *pairs,
                                     rbl_surface_hits *hits)
{
	return is_swept ? rbl_surface_sweep(s->surface, hits) : rbl_surface_collide(s->surface, pairs);
}

static inline void siege_ask(siege *s, bool is_swept)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0, 1.0f };
	bool was_proven[MAX_BODIES];
	for (int i = 0; i < s->body_count; ++i)
		was_proven[i] = s->surface->bodies.data[s->bodies[i].index].is_certified;
	siege_update(s, is_swept);
	CHECK(s->t, judge_bounds(s->surface) == 0);
	if (siege_below(s, 16) == 0) {
		atomic_store(&s->memory.allowed, siege_below(s, 6));
		(void)siege_query(s, is_swept, &pairs, &hits);
		atomic_store(&s->memory.allowed, 1LL << 60);
	}
	CHECK(s->t, siege_query(s, is_swept, &pairs, &hits) == RBL_OK);
	int wrong = s->judge   ? s->judge(s, is_swept, pairs, hits)
	            : is_swept ? judge_hits(s->surface, hits)
	                       : judge_pairs(s->surface, pairs);
	CHECK(s->t, wrong == 0);
	s->found += pairs.count + hits.count;
	for (int i = 0; i < s->body_count; ++i) {
		const rbl_surface_body *body = &s->surface->bodies.data[s->bodies[i].index];
		s->proven += body->is_certified, s->stars += body->is_star;
		s->lost += was_proven[i] && !body->is_certified;
	}
}

static inline void siege_disturb(siege *s)
{
	int kind = siege_below(s, 12), index = siege_below(s, s->body_count);
	if (kind < 3 && siege_below(s, 3) == 0) // may find no memory
		atomic_store(&s->memory.allowed, siege_below(s, 12));
	if (kind == 0 || kind == 1)
		siege_split_body(s, index);
	else if (kind == 2)
		siege_merge_bodies(s);
	else if (kind == 3)
		siege_add_body(s);
	else if (kind == 4 && s->body_count > 1) {
		CHECK(s->t, rbl_surface_remove(s->surface, s->bodies[index]) == RBL_OK);
		siege_drop_body(s, index);
	} else if (kind == 5) // not looked at
		siege_update(s, siege_below(s, 2));
	else if (kind == 6) { // under another grade for a while
		CHECK(s->t, rbl_surface_set_culling(s->surface, RBL_CULL_NONE) == RBL_OK);
		for (int i = 0; i < 2; ++i) {
			siege_move_some(s, index);
			siege_update(s, siege_below(s, 2));
		}
		CHECK(s->t, rbl_surface_set_culling(s->surface, RBL_CULL_EXACT) == RBL_OK);
	} else
		siege_move_some(s, index);
	atomic_store(&s->memory.allowed, 1LL << 60);
}

/// Steps in which bodies move, and all is asked for.
/// @param calm  one step in so many disturbs a body, unless the siege is calm
/// @param kind  one query in so many is of the other kind, and so are those after it
static inline void siege_play(siege *s, int steps, int calm, int kind)
{
	bool is_swept = false;
	for (int step = 0; step < steps; ++step) {
		for (int i = 0; i < s->body_count; ++i)
			siege_move_body(s, i);
		if (!s->is_calm && siege_below(s, calm) == 0)
			siege_disturb(s);
		is_swept = siege_below(s, kind) ? is_swept : !is_swept;
		siege_ask(s, is_swept);
	}
}
