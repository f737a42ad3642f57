// SPDX-License-Identifier: MIT
//
// Seams: finding vertices of fresh pieces that lie at one place, by hashing positions at the start
// of the step. Which vertices get a place decides about speed alone; those that have the same one
// coincide exactly.

#include "surface/seam.h"

#include "base/hash.h"

enum { SEAM_AHEAD = 8 };

// Bodies whose vertices may lie at places of others. What is known is taken over from the last
// query.
static bool is_tested(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	return rbl_id_pool_is_live(&surface->ids, slot) && body->self.may_have_seams &&
	       !body->self.is_unchanged;
}

static uint32_t place_hash(rbl_vec3 p)
{
	// Zeros of both signs are one number.
	const float numbers[3] = { p.x + 0.0f, p.y + 0.0f, p.z + 0.0f };
	uint32_t bits[3];
	memcpy(bits, numbers, sizeof bits);
	uint64_t low = (uint64_t)bits[0] << 32 | bits[1];
	return (uint32_t)rbl_hash_mix(low ^ (uint64_t)bits[2] * UINT64_C(0x9e3779b97f4a7c15));
}

static bool is_same(rbl_vec3 a, rbl_vec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Put the vertices of a body into the table, and note those that find another at their place.
static void find_body_places(rbl_surface *surface, rbl_surface_body *body, int *table,
                             uint32_t mask)
{
	const rbl_vec3 *starts = surface->positions[0];
	const int *vertices = body->vertices.data;
	for (int i = 0; i < body->vertices.count; ++i) {
		if (i + 2 * SEAM_AHEAD < body->vertices.count) {
			rbl_prefetch(&starts[vertices[i + 2 * SEAM_AHEAD]]);
			rbl_prefetch(&table[place_hash(starts[vertices[i + SEAM_AHEAD]]) & mask]);
		}
		int v = vertices[i];
		if (surface->anchors[v] < 0)
			continue;
		uint32_t at = place_hash(starts[v]) & mask;
		while (table[at] >= 0 && !is_same(starts[table[at]], starts[v]))
			at = (at + 1) & mask;
		if (table[at] < 0) {
			table[at] = v;
			continue;
		}
		int first = table[at];
		if (surface->places[first] == 0) {
			surface->places[first] = ++surface->place_count;
			surface->placed[surface->placed_count++] = first;
		}
		surface->places[v] = surface->places[first];
		surface->placed[surface->placed_count++] = v;
	}
}

bool rbl_surface_find_seams(rbl_surface *surface)
{
	surface->places = NULL;
	surface->place_count = surface->placed_count = 0;
	if (surface->question.kind != RBL_ASKS_HITS || surface->residuals[0].count > 0 ||
	    !rbl_surface_has_no_filters(surface) || !rbl_surface_uses(surface, RBL_SURFACE_SEAMS))
		return true;
	int count = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (is_tested(surface, slot))
			count += surface->bodies.data[slot].vertices.count;
	if (count == 0)
		return true;
	uint32_t size = 16;
	while (size < 2 * (uint32_t)count)
		size *= 2;
	rbl_arena_reset(&surface->seam_scratch);
	int *places = RBL_ARENA_NEW(&surface->seam_scratch, int, surface->vertex_end);
	int *table = RBL_ARENA_NEW(&surface->seam_scratch, int, size);
	surface->placed = RBL_ARENA_NEW(&surface->seam_scratch, int, count);
	if (!places || !table || !surface->placed)
		return false;
	memset(places, 0, (size_t)surface->vertex_end * sizeof *places);
	memset(table, -1, size * sizeof *table);
	surface->places = places;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (is_tested(surface, slot))
			find_body_places(surface, &surface->bodies.data[slot], table, size - 1);
	// A body stays under suspicion as long as something of it lies at a place.
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (is_tested(surface, slot))
			surface->bodies.data[slot].self.may_have_seams = false;
	for (int i = 0; i < surface->placed_count; ++i) {
		int cluster = surface->clusters[surface->anchors[surface->placed[i]] / 3];
		surface->bodies.data[surface->cluster_data[cluster].body].self.may_have_seams = true;
	}
	if (surface->place_count == 0)
		surface->places = NULL;
	return true;
}
