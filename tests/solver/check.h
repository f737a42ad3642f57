// SPDX-License-Identifier: MIT
// A look at a whole solver: everything stands where it should.
#pragma once

#include "solver/state.h"

#include "test.h"

/// Lists, slots, colours, links and states agree with each other.
static inline bool solver_is_sound(const rbl_solver *s)
{
	int awake = 0, sleeping = 0, placed = 0;
	for (int body = 1; body < s->body_ids.slot_count; ++body) {
		if (!rbl_id_pool_is_live(&s->body_ids, body))
			continue;
		const rbl_body_cold *cold = &s->cold[body];
		bool is_asleep = rbl_body_is_asleep(s, body);
		bool is_listed = cold->awake_slot >= 0;
		if (is_listed != (cold->kind != RBL_SOLVER_STATIC && !is_asleep) ||
		    (is_listed && s->awake[cold->awake_slot] != body))
			return false;
		awake += is_listed;
		sleeping += is_asleep;
		uint64_t colours = 0;
		int previous = -1;
		for (int link = cold->first_contact; link >= 0;
		     previous = link, link = s->contacts.data[link >> 1].links[link & 1].next) {
			const rbl_contact_cold *contact = &s->contacts.data[link >> 1];
			if (contact->body[link & 1] != body || contact->links[link & 1].previous != previous ||
			    !rbl_id_pool_is_live(&s->contact_ids, link >> 1))
				return false;
			if (contact->list < 0 || contact->list >= RBL_COLOURS ||
			    cold->kind != RBL_SOLVER_DYNAMIC)
				continue;
			if (colours >> contact->list & 1)
				return false; // twice in a colour
			colours |= (uint64_t)1 << contact->list;
		}
		if (colours != cold->colours)
			return false;
	}
	for (int i = 0; i < s->contacts.count; ++i) {
		if (!rbl_id_pool_is_live(&s->contact_ids, i))
			continue;
		const rbl_contact_cold *contact = &s->contacts.data[i];
		if ((contact->list < 0) != (contact->point_count == 0))
			return false;
		if (contact->list < 0)
			continue;
		placed++;
		bool is_active =
			rbl_body_is_active(s, contact->body[0]) || rbl_body_is_active(s, contact->body[1]);
		const rbl_contact_list *list = &s->lists[contact->list];
		int lane;
		const rbl_contact_block *block = rbl_slot_block(list, contact->slot, &lane);
		if (contact->slot >= list->count ||
		    list->sides[contact->slot / list->lanes].contact[lane] != i ||
		    block->a[lane] != contact->body[0] || block->b[lane] != contact->body[1] ||
		    is_active == (contact->list == RBL_SLEEPING))
			return false;
	}
	for (int i = 0; i < RBL_LIST_COUNT; ++i)
		placed -= s->lists[i].count;
	return awake == s->awake_count && sleeping == s->sleeping_count && placed == 0 &&
	       s->awake[s->awake_count] == 0;
}
