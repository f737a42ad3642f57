// SPDX-License-Identifier: MIT
//
// Which parts the impact touches, and their pieces in the cells (Mueller et al. 2013, section 3.1,
// steps 1 and 2, and section 3.2).
//
// Parts farther from the impact than its radius are left alone. Each of the others is cut by the
// cells whose boxes it meets, found with the tree. Walls of the pattern's container cut as well:
// what lies beyond them is in six further cells, so nothing is lost where the pattern ends. A
// vertex within the tolerance of a plane is on it for the cells on both sides, so pieces add up to
// the part to the last digits.

#include "fracture/break.h"

#include "base/sort.h"
#include "base/vec.h"
#include "fracture/pattern.h"
#include "fracture/cell_cut.h"

#include <limits.h>

enum { TASK_BLOCK = 4, WALLS = 6, ALL_AT_ONCE = 1 << 28 }; // a budget that is none

// --- distance -----------------------------------------------------------------------------------

// Where on a segment a point is nearest, 0 to 1.
static double segment_fraction(rbl_vec3d p, rbl_vec3d a, rbl_vec3d b)
{
	rbl_vec3d along = rbl_sub_d(b, a), to = rbl_sub_d(p, a);
	double length = rbl_length_squared_d(along);
	return length > 0.0 ? rbl_clampd(rbl_dot_d(to, along) / length, 0.0, 1.0) : 0.0;
}

static double segment_distance_squared(rbl_vec3d p, rbl_vec3d a, rbl_vec3d b)
{
	rbl_vec3d along = rbl_sub_d(b, a), to = rbl_sub_d(p, a);
	return rbl_length_squared_d(rbl_add_scaled_d(to, -segment_fraction(p, a, b), along));
}

// Distance from a face that the point is in front of.
static double face_distance_squared(const rbl_convex_data *d, int f, rbl_vec3d p, double height)
{
	rbl_vec3d n = d->planes[f].normal;
	double min = DBL_MAX;
	bool is_over = true;
	int begin = d->face_starts[f], end = d->face_starts[f + 1];
	for (int k = begin; k < end; ++k) {
		rbl_vec3d a = d->vertices[d->corner_vertices[k]];
		rbl_vec3d b = d->vertices[d->corner_vertices[k + 1 < end ? k + 1 : begin]];
		is_over &= rbl_dot_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(p, a)), n) >= 0.0;
		min = rbl_mind(min, segment_distance_squared(p, a, b));
	}
	return is_over ? height * height : min;
}

double rbl_convex_distance(const rbl_convex *convex, rbl_vec3d point)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	double min = DBL_MAX;
	for (int f = 0; f < d.face_count; ++f) {
		rbl_vec3d corner = d.vertices[d.corner_vertices[d.face_starts[f]]];
		double height = rbl_dot_d(d.planes[f].normal, rbl_sub_d(point, corner));
		if (height > 0.0)
			min = rbl_mind(min, face_distance_squared(&d, f, point, height));
	}
	return min < DBL_MAX ? sqrt(min) : 0.0;
}

// The point of a face nearest to a point in front of it.
static rbl_vec3d face_nearest(const rbl_convex_data *d, int f, rbl_vec3d p, double height)
{
	rbl_vec3d n = d->planes[f].normal, best = rbl_add_scaled_d(p, -height, n);
	double min = DBL_MAX;
	bool is_over = true;
	int begin = d->face_starts[f], end = d->face_starts[f + 1];
	rbl_vec3d nearest = best;
	for (int k = begin; k < end; ++k) {
		rbl_vec3d a = d->vertices[d->corner_vertices[k]];
		rbl_vec3d b = d->vertices[d->corner_vertices[k + 1 < end ? k + 1 : begin]];
		is_over &= rbl_dot_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(p, a)), n) >= 0.0;
		rbl_vec3d on = rbl_lerp_d(a, b, segment_fraction(p, a, b));
		double distance = rbl_length_squared_d(rbl_sub_d(p, on));
		if (distance < min)
			min = distance, nearest = on;
	}
	return is_over ? best : nearest;
}

rbl_vec3d rbl_convex_nearest_point(const rbl_convex *convex, rbl_vec3d point)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	rbl_vec3d nearest = point;
	double min = DBL_MAX;
	for (int f = 0; f < d.face_count; ++f) {
		rbl_vec3d corner = d.vertices[d.corner_vertices[d.face_starts[f]]];
		double height = rbl_dot_d(d.planes[f].normal, rbl_sub_d(point, corner));
		if (!(height > 0.0))
			continue;
		rbl_vec3d on = face_nearest(&d, f, point, height);
		double distance = rbl_length_squared_d(rbl_sub_d(point, on));
		if (distance < min)
			min = distance, nearest = on;
	}
	return nearest;
}

// --- parts ------------------------------------------------------------------------------------

// Whether the break is for what a part is made of.
static bool is_of_material(const rbl_breaker *b, const rbl_part *part)
{
	return b->def->material < 0 || part->material == b->def->material;
}

static bool add_near(void *context, const uint32_t *leaves, int count)
{
	rbl_breaker *b = context;
	for (int i = 0; i < count; ++i) {
		const rbl_part *m = &b->compound->parts.data[leaves[i]];
		if (is_of_material(b, m) &&
		    rbl_convex_distance(m->convex, b->def->position) <= b->def->radius &&
		    !rbl_array_push(b->allocator, &b->touched, (int)leaves[i]))
			return false;
	}
	return true;
}

static bool sort_numbers(const rbl_allocator *allocator, int *numbers, int count)
{
	rbl_sort_item *items = RBL_NEW(allocator, rbl_sort_item, 2 * (size_t)count + 1);
	if (!items)
		return false;
	for (int i = 0; i < count; ++i)
		items[i] = (rbl_sort_item){ (uint32_t)numbers[i], 0 };
	rbl_sort(items, items + count, count);
	for (int i = 0; i < count; ++i)
		numbers[i] = (int)items[i].key;
	RBL_FREE(allocator, items, 2 * (size_t)count + 1);
	return true;
}

rbl_result rbl_break_find_touched(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	if (!isfinite(b->def->radius)) {
		for (int i = 0; i < c->parts.count; ++i) {
			const rbl_part *m = &c->parts.data[i];
			if (m->convex && is_of_material(b, m) && !rbl_array_push(b->allocator, &b->touched, i))
				return RBL_OUT_OF_MEMORY;
		}
		return RBL_OK;
	}
	rbl_boxd sphere = { b->def->position, b->def->position };
	rbl_box box = rbl_compound_tree_box(c, rbl_box_grow_d(sphere, b->def->radius));
	if (!rbl_tree_query_box(&c->tree, box, add_near, b) ||
	    !sort_numbers(b->allocator, b->touched.data, b->touched.count))
		return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// --- which cells --------------------------------------------------------------------------------

typedef struct cell_query {
	rbl_breaker *b;
	rbl_boxd box;
	RBL_ARRAY(int) found; // cells
	bool out_of_memory;
} cell_query;

// The tree tells apart what floats do; cells may be smaller than that.
static bool add_cells(void *context, const uint32_t *leaves, int count)
{
	cell_query *q = context;
	for (int i = 0; i < count; ++i) {
		if (!rbl_box_overlaps_d(q->box, q->b->cell_boxes[leaves[i]]))
			continue;
		if (!rbl_array_push(q->b->allocator, &q->found, (int)leaves[i])) {
			q->out_of_memory = true;
			return false;
		}
	}
	return true;
}

// The tree of cells, in the units of the compound's tree.
static rbl_result build_cell_tree(rbl_breaker *b, rbl_tree *tree)
{
	const rbl_cells *cells = b->cells;
	rbl_box *boxes = RBL_NEW(b->allocator, rbl_box, cells->cell_count);
	uint32_t *ids = RBL_NEW(b->allocator, uint32_t, cells->cell_count);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (boxes && ids) {
		rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MORTON, .boxes = boxes };
		input.ids = ids;
		for (int c = 0; c < cells->cell_count; ++c) {
			if (rbl_box_is_empty_d(b->cell_boxes[c]))
				continue;
			boxes[input.count] = rbl_compound_tree_box(b->compound, b->cell_boxes[c]);
			ids[input.count++] = (uint32_t)c;
		}
		result = input.count > 0 ? rbl_tree_build(tree, &input) : RBL_OK;
	}
	RBL_FREE(b->allocator, boxes, cells->cell_count);
	RBL_FREE(b->allocator, ids, cells->cell_count);
	return result;
}

// Vertices within this of a plane are on it.
static double part_tolerance(const rbl_convex *convex)
{
	rbl_boxd box = rbl_convex_bounds(convex);
	double far = rbl_maxd(rbl_length_d(box.lower), rbl_length_d(box.upper));
	return 1e-12 * rbl_length_d(rbl_box_size_d(box)) + 4e-15 * far;
}

static bool reaches_beyond(const rbl_convex *convex, rbl_planed plane, double tolerance)
{
	rbl_vec3d v = rbl_convex_get_data(convex).vertices[rbl_convex_support(convex, plane.normal)];
	return rbl_plane_distance_d(plane, v) > tolerance;
}

static bool measure_cells(rbl_breaker *b)
{
	const rbl_cells *cells = b->cells;
	b->cell_boxes = RBL_NEW(b->allocator, rbl_boxd, (size_t)cells->cell_count + 1);
	for (int c = 0; c < cells->cell_count && b->cell_boxes; ++c) {
		rbl_boxd box = rbl_box_empty_d();
		for (int v = cells->cell_vertices[c]; v < cells->cell_vertices[c + 1]; ++v)
			box = rbl_box_add_point_d(box, cells->vertices[v]);
		b->cell_boxes[c] = box;
	}
	return b->cell_boxes != NULL;
}

// The cells whose boxes meet that of a part, ascending.
static rbl_result find_cells(cell_query *q, const rbl_tree *tree, const rbl_part *m, double margin)
{
	rbl_breaker *b = q->b;
	rbl_boxd box = rbl_convex_bounds(m->convex);
	if (m->is_rough) // its mesh reaches out of its convex
		box = rbl_mesh_bounds(m->mesh);
	q->box = rbl_box_grow_d(box, margin);
	q->found.count = 0;
	rbl_tree_query_box(tree, rbl_compound_tree_box(b->compound, q->box), add_cells, q);
	if (q->out_of_memory || !sort_numbers(b->allocator, q->found.data, q->found.count))
		return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// Whether a plane of the cell has all points beyond it, by more than rounding.
static bool is_beyond_cell(const rbl_cells *cells, int cell, const rbl_vec3d *points, int count,
                           double margin)
{
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		rbl_planed plane = rbl_cell_face_plane(cells, f);
		plane.offset += margin;
		int v = 0;
		while (v < count && rbl_plane_distance_d(plane, points[v]) > 0.0)
			v++;
		if (v == count)
			return true;
	}
	return false;
}

// The cells that the mesh of a part is cut by.
static rbl_result list_chosen(const cell_query *q, const rbl_part *m, double margin)
{
	rbl_breaker *b = q->b;
	rbl_convex_data convex = rbl_convex_get_data(m->convex);
	rbl_mesh_data mesh = rbl_mesh_get_data(m->mesh);
	const rbl_vec3d *points = m->is_rough ? mesh.positions : convex.vertices;
	int count = m->is_rough ? mesh.vertex_count : convex.vertex_count;
	for (int i = 0; i < q->found.count; ++i) {
		int cell = q->found.data[i];
		if (!is_beyond_cell(b->cells, cell, points, count, margin) &&
		    !rbl_array_push(b->allocator, &b->chosen, cell))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

// The cuts of a part without a mesh.
static rbl_result list_tasks(const cell_query *q, int part)
{
	rbl_breaker *b = q->b;
	const rbl_convex *convex = b->compound->parts.data[part].convex;
	for (int i = 0; i < q->found.count + WALLS; ++i) {
		int wall = i - q->found.count;
		rbl_break_task task = { .part = part };
		task.cell = wall < 0 ? q->found.data[i] : b->cells->cell_count + wall;
		if (wall >= 0 && !reaches_beyond(convex, b->cells->planes[wall], part_tolerance(convex)))
			continue;
		if (!rbl_array_push(b->allocator, &b->tasks, task))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

// All cuts, part by part, as long as they are not too many.
static rbl_result list_cuts(rbl_breaker *b, const rbl_tree *tree)
{
	cell_query query = { .b = b };
	rbl_result result = RBL_OK;
	for (int i = 0; i < b->touched.count && result == RBL_OK; ++i) {
		const rbl_part *m = &b->compound->parts.data[b->touched.data[i]];
		rbl_boxd bounds = m->is_rough ? rbl_mesh_bounds(m->mesh) : rbl_convex_bounds(m->convex);
		double margin = 1e-9 * rbl_length_d(rbl_box_size_d(bounds));
		b->chosen_starts[i] = b->chosen.count;
		result = find_cells(&query, tree, m, margin);
		if (result == RBL_OK)
			result =
				m->mesh ? list_chosen(&query, m, margin) : list_tasks(&query, b->touched.data[i]);
		int64_t count = (int64_t)b->chosen.count + b->tasks.count;
		if (result == RBL_OK && count > b->def->cut_limit)
			result = rbl_too_many_cuts(count, i + 1 < b->touched.count, b->def->cut_limit);
		b->clip_limit += m->mesh ? rbl_mesh_triangle_count(m->mesh) : 0;
	}
	b->chosen_starts[b->touched.count] = b->chosen.count;
	b->clip_limit = rbl_clip_limit(b->def->cut_limit, b->clip_limit);
	rbl_array_free(b->allocator, &query.found);
	return result;
}

// --- cutting ------------------------------------------------------------------------------------

typedef struct cutters {
	rbl_breaker *b;
	int first;                  // task
	rbl_cell_clipper *clippers; // per worker
	bool *out_of_memory;
} cutters;

void rbl_cell_clipper_init(rbl_cell_clipper *clipper, const rbl_allocator *allocator)
{
	*clipper = (rbl_cell_clipper){ .loaded = NULL };
	rbl_clipper_init(&clipper->carving, allocator);
	rbl_clipper_init(&clipper->whole, allocator);
}

void rbl_cell_clipper_destroy(rbl_cell_clipper *clipper)
{
	rbl_clipper_destroy(&clipper->carving);
	rbl_clipper_destroy(&clipper->whole);
}

rbl_cut_result rbl_break_clip_to_cell(const rbl_breaker *b, rbl_cell_clipper *clipper,
                                      const rbl_convex *convex, int cell, bool *is_whole)
{
	const rbl_cells *cells = b->cells;
	rbl_clipper *carving = &clipper->carving;
	*is_whole = true;
	if (clipper->loaded != convex) {
		clipper->loaded = NULL;
		if (!rbl_clipper_load(&clipper->whole, convex))
			return RBL_CUT_NO_MEMORY;
		clipper->loaded = convex;
		clipper->tolerance = part_tolerance(convex);
	}
	double tolerance = clipper->tolerance;
	if (!rbl_clipper_copy(carving, &clipper->whole))
		return RBL_CUT_NO_MEMORY;
	int begin = 0, end = 0, beyond = cell - cells->cell_count;
	if (beyond < 0)
		begin = cells->cell_faces[cell], end = cells->cell_faces[cell + 1];
	else
		end = beyond + 1;
	rbl_cut_result cut = RBL_CUT_MISSED;
	for (int i = begin; i < end && cut < RBL_CUT_EMPTY; ++i) {
		int index = beyond < 0 ? cells->faces[i].plane : i;
		rbl_planed plane = beyond < 0 ? rbl_cell_face_plane(cells, i) : cells->planes[i];
		if (i == beyond)
			plane = (rbl_planed){ rbl_neg_d(plane.normal), -plane.offset };
		uint64_t id = b->plane_base + (uint64_t)rbl_cell_plane_number(cells, index);
		cut = rbl_clipper_cut(carving, plane, tolerance, id);
		*is_whole &= cut == RBL_CUT_MISSED;
	}
	return cut;
}

static void cut_block(void *context, int begin, int end, int worker)
{
	cutters *s = context;
	rbl_breaker *b = s->b;
	rbl_cell_clipper *clipper = &s->clippers[worker];
	rbl_clipper *carving = &clipper->carving;
	for (int i = begin; i < end; ++i) {
		rbl_break_task *task = &b->tasks.data[s->first + i];
		const rbl_part *m = &b->compound->parts.data[task->part];
		bool is_whole;
		rbl_cut_result cut = rbl_break_clip_to_cell(b, clipper, m->convex, task->cell, &is_whole);
		if (cut == RBL_CUT_EMPTY)
			continue;
		if (cut != RBL_CUT_NO_MEMORY && is_whole) {
			task->is_whole = true;
			task->convex = m->convex;
			task->volume = m->volume;
			continue;
		}
		if (cut == RBL_CUT_NO_MEMORY ||
		    rbl_convex_from_clipper(carving, b->allocator, &task->convex) != RBL_OK) {
			s->out_of_memory[worker] = true;
			continue;
		}
		task->volume = rbl_convex_volume(task->convex);
		double capacity =
			task->cell < b->cells->cell_count ? b->cells->volumes[task->cell] : m->volume;
		// What could not be read again is not made: small pieces of a convex that was forged.
		task->is_flat = !(task->volume > 1e-12 * rbl_mind(m->volume, capacity)) ||
		                !rbl_convex_has_plane_faces(task->convex);
		task->is_outside = isfinite(b->def->radius) &&
		                   rbl_convex_distance(task->convex, b->def->position) > b->def->radius;
	}
}

static rbl_result run_tasks(rbl_breaker *b, int begin, int end)
{
	int workers = rbl_jobs_worker_count(b->def->jobs);
	cutters s = { .b = b };
	s.clippers = RBL_NEW(b->allocator, rbl_cell_clipper, workers);
	s.out_of_memory = RBL_NEW_ZERO(b->allocator, bool, workers);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (s.clippers && s.out_of_memory) {
		for (int i = 0; i < workers; ++i)
			rbl_cell_clipper_init(&s.clippers[i], b->allocator);
		s.first = begin;
		rbl_parallel_for(b->def->jobs, end - begin, TASK_BLOCK, cut_block, &s);
		result = RBL_OK;
		for (int i = 0; i < workers; ++i) {
			if (s.out_of_memory[i])
				result = RBL_OUT_OF_MEMORY;
			rbl_cell_clipper_destroy(&s.clippers[i]);
		}
	}
	RBL_FREE(b->allocator, s.clippers, workers);
	RBL_FREE(b->allocator, s.out_of_memory, workers);
	b->counts.cut_count += end - begin;
	return result;
}

// Make the result of a task a piece; the convex changes hands.
static bool take_task(rbl_breaker *b, rbl_break_task *task)
{
	const rbl_part *m = &b->compound->parts.data[task->part];
	rbl_break_piece piece = {
		.convex = task->convex,
		.volume = task->volume,
		.parent = task->part,
		.next_of_weld = -1,
		.face_end = INT_MAX,
		.cell = task->cell,
		.material = m->material,
		.is_anchored = m->is_anchored && (task->is_outside || (b->keeps_anchors && task->is_whole)),
		.is_whole = task->is_whole,
		.is_outside = task->is_outside,
		.fragment = -1,
	};
	if (!rbl_array_push(b->allocator, &b->pieces, piece))
		return false;
	task->convex = NULL;
	return true;
}

// Drop the pieces from `first` on.
static void drop_pieces(rbl_breaker *b, int first)
{
	for (int i = first; i < b->pieces.count; ++i) {
		if (!b->pieces.data[i].is_whole) {
			rbl_destroy_convex(b->pieces.data[i].convex);
			rbl_destroy_mesh(b->pieces.data[i].mesh);
		}
	}
	b->pieces.count = first;
}

rbl_result rbl_break_cut_begin(rbl_breaker *b)
{
	b->next_task = b->next_touched = b->kept = b->taken = b->first_piece = 0;
	b->clipped_count = b->clip_limit = 0;
	b->chosen_capacity = b->touched.count + 1;
	b->chosen_starts = RBL_NEW(b->allocator, int, b->chosen_capacity);
	if (!b->chosen_starts || !measure_cells(b))
		return RBL_OUT_OF_MEMORY;
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, b->allocator, 0);
	rbl_tree tree = rbl_tree_make(&pool);
	rbl_result result = build_cell_tree(b, &tree);
	if (result == RBL_OK)
		result = list_cuts(b, &tree);
	rbl_tree_pool_destroy(&pool);
	return result;
}

// Take the pieces of one part that is touched, if any of them is inside the impact.
static rbl_result finish_part(rbl_breaker *b, int part)
{
	bool has_inside = false;
	for (; b->taken < b->tasks.count && b->tasks.data[b->taken].part == part; ++b->taken) {
		rbl_break_task *task = &b->tasks.data[b->taken];
		if (task->convex && task->is_flat) {
			b->counts.flat_count++;
			b->counts.flat_volume += task->volume;
		} else if (task->convex && !take_task(b, task)) {
			return RBL_OUT_OF_MEMORY;
		}
	}
	for (int k = b->first_piece; k < b->pieces.count; ++k)
		has_inside |= !b->pieces.data[k].is_outside;
	if (has_inside)
		b->touched.data[b->kept++] = part;
	else
		drop_pieces(b, b->first_piece);
	b->first_piece = b->pieces.count;
	return RBL_OK;
}

// Cut the mesh of the part that is next, and take its pieces when all are there.
static rbl_result cut_mesh(rbl_breaker *b, int part, int *budget, bool *is_cut)
{
	rbl_mesh_cut *cut = b->all_cuts ? &b->all_cuts[b->next_touched] : &b->mesh_cut;
	rbl_result result = RBL_OK;
	if (!cut->mesh_pieces && !cut->is_done) {
		rbl_mesh_cut_set_up(b, cut, b->next_touched);
		cut->jobs = b->def->jobs;
	}
	if (!cut->is_done)
		result = rbl_break_mesh(b, cut, budget);
	*is_cut = result == RBL_OK && cut->is_done;
	if (!*is_cut)
		return result;
	b->clipped_count += cut->clipped_count;
	if (b->clipped_count > b->clip_limit)
		return rbl_too_many_cuts(b->clipped_count / RBL_CLIPS_PER_CUT, true, b->def->cut_limit);
	int count = cut->pieces.count, first = b->pieces.count;
	if (!rbl_array_reserve(b->allocator, &b->pieces, first + count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		b->pieces.data[first + i] = cut->pieces.data[i];
	b->pieces.count += count;
	b->counts.cut_count += count;
	b->counts.triangle_count += rbl_mesh_triangle_count(b->compound->parts.data[part].mesh);
	cut->pieces.count = 0; // they have changed hands
	rbl_mesh_cut_free(b, cut);
	return RBL_OK;
}

rbl_result rbl_break_cut_some(rbl_breaker *b, int *budget, bool *is_done)
{
	*is_done = false;
	rbl_result result = RBL_OK;
	if (b->next_task < b->tasks.count) {
		int n = rbl_mini(*budget, b->tasks.count - b->next_task);
		result = run_tasks(b, b->next_task, b->next_task + n);
		b->next_task += n;
		*budget -= n;
	}
	if (result == RBL_OK && *budget >= ALL_AT_ONCE && !b->all_cuts)
		result = rbl_break_all_meshes(b);
	while (result == RBL_OK && *budget > 0 && b->next_touched < b->touched.count) {
		int part = b->touched.data[b->next_touched];
		bool is_cut = true;
		if (b->compound->parts.data[part].mesh)
			result = cut_mesh(b, part, budget, &is_cut);
		else
			*budget -= 1;
		if (result == RBL_OK && is_cut) {
			int taken = b->taken;
			result = finish_part(b, part);
			*budget -= (b->taken - taken) / 40;
			b->next_touched++;
		}
	}
	if (result != RBL_OK || b->next_task < b->tasks.count || b->next_touched < b->touched.count)
		return result;
	b->touched.count = b->next_touched = b->kept;
	b->counts.touched_count = b->kept;
	b->counts.made_count = b->pieces.count;
	*is_done = true;
	return RBL_OK;
}
