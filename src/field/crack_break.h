// SPDX-License-Identifier: MIT
// A break of a crack field on its way: what its steps share.
#pragma once

#include "field/crack_field.h"

/// Everything of it is new but what `fragment` of the definition names.
typedef struct rbl_crack_breaking {
	rbl_crack_field *field;
	const rbl_crack_break *def;
	int first_part;               // number of the first part's fragment
	int first_entry, first_plane; // what is new
	int first_piece, first_corner, first_cut_tet, first_facing;
	int linked_count; // entries that are linked
	int *nodes;       // of the fragment, by part
	int *part_starts; // one more at the end
	bool has_moved_nodes;

	float *rows;   // with planes: room for nodes of a part
	bool *is_done; // without: by node
} rbl_crack_breaking;

/// Planes that bound parts as a whole: list them by part, and check that no node lies beyond.
/// @return RBL_OK, RBL_BAD_ARGUMENT (logged), RBL_OUT_OF_MEMORY
rbl_result rbl_crack_prepare_planes(rbl_crack_breaking *b);

/// Lower the depths of nodes to those below the planes of their parts.
void rbl_crack_lower_by_planes(const rbl_crack_breaking *b);

/// Other cracks: their polygons, and a tree of them. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_crack_prepare_pieces(rbl_crack_breaking *b);

/// Lower the depths of nodes to the distance from the nearest polygon.
void rbl_crack_lower_by_pieces(const rbl_crack_breaking *b);
