// SPDX-License-Identifier: MIT
//
// A fragment of a crack field as a distance field, so that the questions of rubble/field.h and
// contacts need not know where cracks come from.

#include "field/crack_field.h"

#include "base/log.h"

typedef struct crack_fragment_field {
	rbl_distance_field head;
	const rbl_crack_field *cracks;
	int fragment;
	rbl_transform transform; // to the coordinates of `cracks`
} crack_fragment_field;

static void evaluate_crack_fragment(const rbl_distance_field *head, const rbl_vec3 *points,
                                    int count, float *distances, float *bounds, rbl_vec3 *gradients)
{
	const crack_fragment_field *field = (const crack_fragment_field *)head;
	bool has_fragment = rbl_crack_field_has_fragment(field->cracks, field->fragment);
	int tet = RBL_CRACK_NONE;
	for (int i = 0; i < count; ++i) {
		rbl_vec3 p = rbl_transform_point(field->transform, points[i]);
		rbl_crack_measure m = { INFINITY, 0.0f, { 0.0f, 0.0f, 0.0f } };
		if (has_fragment && rbl_is_finite(p)) {
			m = rbl_crack_measure_at(field->cracks, field->fragment, p, &tet);
			m.gradient = rbl_rotate_inverse(field->transform.rotation, m.gradient);
		}
		distances[i] = m.distance;
		bounds[i] = m.bound;
		if (gradients)
			gradients[i] = m.gradient;
	}
}

static void destroy_crack_fragment(rbl_distance_field *head)
{
	rbl_allocator allocator = head->allocator;
	RBL_FREE(&allocator, (crack_fragment_field *)head, 1);
}

static const rbl_distance_field_kind crack_fragment_kind = { evaluate_crack_fragment,
	                                                         destroy_crack_fragment };

static rbl_box box_in_fragment(rbl_box box, rbl_transform transform)
{
	rbl_box moved = rbl_box_empty();
	for (int i = 0; i < 8; ++i) {
		rbl_vec3 corner = { i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
			                i & 4 ? box.upper.z : box.lower.z };
		moved = rbl_box_add_point(moved, rbl_transform_point_inverse(transform, corner));
	}
	return moved;
}

rbl_result rbl_create_crack_fragment_field(const rbl_crack_field *cracks, int fragment,
                                           rbl_transform transform, const rbl_allocator *allocator,
                                           rbl_distance_field **field)
{
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	*field = NULL;
	if (!rbl_crack_field_has_fragment(cracks, fragment))
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no fragment %d", fragment);
	rbl_quat q = transform.rotation;
	float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	if (!rbl_is_finite(transform.position) || !(square > 0.998f && square < 1.002f))
		return rbl_fail(RBL_BAD_ARGUMENT, "transform is not finite, or its rotation is none");
	if (allocator && !rbl_allocator_is_valid(allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	rbl_allocator own = rbl_allocator_or_default(allocator);
	crack_fragment_field *made = RBL_NEW(&own, crack_fragment_field, 1);
	if (!made)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for the field of a fragment");
	transform.rotation = rbl_quat_normalize(q);
	*made = (crack_fragment_field){
		.head = { .kind = &crack_fragment_kind,
		          .allocator = own,
		          .info = { .bounds =
		                        box_in_fragment(cracks->fragments.data[fragment].box, transform),
		                    .cell_size = cracks->mean_edge,
		                    .surface_error = cracks->rounding,
		                    .largest_error = 2.0f * cracks->longest_edge,
		                    .bytes = sizeof *made } },
		.cracks = cracks,
		.fragment = fragment,
		.transform = transform,
	};
	*field = &made->head;
	return RBL_OK;
}
