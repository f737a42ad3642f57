// SPDX-License-Identifier: MIT
// Whole-structure checks of a solver.
#pragma once

#include "solver/state.h"

#include "test.h"

/// Lists, slots, colors, links and states agree with each other.
static inline bool solver_is_valid(const rbl_solver *s)
{
	int awake = 0, sleeping = 0, placed = 0;
	for (int body = 1; body < s->body_ids.slot_count; ++body) {
		if (!rbl_id_pool_is_live(&s->body_ids, body))
			continue;
		const rbl_solver_body_cold *cold = &s->cold[body];
		bool is_asleep = rbl_solver_is_asleep(s, body);
		bool is_listed = cold->awake_slot >= 0;
		if (is_listed != (cold->kind != RBL_SOLVER_STATIC && !is_asleep) ||
		    (is_listed && s->awake[cold->awake_slot] != body))
			return false;
		awake += is_listed;
		sleeping += is_asleep;
		uint64_t colors = 0;
		int previous = -1;
		for (int link = cold->first_contact; link >= 0;
		     previous = link, link = s->contacts.data[link >> 1].links[link & 1].next) {
			const rbl_solver_contact_cold *contact = &s->contacts.data[link >> 1];
			if (contact->body[link & 1] != body || contact->links[link & 1].previous != previous ||
			    !rbl_id_pool_is_live(&s->contact_ids, link >> 1))
				return false;
			if (contact->list < 0 || contact->list >= RBL_SOLVER_COLORS ||
			    cold->kind != RBL_SOLVER_DYNAMIC)
				continue;
			if (colors >> contact->list & 1)
				return false; // twice in a color
			colors |= (uint64_t)1 << contact->list;
		}
		if (colors != cold->colors)
			return false;
	}
	for (int i = 0; i < s->contacts.count; ++i) {
		if (!rbl_id_pool_is_live(&s->contact_ids, i))
			continue;
		const rbl_solver_contact_cold *contact = &s->contacts.data[i];
		if ((contact->list < 0) != (contact->point_count == 0))
			return false;
		if (contact->list < 0)
			continue;
		placed++;
		bool is_active =
			rbl_solver_is_active(s, contact->body[0]) || rbl_solver_is_active(s, contact->body[1]);
		const rbl_solver_contact_list *list = &s->lists[contact->list];
		int lane;
		const rbl_solver_contact_block *block = rbl_solver_slot_block(list, contact->slot, &lane);
		if (contact->slot >= list->count ||
		    list->cold[contact->slot / RBL_SOLVER_LANES].contact[lane] != i ||
		    block->a[lane] != contact->body[0] || block->b[lane] != contact->body[1] ||
		    is_active == (contact->list == RBL_SOLVER_SLEEPING))
			return false;
	}
	for (int i = 0; i < RBL_SOLVER_LIST_COUNT; ++i)
		placed -= s->lists[i].count;
	return awake == s->awake_count && sleeping == s->sleeping_count && placed == 0 &&
	       s->awake[s->awake_count] == 0;
}
