// SPDX-License-Identifier: MIT
//
// From groups to fragments (Mueller et al. 2013, section 3.1, step 5, and section 3.2): connected
// pieces of a group become a compound. The rest is searched from where it broke, and components
// that are no longer connected to it become compounds as well. All of them are made before the
// compound itself changes.

#include "fracture/break.h"

#include "base/sort.h"
#include "base/union_find.h"
#include "base/vec.h"

#include <limits.h>

enum { NODES_PER_CUT = 20 }; // nodes looked at in the time of a cut of a convex by a cell

static bool is_rest(const rbl_breaker *b, int node)
{
	return node >= b->piece_count || b->pieces.data[node].group == RBL_GROUP_REST;
}

// The fragment of an adjacent node, -1 for what remains; and its index there.
static int fragment_of(const rbl_breaker *b, int node, int *slot)
{
	if (node < b->piece_count) {
		*slot = b->pieces.data[node].slot;
		return b->pieces.data[node].fragment;
	}
	int part = b->around.data[node - b->piece_count];
	const rbl_part *m = &b->compound->parts.data[part];
	*slot = m->fragment < 0 ? part : m->slot;
	return m->fragment;
}

// Pieces of one group that touch are one fragment. @return the number of fragments, -1 when memory
// ran out
static int fragments_of_groups(rbl_breaker *b)
{
	int n = b->piece_count, count = 0;
	int *parents = RBL_NEW(b->allocator, int, (size_t)n + 1);
	if (!parents)
		return -1;
	rbl_union_find_init(parents, n);
	for (int i = 0; i < b->adjacent.items.count; ++i) {
		const rbl_adjacent_pair *pair = &b->adjacent.items.data[i];
		if (!is_rest(b, pair->a))
			rbl_union_find_join(parents, pair->a, pair->b);
	}
	for (int i = 0; i < n; ++i) {
		if (is_rest(b, i))
			continue;
		int root = rbl_union_find_root(parents, i); // the lowest: has its number already
		b->pieces.data[i].fragment = root == i ? count++ : b->pieces.data[root].fragment;
	}
	RBL_FREE(b->allocator, parents, (size_t)n + 1);
	return count;
}

static rbl_result make_overlay(rbl_breaker *b)
{
	rbl_overlay *o = &b->overlay;
	o->base = b->compound->parts.count;
	o->node_count = b->piece_count;
	o->first_links = RBL_NEW(b->allocator, int, (size_t)o->node_count + 1);
	o->regions = RBL_NEW(b->allocator, int, (size_t)o->node_count + 1);
	if (!o->first_links || !o->regions)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < o->node_count; ++i) {
		o->first_links[i] = -1;
		o->regions[i] = is_rest(b, i) ? RBL_PART_UNVISITED : RBL_PART_REMOVED;
	}
	for (int i = 0; i < b->adjacent.items.count; ++i) {
		const rbl_adjacent_pair *pair = &b->adjacent.items.data[i];
		if (!is_rest(b, pair->a))
			continue;
		int second =
			pair->b < b->piece_count ? o->base + pair->b : b->around.data[pair->b - b->piece_count];
		if (!rbl_overlay_link_nodes(b->compound, o, o->base + pair->a, second))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

static bool list_seeds(rbl_breaker *b)
{
	for (int i = 0; i < b->piece_count; ++i) {
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
	b->from_groups = fragments_of_groups(b);
	if (b->from_groups < 0)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = make_overlay(b);
	if (result == RBL_OK && !list_seeds(b))
		result = RBL_OUT_OF_MEMORY;
	if (result != RBL_OK)
		return result;
	b->search = rbl_component_search_begin(b->compound, &b->overlay, b->seeds.data, b->seeds.count);
	return b->search ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_break_search_some(rbl_breaker *b, int *budget, bool *is_done)
{
	int nodes = *budget < INT_MAX / NODES_PER_CUT ? *budget * NODES_PER_CUT : INT_MAX;
	rbl_result result = rbl_component_search_work(b->search, &nodes, &b->components, is_done);
	*budget = nodes / NODES_PER_CUT;
	if (result == RBL_OK && *is_done) {
		rbl_component_search_end(b->search);
		b->search = NULL;
		b->counts.visited_count = b->components.visited_count;
	}
	return result;
}

static void forget_making(rbl_breaker *b)
{
	for (int i = 0; i < b->fragments.count; ++i) // they own nothing yet
		rbl_compound_discard(b->fragments.data[i]);
	b->fragments.count = b->overlaps.count = 0;
	RBL_FREE(b->allocator, b->making.sizes, b->making.count);
	b->making = (rbl_fragment_making){ .stage = 0 };
}

void rbl_break_forget_search(rbl_breaker *b)
{
	const rbl_allocator *a = b->allocator;
	rbl_component_search_end(b->search);
	b->search = NULL;
	forget_making(b);
	b->seeds.count = 0;
	RBL_FREE(a, b->overlay.first_links, (size_t)b->overlay.node_count + 1);
	RBL_FREE(a, b->overlay.regions, (size_t)b->overlay.node_count + 1);
	rbl_array_free(a, &b->overlay.links);
	memset(&b->overlay, 0, sizeof b->overlay);
	rbl_components_free(a, &b->components);
	memset(&b->components, 0, sizeof b->components);
	for (int i = 0; i < b->pieces.count; ++i)
		b->pieces.data[i].fragment = -1;
	b->is_unchanged = false;
}

static void name_components(rbl_breaker *b, int first_fragment)
{
	for (int i = 0; i < b->components.items.count; ++i) {
		rbl_component component = b->components.items.data[i];
		for (int k = 0; k < component.count; ++k) {
			int node = b->components.nodes.data[component.first + k];
			if (node >= b->overlay.base)
				b->pieces.data[node - b->overlay.base].fragment = first_fragment + i;
			else
				b->compound->parts.data[node].fragment = first_fragment + i;
		}
	}
}

static void copy_bond(rbl_breaker *b, const rbl_bond *bond)
{
	const rbl_part *m = b->compound->parts.data;
	rbl_bond copy = *bond;
	copy.parts[0] = m[bond->parts[0]].slot;
	copy.parts[1] = m[bond->parts[1]].slot;
	rbl_compound_add_bond(b->fragments.data[m[bond->parts[0]].fragment], &copy);
}

// Bonds inside of detached components: count them, or copy them.
static void walk_component_bonds(rbl_breaker *b, rbl_fragment_size *sizes, int begin, int end_node)
{
	const rbl_compound *c = b->compound;
	for (int i = begin; i < end_node; ++i) {
		int node = b->components.nodes.data[i];
		if (node >= b->overlay.base)
			continue;
		const rbl_part *m = &c->parts.data[node];
		for (int end = m->first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			const rbl_part *other = &c->parts.data[bond->parts[!(end % 2)]];
			bool stays = end % 2 == 0 && bond->stamp != c->stamp &&
			             other->fragment == m->fragment && other->stamp == c->stamp &&
			             other->region != RBL_PART_REMOVED;
			end = bond->next[end % 2];
			if (stays && sizes)
				sizes[m->fragment].bonds++;
			else if (stays)
				copy_bond(b, bond);
		}
	}
}

static rbl_bond bond_of_pair(const rbl_breaker *b, int index, int slot_a, int slot_b)
{
	const rbl_adjacent_pair *pair = &b->adjacent.items.data[index];
	return (rbl_bond){ .parts = { slot_a, slot_b },
		               .faces = { pair->face_a, pair->face_b },
		               .is_overlap = pair->is_overlap,
		               .is_loose = pair->is_loose,
		               .area = pair->area,
		               .centre = pair->centre,
		               .strength = b->strengths[index],
		               .damage = b->damages[index] };
}

static void count_fragments(rbl_breaker *b, rbl_fragment_size *sizes, rbl_fragment_size *rest)
{
	for (int i = 0; i < b->piece_count; ++i)
		(b->pieces.data[i].fragment < 0 ? rest : &sizes[b->pieces.data[i].fragment])->parts++;
	for (int i = 0; i < b->components.nodes.count; ++i) {
		int node = b->components.nodes.data[i];
		if (node < b->overlay.base)
			sizes[b->compound->parts.data[node].fragment].parts++;
	}
	for (int i = 0; i < b->adjacent.items.count; ++i) {
		int slot, fragment = fragment_of(b, b->adjacent.items.data[i].a, &slot);
		(fragment < 0 ? rest : &sizes[fragment])->bonds++;
	}
	walk_component_bonds(b, sizes, 0, b->components.nodes.count);
}

// A piece as a part.
static rbl_part part_of(const rbl_breaker *b, const rbl_break_piece *piece)
{
	rbl_part part = { .mesh = piece->mesh, .visual = piece->visual, .shape = piece->shape };
	part.is_rough = piece->is_rough;
	part.is_piece = true;
	if (piece->is_whole)
		part = b->compound->parts.data[piece->parent];
	part.convex = piece->convex;
	part.volume = piece->volume;
	part.material = piece->material;
	part.strength = piece->strength;
	part.overlap = b->compound->parts.data[piece->parent].overlap;
	part.damage = piece->damage;
	part.is_anchored = piece->is_anchored;
	return part;
}

static rbl_result create_compounds(rbl_breaker *b, int begin, int end)
{
	const rbl_compound *c = b->compound;
	for (int i = begin; i < end; ++i) {
		rbl_compound *fragment =
			rbl_compound_new(b->allocator, c->tolerance, c->materials, c->material_count);
		if (!fragment)
			return RBL_OUT_OF_MEMORY;
		b->fragments.data[b->fragments.count++] = fragment;
		fragment->next_plane_id = b->plane_end;
		rbl_fragment_size size = b->making.sizes[i];
		if (!rbl_compound_reserve(fragment, size.parts, size.bonds))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

static void add_fragment_pieces(rbl_breaker *b, int begin, int end)
{
	for (int i = begin; i < end; ++i) {
		rbl_break_piece *m = &b->pieces.data[i];
		if (m->fragment < 0)
			continue;
		rbl_part part = part_of(b, m);
		m->slot = rbl_compound_add_part(b->fragments.data[m->fragment], &part);
	}
}

static void add_component_parts(rbl_breaker *b, int begin, int end)
{
	for (int i = begin; i < end; ++i) {
		int node = b->components.nodes.data[i];
		if (node >= b->overlay.base)
			continue;
		rbl_part *m = &b->compound->parts.data[node];
		m->slot = rbl_compound_add_part(b->fragments.data[m->fragment], m);
	}
}

static void add_fragment_bonds(rbl_breaker *b, int begin, int end)
{
	for (int i = begin; i < end; ++i) {
		int slot_a, slot_b, fragment = fragment_of(b, b->adjacent.items.data[i].a, &slot_a);
		int other = fragment_of(b, b->adjacent.items.data[i].b, &slot_b);
		RBL_ASSERT(fragment == other);
		(void)other;
		if (fragment < 0)
			continue;
		rbl_bond bond = bond_of_pair(b, i, slot_a, slot_b);
		rbl_compound_add_bond(b->fragments.data[fragment], &bond);
	}
}

static void build_trees(void *context, int begin, int end, int worker)
{
	rbl_breaker *b = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		b->results[i] = rbl_compound_build_tree(b->fragments.data[b->making.next + i], NULL);
}

static rbl_result build_fragment_trees(rbl_breaker *b, int count)
{
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
	rbl_fragment_size rest = b->rest;
	if (rest.parts == 0 && rest.bonds == 0)
		return RBL_OK;
	if (!rbl_compound_reserve(c, rest.parts, rest.bonds))
		return RBL_OUT_OF_MEMORY;
	return rbl_tree_pool_reserve_more(&c->pool, rest.parts,
	                                  (uint32_t)(c->parts.count + rest.parts));
}

// Pieces of one mesh in one cell that go apart and whose convexes overlap, by index of the piece.
static rbl_result find_overlaps(rbl_breaker *b)
{
	int n = 0;
	rbl_sort_item64 *items = RBL_NEW(b->allocator, rbl_sort_item64, 2 * (size_t)b->piece_count + 1);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < b->piece_count; ++i) {
		const rbl_break_piece *m = &b->pieces.data[i];
		if (m->mesh)
			items[n++] =
				(rbl_sort_item64){ (uint64_t)m->parent << 32 | (uint32_t)m->cell, (uint32_t)i, 0 };
	}
	rbl_sort64(items, items + b->piece_count, n);
	rbl_result result = RBL_OK;
	for (int i = 0; i < n && result == RBL_OK; ++i) {
		const rbl_break_piece *first = &b->pieces.data[items[i].value];
		for (int k = i + 1; k < n && items[k].key == items[i].key && result == RBL_OK; ++k) {
			const rbl_break_piece *second = &b->pieces.data[items[k].value];
			if (first->fragment == second->fragment)
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
	RBL_FREE(b->allocator, items, 2 * (size_t)b->piece_count + 1);
	return result;
}

// --- in slices ----------------------------------------------------------------------------------

typedef enum making_stage {
	COUNT,
	CREATE,
	ADD_PIECES,
	ADD_PARTS,
	ADD_BONDS,
	ADD_PART_BONDS,
	BUILD_TREES,
	FIND_OVERLAPS,
	MADE,
} making_stage;

// How many items of a stage are as much work as a cut of a convex by a cell.
static const int items_per_cut[MADE] = {
	[CREATE] = 4,     [ADD_PIECES] = 16,    [ADD_PARTS] = 16,
	[ADD_BONDS] = 16, [ADD_PART_BONDS] = 4, [BUILD_TREES] = 8
};

static int items_of(const rbl_breaker *b, int stage)
{
	switch (stage) {
	case CREATE:
	case BUILD_TREES:
		return b->making.count;
	case ADD_PIECES:
		return b->piece_count;
	case ADD_PARTS:
	case ADD_PART_BONDS:
		return b->components.nodes.count;
	default:
		return b->adjacent.items.count;
	}
}

static rbl_result begin_making(rbl_breaker *b, int *budget)
{
	rbl_fragment_making *m = &b->making;
	m->count = b->from_groups + b->components.items.count;
	bool has_rest = b->seeds.count > 0 || b->compound->part_count > b->touched.count;
	b->rest = (rbl_fragment_size){ 0, 0 };
	*budget -= 1 + (b->piece_count + b->adjacent.items.count) / 200;
	if (m->count == 0 || (m->count == 1 && !has_rest)) { // all of it is still one
		b->is_unchanged = b->broken_bonds.count == 0;
		m->stage = MADE;
		return RBL_OK;
	}
	m->is_worn = b->compound->worn_count > 0;
	rbl_break_inherit_damage(b);
	name_components(b, b->from_groups);
	m->sizes = RBL_NEW_ZERO(b->allocator, rbl_fragment_size, m->count);
	if (!m->sizes || !rbl_array_reserve(b->allocator, &b->fragments, m->count))
		return RBL_OUT_OF_MEMORY;
	count_fragments(b, m->sizes, &b->rest);
	m->stage = CREATE;
	return RBL_OK;
}

static rbl_result make_items(rbl_breaker *b, int begin, int end)
{
	switch (b->making.stage) {
	case CREATE:
		return create_compounds(b, begin, end);
	case ADD_PIECES:
		add_fragment_pieces(b, begin, end);
		return RBL_OK;
	case ADD_PARTS:
		add_component_parts(b, begin, end);
		return RBL_OK;
	case ADD_BONDS:
		add_fragment_bonds(b, begin, end);
		return RBL_OK;
	case ADD_PART_BONDS:
		walk_component_bonds(b, NULL, begin, end);
		return RBL_OK;
	default:
		return build_fragment_trees(b, end - begin);
	}
}

static rbl_result make_next(rbl_breaker *b, int *budget)
{
	rbl_fragment_making *m = &b->making;
	if (m->stage == COUNT)
		return begin_making(b, budget);
	if (m->stage == FIND_OVERLAPS) {
		*budget -= 1 + b->piece_count / 100;
		m->stage = MADE;
		return find_overlaps(b);
	}
	int per_cut = items_per_cut[m->stage], left = items_of(b, m->stage) - m->next;
	int64_t most = (int64_t)per_cut * *budget;
	int n = left > most ? (int)most : left;
	rbl_result result = make_items(b, m->next, m->next + n);
	*budget -= (n + per_cut - 1) / per_cut;
	m->next += n;
	if (n == left)
		m->stage++, m->next = 0;
	return result;
}

rbl_result rbl_break_make_some(rbl_breaker *b, int *budget, bool *is_done)
{
	rbl_fragment_making *m = &b->making;
	rbl_result result = RBL_OK;
	int more = INT_MAX; // for what cannot wait
	while (result == RBL_OK && m->stage != MADE) {
		bool at_once = m->is_worn && m->stage != COUNT;
		if (!at_once && *budget <= 0)
			break;
		result = make_next(b, at_once ? &more : budget);
		// A hit has worn the compound meanwhile: what was made does not know of it.
		if (result == RBL_OK && m->stage == MADE && !m->is_worn && m->sizes &&
		    b->compound->worn_count > 0)
			forget_making(b);
	}
	*budget -= INT_MAX - more;
	*is_done = result == RBL_OK && m->stage == MADE;
	return result;
}

rbl_result rbl_break_list_rest(const rbl_breaker *b, rbl_compound **rest)
{
	const rbl_compound *c = b->compound;
	*rest = NULL;
	unsigned char *is_gone = RBL_NEW_ZERO(b->allocator, unsigned char, (size_t)c->parts.count + 1);
	rbl_compound *made =
		rbl_compound_new(b->allocator, c->tolerance, c->materials, c->material_count);
	if (!is_gone || !made || !rbl_compound_reserve(made, c->parts.count + b->piece_count, 0)) {
		RBL_FREE(b->allocator, is_gone, (size_t)c->parts.count + 1);
		rbl_compound_discard(made);
		return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < b->components.nodes.count; ++i)
		if (b->components.nodes.data[i] < b->overlay.base)
			is_gone[b->components.nodes.data[i]] = 1;
	for (int i = 0; i < b->touched.count; ++i)
		is_gone[b->touched.data[i]] = 1;
	for (int i = 0; i < c->parts.count; ++i)
		if (c->parts.data[i].convex && !is_gone[i])
			rbl_compound_add_part(made, &c->parts.data[i]);
	for (int i = 0; i < b->piece_count; ++i) {
		rbl_part part = part_of(b, &b->pieces.data[i]);
		if (b->pieces.data[i].fragment < 0)
			rbl_compound_add_part(made, &part);
	}
	RBL_FREE(b->allocator, is_gone, (size_t)c->parts.count + 1);
	if (made->part_count > 0) {
		*rest = made;
		return RBL_OK;
	}
	rbl_compound_discard(made);
	return RBL_OK;
}

// --- the change ---------------------------------------------------------------------------------

static void remove_old(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	for (int i = 0; i < b->broken_bonds.count; ++i)
		rbl_compound_remove_bond(c, b->broken_bonds.data[i]);
	for (int i = 0; i < b->components.nodes.count; ++i) {
		if (b->components.nodes.data[i] < b->overlay.base)
			rbl_compound_remove_part(c, b->components.nodes.data[i]);
	}
	for (int i = 0; i < b->piece_count; ++i) {
		if (b->pieces.data[i].is_whole) // its convex and mesh live on
			c->parts.data[b->pieces.data[i].parent].slot = -1;
	}
	for (int i = 0; i < b->touched.count; ++i) {
		rbl_part m = c->parts.data[b->touched.data[i]];
		rbl_compound_remove_part(c, b->touched.data[i]);
		if (m.slot != -1)
			rbl_part_free(&m);
	}
}

static void add_rest(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	for (int i = 0; i < b->piece_count; ++i) {
		rbl_break_piece *m = &b->pieces.data[i];
		if (m->fragment >= 0)
			continue;
		rbl_part part = part_of(b, m);
		m->slot = rbl_compound_add_part(c, &part);
		rbl_box box = rbl_compound_tree_box(c, rbl_convex_bounds(m->convex));
		rbl_result result = rbl_tree_insert(&c->tree, (uint32_t)m->slot, box, RBL_TREE_NONE);
		RBL_ASSERT(result == RBL_OK); // there is room
		(void)result;
	}
	for (int i = 0; i < b->adjacent.items.count; ++i) {
		int slot_a, slot_b;
		if (fragment_of(b, b->adjacent.items.data[i].a, &slot_a) >= 0)
			continue;
		fragment_of(b, b->adjacent.items.data[i].b, &slot_b);
		rbl_bond bond = bond_of_pair(b, i, slot_a, slot_b);
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
		const rbl_break_piece *first = &b->pieces.data[overlap->part_a];
		const rbl_break_piece *second = &b->pieces.data[overlap->part_b];
		*overlap =
			(rbl_break_overlap){ first->fragment, first->slot, second->fragment, second->slot };
	}
	for (int i = 0; i < b->piece_count; ++i) {
		if (!b->pieces.data[i].is_whole)
			b->counts.approximate_count +=
				rbl_convex_get_data(b->pieces.data[i].convex).is_approximate;
	}
	b->pieces.count = b->piece_count = 0; // what they hold lives in compounds
}
