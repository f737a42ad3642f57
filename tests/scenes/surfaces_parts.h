// SPDX-License-Identifier: MIT
// The inside of the surface scenes.
#pragma once

#include "scenes/surfaces.h"

#include <math.h>
#include <stdint.h>

/// A body of a scene; one that flies is rigid.
typedef struct scene_body {
	rbl_surface_body_id id;
	rbl_vec3 *rest; // vertices relative to the middle, in the order of the view
	double middle[3], velocity[3], spin[3], turn[9];
	bool is_flying, is_solid; // a solid one never breaks
	int first, last;          // strips of a sheet
} scene_body;

struct surface_scene {
	surface_kind kind;
	int divisor, frame;
	uint64_t random;
	scene_body *bodies;
	int body_count, body_capacity;
	double *particles;             // six numbers each: position and the one before
	int size, length;              // of the coarse grid, or of walls
	surface_scene_model models[2]; // what explodes, and what hits it; or nothing
	rbl_vec3 *rest, impact;        // of the model that explodes
	int vertex_count, triangle_count;
	rbl_vec3 *positions;
	int *labels;
	int position_capacity, label_capacity;
	double change_ms; // spent in calls that change the surface, in this step
};

typedef struct scene_class {
	const char *name;
	int frames;
	bool (*begin)(surface_scene *scene, rbl_surface *surface);
	bool (*step)(surface_scene *scene, rbl_surface *surface, bool *is_broken);
} scene_class;

bool scene_cloth_begin(surface_scene *scene, rbl_surface *surface);
bool scene_cloth_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);
bool scene_nbody_begin(surface_scene *scene, rbl_surface *surface);
bool scene_nbody_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);
bool scene_walls_begin(surface_scene *scene, rbl_surface *surface);
bool scene_walls_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);
bool scene_explode_begin(surface_scene *scene, rbl_surface *surface);
bool scene_explode_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);
bool scene_rings_begin(surface_scene *scene, rbl_surface *surface);
bool scene_rings_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);
bool scene_tear_begin(surface_scene *scene, rbl_surface *surface);
bool scene_tear_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);
bool scene_fall_begin(surface_scene *scene, rbl_surface *surface);
bool scene_fall_step(surface_scene *scene, rbl_surface *surface, bool *is_broken);

/// Two particles at a distance from each other.
void scene_pull(double *a, double *b, double length);

/// Cubic interpolation between four points of a curve, from the second to the third.
double scene_cubic(double a, double b, double c, double d, double t);

/// rbl_surface_move() and rbl_surface_split(), measured.
rbl_result scene_move(surface_scene *scene, rbl_surface *surface, rbl_surface_body_id body,
                      const rbl_vec3 *start, const rbl_vec3 *end);
rbl_result scene_split(surface_scene *scene, rbl_surface *surface, rbl_surface_body_id body,
                       const rbl_surface_split_def *def, rbl_surface_body_id *pieces);

/// The same for several bodies at once.
rbl_result scene_split_bodies(surface_scene *scene, rbl_surface *surface,
                              const rbl_surface_body_id *bodies, int count,
                              const rbl_surface_split_def *defs, rbl_surface_body_id *pieces);

/// From 0 to 1.
double scene_random(surface_scene *scene);

scene_body *scene_add_body(surface_scene *scene, rbl_surface_body_id id);

/// Room for positions and labels, contents lost when it grows.
bool scene_reserve(surface_scene *scene, int vertices, int triangles);

/// Let a body fly from where it is.
bool scene_launch(surface_scene *scene, const rbl_surface *surface, scene_body *body);

/// Move all bodies that fly.
bool scene_fly(surface_scene *scene, rbl_surface *surface, double dt, double gravity);
