// SPDX-License-Identifier: MIT
//
// Evaluation of distance fields, eight points at a time.
//
// Lanes are independent: a point gets the same bits whatever else is in the batch.

#include "field/field_kernels.h"

#include "base/bits.h"
#include "base/simd.h"
#include "base/vec.h"

// What a field says of eight points. The gradient is not yet of unit length.
typedef struct field_lanes {
	rbl_f8 distance, bound;
	rbl_f8x3 gradient;
} field_lanes;

// --- the field of a mesh ------------------------------------------------------------------------

// Into the grid, and below its upper end, which belongs to the last slot. NaN becomes 0.
static inline rbl_f8 clamp_lanes(rbl_f8 a, int slots)
{
	float end = (float)(RBL_BRICK_CELLS * slots) * (1.0f - FLT_EPSILON);
	return rbl_f8_min(rbl_f8_max(a, rbl_f8_zero()), rbl_f8_splat(end));
}

// Two samples that lie one after another, of each lane: the first in the lower half of the number.
static inline rbl_i8 load_pairs(const int16_t *const samples[8], int offset)
{
	int32_t pairs[8];
	for (int i = 0; i < 8; ++i)
		memcpy(&pairs[i], samples[i] + offset, sizeof pairs[i]);
	return rbl_i8_from(rbl_i4_set(pairs[0], pairs[1], pairs[2], pairs[3]),
	                   rbl_i4_set(pairs[4], pairs[5], pairs[6], pairs[7]));
}

static inline rbl_f8 lerp_lanes(rbl_f8 a, rbl_f8 b, rbl_f8 t)
{
	return rbl_f8_add(a, rbl_f8_mul(t, rbl_f8_sub(b, a)));
}

// Values and differences along x.
typedef struct row_lanes {
	rbl_f8 value, slope;
} row_lanes;

static inline row_lanes load_row(const int16_t *const samples[8], int offset, rbl_f8 t)
{
	rbl_i8 pairs = load_pairs(samples, offset);
	rbl_f8 low = rbl_i8_to_float(rbl_i8_shift_right(rbl_i8_shift_left(pairs, 16), 16));
	rbl_f8 slope = rbl_f8_sub(rbl_i8_to_float(rbl_i8_shift_right(pairs, 16)), low);
	return (row_lanes){ rbl_f8_add(low, rbl_f8_mul(t, slope)), slope };
}

// Trilinear in a cell: value and differences along the axes, in units of samples.
static inline void interpolate(const int16_t *const samples[8], rbl_f8x3 t, rbl_f8 *value,
                               rbl_f8x3 *slope)
{
	enum { Y = RBL_BRICK_SIDE, Z = RBL_BRICK_SIDE * RBL_BRICK_SIDE };
	row_lanes a = load_row(samples, 0, t.x), b = load_row(samples, Y, t.x);
	row_lanes c = load_row(samples, Z, t.x), d = load_row(samples, Y + Z, t.x);
	rbl_f8 low = lerp_lanes(a.value, b.value, t.y), high = lerp_lanes(c.value, d.value, t.y);
	*value = lerp_lanes(low, high, t.z);
	slope->x =
		lerp_lanes(lerp_lanes(a.slope, b.slope, t.y), lerp_lanes(c.slope, d.slope, t.y), t.z);
	slope->y = lerp_lanes(rbl_f8_sub(b.value, a.value), rbl_f8_sub(d.value, c.value), t.z);
	slope->z = rbl_f8_sub(high, low);
}

// Along one axis: the slot, the cell of its brick, and the place in it.
typedef struct axis_lanes {
	rbl_i8 slot, cell;
	rbl_f8 t;
} axis_lanes;

static inline rbl_i8 slot_of(rbl_f8 at, int size)
{
	rbl_i8 slot = rbl_f8_to_int(rbl_f8_mul(at, rbl_f8_splat(1.0f / RBL_BRICK_CELLS)));
	return rbl_i8_min(slot, rbl_i8_splat(size - 1));
}

// @param shrink  cells of the brick's level per fine cell
static inline axis_lanes place_along(rbl_f8 at, rbl_i8 slot, rbl_f8 shrink)
{
	rbl_f8 brick = rbl_f8_floor(rbl_f8_mul(rbl_i8_to_float(slot), shrink));
	rbl_f8 local =
		rbl_f8_sub(rbl_f8_mul(at, shrink), rbl_f8_mul(brick, rbl_f8_splat((float)RBL_BRICK_CELLS)));
	rbl_i8 cell = rbl_i8_min(rbl_f8_to_int(local), rbl_i8_splat(RBL_BRICK_CELLS - 1));
	return (axis_lanes){ slot, cell, rbl_f8_sub(local, rbl_i8_to_float(cell)) };
}

// Two to a power of each lane, from -126 to 127.
static inline rbl_f8 power_of_two(rbl_i8 power)
{
	return rbl_f8_from_mask(rbl_i8_shift_left(rbl_i8_add(power, rbl_i8_splat(127)), 23));
}

// Where the grid ends: p beyond it, at the distance `beyond` from the nearest point c of the grid.
// All of the surface is in the grid, on the other side of c, so it is at least sqrt(beyond^2 +
// d(c)^2) away. The direction is that from the point of the surface that is nearest to c.
static inline void leave_grid(field_lanes *at, rbl_f8x3 beyond)
{
	rbl_f8 zero = rbl_f8_zero();
	rbl_f8 d = rbl_f8_max(at->distance, zero), square = rbl_f8x3_dot(beyond, beyond);
	rbl_i8 is_beyond = rbl_f8_ne(square, zero);
	if (!rbl_i8_any(is_beyond))
		return;
	rbl_f8 away = rbl_f8_sqrt(rbl_f8_add(square, rbl_f8_mul(d, d)));
	at->distance = rbl_f8_select(is_beyond, away, at->distance);
	at->gradient =
		rbl_f8x3_select(is_beyond, rbl_f8x3_add_scaled(beyond, d, at->gradient), at->gradient);
}

static inline field_lanes asset_at(const rbl_asset_field *field, rbl_f8x3 p)
{
	rbl_f8 inverse = rbl_f8_splat(field->inverse_cell), width = rbl_f8_splat(field->cell);
	rbl_f8x3 raw = rbl_f8x3_scale(inverse, rbl_f8x3_sub(p, rbl_f8x3_splat(field->origin)));
	rbl_f8x3 at = { clamp_lanes(raw.x, field->size[0]), clamp_lanes(raw.y, field->size[1]),
		            clamp_lanes(raw.z, field->size[2]) };
	rbl_i8 bx = slot_of(at.x, field->size[0]), by = slot_of(at.y, field->size[1]);
	rbl_i8 bz = slot_of(at.z, field->size[2]);
	rbl_i8 slot = rbl_i8_add(rbl_i8_mul(bz, rbl_i8_splat(field->size[1])), by);
	slot = rbl_i8_add(rbl_i8_mul(slot, rbl_i8_splat(field->size[0])), bx);
	rbl_i8 entry = rbl_i8_gather((const int32_t *)field->directory, slot);
	rbl_i8 level = rbl_i8_and(entry, rbl_i8_splat((1 << RBL_ENTRY_LEVEL_BITS) - 1));
	rbl_f8 shrink = power_of_two(rbl_i8_sub(rbl_i8_zero(), level)), spread = power_of_two(level);
	axis_lanes x = place_along(at.x, bx, shrink), y = place_along(at.y, by, shrink);
	axis_lanes z = place_along(at.z, bz, shrink);

	const int16_t *samples[8];
	int32_t entries[8], cells[8], blocks[8], bounds[8];
	rbl_i8 side = rbl_i8_splat(RBL_BRICK_SIDE);
	rbl_i8 cell =
		rbl_i8_add(rbl_i8_mul(rbl_i8_add(rbl_i8_mul(z.cell, side), y.cell), side), x.cell);
	rbl_i8 block = rbl_i8_add(rbl_i8_shift_left(rbl_i8_shift_right(z.cell, 1), 4),
	                          rbl_i8_shift_left(rbl_i8_shift_right(y.cell, 1), 2));
	rbl_i8_store(entries, rbl_i8_shift_right_zero(entry, RBL_ENTRY_LEVEL_BITS));
	rbl_i8_store(cells, cell);
	rbl_i8_store(blocks, rbl_i8_add(block, rbl_i8_shift_right(x.cell, 1)));
	for (int i = 0; i < 8; ++i) {
		samples[i] = field->samples + ((size_t)entries[i] * RBL_BRICK_SAMPLES + (size_t)cells[i]);
		bounds[i] = field->bounds[(size_t)entries[i] * RBL_BRICK_BLOCKS + (size_t)blocks[i]];
	}
	rbl_f8 value;
	rbl_f8x3 slope;
	interpolate(samples, (rbl_f8x3){ x.t, y.t, z.t }, &value, &slope);
	rbl_f8 step = rbl_f8_gather(field->sample_steps, level);
	field_lanes result = {
		.distance = rbl_f8_mul(value, step),
		.gradient = rbl_f8x3_scale(rbl_f8_mul(rbl_f8_mul(step, shrink), inverse), slope),
	};
	leave_grid(&result, rbl_f8x3_scale(width, rbl_f8x3_sub(raw, at)));
	rbl_f8 unit = rbl_f8_mul(spread, rbl_f8_splat(field->bound_step));
	rbl_f8 size = rbl_f8_add(rbl_f8_abs(result.distance), rbl_f8_splat(field->scale));
	result.bound = rbl_f8_add(rbl_f8_mul(rbl_i8_to_float(rbl_i8_load(bounds)), unit),
	                          rbl_f8_mul(size, rbl_f8_splat(field->rounding)));
	return result;
}

// --- the field of a fragment --------------------------------------------------------------------

// A signed distance, and the unit vector it grows along.
typedef struct part_lanes {
	rbl_f8 distance;
	rbl_f8x3 gradient;
} part_lanes;

static inline rbl_f8 sign_lanes(rbl_f8 a)
{
	return rbl_f8_select(rbl_f8_lt(a, rbl_f8_zero()), rbl_f8_splat(-1.0f), rbl_f8_splat(1.0f));
}

static inline part_lanes larger(part_lanes a, part_lanes b)
{
	rbl_i8 is_b = rbl_f8_gt(b.distance, a.distance);
	return (part_lanes){ rbl_f8_select(is_b, b.distance, a.distance),
		                 rbl_f8x3_select(is_b, b.gradient, a.gradient) };
}

static inline part_lanes box_at(const rbl_fragment_field *field, rbl_f8x3 p)
{
	rbl_f8 zero = rbl_f8_zero();
	rbl_f8x3 from = rbl_f8x3_sub(p, rbl_f8x3_splat(field->box_centre));
	rbl_f8x3 half = rbl_f8x3_splat(field->box_half);
	rbl_f8x3 q = { rbl_f8_sub(rbl_f8_abs(from.x), half.x), rbl_f8_sub(rbl_f8_abs(from.y), half.y),
		           rbl_f8_sub(rbl_f8_abs(from.z), half.z) };
	rbl_f8x3 away = rbl_f8x3_max(q, (rbl_f8x3){ zero, zero, zero });
	rbl_f8 outside = rbl_f8_sqrt(rbl_f8x3_dot(away, away));
	rbl_f8 inside = rbl_f8_max(q.x, rbl_f8_max(q.y, q.z));
	rbl_i8 is_outside = rbl_f8_gt(outside, zero);
	rbl_i8 is_x = rbl_f8_ge(q.x, inside), is_y = rbl_i8_andnot(rbl_f8_ge(q.y, inside), is_x);
	rbl_i8 is_z = rbl_i8_not(rbl_i8_or(is_x, is_y));
	rbl_f8 one = rbl_f8_splat(1.0f);
	rbl_f8 inverse = rbl_f8_div(one, rbl_f8_select(is_outside, outside, one));
	rbl_f8x3 size = { rbl_f8_select(is_x, one, zero), rbl_f8_select(is_y, one, zero),
		              rbl_f8_select(is_z, one, zero) };
	size = rbl_f8x3_select(is_outside, rbl_f8x3_scale(inverse, away), size);
	return (part_lanes){ rbl_f8_select(is_outside, outside, inside),
		                 { rbl_f8_mul(size.x, sign_lanes(from.x)),
		                   rbl_f8_mul(size.y, sign_lanes(from.y)),
		                   rbl_f8_mul(size.z, sign_lanes(from.z)) } };
}

static inline part_lanes plane_at(const rbl_plane *plane, rbl_f8x3 p)
{
	rbl_f8x3 normal = rbl_f8x3_splat(plane->normal);
	return (part_lanes){ rbl_f8_sub(rbl_f8x3_dot(normal, p), rbl_f8_splat(plane->offset)), normal };
}

// --- unions -------------------------------------------------------------------------------------

// A signed distance of one point, and the unit vector it grows along.
typedef struct part_point {
	float distance;
	rbl_vec3 gradient;
} part_point;

static inline rbl_f8x3 load_block(const float block[3][RBL_FIELD_BLOCK])
{
	return (rbl_f8x3){ rbl_f8_load(block[0]), rbl_f8_load(block[1]), rbl_f8_load(block[2]) };
}

// The lowest lane that has a value.
static inline int lane_of(rbl_f8 lanes, float value)
{
	return rbl_lowest_one((uint64_t)rbl_i8_bits(rbl_f8_eq(lanes, rbl_f8_splat(value))));
}

// How far points are from the box of a cell: the way to it, squared.
static inline rbl_f8 box_square(const rbl_field_boxes *boxes, int k, rbl_f8x3 p, rbl_f8x3 *away)
{
	rbl_f8 zero = rbl_f8_zero();
	rbl_f8x3 lower = { rbl_f8_splat(boxes->lower[0][k]), rbl_f8_splat(boxes->lower[1][k]),
		               rbl_f8_splat(boxes->lower[2][k]) };
	rbl_f8x3 upper = { rbl_f8_splat(boxes->upper[0][k]), rbl_f8_splat(boxes->upper[1][k]),
		               rbl_f8_splat(boxes->upper[2][k]) };
	rbl_f8x3 none = { zero, zero, zero };
	*away = rbl_f8x3_sub(rbl_f8x3_max(rbl_f8x3_sub(p, upper), none),
	                     rbl_f8x3_max(rbl_f8x3_sub(lower, p), none));
	return rbl_f8x3_dot(*away, *away);
}

// How far points are beyond the planes of a cell at most, and where that is.
static inline part_lanes cell_at(const rbl_fragment_field *field, const rbl_field_cell *cell,
                                 rbl_f8x3 p)
{
	rbl_f8 zero = rbl_f8_zero();
	part_lanes most = { rbl_f8_splat(-FLT_MAX), { zero, zero, zero } };
	for (int i = cell->first_block; i < cell->block_end; ++i) {
		const rbl_field_planes *planes = &field->cell_planes[i];
		for (int k = 0; k < RBL_FIELD_BLOCK && planes->offset[k] < FLT_MAX; ++k) {
			rbl_plane plane = { { planes->normal[0][k], planes->normal[1][k],
				                  planes->normal[2][k] },
				                planes->offset[k] };
			most = larger(most, plane_at(&plane, p));
		}
	}
	return most;
}

// How far points are from the cells of a union, by planes and boxes: no more than they really are.
// In a cell it is not above the tie.
// @param known  points that are found to be nearer than this are of no interest
static inline part_lanes cells_at(const rbl_fragment_field *field, const rbl_field_union *u,
                                  rbl_f8x3 p, rbl_f8 known)
{
	rbl_f8 zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	rbl_f8 enough = rbl_f8_max(known, rbl_f8_splat(field->tie));
	part_lanes least = { rbl_f8_splat(FLT_MAX), { zero, one, zero } };
	rbl_i8 is_open = rbl_f8_gt(least.distance, enough);
	for (int i = u->first_cell; i < u->cell_end && rbl_i8_any(is_open); ++i) {
		int index = i - u->first_cell;
		rbl_f8x3 way;
		rbl_f8 square = box_square(&field->boxes[u->first_box + index / RBL_FIELD_BLOCK],
		                           index % RBL_FIELD_BLOCK, p, &way);
		rbl_i8 matters = rbl_f8_lt(square, rbl_f8_mul(least.distance, least.distance));
		matters = rbl_i8_and(matters, is_open);
		if (!rbl_i8_any(matters))
			continue;
		part_lanes cell = cell_at(field, &field->cells[i], p);
		// What is out of the box is at least as far from the cell.
		rbl_f8 away = rbl_f8_sqrt(square);
		rbl_i8 is_box = rbl_i8_and(rbl_f8_gt(away, zero), rbl_f8_gt(away, cell.distance));
		rbl_f8 inverse = rbl_f8_div(one, rbl_f8_select(is_box, away, one));
		cell.distance = rbl_f8_select(is_box, away, cell.distance);
		cell.gradient = rbl_f8x3_select(is_box, rbl_f8x3_scale(inverse, way), cell.gradient);
		rbl_i8 is_less = rbl_i8_and(matters, rbl_f8_lt(cell.distance, least.distance));
		least.distance = rbl_f8_select(is_less, cell.distance, least.distance);
		least.gradient = rbl_f8x3_select(is_less, cell.gradient, least.gradient);
		is_open = rbl_f8_gt(least.distance, enough);
	}
	return least;
}

// The distance of a point from a convex polygon, and the unit vector to it; from points on it,
// outward.
static inline part_point polygon_at(const rbl_fragment_field *field,
                                    const rbl_field_polygon *polygon, rbl_vec3 p)
{
	rbl_f8 zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	rbl_f8x3 at = rbl_f8x3_splat(p);
	float height = rbl_dot(polygon->plane.normal, p) - polygon->plane.offset;
	part_point face = { fabsf(height), polygon->plane.normal };
	float least = FLT_MAX;
	for (int i = polygon->first_block; i < polygon->block_end; ++i) {
		const rbl_field_edges *edges = &field->edges[i];
		rbl_f8x3 from = rbl_f8x3_sub(at, load_block(edges->from));
		rbl_i8 beyond = rbl_f8_lt(rbl_f8x3_dot(from, load_block(edges->side)), zero);
		if (!rbl_i8_any(beyond))
			continue;
		rbl_f8x3 along = load_block(edges->along);
		rbl_f8 t = rbl_f8_mul(rbl_f8x3_dot(from, along), rbl_f8_load(edges->inverse_square));
		t = rbl_f8_min(rbl_f8_max(t, zero), one);
		rbl_f8x3 to = rbl_f8x3_sub(rbl_f8x3_scale(t, along), from);
		// The nearest point is on an edge that the point is beyond.
		rbl_f8 d = rbl_f8_select(beyond, rbl_f8_sqrt(rbl_f8x3_dot(to, to)), rbl_f8_splat(FLT_MAX));
		float here = rbl_f8_min_lane(d);
		if (here < least) {
			int k = lane_of(d, here);
			float inverse = here > 1e-12f ? 1.0f / here : 0.0f;
			least = here;
			face.distance = here;
			if (inverse > 0.0f)
				face.gradient =
					(rbl_vec3){ inverse * rbl_f8_lane(to.x, k), inverse * rbl_f8_lane(to.y, k),
					            inverse * rbl_f8_lane(to.z, k) };
		}
	}
	return face;
}

// The nearest polygon of a point in a union.
// @param known  what is known of the distance already, less than 0
// @return what is more than that; when nothing is, anything less
static inline part_point polygons_at(const rbl_fragment_field *field, const rbl_field_union *u,
                                     rbl_vec3 p, float known)
{
	part_point nearest = { -known, { 0.0f, 1.0f, 0.0f } };
	bool is_found = false;
	rbl_f8x3 at = rbl_f8x3_splat(p);
	for (int first = u->first_polygon; first < u->polygon_end; first += RBL_FIELD_BLOCK) {
		const rbl_field_balls *balls =
			&field->balls[u->first_ball + (first - u->first_polygon) / 8];
		rbl_f8x3 from = rbl_f8x3_sub(at, load_block(balls->centre));
		rbl_f8 gap = rbl_f8_sub(rbl_f8_sqrt(rbl_f8x3_dot(from, from)), rbl_f8_load(balls->radius));
		int bits = rbl_i8_bits(rbl_f8_lt(gap, rbl_f8_splat(nearest.distance)));
		for (; bits != 0; bits &= bits - 1) {
			int k = rbl_lowest_one((uint64_t)bits);
			part_point to = polygon_at(field, &field->polygons[first + k], p);
			if (to.distance < nearest.distance)
				nearest = to, is_found = true;
		}
	}
	return (part_point){ is_found ? -nearest.distance : -FLT_MAX, nearest.gradient };
}

// A point in a union is as deep as its nearest polygon is far. That is only of interest where all
// else has the point inside as well, which few have: they are looked at one by one.
static inline part_lanes union_at(const rbl_fragment_field *field, const rbl_field_union *u,
                                  rbl_f8x3 p, rbl_f8 known)
{
	// A point on a face that two cells share is in one of them, whatever rounding says.
	part_lanes cells = cells_at(field, u, p, known);
	rbl_i8 is_in = rbl_i8_not(rbl_f8_gt(cells.distance, rbl_f8_splat(field->tie)));
	int bits = rbl_i8_bits(rbl_i8_and(is_in, rbl_f8_lt(known, rbl_f8_zero())));
	cells.distance = rbl_f8_select(is_in, rbl_f8_splat(-FLT_MAX), cells.distance);
	if (bits == 0)
		return cells;
	rbl_vec3 points[8], gradients[8];
	float distances[8], knowns[8];
	rbl_f8x3_store(points, p);
	rbl_f8x3_store(gradients, cells.gradient);
	rbl_f8_store(distances, cells.distance);
	rbl_f8_store(knowns, known);
	for (; bits != 0; bits &= bits - 1) {
		int i = rbl_lowest_one((uint64_t)bits);
		part_point to = polygons_at(field, u, points[i], knowns[i]);
		distances[i] = to.distance, gradients[i] = to.gradient;
	}
	return (part_lanes){ rbl_f8_load(distances), rbl_f8x3_load(gradients) };
}

// What becomes of the original's distance in a fragment. @param p  original's coordinates
static inline field_lanes fragment_at(const rbl_fragment_field *field, rbl_f8x3 p,
                                      field_lanes original)
{
	part_lanes rest = box_at(field, p);
	for (int i = 0; i < field->plane_count; ++i)
		rest = larger(rest, plane_at(&field->planes[i], p));
	for (int i = 0; i < field->union_count; ++i) {
		rbl_f8 known = rbl_f8_max(original.distance, rest.distance);
		rest = larger(rest, union_at(field, &field->unions[i], p, known));
	}
	// Of the original only its distance is uncertain.
	rbl_f8 d = rbl_f8_max(original.distance, rest.distance);
	rbl_f8 low = rbl_f8_max(rbl_f8_sub(original.distance, original.bound), rest.distance);
	rbl_f8 high = rbl_f8_max(rbl_f8_add(original.distance, original.bound), rest.distance);
	rbl_f8 size = rbl_f8_add(rbl_f8_abs(d), rbl_f8_splat(field->scale));
	rbl_f8 off = rbl_f8_max(rbl_f8_sub(high, d), rbl_f8_sub(d, low));
	off = rbl_f8_add(off, rbl_f8_mul(size, rbl_f8_splat(field->rounding)));
	rbl_i8 is_rest = rbl_f8_gt(rest.distance, original.distance);
	rbl_f8x3 gradient = rbl_f8x3_select(is_rest, rest.gradient, original.gradient);
	// Back to the fragment's coordinates.
	const rbl_mat3 *m = &field->rotation;
	gradient = (rbl_f8x3){ rbl_f8x3_dot(rbl_f8x3_splat(m->x), gradient),
		                   rbl_f8x3_dot(rbl_f8x3_splat(m->y), gradient),
		                   rbl_f8x3_dot(rbl_f8x3_splat(m->z), gradient) };
	return (field_lanes){ d, off, gradient };
}

// --- results ------------------------------------------------------------------------------------

// Unit length; where there is no direction, up.
static inline rbl_f8x3 unit_lanes(rbl_f8x3 a)
{
	rbl_f8 length = rbl_f8_sqrt(rbl_f8x3_dot(a, a));
	rbl_i8 has_length = rbl_f8_gt(length, rbl_f8_splat(1e-12f));
	rbl_f8 inverse = rbl_f8_div(rbl_f8_splat(1.0f), length);
	return rbl_f8x3_select(has_length, rbl_f8x3_scale(inverse, a),
	                       rbl_f8x3_splat((rbl_vec3){ 0.0f, 1.0f, 0.0f }));
}

static inline rbl_f8x3 load_points(const rbl_vec3 *points, int count)
{
	if (count >= 8)
		return rbl_f8x3_load(points);
	rbl_vec3 padded[8];
	for (int i = 0; i < 8; ++i)
		padded[i] = points[i < count ? i : 0];
	return rbl_f8x3_load(padded);
}

static inline void store_results(const field_lanes *at, int count, float *distances, float *bounds,
                                 rbl_vec3 *gradients)
{
	// What is not finite is infinitely far away.
	rbl_i8 is_finite = rbl_f8_lt(rbl_f8_abs(at->distance), rbl_f8_splat(FLT_MAX));
	rbl_f8 zero = rbl_f8_zero();
	rbl_f8 distance = rbl_f8_select(is_finite, at->distance, rbl_f8_splat(INFINITY));
	rbl_f8 bound = rbl_f8_select(is_finite, at->bound, zero);
	rbl_f8x3 none = { zero, zero, zero };
	rbl_f8x3 gradient = { zero, zero, zero };
	if (gradients)
		gradient = rbl_f8x3_select(is_finite, unit_lanes(at->gradient), none);
	if (count >= 8) {
		rbl_f8_store(distances, distance);
		rbl_f8_store(bounds, bound);
		if (gradients)
			rbl_f8x3_store(gradients, gradient);
		return;
	}
	rbl_f8_store_first(distances, distance, count);
	rbl_f8_store_first(bounds, bound, count);
	if (gradients) {
		rbl_vec3 all[8];
		rbl_f8x3_store(all, gradient);
		memcpy(gradients, all, (size_t)count * sizeof *gradients);
	}
}

void RBL_KERNEL(rbl_asset_field_evaluate)(const rbl_asset_field *field, const rbl_vec3 *points,
                                          int count, float *distances, float *bounds,
                                          rbl_vec3 *gradients)
{
	for (int i = 0; i < count; i += 8) {
		field_lanes at = asset_at(field, load_points(points + i, count - i));
		store_results(&at, count - i, distances + i, bounds + i, gradients ? gradients + i : NULL);
	}
}

// Without an original every finite point is deep inside of it.
static inline void no_original(const rbl_vec3 *points, int count, float *distances, float *bounds,
                               rbl_vec3 *gradients)
{
	rbl_f8 zero = rbl_f8_zero();
	for (int i = 0; i < count; i += 8) {
		rbl_f8x3 p = rbl_f8x3_load(points + i);
		rbl_f8 largest = rbl_f8_add(rbl_f8_abs(p.x), rbl_f8_add(rbl_f8_abs(p.y), rbl_f8_abs(p.z)));
		rbl_i8 is_finite = rbl_f8_lt(largest, rbl_f8_splat(FLT_MAX));
		rbl_f8_store(distances + i,
		             rbl_f8_select(is_finite, rbl_f8_splat(-FLT_MAX), rbl_f8_splat(INFINITY)));
		rbl_f8_store(bounds + i, zero);
		rbl_f8x3_store(gradients + i, (rbl_f8x3){ zero, zero, zero });
	}
}

void RBL_KERNEL(rbl_fragment_field_evaluate)(const rbl_fragment_field *field,
                                             const rbl_vec3 *points, int count, float *distances,
                                             float *bounds, rbl_vec3 *gradients)
{
	enum { BATCH = 64 };
	rbl_vec3 moved[BATCH], ways[BATCH];
	float originals[BATCH], errors[BATCH];
	const rbl_mat3 *m = &field->rotation;
	rbl_f8x3 x = rbl_f8x3_splat(m->x), y = rbl_f8x3_splat(m->y), z = rbl_f8x3_splat(m->z);
	rbl_f8 zero = rbl_f8_zero();
	for (int first = 0; first < count; first += BATCH) {
		int n = count - first < BATCH ? count - first : BATCH;
		for (int i = 0; i < n; i += 8) {
			rbl_f8x3 local = load_points(points + first + i, n - i);
			rbl_f8x3 p = rbl_f8x3_add_scaled(rbl_f8x3_splat(field->translation), local.x, x);
			p = rbl_f8x3_add_scaled(rbl_f8x3_add_scaled(p, local.y, y), local.z, z);
			rbl_f8x3_store(moved + i, p);
		}
		if (field->original)
			RBL_KERNEL(rbl_asset_field_evaluate)
		(field->original, moved, (n + 7) & ~7, originals, errors, gradients ? ways : NULL);
		else no_original(moved, n, originals, errors, ways);
		for (int i = n; i < ((n + 7) & ~7); ++i)
			originals[i] = 0.0f; // nobody asks: no polygons are looked at
		for (int i = 0; i < n; i += 8) {
			field_lanes original = { rbl_f8_load(originals + i),
				                     rbl_f8_load(errors + i),
				                     { zero, zero, zero } };
			if (gradients)
				original.gradient = rbl_f8x3_load(ways + i);
			field_lanes at = fragment_at(field, rbl_f8x3_load(moved + i), original);
			store_results(&at, n - i, distances + first + i, bounds + first + i,
			              gradients ? gradients + first + i : NULL);
		}
	}
}
