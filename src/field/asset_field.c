// SPDX-License-Identifier: MIT
//
// The field of a mesh: what may have one, how its grid is laid, and its bytes.

#include "field/asset_field.h"

#include "base/axis.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/log.h"
#include "field/field_kernels.h"
#include "geometry/geometry.h"

enum { ASSET_COOKIE = 0x66656c64 };

static const rbl_blob_kind blob_kind = { { 'R', 'B', 'L', 'D' }, 1, "distance field" };

// --- the field as a thing -----------------------------------------------------------------------

static void evaluate_asset(const rbl_distance_field *field, const rbl_vec3 *points, int count,
                           float *distances, float *bounds, rbl_vec3 *gradients)
{
	RBL_PICK(rbl_asset_field_evaluate)
	((const rbl_asset_field *)field, points, count, distances, bounds, gradients);
}

static void destroy_asset(rbl_distance_field *field)
{
	rbl_asset_field *f = (rbl_asset_field *)field;
	rbl_allocator allocator = field->allocator;
	RBL_FREE(&allocator, f->directory, rbl_asset_field_slots(f));
	RBL_FREE(&allocator, f->samples, (size_t)f->brick_count * RBL_BRICK_SAMPLES);
	RBL_FREE(&allocator, f->bounds, (size_t)f->brick_count * RBL_BRICK_BLOCKS);
	RBL_FREE(&allocator, f, 1);
}

static const rbl_distance_field_kind asset_kind = { evaluate_asset, destroy_asset };

rbl_asset_field *rbl_asset_field_new(const rbl_allocator *allocator)
{
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_asset_field *field = RBL_NEW_ZERO(&own, rbl_asset_field, 1);
	if (field)
		field->head = (rbl_distance_field){ .kind = &asset_kind, .allocator = own };
	return field;
}

bool rbl_asset_field_reserve(rbl_asset_field *field, int brick_count)
{
	const rbl_allocator *a = &field->head.allocator;
	field->brick_count = brick_count;
	field->samples = RBL_NEW(a, int16_t, (size_t)brick_count * RBL_BRICK_SAMPLES);
	field->bounds = RBL_NEW(a, uint8_t, (size_t)brick_count * RBL_BRICK_BLOCKS);
	field->head.info.bytes =
		sizeof *field + (size_t)rbl_asset_field_slots(field) * sizeof *field->directory +
		(size_t)brick_count *
			(RBL_BRICK_SAMPLES * sizeof *field->samples + RBL_BRICK_BLOCKS * sizeof *field->bounds);
	return field->samples && field->bounds;
}

const rbl_asset_field *rbl_as_asset_field(const rbl_distance_field *field)
{
	return field && field->kind == &asset_kind ? (const rbl_asset_field *)field : NULL;
}

bool rbl_is_mesh_field(const rbl_distance_field *field)
{
	return rbl_as_asset_field(field) != NULL;
}

// --- from a mesh --------------------------------------------------------------------------------

rbl_distance_field_def rbl_default_distance_field_def(void)
{
	return (rbl_distance_field_def){ .resolution = 128, .cookie = ASSET_COOKIE };
}

static rbl_result check_asset_def(const rbl_distance_field_def *def)
{
	if (!def || def->cookie != ASSET_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_distance_field_def()");
	if (!def->mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	if (def->resolution < 8 || def->resolution > RBL_MAX_FIELD_RESOLUTION)
		return rbl_fail(RBL_BAD_ARGUMENT, "resolution is %d, must be 8 to %d", def->resolution,
		                RBL_MAX_FIELD_RESOLUTION);
	if (!(def->wall >= 0.0 && isfinite(def->wall)))
		return rbl_fail(RBL_BAD_ARGUMENT, "wall is %g, must be 0 or more", def->wall);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	return RBL_OK;
}

static uint64_t hash_point(rbl_vec3d p)
{
	double at[3] = { p.x + 0.0, p.y + 0.0, p.z + 0.0 }; // -0 becomes +0
	return rbl_hash_bytes(RBL_HASH_START, at, sizeof at);
}

// A mesh is closed when every edge, identified by position, is traversed as often in one direction
// as in the other. Each traversal adds a 64-bit hash of the edge, or subtracts it in the other
// direction, so the sum is zero for a closed mesh. A collision would have to be made on purpose,
// and only flips signs.
static bool is_closed(const rbl_mesh_data *data)
{
	uint64_t sum = 0;
	for (int f = 0; f < data->face_count; ++f) {
		int begin = data->face_starts[f], end = data->face_starts[f + 1];
		uint64_t from = hash_point(data->positions[data->corner_vertices[end - 1]]);
		for (int c = begin; c < end; ++c) {
			uint64_t to = hash_point(data->positions[data->corner_vertices[c]]);
			if (from < to)
				sum += rbl_hash_number(from, to);
			else if (from > to)
				sum -= rbl_hash_number(to, from);
			from = to;
		}
	}
	return sum == 0;
}

static rbl_result check_mesh(const rbl_mesh *mesh, const rbl_mesh_data *data)
{
	if (data->face_count == 0)
		return rbl_fail(RBL_BAD_MESH, "the mesh has no faces");
	rbl_boxd box = rbl_mesh_bounds(mesh);
	double diagonal = rbl_length_d(rbl_box_size_d(box));
	rbl_vec3d size = rbl_max_d(rbl_neg_d(box.lower), box.upper);
	double most = rbl_maxd(size.x, rbl_maxd(size.y, size.z));
	if (!(diagonal >= 1e-12 && diagonal <= 1e12))
		return rbl_fail(RBL_BAD_MESH, "the mesh is %g m large, must be 1e-12 to 1e12", diagonal);
	if (most > 4096.0 * diagonal)
		return rbl_fail(RBL_BAD_MESH,
		                "the mesh lies %g m from the origin and is %g m large: single "
		                "precision does not reach",
		                most, diagonal);
	if (!is_closed(data))
		return rbl_fail(RBL_BAD_MESH,
		                "the mesh is open, or its faces disagree which side is outside");
	double volume = rbl_mesh_get_mass(mesh).volume;
	if (volume < -1e-12 * diagonal * diagonal * diagonal)
		return rbl_fail(RBL_BAD_MESH, "the mesh is inside out");
	if (!(volume > 1e-12 * diagonal * diagonal * diagonal))
		return rbl_fail(RBL_BAD_MESH, "the mesh is flat: it encloses nothing");
	return RBL_OK;
}

// Cells beyond the mesh that a grid has at least, on both sides together.
static const double around_mesh = 2.5;

// Slots that hold the mesh with a cell to spare on each side, which is in their middle at first.
static void lay_grid(rbl_asset_field *field, const rbl_distance_field_def *def)
{
	rbl_boxd box = rbl_mesh_bounds(def->mesh);
	rbl_vec3d size = rbl_box_size_d(box);
	double diagonal = rbl_length_d(size), cell = diagonal / def->resolution;
	if (def->wall > 0.0)
		cell = rbl_mind(cell, rbl_maxd(0.5 * def->wall, diagonal / RBL_MAX_FIELD_RESOLUTION));
	field->cell = (float)cell;
	field->inverse_cell = 1.0f / field->cell;
	rbl_vec3d origin;
	for (int k = 0; k < 3; ++k) {
		double cells = rbl_axis_d(size, k) / (double)field->cell + around_mesh;
		field->size[k] = (int)ceil(cells / RBL_BRICK_CELLS);
		rbl_set_axis_d(&origin, k,
		               0.5 * (rbl_axis_d(box.lower, k) + rbl_axis_d(box.upper, k)) -
		                   0.5 * RBL_BRICK_CELLS * field->size[k] * (double)field->cell);
	}
	field->origin = rbl_to_f(origin);
	field->head.info.cell_size = field->cell;
	field->head.info.bounds =
		(rbl_box){ { rbl_float_below(box.lower.x), rbl_float_below(box.lower.y),
		             rbl_float_below(box.lower.z) },
		           { rbl_float_above(box.upper.x), rbl_float_above(box.upper.y),
		             rbl_float_above(box.upper.z) } };
	// A coordinate is off by half a unit in the last place of the largest, a sum of a few by some.
	rbl_vec3d reach = rbl_max_d(rbl_neg_d(box.lower), box.upper);
	field->scale = (float)(rbl_maxd(reach.x, rbl_maxd(reach.y, reach.z)) + diagonal);
	field->rounding = 8.0f * FLT_EPSILON;
}

// Corners of all triangles, in cells from the grid's origin.
static void take_corners(const rbl_asset_field *field, const rbl_mesh_data *data,
                         const int *triangles, int triangle_count, rbl_vec3d *corners)
{
	rbl_vec3d origin = rbl_to_d(field->origin);
	double inverse = 1.0 / (double)field->cell;
	for (int i = 0; i < 3 * triangle_count; ++i) {
		rbl_vec3d p = data->positions[data->corner_vertices[triangles[i]]];
		corners[i] = rbl_scale_d(inverse, rbl_sub_d(p, origin));
	}
}

// How many slots boxes of triangles come near to, when the grid is moved by so many cells. Of many
// triangles some tell as much.
static int count_near_slots(const rbl_asset_field *field, const rbl_vec3d *corners,
                            int triangle_count, rbl_vec3d moved, bool *is_near)
{
	enum { ENOUGH = 1 << 14 };
	const int *size = field->size;
	int count = 0, stride = 1 + triangle_count / ENOUGH;
	memset(is_near, 0, (size_t)rbl_asset_field_slots(field) * sizeof *is_near);
	for (int i = 0; i < triangle_count; i += stride) {
		const rbl_vec3d *t = corners + 3 * (size_t)i;
		rbl_vec3d low = rbl_sub_d(rbl_min_d(t[0], rbl_min_d(t[1], t[2])), moved);
		rbl_vec3d high = rbl_sub_d(rbl_max_d(t[0], rbl_max_d(t[1], t[2])), moved);
		int first[3], last[3];
		for (int k = 0; k < 3; ++k) {
			first[k] = (int)((rbl_axis_d(low, k) - 1.0) / RBL_BRICK_CELLS);
			last[k] = (int)((rbl_axis_d(high, k) + 1.0) / RBL_BRICK_CELLS);
			first[k] = rbl_mini(rbl_maxi(first[k], 0), size[k] - 1);
			last[k] = rbl_mini(rbl_maxi(last[k], 0), size[k] - 1);
		}
		for (int z = first[2]; z <= last[2]; ++z)
			for (int y = first[1]; y <= last[1]; ++y)
				for (int x = first[0]; x <= last[0]; ++x) {
					bool *at = &is_near[(z * size[1] + y) * size[0] + x];
					count += !*at;
					*at = true;
				}
	}
	return count;
}

// The grid is larger than the mesh, by up to a slot. Move it along each axis to where the fewest
// slots are near the surface: that is up to a tenth of the bricks.
static rbl_result settle_grid(rbl_asset_field *field, const rbl_distance_field_def *def,
                              const rbl_vec3d *corners, int triangle_count)
{
	int slots = rbl_asset_field_slots(field);
	bool *is_near = RBL_NEW(&field->head.allocator, bool, slots);
	if (!is_near)
		return RBL_OUT_OF_MEMORY;
	rbl_vec3d moved = { 0.0, 0.0, 0.0 }, size = rbl_box_size_d(rbl_mesh_bounds(def->mesh));
	int fewest = count_near_slots(field, corners, triangle_count, moved, is_near);
	for (int k = 0; k < 3; ++k) {
		double cells = rbl_axis_d(size, k) / (double)field->cell + around_mesh;
		double spare = 0.5 * (RBL_BRICK_CELLS * field->size[k] - cells);
		for (int side = -1; side <= 1; side += 2) {
			rbl_vec3d there = moved;
			rbl_set_axis_d(&there, k, side * spare);
			int count = count_near_slots(field, corners, triangle_count, there, is_near);
			if (count < fewest)
				fewest = count, moved = there;
		}
	}
	RBL_FREE(&field->head.allocator, is_near, slots);
	field->origin = rbl_to_f(rbl_add_scaled_d(rbl_to_d(field->origin), (double)field->cell, moved));
	return RBL_OK;
}

rbl_result rbl_create_distance_field(const rbl_distance_field_def *def, rbl_distance_field **field)
{
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	*field = NULL;
	rbl_result result = check_asset_def(def);
	if (result != RBL_OK)
		return result;
	rbl_mesh_data data = rbl_mesh_get_data(def->mesh);
	result = check_mesh(def->mesh, &data);
	if (result != RBL_OK)
		return result;
	rbl_asset_field *made = rbl_asset_field_new(&def->allocator);
	if (!made)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a distance field");
	const rbl_allocator *allocator = &made->head.allocator;
	lay_grid(made, def);
	int count = rbl_mesh_triangle_count(def->mesh);
	rbl_vec3d *corners = RBL_NEW(allocator, rbl_vec3d, 3 * (size_t)count);
	int *triangles = RBL_NEW(allocator, int, 3 * (size_t)count);
	result = corners && triangles ? rbl_faces_triangulate(allocator, &data, triangles, NULL)
	                              : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		take_corners(made, &data, triangles, count, corners);
		result = settle_grid(made, def, corners, count);
	}
	if (result == RBL_OK) {
		take_corners(made, &data, triangles, count, corners);
		result = rbl_asset_field_build(made, corners, count, def->jobs);
	}
	RBL_FREE(allocator, corners, 3 * (size_t)count);
	RBL_FREE(allocator, triangles, 3 * (size_t)count);
	if (result != RBL_OK) {
		destroy_asset(&made->head);
		return result == RBL_OUT_OF_MEMORY
		           ? rbl_fail(result, "no memory for a distance field of %d triangles", count)
		           : result;
	}
	*field = &made->head;
	return RBL_OK;
}

// --- as bytes -----------------------------------------------------------------------------------

static const rbl_field head_fields[] = {
	RBL_FIELD_FLOATS(rbl_asset_field, head.info.bounds),
	RBL_FIELD_RANGE(rbl_asset_field, head.info.surface_error, 0.0, FLT_MAX),
	RBL_FIELD_RANGE(rbl_asset_field, head.info.largest_error, 0.0, FLT_MAX),
	RBL_FIELD_INT(rbl_asset_field, head.info.brick_counts, 0, INT32_MAX),
	RBL_FIELD_FLOATS(rbl_asset_field, origin),
	RBL_FIELD_RANGE(rbl_asset_field, cell, 1e-15, 1e12),
	RBL_FIELD_INT(rbl_asset_field, size, 1, RBL_MAX_FIELD_RESOLUTION / RBL_BRICK_CELLS + 2),
	RBL_FIELD_INT(rbl_asset_field, brick_count, 1, INT32_MAX / RBL_BRICK_SAMPLES),
	RBL_FIELD_RANGE(rbl_asset_field, sample_steps, 0.0, FLT_MAX),
	RBL_FIELD_RANGE(rbl_asset_field, bound_step, 0.0, FLT_MAX),
	RBL_FIELD_RANGE(rbl_asset_field, rounding, 0.0, 1.0),
	RBL_FIELD_RANGE(rbl_asset_field, scale, 0.0, FLT_MAX),
};

void rbl_distance_field_put(rbl_blob_writer *w, const rbl_distance_field *field)
{
	const rbl_asset_field *f = rbl_as_asset_field(field);
	RBL_ASSERT(f);
	rbl_blob_put_struct(w, head_fields, f);
	rbl_blob_put_words(w, f->directory, (size_t)rbl_asset_field_slots(f));
	rbl_blob_put_halves(w, (const uint16_t *)f->samples,
	                    (size_t)f->brick_count * RBL_BRICK_SAMPLES);
	rbl_blob_put_bytes(w, f->bounds, (size_t)f->brick_count * RBL_BRICK_BLOCKS);
}

// Room for what the block says there is, as far as it has the bytes for it.
static bool reserve_arrays(rbl_blob_reader *r, rbl_asset_field *f)
{
	size_t slots = (size_t)rbl_asset_field_slots(f), bricks = (size_t)f->brick_count;
	size_t brick = RBL_BRICK_SAMPLES * sizeof *f->samples + RBL_BRICK_BLOCKS;
	int brick_count = f->brick_count;
	f->brick_count = 0; // until there are some
	if (!rbl_blob_expect(r, slots * sizeof *f->directory + bricks * brick <= r->size - r->at,
	                     "a distance field is cut short"))
		return false;
	f->directory = RBL_NEW(&f->head.allocator, uint32_t, slots);
	if (!f->directory || !rbl_asset_field_reserve(f, brick_count)) {
		r->out_of_memory = r->is_bad = true;
		return false;
	}
	return true;
}

bool rbl_distance_field_get(rbl_blob_reader *r, const rbl_allocator *allocator,
                            rbl_distance_field **field)
{
	*field = NULL;
	rbl_asset_field *f = rbl_asset_field_new(allocator);
	if (!f) {
		r->out_of_memory = r->is_bad = true;
		return false;
	}
	if (!rbl_blob_get_struct(r, head_fields, f)) {
		memset(f->size, 0, sizeof f->size); // they may be anything, and nothing has that size
		f->brick_count = 0;
	} else if (reserve_arrays(r, f)) {
		size_t slots = (size_t)rbl_asset_field_slots(f), bricks = (size_t)f->brick_count;
		rbl_blob_get_words(r, f->directory, slots);
		rbl_blob_get_halves(r, (uint16_t *)f->samples, bricks * RBL_BRICK_SAMPLES);
		rbl_blob_get_bytes(r, f->bounds, bricks * RBL_BRICK_BLOCKS);
		bool is_right = true;
		for (size_t i = 0; i < slots; ++i) {
			uint32_t level = f->directory[i] & ((1u << RBL_ENTRY_LEVEL_BITS) - 1);
			is_right &= level < RBL_FIELD_LEVELS &&
			            f->directory[i] >> RBL_ENTRY_LEVEL_BITS < (uint32_t)f->brick_count;
		}
		f->inverse_cell = 1.0f / f->cell;
		f->head.info.cell_size = f->cell;
		rbl_blob_expect(r, is_right, "a distance field names bricks that are not there");
	}
	if (r->is_bad) {
		destroy_asset(&f->head);
		return false;
	}
	*field = &f->head;
	return true;
}

rbl_result rbl_distance_field_save(const rbl_distance_field *field, void *bytes, size_t *size)
{
	if (!field || !size)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", field ? "size" : "field");
	if (!rbl_as_asset_field(field))
		return rbl_fail(RBL_UNSUPPORTED, "only the field of a mesh can be saved");
	rbl_blob_writer w = { .at = RBL_BLOB_HEADER };
	rbl_distance_field_put(&w, field);
	bool wants;
	rbl_result result = rbl_blob_check_capacity(&w, bytes, size, &wants);
	if (!wants)
		return result;
	w.at = RBL_BLOB_HEADER;
	rbl_distance_field_put(&w, field);
	rbl_blob_seal(&w, &blob_kind);
	return RBL_OK;
}

rbl_result rbl_distance_field_load(const void *bytes, size_t size, const rbl_allocator *allocator,
                                   rbl_distance_field **field)
{
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	*field = NULL;
	if (!bytes || (allocator && !rbl_allocator_is_valid(allocator)))
		return rbl_fail(RBL_BAD_ARGUMENT, "bytes is NULL, or allocator has one function of two");
	rbl_blob_reader r;
	rbl_result result = rbl_blob_open(&r, &blob_kind, bytes, size, allocator);
	if (result != RBL_OK)
		return result;
	if (rbl_distance_field_get(&r, allocator, field) &&
	    !rbl_blob_expect(&r, r.at == r.size, "bytes are left over")) {
		rbl_destroy_distance_field(*field);
		*field = NULL;
	}
	result = rbl_blob_result(&r);
	rbl_blob_close(&r);
	return result == RBL_BAD_FILE ? rbl_fail(result, "the distance field is damaged: %s", r.wrong)
	                              : result;
}
