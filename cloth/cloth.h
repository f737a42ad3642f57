// SPDX-License-Identifier: MIT
// A small cloth solver beside the core: sheets of particles that stretch, bend, tear, lie on the
// bodies of a world and on themselves. It is a client of the public headers, as a program of yours
// would be: rubble/obstacles.h puts the bodies into a surface, rubble/surface.h finds what is near
// and what would pass through, rubble/surface_edit.h tears,
// rubble/surface_cut.h cuts.
//
//     cloth *c;
//     cloth_def def = cloth_default_def();
//     cloth_create(&def, world, &c);
//     cloth_sheet_def sheet = cloth_default_sheet_def();
//     cloth_add_sheet(c, &sheet, NULL);
//     for (;;) {
//         rbl_world_step(world, dt);
//         cloth_step(c, dt); // after each step of the world
//     }
//
// The same calls give the same bits for any number of workers, and so does a cloth that was saved
// and loaded between two steps.
#pragma once

#include <rubble/rubble.h>

/// All sheets of a world.
typedef struct cloth cloth;

/// How to make one. Start from cloth_default_def().
typedef struct cloth_def {
	/// Default 0, -9.81, 0.
	rbl_vec3 gravity;

	/// Velocity of the air, in metres per second. Default 0, 0, 0.
	rbl_vec3 wind;

	/// What the air weighs, times the drag of a plate, in kilograms per cubic metre, at least 0.
	/// Default 1.2.
	float air;

	/// How a step is divided, 1 to 64. Default 8.
	int substep_count;

	/// How often constraints are solved in a sub-step, 1 to 64. Default 2.
	int iteration_count;

	/// The share of its velocity that a particle loses in a second, 0 to 10. Default 0.2.
	float damping;

	/// Whether cloth pushes dynamic bodies: impulses of contacts, once a step. Bodies that cloth
	/// lies on stay awake then. Default false.
	bool pushes_bodies;

	/// What of bodies is an obstacle.
	rbl_obstacles_def obstacles;

	/// Workers of the surface, or NULL.
	rbl_jobs *jobs;
} cloth_def;

cloth_def cloth_default_def(void);

/// Make a cloth without sheets.
/// @param world  whose bodies are obstacles, must outlive it; NULL: there are none
/// @param made   receives it, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
rbl_result cloth_create(const cloth_def *def, rbl_world *world, cloth **made);

/// Destroy it. NULL is fine.
void cloth_destroy(cloth *c);

/// A sheet: a rectangle across its pose's y axis, or any triangles. Start from
/// cloth_default_sheet_def().
typedef struct cloth_sheet_def {
	/// Where its middle is.
	rbl_transform pose;

	/// Along x and z of the pose, in metres, above 0. Default 1, 1.
	float size[2];

	/// Cells along both, 1 to 1024. Default 16, 16.
	int cells[2];

	/// Triangles instead of a rectangle, in the frame of the pose: set all four.
	const rbl_vec3 *positions;
	int vertex_count;
	const int *triangles;
	int triangle_count;

	/// How far from bodies and from itself it stays, in metres, above 0. Default 0.01.
	float thickness;

	/// In kilograms per square metre, above 0. Default 0.3.
	float density;

	/// What an edge pulls with when it is twice as long, in newtons, above 0. Default 2000.
	float stiffness;

	/// The same of the distance across two triangles, at least 0. Default 2.
	float bending;

	/// Against bodies and itself, at least 0. Default 0.4.
	float friction;

	/// It tears where an edge is longer than at rest by this share; 0: nowhere. Default 0.
	float tear_strain;
} cloth_sheet_def;

cloth_sheet_def cloth_default_sheet_def(void);

/// Add a sheet. Its particles follow those that are there: of a rectangle, row by row along x.
/// @param first  receives the number of its first particle; may be NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
rbl_result cloth_add_sheet(cloth *c, const cloth_sheet_def *def, int *first);

/// Hold a particle where it is.
/// @param body      what it moves with; null: nothing
/// @param releases  let go when the piece of the body that it is at comes off the rest. Otherwise
///                  it goes with that piece
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY
rbl_result cloth_pin(cloth *c, int particle, rbl_body_id body, bool releases);

/// Let go of a particle. @return RBL_OK, RBL_BAD_ARGUMENT (it is not held)
rbl_result cloth_unpin(cloth *c, int particle);

/// Move a pin that holds no body: the particle goes there within the next step.
rbl_result cloth_move_pin(cloth *c, int particle, rbl_vec3 to);

/// Change the velocity of the air.
void cloth_set_wind(cloth *c, rbl_vec3 wind);

/// Cut with a knife, between two steps: all that a triangle passes through. A cut that goes on where
/// the last one ended is one cut. What is held stays held on both sides.
/// @param handle     the corner of the triangle that the blade turns around, away from the cloth
/// @param from       the tip of the blade at the beginning, and `to`: at the end
/// @param cut_count  receives how many triangles it changed; may be NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (destroy the cloth then)
rbl_result cloth_cut(cloth *c, rbl_vec3 handle, rbl_vec3 from, rbl_vec3 to, int *cut_count);

/// Step, after the world has stepped by the same time.
/// @param dt  in seconds, above 0
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (the state is that before the call, or after
///         it but for tears)
rbl_result cloth_step(cloth *c, float dt);

/// What there is, until the next change or step.
typedef struct cloth_data {
	int particle_count, triangle_count, sheet_count, pin_count;

	/// Of particles: where they are, how fast, and where they were before the last step.
	const rbl_vec3 *positions, *velocities, *starts;

	/// In kilograms.
	const float *masses;

	/// Three particles each.
	const int *triangles;

	/// The sheet of each triangle, and of each particle.
	const int *triangle_sheets, *particle_sheets;
} cloth_data;

cloth_data cloth_get_data(const cloth *c);

/// Where a particle is while its sheet is at rest.
rbl_vec3 cloth_rest_position(const cloth *c, int particle);

/// The surface, with the bodies of all sheets and the obstacles: to look at between steps.
rbl_surface *cloth_get_surface(cloth *c);
const rbl_obstacles *cloth_get_obstacles(const cloth *c);

/// Numbers about the last step, and since the beginning.
typedef struct cloth_stats {
	/// Pairs that were near, those that touched, and those that would have passed through.
	int near_count, contact_count, hit_count;

	/// Hits that no motion of the cloth could avoid: it is held between bodies.
	int unresolved_count;

	/// Vertices that were torn apart, and pins that let go, since the beginning.
	int tear_count, release_count;
} cloth_stats;

cloth_stats cloth_get_stats(const cloth *c);

/// Kinetic energy, and that of gravity, in joule. What stretched edges have is not in it: it is small,
/// and in a step of a few sub-steps not what their stiffness says.
double cloth_energy(const cloth *c);

/// @return a hash of the whole state.
uint64_t cloth_hash(const cloth *c);

/// Write the state as bytes, between two steps.
/// @param bytes  NULL: only find the size
/// @param size   the space that is there; receives what it takes
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (too little space)
rbl_result cloth_save(const cloth *c, void *bytes, size_t *size);

/// Make a cloth of such bytes, in a world that was loaded from what was saved together with it.
/// @return as cloth_create(), or RBL_BAD_FILE: the bytes are none of cloth_save()
rbl_result cloth_load(const void *bytes, size_t size, const cloth_def *def, rbl_world *world,
                      cloth **made);
