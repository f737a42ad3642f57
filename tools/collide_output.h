// SPDX-License-Identifier: MIT
// What `rubble collide` writes: lists as JSON, and all triangles as a mesh, with a material for those
// that intersect.
#pragma once

#include <rubble/base.h>
#include <rubble/surface_contours.h>

#include <stdio.h>

/// What was found, copies on the heap: pairs at an instant or hits within a step, and what is near.
typedef struct collide_lists {
	rbl_surface_pair *pairs;
	rbl_surface_hit *hits;
	rbl_surface_near_pair *near_pairs;
	int pair_count, hit_count, near_count;

	/// Of pairs at an instant; pointers are copies, too.
	rbl_surface_contours contours;
	rbl_surface_overlaps overlaps;
} collide_lists;

/// Copy lists, which live until the next query, after those that are there.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result keep_found(collide_lists *lists, rbl_surface_pairs pairs, rbl_surface_hits hits);
rbl_result keep_near(collide_lists *lists, rbl_surface_near_pairs near_pairs);
rbl_result keep_contours(collide_lists *lists, const rbl_surface_contours *contours,
                         const rbl_surface_overlaps *overlaps);
void free_lists(collide_lists *lists);

/// Write the triangles of a surface, as they are at the end of the step.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, or what rbl_write_mesh() says
rbl_result write_colliding_mesh(const char *path, const rbl_surface_data *data,
                                const collide_lists *lists);

/// Write the lists as members of a JSON object, a comma before each. Bodies are numbered from 0.
void write_json_lists(FILE *file, const collide_lists *lists, bool is_step, bool has_near);
