// SPDX-License-Identifier: MIT
// A cloth falls over a ball, is pulled at two sides until it tears, and never passes through the ball
// or itself: continuous hits keep it out. The final state is written as a mesh.
//
//     cloth [OUT.glb [STEPS]]
//
// The cloth is the simplest there is: points, edges that resist stretching, and no bending. It shows how
// such a simulation and a surface work together: positions go in, hits come out, and a split makes two
// bodies of one, whose vertices and triangles keep their ids.

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CELLS = 48,          // of the cloth along a side
	EDGE_ROUNDS = 32,    // over all edges in a step
	SLIDE_ROUNDS = 3,    // in which what hits may slide
	HIT_ROUNDS = 40,     // at most
	CAPACITY = 4 * 1024, // of vertices, with those of the ball
};

static const float DT = 1.0f / 120.0f, CELL = 1.6f / CELLS, GAP = 0.002f;
static const float PULL = 0.25f, TEARS_AT = 1.5f; // metres per second; length over rest length

typedef struct cloth {
	rbl_surface *surface;
	rbl_surface_body_id pieces[2], ball;
	int piece_count;

	// By vertex id of the surface.
	rbl_vec3 rest[CAPACITY], at[CAPACITY], to[CAPACITY], velocity[CAPACITY];
	bool is_held[CAPACITY]; // by the ball or by those who pull
} cloth;

static rbl_vec3 add(rbl_vec3 a, float s, rbl_vec3 b)
{
	return (rbl_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static float dot(rbl_vec3 a, rbl_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static float distance(rbl_vec3 a, rbl_vec3 b)
{
	rbl_vec3 d = add(a, -1.0f, b);
	return sqrtf(dot(d, d));
}

// --- bodies -------------------------------------------------------------------------------------

static rbl_result add_sheet(cloth *c)
{
	static rbl_vec3 positions[(CELLS + 1) * (CELLS + 1)];
	static int triangles[6 * CELLS * CELLS];
	int *t = triangles;
	for (int z = 0; z <= CELLS; ++z)
		for (int x = 0; x <= CELLS; ++x)
			positions[z * (CELLS + 1) + x] = (rbl_vec3){ ((float)x - 0.5f * CELLS) * CELL, 0.55f,
				                                         ((float)z - 0.5f * CELLS) * CELL };
	for (int z = 0; z < CELLS; ++z)
		for (int x = 0; x < CELLS; ++x) {
			int a = z * (CELLS + 1) + x, b = a + CELLS + 1; // diagonals change from cell to cell
			bool flip = (x + z) % 2;
			*t++ = a, *t++ = b, *t++ = flip ? b + 1 : a + 1;
			*t++ = a + 1, *t++ = flip ? a : b, *t++ = b + 1;
		}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = (CELLS + 1) * (CELLS + 1), def.positions = positions;
	def.triangle_count = 2 * CELLS * CELLS, def.triangles = triangles;
	c->piece_count = 1;
	return rbl_surface_add(c->surface, &def, &c->pieces[0]);
}

// Any mesh becomes a body: its corners name vertices, and faces may be polygons.
static rbl_result add_ball(cloth *c)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	rbl_mesh *mesh;
	rbl_result result = rbl_create_icosphere_mesh(&def, &mesh);
	if (result != RBL_OK)
		return result;
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	int *triangles = malloc(3 * (size_t)count * sizeof *triangles);
	rbl_vec3 *positions = malloc((size_t)data.vertex_count * sizeof *positions);
	result =
		triangles && positions ? rbl_mesh_triangulate(mesh, triangles, NULL) : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		for (int i = 0; i < 3 * count; ++i)
			triangles[i] = data.corner_vertices[triangles[i]];
		for (int i = 0; i < data.vertex_count; ++i)
			positions[i] = (rbl_vec3){ (float)data.positions[i].x, (float)data.positions[i].y,
				                       (float)data.positions[i].z };
		rbl_surface_body_def body = rbl_default_surface_body_def();
		body.vertex_count = data.vertex_count, body.positions = positions;
		body.triangle_count = count, body.triangles = triangles;
		result = rbl_surface_add(c->surface, &body, &c->ball);
	}
	free(positions);
	free(triangles);
	rbl_destroy_mesh(mesh);
	return result;
}

// Read where all vertices are. Those at the left and right rim are held, and so is the ball.
static void begin(cloth *c)
{
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	for (int v = 0; v < data.vertex_end; ++v) {
		c->rest[v] = c->at[v] = c->to[v] = data.ends[v];
		c->is_held[v] = v % (CELLS + 1) == 0 || v % (CELLS + 1) == CELLS;
	}
	rbl_surface_body_data ball = rbl_surface_body_get_data(c->surface, c->ball);
	for (int i = 0; i < ball.vertex_count; ++i)
		c->is_held[ball.vertices[i]] = true;
}

// --- a step -------------------------------------------------------------------------------------

// Predict positions without collisions.
static void predict(cloth *c)
{
	for (int p = 0; p < c->piece_count; ++p) {
		rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->pieces[p]);
		for (int i = 0; i < body.vertex_count; ++i) {
			int v = body.vertices[i];
			if (!c->is_held[v])
				c->velocity[v].y -= 9.81f * DT;
			else
				c->velocity[v] = (rbl_vec3){ c->rest[v].x < 0.0f ? -PULL : PULL, -0.6f, 0.0f };
			c->to[v] = add(c->at[v], DT, c->velocity[v]);
		}
	}
}

static void shorten(cloth *c, int a, int b)
{
	float length = distance(c->to[a], c->to[b]), rest = distance(c->rest[a], c->rest[b]);
	int free_ends = !c->is_held[a] + !c->is_held[b];
	if (length <= rest || free_ends == 0)
		return;
	float share = 0.9f * (1.0f - rest / length) / (float)free_ends;
	rbl_vec3 offset = add(c->to[b], -1.0f, c->to[a]);
	if (!c->is_held[a])
		c->to[a] = add(c->to[a], share, offset);
	if (!c->is_held[b])
		c->to[b] = add(c->to[b], -share, offset);
}

// In alternating order, so that both sides are equally stiff.
static void shorten_edges(cloth *c)
{
	const int *corners = rbl_surface_get_data(c->surface).triangles;
	for (int round = 0; round < EDGE_ROUNDS; ++round)
		for (int p = 0; p < c->piece_count; ++p) {
			rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->pieces[p]);
			for (int i = 0; i < body.triangle_count; ++i) {
				int at = round % 2 ? body.triangle_count - 1 - i : i;
				const int *t = corners + 3 * body.triangles[at];
				for (int k = 0; k < 3; ++k)
					shorten(c, t[k], t[(k + 1) % 3]);
			}
		}
}

// Move the surface from `at` to `to`, and find the hits.
static rbl_result sweep(cloth *c, rbl_surface_hits *hits)
{
	static rbl_vec3 starts[CAPACITY], ends[CAPACITY];
	int count = 0;
	for (int p = 0; p < c->piece_count; ++p) {
		rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->pieces[p]);
		for (int i = 0; i < body.vertex_count; ++i, ++count)
			starts[count] = c->at[body.vertices[i]], ends[count] = c->to[body.vertices[i]];
	}
	rbl_result result =
		rbl_surface_move_bodies(c->surface, c->pieces, c->piece_count, starts, ends);
	if (result == RBL_OK)
		result = rbl_surface_update(c->surface, RBL_SURFACE_CONTINUOUS);
	return result == RBL_OK ? rbl_surface_sweep(c->surface, hits) : result;
}

// Remove the displacement of a vertex into the other side, or all of it.
static void hold_back(cloth *c, int v, rbl_vec3 normal, bool may_slide)
{
	float into = dot(add(c->to[v], -1.0f, c->at[v]), normal);
	if (may_slide && into < 0.0f)
		c->to[v] = add(c->to[v], GAP - into, normal);
	else if (!may_slide)
		c->to[v] = c->at[v];
}

static void hold_edge_back(cloth *c, const int *corners, int edge, rbl_vec3 normal, bool may_slide)
{
	int next = edge % 3 == 2 ? edge - 2 : edge + 1;
	hold_back(c, corners[edge], normal, may_slide);
	hold_back(c, corners[next], normal, may_slide);
}

// The normal of a hit looks from its second feature, the face or edge b, to the first.
static void hold_apart(cloth *c, const int *corners, const rbl_surface_hit *h, bool may_slide)
{
	rbl_vec3 back = { -h->normal.x, -h->normal.y, -h->normal.z };
	if (h->kind == RBL_HIT_EDGE_EDGE) {
		hold_edge_back(c, corners, h->a, h->normal, may_slide);
		hold_edge_back(c, corners, h->b, back, may_slide);
		return;
	}
	hold_back(c, h->a, h->normal, may_slide);
	for (int k = 0; k < 3; ++k)
		hold_back(c, corners[3 * h->b + k], back, may_slide);
}

// Vertices that hit slide, and stop when that is not enough. A step in which all of them stop is free of
// hits, as the last one was, so this ends.
static rbl_result stay_clear(cloth *c, int *hit_count)
{
	rbl_surface_hits hits;
	for (int round = 0; round < HIT_ROUNDS; ++round) {
		rbl_result result = sweep(c, &hits);
		if (result != RBL_OK || hits.count == 0)
			return result;
		*hit_count += round == 0 ? hits.count : 0;
		const int *corners = rbl_surface_get_data(c->surface).triangles;
		for (int i = 0; i < hits.count; ++i)
			hold_apart(c, corners, &hits.hits[i], round < SLIDE_ROUNDS);
	}
	// Still hits: nothing moves in this step.
	memcpy(c->to, c->at, sizeof c->to);
	return sweep(c, &hits);
}

static void end_step(cloth *c)
{
	for (int v = 0; v < rbl_surface_get_data(c->surface).vertex_end; ++v) {
		rbl_vec3 displacement = add(c->to[v], -1.0f, c->at[v]);
		c->velocity[v] = (rbl_vec3){ 0.99f * displacement.x / DT, 0.99f * displacement.y / DT,
			                         0.99f * displacement.z / DT };
		c->at[v] = c->to[v];
	}
}

// --- tearing ------------------------------------------------------------------------------------

// The column of cells that a triangle was in at rest, 0 to CELLS - 1.
static int column_of(const cloth *c, const int *corners)
{
	float x = (c->rest[corners[0]].x + c->rest[corners[1]].x + c->rest[corners[2]].x) / 3.0f;
	return (int)floorf(x / CELL + 0.5f * CELLS);
}

// @return the column with the longest edge, if that tears; -1: none does
static int torn_column(const cloth *c, rbl_surface_body_data body, const int *corners)
{
	float most = TEARS_AT;
	int column = -1;
	for (int i = 0; i < body.triangle_count; ++i)
		for (int k = 0; k < 3; ++k) {
			const int *t = corners + 3 * body.triangles[i];
			int a = t[k], b = t[(k + 1) % 3];
			float stretch = distance(c->at[a], c->at[b]) / distance(c->rest[a], c->rest[b]);
			int at = column_of(c, t);
			if (stretch > most && at > CELLS / 8 && at < CELLS - CELLS / 8)
				most = stretch, column = at;
		}
	return column;
}

// The triangles of the torn column go, and the two sides are bodies. (Had they all been kept, the two rims
// would touch at first: vertices at one place, and hits with is_at_start.)
static rbl_result tear(cloth *c, int step)
{
	static int labels[2 * CELLS * CELLS];
	const int *corners = rbl_surface_get_data(c->surface).triangles;
	rbl_surface_body_data body = rbl_surface_body_get_data(c->surface, c->pieces[0]);
	int column = torn_column(c, body, corners);
	if (column < 0)
		return RBL_OK;
	for (int i = 0; i < body.triangle_count; ++i) {
		int at = column_of(c, corners + 3 * body.triangles[i]);
		labels[i] = at == column ? -1 : at > column;
	}
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 2, def.labels = labels;
	rbl_result result = rbl_surface_split(c->surface, c->pieces[0], &def, c->pieces);
	if (result == RBL_OK) {
		c->piece_count = 2;
		printf("step %d: torn at column %d of %d\n", step, column, CELLS);
	}
	return result;
}

// --- output ---------------------------------------------------------------------------

static rbl_result write_mesh(const cloth *c, const char *path)
{
	static rbl_vec3d positions[CAPACITY];
	static int corners[6 * CAPACITY], materials_of[2 * CAPACITY];
	const rbl_mesh_material materials[3] = {
		{ "left", { 0.70f, 0.10f, 0.08f, 1.0f }, 0.0f, 0.9f, 0 },
		{ "right", { 0.75f, 0.45f, 0.10f, 1.0f }, 0.0f, 0.9f, 0 },
		{ "ball", { 0.60f, 0.62f, 0.65f, 1.0f }, 0.0f, 0.6f, 0 },
	};
	rbl_surface_data data = rbl_surface_get_data(c->surface);
	int count = 0;
	for (int v = 0; v < data.vertex_end; ++v)
		positions[v] = (rbl_vec3d){ (double)c->at[v].x, (double)c->at[v].y, (double)c->at[v].z };
	for (int p = 0; p <= c->piece_count; ++p) {
		bool is_ball = p == c->piece_count;
		rbl_surface_body_data body =
			rbl_surface_body_get_data(c->surface, is_ball ? c->ball : c->pieces[p]);
		for (int i = 0; i < body.triangle_count; ++i, ++count) {
			memcpy(corners + 3 * count, data.triangles + 3 * body.triangles[i],
			       3 * sizeof *corners);
			materials_of[count] = is_ball ? 2 : p;
		}
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = data.vertex_end,
		                        .positions = positions,
		                        .face_count = count,
		                        .corner_count = 3 * count,
		                        .corner_vertices = corners,
		                        .face_materials = materials_of,
		                        .material_count = 3,
		                        .materials = materials };
	rbl_mesh *mesh;
	rbl_result result = rbl_create_mesh(&def, &mesh);
	if (result == RBL_OK)
		result = rbl_write_mesh(path, mesh, NULL);
	rbl_destroy_mesh(mesh);
	return result;
}

// However it moved: nothing passes through anything.
static rbl_result count_crossings(cloth *c, int *count)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_result result = rbl_surface_update(c->surface, RBL_SURFACE_DISCRETE);
	if (result == RBL_OK)
		result = rbl_surface_collide(c->surface, &pairs);
	*count = pairs.count;
	return result;
}

static void print_log(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	fprintf(stderr, "cloth: %s\n", text);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "cloth.glb";
	int steps = argc > 2 ? atoi(argv[2]) : 45, hit_count = 0, crossings = 0;
	static cloth c;
	rbl_surface_def def = rbl_default_surface_def();
	rbl_set_log(print_log, NULL);
	rbl_result result = rbl_create_surface(&def, &c.surface);
	if (result == RBL_OK)
		result = add_sheet(&c);
	if (result == RBL_OK)
		result = add_ball(&c);
	if (result == RBL_OK)
		begin(&c);
	for (int step = 0; step < steps && result == RBL_OK; ++step) {
		predict(&c);
		shorten_edges(&c);
		result = stay_clear(&c, &hit_count);
		end_step(&c);
		if (result == RBL_OK && c.piece_count == 1)
			result = tear(&c, step);
	}
	if (result == RBL_OK)
		result = count_crossings(&c, &crossings);
	if (result == RBL_OK)
		result = write_mesh(&c, path);
	rbl_destroy_surface(c.surface);
	if (result != RBL_OK) {
		fprintf(stderr, "cloth: %s\n", rbl_result_text(result));
		return 1;
	}
	printf("%d steps, %d hits kept apart, %d crossings; written to %s\n", steps, hit_count,
	       crossings, path);
	return crossings > 0;
}
