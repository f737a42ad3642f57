// SPDX-License-Identifier: MIT
// The interface of the room: what all distance fields have in common.
//
// A field is a struct that begins with rbl_distance_field and names its kind: the field of a mesh
// (asset_field.h), of a fragment of it (fragment_field.h), or another room file's own. What every
// kind promises, for d the true signed distance and any point p:
//
//   distance(p) - bound(p) <= d(p)     everywhere: what is culled by it does not touch
//   |distance(p) - d(p)| <= bound(p)   inside, and for fields of meshes in their whole grid
//
// and a result depends on the point alone, not on what is asked for beside it, on the back end, or
// on the number of workers.
#pragma once

#include "base/blob.h"
#include "base/memory.h"
#include "base/references.h"

#include "field/contact_query.h"

#include <rubble/crack_field.h>
#include <rubble/field.h>
#include <rubble/field_contacts.h>

/// What a kind of field does.
typedef struct rbl_distance_field_kind {
	/// As rbl_distance_field_evaluate().
	void (*evaluate)(const rbl_distance_field *field, const rbl_vec3 *points, int count,
	                 float *distances, float *bounds, rbl_vec3 *gradients);

	void (*destroy)(rbl_distance_field *field);
} rbl_distance_field_kind;

/// The head of every field.
struct rbl_distance_field {
	const rbl_distance_field_kind *kind;
	rbl_allocator allocator;
	rbl_distance_field_info info;
	rbl_references references;
};

/// Hold a field, too: rbl_destroy_distance_field() lets go of it.
static inline rbl_distance_field *rbl_distance_field_share(const rbl_distance_field *field)
{
	rbl_distance_field *shared = (rbl_distance_field *)(uintptr_t)field;
	rbl_add_reference(&shared->references);
	return shared;
}

/// Distances of many points. A point that is not finite is infinitely far away, its bound and
/// gradient 0.
/// @param distances  receives signed distances in metres
/// @param bounds     receives how far they may be off
/// @param gradients  receives unit vectors, the way out; or NULL
void rbl_distance_field_evaluate(const rbl_distance_field *field, const rbl_vec3 *points, int count,
                                 float *distances, float *bounds, rbl_vec3 *gradients);

/// Write the field of a mesh into a larger block, and read it.
/// @param field  receives the field, the caller's to destroy; NULL on failure
/// @return whether the reader is still good
void rbl_distance_field_put(rbl_blob_writer *w, const rbl_distance_field *field);
bool rbl_distance_field_get(rbl_blob_reader *r, const rbl_allocator *allocator,
                            rbl_distance_field **field);

/// @return whether a field is that of a mesh
bool rbl_is_mesh_field(const rbl_distance_field *field);

/// @return the field of the mesh that a fragment's field shares; NULL for all others
const rbl_distance_field *rbl_distance_field_original(const rbl_distance_field *field);

/// Write the field of a fragment, without its original, and read it.
/// @param original  what rbl_distance_field_original() said, or a copy; NULL: none
/// @param field     receives the field, the caller's to destroy; NULL on failure
/// @return whether the reader is still good
void rbl_fragment_field_put(rbl_blob_writer *w, const rbl_distance_field *field);
bool rbl_fragment_field_get(rbl_blob_reader *r, const rbl_allocator *allocator,
                            const rbl_distance_field *original, rbl_distance_field **field);

/// Whether a shape can be written: its field is that of a mesh or of a fragment, or it has none.
bool rbl_field_shape_can_be_put(const rbl_field_shape *shape);

/// Write a shape and its field, without the original of that, and read both.
/// @param original      of the field, or a copy; NULL: none
/// @param field, shape  receive them, the caller's to destroy; NULL on failure, and no field for a
///                      shape without one
/// @return whether the reader is still good
void rbl_field_shape_put(rbl_blob_writer *w, const rbl_field_shape *shape);
bool rbl_field_shape_get(rbl_blob_reader *r, const rbl_allocator *allocator,
                         const rbl_distance_field *original, rbl_distance_field **field,
                         rbl_field_shape **shape);
