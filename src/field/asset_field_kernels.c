// SPDX-License-Identifier: MIT
//
// Samples of a brick, and proofs of how far interpolation between them may be off.
//
// Samples: eight lattice points that are neighbours go down the tree together, nearer child first,
// and leave out what is farther than the nearest triangle of each of them so far.
//
// Bounds: a signed distance d is 1-Lipschitz, so an exact sample s gives d(p) <= d(s) + |p - s|.
// The right side is convex in p, and trilinear interpolation never falls below a convex function.
// Hence for T, the interpolant of any values T(v) at the corners v of a cell,
//
//   d(p) - T(p) <= max over v of (d(s) + |v - s| - T(v))
//
// for every s, and for the mean over several s; -d gives the lower bound. Samples a few cells back
// along the gradient make this small: over a flat surface it is t^2 / 2k for corners at distance t
// from the line through s, k away from s. Pairs of samples on either side of that line are tried at
// several distances, and where all of them are poor, as at a medial axis, pairs along the axes of
// the grid. T(v) may be anything: rounding and samples that were changed for continuity are covered
// by the same bound.

#include "field/field_kernels.h"

#include "base/simd.h"
#include "base/vec.h"

// --- samples ------------------------------------------------------------------------------------

typedef struct waiting {
	int child;
	float least; // squared distance of the nearest of the eight points from what is around it
} waiting;

static inline rbl_f8 squared_length(rbl_f8x3 a)
{
	return rbl_f8x3_dot(a, a);
}

// Squared, and never more than that of anything inside.
static inline rbl_f8 bound_distance(const rbl_sample_bound *bound, rbl_f8x3 p)
{
	rbl_f8 zero = rbl_f8_zero();
	rbl_f8x3 from = rbl_f8x3_sub(p, rbl_f8x3_splat(bound->centre)),
			 axis = rbl_f8x3_splat(bound->axis);
	if (bound->radius < 0.0f) {
		rbl_f8x3 away = { rbl_f8_abs(from.x), rbl_f8_abs(from.y), rbl_f8_abs(from.z) };
		return squared_length(
			rbl_f8x3_max(rbl_f8x3_sub(away, axis), (rbl_f8x3){ zero, zero, zero }));
	}
	rbl_f8 along = rbl_f8x3_dot(from, axis);
	rbl_f8 across = rbl_f8_sub(squared_length(from), rbl_f8_mul(along, along));
	across = rbl_f8_sub(rbl_f8_sqrt(rbl_f8_max(across, zero)), rbl_f8_splat(bound->radius));
	along = rbl_f8_max(rbl_f8_sub(rbl_f8_abs(along), rbl_f8_splat(bound->half)), zero);
	across = rbl_f8_max(across, zero);
	return rbl_f8_add(rbl_f8_mul(along, along), rbl_f8_mul(across, across));
}

static inline rbl_f8 edge_distance(rbl_f8x3 from, rbl_f8x3 edge, float inverse_square)
{
	rbl_f8 t = rbl_f8_mul(rbl_f8x3_dot(from, edge), rbl_f8_splat(inverse_square));
	t = rbl_f8_min(rbl_f8_max(t, rbl_f8_zero()), rbl_f8_splat(1.0f));
	return squared_length(rbl_f8x3_sub(from, rbl_f8x3_scale(t, edge)));
}

// Without branches, which a processor could not foresee.
static inline rbl_f8 triangle_distance(const rbl_sample_triangle *t, rbl_f8x3 p)
{
	rbl_f8 least = rbl_f8_splat(FLT_MAX), height = least;
	rbl_i8 is_outside = rbl_i8_zero();
	for (int k = 0; k < 3; ++k) {
		rbl_f8x3 from = rbl_f8x3_sub(p, rbl_f8x3_splat(t->corners[k]));
		if (k == 0)
			height = rbl_f8x3_dot(from, rbl_f8x3_splat(t->normal));
		rbl_f8 side = rbl_f8x3_dot(from, rbl_f8x3_splat(t->sides[k]));
		is_outside = rbl_i8_or(is_outside, rbl_f8_lt(side, rbl_f8_splat(t->bias)));
		rbl_f8 d = edge_distance(from, rbl_f8x3_splat(t->edges[k]), t->inverse_squares[k]);
		least = rbl_f8_min(least, d);
	}
	return rbl_f8_select(is_outside, least, rbl_f8_mul(height, height));
}

// The nearest of the triangles at an end of the tree.
static inline rbl_f8 end_distance(const rbl_sample_surface *surface, int end, rbl_f8x3 p,
                                  rbl_f8 best)
{
	const rbl_sample_triangle *t = &surface->triangles[~end >> 2];
	for (const rbl_sample_triangle *last = t + (~end & 3); t <= last; ++t)
		best = rbl_f8_min(best, triangle_distance(t, p));
	return best;
}

// @param best  nothing farther is looked for, squared
// @param hint  an end of the tree to begin with, 0 for none; receives where the nearest triangles
//              are, or some of them
// @return the least squared distances, whatever the hint
static inline rbl_f8 nearest(const rbl_sample_surface *surface, rbl_f8x3 p, rbl_f8 best, int *hint)
{
	waiting stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0, child = surface->root, first_end = *hint;
	if (first_end < 0)
		best = end_distance(surface, first_end, p, best);
	for (;;) {
		if (child < 0) {
			rbl_f8 less = child == first_end ? best : end_distance(surface, child, p, best);
			if (rbl_i8_any(rbl_f8_lt(less, best)))
				*hint = child;
			best = less;
		} else {
			const rbl_sample_node *node = &surface->nodes[child];
			rbl_f8 first = bound_distance(&node->bounds[0], p);
			rbl_f8 second = bound_distance(&node->bounds[1], p);
			bool has_first = rbl_i8_any(rbl_f8_lt(first, best));
			bool has_second = rbl_i8_any(rbl_f8_lt(second, best));
			if (has_first && has_second) {
				int far = rbl_f8_lane(first, 0) <= rbl_f8_lane(second, 0);
				stack[top++] =
					(waiting){ node->children[far], rbl_f8_min_lane(far ? second : first) };
				child = node->children[1 - far];
				continue;
			}
			if (has_first || has_second) {
				child = node->children[has_second];
				continue;
			}
		}
		while (top > 0 && !rbl_i8_any(rbl_f8_gt(best, rbl_f8_splat(stack[top - 1].least))))
			top--;
		if (top == 0)
			return best;
		child = stack[--top].child;
	}
}

static const float lane_x[8] = { 0, 1, 0, 1, 0, 1, 0, 1 };
static const float lane_y[8] = { 0, 0, 1, 1, 0, 0, 1, 1 };
static const float lane_z[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };

// Samples 2 i and 2 i + 1 of a side, the last one twice.
static inline rbl_f8 coordinates(int origin, int spacing, int i, const float *lanes)
{
	rbl_f8 at = rbl_f8_add(rbl_f8_splat((float)(2 * i)), rbl_f8_load(lanes));
	at = rbl_f8_min(at, rbl_f8_splat((float)RBL_BRICK_CELLS));
	return rbl_f8_add(rbl_f8_splat((float)origin), rbl_f8_mul(at, rbl_f8_splat((float)spacing)));
}

static inline int sample_index(int x, int y, int z)
{
	return (z * RBL_BRICK_SIDE + y) * RBL_BRICK_SIDE + x;
}

static inline void store_samples(int x, int y, int z, rbl_f8 lanes, float *distances)
{
	float values[8];
	rbl_f8_store(values, lanes);
	for (int k = 0; k < 8; ++k) {
		int at[3] = { 2 * x + (k & 1), 2 * y + (k >> 1 & 1), 2 * z + (k >> 2) };
		if (at[0] < RBL_BRICK_SIDE && at[1] < RBL_BRICK_SIDE && at[2] < RBL_BRICK_SIDE)
			distances[sample_index(at[0], at[1], at[2])] = values[k];
	}
}

void RBL_KERNEL(rbl_sample_brick)(const rbl_sample_surface *surface, const rbl_brick_place *place,
                                  const bool *wanted, float *distances)
{
	enum { N = RBL_BRICK_PACKETS };
	int spacing = 1 << place->level;
	int hint = 0;
	rbl_f8 best = rbl_f8_splat(FLT_MAX);
	rbl_f8x3 last = { rbl_f8_zero(), rbl_f8_zero(), rbl_f8_zero() };
	// To and fro, so that each eight are neighbours of the last: their distances are known roughly.
	for (int n = 0; n < N * N * N; ++n) {
		int z = n / (N * N), row = n / N % N, i = n % N;
		int y = z % 2 ? N - 1 - row : row;
		int x = n / N % 2 ? N - 1 - i : i;
		if (!wanted[(z * N + y) * N + x])
			continue;
		rbl_f8x3 p = { coordinates(place->origin[0], spacing, x, lane_x),
			           coordinates(place->origin[1], spacing, y, lane_y),
			           coordinates(place->origin[2], spacing, z, lane_z) };
		rbl_f8 way = rbl_f8_sqrt(squared_length(rbl_f8x3_sub(p, last)));
		rbl_f8 reach = rbl_f8_add(rbl_f8_sqrt(best), way);
		reach = rbl_f8_add(rbl_f8_mul(reach, rbl_f8_splat(1.0001f)), rbl_f8_splat(0.001f));
		best = nearest(surface, p, rbl_f8_mul(reach, reach), &hint);
		last = p;
		store_samples(x, y, z, rbl_f8_sqrt(best), distances);
	}
}

// --- bounds -------------------------------------------------------------------------------------

// Eight cells side by side: what their corners have, and where they are.
typedef struct cells_lanes {
	rbl_f8 corners[8];
	rbl_f8x3 low, centre;
	float width;
} cells_lanes;

// Exact samples, one for each cell.
typedef struct sample_lanes {
	rbl_f8x3 position;
	rbl_f8 value;
} sample_lanes;

static inline int clamp_int(int a, int low, int high)
{
	return a < low ? low : a > high ? high : a;
}

// The sample of the leaf there that is nearest. @param at  receives where it is
static inline float find_sample(const rbl_sample_grid *grid, int at[3])
{
	int slot[3], local[3];
	for (int k = 0; k < 3; ++k) {
		at[k] = clamp_int(at[k], 0, RBL_BRICK_CELLS * grid->size[k]);
		slot[k] = clamp_int(at[k] / RBL_BRICK_CELLS, 0, grid->size[k] - 1);
	}
	int brick = grid->leaves[(slot[2] * grid->size[1] + slot[1]) * grid->size[0] + slot[0]];
	const rbl_brick_place *place = &grid->places[brick];
	int half = (1 << place->level) >> 1;
	for (int k = 0; k < 3; ++k) {
		local[k] = (at[k] - place->origin[k] + half) >> place->level;
		at[k] = place->origin[k] + (local[k] << place->level);
	}
	return grid->exact[brick * RBL_BRICK_SAMPLES + sample_index(local[0], local[1], local[2])];
}

static inline sample_lanes find_samples(const rbl_sample_grid *grid, rbl_f8x3 place)
{
	int32_t x[8], y[8], z[8];
	float values[8];
	rbl_i8_store(x, rbl_f8_round_to_int(place.x));
	rbl_i8_store(y, rbl_f8_round_to_int(place.y));
	rbl_i8_store(z, rbl_f8_round_to_int(place.z));
	for (int i = 0; i < 8; ++i) {
		int at[3] = { x[i], y[i], z[i] };
		values[i] = find_sample(grid, at);
		x[i] = at[0], y[i] = at[1], z[i] = at[2];
	}
	return (sample_lanes){ { rbl_i8_to_float(rbl_i8_load(x)), rbl_i8_to_float(rbl_i8_load(y)),
		                     rbl_i8_to_float(rbl_i8_load(z)) },
		                   rbl_f8_load(values) };
}

static inline rbl_f8 round_lanes(rbl_f8 a)
{
	return rbl_i8_to_float(rbl_f8_round_to_int(a));
}

// The lattice point nearest to a line, of those near to points at some distances along it.
static inline rbl_f8x3 lattice_beside(rbl_f8x3 centre, rbl_f8x3 way, const float *reaches,
                                      int count, float spacing)
{
	rbl_f8 least = rbl_f8_splat(FLT_MAX), wide = rbl_f8_splat(spacing);
	rbl_f8 inverse = rbl_f8_splat(1.0f / spacing);
	rbl_f8x3 best = centre;
	for (int i = 0; i < count; ++i) {
		rbl_f8x3 at = rbl_f8x3_add_scaled(centre, rbl_f8_splat(reaches[i]), way);
		at = rbl_f8x3_scale(inverse, at);
		at = rbl_f8x3_scale(wide,
		                    (rbl_f8x3){ round_lanes(at.x), round_lanes(at.y), round_lanes(at.z) });
		rbl_f8x3 from = rbl_f8x3_sub(at, centre);
		rbl_f8 along = rbl_f8x3_dot(from, way);
		rbl_f8 aside = rbl_f8_sub(squared_length(from), rbl_f8_mul(along, along));
		rbl_i8 is_better = rbl_f8_lt(aside, least);
		least = rbl_f8_select(is_better, aside, least);
		best = rbl_f8x3_select(is_better, at, best);
	}
	return best;
}

// What a sample proves at each corner. For the upper bound of the distance d(s) + |v - s| - T(v),
// for the lower one T(v) - d(s) + |v - s|.
static inline void prove(const cells_lanes *cells, const sample_lanes *s, bool is_upper,
                         rbl_f8 proofs[8])
{
	rbl_f8 width = rbl_f8_splat(cells->width);
	rbl_f8x3 low = rbl_f8x3_sub(cells->low, s->position), high = low;
	high.x = rbl_f8_add(low.x, width), high.y = rbl_f8_add(low.y, width);
	high.z = rbl_f8_add(low.z, width);
	rbl_f8x3 squares[2] = {
		{ rbl_f8_mul(low.x, low.x), rbl_f8_mul(low.y, low.y), rbl_f8_mul(low.z, low.z) },
		{ rbl_f8_mul(high.x, high.x), rbl_f8_mul(high.y, high.y), rbl_f8_mul(high.z, high.z) }
	};
	for (int k = 0; k < 8; ++k) {
		rbl_f8 square =
			rbl_f8_add(rbl_f8_add(squares[k & 1].x, squares[k >> 1 & 1].y), squares[k >> 2].z);
		rbl_f8 gap = is_upper ? rbl_f8_sub(s->value, cells->corners[k])
		                      : rbl_f8_sub(cells->corners[k], s->value);
		proofs[k] = rbl_f8_add(gap, rbl_f8_sqrt(square));
	}
}

// The best of what two samples prove, each alone or by their mean.
static inline rbl_f8 bound_by_two(const cells_lanes *cells, const sample_lanes *s,
                                  const sample_lanes *t, bool is_upper)
{
	rbl_f8 first[8], second[8], half = rbl_f8_splat(0.5f);
	prove(cells, s, is_upper, first);
	prove(cells, t, is_upper, second);
	rbl_f8 most = first[0], other = second[0];
	rbl_f8 mean = rbl_f8_mul(half, rbl_f8_add(first[0], second[0]));
	for (int k = 1; k < 8; ++k) {
		most = rbl_f8_max(most, first[k]), other = rbl_f8_max(other, second[k]);
		mean = rbl_f8_max(mean, rbl_f8_mul(half, rbl_f8_add(first[k], second[k])));
	}
	return rbl_f8_min(rbl_f8_min(most, other), mean);
}

// Both ways along each axis.
static rbl_f8 bound_by_axes(const rbl_sample_grid *grid, const cells_lanes *cells, rbl_f8 bound,
                            bool is_upper)
{
	static const rbl_vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for (int i = 0; i < 6; ++i) {
		rbl_f8x3 way = rbl_f8x3_splat(axes[i % 3]);
		rbl_f8 reach = rbl_f8_splat(cells->width * (i < 3 ? 1.5f : 2.5f));
		sample_lanes s = find_samples(grid, rbl_f8x3_add_scaled(cells->centre, reach, way));
		sample_lanes t =
			find_samples(grid, rbl_f8x3_add_scaled(cells->centre, rbl_f8_neg(reach), way));
		bound = rbl_f8_min(bound, bound_by_two(cells, &s, &t, is_upper));
	}
	return bound;
}

// In widths of a cell: good enough to stop, and so bad that the axes are tried as well.
static const float good_bound = 0.2f, bad_bound = 0.6f;

// @param bound  the best bound so far
static rbl_f8 bound_one_way(const rbl_sample_grid *grid, const cells_lanes *cells,
                            rbl_f8x3 gradient, rbl_f8 bound, bool is_upper)
{
	static const float reaches[3][5] = { { 2.5f, 3.0f, 3.5f, 4.0f, 4.5f },
		                                 { 1.25f, 1.5f, 1.75f, 2.0f, 2.25f },
		                                 { 5, 6, 7, 8, 9 } };
	rbl_f8 good = rbl_f8_splat(good_bound * cells->width);
	// Samples back along the gradient bound the distance from above, those ahead from below.
	rbl_f8 ahead = rbl_f8_splat(is_upper ? -cells->width : cells->width);
	rbl_f8x3 way = rbl_f8x3_scale(ahead, gradient);
	for (int i = 0; i < 3 && rbl_i8_any(rbl_f8_gt(bound, good)); ++i) {
		float spacing = i < 2 ? cells->width : 2.0f * cells->width;
		sample_lanes s =
			find_samples(grid, lattice_beside(cells->centre, way, reaches[i], 5, spacing));
		// The second is where the first is seen from the line.
		rbl_f8x3 from = rbl_f8x3_sub(s.position, cells->centre);
		rbl_f8 along =
			rbl_f8_div(rbl_f8x3_dot(from, way), rbl_f8_splat(cells->width * cells->width));
		rbl_f8x3 line = rbl_f8x3_add_scaled(cells->centre, along, way);
		sample_lanes t = find_samples(grid, rbl_f8x3_sub(rbl_f8x3_add(line, line), s.position));
		bound = rbl_f8_min(bound, bound_by_two(cells, &s, &t, is_upper));
	}
	if (rbl_i8_any(rbl_f8_gt(bound, rbl_f8_splat(bad_bound * cells->width))))
		bound = bound_by_axes(grid, cells, bound, is_upper);
	return bound;
}

// Bounds that need no other samples. The mean distance of a point from the corners, weighted as in
// T, is at most half the diagonal of the cell. And |p|^2 - d(p)^2 is convex, because d^2 is the
// least of |p - q|^2 over all q of the surface: so |d| >= sqrt(T(d^2) - A), where A = T(|p|^2) -
// |p|^2 is at most 3/4 of the width squared.
static inline void bound_by_corners(const cells_lanes *cells, const rbl_f8 exact[8],
                                    rbl_f8 bounds[2])
{
	rbl_f8 width = rbl_f8_splat(cells->width), zero = rbl_f8_zero();
	rbl_f8 off = zero, least = rbl_f8_splat(FLT_MAX);
	for (int k = 0; k < 8; ++k) {
		off = rbl_f8_max(off, rbl_f8_abs(rbl_f8_sub(exact[k], cells->corners[k])));
		least = rbl_f8_min(least, rbl_f8_abs(exact[k]));
	}
	bounds[0] = bounds[1] = rbl_f8_add(off, rbl_f8_mul(width, rbl_f8_splat(0.8661f)));
	rbl_f8 square = rbl_f8_sub(rbl_f8_mul(least, least),
	                           rbl_f8_mul(rbl_f8_mul(width, width), rbl_f8_splat(0.75f)));
	rbl_f8 away = rbl_f8_sub(least, rbl_f8_sqrt(rbl_f8_max(square, zero)));
	away = rbl_f8_add(off, away);
	rbl_i8 is_away = rbl_f8_gt(square, zero), is_outside = rbl_f8_gt(exact[0], zero);
	rbl_i8 inside = rbl_i8_andnot(is_away, is_outside), outside = rbl_i8_and(is_away, is_outside);
	bounds[0] = rbl_f8_select(inside, rbl_f8_min(bounds[0], away), bounds[0]);
	bounds[1] = rbl_f8_select(outside, rbl_f8_min(bounds[1], away), bounds[1]);
}

static float bound_of_cells(const rbl_sample_grid *grid, const cells_lanes *cells,
                            const rbl_f8 exact[8])
{
	const rbl_f8 *d = cells->corners;
	rbl_f8x3 way = { rbl_f8_zero(), rbl_f8_zero(), rbl_f8_zero() };
	for (int k = 0; k < 8; ++k) {
		way.x = k & 1 ? rbl_f8_add(way.x, d[k]) : rbl_f8_sub(way.x, d[k]);
		way.y = k & 2 ? rbl_f8_add(way.y, d[k]) : rbl_f8_sub(way.y, d[k]);
		way.z = k & 4 ? rbl_f8_add(way.z, d[k]) : rbl_f8_sub(way.z, d[k]);
	}
	rbl_f8 length = rbl_f8_max(rbl_f8_sqrt(squared_length(way)), rbl_f8_splat(1e-6f));
	way = rbl_f8x3_scale(rbl_f8_div(rbl_f8_splat(1.0f), length), way);
	rbl_f8 bounds[2];
	bound_by_corners(cells, exact, bounds);
	for (int i = 0; i < 2; ++i)
		bounds[i] = bound_one_way(grid, cells, way, bounds[i], i == 0);
	return rbl_f8_max_lane(rbl_f8_max(bounds[0], bounds[1]));
}

void RBL_KERNEL(rbl_bound_brick)(const rbl_sample_grid *grid, int brick, const bool *wanted,
                                 float *bounds)
{
	const rbl_brick_place *place = &grid->places[brick];
	const float *values = grid->values + brick * RBL_BRICK_SAMPLES;
	const float *samples = grid->exact + brick * RBL_BRICK_SAMPLES;
	rbl_f8 width = rbl_f8_splat((float)(1 << place->level)), half = rbl_f8_splat(0.5f);
	rbl_f8x3 origin = rbl_f8x3_splat(
		(rbl_vec3){ (float)place->origin[0], (float)place->origin[1], (float)place->origin[2] });
	for (int block = 0; block < RBL_BRICK_BLOCKS; ++block) {
		bounds[block] = 0.0f;
		if (!wanted[block])
			continue;
		int first[3] = { 2 * (block & 3), 2 * (block >> 2 & 3), 2 * (block >> 4) };
		cells_lanes cells = { .width = (float)(1 << place->level) };
		rbl_f8 exact[8];
		for (int k = 0; k < 8; ++k) {
			float lanes[8], exact_lanes[8];
			for (int i = 0; i < 8; ++i) {
				int at = sample_index(first[0] + (i & 1) + (k & 1),
				                      first[1] + (i >> 1 & 1) + (k >> 1 & 1),
				                      first[2] + (i >> 2) + (k >> 2));
				lanes[i] = values[at], exact_lanes[i] = samples[at];
			}
			cells.corners[k] = rbl_f8_load(lanes);
			exact[k] = rbl_f8_load(exact_lanes);
		}
		rbl_f8x3 at = { rbl_f8_add(rbl_f8_splat((float)first[0]), rbl_f8_load(lane_x)),
			            rbl_f8_add(rbl_f8_splat((float)first[1]), rbl_f8_load(lane_y)),
			            rbl_f8_add(rbl_f8_splat((float)first[2]), rbl_f8_load(lane_z)) };
		cells.low = rbl_f8x3_add_scaled(origin, width, at);
		rbl_f8 middle = rbl_f8_mul(width, half);
		cells.centre = rbl_f8x3_add(cells.low, (rbl_f8x3){ middle, middle, middle });
		bounds[block] = bound_of_cells(grid, &cells, exact);
	}
}
