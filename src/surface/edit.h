// SPDX-License-Identifier: MIT
// The plan of an edit, shared by the files that make it and carry it out.
//
// Vertices at which something happens are touched; all triangles around them, and those of clusters
// that are dissolved, have an entry. An edge with both ends touched has all of its triangles among
// the entries, so it can be joined anew; any other stays as it is.
#pragma once

#include "surface/clusters.h"

#include <rubble/surface_edit.h>

/// A touched vertex, new ones first.
typedef struct rbl_surface_edit_vertex {
	int id;     // of new ones when it is promised
	int keeper; // the first piece that uses it, -1: nobody
	int copies; // its last copy, or -1
} rbl_surface_edit_vertex;

/// A copy of it for another piece.
typedef struct rbl_surface_edit_copy {
	int next, piece, source;
} rbl_surface_edit_copy;

typedef struct rbl_surface_edit_triangle {
	int id, piece;  // -1: it goes
	int corners[3]; // a touched vertex, or the number of all plus a copy; -1 - id for others
	int twins[3];   // planned
	int loose;      // its place among those that are put into clusters, or -1
	unsigned char cornered; // bits: corners that get another vertex
	bool is_named;
} rbl_surface_edit_triangle;

typedef struct rbl_surface_edit_plan {
	rbl_surface *surface;
	const rbl_surface_edit_def *def;
	int slot;
	int piece_count;

	// In scratch memory. Entries of the body, then new ones.
	rbl_surface_edit_vertex *vertices;
	rbl_surface_edit_copy *copies;
	rbl_surface_edit_triangle *entries;
	int vertex_count, vertex_capacity, copy_count, copy_capacity, entry_count, entry_capacity;
	int old_count;              // entries of the body
	int *new_ids;               // of copies, then of new vertices
	rbl_vec3 *new_positions[2]; // of new vertices, and as doubles
	rbl_vec3d *new_exact[2];
	int *triangle_counts, *vertex_counts; // by piece; of the first those that come
	int *dissolved, dissolved_count;      // clusters
	int *moved, moved_count;              // clusters that go to another piece as a whole
	int cluster_capacity;
	int *loose, loose_count; // entries
	int *loose_labels, *loose_ids;
	rbl_box *loose_boxes;
	rbl_surface_cluster_plan plan;
	rbl_box *cluster_boxes;
	rbl_surface_body *pieces; // those after the first
	bool is_out_of_memory;
} rbl_surface_edit_plan;

/// Carry a plan out: nothing fails.
void rbl_surface_edit_apply(rbl_surface_edit_plan *e, rbl_surface_body_id *ids);

/// The final vertex of a corner.
static inline int rbl_surface_edit_vertex_id(const rbl_surface_edit_plan *e, int corner)
{
	return corner < 0                 ? -1 - corner
	       : corner < e->vertex_count ? e->vertices[corner].id
	                                  : e->new_ids[corner - e->vertex_count];
}
