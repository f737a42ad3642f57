// SPDX-License-Identifier: MIT
//
// The questions that every distance field answers.

#include "field/field.h"

#include "base/log.h"

#include <math.h>
#include <string.h>

// Points at a time: what they take fits on the stack.
enum { BATCH = 128 };

void rbl_distance_field_evaluate(const rbl_distance_field *field, const rbl_vec3 *points, int count,
                                 float *distances, float *bounds, rbl_vec3 *gradients)
{
	field->kind->evaluate(field, points, count, distances, bounds, gradients);
}

void rbl_destroy_distance_field(rbl_distance_field *field)
{
	if (field && rbl_drop_reference(&field->references))
		field->kind->destroy(field);
}

rbl_distance_field_info rbl_distance_field_get_info(const rbl_distance_field *field)
{
	return field ? field->info : (rbl_distance_field_info){ 0 };
}

static rbl_result check_question(const rbl_distance_field *field, const void *points, int count,
                                 const void *answers)
{
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	if (count < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "count is %d, must be 0 or more", count);
	if (count > 0 && (!points || !answers))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", points ? "the result" : "points");
	return RBL_OK;
}

static int batch_size(int left)
{
	return left < BATCH ? left : BATCH;
}

rbl_result rbl_distance_field_contains(const rbl_distance_field *field, const rbl_vec3 *points,
                                       int count, bool *inside)
{
	rbl_result result = check_question(field, points, count, inside);
	for (int i = 0; result == RBL_OK && i < count; i += BATCH) {
		float distances[BATCH], bounds[BATCH];
		int n = batch_size(count - i);
		rbl_distance_field_evaluate(field, points + i, n, distances, bounds, NULL);
		for (int k = 0; k < n; ++k)
			inside[i + k] = distances[k] < 0.0f;
	}
	return result;
}

rbl_result rbl_distance_field_penetration(const rbl_distance_field *field, const rbl_vec3 *points,
                                          int count, float *depths, rbl_vec3 *normals,
                                          float *bounds)
{
	rbl_result result = check_question(field, points, count, depths);
	for (int i = 0; result == RBL_OK && i < count; i += BATCH) {
		float distances[BATCH], errors[BATCH];
		int n = batch_size(count - i);
		rbl_distance_field_evaluate(field, points + i, n, distances, errors,
		                            normals ? normals + i : NULL);
		for (int k = 0; k < n; ++k)
			depths[i + k] = -distances[k];
		if (bounds)
			memcpy(bounds + i, errors, (size_t)n * sizeof *bounds);
	}
	return result;
}

rbl_result rbl_distance_field_overlaps_sphere(const rbl_distance_field *field,
                                              const rbl_vec3 *centres, const float *radii,
                                              int count, bool *overlaps)
{
	rbl_result result = check_question(field, centres, count, overlaps);
	if (result == RBL_OK && count > 0 && !radii)
		return rbl_fail(RBL_BAD_ARGUMENT, "radii is NULL");
	for (int i = 0; result == RBL_OK && i < count; i += BATCH) {
		float distances[BATCH], bounds[BATCH];
		int n = batch_size(count - i);
		rbl_distance_field_evaluate(field, centres + i, n, distances, bounds, NULL);
		for (int k = 0; k < n; ++k)
			overlaps[i + k] = radii[i + k] >= 0.0f && distances[k] - bounds[k] <= radii[i + k] &&
			                  distances[k] < INFINITY;
	}
	return result;
}
