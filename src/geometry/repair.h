// SPDX-License-Identifier: MIT
// The steps of rbl_mesh_repair(). They work on a draft: the faces of a mesh as growing arrays,
// each corner and face remembering what it came from.
#pragma once

#include "base/memory.h"

#include <rubble/fracture.h>
#include <rubble/mesh.h>

/// Attributes of a corner that is no corner of the source: the middle of a cap or of an edge. What
/// the source has not is zero.
typedef struct rbl_draft_middle {
	rbl_vec3 normal;
	rbl_vec2 uv0, uv1;
	rbl_vec4 color;
	float attributes[RBL_MAX_ATTRIBUTE_WIDTH];
} rbl_draft_middle;

/// Flags of a draft's face.
enum { RBL_DRAFT_FLIPPED = 1, RBL_DRAFT_NEW = 2 };

typedef struct rbl_draft {
	rbl_allocator allocator;
	rbl_mesh_data source;
	RBL_ARRAY(rbl_vec3d) positions;
	RBL_ARRAY(int) starts; // one more than faces, 0 first

	/// Per corner: its vertex, and the source corner whose attributes it has. -1 - k stands for
	/// middle k.
	RBL_ARRAY(int) vertices;
	RBL_ARRAY(int) corner_sources;

	/// Per face: the source face whose material it has, and flags.
	RBL_ARRAY(int) face_sources;
	RBL_ARRAY(unsigned char) flags;
	RBL_ARRAY(rbl_draft_middle) middles;
	rbl_mesh_repair_report report; // of this draft and those before it
	int welded_before;
} rbl_draft;

/// The faces of the draft as a mesh's arrays, until the draft changes.
rbl_mesh_data rbl_draft_view(const rbl_draft *draft);

/// Append a face. @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_draft_add_face(rbl_draft *draft, const int *vertices, const int *corner_sources,
                              int count, int face_source, int flags);

/// Append a middle whose attributes are a mean of corners.
/// @param weights  that add up to 1; NULL: all alike
/// @return false when memory ran out; the source of its corners is otherwise -draft->middles.count
bool rbl_draft_add_middle(rbl_draft *draft, const int *corner_sources, const float *weights,
                          int count);

/// Turn a face over.
void rbl_draft_flip(rbl_draft *draft, int face);

/// Whether a face is not flat.
bool rbl_draft_face_is_bent(const rbl_draft *draft, int face);

/// Keep the faces whose mark is zero.
void rbl_draft_remove_faces(rbl_draft *draft, const unsigned char *marks);

/// What to drop: faces that have a vertex twice; duplicates, or in a closed surface those that
/// cancel each other; faces without an area that hold nothing together.
typedef struct rbl_drop_steps {
	bool repeats, duplicates, walls, flat;
} rbl_drop_steps;

/// Each step @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED; rbl_repair_orient_patches() also
/// RBL_BAD_MESH.
rbl_result rbl_repair_weld(rbl_draft *draft, double distance);

/// Make corners of a face one that lie at the same place, or no further apart than a distance when
/// one of them has a number from `first_vertex` on. Of a face with very many corners, neighbours
/// only.
rbl_result rbl_repair_join(rbl_draft *draft, int first_vertex, double distance);
rbl_result rbl_repair_drop_faces(rbl_draft *draft, const rbl_drop_steps *steps);
/// @param is_closed  only those go that cancel each other
/// @param marks      space for a mark per face
rbl_result rbl_repair_drop_duplicates(rbl_draft *draft, bool is_closed, unsigned char *marks);
rbl_result rbl_repair_orient_patches(rbl_draft *draft);
rbl_result rbl_repair_split_nonmanifold(rbl_draft *draft);
rbl_result rbl_repair_fill_holes(rbl_draft *draft);
rbl_result rbl_repair_orient_outward(rbl_draft *draft, bool has_borders);
rbl_result rbl_repair_doubled_diagonals(rbl_draft *draft);

/// Begin bent quads with the corner whose fan they are cut into, and cut other bent faces: then all
/// who read the mesh see the same solid.
rbl_result rbl_repair_bent_faces(rbl_draft *draft);

/// Take apart what crosses itself.
/// @param solid       of a mesh whose faces and corners are those of the draft
/// @param is_changed  receives whether anything did
/// @return RBL_OK, RBL_BAD_MESH with a line in the log, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_repair_self_intersections(rbl_draft *draft, const rbl_solid *solid,
                                         bool *is_changed);
