// SPDX-License-Identifier: MIT
//
// Scenes that break: eight walls and a ball, and a shell that is hit; and debris that falls.
//
// A wall is a box of n x n quads in front and behind, LEVELS quads thick. When it breaks, its quads
// fall to the nearest of some random points, and crack faces are put between pieces, finely enough to
// match the paper's growth. The shell has no thickness: its triangles only come apart.
//
// Debris is a cube of lumps of 20 cm that turn and drift while they fall, from 30 m at 60 frames a
// second: after a second and a half they go further in a frame than they are large.

#include "scenes/surfaces_parts.h"

#include "base/math.h"

#include <stdlib.h>
#include <string.h>

enum { WALLS = 8, LEVELS = 5, SEEDS = 100, WALL_FRAMES = 10, SHELL = 355 };
enum { LUMPS = 8, LUMP_RINGS = 9, LUMP_AROUND = 12 };

// --- walls ---------------------------------------------------------------------------------------------

// A vertex of the wall's grid at a level of thickness; levels between front and back exist on the rim.
static int wall_vertex(int n, int x, int y, int level)
{
	int plane = (n + 1) * (n + 1);
	if (level == 0 || level == LEVELS)
		return (level ? plane : 0) + y * (n + 1) + x;
	int rim = y == 0 ? x : x == n ? n + y : y == n ? 3 * n - x : x == 0 ? 4 * n - y : -1;
	return rim < 0 ? -1 : 2 * plane + (rim * (LEVELS - 1) + level - 1);
}

static rbl_vec3 wall_position(int n, int x, int y, int level, int wall)
{
	return (rbl_vec3){ 3.0f * (float)x / (float)n - 1.5f, 3.0f * (float)y / (float)n + 0.01f,
		               2.0f * (float)wall + 0.1f * (0.5f - (float)level / LEVELS) };
}

// The rim from one corner to the next, counter-clockwise from the front.
static void rim_point(int n, int at, int *x, int *y)
{
	int side = at / n % 4, along = at % n;
	*x = side == 0 ? along : side == 1 ? n : side == 2 ? n - along : 0;
	*y = side == 0 ? 0 : side == 1 ? along : side == 2 ? n : n - along;
}

static int write_strip(int *t, const int *a, const int *b)
{
	int count = 0;
	for (int level = 0; level < LEVELS; ++level) {
		t[count++] = b[level], t[count++] = a[level], t[count++] = a[level + 1];
		t[count++] = b[level], t[count++] = a[level + 1], t[count++] = b[level + 1];
	}
	return count;
}

static bool add_wall(surface_scene *scene, rbl_surface *surface, int wall)
{
	int n = scene->size, vertex_count = 2 * (n + 1) * (n + 1) + 4 * n * (LEVELS - 1);
	int triangle_count = 4 * n * n + 8 * n * LEVELS;
	int *triangles = malloc(3 * (size_t)triangle_count * sizeof *triangles), *t = triangles;
	if (!triangles || !scene_reserve(scene, vertex_count, 0)) {
		free(triangles);
		return false;
	}
	for (int y = 0; y <= n; ++y)
		for (int x = 0; x <= n; ++x)
			for (int level = 0; level <= LEVELS; ++level)
				if (wall_vertex(n, x, y, level) >= 0)
					scene->positions[wall_vertex(n, x, y, level)] =
						wall_position(n, x, y, level, wall);
	for (int i = 0; i < 2 * n * n; ++i) {
		int x = i % n, y = i / n % n, level = i < n * n ? 0 : LEVELS;
		int a = wall_vertex(n, x, y, level), b = wall_vertex(n, x + 1, y, level);
		int c = wall_vertex(n, x + 1, y + 1, level), d = wall_vertex(n, x, y + 1, level);
		*t++ = a, *t++ = level ? c : b, *t++ = level ? b : c;
		*t++ = a, *t++ = level ? d : c, *t++ = level ? c : d;
	}
	for (int i = 0; i < 4 * n; ++i) {
		int a[LEVELS + 1], b[LEVELS + 1], x, y;
		for (int level = 0; level <= LEVELS; ++level) {
			rim_point(n, i, &x, &y);
			a[level] = wall_vertex(n, x, y, level);
			rim_point(n, i + 1, &x, &y);
			b[level] = wall_vertex(n, x, y, level);
		}
		t += write_strip(t, a, b);
	}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = vertex_count, def.positions = scene->positions;
	def.triangle_count = triangle_count, def.triangles = triangles;
	rbl_surface_body_id id;
	bool is_made = rbl_surface_add(surface, &def, &id) == RBL_OK && scene_add_body(scene, id);
	free(triangles);
	return is_made;
}

bool scene_walls_begin(surface_scene *scene, rbl_surface *surface)
{
	scene->size = 32 / scene->divisor;
	for (int wall = 0; wall < WALLS; ++wall)
		if (!add_wall(scene, surface, wall))
			return false;
	return true;
}

// The ball pushes a bump into the wall, deeper every frame.
static bool dent_wall(surface_scene *scene, rbl_surface *surface, int wall, double depth)
{
	int n = scene->size;
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, scene->bodies[wall].id);
	if (!scene_reserve(scene, data.vertex_count, 0))
		return false;
	for (int y = 0; y <= n; ++y)
		for (int x = 0; x <= n; ++x)
			for (int level = 0; level <= LEVELS; ++level) {
				int v = wall_vertex(n, x, y, level);
				if (v < 0)
					continue;
				rbl_vec3 p = wall_position(n, x, y, level, wall);
				double dx = (double)p.x, dy = (double)p.y - 1.5;
				double fall = 1.0 / (1.0 + 4.0 * (dx * dx + dy * dy));
				p.z += (float)(depth * fall * fall);
				scene->positions[v] = p;
			}
	return scene_move(scene, surface, scene->bodies[wall].id, NULL, scene->positions) == RBL_OK;
}

// What a split of a wall is made of.
typedef struct wall_break {
	int n, *cells; // pieces of the quads
	const int *ids;
	int *triangles, *triangle_labels, triangle_count;
	rbl_vec3 *positions;
	int vertex_count;
	int *inner; // by grid vertex and one of four pieces: piece, then its first new vertex
} wall_break;

static int cell_at(const wall_break *w, int x, int y)
{
	return x < 0 || y < 0 || x >= w->n || y >= w->n ? -1 : w->cells[y * w->n + x];
}

// The vertices from front to back at a place of the grid, for one piece.
static void column(wall_break *w, const rbl_surface_data *all, int x, int y, int label, int *out)
{
	out[0] = w->ids[wall_vertex(w->n, x, y, 0)];
	out[LEVELS] = w->ids[wall_vertex(w->n, x, y, LEVELS)];
	if (wall_vertex(w->n, x, y, 1) >= 0) {
		for (int level = 1; level < LEVELS; ++level)
			out[level] = w->ids[wall_vertex(w->n, x, y, level)];
		return;
	}
	int *entry = w->inner + 8 * (y * (w->n + 1) + x);
	while (entry[0] >= 0 && entry[0] != label)
		entry += 2;
	if (entry[0] < 0) {
		entry[0] = label, entry[1] = w->vertex_count;
		rbl_vec3 a = all->ends[out[0]], b = all->ends[out[LEVELS]];
		for (int level = 1; level < LEVELS; ++level) {
			float s = (float)level / LEVELS;
			w->positions[w->vertex_count++] =
				(rbl_vec3){ a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z) };
		}
	}
	for (int level = 1; level < LEVELS; ++level)
		out[level] = -1 - (entry[1] + level - 1);
}

// Crack faces along all edges of a quad whose other side is another piece.
static void crack_quad(wall_break *w, const rbl_surface_data *all, int x, int y)
{
	static const int corners[5][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
	static const int beyond[4][2] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } };
	int own = cell_at(w, x, y);
	for (int side = 0; side < 4; ++side) {
		int other = cell_at(w, x + beyond[side][0], y + beyond[side][1]);
		if (other < 0 || other == own)
			continue;
		int a[LEVELS + 1], b[LEVELS + 1];
		column(w, all, x + corners[side][0], y + corners[side][1], own, a);
		column(w, all, x + corners[side + 1][0], y + corners[side + 1][1], own, b);
		int count = write_strip(w->triangles + 3 * w->triangle_count, a, b) / 3;
		for (int i = 0; i < count; ++i)
			w->triangle_labels[w->triangle_count++] = own;
	}
}

static int label_cells(surface_scene *scene, int *cells, int n)
{
	double seeds[SEEDS][2];
	int numbers[SEEDS], count = 0, seed_count = SEEDS / (scene->divisor * scene->divisor);
	for (int i = 0; i < seed_count; ++i) {
		numbers[i] = -1;
		for (int k = 0; k < 2; ++k) { // crowded at the middle
			double r = scene_random(scene) - 0.5;
			seeds[i][k] = n * (0.5 + r * (0.4 + 0.6 * scene_random(scene)));
		}
	}
	for (int i = 0; i < n * n; ++i) {
		int best = 0;
		double nearest = 1e30;
		for (int s = 0; s < seed_count; ++s) {
			double dx = i % n + 0.5 - seeds[s][0], dy = i / n + 0.5 - seeds[s][1];
			if (dx * dx + dy * dy < nearest)
				nearest = dx * dx + dy * dy, best = s;
		}
		numbers[best] = numbers[best] < 0 ? count++ : numbers[best];
		cells[i] = numbers[best];
	}
	return count;
}

static void label_triangles(surface_scene *scene, const wall_break *w)
{
	int n = w->n, *label = scene->labels;
	for (int i = 0; i < 2 * n * n; ++i) {
		*label++ = w->cells[i % (n * n)];
		*label++ = w->cells[i % (n * n)];
	}
	for (int i = 0; i < 4 * n; ++i) {
		int x, y, x2, y2;
		rim_point(n, i, &x, &y);
		rim_point(n, i + 1, &x2, &y2);
		x = x < x2 ? x : x2, y = y < y2 ? y : y2;
		int cell = cell_at(w, x == n ? n - 1 : x, y == n ? n - 1 : y);
		for (int k = 0; k < 2 * LEVELS; ++k)
			*label++ = cell;
	}
}

static bool launch_pieces(surface_scene *scene, rbl_surface *surface,
                          const rbl_surface_body_id *pieces, int count, int wall)
{
	for (int i = 0; i < count; ++i) {
		scene_body *body = i == 0 ? &scene->bodies[wall] : scene_add_body(scene, pieces[i]);
		if (!body || !scene_launch(scene, surface, body))
			return false;
		double dx = body->middle[0], dy = body->middle[1] - 1.5;
		double push = 3.0 / (0.3 + dx * dx + dy * dy);
		body->velocity[0] = 0.5 * push * dx, body->velocity[1] = 0.5 * push * dy;
		body->velocity[2] = 0.6 * push;
		for (int k = 0; k < 3; ++k)
			body->spin[k] = 2.0 * scene_random(scene) - 1.0;
	}
	return true;
}

static bool break_wall(surface_scene *scene, rbl_surface *surface, int wall)
{
	wall_break w = { .n = scene->size };
	int n = w.n;
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, scene->bodies[wall].id);
	rbl_surface_data all = rbl_surface_get_data(surface);
	size_t edges = 4 * (size_t)n * (size_t)n;
	w.ids = data.vertices;
	w.cells = malloc((size_t)n * (size_t)n * sizeof *w.cells);
	w.triangles = malloc(edges * LEVELS * 6 * sizeof *w.triangles);
	w.triangle_labels = malloc(edges * LEVELS * 2 * sizeof *w.triangle_labels);
	w.positions = malloc(edges * 2 * LEVELS * sizeof *w.positions);
	w.inner = malloc(8 * (size_t)(n + 1) * (size_t)(n + 1) * sizeof *w.inner);
	rbl_surface_body_id *pieces = malloc(SEEDS * sizeof *pieces);
	bool is_done = w.cells && w.triangles && w.triangle_labels && w.positions && w.inner &&
	               pieces && scene_reserve(scene, 0, data.triangle_count);
	if (is_done) {
		memset(w.inner, -1, 8 * (size_t)(n + 1) * (size_t)(n + 1) * sizeof *w.inner);
		rbl_surface_split_def def = rbl_default_surface_split_def();
		def.piece_count = label_cells(scene, w.cells, n);
		label_triangles(scene, &w);
		for (int i = 0; i < n * n; ++i)
			crack_quad(&w, &all, i % n, i / n);
		def.labels = scene->labels;
		def.vertex_count = w.vertex_count, def.positions = w.positions;
		def.triangle_count = w.triangle_count, def.triangles = w.triangles;
		def.triangle_labels = w.triangle_labels;
		is_done = scene_split(scene, surface, scene->bodies[wall].id, &def, pieces) == RBL_OK &&
		          launch_pieces(scene, surface, pieces, def.piece_count, wall);
	}
	free(w.cells);
	free(w.triangles);
	free(w.triangle_labels);
	free(w.positions);
	free(w.inner);
	free(pieces);
	return is_done;
}

bool scene_walls_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	int wall = (scene->frame - 1) / WALL_FRAMES, phase = (scene->frame - 1) % WALL_FRAMES;
	if (wall < WALLS && phase < 7 && !dent_wall(scene, surface, wall, 0.07 * (phase + 1)))
		return false;
	if (wall < WALLS && phase == 7) {
		*is_broken = true;
		if (!break_wall(scene, surface, wall))
			return false;
	}
	return scene_fly(scene, surface, 1.0 / 60.0, 9.81);
}

// --- the shell -----------------------------------------------------------------------------------------

static void draw_model(surface_scene *scene, double dent)
{
	for (int i = 0; i < scene->vertex_count; ++i) {
		rbl_vec3 p = scene->rest[i];
		double dx = (double)(p.x - scene->impact.x), dy = (double)(p.y - scene->impact.y);
		double dz = (double)(p.z - scene->impact.z);
		double fall = 1.0 / (1.0 + 8.0 * (dx * dx + dy * dy + dz * dz));
		p.x -= (float)(dent * fall * fall);
		scene->positions[i] = p;
	}
}

static void draw_shell(surface_scene *scene, double dent)
{
	int n = scene->size;
	if (scene->rest) {
		draw_model(scene, dent);
		return;
	}
	for (int i = 0; i < n * n; ++i) {
		double u = 6.283185307179586 * (i % n) / n, v = 6.283185307179586 * (i / n) / n;
		double bump = 0.03 * rbl_sin(9.0 * u + 2.0 * rbl_sin(3.0 * v)) * rbl_sin(5.0 * v);
		double r = 0.45 + bump, x = (1.0 + r * rbl_cos(v)) * rbl_cos(u);
		double z = (1.0 + r * rbl_cos(v)) * rbl_sin(u), y = 2.0 + r * rbl_sin(v);
		double dx = x - 1.45, dy = y - 2.0, fall = 1.0 / (1.0 + 8.0 * (dx * dx + dy * dy + z * z));
		x -= dent * fall * fall;
		scene->positions[i] = (rbl_vec3){ (float)x, (float)y, (float)z };
	}
}

// Add a model, scaled into a ball. @return its body, NULL when something failed
static scene_body *add_model(surface_scene *scene, rbl_surface *surface,
                             const surface_scene_model *m, double radius, double x)
{
	rbl_vec3 low = m->positions[0], high = low;
	for (int i = 0; i < m->vertex_count; ++i) {
		rbl_vec3 p = m->positions[i];
		low = (rbl_vec3){ fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z) };
		high = (rbl_vec3){ fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z) };
	}
	double size[3] = { (double)(high.x - low.x), (double)(high.y - low.y),
		               (double)(high.z - low.z) };
	double scale = 2.0 * radius / sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
	if (!scene_reserve(scene, m->vertex_count, 0))
		return NULL;
	for (int i = 0; i < m->vertex_count; ++i) {
		rbl_vec3 p = m->positions[i];
		scene->positions[i] =
			(rbl_vec3){ (float)(x + scale * ((double)(p.x - low.x) - 0.5 * size[0])),
			            (float)(2.0 + scale * ((double)(p.y - low.y) - 0.5 * size[1])),
			            (float)(scale * ((double)(p.z - low.z) - 0.5 * size[2])) };
	}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = m->vertex_count, def.positions = scene->positions;
	def.triangle_count = m->triangle_count, def.triangles = m->triangles;
	rbl_surface_body_id id;
	return rbl_surface_add(surface, &def, &id) == RBL_OK ? scene_add_body(scene, id) : NULL;
}

static bool begin_models(surface_scene *scene, rbl_surface *surface)
{
	scene->vertex_count = scene->models[0].vertex_count;
	scene->triangle_count = scene->models[0].triangle_count;
	if (!add_model(scene, surface, &scene->models[0], 1.8, 0.0))
		return false;
	scene->rest = malloc((size_t)scene->vertex_count * sizeof *scene->rest);
	if (!scene->rest)
		return false;
	memcpy(scene->rest, scene->positions, (size_t)scene->vertex_count * sizeof *scene->rest);
	scene->impact = scene->rest[0];
	for (int i = 0; i < scene->vertex_count; ++i)
		if (scene->rest[i].x > scene->impact.x)
			scene->impact = scene->rest[i];
	scene_body *projectile = add_model(scene, surface, &scene->models[1], 0.5, 2.6);
	if (!projectile || !scene_launch(scene, surface, projectile))
		return false;
	projectile->is_solid = true;
	projectile->velocity[0] = -2.6, projectile->velocity[1] = 1.0;
	projectile->spin[1] = 1.0;
	return true;
}

bool scene_explode_begin(surface_scene *scene, rbl_surface *surface)
{
	if (scene->models[0].positions)
		return begin_models(scene, surface);
	int n = scene->size = SHELL / scene->divisor;
	scene->vertex_count = n * n, scene->triangle_count = 2 * n * n;
	int *triangles = malloc(6 * (size_t)n * (size_t)n * sizeof *triangles), *t = triangles;
	if (!triangles || !scene_reserve(scene, n * n, 0)) {
		free(triangles);
		return false;
	}
	for (int i = 0; i < n * n; ++i) {
		int x = i % n, y = i / n, x2 = (x + 1) % n, y2 = (y + 1) % n;
		int a = y * n + x, b = y * n + x2, c = y2 * n + x2, d = y2 * n + x;
		*t++ = a, *t++ = c, *t++ = b;
		*t++ = a, *t++ = d, *t++ = c;
	}
	draw_shell(scene, 0.0);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = n * n, def.positions = scene->positions;
	def.triangle_count = 2 * n * n, def.triangles = triangles;
	rbl_surface_body_id id;
	bool is_made = rbl_surface_add(surface, &def, &id) == RBL_OK && scene_add_body(scene, id);
	free(triangles);
	return is_made;
}

// A body that breaks by random points of its own: the numbers that its pieces fly by, after those
// points.
typedef struct shattering {
	int body, piece_count;
	double numbers[64][6];
} shattering;

// Choose the pieces of a body. @return how many, 0 when something failed
static int choose_pieces(surface_scene *scene, rbl_surface *surface, shattering *b, int seed_count,
                         int *labels)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, scene->bodies[b->body].id);
	rbl_surface_data all = rbl_surface_get_data(surface);
	rbl_vec3 seeds[64];
	int numbers[64], count = 0;
	for (int i = 0; i < seed_count; ++i) {
		int at = (int)(scene_random(scene) * data.vertex_count);
		seeds[i] = all.ends[data.vertices[at < data.vertex_count ? at : 0]];
		numbers[i] = -1;
	}
	for (int i = 0; i < data.triangle_count; ++i) {
		rbl_vec3 p = all.ends[all.triangles[3 * data.triangles[i]]];
		int best = 0;
		float nearest = 1e30f;
		for (int s = 0; s < seed_count; ++s) {
			float dx = p.x - seeds[s].x, dy = p.y - seeds[s].y, dz = p.z - seeds[s].z;
			float distance = dx * dx + dy * dy + dz * dz;
			if (distance < nearest)
				nearest = distance, best = s;
		}
		numbers[best] = numbers[best] < 0 ? count++ : numbers[best];
		labels[i] = numbers[best];
	}
	b->piece_count = count;
	for (int i = 0; i < count; ++i)
		for (int k = 0; k < 6; ++k)
			b->numbers[i][k] = scene_random(scene);
	return count;
}

// Let the pieces of a body fly. @return false when something failed
static bool launch_shards(surface_scene *scene, rbl_surface *surface, const shattering *b,
                          const rbl_surface_body_id *pieces)
{
	scene_body parent = scene->bodies[b->body];
	for (int i = 0; i < b->piece_count; ++i) {
		scene_body *body = i == 0 ? &scene->bodies[b->body] : scene_add_body(scene, pieces[i]);
		if (!body || !scene_launch(scene, surface, body))
			return false;
		for (int k = 0; k < 3; ++k) {
			double out = body->middle[k] - (k == 1 ? 2.0 : 0.0);
			body->velocity[k] = parent.velocity[k] + (parent.is_flying ? 0.3 : 0.8) * out +
			                    0.2 * (b->numbers[i][2 * k] - 0.5);
			body->spin[k] = parent.spin[k] + b->numbers[i][2 * k + 1] - 0.5;
		}
	}
	return true;
}

// Split all large bodies at once. @return false when something failed
static bool shatter(surface_scene *scene, rbl_surface *surface, int event)
{
	int limit = event == 1 ? 0 : scene->triangle_count / (20 * event * event), total = 0, count = 0;
	int most = scene->body_count, piece_count = 0;
	if (!scene_reserve(scene, 0, scene->triangle_count))
		return false;
	shattering *broken = malloc((size_t)most * sizeof *broken);
	rbl_surface_split_def *defs = malloc((size_t)most * sizeof *defs);
	rbl_surface_body_id *ids = malloc((size_t)most * sizeof *ids);
	rbl_surface_body_id *pieces = malloc(64 * (size_t)most * sizeof *pieces);
	bool is_good = broken && defs && ids && pieces;
	for (int i = 0; i < most && is_good; ++i) {
		int triangles = rbl_surface_body_get_data(surface, scene->bodies[i].id).triangle_count;
		if (scene->bodies[i].is_solid || triangles <= limit)
			continue;
		shattering *b = &broken[count];
		b->body = i;
		defs[count] = rbl_default_surface_split_def();
		defs[count].labels = scene->labels + total;
		total += triangles;
		is_good = total <= scene->triangle_count;
		defs[count].piece_count = is_good ? choose_pieces(scene, surface, b, event == 1 ? 40 : 5,
		                                                  scene->labels + total - triangles)
		                                  : 0;
		piece_count += defs[count].piece_count;
		ids[count++] = scene->bodies[i].id;
	}
	is_good = is_good && scene_split_bodies(scene, surface, ids, count, defs, pieces) == RBL_OK;
	piece_count = 0;
	for (int i = 0; i < count && is_good; ++i) {
		is_good = launch_shards(scene, surface, &broken[i], pieces + piece_count);
		piece_count += broken[i].piece_count;
	}
	free(broken);
	free(defs);
	free(ids);
	free(pieces);
	return is_good;
}

bool scene_explode_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	int event = scene->frame % 30 == 0 ? scene->frame / 30 : 0;
	if (scene->frame < 30) {
		if (!scene_reserve(scene, scene->vertex_count, 0))
			return false;
		draw_shell(scene, 0.02 * scene->frame);
		return scene_move(scene, surface, scene->bodies[0].id, NULL, scene->positions) == RBL_OK &&
		       scene_fly(scene, surface, 1.0 / 60.0, 2.0);
	}
	if (event >= 1 && event <= 4) {
		*is_broken = true;
		if (!shatter(scene, surface, event))
			return false;
	}
	return scene_fly(scene, surface, 1.0 / 60.0, 2.0);
}

// --- debris --------------------------------------------------------------------------------------------

enum { LUMP_VERTICES = 2 + LUMP_RINGS * LUMP_AROUND };
enum { LUMP_TRIANGLES = 2 * LUMP_RINGS * LUMP_AROUND };

// A ball with dents: rings of vertices between two poles.
static void draw_lump(surface_scene *scene, const double middle[3])
{
	double dents = 6.283185307179586 * scene_random(scene);
	for (int i = 0; i < LUMP_VERTICES; ++i) {
		int ring = i == 0 ? -1 : i == LUMP_VERTICES - 1 ? LUMP_RINGS : (i - 1) / LUMP_AROUND;
		double down = 3.141592653589793 * (ring + 1) / (LUMP_RINGS + 1);
		double round = 6.283185307179586 * ((i - 1) % LUMP_AROUND) / LUMP_AROUND;
		double side = rbl_sin(down);
		double r = 0.1 + 0.02 * side * rbl_sin(3.0 * round + dents) * rbl_sin(2.0 * down);
		scene->positions[i] = (rbl_vec3){ (float)(middle[0] + r * side * rbl_cos(round)),
			                              (float)(middle[1] + r * rbl_cos(down)),
			                              (float)(middle[2] + r * side * rbl_sin(round)) };
	}
}

static void list_lump(int *t)
{
	enum { LAST = LUMP_VERTICES - 1 };
	for (int i = 0; i < LUMP_AROUND; ++i) {
		int next = (i + 1) % LUMP_AROUND, end = LAST - LUMP_AROUND;
		*t++ = 0, *t++ = 1 + next, *t++ = 1 + i;
		*t++ = LAST, *t++ = end + i, *t++ = end + next;
		for (int ring = 0; ring + 1 < LUMP_RINGS; ++ring) {
			int a = 1 + ring * LUMP_AROUND, b = a + LUMP_AROUND;
			*t++ = a + i, *t++ = a + next, *t++ = b + i;
			*t++ = a + next, *t++ = b + next, *t++ = b + i;
		}
	}
}

static bool add_lump(surface_scene *scene, rbl_surface *surface, const int *triangles,
                     const double middle[3])
{
	draw_lump(scene, middle);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = LUMP_VERTICES, def.positions = scene->positions;
	def.triangle_count = LUMP_TRIANGLES, def.triangles = triangles;
	rbl_surface_body_id id;
	if (rbl_surface_add(surface, &def, &id) != RBL_OK)
		return false;
	scene_body *body = scene_add_body(scene, id);
	if (!body || !scene_launch(scene, surface, body))
		return false;
	for (int k = 0; k < 3; ++k) {
		body->velocity[k] = 0.4 * scene_random(scene) - 0.2;
		body->spin[k] = 4.0 * scene_random(scene) - 2.0;
	}
	return true;
}

bool scene_fall_begin(surface_scene *scene, rbl_surface *surface)
{
	int triangles[3 * LUMP_TRIANGLES], n = scene->divisor > 3 ? LUMPS / 2 : LUMPS;
	list_lump(triangles);
	if (!scene_reserve(scene, LUMP_VERTICES, 0))
		return false;
	for (int i = 0; i < n * n * n; ++i) {
		const double middle[3] = { 0.24 * (i % n), 30.0 + 0.24 * (i / n % n), 0.24 * (i / n / n) };
		if (!add_lump(scene, surface, triangles, middle))
			return false;
	}
	return true;
}

bool scene_fall_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	(void)is_broken;
	return scene_fly(scene, surface, 1.0 / 60.0, 9.81);
}
