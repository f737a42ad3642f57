// SPDX-License-Identifier: MIT
//
// Points of a compound for contacts by fields.
//
// Every part has the points of its mesh: vertices, and samples along sharp edges. Neighbours share
// some, which count once, and what lies inside of the compound's field touches nothing. Ids are
// hashes of places in the original mesh: a part that a break leaves alone keeps them all.

#include "fracture/compound_field.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"

enum { BATCH = 64 };

typedef struct shape_points {
	const rbl_compound_field_def *def;
	const rbl_distance_field *field;
	rbl_allocator allocator;
	RBL_ARRAY(rbl_vec3) positions;
	RBL_ARRAY(rbl_vec3) places; // in the original
	RBL_ARRAY(uint32_t) ids;
	rbl_map taken; // by id: the point
} shape_points;

static uint64_t place_key(rbl_vec3 p)
{
	uint32_t bits[3];
	const float numbers[3] = { p.x + 0.0f, p.y + 0.0f, p.z + 0.0f }; // no negative zero
	memcpy(bits, numbers, sizeof bits);
	uint64_t hash = rbl_hash_number(RBL_HASH_START, (uint64_t)bits[0] << 32 | bits[1]);
	return rbl_hash_number(hash, bits[2]);
}

static bool is_same_place(rbl_vec3 a, rbl_vec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result add_place(shape_points *s, rbl_vec3 place, rbl_vec3 position)
{
	uint32_t id = (uint32_t)place_key(place) & (RBL_FIELD_POINT_ID_END - 1);
	for (int n = s->places.count;; id = (id + 1) & (RBL_FIELD_POINT_ID_END - 1)) {
		const uint32_t *point = rbl_map_add(&s->allocator, &s->taken, id, (uint32_t)n);
		if (!point)
			return RBL_OUT_OF_MEMORY;
		if (*point == (uint32_t)n)
			break;
		if (is_same_place(s->places.data[*point], place))
			return RBL_OK;
	}
	bool is_good = rbl_array_push(&s->allocator, &s->places, place) &&
	               rbl_array_push(&s->allocator, &s->positions, position) &&
	               rbl_array_push(&s->allocator, &s->ids, id);
	return is_good ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// Which of some places are inside of the compound. Most are on the surface of the original, whose
// own field says so in a fraction of the time.
static void find_inside(const shape_points *s, const rbl_vec3 *places, const rbl_vec3 *positions,
                        int count, bool *is_inside)
{
	rbl_vec3 deep[BATCH];
	float distances[BATCH], bounds[BATCH];
	int indices[BATCH], n = 0;
	rbl_distance_field_evaluate(s->def->original, places, count, distances, bounds, NULL);
	for (int i = 0; i < count; ++i) {
		is_inside[i] = false;
		if (distances[i] + bounds[i] < 0.0f)
			indices[n] = i, deep[n++] = positions[i];
	}
	rbl_distance_field_evaluate(s->field, deep, n, distances, bounds, NULL);
	for (int i = 0; i < n; ++i)
		is_inside[indices[i]] = distances[i] + bounds[i] < 0.0f;
}

// Those of a part's points that are not inside of the compound.
static rbl_result add_samples(shape_points *s, const rbl_point_samples *samples)
{
	int most = s->taken.count + samples->count;
	rbl_result result =
		rbl_map_reserve(&s->allocator, &s->taken, most) ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int first = 0; first < samples->count && result == RBL_OK; first += BATCH) {
		const rbl_vec3 *places = samples->positions + first;
		rbl_vec3 moved[BATCH];
		bool is_inside[BATCH];
		int count = rbl_mini(samples->count - first, BATCH);
		for (int i = 0; i < count; ++i)
			moved[i] = rbl_transform_point_inverse(s->def->transform, places[i]);
		find_inside(s, places, moved, count, is_inside);
		for (int i = 0; i < count && result == RBL_OK; ++i)
			if (!is_inside[i])
				result = add_place(s, places[i], moved[i]);
	}
	return result;
}

static rbl_result add_part_points(shape_points *s, const rbl_part *part, float spacing)
{
	rbl_mesh *made = NULL;
	rbl_result result =
		part->mesh ? RBL_OK : rbl_convex_create_mesh(part->convex, &s->allocator, &made);
	if (result != RBL_OK)
		return result;
	rbl_mesh_data data = rbl_mesh_get_data(part->mesh ? part->mesh : made);
	rbl_point_samples samples = { 0 };
	rbl_point_samples_def def = { .mesh = &data,
		                          .crease_angle = rbl_default_field_shape_def().crease_angle,
		                          .spacing = spacing };
	result = rbl_sample_points(&def, &s->allocator, &samples);
	if (result == RBL_OK)
		result = add_samples(s, &samples);
	rbl_point_samples_destroy(&samples);
	rbl_destroy_mesh(made);
	return result;
}

rbl_result rbl_create_compound_shape(const rbl_compound_field_def *def,
                                     const rbl_distance_field *field, float spacing,
                                     rbl_field_shape **shape)
{
	const float part_of_diagonal = 1.0f / 80.0f;
	if (!shape)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape is NULL");
	*shape = NULL;
	rbl_result result = rbl_check_compound_field_def(def);
	if (result != RBL_OK)
		return result;
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	if (!(spacing >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "spacing is %g, must be >= 0", (double)spacing);
	if (spacing == 0.0f)
		spacing = part_of_diagonal * rbl_length(rbl_box_size(field->info.bounds));
	shape_points s = { .def = def,
		               .field = field,
		               .allocator = rbl_allocator_or_default(&def->allocator) };
	for (int i = 0; i < def->compound->parts.count && result == RBL_OK; ++i)
		if (def->compound->parts.data[i].convex)
			result = add_part_points(&s, &def->compound->parts.data[i], spacing);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.field = field;
	shape_def.positions = s.positions.data, shape_def.ids = s.ids.data;
	shape_def.count = s.positions.count;
	shape_def.allocator = def->allocator;
	if (result == RBL_OK)
		result = rbl_create_field_shape(&shape_def, shape);
	else if (result == RBL_OUT_OF_MEMORY)
		rbl_fail(result, "no memory for the shape of a compound");
	rbl_map_free(&s.allocator, &s.taken);
	rbl_array_free(&s.allocator, &s.places);
	rbl_array_free(&s.allocator, &s.positions);
	rbl_array_free(&s.allocator, &s.ids);
	return result;
}
