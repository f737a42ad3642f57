// SPDX-License-Identifier: MIT
// Breaking a compound: what the steps share.
//
// Everything is computed beside the compound, the new compounds included. The compound changes
// last, when nothing can fail any more.
#pragma once

#include "fracture/compound.h"
#include "fracture/pieces.h"
#include "fracture/connectivity.h"
#include "fracture/pattern.h"

/// A piece of a part in a cell.
typedef struct rbl_break_piece {
	rbl_convex *convex; // NULL: welded into another
	rbl_mesh *mesh;
	double volume;
	rbl_mass visual; // as of a part, where it is known already
	uint64_t shape;
	int parent;       // the part; of a welded piece the first
	int next_of_weld; // the next piece that was welded with it, -1 last
	int cell;         // cell_count + k: beyond wall k of the pattern
	int group;        // RBL_GROUP_REST, or what it stays together with
	int material;
	double strength, damage; // as of a part; the damage is known when fragments are made
	bool is_anchored;
	int face_end;       // faces of the convex from here on came of the fit, and touch nothing
	bool is_rough;      // its mesh may reach out of its convex
	bool is_whole;      // the part itself: convex and mesh are still the part's
	bool is_outside;    // of the impact
	int fragment, slot; // where it goes: -1 the compound that is broken
} rbl_break_piece;

enum { RBL_GROUP_REST = 0 };

/// What goes into a compound.
typedef struct rbl_fragment_size {
	int parts, bonds;
} rbl_fragment_size;

/// One cell against one part.
typedef struct rbl_break_task {
	int part, cell;
	rbl_convex *convex;
	double volume;
	bool is_whole, is_outside, is_flat;
} rbl_break_task;

/// Cuts a convex by one cell after the other: it is loaded once.
typedef struct rbl_cell_clipper {
	rbl_clipper carving; // what is left of it
	rbl_clipper whole;
	const rbl_convex *loaded; // NULL: nothing is
	double tolerance;         // vertices within this of a plane are on it
} rbl_cell_clipper;

/// The cut of one part's mesh by the cells that it meets.
typedef struct rbl_mesh_cut {
	int part;
	rbl_jobs *jobs;
	const int *chosen; // the cells that the part meets; those of the pieces, by number
	int chosen_count;
	rbl_solid *making;        // the part's mesh as a solid, while it is made
	int paid_steps;           // of making it
	rbl_cells cells;          // copies of these, while they are made
	rbl_cell_picking picking; // that makes them, of many in slices
	int clipped_count;        // triangles that were clipped, once for each cell
	rbl_pieces *mesh_pieces;  // NULL: not begun
	rbl_cut_task *cutting;    // that makes them, NULL: they are there
	double tolerance;         // of the fit
	bool is_done;
	RBL_ARRAY(rbl_break_piece) pieces;
	rbl_result result; // where several parts are cut at once
} rbl_mesh_cut;

/// The search for adjacent pieces while it is under way.
typedef struct rbl_break_adjacency {
	int count; // pieces, then parts around
	const rbl_convex **convexes;
	double *volumes;
	int *groups, *ends;
	unsigned char *loose;
	rbl_adjacency_search *search; // NULL: all that touch are found
	int *pairs;                   // that may overlap: two numbers each
	int pair_capacity, pair_count, next_pair;
	rbl_adjacent_pairs overlaps;
} rbl_break_adjacency;

/// Fragments on their way into compounds.
typedef struct rbl_fragment_making {
	int stage, next;          // what is done next
	int count;                // of fragments
	rbl_fragment_size *sizes; // of each; NULL: not begun
	bool is_worn;             // the compound was when it began
} rbl_fragment_making;

typedef struct rbl_breaker {
	rbl_compound *compound;
	const rbl_allocator *allocator;
	const rbl_break_def *def;
	rbl_placing placing;            // of the pattern, while it is under way
	const rbl_cells *cells;         // in the compound's coordinates
	rbl_boxd *cell_boxes;           // of each, empty ones for empty cells
	const rbl_pattern *pattern;     // colors; NULL: each cell its own
	uint64_t plane_base, plane_end; // ids of the cells' planes

	RBL_ARRAY(int) touched; // parts, ascending
	RBL_ARRAY(int) around;  // parts beside them
	RBL_ARRAY(rbl_break_task) tasks;
	RBL_ARRAY(int) chosen; // cells that parts with a mesh meet, one part after the other
	int *chosen_starts;    // per part that was touched at first, and the end
	int chosen_capacity;
	int64_t clipped_count, clip_limit; // triangles clipped so far
	int next_task, next_touched;       // what is to be done next
	int first_piece;                   // piece of the part that is to be done next
	rbl_mesh_cut mesh_cut;             // of its mesh
	rbl_mesh_cut *all_cuts; // or those of all parts that are touched, done at once; or NULL
	int all_count;
	int kept, taken;                   // touched parts and tasks that are through
	RBL_ARRAY(rbl_break_piece) pieces; // alive ones first, then those that were welded
	int piece_count;
	rbl_break_adjacency adjacency;
	rbl_adjacent_pairs
		adjacent;      // made, then around; those between other parents than bonded ones left out
	double *strengths; // per adjacent pair
	double *damages;   // likewise, known when fragments are made
	int strength_count;

	RBL_ARRAY(int) broken_bonds;
	RBL_ARRAY(int) seeds; // of the search
	bool is_unchanged;    // nothing came apart
	rbl_result *results;  // per fragment

	rbl_overlay overlay;
	rbl_component_search *search; // under way, or NULL
	rbl_components components;
	int from_groups;        // fragments that are groups; components of the rest follow
	rbl_fragment_size rest; // what comes into the compound
	rbl_fragment_making making;
	RBL_ARRAY(rbl_compound *) fragments;
	RBL_ARRAY(rbl_break_overlap) overlaps;
	rbl_break_data counts;
	bool keeps_anchors; // of parts that stay whole: others come off what they were fixed to
} rbl_breaker;

/// Begin to cut all parts of a compound by a pattern, and no more: a break that ends with its
/// pieces. @return as rbl_begin_break()
rbl_result rbl_begin_division(rbl_compound *compound, const rbl_break_def *def, rbl_task **task);

/// A division that is ready. Its pieces are the task's until they are taken: convex and mesh NULL.
/// Those that are whole are still their part.
typedef struct rbl_division {
	rbl_break_piece *pieces;
	int count;
	uint64_t plane_end; // of ids of planes
} rbl_division;

rbl_division rbl_division_get(rbl_task *task);

/// What pieces of one division have in common that stay together: the color of their cell, or that
/// there is none.
uint64_t rbl_division_color(const rbl_task *task, const rbl_break_piece *piece);
uint64_t rbl_break_piece_color(const rbl_breaker *b, const rbl_break_piece *piece);

/// A compound of what will remain, which owns nothing. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_break_list_rest(const rbl_breaker *b, rbl_compound **rest);

/// What two parts shared whose bond is gone: corners counter-clockwise around `normal`.
typedef struct rbl_exposed_polygon {
	int first_corner, corner_count;
	rbl_vec3d normal;
} rbl_exposed_polygon;

/// A part that had a face under such a polygon.
typedef struct rbl_exposed_part {
	int polygon;
	int compound, part; // as in rbl_exposed_triangle
	int piece;          // the piece, until it has a place; -1: it is none
} rbl_exposed_part;

struct rbl_break {
	rbl_allocator allocator;
	uint64_t plane_base, plane_end; // ids of the planes that it cut with
	RBL_ARRAY(int) rest_parts;      // parts of the broken compound that it made
	RBL_ARRAY(int) gone_parts;      // and those that were cut or came off
	RBL_ARRAY(rbl_exposed_polygon) exposed_polygons;
	RBL_ARRAY(rbl_vec3d) exposed_corners;
	RBL_ARRAY(rbl_exposed_part) exposed_parts;
	rbl_break_data data; // points to the arrays
	RBL_ARRAY(rbl_compound *) fragments;
	RBL_ARRAY(rbl_break_overlap) overlaps;
};

/// An empty break. @return NULL when memory ran out
rbl_break *rbl_break_new(const rbl_allocator *allocator);

/// @return the distance of a point from a convex, 0 inside.
double rbl_convex_distance(const rbl_convex *convex, rbl_vec3d point);

/// @return the point of a convex that is nearest to a point: itself inside.
rbl_vec3d rbl_convex_nearest_point(const rbl_convex *convex, rbl_vec3d point);

/// Find the parts that the impact touches.
rbl_result rbl_break_find_touched(rbl_breaker *b);

void rbl_cell_clipper_init(rbl_cell_clipper *clipper, const rbl_allocator *allocator);
void rbl_cell_clipper_destroy(rbl_cell_clipper *clipper);

/// Cut a convex by a cell, into the clipper's carving. @param is_whole  receives whether no plane
/// met it
rbl_cut_result rbl_break_clip_to_cell(const rbl_breaker *b, rbl_cell_clipper *clipper,
                                      const rbl_convex *convex, int cell, bool *is_whole);

/// Cut the touched parts: fills `pieces` and leaves out of `touched` what stays whole. First
/// list which cells meet which parts, and see that they are not too many; then do some of the
/// cuts, as often as it takes; the result is that of doing all at once. @param budget  in cuts of a
/// convex by a cell, > 0; what was done is taken from it
rbl_result rbl_break_cut_begin(rbl_breaker *b);
rbl_result rbl_break_cut_some(rbl_breaker *b, int *budget, bool *is_done);

/// Pieces of the part of a cut, added to its `pieces`, as many as the budget allows; what was done
/// is taken from it. Sets is_done after the last.
rbl_result rbl_break_mesh(rbl_breaker *b, rbl_mesh_cut *cut, int *budget);

/// Cut the meshes of all parts that are touched and not yet done, several at once, into `all_cuts`.
rbl_result rbl_break_all_meshes(rbl_breaker *b);

/// Fill in part and cells of a cut. @param touched  the part's place among those that are
/// touched
void rbl_mesh_cut_set_up(const rbl_breaker *b, rbl_mesh_cut *cut, int touched);

/// Forget a cut and its pieces.
void rbl_mesh_cut_free(rbl_breaker *b, rbl_mesh_cut *cut);

/// Make a convex around a mesh: what the carving holds, cut by the planes of the fit; without one,
/// or where nothing is left of it, the planes alone. The carving is used up.
/// @param tolerance  planes that take away less than this are left out
/// @param face_end   receives the number of faces that did not come of the fit, which are the first
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_fit_convex(const rbl_mesh *mesh, rbl_fit fit, rbl_clipper *carving, double tolerance,
                          const rbl_allocator *allocator, rbl_convex **convex, int *face_end);

/// Groups, welding, and the start of the adjacency search. Fills `around`.
rbl_result rbl_break_group_pieces(rbl_breaker *b);

/// Adjacent pieces, as much as the budget allows: in cuts of a convex by a cell. Fills `adjacent`
/// and `strengths`. A search that is not through must be ended.
rbl_result rbl_break_adjacency_begin(rbl_breaker *b);
rbl_result rbl_break_adjacency_some(rbl_breaker *b, int *budget, bool *is_done);
void rbl_break_adjacency_end(rbl_breaker *b);

/// Fill in what pieces and their bonds inherit of the wear of their parents.
void rbl_break_inherit_damage(rbl_breaker *b);

/// Mark touched parts and their surroundings again, after other searches wrote to the compound.
void rbl_break_mark_again(rbl_breaker *b);

/// Components of pieces and of the rest, as much as the budget allows: in cuts of a convex by a
/// cell. They count as long as the compound's stamp is that of the mark.
rbl_result rbl_break_search_begin(rbl_breaker *b);
rbl_result rbl_break_search_some(rbl_breaker *b, int *budget, bool *is_done);

/// Forget search and fragments; marks count no longer.
void rbl_break_forget_search(rbl_breaker *b);

/// Make `fragments` of the components, as many as the budget allows: in cuts of a convex by a cell.
/// A compound that is worn is done in one go, since damage must be that of the end.
/// @return RBL_OK also when nothing came apart: then there are none
rbl_result rbl_break_make_some(rbl_breaker *b, int *budget, bool *is_done);

/// Reserve capacity in the compound, so that the change cannot fail.
rbl_result rbl_break_reserve_rest(rbl_breaker *b);

/// Change the compound. Cannot fail.
void rbl_break_commit(rbl_breaker *b);
