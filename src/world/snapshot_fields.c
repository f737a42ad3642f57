// SPDX-License-Identifier: MIT
//
// Distance fields in a snapshot: what field bodies collide by, and what their pairs remember.

#include "world/snapshot.h"

enum { MEMORY_WORDS = sizeof(rbl_field_contact_memory) / 4 };

_Static_assert(sizeof(rbl_field_contact_memory) == (2 * RBL_MAX_FIELD_CONTACTS + 3) * 4,
               "a new field of contact memories: is it checked?");

// --- pairs --------------------------------------------------------------------------------------

void rbl_snapshot_put_pair_field(rbl_blob_writer *w, const rbl_pair_field *field)
{
	rbl_blob_put_words(w, &field->memory, MEMORY_WORDS);
	rbl_blob_put_bool(w, field->is_incomplete);
}

static bool is_memory_right(const rbl_field_contact_memory *m)
{
	bool is_right = m->count >= 0 && m->count <= RBL_MAX_FIELD_CONTACTS;
	for (int i = 0; i < RBL_MAX_FIELD_CONTACTS && is_right; ++i)
		is_right = m->ranks[i] >= 0;
	for (int i = 0; i < 2 && is_right; ++i)
		is_right = m->wanted[i] >= 0 && m->wanted[i] <= RBL_MAX_FIELD_VISITS;
	return is_right;
}

void rbl_snapshot_get_pair_field(rbl_snapshot_reader *r, rbl_pair_field **field)
{
	rbl_pair_field *made = *field = RBL_NEW_ZERO(&r->world->allocator, rbl_pair_field, 1);
	if (!made) {
		r->blob.out_of_memory = true;
		return;
	}
	rbl_blob_get_words(&r->blob, &made->memory, MEMORY_WORDS);
	made->is_incomplete = rbl_blob_get_bool(&r->blob);
	rbl_blob_expect(&r->blob, is_memory_right(&made->memory),
	                "what a pair of fields remembers is wrong");
}
