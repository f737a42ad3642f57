// SPDX-License-Identifier: MIT
//
// What the scenes share: bodies that fly, and the list of scenes.

#define _POSIX_C_SOURCE 200809L

#include "scenes/surfaces_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const scene_class classes[SURFACE_ALL_COUNT] = {
	[SURFACE_CLOTH] = { "cloth", 160, scene_cloth_begin, scene_cloth_step },
	[SURFACE_NBODY] = { "nbody", 149, scene_nbody_begin, scene_nbody_step },
	[SURFACE_WALLS] = { "walls", 80, scene_walls_begin, scene_walls_step },
	[SURFACE_EXPLODE] = { "explode", 250, scene_explode_begin, scene_explode_step },
	[SURFACE_RINGS] = { "rings", 120, scene_rings_begin, scene_rings_step },
	[SURFACE_TEAR] = { "tear", 120, scene_tear_begin, scene_tear_step },
	[SURFACE_FALL] = { "fall", 120, scene_fall_begin, scene_fall_step },
};

const char *surface_scene_name(surface_kind kind)
{
	return classes[kind].name;
}

int surface_scene_frames(surface_kind kind)
{
	return classes[kind].frames;
}

surface_scene *surface_scene_create(surface_kind kind, int divisor)
{
	surface_scene *scene = calloc(1, sizeof *scene);
	if (!scene)
		return NULL;
	scene->kind = kind;
	scene->divisor = divisor;
	scene->random = 12345;
	return scene;
}

void surface_scene_destroy(surface_scene *scene)
{
	if (!scene)
		return;
	for (int i = 0; i < scene->body_count; ++i)
		free(scene->bodies[i].rest);
	free(scene->bodies);
	free(scene->particles);
	free(scene->positions);
	free(scene->labels);
	free(scene->rest);
	free(scene);
}

void surface_scene_use_models(surface_scene *scene, surface_scene_model target,
                              surface_scene_model projectile)
{
	scene->models[0] = target;
	scene->models[1] = projectile;
}

bool surface_scene_begin(surface_scene *scene, rbl_surface *surface)
{
	return classes[scene->kind].begin(scene, surface);
}

bool surface_scene_step(surface_scene *scene, rbl_surface *surface, bool *is_broken)
{
	*is_broken = false;
	scene->change_ms = 0.0;
	scene->frame++;
	return classes[scene->kind].step(scene, surface, is_broken);
}

double surface_scene_change_ms(const surface_scene *scene)
{
	return scene->change_ms;
}

// Of this thread: what others had before may be booked while it runs.
static double processor_ms(void)
{
#ifdef __wasm__
	return 0.0; // there is none: nothing is measured
#else
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
#endif
}

rbl_result scene_move(surface_scene *scene, rbl_surface *surface, rbl_surface_body_id body,
                      const rbl_vec3 *start, const rbl_vec3 *end)
{
	double begin = processor_ms();
	rbl_result result = rbl_surface_move(surface, body, start, end);
	scene->change_ms += processor_ms() - begin;
	return result;
}

rbl_result scene_split(surface_scene *scene, rbl_surface *surface, rbl_surface_body_id body,
                       const rbl_surface_split_def *def, rbl_surface_body_id *pieces)
{
	double begin = processor_ms();
	rbl_result result = rbl_surface_split(surface, body, def, pieces);
	scene->change_ms += processor_ms() - begin;
	return result;
}

rbl_result scene_split_bodies(surface_scene *scene, rbl_surface *surface,
                              const rbl_surface_body_id *bodies, int count,
                              const rbl_surface_split_def *defs, rbl_surface_body_id *pieces)
{
	double begin = processor_ms();
	rbl_result result = rbl_surface_split_bodies(surface, bodies, count, defs, pieces);
	scene->change_ms += processor_ms() - begin;
	return result;
}

double scene_random(surface_scene *scene)
{
	scene->random = scene->random * 6364136223846793005u + 1442695040888963407u;
	return (double)(scene->random >> 33) / 2147483648.0;
}

scene_body *scene_add_body(surface_scene *scene, rbl_surface_body_id id)
{
	if (scene->body_count == scene->body_capacity) {
		int capacity = scene->body_capacity ? 2 * scene->body_capacity : 64;
		scene_body *grown = realloc(scene->bodies, (size_t)capacity * sizeof *grown);
		if (!grown)
			return NULL;
		scene->bodies = grown;
		scene->body_capacity = capacity;
	}
	scene_body *body = &scene->bodies[scene->body_count++];
	*body = (scene_body){ .id = id };
	return body;
}

bool scene_reserve(surface_scene *scene, int vertices, int triangles)
{
	if (vertices > scene->position_capacity) {
		free(scene->positions);
		scene->positions = malloc((size_t)vertices * sizeof *scene->positions);
		scene->position_capacity = scene->positions ? vertices : 0;
	}
	if (triangles > scene->label_capacity) {
		free(scene->labels);
		scene->labels = malloc((size_t)triangles * sizeof *scene->labels);
		scene->label_capacity = scene->labels ? triangles : 0;
	}
	return (vertices <= 0 || scene->positions) && (triangles <= 0 || scene->labels);
}

// Let a body fly from where it is: its vertices relative to their middle.
bool scene_launch(surface_scene *scene, const rbl_surface *surface, scene_body *body)
{
	(void)scene;
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, body->id);
	rbl_surface_data all = rbl_surface_get_data(surface);
	free(body->rest);
	body->rest = malloc((size_t)data.vertex_count * sizeof *body->rest);
	if (!body->rest)
		return false;
	double sum[3] = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < data.vertex_count; ++i) {
		rbl_vec3 p = all.ends[data.vertices[i]];
		sum[0] += (double)p.x, sum[1] += (double)p.y, sum[2] += (double)p.z;
	}
	for (int k = 0; k < 3; ++k)
		body->middle[k] = sum[k] / data.vertex_count;
	for (int i = 0; i < data.vertex_count; ++i) {
		rbl_vec3 p = all.ends[data.vertices[i]];
		body->rest[i] = (rbl_vec3){ (float)((double)p.x - body->middle[0]),
			                        (float)((double)p.y - body->middle[1]),
			                        (float)((double)p.z - body->middle[2]) };
	}
	for (int i = 0; i < 9; ++i)
		body->turn[i] = i % 4 == 0;
	body->is_flying = true;
	return true;
}

// Turn a matrix by a small rotation, and make its columns unit and square again.
static void spin(double turn[9], const double spin[3], double dt)
{
	double next[9];
	for (int c = 0; c < 3; ++c) {
		const double *v = turn + 3 * c;
		next[3 * c] = v[0] + dt * (spin[1] * v[2] - spin[2] * v[1]);
		next[3 * c + 1] = v[1] + dt * (spin[2] * v[0] - spin[0] * v[2]);
		next[3 * c + 2] = v[2] + dt * (spin[0] * v[1] - spin[1] * v[0]);
	}
	for (int c = 0; c < 3; ++c) {
		double *v = next + 3 * c;
		for (int d = 0; d < c; ++d) {
			const double *w = next + 3 * d;
			double along = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
			for (int k = 0; k < 3; ++k)
				v[k] -= along * w[k];
		}
		double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
		for (int k = 0; k < 3; ++k)
			v[k] /= length;
	}
	memcpy(turn, next, sizeof next);
}

// Where a body is after a step of its flight.
static void fly_on(scene_body *body, double dt, double gravity, int vertex_count,
                   rbl_vec3 *positions)
{
	body->velocity[1] -= gravity * dt;
	for (int k = 0; k < 3; ++k)
		body->middle[k] += dt * body->velocity[k];
	if (body->middle[1] < 0.05) { // the ground
		body->middle[1] = 0.05;
		body->velocity[1] *= -0.3;
		for (int k = 0; k < 3; ++k) {
			body->velocity[k] *= k == 1 ? 1.0 : 0.7;
			body->spin[k] *= 0.5;
		}
	}
	spin(body->turn, body->spin, dt);
	const double *m = body->turn;
	for (int i = 0; i < vertex_count; ++i) {
		double x = (double)body->rest[i].x, y = (double)body->rest[i].y,
			   z = (double)body->rest[i].z;
		positions[i] = (rbl_vec3){ (float)(body->middle[0] + m[0] * x + m[3] * y + m[6] * z),
			                       (float)(body->middle[1] + m[1] * x + m[4] * y + m[7] * z),
			                       (float)(body->middle[2] + m[2] * x + m[5] * y + m[8] * z) };
	}
}

bool scene_fly(surface_scene *scene, rbl_surface *surface, double dt, double gravity)
{
	if (!scene_reserve(scene, rbl_surface_get_data(surface).vertex_end, 0))
		return false;
	rbl_surface_body_id *ids = malloc((size_t)(scene->body_count + 1) * sizeof *ids);
	int placed = 0, flying = 0;
	for (int b = 0; ids && b < scene->body_count; ++b) {
		scene_body *body = &scene->bodies[b];
		if (!body->is_flying)
			continue;
		int count = rbl_surface_body_get_data(surface, body->id).vertex_count;
		fly_on(body, dt, gravity, count, scene->positions + placed);
		placed += count;
		ids[flying++] = body->id;
	}
	double begin = processor_ms();
	bool is_good =
		ids && rbl_surface_move_bodies(surface, ids, flying, NULL, scene->positions) == RBL_OK;
	scene->change_ms += processor_ms() - begin;
	free(ids);
	return is_good;
}
