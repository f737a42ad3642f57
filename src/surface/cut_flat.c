// SPDX-License-Identifier: MIT
//
// Triangles that lie on the sheet of a knife with all their corners, and on which side of it.
//
// An edge on the sheet is cut when there are triangles above and below. Thin triangles along the
// sheet have to be on one side, too: were each taken to be where it is seen from each of its edges,
// the cut would run around it and leave a crumb. Each begins where its middle is and goes to the
// other side while that makes the cut shorter: so the cut runs along the long side of a thin
// triangle and not around it, and to the tip of another cut instead of beside it. Those that would
// still be cut off all around go to the other side, too.

#include "surface/cut.h"

typedef struct settling {
	rbl_surface_cut_flat *flat;
	int *firsts, *nexts; // by edge, and by corner 3 i + k: flat triangles that share it
	int *held,
		held_count; // that hang together with others on their side, still to be looked around
	int *loose, loose_count; // beside those of the other side
	bool *is_held, *is_loose;
	const unsigned char *sides;
	const double *costs;
} settling;

static int other_side(int side)
{
	return side == RBL_CUT_ABOVE ? RBL_CUT_BELOW : RBL_CUT_ABOVE;
}

static bool begin_settling(settling *s, rbl_arena *arena, rbl_surface_cut_flat *flat, int count,
                           int edge_count)
{
	*s = (settling){ .flat = flat,
		             .firsts = RBL_ARENA_NEW(arena, int, edge_count),
		             .nexts = RBL_ARENA_NEW(arena, int, 3 * (size_t)count),
		             .held = RBL_ARENA_NEW(arena, int, count),
		             .loose = RBL_ARENA_NEW(arena, int, count),
		             .is_held = RBL_ARENA_NEW(arena, bool, count),
		             .is_loose = RBL_ARENA_NEW(arena, bool, count) };
	if (!s->firsts || !s->nexts || !s->held || !s->loose || !s->is_held || !s->is_loose)
		return false;
	for (int i = 0; i < edge_count; ++i)
		s->firsts[i] = -1;
	for (int i = 0; i < 3 * count; ++i) {
		int edge = flat[i / 3].edges[i % 3];
		s->nexts[i] = s->firsts[edge];
		s->firsts[edge] = i;
	}
	for (int i = 0; i < count; ++i)
		s->is_held[i] = s->is_loose[i] = false;
	return true;
}

static void meet(settling *s, int i, int sides)
{
	if (s->is_held[i])
		return;
	if (sides & s->flat[i].side) {
		s->is_held[i] = true;
		s->held[s->held_count++] = i;
	} else if (sides != 0 && !s->is_loose[i]) {
		s->is_loose[i] = true;
		s->loose[s->loose_count++] = i;
	}
}

// How much is cut around a flat triangle that is on a side.
static double cost_of(const settling *s, int i, int side)
{
	double cost = 0.0;
	for (int k = 0; k < 3; ++k) {
		int edge = s->flat[i].edges[k], others = s->sides[edge];
		for (int at = s->firsts[edge]; at >= 0; at = s->nexts[at])
			others |= at / 3 == i ? 0 : s->flat[at / 3].side;
		cost += others & other_side(side) ? s->costs[edge] : 0.0;
	}
	return cost;
}

// Every change makes the cut shorter. A few rounds do; any number is safe.
static void shorten(settling *s, int count)
{
	enum { ROUNDS = 16 };
	bool has_changed = true;
	for (int round = 0; round < ROUNDS && has_changed; ++round) {
		has_changed = false;
		for (int i = 0; i < count; ++i) {
			int own = s->flat[i].side;
			if (!(cost_of(s, i, other_side(own)) < cost_of(s, i, own)))
				continue;
			s->flat[i].side = (unsigned char)other_side(own);
			has_changed = true;
		}
	}
}

bool rbl_surface_cut_settle(rbl_arena *arena, rbl_surface_cut_flat *flat, int count,
                            const unsigned char *sides, const double *costs, int edge_count)
{
	settling s;
	if (!begin_settling(&s, arena, flat, count, edge_count))
		return false;
	s.sides = sides, s.costs = costs;
	shorten(&s, count);
	for (int i = 0; i < count; ++i)
		meet(&s, i, sides[flat[i].edges[0]] | sides[flat[i].edges[1]] | sides[flat[i].edges[2]]);
	while (s.held_count > 0 || s.loose_count > 0) {
		if (s.held_count == 0) {
			int i = s.loose[--s.loose_count];
			if (s.is_held[i])
				continue;
			flat[i].side = (unsigned char)other_side(flat[i].side);
			meet(&s, i, flat[i].side);
			continue;
		}
		int i = s.held[--s.held_count];
		for (int k = 0; k < 3; ++k)
			for (int at = s.firsts[flat[i].edges[k]]; at >= 0; at = s.nexts[at])
				meet(&s, at / 3, flat[i].side);
	}
	return true;
}
