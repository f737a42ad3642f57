// SPDX-License-Identifier: MIT
//
// Preparing one shell (Mueller et al. 2013, section 4): its convex decomposition.
//
// A shell that fits its hull within the tolerance stays one part. Any other gets nodes, as many as
// an estimate by samples asks for, and more while the real convexes do not fit. Each step depends
// on the shell alone, so budgets do not change the result.

#include "fracture/prepare_shell.h"

#include "base/vec.h"

enum { MIN_SAMPLES = 600, MAX_SAMPLES = 1800, PER_NODE = 80, MAX_ROUNDS = 16 };
enum {
	SHELL_TRIANGLES_PER_CUT = 20
}; // triangles looked at in the time of a cut of a convex by a cell

static void free_fit(const rbl_allocator *allocator, rbl_shell_fit *fit)
{
	rbl_decomposition_parts_free(allocator, &fit->parts);
	rbl_array_free(allocator, &fit->nodes);
	memset(fit, 0, sizeof *fit);
}

// What is not needed for the result.
static void free_scratch(rbl_shell_work *w)
{
	rbl_decomposition_end(w->decomposition);
	rbl_node_optimizer_end(w->optimizer);
	rbl_samples_free(w->allocator, &w->samples);
	rbl_array_free(w->allocator, &w->nodes.positions);
	rbl_destroy_solid(w->solid);
	free_fit(w->allocator, &w->best);
	memset(&w->samples, 0, sizeof w->samples);
	memset(&w->nodes, 0, sizeof w->nodes);
	w->decomposition = NULL;
	w->optimizer = NULL;
	w->solid = NULL;
}

void rbl_shell_free(rbl_shell_work *work)
{
	if (!work->allocator)
		return;
	free_scratch(work);
	free_fit(work->allocator, &work->fit);
}

// The shell as it is, and its hull.
static rbl_result keep_whole(rbl_shell_work *w)
{
	rbl_mesh_data data = rbl_mesh_get_data(w->mesh);
	rbl_decomposition_part part = { .visual_volume = w->solid->volume };
	rbl_outer_hull_def hull_def = rbl_default_outer_hull_def();
	rbl_outer_hull *hull = NULL;
	hull_def.points = data.positions;
	hull_def.point_count = data.vertex_count;
	hull_def.vertex_count = w->def->hull_vertices;
	hull_def.allocator = *w->allocator;
	rbl_result result = rbl_create_outer_hull(&hull_def, &hull);
	if (result == RBL_OK) {
		rbl_outer_hull_data h = rbl_outer_hull_get_data(hull);
		rbl_boxd box = rbl_mesh_bounds(w->mesh);
		rbl_convex_def convex_def = rbl_default_convex_def();
		convex_def.box = rbl_box_grow_d(box, 1e-6 * rbl_length_d(rbl_box_size_d(box)));
		convex_def.planes = h.planes;
		convex_def.plane_count = h.plane_count;
		convex_def.allocator = *w->allocator;
		result = rbl_create_convex(&convex_def, &part.convex);
	}
	rbl_destroy_outer_hull(hull);
	if (result == RBL_OK)
		result = rbl_mesh_duplicate(w->mesh, w->allocator, &part.mesh);
	part.volume = rbl_convex_get_mass(part.convex).volume;
	w->settings.plane_end = w->settings.plane_base;
	if (result == RBL_OK && rbl_array_push(w->allocator, &w->fit.parts.items, part))
		return RBL_OK;
	rbl_destroy_convex(part.convex);
	rbl_destroy_mesh(part.mesh);
	return result == RBL_OK ? RBL_OUT_OF_MEMORY : result;
}

static bool take_nodes(rbl_shell_work *w)
{
	w->fit.nodes.count = 0;
	for (int i = 0; i < w->nodes.positions.count; ++i) {
		rbl_vec3d p = rbl_add_d(w->nodes.positions.data[i], w->solid->origin);
		if (!rbl_array_push(w->allocator, &w->fit.nodes, p))
			return false;
	}
	return true;
}

static bool is_counted(const rbl_shell_work *w)
{
	return w->def->nodes || w->def->node_count > 0;
}

static rbl_result begin_solid(rbl_shell_work *w)
{
	const rbl_prepare_def *def = w->def;
	rbl_result result = rbl_solid_of_mesh(w->mesh, w->allocator, &w->solid);
	if (result != RBL_OK)
		return result;
	for (int i = 0; def->nodes && i < def->node_count; ++i)
		if (!rbl_array_push(w->allocator, &w->fit.nodes, def->nodes[i]))
			return RBL_OUT_OF_MEMORY;
	if (!def->nodes && !rbl_array_push(w->allocator, &w->fit.nodes, w->solid->origin))
		return RBL_OUT_OF_MEMORY;
	w->stop = RBL_STOP_GIVEN;
	w->stage = def->nodes || def->node_count < 2 ? RBL_SHELL_DIVIDE : RBL_SHELL_SAMPLE;
	return RBL_OK;
}

static rbl_result make_samples(rbl_shell_work *w)
{
	const rbl_prepare_def *def = w->def;
	int detail = rbl_mini(rbl_maxi(w->solid->triangle_count, MIN_SAMPLES), MAX_SAMPLES);
	detail = rbl_maxi(detail, PER_NODE * def->node_count);
	if (!rbl_samples_make(w->allocator, w->solid, detail, detail, &w->samples))
		return RBL_OUT_OF_MEMORY;
	w->stage = RBL_SHELL_PLACE;
	w->min = 2;
	w->estimate = 1.0 + 0.6 * def->tolerance;
	w->stop = is_counted(w) ? RBL_STOP_GIVEN : RBL_STOP_NO_GAIN;
	return RBL_OK;
}

static rbl_result place(rbl_shell_work *w, int *budget)
{
	const rbl_prepare_def *def = w->def;
	bool is_done = false;
	if (!w->optimizer) {
		int min = is_counted(w) ? def->node_count : w->min;
		int max = is_counted(w) ? def->node_count : def->node_limit;
		w->optimizer =
			rbl_node_optimizer_begin(w->allocator, &w->samples, is_counted(w) ? 0.0 : w->estimate,
		                             min, max, def->seed, &w->nodes);
	}
	if (!w->optimizer || !rbl_node_optimizer_work(w->optimizer, budget, &is_done))
		return RBL_OUT_OF_MEMORY;
	if (!is_done)
		return RBL_OK;
	rbl_node_optimizer_end(w->optimizer);
	w->optimizer = NULL;
	w->stage = RBL_SHELL_DIVIDE;
	return take_nodes(w) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// --- is it good enough? -------------------------------------------------------------------------

// The shell in one piece, or as its nodes are given.
static rbl_shell_stage evaluate_first(rbl_shell_work *w)
{
	const rbl_prepare_def *def = w->def;
	if (is_counted(w))
		return RBL_SHELL_DONE;
	w->stop = w->fit.ratio <= 1.0 + def->tolerance ? RBL_STOP_TOLERANCE : RBL_STOP_NODE_LIMIT;
	return w->stop == RBL_STOP_TOLERANCE || def->node_limit == 1 ? RBL_SHELL_DONE
	                                                             : RBL_SHELL_SAMPLE;
}

static void keep_better(rbl_shell_work *w)
{
	if (w->best.parts.items.count > 0 && w->best.ratio <= w->fit.ratio)
		return;
	rbl_shell_fit swap = w->best;
	w->best = w->fit;
	w->fit = swap;
}

// A round of the search for nodes: more and more, until the convexes fit.
static rbl_shell_stage evaluate_round(rbl_shell_work *w)
{
	const rbl_prepare_def *def = w->def;
	double wanted = 1.0 + def->tolerance, ratio = w->fit.ratio;
	double before = w->best.parts.items.count > 0 ? w->best.ratio : DBL_MAX;
	int count = w->nodes.positions.count;
	keep_better(w);
	w->idle = w->best.ratio > 0.99 * before ? w->idle + 1 : 0;
	bool is_through = w->best.ratio <= wanted || count >= def->node_limit;
	if (is_through)
		w->stop = w->best.ratio <= wanted ? RBL_STOP_TOLERANCE : RBL_STOP_NODE_LIMIT;
	if (is_through || ++w->round >= MAX_ROUNDS || w->idle >= 3) {
		rbl_shell_fit swap = w->best;
		w->best = w->fit;
		w->fit = swap;
		return RBL_SHELL_DONE;
	}
	// What the samples did not see is in the real convexes and will be there again.
	w->estimate = rbl_maxd(1.0 + 0.3 * def->tolerance,
	                       w->nodes.ratio - (ratio - wanted) * w->nodes.ratio / ratio);
	w->min = count + rbl_maxi(1, count / 4);
	return RBL_SHELL_PLACE;
}

static rbl_result divide(rbl_shell_work *w, int *budget)
{
	rbl_shell_fit *fit = &w->fit;
	bool is_done = true;
	rbl_result result = RBL_OK;
	if (!w->decomposition) {
		rbl_decomposition_parts_free(w->allocator, &fit->parts);
		memset(&fit->parts, 0, sizeof fit->parts);
		if (fit->nodes.count > 1 || w->def->nodes) {
			result = rbl_decomposition_begin(w->solid, fit->nodes.data, fit->nodes.count,
			                                 &w->settings, &w->decomposition);
		} else {
			*budget -= w->solid->triangle_count / SHELL_TRIANGLES_PER_CUT;
			result = keep_whole(w);
		}
	}
	if (result == RBL_OK && w->decomposition)
		result = rbl_decomposition_work(w->decomposition, budget, &fit->parts, &is_done);
	if (result != RBL_OK || !is_done)
		return result;
	rbl_decomposition_end(w->decomposition);
	w->decomposition = NULL;
	double sum = 0.0;
	for (int i = 0; i < fit->parts.items.count; ++i)
		sum += fit->parts.items.data[i].volume;
	fit->ratio = w->solid->volume > 0.0 ? sum / w->solid->volume : 1.0;
	bool is_search = !is_counted(w) && w->samples.outer.count > 0;
	w->stage = is_search ? evaluate_round(w) : evaluate_first(w);
	return RBL_OK;
}

void rbl_shell_advance(rbl_shell_work *work, int *budget)
{
	rbl_shell_work *w = work;
	while (w->result == RBL_OK && w->stage != RBL_SHELL_DONE && *budget > 0) {
		switch (w->stage) {
		case RBL_SHELL_SOLID:
			*budget -= 1 + rbl_mesh_get_data(w->mesh).corner_count / (3 * SHELL_TRIANGLES_PER_CUT);
			w->result = begin_solid(w);
			break;
		case RBL_SHELL_SAMPLE:
			*budget -= 1 + w->solid->triangle_count / SHELL_TRIANGLES_PER_CUT;
			w->result = make_samples(w);
			break;
		case RBL_SHELL_PLACE:
			w->result = place(w, budget);
			break;
		default:
			w->result = divide(w, budget);
			break;
		}
	}
	if (w->stage == RBL_SHELL_DONE || w->result != RBL_OK)
		free_scratch(w);
}
