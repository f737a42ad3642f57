// SPDX-License-Identifier: MIT
// The plan of the Roman arena, and the means to place parts in it. ("Arena" in this code base is
// memory; so inside, the building is an amphitheatre.)
//
// All parts are made in the straight space of one bay: x along the front from the bay's middle, y
// up, z outwards from the face of the wall, in units of which a bay is RBL_BAY wide. Then they
// are bent around the ellipse. Lines along z stay straight, and the planes x = +-RBL_BAY / 2 of
// neighbouring bays are the same bits, so parts that touch there touch exactly.
#pragma once

#include "procedural/shapes.h"

#define RBL_BAY 5.8
#define RBL_HALF_BAY (0.5 * RBL_BAY)

enum { RBL_STONE_TINTS = 3, RBL_BAY_STEPS = 32 };

typedef struct rbl_amphitheatre {
	rbl_builder *builder;
	uint64_t random; // state of the random numbers
	int bays, detail;
	double unit;   // metres per unit
	double a, b;   // half axes of the front, in units
	double depth;  // from the front to the edge of the sand
	double *turns; // angles of a quarter of the bay lines, RBL_BAY_STEPS per bay
	int stones[RBL_STONE_TINTS];
	int marble, sand, wood, tiles;

	// Heights in units.
	double floors[4]; // where the storeys begin, and the top
	double podium;

	// Rows of seats: those of the lower ring, and of the upper one behind the walk.
	int lower_rows, upper_rows;
	double row_depth, row_rise;
} rbl_amphitheatre;

/// Where a part goes: the middle of its straight space in bays around the front.
typedef struct rbl_bay_place {
	const rbl_amphitheatre *amphitheatre;
	double bay;
} rbl_bay_place;

/// Bend the vertices from `first` on around the ellipse.
void rbl_amphitheatre_bend(const rbl_amphitheatre *am, double bay, int first);

/// Move the vertices from `first` on as a rigid part: its origin goes to (0, 0, z) of a bay, its z
/// axis along the normal of the ellipse there.
void rbl_amphitheatre_stand(const rbl_amphitheatre *am, double bay, double z, int first);

/// Use one of the stone tints for the faces to come.
void rbl_amphitheatre_pick_stone(rbl_amphitheatre *am);

/// A bent prism from x0 to x1. Its profile has z as radius and runs from the top down the front,
/// then up the back.
void rbl_amphitheatre_prism(rbl_amphitheatre *am, double bay, double x0, double x1,
                            const rbl_profile_point *profile, int count);

/// A bent box.
void rbl_amphitheatre_block(rbl_amphitheatre *am, double bay, rbl_vec3d lower, rbl_vec3d upper);

/// A bent wall with an arched opening that reaches down to its foot.
void rbl_amphitheatre_arched_wall(rbl_amphitheatre *am, double bay, rbl_vec3d lower,
                                  rbl_vec3d upper, double radius, double spring);

/// An upright column of the given height above `y`, fluted when `detail` is 4 or more.
void rbl_amphitheatre_column(rbl_amphitheatre *am, double bay, double z, double y, double height,
                             double radius, int detail);

/// The outside: steps, piers, arches, columns, entablatures, attic, masts.
void rbl_amphitheatre_add_front(rbl_amphitheatre *am);

/// The inside: corridors, radial walls, seats, stairs, gallery, podium, sand.
void rbl_amphitheatre_add_inside(rbl_amphitheatre *am);

/// The centre stand with its temple.
void rbl_amphitheatre_add_temple(rbl_amphitheatre *am);
