// SPDX-License-Identifier: MIT
//
// Positions as their owner has them: with a stride, as doubles, by vertex id.
//
// A surface computes with floats. Of a double it keeps what the float lacks, which is exact: the
// sum of both is the double again. A body knows how far its doubles are from their floats at most;
// all filters and all culling keep that much more apart (rbl_surface_gap()), and the tests that
// have the last word take the sum. So nothing is missed, and nothing is listed for a rounding's
// sake. A surface without doubles has no such arrays.

#include "surface/surface.h"

#include "base/clock.h"
#include "base/log.h"

static size_t input_stride(const rbl_surface_positions *input)
{
	return input->stride      ? input->stride
	       : input->is_double ? 3 * sizeof(double)
	                          : 3 * sizeof(float);
}

// Copied byte by byte: strides need not be multiples of anything.
static rbl_vec3d read_input(const rbl_surface_positions *input, int i)
{
	const char *at = (const char *)input->data + (size_t)i * input_stride(input);
	if (input->is_double) {
		double p[3];
		memcpy(p, at, sizeof p);
		return (rbl_vec3d){ p[0], p[1], p[2] };
	}
	float p[3];
	memcpy(p, at, sizeof p);
	return (rbl_vec3d){ (double)p[0], (double)p[1], (double)p[2] };
}

rbl_vec3 rbl_surface_input_at(const rbl_surface_positions *input, int i)
{
	return rbl_to_f(read_input(input, i));
}

static rbl_result check_stride(const rbl_surface_positions *input)
{
	if (!input->data)
		return rbl_fail(RBL_BAD_ARGUMENT, "positions have no data");
	if (input->stride &&
	    input->stride < (input->is_double ? 3 * sizeof(double) : 3 * sizeof(float)))
		return rbl_fail(RBL_BAD_ARGUMENT, "a stride of %zu bytes is less than a position",
		                input->stride);
	return RBL_OK;
}

// Whether a position is finite as a float. Doubles that round to infinity are not.
static bool is_good(const rbl_surface_positions *input, int i)
{
	rbl_vec3d p = read_input(input, i);
	double most = (double)FLT_MAX;
	return fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
}

rbl_result rbl_surface_check_input(const rbl_surface_positions *input, int count)
{
	rbl_result result = check_stride(input);
	for (int i = 0; i < count && result == RBL_OK; ++i)
		if (!is_good(input, i))
			result = rbl_fail(RBL_BAD_ARGUMENT, "position %d is not finite, or beyond floats", i);
	return result;
}

// --- what floats lack ---------------------------------------------------------------------------

bool rbl_surface_reserve_residuals(rbl_surface *surface)
{
	for (int time = 0; time < 2; ++time) {
		int first = surface->residuals[time].count;
		if (first >= surface->vertex_capacity)
			continue;
		if (!rbl_array_resize(&surface->allocator, &surface->residuals[time],
		                      surface->vertex_capacity))
			return false;
		for (int i = first; i < surface->residuals[time].count; ++i)
			surface->residuals[time].data[i] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	}
	return true;
}

// The longest of two, and not too short.
static float longer(float rounding, rbl_vec3d residual)
{
	double length = rbl_length_d(residual) * (1.0 + 0x1p-20);
	return length > (double)rounding ? (float)length * (1.0f + 0x1p-20f) + 1e-40f : rounding;
}

// @param input  NULL: where the last motion ended
// @param place  of the vertex in it
static void write_vertex(rbl_surface *surface, rbl_surface_body *body, int vertex,
                         const rbl_surface_positions *start, const rbl_surface_positions *end,
                         int place)
{
	rbl_vec3d *residuals[2] = { surface->residuals[0].data, surface->residuals[1].data };
	float *roundings = body->settings.roundings;
	if (start)
		residuals[0][vertex] =
			rbl_sub_d(read_input(start, place), rbl_to_d(rbl_surface_input_at(start, place)));
	else
		residuals[0][vertex] = residuals[1][vertex];
	residuals[1][vertex] =
		rbl_sub_d(read_input(end, place), rbl_to_d(rbl_surface_input_at(end, place)));
	for (int time = 0; time < 2; ++time)
		roundings[time] = longer(roundings[time], residuals[time][vertex]);
}

// Roundings of a motion start from none; without a start they are those of the last end.
static void begin_residuals(rbl_surface_body *body, bool has_start)
{
	body->settings.roundings[0] = has_start ? 0.0f : body->settings.roundings[1];
	body->settings.roundings[1] = 0.0f;
}

void rbl_surface_write_residuals(rbl_surface *surface, rbl_surface_body *body,
                                 const rbl_surface_positions *start,
                                 const rbl_surface_positions *end)
{
	begin_residuals(body, start != NULL);
	for (int i = 0; i < body->vertices.count; ++i)
		write_vertex(surface, body, body->vertices.data[i], start, end, i);
}

static bool has_residuals(const rbl_surface *surface, const rbl_surface_body *body)
{
	return surface->residuals[0].count > 0 &&
	       (body->settings.roundings[0] > 0.0f || body->settings.roundings[1] > 0.0f);
}

void rbl_surface_forget_residuals(rbl_surface *surface, rbl_surface_body *body, bool has_start)
{
	if (!has_residuals(surface, body))
		return;
	for (int i = 0; i < body->vertices.count; ++i) {
		int vertex = body->vertices.data[i];
		surface->residuals[0].data[vertex] =
			has_start ? (rbl_vec3d){ 0.0, 0.0, 0.0 } : surface->residuals[1].data[vertex];
		surface->residuals[1].data[vertex] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	}
	begin_residuals(body, has_start);
}

void rbl_surface_rest_residuals(rbl_surface *surface, rbl_surface_body *body)
{
	if (!has_residuals(surface, body))
		return;
	for (int i = 0; i < body->vertices.count; ++i) {
		int vertex = body->vertices.data[i];
		surface->residuals[0].data[vertex] = surface->residuals[1].data[vertex];
	}
	body->settings.roundings[0] = body->settings.roundings[1];
}

void rbl_surface_write_residual(rbl_surface *surface, rbl_surface_body *body, int vertex, int time,
                                rbl_vec3d position)
{
	if (surface->residuals[time].count == 0)
		return;
	rbl_vec3d residual = rbl_sub_d(position, rbl_to_d(surface->positions[time][vertex]));
	surface->residuals[time].data[vertex] = residual;
	body->settings.roundings[time] = longer(body->settings.roundings[time], residual);
}

void rbl_surface_copy_extras(rbl_surface *surface, int vertex, int origin)
{
	for (int time = 0; time < 2 && surface->residuals[0].count > 0; ++time)
		surface->residuals[time].data[vertex] = surface->residuals[time].data[origin];
	if (surface->vertex_user_ids.count > 0)
		surface->vertex_user_ids.data[vertex] = surface->vertex_user_ids.data[origin];
}

void rbl_surface_clear_vertex_extras(rbl_surface *surface, int vertex)
{
	for (int time = 0; time < 2 && vertex < surface->residuals[time].count; ++time)
		surface->residuals[time].data[vertex] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	if (vertex < surface->vertex_user_ids.count)
		surface->vertex_user_ids.data[vertex] = -1;
}

void rbl_surface_clear_triangle_extras(rbl_surface *surface, int triangle)
{
	if (triangle < surface->triangle_user_ids.count)
		surface->triangle_user_ids.data[triangle] = -1;
}

// --- motion -------------------------------------------------------------------------------------

// Which position is that of the vertex: its place in the view, its user id, or its id.
static int position_index(const rbl_surface *surface, int vertex, int place, bool is_by_id)
{
	if (!is_by_id)
		return place;
	return surface->vertex_user_ids.count > 0 ? surface->vertex_user_ids.data[vertex] : vertex;
}

static bool is_where_it_was(const rbl_surface *surface, int vertex,
                            const rbl_surface_positions *input, int place)
{
	rbl_vec3d p = rbl_surface_exact(surface, vertex, 1), q = read_input(input, place);
	return p.x == q.x && p.y == q.y && p.z == q.z;
}

static void write_motion(rbl_surface *surface, rbl_surface_body *body,
                         const rbl_surface_positions *start, const rbl_surface_positions *end,
                         bool is_by_id)
{
	bool is_exact = end->is_double || (start && start->is_double);
	if (is_exact)
		begin_residuals(body, start != NULL);
	else
		rbl_surface_forget_residuals(surface, body, start != NULL);
	for (int i = 0; i < body->vertices.count; ++i) {
		int vertex = body->vertices.data[i], place = position_index(surface, vertex, i, is_by_id);
		surface->positions[0][vertex] =
			start ? rbl_surface_input_at(start, place) : surface->positions[1][vertex];
		surface->positions[1][vertex] = rbl_surface_input_at(end, place);
		if (is_exact)
			write_vertex(surface, body, vertex, start, end, place);
	}
	rbl_surface_note_motion(surface, body, start != NULL);
}

static rbl_result check_motion(rbl_surface *surface, const rbl_surface_positions *start,
                               const rbl_surface_positions *end)
{
	if (!surface || !end)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or end is NULL");
	rbl_result result = check_stride(end);
	if (result == RBL_OK && start)
		result = check_stride(start);
	return result;
}

static rbl_result reserve_motion(rbl_surface *surface, const rbl_surface_positions *start,
                                 const rbl_surface_positions *end)
{
	bool is_exact = end->is_double || (start && start->is_double);
	return !is_exact || rbl_surface_reserve_residuals(surface) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_surface_move_to(rbl_surface *surface, rbl_surface_body_id id,
                               const rbl_surface_positions *start, const rbl_surface_positions *end)
{
	rbl_result result = check_motion(surface, start, end);
	if (result != RBL_OK)
		return result;
	int slot = rbl_surface_slot(surface, id);
	if (slot < 0)
		return RBL_STALE_ID;
	uint64_t begin = rbl_clock_ns();
	rbl_surface_body *body = &surface->bodies.data[slot];
	result = rbl_surface_check_input(end, body->vertices.count);
	if (result == RBL_OK && start)
		result = rbl_surface_check_input(start, body->vertices.count);
	if (result == RBL_OK)
		result = reserve_motion(surface, start, end);
	if (result != RBL_OK)
		return result;
	write_motion(surface, body, start, end, false);
	surface->pending_ns += rbl_clock_ns() - begin;
	return RBL_OK;
}

// @param is_moving  receives whether any vertex goes anywhere
static rbl_result check_body(const rbl_surface *surface, const rbl_surface_body *body,
                             const rbl_surface_positions *start, const rbl_surface_positions *end,
                             int count, bool *is_moving)
{
	*is_moving = false;
	for (int i = 0; i < body->vertices.count; ++i) {
		int vertex = body->vertices.data[i], place = position_index(surface, vertex, i, true);
		if (place < 0 || place >= count)
			return rbl_fail(RBL_BAD_ARGUMENT, "vertex %d is at %d of %d positions", vertex, place,
			                count);
		if (!is_good(end, place) || (start && !is_good(start, place)))
			return rbl_fail(RBL_BAD_ARGUMENT, "position %d is not finite, or beyond floats", place);
		*is_moving |= !is_where_it_was(surface, vertex, end, place) ||
		              (start && !is_where_it_was(surface, vertex, start, place));
	}
	return RBL_OK;
}

rbl_result rbl_surface_move_all(rbl_surface *surface, const rbl_surface_positions *start,
                                const rbl_surface_positions *end, int count)
{
	rbl_result result = check_motion(surface, start, end);
	if (result == RBL_OK)
		result = reserve_motion(surface, start, end);
	if (result != RBL_OK)
		return result;
	uint64_t begin = rbl_clock_ns();
	bool is_moving;
	for (int slot = 0; slot < surface->bodies.count && result == RBL_OK; ++slot)
		if (rbl_id_pool_is_live(&surface->ids, slot))
			result =
				check_body(surface, &surface->bodies.data[slot], start, end, count, &is_moving);
	if (result != RBL_OK)
		return result;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		check_body(surface, body, start, end, count, &is_moving);
		if (is_moving || body->motion.has_moved)
			write_motion(surface, body, start, end, true);
	}
	surface->pending_ns += rbl_clock_ns() - begin;
	return RBL_OK;
}
