// SPDX-License-Identifier: MIT
// The plan of a split, shared by the files that make it and carry it out.
//
// Most triangles of a body lie inside a piece: they only change hands. So one pass over all of them
// finds the vertices where something happens, and what follows looks at the triangles around these.
#pragma once

#include "surface/surface.h"

/// A vertex around which something happens: triangles of several pieces, one that goes, or a new one.
typedef struct rbl_breakup_vertex {
	int id;
	int keeper;     // the piece that keeps it, -1: nobody
	int copies;     // its last copy, -1 without
	bool meets_new; // a new triangle has it
} rbl_breakup_vertex;

typedef struct rbl_breakup {
	rbl_surface *surface;
	const rbl_surface_split_def *def;
	rbl_surface_body *body;
	int slot;

	// By vertex id, in the surface's scratch: 0 for those of other bodies, else as below.
	int *states;
	rbl_breakup_vertex *touched; // new vertices, then those of the body
	int touched_count;
	bool has_many_fans; // a touched vertex has several fans: its triangles are not found from it
	int *copy_next;     // by copy, as the next two
	int *copy_pieces, *copy_sources; // index in `touched`
	int copy_count;
	int *new_ids;                         // of copies, then of new vertices
	int *vertex_counts, *triangle_counts; // by piece
	int *gone_vertices, gone_count;

	int *labels; // by triangle id, those of the body: 2 (piece + 1), and 1 when it is in `crack`
	int *crack;  // triangles at touched vertices
	int crack_count;
	int *turned;         // those that stay, and new ones
	int *foreign;        // their corners, 3 t + k, whose vertex another piece keeps
	int *foreign_copies; // and the copies they get
	int foreign_count;
	int *cluster_labels;     // by cluster id: a piece, or -1 when it comes apart
	int *own, own_count;     // clusters of the body
	int *mixed, mixed_count; // those that come apart
	int *fresh_counts;       // by piece: new clusters

	int *loose;        // triangles to put together anew: those of the body, then new ones
	int *loose_places; // by triangle id, those of the body: where in `loose`
	int *loose_labels, *loose_corners;
	rbl_box *loose_boxes;
	int loose_count;
	rbl_cluster_plan plan;
	rbl_edge_work edges;
	rbl_surface_body *pieces;
	rbl_tree *trees;
} rbl_breakup;

// The state of a vertex of the body: 4 (piece + 1) + 1 while one piece alone has it, piece -1 while
// none was seen; 4 i + 3 for entry i of `touched`.
enum { RBL_BREAKUP_OWN = 1, RBL_BREAKUP_TOUCHED = 2 };

static inline int rbl_breakup_label(const rbl_breakup *s, int triangle)
{
	return (s->labels[triangle] >> 1) - 1;
}

/// The entry of a new vertex, -1 - i, or of a touched one of the body.
static inline rbl_breakup_vertex *rbl_breakup_entry(const rbl_breakup *s, int vertex)
{
	return &s->touched[vertex < 0 ? -1 - vertex : s->states[vertex] >> 2];
}

static inline bool rbl_breakup_is_touched(const rbl_breakup *s, int vertex)
{
	return vertex < 0 || (s->states[vertex] & RBL_BREAKUP_TOUCHED);
}

/// The id that a vertex will have in a piece.
int rbl_breakup_id(const rbl_breakup *s, int vertex, int label);

/// Whether what is across a side stays there: not in another piece, and no new triangle may come between.
bool rbl_breakup_stays_joined(const rbl_breakup *s, int half_edge, int label);

/// Forget the states of vertices.
void rbl_breakup_clear(rbl_breakup *s);

/// Let pieces know what is known of the body.
/// @param slots  of the pieces
void rbl_breakup_bequeath(rbl_breakup *s, const int *slots);

/// Carry a plan out: nothing fails.
void rbl_breakup_write(rbl_breakup *s, rbl_surface_body_id *ids);
