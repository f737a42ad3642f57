// SPDX-License-Identifier: MIT
//
// Field lists: the members of a struct as a table, written once, that writing, reading and checking
// share.
//
//   static const rbl_field joint_fields[] = {
//       RBL_FIELD_INT(rbl_joint, kind, 0, RBL_JOINT_KIND_COUNT - 1),
//       RBL_FIELD_FLOATS(rbl_joint, frame),
//       RBL_FIELD_U64(rbl_joint, user),
//   };
//
// A block holds the fields in the order of the list, little-endian. What is read is checked on the
// way: floats are finite and within their range, ints within theirs, flags 0 or 1. The first field
// that is wrong is named by rbl_blob_reader.wrong.
#pragma once

#include "base/blob.h"

#include <float.h>
#include <stddef.h>

typedef enum rbl_field_kind {
	RBL_FIELD_KIND_INT,    // 4 bytes in the struct, enums too
	RBL_FIELD_KIND_BITS,   // words of 4 bytes that may be anything
	RBL_FIELD_KIND_FLOAT,  // finite
	RBL_FIELD_KIND_LONG,   // words of 8 bytes that may be anything
	RBL_FIELD_KIND_DOUBLE, // finite
	RBL_FIELD_KIND_BOOL,   // 1 byte in the struct, 4 in a block
	RBL_FIELD_KIND_BYTE,   // 1 byte in the struct, 4 in a block
} rbl_field_kind;

/// A member: `count` values of one kind, each from `min` to `max`.
typedef struct rbl_field {
	const char *name; // "joint.kind", for messages
	uint16_t offset, count;
	rbl_field_kind kind;
	double min, max;
} rbl_field;

#define RBL_FIELD_OF(type, member, kind, unit, min, max)                                           \
	{                                                                                              \
#type "." #member, (uint16_t)offsetof(type, member),                                       \
			(uint16_t)(sizeof(((type *)0)->member) / (unit)), (kind), (double)(min), (double)(max) \
	}

/// An int or enum, or an array of them, with its range.
#define RBL_FIELD_INT(type, member, min, max) \
	RBL_FIELD_OF(type, member, RBL_FIELD_KIND_INT, 4, min, max)
/// Words of 32 bits that may have any value; also structs of nothing else.
#define RBL_FIELD_BITS(type, member) RBL_FIELD_OF(type, member, RBL_FIELD_KIND_BITS, 4, 0, 0)
/// Floats, or a struct of floats, finite.
#define RBL_FIELD_FLOATS(type, member) \
	RBL_FIELD_OF(type, member, RBL_FIELD_KIND_FLOAT, 4, -FLT_MAX, FLT_MAX)
/// Floats with a range, bounds included.
#define RBL_FIELD_RANGE(type, member, min, max) \
	RBL_FIELD_OF(type, member, RBL_FIELD_KIND_FLOAT, 4, min, max)
/// Words of 64 bits that may have any value.
#define RBL_FIELD_LONGS(type, member) RBL_FIELD_OF(type, member, RBL_FIELD_KIND_LONG, 8, 0, 0)
/// Doubles, or a struct of doubles, finite.
#define RBL_FIELD_DOUBLES(type, member) \
	RBL_FIELD_OF(type, member, RBL_FIELD_KIND_DOUBLE, 8, -DBL_MAX, DBL_MAX)
#define RBL_FIELD_BOOL(type, member) RBL_FIELD_OF(type, member, RBL_FIELD_KIND_BOOL, 1, 0, 1)
#define RBL_FIELD_BYTE(type, member, min, max) \
	RBL_FIELD_OF(type, member, RBL_FIELD_KIND_BYTE, 1, min, max)

/// Write the fields of a struct. `fields` is an array, so that its length is known.
#define rbl_blob_put_struct(w, fields, object) \
	rbl_blob_put_fields((w), (fields), (int)(sizeof(fields) / sizeof *(fields)), (object))
void rbl_blob_put_fields(rbl_blob_writer *w, const rbl_field *fields, int count,
                         const void *object);

/// Read the fields of a struct; other members stay as they are. A wrong value makes the reader bad.
/// @return whether the reader is still good
#define rbl_blob_get_struct(r, fields, object) \
	rbl_blob_get_fields((r), (fields), (int)(sizeof(fields) / sizeof *(fields)), (object))
bool rbl_blob_get_fields(rbl_blob_reader *r, const rbl_field *fields, int count, void *object);

/// @return the first field of a struct that is out of its range, NULL when all are right
#define rbl_find_wrong_field(fields, object) \
	rbl_fields_check((fields), (int)(sizeof(fields) / sizeof *(fields)), (object))
const rbl_field *rbl_fields_check(const rbl_field *fields, int count, const void *object);
