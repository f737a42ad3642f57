// SPDX-License-Identifier: MIT
//
// From groups to compounds (Mueller et al. 2013, section 3.1, step 5, and section 3.2): the pieces
// of a group that hang together become a compound; the rest is searched from where it broke, and
// what no longer hangs together with it becomes a compound as well. All of them are made before
// the compound itself changes.

#include "fracture/break.h"

#include "base/sort.h"
#include "base/vec.h"

#include <limits.h>

enum { PER_CUT = 20 }; // nodes looked at in the time of a cut of a convex by a cell

static bool is_rest(const rbl_breaker *b, int node)
{
	return node >= b->made_alive || b->made.data[node].group == RBL_GROUP_REST;
}

// The chip of a node of the contacts, -1 for what remains; and its number there.
static int chip_of(const rbl_breaker *b, int node, int *place)
{
	if (node < b->made_alive) {
		*place = b->made.data[node].place;
		return b->made.data[node].chip;
	}
	int member = b->around.data[node - b->made_alive];
	const rbl_member *m = &b->compound->members.data[member];
	*place = m->chip < 0 ? member : m->place;
	return m->chip;
}

// Pieces of one group that touch are one chip. @return the number of chips, -1 when memory ran out
static int chips_of_groups(rbl_breaker *b)
{
	int n = b->made_alive, count = 0;
	int *parents = RBL_NEW(b->allocator, int, (size_t)n + 1);
	if (!parents)
		return -1;
	for (int i = 0; i < n; ++i)
		parents[i] = i;
	for (int i = 0; i < b->contacts.items.count; ++i) {
		const rbl_contact *contact = &b->contacts.items.data[i];
		if (is_rest(b, contact->a))
			continue;
		int a = rbl_find_root(parents, contact->a), c = rbl_find_root(parents, contact->b);
		parents[a > c ? a : c] = a > c ? c : a;
	}
	for (int i = 0; i < n; ++i) {
		if (is_rest(b, i))
			continue;
		int root = rbl_find_root(parents, i); // the lowest: has its number already
		b->made.data[i].chip = root == i ? count++ : b->made.data[root].chip;
	}
	RBL_FREE(b->allocator, parents, (size_t)n + 1);
	return count;
}

static rbl_result make_overlay(rbl_breaker *b)
{
	rbl_overlay *o = &b->overlay;
	o->base = b->compound->members.count;
	o->node_count = b->made_alive;
	o->first_links = RBL_NEW(b->allocator, int, (size_t)o->node_count + 1);
	o->regions = RBL_NEW(b->allocator, int, (size_t)o->node_count + 1);
	if (!o->first_links || !o->regions)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < o->node_count; ++i) {
		o->first_links[i] = -1;
		o->regions[i] = is_rest(b, i) ? RBL_MEMBER_UNSEEN : RBL_MEMBER_REMOVED;
	}
	for (int i = 0; i < b->contacts.items.count; ++i) {
		const rbl_contact *contact = &b->contacts.items.data[i];
		if (!is_rest(b, contact->a))
			continue;
		int second = contact->b < b->made_alive ? o->base + contact->b
		                                        : b->around.data[contact->b - b->made_alive];
		if (!rbl_overlay_link_nodes(b->compound, o, o->base + contact->a, second))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

static bool list_seeds(rbl_breaker *b)
{
	for (int i = 0; i < b->made_alive; ++i) {
		if (is_rest(b, i) && !rbl_array_push(b->allocator, &b->seeds, b->overlay.base + i))
			return false;
	}
	for (int i = 0; i < b->around.count; ++i) {
		if (!rbl_array_push(b->allocator, &b->seeds, b->around.data[i]))
			return false;
	}
	return true;
}

rbl_result rbl_break_search_begin(rbl_breaker *b)
{
	b->from_groups = chips_of_groups(b);
	if (b->from_groups < 0)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = make_overlay(b);
	if (result == RBL_OK && !list_seeds(b))
		result = RBL_OUT_OF_MEMORY;
	if (result != RBL_OK)
		return result;
	b->search = rbl_search_begin(b->compound, &b->overlay, b->seeds.data, b->seeds.count);
	return b->search ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_break_search_some(rbl_breaker *b, int *budget, bool *is_done)
{
	int nodes = *budget < INT_MAX / PER_CUT ? *budget * PER_CUT : INT_MAX;
	rbl_result result = rbl_search_work(b->search, &nodes, &b->islands, is_done);
	*budget = nodes / PER_CUT;
	if (result == RBL_OK && *is_done) {
		rbl_search_end(b->search);
		b->search = NULL;
		b->counts.visited_count = b->islands.visited_count;
	}
	return result;
}

void rbl_break_forget_search(rbl_breaker *b)
{
	const rbl_allocator *a = b->allocator;
	rbl_search_end(b->search);
	b->search = NULL;
	for (int i = 0; i < b->chips.count; ++i) // they own nothing yet
		rbl_compound_discard(b->chips.data[i]);
	b->chips.count = b->overlaps.count = b->seeds.count = 0;
	RBL_FREE(a, b->overlay.first_links, (size_t)b->overlay.node_count + 1);
	RBL_FREE(a, b->overlay.regions, (size_t)b->overlay.node_count + 1);
	rbl_array_free(a, &b->overlay.links);
	memset(&b->overlay, 0, sizeof b->overlay);
	rbl_islands_free(a, &b->islands);
	memset(&b->islands, 0, sizeof b->islands);
	for (int i = 0; i < b->made.count; ++i)
		b->made.data[i].chip = -1;
	b->is_unchanged = false;
}

static void name_islands(rbl_breaker *b, int first_chip)
{
	for (int i = 0; i < b->islands.items.count; ++i) {
		rbl_island island = b->islands.items.data[i];
		for (int k = 0; k < island.count; ++k) {
			int node = b->islands.nodes.data[island.first + k];
			if (node >= b->overlay.base)
				b->made.data[node - b->overlay.base].chip = first_chip + i;
			else
				b->compound->members.data[node].chip = first_chip + i;
		}
	}
}

static void copy_bond(rbl_breaker *b, const rbl_bond *bond)
{
	const rbl_member *m = b->compound->members.data;
	rbl_bond copy = *bond;
	copy.members[0] = m[bond->members[0]].place;
	copy.members[1] = m[bond->members[1]].place;
	rbl_compound_add_bond(b->chips.data[m[bond->members[0]].chip], &copy);
}

// Bonds inside of islands: count them, or copy them.
static void walk_island_bonds(rbl_breaker *b, rbl_chip_size *sizes)
{
	const rbl_compound *c = b->compound;
	for (int i = 0; i < b->islands.nodes.count; ++i) {
		int node = b->islands.nodes.data[i];
		if (node >= b->overlay.base)
			continue;
		const rbl_member *m = &c->members.data[node];
		for (int end = m->first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			const rbl_member *other = &c->members.data[bond->members[!(end % 2)]];
			bool stays = end % 2 == 0 && bond->stamp != c->stamp && other->chip == m->chip &&
			             other->stamp == c->stamp && other->region != RBL_MEMBER_REMOVED;
			end = bond->next[end % 2];
			if (stays && sizes)
				sizes[m->chip].bonds++;
			else if (stays)
				copy_bond(b, bond);
		}
	}
}

static rbl_bond bond_of_contact(const rbl_breaker *b, int index, int place_a, int place_b)
{
	const rbl_contact *contact = &b->contacts.items.data[index];
	return (rbl_bond){ .members = { place_a, place_b },
		               .faces = { contact->face_a, contact->face_b },
		               .is_overlap = contact->is_overlap,
		               .is_loose = contact->is_loose,
		               .area = contact->area,
		               .centre = contact->centre,
		               .strength = b->strengths[index] };
}

static void count_chips(rbl_breaker *b, rbl_chip_size *sizes, rbl_chip_size *rest)
{
	for (int i = 0; i < b->made_alive; ++i)
		(b->made.data[i].chip < 0 ? rest : &sizes[b->made.data[i].chip])->members++;
	for (int i = 0; i < b->islands.nodes.count; ++i) {
		int node = b->islands.nodes.data[i];
		if (node < b->overlay.base)
			sizes[b->compound->members.data[node].chip].members++;
	}
	for (int i = 0; i < b->contacts.items.count; ++i) {
		int place, chip = chip_of(b, b->contacts.items.data[i].a, &place);
		(chip < 0 ? rest : &sizes[chip])->bonds++;
	}
	walk_island_bonds(b, sizes);
}

// A piece as a member.
static rbl_member member_of(const rbl_breaker *b, const rbl_made *made)
{
	rbl_member member = { .convex = made->convex, .mesh = made->mesh, .volume = made->volume };
	member.visual = made->visual;
	member.shape = made->shape;
	if (made->is_whole) {
		member.mesh = b->compound->members.data[made->parent].mesh;
		member.solid = b->compound->members.data[made->parent].solid;
		member.visual = b->compound->members.data[made->parent].visual;
		member.shape = b->compound->members.data[made->parent].shape;
	}
	member.material = made->material;
	member.is_anchored = made->is_anchored;
	member.is_rough = made->is_rough;
	if (made->is_whole)
		member.is_rough = b->compound->members.data[made->parent].is_rough;
	return member;
}

static rbl_result create_chips(rbl_breaker *b, const rbl_chip_size *sizes, int count)
{
	const rbl_compound *c = b->compound;
	if (!rbl_array_reserve(b->allocator, &b->chips, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		rbl_compound *chip =
			rbl_compound_new(b->allocator, c->tolerance, c->strengths, c->material_count);
		if (!chip)
			return RBL_OUT_OF_MEMORY;
		b->chips.data[b->chips.count++] = chip;
		chip->next_plane_id = b->plane_end;
		if (!rbl_compound_reserve(chip, sizes[i].members, sizes[i].bonds))
			return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < b->made_alive; ++i) {
		rbl_made *m = &b->made.data[i];
		if (m->chip < 0)
			continue;
		rbl_member member = member_of(b, m);
		m->place = rbl_compound_add_member(b->chips.data[m->chip], &member);
	}
	for (int i = 0; i < b->islands.nodes.count; ++i) {
		int node = b->islands.nodes.data[i];
		if (node >= b->overlay.base)
			continue;
		rbl_member *m = &c->members.data[node];
		m->place = rbl_compound_add_member(b->chips.data[m->chip], m);
	}
	for (int i = 0; i < b->contacts.items.count; ++i) {
		int place_a, place_b, chip = chip_of(b, b->contacts.items.data[i].a, &place_a);
		int other = chip_of(b, b->contacts.items.data[i].b, &place_b);
		RBL_ASSERT(chip == other);
		(void)other;
		if (chip < 0)
			continue;
		rbl_bond bond = bond_of_contact(b, i, place_a, place_b);
		rbl_compound_add_bond(b->chips.data[chip], &bond);
	}
	walk_island_bonds(b, NULL);
	return RBL_OK;
}

static void build_trees(void *context, int begin, int end, int worker)
{
	rbl_breaker *b = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		b->results[i] = rbl_compound_build_tree(b->chips.data[i], NULL);
}

static rbl_result build_chip_trees(rbl_breaker *b)
{
	int count = b->chips.count;
	b->results = RBL_NEW(b->allocator, rbl_result, (size_t)count + 1);
	if (!b->results)
		return RBL_OUT_OF_MEMORY;
	rbl_parallel_for(b->def ? b->def->jobs : NULL, count, 4, build_trees, b);
	rbl_result result = RBL_OK;
	for (int i = 0; i < count && result == RBL_OK; ++i)
		result = b->results[i];
	RBL_FREE(b->allocator, b->results, (size_t)count + 1);
	return result;
}

rbl_result rbl_break_reserve_rest(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	rbl_chip_size rest = b->rest;
	if (rest.members == 0 && rest.bonds == 0)
		return RBL_OK;
	if (!rbl_compound_reserve(c, rest.members, rest.bonds))
		return RBL_OUT_OF_MEMORY;
	return rbl_tree_pool_reserve_more(&c->pool, rest.members,
	                                  (uint32_t)(c->members.count + rest.members));
}

// Pieces of one mesh in one cell that go apart and whose convexes overlap, by index of the piece.
static rbl_result find_overlaps(rbl_breaker *b)
{
	int n = 0;
	rbl_sort_item64 *items = RBL_NEW(b->allocator, rbl_sort_item64, 2 * (size_t)b->made_alive + 1);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < b->made_alive; ++i) {
		const rbl_made *m = &b->made.data[i];
		if (m->mesh)
			items[n++] =
				(rbl_sort_item64){ (uint64_t)m->parent << 32 | (uint32_t)m->cell, (uint32_t)i, 0 };
	}
	rbl_sort64(items, items + b->made_alive, n);
	rbl_result result = RBL_OK;
	for (int i = 0; i < n && result == RBL_OK; ++i) {
		const rbl_made *first = &b->made.data[items[i].value];
		for (int k = i + 1; k < n && items[k].key == items[i].key && result == RBL_OK; ++k) {
			const rbl_made *second = &b->made.data[items[k].value];
			if (first->chip == second->chip)
				continue;
			rbl_convex *common = NULL;
			result = rbl_convex_intersect(first->convex, second->convex, &common);
			double volume = common ? rbl_convex_volume(common) : 0.0;
			rbl_destroy_convex(common);
			rbl_break_overlap overlap = { 0, (int)items[i].value, 0, (int)items[k].value };
			if (result == RBL_OK && volume > 1e-9 * rbl_mind(first->volume, second->volume) &&
			    !rbl_array_push(b->allocator, &b->overlaps, overlap))
				result = RBL_OUT_OF_MEMORY;
		}
	}
	RBL_FREE(b->allocator, items, 2 * (size_t)b->made_alive + 1);
	return result;
}

rbl_result rbl_break_make_chips(rbl_breaker *b)
{
	int count = b->from_groups + b->islands.items.count;
	bool has_rest = b->seeds.count > 0 || b->compound->member_count > b->touched.count;
	b->rest = (rbl_chip_size){ 0, 0 };
	if (count == 0 || (count == 1 && !has_rest)) { // all of it is still one
		b->is_unchanged = b->broken_bonds.count == 0;
		return RBL_OK;
	}
	name_islands(b, b->from_groups);
	rbl_chip_size *sizes = RBL_NEW_ZERO(b->allocator, rbl_chip_size, count);
	if (!sizes)
		return RBL_OUT_OF_MEMORY;
	count_chips(b, sizes, &b->rest);
	rbl_result result = create_chips(b, sizes, count);
	RBL_FREE(b->allocator, sizes, count);
	if (result == RBL_OK)
		result = build_chip_trees(b);
	return result == RBL_OK ? find_overlaps(b) : result;
}

// --- the change ---------------------------------------------------------------------------------

static void remove_old(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	for (int i = 0; i < b->broken_bonds.count; ++i)
		rbl_compound_remove_bond(c, b->broken_bonds.data[i]);
	for (int i = 0; i < b->islands.nodes.count; ++i) {
		if (b->islands.nodes.data[i] < b->overlay.base)
			rbl_compound_remove_member(c, b->islands.nodes.data[i]);
	}
	for (int i = 0; i < b->made_alive; ++i) {
		if (b->made.data[i].is_whole) // its convex and mesh live on
			c->members.data[b->made.data[i].parent].place = -1;
	}
	for (int i = 0; i < b->touched.count; ++i) {
		rbl_member m = c->members.data[b->touched.data[i]];
		rbl_compound_remove_member(c, b->touched.data[i]);
		if (m.place != -1)
			rbl_member_free(&m);
	}
}

static void add_rest(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	for (int i = 0; i < b->made_alive; ++i) {
		rbl_made *m = &b->made.data[i];
		if (m->chip >= 0)
			continue;
		rbl_member member = member_of(b, m);
		m->place = rbl_compound_add_member(c, &member);
		rbl_box box = rbl_compound_tree_box(c, rbl_convex_bounds(m->convex));
		rbl_result result = rbl_tree_insert(&c->tree, (uint32_t)m->place, box, RBL_TREE_NONE);
		RBL_ASSERT(result == RBL_OK); // there is room
		(void)result;
	}
	for (int i = 0; i < b->contacts.items.count; ++i) {
		int place_a, place_b;
		if (chip_of(b, b->contacts.items.data[i].a, &place_a) >= 0)
			continue;
		chip_of(b, b->contacts.items.data[i].b, &place_b);
		rbl_bond bond = bond_of_contact(b, i, place_a, place_b);
		rbl_compound_add_bond(c, &bond);
	}
	rbl_tree_update(&c->tree, 0);
}

void rbl_break_commit(rbl_breaker *b)
{
	remove_old(b);
	add_rest(b);
	b->compound->next_plane_id = b->plane_end;
	b->compound->version++;
	for (int i = 0; i < b->overlaps.count; ++i) {
		rbl_break_overlap *overlap = &b->overlaps.data[i];
		const rbl_made *first = &b->made.data[overlap->part_a];
		const rbl_made *second = &b->made.data[overlap->part_b];
		*overlap = (rbl_break_overlap){ first->chip, first->place, second->chip, second->place };
	}
	for (int i = 0; i < b->made_alive; ++i) {
		if (!b->made.data[i].is_whole)
			b->counts.approximate_count += rbl_convex_get_data(b->made.data[i].convex).is_approximate;
	}
	b->made.count = b->made_alive = 0; // what they hold lives in compounds
}
