// SPDX-License-Identifier: MIT
//
// What is proven of a body is proven of its pieces.
//
// A proof says of every pair of triangles, but those in doubt, that it is apart and stays so
// (rigid.c). Triangles of a piece keep their places when a body splits, and two that shared a
// vertex share the same copy of it. So a piece without new triangles has nothing to prove anew: it
// takes over slack and drift, and the doubts within it.

#include "surface/breakup.h"
#include "surface/rigid.h"

// Doubts of the body go to the pieces that have both triangles; those between pieces are pairs of
// bodies now.
static void share_doubts(rbl_breakup *s, const int *slots, rbl_rigid *own)
{
	rbl_surface *surface = s->surface;
	int kept = 0;
	for (int i = 0; i < own->doubts.count; ++i) {
		rbl_surface_pair pair = own->doubts.data[i];
		int label = rbl_breakup_label(s, pair.a);
		if (label < 0 || label != rbl_breakup_label(s, pair.b) || !s->pieces[label].is_certified)
			continue;
		if (label == 0)
			own->doubts.data[kept++] = pair;
		else if (!rbl_array_push(&surface->allocator, &surface->rigids[slots[label]].doubts, pair))
			s->pieces[label].is_certified = false; // without memory it is proven another time
	}
	own->doubts.count = kept;
}

void rbl_breakup_bequeath(rbl_breakup *s, const int *slots)
{
	rbl_surface *surface = s->surface;
	if (!s->body->is_certified || s->slot >= surface->rigid_count)
		return;
	for (int p = 0; p < s->def->piece_count; ++p)
		s->pieces[p].is_certified =
			s->triangle_counts[p] >= RBL_RIGID_MIN_TRIANGLES && slots[p] < surface->rigid_count;
	for (int i = 0; i < s->def->triangle_count; ++i)
		s->pieces[s->def->triangle_labels[i]].is_certified = false;
	rbl_rigid *own = &surface->rigids[s->slot];
	for (int p = 1; p < s->def->piece_count; ++p) {
		if (!s->pieces[p].is_certified)
			continue;
		rbl_rigid *heir = &surface->rigids[slots[p]];
		heir->wait = own->wait;
		heir->proof_query = own->proof_query;
		heir->height = own->height;
		heir->slack = own->slack;
		heir->drift = own->drift;
		heir->doubts.count = 0;
	}
	share_doubts(s, slots, own);
}
