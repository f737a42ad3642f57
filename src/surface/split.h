// SPDX-License-Identifier: MIT
// The plan of a split, shared by the files that make it and carry it out.
//
// Most triangles of a body lie inside a piece: they only change hands. So one pass over all of them
// finds the vertices where something happens, a second one the triangles around these, and what
// follows tests these triangles alone. They are turned: their corners and what lies across their
// sides is planned again, and written where it changes.
#pragma once

#include "surface/clusters.h"

/// A vertex around which something happens: triangles of several pieces, one that goes, or a new
/// one.
typedef struct rbl_surface_split_vertex {
	int id;
	int keeper;            // the piece that keeps it, -1: nobody
	int copies;            // its last copy, -1 without
	bool has_new_triangle; // a new triangle has it
} rbl_surface_split_vertex;

/// A copy of such a vertex for another piece.
typedef struct rbl_surface_split_copy {
	int next; // of the same vertex, or -1
	int piece;
	int source; // index in `touched`
} rbl_surface_split_copy;

/// The triangles at a corner that has a number.
typedef struct rbl_surface_split_fan {
	int count;
	int first;  // the half-edge of the first of them
	int border; // the half-edge with nothing across, RBL_SPLIT_NO_BOUNDARY or RBL_SPLIT_TO_WALK
} rbl_surface_split_fan;

typedef struct rbl_surface_split_plan {
	rbl_surface *surface;
	const rbl_surface_split_def *def;
	rbl_arena *arena; // of this plan, or of those that one worker makes
	rbl_surface_body *body;
	int slot;

	// By vertex id, in the surface's scratch: 0 for those of other bodies and those without a
	// triangle, else as below.
	int *states;
	rbl_surface_split_vertex *touched; // new vertices, then those of the body
	int touched_count, touched_capacity;
	rbl_surface_split_copy *copies;
	int copy_count, copy_capacity;
	int *new_ids;                         // of copies, then of new vertices
	int *vertex_counts, *triangle_counts; // by piece, and of none at -1
	int *gone_vertices, gone_vertex_count;

	// By triangle id from `first_triangle`, those of the body: 2 (piece + 1), or 2 i + 1 for entry
	// i of `affected`. Plans that are made together have one array.
	int *labels, first_triangle;
	int *gone, gone_count; // triangles of no piece

	// Triangles of the body at touched vertices or without a cluster, by id, then new ones.
	int *affected, *affected_labels;
	int affected_count;
	int *corners; // 3 each: -1 - id, or an entry of `touched`, or `touched_count` + a copy
	int *twins;   // 3 each: a half-edge that stays across, a boundary or a non-manifold edge, or
				  // RBL_SPLIT_JOINED - a corner

	// Entries of `affected` of the body whose corners or twins may change.
	int *changed, changed_count;
	rbl_surface_split_fan *fans; // by number of a corner
	int *cluster_labels;         // by cluster id: a piece, or -1 when it is dissolved
	int *own, own_count;         // clusters of the body
	int *mixed, mixed_count;     // those that are dissolved
	int *kept_counts;            // by piece: clusters that stay whole
	int *fresh_counts;           // by piece: new clusters

	int *loose;  // to be reclustered, as entries of `affected`: those of the body, then new ones
	int *places; // by entry of `affected` that is of the body: where in `loose`, or -1
	int *loose_labels;
	rbl_box *loose_boxes;
	int *beside, beside_count;  // triangles at the sides of loose ones that are not loose
	int loose_old, loose_count; // of the body; all
	rbl_surface_cluster_plan plan;
	rbl_surface_body *pieces;
	rbl_tree *trees;
} rbl_surface_split_plan;

enum {
	/// In `states`: 4 (piece + 1) + OWN while one piece alone has a vertex, piece -1 for triangles
	/// that go; 4 i + OWN + TOUCHED for entry i of `touched`.
	RBL_SPLIT_OWN = 1,
	RBL_SPLIT_TOUCHED = 2,

	/// In `twins`: as much less the corner of `affected` that will lie across, as 4 i + k.
	RBL_SPLIT_JOINED = -4,

	/// In `boundary` of a fan: all have something across; several have not, or what is across is
	/// new.
	RBL_SPLIT_NO_BOUNDARY = -1,
	RBL_SPLIT_TO_WALK = -2,

	/// In `cluster_labels` while they are found; -4 - a label for those that the list has not met.
	RBL_SPLIT_REMOVED = -1,
	RBL_SPLIT_MIXED = -2,
	RBL_SPLIT_UNVISITED = -4,
};

/// The piece of a triangle of the body.
static inline int rbl_surface_split_label(const rbl_surface_split_plan *s, int triangle)
{
	int label = s->labels[triangle - s->first_triangle];
	return label & 1 ? s->affected_labels[label >> 1] : (label >> 1) - 1;
}

/// Make a list in scratch memory longer, by half at least. @return false when memory ran out
static inline bool rbl_surface_split_grow(rbl_arena *arena, void **list, int count, int *capacity,
                                          size_t size)
{
	int room = *capacity + *capacity / 2 + 64;
	void *grown = rbl_arena_allocate(arena, (size_t)room, size);
	if (!grown)
		return false;
	if (count > 0)
		memcpy(grown, *list, (size_t)count * size);
	*list = grown;
	*capacity = room;
	return true;
}

/// Label triangles, vertices and clusters of the body, and touch the vertices along cracks.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_split_label_all(rbl_surface_split_plan *s);

/// Something happens around a vertex of the body: its entry. @return NULL when memory ran out
rbl_surface_split_vertex *rbl_surface_split_touch_vertex(rbl_surface_split_plan *s, int vertex);

/// The first of the pieces that use a vertex keeps it.
void rbl_surface_split_offer_vertex(rbl_surface_split_plan *s, rbl_surface_split_vertex *vertex,
                                    int label);

/// Count vertices of one piece alone; touched ones are counted when they are touched and offered.
void rbl_surface_split_count_vertices(rbl_surface_split_plan *s);

/// List the triangles that turn or go. @return false when memory ran out
bool rbl_surface_split_list_affected(rbl_surface_split_plan *s);

/// Find the triangles that turn, their corners and what will lie across their sides.
/// @return false when memory ran out
bool rbl_surface_split_plan_affected(rbl_surface_split_plan *s);

/// Put loose triangles together in clusters. After rbl_surface_split_plan_affected(). @return false
/// when memory ran out
bool rbl_surface_split_plan_clusters(rbl_surface_split_plan *s);

/// Forget the states of vertices.
void rbl_surface_split_clear(rbl_surface_split_plan *s);

/// Let pieces know what is known of the body.
/// @param slots  of the pieces
void rbl_surface_inherit_certificates(rbl_surface_split_plan *s, const int *slots);

/// Carry a plan out: nothing fails.
void rbl_surface_split_apply(rbl_surface_split_plan *s, rbl_surface_body_id *ids);
