// SPDX-License-Identifier: MIT
//
// Estimates in snapshots: the state of the solver. The system follows from the compound and is
// rebuilt.
//
// An estimate may lag behind its compound, which has broken since. It is written as it will be
// when its next call has caught up: the motions of parts that still exist, and nothing else.

#include "stress/stress_system.h"

#include "base/fields.h"
#include "base/vec.h"

_Static_assert(sizeof(void *) < 8 || sizeof(struct rbl_stress) == 1192,
               "a new field of estimates: is it saved?");

// Utilizations and residuals may be infinite, but not NaN.
#define NUMBER(member) \
	RBL_FIELD_OF(rbl_stress, member, RBL_FIELD_KIND_DOUBLE, 8, -INFINITY, INFINITY)

static const rbl_field result_fields[] = {
	RBL_FIELD_BOOL(rbl_stress, is_iterating),
	NUMBER(worst),
	RBL_FIELD_INT(rbl_stress, overloaded_count, 0, 1 << 30),
};

static const rbl_field iteration_fields[] = {
	NUMBER(energy),
	NUMBER(load_energy),
	NUMBER(residual),
	NUMBER(best),
	RBL_FIELD_BOOL(rbl_stress, is_stalled),
	RBL_FIELD_INT(rbl_stress, idle_count, 0, 1 << 30),
};

enum { WRENCH = sizeof(rbl_wrench) / sizeof(double) };

static void put_wrenches(rbl_blob_writer *w, const rbl_wrench *wrenches, int count)
{
	rbl_blob_put_longs(w, wrenches, (size_t)count * WRENCH);
}

static void get_wrenches(rbl_blob_reader *r, rbl_wrench *wrenches, int count)
{
	rbl_blob_get_longs(r, wrenches, (size_t)count * WRENCH);
	bool is_finite = true;
	for (int i = 0; i < count; ++i)
		is_finite &= rbl_is_finite_d(wrenches[i].linear) && rbl_is_finite_d(wrenches[i].angular);
	rbl_blob_expect(r, is_finite, "an estimate is not finite");
}

static void put_search(rbl_blob_writer *w, const rbl_stress *s)
{
	rbl_blob_put32(w, (uint32_t)s->body_count);
	put_wrenches(w, s->loads, s->body_count);
	put_wrenches(w, s->motions, s->body_count);
	rbl_blob_put_struct(w, result_fields, s);
	if (!s->is_iterating)
		return;
	put_wrenches(w, s->residuals, s->body_count);
	put_wrenches(w, s->directions, s->body_count);
	rbl_blob_put_struct(w, iteration_fields, s);
}

// The same for an estimate that has not begun, but knows motions of parts in their places.
static void put_motions(rbl_blob_writer *w, const rbl_stress *s, const rbl_compound *c)
{
	static const rbl_wrench none;
	rbl_compound_info info = rbl_compound_get_info(c);
	int count = info.part_count - info.anchored_count;
	rbl_blob_put32(w, (uint32_t)count);
	for (int i = 0; i < count; ++i)
		put_wrenches(w, &none, 1);
	for (int i = 0; i < info.part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(c, i);
		if (!part.convex || part.is_anchored)
			continue;
		rbl_vec3d point = rbl_convex_get_mass(part.convex).centre;
		int body = i < s->part_end ? s->body_of[i] : -1;
		bool stands = body >= 0 && memcmp(&s->levels[0].points[body], &point, sizeof point) == 0;
		put_wrenches(w, stands ? &s->motions[body] : &none, 1);
	}
	rbl_blob_put_struct(w, result_fields, &(rbl_stress){ .worst = -1.0 });
}

void rbl_stress_save(const rbl_stress *s, const rbl_compound *c, rbl_blob_writer *w)
{
	bool is_begun = s->is_built && rbl_compound_estimate(c) == s;
	rbl_blob_put_bool(w, is_begun);
	if (is_begun && s->version == rbl_compound_version(c))
		put_search(w, s);
	else if (is_begun)
		put_motions(w, s, c);
}

static void get_search(rbl_blob_reader *r, rbl_stress *s)
{
	int count = rbl_blob_get_count(r, 2 * WRENCH * 8);
	if (!rbl_blob_expect(r, count == s->body_count, "an estimate is of another compound"))
		return;
	get_wrenches(r, s->loads, count);
	get_wrenches(r, s->motions, count);
	if (!rbl_blob_get_struct(r, result_fields, s) || !s->is_iterating)
		return;
	get_wrenches(r, s->residuals, count);
	get_wrenches(r, s->directions, count);
	rbl_blob_get_struct(r, iteration_fields, s);
}

bool rbl_stress_restore(rbl_blob_reader *r, rbl_stress *s, rbl_compound *c)
{
	bool is_begun = rbl_blob_get_bool(r);
	if (!is_begun || r->is_bad)
		return !r->is_bad;
	if (rbl_stress_build(s, c) != RBL_OK) {
		r->out_of_memory = true;
		return false;
	}
	get_search(r, s);
	return !r->is_bad;
}
