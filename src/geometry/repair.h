// SPDX-License-Identifier: MIT
// The steps of rbl_mesh_repair(). They work on a draft: the faces of a mesh as growing arrays,
// each corner and face remembering what it came from.
#pragma once

#include "base/memory.h"

#include <rubble/mesh.h>

/// Attributes of a corner that is no corner of the source: the middle of a cap.
typedef struct rbl_draft_middle {
	rbl_vec2 uv0, uv1;
	rbl_vec4 color;
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
	rbl_mesh_repair_report report;
} rbl_draft;

/// The faces of the draft as a mesh's arrays, until the draft changes.
rbl_mesh_data rbl_draft_view(const rbl_draft *draft);

/// Append a face. @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_draft_add_face(rbl_draft *draft, const int *vertices, const int *corner_sources,
                              int count, int face_source, int flags);

/// Turn a face over.
void rbl_draft_flip(rbl_draft *draft, int face);

/// Keep the faces whose mark is zero.
void rbl_draft_remove_faces(rbl_draft *draft, const unsigned char *marks);

/// Each step @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED; the third also RBL_BAD_MESH.
rbl_result rbl_repair_weld(rbl_draft *draft, double distance);
rbl_result rbl_repair_drop(rbl_draft *draft, bool degenerate, bool duplicates);
rbl_result rbl_repair_agree(rbl_draft *draft);
rbl_result rbl_repair_split(rbl_draft *draft);
rbl_result rbl_repair_fill(rbl_draft *draft);
rbl_result rbl_repair_turn_outward(rbl_draft *draft);
rbl_result rbl_repair_cut(rbl_draft *draft);
