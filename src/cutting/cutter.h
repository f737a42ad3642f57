// SPDX-License-Identifier: MIT
// The inside of a cutter: a half-edge mesh, and the crack that runs through it.
//
// Half-edge 3 t + k belongs to triangle t and runs from its corner k to the next.
#pragma once

#include "base/hash.h"
#include "base/memory.h"

#include <rubble/cutter.h>

/// In `twins`, inside a step: nothing lies across yet.
#define RBL_CUT_OPEN (-1)

/// The sheet of a crack, as a height n over a plane with the axes u (along the front) and w (the
/// way it moves): n = front(u) + path(w - reach(u)). All polylines rise strictly in their first
/// coordinate.
typedef struct rbl_sheet {
	rbl_vec3d origin, u, w, n;
	double *front_u, *front_w, *front_n; // front_count
	double *path_w, *path_n, *path_t;    // path_count; t is the share of the length
	int front_count, path_count;
} rbl_sheet;

/// Where a point lies with respect to a sheet.
typedef struct rbl_sheet_point {
	double u, w;     // in the plane
	double side;     // height above the sheet
	double progress; // when the front comes by, DBL_MAX beside the front, -DBL_MAX behind its start
} rbl_sheet_point;

/// A point where the crack comes past: on an edge of the mesh, or on the front.
typedef struct rbl_cut_point {
	double u, w, progress;
	int half_edge;    // of the uncut edge, -1 when it is cut; front points: -1
	int vertex[2];    // front (above the sheet) and back (below); one vertex while nothing is open
	int next, prev;   // along the line where sheet and mesh meet, material on the left; or -1
	int opened[2];    // half-edges that this step took apart: to `next` above, from it below
	int polygon_next; // inside a step: along the border of the new strip, or -1
	int mark;         // the step that looked at it last
	bool is_shared;   // one vertex for both sides: a tip, or on the front
	bool is_reached;
	bool is_open; // the mesh is open from here to `next`
	rbl_vec3d position;
} rbl_cut_point;

/// A piece of the front inside the material, from point `a` to point `b`, the crack on its left.
typedef struct rbl_front_edge {
	int a, b;
	int half_edges[2]; // of the crack faces that meet here: above (b to a), below (a to b)
	int tips[2];       // where its chain of edges starts and ends on the surface
} rbl_front_edge;

struct rbl_cutter {
	rbl_allocator allocator;
	double spacing;
	RBL_ARRAY(rbl_vec3d) positions;
	RBL_ARRAY(int) triangles; // 3 per triangle, as the next two
	RBL_ARRAY(int) twins;
	RBL_ARRAY(int) edge_points; // the cut point on a half-edge, -1 without
	RBL_ARRAY(int) anchors;     // per vertex: a half-edge that starts there
	RBL_ARRAY(int) crack_ids;
	RBL_ARRAY(int) marks;   // per triangle: the step that touched it
	RBL_ARRAY(int) origins; // per triangle touched in this step: what it is a part of
	int step_number, next_crack_id;

	rbl_sheet sheet;
	bool has_crack;
	double progress;
	RBL_ARRAY(rbl_cut_point) points; // first those on edges, then those of fronts
	RBL_ARRAY(int) events;           // points on edges by progress
	int next_event, edge_point_count;
	RBL_ARRAY(rbl_front_edge) front; // chain by chain

	// What the last step did.
	RBL_ARRAY(int) changed;
	RBL_ARRAY(int) parts;
	RBL_ARRAY(int) sources;
	RBL_ARRAY(int) faces;
	rbl_map edges; // inside a step
	rbl_arena scratch;
};

static inline int rbl_next_half_edge(int h)
{
	return h % 3 == 2 ? h - 2 : h + 1;
}

static inline int rbl_prev_half_edge(int h)
{
	return h % 3 == 0 ? h + 2 : h - 1;
}

/// Measure a crack. @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (nothing to destroy)
rbl_result rbl_sheet_init(rbl_sheet *sheet, const rbl_allocator *allocator, const rbl_crack *crack);
void rbl_sheet_destroy(rbl_sheet *sheet, const rbl_allocator *allocator);

rbl_sheet_point rbl_sheet_at(const rbl_sheet *sheet, rbl_vec3d position);

/// The point of the sheet over (u, w).
rbl_vec3d rbl_sheet_position(const rbl_sheet *sheet, double u, double w);

/// The w that the front has at `u` when its progress is `t`.
double rbl_sheet_front_w(const rbl_sheet *sheet, double u, double t);

// --- steps on the half-edge mesh; room must be reserved before ---------------------------------

int rbl_cutter_add_vertex(rbl_cutter *cutter, rbl_vec3d position);
int rbl_cutter_add_triangle(rbl_cutter *cutter, int a, int b, int c, int crack_id);

/// Put a vertex on the edge of a half-edge: both triangles fall in two.
void rbl_cutter_split_edge(rbl_cutter *cutter, int half_edge, int vertex);

/// The half-edge from one vertex to another, looked for around `start`, a half-edge from `from`.
/// @return -1 when there is none
int rbl_cutter_find_half_edge(const rbl_cutter *cutter, int start, int to);

/// Take both sides of an edge apart.
void rbl_cutter_open_edge(rbl_cutter *cutter, int half_edge);

/// Give the fan that leads to the open half-edge `half_edge` (which starts at the vertex) a vertex.
void rbl_cutter_set_fan_vertex(rbl_cutter *cutter, int half_edge, int vertex);
