// SPDX-License-Identifier: MIT
// Scenes of rigid bodies, described in numbers, so that every engine gets the same.
//
// A shape is a ball or a convex polyhedron around its centre of mass in its principal frame: its
// inertia is diagonal. y is up, units are metres, kilograms and seconds. The same scene has the
// same bits everywhere.
//
//   pile        hulls of 12 random points on an ellipsoid of half axes 0.2 to 0.3 m, radii jittered
//               by 10 %, fall from 20 x 20 columns 0.7 m apart into a box of 14.4 x 14.4 m
//   wall        50 x 40 bricks of 0.4 x 0.2 x 0.2 m, odd rows shifted by a quarter brick, faces that
//               just touch; for wall-hit a ball of 1 m and 50 bricks' mass comes at 20 m/s
//   cards       a house of five storeys: leaning pairs, and cards that bridge them
//   arch        15 wedges make half a circle without mortar
//   tower       40 cubes of half a metre on top of each other
//   rest        the pile, to be settled first; then a ball drops into it every second
//   burst       the pile, to be settled first; then every tenth body is replaced by a new one of the
//               same form
#pragma once

#include <rubble/types.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	RIGID_MAX_VERTICES = 12,
	RIGID_MAX_FACES = 20,
	RIGID_MAX_CORNERS = 60,
	RIGID_MAX_EDGES = 30,
};

/// A convex polyhedron, or a ball when the radius is not 0. Density 1000 kg/m3 unless told.
typedef struct rigid_shape {
	double radius;
	int vertex_count, face_count, edge_count;
	rbl_vec3d vertices[RIGID_MAX_VERTICES];
	int face_starts[RIGID_MAX_FACES + 1]; // corners of a face, counter-clockwise from outside
	int corners[RIGID_MAX_CORNERS];
	rbl_planed planes[RIGID_MAX_FACES]; // of the faces, outward
	int edges[RIGID_MAX_EDGES][2];
	bool is_box; // then `half` is half its size
	rbl_vec3d half;
	double mass;
	rbl_vec3d inertia; // diagonal, about the origin
} rigid_shape;

typedef struct rigid_body {
	int shape;
	rbl_transformd pose;
	rbl_vec3d velocity;
	int birth_step; // it comes into the world before this step
	bool is_static;
} rigid_body;

typedef struct rigid_scene {
	const char *name;
	rigid_shape *shapes;
	int shape_count;
	rigid_body *bodies; // static ones first
	int body_count, static_count;
	double friction, gravity, dt;
	int step_count;     // of a whole run
	int first_timed;    // times are taken from this step on
	int settle_steps;   // to be run before step 0, untimed
	bool is_sleeping;   // bodies at rest may sleep
	rbl_boxd inside;    // a centre outside has escaped
	int replaced_count; // burst: bodies that are replaced before step 0, see rigid_replacement()
} rigid_scene;

/// What an engine says of a body.
typedef struct rigid_state {
	rbl_transformd pose;
	rbl_vec3d velocity;
} rigid_state;

/// Make a scene: pile, wall-stand, wall-hit, cards, arch, tower, rest, burst.
/// @param count  bodies of pile, rest and burst; the others have their own number, unless 0 < count:
///               then rows of the wall, storeys of the house, wedges of the arch, cubes of the tower
/// @return false for an unknown name, or when memory ran out
bool rigid_scene_open(rigid_scene *scene, const char *name, int count);

void rigid_scene_close(rigid_scene *scene);

/// The body and the shape of the k-th replacement in a burst.
int rigid_replacement(const rigid_scene *scene, int k, rigid_shape *shape);

/// A hull of 12 random points in its principal frame, the same for the same seed.
void rigid_random_hull(rigid_shape *shape, uint64_t seed);

/// A polyhedron of six faces; the vertices come as x + 2 y + 4 z counts the low and high sides.
/// They are moved to the centre of mass. @return that centre
rbl_vec3d rigid_hexahedron(rigid_shape *shape, const rbl_vec3d vertices[8], double density);

/// A box of half sizes.
void rigid_box(rigid_shape *shape, rbl_vec3d half, double density);

/// A ball.
void rigid_ball(rigid_shape *shape, double radius, double mass);

/// What the reference finds, by an exact separating-axis test over all pairs of polyhedra that move.
/// Balls count among the escaped alone.
typedef struct rigid_verdict {
	int overlap_count; // pairs that overlap at all
	double mean_mm, p99_mm, max_mm;
	int deep_count;       // pairs deeper than 2 cm
	int deepest[2];       // the bodies of the deepest pair
	double floor_mm;      // the deepest vertex below y = 0
	int escaped_count;    // centres outside scene->inside, or not finite
	double speed_mm_s;    // mean
	double max_speed_m_s; // fastest
	double height_m;      // mean
} rigid_verdict;

/// Judge the bodies of a scene in their states.
/// @param shapes  the shape of each body, or NULL for those of the scene
/// @param step    bodies born later are left out
/// @return false when memory ran out
bool rigid_measure(const rigid_scene *scene, const rigid_state *states,
                   const rigid_shape *const *shapes, int step, rigid_verdict *verdict);

/// The depth of the overlap of two polyhedra: the least over all face normals and all crosses of
/// edges; 0 when an axis parts them.
double rigid_overlap(const rigid_shape *a, const rbl_transformd *pose_a, const rigid_shape *b,
                     const rbl_transformd *pose_b);

#ifdef __cplusplus
}
#endif
