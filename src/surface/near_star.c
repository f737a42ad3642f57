// SPDX-License-Identifier: MIT
//
// Bodies that are stars but for some triangles: only what lies in the same directions can touch.
//
// Look from a point at a closed body. Triangles that turn their back to it count as 1 over a
// direction, the others as -1, and the sum is the same for all directions. Let it be 1, and call
// triangles odd that do not turn their back. Where no odd one is, a direction has one triangle over
// it; so around a point in such a direction the surface is one triangle, or the two at an edge, or
// the fan of a vertex, and nothing touches there but in what it shares. Hence triangles that touch
// elsewhere do so in a direction of an odd one, and both lie in the directions of that one.
//
// Pieces of broken walls have a few columns of odd triangles where a crack turns. The others are
// not looked at: a body of some hundred triangles is settled by some dozens.
//
// All of it holds although each vertex moves by up to a slack: triangles that turn their back do so
// with a margin, others may do as they like, and caps around their directions have room for it. The
// caps of odd ones are less than a half sphere, so the point stays outside of them, and the sum
// does not change.

#include "surface/star.h"

#include "surface/cap_kernels.h"

#include "base/bits.h"

enum {
	MIN_TRIANGLES = 16,
	/// For larger bodies the tree is as good.
	MAX_TRIANGLES = 8192,
	/// Odd triangles, at most: each is held against all others. And one out of so many.
	MAX_ODD = 256,
	ODD_SHARE = 4,
};

static bool collect_concerned(const rbl_surface *surface, rbl_surface_worker *worker,
                              const rbl_surface_body *body)
{
	int count = body->triangles.count;
	for (int i = 0; i < count; ++i) {
		if (!(worker->caps.data[i / 8].is_concerned >> i % 8 & 1))
			continue;
		if (!rbl_array_push(&surface->allocator, &worker->concerned, body->triangles.data[i])) {
			worker->is_out_of_memory = true;
			return false;
		}
	}
	return 3 * worker->concerned.count <= 2 * count; // of more than two thirds the tree knows more
}

bool rbl_star_is_near(const rbl_surface *surface, rbl_surface_worker *worker,
                      rbl_surface_body *body, double slack)
{
	int count = body->triangles.count, block_count = (count + 7) / 8, odd_count;
	worker->concerned.count = 0;
	if (count < MIN_TRIANGLES || count > MAX_TRIANGLES || !rbl_star_is_closed(surface, body))
		return false;
	if (!rbl_array_resize(&surface->allocator, &worker->caps, block_count)) {
		worker->is_out_of_memory = true;
		return false;
	}
	rbl_cap_block *blocks = worker->caps.data;
	rbl_cap_source source = { .positions = surface->positions[1],
		                      .triangles = surface->triangles,
		                      .list = body->triangles.data,
		                      .count = count,
		                      .middle = rbl_star_middle(surface->positions[1], body),
		                      .slack = (float)slack,
		                      .most_odd =
		                          count / ODD_SHARE < MAX_ODD ? count / ODD_SHARE : MAX_ODD };
	if (!RBL_PICK(rbl_find_caps)(&source, blocks, &odd_count))
		return false;
	for (int i = 0; odd_count > 0 && i < block_count; ++i)
		for (unsigned odd = blocks[i].odd; odd; odd &= odd - 1)
			RBL_PICK(rbl_mark_caps)(blocks, block_count, &blocks[i], rbl_lowest_one(odd));
	return odd_count == 0 || collect_concerned(surface, worker, body);
}
