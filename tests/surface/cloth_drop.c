// SPDX-License-Identifier: MIT
// ctest: soak
// A cloth of 5 mm thickness falls on a ball, on a knife edge and on itself, held apart by the hits of
// the surface along their normals. The solver is the simplest that works: lengths of edges and
// separations of hits as constraints, solved one after the other (position based dynamics). In the
// end nothing lies through anything, and on the way hits equal brute force.

#include "surface/reference.h"

#include <rubble/surface.h>

enum {
	CELLS = 20,
	ROW = CELLS + 1,
	VERTICES = ROW * ROW,
	STEPS = 500,
	SOLVER_ROUNDS = 12,
	HIT_ROUNDS = 4,  // lists of hits in a step
	HOLD_ROUNDS = 8, // in which vertices stop that are still held wrongly
	MOST_LINKS = 6 * VERTICES,
	MOST_CONTACTS = 60000,
};

static const float THICKNESS = 0.005f, CELL = 0.015f, DT = 1.0f / 240.0f;

// Two vertices with a length that they keep, or do not fall short of.
typedef struct link {
	int a, b;
	float length;
	bool is_least;
} link;

// Where a hit wants its features to be apart.
typedef struct contact {
	int v[4];
	float weights[4];
	rbl_vec3 normal;
} contact;

typedef struct cloth {
	rbl_surface *surface;
	rbl_surface_body_id body;
	rbl_vec3 at[VERTICES], to[VERTICES], velocity[VERTICES];
	link links[MOST_LINKS];
	contact contacts[MOST_CONTACTS];
	bool is_touching[VERTICES];
	int link_count, contact_count;
	int64_t hit_count, compared_hits;
	int held_count;
	bool is_compared; // with brute force, which knows no filters
} cloth;

static void add_link(cloth *c, int x, int y, int dx, int dy, bool is_least)
{
	if (x + dx < 0 || x + dx > CELLS || y + dy > CELLS)
		return;
	float length = CELL * sqrtf((float)(dx * dx + dy * dy));
	c->links[c->link_count++] =
		(link){ y * ROW + x, (y + dy) * ROW + x + dx, is_least ? 0.7f * length : length, is_least };
}

// @param is_upright  stands on its edge, somewhat bent
static cloth *make_cloth(test *t, rbl_vec3 middle, bool is_upright)
{
	cloth *c = calloc(1, sizeof *c);
	rbl_surface_def def = rbl_default_surface_def();
	def.thickness = THICKNESS;
	CHECK(t, c && rbl_create_surface(&def, &c->surface) == RBL_OK);
	reference_mesh mesh = reference_sheet(CELLS, CELLS);
	for (int y = 0; y <= CELLS; ++y)
		for (int x = 0; x <= CELLS; ++x) {
			float u = CELL * ((float)x - 0.5f * CELLS), w = CELL * ((float)y - 0.5f * CELLS);
			float bend = 0.01f * (float)((y * y + 3 * x) % 7 - 3) / 3.0f;
			rbl_vec3 p = is_upright ? (rbl_vec3){ u, w, 0.2f * bend + 0.004f * (float)(y % 4) }
			                        : (rbl_vec3){ u, 0.05f * bend, -w };
			c->at[y * ROW + x] = rbl_add(p, middle);
			add_link(c, x, y, 1, 0, false);
			add_link(c, x, y, 0, 1, false);
			add_link(c, x, y, 1, 1, false);
			add_link(c, x, y, 2, 0, true);
			add_link(c, x, y, 0, 2, true);
		}
	rbl_surface_body_def body = rbl_default_surface_body_def();
	body.vertex_count = VERTICES, body.positions = c->at;
	rbl_vec3 *rest = malloc(VERTICES * sizeof *rest);
	for (int i = 0; i < VERTICES; ++i)
		rest[i] = rbl_scale(CELL, mesh.positions[i]);
	body.rest_positions = rest, body.keeps_rest_shape = true;
	body.triangle_count = mesh.triangle_count, body.triangles = mesh.triangles;
	CHECK(t, rbl_surface_add(c->surface, &body, &c->body) == RBL_OK);
	free(rest);
	reference_mesh_free(&mesh);
	return c;
}

static void free_cloth(cloth *c)
{
	rbl_destroy_surface(c->surface);
	free(c);
}

static void add_obstacle(test *t, cloth *c, const reference_mesh *mesh)
{
	rbl_surface_body_def def = rbl_default_surface_body_def();
	rbl_surface_body_id body;
	def.vertex_count = mesh->vertex_count, def.positions = mesh->positions;
	def.triangle_count = mesh->triangle_count, def.triangles = mesh->triangles;
	def.filter.is_static = true;
	CHECK(t, rbl_surface_add(c->surface, &def, &body) == RBL_OK);
}

// --- a step -------------------------------------------------------------------------------------

static rbl_surface_hits sweep(test *t, cloth *c)
{
	rbl_surface_hits hits = { NULL, 0 };
	CHECK(t, rbl_surface_move(c->surface, c->body, c->at, c->to) == RBL_OK);
	CHECK(t, rbl_surface_update(c->surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_sweep(c->surface, &hits) == RBL_OK);
	return hits;
}

static contact contact_of(const cloth *c, const rbl_surface_hit *h)
{
	const int *t = rbl_surface_get_data(c->surface).triangles;
	contact k = { .normal = h->normal };
	if (h->kind == RBL_HIT_VERTEX_FACE) {
		k = (contact){ { h->a, t[3 * h->b], t[3 * h->b + 1], t[3 * h->b + 2] },
			           { 1.0f, h->u + h->v - 1.0f, -h->u, -h->v },
			           h->normal };
	} else {
		k = (contact){ { t[h->a], t[rbl_surface_next(h->a)], t[h->b], t[rbl_surface_next(h->b)] },
			           { 1.0f - h->u, h->u, h->v - 1.0f, -h->v },
			           h->normal };
	}
	return k;
}

static rbl_vec3 place_of(const cloth *c, int v)
{
	return v < VERTICES ? c->to[v] : rbl_surface_get_data(c->surface).ends[v];
}

static float separation_of(const cloth *c, const contact *k)
{
	float sum = 0.0f;
	for (int i = 0; i < 4; ++i)
		sum += k->weights[i] * rbl_dot(k->normal, place_of(c, k->v[i]));
	return sum;
}

static void hold_contact(cloth *c, const contact *k)
{
	float missing = 1.02f * THICKNESS - separation_of(c, k), squares = 0.0f;
	for (int i = 0; i < 4; ++i)
		squares += k->v[i] < VERTICES ? k->weights[i] * k->weights[i] : 0.0f;
	if (missing <= 0.0f || squares < 1e-4f)
		return;
	for (int i = 0; i < 4; ++i)
		if (k->v[i] < VERTICES) {
			c->to[k->v[i]] =
				rbl_add_scaled(c->to[k->v[i]], missing * k->weights[i] / squares, k->normal);
			c->is_touching[k->v[i]] = true;
		}
}

static void hold_link(cloth *c, const link *l)
{
	rbl_vec3 d = rbl_sub(c->to[l->b], c->to[l->a]);
	float length = rbl_length(d), change = length - l->length;
	if (length < 1e-9f || (l->is_least && change >= 0.0f))
		return;
	rbl_vec3 half = rbl_scale((l->is_least ? 0.1f : 0.5f) * change / length, d);
	c->to[l->a] = rbl_add(c->to[l->a], half);
	c->to[l->b] = rbl_sub(c->to[l->b], half);
}

// Nothing goes far in a step.
static void clamp_displacements(cloth *c)
{
	for (int i = 0; i < VERTICES; ++i) {
		rbl_vec3 d = rbl_sub(c->to[i], c->at[i]);
		float length = rbl_length(d);
		if (length > 0.9f * THICKNESS)
			c->to[i] = rbl_add_scaled(c->at[i], 0.9f * THICKNESS / length, d);
	}
}

static void solve(cloth *c)
{
	for (int round = 0; round < SOLVER_ROUNDS; ++round) {
		for (int i = 0; i < c->link_count; ++i)
			hold_link(c, &c->links[round % 2 ? c->link_count - 1 - i : i]);
		for (int i = 0; i < c->contact_count; ++i)
			hold_contact(c, &c->contacts[i]);
	}
	clamp_displacements(c);
}

// Vertices of features that would still come too near stop. @return whether there are any
static bool stop_what_is_left(test *t, cloth *c)
{
	rbl_surface_hits hits = sweep(t, c);
	bool is_any = false;
	for (int i = 0; i < hits.count; ++i) {
		contact k = contact_of(c, &hits.hits[i]);
		if (hits.hits[i].is_parting || separation_of(c, &k) > 0.3f * THICKNESS)
			continue;
		for (int n = 0; n < 4; ++n)
			if (k.v[n] < VERTICES && memcmp(&c->to[k.v[n]], &c->at[k.v[n]], sizeof *c->to) != 0) {
				c->to[k.v[n]] = c->at[k.v[n]];
				c->held_count++, is_any = true;
			}
	}
	return is_any;
}

static void step_cloth(test *t, cloth *c, int step)
{
	for (int i = 0; i < VERTICES; ++i) {
		c->velocity[i].y -= 9.81f * DT;
		c->to[i] = rbl_add_scaled(c->at[i], DT, c->velocity[i]);
	}
	memset(c->is_touching, 0, sizeof c->is_touching);
	clamp_displacements(c);
	c->contact_count = 0;
	for (int round = 0; round < HIT_ROUNDS; ++round) {
		rbl_surface_hits hits = sweep(t, c);
		c->hit_count += hits.count;
		if (round == 0 && c->is_compared && step % test_count(50, 5) == 0) {
			c->compared_hits += hits.count;
			CHECK(t, reference_check_hits(c->surface, hits) == 0);
		}
		for (int i = 0; i < hits.count && c->contact_count < MOST_CONTACTS; ++i)
			c->contacts[c->contact_count++] = contact_of(c, &hits.hits[i]);
		solve(c);
	}
	for (int round = 0; round < HOLD_ROUNDS && stop_what_is_left(t, c); ++round)
		continue;
	for (int i = 0; i < VERTICES; ++i) {
		float drag = c->is_touching[i] ? 0.2f : 0.998f;
		c->velocity[i] = rbl_scale(drag / DT, rbl_sub(c->to[i], c->at[i]));
		c->at[i] = c->to[i];
	}
}

// Play a scene. Nothing lies through anything, at no time.
static void drop(test *t, cloth *c, const char *name)
{
	for (int step = 0; step < STEPS; ++step) {
		step_cloth(t, c, step);
		if (step % 10 != 9)
			continue;
		bool has_pair = true;
		CHECK(t, rbl_surface_update(c->surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_has_pair(c->surface, &has_pair) == RBL_OK && !has_pair);
	}
	printf("%s: %lld hits, %lld compared with brute force, %d vertices stopped\n", name,
	       (long long)c->hit_count, (long long)c->compared_hits, c->held_count);
	// Where normals do not separate, vertices are stopped: with wrong ones, thousands.
	CHECK(t, c->hit_count > 1000 && c->held_count < 100);
}

// --- scenes -------------------------------------------------------------------------------------

static void on_a_ball(test *t)
{
	enum { RINGS = 12, SIDES = 16, POINTS = 2 + (RINGS - 1) * SIDES };
	const float radius = 0.08f;
	rbl_vec3 points[POINTS];
	int triangles[6 * (RINGS - 1) * SIDES], *k = triangles;
	for (int i = 0; i < POINTS; ++i) {
		int ring = i == 0 ? 0 : i == POINTS - 1 ? RINGS : 1 + (i - 1) / SIDES;
		double polar = 3.14159265 * ring / RINGS, turn = 6.2831853 * ((i - 1) % SIDES) / SIDES;
		points[i] =
			(rbl_vec3){ radius * (float)(sin(polar) * cos(turn)), radius * (float)cos(polar),
			            radius * (float)(sin(polar) * sin(turn)) };
	}
	for (int s = 0; s < SIDES; ++s) {
		int next = (s + 1) % SIDES, low = 1 + (RINGS - 2) * SIDES;
		*k++ = 0, *k++ = 1 + next, *k++ = 1 + s;
		*k++ = POINTS - 1, *k++ = low + s, *k++ = low + next;
		for (int r = 0; r + 2 < RINGS; ++r) {
			int a = 1 + r * SIDES + s, b = 1 + r * SIDES + next;
			*k++ = a, *k++ = b, *k++ = b + SIDES;
			*k++ = a, *k++ = b + SIDES, *k++ = a + SIDES;
		}
	}
	reference_mesh ball = { points, triangles, POINTS, (int)(k - triangles) / 3 };
	cloth *c = make_cloth(t, (rbl_vec3){ 0.002f, 0.1f, 0.001f }, false);
	add_obstacle(t, c, &ball);
	drop(t, c, "ball");
	int above = 0;
	for (int i = 0; i < VERTICES; ++i) {
		// The ball lies within its sphere, and holds one that is a little smaller.
		CHECK(t, rbl_length(c->at[i]) > 0.95f * radius);
		above += c->at[i].y > 0.0f && rbl_length(c->at[i]) < radius + 2.0f * THICKNESS;
	}
	CHECK(t, above > VERTICES / 20);
	free_cloth(c);
}

// A wedge, 4 mm wide 20 mm below its edge: a vertex that went through one of its sides would be
// nearer to the other.
static void on_a_knife_edge(test *t)
{
	rbl_vec3 points[6];
	for (int i = 0; i < 6; ++i)
		points[i] = (rbl_vec3){ i % 3 == 0   ? 0.0f
			                    : i % 3 == 1 ? -0.03f
			                                 : 0.03f,
			                    i % 3 == 0 ? 0.0f : -0.3f, i < 3 ? -0.3f : 0.3f };
	int triangles[24] = { 0, 4, 1, 0, 3, 4, 0, 2, 3, 3, 2, 5, 1, 5, 2, 1, 4, 5, 0, 1, 2, 3, 5, 4 };
	reference_mesh knife = { points, triangles, 6, 8 };
	cloth *c = make_cloth(t, (rbl_vec3){ 0.003f, 0.02f, 0.0f }, false);
	add_obstacle(t, c, &knife);
	drop(t, c, "knife edge");
	int beside = 0, sides[2] = { 0, 0 };
	for (int i = 0; i < VERTICES; ++i) {
		float half = -0.1f * c->at[i].y; // of the knife's width there
		if (c->at[i].y > 0.0f)
			continue;
		CHECK(t, c->at[i].y < -0.3f || fabsf(c->at[i].x) > half);
		beside += c->at[i].y < -0.02f && c->at[i].y > -0.3f;
		sides[c->at[i].x > 0.0f] += fabsf(c->at[i].x) < half + 0.05f;
	}
	CHECK(t, beside > VERTICES / 10 && sides[0] > 20 && sides[1] > 20);
	free_cloth(c);
}

static void on_itself(test *t)
{
	reference_mesh ground = reference_sheet(10, 10);
	for (int i = 0; i < ground.vertex_count; ++i) {
		rbl_vec3 p = ground.positions[i];
		ground.positions[i] = (rbl_vec3){ 0.1f * (p.x - 5.0f), 0.0f, -0.1f * (p.y - 5.0f) };
	}
	cloth *c = make_cloth(t, (rbl_vec3){ 0.0f, 0.5f * CELL * CELLS + 0.01f, 0.0f }, true);
	c->is_compared = true;
	add_obstacle(t, c, &ground);
	drop(t, c, "itself");
	float highest = 0.0f;
	for (int i = 0; i < VERTICES; ++i) {
		CHECK(t, c->at[i].y > 0.0f);
		highest = rbl_maxf(highest, c->at[i].y);
	}
	printf("%.3f m high at the end\n", (double)highest);
	CHECK(t, highest < 0.6f * CELL * CELLS && c->compared_hits > 200);
	free_cloth(c);
	reference_mesh_free(&ground);
}

TEST_MAIN(TEST(on_a_ball), TEST(on_a_knife_edge), TEST(on_itself))
