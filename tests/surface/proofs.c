// SPDX-License-Identifier: MIT
// ctest: threads soak
// Whatever happens to bodies about which something is proven, nothing is missed: forms, motions and calls
// that are chosen to make a proof outlive its truth, against brute force.

#include "surface/judge.h"

#include "base/real.h"
#include "surface/rigid.h"

#include "faulty_allocator.h"

#include <rubble/jobs.h>
#include <rubble/surface.h>

enum { MAX_BODIES = 6, MOST_TRIANGLES = 260, MOST_VERTICES = 800 };

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
	int proven, stars, found, lost;
} siege;

static int below(siege *s, int count)
{
	return (int)rbl_random_below(&s->random, (uint32_t)count);
}

static double range(siege *s, double size)
{
	return rbl_random_range(&s->random, -size, size);
}

static rbl_vec3d any_vector(siege *s, double size)
{
	double x = range(s, size), y = range(s, size), z = range(s, size);
	return (rbl_vec3d){ x, y, z };
}

// --- forms -------------------------------------------------------------------------------------------

// A ring, with a thin tube or a thick one.
static judge_mesh make_ring(siege *s)
{
	int columns = 5 + below(s, 4), rows = 4 + below(s, 2);
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
static judge_mesh make_ball(siege *s, double roughness)
{
	int columns = 5 + below(s, 3), rows = 3 + below(s, 2);
	judge_mesh m = { .vertex_count = rows * columns + 2, .triangle_count = 2 * rows * columns };
	m.positions = malloc((size_t)m.vertex_count * sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	int south = rows * columns, north = south + 1, *t = m.triangles;
	for (int i = 0; i < m.vertex_count; ++i) {
		double row = i == south ? 0.0 : i == north ? rows + 1.0 : 1.0 + (double)(i / columns);
		double angle = 3.14159265358979 * row / (rows + 1), r = 1.0 + range(s, roughness);
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
static void spoil(siege *s, judge_mesh *m)
{
	int kind = below(s, 10), one = below(s, m->vertex_count), other = below(s, m->vertex_count);
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
		int *t = m->triangles + 3 * below(s, m->triangle_count), corner = below(s, m->vertex_count);
		if (t[1] != corner && t[2] != corner)
			t[0] = corner;
	}
	if (kind == 6) // one triangle twice
		memcpy(m->triangles, m->triangles + 3 * below(s, m->triangle_count), 3 * sizeof(int));
	if (below(s, 4) == 0) {
		static const double offsets[4] = { 30.0, 1e3, 1e4, 3e5 };
		rbl_vec3d by = any_vector(s, offsets[below(s, 4)]);
		for (int i = 0; i < m->vertex_count; ++i)
			m->positions[i] = rbl_to_f(rbl_add_d(rbl_to_d(m->positions[i]), by));
	}
}

static judge_mesh make_form(siege *s)
{
	int kind = below(s, 6);
	judge_mesh m = kind < 2    ? make_ball(s, kind * rbl_random_range(&s->random, 0.0, 0.5))
	               : kind == 2 ? make_ring(s)
	               : kind == 3 ? judge_torus(5, 5)
	                           : judge_sheet(4 + below(s, 3), 3 + below(s, 2));
	if (kind == 3 || kind == 5)
		judge_crumple(&m, &s->random);
	if (below(s, 2))
		spoil(s, &m);
	return m;
}

static void add_body(siege *s)
{
	if (s->body_count == MAX_BODIES || s->surface->triangle_count > MOST_TRIANGLES)
		return;
	judge_mesh m = make_form(s);
	s->motions[s->body_count] = below(s, 7);
	s->bodies[s->body_count++] = judge_add(s->t, s->surface, &m);
	judge_mesh_free(&m);
}

// A thin form whose layers close while it flies, and nothing else.
static void add_layers(siege *s)
{
	judge_mesh m = below(s, 2) ? make_ball(s, 0.0) : make_ring(s);
	float flat = (float)rbl_random_range(&s->random, 0.01, 0.06);
	for (int i = 0; i < m.vertex_count; ++i)
		m.positions[i].z *= flat;
	s->motions[0] = below(s, 4) ? 4 : 1;
	s->bodies[s->body_count++] = judge_add(s->t, s->surface, &m);
	judge_mesh_free(&m);
}

static void drop_body(siege *s, int index)
{
	s->body_count--;
	s->bodies[index] = s->bodies[s->body_count];
	s->motions[index] = s->motions[s->body_count];
}

// --- motions -----------------------------------------------------------------------------------------

typedef struct places {
	rbl_vec3 at[MOST_VERTICES];
	rbl_vec3d middle;
	const int *ids;
	int count;
} places;

static places places_of(const siege *s, rbl_surface_body_id body)
{
	places p;
	rbl_surface_body_data data = rbl_surface_body_view(s->surface, body);
	CHECK(s->t, data.vertex_count > 0 && data.vertex_count <= MOST_VERTICES);
	p.ids = data.vertices, p.count = data.vertex_count;
	p.middle = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	for (int i = 0; i < p.count; ++i) {
		p.at[i] = rbl_surface_view(s->surface).ends[p.ids[i]];
		p.middle = rbl_add_scaled_d(p.middle, 1.0 / p.count, rbl_to_d(p.at[i]));
	}
	return p;
}

static void turn_places(places *p, rbl_vec3d axis, double angle, rbl_vec3d by)
{
	double c = rbl_cos(angle), sine = rbl_sin(angle);
	for (int i = 0; i < p->count; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_to_d(p->at[i]), p->middle), q = rbl_scale_d(c, d);
		q = rbl_add_scaled_d(q, sine, rbl_cross_d(axis, d));
		q = rbl_add_scaled_d(q, (1.0 - c) * rbl_dot_d(axis, d), axis);
		p->at[i] = rbl_to_f(rbl_add_d(rbl_add_d(q, by), p->middle));
	}
}

static void fly(siege *s, places *p)
{
	static const double angles[4] = { 0.0, 0.05, 0.3, 1.5 };
	double angle = range(s, angles[below(s, 4)]);
	if (below(s, 40) == 0)
		angle = 3.1;
	turn_places(p, rbl_normalize_d(any_vector(s, 1.0)), angle, any_vector(s, 0.1));
}

// Each vertex always the same way, by its id: what is too little for a step adds up.
static void creep(places *p, double by)
{
	for (int i = 0; i < p->count; ++i) {
		rbl_random own = rbl_random_from_seed((uint64_t)p->ids[i]);
		rbl_vec3d way = { rbl_random_range(&own, -by, by), rbl_random_range(&own, -by, by),
			              rbl_random_range(&own, -by, by) };
		p->at[i] = rbl_to_f(rbl_add_d(rbl_to_d(p->at[i]), way));
	}
}

// Each vertex against its normal: layers meet, the thin ones first.
static void squeeze(const siege *s, rbl_surface_body_id body, places *p, double by)
{
	rbl_surface_body_data data = rbl_surface_body_view(s->surface, body);
	static rbl_vec3d normals[16 * MOST_VERTICES];
	CHECK(s->t, s->surface->vertex_end <= 16 * MOST_VERTICES);
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
}

// One vertex towards the middle, or past it: out of its star, through the other side.
static void pull(places *p, int vertex, double share)
{
	rbl_vec3d at = rbl_to_d(p->at[vertex]);
	p->at[vertex] = rbl_to_f(rbl_add_scaled_d(at, share, rbl_sub_d(p->middle, at)));
}

static void shear(siege *s, places *p)
{
	rbl_vec3d rows[3];
	static const double factors[8] = { 1.0, 1.0001, 0.999, 1.1, -1.0, 0.0, 2.0, 1e-3 };
	for (int k = 0; k < 3; ++k) {
		rows[k] = below(s, 2) ? any_vector(s, 0.01) : (rbl_vec3d){ 0.0, 0.0, 0.0 };
		(&rows[k].x)[k] = factors[below(s, below(s, 3) ? 4 : 8)];
	}
	for (int i = 0; i < p->count; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_to_d(p->at[i]), p->middle);
		d = (rbl_vec3d){ rbl_dot_d(rows[0], d), rbl_dot_d(rows[1], d), rbl_dot_d(rows[2], d) };
		p->at[i] = rbl_to_f(rbl_add_d(d, p->middle));
	}
}

static void shift_by_ulp(siege *s, places *p)
{
	float *x = &p->at[below(s, p->count)].x + below(s, 3);
	*x = nextafterf(*x, below(s, 2) ? 1e30f : -1e30f);
}

static void deform(siege *s, places *p, int kind)
{
	if (kind == 0)
		shift_by_ulp(s, p);
	else if (kind == 1)
		pull(p, below(s, p->count), rbl_random_range(&s->random, 0.0, 2.5));
	else if (kind == 2)
		shear(s, p);
	else if (kind == 3)
		creep(p, rbl_random_range(&s->random, 0.0, 0.2));
	else if (kind == 4)
		p->at[below(s, p->count)] = p->at[below(s, p->count)];
	else
		pull(p, below(s, p->count), below(s, 2) ? 1.0 - 1e-6 : 1.0 + 1e-6);
}

static void move_body(siege *s, int index)
{
	rbl_surface_body_id body = s->bodies[index];
	places p = places_of(s, body), start = p;
	int motion = s->motions[index];
	if (motion == 4 || motion == 5) // before it turns
		squeeze(s, body, &p, motion == 4 ? 0.0004 : -0.0002);
	if (motion < 6)
		fly(s, &p);
	if (motion == 1)
		creep(&p, 0.0004);
	if (motion == 2)
		pull(&p, 0, 0.002);
	if (motion == 3)
		creep(&p, 0.00005), pull(&p, p.count / 2, 0.0003);
	if (motion == 6 && below(s, 4) > 0)
		return; // rests, mostly
	if (!s->is_calm && below(s, 12) == 0)
		deform(s, &p, below(s, 6));
	int way = s->is_calm ? 30 : below(s, 30);
	if (way == 0) { // from elsewhere
		deform(s, &start, below(s, 6));
		CHECK(s->t, rbl_surface_move(s->surface, body, start.at, p.at) == RBL_OK);
	} else if (way == 1) { // elsewhere and back before anyone looks
		deform(s, &start, below(s, 6));
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, start.at) == RBL_OK);
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, p.at) == RBL_OK);
	} else if (way == 2) { // refused
		start.at[0].x = NAN;
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, start.at) == RBL_BAD_ARGUMENT);
	} else {
		CHECK(s->t, rbl_surface_move(s->surface, body, NULL, p.at) == RBL_OK);
	}
}

static void move_some(siege *s, int index)
{
	places p = places_of(s, s->bodies[index]), q = p;
	int ids[MOST_VERTICES], count = 0;
	deform(s, &q, below(s, 6));
	bool all = below(s, 2);
	for (int i = 0; i < p.count; ++i)
		if (s->surface->anchors[p.ids[i]] >= 0 &&
		    (all || q.at[i].x != p.at[i].x || q.at[i].y != p.at[i].y || q.at[i].z != p.at[i].z))
			ids[count] = p.ids[i], q.at[count++] = q.at[i];
	CHECK(s->t,
	      rbl_surface_move_vertices(s->surface, s->bodies[index], ids, count, q.at) == RBL_OK);
}

// --- calls -------------------------------------------------------------------------------------------

// By a plane, so that pieces are large; some triangles go, and new ones may come.
static void split_body(siege *s, int index)
{
	places p = places_of(s, s->bodies[index]);
	rbl_surface_body_data data = rbl_surface_body_view(s->surface, s->bodies[index]);
	int labels[4 * MOST_TRIANGLES], seen[2] = { 0, 0 }, fresh[3], fresh_label;
	if (data.triangle_count > 4 * MOST_TRIANGLES || s->body_count == MAX_BODIES)
		return;
	rbl_vec3d normal = any_vector(s, 1.0);
	double shift = below(s, 2) ? 10.0 : range(s, 0.5);
	int gone = below(s, 2) ? below(s, data.triangle_count) : -1;
	for (int i = 0; i < data.triangle_count; ++i) {
		int v = s->surface->triangles[3 * data.triangles[i]];
		rbl_vec3d d = rbl_sub_d(rbl_to_d(s->surface->positions[1][v]), p.middle);
		labels[i] = i == gone ? -1 : rbl_dot_d(normal, d) > shift;
		if (labels[i] >= 0)
			seen[labels[i]]++;
	}
	for (int i = 0; seen[0] == 0 && i < data.triangle_count; ++i)
		labels[i] = labels[i] > 0 ? 0 : labels[i];
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.labels = labels, def.piece_count = seen[0] > 0 && seen[1] > 0 ? 2 : 1;
	if (below(s, 3) == 0 && p.count > 2) {
		for (int k = 0; k < 3; ++k)
			fresh[k] = p.ids[(below(s, p.count / 3) + k * (p.count / 3)) % p.count];
		fresh_label = below(s, def.piece_count);
		def.triangle_count = 1, def.triangles = fresh, def.triangle_labels = &fresh_label;
	}
	if (below(s, 8) == 0)
		labels[0] = 7; // refused
	rbl_surface_body_id pieces[2];
	if (seen[0] + seen[1] == 0 ||
	    rbl_surface_split(s->surface, s->bodies[index], &def, pieces) != RBL_OK ||
	    def.piece_count == 1)
		return;
	s->motions[s->body_count] = s->motions[index];
	s->bodies[s->body_count++] = pieces[1];
}

static void merge_bodies(siege *s)
{
	if (s->body_count < 2)
		return;
	int a = below(s, s->body_count - 1), b = s->body_count - 1;
	rbl_surface_body_id both[2] = { s->bodies[a], s->bodies[b] };
	rbl_surface_body_data first = rbl_surface_body_view(s->surface, both[0]);
	rbl_surface_body_data second = rbl_surface_body_view(s->surface, both[1]);
	int weld[2] = { first.vertices[below(s, first.vertex_count)],
		            second.vertices[below(s, second.vertex_count)] };
	if (rbl_surface_merge(s->surface, both, 2, weld, below(s, 2)) == RBL_OK)
		drop_body(s, b);
}

static void update(siege *s, bool is_swept)
{
	rbl_surface_motion motion = is_swept ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
	if (below(s, 10) == 0) { // fails somewhere, and is called again
		atomic_store(&s->memory.allowed, below(s, 6));
		rbl_result result = rbl_surface_update(s->surface, motion);
		atomic_store(&s->memory.allowed, 1LL << 60);
		if (result == RBL_OK)
			return;
		CHECK(s->t, result == RBL_OUT_OF_MEMORY);
	}
	CHECK(s->t, rbl_surface_update(s->surface, motion) == RBL_OK);
}

static rbl_result query(siege *s, bool is_swept, rbl_surface_pairs *pairs, rbl_surface_hits *hits)
{
	return is_swept ? rbl_surface_sweep(s->surface, hits) : rbl_surface_collide(s->surface, pairs);
}

static void ask(siege *s, bool is_swept)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0, 1.0f };
	bool was_proven[MAX_BODIES];
	for (int i = 0; i < s->body_count; ++i)
		was_proven[i] = s->surface->bodies.data[s->bodies[i].index].is_proven;
	update(s, is_swept);
	if (below(s, 16) == 0) {
		atomic_store(&s->memory.allowed, below(s, 6));
		(void)query(s, is_swept, &pairs, &hits);
		atomic_store(&s->memory.allowed, 1LL << 60);
	}
	CHECK(s->t, query(s, is_swept, &pairs, &hits) == RBL_OK);
	int wrong = is_swept ? judge_hits(s->surface, hits) : judge_pairs(s->surface, pairs);
	CHECK(s->t, wrong == 0);
	s->found += pairs.count + hits.count;
	for (int i = 0; i < s->body_count; ++i) {
		const rbl_surface_body *body = &s->surface->bodies.data[s->bodies[i].index];
		s->proven += body->is_proven, s->stars += body->is_star;
		s->lost += was_proven[i] && !body->is_proven;
	}
}

static void disturb(siege *s)
{
	int kind = below(s, 12), index = below(s, s->body_count);
	if (kind < 3 && below(s, 3) == 0) // may find no memory
		atomic_store(&s->memory.allowed, below(s, 12));
	if (kind == 0 || kind == 1)
		split_body(s, index);
	else if (kind == 2)
		merge_bodies(s);
	else if (kind == 3)
		add_body(s);
	else if (kind == 4 && s->body_count > 1) {
		CHECK(s->t, rbl_surface_remove(s->surface, s->bodies[index]) == RBL_OK);
		drop_body(s, index);
	} else if (kind == 5) // not looked at
		update(s, below(s, 2));
	else if (kind == 6) { // under another grade for a while
		CHECK(s->t, rbl_surface_set_culling(s->surface, RBL_CULL_NONE) == RBL_OK);
		for (int i = 0; i < 2; ++i) {
			move_some(s, index);
			update(s, below(s, 2));
		}
		CHECK(s->t, rbl_surface_set_culling(s->surface, RBL_CULL_EXACT) == RBL_OK);
	} else
		move_some(s, index);
	atomic_store(&s->memory.allowed, 1LL << 60);
}

static void attacked_bodies_equal_brute_force(test *t)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = 2;
	rbl_jobs *jobs;
	CHECK(t, rbl_create_jobs(&jobs_def, &jobs) == RBL_OK);
	int proven = 0, stars = 0, found = 0, lost = 0;
	for (int round = 0; round < test_count(40, 4000); ++round) {
		siege s = { .t = t, .random = rbl_random_from_seed((uint64_t)round + 4711) };
		faulty_init(&s.memory, 1LL << 60);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&s.memory);
		def.jobs = round % 2 ? jobs : NULL;
		def.restructuring = round % 5 ? RBL_RESTRUCTURE_COST : RBL_RESTRUCTURE_ALL;
		def.separation = round % 11 ? 0.0f : 0.02f;
		CHECK(t, rbl_create_surface(&def, &s.surface) == RBL_OK);
		s.is_calm = round % 3 == 2;
		if (s.is_calm)
			add_layers(&s);
		for (int i = 0; i < 1 + round % 3 && !s.is_calm; ++i)
			add_body(&s);
		bool is_swept = false;
		int calm = 4 + below(&s, 24), steps = s.is_calm ? 100 : round % 16 == 7 ? 300 : 30;
		for (int step = 0; step < steps; ++step) {
			for (int i = 0; i < s.body_count; ++i)
				move_body(&s, i);
			if (!s.is_calm && below(&s, calm) == 0)
				disturb(&s);
			is_swept = below(&s, 4) ? is_swept : !is_swept;
			ask(&s, is_swept);
		}
		proven += s.proven, stars += s.stars, found += s.found, lost += s.lost;
		rbl_destroy_surface(s.surface);
		CHECK(t, s.memory.live_bytes == 0);
	}
	CHECK(t, proven > 200 && stars > 100 && found > 1000 && lost > 20);
	rbl_destroy_jobs(jobs);
}

// --- proofs that could outlive what they say ---------------------------------------------------------

static void start_siege(siege *s, test *t, uint64_t seed)
{
	*s = (siege){ .t = t, .random = rbl_random_from_seed(seed) };
	faulty_init(&s->memory, 1LL << 60);
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(&s->memory);
	CHECK(t, rbl_create_surface(&def, &s->surface) == RBL_OK);
}

static void move_on(siege *s, double angle)
{
	for (int i = 0; i < s->body_count; ++i) {
		places p = places_of(s, s->bodies[i]);
		turn_places(&p, (rbl_vec3d){ 0.0, 0.6, 0.8 }, angle, (rbl_vec3d){ 0.01, 0.0, 0.0 });
		CHECK(s->t, rbl_surface_move(s->surface, s->bodies[i], NULL, p.at) == RBL_OK);
	}
}

// A body is proven, or a star; it is bent under another grade, which proves nothing, and rests.
static void other_grades_end_what_is_known(test *t)
{
	for (int kind = 0; kind < 4; ++kind) {
		siege s;
		start_siege(&s, t, 3);
		judge_mesh m = kind % 2 ? make_ball(&s, 0.0) : judge_sheet(5, 4);
		s.bodies[s.body_count++] = judge_add(t, s.surface, &m);
		judge_mesh_free(&m);
		const rbl_surface_body *body = &s.surface->bodies.data[s.bodies[0].index];
		for (int step = 0; step < (kind % 2 ? 1 : 4); ++step) {
			move_on(&s, 0.1);
			ask(&s, kind / 2);
		}
		CHECK(t, kind % 2 ? body->is_star : body->is_proven);
		CHECK(t, rbl_surface_set_culling(s.surface, RBL_CULL_NONE) == RBL_OK);
		places p = places_of(&s, s.bodies[0]);
		pull(&p, 8, 2.5);
		CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, p.at) == RBL_OK);
		ask(&s, kind / 2);
		ask(&s, kind / 2);
		CHECK(t, rbl_surface_set_culling(s.surface, RBL_CULL_EXACT) == RBL_OK);
		int before = s.found;
		ask(&s, kind / 2);
		CHECK(t, kind / 2 || s.found > before);
		rbl_destroy_surface(s.surface);
	}
}

// An update finds no memory at every place in turn, and is called again: what moved still moves.
static void updates_called_again_keep_the_motion(test *t)
{
	bool has_failed = true;
	int failures = 0;
	for (int n = 0; has_failed; ++n) {
		siege s;
		start_siege(&s, t, 5);
		for (int i = 0; i < 3; ++i) {
			judge_mesh m = judge_sheet(8, 8);
			for (int k = 0; k < m.vertex_count; ++k)
				m.positions[k].z = (float)(2 * i);
			s.bodies[s.body_count++] = judge_add(t, s.surface, &m);
			judge_mesh_free(&m);
		}
		ask(&s, true);
		s.surface->def.restructuring = RBL_RESTRUCTURE_ALL; // takes memory when bodies are fitted
		places p = places_of(&s, s.bodies[0]);              // through the others, and crumpled
		for (int k = 0; k < p.count; ++k)
			p.at[k] = (rbl_vec3){ p.at[k].y, (float)(k * 7 % 9), 5.0f - p.at[k].x };
		CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, p.at) == RBL_OK);
		rbl_vec3 start = rbl_surface_view(s.surface).starts[p.ids[1]];
		atomic_store(&s.memory.failed, false);
		atomic_store(&s.memory.allowed, n);
		rbl_result result = rbl_surface_update(s.surface, RBL_SURFACE_CONTINUOUS);
		has_failed = s.memory.failed;
		failures += result != RBL_OK;
		atomic_store(&s.memory.allowed, 1LL << 60);
		if (result != RBL_OK)
			CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		rbl_vec3 now = rbl_surface_view(s.surface).starts[p.ids[1]];
		CHECK(t, now.x == start.x && now.y == start.y && now.z == start.z);
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_sweep(s.surface, &hits) == RBL_OK);
		CHECK(t, judge_hits(s.surface, hits) == 0 && hits.count > 100);
		rbl_destroy_surface(s.surface);
	}
	CHECK(t, failures > 0);
}

TEST_MAIN(TEST(attacked_bodies_equal_brute_force), TEST(other_grades_end_what_is_known),
          TEST(updates_called_again_keep_the_motion))
