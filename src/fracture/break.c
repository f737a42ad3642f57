// SPDX-License-Identifier: MIT
//
// Breaking a compound: the public functions, and the order of the steps.

#include "fracture/break.h"

#include "base/log.h"
#include "base/vec.h"
#include "fracture/exposed_bonds.h"
#include "fracture/fracture.h"
#include "fracture/pattern.h"

#include <limits.h>

enum { BREAK_COOKIE = 0x62726561 };

rbl_break_def rbl_default_break_def(void)
{
	rbl_pieces_def look = rbl_default_pieces_def();
	return (rbl_break_def){
		.shape = look.shape,
		.radius = INFINITY,
		.material = -1,
		.fit = RBL_FIT_26,
		.inner = look.inner,
		.welds = true,
		.cut_limit = RBL_CUT_LIMIT,
		.cookie = BREAK_COOKIE,
	};
}

static rbl_result check_break_def(const rbl_break_def *def)
{
	if (!def || def->cookie != BREAK_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_break_def()");
	if (!def->pattern)
		return rbl_fail(RBL_BAD_ARGUMENT, "pattern is NULL");
	if (!(def->radius > 0.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "radius is %g, must be > 0", def->radius);
	if ((int)def->fit < RBL_FIT_BOX || def->fit > RBL_FIT_26)
		return rbl_fail(RBL_BAD_ARGUMENT, "fit is %d", (int)def->fit);
	if (!rbl_is_finite_d(def->pattern_offset))
		return rbl_fail(RBL_BAD_ARGUMENT, "pattern_offset is not finite");
	return rbl_check_cut(def->position, def->shape, &def->inner, def->cut_limit);
}

static void free_breaker(rbl_breaker *b)
{
	const rbl_allocator *a = b->allocator;
	rbl_mesh_cut_free(b, &b->mesh_cut);
	for (int i = 0; i < b->all_count; ++i)
		rbl_mesh_cut_free(b, &b->all_cuts[i]);
	RBL_FREE(a, b->all_cuts, b->all_count);
	for (int i = 0; i < b->tasks.count; ++i) {
		if (!b->tasks.data[i].is_whole)
			rbl_destroy_convex(b->tasks.data[i].convex);
	}
	for (int i = 0; i < b->pieces.count; ++i) {
		if (!b->pieces.data[i].is_whole) {
			rbl_destroy_convex(b->pieces.data[i].convex);
			rbl_destroy_mesh(b->pieces.data[i].mesh);
		}
	}
	rbl_placing_end(&b->placing);
	rbl_break_forget_search(b);
	rbl_break_adjacency_end(b);
	if (b->cells)
		RBL_FREE(a, b->cell_boxes, (size_t)b->cells->cell_count + 1);
	rbl_array_free(a, &b->touched);
	rbl_array_free(a, &b->around);
	rbl_array_free(a, &b->tasks);
	rbl_array_free(a, &b->chosen);
	RBL_FREE(a, b->chosen_starts, b->chosen_capacity);
	rbl_array_free(a, &b->pieces);
	rbl_array_free(a, &b->adjacent.items);
	RBL_FREE(a, b->strengths, (size_t)b->strength_count + 1);
	RBL_FREE(a, b->damages, (size_t)b->strength_count + 1);
	rbl_array_free(a, &b->broken_bonds);
	rbl_array_free(a, &b->seeds);
	rbl_array_free(a, &b->fragments);
	rbl_array_free(a, &b->overlaps);
}

// Begin to place the cells, in the compound's coordinates, around all that is touched.
static rbl_result begin_placing(rbl_breaker *b, int *budget)
{
	rbl_boxd bounds = rbl_box_empty_d();
	for (int i = 0; i < b->touched.count; ++i) {
		const rbl_part *m = &b->compound->parts.data[b->touched.data[i]];
		bounds = rbl_box_join_d(bounds, rbl_convex_bounds(m->convex));
		if (m->is_rough && m->mesh) // its mesh may reach out of its convex
			bounds = rbl_box_join_d(bounds, rbl_mesh_bounds(m->mesh));
	}
	const rbl_break_def *def = b->def;
	rbl_placement placement = { .position = rbl_add_d(def->position, def->pattern_offset),
		                        .shape = def->shape,
		                        .rotation_seed = def->rotation_seed,
		                        .bounds = bounds,
		                        .may_end = true,
		                        .cell_limit = def->cut_limit };
	return rbl_placing_begin(&b->placing, def->pattern, &placement, def->jobs, b->allocator,
	                         budget);
}

static rbl_result place_some(rbl_breaker *b, rbl_cells *cells, int *budget, bool *is_done)
{
	rbl_result result = rbl_placing_some(&b->placing, budget, is_done, cells);
	if (result != RBL_OK || !*is_done)
		return result;
	rbl_placing_end(&b->placing);
	b->cells = cells;
	b->plane_end = b->plane_base + (uint64_t)cells->plane_end;
	if (b->plane_end >= RBL_NO_PLANE_ID || b->plane_end < b->plane_base)
		return rbl_fail(RBL_LIMIT_REACHED, "plane ids of the parts leave no room for more");
	return RBL_OK;
}

rbl_break *rbl_break_new(const rbl_allocator *allocator)
{
	rbl_break *made = RBL_NEW_ZERO(allocator, rbl_break, 1);
	if (made)
		made->allocator = *allocator;
	return made;
}

// --- breaking in steps --------------------------------------------------------------------------

typedef enum break_stage {
	TOUCH,
	PLACE,
	LIST,
	CUT,
	GROUP,
	ADJACENCY,
	MARK,
	SEARCH,
	MAKE_FRAGMENTS,
	BREAK_READY,
} break_stage;

typedef struct rbl_pending_break {
	rbl_task task;
	rbl_allocator allocator;
	rbl_compound *compound; // NULL: it was destroyed
	struct rbl_pending_break *next;
	rbl_break_def def;
	rbl_breaker b;
	rbl_cells cells;
	break_stage stage;
	bool is_division; // it ends with the pieces
	bool keeps_anchors;
	unsigned version;  // of the compound that the work is for
	unsigned stamp;    // of the marks that the search is for
	int restart_count; // how often others have wiped them out
	int debt;          // work beyond the budget of earlier slices
	unsigned number;   // how often fragments were made
} pending_break;

static void forget_work(pending_break *p)
{
	free_breaker(&p->b);
	if (p->cells.cell_faces)
		rbl_cells_destroy(&p->cells);
	memset(&p->cells, 0, sizeof p->cells);
	memset(&p->b, 0, sizeof p->b);
	p->b.allocator = &p->allocator;
	p->stage = TOUCH;
	p->restart_count = 0;
}

// The compound is about to change: what other breaks have made so far refers to what goes.
static void forget_others(const rbl_breaker *b)
{
	for (pending_break *p = b->compound->first_pending; p; p = p->next) {
		if (&p->b != b)
			forget_work(p);
	}
}

// Change the compound and hand over the fragments.
// The numbers of parts that the commit will remove.
static rbl_result list_gone(const rbl_breaker *b, rbl_break *out)
{
	int base = b->overlay.base;
	if (!rbl_array_reserve(&out->allocator, &out->gone_parts,
	                       b->components.nodes.count + b->touched.count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < b->components.nodes.count; ++i)
		if (b->components.nodes.data[i] < base)
			out->gone_parts.data[out->gone_parts.count++] = b->components.nodes.data[i];
	for (int i = 0; i < b->touched.count; ++i)
		out->gone_parts.data[out->gone_parts.count++] = b->touched.data[i];
	return RBL_OK;
}

static void finish(rbl_breaker *b, rbl_break *out)
{
	bool changes = !b->is_unchanged && (b->fragments.count > 0 || b->broken_bonds.count > 0);
	if (changes) {
		forget_others(b);
		int alive = b->piece_count; // the commit empties the list, but leaves what is in it
		rbl_break_commit(b);
		rbl_break_place_exposed(b, out);
		for (int i = 0; i < alive; ++i) // room was made before
			if (b->pieces.data[i].fragment < 0)
				out->rest_parts.data[out->rest_parts.count++] = b->pieces.data[i].slot;
	} else {
		out->exposed_parts.count = out->exposed_polygons.count = out->exposed_corners.count = 0;
		out->gone_parts.count = 0;
		b->counts.made_count = b->counts.touched_count = b->counts.welded_count = 0;
	}
	out->plane_base = b->plane_base;
	out->plane_end = b->plane_end;
	out->data = b->counts;
	memcpy(&out->fragments, &b->fragments, sizeof out->fragments);
	memcpy(&out->overlaps, &b->overlaps, sizeof out->overlaps);
	memset(&b->fragments, 0, sizeof b->fragments);
	memset(&b->overlaps, 0, sizeof b->overlaps);
	out->data.compound_count = out->fragments.count;
	out->data.compounds = out->fragments.data;
	out->data.overlap_count = out->overlaps.count;
	out->data.overlaps = out->overlaps.data;
	out->data.gone_count = out->gone_parts.count;
	out->data.gone_parts = out->gone_parts.data;
}

static rbl_result touch(pending_break *p, int *budget)
{
	p->b.compound = p->compound;
	p->b.def = &p->def;
	p->b.pattern = p->def.pattern;
	p->b.keeps_anchors = p->keeps_anchors;
	p->b.plane_base = p->b.plane_end = p->compound->next_plane_id;
	p->version = p->compound->version;
	rbl_result result = rbl_break_find_touched(&p->b);
	p->stage = p->b.touched.count > 0 ? PLACE : BREAK_READY;
	*budget -= 1 + p->b.touched.count / 8;
	return result == RBL_OK && p->stage == PLACE ? begin_placing(&p->b, budget) : result;
}

// One step.
static rbl_result advance(pending_break *p, int *budget)
{
	bool is_done = false;
	rbl_result result = RBL_OK;
	switch (p->stage) {
	case TOUCH:
		return touch(p, budget);
	case PLACE:
		result = place_some(&p->b, &p->cells, budget, &is_done);
		if (is_done)
			p->stage = LIST;
		return result;
	case LIST:
		*budget -= 1 + p->b.cells->cell_count / 20;
		p->stage = CUT;
		return rbl_break_cut_begin(&p->b);
	case CUT:
		result = rbl_break_cut_some(&p->b, budget, &is_done);
		if (is_done)
			p->stage = p->b.touched.count > 0 && !p->is_division ? GROUP : BREAK_READY;
		return result;
	case GROUP:
		*budget -= 1 + p->b.pieces.count / 20;
		p->stage = ADJACENCY;
		return rbl_break_group_pieces(&p->b);
	case ADJACENCY:
		result = rbl_break_adjacency_some(&p->b, budget, &is_done);
		if (is_done)
			p->stage = MARK;
		return result;
	case MARK:
		*budget -= 1 + p->b.piece_count / 80;
		rbl_break_mark_again(&p->b);
		p->stamp = p->compound->stamp;
		p->stage = SEARCH;
		return rbl_break_search_begin(&p->b);
	case SEARCH:
		result = rbl_break_search_some(&p->b, budget, &is_done);
		if (is_done)
			p->stage = MAKE_FRAGMENTS;
		return result;
	case MAKE_FRAGMENTS:
		result = rbl_break_make_some(&p->b, budget, &is_done);
		if (is_done)
			p->stage = BREAK_READY, p->number++;
		return result;
	case BREAK_READY:
		break;
	}
	return RBL_OK;
}

// What the search wrote into the compound is gone when another search has been there: it is done
// again, with twice the budget each time, so that two breaks in turn come to an end.
static void check_marks(pending_break *p, int *budget)
{
	bool needs_marks = p->stage == SEARCH || p->stage == MAKE_FRAGMENTS ||
	                   (p->stage == BREAK_READY && p->b.touched.count > 0 && !p->is_division);
	if (needs_marks && p->stamp != p->compound->stamp) {
		rbl_break_forget_search(&p->b);
		p->stage = MARK;
		p->restart_count += p->restart_count < 20;
	}
	if (p->stage >= MARK)
		*budget = rbl_maxi(*budget, (1 << p->restart_count) - 1);
}

static rbl_result work_on_break(rbl_task *task, int budget, bool *is_ready)
{
	pending_break *p = (pending_break *)task;
	*is_ready = false;
	if (!p->compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "the compound was destroyed");
	if (p->stage != TOUCH && p->version != p->compound->version)
		forget_work(p);
	// Some steps cannot be divided: what they take beyond a slice is paid for by the next ones.
	int paid = rbl_mini(p->debt, budget);
	p->debt -= paid;
	budget -= paid;
	if (budget == 0)
		return RBL_OK;
	check_marks(p, &budget);
	rbl_result result = RBL_OK;
	while (result == RBL_OK && p->stage != BREAK_READY && budget > 0)
		result = advance(p, &budget);
	p->debt = budget < 0 ? -budget : 0;
	if (result != RBL_OK)
		forget_work(p); // it may be tried again
	*is_ready = result == RBL_OK && p->stage == BREAK_READY;
	return result;
}

static void unlink_pending(pending_break *p)
{
	if (!p->compound)
		return;
	pending_break **link = &p->compound->first_pending;
	while (*link != p)
		link = &(*link)->next;
	*link = p->next;
}

static void destroy_pending(rbl_task *task)
{
	pending_break *p = (pending_break *)task;
	rbl_allocator a = p->allocator;
	if (p->compound)
		rbl_compound_hold(p->compound); // work of others reads what is freed here
	forget_work(p);
	unlink_pending(p);
	if (p->compound)
		rbl_compound_release(p->compound, false);
	RBL_FREE(&a, p, 1);
}

static const rbl_task_kind break_kind = { work_on_break, destroy_pending, NULL };

void rbl_compound_hold(rbl_compound *compound)
{
	rbl_task_group_hold(&compound->tasks);
}

void rbl_compound_release(rbl_compound *compound, bool has_changed)
{
	for (pending_break *p = compound->first_pending; p && has_changed; p = p->next)
		rbl_task_renew(&p->task);
	rbl_task_group_release(&compound->tasks);
}

void rbl_compound_forget_pending(rbl_compound *compound)
{
	rbl_compound_hold(compound);
	for (pending_break *p = compound->first_pending; p; p = p->next) {
		rbl_task_take_off(&p->task);
		p->task.group = &p->task.own_group;
		p->task.state = RBL_TASK_FAILED;
		p->task.result = RBL_BAD_ARGUMENT;
		forget_work(p);
		p->compound = NULL;
	}
	compound->first_pending = NULL;
	rbl_compound_release(compound, false);
}

rbl_result rbl_begin_break(rbl_compound *compound, const rbl_break_def *def, rbl_task **task)
{
	if (!task)
		return rbl_fail(RBL_BAD_ARGUMENT, "task is NULL");
	*task = NULL;
	if (!compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound is NULL");
	rbl_result result = check_break_def(def);
	if (result != RBL_OK)
		return result;
	pending_break *made = RBL_NEW_ZERO(&compound->allocator, pending_break, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = compound->allocator;
	made->b.allocator = &made->allocator;
	made->def = *def;
	made->compound = compound;
	rbl_task_init(&made->task, &break_kind, &compound->tasks);
	made->next = compound->first_pending;
	compound->first_pending = made;
	*task = &made->task;
	return RBL_OK;
}

rbl_result rbl_begin_cut(rbl_compound *compound, const rbl_break_def *def, rbl_task **task)
{
	rbl_result result = rbl_begin_break(compound, def, task);
	if (result == RBL_OK)
		((pending_break *)*task)->keeps_anchors = true;
	return result;
}

// --- dividing -----------------------------------------------------------------------------------

rbl_result rbl_begin_division(rbl_compound *compound, const rbl_break_def *def, rbl_task **task)
{
	rbl_result result = rbl_begin_break(compound, def, task);
	if (result == RBL_OK)
		((pending_break *)*task)->is_division = true;
	return result;
}

rbl_division rbl_division_get(rbl_task *task)
{
	pending_break *p = (pending_break *)task;
	RBL_ASSERT(task->kind == &break_kind && p->is_division && p->stage == BREAK_READY);
	return (rbl_division){ p->b.pieces.data, p->b.pieces.count, p->b.plane_end };
}

uint64_t rbl_division_color(const rbl_task *task, const rbl_break_piece *piece)
{
	return rbl_break_piece_color(&((const pending_break *)task)->b, piece);
}

int rbl_break_get_debt(const rbl_task *task)
{
	RBL_ASSERT(task->kind == &break_kind);
	return ((const pending_break *)task)->debt;
}

// --- what a break will leave --------------------------------------------------------------------

rbl_break_preview rbl_break_get_preview(const rbl_task *task)
{
	const pending_break *p = (const pending_break *)task;
	RBL_ASSERT(task->kind == &break_kind && p->compound && p->stage == BREAK_READY);
	return (rbl_break_preview){ p->b.fragments.data, p->b.fragments.count, p->number };
}

rbl_result rbl_create_break_rest(const rbl_task *task, rbl_compound **rest)
{
	const pending_break *p = (const pending_break *)task;
	RBL_ASSERT(task->kind == &break_kind && p->compound && p->stage == BREAK_READY);
	*rest = NULL;
	bool changes = p->b.touched.count > 0 && !p->b.is_unchanged;
	return changes ? rbl_break_list_rest(&p->b, rest) : RBL_OK;
}

void rbl_destroy_break_rest(rbl_compound *rest)
{
	rbl_compound_discard(rest);
}

// Change the compound by a break that is ready. Its group is held.
static rbl_result take_break(pending_break *p, rbl_break **broken)
{
	rbl_break *made = rbl_break_new(&p->allocator);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (made && rbl_array_reserve(&p->allocator, &made->rest_parts, p->b.pieces.count))
		result = rbl_break_reserve_rest(&p->b);
	if (result == RBL_OK && !p->b.is_unchanged)
		result = rbl_break_list_exposed(&p->b, made);
	if (result == RBL_OK && !p->b.is_unchanged)
		result = list_gone(&p->b, made);
	if (result != RBL_OK) {
		rbl_destroy_break(made);
		return result;
	}
	finish(&p->b, made);
	*broken = made;
	return RBL_OK;
}

rbl_result rbl_finish_break(rbl_task *task, rbl_break **broken)
{
	if (!broken)
		return rbl_fail(RBL_BAD_ARGUMENT, "broken is NULL");
	*broken = NULL;
	if (!task || task->kind != &break_kind)
		return rbl_fail(RBL_BAD_ARGUMENT, "task is NULL, or not of a break");
	pending_break *p = (pending_break *)task;
	if (!p->compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "the compound was destroyed");
	rbl_compound *compound = p->compound;
	rbl_compound_hold(compound);
	rbl_task_take_off(task);
	unsigned version = compound->version;
	bool is_ready = false;
	rbl_result result = RBL_OK;
	while (result == RBL_OK && !is_ready)
		result = work_on_break(task, 1 << 30, &is_ready);
	if (result == RBL_OK)
		result = take_break(p, broken);
	rbl_task_renew(task);
	if (result == RBL_OK) {
		unlink_pending(p);
		p->compound = NULL;
	}
	rbl_compound_release(compound, compound->version != version);
	if (result == RBL_OK)
		rbl_destroy_task(task);
	return result;
}

rbl_result rbl_compound_break(rbl_compound *compound, const rbl_break_def *def, rbl_break **broken)
{
	if (!broken)
		return rbl_fail(RBL_BAD_ARGUMENT, "broken is NULL");
	*broken = NULL;
	rbl_task *task = NULL;
	rbl_result result = rbl_begin_break(compound, def, &task);
	if (result == RBL_OK)
		result = rbl_finish_break(task, broken);
	if (result != RBL_OK)
		rbl_destroy_task(task);
	return result;
}

// --- breaking bonds -----------------------------------------------------------------------------

static rbl_result mark_bonds(rbl_breaker *b, const int *parts, int bond_count)
{
	rbl_compound *c = b->compound;
	rbl_compound_new_stamp(c);
	for (int i = 0; i < bond_count; ++i) {
		int bond = rbl_compound_find_bond(c, parts[2 * i], parts[2 * i + 1]);
		if (bond < 0 || c->bonds.data[bond].stamp == c->stamp)
			continue;
		c->bonds.data[bond].stamp = c->stamp;
		if (!rbl_array_push(b->allocator, &b->broken_bonds, bond) ||
		    !rbl_array_push(b->allocator, &b->seeds, parts[2 * i]) ||
		    !rbl_array_push(b->allocator, &b->seeds, parts[2 * i + 1]))
			return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < c->parts.count && bond_count == 0; ++i) {
		if (c->parts.data[i].convex && !rbl_array_push(b->allocator, &b->seeds, i))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

rbl_result rbl_compound_break_bonds(rbl_compound *compound, const int *parts, int bond_count,
                                    rbl_break **broken)
{
	if (!broken)
		return rbl_fail(RBL_BAD_ARGUMENT, "broken is NULL");
	*broken = NULL;
	if (!compound || bond_count < 0 || (bond_count > 0 && !parts))
		return rbl_fail(RBL_BAD_ARGUMENT, "compound or parts is NULL, or bond_count negative");
	for (int i = 0; i < 2 * bond_count; ++i) {
		if (!rbl_compound_has(compound, parts[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "there is no part %d", parts[i]);
	}
	rbl_break *made = rbl_break_new(&compound->allocator);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	rbl_breaker b = { .compound = compound, .allocator = &compound->allocator };
	b.plane_base = b.plane_end = compound->next_plane_id;
	rbl_compound_hold(compound);
	unsigned version = compound->version;
	rbl_result result = mark_bonds(&b, parts, bond_count);
	if (result == RBL_OK)
		result = rbl_break_search_begin(&b);
	bool is_done = false;
	while (result == RBL_OK && !is_done)
		result = rbl_break_search_some(&b, &(int){ INT_MAX }, &is_done);
	is_done = false;
	while (result == RBL_OK && !is_done)
		result = rbl_break_make_some(&b, &(int){ INT_MAX }, &is_done);
	if (result == RBL_OK)
		result = rbl_break_reserve_rest(&b);
	if (result == RBL_OK)
		result = rbl_break_list_exposed(&b, made);
	if (result == RBL_OK)
		result = list_gone(&b, made);
	if (result == RBL_OK)
		finish(&b, made);
	else
		rbl_compound_new_stamp(compound); // marked bonds are whole again
	free_breaker(&b);
	rbl_compound_release(compound, compound->version != version);
	if (result != RBL_OK) {
		rbl_destroy_break(made);
		return result;
	}
	*broken = made;
	return RBL_OK;
}

rbl_break_data rbl_break_get_data(const rbl_break *broken)
{
	return broken ? broken->data : (rbl_break_data){ 0 };
}

rbl_compound *rbl_break_take(rbl_break *broken, int compound)
{
	if (!broken || compound < 0 || compound >= broken->fragments.count)
		return NULL;
	rbl_compound *taken = broken->fragments.data[compound];
	broken->fragments.data[compound] = NULL;
	return taken;
}

void rbl_destroy_break(rbl_break *broken)
{
	if (!broken)
		return;
	rbl_allocator a = broken->allocator;
	for (int i = 0; i < broken->fragments.count; ++i)
		rbl_destroy_compound(broken->fragments.data[i]);
	rbl_array_free(&a, &broken->fragments);
	rbl_array_free(&a, &broken->overlaps);
	rbl_array_free(&a, &broken->rest_parts);
	rbl_array_free(&a, &broken->gone_parts);
	rbl_array_free(&a, &broken->exposed_polygons);
	rbl_array_free(&a, &broken->exposed_corners);
	rbl_array_free(&a, &broken->exposed_parts);
	RBL_FREE(&a, broken, 1);
}
