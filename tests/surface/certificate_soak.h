// SPDX-License-Identifier: MIT
// A surface under attack: forms, motions and calls that are chosen to make a certificate outlive
// its truth. Tests bring the reference.
#pragma once

#include "surface/reference.h"

#include "base/axis.h"
#include "base/math.h"
#include "surface/certificate.h"

#include "faulty_allocator.h"

#include <rubble/jobs.h>
#include <rubble/surface.h>

enum { MAX_BODIES = 6 };

// A surface under attack.
typedef struct soak {
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
	int (*reference)(struct soak *s, bool is_swept, rbl_surface_pairs pairs, rbl_surface_hits hits);
} soak;

static inline int soak_below(soak *s, int count)
{
	return (int)rbl_random_below(&s->random, (uint32_t)count);
}

static inline double soak_range(soak *s, double size)
{
	return rbl_random_range(&s->random, -size, size);
}

static inline rbl_vec3d soak_any_vector(soak *s, double size)
{
	double x = soak_range(s, size), y = soak_range(s, size), z = soak_range(s, size);
	return (rbl_vec3d){ x, y, z };
}

/// Distances that add up over some dozens of steps, for triangles of a size.
static inline double soak_pace(const soak *s, double by)
{
	return s->fineness > 1 ? 1.6 * by / s->fineness : by;
}

// --- forms --------------------------------------------------------------------------------------

// A list of neighbours, with a thin tube or a thick one.
static inline reference_mesh soak_make_ring(soak *s)
{
	int columns = s->fineness * (5 + soak_below(s, 4)), rows = s->fineness * (4 + soak_below(s, 2));
	reference_mesh m = reference_torus(columns, rows);
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
static inline reference_mesh soak_make_ball(soak *s, double roughness)
{
	int columns = s->fineness * (5 + soak_below(s, 3)), rows = s->fineness * (3 + soak_below(s, 2));
	reference_mesh m = { .vertex_count = rows * columns + 2, .triangle_count = 2 * rows * columns };
	m.positions = malloc((size_t)m.vertex_count * sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	int south = rows * columns, north = south + 1, *t = m.triangles;
	for (int i = 0; i < m.vertex_count; ++i) {
		double row = i == south ? 0.0 : i == north ? rows + 1.0 : 1.0 + (double)(i / columns);
		double angle = 3.14159265358979 * row / (rows + 1), r = 1.0 + soak_range(s, roughness);
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
static inline void soak_spoil(soak *s, reference_mesh *m)
{
	int kind = soak_below(s, 10), one = soak_below(s, m->vertex_count),
		other = soak_below(s, m->vertex_count);
	// Layers at about the distance that a certificate leaves as margin.
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
	for (int i = 0; kind == 5 && i < 3;
	     ++i) { // triangles with other corners: fins and non-manifold edges
		int *t = m->triangles + 3 * soak_below(s, m->triangle_count),
			corner = soak_below(s, m->vertex_count);
		if (t[1] != corner && t[2] != corner)
			t[0] = corner;
	}
	if (kind == 6) // one triangle twice
		memcpy(m->triangles, m->triangles + 3 * soak_below(s, m->triangle_count), 3 * sizeof(int));
	if (soak_below(s, 4) == 0) {
		static const double offsets[4] = { 30.0, 1e3, 1e4, 3e5 };
		rbl_vec3d by = soak_any_vector(s, offsets[soak_below(s, s->fineness > 1 ? 3 : 4)]);
		for (int i = 0; i < m->vertex_count; ++i)
			m->positions[i] = rbl_to_f(rbl_add_d(rbl_to_d(m->positions[i]), by));
	}
}

/// A sheet in layers that lie on each other, or nearly.
static inline reference_mesh soak_make_folds(soak *s)
{
	int width = s->fineness * (4 + soak_below(s, 3)), height = s->fineness * (3 + soak_below(s, 2));
	int layers = 1 + soak_below(s, 4);
	double gap = (1 + soak_below(s, 4)) * rbl_random_range(&s->random, 0.05, 0.5) / s->fineness;
	reference_mesh m = reference_sheet(width, height);
	for (int i = 0; i < m.vertex_count; ++i) {
		rbl_vec3 *p = &m.positions[i];
		double u = layers * (double)p->x / width, inner = u - floor(u);
		bool is_back = (int)floor(u) % 2;
		*p = (rbl_vec3){ (float)(4.0 * (is_back ? 1.0 - inner : inner) / layers),
			             p->y / (float)s->fineness, (float)(gap * u) };
	}
	return m;
}

static inline reference_mesh soak_make_form(soak *s)
{
	int kind = soak_below(s, 6);
	if (s->fineness > 1 && kind > 2) {
		reference_mesh folds = soak_make_folds(s);
		if (soak_below(s, 4) == 0)
			soak_spoil(s, &folds);
		return folds;
	}
	reference_mesh m = kind < 2 ? soak_make_ball(s, kind * rbl_random_range(&s->random, 0.0, 0.5))
	                   : kind == 2 ? soak_make_ring(s)
	                   : kind == 3 ? reference_torus(5, 5)
	                               : reference_sheet(4 + soak_below(s, 3), 3 + soak_below(s, 2));
	if (kind == 3 || kind == 5)
		reference_crumple(&m, &s->random);
	if (soak_below(s, 2))
		soak_spoil(s, &m);
	return m;
}

static inline void soak_add_body(soak *s)
{
	if (s->body_count == MAX_BODIES || s->surface->triangle_count > s->most_triangles)
		return;
	reference_mesh m = soak_make_form(s);
	s->motions[s->body_count] = soak_below(s, 7);
	s->bodies[s->body_count++] = reference_add(s->t, s->surface, &m);
	reference_mesh_free(&m);
}

// A thin form whose layers close while it flies, and nothing else.
static inline void soak_add_layers(soak *s)
{
	reference_mesh m = soak_below(s, 2) ? soak_make_ball(s, 0.0) : soak_make_ring(s);
	float flat = (float)(rbl_random_range(&s->random, 0.01, 0.06) / s->fineness);
	flat *= s->fineness > 1 ? 3.0f : 1.0f; // or all of it is uncertain
	for (int i = 0; i < m.vertex_count; ++i)
		m.positions[i].z *= flat;
	s->motions[0] = soak_below(s, 4) ? 4 : 1;
	s->bodies[s->body_count++] = reference_add(s->t, s->surface, &m);
	reference_mesh_free(&m);
}

static inline void soak_drop_body(soak *s, int index)
{
	s->body_count--;
	s->bodies[index] = s->bodies[s->body_count];
	s->motions[index] = s->motions[s->body_count];
}

// --- motions ------------------------------------------------------------------------------------

typedef struct places {
	rbl_vec3 *at; // to be freed
	rbl_vec3d middle;
	const int *ids;
	int count;
} places;

static inline places soak_places_of(const soak *s, rbl_surface_body_id body)
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

static inline void soak_turn_places(places *p, rbl_vec3d axis, double angle, rbl_vec3d by)
{
	double c = rbl_cos(angle), sine = rbl_sin(angle);
	for (int i = 0; i < p->count; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_to_d(p->at[i]), p->middle), q = rbl_scale_d(c, d);
		q = rbl_add_scaled_d(q, sine, rbl_cross_d(axis, d));
		q = rbl_add_scaled_d(q, (1.0 - c) * rbl_dot_d(axis, d), axis);
		p->at[i] = rbl_to_f(rbl_add_d(rbl_add_d(q, by), p->middle));
	}
}

static inline void soak_fly(soak *s, places *p)
{
	static const double angles[4] = { 0.0, 0.05, 0.3, 1.5 };
	double angle = soak_range(s, angles[soak_below(s, s->fineness > 1 ? 3 : 4)]);
	if (soak_below(s, 40) == 0 && s->fineness == 1)
		angle = 3.1;
	soak_turn_places(p, rbl_normalize_d(soak_any_vector(s, 1.0)), angle, soak_any_vector(s, 0.1));
}

// Each vertex always the same way, by its id: what is too little for a step adds up.
static inline void soak_creep(places *p, double by)
{
	for (int i = 0; i < p->count; ++i) {
		rbl_random own = rbl_random_from_seed((uint64_t)p->ids[i]);
		rbl_vec3d translation = { rbl_random_range(&own, -by, by), rbl_random_range(&own, -by, by),
			                      rbl_random_range(&own, -by, by) };
		p->at[i] = rbl_to_f(rbl_add_d(rbl_to_d(p->at[i]), translation));
	}
}

// Each vertex against its normal: layers touch, the thin ones first.
static inline void soak_squeeze(const soak *s, rbl_surface_body_id body, places *p, double by)
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
static inline void soak_pull(places *p, int vertex, double share)
{
	rbl_vec3d at = rbl_to_d(p->at[vertex]);
	p->at[vertex] = rbl_to_f(rbl_add_scaled_d(at, share, rbl_sub_d(p->middle, at)));
}

static inline void soak_shear(soak *s, places *p)
{
	rbl_vec3d rows[3];
	static const double factors[8] = { 1.0, 1.0001, 0.999, 1.1, -1.0, 0.0, 2.0, 1e-3 };
	for (int k = 0; k < 3; ++k) {
		rows[k] = soak_below(s, 2) ? soak_any_vector(s, 0.01) : (rbl_vec3d){ 0.0, 0.0, 0.0 };
		rbl_set_axis_d(&rows[k], k, factors[soak_below(s, soak_below(s, 3) ? 4 : 8)]);
	}
	for (int i = 0; i < p->count; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_to_d(p->at[i]), p->middle);
		d = (rbl_vec3d){ rbl_dot_d(rows[0], d), rbl_dot_d(rows[1], d), rbl_dot_d(rows[2], d) };
		p->at[i] = rbl_to_f(rbl_add_d(d, p->middle));
	}
}

static inline void soak_shift_by_ulp(soak *s, places *p)
{
	rbl_vec3 *at = &p->at[soak_below(s, p->count)];
	int axis = (int)soak_below(s, 3);
	float towards = soak_below(s, 2) ? 1e30f : -1e30f;
	rbl_set_axis(at, axis, nextafterf(rbl_axis(*at, axis), towards));
}

static inline void soak_deform(soak *s, places *p, int kind)
{
	if (kind == 0)
		soak_shift_by_ulp(s, p);
	else if (kind == 1)
		soak_pull(p, soak_below(s, p->count), rbl_random_range(&s->random, 0.0, 2.5));
	else if (kind == 2)
		soak_shear(s, p);
	else if (kind == 3)
		soak_creep(p, rbl_random_range(&s->random, 0.0, 0.2) / s->fineness);
	else if (kind == 4)
		p->at[soak_below(s, p->count)] = p->at[soak_below(s, p->count)];
	else
		soak_pull(p, soak_below(s, p->count), soak_below(s, 2) ? 1.0 - 1e-6 : 1.0 + 1e-6);
}

static inline void soak_move_body(soak *s, int index)
{
	rbl_surface_body_id body = s->bodies[index];
	places p = soak_places_of(s, body), start = soak_places_of(s, body);
	int motion = s->motions[index];
	if (motion == 4 || motion == 5) // before it turns
		soak_squeeze(s, body, &p, soak_pace(s, motion == 4 ? 0.0004 : -0.0002));
	if (motion < 6)
		soak_fly(s, &p);
	if (motion == 1)
		soak_creep(&p, soak_pace(s, 0.0004));
	if (motion == 2)
		soak_pull(&p, s->fineness > 1 ? 1 : 0, soak_pace(s, 0.002));
	if (motion == 3)
		soak_creep(&p, soak_pace(s, 0.00005)), soak_pull(&p, p.count / 2, soak_pace(s, 0.0003));
	bool is_resting = motion == 6 && soak_below(s, 4) > 0; // mostly
	if (!s->is_calm && soak_below(s, 12) == 0)
		soak_deform(s, &p, soak_below(s, 6));
	int choice = s->is_calm ? 30 : soak_below(s, 30);
	if (is_resting) {
	} else if (choice == 0) { // from elsewhere
		soak_deform(s, &start, soak_below(s, 6));
		CHECK(s->t, rbl_surface_move(s->surface, body, start.at, p.at) == RBL_OK);
	} else if (choice == 1) { // elsewhere and back before anyone looks
		soak_deform(s, &start, soak_below(s, 6));
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, start.at) == RBL_OK);
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, p.at) == RBL_OK);
	} else if (choice == 2) { // refused
		start.at[0].x = NAN;
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, start.at) == RBL_BAD_ARGUMENT);
	} else {
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, p.at) == RBL_OK);
	}
	free(p.at);
	free(start.at);
}

static inline void soak_move_some(soak *s, int index)
{
	places p = soak_places_of(s, s->bodies[index]), q = soak_places_of(s, s->bodies[index]);
	int *ids = malloc((size_t)p.count * sizeof *ids), count = 0;
	soak_deform(s, &q, soak_below(s, 6));
	bool all = soak_below(s, 2);
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

// --- calls --------------------------------------------------------------------------------------

// By a plane, so that pieces are large; some triangles go, and new ones may come.
static inline void soak_split_body(soak *s, int index)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, s->bodies[index]);
	int seen[2] = { 0, 0 }, fresh[3], fresh_label;
	if (data.triangle_count > 4 * s->most_triangles || s->body_count == MAX_BODIES)
		return;
	places p = soak_places_of(s, s->bodies[index]);
	int *labels = malloc((size_t)data.triangle_count * sizeof *labels);
	double stripes = soak_below(s, 4) ? 0.0 : s->fineness * 4.0; // cracks everywhere
	rbl_vec3d normal = soak_any_vector(s, 1.0);
	double shift = soak_below(s, 2) ? 10.0 : soak_range(s, 0.5);
	int gone = soak_below(s, 2) ? soak_below(s, data.triangle_count) : -1;
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
	if (soak_below(s, 3) == 0 && p.count > 2) {
		for (int k = 0; k < 3; ++k)
			fresh[k] = p.ids[(soak_below(s, p.count / 3) + k * (p.count / 3)) % p.count];
		fresh_label = soak_below(s, def.piece_count);
		def.triangle_count = 1, def.triangles = fresh, def.triangle_labels = &fresh_label;
	}
	if (soak_below(s, 8) == 0)
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

static inline void soak_merge_bodies(soak *s)
{
	if (s->body_count < 2)
		return;
	int a = soak_below(s, s->body_count - 1), b = s->body_count - 1;
	rbl_surface_body_id both[2] = { s->bodies[a], s->bodies[b] };
	rbl_surface_body_data first = rbl_surface_body_get_data(s->surface, both[0]);
	rbl_surface_body_data second = rbl_surface_body_get_data(s->surface, both[1]);
	int weld[2] = { first.vertices[soak_below(s, first.vertex_count)],
		            second.vertices[soak_below(s, second.vertex_count)] };
	if (rbl_surface_merge(s->surface, both, 2, weld, soak_below(s, 2)) == RBL_OK)
		soak_drop_body(s, b);
}

static inline void soak_update(soak *s, bool is_swept)
{
	rbl_surface_motion motion = is_swept ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
	if (soak_below(s, 10) == 0) { // fails somewhere, and is called again
		atomic_store(&s->memory.allowed, soak_below(s, 6));
		rbl_result result = rbl_surface_update(s->surface, motion);
		atomic_store(&s->memory.allowed, 1LL << 60);
		if (result == RBL_OK)
			return;
		CHECK(s->t, result == RBL_OUT_OF_MEMORY);
	}
	CHECK(s->t, rbl_surface_update(s->surface, motion) == RBL_OK);
}

static inline rbl_result soak_query(soak *s, bool is_swept, rbl_surface_pairs *pairs,
                                    rbl_surface_hits *hits)
{
	return is_swept ? rbl_surface_sweep(s->surface, hits) : rbl_surface_collide(s->surface, pairs);
}

static inline void soak_ask(soak *s, bool is_swept)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0 };
	bool was_proven[MAX_BODIES];
	for (int i = 0; i < s->body_count; ++i)
		was_proven[i] = s->surface->bodies.data[s->bodies[i].index].self.is_certified;
	soak_update(s, is_swept);
	CHECK(s->t, reference_bounds(s->surface) == 0);
	if (soak_below(s, 16) == 0) {
		atomic_store(&s->memory.allowed, soak_below(s, 6));
		(void)soak_query(s, is_swept, &pairs, &hits);
		atomic_store(&s->memory.allowed, 1LL << 60);
	}
	CHECK(s->t, soak_query(s, is_swept, &pairs, &hits) == RBL_OK);
	int wrong = s->reference ? s->reference(s, is_swept, pairs, hits)
	            : is_swept   ? reference_check_hits(s->surface, hits)
	                         : reference_check_pairs(s->surface, pairs);
	CHECK(s->t, wrong == 0);
	s->found += pairs.count + hits.count;
	for (int i = 0; i < s->body_count; ++i) {
		const rbl_surface_body *body = &s->surface->bodies.data[s->bodies[i].index];
		s->proven += body->self.is_certified, s->stars += body->self.is_star;
		s->lost += was_proven[i] && !body->self.is_certified;
	}
}

static inline void soak_disturb(soak *s)
{
	int kind = soak_below(s, 12), index = soak_below(s, s->body_count);
	if (kind < 3 && soak_below(s, 3) == 0) // may find no memory
		atomic_store(&s->memory.allowed, soak_below(s, 12));
	if (kind == 0 || kind == 1)
		soak_split_body(s, index);
	else if (kind == 2)
		soak_merge_bodies(s);
	else if (kind == 3)
		soak_add_body(s);
	else if (kind == 4 && s->body_count > 1) {
		CHECK(s->t, rbl_surface_remove(s->surface, s->bodies[index]) == RBL_OK);
		soak_drop_body(s, index);
	} else if (kind == 5) // not tested
		soak_update(s, soak_below(s, 2));
	else if (kind == 6) { // under another grade for a while
		CHECK(s->t, rbl_surface_set_culling(s->surface, RBL_CULL_NONE) == RBL_OK);
		for (int i = 0; i < 2; ++i) {
			soak_move_some(s, index);
			soak_update(s, soak_below(s, 2));
		}
		CHECK(s->t, rbl_surface_set_culling(s->surface, RBL_CULL_EXACT) == RBL_OK);
	} else
		soak_move_some(s, index);
	atomic_store(&s->memory.allowed, 1LL << 60);
}

/// Steps in which bodies move, and all is queried.
/// @param calm  one step in so many disturbs a body, unless the soak is calm
/// @param kind  one query in so many is of the other kind, and so are those after it
static inline void soak_play(soak *s, int steps, int calm, int kind)
{
	bool is_swept = false;
	for (int step = 0; step < steps; ++step) {
		for (int i = 0; i < s->body_count; ++i)
			soak_move_body(s, i);
		if (!s->is_calm && soak_below(s, calm) == 0)
			soak_disturb(s);
		is_swept = soak_below(s, kind) ? is_swept : !is_swept;
		soak_ask(s, is_swept);
	}
}
