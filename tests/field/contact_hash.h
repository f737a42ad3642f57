// SPDX-License-Identifier: MIT
// A hash of contacts, whatever else their struct comes to hold.
#pragma once

#include "base/hash.h"

#include <rubble/field_contacts.h>

#include <stdlib.h>

static inline uint64_t hash_points(uint64_t hash, const rbl_field_contact_list *list)
{
	enum { NUMBERS = 8 };
	float *numbers = calloc((size_t)list->point_count + 1, NUMBERS * sizeof *numbers);
	for (int i = 0; i < list->point_count; ++i) {
		const rbl_field_contact *c = &list->points[i];
		const float each[NUMBERS] = { c->position.x, c->position.y, c->position.z, c->normal.x,
			                          c->normal.y,   c->normal.z,   c->separation };
		memcpy(numbers + NUMBERS * i, each, sizeof each);
		memcpy(numbers + NUMBERS * i + 7, &c->id, sizeof c->id);
	}
	hash = rbl_hash_bytes(hash, numbers, (size_t)list->point_count * NUMBERS * sizeof *numbers);
	free(numbers);
	return hash;
}
