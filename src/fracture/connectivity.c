// SPDX-License-Identifier: MIT
//
// Connected components after a break, searched from where it broke.
//
// A flood fill over the whole compound would cost the whole compound, even for a fragment of one
// convex. Instead every node beside a broken bond starts a region, and all regions grow in turn,
// one node each. Regions that meet are merged. A region that cannot grow any more is a complete
// component; when only one still grows, it is the rest and is not searched further. So the work is
// that of the detached components, times the regions alive at the same time; around a hole regions
// meet after a few steps, because they start side by side.

#include "fracture/connectivity.h"

#include "base/union_find.h"
#include "base/vec.h"

enum { NONE = -1 };

typedef struct entry {
	int node, next;
} entry;

typedef struct list {
	int first, last;
} list;

typedef struct region {
	list open, done; // nodes still to be visited, and those that were
	int count;
} region;

struct rbl_component_search {
	rbl_compound *compound;
	rbl_overlay *overlay;
	const rbl_allocator *allocator;
	RBL_ARRAY(entry) entries;
	int seed_count, region_count;
	region *regions;
	int *parents; // union-find over regions
	int *active;  // regions that still grow
	int active_count, next_active;
};

bool rbl_overlay_link_nodes(rbl_compound *compound, rbl_overlay *overlay, int a, int b)
{
	for (int side = 0; side < 2; ++side) {
		int from = side ? b : a, to = side ? a : b;
		int *first = from >= overlay->base ? &overlay->first_links[from - overlay->base]
		                                   : &rbl_compound_search_part(compound, from)->first_link;
		rbl_overlay_link link = { to, *first };
		if (!rbl_array_push(&compound->allocator, &overlay->links, link))
			return false;
		*first = overlay->links.count - 1;
	}
	return true;
}

static int *region_of(rbl_component_search *s, int node)
{
	return node >= s->overlay->base ? &s->overlay->regions[node - s->overlay->base]
	                                : &rbl_compound_search_part(s->compound, node)->region;
}

// Append a list of entries to another.
static void append(rbl_component_search *s, list *to, const list *from)
{
	if (from->first == NONE)
		return;
	if (to->first == NONE)
		to->first = from->first;
	else
		s->entries.data[to->last].next = from->first;
	to->last = from->last;
}

static void merge(rbl_component_search *s, int a, int b)
{
	a = rbl_union_find_root(s->parents, a), b = rbl_union_find_root(s->parents, b);
	if (a == b)
		return;
	region *to = &s->regions[rbl_union_find_join(s->parents, a, b)];
	region *from = &s->regions[rbl_maxi(a, b)];
	append(s, &to->open, &from->open);
	append(s, &to->done, &from->done);
	to->count += from->count;
}

// A region reaches a node. @return false when memory ran out
static bool visit(rbl_component_search *s, int r, int node)
{
	int *owner = region_of(s, node);
	if (*owner == RBL_PART_REMOVED)
		return true;
	if (*owner != RBL_PART_UNVISITED) {
		merge(s, r, *owner);
		return true;
	}
	entry added = { node, NONE };
	if (!rbl_array_push(s->allocator, &s->entries, added))
		return false;
	*owner = r;
	region *root = &s->regions[rbl_union_find_root(s->parents, r)];
	int last = s->entries.count - 1;
	append(s, &root->open, &(list){ last, last });
	root->count++;
	return true;
}

// Look at the next node of a region: all its neighbours are reached.
static bool grow(rbl_component_search *s, int r)
{
	region *root = &s->regions[r];
	int first = root->open.first;
	entry *e = &s->entries.data[first];
	int node = e->node;
	root->open.first = e->next;
	e->next = NONE;
	append(s, &root->done, &(list){ first, first });

	int link = NONE;
	if (node >= s->overlay->base) {
		link = s->overlay->first_links[node - s->overlay->base];
	} else {
		const rbl_compound *c = s->compound;
		link = c->parts.data[node].first_link;
		for (int end = c->parts.data[node].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			int side = end % 2;
			if (bond->stamp != c->stamp && !visit(s, r, bond->parts[!side]))
				return false;
			end = bond->next[side];
		}
	}
	for (; link != NONE; link = s->overlay->links.data[link].next) {
		if (!visit(s, r, s->overlay->links.data[link].node))
			return false;
	}
	return true;
}

// Drop the regions that do not grow any more.
static void keep_active(rbl_component_search *s)
{
	int n = 0;
	for (int i = 0; i < s->active_count; ++i) {
		int r = s->active[i];
		if (s->parents[r] == r && s->regions[r].open.first != NONE)
			s->active[n++] = r;
	}
	s->active_count = n;
	s->next_active = 0;
}

// The region that remains.
static int find_remaining(const rbl_component_search *s)
{
	if (s->active_count == 1)
		return s->active[0];
	int largest = NONE;
	for (int r = 0; r < s->region_count; ++r) {
		if (s->parents[r] == r &&
		    (largest == NONE || s->regions[r].count > s->regions[largest].count))
			largest = r;
	}
	return largest;
}

static bool write_components(rbl_component_search *s, rbl_components *components)
{
	int remaining = find_remaining(s);
	for (int r = 0; r < s->region_count; ++r) {
		if (s->parents[r] != r || r == remaining)
			continue;
		rbl_component component = { components->nodes.count, s->regions[r].count };
		for (int i = s->regions[r].done.first; i != NONE; i = s->entries.data[i].next) {
			if (!rbl_array_push(s->allocator, &components->nodes, s->entries.data[i].node))
				return false;
		}
		RBL_ASSERT(components->nodes.count - component.first == component.count);
		if (!rbl_array_push(s->allocator, &components->items, component))
			return false;
	}
	return true;
}

rbl_component_search *rbl_component_search_begin(rbl_compound *compound, rbl_overlay *overlay,
                                                 const int *seeds, int seed_count)
{
	rbl_component_search *s = RBL_NEW_ZERO(&compound->allocator, rbl_component_search, 1);
	if (!s)
		return NULL;
	s->compound = compound;
	s->overlay = overlay;
	s->allocator = &compound->allocator;
	s->seed_count = seed_count;
	s->regions = RBL_NEW(s->allocator, region, (size_t)seed_count + 1);
	s->parents = RBL_NEW(s->allocator, int, (size_t)seed_count + 1);
	s->active = RBL_NEW(s->allocator, int, (size_t)seed_count + 1);
	bool done = s->regions && s->parents && s->active;
	for (int i = 0; i < seed_count && done; ++i) {
		if (*region_of(s, seeds[i]) != RBL_PART_UNVISITED) // a seed twice
			continue;
		int r = s->region_count++;
		s->regions[r] = (region){ { NONE, NONE }, { NONE, NONE }, 0 };
		s->parents[r] = s->active[s->active_count++] = r;
		done = visit(s, r, seeds[i]);
	}
	s->next_active = s->active_count; // first see which of them grow
	if (!done) {
		rbl_component_search_end(s);
		return NULL;
	}
	return s;
}

rbl_result rbl_component_search_work(rbl_component_search *search, int *budget,
                                     rbl_components *components, bool *is_done)
{
	rbl_component_search *s = search;
	*is_done = false;
	for (;;) {
		for (; s->next_active < s->active_count; ++s->next_active) {
			int r = s->active[s->next_active];
			if (s->parents[r] != r || s->regions[r].open.first == NONE)
				continue;
			if (*budget <= 0)
				return RBL_OK;
			*budget -= 1;
			if (!grow(s, r))
				return RBL_OUT_OF_MEMORY;
		}
		keep_active(s);
		if (s->active_count < 2)
			break;
	}
	components->visited_count = s->entries.count;
	if (!write_components(s, components)) {
		rbl_components_free(s->allocator, components);
		return RBL_OUT_OF_MEMORY;
	}
	*is_done = true;
	return RBL_OK;
}

void rbl_component_search_end(rbl_component_search *search)
{
	if (!search)
		return;
	const rbl_allocator *a = search->allocator;
	size_t capacity = (size_t)search->seed_count + 1;
	RBL_FREE(a, search->regions, capacity);
	RBL_FREE(a, search->parents, capacity);
	RBL_FREE(a, search->active, capacity);
	rbl_array_free(a, &search->entries);
	RBL_FREE(a, search, 1);
}

void rbl_components_free(const rbl_allocator *allocator, rbl_components *components)
{
	rbl_array_free(allocator, &components->nodes);
	rbl_array_free(allocator, &components->items);
}
