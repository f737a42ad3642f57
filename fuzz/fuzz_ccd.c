// SPDX-License-Identifier: MIT
// Continuous tests on small integers: the first byte chooses the kind and a scale, each further byte
// is a coordinate; a bit of the first puts corners of both features at one place. Exact arithmetic is the reference: no contact is missed or told late, no proven hit is
// wrong, and batches answer as single tests do.

#include "ccd/ccd.h"

#include "base/axis.h"
#include "ccd/reference.h"

#include <rubble/ccd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool condition)
{
	if (!condition)
		abort();
}

static void test_batch(int type, const rbl_vec3d p[2][4], const rbl_impact *impact)
{
	rbl_vec3 points[2][5] = { { { 0.0f, 0.0f, 0.0f } } };
	for (int i = 0; i < 8; ++i) {
		const rbl_vec3d *q = &p[i / 4][i % 4];
		points[i / 4][i % 4] = (rbl_vec3){ (float)q->x, (float)q->y, (float)q->z };
	}
	const rbl_ccd_motion motion = { points[0], points[1], 1.0f };
	const rbl_ccd_quad quad = { { 0, 1, 2, 3 }, 0, 0 };
	rbl_ccd_kind kind = type ? RBL_CCD_EDGE_EDGE : RBL_CCD_VERTEX_FACE;
	int kept[8], count = rbl_ccd_filter(kind, &motion, &quad, 1, 0.0f, kept);
	rbl_impact again;
	bool is_hit = rbl_ccd_test_quad(kind, &motion, &quad, 0.0f, &again);
	demand(is_hit == impact->is_hit && (count == 1 || !is_hit));
	demand(!is_hit || (memcmp(&again.time, &impact->time, sizeof again.time) == 0 &&
	                   memcmp(again.weights, impact->weights, sizeof again.weights) == 0 &&
	                   memcmp(&again.normal, &impact->normal, sizeof again.normal) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 25)
		return 0;
	int type = data[0] & 1;
	double scale = data[0] & 2 ? 0x1p-40 : 1.0, shift = data[0] & 4 ? 0x1p10 : 0.0;
	rbl_vec3d p[2][4];
	for (int i = 0; i < 24; ++i)
		rbl_set_axis_d(&p[i / 12][i / 3 % 4], i % 3, scale * ((double)(int8_t)data[1 + i] + shift));
	if (data[0] & 8) // corners at one place, as along fresh cracks
		p[0][type & data[0] >> 4] = p[0][type ? 2 + (data[0] >> 5 & 1) : 1 + (data[0] >> 5) % 3];
	rbl_impact impact;
	rbl_result result = type ? rbl_test_edge_edge(p[0], p[1], 0.0, &impact)
	                         : rbl_test_vertex_face(p[0], p[1], 0.0, &impact);
	demand(result == RBL_OK);
	demand(!(data[0] & 8) ||
	       (impact.is_contact_at_start && impact.is_certified && impact.time == 0.0));
	comparison truth = reference_ccd(type, p[0], p[1], impact.time, 1e-6);
	if (!truth.is_known)
		return 0;
	demand(!truth.is_hit || (impact.is_hit && !truth.is_late));
	demand(truth.is_hit || !impact.is_hit || !impact.is_certified);
	test_batch(type, p, &impact);
	// Nearer than the thickness is found as well, and not later.
	rbl_impact near;
	result = type ? rbl_test_edge_edge(p[0], p[1], scale, &near)
	              : rbl_test_vertex_face(p[0], p[1], scale, &near);
	demand(result == RBL_OK &&
	       (!truth.is_hit || (near.is_hit && near.time <= impact.time + 1e-12)));
	return 0;
}
