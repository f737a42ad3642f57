// SPDX-License-Identifier: MIT
//
// Scenes without changes of topology: a cloth on a turning sphere, and deforming blobs.
//
// The cloth is simulated by positions (Verlet steps, distances set right a few times over a coarse
// grid) and drawn finer by cubic interpolation. Its layers do not see each other, so folds pass
// through folds. Blobs attract each other and wobble by a wave that runs over them.

#include "scenes/surfaces_parts.h"

#include "base/math.h"

#include <stdlib.h>

enum { COARSE = 54, FINE = 4, BLOBS = 29 };

// --- cloth ---------------------------------------------------------------------------------------------

static double *particle(const surface_scene *scene, int x, int y)
{
	return scene->particles + 6 * (y * (scene->size + 1) + x);
}

void scene_pull(double *a, double *b, double length)
{
	double d[3], squares = 0.0;
	for (int k = 0; k < 3; ++k) {
		d[k] = b[k] - a[k];
		squares += d[k] * d[k];
	}
	double share = 0.5 * (1.0 - length / sqrt(squares + 1e-30));
	for (int k = 0; k < 3; ++k) {
		a[k] += share * d[k];
		b[k] -= share * d[k];
	}
}

// Set distances right, in rows and columns, by diagonals, and to the next but one.
static void relax(surface_scene *scene, double spacing)
{
	static const int springs[5][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 2, 0 }, { 0, 2 } };
	int n = scene->size;
	for (int i = 0; i < 5; ++i) {
		int dx = springs[i][0], dy = springs[i][1];
		double length = spacing * sqrt((double)(dx * dx + dy * dy));
		for (int y = 0; y + dy <= n; ++y)
			for (int x = 0; x + dx <= n; ++x)
				scene_pull(particle(scene, x, y), particle(scene, x + dx, y + dy), length);
	}
}

// Out of the sphere of radius 0.5, and along with its turning.
static void meet_sphere(surface_scene *scene, double turn)
{
	int count = (scene->size + 1) * (scene->size + 1);
	for (int i = 0; i < count; ++i) {
		double *p = scene->particles + 6 * i;
		double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
		if (r >= 0.5 || r < 1e-9)
			continue;
		for (int k = 0; k < 3; ++k)
			p[k] *= 0.5 / r;
		double x = p[0] - turn * p[2], z = p[2] + turn * p[0];
		p[0] = x, p[2] = z;
		for (int k = 0; k < 3; ++k) // friction: it stays where the sphere takes it
			p[3 + k] = p[k] - 0.1 * (p[k] - p[3 + k]);
	}
}

static void simulate(surface_scene *scene)
{
	double spacing = 2.0 / scene->size, dt = 1.0 / 240.0;
	int count = (scene->size + 1) * (scene->size + 1);
	for (int sub = 0; sub < 4; ++sub) {
		for (int i = 0; i < count; ++i) {
			double *p = scene->particles + 6 * i;
			for (int k = 0; k < 3; ++k) {
				double next = p[k] + 0.995 * (p[k] - p[3 + k]) - (k == 1 ? 9.81 * dt * dt : 0.0);
				p[3 + k] = p[k];
				p[k] = next;
			}
			if (p[1] < -0.4) { // the ground holds the rim while the sphere turns
				p[1] = -0.4;
				p[0] = p[3], p[2] = p[5];
			}
		}
		for (int i = 0; i < 6; ++i)
			relax(scene, spacing);
		meet_sphere(scene, 0.02);
	}
}

// Cubic interpolation between four coarse points.
double scene_cubic(double a, double b, double c, double d, double t)
{
	return b +
	       0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
}

static double along_row(const surface_scene *scene, int x, int y, double t, int k)
{
	int n = scene->size;
	double p[4];
	for (int i = 0; i < 4; ++i) {
		int at = x - 1 + i;
		p[i] = particle(scene, at < 0 ? 0 : at > n ? n : at, y < 0 ? 0 : y > n ? n : y)[k];
	}
	return scene_cubic(p[0], p[1], p[2], p[3], t);
}

static void draw_cloth(surface_scene *scene)
{
	int fine = scene->size * FINE;
	for (int y = 0; y <= fine; ++y)
		for (int x = 0; x <= fine; ++x) {
			int cx = x / FINE, cy = y / FINE;
			double tx = (double)(x % FINE) / FINE, ty = (double)(y % FINE) / FINE, p[3];
			for (int k = 0; k < 3; ++k)
				p[k] = scene_cubic(
					along_row(scene, cx, cy - 1, tx, k), along_row(scene, cx, cy, tx, k),
					along_row(scene, cx, cy + 1, tx, k), along_row(scene, cx, cy + 2, tx, k), ty);
			scene->positions[y * (fine + 1) + x] =
				(rbl_vec3){ (float)p[0], (float)p[1], (float)p[2] };
		}
}

static bool add_grid(surface_scene *scene, rbl_surface *surface, int width, int height)
{
	int *triangles = malloc(6 * (size_t)width * (size_t)height * sizeof *triangles), *t = triangles;
	if (!triangles)
		return false;
	for (int y = 0; y < height; ++y)
		for (int x = 0; x < width; ++x) {
			int a = y * (width + 1) + x, b = a + 1, c = a + width + 1, d = c + 1;
			*t++ = a, *t++ = d, *t++ = b;
			*t++ = a, *t++ = c, *t++ = d;
		}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = (width + 1) * (height + 1), def.positions = scene->positions;
	def.triangle_count = 2 * width * height, def.triangles = triangles;
	rbl_surface_body_id id;
	rbl_result result = rbl_surface_add(surface, &def, &id);
	free(triangles);
	return result == RBL_OK && scene_add_body(scene, id);
}

bool scene_cloth_begin(surface_scene *scene, rbl_surface *surface)
{
	int n = scene->size = COARSE / scene->divisor, fine = n * FINE;
	scene->particles = calloc(6 * (size_t)(n + 1) * (size_t)(n + 1), sizeof *scene->particles);
	if (!scene->particles || !scene_reserve(scene, (fine + 1) * (fine + 1), 0))
		return false;
	for (int y = 0; y <= n; ++y)
		for (int x = 0; x <= n; ++x) {
			double *p = particle(scene, x, y);
			p[0] = p[3] = 2.0 * x / n - 1.0 + 0.05;
			p[1] = p[4] = 0.55 + 0.002 * scene_random(scene);
			p[2] = p[5] = 2.0 * y / n - 1.0 - 0.03;
		}
	draw_cloth(scene);
	return add_grid(scene, surface, fine, fine);
}

bool scene_cloth_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	(void)is_broken;
	simulate(scene);
	draw_cloth(scene);
	return scene_move(scene, surface, scene->bodies[0].id, NULL, scene->positions) == RBL_OK;
}

// --- blobs ---------------------------------------------------------------------------------------------

// A cube of n x n quads per side, blown up to a sphere: 12 n^2 triangles.
static int cube_vertex(int n, int side, int u, int v, double p[3])
{
	int axis = side / 2, low = side % 2, at[3];
	at[axis] = low ? 0 : n;
	at[(axis + 1) % 3] = low ? v : u;
	at[(axis + 2) % 3] = low ? u : v;
	double squares = 0.0;
	for (int k = 0; k < 3; ++k) {
		p[k] = 2.0 * at[k] / n - 1.0;
		squares += p[k] * p[k];
	}
	for (int k = 0; k < 3; ++k)
		p[k] /= sqrt(squares);
	return (at[0] * (n + 1) + at[1]) * (n + 1) + at[2];
}

static bool add_blob(surface_scene *scene, rbl_surface *surface, int n)
{
	int cells = (n + 1) * (n + 1) * (n + 1), vertex_count = 0;
	int *ids = malloc((size_t)cells * sizeof *ids);
	int *triangles = malloc(36 * (size_t)n * (size_t)n * sizeof *triangles), *t = triangles;
	bool is_made = ids && triangles && scene_reserve(scene, 6 * n * n + 2, 0);
	for (int i = 0; is_made && i < cells; ++i)
		ids[i] = -1;
	for (int side = 0; is_made && side < 6; ++side)
		for (int v = 0; v < n; ++v)
			for (int u = 0; u < n; ++u) {
				int corner[4];
				for (int k = 0; k < 4; ++k) {
					double p[3];
					int cell = cube_vertex(n, side, u + (k == 1 || k == 2), v + (k >= 2), p);
					if (ids[cell] < 0) {
						ids[cell] = vertex_count;
						scene->positions[vertex_count++] =
							(rbl_vec3){ (float)p[0], (float)p[1], (float)p[2] };
					}
					corner[k] = ids[cell];
				}
				*t++ = corner[0], *t++ = corner[1], *t++ = corner[2];
				*t++ = corner[0], *t++ = corner[2], *t++ = corner[3];
			}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = vertex_count, def.positions = scene->positions;
	def.triangle_count = 12 * n * n, def.triangles = triangles;
	rbl_surface_body_id id;
	is_made = is_made && rbl_surface_add(surface, &def, &id) == RBL_OK;
	scene_body *body = is_made ? scene_add_body(scene, id) : NULL;
	is_made = body && scene_launch(scene, surface, body);
	free(ids);
	free(triangles);
	return is_made;
}

bool scene_nbody_begin(surface_scene *scene, rbl_surface *surface)
{
	// 29 blobs of 1,200 triangles; fewer where they cannot be made any coarser.
	int n = 10 / scene->divisor < 2 ? 2 : 10 / scene->divisor;
	int blobs = scene->divisor > 5 ? BLOBS / 2 : BLOBS;
	for (int i = 0; i < blobs; ++i) {
		if (!add_blob(scene, surface, n))
			return false;
		scene_body *body = &scene->bodies[i];
		body->is_flying = false;
		for (int k = 0; k < 3; ++k) {
			body->middle[k] = 8.0 * scene_random(scene) - 4.0;
			body->velocity[k] = 2.0 * scene_random(scene) - 1.0;
		}
	}
	bool is_broken;
	return scene_nbody_step(scene, surface, &is_broken);
}

static void attract(surface_scene *scene, double dt)
{
	for (int i = 0; i < scene->body_count; ++i)
		for (int j = 0; j < scene->body_count; ++j) {
			double d[3], squares = 0.5;
			for (int k = 0; k < 3; ++k) {
				d[k] = scene->bodies[j].middle[k] - scene->bodies[i].middle[k];
				squares += d[k] * d[k];
			}
			double pull_by = (squares > 2.6 ? 3.0 : -6.0) / (squares * sqrt(squares));
			for (int k = 0; k < 3; ++k)
				scene->bodies[i].velocity[k] += dt * pull_by * d[k];
		}
	for (int i = 0; i < scene->body_count; ++i)
		for (int k = 0; k < 3; ++k)
			scene->bodies[i].middle[k] += dt * scene->bodies[i].velocity[k];
}

bool scene_nbody_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	(void)is_broken;
	attract(scene, 1.0 / 30.0);
	for (int b = 0; b < scene->body_count; ++b) {
		scene_body *body = &scene->bodies[b];
		rbl_surface_body_data data = rbl_surface_body_get_data(surface, body->id);
		double time = 0.2 * scene->frame + b;
		for (int i = 0; i < data.vertex_count; ++i) {
			double x = (double)body->rest[i].x, y = (double)body->rest[i].y,
				   z = (double)body->rest[i].z;
			double size = 0.8 + 0.15 * rbl_sin(3.0 * x + 2.0 * y + time) +
			              0.1 * rbl_sin(4.0 * z - 1.7 * time);
			scene->positions[i] = (rbl_vec3){ (float)(body->middle[0] + size * x),
				                              (float)(body->middle[1] + size * y),
				                              (float)(body->middle[2] + size * z) };
		}
		if (scene_move(scene, surface, body->id, NULL, scene->positions) != RBL_OK)
			return false;
	}
	return true;
}
