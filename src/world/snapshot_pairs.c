// SPDX-License-Identifier: MIT
//
// Pairs and contacts in a snapshot.
//
// Which record a new pair gets depends on the order of free ones, so that order is written, and
// records keep their indices. Links are written as they are, since lists are walked in their
// order; loading walks all of them, so that each record is reached once and no list is circular.

#include "world/snapshot.h"

enum { PAIR_FLAGS = 131071 };

_Static_assert(sizeof(rbl_pair_record) == 64, "a new field of pairs: is it saved?");
_Static_assert(sizeof(rbl_world_contact) == 16 + sizeof(rbl_manifold),
               "a new field of contacts: is it saved?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_surface_contacts) == 24,
               "a new field of surfaces: is it saved?");

// --- free places --------------------------------------------------------------------------------

static void put_chain(rbl_blob_writer *w, const rbl_world *world, int first,
                      int (*next)(const rbl_world *, int))
{
	int count = 0;
	for (int i = first; i != RBL_NONE; i = next(world, i))
		count++;
	rbl_blob_put32(w, (uint32_t)count);
	for (int i = first; i != RBL_NONE; i = next(world, i))
		rbl_blob_put32(w, (uint32_t)i);
}

static int next_free_pair(const rbl_world *world, int i)
{
	return world->links[i].next_a;
}

static int next_free_contact(const rbl_world *world, int i)
{
	return world->contacts.data[i].next;
}

static int next_free_surface(const rbl_world *world, int i)
{
	return world->surfaces.data[i].next_free;
}

// The free slots of an array of `count`, each once. @return NULL when the reader is no longer
// good
static int32_t *get_chain(rbl_snapshot_reader *r, int *slot_count, rbl_bit_set *are_free,
                          int *free_count)
{
	rbl_blob_reader *from = &r->blob;
	int count = *slot_count = rbl_blob_get_int(from, 0, INT32_MAX / 64);
	if (!rbl_blob_expect(from, (size_t)count <= from->size / 4, "there are too many records"))
		return NULL;
	*free_count = rbl_blob_get_count(from, 4);
	rbl_arena_reset(&from->scratch);
	int32_t *slots = rbl_blob_scratch(from, (size_t)*free_count, sizeof *slots);
	if (!slots)
		return NULL;
	from->out_of_memory |= !rbl_bit_set_resize(&r->world->allocator, are_free, count + 1);
	if (from->out_of_memory)
		return NULL;
	rbl_blob_get_words(from, slots, (size_t)*free_count);
	for (int i = 0; i < *free_count && !from->is_bad; ++i) {
		bool is_right = slots[i] >= 0 && slots[i] < count && !rbl_bit_set_has(are_free, slots[i]);
		if (rbl_blob_expect(from, is_right, "a slot is free twice, or not there"))
			rbl_bit_set_add(are_free, slots[i]);
	}
	return from->is_bad ? NULL : slots;
}

// --- pairs --------------------------------------------------------------------------------------

static void put_pair(rbl_blob_writer *w, const rbl_world *world, int pair)
{
	const rbl_pair_record *p = &world->pairs[pair];
	rbl_blob_put32(w, (uint32_t)p->a);
	rbl_blob_put32(w, (uint32_t)p->b);
	rbl_sat_cache_save(&p->cache, w);
	rbl_blob_put_words(w, &p->contact, 8);
	rbl_blob_put_words(w, &world->links[pair], 4);
}

static void get_pair(rbl_snapshot_reader *r, int pair)
{
	rbl_world *world = r->world;
	rbl_pair_record *p = &world->pairs[pair];
	p->a = rbl_blob_get_int(&r->blob, 0, world->part_ids.slot_count - 1);
	p->b = rbl_blob_get_int(&r->blob, 0, world->part_ids.slot_count - 1);
	rbl_sat_cache_load(&r->blob, &p->cache);
	rbl_blob_get_words(&r->blob, &p->contact, 8);
	rbl_blob_get_words(&r->blob, &world->links[pair], 4);
	if (r->blob.is_bad)
		return;
	bool is_right = p->a < p->b && rbl_id_pool_is_live(&world->part_ids, p->a) &&
	                rbl_id_pool_is_live(&world->part_ids, p->b) &&
	                rbl_floats_are_finite(&p->cached_translation, 6) &&
	                (p->flags & ~(uint32_t)PAIR_FLAGS) == 0;
	if (is_right) {
		int polyhedra = !!world->hot_parts[p->a].polyhedron + !!world->hot_parts[p->b].polyhedron;
		int body_a = world->hot_parts[p->a].body, body_b = world->hot_parts[p->b].body;
		uint32_t both = world->motions[body_a].flags & world->motions[body_b].flags;
		bool a_is_sensor = rbl_world_part_is_sensor(world, p->a),
			 b_is_sensor = rbl_world_part_is_sensor(world, p->b);
		bool has_field = world->parts[p->a].field || world->parts[p->b].field;
		bool is_kind = has_field ? (p->flags & RBL_PAIR_FIELD) && (p->flags & RBL_PAIR_SURFACE)
		                         : !(p->flags & RBL_PAIR_FIELD) &&
		                               polyhedra == (p->flags & RBL_PAIR_SURFACE ? 1 : 2);
		is_right = is_kind && body_a != body_b && (both & RBL_BODY_ENABLED) &&
		           !(a_is_sensor && b_is_sensor) &&
		           (a_is_sensor || b_is_sensor) == !!(p->flags & RBL_PAIR_SENSOR) &&
		           (p->contact == RBL_NONE || !(p->flags & RBL_PAIR_SENSOR)) &&
		           (!(p->flags & RBL_PAIR_MERGED) ||
		            (world->solver && !(p->flags & (RBL_PAIR_SENSOR | RBL_PAIR_SURFACE))));
	}
	rbl_blob_expect(&r->blob, is_right, "a pair is wrong");
}

static void get_active(rbl_snapshot_reader *r, const rbl_bit_set *are_free, int count)
{
	rbl_bit_set *active = &r->world->active_pairs;
	for (int word = 0; word < rbl_bit_words(count); ++word) {
		uint64_t bits = rbl_blob_get64(&r->blob);
		int left = count - 64 * word;
		uint64_t beyond = left >= 64 ? 0 : ~(uint64_t)0 << left;
		if (rbl_blob_expect(&r->blob, !(bits & (are_free->words[word] | beyond)),
		                    "a pair that is not there is active"))
			active->words[word] = bits;
	}
}

static void get_pairs(rbl_snapshot_reader *r, rbl_bit_set *are_free)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	int count, free_count;
	const int32_t *slots = get_chain(r, &count, are_free, &free_count);
	if (!slots)
		return;
	if (!rbl_world_reserve_pairs(world, count)) {
		from->out_of_memory = true;
		return;
	}
	for (int i = free_count - 1; i >= 0; --i) {
		world->pairs[slots[i]] =
			(rbl_pair_record){ .a = RBL_NONE, .b = RBL_NONE, .contact = RBL_NONE };
		world->links[slots[i]] = (rbl_pair_links){ .next_a = world->free_pair };
		world->free_pair = slots[i];
	}
	world->pair_end = count;
	world->pair_count = count - free_count;
	for (int i = 0; i < count && !from->is_bad; ++i)
		if (!rbl_bit_set_has(are_free, i))
			get_pair(r, i);
	get_active(r, are_free, count);
}

// Merged lists follow the order of records, so they are not written.
static bool rebuild_merged_lists(rbl_world *world, const rbl_bit_set *are_free)
{
	int count = 0;
	for (int i = 0; i < world->pair_end; ++i)
		count += !rbl_bit_set_has(are_free, i) && (world->pairs[i].flags & RBL_PAIR_MERGED);
	if (count > 0 && !rbl_map_reserve(&world->allocator, &world->merged_lists, count))
		return false;
	for (int i = 0; i < world->pair_end; ++i)
		if (!rbl_bit_set_has(are_free, i) && (world->pairs[i].flags & RBL_PAIR_MERGED))
			rbl_world_merged_list_add(world, i);
	return true;
}

// Every pair is in the lists of both of its parts, once.
static bool check_pair_links(const rbl_world *world, const rbl_bit_set *are_free)
{
	int left = 2 * world->pair_count;
	RBL_EACH_LIVE (i, &world->part_ids) {
		int previous = RBL_NONE, count = 0, pair = world->parts[i].first_pair;
		while (pair != RBL_NONE) {
			if (pair < 0 || pair >= world->pair_end || rbl_bit_set_has(are_free, pair) ||
			    count >= left)
				return false;
			const rbl_pair_record *p = &world->pairs[pair];
			const rbl_pair_links *links = &world->links[pair];
			if ((p->a != i && p->b != i) ||
			    (p->a == i ? links->previous_a : links->previous_b) != previous)
				return false;
			previous = pair;
			pair = p->a == i ? links->next_a : links->next_b;
			count++;
		}
		if (count != world->parts[i].pair_count)
			return false;
		left -= count;
	}
	return left == 0;
}

// --- contacts -----------------------------------------------------------------------------------

static void put_contacts(rbl_blob_writer *w, const rbl_world *world)
{
	rbl_blob_put32(w, (uint32_t)world->contacts.count);
	put_chain(w, world, world->free_contact, next_free_contact);
	for (int i = 0; i < world->contacts.count; ++i) {
		const rbl_world_contact *t = &world->contacts.data[i];
		if (t->pair == RBL_NONE)
			continue;
		rbl_blob_put_words(w, t, 4);
		rbl_manifold_save(&t->manifold, w);
	}
	rbl_blob_put32(w, (uint32_t)world->surfaces.count);
	put_chain(w, world, world->free_surface, next_free_surface);
	for (int i = 0; i < world->surfaces.count; ++i) {
		const rbl_world_surface_contacts *surface = &world->surfaces.data[i];
		if (!surface->contacts && !surface->field)
			continue;
		rbl_blob_put32(w, (uint32_t)surface->first_contact);
		if (surface->field)
			rbl_snapshot_put_pair_field(w, surface->field);
		else
			rbl_contacts_save(surface->contacts, w);
	}
}

static void get_contacts(rbl_snapshot_reader *r, rbl_bit_set *are_free)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	int count, free_count;
	const int32_t *slots = get_chain(r, &count, are_free, &free_count);
	if (!slots)
		return;
	if (!rbl_array_resize(&world->allocator, &world->contacts, count)) {
		from->out_of_memory = true;
		return;
	}
	world->contact_count = count - free_count;
	for (int i = free_count - 1; i >= 0; --i) {
		world->contacts.data[slots[i]] = (rbl_world_contact){ .pair = RBL_NONE,
			                                                  .next = world->free_contact,
			                                                  .solver_contact = RBL_NONE };
		world->free_contact = slots[i];
	}
	for (int i = 0; i < count && !from->is_bad; ++i) {
		rbl_world_contact *t = &world->contacts.data[i];
		if (rbl_bit_set_has(are_free, i))
			continue;
		rbl_blob_get_words(from, t, 4);
		rbl_manifold_load(from, &t->manifold);
		rbl_blob_expect(from, t->pair >= 0 && rbl_floats_are_finite(&t->allowed_penetration, 1),
		                "a contact is wrong");
	}
}

// The pair of each surface: it knows the colliders.
static int32_t *find_owners(rbl_snapshot_reader *r, int count, const rbl_bit_set *free_pairs)
{
	rbl_world *world = r->world;
	int32_t *owners = RBL_NEW(&world->allocator, int32_t, count + 1);
	r->blob.out_of_memory |= !owners;
	for (int i = 0; owners && i < count; ++i)
		owners[i] = RBL_NONE;
	for (int i = 0; owners && i < world->pair_end; ++i) {
		const rbl_pair_record *p = &world->pairs[i];
		if (rbl_bit_set_has(free_pairs, i) || !(p->flags & RBL_PAIR_SURFACE) ||
		    p->contact == RBL_NONE)
			continue;
		if (rbl_blob_expect(&r->blob,
		                    p->contact >= 0 && p->contact < count && owners[p->contact] == RBL_NONE,
		                    "a surface has two pairs, or is not there"))
			owners[p->contact] = i;
	}
	return owners;
}

static void get_surfaces(rbl_snapshot_reader *r, const rbl_bit_set *free_pairs,
                         rbl_bit_set *are_free)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	int count, free_count;
	const int32_t *slots = get_chain(r, &count, are_free, &free_count);
	int32_t *owners = slots ? find_owners(r, count, free_pairs) : NULL;
	if (!owners || !rbl_array_resize(&world->allocator, &world->surfaces, count)) {
		from->out_of_memory |= owners != NULL;
		RBL_FREE(&world->allocator, owners, count + 1);
		return;
	}
	for (int i = 0; i < count; ++i)
		world->surfaces.data[i] = (rbl_world_surface_contacts){ NULL, NULL, RBL_NONE, RBL_NONE };
	for (int i = free_count - 1; i >= 0; --i) {
		world->surfaces.data[slots[i]].next_free = world->free_surface;
		world->free_surface = slots[i];
	}
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i) {
		int pair = owners[i];
		bool is_free = rbl_bit_set_has(are_free, i);
		if (!rbl_blob_expect(from, is_free == (pair == RBL_NONE), "a surface has no pair") ||
		    is_free)
			continue;
		world->surfaces.data[i].first_contact = (int32_t)rbl_blob_get32(from);
		rbl_contacts **contacts = &world->surfaces.data[i].contacts;
		if (world->pairs[pair].flags & RBL_PAIR_FIELD)
			rbl_snapshot_get_pair_field(r, &world->surfaces.data[i].field);
		else if (rbl_create_contacts(&world->allocator, contacts) != RBL_OK)
			from->out_of_memory = true;
		else
			rbl_contacts_load(from, *contacts, world->parts[world->pairs[pair].a].collider,
			                  world->parts[world->pairs[pair].b].collider);
	}
	RBL_FREE(&world->allocator, owners, count + 1);
}

// The number of contacts of a pair: one, or those of a surface. @return -1 when its list is wrong
static int count_contacts(const rbl_world *world, int pair, const rbl_bit_set *are_free, int most)
{
	if (world->pairs[pair].contact == RBL_NONE)
		return 0;
	bool is_surface = world->pairs[pair].flags & RBL_PAIR_SURFACE;
	int contact = rbl_world_first_contact(world, pair), count = 0;
	for (; contact != RBL_NONE; contact = world->contacts.data[contact].next, ++count)
		if (contact < 0 || contact >= world->contacts.count || count >= most ||
		    rbl_bit_set_has(are_free, contact) || world->contacts.data[contact].pair != pair)
			return -1;
	return is_surface || count == 1 ? count : -1;
}

static bool check_contacts(const rbl_world *world, const rbl_bit_set *free_pairs,
                           const rbl_bit_set *are_free)
{
	int left = world->contact_count;
	for (int i = 0; i < world->pair_end && left >= 0; ++i) {
		if (rbl_bit_set_has(free_pairs, i))
			continue;
		int count = count_contacts(world, i, are_free, left);
		left = count < 0 ? -1 : left - count;
	}
	return left == 0;
}

// Count the touching pairs of sensors and visitors.
static bool count_visits(rbl_world *world, const rbl_bit_set *are_free)
{
	for (int i = 0; i < world->pair_end; ++i) {
		const rbl_pair_record *p = &world->pairs[i];
		uint32_t wanted = RBL_PAIR_SENSOR | RBL_PAIR_REPORTED;
		if (rbl_bit_set_has(are_free, i) || (p->flags & wanted) != wanted)
			continue;
		int a = world->hot_parts[p->a].body, b = world->hot_parts[p->b].body;
		uint64_t key = rbl_world_part_is_sensor(world, p->a) ? rbl_world_visit_key(world, p->a, b)
		                                                     : rbl_world_visit_key(world, p->b, a);
		uint32_t *count = rbl_map_add(&world->allocator, &world->sensor_visits, key, 0);
		if (!count)
			return false;
		++*count;
	}
	return true;
}

// --- all of it ----------------------------------------------------------------------------------

void rbl_snapshot_put_pairs(rbl_blob_writer *w, const rbl_world *world)
{
	size_t part = rbl_blob_begin(w, "PAIR");
	rbl_blob_put32(w, (uint32_t)world->pair_end);
	put_chain(w, world, world->free_pair, next_free_pair);
	for (int i = 0; i < world->pair_end; ++i)
		if (world->pairs[i].a != RBL_NONE)
			put_pair(w, world, i);
	rbl_blob_put_longs(w, world->active_pairs.words, (size_t)rbl_bit_words(world->pair_end));
	put_contacts(w, world);
	rbl_blob_end(w, part);
}

bool rbl_snapshot_get_pairs(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	rbl_bit_set free_pairs = { 0 }, free_contacts = { 0 }, free_surfaces = { 0 };
	size_t end = rbl_blob_enter(from, "PAIR");
	get_pairs(r, &free_pairs);
	bool ok = !from->is_bad && !from->out_of_memory &&
	          rbl_blob_expect(from, check_pair_links(world, &free_pairs), "pairs are not in order");
	if (ok)
		get_contacts(r, &free_contacts);
	ok = ok && !from->is_bad && !from->out_of_memory;
	if (ok)
		get_surfaces(r, &free_pairs, &free_surfaces);
	ok = ok && !from->is_bad && !from->out_of_memory && rbl_blob_leave(from, end) &&
	     rbl_blob_expect(from, check_contacts(world, &free_pairs, &free_contacts),
	                     "contacts are not in order");
	if (ok && !count_visits(world, &free_pairs))
		from->out_of_memory = true;
	if (ok && !rebuild_merged_lists(world, &free_pairs))
		from->out_of_memory = true;
	rbl_bit_set_free(&world->allocator, &free_pairs);
	rbl_bit_set_free(&world->allocator, &free_contacts);
	rbl_bit_set_free(&world->allocator, &free_surfaces);
	return ok && !from->out_of_memory;
}

bool rbl_snapshot_check_pairs(rbl_snapshot_reader *r)
{
	const rbl_world *world = r->world;
	for (int i = 0; i < world->contacts.count; ++i) {
		const rbl_world_contact *t = &world->contacts.data[i];
		if (t->pair == RBL_NONE)
			continue;
		bool is_right = t->solver_contact == RBL_NONE;
		if (world->solver) {
			const rbl_pair_record *p = &world->pairs[t->pair];
			bool is_swapped = rbl_world_is_swapped(world, t->pair);
			int first = is_swapped ? p->b : p->a, second = is_swapped ? p->a : p->b;
			int a = world->bodies[world->hot_parts[first].body].solver_body;
			int b = world->bodies[world->hot_parts[second].body].solver_body;
			is_right = rbl_solver_has_contact(world->solver, t->solver_contact);
			if (is_right) {
				rbl_solver_contact_report report =
					rbl_solver_report_contact(world->solver, t->solver_contact);
				is_right = report.user == (uint32_t)i && report.a == a && report.b == b;
			}
		}
		if (!rbl_blob_expect(&r->blob, is_right, "a contact is not the solver's"))
			return false;
	}
	return rbl_blob_expect(&r->blob,
	                       !world->solver ||
	                           rbl_solver_count(world->solver).contacts == world->contact_count,
	                       "the solver has other contacts");
}
