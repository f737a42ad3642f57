// SPDX-License-Identifier: MIT
//
// Field lists.

#include "base/fields.h"

#include <string.h>

static void put_field(rbl_blob_writer *w, const rbl_field *field, const unsigned char *at)
{
	switch (field->kind) {
	case RBL_FIELD_KIND_INT:
	case RBL_FIELD_KIND_BITS:
	case RBL_FIELD_KIND_FLOAT:
		rbl_blob_put_words(w, at, field->count);
		break;
	case RBL_FIELD_KIND_LONG:
	case RBL_FIELD_KIND_DOUBLE:
		rbl_blob_put_longs(w, at, field->count);
		break;
	case RBL_FIELD_KIND_BOOL:
	case RBL_FIELD_KIND_BYTE:
		for (int i = 0; i < field->count; ++i)
			rbl_blob_put32(w, at[i]);
		break;
	}
}

// @return whether the block has as many bytes, and a byte or flag fits into one
static bool get_field(rbl_blob_reader *r, const rbl_field *field, unsigned char *at)
{
	switch (field->kind) {
	case RBL_FIELD_KIND_INT:
	case RBL_FIELD_KIND_BITS:
	case RBL_FIELD_KIND_FLOAT:
		return rbl_blob_get_words(r, at, field->count);
	case RBL_FIELD_KIND_LONG:
	case RBL_FIELD_KIND_DOUBLE:
		return rbl_blob_get_longs(r, at, field->count);
	case RBL_FIELD_KIND_BOOL:
	case RBL_FIELD_KIND_BYTE:
		for (int i = 0; i < field->count; ++i) {
			uint32_t value = rbl_blob_get32(r);
			at[i] = value <= field->max ? (unsigned char)value : 0;
			if (!rbl_blob_expect(r, value >= field->min && value <= field->max, field->name))
				return false;
		}
		return true;
	}
	return false;
}

// Comparisons are written so that NaN fails them.
static bool is_right(const rbl_field *field, const unsigned char *at)
{
	for (int i = 0; i < field->count; ++i) {
		double value = field->min;
		if (field->kind == RBL_FIELD_KIND_INT) {
			int32_t number;
			memcpy(&number, at + 4 * i, 4);
			value = number;
		} else if (field->kind == RBL_FIELD_KIND_FLOAT) {
			float number;
			memcpy(&number, at + 4 * i, 4);
			value = (double)number;
		} else if (field->kind == RBL_FIELD_KIND_DOUBLE) {
			memcpy(&value, at + 8 * i, 8);
		} else if (field->kind == RBL_FIELD_KIND_BOOL || field->kind == RBL_FIELD_KIND_BYTE) {
			value = at[i];
		}
		if (!(value >= field->min && value <= field->max))
			return false;
	}
	return true;
}

void rbl_blob_put_fields(rbl_blob_writer *w, const rbl_field *fields, int count, const void *object)
{
	for (int i = 0; i < count; ++i)
		put_field(w, &fields[i], (const unsigned char *)object + fields[i].offset);
}

bool rbl_blob_get_fields(rbl_blob_reader *r, const rbl_field *fields, int count, void *object)
{
	for (int i = 0; i < count; ++i) {
		unsigned char *at = (unsigned char *)object + fields[i].offset;
		if (!get_field(r, &fields[i], at) ||
		    !rbl_blob_expect(r, is_right(&fields[i], at), fields[i].name))
			return false;
	}
	return !r->is_bad;
}

const rbl_field *rbl_fields_check(const rbl_field *fields, int count, const void *object)
{
	for (int i = 0; i < count; ++i)
		if (!is_right(&fields[i], (const unsigned char *)object + fields[i].offset))
			return &fields[i];
	return NULL;
}
