// SPDX-License-Identifier: MIT
// Inside a cloth.
#pragma once

#include "cloth/cloth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// An array that grows: CLOTH_RESERVE(&c->edges, n) is false when memory ran out.
#define CLOTH_ARRAY(type)    \
	struct {                 \
		type *data;          \
		int count, capacity; \
	}
#define CLOTH_RESERVE(array, wanted)  \
	((wanted) <= (array)->capacity || \
	 cloth_grow((void **)&(array)->data, &(array)->capacity, (wanted), sizeof *(array)->data))
#define CLOTH_PUSH(array, value)                                                                  \
	(CLOTH_RESERVE(array, (array)->count + 1) ? ((array)->data[(array)->count++] = (value), true) \
	                                          : false)
#define CLOTH_FREE(array) \
	(free((array)->data), (array)->data = NULL, (array)->count = (array)->capacity = 0)

bool cloth_grow(void **data, int *capacity, int wanted, size_t size);

/// Say what is wrong. @return the result
rbl_result cloth_fail(rbl_result result, const char *text);

typedef struct cloth_sheet {
	rbl_surface_body_id body;
	float thickness, density, stiffness, bending, friction, tear_strain;
	float edge; // mean length at rest
} cloth_sheet;

/// Two particles and the distance that they want to have.
typedef struct cloth_edge {
	int a, b;
	float length;     // at rest
	float compliance; // metres per newton
	int opposite[2];  // corners across, -1: none; of edges of triangles
} cloth_edge;

typedef struct cloth_pin_record {
	int particle;
	bool releases;
	rbl_body_id body; // null: none
	rbl_vec3 at;      // in the body's frame, or in the world
} cloth_pin_record;

/// A point that does not move by the cloth: a vertex of an obstacle.
typedef struct cloth_outer_point {
	rbl_vec3 start, end;
} cloth_outer_point;

/// A feature by names that do not depend on what was in the surface before.
typedef struct cloth_key {
	uint64_t body; // of the world's and its part; 0: the cloth
	int x, y;
} cloth_key;

/// A vertex and a face, or two edges, that are near each other.
typedef struct cloth_contact {
	rbl_surface_hit_kind kind;
	cloth_key keys[2];
	int points[4];      // particle, or -1 - index of an outer point
	rbl_vec3 direction; // from b to a, at the start of the step
	float gap;          // how far apart they are then; below 0: inside an obstacle
	float thickness;    // how far apart they should be
	int outer_edge;     // of the surface, of an obstacle; -1: none
	float tie;          // tells those with the same names apart
	float friction;
	float pushed;              // in this sub-step, 0: not touching; kilogram metres
	float weights[4];          // then
	rbl_vec3 normal;           // then
	float total;               // impulse over the step, in newton seconds
	rbl_surface_body_id outer; // an obstacle's body, or null
} cloth_contact;

struct cloth {
	cloth_def def;
	rbl_world *world;
	rbl_surface *surface;
	rbl_obstacles *obstacles;

	CLOTH_ARRAY(cloth_sheet) sheets;

	// Particles; all arrays have `particle_count` entries.
	int particle_count, particle_capacity;
	rbl_vec3 *positions, *velocities, *rest, *starts, *before;
	float *masses, *weights;                  // weights: inverse masses, 0 of what is held
	int *particle_sheets, *particle_vertices; // vertex ids in the surface
	bool *changed;                            // scratch

	CLOTH_ARRAY(int) particles; // by vertex id of the surface, -1: not of the cloth

	int triangle_count, triangle_capacity;
	int *triangles, *triangle_sheets, *triangle_ids; // ids in the surface

	CLOTH_ARRAY(int) triangles_by_id; // by triangle id of the surface, -1

	CLOTH_ARRAY(cloth_pin_record) pins;

	CLOTH_ARRAY(cloth_edge) edges;
	CLOTH_ARRAY(cloth_edge) bends;
	CLOTH_ARRAY(cloth_contact) contacts;
	CLOTH_ARRAY(cloth_outer_point) outer;
	CLOTH_ARRAY(int) outer_of;     // by vertex id: index of an outer point + 1, 0: none yet
	CLOTH_ARRAY(rbl_vec3) targets; // of pins, at the end of the step
	CLOTH_ARRAY(rbl_vec3) scratch, scratch2;
	CLOTH_ARRAY(int) ints, ints2, ints3;

	cloth_stats stats;
};

static inline bool cloth_is_outer(int point)
{
	return point < 0;
}

// --- cloth.c ------------------------------------------------------------------------------------

bool cloth_reserve_particles(cloth *c, int count);
bool cloth_reserve_triangles(cloth *c, int count);

/// Find edges and bends of all triangles again, and the masses of particles.
/// @return false when memory ran out
bool cloth_find_edges(cloth *c);

/// Note which vertices and triangles of the surface are whose. @return false when memory ran out
bool cloth_map_surface(cloth *c);

/// Add the triangles of a sheet to the surface. @return as rbl_surface_add()
rbl_result cloth_enter_sheet(cloth *c, int sheet);

// --- contacts.c ---------------------------------------------------------------------------------

/// Move all sheets in the surface, from `start` to `end`, and update it.
rbl_result cloth_move_surface(cloth *c, const rbl_vec3 *start, const rbl_vec3 *end);

/// Find what comes near in the step, if all goes on as it moves now.
rbl_result cloth_find_contacts(cloth *c, float dt);

/// Keep apart what is near. @param share  of the step that has passed; h: of the sub-step
void cloth_solve_contacts(cloth *c, float share, float h, float dt);

/// What was pushed apart does not fly apart.
void cloth_damp_contacts(cloth *c, float dt);

/// Take back what would pass through anything.
rbl_result cloth_stop_hits(cloth *c, float dt);

// --- tear.c -------------------------------------------------------------------------------------

rbl_result cloth_tear(cloth *c);
