// SPDX-License-Identifier: MIT
// Surfaces that collide with themselves, made of one model: refined, crumpled, doubled.
//
// Only + - * / and floor in doubles, then rounded to floats, so that every program that follows the
// recipe has the same numbers: known counts of colliding pairs can be compared pair for pair.
#pragma once

#include <rubble/mesh.h>
#include <rubble/types.h>

#include <stdbool.h>

/// Triangles over vertices, on the heap. There is room for one vertex more.
typedef struct bunny {
	rbl_vec3 *positions;
	int vertex_count;
	int *triangles; // three each
	int triangle_count;
} bunny;

/// Copy a mesh, faces cut into triangles. @return false when memory ran out
bool bunny_from_mesh(bunny *b, const rbl_mesh *mesh);

bool bunny_copy(bunny *b, const bunny *from);

void bunny_free(bunny *b);

/// Split the longest edge (of equal ones that with the lower vertices) until there are `count`
/// triangles or more.
bool bunny_refine(bunny *b, int count);

/// Push vertices along waves. Above about 1 the surface passes through itself; 1.6 is the customary
/// amount, and 1.65 the end of a step from there.
void bunny_crumple(bunny *b, double amount);

/// Turn and shift a little, so that it crosses where it was.
void bunny_move(bunny *b);

/// Add the vertices and triangles of another.
bool bunny_append(bunny *b, const bunny *other);
