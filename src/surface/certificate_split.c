// SPDX-License-Identifier: MIT
//
// Fragments inherit the certificates of their body.
//
// A certificate says of every pair of triangles, except the uncertain ones, that it is apart and
// stays so (certificate_motion.c). Triangles of a fragment keep their positions when a body
// splits, and two that shared a vertex share the same copy of it. So a fragment without new
// triangles needs no certificate of its own: it inherits margin and drift, and the uncertain pairs
// within it.

#include "surface/split.h"
#include "surface/certificate.h"

// Uncertain pairs of the body go to the pieces that have both triangles; those between pieces are
// pairs of bodies now.
static void inherit_uncertain_pairs(rbl_surface_split_plan *s, const int *slots,
                                    rbl_surface_certificate *own)
{
	rbl_surface *surface = s->surface;
	int kept = 0;
	for (int i = 0; i < own->uncertain_pairs.count; ++i) {
		rbl_surface_pair pair = own->uncertain_pairs.data[i];
		int label = rbl_surface_split_label(s, pair.a);
		if (label < 0 || label != rbl_surface_split_label(s, pair.b) ||
		    !s->pieces[label].self.is_certified)
			continue;
		if (label == 0)
			own->uncertain_pairs.data[kept++] = pair;
		else if (!rbl_array_push(&surface->allocator,
		                         &surface->certificates[slots[label]].uncertain_pairs, pair))
			s->pieces[label].self.is_certified =
				false; // without memory it is certified another time
	}
	own->uncertain_pairs.count = kept;
}

void rbl_surface_inherit_certificates(rbl_surface_split_plan *s, const int *slots)
{
	rbl_surface *surface = s->surface;
	if (!s->body->self.is_certified || s->slot >= surface->certificate_count)
		return;
	for (int p = 0; p < s->def->piece_count; ++p)
		s->pieces[p].self.is_certified =
			s->triangle_counts[p] >= RBL_SURFACE_CERTIFICATE_MIN_TRIANGLES &&
			slots[p] < surface->certificate_count;
	for (int i = 0; i < s->def->triangle_count; ++i)
		s->pieces[s->def->triangle_labels[i]].self.is_certified = false;
	rbl_surface_certificate *own = &surface->certificates[s->slot];
	for (int p = 1; p < s->def->piece_count; ++p) {
		if (!s->pieces[p].self.is_certified)
			continue;
		rbl_surface_certificate *inherited = &surface->certificates[slots[p]];
		inherited->wait = own->wait;
		inherited->certified_query = own->certified_query;
		inherited->height = own->height;
		inherited->margin = own->margin;
		inherited->clearance = own->clearance;
		inherited->drift = own->drift;
		inherited->uncertain_pairs.count = 0;
	}
	inherit_uncertain_pairs(s, slots, own);
}
