// SPDX-License-Identifier: MIT
// The plan of a cut, shared by the files that make it.
//
// Nodes are vertices of the body near the cut, then points on their edges, then ends of the cut
// inside triangles. Local triangles are triangles near the cut, or parts of them. A cut edge joins
// two nodes; local triangles across it do not hang together there. Where the triangles around a
// node fall apart by that, each further part gets a vertex of its own.
#pragma once

#include "surface/surface.h"

#include "base/hash.h"

#include <rubble/surface_cut.h>

/// What the blade sweeps over: a height n over a plane with the axes u, along the blade, and w, the
/// way it moves. Both polylines rise strictly in u.
typedef struct rbl_surface_cut_sheet {
	rbl_vec3d origin, u, w, n;
	int count;
	double *coordinates[2][3]; // u, w, n at the start and at the end
	rbl_boxd box;
	bool follows_motion;
	double tolerance;
	bool is_empty; // it moves along itself alone

	// Ends of the last cut, by u: how high each lies over the sheet, which starts there instead.
	double *end_u, *end_n;
	int end_count;
} rbl_surface_cut_sheet;

/// Where a point of the surface passes the sheet.
typedef struct rbl_surface_cut_passing {
	double side;    // height over the sheet
	double u;       // along the blade
	double time;    // when the blade comes by, below 0 before the step and above 1 after it
	double length;  // that the blade goes there, in metres, past the point
	bool is_beside; // beyond an end of the blade
} rbl_surface_cut_passing;

typedef struct rbl_surface_cut_node {
	int parents[3];
	double weights[3];
} rbl_surface_cut_node;

/// A triangle near the cut, or a part of one.
typedef struct rbl_surface_cut_triangle {
	int nodes[3];
	int source; // its triangle
	bool is_part;
} rbl_surface_cut_triangle;

/// The arrays of edits that plans give out.
typedef struct rbl_surface_cuts {
	RBL_ARRAY(int) changed;
	RBL_ARRAY(int) corners;
	RBL_ARRAY(int) corner_vertices;
	RBL_ARRAY(int) parents;
	RBL_ARRAY(double) weights;
	RBL_ARRAY(int) triangles;
	RBL_ARRAY(int) triangle_user_ids;
	// Of a cut along a curve.
	RBL_ARRAY(int) new_vertices;
	RBL_ARRAY(int) new_parents;
	RBL_ARRAY(double) new_weights;
	rbl_map places; // of new vertices among them
	rbl_map edges;  // inside a plan: edges of nodes
	rbl_map cut_edges;
} rbl_surface_cuts;

/// A plan in the making, in scratch memory.
typedef struct rbl_surface_cut_plan {
	rbl_surface *surface;
	rbl_surface_cuts *cuts;
	RBL_ARRAY(int) near; // triangles, ascending
	int *vertices, vertex_count;
	rbl_surface_cut_node *nodes; // without those that are vertices
	int node_count, node_capacity;
	rbl_surface_cut_triangle *triangles;
	int triangle_count, triangle_capacity;
	int cut_edge_count;
} rbl_surface_cut_plan;

/// Measure a knife. @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_cut_sheet_init(rbl_surface_cut_sheet *sheet, rbl_arena *arena,
                                      const rbl_surface_knife *knife, double tolerance);

/// @param positions  of the point at the start and at the end
rbl_surface_cut_passing rbl_surface_cut_sheet_at(const rbl_surface_cut_sheet *sheet,
                                                 const rbl_vec3d positions[2]);

/// Empty arrays, made by the first plan. @return NULL when memory ran out
rbl_surface_cuts *rbl_surface_get_cuts(rbl_surface *surface);

/// Find triangles whose boxes touch that of a sheet, in order. @return false when memory ran out
bool rbl_surface_cut_find_near(rbl_surface_cut_plan *plan, const rbl_surface_body *body,
                               const rbl_surface_cut_sheet *sheet);

/// Put near triangles in order, each once. @return false when memory ran out
bool rbl_surface_cut_sort_near(rbl_surface_cut_plan *plan);

/// Where vertices are that a cut or the rim of the surface comes to: both sides of a cut are at the
/// same place until they move apart.
/// @return by vertex: the first that is exactly where it is, at the start and at the end; NULL when
/// memory ran out
int *rbl_surface_cut_places(rbl_surface_cut_plan *plan);

/// Whether a cut or the rim of the surface comes to a vertex: its fan is open.
bool rbl_surface_cut_is_on_rim(const rbl_surface *surface, int vertex);

/// The number of a vertex among the nodes. @return -1 when memory ran out
int rbl_surface_cut_vertex(rbl_surface_cut_plan *plan, int vertex);

/// @return false when memory ran out
bool rbl_surface_cut_add_triangle(rbl_surface_cut_plan *plan, int a, int b, int c, int source,
                                  bool is_part);
bool rbl_surface_cut_add_edge(rbl_surface_cut_plan *plan, int a, int b);

/// Sides of a sheet, as bits.
enum { RBL_CUT_ABOVE = 1, RBL_CUT_BELOW = 2 };

/// A triangle that has all its corners on the sheet.
typedef struct rbl_surface_cut_flat {
	int edges[3];
	unsigned char side; // RBL_CUT_ABOVE or RBL_CUT_BELOW
} rbl_surface_cut_flat;

/// Decide on which side flat triangles are.
/// @param flat   on the sides on which their middles are
/// @param sides  by edge: of triangles there that are not flat
/// @param costs  by edge: of cutting it
/// @return false when memory ran out
bool rbl_surface_cut_settle(rbl_arena *arena, rbl_surface_cut_flat *flat, int count,
                            const unsigned char *sides, const double *costs, int edge_count);

/// An edge as a key, whichever way it goes.
static inline uint64_t rbl_surface_cut_key(int a, int b)
{
	return a < b ? (uint64_t)(uint32_t)a << 32 | (uint32_t)b
	             : (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
}

/// Take nodes apart along cut edges, and say so in an edit. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_cut_open(rbl_surface_cut_plan *plan, rbl_surface_edit_def *edit);

/// A sampled mean of the edges of a body.
double rbl_surface_cut_mean_edge(const rbl_surface *surface, const rbl_surface_body *body);

void rbl_surface_free_cuts(rbl_surface *surface);
size_t rbl_surface_cuts_memory(const rbl_surface *surface);
