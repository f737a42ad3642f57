// SPDX-License-Identifier: MIT
//
// The field of a fragment as bytes, without its original: whoever reads it back has that, or its
// copy. All arrays consist of 32-bit words.

#include "field/field.h"
#include "field/fragment_field.h"

enum { SCALARS = 21, MOST_ITEMS = 1 << 24 };

static void list_scalars(rbl_fragment_field *f, float *scalars[SCALARS])
{
	rbl_mat3 *m = &f->rotation;
	float *all[SCALARS] = { &f->rounding,      &m->x.x,           &m->x.y,
		                    &m->x.z,           &m->y.x,           &m->y.y,
		                    &m->y.z,           &m->z.x,           &m->z.y,
		                    &m->z.z,           &f->translation.x, &f->translation.y,
		                    &f->translation.z, &f->box_centre.x,  &f->box_centre.y,
		                    &f->box_centre.z,  &f->box_half.x,    &f->box_half.y,
		                    &f->box_half.z,    &f->scale,         &f->tie };
	memcpy(scalars, all, sizeof all);
}

void rbl_fragment_field_put(rbl_blob_writer *w, const rbl_distance_field *field)
{
	const rbl_fragment_field *f = rbl_as_fragment_field(field);
	RBL_ASSERT(f);
	int counts[RBL_FRAGMENT_ARRAYS];
	rbl_fragment_field_count(f, counts);
	rbl_blob_put_words(w, counts, RBL_FRAGMENT_ARRAYS);
	rbl_fragment_field copy = *f;
	float *scalars[SCALARS];
	list_scalars(&copy, scalars);
	for (int i = 0; i < SCALARS; ++i)
		rbl_blob_put_float(w, *scalars[i]);
	rbl_blob_put_words(w, f + 1, (f->size - sizeof *f) / 4);
	const rbl_field_occupancy *o = &f->occupancy;
	rbl_blob_put_bool(w, o->distances != NULL);
	if (!o->distances)
		return;
	rbl_blob_put_words(w, o->size, 3);
	rbl_blob_put_words(w, &o->origin, 3);
	rbl_blob_put_float(w, o->cell);
	rbl_blob_put_float(w, o->inverse_cell);
	rbl_blob_put_bytes(w, o->distances, (size_t)rbl_field_occupancy_corners(o));
	rbl_blob_put_bytes(w, o->states, (size_t)rbl_field_occupancy_cubes(o));
	rbl_blob_put_padding(w);
}

// Whether a range lies within `end`, and its blocks of eight within `block_end`.
static bool is_range(int first, int end, int most)
{
	return first >= 0 && first <= end && end <= most;
}

static bool has_blocks(int first_block, int item_count, int block_count)
{
	int blocks = (item_count + RBL_FIELD_BLOCK - 1) / RBL_FIELD_BLOCK;
	return first_block >= 0 && blocks <= block_count && first_block <= block_count - blocks;
}

static bool are_indices_right(const rbl_fragment_field *f, const int *counts)
{
	bool is_right = true;
	for (int i = 0; i < f->union_count && is_right; ++i) {
		const rbl_field_union *u = &f->unions[i];
		is_right =
			is_range(u->first_cell, u->cell_end, counts[RBL_FRAGMENT_CELLS]) &&
			is_range(u->first_polygon, u->polygon_end, counts[RBL_FRAGMENT_POLYGONS]) &&
			has_blocks(u->first_box, u->cell_end - u->first_cell, counts[RBL_FRAGMENT_BOXES]) &&
			has_blocks(u->first_ball, u->polygon_end - u->first_polygon,
		               counts[RBL_FRAGMENT_BALLS]);
	}
	for (int i = 0; i < counts[RBL_FRAGMENT_CELLS] && is_right; ++i)
		is_right = is_range(f->cells[i].first_block, f->cells[i].block_end,
		                    counts[RBL_FRAGMENT_CELL_PLANES]);
	for (int i = 0; i < counts[RBL_FRAGMENT_POLYGONS] && is_right; ++i)
		is_right = is_range(f->polygons[i].first_block, f->polygons[i].block_end,
		                    counts[RBL_FRAGMENT_EDGES]) &&
		           rbl_floats_are_finite(&f->polygons[i].plane, 4);
	return is_right;
}

static bool are_floats_right(const rbl_fragment_field *f, const int *counts)
{
	const size_t of_box = sizeof(rbl_field_boxes) / 4, of_planes = sizeof(rbl_field_planes) / 4;
	const size_t of_ball = sizeof(rbl_field_balls) / 4, of_edges = sizeof(rbl_field_edges) / 4;
	return rbl_floats_are_finite(f->planes, 4 * (size_t)counts[RBL_FRAGMENT_PLANES]) &&
	       rbl_floats_are_finite(f->boxes, of_box * (size_t)counts[RBL_FRAGMENT_BOXES]) &&
	       rbl_floats_are_finite(f->cell_planes,
	                             of_planes * (size_t)counts[RBL_FRAGMENT_CELL_PLANES]) &&
	       rbl_floats_are_finite(f->balls, of_ball * (size_t)counts[RBL_FRAGMENT_BALLS]) &&
	       rbl_floats_are_finite(f->edges, of_edges * (size_t)counts[RBL_FRAGMENT_EDGES]);
}

static void get_occupancy(rbl_blob_reader *r, rbl_fragment_field *f)
{
	rbl_field_occupancy o = { 0 };
	double cubes = 1.0;
	for (int i = 0; i < 3; ++i) {
		o.size[i] = rbl_blob_get_int(r, 1, RBL_MAX_CUBES);
		cubes *= (double)o.size[i];
	}
	rbl_blob_get_words(r, &o.origin, 3);
	o.cell = rbl_blob_get_finite(r);
	o.inverse_cell = rbl_blob_get_finite(r);
	bool is_right = cubes <= (double)RBL_MAX_CUBES && o.cell > 0.0f && o.inverse_cell > 0.0f &&
	                rbl_floats_are_finite(&o.origin, 3);
	if (r->is_bad || !rbl_blob_expect(r, is_right, "cubes of a fragment are wrong"))
		return;
	size_t corners = (size_t)rbl_field_occupancy_corners(&o);
	f->occupancy = o;
	f->occupancy.distances = RBL_NEW(&f->head.allocator, uint8_t, corners);
	f->occupancy.states = RBL_NEW(&f->head.allocator, uint8_t, cubes);
	if (!f->occupancy.distances || !f->occupancy.states) {
		r->out_of_memory = r->is_bad = true;
		return;
	}
	rbl_blob_get_bytes(r, f->occupancy.distances, corners);
	rbl_blob_get_bytes(r, f->occupancy.states, (size_t)cubes);
	rbl_blob_get_padding(r);
}

static bool get_fragment(rbl_blob_reader *r, rbl_fragment_field *f, const int *counts)
{
	float *scalars[SCALARS];
	list_scalars(f, scalars);
	for (int i = 0; i < SCALARS; ++i)
		*scalars[i] = rbl_blob_get_finite(r);
	rbl_blob_get_words(r, f + 1, (f->size - sizeof *f) / 4);
	if (r->is_bad ||
	    !rbl_blob_expect(r, are_indices_right(f, counts) && are_floats_right(f, counts),
	                     "the field of a fragment is wrong"))
		return false;
	if (rbl_blob_get_bool(r))
		get_occupancy(r, f);
	return !r->is_bad;
}

bool rbl_fragment_field_get(rbl_blob_reader *r, const rbl_allocator *allocator,
                            const rbl_distance_field *original, rbl_distance_field **field)
{
	*field = NULL;
	int counts[RBL_FRAGMENT_ARRAYS];
	double words = 0.0;
	for (int i = 0; i < RBL_FRAGMENT_ARRAYS; ++i) {
		counts[i] = rbl_blob_get_int(r, 0, MOST_ITEMS);
		words += 2.0 * (double)counts[i]; // at least
	}
	if (r->is_bad || !rbl_blob_expect(r, words <= (double)(r->size - r->at) / 4.0,
	                                  "the field of a fragment is cut short"))
		return false;
	rbl_fragment_field *made = rbl_fragment_field_new(allocator, counts);
	if (!made) {
		r->out_of_memory = r->is_bad = true;
		return false;
	}
	made->original = rbl_as_asset_field(original);
	if (!get_fragment(r, made, counts)) {
		rbl_destroy_distance_field(&made->head);
		return false;
	}
	rbl_fragment_field_describe(made);
	*field = &made->head;
	return true;
}

const rbl_distance_field *rbl_distance_field_original(const rbl_distance_field *field)
{
	const rbl_fragment_field *fragment = rbl_as_fragment_field(field);
	return fragment && fragment->original ? &fragment->original->head : NULL;
}
