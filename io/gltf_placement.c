// SPDX-License-Identifier: MIT
//
// Where glTF nodes and their instances are.

#include "io/gltf.h"

#include <math.h>

bool rbl_gltf_place(const double *t, const double *q, const double *s, rbl_gltf_placement *made)
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	if (!(length > 0.0) || length - length != 0.0)
		return false;
	double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
	const double columns[9] = {
		1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),       2.0 * (x * z - w * y),
		2.0 * (x * y - w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
		2.0 * (x * z + w * y),       2.0 * (y * z - w * x),       1.0 - 2.0 * (x * x + y * y),
	};
	for (int i = 0; i < 9; ++i)
		made->m[i] = columns[i] * s[i / 3];
	memcpy(made->m + 9, t, 3 * sizeof *t);
	return true;
}

// Whether numbers are finite as floats, which all that is made of them is in the end.
static bool are_floats(const double *values, int count)
{
	for (int i = 0; i < count; ++i) {
		float value = (float)values[i];
		if (!(value - value == 0.0f))
			return false;
	}
	return true;
}

bool rbl_gltf_read_placement(const rbl_json *node, rbl_gltf_placement *made)
{
	double m[16], t[3] = { 0.0, 0.0, 0.0 }, q[4] = { 0.0, 0.0, 0.0, 1.0 }, s[3] = { 1.0, 1.0, 1.0 };
	const rbl_json *matrix = rbl_json_member(node, "matrix");
	const rbl_json *translation = rbl_json_member(node, "translation");
	const rbl_json *rotation = rbl_json_member(node, "rotation");
	const rbl_json *scale = rbl_json_member(node, "scale");
	if (matrix) {
		if (!rbl_gltf_numbers(matrix, m, 16))
			return false;
		for (int c = 0; c < 4; ++c)
			memcpy(made->m + 3 * c, m + 4 * c, 3 * sizeof(double));
		return are_floats(m, 16);
	}
	if ((translation && !rbl_gltf_numbers(translation, t, 3)) ||
	    (rotation && !rbl_gltf_numbers(rotation, q, 4)) ||
	    (scale && !rbl_gltf_numbers(scale, s, 3)))
		return false;
	return are_floats(t, 3) && are_floats(s, 3) && rbl_gltf_place(t, q, s, made);
}

// An accessor of instances, all of which have as many items.
static rbl_result open_instance_attribute(rbl_gltf *gltf, int64_t index, const rbl_json *attributes,
                                          const char *name, int components,
                                          rbl_gltf_instances *instances, bool *is_there,
                                          rbl_gltf_accessor *accessor)
{
	*is_there = rbl_json_member(attributes, name) != NULL;
	if (!*is_there)
		return RBL_OK;
	rbl_result result = rbl_gltf_open_accessor(gltf, rbl_gltf_int(attributes, name, -1), accessor);
	if (result != RBL_OK)
		return result;
	if (accessor->components != components ||
	    (instances->count > 0 && instances->count != accessor->count))
		return rbl_gltf_fail(gltf, "nodes", index, "its instances do not fit each other");
	instances->count = accessor->count;
	return RBL_OK;
}

rbl_result rbl_gltf_open_instances(rbl_gltf *gltf, int64_t index, const rbl_json *node,
                                   rbl_gltf_instances *instances)
{
	enum { NODE_COST = 64 };
	*instances = (rbl_gltf_instances){ .count = 0 };
	const rbl_json *extension =
		rbl_json_member(rbl_json_member(node, "extensions"), "EXT_mesh_gpu_instancing");
	const rbl_json *attributes = rbl_json_member(extension, "attributes");
	for (int i = 0; i < rbl_json_count(attributes); ++i) {
		const char *name = rbl_json_key(attributes, i);
		if (name && strcmp(name, "TRANSLATION") != 0 && strcmp(name, "ROTATION") != 0 &&
		    strcmp(name, "SCALE") != 0)
			rbl_gltf_note_lost(gltf, "attributes of instances");
	}
	rbl_result result =
		open_instance_attribute(gltf, index, attributes, "TRANSLATION", 3, instances,
	                            &instances->has_translations, &instances->translations);
	if (result == RBL_OK)
		result = open_instance_attribute(gltf, index, attributes, "ROTATION", 4, instances,
		                                 &instances->has_rotations, &instances->rotations);
	if (result == RBL_OK)
		result = open_instance_attribute(gltf, index, attributes, "SCALE", 3, instances,
		                                 &instances->has_scales, &instances->scales);
	return result == RBL_OK ? rbl_gltf_spend(gltf, (int64_t)instances->count * NODE_COST) : result;
}

void rbl_gltf_fetch_instance(const rbl_gltf_instances *instances, int index, double *t, double *q,
                             double *s)
{
	t[0] = t[1] = t[2] = q[0] = q[1] = q[2] = 0.0;
	q[3] = s[0] = s[1] = s[2] = 1.0;
	if (instances->has_translations)
		rbl_gltf_fetch(&instances->translations, index, t);
	if (instances->has_rotations)
		rbl_gltf_fetch(&instances->rotations, index, q);
	if (instances->has_scales)
		rbl_gltf_fetch(&instances->scales, index, s);
}
