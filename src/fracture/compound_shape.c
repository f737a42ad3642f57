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
#include "fracture/fracture.h"

enum { BATCH = 64 };

struct rbl_shape_points {
	const rbl_compound_field_def *def; // while they are gathered
	const rbl_distance_field *field;
	rbl_allocator allocator;
	RBL_ARRAY(rbl_vec3) positions;
	RBL_ARRAY(rbl_vec3) places; // in the original
	RBL_ARRAY(uint32_t) ids;
	rbl_map taken; // by id: the point
};

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
static rbl_result add_place(rbl_shape_points *s, rbl_vec3 place, rbl_vec3 position)
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
	s->places.data[s->places.count++] = place; // there is room
	s->positions.data[s->positions.count++] = position;
	s->ids.data[s->ids.count++] = id;
	return RBL_OK;
}

// Which of some places are inside of the compound. Most are on the surface of the original, whose
// own field says so in a fraction of the time.
static void find_inside(const rbl_shape_points *s, const rbl_vec3 *places,
                        const rbl_vec3 *positions, int count, bool *is_inside)
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
static rbl_result add_samples(rbl_shape_points *s, const rbl_point_samples *samples, bool is_rough)
{
	int most = s->taken.count + samples->count;
	bool has_room = rbl_map_reserve(&s->allocator, &s->taken, most) &&
	                rbl_array_reserve(&s->allocator, &s->places, most) &&
	                rbl_array_reserve(&s->allocator, &s->positions, most) &&
	                rbl_array_reserve(&s->allocator, &s->ids, most);
	rbl_result result = has_room ? RBL_OK : RBL_OUT_OF_MEMORY;
	bool has_inside = s->def->compound->part_count > 1 || is_rough; // else all are on the surface
	for (int first = 0; first < samples->count && result == RBL_OK; first += BATCH) {
		const rbl_vec3 *places = samples->positions + first;
		rbl_vec3 moved[BATCH];
		bool is_inside[BATCH];
		int count = rbl_mini(samples->count - first, BATCH);
		for (int i = 0; i < count; ++i)
			moved[i] = rbl_transform_point_inverse(s->def->transform, places[i]);
		if (has_inside)
			find_inside(s, places, moved, count, is_inside);
		for (int i = 0; i < count && result == RBL_OK; ++i)
			if (!has_inside || !is_inside[i])
				result = add_place(s, places[i], moved[i]);
	}
	return result;
}

static rbl_result add_part_points(rbl_shape_points *s, const rbl_part *part, float spacing)
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
		result = add_samples(s, &samples, part->is_rough);
	rbl_point_samples_destroy(&samples);
	rbl_destroy_mesh(made);
	return result;
}

void rbl_destroy_shape_points(rbl_shape_points *s)
{
	if (!s)
		return;
	rbl_allocator allocator = s->allocator;
	rbl_map_free(&allocator, &s->taken);
	rbl_array_free(&allocator, &s->places);
	rbl_array_free(&allocator, &s->positions);
	rbl_array_free(&allocator, &s->ids);
	RBL_FREE(&allocator, s, 1);
}

rbl_result rbl_gather_shape_points(const rbl_compound_field_def *def,
                                   const rbl_distance_field *field, float spacing,
                                   rbl_shape_points **points)
{
	const float part_of_diagonal = 1.0f / 80.0f;
	*points = NULL;
	rbl_result result = rbl_check_compound_field_def(def);
	if (result != RBL_OK)
		return result;
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	if (!(spacing >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "spacing is %g, must be >= 0", (double)spacing);
	if (spacing == 0.0f)
		spacing = part_of_diagonal * rbl_length(rbl_box_size(field->info.bounds));
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_shape_points *s = RBL_NEW_ZERO(&allocator, rbl_shape_points, 1);
	if (!s)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for the shape of a compound");
	s->def = def;
	s->field = field;
	s->allocator = allocator;
	for (int i = 0; i < def->compound->parts.count && result == RBL_OK; ++i)
		if (def->compound->parts.data[i].convex)
			result = add_part_points(s, &def->compound->parts.data[i], spacing);
	s->def = NULL;
	if (result == RBL_OK) {
		*points = s;
		return RBL_OK;
	}
	rbl_destroy_shape_points(s);
	return result == RBL_OUT_OF_MEMORY ? rbl_fail(result, "no memory for the shape of a compound")
	                                   : result;
}

rbl_result rbl_finish_compound_shape(const rbl_shape_points *points, rbl_field_shape **shape)
{
	rbl_field_shape_def def = rbl_default_field_shape_def();
	def.field = points->field;
	def.positions = points->positions.data, def.ids = points->ids.data;
	def.count = points->positions.count;
	def.allocator = points->allocator;
	return rbl_create_field_shape(&def, shape);
}

rbl_result rbl_create_compound_shape(const rbl_compound_field_def *def,
                                     const rbl_distance_field *field, float spacing,
                                     rbl_field_shape **shape)
{
	if (!shape)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape is NULL");
	*shape = NULL;
	rbl_shape_points *points;
	rbl_result result = rbl_gather_shape_points(def, field, spacing, &points);
	if (result != RBL_OK)
		return result;
	result = rbl_finish_compound_shape(points, shape);
	rbl_destroy_shape_points(points);
	return result;
}
