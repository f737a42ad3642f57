// SPDX-License-Identifier: MIT
// Contours of intersections: what the files that find them share.
#pragma once

#include "surface/surface.h"

/// The half-edge that names an edge: the lower of two twins; of an edge that joins nothing, each
/// its own.
static inline int rbl_surface_edge_name(const rbl_surface *surface, int half_edge)
{
	int twin = surface->twins[half_edge];
	return twin >= 0 && twin < half_edge ? twin : half_edge;
}

/// Where a vertex lies beside a face, 1 in front or -1 behind: as in rbl_orient3d_perturbed().
int rbl_surface_perturbed_side(const rbl_surface *surface, int triangle, int vertex);

/// Which side of a contour the edge of a crossing belongs to. @param i  of the contour's crossings
static inline int rbl_surface_crossing_side(const rbl_surface_contour_lists *lists,
                                            const rbl_surface_contour *contour, int i)
{
	int segment = contour->begin + rbl_mini(i, contour->count - 1);
	int face = lists->crossings.data[contour->crossing_begin + i].triangle;
	return face == lists->pairs.data[segment].a;
}

/// Join the pairs of the last list. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_find_contours(rbl_surface *surface);

// --- regions (contour_regions.c) ----------------------------------------------------------------

/// Memory for flooding regions that contours bound. All by id; in scratch memory.
typedef struct rbl_surface_regions {
	rbl_surface *surface;
	unsigned char *crossings; // by name of an edge: how often it is crossed, at least its parity
	int *corner_marks, *triangle_marks, *vertex_marks;
	int *queue;     // corners: one region from its start on, the other from its end
	int queue_size; // three per triangle
	int counts[2];  // of corners in either
	int stamp;      // of corners, triangles and vertices: two numbers for each use
	int walls[2];   // vertices that are not entered, or -1
	bool have_met;
} rbl_surface_regions;

/// @return false when memory ran out
bool rbl_surface_init_regions(rbl_surface_regions *regions, rbl_surface *surface);

/// Count the crossings of a contour with edges of one side, or take them back.
void rbl_surface_count_crossings(rbl_surface_regions *regions, const rbl_surface_contour *contour,
                                 int side, bool is_added);

/// Begin to flood: nothing is marked.
void rbl_surface_begin_regions(rbl_surface_regions *regions);

/// Flood from a corner. Corners of one vertex, and of a triangle along an edge that is crossed an
/// even number of times, belong together.
void rbl_surface_enter_region(rbl_surface_regions *regions, int region, int corner);

/// Flood the first region to its end.
void rbl_surface_flood(rbl_surface_regions *regions);

/// Add the vertices of a region to a list, ascending. @return false when memory ran out
bool rbl_surface_add_region_vertices(rbl_surface_regions *regions, int region,
                                     rbl_surface_ids *list);

/// Find what every contour has inside. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_find_insides(rbl_surface *surface);
